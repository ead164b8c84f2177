package conjecture

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"sledge/algos"
	"sledge/algos/problems"
	"sledge/props"
)

// instance is a problem with the parameters of a run on it and the number of steps after which a
// statement is judged.
type instance struct {
	problem    algos.Problem
	federated  bool
	value      func(x []float64) float64
	con        problems.Constants
	d, t       int
	window     int
	setting    algos.Setting
	x0         []float64
	least      float64   // inf f, NaN if it is not known
	known      []float64 // in the order of [before], with c = 1
	errors     []float64 // the size of the rounding of each
	star       []float64 // the minimiser next to x⁰, nil if there is none or nothing is asked of it
	components bool      // the norms of component gradients are asked for
	levels     bool      // f(x^t) is asked for
	there      []float64 // the gradients of the components at the minimiser, row by row
	unmet      string    // a premise that it does not meet
}

// reach says how far the ranges go from which instances are drawn. Each factor is 1 for the usual
// ones.
type reach struct {
	size, steps, small, large float64 // of n (P), of t, of the ends of the range of η
	near                      int     // steps of gradient descent that lead to x⁰
}

var usual = reach{1, 1, 1, 1, 0}

// Of the usual instances ηL (ηKL with local steps) lies between these, unless premises bound η from
// above.
const (
	leastStep = 1e-2
	mostStep  = 1.0
)

// mostCount is the largest number of components, clients, steps and so on that is drawn.
const mostCount = 1_000_000

// mostEntries is the largest product of the number of components (clients) with the square of the
// dimension that is drawn: what Hessians take.
const mostEntries = 1_000_000

// parts names the number of components, or of clients.
func (c *Conjecture) parts() string {
	if c.federated {
		return "P"
	}
	return "n"
}

// least is the smallest that a count may be.
func (c *Conjecture) least(name string) float64 {
	lo, _ := c.limits(name, nil, 1, mostCount)
	return max(1, math.Ceil(lo))
}

// fits refuses premises under which every instance is larger than that.
func (c *Conjecture) fits() error {
	name := c.parts()
	if parts, d := c.least(name), c.least("d"); parts*d*d > mostEntries {
		return fmt.Errorf("the premises ask for %s ≥ %g and d ≥ %g, and no instance with %sd² above "+
			"%g is drawn", name, parts, d, name, float64(mostEntries))
	}
	return nil
}

// RangeError says that instances are to be drawn from a range that ends beyond all that is drawn.
type RangeError struct {
	Range, Of   string
	Asked, Most float64
	why         string
}

func (e *RangeError) Error() string {
	return fmt.Sprintf("%s asks for %s up to %v, and no instance with %s above %v is drawn%s",
		e.Range, e.Of, e.Asked, e.Of, e.Most, e.why)
}

// held refuses ranges that are cut short because larger instances are not drawn.
func (c *Conjecture) held(drawn string) error {
	s := &statement{federated: c.federated, used: map[string]bool{}}
	if err := s.assume(drawn, placed(drawn)); err != nil {
		return err
	}
	for _, p := range s.premises {
		for _, b := range p.bounds {
			if len(b.needs) > 0 || !strings.Contains("≤<=", b.relation) ||
				!counted(b.of, c.federated) {
				continue
			}
			asked := math.Floor(b.limit.At(make([]float64, len(before(c.federated)))...))
			e := &RangeError{Range: p.text, Of: b.of, Asked: asked, Most: mostCount}
			switch name := c.parts(); b.of {
			case "d":
				e.Most = math.Floor(math.Sqrt(mostEntries / c.least(name)))
				e.why = fmt.Sprintf(": %sd² is at most %d", name, mostEntries)
			case name:
				d := c.least("d")
				e.Most = math.Floor(mostEntries / (d * d))
				e.why = fmt.Sprintf(": %sd² is at most %d", name, mostEntries)
			}
			if asked > e.Most {
				return e
			}
		}
	}
	return nil
}

// within shortens ranges so that the largest instance is no larger than that.
func within(parts, d problems.Range) (problems.Range, problems.Range) {
	parts.Max = max(parts.Min, min(parts.Max, mostEntries/(d.Min*d.Min)))
	d.Max = max(d.Min, min(d.Max, int(math.Sqrt(mostEntries/float64(parts.Max)))))
	return parts, d
}

