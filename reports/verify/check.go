package verify

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"strings"

	"sledge/props"
	"sledge/props/certificate"
	"sledge/props/certificate/checker"
	"sledge/props/parallel"
	"sledge/props/plain"
	"sledge/reports"
)

func checkVerb() Verb {
	return Verb{
		Bind: func(flags *flag.FlagSet) Action {
			var o checking
			flags.BoolVar(&o.verbose, "v", false, "")
			flags.BoolVar(&o.repeat, "repeat", false, "")
			Count(flags, &o.again, "again")
			o.rocq.flags(flags)
			return func(ctx context.Context, c *Call) error { return check(ctx, c, &o) }
		},
	}.Described(help, "check")
}

type checking struct {
	verbose, repeat bool
	again           int // claims to be checked again
	rocq            proving
}

// evaluated counts pieces of evidence whose instances were evaluated again, and others, and those
// that are proved without a certificate, such as by trying the whole of a small domain.
type evaluated struct{ again, not, tried int }

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
	if err := o.rocq.check(c); err != nil {
		return err
	}
	rs, err := read(ctx, []string{path})
	if err != nil {
		return err
	}
	r := rs[0]
	remade, err := genuine(ctx, c, r)
	if err != nil {
		return err
	}
	var all []held
	var counts evaluated
	for i := range r.Claims {
		if ctx.Err() != nil {
			return Exitf(Interrupted, nothingWritten)
		}
		claim := &r.Claims[i]
		pooled := len(r.Run.Seeds) > 0
		if err := vouched(claim, remade[claim.ID], pooled, &counts); err != nil {
			return Exitf(Usage, "%s: %v", claim.ID, err)
		}
		for k := range claim.Evidence {
			e := &claim.Evidence[k]
			if e.Certificate == nil {
				continue
			}
			h := held{Certificate: e.Certificate, claim: claim}
			err := checker.Check(h.Certificate)
			h.digest = errors.Is(err, checker.ErrRepeat)
			if err != nil && !h.digest {
				return Exitf(Usage, "%s: %v", claim.ID, err)
			}
			all = append(all, h)
		}
	}
	if err := errors.Join(r.Intact(), r.Summed()); err != nil {
		return Exitf(Usage, "%s", strings.ReplaceAll(err.Error(), "\n", "; "))
	}
	if o.again > 0 {
		if err := again(ctx, c, r, o.again); err != nil {
			return err
		}
	}
	if len(all) == 0 && counts.tried == 0 && o.again == 0 {
		return Exitf(Nothing, "%s holds no certificates", path)
	}
	if o.verbose {
		for _, h := range all {
			fmt.Fprintf(c.Out, "%s: %s by %s: %s\n", plain.Line(h.claim.ID),
				plain.Line(h.settles()), plain.Line(string(h.Kind)),
				plain.Line(cmp.Or(h.domain()+h.Statement, "no words")))
		}
	}
	if err := repeat(ctx, c, r, all, o.repeat); err != nil {
		return err
	}
	if len(all) > 0 {
		fmt.Fprintf(c.Out, "%s\n", plain.Line(counted(all)))
	} else if counts.tried > 0 {
		fmt.Fprintf(c.Out, "There are no certificates; %s by trying a whole domain came out again.\n",
			Plural(counts.tried, "proof"))
	}
	fmt.Fprintf(c.Out,
		"The instances of %d pieces of evidence were evaluated again; %d rest on runs or enumerations, which "+
			"-again N makes again for N drawn claims.\n", counts.again, counts.not)
	if own := len(c.Claims()); len(r.Claims) < own {
		fmt.Fprintf(c.Out, "The report has %d of the %d claims of the ledger.\n",
			len(r.Claims), own)
	}
	if o.rocq.dir == "" {
		return nil
	}
	return o.rocq.prove(ctx, c, all)
}

// again checks some claims of the report anew, drawn by nothing that its writer could know, and
// compares all that is found with what is reported.
func again(ctx context.Context, c *Call, r *reports.Report, many int) error {
	if len(r.Run.Seeds) > 0 {
		return Usagef(
			"-again: the report is pooled over seeds: check the reports that it was made of")
	}
	if err := r.Ours(); err != nil {
		return Usagef(
			"-again: another program has made the report, and may find other last digits: %v", err)
	}
	var claims []props.Claim
	for _, i := range rand.Perm(len(r.Claims))[:min(many, len(r.Claims))] {
		claims = append(claims, *c.claim(r.Claims[i].ID))
	}
	tier, _ := tierOf(r.Run.Tier)
	results, err := c.Check(ctx, claims, props.Config{Seed: r.Run.Seed, Tier: tier,
		Alpha: float64(r.Run.Alpha), Tests: r.Run.Tests, Check: checker.Accept})
	if err != nil {
		return err
	}
	if err := r.Repeats(results); err != nil {
		return Exitf(Usage, "%v", err)
	}
	fmt.Fprintf(c.Out, "%s, drawn for this, come out again as reported, to the last digit.\n",
		Plural(len(claims), "claim"))
	return nil
}

