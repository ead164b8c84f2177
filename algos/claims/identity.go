package claims

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"sledge/algos"
	"sledge/algos/problems"
	"sledge/props"
)

// never is an epoch length that no run reaches.
const never = 1 << 30

// instance is a drawn problem with what the two methods of an identity share.
type instance struct {
	p    algos.FiniteSum
	n, b int
	eta  float64
	// weight is the parameter in (0, 1] of the methods that take one, as λ of ZeroSARAH
	weight float64
	x0     []float64
	T      int
	// largest ‖∇f_i(x⁰)‖: rounding errors of gradients are relative to it, also where they cancel in the mean
	size   float64
	random func() algos.Randomness // the same random choices for each run
	exactness
}

// drawSmooth draws a problem that is not quadratic, but quadratic if Hessians must agree (the only pattern is None),
// because ripples differ between components.
func drawSmooth(src *props.Source, l problems.Limits) problems.Federated {
	if len(l.Patterns) == 1 && l.Patterns[0] == problems.None {
		return problems.DrawQuadratic(src, l)
	}
	return problems.DrawRippled(src, l)
}

// drawInstance draws a finite sum, a batch size, a stable step size and a run length.
func drawInstance(src *props.Source, l problems.Limits) instance {
	p := drawSmooth(src, l).ByClient()
	a := instance{p: p, n: p.Components(), x0: problems.DrawPoint(src, "x0", p.Dim(), 2), T: src.Int("T", 1, 12)}
	a.b = src.Int("b", 1, a.n)
	a.eta = src.Real("ηL", 0.05, 0.5) / p.Constants(a.x0).L.Value
	a.weight = src.Real("weight", 0.05, 1)
	seed := uint64(src.Int("seed", 0, 1<<20))
	a.random = func() algos.Randomness { return algos.Seeded(seed) }
	g := make([]float64, p.Dim())
	for i := range a.n {
		p.Gradient(g, a.x0, i)
		a.size = max(a.size, floats.Norm(g, 2))
	}
	return a
}

// minibatches is the tuning of a method with minibatches of size b.
func (a instance) minibatches(b int) algos.Tuning { return algos.Tuning{Eta: a.eta, Batch: b} }

// tape runs a method on the instance. A nil randomness stands for the instance's own.
func (a instance) tape(m algos.Method, r algos.Randomness) *algos.Tape {
	if r == nil {
		r = a.random()
	}
	return props.Must(algos.RecordRun(m, algos.NewOracle(algos.Sum(a.p)), a.x0, r, a.T))
}

// recordSameTapes records that two tapes have the same iterates and estimators. Differences of estimators are seen on
// the scale of the gradients at x0, and those of iterates on that of the point and of a step.
func (a instance) recordSameTapes(rec *props.Recorder, got, want *algos.Tape) {
	for t := range want.X {
		a.recordSame(rec, "iterates", got.X[t], want.X[t], floats.Norm(want.X[0], 2)+a.eta*a.size)
		a.recordSame(rec, "estimators", got.V[t], want.V[t], a.size)
	}
}

// tiniest are the sizes of runs over formal gradients: up to three steps with n ≤ 3, two with n = 4.
const tiniest = "all functions, points, step sizes and random choices with n ≤ 4, 1 ≤ b ≤ n and T ≤ 3 (n ≤ 3) or T ≤ 2"

// quarters are weights enough for an identity whose two sides are polynomials of degree T ≤ 3 in a weight: it holds for
// all of them.
var quarters = []float64{0.25, 0.5, 0.75, 1}

// overFormalGradients settles an identity of methods: by their runs over formal gradients with all random choices of
// the tiniest sizes, from n components on.
func overFormalGradients(flat bool, try func(a instance, rec *props.Recorder), weights ...float64) props.Procedure {
	if len(weights) == 0 {
		weights = []float64{1}
	}
	return props.ExactSizes(tiniest, func(rec *props.Recorder) {
		for n := 1; n <= 4; n++ {
			T := 3 - n/4
			for b := 1; b <= n; b++ {
				for _, weight := range weights {
					everyOutcome(func(o *outcome) {
						u := newUniversal(o, n, 1, 2*(T+1), 0, latticeOf(n, T))
						u.flat = flat
						try(instance{p: single{u}, n: n, b: b, eta: 1, weight: weight, x0: make([]float64, u.Dim()), T: T,
							size: 1, random: o.run, exactness: exactness{u}}, rec)
					})
				}
			}
		}
	}).Procedure()
}

