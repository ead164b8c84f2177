package sledge_test

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"sledge"
	"sledge/props"
	"sledge/props/certificate"
	"sledge/props/ledger"
	"sledge/reports"
	"sledge/reports/store"
	"sledge/reports/verify"
)

// forgeries change one thing in evidence, as a forger would who then makes digest and summary fit, and
// report whether there is such a thing. None of them is a number that runs or a search alone know.
var forgeries = map[string]func(*reports.Claim, *reports.Evidence) bool{
	"an error beside a verdict": func(c *reports.Claim, _ *reports.Evidence) bool {
		c.Error = "the disk is full"
		return true
	},
	"a control is told otherwise": func(_ *reports.Claim, e *reports.Evidence) bool {
		if e.Control == nil {
			return false
		}
		e.Control.Factor *= 2
		return true
	},
	"a control of more pairs than there are": func(_ *reports.Claim, e *reports.Evidence) bool {
		if e.Control == nil {
			return false
		}
		e.Control.Changed = e.Control.Pairs + 1
		return true
	},
	"loose and not said": func(c *reports.Claim, _ *reports.Evidence) bool {
		c.Loose = !c.Loose
		return true
	},
	"room for fewer instances": func(c *reports.Claim, _ *reports.Evidence) bool {
		if c.Excluded == 0 {
			return false
		}
		c.Excluded /= 10
		return true
	},
	"something unexpected": func(c *reports.Claim, _ *reports.Evidence) bool {
		c.Unexpected = append(slices.Clone(c.Unexpected), "the verdict")
		return true
	},
	"a negative time":          func(c *reports.Claim, _ *reports.Evidence) bool { c.Seconds = -1; return true },
	"evidence twice":           func(c *reports.Claim, e *reports.Evidence) bool { return again(c, e, 1) },
	"evidence is left out":     func(c *reports.Claim, e *reports.Evidence) bool { return again(c, e, -1) },
	"evidence in other order":  func(c *reports.Claim, _ *reports.Evidence) bool { return turned(c) },
	"a token is left out":      func(_ *reports.Claim, e *reports.Evidence) bool { return emptied(&e.Replay) },
	"another instance":         func(_ *reports.Claim, e *reports.Evidence) bool { e.Where += "0"; return true },
	"another name":             func(_ *reports.Claim, e *reports.Evidence) bool { e.What += "²"; return true },
	"another level":            func(_ *reports.Claim, e *reports.Evidence) bool { return scaled(&e.Level, 10) },
	"another allowed rate":     func(_ *reports.Claim, e *reports.Evidence) bool { return scaled(&e.Allowed, 2) },
	"a share of more than one": func(_ *reports.Claim, e *reports.Evidence) bool { e.Excluded = 1.5; return true },
	"a negative share":         func(_ *reports.Claim, e *reports.Evidence) bool { e.Excluded = -0.1; return true },
	"allowed without runs": func(_ *reports.Claim, e *reports.Evidence) bool {
		e.Allowed = 0.5
		return e.Sense != props.Runs
	},
	"a ratio without an order": func(_ *reports.Claim, e *reports.Evidence) bool {
		e.Ratio = 2
		return e.Sense != props.Hidden
	},
	"the ratio of an order": func(_ *reports.Claim, e *reports.Evidence) bool { return scaled(&e.Ratio, 0.5) },
	"a side of an order": func(_ *reports.Claim, e *reports.Evidence) bool {
		return e.Sense == props.Hidden && scaled(&e.Claimed, 2)
	},
	"the constant of an order": func(_ *reports.Claim, e *reports.Evidence) bool {
		return e.Sense == props.Hidden && scaled(&e.Constant, 0.5)
	},
	"the curve of an order": func(_ *reports.Claim, e *reports.Evidence) bool {
		if e.Sense != props.Hidden || len(e.Curves) == 0 {
			return false
		}
		m := e.Curves[0].Median
		e.Curves[0].Median = append(slices.Clone(m[:len(m)-1]), m[len(m)-1]*100)
		return true
	},
	"a constant below what its instance needs": func(_ *reports.Claim, e *reports.Evidence) bool {
		return e.Power.Of == props.Excess && e.Relation == props.LE && e.Tightness > 0 &&
			scaled(&e.Constant, 0.5)
	},
	"a negative constant": func(_ *reports.Claim, e *reports.Evidence) bool {
		return e.Relation == props.LE && e.Constant > 0 && scaled(&e.Constant, -1)
	},
	"more violations than trials": func(_ *reports.Claim, e *reports.Evidence) bool {
		e.Violations = e.Trials + 1
		return true
	},
	"fewer violations of runs": func(_ *reports.Claim, e *reports.Evidence) bool {
		e.Violations--
		return e.EValues != nil && e.Sense == props.Runs && e.Violations >= 0
	},
	"more runs": func(_ *reports.Claim, e *reports.Evidence) bool {
		e.Trials *= 2
		return e.EValues != nil && e.Sense == props.Runs
	},
	"negative trials": func(_ *reports.Claim, e *reports.Evidence) bool { e.Trials = -1; return true },
	"negative instances": func(_ *reports.Claim, e *reports.Evidence) bool {
		e.Instances = -1
		return true
	},
	"limits of runs": func(_ *reports.Claim, e *reports.Evidence) bool {
		return e.Sense == props.Runs && e.EValues != nil && scaled(&e.High, 0.5)
	},
	"lower limits of runs": func(_ *reports.Claim, e *reports.Evidence) bool {
		e.Low += 0.01
		return e.Sense == props.Runs && e.EValues != nil
	},
	"limits are exchanged": func(_ *reports.Claim, e *reports.Evidence) bool {
		e.Low, e.High = e.High, e.Low
		return e.Low > e.High
	},
	"limits of a search": func(_ *reports.Claim, e *reports.Evidence) bool {
		e.Low, e.High = 0, 1
		return e.Power.Of == props.Excess
	},
	"an e-value for": func(_ *reports.Claim, e *reports.Evidence) bool {
		if e.EValues == nil || e.Sense != props.Runs || !e.EValues.For.Known() {
			return false
		}
		e.EValues.For += 3
		return true
	},
	"an e-value against": func(_ *reports.Claim, e *reports.Evidence) bool {
		if e.EValues == nil || e.Sense != props.Runs || !e.EValues.Against.Known() {
			return false
		}
		e.EValues.Against -= 3
		return true
	},
	"e-values that do not decide": func(_ *reports.Claim, e *reports.Evidence) bool {
		if e.EValues == nil || e.Outcome() != props.Supported {
			return false
		}
		e.EValues.For = 1
		return true
	},
	"e-values are left out": func(_ *reports.Claim, e *reports.Evidence) bool {
		had := e.EValues != nil && e.Sense == props.Runs && e.Outcome() != props.Vacuous
		e.EValues = nil
		return had
	},
	"e-values of a search": func(_ *reports.Claim, e *reports.Evidence) bool {
		e.EValues = &props.EValues{Against: -3, For: 9, Tested: 3}
		return e.Power.Of == props.Excess
	},
	"more tests than a tier has": func(_ *reports.Claim, e *reports.Evidence) bool {
		if e.EValues == nil {
			return false
		}
		e.EValues.Tested = 1000
		return true
	},
	"runs support what they do not": func(c *reports.Claim, e *reports.Evidence) bool {
		random := e.EValues != nil || e.Power.Of == props.SlopeValue
		return random && e.Outcome() != props.Supported && e.Outcome() != props.Proved &&
			outcome(c, e, props.Supported)
	},
	"runs refute what they do not": func(c *reports.Claim, e *reports.Evidence) bool {
		return e.EValues != nil && e.Sense == props.Runs && e.Outcome() == props.Supported &&
			outcome(c, e, props.Refuted)
	},
	"an outcome is lowered": func(c *reports.Claim, e *reports.Evidence) bool {
		return e.Certificate != nil && outcome(c, e, props.Inconclusive)
	},
	"a side of a mean": func(_ *reports.Claim, e *reports.Evidence) bool {
		return e.EValues != nil && e.Sense == props.Plain && scaled(&e.Claimed, 2)
	},
	"the tightness of a mean": func(_ *reports.Claim, e *reports.Evidence) bool {
		return e.EValues != nil && e.Sense == props.Plain && e.Relation != props.Near &&
			scaled(&e.Tightness, 0.5)
	},
	"a claimed time": func(_ *reports.Claim, e *reports.Evidence) bool {
		return e.Quantiles != nil && scaled(&e.Claimed, 2)
	},
	"a claimed slope": func(_ *reports.Claim, e *reports.Evidence) bool {
		e.Claimed = 0.5
		return e.Power.Of == props.SlopeValue
	},
	"a slope beyond its margin": func(_ *reports.Claim, e *reports.Evidence) bool {
		e.High += 1
		return e.Power.Of == props.SlopeValue && e.Outcome() == props.Supported
	},
	"another relation": func(_ *reports.Claim, e *reports.Evidence) bool {
		if e.Relation == props.GE {
			e.Relation = props.LE
		} else {
			e.Relation = props.GE
		}
		return true
	},
	"no sense at all": func(_ *reports.Claim, e *reports.Evidence) bool {
		e.Sense = "nothing"
		return true
	},
	"a distance": func(_ *reports.Claim, e *reports.Evidence) bool {
		was := e.Sense
		e.Sense = props.Distance
		return was != e.Sense && e.Claimed != 0
	},
	"another sense": func(_ *reports.Claim, e *reports.Evidence) bool {
		was := e.Sense
		e.Sense = props.Proposition
		return was != e.Sense
	},
	"certified and is not": func(_ *reports.Claim, e *reports.Evidence) bool {
		was := e.Certified
		e.Certified = true
		return !was
	},
	"not certified and is": func(_ *reports.Claim, e *reports.Evidence) bool {
		was := e.Certified
		e.Certified = false
		return was && e.Outcome() == props.Proved
	},
	"a condition is met": func(_ *reports.Claim, e *reports.Evidence) bool {
		if len(e.Regime) == 0 {
			return false
		}
		e.Regime = slices.Clone(e.Regime)
		e.Regime[0].Met = !e.Regime[0].Met
		return true
	},
	"a condition in other words": func(_ *reports.Claim, e *reports.Evidence) bool {
		if len(e.Regime) == 0 {
			return false
		}
		e.Regime = slices.Clone(e.Regime)
		e.Regime[0].What += " or not"
		return true
	},
	"conditions are left out": func(_ *reports.Claim, e *reports.Evidence) bool {
		had := len(e.Regime) > 0
		e.Regime = nil
		return had
	},
	"conditions of a search": func(_ *reports.Claim, e *reports.Evidence) bool {
		e.Regime = []props.Condition{{What: "n ≥ 2", Met: true}}
		return e.Power.Of == props.Excess
	},
	"another matter": func(_ *reports.Claim, e *reports.Evidence) bool {
		had := e.Content.Matter != ""
		e.Content.Matter += " at all"
		return had
	},
	"less content than is asked for": func(_ *reports.Claim, e *reports.Evidence) bool {
		e.Content.Share = e.Content.Least / 2
		return e.Content.Least > 0 && e.Outcome() != props.Refuted
	},
	"less content is asked for": func(_ *reports.Claim, e *reports.Evidence) bool {
		had := e.Content.Least > 0
		e.Content.Least /= 2
		return had
	},
	"another reason why it is not settled": func(_ *reports.Claim, e *reports.Evidence) bool {
		e.Unsettled += "nobody has tried"
		return e.Outcome() != props.Refuted
	},
	"it was tried with another end": func(_ *reports.Claim, e *reports.Evidence) bool {
		e.Tried = props.Refuted
		return true
	},
	"the scope of a proof": func(_ *reports.Claim, e *reports.Evidence) bool {
		e.Scope = certificate.All
		return e.Outcome() != props.Proved
	},
	"words of earlier programs": func(_ *reports.Claim, e *reports.Evidence) bool {
		e.SaidPower = "any violation would have been noticed"
		return true
	},
	"a search notices otherwise": func(_ *reports.Claim, e *reports.Evidence) bool {
		e.Power.Probability = 0.5
		return e.Power.Of == props.Excess
	},
	"another domain of an enumeration": func(_ *reports.Claim, e *reports.Evidence) bool {
		e.Where = "all sizes"
		return e.Certificate != nil && e.Certificate.Kind == certificate.Enumeration
	},
	"fewer comparisons than were enumerated": func(_ *reports.Claim, e *reports.Evidence) bool {
		e.Trials--
		return e.Certificate != nil && e.Certificate.Kind == certificate.Enumeration &&
			e.Violations <= e.Trials && e.Power == props.Power{}
	},
	"the certificate of an enumeration is left out": func(c *reports.Claim, _ *reports.Evidence) bool {
		had := false
		for k := range c.Evidence {
			e := &c.Evidence[k]
			had = had || e.Certificate != nil && e.Certificate.Kind == certificate.Enumeration
			e.Certificate = nil
		}
		return had
	},
	"an example of what holds": func(_ *reports.Claim, e *reports.Evidence) bool {
		e.Simplest = &props.Example{Measured: 2, Claimed: 1, Where: "n = 1", Replay: e.Replay}
		return e.Outcome() != props.Refuted && e.Power.Of == props.Excess
	},
	"a chain of another run": func(_ *reports.Claim, e *reports.Evidence) bool {
		e.Chain = []props.Link{{Name: "f(x)", Value: 1}}
		return e.Power.Of == props.Excess
	},
}

