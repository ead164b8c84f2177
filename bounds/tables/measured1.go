package tables

import "math"

// sizes are numbers of components over a decade and a half, and those of larger tiers.
var sizes, largeSizes = []float64{16, 52, 160, 512}, []float64{64, 400, 2500, 16000, 100000}

// decade is the factor of four points that span a decade and a half.
const decade = 3.1623

// sums are the sweeps of methods for finite sums.
type sums struct{ quick, large *panel }

// sweep is that of a method, with the exact gradients that are charged so many times b for each step.
func (f sums) sweep(method string, charge float64, law func(x float64) float64, rivals ...string) Sweep {
	of := func(p *panel) Sweep {
		return Sweep{Variable: p.variable, Cost: "gradients", X: p.x, Law: law, panel: p, method: method,
			control: p.exact(charge), rivals: rivals}
	}
	s := of(f.quick)
	if f.large != nil {
		s.large = func() Sweep {
			l := of(f.large)
			l.margin = largeMargin
			return l
		}
	}
	return s
}

// atMost lets the cost grow less than the law.
func (s Sweep) atMost() Sweep {
	s.upper = true
	if larger := s.large; larger != nil {
		s.large = func() Sweep { return larger().atMost() }
	}
	return s
}

// by gives the sweep, and what larger tiers do, a law with the constants of its scenes.
func (s Sweep) by(law func(at scene, x float64) float64) Sweep {
	at := s.panel.at
	s.Law = func(x float64) float64 { return law(at(x), x) }
	if larger := s.large; larger != nil {
		s.large = func() Sweep { return larger().by(law) }
	}
	return s
}

// within gives the sweep a margin of its own.
func (s Sweep) within(margin float64) Sweep { s.margin = margin; return s }

// logMargin is the margin where the law is a logarithm of x over 18 decades: a power of 0.6 more of it would be
// noticed.
const logMargin = 0.025

// longer gives the sweep four times as many runs.
func (s Sweep) longer() Sweep { s.effort = 4 * max(1, s.effort); return s }

// more gives what larger tiers do so many times the runs.
func (s Sweep) more(times float64) Sweep {
	larger := s.large
	s.large = func() Sweep {
		l := larger()
		l.effort = times
		return l
	}
	return s
}

