package problems

import (
	"fmt"
	"math"
	"slices"
	"sync"

	"gonum.org/v1/gonum/floats"

	"sledge/algos/internal/huge"
	"sledge/algos/internal/prefetch"
)

// linear is f_ij(x) = ℓ(a_ij'x − s_ij) + Σ_k r(x_k): a loss ℓ of one variable at linear margins
// plus a regulariser r that all data share.
type linear struct {
	d      int
	off    []int  // data of the clients, numbered through
	starts []span // of the data, and their end
	column []int32
	val    []float64
	shift  []float64
	plain  bool // all shifts are zero
	loss   coordinate
	reg    []coordinate // r is their sum

	certified
	gram func() *gram
}

// span is where a row begins: its columns, and its values, which sparse rows share whose entries
// are all the same number, as those of indicators are.
type span struct{ column, value int }

// newLinear takes the rows of a table, grouped by client, times factor(k), with shifts given by
// shift(k) for row k of the table. For nil each row is a client.
func newLinear(t *Table, clients [][]int, loss coordinate, reg []coordinate, factor,
	shift func(k int) float64) (Federated, error) {
	if err := t.validate(); err != nil {
		return Federated{}, err
	}
	if clients == nil {
		clients = everyRow(t)
	}
	if len(clients) == 0 {
		return Federated{}, fmt.Errorf("problems: no clients, want at least 1")
	}
	if err := (recipe{d: t.Width, core: append([]coordinate{loss},
		reg...)}).validate(); err != nil {
		return Federated{}, err
	}
	p := &linear{d: t.Width, loss: loss, reg: reg, off: []int{0}}
	if t.Column != nil {
		p.column = make([]int32, 0, len(t.Column))
	}
	p.val = huge.Make[float64](len(t.Value))[:0]
	known := map[float64]repeated{}
	for i, rows := range clients {
		if len(rows) == 0 {
			return Federated{}, fmt.Errorf("problems: client %d has no data, want at least 1", i)
		}
		for _, k := range rows {
			if k < 0 || k >= t.Rows() {
				return Federated{}, fmt.Errorf(
					"problems: client %d has row %d of a table of %d rows", i, k, t.Rows())
			}
			columns, values := t.Row(k)
			p.shift = append(p.shift, shift(k))
			p.appendRow(columns, values, factor(k), known)
		}
		p.off = append(p.off, len(p.shift))
	}
	p.starts = append(p.starts, span{column: len(p.column)})
	p.plain = !slices.ContainsFunc(p.shift, func(s float64) bool { return s != 0 })
	p.gram = sync.OnceValue(p.newGram)
	return Federated{objective{p}}, nil
}

// repeated is where one number stands in the values, so many times.
type repeated struct{ from, times int }

// appendRow takes in a row times c. Known is of each number where it stands most often.
func (p *linear) appendRow(columns []int32, values []float64, c float64,
	known map[float64]repeated) {
	at := len(p.val)
	if p.column != nil && len(values) > 0 && values[0] != 0 && c != 0 &&
		!slices.ContainsFunc(values, func(v float64) bool { return v != values[0] }) {
		number := c * values[0]
		if r := known[number]; r.times >= len(values) {
			at, values = r.from, nil
		} else {
			known[number] = repeated{at, len(values)}
		}
	}
	for _, v := range values {
		p.val = append(p.val, c*v)
	}
	p.starts = append(p.starts, span{len(p.column), at})
	p.column = append(p.column, columns...)
}

// pooled is the same data in the hands of one client.
func (p *linear) pooled() *linear {
	q := &linear{d: p.d, off: []int{0, len(p.shift)}, starts: p.starts, column: p.column,
		val: p.val, shift: p.shift, plain: p.plain, loss: p.loss, reg: p.reg}
	q.gram = sync.OnceValue(q.newGram)
	return q
}

// everyRow makes each row of a table a client of its own.
func everyRow(t *Table) [][]int {
	all := make([]int, t.Rows())
	clients := make([][]int, t.Rows())
	for k := range all {
		all[k] = k
		clients[k] = all[k : k+1]
	}
	return clients
}

func (p *linear) layout() (int, []int) { return p.d, p.off }

