package problems

import (
	"fmt"
	"math"
	"math/rand/v2"

	"sledge/props"
)

// Shape says what the mean Hessian of a quadratic is like.
type Shape uint8

// The shapes.
const (
	Convex Shape = iota // all eigenvalues positive
	// some eigenvalues zero, the others positive: not strongly convex, but PL
	Degenerate
	Indefinite // one eigenvalue negative: a strict saddle, not bounded below
)

func (s Shape) String() string { return [...]string{"convex", "degenerate", "indefinite"}[s] }

// QuadraticTerm is one quadratic ½x'Ax + b'x + c.
type QuadraticTerm struct {
	// symmetric d×d matrix by rows; terms that share a slice share its memory; nil is zero
	A []float64
	B []float64 // nil is zero
	C float64
}

// NewQuadratic returns the problem in which client i has the data clients[i], quadratics ½x'Ax +
// b'x + c in dimension d. All its constants are exact, but Sigma and G are +Inf if the quadratics
// of a client differ in Hessian: [Federated.NoiseWithin] bounds them on a ball. If the mean matrix
// has a negative eigenvalue, f is not bounded below, and Delta is +Inf.
func NewQuadratic(d int, clients ...[]QuadraticTerm) (Federated, error) {
	sizes := make([]int, len(clients))
	for i := range clients {
		sizes[i] = len(clients[i])
	}
	if err := validSizes(sizes); err != nil {
		return Federated{}, err
	}
	if err := (recipe{d: d}).validate(); err != nil {
		return Federated{}, err
	}
	p := &composite{d: d, off: []int{0}}
	p.mean.mats = [][]float64{make([]float64, d*d)}
	meanLin, meanCon := make([]float64, d), 0.0
	known, single := map[*float64]int{}, true
	zero := make([]float64, d)
	for i, terms := range clients {
		a, b, c := make([]float64, d*d), make([]float64, d), 0.0
		w := 1 / float64(len(terms))
		for j, t := range terms {
			if err := t.validate(d); err != nil {
				return Federated{}, fmt.Errorf("problems: client %d, datum %d: %w", i, j, err)
			}
			if t.A == nil {
				t.A = make([]float64, d*d)
			}
			if t.B == nil {
				t.B = zero
			}
			at, ok := known[&t.A[0]]
			if !ok {
				at = len(p.data.mats)
				known[&t.A[0]] = at
				p.data.mats = append(p.data.mats, append([]float64(nil), t.A...))
			}
			p.data.add(at, t.B, t.C, 0)
			addScaled(a, w, t.A)
			addScaled(b, w, t.B)
			c += w * t.C
		}
		addScaled(p.mean.mats[0], 1/float64(len(clients)), a)
		addScaled(meanLin, 1/float64(len(clients)), b)
		meanCon += c / float64(len(clients))
		p.off = append(p.off, p.off[i]+len(terms))
		single = single && len(terms) == 1
		if p.sharedMatrix(i) {
			p.part.mats = append(p.part.mats, p.data.mats[p.data.mat[p.off[i]]])
		} else {
			p.part.mats = append(p.part.mats, a)
		}
		p.part.add(i, b, c, 0)
	}
	p.mean.add(0, meanLin, meanCon, 0)
	if single {
		p.part = p.data
	}
	return Federated{objective{p}}, nil
}

func (t QuadraticTerm) validate(d int) error {
	if t.A != nil && len(t.A) != d*d {
		return fmt.Errorf("matrix has %d entries, want %d", len(t.A), d*d)
	}
	if t.B != nil && len(t.B) != d {
		return fmt.Errorf("linear term has %d entries, want %d", len(t.B), d)
	}
	for k, v := range t.A {
		switch {
		case !finiteNumber(v):
			return fmt.Errorf("matrix entry (%d,%d) is %v", k/d, k%d, v)
		case v != t.A[k%d*d+k/d]:
			return fmt.Errorf("matrix is not symmetric: entry (%d,%d) is %v, entry (%d,%d) is %v",
				k/d, k%d, v, k%d, k/d, t.A[k%d*d+k/d])
		}
	}
	for k, v := range append(append([]float64(nil), t.B...), t.C) {
		if !finiteNumber(v) {
			return fmt.Errorf("coefficient %d of the linear and constant terms is %v", k, v)
		}
	}
	return nil
}

// EachAlone makes every term a client of its own, as in a finite sum.
func EachAlone(terms []QuadraticTerm) [][]QuadraticTerm {
	clients := make([][]QuadraticTerm, len(terms))
	for i := range terms {
		clients[i] = terms[i : i+1]
	}
	return clients
}

