package concentration

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"sledge/props"
	"sledge/props/enclosure"
	"sledge/props/formula"
	"sledge/props/ledger"
)

// Stated makes the checks of what a ledger says about tails and radii of laws that are known
// exactly, and leaves all else to another; see [ledger.Ledger.Run]:
//
//	tails of samples: tail ≤ (d + 1)exp(−(t²/2)/(lσ² + Rt/3))
//	laws of sums: radius ≤ √(2V log((d + 1)/δ)) + (2/3)R log((d + 1)/δ)
func Stated(other func(ledger.Runs) (props.Check, string, error)) func(ledger.Runs) (props.Check,
	string, error) {
	laws := ledger.Scenes("laws", lawScenes, other)
	return func(r ledger.Runs) (props.Check, string, error) {
		if r.Of != "tails" {
			return laws(r)
		}
		return tailsOf(r)
	}
}

var lawWords = props.Must(symbols.Vocabulary("laws"))

// tails are laws whose tails are held against a bound.
type tails struct {
	symbols []string
	said    string
	effort  float64
	draw    func(src *props.Source) tailed
}

// tailed is an instance: the values of its symbols, those of roots by their squares, and a law,
// which is looked at for every t, or the tail at one t.
type tailed struct {
	whole, squares map[string]int64
	law            *deviation
	at             func() float64
	what           string // of which this is the tail
}

// tailScenes are tails by name.
var tailScenes = map[string]tails{
	"independent sums": {[]string{"t", "V", "R", "d'"},
		"for two-point variables with means zero and skewness up to 2000: up to 1e5 along one " +
			"direction, mixed with signs of another size, as the entries of a diagonal matrix of " +
			"up to 1000 rows, or along up to 5 orthogonal directions; every $t$ with a tail above " +
			"1e-300, exactly; $V$ is the variance of the sum, $R$ the largest norm of a term, " +
			"$d' = d_1 + d_2$", 1,
		func(src *props.Source) tailed { return drawIndependent(src).tailed() }},
	"samples": {[]string{"t", "l", "k", "σ", "R", "d"},
		"for $l ≤ 1e4$ of $k ≤ 3·1e5$ members of populations of two values, regular simplices and " +
			"crosses, every $t$ with a tail above 1e-300, exactly", 2,
		func(src *props.Source) tailed {
			p := drawPopulation(src)
			l := src.LogInt("l", 1, min(p.k-1, mostDrawn))
			t := p.sample(l, l).tailed()
			t.whole["k"], t.whole["l"], t.squares["σ"] = int64(p.k), int64(l), p.square
			return t
		}},
	"matrix martingales": {[]string{"t", "l", "σ", "R'", "d"},
		"for the worst of those with increments of two values, $l ≤ 60$, alone or as the $d ≤ 100$ " +
			"independent entries of a diagonal matrix, exactly; $R'$ and $σ²$ bound increments and " +
			"their conditional second moments", 1,
		func(src *props.Source) tailed {
			f := drawFreedman(src)
			return tailed{
				map[string]int64{"l": int64(f.l), "d": int64(f.copies), "R'": int64(f.rng)},
				map[string]int64{"σ": int64(f.variance), "t": square(int64(f.threshold))},
				nil, f.tail, "the worst martingale"}
		}},
	"martingales": {[]string{"t", "S"},
		"for the worst of those on the line with ranges $R_i ≤ 4$ and of walks along signed " +
			"directions, at most 40 steps, exactly; $S = ΣR_i²$", 1, drawAzuma},
}

// tailed is the deviation with its symbols.
func (d *deviation) tailed() tailed {
	return tailed{map[string]int64{"V": d.variance, "d'": int64(d.dims), "d": int64(d.dims - 1)},
		map[string]int64{"R": d.range2}, d, nil, ""}
}

