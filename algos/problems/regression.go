package problems

import (
	"fmt"
	"math"

	"sledge/props"
)

// LeastSquares is f_k(x) = ½(a_k'x − y_k)² + (ridge/2)‖x‖², one component for each row of a table. All its constants
// are exact in moderate dimension. With fewer rows than features and no ridge it is not strongly convex, but PL with
// the smallest nonzero eigenvalue of the mean of aa', and inf f = 0 if the rows are independent.
type LeastSquares struct{ finite }

// FederatedLeastSquares is the same with the rows shared out to clients. Sigma and G are +Inf unless every client has
// one row.
type FederatedLeastSquares struct{ federated }

// NewLeastSquares returns least squares on a table.
func NewLeastSquares(t *Table, ridge float64) (*LeastSquares, error) {
	p, err := newRegression(t, everyRow(t), coordinate{square, 1, 1}, ridge)
	if err != nil {
		return nil, err
	}
	return &LeastSquares{finite{objective{p}}}, nil
}

// NewFederatedLeastSquares returns least squares in which client i holds the rows clients[i].
func NewFederatedLeastSquares(t *Table, clients [][]int, ridge float64) (*FederatedLeastSquares, error) {
	p, err := newRegression(t, clients, coordinate{square, 1, 1}, ridge)
	if err != nil {
		return nil, err
	}
	return &FederatedLeastSquares{federated{objective{p}}}, nil
}

// Loss is a bounded or slowly growing loss of residuals, scaled to curvature 1 at 0, up to the factor in its
// definition.
type Loss uint8

// The losses of a residual r with scale c.
const (
	GemanMcClure Loss = iota // (c²/2) r²/(c²+r²)
	Welsch                   // c² (1 − exp(−r²/(2c²)))
	Tukey                    // (c²/6)(1 − (1−r²/c²)³) for |r| ≤ c, c²/6 beyond
	Cauchy                   // c² log(1 + r²/(2c²))
	losses
)

func (l Loss) String() string { return [...]string{"Geman-McClure", "Welsch", "Tukey", "Cauchy"}[l] }

func (l Loss) coordinate(c float64) coordinate {
	switch l {
	case GemanMcClure:
		return coordinate{gemanMcClure, 0.5, c}
	case Welsch:
		return coordinate{welsch, 1, c}
	case Tukey:
		return coordinate{tukey, 1, c}
	}
	return coordinate{cauchy, 1, c}
}

// Robust is robust regression f_k(x) = ℓ(a_k'x − y_k) + (ridge/2)‖x‖², one component for each row of a table. It is not
// convex; L is exact, Zeta too up to a few thousand rows, and Delta rests on f ≥ 0.
type Robust struct{ finite }

// FederatedRobust is the same with the rows shared out to clients. The gradient noise is bounded over all x.
type FederatedRobust struct{ federated }

// RobustOptions are the parameters of robust regression.
type RobustOptions struct {
	Loss  Loss
	Scale float64 // c > 0; default 1
	Ridge float64 // ≥ 0
}

// NewRobust returns robust regression on a table.
func NewRobust(t *Table, opt RobustOptions) (*Robust, error) {
	p, err := newRobust(t, everyRow(t), opt)
	if err != nil {
		return nil, err
	}
	return &Robust{finite{objective{p}}}, nil
}

// NewFederatedRobust returns robust regression in which client i holds the rows clients[i].
func NewFederatedRobust(t *Table, clients [][]int, opt RobustOptions) (*FederatedRobust, error) {
	p, err := newRobust(t, clients, opt)
	if err != nil {
		return nil, err
	}
	return &FederatedRobust{federated{objective{p}}}, nil
}

func newRobust(t *Table, clients [][]int, opt RobustOptions) (*linear, error) {
	if opt.Scale == 0 {
		opt.Scale = 1
	}
	switch {
	case opt.Loss >= losses:
		return nil, fmt.Errorf("problems: robust regression: unknown loss %d", opt.Loss)
	case !(opt.Scale > 0) || math.IsInf(opt.Scale, 1):
		return nil, fmt.Errorf("problems: robust regression: scale %v, want a positive number", opt.Scale)
	}
	return newRegression(t, clients, opt.Loss.coordinate(opt.Scale), opt.Ridge)
}

func newRegression(t *Table, clients [][]int, loss coordinate, ridge float64) (*linear, error) {
	reg, err := regularisers(0, ridge)
	if err != nil {
		return nil, fmt.Errorf("problems: regression: %w", err)
	}
	one := func(int) float64 { return 1 }
	return newLinear(t, clients, loss, reg, one, func(k int) float64 { return t.Target[k] })
}

// DrawLeastSquares draws least squares on a synthetic table, with fewer rows than features or more.
func DrawLeastSquares(src *props.Source, l ...Limits) *LeastSquares {
	t, _ := drawRegression(src, limits(l), false)
	return props.Must(NewLeastSquares(t, 0))
}

// DrawFederatedLeastSquares draws federated least squares on a synthetic table. With Limits.BoundedNoise every client
// has a single row.
func DrawFederatedLeastSquares(src *props.Source, l ...Limits) *FederatedLeastSquares {
	lim := limits(l)
	if lim.BoundedNoise {
		lim.Data = Range{1, 1}
	}
	t, clients := drawRegression(src, lim, true)
	return props.Must(NewFederatedLeastSquares(t, clients, 0))
}

// DrawRobust draws robust regression on a synthetic table.
func DrawRobust(src *props.Source, l ...Limits) *Robust {
	t, _ := drawRegression(src, limits(l), false)
	return props.Must(NewRobust(t, drawRobust(src)))
}

// DrawFederatedRobust draws federated robust regression on a synthetic table.
func DrawFederatedRobust(src *props.Source, l ...Limits) *FederatedRobust {
	t, clients := drawRegression(src, limits(l), true)
	return props.Must(NewFederatedRobust(t, clients, drawRobust(src)))
}

func drawRobust(src *props.Source) RobustOptions {
	var names []string
	for l := range losses {
		names = append(names, l.String())
	}
	return RobustOptions{Loss: Loss(src.Pick("loss", names...)), Scale: src.LogReal("loss scale", 0.1, 10),
		Ridge: src.Real("ridge", 0, 0.5)}
}

func drawRegression(src *props.Source, l Limits, isFederated bool) (*Table, [][]int) {
	sizes, d := l.drawSizes(src, isFederated), l.drawDim(src)
	noise := src.Real("noise", 0, 1)
	outliers := src.Real("outliers", 0, 0.3)
	scale := src.LogReal("row scale", 0.3, 10)
	skew := 0.0
	if isFederated {
		skew = src.Real("skew", 0, 1)
	}
	r := src.Rand("table")
	t := Regression(total(sizes), d, noise, outliers, r)
	t.Value = scaled(t.Value, scale)
	src.Perturb(t.Value)
	return t, deal(t.Target, sizes, skew, r)
}
