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

// joined is the page about all legs of a race: one table of where they end, then what there is
// about each.
func joined(legs []*leg) *reports.Comparison {
	page := legs[0].page()
	if len(legs) == 1 {
		return page
	}
	page = &reports.Comparison{Schema: reports.ComparisonSchema,
		Title: "Race on " + legs[0].problem}
	ends := reports.Grid{}
	var names, leads []string
	for k, l := range legs {
		one, name := l.page(), filepath.Base(l.data)
		names, leads = append(names, name), append(leads, name+": "+one.Lead)
		for _, n := range one.Notes {
			page.Notes = append(page.Notes,
				[2]string{name + ", " + strings.ToLower(n[0][:1]) + n[0][1:], n[1]})
		}
		for _, f := range one.Facts {
			page.Facts = append(page.Facts, [2]string{name + ": " + f[0], f[1]})
		}
		first := one.Tables[0]
		if k == 0 {
			ends = reports.Grid{Title: first.Title, Note: first.Note,
				Head: append([]string{"Data"}, first.Head...)}
		}
		for _, row := range first.Rows {
			ends.Rows = append(ends.Rows, append([]string{name}, row...))
		}
		for _, t := range one.Tables[1:] {
			t.Title = name + ": " + t.Title
			page.Tables = append(page.Tables, t)
		}
		for _, c := range one.Charts {
			c.Title = name + ": " + c.Title
			page.Charts = append(page.Charts, c)
		}
	}
	page.Title += " (" + strings.Join(names, ", ") + ")"
	page.Lead = strings.Join(leads, " ")
	page.Tables = append([]reports.Grid{ends}, page.Tables...)
	return page
}

// page lays out what a leg of the race found.
func (l *leg) page() *reports.Comparison {
	results := l.results
	start := results[0].Traces[0].Records[0].GradientNorm
	order := slices.Clone(results)
	slices.SortStableFunc(order,
		func(a, b algos.RaceResult) int { return cmp.Compare(l.end(a), l.end(b)) })
	federated := l.set.Clients > 0
	page := &reports.Comparison{Schema: reports.ComparisonSchema, Title: "Race on " + l.problem,
		Facts: l.facts, Notes: l.notes}
	if l.data != "" {
		first, _, _ := strings.Cut(l.data, ",") // the images of a pair of files
		page.Title += " (" + filepath.Base(first) + ")"
	}
	page.Lead = fmt.Sprintf("%s ends with the smallest gradient norm, %s from %s at the start.",
		order[0].Name, short(l.end(order[0])), short(start))
	if l.score == "value" {
		page.Lead = fmt.Sprintf("%s ends with the smallest f(x), %s from %s at the start.",
			order[0].Name, long(l.end(order[0])), long(results[0].Traces[0].Records[0].Value))
	}
	page.Notes = append(page.Notes, l.marks(order)...)
	if low := l.subject.lowest; low.How != "" {
		said := fmt.Sprintf("f* = %s, certified", long(low.Value))
		switch {
		case l.subject.certified == nil:
			said = fmt.Sprintf("the lowest value found is %s with gradient norm %s: %s, the lowest end "+
				"of a run and %d others; no minimum of a network is certified, and f* may be lower",
				long(low.Value), short(low.GradientNorm), low.How, referenceStarts)
		case low.Point != nil:
			said = fmt.Sprintf("f* = %s with gradient norm %s, by %s from the lowest end of a run",
				long(low.Value), short(low.GradientNorm), low.How)
		}
		page.Notes = append(page.Notes, [2]string{"Reference", said})
	}
	if l.times {
		page.Facts = append(page.Facts, [2]string{"Time", l.took.String()})
	}
	page.Tables = append(page.Tables, l.ends(order))
	if federated {
		page.Tables = append(page.Tables, spent(order))
	}
	what := []spending{{"Stochastic gradients", gradientCount.of, reports.Count}}
	if federated {
		what = append(what, spending{"Communication rounds", rounds, reports.Count},
			spending{"Vectors sent", vectorCount.of, reports.Count})
	}
	if l.times {
		what = append(what, spending{"Seconds", seconds, inSeconds})
	}
	for _, w := range what {
		if l.problem == networks {
			page.Tables = append(page.Tables,
				w.table("a test accuracy", order, accuracies(order),
					func(c algos.Record, a float64) bool { return networkAccuracy.of(c) >= a }))
		}
		page.Tables = append(page.Tables,
			w.table("a gradient norm", order, l.eps, func(c algos.Record,
				eps float64) bool {
				return c.GradientNorm <= eps
			}))
	}
	if len(l.prescriptions) > 0 {
		page.Tables = append(page.Tables, l.theory(results))
	}
	page.Charts = l.charts(results)
	return page
}

// Marks of a step size that is at an end of the grid.
const largest, smallest = "↑", "↓"

