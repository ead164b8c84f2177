package conjecture

import (
	"slices"
	"strings"

	"sledge/props"
	"sledge/props/certificate"
	"sledge/props/formula"
	"sledge/props/settle"
)

// This file settles statements about one step x' = x − ηv + ξ with ‖ξ‖ ≤ r of a method with any
// estimator, on any function with an L_f-Lipschitz gradient, and about sums over such steps. What a
// certificate states is made of the statement, and of nothing else.

// What is known of a step in a certificate: F and F' are f − inf f before and after it, e = ∇f − v
// and Δ = x' − x; and the vector whose square the sum of the first two inequalities loses.
const (
	isSmooth = "F' ≤ F + ⟨∇f,Δ⟩ + (L/2)‖Δ‖²"
	isNoise  = "‖ξ‖² ≤ r²"
	isPL     = "‖∇f‖² ≥ 2μF"
	lost     = "η(g − v) − ξ"
)

// aStep is a statement about one step, of further symbols, given more facts.
func aStep(symbols, facts, statement string) settle.Squares {
	return settle.Squares{
		Symbols:   "η L r F F' ‖e‖² ‖∇f‖² ‖Δ‖² ‖ξ‖² ⟨∇f,Δ⟩ " + symbols,
		Domain:    "η > 0; " + isSmooth + "; " + isNoise + facts,
		Statement: statement,
		Vectors:   "g v ξ",
		Products: map[string][2]string{"‖e‖²": settle.Norm("g − v"), "‖∇f‖²": settle.Norm("g"),
			"‖Δ‖²": settle.Norm("ξ − ηv"), "⟨∇f,Δ⟩": {"g", "ξ − ηv"}},
	}
}

func sum(list ...certificate.Summand) []certificate.Summand { return list }

// descends is the descent lemma, as it shows what holds of F' by itself.
var descends = sum(settle.Fact("1", isSmooth), settle.Fact("1/η", isNoise),
	settle.Square("1/(2η)", lost))

// ofSteps are the proofs about one step that are known: the descent lemma; with what the PL
// condition makes of all of the gradient in it, or of half; and that condition itself.
var ofSteps = [][]certificate.Summand{
	descends,
	append(slices.Clone(descends), settle.Fact("η/2", isPL)),
	append(slices.Clone(descends), settle.Fact("η/4", isPL)),
	sum(settle.Fact("η/4", isPL)),
}

// The words of statements that are settled, and what operators stand before some of them: they are
// about what these words mean alone. F and F' are values of f where no infimum is spoken of.
var (
	ofGap  = words("η L_f r μ gap ‖∇f‖ ‖v−∇f‖ step").Operating("prev_t")
	ofStep = words("η L_f r f ‖∇f‖ ‖v−∇f‖ step").Operating("prev_t")
	ofSum  = words("η L_f r t K Δ gap ‖∇f‖ ‖v−∇f‖ walked").Operating("sum_k")
)

func words(symbols string) *formula.Vocabulary {
	return formula.Words(strings.Fields(symbols)...)
}

// proof is the procedure that settles a statement about every run, if it is about one step of
// [AnyStep], or about sums over the local steps of a method that takes such steps; nil if it is
// about something else. The procedure has no certificate if none of the known proofs shows the
// statement. Premises are not used.
func (c *Conjecture) proof() props.Procedure {
	if c.Rate != 1 || c.Mean || c.Free {
		return nil
	}
	_, body, err := split(c.Text)
	if err != nil {
		return nil
	}
	read := func(v *formula.Vocabulary) *formula.Inequality {
		if s, err := formula.ParseStatement(v, body); err == nil {
			return &s.Conclusion().Inequalities()[0]
		}
		return nil
	}
	switch c.method.Name {
	case AnyStep.Name:
		for _, v := range []*formula.Vocabulary{ofGap, ofStep} {
			if x := read(v); x != nil {
				return provedStep(*x)
			}
		}
	case "FLEDGE-I", "FLEDGE-II":
		if x := read(ofSum); x != nil {
			return provedSum(*x)
		}
	}
	return nil
}

// squared is a part of a formula that is the square of a quantity.
func squared(t *formula.Tree, name string) bool {
	return t.Equal(formula.Apply("^", formula.Named(name), formula.Number(2)))
}

// put puts formulas in the place of parts of an inequality.
func put(x formula.Inequality, by func(*formula.Tree) *formula.Tree) formula.Inequality {
	return formula.Inequality{Lesser: x.Lesser.Replaced(by), Greater: x.Greater.Replaced(by)}
}

