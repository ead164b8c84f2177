package algos_test

import (
	"context"
	"errors"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/gonum/floats"

	"sledge/algos"
	"sledge/props/keyed"
)

// toy is f_ij(x) = ½ Σ_l a_ijl (x_l − c_ijl)², with clients of equal size; as a finite sum it has
// one component for each client.
type toy struct {
	d    int
	a, c [][][]float64
}

func newToy(clients, size, d int) *toy {
	r := keyed.New(7).At(clients).At(size).At(d).Rand()
	p := &toy{d: d}
	for range clients {
		var as, cs [][]float64
		for range size {
			a, c := make([]float64, d), make([]float64, d)
			for l := range d {
				a[l], c[l] = 0.2+r.Float64(), r.NormFloat64()
			}
			as, cs = append(as, a), append(cs, c)
		}
		p.a, p.c = append(p.a, as), append(p.c, cs)
	}
	return p
}

func (p *toy) Clients() int   { return len(p.a) }
func (p *toy) Size(i int) int { return len(p.a[i]) }
func (p *toy) Dim() int       { return p.d }
func (p *toy) Gradient(dst, x []float64, i, j int) {
	for l := range dst {
		dst[l] = p.a[i][j][l] * (x[l] - p.c[i][j][l])
	}
}

func (p *toy) Value(x []float64) float64 {
	f := 0.0
	for i := range p.a {
		for j := range p.a[i] {
			for l := range x {
				u := x[l] - p.c[i][j][l]
				f += p.a[i][j][l] * u * u / 2 / float64(len(p.a)*len(p.a[i]))
			}
		}
	}
	return f
}

// sumOf is a toy with one datum for each of n clients seen as a finite sum.
func sumOf(n, d int) algos.Problem { return algos.Sum(sum{newToy(n, 1, d)}) }

type sum struct{ *toy }

func (p sum) Components() int                  { return len(p.a) }
func (p sum) Gradient(dst, x []float64, i int) { p.toy.Gradient(dst, x, i, 0) }

func near(t *testing.T, what string, got, want []float64) {
	t.Helper()
	if d := floats.Distance(got, want, math.Inf(1)); !(d <= 1e-10*(1+floats.Norm(want, 2))) {
		t.Fatalf("%s: differ by %g: %v, want %v", what, d, got, want)
	}
}

func ones(d int) []float64 {
	x := make([]float64, d)
	for l := range x {
		x[l] = 1 + float64(l)
	}
	return x
}

func TestSLEDGEMatchesReference(t *testing.T) {
	for _, n := range []int{1, 2, 7, 20} {
		for _, opt := range []algos.Option{algos.OptionI, algos.OptionII} {
			for _, b := range []int{0, 1, n} {
				p := sumOf(n, 3)
				fast := &algos.SLEDGE{Eta: 0.3, Batch: b, Radius: 0.1, Option: opt}
				slow := fast.Reference()
				fo, so := algos.NewOracle(p), algos.NewOracle(p)
				a, err := algos.RecordRun(fast, fo, ones(3), algos.Seeded(1), 60)
				if err != nil {
					t.Fatal(err)
				}
				s, err := algos.RecordRun(slow, so, ones(3), algos.Seeded(1), 60)
				if err != nil {
					t.Fatal(err)
				}
				for k := range a.X {
					near(t, "x", a.X[k], s.X[k])
					near(t, "v", a.V[k], s.V[k])
				}
				if fo.Counts().Gradients != so.Counts().Gradients {
					t.Errorf("counts %d and %d", fo.Counts().Gradients, so.Counts().Gradients)
				}
			}
		}
	}
}

func TestSLEDGEScheduleMatchesReference(t *testing.T) {
	p := sumOf(9, 2)
	fast := &algos.SLEDGE{Eta: 0.2, Batch: 2, Schedule: func(t int) int {
		if t%5 == 0 {
			return 20 // capped at n
		}
		return 2
	}}
	a, err := algos.RecordRun(fast, algos.NewOracle(p), ones(2), algos.Seeded(4), 23)
	if err != nil {
		t.Fatal(err)
	}
	s, err := algos.RecordRun(fast.Reference(), algos.NewOracle(p), ones(2), algos.Seeded(4), 23)
	if err != nil {
		t.Fatal(err)
	}
	for k := range a.X {
		near(t, "x", a.X[k], s.X[k])
	}
	if got := len(a.Batch(5)); got != 9 {
		t.Errorf("batch of step 5 has %d indices, want all 9", got)
	}
}

