package claims

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat/combin"

	"sledge/algos"
	"sledge/algos/internal/naive"
	"sledge/algos/problems"
	"sledge/props"
	"sledge/props/formula"
	"sledge/props/ledger"
)

// statedRuns is a statement about which runs those of a method are.
type statedRuns struct {
	m, other  *configured
	points    bool       // and not the estimators
	premises  []relation // between sizes
	steps     *formula.Program
	flat      bool // ζ = 0
	symbols   []string
	factor    *formula.Program // of the mean of the next error
	fewer     bool             // of components, because all index sets are visited
	weights   []float64
	noisy     bool             // there are perturbations
	moved     string           // the change of the problem with which runs change
	heads     *formula.Program // the heads of coins until the step t, where that is assumed
	second    bool             // the other method has the second index sets of the first
	every     *formula.Program // steps of the other method for one of the first
	federated bool
}

const (
	isNaive   = "are runs of its naive form"
	nextError = "have next errors of mean "
	theLast   = " times the last"

	withProblem = " with the problem"
	secondSets  = " on its second index sets"
)

var everySteps = regexp.MustCompile(` every (.+) steps$`)

// sameRuns makes the check of which runs those of a method are.
func sameRuns(known []algos.Entry, r ledger.Runs) (props.Check, string, error) {
	stated, premises, given := strings.Cut(r.Statement, " if ")
	if stated == isNaive && r.With == "" && !given {
		return likeNaive(r.Method)
	}
	federated := federatedMethod(known, r.Method)
	s := &statedRuns{federated: federated, symbols: symbolsOf(federated, "m", "s")}
	var err error
	if s.m, err = readMethod(known, r.Method, r.With, s.symbols); err != nil {
		return nil, "", err
	}
	if given {
		if err = s.assume(r.Statement, premises); err != nil {
			return nil, "", err
		}
	}
	if err = s.read(known, r.Statement, stated); err != nil {
		return nil, "", err
	}
	used := s.m.used
	if s.other != nil {
		used = append(used, s.other.used...)
	}
	if slices.Contains(used, "w") {
		s.weights = quarters
	}
	s.noisy = slices.Contains(used, "r")
	l := problems.Limits{}
	if s.fewer {
		l.N = problems.Sizes(2, 6)
	}
	if s.flat {
		l.Patterns, l.Within = []problems.Pattern{problems.None}, []problems.Pattern{problems.None}
	}
	if federated {
		return props.Settled(props.Identity(func(src *props.Source, rec *props.Recorder) {
				c := drawClientInstance(src, l)
				c.radius = s.radius(src)
				s.rounds(c, rec)
			}).Effort(0.4), overFormalRounds(s.flat, s.rounds, s.weights...)),
			"P ≤ 10, K ≤ 4, T ≤ 8, N ≤ 6", nil
	}
	if s.fewer {
		return s.identity(l, 0.3), "n ≤ 6, b ≤ n, T ≤ 12", nil
	}
	return s.identity(l, 0.5), "n ≤ 24, b ≤ n, T ≤ 12", nil
}

// identity is that of runs on finite sums.
func (s *statedRuns) identity(l problems.Limits, effort float64) props.Check {
	return props.Settled(props.Identity(func(src *props.Source, rec *props.Recorder) {
		a := drawInstance(src, l)
		if a.radius = s.radius(src); s.moved != "" {
			a.changes = []change{moves[s.moved](a.n, a.p.Dim(), src)}
		}
		s.sums(a, rec)
	}).Effort(effort), overFormalGradients(s.flat, s.sums, s.weights...))
}

// radius draws the radius of perturbations, 0 where there are none.
func (s *statedRuns) radius(src *props.Source) float64 {
	if !s.noisy {
		return 0
	}
	return src.Real("r", 0, 0.5)
}

