package claims

import (
	"slices"

	"sledge/algos"
	"sledge/props"
)

// server is the name of the server among the nodes; clients are 0, 1, ….
const server = -1

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
// many points the server and clients need and do not have: x⁰ is known to all, other points to who
// has received or computed them. Whoever lacks a point is given it on the side: the round can go
// on.
func (p protocol) play(rounds []round) (sent, atServer, atClients int) {
	known := map[[2]int]bool{} // a node, and t of x^t
	need := func(lacking *int, node, t int, given bool) {
		if given {
			sent++
		} else if t > 0 && !known[[2]int{node, t}] {
			*lacking++
		}
		known[[2]int{node, t}] = true
	}
	for before, r := range rounds {
		t := before + 1
		if p.formal {
			known[[2]int{server, before}] = true
		}
		need(&atServer, server, before, false)
		sent++ // (1/P) Σ y to i_t, which only the server can know
		need(&atClients, r.worker, before, p.listed)
		known[[2]int{r.worker, t}] = true // computed by the local steps
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
			everyChoice(func(r *algos.Outcomes) { n += q.lacking(newSchedule(P, p, 3, r).rounds) })
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
				everyChoice(func(r *algos.Outcomes) { count(newSchedule(P, p, 2, r), rec) })
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

// taking are the clients that take part in a round.
func (r *round) taking() []int {
	if slices.Contains(r.clients, r.worker) {
		return r.clients
	}
	return append([]int{r.worker}, r.clients...)
}

// countClients compares how many clients take part in each round.
func (s *schedule) countClients(rec *props.Recorder, what string, most int) {
	for _, r := range s.rounds {
		recordCount(rec, what, len(r.taking()), props.LE, most)
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
	last := s.rounds[T-1].taking()
	met := func(r round) bool { return overlap(last, r.taking()) > 0 }
	if T >= 2 && !slices.ContainsFunc(s.rounds[:T-1], met) { // all of them are new
		recordCount(rec, "vectors that must reach a node lacking them after a round of other "+
			"clients", least, props.GE, 4*s.p)
	}
}
