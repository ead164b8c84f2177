package verbs

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"sledge/algos"
	"sledge/algos/experiments"
	"sledge/algos/problems"
	"sledge/algos/problems/letters"
	"sledge/props"
	"sledge/props/keyed"
	"sledge/reports"
	"sledge/reports/store"
	"sledge/reports/verify"
)

// figures holds the flags of the verb, and what a call has found.
type figures struct {
	verify.Budget
	data, out, tune, kept string
	part                  verify.Shard

	scale   experiments.Scale
	started time.Time
	setup   *experiments.Setup
	digest  string         // of the data
	others  []string       // directories of runs that other calls have finished
	found   atomic.Int64   // runs that an earlier call had finished
	damaged atomic.Int64   // files of such runs that are not as they were written
	mine    map[piece]bool // what this call has to do; nil if it is everything
	saving  sync.RWMutex   // held by who writes a run to disk
}

// Figures is the verb that makes the paper's experiments again: the small version at the quick
// tier, the middle one at the standard tier, and the paper's own scale at the deep tier.
func Figures() verify.Verb {
	return figuresAt(func(t props.Tier) experiments.Scale {
		switch t {
		case props.Quick:
			return experiments.Small
		case props.Standard:
			return experiments.Middle
		}
		return experiments.Paper
	})
}

// figuresAt is Figures with scales of its own.
func figuresAt(scale func(props.Tier) experiments.Scale) verify.Verb {
	return verify.Verb{
		Ends: true,
		Bind: func(fs *flag.FlagSet) verify.Action {
			f := figures{tune: "validation"}
			f.Flags(fs)
			fs.StringVar(&f.data, "data", "", "")
			fs.StringVar(&f.out, "out", "sledge-figures", "")
			fs.StringVar(&f.kept, "kept", "", "")
			f.part.Flag(fs, "the runs, each about as long as the others")
			verify.Choice(fs, &f.tune, "tune", []string{"validation", "test"}, "")
			return func(ctx context.Context, c *verify.Call) error {
				f.scale = scale(f.Tier())
				return f.do(ctx, c)
			}
		},
	}.Described(help, "figures")
}

