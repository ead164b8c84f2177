package props

import (
	"math"
	"math/big"
	"strings"
	"testing"

	"sledge/props/keyed"
)

func TestJudge(t *testing.T) {
	inf := math.Inf(1)
	third := func(num, den int64) func() (*big.Rat, *big.Rat) {
		return func() (*big.Rat, *big.Rat) { return big.NewRat(num, den), big.NewRat(1, 3) }
	}
	huge := func() (*big.Rat, *big.Rat) {
		x := new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), 2000))
		return new(big.Rat).Add(x, big.NewRat(1, 1)), x
	}
	for _, c := range []struct {
		name   string
		pair   Pair
		broken bool
		tie    bool
		ratio  float64 // NaN where a quotient says nothing
	}{
		{"below", Pair{Measured: 1, Claimed: 2, Relation: LE}, false, false, 0.5},
		{"equal", Pair{Measured: 2, Claimed: 2, Relation: LE}, false, false, 1},
		{"above", Pair{Measured: 3, Claimed: 2, Relation: LE}, true, false, 1.5},
		{"at least", Pair{Measured: 3, Claimed: 2, Relation: GE}, false, false, 2.0 / 3},
		{"not at least", Pair{Measured: 1, Claimed: 2, Relation: GE}, true, false, 2},
		{"inside the band", Pair{Measured: 1 + 1e-10, Claimed: 1, Relation: LE}, false, false,
			1 + 1e-10},
		{"beyond the band", Pair{Measured: 1 + 2e-9, Claimed: 1, Relation: LE}, true, false,
			1 + 2e-9},
		{"inside the band of the scale",
			Pair{Measured: 2e-7, Claimed: 1e-7, Relation: LE, scale: 1e3}, false, false, nan},
		{"small but not noise", Pair{Measured: 2e-6, Claimed: 1e-6, Relation: LE, scale: 1}, true,
			false, 2},
		{"tie to be decided exactly", Pair{Measured: 1 + 1e-10, Claimed: 1, Relation: LE,
			exact: third(1, 2)},
			false, true,
			1 + 1e-10},
		{"roundoff to be decided exactly", Pair{Measured: 1 + 4e-16, Claimed: 1, Relation: LE,
			exact: third(1, 2)}, false,
			true, 1 + 4e-16},
		{"equality to be decided exactly",
			Pair{Measured: 1, Claimed: 1, Relation: LE, exact: third(1, 2)}, false, true, 1},
		{"room that is not worth it", Pair{Measured: 1 - 1e-12, Claimed: 1, Relation: LE,
			exact: third(1, 2)},
			false, false,
			1},
		{"acquitted exactly", Pair{Measured: 1.0 / 3, Claimed: 0.3332, Relation: LE,
			exact: third(1, 3)}, false,
			false, 1},
		{"acquitted by other numbers",
			Pair{Measured: 2, Claimed: 1, Relation: LE, exact: third(1, 4), proxy: true}, false,
			false, 0.75},
		{"convicted by other numbers",
			Pair{Measured: 2, Claimed: 1, Relation: LE, exact: third(1, 2), proxy: true}, true,
			false, 1.5},
		{"exact numbers have no band",
			Pair{Measured: 1 + 1e-15, Claimed: 1, Relation: LE, exactNow: true}, true, false, 1 +
				1e-15},
		{"negative numbers", Pair{Measured: -3, Claimed: -2, Relation: LE}, false, false, nan},
		{"negative bound exceeded", Pair{Measured: -1, Claimed: -2, Relation: LE}, true,
			false, nan},
		{"nothing below nothing", Pair{Relation: LE}, false, false, nan},
		{"something below nothing", Pair{Measured: 1e-300, Relation: LE}, true, false, nan},
		{"digits lost to gradual underflow",
			Pair{Measured: 4.21528169587e-313, Claimed: 4.21528169163e-313, Relation: LE},
			false, false, nan},
		{"identical", Pair{Measured: 5, Claimed: 5, Relation: EQ}, false, false, 0},
		{"rounding", Pair{Measured: 5, Claimed: 5 + 1e-12, Relation: EQ}, false, false, 2e-13},
		{"different", Pair{Measured: 5, Claimed: 6, Relation: EQ}, true, false, 1.0 / 6},
		{"infinite bound", Pair{Measured: 5, Claimed: inf, Relation: LE}, false, false, nan},
		{"infinite both", Pair{Measured: inf, Claimed: inf, Relation: LE}, false, false, nan},
		{"minus infinite bound", Pair{Measured: 5, Claimed: -inf, Relation: LE}, false, false, nan},
		{"small on the scale of what was seen",
			Pair{Measured: 2e-10, Claimed: 1e-10, Relation: LE, seen: 1}, false, false,
			nan},
		{"small, but not on that scale", Pair{Measured: 2e-8, Claimed: 1e-8, Relation: LE, seen: 1},
			true, false, 2},
		{"infinite, but exactly", Pair{Measured: inf, Claimed: inf, Relation: LE, exact: huge},
			true, false, nan},
	} {
		p := c.pair
		s, err := p.judge()
		if err != nil || s.broken != c.broken || s.tie != c.tie ||
			math.IsNaN(c.ratio) != math.IsNaN(s.ratio) ||
			!math.IsNaN(c.ratio) && !near(s.ratio, c.ratio, 1e-3) {
			t.Errorf("%s: %+v, %v", c.name, s, err)
		}
		if s.broken != (s.excess > 0 && (p.exactNow || s.excess > RoundingBand)) {
			t.Errorf("%s: excess %v", c.name, s.excess)
		}
	}
	for _, p := range []Pair{
		{Measured: nan, Claimed: 1, Relation: LE}, {Measured: 1, Claimed: nan, Relation: EQ},
		{Measured: inf, Claimed: 1, Relation: LE},
		{Measured: -inf, Claimed: 1, Relation: LE},
		{Measured: 2, Claimed: 1, Relation: LE, exact: third(1, 4)},
	} {
		if s, err := p.judge(); err == nil {
			t.Errorf("%v against %v: %+v", p.Measured, p.Claimed, s)
		}
	}
}

