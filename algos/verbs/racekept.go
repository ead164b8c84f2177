package verbs

import (
	"errors"
	"flag"
	"slices"
	"strings"

	"sledge/algos"
	"sledge/reports"
	"sledge/reports/store"
)

// unfinishedRace is the file in which a race keeps the runs that are over, until all are.
const unfinishedRace = "unfinished-race.jsonl"

// raceRun is a run of a race that is over.
type raceRun struct {
	Data    string // the problem of the leg
	Entrant string
	Eta     float64
	Tuning  bool
	N       int
	Trace   keptRun
	Point   []reports.Num `json:",omitempty"`
}

// whole refuses what cannot be a run.
func (r *raceRun) whole() error {
	if len(r.Trace.Records) == 0 {
		return errors.New("a run without records")
	}
	return nil
}

const raceSchema = "sledge/race/v1"

// Settings are what results depend on: the flags, but for those that say where results go, and what
// else is named, and the software.
func Settings(flags *flag.FlagSet, but ...string) string {
	var words []string
	flags.VisitAll(func(f *flag.Flag) {
		if !slices.Contains(append(but, "out", "j"), f.Name) {
			words = append(words, f.Name+"="+f.Value.String())
		}
	})
	return strings.Join(append(words, reports.Build()), " ")
}

// keep returns the keeper of the runs on one problem.
func keep(k *store.Kept[raceRun],
	data string) func(algos.Heat, func() (*algos.Trace, error)) (*algos.Trace, error) {
	return func(h algos.Heat, run func() (*algos.Trace, error)) (*algos.Trace, error) {
		known, found := k.Find(func(r raceRun) bool {
			return r.Data == data && r.Entrant == h.Entrant && r.Eta == h.Eta &&
				r.Tuning == h.Tuning && r.N == h.N
		})
		if found {
			tr := known.Trace.trace()
			tr.Point = numbers[float64](known.Point)
			return tr, nil
		}
		tr, err := run()
		if err != nil || tr.Stopped == "cancelled" {
			return tr, err
		}
		r := raceRun{Data: data, Entrant: h.Entrant, Eta: h.Eta, Tuning: h.Tuning, N: h.N,
			Trace: kept(tr)}
		if !h.Tuning {
			r.Point = numbers[reports.Num](tr.Point)
		}
		return tr, k.Add(r)
	}
}
