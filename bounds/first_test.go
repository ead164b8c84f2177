package bounds

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"pgregory.net/rapid"

	"sledge/algos"
	"sledge/algos/problems"
	"sledge/props"
	"sledge/props/formula"
	"sledge/props/proptest"
)

// The terms (a), (b), (c) of a path agree with plain sums over the sets of the tape, and add up to
// the error.
func TestTermsArePlainSums(t *testing.T) {
	proptest.Instances(t, 60, func(src *props.Source) {
		in := drawInstance(src, ranges{T: problems.Sizes(1, 15),
			option: algos.Option(src.Pick("option", "II", "I"))})
		p := in.follow(src.Key("run"))
		from := src.Int("from", 1, in.T)
		n, d := float64(in.P), in.d
		a, b, c := make([]float64, d), make([]float64, d), make([]float64, d)
		for step := from; step <= in.T; step++ {
			sets, count := p.tape.Unsampled(in.P, step, algos.Batches), p.unsampled(step)
			clear(a)
			clear(b)
			clear(c)
			for s := from; s <= step; s++ {
				if count[s] != len(sets[s]) {
					t.Fatalf("|Ĩ_%d^%d| = %d, the tape says %d", s, step, count[s], len(sets[s]))
				}
				rest := p.remaining(s, step)
				for _, i := range sets[s] {
					floats.AddScaled(a, 1/n, p.deviations()[s][i*d:(i+1)*d])
					floats.Sub(rest, p.deviations()[s][i*d:(i+1)*d])
				}
				if floats.Norm(rest, 2) > 1e-9*p.size {
					t.Errorf("the remaining sum at s = %d, t = %d is off by %v", s, step, rest)
				}
				for _, i := range p.tape.Batch(s) {
					floats.AddScaled(b, float64(count[s])/n/float64(in.b),
						p.deviations()[s][i*d:(i+1)*d])
				}
			}
			for _, i := range sets[1] {
				floats.AddScaled(c, 1/n, p.start[i*d:(i+1)*d])
			}
			sum := p.remainingTerm(from, step)
			near(t, "(a)", sum, a, p.size)
			sum = p.batchTerm(from, step, p.counted(step))
			near(t, "(b)", sum, b, p.size)
			sum = p.initialTerm(step)
			near(t, "(c)", sum, c, p.size)
			if from == 1 {
				floats.Add(sum, b)
				floats.Sub(sum, a)
				near(t, "(b) − (a) + (c)", sum, p.err[step], p.size)
			}
		}
	})
}

