package problems

import (
	"fmt"
	"math"
	"math/rand/v2"

	"sledge/props"
)

// LogisticOptions are the regularisers of logistic regression, none by default.
type LogisticOptions struct {
	Alpha float64 // ≥ 0, factor of the nonconvex regulariser Σ x²/(1+x²)
	Ridge float64 // ≥ 0, twice the factor of ‖x‖²
}

// NewLogistic returns logistic regression on a table with targets ±1, f_k(x) = log(1 + exp(−y_k
// a_k'x)) + (ridge/2)‖x‖² + alpha Σ_l x_l²/(1+x_l²), in which client i holds the rows clients[i],
// see [SplitByTarget]; for nil each row is a client. L is exact for single rows, Zeta up to a few
// thousand of them, a bound that does not see how alike the clients are for others; Delta rests on
// f ≥ 0. The gradient noise is bounded over all x although the Hessians of the data differ.
func NewLogistic(t *Table, clients [][]int, opt LogisticOptions) (Federated, error) {
	if err := t.validate(); err != nil {
		return Federated{}, err
	}
	for k, y := range t.Target {
		if y != 1 && y != -1 {
			return Federated{}, fmt.Errorf(
				"problems: logistic regression: target of row %d is %v, want 1 or -1", k, y)
		}
	}
	reg, err := regularisers(opt.Alpha, opt.Ridge)
	if err != nil {
		return Federated{}, fmt.Errorf("problems: logistic regression: %w", err)
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

// drawLogistic draws logistic regression on a synthetic table.
func drawLogistic(src *props.Source, l ...Limits) Federated {
	lim := limits(l)
	sizes, d := lim.drawSizes(src), lim.drawDim(src)
	density := src.Real("density", 0.3, 1.5) // full rows above 1
	flipped := src.Real("flipped labels", 0, 0.5)
	scale := src.LogReal("row scale", 0.3, 10)
	opt := LogisticOptions{Alpha: src.Real("alpha", 0, 1), Ridge: src.Real("ridge", 0, 0.5)}
	t, clients := lim.drawTable(src, sizes, scale, func(r *rand.Rand) *Table {
		return Classification(total(sizes), d, density, flipped, r)
	})
	return props.Must(NewLogistic(t, clients, opt))
}

// drawTable makes a table, with rows of the given scale, and shares it out to clients of the given
// sizes.
func (l Limits) drawTable(src *props.Source, sizes []int, scale float64,
	table func(r *rand.Rand) *Table) (*Table, [][]int) {
	skew := 0.0
	if !l.finite() {
		skew = src.Real("skew", 0, 1)
	}
	r := src.Rand("table")
	t := table(r)
	t.Value = scaled(t.Value, scale)
	src.Perturb(t.Value)
	if l.finite() {
		return t, nil
	}
	return t, deal(t.Target, sizes, skew, r)
}
