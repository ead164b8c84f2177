package theory

import (
	"fmt"

	"sledge/algos"
	"sledge/props/keyed"
)

// overAllRuns returns the means of ‖v^T − ∇f(x^T)‖² and of ‖x^T‖² over all choices of T steps or
// rounds.
func overAllRuns(m algos.Method, q *quadratics, x0 []float64, T int) (found [2]float64, err error) {
	o := &algos.Outcomes{}
	gradient, part := make([]float64, q.d), make([]float64, q.d)
	for more := true; more; more = o.Turn() {
		tape, err := algos.RecordRun(m, algos.NewOracle(q), x0, o, T)
		if err != nil {
			return found, err
		}
		probability := o.Probability()
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
