package algotest

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat/combin"

	"sledge/algos"
	"sledge/algos/problems"
	"sledge/props"
)

// never is an epoch length that no run reaches.
const never = 1 << 30

// arena is a drawn problem with what the two methods of an identity share.
type arena struct {
	p    algos.FiniteSum
	n, b int
	eta  float64
	x0   []float64
	seed uint64
	T    int
	size float64 // largest ‖∇f_i(x⁰)‖: rounding errors of gradients are relative to it, also where they cancel in the mean
}

// drawArena draws a finite sum, a batch size, a stable step size and a run length. The sum is nonquadratic, but quadratic if Hessians must agree
// (the only pattern is None), because ripples differ between components.
func drawArena(src *props.Source, l problems.Limits) arena {
	draw := problems.DrawRippled
	if len(l.Patterns) == 1 && l.Patterns[0] == problems.None {
		draw = problems.DrawQuadratic
	}
	p := draw(src, l)
	a := arena{p: p, n: p.Components(), x0: problems.DrawPoint(src, "x0", p.Dim(), 2), T: src.Int("T", 1, 12)}
	a.b = src.Int("b", 1, a.n)
	a.eta = src.Real("ηL", 0.05, 0.5) / p.Constants(a.x0).L.Value
	a.seed = uint64(src.Int("seed", 0, 1<<20))
	g := make([]float64, p.Dim())
	for i := range a.n {
		p.Gradient(g, a.x0, i)
		a.size = max(a.size, floats.Norm(g, 2))
	}
	return a
}

// tape runs a method on the arena. A nil randomness stands for the arena's own.
func (a arena) tape(m algos.Method, r algos.Randomness) *algos.Tape {
	if r == nil {
		r = algos.Seeded(a.seed)
	}
	t := props.Must(algos.RecordRun(m, algos.NewOracle(algos.Sum(a.p)), a.x0, r, a.T))
	return t
}

// agree records that two tapes have the same iterates and estimators. Differences of estimators are seen on the scale size of the gradients at x0, and
// those of iterates on that of the point and of a step.
func agree(rec *props.Recorder, got, want *algos.Tape, size, eta float64) {
	for t := range want.X {
		rec.EqualVectors("iterates", got.X[t], want.X[t]).Scale(floats.Norm(want.X[0], 2) + eta*size)
		rec.EqualVectors("estimators", got.V[t], want.V[t]).Scale(size)
	}
}

// coins is a randomness whose coins fall as the function says, in order from 1; everything else is as before.
type coins struct {
	algos.Randomness
	heads func(flip int) bool
	flips int
}

func (c *coins) Uniform(algos.Purpose) float64 {
	c.flips++
	if c.heads(c.flips) {
		return 0
	}
	return 1 - 1e-16
}

// identity is one equality of two methods: who, and who else with which randomness. The randomness of the second may depend on the tape of the first.
type pairing func(a arena) (got algos.Method, want algos.Method, replay func(*algos.Tape) algos.Randomness)

func plain(got, want algos.Method) (algos.Method, algos.Method, func(*algos.Tape) algos.Randomness) {
	return got, want, nil
}

func (f pairing) check(l problems.Limits) props.Check {
	return props.Identity(func(src *props.Source, rec *props.Recorder) {
		a := drawArena(src, l)
		got, want, replay := f(a)
		first := a.tape(got, nil)
		var r algos.Randomness
		if replay != nil {
			r = replay(first)
		}
		agree(rec, first, a.tape(want, r), a.size, a.eta)
	}).Effort(0.5)
}

