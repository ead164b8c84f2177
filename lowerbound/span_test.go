package lowerbound

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"

	"sledge/algos"
	"sledge/algos/problems"
	"sledge/props/keyed"
)

// quadratic has many more directions than the runs of the tests ask gradients.
func quadratic(t *testing.T) (problems.FiniteSum, []float64) {
	t.Helper()
	r := keyed.New(3).Rand()
	spectrum := make([]float64, 60)
	for k := range spectrum {
		spectrum[k] = 1 / float64(k+1)
	}
	p, err := problems.Make(problems.OneEach(5), problems.QuadraticMean{Spectrum: spectrum,
		Between: problems.Heterogeneity{Pattern: problems.Random, Hessian: 0.3, Linear: 1}}, r)
	if err != nil {
		t.Fatal(err)
	}
	x0 := make([]float64, len(spectrum))
	for k := range x0 {
		x0[k] = r.NormFloat64()
	}
	return p.ByClient(), x0
}

// nudged is gradient descent with one small step off the span, at the given step.
type nudged struct {
	algos.GD
	at, t int
	by    float64
}

func (m *nudged) Step() {
	if m.t++; m.t == m.at {
		m.GD.Point()[7] += m.by
	}
	m.GD.Step()
}

func TestSpanNoticesASmallStepAside(t *testing.T) {
	p, x0 := quadratic(t)
	for _, by := range []float64{0, 1e-12, 1e-6, 1} {
		m := &nudged{GD: algos.GD{Eta: 0.5}, at: 3, by: by}
		err := CheckSpan(m, p, x0, algos.Seeded(1), 5)
		switch {
		case by < 1e-9 && err != nil:
			t.Errorf("a step aside of %v: %v", by, err)
		case by > 1e-9 && (err == nil || !strings.Contains(err.Error(), "query 16 of 30")):
			t.Errorf("a step aside of %v: %v", by, err)
		}
	}
}

func TestSpanCounts(t *testing.T) {
	p, x0 := quadratic(t)
	s := watch(p, x0)
	o := algos.NewOracle(algos.Sum(s.Problem()))
	m := &algos.SLEDGE{Eta: 0.5, Batch: 2}
	if err := m.Start(o, x0, algos.Seeded(1)); err != nil {
		t.Fatal(err)
	}
	for range 4 {
		m.Step()
	}
	if s.Queries() != 5+4*4 || int64(s.Queries()) != o.Counts().Gradients {
		t.Errorf("%d queries, %d gradients", s.Queries(), o.Counts().Gradients)
	}
	// x⁰, five gradients at x⁰ and two new ones at each of four points; those at the point before
	// are repetitions at most in part.
	if s.Rank() < 1+5+2*4 || s.Rank() > 1+s.Queries() {
		t.Errorf("rank %d after %d queries", s.Rank(), s.Queries())
	}
	if s.Err() != nil || s.Distance() > 1e-12 || !s.ZeroRespecting() {
		t.Errorf("%v, distance %v", s.Err(), s.Distance())
	}
	if !o.HasValues() {
		t.Error("the watched problem has lost its values")
	}
	if algos.NewOracle(algos.Sum(watch(component{newWitness(p, 1)},
		x0).Problem())).Components() != 5 {
		t.Error("components lost")
	}
}

type gradientsOnly struct{ algos.FiniteSum }

func TestSpanInventsNoValues(t *testing.T) {
	p, x0 := quadratic(t)
	if algos.NewOracle(algos.Sum(watch(gradientsOnly{p}, x0).Problem())).HasValues() {
		t.Error("values appear where there are none")
	}
}

// A query with a NaN is outside the span, and zero-respecting is exact: the smallest number at a
// wrong place is noticed.
func TestSpanCorners(t *testing.T) {
	c := Class{N: 2, L: 1, Eps: 1}
	c.Gap = 4.5 * commonLink(c)
	p, x0 := c.CommonChain()
	g := make([]float64, p.Dim())
	s := watch(p, x0)
	s.Problem().Gradient(g, x0, 0)
	x := append([]float64(nil), x0...)
	x[1] = -3 * g[1]
	s.Problem().Gradient(g, x, 1)
	if s.Err() != nil || !s.ZeroRespecting() {
		t.Fatal(s.Err())
	}
	x[3] = math.SmallestNonzeroFloat64
	s.Problem().Gradient(g, x, 1)
	if s.Err() != nil || s.ZeroRespecting() {
		t.Errorf("%v, zero-respecting %v", s.Err(), s.ZeroRespecting())
	}
	x[0] = math.NaN()
	s.Problem().Gradient(g, x, 1)
	if s.Err() == nil {
		t.Error("a NaN lies in the span")
	}
}

// The explorer asks exactly one gradient for each link of the common chain and refuses what does
// not fit.
func TestExplorer(t *testing.T) {
	c := Class{N: 3, L: 2, Eps: 0.1, Offset: 1}
	c.Gap = 7.5 * commonLink(c)
	p, x0 := c.CommonChain()
	m := &explorer{Reach: 10 * p.sigma, Length: p.Length()}
	if n, found := spent(m, p, x0, nil, c.Eps, 100); n != 7 || !found {
		t.Errorf("%d gradients, found %v", n, found)
	}
	if err := CheckSpan(m, p, x0, nil, 20); err != nil {
		t.Error(err)
	}
	if floats.Equal(m.Point(), x0) || len(m.Estimator()) != p.Dim() {
		t.Error("it has not moved")
	}
	o := algos.NewOracle(algos.Sum(p))
	for want, bad := range map[string]*explorer{"Reach": {Length: 1}, "Length": {Reach: 1}} {
		if err := bad.Start(o, x0, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v", bad, err)
		}
	}
	if err := m.Start(o, x0[1:], nil); err == nil || o.Counts().Gradients != 0 {
		t.Errorf("x0 of the wrong length: %v", err)
	}
}

// Neon2 inside SPIDER-SFO⁺ moves at random, without any noise radius.
func TestNeonLeavesTheSpan(t *testing.T) {
	p, x0 := quadratic(t)
	known, _ := algos.ByName("SPIDER-SFO+")
	if err := CheckSpan(known.New(
		algos.Setting{Tuning: algos.Tuning{Eta: 0.5}, L: 1.2, Delta: 1.2}), p, x0,
		algos.Seeded(1), 1); err == nil {
		t.Error("SPIDER-SFO+ stays in the span")
	}
	if !perturbs("SPIDER-SFO+") || !perturbs("BVR-L-PSGD") || perturbs("SLEDGE-II") {
		t.Error("wrong list of methods that perturb by default")
	}
}