// latticeOf is a common denominator of all coefficients in T steps: products of n, b ≤ n and the denominators 4 of the
// weights that methods take, once or twice in a step.
func latticeOf(n, T int) float64 {
	multiple := [...]float64{1, 1, 2, 6, 12}[n]
	return multiple * math.Pow(16*multiple*multiple, float64(T))
}

// scheduledCoins is a randomness whose coins fall as the function says, in order from 1; everything else is as before.
type scheduledCoins struct {
	algos.Randomness
	heads func(flip int) bool
	flips int
}

func (c *scheduledCoins) Uniform(algos.Purpose) float64 {
	c.flips++
	if c.heads(c.flips) {
		return 0
	}
	return 1 - 1e-16
}

// equality is one of two methods: who, and who else with which randomness. The randomness of the second may depend on
// the tape of the first.
type equality func(a instance) (got algos.Method, want algos.Method, replay func(*algos.Tape) algos.Randomness)

func sameRandomness(got, want algos.Method) (algos.Method, algos.Method, func(*algos.Tape) algos.Randomness) {
	return got, want, nil
}

// check compares the two.
func (f equality) check(l problems.Limits, weights ...float64) props.Check {
	return settledIdentity(l, 0.5, f.try, weights...)
}

// settledIdentity is an identity of runs, on drawn instances and over formal gradients.
func settledIdentity(l problems.Limits, effort float64, try func(a instance, rec *props.Recorder),
	weights ...float64) props.Check {
	return props.Settled(props.Identity(func(src *props.Source, rec *props.Recorder) {
		try(drawInstance(src, l), rec)
	}).Effort(effort), overFormalGradients(len(l.Patterns) == 1, try, weights...))
}

func (f equality) try(a instance, rec *props.Recorder) {
	got, want, replay := f(a)
	first := a.tape(got, nil)
	var r algos.Randomness
	if replay != nil {
		r = replay(first)
	}
	a.recordSameTapes(rec, first, a.tape(want, r))
}

