package verbs

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"sledge/algos"
	"sledge/algos/conjecture"
	"sledge/algos/problems"
	"sledge/props"
	"sledge/reports"
	"sledge/reports/verify"
)

// conjectures holds the flags of the verb.
type conjectures struct {
	verify.Budget
	own                    []algos.Entry
	method, family, replay string
	rate, constant         float64
	out                    string
	results                []props.Result
}

// Conjecture is the verb that tries to refute a statement that is typed, about a method of the
// library or one's own.
func Conjecture(own ...algos.Entry) verify.Verb {
	var known strings.Builder
	sum, federated := conjecture.Known(false), conjecture.Known(true)
	list := func(from, but [][2]string) {
		for _, k := range from {
			if !slices.Contains(but, k) {
				fmt.Fprintf(&known, "\n  %-9s %s", k[0], k[1])
			}
		}
	}
	list(sum, nil)
	known.WriteString("\n\nand of federated methods, whose steps are rounds, in place of n and b")
	list(federated, sum)
	v := verify.Verb{
		Alone: true,
		Bind: func(flags *flag.FlagSet) verify.Action {
			k := &conjectures{own: own}
			flags.StringVar(&k.method, "method", "", "")
			flags.StringVar(&k.family, "family", "quadratic", "")
			flags.Func("whp", "", func(s string) (err error) {
				if k.rate, err = strconv.ParseFloat(s, 64); err != nil ||
					!(k.rate > 0 && k.rate <= 1) {
					return errors.New("want a number above 0, at most 1")
				}
				return nil
			})
			flags.Func("c", "", func(s string) (err error) {
				if k.constant, err = strconv.ParseFloat(s, 64); err != nil || !(k.constant > 0) ||
					math.IsInf(k.constant, 0) {
					return errors.New("want a positive number")
				}
				return nil
			})
			flags.StringVar(&k.replay, "replay", "", "")
			flags.StringVar(&k.out, "out", "", "")
			k.Flags(flags)
			return k.do
		},
	}.Described(help, "conjecture")
	v.Help += known.String()
	return v
}

func (k *conjectures) do(ctx context.Context, c *verify.Call) error {
	switch {
	case len(c.Args) == 0:
		return verify.Usagef("conjecture needs a statement, such as 'E‖v−∇f‖² ≤ c ζ²/b · S'")
	case len(c.Args) > 1:
		return verify.Usagef("unexpected argument %q; put the statement in quotes", c.Args[1])
	case k.method == "":
		return verify.Usagef("conjecture needs a method: -method SARAH")
	}
	stated, err := k.pose(c.Args[0], c.Name())
	if err != nil {
		return err
	}
	if k.replay != "" {
		return k.again(c.Out, stated)
	}
	if k.out != "" {
		lock, err := k.page()
		if err != nil {
			return err
		}
		defer lock.Close()
	}
	started := time.Now()
	fmt.Fprintf(c.Out, "%s\n%s, %s\n", stated.Text, k.tried(), stated.Domain())
	cfg := props.Config{Seed: k.Seed, Workers: k.Workers, Alpha: props.DefaultAlpha, Tier: k.Tier()}
	fallen := false
	for _, claim := range stated.Claims(cmp.Or(k.constant, 1)) {
		name := "in the mean"
		if claim.ID == "runs" {
			name = "in every run"
			if stated.Rate < 1 {
				name = fmt.Sprintf("in %s %% of the runs", props.Number(100*stated.Rate, 6))
			}
		}
		var refuted bool
		if stated.Free && k.constant == 0 {
			refuted, err = k.search(ctx, c, stated, claim.ID, name, cfg)
		} else {
			refuted, err = k.judge(ctx, c, stated, claim, name, cfg)
		}
		if err != nil {
			return err
		}
		fallen = fallen || refuted
	}
	if k.out != "" {
		if err := k.write(c, stated, started); err != nil {
			return err
		}
	}
	if fallen {
		return verify.Exitf(verify.Unexpected, "")
	}
	return nil
}

// page keeps other processes from the directory of the report.
func (k *conjectures) page() (io.Closer, error) {
	if err := verify.CheckPages(k.out); err != nil {
		return nil, err
	}
	lock, err := reports.Take(k.out)
	if err != nil {
		return nil, verify.Usagef("-out: %v", err)
	}
	return lock, nil
}