// genuine compares the report with the claims that the program holds, and has these make their
// certificates again.
func genuine(ctx context.Context, c *Call, r *reports.Report) (map[string]*props.Remade, error) {
	claims := c.Claims()
	if len(r.Run.Selection) > 0 {
		var err error
		if claims, err = c.Choose(r.Run.Selection); err != nil {
			return nil, err
		}
	}
	if err := r.Genuine(claims, c.kernel); err != nil {
		return nil, Exitf(Usage, "%v", err)
	}
	tier, err := tierOf(r.Run.Tier)
	if err == nil {
		err = c.ran(r, tier)
	}
	if err != nil {
		return nil, Exitf(Usage, "%v", err)
	}
	made := make([]*props.Remade, len(r.Claims))
	errs := make([]error, len(r.Claims))
	parallel.Each(runtime.GOMAXPROCS(0), len(made), func(i int) {
		if ctx.Err() == nil {
			made[i], errs[i] = props.Remake(c.claim(r.Claims[i].ID), tier)
		}
	})
	out := map[string]*props.Remade{}
	for i := range made {
		if errs[i] != nil {
			return nil, fmt.Errorf("%s: %w", r.Claims[i].ID, errs[i])
		}
		out[r.Claims[i].ID] = made[i]
	}
	return out, ctx.Err()
}

// ran returns an error unless what the report says of its run is what a run of this program says:
// how many tests it divides its error level among, which text it is about, how evidence is replayed.
func (c *Call) ran(r *reports.Report, tier props.Tier) error {
	tests := props.Tests(c.Claims(), tier)
	switch {
	case r.Run.Tests != tests:
		return fmt.Errorf("run.tests is %d, the claims make %d", r.Run.Tests, tests)
	case r.Run.Replayer != c.app.replay():
		return fmt.Errorf("run.replayer is %q, evidence of this program is replayed by %q",
			r.Run.Replayer, c.app.replay())
	case r.Run.Partial == "" && r.Run.Planned != len(r.Claims):
		return fmt.Errorf("run.planned is %d, and there are %d claims", r.Run.Planned, len(r.Claims))
	case len(r.Run.Seeds) == 1:
		return errors.New("run.seeds is a single one, over which nothing is pooled")
	case r.Run.Shard == "":
		return errors.New("run.shard is missing")
	case !(r.Run.Seconds >= 0):
		return errors.New("run.seconds is negative")
	}
	l := c.text
	if l != nil && !(reflect.DeepEqual(r.Text, l.Text) && reflect.DeepEqual(r.Causes, l.Causes)) {
		return errors.New("the text, or the causes of what is refuted, are not those of the ledger")
	}
	return nil
}

// vouched returns an error unless the certificates of a claim are its own, and its verdict is what
// its evidence says.
func vouched(c *reports.Claim, remade *props.Remade, pooled bool, counts *evaluated) error {
	switch {
	case (c.Error != "") != (c.Verdict == props.Error):
		return fmt.Errorf("the verdict is %s, and the error %q", c.Verdict, c.Error)
	case c.Error != "":
		return nil
	}
	evidence := c.Found()
	if err := remade.Vouch(evidence); err != nil {
		return err
	}
	if err := remade.Coheres(evidence, pooled); err != nil {
		return err
	}
	for i := range evidence {
		if c.Evidence[i].Certificate == nil && evidence[i].Outcome() == props.Proved {
			counts.tried++
		}
		done, err := remade.Evaluate(&evidence[i])
		switch {
		case err != nil:
			return err
		case done:
			counts.again++
		default:
			counts.not++
		}
	}
	if verdict := remade.Verdict(evidence); verdict != c.Verdict {
		return fmt.Errorf("the verdict is %s, its evidence says %s", c.Verdict, verdict)
	}
	if !pooled && !slices.Equal(remade.Unexpected(evidence), c.Unexpected) {
		return errors.New("what is unexpected of it is not what its evidence says")
	}
	return nil
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
	return fmt.Sprintf("Every certificate holds, %d in all: %s.", len(all),
		strings.Join(said, "; "))
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
		fmt.Fprintf(c.Out,
			"%d of them keep only a digest of what was compared; -repeat makes the comparisons again.\n", len(again))
		return nil
	}
	var claims []props.Claim
	for _, h := range again {
		claim := c.claim(h.claim.ID)
		if claim == nil {
			return Exitf(Nothing, "%s: there is no such claim to repeat", h.claim.ID)
		}
		if len(claims) == 0 || claims[len(claims)-1].ID != claim.ID {
			claims = append(claims, *claim)
		}
	}
	tier, _ := tierOf(r.Run.Tier)
	results, err := c.Check(ctx, claims,
		props.Config{Seed: r.Run.Seed, Tier: tier, Check: checker.Accept})
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
			return Exitf(Usage, "%s: made again, the certificate has another digest", h.claim.ID)
		}
	}
	fmt.Fprintf(c.Out,
		"%d of them keep only a digest of what was compared; made again, they are the same.\n",
		len(again))
	return nil
}

// compared is how much an enumeration has compared, and the digest of it; nothing for other kinds.
func compared(c *certificate.Certificate) string {
	var proof certificate.EnumerationProof
	if c.Kind != certificate.Enumeration || json.Unmarshal(c.Proof, &proof) != nil {
		return ""
	}
	return fmt.Sprintf(" %d %s", proof.Comparisons, proof.Digest)
}
