package theory

import (
	"fmt"
	"math/big"
	"strings"

	"sledge/algos"
	"sledge/props/keyed"
)

// Runs writes a file for Rocq that compares runs of the methods with the definitions of
// algorithms.v, evaluated over the rationals on the same minibatches, clients and noise: count runs
// of each of SLEDGE and FLEDGE with Options I and II, on instances drawn from the seed. The file is
// accepted if every point and every estimate of every run is what the definition says, but for
// rounding; it prints how many runs agree to the last bit. Every other run has sizes that are powers
// of two and no noise, so that nothing is rounded in it; the others are perturbed and have two steps
// at least. For one in ten runs, and at least one, the means over all runs of a small instance are
// compared as well, those of the program under all of its choices with those under the law that the
// theorems are about.
func Runs(seed uint64, count int) (string, error) {
	w := &writer{}
	for k := range count {
		for _, option := range []algos.Option{algos.OptionI, algos.OptionII} {
			key := keyed.New(seed).With("runs of the model").At(k).At(int(option))
			noisy := k%2 == 1
			if err := w.sledge(key.With("SLEDGE"), option, noisy); err != nil {
				return "", err
			}
			if err := w.fledge(key.With("FLEDGE"), option, noisy); err != nil {
				return "", err
			}
			if k%10 == 0 {
				if err := w.means(key.With("means"), option); err != nil {
					return "", err
				}
			}
		}
	}
	return w.file(), nil
}

// writer collects runs.
type writer struct {
	text strings.Builder
	runs int
	laws []string // comparisons of means

	named int // problems that have a name
}

const opening = `From Coq Require Import List QArith.
From Sledge Require Import vectors means minibatches algorithms rationals.
Import ListNotations.
Open Scope Q_scope.
`

func (w *writer) file() string {
	var b strings.Builder
	b.WriteString(opening)
	b.WriteString(w.text.String())
	b.WriteString("Definition runs := [")
	for k := range w.runs {
		if k > 0 {
			b.WriteString("; ")
		}
		fmt.Fprintf(&b, "run_%d", k)
	}
	b.WriteString(
		"].\nTheorem the_program_runs_the_model : all_agree runs = true.\nProof. vm_compute. reflexivity. Qed.\n")
	if len(w.laws) > 0 {
		fmt.Fprintf(&b, "Theorem the_program_has_the_law : forallb (fun agrees => agrees) %s = true.\n"+
			"Proof. vm_compute. reflexivity. Qed.\n", list(w.laws))
	}
	b.WriteString("Eval vm_compute in (exactly runs, length runs).\n")
	return b.String()
}

// quadratics are functions x'Hx/2 − c'x with small whole numbers, those of client i in a row.
type quadratics struct {
	d int
	h [][][]float64 // of client i and datum j, d×d
	c [][][]float64
}

func (q *quadratics) Clients() int   { return len(q.h) }
func (q *quadratics) Size(i int) int { return len(q.h[i]) }
func (q *quadratics) Dim() int       { return q.d }

// Gradient sets dst to Hx − c.
func (q *quadratics) Gradient(dst, x []float64, i, j int) {
	h, c := q.h[i][j], q.c[i][j]
	for r := range dst {
		dst[r] = -c[r]
		for l, v := range x {
			dst[r] += h[r*q.d+l] * v
		}
	}
}

// chooser draws small numbers.
type chooser struct{ key keyed.Key }

func (c chooser) within(name string, lo, hi int) int {
	return lo + c.key.With(name).Rand().IntN(hi-lo+1)
}

func (c chooser) problem(clients int, size func(int) int, d int) *quadratics {
	q := &quadratics{d: d}
	rng := c.key.With("problem").Rand()
	for i := range clients {
		var hs, cs [][]float64
		for range size(i) {
			h, v := make([]float64, d*d), make([]float64, d)
			for r := range d {
				for l := range r + 1 {
					h[r*d+l] = float64(rng.IntN(7) - 3)
					h[l*d+r] = h[r*d+l]
				}
				v[r] = float64(rng.IntN(11) - 5)
			}
			hs, cs = append(hs, h), append(cs, v)
		}
		q.h, q.c = append(q.h, hs), append(q.c, cs)
	}
	return q
}

