package verbs

import (
	"bytes"
	"compress/gzip"
	"flag"
	"io"
	"strings"
	"testing"

	"sledge"
	"sledge/algos/experiments"
	"sledge/props"
	"sledge/reports/verify"
	"sledge/reports/verify/verifytest"
)

var _ = flag.Bool("update", false, "rewrite what the scripts expect")

func TestMain(m *testing.M) {
	app := func(figures verify.Verb) func() verify.App {
		return func() verify.App {
			return verify.App{Name: "verify", Claims: sledge.Claims,
				Verbs: []verify.Verb{Race(), Conformance(), Conjecture(), figures},
				Lists: []verify.List{Methods(), Problems()}}
		}
	}
	tiny := func(props.Tier) experiments.Scale { // takes a blink
		return experiments.Scale{Name: "tiny", Letters: 3, Side: 5, Group: 1, Client: 4, Width: 3, LocalBatch: 1,
			LocalSteps: 2, Steps: 8,
			Rounds: 4, Records: 4, Held: 2, Rates: []float64{0.3, 0.1}, Seeds: 2}
	}
	verifytest.Main(m, map[string]func() verify.App{"verify": app(Figures()), "verify-tiny": app(figuresAt(tiny))})
}

// What a packed file holds is read to its end, unless it was made to fill a memory.
func TestUnzipped(t *testing.T) {
	for _, mib := range []int{1, 300} {
		var packed bytes.Buffer
		z := gzip.NewWriter(&packed)
		for range mib {
			if _, err := z.Write(make([]byte, 1<<20)); err != nil {
				t.Fatal(err)
			}
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		in, err := unzipped(&packed, "data.gz")
		if err != nil {
			t.Fatal(err)
		}
		n, err := io.Copy(io.Discard, in)
		switch whole := mib < 256; {
		case whole && (err != nil || n != int64(mib)<<20):
			t.Errorf("%d MiB: read %d bytes, error %v", mib, n, err)
		case !whole && (err == nil || !strings.Contains(err.Error(), "more than 400 times its size")):
			t.Errorf("%d MiB: read %d bytes, error %v", mib, n, err)
		}
	}
}

// The scripts in testdata show every verb, what it writes, and every refusal.
func TestScripts(t *testing.T) { verifytest.Run(t, "testdata") }
