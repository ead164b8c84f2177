package tables

import (
	"math/big"
	"slices"

	"sledge/algos"
	"sledge/algos/algotest"
	"sledge/props"
	"sledge/props/keyed"
)

// FullGradients is an entry of the column "Periodic full gradient" of table 1.
type FullGradients struct {
	Row, Printed string
	Method       func(n, b int) algos.Method
}

// The entries of the column.
const (
	everyIteration = "Every iteration"
	required       = "Required"
	neverRequired  = "Never required"
	onlyAtStart    = "Only at x⁰"
)

const observedStep = 0.1

func observedRounds(p, K int) algos.LocalTuning {
	return algos.LocalTuning{Eta: observedStep, Chosen: p, LocalSteps: K}
}

func observedTuning(b int) algos.Tuning { return algos.Tuning{Eta: observedStep, Batch: b} }

// FullGradientColumn returns the column "Periodic full gradient" of table 1 (lines 90-104).
func FullGradientColumn() []FullGradients {
	return []FullGradients{
		{"SGD", everyIteration, func(_, b int) algos.Method { return &algos.SGD{Tuning: observedTuning(b)} }},
		{"Noisy SGD", everyIteration, func(_, b int) algos.Method {
			return &algos.NoisySGD{Eta: observedStep, Batch: b, Sigma: 1}
		}},
		{"SPIDER-SFO", required, func(_, b int) algos.Method {
			return &algos.SPIDER{Eta: observedStep, Eps: 0.01, Batch: b}
		}},
		{"SPIDER-SFO⁺", required, func(_, b int) algos.Method {
			return &algos.SPIDERPlus{Eta: observedStep, Eps: 0.01, Batch: b,
				Neon: algos.Neon2{L: 1, Rho: 1, Delta: 0.5, C: 1}}
		}},
		{"SARAH", required, func(_, b int) algos.Method { return &algos.SARAH{Tuning: observedTuning(b)} }},
		{"SSRGD", required, func(_, b int) algos.Method {
			return &algos.SSRGD{Tuning: algos.Tuning{Eta: observedStep, Batch: b, Radius: 0.01}}
		}},
		{"ZeroSARAH", neverRequired, func(_, b int) algos.Method {
			return &algos.ZeroSARAH{Tuning: observedTuning(b), Option: algos.OptionI}
		}},
		{"ZeroSARAH, full table", onlyAtStart,
			func(_, b int) algos.Method { return &algos.ZeroSARAH{Tuning: observedTuning(b)} }},
		{"PAGE", required, func(_, b int) algos.Method { return &algos.PAGE{Tuning: observedTuning(b)} }},
		{"SLEDGE (Option I)", neverRequired, func(_, b int) algos.Method {
			return &algos.SLEDGE{Eta: observedStep, Batch: b, Radius: 0.01, Option: algos.OptionI}
		}},
		{"SLEDGE (Option II)", onlyAtStart,
			func(_, b int) algos.Method { return &algos.SLEDGE{Eta: observedStep, Batch: b, Radius: 0.01} }},
	}
}

// Seen is what a run shows of costs that the tables name in words.
type Seen struct {
	Steps, Full      int   // steps, and full gradients after the initialisation
	FullAtStart      bool  // a full gradient in the initialisation
	Memory           int   // numbers kept between steps
	Down, Up         int64 // vectors after the initialisation
	AllClients       int   // rounds after the initialisation in which all clients compute gradients
	LeastParts, Most int   // clients that compute in a round after the initialisation
}

// Observe runs the method on n components with minibatches of b for T steps and says which full
// gradients the objective was asked for.
func (c *FullGradients) Observe(n, b, T int, key keyed.Key) Seen {
	p, x0, _ := scene{clients: n, zeta: 0.5, sigmaC: 0.5, eps: 0.1}.site(key)
	o := props.Must(algotest.Observe(c.Method(n, b), p, x0, algos.Keyed(key), T))
	s := Seen{Steps: T, Memory: o.Memory}
	for _, t := range o.Full {
		if t == 0 {
			s.FullAtStart = true
		} else {
			s.Full++
		}
	}
	return s
}

// Words puts what was seen into the words of the column.
func (s Seen) Words() string {
	switch {
	case s.Full == s.Steps:
		return everyIteration
	case s.Full > 0:
		return required
	case s.FullAtStart:
		return onlyAtStart
	}
	return neverRequired
}

// Sampling is an entry of the column "Client sampling (other than x⁰)" of table 2.
type Sampling struct {
	Row     string
	Allowed bool // ✓, else ×
	Method  func(p, K int) algos.Method
}

// SamplingColumn returns the column "Client sampling" of table 2 (lines 173-183).
func SamplingColumn() []Sampling {
	return []Sampling{
		{"FedAvg", true, func(p, K int) algos.Method {
			return &algos.FedAvg{LocalTuning: observedRounds(p, K)}
		}},
		{"SCAFFOLD", true, func(p, K int) algos.Method {
			return &algos.SCAFFOLD{LocalTuning: observedRounds(p, K)}
		}},
		{"MimeMVR", true, func(p, K int) algos.Method {
			return &algos.MimeMVR{Eta: observedStep, Chosen: p, LocalSteps: K}
		}},
		{"BVR-L-SGD", false, func(_, K int) algos.Method {
			return &algos.BVRLSGD{Eta: observedStep, LocalSteps: K, Cap: true}
		}},
		{"BVR-L-PSGD", false, func(_, K int) algos.Method {
			return &algos.BVRLSGD{Eta: observedStep, LocalSteps: K, Radius: 0.01, Cap: true}
		}},
		{"MimeSGD", true, func(p, K int) algos.Method {
			return &algos.Mime{LocalTuning: observedRounds(p, K)}
		}},
		{"FLEDGE", true, func(p, K int) algos.Method {
			return &algos.FLEDGE{Eta: observedStep, Chosen: p, LocalSteps: K, Radius: 0.01,
				Cap: true}
		}},
	}
}

