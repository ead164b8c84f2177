// Package linear fits linear models to tables with the methods of the library: [Fit],
// [Model.Predict], [Model.Save] and [Load]. A fit may begin where another has ended, and end at a
// value, at a small gradient, or when examples that were held out get no better. Methods take their
// gradients from the oracle that counts them, as everywhere.
package linear

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/floats"

	"sledge/algos"
	"sledge/algos/problems"
	"sledge/props/keyed"
	"sledge/reports/store"
)

// Loss is what a model makes small.
type Loss string

// The losses, of a row a with target y at the margin u = a'x + intercept.
const (
	Logistic Loss = "logistic" // log(1 + exp(−yu)), for targets ±1
	Squares  Loss = "squares"  // (u − y)²/2
	Robust   Loss = "robust"   // of Geman and McClure, r²/(2(1+r²)) for r = u − y
)

// curvature is the largest curvature of a loss as a function of the margin.
func (l Loss) curvature() float64 {
	if l == Logistic {
		return 0.25
	}
	return 1
}

// problem poses f(x) = mean of the losses + (ridge/2)‖x‖².
func (l Loss) problem(t *problems.Table, ridge float64) (problems.FiniteSum, error) {
	build := map[Loss]func() (problems.Federated, error){
		Logistic: func() (problems.Federated, error) {
			return problems.NewLogistic(t, nil, problems.LogisticOptions{Ridge: ridge})
		},
		Squares: func() (problems.Federated, error) {
			return problems.NewLeastSquares(t, nil, ridge)
		},
		Robust: func() (problems.Federated, error) {
			return problems.NewRobust(t, nil, problems.RobustOptions{Ridge: ridge})
		},
	}[l]
	if build == nil {
		return problems.FiniteSum{}, fmt.Errorf("there is no loss %q; there are %s, %s and %s", l,
			Logistic, Squares, Robust)
	}
	p, err := build()
	return p.ByClient(), err
}

// Options say how a model is fitted. The zero value fits a logistic regression with an intercept,
// on standardised columns, until the gradient is a ten thousandth of that at zero.
type Options struct {
	Loss Loss // default Logistic
	// λ ≥ 0 of the regulariser (λ/2)‖x‖², on the weights of standardised columns and on the
	// intercept
	Ridge float64
	// Raw leaves columns as they are. Else those of a table without missing entries are moved and
	// scaled to mean 0 and root mean square 1 for the fit, without an intercept only scaled; the
	// model is about the columns as they were. Sparse tables are left as they are.
	Raw         bool
	NoIntercept bool

	Method string // of [algos.Catalogue], for finite sums; default SAGA
	// step size; default 1/L for the smoothness L of a row's loss with the regulariser
	Eta   float64
	Batch int    // minibatch; default what the method takes, usually ⌈√n⌉
	Seed  uint64 // of all random choices; equal seeds make equal models
	Start *Model // where to begin, a model of as many columns; default zero

	Passes int // the fit ends after so many times n gradients; default 1000
	// it ends where ‖∇f‖ is at most so many times that at zero; default 1e-4, negative for never
	Tolerance float64
	Value     float64 // it ends where f is at most so much; 0 for never
	// Holdout is the share of the rows, below 1, that are not fitted. The model is the one with the
	// least mean loss on them among those that were looked at, and the fit ends after Patience
	// passes without a lower one; 0 for never.
	Holdout  float64
	Patience int
	Watch    func(Look) // is told what every look has seen; may be nil
}

// Look is what is seen of a fit, at its start and after every n gradients.
type Look struct {
	Passes       float64 `json:"passes"` // gradients so far, divided by n
	Value        float64 `json:"value"`  // f, with the regulariser
	GradientNorm float64 `json:"gradientNorm"`
	HeldOut      float64 `json:"heldOut"` // mean loss on the rows held out; 0 if there are none
}

// Model is a fitted linear model.
type Model struct {
	Schema    string    `json:"schema"` // "sledge/linear/v1"
	Loss      Loss      `json:"loss"`
	Weights   []float64 `json:"weights"` // of the columns as they are in a table
	Intercept float64   `json:"intercept"`
	Names     []string  `json:"names,omitempty"` // of the columns, if they have any
	// how it was fitted
	Method  string  `json:"method"`
	Eta     float64 `json:"eta"`
	Last    Look    `json:"last"`    // of the look that the model is from
	Stopped string  `json:"stopped"` // tolerance, value, patience, passes or cancelled
}

