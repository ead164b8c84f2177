package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strings"
	"text/tabwriter"

	"github.com/peterbourgon/ff/v3/ffcli"

	"sledge/props"
	"sledge/reports"
)

// replayVerb is "verify replay".
func (p *program) replayVerb() *ffcli.Command {
	return verb("replay", "verify replay TOKEN|FILE", "evaluate a piece of evidence again and print its numbers",
		"TOKEN is the replay token of a piece of evidence. FILE holds tokens, one a line, or is a report.json, of which everything that speaks\n"+
			"against a claim is replayed and compared with what is recorded; the exit status is 1 if the numbers differ.", nil,
		func(ctx context.Context, args []string) error {
			if len(args) == 0 {
				return usagef("replay needs a token or a file")
			}
			if err := atMost(1, args); err != nil {
				return err
			}
			jobs, err := replayJobs(args[0])
			if err != nil {
				return err
			}
			differ := 0
			for i, j := range jobs {
				e, pairs, err := p.replay(ctx, j.token)
				switch {
				case ctx.Err() != nil:
					return &status{exitInterrupted, fmt.Sprintf("interrupted, %d of %d pieces of evidence were evaluated again", i, len(jobs))}
				case errors.Is(err, props.ErrNoClaim):
					return &status{exitNothing, j.place + plain(err)}
				case err != nil:
					return usagef("%s%s", j.place, plain(err))
				}
				if i > 0 {
					fmt.Fprintln(p.stdout)
				}
				if !printReplay(p.stdout, e, pairs, j.recorded) {
					differ++
				}
			}
			if differ > 0 {
				return &status{exitUnexpected, fmt.Sprintf("%d of %d pieces of evidence have other numbers than recorded", differ, len(jobs))}
			}
			return nil
		})
}

// replay evaluates a token and gives up when the context ends. What it leaves behind then ends with the program.
func (p *program) replay(ctx context.Context, token string) (*props.Evidence, []props.Pair, error) {
	type outcome struct {
		e     *props.Evidence
		pairs []props.Pair
		err   error
	}
	done := make(chan outcome, 1)
	go func() {
		e, pairs, err := props.Replay(p.claims, token)
		done <- outcome{e, pairs, err}
	}()
	select {
	case o := <-done:
		return o.e, o.pairs, o.err
	case <-ctx.Done():
		return nil, nil, ctx.Err()
	}
}

// plain is the text of an error without the name of the package it comes from.
func plain(err error) string { return strings.TrimPrefix(err.Error(), "props: ") }

// replayJob is a token with where it was read and what it should give, if that is known.
type replayJob struct {
	token, place string
	recorded     *reports.Evidence
}

func replayJobs(arg string) ([]replayJob, error) {
	info, err := os.Stat(arg)
	if err != nil { // no file: a token
		if !strings.Contains(arg, ":") {
			return nil, usagef("%q is neither a replay token nor a file", arg)
		}
		return []replayJob{{token: arg}}, nil
	}
	var text []byte
	if !info.IsDir() {
		if text, err = os.ReadFile(arg); err != nil {
			return nil, usagef("%v", err)
		}
	}
	var jobs []replayJob
	if info.IsDir() || strings.HasPrefix(strings.TrimSpace(string(text)), "{") {
		rs, err := read([]string{arg})
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
		return nil, &status{exitNothing, fmt.Sprintf("%s holds nothing to replay", arg)}
	}
	return jobs, nil
}

// printReplay prints the evidence in full precision and reports whether its numbers are the recorded ones.
func printReplay(w io.Writer, e *props.Evidence, pairs []props.Pair, recorded *reports.Evidence) (same bool) {
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
		fmt.Fprintf(w, "  %s, %s\n", plural(e.Trials, "trial"), plural(e.Violations, "violation"))
	}
	if !math.IsNaN(e.Low) {
		fmt.Fprintf(w, "  confidence limits %v and %v at level %v\n", e.Low, e.High, e.Level)
	}
	in := reports.Evidence{Evidence: *e}
	for _, line := range []struct{ name, text string }{{"at", e.Where}, {"power", in.Noticeable()}, {"note", in.Remarks()}} {
		if line.text != "" {
			fmt.Fprintf(w, "  %s: %s\n", line.name, line.text)
		}
	}
	if s := e.Simplest; s != nil {
		fmt.Fprintf(w, "  simplest: measured %v, claimed %v at %s\n    %s %s\n", float64(s.Measured), float64(s.Claimed), s.Where, replayer, s.Replay)
	}
	same = true
	if recorded != nil {
		same = equal(recorded.Measured, e.Measured) && equal(recorded.Claimed, e.Claimed)
		if same {
			fmt.Fprintln(w, "  the numbers are those recorded, bit for bit")
		} else {
			fmt.Fprintf(w, "  RECORDED: measured %v, claimed %v\n", recorded.Measured, recorded.Claimed)
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
