package reports

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"html"
	"io"
	"math"
	"math/rand/v2"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/plot"

	"sledge/props"
)

func written(t testing.TB, write func(io.Writer) error) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := write(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func single(r *Report) func(io.Writer) error {
	return func(w io.Writer) error { return r.WriteHTML(w, Pages{}) }
}

func TestMarkdown(t *testing.T) {
	golden(t, "report.md", written(t, fixture().WriteMarkdown))
}

func TestJUnit(t *testing.T) {
	r := fixture()
	text := written(t, r.WriteJUnit)
	golden(t, "junit.xml", text)
	var back junitSuites
	if err := xml.Unmarshal(text, &back); err != nil {
		t.Fatal(err)
	}
	if back.Tests != len(r.Claims) || back.Failures != 2 || back.Errors != 1 {
		t.Errorf("%d tests, %d failures, %d errors", back.Tests, back.Failures, back.Errors)
	}
	for _, s := range back.Suites {
		failures, errors := 0, 0
		for _, k := range s.Cases {
			c := r.Claim(k.Name)
			if (k.Failure != nil || k.Error != nil) == c.AsExpected() {
				t.Errorf("%s is reported wrongly", k.Name)
			}
			if k.Failure != nil {
				failures++
			}
			if k.Error != nil {
				errors++
			}
		}
		if s.Name != r.Claim(s.Cases[0].Name).Part || s.Tests != len(s.Cases) ||
			s.Failures != failures ||
			s.Errors != errors {
			t.Errorf("suite %q counts %d tests, %d failures, %d errors", s.Name, s.Tests,
				s.Failures, s.Errors)
		}
	}
	for _, b := range text {
		if b < ' ' && b != '\n' && b != '\t' && b != '\r' {
			t.Fatalf("byte %#x in XML", b)
		}
	}
}

var (
	pageID   = regexp.MustCompile(` id="([^"]*)"`)
	pageHref = regexp.MustCompile(` (?:href|src|action)="([^"]*)"`)
	pageSVG  = regexp.MustCompile(`(?s)<svg .*?</svg>`)
)

func TestHTML(t *testing.T) {
	r := fixture()
	page := string(written(t, single(r)))
	ids := map[string]bool{}
	for _, m := range pageID.FindAllStringSubmatch(page, -1) {
		id := html.UnescapeString(m[1])
		if ids[id] {
			t.Errorf("id %q occurs twice", id)
		}
		ids[id] = true
	}
	for _, c := range r.Claims {
		if !ids[c.ID] {
			t.Errorf("claim %s has no section", c.ID)
		}
	}
	for _, m := range pageHref.FindAllStringSubmatch(page, -1) {
		to := html.UnescapeString(m[1])
		fragment, inside := strings.CutPrefix(to, "#")
		if name, err := url.PathUnescape(fragment); to != "data:," &&
			(!inside || err != nil || !ids[name]) {
			t.Errorf("link to %q leads outside the page or nowhere", to)
		}
	}
	if strings.Contains(strings.ReplaceAll(page, "http-equiv", ""), "http") {
		t.Error("the page names a network address")
	}
	for _, want := range []string{
		"3 claims are not as expected.",
		"measured 1.000001, but at most 1 is claimed; the bound is exceeded by 0.00012",
		`with <math><mn>2</mn><msup><mi>ζ</mi><mn>2</mn></msup><mo lspace="0" ` +
			`rspace="0">/</mo><mi>b</mi></math> in place of <math>`,
		"for *all* <math><msub><mi>t</mi><mn>1</mn></msub><mo>&lt;</mo><mi>b</mi><mo>&gt;</mo></math>",
		"Of 8 printed statements, 2 are refuted; 1 of them has a corrected form that stands.",
		"<code>verify replay v1:token:AbC-_9</code>",
		"<code>verify replay v2:simple:AA</code>",
		"<dt>violation</dt><dd>1</dd>",
		"<dt>ratio up to a constant</dt><dd>24</dd>",
		"<dt>share of violating instances excluded</dt><dd>above 0.0154</dd>",
		"supported, loose",
		"<dt>regime</dt><dd>n &gt; 1; not met: b &lt; n; steps with an error: 40 %, at least 10 % asked</dd>",
		"3 claims, with the verdicts of their own checks",
		"through horizon",
		"Refuted, but not printed",
		"<td>other</td>",
		"×26.67",
		"local slopes",
		"Zeros are drawn at the lower edge",
		"verify replay v1:token:AbC-_9",
		r.Run.Digest,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	for _, not := range []string{"NaN", "ZgotmplZ", "&lt;nil", "%!"} {
		if strings.Contains(page, not) {
			t.Errorf("the page says %q", not)
		}
	}
	svgs := pageSVG.FindAllString(page, -1)
	if len(svgs) != 5 {
		// two sweeps, a law with its slopes; one of them at the head of its result as well
		t.Errorf("%d plots", len(svgs))
	}
	for _, s := range svgs {
		if err := wellFormed(s); err != nil {
			t.Error(err)
		}
		if strings.Contains(s, "#0102") || len(s) > 20e3 {
			t.Errorf("a plot has %d bytes or a colour of its own:\n%s", len(s), s)
		}
	}
}

func wellFormed(s string) error {
	for d := xml.NewDecoder(strings.NewReader(s)); ; {
		if _, err := d.Token(); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
	}
}

// Curves of any shape are drawn or left out, never a panic, never NaN in the drawing.
func TestCurvesOfAnyShape(t *testing.T) {
	values := []float64{0, 1, -1, 1e-300, 1e300, -1e300, 5e-324, math.MaxFloat64, math.NaN(),
		math.Inf(1), 3, 1e-9, 7e5}
	drawn, seeds := 0, 400
	if testing.Short() {
		seeds = 80
	}
	for seed := range uint64(seeds) {
		rnd := rand.New(rand.NewPCG(seed, 2))
		n := rnd.IntN(100)
		pool := values[:1+rnd.IntN(len(values))]
		line := func(ordered bool) props.Series {
			out := make(props.Series, n)
			scale := math.Pow(10, float64(rnd.IntN(40)-20))
			for i := range out {
				switch {
				case ordered && seed%2 == 0:
					out[i] = scale * math.Pow(1.7, float64(i))
				case ordered:
					out[i] = float64(i)
				case rnd.IntN(2) == 0:
					out[i] = pool[rnd.IntN(len(pool))]
				default:
					out[i] = scale * rnd.ExpFloat64()
				}
			}
			return out
		}
		c := &props.Curve{Title: "a <title> & more", XLabel: "x", YLabel: "y", X: line(seed%5 != 0),
			Median: line(false)}
		if seed%3 > 0 {
			c.Claimed = line(false)
		}
		if seed%4 > 1 {
			c.Low, c.High = line(false), line(false)
		}
		for k := range seed % 4 {
			c.Others = append(c.Others, props.Line{Name: fmt.Sprint("line ", k, " <&>"),
				Y: line(false)})
		}
		for _, draw := range []func(*props.Curve) (figure, bool){drawCurve, drawSlopes} {
			f, ok := draw(c)
			if !ok {
				continue
			}
			drawn++
			s := string(f.SVG)
			if err := wellFormed(s); err != nil || strings.Contains(s, "NaN") ||
				strings.Contains(s, "Inf") {
				t.Fatalf("seed %d: %v\n%s", seed, err, s)
			}
		}
	}
	if drawn < seeds*3/4 {
		t.Errorf("only %d plots were drawn", drawn)
	}
}

func TestThinKeepsEndsAndWorst(t *testing.T) {
	n := 5000
	x, median, claimed := make([]float64, n), make(series, n), make(series, n)
	for i := range x {
		x[i], median[i], claimed[i] = float64(i+1), 1, 2
	}
	median[1234] = 1.9
	for _, logX := range []bool{false, true} {
		keep := thin(x, claimed, median, logX)
		if len(keep) > maxPoints || keep[0] != 0 || keep[len(keep)-1] != n-1 ||
			!slices.Contains(keep, 1234) {
			t.Errorf("kept %v", keep)
		}
	}
}

func TestTicks(t *testing.T) {
	for _, c := range []struct{ lo, hi float64 }{{1e-12, 3}, {0.5, 7}, {0.02, 40}, {1e-300, 1e300}, {3, 30},
		{99, 101000}, {0.117, 0.45}} {
		labels := 0
		for _, k := range logTicks(c.lo, c.hi) {
			if k.Value < c.lo*(1-1e-6) || k.Value > c.hi*(1+1e-6) {
				t.Errorf("tick %v outside [%v, %v]", k.Value, c.lo, c.hi)
			}
			if k.Label != "" {
				labels++
			}
		}
		if labels < 2 || labels > 8 {
			t.Errorf("%d labels on [%v, %v]", labels, c.lo, c.hi)
		}
	}
	for _, c := range []struct{ lo, hi float64 }{{0, 199}, {-1, 1}, {-0.1, 1}, {1e-9, 3e-9}, {0, 1e300},
		{1e6, 1e6 + 1}} {
		seen := map[string]bool{}
		for _, k := range linearTicks(c.lo, c.hi) {
			if seen[k.Label] && c.hi-c.lo > 1e-4*c.hi {
				t.Errorf("label %q twice on [%v, %v]", k.Label, c.lo, c.hi)
			}
			if seen[k.Label] = true; k.Label == "−0" || k.Label == "-0" {
				t.Errorf("label %q on [%v, %v]", k.Label, c.lo, c.hi)
			}
		}
		if n := len(linearTicks(c.lo, c.hi)); n < 3 || n > 10 {
			t.Errorf("%d ticks on [%v, %v]", n, c.lo, c.hi)
		}
	}
}

// No two labels of an axis are equal, and there are at least two, on ranges of any place and width
// that is drawn.
func TestTickLabelsDiffer(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 1))
	for range 5000 {
		lo := math.Pow(10, 16*rnd.Float64()-8)
		hi := lo * (1 + math.Pow(10, 14*rnd.Float64()-7))
		if hi-lo <= flatBand*hi {
			lo, hi = lo-lo/10, hi+hi/10 // as setAxis widens it
		}
		for name, ticks := range map[string][]plot.Tick{"linear": linearTicks(lo, hi),
			"negative":    linearTicks(-hi, -lo),
			"logarithmic": logTicks(lo, hi)} {
			seen := map[string]bool{}
			for _, k := range ticks {
				if k.Label != "" && seen[k.Label] {
					t.Fatalf("label %s twice on the %s axis from %v to %v", k.Label, name, lo, hi)
				}
				seen[k.Label] = true
			}
			delete(seen, "")
			if len(seen) < 2 {
				t.Fatalf("labels %v on the %s axis from %v to %v", seen, name, lo, hi)
			}
		}
	}
}