// draw draws an instance of a family; small ones have few outcomes.
func (c *Conjecture) draw(src *props.Source, far reach, small bool) *instance {
	known := map[string]float64{}
	whole := func(name string, least, most int) problems.Range {
		lo, hi := c.limits(name, known, float64(least), float64(most))
		first := int(math.Ceil(max(1, min(lo, mostCount))))
		return problems.Sizes(first, max(first, int(math.Floor(min(hi, mostCount)))))
	}
	count := func(name string, least, most int, even bool) int {
		r := whole(name, least, most)
		k := r.Min
		switch {
		case r.Max == r.Min:
		case even:
			k = src.Int(name, r.Min, r.Max)
		default:
			k = src.LogInt(name, r.Min, r.Max)
		}
		known[name] = float64(k)
		return k
	}
	pick := func(usual, few int) int {
		if small {
			return few
		}
		return int(far.size * float64(usual))
	}
	in := &instance{federated: c.federated, components: c.used["‖∇fᵢ‖"], levels: c.used[level]}
	var l problems.Limits
	var held problems.Federated
	l.D = whole("d", 1, pick(5, 3))
	if c.federated {
		l.N, l.Data, l.BoundedNoise = whole("P", 1, pick(8, 3)), problems.Sizes(1, pick(5, 2)), true
		l.N, l.D = within(l.N, l.D)
		held = c.family.Draw(src, l)
		in.problem, in.value = held, held.Value
		known["P"] = float64(held.Clients())
	} else {
		l.N, l.D = within(whole("n", 1, pick(16, 5)), l.D)
		held = c.family.Draw(src, l)
		sum := held.ByClient()
		in.problem, in.value = algos.Sum(sum), sum.Value
		known["n"] = float64(sum.Components())
	}
	in.d = held.Dim()
	in.x0 = problems.DrawPoint(src, "x⁰", in.d, 3)
	if far.near > 0 {
		l, g := held.Constants(in.x0).LMean.Value, make([]float64, in.d)
		for range far.near {
			held.FullGradient(g, in.x0)
			floats.AddScaled(in.x0, -1/max(l, 1e-300), g)
		}
	}
	src.Perturb(in.x0)
	if c.federated {
		in.con = held.Constants(in.x0)
	} else {
		in.con = held.ByClient().Constants(in.x0)
	}
	in.least = math.NaN()
	if v, ok := held.Minimum(); ok {
		in.least = v
	}
	k := &in.con
	for name, v := range map[string]float64{"d": float64(in.d), "L": k.L.Value,
		"L_f": k.LMean.Value, "ζ": k.Zeta.Value, "ρ": k.Rho.Value, "μ": k.Mu.Value,
		"Δ": k.Delta.Value, "σ_c": k.SigmaC.Value,
		"G_c": k.GC.Value, "σ": k.Sigma.Value,
		"G": k.G.Value, "c": 1} {
		known[name] = v
	}
	parts, sampled := int(known["n"]), 0 // what a window goes through, and how many at once
	in.setting.LocalSteps = 1
	if c.federated {
		parts = int(known["P"])
		sampled = count("p", 1, parts, true)
		in.setting.Chosen, in.setting.Cap = sampled, true
		in.setting.LocalSteps = count("K", 1, pick(4, 2), true)
		in.setting.Batch = count("b", 1, pick(4, 2), true)
	} else {
		sampled = count("b", 1, parts, true)
		in.setting.Batch = sampled
	}
	in.window = (parts + sampled - 1) / max(1, sampled)
	if known["m"] = float64(in.window); c.used["m"] && !c.federated {
		in.setting.Period = count("m", 1, pick(12, 6), true)
	}
	most := 3 * in.window
	most = int(far.steps * float64(most))
	if small {
		most = int(6 * math.Sqrt(far.steps))
	}
	name := "t"
	if c.used[horizon] {
		name = horizon
	}
	in.t = count(name, 1, max(1, most), false)
	known["t"], known[horizon] = float64(in.t), float64(in.t)
	known["C_1"], _ = c.limits("C_1", known, 1, 1)
	scale := max(k.L.Value, 1e-300) * float64(in.setting.LocalSteps)
	lo, hi := c.statement.limits("η", known, far.small*leastStep/scale, far.large*mostStep/scale)
	if lo <= 0 || lo > hi || math.IsInf(hi, 1) {
		lo = min(far.small*leastStep/scale, hi)
	}
	if lo = max(lo, min(hi, 1e-12*hi)); far.large < 1 {
		lo, hi = min(lo, far.large*hi), far.large*hi
	}
	in.setting.Eta = hi
	if name := "ηL"; lo < hi {
		if in.setting.LocalSteps > 1 {
			name = "ηKL"
		}
		in.setting.Eta = src.LogReal(name, lo*scale, hi*scale) / scale
	}
	known["η"] = in.setting.Eta
	share := func(name string, usual float64) float64 {
		if known[name] = usual; c.used[name] && !c.federated {
			least, most := c.limits(name, known, 0.02, 1)
			if least = max(least, 0); least <= 1 && least < min(most, 1) {
				known[name] = src.Real(name, least, min(most, 1))
			} else {
				known[name] = least
			}
		}
		return known[name]
	}
	if !c.federated {
		b := float64(sampled)
		p := share("p", b/(b+float64(parts)))
		if in.setting.Momentum = share("a", 0.1); c.flips { // else coins mean something else
			in.setting.Probability = p
		}
		if in.setting.Probability > 1 || in.setting.Momentum > 1 {
			in.unmet = "a probability or weight of at most 1"
		}
	}
	if c.used["r"] {
		usual := in.setting.Eta * algos.NewMonitor(in.problem).GradientNorm(in.x0)
		least, most := c.limits("r", known, 0, usual)
		if in.setting.Radius = least; least < most && most > 0 {
			in.setting.Radius = src.Real("r over its largest", max(0, least/most), 1) * most
		}
	}
	known["r"] = in.setting.Radius
	errors := map[string]float64{}
	if in.least == in.least && c.used["Δ"] {
		// x⁰ may lie far out where f is flat: f(x⁰) is small then, and what it is a sum of is not
		far := floats.Norm(in.x0, 2)
		errors["Δ"] = roundoffs * (k.L.Value*far*far + math.Abs(in.value(in.x0)) +
			math.Abs(in.least))
	}
	for _, q := range before(c.federated) {
		in.known = append(in.known, known[q.Name])
		in.errors = append(in.errors, errors[q.Name])
	}
	if in.unmet == "" {
		in.unmet = c.unmet(in.known)
	}
	if c.used["‖x−x*‖"] || c.used["‖∇fᵢ−∇fᵢ*‖"] {
		in.settle(held)
	}
	if c.convex && in.unmet == "" && !(held.MinEigen(in.x0) >= -1e-12*k.L.Value) {
		in.unmet = convex
	}
	return in
}

