package problems

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"

	"gonum.org/v1/gonum/floats"
)

// quadratics is a numbered list of functions s·φ(x) + ½x'Ax + b'x + c, φ the separable core.
// Matrices may be shared, nil stands for zero.
type quadratics struct {
	mats [][]float64 // distinct d×d matrices
	mat  []int       // index into mats
	lin  []float64   // all b, one after the other
	con  []float64
	amp  []float64 // s
}

func (q *quadratics) add(mat int, lin []float64, con, amp float64) {
	q.mat = append(q.mat, mat)
	q.lin = append(q.lin, lin...)
	q.con = append(q.con, con)
	q.amp = append(q.amp, amp)
}

// reserve makes room for n functions.
func (q *quadratics) reserve(n, d int) {
	q.mat, q.lin = make([]int, 0, n), make([]float64, 0, n*d)
	q.con, q.amp = make([]float64, 0, n), make([]float64, 0, n)
}

func (q *quadratics) at(k, d int) (a, b []float64) { return q.mats[q.mat[k]], q.lin[k*d : (k+1)*d] }

func (q *quadratics) item(k int) item { return item{q.mats[q.mat[k]], q.amp[k]} }

// items lists the distinct Hessian families.
func (q *quadratics) items() []item {
	type key struct {
		a   *float64
		amp float64
	}
	list := make([]item, 0, len(q.mats))
	if len(q.mats) == len(q.mat) { // to each function its own
		for k := range q.amp {
			list = append(list, q.item(k))
		}
		return list
	}
	seen := map[key]bool{}
	for k, amp := range q.amp {
		if k > 0 && q.mat[k] == q.mat[k-1] && amp == q.amp[k-1] {
			continue
		}
		it, id := q.item(k), key{amp: amp}
		if it.a != nil {
			id.a = &it.a[0]
		}
		if !seen[id] {
			seen[id] = true
			list = append(list, it)
		}
	}
	return list
}

// composite is f_ij(x) = s_ij φ(x) + ½x'A_ij x + b_ij'x + c_ij with the core φ(x) = Σ_k h_k w_k²
// ψ_k(x_k/w_k). Either the mean of the s_ij is 1 and that of the quadratics is 0, so that f = φ, or
// the mean of the s_ij is 0 and f is quadratic.
type composite struct {
	d    int
	off  []int
	core []coordinate // nil: φ = 0
	data quadratics
	part quadratics // clients; the same as data if each has one datum
	mean quadratics // a single one: f
	// largest spectral distance of the Hessians of two clients as they were made, 0 where it is not
	// known
	apart float64

	certified
	low struct {
		once  sync.Once
		value float64
		exact bool
		mu    float64
	}
}

func (p *composite) layout() (int, []int) { return p.d, p.off }

// gradient sets dst to the gradient of the k-th function of q at x, given the gradient of the core
// in slope (which may be dst itself) or, if slope is nil, computing it.
func (p *composite) gradient(dst, x []float64, q *quadratics, k int, slope []float64) {
	a, b := q.at(k, p.d)
	s := q.amp[k]
	if p.core != nil && s != 0 {
		if slope == nil {
			p.coreSlope(dst, x)
			slope = dst
		}
		dst, b := dst[:len(slope)], b[:len(slope)]
		for l, v := range slope {
			dst[l] = s*v + b[l]
		}
	} else {
		copy(dst, b)
	}
	if a != nil {
		addProduct(dst, a, x)
	}
}

// onStack is the dimension up to which gradients of several data need no memory of their own.
const onStack = 32

// average computes the gradient of the core once, and the product with a matrix once for all data
// in a row that share it. It adds in the order in which single gradients would be added.
func (p *composite) average(dst, x []float64, i int, batch []int) {
	var room [2 * onStack]float64
	work := room[:]
	if p.d > onStack {
		work = make([]float64, 2*p.d)
	}
	var slope []float64
	if p.core != nil {
		slope = work[p.d : 2*p.d]
		p.coreSlope(slope, x)
	}
	p.averageAt(dst, x, i, batch, slope, work[:p.d])
}