func identityClaims() []props.Claim {
	gd := func(a arena) algos.Method { return &algos.GD{Eta: a.eta} }
	sarah := func(a arena, m int) *algos.SARAH { return &algos.SARAH{Eta: a.eta, Batch: a.b, Period: m} }
	sgd := func(a arena) algos.Method { return &algos.SGD{Eta: a.eta, Batch: a.b} }
	claim := func(id, statement string, expect props.Verdict, check props.Check) props.Claim {
		return props.Claim{ID: "identity/" + id, Part: "identities", Tier: 2, Kind: "identity", Statement: statement, Expect: expect, Check: check}
	}
	var degenerate []props.Check
	for _, f := range []func(arena) algos.Method{
		func(a arena) algos.Method { return &algos.SARAH{Eta: a.eta, Batch: a.b, Period: 1} },
		func(a arena) algos.Method { return &algos.SARAH{Eta: a.eta, Batch: a.n} },
		func(a arena) algos.Method { return &algos.SVRG{Eta: a.eta, Batch: a.b, Period: 1} },
		func(a arena) algos.Method { return &algos.SVRG{Eta: a.eta, Batch: a.n, Period: 4} },
		func(a arena) algos.Method { return &algos.SAGA{Eta: a.eta, Batch: a.n} },
		func(a arena) algos.Method { return &algos.PAGE{Eta: a.eta, Batch: a.b, Probability: 1} },
		func(a arena) algos.Method { return &algos.PAGE{Eta: a.eta, Batch: a.n} },
		func(a arena) algos.Method { return &algos.SLEDGE{Eta: a.eta, Batch: a.n, Option: algos.OptionI} },
		func(a arena) algos.Method { return &algos.SLEDGE{Eta: a.eta, Batch: a.n} },
		func(a arena) algos.Method {
			return &algos.ZeroSARAH{Eta: a.eta, Batch: a.n, Option: algos.OptionI, Lambda: 0.3}
		},
		func(a arena) algos.Method {
			return &algos.NestedSVRG{Eta: a.eta, Lengths: []int{2, 3}, Sizes: []int{a.n, a.n}}
		},
		func(a arena) algos.Method { return &algos.STORM{Eta: a.eta, Batch: a.n, A: 0.4} },
		func(a arena) algos.Method { return &algos.HybridSGD{Eta: a.eta, Batch: a.n, Beta: 0.7} },
	} {
		degenerate = append(degenerate, pairing(func(a arena) (algos.Method, algos.Method, func(*algos.Tape) algos.Randomness) {
			return plain(f(a), gd(a))
		}).check(problems.Limits{N: problems.Sizes(1, 12)}).(*props.Deterministic).Effort(0.1))
	}
	between := func(id, statement string, f pairing) props.Claim {
		return claim(id, statement, props.Consistent, f.check(problems.Limits{}))
	}
	out := []props.Claim{
		claim("gradient-descent", "With full batches, or with a full gradient at every step, SARAH, SVRG, SAGA, PAGE, SLEDGE I and II, ZeroSARAH, Nested SVRG, STORM and Hybrid-SGD are gradient descent",
			props.Consistent, props.All(degenerate...)),
		between("zerosarah-is-saga", "ZeroSARAH from a full table with λ = 1 is SAGA with one index set", func(a arena) (algos.Method, algos.Method, func(*algos.Tape) algos.Randomness) {
			return plain(&algos.ZeroSARAH{Eta: a.eta, Batch: a.b, Lambda: 1}, &algos.SAGA{Eta: a.eta, Batch: a.b})
		}),
		between("zerosarah-is-sarah", "ZeroSARAH from a full table with λ → 0 is SARAH with the full gradient at x⁰ only", func(a arena) (algos.Method, algos.Method, func(*algos.Tape) algos.Randomness) {
			return plain(&algos.ZeroSARAH{Eta: a.eta, Batch: a.b, Lambda: math.SmallestNonzeroFloat64}, sarah(a, never))
		}),
		between("page-is-sarah", "PAGE with p = 0 is SARAH with the full gradient at x⁰ only", func(a arena) (algos.Method, algos.Method, func(*algos.Tape) algos.Randomness) {
			return plain(&algos.PAGE{Eta: a.eta, Batch: a.b, Never: true}, sarah(a, never))
		}),
		between("page-with-scheduled-coins-is-sarah", "PAGE whose coin shows heads at every third step is SARAH with period 3", func(a arena) (algos.Method, algos.Method, func(*algos.Tape) algos.Randomness) {
			return sarah(a, 3), &algos.PAGE{Eta: a.eta, Batch: a.b, Probability: 0.5}, func(*algos.Tape) algos.Randomness {
				return &coins{Randomness: algos.Seeded(a.seed), heads: func(flip int) bool { return flip%3 == 0 }}
			}
		}),
		between("ssrgd-is-sarah", "SSRGD that never perturbs is SARAH", func(a arena) (algos.Method, algos.Method, func(*algos.Tape) algos.Randomness) {
			return plain(&algos.SSRGD{Eta: a.eta, Batch: a.b, Period: 3, Radius: 1, Threshold: -1}, sarah(a, 3))
		}),
		between("stabilized-svrg-is-svrg", "Stabilized SVRG that never perturbs is SVRG", func(a arena) (algos.Method, algos.Method, func(*algos.Tape) algos.Randomness) {
			return plain(&algos.StabilizedSVRG{Eta: a.eta, Batch: a.b, Period: 3}, &algos.SVRG{Eta: a.eta, Batch: a.b, Period: 3})
		}),
		between("storm-is-sgd", "STORM with a = 1 is minibatch SGD", func(a arena) (algos.Method, algos.Method, func(*algos.Tape) algos.Randomness) {
			return plain(&algos.STORM{Eta: a.eta, Batch: a.b, A: 1}, sgd(a))
		}),
		between("storm-is-sarah", "STORM with a = 0 from a full gradient is SARAH with the full gradient at x⁰ only", func(a arena) (algos.Method, algos.Method, func(*algos.Tape) algos.Randomness) {
			return plain(&algos.STORM{Eta: a.eta, Batch: a.b, FullStart: true}, sarah(a, never))
		}),
		between("hybrid-is-storm", "Hybrid-SGD with H = B and weight β is STORM with a = 1 − β", func(a arena) (algos.Method, algos.Method, func(*algos.Tape) algos.Randomness) {
			return plain(&algos.HybridSGD{Eta: a.eta, Batch: a.b, Beta: 0.7, SameBatch: true}, &algos.STORM{Eta: a.eta, Batch: a.b, A: 0.3, FullStart: true})
		}),
		between("hybrid-is-sarah", "Hybrid-SGD with β = 1 is SARAH with the full gradient at x⁰ only", func(a arena) (algos.Method, algos.Method, func(*algos.Tape) algos.Randomness) {
			return plain(&algos.HybridSGD{Eta: a.eta, Batch: a.b, Beta: 1}, sarah(a, never))
		}),
		between("hybrid-is-sgd", "Hybrid-SGD with β = 0 is minibatch SGD on its second index sets", func(a arena) (algos.Method, algos.Method, func(*algos.Tape) algos.Randomness) {
			hybrid := &algos.HybridSGD{Eta: a.eta, Batch: a.b, First: a.b}
			return hybrid, sgd(a), func(t *algos.Tape) algos.Randomness {
				s := algos.Script{algos.Batches: t.Sets(0, algos.Coins)}
				for k := 1; k <= a.T; k++ {
					s[algos.Batches] = append(s[algos.Batches], t.Sets(k, algos.SecondBatch)...)
				}
				return s
			}
		}),
		between("inexact-sarah-is-sarah", "Inexact SARAH with b₀ = n is SARAH", func(a arena) (algos.Method, algos.Method, func(*algos.Tape) algos.Randomness) {
			return plain(&algos.InexactSARAH{Eta: a.eta, Batch: a.b, Period: 3}, sarah(a, 3))
		}),
		between("nested-svrg-is-svrg", "Nested SVRG with one level of length m is SVRG with period m", func(a arena) (algos.Method, algos.Method, func(*algos.Tape) algos.Randomness) {
			return plain(&algos.NestedSVRG{Eta: a.eta, Lengths: []int{3}, Sizes: []int{a.b}}, &algos.SVRG{Eta: a.eta, Batch: a.b, Period: 3})
		}),
		between("svrg-is-sarah-for-two", "With period 2 SVRG and SARAH are the same", func(a arena) (algos.Method, algos.Method, func(*algos.Tape) algos.Randomness) {
			return plain(&algos.SVRG{Eta: a.eta, Batch: a.b, Period: 2}, sarah(a, 2))
		}),
		claim("first-estimator", "The first estimators after x⁰ of SLEDGE II, SARAH and ZeroSARAH from a full table agree", props.Consistent, props.Identity(func(src *props.Source, rec *props.Recorder) {
			a := drawArena(src, problems.Limits{})
			a.T = 1
			want := a.tape(sarah(a, never), nil)
			agree(rec, a.tape(&algos.SLEDGE{Eta: a.eta, Batch: a.b}, nil), want, a.size, a.eta)
			agree(rec, a.tape(&algos.ZeroSARAH{Eta: a.eta, Batch: a.b, Lambda: 0.3}, nil), want, a.size, a.eta)
		})),
		claim("control-later-estimators", "Negative control: the estimators of SLEDGE II and SARAH agree at every step", props.Refuted, pairing(func(a arena) (algos.Method, algos.Method, func(*algos.Tape) algos.Randomness) {
			return plain(&algos.SLEDGE{Eta: a.eta, Batch: a.b}, sarah(a, never))
		}).check(problems.Limits{})),
	}
	flat := problems.Limits{Patterns: []problems.Pattern{problems.None}}
	for _, m := range []struct {
		name, id string
		expect   props.Verdict
		make     func(a arena) algos.Method
	}{
		{"SLEDGE II", "sledge", props.Consistent, func(a arena) algos.Method { return &algos.SLEDGE{Eta: a.eta, Batch: a.b} }},
		{"SARAH", "sarah", props.Consistent, func(a arena) algos.Method { return sarah(a, 4) }},
		{"SVRG", "svrg", props.Consistent, func(a arena) algos.Method { return &algos.SVRG{Eta: a.eta, Batch: a.b, Period: 4} }},
		{"PAGE", "page", props.Consistent, func(a arena) algos.Method { return &algos.PAGE{Eta: a.eta, Batch: a.b} }},
		{"SAGA", "saga", props.Refuted, func(a arena) algos.Method { return &algos.SAGA{Eta: a.eta, Batch: a.b} }},
		{"ZeroSARAH with λ > 0", "zerosarah", props.Refuted, func(a arena) algos.Method {
			return &algos.ZeroSARAH{Eta: a.eta, Batch: a.b, Lambda: 0.5}
		}},
	} {
		id, control := "zero-heterogeneity-"+m.id, ""
		if m.expect == props.Refuted {
			id, control = "control-"+id, "Negative control: "
		}
		statement := control + "with ζ = 0 (components that differ by linear terms) " + m.name + " is gradient descent for every batch size"
		out = append(out, claim(id, statement, m.expect,
			pairing(func(a arena) (algos.Method, algos.Method, func(*algos.Tape) algos.Randomness) {
				return plain(m.make(a), gd(a))
			}).check(flat)))
	}
	out = append(out, claim("zero-heterogeneity-sledge-option-one", "With ζ = 0 the error of SLEDGE I is (|Ĩ_1^t|/n)·(I⁰ mean − mean over Ĩ_1^t): it is exactly 0 from the first step at which every index has been drawn",
		props.Consistent, props.Identity(func(src *props.Source, rec *props.Recorder) {
			a := drawArena(src, flat)
			a.T = 30
			t := a.tape(&algos.SLEDGE{Eta: a.eta, Batch: a.b, Option: algos.OptionI}, nil)
			mon, g := algos.NewMonitor(algos.Sum(a.p)), make([]float64, a.p.Dim())
			component := make([]float64, len(g))
			for s := 1; s <= a.T; s++ {
				missing := t.Unsampled(a.n, s, algos.Batches)[1]
				want := make([]float64, len(g))
				for _, i := range missing {
					a.p.Gradient(component, a.x0, i)
					floats.AddScaled(want, 1/float64(a.n), t.V[0])
					floats.AddScaled(want, -1/float64(a.n), component)
				}
				mon.Gradient(g, t.X[s])
				got := clone(t.V[s])
				floats.Sub(got, g)
				rec.EqualVectors("estimator error", got, want).Scale(a.size)
			}
		}).Effort(0.5)))
	return append(out, contractionClaims()...)
}