// read reads what is said of the runs.
func (s *statedRuns) read(known []algos.Entry, whole, stated string) (err error) {
	fail := func(what string) error { return &formula.Error{Text: whole, Column: 1, What: what} }
	if by, ok := strings.CutPrefix(stated, nextError); ok && strings.HasSuffix(by, theLast) &&
		!s.federated {
		f, err := formula.Parse(vocabularyOf(s.symbols), strings.TrimSuffix(by, theLast))
		if err != nil {
			return fail(err.Error())
		}
		s.factor, s.fewer = f.Of(s.symbols...), true
		s.m.used = append(s.m.used, f.Symbols()...)
		return nil
	}
	if word, ok := strings.CutSuffix(stated, withProblem); ok && !s.federated {
		if s.moved = strings.TrimPrefix(word, "are "); moves[s.moved] == nil {
			return fail("runs are shifted, rotated, scaled or relabelled" + withProblem)
		}
		return nil
	}
	of, runs := strings.CutPrefix(stated, "are runs of ")
	if !runs {
		if of, s.points = strings.CutPrefix(stated, "have the points of "); !s.points {
			return fail("runs are runs of METHOD, have the points of METHOD, " + nextError +
				"FORMULA" + theLast +
				", are shifted" + withProblem + ", or " + isNaive)
		}
	}
	of, s.second = strings.CutSuffix(of, secondSets)
	if every := everySteps.FindStringSubmatch(of); every != nil && s.points {
		f, err := formula.Parse(vocabularyOf(s.symbols), every[1])
		if err != nil {
			return fail(err.Error())
		}
		s.every, of = f.Of(s.symbols...), strings.TrimSuffix(of, every[0])
	}
	name, with, _ := strings.Cut(of, " with ")
	symbols := s.symbols
	if s.other, err = readMethod(known, name, with, symbols); err != nil {
		if wrong, ok := err.(*formula.Error); ok && wrong.Text == with {
			// with is a part of the statement
			at := strings.LastIndex(stated, with)
			return &formula.Error{Text: whole, Column: len([]rune(whole[:at])) + wrong.Column,
				What: wrong.What}
		}
		return err
	}
	if s.other.Federated && !s.federated {
		return fail("a method for finite sums is compared with federated ones as their second")
	}
	return nil
}

// assume reads premises: ζ = 0, T = a number, and relations between sizes.
func (s *statedRuns) assume(whole, premises string) error {
	all, err := readRelations(whole, premises, append(slices.Clone(s.symbols), "ζ", "heads"))
	if err != nil {
		return err
	}
	zero := make([]float64, len(s.symbols)+2)
	for _, p := range all {
		switch names := p.names; {
		case p.sign == props.EQ && slices.Equal(names, []string{"ζ"}) &&
			p.sides[1].At(zero...) == 0:
			s.flat = true
		case strings.HasPrefix(p.text, "heads = ") && !slices.Contains(names[1:], "heads"):
			s.heads = p.sides[1]
		case slices.Contains(names, "ζ") || slices.Contains(names, "heads"):
			return &formula.Error{Text: whole, Column: 1,
				What: "of ζ only ζ = 0 may be assumed, of heads how many there are until t"}
		case strings.HasPrefix(p.text, "T = ") && slices.Equal(names, []string{"T"}):
			s.steps = p.sides[1]
		default:
			s.premises = append(s.premises, p)
		}
	}
	return nil
}

// holds reports whether the premises hold, but for those that instances are made for.
func (s *statedRuns) holds(v values) bool {
	at := append(v.of(s.symbols), 0, 0)
	for i := range s.premises {
		if !s.premises[i].holds(at) {
			return false
		}
	}
	return true
}

const unmetSizes = "the sizes do not meet the premises"

// sums compares runs on a finite sum.
func (s *statedRuns) sums(a instance, rec *props.Recorder) {
	v := values{"n": float64(a.n), "b": float64(a.b), "d": float64(a.p.Dim()), "T": float64(a.T),
		"w": a.weight, "r": a.radius}
	if s.steps != nil {
		a.T = whole(s.steps.At(append(v.of(s.symbols), 0, 0)...))
		v["T"] = float64(a.T)
	}
	if !s.holds(v) {
		if a.formal == nil {
			rec.Skip(unmetSizes)
		}
		return
	}
	usual := values{"η": a.eta, "b": v["b"]}
	if s.moved != "" {
		if a.formal != nil {
			a.changes = formalMoves(s.moved, a.n, a.p.Dim())
		}
		a.recordMoved(rec, a.changes, func(eta float64) algos.Method {
			return s.m.make(values{"η": eta, "b": v["b"]}, v)
		})
		return
	}
	method := func() algos.Method { return s.m.make(usual, v) }
	if s.factor != nil {
		recordNextError(a, method, s.factor.At(v.of(s.symbols)...), rec)
		return
	}
	if random := a.random; s.heads != nil {
		a.random = func() algos.Randomness { return &scheduledCoins{Randomness: random(), heads: s.fall(v)} }
	}
	got, r := a.tape(method(), nil), a.random()
	if s.second {
		r = itsSecondSets(got)
	}
	want := a.tape(s.other.make(usual, v), r)
	if s.points {
		for t := range want.X {
			a.recordSame(rec, "iterates", got.X[t], want.X[t],
				floats.Norm(want.X[0], 2)+a.eta*a.size)
		}
		return
	}
	a.recordSameTapes(rec, got, want)
}

