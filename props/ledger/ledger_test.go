package ledger

import (
	"context"
	"slices"
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
sha256: 0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef
cause: a-slip – A sign is wrong,
    twice

[step]  printed; Theorem 1; theorem:main; lines 12-14, 20; implication; main result
  $η ≤ 1/(2L)$ implies $1/(2η) − L/2 ≥ 0$, which is said
      in two lines
  note: First.
  note: Second: with a colon.
  uses: assumption:Smooth, other
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
		Text: Text{Title: "On things", Authors: "A. Author", Source: "arXiv 1",
			SHA256: strings.Repeat("0123456789abcdef", 4)},
		Causes: []Cause{{"a-slip", "A sign is wrong, twice"}},
		Claims: []props.Claim{
			{ID: "step", Part: "first-order", Tier: 1, Kind: "implication", Form: props.Printed,
				Theorem: "Theorem 1", Lines: "12-14, 20",
				Label:     "theorem:main",
				Statement: "$η ≤ 1/(2L)$ implies $1/(2η) − L/2 ≥ 0$, which is said in two lines",
				Notes:     "First.\nSecond: with a colon.", Uses: []string{"assumption:Smooth",
					"other"}, Expect: props.Refuted,
				Holds: []string{"2: η against 1"},
				Sharp: []props.Floor{{Share: 0.5, What: "η against"},
					{Share: 0.25}}, Harm: props.Step,
				Reason: "The result stands.", Cause: "a-slip", Reading: "∨ for ∧", Sharpened: true},
			{ID: "step/corrected", Part: "first-order", Tier: 2, Form: props.Corrected, Of: "step",
				Statement: "The same.",
				Expect:    props.Consistent, Sharpened: true},
			{ID: "step/sharper", Part: "first-order", Tier: 3, Form: props.Sharper, Of: "step",
				Statement: "More.", Expect: props.Supported},
			{ID: "other", Part: "first-order", Tier: 3, Kind: "tail", Form: props.Extension,
				Statement: "Else.", Expect: props.Proved},
		},
	}
	if d := cmp.Diff(want, l, cmpopts.IgnoreUnexported(Ledger{})); d != "" {
		t.Error(d)
	}
}

