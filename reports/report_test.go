package reports

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"flag"
	"html"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"sledge/props"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// sameNums compares numbers bit for bit, except that all NaNs are equal.
var sameNums = cmp.Options{cmp.Comparer(func(a, b Num) bool { return a == b || a != a && b != b }),
	cmpopts.EquateNaNs(),
	cmp.AllowUnexported(props.Evidence{})}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), string(got)); d != "" {
		t.Errorf(
			"%s differs from what is rendered (-want +got); run with -update if that is right:\n%s",
			path, d)
	}
}

func encode(t *testing.T, r *Report) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := r.WriteJSON(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestJSONReadsBackAsWritten(t *testing.T) {
	r := fixture()
	first := encode(t, r)
	back, err := parse(first)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(r, back, sameNums, cmpopts.IgnoreUnexported(Report{})); d != "" {
		t.Errorf("what is read differs from what was written:\n%s", d)
	}
	if second := encode(t, back); !bytes.Equal(first, second) {
		t.Error("writing what was read gives other bytes")
	}
}

func TestInfinityBecomesNullWithNote(t *testing.T) {
	e := fixture().Claim("endless").Evidence[0]
	b, err := json.Marshal(e)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(b, []byte(`"measured":null`)) ||
		e.Remarks() != "first; measured is infinite; tightness is infinite" {
		t.Errorf("got %s", b)
	}
}

func TestAbsentNumbersAreUnknown(t *testing.T) {
	r, err := parse(
		[]byte(
			`{"schema": "sledge/report/v2", "claims": [{"id": "a", "verdict": "proved", ` +
				`"evidence": [{"measured": 3}]}]}`))
	if err != nil {
		t.Fatal(err)
	}
	if e := r.Claims[0].Evidence[0]; e.Measured != 3 || known(e.Claimed) || known(e.Level) {
		t.Errorf("got %+v", e)
	}
}

//go:embed schema.json
var schemaText []byte

// compileSchema compiles the committed schema; with closed it also refuses fields that the schema
// does not name.
func compileSchema(t *testing.T, closed bool) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(schemaText))
	if err != nil {
		t.Fatal(err)
	}
	var closeAll func(any)
	closeAll = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			if _, object := v["properties"].(map[string]any); object {
				v["additionalProperties"] = false
			}
			for _, w := range v {
				closeAll(w)
			}
		case []any:
			for _, w := range v {
				closeAll(w)
			}
		}
	}
	if closed {
		closeAll(doc)
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource("report.json", doc); err != nil {
		t.Fatal(err)
	}
	return c.MustCompile("report.json")
}

func TestSchema(t *testing.T) {
	open, closed := compileSchema(t, false), compileSchema(t, true)
	valid := func(s *jsonschema.Schema, text []byte) error {
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		return s.Validate(doc)
	}
	text := encode(t, fixture())
	if err := valid(closed, text); err != nil {
		t.Errorf(
			"a report is not as the schema says, or has a field that the schema does not name: %v",
			err)
	}
	if err := valid(closed, encode(t, New(nil, Run{Tier: "quick"}))); err != nil {
		t.Errorf("an empty report is not as the schema says: %v", err)
	}
	for _, edit := range [][2]string{
		{`"sledge/report/v2"`, `"sledge/report/v3"`},
		{`"verdict": "refuted"`, `"verdict": "wrong"`},
		{`"relation": "\u003c="`, `"relation": "<"`},
		{`"seed": 7`, `"seed": -7`},
		{`"tier": "quick"`, `"tier": "fast"`},
		{`"measured": null`, `"measured": "Inf"`},
		{`"trials": 400`, `"trials": 0.5`},
		{`"digest"`, `"digests"`},
	} {
		from := edit[0]
		if !bytes.Contains(text, []byte(from)) {
			from = strings.ReplaceAll(from, `\u003c`, "<")
		}
		broken := bytes.Replace(text, []byte(from), []byte(edit[1]), 1)
		if bytes.Equal(broken, text) {
			t.Fatalf("%s does not occur", from)
		}
		if valid(open, broken) == nil {
			t.Errorf("the schema admits %s", edit[1])
		}
	}
	more := bytes.Replace(text, []byte(`"seed"`), []byte(`"more": 1, "seed"`), 1)
	if valid(open, more) != nil {
		t.Error("the schema refuses a further field")
	}
	if _, err := parse(more); err != nil {
		t.Errorf("a further field is not ignored: %v", err)
	}
}

