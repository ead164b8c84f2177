package main

import (
	"fmt"
	"path"
	"regexp"
	"strconv"
	"strings"

	"sledge/props"
)

// matcher reports whether a claim is selected.
type matcher func(*props.Claim) bool

// parsePattern reads one ID-PATTERN; see patternManual.
func parsePattern(s string) (matcher, error) {
	if len(s) > 2 && s[0] == '/' && s[len(s)-1] == '/' {
		re, err := regexp.Compile(s[1 : len(s)-1])
		if err != nil {
			return nil, usagef("pattern %q is no regular expression: %v", s, err)
		}
		return func(c *props.Claim) bool { return re.MatchString(c.ID) }, nil
	}
	if _, err := path.Match(s, ""); err != nil || s == "" {
		return nil, usagef("pattern %q is no glob: want * ? and closed [...] classes, or /regular expression/", s)
	}
	return func(c *props.Claim) bool {
		base, _, _ := strings.Cut(c.ID, "/")
		for _, name := range []string{c.ID, base, c.Part} {
			if ok, _ := path.Match(s, name); ok {
				return true
			}
		}
		return false
	}, nil
}

// choose returns the claims that any of the patterns selects, in their order; without patterns, all. A pattern that selects nothing is
// an error, since it is more likely a slip than a wish.
func choose(claims []props.Claim, patterns []string) ([]props.Claim, error) {
	if len(patterns) == 0 {
		if len(claims) == 0 {
			return nil, &status{exitNothing, "there are no claims"}
		}
		return claims, nil
	}
	take := make([]bool, len(claims))
	var idle error
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
		if !found && idle == nil {
			idle = &status{exitNothing, fmt.Sprintf("nothing matches %q; \"verify list\" shows the claims", s)}
		}
	}
	if idle != nil {
		return nil, idle
	}
	var out []props.Claim
	for i := range claims {
		if take[i] {
			out = append(out, claims[i])
		}
	}
	return out, nil
}

// shard is the k-th of K parts of the claims, dealt out in turn.
type shard struct{ k, K int }

func (s *shard) String() string {
	if s.K == 0 {
		return "1/1"
	}
	return fmt.Sprintf("%d/%d", s.k, s.K)
}

// Set reads k/K.
func (s *shard) Set(text string) error {
	left, right, ok := strings.Cut(text, "/")
	k, err1 := strconv.Atoi(left)
	K, err2 := strconv.Atoi(right)
	if !ok || err1 != nil || err2 != nil || k < 1 || K < k {
		return fmt.Errorf("want k/K with 1 ≤ k ≤ K")
	}
	*s = shard{k, K}
	return nil
}

func (s *shard) of(claims []props.Claim) ([]props.Claim, error) {
	if s.K <= 1 {
		return claims, nil
	}
	var out []props.Claim
	for i := s.k - 1; i < len(claims); i += s.K {
		out = append(out, claims[i])
	}
	if len(out) == 0 {
		return nil, &status{exitNothing, fmt.Sprintf("shard %s is empty: only %d claims are selected", s, len(claims))}
	}
	return out, nil
}
