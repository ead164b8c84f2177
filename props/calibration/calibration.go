// Package calibration asks what the verdicts of the engine are worth: it poses statements whose
// truth is known, over many seeds, through the same door as any claim, and counts the verdicts.
// False refutations and false supports must stay below their levels; needles, near misses and the
// excess that a power statement promises to find must be found as often as is asked.
package calibration

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"sledge/props"
	"sledge/props/keyed"
	"sledge/props/parallel"
)

// Limit is a demand on the rate of some verdicts. With AtLeast it is a lower bound of the rate,
// otherwise an upper one.
type Limit struct {
	Verdicts []props.Verdict
	Rate     float64
	AtLeast  bool
	Tests    bool // Rate is for one significance test, and the claim may make several
	// Uncovered counts, in the place of Verdicts, statements that are not refuted and are said to
	// be excluded to be bad on a share of the instances on which they are bad
	Uncovered bool
}

// Statement is a statement whose truth is known.
type Statement struct {
	Name string
	// "null at the boundary", "near miss", "needle", "rounding", "not comparable", "power",
	// "content", "slope" or "order"
	Kind   string
	Truth  string // in a few words
	Runs   int    // seeds, before [Config.Runs]
	Alpha  float64
	Tier   props.Tier
	Limits []Limit
	// Check makes the check, with hidden places that r draws anew for each seed.
	Check func(r *rand.Rand) props.Check
	// Share, if not nil, is the share of the instances on which the check made with an equal r
	// fails.
	Share func(r *rand.Rand) float64
}

// Outcome is how a limit fared.
type Outcome struct {
	Of        string  `json:"of"` // verdicts, joined by "or"
	Count     int     `json:"count"`
	Rate      float64 `json:"rate"`
	Low       float64 `json:"low"` // exact confidence limits of the rate
	High      float64 `json:"high"`
	Allowed   float64 `json:"allowed"`
	AtLeast   bool    `json:"at_least"`
	Satisfied bool    `json:"satisfied"`
}

// Row is what the runs of a statement came to.
type Row struct {
	Name     string                `json:"name"`
	Kind     string                `json:"kind"`
	Truth    string                `json:"truth"`
	Tier     props.Tier            `json:"tier"`
	Runs     int                   `json:"runs"`
	Verdicts map[props.Verdict]int `json:"verdicts"`
	Outcomes []Outcome             `json:"outcomes"`
	Error    string                `json:"error,omitempty"` // of the first check that broke
	// Uncovered is the number of runs that exclude a share of bad instances which is smaller than
	// the true one.
	Uncovered int `json:"uncovered,omitempty"`
}

// Satisfied reports whether all limits are kept, as far as the runs can tell.
func (r *Row) Satisfied() bool {
	return !slices.ContainsFunc(r.Outcomes, func(o Outcome) bool { return !o.Satisfied })
}

// Confidence is that of the exact intervals of all rates: a demand counts as missed if the whole
// interval does: a rate that is exactly as demanded fails with probability at most 1e-5.
const Confidence = 1 - 1e-5

// Config says how the battery is run.
type Config struct {
	Seed    uint64
	Workers int
	Runs    float64 // multiplies the numbers of seeds; 0 stands for 1
}

// Run poses the statements and returns a row for each. A cancelled context ends it with its error.
func Run(ctx context.Context, battery []Statement, cfg Config) ([]Row, error) {
	rows := make([]Row, len(battery))
	for i := range battery {
		var err error
		if rows[i], err = pose(ctx, &battery[i], cfg); err != nil {
			return nil, err
		}
	}
	return rows, nil
}

// level is that of one significance test of a run of a single claim.
func level(s *Statement, tests int) float64 {
	alpha := s.Alpha
	if alpha == 0 {
		alpha = props.DefaultAlpha
	}
	return alpha / float64(props.Slots(tests))
}