// mark says whether the step size of a result is the largest or the smallest of several that were
// tried.
func (r *race) mark(l algos.RaceResult) string {
	switch {
	case len(l.Scores) < 2 || slices.Max(r.etas) == slices.Min(r.etas):
	case l.Eta == slices.Max(r.etas):
		return largest
	case l.Eta == slices.Min(r.etas):
		return smallest
	}
	return ""
}

// marks says of which methods the best step size is at an end of the grid, so that one outside may
// be better.
func (r *race) marks(results []algos.RaceResult) (notes [][2]string) {
	for _, m := range [][2]string{{largest, "largest"}, {smallest, "smallest"}} {
		var names []string
		for _, l := range results {
			if r.mark(l) == m[0] {
				names = append(names, l.Name)
			}
		}
		if len(names) > 0 {
			notes = append(notes, [2]string{"Grid of step sizes", fmt.Sprintf(
				"the best of %s is the %s that was tried (%s); -eta tries others",
				strings.Join(names, ", "), m[1], m[0])})
		}
	}
	return notes
}

// seconds is what the steps of a run have taken.
func seconds(r algos.Record) float64 { return r.Time.Seconds() }

// inSeconds writes seconds with three digits, which is what they are worth.
func inSeconds(v float64) string {
	if v == 0 {
		return "0"
	}
	unit := math.Pow(10, math.Floor(math.Log10(v))-2)
	return short(math.Round(v/unit) * unit)
}

// gap is the quantity f(x) − f*, and the distance below which it is rounding.
func (s *subject) gap(start float64) (q quantity, rounding float64) {
	low, title := s.lowest.Value, "Distance to the reference optimum"
	if s.certified == nil {
		title = "Distance to the lowest value found"
	}
	return quantity{title, s.away(), true,
			func(r algos.Record) float64 { return r.Value - low }},
		0x1p-48 * max(math.Abs(low), math.Abs(start))
}

// away is how the distance to the reference is written.
func (s *subject) away() string {
	if s.certified == nil {
		return "f(x) − lowest"
	}
	return "f(x) − f*"
}

