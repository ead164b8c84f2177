package algotest

import (
	_ "embed"
	"errors"
	"fmt"
	"math"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"sledge/algos"
	"sledge/algos/internal/moved"
	"sledge/algos/internal/testproblem"
)

// Options adapts the conformance suite to a method.
type Options struct {
	// step size of the runs; the test objectives have smoothness at most 2. Default 0.1
	Eta   float64
	Steps int // length of the runs; default 30
	// case name to the reason why the property is not claimed, such as "scaling": "step size is
	// adaptive"
	Skip map[string]string
	// Tolerance is the relative difference that rounding may cause between runs that agree exactly
	// in theory; default 1e-8.
	Tolerance float64

	// what the method declares about the mean of its estimator; the zero value declares nothing
	Law  Law
	Move Move // what it declares about its steps; the zero value declares nothing
	// Reference makes an independent naive form of the same method, which must give the same
	// iterates and estimators from the same randomness; nil if there is none.
	Reference Factory
	// Federated says that the method communicates: its steps are rounds, and the clients of the
	// suite hold 8 data each. Those of other methods hold one.
	Federated bool
}

// Factory makes a fresh, unstarted method for a problem with n components (clients) and the given
// step size.
type Factory func(n int, eta float64) algos.Method

// Test runs the conformance suite on a method, one subtest for each case. Every case is
// deterministic: it cannot fail by chance, and what it reports is a defect of the method (or a
// property that the method does not have and should skip).
func Test(t *testing.T, f Factory, opt Options) {
	s := subject{f, opt.Federated}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if why, skip := opt.Skip[c.name]; skip {
				t.Skip(why)
			}
			err := c.run(s, opt)
			if open := (*notChecked)(nil); errors.As(err, &open) {
				t.Log(open)
			} else if err != nil {
				t.Errorf("%v\n%s", err, c.why())
			}
		})
	}
}

// Check runs the same suite outside a test and returns all failures joined, each with the name of
// its case; nil if there are none.
func Check(f Factory, opt Options) error { return Examine(f, opt).Err() }

// Report is what a run of the suite found: failures, and what it could not check or found out by
// itself, each with the name of its case.
type Report struct {
	Failures   []error
	NotChecked []string
}

// Err joins the failures; nil if there are none.
func (r Report) Err() error { return errors.Join(r.Failures...) }

// Examine runs the suite like [Check] and reports also what was not checked.
func Examine(f Factory, opt Options) Report {
	s, out := subject{f, opt.Federated}, Report{}
	for _, c := range cases {
		if why, skip := opt.Skip[c.name]; skip {
			out.NotChecked = append(out.NotChecked, c.name+": skipped: "+why)
			continue
		}
		err := c.run(s, opt)
		if open := (*notChecked)(nil); errors.As(err, &open) {
			out.NotChecked = append(out.NotChecked, c.name+": "+open.reason)
		} else if err != nil {
			out.Failures = append(out.Failures, fmt.Errorf("%s: %w", c.name, err))
		}
	}
	return out
}

// conformance is a case of the suite.
type conformance struct {
	name  string
	check func(subject, Options) error
}

// reasons say why there is each case, in a passage below its name.
//
//go:embed cases.txt
var reasons string

func (c *conformance) why() string {
	_, below, _ := strings.Cut("\n\n"+reasons, "\n\n"+c.name+"\n")
	passage, _, _ := strings.Cut(below, "\n\n")
	return strings.Join(strings.Fields(passage), " ")
}

// run checks one case. A method that panics fails it.
func (c *conformance) run(s subject, opt Options) error {
	return catchPanic(func() error { return c.check(s, opt.withDefaults()) })
}

// panicked is a panic of a method.
type panicked struct {
	value any
	stack []byte
}

func (p *panicked) Error() string {
	return fmt.Sprintf("the method panics: %v\n%s", p.value, p.stack)
}

// catchPanic turns a panic of f into an error.
func catchPanic(f func() error) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = &panicked{v, debug.Stack()}
		}
	}()
	return f()
}

func (o Options) withDefaults() Options {
	if o.Eta == 0 {
		o.Eta = 0.1
	}
	if o.Steps == 0 {
		o.Steps = 30
	}
	if o.Tolerance == 0 {
		o.Tolerance = 1e-8
	}
	return o
}

// subject is what the suite examines.
type subject struct {
	method    Factory
	federated bool
}

// oracle serves a problem of the suite, as a finite sum unless the method is federated.
func (s subject) oracle(p *testproblem.Problem) *algos.Oracle {
	if s.federated {
		return algos.NewOracle(p)
	}
	return algos.NewOracle(algos.Sum(p.FiniteSum()))
}

func (s subject) start(p *testproblem.Problem, eta float64, x0 []float64,
	r algos.Randomness) (algos.Method,
	func() algos.Counts, error) {
	m, o := s.method(p.P, eta), s.oracle(p)
	return m, o.Counts, m.Start(o, x0, r)
}

func (s subject) standard() *testproblem.Problem {
	if s.federated {
		return testproblem.Wells(6, 8, 4)
	}
	return testproblem.Wells(9, 1, 4)
}