// dot returns a_k'x.
func (p *linear) dot(k int, x []float64) float64 {
	columns, val := p.Row(k)
	if columns == nil {
		return floats.Dot(val, x)
	}
	s := 0.0
	for e, c := range columns {
		s += val[e] * x[c]
	}
	return s
}

// addRow adds c·a_k to dst.
func (p *linear) addRow(dst []float64, c float64, k int) {
	columns, val := p.Row(k)
	if columns == nil {
		floats.AddScaled(dst, c, val)
		return
	}
	for e, col := range columns {
		dst[col] += c * val[e]
	}
}

func (p *linear) regSlope(dst, x []float64) {
	clear(dst)
	p.AddShared(dst, 1, x)
}

// AddShared adds c times the gradient of the regulariser at x to dst; see [algos.Linear].
func (p *linear) AddShared(dst []float64, c float64, x []float64) bool {
	for r := range p.reg {
		reg := &p.reg[r]
		if reg.scalar == square {
			floats.AddScaled(dst, c*reg.h, x)
			continue
		}
		for l, v := range x {
			dst[l] += c * reg.slopeAt(v)
		}
	}
	return len(p.reg) > 0
}

// Ridge returns the factor of a regulariser that is a ridge; see [algos.Ridge].
func (p *linear) Ridge() (lambda float64, ok bool) {
	if len(p.reg) == 1 && p.reg[0].scalar == square {
		return p.reg[0].h, true
	}
	return 0, len(p.reg) == 0
}

// Row returns row i.
func (p *linear) Row(i int) ([]int32, []float64) {
	if p.column == nil {
		return nil, p.val[i*p.d : (i+1)*p.d]
	}
	s, end := p.starts[i], p.starts[i+1].column
	return p.column[s.column:end], p.val[s.value : s.value+end-s.column]
}

// Slope returns the slope of the loss of datum i at the margin u.
func (p *linear) Slope(i int, u float64) float64 {
	if !p.plain {
		u -= p.shift[i]
	}
	return p.loss.slopeAt(u)
}

// rows adds the gradients of the losses of data from to to-1, times w, to dst.
func (p *linear) rows(dst, x []float64, from, to int, w float64) {
	for k := from; k < to; k++ {
		p.addRow(dst, w*p.Slope(k, p.dot(k, x)), k)
	}
}

func (p *linear) rowProducts(dst, x, u []float64, from, to int, w float64) {
	for k := from; k < to; k++ {
		p.addRow(dst, w*p.loss.curvatureAt(p.dot(k, x)-p.shift[k])*p.dot(k, u), k)
	}
}

func (p *linear) regProduct(dst, x, u []float64) {
	clear(dst)
	for r := range p.reg {
		for l, v := range x {
			dst[l] += p.reg[r].curvatureAt(v) * u[l]
		}
	}
}

// weight returns the share of each datum of client i in f_i.
func (p *linear) weight(i int) float64 { return 1 / float64(p.off[i+1]-p.off[i]) }

func (p *linear) datum(dst, x []float64, k int) {
	p.regSlope(dst, x)
	p.rows(dst, x, k, k+1, 1)
}

func (p *linear) client(dst, x []float64, i int) {
	p.regSlope(dst, x)
	p.rows(dst, x, p.off[i], p.off[i+1], p.weight(i))
}

func (p *linear) average(dst, x []float64, i int, batch []int) {
	if batch == nil {
		p.client(dst, x, i)
		return
	}
	p.regSlope(dst, x)
	for n, j := range batch {
		p.comingRows(i, batch, n)
		p.rows(dst, x, p.off[i]+j, p.off[i]+j+1, 1/float64(len(batch)))
	}
}

// comingRows asks for a row of a batch that is needed soon after row n.
func (p *linear) comingRows(i int, batch []int, n int) {
	if n == 0 {
		for _, j := range batch[1:min(prefetch.Ahead, len(batch))] {
			p.prefetch(p.off[i] + j)
		}
	}
	if next := n + prefetch.Ahead; next < len(batch) {
		p.prefetch(p.off[i] + batch[next])
	}
}

