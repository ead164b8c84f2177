package problems

import (
	"fmt"
	"math"

	"sledge/props"
)

// Logistic is logistic regression, f_k(x) = log(1 + exp(−y_k a_k'x)) + (ridge/2)‖x‖² + alpha Σ_l x_l²/(1+x_l²), one
// component for each row of a table. L is exact; Zeta is exact up to a few thousand rows; Delta rests on f ≥ 0.
type Logistic struct{ finite }

// FederatedLogistic is the same with the rows shared out to clients. The gradient noise is bounded over all x although
// the Hessians of the data differ. Zeta is a bound that does not see how alike the clients are.
type FederatedLogistic struct{ federated }

// LogisticOptions are the regularisers of logistic regression, none by default.
type LogisticOptions struct {
	Alpha float64 // ≥ 0, factor of the nonconvex regulariser Σ x²/(1+x²)
	Ridge float64 // ≥ 0, twice the factor of ‖x‖²
}

// NewLogistic returns logistic regression on a table with targets ±1.
func NewLogistic(t *Table, opt LogisticOptions) (*Logistic, error) {
	p, err := newLogistic(t, nil, opt)
	if err != nil {
		return nil, err
	}
	return &Logistic{finite{objective{p}}}, nil
}

// NewFederatedLogistic returns logistic regression in which client i holds the rows clients[i]; see [SplitEvenly] and
// [SplitByTarget].
func NewFederatedLogistic(t *Table, clients [][]int, opt LogisticOptions) (*FederatedLogistic, error) {
	if clients == nil {
		clients = [][]int{}
	}
	p, err := newLogistic(t, clients, opt)
	if err != nil {
		return nil, err
	}
	return &FederatedLogistic{federated{objective{p}}}, nil
}

func newLogistic(t *Table, clients [][]int, opt LogisticOptions) (*linear, error) {
	if err := t.validate(); err != nil {
		return nil, err
	}
	for k, y := range t.Target {
		if y != 1 && y != -1 {
			return nil, fmt.Errorf("problems: logistic regression: target of row %d is %v, want 1 or -1", k, y)
		}
	}
	reg, err := regularisers(opt.Alpha, opt.Ridge)
	if err != nil {
		return nil, fmt.Errorf("problems: logistic regression: %w", err)
	}
	if clients == nil {
		clients = everyRow(t)
	}
	minusTarget := func(k int) float64 { return -t.Target[k] }
	none := func(int) float64 { return 0 }
	return newLinear(t, clients, coordinate{logistic, 1, 1}, reg, minusTarget, none)
}

func regularisers(alpha, ridge float64) ([]coordinate, error) {
	var reg []coordinate
	for _, r := range []struct {
		name   string
		factor float64
		shape  *scalar
	}{{"alpha", alpha, gemanMcClure}, {"ridge", ridge, square}} {
		if !(r.factor >= 0) || math.IsInf(r.factor, 1) {
			return nil, fmt.Errorf("%s is %v, want a finite number of at least 0", r.name, r.factor)
		}
		if r.factor > 0 {
			reg = append(reg, coordinate{r.shape, r.factor, 1})
		}
	}
	return reg, nil
}

// DrawLogistic draws logistic regression on a synthetic table.
func DrawLogistic(src *props.Source, l ...Limits) *Logistic {
	t, _, opt := drawLogistic(src, limits(l), false)
	return props.Must(NewLogistic(t, opt))
}

// DrawFederatedLogistic draws federated logistic regression on a synthetic table.
func DrawFederatedLogistic(src *props.Source, l ...Limits) *FederatedLogistic {
	return props.Must(NewFederatedLogistic(drawLogistic(src, limits(l), true)))
}

func drawLogistic(src *props.Source, l Limits, isFederated bool) (*Table, [][]int, LogisticOptions) {
	sizes, d := l.drawSizes(src, isFederated), l.drawDim(src)
	density := src.Real("density", 0.3, 1.5) // full rows above 1
	flipped := src.Real("flipped labels", 0, 0.5)
	scale := src.LogReal("row scale", 0.3, 10)
	opt := LogisticOptions{Alpha: src.Real("alpha", 0, 1), Ridge: src.Real("ridge", 0, 0.5)}
	skew := 0.0
	if isFederated {
		skew = src.Real("skew", 0, 1)
	}
	r := src.Rand("table")
	t := Classification(total(sizes), d, density, flipped, r)
	t.Value = scaled(t.Value, scale)
	src.Perturb(t.Value)
	return t, deal(t.Target, sizes, skew, r), opt
}
