package reports

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"sledge/props"
)

// Merge joins reports. Those of one seed are of disjoint sets of claims, such as the shards of one
// run: if anything differs that may change numbers they are refused, and so is a claim that occurs
// twice, since the same seed twice is no new evidence. Reports of several seeds are new evidence:
// what they say about a claim is pooled ([props.Pool]), whatever their machines, as long as they
// are of one tier and one version of the program, and so of the same statements.
//
// The function join has to make claims of the slices of a run ([Report.Sliced], [Report.Join])
// before it is pooled.
func Merge(join func(*Report) error, rs ...*Report) (*Report, error) {
	if len(rs) == 0 {
		return nil, errors.New("nothing to merge")
	}
	var runs [][]*Report
	for i, r := range rs {
		if len(r.Run.Seeds) > 0 && len(rs) > 1 {
			return nil, fmt.Errorf("%s is pooled over seeds: merge the reports that it was made of",
				named(rs, i))
		}
		if a, b := rs[0].Tool.Version, r.Tool.Version; a != b {
			return nil, fmt.Errorf(
				"%s are of different programs: tool version is %s in one and %s in the other",
				both(rs, 0, i), a, b)
		}
		k := slices.IndexFunc(runs,
			func(run []*Report) bool { return run[0].Run.Seed == r.Run.Seed })
		if k < 0 {
			k, runs = len(runs), append(runs, nil)
		}
		runs[k] = append(runs[k], r)
	}
	whole := make([]*Report, len(runs))
	for i, run := range runs {
		var err error
		if whole[i], err = mergeRun(run); err != nil {
			return nil, err
		}
		if err := join(whole[i]); err != nil {
			return nil, err
		}
	}
	if len(whole) == 1 {
		return whole[0], nil
	}
	for i := range whole {
		if a, b := whole[0].Run.Tier, whole[i].Run.Tier; a != b {
			return nil,
				fmt.Errorf(
					"reports of seeds %s and %s are of different tiers, %s and %s: their evidence is not pooled",
					whole[0].Run.seeds(), whole[i].Run.seeds(), a, b)
		}
	}
	return pool(whole), nil
}

// Sliced returns the outcomes of runs of each claim of which all slices are here.
func (r *Report) Sliced() map[string]map[string][]uint64 {
	kept, parts := map[string]map[string][]uint64{}, map[string]int{}
	for i := range r.Slices {
		s := &r.Slices[i]
		if kept[s.Claim] == nil {
			kept[s.Claim] = map[string][]uint64{}
		}
		maps.Copy(kept[s.Claim], s.Kept)
		parts[s.Claim]++
	}
	for i := range r.Slices {
		if s := &r.Slices[i]; parts[s.Claim] != s.Of {
			delete(kept, s.Claim)
		}
	}
	return kept
}

// Join takes the results of claims whose slices were here in their place.
func (r *Report) Join(results []props.Result) {
	for i := range results {
		r.Claims = append(r.Claims, newClaim(&results[i]))
		r.Slices = slices.DeleteFunc(r.Slices,
			func(s props.Sliced) bool { return s.Claim == results[i].Claim.ID })
	}
	r.Run.Planned += len(results)
	if len(r.Slices) == 0 {
		r.Slices, r.Run.Division = nil, ""
	}
	r.finish()
}

// mergeRun joins reports of one seed.
func mergeRun(rs []*Report) (*Report, error) {
	out := joined(rs)
	var shards []string
	owner := map[string]int{}
	for i, r := range rs {
		if err := sameRun(rs[0], r); err != nil {
			return nil, fmt.Errorf("%s are of different runs: %w", both(rs, 0, i), err)
		}
		if sharded := rs[0].Run.Shard != "1/1" || r.Run.Shard != "1/1"; sharded &&
			!slices.Equal(rs[0].Run.Selection, r.Run.Selection) {
			return nil,
				fmt.Errorf("%s are shards of different selections: %s in one and %s in the other",
					both(rs, 0, i),
					selection(rs[0]), selection(r))
		}
		if a, b := rs[0].Run.Division, r.Run.Division; a != b {
			return nil,
				fmt.Errorf(
					"%s are shards of different divisions: %q in one and %q in the other; were their costs "+
						"the same?", both(rs, 0, i), a, b)
		}
		for j := range r.Claims {
			id := r.Claims[j].ID
			if k, twice := owner[id]; twice {
				return nil, fmt.Errorf("claim %q is in %s: the same seed twice is no new evidence",
					id, both(rs, k, i))
			}
			owner[id] = i
		}
		for _, s := range r.Slices {
			id := fmt.Sprintf("%s %d/%d", s.Claim, s.K, s.Of)
			if k, twice := owner[id]; twice {
				return nil, fmt.Errorf("slice %s is in %s", id, both(rs, k, i))
			}
			owner[id] = i
		}
		out.Claims, out.Slices = append(out.Claims, r.Claims...), append(out.Slices, r.Slices...)
		shards = append(shards, strings.Split(r.Run.Shard, "+")...)
	}
	missing := ""
	if out.Run.Shard, missing = joinShards(shards); missing != "" {
		out.Run.Partial = strings.TrimPrefix(out.Run.Partial+"; "+missing, "; ")
	}
	out.finish()
	return out, nil
}