// averageAt is average, given the gradient of the core at x, if there is one, and room for a
// product.
func (p *composite) averageAt(dst, x []float64, i int, batch []int, slope, product []float64) {
	dst = dst[:p.d]
	product = product[:len(dst)]
	if p.core != nil {
		slope = slope[:len(dst)]
	}
	first, n := p.off[i], len(batch)
	if batch == nil {
		n = p.off[i+1] - first
	}
	if n == 1 {
		if batch != nil {
			first += batch[0]
		}
		p.gradient(dst, x, &p.data, first, slope)
		for l := range dst {
			dst[l] += 0 // of which the sum is made: it has no −0
		}
		return
	}
	clear(dst)
	known := -1 // the matrix of the product
	for r := range n {
		k := first + r
		if batch != nil {
			k = first + batch[r]
		}
		a, b := p.data.at(k, len(dst))
		if mat := p.data.mat[k]; a != nil && mat != known {
			known = mat
			clear(product)
			addProduct(product, a, x)
		}
		s := p.data.amp[k]
		if p.core == nil {
			s = 0
		}
		switch {
		case s != 0 && a != nil:
			for l := range dst {
				dst[l] += s*slope[l] + b[l] + product[l]
			}
		case s != 0:
			for l := range dst {
				dst[l] += s*slope[l] + b[l]
			}
		case a != nil:
			for l := range dst {
				dst[l] += b[l] + product[l]
			}
		default:
			for l := range dst {
				dst[l] += b[l]
			}
		}
	}
	each := 1 / float64(n)
	for l, v := range dst {
		dst[l] = each * v
	}
}

func (p *composite) coreSlope(dst, x []float64) {
	for l := range dst {
		dst[l] = p.core[l].slopeAt(x[l])
	}
}

func (p *composite) product(dst, x, u []float64, q *quadratics, k int) {
	clear(dst)
	if p.core != nil && q.amp[k] != 0 {
		for l, v := range u {
			if v != 0 { // of the columns of a matrix only the diagonal is
				dst[l] = q.amp[k] * p.core[l].curvatureAt(x[l]) * v
			}
		}
	}
	if a := q.mats[q.mat[k]]; a != nil {
		addProduct(dst, a, u)
	}
}

// addProduct adds the matrix a times x to dst.
func addProduct(dst, a, x []float64) {
	d := len(dst)
	if d >= 16 {
		for r := range dst {
			dst[r] += floats.Dot(a[r*d:(r+1)*d], x)
		}
		return
	}
	x, r := x[:d], 0
	for ; r+4 <= d; r += 4 { // four rows at once: each sum has to wait for itself only
		p, q, s, t := a[r*d:][:d], a[(r+1)*d:][:d], a[(r+2)*d:][:d], a[(r+3)*d:][:d]
		var u, v, w, z float64
		for k, y := range x {
			u += p[k] * y
			v += q[k] * y
			w += s[k] * y
			z += t[k] * y
		}
		dst[r] += u
		dst[r+1] += v
		dst[r+2] += w
		dst[r+3] += z
	}
	for ; r < d; r++ {
		dst[r] += dot(a[r*d:(r+1)*d], x)
	}
}

func (p *composite) datum(dst, x []float64, k int)  { p.gradient(dst, x, &p.data, k, nil) }
func (p *composite) client(dst, x []float64, i int) { p.gradient(dst, x, &p.part, i, nil) }
func (p *composite) full(dst, x []float64)          { p.gradient(dst, x, &p.mean, 0, nil) }

func (p *composite) clients(dst, x []float64, batch []int) { p.clientsAt(dst, x, batch, nil) }