// under returns the instance as a control of the statement has it, that of a trial or of a source;
// bounds and step sizes stay.
func (in *instance) under(t interface{ Without(props.Mechanism) bool }) *instance {
	run := *in
	switch {
	case t.Without(props.Errors):
		run.problem = algos.Exactly(in.problem)
	case t.Without(props.Noise):
		run.setting.Radius = 0
	}
	return &run
}

// course is what a run has shown, at the points x⁰ … x^t or at the last alone, and at the points of
// its local steps: the measured quantities, and of each the size of its rounding.
type course struct{ at, local looks }

// until is the course up to the step t, where it has been looked at at every point.
func (c *course) until(t, local int) *course {
	return &course{c.at.first(t + 1), c.local.first(t * local)}
}

// looks are the measured quantities point by point, and their errors.
type looks struct{ states, errors [][]float64 }

func (l *looks) first(points int) looks {
	points = min(points, len(l.states))
	return looks{l.states[:points], l.errors[:points]}
}

// move moves one quantity by its error, up at one point and down at the next, and returns what it
// was, in the memory of was.
func (l *looks) move(k int, was []float64) []float64 {
	was = was[:0]
	for t, state := range l.states {
		was = append(was, state[k])
		sign := 1 - 2*float64((t+len(l.states))%2) // neighbours go apart
		state[k] += sign * l.errors[t][k]
	}
	return was
}

// back makes a quantity what it was.
func (l *looks) back(k int, was []float64) {
	for t, state := range l.states {
		state[k] = was[t]
	}
}

// unit roundoffs that a number computed from others of its size may be off by.
const roundoffs = 1e-14

