package problems

import (
	"fmt"
	"math/rand/v2"

	"sledge/props"
)

// NewLeastSquares returns f_k(x) = ½(a_k'x − y_k)² + (ridge/2)‖x‖² on a table of which client i
// holds the rows clients[i]; for nil each row is a client. All its constants are exact in moderate
// dimension, but Sigma and G are +Inf unless every client has one row. With fewer rows than
// features and no ridge it is not strongly convex, but PL with the smallest nonzero eigenvalue of
// the mean of aa', and inf f = 0 if the rows are independent.
func NewLeastSquares(t *Table, clients [][]int, ridge float64) (Federated, error) {
	return newRegression(t, clients, coordinate{square, 1, 1}, ridge)
}

// Loss is a bounded or slowly growing loss of residuals, scaled to curvature 1 at 0, up to the
// factor in its definition.
type Loss uint8

// The losses of a residual r with scale c.
const (
	GemanMcClure Loss = iota // (c²/2) r²/(c²+r²)
	Welsch                   // c² (1 − exp(−r²/(2c²)))
	Tukey                    // (c²/6)(1 − (1−r²/c²)³) for |r| ≤ c, c²/6 beyond
	Cauchy                   // c² log(1 + r²/(2c²))
	losses
)

func (l Loss) String() string {
	return [...]string{"Geman-McClure", "Welsch", "Tukey", "Cauchy"}[l]
}

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

// RobustOptions are the parameters of robust regression.
type RobustOptions struct {
	Loss  Loss
	Scale float64 // c > 0; default 1
	Ridge float64 // ≥ 0
}

// NewRobust returns robust regression, f_k(x) = ℓ(a_k'x − y_k) + (ridge/2)‖x‖², on a table of which
// client i holds the rows clients[i]; for nil each row is a client. It is not convex; L is exact,
// Zeta too up to a few thousand single rows, Delta rests on f ≥ 0, and the gradient noise is
// bounded over all x.
func NewRobust(t *Table, clients [][]int, opt RobustOptions) (Federated, error) {
	if opt.Scale == 0 {
		opt.Scale = 1
	}
	switch {
	case opt.Loss >= losses:
		return Federated{}, fmt.Errorf("problems: robust regression: unknown loss %d", opt.Loss)
	case !positiveNumber(opt.Scale):
		return Federated{}, fmt.Errorf(
			"problems: robust regression: scale %v, want a positive number", opt.Scale)
	}
	return newRegression(t, clients, opt.Loss.coordinate(opt.Scale), opt.Ridge)
}

func newRegression(t *Table, clients [][]int, loss coordinate, ridge float64) (Federated, error) {
	reg, err := regularisers(0, ridge)
	if err != nil {
		return Federated{}, fmt.Errorf("problems: regression: %w", err)
	}
	one := func(int) float64 { return 1 }
	return newLinear(t, clients, loss, reg, one, func(k int) float64 { return t.Target[k] })
}

// drawLeastSquares draws least squares on a synthetic table, with fewer rows than features or more.
// With Limits.BoundedNoise every client has a single row.
func drawLeastSquares(src *props.Source, l ...Limits) Federated {
	lim := limits(l)
	if lim.BoundedNoise && !lim.finite() {
		lim.Data = Range{1, 1}
	}
	t, clients := lim.drawRegression(src)
	return props.Must(NewLeastSquares(t, clients, 0))
}

// drawRobust draws robust regression on a synthetic table.
func drawRobust(src *props.Source, l ...Limits) Federated {
	t, clients := limits(l).drawRegression(src)
	var names []string
	for l := range losses {
		names = append(names, l.String())
	}
	return props.Must(NewRobust(t, clients, RobustOptions{Loss: Loss(src.Pick("loss", names...)),
		Scale: src.LogReal("loss scale", 0.1, 10), Ridge: src.Real("ridge", 0, 0.5)}))
}

func (l Limits) drawRegression(src *props.Source) (*Table, [][]int) {
	sizes, d := l.drawSizes(src), l.drawDim(src)
	noise := src.Real("noise", 0, 1)
	outliers := src.Real("outliers", 0, 0.3)
	scale := src.LogReal("row scale", 0.3, 10)
	return l.drawTable(src, sizes, scale, func(r *rand.Rand) *Table {
		return regressionTable(total(sizes), d, noise, outliers, r)
	})
}
