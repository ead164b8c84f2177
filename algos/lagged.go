package algos

// lagged is a point that drifts, x ← (1−ηλ)x − ηa with a coefficient a for each coordinate, of which coordinates are
// brought up to date when a sparse row touches them: a step costs what rows hold, and not d.
type lagged struct {
	at         []laggard
	t          int     // the step up to which coordinates are to be brought
	eta, ridge float64 // η and λ
	power, sum []float64
}

// laggard is a coordinate x as it was after step t, and its coefficient since.
type laggard struct {
	x, a float64
	t    int
}

// mostLag is after how many steps all coordinates are brought up to date.
const mostLag = 1 << 10

func newLagged(x, a []float64, eta, ridge float64) *lagged {
	g := &lagged{at: make([]laggard, len(x)), eta: eta, ridge: ridge, power: make([]float64, mostLag+1),
		sum: make([]float64, mostLag+1)}
	for l := range x {
		g.at[l] = laggard{x: x[l], a: a[l]}
	}
	g.power[0] = 1
	for k := range mostLag {
		g.power[k+1] = g.power[k] * (1 - eta*ridge)
		g.sum[k+1] = g.sum[k] + eta*g.power[k]
	}
	return g
}

// step goes one step ahead.
func (g *lagged) step() {
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

// dot brings the coordinates of a row up to date and returns their scalar product with it.
func (g *lagged) dot(a row) float64 {
	s := 0.0
	columns := a.columns[:len(a.values)]
	for e, v := range a.values {
		s += v * g.now(&g.at[columns[e]])
	}
	return s
}

// add adds multiples of a row, whose coordinates are up to date, to the point and to the coefficients.
func (g *lagged) add(a row, toX, toA float64) {
	columns := a.columns[:len(a.values)]
	for e, v := range a.values {
		p := &g.at[columns[e]]
		p.x += toX * v
		p.a += toA * v
	}
}

// point sets dst to the point, of which it changes nothing.
func (g *lagged) point(dst []float64) {
	for l := range g.at {
		p := g.at[l]
		dst[l] = g.now(&p)
	}
}
