package problems

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"sledge/props"
)

// Range is an inclusive range of sizes. The zero Range stands for a default.
type Range struct{ Min, Max int }

// Sizes is the range from least to most.
func Sizes(least, most int) Range { return Range{least, most} }

func (r Range) or(least, most int) Range { return cmp.Or(r, Sizes(least, most)) }

// Limits narrows what the Draw functions choose from. The zero value of each field stands for the
// default of the family.
type Limits struct {
	N Range // components, default 1 to 24, or clients with data, default 1 to 10
	D Range // dimension; default 1 to 5
	// data of one client; none for a finite sum, whose components are clients with one datum each
	Data     Range
	Patterns []Pattern // between components or clients; default all
	Within   []Pattern // between the data of a client; default all
	Shapes   []Shape   // of the mean function; default: those for which f has a minimum
	// BoundedNoise lets the data of a client differ only so that their gradient noise is bounded
	// over all x: Sigma and G are finite.
	BoundedNoise bool
	Apart        float64 // least Hessian distance over L of what differs in Hessian; default 1e-3
	ApartWithin  float64 // the same of the data of a client; default Apart
}

func limits(l []Limits) Limits {
	switch len(l) {
	case 0:
		return Limits{}
	case 1:
		return l[0]
	}
	panic("problems: more than one Limits")
}

// finite tells whether a finite sum is asked for.
func (l Limits) finite() bool { return l.Data == Range{} }

func (l Limits) drawSizes(src *props.Source) []int {
	if l.finite() {
		n := l.N.or(1, 24)
		return OneEach(src.Int("n", n.Min, n.Max))
	}
	p, m := l.N.or(1, 10), l.Data
	sizes := make([]int, src.Int("P", p.Min, p.Max))
	most := src.Int("data per client", m.Min, m.Max)
	for i := range sizes {
		sizes[i] = most
	}
	if most > m.Min && src.Bool("unequal clients") {
		for i := range sizes {
			// the first client is the largest, the others fall off to the smallest
			sizes[i] = most - (most-m.Min)*i/max(1, len(sizes)-1)
		}
	}
	return sizes
}

func total(sizes []int) int {
	n := 0
	for _, m := range sizes {
		n += m
	}
	return n
}

func (l Limits) drawDim(src *props.Source) int {
	d := l.D.or(1, 5)
	return src.Int("d", d.Min, d.Max)
}

// drawHeterogeneity draws the deviations between components or clients of the given sizes and
// within clients, relative to the given curvature scale. One component or client, or one datum,
// deviates from nothing. Amplitudes are drawn for families that have them; bounded says whether the
// core has a bounded slope, so that amplitudes leave the noise bounded.
func (l Limits) drawHeterogeneity(src *props.Source, sizes []int, scale float64, amplitudes,
	bounded bool) (between, within Heterogeneity) {
	if len(sizes) > 1 {
		between = drawDeviations(src, "between", l.Patterns, scale, l.Apart, amplitudes)
	}
	if !l.finite() && slices.Max(sizes) > 1 {
		from := l.Within
		if l.BoundedNoise {
			from, amplitudes = []Pattern{None}, amplitudes && bounded
		}
		within = drawDeviations(src, "within", from, scale, cmp.Or(l.ApartWithin, l.Apart),
			amplitudes)
	}
	return between, within
}

func drawDeviations(src *props.Source, what string, from []Pattern, scale, apart float64,
	amplitude bool) Heterogeneity {
	if from == nil {
		for p := range patterns {
			from = append(from, p)
		}
	}
	h := Heterogeneity{Pattern: props.OneOf(src, what+" pattern", from...)}
	if h.Pattern != None {
		h.Hessian = scale * src.LogReal(what+" Hessian distance / L", cmp.Or(apart, 1e-3), 2)
	}
	h.Linear = scale * src.Real(what+" linear spread / L", 0, 3)
	if amplitude {
		h.Amplitude = src.Real(what+" amplitude", 0, 1.5)
	}
	return h
}

// powers returns d numbers from top down to top/cond in equal ratios.
func powers(top, cond float64, d int) []float64 {
	v := make([]float64, d)
	for k := range v {
		v[k] = top
		if d > 1 {
			v[k] = top * math.Pow(cond, -float64(k)/float64(d-1))
		}
	}
	return v
}

// drawNormal returns d normal numbers of a stream of the source.
func drawNormal(src *props.Source, d int, r *rand.Rand) []float64 {
	v := normal(d, r)
	src.Perturb(v)
	return v
}

// DrawPoint draws a point of R^d: a direction times a length of at most radius.
func DrawPoint(src *props.Source, name string, d int, radius float64) []float64 {
	length := src.Real("|"+name+"|", 0, radius)
	v := drawNormal(src, d, src.Rand(name))
	return scaled(v, length/norm(v))
}
