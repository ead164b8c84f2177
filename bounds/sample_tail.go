package bounds

import (
	"math"

	"sledge/concentration"
	"sledge/props"
)

// exactSample compares tails of sums over minibatches with what the lemmas allow, at probabilities
// down to 1e-9 that no sampling reaches. Each of so many clients, one for a finite sum, draws l of
// n gradients without replacement; these have two values that differ by 1 in norm, so that σ² = q(1
// − q) and G = max{q, 1 − q} for the share q of one of them. The comparison is of the smallest ‖Σ‖²
// that is exceeded with no more than the probability failure(ν, T) with allowed(C_1, N, σ²), N
// being the number of all that are drawn; C_1 = log(N'T/ν) with N' = n, or the number of clients.
func exactSample(mostClients int, failure func(nu, T float64) float64,
	allowed func(c1, drawn, sigmaSq, gSq float64) float64) props.Check {
	return props.Inequality(func(src *props.Source, rec *props.Recorder) {
		clients, n := src.LogInt("clients", 1, mostClients), src.LogInt("n", 2,
			max(66, 1000/mostClients))
		l, marked := src.LogInt("l", 1, n), src.Int("gradients of one value", 1, n-1)
		T, nu := src.LogInt("T", 1, 1e6), src.LogReal("nu", 1e-9, 0.5)
		sizes := concentration.Sizes{N: n, D: 1, T: T, Nu: nu}
		if mostClients > 1 {
			sizes = concentration.Sizes{P: clients, D: 1, T: T, K: 1, Nu: nu}
		}
		law := concentration.Hypergeometric(n, marked, l).Times(clients)
		// n² times the square
		squares := law.Squares(int64(n), int64(clients)*int64(l)*int64(marked))
		square := float64(squares.Quantile(math.Log(failure(nu, float64(T))))) / sq(float64(n))
		q, counted := float64(marked)/float64(n), n
		if mostClients > 1 {
			counted = clients
		}
		rec.AtMost("smallest ‖Σ‖² exceeded with the allowed probability", square,
			allowed(tailC1(counted, sizes), float64(clients*l), q*(1-q), sq(max(q, 1-q))))
	}).Effort(0.3)
}

func sampleTailClaims() []props.Binding {
	// (C_1²/N)(σ² + G²/N) for the square of the mean of N
	ofMean := func(c1, drawn, sigmaSq, gSq float64) float64 {
		return c1 * c1 * (drawn*sigmaSq + gSq)
	}
	whole := func(nu, _ float64) float64 { return nu }
	// (C_1/√N)G for the norm of that mean: half of what the lemmas about pairs allow, in whose
	// radius there is no σ
	ofNorm := func(c1, drawn, _, gSq float64) float64 { return c1 * c1 * drawn * gSq }
	const clients = 40
	return []props.Binding{
		// two clusters of components whose changes differ by ζ‖x^s − x^{s−1}‖ along one direction,
		// in units of its square
		props.Bind("aux-a-bernstein-step/exact-tail", exactSample(1,
			func(nu, T float64) float64 { return nu / (T * T) },
			func(c1, drawn, _, _ float64) float64 { return c1 * c1 * drawn })),
		props.Bind("aux-b-step-bound/exact-tail", exactSample(1,
			func(nu, T float64) float64 { return nu / (5 * T * T) },
			func(c1, drawn, _, _ float64) float64 { return c1 * drawn })),
		props.Bind("aux-c-sledge/exact-tail", exactSample(1, whole, ofMean)),
		props.Bind("dist-lemma-c-option-one/exact-tail", exactSample(clients, whole, ofMean)),
		props.Bind("dist-lemma-e/exact-tail", exactSample(clients,
			func(nu, T float64) float64 { return nu / T }, ofMean)),
		props.Bind("dist-lemma-d-bernstein/exact-tail", exactSample(clients,
			func(nu, T float64) float64 { return nu / (4 * T * T) },
			func(c1, drawn, _, _ float64) float64 { return c1 * c1 * drawn })),
		// steps in the place of clients; deviations of ±L are twice those of 0 and L, so that a
		// quarter of 2C_1²L²kb is allowed
		props.Bind("dist-lemma-f/exact-tail", exactSample(clients,
			func(nu, T float64) float64 { return nu / T },
			func(c1, drawn, _, _ float64) float64 { return c1 * c1 * drawn / 2 })),
		props.Bind("pair-aux-lemma/exact-tail", exactSample(1,
			func(nu, T float64) float64 { return nu / (4 * T) }, ofNorm)),
		props.Bind("dsecond-aux-a/exact-tail", exactSample(clients,
			func(nu, T float64) float64 { return nu / T }, ofNorm)),
		props.Bind("dsecond-aux-b/exact-tail", exactSample(clients,
			func(nu, T float64) float64 { return 2 * nu / T }, ofNorm)),
	}
}