// do makes the figures and their pages.
func (f *figures) do(ctx context.Context, c *verify.Call) error {
	if err := verify.CheckPages(f.out); err != nil {
		return err
	}
	kept := filepath.Join(f.out, "runs")
	await := func(do func() error) error {
		err := verify.Await(ctx, "interrupted; the runs that were finished are kept in "+kept+
			", and the same command goes on from there", do)
		if ctx.Err() != nil {
			f.saving.Lock() // what is being written becomes whole, and nothing else begins
			defer f.saving.Unlock()
		}
		return err
	}
	var chosen []experiments.Figure
	if err := await(func() (err error) {
		chosen, err = f.prepare(c.Args)
		return err
	}); err != nil {
		return err
	}
	pages := []string{"index"}
	for i := range chosen {
		pages = append(pages, chosen[i].Name)
	}
	if err := verify.CheckPages(f.out, pages...); err != nil {
		return err
	}
	if err := os.MkdirAll(kept, 0o777); err != nil {
		return verify.Usagef("-out: %v", err)
	}
	shared, err := store.Share(kept)
	if err != nil {
		return verify.Usagef("-out: %v", err)
	}
	defer shared.Close()
	if err := f.divide(chosen); err != nil {
		return err
	}
	waiting := 0
	index := &reports.Comparison{Schema: reports.ComparisonSchema, Title: "The paper's experiments",
		Facts: f.facts()}
	index.Lead = fmt.Sprintf("%d of 6 figures, at the paper's scale.", len(chosen))
	if f.setup.Reduced() != "" {
		index.Lead = fmt.Sprintf(
			"%d of 6 figures, on a small version of the paper's setting: see the settings below.",
			len(chosen))
	}
	said := reports.Grid{Title: "What the paper reports",
		Head: []string{"Finding", "Figure", "At this scale"}}
	for _, fig := range chosen {
		races, err := fig.Races(f.setup)
		if err != nil {
			return verify.Usagef("%v", err)
		}
		seeds := f.seeds(&fig)
		total, before := 0, 0
		for _, h := range races {
			total += raceRuns(&h, seeds)
		}
		count := c.Counter(fig.Name, "runs")
		f.found.Store(0)
		f.damaged.Store(0)
		results := make([][]algos.RaceResult, len(races))
		for i, h := range races {
			opt := algos.RaceOptions{Etas: h.Rates, Limits: h.Limits, Seeds: seeds, Seed: f.Seed,
				Workers: f.Workers, Score: f.setup.Score, AtEnd: true,
				Keep:     f.keep(ctx, kept, fig.Name, &h),
				Progress: func(done, _ int) { count(before+done, total) }}
			var raced []algos.RaceResult
			err = await(func() (err error) {
				raced, err = algos.Race(ctx, h.Entrants, opt)
				return err
			})
			if results[i] = raced; errors.Is(err, algos.ErrElsewhere) {
				waiting += f.waiting(&fig, &h, results[i])
			} else if err != nil {
				return err
			}
			before += raceRuns(&h, seeds)
		}
		if _, of := f.part.Number(); of > 1 {
			continue
		}
		found, err := fig.Findings(c.Ledger(), f.scale)
		if err != nil {
			return verify.Usagef("%v", err)
		}
		page := f.page(c, &fig, found, races, results)
		if err := page.WriteDir(f.out, fig.Name); err != nil {
			return err
		}
		fmt.Fprintf(c.Out, "%s  %s\n", fig.Name, page.Lead)
		for _, finding := range page.Findings {
			if finding.Runs > 0 {
				fmt.Fprintf(c.Out, "      %s: %s\n", finding.Verdict(), finding.Name)
			}
			said.Rows = append(said.Rows, []string{finding.Name, fig.Name, finding.Verdict()})
		}
		if n := f.found.Load(); n > 0 {
			fmt.Fprintf(c.Out, "      %d of %d runs were kept from an earlier call\n", n, total)
		}
		if n := f.damaged.Load(); n > 0 {
			fmt.Fprintf(c.Out, "      %s: not as written, so the run was made again\n",
				verify.Plural(int(n), "kept file"))
		}
		index.Pages = append(index.Pages,
			reports.PageLink{Title: page.Title, File: fig.Name + ".html",
				Lead: page.Lead})
	}
	if _, of := f.part.Number(); of > 1 {
		_, err := fmt.Fprintf(c.Out, "part %s: %d of its %d runs are ready in %s\n", &f.part,
			len(f.mine)-waiting, len(f.mine),
			kept)
		if waiting > 0 && err == nil {
			_, err = fmt.Fprintf(c.Out,
				"%d runs wait for learning rates that other parts choose: the same call goes on when "+
					"all parts have come so far\n", waiting)
		}
		return err
	}
	index.Tables = append(index.Tables, said)
	index.Facts = append(index.Facts,
		[2]string{"Time", time.Since(f.started).Round(time.Second).String()})
	if err := index.WriteDir(f.out, "index"); err != nil {
		return err
	}
	_, err = fmt.Fprintln(c.Out, filepath.Join(f.out, "index.html"))
	return err
}

// piece is a run of a figure.
type piece struct {
	figure, race, entrant string
	tuning                bool
	n                     int
}

// gradients is about how many stochastic gradients a step of a method takes, as the oracle has
// counted them at the standard tier, whose b, m, P, p and K are the paper's: by them runs are dealt
// out to shards. What is not here counts as one that takes few.
var gradients = map[string]float64{"SLEDGE": 24, "SARAH": 35, "SSRGD": 48, "ZeroSARAH": 24,
	"SAGA": 12.5, "FLEDGE": 1750, "FedAvg": 800, "SCAFFOLD": 800, "MimeMVR": 3200,
	"BVR-L-SGD": 16000, "BVR-L-PSGD": 16000}

