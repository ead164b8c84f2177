package tables

import (
	"math"
	"slices"

	"sledge/bounds"
	"sledge/props"
)

// Clients are the parameters of table 2 (lines 160-200), in units with L = ρ = Δ = 1. Entries are numbers of communication rounds without logarithms.
type Clients struct {
	P, Sampled     float64 // clients, and how many take part in a round: 1 ≤ Sampled ≤ P
	K, Batch       float64 // local steps and local minibatch size, ≥ 1
	Zeta           float64 // Hessian heterogeneity between clients, at most 2
	ZetaPrime      float64 // Hessian heterogeneity between all data, at least Zeta
	SigmaC         float64 // spread of the client gradients
	Mu             float64 // PL constant, at most 1
	Eps, Curvature float64 // ε and δ, at most 1
}

// FedAvg is its entry, σ_c²/(pε⁴) + σ_c/ε³ + 1/ε² (line 174).
func (c Clients) FedAvg() float64 {
	return sq(c.SigmaC)/(c.Sampled*math.Pow(c.Eps, 4)) + c.SigmaC/math.Pow(c.Eps, 3) + 1/sq(c.Eps)
}

// SCAFFOLD is its entry, (P/p)^{2/3}/ε² (line 175).
func (c Clients) SCAFFOLD() float64 { return math.Pow(c.P/c.Sampled, 2.0/3) / sq(c.Eps) }

// MimeMVR is its entry, ζ'σ_c/(√p ε³) + σ_c²/(pε²) + 1/(Kε²) + ζ'/ε² (line 176).
func (c Clients) MimeMVR() float64 {
	return c.ZetaPrime*c.SigmaC/(math.Sqrt(c.Sampled)*math.Pow(c.Eps, 3)) + (sq(c.SigmaC)/c.Sampled+1/c.K+c.ZetaPrime)/sq(c.Eps)
}

// Fledge is the entry of FLEDGE for nonconvex problems, 1/(Kε²) + ζ√P/(pε²) + ζ/ε² (line 178).
func (c Clients) Fledge() float64 {
	return (1/c.K + c.Zeta*math.Sqrt(c.P)/c.Sampled + c.Zeta) / sq(c.Eps)
}

// FledgeSOSP is the entry of FLEDGE for second-order stationary points, (1/K + ζ)(1/ε² + 1/δ⁴) (lines 180-181). It is also that of BVR-L-PSGD.
func (c Clients) FledgeSOSP() float64 {
	return (1/c.K + c.Zeta) * (1/sq(c.Eps) + math.Pow(c.Curvature, -4))
}

// FledgePL is the entry of FLEDGE under the PL condition, 1/(μK) + ζ√P/(μp) + ζ/μ + P/p (line 183).
func (c Clients) FledgePL() float64 {
	return (1/c.K+c.Zeta*math.Sqrt(c.P)/c.Sampled+c.Zeta)/c.Mu + c.P/c.Sampled
}

// first is the number of rounds of theorem:Dist-First-Main (lines 504-506).
func (c Clients) first() float64 {
	return 1 + bounds.Parameters{L: 1, Delta: 1, Zeta: c.Zeta, P: c.P, Chosen: c.Sampled, K: c.K, B: c.Batch, Eps: c.Eps}.StatedRounds()
}

// second is the number of rounds of theorem:D-Second-Main (lines 527-528).
func (c Clients) second() float64 {
	return bounds.SecondRounds(c.K, 1, c.Zeta, 1, c.Eps, c.Curvature, 1)
}

// pl is the number of rounds of theorem:D-PL but for its logarithm (lines 579-588); combine is what it does to the five terms.
func (c Clients) pl(combine func(terms ...float64) float64) float64 {
	s := bounds.PLRounds{L: 1, Mu: c.Mu, Zeta: c.Zeta, P: c.P, Sampled: c.Sampled, K: c.K, Batch: c.Batch}
	return 1 + combine(s.PrintedRounds()...)
}

func smallest(terms ...float64) float64 { return slices.Min(terms) }

