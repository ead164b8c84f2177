package claims

import (
	"slices"

	"sledge/algos"
	"sledge/props"
)

func roundEquivarianceClaims() []props.Binding {
	return []props.Binding{
		props.Bind("fledge-affine-equivariance", props.Identity(tryChange)),
		props.Bind("fledge-client-permutation-equivariance", props.Identity(tryPermutations)),
	}
}

// tryChange moves, turns and scales a drawn problem.
func tryChange(src *props.Source, rec *props.Recorder) {
	f := drawFLEDGERun(src)
	r := src.Rand("change")
	changedRun(f, change{q: drawRotation(f.p.D, src, r).q,
		shift:  drawShift(f.p.D, src, r).shift,
		factor: drawFactor(f.p.D, src, r).factor}, rec)
}

// tryPermutations renames the clients of a drawn problem and their data.
func tryPermutations(src *props.Source, rec *props.Recorder) {
	f := drawFLEDGERun(src)
	r := src.Rand("permutations")
	to, data := r.Perm(f.p.P), make([][]int, f.p.P)
	for i := range data {
		data[i] = r.Perm(f.p.Data)
	}
	relabelledRun(f, rec, to, data)
}

// changedRun compares a run on the changed problem with the changed run.
func changedRun(f *roundsRun, c change, rec *props.Recorder) {
	m := *f.m
	m.Eta /= c.factor
	there := props.Must(algos.RecordRun(&m, algos.NewOracle(c.objective(f.p)), c.point(f.x0),
		c.randomness(f.random()), f.T))
	here := f.tape(f.m)
	f.recordSameRun(rec, "of the changed problem and the changed run", there, c.tape(here))
	for t := 1; t <= f.T; t++ {
		for k, x := range there.Local[t] {
			f.recordSame(rec, "local points of the changed problem and the changed run", x,
				c.point(here.Local[t][k]), 0)
		}
	}
}

// relabelled choices: the index sets of a script with the noise of a tape.
type scripted struct {
	algos.Script
	noise algos.Randomness
}

func (s scripted) Ball(dst []float64, r float64, p algos.Purpose) { s.noise.Ball(dst, r, p) }

// relabelledRun compares a run with its repetition after clients have been renamed and, client by
// client, their data: data[i] renames those of the client that was i.
func relabelledRun(f *roundsRun, rec *props.Recorder, to []int, data [][]int) {
	tape, P := f.tape(f.m), f.p.P
	from := inverse(to)
	p := *f.p
	p.Grad = func(dst, x []float64, i, j int) { f.p.Grad(dst, x, from[i], slices.Index(data[from[i]], j)) }
	rename := func(set []int, names []int) []int {
		out := make([]int, len(set))
		for k, i := range set {
			out[k] = names[i]
		}
		return out
	}
	script := algos.Script{}
	put := func(p algos.Purpose, set []int) { script[p] = append(script[p], set) }
	start, rounds := draws(tape, P)
	if start.clients == nil {
		for i := range P { // the clients of the new problem draw in the order of their new names
			put(algos.LocalBatches, rename(start.data[from[i]], data[from[i]]))
		}
	} else {
		put(algos.Clients, rename(start.clients, to))
		for k, i := range start.clients {
			put(algos.LocalBatches, rename(start.data[k], data[i]))
		}
	}
	for _, r := range rounds {
		put(algos.Worker, []int{to[r.worker]})
		for _, batch := range r.local {
			put(algos.LocalBatches, rename(batch, data[r.worker]))
		}
		put(algos.Clients, rename(r.clients, to))
		for k, i := range r.clients {
			put(algos.LocalBatches, rename(r.data[k], data[i]))
		}
	}
	there := props.Must(algos.RecordRun(f.m, algos.NewOracle(&p), f.x0,
		scripted{script, tape.Replay()}, f.T))
	f.recordSameRun(rec, "before and after relabelling", there, tape)
}