// prefetch asks for the row of a datum.
func (p *linear) prefetch(k int) {
	columns, values := p.Row(k)
	prefetch.Slice(columns)
	prefetch.Slice(values)
}

// MeanGradients reads every row once for both points.
func (p *linear) MeanGradients(now, before, x, y []float64, i int, batch []int) {
	if batch == nil {
		p.client(now, x, i)
		p.client(before, y, i)
		return
	}
	p.regSlope(now, x)
	p.regSlope(before, y)
	if p.column == nil && p.d >= gatherFrom {
		p.addMeans(now, before, x, y, i, batch)
		return
	}
	w := 1 / float64(len(batch))
	for n, j := range batch {
		p.comingRows(i, batch, n)
		k := p.off[i] + j
		u, v := p.dot(k, x), p.dot(k, y)
		p.addRow(now, w*p.Slope(k, u), k)
		p.addRow(before, w*p.Slope(k, v), k)
	}
}

func (p *linear) clients(dst, x []float64, batch []int) {
	for r, i := range batch {
		row := dst[r*p.d : (r+1)*p.d]
		if r == 0 || len(p.reg) == 0 {
			p.regSlope(row, x)
		}
		if r == 0 {
			for s := 1; s < len(batch); s++ {
				copy(dst[s*p.d:(s+1)*p.d], row)
			}
		}
		p.rows(row, x, p.off[i], p.off[i+1], p.weight(i))
	}
}

func (p *linear) full(dst, x []float64) {
	p.regSlope(dst, x)
	P := float64(len(p.off) - 1)
	for i := range len(p.off) - 1 {
		p.rows(dst, x, p.off[i], p.off[i+1], p.weight(i)/P)
	}
}

func (p *linear) value(x []float64) float64 {
	return p.total(x, func(k int, u, _ float64) float64 { return p.loss.valueAt(u) })
}

// ValueGradient makes one pass over the data for both.
func (p *linear) ValueGradient(dst, x []float64) float64 {
	p.regSlope(dst, x)
	return p.total(x, func(k int, u, weight float64) float64 {
		value, slope := p.loss.bothAt(u)
		p.addRow(dst, weight*slope, k)
		return value
	})
}

// total returns f(x) from the values of the losses at the margins u of the data, whose weights in f
// are given.
func (p *linear) total(x []float64, loss func(k int, u, weight float64) float64) float64 {
	total, P := 0.0, float64(len(p.off)-1)
	for i := range len(p.off) - 1 {
		s, w := 0.0, p.weight(i)
		for k := p.off[i]; k < p.off[i+1]; k++ {
			s += loss(k, p.dot(k, x)-p.shift[k], w/P)
		}
		total += s * w
	}
	total /= P
	for r := range p.reg {
		for _, v := range x {
			total += p.reg[r].valueAt(v)
		}
	}
	return total
}

func (p *linear) hessian(dst, x, u []float64) {
	p.regProduct(dst, x, u)
	P := float64(len(p.off) - 1)
	for i := range len(p.off) - 1 {
		p.rowProducts(dst, x, u, p.off[i], p.off[i+1], p.weight(i)/P)
	}
}

func (p *linear) clientHessian(dst, x, u []float64, i int) {
	p.regProduct(dst, x, u)
	p.rowProducts(dst, x, u, p.off[i], p.off[i+1], p.weight(i))
}

func (p *linear) datumHessian(dst, x, u []float64, k int) {
	p.regProduct(dst, x, u)
	p.rowProducts(dst, x, u, k, k+1, 1)
}

// reach is the range of curvatures and the largest third derivative and slope of a function.
type reach struct{ lo, hi, third, slope float64 }

func (c *coordinate) reach() reach {
	return reach{c.h * c.curvLo, c.h * c.curvHi, c.h / c.w * c.third, c.h * c.w * c.slope}
}

func (p *linear) regReach() reach {
	var sum reach
	for r := range p.reg {
		one := p.reg[r].reach()
		sum.lo += one.lo
		sum.hi += one.hi
		sum.third += one.third
		sum.slope += one.slope
	}
	return sum
}

