package props

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"gonum.org/v1/gonum/floats"
)

// Evaluations of an order check on each of its nested ranges at each tier.
var orderBudget = [3]int{800, 4000, 30000}

// fractions are the parts, in the logarithm, of the ranges of LogReal and LogInt on which a ratio
// is maximised in turn. The ranges are contracted towards 1 (or towards their end next to 1): sizes
// grow away from it, accuracies shrink away from it, and both are large or small only in comparison
// with it.
var fractions = [...]float64{0.25, 0.5, 0.75, 1}

// Growth of the largest ratio, as the exponent of a power of the widest range, that refutes
// boundedness when it persists over the last two enlargements, and that counts as levelled off in
// the last one.
const (
	growing  = 0.05
	levelled = 0.02
)

// A ray that confirms growth grows by every step between fractions of its length, and over its
// second half at least so many times as fast as over its first: a power does, a logarithm reaches
// 0.71.
const (
	raySteps   = 8
	persistent = 0.85
)

func (o *order) parts() []part  { return []part{o} }
func (o *order) tests(Tier) int { return 0 }

func (o *order) run(e *execution) ([]Evidence, error) {
	directions := []bool{false}
	if o.both {
		directions = append(directions, true)
	}
	var evidence []Evidence
	for _, inverse := range directions {
		ev, err := o.side(e, inverse)
		if err != nil {
			return nil, err
		}
		evidence = append(evidence, ev)
	}
	return evidence, nil
}

func sideName(inverse bool) string {
	if inverse {
		return "claimed/measured"
	}
	return "measured/claimed"
}

// ratio evaluates the logarithm of the quotient.
func (o *order) ratio(src *Source, inverse bool) (logRatio, measured, claimed float64, err error) {
	measured, claimed = o.formulas(src)
	if !(measured >= 0) || !(claimed > 0) || math.IsInf(measured, 0) || math.IsInf(claimed, 0) {
		return 0, 0, 0, fmt.Errorf("the formulas give %v and %v at %s", measured, claimed,
			where(src.Drawn))
	}
	logRatio = math.Log(measured) - math.Log(claimed)
	if inverse {
		logRatio = -logRatio
	}
	return logRatio, measured, claimed, nil
}

// ends says which ends of the ranges of the choices, by name, are the same on every instance. The
// others follow earlier choices.
type ends map[string]*[2]float64

// survey finds them by drawing a few instances. An end that varies becomes NaN.
func (o *order) survey(r *rand.Rand) (ends, error) {
	fixed := ends{}
	for i := range 24 {
		choose := structured(r)
		if i%2 == 1 {
			choose = uniform(r)
		}
		src := NewSource(fixed.narrowed(1, choose))
		if _, _, _, err := o.ratio(src, false); err != nil {
			return nil, err
		}
		for _, c := range src.Drawn {
			f := fixed[c.Name]
			if f == nil {
				fixed[c.Name] = &[2]float64{c.Lo, c.Hi}
				continue
			}
			if f[0] != c.Lo {
				f[0] = nan
			}
			if f[1] != c.Hi {
				f[1] = nan
			}
		}
	}
	return fixed, nil
}

// contracted returns the range of a logarithmic choice with the distances from 1, in the logarithm,
// of its fixed ends multiplied by s.
func (fixed ends) contracted(c Choice, s float64) Choice {
	if c.Sub { // no power of it counts as growth
		c.Lo, c.Hi = 1, 1
		return c
	}
	f := fixed[c.Name]
	if !c.Log || f == nil || s == 1 {
		return c
	}
	anchor := min(max(1, c.Lo), c.Hi)
	if c.Lo == f[0] {
		c.Lo = anchor * math.Pow(c.Lo/anchor, s)
	}
	if c.Hi == f[1] {
		c.Hi = anchor * math.Pow(c.Hi/anchor, s)
	}
	if c.Int {
		c.Lo, c.Hi = math.Round(c.Lo), math.Round(c.Hi)
	}
	return c
}