// The schedule of FLEDGE counts the local steps of a round from 1.
func TestFLEDGEScheduleCountsLocalSteps(t *testing.T) {
	var asked []int
	m := &algos.FLEDGE{Eta: 0.1, Chosen: 2, Batch: 1, LocalSteps: 3,
		Schedule: func(k int) int { asked = append(asked, k); return 2 }}
	if _, err := algos.RecordRun(m, algos.NewOracle(newToy(3, 4, 2)), ones(2), algos.Seeded(1),
		2); err != nil {
		t.Fatal(err)
	}
	if want := []int{1, 2, 3, 1, 2, 3}; !slices.Equal(asked, want) {
		t.Errorf("asked for the minibatches of steps %v, want %v", asked, want)
	}
}

func TestFLEDGEMatchesReference(t *testing.T) {
	for _, opt := range []algos.Option{algos.OptionI, algos.OptionII} {
		for _, K := range []int{1, 3} {
			p := newToy(6, 8, 3)
			fast := &algos.FLEDGE{Eta: 0.1, Chosen: 2, Batch: 2, LocalSteps: K, Radius: 0.05,
				Option: opt}
			fo, so := algos.NewOracle(p), algos.NewOracle(p)
			a, err := algos.RecordRun(fast, fo, ones(3), algos.Seeded(1), 40)
			if err != nil {
				t.Fatal(err)
			}
			s, err := algos.RecordRun(fast.Reference(), so, ones(3), algos.Seeded(1), 40)
			if err != nil {
				t.Fatal(err)
			}
			for k := range a.X {
				near(t, "x", a.X[k], s.X[k])
				near(t, "v", a.V[k], s.V[k])
			}
			// The literal form computes z^{t,K}, 2b gradients a round that nobody uses.
			if got, want := so.Counts().Gradients-fo.Counts().Gradients,
				int64(40*2*2); got != want {
				t.Errorf("the literal form costs %d more gradients, want %d", got, want)
			}
			if c := fo.Counts(); c.Rounds != 41 || c.Down != initial(opt)+40*(2+4) ||
				c.Up != initial(opt)+40*(1+4) {
				t.Errorf("messages: %+v", c)
			}
		}
	}
}

func initial(o algos.Option) int64 {
	if o == algos.OptionI {
		return 2
	}
	return 6
}

func TestFLEDGEWithOneLocalStepAndOneDatumIsSLEDGE(t *testing.T) {
	for _, opt := range []algos.Option{algos.OptionI, algos.OptionII} {
		p := newToy(8, 1, 3)
		f := &algos.FLEDGE{Eta: 0.2, Chosen: 3, Batch: 1, LocalSteps: 1, Option: opt, Radius: 0.1}
		tape, err := algos.RecordRun(f, algos.NewOracle(p), ones(3), algos.Seeded(3), 30)
		if err != nil {
			t.Fatal(err)
		}
		// SLEDGE draws its batches where FLEDGE draws its clients.
		s := &algos.SLEDGE{Eta: 0.2, Batch: 3, Option: opt, Radius: 0.1}
		got, err := algos.RecordRun(s, algos.NewOracle(algos.Sum(sum{p})), ones(3),
			renamed{tape.Replay()}, 30)
		if err != nil {
			t.Fatal(err)
		}
		for k := range got.X {
			near(t, "x", got.X[k], tape.X[k])
		}
	}
}

type renamed struct{ algos.Randomness }

func (r renamed) Subset(dst []int, n int, p algos.Purpose) {
	r.Randomness.Subset(dst, n, algos.Clients)
}

func TestReplayRepeatsTheRun(t *testing.T) {
	p := sumOf(10, 2)
	m := &algos.SLEDGE{Eta: 0.2, Batch: 3, Radius: 0.2}
	a, err := algos.RecordRun(m, algos.NewOracle(p), ones(2), algos.Seeded(5), 25)
	if err != nil {
		t.Fatal(err)
	}
	b, err := algos.RecordRun(m, algos.NewOracle(p), ones(2), a.Replay(), 25)
	if err != nil {
		t.Fatal(err)
	}
	for k := range a.X {
		if floats.Distance(a.X[k], b.X[k], 2) != 0 {
			t.Fatalf("step %d differs", k)
		}
	}
	un := a.Unsampled(10, 25, algos.Batches)
	if len(un[26]) != 10 || len(un[25]) != 7 {
		t.Errorf("unsampled: %d and %d indices", len(un[26]), len(un[25]))
	}
}

