package linear

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"

	"sledge/algos/problems"
)

// people is a table of n rows whose columns have sizes from 1 to 10⁶, and means far from 0.
func people(t *testing.T, loss Loss, n int) *problems.Table {
	t.Helper()
	r := rand.New(rand.NewPCG(4, uint64(n)))
	var rows [][]float64
	var target []float64
	for range n {
		a, b, c := r.NormFloat64(), r.NormFloat64(), r.NormFloat64()
		u := a - 2*b + 0.5*c + 0.3 + 2*r.NormFloat64()
		if loss == Logistic {
			u = math.Copysign(1, u)
		}
		rows, target = append(rows, []float64{40 + 10*a, 3e6 + 1e6*b, c}), append(target, u)
	}
	table, err := problems.NewTable(rows, target)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// Without a regulariser scaling does not move the minimum: the model is that of Newton's method on
// standardised columns, in the columns as they were, and its gradient there is 0 up to the
// tolerance.
func TestFitIsTheMinimum(t *testing.T) {
	for loss, name := range map[Loss]string{Logistic: "logistic", Squares: "least-squares",
		Robust: "robust"} {
		table := people(t, loss, 300)
		m, err := Fit(context.Background(), table,
			Options{Loss: loss, Tolerance: 1e-9, Passes: 20000})
		if err != nil || m.Stopped != "tolerance" {
			t.Fatalf("%s: %v, %+v", loss, err, m)
		}
		scaled := table.Select(everyRow(table))
		s, _ := scaled.Scaling()
		scaled.Standardise(s)
		scaled.Intercept()
		p, err := problems.Build(name, problems.Setting{Table: scaled, Alpha: -1},
			rand.New(rand.NewPCG(1, 1)))
		if err != nil {
			t.Fatal(err)
		}
		x := []float64{m.Weights[0] * s.Scale[0], m.Weights[1] * s.Scale[1],
			m.Weights[2] * s.Scale[2], m.Intercept + floats.Dot(m.Weights, s.Mean)}
		if g := p.Value(x) - m.Last.Value; math.Abs(g) > 1e-12 {
			t.Errorf("%s: f is %g off", loss, g)
		}
		if best := p.Optimum(context.Background(), x); p.Value(x)-best.Value > 1e-13 {
			t.Errorf("%s: %g above the minimum", loss, p.Value(x)-best.Value)
		}
	}
}

func everyRow(t *problems.Table) (rows []int) {
	for k := range t.Rows() {
		rows = append(rows, k)
	}
	return rows
}

// A sparse table gives the model that the same numbers give as a dense one, if columns are left as
// they are.
func TestSparse(t *testing.T) {
	dense := people(t, Logistic, 80)
	s, _ := dense.Scaling()
	dense.Standardise(s)
	sparse := dense.Select(everyRow(dense))
	for k := range sparse.Value {
		sparse.Column = append(sparse.Column, int32(k%3))
	}
	opt := Options{Raw: true, Ridge: 0.1, Tolerance: 1e-10}
	a, err1 := Fit(context.Background(), dense, opt)
	b, err2 := Fit(context.Background(), sparse, opt)
	if err := errors.Join(err1, err2); err != nil {
		t.Fatal(err)
	}
	ya, err1 := a.PredictTable(dense)
	yb, err2 := b.PredictTable(sparse)
	if err := errors.Join(err1, err2); err != nil || floats.Distance(ya, yb, math.Inf(1)) > 1e-8 {
		t.Errorf("%v, predictions are %g apart", err, floats.Distance(ya, yb, math.Inf(1)))
	}
	if _, row := dense.Row(3); ya[3] != a.Predict(row) {
		t.Error("a row of a table is not predicted like the row")
	}
}

// A fit ends where it is told to: at a value, at once when it begins at its end, when held-out rows
// get no better.
func TestEnds(t *testing.T) {
	table := people(t, Logistic, 300)
	ctx := context.Background()
	cold, err := Fit(ctx, table, Options{Tolerance: 1e-7})
	if err != nil {
		t.Fatal(err)
	}
	warm, err := Fit(ctx, table, Options{Tolerance: 1e-6, Start: cold})
	if err != nil || warm.Last.Passes > 1 || warm.Stopped != "tolerance" || cold.Last.Passes < 4 {
		t.Errorf("%v, warm %+v, cold %+v", err, warm, cold)
	}
	at, err := Fit(ctx, table, Options{Value: cold.Last.Value + 0.01})
	if err != nil || at.Stopped != "value" || at.Last.Value > cold.Last.Value+0.01 ||
		at.Last.Passes >= cold.Last.Passes {
		t.Errorf("%v, %+v", err, at)
	}
	few, err := Fit(ctx, table, Options{Passes: 2, Tolerance: -1})
	if err != nil || few.Stopped != "passes" || few.Last.Passes < 2 || few.Last.Passes > 3 {
		t.Errorf("%v, %+v", err, few)
	}
	over, cancel := context.WithCancel(ctx)
	cancel()
	if left, err := Fit(over, table, Options{}); err != nil || left.Stopped != "cancelled" {
		t.Errorf("%v, %+v", err, left)
	}
	if _, err := Fit(ctx, people(t, Squares, 30),
		Options{Loss: Squares, Method: "SGD", Eta: 1e3}); !errors.Is(err,
		ErrDiverged) {
		t.Errorf("a huge step: %v", err)
	}
}

// With few rows and many columns a fit gets better on its rows for longer than on others: it ends
// there, with the model that was best on these.
func TestPatience(t *testing.T) {
	noise := problems.Classification(60, 40, 1, 0.4, rand.New(rand.NewPCG(8, 9)))
	var looks []Look
	m, err := Fit(context.Background(), noise,
		Options{Holdout: 0.5, Patience: 5, Passes: 2000, Tolerance: -1,
			Watch: func(l Look) { looks = append(looks, l) }})
	if err != nil || m.Stopped != "patience" {
		t.Fatalf("%v, %+v", err, m)
	}
	k := slices.IndexFunc(looks, func(l Look) bool { return l == m.Last })
	if k != len(looks)-6 {
		t.Errorf("the model is from look %d of %d", k, len(looks))
	}
	for _, l := range looks {
		if l.HeldOut < m.Last.HeldOut {
			t.Errorf("%+v is better than %+v", l, m.Last)
		}
	}
	if end := looks[len(looks)-1]; end.Value >= m.Last.Value {
		t.Errorf("the fit itself got no better: %+v, %+v", m.Last, end)
	}
}

func TestSaveLoad(t *testing.T) {
	path := filepath.Join(t.TempDir(), "model.json")
	m, err := Fit(context.Background(), people(t, Logistic, 50),
		Options{Method: "sledge-ii", NoIntercept: true})
	if err != nil || m.Intercept != 0 || m.Method != "SLEDGE-II" {
		t.Fatalf("%v, %+v", err, m)
	}
	m.Names = []string{"a", "b", "c"}
	if err := m.Save(path); err != nil {
		t.Fatal(err)
	}
	again, err := Load(path)
	if err != nil || !reflect.DeepEqual(m, again) {
		t.Errorf("%v: %+v is not %+v", err, again, m)
	}
	for text, wrong := range map[string]string{"": "no model", "{}": `its schema is ""`,
		`{"schema":"sledge/linear/v1","loss":"hinge"}`:                                    `unknown loss "hinge"`,
		`{"schema":"sledge/linear/v1","loss":"squares"}`:                                  "without weights",
		`{"schema":"sledge/linear/v1","loss":"squares","weights":[1],"names":["a", "b"]}`: "1 weights with 2 names"} {
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := Load(path); err == nil || !strings.Contains(err.Error(), wrong) ||
			!strings.HasPrefix(err.Error(), "linear: "+path) {
			t.Errorf("%q: %v, want %q", text, err, wrong)
		}
	}
	if _, err := Load(path + "er"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
}

// What does not fit is refused in a sentence that names the option.
func TestRefusals(t *testing.T) {
	table := people(t, Squares, 30)
	named := people(t, Squares, 30)
	named.Names = []string{"age", "income", "debt"}
	for _, c := range []struct {
		opt   Options
		wrong string
	}{
		{Options{}, "target of row 0 is"},
		{Options{Loss: "hinge"},
			`there is no loss "hinge"; there are logistic, squares and robust`},
		{Options{Loss: Squares, Ridge: -1}, "Ridge is -1"},
		{Options{Loss: Squares, Eta: math.NaN()}, "Eta is NaN"},
		{Options{Loss: Squares, Batch: 31}, "Batch is 31, want 0 to 30"},
		{Options{Loss: Squares, Holdout: 1}, "Holdout is 1"},
		{Options{Loss: Squares, Holdout: 0.01}, "Holdout of 0.01 of 30 rows"},
		{Options{Loss: Squares, Patience: 3}, "nothing for Patience to look at"},
		{Options{Loss: Squares, Value: math.NaN()}, "Value and Tolerance must be numbers"},
		{Options{Loss: Squares, Method: "Newton"}, `there is no method "Newton"`},
		{Options{Loss: Squares, Method: "FedAvg"}, `there is no method "FedAvg" for finite sums`},
		{Options{Loss: Squares, Start: &Model{Weights: []float64{1}}},
			"Start is a model of 1 columns, and the table has 3"},
		{Options{Loss: Squares, Start: &Model{Weights: []float64{1, 2, 3},
			Names: []string{"a", "b", "c"}}},
			"Start is a model of the columns a, b, c"},
	} {
		if _, err := Fit(context.Background(), named, c.opt); err == nil ||
			!strings.Contains(err.Error(), c.wrong) ||
			strings.Count(err.Error(), "linear: ") != 1 {
			t.Errorf("%+v: %v, want %q", c.opt, err, c.wrong)
		}
	}
	if _, err := Fit(context.Background(), nil, Options{}); err == nil {
		t.Error("a fit to nothing")
	}
	m, err := Fit(context.Background(), table, Options{Loss: Squares})
	if err != nil {
		t.Fatal(err)
	}
	wide := problems.Classification(3, 4, 1, 0, rand.New(rand.NewPCG(1, 1)))
	if _, err := m.PredictTable(wide); err == nil ||
		err.Error() != "linear: a table of 4 columns for a model of 3" {
		t.Errorf("a table of other columns: %v", err)
	}
}

// Columns are found by their names, in whatever order a table has them, and words that one side
// does not know count as 0.
func TestNames(t *testing.T) {
	m := &Model{Loss: Squares, Weights: []float64{1, 10, 100}, Names: []string{"a", "b=x", "b=y"}}
	table, err := problems.NewTable([][]float64{{1, 0, 2}, {0, 1, 3}}, []float64{0, 0})
	if err != nil {
		t.Fatal(err)
	}
	table.Names = []string{"b=y", "b=z", "a"}
	if got, err := m.PredictTable(table); err != nil || !slices.Equal(got, []float64{102, 3}) {
		t.Errorf("%v, %v", got, err)
	}
	for _, names := range [][]string{{"b=y", "b=x", "c"}, {"b=y", "b=x", "b=z"}} {
		table.Names = names
		if _, err := m.PredictTable(table); err == nil ||
			!strings.Contains(err.Error(), "has no column") {
			t.Errorf("%v: %v", names, err)
		}
	}
}

// Every file either has no model in it or one that predicts.
func FuzzParse(f *testing.F) {
	f.Add(
		[]byte(`{"schema":"sledge/linear/v1","loss":"logistic","weights":[1,-2],"intercept":0.5}`))
	f.Add([]byte(`{"schema":"sledge/linear/v1","loss":"squares","weights":[],"names":["a"]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		m, err := parse(text)
		if (m == nil) == (err == nil) {
			t.Fatal("neither a model nor an error, or both")
		}
		if err == nil {
			m.Predict(make([]float64, len(m.Weights)))
		}
	})
}

// By default a fit of a table as people have it, of age, income and debt, comes to its tolerance.
func TestDefaultsAreEnough(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	var rows [][]float64
	var labels []float64
	for range 400 {
		age, income, debt := 19+56*r.Float64(), 12000+1e5*r.Float64(), 6e4*r.Float64()
		label := -1.0
		if 5e-5*debt-4e-5*income+0.01*(40-age)+1+0.5*r.NormFloat64() > 0 {
			label = 1
		}
		rows, labels = append(rows, []float64{age, income, debt}), append(labels, label)
	}
	table, err := problems.NewTable(rows, labels)
	if err != nil {
		t.Fatal(err)
	}
	m, err := Fit(context.Background(), table, Options{Ridge: 1e-4})
	if err != nil || m.Stopped != "tolerance" {
		t.Errorf("%v, %+v", err, m)
	}
	if short, err := Fit(context.Background(), table, Options{Ridge: 1e-4, Passes: 20}); err != nil ||
		short.Stopped != "passes" {
		t.Errorf("20 passes are enough as well: %v, %+v", err, short)
	}
}
