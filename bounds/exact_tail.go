package bounds

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"sort"
	"sync"

	"sledge/concentration"
	"sledge/props"
	"sledge/props/formula"
	"sledge/props/ledger"
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

// countedTails are those of these sizes for ν = 1e-2 … 1e-8.
var countedTails = sync.OnceValue(func() (all []formula.Ratios) {
	for _, c := range tailCases {
		var ratios []float64 // ‖v^t − ∇f(x^t)‖² may come to these multiples of the sum
		for t := 1; t <= c.T; t++ {
			for sum := 1; sum <= c.m*c.T; sum++ {
				ratios = append(ratios, sq(float64(sum)/float64(2*c.m))/float64(t))
			}
		}
		slices.Sort(ratios)
		for inverse := int64(1e2); inverse <= 1e8; inverse *= 10 { // 1/ν
			nT := float64(2 * c.m * c.T)
			nu, c1 := big.NewRat(1, inverse), math.Log(nT*float64(inverse))
			window := coverWindow(2*c.m, 1, c1)
			needed := ratios[sort.Search(len(ratios), func(k int) bool {
				return exceeding(c.m, c.T, window, ratios[k]*(1+1e-12)).Cmp(nu) <= 0
			})]
			all = append(all, formula.Ratios{"needed": new(big.Rat).SetFloat64(needed),
				"C_1": new(big.Rat).SetFloat64(c1), "C_0": new(big.Rat).SetFloat64(math.Log(100 * nT))})
		}
	}
	return all
})

// sampleWords is the vocabulary of such tails.
var sampleWords = Symbols("kinds")

// samples is a statement about the tails of sums over minibatches, ‖Σ‖² at most a formula of C_1, of
// how many are drawn in all, M, of sizes, and of the share q of one of two values, at probabilities
// down to 1e-9 that no sampling reaches. Each of so many clients, one for a finite sum, draws l of n
// gradients without replacement; these have two values that differ by 1 in norm, so that σ² = q(1 −
// q) and G = max{q, 1 − q}. Compared is the smallest ‖Σ‖² that is exceeded with no more than the
// allowed probability; C_1 = log(NT/ν) with N = n, or the number of clients.
type samples struct {
	inequalities
	mostClients int
	effort      float64
}

func readSamples(r ledger.Runs) (*samples, error) {
	s := &samples{mostClients: map[string]int{"components": 1, "clients": 40}[r.Method], effort: 0.3}
	if s.mostClients == 0 || r.Family != "" {
		return nil, fmt.Errorf("samples are of components or of clients, and not of %s %s", r.Method,
			r.Family)
	}
	if s.mostClients == 1 {
		s.effort = 1
	}
	return s, s.read(r, sampleWords, func(name string) string {
		return unless(slices.Contains([]string{"C_1", "M", "q", "‖Σ‖", "S", "n", "l", "ν", "T"}, name),
			name)
	})
}

func (s *samples) domain() string {
	who := "for $l$ of $2 ≤ n ≤ 1000$ components"
	if s.mostClients > 1 {
		who = "for $l$ of $2 ≤ n ≤ 66$ data of each of up to 40 clients"
	}
	return who + " of two kinds, which are 1 apart, $T ≤ 1e6$, $ν ≥ 1e-9$, exactly; $C_1$ as for runs " +
		"of $d = 1$; $M$ are drawn, $q$ is the share of one kind, and $Σ$ the sum of the deviations " +
		"from the mean" + s.Explained(func(name string) string {
		return map[string]string{"S": "$" + squaresOf("l")}[name]
	})
}

func (s *samples) check() props.Check {
	return props.Inequality(func(src *props.Source, rec *props.Recorder) {
		clients, n := src.LogInt("clients", 1, s.mostClients), src.LogInt("n", 2,
			max(66, 1000/s.mostClients))
		l, marked := src.LogInt("l", 1, n), src.Int("gradients of one value", 1, n-1)
		T, nu := src.LogInt("T", 1, 1e6), src.LogReal("nu", 1e-9, 0.5)
		counted, sizes := n, concentration.Sizes{N: n, D: 1, T: T, Nu: nu}
		if s.mostClients > 1 {
			counted, sizes = clients, concentration.Sizes{P: clients, D: 1, T: T, K: 1, Nu: nu}
		}
		law := concentration.Hypergeometric(n, marked, l).Times(clients)
		// n² times the square
		squares := law.Squares(int64(n), int64(clients)*int64(l)*int64(marked))
		allowed := math.Log(s.missed.At(nu, float64(T), 1))
		on := values{"C_1": tailC1(counted, sizes), "M": float64(clients * l),
			"q":   float64(marked) / float64(n),
			"‖Σ‖": math.Sqrt(float64(squares.Quantile(allowed))) / float64(n),
			"S":   concentration.SampleSquares(n, l), "n": float64(n), "l": float64(l), "ν": nu,
			"T": float64(T)}
		for _, r := range s.Relations {
			left, right, _ := r.At(on.of)
			rec.AtMost(r.Left+" exceeded with the allowed probability", left, right)
		}
	}).Effort(s.effort)
}