// Observe runs the method with p of P clients and K local steps for T rounds and says which clients
// computed gradients.
func (c *Sampling) Observe(P, p, K, T int, key keyed.Key) Seen {
	f, x0, _ := scene{clients: P, zeta: 0.5, sigmaC: 0.5, eps: 0.1, federated: true}.site(key)
	o := props.Must(algotest.Observe(c.Method(p, K), f, x0, algos.Keyed(key), T))
	later := o.Clients[1:]
	s := Seen{Steps: T, Memory: o.Memory, LeastParts: slices.Min(later), Most: slices.Max(later),
		Down: o.Counts.Down, Up: o.Counts.Up}
	for _, k := range later {
		if k == P {
			s.AllClients++
		}
	}
	if start, err := algotest.Observe(c.Method(p, K), f, x0, algos.Keyed(key), 0); err == nil {
		s.Down, s.Up = s.Down-start.Counts.Down, s.Up-start.Counts.Up
	}
	return s
}

// checkColumn compares what runs observe with entries of the column.
func checkColumn(entries []FullGradients) props.Check {
	return props.Identity(func(src *props.Source, rec *props.Recorder) {
		n := 4 * src.Int("n/4", 2, 12)
		b, T := src.Int("b", 1, n/2-1), src.Int("T − 3n/b", 0, 30)
		T += 3 * n / b // several periods
		key := src.Key("runs")
		for _, c := range entries {
			s := c.Observe(n, b, T, key)
			at0 := big.NewRat(0, 1)
			if s.FullAtStart {
				at0.SetInt64(1)
			}
			later, one := big.NewRat(int64(s.Full), 1), big.NewRat(1, 1)
			switch c.Printed {
			case everyIteration:
				rec.Rats("full gradients in T iterations, "+c.Row, later, props.EQ,
					big.NewRat(int64(T), 1))
			case required:
				if c.Row != "PAGE" || T >= 40*n/b {
					rec.Rats("full gradients after x⁰, "+c.Row, later, props.GE, one)
				}
			case neverRequired:
				rec.Rats("full gradients after x⁰, "+c.Row, later, props.EQ, new(big.Rat))
				rec.Rats("full gradients at x⁰, "+c.Row, at0, props.EQ, new(big.Rat))
			case onlyAtStart:
				rec.Rats("full gradients after x⁰, "+c.Row, later, props.EQ, new(big.Rat))
				rec.Rats("full gradients at x⁰, "+c.Row, at0, props.EQ, one)
			}
		}
	}).Effort(0.1)
}

func observedClaims() []props.Binding {
	column := func(keep func(c *FullGradients) bool) (entries []FullGradients) {
		for _, c := range FullGradientColumn() {
			if keep(&c) {
				entries = append(entries, c)
			}
		}
		return entries
	}
	others := column(func(c *FullGradients) bool { return c.Printed != everyIteration })
	sgd := column(func(c *FullGradients) bool { return c.Printed == everyIteration })
	return []props.Binding{
		props.Bind("measured/table1-full-gradient",
			props.All(checkColumn(others), props.Mean(func(src *props.Source) props.MeanTrial {
				n := 4 * src.Int("n/4", 2, 6)
				b, T := src.Int("b", 1, n/2-1), 30
				page := others[slices.IndexFunc(others, func(c FullGradients) bool {
					return c.Row == "PAGE"
				})]
				return props.MeanTrial{What: "full gradients of PAGE in T steps",
					Relation: props.Near, Claimed: float64(T) * float64(b) / float64(n+b),
					Hi: float64(T), Tolerance: 1.5, Regime: props.Where(props.Min("n", n, 8),
						props.Min("b", b, 2)),
					Run: func(t props.Trial) float64 { return float64(page.Observe(n, b, T, t.Key).Full) }}
			}).Effort(0.6))), // values deviate by some 2.5: some 200 runs tell their mean from the tolerance
		props.Bind("measured/table1-sgd-full-gradient", checkColumn(sgd)),
		props.Bind("measured/table2-client-sampling",
			props.Identity(measuredTable2ClientSampling).Effort(0.1)),
	}
}

// measuredTable2ClientSampling tries measured/table2-client-sampling.
func measuredTable2ClientSampling(src *props.Source, rec *props.Recorder) {
	P := 4 * src.Int("P/4", 2, 8)
	p, K, T := src.Int("p", 1, P-2), src.Int("K", 1, 4), src.Int("T", 1, 12)
	key := src.Key("runs")
	for _, c := range SamplingColumn() {
		s := c.Observe(P, p, K, T, key)
		least, most := p, p
		switch {
		case !c.Allowed:
			least, most = P, P
		case c.Row == "FLEDGE":
			most = p + 1
		}
		rec.Rats("clients in a round, from below, "+c.Row,
			big.NewRat(int64(s.LeastParts), 1), props.GE, big.NewRat(int64(least), 1))
		rec.Rats("clients in a round, "+c.Row, big.NewRat(int64(s.Most), 1), props.LE,
			big.NewRat(int64(most), 1))
	}
}
