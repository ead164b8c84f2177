package verify

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"maps"
	"slices"
	"strings"

	"sledge/props"
	"sledge/props/certificate"
	"sledge/props/certificate/checker"
	"sledge/reports"
)

func checkVerb() Verb {
	return Verb{
		Bind: func(flags *flag.FlagSet) Action {
			var o checking
			flags.BoolVar(&o.verbose, "v", false, "")
			flags.BoolVar(&o.repeat, "repeat", false, "")
			o.rocq.flags(flags)
			return func(ctx context.Context, c *Call) error { return check(ctx, c, &o) }
		},
	}.Described(help, "check")
}

type checking struct {
	verbose, repeat bool
	rocq            proving
}

// held is a certificate of a report that the checker accepts.
type held struct {
	*certificate.Certificate
	claim  *reports.Claim
	digest bool // only one is kept
}

func check(ctx context.Context, c *Call, o *checking) error {
	if err := c.AtMost(1); err != nil {
		return err
	}
	path := defaultDir
	if len(c.Args) == 1 {
		path = c.Args[0]
	}
	if err := o.rocq.check(); err != nil {
		return err
	}
	rs, err := read([]string{path})
	if err != nil {
		return err
	}
	r := rs[0]
	var all []held
	for i := range r.Claims {
		claim := &r.Claims[i]
		for k := range claim.Evidence {
			e := &claim.Evidence[k]
			if e.Certificate == nil {
				continue
			}
			h := held{Certificate: e.Certificate, claim: claim}
			err := checker.Check(h.Certificate)
			h.digest = errors.Is(err, checker.ErrRepeat)
			switch {
			case err != nil && !h.digest:
				return Exitf(Unexpected, "%s: %v", claim.ID, err)
			case h.Refutes != (e.Outcome() == props.Refuted) || !h.Refutes &&
				(e.Outcome() != props.Proved || e.Scope != h.Scope):
				return Exitf(Unexpected, "%s: the certificate does not settle what the report says it does", claim.ID)
			}
			all = append(all, h)
		}
	}
	if len(all) == 0 {
		return Exitf(Nothing, "%s holds no certificates", path)
	}
	if o.verbose {
		for _, h := range all {
			fmt.Fprintf(c.Out, "%s: %s by %s: %s\n", h.claim.ID, h.settles(), h.Kind, cmp.Or(h.domain()+h.Statement, "no words"))
		}
	}
	if err := repeat(ctx, c, r, all, o.repeat); err != nil {
		return err
	}
	fmt.Fprintf(c.Out, "%s\n", counted(all))
	if o.rocq.dir == "" {
		return nil
	}
	return o.rocq.prove(ctx, c, all)
}

func (h *held) domain() string {
	if h.Domain == "" {
		return ""
	}
	return h.Domain + ": "
}

// settles says what the certificate does to the statement.
func (h *held) settles() string {
	switch {
	case h.Refutes:
		return "refuted"
	case h.Scope == certificate.All:
		return "proved"
	}
	return fmt.Sprintf("proved for %s (%s)", h.Scope, h.Covers)
}

// counted says how many certificates there are of each kind and scope.
func counted(all []held) string {
	counts := map[certificate.Kind]map[string]int{}
	for _, h := range all {
		what := "proofs of " + string(h.Scope)
		if h.Refutes {
			what = "refutations"
		}
		if counts[h.Kind] == nil {
			counts[h.Kind] = map[string]int{}
		}
		counts[h.Kind][what]++
	}
	var said []string
	for _, kind := range slices.Sorted(maps.Keys(counts)) {
		var parts []string
		for _, what := range slices.Sorted(maps.Keys(counts[kind])) {
			parts = append(parts, fmt.Sprintf("%d %s", counts[kind][what], what))
		}
		said = append(said, fmt.Sprintf("%s: %s", kind, strings.Join(parts, ", ")))
	}
	return fmt.Sprintf("Every certificate holds, %d in all: %s.", len(all), strings.Join(said, "; "))
}

// repeat has the claims make those certificates again of which only a digest is kept.
func repeat(ctx context.Context, c *Call, r *reports.Report, all []held, do bool) error {
	var again []held
	for _, h := range all {
		if h.digest {
			again = append(again, h)
		}
	}
	switch {
	case len(again) == 0:
		return nil
	case !do:
		fmt.Fprintf(c.Out, "%d of them keep only a digest of what was compared; -repeat makes the comparisons again.\n",
			len(again))
		return nil
	}
	var claims []props.Claim
	for _, h := range again {
		k := slices.IndexFunc(c.Claims(), func(claim props.Claim) bool { return claim.ID == h.claim.ID })
		if k < 0 {
			return Exitf(Nothing, "%s: there is no such claim to repeat", h.claim.ID)
		}
		if claim := c.Claims()[k]; len(claims) == 0 || claims[len(claims)-1].ID != claim.ID {
			claims = append(claims, claim)
		}
	}
	tier := props.Quick
	for _, t := range tiers() {
		if t.String() == r.Run.Tier {
			tier = t
		}
	}
	results, err := c.Check(ctx, claims, props.Config{Seed: r.Run.Seed, Tier: tier, Check: checker.Accept})
	if err != nil {
		return err
	}
	made := map[string]bool{}
	for i := range results {
		for k := range results[i].Evidence {
			if cert := results[i].Evidence[k].Certificate; cert != nil {
				made[results[i].Claim.ID+compared(cert)] = true
			}
		}
	}
	for _, h := range again {
		if !made[h.claim.ID+compared(h.Certificate)] {
			return Exitf(Unexpected, "%s: made again, the certificate has another digest", h.claim.ID)
		}
	}
	fmt.Fprintf(c.Out, "%d of them keep only a digest of what was compared; made again, they are the same.\n", len(again))
	return nil
}

// compared is the digest of what an enumeration has compared; nothing for other kinds.
func compared(c *certificate.Certificate) string {
	var proof certificate.EnumerationProof
	if c.Kind != certificate.Enumeration || json.Unmarshal(c.Proof, &proof) != nil {
		return ""
	}
	return " " + proof.Digest
}