// write writes the report: what was tried as it stands, and of a search the c that survived and the
// one that did not.
func (k *conjectures) write(c *verify.Call, stated *conjecture.Conjecture,
	started time.Time) error {
	for i := range k.results {
		claim := &k.results[i].Claim
		claim.Notes = fmt.Sprintf("%s, %s.", k.tried(), stated.Domain()) +
			strings.TrimRight(" "+claim.Notes, " ")
	}
	r := reports.New(k.results, reports.Run{Seed: k.Seed, Tier: k.Tier().String(),
		Alpha: props.DefaultAlpha, Started: started, Seconds: time.Since(started).Seconds(),
		Planned: len(k.results), Selection: []string{stated.Text}})
	if err := r.WriteDir(k.out, reports.Pages{}); err != nil {
		return err
	}
	_, err := fmt.Fprintf(c.Out, "\n%s\n", filepath.Join(k.out, reports.IndexFile))
	return err
}

// tried says of which runs the statement is.
func (k *conjectures) tried() string {
	family, drawn, ranged := strings.Cut(k.family, " with ")
	if ranged {
		drawn = " with " + drawn
	}
	return fmt.Sprintf("%s on %s problems%s", k.method, family, drawn)
}

// keep has a result on the pages, of a claim of the given id.
func (k *conjectures) keep(r props.Result, id, note string) {
	r.Claim.ID, r.Claim.Notes = id, note
	k.results = append(k.results, r)
}

// pose reads the statement and finds the method and the family.
func (k *conjectures) pose(text, command string) (*conjecture.Conjecture, error) {
	known := append(methods(k.own), conjecture.AnyStep)
	m := slices.IndexFunc(known,
		func(e algos.Entry) bool { return strings.EqualFold(e.Name, k.method) })
	if m < 0 {
		return nil, verify.Usagef("-method: there is no method %q; %s", k.method,
			meant(k.method, known, command))
	}
	k.method = known[m].Name
	name, drawn, _ := strings.Cut(k.family, " with ")
	family, err := problems.Family(name)
	if err != nil {
		return nil, verify.Usagef("-family: %v", err)
	}
	stated, err := conjecture.New(text, known[m], family, k.rate, drawn)
	if errors.As(err, new(*conjecture.RangeError)) {
		return nil, verify.Usagef("-family: %v", err)
	}
	if err != nil {
		return nil, verify.Usagef("%v", err)
	}
	if k.constant > 0 && !stated.Free {
		return nil, verify.Usagef("-c: there is no c in the statement")
	}
	return stated, nil
}

// judge tries the statement as it stands, or with the constant that was given, and reports whether
// it is refuted or nothing can be told.
func (k *conjectures) judge(ctx context.Context, c *verify.Call, stated *conjecture.Conjecture,
	claim props.Claim, name string, cfg props.Config) (fallen bool, err error) {
	results, err := c.Check(ctx, []props.Claim{claim}, cfg)
	if err != nil {
		return false, err
	}
	verdict := results[0].Verdict
	said, besides := verdict.String(), ""
	what, share := stated.Undecided()
	if what != "" && verdict != props.Refuted {
		why := fmt.Sprintf(
			"not decidable in floating point: %s is what rounding leaves of larger terms", what)
		if share < 0.1 {
			besides = fmt.Sprintf("  %s %% of the comparisons are %s\n",
				props.Number(100*share, 2), why)
		} else {
			said = why
		}
	}
	fmt.Fprintf(c.Out, "\n%s: %s\n%s", name, said, besides)
	k.tell(c, stated, &results[0], 0)
	note := ""
	if stated.Free {
		note = fmt.Sprintf("c = %v", cmp.Or(k.constant, 1))
	}
	k.keep(results[0], claim.ID, note)
	return verdict == props.Refuted || verdict == props.Error, nil
}

