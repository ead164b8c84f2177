package reports

import (
	"bytes"
	"fmt"
	"html"
	"net/url"
	"path"
	"strings"
	"testing"

	"sledge/props"
	"sledge/props/ledger"
)

// aText is a report on a text of three results: Theorem 2 stands and rests on Lemma 1, in whose
// proof a step is refuted and repaired; a remark about Theorem 3 has no repair, and its label
// stands for a claim of our own.
func aText() *Report {
	claim := func(id, theorem, label, lines string, tier int, v props.Verdict,
		uses ...string) props.Result {
		return props.Result{Verdict: v,
			Claim: props.Claim{ID: id, Theorem: theorem, Label: label, Lines: lines,
				Tier: tier,
				Part: "p", Statement: "$x_i ≤ √n$ of " + id, Uses: uses, Expect: v,
				Check: props.Exact("1", nil)}}
	}
	form := func(r props.Result, f props.Form, of string) props.Result {
		r.Claim.Form, r.Claim.Of = f, of
		return r
	}
	judged := func(r props.Result, h props.Harm, cause string) props.Result {
		r.Claim.Harm, r.Claim.Cause, r.Claim.Reason = h, cause, "Since it is so"
		return r
	}
	read := func(r props.Result, with string) props.Result { r.Claim.Reading = with; return r }
	r := New([]props.Result{
		claim("main", "Theorem 2", "theorem:main", "40-50", 1, props.Consistent, "lemma",
			"assumption:smooth"),
		read(claim("lemma", "Lemma 1", "lemma:one", "12, 60-70", 1, props.Supported, "step"),
			"i for j"),
		judged(claim("step", "Proof of Lemma 1", "lemma:one", "64", 2, props.Refuted),
			props.Step, "slip"),
		form(claim("step/corrected", "Proof of Lemma 1", "lemma:one", "64", 2, props.Proved),
			props.Corrected, "step"),
		judged(claim("last", "Theorem 3'", "theorem:last", "80-82", 1, props.Refuted, "main"),
			props.False, "drift"),
		form(claim("ours", "", "theorem:last", "", 3, props.Consistent), props.Extension, ""),
		form(claim("last/more", "", "", "", 3, props.Consistent), props.Extension, ""),
		claim("open", "Table 1, note", "", "90", 1, props.Inconclusive, "last"),
		claim(`"><script>alert(1)</script>`, "", "", "", 3, props.Consistent),
	}, Run{})
	r.Text = ledger.Text{Title: "On <things>", Authors: "A. Author", Source: "a journal"}
	r.Causes = []ledger.Cause{{Name: "drift", Title: "The drift x_i is forgotten"},
		{Name: "slip", Title: "A sign"}}
	return r
}

