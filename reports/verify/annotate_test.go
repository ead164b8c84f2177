package verify_test

import (
	"bytes"
	"os"
	"testing"

	"sledge/props"
	"sledge/reports"
	"sledge/reports/verify"
)

// An annotation names a file that exists, or none.
func TestAnnotationsNameFiles(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.MkdirAll("bounds", 0o777); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"bounds/dpl.go", "main.go"} {
		if err := os.WriteFile(name, nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for at, want := range map[string]string{
		"sledge/bounds/dpl.go:12": "::error file=bounds/dpl.go,line=12,title=a::",
		"bounds/dpl.go:12":        "::error file=bounds/dpl.go,line=12,title=a::",
		"main/main.go:3":          "::error file=main.go,line=3,title=a::",
		"sledge/bounds/gone.go:4": "::error title=a::",
		"sledge/bounds:4":         "::error title=a::",
	} {
		r := reports.New([]props.Result{
			{Claim: props.Claim{ID: "a", At: at, Expect: props.Consistent},
				Verdict: props.Refuted}}, reports.Run{})
		var out bytes.Buffer
		if err := verify.Annotate(&out, r); err != nil {
			t.Fatal(err)
		}
		if !bytes.HasPrefix(out.Bytes(), []byte(want)) {
			t.Errorf("%s: %s, want %s", at, out.String(), want)
		}
	}
}
