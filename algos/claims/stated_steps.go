package claims

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/floats"

	"sledge/algos"
	"sledge/algos/equations"
	"sledge/props"
	"sledge/props/ledger"
)

// nameable are what equations may name, besides sizes, the step size and values f_i(x), and what
// that is where it is not plain.
var nameable = []struct {
	of          equations.Shape
	names, what string
	has         func(m *configured) bool
}{
	{equations.Vector, "x^ v^ ∇f(^) ∇f_(^)", "", func(*configured) bool { return true }},
	{equations.Set, "I^", "", func(*configured) bool { return true }},
	{equations.Set, "Ĩ_^", "$Ĩ_s^t$: what no index set of the steps $s$ to $t$ has",
		func(*configured) bool { return true }},
	{equations.Number, "T(,)", "$T(t,i)$: last step up to $t$ whose index set has $i$, else 0",
		func(*configured) bool { return true }},
	{equations.Vector, "ξ^", "", func(m *configured) bool { return !m.Federated }},
	{equations.Vector, "x^^ v^^ ξ^^ ∇f__(^) ∇f(^^) ∇f_(^^) ∇f__(^^)", "", federatedAlone},
	{equations.Set, "J^^", "$J^{t,k}$: data of local step $k$", federatedAlone},
	{equations.Set, "J_^", "$J_i^t$: data of client $i$ of round $t$", federatedAlone},
	{equations.Number, "i_", "$i_t$: client of the local steps", federatedAlone},
	{equations.Vector, "y_^", "$y_i^t$: rows of the printed form, with the same choices", isPrinted},
	{equations.Vector, "z^", "$z^t$: the mean that lines 355-362 keep", isPrinted},
	{equations.Number, "u^", "$u^t$: how many numbers these lines read or write", isPrinted},
	{equations.Vector, "c^ c_^", "$c^t$ and $c_i^t$: control variates of server and clients",
		func(m *configured) bool {
			_, ok := m.New(algos.Setting{Tuning: algos.Tuning{Eta: 1}}).(controlled)
			return ok
		}},
}

func federatedAlone(m *configured) bool { return m.Federated }
func isPrinted(m *configured) bool      { return slices.Contains(printed, m.Name) }

// names are those of a method. On a line, where d = 1, values are vectors like gradients.
func (m *configured) names(line bool) map[string]equations.Shape {
	known, values := map[string]equations.Shape{}, equations.Number
	if line {
		values = equations.Vector
	}
	known["f_(^)"], known["f__(^)"], known["η"] = values, values, equations.Number
	for _, symbol := range m.symbols {
		known[symbol] = equations.Number
	}
	for _, some := range nameable {
		if some.has(m) {
			for name := range strings.FieldsSeq(some.names) {
				known[name] = some.of
			}
		}
	}
	return known
}

// stepsOf makes the check of equations between what runs of a method are made of, on drawn
// instances and over formal gradients of tiny sizes, with a step size of 1/2 that no other number
// is likely to stand for.
func stepsOf(known []algos.Entry, r ledger.Runs) (props.Check, string, error) {
	method := r.Method
	s := &statedRuns{options: slices.Contains(printed, method+"-II")}
	if s.options {
		method += "-II"
	}
	federated := federatedMethod(known, method)
	s.symbols = symbolsOf(federated, "s", "t", "w")
	var err error
	if s.m, err = readMethod(known, method, r.With, s.symbols); err != nil {
		return nil, "", err
	}
	stated, premises, given := strings.Cut(r.Statement, " if ")
	if given {
		if err = s.assume(r.Statement, premises); err != nil {
			return nil, "", err
		}
	}
	if s.steps, err = equations.Read(r.Statement, stated, s.m.names(s.line)); err != nil {
		return nil, "", err
	}
	if s.options {
		s.m.used = append(s.m.used, "option")
	}
	draw, sizes, domain := s.scene(federated)
	if s.options {
		sizes = sizes.bothOptions()
	}
	periods := 1
	if slices.Contains(s.m.used, "m") {
		periods = 3
	}
	sizes = sizes.each(periods, func(a *instance, k int) {
		a.eta, a.period, a.formal.flat = 0.5, k+1, s.flat
		a.formal.mostPoints *= 2
	})
	switch {
	case s.steps.Uses("f_(^)"), s.steps.Uses("f__(^)"):
		return sizes.exact(s.try), sizes.said, nil
	case s.flat:
		draw = flat(draw)
	}
	for _, some := range nameable {
		if some.what != "" && slices.ContainsFunc(strings.Fields(some.names), s.steps.Uses) {
			domain += "; " + some.what
		}
	}
	effort := 0.4
	if s.steps.Uses("‖²") {
		effort = 1
	}
	return settled(draw, effort, sizes, s.try), domain, nil
}