// QuadraticMean describes quadratics, to which ripples may be added that cancel in the mean, by
// their mean Hessian and the deviations from it; see [NewQuadratic] about the constants.
type QuadraticMean struct {
	Spectrum []float64 // eigenvalues of the mean Hessian, in a random basis; their number is d
	Centre   []float64 // a stationary point of f, where f is 0; nil is the origin
	// Ripple > 0 is the width w of the ripples of components or data with an Amplitude:
	// amplitude·w² Σ_k (cos(x_k/w) −
	// 1), of curvature up to the amplitude. The ripples cancel in the mean.
	Ripple  float64
	Between Heterogeneity // of components, or of clients
	Within  Heterogeneity // of the data of one client, if it has several
}

func (m QuadraticMean) recipe(r *rand.Rand) (recipe, error) {
	d := len(m.Spectrum)
	if m.Centre != nil && len(m.Centre) != d {
		return recipe{}, fmt.Errorf("problems: centre has length %d, want %d", len(m.Centre), d)
	}
	for k, v := range append(append([]float64(nil), m.Spectrum...), m.Centre...) {
		if !finiteNumber(v) {
			return recipe{}, fmt.Errorf("problems: number %d of spectrum and centre is %v", k, v)
		}
	}
	rec := recipe{d: d, between: m.Between, within: m.Within, mat: withSpectrum(m.Spectrum, r)}
	if m.Centre != nil { // ½(x−c)'A(x−c)
		rec.lin = make([]float64, d)
		addProduct(rec.lin, rec.mat, m.Centre)
		rec.con = dot(rec.lin, m.Centre) / 2
		rec.lin = scaled(rec.lin, -1)
	}
	if m.Ripple != 0 {
		for range d {
			rec.core = append(rec.core, coordinate{cosine, 1, m.Ripple})
		}
	}
	return rec, nil
}

// DrawQuadratic draws a problem of quadratics.
func DrawQuadratic(src *props.Source, l ...Limits) Federated {
	return SketchQuadratic(src, l...).Make()
}

// SketchQuadratic draws what [DrawQuadratic] makes.
func SketchQuadratic(src *props.Source, l ...Limits) Sketch {
	return sketchQuadratic(src, limits(l), false)
}

// Sketch is a problem that is drawn and not made yet, which is what costs.
type Sketch struct {
	Sizes []int // data of each client
	QuadraticMean
	directions *rand.Rand
}

// Make makes the problem. It uses up the random directions of the sketch.
func (s Sketch) Make() Federated { return props.Must(Make(s.Sizes, s.QuadraticMean, s.directions)) }

// DrawRippled draws a problem whose mean is quadratic and whose data have ripples. With
// Limits.BoundedNoise the data of a client differ in Hessian through the ripples only, so that
// Sigma and G are finite although the Hessians differ.
func DrawRippled(src *props.Source, l ...Limits) Federated {
	return sketchQuadratic(src, limits(l), true).Make()
}

func sketchQuadratic(src *props.Source, l Limits, ripples bool) Sketch {
	sizes, d := l.drawSizes(src), l.drawDim(src)
	shapes := l.Shapes
	if shapes == nil {
		shapes = []Shape{Convex, Degenerate}
	}
	shape := props.OneOf(src, "shape", shapes...)
	top := src.LogReal("largest mean curvature", 0.1, 10)
	cond := src.LogReal("condition number", 1, 1000)
	m := QuadraticMean{Spectrum: powers(top, cond, d)}
	switch {
	case shape == Degenerate && d > 1:
		m.Spectrum[d-1] = 0
	case shape == Indefinite:
		m.Spectrum[d-1] = -top / cond
	}
	if ripples {
		m.Ripple = src.LogReal("ripple width", 0.1, 10)
	}
	m.Between, m.Within = l.drawHeterogeneity(src, sizes, top, ripples, ripples)
	if ripples { // the amplitude of a ripple is a curvature
		m.Between.Amplitude *= top
		m.Within.Amplitude *= top
	}
	r := src.Rand("directions")
	m.Centre = drawNormal(src, d, r)
	return Sketch{sizes, m, r}
}

func addScaled(dst []float64, c float64, v []float64) {
	for k, x := range v {
		dst[k] += c * x
	}
}

func norm(v []float64) float64 { return math.Sqrt(dot(v, v)) }

func positiveNumber(v float64) bool { return v > 0 && !math.IsInf(v, 1) }

func finiteNumber(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }
