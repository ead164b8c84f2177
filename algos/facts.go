package algos

import (
	"fmt"
	"math"
	"strings"
)

// Goal says which result the parameters of a method are taken from. A method without a result for
// the goal takes its result for stationary points.
type Goal uint8

// The goals.
const (
	Stationary  Goal = iota // a gradient norm of ε
	SecondOrder             // and no eigenvalue of the Hessian below −δ
	UnderPL                 // the same gradient norm by a gap of ε²/(2L), under the PL condition
)

func (g Goal) String() string {
	return [...]string{"first", "second", "pl"}[g]
}

// Fact is a number that may be known. The zero value is not.
type Fact struct {
	value float64
	known bool
}

// Known returns a fact with the value; infinite values and NaN say nothing.
func Known(v float64) Fact { return Fact{v, !math.IsNaN(v) && !math.IsInf(v, 0)} }

// Value returns the value and whether it is known.
func (f Fact) Value() (float64, bool) { return f.value, f.known }

// Facts are what the theory of methods asks about a problem and a run. All constants are upper
// bounds but Mu; what is not known is left out.
type Facts struct {
	Goal       Goal
	N          int // components n, at least 1; for federated problems unused
	Dim        int // dimension d, at least 1
	Clients    int // clients P, at least 1 for federated problems
	Chosen     int // clients p of a round; 0 stands for ⌈√P⌉
	LocalSteps int // local steps K; 0 stands for 1
	// minibatch size where the theory leaves it free; 0 stands for ⌈√n⌉, federated for 1 (for K
	// where the theory asks for b ≥ K)
	Batch int
	Steps int // length T of the run, for methods whose parameters depend on it; 0 if not known

	L    Fact // gradient Lipschitz constant of all components (data)
	Zeta Fact // largest distance of the Hessians of two components (clients); not known is 2L
	// largest distance of the Hessian of a component (datum) from that of f; not known is 2L
	ZetaPrime Fact
	Rho       Fact // Hessian Lipschitz constant of all components (data)
	Mu        Fact // PL constant
	Gap       Fact // f(x⁰) − inf f
	// root mean square distance of component (client) gradients from ∇f, wherever the run goes
	Spread Fact
	// root mean square distance of data gradients from their client's, wherever the run goes;
	// federated problems only
	Sigma Fact
	Bound Fact // norm of component gradients, wherever the run goes
	Eps   Fact // gradient norm ε that the run aims at
	// curvature δ that a second-order point may have; not known is √(ρε), for ρ = 0 L/10, and at
	// most L
	Curvature Fact

	missing []string
}

// facts are the names of the facts that have no stand-in when they are not known.
var facts = map[string]string{"L": "the smoothness constant", "ρ": "the Hessian Lipschitz constant",
	"μ": "the PL constant", "Δ": "a lower bound of f", "ε": "the gradient norm to aim at",
	"σ":    "the spread of component gradients along the run",
	"σ_c":  "the spread of client gradients along the run",
	"σ_ij": "the spread of a client's data gradients along the run",
	"G":    "a bound on component gradients along the run", "T": "the number of steps"}

// need returns the value of a fact, NaN if it is not known; then its symbol is missing.
func (f *Facts) need(symbol string, v Fact) float64 {
	if !v.known {
		f.missing = append(f.missing, symbol)
		return math.NaN()
	}
	return v.value
}

// NeedL returns L.
func (f *Facts) NeedL() float64 { return f.need("L", f.L) }

// NeedEps returns ε.
func (f *Facts) NeedEps() float64 { return f.need("ε", f.Eps) }

// NeedMu returns μ; a PL constant of 0 is none.
func (f *Facts) NeedMu() float64 {
	if f.Mu.value <= 0 {
		return f.need("μ", Fact{})
	}
	return f.Mu.value
}

// NeedGap returns Δ.
func (f *Facts) NeedGap() float64 { return f.need("Δ", f.Gap) }