func origin(d int) []float64 {
	x := make([]float64, d)
	for l := range x {
		x[l] = 2 - float64(l)
	}
	return x
}

// path runs the method and returns copies of all iterates followed by the last estimator.
func (s subject) path(p *testproblem.Problem, eta float64, x0 []float64, r algos.Randomness,
	steps int) ([][]float64,
	error) {
	m, _, err := s.start(p, eta, x0, r)
	if err != nil {
		return nil, err
	}
	out := [][]float64{slices.Clone(m.Point())}
	for range steps {
		m.Step()
		out = append(out, slices.Clone(m.Point()))
	}
	return append(out, slices.Clone(m.Estimator())), nil
}

// differ compares two paths and describes the first difference beyond the tolerance.
func differ(got, want [][]float64, tol float64) error {
	for t := range want {
		if d := floats.Distance(got[t], want[t], 2); !(d <= tol*(1+floats.Norm(want[t], 2))) {
			return fmt.Errorf("the runs differ by %.3g in iterate %d of %d: %.6g instead of %.6g",
				d, t, len(want)-2, got[t], want[t])
		}
	}
	return nil
}

// alike is the standard objective; the data of a client are all alike, since which of them it draws
// depends on when its turn comes.
func (s subject) alike() *testproblem.Problem {
	p := s.standard()
	if data := p.Grad; s.federated {
		p.Grad = func(dst, x []float64, i, _ int) { data(dst, x, i, 0) }
	}
	return p
}

// checkEquivariance runs the method on an objective and on a changed copy of everything, and
// compares iterates; estimators change differently.
func (s subject) checkEquivariance(o Options, of func() *testproblem.Problem,
	c moved.Change) error {
	want, err := s.path(of(), o.Eta, origin(4), algos.Seeded(3), o.Steps)
	if err != nil {
		return err
	}
	there := of()
	there.Grad = c.Gradient(there.Grad)
	got, err := s.path(there, o.Eta/c.Factor, c.Point(origin(4)), c.Randomness(algos.Seeded(3)),
		o.Steps)
	if err != nil {
		return err
	}
	got, want = got[:len(got)-1], want[:len(want)-1]
	for t := range want {
		want[t] = c.Point(want[t])
	}
	return differ(got, want, o.Tolerance)
}

