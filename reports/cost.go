package reports

import (
	"bufio"
	"fmt"
	"io"
	"sledge/props/plain"
	"strconv"
	"strings"
)

// Cost is what the check of a claim took, part by part.
type Cost struct {
	Claim   string
	Seconds []float64 // of work, of all workers together
	Runs    []int     // behind the only test of the part; 0 where there is none, or several
}

// Total is the cost of all parts together.
func (c *Cost) Total() float64 {
	sum := 0.0
	for _, s := range c.Seconds {
		sum += s
	}
	return sum
}

// Costs returns what the claims of the report took.
func (r *Report) Costs() []Cost {
	var out []Cost
	for i := range r.Claims {
		c := &r.Claims[i]
		cost := Cost{c.ID, c.Cost, make([]int, len(c.Cost))}
		if len(c.Cost) == 0 { // written before costs were
			cost.Seconds, cost.Runs = []float64{c.Seconds}, []int{0}
		}
		tests := make([]int, len(cost.Runs))
		for k := range c.Evidence {
			if e := &c.Evidence[k]; e.Part < len(tests) {
				tests[e.Part]++
				cost.Runs[e.Part] = e.Trials
			}
		}
		for part, n := range tests {
			if n != 1 {
				cost.Runs[part] = 0
			}
		}
		out = append(out, cost)
	}
	return out
}

// WriteCosts writes costs as lines of a claim, its seconds, and the runs of its parts, with tabs
// between them.
func WriteCosts(w io.Writer, costs []Cost) error {
	var b strings.Builder
	for _, c := range costs {
		b.WriteString(c.Claim)
		for part, s := range c.Seconds {
			fmt.Fprintf(&b, "\t%s", strconv.FormatFloat(s, 'g', 3, 64))
			if n := c.Runs[part]; n > 0 {
				fmt.Fprintf(&b, "/%d", n)
			}
		}
		b.WriteByte('\n')
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// ReadCosts reads what WriteCosts writes: each claim once, with a cost of each of its parts. An
// error names the line.
func ReadCosts(r io.Reader) ([]Cost, error) {
	var out []Cost
	seen := map[string]bool{}
	lines := bufio.NewScanner(r)
	for at := 1; lines.Scan(); at++ {
		fields := strings.Split(lines.Text(), "\t")
		c := Cost{Claim: fields[0]}
		if c.Claim == "" || strings.ContainsFunc(c.Claim, plain.Steers) {
			return nil, fmt.Errorf("line %d: %q is no id of a claim", at, c.Claim)
		}
		switch {
		case seen[c.Claim]:
			return nil, fmt.Errorf("line %d: %s is there twice", at, c.Claim)
		case len(fields) == 1:
			return nil, fmt.Errorf("line %d: %s has no cost", at, c.Claim)
		}
		seen[c.Claim] = true
		for _, f := range fields[1:] {
			seconds, runs, _ := strings.Cut(f, "/")
			s, err := strconv.ParseFloat(seconds, 64)
			n := 0
			if err == nil && runs != "" {
				n, err = strconv.Atoi(runs)
			}
			if err != nil || !(s >= 0 && s < 1e9) || n < 0 {
				return nil, fmt.Errorf("line %d: %q is no cost: want seconds, or seconds/runs", at,
					f)
			}
			c.Seconds, c.Runs = append(c.Seconds, s), append(c.Runs, n)
		}
		out = append(out, c)
	}
	return out, lines.Err()
}
