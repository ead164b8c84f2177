package claims

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"sledge/algos"
	"sledge/props"
	"sledge/props/formula"
	"sledge/props/ledger"
)

// server is the name of the server among the nodes; clients are 0, 1, ….
const server = -1

// protocol is which points are sent in a round of FLEDGE, besides the mean of the table and what
// clients answer.
type protocol struct {
	worker, clients bool // x^{t−1} goes to i_t, and x^t to I^t
	// alg:dist-Appendix: the clients of I^{t−1} and i_t share x^{t−1} with the server (line 2163)
	formal   bool
	previous bool // x^{t−1} goes to I^t along with x^t
	toServer bool // x^t goes from i_t to the server
}

var completeProtocol = protocol{worker: true, clients: true, previous: true, toServer: true}

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
		need(&atClients, r.worker, before, p.worker)
		known[[2]int{r.worker, t}] = true // computed by the local steps
		if p.toServer {
			need(&atServer, server, t, true)
		}
		for _, i := range r.clients {
			sent += 2 // y and Δy, for which both points are needed
			need(&atClients, i, t, p.clients)
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

// neededInputs tries fledge-communication-protocol/corrected.
func neededInputs(rec *props.Recorder) {
	noPrevious, noServer := completeProtocol, completeProtocol
	noPrevious.previous, noServer.toServer = false, false
	for P, p := range batchSizes(2, 4) {
		if p == P {
			continue
		}
		lacking := func(q protocol) (n int) {
			everyChoice(func(r *algos.Outcomes) { n += q.lacking(newSchedule(P, p, 3, r).rounds) })
			return n
		}
		recordCount(rec, "inputs missing if x^{t−1} is not sent to I^t", lacking(noPrevious),
			props.GE, 1)
		recordCount(rec, "inputs missing if x^t is not sent to the server", lacking(noServer),
			props.GE, 1)
	}
}

// sends are the messages of a protocol.
var sends = map[string]func(p *protocol){
	"x^{t−1} to i_t":         func(p *protocol) { p.worker = true },
	"x^t to I^t":             func(p *protocol) { p.clients = true },
	"x^{t−1} to I^t":         func(p *protocol) { p.previous = true },
	"x^t to server":          func(p *protocol) { p.toServer = true },
	"server has got x^{t−1}": func(p *protocol) { p.formal = true },
}

// ofMessages are the words about messages with what they mean.
var ofMessages = map[string]string{"sent": "vectors sent in $T$ rounds",
	"lacking": "how often somebody needs a point and has not got it",
	"least":   "vectors that have to reach somebody without them in the last round",
	"clients": "most that take part in a round",
	"old":     "clients of the last round that took part before"}

// messages is what is said of the rounds of FLEDGE with a protocol.
type messages struct {
	protocol
	relations, premises []relation
}

// messagesOf makes the check of a statement about them, where that is premised.
func messagesOf(r ledger.Runs) (props.Check, string, error) {
	if r.Method != "FLEDGE" || r.With != "" {
		return nil, "", fmt.Errorf("messages are those of FLEDGE, without parameters")
	}
	symbols := append(slices.Sorted(maps.Keys(ofMessages)), "P", "p", "T")
	stated, given, _ := strings.Cut(r.Statement, " if ")
	m, said := &messages{}, "P ≤ 12, T ≤ 5"
	var err error
	if m.relations, err = readRelations(r.Statement, stated, formula.Words(symbols...)); err != nil {
		return nil, "", err
	}
	for _, item := range formula.Items(given) {
		if send := sends[item.Text]; send != nil {
			send(&m.protocol)
			continue
		}
		if !strings.ContainsAny(item.Text, "=≤≥") {
			at := len(r.Statement) - len(given) + item.At
			return nil, "", &formula.Error{Text: r.Statement,
				Column: 1 + utf8.RuneCountInString(r.Statement[:at]), What: "messages are " +
					strings.Join(slices.Sorted(maps.Keys(sends)), ", ")}
		}
		premise, err := readRelations(r.Statement, item.Text, formula.Words(symbols...))
		if err != nil {
			return nil, "", err
		}
		m.premises = append(m.premises, premise...)
	}
	for _, word := range symbols {
		if ofMessages[word] != "" && slices.ContainsFunc(slices.Concat(m.relations, m.premises),
			func(r relation) bool { return r.speaksOf(word) }) {
			said += "; " + word + ": " + ofMessages[word]
		}
	}
	return props.Settled(props.Inequality(func(src *props.Source, rec *props.Recorder) {
		if !m.compare(drawSchedule(src, 12, 5), rec) {
			rec.Skip("the premises are not met")
		}
	}).Effort(0.5), props.ExactSizes(
		"all choices of i_t and I^t with P ≤ 4 clients in up to three rounds",
		func(rec *props.Recorder) {
			for P, p := range batchSizes(1, 4) {
				for T := 1; T <= 3; T++ {
					everyChoice(func(r *algos.Outcomes) { m.compare(newSchedule(P, p, T, r), rec) })
				}
			}
		}).Procedure()), said, nil
}

// compare compares what is said of some rounds, if it is premised of them.
func (m *messages) compare(s schedule, rec *props.Recorder) (premised bool) {
	last := len(s.rounds) - 1
	v := values{"P": float64(s.P), "p": float64(s.p), "T": float64(last + 1),
		"lacking": float64(m.lacking(s.rounds)), "least": float64(leastRound(s.rounds))}
	sent, _, _ := m.play(s.rounds)
	v["sent"] = float64(sent)
	var before []int
	for t, r := range s.rounds {
		taking := r.taking()
		if v["clients"] = max(v["clients"], float64(len(taking))); t < last {
			before = append(before, taking...)
		} else {
			v["old"] = float64(overlap(taking, before))
		}
	}
	if slices.ContainsFunc(m.premises, func(p relation) bool { return !p.holds(v) }) {
		return false
	}
	for _, r := range m.relations {
		r.record(rec, "", v)
	}
	return true
}

// taking are the clients that take part in a round.
func (r *round) taking() []int {
	if slices.Contains(r.clients, r.worker) {
		return r.clients
	}
	return append([]int{r.worker}, r.clients...)
}
