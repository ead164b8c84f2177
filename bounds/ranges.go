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
	agree  bool
	within []problems.Pattern // how data of a client differ; default: all; None if bounded
	apart  float64            // least Hessian distance of such data over L; default 1e-3
}

// localSteps are a few.
var localSteps = problems.Sizes(1, 4)

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
	l.apart, l.differ = cmp.Or(l.apart, 1e-3), cmp.Or(l.differ, 2e-9)
	return l
}

// drawInstance draws a quadratic and the parameters of a run on it.
func drawInstance(src *props.Source, l ranges) *instance { return draftInstance(src, l).made() }

// draftInstance is [drawInstance], but a draft. Components of a finite sum are random, two
// clusters, outliers, pairs or of rank one; their ζ is the one that is asked for: it is positive
// where the certified one is. Clients have their heterogeneity between them and within them set
// apart from each other. Where l.bounded asks for it their data have ripples instead of Hessians of
// their own.
func draftInstance(src *props.Source, l ranges) *instance {
	l = l.orDefault()
	limits := problems.Limits{N: l.P, D: l.d, Shapes: l.shapes, Patterns: l.between,
		Apart: l.differ, Within: l.within, ApartWithin: l.apart, BoundedNoise: l.bounded}
	in := &instance{tuning: tuning{option: l.option}}
	if l.federated() {
		in.K, in.b = draw(src, "K", l.K), draw(src, "b", l.b)
		limits.Data = problems.Sizes(in.K*in.b+l.spare.Min, in.K*in.b+l.spare.Max)
		if l.agree && src.Bool("clients agree") {
			limits.Patterns = []problems.Pattern{problems.None}
		}
	}
	p := problems.SketchQuadratic(src, limits)
	in.P, in.d, in.data, in.Zeta.Value = len(p.Sizes), len(p.Spectrum), slices.Max(p.Sizes),
		p.Between.Hessian
	if l.bounded {
		p.Ripple = src.LogReal("ripple width", 0.1, 10)
		p.Within.Amplitude = math.Abs(p.Spectrum[0]) * src.Real("ripple amplitude / L", 0, 1.5)
	}
	x0, name, sampled := problems.DrawPoint(src, "x0", in.d, 10), "b", &in.b
	if l.federated() {
		name, sampled = "p", &in.p
	}
	if l.few {
		*sampled = src.LogInt(name, 1, in.P)
	} else {
		*sampled = src.Int(name, 1, in.P)
	}
	in.T = draw(src, "T", l.T)
	etaL := src.LogReal("eta L", 1e-2, l.etaL)
	if !l.quiet && src.Bool("noise") {
		in.r = src.LogReal("r", 1e-6, 1)
	}
	return in.draft(func() {
		f := p.Make()
		posed := ofClients(f)
		if !l.federated() {
			posed = ofSum(f.ByClient())
		}
		in.set(posed, x0)
		in.eta = etaL / in.L.Value
	})
}

// manyDimensions are those of main results that runs decide.
var manyDimensions = problems.Sizes(8, 10)

// drawRun draws an instance for a claim about runs. Where l says nothing else it has components
// that differ, n up to 32 and 12 to 60 steps, or P up to 12 and 20 to 28 rounds, and
// [manyDimensions], so that most instances lie in the regime of such claims, and none is larger
// than that needs.
func drawRun(src *props.Source, l ranges) *instance { return draftRun(src, l).made() }

// draftRun is [drawRun], but a draft.
func draftRun(src *props.Source, l ranges) *instance { return draftInstance(src, l.ofRuns()) }

// ofRuns are the ranges with what claims about runs draw where nothing else is said.
func (l ranges) ofRuns() ranges {
	n, T := problems.Sizes(1, 32), problems.Sizes(12, 60)
	switch {
	case l.federated():
		n, T = problems.Sizes(1, 12), problems.Sizes(LeastSteps, 28)
	case l.between == nil:
		l.between = problems.Differing
	}
	l.P, l.d, l.T = cmp.Or(l.P, n), cmp.Or(l.d, manyDimensions), cmp.Or(l.T, T)
	return l
}

// draw draws an integer from a range.
func draw(src *props.Source, name string, r problems.Range) int {
	return src.Int(name, r.Min, r.Max)
}
