package sledge

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"sledge/props"
)

// sharp lists claims all of whose inequalities are attained, or nearly so, and how much of each bound their checks reach: a statement that claims
// less than that would be refuted. After a bar stands a part of the name of the comparison, where others of the claim are loose. The floors lie
// a little below what the quick tier reaches with five seeds.
var sharp = map[string]float64{
	"zeta-at-most-2L":                             0.99,
	"zeta-versus-zeta-prime/corrected":            0.75,
	"strong-convexity-implies-pl":                 0.99,
	"estimator-error-batch-exponent/sharper":      0.95,
	"fledge-gradient-count":                       0.75,
	"eigen-power-bound/sharper":                   0.95,
	"eigen-power-scalar-cases/corrected":          0.9,
	"noreplace-increment-variance":                0.75,
	"noreplace-increment-range/corrected":         0.65,
	"vector-bernstein-high-probability/sharper":   0.7,
	"unsampled-deviation-tail/sharper":            0.9,
	"coverage-probability-chain/corrected":        0.9,
	"coverage-union-bound/sharper":                0.6,
	"descent-lemma":                               0.95,
	"heterogeneity-gradient-difference/sharper":   0.95,
	"estimator-error-identity/three-terms":        0.75,
	"aux-b-split/corrected":                       0.7,
	"pair-difference-bound":                       0.7,
	"pair-difference-bound|cubic":                 0.95,
	"pair-third-term/corrected":                   0.5,
	"sigma-c-meaning/corrected":                   0.7,
	"variance-lemma-option-two/sharper":           0.4,
	"variance-lemma-option-two/expectation|(3/n)": 0.95,
	"matrix-freedman-tail|[1e-3, 1)":              0.45,
	"azuma-high-probability/sharper|[1e-3, 1)":    0.6,
	"eigen-power-bound|above 1/(k+1)":             0.95,
	"eigen-power-bound|k = 0":                     0.95,
	"aux-c-initial-split/corrected":               0.8,
	"first-noise-radius":                          0.99,
	"first-sum-descent":                           0.95,
	"first-sum-with-variance":                     0.95,
	"first-step-size-choice/corrected":            0.99,
	"first-sum-option-one/corrected":              0.99,
	"first-horizon-option-one/corrected":          0.99,
	"variance-lemma-option-two/literal-constant":  0.95,
	"pair-difference-at-kick/sharper":             0.95,
	"stuck-contradiction-horizon/corrected":       0.75,
	"induction-a-reduction/sharper":               0.95,
	"induction-operator-norm":                     0.95,
	"induction-hessian-sum/corrected":             0.95,
	"induction-constant-hessian/corrected":        0.95,
	"induction-error-sum/corrected":               0.65,
	"increment-second-term/corrected":             0.8,
	"increment-coefficient/corrected":             0.95,
	"error-induction-chain/corrected":             0.95,
	"error-induction-constants":                   0.95,
	"escape-exclusion/corrected":                  0.85,
	"escape-volume-ratio/corrected":               0.65,
	"escape-separation-range/corrected":           0.99,
	"phase-path-length":                           0.95,
	"phase-descent-sum/corrected":                 0.99,
	"phase-counting-bound":                        0.9,
	"second-noise-radius/corrected":               0.95,
	"pl-contraction-step":                         0.95,
	"pl-noise-term":                               0.95,
	"pl-unrolled-sum/corrected":                   0.95,
	"pl-step-size-choice":                         0.75,
	"pl-final-inequality":                         0.9, // by instances that are chosen for their spread
	"pl-initial-term-horizon/sharper":             0.95,
	"dsecond-noise-and-batch/corrected|share":     0.95,
	"dpl-step-size-coefficient":                   0.6,
	"dist-variance-lemma/expectation|potential":   0.95,
	"pl-main-complexity/sharper|(3/n)":            0.95,
}

// The checks of sharp claims come as close to their bounds as they did.
func TestSharpClaimsStaySharp(t *testing.T) {
	var claims []props.Claim
	floors := map[string]map[string]float64{}
	for name, floor := range sharp {
		id, part, _ := strings.Cut(name, "|")
		if floors[id] == nil {
			floors[id] = map[string]float64{}
		}
		floors[id][part] = floor
	}
	for _, c := range Claims() {
		if floors[c.ID] != nil {
			claims = append(claims, c)
		}
	}
	if len(claims) != len(floors) {
		t.Errorf("%d of %d sharp claims exist", len(claims), len(floors))
	}
	for seed := range uint64(2) {
		results, err := props.Run(context.Background(), claims, props.Config{Seed: seed, Workers: runtime.GOMAXPROCS(0)})
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range results {
			for part, floor := range floors[r.Claim.ID] {
				// the instances of a randomised part are spread, not sharp: the best of them counts
				reached := map[string]float64{}
				for _, e := range r.Evidence {
					if e.Relation != props.LE && e.Relation != props.GE || e.Sense == props.Hidden || !strings.Contains(e.What, part) {
						continue
					}
					name := e.What
					if e.Sense == props.Runs {
						name = fmt.Sprint("runs of part ", e.Part)
					}
					if before := reached[name]; !(e.Tightness > before) { // NaN reaches nothing
						reached[name] = before
					} else {
						reached[name] = e.Tightness
					}
				}
				for name, tightness := range reached {
					if tightness < floor {
						t.Errorf("%s, seed %d: %q reaches %.3g of its bound, less than %v", r.Claim.ID, seed, name, tightness, floor)
					}
				}
				if len(reached) == 0 {
					t.Errorf("%s, seed %d: no inequality about %q", r.Claim.ID, seed, part)
				}
			}
		}
	}
}
