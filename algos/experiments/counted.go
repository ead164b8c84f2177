package experiments

import (
	"fmt"
	"math"
	"math/big"

	"sledge/algos"
	"sledge/algos/problems"
	"sledge/algos/problems/letters"
	"sledge/props"
	"sledge/props/certificate"
	"sledge/props/formula"
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

// scenes are what is counted exactly in the setting of the federated figures.
var scenes = map[string]*formula.Scene{
	"one round of figure 2": {
		Words: formula.Words("P", "p", "vectors_{FLEDGE}", "vectors_{BVR-L-SGD}"),
		Said:  "one round with $P = 104$, $p = 10$, $b = 16$, $K = 10$", Scope: certificate.All,
		Sizes: []string{"P", "p"},
		Means: map[string]string{"vectors_{FLEDGE}": "vectors sent, both ways",
			"vectors_{BVR-L-SGD}": "vectors sent, both ways"},
		Exact: func(_ *props.Source, try func(on formula.Ratios)) {
			fledge, bvr := traffic()
			try(formula.Ratios{"P": whole(paperClients), "p": whole(paperSampled),
				"vectors_{FLEDGE}":    whole(fledge.Up + fledge.Down),
				"vectors_{BVR-L-SGD}": whole(bvr.Up + bvr.Down)})
		}},
	"the partition": {
		Words: formula.Words("q", "N", "clients", "images", "share"),
		Said: "$q = 0.04, 0.1, 0.3, 0.5, 0.7, 0.9, 1$ with $N = 5000$ images of each of 26 classes, " +
			"all clients", Scope: certificate.Instances,
		Sizes: []string{"q", "N"},
		Means: map[string]string{"clients": "how many there are", "images": "how many one has",
			"share": "part of them that is of its class"},
		Exact: func(_ *props.Source, try func(on formula.Ratios)) {
			for _, q := range fig6Shares {
				partition(int64(math.Round(100*q)), try)
			}
		}},
}

func whole(n int64) *big.Rat { return big.NewRat(n, 1) }

// partition tries what is said of one distribution of the images of the paper's classes with a
// share of k/100 for their owners.
func partition(k int64, try func(on formula.Ratios)) {
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
	for i, rows := range clients {
		own := int64(0)
		for _, r := range rows {
			if int(t.Target[r]) == i/letters.Owners {
				own++
			}
		}
		images := int64(len(rows))
		try(formula.Ratios{"q": big.NewRat(k, 100), "N": whole(each), "images": whole(images),
			"clients": whole(int64(len(clients))), "share": big.NewRat(own, images)})
	}
}