func pose(ctx context.Context, s *Statement, cfg Config) (Row, error) {
	scale := cfg.Runs
	if scale == 0 {
		scale = 1
	}
	runs := max(1, int(math.Round(scale*float64(s.Runs))))
	key := keyed.New(cfg.Seed).With(s.Name)
	verdicts := make([]props.Verdict, runs)
	errs := make([]error, runs)
	broken := make([]string, runs)
	tests := make([]int, runs)
	uncovered := make([]bool, runs)
	parallel.Each(cfg.Workers, runs, func(i int) {
		claims := []props.Claim{{ID: "statement",
			Check: s.Check(key.At(i).With("place").Rand())}}
		tests[i] = props.Tests(claims, s.Tier)
		results, err := props.Run(ctx, claims,
			props.Config{Seed: key.At(i).Seed(), Tier: s.Tier, Alpha: s.Alpha})
		if errs[i] = err; err == nil {
			verdicts[i], broken[i] = results[0].Verdict, results[0].Err
			if s.Share != nil {
				uncovered[i] = !covers(&results[0], s.Share(key.At(i).With("place").Rand()))
			}
		}
	})
	row := Row{Name: s.Name, Kind: s.Kind, Truth: s.Truth, Tier: s.Tier, Runs: runs,
		Verdicts: map[props.Verdict]int{}}
	for i, v := range verdicts {
		if errs[i] != nil {
			return row, errs[i]
		}
		row.Verdicts[v]++
		if uncovered[i] {
			row.Uncovered++
		}
		if row.Error == "" {
			row.Error = broken[i]
		}
	}
	for _, l := range s.Limits {
		row.Outcomes = append(row.Outcomes, l.judge(s, &row, tests[0]))
	}
	return row, nil
}

// covers reports whether the result leaves room for the share of the instances on which the
// statement is false.
func covers(r *props.Result, share float64) bool {
	if r.Verdict == props.Refuted || share == 0 {
		return true
	}
	return !slices.ContainsFunc(r.Evidence,
		func(e props.Evidence) bool { return e.Excluded < share })
}

func (l *Limit) judge(s *Statement, row *Row, tests int) Outcome {
	var words []string
	o := Outcome{Allowed: l.Rate, AtLeast: l.AtLeast}
	for _, v := range l.Verdicts {
		o.Count += row.Verdicts[v]
		words = append(words, v.String())
	}
	if l.Tests {
		o.Allowed = min(1, float64(tests)*level(s, tests))
	}
	o.Of = strings.Join(words, " or ")
	if l.Uncovered {
		o.Count, o.Of = row.Uncovered, "a smaller share excluded"
	}
	o.Rate = float64(o.Count) / float64(row.Runs)
	o.Low, o.High = props.ClopperPearson(o.Count, row.Runs, (1-Confidence)/2)
	if l.AtLeast {
		o.Satisfied = o.High >= o.Allowed
	} else {
		o.Satisfied = o.Low <= o.Allowed
	}
	return o
}

// Whole is what whole runs of a ledger over fresh seeds came to.
type Whole struct {
	Seeds  int `json:"seeds"`
	Claims int `json:"claims"`
	// claims that are expected to stand, with the seeds that refute them
	Refuted    map[string][]uint64   `json:"refuted"`
	Unexpected map[string][]Surprise `json:"unexpected"` // by claim
	Verdicts   map[props.Verdict]int `json:"verdicts"`   // over all seeds
}

// Surprise is what was not as expected with a seed.
type Surprise struct {
	Seed uint64   `json:"seed"`
	What []string `json:"what"`
}

// RunWhole runs the claims with each of the seeds. Progress, if not nil, is told of each run.
func RunWhole(ctx context.Context, claims []props.Claim, seeds []uint64, cfg props.Config,
	progress func(seed uint64, results []props.Result)) (*Whole, error) {
	w := &Whole{Claims: len(claims), Refuted: map[string][]uint64{},
		Unexpected: map[string][]Surprise{}, Verdicts: map[props.Verdict]int{}}
	for _, seed := range seeds {
		cfg.Seed = seed
		results, err := props.Run(ctx, claims, cfg)
		if err != nil {
			return w, fmt.Errorf("seed %d: %w", seed, err)
		}
		w.Seeds++
		for i := range results {
			r := &results[i]
			w.Verdicts[r.Verdict]++
			if r.Verdict == props.Refuted && r.Claim.Expect != props.Refuted {
				w.Refuted[r.Claim.ID] = append(w.Refuted[r.Claim.ID], seed)
			}
			if what := r.Unexpected(); len(what) > 0 {
				w.Unexpected[r.Claim.ID] = append(w.Unexpected[r.Claim.ID], Surprise{seed, what})
			}
		}
		if progress != nil {
			progress(seed, results)
		}
	}
	return w, nil
}
