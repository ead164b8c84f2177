package algotest

import (
	"reflect"
	"slices"

	"sledge/algos"
)

// Observation is what a run asks for, seen from the objective, whatever the method declares.
type Observation struct {
	*algos.Tape
	Counts    algos.Counts // of the oracle
	Gradients int64        // gradients of data (components) that the objective was asked for
	// Full lists the steps in which the gradients of all data were asked for at one point, once for
	// each time; 0 is the initialisation.
	Full []int
	// Clients counts, for each step 0 … T, the clients (components) whose gradients were asked for.
	Clients  []int
	Finished int // the step after which the method declared itself finished, -1 if it did not
	Memory   int // float64 that the method says it keeps between steps, 0 if it does not say
	Held     int // float64 in slices that the method holds after the run, scratch space included
}

// Observe runs a method for T steps from x0. What the problem computes for several data at once is
// asked for one by one.
func Observe(m algos.Method, p algos.Problem, x0 []float64, r algos.Randomness,
	T int) (*Observation, error) {
	out := new(Observation)
	return out, out.Record(m, p, x0, r, T)
}

// Record makes out the observation of another run, as [Observe] makes a new one. It is written over
// the one before.
func (out *Observation) Record(m algos.Method, p algos.Problem, x0 []float64, r algos.Randomness,
	T int) error {
	if out.Tape == nil {
		out.Tape = new(algos.Tape)
	}
	*out = Observation{Tape: out.Tape, Full: out.Full[:0], Clients: out.Clients[:0], Finished: -1}
	w := &observer{Problem: p, active: make([]bool, p.Clients()), out: out}
	for i := range p.Clients() {
		w.offset = append(w.offset, len(w.seen))
		w.seen = append(w.seen, make([]bool, p.Size(i))...)
	}
	var q algos.Problem = w
	if v, ok := algos.As[algos.Valuer](p); ok {
		q = struct {
			algos.Problem
			algos.Valuer
		}{w, v}
	}
	o := algos.NewOracle(q)
	err := out.Tape.Record(observedMethod{m, w}, o, x0, r, T)
	w.round()
	out.Counts = o.Counts()
	if r, ok := m.(algos.Rememberer); ok {
		out.Memory = r.Memory()
	}
	out.Held = held(reflect.ValueOf(m), map[uintptr]bool{})
	return err
}

// observer is a problem that looks at what it is asked for.
type observer struct {
	algos.Problem
	step   int
	at     []float64 // the point of the latest gradients
	offset []int     // the first datum of each client
	seen   []bool    // data asked for there without interruption
	many   int       // how many of them
	active []bool    // clients asked in this step
	out    *Observation
}

func (w *observer) Gradient(dst, x []float64, i, j int) {
	w.out.Gradients++
	w.active[i] = true
	if !slices.Equal(x, w.at) {
		w.at = append(w.at[:0], x...)
		w.forget()
	}
	if k := w.offset[i] + j; !w.seen[k] {
		w.seen[k] = true
		w.many++
	}
	if w.many == len(w.seen) {
		w.out.Full = append(w.out.Full, w.step)
		w.forget()
	}
	w.Problem.Gradient(dst, x, i, j)
}

func (w *observer) forget() {
	clear(w.seen)
	w.many = 0
}

// round ends a step.
func (w *observer) round() {
	many := 0
	for _, a := range w.active {
		if a {
			many++
		}
	}
	w.out.Clients = append(w.out.Clients, many)
	clear(w.active)
}

// observedMethod tells the watch which step it is.
type observedMethod struct {
	algos.Method
	w *observer
}

func (m observedMethod) Step() {
	m.w.round()
	m.w.step++
	m.Method.Step()
	if f, ok := m.Method.(algos.Finisher); ok && m.w.out.Finished < 0 && f.Finished() {
		m.w.out.Finished = m.w.step
	}
}

// held counts the float64 in slices reachable from v through pointers, structs and slices, not
// through interfaces (problem and randomness).
func held(v reflect.Value, known map[uintptr]bool) int {
	sum := 0
	switch v.Kind() {
	case reflect.Pointer:
		if t := v.Type().Elem(); !v.IsNil() && t != reflect.TypeFor[algos.Oracle]() &&
			!known[v.Pointer()] {
			known[v.Pointer()] = true
			sum += held(v.Elem(), known)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			sum += held(v.Field(i), known)
		}
	case reflect.Slice:
		if v.Len() == 0 || known[v.Pointer()] {
			return 0
		}
		known[v.Pointer()] = true
		if v.Type().Elem().Kind() == reflect.Float64 {
			return v.Len()
		}
		for i := range v.Len() {
			sum += held(v.Index(i), known)
		}
	}
	return sum
}
