package algos_test

import (
	"context"
	"math"
	"testing"

	"sledge/algos"
)

func TestPrescribedParameters(t *testing.T) {
	sarah, ssrgd, storm := algos.PrescribedSARAH(100, 1),
		algos.PrescribedSSRGD(1e6, 2, 0.5, 0.1, 0.04, 3),
		algos.PrescribedSTORM(1, 1, 1)
	stabilized, inexact := algos.PrescribedStabilizedSVRG(27, 2, 4, 0.01, 2),
		algos.PrescribedInexactSARAH(100, 1, 1, 1)
	for _, c := range []struct {
		what      string
		got, want float64
	}{
		{"SGD, smooth", algos.PrescribedSGD(4, 2, 1, 100).Eta, 0.5},
		{"SGD, noisy", algos.PrescribedSGD(4, 2, 3, 0.1).Eta, 4 * 0.01 / (2 * 2 * 9)},
		{"SGD under PL", algos.PrescribedPLSGD(4, 2, 0.5, 3, 0.1).Eta, 4 * 0.5 * 0.1 / (2 * 9)},
		{"SVRG", algos.PrescribedSVRG(8, 1, 2).Eta, 1.0 / 32},
		{"SVRG period", float64(algos.PrescribedSVRG(8, 1, 2).Period), 10},
		{"SAGA", algos.PrescribedSAGA(27, 3, 1).Eta, 1.0 / 9},
		{"SARAH", sarah.Eta, 2 / (1 + math.Sqrt(1+4*90.0/99))},
		{"SARAH period", float64(sarah.Period), 10},
		{"SARAH with one component", algos.PrescribedSARAH(1, 4).Eta, 0.25},
		{"iSARAH restart", float64(inexact.Restart), 2},
		{"iSARAH", inexact.Eta, 0.5},
		{"SSRGD batch", float64(ssrgd.Batch), 1000},
		{"SSRGD radius", ssrgd.Radius, 0.04 * 0.04 * 0.04 / (0.25 * 0.1)},
		{"SSRGD wait", float64(ssrgd.Wait), math.Ceil(3 / (ssrgd.Eta * 0.04))},
		{"PAGE", algos.PrescribedPAGE(100, 1).Eta, 0.5},
		{"PAGE under PL", algos.PrescribedPLPAGE(100, 1, 1).Eta, 1.0 / 22},
		{"STORM k", storm.K, 1},
		{"STORM c", storm.C, 28 + 1.0/7},
		{"STORM w", storm.W, math.Pow((28+1.0/7)/4, 3)},
		{"Hybrid-SGD β", algos.PrescribedHybridSGD(2, 4, 24, 1).Beta, 0.9},
		{"Hybrid-SGD", algos.PrescribedHybridSGD(2, 4, 24, 1).Eta,
			2 / (1 + math.Sqrt(1+4*0.81/(2*0.19)))},
		{"Stabilized SVRG batch", float64(stabilized.Batch), 9},
		{"Stabilized SVRG radius", stabilized.Radius, 0.05 / 4},
		{"Nested SVRG", algos.PrescribedNestedSVRG(100, 2).Eta, 1.0 / 120},
		{"SPIDER-SFO+", algos.PrescribedSPIDERPlus(100, 2, 1, 0.1, 2, 0.3).Eta, 0.25},
		{"FedAvg, smooth", algos.PrescribedFedAvg(2, 5, 1, 1e-3, 1).Eta, 1.0 / 40},
		{"FedAvg, sampled", algos.PrescribedFedAvg(2, 5, 1, 4, 0.1).Eta, 2 * 0.01 / 16 / 5},
		{"FedAvg, drifting", algos.PrescribedFedAvg(1000, 5, 1, 4, 0.1).Eta, 0.1 / 4 / 5},
		{"SCAFFOLD", algos.PrescribedSCAFFOLD(8, 1, 2, 3).Eta, 1.0 / 576},
		{"MimeSGD under PL", algos.PrescribedPLMime(3, 2, 2, 4, 0.1).Eta,
			3 * 0.01 / (2 * 2 * 16) / 2},
		{"MimeMVR a", algos.PrescribedMimeMVR(9, 4, 2, 1, 1, 2, 0.5).A, 1.0 / 16},
		{"MimeMVR", algos.PrescribedMimeMVR(9, 4, 2, 1, 1, 2, 0.5).Eta, 1.0 / 32},
		{"MimeMVR without heterogeneity", algos.PrescribedMimeMVR(9, 4, 2, 1, 0, 2, 0.5).Eta, 0.25},
		{"BVR-L-SGD", algos.PrescribedBVRLSGD(8, 1, 0.5).Eta, 1.0 / 16},
		{"BVR-L-SGD without heterogeneity", algos.PrescribedBVRLSGD(8, 2, 0).Eta, 1.0 / 8},
	} {
		if math.Abs(c.got-c.want) > 1e-14*c.want {
			t.Errorf("%s: %v, want %v", c.what, c.got, c.want)
		}
	}
	if golden := (math.Sqrt(5) - 1) / 4; ssrgd.Eta < golden || ssrgd.Eta > 1.01*golden {
		t.Errorf("SSRGD: %v, a little more than (√5−1)/(2L) = %v expected", ssrgd.Eta, golden)
	}
}