// joined is a report without claims whose run is all of the given ones together.
func joined(rs []*Report) *Report {
	out := &Report{Schema: reportSchema, Tool: rs[0].Tool, Run: rs[0].Run, Text: rs[0].Text,
		Causes: rs[0].Causes}
	out.Run.Partial, out.Run.Planned, out.Run.Seconds = "", 0, 0
	var gaps []string
	for _, r := range rs {
		for digest, by := range r.Machine {
			if out.Machine == nil {
				out.Machine = map[string]string{}
			}
			out.Machine[digest] = by
		}
		out.Run.Planned += r.Run.Planned
		out.Run.Seconds += r.Run.Seconds
		if r.Run.Started.Before(out.Run.Started) {
			out.Run.Started = r.Run.Started
		}
		if r.Run.Partial != "" && !slices.Contains(gaps, r.Run.Partial) {
			gaps = append(gaps, r.Run.Partial)
		}
		if !slices.Equal(r.Run.Selection, out.Run.Selection) {
			out.Run.Selection = append(slices.Clone(out.Run.Selection), r.Run.Selection...)
		}
	}
	out.Run.Partial = strings.Join(gaps, "; ")
	return out
}

// pool joins reports of different seeds.
func pool(rs []*Report) *Report {
	out := joined(rs)
	out.Run.Shard, out.Run.Planned = "1/1", 0
	highest := 0.0
	out.Run.Alpha = 0
	results := map[string][]props.Result{}
	claims := map[string]Claim{}
	var order []string
	for _, r := range rs {
		out.Run.Seeds = append(out.Run.Seeds, r.Run.Seed)
		out.Run.Alpha += r.Run.Alpha
		highest = max(highest, float64(r.Run.Alpha))
		for i := range r.Claims {
			c := &r.Claims[i]
			if _, known := claims[c.ID]; !known {
				claims[c.ID], order = *c, append(order, c.ID)
			}
			results[c.ID] = append(results[c.ID], c.result())
		}
	}
	out.Run.Alpha += Num(highest) // each run keeps its tests, and there is a pooled one of each
	for _, id := range order {
		c := claims[id]
		if found := results[id]; len(found) > 1 {
			pooled := props.Pool(found)
			c.Verdict, c.Unexpected, c.Error, c.Seconds = pooled.Verdict, pooled.Unexpected(),
				pooled.Err, pooled.Seconds
			c.Evidence = make([]Evidence, len(pooled.Evidence))
			for i := range pooled.Evidence {
				c.Evidence[i].Evidence = pooled.Evidence[i]
			}
			c.Loose = pooled.Loose()
			c.Excluded, _ = c.room()
		}
		out.Claims = append(out.Claims, c)
	}
	out.Run.Planned = len(out.Claims)
	out.finish()
	return out
}

// result is what a run found out about the claim.
func (c *Claim) result() props.Result {
	return props.Result{Claim: c.Claim, Verdict: c.Verdict, Seconds: c.Seconds, Err: c.Error,
		Evidence: c.Found()}
}

// Found is the evidence of the claim as the engine made it.
func (c *Claim) Found() []props.Evidence {
	var out []props.Evidence
	for i := range c.Evidence {
		out = append(out, c.Evidence[i].Evidence)
	}
	return out
}

// Ours returns nil if the report is of this very program, so that what is computed here fits in.
func (r *Report) Ours() error { return sameRun(r, &Report{Tool: thisTool(), Run: r.Run}) }

// named names a report by its file, if it has one.
func named(rs []*Report, i int) string {
	if rs[i].source != "" {
		return rs[i].source
	}
	return fmt.Sprintf("report %d", i+1)
}

// both names two of the reports.
func both(rs []*Report, i, j int) string {
	if rs[i].source != "" && rs[j].source != "" && rs[i].source != rs[j].source {
		return rs[i].source + " and " + rs[j].source
	}
	return fmt.Sprintf("reports %d and %d", i+1, j+1)
}

func selection(r *Report) string {
	if len(r.Run.Selection) == 0 {
		return "all claims"
	}
	return fmt.Sprintf("%q", r.Run.Selection)
}

// sameRun says what differs between two runs that may change numbers.
func sameRun(a, b *Report) error {
	type field struct {
		name string
		a, b any
	}
	for _, f := range []field{
		{"seed", a.Run.seeds(), b.Run.seeds()},
		{"tier", a.Run.Tier, b.Run.Tier},
		{"alpha", a.Run.Alpha.String(), b.Run.Alpha.String()},
		{"number of tests", a.Run.Tests, b.Run.Tests},
		{"tool version", a.Tool.Version, b.Tool.Version}, {"Go version", a.Tool.Go, b.Tool.Go},
		{"architecture", a.Tool.Arch, b.Tool.Arch},
		{"GOAMD64", a.Tool.GOAMD64, b.Tool.GOAMD64}, {"build tags", a.Tool.Tags, b.Tool.Tags},
	} {
		if f.a != f.b {
			return fmt.Errorf("%s is %v in one and %v in the other", f.name, f.a, f.b)
		}
	}
	return nil
}

// seeds is the root of the randomness, or are those of a pooled report.
func (r *Run) seeds() string {
	if len(r.Seeds) == 0 {
		return fmt.Sprint(r.Seed)
	}
	return strings.ReplaceAll(strings.Trim(fmt.Sprint(r.Seeds), "[]"), " ", ", ")
}

// joinShards returns "1/1" if the shards k/K are complete, and otherwise their sum and what is
// missing.
func joinShards(shards []string) (joined, missing string) {
	slices.Sort(shards)
	shards = slices.Compact(shards)
	joined = strings.Join(shards, "+")
	var k, K int
	var lost []string
	if _, err := fmt.Sscanf(shards[0], "%d/%d", &k, &K); err != nil {
		return joined, ""
	}
	for k := 1; k <= K; k++ {
		if s := fmt.Sprintf("%d/%d", k, K); !slices.Contains(shards, s) {
			lost = append(lost, s)
		}
	}
	switch {
	case len(lost) > 0:
		return joined, "no report of shard " + strings.Join(lost, ", ")
	case len(shards) == K:
		return "1/1", ""
	}
	return joined, ""
}
