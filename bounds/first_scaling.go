package bounds

import (
	"math"

	"sledge/algos"
	"sledge/props"
	"sledge/props/keyed"
)

// rampProblem is a problem of one variable with a long way to go at constant slope: f(x) = s·√(x²
// + a²), slope up to s on both sides of the minimum at 0 and curvature up to s/a. The data of a
// client differ by ±ripples c·w²(1 − cos(x/w)) of curvature up to c and slope up to cw, the sign
// alternating from one to the next; clients do not differ. So ζ = 0, σ = G = within·w, and L = s/a
// + within bounds the curvature of data.
type rampProblem struct {
	clients, data int // data even
	slope, bend   float64
	within, width float64

	// The last point, with the slope of the mean and the ripple there: a full pass asks each client
	// at the same one. So a problem belongs to one run at a time, in one direction of rounding.
	met                 bool
	last, slopes, waves float64
}

func (p *rampProblem) Clients() int { return p.clients }
func (p *rampProblem) Size(int) int { return p.data }
func (p *rampProblem) Dim() int     { return 1 }

// Gradient sets dst to f_ij'(x).
func (p *rampProblem) Gradient(dst, x []float64, _, j int) {
	if u := x[0]; !p.met || u != p.last {
		p.met, p.last = true, u
		p.slopes, p.waves = p.slope*u/math.Hypot(u, p.bend), math.Sin(u/p.width)
	}
	dst[0] = p.slopes + p.within*float64(1-2*(j&1))*p.width*p.waves
}

func (p *rampProblem) gradientNorm(x []float64) float64 {
	return p.slope * math.Abs(x[0]) / math.Hypot(x[0], p.bend)
}

// at returns the point right of the minimum with f(x) − f(0) = gap.
func (p *rampProblem) at(gap float64) []float64 {
	return []float64{p.bend * math.Sqrt(sq(1+gap/(p.slope*p.bend))-1)}
}

// roundsUntil runs FLEDGE and returns the number of rounds, at most limit, that it takes until ‖∇f‖
// ≤ ε at one of the local points.
func roundsUntil(p *rampProblem, c tuning, x0 []float64, eps float64, key keyed.Key, limit int) int {
	step, ok := search(c.method(), p, x0, algos.Keyed(key), limit*c.K,
		func(_ int, x []float64) bool { return p.gradientNorm(x) <= eps })
	if !ok {
		return limit
	}
	return (step + c.K - 1) / c.K
}

// counted are the rounds of FLEDGE on ramps along x, at a step size to which a test knows no
// better: none of a half of it, twice it and 1/(2L) that are tried there takes fewer in the median.
type counted struct {
	x      []float64
	eta    func(x float64) float64
	rounds func(x, eta float64, key keyed.Key) int
}

// sweep is a slope check of the rounds over a law, about the median: the theorems bound the rounds
// with high probability.
func (c *counted) sweep(t props.SlopeTrial,
	law func(x, rounds float64) float64) *props.Randomised {
	t.X, t.Of, t.Regime = c.x, props.OfMedian, props.Where(props.Sweep(t.XLabel, c.x))
	t.Run = func(t props.Trial, x float64) float64 {
		return law(x, float64(c.rounds(x, c.eta(x), t.Key)))
	}
	return props.Slope(func(*props.Source) props.SlopeTrial { return t })
}

// onSlope is the way down a slope with κ = LΔ/ε² where clients agree, P = κ² and p = K = b = 1.
var onSlope = counted{[]float64{6, 12, 24, 48, 96, 192}, func(kappa float64) float64 { return 4 / kappa },
	func(kappa, eta float64, key keyed.Key) int {
		p := &rampProblem{clients: int(kappa * kappa), data: 2, slope: 1.5, bend: 3, within: 0.5,
			width: 2}
		return roundsUntil(p, tuning{eta: eta, p: 1, K: 1, b: 1},
			p.at(kappa), 1, key, int(20*kappa*kappa))
	}}

// withSingleData is one where one datum at a time makes it L/√K.
var withSingleData = counted{[]float64{4, 8, 16, 32, 64, 128},
	func(K float64) float64 { return 8 / math.Sqrt(K) },
	func(x, eta float64, key keyed.Key) int {
		K := int(x)
		p := &rampProblem{clients: 64, data: 2 * K, slope: 1.5, bend: 3, within: 0.5, width: 30}
		return roundsUntil(p, tuning{eta: eta, p: 8, K: K, b: 1},
			p.at(2000), 1, key, 1000)
	}}

// noisyMargin is the margin of sweeps whose hitting times vary.
const noisyMargin = 0.2

// againstStated divides rounds on a slope by the stated ones and one power of C_1 = log(PT/ν), all
// that the printed step size has where ζ = 0.
func againstStated(kappa, rounds float64) float64 {
	P := kappa * kappa
	stated := firstRounds.At(1, 1, 0, P, 1, 1, kappa, 1)
	return rounds / (1 + stated) / math.Log(P*rounds/0.1)
}

func scalingClaims() []props.Binding {
	return []props.Binding{
		props.Bind("dist-rounds-option-two", onSlope.sweep(props.SlopeTrial{XLabel: "LΔ/ε²",
			YLabel: "rounds / claimed rounds"}, againstStated)),
		props.Bind("dist-rounds-versus-local-steps", withSingleData.sweep(props.SlopeTrial{
			XLabel: "K", YLabel: "rounds·√K", TwoSided: true, Margin: noisyMargin},
			func(K, rounds float64) float64 { return math.Sqrt(K) * rounds }).Effort(4)),
	}
}
