package reports

import (
	"bytes"
	"strings"
	"testing"

	"sledge/props"
	"sledge/props/development"
)

// The page of a development shows every theorem by what it is to the text, and the whole way down
// from those that are statements of the ledger.
func TestBlueprint(t *testing.T) {
	r := fixture()
	var of []*Claim
	for _, form := range []props.Form{props.Printed, props.Corrected} {
		for i := range r.Claims {
			if r.Claims[i].Form == form {
				of = append(of, &r.Claims[i])
				break
			}
		}
	}
	if len(of) != 2 {
		t.Fatal("the fixture lacks a form")
	}
	of[0].Formal, of[1].Formal, of[0].Verdict = "main, other", "repair", props.Proved
	d := &development.Development{Missing: []string{"Escape <so far>."}, Files: []development.File{
		{Name: "one.v",
			Text: "(* What is done with <vectors>. *)\nLemma small : True.\nTheorem tool : True.\n"},
		{Name: "two.v",
			Text: "\n(* It is so. *)\nTheorem main : True.\nTheorem repair : True.\nTheorem other : True.\n"}},
		Record: development.Record{By: "Coq 1", Results: map[string]development.Result{
			"small": {File: "one.v", Line: 2},
			"tool":  {File: "one.v", Line: 3, Statement: "True", Uses: []string{"small"}},
			"main": {File: "two.v", Line: 3, Statement: "True", Uses: []string{"tool"},
				Axioms: []string{"classic"}},
			"repair": {File: "two.v", Line: 4, Statement: "True", Uses: []string{"main"}},
			"other":  {File: "two.v", Line: 5, Statement: "True"}}}}
	d.Record.Sources = d.Digest()
	var page bytes.Buffer
	for _, f := range r.layOut(Pages{Theory: d}) {
		if f.Name == theoryFile {
			if err := f.Write(&page); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, want := range []string{`<rect class="printed"`, `<rect class="repaired"`,
		`<rect class="tool"`, "What is done with &lt;vectors&gt;.", "It is so.",
		"2 results and definitions", "3 results and definitions",
		"<dt>one.v</dt><dd>small, tool</dd>", "<code>classic</code>", "no axiom",
		`<a class="mark printed" href="`, `<a class="mark repaired" href="`,
		`<span class="mark printed">1</span> accepted by the kernel as printed`,
		`Nothing drawn rests on these, and they on no theorem: <a href="#theorem-other">other</a>.`,
		"<li>Escape &lt;so far&gt;.</li>"} {
		if !strings.Contains(page.String(), want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	marks := 0 // each printed statement has one, in one of the classes that are explained
	for _, state := range theoryStates {
		marks += strings.Count(page.String(), `<a class="mark `+state.Class+`"`)
	}
	printed := 0
	for i := range r.Claims {
		if r.Claims[i].Form == props.Printed {
			printed++
		}
	}
	if marks != printed || printed == 0 {
		t.Errorf("%d marks for %d printed statements", marks, printed)
	}
}
