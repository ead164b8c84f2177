package claims

import (
	"gonum.org/v1/gonum/floats"

	"sledge/algos"
	"sledge/algos/problems"
	"sledge/props"
)

// clientInstance is a drawn federated problem with what the two methods of an identity share.
type clientInstance struct {
	f      algos.Problem
	P, p   int
	data   int // of every client
	K      int
	eta    float64
	weight float64 // the parameter in (0, 1] of the methods that take one
	radius float64 // of perturbations
	x0     []float64
	T      int
	size   float64                 // largest ‖∇f_ij(x⁰)‖, for rounding
	random func() algos.Randomness // the same random choices for each run
	exactness
}

func drawClientInstance(src *props.Source, l problems.Limits) clientInstance {
	if l.Data == (problems.Range{}) {
		l.Data = problems.Sizes(1, 6)
	}
	f := drawSmooth(src, l)
	c := clientInstance{f: f, P: f.Clients(), x0: problems.DrawPoint(src, "x0", f.Dim(), 2),
		T: src.Int("T", 1, 8)}
	for i := range c.P {
		c.data = max(c.data, f.Size(i))
	}
	c.p, c.K = src.Int("p", 1, c.P), src.Int("K", 1, 4)
	c.eta = src.Real("ηL", 0.05, 0.3) / f.Constants(c.x0).L.Value
	c.weight = src.Real("weight", 0.05, 1)
	seed := uint64(src.Int("seed", 0, 1<<20))
	c.random = func() algos.Randomness { return algos.Seeded(seed) }
	g := make([]float64, f.Dim())
	for i := range c.P {
		for j := range f.Size(i) {
			f.Gradient(g, c.x0, i, j)
			c.size = max(c.size, floats.Norm(g, 2))
		}
	}
	return c
}

// tape runs a federated method; all local batches larger than a client's data are its whole data.
func (c clientInstance) tape(m algos.Method) *algos.Tape { return c.central(m, c.random(), c.T) }

// central runs a finite-sum method on the clients as components.
func (c clientInstance) central(m algos.Method, r algos.Randomness, T int) *algos.Tape {
	return props.Must(algos.RecordRun(m, algos.NewOracle(c.f), c.x0, r, T))
}

// recordSameIterates records that two tapes have the same iterates. Slices of iterates may be
// shifted by the caller.
func (c clientInstance) recordSameIterates(rec *props.Recorder, got, want [][]float64) {
	for t := range min(len(got), len(want)) {
		c.recordSame(rec, "iterates", got[t], want[t], 1+floats.Norm(want[0], 2))
	}
}

// tiniestFederated are the sizes of federated runs over formal gradients.
const tiniestFederated = "all functions, points, step sizes, perturbations and random choices with two rounds, " +
	"P ≤ 2 clients of up to 2 data and K ≤ 2, or P = 3 clients of one datum and K = 1; 1 ≤ p ≤ P"

// overFormalRounds settles an identity of federated methods by their runs over formal gradients.
func overFormalRounds(flat bool, try func(c clientInstance, rec *props.Recorder),
	weights ...float64) props.Procedure {
	if len(weights) == 0 {
		weights = []float64{1}
	}
	return props.ExactSizes(tiniestFederated, func(rec *props.Recorder) {
		const T = 2
		for P := 1; P <= 3; P++ {
			for data := 1; data <= 2-P/3; data++ {
				for K := 1; K <= 2-P/3; K++ {
					for p := 1; p <= P; p++ {
						for _, weight := range weights {
							everyOutcome(func(o *outcome) {
								u := newUniversal(o, P, data, 1+T*(P*K+1), T*K, latticeOf(4, T))
								u.flat = flat
								try(clientInstance{f: u, P: P, p: p, data: data, K: K, eta: 1,
									weight: weight, radius: 1,
									x0: make([]float64, u.Dim()), T: T, size: 1, random: o.run,
									exactness: exactness{u}}, rec)
							})
						}
					}
				}
			}
		}
	}).Procedure()
}

// clientsAsBatches is a script whose minibatches are the client sets of the rounds of a tape, with
// one more for a method that draws ahead.
func clientsAsBatches(t *algos.Tape) algos.Script {
	s := algos.Script{}
	for k := 1; k <= t.Steps(); k++ {
		s[algos.Batches] = append(s[algos.Batches], t.Sets(k, algos.Clients)...)
	}
	s[algos.Batches] = append(s[algos.Batches], s[algos.Batches][len(s[algos.Batches])-1])
	return s
}

func roundIdentityClaims() []props.Binding {
	return []props.Binding{props.Bind("identity/scaffold-control-mean",
		props.Settled(props.Identity(func(src *props.Source, rec *props.Recorder) {
			recordControls(drawClientInstance(src, problems.Limits{}), rec)
		}).Effort(0.4), overFormalRounds(false, recordControls)))}
}

// recordControls compares the server's control variate of SCAFFOLD with the mean of those of its
// clients.
func recordControls(c clientInstance, rec *props.Recorder) {
	for _, o := range []algos.Option{algos.OptionI, algos.OptionII} {
		m := &algos.SCAFFOLD{LocalTuning: algos.LocalTuning{Eta: c.eta, Chosen: c.p,
			LocalSteps: c.K}, Option: o}
		if err := m.Start(algos.NewOracle(c.f), c.x0, c.random()); err != nil {
			panic(err)
		}
		for range c.T {
			m.Step()
			server, clients := m.Controls()
			mean, size := make([]float64, len(server)), 0.0
			for i := range c.P {
				row := clients[i*len(server) : (i+1)*len(server)]
				floats.AddScaled(mean, 1/float64(c.P), row)
				size = max(size, floats.Norm(row, 2))
			}
			c.recordSame(rec, "control variates", server, mean, size)
		}
	}
}
