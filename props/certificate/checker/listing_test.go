package checker_test

import (
	"testing"

	"sledge/props/certificate"
)

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
		all := symbols("η", "r", "k", "‖u‖²", "‖w‖²", "⟨u,w⟩")
		for i := range all {
			if of, product := p.Products[all[i].Name]; product {
				all[i].Means = certificate.Inner(of)
			}
		}
		return &certificate.Certificate{Kind: certificate.Quadratic, Scope: certificate.All,
			Symbols: all, Domain: "η > 0; r ≥ 0; k ≥ -1; ‖w‖² ≤ r²; η ≤ 1",
			Statement: "2⟨u,w⟩/η ≤ ‖u‖²(1/η + 2/η^3) + 2ηr²", Proof: proof(t, p)}
	}
	good := vectors{Vectors: []string{"u", "w"}, Products: products, By: [][]certificate.Summand{{
		{Square: "u − ηηw", Times: "1/η^3"}, {Square: "u", Times: "1/η"},
		{Square: "u", Times: "1/η^3"},
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
		forgery{"a negative square", with(func(p *vectors) { p.By[0][1].Times = "-1/η" }),
			"not evidently nonnegative"},
		forgery{"a multiplier of any sign", with(func(p *vectors) { p.By[0][1].Times = "k" }),
			"not evidently nonnegative"},
		forgery{"a fact that is none", with(func(p *vectors) { p.By[0][3].Fact = "‖u‖² ≤ r²" }),
			"is not assumed"},
		forgery{"a fact turned round", with(func(p *vectors) { p.By[0][3].Fact = "r² ≤ ‖w‖²" }),
			"is not assumed"},
		forgery{"fact and square", with(func(p *vectors) { p.By[0][0].Fact = "η ≤ 1" }),
			"either a fact or a square"},
		forgery{"division by what may be 0", with(func(p *vectors) { p.By[0][1].Times = "1/r" }),
			"may be 0"},
		forgery{"a square that is not linear",
			with(func(p *vectors) { p.By[0][1].Square = "⟨u,w⟩u + 1" }), "not linear"},
		forgery{"a number added to a vector",
			with(func(p *vectors) { p.By[0][1].Square = "u + 1" }), "not linear"},
		forgery{"a product of vectors",
			with(func(p *vectors) { p.By[0][1].Square = "u w" }), "not linear"},
		forgery{"a power of a vector",
			with(func(p *vectors) { p.By[0][1].Square = "u^2/η" }), "not linear"},
		forgery{"one over a vector",
			with(func(p *vectors) { p.By[0][1].Square = "η/(2u)" }), "not linear"},
		forgery{"the size of a vector",
			with(func(p *vectors) { p.By[0][1].Square = "|u| − w" }), "not linear"},
		forgery{"no vector", with(func(p *vectors) { p.By[0][1].Square = "0η" }), "not linear"},
		forgery{"facts at once", with(func(p *vectors) { p.By[0][3].Fact = "‖w‖² ≤ r²; η ≤ 1" }),
			"is not assumed"},
		forgery{"facts in a chain", with(func(p *vectors) { p.By[0][3].Fact = "‖w‖² ≤ r² ≤ k" }),
			"is not assumed"},
		forgery{"a vector that is a symbol",
			with(func(p *vectors) { p.Vectors = append([]string{"η"}, p.Vectors...) }),
			"named twice"},
		forgery{"a product of nothing", with(func(p *vectors) {
			p.Products = map[string][2]string{"q": {"u", "u"}}
		}), "no real symbol"},
		forgery{"products in a circle", with(func(p *vectors) {
			p.Products = map[string][2]string{"‖u‖²": {"u", "‖w‖²u"}, "‖w‖²": {"w", "w"},
				"⟨u,w⟩": {"u", "w"}}
		}), "defined by another"},
		forgery{"a number that is said to be no product",
			func(c *certificate.Certificate) {
				c.Symbols[3].Means = ""
			}, "which the certificate does not say"},
		forgery{"another product", func(c *certificate.Certificate) { c.Symbols[3].Means = "⟨w, w⟩" },
			"which the certificate does not say"},
		forgery{"nothing shown", with(func(p *vectors) { p.By = nil }), "0 relations are shown"},
		forgery{"too much shown", with(func(p *vectors) { p.By = append(p.By, p.By[0]) }),
			"relations are shown"},
		forgery{"a stronger statement", func(c *certificate.Certificate) {
			c.Statement = "2⟨u,w⟩/η ≤ ‖u‖²(1/η + 1/η^3) + 2ηr²"
		}, "is left"},
		forgery{"a strict statement", func(c *certificate.Certificate) { c.Statement = "‖u‖² > 0" },
			"does not show"},
		forgery{"a strict relation beside another",
			func(c *certificate.Certificate) { c.Statement += " < k" }, "does not show"},
		forgery{"a root", func(c *certificate.Certificate) { c.Statement = "√η ≤ 1" }, "is left"},
		forgery{"a refutation", func(c *certificate.Certificate) { c.Refutes, c.Scope = true, "" },
			"refutes nothing"},
	)
}

func TestBracket(t *testing.T) {
	one := func(chosen int) certificate.ListingSizes {
		return certificate.ListingSizes{Clients: 3, Chosen: chosen, Data: 1, Sample: 1, Steps: 2}
	}
	// T = 1, b = 1: the error is that of one component for the mean, c = (1 − b/n)/2 = 1/3.
	first := certificate.Ends{Size: one(1), Least: "1/3", Most: "1/3", Clients: []int64{0, 1}}
	first.Size.Steps = 1
	second := certificate.Ends{Size: one(1), Least: "39/100", Most: "2/5",
		Clients: []int64{0, 5, 8}}
	with := func(ends ...certificate.Ends) *certificate.Certificate {
		p := certificate.BracketProof(ends)
		return &certificate.Certificate{Kind: certificate.Bracket, Scope: certificate.Sizes,
			Statement: p.Statement(), Covers: p.Covers(), Proof: proof(t, p)}
	}
	but := func(change func(e *certificate.Ends)) func(c *certificate.Certificate) {
		return func(c *certificate.Certificate) {
			e := second
			change(&e)
			*c = *with(first, e)
		}
	}
	examine(t, func() *certificate.Certificate { return with(first, second) },
		forgery{"too small a constant", but(func(e *certificate.Ends) { e.Most = "39/100" }),
			"is not enough"},
		forgery{"of another size", but(func(e *certificate.Ends) { e.Size.Chosen, e.Most = 2, "1/10" }),
			"is not enough"},
		forgery{"more than is needed", but(func(e *certificate.Ends) { e.Least = "2/5" }),
			"does not need"},
		forgery{"another instance", but(func(e *certificate.Ends) { e.Clients = []int64{0, 1, 0} }),
			"does not need"},
		forgery{"an instance without steps", but(func(e *certificate.Ends) {
			e.Least, e.Clients = "9",
				[]int64{0, 0, 0}
		}),
			"nothing differs"},
		forgery{"steps whose products exceed 64 bits", but(func(e *certificate.Ends) {
			e.Least, e.Clients = "2/5", []int64{0, 5 << 40, 8 << 40}
		}), "does not need"},
		forgery{"a start that Option II does not have",
			but(func(e *certificate.Ends) { e.Clients = []int64{9, 5, 8} }), "does not need"},
		forgery{"a step too many", but(func(e *certificate.Ends) {
			e.Clients = []int64{0, 1, 5, 8}
		}), "has 4 steps"},
		forgery{"no instance", but(func(e *certificate.Ends) { e.Clients = nil }), "by the steps"},
		forgery{"data that do not differ",
			but(func(e *certificate.Ends) { e.Clients, e.Data = nil, []int64{0, 1, 1} }),
			"do not differ"},
		forgery{"no number", but(func(e *certificate.Ends) { e.Most = "∞" }), "rational"},
		forgery{"weights", but(func(e *certificate.Ends) {
			e.Weights = []string{"1/2", "1/2", "1/2"}
		}), "sum up to 1"},
		forgery{"negative weights", but(func(e *certificate.Ends) { e.Weights = []string{"1", "-1", "1"} }),
			"is negative"},
		forgery{"other kinds", but(func(e *certificate.Ends) { e.Size.Sampled = true }),
			"different kinds"},
		forgery{"too large", but(func(e *certificate.Ends) { e.Size.Clients = 7 }), "out of range"},
		forgery{"nothing", func(c *certificate.Certificate) { *c = *with() }, "no statement"},
		forgery{"another statement", func(c *certificate.Certificate) { c.Statement = "c = 1" },
			"not those of the proof"},
		forgery{"all sizes", func(c *certificate.Certificate) {
			c.Scope, c.Covers = certificate.All, ""
		}, "for sizes"},
	)
	data := certificate.ListingSizes{Clients: 2, Chosen: 1, Data: 2, Sample: 1,
		Steps: 1}
	fresh := certificate.Ends{Size: data, Least: "999/1000", Most: "1001/1000",
		Data: []int64{-1000, -14}, Weights: []string{"353/25000", "24647/25000"}}
	examine(t, func() *certificate.Certificate { return with(fresh) },
		forgery{"too small for the data", func(c *certificate.Certificate) {
			e := fresh
			e.Most = "99/100"
			*c = *with(e)
		}, "not enough for the data"},
		forgery{"without weights", func(c *certificate.Certificate) {
			e := fresh
			e.Weights = nil
			*c = *with(e)
		}, "each point has a weight"})
}
