package sledge

import (
	"os"
	"strings"
	"testing"

	"sledge/claimtest"
	"sledge/reports"
)

// The README says how many statements are refuted, and how many printed ones are settled, and by
// which means: that is what the claims expect, and what a run finds.
func TestREADMECounts(t *testing.T) {
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	from := map[string]*reports.Report{"expected": reports.New(expected(t), reports.Run{})}
	if os.Getenv(claimtest.ReportVariable) != "" {
		from["found"], _ = report(t)
	}
	for by, r := range from {
		settled, _, _ := strings.Cut(r.SettledWords(), ")")
		for _, want := range []string{r.Overall(), settled + ")"} {
			if !strings.Contains(string(text), want) {
				t.Errorf("README.md does not say %q, which is %s", want, by)
			}
		}
	}
}
