package verbs

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"sledge/algos"
	"sledge/reports"
	"sledge/reports/store"
)

// unfinishedRace is the file in which a race keeps the runs that are over, until all are.
const unfinishedRace = "unfinished-race.jsonl"

// keptRace are the runs of a race that are over, in a log with a line for each. The first line says
// what race it is.
type keptRace struct {
	path string

	mu    sync.Mutex
	log   *store.Log // nil until a run is over
	first *raceHead
	runs  []raceRun
}

type raceHead struct {
	Schema   string `json:"schema"` // "sledge/race/v1"
	Settings string `json:"settings"`
}

type raceRun struct {
	Data    string // the problem of the leg
	Entrant string
	Eta     float64
	Tuning  bool
	N       int
	Trace   keptRun
	Point   []reports.Num `json:",omitempty"`
}

const raceSchema = "sledge/race/v1"

// settings are what the runs of a race depend on: the flags that were set, but for those that
// divide the work or say where it goes, and the software.
func (r *race) settings() string {
	var words []string
	r.all.VisitAll(func(f *flag.Flag) {
		if !slices.Contains([]string{"out", "j", "seeds"}, f.Name) {
			words = append(words, f.Name+"="+f.Value.String())
		}
	})
	return strings.Join(append(words, reports.Build()), " ")
}

// keep returns the keeper of the runs on one problem. It reads what an earlier call with the same
// settings has left.
func (k *keptRace) keep(settings,
	data string) (func(algos.Heat, func() (*algos.Trace, error)) (*algos.Trace, error),
	error) {
	if k.first == nil {
		k.first = &raceHead{raceSchema, settings}
		if err := k.read(); err != nil {
			k.runs = nil // a log that is damaged, or that of another race, is made anew
		}
	}
	return func(h algos.Heat, run func() (*algos.Trace, error)) (*algos.Trace, error) {
		same := func(r raceRun) bool {
			return r.Data == data && r.Entrant == h.Entrant && r.Eta == h.Eta &&
				r.Tuning == h.Tuning && r.N == h.N
		}
		k.mu.Lock()
		at := slices.IndexFunc(k.runs, same)
		var known raceRun
		if at >= 0 {
			known = k.runs[at]
		}
		k.mu.Unlock()
		if at >= 0 {
			tr := known.Trace.trace()
			for _, v := range known.Point {
				tr.Point = append(tr.Point, float64(v))
			}
			return tr, nil
		}
		tr, err := run()
		if err != nil || tr.Stopped == "cancelled" {
			return tr, err
		}
		r := raceRun{Data: data, Entrant: h.Entrant, Eta: h.Eta, Tuning: h.Tuning, N: h.N,
			Trace: kept(tr)}
		if !h.Tuning {
			for _, v := range tr.Point {
				r.Point = append(r.Point, reports.Num(v))
			}
		}
		return tr, k.add(r)
	}, nil
}

// add adds a run to the log.
func (k *keptRace) add(r raceRun) (err error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.log == nil {
		if err := os.MkdirAll(filepath.Dir(k.path), 0o777); err != nil {
			return err
		}
		known := []any{k.first}
		for _, r := range k.runs {
			known = append(known, r)
		}
		if k.log, err = store.NewLog(k.path, known...); err != nil {
			return err
		}
	}
	k.runs = append(k.runs, r)
	return k.log.Add(r)
}

// read reads the log of an earlier call with the same settings.
func (k *keptRace) read() error {
	line := 0
	return store.ReadLog(k.path, mostKept, 1e6, func(record []byte) error {
		if line++; line > 1 {
			var r raceRun
			err := json.Unmarshal(record, &r)
			if err == nil && len(r.Trace.Records) == 0 {
				err = errors.New("a run without records")
			}
			k.runs = append(k.runs, r)
			return err
		}
		var head raceHead
		if err := json.Unmarshal(record, &head); err != nil || head != *k.first {
			return fmt.Errorf("another race: %v", err)
		}
		return nil
	})
}

// count is the number of runs that are kept.
func (k *keptRace) count() int {
	k.mu.Lock()
	defer k.mu.Unlock()
	return len(k.runs)
}

// close ends the log. Nothing is kept afterwards.
func (k *keptRace) close() {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.log != nil {
		k.log.Close()
	}
}

// remove removes the log of a race that is over.
func (k *keptRace) remove() error {
	if err := os.Remove(k.path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