// narrowed chooses within contracted ranges.
func (fixed ends) narrowed(s float64, choose Chooser) Chooser {
	return func(c Choice) float64 { return choose(fixed.contracted(c, s)) }
}

// positions returns where draws lie within their ranges contracted by s.
func (fixed ends) positions(drawn []Choice, s float64) []float64 {
	p := make([]float64, len(drawn))
	for i := range drawn {
		c := fixed.contracted(drawn[i], s)
		p[i] = min(max(c.position(drawn[i].Value), 0), 1)
	}
	return p
}

// hunt is the search for the largest ratio in one direction.
type hunt struct {
	o       *order
	fixed   ends
	inverse bool
	tried   int
	src     Source          // reused
	ranges  []contraction   // of what was drawn last, in order
	matters map[string]bool // choices on which the ratio has been seen to depend
}

// contraction is a choice and its range contracted by s.
type contraction struct {
	of     Choice
	s      float64
	lo, hi float64
}

// contracted is that of the ends for what is drawn next: mostly it is what it was before.
func (h *hunt) contracted(c Choice, s float64) Choice {
	k := len(h.src.Drawn)
	if k == len(h.ranges) {
		h.ranges = append(h.ranges, contraction{})
	}
	r := &h.ranges[k]
	if is := &r.of; r.s != s || is.Lo != c.Lo || is.Hi != c.Hi || is.Name != c.Name ||
		is.Log != c.Log || is.Int != c.Int || is.Sub != c.Sub {
		to := h.fixed.contracted(c, s)
		*r = contraction{c, s, to.Lo, to.Hi}
	}
	c.Lo, c.Hi = r.lo, r.hi
	return c
}