// search looks for the constant.
func (k *conjectures) search(ctx context.Context, c *verify.Call, stated *conjecture.Conjecture, id,
	name string,
	cfg props.Config) (refuted bool, err error) {
	count := c.Counter(name, "searches")
	found, err := stated.Search(ctx, id, cfg)
	if count(1, 1); err != nil {
		return false, err
	}
	digits := func(x float64) string { return props.Number(x, 4) }
	switch {
	case math.IsNaN(found.Constant):
		fmt.Fprintf(c.Out, "\n%s: refuted, for every c that was tried up to %s\n", name,
			digits(found.Refuted))
	case found.Standing.Verdict == props.Inconclusive || found.Standing.Verdict == props.Vacuous:
		fmt.Fprintf(c.Out, "\n%s: not decided with c = %s\n", name, digits(found.Constant))
	case math.IsNaN(found.Refuted):
		fmt.Fprintf(c.Out, "\n%s: no c was refuted, down to c = %s\n", name, digits(found.Constant))
	case len(found.Grows) > 0:
		fmt.Fprintf(c.Out,
			"\n%s: refuted, there is no c (%s survives on the usual instances alone)\n", name,
			digits(found.Constant))
	default:
		fmt.Fprintf(c.Out, "\n%s: c = %s survived, and c = %s is refuted\n", name,
			digits(found.Constant), digits(found.Refuted))
	}
	for _, g := range found.Grows {
		fmt.Fprintf(c.Out, "  %s\n", g)
	}
	if !math.IsNaN(found.Constant) {
		k.keep(found.Standing, id, "c = "+digits(found.Constant))
		k.tell(c, stated, &found.Standing, found.Constant)
	}
	if found.Witness != nil {
		fmt.Fprintf(c.Out, "  with c = %s:\n", digits(found.Refuted))
		k.keep(*found.Witness, id+"/smaller", "c = "+digits(found.Refuted))
		k.tell(c, stated, found.Witness, found.Refuted)
	}
	return math.IsNaN(found.Constant) || len(found.Grows) > 0, nil
}

// leastBlind is the share of comparisons from which on it is told that they decide nothing: the
// search comes by ties of sharp statements more often than not.
const leastBlind = 0.5

// tell writes what was found: the worst piece of evidence for the verdict, and what the others
// could have noticed.
func (k *conjectures) tell(c *verify.Call, stated *conjecture.Conjecture, r *props.Result,
	constant float64) {
	if r.Err != "" {
		line, _, _ := strings.Cut(r.Err, "\n")
		fmt.Fprintf(c.Out, "  %s\n", line)
		return
	}
	claim := reports.New([]props.Result{*r}, reports.Run{}).Claims[0]
	e := claim.Lead()
	if e == nil {
		fmt.Fprintln(c.Out, "  nothing was compared")
		return
	}
	fmt.Fprintf(c.Out, "  %s\n", e.Finding())
	where, token := e.Where, e.Replay
	if x := e.Simplest; x != nil {
		fmt.Fprintf(c.Out, "  simplest: measured %s, claimed %s\n", x.Measured, x.Claimed)
		where, token = x.Where, x.Replay
	}
	if where != "" {
		fmt.Fprintf(c.Out, "  at %s\n", where)
	}
	if r.Verdict != props.Refuted {
		said := map[string]bool{"": true}
		for i := range claim.Evidence {
			if s := claim.Evidence[i].Noticeable(); !said[s] {
				said[s] = true
				fmt.Fprintf(c.Out, "  power: %s\n", s)
			}
		}
		if blind := stated.Blind(); blind >= leastBlind {
			fmt.Fprintf(c.Out, "  power: the sides of %s %% of the comparisons differ by a "+
				"relative %v or less, which counts as rounding: a false statement stands there, as "+
				"with step sizes so small\n", props.Number(100*blind, 2),
				props.Number(props.RoundingBand, 2))
		}
	}
	if token != "" {
		quoted := func(s string) string {
			if strings.ContainsAny(s, " ()") {
				return "'" + s + "'"
			}
			return s
		}
		line := fmt.Sprintf("%s conjecture '%s' -method %s -family %s", c.Name(), stated.Text,
			quoted(k.method), quoted(k.family))
		if k.rate > 0 {
			line += fmt.Sprintf(" -whp %v", k.rate)
		}
		if constant = max(constant, k.constant); constant > 0 {
			line += " -c " + strconv.FormatFloat(constant, 'g', -1, 64)
		}
		fmt.Fprintf(c.Out, "  %s -replay %s\n", line, token)
	}
}

// again evaluates a piece of evidence.
func (k *conjectures) again(w io.Writer, stated *conjecture.Conjecture) error {
	e, _, err := props.Replay(stated.Claims(cmp.Or(k.constant, 1)), k.replay)
	if err != nil {
		return verify.Usagef("-replay: %v", err)
	}
	said := reports.Evidence{Evidence: *e}
	_, err = fmt.Fprintf(w, "%s\n%s\n", said.Finding(), e.Where)
	return err
}
