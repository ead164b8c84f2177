package algos

// Problem is an objective f(x) = (1/P) Σ_i f_i(x) on R^d in which client i holds data, f_i(x) being
// the mean over j of f_ij(x). A finite sum is the view in which every client holds one datum; see
// [Sum]. Methods for finite sums see the clients as components; see [Oracle].
//
// A problem may have further abilities: [Valuer], [FullGradienter], [ValueGradienter],
// [MeanGradienter], [PairGradienter], [BatchGradienter], [BatchDifferencer], [MeanDifferencer],
// [LinearModeler], [Hessianer], [ComponentHessianer] and [Recaller]; see [As]. Implementations are
// safe for concurrent use by readers: no method changes the problem.
type Problem interface {
	// Clients returns P ≥ 1.
	Clients() int
	// Size returns the number of data of client i, at least 1.
	Size(i int) int
	// Dim returns d ≥ 1.
	Dim() int
	// Gradient sets dst to ∇f_ij(x). dst and x have length d and do not overlap; 0 ≤ i < P and 0 ≤
	// j < Size(i).
	Gradient(dst, x []float64, i, j int)
}

// FiniteSum is an objective f(x) = (1/n) Σ f_i(x) on R^d whose component gradients can be computed
// one at a time. [Sum] makes it a [Problem]; it may have the abilities of one, safe for concurrent
// use like those.
type FiniteSum interface {
	// Components returns n ≥ 1, the number of component functions.
	Components() int
	// Dim returns d ≥ 1, the dimension of the domain.
	Dim() int
	// Gradient sets dst to ∇f_i(x). dst and x have length d and do not overlap; 0 ≤ i < n.
	Gradient(dst, x []float64, i int)
}

// Sum views a finite sum as a problem with one client for each component, which holds one datum. It
// keeps the abilities of f; see [As].
func Sum(f FiniteSum) Problem { return sum{f} }

type sum struct{ FiniteSum }

func (s sum) Clients() int                        { return s.Components() }
func (s sum) Size(int) int                        { return 1 }
func (s sum) Gradient(dst, x []float64, i, _ int) { s.FiniteSum.Gradient(dst, x, i) }

// As returns the problem with an optional ability, of the finite sum behind it where it is the view
// of one; ok is false if it lacks the ability.
func As[Ability any](p Problem) (a Ability, ok bool) {
	var q any = p
	if s, isSum := p.(sum); isSum {
		q = s.FiniteSum
	}
	if w, partly := q.(Partial); partly && !w.Has((*Ability)(nil)) {
		return a, false
	}
	a, ok = q.(Ability)
	return a, ok
}

// Partial is implemented by problems and finite sums that have the methods of more abilities than
// they have, such as those that pass on what another one has.
type Partial interface {
	// Has reports whether there is an ability, given by a nil pointer to its type, such as
	// (*FullGradienter)(nil).
	Has(ability any) bool
}

// Valuer is the optional ability to compute the objective f(x) itself (not a component). Monitoring
// uses it, and the few methods that compare values.
type Valuer interface {
	Value(x []float64) float64
}

// FullGradienter is the optional ability to compute ∇f(x) faster than by summing components.
type FullGradienter interface {
	FullGradient(dst, x []float64)
}

// ValueGradienter is the optional ability to compute the two together: dst becomes ∇f(x), and f(x)
// is returned. The numbers are those of Value and FullGradient.
type ValueGradienter interface {
	ValueGradient(dst, x []float64) float64
}

// MeanGradienter is the optional ability to compute the mean gradient of several data of one client
// together: dst becomes the mean of ∇f_ij(x) over j in batch, or over all data of client i if batch
// is nil.
type MeanGradienter interface {
	MeanGradient(dst, x []float64, i int, batch []int)
}

// PairGradienter is the optional ability to compute mean gradients of the same data at two points
// in one pass: now and before, of length d and apart from each other, become what MeanGradient
// gives at x and at y, to the last bit. A nil batch stands for all data of client i.
type PairGradienter interface {
	MeanGradients(now, before, x, y []float64, i int, batch []int)
}

// BatchGradienter is the optional ability to compute the gradients of several components (clients)
// together, which pays for networks and dense linear models. Row k of dst (length len(batch)*d)
// becomes ∇f_i(x) for i = batch[k].
type BatchGradienter interface {
	BatchGradient(dst, x []float64, batch []int)
}

// BatchDifferencer is the optional ability to compute how gradients of several components (clients)
// differ between two points, which is all that many methods want of them: c times the mean of
// ∇f_i(x) − ∇f_i(y) over i in batch is added to dst. dst, x and y have length d; batch is not
// empty, and the oracle counts two gradients for each of its components.
type BatchDifferencer interface {
	AddBatchDifference(dst []float64, c float64, x, y []float64, batch []int)
}

// MeanDifferencer is BatchDifferencer for data of one client: the mean of ∇f_ij(x) − ∇f_ij(y) over
// j in batch is added to dst.
type MeanDifferencer interface {
	AddMeanDifference(dst, x, y []float64, i int, batch []int)
}

// Hessianer is the optional ability to compute second derivatives. HessianVector sets dst to
// ∇²f(x)u.
type Hessianer interface {
	HessianVector(dst, x, u []float64)
}

// ComponentHessianer is the optional ability to compute second derivatives of single components
// (clients): dst becomes ∇²f_i(x)u.
type ComponentHessianer interface {
	ComponentHessianVector(dst, x, u []float64, i int)
}
