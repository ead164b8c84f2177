// Package tables holds the entries of the two comparison tables and the prose comparisons between
// methods, beside the claims about them.
package tables

import (
	"cmp"
	"math"

	"sledge/algos"
	"sledge/bounds"
	"sledge/bounds/operating"
	"sledge/props"
	"sledge/props/formula"
)

// Entry is one entry of the two tables put to the measurement: the printed formula beside the cost
// of runs.
type Entry struct {
	ID     string  // of its claim
	Table  int     // 1 or 2
	Row    string  // the method as printed
	Column string  // such as "nonconvex"
	Sweeps []Sweep // in the order of the claim's evidence
}

// Sweep is an operating curve: how a cost grows with one quantity, the others fixed, when the step
// size is tuned anew at each point on an absolute grid.
type Sweep struct {
	Variable string    // the abscissa
	Cost     string    // what is counted, such as "gradients"
	X        []float64 // at least four values over at least a decade and a half
	Law      func(x float64) float64
	Text     string // of the law
	// as it is said, and what of the scene and of what is drawn
	statement, words, method string
	law                      *formula.Formula
	scene                    settings
	charge                   float64  // gradients of a step of the control, over b
	once, alone              bool     // the control makes one step in a round, there is none
	theory                   bool     // the step size is that of the theory of the method
	drawn                    settings // beside the bound

	panel   *panel
	tuned   *operating.TunedMethod                  // that of the method on the panel if nil
	count   func(c algos.Counts, steps int) float64 // the cost, if it is not that of the panel
	control *operating.TunedMethod
	inFull  func(x float64) float64 // how many times more gradients a step of the control takes
	rivals  []string                // the one of the scene if there is none
	upper   bool                    // the cost may grow less than the law
	margin  float64
	given   bool   // the step size is, and the law bounds the cost
	large   *Sweep // what larger tiers do
}

// Exponent is the exponent of the law over a grid: the slope of its logarithm against that of x.
// The slope of the cost itself is this plus the slope of cost/law, which the check estimates.
func (s *Sweep) Exponent(grid []float64) float64 {
	var lx, ly []float64
	for _, x := range grid {
		lx, ly = append(lx, math.Log(x)), append(ly, math.Log(s.Law(x)))
	}
	slope, _ := props.OLS(lx, ly)
	return slope
}

// Margins of exponents: half of what tells √n from a constant or from n. √n is not told from
// n^{2/3} by it, nor at 1.5 decades by anything that is tuned on a grid of step sizes a factor of
// √2 apart, since that alone moves an exponent by jumps/3.5. Larger tiers have longer grids, and
// half the margin.
const (
	margin      = 0.25
	largeMargin = 0.15
)

// visits is how many times the components are visited in a run whose error is looked at.
const visits = 6

// jumps is how far the logarithm of a cost may lie beside a smooth curve because step sizes lie on
// a grid: half of log √2.
const jumps = 0.1733

// check asks whether the cost grows as the law says, neither more nor less. The entries are
// statements with high probability, or on average; they bound the median of the cost, of which a
// measurement has limits whatever the distribution.
func (s *Sweep) check() props.Check {
	return props.Slope(func(*props.Source) props.SlopeTrial { return s.trial() })
}

// on is a method on the panel, with the cost of the sweep.
func (s *Sweep) on(name string) *operating.TunedMethod {
	key := name
	if s.count != nil {
		key += ", " + s.Cost
	}
	return s.panel.tuned(key, name, false, s.count)
}

// rival is a method that is drawn beside the sweep: the one that is measured on the panel if there
// is one, else with a step size that is looked for with less care.
func (s *Sweep) rival(name string) *operating.TunedMethod {
	if s.panel.measured[name] {
		return s.on(name)
	}
	return s.panel.tuned(name+", roughly", name, true, s.count)
}

// besides are the other methods that are drawn beside the sweep.
func (s *Sweep) besides() (list []*operating.TunedMethod) {
	rivals := s.rivals
	if len(rivals) == 0 && !s.given {
		rivals = []string{s.panel.at(s.X[0]).rival(s.method)}
	}
	for _, name := range rivals {
		if name != s.method {
			list = append(list, s.rival(name))
		}
	}
	return list
}

func (s *Sweep) trial() props.SlopeTrial {
	tuned := cmp.Or(s.tuned, s.on(s.method))
	t := props.SlopeTrial{XLabel: s.Variable, YLabel: s.Cost + "/entry", X: s.X,
		Margin: cmp.Or(s.margin, margin), Of: props.OfMedian,
		TwoSided: !s.upper, Law: s.Law,
		Regime: props.Where(props.Sweep(s.Variable, s.X), props.Min("d", dimension, 2),
			props.Min("clients", s.panel.at(s.X[0]).clients, 4)),
		Run: func(t props.Trial, x float64) float64 {
			if at := s.panel.at(x); s.Cost == "error" {
				return tuned.Error(t.Key, x, visits*at.clients/at.batch) / s.Law(x)
			}
			cost, erring := tuned.Run(t.Key, x)
			t.Content(erring)
			return cost / s.Law(x)
		}}
	if !s.given { // step sizes that are tuned lie on a grid, and errors limit them
		t.Jitter = jumps
		t.Regime.Matter = operating.Erring
	}
	for _, curve := range s.drawn {
		t.Beside = append(t.Beside, props.Beside{Name: curve.word,
			Run: func(_ props.Trial, x float64) float64 {
				return curve.by.At(s.scene.values(x))
			}})
	}
	beside := func(l *operating.TunedMethod, law func(float64) float64) props.Beside {
		return props.Beside{Name: l.Name, Run: func(t props.Trial, x float64) float64 {
			cost, _ := l.Run(t.Key, x)
			return cost / law(x)
		}}
	}
	one := func(float64) float64 { return 1 }
	if s.control != nil {
		control := beside(s.control, s.Law)
		t.Control, t.InFull = &control, s.inFull
	}
	for _, rival := range s.besides() {
		t.Beside = append(t.Beside, arriving(rival, beside(rival, one)))
	}
	limit := func(name string, of func(s scene) float64) {
		t.Beside = append(t.Beside, props.Beside{Name: name,
			Run: func(_ props.Trial, x float64) float64 {
				return of(s.panel.at(x))
			}})
	}
	if s.count == nil && !s.given {
		limit("theorem", func(at scene) float64 { return at.upper(s.method) })
		limit("lower bound", scene.lower)
	}
	if s.large != nil {
		t.Large = func() props.SlopeTrial { return s.large.trial() }
	}
	return t
}

