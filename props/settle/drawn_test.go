package settle_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"sledge/props"
	"sledge/props/certificate/checker"
	"sledge/props/formula"
	"sledge/props/settle"
)

// drawnStatement is a statement that is true by its construction, with its domain; %s stands for a
// factor that makes it false if it is above 1, and the statement is met with equality.
type drawnStatement struct {
	domain, text string
	met          bool
}

// monomial draws a product of powers of symbols.
func monomial(t *rapid.T, symbols ...string) string {
	out := rapid.SampledFrom([]string{"1", "2", "1/3", "5e-4", "720"}).Draw(t, "factor")
	for _, s := range symbols {
		if e := rapid.SampledFrom([]string{"", "", "1", "2", "-1", "1/2", "-3/2", "3"}).Draw(t,
			"exponent"); e != "" {
			out = fmt.Sprintf("(%s)·%s^{%s}", out, s, e)
		}
	}
	return out
}

func drawStatement(t *rapid.T) drawnStatement {
	wide := func(s string) string {
		lo := math.Pow(10, float64(rapid.IntRange(-8, 3).Draw(t, "lo")))
		return fmt.Sprintf("%s ∈ [%g, %g]", s, lo,
			lo*math.Pow(10, float64(rapid.IntRange(1, 8).Draw(t, "decades"))))
	}
	m := monomial(t, "y", "z", "n")
	power := rapid.SampledFrom([]string{"1", "2", "1/2", "3", "3/2"}).Draw(t, "power")
	other := monomial(t, "y", "n")
	domain := wide("y") + ", " + wide("z") + ", n ∈ [1, 1e6]"
	switch rapid.IntRange(0, 14).Draw(t, "form") {
	case 0: // a free symbol below a bound
		return drawnStatement{domain, fmt.Sprintf("x ≤ %s; %%s·(%s)·x^{%s} ≤ (%s)·(%s)^{%s}", m, other,
			power, other, m, power), true}
	case 1: // above one
		return drawnStatement{domain, fmt.Sprintf("x ≥ %s; (%s)·x^{%s} ≥ %%s·(%s)·(%s)^{%s}", m, other,
			power, other, m, power), true}
	case 2: // in a range from a bound
		return drawnStatement{domain + fmt.Sprintf(", x ∈ [%s, 3(%s)]", m, m),
			fmt.Sprintf("(%s)·x^{%s} ≥ %%s·(%s)·(%s)^{%s}", other, power, other, m, power), true}
	case 3: // the larger of two
		return drawnStatement{domain, fmt.Sprintf("x = max{%s, %s}; x^{%s} ≥ %%s·(%s)^{%s}", m, other,
			power, m, power), false}
	case 4:
		return drawnStatement{domain, fmt.Sprintf("x = 1/(%s + %s); %%s·(%s)·x ≤ 1", m, other, m), false}
	case 5: // rounded to a whole number
		return drawnStatement{domain, "m = ⌈n·y⌉; m ≥ %s·n·y", false}
	case 6: // means
		return drawnStatement{domain, "y² + z² ≥ %s·2y z", false}
	case 7: // differences of larger numbers
		return drawnStatement{domain, "(y + z)² − (y − z)² = %s·4y z", true}
	case 8:
		return drawnStatement{domain, fmt.Sprintf("w = %s + %s; w − %s = %%s·(%s)", m, other, m, other), true}
	case 9:
		return drawnStatement{domain, "x ≤ y + z; x − y ≤ (2 − %s)·z", true}
	case 10: // sums
		return drawnStatement{domain + ", m ∈ [1, 20], q ∈ [0, 1]",
			"%s·(1 − q)·Σ_{i=0}^{m} q^i ≤ 1", true}
	case 11:
		return drawnStatement{domain + ", m ∈ [1, 50]", "Σ_{i=1}^{m} i = %s·m(m + 1)/2", true}
	case 12: // functions
		return drawnStatement{domain, "%s·log(1 + y) ≤ y", false}
	case 13:
		return drawnStatement{domain + ", q ∈ [0, 1]", "exp(−q) ≥ %s·(1 − q)", true}
	}
	return drawnStatement{domain + ", b ∈ [√n, n]", "b² ≥ %s·n", true}
}

// drawnSymbols are those of the statements.
func drawnSymbols() *formula.Vocabulary {
	var symbols []formula.Symbol
	for _, name := range []string{"x", "y", "z", "w"} {
		symbols = append(symbols, formula.Symbol{Name: name, Lo: 1e-3, Hi: 1e3})
	}
	for _, name := range []string{"n", "b", "m"} {
		symbols = append(symbols, formula.Symbol{Name: name, Kind: formula.Count, Lo: 1, Hi: 1e6})
	}
	symbols = append(symbols, formula.Symbol{Name: "q", Hi: 1})
	return formula.NewVocabulary(symbols...)
}

// tried is what a check comes to, with certificates or without.
func tried(t rapid.TB, check props.Check, err error, settled bool) *props.Result {
	if err != nil {
		t.Fatal(err)
	}
	cfg := props.Config{Seed: 1}
	if settled {
		cfg.Check = checker.Check
	}
	results, err := props.Run(context.Background(), []props.Claim{{ID: "drawn", Check: check}}, cfg)
	if err != nil {
		t.Fatal(err)
	}
	return &results[0]
}

