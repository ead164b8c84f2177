package sledge

import (
	"os"
	"strings"
	"testing"

	"sledge/props"
	"sledge/reports"
)

// The README says how many statements are refuted; that is what the claims expect.
func TestREADMECountsWhatIsRefuted(t *testing.T) {
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	var results []props.Result
	for _, c := range props.Must(Claims()) {
		results = append(results, props.Result{Claim: c, Verdict: c.Expect})
	}
	if want := reports.New(results,
		reports.Run{}).Overall(); !strings.Contains(string(text), want) {
		t.Errorf("README.md does not say %q", want)
	}
}

// The README says how many printed statements are settled, and by which means; that is what a run
// finds.
func TestWhatIsSettledIsCounted(t *testing.T) {
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	want, _, found := strings.Cut(reports.New(run(t), reports.Run{}).SettledWords(), ")")
	if !found || !strings.Contains(string(text), want+")") {
		t.Errorf("README.md does not say %q", want)
	}
}
