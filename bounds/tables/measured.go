package tables

import (
	"cmp"
	"math"
	"slices"

	"sledge/algos"
	"sledge/bounds/operating"
	"sledge/props"
)

// Entry is one entry of the two tables put to the measurement: the printed formula beside the cost of runs.
type Entry struct {
	Table  int    // 1 or 2
	Row    string // the method as printed
	Column string // such as "nonconvex"
	Text   string // the entry as printed
	Lines  string
	Sweeps []Sweep // in the order of the claim's evidence
	Claim  props.Binding
}

// Sweep is an operating curve: how a cost grows with one quantity, the others fixed, when the step size is tuned anew
// at each point on an absolute grid.
type Sweep struct {
	Variable string    // the abscissa
	Cost     string    // what is counted, such as "gradients"
	X        []float64 // at least four values over at least a decade and a half
	Law      func(x float64) float64
	Other    string // what is compared with in place of the printed entry, if something is
	panel    *panel
	method   string
	tuned    *operating.TunedMethod                  // that of the method on the panel if nil
	count    func(c algos.Counts, steps int) float64 // the cost, if it is not that of the panel
	control  *operating.TunedMethod
	rivals   []string // the one of the scene if there is none
	upper    bool     // the cost may grow less than the law
	margin   float64
	effort   float64
	large    func() Sweep // what larger tiers do, with an effort of its own
}

// Exponent is the exponent of the law over a grid: the slope of its logarithm against that of x. The slope of the cost
// itself is this plus the slope of cost/law, which the check estimates.
func (s *Sweep) Exponent(grid []float64) float64 {
	var lx, ly []float64
	for _, x := range grid {
		lx, ly = append(lx, math.Log(x)), append(ly, math.Log(s.Law(x)))
	}
	slope, _ := props.OLS(lx, ly)
	return slope
}

// Margins of exponents: half of what tells √n from a constant, since steps are a factor of √2 apart, so that tuned
// costs move by jumps, and since the cost of a run at the edge of what a step size allows varies much. Larger tiers
// have longer grids and know exponents better.
const (
	margin      = 0.25
	largeMargin = 0.15
)

// check asks whether the cost grows as the law says, neither more nor less. The entries are statements with high
// probability, or on average; they bound the median of the cost, of which a measurement has limits whatever the
// distribution.
func (s *Sweep) check() props.Check {
	return props.Slope(func(*props.Source) props.SlopeTrial { return s.trial() }).Effort(cmp.Or(s.effort, 1))
}

// on is a method on the panel, with the cost of the sweep.
func (s *Sweep) on(name string) *operating.TunedMethod {
	if s.count == nil {
		return s.panel.tuned(name)
	}
	return s.panel.counted(name, s.Cost, s.count)
}

