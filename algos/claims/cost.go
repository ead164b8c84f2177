package claims

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"sledge/algos"
	"sledge/algos/algotest"
	"sledge/algos/internal/testproblem"
	"sledge/props"
	"sledge/props/keyed"
)

// cost is what a run of T steps should cost.
type cost struct {
	gradients int
	full      []int // steps with a full gradient, once for each; 0 is the initialisation
	kept      int   // vectors kept between steps
	scratch   int   // vectors of room for gradients besides; fixed scratch vectors not counted
	down, up  int   // federated: vectors sent
	clients   func(step int) (least, most int)
}

// costSlack is the number of fixed scratch vectors that a method may hold besides what it keeps and its minibatch
// gradients.
const costSlack = 8

// check compares an observation in dimension d with the cost.
func (b cost) check(rec *props.Recorder, o *algotest.Observation, d int) {
	recordCount(rec, "gradients counted by the oracle", o.Counts.Gradients, props.EQ, b.gradients)
	recordCount(rec, "gradients that the objective computed", o.Gradients, props.EQ, b.gradients)
	recordCount(rec, "memory between steps, in numbers", int64(o.Memory), props.EQ, b.kept*d)
	recordCount(rec, "numbers held at the end of a run, from below", int64(o.Held), props.GE, (b.kept-1)*d)
	recordCount(rec, "numbers held at the end of a run", int64(o.Held), props.LE, (b.kept+b.scratch+costSlack)*d)
	if b.clients != nil {
		recordCount(rec, "vectors sent by the server", o.Counts.Down, props.EQ, b.down)
		recordCount(rec, "vectors sent by clients", o.Counts.Up, props.EQ, b.up)
		for t, seen := range o.Clients {
			least, most := b.clients(t)
			recordCount(rec, "clients that compute in a round, from below", int64(seen), props.GE, least)
			recordCount(rec, "clients that compute in a round", int64(seen), props.LE, most)
		}
		return
	}
	recordCount(rec, "full gradients of a run", int64(len(o.Full)), props.EQ, len(b.full))
	for k := range min(len(o.Full), len(b.full)) {
		recordCount(rec, "step of a full gradient", int64(o.Full[k]), props.EQ, b.full[k])
	}
}

// costClaim is a claim about what a method costs.
func costClaim(id string, check props.Check) props.Binding {
	return props.Bind("cost/"+id, check)
}

const costEta = 0.05 // η, on which no cost depends

// costInstance is a drawn run on n components in dimension d: a method with minibatches of b < n/2 components, for
// which a minibatch is never a full gradient.
type costInstance struct {
	p             algos.Problem
	n, d, b, m, T int
	x0            []float64
	random        func() algos.Randomness
}

func drawCostInstance(src *props.Source) *costInstance {
	a := &costInstance{n: src.LogInt("n", 3, 60), d: src.Int("d", 1, 3)}
	a.b, a.m, a.T = src.Int("b", 1, (a.n-1)/2), src.Int("m", 1, 7), src.Int("T", 1, 16)
	r := src.Rand("objective")
	a.p = algos.Sum(testproblem.DrawWells(a.n, 1, a.d, r).FiniteSum())
	a.x0 = normal(a.d, r)
	key := keyed.New(r.Uint64())
	a.random = func() algos.Randomness { return algos.Keyed(key) }
	return a
}

// tiniestCosts are the sizes for which costs are settled.
const tiniestCosts = "all functions and random choices with n = 3, b = 1, T ≤ 3 and n = 5, b ≤ 2, T = 1, periods " +
	"up to 3"

