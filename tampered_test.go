package sledge_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"sledge"
	"sledge/algos/claims"
	"sledge/props"
	"sledge/props/certificate"
	"sledge/props/certificate/checker"
	"sledge/props/keyed"
	"sledge/props/ledger"
	"sledge/reports"
	"sledge/reports/store"
	"sledge/reports/verify"
)

// settled draws claims of the ledger that are settled in a moment: so many of each kind of
// certificate.
func settled(t *testing.T, many int) []props.Claim {
	t.Helper()
	claims, err := sledge.MadeOnce()
	if err != nil {
		t.Fatal(err)
	}
	r := keyed.New(23).With("settled claims").Rand()
	r.Shuffle(len(claims), func(i, j int) { claims[i], claims[j] = claims[j], claims[i] })
	var out []props.Claim
	counts := map[string]int{}
	for i := range claims {
		c := &claims[i]
		kind := c.Kind
		if c.Within == "" && c.Expect != props.Refuted || props.Significance(c) ||
			counts[kind] == many ||
			kind != "complexity" && kind != "implication" && kind != "inequality" {
			continue
		}
		counts[kind]++
		out = append(out, *c)
	}
	return out
}

// forge changes one thing in a certificate, as data, and says what.
func forge(c *certificate.Certificate, r *rand.Rand) (out *certificate.Certificate, what string) {
	b, _ := json.Marshal(c)
	var data any
	_ = json.Unmarshal(b, &data)
	if r.IntN(3) == 0 { // the statement, the domain, the kinds of symbols
		forged := *c
		forged.Symbols = append([]certificate.Symbol{}, c.Symbols...)
		swap := [][2]string{{"≤", "≥"}, {"=", "≥"}, {"2", "1"}, {"4", "3"}, {"²", ""}, {"+", "−"},
			{"min", "max"}, {"1/", "1/2"},
			{"ε", "ε ε"}, {"n", "1"}, {"O(", "O((1/n)"}, {"> 0", "< 0"}}[r.IntN(12)]
		switch where := r.IntN(3); {
		case where == 0:
			forged.Statement = strings.Replace(c.Statement, swap[0], swap[1], 1)
		case where == 1:
			forged.Domain = strings.Replace(c.Domain, swap[0], swap[1], 1)
		case len(forged.Symbols) > 0:
			s := &forged.Symbols[r.IntN(len(forged.Symbols))]
			s.Name = []string{"0", "log(n)", "O", "max", "x + 1", ""}[r.IntN(6)]
		}
		return &forged, "words"
	}
	// a leaf of the proof
	proof := data.(map[string]any)["proof"]
	var leaves []func()
	var walk func(v any, set func(any))
	walk = func(v any, set func(any)) {
		switch v := v.(type) {
		case map[string]any:
			for k, x := range v {
				walk(x, func(y any) { v[k] = y })
				leaves = append(leaves, func() { delete(v, k) })
			}
		case []any:
			for i, x := range v {
				walk(x, func(y any) { v[i] = y })
			}
			if len(v) > 0 {
				leaves = append(leaves, func() { set(v[:len(v)-1]) })
			}
		case string:
			leaves = append(leaves, func() { set("(" + v + ")·1/2") }, func() { set("−1") },
				func() { set("9223372036854775808") })
		case float64:
			leaves = append(leaves, func() { set(v + 1) }, func() { set(-v) })
		}
	}
	walk(proof, func(y any) { data.(map[string]any)["proof"] = y })
	leaves[r.IntN(len(leaves))]()
	b, _ = json.Marshal(data)
	out = new(certificate.Certificate)
	if json.Unmarshal(b, out) != nil {
		return nil, ""
	}
	return out, "proof"
}

// respell writes a JSON file anew as another program would: all but ASCII escaped, on one line,
// keys in their order.
func respell(from, to string) error {
	text, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	var line bytes.Buffer
	if err := json.Compact(&line, text); err != nil {
		return err
	}
	var ascii bytes.Buffer
	for _, c := range line.String() {
		if c < 128 {
			ascii.WriteRune(c)
			continue
		}
		for _, u := range utf16.Encode([]rune{c}) {
			fmt.Fprintf(&ascii, `\u%04x`, u)
		}
	}
	return os.WriteFile(to, ascii.Bytes(), 0o644)
}

