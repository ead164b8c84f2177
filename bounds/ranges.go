package bounds

import (
	"cmp"
	"math"
	"slices"

	"sledge/algos"
	"sledge/algos/problems"
	"sledge/props"
)

// ranges says what drawInstance draws from. The zero value of each field stands for its default.
type ranges struct {
	// components, 1 to 16, or clients, 1 to 10; dimension, 1 to 3; steps, 2 to 30, or rounds, 2 to
	// 25
	P, d, T problems.Range
	option  algos.Option
	quiet   bool               // no noise
	shapes  []problems.Shape   // default: all
	between []problems.Pattern // how components, or clients, differ; default: all
	// least Hessian distance of components, or clients, over L where they differ; default 1e-3, or
	// 2e-9 of clients
	differ float64
	few    bool    // minibatches, or samples of the clients, evenly on the scale of logarithms
	etaL   float64 // largest η·L; default 2

	// local steps: FLEDGE runs where there are any, and SLEDGE where not
	K        problems.Range
	b, spare problems.Range // local minibatch, 1 to 3; data of a client beyond Kb, 0 to 6
	// data of a client differ by linear terms and ripples only: Sigma and G are finite
	bounded bool
	// clients may agree up to their linear terms: ζ = 0 in half of the draws
	agree bool
	// data of a client are alike, steps small: little but noise moves the iterate
	drift    bool
	within   []problems.Pattern // how data of a client differ; default: all; None if bounded
	apart    float64            // least Hessian distance of such data over L; default 1e-3
	flattest float64            // least of the largest mean curvatures; default 0.1
	noise    float64            // largest spread of the data over L where bounded; default 3
}

// localSteps are a few.
var localSteps = problems.Sizes(1, 4)

// heterogeneous lists the patterns in which the Hessians of components differ.
var heterogeneous = []problems.Pattern{problems.TwoCluster, problems.Signs, problems.Outlier,
	problems.Pairs, problems.RankOne, problems.Random}

// federated reports whether FLEDGE is to run.
func (l ranges) federated() bool { return l.K != problems.Range{} }

func (l ranges) orDefault() ranges {
	l.d, l.etaL = cmp.Or(l.d, problems.Sizes(1, 3)), cmp.Or(l.etaL, 2)
	if l.shapes == nil {
		l.shapes = []problems.Shape{problems.Convex, problems.Degenerate, problems.Indefinite}
	}
	if !l.federated() {
		l.P, l.T = cmp.Or(l.P, problems.Sizes(1, 16)), cmp.Or(l.T, problems.Sizes(2, 30))
		return l
	}
	l.P, l.T = cmp.Or(l.P, problems.Sizes(1, 10)), cmp.Or(l.T, problems.Sizes(2, 25))
	l.b, l.spare = cmp.Or(l.b, problems.Sizes(1, 3)), cmp.Or(l.spare, problems.Sizes(0, 6))
	all := append([]problems.Pattern{problems.None}, heterogeneous...)
	if l.between == nil {
		l.between = all
	}
	if l.within == nil {
		l.within = all
	}
	l.apart, l.differ = cmp.Or(l.apart, 1e-3), cmp.Or(l.differ, 2e-9)
	l.flattest, l.noise = cmp.Or(l.flattest, 0.1), cmp.Or(l.noise, 3)
	return l
}

// drawInstance draws a quadratic and the parameters of a run on it.
func drawInstance(src *props.Source, l ranges) *instance { return draftInstance(src, l).made() }

// draftInstance is [drawInstance], but a draft.
func draftInstance(src *props.Source, l ranges) *instance {
	if l = l.orDefault(); l.federated() {
		return draftClients(src, l)
	}
	return draftComponents(src, l)
}

// manyDimensions are those of main results that runs decide.
var manyDimensions = problems.Sizes(8, 10)

// drawRun draws an instance for a claim about runs. Where l says nothing else it has components
// that differ, n up to 32 and 12 to 60 steps, or P up to 12 and 20 to 28 rounds, and
// [manyDimensions], so that most instances lie in the regime of such claims, and none is larger
// than that needs.
func drawRun(src *props.Source, l ranges) *instance { return draftRun(src, l).made() }

// draftRun is [drawRun], but a draft.
func draftRun(src *props.Source, l ranges) *instance {
	n, T := problems.Sizes(1, 32), problems.Sizes(12, 60)
	switch {
	case l.federated():
		n, T = problems.Sizes(1, 12), problems.Sizes(LeastSteps, 28)
	case l.between == nil:
		l.between = heterogeneous
	}
	l.P, l.d, l.T = cmp.Or(l.P, n), cmp.Or(l.d, manyDimensions), cmp.Or(l.T, T)
	return draftInstance(src, l)
}

// withNu is the [drawer] of runs.
func (l ranges) withNu(src *props.Source, share float64) (in *instance, nu float64) {
	if in = draftRun(src, l); l.federated() {
		return in, drawTenth(src, "nu", share)
	}
	return in, drawNu(src, "nu", share)
}