// scene is what equations are tried on: what is drawn, all that is small, and what is said of it.
func (s *statedRuns) scene(federated bool) (draw func(*props.Source) instance, sizes tinySizes,
	domain string) {
	whole := slices.Contains(s.m.used, "N") // minibatches of all data
	switch {
	case federated && whole:
		return drawRounds(true, s.m.used...), tinyClients(), "P ≤ 9, K ≤ 4, T ≤ 10"
	case federated:
		return drawRounds(false, s.m.used...), tinyFLEDGE(), "P ≤ 9, K ≤ 4, T ≤ 10"
	case s.steps.Uses("E_{|I|}"): // all index sets are visited
		return drawSum(1, 7, true, s.m.used...), tinySums(3), "n ≤ 7, b ≤ n, T ≤ 16"
	}
	return drawSum(1, 24, true, s.m.used...), tinySums(3), "n ≤ 24, b ≤ n, T ≤ 16"
}

// solve compares the sides of the equations on a run.
func (s *statedRuns) solve(a instance, v values, rec *props.Recorder) {
	v["η"] = a.eta
	usual := a.usual(a.eta)
	if s.options {
		usual["Option"] = float64(a.option)
	}
	r, kept := a.follow(s.m.make(usual, v)), *s.m
	kept.literal = isPrinted(s.m)
	r.start = func() algos.Method { return a.started(kept.make(usual, v), r.Replay()) }
	run := &named{followed: r, sizes: v}
	s.steps.On(run, func(e equations.Sides) {
		if run.lacks != "" {
			rec.Floats(e.What+" with "+run.lacks+", which the run does not have", math.NaN(), props.EQ, 0)
			run.lacks = ""
			return
		}
		if e.Amiss != "" {
			rec.Floats(e.What+", of which "+e.Amiss, math.NaN(), props.EQ, 0)
			return
		}
		switch left, right := e.Vectors[0], e.Vectors[1]; e.Shape {
		case equations.Set:
			rec.Truth(e.What, slices.Equal(e.Sets[0], e.Sets[1]))
		case equations.Number:
			switch {
			case !e.Divided && e.Large < 1<<52: // whole numbers, or as the run has them
				rec.Floats(e.What, left[0], props.EQ, right[0])
			case r.formal == nil:
				rec.Equal(e.What, left[0], right[0]).Scale(float64(r.P)) // what sizes add up to
			default:
				r.sameUnits(rec, e, r.formal.length)
			}
		case equations.Form:
			r.related(rec, e)
		default:
			if r.formal == nil {
				r.same(rec, e.What, left, right)
				return
			}
			r.sameUnits(rec, e, 1)
		}
	})
}

// sameUnits compares vectors over formal gradients, or numbers, exactly: numbers have no length.
func (r *followed) sameUnits(rec *props.Recorder, e equations.Sides, length float64) {
	l := equations.Lattice{Of: r.formal.lattice * length, Finer: e.Over, Large: e.Large}
	apart := l.Apart(e.Vectors[0], e.Vectors[1])
	if !left(rec, e.What, l.Off()) {
		rec.Floats(e.What, apart, props.EQ, 0)
	}
}

// left reports whether a coefficient is off its lattice, which is no comparison but an error then.
func left(rec *props.Recorder, what, off string) bool {
	if off != "" {
		rec.Floats(what+", which "+off, math.NaN(), props.EQ, 0)
	}
	return off != ""
}

// related compares sums of squares: over formal gradients as quadratic forms in them, of which the
// difference is to be nowhere negative, and 0 for an equation.
func (r *followed) related(rec *props.Recorder, e equations.Sides) {
	if r.formal != nil {
		least, zero, off := equations.Definite(slices.Concat(e.Squares[1], negated(e.Squares[0])),
			r.formal.lattice, r.formal.length, &e)
		if !left(rec, e.What, off) {
			rec.Truth(e.What, least && (e.AtMost || zero))
		}
		return
	}
	var value [2]float64
	for k, side := range e.Squares {
		for _, s := range side {
			value[k] += s.Times * floats.Dot(s.Of, s.Of)
		}
	}
	record := rec.Equal
	if e.AtMost {
		record = rec.AtMost
	}
	record(e.What, value[0], value[1]).Scale(r.scale * r.scale)
}

func negated(squares []equations.Square) []equations.Square {
	out := slices.Clone(squares)
	for k := range out {
		out[k].Times *= -1
	}
	return out
}

// named is a run whose parts are told by names. It remembers which name it has nothing for.
type named struct {
	*followed
	sizes values
	lacks string
}