func identityClaims() []props.Binding {
	gd := func(a instance) algos.Method { return &algos.GD{Eta: a.eta} }
	sarah := func(a instance, m int) *algos.SARAH {
		return &algos.SARAH{Tuning: a.minibatches(a.b), Period: m}
	}
	sgd := func(a instance) algos.Method { return &algos.SGD{Tuning: a.minibatches(a.b)} }
	claim := func(id string, check props.Check) props.Binding { return props.Bind("identity/"+id, check) }
	var degenerate []equality
	for _, f := range []func(instance) algos.Method{
		func(a instance) algos.Method {
			return &algos.SARAH{Tuning: a.minibatches(a.b), Period: 1}
		},
		func(a instance) algos.Method { return &algos.SARAH{Tuning: a.minibatches(a.n)} },
		func(a instance) algos.Method {
			return &algos.SVRG{Tuning: a.minibatches(a.b), Period: 1}
		},
		func(a instance) algos.Method {
			return &algos.SVRG{Tuning: a.minibatches(a.n), Period: 4}
		},
		func(a instance) algos.Method { return &algos.SAGA{Tuning: a.minibatches(a.n)} },
		func(a instance) algos.Method {
			return &algos.PAGE{Tuning: a.minibatches(a.b), Probability: 1}
		},
		func(a instance) algos.Method { return &algos.PAGE{Tuning: a.minibatches(a.n)} },
		func(a instance) algos.Method { return &algos.SLEDGE{Eta: a.eta, Batch: a.n, Option: algos.OptionI} },
		func(a instance) algos.Method { return &algos.SLEDGE{Eta: a.eta, Batch: a.n} },
		func(a instance) algos.Method {
			return &algos.ZeroSARAH{Tuning: a.minibatches(a.n), Option: algos.OptionI, Lambda: a.weight}
		},
		func(a instance) algos.Method {
			return &algos.NestedSVRG{Eta: a.eta, Lengths: []int{2, 3}, Sizes: []int{a.n, a.n}}
		},
		func(a instance) algos.Method {
			return &algos.STORM{Tuning: a.minibatches(a.n), A: a.weight}
		},
		func(a instance) algos.Method {
			return &algos.HybridSGD{Tuning: a.minibatches(a.n), Beta: a.weight}
		},
	} {
		degenerate = append(degenerate, func(a instance) (algos.Method, algos.Method, func(*algos.Tape) algos.Randomness) {
			return sameRandomness(f(a), gd(a))
		})
	}
	all := func(a instance, rec *props.Recorder) {
		for _, f := range degenerate {
			f.try(a, rec)
		}
	}
	between := func(id string, f equality, weights ...float64) props.Binding {
		return claim(id, f.check(problems.Limits{}, weights...))
	}
	out := []props.Binding{
		claim("gradient-descent", settledIdentity(problems.Limits{N: problems.Sizes(1, 12)}, 0.1, all, quarters...)),
		between("zerosarah-is-saga", func(a instance) (algos.Method, algos.Method, func(*algos.Tape) algos.Randomness) {
			return sameRandomness(&algos.ZeroSARAH{Tuning: a.minibatches(a.b), Lambda: 1},
				&algos.SAGA{Tuning: a.minibatches(a.b)})
		}),
		between("zerosarah-is-sarah", func(a instance) (algos.Method, algos.Method, func(*algos.Tape) algos.Randomness) {
			return sameRandomness(&algos.ZeroSARAH{Tuning: a.minibatches(a.b), Lambda: math.SmallestNonzeroFloat64},
				sarah(a, never))
		}),
		between("page-is-sarah", func(a instance) (algos.Method, algos.Method, func(*algos.Tape) algos.Randomness) {
			return sameRandomness(&algos.PAGE{Tuning: a.minibatches(a.b), Never: true}, sarah(a, never))
		}),
		between("page-with-scheduled-coins-is-sarah",
			func(a instance) (algos.Method, algos.Method, func(*algos.Tape) algos.Randomness) {
				return sarah(a, 3), &algos.PAGE{Tuning: a.minibatches(a.b), Probability: 0.5},
					func(*algos.Tape) algos.Randomness {
						return &scheduledCoins{Randomness: a.random(), heads: func(flip int) bool { return flip%3 == 0 }}
					}
			}),
		between("ssrgd-is-sarah", func(a instance) (algos.Method, algos.Method, func(*algos.Tape) algos.Randomness) {
			return sameRandomness(&algos.SSRGD{Tuning: algos.Tuning{Eta: a.eta, Batch: a.b, Radius: 1}, Period: 3,
				Threshold: -1}, sarah(a, 3))
		}),
		between("stabilized-svrg-is-svrg", func(a instance) (algos.Method, algos.Method, func(*algos.Tape) algos.Randomness) {
			return sameRandomness(&algos.StabilizedSVRG{Tuning: a.minibatches(a.b), Period: 3},
				&algos.SVRG{Tuning: a.minibatches(a.b), Period: 3})
		}),
		between("storm-is-sgd", func(a instance) (algos.Method, algos.Method, func(*algos.Tape) algos.Randomness) {
			return sameRandomness(&algos.STORM{Tuning: a.minibatches(a.b), A: 1}, sgd(a))
		}),
		between("storm-is-sarah", func(a instance) (algos.Method, algos.Method, func(*algos.Tape) algos.Randomness) {
			return sameRandomness(&algos.STORM{Tuning: a.minibatches(a.b), FullStart: true}, sarah(a, never))
		}),
		between("hybrid-is-storm", func(a instance) (algos.Method, algos.Method, func(*algos.Tape) algos.Randomness) {
			return sameRandomness(&algos.HybridSGD{Tuning: a.minibatches(a.b), Beta: 1 - a.weight, SameBatch: true},
				&algos.STORM{Tuning: a.minibatches(a.b), A: a.weight, FullStart: true})
		}, quarters...),
		between("hybrid-is-sarah", func(a instance) (algos.Method, algos.Method, func(*algos.Tape) algos.Randomness) {
			return sameRandomness(&algos.HybridSGD{Tuning: a.minibatches(a.b), Beta: 1}, sarah(a, never))
		}),
		between("hybrid-is-sgd", func(a instance) (algos.Method, algos.Method, func(*algos.Tape) algos.Randomness) {
			hybrid := &algos.HybridSGD{Tuning: a.minibatches(a.b), First: a.b}
			return hybrid, sgd(a), func(t *algos.Tape) algos.Randomness {
				s := algos.Script{algos.Batches: t.Sets(0, algos.Coins)}
				for k := 1; k <= a.T; k++ {
					s[algos.Batches] = append(s[algos.Batches], t.Sets(k, algos.SecondBatch)...)
				}
				return s
			}
		}),
		between("inexact-sarah-is-sarah", func(a instance) (algos.Method, algos.Method, func(*algos.Tape) algos.Randomness) {
			return sameRandomness(&algos.InexactSARAH{Tuning: a.minibatches(a.b), Period: 3}, sarah(a, 3))
		}),
		between("nested-svrg-is-svrg", func(a instance) (algos.Method, algos.Method, func(*algos.Tape) algos.Randomness) {
			return sameRandomness(&algos.NestedSVRG{Eta: a.eta, Lengths: []int{3}, Sizes: []int{a.b}},
				&algos.SVRG{Tuning: a.minibatches(a.b), Period: 3})
		}),
		between("svrg-is-sarah-for-two", func(a instance) (algos.Method, algos.Method, func(*algos.Tape) algos.Randomness) {
			return sameRandomness(&algos.SVRG{Tuning: a.minibatches(a.b), Period: 2}, sarah(a, 2))
		}),
		claim("first-estimator", settledIdentity(problems.Limits{}, 1, func(a instance, rec *props.Recorder) {
			a.T = 1
			want := a.tape(sarah(a, never), nil)
			a.recordSameTapes(rec, a.tape(&algos.SLEDGE{Eta: a.eta, Batch: a.b}, nil), want)
			a.recordSameTapes(rec, a.tape(&algos.ZeroSARAH{Tuning: a.minibatches(a.b), Lambda: a.weight}, nil), want)
		}, quarters...)),
		claim("control-later-estimators",
			equality(func(a instance) (algos.Method, algos.Method, func(*algos.Tape) algos.Randomness) {
				return sameRandomness(&algos.SLEDGE{Eta: a.eta, Batch: a.b}, sarah(a, never))
			}).check(problems.Limits{})),
	}
	flat := problems.Limits{Patterns: []problems.Pattern{problems.None}}
	for _, m := range []struct {
		id      string
		control bool // a statement that is to fail
		make    func(a instance) algos.Method
	}{
		{"sledge", false, func(a instance) algos.Method { return &algos.SLEDGE{Eta: a.eta, Batch: a.b} }},
		{"sarah", false, func(a instance) algos.Method { return sarah(a, 4) }},
		{"svrg", false, func(a instance) algos.Method {
			return &algos.SVRG{Tuning: a.minibatches(a.b), Period: 4}
		}},
		{"page", false, func(a instance) algos.Method { return &algos.PAGE{Tuning: a.minibatches(a.b)} }},
		{"saga", true, func(a instance) algos.Method { return &algos.SAGA{Tuning: a.minibatches(a.b)} }},
		{"zerosarah", true, func(a instance) algos.Method {
			return &algos.ZeroSARAH{Tuning: a.minibatches(a.b), Lambda: 0.5}
		}},
	} {
		id := "zero-heterogeneity-" + m.id
		if m.control {
			id = "control-" + id
		}
		out = append(out, claim(id,
			equality(func(a instance) (algos.Method, algos.Method, func(*algos.Tape) algos.Randomness) {
				return sameRandomness(m.make(a), gd(a))
			}).check(flat)))
	}
	return append(out, claim("zero-heterogeneity-sledge-option-one",
		settledIdentity(flat, 0.5, func(a instance, rec *props.Recorder) {
			if a.formal == nil {
				a.T = 30
			}
			t := a.tape(&algos.SLEDGE{Eta: a.eta, Batch: a.b, Option: algos.OptionI}, nil)
			mon, g := algos.NewMonitor(algos.Sum(a.p)), make([]float64, a.p.Dim())
			component := make([]float64, len(g))
			for s := 1; s <= a.T; s++ {
				want := make([]float64, len(g))
				for _, i := range t.Unsampled(a.n, s, algos.Batches)[1] {
					a.p.Gradient(component, a.x0, i)
					floats.AddScaled(want, 1/float64(a.n), t.V[0])
					floats.AddScaled(want, -1/float64(a.n), component)
				}
				mon.Gradient(g, t.X[s])
				got := slices.Clone(t.V[s])
				floats.Sub(got, g)
				a.recordSame(rec, "estimator error", got, want, a.size)
			}
		})))
}
