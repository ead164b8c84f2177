package claims

import (
	"slices"

	"sledge/algos"
	"sledge/props"
)

// server is the name of the server among the nodes; clients are 0, 1, ….
const server = -1

// known says which node knows which point x^t: all that it has received or computed, and x⁰.
type known map[[2]int]bool

// lacks reports whether a node does not know x^t, and lets it know.
func (k known) lacks(node, t int) bool {
	lacks := t > 0 && !k[[2]int{node, t}]
	k[[2]int{node, t}] = true
	return lacks
}

// protocol is which points are sent in a round of FLEDGE, besides the mean of the table and what
// clients answer.
type protocol struct {
	listed bool // x^{t−1} goes to i_t, and x^t to I^t
	// alg:dist-Appendix: the clients of I^{t−1} and i_t share x^{t−1} with the server (line 2163)
	formal   bool
	previous bool // x^{t−1} goes to I^t along with x^t
	toServer bool // x^t goes from i_t to the server
}

var completeProtocol = protocol{listed: true, previous: true, toServer: true}

// play lets the protocol run for the given rounds. It returns how many vectors are sent, and how
// many points the server and clients need and do not have. Whoever lacks a point is given it on the
// side: the round can go on.
func (p protocol) play(rounds []round) (sent, atServer, atClients int) {
	k := known{}
	need := func(lacking *int, node, t int, given bool) {
		if lacks := k.lacks(node, t); given {
			sent++
		} else if lacks {
			*lacking++
		}
	}
	for before, r := range rounds {
		t := before + 1
		if p.formal {
			k.lacks(server, before)
		}
		need(&atServer, server, before, false)
		sent++ // (1/P) Σ y to i_t, which only the server can know
		need(&atClients, r.worker, before, p.listed)
		k.lacks(r.worker, t) // computed by the local steps
		if p.toServer {
			need(&atServer, server, t, true)
		}
		for _, i := range r.clients {
			sent += 2 // y and Δy, for which both points are needed
			need(&atClients, i, t, p.listed)
			need(&atClients, i, before, p.previous)
		}
	}
	return sent, atServer, atClients
}

// lacking is how many points somebody needs and does not have.
func (p protocol) lacking(rounds []round) int {
	_, atServer, atClients := p.play(rounds)
	return atServer + atClients
}

// leastRound returns how many vectors have to reach a node that lacks them in the last round of a
// run, whatever way they take: those sent if no points are, and the points that clients lack then.
func leastRound(rounds []round) int {
	sent, _, lack := protocol{}.play(rounds)
	sentBefore, _, lackBefore := protocol{}.play(rounds[:len(rounds)-1])
	return sent - sentBefore + lack - lackBefore
}

// schedule is who works in the rounds of a run with p of P clients.
type schedule struct {
	P, p   int
	rounds []round
}

// newSchedule draws i_t and I^t of T rounds.
func newSchedule(P, p, T int, r algos.Randomness) schedule {
	s := schedule{P: P, p: p, rounds: make([]round, T)}
	for t := range s.rounds {
		worker, clients := make([]int, 1), make([]int, p)
		r.Indices(worker, P, algos.Worker)
		r.Subset(clients, P, algos.Clients)
		s.rounds[t] = round{worker: worker[0], clients: clients}
	}
	return s
}

// drawSchedule draws one of at most so many clients and rounds.
func drawSchedule(src *props.Source, clients, T int) schedule {
	P := src.Int("P", 1, clients)
	return newSchedule(P, src.Int("p", 1, P), src.Int("T", 1, T), algos.Keyed(src.Key("rounds")))
}

// allSchedules runs through all choices of T rounds with p of P clients.
func allSchedules(P, p, T int, visit func(s schedule)) {
	o := &algos.Outcomes{}
	for more := true; more; more = o.Turn() {
		visit(newSchedule(P, p, T, o))
	}
}

func vectorsSentClaims() []props.Binding {
	return []props.Binding{
		props.Bind("fledge-communication-protocol", props.Identity(missingInputs)),
		props.Bind("fledge-communication-protocol/corrected",
			props.ExactSizes("all choices of i_t and I^t with P ≤ 4 clients in three rounds",
				neededInputs)),
		props.Bind("fledge-communication-count", countedRounds(props.Inequality, 1, countListing)),
		props.Bind("fledge-communication-count/complete",
			countedRounds(props.Identity, 0.5, countComplete)),
	}
}