// draftComponents drafts a finite sum: random, two-cluster, outlier, paired and rank-one
// heterogeneity. Its ζ is the one that is asked for: it is positive where the certified one is.
func draftComponents(src *props.Source, l ranges) *instance {
	p := problems.SketchQuadratic(src, problems.Limits{N: l.P, D: l.d, Shapes: l.shapes,
		Patterns: l.between, Apart: l.differ})
	in := &instance{P: len(p.Sizes), d: len(p.Spectrum), tuning: tuning{option: l.option}}
	in.Zeta.Value = p.Between.Hessian
	x0 := problems.DrawPoint(src, "x0", in.d, 10)
	if l.few {
		in.b = src.LogInt("b", 1, in.P)
	} else {
		in.b = src.Int("b", 1, in.P)
	}
	in.T = draw(src, "T", l.T)
	etaL := src.LogReal("eta L", 1e-2, l.etaL)
	if !l.quiet && src.Bool("noise") {
		in.r = src.LogReal("r", 1e-6, 1)
	}
	return in.draft(func() {
		in.set(ofSum(p.Make().ByClient()), x0)
		in.eta = etaL / in.L.Value
	})
}

// draftClients drafts a federated quadratic, its heterogeneity between clients and within them set
// apart from each other, and the parameters of a run. Where l.bounded asks for it the data of a
// client have ripples instead of Hessians of their own.
func draftClients(src *props.Source, l ranges) *instance {
	in := &instance{P: draw(src, "P", l.P)}
	in.d, in.K, in.b, in.option = draw(src, "d", l.d), draw(src, "K", l.K),
		draw(src, "b", l.b), l.option
	if l.few {
		in.p = src.LogInt("p", 1, in.P)
	} else {
		in.p = src.Int("p", 1, in.P)
	}
	sizes := in.drawSizes(src, l)
	in.data = slices.Max(sizes)
	shape := props.OneOf(src, "shape", l.shapes...)
	top, cond := src.LogReal("largest mean curvature", l.flattest, 10),
		src.LogReal("condition number", 1, 1000)
	m := problems.QuadraticMean{Spectrum: make([]float64, in.d)}
	for k := range m.Spectrum {
		m.Spectrum[k] = top * math.Pow(cond, -float64(k)/math.Max(1, float64(in.d-1)))
	}
	switch {
	case shape == problems.Degenerate && in.d > 1:
		m.Spectrum[in.d-1] = 0
	case shape == problems.Indefinite:
		m.Spectrum[in.d-1] = -top / cond
	}
	if l.agree && src.Bool("clients agree") {
		l.between = []problems.Pattern{problems.None}
	}
	m.Between = drawDeviations(src, "between", in.P, l.between, top, l.differ)
	switch {
	case l.drift:
	case l.bounded:
		m.Ripple = src.LogReal("ripple width", 0.1, 10)
		m.Within = problems.Heterogeneity{
			Linear:    top * src.Real("within linear spread / L", 0, l.noise),
			Amplitude: top * src.Real("ripple amplitude / L", 0, l.noise/2)}
	default:
		m.Within = drawDeviations(src, "within", in.data, l.within, top, l.apart)
	}
	directions := src.Rand("directions")
	x0 := problems.DrawPoint(src, "x0", in.d, 10)
	in.T = draw(src, "T", l.T)
	etaL := in.drawStep(src, l)
	return in.draft(func() {
		in.set(ofClients(props.Must(problems.Make(sizes, m, directions))), x0)
		in.eta = etaL / in.L.Value
	})
}

// drawStep draws the noise of a federated run and returns ηL.
func (in *instance) drawStep(src *props.Source, l ranges) (etaL float64) {
	if l.drift {
		etaL, in.r = src.LogReal("eta L", 1e-4, 1), src.LogReal("r", 1e-3, 10)
		return etaL
	}
	if !l.quiet && src.Bool("noise") {
		in.r = src.LogReal("r", 1e-6, 1)
	}
	return src.LogReal("eta L", 1e-2, l.etaL)
}

// draw draws an integer from a range.
func draw(src *props.Source, name string, r problems.Range) int {
	return src.Int(name, r.Min, r.Max)
}

// drawDeviations draws how much n clients, or the data of a client, differ: the distance of their
// Hessians from least·scale to 2·scale. A single one differs from nothing.
func drawDeviations(src *props.Source, what string, n int, from []problems.Pattern, scale,
	least float64) problems.Heterogeneity {
	if n == 1 {
		return problems.Heterogeneity{}
	}
	h := problems.Heterogeneity{Pattern: props.OneOf(src, what+" pattern", from...)}
	if h.Pattern != problems.None {
		h.Hessian = scale * src.LogReal(what+" Hessian distance / L", least, 2)
	}
	h.Linear = scale * src.Real(what+" linear spread / L", 0, 3)
	return h
}

// drawSizes draws how many data the clients hold: equally many, or up to so many beyond Kb.
func (in *instance) drawSizes(src *props.Source, l ranges) []int {
	sizes := make([]int, in.P)
	spare := draw(src, "data of a client beyond Kb", l.spare)
	unequal := spare > 0 && src.Bool("unequal clients")
	for i := range sizes {
		sizes[i] = in.K*in.b + spare
		if unequal {
			sizes[i] -= i % (spare + 1)
		}
	}
	return sizes
}