func TestOrderIsThatOfTheText(t *testing.T) {
	want := []string{"descent", "variance", "variance/corrected", "horizon", "budget", "pl-rate",
		"tail", "broken", "endless", "control/first"}
	r := fixture()
	digest := r.Run.Digest
	for seed := range uint64(5) {
		rand.New(rand.NewPCG(seed, 1)).Shuffle(len(r.Claims),
			func(i, j int) { r.Claims[i], r.Claims[j] = r.Claims[j], r.Claims[i] })
		r.finish()
		var got []string
		for _, c := range r.Claims {
			got = append(got, c.ID)
		}
		if !slices.Equal(got, want) || r.Run.Digest != digest {
			t.Fatalf("got %v, digest %s", got, r.Run.Digest)
		}
	}
}

func TestDigestLeavesOutTimesOnly(t *testing.T) {
	r := fixture()
	was := r.Run.Digest
	r.Claims[3].Seconds += 5
	r.finish()
	if r.Run.Digest != was {
		t.Error("the digest depends on times")
	}
	r.Claims[3].Evidence[0].Measured = math.Nextafter(r.Claims[3].Evidence[0].Measured, 9)
	r.finish()
	if r.Run.Digest == was {
		t.Error("the digest does not notice a changed last bit")
	}
}

func TestDependentsAreTransitive(t *testing.T) {
	r := fixture()
	r.Claim("descent").Uses = []string{"budget"} // a cycle through everything
	var got []string
	for _, d := range r.Dependents("variance") {
		got = append(got, d.Claim.ID+"<"+d.Via)
	}
	want := []string{"horizon<", "endless<", "budget<horizon", "descent<budget"}
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if d := r.Dependents("pl-rate"); len(d) != 0 {
		t.Errorf("got %v", d)
	}
	if c := r.Corrected("variance"); c == nil || c.Corrects != "variance" {
		t.Errorf("got %v", c)
	}
}

func TestCoverageCountsEveryClaimOnce(t *testing.T) {
	r := fixture()
	claims, odd := 0, 0
	for _, p := range r.Coverage() {
		sum := 0
		for _, k := range p.ByVerdict {
			sum += k
		}
		if sum != p.Claims {
			t.Errorf("%s: %d verdicts of %d printed claims", p.Name, sum, p.Claims)
		}
		claims, odd = claims+p.Claims+p.Others, odd+p.Unexpected
	}
	if claims != len(r.Claims) || odd != len(r.Summary.Unexpected) {
		t.Errorf("counted %d claims, %d odd", claims, odd)
	}
}