// Reports of which something was changed are refused with exit status 2 and one sentence, whatever
// it is, and though digest and summary are made to fit; the true one is accepted.
func TestTampered(t *testing.T) {
	many, rounds := 4, 4
	if testing.Short() {
		many, rounds = 2, 1
	}
	claims := settled(t, many)
	cfg, results, accepted := toBeForged(t, claims)
	app := verify.App{Name: "verify", Claims: func() ([]props.Claim, error) { return claims, nil },
		Accepted: func() (map[string]string, error) { return accepted, nil }}
	dir := t.TempDir()
	checkFile := func(path string) (int, string) {
		var out, errs bytes.Buffer
		status := verify.Main(context.Background(), app, []string{"check", path}, &out, &errs)
		return status, errs.String()
	}
	check := func(r *reports.Report) (int, string) {
		path := filepath.Join(dir, "report.json")
		if err := store.Write(path, r.WriteJSON); err != nil {
			t.Fatal(err)
		}
		return checkFile(path)
	}
	whole := func() *reports.Report {
		r := reports.New(results, reports.Run{Tests: cfg.Tests, Planned: len(results),
			Replayer: "verify replay"})
		r.Accept(accepted)
		var b bytes.Buffer
		if err := r.WriteJSON(&b); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, "true.json")
		if err := store.Write(path, r.WriteJSON); err != nil {
			t.Fatal(err)
		}
		again, err := reports.Read(path)
		if err != nil {
			t.Fatal(err)
		}
		return again
	}
	if status, said := check(whole()); status != verify.OK {
		t.Fatalf("the true report is refused: %s", said)
	}
	if err := respell(filepath.Join(dir, "true.json"),
		filepath.Join(dir, "respelt.json")); err != nil {
		t.Fatal(err)
	}
	if status, said := checkFile(filepath.Join(dir, "respelt.json")); status != verify.OK {
		t.Fatalf("the true report, written by another program, is refused: %s", said)
	}
	certified := func(r *reports.Report, rng *rand.Rand) (*reports.Claim, *reports.Evidence) {
		for {
			c := &r.Claims[rng.IntN(len(r.Claims))]
			if len(c.Evidence) > 0 {
				if e := &c.Evidence[rng.IntN(len(c.Evidence))]; e.Certificate != nil {
					return c, e
				}
			}
		}
	}
	var places [][2]int // of evidence that is decided by evaluating one instance
	for i, c := range whole().Claims {
		of := slices.IndexFunc(claims, func(claim props.Claim) bool { return claim.ID == c.ID })
		remade, err := props.Remake(&claims[of], cfg.Tier)
		if err != nil {
			t.Fatal(err)
		}
		for k := range c.Evidence {
			if done, err := remade.Evaluate(&c.Evidence[k].Evidence); done && err == nil {
				places = append(places, [2]int{i, k})
			}
		}
	}
	evaluated := func(r *reports.Report, rng *rand.Rand) *reports.Evidence {
		at := places[rng.IntN(len(places))]
		return &r.Claims[at[0]].Evidence[at[1]]
	}
	ways := map[string]func(*reports.Report, *rand.Rand) bool{
		"a claim is dropped": func(r *reports.Report, rng *rand.Rand) bool {
			k := rng.IntN(len(r.Claims))
			r.Claims = append(r.Claims[:k:k], r.Claims[k+1:]...)
			return true
		},
		"a claim is added": func(r *reports.Report, rng *rand.Rand) bool {
			c := r.Claims[rng.IntN(len(r.Claims))]
			if rng.IntN(2) == 0 {
				c.ID += "/more"
			}
			r.Claims = append(r.Claims, c)
			return true
		},
		"wording": func(r *reports.Report, rng *rand.Rand) bool {
			c := &r.Claims[rng.IntN(len(r.Claims))]
			words := []*string{&c.Statement, &c.Notes, &c.Theorem, &c.Lines, &c.Title}
			c.Formally = slices.Clone(c.Formally)
			for k := range c.Formally {
				words = append(words, &c.Formally[k])
			}
			for _, s := range words {
				if *s != "" && rng.IntN(2) == 0 {
					*s = strings.Replace(*s, (*s)[:1], "O(1) ", 1)
					return true
				}
			}
			c.Expect = props.Vacuous
			return true
		},
		"a verdict is raised": func(r *reports.Report, rng *rand.Rand) bool {
			c := &r.Claims[rng.IntN(len(r.Claims))]
			if c.Verdict == props.Proved {
				return false
			}
			c.Verdict = props.Proved
			return true
		},
		"an outcome is raised": func(r *reports.Report, rng *rand.Rand) bool {
			c := &r.Claims[rng.IntN(len(r.Claims))]
			if c.Verdict == props.Proved {
				return false
			}
			for k := range c.Evidence { // as a forger would, in JSON
				b, _ := json.Marshal(c.Evidence[k].Evidence)
				b = bytes.Replace(b, []byte(fmt.Sprintf(`"outcome":%q`, c.Evidence[k].Outcome())),
					[]byte(`"outcome":"proved"`), 1)
				if json.Unmarshal(b, &c.Evidence[k].Evidence) != nil {
					return false
				}
				c.Evidence[k].Scope, c.Evidence[k].Certified = certificate.All, true
			}
			c.Verdict = props.Proved
			return true
		},
		"measurements are tripled": func(r *reports.Report, rng *rand.Rand) bool {
			e := evaluated(r, rng)
			for _, v := range []*float64{&e.Measured, &e.Claimed, &e.Tightness} {
				if *v != 0 && !math.IsNaN(*v) && !math.IsInf(*v, 0) && rng.IntN(2) == 0 {
					*v *= 3
					return true
				}
			}
			return false
		},
		"a simplest counterexample is changed": func(r *reports.Report, rng *rand.Rand) bool {
			e := evaluated(r, rng)
			switch {
			case e.Simplest == nil:
				return false
			case rng.IntN(2) == 0:
				e.Simplest.Where += "0"
			default:
				e.Simplest.Measured += 1
			}
			return true
		},
		"an instance is told otherwise": func(r *reports.Report, rng *rand.Rand) bool {
			evaluated(r, rng).Where += "0"
			return true
		},
		"evidence is exchanged": func(r *reports.Report, rng *rand.Rand) bool {
			a, b := &r.Claims[rng.IntN(len(r.Claims))], &r.Claims[rng.IntN(len(r.Claims))]
			if a.ID == b.ID {
				return false
			}
			a.Evidence, b.Evidence = b.Evidence, a.Evidence
			a.Verdict, b.Verdict = b.Verdict, a.Verdict
			return true
		},
		"another seed or tier": func(r *reports.Report, rng *rand.Rand) bool {
			if rng.IntN(2) == 0 {
				r.Run.Tier = props.Standard.String()
			} else {
				r.Run.Seed += 1 + rng.Uint64N(100)
			}
			return true
		},
		"certificates are removed": func(r *reports.Report, rng *rand.Rand) bool {
			c, _ := certified(r, rng)
			for k := range c.Evidence {
				c.Evidence[k].Certificate = nil
			}
			return true
		},
		"the certificate of another claim": func(r *reports.Report, rng *rand.Rand) bool {
			_, a := certified(r, rng)
			_, b := certified(r, rng)
			if a.Certificate.Digest() == b.Certificate.Digest() {
				return false
			}
			a.Certificate = b.Certificate
			return true
		},
		"a scope is widened": func(r *reports.Report, rng *rand.Rand) bool {
			_, e := certified(r, rng)
			if e.Outcome() != props.Proved {
				return false
			}
			if e.Scope = certificate.Instances; rng.IntN(2) == 0 {
				e.Scope = certificate.Sizes
			}
			return true
		},
		"a mark is forged": func(r *reports.Report, rng *rand.Rand) bool {
			_, e := certified(r, rng)
			d := e.Certificate.Digest()
			if accepted[d] != "" {
				d = strings.Repeat("0", len(d))
			}
			if r.Machine == nil {
				r.Machine = map[string]string{}
			}
			r.Machine[d] = "The Coq Proof Assistant, version 8.16.1"
			return true
		},
		"a certificate is forged": func(r *reports.Report, rng *rand.Rand) bool {
			_, e := certified(r, rng)
			forged, _ := forge(e.Certificate, rng)
			if forged == nil || forged.Digest() == e.Certificate.Digest() {
				return false
			}
			e.Certificate = forged
			return true
		},
	}
	tried := 0
	for name, way := range ways {
		for round := range rounds {
			r := whole()
			if !way(r, keyed.New(23).With(name).At(round).Rand()) {
				continue
			}
			tried++
			r.Include(nil) // digest and summary fit
			if status, said := check(r); status != verify.Usage ||
				!strings.HasPrefix(said, "verify: ") ||
				strings.Count(said, "\n") != 1 {
				t.Errorf("%s, %d: status %d, %q", name, round, status, said)
			}
		}
	}
	r := whole()
	r.Claims[0].Evidence[0].Trials++
	if status, said := check(r); status != verify.Usage || !strings.Contains(said, "run.digest") {
		t.Errorf("a number: status %d, %q", status, said)
	}
	t.Log(tried, "tampered reports")
	if tried < rounds*len(ways)/2 {
		t.Error("too few tampered reports")
	}
}