// Statements that nobody has chosen: those that are true by construction stand, and with a factor
// those fall that are met with equality somewhere in their ranges; none of these is proved.
func TestDrawnStatements(t *testing.T) {
	plain := drawnSymbols()
	settling := plain.Settling(settle.Coefficients, settle.Orders)
	count := map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		s := drawStatement(t)
		above := rapid.SampledFrom([]string{"2", "1.01", "1.0001", "1.000001"}).Draw(t, "factor")
		for _, factor := range []string{"1", above} {
			text := fmt.Sprintf(s.text, factor)
			for _, v := range []*formula.Vocabulary{plain, settling} {
				d, err := v.Domain(s.domain)
				if err != nil {
					t.Fatal(err)
				}
				check, err := d.Implication(text)
				r := tried(t, check, err, v == settling)
				switch stands := r.Verdict == props.Consistent || r.Verdict == props.Proved; {
				case r.Err != "" || factor == "1" && !stands || factor != "1" && s.met && stands:
					t.Fatalf("%s: %s: %v %s %s", s.domain, text, r.Verdict, r.Err, r.Evidence[0].Note)
				case factor == "1" || s.met:
					count[fmt.Sprint(factor == "1", " ", r.Verdict)]++
				}
			}
		}
	})
	t.Log(count)
	if doubtful := count["false inconclusive"]; doubtful > count["false refuted"]/50 {
		t.Errorf("%d false statements are left in doubt", doubtful)
	}
	if count["true proved"] == 0 {
		t.Error("no true statement is proved")
	}
}

// powers are the exponents of n, b and m in a monomial.
type powers [3]float64

func (p powers) String() string { return fmt.Sprintf("n^{%g}·b^{%g}·m^{%g}", p[0], p[1], p[2]) }

// rates are how fast a monomial grows along the edges of the domain b ≤ n: n alone, n and b together,
// m alone.
func (p powers) rates() powers { return powers{p[0], p[0] + p[1], p[2]} }

// most is the largest rate of the monomials along a ray, which is a mean of the edges.
func most(sum []powers, ray [3]float64) float64 {
	out := math.Inf(-1)
	for _, p := range sum {
		rates := p.rates()
		out = max(out, ray[0]*rates[0]+ray[1]*rates[1]+ray[2]*rates[2])
	}
	return out
}

// means calls f with means of k things, on a grid.
func means(k int, f func([3]float64)) {
	const steps = 24
	for i := range steps + 1 {
		for j := range steps + 1 - i {
			w := [3]float64{float64(i) / steps, float64(j) / steps, float64(steps-i-j) / steps}
			if k == 3 || w[2] == 0 && (k == 2 || w[1] == 0) {
				f(w)
			}
		}
	}
}

// holds reports whether one sum is of the order of another: each of its monomials grows no faster
// along any edge than a weighted geometric mean of those of the other, which is at most their sum.
// It reports as well whether it is clearly not, since it grows faster along some ray.
func holds(measured, claimed []powers) (yes, no bool) {
	yes = true
	for _, p := range measured {
		below := false
		means(len(claimed), func(w [3]float64) {
			excess := p.rates()
			for i, q := range claimed {
				for k, rate := range q.rates() {
					excess[k] -= w[i] * rate
				}
			}
			below = below || max(excess[0], excess[1], excess[2]) <= 1e-12
		})
		yes = yes && below
	}
	means(3, func(ray [3]float64) { no = no || most(measured, ray) >= most(claimed, ray)+0.25 })
	return yes, no
}

func drawSum(t *rapid.T) (sum []powers, text string) {
	for i := range rapid.IntRange(1, 3).Draw(t, "terms") {
		var p powers
		for k := range p {
			p[k] = float64(rapid.IntRange(-4, 6).Draw(t, "power")) / 2
		}
		if sum = append(sum, p); i > 0 {
			text += " + "
		}
		text += p.String()
	}
	return sum, text
}

// Orders that nobody has chosen: those are proved or stand that are true along every ray, and those
// fall that are false along one.
func TestDrawnOrders(t *testing.T) {
	plain := drawnSymbols()
	settling := plain.Settling(settle.Coefficients, settle.Orders)
	count := map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		measured, left := drawSum(t)
		claimed, right := drawSum(t)
		yes, no := holds(measured, claimed)
		if !yes && !no {
			t.Skip("what the grids do not decide, or a search hardly sees")
		}
		for _, v := range []*formula.Vocabulary{plain, settling} {
			d, err := v.Domain("n ∈ [1, 1e6], b ∈ [1, n], m ∈ [1, 1e6]")
			if err != nil {
				t.Fatal(err)
			}
			check, err := d.Complexity(left + " = O(" + right + ")")
			r := tried(t, check, err, v == settling)
			bad := no && (r.Verdict == props.Consistent || r.Verdict == props.Proved) ||
				yes && r.Verdict == props.Refuted || r.Err != ""
			if bad || yes && no {
				t.Fatalf("%s = O(%s): %v %s, and it holds: %v", left, right, r.Verdict, r.Err, yes)
			}
			count[fmt.Sprint(yes, " ", v == settling, " ", r.Verdict)]++
		}
	})
	t.Log(count)
}
