package tables

import (
	"math"

	"sledge/algos"
	"sledge/props"
)

// sledge is SLEDGE with the step size of theorem:First-Main (the corrected power of C_1, which is 1 here: its
// logarithms are left out).
func sledge(option algos.Option, n, b int, zeta float64) *algos.SLEDGE {
	return algos.PrescribedSLEDGE(algos.SLEDGETheory{Option: option, N: n, B: b, L: 1, Zeta: zeta})
}

// nonconvex is a sweep to the goal of the nonconvex column: set says what the run looks like at x.
type nonconvex struct {
	n                      int
	eps, zeta, sigmaC, eta float64
	m                      algos.Method
}

func (c nonconvex) gradients(t props.Trial) float64 {
	p := slide(c.n, 1, c.eps, c.zeta, c.sigmaC)
	return run(c.m, p, t.Key, patience*(1+c.sigmaC*c.sigmaC)/(c.eta*c.eps*c.eps), p.onAverage(c.eps))
}

// nonconvexSums are the entries of the column "Nonconvex" of table 1.
func nonconvexSums() []Entry {
	root := func(n float64) float64 { return math.Sqrt(n) }
	var out []Entry

	// (Noisy) SGD.
	sgd := func(n int, eps, sigmaC float64, t props.Trial) float64 {
		m := algos.PrescribedSGD(1, 1, sigmaC, eps)
		return nonconvex{n: n, eps: eps, sigmaC: sigmaC, eta: m.Eta, m: m}.gradients(t)
	}
	out = append(out, Entry{Table: 1, Row: "(Noisy) SGD", Column: "nonconvex", Text: "Δσ_c²/ε⁴", Lines: "92",
		Sweeps: loosely([]Sweep{
			{Variable: "1/ε⁴", Cost: "gradients", X: geometric(50, 2.5, 5), Law: func(x float64) float64 { return x },
				run: func(t props.Trial, x float64) float64 {
					return mean(4, t, func(t props.Trial) float64 { return sgd(16, math.Pow(x, -0.25), 1, t) })
				}},
			{Variable: "σ_c²", Cost: "gradients", X: geometric(1, 2.5, 5), Law: func(x float64) float64 { return x },
				run: func(t props.Trial, x float64) float64 {
					return mean(6, t, func(t props.Trial) float64 { return sgd(16, 0.3, math.Sqrt(x), t) })
				}},
			{Variable: "n", Cost: "gradients", X: squares, Law: func(float64) float64 { return 1 },
				run: func(t props.Trial, x float64) float64 { return sgd(int(x), 0.18, 1, t) }},
		})}.claim("table1-sgd-nonconvex"))

	// The methods whose entry is n + Δ√n/ε².
	for _, m := range []struct {
		id, row, lines string
		make           func(n int, eps float64) (algos.Method, float64)
	}{
		{"spider", "SPIDER-SFO⁺", "93", func(n int, eps float64) (algos.Method, float64) {
			m := algos.PrescribedSPIDER(n, 1, eps, 1)
			return m, m.Eta
		}},
		{"sarah", "SARAH and its variants", "95", func(n int, _ float64) (algos.Method, float64) {
			m := algos.PrescribedSARAH(n, 1)
			return m, m.Eta
		}},
		{"zerosarah-2", "ZeroSARAH, full gradient at x⁰", "99", func(n int, _ float64) (algos.Method, float64) {
			m := algos.PrescribedZeroSARAH(n, 1, algos.OptionII)
			return m, m.Eta
		}},
		{"page", "PAGE", "101", func(n int, _ float64) (algos.Method, float64) {
			m := algos.PrescribedPAGE(n, 1)
			return m, m.Eta
		}},
	} {
		at := func(n int, eps float64, t props.Trial) float64 {
			method, eta := m.make(n, eps)
			return nonconvex{n: n, eps: eps, zeta: 1, eta: eta, m: method}.gradients(t)
		}
		e := Entry{Table: 1, Row: m.row, Column: "nonconvex", Text: spiderEntry, Lines: m.lines, Sweeps: []Sweep{
			{Variable: "1/ε²", Cost: "gradients", X: geometric(20, 2.5, 5), Law: func(x float64) float64 { return x },
				run: func(t props.Trial, x float64) float64 { return at(16, 1/math.Sqrt(x), t) }},
			{Variable: "n", Cost: "gradients", X: squares, Law: root,
				run: func(t props.Trial, x float64) float64 {
					return mean(3, t, func(t props.Trial) float64 { return at(int(x), 0.1, t) })
				}},
		}}
		if m.id == "page" { // its coins
			e.Sweeps = loosely(e.Sweeps)
		}
		out = append(out, e.claim("table1-"+m.id+"-nonconvex"))
	}

	// Option I of ZeroSARAH and SLEDGE.
	for _, m := range []struct {
		id, row, lines string
		make           func(n int, zeta float64) (algos.Method, float64)
	}{
		{"zerosarah-1", "ZeroSARAH", "97", func(n int, _ float64) (algos.Method, float64) {
			m := algos.PrescribedZeroSARAH(n, 1, algos.OptionI)
			return m, m.Eta
		}},
		{"sledge-1", "SLEDGE (Option I)", "103", func(n int, zeta float64) (algos.Method, float64) {
			m := sledge(algos.OptionI, n, algos.RootBatch(n), zeta)
			return m, m.Eta
		}},
	} {
		at := func(n int, eps, sigmaC float64, t props.Trial) float64 {
			method, eta := m.make(n, 0.5)
			return nonconvex{n: n, eps: eps, zeta: 0.5, sigmaC: sigmaC, eta: eta, m: method}.gradients(t)
		}
		out = append(out, Entry{Table: 1, Row: m.row, Column: "nonconvex", Text: sledgeOneEntry, Lines: m.lines,
			Sweeps: loosely([]Sweep{
				{Variable: "1/ε²", Cost: "gradients", X: geometric(20, 2.5, 5), Law: func(x float64) float64 { return x },
					run: func(t props.Trial, x float64) float64 { return at(16, 1/math.Sqrt(x), 1, t) }},
				{Variable: "n", Cost: "gradients", X: squares, Law: root,
					run: func(t props.Trial, x float64) float64 {
						return mean(6, t, func(t props.Trial) float64 { return at(int(x), 0.15, 1, t) })
					}},
				{Variable: "σ_c²", Cost: "gradients", X: geometric(4, 2.5, 5), Law: func(x float64) float64 { return 1 + x },
					run: func(t props.Trial, x float64) float64 {
						return mean(16, t, func(t props.Trial) float64 { return at(64, 0.5, math.Sqrt(x), t) })
					}},
			})}.claim("table1-"+m.id+"-nonconvex"))
	}

	saga := func(n int, eps float64, t props.Trial) float64 {
		m := algos.PrescribedSAGA(n, int(math.Round(math.Cbrt(float64(n)))), 1)
		return nonconvex{n: n, eps: eps, zeta: 1, eta: m.Eta, m: m}.gradients(t)
	}
	out = append(out, Entry{Table: 1, Row: "SAGA (in the text)", Column: "nonconvex", Text: "n^(2/3)/ε²", Lines: "77",
		Sweeps: []Sweep{
			{Variable: "1/ε²", Cost: "gradients", X: geometric(10, 2.5, 5), Law: func(x float64) float64 { return x },
				run: func(t props.Trial, x float64) float64 { return saga(64, 1/math.Sqrt(x), t) }},
			{Variable: "n", Cost: "gradients", X: []float64{64, 216, 512, 1000, 1728, 2744},
				Law: func(n float64) float64 { return math.Cbrt(n * n) }, effort: 1,
				run: func(t props.Trial, n float64) float64 { return saga(int(n), 0.3, t) }},
		}}.claim("text-saga-nonconvex"))

	two := func(n, b int, eps, zeta float64, t props.Trial) float64 {
		m := sledge(algos.OptionII, n, b, zeta)
		return nonconvex{n: n, eps: eps, zeta: zeta, eta: m.Eta, m: m}.gradients(t)
	}
	out = append(out, Entry{Table: 1, Row: "SLEDGE (Option II)", Column: "nonconvex", Text: sledgeTwoEntry, Lines: "104",
		Sweeps: []Sweep{
			{Variable: "1/ε²", Cost: "gradients", X: geometric(20, 2.5, 5), Law: func(x float64) float64 { return x },
				run: func(t props.Trial, x float64) float64 { return two(16, 4, 1/math.Sqrt(x), 1, t) }},
			{Variable: "n", Cost: "gradients", X: squares, Law: root,
				run: func(t props.Trial, x float64) float64 {
					n := int(x)
					return two(n, algos.RootBatch(n), math.Sqrt(0.02), 1, t)
				}},
			{Variable: "ζ", Cost: "gradients", X: geometric(1.0/32, 2, 6), Law: func(z float64) float64 { return z },
				run: func(t props.Trial, z float64) float64 { return two(1024, int(32*z), math.Sqrt(1.0/200), z, t) }},
		}}.claim("table1-sledge-2-nonconvex"))
	return out
}