// overFormalCosts settles what a method costs whose course does not depend on the gradients: by its runs over formal
// ones with all random choices.
func overFormalCosts(try func(a *costInstance, rec *props.Recorder)) props.Procedure {
	return props.ExactSizes(tiniestCosts, func(rec *props.Recorder) {
		for _, size := range [][3]int{{3, 1, 1}, {3, 1, 2}, {3, 1, 3}, {5, 1, 1}, {5, 2, 1}} {
			for m := 1; m <= 3; m++ {
				everyOutcome(func(o *outcome) {
					n, T := size[0], size[2]
					u := newUniversal(o, n, 1, 3*(T+1), 2*(T+1), 0)
					try(&costInstance{p: u, n: n, d: u.Dim(), b: size[1], m: m, T: T, x0: make([]float64, u.Dim()),
						random: o.run}, rec)
				})
			}
		}
	}).Procedure()
}

// tuning is that of a method with minibatches of size b.
func (a *costInstance) tuning() algos.Tuning { return algos.Tuning{Eta: costEta, Batch: a.b} }

// every lists the steps 0, m, 2m, … up to T.
func (a *costInstance) every(m int) (steps []int) {
	for t := 0; t <= a.T; t += m {
		steps = append(steps, t)
	}
	return steps
}

// refreshed is the cost of methods with a full gradient at steps 0, m, 2m, … and two minibatch gradients for each index
// at all others.
func (a *costInstance) refreshed(kept int) cost {
	full := a.every(a.m)
	return cost{gradients: a.n*len(full) + 2*a.b*(a.T+1-len(full)), full: full, kept: kept, scratch: 2 * a.b}
}

// largeRows is the number of gradients of a large sample that methods hold at a time.
const largeRows = 32

// coinRecorder remembers the coins that fell.
type coinRecorder struct {
	algos.Randomness
	coins []float64
}

func (f *coinRecorder) Uniform(p algos.Purpose) float64 {
	u := f.Randomness.Uniform(p)
	f.coins = append(f.coins, u)
	return u
}

// heads counts the coins below p.
func (f *coinRecorder) heads(p float64) (steps []int) {
	for t, u := range f.coins {
		if u < p {
			steps = append(steps, t+1)
		}
	}
	return steps
}

