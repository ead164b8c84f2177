package measured

import (
	"context"
	"flag"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"gonum.org/v1/gonum/floats"

	"sledge/algos"
	"sledge/algos/problems"
	"sledge/algos/verbs"
	"sledge/bounds/operating"
	"sledge/props"
	"sledge/props/keyed"
	"sledge/reports"
	"sledge/reports/store"
	"sledge/reports/verify"
)

// Operate is the verb that measures operating curves on data.
func Operate() verify.Verb {
	return verify.Verb{
		Alone: true,
		Bind: func(flags *flag.FlagSet) verify.Action {
			o := &operate{flags: flags}
			flags.StringVar(&o.data, "data", "", "")
			o.Flags(flags)
			flags.StringVar(&o.methods, "methods", "SLEDGE-II,SARAH,PAGE,SAGA,GD", "")
			flags.IntVar(&o.least, "least", 128, "")
			flags.IntVar(&o.most, "most", 8192, "")
			flags.IntVar(&o.seeds, "seeds", 5, "")
			flags.Uint64Var(&o.seed, "seed", 0, "")
			flags.Float64Var(&o.eps, "eps", 0.01, "")
			flags.Float64Var(&o.alpha, "alpha", 0.01, "")
			flags.StringVar(&o.out, "out", "sledge-operate", "")
			return o.do
		},
	}.Described(help, "operate")
}

type operate struct {
	data, methods, out string
	least, most, seeds int
	seed               uint64
	eps, alpha         float64
	verbs.Examples
	flags   *flag.FlagSet
	table   *problems.Table
	notes   [][2]string // what was done to the table as it was read
	print   string      // its digest
	subsets sync.Map    // of examples, by [2]any{key, n}
}

// dear is the cost, in passes over the data, beyond which a method is given up.
const dear = 400

// mostSeeds is how many runs of a method at one number of examples may be asked for.
const mostSeeds = 10000

// point is a method on so many examples, tuned and run.
type point struct {
	Method string
	N      int
	Eta    float64
	Costs  []float64 // none if the target is not reached
}

// unfinished is the file in which the points that are measured are kept until all are.
const unfinished = "unfinished-operate.jsonl"

func (o *operate) do(ctx context.Context, c *verify.Call) error {
	if err := c.AtMost(0); err != nil {
		return err
	}
	if err := verify.CheckPages(o.out, "operate"); err != nil {
		return err
	}
	const interrupted = "interrupted before the curves were measured"
	var entries []algos.Entry
	if err := verify.Await(ctx, interrupted+"; nothing was written", func() (err error) {
		entries, err = o.check()
		return err
	}); err != nil {
		return err
	}
	kept := store.Keep(filepath.Join(o.out, unfinished), "sledge/operate/v1",
		verbs.Settings(o.flags, "methods", "least", "most")+" "+o.print,
		func(p *point) error { return p.whole(o.seeds) })
	defer kept.Close(false)
	var ns []int
	for n := o.least; n <= o.most; n *= 4 {
		ns = append(ns, n)
	}
	count, points := c.Counter("", "points of the curves"), map[string][]point{}
	for k, e := range entries {
		for j, n := range ns {
			p, found := kept.Find(func(p point) bool { return p.Method == e.Name && p.N == n })
			if !found {
				said := interrupted + "; nothing was written"
				if done := kept.Count(); done > 0 {
					said = fmt.Sprintf("%s; finished points (%d) are kept in %s, and the same command "+
						"goes on from there", interrupted, done, kept.Path())
				}
				if err := verify.Await(ctx, said, func() error {
					p = point{Method: e.Name, N: n}
					p.Eta, p.Costs = o.measure(e, n)
					return nil
				}); err != nil {
					return err
				}
				if err := kept.Add(p); err != nil {
					return err
				}
			}
			points[e.Name] = append(points[e.Name], p)
			count(k*len(ns)+j+1, len(entries)*len(ns))
		}
	}
	page := o.page(entries, ns, points)
	if err := page.WriteDir(o.out, "operate"); err != nil {
		return err
	}
	if err := kept.Close(true); err != nil {
		return err
	}
	return page.WriteText(c.Out, filepath.Join(o.out, "operate.html"))
}

// whole refuses what cannot be a point.
func (p *point) whole(runs int) error {
	if p.Costs != nil && (len(p.Costs) != runs || !(p.Eta > 0)) {
		return fmt.Errorf("%s on %d examples has %d costs, want %d", p.Method, p.N, len(p.Costs),
			runs)
	}
	return nil
}