func (s *Sweep) trial() props.SlopeTrial {
	tuned := cmp.Or(s.tuned, s.on(s.method))
	t := props.SlopeTrial{XLabel: s.Variable, YLabel: s.Cost + "/entry", X: s.X, Margin: cmp.Or(s.margin, margin),
		Of:       props.OfMedian,
		TwoSided: !s.upper, Law: s.Law,
		Regime: props.Where(props.Sweep(s.Variable, s.X), props.Min("d", dimension, 2),
			props.Min("clients", s.panel.at(s.X[0]).clients, 4)),
		Run: func(t props.Trial, x float64) float64 {
			cost, erring := tuned.Run(t.Key, x)
			t.Content(erring)
			return cost / s.Law(x)
		}}
	t.Regime.Matter = operating.Erring
	beside := func(l *operating.TunedMethod, law func(float64) float64) props.Beside {
		return props.Beside{Name: l.Name, Run: func(t props.Trial, x float64) float64 {
			cost, _ := l.Run(t.Key, x)
			return cost / law(x)
		}}
	}
	one := func(float64) float64 { return 1 }
	if s.control != nil {
		control := beside(s.control, s.Law)
		t.Control = &control
	}
	rivals := s.rivals
	if len(rivals) == 0 {
		rivals = []string{s.panel.at(s.X[0]).rival(s.method)}
	}
	for _, name := range rivals {
		if name != s.method {
			rival := s.on(name)
			t.Beside = append(t.Beside, arriving(rival, beside(rival, one)))
		}
	}
	limit := func(name string, of func(s scene) float64) {
		t.Beside = append(t.Beside, props.Beside{Name: name, Run: func(_ props.Trial, x float64) float64 {
			return of(s.panel.at(x))
		}})
	}
	if s.count == nil {
		limit("theorem", func(at scene) float64 { return at.upper(s.method) })
		limit("lower bound", scene.lower)
	}
	if s.large != nil {
		t.Large = func() props.SlopeTrial {
			larger := s.large()
			l := larger.trial()
			l.Share = cmp.Or(larger.effort, 1) / cmp.Or(s.effort, 1)
			return l
		}
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

func identity(x float64) float64 { return x }

// claim binds the sweeps of an entry to its claim.
func (e Entry) claim(id string) Entry {
	var checks []props.Check
	for k := range e.Sweeps {
		s := &e.Sweeps[k]
		checks = append(checks, s.check())
	}
	e.Claim = props.Bind("measured/"+id, props.All(checks...))
	return e
}

// Measured returns the measured entries of the tables.
func Measured() []Entry {
	return slices.Concat(nonconvexSums(), secondOrderSums(), plSums(), federatedSlides(), secondOrderRounds(),
		federatedBowls())
}

func measuredClaims() []props.Binding {
	var out []props.Binding
	for _, e := range Measured() {
		out = append(out, e.Claim)
	}
	return slices.Concat(out, escapeClaims(), clientEscapeClaims(), startClaims(), observedClaims(), againstClaims())
}

// methods are those of the tables, with the step size left open.
var methods = map[string]means{
	"SGD":       func(s scene, eta float64) algos.Method { return &algos.SGD{Tuning: s.tuning(eta)} },
	"SPIDER":    func(s scene, eta float64) algos.Method { return &algos.SPIDER{Eta: eta, Eps: s.eps, Batch: s.batch} },
	"SARAH":     func(s scene, eta float64) algos.Method { return &algos.SARAH{Tuning: s.tuning(eta)} },
	"PAGE":      func(s scene, eta float64) algos.Method { return &algos.PAGE{Tuning: s.tuning(eta)} },
	"SAGA":      func(s scene, eta float64) algos.Method { return &algos.SAGA{Tuning: s.tuning(eta)} },
	"ZeroSARAH": func(s scene, eta float64) algos.Method { return &algos.ZeroSARAH{Tuning: s.tuning(eta)} },
	"ZeroSARAH-I": func(s scene, eta float64) algos.Method {
		return &algos.ZeroSARAH{Tuning: s.tuning(eta), Option: algos.OptionI}
	},
	"SLEDGE-I": func(s scene, eta float64) algos.Method {
		return &algos.SLEDGE{Eta: eta, Batch: s.batch, Option: algos.OptionI, Radius: s.radius(eta)}
	},
	"SLEDGE-II": func(s scene, eta float64) algos.Method {
		return &algos.SLEDGE{Eta: eta, Batch: s.batch, Radius: s.radius(eta)}
	},
	"iSARAH": func(s scene, eta float64) algos.Method { // restarts from 2σ²/ε² components
		restart := int(min(float64(s.clients), math.Ceil(2*s.sigmaC*s.sigmaC/(s.eps*s.eps))))
		return &algos.InexactSARAH{Tuning: s.tuning(eta), Restart: restart, Period: restart}
	},
	"SSRGD": func(s scene, eta float64) algos.Method {
		m := &algos.SSRGD{Tuning: s.tuning(eta), Period: s.clients / s.batch, Threshold: s.eps,
			Wait: max(1, int(math.Ceil(8/(eta*s.delta))))}
		m.Radius = prescribedSSRGD(s.clients, s.eps, s.delta).Radius
		return m
	},
	"SPIDER-SFO+": func(s scene, eta float64) algos.Method {
		m := spiderPlus(s.clients, s.eps, s.delta)
		m.Eta = eta
		return m
	},
	"GD": func(_ scene, eta float64) algos.Method { return &algos.GD{Eta: eta} },
	"FedAvg": func(s scene, eta float64) algos.Method {
		return &algos.FedAvg{LocalTuning: s.rounds(eta)}
	},
	"SCAFFOLD": func(s scene, eta float64) algos.Method {
		return &algos.SCAFFOLD{LocalTuning: s.rounds(eta), Warm: true}
	},
	"MimeMVR":                func(s scene, eta float64) algos.Method { return s.mimeMVR(eta, s.clients) },
	"MimeMVR from p clients": func(s scene, eta float64) algos.Method { return s.mimeMVR(eta, 0) },
	"MimeSGD": func(s scene, eta float64) algos.Method {
		return &algos.Mime{LocalTuning: s.rounds(eta)}
	},
	"BVR-L-SGD": func(s scene, eta float64) algos.Method {
		return &algos.BVRLSGD{Eta: eta, LocalSteps: s.local, Batch: s.batch, Stage: max(4, s.local), Cap: true,
			Radius: s.radius(eta)}
	},
	"FLEDGE": func(s scene, eta float64) algos.Method {
		return &algos.FLEDGE{Eta: eta, Chosen: s.chosen, LocalSteps: s.local, Batch: s.batch, Cap: true,
			Radius: s.radius(eta)}
	},
}

// rounds is the tuning of a federated method with the clients and local steps of the scene.
func (s scene) rounds(eta float64) algos.LocalTuning {
	return algos.LocalTuning{Eta: eta, Chosen: s.chosen, LocalSteps: s.local, Batch: s.batch, Cap: true}
}

// tuning is that of a method with the minibatches of the scene.
func (s scene) tuning(eta float64) algos.Tuning { return algos.Tuning{Eta: eta, Batch: s.batch} }

// radius is that of the noise of methods that look for second-order stationary points.
func (s scene) radius(eta float64) float64 {
	if s.delta == 0 {
		return 0
	}
	return eta * s.eps / 4
}

// mimeMVR has the momentum weight of its theory, a = pε²/(4σ_c²).
func (s scene) mimeMVR(eta float64, first int) algos.Method {
	a := min(1, float64(s.chosen)*s.eps*s.eps/(4*s.sigmaC*s.sigmaC))
	return &algos.MimeMVR{Eta: eta, A: a, Chosen: s.chosen, LocalSteps: s.local, Batch: s.batch, First: first, Cap: true}
}
