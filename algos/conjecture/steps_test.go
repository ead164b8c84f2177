package conjecture

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"

	"sledge/algos"
	"sledge/algos/problems"
	"sledge/props"
	"sledge/props/certificate/checker"
	"sledge/props/ledger"
)

// The steps of anyStep differ from those along its estimator by at most r, and by r in about half of
// them, where the estimator is off by as much over η.
func TestAnyStep(t *testing.T) {
	const eta, radius, steps = 0.1, 0.5, 400
	f := props.Must(problems.Make(problems.OneEach(1), problems.QuadraticMean{Spectrum: []float64{1, 0.5}},
		rand.New(rand.NewPCG(1, 2))))
	m := AnyStep.New(algos.Setting{Tuning: algos.Tuning{Eta: eta, Radius: radius}})
	if err := m.Start(algos.NewOracle(algos.Sum(f.ByClient())), []float64{1, -1},
		algos.Seeded(3)); err != nil {
		t.Fatal(err)
	}
	g, xi, off, at := make([]float64, 2), make([]float64, 2), make([]float64, 2), 0
	for range steps {
		x, v := slices.Clone(m.Point()), slices.Clone(m.Estimator())
		f.FullGradient(g, x)
		m.Step()
		floats.SubTo(xi, m.Point(), x)
		floats.AddScaled(xi, eta, v)
		length := floats.Norm(xi, 2)
		if length > radius+1e-12 {
			t.Fatalf("a perturbation of length %v", length)
		}
		floats.SubTo(off, v, g)
		floats.AddScaled(off, 1/eta, xi)
		if floats.Norm(off, 2) < 1e-10 && length > radius-1e-12 {
			at++
		}
	}
	if at < steps/3 || at > 2*steps/3 {
		t.Errorf("%d of %d steps are those of equality", at, steps)
	}
}

// What is settled of single steps and of sums over them is what is said, and nothing that says more
// or is about anything else.
func TestProofsOfSteps(t *testing.T) {
	const step, sums = "any-step", "FLEDGE-II"
	const one = "gap + (η/2) prev_t ‖∇f‖² + step²/(2η) ≤ prev_t gap + η prev_t ‖v−∇f‖² + L_f step²/2 + r²/η"
	const pl = "gap ≤ (1 − ημ) prev_t gap + η prev_t ‖v−∇f‖² − (1/(2η) − L_f/2) step² + r²/η"
	const all = "sum_k ‖∇f‖² + walked/η² ≤ (2/η)(Δ − gap) + L_f walked/η + 2 sum_k ‖v−∇f‖² + 2t K r²/η²"
	for _, k := range []struct {
		method, text, old, new string
		proved                 bool
	}{
		{step, one, "", "", true},
		{step, one, "prev_t gap", "prev_t gap + 0 gap", true},
		{step, one, "prev_t gap", "prev_t gap + step", false},
		{step, one, "prev_t gap", "prev_t gap + step²/η", false}, // true, with slack
		{sums, all, "sum_k ‖∇f‖²", "‖∇f‖²", false},
		{step, one, "r²/η", "r²/η if η ≤ 1/L", true},
		{step, one, "r²/η", "r²/(2η)", false},
		{step, one, "gap + (η/2) prev_t ‖∇f‖²", "f + (η/2) prev_t ‖∇f‖²", false}, // of f and of the gap
		{step, strings.ReplaceAll(one, "gap", "f"), "", "", true},
		{step, pl, "", "", true},
		{step, strings.ReplaceAll(pl, "gap", "f"), "", "", false}, // nothing is known of f by itself
		{step, one, "η prev_t ‖v−∇f‖²", "(η/2) prev_t ‖v−∇f‖²", false},
		{step, one, "prev_t ‖∇f‖²", "‖∇f‖²", false},    // of the wrong point
		{step, one, "prev_t gap", "prev_t(gap)", true}, // the same words
		{step, one, "prev_t gap", "first_t gap", false},
		{step, one, "prev_t gap", "Δ", false},
		{step, one, "gap +", "E gap +", false},
		{step, one, "L_f", "L", false}, // true, and nothing says so
		{step, "gap ≤ prev_t gap − η prev_t(‖∇f‖² − ‖v−∇f‖²) + r²/η", "", "", false},
		{"SLEDGE-II", one, "", "", false}, // true, and nothing is known of its steps
		{sums, all, "", "", true},
		{sums, all, "2t K r²", "t K r²", false},
		{sums, all, "2t K r²", "2t r²", false},
		{sums, all, "2t K r²", "2K t r²", false}, // true, and not the number of steps in its words
		{sums, all, "2 sum_k", "sum_k", false},
		{sums, all, "(2/η)(Δ − gap)", "(2/η)(Δ − gap) − Δ/η", false},
		{sums, all, "(2/η)(Δ − gap)", "(2/η)(2Δ − gap)", false}, // true, and slack at the start
		{sums, all, "(2/η)(Δ − gap)", "(3/η)(Δ − gap)", false},
		{sums, all, "walked/η²", "walked/η² + moved/η²", false},
		{"FedAvg", "sum_k ‖∇f‖² ≤ (2/η)(Δ − gap) + 2 sum_k ‖v−∇f‖² + 2t K r²/η²", "", "", false},
	} {
		text := strings.Replace(k.text, k.old, k.new, 1)
		family := "quadratic"
		check, _, err := Stated()(ledger.Runs{Of: "runs", Method: k.method, Family: family,
			Drawn: "r ≥ 0", Statement: text})
		if err != nil {
			if k.proved {
				t.Errorf("%s: %v", text, err)
			}
			continue
		}
		made, err := props.Certificates(&props.Claim{ID: "a", Check: check}, props.Quick)
		if err != nil {
			t.Fatal(err)
		}
		if (len(made) == 1) != k.proved {
			t.Errorf("%s, %s: %d certificates", k.method, text, len(made))
		}
		for _, c := range made {
			if err := checker.Check(c); err != nil {
				t.Errorf("%s: %v", text, err)
			}
		}
	}
}