func TestSections(t *testing.T) {
	r := aText()
	var got []string
	for _, s := range r.Sections() {
		ids := []string{}
		for _, c := range s.Claims {
			ids = append(ids, c.ID)
		}
		got = append(got, s.Name+": "+strings.Join(ids, " "))
	}
	want := []string{"Theorem 2: main", "Lemma 1: lemma step step/corrected",
		"Theorem 3: last last/more ours", "Table 1: open",
		`p: "><script>alert(1)</script>`}
	if fmt.Sprintf("%q", got) != fmt.Sprintf("%q", want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	if !strings.Contains(string(written(t, r.WriteMarkdown)),
		"Of the 4 numbered results of the text") {
		t.Error("the summary in Markdown does not tell of the results")
	}
	for id, want := range map[string]string{"main": "as printed main", "lemma": "as read lemma",
		"step": "repaired step/corrected",
		"last": "fallen", "open": "open"} {
		fate, form := r.Fate(r.Claim(id))
		got := string(fate)
		if form != nil {
			got += " " + form.ID
		}
		if got != want {
			t.Errorf("%s: %s, want %s", id, got, want)
		}
	}
	const judgement = "Of the 4 numbered results of the text (theorems, lemmas, algorithms, tables, figures): 1 " +
		"stands as printed; 1 holds once a " +
		"plain slip is read as it was meant; 1 is in part not decided; 1 is refuted, and no " +
		"corrected form of it stands."
	if got := r.Judgement(); got != judgement {
		t.Errorf("got  %s\nwant %s", got, judgement)
	}
}

// What a result rests on is found through whatever it uses, with the way there.
func TestSupports(t *testing.T) {
	s := newSurvey(aText())
	told := func(id string) string {
		supports, total := s.rests(s.of[id])
		out := fmt.Sprint(total)
		for _, x := range supports {
			out += fmt.Sprintf("; %s (%d, %s, %d fallen)", x.Section.Name, len(x.Refuted), x.Harm,
				len(x.Fallen))
			for _, v := range x.Via {
				out += " < " + v.Name
			}
		}
		return out
	}
	for id, want := range map[string]string{
		"main":  "2; Lemma 1 (1, step, 0 fallen)",
		"lemma": "1; Lemma 1 (1, step, 0 fallen)",
		"open":  "4; Theorem 3 (1, false, 1 fallen); Lemma 1 (1, step, 0 fallen) < Theorem 3 < Theorem 2",
	} {
		if got := told(id); got != want {
			t.Errorf("%s rests on %s, want %s", id, got, want)
		}
	}
}

// Every link of every page leads to a page or a claim that is there, whatever claims are called,
// and no page asks for anything else.
func TestPages(t *testing.T) {
	for name, r := range map[string]*Report{"text": aText(), "fixture": fixture(),
		"large": large(60, 10),
		"empty": New(nil, Run{})} {
		ids, pages := map[string]map[string]bool{}, map[string]string{}
		for _, f := range r.layOut(Pages{Single: true}) {
			if !strings.HasSuffix(f.Name, ".html") {
				continue
			}
			var b bytes.Buffer
			if err := f.Write(&b); err != nil {
				t.Fatal(err)
			}
			page := b.String()
			file := path.Clean(strings.ReplaceAll(f.Name, `\`, "/"))
			pages[file], ids[file] = page, map[string]bool{}
			for _, m := range pageID.FindAllStringSubmatch(page, -1) {
				id := html.UnescapeString(m[1])
				if ids[file][id] {
					t.Errorf("%s: %s has the id %q twice", name, file, id)
				}
				ids[file][id] = true
			}
			for _, not := range []string{"NaN", "ZgotmplZ", "&lt;nil", "%!", "<script>alert"} {
				if strings.Contains(page, not) {
					t.Errorf("%s: %s says %q", name, file, not)
				}
			}
			if strings.Contains(strings.ReplaceAll(page, "http-equiv", ""), "http") {
				t.Errorf("%s: %s names a network address", name, file)
			}
		}
		for file, page := range pages {
			for _, m := range pageHref.FindAllStringSubmatch(page, -1) {
				to := html.UnescapeString(m[1])
				target, fragment, found := strings.Cut(to, "#")
				if target == "" {
					target = file
				} else {
					target = path.Join(path.Dir(file), target)
				}
				id, err := url.PathUnescape(fragment)
				if to != "data:," && (err != nil || ids[target] == nil ||
					found && !ids[target][id]) {
					t.Errorf("%s: a link of %s to %q leads nowhere", name, file, to)
				}
			}
		}
	}
	var front, result bytes.Buffer
	for _, f := range aText().layOut(Pages{}) {
		switch f.Name {
		case "index.html":
			f.Write(&front)
		case "results/lemma-1.html":
			f.Write(&result)
		}
	}
	for _, want := range []string{"<h1>On &lt;things&gt;</h1>", "A. Author. a journal.",
		">1 repaired</a></small>",
		`title="i for j">as it is meant</span>`, "without a repair that stands",
		"The drift x<sub>i</sub> is forgotten",
		"<i>x</i><sub><i>i</i></sub> ≤ √<span class=\"o\"><i>n</i></span>",
		"<dt>Survive</dt><dd>Theorem 2, Lemma 1; not Theorem 3, Table 1</dd>"} {
		if !strings.Contains(front.String(), want) {
			t.Errorf("the front page does not say %q", want)
		}
	}
	for _, want := range []string{`<a rel="prev" href="theorem-2.html">`, `href="../index.html"`,
		`href="#step%2Fcorrected"`, `href="theorem-2.html#main"`} {
		if !strings.Contains(result.String(), want) {
			t.Errorf("the page of the lemma does not say %q", want)
		}
	}
}

// Drawings say in words where their lines lead.
func TestSeen(t *testing.T) {
	curve := &props.Curve{Title: "Error", XLabel: "t", YLabel: "e", X: props.Series{1, 2, 4, 8},
		Claimed: props.Series{8, 8, 8, 8},
		Median:  props.Series{4, 2, 1, 0.5}}
	const words = "Error: e against t from 1 to 8; measured falls from 4 to 0.5; claimed goes from 8 to 8; claimed " +
		"is 2 to 16 times measured"
	small := string(sparkline(curve, boundKept))
	f, ok := drawCurve(curve)
	if !ok || !strings.Contains(string(f.SVG), `aria-label="`+words+`"`) || !strings.Contains(small,
		`<title>`+words+`</title>`) {
		t.Errorf("%s\n%s", f.SVG, small)
	}
	if err := wellFormed(small); err != nil {
		t.Error(err)
	}
	curve.Others = []props.Line{{Name: "a rival", Y: props.Series{3, 2, 1, 1}}}
	if f, _ := drawCurve(curve); !strings.Contains(string(f.SVG), "; a rival from 3 to 1;") {
		t.Errorf("%s", f.SVG)
	}
	if !strings.Contains(small, ">e, t 1 … 8</text>") || !strings.Contains(small, `class="bo"`) {
		t.Errorf("a small drawing has no axis or no bound: %s", small)
	}
	curve.Claimed[1] = 1
	if sparkline(curve, boundKept) != "" {
		t.Error("a curve that exceeds its bound is shown as bound against run")
	}
	if met := string(sparkline(curve, boundMet)); !strings.Contains(met, `class="bo"`) {
		t.Errorf("a bound that is met is not drawn: %s", met)
	}
	curve.Claimed = nil
	if sparkline(curve, boundMet) != "" {
		t.Error("what has no bound is drawn with one")
	}
	if alone := string(sparkline(curve, runAlone)); strings.Contains(alone, `class="bo"`) ||
		!strings.Contains(alone, `class="da"`) {
		t.Errorf("what is measured alone: %s", alone)
	}
	share := &props.Curve{Title: "Met", XLabel: "time", YLabel: props.ShareOfRuns,
		X: props.Series{1, 2, 4}, Claimed: props.Series{0.9, 0.9, 0.9}, Median: props.Series{0, 0.5, 1}}
	if sparkline(share, boundKept) == "" {
		t.Error("a share of runs that comes to what is claimed is not drawn")
	}
	c := Chart{Title: "Race", XLabel: "gradients", YLabel: "f",
		Lines: []Line{{Name: "A", X: []Num{1, 2}, Median: []Num{3,
			0.5}}}}
	if !strings.Contains(string(drawChart(&c)),
		`aria-label="Race: f against gradients; A from 3 to 0.5"`) {
		t.Error(drawChart(&c))
	}
}

func TestMainLine(t *testing.T) {
	for lines, want := range map[string]int{"157-158, 512-513, 463-491": 463, "112, 383, 424": 112,
		"12": 12} {
		if got := mainLine(lines); got != want {
			t.Errorf("%s: %d, want %d", lines, got, want)
		}
	}
	if mainLine("") != mainLine("-") {
		t.Error("places without lines differ")
	}
}

// The picture of a result is the curve that tells most: not runs that are over at once, nor the
// path of a test.
func TestTelling(t *testing.T) {
	times := func(half float64) *props.Curve {
		c := &props.Curve{XLabel: "time", YLabel: props.ShareOfRuns}
		for x := range 101 {
			share := 0.0
			if float64(x) >= half {
				share = 1
			}
			c.X, c.Median, c.Claimed = append(c.X, float64(x)), append(c.Median, share),
				append(c.Claimed, 0.9)
		}
		return c
	}
	both := &figure{Bound: "claimed", Data: "measured"}
	sweep := &props.Curve{XLabel: "n", YLabel: "gradients", X: []float64{1, 2},
		Median: []float64{1, 2}}
	for _, c := range []struct {
		what        string
		more, fewer float64
	}{
		{"a third of the horizon, and at once", telling(times(34), both), telling(times(0), both)},
		{"a third of the horizon, and never", telling(times(34), both), telling(times(1e9), both)},
		{"a third of the horizon, and some bound", telling(times(34), both), telling(sweep, both)},
		{"half of the horizon, and rivals", telling(times(50), both),
			telling(sweep, &figure{Bound: "claimed", Others: true})},
		{"some bound, and at once", telling(sweep, both), telling(times(2), both)},
		{"rivals, and some bound", telling(sweep, &figure{Bound: "claimed", Others: true}),
			telling(sweep, both)},
		{"a bound, and none", telling(sweep, both), telling(sweep, &figure{Data: "measured"})},
		{"anything, and the path of a test", telling(times(0), both),
			telling(&props.Curve{YLabel: eValue}, both)},
		{"shares against a parameter, and rivals",
			telling(&props.Curve{XLabel: "d", YLabel: props.ShareOfRuns}, both),
			telling(sweep, &figure{Bound: "claimed", Others: true})},
	} {
		if c.more <= c.fewer {
			t.Errorf("%s: %v, %v", c.what, c.more, c.fewer)
		}
	}
}

// A statement that is not decided says in how many trials what was tried held; one that is decided
// says nothing of it.
func TestLeaning(t *testing.T) {
	e := judged(props.Evidence{What: "rounds of A against B", Trials: 8, Violations: 3},
		props.Inconclusive)
	got := &Claim{Verdict: props.Inconclusive, Evidence: []Evidence{e}}
	if l := got.Leaning(); len(l) != 1 || l[0] != "Held in 5 of 8 trials: rounds of A against B." {
		t.Error(l)
	}
	if got.Verdict = props.Supported; got.Leaning() != nil {
		t.Error(got.Leaning())
	}
}