func (o *order) side(e *execution, inverse bool) (Evidence, error) {
	n := e.budget(1, 100, orderBudget)
	key := e.stream("order").With(sideName(inverse))
	fixed, err := o.survey(key.With("survey").Rand())
	if err != nil {
		return Evidence{}, err
	}
	h := &hunt{o: o, fixed: fixed, inverse: inverse, matters: map[string]bool{}}
	var tops [len(fractions)]top
	for k, s := range fractions { // the same on each range, with randomness of its own
		if tops[k], err = h.maximise(s, n, key.At(k).Rand()); err != nil {
			return Evidence{}, err
		}
		if e.ctx.Err() != nil {
			return Evidence{}, e.ctx.Err()
		}
	}
	// A maximum that was missed on one range would look like growth, or hide it: each range takes
	// the rays of the maxima of all others as they were, and the maxima themselves, or what is next
	// to them.
	var rays, points [len(fractions)][]float64
	for k, s := range fractions {
		rays[k], points[k] = fixed.positions(tops[k].drawn, s), values(tops[k].drawn)
	}
	for k, s := range fractions {
		rng := key.With("exchange").At(k).Rand()
		for j, p := range rays {
			if j == k {
				continue
			}
			t := top{ratio: math.Inf(-1)}
			if err := h.try(&t, s, placed(p)); err != nil {
				return Evidence{}, err
			}
			if err := h.try(&t, s, nearest(points[j])); err != nil {
				return Evidence{}, err
			}
			if err := h.ascend(&t, s, n/8, rng); err != nil {
				return Evidence{}, err
			}
			if t.ratio > tops[k].ratio {
				tops[k] = t
			}
		}
		if k > 0 && tops[k-1].ratio > tops[k].ratio { // a narrower range is a part of the wider one
			tops[k] = tops[k-1].copy()
		}
	}
	var maxima [len(fractions)]float64
	for k := range tops { // all four maxima are evaluated again, apart from the search
		maxima[k] = tops[k].ratio
		src := NewSource(replayed(values(tops[k].drawn), middle))
		if r, _, _, err := o.ratio(src, inverse); err != nil || r != tops[k].ratio {
			return Evidence{}, fmt.Errorf("the formulas are not reproducible at %s (%v)",
				where(tops[k].drawn), err)
		}
	}
	final := &tops[len(tops)-1]
	decades := 0.0
	for i := range final.drawn {
		if c := &final.drawn[i]; c.Log && !c.Sub {
			anchor := min(max(1, c.Lo), c.Hi)
			decades = max(decades, math.Log10(c.Hi/anchor), math.Log10(anchor/c.Lo))
		}
	}
	if decades == 0 {
		return Evidence{}, fmt.Errorf("the formulas draw no parameter that may grow")
	}
	ev := Evidence{What: sideName(inverse), Measured: final.measured, Claimed: final.claimed,
		Relation: LE, Sense: Hidden, Tightness: nan,
		Ratio: math.Exp(final.ratio), Constant: math.Exp(final.ratio), Level: nan, Low: nan,
		High: nan, Excluded: nan, Trials: h.tried, Where: where(final.drawn)}
	if inverse {
		ev.Relation = GE
	}
	curve := Curve{Title: "how far one side exceeds the other as the ranges widen",
		XLabel: "part of the range (decades of the widest parameter)", YLabel: sideName(inverse)}
	for k, s := range fractions {
		curve.X = append(curve.X, s*decades)
		curve.Median = append(curve.Median, math.Exp(maxima[k]))
	}
	ev.Curves = []Curve{curve}
	ev.Replay = e.token(ev.What, domainWhole, values(final.drawn))
	step := (fractions[1] - fractions[0]) * decades * math.Ln10
	last, before := (maxima[3]-maxima[2])/step, (maxima[2]-maxima[1])/step
	along := ""
	switch {
	case last > growing && before > growing && last > before/2:
		r, err := h.confirm(tops[:], decades*math.Ln10)
		if err != nil {
			return Evidence{}, err
		}
		if ev.outcome, along = Inconclusive,
			"no ray through the maxima confirms a growth like a power"; r != nil {
			ev.outcome, ev.Violations, ev.Constant, along = Refuted, 1, nan, r.String()
		}
	case last <= levelled:
		ev.outcome = Consistent
	default:
		ev.outcome = Inconclusive
	}
	ratios, spans := "", ""
	for k, s := range fractions {
		ratios += ", " + Number(math.Exp(maxima[k]), 4)
		spans += ", " + Number(s*decades, 3)
	}
	logs, err := h.powers(final)
	if err != nil {
		return Evidence{}, err
	}
	ev.Note = sentence(fmt.Sprintf(
		"largest ratio%s while the widest parameter goes%s decades: growth exponents %s, "+
			"then %s",
		strings.TrimPrefix(ratios, ","), strings.TrimPrefix(spans, ","), Number(before, 3),
		Number(last,
			3)), along, h.inert(final), logs)
	ev.Power = Power{GrowthRate, growing, 1, 0}
	return ev, nil
}

// inert names the parameters on which the ratio was never seen to depend.
func (h *hunt) inert(t *top) string {
	var names []string
	for i := range t.drawn {
		if c := &t.drawn[i]; !c.Sub && c.Hi > c.Lo && !h.matters[c.Name] {
			names = append(names, c.Name)
		}
	}
	if names == nil {
		return ""
	}
	return "the ratio does not depend on " + strings.Join(names, ", ")
}

// powers says with which power of each logarithmic quantity the largest ratio grows, from 1 to the
// largest value.
func (h *hunt) powers(t *top) (string, error) {
	var parts []string
	for i := range t.drawn {
		c := &t.drawn[i]
		if !c.Sub {
			continue
		}
		moved := values(t.drawn)
		moved[i] = h.fixed[c.Name][1]
		src := NewSource(replayed(moved, middle))
		r, _, _, err := h.o.ratio(src, h.inverse)
		if err != nil {
			return "", err
		}
		parts = append(parts,
			fmt.Sprintf("%s held at 1: at the maximum the ratio has its power %s", c.Name,
				Number((r-t.ratio)/math.Log(moved[i]), 3)))
	}
	return strings.Join(parts, "; "), nil
}

// ray is a direction from 1 outwards in the logarithms of the parameters along which the ratio
// grows.
type ray struct {
	exponent float64   // of the ratio, in powers of the widest parameter
	names    []string  // of the parameters that move
	powers   []float64 // theirs
}

