package algos

import (
	"fmt"

	"sledge/props/keyed"
)

// Perturbation says where two coupled runs draw apart: in the Draw-th noise vector of step Step
// (Draw counts from 0; it is 0 for finite-sum methods, and k−1 for the local step k of FLEDGE) the
// coupled run has ξ − Shift where the run has ξ.
type Perturbation struct {
	Step, Draw int
	Shift      []float64
}

// Coupling is two coupled runs: the same method from the same point with the same random choices,
// but for one perturbation. It is the coupling behind the escape from saddle points
// (lemma:Small-Stuck-Region, lines 1547-1553).
type Coupling struct {
	Run, Coupled *Tape
	Perturbation Perturbation
}

// RecordCoupled runs the method again on the choices of the tape, perturbed, for as many steps as
// the tape has. It panics if the tape has no such perturbation.
func RecordCoupled(m Method, o *Oracle, tape *Tape, k Perturbation) (*Coupling, error) {
	return new(Tape).RecordCoupled(m, o, tape, k)
}

// RecordCoupled makes t the tape of the coupled run, as [Tape.Record] does.
func (t *Tape) RecordCoupled(m Method, o *Oracle, tape *Tape, k Perturbation) (*Coupling, error) {
	t.draws, t.tremor = tape.perturbed(t.draws[:0], k), tape.tremor
	err := t.record(m, o, tape.X[0], t.Replay(), tape.Steps())
	return &Coupling{tape, t, k}, err
}

// perturbed appends the draws, with the perturbation subtracted, to dst.
func (t *Tape) perturbed(dst []draw, k Perturbation) []draw {
	seen, first := 0, len(t.before(k.Step))
	for i, d := range t.during(k.Step) {
		if d.purpose != Noise || d.floats == nil {
			continue
		}
		if seen == k.Draw {
			if len(d.floats) != len(k.Shift) {
				panic(fmt.Sprintf("algos: a perturbation of length %d for noise of length %d",
					len(k.Shift), len(d.floats)))
			}
			draws, shifted := append(dst, t.draws...), clone(d.floats)
			axpy(shifted, -1, k.Shift)
			draws[first+i].floats = shifted
			return draws
		}
		seen++
	}
	panic(fmt.Sprintf("algos: the tape has no noise vector %d in step %d", k.Draw, k.Step))
}

// Separation sets dst to w^t = x^t − x̃^t.
func (p *Coupling) Separation(dst []float64, t int) {
	copy(dst, p.Run.X[t])
	axpy(dst, -1, p.Coupled.X[t])
}

// ErrorGap sets dst to g^t = (v^t − ∇f(x^t)) − (ṽ^t − ∇f(x̃^t)): how much of the estimation error
// the two runs do not share. The monitor is one of the problem that both ran on.
func (p *Coupling) ErrorGap(dst []float64, t int, m *Monitor) {
	g := make([]float64, len(dst))
	m.Gradient(dst, p.Coupled.X[t])
	m.Gradient(g, p.Run.X[t])
	for l := range dst {
		dst[l] = (p.Run.V[t][l] - g[l]) - (p.Coupled.V[t][l] - dst[l])
	}
}

// Branch returns a randomness that repeats the tape's choices of the steps up to and including
// step, and then takes those of rest: the same past, another future. It panics, as Replay does,
// when a method asks for another size of a choice than the tape holds.
func (t *Tape) Branch(step int, rest Randomness) Randomness {
	return &branch{past: replay{draws: t.before(step + 1)}, rest: rest, tremor: t.tremor}
}

type branch struct {
	past   replay
	rest   Randomness
	tremor keyed.Tremor
}

func (b *branch) gradients() keyed.Tremor { return b.tremor }

func (b *branch) at(p Purpose) Randomness {
	if b.past.has(p) {
		return &b.past
	}
	return b.rest
}

func (b *branch) Subset(dst []int, n int, p Purpose)       { b.at(p).Subset(dst, n, p) }
func (b *branch) Indices(dst []int, n int, p Purpose)      { b.at(p).Indices(dst, n, p) }
func (b *branch) Ball(dst []float64, r float64, p Purpose) { b.at(p).Ball(dst, r, p) }
func (b *branch) Normal(dst []float64, p Purpose)          { b.at(p).Normal(dst, p) }
func (b *branch) Uniform(p Purpose) float64                { return b.at(p).Uniform(p) }
