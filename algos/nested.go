package algos

import "math"

// NestedSVRG keeps reference points at K+1 levels and sums their gradient differences: with ref_0 …
// ref_K,
//
//	v = G_0 + … + G_K,
//	G_0 the gradient (or a batch of it) at ref_0,
//	G_l = mean over I_l of (∇f_i(ref_l) − ∇f_i(ref_{l-1})).
//
// Level l is renewed every T_{l+1}…T_K steps. D. Zhou, P. Xu and Q. Gu, Stochastic nested variance
// reduction for nonconvex optimization, JMLR 2020. One level with length T_1 is SVRG with epoch
// length T_1.
type NestedSVRG struct {
	Eta     float64 // step size η > 0
	Lengths []int   // T_1 … T_K, each at least 2; nil asks for prescribedLevels(n)
	// batch sizes B_1 … B_K of the differences, capped at n; nil together with Lengths
	Sizes           []int
	Base            int     // batch size of G_0; 0 stands for n, the full gradient
	Radius          float64 // noise radius r ≥ 0
	WithReplacement bool    // draw batches with replacement

	state
	samples []*sample // by level; level 0 unused with a full base
	ref     [][]float64
	g       [][]float64
}

var _ Method = (*NestedSVRG)(nil)

var nestedSVRGEntry = Entry{
	Name:    "Nested SVRG",
	Summary: "a sum of differences between nested snapshots",
	Source:  "Zhou et al. 2020",
	New: func(s Setting) Method {
		return &NestedSVRG{Eta: s.Eta, Radius: s.Radius, WithReplacement: s.WithReplacement}
	},
	Prescribed: func(f *Facts) Prescription {
		m := PrescribedNestedSVRG(f.N, f.NeedL())
		return Prescription{Method: m, Eta: m.Eta, By: "Zhou et al. 2020"}
	},
}

// prescribedLevels returns the loop lengths and batch sizes of the original for a base batch of
// size B: K = log₂ log₂ B levels, T_1 = 2, T_l = 2^{2^{l-2}}, B_1 = 6^K B, B_l = 6^{K−l+1} B /
// 2^{2^{l-1}}. Its batch sizes exceed B for every B of practical size; the method caps them at n.
func prescribedLevels(B int) (lengths, sizes []int) {
	// Provenance: the levels are not compared with the original's text.
	K := 1
	if B > 4 {
		K = max(1, int(math.Log2(math.Log2(float64(B)))))
	}
	for l := 1; l <= K; l++ {
		length, shrink := 2, 1.0
		if l > 1 {
			length = 1 << (1 << (l - 2))
			shrink = math.Pow(2, math.Pow(2, float64(l-1)))
		}
		lengths = append(lengths, max(2, length))
		sizes = append(sizes,
			int(min(1e9, math.Ceil(math.Pow(6, float64(K-l+1))*float64(B)/shrink))))
	}
	return lengths, sizes
}

// PrescribedNestedSVRG returns Nested SVRG with prescribedLevels(n) from full gradients and the
// step size 1/(60L): 1/(10M) for the M = 6L of the original.
func PrescribedNestedSVRG(n int, L float64) *NestedSVRG {
	// Provenance: the step size is not compared with the original's text.
	lengths, sizes := prescribedLevels(n)
	return &NestedSVRG{Eta: 1 / (60 * L), Lengths: lengths, Sizes: sizes}
}

// Name returns "Nested SVRG".
func (m *NestedSVRG) Name() string { return "Nested SVRG" }

// Start computes G_0 at x0.
func (m *NestedSVRG) Start(o *Oracle, x0 []float64, r Randomness) error {
	n, d := o.Components(), o.Dim()
	if m.Base == 0 {
		m.Base = n
	}
	if m.Lengths == nil && m.Sizes == nil {
		m.Lengths, m.Sizes = prescribedLevels(m.Base)
	}
	c := checker{method: m.Name()}
	c.positive("Eta", m.Eta)
	c.nonnegative("Radius", m.Radius)
	c.between("Base", m.Base, 1, n, " (the number of components)")
	if len(m.Lengths) == 0 || len(m.Lengths) != len(m.Sizes) {
		c.complain("Lengths",
			"and Sizes must have the same number of levels, at least one; got %d and %d",
			len(m.Lengths), len(m.Sizes))
	}
	for _, T := range m.Lengths {
		if T < 2 {
			c.complain("Lengths", "must be at least 2, got %d", T)
		}
	}
	for _, B := range m.Sizes {
		if B < 1 {
			c.complain("Sizes", "must be at least 1, got %d", B)
		}
	}
	if err := m.begin(&c, o, x0, r, 0, false); err != nil {
		return err
	}
	K := len(m.Lengths)
	m.samples, m.ref, m.g = make([]*sample, K+1), make([][]float64, K+1), make([][]float64, K+1)
	for l := range K + 1 {
		m.ref[l], m.g[l] = clone(x0), make([]float64, d)
		size := m.Base
		if l > 0 {
			size = min(m.Sizes[l-1], n)
		}
		switch {
		case l > 0:
			m.samples[l] = m.sample(size, m.WithReplacement, Batches)
		case size < n:
			m.samples[l] = m.largeSample(size, m.WithReplacement, Batches)
		}
	}
	m.renew(0)
	return nil
}

// renew sets the reference points from the level on to x^t, recomputes that level's gradient and
// drops the finer ones.
func (m *NestedSVRG) renew(level int) {
	for l := level; l < len(m.ref); l++ {
		copy(m.ref[l], m.x)
		clear(m.g[l])
	}
	switch s := m.samples[level]; {
	case level == 0 && s == nil:
		m.o.Full(m.g[0], m.x, m.work)
	case level == 0:
		m.draw(s)
		m.mean(m.g[0], m.x, s)
	default:
		m.draw(s)
		m.difference(m.g[level], 1, m.ref[level], m.ref[level-1], s)
	}
	clear(m.v)
	for _, g := range m.g {
		add(m.v, g)
	}
}

// Step moves and renews the coarsest level that is due.
func (m *NestedSVRG) Step() {
	m.move(m.Eta, m.Radius)
	level, span := len(m.Lengths), 1
	for level > 0 && m.t%(span*m.Lengths[level-1]) == 0 {
		span *= m.Lengths[level-1]
		level--
	}
	m.renew(level)
}

// Memory returns the number of float64 the method keeps between steps.
func (m *NestedSVRG) Memory() int { return (2*len(m.ref) + 2) * m.d }