func (r *ray) String() string {
	var parts []string
	for i, name := range r.names {
		parts = append(parts, name+" like "+Raised("s", Number(r.powers[i], 3)))
	}
	return fmt.Sprintf("along the ray with %s the ratio grows like %s", strings.Join(parts, ", "),
		Raised("s", Number(r.exponent, 3)))
}

// simplified returns the positions of a maximum with every parameter that is not needed for it at
// its centre.
func (h *hunt) simplified(t *top, s float64) ([]float64, error) {
	middle := top{ratio: math.Inf(-1)}
	if err := h.try(&middle, s, centre); err != nil {
		return nil, err
	}
	p, at := h.fixed.positions(t.drawn, s), h.fixed.positions(middle.drawn, s)
	for i := range min(len(p), len(at)) {
		was := p[i]
		p[i] = at[i]
		u := top{ratio: math.Inf(-1)}
		if err := h.try(&u, s, placed(p)); err != nil {
			return nil, err
		}
		if !(u.ratio >= t.ratio-1e-6) {
			p[i] = was
		}
	}
	return p, nil
}

// confirm evaluates the ratio anew along the rays through the maxima, at fractions that the search
// did not use, and returns the one with the largest exponent among those along which it grows
// steadily; nil if there is none.
func (h *hunt) confirm(tops []top, length float64) (*ray, error) {
	var best *ray
	for k := 1; k < len(tops); k++ {
		p, err := h.simplified(&tops[k], fractions[k])
		if err != nil {
			return nil, err
		}
		var r [raySteps + 1]float64
		var ends [2]top
		for j := range r {
			t := top{ratio: math.Inf(-1)}
			if err := h.try(&t, (1+float64(j)/raySteps)/2, placed(p)); err != nil {
				return nil, err
			}
			r[j] = t.ratio
			if j == 0 {
				ends[0] = t
			}
			ends[1] = t
		}
		const half = raySteps / 2
		steady := r[raySteps]-r[half] >= persistent*(r[half]-r[0])
		for j := range raySteps {
			steady = steady && r[j+1]-r[j] > growing*length/(2*raySteps)
		}
		exponent := (r[raySteps] - r[half]) / (length / 4)
		if !steady || best != nil && exponent <= best.exponent ||
			len(ends[0].drawn) != len(ends[1].drawn) {
			continue
		}
		best = &ray{exponent: exponent}
		for i := range ends[0].drawn {
			c := &ends[1].drawn[i]
			if power := math.Log(c.clamp(c.Value)/c.clamp(ends[0].drawn[i].Value)) /
				(length / 2); c.Log &&
				math.Abs(power) > 1e-3 {
				best.names, best.powers = append(best.names, c.Name), append(best.powers, power)
			}
		}
	}
	return best, nil
}

// top is the largest ratio found on one of the nested ranges, with its place.
type top struct {
	ratio, measured, claimed float64
	drawn                    []Choice
}

func (t *top) copy() top {
	return top{t.ratio, t.measured, t.claimed, append([]Choice(nil), t.drawn...)}
}

// evaluate evaluates a point of the range contracted by s. Its place is overwritten by the next one.
func (h *hunt) evaluate(s float64, choose Chooser) (t top, err error) {
	h.tried++
	src := &h.src
	src.choose = func(c Choice) float64 { return choose(h.contracted(c, s)) }
	src.Drawn = src.Drawn[:0]
	t.ratio, t.measured, t.claimed, err = h.o.ratio(src, h.inverse)
	t.drawn = src.Drawn
	return t, err
}

// try evaluates a point of the range contracted by s and keeps it if it is better.
func (h *hunt) try(t *top, s float64, choose Chooser) error {
	u, err := h.evaluate(s, choose)
	if err == nil && (u.ratio > t.ratio || t.drawn == nil) {
		*t = u.copy()
	}
	return err
}

