package props

import (
	"context"
	"testing"

	"sledge/props/keyed"
)

// BenchmarkEvaluate is the overhead of one instance of a deterministic check: two draws and one
// comparison.
func BenchmarkEvaluate(b *testing.B) {
	d := square(1).(*Deterministic)
	var bench bench
	var l ledger
	key := keyed.New(1)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if err := d.evaluate(&bench, Mixed(key, i)); err != nil {
			b.Fatal(err)
		}
		l.absorb(&bench.src, &bench.rec)
	}
}

// BenchmarkRecorder is the cost of one comparison within a long run.
func BenchmarkRecorder(b *testing.B) {
	var rec Recorder
	x := 0.0
	b.ReportAllocs()
	for b.Loop() {
		x += 1e-9
		rec.AtMost("first", x, 2)
		rec.AtLeast("second", 2, x)
		rec.Equal("third", x, x).Scale(1)
	}
	if err := rec.settle(); err != nil {
		b.Fatal(err)
	}
}

// BenchmarkTailTrial is the overhead of one run of a randomised check, e-processes included.
func BenchmarkTailTrial(b *testing.B) {
	inst := TailTrial{Delta: 0.1, Run: func(t Trial, rec *Recorder) { rec.AtMost("x", 1, 2) }}
	e := &execution{ctx: context.Background(), cfg: &Config{}}
	test := newBernoulliTest(e, 1, inst.Delta)
	var bench bench
	key := keyed.New(1)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		o, err := tailRun(&inst, &bench, Trial{Key: key.At(i), N: i})
		if err != nil {
			b.Fatal(err)
		}
		test.observe(o.broken, false)
	}
}