// nonconvexSums are the entries of the column "Nonconvex" of table 1. Single components, b = 1, for which the error of
// the estimators is what limits the step size: with b = √n exact gradients would do no better.
func nonconvexSums() []Entry {
	noise := sums{quick: newPanel("1/ε⁴", geometric(150, decade, 4), func(x float64) scene {
		return scene{clients: 16, batch: 1, sigmaC: 1, eps: math.Pow(x, -0.25)}
	})}
	spread := sums{quick: newPanel("σ_c²", geometric(1, decade, 4), func(x float64) scene {
		return scene{clients: 16, batch: 1, sigmaC: math.Sqrt(x), eps: 0.3}
	})}
	many := sums{quick: newPanel("n", sizes, func(x float64) scene {
		return scene{clients: fourfold(x), batch: 1, sigmaC: 1, eps: 0.2}
	})}
	one := func(float64) float64 { return 1 }
	var out []Entry
	out = append(out, Entry{Table: 1, Row: "(Noisy) SGD", Column: "nonconvex", Text: "Δσ_c²/ε⁴", Lines: "92",
		Sweeps: []Sweep{noise.sweep("SGD", 1, identity), spread.sweep("SGD", 1, identity), many.sweep("SGD", 1, one)},
	}.claim("table1-sgd-nonconvex"))

	accuracy := sums{quick: newPanel("1/ε²", geometric(16, decade, 4), func(x float64) scene {
		return scene{clients: 16, batch: 1, zeta: 1, sigmaC: 0.1, eps: 1 / math.Sqrt(x)}
	})}
	// In a run of less than n steps errors grow with its length, and not with n: ε is so fine that runs are several times
	// as long. And σ_c is so small that nσ_c²/(bε²), which theorem:First-Main has for the start of Option I, is nothing
	// beside √n/ε²: the entry is that of b = √n.
	components := sums{
		quick: newPanel("n", sizes, func(x float64) scene {
			return scene{clients: fourfold(x), batch: 1, zeta: 1, sigmaC: 0.1, eps: 0.1}
		}),
		large: newPanel("n", largeSizes, func(x float64) scene {
			return scene{clients: fourfold(x), batch: 1, zeta: 1, sigmaC: 0.01, eps: 0.025}
		}),
	}
	for _, m := range []struct{ id, row, lines, method, text string }{
		{"table1-spider", "SPIDER-SFO⁺", "93", "SPIDER", spiderEntry},
		{"table1-sarah", "SARAH and its variants", "95", "SARAH", spiderEntry},
		{"table1-zerosarah-2", "ZeroSARAH, full gradient at x⁰", "99", "ZeroSARAH", spiderEntry},
		{"table1-page", "PAGE", "101", "PAGE", spiderEntry},
	} {
		along := components.sweep(m.method, 2, math.Sqrt).longer()
		if m.method == "PAGE" { // its coins
			along = along.atMost()
		}
		out = append(out, Entry{Table: 1, Row: m.row, Column: "nonconvex", Text: m.text, Lines: m.lines, Sweeps: []Sweep{
			accuracy.sweep(m.method, 2, identity).longer(), along,
		}}.claim(m.id+"-nonconvex"))
	}

	start := sums{quick: newPanel("σ_c²", geometric(1, decade, 4), func(x float64) scene {
		return scene{clients: 64, batch: 1, zeta: 1, sigmaC: math.Sqrt(x), eps: 0.25}
	})}
	for _, m := range []struct{ id, row, lines, method string }{
		{"zerosarah-1", "ZeroSARAH", "97", "ZeroSARAH-I"},
		{"sledge-1", "SLEDGE (Option I)", "103", "SLEDGE-I"},
	} {
		out = append(out, Entry{Table: 1, Row: m.row, Column: "nonconvex", Text: sledgeOneEntry, Lines: m.lines,
			Sweeps: []Sweep{
				accuracy.sweep(m.method, 2, identity), components.sweep(m.method, 2, math.Sqrt),
				start.sweep(m.method, 2, func(x float64) float64 { return 1 + x }).atMost(),
			}}.claim("table1-"+m.id+"-nonconvex"))
	}

	out = append(out, Entry{Table: 1, Row: "SAGA (in the text)", Column: "nonconvex", Text: "n^(2/3)/ε²", Lines: "77",
		Sweeps: []Sweep{
			accuracy.sweep("SAGA", 1, identity),
			components.sweep("SAGA", 1, func(n float64) float64 { return math.Cbrt(n * n) }).atMost(),
		}}.claim("text-saga-nonconvex"))

	heterogeneity := sums{
		quick: newPanel("ζ", geometric(1.0/32, decade, 4), func(z float64) scene {
			return scene{clients: 512, batch: 1, zeta: z, sigmaC: 0.1, eps: 1.0 / 32}
		}),
		large: newPanel("ζ", geometric(1.0/16, decade, 4), func(z float64) scene {
			return scene{clients: 4096, batch: 1, zeta: z, sigmaC: 0.01, eps: 1.0 / 64}
		}),
	}
	rivals := []string{"SARAH", "PAGE", "GD"}
	two := Entry{Table: 1, Row: "SLEDGE (Option II)", Column: "nonconvex", Text: sledgeTwoEntry, Lines: "104",
		Sweeps: []Sweep{
			accuracy.sweep("SLEDGE-II", 2, identity, rivals...).longer(),
			components.sweep("SLEDGE-II", 2, math.Sqrt, rivals...).longer(),
			heterogeneity.sweep("SLEDGE-II", 2, identity, rivals...).longer().more(4),
		}}
	alike := sums{quick: newPanel("1/ζ", geometric(1, 8, 4), func(x float64) scene {
		return scene{clients: 16, batch: 1, zeta: 1 / x, sigmaC: 0.1, eps: fineEps}
	})}
	// The corrected law has a constant for each of its terms, 4 and 1, which an order leaves open: with them its two ends
	// cost about the same multiple of it, so that what lies between tells whether they add up.
	return append(out, two.claim("table1-sledge-2-nonconvex"),
		alike.entry(two, func(z float64) float64 { return 16 + 4*z/(fineEps*fineEps) }, "").
			claim("table1-sledge-2-nonconvex-alike"),
		alike.entry(two, func(z float64) float64 { return 16 + (16*z+1)/(fineEps*fineEps) }, "n + Δ(ζ√n+L)/ε²").
			claim("table1-sledge-2-nonconvex-alike-corrected"))
}

// fineEps is so fine that the descent itself costs more than the initialisation.
const fineEps = 0.025

// entry is that of SLEDGE with Option II where components become alike: of ζ, against a law of ζ.
func (f sums) entry(e Entry, law func(zeta float64) float64, other string) Entry {
	s := f.sweep("SLEDGE-II", 2, func(x float64) float64 { return law(1 / x) }, "SARAH", "PAGE")
	s.Other = other
	e.Sweeps = []Sweep{s}
	return e
}