// gram holds the matrices that certificates rest on.
type gram struct {
	norms []float64 // ‖a_k‖
	// mean of a a' over the data of each client; nil if clients are single data or the matrices
	// would be too large
	clients [][]float64
	mean    []float64 // mean over clients; nil if too large
	tops    []float64 // largest eigenvalue, or a bound, for each client
	top     float64   // largest eigenvalue, or a bound, of the mean
	e       *eigen    // nil if d is too large
}

// maxGram bounds the multiplications spent on Gram matrices, and maxDense the dimension up to which
// eigenvalues are computed.
const (
	maxGram  = 1 << 30
	maxDense = 300
)

func (p *linear) newGram() *gram {
	g := &gram{}
	cost := 0.0
	for k := range p.shift {
		_, val := p.Row(k)
		g.norms = append(g.norms, norm(val)*(1+eigenSlack))
		cost += float64(len(val)) * float64(len(val))
	}
	P := len(p.off) - 1
	single := len(p.shift) == P
	exact := p.d <= maxDense && cost <= maxGram &&
		(single || float64(P)*math.Pow(float64(p.d), 3) <= maxGram)
	if exact {
		g.e = newEigen(p.d)
		g.mean = make([]float64, p.d*p.d)
	}
	for i := range P {
		trace := 0.0
		var a []float64
		if exact && !single {
			a = make([]float64, p.d*p.d)
		}
		for k := p.off[i]; k < p.off[i+1]; k++ {
			trace += p.weight(i) * g.norms[k] * g.norms[k]
			switch {
			case a != nil:
				p.addOuter(a, p.weight(i), k)
			case exact:
				p.addOuter(g.mean, 1/float64(P), k)
			}
		}
		top := trace
		if a != nil {
			g.clients = append(g.clients, a)
			addScaled(g.mean, 1/float64(P), a)
			top = g.e.extreme(0, a, 1) // positive semidefinite
		}
		g.tops = append(g.tops, top)
		g.top += trace / float64(P)
	}
	if exact {
		g.top = g.e.extreme(0, g.mean, 1)
	}
	return g
}

// addOuter adds w a_k a_k' to a dense matrix.
func (p *linear) addOuter(a []float64, w float64, k int) {
	columns, val := p.Row(k)
	for e, v := range val {
		if columns != nil {
			e = int(columns[e])
		}
		p.addRow(a[e*p.d:][:p.d], w*v, k)
	}
}

func (p *linear) certify(perDatum bool) Constants {
	return p.constants(perDatum, func() Constants { return p.certificates(perDatum) })
}

