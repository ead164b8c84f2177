// Package measured holds the verb that measures the two comparison tables of the paper.
package measured

import (
	"context"
	"embed"
	"flag"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"sledge"
	"sledge/bounds/tables"
	"sledge/props"
	"sledge/reports"
	"sledge/reports/verify"
)

//go:embed help/*.txt
var help embed.FS

// Tables is the verb that measures the entries of the two comparison tables.
func Tables() verify.Verb {
	return verify.Verb{
		Bind: func(flags *flag.FlagSet) verify.Action {
			var budget verify.Budget
			budget.Flags(flags)
			out := flags.String("out", "sledge-tables", "")
			return func(ctx context.Context, c *verify.Call) error {
				if err := c.AtMost(0); err != nil {
					return err
				}
				if err := verify.CheckPages(*out, "tables"); err != nil {
					return err
				}
				return measure(ctx, c, &budget, *out)
			}
		},
		Ends: true,
	}.Described(help, "tables")
}

// notes are what stands below tables, by words for them.
//
//go:embed notes.txt
var notes string

func note(table string, numbers ...any) string {
	return fmt.Sprintf(props.Passages(notes)[table], numbers...)
}

// measuredPart is the part of the claims about the tables that are measured.
const measuredPart = "measured tables"

// measure runs the measured claims of the ledger and writes their page.
func measure(ctx context.Context, c *verify.Call, budget *verify.Budget, dir string) error {
	claims := slices.DeleteFunc(slices.Clone(c.Claims()),
		func(claim props.Claim) bool { return claim.Part != measuredPart })
	if len(claims) == 0 {
		return verify.Exitf(verify.Nothing, "there are no measured entries among the claims")
	}
	cfg := budget.Config(c.Claims())
	started := time.Now()
	l, err := sledge.Ledger()
	if err != nil {
		return err
	}
	entries, err := tables.Measured(l)
	if err != nil {
		return err
	}
	return c.Resume(ctx, claims, cfg, dir, "interrupted before the tables were measured",
		func(results []reports.Claim) error {
			m := measurement{entries: entries, results: map[string]*reports.Claim{}}
			for i := range results {
				m.results[results[i].ID] = &results[i]
				if !results[i].AsExpected() {
					m.unexpected = append(m.unexpected, results[i].ID)
				}
			}
			took := time.Since(started).Round(10 * time.Millisecond)
			page := m.page([][2]string{{"Tier", cfg.Tier.String()},
				{"Seed", strconv.FormatUint(cfg.Seed, 10)},
				{"Level", short(cfg.Alpha) + " for all tests of a run together"},
				{"Time", took.String()}})
			if err := page.WriteDir(dir, "tables"); err != nil {
				return err
			}
			if err := page.WriteText(c.Out, filepath.Join(dir, "tables.html")); err != nil {
				return err
			}
			if len(m.unexpected) > 0 {
				return verify.Exitf(verify.Unexpected, "not as expected: %s",
					strings.Join(m.unexpected, ", "))
			}
			return nil
		})
}

func short(v float64) string { return reports.Num(v).String() }

// measurement is what a run found out about the tables.
type measurement struct {
	entries    []tables.Entry
	results    map[string]*reports.Claim
	unexpected []string
}

// page lays out the tables.
func (m *measurement) page(facts [][2]string) *reports.Comparison {
	page := &reports.Comparison{Schema: reports.ComparisonSchema,
		Title: "The comparison tables, measured", Facts: facts}
	verdicts := map[props.Verdict]int{}
	for number, title := range []string{1: "Table 1: stochastic gradients",
		2: "Table 2: communication rounds"} {
		if title == "" {
			continue
		}
		grid := reports.Grid{Title: title,
			Head: []string{"Method", "Column", "Entry", "Grows with", "Printed exponent",
				"Measured exponent", "Interval", "Verdict"},
			Note: note("exponents")}
		for _, e := range m.entries {
			r := m.results[e.ID]
			if r == nil || e.Table != number {
				continue
			}
			verdicts[r.Verdict]++
			for k := range e.Sweeps {
				grid.Rows = append(grid.Rows, sweepRow(&e, k, r))
			}
		}
		if len(grid.Rows) > 0 {
			page.Tables = append(page.Tables, grid)
		}
	}
	page.Tables = append(page.Tables, m.escapes()...)
	page.Tables = append(page.Tables, fullGradients(), sampling())
	page.Charts = m.charts()
	slower, faster := verdicts[props.Supported], verdicts[props.Refuted]
	undecided := verdicts[props.Inconclusive] + verdicts[props.Error]
	page.Lead = fmt.Sprintf(
		"Of %d measured entries, the cost grows no faster than printed in %d, and faster in %d; "+
			"%d are undecided.", slower+faster+undecided, slower, faster, undecided)
	return page
}

// sweepRow is the row of one sweep of an entry.
func sweepRow(e *tables.Entry, k int, r *reports.Claim) []string {
	s := &e.Sweeps[k]
	row := []string{e.Row, e.Column, s.Text, s.Variable, "", "–", "–", r.Verdict.String()}
	if !strings.HasPrefix(s.Cost, "gradients") && !strings.HasPrefix(s.Cost, "rounds") ||
		strings.Contains(s.Cost, " of ") {
		row[3] += " (" + s.Cost + ")"
	}
	grid := s.X
	if k < len(r.Evidence) && len(r.Evidence[k].Curves) > 0 {
		grid = r.Evidence[k].Curves[0].X
	}
	printed := s.Exponent(grid)
	row[4] = exponent(printed)
	if k < len(r.Evidence) {
		ev := &r.Evidence[k]
		row[5] = exponent(printed + ev.Measured)
		row[6] = exponent(printed+ev.Low) + "\u00a0…\u00a0" + exponent(printed+ev.High)
		row[7] = ev.Outcome().String()
		if ev.Outcome() == props.Supported {
			row[7] = "no faster"
			if ev.High < 0 {
				row[7] = "slower"
			}
		}
	}
	return row
}