func TestRunStops(t *testing.T) {
	p := sumOf(12, 2)
	ctx := context.Background()
	tr, err := algos.Run(ctx, &algos.GD{Eta: 0.5}, p, ones(2), algos.Seeded(1),
		algos.Limits{Steps: 1000, GradientNorm: 1e-6})
	if err != nil {
		t.Fatal(err)
	}
	last := tr.Records[len(tr.Records)-1]
	if tr.Stopped != "gradient norm" || last.GradientNorm > 1e-6 || last.Error > 1e-12 {
		t.Errorf("stopped by %q with gradient norm %g and error %g", tr.Stopped, last.GradientNorm,
			last.Error)
	}
	if last.Counts.Gradients != int64(12*(last.Step+1)) {
		t.Errorf("GD counted %d gradients in %d steps", last.Counts.Gradients, last.Step)
	}
	tr, err = algos.Run(ctx, &algos.SGD{Tuning: algos.Tuning{Eta: 50, Batch: 1}}, p, ones(2),
		algos.Seeded(1), algos.Limits{Steps: 100000})
	if err != nil || tr.Stopped != "diverged" {
		t.Errorf("a huge step ended with %q, %v", tr.Stopped, err)
	}
	stopped, cancel := context.WithCancel(ctx)
	cancel()
	tr, err = algos.Run(stopped, &algos.GD{Eta: 0.5}, p, ones(2), algos.Seeded(1),
		algos.Limits{Steps: 10})
	if err != nil || tr.Stopped != "cancelled" {
		t.Errorf("a cancelled run ended with %q, %v", tr.Stopped, err)
	}
}

// A run ends at the first record of which Until holds, and its times are those of steps alone: each
// reading of this clock is a second after the last, two readings stand around each look, and one
// second is between them.
func TestRunUntilAndClock(t *testing.T) {
	now := time.Duration(0)
	clock := func() time.Duration { now += time.Second; return now }
	tr, err := algos.Run(context.Background(), &algos.GD{Eta: 0.5}, sumOf(12, 2), ones(2),
		algos.Seeded(1), algos.Limits{Steps: 1000,
			Until: func(r algos.Record) bool { return r.Step == 3 }, Clock: clock,
			Observe: func([]float64) []float64 { now += time.Hour; return nil }})
	if err != nil {
		t.Fatal(err)
	}
	if tr.Stopped != "until" || len(tr.Records) != 4 {
		t.Errorf("stopped by %q after %d records", tr.Stopped, len(tr.Records))
	}
	for k, r := range tr.Records {
		if want := time.Duration(k+1) * time.Second; r.Time != want {
			t.Errorf("record %d at %v, want %v", k, r.Time, want)
		}
	}
}

// trusting checks nothing, so that what is refused is refused by Run.
type trusting struct{ algos.GD }

func (*trusting) Start(*algos.Oracle, []float64, algos.Randomness) error {
	panic("the run should have been refused")
}

func TestRunRefusesBeforeStart(t *testing.T) {
	ctx, p, lim := context.Background(), newToy(3, 1, 2), algos.Limits{Steps: 1}
	for _, c := range []struct {
		want string
		m    algos.Method
		p    algos.Problem
		x0   []float64
		r    algos.Randomness
	}{
		{"one of them is nil", nil, algos.Sum(sum{p}), ones(2), algos.Seeded(1)},
		{"one of them is nil", &trusting{}, nil, ones(2), algos.Seeded(1)},
		{"one of them is nil", &trusting{}, algos.Sum(sum{p}), ones(2), nil},
		{"0 clients in dimension 2", &trusting{}, sumOf(0, 2), ones(2), algos.Seeded(1)},
		{"x0 has length 3, the problem has dimension 2", &trusting{}, algos.Sum(sum{p}), ones(3),
			algos.Seeded(1)},
		{"x0 has the entry NaN at index 0", &trusting{}, algos.Sum(sum{p}),
			[]float64{math.NaN(), 1}, algos.Seeded(1)},
	} {
		if _, err := algos.Run(ctx, c.m, c.p, c.x0, c.r, lim); err == nil ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want %q", err, c.want)
		}
	}
	if _, err := algos.Run(ctx, &algos.FLEDGE{Eta: 1}, p, ones(1), algos.Seeded(1),
		lim); err == nil ||
		!strings.Contains(err.Error(), "x0 has length 1") {
		t.Errorf("a federated run from a point of another dimension: %v", err)
	}
}