func near(t *testing.T, what string, got, want []float64, size float64) {
	t.Helper()
	if floats.Distance(got, want, 2) > 1e-10*size {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

func TestLongRun(t *testing.T) {
	for T := 0; T <= 10; T++ {
		for m := 1; m <= 11; m++ {
			for _, q := range []float64{0.1, 0.5, 0.8} {
				want := 0.0
				for outcome := range 1 << T {
					p, run, longest := 1.0, 0, 0
					for k := range T {
						if outcome>>k&1 == 1 {
							p *= q
							run++
							longest = max(longest, run)
						} else {
							p *= 1 - q
							run = 0
						}
					}
					if longest >= m {
						want += p
					}
				}
				if got := longRun(T, m, q); math.Abs(got-want) > 1e-12 {
					t.Errorf("run of %d in %d trials with probability %v: %v, want %v", m, T, q,
						got, want)
				}
			}
		}
	}
}

// K is the smallest factor that the argument for the potential allows: at the worst direction of
// (P, κ, X) with X² = κP it leaves no room.
func TestMovementFactorIsTight(t *testing.T) {
	for n := 2; n <= 30; n++ {
		for b := 1; b < n; b++ {
			errSq, rows := after(int64(n), int64(b))
			value := func(k int) float64 {
				e, _ := errSq[k].Float64()
				r, _ := rows[k].Float64()
				return e + 3/float64(n)*r
			}
			// In r = √P and κ = 1: value(1)r² + value(2) + 2·(−value(3)/2)·r ≤ (3/n)r² + K/b, worst
			// at the vertex.
			spare := 3/float64(n) - value(1)
			need := value(2) + value(3)*value(3)/4/spare
			if got := movementFactor(n, b, 1) / float64(b); math.Abs(got-need) > 1e-9*need {
				t.Errorf("n = %d, b = %d: K/b = %v, the potential needs %v", n, b, got, need)
			}
		}
	}
	if k := movementFactor(5, 5, 1); k != 0 {
		t.Errorf("K = %v for full batches", k)
	}
}

func TestOutcomesAreEquallyLikely(t *testing.T) {
	src := props.NewSource(func(c props.Choice) float64 { return c.Hi })
	in := drawInstance(src, ranges{P: problems.Sizes(4, 4), T: problems.Sizes(3, 3), quiet: true})
	in.b = 2
	seen := map[[3][2]int]int{}
	count := 0
	in.outcomes(func(p *path) {
		count++
		var k [3][2]int
		for s := range k {
			copy(k[s][:], p.tape.Batch(s+1))
		}
		seen[k]++
	})
	if want := 6 * 6 * 6; count != want || len(seen) != want {
		t.Errorf("%d runs, %d different, want %d", count, len(seen), want)
	}
}

// Option I pays for its start before T_1, and up to T_3 with clients.
func TestVarianceOfTheStart(t *testing.T) {
	sum, clients := &instance{P: 10, tuning: tuning{b: 5}},
		&instance{P: 12, tuning: tuning{p: 3, K: 2, b: 4}}
	for in, last := range map[*instance]int{sum: 3, clients: 8} {
		at := level{c1: 2, window: in.lemmaWindow(2)}
		for step := 1; step <= 12; step++ {
			if got := quantities["early"].of(&path{instance: in, level: at}, step, 0) == 1; got != (step <= last) {
				t.Errorf("step %d, K = %d, a window of %d: early is %v", step, in.K, at.window, got)
			}
		}
	}
}

// The coverage constant makes the window long enough: no component is left out of it in any but a
// few runs.
func TestWindowCoversComponents(t *testing.T) {
	runs, missed := 200, 0
	src := props.NewSource(func(c props.Choice) float64 { return c.Lo })
	in := drawInstance(src, ranges{P: problems.Sizes(10, 10), T: problems.Sizes(200, 200),
		quiet: true})
	in.b = 2
	t1 := coverWindow(in.P, in.b, coverageC1(in.P, in.T, 0.1))
	for k := range runs {
		p := in.followWith(algos.Seeded(uint64(k)))
		for step := t1; step <= in.T; step++ {
			if p.unsampled(step)[step-t1+1] > 0 {
				missed++
				break
			}
		}
	}
	if missed > runs/10 {
		t.Errorf(
			"%d of %d runs leave a component undrawn for T_1 = %d steps, more than "+
				"the probability 0.1 allows by far",
			missed, runs, t1)
	}
}

// Where both entries of the minimum in the step size are equal, nothing but its last bits can
// decide.
func TestRearrangedAtEquality(t *testing.T) {
	d := Symbols("saddle").MustDomain(
		"n ∈ [2, 1e6], b ∈ [1, n], C_1 ∈ [1, 50], ζ, L = C_1^{9/2}ζ√(120n)/(4b)")
	proptest.Check(t, props.Claim{ID: "rearranged", Expect: props.Consistent,
		Check: d.Implies("η = " + phaseStep + "; L/2 + 15C_1⁹ηζ²n/b² ≤ 1/(4η)")})
}

// The step sizes and the loss of the library are those of the formulas that claims are made of.
func TestFormulasOfTheLibrary(t *testing.T) {
	same := func(t *rapid.T, what string, got, want float64) {
		if math.Abs(got-want) > 1e-12*want {
			t.Errorf("%s: %v, the formula gives %v", what, got, want)
		}
	}
	step := formula.Must(Symbols("first"), "min{1/(2L), b/(C_1^{power} ζ √(60n))}").Of("n", "b", "C_1", "L",
		"ζ", "power")
	of := func(text string) *formula.Program {
		return formula.Must(Symbols("first"), text).Of("C_1", "L", "ζ", "ζ_d", "P", "p", "K", "b")
	}
	loss := of("120C_1⁹ζ²PK²/p² + 128C_1¹¹ζ_d²PK/(p²b) + 4ζ²K² + 4C_1²L²K/b")
	inverse := of("480C_1⁹ζ²PK²/p² + 604C_1¹¹ζ_d²PK/(p²b) + 16ζ²K² + 16C_1²L²K/b")
	rapid.Check(t, func(t *rapid.T) {
		draw := func(what string, lo, hi float64) float64 {
			return math.Exp(rapid.Float64Range(math.Log(lo), math.Log(hi)).Draw(t, what))
		}
		n := rapid.IntRange(1, 1e6).Draw(t, "n")
		b := rapid.IntRange(1, n).Draw(t, "b")
		c1, L, zeta := draw("C_1", 1, 400), draw("L", 1e-3, 1e3), draw("ζ", 1e-6, 1e3)
		same(t, "FirstStep of SLEDGE",
			algos.SLEDGETheory{N: n, B: b, C1: c1, L: L, Zeta: zeta}.FirstStep(algos.SLEDGEStepPower),
			step.At(float64(n), float64(b), c1, L, zeta, 4.5))
		s := algos.FLEDGETheory{C1: c1, L: L, Zeta: zeta, Data: draw("ζ_d", 1e-6, 1e3), P: float64(n),
			Chosen: float64(b), K: math.Ceil(draw("K", 1, 1e4)), B: math.Ceil(draw("b", 1, 1e4))}
		at := func(f *formula.Program) float64 {
			return f.At(c1, L, zeta, s.Data, s.P, s.Chosen, s.K, s.B)
		}
		same(t, "MovementLoss", s.MovementLoss(128), at(loss))
		same(t, "FirstStep", s.FirstStep(algos.FLEDGEStepPower, algos.FLEDGEStepData),
			min(1/(2*L), 1/math.Sqrt(at(inverse))))
	})
}
