package verbs

import (
	"cmp"
	"fmt"
	"math"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"sledge/algos"
	"sledge/reports"
)

// page lays out what the race found.
func (r *race) page(results []algos.RaceResult, facts [][2]string) *reports.Comparison {
	start := results[0].Traces[0].Records[0].GradientNorm
	order := slices.Clone(results)
	slices.SortStableFunc(order, func(a, b algos.RaceResult) int { return cmp.Compare(r.end(a), r.end(b)) })
	federated := r.set.Clients > 0
	page := &reports.Comparison{Schema: reports.ComparisonSchema, Title: "Race on " + r.problem, Facts: facts}
	if r.data != "" {
		first, _, _ := strings.Cut(r.data, ",") // the images of a pair of files
		page.Title += " (" + filepath.Base(first) + ")"
	}
	page.Lead = fmt.Sprintf("%s ends with the smallest gradient norm, %s from %s at the start.", order[0].Name,
		short(r.end(order[0])), short(start))
	if r.score == "value" {
		page.Lead = fmt.Sprintf("%s ends with the smallest f(x), %s from %s at the start.", order[0].Name,
			long(r.end(order[0])), long(results[0].Traces[0].Records[0].Value))
	}

	page.Tables = append(page.Tables, r.ends(order))
	if federated {
		page.Tables = append(page.Tables, spent(order))
	}
	what := []spending{{"Stochastic gradients", func(c algos.Counts) float64 { return float64(c.Gradients) }}}
	if federated {
		what = append(what, spending{"Communication rounds", func(c algos.Counts) float64 { return float64(c.Rounds) }},
			spending{"Vectors sent", func(c algos.Counts) float64 { return float64(c.Up + c.Down) }})
	}
	for _, w := range what {
		if r.problem == networks {
			page.Tables = append(page.Tables,
				w.table("a test accuracy", order, accuracies(order),
					func(c algos.Record, a float64) bool { return networkAccuracy().of(c) >= a }))
		}
		page.Tables = append(page.Tables,
			w.table("a gradient norm", order, r.eps, func(c algos.Record, eps float64) bool { return c.GradientNorm <= eps }))
	}
	if len(r.prescriptions) > 0 {
		page.Tables = append(page.Tables, r.theory(results))
	}
	page.Charts = r.charts(results)
	return page
}

// ends tabulates where the runs end; with what was spent, if that is little to say.
func (r *race) ends(results []algos.RaceResult) reports.Grid {
	g := reports.Grid{Title: "At the end of the budget", Head: []string{"Method", "η"},
		Note: "Medians over the runs at the chosen step size. Gradients count one for each component (datum) at " +
			"each point; monitoring is not counted."}
	if r.subject.L > 0 {
		g.Head = append(g.Head, "η L")
	}
	g.Head = append(g.Head, "‖∇f(x)‖", "least and largest", "f(x)")
	if r.subject.observe != nil {
		t := r.subject.column.title
		g.Head = append(g.Head, strings.ToLower(t[:1])+t[1:])
	}
	g.Head = append(g.Head, "gradients", "memory (numbers)")
	for _, l := range results {
		name := l.Name
		if l.Traces[0].Stopped == "diverged" {
			name += " (diverged)"
		}
		row := []string{name, short(l.Eta)}
		if r.subject.L > 0 {
			row = append(row, short(l.Eta*r.subject.L))
		}
		norms := atEnd(l, gradientNorm().of)
		row = append(row, short(median(norms)), short(norms[0])+" … "+short(norms[len(norms)-1]),
			long(median(atEnd(l, trainLoss().of))))
		if r.subject.observe != nil {
			row = append(row, minus(strconv.FormatFloat(median(atEnd(l, r.subject.column.of)), 'f', 3, 64)))
		}
		g.Rows = append(g.Rows, append(row, reports.Count(median(atEnd(l, gradientCount().of))),
			reports.Count(float64(l.Traces[0].Memory))))
	}
	return g
}

// spent tabulates the communication of federated runs.
func spent(results []algos.RaceResult) reports.Grid {
	g := reports.Grid{Title: "Communication",
		Head: []string{"Method", "rounds", "vectors down", "vectors up",
			"rounds with all clients"}, Note: "Medians over the runs."}
	for _, l := range results {
		row := []string{l.Name}
		for _, f := range []func(algos.Counts) int64{func(c algos.Counts) int64 { return c.Rounds },
			func(c algos.Counts) int64 { return c.Down },
			func(c algos.Counts) int64 { return c.Up }, func(c algos.Counts) int64 { return c.FullSync }} {
			row = append(row, reports.Count(median(atEnd(l, func(c algos.Record) float64 { return float64(f(c.Counts)) }))))
		}
		g.Rows = append(g.Rows, row)
	}
	return g
}

