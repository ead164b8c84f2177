package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/peterbourgon/ff/v3/ffcli"

	"sledge/algos"
	"sledge/algos/experiments"
	"sledge/algos/problems"
	"sledge/algos/problems/letters"
	"sledge/props"
	"sledge/props/keyed"
	"sledge/reports"
)

// scales are the scales of the experiments at each tier.
var scales = [...]experiments.Scale{props.Quick: experiments.Small, props.Standard: experiments.Middle, props.Deep: experiments.Paper}

// figures holds the flags of "verify figures".
type figures struct {
	budget
	data, out, tune string

	scale   experiments.Scale
	started time.Time
	setup   *experiments.Setup
	digest  string       // of the data
	found   atomic.Int64 // runs that an earlier call had finished
}

func (p *program) figuresVerb() *ffcli.Command {
	var f figures
	fs := flag.NewFlagSet("figures", flag.ContinueOnError)
	f.budget.flags(fs)
	f.tune = "validation"
	fs.StringVar(&f.data, "data", "", "`files` of examples instead of drawn letters: IDX images and labels with a comma between them, or one CSV file with the label first; gzip or not")
	fs.StringVar(&f.out, "out", "sledge-figures", "`directory` for the pages; finished runs are kept in its subdirectory runs")
	fs.Var(choice{&f.tune, []string{"validation", "test"}}, "tune", "the `accuracy` that learning rates are chosen by: validation, or test as in the paper")
	return verb("figures", "verify figures [flags] [fig1 ... fig6]", "the paper's experiments, as pages with curves and tables",
		`Runs the experiments behind the paper's figures, all six unless some are named, and judges what the paper reports about them on every run. The quick
tier is a small version (4 CPU minutes for all six), the standard tier a middle one (about 1.7 CPU hours), and the deep tier has the paper's own scale (about 49 CPU
hours; the last two by extrapolation). Finished runs are kept in the output directory, and a later call with the same settings goes on from there; remove
its subdirectory runs after changing a method.`, fs,
		func(ctx context.Context, args []string) error { return p.figures(ctx, &f, args) })
}

// figures makes the figures and their pages.
func (p *program) figures(ctx context.Context, f *figures, names []string) error {
	chosen, err := f.prepare(names)
	if err != nil {
		return err
	}
	kept := filepath.Join(f.out, "runs")
	if err := os.MkdirAll(kept, 0o777); err != nil {
		return usagef("-out: %v", err)
	}
	index := &reports.Comparison{Schema: reports.ComparisonSchema, Title: "The paper's experiments", Facts: f.facts()}
	index.Lead = fmt.Sprintf("%d of 6 figures, at the paper's scale.", len(chosen))
	if f.setup.Reduced() != "" {
		index.Lead = fmt.Sprintf("%d of 6 figures, on a small version of the paper's setting: see the settings below.", len(chosen))
	}
	said := reports.Grid{Title: "What the paper reports", Head: []string{"Finding", "Figure", "At this scale"}}
	for _, fig := range chosen {
		heats, err := fig.Heats(f.setup)
		if err != nil {
			return usagef("%v", err)
		}
		seeds := f.scale.Seeds
		if seeds == 0 {
			seeds = fig.Seeds
		}
		total, before := 0, 0
		for _, h := range heats {
			total += heatRuns(&h, seeds)
		}
		count := p.counter(fig.Name)
		f.found.Store(0)
		lanes := make([][]algos.RaceResult, len(heats))
		for i, h := range heats {
			opt := algos.RaceOptions{Etas: h.Rates, Limits: h.Limits, Seeds: seeds, Seed: f.seed, Workers: f.workers, Score: f.setup.Score, Keep: f.keep(kept, fig.Name, &h),
				Progress: func(done, _ int) { count(before+done, total) }}
			lanes[i], err = algos.Race(ctx, h.Entrants, opt)
			if ctx.Err() != nil {
				return &status{exitInterrupted, fmt.Sprintf("interrupted; the runs that were finished are kept in %s, and the same command goes on from there", kept)}
			}
			if err != nil {
				return &internal{err}
			}
			before += heatRuns(&h, seeds)
		}
		page := f.page(p.claims, &fig, heats, lanes)
		if err := page.WriteDir(f.out, fig.Name); err != nil {
			return &internal{err}
		}
		fmt.Fprintf(p.stdout, "%s  %s\n", fig.Name, page.Lead)
		for _, finding := range page.Findings {
			if finding.Runs > 0 {
				fmt.Fprintf(p.stdout, "      %s: %s\n", finding.Verdict(), finding.Name)
			}
			said.Rows = append(said.Rows, []string{finding.Name, fig.Name, finding.Verdict()})
		}
		if n := f.found.Load(); n > 0 {
			fmt.Fprintf(p.stdout, "      %d of %d runs were kept from an earlier call\n", n, total)
		}
		index.Pages = append(index.Pages, reports.PageLink{Title: page.Title, File: fig.Name + ".html", Lead: page.Lead})
	}
	index.Tables = append(index.Tables, said)
	index.Facts = append(index.Facts, [2]string{"Time", time.Since(f.started).Round(time.Second).String()})
	if err := index.WriteDir(f.out, "index"); err != nil {
		return &internal{err}
	}
	_, err = fmt.Fprintln(p.stdout, filepath.Join(f.out, "index.html"))
	return err
}