func TestAttention(t *testing.T) {
	var got []string
	for _, c := range fixture().ByAttention()[:6] {
		got = append(got, c.ID)
	}
	if want := []string{"broken", "endless", "budget", "variance", "control/first",
		"tail"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// The lead must be a piece that says what the verdict says, even if another one is tighter.
func TestLead(t *testing.T) {
	c := &Claim{Verdict: props.Refuted, Evidence: []Evidence{
		judged(props.Evidence{What: "a", Tightness: 5}, props.Consistent),
		judged(props.Evidence{What: "b", Tightness: math.NaN()}, props.Refuted),
		judged(props.Evidence{What: "c", Tightness: 1.5}, props.Refuted),
		judged(props.Evidence{What: "d", Tightness: 1.2}, props.Refuted),
	}}
	if e := c.Lead(); e.What != "c" {
		t.Errorf("got %q", e.What)
	}
	if e := new(Claim).Lead(); e != nil {
		t.Errorf("got %v", e)
	}
}

func TestNumbers(t *testing.T) {
	for _, c := range []struct {
		n    Num
		want string
	}{
		{0, "0"}, {1, "1"}, {-2.5, "−2.5"}, {0.123456, "0.1235"}, {999999, "999999"},
		{123456.7, "123457"}, {1e6, "10⁶"}, {-1.5e-7, "−1.5×10⁻⁷"},
		{1e-4, "0.0001"}, {9.99999e-5, "10⁻⁴"}, {Num(math.Inf(1)), "–"}, {Num(math.NaN()), "–"},
		{math.MaxFloat64, "1.798×10³⁰⁸"}, {100, "100"},
	} {
		if got := c.n.String(); got != c.want {
			t.Errorf("%v is written %q, want %q", float64(c.n), got, c.want)
		}
	}
}

func TestNumbersAreToldApart(t *testing.T) {
	next := math.Nextafter(3, 4)
	for _, c := range []struct {
		e    props.Evidence
		a, b string
	}{
		{props.Evidence{Measured: 1.0000012, Claimed: 1}, "1.000001", "1"},
		{props.Evidence{Measured: 2, Claimed: 1}, "2", "1"},
		{props.Evidence{Measured: next, Claimed: 3}, "3", "3"},
		{judged(props.Evidence{Measured: next, Claimed: 3}, props.Refuted).Evidence,
			"3.0000000000000004", "3"},
		{props.Evidence{Measured: 3, Claimed: math.NaN()}, "3", "–"},
	} {
		if a, b := (&Evidence{c.e}).Numbers(); a != c.a || b != c.b {
			t.Errorf("%v and %v are written %s and %s", c.e.Measured, c.e.Claimed, a, b)
		}
	}
}

func TestCertifiedLeads(t *testing.T) {
	piece := func(what string, o props.Verdict, tightness float64, certified bool) Evidence {
		return judged(props.Evidence{What: what, Tightness: tightness, Certified: certified,
			Allowed: math.NaN()}, o)
	}
	growth := piece("growth", props.Refuted, 1e9, false)
	growth.Sense = props.Hidden
	c := Claim{Verdict: props.Refuted,
		Evidence: []Evidence{piece("fine", props.Consistent, 1, true), growth,
			piece("small", props.Refuted, 1.1, true), piece("exact", props.Refuted, 1.2, true)}}
	if got := c.Lead().What; got != "exact" {
		t.Errorf("a refuted claim is led by %q", got)
	}
	if got := growth.Tight(); got != "unbounded" {
		t.Errorf("growth has tightness %q", got)
	}
	equation, falsehood := piece("x", props.Refuted, 0.75, true), piece("x", props.Refuted, 1, true)
	equation.Relation, falsehood.Relation, falsehood.Sense = props.EQ, props.EQ, props.Proposition
	for want, e := range map[string]Evidence{"no constant suffices": growth,
		"relative difference 0.75": equation, "false": falsehood,
		"violation 1.2": piece("", props.Refuted, 1.2, true),
		"":              piece("", props.Refuted, math.NaN(), true)} {
		if got := e.Extent(); got != want {
			t.Errorf("the extent is %q, want %q", got, want)
		}
	}
	c = Claim{Verdict: props.Consistent,
		Evidence: []Evidence{piece("loose", props.Consistent, 0.1, true),
			piece("tight", props.Consistent, 0.9, false)}}
	if got := c.Lead(); got.What != "tight" || got.Tight() != "0.9" {
		t.Errorf("a consistent claim is led by %q, tightness %s", got.What, got.Tight())
	}
}

func TestInterval(t *testing.T) {
	no := math.NaN()
	for _, c := range []struct {
		low, high float64
		want      string
	}{{1, 2, "1 to 2"}, {1, no, "from 1"}, {no, 2, "up to 2"}, {no, no, ""}} {
		if got := interval(Evidence{props.Evidence{Low: c.low, High: c.high}}); got != c.want {
			t.Errorf("%v, %v: %q, want %q", c.low, c.high, got, c.want)
		}
	}
	e := judged(props.Evidence{Low: 1, High: math.Inf(1), Note: "shown"}, props.Supported)
	if said := e.Remarks(); !math.IsInf(e.High, 1) || said != "shown; one-sided confidence limit" {
		t.Errorf("an infinite limit becomes %v, %q", e.High, said)
	}
}

func TestContradiction(t *testing.T) {
	no := math.NaN()
	for _, c := range []struct {
		e    props.Evidence
		want string
	}{
		{props.Evidence{What: "err", Measured: 3, Claimed: 2, Relation: props.LE, Trials: 10,
			Violations: 4, Low: no, High: no, Certified: true},
			"err: measured 3, but at most 2 is claimed; the bound is exceeded by a factor of 1.5. 4 of 10 trials " +
				"contradict the claim. Confirmed in exact arithmetic."},
		{props.Evidence{What: "gain", Measured: 2, Claimed: 2.02, Relation: props.GE, Trials: 1,
			Violations: 1, Low: no, High: no},
			"gain: measured 2, but at least 2.02 is claimed; the bound is missed by 1\u00a0%."},
		{props.Evidence{What: "law", Measured: -1, Claimed: 2, Relation: props.EQ, Trials: 3,
			Violations: 3, Low: no, High: no, Certified: true},
			"law: measured −1, but 2 is claimed. 3 of 3 trials contradict the claim. Confirmed in exact arithmetic."},
		{props.Evidence{What: "miss", Measured: 0.2, Claimed: 0.05, Relation: props.LE, Low: 0.1,
			High: 0.3, Level: 1e-6,
			Note: "twenty runs miss; rarely more"},
			"miss: measured 0.2, but at most 0.05 is claimed; the bound is exceeded by a factor " +
				"of 4. Twenty runs miss; " +
				"rarely more. " +
				"Confidence limits 0.1 and 0.3 at level 10⁻⁶."},
		{props.Evidence{What: "run", Measured: 2, Claimed: 1, Relation: props.LE, Sense: props.Runs,
			Low: 0.1, High: 0.3,
			Level: 1e-6, Trials: 9, Violations: 8, Allowed: 0.05, Note: "noted"},
			"run: measured 2, but at most 1 is claimed; the bound is exceeded by a factor of 2. " +
				"8 of 9 runs violate it, " +
				"the claim allows a probability of 0.05; noted. Confidence limits of " +
				"the probability that a run violates it 0.1 and 0.3 at level 10⁻⁶."},
		{props.Evidence{What: "measured/claimed", Measured: 1e20, Claimed: 1e4, Relation: props.LE,
			Sense: props.Hidden, Ratio: 1e16, Low: no, High: no, Note: "largest ratio 1, 2"},
			"No constant C makes the measured side at most C times the claimed one: at the " +
				"farthest point the two are 10²⁰ " +
				"and 10000, a factor of 10¹⁶ apart, and " +
				"that keeps growing. Largest ratio 1, 2."},
		{props.Evidence{What: "the two agree", Measured: 0, Claimed: 1, Relation: props.EQ,
			Sense: props.Proposition, Low: no, High: no, Trials: 1},
			"the two agree: this is false."},
		{props.Evidence{What: "v against w", Measured: 3, Claimed: 0, Relation: props.EQ,
			Sense: props.Distance, Low: no,
			High: no, Trials: 1}, "v against w: they differ by 3, but equality is claimed."},
		{props.Evidence{What: "x", Measured: 3, Claimed: 1e-30, Relation: props.LE, Low: no,
			High: no, Trials: 1},
			"x: measured 3, but at most 10⁻³⁰ is claimed; the bound is exceeded by a factor of more than 10¹²."},
		{props.Evidence{What: "time", Measured: no, Claimed: 7, Relation: props.LE, Low: no,
			High: no, Trials: 1},
			"time: no finite value was reached, where at most 7 is claimed."},
	} {
		if got := (&Evidence{c.e}).Contradiction(); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}

func TestReadNamesFileAndLine(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"syntax": {"{\n\"schema\": \"sledge/report/v1\",\n!}", ":3: invalid character '!'"},
		"kind": {"{\n\"schema\": \"sledge/report/v1\",\n\"claims\": 5}",
			":3: claims is a number"},
		"other": {`{"schema": "sledge/report/v9"}`, `: schema is "sledge/report/v9"`},
		"none":  {`{"a": 1}`, ": not a report"},
		"empty": {"", ":1: unexpected end"},
		"verdict": {`{"schema": "sledge/report/v2", "claims": [{"id": "a", "verdict": "maybe"}]}`,
			`unknown verdict "maybe"`},
		"twice": {`{"schema": "sledge/report/v2", "claims": [{"id": "a"}, {"id": "a"}]}`,
			`claim "a" occurs twice`},
		"no id": {`{"schema": "sledge/report/v2", "claims": [{}]}`, "claims[0] has no id"},
		"curve": {
			`{"schema": "sledge/report/v2", "claims": [{"id": "a", "evidence": [{"curves": ` +
				`[{"x": [1, 2], "low": [1]}]}]}]}`, "2 abscissae and 1 ordinates"},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "report.json")
			if err := os.WriteFile(path, []byte(c.text), 0o666); err != nil {
				t.Fatal(err)
			}
			_, err := Read(filepath.Dir(path))
			if err == nil || !strings.HasPrefix(err.Error(), path) ||
				!strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %s", err, c.want)
			}
		})
	}
}