// page lays the points out as curves.
func (o *operate) page(entries []algos.Entry, ns []int,
	points map[string][]point) *reports.Comparison {
	page := &reports.Comparison{Schema: reports.ComparisonSchema,
		Title: "Operating curves on " + filepath.Base(o.data),
		Facts: append([][2]string{{"Seed", strconv.FormatUint(o.seed, 10)},
			{"Target", "‖∇f(x)‖ ≤ " + short(o.eps)},
			{"Regulariser", short(o.alpha) + " Σ x²/(1+x²)"}, {"Runs", fmt.Sprint(o.seeds)}},
			o.notes...)}
	chart := reports.Chart{Title: "Gradients to the target, at the best step size", XLabel: "n",
		YLabel: "gradients", LogX: true, LogY: true}
	grid := reports.Grid{Title: "Cost against the number of examples",
		Head: []string{"Method", "Exponent"}, Note: note("operating curves")}
	for _, n := range ns {
		grid.Head = append(grid.Head, fmt.Sprintf("n = %d", n))
	}
	best, bestExponent := "", math.Inf(1)
	for k, e := range entries {
		line, row := reports.Line{Name: e.Name, Style: k}, []string{e.Name, "–"}
		var lx, ly []float64
		for _, p := range points[e.Name] {
			if p.Costs == nil {
				row = append(row, "not reached")
				continue
			}
			q := props.Quantiles(p.Costs, 0, 0.5, 1)
			line.Add(float64(p.N), q[0], q[1], q[2])
			lx, ly = append(lx, math.Log(float64(p.N))), append(ly, math.Log(q[1]))
			row = append(row, fmt.Sprintf("%s (%s)", reports.Count(math.Round(q[1])),
				short(math.Log2(p.Eta))))
		}
		if len(lx) > 1 {
			slope, _ := props.OLS(lx, ly)
			if row[1] = exponent(slope); slope < bestExponent {
				best, bestExponent = e.Name, slope
			}
		}
		chart.Lines, grid.Rows = append(chart.Lines, line), append(grid.Rows, row)
	}
	page.Lead = "No method reached the target at two numbers of examples."
	if best != "" {
		page.Lead = fmt.Sprintf(
			"Of the methods, the cost of %s grows least with the number of examples: with the "+
				"exponent %s.", best, exponent(bestExponent))
	}
	page.Charts, page.Tables = []reports.Chart{chart}, []reports.Grid{grid}
	return page
}

// check refuses what does not fit, reads the data and finds the methods.
func (o *operate) check() ([]algos.Entry, error) {
	switch {
	case o.data == "":
		return nil, verify.Usagef("-data needs a LIBSVM or CSV file")
	case o.least < 2:
		return nil, verify.Usagef("-least must be at least 2, got %d", o.least)
	case o.most < o.least:
		return nil, verify.Usagef("-most must be at least -least, got %d and %d", o.most, o.least)
	case o.seeds < 1 || o.seeds > mostSeeds:
		return nil, verify.Usagef("-seeds must be from 1 to %d, got %d", mostSeeds, o.seeds)
	case !(o.eps > 0) || math.IsInf(o.eps, 0):
		return nil, verify.Usagef("-eps must be positive and finite, got %v", o.eps)
	case !(o.alpha >= 0) || math.IsInf(o.alpha, 0):
		return nil, verify.Usagef("-alpha must be finite and at least 0, got %v", o.alpha)
	}
	var entries []algos.Entry
	for name := range strings.SplitSeq(o.methods, ",") {
		e, ok := algos.ByName(strings.TrimSpace(name))
		if !ok || e.Federated {
			return nil, verify.Usagef(
				"-methods: there is no method %q for finite sums; the verb list shows them", name)
		}
		entries = append(entries, e)
	}
	var err error
	if o.table, o.notes, err = o.Read(o.data, false); err != nil {
		return nil, err
	}
	o.notes, o.print = append(o.notes, o.Columns(o.table, nil)...), verbs.Fingerprint(o.table)
	if rows := o.table.Rows(); rows < o.least {
		return nil, verify.Usagef("-data: %s has %d examples, fewer than -least %d", o.data,
			rows, o.least)
	} else {
		o.most = min(o.most, rows)
	}
	return entries, nil
}

// measure tunes a method on n examples and returns the step size and what some runs cost with it;
// nil if it does not reach the target.
func (o *operate) measure(e algos.Entry, n int) (eta float64, costs []float64) {
	stride := max(1, n/8) // steps between looks at the gradient, of which one costs n
	if e.Name == "GD" {
		stride = 1
	}
	c := operating.Course{Cost: operating.Gradients,
		Method: func(eta float64) algos.Method {
			return e.New(algos.Setting{Tuning: algos.Tuning{Eta: eta, Batch: 1}, Eps: o.eps})
		},
		Site: func(key keyed.Key) (algos.Problem, []float64, operating.Goal) {
			p := o.subset(key, n)
			steps, g := 0, make([]float64, p.Dim())
			full, _ := algos.As[algos.FullGradienter](p)
			return p, make([]float64, p.Dim()), func(x []float64) bool {
				steps++
				if (steps-1)%stride != 0 {
					return false
				}
				full.FullGradient(g, x)
				return floats.Norm(g, 2) <= o.eps
			}
		}}
	most := float64(dear * n)
	key := keyed.New(o.seed).With("operate").At(n)
	tuned := c.Tune(2, most, key.With("tuning"))
	if !tuned.OK {
		return 0, nil
	}
	costs = make([]float64, o.seeds)
	var wait sync.WaitGroup
	for k := range costs {
		wait.Go(func() { costs[k], _ = c.Run(tuned.Eta, most, key.With("runs").At(k)) })
	}
	wait.Wait()
	return tuned.Eta, costs
}

// subset is logistic regression on n examples that the key chooses.
func (o *operate) subset(key keyed.Key, n int) algos.Problem {
	type choice struct {
		key keyed.Key
		n   int
	}
	made, _ := o.subsets.LoadOrStore(choice{key, n}, sync.OnceValue(func() algos.Problem {
		rows := key.With("examples").Rand().Perm(o.table.Rows())[:n]
		slices.Sort(rows)
		p := props.Must(problems.NewLogistic(o.table.Select(rows), nil,
			problems.LogisticOptions{Alpha: o.alpha}))
		return algos.Sum(p.ByClient())
	}))
	return made.(func() algos.Problem)()
}
