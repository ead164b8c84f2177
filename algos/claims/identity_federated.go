package claims

import (
	"gonum.org/v1/gonum/floats"

	"sledge/algos"
	"sledge/algos/problems"
	"sledge/props"
)

// clientInstance is a drawn federated problem with what the two methods of an identity share.
type clientInstance struct {
	f    problems.CertifiedFederated
	P, p int
	data int // of every client
	K    int
	eta  float64
	x0   []float64
	seed uint64
	T    int
	size float64 // largest ‖∇f_ij(x⁰)‖, for rounding
}

func drawClientInstance(src *props.Source, l problems.Limits) clientInstance {
	if l.Data == (problems.Range{}) {
		l.Data = problems.Sizes(1, 6)
	}
	f := drawSmooth(src, l)
	c := clientInstance{f: f, P: f.Clients(), x0: problems.DrawPoint(src, "x0", f.Dim(), 2), T: src.Int("T", 1, 8)}
	for i := range c.P {
		c.data = max(c.data, f.Size(i))
	}
	c.p, c.K = src.Int("p", 1, c.P), src.Int("K", 1, 4)
	c.eta = src.Real("ηL", 0.05, 0.3) / f.Constants(c.x0).L.Value
	c.seed = uint64(src.Int("seed", 0, 1<<20))
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
func (c clientInstance) tape(m algos.Method, r algos.Randomness) *algos.Tape {
	if r == nil {
		r = algos.Seeded(c.seed)
	}
	t := props.Must(algos.RecordRun(m, algos.NewOracle(c.f), c.x0, r, c.T))
	return t
}

// central runs a finite-sum method on the clients as components.
func (c clientInstance) central(m algos.Method, r algos.Randomness, T int) *algos.Tape {
	if r == nil {
		r = algos.Seeded(c.seed)
	}
	t := props.Must(algos.RecordRun(m, algos.NewOracle(c.f), c.x0, r, T))
	return t
}

// recordSameIterates records that two tapes have the same iterates. Slices of iterates may be shifted by the caller.
func recordSameIterates(rec *props.Recorder, got, want [][]float64) {
	for t := range min(len(got), len(want)) {
		rec.EqualVectors("iterates", got[t], want[t]).Scale(1 + floats.Norm(want[0], 2))
	}
}

// clientsAsBatches is a script whose minibatches are the client sets of the rounds of a tape, with one more for a
// method that draws ahead.
func clientsAsBatches(t *algos.Tape) algos.Script {
	s := algos.Script{}
	for k := 1; k <= t.Steps(); k++ {
		s[algos.Batches] = append(s[algos.Batches], t.Sets(k, algos.Clients)...)
	}
	s[algos.Batches] = append(s[algos.Batches], s[algos.Batches][len(s[algos.Batches])-1])
	return s
}

func roundIdentityClaims() []props.Binding {
	claim := func(id string, l problems.Limits, try func(c clientInstance, rec *props.Recorder)) props.Binding {
		return props.Bind("identity/"+id,
			props.Identity(func(src *props.Source, rec *props.Recorder) {
				try(drawClientInstance(src, l), rec)
			}).Effort(0.4))
	}
	any := problems.Limits{}
	flat := problems.Limits{Patterns: []problems.Pattern{problems.None}, Within: []problems.Pattern{problems.None}}
	whole := func(c clientInstance) int { return c.data }
	return []props.Binding{
		claim("fedavg-is-gradient-descent", any,
			func(c clientInstance, rec *props.Recorder) {
				recordSameIterates(rec, c.tape(&algos.FedAvg{Eta: c.eta, Chosen: c.P, Batch: whole(c), Cap: true},
					nil).X,
					c.central(&algos.GD{Eta: c.eta}, nil, c.T).X)
			}),
		claim("fedvarp-is-fedavg", any, func(c clientInstance, rec *props.Recorder) {
			recordSameIterates(rec, c.tape(&algos.FedVARP{Eta: c.eta, Chosen: c.P, LocalSteps: c.K}, nil).X,
				c.tape(&algos.FedAvg{Eta: c.eta, Chosen: c.P, LocalSteps: c.K}, nil).X)
		}),
		claim("control-fedvarp-is-fedavg", problems.Limits{N: problems.Sizes(3, 8)},
			func(c clientInstance, rec *props.Recorder) {
				if c.p == c.P || c.T < 2 {
					rec.Skip("all clients take part, or one round only")
					return
				}
				recordSameIterates(rec, c.tape(&algos.FedVARP{Eta: c.eta, Chosen: c.p, LocalSteps: c.K}, nil).X,
					c.tape(&algos.FedAvg{Eta: c.eta, Chosen: c.p, LocalSteps: c.K}, nil).X)
			}),
		claim("scaffold-is-gradient-descent", any,
			func(c clientInstance, rec *props.Recorder) {
				want := c.central(&algos.GD{Eta: c.eta}, nil, c.T).X
				for _, o := range []algos.Option{algos.OptionI, algos.OptionII} {
					for _, warm := range []bool{false, true} {
						m := &algos.SCAFFOLD{Eta: c.eta, Chosen: c.P, Batch: whole(c), Option: o, Warm: warm, Cap: true}
						recordSameIterates(rec, c.tape(m, nil).X, want)
					}
				}
			}),
		claim("scaffold-control-mean", any,
			func(c clientInstance, rec *props.Recorder) {
				for _, o := range []algos.Option{algos.OptionI, algos.OptionII} {
					m := &algos.SCAFFOLD{Eta: c.eta, Chosen: c.p, LocalSteps: c.K, Option: o}
					if err := m.Start(algos.NewOracle(c.f), c.x0, algos.Seeded(c.seed)); err != nil {
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
						rec.EqualVectors("control variates", server, mean).Scale(size)
					}
				}
			}),
		claim("scaffold-options", any,
			func(c clientInstance, rec *props.Recorder) {
				exact := &algos.SCAFFOLD{Eta: c.eta, Chosen: c.p, Batch: whole(c), Option: algos.OptionI,
					FullControl: true, Cap: true}
				recordSameIterates(rec, c.tape(exact, nil).X,
					c.tape(&algos.SCAFFOLD{Eta: c.eta, Chosen: c.p, Batch: whole(c), Cap: true}, nil).X)
			}),
		claim("scaffold-zero-heterogeneity", flat,
			func(c clientInstance, rec *props.Recorder) {
				c.T = 1
				got := c.tape(&algos.SCAFFOLD{Eta: c.eta, Chosen: 1, Batch: whole(c), LocalSteps: c.K, Warm: true,
					Cap: true}, nil).X
				want := c.central(&algos.GD{Eta: c.eta}, nil, c.K).X
				recordSameIterates(rec, [][]float64{got[1]}, [][]float64{want[c.K]})
			}),
		claim("mime-is-its-base", any, func(c clientInstance, rec *props.Recorder) {
			t := c.tape(&algos.Mime{Eta: c.eta, Chosen: c.p}, nil)
			recordSameIterates(rec, t.X, c.central(&algos.SGD{Eta: c.eta, Batch: c.p}, clientsAsBatches(t), c.T).X)
		}),
		claim("mimemvr-is-storm", any, func(c clientInstance, rec *props.Recorder) {
			t := c.tape(&algos.MimeMVR{Eta: c.eta, Chosen: c.p, A: 0.3}, nil)
			recordSameIterates(rec, t.X,
				c.central(&algos.STORM{Eta: c.eta, Batch: c.p, A: 0.3}, clientsAsBatches(t), c.T).X)
		}),
		claim("mimemvr-is-mimesgd", any, func(c clientInstance, rec *props.Recorder) {
			recordSameIterates(rec, c.tape(&algos.MimeMVR{Eta: c.eta, Chosen: c.p, LocalSteps: c.K, A: 1}, nil).X,
				c.tape(&algos.Mime{Eta: c.eta, Chosen: c.p, LocalSteps: c.K}, nil).X)
		}),
		claim("bvr-is-fledge", any, func(c clientInstance, rec *props.Recorder) {
			got := c.tape(&algos.BVRLSGD{Eta: c.eta, Batch: whole(c), LocalSteps: c.K, Cap: true}, nil)
			want := c.tape(&algos.FLEDGE{Eta: c.eta, Chosen: c.P, Batch: whole(c), LocalSteps: c.K, Cap: true}, nil)
			recordSameTapes(rec, got, want, c.size, c.eta)
		}),
		claim("control-bvr-is-fledge", problems.Limits{Data: problems.Sizes(4, 6)},
			func(c clientInstance, rec *props.Recorder) {
				c.K = 1
				recordSameIterates(rec, c.tape(&algos.BVRLSGD{Eta: c.eta, Batch: 1, Cap: true}, nil).X,
					c.tape(&algos.FLEDGE{Eta: c.eta, Chosen: c.P, Batch: 1, Cap: true}, nil).X)
			}),
	}
}