// small are reports of a few hundred bytes, for fuzzing: of larger ones the fuzzer spends its time on
// making them smaller, see -fuzzminimizetime.
var small = []string{
	`{"schema":"sledge/report/v2","run":{"seed":7,"tier":"quick","shard":"1/2"},"claims":[{"id":"a",` +
		`"part":"p","form":"printed","lines":"1-2","statement":"$x ≤ 1$","expected":"refuted",` +
		`"verdict":"refuted","evidence":[{"outcome":"refuted","what":"x","measured":2,"claimed":1,` +
		`"relation":"≤","infinite":{"ratio":1}}]}],"slices":[{"claim":"b","k":1,"of":2}]}`,
	`{"schema":"sledge/report/v2","claims":[{"id":"a","verdict":"refuted","evidence":[{"curves":` +
		`[{"x":[1,null]}],"chain":[{}]}]}]}`,
}

// Whatever parses can be rendered in every form.
func FuzzRender(f *testing.F) {
	for _, text := range small {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := parse(data)
		if err != nil {
			return
		}
		for _, file := range r.layOut(Pages{Single: true, Paths: true}) {
			if err := file.Write(new(bytes.Buffer)); err != nil &&
				!strings.Contains(err.Error(), "year outside of range") {
				t.Errorf("%s: %v", file.Name, err)
			}
		}
	})
}