// The step sizes that are not compared with the originals, or from public code, satisfy the
// condition of a Lyapunov argument, with f plus a multiple of the squared distance to the snapshot
// (to the points of the table), or of the estimator's squared error, as the function that falls.
func TestPrescribedStepsMeetTheirConditions(t *testing.T) {
	const L = 1.7
	for _, n := range []int{1, 2, 3, 5, 8, 27, 100, 999, 1000, 100000} {
		most := max(1, int(math.Cbrt(float64(n)*float64(n))+1e-9))
		for _, b := range []int{1, max(1, most/2), most} {
			// With E‖v‖² ≤ 2‖∇f‖² + (2L²/b)‖x−x̃‖² and ‖x⁺−x̃‖² ≤ η²‖v‖² + (1+ηβ)‖x−x̃‖² +
			// (η/β)‖∇f‖² in the mean, β = L/n^{1/3}.
			beta := L / math.Cbrt(float64(n))
			fall := func(eta, c float64) float64 { return 1 - c/beta - eta*L - 2*c*eta }
			svrg := algos.PrescribedSVRG(n, b, L)
			least, c := 1.0, 0.0
			for range svrg.Period {
				least = min(least, fall(svrg.Eta, c))
				c = c*(1+svrg.Eta*beta+2*svrg.Eta*svrg.Eta*L*L/float64(b)) +
					svrg.Eta*svrg.Eta*L*L*L/float64(b)
			}
			if least < 0.5 {
				t.Errorf("SVRG, n = %d, b = %d: only %v of −η‖∇f‖² is left", n, b, least)
			}
			saga := algos.PrescribedSAGA(n, b, L)
			// the share of the table that a step renews, with replacement
			fresh := 1 - math.Pow(1-1/float64(n), float64(b))
			grow := 1 - fresh + saga.Eta*beta + 2*saga.Eta*saga.Eta*L*L/float64(b)
			if grow >= 1 {
				t.Errorf("SAGA, n = %d, b = %d: the table's distance grows by %v a step",
					n, b, grow)
			} else if left := fall(saga.Eta,
				saga.Eta*saga.Eta*L*L*L/float64(b)/(1-grow)); left < 0.2 {
				t.Errorf("SAGA, n = %d, b = %d: only %v of −η‖∇f‖² is left", n, b, left)
			}
		}
		// An error that satisfies E‖e⁺‖² ≤ (1−p)‖e‖² + aL²‖x⁺−x‖² costs γ = η/(2p) in f + γ‖e‖²;
		// 1/(2η) − L/2 − γaL² is to be at least 0.
		page := algos.PrescribedPAGE(n, L)
		a := (1 - page.Probability) / (page.Probability * float64(page.Batch))
		if left := 1/(2*page.Eta) - L/2 - page.Eta*a*L*L/2; left < -1e-12 {
			t.Errorf("PAGE, n = %d: %v", n, left)
		}
		// Under PL with ημ ≤ p/2 it costs twice as much.
		pl := algos.PrescribedPLPAGE(n, L, L)
		if left := 1/(2*pl.Eta) - L/2 - pl.Eta*a*L*L; left < -1e-12 ||
			pl.Eta*L > pl.Probability/2+1e-12 {
			t.Errorf("PAGE under PL, n = %d: %v", n, left)
		}
		// ZeroSARAH: E‖e⁺‖² ≤ (1−λ)²‖e‖² + (2/b)(L²‖x⁺−x‖² + λ²W), and W, the mean squared distance
		// of the table from the gradients, satisfies W⁺ ≤ (1 − b/(2n))W + (3n/b)L²‖x⁺−x‖².
		zero := algos.PrescribedZeroSARAH(n, L, algos.OptionII)
		nf, b := float64(n), float64(zero.Batch)
		lambda := b / (2 * nf)
		gamma := zero.Eta / 2 / (1 - (1-lambda)*(1-lambda))
		table := gamma * 2 * lambda * lambda / b / (b / (2 * nf))
		if left := 1/(2*zero.Eta) - L/2 - gamma*2*L*L/b - table*3*nf/b*L*L; left < -1e-9 {
			t.Errorf("ZeroSARAH, n = %d: %v", n, left)
		}
		// SPIDER: q steps of length ηε with differences over b components make an error of at most
		// ε.
		for _, n0 := range []float64{1, math.Sqrt(nf)} {
			s := algos.PrescribedSPIDER(n, L, 0.3, n0)
			if worst := float64(s.Period-1) / float64(s.Batch) * math.Pow(L*s.Eta*s.Eps,
				2); worst > s.Eps*s.Eps*(1+1e-12) {
				t.Errorf("SPIDER-SFO, n = %d, n₀ = %v: mean squared error up to %v, ε² = %v", n, n0,
					worst, s.Eps*s.Eps)
			}
		}
		// STORM with a constant weight: E‖e⁺‖² ≤ (1−a)²‖e‖² + (2/b)((1−a)²L²‖x⁺−x‖² + a²σ²).
		storm := algos.PrescribedConstantSTORM(3, L, 2, 0.5)
		keep := (1 - storm.A) * (1 - storm.A)
		if left := 1/(2*storm.Eta) - L/2 - storm.Eta/2/(1-keep)*2*keep*L*L/3; left < -1e-9 {
			t.Errorf("STORM: %v", left)
		}
		if floor := 2 * storm.A * storm.A * 4 / 3 / (1 - keep); floor > 0.125+1e-12 {
			t.Errorf("STORM: mean squared error of %v for ε² = 0.25", floor)
		}
	}
}

