package measured

import (
	"flag"
	"testing"

	"sledge"
	"sledge/props"
	"sledge/reports/verify"
	"sledge/reports/verify/verifytest"
)

var _ = flag.Bool("update", false, "rewrite what the scripts expect")

// few are a few of the measured entries of the tables, quick ones, and one claim that is none.
func few() ([]props.Claim, error) {
	var claims []props.Claim
	for _, c := range props.Must(sledge.Claims()) {
		switch c.ID {
		case "descent-lemma", "measured/table1-spider-nonconvex",
			"measured/table1-sledge-1-sosp-coarse",
			"measured/table2-fledge-vectors", "measured/escape-control":
			claims = append(claims, c)
		}
	}
	return claims, nil
}

// unexpected are the same with another expectation.
func unexpected() ([]props.Claim, error) {
	claims, err := few()
	for i := range claims {
		if claims[i].ID == "measured/escape-control" {
			claims[i].Expect = props.Supported
		}
	}
	return claims, err
}

func TestMain(m *testing.M) {
	over := func(claims func() ([]props.Claim, error)) func() verify.App {
		return func() verify.App {
			return verify.App{Name: "verify", Claims: claims,
				Verbs: []verify.Verb{Tables(), Operate()}}
		}
	}
	verifytest.Main(m, map[string]func() verify.App{
		"verify-measured":    over(few),
		"verify-mismeasured": over(unexpected),
		"verify-none":        over(nil),
	})
}

func TestScripts(t *testing.T) { verifytest.Run(t, "testdata") }
