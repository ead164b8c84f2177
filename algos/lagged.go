package algos

// lagged is a point that drifts, x ← qx − ηa with q = 1−ηλ and a coefficient a for each coordinate,
// at the cost of few operations. Where rows are sparse, coordinates are brought up to date when a
// row touches them: a step costs what rows hold, and not d. Otherwise x = scale·z, so that a step
// changes z once.
type lagged struct {
	eta, ridge, q float64
	t             int // the step up to which coordinates are to be brought

	at         []laggard
	power, sum []float64 // q^k and η(1 + … + q^{k-1})

	z, a  []float64
	scale float64
}

// laggard is a coordinate x as it was after step t, and its coefficient since.
type laggard struct {
	x, a float64
	t    int
}

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
	g.at, g.power, g.sum = make([]laggard, len(x)), make([]float64, mostLag+1),
		make([]float64, mostLag+1)
	for l := range x {
		g.at[l] = laggard{x: x[l], a: a[l]}
	}
	g.power[0] = 1
	for k := range mostLag {
		g.power[k+1] = g.power[k] * g.q
		g.sum[k+1] = g.sum[k] + eta*g.power[k]
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
	if k := g.t - p.t; k > 0 {
		p.x, p.t = g.power[k]*p.x-g.sum[k]*p.a, g.t
	}
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