// clientsAt is clients, given the gradient of the core at x if slope is not nil.
func (p *composite) clientsAt(dst, x []float64, batch []int, slope []float64) {
	if len(batch) == 0 {
		return
	}
	if p.core != nil && slope == nil {
		// the core's gradient is computed once, in the row that is finished last
		slope = dst[:p.d]
		p.coreSlope(slope, x)
	}
	if len(p.part.mats) == len(p.part.mat) || p.d > onStack {
		for r := len(batch) - 1; r >= 0; r-- {
			p.gradient(dst[r*p.d:(r+1)*p.d], x, &p.part, batch[r], slope)
		}
		return
	}
	// products with the matrices of the last even and of the last odd number: many clients may
	// share one, and of two clusters there are two
	var room [2 * onStack]float64
	known := [2]int{-1, -1}
	for r := len(batch) - 1; r >= 0; r-- {
		row, i := dst[r*p.d:][:p.d], batch[r]
		a, b := p.part.at(i, p.d)
		s := p.part.amp[i]
		if slope == nil {
			s = 0
		}
		var product []float64
		if a != nil {
			mat := p.part.mat[i]
			product = room[mat%2*p.d:][:p.d]
			if known[mat%2] != mat {
				known[mat%2] = mat
				clear(product)
				addProduct(product, a, x)
			}
		}
		switch b = b[:len(row)]; {
		case s != 0 && a != nil:
			slope, product = slope[:len(row)], product[:len(row)]
			for l, v := range b {
				row[l] = s*slope[l] + v + product[l]
			}
		case s != 0:
			for l, v := range b {
				row[l] = s*slope[l] + v
			}
		case a != nil:
			for l, v := range b {
				row[l] = v + product[l]
			}
		default:
			copy(row, b)
		}
	}
}

func (p *composite) hessian(dst, x, u []float64)              { p.product(dst, x, u, &p.mean, 0) }
func (p *composite) clientHessian(dst, x, u []float64, i int) { p.product(dst, x, u, &p.part, i) }
func (p *composite) datumHessian(dst, x, u []float64, k int)  { p.product(dst, x, u, &p.data, k) }
func (p *composite) value(x []float64) float64                { return p.valueOf(x, &p.mean, 0) }
func (p *composite) valueOf(x []float64, q *quadratics, k int) float64 {
	a, b := q.at(k, p.d)
	sum := q.con[k] + dot(b, x)
	if a != nil {
		for r, v := range x {
			sum += v * dot(a[r*p.d:(r+1)*p.d], x) / 2
		}
	}
	if q.amp[k] != 0 {
		for l := range p.core {
			sum += q.amp[k] * p.core[l].valueAt(x[l])
		}
	}
	return sum
}

// box returns the ranges of the diagonal of ∇²φ and the Hessian Lipschitz constant of φ.
func (p *composite) box() (lo, hi []float64, rho float64) {
	for k := range p.core {
		c := &p.core[k]
		lo, hi = append(lo, c.h*c.curvLo), append(hi, c.h*c.curvHi)
		rho = max(rho, c.h/c.w*c.third)
	}
	return lo, hi, rho
}

func (p *composite) certify(perDatum bool) Constants {
	parts := &p.part
	if perDatum {
		parts = &p.data
	}
	return p.constants(perDatum, func() Constants { return p.certificates(perDatum, parts) })
}

// smoothness returns L, ζ and ρ.
func (p *composite) smoothness(parts *quadratics) (l, zeta, rho Constant) {
	e := newEigen(p.d)
	lo, hi, third := p.box()
	largest, steep := 0.0, 0.0
	for _, it := range parts.items() {
		largest = e.larger(largest, it, item{}, lo, hi)
		steep = max(steep, math.Abs(it.s))
	}
	distance, exact := p.diameter(e, lo, hi)
	l, zeta = exactly(largest, p.why()), Constant{distance, exact, p.why()}
	if !exact {
		zeta.Why = "twice the largest distance from the mean Hessian: too many components for all pairs"
	}
	return l, zeta, exactly(steep*third, "largest third derivative of the core")
}

// why says where constants of Hessians come from.
func (p *composite) why() string {
	if p.core == nil {
		return "eigenvalues of the constant Hessians"
	}
	return "extreme eigenvalues of the Hessians over the range of the core's curvature"
}

