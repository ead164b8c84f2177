package tables

import (
	_ "embed"
	"fmt"
	"hash/fnv"
	"strconv"
	"strings"
	"sync"

	"sledge/bounds/operating"
)

// The step sizes of the sweeps do not depend on the seed of a run: they are tuned on runs of their
// own. Tuning takes several times as long as what is measured then, so its outcome is on record,
// one line for a method in a scene: name, abscissa, digest of the scene, η, and the cost by which
// it was chosen, or − for none with which the method arrives. A scene that is not on record is
// tuned when it is asked for. UPDATE=1 go test -run TestStepSizes ./bounds/tables makes the record
// anew.
//
//go:embed steps.tsv
var stepsOnRecord string

// choice names a method in a scene.
func choice(name string, x float64, at scene) string {
	h := fnv.New64a()
	fmt.Fprintf(h, "%+v", at)
	return fmt.Sprintf("%s\t%v\t%016x", name, x, h.Sum64())
}

// steps are the choices on record.
var steps = sync.OnceValue(func() map[string]operating.Tuned {
	known, err := readSteps(stepsOnRecord)
	if err != nil {
		panic(err) // a test reads it
	}
	return known
})

func readSteps(text string) (map[string]operating.Tuned, error) {
	known := map[string]operating.Tuned{}
	for n, l := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		f := strings.Split(l, "\t")
		var t operating.Tuned
		if len(f) == 5 {
			eta, bad := strconv.ParseFloat(f[3], 64)
			cost, worse := strconv.ParseFloat(f[4], 64)
			t = operating.Tuned{Eta: eta, Cost: cost, OK: bad == nil && worse == nil && eta > 0 &&
				cost >= 0}
		}
		if none := len(f) == 4 && f[3] == "−"; !none && !t.OK {
			return nil, fmt.Errorf("tables: line %d of the step sizes on record is %q", n+1, l)
		}
		known[strings.Join(f[:3], "\t")] = t
	}
	return known, nil
}
