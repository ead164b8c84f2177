package checker_test

import (
	"encoding/json"
	"testing"

	"sledge/props/certificate"
)

func TestIdentity(t *testing.T) {
	size := certificate.ListingSizes{Clients: 3, Chosen: 2, Data: 1, Sample: 1, Local: 1, Batch: 1, Steps: 2}
	with := func(p certificate.IdentityProof) *certificate.Certificate {
		return &certificate.Certificate{Kind: certificate.Identity, Scope: certificate.Sizes, Statement: p.Statement(),
			Covers: p.Covers(), Proof: proof(t, p)}
	}
	of := func(left, right string, sizes ...certificate.ListingSizes) func(c *certificate.Certificate) {
		return func(c *certificate.Certificate) {
			*c = *with(certificate.IdentityProof{Left: left, Right: right, Sizes: sizes})
		}
	}
	const left, right = "(1/n)Σ_i y_i^t − ∇f(x^t)", "the decomposition of the error"
	option, wide := size, size
	option.Sampled, wide.Clients = true, 9
	examine(t, func() *certificate.Certificate {
		return with(certificate.IdentityProof{Left: left, Right: right, Sizes: []certificate.ListingSizes{size, option}})
	},
		forgery{"not equal", of("(1/n)Σ_i y_i^t", "∇f(x^t)", size), "differ"},
		forgery{"equal for full batches only", of("(1/n)Σ_i y_i^t", "∇f(x^t)",
			certificate.ListingSizes{Clients: 2, Chosen: 2, Data: 1, Sample: 1, Local: 1, Batch: 1, Steps: 2}, size), "differ"},
		forgery{"an error that is not 0", of(left, "0", size), "differ"},
		forgery{"SARAH's for SAGA's", of("∇f(x^t) minus SAGA's estimator", "SARAH's discrepancy", size), "differ"},
		forgery{"unknown quantity", of(left, "the truth", size), "not the names"},
		forgery{"the same twice", of(left, left, size), "not the names"},
		forgery{"no sizes", of(left, right), "no sizes"},
		forgery{"too many clients", of(left, right, wide), "out of range"},
		forgery{"covers more", func(c *certificate.Certificate) { c.Covers = "all sizes" }, "not those of the proof"},
		forgery{"another statement", func(c *certificate.Certificate) { c.Statement = "f = 0" }, "not those of the proof"},
		forgery{"all sizes", func(c *certificate.Certificate) { c.Scope, c.Covers = certificate.All, "" }, "proved for sizes"},
		forgery{"a refutation", func(c *certificate.Certificate) { c.Refutes, c.Scope = true, "" }, "proved for sizes"},
		forgery{"no JSON", func(c *certificate.Certificate) { c.Proof = json.RawMessage("[") }, "cannot be read"},
	)
	// Quantities that agree for data alike, and disagree else.
	alike := certificate.IdentityProof{Left: "(1/n)Σ_i y_i^t", Right: "∇f(x^t)", Homogeneous: true,
		Sizes: []certificate.ListingSizes{size}}
	examine(t, func() *certificate.Certificate { return with(alike) },
		forgery{"not alike", func(c *certificate.Certificate) {
			p := alike
			p.Homogeneous = false
			*c = *with(p)
		}, "differ"},
		forgery{"one minibatch for all", func(c *certificate.Certificate) {
			p := alike
			p.Sizes = []certificate.ListingSizes{option}
			*c = *with(p)
		}, "differ"})
}

