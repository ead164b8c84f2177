package claims

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat/combin"

	"sledge/algos"
	"sledge/algos/algotest"
	"sledge/algos/equations"
	"sledge/algos/internal/moved"
	"sledge/algos/internal/naive"
	"sledge/props"
	"sledge/props/formula"
	"sledge/props/ledger"
)

// statedRuns is a statement about which runs those of a method are.
type statedRuns struct {
	m, other *configured
	points   bool       // and not the estimators
	premises []relation // between sizes
	duration *relation  // T = its value, where it is given
	flat     bool       // ζ = 0
	symbols  []string
	factor   *term     // of the mean of the next error
	moved    string    // the change of the problem with which runs change
	heads    *relation // the heads of coins until the step t = a formula, where that is assumed
	second   bool      // the other method has the second index sets of the first
	every    *term     // steps of the other method for one of the first
	line     bool      // d = 1
	options  bool      // either option of the method
	steps    *equations.System
}

// What may be said of runs, besides that they are those of the naive form.
var (
	nextErrors = regexp.MustCompile(`^have next errors of mean (.+) times the last$`)
	changed    = regexp.MustCompile(`^are (\w+) with the problem$`)
	compared   = regexp.MustCompile(`^(are runs|have the points) of (.+?)` +
		`( on its second index sets)?( every (.+) steps)?$`)
)

const isNaive = "are runs of its naive form"

// sameRuns makes the check of which runs those of a method are.
func sameRuns(known []algos.Entry, r ledger.Runs) (props.Check, string, error) {
	stated, premises, given := strings.Cut(r.Statement, " if ")
	if stated == isNaive && r.With == "" && !given {
		return likeNaive(r.Method)
	}
	federated := federatedMethod(known, r.Method)
	s := &statedRuns{symbols: symbolsOf(federated, "m", "s")}
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
	used, weights := s.m.used, []float64{1}
	if slices.Contains(used, "w") {
		weights = quarters
	}
	draw, sizes, domain := drawSum(1, 24, true, used...), tinySums(2), "n ≤ 24, b ≤ n, T ≤ 16"
	switch {
	case federated:
		draw, sizes, domain = drawRounds(true, used...), tinyClients(), "P ≤ 9, K ≤ 4, T ≤ 10, N ≤ 8"
	case s.factor != nil: // all index sets are visited
		draw, domain = drawSum(2, 6, true, used...), "n ≤ 6, b ≤ n, T ≤ 16"
	}
	if s.flat {
		draw = flat(draw)
	}
	clients := federated && s.moved == relabelled
	if clients {
		draw, domain = drawRounds(false, used...), "clients and their data, P ≤ 9, K ≤ 4, T ≤ 10"
	}
	changing := func(src *props.Source) instance {
		a := draw(src)
		if s.moved != "" {
			a.changes = []moved.Change{moves[s.moved].draw(a.P, a.d, src)}
		}
		if clients {
			r := src.Rand("permutations")
			for range a.P {
				a.names = append(a.names, r.Perm(a.N))
			}
		}
		return a
	}
	if clients {
		return searched(changing, 1, s.try), domain, nil
	}
	return settled(changing, 0.4, sizes.weighted(s.flat, weights), s.try), domain, nil
}

// formula reads a formula that stands in a statement, from one place until another.
func (s *statedRuns) formula(stated string, from, until int) (*term, error) {
	f, err := formula.Parse(formula.Words(s.symbols...), placed(stated, from, stated[from:until]))
	if err != nil {
		return nil, err
	}
	s.m.used = append(s.m.used, f.Symbols()...)
	return termOf(f.Tree()), nil
}

