package bounds

import (
	"math"

	"sledge/algos"
	"sledge/props"
)

func plClaims() []props.Binding {
	claims := []props.Binding{
		props.Bind("dpl-remark-final/sharper", checkExpectedPLRounds()),
		props.Bind("dpl-step-size-list/corrected",
			props.Order(func(src *props.Source) (float64, float64) {
				s := drawPLSizes(src)
				eta := s.PLStep(algos.FLEDGEPLFactor)
				return plMovementLoss(s, eta), 1 / (2 * eta)
			})),
		props.Bind("dpl-step-size-coefficient",
			props.Implication(func(src *props.Source, rec *props.Recorder) {
				s := drawPLStep(src)
				eta := s.PLStep(algos.FLEDGEPLFactor * src.LogReal("27c", 1e-3, 1))
				rec.AtMost("L/2 + Σ_s… + ηΣ_k… against 1/(2η)", plMovementLoss(s, eta), 1/(2*eta))
			})),
	}
	for _, federated := range []bool{false, true} {
		id := map[bool]string{false: "pl-main", true: "dpl"}[federated]
		claims = append(claims, props.Bind(id+"-hidden-logs/corrected", hiddenLogarithm(federated)))
	}
	return claims
}

// plMovementLoss is what lines 3294-3297 subtract from 1/(2η) in the coefficient of ‖x^{t,k} −
// x^{t,k−1}‖², with ⌈T_3⌉ rounds in the window.
func plMovementLoss(s algos.FLEDGETheory, eta float64) float64 {
	table := s.K * (clientLossAt.At(s.C1, s.Zeta, s.Chosen, s.K) +
		dataLossAt.At(s.C1, s.Data, s.Chosen, s.B))
	local := localLossAt.At(s.C1, s.Zeta, s.L, s.K, s.B)
	perRound := -s.K * math.Log1p(-eta*s.Mu/2)
	return s.L/2 + eta*table*math.Exp(perRound)*powerSum(perRound, math.Ceil(s.P/s.Chosen*s.C1)) +
		eta*local*powerSum(perRound/s.K, s.K)*math.Exp(-perRound/s.K)
}

// powerSum is Σ_{j=1}^n e^{jx} for x > 0.
func powerSum(x, n float64) float64 { return math.Exp(x) * math.Expm1(n*x) / math.Expm1(x) }

// drawPLSizes draws the setting over many decades, in units with L = 1. Counts are real numbers.
func drawPLSizes(src *props.Source) algos.FLEDGETheory {
	s := algos.FLEDGETheory{L: 1, Data: 1, C1: 1, P: severalUpTo(src, "P", 1e9),
		K: atLeastOne(src, "K", 1e9), B: atLeastOne(src, "b", 1e9)}
	s.Chosen = max(1, s.P*atMostOne(src, "p/P", 1e-9))
	s.Mu = 1 / atLeastOne(src, "L/μ", 1e9)
	s.Zeta = 2 * atMostOne(src, "ζ/2L", 1e-9)
	return s
}

// drawPLStep draws what the coefficient depends on, with clients and data of any heterogeneity up
// to 2L.
func drawPLStep(src *props.Source) algos.FLEDGETheory {
	s := algos.FLEDGETheory{L: 1, C1: src.LogReal("C_1", 1, 100),
		P: float64(src.LogInt("P", Several, 1e6)), K: float64(src.LogInt("K", 1, 1e4)),
		B: float64(src.LogInt("b", 1, 1e6))}
	s.Chosen = float64(src.LogInt("p", 1, int(s.P)))
	s.Mu, s.Zeta = src.LogReal("μ/L", 1e-6, 1), src.LogReal("ζ/L", 1e-6, 2)
	s.Data = src.LogReal("Hessian distance of data / L", 1e-6, 2)
	// all parts of the coefficient count where entries are alike, and most where the window is much
	// longer than C_1P/p for being whole
	if src.Bool("entries of the step size alike") {
		s.C1 = src.Real("C_1 there", 1, 2)
		s.P = float64(src.Int("P there", Several, 8))
		s.Chosen = float64(src.Int("p there", 1, int(s.P)))
		part := s.Chosen / (s.C1 * s.K * s.P)
		s.Mu = min(1, part*src.LogReal("μ over where its entry is 1/L", 0.1, 10))
		s.Zeta = min(2, 1/s.K, part*math.Sqrt(s.P)/math.Pow(s.C1, 3.5))
		s.Data = min(2, part*math.Sqrt(s.P*s.K*s.B)/math.Pow(s.C1, 4.5))
	}
	return s
}

// c1Logs holds the natural logarithms of the quantities that decide the size of C_1 = log(1/ν + n +
// P + d + T + K), in which they occur as logarithms only.
type c1Logs struct {
	// n or P, K (of FLEDGE only), d, 1/ν, L/μ, 1/μ
	count, local, dim, nuInverse, kappa, muInverse float64
	// the logarithm of (Δ+…)/ε in the number of steps, itself
	lambda    float64
	federated bool
}

func drawC1Logs(src *props.Source, federated bool) c1Logs {
	ln := func(name string) float64 { return 1 + src.LogReal(name+" − 1", 1e-5, 1e5) }
	c := c1Logs{dim: ln("ln d"), nuInverse: ln("ln 1/ν"), kappa: ln("ln L/μ"),
		lambda: ln("ln (…)/ε"), federated: federated}
	c.muInverse = c.kappa - ln("ln L")
	if federated {
		c.count, c.local = ln("ln P"), ln("ln K")
	} else {
		c.count = ln("ln n")
	}
	return c
}

// c1 solves C_1 = log(1/ν + n + P + d + T + K), up to a factor 5, with the number T of steps of
// line 2132 for b = 1 and ζ = L, or of rounds of dpl-horizon/corrected for p = b = 1 and ζ = L.
func (c *c1Logs) c1() float64 {
	c1 := 1.0
	for range 100 {
		// the right-hand side grows like 6.5 log C_1, so the iteration converges from below
		ln := math.Log(c1)
		perLog := max(c.kappa, c.kappa+4.5*ln+c.count/2, c.count+ln)
		if c.federated {
			perLog = max(perLog, c.kappa+5.5*ln+(c.count-c.local)/2)
		}
		c1 = max(1, c.nuInverse, c.count, c.local, c.dim, c.count+ln, ln+math.Log(c.lambda)+perLog)
	}
	return c1
}

// hiddenLogarithm compares C_1 with the logarithm of n + d + L/μ + 1/ν, or of P + K + d + L/μ +
// 1/ν, up to a factor that is a logarithm of logarithms.
func hiddenLogarithm(federated bool) props.Check {
	return props.Order(func(src *props.Source) (float64, float64) {
		c := drawC1Logs(src, federated)
		return c.c1(), max(c.count, c.local, c.nuInverse, c.kappa, c.dim) * (1 + math.Log(c.lambda))
	})
}
