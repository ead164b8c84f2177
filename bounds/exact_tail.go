package bounds

import (
	"fmt"
	"math"
	"math/big"

	"sledge/concentration"
	"sledge/props"
	"sledge/props/formula"
)

// The tail of lemma:First-VarianceBound at probabilities that no sampling reaches, on the instances
// that need the most for their size: two clusters of m components each, with Hessians ζ/2 above and
// below their mean, b = 1, on a straight path of steps of equal length. All sequences of
// minibatches are counted.
//
// If a component of one cluster is drawn, the rows of its own cluster stay as wrong as they were,
// but for its own, which becomes right, and the rows of the other get an error of ζ times the step,
// of the sign of the first. So the state of a run is how often the other cluster has been drawn
// since a row was refreshed, and n(v^t − ∇f(x^t)) is ζ times the difference of the sums of both
// clusters.

// largestCluster is the largest m.
const largestCluster = 2

// clusters holds these numbers, in increasing order in each cluster.
type clusters [2][largestCluster]uint8

// drawn is the state after a component of a cluster is drawn, the one with the given place in the
// order.
func (c clusters) drawn(m, cluster, place int) clusters {
	own, other := &c[cluster], &c[1-cluster]
	for i := range m {
		other[i]++
	}
	copy(own[1:place+1], own[:place])
	own[0] = 0
	return c
}

// error is |v^t − ∇f(x^t)| over ζ times the length of a step.
func (c clusters) error(m int) float64 {
	sum := 0
	for i := range m {
		sum += int(c[0][i]) - int(c[1][i])
	}
	return math.Abs(float64(sum)) / float64(2*m)
}

// exceeding is the share of all sequences of T minibatches in which ‖v^t − ∇f(x^t)‖² > Kζ²Σ‖x^s −
// x^{s−1}‖², the sum over the last T_1 steps, for some t ≤ T.
func exceeding(m, T, t1 int, K float64) *big.Rat {
	n := uint64(2 * m)
	now, out := map[clusters]uint64{{}: 1}, uint64(0) // sequences of t minibatches
	for t := 1; t <= T; t++ {
		next := make(map[clusters]uint64, 2*len(now))
		out *= n
		for c, ways := range now {
			for k := range int(n) {
				d := c.drawn(m, k/m, k%m)
				if e := d.error(m); e*e > K*float64(min(t, t1)) {
					out += ways
				} else {
					next[d] += ways
				}
			}
		}
		now = next
	}
	all := new(big.Int).Exp(new(big.Int).SetUint64(n), big.NewInt(int64(T)), nil)
	return new(big.Rat).SetFrac(new(big.Int).SetUint64(out), all)
}

// tailCases are the sizes that are counted, of less than 2^64 sequences each.
var tailCases = []struct{ m, T int }{{1, 28}, {1, 60}, {2, 20}, {2, 26}}

// countTails compares the exact probability that a factor, of C_1, n and T, does not suffice with ν.
func countTails(rec *props.Recorder, factor string, relation props.Relation) {
	enough := formula.Must(sampleWords, factor).Of("C_1", "n", "T")
	for _, c := range tailCases {
		for inverse := int64(1e2); inverse <= 1e8; inverse *= 10 { // 1/ν
			n, T := float64(2*c.m), float64(c.T)
			c1 := math.Log(n * T * float64(inverse))
			share := exceeding(c.m, c.T, coverWindow(2*c.m, 1, c1), enough.At(c1, n, T))
			rec.Rats(fmt.Sprintf("probability that %s does not suffice, against ν", factor), share,
				relation, big.NewRat(1, inverse))
		}
	}
}

// sampleWords is the vocabulary of such tails: M is how many are drawn in all, q the share of one of
// the two values.
var sampleWords = Symbols("means")

