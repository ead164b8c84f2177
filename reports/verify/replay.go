package verify

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"strings"
	"text/tabwriter"

	"sledge/props"
	"sledge/reports"
	"sledge/reports/store"
)

func replayVerb() Verb {
	return Verb{
		Bind: func(*flag.FlagSet) Action { return replayAll },
	}.Described(help, "replay")
}

func replayAll(ctx context.Context, c *Call) error {
	if len(c.Args) == 0 {
		return Usagef("replay needs a token or a file")
	}
	if err := c.AtMost(1); err != nil {
		return err
	}
	jobs, err := replayJobs(ctx, c.Args[0])
	if err != nil {
		return err
	}
	differ := 0
	for i, j := range jobs {
		var e *props.Evidence
		var pairs []props.Pair
		lost := fmt.Sprintf("interrupted, %d of %d pieces of evidence were evaluated again", i,
			len(jobs))
		err := Await(ctx, lost, func() (err error) {
			e, pairs, err = props.Replay(c.Claims(), j.token)
			return err
		})
		switch {
		case ctx.Err() != nil:
			return err
		case errors.Is(err, props.ErrNoClaim):
			return Exitf(Nothing, "%s%s", j.place, bare(err))
		case err != nil:
			return Usagef("%s%s", j.place, bare(err))
		}
		if i > 0 {
			fmt.Fprintln(c.Out)
		}
		if !printReplay(c.Out, c.app.replay(), e, pairs, j.recorded) {
			differ++
		}
	}
	if differ > 0 {
		return Exitf(Unexpected, "%d of %d pieces of evidence have other numbers than recorded",
			differ, len(jobs))
	}
	return nil
}

// bare is the text of an error without the name of the package it comes from.
func bare(err error) string { return strings.TrimPrefix(err.Error(), "props: ") }

// replayJob is a token with where it was read and what it should give, if that is known.
type replayJob struct {
	token, place string
	recorded     *reports.Evidence
}

// mostTokens is how many bytes a file of tokens, or a report, has at most.
const mostTokens = 512 << 20

func replayJobs(ctx context.Context, arg string) ([]replayJob, error) {
	info, err := os.Stat(arg)
	if err != nil { // no file: a token
		if !strings.Contains(arg, ":") {
			return nil, Usagef("%q is neither a replay token nor a file", arg)
		}
		return []replayJob{{token: arg}}, nil
	}
	var text []byte
	if !info.IsDir() {
		if text, err = store.Read(arg, mostTokens); err != nil {
			return nil, Usagef("%v", err)
		}
	}
	var jobs []replayJob
	if info.IsDir() || strings.HasPrefix(strings.TrimSpace(string(text)), "{") {
		rs, err := read(ctx, []string{arg})
		if err != nil {
			return nil, err
		}
		for i := range rs[0].Claims {
			c := &rs[0].Claims[i]
			for j := range c.Evidence {
				if e := &c.Evidence[j]; e.Outcome() == props.Refuted && e.Replay != "" {
					jobs = append(jobs, replayJob{e.Replay, c.ID + ": ", e})
				}
			}
		}
	} else {
		n := 0
		for line := range strings.Lines(string(text)) {
			n++
			if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
				jobs = append(jobs, replayJob{token: line, place: fmt.Sprintf("%s:%d: ", arg, n)})
			}
		}
	}
	if len(jobs) == 0 {
		return nil, Exitf(Nothing, "%s holds nothing to replay", arg)
	}
	return jobs, nil
}

// printReplay prints the evidence in full precision and reports whether its numbers are the
// recorded ones. Command is what stands before a token.
func printReplay(w io.Writer, command string, e *props.Evidence, pairs []props.Pair,
	recorded *reports.Evidence) (same bool) {
	fmt.Fprintf(w, "%s: %s\n", e.Outcome(), e.What)
	constant := ""
	if e.Sense == props.Hidden {
		constant = "C times "
	}
	fmt.Fprintf(w, "  measured %v, claimed %s %s%v", e.Measured, e.Relation, constant, e.Claimed)
	if !math.IsNaN(e.Tightness) {
		fmt.Fprintf(w, ", tightness %v", e.Tightness)
	}
	if !math.IsNaN(e.Ratio) {
		fmt.Fprintf(w, ", ratio %v", e.Ratio)
	}
	if e.Certified {
		fmt.Fprint(w, ", certified")
	}
	fmt.Fprintln(w)
	if e.Trials > 0 {
		fmt.Fprintf(w, "  %s, %s\n", Plural(e.Trials, "trial"), Plural(e.Violations, "violation"))
	}
	if !math.IsNaN(e.Low) {
		fmt.Fprintf(w, "  confidence limits %v and %v at level %v\n", e.Low, e.High, e.Level)
	}
	in := reports.Evidence{Evidence: *e}
	for _, line := range []struct{ name, text string }{{"at", e.Where}, {"power", in.Noticeable()},
		{"note", in.Remarks()}} {
		if line.text != "" {
			fmt.Fprintf(w, "  %s: %s\n", line.name, line.text)
		}
	}
	if s := e.Simplest; s != nil {
		fmt.Fprintf(w, "  simplest: measured %v, claimed %v at %s\n    %s %s\n",
			float64(s.Measured), float64(s.Claimed), s.Where, command, s.Replay)
	}
	same = true
	if recorded != nil {
		same = equal(recorded.Measured, e.Measured) && equal(recorded.Claimed, e.Claimed)
		if same {
			fmt.Fprintln(w, "  the numbers are those recorded, bit for bit")
		} else {
			fmt.Fprintf(w, "  RECORDED: measured %v, claimed %v\n", recorded.Measured,
				recorded.Claimed)
		}
	}
	if len(pairs) > 1 {
		fmt.Fprintln(w, "  everything that was compared there:")
		tw := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
		for _, p := range pairs {
			fmt.Fprintf(tw, "    %s\t%v\t%s %v\n", p.What, p.Measured, p.Relation, p.Claimed)
		}
		tw.Flush()
	}
	return same
}

// equal compares numbers as report.json keeps them, of which earlier ones keep no infinities.
func equal(recorded, now float64) bool {
	return recorded == now || math.IsNaN(recorded) && (math.IsNaN(now) || math.IsInf(now, 0))
}