// again makes a piece of evidence one more, or one less if others of the same part are left that
// compare the same.
func again(c *reports.Claim, e *reports.Evidence, by int) bool {
	k := slices.IndexFunc(c.Evidence, func(o reports.Evidence) bool {
		return o.What == e.What && o.Replay == e.Replay && o.Part == e.Part
	})
	if by > 0 {
		c.Evidence = slices.Insert(slices.Clone(c.Evidence), k, c.Evidence[k])
		return true
	}
	if e.EValues != nil || e.Power.Of == props.SlopeValue {
		return false // how many instances were tested is for the run to know
	}
	c.Evidence = slices.Delete(slices.Clone(c.Evidence), k, k+1)
	return len(c.Evidence) > 0
}

// turned has the parts of a check in the opposite order.
func turned(c *reports.Claim) bool {
	c.Evidence = slices.Clone(c.Evidence)
	slices.Reverse(c.Evidence)
	return len(c.Evidence) > 1 && c.Evidence[0].Part != c.Evidence[len(c.Evidence)-1].Part
}

func emptied(s *string) bool {
	had := *s != ""
	*s = ""
	return had
}

func scaled(x *float64, by float64) bool {
	if *x == 0 || math.IsNaN(*x) || math.IsInf(*x, 0) {
		return false
	}
	*x *= by
	return true
}

