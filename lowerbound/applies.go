package lowerbound

import (
	"math/big"
	"slices"

	"sledge/algos"
	"sledge/bounds"
	"sledge/props"
	"sledge/props/keyed"
)

// appliesClaims are about which methods the lower bound is about.
func appliesClaims() []props.Binding {
	return []props.Binding{
		props.Bind("lower-bound-applies-to-sledge", props.All(
			props.Implication(func(src *props.Source, rec *props.Recorder) {
				trySpan(src, rec, src.Real("r/σ", 0, 1),
					func(name string) bool { return slices.Contains(perturbable, name) })
			}).Effort(0.2),
			props.Exact(
				"a chain of n = 2 alike components and length 4 from x⁰ = 0, b = 1, one step with r = σ",
				perturbedStep))),
		props.Bind("lower-bound-applies-to-sledge/corrected", props.All(
			props.Implication(func(src *props.Source, rec *props.Recorder) {
				trySpan(src, rec, 0, func(name string) bool { return !perturbs(name) })
			}).Effort(0.2),
			props.SameOrder(func(src *props.Source) (float64, float64) {
				c := drawFine(src)
				zeta := 2 * c.L * src.LogReal("ζ/(2L)", 1e-6, 1)
				return bounds.FirstComplexity(algos.OptionII, float64(c.N), 1, c.L, zeta, c.Gap, 0,
					c.Eps), c.Needed(zeta)
			}))),
		props.Bind("lower-bound-applies-to-sledge/small-noise",
			props.Implication(trySmallNoise).Effort(0.5)),
	}
}

// perturbedStep counts the entries that SLEDGE has left 0 and those of the gradients that it has
// asked for: along the chain both are known exactly, and without noise a step leaves as many.
func perturbedStep(rec *props.Recorder) {
	c := Class{N: 2, L: 1, Eps: 1}
	c.Gap = 4.5 * commonLink(c)
	p, x0 := c.CommonChain()
	for _, option := range []algos.Option{algos.OptionI, algos.OptionII} {
		w := watch(p, x0)
		m := &algos.SLEDGE{Eta: 1 / c.L, Batch: 1, Option: option, Radius: p.sigma}
		if err := m.Start(algos.NewOracle(algos.Sum(w.Problem())), x0,
			algos.Keyed(keyed.New(1))); err != nil {
			panic(err) // the settings above are valid
		}
		m.Step()
		nonzero := int64(0)
		for l, x := range m.Point() {
			if x != 0 && !w.support[l] {
				nonzero++
			}
		}
		rec.Rats(option.String()+": entries of x¹ outside those of x⁰ and of all gradients",
			big.NewRat(nonzero, 1), props.EQ,
			new(big.Rat))
	}
}