// ends tabulates where the runs end; with what was spent, if that is little to say.
func (r *race) ends(results []algos.RaceResult) reports.Grid {
	g := reports.Grid{Title: "At the end of the budget", Head: []string{"Method", "η"},
		Note: "Medians over the runs at the chosen step size. Gradients count one for each component (datum) at " +
			"each point; monitoring is not counted. Numbers kept are those between steps."}
	if r.subject.L > 0 {
		g.Head = append(g.Head, "η L")
	}
	g.Head = append(g.Head, "‖∇f(x)‖", "f(x)")
	if r.subject.lowest.How != "" {
		g.Head = append(g.Head, r.subject.away())
	}
	for _, q := range r.subject.columns {
		g.Head = append(g.Head, strings.ToLower(q.title[:1])+q.title[1:])
	}
	g.Head = append(g.Head, "gradients")
	if r.times {
		g.Head = append(g.Head, "seconds")
		g.Note += fmt.Sprintf(" Seconds are wall time of the steps, with %d runs at a time.",
			r.Workers)
	}
	g.Head = append(g.Head, "numbers kept", "least and largest ‖∇f(x)‖")
	gap, rounding := r.subject.gap(results[0].Traces[0].Records[0].Value)
	for _, l := range results {
		name := l.Name
		if l.Traces[0].Stopped == "diverged" {
			name += " (diverged)"
		}
		row := []string{name, strings.TrimSpace(short(l.Eta) + "\u00a0" + r.mark(l))}
		if r.subject.L > 0 {
			row = append(row, short(l.Eta*r.subject.L))
		}
		norms := atEnd(l, gradientNorm.of)
		row = append(row, short(median(norms)), long(median(atEnd(l, trainLoss.of))))
		switch away := median(atEnd(l, gap.of)); {
		case r.subject.lowest.How == "":
		case away <= rounding:
			row = append(row, "< "+short(rounding))
		default:
			row = append(row, short(away))
		}
		for _, q := range r.subject.columns {
			row = append(row, minus(strconv.FormatFloat(median(atEnd(l, q.of)), 'f', 3, 64)))
		}
		row = append(row, reports.Count(median(atEnd(l, gradientCount.of))))
		if r.times {
			row = append(row, inSeconds(median(atEnd(l, seconds))))
		}
		g.Rows = append(g.Rows, append(row, reports.Count(float64(l.Traces[0].Memory)),
			short(norms[0])+" … "+short(norms[len(norms)-1])))
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
		for _, of := range []func(algos.Record) float64{rounds,
			counted(func(c algos.Counts) int64 { return c.Down }),
			counted(func(c algos.Counts) int64 { return c.Up }),
			counted(func(c algos.Counts) int64 { return c.FullSync })} {
			row = append(row, reports.Count(median(atEnd(l, of))))
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

// manyLines is how many lines a chart may have before tuned and prescribed methods get charts of
// their own.
const manyLines = 16

// axis is a cost to draw against.
type axis struct {
	label string
	most  float64 // what lies beyond is not drawn
	of    func(algos.Record) float64
}

// charts draws the curves of a race.
func (r *race) charts(results []algos.RaceResult) []reports.Chart {
	axes := []axis{{"stochastic gradients", math.Inf(1), gradientCount.of}}
	if r.set.Clients > 0 {
		axes = []axis{{"communication rounds", math.Inf(1), rounds},
			{"vectors sent", math.Inf(1), vectorCount.of}, axes[0]}
	} else {
		// one curvature search may cost a hundred times the budget
		axes[0].most = 1.25 * float64(r.gradients)
	}
	gap, rounding := r.subject.gap(results[0].Traces[0].Records[0].Value)
	progress := trainLoss
	if r.subject.lowest.How != "" {
		progress = gap
	}
	quantities := append([]quantity{gradientNorm, progress}, r.subject.columns...)
	if r.set.Clients == 0 {
		quantities = append(quantities, estimatorError)
	}
	floors := map[string]float64{gap.title: rounding,
		estimatorError.title: roundingShare * results[0].Traces[0].Records[0].GradientNorm}
	if r.times {
		axes = append(axes, axis{"seconds", math.Inf(1), seconds})
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
		for k, q := range quantities {
			if ax.label == "seconds" && k > 1 {
				break // what seconds buy is said by the first two
			}
			for _, which := range order {
				ch := reports.Chart{Title: q.title + which, XLabel: ax.label, YLabel: q.label,
					LogY: q.log}
				for style, i := range groups[which] {
					ch.Lines = append(ch.Lines, line(results[i], style, ax, q.of))
				}
				if floor, ok := floors[q.title]; ok {
					ch.Note = fmt.Sprintf("What is below %s is rounding, and not drawn.",
						short(floor))
					withoutRounding(ch.Lines, floor)
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
		Note: fmt.Sprintf(
			"Methods marked %s run with these, untuned, for a gradient norm of %s where ε matters. "+
				"Logarithms of the theory are left out.", star, short(goal))}
	for _, p := range r.prescriptions {
		row := []string{p.name + star, short(p.Eta), "–", "–", parameters(p.Prescription), p.By}
		if k := slices.IndexFunc(results,
			func(l algos.RaceResult) bool { return l.Name == p.name }); k >= 0 {
			row[2], row[3] = short(results[k].Eta), short(p.Eta/results[k].Eta)
		}
		g.Rows = append(g.Rows, row)
	}
	return g
}

// parameters lists the numbers among the exported fields of a prescribed method that are set, but
// for the step size.
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

// line takes medians and extremes over the runs, of what each had shown by the time it had spent as
// much: runs whose steps differ in cost are not compared at equal steps.
func line(l algos.RaceResult, style int, x axis, y func(algos.Record) float64) reports.Line {
	out := reports.Line{Name: l.Name, Style: style}
	var spent, ends []float64
	for _, t := range l.Traces {
		for _, r := range t.Records {
			spent = append(spent, x.of(r))
		}
		ends = append(ends, x.of(t.Records[len(t.Records)-1]))
	}
	slices.Sort(spent)
	slices.Sort(ends)
	last := min(x.most, median(ends))
	// the first record of each run that lies beyond
	next := make([]int, len(l.Traces))
	for k := len(l.Traces) - 1; k < len(spent); k += len(l.Traces) {
		// as many points as a run has records
		at := spent[k]
		if at > last {
			break
		}
		var ys []float64
		for i, t := range l.Traces {
			for next[i] < len(t.Records) && x.of(t.Records[next[i]]) <= at {
				next[i]++
			}
			if next[i] > 0 && (next[i] < len(t.Records) || t.Stopped != "diverged" ||
				x.of(t.Records[next[i]-1]) == at) {
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
	of   func(algos.Record) float64
	said func(float64) string
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
				if k := slices.IndexFunc(t.Records,
					func(c algos.Record) bool { return met(c, goal) }); k >= 0 {
					v = w.of(t.Records[k])
				}
				spent = append(spent, v)
			}
			slices.Sort(spent)
			if m := median(spent); math.IsInf(m, 1) {
				row = append(row, "–")
			} else {
				row = append(row, w.said(m))
			}
		}
		g.Rows = append(g.Rows, row)
	}
	return g
}

// accuracies are half, four fifths and nineteen twentieths of the best test accuracy at the end of
// a run, to three digits.
func accuracies(results []algos.RaceResult) []float64 {
	best := 0.0
	for _, l := range results {
		for _, t := range l.Traces {
			best = max(best, networkAccuracy.of(t.Records[len(t.Records)-1]))
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