// A report whose formal line about runs says something else is refused, also where the certificate
// is of that and holds; so is a report of the ledger as it is by a program whose ledger says it.
func TestAlteredLine(t *testing.T) {
	of := func(term string) []props.Claim {
		l, err := ledger.Read(altered{os.DirFS("."), "L_f step²/2 + r²/η", term}, sledge.Files...)
		if err != nil {
			t.Fatal(err)
		}
		l = l.Only(func(c *props.Claim) bool { return c.ID == "descent-lemma" })
		if err := l.Run(claims.Stated()); err != nil {
			t.Fatal(err)
		}
		return props.Must(l.Join())
	}
	asIs, weaker := of("L_f step²/2 + r²/η"), of("L_f step²/2 + r²/η + 0f")
	path := filepath.Join(t.TempDir(), "report.json")
	report := func(claims []props.Claim) *reports.Report {
		cfg, results, accepted := toBeForged(t, claims)
		r := reports.New(results, reports.Run{Tests: cfg.Tests, Planned: len(results),
			Replayer: "verify replay"})
		r.Accept(accepted)
		if err := store.Write(path, r.WriteJSON); err != nil {
			t.Fatal(err)
		}
		return props.Must(reports.Read(path))
	}
	check := func(claims []props.Claim, r *reports.Report) int {
		app := verify.App{Name: "verify", Accepted: sledge.Accepted,
			Claims: func() ([]props.Claim, error) { return claims, nil }}
		if err := store.Write(path, r.WriteJSON); err != nil {
			t.Fatal(err)
		}
		args := []string{"check", path}
		return verify.Main(context.Background(), app, args, io.Discard, io.Discard)
	}
	if check(asIs, report(asIs)) != verify.OK || check(weaker, report(weaker)) != verify.OK {
		t.Fatal("a true report is refused")
	}
	if check(weaker, report(asIs)) != verify.Usage || check(asIs, report(weaker)) != verify.Usage {
		t.Error("a report of another line is accepted")
	}
	r := report(weaker) // in the words of the ledger, with certificates of the other line
	r.Claims[0].Formally = asIs[0].Formally
	if r.Include(nil); check(asIs, r) != verify.Usage {
		t.Error("a report with the certificate of another line is accepted")
	}
}