// read reads what is said of the runs.
func (s *statedRuns) read(known []algos.Entry, whole, stated string) (err error) {
	fail := func(what string) error { return &formula.Error{Text: whole, Column: 1, What: what} }
	if at := nextErrors.FindStringSubmatchIndex(stated); at != nil && !s.m.Federated {
		s.factor, err = s.formula(stated, at[2], at[3])
		return err
	}
	if by := changed.FindStringSubmatch(stated); by != nil {
		if s.moved = by[1]; moves[s.moved].draw == nil || s.m.Federated &&
			s.moved == relabelled && !isPrinted(s.m) {
			return fail("runs are shifted, rotated, scaled or, of a finite sum or FLEDGE, relabelled " +
				"with the problem")
		}
		return nil
	}
	at := compared.FindStringSubmatchIndex(stated)
	if at == nil || at[8] >= 0 && stated[at[2]] == 'a' {
		return fail("runs are runs of METHOD, have the points of METHOD, have next errors of mean " +
			"FORMULA times the last, are shifted with the problem, or " + isNaive)
	}
	s.points, s.second = stated[at[2]] == 'h', at[6] >= 0
	if at[8] >= 0 {
		if s.every, err = s.formula(stated, at[10], at[11]); err != nil {
			return err
		}
	}
	name, with, given := strings.Cut(stated[at[4]:at[5]], " with ")
	if given {
		with = placed(stated, at[5]-len(with), with)
	}
	if s.other, err = readMethod(known, name, with, s.symbols); err != nil {
		return err
	}
	m := s.m
	m.used = append(m.used, s.other.used...)
	if s.other.Name == m.Name && s.other.literal == m.literal && s.every == nil && !s.second &&
		len(m.given)+len(s.other.given) == 0 {
		return fail(m.Name + " is compared with itself")
	}
	if s.other.Federated && !s.m.Federated {
		return fail("a method for finite sums is compared with federated ones as their second")
	}
	return nil
}

// assume reads premises: ζ = 0, T = a number, and relations between sizes.
func (s *statedRuns) assume(whole, premises string) error {
	all, err := readRelations(whole, premises,
		formula.Words(append(slices.Clone(s.symbols), "ζ", "heads")...))
	if err != nil {
		return err
	}
	for _, p := range all {
		s.m.used = append(s.m.used, p.Symbols...)
		switch {
		case p.What == "ζ = 0":
			s.flat = true
		case p.What == "d = 1":
			s.line = true
		case strings.HasPrefix(p.What, "heads = ") && !strings.Contains(p.What[1:], "heads"):
			s.heads = &p
		case p.speaksOf("ζ", "heads"):
			return &formula.Error{Text: whole, Column: 1,
				What: "of ζ only ζ = 0 may be assumed, of heads how many there are until t"}
		case strings.HasPrefix(p.What, "T = ") && len(p.Symbols) == 1:
			s.duration = &p
		default:
			s.premises = append(s.premises, p)
		}
	}
	return nil
}

// values are those of the symbols of an instance.
func (a *instance) values() values {
	P, p, period := float64(a.P), float64(a.chosen), float64(a.period)
	return values{"n": P, "P": P, "p": p, "K": float64(a.K), "b": float64(a.b),
		"N": float64(a.N), "d": float64(a.d), "T": float64(a.T), "w": a.weight, "r": a.radius,
		"m": period, "s": period}
}

// usual are the parameters that methods have where they are not named.
func (a *instance) usual(eta float64) values {
	if a.K == 0 {
		return values{"η": eta, "b": float64(a.b)}
	}
	return values{"η": eta, "b": float64(a.b), "p": float64(a.chosen), "K": float64(a.K)}
}