func TestQuadratic(t *testing.T) {
	symbols := func(names ...string) (list []certificate.Symbol) {
		for _, name := range names {
			list = append(list, certificate.Symbol{Name: name, Kind: certificate.Real})
		}
		return list
	}
	type vectors = certificate.QuadraticProof
	products := map[string][2]string{"‖u‖²": {"u", "u"}, "‖w‖²": {"w", "w"}, "⟨u,w⟩": {"u", "w"}}
	quadratic := func(p vectors) *certificate.Certificate {
		return &certificate.Certificate{Kind: certificate.Quadratic, Scope: certificate.All,
			Symbols: symbols("η", "r", "k", "‖u‖²", "‖w‖²", "⟨u,w⟩"), Domain: "η > 0; r ≥ 0; k ≥ -1; ‖w‖² ≤ r²; η ≤ 1",
			Statement: "2⟨u,w⟩/η ≤ ‖u‖²(1/η + 2/η^3) + 2ηr²", Proof: proof(t, p)}
	}
	good := vectors{Vectors: []string{"u", "w"}, Products: products, By: [][]certificate.Summand{{
		{Square: "u − ηηw", Times: "1/η^3"}, {Square: "u", Times: "1/η"}, {Square: "u", Times: "1/η^3"},
		{Fact: "‖w‖² ≤ r²", Times: "2η"}, {Square: "w", Times: "η"}}}}
	with := func(change func(p *vectors)) func(c *certificate.Certificate) {
		return func(c *certificate.Certificate) {
			p := good
			p.By = [][]certificate.Summand{append([]certificate.Summand(nil), good.By[0]...)}
			change(&p)
			*c = *quadratic(p)
		}
	}
	examine(t, func() *certificate.Certificate { return quadratic(good) },
		forgery{"a summand less", with(func(p *vectors) { p.By[0] = p.By[0][1:] }), "is left"},
		forgery{"a larger square", with(func(p *vectors) { p.By[0][1].Times = "2/η" }), "is left"},
		forgery{"a negative square", with(func(p *vectors) { p.By[0][1].Times = "-1/η" }), "not evidently nonnegative"},
		forgery{"a multiplier of any sign", with(func(p *vectors) { p.By[0][1].Times = "k" }), "not evidently nonnegative"},
		forgery{"a fact that is none", with(func(p *vectors) { p.By[0][3].Fact = "‖u‖² ≤ r²" }), "is not assumed"},
		forgery{"a fact turned round", with(func(p *vectors) { p.By[0][3].Fact = "r² ≤ ‖w‖²" }), "is not assumed"},
		forgery{"fact and square", with(func(p *vectors) { p.By[0][0].Fact = "η ≤ 1" }), "either a fact or a square"},
		forgery{"division by what may be 0", with(func(p *vectors) { p.By[0][1].Times = "1/r" }), "may be 0"},
		forgery{"a square that is not linear", with(func(p *vectors) { p.By[0][1].Square = "⟨u,w⟩u + 1" }), "not linear"},
		forgery{"a vector that is a symbol", with(func(p *vectors) { p.Vectors = append([]string{"η"}, p.Vectors...) }), "named twice"},
		forgery{"a product of nothing", with(func(p *vectors) {
			p.Products = map[string][2]string{"q": {"u", "u"}}
		}), "no real symbol"},
		forgery{"products in a circle", with(func(p *vectors) {
			p.Products = map[string][2]string{"‖u‖²": {"u", "‖w‖²u"}, "‖w‖²": {"w", "w"}, "⟨u,w⟩": {"u", "w"}}
		}), "defined by another"},
		forgery{"nothing shown", with(func(p *vectors) { p.By = nil }), "not shown"},
		forgery{"too much shown", with(func(p *vectors) { p.By = append(p.By, p.By[0]) }), "relations are shown"},
		forgery{"a stronger statement", func(c *certificate.Certificate) {
			c.Statement = "2⟨u,w⟩/η ≤ ‖u‖²(1/η + 1/η^3) + 2ηr²"
		}, "is left"},
		forgery{"a strict statement", func(c *certificate.Certificate) { c.Statement = "‖u‖² > 0" }, "are shown"},
		forgery{"a root", func(c *certificate.Certificate) { c.Statement = "√η ≤ 1" }, "no polynomial"},
		forgery{"a refutation", func(c *certificate.Certificate) { c.Refutes, c.Scope = true, "" }, "refutes nothing"},
	)
}
