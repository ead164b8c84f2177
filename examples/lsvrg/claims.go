package main

import (
	"embed"

	"sledge/props"
	"sledge/props/formula"
	"sledge/props/ledger"
)

//go:embed lsvrg.ledger
var files embed.FS

// text is what the note says.
func text() (*ledger.Ledger, error) { return ledger.Read(files, "*.ledger") }

// claims joins the statements of the note with their checks. Where all is formulas, the statement
// is the check.
func claims() ([]props.Claim, error) {
	l, err := text()
	if err != nil {
		return nil, err
	}
	domain := formula.NewVocabulary(formula.Symbol{Name: "p"}, formula.Symbol{Name: "L"},
		formula.Symbol{Name: "η"}, formula.Symbol{Name: "M"}).MustDomain(
		"p ∈ [1e-6, 1], L ∈ [1e-6, 1e6]")
	return l.Join([]props.Binding{
		props.Bind("descent", step(1, func(s *state) (string, float64, float64) {
			return "E‖x⁺ − x*‖²", s.next, (1-s.eta*s.mu)*s.far - 2*s.eta*s.gap +
				s.eta*s.eta*s.square
		})),
		props.Bind("variance", step(1, func(s *state) (string, float64, float64) {
			return "E‖g‖²", s.square, 4*s.L*s.gap + s.D
		})),
		props.Bind("variance/corrected", step(1, func(s *state) (string, float64, float64) {
			return "E‖g‖²", s.square, 4*s.L*s.gap + 2*s.D
		})),
		props.Bind("recursion", step(1, func(s *state) (string, float64, float64) {
			return "E D⁺", s.nextD, (1-s.p)*s.D + 2*s.L*s.p*s.gap
		})),
		props.Bind("contraction", step(1./6, func(s *state) (string, float64, float64) {
			M := 4 * s.eta * s.eta / s.p
			return "E(‖x⁺ − x*‖² + M D⁺)", s.next +
				M*s.nextD, max(1-s.eta*s.mu, 1-s.p/2) * (s.far + M*s.D)
		})),
		props.Bind("step-size", domain.Implies("η ≤ 1/(6L), M = 4η²/p; 4Lη² + 2LpM ≤ 2η")),
	})
}

// state is what the lemmas speak of, for f_i(x) = h_i (x − c_i)²/2 on the line: exact means over i
// and the coin.
type state struct {
	L, mu, eta, p       float64
	far, gap, D         float64 // ‖x − x*‖², f(x) − f*, D
	square, next, nextD float64 // E‖g‖², E‖x⁺ − x*‖², E D⁺
}

// step compares two sides on instances with step sizes up to most/L. Points are at most 2 from the
// origin, so that squared distances are differences of terms up to 16.
func step(most float64, sides func(*state) (what string, measured, claimed float64)) props.Check {
	return props.Inequality(func(src *props.Source, rec *props.Recorder) {
		n := src.Int("n", 1, 4)
		h, c := make([]float64, n), make([]float64, n)
		s, sum := &state{p: src.Real("p", 0.01, 1)}, 0.0
		for i := range h {
			h[i], c[i] = src.Real("h", 0.01, 1), src.Real("c", -1, 1)
			s.L, s.mu, sum = max(s.L, h[i]), s.mu+h[i]/float64(n), sum+h[i]*c[i]/float64(n)
		}
		s.eta = src.Real("ηL", 0, most) / s.L
		least, x, w := sum/s.mu, src.Real("x", -2, 2), src.Real("w", -2, 2)
		s.far, s.gap = (x-least)*(x-least), s.mu*(x-least)*(x-least)/2
		for i := range h {
			g := h[i]*(x-w) + s.mu*(w-least)
			s.D += h[i] * h[i] * (w - least) * (w - least) / float64(n)
			s.nextD += s.p * h[i] * h[i] * (x - least) * (x - least) / float64(n)
			s.square += g * g / float64(n)
			s.next += (x - s.eta*g - least) * (x - s.eta*g - least) / float64(n)
		}
		s.nextD += (1 - s.p) * s.D
		rec.AtMost(sides(s)).Scale(16)
	})
}