var cases = []conformance{
	{"inputs", func(s subject, o Options) error {
		p, x0 := s.standard(), origin(4)
		m, _, err := s.start(p, o.Eta, x0, algos.Seeded(1))
		if err != nil {
			return err
		}
		before := slices.Clone(m.Point())
		for l := range x0 {
			x0[l] = math.NaN()
		}
		if d := floats.Distance(m.Point(), before, 2); d != 0 {
			return errors.New("the method keeps the caller's x0 instead of a copy")
		}
		x1 := origin(4)
		if m, _, err = s.start(p, o.Eta, x1, algos.Seeded(1)); err != nil {
			return err
		}
		for range o.Steps {
			m.Step()
		}
		if floats.Distance(x1, origin(4), 2) != 0 {
			return errors.New("the method writes to the caller's x0")
		}
		return nil
	}},
	{"start", func(s subject, o Options) error {
		m, _, err := s.start(s.standard(), o.Eta, origin(4), algos.Seeded(1))
		if err != nil {
			return err
		}
		if len(m.Point()) != 4 || len(m.Estimator()) != 4 {
			return fmt.Errorf("the point has length %d and Estimator %d in dimension 4",
				len(m.Point()), len(m.Estimator()))
		}
		if floats.Distance(m.Point(), origin(4), 2) != 0 {
			return fmt.Errorf("the point is %v after Start at %v", m.Point(), origin(4))
		}
		return nil
	}},
	{"repeatable", func(s subject, o Options) error {
		a, err := s.path(s.standard(), o.Eta, origin(4), algos.Seeded(5), o.Steps)
		if err != nil {
			return err
		}
		b, err := s.path(s.standard(), o.Eta, origin(4), algos.Seeded(5), o.Steps)
		if err != nil {
			return err
		}
		return differ(b, a, 0)
	}},
	{"restart", func(s subject, o Options) error {
		p := s.standard()
		m, _, err := s.start(p, o.Eta, origin(4), algos.Seeded(5))
		if err != nil {
			return err
		}
		for range o.Steps {
			m.Step()
		}
		want := slices.Clone(m.Point())
		err = m.Start(s.oracle(p), origin(4), algos.Seeded(5))
		if err != nil {
			return err
		}
		for range o.Steps {
			m.Step()
		}
		return differ([][]float64{slices.Clone(m.Point())}, [][]float64{want}, 0)
	}},
	{"counts", func(s subject, o Options) error {
		p := s.standard()
		m, counts, err := s.start(p, o.Eta, origin(4), algos.Seeded(2))
		if err != nil {
			return err
		}
		for t := 0; ; t++ {
			if c := counts().Gradients; c != p.Asked {
				return fmt.Errorf(
					"after %d steps the objective was asked for %d gradients and the oracle counted %d",
					t, p.Asked, c)
			}
			if t == o.Steps {
				break
			}
			m.Step()
		}
		if p.Asked == 0 {
			return errors.New("the method asked for no gradient at all")
		}
		if s.federated && counts().Rounds < int64(o.Steps) {
			return fmt.Errorf("%d steps counted %d communication rounds", o.Steps, counts().Rounds)
		}
		if c := counts(); s.federated && (c.Up == 0 || c.Down == 0) {
			return fmt.Errorf("no vector was counted in one direction: %d down, %d up",
				c.Down, c.Up)
		}
		return nil
	}},
	{"degenerate", func(s subject, o Options) error {
		for _, d := range []int{1, 3} {
			p := testproblem.Wells(1, 8, d)
			if _, err := s.path(p, o.Eta, origin(d), algos.Seeded(1), 5); err != nil {
				return fmt.Errorf("one component in dimension %d: %w", d, err)
			}
		}
		flat := s.standard()
		flat.Grad = func(dst, x []float64, _, _ int) { copy(dst, x) }
		path, err := s.path(flat, o.Eta, make([]float64, 4), noiseless(algos.Seeded(1)), 5)
		if err != nil {
			return err
		}
		for t, x := range path {
			if floats.Norm(x, 2) != 0 {
				return fmt.Errorf("iterate %d moved from the common minimiser without noise, to %v",
					t, x)
			}
		}
		return nil
	}},
	{"progress", func(s subject, o Options) error {
		p := s.standard()
		x0 := []float64{20, -20, 20, -20}
		far := floats.Norm(x0, 2)
		path, err := s.path(p, o.Eta, x0, algos.Seeded(2), 10*o.Steps)
		if err != nil {
			return err
		}
		if r := floats.Norm(path[len(path)-2], 2); !(r < 0.5*far) {
			return fmt.Errorf("after %d steps ‖x‖ is %.3g, from %.3g at the start",
				10*o.Steps, r, far)
		}
		return nil
	}},
	{"translation", func(s subject, o Options) error {
		// far enough to change signs: a fault may depend on them
		return s.checkEquivariance(o, s.standard,
			moved.Change{Shift: []float64{-6, 3, -4, 0.5}, Factor: 1})
	}},
	{"rotation", func(s subject, o Options) error {
		// a Householder reflection I − 2uu'
		u := mat.NewVecDense(4, []float64{0.5, -0.5, 0.7, 0.1})
		q := mat.NewDense(4, 4, nil)
		q.Outer(-2/mat.Dot(u, u), u, u)
		for l := range 4 {
			q.Set(l, l, q.At(l, l)+1)
		}
		return s.checkEquivariance(o, s.standard, moved.Change{Q: q, Factor: 1})
	}},
	{"scaling", func(s subject, o Options) error {
		return s.checkEquivariance(o, s.standard, moved.Change{Factor: 8})
	}},
	{"relabelling", func(s subject, o Options) error {
		names := make([]int, s.standard().P)
		for i, n := range names {
			if n = len(names); n%2 == 0 {
				names[i] = n - 1 - i
			} else {
				names[i] = (i*2 + 1) % n // all of them, where n is odd
			}
		}
		return s.checkEquivariance(o, s.alike, moved.Change{Names: names, Factor: 1})
	}},
	{"allocation", func(s subject, o Options) error {
		m, _, err := s.start(s.standard(), o.Eta, origin(4), algos.Seeded(1))
		if err != nil {
			return err
		}
		for range 20 {
			m.Step()
		}
		if a := testing.AllocsPerRun(100, m.Step); a > 0 {
			return fmt.Errorf("a step makes %v allocations", a)
		}
		return nil
	}},
	{"refusals", func(s subject, o Options) error {
		for _, bad := range []struct {
			what string
			eta  float64
			x0   []float64
		}{
			{"x0 of the wrong length", o.Eta, origin(3)},
			{"x0 with a NaN", o.Eta, []float64{0, math.NaN(), 0, 0}},
			{"step size 0", 0, origin(4)},
			{"a negative step size", -1, origin(4)},
			{"step size NaN", math.NaN(), origin(4)},
		} {
			p := s.standard()
			err := catchPanic(func() error {
				_, _, err := s.start(p, bad.eta, bad.x0, algos.Seeded(1))
				return err
			})
			if p := (*panicked)(nil); errors.As(err, &p) {
				return fmt.Errorf(
					"%s makes Start panic (%v); algos.CheckStart checks starting points",
					bad.what, p.value)
			}
			if err == nil {
				return fmt.Errorf("%s is accepted", bad.what)
			}
			if p.Asked > 0 {
				return fmt.Errorf("%s is refused only after %d gradients", bad.what, p.Asked)
			}
		}
		return nil
	}},
	{"bias", checkBias},
	{"move", checkMove},
	{"sampling", checkSampling},
	{"order", checkOrder},
	{"reference", checkReference},
}

// noiseless is a randomness without noise.
func noiseless(r algos.Randomness) algos.Randomness {
	return &algos.Altered{Randomness: r, Floats: func(dst []float64, _ algos.Purpose) { clear(dst) }}
}