func TestWaterfall(t *testing.T) {
	bars := waterfall([]props.Link{{Name: "a", Value: 1}, {Name: "b", Value: 100},
		{Name: "c", Value: 10},
		{Name: "zero", Value: 0}, {Name: "d", Value: 1e4}})
	var got []string
	for _, b := range bars {
		got = append(got, fmt.Sprintf("%s %.0f+%.0f ×%s %v", b.Name, b.Left, b.Width,
			b.Factor, b.Down))
	}
	want := []string{"a 0+0 ×– false", "b 0+50 ×100 false", "c 25+25 ×0.1 true",
		"zero 0+0 ×– false", "d 25+75 ×1000 false"}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	for _, same := range [][]props.Link{{{Name: "a", Value: 2}, {Name: "b", Value: 2}},
		{{Name: "a", Value: 0}},
		{{Name: "a", Value: -1}, {Name: "b", Value: Num(math.NaN())}}} {
		for _, b := range waterfall(same) {
			if b.Width != 0 || b.Left != 0 {
				t.Errorf("%v gives %+v", same, b)
			}
		}
	}
}

// large is a report of the size that the paper needs.
func large(claims, plots int) *Report {
	rnd := rand.New(rand.NewPCG(1, 1))
	var results []props.Result
	for i := range claims {
		c := props.Claim{ID: fmt.Sprintf("claim-%d", i), Part: fmt.Sprintf("part %d", i/25),
			Lines: fmt.Sprint(100 + i), Expect: props.Consistent,
			Statement: strings.Repeat("‖v^t − ∇f(x^t)‖² ≤ C₁⁸ζ²/b ",
				6), Notes: strings.Repeat("Some words about the matter. ",
				8)}
		if i > 3 {
			c.Uses = []string{fmt.Sprintf("claim-%d", i-1), fmt.Sprintf("claim-%d", i/2)}
		}
		r := props.Result{Claim: c, Verdict: props.Consistent}
		if i%6 == 0 {
			r.Verdict = props.Refuted
		}
		for j := range 4 {
			e := props.Evidence{What: fmt.Sprint("comparison ", j), Measured: rnd.Float64(),
				Claimed: 1, Relation: props.LE,
				Trials: 500,
				Where:  strings.Repeat("n = 12, ", 10),
				Replay: "v1:claim:" + strings.Repeat("AbCd0123", 20)}
			if j == 0 && i < plots {
				v := props.Curve{Title: "error", XLabel: "t", YLabel: "err"}
				for k := range 300 {
					y := math.Exp(rnd.NormFloat64() - float64(k)/50)
					v.X, v.Claimed = append(v.X, float64(k)),
						append(v.Claimed, 30*math.Exp(-float64(k)/60))
					v.Low, v.Median, v.High = append(v.Low, y/3), append(v.Median, y),
						append(v.High, 2*y)
				}
				e.Curves = []props.Curve{v}
			}
			r.Evidence = append(r.Evidence, e)
		}
		results = append(results, r)
	}
	return New(results, Run{Tier: "quick", Alpha: 1e-3, Started: time.Unix(0, 0)})
}