// fall says which coins fall heads, counted from 1.
func (s *statedRuns) fall(v values) func(flip int) bool {
	at, t := append(v.of(s.symbols), 0, 0), slices.Index(s.symbols, "t")
	until := func(flip int) float64 {
		now := slices.Clone(at)
		now[t] = float64(flip)
		return s.heads.At(now...)
	}
	return func(flip int) bool { return until(flip) > until(flip-1) }
}

// itsSecondSets is a script whose minibatches are the second index sets of a tape, after what it
// drew at its start.
func itsSecondSets(t *algos.Tape) algos.Script {
	s := algos.Script{algos.Batches: t.Sets(0, algos.Coins)}
	for k := 1; k <= t.Steps(); k++ {
		s[algos.Batches] = append(s[algos.Batches], t.Sets(k, algos.SecondBatch)...)
	}
	return s
}

// recordNextError compares the mean of the error after T steps over all index sets of the last step
// with a multiple of the error before it. Runs up to it are drawn.
func recordNextError(a instance, method func() algos.Method, factor float64, rec *props.Recorder) {
	t := a.tape(method(), nil)
	monitor, d := algos.NewMonitor(algos.Sum(a.p)), a.p.Dim()
	err := func(t *algos.Tape, s int) []float64 {
		g := make([]float64, d)
		monitor.Gradient(g, t.X[s])
		floats.SubTo(g, t.V[s], g)
		return g
	}
	mean := make([]float64, d)
	subsets := combin.Combinations(a.n, a.b)
	for _, last := range subsets {
		s := algos.Script{}
		for k := range a.T {
			s[algos.Batches] = append(s[algos.Batches], t.Sets(k, algos.Batches)...)
		}
		s[algos.Batches] = append(s[algos.Batches], last)
		floats.AddScaled(mean, 1/float64(len(subsets)), err(a.tape(method(), s), a.T))
	}
	want := err(t, a.T-1)
	floats.Scale(factor, want)
	a.recordSame(rec, "mean of the next error", mean, want, a.size)
}

// rounds compares runs of a federated method with those of another, or of one for finite sums.
func (s *statedRuns) rounds(c clientInstance, rec *props.Recorder) {
	v := values{"P": float64(c.P), "p": float64(c.p), "K": float64(c.K), "b": 1,
		"N": float64(c.data), "d": float64(c.f.Dim()), "T": float64(c.T), "w": c.weight,
		"r": c.radius}
	if s.steps != nil {
		c.T = whole(s.steps.At(append(v.of(s.symbols), 0, 0)...))
		v["T"] = float64(c.T)
	}
	if !s.holds(v) {
		if c.formal == nil {
			rec.Skip(unmetSizes)
		}
		return
	}
	usual := values{"η": c.eta, "b": 1, "p": v["p"], "K": v["K"]}
	got := c.tape(s.m.make(usual, v))
	var want *algos.Tape
	if s.other.Federated {
		want = c.tape(s.other.make(usual, v))
	} else {
		usual := values{"η": c.eta, "b": v["p"]}
		each := 1
		if s.every != nil {
			each = whole(s.every.At(v.of(s.symbols)...))
		}
		want = c.central(s.other.make(usual, v), clientsAsBatches(got), each*c.T)
		for t := range c.T + 1 {
			want.X[t] = want.X[each*t]
		}
	}
	if s.points {
		c.recordSameIterates(rec, got.X, want.X)
		return
	}
	instance{exactness: c.exactness, size: c.size, eta: c.eta}.recordSameTapes(rec, got, want)
}

// likeNaive makes the check that a method makes the runs of its naive form.
func likeNaive(method string) (props.Check, string, error) {
	var forms []naive.Variant
	for _, v := range naive.Variants() {
		if base, _, _ := strings.Cut(v.Name, "/"); base == method && v.Naive != nil {
			forms = append(forms, v)
		}
	}
	if forms == nil {
		return nil, "", fmt.Errorf("no naive form of a method %q is known", method)
	}
	return props.Identity(func(src *props.Source, rec *props.Recorder) {
			recordRuns(src, rec, forms)
		}).Effort(0.1),
		"with its counts, whatever the problem computes at once, T ≤ 8", nil
}
