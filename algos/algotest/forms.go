package algotest

import (
	"maps"
	"math"
	"slices"
	"strings"

	"sledge/algos"
)

// Form is a method of the catalogue with parameters of its own, and what it declares with them.
type Form struct {
	// of the catalogue, or one with a suffix: "SAGA", "SAGA/noise", "FLEDGE-II/single"
	Name    string
	Setting algos.Setting // without the step size
	Method  Factory
	Options Options // law, move, and the cases that it does not claim
}

// Base returns the name of the method in the catalogue.
func (f *Form) Base() string {
	name, _, _ := strings.Cut(f.Name, "/")
	return name
}

// declaration is what a method of the catalogue declares.
type declaration struct {
	name  string
	law   Law
	move  Move
	noise bool              // takes a radius
	sets  bool              // draws its sets with replacement, too
	skip  map[string]string // cases that no form of it claims
}

// declarations has an entry for every method of the catalogue; of federated methods it is about
// single local steps.
var declarations = []declaration{
	{"SLEDGE-I", part(ceilRoot), AlongEstimator, true, false, nil},
	{"SLEDGE-II", part(ceilRoot), AlongEstimator, true, false, nil},
	{"GD", Unbiased(), AlongEstimator, true, false, nil},
	{"SGD", Unbiased(), AlongEstimator, true, true, nil},
	{"Noisy SGD", Unbiased(), AlongEstimator, true, true, nil},
	{"PGD", Unbiased(), OtherMove, true, false,
		map[string]string{"scaling": "its thresholds are absolute",
			"allocation": "the test objective allocates when it computes a value"}},
	{"SVRG", Unbiased(), AlongEstimator, true, true, nil},
	{"SAGA", Unbiased(), AlongEstimator, true, true, nil},
	{"SAGA (two draws)", Unbiased(), AlongEstimator, true, true, nil},
	{"SARAH", Renewed(3), AlongEstimator, true, true, nil},
	{"iSARAH", Renewed(3), AlongEstimator, true, true, nil},
	{"SPIDER-SFO", Renewed(3), OtherMove, false, true, map[string]string{
		"scaling": "its step length depends on the absolute target ε"}},
	{"SPIDER-SFO+", Renewed(3), OtherMove, false, true, curvatureSearch},
	{"SPIDER-SFO+ (finite-sum Neon2)", Renewed(3), OtherMove, false, true, curvatureSearch},
	{"SSRGD", Renewed(3), OtherMove, true, true, nil},
	{"Stabilized SVRG", Unbiased(), AlongEstimator, true, true, nil},
	{"Nested SVRG", Unbiased(), AlongEstimator, true, true, nil},
	{"ZeroSARAH-I", part(func(n int) float64 { return ceilRoot(n) / 2 }), AlongEstimator, true,
		true, nil},
	{"ZeroSARAH-II", part(func(n int) float64 { return ceilRoot(n) / 2 }), AlongEstimator, true,
		true, nil},
	{"PAGE", Contracting(func(n, _ int) float64 {
		return ceilRoot(n) / (ceilRoot(n) + float64(n))
	}), AlongEstimator,
		true, true, nil},
	{"STORM", Constant(0.1), AlongEstimator, true, true, nil},
	{"STORM (adaptive)", Law{}, OtherMove, true, true,
		map[string]string{"scaling": "its step size adapts to the gradients",
			"refusals": "a zero constant stands for its default",
			"progress": "its steps shrink with the squared gradients met on the way, too fast " +
				"for a start this far out"}},
	{"Hybrid-SGD", Constant(0.1), AlongEstimator, true, true, nil},
	{"FLEDGE-I", part(ceilRoot), AlongEstimator, false, false, nil},
	{"FLEDGE-II", part(ceilRoot), AlongEstimator, false, false, nil},
	{"FedAvg", Unbiased().Lagging(), OtherMove, false, false, nil},
	{"SCAFFOLD-I", Unbiased().Lagging(), OtherMove, false, false, nil},
	{"SCAFFOLD-II", Unbiased().Lagging(), OtherMove, false, false, nil},
	{"Mime", Averaging(func(int, int) float64 { return 0.9 }).Lagging(), OtherMove, false,
		false, nil},
	{"MimeLite", NoLaw("its state takes full gradients, its steps minibatches"), OtherMove, false,
		false, nil},
	{"MimeSGD", Unbiased().Lagging(), OtherMove, false, false, nil},
	{"MimeMVR", Constant(0.1).Lagging(), OtherMove, false, false, nil},
	{"FedVARP", Unbiased().Lagging(), OtherMove, false, false, nil},
	{"BVR-L-SGD", Renewed(2), AlongEstimator, false, false, nil},
	{"BVR-L-PSGD", Renewed(2), AlongEstimator, false, false, nil},
}

