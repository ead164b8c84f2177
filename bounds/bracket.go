package bounds

import (
	_ "embed" // the brackets
	"encoding/json"
	"math/big"
	"sync"

	"sledge/props"
	"sledge/props/certificate"
	"sledge/props/formula"
	"sledge/props/settle"
)

// This file holds the smallest constants of the lemmas about the estimator in expectation, on
// prescribed paths, from both sides: an instance needs the one, the other suffices for all
// functions. The mean squared error over all minibatches is a quadratic form in the gradients; by
// symmetry it acts on the steps alone, and its largest eigenvalue against the bound is the
// constant.

// bracketFile is what the test of brackets finds, by eigenvalues in floating point. It takes
// seconds, so that it is kept, and the test finds it anew.
//
//go:embed brackets.json
var bracketFile []byte

// Names of the brackets.
const (
	optionTwoBracket = "variance-lemma-option-two/bracket"
	optionOneBracket = "variance-lemma-option-one/bracket"
	clientsBracket   = "dist-variance-lemma/bracket"
)

// brackets reads the file, which is part of the program.
var brackets = sync.OnceValue(func() (out map[string]certificate.BracketProof) {
	if err := json.Unmarshal(bracketFile, &out); err != nil {
		panic(err)
	}
	return out
})

// bracketOf settles a bracket by what is kept.
func bracketOf(id string) props.Procedure {
	return func(props.Tier) (*certificate.Certificate, string) {
		return settle.Brackets(brackets()[id])
	}
}

// bracketEnds is the scene of the ends of the brackets of a name, for each of its sizes.
func bracketEnds(id string) *formula.Scene {
	return &formula.Scene{Words: instanceWords, Scope: certificate.Sizes,
		Settle: func(string) props.Procedure { return bracketOf(id) }, Said: "the ends of the brackets",
		Means: map[string]string{"least": "what an instance needs",
			"most": "what suffices for all functions"},
		Exact: func(_ *props.Source, try func(formula.Ratios)) {
			for _, e := range brackets()[id] {
				least, _ := new(big.Rat).SetString(e.Least)
				most, _ := new(big.Rat).SetString(e.Most)
				try(formula.Ratios{"least": least, "most": most})
			}
		}}
}

// prescribedPaths draws paths whose deviations grow along drawn vectors, with the mean squared
// error of runs from the recursions of the second moments.
func prescribedPaths(src *props.Source, try func(formula.Ratios)) {
	kept := brackets()[optionTwoBracket]
	e := kept[src.Int("size", 0, len(kept)-1)]
	n, b, T := int64(e.Size.Clients), int64(e.Size.Chosen), e.Size.Steps
	r, straight := src.Rand("deviations"), src.Bool("straight")
	// c[s][i] is what ∇f_i changes by in step s + 1, a vector of n − 1 numbers
	c := make([][][]int64, T)
	for s := range c {
		c[s] = make([][]int64, n)
		length := int64(src.Int("length", 1, 20))
		for i := range c[s] {
			c[s][i] = make([]int64, n-1)
			for k := range c[s][i] {
				c[s][i][k] = int64(r.IntN(11) - 5)
				if straight && s > 0 {
					c[s][i][k] = c[0][i][k]
				}
				if straight {
					c[s][i][k] *= length
				}
			}
		}
	}
	apart := int64(0)
	for s := range c {
		apart += farthest(c[s])
	}
	most, _ := new(big.Rat).SetString(e.Most)
	try(formula.Ratios{"error": meanError(n, b, c), "b": big.NewRat(b, 1), "most": most,
		"apart": big.NewRat(apart, 1)})
}

// farthest is the largest squared distance of two vectors.
func farthest(v [][]int64) (most int64) {
	for i := range v {
		for j := range i {
			d := int64(0)
			for k := range v[i] {
				d += (v[i][k] - v[j][k]) * (v[i][k] - v[j][k])
			}
			most = max(most, d)
		}
	}
	return most
}

// meanError is the mean of ‖e‖² over all sequences of minibatches for the increments c^1 … c^T of n
// gradients, by the recursions of [after]: E‖e‖² and E P need E(1/n)Σ⟨c_i, z_i⟩, for which E z_i is
// enough.
func meanError(n, b int64, c [][][]int64) *big.Rat {
	q, errSq, rows := big.NewRat(n-b, n), new(big.Rat), new(big.Rat)
	z := make([][]big.Rat, n) // E z_i
	for i := range z {
		z[i] = make([]big.Rat, n-1)
	}
	ofErr, ofRows := after(n, b)
	for _, raw := range c {
		kappa, x := new(big.Rat), new(big.Rat)
		for k := range n - 1 {
			sum := int64(0)
			for i := range raw {
				sum += raw[i][k]
			}
			for i := range raw {
				now, e := big.NewRat(n*raw[i][k]-sum, n), &z[i][k]
				kappa.Add(kappa, new(big.Rat).Mul(now, now))
				x.Add(x, new(big.Rat).Mul(now, e))
				// Given that i is not drawn, the mean of the minibatch is that of the others,
				// −c_i/(n−1).
				e.Add(e, now.Mul(now, big.NewRat(-n, n-1)))
				e.Mul(e, q)
			}
		}
		kappa.Quo(kappa, big.NewRat(n, 1))
		x.Quo(x, big.NewRat(n, 1))
		moments := [4]*big.Rat{errSq, rows, kappa, x}
		errSq, rows = combine(ofErr, moments), combine(ofRows, moments)
	}
	return errSq
}
