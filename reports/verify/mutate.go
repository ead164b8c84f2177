package verify

import (
	"context"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"sledge/props/keyed"
	"sledge/props/mutation"
	"sledge/reports"
)

// mutantsSchema names the format of the JSON of the verb mutate.
const mutantsSchema = "sledge/mutants/v1"

// mutate holds the flags of the verb.
type mutate struct {
	Budget
	effort float64
	sample int
	asJSON bool
}

func mutateVerb() Verb {
	return Verb{
		Bind: func(flags *flag.FlagSet) Action {
			m := mutate{effort: 0.25}
			m.Flags(flags)
			factor(flags, &m.effort, "effort", 0, 100)
			Count(flags, &m.sample, "sample")
			flags.BoolVar(&m.asJSON, "json", false, "")
			return m.do
		},
	}.Described(help, "mutate")
}

func (m *mutate) do(ctx context.Context, c *Call) error {
	claims, err := c.Choose(c.Args)
	if err != nil {
		return err
	}
	claims = Sample(claims, m.sample, m.Seed, "sample of claims")
	started := time.Now()
	rows, err := mutation.Run(ctx, claims,
		mutation.Config{Config: m.Config(c.Claims()), Effort: m.effort})
	if err != nil {
		return err
	}
	if m.asJSON {
		return WriteJSON(c.Out, struct {
			Schema  string         `json:"schema"`
			Seed    uint64         `json:"seed"`
			Tier    string         `json:"tier"`
			Effort  float64        `json:"effort"`
			Seconds float64        `json:"seconds"`
			Claims  []mutation.Row `json:"claims"`
		}{mutantsSchema, m.Seed, m.Tier().String(), m.effort, time.Since(started).Seconds(), rows})
	}
	return writeMutants(c.Out, rows, fmt.Sprintf("%s tier with %v of its effort, seed %d, %v",
		m.Tier(), m.effort, m.Seed, time.Since(started).Round(time.Second)))
}

// Sample chooses n of a list by a seed, and by what they are, and leaves them in order; 0 is all of
// them, and so are as many as there are.
func Sample[T any](list []T, n int, seed uint64, of string) []T {
	if n == 0 || n >= len(list) {
		return list
	}
	order := keyed.New(seed).With(of).Rand().Perm(len(list))[:n]
	slices.Sort(order)
	out := make([]T, n)
	for k, i := range order {
		out[k] = list[i]
	}
	return out
}

// pinned writes the factor within which a claim is pinned.
func pinned(r *mutation.Row) string {
	switch {
	case !r.Constant:
		return "–"
	case r.Pinned == 0:
		return "nothing"
	}
	return reports.Num(r.Pinned).String()
}

// writeMutants writes the table and what it adds up to.
func writeMutants(w io.Writer, rows []mutation.Row, how string) error {
	share := func(tried, noticed int) string {
		if tried == 0 {
			return "–"
		}
		return fmt.Sprintf("%d/%d", noticed, tried)
	}
	tw := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	fmt.Fprintln(tw,
		"CLAIM\tVERDICT\tSTRONGER\tWEAKER\tCROSSING\tLOGARITHM\tPINNED WITHIN\tHALF AS STRONG")
	kinds := []mutation.Kind{mutation.Stronger, mutation.Weaker, mutation.Crossing,
		mutation.Logarithm}
	sum := map[mutation.Kind][2]int{}
	factors := 0
	within := [3]int{}
	for i := range rows {
		r := &rows[i]
		fmt.Fprintf(tw, "%s\t%s", r.Claim, r.Verdict)
		for _, k := range kinds {
			tried, noticed := r.Count(k)
			sum[k] = [2]int{sum[k][0] + tried, sum[k][1] + noticed}
			fmt.Fprintf(tw, "\t%s", share(tried, noticed))
		}
		weaker := "–"
		switch {
		case !r.Constant:
		case r.Weaker:
			weaker = "noticed"
		case r.Sharper > 0:
			weaker = "not noticeable by the bound; its sharper form is pinned within " +
				reports.Num(r.Sharper).String()
		default:
			weaker = "not noticed"
		}
		fmt.Fprintf(tw, "\t%s\t%s\n", pinned(r), weaker)
		if r.Constant {
			factors++
			for k, limit := range [3]float64{1.1, 2, 10} {
				if r.Pinned > 0 && r.Pinned <= limit {
					within[k]++
				}
			}
		}
	}
	if err := tw.Flush(); err != nil {
		return err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "\nNoticed:")
	for _, k := range kinds {
		fmt.Fprintf(&b, " %s %s;", k, share(sum[k][0], sum[k][1]))
	}
	fmt.Fprintf(&b,
		" of %s with a constant, %d are pinned within 1.1, %d within 2, %d within 10.\n(%s)\n",
		Plural(factors, "claim"), within[0], within[1], within[2], how)
	_, err := io.WriteString(w, b.String())
	return err
}