func (p *composite) certificates(perDatum bool, parts *quadratics) Constants {
	e := newEigen(p.d)
	lo, hi, _ := p.box()
	centre := p.mean.item(0)
	c := Constants{
		LMean: exactly(e.larger(0, centre, item{}, lo, hi), p.why()),
		Sigma: exactly(0, "a component has no data of its own"),
		G:     exactly(0, "a component has no data of its own"),
		ZetaPrime: sync.OnceValue(func() Constant {
			e, prime := newEigen(p.d), 0.0
			for _, it := range parts.items() {
				prime = e.larger(prime, it, centre, lo, hi)
			}
			return exactly(prime, p.why())
		}),
	}
	c.L, c.Zeta, c.Rho = p.smoothness(parts)
	p.minimum()
	c.Mu = Constant{p.low.mu, true, "smallest nonzero eigenvalue of the mean Hessian"}
	if p.mean.amp[0] != 0 {
		c.Mu = p.coreMu()
	}
	if perDatum {
		c.Sigma, c.G = p.noise(nil, 0)
	}
	return c
}

// diameter returns ζ, and whether it is exact.
func (p *composite) diameter(e *eigen, lo, hi []float64) (float64, bool) {
	items := p.part.items()
	if size := norm(p.mean.mats[0]); len(items) > 2 && p.apart > 1e-4*size {
		// the deviations were made so, and adding the mean to them rounds
		return p.apart*(1+1e-14) + 1e-15*size, true
	}
	return e.diameter(items, lo, hi, p.mean.item(0))
}

// coreMu returns the PL constant of the separable mean function: the smallest one of a coordinate.
func (p *composite) coreMu() Constant {
	mu := exactly(math.Inf(1), "the smallest PL constant of a coordinate")
	for k := range p.core {
		if c := &p.core[k]; c.h*c.mu < mu.Value {
			mu.Value, mu.Exact = c.h*c.mu, c.mu > 0
		}
	}
	return mu
}

// noise is exact over all of R^d where the data of each client share a matrix: their deviations are
// then linear terms plus multiples of the core's gradient, whose coordinates reach their extremes
// independently of each other.
func (p *composite) noise(x []float64, radius float64) (sigma, g Constant) {
	why := "linear terms and amplitudes of the data at the steepest point of the core"
	sigma, g = exactly(0, why), exactly(0, why)
	for i := range len(p.off) - 1 {
		s, m := math.Inf(1), math.Inf(1)
		if p.sharedMatrix(i) {
			s, m = p.globalNoise(i)
		}
		if math.IsInf(m, 1) {
			why = "the data of a client differ in Hessian so that their deviation grows without bound"
			sigma.Exact, g.Exact = false, false
		}
		if x != nil {
			if s1, m1 := p.localNoise(i, x, radius); m1 < m {
				s, m = min(s, s1), m1
				sigma.Exact, g.Exact = false, false
				why = "deviation at the centre plus radius times the difference of Hessians"
			}
		}
		sigma.Value, g.Value = max(sigma.Value, s), max(g.Value, m)
	}
	sigma.Why, g.Why = why, why
	return sigma, g
}

func (p *composite) globalNoise(i int) (sigma, g float64) {
	first, last := p.off[i], p.off[i+1]
	_, mean := p.part.at(i, p.d)
	steep, cross := make([]float64, p.d), make([]float64, p.d)
	var ampSq, linSq float64
	for k := range p.core {
		c := &p.core[k]
		steep[k] = c.h * c.w * c.slope
	}
	for k := first; k < last; k++ {
		_, b := p.data.at(k, p.d)
		t, sq := p.data.amp[k]-p.part.amp[i], 0.0
		for l := range b {
			e := math.Abs(b[l] - mean[l])
			if t != 0 {
				e += math.Abs(t) * steep[l]
			}
			sq += e * e
			cross[l] += t * (b[l] - mean[l])
		}
		ampSq += t * t
		linSq += distSq(b, mean)
		g = max(g, math.Sqrt(sq))
	}
	total := linSq
	if ampSq > 0 {
		for l, m := range steep {
			if math.IsInf(m, 1) {
				return m, m
			}
			total += ampSq*m*m + 2*m*math.Abs(cross[l])
		}
	}
	return math.Sqrt(total / float64(last-first)), g
}