// divide finds out which runs belong to this part of the work: of those that choose learning rates
// a share, and of the others a share.
func (f *figures) divide(chosen []experiments.Figure) error {
	k, of := f.part.Number()
	if of == 1 {
		return nil
	}
	f.mine = map[piece]bool{}
	for _, tuning := range []bool{true, false} {
		var pieces []piece
		var costs []float64
		for _, fig := range chosen {
			races, err := fig.Races(f.setup)
			if err != nil {
				return verify.Usagef("%v", err)
			}
			for _, h := range races {
				runs := f.seeds(&fig)
				if tuning {
					runs = len(h.Rates)
				}
				if tuning && runs == 1 {
					continue // nothing is chosen
				}
				for _, e := range h.Entrants {
					method, _, _ := strings.Cut(e.Name, ",")
					for n := range runs {
						pieces = append(pieces, piece{fig.Name, h.Name, e.Name, tuning, n})
						costs = append(costs, max(1, gradients[method])*float64(h.Limits.Steps))
					}
				}
			}
		}
		for i, shard := range verify.Deal(costs, of) {
			if shard == k {
				f.mine[pieces[i]] = true
			}
		}
	}
	return nil
}

// seeds is how many runs a method makes in a figure.
func (f *figures) seeds(fig *experiments.Figure) int {
	if f.scale.Seeds > 0 {
		return f.scale.Seeds
	}
	return fig.Seeds
}

// waiting counts the runs of this part that could not be made.
func (f *figures) waiting(fig *experiments.Figure, h *experiments.Race,
	results []algos.RaceResult) int {
	n := 0
	for _, r := range results {
		for k, tr := range r.Traces {
			if tr == nil && f.mine[piece{fig.Name, h.Name, r.Name, false, k}] {
				n++
			}
		}
	}
	return n
}

// raceRuns is the number of runs of a race.
func raceRuns(h *experiments.Race, seeds int) int {
	n := len(h.Entrants) * seeds
	if len(h.Rates) > 1 {
		n += len(h.Entrants) * len(h.Rates)
	}
	return n
}

// prepare validates flags and arguments and reads or draws the data.
func (f *figures) prepare(names []string) ([]experiments.Figure, error) {
	f.started = time.Now()
	var chosen []experiments.Figure
	all := experiments.Figures()
	for _, n := range names {
		k := slices.IndexFunc(all, func(g experiments.Figure) bool { return g.Name == n })
		switch {
		case k < 0:
			return nil, verify.Usagef("there is no figure %q; there are fig1 to fig%d", n, len(all))
		case slices.ContainsFunc(chosen, func(g experiments.Figure) bool { return g.Name == n }):
			return nil, verify.Usagef("%s is named twice", n)
		}
		chosen = append(chosen, all[k])
	}
	if len(names) == 0 {
		chosen = all
	}
	if f.kept != "" {
		dirs, err := filepath.Glob(f.kept)
		if err != nil || len(dirs) == 0 {
			return nil, verify.Usagef("-kept: no directory is named %s", f.kept)
		}
		for _, dir := range dirs {
			f.others = append(f.others, filepath.Join(dir, "runs"))
		}
	}
	key := keyed.New(f.Seed).With("figures")
	data, err := f.examples(key)
	if err != nil {
		return nil, verify.Usagef("-data: %v", withoutPackage(err))
	}
	f.setup = &experiments.Setup{Data: data, Scale: f.scale, Key: key, ByTest: f.tune == "test"}
	f.digest = data.Digest()
	return chosen, nil
}

// examples draws the letters or reads the files.
func (f *figures) examples(key keyed.Key) (*experiments.Data, error) {
	if f.data == "" {
		return experiments.Drawn(f.scale, key)
	}
	t, name, err := readExamples(f.data, letters.Selection{PerClass: f.scale.Need()},
		problems.ReadOptions{}, letters.Rescale)
	if err != nil {
		return nil, err
	}
	return experiments.Read(name, t, f.scale, key)
}

func (f *figures) facts() [][2]string {
	facts := [][2]string{{"Data", f.setup.Data.Name},
		{"Examples", fmt.Sprintf("%d for training, %d for validation, %d for testing",
			len(f.setup.Train), len(f.setup.Validation), len(f.setup.Test))},
		{"Learning rates",
			fmt.Sprintf("chosen from %s by %s accuracy at the end of a run on a seed of its own, "+
				"where the paper tunes them", shortNumbers(f.scale.Rates), f.tune)}}
	if less := f.setup.Reduced(); less != "" {
		facts = append(facts, [2]string{"Scaled down",
			less + "; the paper's numbers in parentheses"})
	}
	return append(facts, [2]string{"Seed", strconv.FormatUint(f.Seed, 10)},
		[2]string{"Built from", reports.Build()})
}
