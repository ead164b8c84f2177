package verbs

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"sledge/algos"
	"sledge/algos/experiments"
	"sledge/props"
	"sledge/reports"
	"sledge/reports/verify"
)

// curves are the abscissa and ordinate of every chart of a figure, for each race.
func curves(figure string) [][2]quantity {
	gradients, rounds, vectors := gradientCount, roundCount, vectorCount
	switch figure {
	case "fig1":
		return [][2]quantity{{gradients, testAccuracy}, {gradients, trainLoss},
			{gradients, gradientNorm}}
	case "fig2":
		return [][2]quantity{{rounds, testAccuracy}, {rounds, gradientNorm},
			{vectors, testAccuracy}}
	case "fig3":
		return [][2]quantity{{gradients, trainLoss}, {gradients, gradientNorm},
			{gradients, testLoss},
			{gradients, testAccuracy}}
	case "fig4":
		return [][2]quantity{{stepCount, squaredError}}
	case "fig5":
		return [][2]quantity{{rounds, testAccuracy}, {vectors, testAccuracy}}
	}
	return nil
}

// page lays out a figure.
func (f *figures) page(c *verify.Call, fig *experiments.Figure, found []experiments.Finding,
	races []experiments.Race, results [][]algos.RaceResult) *reports.Comparison {
	page := &reports.Comparison{Schema: reports.ComparisonSchema,
		Title: fmt.Sprintf("Figure %s: %s", strings.TrimPrefix(fig.Name, "fig"), fig.Title),
		Lead:  lead(fig.Name, races, results)}
	page.Facts = append(page.Facts,
		[2]string{"In the paper", fmt.Sprintf("%s, lines %s", fig.Label, fig.Lines)})
	for _, fact := range races[0].Facts {
		if fact[0] != "Share q of a client's class" || len(races) == 1 {
			page.Facts = append(page.Facts, fact)
		}
	}
	runs := len(results[0][0].Traces)
	page.Facts = append(page.Facts, f.facts()...)
	page.Facts = append(page.Facts, [2]string{"Runs of each method", strconv.Itoa(runs)})

	page.Findings = findings(c.Claims(), found, races, results)
	page.Tables = append(page.Tables, endTable(races, results))
	if len(races[0].Rates) > 1 {
		page.Tables = append(page.Tables, tuningTable(races, results, f.tune))
	}
	for i, h := range races {
		for _, c := range curves(fig.Name) {
			x, y := c[0], c[1]
			ch := reports.Chart{Title: y.title, XLabel: x.label, YLabel: y.label, LogX: x.log,
				LogY: y.log}
			if h.Name != "" {
				ch.Title += ", " + h.Name
			}
			for k, l := range results[i] {
				ch.Lines = append(ch.Lines, meanLine(l, k, x, y))
			}
			if runs > 1 {
				ch.Note = bandNote
			}
			if fig.Name == "fig4" {
				start := results[i][0].Traces[0].Records[0].GradientNorm
				withoutRounding(ch.Lines, math.Pow(roundingShare*start, 2))
				ch.Note += " Where the estimator is exact up to rounding, as that of SARAH at " +
					"every refresh, nothing is drawn."
			}
			page.Charts = append(page.Charts, ch)
		}
	}
	if fig.Name == "fig6" {
		for _, y := range []quantity{testAccuracy, trainAccuracy} {
			ch := reports.Chart{Title: y.title + " at the end",
				XLabel: "share q of a client's class", YLabel: y.label}
			for k, l := range results[0] {
				line := reports.Line{Name: l.Name, Style: k}
				for i, h := range races {
					m, sd := meanEnd(results[i][k], y)
					line.Add(h.X, m-sd, m, m+sd)
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
func findings(claims []props.Claim, found []experiments.Finding, races []experiments.Race,
	results [][]algos.RaceResult) []reports.Finding {
	var out []reports.Finding
	for _, finding := range found {
		f := reports.Finding{Name: finding.Name, Claim: finding.Claim, Reading: finding.Reading,
			Low: 0, High: 1}
		if k := slices.IndexFunc(claims,
			func(c props.Claim) bool { return c.ID == finding.Claim }); k >= 0 {
			f.Statement = claims[k].Statement
		}
		if finding.Judge != nil {
			judgeRuns(&f, finding.Judge, races, results)
		}
		out = append(out, f)
	}
	return out
}

// judgeRuns fills in what a judge says about the runs. A run whose numbers cannot be compared
// counts as one in which the finding does not hold.
func judgeRuns(f *reports.Finding, judge func(*experiments.Runs, *props.Recorder),
	races []experiments.Race,
	results [][]algos.RaceResult) {
	measured, claimed := map[string][]float64{}, map[string][]float64{}
	f.Runs = len(results[0][0].Traces)
	for seed := range f.Runs {
		runs := &experiments.Runs{Races: races, Of: func(race int, method string) *algos.Trace {
			k := slices.IndexFunc(results[race],
				func(l algos.RaceResult) bool { return l.Name == method })
			return results[race][k].Traces[seed]
		}}
		judged, err := props.Judge(func(rec *props.Recorder) { judge(runs, rec) })
		holds := err == nil
		for _, j := range judged {
			if measured[j.What] == nil {
				f.Comparisons = append(f.Comparisons,
					reports.Comparable{What: j.What, Relation: j.Relation})
			}
			measured[j.What], claimed[j.What] = append(measured[j.What], j.Measured),
				append(claimed[j.What], j.Claimed)
			if j.Holds {
				f.Comparisons[slices.IndexFunc(f.Comparisons,
					func(c reports.Comparable) bool { return c.What == j.What })].Held++
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
		c.Measured = reports.Num(props.Quantiles(measured[c.What], 0.5)[0])
		c.Claimed = reports.Num(props.Quantiles(claimed[c.What], 0.5)[0])
	}
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
			out.Low, out.High = append(out.Low, reports.Num(m-sd)),
				append(out.High, reports.Num(m+sd))
		}
	}
	return out
}

// endTable tabulates the ends of the runs.
func endTable(races []experiments.Race, results [][]algos.RaceResult) reports.Grid {
	last := results[0][0].Traces[0].Records[len(results[0][0].Traces[0].Records)-1]
	columns := []quantity{trainLoss, gradientNorm}
	if last.Observed != nil {
		columns = append([]quantity{testAccuracy, testLoss}, columns...)
	}
	counts := []quantity{gradientCount}
	g := reports.Grid{Title: "At the end of the budget",
		Note: "Means over the runs, with one standard deviation. Monitoring is not counted."}
	federated := last.Counts.Up > 0
	if federated {
		counts = append(counts, roundCount, vectorCount)
	} else {
		g.Note += " The error is that of the estimator, averaged over all looks at a run."
	}
	if len(races) > 1 {
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
	for i, h := range races {
		for _, l := range results[i] {
			var row []string
			if len(races) > 1 {
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
				row = append(row, reports.Count(m))
			}
			g.Rows = append(g.Rows, row)
		}
	}
	return g
}

// meanOver is the mean over all records of all runs of a result.
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
func tuningTable(races []experiments.Race, results [][]algos.RaceResult, tune string) reports.Grid {
	g := reports.Grid{Title: "Learning rates: " + tune + " accuracy at the end of the tuning run"}
	if len(races) > 1 {
		g.Head = append(g.Head, "")
	}
	g.Head = append(g.Head, "Method")
	for _, eta := range races[0].Rates {
		g.Head = append(g.Head, "η = "+short(eta))
	}
	for i, h := range races {
		for _, l := range results[i] {
			var row []string
			if len(races) > 1 {
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

// reach returns the mean over the runs of what had been spent when the test accuracy first reached
// the target; runs that never did count as all they spent, and are counted.
func reach(l algos.RaceResult, target float64, spent quantity) (mean float64, missed int) {
	var v []float64
	for _, t := range l.Traces {
		k := slices.IndexFunc(t.Records,
			func(r algos.Record) bool { return testAccuracy.of(r) >= target })
		if k < 0 {
			k, missed = len(t.Records)-1, missed+1
		}
		v = append(v, spent.of(t.Records[k]))
	}
	mean, _ = meanSD(v)
	return mean, missed
}

// lead says in one sentence what a figure shows.
func lead(figure string, races []experiments.Race, results [][]algos.RaceResult) string {
	best := func(results []algos.RaceResult) (top algos.RaceResult, accuracy float64) {
		for _, l := range results {
			if m, _ := meanEnd(l, testAccuracy); m > accuracy || top.Name == "" {
				top, accuracy = l, m
			}
		}
		return top, accuracy
	}
	// costs lists what methods spend to nine tenths of the best accuracy at the end.
	costs := func(spent quantity) string {
		top, accuracy := best(results[0])
		var words []string
		for _, l := range results[0] {
			m, missed := reach(l, 0.9*accuracy, spent)
			word := fmt.Sprintf("%s: %s", l.Name, reports.Count(m))
			if missed == len(l.Traces) {
				word = l.Name + ": never"
			} else if missed > 0 {
				word = fmt.Sprintf("%s: more than %s", l.Name, reports.Count(m))
			}
			words = append(words, strings.ReplaceAll(word, " = ", "\u00a0=\u00a0"))
		}
		return fmt.Sprintf(
			"%s ends with the highest test accuracy, %.3f; %s to nine tenths of it – %s.", top.Name,
			accuracy, spent.label, strings.Join(words, "; "))
	}
	switch figure {
	case "fig1":
		return costs(gradientCount)
	case "fig3":
		var words []string
		for i, h := range races {
			a, b := results[i][0], results[i][1]
			end, _ := meanEnd(a, gradientCount)
			words = append(words, fmt.Sprintf("%s: %s and %s", h.Name, short(valueBy(a, end)),
				short(valueBy(b, end))))
		}
		return fmt.Sprintf(
			"The training objective of %s and %s after as many gradients as %s spends – %s.",
			results[0][0].Name, results[0][1].Name, results[0][0].Name, strings.Join(words, "; "))
	case "fig4":
		var words []string
		for _, l := range results[0] {
			words = append(words, fmt.Sprintf("%s: %s", l.Name, short(meanOver(l, squaredError))))
		}
		return fmt.Sprintf(
			"Squared distance of the estimator from the gradient, averaged over the run – %s.",
			strings.Join(words, "; "))
	case "fig6":
		first, last := 0, len(races)-1
		var words []string
		for k, l := range results[first] {
			a, _ := meanEnd(results[first][k], testAccuracy)
			b, _ := meanEnd(results[last][k], testAccuracy)
			words = append(words, fmt.Sprintf("%s: %.3f and %.3f", l.Name, a, b))
		}
		return fmt.Sprintf("Test accuracy at %s and %s – %s.", races[first].Name, races[last].Name,
			strings.Join(words, "; "))
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