func (p *composite) localNoise(i int, x []float64, radius float64) (sigma, g float64) {
	e := newEigen(p.d)
	lo, hi, _ := p.box()
	dev, mean := make([]float64, p.d), make([]float64, p.d)
	p.client(mean, x, i)
	total := 0.0
	for k := p.off[i]; k < p.off[i+1]; k++ {
		p.datum(dev, x, k)
		r := math.Sqrt(distSq(dev, mean)) +
			e.larger(0, p.data.item(k), p.part.item(i), lo, hi)*radius
		total += r * r
		g = max(g, r)
	}
	return math.Sqrt(total / float64(p.off[i+1]-p.off[i])), g
}

// sharedMatrix reports whether all data of client i have the same matrix.
func (p *composite) sharedMatrix(i int) bool {
	for k := p.off[i] + 1; k < p.off[i+1]; k++ {
		if p.data.mat[k] != p.data.mat[k-1] {
			return false
		}
	}
	return true
}

// quadraticMinimum returns the infimum of ½x'ax + b'x + c, possibly -Inf, and its PL constant, 0 if
// there is none. a may be nil for zero. sizeA and sizeB are the magnitudes of the terms of which a
// and b are means: what is smaller by relativeZero counts as zero.
func quadraticMinimum(a, b []float64, c, sizeA, sizeB float64) (low, mu float64) {
	d := len(b)
	if a == nil {
		a = make([]float64, d*d)
	}
	values, vectors := newEigen(d).decompose(a)
	top := max(math.Abs(values[0]), math.Abs(values[d-1]))
	sizeA, sizeB = max(sizeA, top), max(sizeB, norm(b))
	mu = math.Inf(1)
	for k, v := range values {
		along := dot(vectors[k], b)
		switch {
		case v > relativeZero*sizeA:
			c -= along * along / v / 2
			mu = min(mu, v-eigenSlack*float64(d)*top)
		case v < -relativeZero*sizeA || math.Abs(along) > relativeZero*sizeB:
			return math.Inf(-1), 0
		}
	}
	if math.IsInf(mu, 1) {
		mu = 0
	}
	return c, mu
}

// relativeZero is the relative size below which an eigenvalue or a coefficient of a mean counts as
// zero.
const relativeZero = 1e-10

func (p *composite) minimum() (float64, bool) {
	p.low.once.Do(func() {
		p.low.exact = true
		a, b := p.mean.at(0, p.d)
		p.low.value = p.mean.con[0]
		if p.mean.amp[0] != 0 {
			for k := range p.core {
				c := &p.core[k]
				p.low.value += c.h * c.w * c.w * c.least
			}
			return
		}
		var sizeA, sizeB float64
		for _, m := range p.data.mats {
			sizeA = max(sizeA, norm(m))
		}
		for k := range p.data.mat {
			_, bk := p.data.at(k, p.d)
			sizeB = max(sizeB, norm(bk))
		}
		p.low.value, p.low.mu = quadraticMinimum(a, b, p.low.value, sizeA, sizeB)
	})
	return p.low.value, p.low.exact
}

// recipe describes a composite by its mean and its deviations.
type recipe struct {
	d               int
	core            []coordinate // nil, or one for each dimension
	amp             float64      // mean factor before the core, 0 or 1
	mat, lin        []float64    // of the mean; nil for zero
	con             float64
	between, within Heterogeneity
}

// Plan describes the members of a family by their mean and its deviations: a [QuadraticMean], a
// [PLMean] or a [SaddleMean].
type Plan interface {
	recipe(r *rand.Rand) (recipe, error)
}

// Make builds the problem of the given description in which client i has sizes[i] data; r supplies
// random directions. An error names what does not fit.
func Make(sizes []int, m Plan, r *rand.Rand) (Federated, error) {
	rec, err := m.recipe(r)
	if err != nil {
		return Federated{}, err
	}
	p, err := rec.build(sizes, r)
	return Federated{objective{p}}, err
}

// OneEach are the sizes of a finite sum: n clients with one datum each.
func OneEach(n int) []int { return slices.Repeat([]int{1}, max(0, n)) }

func validSizes(sizes []int) error {
	if len(sizes) == 0 {
		return fmt.Errorf("problems: no components or clients, want at least 1")
	}
	for i, m := range sizes {
		if m < 1 {
			return fmt.Errorf("problems: client %d has %d data, want at least 1", i, m)
		}
	}
	return nil
}