// certificates rests on lo·aa' ≼ ∇²ℓ(a'x−s) ≼ hi·aa', where [lo, hi] are the curvatures of the
// loss, hi ≥ |lo|, and on the range of the regulariser's curvature. The upper end is reached at
// zero margins and x = 0, by all data together if there are no shifts.
func (p *linear) certificates(perDatum bool) Constants {
	g, l, r := p.gram(), p.loss.reach(), p.regReach()
	P, N := len(p.off)-1, len(p.shift)
	single := P == N
	perDatum = perDatum || single
	constant := l.lo == l.hi // the Hessian does not depend on x, but for the regulariser
	flat := r.lo == r.hi     // nor does the regulariser's

	// Largest curvature over data or clients.
	tops := g.tops
	if perDatum {
		tops = make([]float64, N)
		for k, v := range g.norms {
			tops[k] = v * v
		}
	}
	largest := 0.0
	for _, t := range tops {
		if t > largest {
			largest = t
		}
	}
	upper := func(top float64, exact bool, why string) Constant {
		high, low := l.hi*top+r.hi, -(min(l.lo, 0)*top + r.lo)
		return Constant{max(high, low), exact && high >= low, why}
	}
	reached := flat || p.plain // both upper ends at the same x
	sharp := perDatum || g.clients != nil && (constant || p.plain)
	c := Constants{
		L: upper(largest, reached && sharp,
			"largest curvature of the loss times the largest eigenvalue of a component's aa', "+
				"plus that of the regulariser"),
		LMean: upper(g.top, reached && g.mean != nil && (constant || p.plain),
			"largest curvature of the loss times the largest eigenvalue of the mean of aa', "+
				"plus that of the regulariser"),
	}

	c.Zeta = p.zeta(g, l)
	c.ZetaPrime = bound(max(l.hi*largest-min(l.lo, 0)*g.top, l.hi*g.top-min(l.lo, 0)*largest),
		"bounds of a component's Hessian minus bounds of the mean Hessian; the regulariser cancels").Itself
	if constant && g.e != nil && float64(len(tops))*math.Pow(float64(p.d), 3) <= maxGram {
		c.ZetaPrime = exactly(l.hi*p.farthest(g, perDatum),
			"eigenvalues of the constant Hessians").Itself
	}

	third := 0.0
	for i := range P {
		mean := 0.0
		for k := p.off[i]; k < p.off[i+1]; k++ {
			cube := g.norms[k] * g.norms[k] * g.norms[k]
			mean += p.weight(i) * cube
			if perDatum {
				third = max(third, cube)
			}
		}
		if !perDatum {
			third = max(third, mean)
		}
	}
	c.Rho = Constant{l.third*third + r.third, perDatum && r.third == 0 || l.third == 0,
		"third derivative of the loss times ‖a‖³ plus that of the regulariser"}

	c.Mu = bound(0, "no PL constant is known")
	switch {
	case constant && flat && g.mean != nil:
		_, mu := p.quadratic(g)
		c.Mu = exactly(mu, "smallest nonzero eigenvalue of the constant mean Hessian")
	case l.lo >= 0 && r.lo > 0:
		c.Mu = bound(r.lo, "strong convexity of the regulariser")
	}

	c.Sigma, c.G = exactly(0, "a component has no data of its own"),
		exactly(0, "a component has no data of its own")
	if !single && perDatum {
		c.Sigma, c.G = p.noise(nil, 0)
	}
	return c
}

// zeta bounds the distance of the Hessians of two clients; the regulariser cancels.
func (p *linear) zeta(g *gram, l reach) Constant {
	P := len(p.off) - 1
	if P == 1 {
		return exactly(0, "a single component")
	}
	first, second := 0.0, 0.0
	for i := range P {
		top := g.tops[i]
		if top > first {
			first, second = top, first
		} else {
			second = max(second, top)
		}
	}
	most := bound(l.hi*first-min(l.lo, 0)*second,
		"bounds of the two largest Hessians; the regulariser cancels")
	switch {
	case P*(P-1)/2 > maxPairs:
		return most
	case g.clients != nil && l.lo == l.hi:
		items := make([]item, P)
		for i, a := range g.clients {
			items[i].a = a
		}
		zeta, exact := g.e.diameter(items, nil, nil, item{g.mean, 0})
		return Constant{l.hi * zeta, exact, "eigenvalues of the constant Hessians"}
	case len(p.shift) > P:
		return most
	}
	// Single rows: the distance q aa' − r bb' is largest at ends of the ranges of the curvatures q
	// and r, and these are reached together unless a and b are parallel.
	zeta := Constant{0, true, "extreme curvatures of the losses of two rows"}
	dense := make([]float64, p.d)
	for i := range P {
		clear(dense)
		p.addRow(dense, 1, i)
		u := g.norms[i] * g.norms[i]
		for j := range i {
			v := g.norms[j] * g.norms[j]
			if l.hi*max(u, v)-min(l.lo, 0)*min(u, v) <= zeta.Value {
				continue
			}
			cross := p.dot(j, dense)
			d := 0.0
			for _, q := range [2]float64{l.lo, l.hi} {
				for _, r := range [2]float64{l.lo, l.hi} {
					half, mid := (q*u-r*v)/2, (q*u+r*v)/2
					d = max(d, math.Abs(half)+math.Sqrt(max(0, mid*mid-q*r*cross*cross)))
				}
			}
			if d *= 1 + eigenSlack; d > zeta.Value {
				zeta.Value = d
				zeta.Exact = l.lo == l.hi || cross*cross < u*v*(1-1e-9)
			}
		}
	}
	if !zeta.Exact {
		zeta.Why = "extreme curvatures of the losses of two parallel rows"
	}
	return zeta
}

