package verify

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"math"
	"slices"
	"strings"

	"sledge/props"
	"sledge/reports"
	"sledge/reports/store"
)

// plan says which shard checks what: whole claims, and slices of the runs of claims that are too
// long for one shard.
type plan struct {
	claims  [][]int         // of each shard, positions among the claims that are divided
	slices  [][]props.Slice // of each shard
	seconds []float64       // that each shard is expected to take
	rest    float64         // that the merge is expected to take, for what slices leave
	total   float64         // that one process would take
	known   int             // claims whose costs are known
}

const (
	// a claim is divided if it takes more than this part of what a shard has to do,
	longClaim = 0.5
	// into slices of about this part,
	sliceShare = 0.125
	// unless more than this part of it cannot be divided
	mostRest = 0.25
	// each slice makes so many runs at least: whatever comes before the first one is done in each
	leastRuns = 2
)

// divide plans a run on so many shards by what its claims cost. A claim of unknown cost counts as
// the mean of the others.
func divide(claims []props.Claim, costs []reports.Cost, shards int) *plan {
	p := &plan{claims: make([][]int, shards), slices: make([][]props.Slice, shards),
		seconds: make([]float64, shards)}
	known := map[string]*reports.Cost{}
	for i := range costs {
		known[costs[i].Claim] = &costs[i]
	}
	for i := range claims {
		if c := known[claims[i].ID]; c != nil {
			p.known++
			p.total += c.Total()
		}
	}
	mean := 1.0
	if p.known > 0 && p.total > 0 {
		mean = p.total / float64(p.known)
	}
	p.total += mean * float64(len(claims)-p.known)
	type unit struct {
		seconds float64
		claim   int
		slice   *props.Slice
	}
	var units []unit
	share := p.total / float64(shards)
	for i := range claims {
		c := known[claims[i].ID]
		if c == nil {
			units = append(units, unit{mean, i, nil})
			continue
		}
		cost := c.Total()
		of, runs, rest := 0, []int(nil), cost
		if shards > 1 && cost > longClaim*share {
			of, runs, rest = sliceable(&claims[i], c, sliceShare*share)
		}
		if of < 2 || rest > mostRest*cost {
			units = append(units, unit{cost, i, nil})
			continue
		}
		p.rest += rest
		for _, s := range props.Divide(&claims[i], of, runs) {
			units = append(units, unit{(cost - rest) / float64(of), i, &s})
		}
	}
	times := make([]float64, len(units))
	for i, u := range units {
		times[i] = u.seconds
	}
	for i, k := range Deal(times, shards) {
		u := &units[i]
		p.seconds[k] += u.seconds
		if u.slice != nil {
			p.slices[k] = append(p.slices[k], *u.slice)
		} else {
			p.claims[k] = append(p.claims[k], u.claim)
		}
	}
	for _, list := range p.claims {
		slices.Sort(list)
	}
	return p
}

// Deal gives each piece of work to one of so many shards: the longest first, each to the one that
// has least to do so far. It returns the number of the shard of each.
func Deal(seconds []float64, shards int) []int {
	order, to, load := make([]int, len(seconds)), make([]int, len(seconds)), make([]float64, shards)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(seconds[b], seconds[a]) })
	for _, i := range order {
		k := slices.Index(load, slices.Min(load))
		to[i] = k
		load[k] += seconds[i]
	}
	return to
}

// sliceable says into how many slices of about so many seconds the runs of a claim can be cut, the
// runs of each part that is cut, and how many seconds remain.
func sliceable(claim *props.Claim, c *reports.Cost,
	seconds float64) (of int, runs []int, rest float64) {
	runs = make([]int, len(c.Seconds))
	can := props.Divisible(claim.Check)
	most, cost := 0, 0.0
	for part, s := range c.Seconds {
		if part < len(can) && can[part] && c.Runs[part] > 1 {
			runs[part], most, cost = c.Runs[part], max(most, c.Runs[part]), cost+s
		}
	}
	return min(most/leastRuns, int(math.Ceil(cost/seconds))), runs, c.Total() - cost
}