func TestParametersAreRefused(t *testing.T) {
	p, f := sumOf(5, 2), newToy(5, 4, 2)
	for _, tc := range []struct {
		m    algos.Method
		x0   []float64
		want string
	}{
		{&algos.SLEDGE{}, ones(2), "Eta must be positive"},
		{&algos.SLEDGE{Eta: math.NaN()}, ones(2), "Eta must be positive"},
		{&algos.SLEDGE{Eta: 1, Batch: 6}, ones(2), "Batch must be between 1 and 5"},
		{&algos.SLEDGE{Eta: 1, Batch: -1}, ones(2), "Batch"},
		{&algos.SLEDGE{Eta: 1, Radius: -1}, ones(2), "Radius must be nonnegative"},
		{&algos.SLEDGE{Eta: 1}, ones(3), "x0 has length 3"},
		{&algos.SLEDGE{Eta: 1}, []float64{1, math.Inf(1)}, "x0 has the entry +Inf at index 1"},
		{(&algos.SLEDGE{Eta: -1}).Reference(), ones(2), "Eta"},
		{&algos.GD{}, ones(2), "Eta"},
		{&algos.SGD{Tuning: algos.Tuning{Eta: 1, Batch: 9}}, ones(2), "Batch"},
	} {
		o := algos.NewOracle(p)
		err := tc.m.Start(o, tc.x0, algos.Seeded(1))
		if err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: error %v, want %q", tc.m.Name(), err, tc.want)
		}
		if o.Counts() != (algos.Counts{}) {
			t.Errorf("%s: work was done before the refusal: %+v", tc.m.Name(), o.Counts())
		}
	}
	for _, tc := range []struct {
		m    algos.Method
		want string
	}{
		{&algos.FLEDGE{}, "Eta"},
		{&algos.FLEDGE{Eta: 1, Chosen: 6}, "Chosen must be between 1 and 5"},
		{&algos.FLEDGE{Eta: 1, LocalSteps: 3, Batch: 2},
			"LocalSteps*Batch is 6 but client 0 holds only 4"},
		{&algos.FLEDGE{Eta: 1, LocalSteps: -3}, "LocalSteps"},
	} {
		o := algos.NewOracle(f)
		err := tc.m.Start(o, ones(2), algos.Seeded(1))
		if err == nil || !strings.Contains(err.Error(), tc.want) || o.Counts() != (algos.Counts{}) {
			t.Errorf("error %v, want %q", err, tc.want)
		}
	}
	capped := &algos.FLEDGE{Eta: 0.1, LocalSteps: 3, Batch: 2, Cap: true}
	if err := capped.Start(algos.NewOracle(f), ones(2), algos.Seeded(1)); err != nil {
		t.Error(err)
	}
	capped.Step()
}

// A tape that is written over another one is the tape of a run of its own, also where the one before
// was longer, or had local steps.
func TestRecordAgain(t *testing.T) {
	var tape algos.Tape
	record := func(m algos.Method, T int) {
		t.Helper()
		o, x0 := algos.NewOracle(newToy(6, 8, 3)), ones(3)
		want, err := algos.RecordRun(m, o, x0, algos.Seeded(3), T)
		if err := errors.Join(err, tape.Record(m, o, x0, algos.Seeded(3), T)); err != nil {
			t.Fatal(err)
		}
		same := reflect.DeepEqual(tape.X, want.X) && reflect.DeepEqual(tape.V, want.V) &&
			reflect.DeepEqual(tape.Local, want.Local)
		for step := range T + 1 {
			same = same && reflect.DeepEqual(tape.Batch(step), want.Batch(step)) &&
				reflect.DeepEqual(tape.Noise(step), want.Noise(step))
		}
		if !same {
			t.Errorf("%s, %d steps: the tape is not that of the run", m.Name(), T)
		}
	}
	for _, T := range []int{5, 40, 3, 40} {
		record(&algos.SLEDGE{Eta: 0.1, Batch: 2, Radius: 0.1}, T)
		record(&algos.FLEDGE{Eta: 0.1, Chosen: 2, Batch: 1, LocalSteps: 2, Radius: 0.1, Cap: true}, T)
	}
}

// A script serves what it holds for a purpose in order, as a set or as indices.
func TestScriptServesInOrder(t *testing.T) {
	s := algos.Script{algos.Batches: {{2, 0}, {1, 3}}, algos.Worker: {{4}}}
	set, one := make([]int, 2), make([]int, 1)
	s.Subset(set, 5, algos.Batches)
	first := slices.Clone(set)
	s.Indices(set, 5, algos.Batches)
	s.Indices(one, 5, algos.Worker)
	if !slices.Equal(first, []int{2, 0}) || !slices.Equal(set, []int{1, 3}) || one[0] != 4 {
		t.Errorf("served %v, %v and %v", first, set, one)
	}
}
