package claims

import (
	"slices"

	"sledge/algos"
	"sledge/algos/internal/testproblem"
	"sledge/props"
	"sledge/props/keyed"
)

// server is the name of the server among the nodes; clients are 0, 1, ….
const server = -1

// protocol is who sends what to whom in a round of FLEDGE. Every node knows x^0; a node knows what
// it has received and what it has computed.
type protocol struct {
	// alg:dist-Appendix: the clients of I^{t−1} and i_t share x^{t−1} with the server (line 2163)
	formal         bool
	previousPoint  bool // x^{t−1} goes to I^t along with x^t
	pointToServer  bool // x^t goes from i_t to the server
	messages, lack int  // vectors sent so far; inputs that somebody needed and did not have
	lackAtClients  int
	points         map[[2]int]bool // node and t: the node knows x^t
}

func (p *protocol) learn(node, t int) {
	if p.points == nil {
		p.points = map[[2]int]bool{}
	}
	p.points[[2]int{node, t}] = true
}

func (p *protocol) knows(node, t int) bool { return t == 0 || p.points[[2]int{node, t}] }

// need counts a missing point. Whoever lacks one is given it on the side, so that the round can go
// on.
func (p *protocol) need(node, t int) {
	if p.knows(node, t) {
		return
	}
	p.lack++
	if node != server {
		p.lackAtClients++
	}
	p.learn(node, t)
}

// round plays round t with local client i and refreshing clients I; before are the clients of
// I^{t−1}.
func (p *protocol) round(t, i int, clients, before []int) {
	if p.formal {
		for _, k := range before {
			if p.knows(k, t-1) {
				p.learn(server, t-1)
			}
		}
	}
	p.need(server, t-1)
	p.messages += 2 // (1/P) Σ y and x^{t−1} to i_t
	p.learn(i, t-1)
	p.learn(i, t) // computed by the local steps
	if p.pointToServer {
		p.messages++
		p.learn(server, t)
	}
	for _, k := range clients {
		p.messages++
		p.learn(k, t)
		if p.previousPoint {
			p.messages++
			p.learn(k, t-1)
		}
		p.need(k, t-1) // for Δy
		p.messages += 2
	}
}

// play lets the protocol run for the given rounds and returns it.
func (p protocol) play(workers []int, clients [][]int) *protocol {
	for t := 1; t <= len(workers); t++ {
		var before []int
		if t > 1 {
			before = clients[t-2]
		}
		p.round(t, workers[t-1], clients[t-1], before)
	}
	return &p
}

// leastRound returns how many vectors have to reach a node that lacks them in the last round of a
// run, whatever way they take: the mean of the table and x^{t−1} at i_t, x^t and x^{t−1} at the
// clients of I^t, and their answers at the server.
func leastRound(workers []int, clients [][]int) int {
	var known protocol
	T := len(workers)
	moved := 0
	for t := 1; t <= T; t++ {
		moved = 1 // the mean of the table, which only the server can know
		get := func(node, t int) {
			if !known.knows(node, t) {
				moved++
				known.learn(node, t)
			}
		}
		get(workers[t-1], t-1)
		known.learn(workers[t-1], t)
		for _, k := range clients[t-1] {
			get(k, t)
			get(k, t-1)
			moved += 2
		}
	}
	return moved
}

// drawRounds draws i_t and I^t of T rounds.
func drawRounds(src *props.Source, clients, T int) (P, p int, workers []int, sets [][]int) {
	P = src.Int("P", 1, clients)
	p = src.Int("p", 1, P)
	rounds := src.Int("T", 1, T)
	r := algos.Keyed(src.Key("rounds"))
	for range rounds {
		var worker [1]int
		r.Indices(worker[:], P, algos.Worker)
		set := make([]int, p)
		r.Subset(set, P, algos.Clients)
		workers, sets = append(workers, worker[0]), append(sets, set)
	}
	return P, p, workers, sets
}

// allRounds runs through all choices of T rounds with P clients.
func allRounds(P, p, T int, visit func(workers []int, clients [][]int)) {
	chosen := subsets(P, p)
	var sizes []int
	for range T {
		sizes = append(sizes, P, len(chosen))
	}
	workers, sets := make([]int, T), make([][]int, T)
	sequences(sizes, func(pick []int) {
		for t := range T {
			workers[t], sets[t] = pick[2*t], chosen[pick[2*t+1]]
		}
		visit(workers, sets)
	})
}

