// Bench runs the library and what people use instead, in turns, and says how many times faster the
// library is:
//
//	go run ./bench [-only WORDS] [-turns N] [-python COMMAND] [-write docs/performance.md]
//
// The command is timed against another binary of it, such as the last release's, so that a slower
// main job is noticed; a turn is a whole run at the quick tier:
//
//	go run ./bench -release ./verify-before -only 'quick tier' -turns 5
//
// The peers are numpy, scipy and scikit-learn (Debian: python3-numpy, python3-scipy,
// python3-sklearn); rows whose peer cannot be had are left out with a sentence. Each side is a
// process of its own with one thread, both are prepared before either is timed, and they take
// turns, so that what else the machine does befalls both. What counts is CPU time. A ratio belongs
// to two neighbouring turns; its median and quartiles are shown. With the build tag openblas (see
// package network) the networks' matrix products are OpenBLAS's, as numpy's are.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	only := flags.String("only", "", "measure only rows with these `words` in their title")
	python := flags.String("python", "python3", "the `command` that runs the peers")
	turns := flags.Int("turns", 15, "turns of each side, at least 5")
	least := flags.Duration("turn", 300*time.Millisecond, "CPU time of a turn, at least")
	page := flags.String("write", "", "write the page to this `file`")
	release := flags.String("release", "", "another `binary` of the command, against which its "+
		"quick tier is timed: one row more, of minutes for a turn")
	child := flags.Bool("child", false,
		"be one side: prepare the workload that the arguments name, and take turns")
	if err := flags.Parse(args); err != nil {
		return err
	}
	switch {
	case *child:
		return serve(flags.Args(), os.Stdin, out)
	case flags.NArg() > 0:
		return fmt.Errorf("argument %q is not understood: rows are chosen with -only", flags.Arg(0))
	case *turns < 5:
		return fmt.Errorf("-turns is %d: quartiles want at least 5", *turns)
	case *least <= 0 || *least > time.Minute:
		return fmt.Errorf("-turn is %v: it must be positive and at most a minute", *least)
	}
	files, err := os.MkdirTemp("", "bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(files)
	if err := writeRows(files); err != nil {
		return err
	}
	b := bench{files: files, python: *python, turns: *turns, least: *least, log: os.Stderr}
	b.versions, err = b.peerVersions(ctx)
	if err != nil {
		fmt.Fprintf(os.Stderr, "bench: no peers: %v\n", err)
	}
	rows := comparisons
	if *release != "" {
		if err := b.commands(ctx, *release); err != nil {
			return err
		}
		rows = append(slices.Clone(rows), quickTier)
	}
	var results []result
	for _, c := range rows {
		if !strings.Contains(c.Title, *only) || c.Peer.python && b.versions == "" {
			continue
		}
		r, err := b.measure(ctx, c)
		if err != nil {
			return fmt.Errorf("%s: %w", c.Title, err)
		}
		fmt.Fprintln(out, r)
		results = append(results, r)
	}
	if len(results) == 0 {
		return fmt.Errorf("no row with %q in its title can be measured here", *only)
	}
	if *page == "" {
		return nil
	}
	text, err := render(b, results)
	if err != nil {
		return err
	}
	return os.WriteFile(*page, text, 0o666)
}
