package bounds

import (
	"math"

	"sledge/algos"
	"sledge/props"
)

// rampProblem is a problem of one variable with a long way to go at constant slope: f(x) = s·√(x² +
// a²), slope up to s = 3/2 on both sides of the minimum at 0 and curvature up to s/a = 1/2. The
// data of a client differ by ±ripples w²(1 − cos(x/w))/2 of curvature up to 1/2 and slope up to
// w/2, the sign alternating from one to the next; clients do not differ. So ζ = 0, σ = G = w/2, and
// L = 1 bounds the curvature of data.
type rampProblem struct {
	clients, data int // data even
	width         float64
}

const rampSlope, rampBend = 1.5, 3.0

func (p *rampProblem) Clients() int { return p.clients }
func (p *rampProblem) Size(int) int { return p.data }
func (p *rampProblem) Dim() int     { return 1 }

// Gradient sets dst to f_ij'(x).
func (p *rampProblem) Gradient(dst, x []float64, _, j int) {
	dst[0] = rampSlope*x[0]/math.Hypot(x[0], rampBend) +
		float64(1-2*(j&1))*p.width*math.Sin(x[0]/p.width)/2
}

// down is the search of FLEDGE for ‖∇f‖ ≤ 1 from right of the minimum, where f(x) − f(0) = Δ.
func (p *rampProblem) down(c tuning, gap float64) *quest {
	x0 := []float64{rampBend * math.Sqrt(sq(1+gap/(rampSlope*rampBend))-1)}
	return &quest{K: c.K, problem: p, values: map[string]float64{"L": 1, "ζ": 0, "Δ": gap, "ε": 1,
		"ν": 0.1, "P": float64(p.clients), "p": float64(c.p), "K": float64(c.K), "b": float64(c.b)},
		start: func(t props.Trial) (algos.Method, []float64, algos.Randomness) {
			return c.method(), x0, algos.Keyed(t.Key)
		},
		found: arriving(func(algos.Problem) func([]float64) bool {
			return func(x []float64) bool { return rampSlope*math.Abs(x[0]) <= math.Hypot(x[0], rampBend) }
		})}
}

// ramps are searches at a step size to which a test knows no better: none of a half of it, twice it
// and 1/(2L) that are tried there takes fewer rounds in the median.
type ramps struct {
	eta func(x float64) float64
	at  func(x, eta float64) *quest
}

func (r ramps) draw(*props.Source, *searches) *quest {
	at := func(x float64) *quest { return r.at(x, r.eta(x)) }
	q := at(1)
	q.at = at
	return q
}

// alikeRamps is the way down a slope with κ = LΔ/ε² where clients agree, P = κ² and p = K = b = 1.
var alikeRamps = ramps{func(kappa float64) float64 { return 4 / kappa },
	func(kappa, eta float64) *quest {
		p := &rampProblem{clients: int(kappa * kappa), data: 2, width: 2}
		return p.down(tuning{eta: eta, p: 1, K: 1, b: 1}, kappa)
	}}

// singleData is one where one datum at a time makes it L/√K.
var singleData = ramps{func(K float64) float64 { return 8 / math.Sqrt(K) },
	func(x, eta float64) *quest {
		K := int(math.Round(x))
		p := &rampProblem{clients: 64, data: 2 * K, width: 30}
		return p.down(tuning{eta: eta, p: 8, K: K, b: 1}, 2000)
	}}
