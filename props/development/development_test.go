package development

import (
	"context"
	"encoding/json"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"sledge/props"
	"sledge/props/certificate/checker"
)

// small is a development of two files, the second of which uses the first.
func small() fstest.MapFS {
	return fstest.MapFS{
		"_CoqProject": {Data: []byte("-Q . Small\none.v\ntwo.v\n")},
		"one.v": {
			Data: []byte(
				"(* Admitted in a remark is no harm. *)\nFrom Coq Require Import Reals Lra.\nOpen Scope R_scope.\n" +
					"Definition twice (x : R) := x + x.\nLemma twice_twice x : twice (twice x) = 4 * " +
					"x.\nProof. unfold twice. lra. Qed.\n")},
		"two.v": {
			Data: []byte(
				"From Coq Require Import Reals.\nFrom Small Require Import one.\nSection S.\nVariable x : R.\n" +
					"Hypothesis positive : (0 < x)%R.\nTheorem grows : (0 < twice (twice x))%R.\n" +
					"Proof. rewrite twice_twice. apply Rmult_lt_0_compat; [|exact positive]. apply " +
					"(IZR_lt 0 4). reflexivity. Qed.\n" +
					"End S.\n")},
	}
}

func compiled(t *testing.T, files fstest.MapFS) (*Development, error) {
	t.Helper()
	coqc, err := exec.LookPath("coqc")
	if err != nil {
		t.Skip("Rocq is not installed")
	}
	d, err := Read(files)
	if err != nil {
		t.Fatal(err)
	}
	r, err := d.Compile(context.Background(), coqc, "Coq", t.TempDir(), 2)
	if err == nil {
		d.Record = *r
	}
	return d, err
}

// What the kernel says of a theorem: its closed statement, its axioms, what it uses. Its
// certificate is that of no other text.
func TestCompile(t *testing.T) {
	if testing.Short() {
		t.Skip("Rocq compiles a development: seconds")
	}
	d, err := compiled(t, small())
	if err != nil {
		t.Fatal(err)
	}
	r := d.Record.Results["grows"]
	if !strings.HasPrefix(r.Statement, "forall x : R,") ||
		!strings.Contains(r.Statement, "0 < x") || r.Line != 6 {
		t.Errorf("the statement of grows on line %d is %q", r.Line, r.Statement)
	}
	if len(r.Axioms) == 0 || !slices.Equal(r.Uses, []string{"twice", "twice_twice"}) {
		t.Errorf("grows rests on %v and uses %v", r.Axioms, r.Uses)
	}
	if l := d.Record.Results["twice_twice"]; l.Statement != "" || l.Definition ||
		!d.Record.Results["twice"].Definition {
		t.Errorf("a lemma is taken for something else: %+v", l)
	}
	c, err := d.Certificate("grows")
	if err != nil {
		t.Fatal(err)
	}
	if err := checker.Accept(c); err != nil {
		t.Error(err)
	}
	for _, name := range []string{"twice_twice", "twice", "nothing"} {
		if _, err := d.Certificate(name); err == nil {
			t.Errorf("%s counts as a theorem", name)
		}
	}
	if err := d.Same(&d.Record); err != nil {
		t.Error(err)
	}
	d.Files[0].Text += "\n"
	if _, err := d.Certificate("grows"); err == nil {
		t.Error("a theorem counts after its file has changed")
	}
}