// exactSample compares tails of sums over minibatches with what the lemmas allow, at probabilities
// down to 1e-9 that no sampling reaches. Each of so many clients, one for a finite sum, draws l of
// n gradients without replacement; these have two values that differ by 1 in norm, so that σ² = q(1
// − q) and G = max{q, 1 − q} for the share q of one of them. The comparison is of the smallest ‖Σ‖²
// that is exceeded with no more than the probability failure, of ν and T, with what is allowed, of
// C_1, M and q; C_1 = log(NT/ν) with N = n, or the number of clients.
func exactSample(mostClients int, failure, allowed string) props.Check {
	failing := formula.Must(sampleWords, failure).Of("ν", "T")
	bound := formula.Must(sampleWords, allowed).Of("C_1", "M", "q")
	return props.Inequality(func(src *props.Source, rec *props.Recorder) {
		clients, n := src.LogInt("clients", 1, mostClients), src.LogInt("n", 2,
			max(66, 1000/mostClients))
		l, marked := src.LogInt("l", 1, n), src.Int("gradients of one value", 1, n-1)
		T, nu := src.LogInt("T", 1, 1e6), src.LogReal("nu", 1e-9, 0.5)
		counted, sizes := n, concentration.Sizes{N: n, D: 1, T: T, Nu: nu}
		if mostClients > 1 {
			counted, sizes = clients, concentration.Sizes{P: clients, D: 1, T: T, K: 1, Nu: nu}
		}
		law := concentration.Hypergeometric(n, marked, l).Times(clients)
		// n² times the square
		squares := law.Squares(int64(n), int64(clients)*int64(l)*int64(marked))
		square := float64(squares.Quantile(math.Log(failing.At(nu, float64(T))))) / sq(float64(n))
		rec.AtMost("smallest ‖Σ‖² exceeded with the allowed probability", square,
			bound.At(tailC1(counted, sizes), float64(clients*l), float64(marked)/float64(n)))
	}).Effort(0.3)
}

func exactTailClaims() []props.Binding {
	where := "two clusters of 1 or 2 components, b = 1, straight paths of up to 60 and 26 steps; " +
		"ν = 1e-2 … 1e-8"
	const (
		// the multiple of √C_1 that the largest ν needs, for which C_1/3 is enough
		rootTail = "√(C_1 log(100nT))/3"
		// (C_1²/M)(σ² + G²/M) for the square of the mean of M
		ofMean = "C_1²(M(q(1 − q)) + (max{q, 1 − q})²)"
		// (C_1/√M)G for the norm of that mean: half of what the lemmas about pairs allow, in whose
		// radius there is no σ
		ofNorm  = "C_1²M(max{q, 1 − q})²"
		clients = 40
	)
	return []props.Binding{
		props.Bind("variance-lemma-option-two/exact-tail",
			props.Exact(where, func(rec *props.Recorder) {
				countTails(rec, "C_1/3", props.LE)
				countTails(rec, "C_1/6", props.GE)
			})),
		props.Bind("variance-lemma-option-two/exact-tail-root",
			props.Exact(where, func(rec *props.Recorder) {
				countTails(rec, rootTail, props.LE)
			})),
		// two clusters of components whose changes differ by ζ‖x^s − x^{s−1}‖ along one direction,
		// in units of its square
		props.Bind("aux-a-bernstein-step/exact-tail", exactSample(1, "ν/T²", "C_1²M")),
		props.Bind("aux-b-step-bound/exact-tail", exactSample(1, "ν/(5T²)", "C_1M")),
		props.Bind("aux-c-sledge/exact-tail", exactSample(1, "ν", ofMean)),
		props.Bind("dist-lemma-c-option-one/exact-tail", exactSample(clients, "ν", ofMean)),
		props.Bind("dist-lemma-e/exact-tail", exactSample(clients, "ν/T", ofMean)),
		props.Bind("dist-lemma-d-bernstein/exact-tail",
			exactSample(clients, "ν/(4T²)", "C_1²M")),
		// steps in the place of clients; deviations of ±L are twice those of 0 and L, so that a
		// quarter of 2C_1²L²kb is allowed
		props.Bind("dist-lemma-f/exact-tail", exactSample(clients, "ν/T", "C_1²M/2")),
		props.Bind("pair-aux-lemma/exact-tail", exactSample(1, "ν/(4T)", ofNorm)),
		props.Bind("dsecond-aux-a/exact-tail", exactSample(clients, "ν/T", ofNorm)),
		props.Bind("dsecond-aux-b/exact-tail", exactSample(clients, "2ν/T", ofNorm)),
	}
}
