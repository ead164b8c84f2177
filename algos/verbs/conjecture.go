package verbs

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

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
}

// Conjecture is the verb that tries to refute a statement that is typed, about a method of the library or one's own.
func Conjecture(own ...algos.Entry) verify.Verb {
	var known strings.Builder
	for _, k := range conjecture.Known() {
		fmt.Fprintf(&known, "\n  %-7s %s", k[0], k[1])
	}
	v := verify.Verb{
		Bind: func(flags *flag.FlagSet) verify.Action {
			k := &conjectures{own: own}
			flags.StringVar(&k.method, "method", "", "")
			flags.StringVar(&k.family, "family", "quadratic", "")
			flags.Func("whp", "", func(s string) (err error) {
				if k.rate, err = strconv.ParseFloat(s, 64); err != nil || !(k.rate > 0 && k.rate <= 1) {
					return errors.New("want a number above 0, at most 1")
				}
				return nil
			})
			flags.Func("c", "", func(s string) (err error) {
				if k.constant, err = strconv.ParseFloat(s, 64); err != nil || !(k.constant > 0) || math.IsInf(k.constant, 0) {
					return errors.New("want a positive number")
				}
				return nil
			})
			flags.StringVar(&k.replay, "replay", "", "")
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
	fmt.Fprintf(c.Out, "%s\n%s on %s problems, after t steps\n", stated.Text, k.method, k.family)
	cfg := props.Config{Seed: k.Seed, Workers: k.Workers, Alpha: props.DefaultAlpha, Tier: k.Tier()}
	fallen := false
	for _, claim := range stated.Claims(max(1, k.constant)) {
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
			refuted, err = k.judge(ctx, c, stated, claim.ID, name, cfg)
		}
		if err != nil {
			return err
		}
		fallen = fallen || refuted
	}
	if fallen {
		return verify.Exitf(verify.Unexpected, "")
	}
	return nil
}

// pose reads the statement and finds the method and the family.
func (k *conjectures) pose(text, command string) (*conjecture.Conjecture, error) {
	known := methods(k.own)
	m := slices.IndexFunc(known, func(e algos.Entry) bool { return strings.EqualFold(e.Name, k.method) })
	if m < 0 {
		return nil, verify.Usagef("-method: there is no method %q; %s", k.method, meant(k.method, known, command))
	}
	k.method = known[m].Name
	var names []string
	var family *problems.Catalogued
	for _, f := range problems.Catalogue() {
		names = append(names, f.Name)
		if f.Name == k.family {
			family = &f
		}
	}
	if family == nil {
		return nil, verify.Usagef("-family: there is no family %q; they are %s", k.family, strings.Join(names, ", "))
	}
	stated, err := conjecture.New(text, known[m], *family, k.rate)
	if err != nil {
		return nil, verify.Usagef("%v", err)
	}
	if k.constant > 0 && !stated.Free {
		return nil, verify.Usagef("-c: there is no c in the statement")
	}
	return stated, nil
}

// judge tries the statement as it stands, or with the constant that was given.
func (k *conjectures) judge(ctx context.Context, c *verify.Call, stated *conjecture.Conjecture, id, name string,
	cfg props.Config) (refuted bool, err error) {
	constant := k.constant
	if constant == 0 {
		constant = 1
	}
	for _, claim := range stated.Claims(constant) {
		if claim.ID != id {
			continue
		}
		results, err := props.Run(ctx, []props.Claim{claim}, cfg)
		if err != nil {
			return false, err
		}
		fmt.Fprintf(c.Out, "\n%s: %s\n", name, results[0].Verdict)
		k.tell(c, stated, &results[0], 0)
		refuted = results[0].Verdict == props.Refuted
	}
	return refuted, nil
}

// search looks for the constant.
func (k *conjectures) search(ctx context.Context, c *verify.Call, stated *conjecture.Conjecture, id, name string,
	cfg props.Config) (refuted bool, err error) {
	found, err := stated.Search(ctx, id, cfg)
	if err != nil {
		return false, err
	}
	digits := func(x float64) string { return props.Number(x, 4) }
	switch {
	case math.IsNaN(found.Constant):
		fmt.Fprintf(c.Out, "\n%s: refuted, for every c that was tried up to %s\n", name, digits(found.Refuted))
	case found.Standing.Verdict == props.Inconclusive || found.Standing.Verdict == props.Vacuous:
		fmt.Fprintf(c.Out, "\n%s: not decided with c = %s\n", name, digits(found.Constant))
	case math.IsNaN(found.Refuted):
		fmt.Fprintf(c.Out, "\n%s: no c was refuted, down to c = %s\n", name, digits(found.Constant))
	default:
		fmt.Fprintf(c.Out, "\n%s: c = %s survived, and c = %s is refuted\n", name, digits(found.Constant),
			digits(found.Refuted))
	}
	if !math.IsNaN(found.Constant) {
		k.tell(c, stated, &found.Standing, found.Constant)
	}
	if found.Witness != nil {
		fmt.Fprintf(c.Out, "  with c = %s:\n", digits(found.Refuted))
		k.tell(c, stated, found.Witness, found.Refuted)
	}
	return math.IsNaN(found.Constant), nil
}

// tell writes what was found: the worst piece of evidence for the verdict, and what the others could have noticed.
func (k *conjectures) tell(c *verify.Call, stated *conjecture.Conjecture, r *props.Result, constant float64) {
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
	}
	if token != "" {
		method := k.method
		if strings.ContainsAny(method, " ()") {
			method = "'" + method + "'"
		}
		line := fmt.Sprintf("%s conjecture '%s' -method %s -family %s", c.Name(), stated.Text, method, k.family)
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
	constant := k.constant
	if constant == 0 {
		constant = 1
	}
	e, _, err := props.Replay(stated.Claims(constant), k.replay)
	if err != nil {
		return verify.Usagef("-replay: %v", err)
	}
	said := reports.Evidence{Evidence: *e}
	_, err = fmt.Fprintf(w, "%s\n%s\n", said.Finding(), e.Where)
	return err
}