// contractionClaims are about the mean of the next error given the past, E[err_t | past] = (1−c) err_{t−1}, by enumeration of all next index sets.
func contractionClaims() []props.Claim {
	var out []props.Claim
	for _, m := range []struct {
		id, name, c string
		factor      func(a arena) float64
		make        func(a arena) algos.Method
	}{
		{"sledge-one", "SLEDGE I", "b/n", func(a arena) float64 { return float64(a.b) / float64(a.n) }, func(a arena) algos.Method {
			return &algos.SLEDGE{Eta: a.eta, Batch: a.b, Option: algos.OptionI}
		}},
		{"sledge-two", "SLEDGE II", "b/n", func(a arena) float64 { return float64(a.b) / float64(a.n) }, func(a arena) algos.Method { return &algos.SLEDGE{Eta: a.eta, Batch: a.b} }},
		{"zerosarah", "ZeroSARAH", "λ", func(arena) float64 { return 0.3 }, func(a arena) algos.Method {
			return &algos.ZeroSARAH{Eta: a.eta, Batch: a.b, Lambda: 0.3, Option: algos.OptionI}
		}},
		{"storm", "STORM", "a", func(arena) float64 { return 0.3 }, func(a arena) algos.Method { return &algos.STORM{Eta: a.eta, Batch: a.b, A: 0.3} }},
		{"sarah", "SARAH between full gradients", "0", func(arena) float64 { return 0 }, func(a arena) algos.Method { return &algos.SARAH{Eta: a.eta, Batch: a.b, Period: never} }},
		{"saga", "SAGA", "1", func(arena) float64 { return 1 }, func(a arena) algos.Method { return &algos.SAGA{Eta: a.eta, Batch: a.b} }},
		{"svrg", "SVRG between snapshots", "1", func(arena) float64 { return 1 }, func(a arena) algos.Method { return &algos.SVRG{Eta: a.eta, Batch: a.b, Period: never} }},
	} {
		out = append(out, props.Claim{
			ID: "identity/contraction-" + m.id, Part: "identities", Tier: 2, Kind: "moment",
			Statement: fmt.Sprintf("Given the past, the mean of the next estimator error of %s is (1 − %s) times the present error", m.name, m.c),
			Notes:     "The mean is taken over all index sets of the last step; runs up to it are drawn.",
			Expect:    props.Consistent,
			Check: props.Identity(func(src *props.Source, rec *props.Recorder) {
				a := drawArena(src, problems.Limits{N: problems.Sizes(2, 6)})
				t := a.tape(m.make(a), nil)
				mon, d := algos.NewMonitor(algos.Sum(a.p)), a.p.Dim()
				err := func(t *algos.Tape, s int) []float64 {
					g := make([]float64, d)
					mon.Gradient(g, t.X[s])
					floats.Scale(-1, g)
					floats.Add(g, t.V[s])
					return g
				}
				mean := make([]float64, d)
				subsets := combin.Combinations(a.n, a.b)
				for _, last := range subsets {
					s := algos.Script{}
					for k := range a.T {
						s[algos.Batches] = append(s[algos.Batches], t.Sets(k, algos.Batches)...)
					}
					s[algos.Batches] = append(s[algos.Batches], last)
					floats.AddScaled(mean, 1/float64(len(subsets)), err(a.tape(m.make(a), s), a.T))
				}
				want := err(t, a.T-1)
				floats.Scale(1-m.factor(a), want)
				rec.EqualVectors("mean of the next error", mean, want).Scale(a.size)
			}).Effort(0.3),
		})
	}
	return out
}
