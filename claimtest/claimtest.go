// Package claimtest runs the claims of this repository's ledger in tests, each in those of one
// package: that which binds its check, or the lowest one that can make it of the words of its
// entry. So a change runs the claims again that it may change, and no others.
//
// Programs must not import this package, see [proptest].
package claimtest

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"sledge/props"
	"sledge/props/certificate/checker"
	"sledge/props/ledger"
	"sledge/props/proptest"
)

// Files are the patterns of the files of the ledger, symbols first.
var Files = []string{"concentration/symbols.ledger", "bounds/symbols.ledger",
	"docs/ledger/*.ledger"}

// Tests is the number of tests among which the error level is divided, see [props.Config]: that of
// the whole ledger at the quick tier, so that a claim has the numbers here that it has in a report.
const Tests = 1024

// ListVariable is the name of an environment variable. Where it is set, claims are named, one a
// line behind [ListMark], and not run.
const (
	ListVariable = "CLAIMTEST_LIST"
	ListMark     = "claim: "
)

// Share says for which claims the tests of a package are answerable.
type Share struct {
	// Bindings are the checks in Go. Those of claims that another package answers for are left out.
	Bindings [][]props.Binding
	// Of are the kinds of entries whose checks are made of their words that are taken, as
	// [ledger.Ledger.Makes] tells them; of an entry of several kinds the last in [Kinds] counts.
	Of []string
	// Stated makes checks of what is said of runs; may be nil.
	Stated func(ledger.Runs) (props.Check, string, error)
	// Only, where it is given, leaves those that another package's tests run out of the share.
	Only func(*props.Claim) bool
	// Settle settles claims that are theorems of a development. Where it is given, the share is
	// those of them that Bindings and Stated make, else all others.
	Settle func([]props.Claim) error
}

// Kinds are the kinds of entries whose checks are made of their words, from those that the lowest
// package can make.
var Kinds = []string{ledger.Formulas, "runs", "steps", "errors", "messages", "means", "cost", "constants",
	"parts", "pairs", "samples", "searches", "instances",
	"growth", "members", "tails", "laws", "findings"}

// Claims returns the claims of a share, in the order of the ledger, with what is on record about
// them.
func (s *Share) Claims() ([]props.Claim, error) {
	root, err := repository()
	if err != nil {
		return nil, err
	}
	l, err := ledger.Read(root, Files...)
	if err != nil {
		return nil, err
	}
	asked, err := fs.ReadFile(root, "testdata/asked.json")
	if err != nil {
		return nil, err
	}
	record, err := props.ReadRecord(asked)
	if err != nil {
		return nil, err
	}
	joined, err := s.join(l)
	if err != nil {
		return nil, err
	}
	props.Recorded(joined, record)
	return joined, nil
}

func (s *Share) join(l *ledger.Ledger) ([]props.Claim, error) {
	bound := map[string]bool{}
	for _, b := range slices.Concat(s.Bindings...) {
		bound[b.ID] = true
	}
	known, mine := map[string]bool{}, map[string]bool{}
	part := l.Only(func(c *props.Claim) bool {
		known[c.ID] = true
		mine[c.ID] = (c.Formal != "") == (s.Settle != nil) &&
			(bound[c.ID] || s.makes(l.Makes(c.ID))) && (s.Only == nil || s.Only(c))
		return mine[c.ID]
	})
	if s.Stated != nil {
		if err := part.Run(s.Stated); err != nil {
			return nil, err
		}
	}
	var bindings []props.Binding
	for _, b := range slices.Concat(s.Bindings...) {
		if mine[b.ID] || !known[b.ID] { // what has no entry is an error
			bindings = append(bindings, b)
		}
	}
	joined, err := part.Join(bindings)
	if err == nil && s.Settle != nil {
		err = s.Settle(joined)
	}
	return joined, err
}

// makes reports whether an entry whose check is made of such words belongs to the share.
func (s *Share) makes(of []string) bool {
	last := -1
	for _, kind := range of {
		last = max(last, slices.Index(Kinds, kind))
	}
	return last >= 0 && slices.Contains(s.Of, Kinds[last])
}

// repository is the folder of the module, in which the tests of each package lie.
func repository() (fs.FS, error) {
	for dir := "."; ; dir = filepath.Join(dir, "..") {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return os.DirFS(dir), nil
		}
		if here, err := filepath.Abs(dir); err != nil || here == filepath.Dir(here) {
			return nil, errors.New("claimtest: no go.mod stands above the tests")
		}
	}
}

// Run runs the claims of a share at the quick tier with seed 0, each in a subtest of its name,
// which fails if the claim does not come out as the ledger expects, is not as the rules ask, does
// not survive the search of rapid, or has other bits than in the report that VERIFY_REPORT names.
// Under -short nothing is run. Once all claims have run, whole, which may be nil, is given the
// results.
func Run(t *testing.T, s Share, whole func(*testing.T, []props.Result)) {
	listed := os.Getenv(ListVariable) != ""
	if testing.Short() && !listed {
		t.Skip("claims are not run")
	}
	claims, err := s.Claims()
	switch {
	case err != nil:
		t.Fatal(err)
	case len(claims) == 0:
		t.Fatal("no claim is left to this package")
	case listed:
		for i := range claims {
			fmt.Println(ListMark + claims[i].ID)
		}
		return
	}
	results := make([]*props.Result, len(claims))
	t.Cleanup(func() {
		var all []props.Result
		for _, r := range results {
			if r != nil {
				all = append(all, *r)
			}
		}
		if whole != nil && len(all) == len(claims) {
			whole(t, all)
		}
	})
	for i := range claims {
		t.Run(claims[i].ID, func(t *testing.T) {
			t.Parallel()
			results[i] = run(t, &claims[i])
		})
	}
}

// run runs one claim. The number of workers is another than that of most reports, on purpose.
func run(t *testing.T, c *props.Claim) *props.Result {
	t.Helper()
	done, err := props.Run(context.Background(), []props.Claim{*c},
		props.Config{Workers: runtime.GOMAXPROCS(0), Alpha: props.DefaultAlpha, Tests: Tests,
			Check: checker.Accept})
	if err != nil {
		t.Fatal(err)
	}
	r := &done[0]
	proptest.Examine(t, r)
	for _, rule := range rules {
		rule(t, r)
	}
	sameBits(t, r)
	return r
}