// tailsOf makes the check that a tail is at most a bound.
func tailsOf(r ledger.Runs) (props.Check, string, error) {
	s, known := tailScenes[r.Method]
	if !known || r.Family+r.With+r.Drawn+r.Chance != "" {
		return nil, "", fmt.Errorf("there are no tails of %q; there are tails of %s",
			strings.TrimSpace(r.Method+" "+r.Family+r.With+r.Drawn+r.Chance),
			strings.Join(slices.Sorted(maps.Keys(tailScenes)), ", "))
	}
	clauses, err := lawWords.Relations(r.Statement)
	if err != nil {
		return nil, "", err
	}
	fail := func(what string) error {
		return &formula.Error{Text: r.Statement, Column: 1, What: what}
	}
	if len(clauses) != 1 || len(clauses[0].Relations) != 1 || clauses[0].Relations[0] != "≤" ||
		clauses[0].Sides[0].String() != "tail" || clauses[0].Sides[1].Op == "order" {
		return nil, "", fail("a tail is at most a bound: tail ≤ …")
	}
	if err := lawWords.Units(clauses[0]); err != nil {
		return nil, "", err
	}
	side := clauses[0].Sides[1]
	names := side.Symbols()
	for _, name := range names {
		if !slices.Contains(s.symbols, name) {
			return nil, "", fail(fmt.Sprintf("%s is not known here; known are %s", name,
				strings.Join(s.symbols, ", ")))
		}
	}
	bound := side.Of(names...)
	return props.Inequality(func(src *props.Source, rec *props.Recorder) {
		in := s.draw(src)
		at := in.symbols()
		values := make([]float64, len(names))
		for i, name := range names {
			values[i] = at[name]
		}
		of := func(t float64) float64 {
			if k := slices.Index(names, "t"); k >= 0 {
				values[k] = t
			}
			return bound.At(values...)
		}
		if in.law == nil {
			atMost(rec, "tail of "+in.what, in.at(), of(at["t"]))
			return
		}
		in.law.against(rec, func(t float64) float64 { return math.Log(of(t)) },
			func(square int64) (enclosure.Interval, error) {
				return bound.Enclose(in.enclosed(names, square)...)
			})
	}).Effort(s.effort), s.said, nil
}

// enclosed are intervals around the values of symbols, with the square of t.
func (in *tailed) enclosed(names []string, square int64) []enclosure.Interval {
	exact := make([]enclosure.Interval, len(names))
	for i, name := range names {
		switch n, whole := in.whole[name]; {
		case whole:
			exact[i] = enclosure.Int(n)
		case name == "t":
			exact[i] = enclosure.Int(square).Sqrt()
		default:
			exact[i] = enclosure.Int(in.squares[name]).Sqrt()
		}
	}
	return exact
}

// symbols are the values of all symbols.
func (in *tailed) symbols() map[string]float64 {
	at := map[string]float64{}
	for name, n := range in.whole {
		at[name] = float64(n)
	}
	for name, n := range in.squares {
		at[name] = math.Sqrt(float64(n))
	}
	return at
}

// measured is a scene on which what is drawn gives the symbols their values.
func measured(said string, sizes, means string, effort float64,
	draw func(src *props.Source) (name string, at map[string]float64)) *formula.Scene {
	s := &formula.Scene{Words: lawWords, Said: said, Sizes: strings.Fields(sizes),
		Means: map[string]string{}, Effort: effort,
		Draw: func(src *props.Source, _ *props.Recorder, try func(string, formula.Values)) {
			name, at := draw(src)
			try(name, formula.Given(at))
		}}
	for mean := range strings.SplitSeq(means, "; ") {
		name, what, _ := strings.Cut(mean, ": ")
		s.Means[name] = what
	}
	return s
}