// With prescribed parameters every method makes the gradient small. The smoothness of the toy
// problem is at most 1.2.
func TestPrescribedMethodsConverge(t *testing.T) {
	const n, L, eps = 25, 1.2, 0.3
	p, f := sumOf(n, 2), newToy(9, 16, 2)
	ctx := context.Background()
	for _, m := range []algos.Method{
		algos.PrescribedSGD(5, L, 2, eps), algos.PrescribedPLSGD(5, L, 0.2, 2, eps),
		algos.PrescribedSVRG(n, 2, L), algos.PrescribedSAGA(n, 2, L),
		algos.PrescribedSARAH(n, L), algos.PrescribedInexactSARAH(n, L, 2, eps),
		algos.PrescribedSSRGD(n, L, 1, eps, 0.3, 2), algos.PrescribedPAGE(n, L),
		algos.PrescribedPLPAGE(n, L, 0.2), algos.PrescribedZeroSARAH(n, L, algos.OptionI),
		algos.PrescribedSPIDER(n, L, eps, 1),
		algos.PrescribedSPIDERPlus(n, L, 1, eps/2, 1, 0.5), algos.PrescribedSTORM(L, 4, 0.1),
		algos.PrescribedHybridSGD(5, n, 100, L),
		algos.PrescribedConstantSTORM(5, L, 2, eps),
		algos.PrescribedStabilizedSVRG(n, L, 1, eps, 2), algos.PrescribedNestedSVRG(n, L),
	} {
		tr, err := algos.Run(ctx, m, p, []float64{9, -9}, algos.Seeded(2),
			algos.Limits{Steps: 20000, GradientNorm: eps, Every: 10})
		if err != nil {
			t.Errorf("%s: %v", m.Name(), err)
		} else if tr.Stopped != "gradient norm" && tr.Stopped != "finished" {
			t.Errorf("%s ends with %q at gradient norm %v", m.Name(), tr.Stopped,
				tr.Records[len(tr.Records)-1].GradientNorm)
		}
	}
	for _, m := range []algos.Method{
		algos.PrescribedFedAvg(3, 2, L, 1, eps), algos.PrescribedSCAFFOLD(9, 3, 2, L),
		algos.PrescribedPLMime(3, 2, L, 1, eps),
		algos.PrescribedMimeMVR(9, 3, 2, L, 1, 1, eps), algos.PrescribedBVRLSGD(2, L, 1),
	} {
		tr, err := algos.Run(ctx, m, f, []float64{9, -9}, algos.Seeded(2),
			algos.Limits{Steps: 20000, GradientNorm: eps, Every: 10})
		if err != nil {
			t.Errorf("%s: %v", m.Name(), err)
		} else if tr.Stopped != "gradient norm" {
			t.Errorf("%s ends with %q at gradient norm %v", m.Name(), tr.Stopped,
				tr.Records[len(tr.Records)-1].GradientNorm)
		}
	}
}

// Large samples are averaged piece by piece.
func TestLargeSamples(t *testing.T) {
	p := sumOf(77, 3)
	want, err := algos.RecordRun(&algos.SARAH{Tuning: algos.Tuning{Eta: 0.2, Batch: 3}, Period: 2},
		algos.NewOracle(p), ones(3),
		algos.Seeded(1), 5)
	if err != nil {
		t.Fatal(err)
	}
	got, err := algos.RecordRun(&algos.InexactSARAH{Tuning: algos.Tuning{Eta: 0.2, Batch: 3},
		Period: 2, Restart: 77},
		algos.NewOracle(p),
		ones(3), algos.Seeded(1), 5)
	if err != nil {
		t.Fatal(err)
	}
	for k := range want.X {
		near(t, "x", got.X[k], want.X[k])
	}
}