const schema = "sledge/linear/v1"

// ErrDiverged says that the step size is too large for the method.
var ErrDiverged = errors.New("linear: the fit diverged; a smaller Eta may help")

// Fit fits a linear model to a table, whose targets are ±1 for [Logistic]. A fit whose context is
// cancelled ends with the model that it has, and says so in Stopped. An error names the option that
// does not fit, or is [ErrDiverged].
func Fit(ctx context.Context, t *problems.Table, opt Options) (*Model, error) {
	if err := opt.complete(t); err != nil {
		return nil, fmt.Errorf("linear: %w", err)
	}
	f, err := newFit(t, opt)
	if err != nil {
		return nil, fmt.Errorf("linear: %s", strings.TrimPrefix(err.Error(), "problems: "))
	}
	return f.run(ctx)
}

// complete refuses what does not fit and fills in defaults.
func (o *Options) complete(t *problems.Table) error {
	if t == nil || t.Rows() < 1 {
		return errors.New("the table has no rows")
	}
	for _, v := range []struct {
		name        string
		value, most float64
	}{{"Ridge", o.Ridge, math.MaxFloat64}, {"Eta", o.Eta, math.MaxFloat64},
		{"Batch", float64(o.Batch), float64(t.Rows())},
		{"Passes", float64(o.Passes), 1 << 40}, {"Patience", float64(o.Patience), 1 << 40},
		{"Holdout", o.Holdout, 1}} {
		if !(v.value >= 0 && v.value <= v.most) || v.name == "Holdout" && v.value == 1 {
			return fmt.Errorf("%s is %v, want 0 to %v", v.name, v.value, v.most)
		}
	}
	switch {
	case o.Patience > 0 && o.Holdout == 0:
		return errors.New(
			"without rows held out there is nothing for Patience to look at: set Holdout to their share")
	case math.IsNaN(o.Value) || math.IsNaN(o.Tolerance):
		return errors.New("the options Value and Tolerance must be numbers")
	case o.Start != nil && len(o.Start.Weights) != t.Width:
		return fmt.Errorf("the Start is a model of %d columns, and the table has %d",
			len(o.Start.Weights), t.Width)
	case o.Start != nil && o.Start.Names != nil && t.Names != nil &&
		!slices.Equal(o.Start.Names, t.Names):
		return fmt.Errorf("the Start is a model of the columns %s, and the table has %s",
			strings.Join(o.Start.Names, ", "),
			strings.Join(t.Names, ", "))
	}
	if o.Loss == "" {
		o.Loss = Logistic
	}
	if o.Method == "" {
		o.Method = "SAGA"
	}
	if o.Passes == 0 {
		o.Passes = 1000
	}
	if o.Tolerance == 0 {
		o.Tolerance = 1e-4
	}
	return nil
}

// fit is a fit that is under way.
type fit struct {
	Options
	width   int
	names   []string
	scaling *problems.Scaling // nil if columns are as they were
	sum     problems.FiniteSum
	held    *problems.FiniteSum // nil if no rows are
	method  algos.Entry
	least   []float64 // the point with the least loss on rows held out
	best    Look
	since   int // looks without a better one
}

func newFit(t *problems.Table, opt Options) (*fit, error) {
	f := &fit{Options: opt, width: t.Width, names: t.Names}
	k := slices.IndexFunc(algos.Catalogue(), func(e algos.Entry) bool {
		return !e.Federated && strings.EqualFold(e.Name, opt.Method)
	})
	if k < 0 {
		return nil, fmt.Errorf("there is no method %q for finite sums", opt.Method)
	}
	f.method = algos.Catalogue()[k]
	order := keyed.New(opt.Seed).With("holdout").Rand().Perm(t.Rows())
	out := int(opt.Holdout * float64(len(order)))
	if opt.Holdout > 0 && (out == 0 || out == len(order)) {
		return nil, fmt.Errorf("a Holdout of %v of %d rows leaves none to hold out, or none to fit",
			opt.Holdout, len(order))
	}
	slices.Sort(order[:out])
	slices.Sort(order[out:])
	tables := []*problems.Table{t.Select(order[out:])}
	if out > 0 {
		tables = append(tables, t.Select(order[:out]))
	}
	if s, ok := tables[0].Scaling(); ok && !opt.Raw {
		for k, mean := range s.Mean {
			if opt.NoIntercept { // which would take up what moving leaves
				s.Mean[k], s.Scale[k] = 0, math.Hypot(mean, s.Scale[k])
			}
		}
		f.scaling = &s
	}
	for k, t := range tables {
		if f.scaling != nil {
			t.Standardise(*f.scaling)
		}
		if !opt.NoIntercept {
			t.Intercept()
		}
		ridge := opt.Ridge
		if k == 1 {
			ridge = 0
		}
		p, err := opt.Loss.problem(t, ridge)
		if err != nil {
			return nil, err
		}
		if k == 0 {
			f.sum = p
		} else {
			f.held = &p
		}
	}
	if f.Eta == 0 {
		L := opt.Loss.curvature()*tables[0].LargestRow() + opt.Ridge
		if L == 0 {
			L = 1
		}
		f.Eta = 1 / L
	}
	return f, nil
}

