// Command verify runs the claims, reports their verdicts with the evidence, and replays, merges and compares what it found.
// "verify -h" explains its verbs, flags and exit status.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"

	"github.com/peterbourgon/ff/v3/ffcli"

	"sledge"
	"sledge/props"
)

// The exit status of the command.
const (
	exitOK           = 0   // every verdict is as expected, or: no difference
	exitUnexpected   = 1   // some verdict differs
	exitUsage        = 2   // a flag, an argument or an input is wrong; nothing was run
	exitUndecided    = 3   // a verdict that -fail-on names
	exitNothing      = 4   // no claim matched
	exitInternal     = 70  // the program failed
	exitInterrupted  = 130 // interrupted: what was ready has been written
	exitStatusManual = `Exit status: 0 every verdict as expected; 1 some verdict differs; 2 usage or input error; 3 inconclusive or
vacuous when -fail-on asks; 4 nothing matched; 70 internal error; 130 interrupted, with what was ready written.`
)

const patternManual = `An ID-PATTERN is a glob (* ? [a-z]) for the whole id of a claim, for its id up to the slash, or for the name of a part of
the text, so "descent-lemma" selects that claim with its corrected form, "*/corrected" all corrected forms, and
"concentration" a part; /RE/ selects the ids that a regular expression matches. "verify list" shows what there is.`

func main() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400) // instances are many, small and short-lived: a larger heap saves a fifth of the work
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second interrupt ends the program at once
	os.Exit(run(ctx, sledge.Claims(), os.Args[1:], os.Stdout, os.Stderr))
}

// status is an error that carries the exit status. With no message, what there was to say has been said.
type status struct {
	code    int
	message string
}

func (s *status) Error() string { return s.message }

func usagef(format string, args ...any) error {
	return &status{exitUsage, fmt.Sprintf(format, args...)}
}

// program is what the verbs share.
type program struct {
	claims         []props.Claim
	stdout, stderr io.Writer
}

// run is the whole command: it checks the given claims as the arguments say and returns the exit status.
func run(ctx context.Context, claims []props.Claim, args []string, stdout, stderr io.Writer) (code int) {
	defer func() {
		if p := recover(); p != nil {
			fmt.Fprintf(stderr, "verify: internal error: %v\n%s", p, debug.Stack())
			code = exitInternal
		}
	}()
	out := &outlet{w: stdout}
	defer func() {
		if out.err != nil && code != exitInternal {
			fmt.Fprintf(stderr, "verify: the output is incomplete: %v\n", out.err)
			code = exitInternal
		}
	}()
	if len(args) > 0 && args[0] == "help" { // "help merge" is "merge -h"
		args = append(slices.Clone(args[1:]), "-h")
	}
	p := &program{claims, out, stderr}
	var help bytes.Buffer
	root := p.command(&help)
	err := root.ParseAndRun(ctx, args)
	var s *status
	switch {
	case err == nil:
		return exitOK
	case errors.Is(err, flag.ErrHelp):
		out.Write(help.Bytes())
		return exitOK
	case errors.As(err, &s):
		if s.message != "" {
			fmt.Fprintf(stderr, "verify: %s\n", s.message)
		}
		return s.code
	case errors.As(err, new(*internal)):
		fmt.Fprintf(stderr, "verify: %v\n", err)
		return exitInternal
	}
	// What is left are complaints of the flag package.
	fmt.Fprintf(stderr, "verify: %s\n", strings.TrimPrefix(err.Error(), "error parsing commandline arguments: "))
	return exitUsage
}

// outlet remembers that something could not be written, so that a full disk behind standard output does not pass for success.
type outlet struct {
	w   io.Writer
	err error
}

func (o *outlet) Write(b []byte) (int, error) {
	n, err := o.w.Write(b)
	if err != nil && o.err == nil {
		o.err = err
	}
	return n, err
}

// internal is a failure that is not the user's.
type internal struct{ error }

// command builds the tree of verbs. Usage texts go to help.
func (p *program) command(help io.Writer) *ffcli.Command {
	verbs := []*ffcli.Command{p.runVerb("run"), p.listVerb(), p.explainVerb(), p.replayVerb(), p.raceVerb(), p.figuresVerb(), p.tablesVerb(), p.calibrateVerb(), p.mutateVerb(), p.mergeVerb(), p.diffVerb(), p.versionVerb()}
	root := p.runVerb("verify")
	root.ShortHelp = "Tries to refute every claim and reports the verdicts with their evidence."
	root.ShortUsage = "verify [run] [flags] [ID-PATTERN...]"
	root.LongHelp = patternManual + "\n\n" + exitStatusManual
	root.Subcommands = verbs
	for _, c := range verbs {
		c.FlagSet.SetOutput(help)
		exec := c.Exec
		c.Exec = func(ctx context.Context, args []string) error {
			var misplaced error
			root.FlagSet.Visit(func(f *flag.Flag) { misplaced = usagef("-%s stands before the verb %q; put it after", f.Name, c.Name) })
			if misplaced != nil {
				return misplaced
			}
			return exec(ctx, args)
		}
	}
	root.FlagSet.SetOutput(help)
	return root
}

// verb makes a command whose flags may stand before, between and after its arguments.
func verb(name, usage, short, long string, flags *flag.FlagSet, exec func(ctx context.Context, args []string) error) *ffcli.Command {
	if flags == nil {
		flags = flag.NewFlagSet(name, flag.ContinueOnError)
	}
	return &ffcli.Command{Name: name, ShortUsage: usage, ShortHelp: short, LongHelp: long, FlagSet: flags,
		Exec: func(ctx context.Context, rest []string) error {
			var args []string
			for len(rest) > 0 {
				if len(rest[0]) < 2 || rest[0][0] != '-' {
					args, rest = append(args, rest[0]), rest[1:]
					continue
				}
				if err := flags.Parse(rest); err != nil {
					return err
				}
				rest = flags.Args()
			}
			return exec(ctx, args)
		}}
}

// atMost complains about surplus arguments.
func atMost(n int, args []string) error {
	if len(args) > n {
		return usagef("unexpected argument %q", args[n])
	}
	return nil
}

// choice is a flag whose value is one of a few words.
type choice struct {
	value *string
	words []string
}

func (c choice) String() string {
	if c.value == nil {
		return ""
	}
	return *c.value
}

func (c choice) Set(s string) error {
	if !slices.Contains(c.words, s) {
		return fmt.Errorf("want %s", alternatives(c.words))
	}
	*c.value = s
	return nil
}

func alternatives(words []string) string {
	n := len(words) - 1
	if n < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:n], ", ") + " or " + words[n]
}