// arriving leaves out where a rival arrives with no step size within what may be spent on a run.
func arriving(rival *operating.TunedMethod, b props.Beside) props.Beside {
	cost := b.Run
	b.Run = func(t props.Trial, x float64) float64 {
		if !rival.Tuned(x).OK {
			return math.NaN()
		}
		return cost(t, x)
	}
	return b
}

// geometric returns k numbers from lo by equal factors of r.
func geometric(lo, r float64, k int) []float64 {
	var x []float64
	for range k {
		x = append(x, lo)
		lo *= r
	}
	return x
}

// fourfold rounds to a multiple of four, the number in which clients come.
func fourfold(x float64) int { return 4 * max(1, int(math.Round(x/4))) }

// methods are those of the tables, with the step size left open: those of the catalogue that need
// no more than a scene says, and others.
var methods = map[string]means{
	"SGD": catalogued("SGD"), "SARAH": catalogued("SARAH"), "PAGE": catalogued("PAGE"),
	"SAGA": catalogued("SAGA"), "GD": catalogued("GD"), "SPIDER": catalogued("SPIDER-SFO"),
	"ZeroSARAH": catalogued("ZeroSARAH-II"), "ZeroSARAH-I": catalogued("ZeroSARAH-I"),
	"SLEDGE-I": catalogued("SLEDGE-I"), "SLEDGE-II": catalogued("SLEDGE-II"),
	"FedAvg": catalogued("FedAvg"), "MimeSGD": catalogued("MimeSGD"),
	"FLEDGE": catalogued("FLEDGE-II"),
	"iSARAH": func(s scene, eta float64) algos.Method { // restarts from 2σ²/ε² components
		restart := int(min(float64(s.clients), math.Ceil(2*s.sigmaC*s.sigmaC/(s.eps*s.eps))))
		return &algos.InexactSARAH{Tuning: algos.Tuning{Eta: eta, Batch: s.batch}, Restart: restart,
			Period: restart}
	},
	"SSRGD": func(s scene, eta float64) algos.Method {
		m := bounds.PrescribedSSRGD(s.clients, s.eps, s.delta)
		m.Eta, m.Batch, m.Period = eta, s.batch, s.clients/s.batch
		m.Wait = max(1, int(math.Ceil(8/(eta*s.delta))))
		return m
	},
	"SPIDER-SFO+": func(s scene, eta float64) algos.Method {
		m := bounds.SpiderPlus(s.clients, s.eps, s.delta)
		m.Eta = eta
		return m
	},
	"SCAFFOLD": func(s scene, eta float64) algos.Method {
		m := catalogued("SCAFFOLD-II")(s, eta).(*algos.SCAFFOLD)
		m.Warm = true
		return m
	},
	"MimeMVR":                func(s scene, eta float64) algos.Method { return s.mimeMVR(eta, s.clients) },
	"MimeMVR from p clients": func(s scene, eta float64) algos.Method { return s.mimeMVR(eta, 0) },
	"BVR-L-SGD": func(s scene, eta float64) algos.Method {
		return &algos.BVRLSGD{Eta: eta, LocalSteps: s.local, Batch: s.batch, Stage: max(4, s.local),
			Cap: true, Radius: s.radius(eta)}
	},
}

// catalogued is a method of the catalogue.
func catalogued(name string) means {
	return func(s scene, eta float64) algos.Method {
		e, _ := algos.ByName(name)
		return e.New(algos.Setting{Tuning: algos.Tuning{Eta: eta, Batch: s.batch,
			Radius: s.radius(eta)}, Chosen: s.chosen, LocalSteps: s.local, Cap: true, Eps: s.eps})
	}
}

// radius is that of the noise of methods that look for second-order stationary points.
func (s scene) radius(eta float64) float64 {
	if s.delta == 0 {
		return 0
	}
	return eta * s.eps / 4
}

// mimeMVR has the momentum weight of its theory, a = pε²/(4σ_c²).
func (s scene) mimeMVR(eta float64, first int) algos.Method {
	m := catalogued("MimeMVR")(s, eta).(*algos.MimeMVR)
	m.A, m.First = min(1, float64(s.chosen)*s.eps*s.eps/(4*s.sigmaC*s.sigmaC)), first
	return m
}
