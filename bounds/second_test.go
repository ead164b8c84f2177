package bounds

import (
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"

	"sledge/algos"
	"sledge/algos/problems"
	"sledge/props"
	"sledge/props/formula"
	"sledge/props/proptest"
)

// The formulas of the second-order theorems at round numbers, from their displays by hand.
func TestSecondOrderFormulas(t *testing.T) {
	at := func(id string, values map[string]float64) float64 {
		return props.Must(readSearches(stated(t, id)[0])).bound.At(values)
	}
	one, two := "second-main-option-one/corrected", "second-main-option-two/corrected"
	steps := map[string]float64{"n": 100, "b": 5, "C_1": 2, "Δ": 10, "σ_c": 3, "G_c": 4,
		"η": 0.5, "r": 0, "ρ": 4, "ε": 0.1,
		"δ": 2, "C_b": 0.5, "T_2": 5}
	rate := 100 + 12.5 // R = δ/(C_bρ) = 1
	fledgeNear(t, two, at(two, steps), 2*(40*rate+5))
	// 24·8·(100/25)·(9 + 16/5) more
	fledgeNear(t, one, at(one, steps), 2*(9409.6*rate+5))
	steps["r"] = 0.01
	fledgeNear(t, two+" with noise", at(two, steps), 2*(40*rate+5)/(1-4*sq(0.02)*rate))

	one, two = "dsecond-formal-option-one/corrected", "dsecond-main-informal/corrected"
	rounds := map[string]float64{"P": 16, "p": 4, "K": 2, "b": 8, "C_1": 2, "L": 4, "ρ": 3,
		"ζ": 1, "Δ": 5, "σ": 1, "G": 2,
		"σ_c": 3,
		"G_c": 4, "ε": 0.5, "δ": 0.25, "η": 0.125, "r": 1e-5, "C_e": 2, "C_f": 3, "T_6": 49}
	rate = 4 + 2*sq(0.125*98*2*3/0.25)
	initial := 192 * 8 * (16/(16*8.) + 16*4/(64*2*64.) + 9*16*2/16. + 16*16*2/64.)
	noise, data := 4*sq(8e-5)*rate, 2*16*4/256.*(1+4/256.)*rate
	fledgeNear(t, one, at(one, rounds), 2*((80+initial)/2*rate+49)/(1-noise-data))
	fledgeNear(t, two, at(two, rounds), 2*(rate*40+49)/(1-noise))
	smooth := algos.FLEDGETheory{P: 1, Chosen: 1, K: 1, B: 1e12, L: 4, Data: 4}
	fledgeNear(t, "SecondStep, smooth", smooth.SecondStep(), 1.0/16)
	fledgeNear(t, "EnoughClients", algos.EnoughClients(16, 2, 3, 4, 0.5, 8), 4+4*(9+2)/0.25)
}

// The perturbed run differs from the other from the perturbation on, and by the perturbation there.
func TestPerturbationShowsAtItsNumber(t *testing.T) {
	proptest.Instances(t, 40, func(src *props.Source) {
		var rec props.Recorder
		p := drawCoupled(src, &rec, innerRuns)
		if p == nil {
			return
		}
		for m := range p.tau {
			if p.wn[m] != 0 {
				t.Errorf("‖w‖ = %v at step %d, before the perturbation at %d", p.wn[m], m, p.tau)
			}
		}
		if math.Abs(p.wn[p.tau]-p.re) > 1e-12 || len(p.x) != p.T*p.K+1 {
			t.Errorf("‖w‖ = %v at the perturbation, want %v; %d points, want %d", p.wn[p.tau], p.re,
				len(p.x), p.T*p.K+1)
		}
		for r, x := range p.pair.Run.X {
			if floats.Distance(x, p.x[r*p.K], 2) != 0 {
				t.Errorf("x^%d is not the point with number %d", r, r*p.K)
			}
		}
	})
}

