package verbs

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"path/filepath"
	"strconv"
	"time"

	"sledge/algos"
	"sledge/algos/experiments"
	"sledge/reports"
	"sledge/reports/store"
)

// keptRun is a finished run on disk. Settings say what it is a run of.
type keptRun struct {
	Schema   string        `json:"schema,omitempty"` // "sledge/run/v2"
	Settings *keptSettings `json:"settings,omitempty"`
	Method   string        `json:"method"`
	Stopped  string        `json:"stopped"`
	Memory   int           `json:"memory"`
	Records  []keptRecord  `json:"records"`
}

type keptSettings struct {
	Figure, Race, Entrant  string
	Rate                   float64
	Stream                 string // of randomness
	Data                   string // digest
	Group, Client, Width   int
	LocalBatch, LocalSteps int
	Steps, Every           int
	Seed                   uint64
	Build                  string
}

type keptRecord struct {
	Step         int           `json:"step"`
	Counts       algos.Counts  `json:"counts"`
	Value        reports.Num   `json:"value"`
	GradientNorm reports.Num   `json:"gradientNorm"`
	Error        reports.Num   `json:"error"`
	Observed     []reports.Num `json:"observed,omitempty"`
	Time         time.Duration `json:"time,omitempty"`
}

const keptSchema = "sledge/run/v2"

// keep returns the keeper of a race's runs: each finished run is a file named after a digest of its
// settings. A run that nobody has made is made if it is one of this part of the work.
func (f *figures) keep(ctx context.Context, dir, figure string,
	h *experiments.Race) func(algos.Heat,
	func() (*algos.Trace, error)) (*algos.Trace, error) {
	return func(heat algos.Heat, run func() (*algos.Trace, error)) (*algos.Trace, error) {
		set := keptSettings{Figure: figure, Race: h.Name, Entrant: heat.Entrant, Rate: heat.Eta,
			Stream: strconv.FormatUint(heat.Key.Seed(), 16), Data: f.digest, Group: f.scale.Group,
			Client: f.scale.Client, Width: f.scale.Width, LocalBatch: f.scale.LocalBatch,
			LocalSteps: f.scale.LocalSteps,
			Steps:      h.Limits.Steps, Every: h.Limits.Every,
			Seed: f.Seed, Build: reports.Build()}
		text, err := json.Marshal(set)
		if err != nil {
			return nil, err
		}
		sum := sha256.Sum256(text)
		name := figure + "-" + hex.EncodeToString(sum[:10]) + ".json"
		path := filepath.Join(dir, name)
		for _, d := range append([]string{dir}, f.others...) {
			tr, err := readKept(filepath.Join(d, name), &set)
			if err != nil {
				f.damaged.Add(1)
			}
			if tr != nil {
				f.found.Add(1)
				return tr, nil
			}
		}
		if f.mine != nil && !f.mine[piece{figure, h.Name, heat.Entrant, heat.Tuning, heat.N}] {
			return nil, algos.ErrElsewhere
		}
		tr, err := run()
		if err != nil || tr.Stopped == "cancelled" {
			return tr, err
		}
		done := kept(tr)
		done.Schema, done.Settings = keptSchema, &set
		f.saving.RLock()
		defer f.saving.RUnlock()
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		log, err := store.NewLog(path, done)
		if err != nil {
			return nil, err
		}
		return tr, log.Close()
	}
}

// What a kept run may take at most.
const mostKept = 256 << 20

// readKept reads a kept run, nil if there is none with these settings. The error says that what is
// there is damaged.
func readKept(path string, set *keptSettings) (*algos.Trace, error) {
	var k keptRun
	err := store.ReadLog(path, mostKept, 1,
		func(record []byte) error { return json.Unmarshal(record, &k) })
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	case k.Schema != keptSchema || k.Settings == nil || *k.Settings != *set || len(k.Records) == 0:
		return nil, nil
	}
	return k.trace(), nil
}

// kept is what is kept of a run.
func kept(tr *algos.Trace) keptRun {
	k := keptRun{Method: tr.Method, Stopped: tr.Stopped, Memory: tr.Memory}
	for _, r := range tr.Records {
		one := keptRecord{Step: r.Step, Counts: r.Counts, Value: reports.Num(r.Value),
			GradientNorm: reports.Num(r.GradientNorm), Error: reports.Num(r.Error),
			Observed: numbers[reports.Num](r.Observed), Time: r.Time}
		k.Records = append(k.Records, one)
	}
	return k
}

// numbers are some numbers as they are kept, or as they are computed with; nil of none.
func numbers[to, from ~float64](v []from) []to {
	var out []to
	for _, x := range v {
		out = append(out, to(x))
	}
	return out
}

// trace is a kept run as it was, without its point.
func (k *keptRun) trace() *algos.Trace {
	tr := &algos.Trace{Method: k.Method, Stopped: k.Stopped, Memory: k.Memory}
	for _, r := range k.Records {
		one := algos.Record{Step: r.Step, Counts: r.Counts, Value: float64(r.Value),
			GradientNorm: float64(r.GradientNorm), Error: float64(r.Error),
			Observed: numbers[float64](r.Observed), Time: r.Time}
		tr.Records = append(tr.Records, one)
	}
	return tr
}
