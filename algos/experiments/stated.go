package experiments

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"sledge/props"
	"sledge/props/ledger"
)

// Stated makes the checks of what a ledger says is found in the figures, on small versions of them,
// and of what it says of a round and of the partition among clients, and leaves all else to
// another; see [ledger.Ledger.Run]:
//
//	findings of figure 4 with probability 0.5: error_{SLEDGE} ≤ error_{SAGA}/2
//	findings of figure 2 with T = 300 with probability 0.5: ‖∇f‖_{FLEDGE; 1} ≤ ‖∇f‖_{FLEDGE; 0}/10
//	findings of figure 2 with probability 0.5: accuracy_{FLEDGE} ≥ accuracy_M for M ∈ {FedAvg; SCAFFOLD}
//	findings of the partition: clients = 4·26
//
// The index of a quantity is the name of a method in the figure, or those of two that are compared
// with a stroke between, and after a semicolon a number, or the race that it is of: {FedAvg; q =
// 0.04}. Where no race is named the statement is about each race of the figure. M stands for the
// methods of the list in turn. The probability is that with which a repetition shows the finding.
func Stated(other func(ledger.Runs) (props.Check, string, error)) func(ledger.Runs) (props.Check,
	string, error) {
	labs, scene := labs(), ledger.Scenes("findings", scenes, other)
	return func(r ledger.Runs) (props.Check, string, error) {
		if _, known := scenes[r.Method]; r.Of != "findings" || known {
			return scene(r)
		}
		var known []string
		for _, l := range labs {
			if l.answers(r) {
				return l.check(r)
			}
			known = append(known, l.name())
		}
		return nil, "", fmt.Errorf("there are no findings of %q; there are findings of %s",
			strings.TrimSuffix(r.Method+" with "+r.With, " with "),
			strings.Join(append(known, slices.Sorted(maps.Keys(scenes))...), ", "))
	}
}

// labs are the small versions of the figures.
func labs() []*lab {
	short, long := finiteScale, clientScale
	short.Steps, short.Records = 50, 5 // a repetition has ten runs
	long.Rounds, long.Records = 300, 20
	return []*lab{{scale: finiteScale, of: "fig1"}, {scale: clientScale, of: "fig2"},
		{scale: long, of: "fig2", steps: long.Rounds}, {scale: short, of: "fig3"},
		{scale: finiteScale, of: "fig4"}, {scale: clientScale, of: "fig5"},
		{scale: clientScale, of: "fig6"}}
}

// answers reports whether a statement is about the figure at the scale of the lab; with no number of
// steps it is about the first of a figure.
func (l *lab) answers(r ledger.Runs) bool {
	with := strings.TrimSuffix(r.Method+" with "+r.With, " with ")
	return r.Family == "" && with == l.name()
}

// check makes the check that a finding is seen in a share of the repetitions.
func (l *lab) check(r ledger.Runs) (props.Check, string, error) {
	if r.Rate == 0 {
		return nil, "", fmt.Errorf("findings of a figure have a probability, as in with probability 0.5")
	}
	f, err := l.figure().read(r.Statement, l.scale)
	if err != nil {
		return nil, "", err
	}
	l.findings = append(l.findings, f)
	trial := func(l *lab) props.TailTrial {
		return props.TailTrial{Delta: 1 - r.Rate,
			Run: func(t props.Trial, rec *props.Recorder) {
				f.judge(l.repeat(t.Key, f.blind()), rec)
			}}
	}
	return props.Tail(func(*props.Source) props.TailTrial {
			t := trial(l)
			t.Large = func(tier props.Tier) props.TailTrial { return trial(l.grown(tier)) }
			return t
		}).Effort(repetitions).StandIn("most repetitions of the small version"),
		"on a small version that is drawn anew in every repetition" + f.said, nil
}