// exponent writes an exponent with two digits after the point.
func exponent(v float64) string {
	if math.IsNaN(v) {
		return "–"
	}
	s := strconv.FormatFloat(v, 'f', 2, 64)
	if s == "-0.00" {
		s = "0.00"
	}
	return s
}

// escapes tabulates the claims about escapes from saddles, in the order of their ids.
func (m *measurement) escapes() []reports.Grid {
	grid := reports.Grid{Title: "Escapes from strict saddles",
		Head: []string{"Claim", "Verdict", "Runs", "Beyond the horizon", "Times"},
		Note: note("escapes")}
	var ids []string
	for id := range m.results {
		if strings.HasPrefix(id, "measured/escape-") {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	for _, id := range ids {
		r := m.results[id]
		for k := range r.Evidence {
			ev := &r.Evidence[k]
			grid.Rows = append(grid.Rows, []string{strings.TrimPrefix(id, "measured/"),
				ev.Outcome().String(), strconv.Itoa(ev.Trials), strconv.Itoa(ev.Violations),
				ev.Times()})
		}
	}
	if len(grid.Rows) == 0 {
		return nil
	}
	return []reports.Grid{grid}
}

// The runs behind the columns in words.
const (
	shownComponents, shownBatch, shownSteps = 64, 8, 200
	shownClients, shownSampled, shownLocal  = 16, 4, 5
	shownRounds                             = 40
)

func fullGradients() reports.Grid {
	g := reports.Grid{Title: "Table 1: full gradients and memory",
		Head: []string{"Method", "Periodic full gradient, printed", "Seen", "At x⁰", "Later",
			"Memory (numbers)"},
		Note: note("full gradients", shownSteps, shownComponents, shownBatch)}
	for i := range fullGradientColumn {
		r := &fullGradientColumn[i]
		o := r.observe(shownComponents, shownBatch, 0, 0, shownSteps)
		start, later := "no", len(o.Full)
		if slices.Contains(o.Full, 0) {
			start = "yes"
			later--
		}
		g.Rows = append(g.Rows, []string{r.printed, r.said, inWords(start == "yes", later,
			shownSteps), start, strconv.Itoa(later), reports.Count(float64(o.Memory))})
	}
	return g
}

func sampling() reports.Grid {
	g := reports.Grid{Title: "Table 2: clients, vectors and memory",
		Head: []string{"Method", "Client sampling, printed", "Clients in a round",
			"Rounds with all clients", "Vectors down in a round", "Vectors up in a round",
			"Memory (numbers)"},
		Note: note("sampling", shownClients, shownSampled, shownLocal, shownRounds)}
	for i := range samplingColumn {
		r := &samplingColumn[i]
		o := r.observe(shownClients, 0, shownSampled, shownLocal, shownRounds)
		start, later := r.observe(shownClients, 0, shownSampled, shownLocal, 0), o.Clients[1:]
		least, most, all := slices.Min(later), slices.Max(later), 0
		for _, k := range later {
			if k == shownClients {
				all++
			}
		}
		clients := strconv.Itoa(least)
		if most != least {
			clients += " to " + strconv.Itoa(most)
		}
		g.Rows = append(g.Rows, []string{r.printed, r.said, clients, strconv.Itoa(all),
			short(float64(o.Counts.Down-start.Counts.Down) / shownRounds),
			short(float64(o.Counts.Up-start.Counts.Up) / shownRounds),
			reports.Count(float64(o.Memory))})
	}
	return g
}

// charts draws the costs of the methods of one column against one quantity together, where there
// are at least two.
func (m *measurement) charts() []reports.Chart {
	var charts []reports.Chart
	at := map[string]int{}
	for _, e := range m.entries {
		r := m.results[e.ID]
		if r == nil {
			continue
		}
		for k := range e.Sweeps {
			s := &e.Sweeps[k]
			if k >= len(r.Evidence) || len(r.Evidence[k].Curves) == 0 {
				continue
			}
			cost, _, _ := strings.Cut(s.Cost, " of ")
			title := fmt.Sprintf("Table %d, %s: %s against %s", e.Table, e.Column, cost, s.Variable)
			i, known := at[title]
			if !known {
				i = len(charts)
				at[title] = i
				charts = append(charts,
					reports.Chart{Title: title, XLabel: s.Variable, YLabel: cost, LogX: true,
						LogY: true})
			}
			line := reports.Line{Name: e.Row, Style: len(charts[i].Lines)}
			if _, of, ok := strings.Cut(s.Cost, " of "); ok {
				line.Name = of
			}
			c := &r.Evidence[k].Curves[0] // the cost itself
			for j, x := range c.X {
				line.Add(x, c.Low[j], c.Median[j], c.High[j])
			}
			charts[i].Lines = append(charts[i].Lines, line)
		}
	}
	return slices.DeleteFunc(charts, func(c reports.Chart) bool { return len(c.Lines) < 2 })
}