// atEnd returns a number of the last records of a result's runs, sorted.
func atEnd(l algos.RaceResult, f func(algos.Record) float64) []float64 {
	var v []float64
	for _, t := range l.Traces {
		v = append(v, f(t.Records[len(t.Records)-1]))
	}
	slices.Sort(v)
	return v
}

// manyLines is how many lines a chart may have before tuned and prescribed methods get charts of their own.
const manyLines = 16

// axis is a cost to draw against.
type axis struct {
	label string
	most  float64 // what lies beyond is not drawn
	of    func(algos.Counts) float64
}

// charts draws the curves of a race.
func (r *race) charts(results []algos.RaceResult) []reports.Chart {
	axes := []axis{{"stochastic gradients", math.Inf(1), func(c algos.Counts) float64 { return float64(c.Gradients) }}}
	if r.set.Clients > 0 {
		axes = []axis{{"communication rounds", math.Inf(1), func(c algos.Counts) float64 { return float64(c.Rounds) }},
			{"vectors sent", math.Inf(1), func(c algos.Counts) float64 { return float64(c.Up + c.Down) }}, axes[0]}
	} else {
		axes[0].most = 1.25 * float64(r.gradients) // one curvature search may cost a hundred times the budget
	}
	floor := math.Inf(1)
	for _, l := range results {
		for _, t := range l.Traces {
			for _, c := range t.Records {
				floor = min(floor, c.Value)
			}
		}
	}
	quantities := []quantity{
		gradientNorm(),
		{"Distance to the smallest value met in the race", "f(x) − smallest", true,
			func(c algos.Record) float64 { return c.Value - floor }},
	}
	if r.subject.observe != nil {
		quantities = append(quantities, r.subject.column)
	}
	if r.set.Clients == 0 {
		quantities = append(quantities, estimatorError())
	}
	groups := map[string][]int{"": nil}
	order := []string{""}
	if len(results) > manyLines && len(r.prescriptions) > 0 {
		order = []string{", tuned", ", as prescribed"}
	}
	for i, l := range results {
		which := order[0]
		if strings.HasSuffix(l.Name, star) {
			which = order[len(order)-1]
		}
		groups[which] = append(groups[which], i)
	}
	var out []reports.Chart
	for _, ax := range axes {
		for _, q := range quantities {
			for _, which := range order {
				ch := reports.Chart{Title: q.title + which, XLabel: ax.label, YLabel: q.label, LogY: q.log}
				for style, i := range groups[which] {
					ch.Lines = append(ch.Lines, line(results[i], style, ax, q.of))
				}
				if q.title == estimatorError().title {
					ch.Note = "An estimator that is exact up to rounding is not drawn."
					withoutRounding(ch.Lines, roundingShare*results[0].Traces[0].Records[0].GradientNorm)
				}
				out = append(out, ch)
			}
		}
	}
	return out
}

// theory tabulates the prescribed parameters beside the step sizes that tuning found.
func (r *race) theory(results []algos.RaceResult) reports.Grid {
	goal, _ := r.subject.known.Eps.Value()
	g := reports.Grid{Title: "As the theory prescribes",
		Head: []string{"Method", "η", "tuned η", "prescribed / tuned", "other parameters", "from"},
		Note: fmt.Sprintf("Methods marked %s run with these, untuned, for a gradient norm of %s where ε matters. "+
			"Logarithms of the theory are left out.", star, short(goal))}
	for _, p := range r.prescriptions {
		row := []string{p.name + star, short(p.Eta), "–", "–", parameters(p.Prescription), p.By}
		if k := slices.IndexFunc(results, func(l algos.RaceResult) bool { return l.Name == p.name }); k >= 0 {
			row[2], row[3] = short(results[k].Eta), short(p.Eta/results[k].Eta)
		}
		g.Rows = append(g.Rows, row)
	}
	return g
}

