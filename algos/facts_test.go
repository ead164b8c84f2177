package algos_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"sledge/algos"
	"sledge/algos/problems"
)

// build makes a certified problem and the facts of a run on it that aims at a tenth of the gradient
// norm at the start.
func build(t *testing.T, family string, s problems.Setting) (*problems.Problem, algos.Facts) {
	t.Helper()
	p, err := problems.Build(family, s, rand.New(rand.NewPCG(3, 5)))
	if err != nil {
		t.Fatal(err)
	}
	f := p.Facts()
	f.Eps = algos.Known(0.1 * algos.NewMonitor(p.Objective).GradientNorm(p.X0))
	f.Steps, f.LocalSteps = 500, 4
	return p, f
}

// Runs as prescribed never diverge. On quadratics they make the gradient smaller; on sums with a
// nonconvex PL mean, where the gradient may grow at first, f.
func TestPrescribedRunsDescend(t *testing.T) {
	for i, c := range []struct {
		family string
		goal   algos.Goal
		zeta   float64 // negative for none
	}{{"quadratic", algos.Stationary, -1}, {"quadratic", algos.SecondOrder, 0.1},
		{"quadratic", algos.UnderPL, 0.1},
		{"pl", algos.Stationary, 0.1}, {"pl", algos.UnderPL, -1}} {
		if testing.Short() && i%2 > 0 {
			continue
		}
		sum, facts := build(t, c.family, problems.Setting{N: 40, D: 4, Cond: 5, Zeta: c.zeta})
		fed, fedFacts := build(t, c.family,
			problems.Setting{N: 16, D: 4, Cond: 5, Zeta: c.zeta, Clients: 9})
		facts.Goal, fedFacts.Goal = c.goal, c.goal
		made := 0
		for _, known := range algos.Catalogue() {
			if known.Prescribed == nil {
				continue
			}
			what := fmt.Sprintf("%s, %+v", known.Name, c)
			problem, f, steps := sum, facts, 1000
			if known.Federated {
				problem, f, steps = fed, fedFacts, 500
			}
			p, err := known.Prescribe(f)
			if err != nil {
				t.Errorf("%s: %v", what, err)
				continue
			}
			made++
			tr, err := algos.Run(context.Background(), p.Method, problem.Objective, problem.X0,
				algos.Seeded(2), algos.Limits{Steps: steps, Every: 100})
			if err != nil {
				t.Errorf("%s: %v", what, err)
				continue
			}
			first, last := tr.Records[0], tr.Records[len(tr.Records)-1]
			descended := last.Value < first.Value &&
				(c.family == "pl" || last.GradientNorm < 0.95*first.GradientNorm)
			if tr.Stopped == "diverged" || !descended {
				t.Errorf("%s ends %q at f = %.3g from %.3g, gradient norm %.3g from %.3g, η = %.3g",
					what, tr.Stopped, last.Value, first.Value, last.GradientNorm,
					first.GradientNorm, p.Eta)
			}
			if !(p.Eta > 0) || p.By == "" {
				t.Errorf("%s: step size %v by %q", what, p.Eta, p.By)
			}
		}
		if made < 20 {
			t.Errorf("only %d methods were prescribed", made)
		}
	}
}

func TestPrescriptionsSayWhatIsMissing(t *testing.T) {
	for _, c := range []struct {
		name  string
		facts algos.Facts
		want  string
	}{
		{"SARAH", algos.Facts{N: 9},
			"the theory of SARAH needs L (the smoothness constant), which is not known"},
		{"SGD", algos.Facts{N: 9, L: algos.Known(1)},
			"the theory of SGD needs σ (the spread of component gradients along the run) and ε (the gradient norm " +
				"to aim at), which are not known"},
		{"SGD", algos.Facts{N: 9, L: algos.Known(math.Inf(1)), Spread: algos.Known(0),
			Eps: algos.Known(1)}, "needs L"},
		{"PAGE", algos.Facts{N: 9, Goal: algos.UnderPL, L: algos.Known(1), Mu: algos.Known(0)},
			"needs μ"},
		{"SPIDER-SFO+", algos.Facts{N: 9, L: algos.Known(1), Eps: algos.Known(1)},
			"needs ρ (the Hessian Lipschitz constant), which"},
		{"Noisy SGD", algos.Facts{N: 9, L: algos.Known(1)},
			"the theory of Noisy SGD gives no constants that are known here"},
		{"Hybrid-SGD", algos.Facts{N: 9, L: algos.Known(1)}, "needs T (the number of steps)"},
		{"FedAvg", algos.Facts{Clients: 9, L: algos.Known(1), Eps: algos.Known(1),
			Spread: algos.Known(1)},
			"needs σ_ij"},
	} {
		known, _ := algos.ByName(c.name)
		if _, err := known.Prescribe(c.facts); err == nil ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", c.name, err, c.want)
		}
	}
	sgd, _ := algos.ByName("SGD")
	if got := strings.Join(sgd.Needs(), " "); got != "L σ ε" {
		t.Errorf("SGD needs %s", got)
	}
}

// What is prescribed follows the facts: ζ and δ have stand-ins, batch sizes are kept within what a
// theorem allows, and both noises of local steps count.
func TestPrescriptionsFollowTheFacts(t *testing.T) {
	prescribe := func(name string, f algos.Facts) algos.Prescription {
		known, _ := algos.ByName(name)
		p, err := known.Prescribe(f)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	one, eps := algos.Known(1), algos.Known(0.1)
	near := func(what string, got, want float64) {
		t.Helper()
		if math.Abs(got-want) > 1e-12*want {
			t.Errorf("%s: %v, want %v", what, got, want)
		}
	}
	near("BVR-L-SGD without ζ", prescribe("BVR-L-SGD",
		algos.Facts{Clients: 4, LocalSteps: 8, L: one}).Eta, 1.0/64)
	near("BVR-L-SGD with ζ", prescribe("BVR-L-SGD",
		algos.Facts{Clients: 4, LocalSteps: 8, L: one, Zeta: algos.Known(0.25)}).Eta, 1.0/8)
	near("SVRG with b beyond n^{2/3}",
		prescribe("SVRG", algos.Facts{N: 27, Batch: 20, L: one}).Eta, 0.25)
	near("SGD under PL", prescribe("SGD",
		algos.Facts{Goal: algos.UnderPL, N: 9, L: one, Mu: algos.Known(0.5), Spread: one,
			Eps: eps}).Eta, 3*0.5*0.005)
	near("FedAvg", prescribe("FedAvg",
		algos.Facts{Clients: 9, Chosen: 4, LocalSteps: 2, Batch: 8, L: one,
			Spread: algos.Known(3), Sigma: algos.Known(16), Eps: eps}).Eta, 4*0.01/25/2)
	second := algos.Facts{N: 16, Dim: 2, L: one, Rho: algos.Known(0), Eps: eps}
	near("curvature of quadratics",
		prescribe("SPIDER-SFO+", second).Method.(*algos.SPIDERPlus).Neon.Delta, 0.1)
	second.Rho = algos.Known(0.4)
	near("classical curvature", prescribe("SPIDER-SFO+",
		second).Method.(*algos.SPIDERPlus).Neon.Delta, 0.2)
	second.Curvature = algos.Known(0.3)
	near("given curvature", prescribe("SPIDER-SFO+", second).Method.(*algos.SPIDERPlus).Neon.Delta,
		0.3)
	near("and a Hessian Lipschitz constant to match",
		prescribe("SPIDER-SFO+", second).Method.(*algos.SPIDERPlus).Neon.Rho, 0.9)
}