// A search does not ask for the exact numbers of what fails so clearly that they cannot acquit it;
// it asks where they can, and a confirmation always does.
func TestJudgeLater(t *testing.T) {
	for _, c := range []struct {
		name  string
		pair  Pair
		asked bool
	}{
		{"clearly", Pair{Measured: 2, Claimed: 1, later: true}, false},
		{"clearly on the scale of its terms",
			Pair{Measured: 2, Claimed: 1, scale: 100, later: true}, false},
		{"when it is confirmed", Pair{Measured: 2, Claimed: 1}, true},
		{"by less than exact numbers may differ",
			Pair{Measured: 1.002, Claimed: 1, later: true}, true},
		{"on the scale of its terms by less",
			Pair{Measured: 2, Claimed: 1, scale: 1000, later: true}, true},
		{"by other numbers", Pair{Measured: 2, Claimed: 1, proxy: true, later: true}, true},
	} {
		p, asked := c.pair, false
		p.Relation = LE
		p.exact = func() (*big.Rat, *big.Rat) {
			asked = true
			return new(big.Rat).SetFloat64(p.Measured), new(big.Rat).SetFloat64(p.Claimed)
		}
		s, err := p.judge()
		if err != nil || !s.broken || s.tie || asked != c.asked {
			t.Errorf("fails %s: %+v, %v, asked for exact numbers: %t", c.name, s, err, asked)
		}
		if p.later = false; !asked {
			if now, err := p.judge(); err != nil || !asked || now != s {
				t.Errorf("fails %s: %+v in a search and %+v when it is confirmed, %v", c.name, s,
					now, err)
			}
		}
	}
}

// TestRecorderKeepsTheWorst records a long run under two names.
func TestRecorderKeepsTheWorst(t *testing.T) {
	var rec Recorder
	for k := range 10000 {
		x := float64(k % 100)
		rec.AtMost("up", x, 99)
		rec.AtLeast("down", x, 1)
	}
	if err := rec.settle(); err != nil {
		t.Fatal(err)
	}
	if len(rec.live) != 2 {
		t.Fatalf("%d names", len(rec.live))
	}
	up, down := rec.live[0], rec.live[1]
	if up.worst.Measured != 99 || up.count != 10000 || up.violations != 0 {
		t.Errorf("up: %+v", up)
	}
	if down.worst.Measured != 0 || down.count != 10000 || down.violations != 100 {
		t.Errorf("down: %+v", down)
	}
	rec.reset()
	rec.Truth("other", true)
	if err := rec.settle(); err != nil || len(rec.live) != 1 || rec.live[0].count != 1 {
		t.Errorf("after reset: %v, %+v", err, rec.live)
	}
}

// TestScaleAppliesToItsPair: settings made on a pair after recording it must count when it is
// weighed, the last of a name included.
func TestScaleAppliesToItsPair(t *testing.T) {
	var rec Recorder
	rec.Equal("x", 1e-12, 0).Scale(1)
	rec.Equal("x", 2e-12, 0).Scale(1)
	rec.EqualVectors("v", []float64{1, 2, 2}, []float64{1, 2, 2 + 1e-10})
	if err := rec.settle(); err != nil {
		t.Fatal(err)
	}
	for _, s := range rec.live {
		if s.violations != 0 {
			t.Errorf("%s: %+v %+v", s.worst.What, s.worst, s.at)
		}
	}
	if v := rec.live[1]; !near(v.at.ratio, 1e-10/3, 1e-5) {
		t.Errorf("vectors differ by %v relative to their norm", v.at.ratio)
	}
	defer func() {
		if recover() == nil {
			t.Error("vectors of different lengths are compared")
		}
	}()
	rec.EqualVectors("v", []float64{1}, nil)
}

