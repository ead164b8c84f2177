package main

import (
	_ "embed"
	"fmt"
	"io"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"

	"sledge/algos"
	"sledge/props"
)

//go:embed equivalent.txt
var equivalentText string

// equivalents are mistakes that change no law of a run, by their keys; each line of the file has a
// key, a tab, and the reason.
func equivalents() map[string]bool {
	out := map[string]bool{}
	for line := range strings.Lines(equivalentText) {
		if key, _, ok := strings.Cut(strings.TrimSpace(line), "\t"); ok {
			out[key] = true
		}
	}
	return out
}

// runsDepend reports whether a run may depend on a mistake in a method: what a method is called,
// counts, fetches ahead or recommends is no law, and its reference is a check itself.
func runsDepend(m *mistake) bool {
	_, methods := methodsOf(m.file)
	return methods && !strings.HasPrefix(strings.ToLower(m.function), "prescribed") &&
		!slices.Contains([]string{"Name", "Memory", "Reference", "Controls", "LocalPoints",
			"LocalEstimators", "Finished", "Point", "Estimator"}, m.function) &&
		!slices.ContainsFunc([]string{".fetch(", ".Up(", ".Down("},
			func(call string) bool { return strings.Contains(m.what, call) })
}

// methodsOf says which methods of the catalogue a file of package algos is about: those whose entry
// stands in it and those that are made of its parts; an empty list stands for all. Sums of vectors
// are of no method: they have two forms that are equal, by length, and tests of their own.
func methodsOf(file string) (list string, about bool) {
	const searching = "SPIDER-SFO+,SPIDER-SFO+ (finite-sum Neon2)"
	base := filepath.Base(file)
	parts := map[string]string{"neon2.go": searching, "spider.go": searching,
		"svrg.go": "Stabilized SVRG", "state.go": "", "federatedstate.go": ""}
	list, about = parts[base]
	for _, e := range algos.Catalogue() {
		made := runtime.FuncForPC(reflect.ValueOf(e.New).Pointer())
		if at, _ := made.FileLine(made.Entry()); filepath.Base(at) == base {
			list, about = strings.Trim(list+","+e.Name, ","), true
		}
	}
	return list, about && filepath.Dir(file) == "algos"
}

// ofSuite keeps the mistakes that the conformance suite should notice by itself.
func ofSuite(all []*mistake) []*mistake {
	same := equivalents()
	return slices.DeleteFunc(slices.Clone(all),
		func(m *mistake) bool { return !runsDepend(m) || m.literal || same[m.key()] })
}

// suite asks the conformance suite alone about each mistake, on the methods that its file is about.
func (b *bench) suite(w io.Writer, chosen []*mistake, of int) error {
	pass, err := b.tests("algos/algotest", "-test.run=^Test(Catalogue|CurvatureSearch)Conforms$")
	if err != nil {
		return err
	}
	noticed := make([]bool, len(chosen))
	b.each(len(chosen), func(i int) {
		methods, _ := methodsOf(chosen[i].file)
		noticed[i] = !pass(i+1, "-variants="+methods)
	})
	count := 0
	for i, m := range chosen {
		if noticed[i] {
			count++
			continue
		}
		fmt.Fprintf(w, "silent: %s:%d %s: %s\n", m.file, m.line, m.function, m.what)
	}
	low, high := props.ClopperPearson(count, len(chosen), drawnBadly)
	fmt.Fprintf(w, "the suite notices %d of %d mistakes, of %d that could be planted: a share between "+
		"%.3g and %.3g, with confidence %g\n", count, len(chosen), of, low, high, 1-2*drawnBadly)
	if high < b.o.least {
		return fmt.Errorf("it notices less than the share %g, beyond the luck of the draw",
			b.o.least)
	}
	return nil
}

// drawnBadly is the probability with which the luck of the draw alone makes the measured share too
// small, or too large.
const drawnBadly = 1e-3
