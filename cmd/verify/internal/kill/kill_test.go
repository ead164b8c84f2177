package main

import (
	"go/parser"
	"go/token"
	"math/rand/v2"
	"strings"
	"testing"

	"sledge/props"
)

// Every class has mistakes, each has a name of its own, and a draw of all of them is still Go.
func TestMistakesArePlanted(t *testing.T) {
	if testing.Short() {
		t.Skip("the whole module is type-checked")
	}
	all, sources, err := survey("../../../..")
	if err != nil {
		t.Fatal(err)
	}
	known, count := map[string]bool{}, map[string]int{}
	for _, m := range all {
		if known[m.key()] {
			t.Errorf("two mistakes have the key %q", m.key())
		}
		known[m.key()] = true
		count[m.class]++
	}
	for _, class := range classes {
		if count[class] < 50 {
			t.Errorf("%d mistakes of the class %s", count[class], class)
		}
	}
	chosen := draw(all, &options{each: 200}, rand.New(rand.NewPCG(3, 0)), props.Planted{}, nil)
	for path, text := range rewrite(chosen, sources) {
		if _, err := parser.ParseFile(token.NewFileSet(), path, text, 0); err != nil {
			t.Error(err)
		}
	}
}

// A formula is made wrong by a number of its own, not by an index or a part of a name.
func TestWrongFormulas(t *testing.T) {
	for right, want := range map[string]string{
		"x ≤ 15 L/C_1^8": "x ≤ 315 L/C_1^8",
		"C_2 ≤ ζ²":       "C_2 ≤ ζ³",
		"η ≤ √n":         "η ≤ 2√n",
		"name":           "",
	} {
		if got, ok := wrongFormula(right); got != want || ok != (want != "") {
			t.Errorf("%q becomes %q", right, got)
		}
	}
}

// Without a mistake that is on, the switches return what they are given.
func TestSwitchesAreText(t *testing.T) {
	if !strings.HasPrefix(switches, "// Package planted") {
		t.Error("the switches have no head")
	}
	if _, err := parser.ParseFile(token.NewFileSet(), "planted.go", switches, 0); err != nil {
		t.Error(err)
	}
}
