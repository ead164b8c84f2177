package bounds

import (
	_ "embed" // the brackets
	"encoding/json"
	"math/big"
	"sync"

	"sledge/props"
	"sledge/props/certificate"
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

// theEnds says how far apart the ends of the brackets are.
func theEnds(id string, most *big.Rat) props.Check {
	return props.Settled(props.ExactSizes("the ends of the brackets", func(rec *props.Recorder) {
		for _, e := range brackets()[id] {
			least, _ := new(big.Rat).SetString(e.Least)
			upper, _ := new(big.Rat).SetString(e.Most)
			rec.Rats("upper end of the bracket over the lower one", upper.Quo(upper, least),
				props.LE, most)
		}
	}), bracketOf(id))
}

// checkBrackets compares the constants with the mean squared error of runs on paths whose
// deviations grow along drawn vectors, from the recursions of the second moments.
func checkBrackets(src *props.Source, rec *props.Recorder) {
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
	errors, bound := meanError(n, b, c), int64(0)
	for s := range c {
		bound += farthest(c[s])
	}
	most, _ := new(big.Rat).SetString(e.Most)
	rec.Rats("mean squared error on a prescribed path, over all minibatches", errors,
		props.LE, most.Mul(most, big.NewRat(bound, b)))
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

func bracketClaims() []props.Binding {
	return []props.Binding{
		props.Bind(optionTwoBracket, props.All(theEnds(optionTwoBracket, big.NewRat(10001, 10000)),
			props.Settled(props.Inequality(checkBrackets).Effort(0.3),
				bracketOf(optionTwoBracket)))),
		props.Bind(optionOneBracket, theEnds(optionOneBracket, big.NewRat(10001, 10000))),
		props.Bind(clientsBracket, theEnds(clientsBracket, big.NewRat(101, 100))),
	}
}