// outcome gives evidence another outcome, and the claim the verdict that follows.
func outcome(c *reports.Claim, e *reports.Evidence, to props.Verdict) bool {
	b, _ := json.Marshal(e.Evidence)
	was := e.Outcome()
	b = bytes.Replace(b, []byte(`"outcome":"`+was.String()+`"`), []byte(`"outcome":"`+to.String()+`"`), 1)
	if json.Unmarshal(b, &e.Evidence) != nil {
		return false
	}
	for _, v := range reports.Verdicts {
		if props.Follows(v, c.Found()) {
			c.Verdict = v
		}
	}
	return true
}

// forgeable are claims with evidence of every kind, of which none takes long.
var forgeable = []string{"measured/escape-ssrgd", "measured/escape-control", "measured/table1-ssrgd-sosp",
	"measured/table1-sledge-1-sosp-coarse", "dist-lemma-d-bernstein/corrected",
	"sledge-minibatch-law/sampler", "measured/estimator-sledge", "second-extra-term-vs-ssrgd/corrected",
	"dsecond-d-second-term", "escape-exclusion", "dsecond-aux-b", "strong-convexity-implies-pl",
	"dpl-remark-final/option-one", "dist-variance-lemma/bracket",
	"estimator-error-identity/three-terms", "experiment-fig4-estimator-discrepancy",
	"dist-sum-with-variance", "first-main-reaches-target", "dpl-rounds/corrected",
	"experiment-fig2-partition", "phase-path-length"}