func TestEachPhaseVisitsAllPatterns(t *testing.T) {
	count := map[[2]int]int{}
	eachPhase(func(p *phase) { count[[2]int{p.T6, p.K}]++ })
	want := map[[2]int]int{{2, 1}: 1 << 5, {2, 2}: 1 << 9, {2, 3}: 1 << 13,
		{3, 1}: 1 << 7, {3, 2}: 1 << 13}
	for k, n := range want {
		if count[k] != n || len(count) != len(want) {
			t.Errorf("%d patterns for T_6, K = %v, want %d; all: %v", count[k], k, n, count)
		}
	}
}

// Statements that are sharp are refuted as soon as their constant is changed a little.
func TestSecondOrderMutationsAreRefuted(t *testing.T) {
	proptest.Refuted(t, map[string]props.Check{
		"data differ by 1.5(1 − 1/m)L": formalLine(t, "dsecond-component-bounds/sharper", 0, "2(1",
			"1.5(1"),
		"parts without the noise of the last minibatches": formalLine(t,
			"dsecond-error-decomposition/corrected", 0, " + fresh", ""),
		"parts without the data of the round": formalLine(t,
			"dsecond-error-decomposition/corrected", 0, " + data", ""),
		"growth of the increments": formalLine(t, "dsecond-increment-chain/corrected", 0, "ηγ grown",
			"2ηγ grown"),
		"sign of the increments": formalLine(t, "dsecond-increment-chain/corrected", 0, "+ ηS", "− ηS"),
		"phases with one more large gradient": formalLine(t, "dsecond-phase-classes/corrected", 0,
			"(1 − calm)K T_6", "(1 − calm)(K T_6 + 1)"),
		"phases with a small gradient at the start": formalLine(t, "dsecond-phase-classes/corrected", 0,
			"(early − K T_6)", "(early − K)"),
		"the second saddle holds FLEDGE for a fifth of the law": formalLine(t, "saddle-chain/law-fledge",
			2, "(5/2)", "(1/5)"),
		"path of a phase with 2T_6K steps": formalLine(t, "dsecond-phase-path/corrected", 0,
			"T_6K", "T_6K/2"),
	})
}

// The instances of the simulations meet the conditions that they are drawn for, and go beyond those
// that are none of the statement.
func TestStuckInstancesMeetTheirConditions(t *testing.T) {
	for name, draw := range map[string]func(*props.Source) *stuckInstance{
		"closeConstants": func(src *props.Source) *stuckInstance { return drawClose(src, 1) },
		"pair":           func(src *props.Source) *stuckInstance { return drawClientPair(0)(src, 1) },
	} {
		t.Run(name, func(t *testing.T) {
			small := 0
			proptest.Instances(t, 200, func(src *props.Source) {
				in := draw(src)
				c := closeConstants.clients
				if name == "pair" {
					c = in.constant
				}
				if need := algos.EnoughClients(float64(in.P), c, in.zeta, in.L, in.delta,
					float64(in.K*in.b)); float64(in.p) < need || in.p > in.P {
					t.Errorf("p = %d of %d, want at least %v", in.p, in.P, need)
				}
				if in.b < in.K && in.K*in.b < in.data {
					small++
				}
				if name != "pair" && in.b < in.K || float64(in.K) > max(1, in.L/in.zeta) {
					t.Errorf("b = %d, K = %d, L/ζ = %v", in.b, in.K, in.L/in.zeta)
				}
			})
			if (small > 0) != (name == "pair") {
				t.Errorf("%d minibatches with b < K and data that it leaves out", small)
			}
		})
	}
	proptest.Instances(t, 100, func(src *props.Source) {
		in := drawProof(src, 1)
		if need := math.Sqrt(float64(in.P)) +
			sq(in.constant*in.zeta/in.delta); float64(in.p) < need || in.p > in.P {
			t.Errorf("p = %d of %d, want at least %v", in.p, in.P, need)
		}
		if drift := in.eta * in.zeta * float64(in.K); drift > 1/in.constant {
			t.Errorf("ηζK = %v, want at most %v", drift, 1/in.constant)
		}
	})
	sizes := map[bool]int{}
	proptest.Instances(t, 100, func(src *props.Source) {
		in := drawHomogeneous(src, 3, 0.25, problems.Sizes(9, 16), problems.Sizes(1, 24), 3)
		if in == nil {
			return
		}
		sizes[in.b >= in.K]++
		if in.zeta > in.delta/3 || in.tau > in.K {
			t.Errorf("ζ = %v, δ = %v; the perturbation is at %d of %d", in.zeta, in.delta,
				in.tau, in.K)
		}
	})
	if sizes[false] < 20 || sizes[true] < 20 {
		t.Errorf("minibatches with b ≥ K, and others: %v", sizes)
	}
}