func (r recipe) validate() error {
	if r.d < 1 {
		return fmt.Errorf("problems: dimension %d, want at least 1", r.d)
	}
	for k, c := range r.core {
		switch {
		case !positiveNumber(c.h):
			return fmt.Errorf("problems: coordinate %d has curvature %v, want a positive number", k,
				c.h)
		case !positiveNumber(c.w):
			return fmt.Errorf("problems: coordinate %d has width %v, want a positive number", k,
				c.w)
		}
	}
	for _, h := range []struct {
		name string
		Heterogeneity
	}{{"between", r.between}, {"within", r.within}} {
		for _, size := range []struct {
			name string
			v    float64
		}{{"Hessian distance", h.Hessian}, {"linear spread", h.Linear},
			{"amplitude", h.Amplitude}} {
			if !(size.v >= 0) || math.IsInf(size.v, 1) {
				return fmt.Errorf(
					"problems: heterogeneity %s has %s %v, want a finite number of at least 0",
					h.name, size.name, size.v)
			}
		}
		switch {
		case h.Pattern >= patterns:
			return fmt.Errorf("problems: heterogeneity %s has unknown pattern %d", h.name,
				h.Pattern)
		case h.Pattern == None && h.Hessian > 0:
			return fmt.Errorf(
				"problems: heterogeneity %s has Hessian distance %v but the pattern none", h.name,
				h.Hessian)
		case h.Amplitude > 0 && r.core == nil:
			return fmt.Errorf(
				"problems: heterogeneity %s has amplitude %v, but plain quadratics have none",
				h.name, h.Amplitude)
		}
	}
	return nil
}

// build makes the composite with the given number of data for each client.
func (r recipe) build(sizes []int, rnd *rand.Rand) (*composite, error) {
	if err := r.validate(); err != nil {
		return nil, err
	}
	if err := validSizes(sizes); err != nil {
		return nil, err
	}
	clients, d := len(sizes), r.d
	p := &composite{d: d, core: r.core, off: make([]int, 1, clients+1)}
	lin := r.lin
	if lin == nil {
		lin = make([]float64, d)
	}
	p.mean.mats = [][]float64{r.mat}
	p.mean.add(0, lin, r.con, r.amp)

	e := newEigen(d)
	cm, cidx := r.between.matrices(clients, e, rnd)
	cv := r.between.vectors(clients, d, rnd)
	ca := r.between.amplitudes(clients, rnd)
	if r.between.Amplitude == 0 && clients > 1 && allPairs(clients) {
		p.apart = r.between.Hessian
	}
	p.part.reserve(clients, d)
	for _, m := range cm {
		p.part.mats = append(p.part.mats, sum(r.mat, m))
	}
	single := true
	for i, m := range sizes {
		p.part.add(cidx[i], sum(lin, cv[i]), r.con, r.amp+ca[i])
		p.off = append(p.off, p.off[i]+m)
		single = single && m == 1
	}
	if single {
		p.data = p.part
		return p, nil
	}
	p.data.reserve(p.off[clients], d)
	// numbers, plus 1, of the matrices of data to which nothing is added, by that of the client
	plain := make([]int, len(cm))
	for i, m := range sizes {
		dm, didx := r.within.matrices(m, e, rnd)
		dv := r.within.vectors(m, d, rnd)
		da := r.within.amplitudes(m, rnd)
		a, b := p.part.at(i, d)
		known := make([]int, len(dm)) // those of the others
		for j := range m {
			at := &known[didx[j]]
			if dm[didx[j]] == nil {
				at = &plain[cidx[i]]
			}
			if *at == 0 {
				p.data.mats = append(p.data.mats, sum(a, dm[didx[j]]))
				*at = len(p.data.mats)
			}
			p.data.add(*at-1, sum(b, dv[j]), r.con, p.part.amp[i]+da[j])
		}
	}
	return p, nil
}

// sum adds two vectors or matrices of which either may be nil for zero. It takes the memory of b,
// which is the caller's no more; that of a may be shared.
func sum(a, b []float64) []float64 {
	if b == nil {
		return a
	}
	for k, v := range a {
		b[k] += v
	}
	return b
}