// run makes the run of an instance in the memory of w. It looks at every point if asked for, at those
// of local steps if asked for, else at the last.
func (w *walk) run(in *instance, e algos.Entry, r algos.Randomness, every, local bool) error {
	m := e.New(in.setting)
	oracle := algos.NewOracle(in.problem)
	if err := m.Start(oracle, in.x0, r); err != nil {
		return err
	}
	w.room.Renew()
	numbers := w.room.Take(in.window + 2*in.d)
	clear(numbers)
	*w = walk{instance: in, monitor: algos.NewMonitor(in.problem), oracle: oracle, room: w.room,
		window: numbers[:in.window], g: numbers[in.window:][:in.d], start: floats.Norm(in.x0, 2),
		course: course{w.at.first(0), w.local.first(0)}}
	before := numbers[in.window+in.d:]
	for t := 0; ; t++ {
		if t == in.t || every {
			w.look(&w.at, t, m.Point(), m.Estimator())
		}
		if t == in.t {
			return nil
		}
		copy(before, m.Point())
		m.Step()
		w.step = floats.Distance(m.Point(), before, 2)
		w.window[t%len(w.window)] = w.step * w.step
		w.moved += w.step * w.step
		if local {
			l := m.(algos.LocalStepper)
			points := l.LocalPoints()
			for k, v := range l.LocalEstimators() {
				w.stride = floats.Distance(points[k+1], points[k], 2)
				w.look(&w.local, len(w.local.states), points[k], v)
				w.walked += w.stride * w.stride
			}
		}
	}
}

// walk is a run on its way: its last steps, what it has moved, and what it has shown. It may be used
// for another one.
type walk struct {
	*instance
	course
	monitor             *algos.Monitor
	oracle              *algos.Oracle
	window, g           []float64
	start               float64 // ‖x⁰‖
	step, moved, walked float64
	stride              float64
	room                algos.Room[float64] // of what is kept
}

// look adds the point after s steps and the estimator there.
func (in *walk) look(to *looks, s int, x, v []float64) {
	in.monitor.Gradient(in.g, x)
	gap, at, far := math.NaN(), math.NaN(), floats.Norm(x, 2)+in.start
	slope, size := floats.Norm(in.g, 2), floats.Norm(v, 2)
	large := slope + size + in.con.L.Value*far
	high := large * far
	for _, apart := range []problems.Constant{in.con.GC, in.con.G} { // what cancels in a mean
		if finite(apart.Value) {
			high += apart.Value * far
		}
	}
	if in.levels || in.least == in.least {
		at = in.value(x)
		high += math.Abs(at)
	}
	if in.least == in.least {
		gap, high = max(0, at-in.least), high+math.Abs(in.least)
	}
	window := floats.Sum(in.window)
	away, turned, norms := math.NaN(), math.NaN(), math.NaN()
	if in.components {
		norms = in.spread(x, nil)
	}
	if in.star != nil {
		away, turned = floats.Distance(x, in.star, 2), in.spread(x, in.there)
	}
	to.states = append(to.states, in.keep(floats.Distance(v, in.g, 2), slope, size, gap, in.step,
		window, in.moved, in.walked, floats.Distance(x, in.x0, 2), away, norms, turned,
		float64(in.oracle.Counts().Gradients), float64(s), in.stride, at))
	path := func(square float64) float64 { return 2 * roundoffs * far * math.Sqrt(square) }
	to.errors = append(to.errors, in.keep(roundoffs*large, roundoffs*large,
		roundoffs*large, roundoffs*high,
		roundoffs*far, path(window), path(in.moved), path(in.walked),
		roundoffs*far, roundoffs*far, roundoffs*large, roundoffs*large, 0, 0,
		roundoffs*far, roundoffs*high))
}

// keep returns a copy of numbers.
func (in *walk) keep(numbers ...float64) []float64 {
	kept := in.room.Take(len(numbers))
	copy(kept, numbers)
	return kept
}

// settle finds the minimiser next to the start, by Newton's method with the pseudo-inverse of the
// Hessian.
func (in *instance) settle(f problems.Federated) {
	d := in.d
	x, g, u := slices.Clone(in.x0), make([]float64, d), make([]float64, d)
	small := 1e-13 * in.con.L.Value * (1 + floats.Norm(in.x0, 2))
	for range 50 {
		f.FullGradient(g, x)
		if floats.Norm(g, 2) <= small {
			break
		}
		h := mat.NewSymDense(d, nil)
		for k := range d {
			clear(u)
			u[k] = 1
			col := make([]float64, d)
			f.HessianVector(col, x, u)
			for j := range k + 1 {
				h.SetSym(j, k, col[j])
			}
		}
		var e mat.EigenSym
		if !e.Factorize(h, true) {
			return
		}
		var v mat.Dense
		e.VectorsTo(&v)
		for k, l := range e.Values(nil) {
			if l > 1e-11*in.con.L.Value {
				q := mat.Col(nil, k, &v)
				floats.AddScaled(x, -floats.Dot(q, g)/l, q)
			}
		}
	}
	f.FullGradient(g, x)
	high := math.Abs(f.Value(in.x0)) + math.Abs(in.least)
	if !(floats.Norm(g, 2) <= 1e3*small) || !(math.Abs(f.Value(x)-in.least) <= 1e-11*high) {
		return
	}
	in.star, in.there = x, make([]float64, in.problem.Clients()*d)
	for i := range in.problem.Clients() {
		in.component(in.there[i*d:(i+1)*d], x, i)
	}
}

