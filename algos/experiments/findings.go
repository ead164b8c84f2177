package experiments

import (
	_ "embed"
	"fmt"
	"math"
	"slices"

	"sledge/algos"
	"sledge/props"
)

// Finding is something that the paper reports about a figure. Its statement is that of a claim,
// which judges it on repetitions of a small version of the figure; verify figures judges it on the
// runs of the figure itself.
type Finding struct {
	Name  string // a few words
	Claim string // id
	// Judge records what is asserted of one run of every method. It is nil for a finding that needs
	// no runs: the claim settles it.
	Judge func(*Runs, *props.Recorder)
}

//go:embed readings.txt
var readings string

// Reading says what is taken for the finding in one run of every method, "" if readings.txt does
// not say it.
func (f Finding) Reading() string { return props.Passages(readings)[f.Name] }

// Runs are one run of every method of a figure, on the same seed.
type Runs struct {
	Races []Race
	Of    func(race int, method string) *algos.Trace
	Brief bool // what comes after a comparison that fails may be left out
}

// enough reports whether a comparison settles what is found in the runs.
func (r *Runs) enough(p *props.Pair) bool { return r.Brief && !p.Holds() }

// The findings of the figures in the order of the paper.
var (
	fewerGradients = Finding{
		Name:  "Fewer gradients than SARAH",
		Claim: "experiment-fig1-gradient-evaluations",
		Judge: func(r *Runs, rec *props.Recorder) {
			for _, name := range []string{"SLEDGE", "ZeroSARAH"} {
				noLater(rec, "gradients of "+name+" to three accuracies, against SARAH's",
					r.Of(0, name), r.Of(0, "SARAH"), gradients)
			}
		},
	}

	nearlyMonotone = Finding{
		Name:  "Almost monotone with noise",
		Claim: "experiment-fig1-noise-effect",
		Judge: func(r *Runs, rec *props.Recorder) {
			with := r.Of(0, noisy("SLEDGE", paperNoise))
			gain := best(with) - accuracy(with.Records[0])
			rec.AtLeast("gain of the accuracy with noise", gain, 0.1)
			rec.AtMost("largest fall of the accuracy with noise, against a tenth of its gain",
				fall(with), gain/10)
		},
	}

	fastestWithNoise = Finding{
		Name:  "Fastest and most stable with noise",
		Claim: "experiment-fig1-noise-effect",
		Judge: func(r *Runs, rec *props.Recorder) {
			with := r.Of(0, noisy("SLEDGE", paperNoise))
			if r.enough(rec.AtMost("largest fall of the accuracy with noise, against that without",
				fall(with),
				fall(r.Of(0, "SLEDGE")))) {
				return
			}
			for _, name := range []string{"SLEDGE", "ZeroSARAH", "SARAH",
				noisy("SSRGD", paperNoise)} {
				if r.enough(noLater(rec,
					"gradients of SLEDGE with noise to three accuracies, against those of "+name,
					with, r.Of(0, name), gradients)) {
					return
				}
			}
		},
	}

	fewerRounds = Finding{
		Name:  "Fewer rounds",
		Claim: "experiment-fig2-communication",
		Judge: func(r *Runs, rec *props.Recorder) {
			for _, name := range []string{"FedAvg", "SCAFFOLD", "MimeMVR"} {
				noLater(rec, "rounds of FLEDGE to three accuracies, against those of "+name,
					r.Of(0, "FLEDGE"), r.Of(0, name), rounds)
			}
		},
	}

	smallNorm = Finding{
		Name:  "Small gradient norm",
		Claim: "experiment-fig2-gradient-norm",
		Judge: func(r *Runs, rec *props.Recorder) {
			tr := r.Of(0, "FLEDGE")
			rec.AtMost("‖∇f(x)‖ at the end, against a tenth of the start", last(tr).GradientNorm,
				tr.Records[0].GradientNorm/10)
		},
	}

	linearDecay = Finding{
		Name:  "Linear convergence",
		Claim: "experiment-fig2-gradient-norm",
		Judge: func(r *Runs, rec *props.Recorder) {
			looks := r.Of(0, "FLEDGE").Records
			n := len(looks)
			before, after := decay(looks[n/4:n/2+1]), decay(looks[n/2:])
			rec.AtLeast("decay of log ‖∇f(x)‖ in a round of the quarter before the second half",
				before, 0)
			rec.AtLeast(
				"decay of log ‖∇f(x)‖ in a round of the second half, against that before by √2",
				after, before/math.Sqrt2)
		},
	}

	parity = Finding{
		Name:  "On a par with BVR-L-SGD",
		Claim: "experiment-fig2-bvr-parity",
		Judge: func(r *Runs, rec *props.Recorder) {
			rec.AtMost("difference of the test accuracies of FLEDGE and BVR-L-SGD",
				math.Abs(settled(r.Of(0, "FLEDGE"))-settled(r.Of(0, "BVR-L-SGD"))), 0.05)
		},
	}

	everyRate = Finding{
		Name:  "Faster than SARAH at every rate, and as stable",
		Claim: "experiment-fig3-learning-rates",
		Judge: func(r *Runs, rec *props.Recorder) {
			for i, h := range r.Races {
				sledge, sarah := r.Of(i, "SLEDGE"), r.Of(i, "SARAH")
				start := sarah.Records[0].Value
				rec.AtMost("f − f(x⁰) of SLEDGE, against SARAH's at as many gradients, "+h.Name,
					last(sledge).Value-start, valueAt(sarah, gradients(last(sledge)))-start)
				rec.AtMost(
					"largest rise of SLEDGE's f between looks, against SARAH's and a hundredth of its "+
						"descent, "+h.Name, rise(sledge),
					rise(sarah)+0.01*(start-last(sarah).Value))
			}
		},
	}

	closeToSARAH = Finding{
		Name:  "Estimator better than SAGA's and close to SARAH's",
		Claim: "experiment-fig4-estimator-discrepancy",
		Judge: func(r *Runs, rec *props.Recorder) {
			sledge, sarah, saga := meanError(r.Of(0, "SLEDGE")), meanError(r.Of(0, "SARAH")),
				meanError(r.Of(0, "SAGA"))
			rec.AtMost("mean squared error of SLEDGE, against half of SAGA's", sledge, saga/2)
			rec.AtMost("squared error of SLEDGE over SARAH's, against SAGA's over SLEDGE's",
				sledge/sarah, saga/sledge)
			rec.Plot("Squared error of the estimator: SLEDGE's against SAGA's", "step",
				"‖v − ∇f(x)‖²")
			for k, s := range r.Of(0, "SLEDGE").Records {
				if other := r.Of(0, "SAGA").Records; s.Step > 0 && k < len(other) {
					rec.Point(float64(s.Step), s.Error*s.Error, other[k].Error*other[k].Error)
				}
			}
		},
	}

	perturbed = Finding{
		Name:  "Highest accuracy with noise",
		Claim: "experiment-fig5-perturbation",
		Judge: func(r *Runs, rec *props.Recorder) {
			for _, ours := range []string{noisy("FLEDGE", paperLocalNoise),
				noisy("BVR-L-PSGD", paperLocalNoise)} {
				for _, name := range []string{"SCAFFOLD", "FedAvg", "MimeMVR", "FLEDGE",
					"BVR-L-SGD"} {
					if r.enough(rec.AtLeast("test accuracy of "+ours+", against that of "+name,
						settled(r.Of(0, ours)),
						settled(r.Of(0, name)))) {
						return
					}
				}
			}
		},
	}

	littleLoss = Finding{
		Name:  "Little loss under heterogeneity",
		Claim: "experiment-fig6-heterogeneity",
		Judge: func(r *Runs, rec *props.Recorder) {
			drop := func(name string) float64 {
				return settled(r.Of(0, name)) - settled(r.Of(len(r.Races)-1, name))
			}
			fedAvg := drop("FedAvg")
			rec.AtLeast("test accuracy that FedAvg loses", fedAvg, 0)
			rec.AtMost("test accuracy that FLEDGE loses, against half of FedAvg's loss",
				drop("FLEDGE"), fedAvg/2)
		},
	}
)