func vectorsSentClaims() []props.Binding {
	return []props.Binding{
		props.Bind("fledge-communication-protocol",
			props.Identity(func(src *props.Source, rec *props.Recorder) {
				_, p, workers, clients := drawRounds(src, 8, 6)
				short, formal := protocol{}.play(workers, clients),
					protocol{formal: true}.play(workers, clients)
				recordCount(rec, "inputs missing, short listing", int64(short.lack), props.EQ, 0)
				recordCount(rec, "x^{t−1} missing at clients of I^t, short listing",
					int64(short.lackAtClients), props.EQ, 0)
				recordCount(rec, "inputs missing, formal listing", int64(formal.lack), props.EQ, 0)
				recordCount(rec,
					"vectors that must reach a node lacking them in a round, against those sent",
					int64(leastRound(workers, clients)), props.LE, 3*p+2)
			})),
		props.Bind("fledge-communication-protocol/corrected",
			props.ExactSizes("all choices of i_t and I^t with P ≤ 4 clients in three rounds",
				func(rec *props.Recorder) {
					for P := 1; P <= 4; P++ {
						for p := 1; p <= P; p++ {
							var complete, noPrevious, noServer int64
							allRounds(P, p, 3, func(workers []int, clients [][]int) {
								complete += int64(protocol{previousPoint: true,
									pointToServer: true}.play(workers, clients).lack)
								noPrevious += int64(protocol{pointToServer: true}.play(workers,
									clients).lack)
								noServer += int64(protocol{previousPoint: true}.play(workers,
									clients).lack)
							})
							recordCount(rec, "inputs missing", complete, props.EQ, 0)
							if p < P {
								recordCount(rec, "inputs missing if x^{t−1} is not sent to I^t",
									noPrevious, props.GE, 1)
								recordCount(rec, "inputs missing if x^t is not sent to the server",
									noServer, props.GE, 1)
							}
						}
					}
				})),
		props.Bind("fledge-communication-count", props.Settled(
			props.Inequality(func(src *props.Source, rec *props.Recorder) {
				countListing(drawRounds(src, 12, 5))(rec)
			}), everyRound(countListing))),
		props.Bind("fledge-communication-count/complete", props.Settled(
			props.Identity(func(src *props.Source, rec *props.Recorder) {
				countComplete(drawRounds(src, 12, 5))(rec)
			}).Effort(0.5), everyRound(countComplete))),
	}
}

// everyRound makes the comparisons for all choices of two rounds.
func everyRound(count func(P, p int, workers []int, clients [][]int) func(
	*props.Recorder)) props.Procedure {
	return props.ExactSizes("all choices of i_t and I^t with P ≤ 4 clients in two rounds",
		func(rec *props.Recorder) {
			for P := 1; P <= 4; P++ {
				for p := 1; p <= P; p++ {
					allRounds(P, p, 2, func(workers []int, clients [][]int) {
						count(P, p, workers, clients)(rec)
					})
				}
			}
		}).Procedure()
}

// countListing compares what the listing sends.
func countListing(P, p int, workers []int, clients [][]int) func(*props.Recorder) {
	return func(rec *props.Recorder) {
		recordCount(rec, "vectors sent by the listing",
			int64(protocol{}.play(workers, clients).messages), props.EQ, (3*p+2)*len(workers))
		for t, chosen := range clients {
			part := len(chosen)
			if !slices.Contains(chosen, workers[t]) {
				part++
			}
			if p+1 < P {
				recordCount(rec, "clients in a round, p ≤ P − 2", int64(part), props.LE, P-1)
			}
		}
	}
}

// countComplete compares what the complete protocol sends, and what the implementation counts.
func countComplete(P, p int, workers []int, clients [][]int) func(*props.Recorder) {
	return func(rec *props.Recorder) {
		complete := protocol{previousPoint: true, pointToServer: true}.play(workers, clients)
		recordCount(rec, "vectors sent by the complete protocol", int64(complete.messages),
			props.EQ, (4*p+3)*len(workers))
		least := int64(leastRound(workers, clients))
		recordCount(rec, "vectors that must reach a node lacking them in a round", least,
			props.LE, 4*p+2)
		if T := len(workers); T >= 2 && fresh(workers, clients) {
			recordCount(rec,
				"vectors that must reach a node lacking them after a round of other clients", least,
				props.GE, 4*p)
		}
		o := algos.NewOracle(testproblem.DrawWells(P, 1, 1, keyed.New(1).Rand()))
		m, r := &algos.FLEDGE{Eta: 0.1, Chosen: p}, algos.Keyed(keyed.New(uint64(least)))
		if err := m.Start(o, []float64{1}, r); err != nil {
			panic(err)
		}
		start := o.Counts()
		for range workers {
			m.Step()
		}
		end := o.Counts()
		recordCount(rec, "vectors counted by the implementation",
			end.Down+end.Up-start.Down-start.Up, props.EQ, (4*p+3)*len(workers))
		recordCount(rec, "communication rounds", end.Rounds-start.Rounds, props.EQ,
			len(workers))
		if p+1 < P {
			recordCount(rec, "rounds with all clients after x⁰, p ≤ P − 2",
				end.FullSync-start.FullSync, props.EQ, 0)
		}
	}
}

// fresh reports whether the clients of the last round (i_T among them) took no part in earlier
// ones.
func fresh(workers []int, clients [][]int) bool {
	T := len(workers)
	last := append([]int{workers[T-1]}, clients[T-1]...)
	for t := range T - 1 {
		if overlap(last, append([]int{workers[t]}, clients[t]...)) > 0 {
			return false
		}
	}
	return true
}