// missingInputs tries fledge-communication-protocol.
func missingInputs(src *props.Source, rec *props.Recorder) {
	s := drawSchedule(src, 8, 6)
	short, formal := protocol{listed: true}, protocol{listed: true, formal: true}
	_, atServer, atClients := short.play(s.rounds)
	recordCount(rec, "inputs missing, short listing", atServer+atClients, props.EQ, 0)
	recordCount(rec, "x^{t−1} missing at clients of I^t, short listing", atClients, props.EQ, 0)
	recordCount(rec, "inputs missing, formal listing", formal.lacking(s.rounds), props.EQ, 0)
	recordCount(rec, "vectors that must reach a node lacking them in a round, against those sent",
		leastRound(s.rounds), props.LE, 3*s.p+2)
}

// neededInputs tries fledge-communication-protocol/corrected.
func neededInputs(rec *props.Recorder) {
	noPrevious, noServer := completeProtocol, completeProtocol
	noPrevious.previous, noServer.toServer = false, false
	for P, p := range batchSizes(1, 4) {
		lacking := func(q protocol) (n int) {
			allSchedules(P, p, 3, func(s schedule) { n += q.lacking(s.rounds) })
			return n
		}
		recordCount(rec, "inputs missing", lacking(completeProtocol), props.EQ, 0)
		if p < P {
			recordCount(rec, "inputs missing if x^{t−1} is not sent to I^t", lacking(noPrevious),
				props.GE, 1)
			recordCount(rec, "inputs missing if x^t is not sent to the server", lacking(noServer),
				props.GE, 1)
		}
	}
}

// countedRounds makes the comparisons for drawn rounds, and for all choices of two.
func countedRounds(kind func(func(*props.Source, *props.Recorder)) *props.Deterministic,
	effort float64, count func(s schedule, rec *props.Recorder)) props.Check {
	return props.Settled(kind(func(src *props.Source, rec *props.Recorder) {
		count(drawSchedule(src, 12, 5), rec)
	}).Effort(effort), props.ExactSizes(
		"all choices of i_t and I^t with P ≤ 4 clients in two rounds", func(rec *props.Recorder) {
			for P, p := range batchSizes(1, 4) {
				allSchedules(P, p, 2, func(s schedule) { count(s, rec) })
			}
		}).Procedure())
}

// countListing compares what the listing sends.
func countListing(s schedule, rec *props.Recorder) {
	sent, _, _ := protocol{listed: true}.play(s.rounds)
	recordCount(rec, "vectors sent by the listing", sent, props.EQ, (3*s.p+2)*len(s.rounds))
	if s.p+1 < s.P {
		s.countClients(rec, "clients in a round, p ≤ P − 2", s.P-1)
	}
}

// countClients compares how many clients take part in each round.
func (s *schedule) countClients(rec *props.Recorder, what string, most int) {
	for _, r := range s.rounds {
		part := len(r.clients)
		if !slices.Contains(r.clients, r.worker) {
			part++
		}
		recordCount(rec, what, part, props.LE, most)
	}
}

// countComplete compares what the complete protocol sends with what has to be sent.
func countComplete(s schedule, rec *props.Recorder) {
	T := len(s.rounds)
	sent, _, _ := completeProtocol.play(s.rounds)
	recordCount(rec, "vectors sent by the complete protocol", sent, props.EQ, (4*s.p+3)*T)
	least := leastRound(s.rounds)
	recordCount(rec, "vectors that must reach a node lacking them in a round", least, props.LE,
		4*s.p+2)
	s.countClients(rec, "clients in a round", s.p+1)
	if T >= 2 && fresh(s.rounds) {
		recordCount(rec, "vectors that must reach a node lacking them after a round of other "+
			"clients", least, props.GE, 4*s.p)
	}
}

// fresh reports whether the clients of the last round (i_T among them) took no part in earlier
// ones.
func fresh(rounds []round) bool {
	taking := func(r round) []int { return append([]int{r.worker}, r.clients...) }
	last := len(rounds) - 1
	return !slices.ContainsFunc(rounds[:last],
		func(r round) bool { return overlap(taking(rounds[last]), taking(r)) > 0 })
}