// Numbers far below their scale, but above rounding, are not tight because both are small.
func TestScaleDoesNotHideTightness(t *testing.T) {
	var r Recorder
	r.AtMost("a", 0.9, 1).Scale(1)
	r.AtMost("a", 1e-6, 2e-6).Scale(1)
	r.AtMost("a", 1e-12, 2e-12).Scale(1)
	if err := r.settle(); err != nil {
		t.Fatal(err)
	}
	if w := r.live[0].worst; w.Measured != 0.9 {
		t.Errorf("%v of %v counts as the tightest", w.Measured, w.Claimed)
	}
}

func TestPositionsInvertValues(t *testing.T) {
	choices := []Choice{
		{Lo: -3, Hi: 5}, {Lo: 1e-6, Hi: 1e3, Log: true}, {Lo: 2, Hi: 9, Int: true},
		{Lo: 1, Hi: 1000, Int: true, Log: true}, {Lo: 4, Hi: 4}, {Lo: 4, Hi: 4, Int: true},
	}
	for _, c := range choices {
		if c.At(0) != c.Lo || c.At(1) != c.Hi || c.At(-1) != c.Lo || c.At(2) != c.Hi {
			t.Errorf("%+v: ends %v and %v", c, c.At(0), c.At(1))
		}
		for k := range 1001 {
			u := float64(k) / 1000
			v := c.At(u)
			if v < c.Lo || v > c.Hi || c.Int && v != math.Trunc(v) {
				t.Errorf("%+v: %v at %v", c, v, u)
			}
			if back := c.At(c.position(v)); !near(back, v, 1e-12) {
				t.Errorf("%+v: position of %v gives %v", c, v, back)
			}
		}
	}
}

// TestChoosersCover: each way of drawing stays within the ranges, and together they reach ends,
// round values and the inside.
func TestChoosersCover(t *testing.T) {
	lo, hi, round, inside := 0, 0, 0, 0
	for i := range 2000 {
		src := NewSource(Mixed(keyed.New(1), i))
		n := src.Int("n", 3, 50)
		b := src.LogInt("b", 1, n)
		x := src.LogReal("x", 1e-4, 1e4)
		y := src.Real("y", -1, 2)
		if n < 3 || n > 50 || b < 1 || b > n || x < 1e-4 || x > 1e4 || y < -1 || y > 2 {
			t.Fatalf("%s out of range", src)
		}
		switch {
		case x == 1e-4:
			lo++
		case x == 1e4:
			hi++
		case x == 1 || x == 0.1 || x == 10 || x == 0.5 || x == 2:
			round++
		default:
			inside++
		}
	}
	if lo < 100 || hi < 100 || round < 30 || inside < 800 {
		t.Errorf("%d at the low end, %d at the high end, %d round, %d others", lo, hi,
			round, inside)
	}
}

func TestWhere(t *testing.T) {
	src := NewSource(replayed([]float64{3, 1, 0.25, 1, 7}, middle))
	src.Int("n", 1, 10)
	src.Pick("kind", "plain", "odd")
	src.Real("eta", 0, 1)
	src.Bool("full")
	src.Rand("data")
	if got, want := src.String(),
		"n = 3, kind = odd, eta = 0.25, full = true, random seeds: data 7"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestDegenerateEqualityDoesNotHideTightness(t *testing.T) {
	r := runOne(t, 0, Quick, Inequality(func(s *Source, rec *Recorder) {
		// equal for b = n, otherwise at most 0.9
		n := s.Int("n", 1, 10)
		b := s.Int("b", 1, n)
		x := s.Real("x", 0, 1)
		if b == n {
			rec.AtMost("x", x, x)
		} else {
			rec.AtMost("x", 0.9*x, 1)
		}
	}))
	ev := &r.Evidence[0]
	if r.Verdict != Consistent || !near(ev.Tightness, 0.9, 1e-3) || ev.Constant != 1 ||
		!strings.Contains(ev.Note, "equality at") {
		t.Errorf("%v: tightness %v, constant %v, %s", r.Verdict, ev.Tightness, ev.Constant, ev.Note)
	}
}

func TestJudgeApartFromClaims(t *testing.T) {
	judged, err := Judge(func(rec *Recorder) {
		rec.AtMost("often", 1, 2)
		rec.AtLeast("once", 3, 2)
		rec.AtMost("often", 3, 2)
		rec.AtMost("often", 0, 2)
	})
	if err != nil || len(judged) != 2 || judged[0].What != "often" || judged[0].Holds ||
		judged[0].Measured != 3 ||
		judged[1].What != "once" || !judged[1].Holds {
		t.Errorf("%+v, %v", judged, err)
	}
	if _, err := Judge(func(rec *Recorder) { rec.AtMost("nothing", nan, 1) }); err == nil {
		t.Error("NaN was judged")
	}
	var rec Recorder
	if !rec.AtMost("tie", 1+1e-12, 1).Holds() || rec.AtMost("more", 1.1, 1).Holds() ||
		rec.AtLeast("NaN", nan, 1).Holds() {
		t.Error("Holds does not judge as the engine does")
	}
}