// NeedZeta returns ζ, which is at most 2L.
func (f *Facts) NeedZeta() float64 { return f.heterogeneity(f.Zeta) }

// NeedZetaPrime returns ζ', which is at most 2L.
func (f *Facts) NeedZetaPrime() float64 { return f.heterogeneity(f.ZetaPrime) }

func (f *Facts) heterogeneity(z Fact) float64 {
	if L := 2 * f.NeedL(); !z.known || z.value > L {
		return L
	}
	return z.value
}

// NeedCurvature returns a valid Hessian Lipschitz constant and the curvature δ. Every number above
// a Hessian Lipschitz constant is one, too; the one that is returned is positive, at least δ²/ε.
func (f *Facts) NeedCurvature() (rho, delta float64) {
	rho, L, eps := f.need("ρ", f.Rho), f.NeedL(), f.NeedEps()
	switch {
	case f.Curvature.known:
		delta = f.Curvature.value
	case rho == 0:
		delta = L / 10
	default:
		delta = math.Sqrt(rho * eps)
	}
	delta = min(delta, L)
	return max(rho, delta*delta/eps), delta
}

// Minibatch returns the minibatch size of a finite-sum method that may choose it.
func (f *Facts) Minibatch() int {
	if f.Batch == 0 {
		return RootBatch(f.N)
	}
	return f.Batch
}

// smallBatch is Minibatch, at most n^{2/3}.
func (f *Facts) smallBatch() int { return min(f.Minibatch(), max(1, int(twoThirds(f.N)))) }

// Round returns the clients, local steps and local minibatch of a round, with defaults filled in;
// byDefault is that of the minibatch.
func (f *Facts) Round(byDefault int) (p, K, b int) {
	p, K, b = f.Chosen, max(1, f.LocalSteps), f.Batch
	if p == 0 {
		p = RootBatch(f.Clients)
	}
	if b == 0 {
		b = byDefault
	}
	return p, K, b
}

// noise is the root mean square of what a client's displacement over a round misses of ∇f, for each
// unit of step: √(σ_c² + σ²/(Kb)).
func (f *Facts) noise(K, b int) float64 {
	return math.Hypot(f.need("σ_c", f.Spread),
		f.need("σ_ij", f.Sigma)/math.Sqrt(float64(K)*float64(b)))
}

// Prescription is a method with the parameters that its theory gives it.
type Prescription struct {
	Method Method
	Eta    float64 // the step size, as Setting.Eta is meant
	By     string  // the result behind it
}

// Needs lists the symbols of the constants without which Prescribe fails.
func (e Entry) Needs() []string {
	if e.Prescribed == nil {
		return nil
	}
	f := Facts{N: 1, Dim: 1, Clients: 1}
	e.Prescribed(&f)
	return f.absent()
}

// absent lists each missing symbol once.
func (f *Facts) absent() []string {
	var out []string
	seen := map[string]bool{}
	for _, s := range f.missing {
		if !seen[s] {
			out = append(out, s)
		}
		seen[s] = true
	}
	return out
}

// Prescribe makes the method with the parameters that its theory gives for the facts. An error says
// that there is no such theory, or what is not known.
func (e Entry) Prescribe(f Facts) (Prescription, error) {
	if e.Prescribed == nil {
		return Prescription{}, fmt.Errorf(
			"the theory of %s gives no constants that are known here", e.Name)
	}
	p := e.Prescribed(&f)
	missing := f.absent()
	if len(missing) == 0 {
		return p, nil
	}
	for i, s := range missing {
		missing[i] = fmt.Sprintf("%s (%s)", s, facts[s])
	}
	verb := "is"
	if len(missing) > 1 {
		verb = "are"
	}
	return Prescription{}, fmt.Errorf("the theory of %s needs %s, which %s not known", e.Name,
		strings.Join(missing, " and "), verb)
}