// point draws a point with whole coordinates.
func (c chooser) point(d int) []float64 {
	rng := c.key.With("point").Rand()
	x := make([]float64, d)
	for l := range x {
		x[l] = float64(rng.IntN(9) - 4)
	}
	return x
}

// of draws a count from 1 to most, a power of two where asked: then nothing is rounded in short
// runs.
func (c chooser) of(name string, most int, even bool) int {
	if even {
		for most&(most-1) != 0 {
			most--
		}
		k := 0
		for 1<<(k+1) <= most {
			k++
		}
		return 1 << c.within(name, 0, k)
	}
	return c.within(name, 1, most)
}

func (c chooser) radius(noisy bool) float64 {
	if !noisy {
		return 0
	}
	return float64(c.within("radius", 1, 2)) / 4
}

// steps draws how long a run is. The perturbations of one step cannot be in the wrong order.
func (c chooser) steps(most int, noisy bool) int {
	if noisy {
		return c.within("T", 2, most)
	}
	return c.within("T", 1, most)
}

// instance is a problem on which runs are compared.
type instance struct {
	problem   algos.Problem
	gradients string // what they are in the file: a function of client and datum
	x0        []float64
}

func (w *writer) sledge(key keyed.Key, option algos.Option, noisy bool) error {
	c, even := chooser{key}, !noisy
	n := c.of("n", 7, even) + 1
	if even {
		n = 2 * c.of("n", 4, even)
	}
	b, d, T := c.of("b", n-1, even), c.within("d", 2, 3), c.steps(4, noisy)
	q := c.problem(n, func(int) int { return 1 }, d)
	m := &algos.SLEDGE{Eta: 1 / float64(int(4)<<c.within("eta", 0, 3)), Batch: b,
		Radius: c.radius(noisy), Option: option}
	return w.sledgeRun(key, m, instance{q, w.functions(q), c.point(d)}, T)
}

// sledgeRun compares a run of T steps.
func (w *writer) sledgeRun(key keyed.Key, m *algos.SLEDGE, on instance, T int) error {
	d, o := on.problem.Dim(), algos.NewOracle(on.problem)
	tape, err := algos.RecordRun(m, o, on.x0, algos.Keyed(key.With("run")), T)
	if err != nil {
		return err
	}
	first := "None"
	if m.Option == algos.OptionI {
		first = "(Some " + set(tape.Batch(0)) + ")"
	}
	var batches, noises []string
	for t := 1; t <= T; t++ {
		batches = append(batches, set(tape.Batch(t)))
		noises = append(noises, vector(noiseOf(tape, t, 0, d)))
	}
	fmt.Fprintf(&w.text,
		"Definition run_%d := agrees_sledge %d %d %d %s (fun i => %s i 0%%nat) %s %s\n  %s\n  "+
			"%s\n  %s.\n", w.runs, d, on.problem.Clients(), m.Batch, number(m.Eta), on.gradients,
		vector(tape.X[0]), first, list(noises), list(batches), reached(tape))
	w.runs++
	return nil
}

func (w *writer) fledge(key keyed.Key, option algos.Option, noisy bool) error {
	c, even := chooser{key}, !noisy
	P := c.of("P", 5, even) + 1
	if even {
		P = 2 * c.of("P", 2, even)
	}
	p, K, b := c.of("p", P-1, even), c.of("K", 3, even), c.of("b", 2, even)
	d, T := 2, c.steps(3, noisy)
	sizes := key.With("data").Rand()
	data := make([]int, P)
	for i := range data {
		data[i] = K*b + sizes.IntN(3)
	}
	q := c.problem(P, func(i int) int { return data[i] }, d)
	m := &algos.FLEDGE{Eta: 1 / float64(int(8)<<c.within("eta", 0, 2)), Chosen: p, Batch: b,
		LocalSteps: K, Radius: c.radius(noisy), Option: option}
	return w.fledgeRun(key, m, instance{q, w.functions(q), c.point(d)}, T)
}