// try compares runs.
func (s *statedRuns) try(a instance, rec *props.Recorder) {
	v := a.values()
	if s.duration != nil {
		_, v["T"] = s.duration.of(v)
		a.T = whole(v["T"])
	}
	if slices.ContainsFunc(s.premises, func(p relation) bool { return !p.holds(v) }) {
		if a.formal == nil {
			rec.Skip("the sizes do not meet the premises")
		}
		return
	}
	method := func(eta float64) algos.Method { return s.m.make(a.usual(eta), v) }
	if s.steps != nil {
		s.solve(a, v, rec)
		return
	}
	if a.names != nil {
		a.recordRelabelled(rec, method)
		return
	}
	if s.moved != "" {
		if a.formal != nil {
			a.changes = moves[s.moved].formal(a.P, a.d)
		}
		a.recordMoved(rec, method)
		return
	}
	if s.factor != nil {
		recordNextError(a, method, s.factor.of(v), rec)
		return
	}
	if random := a.random; s.heads != nil {
		a.random = func() algos.Randomness { return s.scheduled(random(), v) }
	}
	got := a.tape(method(a.eta))
	want := s.others(a, v, got)
	start := floats.Norm(want.X[0], 2)
	far := start + a.eta*a.size
	if s.points && s.m.Federated {
		far = 1 + start
	}
	for t := range want.X {
		a.formal.recordSame(rec, "iterates", got.X[t], want.X[t], far)
		if !s.points {
			a.formal.recordSame(rec, "estimators", got.V[t], want.V[t], a.size)
		}
	}
}

// others is the run of the other method that one is compared with.
func (s *statedRuns) others(a instance, v values, run *algos.Tape) *algos.Tape {
	switch {
	case s.m.Federated && !s.other.Federated:
		each := 1
		if s.every != nil {
			each = whole(s.every.of(v))
		}
		m := s.other.make(values{"η": a.eta, "b": v["p"]}, v)
		a.T *= each
		// minibatches are client sets, with one more for a method that draws ahead
		sets := setsOf(run, algos.Clients, 0, len(run.X))
		want := a.tapeWith(m, scripted{algos.Script{
			algos.Batches: append(sets, sets[len(sets)-1])}, run.Replay()})
		for t := range run.X {
			want.X[t] = want.X[each*t]
		}
		want.X = want.X[:len(run.X)]
		return want
	case s.second:
		sets := setsOf(run, algos.SecondBatch, 1, len(run.X)) // after what it drew at its start
		return a.tapeWith(s.other.make(a.usual(a.eta), v), algos.Script{
			algos.Batches: append(run.Sets(0, algos.Coins), sets...)})
	}
	return a.tape(s.other.make(a.usual(a.eta), v))
}

// scheduled is a randomness whose coins fall heads as often as is assumed.
func (s *statedRuns) scheduled(r algos.Randomness, v values) algos.Randomness {
	flips, v := 0, maps.Clone(v)
	until := func(flip int) float64 {
		v["t"] = float64(flip)
		_, heads := s.heads.of(v)
		return heads
	}
	return &algos.Altered{Randomness: r, Coins: func(float64, algos.Purpose) float64 {
		if flips++; until(flips) > until(flips-1) {
			return 0
		}
		return 1 - 1e-16
	}}
}

// setsOf are the index sets for a purpose that a tape holds of some steps, from one until before
// another.
func setsOf(t *algos.Tape, p algos.Purpose, from, until int) (all [][]int) {
	for k := from; k < until; k++ {
		all = append(all, t.Sets(k, p)...)
	}
	return all
}

// recordNextError compares the mean of the error after T steps over all index sets of the last step
// with a multiple of the error before it. Runs up to it are drawn.
func recordNextError(a instance, method func(eta float64) algos.Method, factor float64,
	rec *props.Recorder) {
	r := a.follow(method(a.eta))
	subsets := combin.Combinations(a.P, a.b)
	next := mean(upTo(len(subsets)), func(k int) []float64 {
		a.random = func() algos.Randomness {
			return algos.Script{
				algos.Batches: append(setsOf(r.Tape, algos.Batches, 0, a.T), subsets[k])}
		}
		return a.follow(method(a.eta)).error(a.T)
	})
	want := r.error(a.T - 1)
	floats.Scale(factor, want)
	a.formal.recordSame(rec, "mean of the next error", next, want, a.size)
}

// likeNaive makes the check that a method makes the runs of its naive form.
func likeNaive(method string) (props.Check, string, error) {
	var forms []algotest.Form
	for _, v := range naive.Variants() {
		if v.Base() == method && v.Options.Reference != nil {
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
