package theory

import (
	"fmt"

	"gonum.org/v1/gonum/stat/combin"

	"sledge/algos"
	"sledge/props/keyed"
)

// odometer is a randomness that goes through all choices of a run: each run takes the next ones.
type odometer struct {
	choice, ways []int // of this run: which option is taken, of how many
	at           int
}

func (o *odometer) next(ways int) int {
	if o.at == len(o.choice) {
		o.choice = append(o.choice, 0)
	}
	o.ways = append(o.ways[:o.at], ways)
	o.at++
	return o.choice[o.at-1]
}

// turn goes on to the choices of the next run, and returns false after the last.
func (o *odometer) turn() bool {
	for k := o.at - 1; k >= 0; k-- {
		if o.choice[k]++; o.choice[k] < o.ways[k] {
			o.choice, o.at = o.choice[:k+1], 0
			return true
		}
	}
	return false
}

// Subset takes the next subset.
func (o *odometer) Subset(dst []int, n int, _ algos.Purpose) {
	combin.IndexToCombination(dst, o.next(combin.Binomial(n, len(dst))), n, len(dst))
}

// Indices takes the next indices.
func (o *odometer) Indices(dst []int, n int, _ algos.Purpose) {
	for i := range dst {
		dst[i] = o.next(n)
	}
}

// Ball fills dst with zeros: the runs have no noise.
func (o *odometer) Ball(dst []float64, _ float64, _ algos.Purpose) { clear(dst) }

// Normal panics.
func (o *odometer) Normal([]float64, algos.Purpose) {
	panic("theory: neither method draws normal numbers")
}

// Uniform panics.
func (o *odometer) Uniform(algos.Purpose) float64 { panic("theory: neither method tosses coins") }

// overAllRuns returns the means of ‖v^T − ∇f(x^T)‖² and of ‖x^T‖² over all choices of T steps or
// rounds.
func overAllRuns(m algos.Method, q *quadratics, x0 []float64, T int) (found [2]float64, err error) {
	o := &odometer{}
	gradient, part := make([]float64, q.d), make([]float64, q.d)
	for more := true; more; more = o.turn() {
		tape, err := algos.RecordRun(m, algos.NewOracle(q), x0, o, T)
		if err != nil {
			return found, err
		}
		probability := 1.0
		for _, ways := range o.ways[:o.at] {
			probability /= float64(ways)
		}
		clear(gradient)
		for i := range q.h {
			for j := range q.h[i] {
				q.Gradient(part, tape.X[T], i, j)
				for l, g := range part {
					gradient[l] += g / float64(len(q.h)*len(q.h[i]))
				}
			}
		}
		for l, g := range gradient {
			found[0] += probability * (tape.V[T][l] - g) * (tape.V[T][l] - g)
			found[1] += probability * tape.X[T][l] * tape.X[T][l]
		}
	}
	return found, nil
}

// means compares the means over all runs of a small instance of each method.
func (w *writer) means(key keyed.Key, option algos.Option) error {
	c := chooser{key}
	const d = 2
	eta, x0, one := 1/float64(int(4)<<c.within("eta", 0, 2)), c.point(d), option == algos.OptionI
	n, T := c.within("n", 2, 4), c.within("T", 1, 2)
	b := c.within("b", 1, n)
	q := c.problem(n, func(int) int { return 1 }, d)
	found, err := overAllRuns(&algos.SLEDGE{Eta: eta, Batch: b, Option: option}, q, x0, T)
	if err != nil {
		return err
	}
	name := w.functions(q)
	w.laws = append(w.laws,
		fmt.Sprintf("sledge_means %d %d %d %s (fun i => %s i 0%%nat) %s %t %d (%s, %s)", d, n, b,
			number(eta), name, vector(x0), one, T, number(found[0]), number(found[1])))

	c = chooser{key.With("clients")}
	data := []int{c.within("first", 1, 2), 2}
	P, p, K := len(data), c.within("p", 1, 2), c.within("K", 1, min(2, data[0]))
	q = c.problem(P, func(i int) int { return data[i] }, d)
	T = 1
	found, err = overAllRuns(&algos.FLEDGE{Eta: eta, Chosen: p, Batch: 1, LocalSteps: K,
		Option: option}, q, x0, T)
	if err != nil {
		return err
	}
	name = w.functions(q)
	w.laws = append(w.laws, fmt.Sprintf(
		"fledge_means %d %d %d %d 1 %s (fun i => nth i %s 0%%nat) %s %s %t %d (%s, %s)",
		d, P, p, K, number(eta), set(data), name, vector(x0), one, T, number(found[0]),
		number(found[1])))
	return nil
}