// spans are what the indices of names go through, in their order: clients i, data j, steps t from the
// start on or s from the first one on, local steps k from the start of a round on or l from its first
// one on.
var spans = map[string]string{"x^": "t", "v^": "t", "∇f(^)": "t", "∇f_(^)": "it", "∇f__(^)": "ijt",
	"f_(^)": "it", "f__(^)": "ijt", "I^": "t", "Ĩ_^": "st", "T(,)": "ti", "ξ^": "s", "y_^": "it",
	"c^": "t", "z^": "t", "u^": "t", "c_^": "it",
	"x^^": "sk", "v^^": "sk", "ξ^^": "sl", "∇f(^^)": "sk", "∇f_(^^)": "isk",
	"∇f__(^^)": "ijsk", "J^^": "sl", "J_^": "it", "i_": "s"}

// has reports whether there is something of a name with such indices.
func (r *named) has(name string, at equations.Indices) bool {
	for k, letter := range spans[name] {
		first, last := 0, r.Steps()
		switch letter {
		case 'i':
			last = r.P - 1
		case 'j':
			last = r.N - 1
		case 's':
			first = 1
		case 'k':
			last = r.K
		case 'l':
			first, last = 1, r.K
		}
		if name == "Ĩ_^" && letter == 's' {
			last++ // no step at all
		}
		if at[k] < first || at[k] > last {
			return false
		}
	}
	switch name {
	case "v^^":
		return at[1] < len(r.LocalV[at[0]])
	case "I^":
		return r.drew(at[0]).clients != nil
	case "J_^":
		drew := r.drew(at[1])
		return drew.clients == nil || slices.Contains(drew.clients, at[0])
	}
	return true
}

// missing remembers a name that there is nothing for.
func (r *named) missing(name string, at equations.Indices) bool {
	if r.has(name, at) {
		return false
	}
	r.lacks = fmt.Sprint(name, at[:len([]rune(spans[name]))])
	return true
}

func (r *named) Sizes() (steps, local, clients, data, dim int) {
	return r.Steps(), r.K, r.P, r.N, len(r.X[0])
}

// Set returns an index set, nil where there is none.
func (r *named) Set(name string, at equations.Indices) []int {
	if r.missing(name, at) {
		return nil
	}
	switch name {
	case "Ĩ_^":
		return r.unsampled(at[1])[min(at[0], at[1]+1)]
	case "J^^":
		return r.drew(at[0]).local[at[1]-1]
	case "J_^":
		return r.drew(at[1]).of(at[0])
	}
	return r.drew(at[0]).clients
}

// Add adds a multiple of a vector or a number, nothing where there is none.
func (r *named) Add(dst []float64, c float64, name string, at equations.Indices) {
	if r.missing(name, at) {
		return
	}
	if size, known := r.sizes[name]; known {
		dst[0] += c * size
		return
	}
	switch name {
	case "T(,)":
		dst[0] += c * float64(r.lastSampled(at[0], at[1]))
	case "i_":
		dst[0] += c * float64(r.drew(at[0]).worker)
	case "x^^":
		floats.AddScaled(dst, c, r.Local[at[0]][at[1]])
	case "v^^":
		floats.AddScaled(dst, c, r.LocalV[at[0]][at[1]])
	case "ξ^", "ξ^^":
		floats.AddScaled(dst, c, r.Noise(at[0])[max(0, at[1]-1)])
	case "x^":
		floats.AddScaled(dst, c, r.X[at[0]])
	case "v^":
		floats.AddScaled(dst, c, r.V[at[0]])
	case "c^":
		floats.AddScaled(dst, c, r.kept()[at[0]][r.P])
	case "z^":
		kept, _ := r.updated(at[0])
		floats.AddScaled(dst, c, kept)
	case "u^":
		_, touched := r.updated(at[0])
		dst[0] += c * float64(touched)
	case "c_^", "y_^":
		floats.AddScaled(dst, c, r.kept()[at[1]][at[0]])
	default:
		r.addGradient(dst, c, name, at)
	}
}

// addGradient adds a multiple of a gradient at x^t or x^{t,k}, or of values, which are there over
// formal gradients alone: further unknowns.
func (r *named) addGradient(dst []float64, c float64, name string, at equations.Indices) {
	below, clients, data := strings.Count(name, "_"), r.P, r.N
	s := at[below] * r.K
	if strings.Count(name, "^") == 2 {
		s += at[below+1] - r.K
	}
	if below > 0 {
		clients = 1
	}
	if below > 1 {
		data = 1
	} else {
		at[1] = 0
	}
	if below == 0 {
		at[0] = 0
	}
	c /= float64(clients * data)
	for k := range clients * data {
		if i, j := at[0]+k/data, at[1]+k%data; strings.HasPrefix(name, "∇") {
			floats.AddScaled(dst, c, r.grad(i, j, s))
		} else {
			u := r.formal
			dst[u.unknown(i*u.size+j, u.mostPoints/2+s)] += c * u.length
		}
	}
}