// steep returns slope times size, where an unbounded slope times nothing is nothing.
func steep(slope, size float64) float64 {
	if size == 0 {
		return 0
	}
	return slope * size
}

// farthest returns the largest distance of a component's matrix from the mean.
func (p *linear) farthest(g *gram, perDatum bool) float64 {
	far := 0.0
	a := make([]float64, p.d*p.d)
	if perDatum {
		for k := range p.shift {
			clear(a)
			p.addOuter(a, 1, k)
			far = g.e.larger(far, item{a, 0}, item{g.mean, 0}, nil, nil)
		}
		return far
	}
	for _, a := range g.clients {
		far = g.e.larger(far, item{a, 0}, item{g.mean, 0}, nil, nil)
	}
	return far
}

// quadratic returns the minimum and the PL constant when loss and regulariser are quadratic.
func (p *linear) quadratic(g *gram) (low, mu float64) {
	l, r := p.loss.reach(), p.regReach()
	a, b, c, size := scaled(g.mean, l.hi), make([]float64, p.d), 0.0, 0.0
	for k := range p.d {
		a[k*p.d+k] += r.hi
	}
	P := float64(len(p.off) - 1)
	for i := range len(p.off) - 1 {
		for k := p.off[i]; k < p.off[i+1]; k++ {
			w := l.hi * p.weight(i) / P
			p.addRow(b, -w*p.shift[k], k)
			c += w * p.shift[k] * p.shift[k] / 2
			size = max(size, math.Abs(p.shift[k])*g.norms[k])
		}
	}
	return quadraticMinimum(a, b, c, g.top, size)
}

func (p *linear) minimum() (float64, bool) {
	l, r := p.loss.reach(), p.regReach()
	if l.lo == l.hi && r.lo == r.hi {
		if g := p.gram(); g.mean != nil {
			low, _ := p.quadratic(g)
			return max(low, 0), true // losses are nonnegative
		}
	}
	low := p.loss.h * p.loss.w * p.loss.w * p.loss.least
	for k := range p.reg {
		low += float64(p.d) * p.reg[k].h * p.reg[k].w * p.reg[k].w * p.reg[k].least
	}
	return low, false
}

// noise over all of R^d rests on the bounded slope of the loss: the mean square deviation is at
// most the mean square.
func (p *linear) noise(x []float64, radius float64) (sigma, g Constant) {
	gr, l := p.gram(), p.loss.reach()
	why := "largest slope of the loss times norms of rows"
	if math.IsInf(l.slope, 1) {
		why = "the slope of the loss is not bounded, so that the deviation grows without bound"
	}
	sigma, g = Constant{0, true, why}, Constant{0, true, why}
	dev, mean := make([]float64, p.d), make([]float64, p.d)
	for i := range len(p.off) - 1 {
		first, last, w := p.off[i], p.off[i+1], p.weight(i)
		if last-first == 1 {
			continue
		}
		sigma.Exact, g.Exact = false, false
		var sumSq, sum float64
		for k := first; k < last; k++ {
			sumSq += w * gr.norms[k] * gr.norms[k]
			sum += w * gr.norms[k]
		}
		s, m := steep(l.slope, math.Sqrt(sumSq)), 0.0
		if x != nil {
			p.client(mean, x, i)
		}
		local := 0.0
		for k := first; k < last; k++ {
			// (1−w)‖a_k‖ and the other rows with weight w
			r := steep(l.slope, gr.norms[k]+sum-2*w*gr.norms[k])
			if x != nil {
				p.datum(dev, x, k)
				size := gr.norms[k] * gr.norms[k]
				spread := max(l.hi*size-min(l.lo, 0)*gr.tops[i], l.hi*gr.tops[i]-min(l.lo, 0)*size)
				r = min(r, math.Sqrt(distSq(dev, mean))+spread*radius)
				local += w * r * r
			}
			m = max(m, r)
		}
		if x != nil {
			s = min(s, math.Sqrt(local))
			sigma.Why = "deviation at the centre plus radius times the difference of Hessians, or the largest slope"
			g.Why = sigma.Why
		}
		sigma.Value, g.Value = max(sigma.Value, s), max(g.Value, m)
	}
	return sigma, g
}