func TestParseErrors(t *testing.T) {
	entry := func(body string) string { return "[a]  printed; remark\n" + body }
	for name, c := range map[string]struct{ text, want string }{
		"stray line":   {"what is this", `x:1: "what is this" is neither`},
		"empty key":    {"part: ", "x:1:"},
		"no id":        {"[]  printed; remark", "x:1: an entry begins with its id"},
		"open bracket": {"[a  printed; remark", "x:1: an entry begins with its id"},
		"path":         {"[../../a]  printed; remark", `x:1: "../../a" is no id`},
		"slash":        {"[a/]  printed; remark", `x:1: "a/" is no id`},
		"flag":         {"[-out]  printed; remark", `x:1: "-out" is no id`},
		"markup":       {"[<b>]  printed; remark", `x:1: "<b>" is no id`},
		"long id":      {"[" + strings.Repeat("a", 121) + "]  printed; remark", `is no id`},
		"look-alike":   {"[а]  printed; remark", `x:1: the id "а" looks like a`},
		"empty note":   {entry("  W.\n  note:\n"), "x:3: note of a is empty"},
		"empty use":    {entry("  W.\n  expect: proved\n  uses: lemma:a,\n"), `x:1: a uses ""`},
		"no weight":    {"[a]  printed; lines 3", "x:1: a is neither a main result"},
		"two kinds": {"[a]  printed; tail; moment; remark",
			`x:1: a has two kinds, "tail" and "moment"`},
		"empty field":    {"[a]  printed;; remark", "x:1: a has an empty field"},
		"no statement":   {"[a]  printed; remark\n  expect: proved\n", "a lacks its statement"},
		"no verdict":     {entry("  Words.\n"), "a lacks its statement or its expected verdict"},
		"two statements": {entry("  Words.\n  Other words.\n"), "x:3: a has a second statement"},
		"bad verdict":    {entry("  Words.\n  expect: fine\n"), `x:3: "fine" is no verdict`},
		"error expected": {entry("  Words.\n  expect: error\n"), `x:3: "error" is no verdict`},
		"bad share":      {entry("  Words.\n  sharp: 2\n"), `x:3: "2" is no share`},
		"bad object": {entry("  Words.\n  object: all\n"),
			`x:3: "all" is no object of a proof; they are ["statement"`},
		"bad harm":      {entry("  Words.\n  harm: much\n"), `x:3: "much" is no harm`},
		"open formula":  {entry("  Words $x.\n"), "x:2: a formula of a has no second dollar sign"},
		"tab":           {entry("\tWords.\n"), "x:2: a tab"},
		"odd indent":    {"   Words.\n", "x:1: indented by 3"},
		"below nothing": {"  Words.\n", "x:1: indented, but below no entry"},
		"twice": {strings.Repeat(entry("  Words.\n  expect: proved\n"), 2),
			"x:4: two entries have the id a; the first stands at x:1"},
		"bad cause": {"cause: a slip\n", `x:1: "a slip" is no name of a cause`},
		"unnamed cause": {entry("  W.\n  expect: refuted\n  cause: c\n"),
			"a names the cause c, which no line explains"},
		"no base": {"[a]  corrects b; remark\n  W.\n  expect: proved\n",
			"x:1: a belongs to b, which is no printed entry"},
		"no form":     {"[a]  tail; remark\n", "x:1: a is neither printed nor own"},
		"two forms":   {"[a]  own; printed; remark\n", "x:1: a has two forms"},
		"two weights": {"[a]  own; remark; main result\n", "x:1: a has two weights"},
		"no lines":    {"[a]  own; lines abc; remark\n", `x:1: "abc" are no lines`},
		"lines back":  {"[a]  own; lines 20-10; remark\n", `x:1: "20-10" are no lines`},
		"line 0":      {"[a]  own; lines 0; remark\n", `x:1: "0" are no lines`},
		"key twice": {entry("  W.\n  expect: proved\n  expect: refuted\n"),
			"x:4: expect stands below a a second"},
		"title twice": {"title: T\ntitle: U\n", "x:2: title stands in the ledger a second time"},
		"digest":      {"sha256: 00\n", `x:1: "00" is no SHA-256`},
		"harm": {entry("  W.\n  expect: proved\n  harm: step – W.\n"),
			"x:1: a has a harm and is not expected to be refuted"},
		"holds": {entry("  W.\n  expect: proved\n  holds: x\n"), "x:1: a says which comparison holds"},
		"uses":  {entry("  W.\n  expect: proved\n  uses: b\n"), `x:1: a uses "b", which is no other entry`},
		"uses itself": {entry("  W.\n  expect: proved\n  uses: a\n"),
			`x:1: a uses "a", which is no other entry`},
	} {
		if _, err := Parse("x", c.text); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

// declared are symbols and a domain, stated an entry with a formal statement.
const declared = "symbols: s; n count [2, 1e6]; b count; L f/x²; η x²/f\ndomain: steps = s; n, b ∈ [1, n]\n"

func stated(formal string) string {
	return "[a]  own; remark\n  Words.\n  formal: " + formal + "\n  expect: consistent\n"
}

// A statement in formulas is its own check: it needs no program, a false one is refuted, and a
// program stands where the entry says.
func TestFormal(t *testing.T) {
	verdict := func(text string, bindings ...props.Binding) (props.Verdict, *props.Claim) {
		t.Helper()
		l, err := Parse("x", text)
		if err != nil {
			t.Fatal(err)
		}
		claims, err := l.Join(bindings)
		if err != nil {
			t.Fatal(err)
		}
		results, err := props.Run(context.Background(), claims, props.Config{})
		if err != nil {
			t.Fatal(err)
		}
		return results[0].Verdict, &claims[0]
	}
	for formal, want := range map[string]props.Verdict{
		"steps: η ≤ 1/(2L); 2ηL ≤ 1":                    props.Consistent,
		"steps: η ≤ 1/(2L); 3ηL ≤ 1":                    props.Refuted,
		"s, n ∈ [2, 1e9], b ∈ [1, n]: n/b + 1 = O(n/b)": props.Consistent,
		"s, n ∈ [2, 1e9], b ∈ [1, n]: n/b = O(n/b²)":    props.Refuted,
		"units of s: η = 1/L":                           props.Consistent,
	} {
		got, c := verdict(declared + stated(formal))
		if got != want {
			t.Errorf("%s: %v, want %v", formal, got, want)
		}
		if c.At != "x:5" || len(c.Formally) != 1 || !strings.Contains(c.Formally[0], "$") {
			t.Errorf("%s: at %s, %q", formal, c.At, c.Formally)
		}
	}
	_, c := verdict(declared + stated("steps, L ∈ [1, 2]: b ≤ 5, η ≤ 4/L; bηL ≤ 1e9"))
	if want := "$b ≤ 5$, $η ≤ 4/L$ implies $bηL ≤ 1e9$, for $b ∈ [1, n]$, $L ∈ [1, 2]$"; c.Formally[0] != want {
		t.Errorf("%s, want %s", c.Formally[0], want)
	}
	wrong := props.Bind("a", props.Exact("one",
		func(rec *props.Recorder) { rec.Truth("so it is", false) }))
	for _, formal := range []string{"steps: n ≥ b\n  formal: program",
		"program\n  formal: steps: n ≥ b"} {
		if got, c := verdict(declared+stated(formal), wrong); got != props.Refuted ||
			len(c.Formally) != 1 ||
			!strings.Contains(c.At, ".go:") {
			t.Errorf("%s: %v", formal, got)
		}
	}
	l, err := Parse("x", declared+stated("steps: n ≥ b\n  formal: program"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := l.Join(nil); err == nil ||
		!strings.Contains(err.Error(), "a says that a program checks it") {
		t.Errorf("%v", err)
	}
	if l, err = Parse("x", declared+stated("steps: n ≥ b")); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Join([]props.Binding{wrong}); err == nil ||
		!strings.Contains(err.Error(), "a has formal lines and a check that is bound to it") {
		t.Errorf("%v", err)
	}
}

// What the check of an entry is made of is read from the entry alone, and a ledger of some claims
// has those, and leaves the whole as it is.
func TestMakesAndOnly(t *testing.T) {
	const text = `[a]  own; remark
  Words
  expect: consistent

[b]  own; remark
  Words
  formal: steps: n ≥ b
  formal: program
  expect: consistent

[c]  own; remark
  Words
  formal: steps: n ≥ b
  expect: consistent

[d]  own; remark
  Words
  formal: steps: n ≥ b
  formal: runs of GD: are runs of SGD
  formal: cost of GD: gradients = n
  formal: runs of GD: are runs of PAGE
  expect: consistent
`
	l, err := Parse("x", declared+text)
	if err != nil {
		t.Fatal(err)
	}
	for id, want := range map[string][]string{"a": {Program}, "b": {Program}, "c": {Formulas},
		"d": {"runs", "cost"}} {
		if got := l.Makes(id); !slices.Equal(got, want) {
			t.Errorf("%s is made of %q, want %q", id, got, want)
		}
	}
	some := l.Only(func(c *props.Claim) bool { return c.ID != "a" && c.ID != "b" })
	if err := some.Run(func(Runs) (props.Check, string, error) {
		return props.Exact("one", func(*props.Recorder) {}), "everywhere", nil
	}); err != nil {
		t.Fatal(err)
	}
	if claims, err := some.Join(); err != nil || len(claims) != 2 || claims[0].ID != "c" {
		t.Errorf("%v: %d claims", err, len(claims))
	}
	if _, err := l.Only(func(c *props.Claim) bool { return c.ID == "d" }).Join(); err == nil {
		t.Error("the whole ledger has the checks of a part of it")
	}
}

// A slip in symbols, a domain or a statement is refused with its file, line and character, and what
// is known.
func TestFormalErrors(t *testing.T) {
	for text, want := range map[string]string{
		declared +
			stated("steps: η ≤ 1/(2Q; η ≤ 1"): `x:5:26: Q is no known symbol; known are n b L η`,
		declared + stated("steps: η ≤ 1/(2L; η ≤ 1"):         `x:5:27: ) is wanted here`,
		declared + stated("steps: n ≥ b,\n      η ≤ 1/(2Q)"): `x:6:15: Q is no known symbol`,
		declared +
			stated("steps: η ≤ L"): `x:5:22: η has the unit x²/f, but L has f/x²`,
		declared +
			stated("units of s: η = L"): `x:5:27: η has the unit x²/f, but L has f/x²`,
		declared +
			stated(
				"step: η ≤ 1/L"): `x:5:11: "step" is no name of symbols or of a domain; known are s steps`,
		declared +
			stated(
				"steps η ≤ 1/L"): `x:5:11: "steps η ≤ 1/L" is not the word theorem and a name, nor a domain`,
		declared + stated("steps: η"):             `x:5:18: η is no statement`,
		declared + stated("s, n ∈ [5, 3]: n ≥ 1"): `x:5:19: the range of n is empty`,
		declared +
			stated("s, b ∈ [2n, n]: b ≥ 1"): `x:5:27: no instance of s is met: the range of b is empty`,
		declared +
			stated("steps: b > n; b ≥ 1"): `x:5:18: no instance of steps is met: not b > n`,
		declared +
			stated("steps, L = η: L = 1"): `x:5:22: L has the unit f/x², but η has x²/f`,
		declared + stated("steps, n ∈ [1, 2]: n ≥ 1"):   `n is drawn twice`,
		declared + stated("steps: n ∈ [1, 2]"):          `is not compared with a number`,
		declared + stated("program\n  formal: program"): `x:6: a has its program twice`,
		"symbols: s\nsymbols: s\n":                      `x:2:10: s has a meaning already`,
		"symbols: s; n count [0, x]\n":                  `x:1:13: [0, x] is no range of two numbers`,
		"symbols: s; n hour\n": `x:1:13: "hour" is neither count ` +
			`nor logarithm, and "hour" is no unit`,
		"symbols: s; n+m\n":                             `x:1:13: "n+m" is no name of a symbol`,
		"symbols: s; n; n\n":                            `x:1:16: n is declared twice`,
		"symbols: s; a count logarithm\n":               `x:1:13: "logarithm" stands behind "count"`,
		"symbols: s; a f x\n":                           `x:1:13: "x" stands behind "f"`,
		"symbols: s; a count [0.2, 0.7]\n":              `x:1:13: [0.2, 0.7] is no range of counts`,
		"symbols: s; a logarithm [0.1, 2]\n":            `x:1:13: [0.1, 2] is no range of a logarithm`,
		"symbols: s; a [1, Inf]\n":                      `x:1:13: [1, Inf] is no range of two numbers`,
		"symbols: s; х\n":                               `x:1:13: "х" looks like x`,
		"symbols: s; n\ndomain: d = s; n = log(-1)\n":   `x:2:20: log(−1) is not defined`,
		declared + stated("steps, n ∈ [2, 3]: η ≤ 1/L"): `x:5:18: n is drawn twice`,
		declared + stated("steps: n ∈ [-3, -1]; b ≤ n"): `x:5:23: n is a count: its range begins at 0`,
		declared + stated("steps: 1e400 n ≥ b"):         `x:5:18: 1e400 is larger than any`,
		"symbols: t = s; n\n": `x:1:14: "s" is no name of symbols or ` +
			`of a domain; known are none`,
		"domain: d = s; n\n": `x:1:13: "s" is no name of symbols`,
		"symbols: s; n count\ndomain: d = s; n ∈ [1, q]\n": `x:2:24: q is no known symbol; known are n`,
		"symbols: s; n\ndomain: d = s; n; effort much\n":   `x:2:26: "much" is no multiple of the usual effort`,
		"symbols: s; n\ndomain: program = s; n\n":          `x:2:9: "program" is no name`,
		declared + strings.ReplaceAll(stated("s: n ≥ b"), "a]", "b]") +
			stated("steps: 1 = O(n"): `x:9:25: ) is missing`,
	} {
		if _, err := Parse("x", text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s\n%v, want %q", text, err, want)
		}
	}
	refuted := strings.Replace(declared+stated("steps: η ≤ L"), "consistent", "refuted", 1)
	if _, err := Parse("x", refuted); err != nil {
		t.Errorf("units that do not fit are what a refuted entry may say: %v", err)
	}
}

func TestRead(t *testing.T) {
	files := fstest.MapFS{"2.ledger": {
		Data: []byte("[b]  corrects a; remark\n  W.\n  expect: proved\n")},
		"1.ledger": {Data: []byte("title: T\npart: p\n[a]  printed; remark\n  V.\n  expect: proved\n")}}
	l, err := Read(files, "*.ledger")
	if err != nil || len(l.Claims) != 2 || l.Claims[0].ID != "a" || l.Claims[0].Part != "p" ||
		l.Claims[1].Part != "" {
		t.Errorf("%+v %v", l, err)
	}
	if _, err := Read(files, "*.txt"); err == nil {
		t.Error("no file is no error")
	}
	files["1.ledger"].Data = files["1.ledger"].Data[len("title: T\n"):]
	if _, err := Read(files, "*.ledger"); err == nil ||
		!strings.Contains(err.Error(), "1.ledger:2: an entry stands here, and nowhere the title") {
		t.Errorf("without a title: %v", err)
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
		"x:1: a has no formal statement": nil,
		"a is bound at":                  {props.Bind("a", check), props.Bind("a", check)},
		"to b, which has no entry":       {props.Bind("a", check), props.Bind("b", check)},
		"no check is bound, but a nil":   {props.Bind("a", nil)},
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
			c := props.Claim{ID: id, Tier: rapid.IntRange(1, 3).Draw(t, "tier"),
				Statement: text.Draw(t, "statement"),
				Form: rapid.SampledFrom([]props.Form{props.Printed, props.Extension}).Draw(t,
					"form"), Expect: rapid.SampledFrom([]props.Verdict{props.Proved, props.Refuted,
					props.Vacuous}).Draw(t,
					"expect")}
			if rapid.Bool().Draw(t, "more") {
				c.Kind, c.Label, c.Lines, c.Theorem = name.Draw(t, "kind"), "theorem:"+id, "1-2, 3",
					"Lemma 4"
				c.Notes = text.Draw(t, "note") + "\n" + text.Draw(t, "note")
				c.Uses = rapid.SliceOfN(rapid.Map(name, func(n string) string { return "lemma:" + n }),
					1, 9).Draw(t, "uses")
				c.Sharp = []props.Floor{{Share: rapid.Float64Range(0.01, 1).Draw(t, "share"),
					What: text.Draw(t, "what")}}
				c.Reading = text.Draw(t, "reading")
			}
			if c.Expect == props.Refuted {
				c.Holds = rapid.SliceOfN(text, 0, 2).Draw(t, "holds")
				c.Harm, c.Reason, c.Cause = props.Rate, text.Draw(t, "reason"), name.Draw(t, "cause")
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

// Whatever a file says, reading it ends with a ledger that can be written and read again, or with
// an error that names the file.
func FuzzParse(f *testing.F) {
	f.Add(sample)
	f.Add("[a] printed; remark\n  x\n  expect: proved\n")
	f.Add("[a] ;\n")
	f.Add(declared + stated("steps: η ≤ 1/(2L); 2ηL ≤ 1"))
	f.Add(declared + stated("units of s, n ∈ [2, 9]: η = 1/L"))
	f.Add("symbols: s; n, P count [2, 1e6]; L f/x²\nsymbols: t = numbers of s; ‖v‖² f²/x²\n" +
		"domain: d = t; n; effort 0.5\n")
	f.Add("symbols: t = s;\ndomain: q; x\n")
	f.Add("symbols: s; T count [1, 1e9]\n" + stated("s: Σ_{k=1}^T Σ_{j=k}^{2k} j ≥ 0"))
	f.Add(declared + stated("steps: 9^{9^{9^9}} n ≥ ⌈log(-1)⌉"))
	f.Add("[a] own; remark; lines p:1-2\n  x\n  expect: proved\n  expect: refuted\n  uses: a\n")
	f.Add("[a] own; remark\n  x\n  formal: cost of A with b = (1, n), Warm: " +
		"full = 0; p ≤ held if T = 1\n  expect: proved\n")
	f.Add("[a] own; remark\n  x\n  formal: runs of A with  on  with probability 0.5: " +
		"are runs of B with\n  expect: proved\n")
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