// heatRuns is the number of runs of a heat.
func heatRuns(h *experiments.Heat, seeds int) int {
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
			return nil, usagef("there is no figure %q; there are fig1 to fig%d", n, len(all))
		case slices.ContainsFunc(chosen, func(g experiments.Figure) bool { return g.Name == n }):
			return nil, usagef("%s is named twice", n)
		}
		chosen = append(chosen, all[k])
	}
	if len(names) == 0 {
		chosen = all
	}
	if f.out == "" {
		return nil, usagef("-out needs a directory")
	}
	if info, err := os.Stat(f.out); err == nil && !info.IsDir() {
		return nil, usagef("-out: %s is not a directory", f.out)
	}
	f.scale = scales[f.budget.config(nil).Tier]
	key := keyed.New(f.seed).With("figures")
	data, err := f.examples(key)
	if err != nil {
		return nil, usagef("-data: %v", withoutPackage(err))
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
	t, name, err := readExamples(f.data, letters.Selection{PerClass: f.scale.Need()}, problems.ReadOptions{}, letters.Rescale)
	if err != nil {
		return nil, err
	}
	return experiments.Read(name, t, f.scale, key)
}

func (f *figures) facts() [][2]string {
	facts := [][2]string{{"Data", f.setup.Data.Name}, {"Examples", fmt.Sprintf("%d for training, %d for validation, %d for testing", len(f.setup.Train), len(f.setup.Validation), len(f.setup.Test))},
		{"Learning rates", fmt.Sprintf("chosen from %s by %s accuracy at the end of a run on a seed of its own, where the paper tunes them", shortNumbers(f.scale.Rates), f.tune)}}
	if less := f.setup.Reduced(); less != "" {
		facts = append(facts, [2]string{"Scaled down", less + "; the paper's numbers in parentheses"})
	}
	return append(facts, [2]string{"Seed", strconv.FormatUint(f.seed, 10)}, [2]string{"Built from", reports.Build()})
}

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
	Figure, Heat, Entrant  string
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

