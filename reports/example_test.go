package reports_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"sledge/props"
	"sledge/reports"
)

// A report on claims of one's own, written and read back.
func ExampleNew() {
	claims := []props.Claim{{ID: "square", Part: "algebra", Tier: 1, Kind: "inequality",
		Statement: "2ab ≤ a² + b²", Expect: props.Consistent,
		Check: props.Inequality(func(src *props.Source, rec *props.Recorder) {
			a, b := src.Real("a", -10, 10), src.Real("b", -10, 10)
			rec.AtMost("2ab", 2*a*b, a*a+b*b)
		})}}
	results, err := props.Run(context.Background(), claims, props.Config{Seed: 7})
	if err != nil {
		fmt.Println(err)
		return
	}
	temp, err := os.MkdirTemp("", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(temp)
	dir := filepath.Join(temp, "report") // index.html, report.json, report.md and junit.xml
	if err := reports.New(results, reports.Run{Seed: 7}).WriteDir(dir,
		reports.Pages{}); err != nil {
		fmt.Println(err)
		return
	}
	r, err := reports.Read(dir)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(r.Headline(), r.Overall())
	fmt.Println(r.Counts())
	// Output:
	// Every verdict is as expected. The printed statement is not refuted.
	// 1 claim: 1 consistent
}