// plSums are the entries of the column "PL condition" of table 1.
func plSums() []Entry {
	const gap = 1e-4
	var out []Entry
	fine := sums{quick: newPanel("1/ε", geometric(100, decade, 4), func(x float64) scene {
		return scene{clients: 16, batch: 1, sigmaC: 1, mu: 0.1, gap: 1 / x}
	})}
	flatNoisy := sums{quick: newPanel("1/μ²", geometric(100, decade, 4), func(x float64) scene {
		return scene{clients: 16, batch: 1, sigmaC: 3, mu: 1 / math.Sqrt(x), gap: 0.02}
	})}
	out = append(out, Entry{Table: 1, Row: "(Noisy) SGD", Column: "PL condition", Text: "σ²/(μ²ε) log 1/ε", Lines: "92",
		Sweeps: []Sweep{
			fine.sweep("SGD", 1, func(x float64) float64 { return x * math.Log(x) }).atMost(),
			flatNoisy.sweep("SGD", 1, identity).atMost(),
		}}.claim("table1-sgd-pl"))

	gradient := sums{quick: newPanel("1/ε", geometric(4, decade, 4), func(x float64) scene {
		return scene{clients: 16, batch: 1, zeta: 1, sigmaC: 1, mu: 1.0 / 16, eps: 1 / x}
	})}
	restarts := sums{quick: newPanel("1/ε", geometric(4, decade, 4), func(x float64) scene {
		return scene{clients: 2048, batch: 1, zeta: 1, sigmaC: 1, mu: 0.1, eps: 1 / x}
	})}
	logs := sums{quick: newPanel("1/ε", geometric(1e4, 1e6, 4), func(x float64) scene {
		return scene{clients: 16, batch: 1, zeta: 1, sigmaC: 0.1, mu: 0.1, value: 0.01, gap: 0.01 / x}
	})}
	square := func(x float64) float64 { return x * x * math.Log(x) }
	spent := func(s Sweep, cost string) Sweep { s.Cost = cost; return s }
	linear := logs.sweep("SARAH", 2, math.Log).within(logMargin)
	linear.Other = "a linear rate"
	out = append(out, Entry{Table: 1, Row: "SARAH and its variants", Column: "PL condition", Text: "n + σ²/ε² log 1/ε",
		Lines: "95", Sweeps: []Sweep{
			spent(gradient.sweep("SARAH", 2, square).atMost(), "gradients of SARAH"),
			spent(restarts.sweep("iSARAH", 2, square).atMost(), "gradients of inexact SARAH"),
			spent(linear, "gradients of SARAH"),
		}}.claim("table1-sarah-pl"))

	flat := sums{quick: newPanel("1/μ", geometric(10, decade, 4), func(x float64) scene {
		return scene{clients: 16, batch: 1, zeta: 1, sigmaC: 0.1, mu: 1 / x, gap: gap}
	})}
	components := sums{
		quick: newPanel("n", sizes, func(x float64) scene {
			return scene{clients: fourfold(x), batch: 1, zeta: 1, sigmaC: 0.1, mu: 1.0 / 512, gap: 0.01}
		}),
		large: newPanel("n", []float64{64, 256, 1000, 4000, 16000}, func(x float64) scene {
			return scene{clients: fourfold(x), batch: 1, zeta: 1, sigmaC: 0.1, mu: 1.0 / 4096, gap: 0.01}
		}),
	}
	const flattest = 1.0 / 1024
	alike := sums{quick: newPanel("1/ζ", geometric(1, 8, 4), func(x float64) scene {
		return scene{clients: 16, batch: 1, zeta: 1 / x, sigmaC: 0.1, mu: flattest, gap: 0.01}
	})}
	for _, m := range []struct{ id, row, lines, method, text string }{
		{"page", "PAGE", "101", "PAGE", "(n + L√n/μ) log 1/ε"},
		{"sledge-1", "SLEDGE (Option I)", "103", "SLEDGE-I", "(" + sledgePLEntry + ") log 1/ε"},
		{"sledge-2", "SLEDGE (Option II)", "104", "SLEDGE-II", "(" + sledgePLEntry + ") log 1/ε"},
	} {
		e := Entry{Table: 1, Row: m.row, Column: "PL condition", Text: m.text, Lines: m.lines, Sweeps: []Sweep{
			logs.sweep(m.method, 2, math.Log).within(logMargin), flat.sweep(m.method, 2, identity).atMost(),
			components.sweep(m.method, 2, nil).by(func(at scene, n float64) float64 {
				return n + at.zeta*math.Sqrt(n)/at.mu
			}).longer().longer().more(4), // with 96 runs limits lie as far apart as the margins
		}}
		out = append(out, e.claim("table1-"+m.id+"-pl"))
		if m.id == "sledge-2" {
			out = append(out,
				alike.entry(e, func(z float64) float64 { return 16 + 4*z/flattest }, "").claim("table1-sledge-2-pl-alike"),
				alike.entry(e, func(z float64) float64 { return 16 + (4*z+1)/flattest }, "(n + (ζ√n+L)/μ) log 1/ε").
					claim("table1-sledge-2-pl-alike-corrected"))
		}
	}
	return out
}