func largest(terms ...float64) float64 { return slices.Max(terms) }

// drawClients draws P, p, K, b and ζ with b ≥ K (line 510), as the entries take it; fewest is the least number of sampled clients for P.
func drawClients(src *props.Source, fewest func(p float64) float64) Clients {
	c := Clients{P: math.Ceil(bounds.SeveralUpTo(src, "P", 1e12)), K: math.Ceil(bounds.AtLeastOne(src, "K", 1e12)),
		Zeta: 2 * bounds.AtMostOne(src, "ζ/2", 1e-12)}
	c.Sampled = min(c.P, fewest(c.P)*bounds.AtLeastOne(src, "p/least p", 1e12))
	c.Batch = c.K * bounds.AtLeastOne(src, "b/K", 1e6)
	return c
}

func drawEps(src *props.Source) float64 { return bounds.AtMostOne(src, "ε", 1e-8) }

func one(float64) float64 { return 1 }

func table2Claims() []props.Binding {
	rival := func(f func(Clients) (float64, float64)) props.Check {
		return props.Order(func(src *props.Source) (float64, float64) {
			c := drawClients(src, math.Sqrt)
			c.Eps, c.SigmaC, c.ZetaPrime = drawEps(src), src.LogReal("σ_c", 1e-8, 1e8), c.Zeta*bounds.AtLeastOne(src, "ζ'/ζ", 1e6)
			return f(c)
		})
	}
	samePL := func(combine func(...float64) float64) props.Check {
		return props.SameOrder(func(src *props.Source) (float64, float64) {
			c := drawClients(src, one)
			c.Mu = bounds.AtMostOne(src, "μ", 1e-8)
			return c.pl(combine), c.FledgePL()
		})
	}
	return []props.Binding{
		props.Bind("table2-nonconvex", props.SameOrder(func(src *props.Source) (float64, float64) {
			c := drawClients(src, one)
			c.Eps = drawEps(src)
			return c.first(), max(1, c.Fledge())
		})),
		props.Bind("table2-sosp", props.All(
			props.SameOrder(func(src *props.Source) (float64, float64) {
				c := drawClients(src, one)
				c.Eps, c.Curvature = drawEps(src), bounds.AtMostOne(src, "δ", 1e-8)
				return c.second(), max(1, c.FledgeSOSP())
			}),
			props.Order(func(src *props.Source) (float64, float64) {
				c := drawClients(src, one)
				c.Curvature = c.Zeta * bounds.AtMostOne(src, "δ/ζ", 1e-8)
				c.Batch = max(c.K, 1/(c.K*sq(c.Zeta)))
				table := math.Sqrt(c.P) + sq(c.Zeta/c.Curvature)
				return table + 1/(c.K*c.Batch*sq(c.Curvature)), table
			}))),
		props.Bind("table2-pl", samePL(smallest)),
		props.Bind("table2-pl/corrected", samePL(largest)),
		props.Bind("table2-dominance", props.All(
			rival(func(c Clients) (float64, float64) { return c.Fledge(), c.FedAvg() }),
			rival(func(c Clients) (float64, float64) { return c.Fledge(), c.SCAFFOLD() }),
			rival(func(c Clients) (float64, float64) { return c.Fledge(), c.MimeMVR() }))),
		props.Bind("text-classical-delta", props.SameOrder(func(src *props.Source) (float64, float64) {
			return classical(src, bounds.AtMostOne(src, "δ/√ε", 1e-8))
		})),
		props.Bind("text-classical-delta/corrected", props.SameOrder(func(src *props.Source) (float64, float64) {
			return classical(src, bounds.AtLeastOne(src, "δ/√ε", 1e8))
		})),
	}
}

// classical returns the entries for second- and first-order points with δ = √ε·ratio and p ≥ √P.
func classical(src *props.Source, ratio float64) (measured, claimed float64) {
	c := drawClients(src, math.Sqrt)
	c.Eps = drawEps(src)
	c.Curvature = ratio * math.Sqrt(c.Eps)
	return c.FledgeSOSP(), c.Fledge()
}
