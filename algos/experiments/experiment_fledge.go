package experiments

import (
	"fmt"
	"math"
	"math/big"

	"sledge/algos"
	"sledge/algos/problems"
	"sledge/algos/problems/letters"
	"sledge/props"
	"sledge/props/keyed"
)

// idle is a federated problem whose clients hold just enough data for a round of the paper's, all
// gradients zero.
type idle struct{ clients, size int }

func (p idle) Clients() int                        { return p.clients }
func (p idle) Size(int) int                        { return p.size }
func (p idle) Dim() int                            { return 1 }
func (p idle) Gradient(dst, _ []float64, _, _ int) { clear(dst) }

// traffic is what one round of each method costs with the paper's parameters, as the oracle counts
// it.
func traffic() (fledge, bvr algos.Counts) {
	q := quota{P: paperClients, p: paperSampled, b: paperLocalBatch, K: paperLocalSteps}
	round := func(e entry) algos.Counts {
		o := algos.NewOracle(idle{q.P, q.b * q.K})
		m := e.make(0.1)
		if err := m.Start(o, []float64{0}, algos.Seeded(1)); err != nil {
			panic(err)
		}
		before := o.Counts()
		m.Step()
		after := o.Counts()
		return algos.Counts{Down: after.Down - before.Down, Up: after.Up - before.Up,
			Gradients: after.Gradients - before.Gradients}
	}
	return round(q.fledge(0)), round(q.bvr(0))
}

// tenfold checks "about ten times": that the ratio of the vectors sent in a round lies within a
// factor √10 of ten.
var tenfold = props.ExactWhole("one round with P = 104, p = 10, b = 16, K = 10",
	func(rec *props.Recorder) {
		fledge, bvr := traffic()
		square := func(a, b int64) *big.Rat { r := big.NewRat(a, b); return r.Mul(r, r) }
		ratio := square(bvr.Up+bvr.Down, fledge.Up+fledge.Down)
		rec.Rats("square of BVR-L-SGD's vectors sent in a round over FLEDGE's, at least 10", ratio,
			props.GE, big.NewRat(10, 1))
		rec.Rats("square of BVR-L-SGD's vectors sent in a round over FLEDGE's, at most 1000", ratio,
			props.LE, big.NewRat(1000, 1))
		rec.Rats("clients that send gradients: P/p, rounded",
			big.NewRat(int64(math.Round(float64(paperClients)/paperSampled)), 1), props.EQ,
			big.NewRat(10, 1))
	})

// partition checks one distribution of the images of the paper's classes with a share of k/100 for
// their owners.
func partition(rec *props.Recorder, k int64) {
	const each = 5000 // the least number of images of a class that all shares divide
	t := &problems.Table{Start: []int{0}}
	for c := range paperLetters {
		t.Classes = append(t.Classes, fmt.Sprint(c))
		for range each {
			t.Start, t.Target = append(t.Start, 0), append(t.Target, float64(c))
		}
	}
	clients, err := letters.Spread(t, letters.All(t), float64(k)/100,
		keyed.New(0).With("partition").Rand())
	if err != nil {
		panic(err)
	}
	rec.Rats("clients", big.NewRat(int64(len(clients)), 1), props.EQ, big.NewRat(4*26, 1))
	for i, rows := range clients {
		own := int64(0)
		for _, r := range rows {
			if int(t.Target[r]) == i/letters.Owners {
				own++
			}
		}
		rec.Rats("share of one class", big.NewRat(own, int64(len(rows))), props.EQ,
			big.NewRat(k, 100))
		rec.Rats("images of a client", big.NewRat(int64(len(rows)), 1), props.EQ,
			big.NewRat(each, 4))
	}
}

func clientFigureClaims() ([]props.Binding, []*lab) {
	long := clientScale
	long.Rounds, long.Records = 300, 20
	second := &lab{scale: clientScale, figure: "fig2", blind: true}
	far := &lab{scale: long, figure: "fig2"}
	fifth := &lab{scale: clientScale, figure: "fig5", blind: true}
	sixth := &lab{scale: clientScale, figure: "fig6", blind: true}
	return []props.Binding{
		props.Bind("experiment-fig2-communication", second.mostly(fewerRounds)),
		props.Bind("experiment-fig2-gradient-norm",
			props.All(far.mostly(smallNorm), far.mostly(linearDecay))),
		props.Bind("experiment-fig2-bvr-parity", props.All(second.mostly(parity), tenfold)),
		props.Bind("experiment-fig2-partition",
			props.Exact(
				"q = 0.04, 0.1, 0.3, 0.5, 0.7, 0.9, 1 with 5000 images of each class, all 104 clients",
				func(rec *props.Recorder) {
					for _, q := range fig6Shares {
						partition(rec, int64(math.Round(100*q)))
					}
					rec.Truth("√104 to the nearest integer is 10",
						19*19 < 4*paperClients && 4*paperClients < 21*21)
					off := new(big.Rat).Sub(big.NewRat(letters.Owners, paperClients),
						big.NewRat(4, 100))
					rec.Rats("|4/104 − 0.04|, within the digits given: q = 0.04 is i.i.d.",
						off.Abs(off), props.LE, big.NewRat(5, 1000))
				})),
		props.Bind("experiment-fig5-perturbation",
			props.All(fifth.mostly(perturbed), tenfold)),
		props.Bind("experiment-fig6-heterogeneity", sixth.mostly(littleLoss)),
	}, []*lab{second, far, fifth, sixth}
}