// madeOf reports whether an inequality has these symbols alone, and no operators: nothing of a run
// is left in it.
func madeOf(x formula.Inequality, symbols string) bool {
	known := strings.Fields(symbols)
	for _, side := range []*formula.Tree{x.Lesser, x.Greater} {
		if find(side, "along") != nil || slices.ContainsFunc(side.Symbols(),
			func(name string) bool { return !slices.Contains(known, name) }) {
			return false
		}
	}
	return true
}

// provedStep are the proofs of a statement about one step in the words of a certificate, none if it
// is about something else besides.
func provedStep(x formula.Inequality) props.Procedure {
	high := func(t *formula.Tree) bool {
		return t.Equal(formula.Named("gap")) || t.Equal(formula.Named(level))
	}
	stated := put(x, func(t *formula.Tree) *formula.Tree {
		switch {
		case t.Op == "along" && high(t.Args[0]):
			return formula.Named("F")
		case t.Op == "along" && squared(t.Args[0], "‖∇f‖"):
			return formula.Named("‖∇f‖²")
		case t.Op == "along" && squared(t.Args[0], "‖v−∇f‖"):
			return formula.Named("‖e‖²")
		case t.Op == "along":
			return t
		case high(t):
			return formula.Named("F'")
		case squared(t, "step"):
			return formula.Named("‖Δ‖²")
		case t.Equal(formula.Named("L_f")):
			return formula.Named("L")
		}
		return nil
	})
	if !madeOf(stated, "η L r μ F F' ‖e‖² ‖∇f‖² ‖Δ‖²") {
		return nil
	}
	of := aStep("μ", "; "+isPL, stated.String())
	if !slices.Contains(stated.Lesser.Symbols(), "μ") &&
		!slices.Contains(stated.Greater.Symbols(), "μ") {
		of = aStep("", "", stated.String())
	}
	var out []props.Procedure
	for _, by := range ofSteps {
		out = append(out, of.By(by))
	}
	return settle.FirstOf(out...)
}

// provedSum is the proof of a statement about sums over the first T = tK local steps by induction:
// it holds before them, where the sums are 0, and after one more where it holds. G, E and M are the
// sums of ‖∇f‖², ‖e‖² and ‖Δ‖², and F_0 is the first F.
func provedSum(x formula.Inequality) props.Procedure {
	state := func(gradients, errors, moved, gap, steps string) formula.Inequality {
		return put(x, func(t *formula.Tree) *formula.Tree {
			name := ""
			switch {
			case t.Op == "along" && squared(t.Args[0], "‖∇f‖"):
				name = gradients
			case t.Op == "along" && squared(t.Args[0], "‖v−∇f‖"):
				name = errors
			case t.Op == "along":
				return t
			case t.Op == "*" && t.Args[1].Equal(formula.Named("K")):
				if of := t.Args[0]; of.Equal(formula.Named("t")) {
					name = steps
				} else if of.Op == "*" && of.Args[1].Equal(formula.Named("t")) {
					return formula.Apply("*", of.Args[0], props.Must(ofState.Tree(steps)))
				}
			case t.Op == "symbol":
				name = map[string]string{walked: moved, "gap": gap, "Δ": "F_0", "L_f": "L"}[t.Name]
			}
			if name == "" {
				return nil
			}
			return props.Must(ofState.Tree(name))
		})
	}
	difference := func(of formula.Inequality) string {
		return formula.Apply("-", of.Lesser, of.Greater).String()
	}
	soFar, next := state("G", "E", "M", "F", "T"), state("G + ‖∇f‖²", "E + ‖e‖²", "M + ‖Δ‖²",
		"F'", "T + 1")
	if !madeOf(soFar, "η L r F_0 F G E M T") {
		return nil
	}
	by := aStep("F_0 G E M T", "; "+soFar.String(),
		difference(state("0", "0", "0", "F_0", "0"))+" ≤ 0 ≤ "+
			formula.Apply("-", next.Greater, next.Lesser).String()).By(nil,
		sum(settle.Fact("1", soFar.String()), settle.Fact("2/η", isSmooth),
			settle.Fact("2/η^2", isNoise), settle.Square("1/η^2", lost)))
	return settle.FirstOf(by)
}

// ofState has the symbols that stand in the place of sums.
var ofState = words("L F_0 F F' G E M T ‖∇f‖² ‖e‖² ‖Δ‖²")