// keep returns the keeper of a heat's runs: each finished run is a file named after a digest of its settings.
func (f *figures) keep(dir, figure string, h *experiments.Heat) func(string, float64, keyed.Key, func() (*algos.Trace, error)) (*algos.Trace, error) {
	return func(entrant string, eta float64, key keyed.Key, run func() (*algos.Trace, error)) (*algos.Trace, error) {
		set := keptSettings{Figure: figure, Heat: h.Name, Entrant: entrant, Rate: eta, Stream: strconv.FormatUint(key.Seed(), 16), Data: f.digest, Group: f.scale.Group,
			Client: f.scale.Client, Width: f.scale.Width, LocalBatch: f.scale.LocalBatch, LocalSteps: f.scale.LocalSteps, Steps: h.Limits.Steps, Every: h.Limits.Every,
			Seed: f.seed, Build: reports.Build()}
		text, err := json.Marshal(set)
		if err != nil {
			return nil, err
		}
		sum := sha256.Sum256(text)
		path := filepath.Join(dir, figure+"-"+hex.EncodeToString(sum[:10])+".json")
		if tr := readKept(path, &set); tr != nil {
			f.found.Add(1)
			return tr, nil
		}
		tr, err := run()
		if err != nil || tr.Stopped == "cancelled" {
			return tr, err
		}
		kept := keptRun{Schema: keptSchema, Settings: set, Method: tr.Method, Stopped: tr.Stopped, Memory: tr.Memory}
		for _, r := range tr.Records {
			k := keptRecord{Step: r.Step, Counts: r.Counts, Value: reports.Num(r.Value), GradientNorm: reports.Num(r.GradientNorm), Error: reports.Num(r.Error)}
			for _, v := range r.Observed {
				k.Observed = append(k.Observed, reports.Num(v))
			}
			kept.Records = append(kept.Records, k)
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
		rec := algos.Record{Step: r.Step, Counts: r.Counts, Value: float64(r.Value), GradientNorm: float64(r.GradientNorm), Error: float64(r.Error)}
		for _, v := range r.Observed {
			rec.Observed = append(rec.Observed, float64(v))
		}
		tr.Records = append(tr.Records, rec)
	}
	return tr
}

// quantity is something to draw or tabulate.
type quantity struct {
	title, label string
	log          bool
	of           func(algos.Record) float64
}

func observed(k int) func(algos.Record) float64 {
	return func(r algos.Record) float64 {
		if k < len(r.Observed) {
			return r.Observed[k]
		}
		return math.NaN()
	}
}

var (
	testAccuracy  = quantity{"Test accuracy", "share correct", false, observed(experiments.TestAccuracy)}
	trainAccuracy = quantity{"Training accuracy", "share correct", false, observed(experiments.TrainAccuracy)}
	testLoss      = quantity{"Test loss", "cross-entropy", false, observed(experiments.TestLoss)}
	trainLoss     = quantity{"Training objective", "f(x)", false, func(r algos.Record) float64 { return r.Value }}
	gradientNorm  = quantity{"Gradient norm", "‖∇f(x)‖", true, func(r algos.Record) float64 { return r.GradientNorm }}
	squaredError  = quantity{"Discrepancy of the estimator", "‖v − ∇f(x)‖²", true, func(r algos.Record) float64 { return r.Error * r.Error }}

	gradientCount = quantity{title: "gradients", label: "gradient evaluations", of: func(r algos.Record) float64 { return float64(r.Counts.Gradients) }}
	roundCount    = quantity{title: "rounds", label: "communication rounds", of: func(r algos.Record) float64 { return float64(r.Step) }}
	vectorCount   = quantity{title: "vectors", label: "vectors sent", log: true, of: func(r algos.Record) float64 { return float64(r.Counts.Up + r.Counts.Down) }}
	stepCount     = quantity{label: "step", of: func(r algos.Record) float64 { return float64(r.Step) }}
)

// curves are the abscissa and ordinate of every chart of a figure, for each heat.
var curves = map[string][][2]quantity{
	"fig1": {{gradientCount, testAccuracy}, {gradientCount, trainLoss}, {gradientCount, gradientNorm}},
	"fig2": {{roundCount, testAccuracy}, {roundCount, gradientNorm}, {vectorCount, testAccuracy}},
	"fig3": {{gradientCount, trainLoss}, {gradientCount, gradientNorm}, {gradientCount, testLoss}, {gradientCount, testAccuracy}},
	"fig4": {{stepCount, squaredError}},
	"fig5": {{roundCount, testAccuracy}, {vectorCount, testAccuracy}},
}

// page lays out a figure.
func (f *figures) page(claims []props.Claim, fig *experiments.Figure, heats []experiments.Heat, lanes [][]algos.RaceResult) *reports.Comparison {
	page := &reports.Comparison{Schema: reports.ComparisonSchema, Title: fmt.Sprintf("Figure %s: %s", strings.TrimPrefix(fig.Name, "fig"), fig.Title), Lead: lead(fig.Name, heats, lanes)}
	page.Facts = append(page.Facts, [2]string{"In the paper", fmt.Sprintf("%s, lines %s", fig.Label, fig.Lines)})
	for _, fact := range heats[0].Facts {
		if fact[0] != "Share q of a client's class" || len(heats) == 1 {
			page.Facts = append(page.Facts, fact)
		}
	}
	runs := len(lanes[0][0].Traces)
	page.Facts = append(page.Facts, f.facts()...)
	page.Facts = append(page.Facts, [2]string{"Runs of each method", strconv.Itoa(runs)})

	page.Findings = findings(claims, fig, heats, lanes)
	page.Tables = append(page.Tables, endTable(heats, lanes))
	if len(heats[0].Rates) > 1 {
		page.Tables = append(page.Tables, tuningTable(heats, lanes, f.tune))
	}
	for i, h := range heats {
		for _, c := range curves[fig.Name] {
			x, y := c[0], c[1]
			ch := reports.Chart{Title: y.title, XLabel: x.label, YLabel: y.label, LogX: x.log, LogY: y.log}
			if h.Name != "" {
				ch.Title += ", " + h.Name
			}
			for k, l := range lanes[i] {
				ch.Lines = append(ch.Lines, meanLine(l, k, x, y))
			}
			if runs > 1 {
				ch.Note = bandNote
			}
			if fig.Name == "fig4" {
				start := lanes[i][0].Traces[0].Records[0].GradientNorm
				withoutRounding(ch.Lines, math.Pow(roundingShare*start, 2))
				ch.Note += " Where the estimator is exact up to rounding, as that of SARAH at every refresh, nothing is drawn."
			}
			page.Charts = append(page.Charts, ch)
		}
	}
	if fig.Name == "fig6" {
		for _, y := range []quantity{testAccuracy, trainAccuracy} {
			ch := reports.Chart{Title: y.title + " at the end", XLabel: "share q of a client's class", YLabel: y.label}
			for k, l := range lanes[0] {
				line := reports.Line{Name: l.Name, Style: k}
				for i, h := range heats {
					m, sd := meanEnd(lanes[i][k], y)
					line.X = append(line.X, reports.Num(h.X))
					line.Low, line.Median, line.High = append(line.Low, reports.Num(m-sd)), append(line.Median, reports.Num(m)), append(line.High, reports.Num(m+sd))
				}
				ch.Lines = append(ch.Lines, line)
			}
			if runs > 1 {
				ch.Note = bandNote
			}
			page.Charts = append(page.Charts, ch)
		}
	}
	return page
}

const bandNote = "Mean and one standard deviation on either side."

// findings judges what the paper reports about a figure on every run.
func findings(claims []props.Claim, fig *experiments.Figure, heats []experiments.Heat, lanes [][]algos.RaceResult) []reports.Finding {
	var out []reports.Finding
	for _, finding := range fig.Findings {
		f := reports.Finding{Name: finding.Name, Claim: finding.Claim, Reading: finding.Reading, Low: 0, High: 1}
		if k := slices.IndexFunc(claims, func(c props.Claim) bool { return c.ID == finding.Claim }); k >= 0 {
			f.Statement = claims[k].Statement
		}
		if finding.Judge != nil {
			judgeRuns(&f, finding.Judge, heats, lanes)
		}
		out = append(out, f)
	}
	return out
}

// judgeRuns fills in what a judge says about the runs. A run whose numbers cannot be compared counts as one in which the finding does not hold.
func judgeRuns(f *reports.Finding, judge func(*experiments.Runs, *props.Recorder), heats []experiments.Heat, lanes [][]algos.RaceResult) {
	measured, claimed := map[string][]float64{}, map[string][]float64{}
	f.Runs = len(lanes[0][0].Traces)
	for seed := range f.Runs {
		runs := &experiments.Runs{Heats: heats, Of: func(heat int, method string) *algos.Trace {
			k := slices.IndexFunc(lanes[heat], func(l algos.RaceResult) bool { return l.Name == method })
			return lanes[heat][k].Traces[seed]
		}}
		judged, err := props.Judge(func(rec *props.Recorder) { judge(runs, rec) })
		holds := err == nil
		for _, j := range judged {
			if measured[j.What] == nil {
				f.Comparisons = append(f.Comparisons, reports.Comparable{What: j.What, Relation: j.Relation})
			}
			measured[j.What], claimed[j.What] = append(measured[j.What], j.Measured), append(claimed[j.What], j.Claimed)
			if j.Holds {
				f.Comparisons[slices.IndexFunc(f.Comparisons, func(c reports.Comparable) bool { return c.What == j.What })].Held++
			}
			holds = holds && j.Holds
		}
		if holds {
			f.Held++
		}
	}
	low, high := props.ClopperPearson(f.Held, f.Runs, 0.025)
	f.Low, f.High = reports.Num(low), reports.Num(high)
	for k := range f.Comparisons {
		c := &f.Comparisons[k]
		c.Measured, c.Claimed = reports.Num(props.Quantiles(measured[c.What], 0.5)[0]), reports.Num(props.Quantiles(claimed[c.What], 0.5)[0])
	}
}

// meanSD returns mean and standard deviation.
func meanSD(v []float64) (mean, sd float64) {
	for _, x := range v {
		mean += x / float64(len(v))
	}
	for _, x := range v {
		sd += (x - mean) * (x - mean)
	}
	return mean, math.Sqrt(sd / float64(max(1, len(v)-1)))
}

// meanEnd is over the last records of all runs of a lane.
func meanEnd(l algos.RaceResult, q quantity) (mean, sd float64) {
	var v []float64
	for _, t := range l.Traces {
		v = append(v, q.of(t.Records[len(t.Records)-1]))
	}
	return meanSD(v)
}

// meanLine draws means over the runs, with a standard deviation on either side.
func meanLine(l algos.RaceResult, style int, x, y quantity) reports.Line {
	out := reports.Line{Name: l.Name, Style: style}
	at := looks(l, x.of)
	for k, ys := range looks(l, y.of) {
		middle, _ := meanSD(at[k])
		m, sd := meanSD(ys)
		out.X, out.Median = append(out.X, reports.Num(middle)), append(out.Median, reports.Num(m))
		if len(l.Traces) > 1 {
			out.Low, out.High = append(out.Low, reports.Num(m-sd)), append(out.High, reports.Num(m+sd))
		}
	}
	return out
}

// endTable tabulates the ends of the runs.
func endTable(heats []experiments.Heat, lanes [][]algos.RaceResult) reports.Grid {
	last := lanes[0][0].Traces[0].Records[len(lanes[0][0].Traces[0].Records)-1]
	columns := []quantity{trainLoss, gradientNorm}
	if last.Observed != nil {
		columns = append([]quantity{testAccuracy, testLoss}, columns...)
	}
	counts := []quantity{gradientCount}
	g := reports.Grid{Title: "At the end of the budget", Note: "Means over the runs, with one standard deviation. Monitoring is not counted."}
	federated := last.Counts.Up > 0
	if federated {
		counts = append(counts, roundCount, vectorCount)
	} else {
		g.Note += " The error is that of the estimator, averaged over all looks at a run."
	}
	if len(heats) > 1 {
		g.Head = append(g.Head, "")
	}
	g.Head = append(g.Head, "Method", "η")
	for _, q := range columns {
		g.Head = append(g.Head, strings.ToLower(q.title))
	}
	if !federated {
		g.Head = append(g.Head, "squared error")
	}
	for _, q := range counts {
		g.Head = append(g.Head, q.title)
	}
	for i, h := range heats {
		for _, l := range lanes[i] {
			var row []string
			if len(heats) > 1 {
				row = append(row, strings.ReplaceAll(h.Name, " ", "\u00a0"))
			}
			name, astray := l.Name, 0
			for _, t := range l.Traces {
				if t.Stopped == "diverged" {
					astray++
				}
			}
			if astray > 0 {
				name += fmt.Sprintf(" (%d of %d runs diverged)", astray, len(l.Traces))
			}
			row = append(row, name, short(l.Eta))
			for _, q := range columns {
				m, sd := meanEnd(l, q)
				word := strconv.FormatFloat(m, 'g', 4, 64)
				if len(l.Traces) > 1 {
					word += "\u00a0±\u00a0" + strconv.FormatFloat(sd, 'g', 1, 64)
				}
				row = append(row, word)
			}
			if !federated {
				row = append(row, short(meanOver(l, squaredError)))
			}
			for _, q := range counts {
				m, _ := meanEnd(l, q)
				row = append(row, count(m))
			}
			g.Rows = append(g.Rows, row)
		}
	}
	return g
}

// meanOver is the mean over all records of all runs of a lane.
func meanOver(l algos.RaceResult, q quantity) float64 {
	var v []float64
	for _, t := range l.Traces {
		for _, r := range t.Records {
			v = append(v, q.of(r))
		}
	}
	m, _ := meanSD(v)
	return m
}

// tuningTable tabulates what the learning rates were chosen by.
func tuningTable(heats []experiments.Heat, lanes [][]algos.RaceResult, tune string) reports.Grid {
	g := reports.Grid{Title: "Learning rates: " + tune + " accuracy at the end of the tuning run"}
	if len(heats) > 1 {
		g.Head = append(g.Head, "")
	}
	g.Head = append(g.Head, "Method")
	for _, eta := range heats[0].Rates {
		g.Head = append(g.Head, "η = "+short(eta))
	}
	for i, h := range heats {
		for _, l := range lanes[i] {
			var row []string
			if len(heats) > 1 {
				row = append(row, strings.ReplaceAll(h.Name, " ", "\u00a0"))
			}
			row = append(row, l.Name)
			for _, s := range l.Scores {
				if math.IsInf(s, 1) {
					row = append(row, "diverged")
				} else {
					row = append(row, strconv.FormatFloat(1-s, 'f', 3, 64))
				}
			}
			g.Rows = append(g.Rows, row)
		}
	}
	return g
}

// reach returns the mean over the runs of what had been spent when the test accuracy first reached the target; runs that never did count as all they spent,
// and are counted.
func reach(l algos.RaceResult, target float64, spent quantity) (mean float64, missed int) {
	var v []float64
	for _, t := range l.Traces {
		k := slices.IndexFunc(t.Records, func(r algos.Record) bool { return testAccuracy.of(r) >= target })
		if k < 0 {
			k, missed = len(t.Records)-1, missed+1
		}
		v = append(v, spent.of(t.Records[k]))
	}
	mean, _ = meanSD(v)
	return mean, missed
}

// lead says in one sentence what a figure shows.
func lead(figure string, heats []experiments.Heat, lanes [][]algos.RaceResult) string {
	best := func(lanes []algos.RaceResult) (top algos.RaceResult, accuracy float64) {
		for _, l := range lanes {
			if m, _ := meanEnd(l, testAccuracy); m > accuracy || top.Name == "" {
				top, accuracy = l, m
			}
		}
		return top, accuracy
	}
	// costs lists what methods spend to nine tenths of the best accuracy at the end.
	costs := func(spent quantity) string {
		top, accuracy := best(lanes[0])
		var words []string
		for _, l := range lanes[0] {
			m, missed := reach(l, 0.9*accuracy, spent)
			word := fmt.Sprintf("%s: %s", l.Name, count(m))
			if missed == len(l.Traces) {
				word = l.Name + ": never"
			} else if missed > 0 {
				word = fmt.Sprintf("%s: more than %s", l.Name, count(m))
			}
			words = append(words, strings.ReplaceAll(word, " = ", "\u00a0=\u00a0"))
		}
		return fmt.Sprintf("%s ends with the highest test accuracy, %.3f; %s to nine tenths of it – %s.", top.Name, accuracy, spent.label, strings.Join(words, "; "))
	}
	switch figure {
	case "fig1":
		return costs(gradientCount)
	case "fig3":
		var words []string
		for i, h := range heats {
			a, b := lanes[i][0], lanes[i][1]
			end, _ := meanEnd(a, gradientCount)
			words = append(words, fmt.Sprintf("%s: %s and %s", h.Name, short(valueBy(a, end)), short(valueBy(b, end))))
		}
		return fmt.Sprintf("The training objective of %s and %s after as many gradients as %s spends – %s.", lanes[0][0].Name, lanes[0][1].Name, lanes[0][0].Name, strings.Join(words, "; "))
	case "fig4":
		var words []string
		for _, l := range lanes[0] {
			words = append(words, fmt.Sprintf("%s: %s", l.Name, short(meanOver(l, squaredError))))
		}
		return fmt.Sprintf("Squared distance of the estimator from the gradient, averaged over the run – %s.", strings.Join(words, "; "))
	case "fig6":
		first, last := 0, len(heats)-1
		var words []string
		for k, l := range lanes[first] {
			a, _ := meanEnd(lanes[first][k], testAccuracy)
			b, _ := meanEnd(lanes[last][k], testAccuracy)
			words = append(words, fmt.Sprintf("%s: %.3f and %.3f", l.Name, a, b))
		}
		return fmt.Sprintf("Test accuracy at %s and %s – %s.", heats[first].Name, heats[last].Name, strings.Join(words, "; "))
	}
	return costs(roundCount)
}

// valueBy returns the mean over the runs of f at the last look before the gradient count.
func valueBy(l algos.RaceResult, gradients float64) float64 {
	var v []float64
	for _, t := range l.Traces {
		at := t.Records[0].Value
		for _, r := range t.Records {
			if gradientCount.of(r) <= gradients {
				at = r.Value
			}
		}
		v = append(v, at)
	}
	m, _ := meanSD(v)
	return m
}