// parameters lists the numbers among the exported fields of a prescribed method that are set, but for the step size.
func parameters(p algos.Prescription) string {
	v := reflect.ValueOf(p.Method).Elem()
	var words []string
	for i := range v.NumField() {
		field, value := v.Type().Field(i), v.Field(i)
		if !field.IsExported() || field.Name == "Eta" || value.IsZero() {
			continue
		}
		switch {
		case value.CanFloat():
			words = append(words, field.Name+" "+short(value.Float()))
		case value.CanInt():
			words = append(words, fmt.Sprintf("%s %d", field.Name, value.Int()))
		}
	}
	return strings.Join(words, ", ")
}

// reasons joins sentences about methods, methods with the same one together.
func reasons(leftOut [][2]string) string {
	var order []string
	names := map[string][]string{}
	for _, l := range leftOut {
		why := strings.ReplaceAll(strings.TrimPrefix(l[1], "the theory of "+l[0]+" "),
			"gives no constants that are known here", "no constants are known here")
		if names[why] == nil {
			order = append(order, why)
		}
		names[why] = append(names[why], l[0])
	}
	for i, why := range order {
		order[i] = strings.Join(names[why], ", ") + ": " + why
	}
	return strings.Join(order, "; ")
}

// line takes medians and extremes over the runs, of what each had shown by the time it had spent as much: runs whose
// steps differ in cost are not compared at equal steps.
func line(l algos.RaceResult, style int, x axis, y func(algos.Record) float64) reports.Line {
	out := reports.Line{Name: l.Name, Style: style}
	var spent, ends []float64
	for _, t := range l.Traces {
		for _, r := range t.Records {
			spent = append(spent, x.of(r.Counts))
		}
		ends = append(ends, x.of(t.Records[len(t.Records)-1].Counts))
	}
	slices.Sort(spent)
	slices.Sort(ends)
	last := min(x.most, median(ends))
	next := make([]int, len(l.Traces))                               // the first record of each run that lies beyond
	for k := len(l.Traces) - 1; k < len(spent); k += len(l.Traces) { // as many points as a run has records
		at := spent[k]
		if at > last {
			break
		}
		var ys []float64
		for i, t := range l.Traces {
			for next[i] < len(t.Records) && x.of(t.Records[next[i]].Counts) <= at {
				next[i]++
			}
			if next[i] > 0 && (next[i] < len(t.Records) || t.Stopped != "diverged" || x.of(t.Records[next[i]-1].Counts) == at) {
				ys = append(ys, y(t.Records[next[i]-1]))
			}
		}
		if n := len(out.X); len(ys) == 0 || n > 0 && float64(out.X[n-1]) == at {
			continue
		}
		slices.Sort(ys)
		out.Add(at, ys[0], median(ys), ys[len(ys)-1])
	}
	return out
}

// spending is something that runs spend.
type spending struct {
	name string
	of   func(algos.Counts) float64
}

// table tabulates what the runs had spent when they first met each goal.
func (w spending) table(what string, results []algos.RaceResult, goals []float64,
	met func(algos.Record, float64) bool) reports.Grid {
	g := reports.Grid{Title: w.name + " to " + what, Head: []string{"Method"},
		Note: "Medians; – where fewer than half of the runs got there."}
	for _, goal := range goals {
		g.Head = append(g.Head, short(goal))
	}
	for _, l := range results {
		row := []string{l.Name}
		for _, goal := range goals {
			var spent []float64
			for _, t := range l.Traces {
				v := math.Inf(1)
				if k := slices.IndexFunc(t.Records, func(c algos.Record) bool { return met(c, goal) }); k >= 0 {
					v = w.of(t.Records[k].Counts)
				}
				spent = append(spent, v)
			}
			slices.Sort(spent)
			if m := median(spent); math.IsInf(m, 1) {
				row = append(row, "–")
			} else {
				row = append(row, reports.Count(m))
			}
		}
		g.Rows = append(g.Rows, row)
	}
	return g
}

// accuracies are half, four fifths and nineteen twentieths of the best test accuracy at the end of a run, to three
// digits.
func accuracies(results []algos.RaceResult) []float64 {
	best := 0.0
	for _, l := range results {
		for _, t := range l.Traces {
			best = max(best, networkAccuracy().of(t.Records[len(t.Records)-1]))
		}
	}
	var out []float64
	for _, share := range []float64{0.5, 0.8, 0.95} {
		out = append(out, math.Floor(1000*share*best)/1000)
	}
	return out
}

// end is the median rating of the runs of a result.
func (r *race) end(l algos.RaceResult) float64 {
	var v []float64
	for _, t := range l.Traces {
		v = append(v, r.rate(t))
	}
	slices.Sort(v)
	return median(v)
}
