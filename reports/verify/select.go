package verify

import (
	"flag"
	"fmt"
	"path"
	"regexp"
	"strconv"
	"strings"

	"sledge/props"
	"sledge/reports"
)

// matcher reports whether a claim is selected.
type matcher func(*props.Claim) bool

// parsePattern reads one ID-PATTERN; see help/patterns.txt.
func parsePattern(s string) (matcher, error) {
	if len(s) > 2 && s[0] == '/' && s[len(s)-1] == '/' {
		re, err := regexp.Compile(s[1 : len(s)-1])
		if err != nil {
			return nil, Usagef("pattern %q is no regular expression: %v", s, err)
		}
		return func(c *props.Claim) bool { return re.MatchString(c.ID) }, nil
	}
	if _, err := path.Match(s, ""); err != nil || s == "" {
		return nil, Usagef(
			"pattern %q is no glob: want * ? and closed [...] classes, or /regular expression/", s)
	}
	return func(c *props.Claim) bool {
		base, _, _ := strings.Cut(c.ID, "/")
		at := strings.LastIndexByte(s, ':')
		if line, err := strconv.Atoi(s[at+1:]); err == nil &&
			(at < 0 || stands(c.Lines, s[:at+1], line)) {
			return at >= 0 || stands(c.Lines, "", line)
		}
		for _, name := range []string{c.ID, base, c.Part, c.Label, c.Theorem,
			strings.TrimPrefix(c.Theorem, "Proof of ")} {
			if ok, _ := path.Match(s, name); ok {
				return true
			}
		}
		return false
	}, nil
}

// stands reports whether a line is among those of a claim, such as "12-14, 20"; of a file that the
// source includes with its name and a colon before it, as in "proofs.tex:12-14".
func stands(lines, file string, line int) bool {
	for span := range strings.SplitSeq(lines, ",") {
		span = strings.TrimSpace(span)
		if span[:strings.LastIndexByte(span, ':')+1] != file {
			continue
		}
		from, to, ranged := strings.Cut(span[len(file):], "-")
		lo, err := strconv.Atoi(from)
		hi := lo
		if ranged && err == nil {
			hi, err = strconv.Atoi(to)
		}
		if err == nil && lo <= line && line <= hi {
			return true
		}
	}
	return false
}

// Choose returns the claims of the ledger that any of the patterns selects, in their order; without
// patterns, all. A pattern that selects nothing is an error, since it is more likely a slip than a
// wish.
func (c *Call) Choose(patterns []string) ([]props.Claim, error) {
	claims := c.Claims()
	if len(patterns) == 0 {
		if len(claims) == 0 {
			return nil, Exitf(Nothing, "there are no claims")
		}
		return claims, nil
	}
	take := make([]bool, len(claims))
	idle := ""
	for _, s := range patterns {
		match, err := parsePattern(s)
		if err != nil {
			return nil, err
		}
		found := false
		for i := range claims {
			if match(&claims[i]) {
				take[i], found = true, true
			}
		}
		if !found && idle == "" {
			idle = s
		}
	}
	if idle != "" {
		return nil, Exitf(Nothing, "nothing matches %q; %s", idle, c.meant(idle))
	}
	var out []props.Claim
	for i := range claims {
		if take[i] {
			out = append(out, claims[i])
		}
	}
	return out, nil
}

// meant says what a pattern or id that nothing has may have been meant for.
func (c *Call) meant(word string) string {
	var known, verbs []string
	for _, claim := range c.Claims() {
		known = append(known, claim.ID, claim.Part, claim.Theorem, claim.Label)
	}
	switch near := Nearest(word, known); {
	case strings.Contains(near, " "):
		return fmt.Sprintf("is it %q?", near)
	case near != "":
		return fmt.Sprintf("is it %s?", near)
	}
	for _, v := range c.app.verbs() {
		verbs = append(verbs, v.Name)
	}
	if near := Nearest(word, verbs); near != "" {
		return fmt.Sprintf("is it the verb %s?", near)
	}
	return fmt.Sprintf("\"%s list\" shows the claims", c.app.Name)
}

// Shard is the k-th of K parts of a run; the zero Shard is all of it.
type Shard struct{ k, K int }

func (s *Shard) String() string {
	if s.K == 0 {
		return "1/1"
	}
	return fmt.Sprintf("%d/%d", s.k, s.K)
}

// Set reads k/K, or asks the environment.
func (s *Shard) Set(text string) error {
	left, right, ok := strings.Cut(text, "/")
	if left == "auto" {
		return s.auto(right, ok)
	}
	k, err1 := strconv.Atoi(left)
	K, err2 := strconv.Atoi(right)
	if !ok || err1 != nil || err2 != nil || k < 1 || K < k || K > mostShards {
		return fmt.Errorf("want k/K with 1 ≤ k ≤ K ≤ %d", mostShards)
	}
	*s = Shard{k, K}
	return nil
}

// Flag declares the flag -shard; what is done is named by what.
func (s *Shard) Flag(flags *flag.FlagSet, what string) {
	flags.Var(s, "shard",
		"do only the `k/K`-th part of "+what+"; auto asks the environment which part (an array of "+
			"Slurm, an indexed job, a matrix), auto/K where that does not say how many parts there are")
}

// Number is that of the part among how many, from 0.
func (s *Shard) Number() (k, of int) {
	if s.K == 0 {
		return 0, 1
	}
	return s.k - 1, s.K
}

// of plans the run and returns what belongs to this part. A run that is not divided has no plan.
func (s *Shard) of(claims []props.Claim,
	costs []reports.Cost) (own []props.Claim, slices []props.Slice, division string,
	err error) {
	if s.K <= 1 {
		return claims, nil, "", nil
	}
	p := divide(claims, costs, s.K)
	for _, i := range p.claims[s.k-1] {
		own = append(own, claims[i])
	}
	if slices = p.slices[s.k-1]; len(own)+len(slices) == 0 {
		return nil, nil, "", Exitf(Nothing, "shard %s is empty: only %d claims are selected", s,
			len(claims))
	}
	return own, slices, p.digest(), nil
}
