package problems

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"sync"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize"

	"sledge/algos"
)

// Optimum is the lowest point that a search has found.
type Optimum struct {
	Point        []float64 // nil if the infimum is certified and no search was made
	Value        float64   // f there; or inf f
	GradientNorm float64   // ‖∇f‖ there
	How          string    // by which search, in a few words
}

// Smooth is a function with exact gradients.
type Smooth interface {
	algos.Valuer
	algos.FullGradienter
}

// Descend returns the lowest end of L-BFGS on f from some points, of at least one, with at most so
// many steps from each: a value that f has, and no bound on those that it has elsewhere. Searches
// go on side by side. They end where they are once the context is cancelled.
func Descend(ctx context.Context, f Smooth, starts [][]float64, steps int) Optimum {
	ends := make([]Optimum, len(starts))
	var all sync.WaitGroup
	for k, x := range starts {
		all.Go(func() {
			ends[k] = Optimum{Point: slices.Clone(x), Value: f.Value(x)}
			settings := &optimize.Settings{MajorIterations: steps}
			r, _ := optimize.Minimize(problem(ctx, f), x, settings, &optimize.LBFGS{})
			if r != nil && r.F < ends[k].Value {
				ends[k].Point, ends[k].Value = r.X, r.F
			}
		})
	}
	all.Wait()
	low := slices.MinFunc(ends, func(a, b Optimum) int { return cmp.Compare(a.Value, b.Value) })
	g := make([]float64, len(low.Point))
	f.FullGradient(g, low.Point)
	low.GradientNorm = floats.Norm(g, 2)
	low.How = fmt.Sprintf("the lowest end of L-BFGS from %d points", len(starts))
	return low
}

// problem is what a search for a minimum of f is given, which ends once the context is cancelled.
func problem(ctx context.Context, f Smooth) optimize.Problem {
	return optimize.Problem{Func: f.Value, Grad: f.FullGradient,
		Status: func() (optimize.Status, error) {
			if err := ctx.Err(); err != nil {
				return optimize.Failure, err
			}
			return optimize.NotTerminated, nil
		}}
}

// newtonWork is how many multiplications the Hessians of one iteration may take for Newton's method
// to be used.
const newtonWork = 2 << 30

// Optimum returns the infimum of f where that is certified, else the end of a local search from x:
// Newton's method where the Hessian is cheap, L-BFGS elsewhere, on exact gradients of f that no
// oracle counts. Of a convex f it is the minimum, up to the gradient norm that is given; of another
// one a local minimum. A search whose context is cancelled ends where it is.
func (p *Problem) Optimum(ctx context.Context, x []float64) Optimum {
	if low, ok := p.Minimum(); ok {
		return Optimum{Value: low, How: "certified"}
	}
	d := len(x)
	hessian, _ := p.Certificate.(interface{ HessianVector(dst, x, u []float64) })
	data := 0
	for i := range p.Objective.Clients() {
		data += p.Objective.Size(i)
	}
	dense := hessian != nil && float64(data)*float64(d)*float64(d) <= newtonWork && d <= maxDense
	search := problem(ctx, p)
	curvature := func(h *mat.SymDense, x []float64) {
		u, column := make([]float64, d), make([]float64, d)
		for k := range d {
			u[k] = 1
			hessian.HessianVector(column, x, u)
			u[k] = 0
			for l := range k + 1 {
				h.SetSym(l, k, column[l])
			}
		}
	}
	method, name := optimize.Method(&optimize.LBFGS{}), "L-BFGS"
	if dense {
		search.Hess, method, name = curvature, &optimize.Newton{}, "Newton's method"
	}
	settings := &optimize.Settings{MajorIterations: 500,
		Converger: &optimize.FunctionConverge{Relative: 1e-16,
			Absolute: math.SmallestNonzeroFloat64, Iterations: 5}}
	steps := 0
	end := Optimum{Point: slices.Clone(x), Value: p.Value(x)}
	// A line search that meets rounding ends with an error, and has found what there is to find.
	if r, _ := optimize.Minimize(search, x, settings, method); r != nil {
		steps = r.MajorIterations
		if r.F <= end.Value {
			end.Point, end.Value = r.X, r.F
		}
	}
	g := make([]float64, d)
	p.FullGradient(g, end.Point)
	end.GradientNorm = floats.Norm(g, 2)
	for dense && ctx.Err() == nil {
		// whole Newton steps, which go below what values can tell, as long as they do
		h := mat.NewSymDense(d, nil)
		curvature(h, end.Point)
		var c mat.Cholesky
		step, next := mat.NewVecDense(d, nil), make([]float64, d)
		if !c.Factorize(h) || c.SolveVecTo(step, mat.NewVecDense(d, g)) != nil {
			break
		}
		floats.SubTo(next, end.Point, step.RawVector().Data)
		p.FullGradient(g, next)
		norm := floats.Norm(g, 2)
		if !(norm < end.GradientNorm/2) {
			break
		}
		end.Point, end.GradientNorm, end.Value = next, norm, min(end.Value, p.Value(next))
		steps++
	}
	end.How = fmt.Sprintf("%d steps of %s", steps, name)
	return end
}
