package sledge

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"sledge/claimtest"
	"sledge/props"
	"sledge/props/certificate"
	"sledge/props/certificate/checker"
	"sledge/props/keyed"
	"sledge/reports"
)

// expected are the results of all claims as the ledger expects them to come out, with evidence that
// has a scope, or a certificate, and nothing else.
func expected(t *testing.T) []props.Result {
	t.Helper()
	var results []props.Result
	for _, c := range props.Must(MadeOnce()) {
		text := fmt.Sprintf(`{"outcome": %q, "scope": %q}`, c.Expect, c.Within)
		if c.Expect == props.Refuted && !claimtest.Uncertified(&c) {
			text = fmt.Sprintf(`{"outcome": %q, "certificate": {"kind": %q}}`, c.Expect,
				certificate.Point)
		}
		r := props.Result{Claim: c, Verdict: c.Expect, Evidence: make([]props.Evidence, 1)}
		if err := json.Unmarshal([]byte(text), &r.Evidence[0]); err != nil {
			t.Fatal(err)
		}
		results = append(results, r)
	}
	return results
}

// drawn names the claims of which [report] is made: of each main theorem one with a picture, and 24
// refuted statements of the text that need no runs.
func drawn(claims []props.Claim) map[string]bool {
	of := map[string]bool{"first-main-option-one/high-probability": true,
		"second-noise-radius": true, "pl-main-log-argument": true,
		"dist-rounds-option-two/high-probability": true, "dsecond-noise-and-batch": true,
		"dpl-step-size-list": true}
	many := len(of) + 24
	rng := keyed.New(26).With("a report of few claims").Rand()
	for len(of) < many {
		if c := &claims[rng.IntN(len(claims))]; c.Form == props.Printed &&
			c.Expect == props.Refuted && !props.Significance(c) {
			of[c.ID] = true
		}
	}
	return of
}

// few runs the drawn claims, once for all tests.
var few = sync.OnceValues(func() ([]props.Result, error) {
	claims := props.Must(MadeOnce())
	of := drawn(claims)
	claims = slices.DeleteFunc(claims, func(c props.Claim) bool { return !of[c.ID] })
	return props.Run(context.Background(), claims,
		props.Config{Workers: runtime.GOMAXPROCS(0), Alpha: props.DefaultAlpha,
			Tests: claimtest.Tests, Check: checker.Accept})
})

// report returns the report of all claims at the quick tier and seed 0 that VERIFY_REPORT names;
// whole says so. Where it names none, few claims are run, and the others have no evidence.
func report(t *testing.T) (r *reports.Report, whole bool) {
	t.Helper()
	if path := os.Getenv(claimtest.ReportVariable); path != "" {
		r, err := reports.Read(path)
		if err != nil {
			t.Fatal(err)
		}
		return r, true
	}
	if testing.Short() {
		t.Skip("claims are not run")
	}
	ran, err := few()
	if err != nil {
		t.Fatal(err)
	}
	var results []props.Result
	for _, c := range props.Must(MadeOnce()) {
		k := slices.IndexFunc(ran, func(r props.Result) bool { return r.Claim.ID == c.ID })
		if k < 0 {
			results = append(results, props.Result{Claim: c, Verdict: c.Expect})
		} else {
			results = append(results, ran[k])
		}
	}
	r = reports.New(results, reports.Run{Replayer: "verify replay"})
	l := props.Must(Ledger())
	r.Text, r.Causes = l.Text, l.Causes
	return r, false
}

// Report is report, for tests outside of the package.
func Report(t *testing.T) (*reports.Report, bool) { return report(t) }

// answerable are the packages whose tests run claims.
var answerable = []string{"./claimtest", "./algos/claims", "./algos/experiments", "./concentration",
	"./bounds", "./bounds/federated", "./bounds/tables", "./lowerbound", "./theory/cited"}

// Every claim is run by the tests of exactly one package, which say so themselves, at the level that
// it has in a report; and no other package has such tests.
func TestEveryClaimIsRunOnce(t *testing.T) {
	claims := props.Must(MadeOnce())
	if got := props.Slots(props.Tests(claims, props.Quick)); got != claimtest.Tests {
		t.Errorf("the error level is divided among %d tests, not %d", got, claimtest.Tests)
	}
	if !slices.Equal(Files, claimtest.Files) {
		t.Errorf("the ledger has the files %q, tests read %q", Files, claimtest.Files)
	}
	said, err := exec.Command("grep", "-rl", "--include=*_test.go", "claimtest.Run(", ".").Output()
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for file := range strings.FieldsSeq(string(said)) {
		if dir := "./" + filepath.Dir(file); dir != "./." {
			found = append(found, dir)
		}
	}
	slices.Sort(found)
	if want := slices.Sorted(slices.Values(answerable)); !slices.Equal(found, want) {
		t.Errorf("claims are run in %q, want %q", found, want)
	}
	if testing.Short() {
		return // their tests would be linked
	}
	by := map[string]string{}
	list := regexp.MustCompile(`(?m)^` + claimtest.ListMark + `(\S+)$`)
	for _, p := range answerable {
		test := exec.Command("go", "test", "-vet=off", "-v", "-run", "^TestClaims$", p)
		test.Env = append(os.Environ(), claimtest.ListVariable+"=1")
		out, err := test.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", p, err, out)
		}
		for _, m := range list.FindAllSubmatch(bytes.TrimSpace(out), -1) {
			if other := by[string(m[1])]; other != "" {
				t.Errorf("%s is run in %s and in %s", m[1], other, p)
			}
			by[string(m[1])] = p
		}
	}
	for i := range claims {
		if by[claims[i].ID] == "" {
			t.Errorf("%s is run by no package", claims[i].ID)
		}
	}
	if len(by) != len(claims) {
		t.Errorf("%d claims are run, there are %d", len(by), len(claims))
	}
}

// So many claims declare a control, and have a wrong rate, that the rules about those are about
// something.
func TestRulesAreAboutClaims(t *testing.T) {
	controls, rates := 0, 0
	for _, c := range props.Must(MadeOnce()) {
		if c.Control != nil {
			controls++
		}
		if claimtest.WrongRate(&c) {
			rates++
		}
	}
	if controls < 90 || rates < 10 {
		t.Errorf("only %d claims declare a control, and %d have a wrong rate", controls, rates)
	}
}