// pl is a run to a goal of the PL column.
type pl struct {
	n                     int
	mu, zeta, sigmaC, eta float64
	m                     algos.Method
}

// toGap returns the gradients until f(x) − f* ≤ gap, from 1.
func (c pl) toGap(gap float64, t props.Trial) float64 {
	p := bowl(c.n, c.mu, c.zeta, c.sigmaC)
	return run(c.m, p, t.Key, patience*(1+math.Log(1/gap))/(c.eta*c.mu), p.withGap(gap))
}

// plSums are the entries of the column "PL condition" of table 1.
func plSums() []Entry {
	root := func(n float64) float64 { return math.Sqrt(n) }
	same := func(x float64) float64 { return x }
	const gap = 1e-3
	var out []Entry
	sgd := func(mu, eps float64, t props.Trial) float64 {
		m := algos.PrescribedPLSGD(1, 1, mu, 1, eps)
		return pl{n: 16, mu: mu, sigmaC: 1, eta: m.Eta, m: m}.toGap(eps, t)
	}
	out = append(out, Entry{Table: 1, Row: "(Noisy) SGD", Column: "PL condition", Text: "σ²/(μ²ε) log 1/ε", Lines: "92",
		Sweeps: loosely([]Sweep{
			{Variable: "1/ε", Cost: "gradients", X: geometric(8, 2.5, 5),
				Law: func(x float64) float64 { return x * math.Log(x) },
				run: func(t props.Trial, x float64) float64 {
					return steady(6, 8, x, t, func(t props.Trial) float64 { return sgd(0.25, 1/x, t) })
				}},
			{Variable: "1/μ²", Cost: "gradients", X: geometric(8, 2.5, 5), Law: same,
				run: func(t props.Trial, x float64) float64 { return sgd(1/math.Sqrt(x), 0.05, t) }},
		})}.claim("table1-sgd-pl"))

	sarah := func(mu float64) pl {
		m := algos.PrescribedSARAH(16, 1)
		return pl{n: 16, mu: mu, zeta: 1, eta: m.Eta, m: m}
	}
	out = append(out, Entry{Table: 1, Row: "SARAH and its variants", Column: "PL condition", Text: "n + σ²/ε² log 1/ε",
		Lines: "95", Sweeps: []Sweep{
			{Variable: "1/ε", Cost: "gradients of SARAH", X: geometric(4, 2.5, 5),
				Law: func(x float64) float64 { return x * x * math.Log(x) },
				run: func(t props.Trial, x float64) float64 {
					p, c := bowl(16, 1.0/16, 1, 1), sarah(1.0/16)
					return run(c.m, p, t.Key, patience*16*math.Log(x)/c.eta, p.withGradient(1/x))
				}},
			{Variable: "1/ε", Cost: "gradients of inexact SARAH", X: geometric(2, 1.8, 7),
				Law: func(x float64) float64 { return x * x * math.Log(x) },
				run: func(t props.Trial, x float64) float64 {
					p, m := bowl(4096, 0.25, 0, 1), algos.PrescribedInexactSARAH(4096, 1, 1, 1/x)
					return run(m, p, t.Key, patience*4*math.Log(x)/m.Eta, p.withGradient(1/x))
				}},
			{Variable: "log 1/ε", Cost: "gradients of SARAH", X: geometric(1, 2, 6), Law: same, Other: "a linear rate",
				run: func(t props.Trial, x float64) float64 { return sarah(1.0/16).toGap(math.Exp(-x), t) }},
		}}.claim("table1-sarah-pl"))

	for _, m := range []struct {
		id, row, lines, text string
		repeats              int // runs averaged for each seed
		make                 func(n int, mu, zeta float64) (algos.Method, float64)
	}{
		{"page", "PAGE", "101", "(n + L√n/μ) log 1/ε", 4, func(n int, mu, _ float64) (algos.Method, float64) {
			m := algos.PrescribedPLPAGE(n, 1, mu)
			return m, m.Eta
		}},
		{"sledge-1", "SLEDGE (Option I)", "103", "(" + sledgePLEntry + ") log 1/ε", 1, plSledge(algos.OptionI)},
		{"sledge-2", "SLEDGE (Option II)", "104", "(" + sledgePLEntry + ") log 1/ε", 1, plSledge(algos.OptionII)},
	} {
		at := func(n int, mu, zeta, gap float64, t props.Trial) float64 {
			method, eta := m.make(n, mu, zeta)
			return pl{n: n, mu: mu, zeta: zeta, sigmaC: 0.1, eta: eta, m: method}.toGap(gap, t)
		}
		e := Entry{Table: 1, Row: m.row, Column: "PL condition", Text: m.text, Lines: m.lines, Sweeps: []Sweep{
			{Variable: "log 1/ε", Cost: "gradients", X: geometric(1, 2, 6), Law: same,
				run: func(t props.Trial, x float64) float64 {
					return mean(m.repeats, t, func(t props.Trial) float64 { return at(16, 1.0/16, 1, math.Exp(-x), t) })
				}},
			{Variable: "1/μ", Cost: "gradients", X: geometric(5, 2.5, 5), Law: same,
				run: func(t props.Trial, x float64) float64 { return at(16, 1/x, 1, gap, t) }},
			{Variable: "n", Cost: "gradients", X: squares, Law: root,
				run: func(t props.Trial, x float64) float64 {
					return mean(m.repeats, t, func(t props.Trial) float64 { return at(int(x), 1.0/64, 1, gap, t) })
				}},
		}}
		if m.id == "page" { // its coins
			e.Sweeps = loosely(e.Sweeps)
		} else {
			e.Sweeps = append(e.Sweeps, Sweep{Variable: "ζ", Cost: "gradients", X: geometric(1.0/32, 2, 6),
				Law: func(z float64) float64 { return max(1024, z*32*128) },
				run: func(t props.Trial, z float64) float64 { return at(1024, 1.0/128, z, gap, t) }})
		}
		out = append(out, e.claim("table1-"+m.id+"-pl"))
	}
	return out
}

// plSledge makes SLEDGE for the PL column, with b = ζ√n, at least 1.
func plSledge(option algos.Option) func(n int, mu, zeta float64) (algos.Method, float64) {
	return func(n int, mu, zeta float64) (algos.Method, float64) {
		b := max(1, int(zeta*float64(algos.RootBatch(n))))
		m := algos.PrescribedPLSLEDGE(algos.SLEDGETheory{Option: option, N: n, B: b, L: 1, Mu: mu, Zeta: zeta})
		return m, m.Eta
	}
}
