package measured

import (
	"bytes"
	"context"
	"flag"
	"os"
	"testing"
	"time"

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

// stopped are the same, of which the last interrupts the program, as ^C does, and gives the signal
// more time to arrive than it takes.
func stopped() ([]props.Claim, error) {
	claims, err := few()
	for i := range claims {
		if claims[i].ID == "measured/escape-control" {
			claims[i].Check = props.Exact("one", func(rec *props.Recorder) {
				if self, err := os.FindProcess(os.Getpid()); err != nil ||
					self.Signal(os.Interrupt) != nil {
					panic("no signal")
				}
				time.Sleep(time.Minute)
				rec.Truth("slept", true)
			})
		}
	}
	return claims, err
}

// untilKept is operate, interrupted as soon as two points are kept in the file that the environment
// names.
func untilKept() verify.Verb {
	verb := Operate()
	bind := verb.Bind
	verb.Bind = func(flags *flag.FlagSet) verify.Action {
		action := bind(flags)
		return func(ctx context.Context, c *verify.Call) error {
			return action(kept{ctx, os.Getenv("SLEDGE_STOP_AT")}, c)
		}
	}
	return verb
}

// kept is a context that is over when a file has three lines.
type kept struct {
	context.Context
	path string
}

func (k kept) Err() error {
	if text, err := os.ReadFile(k.path); err == nil && bytes.Count(text, []byte("\n")) >= 3 {
		return context.Canceled
	}
	return k.Context.Err()
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
		"verify-stopped":     over(stopped),
		"verify-kept": func() verify.App {
			return verify.App{Name: "verify", Verbs: []verify.Verb{untilKept()}}
		},
	})
}

func TestScripts(t *testing.T) { verifytest.Run(t, "testdata") }
