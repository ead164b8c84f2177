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
	method       string // in the catalogue
}

// The entries of the column.
const (
	everyIteration = "Every iteration"
	required       = "Required"
	neverRequired  = "Never required"
	onlyAtStart    = "Only at x⁰"
)

// observed is a method of the catalogue with minibatches of b, or p clients and K local steps in a
// round.
func observed(name string, b, p, K int) algos.Method {
	e, ok := algos.ByName(name)
	if !ok {
		panic("tables: there is no method " + name)
	}
	m := e.New(algos.Setting{Tuning: algos.Tuning{Eta: 0.1, Batch: b, Radius: 0.01}, Eps: 0.01,
		L: 1, Rho: 1, Delta: 0.5, Chosen: p, LocalSteps: K, Cap: true})
	if plus, ok := m.(*algos.SPIDERPlus); ok {
		plus.Neon.C = 1 // short searches
	}
	return m
}

// FullGradientColumn returns the column "Periodic full gradient" of table 1 (lines 90-104).
func FullGradientColumn() []FullGradients {
	return []FullGradients{
		{"SGD", everyIteration, "SGD"},
		{"Noisy SGD", everyIteration, "Noisy SGD"},
		{"SPIDER-SFO", required, "SPIDER-SFO"},
		{"SPIDER-SFO⁺", required, "SPIDER-SFO+"},
		{"SARAH", required, "SARAH"},
		{"SSRGD", required, "SSRGD"},
		{"ZeroSARAH", neverRequired, "ZeroSARAH-I"},
		{"ZeroSARAH, full table", onlyAtStart, "ZeroSARAH-II"},
		{"PAGE", required, "PAGE"},
		{"SLEDGE (Option I)", neverRequired, "SLEDGE-I"},
		{"SLEDGE (Option II)", onlyAtStart, "SLEDGE-II"},
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
	o := props.Must(algotest.Observe(observed(c.method, b, 0, 0), p, x0, algos.Keyed(key), T))
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
	Allowed bool   // ✓, else ×
	method  string // in the catalogue
}

// SamplingColumn returns the column "Client sampling" of table 2 (lines 173-183).
func SamplingColumn() []Sampling {
	return []Sampling{
		{"FedAvg", true, "FedAvg"},
		{"SCAFFOLD", true, "SCAFFOLD-II"},
		{"MimeMVR", true, "MimeMVR"},
		{"BVR-L-SGD", false, "BVR-L-SGD"},
		{"BVR-L-PSGD", false, "BVR-L-PSGD"},
		{"MimeSGD", true, "MimeSGD"},
		{"FLEDGE", true, "FLEDGE-II"},
	}
}

// Observe runs the method with p of P clients and K local steps for T rounds and says which clients
// computed gradients.
func (c *Sampling) Observe(P, p, K, T int, key keyed.Key) Seen {
	f, x0, _ := scene{clients: P, zeta: 0.5, sigmaC: 0.5, eps: 0.1, federated: true}.site(key)
	o := props.Must(algotest.Observe(observed(c.method, 0, p, K), f, x0, algos.Keyed(key), T))
	later := o.Clients[1:]
	s := Seen{Steps: T, Memory: o.Memory, LeastParts: slices.Min(later), Most: slices.Max(later),
		Down: o.Counts.Down, Up: o.Counts.Up}
	for _, k := range later {
		if k == P {
			s.AllClients++
		}
	}
	if start, err := algotest.Observe(observed(c.method, 0, p, K), f, x0, algos.Keyed(key), 0); err == nil {
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