// maximise looks for the largest ratio on the range contracted by s: by draws, along the rays on
// which one or two parameters move alone, and by ascents and mutations from the best of them.
func (h *hunt) maximise(s float64, n int, rng *rand.Rand) (top, error) {
	starts := make([]top, 0, n/2)
	look := func(choose Chooser) error {
		t := top{ratio: math.Inf(-1)}
		err := h.try(&t, s, choose)
		starts = append(starts, t)
		return err
	}
	for i := range n / 4 {
		choose := uniform(rng)
		if i%2 == 1 {
			choose = structured(rng)
		}
		if err := look(choose); err != nil {
			return top{}, err
		}
	}
	middle := top{ratio: math.Inf(-1)}
	if err := h.try(&middle, s, centre); err != nil {
		return top{}, err
	}
	p := h.fixed.positions(middle.drawn, s)
	along := func(moves ...float64) error { // pairs of a parameter and its position
		q := slices.Clone(p)
		for i := 0; i < len(moves); i += 2 {
			q[int(moves[i])] = moves[i+1]
		}
		return look(placed(q))
	}
	d := len(p)
	for i := range d {
		for _, end := range [2]float64{0, 1} {
			if err := along(float64(i), end); err != nil {
				return top{}, err
			}
		}
	}
	var pairs [][]float64
	for j := range d {
		for i := range j {
			for corner := range 4 {
				pairs = append(pairs, []float64{float64(i), float64(corner & 1), float64(j),
					float64(corner >> 1)})
			}
		}
	}
	rng.Shuffle(len(pairs), func(i, j int) { pairs[i], pairs[j] = pairs[j], pairs[i] })
	for _, moves := range pairs[:min(len(pairs), n/4)] {
		if err := along(moves...); err != nil {
			return top{}, err
		}
	}
	slices.SortStableFunc(starts, func(a, b top) int { return cmp.Compare(b.ratio, a.ratio) })
	best := middle // ridges meet there
	if err := h.ascend(&best, s, n, rng); err != nil {
		return top{}, err
	}
	const climbers = 3
	for k := range min(climbers, len(starts)) {
		t := &starts[k*k] // the best, the second and the fifth
		if err := h.ascend(t, s, n/(2*climbers), rng); err != nil {
			return top{}, err
		}
		if t.ratio > best.ratio {
			best = *t
		}
	}
	return best, h.climb(&best, s, n/4, rng)
}

// centre chooses 1, or what is next to it.
func centre(c Choice) float64 {
	if c.Log {
		return min(max(1, c.Lo), c.Hi)
	}
	return c.At(0.5)
}

// nearest gives recorded values in order, or the ends of the ranges next to them.
func nearest(point []float64) Chooser {
	choose := replayed(point, centre)
	return func(c Choice) float64 { return min(max(choose(c), c.Lo), c.Hi) }
}

