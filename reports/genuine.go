package reports

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"sledge/props"
)

// Genuine returns nil if the claims of the report are the given ones in the same words, and every
// mark of a proof assistant is on the list of what one has accepted. The error names what differs.
// Claims may be missing only from a report that says so; what the evidence says is not looked at,
// see [Report.Intact].
func (r *Report) Genuine(claims []props.Claim, accepted map[string]string) error {
	expected := map[string]*Claim{}
	results := make([]props.Result, len(claims))
	for i := range claims {
		results[i].Claim = claims[i]
		c := newClaim(&results[i])
		expected[c.ID] = &c
	}
	seen := map[string]bool{}
	for i := range r.Claims {
		c := &r.Claims[i]
		want := expected[c.ID]
		switch {
		case want == nil:
			return fmt.Errorf("%s: there is no such claim", c.ID)
		case seen[c.ID]:
			return fmt.Errorf("%s: the claim is there twice", c.ID)
		}
		seen[c.ID] = true
		if field := differs(c, want); field != "" {
			return fmt.Errorf("%s: %s is not that of the ledger", c.ID, field)
		}
	}
	if part := r.Run.Partial != "" || r.Run.Shard != "1/1"; !part {
		for i := range claims {
			if !seen[claims[i].ID] {
				return fmt.Errorf("%s: the claim is missing", claims[i].ID)
			}
		}
	}
	ordered := slices.Clone(r.Claims)
	sortClaims(ordered)
	for i := range ordered {
		if ordered[i].ID != r.Claims[i].ID {
			return fmt.Errorf("%s: the claim does not stand in the order of the text",
				r.Claims[i].ID)
		}
	}
	for digest, by := range r.Machine {
		if accepted[digest] != by {
			return fmt.Errorf(
				"the mark of %s belongs to a certificate that it is not known to accept: %s",
				by, digest)
		}
	}
	return nil
}

// Intact returns nil if the digest of the report is that of its claims, and their replay tokens are
// of their claims, and of the seed and the tier of the run, and the verdict of each claim follows
// from its evidence (see [props.Follows]). The claims are taken word for word as
// they stand in the file, which another version may have written, or as this version writes them,
// if only the form of the file was changed. A baseline has no tokens.
func (r *Report) Intact() error {
	is := digest(r.Claims)
	if was := r.Run.Digest; was != is && (r.source == "" || was != r.claimed) {
		return fmt.Errorf(
			"run.digest is %.12q, that of the claims is %.12q: some number or word was changed",
			was, is)
	}
	seeds := r.Run.Seeds
	if len(seeds) == 0 {
		seeds = []uint64{r.Run.Seed}
	}
	for i := range r.Claims {
		c := &r.Claims[i]
		for k := range c.Evidence {
			e := &c.Evidence[k]
			tokens := []string{e.Replay}
			if e.Simplest != nil {
				tokens = append(tokens, e.Simplest.Replay)
			}
			for _, token := range tokens {
				if token == "" {
					continue
				}
				from, err := props.OriginOf(token)
				switch {
				case err != nil:
					return fmt.Errorf("%s: %s", c.ID, strings.TrimPrefix(err.Error(), "props: "))
				case from.Claim != c.ID || from.Part != e.Part:
					return fmt.Errorf("%s: the replay token of %q is of other evidence",
						c.ID, e.What)
				case !slices.Contains(seeds, from.Seed) || from.Tier.String() != r.Run.Tier:
					return fmt.Errorf(
						"%s: the replay token of %q is of seed %d at the %s tier, the report of seed %s at the "+
							"%s tier", c.ID, e.What, from.Seed, from.Tier, r.Run.seeds(),
						r.Run.Tier)
				case from.Slots != props.Slots(r.Run.Tests) || !r.Run.level(from.Alpha):
					return fmt.Errorf(
						"%s: the replay token of %q is of another error level, or of other tests",
						c.ID, e.What)
				}
			}
		}
		if c.Verdict != props.Error && !props.Follows(c.Verdict, c.Found()) {
			return fmt.Errorf("%s: the verdict is %s, which its evidence does not say", c.ID,
				c.Verdict)
		}
	}
	return nil
}

// level reports whether the error level is that of runs with the given one: of one, or of those
// that are pooled and of the pooled tests.
func (r *Run) level(alpha float64) bool {
	if len(r.Seeds) == 0 {
		return alpha == float64(r.Alpha)
	}
	return math.Abs(float64(r.Alpha)-alpha*float64(len(r.Seeds)+1)) <= 1e-9*alpha
}

// Summed returns nil if what the file of the report derives from its claims is what follows from
// them: of what each proof is, and the summary.
func (r *Report) Summed() error {
	negative := func(seconds float64) bool { return !(seconds >= 0) }
	for i := range r.Claims {
		c := &r.Claims[i]
		result := c.result()
		switch share, _ := c.room(); {
		case c.ProofOf != r.proofOf(c):
			return fmt.Errorf("%s: the proof is not of what the report says it is of", c.ID)
		case c.Loose != result.Loose():
			return fmt.Errorf("%s: it is not said of its evidence whether that is loose", c.ID)
		case c.Excluded != share:
			return fmt.Errorf("%s: its evidence leaves room for %v of the instances, not for %v",
				c.ID, share, c.Excluded)
		case !(c.Seconds >= 0) || slices.ContainsFunc(c.Cost, negative):
			return fmt.Errorf("%s: a time is negative", c.ID)
		}
	}
	if r.source != "" && !bytes.Equal(r.summed, said(r.summarise())) {
		return errors.New("the summary is not that of the claims")
	}
	return nil
}

// Repeats returns nil if the results are those of the report, but for times: what its run would
// find again. The error names the claim that differs.
func (r *Report) Repeats(results []props.Result) error {
	for i := range results {
		again := newClaim(&results[i])
		again.ProofOf = r.proofOf(&again)
		k := slices.IndexFunc(r.Claims, func(c Claim) bool { return c.ID == again.ID })
		if k < 0 || digest(r.Claims[k:k+1]) != digest([]Claim{again}) {
			return fmt.Errorf("%s: checked again, it comes out otherwise than is reported",
				again.ID)
		}
	}
	return nil
}

func said(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		panic("reports: " + err.Error())
	}
	return b
}

// differs names a field of the ledger in which two claims differ, nothing if there is none. The
// place of the check in the code is none.
func differs(a, b *Claim) string {
	fields := func(c *Claim) map[string]json.RawMessage {
		own := struct {
			props.Claim
			Corrects, Title, Checked string
		}{c.Claim, c.Corrects, c.Title, c.Checked}
		own.At = ""
		var out map[string]json.RawMessage
		if err := json.Unmarshal(said(own), &out); err != nil {
			panic("reports: " + err.Error())
		}
		return out
	}
	x, y := fields(a), fields(b)
	for _, name := range slices.Sorted(maps.Keys(y)) {
		if !bytes.Equal(x[name], y[name]) {
			return name
		}
	}
	for _, name := range slices.Sorted(maps.Keys(x)) {
		if y[name] == nil {
			return name
		}
	}
	return ""
}
