package verbs

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strconv"

	"sledge/algos"
	"sledge/algos/experiments"
	"sledge/reports"
)

// keptRun is a finished run on disk. Settings say what it is a run of.
type keptRun struct {
	Schema   string       `json:"schema"` // "sledge/run/v1"
	Settings keptSettings `json:"settings"`
	Method   string       `json:"method"`
	Stopped  string       `json:"stopped"`
	Memory   int          `json:"memory"`
	Records  []keptRecord `json:"records"`
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
}

const keptSchema = "sledge/run/v1"

// keep returns the keeper of a race's runs: each finished run is a file named after a digest of its settings. A run
// that nobody has made is made if it is one of this part of the work.
func (f *figures) keep(ctx context.Context, dir, figure string, h *experiments.Race) func(algos.Heat,
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
			if tr := readKept(filepath.Join(d, name), &set); tr != nil {
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
		kept := keptRun{Schema: keptSchema, Settings: set, Method: tr.Method, Stopped: tr.Stopped, Memory: tr.Memory}
		for _, r := range tr.Records {
			k := keptRecord{Step: r.Step, Counts: r.Counts, Value: reports.Num(r.Value),
				GradientNorm: reports.Num(r.GradientNorm), Error: reports.Num(r.Error)}
			for _, v := range r.Observed {
				k.Observed = append(k.Observed, reports.Num(v))
			}
			kept.Records = append(kept.Records, k)
		}
		f.saving.RLock()
		defer f.saving.RUnlock()
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		return tr, reports.WriteFile(path, func(w io.Writer) error { return json.NewEncoder(w).Encode(kept) })
	}
}

// readKept reads a kept run, nil unless it is there and whole and has the settings.
func readKept(path string, set *keptSettings) *algos.Trace {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	var k keptRun
	if json.Unmarshal(text, &k) != nil || k.Schema != keptSchema || k.Settings != *set || len(k.Records) == 0 {
		return nil
	}
	tr := &algos.Trace{Method: k.Method, Stopped: k.Stopped, Memory: k.Memory}
	for _, r := range k.Records {
		rec := algos.Record{Step: r.Step, Counts: r.Counts, Value: float64(r.Value),
			GradientNorm: float64(r.GradientNorm),
			Error:        float64(r.Error)}
		for _, v := range r.Observed {
			rec.Observed = append(rec.Observed, float64(v))
		}
		tr.Records = append(tr.Records, rec)
	}
	return tr
}