// TestForgedFields has every field changed of which the program can know better, each in evidence
// that is drawn, and digest and summary made to fit.
func TestForgedFields(t *testing.T) {
	app, whole := forgeryOf(t)
	dir := t.TempDir()
	check := func(args ...string) (int, string) {
		var out, errs bytes.Buffer
		status := verify.Main(context.Background(), app, append([]string{"check"}, args...), &out, &errs)
		return status, errs.String()
	}
	write := func(t *testing.T, path string, r *reports.Report) {
		t.Helper()
		if err := store.Write(path, r.WriteJSON); err != nil {
			t.Fatal(err)
		}
	}
	refused := func(t *testing.T, path, what, named string) {
		t.Helper()
		if status, said := check(path); status != verify.Usage ||
			!strings.HasPrefix(said, "verify: "+named) || strings.Count(said, "\n") != 1 {
			t.Errorf("%s: status %d, %q", what, status, said)
		}
	}
	path := filepath.Join(dir, "report.json")
	write(t, path, whole())
	if status, said := check(path); status != verify.OK {
		t.Fatalf("the true report is refused: %s", said)
	}
	if status, said := check("-again", "1000", "-repeat", path); status != verify.OK {
		t.Errorf("the true report does not come out again: %s", said)
	}
	var tried atomic.Int64
	claims := whole().Claims
	t.Run("evidence", func(t *testing.T) {
		for what, forge := range forgeries {
			t.Run(what, func(t *testing.T) {
				t.Parallel()
				path := filepath.Join(t.TempDir(), "report.json")
				for _, i := range rand.Perm(len(claims)) {
					c, ok := forged(t, &claims[i], forge)
					if !ok {
						continue
					}
					r := whole()
					r.Claims[i] = c
					r.Include(nil)
					write(t, path, r)
					refused(t, path, what+" of "+c.ID, c.ID+": ")
					tried.Add(1)
					return
				}
				t.Error("there is no evidence to forge")
			})
		}
	})
	for what, forge := range map[string]func(e *reports.Evidence) bool{ // what runs and searches know
		"a note": func(e *reports.Evidence) bool { e.Note += "; of no account"; return true },
		"instances of a search": func(e *reports.Evidence) bool {
			e.Instances++
			return e.Power.Of == props.Excess
		},
		"a mean of runs": func(e *reports.Evidence) bool {
			return e.Content.Share > e.Content.Least && scaled((*float64)(&e.Content.Share), 0.999)
		},
	} {
		if testing.Short() && what != "a note" {
			continue
		}
		r, done := whole(), false
		for i := range r.Claims {
			for k := 0; k < len(r.Claims[i].Evidence) && !done; k++ {
				if e := r.Claims[i].Evidence[k]; forge(&e) {
					r.Claims[i].Evidence[k], done = e, true
				}
			}
		}
		r.Include(nil)
		write(t, path, r)
		if status, said := check(path); !done || status != verify.OK {
			t.Errorf("%s is no longer beyond the check, but said to be: %s", what, said)
		}
		if status, said := check("-again", "1000", path); status != verify.Usage ||
			!strings.Contains(said, "it comes out otherwise") {
			t.Errorf("%s, made again: status %d, %q", what, status, said)
		}
	}
	for what, forge := range map[string]func(*reports.Report){
		"alpha":    func(r *reports.Report) { r.Run.Alpha = 0.05 },
		"tests":    func(r *reports.Report) { r.Run.Tests++ },
		"no tests": func(r *reports.Report) { r.Run.Tests = 0 },
		"planned":  func(r *reports.Report) { r.Run.Planned++ },
		"replayer": func(r *reports.Report) { r.Run.Replayer = "rm -r . ; verify replay" },
		"no shard": func(r *reports.Report) { r.Run.Shard = "" },
		"seconds":  func(r *reports.Report) { r.Run.Seconds = -1 },
		"title":    func(r *reports.Report) { r.Text.Title = "Another paper" },
		"authors":  func(r *reports.Report) { r.Text.Authors = "Nobody" },
		"causes":   func(r *reports.Report) { r.Causes = r.Causes[1:] },
		"a cause":  func(r *reports.Report) { r.Causes[0].Title = "Nothing is wrong" },
		"no text":  func(r *reports.Report) { r.Text = ledger.Text{} },
	} {
		r := whole()
		r.Causes = slices.Clone(r.Causes)
		forge(r)
		r.Include(nil)
		write(t, path, r)
		refused(t, path, what, "")
		tried.Add(1)
	}
	// what other programs read otherwise
	write(t, path, whole())
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	verdict := []byte(`"verdict": "`)
	at := bytes.Index(text, verdict)
	if at < 0 {
		t.Fatal("no verdict in the file")
	}
	for what, more := range map[string]string{
		"twice":            `"verdict": "proved", `,
		"in other letters": `"Verdict": "proved", `,
		"in old letters":   `"verd\u0131ct": "proved", `,
		"with a long s":    `"u\u017fes": ["nothing"], `,
	} {
		forged := slices.Concat(text[:at], []byte(more), text[at:])
		if err := os.WriteFile(path, forged, 0o666); err != nil {
			t.Fatal(err)
		}
		refused(t, path, "a field "+what, path+":")
		tried.Add(1)
	}
	t.Log(tried.Load(), "forgeries")
}