// noisy is the name of a method with noise of radius r in a figure.
func noisy(method string, r float64) string { return fmt.Sprintf("%s, r = %g", method, r) }

func last(tr *algos.Trace) algos.Record { return tr.Records[len(tr.Records)-1] }

func gradients(r algos.Record) float64 { return float64(r.Counts.Gradients) }
func rounds(r algos.Record) float64    { return float64(r.Step) }

// accuracy returns the test accuracy of a record; an iterate that is not finite knows nothing.
func accuracy(r algos.Record) float64 {
	if loss := r.Observed[TestLoss]; math.IsNaN(loss) || math.IsInf(loss, 0) {
		return 0
	}
	return r.Observed[TestAccuracy]
}

// best returns the largest test accuracy along a run.
func best(tr *algos.Trace) float64 {
	most := 0.0
	for _, r := range tr.Records {
		most = max(most, accuracy(r))
	}
	return most
}

// settled returns the mean test accuracy over the second half of the looks at a run: a single look
// is too noisy to compare runs by.
func settled(tr *algos.Trace) float64 {
	sum, half := 0.0, tr.Records[len(tr.Records)/2:]
	for _, r := range half {
		sum += accuracy(r)
	}
	return sum / float64(len(half))
}

// costs adds up what a run had spent when its test accuracy was first seen to have come a quarter,
// half and three quarters of the way from that of the start to top. A level that it never reached
// counts as ten times what it spent in all.
func costs(tr *algos.Trace, top float64, of func(algos.Record) float64) float64 {
	sum, start := 0.0, accuracy(tr.Records[0])
	for _, part := range []float64{0.25, 0.5, 0.75} {
		k := slices.IndexFunc(tr.Records,
			func(r algos.Record) bool { return accuracy(r) >= start+part*(top-start) })
		if k < 0 {
			sum += 10 * of(last(tr))
		} else {
			sum += of(tr.Records[k])
		}
	}
	return sum
}

