// Package problemtest has the families of package problems as generators of pgregory.net/rapid: for
// whoever tests a method with rapid.Check, or drives it step by step with T.Repeat. Problems know
// certified constants (Constants) and their values, and shrink towards few components in few
// dimensions that are alike.
//
// Programs must not import this package: rapid registers flags and works only in test binaries.
package problemtest

import (
	"math/rand/v2"

	"pgregory.net/rapid"

	"sledge/algos/problems"
	"sledge/props"
	"sledge/props/proptest"
)

// Quadratic generates finite sums of quadratics that are strongly convex in the mean.
func Quadratic(l problems.Limits) *rapid.Generator[problems.FiniteSum] {
	return sums(func(src *props.Source) problems.Federated {
		return problems.DrawQuadratic(src, l)
	})
}

// Heterogeneous generates finite sums whose Hessians differ between components, and from point to
// point: quadratics with ripples.
func Heterogeneous(l problems.Limits) *rapid.Generator[problems.FiniteSum] {
	return sums(func(src *props.Source) problems.Federated { return problems.DrawRippled(src, l) })
}

// PL generates finite sums that fulfil the Polyak–Łojasiewicz condition and are not convex.
func PL(l problems.Limits) *rapid.Generator[problems.FiniteSum] {
	return sums(func(src *props.Source) problems.Federated {
		return problems.DrawNonconvexPL(src, l)
	})
}

// Saddle generates finite sums with strict saddle points at the origin, between wells.
func Saddle(l problems.Limits) *rapid.Generator[problems.FiniteSum] {
	return sums(func(src *props.Source) problems.Federated {
		p, _ := problems.DrawSaddle(src, l)
		return p
	})
}

// Logistic generates ridge regressions on labels ±1, of l.N rows in l.D dimensions (by default 2 to
// 12 and 1 to 5); other limits are of no account.
func Logistic(l problems.Limits) *rapid.Generator[problems.FiniteSum] {
	return sums(func(src *props.Source) problems.Federated {
		if l.N == (problems.Range{}) {
			l.N = problems.Sizes(2, 12)
		}
		if l.D == (problems.Range{}) {
			l.D = problems.Sizes(1, 5)
		}
		n, d := src.Int("n", l.N.Min, l.N.Max), src.Int("d", l.D.Min, l.D.Max)
		ridge := src.LogReal("ridge", 1e-3, 1)
		rows, labels := data(n, d, src.Rand("rows"))
		return props.Must(problems.NewLogistic(props.Must(problems.NewTable(rows, labels)), nil,
			problems.LogisticOptions{Ridge: ridge}))
	})
}

// data are rows of normal numbers, with labels 1 and −1 in turns.
func data(n, d int, r *rand.Rand) (rows [][]float64, labels []float64) {
	for k := range n {
		row := make([]float64, d)
		for l := range row {
			row[l] = r.NormFloat64()
		}
		rows, labels = append(rows, row), append(labels, float64(1-2*(k%2)))
	}
	return rows, labels
}

// Federated generates problems of clients that hold data, by default one to four each: quadratics
// with ripples that differ between clients and within them.
func Federated(l problems.Limits) *rapid.Generator[problems.Federated] {
	if l.Data == (problems.Range{}) {
		l.Data = problems.Sizes(1, 4)
	}
	return rapid.Custom(func(t *rapid.T) problems.Federated {
		return problems.DrawRippled(proptest.Source(t), l)
	})
}

// Point generates points of R^d in the ball of a radius.
func Point(d int, radius float64) *rapid.Generator[[]float64] {
	return rapid.Custom(func(t *rapid.T) []float64 {
		return problems.DrawPoint(proptest.Source(t), "x", d, radius)
	})
}

func sums(draw func(*props.Source) problems.Federated) *rapid.Generator[problems.FiniteSum] {
	return rapid.Custom(func(t *rapid.T) problems.FiniteSum {
		return draw(proptest.Source(t)).ByClient()
	})
}