// altered is a directory in whose files a text is another.
type altered struct {
	fs.FS
	from, to string
}

func (a altered) ReadFile(name string) ([]byte, error) {
	b, err := fs.ReadFile(a.FS, name)
	return bytes.ReplaceAll(b, []byte(a.from), []byte(a.to)), err
}

// The opposite of what is proved is proved by no certificate, whatever is made of its proof, and
// what is true is refuted at no point.
func TestOpposites(t *testing.T) {
	claims := settled(t, 12)
	each := 12
	if testing.Short() {
		each = 3
	}
	tried := 0
	for i := range claims {
		made, err := props.Certificates(&claims[i], props.Quick)
		if err != nil {
			t.Fatal(err)
		}
		for k, c := range made {
			cut := max(strings.LastIndex(c.Statement, "; "),
				strings.LastIndex(c.Statement, " implies "))
			premises, conclusion := "", c.Statement
			if cut >= 0 {
				cut += strings.Index(c.Statement[cut+1:], " ") + 2
				premises, conclusion = c.Statement[:cut], c.Statement[cut:]
			}
			sides := strings.SplitN(conclusion, " ≤ ", 2)
			if c.Refutes || len(sides) != 2 || strings.ContainsAny(sides[1], "≤≥<>=") ||
				c.Kind == certificate.Order {
				continue
			}
			opposite := *c
			opposite.Statement = premises + sides[1] + " < " + sides[0]
			r := keyed.New(24).With(claims[i].ID).At(k).Rand()
			for range each {
				forged, _ := forge(&opposite, r)
				if forged == nil || forged.Statement != opposite.Statement ||
					forged.Domain != opposite.Domain {
					forged = &opposite
				}
				tried++
				if checker.Check(forged) == nil {
					t.Errorf("%s: accepted: %s: %s by %s", claims[i].ID, forged.Domain,
						forged.Statement, forged.Proof)
				}
				at := certificate.PointProof{Values: map[string]string{}}
				for _, s := range c.Symbols {
					at.Values[s.Name] = fmt.Sprint(1 + r.IntN(4))
				}
				point := &certificate.Certificate{Kind: certificate.Point, Refutes: true,
					Symbols: c.Symbols, Domain: c.Domain,
					Statement: c.Statement}
				point.Proof, _ = json.Marshal(at)
				tried++
				if checker.Check(point) == nil {
					t.Errorf("%s: refuted: %s: %s at %s", claims[i].ID, point.Domain,
						point.Statement, point.Proof)
				}
			}
		}
	}
	t.Log(tried, "forgeries")
	if tried < 4*each {
		t.Error("too few forgeries")
	}
}

// toBeForged runs claims for a report that is then forged, with what Rocq has accepted.
func toBeForged(t *testing.T, claims []props.Claim) (cfg props.Config, results []props.Result,
	accepted map[string]string) {
	t.Helper()
	cfg = props.Config{Workers: 2, Check: checker.Accept, Alpha: props.DefaultAlpha,
		Tests: props.Tests(claims, props.Quick)}
	results, err := props.Run(context.Background(), claims, cfg)
	if err != nil {
		t.Fatal(err)
	}
	if accepted, err = sledge.Accepted(); err != nil {
		t.Fatal(err)
	}
	return cfg, results, accepted
}
