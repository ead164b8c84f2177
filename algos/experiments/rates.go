package experiments

import (
	_ "embed"
	"fmt"
	"hash/fnv"
	"strconv"
	"strings"
	"sync"
)

// The learning rates of the small versions do not depend on the seed of a run: they are tuned on
// draws of their own. That takes as long as what is measured then, so its outcome is on record, one
// line for a method in a race: figure, race, method, digest of the scale, η. What is not on record
// is tuned when it is asked for. UPDATE=1 go test -run TestRates ./algos/experiments makes the
// record anew.
//
//go:embed rates.tsv
var ratesText string

// choice names a method in a race of the lab.
func (l *lab) choice(race, method string) string {
	h := fnv.New64a()
	fmt.Fprintf(h, "%+v", l.scale)
	return fmt.Sprintf("%s\t%s\t%s\t%016x", l.of, race, method, h.Sum64())
}

// ratesOnRecord are the learning rates on record.
var ratesOnRecord = sync.OnceValue(func() map[string]float64 {
	known, err := readRates(ratesText)
	if err != nil {
		panic(err) // a test reads it
	}
	return known
})

func readRates(text string) (map[string]float64, error) {
	known := map[string]float64{}
	for n, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		k := strings.LastIndexByte(line, '\t')
		eta, err := strconv.ParseFloat(line[k+1:], 64)
		if err != nil || strings.Count(line, "\t") != 4 || !(eta > 0) {
			return nil, fmt.Errorf("experiments: line %d of the learning rates on record is %q",
				n+1,
				line)
		}
		known[line[:k]] = eta
	}
	return known, nil
}