// lawScenes are laws by name.
var lawScenes = map[string]*formula.Scene{
	"independent sums": measured("for sums of up to 150 two-point variables of skewness up to "+
		"2000, in one or up to 3 orthogonal directions, exactly", "V R d δ",
		"radius: that of the smallest ball that the sum leaves with probability at most $δ$", 4,
		func(src *props.Source) (string, map[string]float64) {
			sum := drawVectorSum(src)
			logDelta := -src.LogReal("log 1/δ", 1e-3, 600)
			return "", map[string]float64{"V": float64(sum.variance), "d": float64(sum.dims - 1),
				"R": math.Sqrt(float64(sum.range2)), "δ": math.Exp(logDelta),
				"radius": math.Sqrt(float64(sum.law.Quantile(logDelta)))}
		}),
	"samples": measured("for $l$ of $k ≤ 1000$ members with sum zero of two values that differ "+
		"by $D = 1$, or that are orthogonal and as far apart, exactly", "k l D R σ δ",
		"radius: that of the smallest ball that the sum leaves with probability at most $δ$; Q: $(k − "+
			"l)²Σ_{j≤l}(k − j)^{−2}$; Q': the same for $min{l, k − l}$", 1,
		func(src *props.Source) (string, map[string]float64) {
			k := src.LogInt("k", 2, 1000)
			l, delta := src.LogInt("l", 1, k), src.LogReal("δ", 1e-100, 0.9)
			at := map[string]float64{"k": float64(k), "l": float64(l), "D": 1, "δ": delta,
				"Q'": SampleSquares(k, l)}
			for j := 1; j <= min(l, k-1); j++ {
				at["Q"] += math.Pow(float64(k-l)/float64(k-j), 2)
			}
			if src.Bool("orthogonal") {
				// k vectors e_i/√2: the norm of the sum of l of them is not random
				at["radius"] = math.Sqrt(float64(l) * float64(k-l) / float64(2*k))
				at["σ"] = math.Sqrt(float64(k-1) / float64(2*k))
				at["R"] = at["σ"]
				return "orthogonal vectors", at
			}
			marked := src.Int("marked", 1, k-1)
			at["σ"] = math.Sqrt(float64(marked)*float64(k-marked)) / float64(k)
			at["R"] = float64(max(marked, k-marked)) / float64(k)
			// k² times the square
			squares := Hypergeometric(k, marked, l).Squares(int64(k), int64(l)*int64(marked))
			at["radius"] = math.Sqrt(float64(squares.Quantile(math.Log(delta)))) / float64(k)
			return "on the line", at
		}),
	"increments":      increments,
	"mean increments": meanIncrements,
	"scaled sums":     scaledSums,
	"matrix powers":   matrixPowers,
	"gaps":            gaps,
	"sets":            sets,
	"drawn sets":      drawnSets,
	"balls":           balls,
	"steps back":      stepsBack,
	"tries": measured("for walks of two-point steps, stopped when they are far, in blocks that "+
		"try again, exactly; up to $N ≤ 2·10⁵$ steps", "N ν",
		"reached: the largest $‖A_t‖/B_t$ that is reached with a probability above $ν$", 0.5,
		func(src *props.Source) (string, map[string]float64) {
			steps, nu, reached := drawAdversary(src)
			return "", map[string]float64{"N": float64(steps), "ν": nu, "reached": reached}
		}),
	"jumps": measured("for $N ≤ 2000$ signs with a drift that jumps of probability $ν_i$ make up "+
		"for, exactly", "N x R B δ", "x: $Σν_i$; R: the length of a sign; B: the larger of it and "+
		"that of a jump; radius: that of the smallest ball that the sum leaves without a jump with "+
		"probability at most $δ$", 1, drawJumps),
	"steps": measured("for $l = |Ĩ_{s+1}^t|$ of $n ≤ 10⁵$ components, $b ≤ 2000$, exactly", "n b δ",
		"wide: the smallest distance of $|Ĩ_s^t|$ from $(1 − b/n)|Ĩ_{s+1}^t|$ that is exceeded with "+
			"probability at most $δ$", 1,
		func(src *props.Source) (string, map[string]float64) {
			n, b, law := drawStep(src)
			logDelta := -src.LogReal("log 1/δ", 1e-3, 600)
			return "", map[string]float64{"n": float64(n), "b": float64(b), "δ": math.Exp(logDelta),
				"wide": math.Sqrt(float64(law.Quantile(logDelta))) / float64(n)}
		}),
	"windows": measured("for $n ≤ 150$ components and windows of up to 40 steps, exactly", "n b m δ",
		"wide: the smallest distance of $|Ĩ_s^t|$ from its mean that is exceeded with "+
			"probability at most $δ$; m: $t − s + 1$", 1,
		func(src *props.Source) (string, map[string]float64) {
			n, b, steps, law := drawCount(src)
			logDelta := -src.LogReal("log 1/δ", 1e-3, 500)
			return "", map[string]float64{"n": float64(n), "b": float64(b), "m": float64(steps),
				"δ": math.Exp(logDelta), "wide": deviationQuantile(law, UnsampledMean(n, b, steps), logDelta)}
		}),
}
