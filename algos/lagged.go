package algos

// lagged is a point that drifts, x ← qx − ηa with q = 1−ηλ and a coefficient a for each coordinate,
// at the cost of few operations. Where rows are sparse, coordinates are brought up to date when a
// row touches them: a step costs what rows hold, and not d. Otherwise x = scale·z, so that a step
// changes z once.
type lagged struct {
	eta, ridge, q float64
	t             int // the step up to which coordinates are to be brought

	at  []laggard
	lag *[2 * mostLag]drift // what k steps do, for k up to mostLag

	z, a  []float64
	scale float64
}

// laggard is a coordinate x as it was after step t, and its coefficient since.
type laggard struct {
	x, a float64
	t    int
}

// drift takes a coordinate x to power·x − sum·a: q^k and η(1 + … + q^{k-1}).
type drift struct{ power, sum float64 }

// mostLag is after how many steps all coordinates are brought up to date, and leastScale what the
// scale may shrink to.
const (
	mostLag    = 1 << 10
	leastScale = 1e-9
)

func newLagged(x, a []float64, eta, ridge float64, sparse bool) *lagged {
	g := &lagged{eta: eta, ridge: ridge, q: 1 - eta*ridge}
	if !sparse {
		g.z, g.a, g.scale = clone(x), clone(a), 1
		return g
	}
	g.at, g.lag = make([]laggard, len(x)), new([2 * mostLag]drift)
	for l := range x {
		g.at[l] = laggard{x: x[l], a: a[l]}
	}
	g.lag[0].power = 1
	for k := range mostLag {
		d := g.lag[k]
		g.lag[k+1] = drift{d.power * g.q, d.sum + eta*d.power}
	}
	return g
}

// step goes one step ahead.
func (g *lagged) step() {
	if g.z != nil {
		if g.scale *= g.q; g.scale < leastScale {
			scale(g.scale, g.z)
			g.scale = 1
		}
		axpy(g.z, -g.eta/g.scale, g.a)
		return
	}
	if g.t++; g.t%mostLag == 0 {
		for l := range g.at {
			g.now(&g.at[l])
		}
	}
}

// now brings a coordinate up to date.
func (g *lagged) now(p *laggard) float64 {
	d := &g.lag[uint(g.t-p.t)%uint(len(g.lag))]
	p.x, p.t = d.power*p.x-d.sum*p.a, g.t
	return p.x
}

// dot returns the scalar product of the point with a row, whose coordinates it brings up to date.
func (g *lagged) dot(a row) float64 {
	if g.z != nil {
		return g.scale * a.dot(g.z)
	}
	even, odd := 0.0, 0.0
	columns := a.columns[:len(a.values)]
	for e := 1; e < len(columns); e += 2 {
		even += a.values[e-1] * g.now(&g.at[columns[e-1]])
		odd += a.values[e] * g.now(&g.at[columns[e]])
	}
	if last := len(columns) - 1; last&1 == 0 {
		even += a.values[last] * g.now(&g.at[columns[last]])
	}
	return even + odd
}

// add adds multiples of a row, whose coordinates are up to date, to the point and to the
// coefficients.
func (g *lagged) add(a row, toX, toA float64) {
	if g.z != nil {
		a.addTo(g.z, toX/g.scale)
		a.addTo(g.a, toA)
		return
	}
	columns := a.columns[:len(a.values)]
	for e, v := range a.values {
		p := &g.at[columns[e]]
		p.x += toX * v
		p.a += toA * v
	}
}

// point sets x to the point and v to λx + a. It changes nothing of the point.
func (g *lagged) point(x, v []float64) {
	for l := range g.z {
		x[l] = g.scale * g.z[l]
		v[l] = g.ridge*x[l] + g.a[l]
	}
	for l := range g.at {
		p := g.at[l]
		x[l] = g.now(&p)
		v[l] = g.ridge*x[l] + p.a
	}
}
