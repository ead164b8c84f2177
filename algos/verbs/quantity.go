package verbs

import (
	"math"
	"strconv"
	"strings"

	"sledge/algos"
	"sledge/algos/experiments"
	"sledge/reports"
)

// quantity is something to draw or tabulate.
type quantity struct {
	title, label string
	log          bool
	of           func(algos.Record) float64
}

// counted is what a run has spent by the time of a record.
func counted(f func(algos.Counts) int64) func(algos.Record) float64 {
	return func(r algos.Record) float64 { return float64(f(r.Counts)) }
}

// rounds are those of communication, as the oracle counts them.
var rounds = counted(func(c algos.Counts) int64 { return c.Rounds })

func observed(k int) func(algos.Record) float64 {
	return func(r algos.Record) float64 {
		if k < len(r.Observed) {
			return r.Observed[k]
		}
		return math.NaN()
	}
}

var (
	testAccuracy = quantity{"Test accuracy", "share correct", false,
		observed(experiments.TestAccuracy)}
	trainAccuracy = quantity{"Training accuracy", "share correct", false,
		observed(experiments.TrainAccuracy)}
	testLoss  = quantity{"Test loss", "cross-entropy", false, observed(experiments.TestLoss)}
	trainLoss = quantity{"Training objective", "f(x)", false,
		func(r algos.Record) float64 { return r.Value }}
	gradientNorm = quantity{"Gradient norm", "‖∇f(x)‖", true,
		func(r algos.Record) float64 { return r.GradientNorm }}
	estimatorError = quantity{"Estimator error", "‖v − ∇f(x)‖", true,
		func(r algos.Record) float64 { return r.Error }}
	squaredError = quantity{"Discrepancy of the estimator", "‖v − ∇f(x)‖²", true,
		func(r algos.Record) float64 { return r.Error * r.Error }}
	gradientCount = quantity{title: "gradients", label: "gradient evaluations",
		of: counted(func(c algos.Counts) int64 { return c.Gradients })}
	roundCount = quantity{title: "rounds", label: "communication rounds",
		of: func(r algos.Record) float64 { return float64(r.Step) }}
	vectorCount = quantity{title: "vectors", label: "vectors sent", log: true,
		of: counted(func(c algos.Counts) int64 { return c.Up + c.Down })}
	stepCount = quantity{label: "step", of: func(r algos.Record) float64 { return float64(r.Step) }}

	// what races on networks and on saddles observe
	networkAccuracy = quantity{"Test accuracy", "share correct", false, observed(networkTestAccuracy)}
	leastEigenvalue = quantity{title: "Least eigenvalue of the Hessian", label: "λ_min(∇²f(x))",
		of: observed(0)}
)

// roundingShare is the part of the gradient norm at the start below which an estimator error is
// rounding.
const roundingShare = 1e-10

// withoutRounding makes gaps of values below the floor.
func withoutRounding(lines []reports.Line, floor float64) {
	for _, l := range lines {
		for k, v := range l.High {
			if float64(v) < floor {
				l.Low[k], l.Median[k], l.High[k] = reports.Num(math.NaN()), reports.Num(math.NaN()),
					reports.Num(math.NaN())
			}
		}
	}
}

// looks are what the runs of a result show at equal positions of their records: one slice of
// numbers for each position, of the runs that are as long.
func looks(l algos.RaceResult, of func(algos.Record) float64) [][]float64 {
	var out [][]float64
	for _, t := range l.Traces {
		for k, r := range t.Records {
			if k == len(out) {
				out = append(out, nil)
			}
			out[k] = append(out[k], of(r))
		}
	}
	return out
}

// meanSD returns mean and standard deviation.
func meanSD(v []float64) (mean, sd float64) {
	for _, x := range v {
		mean += x / float64(len(v))
	}
	for _, x := range v {
		sd += (x - mean) * (x - mean)
	}
	return mean, math.Sqrt(sd / float64(max(1, len(v)-1)))
}

// meanEnd is over the last records of all runs of a result.
func meanEnd(l algos.RaceResult, q quantity) (mean, sd float64) {
	var v []float64
	for _, t := range l.Traces {
		v = append(v, q.of(t.Records[len(t.Records)-1]))
	}
	return meanSD(v)
}

// median is the lower median of sorted values.
func median(v []float64) float64 { return v[(len(v)-1)/2] }

// long writes a number with seven digits.
func long(v float64) string {
	if s := strconv.FormatFloat(v, 'g', 7, 64); !strings.Contains(s, "e") {
		return minus(s)
	}
	return short(v)
}

// minus sets the sign of a negative number as such.
func minus(s string) string { return strings.Replace(s, "-", "−", 1) }

func short(v float64) string { return reports.Num(v).String() }

func shortNumbers(v []float64) string {
	var words []string
	for _, x := range v {
		words = append(words, strconv.FormatFloat(x, 'g', 3, 64))
	}
	return strings.Join(words, ", ")
}