// ascend goes up from a point by gradient sampling: the shortest vector in the convex hull of
// gradients around it is a direction in which all the pieces grow that meet there. Quotients of
// sums of powers have pieces that are linear in the logarithms, and their maxima lie at the end of
// ridges between them (Burke, Lewis and Overton, SIAM J. Optim. 15, 2005). A direction that fails
// has met another piece, whose gradient joins the others.
func (h *hunt) ascend(t *top, s float64, n int, rng *rand.Rand) error {
	stop := h.tried + n
	p := h.fixed.positions(t.drawn, s)
	d := len(p)
	at := func(q []float64) (float64, error) {
		u, err := h.evaluate(s, placed(q))
		if err == nil && u.ratio > t.ratio {
			*t = u.copy()
		}
		return u.ratio, err
	}
	gradient := func(q []float64, step float64) ([]float64, error) {
		f, err := at(q)
		g := make([]float64, d)
		for i := 0; i < d && err == nil; i++ {
			was, step := q[i], step
			if was > 0.5 {
				step = -step
			}
			q[i] += step
			var moved float64
			moved, err = at(q)
			if q[i] = was; moved != f && i < len(t.drawn) {
				h.matters[t.drawn[i].Name] = true
			}
			if g[i] = (moved - f) / step; math.IsNaN(g[i]) || math.IsInf(g[i], 0) {
				g[i] = 0
			}
		}
		return g, err
	}
	q := make([]float64, d)
	var pieces [][]float64
	for radius := 0.1; h.tried+d < stop && radius > 1e-4; {
		for j := 0; pieces == nil || j <= d && len(pieces) <= d && h.tried+d < stop; j++ {
			for i := range q {
				// at p itself, pieces meet, and differences belong to none of them
				q[i] = p[i] + radius*(2*rng.Float64()-1)
			}
			g, err := gradient(q, radius/64)
			if err != nil {
				return err
			}
			pieces = append(pieces, g)
		}
		direction := shortest(pieces)
		size := 0.0
		for _, v := range direction {
			size = max(size, math.Abs(v))
		}
		if !(size > 1e-9) || len(pieces) > 6*d+6 {
			pieces, radius = nil, radius/4
			continue
		}
		toward := func(step float64) {
			for i := range q {
				q[i] = min(max(p[i]+step*direction[i]/size, 0), 1)
			}
		}
		length := 0.0
		for step := radius; h.tried < stop && step < 2; step *= 2 {
			before := t.ratio
			toward(step)
			r, err := at(q)
			if err != nil {
				return err
			}
			if !(r > before) {
				break
			}
			length = step
		}
		if length > 0 {
			toward(length)
			p, pieces = slices.Clone(q), nil
			continue
		}
		toward(radius / 2)
		g, err := gradient(q, radius/64)
		if err != nil {
			return err
		}
		pieces = append(pieces, g)
	}
	return nil
}

// shortest returns nearly the shortest vector in the convex hull of the given ones. It moves weight
// from the vector that lies farthest along the current one to the one that lies least far, which
// converges linearly (Lacoste-Julien and Jaggi, NIPS 2015).
func shortest(vectors [][]float64) []float64 {
	if len(vectors) == 0 {
		return nil
	}
	v := slices.Clone(vectors[0])
	weight := make([]float64, len(vectors))
	weight[0] = 1
	for range 20 * len(vectors) {
		from, to := -1, 0
		most, least := math.Inf(-1), math.Inf(1)
		for i, g := range vectors {
			a := floats.Dot(v, g)
			if a < least {
				least, to = a, i
			}
			if weight[i] > 0 && a > most {
				most, from = a, i
			}
		}
		if most-least <= 1e-3*floats.Dot(v, v) {
			break
		}
		gap := floats.Distance(vectors[from], vectors[to], 2)
		moved := min((most-least)/(gap*gap), weight[from])
		weight[from] -= moved
		weight[to] += moved
		for i := range v {
			v[i] += moved * (vectors[to][i] - vectors[from][i])
		}
	}
	return v
}

// climb mutates the best point of the range contracted by s.
func (h *hunt) climb(t *top, s float64, n int, rng *rand.Rand) error {
	if len(t.drawn) == 0 {
		return nil
	}
	reach := 0.3
	for range n {
		p := h.fixed.positions(t.drawn, s)
		for firstOne := true; firstOne || rng.Float64() < 0.4; firstOne = false {
			i := rng.IntN(len(p))
			switch u := rng.Float64(); {
			case u < 0.15:
				p[i] = math.Round(p[i])
			case u < 0.25:
				p[i] = rng.Float64()
			default:
				p[i] += reach * rng.NormFloat64()
			}
		}
		before := t.ratio
		if err := h.try(t, s, placed(p)); err != nil {
			return err
		}
		if t.ratio > before {
			reach = min(0.5, reach*1.5)
		} else {
			reach = max(1e-4, reach*0.95)
		}
	}
	return nil
}

// replay repeats the search: a refutation is a series of maxima, not a point.
func (o *order) replay(e *execution, t *token) (*Evidence, []Pair, error) {
	if t.domain != domainWhole {
		return nil, nil, errKind
	}
	ev, err := o.side(e, t.what == sideName(true))
	if err != nil {
		return nil, nil, err
	}
	return &ev, []Pair{ev.pair()}, nil
}