// fledgeRun compares a run of T rounds.
func (w *writer) fledgeRun(key keyed.Key, m *algos.FLEDGE, on instance, T int) error {
	P, d, o := on.problem.Clients(), on.problem.Dim(), algos.NewOracle(on.problem)
	tape, err := algos.RecordRun(m, o, on.x0, algos.Keyed(key.With("run")), T)
	if err != nil {
		return err
	}
	start := tape.Sets(0, algos.LocalBatches)
	var at []int
	if m.Option == algos.OptionI {
		at = tape.Sets(0, algos.Clients)[0]
	}
	var counts []string
	for i := range P {
		counts = append(counts, fmt.Sprint(on.problem.Size(i)))
		if m.Option == algos.OptionII {
			at = append(at, i)
		}
	}
	rounds, noises := roundsOf(tape, m.LocalSteps, d)
	fmt.Fprintf(&w.text,
		"Definition run_%d := agrees_fledge %d %d %d %d %d %s (fun i => nth i [%s]%%nat 0%%nat) %s %s %t %s\n"+
			"  %s\n  %s\n  %s.\n", w.runs, d, P, m.Chosen, m.LocalSteps, m.Batch, number(m.Eta),
		strings.Join(counts, "; "), on.gradients, vector(tape.X[0]), m.Option == algos.OptionII,
		beside(at, start), noises, rounds, reached(tape))
	w.runs++
	return nil
}

// roundsOf writes the rounds of K local steps of a run, and their noise.
func roundsOf(tape *algos.Tape, K, d int) (rounds, noises string) {
	var all, perturbed []string
	for t := 1; t < len(tape.X); t++ {
		worker, clients := tape.Sets(t, algos.Worker)[0][0], tape.Sets(t, algos.Clients)[0]
		local := tape.Sets(t, algos.LocalBatches)
		var js, at []string
		for k := range K {
			js, at = append(js, set(local[k])), append(at, vector(noiseOf(tape, t, k, d)))
		}
		all = append(all, fmt.Sprintf("(%d%%nat, %s, %s)", worker, list(js),
			beside(clients, local[K:])))
		perturbed = append(perturbed, list(at))
	}
	return list(all), list(perturbed)
}

// functions writes the functions of a problem and returns the name of their gradients, a function
// of client and datum.
func (w *writer) functions(q *quadratics) string {
	name := fmt.Sprintf("gradient_%d", w.named)
	var clients []string
	for i := range q.h {
		var data []string
		for j := range q.h[i] {
			var rows []string
			for r := range q.d {
				rows = append(rows, vector(q.h[i][j][r*q.d:(r+1)*q.d]))
			}
			data = append(data, fmt.Sprintf("(%s, %s)", list(rows), vector(q.c[i][j])))
		}
		clients = append(clients, list(data))
	}
	fmt.Fprintf(&w.text, "Definition functions_%d := %s.\n", w.named, list(clients))
	fmt.Fprintf(&w.text,
		"Definition %s (i j : nat) (x : list Q) := quadratic (nth j (nth i functions_%d []) ([], [])) x.\n",
		name, w.named)
	w.named++
	return name
}

// noiseOf is the k-th perturbation of step t; the zero vector where there is none.
func noiseOf(tape *algos.Tape, t, k, d int) []float64 {
	if noise := tape.Noise(t); k < len(noise) {
		return noise[k]
	}
	return make([]float64, d)
}

func reached(tape *algos.Tape) string {
	var steps []string
	for t := range tape.X {
		steps = append(steps, fmt.Sprintf("(%s, %s)", vector(tape.X[t]), vector(tape.V[t])))
	}
	return list(steps)
}

func beside(clients []int, batches [][]int) string {
	var pairs []string
	for k, i := range clients {
		pairs = append(pairs, fmt.Sprintf("(%d%%nat, %s)", i, set(batches[k])))
	}
	return list(pairs)
}

func list(parts []string) string { return "[" + strings.Join(parts, "; ") + "]" }

func set(indices []int) string {
	var parts []string
	for _, i := range indices {
		parts = append(parts, fmt.Sprintf("%d", i))
	}
	return list(parts) + "%nat"
}

func vector(x []float64) string {
	var parts []string
	for _, v := range x {
		parts = append(parts, number(v))
	}
	return list(parts)
}

// number writes a float64 as the fraction that it is.
func number(x float64) string {
	r := new(big.Rat).SetFloat64(x)
	return fmt.Sprintf("(%s # %s)", r.Num(), r.Denom())
}