func TestLargeReportStaysSmall(t *testing.T) {
	pages := 300
	if testing.Short() {
		pages = 60
	}
	if n := len(written(t, single(large(pages, 150)))); n > 8e6*pages/300 {
		t.Errorf("the page has %d bytes", n)
	}
}

func BenchmarkHTML(b *testing.B) {
	r := large(300, 150)
	for b.Loop() {
		b.ReportMetric(float64(len(written(b, single(r)))), "bytes")
	}
}

func TestCompact(t *testing.T) {
	const in = `<svg aria-label="M1,1L1,2">
<path d="M1,2L1,3" style="a" />
<path d="M1,2L4,2" style="a" />
<path d="M1,2L4,2L5,6" style="b" />
<text style="b">x</text>
<path d="M1,2L4,3" style="b" />
<path d="M37.8,140.3A2.2,2.2 0 1 1 33.4,140.3A2.2,2.2 0 1 1 37.8,140.3Z" style="fill:c" />
</svg>`
	const want = `<svg aria-label="M1,1L1,2">
<path d="M1,2V3M1,2H4" style="a" />
<path d="M1,2L4,2L5,6" style="b" />
<text style="b">x</text>
<path d="M1,2L4,3" style="b" />
<path d="M35.6,140.3h0" style="fill:none;stroke:c;stroke-width:4.4;stroke-linecap:round" />
</svg>`
	if got := compact(in); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