// run makes the fit.
func (f *fit) run(ctx context.Context) (*Model, error) {
	n, d := f.sum.Components(), f.sum.Dim()
	g := make([]float64, d)
	f.sum.FullGradient(g, make([]float64, d))
	goal := f.Tolerance * floats.Norm(g, 2)
	f.best.HeldOut = math.Inf(1)
	var held float64
	lim := algos.Limits{Gradients: int64(f.Passes) * int64(n), EveryGradients: int64(n)}
	lim.Observe = func(x []float64) []float64 {
		if f.held != nil {
			held = f.held.Value(x)
		}
		f.since++
		if held < f.best.HeldOut {
			f.since, f.least = 0, slices.Clone(x)
		}
		return []float64{held}
	}
	why := "passes"
	see := func(r algos.Record) Look {
		look := f.look(r)
		if f.since == 0 {
			f.best = look
		}
		if f.Watch != nil {
			f.Watch(look)
		}
		return look
	}
	lim.Until = func(r algos.Record) bool {
		see(r)
		switch {
		case r.GradientNorm <= goal:
			why = "tolerance"
		case f.Value != 0 && r.Value <= f.Value:
			why = "value"
		case f.Patience > 0 && f.since >= f.Patience:
			why = "patience"
		default:
			return false
		}
		return true
	}
	m := f.method.New(algos.Setting{Tuning: algos.Tuning{Eta: f.Eta, Batch: f.Batch}, L: 1 / f.Eta})
	tr, err := algos.Run(ctx, m, algos.Sum(f.sum), f.start(),
		algos.Keyed(keyed.New(f.Seed).With("fit")), lim)
	if err != nil {
		return nil, fmt.Errorf("linear: %w", err)
	}
	switch tr.Stopped {
	case "cancelled":
		why = tr.Stopped
	case "diverged":
		return nil, ErrDiverged
	}
	end := tr.Records[len(tr.Records)-1]
	x, last := tr.Point, f.look(end)
	if tr.Stopped != "until" {
		see(end)
	}
	if f.held != nil && f.least != nil {
		x, last = f.least, f.best
	}
	return f.finished(x, last, why), nil
}

func (f *fit) look(r algos.Record) Look {
	return Look{float64(r.Counts.Gradients) / float64(f.sum.Components()), r.Value, r.GradientNorm,
		r.Observed[0]}
}

// start is the point that Start is, in the columns of the fit.
func (f *fit) start() []float64 {
	x := make([]float64, f.sum.Dim())
	if f.Start == nil {
		return x
	}
	shift := f.Start.Intercept
	for k, w := range f.Start.Weights {
		if x[k] = w; f.scaling != nil {
			shift += w * f.scaling.Mean[k]
			x[k] = w * f.scaling.Scale[k]
		}
	}
	if !f.NoIntercept {
		x[f.width] = shift
	}
	return x
}

// finished is the model that a point is, in the columns as they were.
func (f *fit) finished(x []float64, last Look, why string) *Model {
	m := &Model{Schema: schema, Loss: f.Loss, Weights: slices.Clone(x[:f.width]), Names: f.names,
		Method: f.method.Name, Eta: f.Eta, Last: last, Stopped: why}
	if !f.NoIntercept {
		m.Intercept = x[f.width]
	}
	if f.scaling != nil {
		for k := range m.Weights {
			if m.Weights[k] = 0; f.scaling.Scale[k] > 0 {
				m.Weights[k] = x[k] / f.scaling.Scale[k]
			}
			m.Intercept -= m.Weights[k] * f.scaling.Mean[k]
		}
	}
	return m
}