// The moments of runs of FLEDGE in one dimension with data of two curvatures stay below the
// recursion for them, whose formulas are those of the ledger.
func TestMomentsOfSteps(t *testing.T) {
	const K, b, rounds, trials, s = 8, 3, 4, 400, 0.7
	const gamma, lambda, r = 0.1, 0.8, 1e-3
	size := K * b
	p, err := problems.Make([]int{size, size}, problems.QuadraticMean{Spectrum: []float64{-gamma},
		Within: problems.Heterogeneity{Pattern: problems.TwoCluster, Hessian: 2 * lambda}},
		rand.New(rand.NewPCG(1, 2)))
	if err != nil {
		t.Fatal(err)
	}
	text := props.Must(os.ReadFile("../docs/ledger/09-fledge-second-order.ledger"))
	said := strings.Join(strings.Fields(string(text)), " ")
	values := map[string]float64{"η": 1, "δ": gamma, "L": gamma + lambda, "K": K, "b": b, "s": s,
		"m": rounds}
	at := func(name, as string) float64 {
		if !strings.Contains(said, as) {
			t.Errorf("the ledger has no %s", as)
		}
		values[name] = formula.Must(Symbols("moments-of-steps"), as).At(values)
		return values[name]
	}
	at("q", "η²(L − δ)²(K − 1)/(Kb − 1)")
	added := at("φ", "(η²δ² + q)^{s/2}")
	shrinking := at("σ", "s((1 − s)((η²δ² + q)/2 − (2 − s)ηδ(η²δ² + 3q)/6) − ηδ)")

	// the law of the mean of b signs out of size, half of each
	choose := func(n, k int) float64 {
		return math.Round(math.Exp(lgamma(n+1) - lgamma(k+1) - lgamma(n-k+1)))
	}
	factor, fresh, total := 0.0, 0.0, 0.0
	for k := range b + 1 {
		w, h := choose(size/2, k)*choose(size/2, b-k)/choose(size, b), float64(2*k-b)/b
		total += w
		factor += w * math.Pow(1+gamma-lambda*h, s)
		fresh += w * math.Pow(math.Abs(gamma-lambda*h), s)
	}
	fledgeNear(t, "the law", total, 1)
	if shrinking > 1-factor || shrinking < 1-factor-0.02 || added < fresh || added > 1.2*fresh {
		t.Errorf("1 − E|1+ηδ−ηλh|^s at least %v, it is %v; E|ηδ−ηλh|^s at most %v, it is %v",
			shrinking, 1-factor, added, fresh)
	}
	// with 1/σ for the sum of a round, which it is at most where σ > 0
	sum := math.Abs(math.Expm1(K*math.Log1p(-shrinking)) / shrinking)
	bound := math.Exp(rounds*math.Log1p(math.Pow(gamma, s)*sum)) * rounds * K * (1 + added*sum)

	mean := 0.0
	for k := range trials {
		m := &algos.FLEDGE{Eta: 1, Chosen: 1, Batch: b, LocalSteps: K, Radius: r}
		if err := m.Start(algos.NewOracle(p), []float64{0}, algos.Seeded(uint64(k))); err != nil {
			t.Fatal(err)
		}
		for range rounds {
			m.Step()
		}
		mean += math.Pow(math.Abs(m.Point()[0])/r, s) / trials
	}
	if mean > bound || mean < bound/1e4 {
		t.Errorf("E(|x|/r)^s is about %v, the bound %v", mean, bound)
	}
}

func lgamma(n int) float64 { v, _ := math.Lgamma(float64(n)); return v }