// curvatureSearch is what no method with such a search claims.
var curvatureSearch = map[string]string{
	"scaling":    "its step length depends on the absolute target ε",
	"progress":   "its steps have bounded length",
	"allocation": "a curvature search allocates; ordinary steps do not",
	"sampling":   "a curvature search draws thousands of single components"}

func ceilRoot(n int) float64 { return math.Ceil(math.Sqrt(float64(n))) }

// part is the law of a method that renews a share b(n)/n of its table in each step.
func part(b func(n int) float64) Law {
	return Contracting(func(n, _ int) float64 { return b(n) / float64(n) })
}

// localSteps are the settings of federated methods.
var localSteps = []struct {
	suffix string
	algos.Setting
}{
	{"/single", algos.Setting{}},
	{"", algos.Setting{LocalSteps: 2, Tuning: algos.Tuning{Batch: 3}}},
	{"/three", algos.Setting{LocalSteps: 3, Tuning: algos.Tuning{Batch: 2}}},
}

// Forms lists every method of the catalogue in its forms; see [FormsOf].
func Forms() []Form { return FormsOf(algos.Catalogue()...) }

// FormsOf lists methods in the forms that the settings of a catalogue give them: for finite sums
// without noise, with noise, and with sets drawn with replacement; federated ones with one, two and
// three local steps. Methods of [algos.Catalogue] come with what they declare, others declare
// nothing: their Options are the caller's to complete.
func FormsOf(methods ...algos.Entry) []Form {
	var out []Form
	for _, c := range methods {
		k := slices.IndexFunc(declarations, func(d declaration) bool { return d.name == c.Name })
		d := &declaration{noise: true, sets: true}
		if k >= 0 {
			d = &declarations[k]
		}
		add := func(suffix string, s algos.Setting, opt Options) {
			f := Form{Name: c.Name + suffix, Setting: s, Options: opt}
			f.Options.Federated = c.Federated
			f.Method = func(_ int, eta float64) algos.Method { s.Eta = eta; return c.New(s) }
			out = append(out, f)
		}
		if c.Federated {
			for _, local := range localSteps {
				opt := Options{Law: d.law, Move: d.move, Skip: maps.Clone(d.skip)}
				if local.LocalSteps > 1 {
					if opt.Move = OtherMove; d.law.lags && c.Name != "MimeMVR" {
						opt.Law = NoLaw("the displacement of several local steps")
					}
				}
				add(local.suffix, local.Setting, opt)
			}
			continue
		}
		s := algos.Setting{Eps: 5, L: 2, Delta: 1, Period: 3}
		if strings.HasPrefix(c.Name, "SPIDER-SFO+") {
			s.Eps, s.Rho, s.Delta = 0.3, 12, 1.5
		}
		add("", s, Options{Law: d.law, Move: d.move, Skip: maps.Clone(d.skip)})
		if d.noise {
			noisy, opt := s, Options{Law: d.law, Move: d.move, Skip: maps.Clone(d.skip)}
			noisy.Radius = 0.05
			switch c.Name {
			case "Noisy SGD":
				opt.Move, opt.Skip = OtherMove,
					map[string]string{"scaling": "the added vector has a length of its own"}
			case "Stabilized SVRG":
				opt.Law, opt.Move = NoLaw("a super-epoch follows the estimator less a gradient"),
					OtherMove
				opt.Skip = map[string]string{"scaling": "its threshold is absolute",
					"degenerate": "it leaves a minimiser, too",
					"sampling":   "a perturbed step takes two estimates"}
			}
			add("/noise", noisy, opt)
		}
		if d.sets {
			again := s
			again.WithReplacement = true
			add("/replacement", again, Options{Law: d.law, Move: d.move, Skip: maps.Clone(d.skip)})
		}
	}
	return out
}
