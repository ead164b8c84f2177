package ledger

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"sledge/props"
)

const sample = `# a remark
part: first-order
title: On things
authors: A. Author
source: arXiv 1
sha256: 00
cause: a-slip – A sign is wrong,
    twice

[step]  printed; Theorem 1; theorem:main; lines 12-14, 20; implication; main result
  $η ≤ 1/(2L)$ implies $1/(2η) − L/2 ≥ 0$, which is said
      in two lines
  note: First.
  note: Second: with a colon.
  uses: assumption:Smooth, descent
  expect: refuted
  holds: 2: η against 1
  sharp: 0.5 η against
  sharp: 0.25
  harm: step – The result stands.
  cause: a-slip
  reading: ∨ for ∧

[step/corrected]  corrects step; proof step
  The same.
  expect: consistent

[step/sharper]  sharpens step; remark
  More.
  expect: supported
[other]  own; tail; remark
  Else.
  expect: proved
`

func TestParse(t *testing.T) {
	l, err := Parse("x", sample)
	if err != nil {
		t.Fatal(err)
	}
	want := &Ledger{
		Text:   Text{Title: "On things", Authors: "A. Author", Source: "arXiv 1", SHA256: "00"},
		Causes: []Cause{{"a-slip", "A sign is wrong, twice"}},
		Claims: []props.Claim{
			{ID: "step", Part: "first-order", Tier: 1, Kind: "implication", Form: props.Printed, Theorem: "Theorem 1",
				Lines: "12-14, 20",
				Label: "theorem:main", Statement: "$η ≤ 1/(2L)$ implies $1/(2η) − L/2 ≥ 0$, which is said in two lines",
				Notes: "First.\nSecond: with a colon.", Uses: []string{"assumption:Smooth", "descent"}, Expect: props.Refuted,
				Holds: []string{"2: η against 1"}, Sharp: []props.Floor{{Share: 0.5, What: "η against"},
					{Share: 0.25}}, Harm: props.Step,
				Reason: "The result stands.", Cause: "a-slip", Reading: "∨ for ∧", Sharpened: true},
			{ID: "step/corrected", Part: "first-order", Tier: 2, Form: props.Corrected, Of: "step", Statement: "The same.",
				Expect: props.Consistent, Sharpened: true},
			{ID: "step/sharper", Part: "first-order", Tier: 3, Form: props.Sharper, Of: "step", Statement: "More.",
				Expect: props.Supported},
			{ID: "other", Part: "first-order", Tier: 3, Kind: "tail", Form: props.Extension, Statement: "Else.",
				Expect: props.Proved},
		},
	}
	if d := cmp.Diff(want, l); d != "" {
		t.Error(d)
	}
}