// digest names the plan: shards of different plans do not make a whole.
func (p *plan) digest() string {
	h := sha256.New()
	fmt.Fprintln(h, p.claims, len(p.claims))
	for _, list := range p.slices {
		for _, s := range list {
			fmt.Fprintln(h, s.Claim, s.K, s.Of, s.Runs)
		}
		fmt.Fprintln(h)
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// speedup is how many times faster shards side by side are than one process, the merge included.
func (p *plan) speedup() float64 { return p.total / (slices.Max(p.seconds) + p.rest) }

// costs are those of a report that is named, or those that the ledger brings for the tier.
func (c *Call) costs(ctx context.Context, path string, tier props.Tier) ([]reports.Cost, error) {
	if path != "" {
		rs, err := read(ctx, []string{path})
		if err != nil {
			return nil, err
		}
		return rs[0].Costs(), nil
	}
	if c.app.Costs == nil {
		return nil, nil
	}
	text, err := c.app.Costs(tier)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return reports.ReadCosts(bytes.NewReader(text))
}

func shardsVerb() Verb {
	return Verb{
		Bind: func(flags *flag.FlagSet) Action {
			var budget Budget
			budget.Flags(flags)
			path, record := "", ""
			flags.Var(place{&path}, "costs", "")
			flags.Var(place{&record}, "record", "")
			each := 0
			whole(flags, &each, "K", "", 1, mostShards)
			return func(ctx context.Context, c *Call) error {
				claims, err := c.Choose(c.Args)
				if err != nil {
					return err
				}
				costs, err := c.costs(ctx, path, budget.Tier())
				if err != nil {
					return err
				}
				if record != "" {
					if missing := unknown(claims, costs); len(missing) > 0 {
						return Usagef(
							"-record: what %d of %d claims cost is not known, %s among them: "+
								"run them all", len(missing),
							len(claims), missing[0])
					}
					return store.Write(record, func(w io.Writer) error {
						return reports.WriteCosts(w, costs)
					})
				}
				return writePlans(c.Out, claims, costs, each)
			}
		},
	}.Described(help, "shards")
}

// unknown lists the claims whose costs are not known.
func unknown(claims []props.Claim, costs []reports.Cost) (ids []string) {
	known := map[string]bool{}
	for i := range costs {
		known[costs[i].Claim] = true
	}
	for i := range claims {
		if id := claims[i].ID; !known[id] {
			ids = append(ids, id)
		}
	}
	return ids
}

func writePlans(w io.Writer, claims []props.Claim, costs []reports.Cost, each int) error {
	var b strings.Builder
	if each > 0 {
		p := divide(claims, costs, each)
		b.WriteString("shard  seconds  claims  slices\n")
		for k := range p.seconds {
			fmt.Fprintf(&b, "%5d  %7.1f  %6d  %6d\n", k+1, p.seconds[k], len(p.claims[k]),
				len(p.slices[k]))
		}
	}
	fmt.Fprintln(&b, "shards  longest  merge  divided  times faster")
	list := []int{2, 4, 8, 16, 32, 64, 128}
	if each > 0 {
		list = []int{each}
	}
	var p *plan
	for _, K := range list {
		p = divide(claims, costs, K)
		cut := map[string]bool{}
		for _, s := range slices.Concat(p.slices...) {
			cut[s.Claim] = true
		}
		fmt.Fprintf(&b, "%6d  %7.1f  %5.1f  %7d  %12.1f\n", K, slices.Max(p.seconds), p.rest,
			len(cut), p.speedup())
	}
	fmt.Fprintf(&b, "One process takes %.1f s; the times of %d of %d claims are known.\n",
		p.total, p.known, len(claims))
	_, err := io.WriteString(w, b.String())
	return err
}

// mostShards is the largest number of shards.
const mostShards = 10000
