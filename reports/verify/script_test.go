package verify_test

import (
	"flag"
	"testing"

	"sledge/reports/verify"
	"sledge/reports/verify/verifytest"
)

var _ = flag.Bool("update", false, "rewrite the tables that the scripts expect")

func TestMain(m *testing.M) {
	verifytest.Main(m, map[string]func() verify.App{
		"verify":       verify.Toy,
		"verify-odd":   verify.Odd,
		"verify-drift": verify.Drifted,
		"verify-stop":  verify.Stopping,
		"verify-slow":  verify.Slow,
		"verify-long":  verify.Long,
		"verify-none":  verify.Empty,
		"verify-fail":  verify.Twice,
		"verify-slip":  verify.Slip,
		"own":          verify.Own,
	})
}

// The scripts in testdata show every general verb, exit status and refusal.
func TestScripts(t *testing.T) { verifytest.Run(t, "testdata") }