func TestParseErrors(t *testing.T) {
	entry := func(body string) string { return "[a]  printed; remark\n" + body }
	for name, c := range map[string]struct{ text, want string }{
		"stray line":     {"what is this", `x:1: "what is this" is neither`},
		"empty key":      {"part: ", "x:1:"},
		"no id":          {"[]  printed; remark", "x:1: an entry begins with its id"},
		"open bracket":   {"[a  printed; remark", "x:1: an entry begins with its id"},
		"no weight":      {"[a]  printed; lines 3", "x:1: a is neither a main result"},
		"two kinds":      {"[a]  printed; tail; moment; remark", `x:1: a has two kinds, "tail" and "moment"`},
		"empty field":    {"[a]  printed;; remark", "x:1: a has an empty field"},
		"no statement":   {"[a]  printed; remark\n  expect: proved\n", "a lacks its statement"},
		"no verdict":     {entry("  Words.\n"), "a lacks its statement or its expected verdict"},
		"two statements": {entry("  Words.\n  Other words.\n"), "x:3: a has a second statement"},
		"bad verdict":    {entry("  Words.\n  expect: fine\n"), `x:3: "fine" is no verdict`},
		"error expected": {entry("  Words.\n  expect: error\n"), `x:3: "error" is no verdict`},
		"bad share":      {entry("  Words.\n  sharp: 2\n"), `x:3: "2" is no share`},
		"bad harm":       {entry("  Words.\n  harm: much\n"), `x:3: "much" is no harm`},
		"open formula":   {entry("  Words $x.\n"), "x:2: a formula of a has no second dollar sign"},
		"tab":            {entry("\tWords.\n"), "x:2: a tab"},
		"odd indent":     {"   Words.\n", "x:1: indented by 3"},
		"below nothing":  {"  Words.\n", "x:1: indented, but below no entry"},
		"twice":          {strings.Repeat(entry("  Words.\n  expect: proved\n"), 2), "two entries have the id a"},
		"bad cause":      {"cause: a slip\n", `x:1: "a slip" is no name of a cause`},
		"unnamed cause":  {entry("  W.\n  expect: refuted\n  cause: c\n"), "a names the cause c, which no line explains"},
		"no base":        {"[a]  corrects b; remark\n  W.\n  expect: proved\n", "a belongs to b, which is no printed entry"},
	} {
		if _, err := Parse("x", c.text); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

func TestRead(t *testing.T) {
	files := fstest.MapFS{"2.ledger": {Data: []byte("[b]  corrects a; remark\n  W.\n  expect: proved\n")},
		"1.ledger": {Data: []byte("part: p\n[a]  printed; remark\n  V.\n  expect: proved\n")}}
	l, err := Read(files, "*.ledger")
	if err != nil || len(l.Claims) != 2 || l.Claims[0].ID != "a" || l.Claims[0].Part != "p" || l.Claims[1].Part != "" {
		t.Errorf("%+v %v", l, err)
	}
	if _, err := Read(files, "*.txt"); err == nil {
		t.Error("no file is no error")
	}
}

func TestJoin(t *testing.T) {
	l, err := Parse("x", "[a]  printed; remark\n  W.\n  note: N.\n  expect: proved\n")
	if err != nil {
		t.Fatal(err)
	}
	check := props.Exact("one", func(rec *props.Recorder) { rec.Truth("so it is", true) })
	claims, err := l.Join([]props.Binding{props.Bind("a", check)})
	if err != nil || claims[0].Check == nil || claims[0].Notes != "N." ||
		!strings.HasPrefix(claims[0].At, "sledge/props/ledger/ledger_test.go:") {
		t.Errorf("%+v %v", claims, err)
	}
	if l.Claims[0].Check != nil {
		t.Error("Join changed the ledger")
	}
	for name, bindings := range map[string][]props.Binding{
		"no check is bound to a":            nil,
		"a is bound at":                     {props.Bind("a", check), props.Bind("a", check)},
		"to b, which has no entry":          {props.Bind("a", check), props.Bind("b", check)},
		"no check is bound to a, but a nil": {props.Bind("a", nil)},
	} {
		name, _, _ = strings.Cut(name, ",")
		if _, err := l.Join(bindings); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%v, want %q", err, name)
		}
	}
}

// What is written is read as it was.
func TestWriteAndParse(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`[A-Z][a-z]{2,9}( (of|η|[a-z]{1,12}|\$x\^2\$|#|3:)){0,40}`)
		name := rapid.StringMatching(`[a-z]{1,5}(-[a-z0-9]{1,5})?`)
		var claims []props.Claim
		for _, id := range rapid.SliceOfNDistinct(name, 1, 5, rapid.ID[string]).Draw(t, "ids") {
			c := props.Claim{ID: id, Tier: rapid.IntRange(1, 3).Draw(t, "tier"), Statement: text.Draw(t, "statement"),
				Form:   rapid.SampledFrom([]props.Form{props.Printed, props.Extension}).Draw(t, "form"),
				Expect: rapid.SampledFrom([]props.Verdict{props.Proved, props.Refuted, props.Vacuous}).Draw(t, "expect")}
			if rapid.Bool().Draw(t, "more") {
				c.Kind, c.Label, c.Lines, c.Theorem = name.Draw(t, "kind"), "theorem:"+id, "1-2, 3", "Lemma 4"
				c.Notes = text.Draw(t, "note") + "\n" + text.Draw(t, "note")
				c.Uses = rapid.SliceOfN(name, 1, 9).Draw(t, "uses")
				c.Holds = rapid.SliceOfN(text, 1, 2).Draw(t, "holds")
				c.Sharp = []props.Floor{{Share: rapid.Float64Range(0.01, 1).Draw(t, "share"), What: text.Draw(t, "what")}}
				c.Harm, c.Reason, c.Cause, c.Reading = props.Rate, text.Draw(t, "reason"), name.Draw(t, "cause"), text.Draw(t,
					"reading")
			}
			claims = append(claims, c)
		}
		written := write(claims)
		for line := range strings.Lines(written) {
			if len([]rune(line)) > 121 {
				t.Errorf("%d characters in %s", len([]rune(line)), line)
			}
		}
		for _, c := range claims {
			if c.Cause != "" {
				written = "cause: " + c.Cause + " – A slip.\n" + written
			}
		}
		back, err := Parse("x", written)
		if err != nil {
			t.Fatalf("%v in\n%s", err, written)
		}
		if d := cmp.Diff(claims, back.Claims, cmpopts.EquateEmpty()); d != "" {
			t.Errorf("%s\n%s", d, written)
		}
	})
}

// Whatever a file says, reading it ends with a ledger that can be written and read again, or with an error that names
// the file.
func FuzzParse(f *testing.F) {
	f.Add(sample)
	f.Add("[a] printed; remark\n  x\n  expect: proved\n")
	f.Add("[a] ;\n")
	f.Add("part: \x00\n[")
	f.Fuzz(func(t *testing.T, text string) {
		l, err := Parse("x", text)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "ledger: ") {
				t.Errorf("%v", err)
			}
			return
		}
		for i := range l.Claims {
			if l.Claims[i].Expect == props.Unknown || l.Claims[i].ID == "" {
				t.Errorf("%+v", l.Claims[i])
			}
		}
	})
}