// noLater asserts that run a costs at most as much as run b to the same test accuracies, which are
// set by the better of the two: one that learns nothing does not win.
func noLater(rec *props.Recorder, what string, a, b *algos.Trace,
	of func(algos.Record) float64) *props.Pair {
	top := max(best(a), best(b))
	return rec.AtMost(what, costs(a, top, of), costs(b, top, of))
}

// fall returns the largest drop of test accuracy between two looks at a run.
func fall(tr *algos.Trace) float64 {
	most := 0.0
	for k := 1; k < len(tr.Records); k++ {
		most = max(most, accuracy(tr.Records[k-1])-accuracy(tr.Records[k]))
	}
	return most
}

// rise returns the largest increase of f between two looks at a run.
func rise(tr *algos.Trace) float64 {
	most := 0.0
	for k := 1; k < len(tr.Records); k++ {
		most = max(most, tr.Records[k].Value-tr.Records[k-1].Value)
	}
	return most
}

// valueAt returns f at the given gradient count, interpolated between looks.
func valueAt(tr *algos.Trace, count float64) float64 {
	for k := 1; k < len(tr.Records); k++ {
		a, b := tr.Records[k-1], tr.Records[k]
		if ga, gb := gradients(a), gradients(b); count <= gb {
			return a.Value + (b.Value-a.Value)*(count-ga)/(gb-ga)
		}
	}
	return last(tr).Value
}

// meanError returns the mean of ‖v − ∇f‖² over the looks at a run.
func meanError(tr *algos.Trace) float64 {
	sum := 0.0
	for _, r := range tr.Records {
		sum += r.Error * r.Error
	}
	return sum / float64(len(tr.Records))
}

// decay returns by how much log ‖∇f‖ falls in a round, by least squares.
func decay(records []algos.Record) float64 {
	var t, logNorm []float64
	for _, r := range records {
		t, logNorm = append(t, rounds(r)), append(logNorm, math.Log(r.GradientNorm))
	}
	slope, _ := props.OLS(t, logNorm)
	return -slope
}