// A development that assumes what it should prove is refused, by its text or by what its theorems
// rest on.
func TestAssumed(t *testing.T) {
	for _, text := range []string{"Axiom a : False.\n", "Lemma a : False. Proof.\nAdmitted.\n",
		"  Parameter a : False.\n",
		"Lemma a : False. Proof. admit. Qed."} {
		files := small()
		files["one.v"] = &fstest.MapFile{Data: []byte(text)}
		if _, err := Read(files); err == nil || !strings.Contains(err.Error(), "one.v") {
			t.Errorf("%q: %v", text, err)
		}
	}
	if testing.Short() {
		t.Skip("what is above is tried; Rocq compiles the rest: seconds")
	}
	files := small()
	files["two.v"] = &fstest.MapFile{
		Data: []byte("Module M.\nSection S.\nLocal Axiom a : False.\nLemma b : False.\n" +
			"Proof. exact a. Qed.\nEnd S.\nEnd M.\nTheorem c : False.\nProof. exact M.b. Qed.\n")}
	if _, err := compiled(t, files); err == nil || !strings.Contains(err.Error(), "rests on") {
		t.Errorf("a theorem that rests on an axiom of its own: %v", err)
	}
	files["two.v"] = &fstest.MapFile{Data: []byte("Theorem c : 1 = 2.\nProof. reflexivity. Qed.\n")}
	if _, err := compiled(t, files); err == nil ||
		!strings.Contains(err.Error(), "two.v is not accepted") {
		t.Errorf("a wrong proof: %v", err)
	}
}

// A claim that names a theorem is settled by it, for the whole domain; one that names none is an
// error.
func TestSettle(t *testing.T) {
	files := small()
	d, err := Read(files)
	if err != nil {
		t.Fatal(err)
	}
	record, err := json.Marshal(Record{By: "Coq", Sources: d.Digest(),
		Results: map[string]Result{"grows": {File: "two.v", Line: 6, Statement: "forall x : R, 0 < x"}}})
	if err != nil {
		t.Fatal(err)
	}
	files["record.json"] = &fstest.MapFile{Data: record}
	if d, err = Read(files); err != nil {
		t.Fatal(err)
	}
	claim := func(name string) []props.Claim {
		return []props.Claim{{ID: "a", Formal: name,
			Check: props.Inequality(func(src *props.Source, rec *props.Recorder) {
				x := src.Real("x", 1, 2)
				rec.AtMost("0 against 4x", 0, 4*x)
			})}}
	}
	claims := claim("grows")
	if err := d.Settle(claims); err != nil {
		t.Fatal(err)
	}
	results, err := props.Run(context.Background(), claims, props.Config{Check: checker.Accept})
	if err != nil {
		t.Fatal(err)
	}
	if results[0].Verdict != props.Proved || results[0].Evidence[0].Certificate == nil {
		t.Errorf("the claim is %v", results[0].Verdict)
	}
	if err := d.Settle(claim("shrinks")); err == nil || !strings.Contains(err.Error(),
		`a: the theory has no theorem "shrinks"`) {
		t.Error(err)
	}
}

// Remarks are those at the head of a file and directly before a result, but not the heads of
// A development tells what it does not prove, as its README lists it.
func TestMissing(t *testing.T) {
	files := small()
	files["README.md"] = &fstest.MapFile{Data: []byte("# It\n\n- no such item\n\n## What is not here\n\n" +
		"- The horizon\n  of `x`.\n- Escape.\n\nMore.\n\n## Further\n\n- nothing\n")}
	d, err := Read(files)
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"The horizon of x.", "Escape."}; !slices.Equal(d.Missing, want) {
		t.Errorf("%q, want %q", d.Missing, want)
	}
	delete(files, "README.md")
	if d, err = Read(files); err != nil || d.Missing != nil {
		t.Error(d, err)
	}
}

// sections.
func TestRemarks(t *testing.T) {
	f := File{"a.v",
		"(* What is proved\n   here. *)\nFrom Coq Require Import Reals.\n\n(* ---- A head ---- " +
			"*)\n\nTheorem a : True.\n" +
			"Proof. exact I. Qed. (* done *)\nTheorem b : True.\nProof. exact I. Qed.\n(* What b " +
			"says,\n  again. *)\nTheorem c : True.\n"}
	if got := f.Preface(); got != "What is proved\n   here." {
		t.Errorf("the head is %q", got)
	}
	for line, want := range map[int]string{1: "", 7: "", 9: "done", 13: "What b says,\n  again.",
		12: "", 99: ""} {
		if got := f.Before(line); got != want {
			t.Errorf("before line %d: %q, want %q", line, got, want)
		}
	}
	if got := (&File{"b.v", "From Coq Require Import Reals."}).Preface(); got != "" {
		t.Errorf("%q", got)
	}
}