// forged returns a copy of a claim that shares nothing with it, with the first piece of evidence forged
// in which there is what is to be changed.
func forged(t *testing.T, claim *reports.Claim,
	forge func(*reports.Claim, *reports.Evidence) bool) (c reports.Claim, ok bool) {
	t.Helper()
	for k := range claim.Evidence {
		c = reports.Claim{}
		if err := json.Unmarshal(said(t, claim), &c); err != nil {
			t.Fatal(err)
		}
		if forge(&c, &c.Evidence[k]) {
			return c, true
		}
	}
	return c, false
}

func said(t *testing.T, v any) []byte {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// forgeryOf runs the forgeable claims, and returns a command of them and copies of its report.
func forgeryOf(t *testing.T) (verify.App, func() *reports.Report) {
	t.Helper()
	all, err := sledge.MadeOnce()
	if err != nil {
		t.Fatal(err)
	}
	var claims []props.Claim
	for _, c := range all {
		if slices.Contains(forgeable, c.ID) {
			claims = append(claims, c)
		}
	}
	if len(claims) != len(forgeable) {
		t.Fatalf("%d of %d claims are in the ledger", len(claims), len(forgeable))
	}
	cfg, results, accepted := toBeForged(t, claims)
	app := verify.App{Name: "verify", Claims: func() ([]props.Claim, error) { return claims, nil },
		Ledger: sledge.Ledger, Accepted: func() (map[string]string, error) { return accepted, nil }}
	text, err := sledge.Ledger()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "true.json")
	r := reports.New(results, reports.Run{Tests: cfg.Tests, Planned: len(claims),
		Replayer: "verify replay"})
	r.Text, r.Causes = text.Text, text.Causes
	r.Accept(accepted)
	if err := store.Write(path, r.WriteJSON); err != nil {
		t.Fatal(err)
	}
	return app, func() *reports.Report {
		again, err := reports.Read(path)
		if err != nil {
			t.Fatal(err)
		}
		return again
	}
}