// Whatever parses has a baseline, from which it does not differ.
func FuzzParse(f *testing.F) {
	for _, text := range small {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := parse(data)
		if err != nil {
			return
		}
		_ = r.Intact() // what does not hold is an error
		var short bytes.Buffer
		if err := r.WriteBaseline(&short); err != nil {
			return // a year outside of range
		}
		baseline, err := parse(short.Bytes())
		if err != nil {
			t.Fatalf("a baseline of a report is none: %v", err)
		}
		if d := Compare(r, baseline, 2); len(d.Verdicts)+len(d.Removed)+len(d.Added) > 0 {
			t.Errorf("a report differs from its baseline: %+v", d)
		}
	})
}

// Reports of the format before are read; their numbers get the names that they have now.
func TestEarlierFormatIsRead(t *testing.T) {
	r, err := parse([]byte(`{"schema": "sledge/report/v1", "claims": [{"id": "a", "verdict": "consistent", "evidence":
		[{"what": "measured/claimed", "sense": "hidden constant", "tightness": 24},
		{"what": "b", "tightness": 0.5}]}]}`))
	if err != nil {
		t.Fatal(err)
	}
	e := r.Claims[0].Evidence
	if r.Schema != reportSchema || e[0].Ratio != 24 || known(e[0].Tightness) ||
		e[1].Tightness != 0.5 ||
		known(e[1].Ratio) {
		t.Errorf("%+v", r)
	}
}

// Of a claim that is expected to be proved and is not, it is told why nothing settles it.
func TestWhyItIsNotSettled(t *testing.T) {
	r := fixture()
	c := r.Claim("variance")
	c.Verdict, c.Expect = props.Consistent, props.Proved
	c.Evidence[0].Unsettled = "no multiples do"
	if got := c.Differs(); got != "expected to be proved and not settled, no multiples do" {
		t.Error(got)
	}
	c.Expect = props.Supported
	if got := c.Differs(); got != "expected to be supported" {
		t.Error(got)
	}
}

// What differs inside a refuted claim is told everywhere.
func TestComparisonsThatDiffer(t *testing.T) {
	r := fixture()
	c := r.Claim("variance")
	c.Unexpected = []string{`"mean" of part 1 is consistent, expected to be refuted`}
	r.finish()
	if c.AsExpected() || !slices.Contains(r.Summary.Unexpected, "variance") ||
		c.Differs() != c.Unexpected[0] {
		t.Errorf("%+v", r.Summary)
	}
	for name, write := range map[string]func(io.Writer) error{"html": single(r),
		"markdown": r.WriteMarkdown,
		"junit":    r.WriteJUnit, "json": r.WriteJSON} {
		var b strings.Builder
		if err := write(&b); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(html.UnescapeString(b.String()),
			"of part 1 is consistent, expected to be refuted") {
			t.Errorf("%s does not tell", name)
		}
	}
	d := Compare(fixture(), r, 2)
	var b strings.Builder
	if err := d.WriteText(&b); err != nil {
		t.Fatal(err)
	}
	if d.Same() || !strings.Contains(b.String(), `inside     variance: "mean" of part 1`) {
		t.Errorf("%+v: %s", d, b.String())
	}
}