func costClaims() []props.Binding {
	const eta = costEta
	// fixed is the claim about a method whose cost is the same for all random choices.
	fixed := func(id string, of func(a *costInstance) (algos.Method, cost)) props.Binding {
		try := func(a *costInstance, rec *props.Recorder) {
			m, b := of(a)
			b.check(rec, props.Must(algotest.Observe(m, a.p, a.x0, a.random(), a.T)), a.d)
		}
		return costClaim(id, props.Settled(props.Identity(func(src *props.Source, rec *props.Recorder) {
			try(drawCostInstance(src), rec)
		}).Effort(0.2), overFormalCosts(try)))
	}
	never := []int(nil)
	out := []props.Binding{
		fixed("gd", func(a *costInstance) (algos.Method, cost) {
			return &algos.GD{Eta: eta}, cost{gradients: a.n * (a.T + 1), full: a.every(1), kept: 2}
		}),
		fixed("sgd", func(a *costInstance) (algos.Method, cost) {
			return &algos.SGD{Tuning: a.tuning()}, cost{gradients: a.b * (a.T + 1), full: never, kept: 2, scratch: 2 * a.b}
		}),
		fixed("noisy-sgd", func(a *costInstance) (algos.Method, cost) {
			m := &algos.NoisySGD{Eta: eta, Batch: a.b, Sigma: 1}
			return m, cost{gradients: a.b * (a.T + 1), full: never, kept: 2, scratch: 2 * a.b}
		}),
		fixed("svrg", func(a *costInstance) (algos.Method, cost) {
			return &algos.SVRG{Tuning: a.tuning(), Period: a.m}, a.refreshed(4)
		}),
		fixed("saga", func(a *costInstance) (algos.Method, cost) {
			m := &algos.SAGA{Tuning: a.tuning()}
			return m, cost{gradients: a.n + a.b*a.T, full: []int{0}, kept: a.n + 3, scratch: 2 * a.b}
		}),
		fixed("saga-two-draws", func(a *costInstance) (algos.Method, cost) {
			m := &algos.SAGA{Tuning: a.tuning(), TwoDraws: true}
			return m, cost{gradients: a.n + 2*a.b*a.T, full: []int{0}, kept: a.n + 3, scratch: 4 * a.b}
		}),
		fixed("sarah", func(a *costInstance) (algos.Method, cost) {
			return &algos.SARAH{Tuning: a.tuning(), Period: a.m}, a.refreshed(3)
		}),
		fixed("isarah", func(a *costInstance) (algos.Method, cost) {
			restarts := len(a.every(a.m))
			m := &algos.InexactSARAH{Tuning: a.tuning(), Restart: a.n - 1, Period: a.m}
			return m, cost{gradients: (a.n-1)*restarts + 2*a.b*(a.T+1-restarts), full: never, kept: 3,
				scratch: 2*a.b + min(a.n-1, largeRows)}
		}),
		fixed("spider", func(a *costInstance) (algos.Method, cost) {
			return &algos.SPIDER{Eta: eta, Eps: 0.1, Batch: a.b, Period: a.m}, a.refreshed(3)
		}),
		fixed("ssrgd", func(a *costInstance) (algos.Method, cost) {
			b := a.refreshed(3)
			b.full = []int{0}
			for t := 1; t <= a.T; t++ {
				if (t-1)%a.m == 0 { // the step that begins an epoch perturbs first
					b.full = append(b.full, t)
					b.gradients += a.n
				}
				if t%a.m == 0 {
					b.full = append(b.full, t)
				}
			}
			return &algos.SSRGD{Tuning: algos.Tuning{Eta: eta, Batch: a.b, Radius: 0.1}, Period: a.m}, b
		}),
		fixed("stabilized-svrg", func(a *costInstance) (algos.Method, cost) {
			b := a.refreshed(6)
			b.gradients += 2 * a.b * ((a.T + a.m - 1) / a.m)
			return &algos.StabilizedSVRG{Tuning: algos.Tuning{Eta: eta, Batch: a.b, Radius: 0.1}, Period: a.m, Threshold: 1e9}, b
		}),
		fixed("nested-svrg", func(a *costInstance) (algos.Method, cost) {
			b := cost{kept: 8, scratch: 2 * (a.b + 1), full: a.every(2 * (a.m + 1))}
			for t := range a.T + 1 {
				switch {
				case t%(2*(a.m+1)) == 0:
					b.gradients += a.n
				case t%(a.m+1) == 0:
					b.gradients += 2 * a.b
				default:
					b.gradients += 2
				}
			}
			return &algos.NestedSVRG{Eta: eta, Lengths: []int{2, a.m + 1}, Sizes: []int{a.b, 1}}, b
		}),
		fixed("zerosarah-1", func(a *costInstance) (algos.Method, cost) {
			m := &algos.ZeroSARAH{Tuning: a.tuning(), Option: algos.OptionI}
			return m, cost{gradients: a.b + 2*a.b*a.T, full: never, kept: a.n + 4, scratch: 2 * a.b}
		}),
		fixed("zerosarah-2", func(a *costInstance) (algos.Method, cost) {
			m := &algos.ZeroSARAH{Tuning: a.tuning()}
			return m, cost{gradients: a.n + 2*a.b*a.T, full: []int{0}, kept: a.n + 4, scratch: 2 * a.b}
		}),
		fixed("storm", func(a *costInstance) (algos.Method, cost) {
			m := &algos.STORM{Tuning: a.tuning(), A: 0.1, Adaptive: a.m%2 == 0}
			return m, cost{gradients: a.b + 2*a.b*a.T, full: never, kept: 3, scratch: 2 * a.b}
		}),
		fixed("hybrid-sgd", func(a *costInstance) (algos.Method, cost) {
			m := &algos.HybridSGD{Tuning: a.tuning(), Beta: 0.9, First: a.n - 1}
			return m, cost{gradients: a.n - 1 + 3*a.b*a.T, full: never, kept: 3, scratch: 4*a.b + min(a.n-1, largeRows)}
		}),
		fixed("sledge-1", func(a *costInstance) (algos.Method, cost) {
			m := &algos.SLEDGE{Eta: eta, Batch: a.b, Option: algos.OptionI}
			return m, cost{gradients: a.b + 2*a.b*a.T, full: never, kept: a.n + 4, scratch: 2 * a.b}
		}),
		fixed("sledge-2", func(a *costInstance) (algos.Method, cost) {
			m := &algos.SLEDGE{Eta: eta, Batch: a.b}
			return m, cost{gradients: a.n + 2*a.b*a.T, full: []int{0}, kept: a.n + 4, scratch: 2 * a.b}
		}),
		fixed("sledge-schedule", func(a *costInstance) (algos.Method, cost) {
			return &algos.SLEDGE{Eta: eta, Batch: a.b, Schedule: func(t int) int {
				if t%a.m == 0 {
					return 2 * a.b
				}
				return a.b
			}}, cost{gradients: a.n + 2*a.b*a.T + 2*a.b*(a.T/a.m), full: []int{0}, kept: a.n + 4, scratch: 4 * a.b}
		}),
		costClaim("pgd",
			props.Identity(func(src *props.Source, rec *props.Recorder) {
				a := drawCostInstance(src)
				threshold, demand := src.LogReal("threshold", 0.1, 1e3), src.LogReal("decrease", 1e-3, 1e3)
				o := props.Must(algotest.Observe(&algos.PGD{Eta: eta, Radius: 0.1, Threshold: threshold, Wait: a.m,
					Decrease: demand}, a.p, a.x0,
					a.random(), a.T))
				steps := a.T
				if o.Finished >= 0 {
					steps = o.Finished
				}
				b := cost{gradients: a.n, full: []int{0}, kept: 3}
				values, last := 0, -a.m
				for t := 1; t <= steps; t++ {
					if slices.ContainsFunc(o.Noise(t), func(xi []float64) bool { return floats.Norm(xi, 2) > 0 }) {
						b.full, b.gradients, values, last = append(b.full, t), b.gradients+a.n, values+a.n, t-1
					}
					if t-1-last == a.m && last >= 0 {
						values += a.n
					}
					b.full, b.gradients = append(b.full, t), b.gradients+a.n
				}
				b.check(rec, o, a.d)
				recordCount(rec, "component values", o.Counts.Values, props.EQ, values)
			}).Effort(0.1)),
		costClaim("spider-plus",
			props.Identity(func(src *props.Source, rec *props.Recorder) {
				a := drawCostInstance(src)
				m := &algos.SPIDERPlus{Eta: eta, Eps: 0.5, Batch: a.b, Period: a.m,
					Neon: algos.Neon2{L: 2, Rho: 5, Delta: src.Real("δ", 0.5, 1.5), C: 1}}
				o := props.Must(algotest.Observe(m, a.p, a.x0, a.random(), a.T))
				steps := a.T
				if o.Finished >= 0 {
					steps = o.Finished - 1 // the last step finds out that it need not move
				}
				b := cost{kept: 8, scratch: 2 * a.b}
				for t := 0; t <= steps; t += a.m {
					b.full = append(b.full, t)
				}
				b.gradients = a.n * len(b.full)
				large := 0
				for t := range a.T + 1 {
					for _, set := range append(o.Sets(t, algos.Batches), o.Sets(t, algos.SecondBatch)...) {
						b.gradients += 2 * len(set)
						if len(set) == a.n {
							large++
						}
					}
				}
				if large > 0 { // a search that verifies with all components looks like two full gradients
					o.Full = keepEvery(o.Full, b.full)
				}
				b.check(rec, o, a.d)
			}).Effort(0.1)),
		costClaim("neon2",
			props.Identity(func(src *props.Source, rec *props.Recorder) {
				a := drawCostInstance(src)
				m := algos.Neon2{L: 2, Rho: 5, Delta: src.Real("δ", 0.5, 1.9), C: src.Real("C", 0.5, 1.5),
					Failure: src.Real("p", 0.05, 0.5)}
				search := func(m algos.Neon2) (*algos.Tape, algos.Counts) {
					s := &searching{Neon2: m}
					o := algos.NewOracle(a.p)
					tape := props.Must(algos.RecordRun(s, o, a.x0, a.random(), 1))
					return tape, o.Counts()
				}
				tape, online := search(m)
				drawn := 0
				for _, set := range append(tape.Sets(1, algos.Batches), tape.Sets(1, algos.SecondBatch)...) {
					drawn += len(set)
				}
				recordCount(rec, "gradients, online", online.Gradients, props.EQ, 2*drawn)
				recordCount(rec, "full gradients, online", online.Full, props.EQ, 0)
				m.Deterministic = true
				_, full := search(m)
				recordCount(rec, "gradients, deterministic", full.Gradients, props.EQ, a.n*int(full.Full))
				steps := int(math.Ceil(m.C * math.Log(100*float64(a.d)/m.Failure) * math.Sqrt(m.L/m.Delta)))
				recordCount(rec, "full gradients, deterministic", full.Full, props.LE, steps+2)
			}).Effort(0.1)),
		costClaim("page",
			props.All(
				props.Identity(func(src *props.Source, rec *props.Recorder) {
					a := drawCostInstance(src)
					p, r := src.Real("p", 0, 1), &coinRecorder{Randomness: a.random()}
					o := props.Must(algotest.Observe(&algos.PAGE{Tuning: a.tuning(), Probability: p, Never: p == 0},
						a.p, a.x0, r, a.T))
					heads := r.heads(p)
					cost{gradients: a.n*(1+len(heads)) + 2*a.b*(a.T-len(heads)), full: append([]int{0}, heads...),
						kept: 3, scratch: 2 * a.b}.check(rec, o, a.d)
				}).Effort(0.2),
				props.Mean(func(src *props.Source) props.MeanTrial {
					const n, b, T = 16, 2, 10
					p := src.Real("p", 0.05, 0.95)
					objective := testproblem.Wells(n, 1, 1)
					return props.MeanTrial{What: "gradients in T steps", Relation: props.Near,
						Claimed: n + T*(p*n+2*(1-p)*b), Lo: n + 2*b*T, Hi: n + n*T,
						Tolerance: 0.05 * n * T, Regime: props.Where(props.Condition{What: "0 < p < 1", Met: 0 < p && p < 1}),
						Run: func(t props.Trial) float64 {
							o, m := algos.NewOracle(algos.Sum(objective.FiniteSum())),
								&algos.PAGE{Tuning: algos.Tuning{Eta: eta, Batch: b}, Probability: p}
							props.Must(algos.RecordRun(m, o, []float64{1}, algos.Keyed(t.Key), T))
							return float64(o.Counts().Gradients)
						}}
				}))),
	}
	return out
}

// searching is a curvature search as the only step of a method.
type searching struct {
	algos.GD
	algos.Neon2
	o *algos.Oracle
	r algos.Randomness
}

func (m *searching) Start(o *algos.Oracle, x0 []float64, r algos.Randomness) error {
	m.o, m.r = o, r
	m.Eta = 1
	// for the point only: this oracle counts nothing
	return m.GD.Start(algos.NewOracle(algos.Sum(testproblem.Wells(1, 1, len(x0)).FiniteSum())), x0, r)
}

func (m *searching) Step() {
	if _, _, err := m.Search(m.o, m.Point(), m.r); err != nil {
		panic(err)
	}
}

// keepEvery returns the elements of got that a merge with the sorted list want needs.
func keepEvery(got, want []int) (kept []int) {
	for _, t := range got {
		if len(kept) < len(want) && t == want[len(kept)] {
			kept = append(kept, t)
		}
	}
	return kept
}