// Predict returns the probability of target 1 for a logistic model, and the target itself for the
// others. It panics if the row has not as many numbers as the model has weights.
func (m *Model) Predict(row []float64) float64 {
	if len(row) != len(m.Weights) {
		panic(fmt.Sprintf("linear: a row of %d numbers for a model of %d columns", len(row),
			len(m.Weights)))
	}
	return m.at(floats.Dot(m.Weights, row))
}

func (m *Model) at(product float64) float64 {
	u := product + m.Intercept
	if m.Loss != Logistic {
		return u
	}
	if u < 0 {
		return math.Exp(u) / (1 + math.Exp(u))
	}
	return 1 / (1 + math.Exp(-u))
}

// PredictTable returns what [Model.Predict] does of each row of a table, dense or sparse. Columns
// that have names are found by them; a column of a word, income=high for instance, counts as 0
// where the table or the model does not have it. An error says that the columns are not those of
// the model.
func (m *Model) PredictTable(t *problems.Table) ([]float64, error) {
	weights, err := m.weightsOf(t)
	if err != nil {
		return nil, fmt.Errorf("linear: %w", err)
	}
	out := make([]float64, t.Rows())
	for k := range out {
		columns, values := t.Row(k)
		product := 0.0
		for e, v := range values {
			if columns != nil {
				e = int(columns[e])
			}
			product += v * weights[e]
		}
		out[k] = m.at(product)
	}
	return out, nil
}

// weightsOf are the weights of the columns of a table.
func (m *Model) weightsOf(t *problems.Table) ([]float64, error) {
	if m.Names == nil || t.Names == nil || slices.Equal(m.Names, t.Names) {
		if t.Width != len(m.Weights) {
			return nil, fmt.Errorf("a table of %d columns for a model of %d", t.Width,
				len(m.Weights))
		}
		return m.Weights, nil
	}
	weights := make([]float64, len(t.Names))
	for k, name := range t.Names {
		switch at := slices.Index(m.Names, name); {
		case at >= 0:
			weights[k] = m.Weights[at]
		case !strings.Contains(name, "="):
			return nil, fmt.Errorf("the model has no column %q; it has %s", name,
				strings.Join(m.Names, ", "))
		}
	}
	for _, name := range m.Names {
		if !strings.Contains(name, "=") && !slices.Contains(t.Names, name) {
			return nil, fmt.Errorf("the table has no column %q; it has %s", name,
				strings.Join(t.Names, ", "))
		}
	}
	return weights, nil
}

// Save writes the model to a file, which it replaces in one step.
func (m *Model) Save(path string) error {
	return store.Write(path, func(w io.Writer) error {
		e := json.NewEncoder(w)
		e.SetIndent("", " ")
		return e.Encode(m)
	})
}

// mostModel is how large the file of a model may be.
const mostModel = 1 << 31

// Load reads a model that [Model.Save] has written. Errors name the file.
func Load(path string) (*Model, error) {
	text, err := store.Read(path, mostModel)
	if err != nil {
		return nil, fmt.Errorf("linear: %w", err)
	}
	m, err := parse(text)
	if err != nil {
		return nil, fmt.Errorf("linear: %s: %w", path, err)
	}
	return m, nil
}

func parse(text []byte) (*Model, error) {
	m := new(Model)
	if err := json.Unmarshal(text, m); err != nil {
		return nil, fmt.Errorf("no model: %v", err)
	}
	switch {
	case m.Schema != schema:
		return nil, fmt.Errorf("no model: its schema is %.40q, want %q", m.Schema, schema)
	case !slices.Contains([]Loss{Logistic, Squares, Robust}, m.Loss):
		return nil, fmt.Errorf("a model of the unknown loss %.40q", m.Loss)
	case len(m.Weights) == 0:
		return nil, errors.New("a model without weights")
	case m.Names != nil && len(m.Names) != len(m.Weights):
		return nil, fmt.Errorf("a model of %d weights with %d names", len(m.Weights), len(m.Names))
	}
	return m, nil
}