// component sets dst to the gradient of a component (client).
func (in *instance) component(dst, x []float64, i int) {
	g := make([]float64, in.d)
	clear(dst)
	for j := range in.problem.Size(i) {
		in.problem.Gradient(g, x, i, j)
		floats.AddScaled(dst, 1/float64(in.problem.Size(i)), g)
	}
}

// spread is the root mean square distance of component gradients at x from the rows, from 0 if
// there are none.
func (in *instance) spread(x, rows []float64) float64 {
	g, sum := make([]float64, in.d), 0.0
	for i := range in.problem.Clients() {
		in.component(g, x, i)
		if rows != nil {
			floats.Sub(g, rows[i*in.d:(i+1)*in.d])
		}
		sum += floats.Dot(g, g)
	}
	return math.Sqrt(sum / float64(in.problem.Clients()))
}

// sides are both sides of a statement for one run.
type sides struct {
	left, right float64
	rungs       []float64 // what they come to term by term
	known       bool      // both are finite
	size        float64   // of terms whose rounding may move them
	// the quantity whose rounding moves them most, of those known before and then those measured,
	// or −1
	term int
}

// judge evaluates both sides with a constant.
func (c *Conjecture) judge(in *instance, run *course, constant float64) sides {
	first := len(in.known)
	point := first + len(measured)
	all := point + len(c.along)
	room := make([]float64, all+len(c.along)+len(c.rungs))
	// q is what the sides are of, and plain what the operators in it come to where nothing is moved
	q, plain := room[:all], room[all:][:len(c.along)]
	copy(q, in.known)
	q[c.place["c"]] = constant
	at := func(moved int) (left, right float64) { // a measured quantity, or −1
		states := run.at.states
		copy(q[first:], states[len(states)-1])
		for i := range c.along {
			q[point+i] = plain[i]
			if moved < 0 || slices.Contains(c.along[i].of.from, first+moved) {
				q[point+i] = c.along[i].over(q[:first], run)
			}
		}
		return c.left.at(q, nil), c.right.at(q, nil)
	}
	s := sides{rungs: room[all+len(c.along):]}
	s.left, s.right = at(-1)
	copy(plain, q[point:])
	for i := range c.rungs {
		s.rungs[i] = c.rungs[i].sum.at(q, nil)
	}
	s.known, s.term = finite(s.left) && finite(s.right), -1
	if !s.known {
		return s
	}
	s.size = max(math.Abs(s.left), math.Abs(s.right))
	most := 0.0
	var was, local []float64
	for _, k := range c.shown {
		was, local = run.at.move(k, was), run.local.move(k, local)
		left, right := at(k)
		run.at.back(k, was)
		run.local.back(k, local)
		if change := math.Abs(left-s.left) + math.Abs(right-s.right); finite(change) &&
			change > most {
			most, s.term = change, first+k
		}
	}
	for k, off := range in.errors {
		if off == 0 {
			continue
		}
		was := q[k]
		q[k] += off
		left, right := at(-1)
		q[k] = was
		if change := math.Abs(left-s.left) + math.Abs(right-s.right); finite(change) &&
			change > most {
			most, s.term = change, k
		}
	}
	s.size = max(s.size, most/props.RoundingBand)
	return s
}

// over returns what an operator makes of a run, given what is known before.
func (o *operator) over(known []float64, run *course) float64 {
	states := run.at.states
	last := len(states) - 1
	if overLocal(o.name) {
		states = run.local.states
		last = len(states)
	}
	at := func(k int) float64 { return o.of.at(known, states[k]) }
	switch o.name {
	case "first_t":
		return at(0)
	case "prev_t":
		return at(last - 1)
	}
	result := at(0)
	for k := 1; k < last; k++ {
		switch x := at(k); o.name {
		case "min_t", "min_k":
			result = min(result, x)
		case "max_t":
			result = max(result, x)
		default:
			result += x
		}
	}
	if o.name == "avg_t" || o.name == "avg_k" {
		result /= float64(last)
	}
	return result
}
