package verbs

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"math"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"

	"sledge/algos"
	"sledge/algos/problems"
	"sledge/props/keyed"
	"sledge/reports/store"
	"sledge/reports/verify"
)

// race holds the flags of "verify race".
type race struct {
	own                         []algos.Entry
	problem, data, methods, out string
	Examples
	set     problems.Setting
	method  algos.Setting
	holdout float64
	times   bool
	// rows held out for testing, nil if there are none
	held              *problems.Table
	print             string      // digest of the data
	notes             [][2]string // what is said before all tables
	etas, eps         verify.Numbers
	score             string
	prescribed        bool
	theorem           string
	goal, curvature   float64
	hidden            widths
	activation        string
	l2                float64
	atMost            int             // examples of a network
	given             map[string]bool // flags on the command line
	all               *flag.FlagSet
	gradients, rounds int64
	seeds             int
	verify.Random

	subject *subject    // what is raced on
	leftOut [][2]string // methods that do not race as prescribed, and why, where that is no error

	prescriptions []prescription
	tooLong       []string // methods that "all" leaves out
}

// subject is what a race is about.
type subject struct {
	problem   algos.Problem
	federated bool
	start     func(keyed.Key) []float64
	norm      float64 // ‖∇f‖ at the start
	L         float64 // smoothness, 0 if it is not known
	known     algos.Facts
	facts     [][2]string // what the page says about it
	observe   func(x []float64) []float64
	columns   []quantity        // what the page shows of that
	certified *problems.Problem // nil for networks
	lowest    problems.Optimum  // once the race is over
}

// Race is the verb that runs methods side by side on a problem: those of [algos.WithSchedules] and
// one's own, which race by default beside SLEDGE, or FLEDGE, and its baselines. A method of one's
// own stands for one of the library that has the same name.
func Race(own ...algos.Entry) verify.Verb {
	return verify.Verb{
		Alone: true,
		Bind: func(flags *flag.FlagSet) verify.Action {
			r := race{own: own}
			r.flags(flags)
			return func(ctx context.Context, c *verify.Call) error {
				if err := c.AtMost(0); err != nil {
					return err
				}
				r.given = map[string]bool{}
				flags.Visit(func(f *flag.Flag) { r.given[f.Name] = true })
				r.all = flags
				return r.do(ctx, c)
			}
		},
	}.Described(help, "race")
}

func (r *race) flags(fs *flag.FlagSet) {
	r.theorem, r.hidden, r.activation = algos.Stationary.String(), widths{30}, "tanh"
	fs.StringVar(&r.problem, "problem", "", "")
	fs.StringVar(&r.data, "data", "", "")
	r.Examples.Flags(fs)
	fs.Float64Var(&r.holdout, "holdout", 0, "")
	fs.BoolVar(&r.times, "times", true, "")
	fs.StringVar(&r.methods, "methods", "",
		"comma-separated `names`, or \"all\"; the verb list shows them; "+
			"a name with * at its end races as its theory prescribes "+
			"(default "+finiteMethods+", with -clients "+defaultForClients+")")
	fs.IntVar(&r.set.N, "n", 0, "")
	fs.IntVar(&r.set.D, "d", 0, "")
	fs.Float64Var(&r.set.Zeta, "zeta", 0, "")
	fs.Float64Var(&r.set.Cond, "cond", 0, "")
	fs.Float64Var(&r.set.Alpha, "alpha", 0, "")
	fs.IntVar(&r.set.Clients, "clients", 0, "")
	fs.Float64Var(&r.set.Skew, "skew", 0, "")
	fs.Var(&r.hidden, "hidden", "")
	verify.Choice(fs, &r.activation, "activation", []string{"softplus", "tanh", "silu"}, "")
	fs.IntVar(&r.atMost, "examples", 0, "")
	fs.Float64Var(&r.l2, "l2", 0.001, "")
	fs.IntVar(&r.method.Chosen, "p", 0, "")
	fs.IntVar(&r.method.LocalSteps, "K", 0, "")
	fs.IntVar(&r.method.Batch, "b", 0, "")
	fs.BoolVar(&r.method.WithReplacement, "replace", false, "")
	fs.Float64Var(&r.method.Radius, "r", 0, "")
	fs.IntVar(&r.method.Period, "period", 0, "")
	fs.BoolVar(&r.prescribed, "prescribed", false, "")
	verify.Choice(fs, &r.theorem, "theorem", theorems(), "")
	fs.Float64Var(&r.goal, "goal", 0, "")
	fs.Float64Var(&r.curvature, "curvature", 0, "")
	fs.Var(&r.etas, "eta", "")
	fs.Var(&r.eps, "eps", "")
	verify.Choice(fs, &r.score, "score", []string{"gradient", "value"}, "")
	fs.Int64Var(&r.gradients, "gradients", 0, "")
	fs.Int64Var(&r.rounds, "rounds", 0, "")
	fs.IntVar(&r.seeds, "seeds", 3, "")
	r.Random.Flags(fs, "runs")
	fs.StringVar(&r.out, "out", "sledge-race", "")
}

// mostIndices is how many examples a step, or local steps a round, may ask for: methods keep as
// many indices.
const mostIndices = 1 << 24

// The methods that race unless others are named.
const (
	finiteMethods     = "SLEDGE-I,SLEDGE-II,SGD,GD"
	defaultForClients = "FLEDGE-I,FLEDGE-II,FedAvg,SCAFFOLD-II"
)

// do runs a race on each file of data, or on a problem, and writes the page about all of them.
func (r *race) do(ctx context.Context, c *verify.Call) error {
	if files := r.files(); len(files) > 1 && slices.Contains(files, "") {
		return verify.Usagef("-data: %q names no file on one side of a comma", r.data)
	}
	if err := verify.CheckPages(r.out, "race"); err != nil {
		return err
	}
	kept := store.Keep(filepath.Join(r.out, unfinishedRace), raceSchema,
		Settings(r.all, "seeds"), (*raceRun).whole)
	defer kept.Close(false)
	var legs []*leg
	err := verify.Await(ctx, "", func() error {
		for _, data := range r.files() {
			l := &leg{race: *r}
			l.data = data
			if err := l.run(ctx, c, kept, len(r.files()) > 1); err != nil {
				return err
			}
			legs = append(legs, l)
		}
		return nil
	})
	switch n := kept.Count(); {
	case ctx.Err() != nil && n > 0:
		return verify.Exitf(verify.Interrupted, "interrupted before the race was over; "+
			"%d finished runs are kept in %s, and the same command goes on from there", n,
			kept.Path())
	case ctx.Err() != nil:
		return verify.Exitf(verify.Interrupted,
			"interrupted before the race was over; nothing was written")
	case err != nil:
		return err
	}
	page := joined(legs)
	if err := page.WriteDir(r.out, "race"); err != nil {
		return err
	}
	if err := kept.Close(true); err != nil {
		return err
	}
	return page.WriteText(c.Out, filepath.Join(r.out, "race.html"))
}

// files are the files of data, one for each leg of the race; the images and labels of a network are
// one.
func (r *race) files() []string {
	if r.problem == networks {
		return []string{r.data}
	}
	return strings.Split(r.data, ",")
}

// leg is a race on one problem.
type leg struct {
	race
	facts   [][2]string
	results []algos.RaceResult
	took    time.Duration
}

// run runs a leg of a race.
func (l *leg) run(ctx context.Context, c *verify.Call, kept *store.Kept[raceRun],
	several bool) error {
	entrants, about, err := l.prepare(c.Name())
	if err != nil {
		return err
	}
	l.facts = about
	name := ""
	if several {
		name = filepath.Base(l.data)
	}
	opt := l.options(c, name)
	opt.Keep = keep(kept, l.data+" "+l.print)
	started := time.Now()
	l.results, err = algos.Race(ctx, entrants, opt)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		return verify.Usagef("%v", err)
	}
	l.subject.lowest = l.reference(ctx, keyed.New(l.Seed).With("reference"))
	l.took = time.Since(started).Round(10 * time.Millisecond)
	return ctx.Err()
}

// Networks have no certified minimum: beside the lowest end of a run that many further starts look
// for a low value, in so many steps each, but not for more gradients than the race has taken.
const (
	referenceStarts = 2
	referenceLeast  = 50
	referenceMost   = 500
)

// reference is the value that others are compared with, once all runs are over.
func (l *leg) reference(ctx context.Context, key keyed.Key) problems.Optimum {
	s := l.subject
	if s.certified != nil {
		return s.certified.Optimum(ctx, l.lowest())
	}
	f, is := algos.As[problems.Smooth](s.problem)
	if !is {
		return problems.Optimum{}
	}
	starts := [][]float64{l.lowest()}
	for k := range referenceStarts {
		starts = append(starts, s.start(key.At(k)))
	}
	full, spent := 0, 0
	for i := range s.problem.Clients() {
		full += s.problem.Size(i)
	}
	for _, r := range l.results {
		for _, t := range r.Traces {
			spent += int(t.Records[len(t.Records)-1].Counts.Gradients) * len(l.etas)
		}
	}
	steps := max(referenceLeast, min(referenceMost, spent/(full*len(starts))))
	return problems.Descend(ctx, f, starts, steps)
}

// lowest is the end of the run that is lowest there.
func (l *leg) lowest() []float64 {
	x, low := l.subject.start(keyed.New(l.Seed)), math.Inf(1)
	for _, result := range l.results {
		for _, t := range result.Traces {
			if v := t.Records[len(t.Records)-1].Value; v < low && len(t.Point) == len(x) {
				x, low = t.Point, v
			}
		}
	}
	return x
}

// options says how the entrants of a prepared race run.
func (r *race) options(c *verify.Call, name string) algos.RaceOptions {
	opt := algos.RaceOptions{Etas: r.etas, Seeds: r.seeds, Seed: r.Seed, Common: true,
		Workers: r.Workers, Limits: algos.Limits{Gradients: r.gradients, Rounds: r.rounds},
		Score: r.rate, AtEnd: true, Progress: c.Counter(name, "runs")}
	opt.Limits.Observe = r.subject.observe
	if r.times {
		began := time.Now()
		opt.Limits.Clock = func() time.Duration { return time.Since(began) }
	}
	if r.set.Clients == 0 {
		opt.Limits.EveryGradients = max(1, r.gradients/r.looks())
	} else {
		opt.Limits.Every = int(max(1, r.rounds/r.looks()))
	}
	return opt
}

// rate says how well a run ended, lower is better.
func (r *race) rate(tr *algos.Trace) float64 {
	g := algos.LastGradientNorm(tr)
	v := tr.Records[len(tr.Records)-1].Value
	switch {
	case r.score == "gradient" || math.IsInf(g, 1):
		return g
	case math.IsNaN(v):
		return math.Inf(1)
	}
	return v
}

// prepare validates the flags, reads the data and builds problem and entrants.
func (r *race) prepare(command string) (entrants []algos.Entrant, facts [][2]string, err error) {
	r.setDefaults()
	for _, check := range []func() error{r.checkNumbers, r.checkProblem, r.checkClients} {
		if err := check(); err != nil {
			return nil, nil, err
		}
	}
	chosen, err := r.choose(command)
	if err != nil {
		return nil, nil, err
	}
	if err := r.build(chosen); err != nil {
		return nil, nil, err
	}
	r.setScales()
	facts = append([][2]string{{"Problem", r.problem}}, r.subject.facts...)
	if !r.subject.federated {
		facts = append(facts, r.finite()...)
	} else {
		facts = append(facts, r.shared()...)
	}
	for _, c := range chosen {
		e, err := r.entrant(c)
		if err != nil {
			return nil, nil, err
		}
		if e != nil {
			entrants = append(entrants, *e)
		}
	}
	return entrants, append(facts, r.conduct()...), nil
}

// setDefaults chooses the problem and the score where no flag does.
func (r *race) setDefaults() {
	if r.problem == "" {
		r.problem = "quadratic"
		if r.data != "" {
			r.problem = "logistic"
		}
	}
	if r.score == "" {
		r.score = "gradient"
		if r.problem == networks || r.problem == saddles {
			r.score = "value"
		}
	}
}

// checkNumbers refuses flags whose numbers are out of their ranges.
func (r *race) checkNumbers() error {
	for _, f := range []struct {
		name        string
		v           int64
		least, most int64
	}{
		{"-n", int64(r.set.N), 0, math.MaxInt64},
		{"-d", int64(r.set.D), 0, math.MaxInt64},
		{"-clients", int64(r.set.Clients), 0, math.MaxInt64},
		{"-p", int64(r.method.Chosen), 0, math.MaxInt64},
		{"-K", int64(r.method.LocalSteps), 0, mostIndices},
		{"-b", int64(r.method.Batch), 0, mostIndices},
		{"-period", int64(r.method.Period), 0, math.MaxInt64},
		{"-gradients", r.gradients, 0, math.MaxInt64},
		{"-rounds", r.rounds, 0, math.MaxInt64},
		{"-examples", int64(r.atMost), 0, math.MaxInt64},
		{"-width", int64(r.width), 0, math.MaxInt64},
		{"-seeds", int64(r.seeds), 1, math.MaxInt64},
	} {
		switch {
		case f.v < 0 && f.least == 0:
			return verify.Usagef("%s must not be negative, got %d", f.name, f.v)
		case f.v < f.least:
			return verify.Usagef("%s must be at least %d, got %d", f.name, f.least, f.v)
		case f.v > f.most:
			return verify.Usagef("%s must be at most %d, got %d", f.name, f.most, f.v)
		}
	}
	for _, f := range []struct {
		name        string
		v           float64
		least, most float64
	}{ // the problem itself refuses what of the first three it cannot have
		{"-zeta", r.set.Zeta, math.Inf(-1), math.Inf(1)},
		{"-cond", r.set.Cond, math.Inf(-1), math.Inf(1)},
		{"-alpha", r.set.Alpha, math.Inf(-1), math.Inf(1)},
		{"-skew", r.set.Skew, 0, 1},
		{"-r", r.method.Radius, 0, math.Inf(1)},
		{"-goal", r.goal, 0, math.Inf(1)},
		{"-curvature", r.curvature, 0, math.Inf(1)},
		{"-l2", r.l2, 0, math.Inf(1)},
		{"-holdout", r.holdout, math.Inf(-1), math.Inf(1)},
	} {
		switch {
		case math.IsNaN(f.v) || math.IsInf(f.v, 0):
			return verify.Usagef("%s must be finite, got %v", f.name, f.v)
		case f.most == 1 && (f.v < 0 || f.v > 1):
			return verify.Usagef("%s must be from 0 to 1, got %v", f.name, f.v)
		case f.v < f.least:
			return verify.Usagef("%s must not be negative, got %v", f.name, f.v)
		}
	}
	if r.holdout < 0 || r.holdout >= 1 {
		return verify.Usagef("-holdout must be at least 0 and below 1, got %v", r.holdout)
	}
	return nil
}

// checkProblem refuses flags that are about other problems than the one raced on.
func (r *race) checkProblem() error {
	nets := r.problem == networks
	switch {
	case r.holdout > 0 && nets:
		return verify.Usagef(
			"-holdout: races of networks hold a fifth of the examples out by themselves")
	case r.holdout > 0 && r.data == "":
		return verify.Usagef(
			"-holdout: a generated problem has no examples to hold out; give -data")
	case !nets && (r.given["hidden"] || r.given["activation"] || r.given["l2"] ||
		r.given["examples"]):
		return verify.Usagef(
			"-hidden, -activation, -l2 and -examples are for -problem network")
	case nets && r.set.D > 0:
		return verify.Usagef(
			"-d: the dimension of a network follows from its data and -hidden")
	case nets && r.set.Clients > 0 && r.set.N > 0:
		return verify.Usagef("-n is the number of components of a network's finite sum; " +
			"with -clients the examples are shared out among them")
	case nets && r.format == "libsvm":
		return verify.Usagef("-format: networks read CSV and IDX files, not libsvm")
	case r.data != "" && !nets && (r.set.N > 0 || r.set.D > 0):
		return verify.Usagef(
			"-n and -d describe a generated problem; the data file has its own")
	}
	return nil
}

// checkClients refuses flags of federated races in others, and the other way round.
func (r *race) checkClients() error {
	switch {
	case r.set.Clients == 0 && (r.method.Chosen > 0 || r.method.LocalSteps > 0 || r.rounds > 0 ||
		r.set.Skew != 0 && r.problem != networks):
		return verify.Usagef("-p, -K, -rounds and -skew are for federated races; give -clients")
	case r.set.Clients > 0 && r.method.WithReplacement:
		return verify.Usagef("-replace is for finite sums; leave out -clients")
	case r.set.Clients > 0 && r.method.Chosen > r.set.Clients:
		return verify.Usagef("-p: %d clients of a round out of %d", r.method.Chosen,
			r.set.Clients)
	}
	return nil
}

// build reads or draws what is raced on, unless it takes more memory than there is.
func (r *race) build(methods []chosen) (err error) {
	build := r.certified
	switch {
	case r.problem == networks:
		build = r.networkSubject
	case r.data == "":
		if err := r.fits(methods, r.extent(), available()); err != nil {
			return err
		}
	}
	if r.subject, err = build(); err != nil {
		return err
	}
	// Now the problem is in memory, and its size is known if it came from a file.
	built := extent{clients: r.subject.problem.Clients(), dim: r.subject.problem.Dim()}
	if m, ok := algos.As[algos.LinearModeler](r.subject.problem); ok {
		built.linear = m.Linear() != nil
	}
	return r.fits(methods, built, available())
}

// setScales chooses accuracies and step sizes on the scale of the problem where no flag does.
func (r *race) setScales() {
	nets, norm := r.problem == networks, r.subject.norm
	switch {
	case len(r.eps) > 0:
	case nets:
		r.eps = verify.Numbers{0.5 * norm, 0.2 * norm, 0.1 * norm}
	default:
		r.eps = verify.Numbers{0.1 * norm, 0.01 * norm, 0.001 * norm}
	}
	r.eps = slices.Clone(r.eps)
	slices.SortFunc(r.eps, func(a, b float64) int { return cmp.Compare(b, a) })
	switch {
	case len(r.etas) > 0:
	case nets:
		r.etas = networkRates()
	default:
		for _, m := range []float64{0.03, 0.1, 0.3, 1, 3, 10, 30} {
			r.etas = append(r.etas, m/r.subject.L)
		}
	}
}

// conduct is what the page says of how the race is run.
func (r *race) conduct() (facts [][2]string) {
	if len(r.leftOut) > 0 {
		facts = append(facts, [2]string{"Not raced as prescribed", reasons(r.leftOut)})
	}
	if len(r.tooLong) > 0 {
		facts = append(facts, [2]string{"Left out of all", strings.Join(r.tooLong, ", ") +
			": one curvature search takes many times the budget; name them to race them"})
	}
	by := map[string]string{"gradient": "‖∇f(x)‖", "value": "f(x)"}[r.score]
	return append(facts,
		[2]string{"Step sizes tried", shortNumbers(r.etas) + ", compared by " + by + " at the end"},
		[2]string{"Runs at the chosen step size", strconv.Itoa(r.seeds)},
		[2]string{"Seed", strconv.FormatUint(r.Seed, 10)})
}

// extent returns how large a generated problem becomes.
func (r *race) extent() extent {
	n, d := r.set.N, r.set.D
	if d == 0 {
		d = 20
	}
	switch {
	case n == 0 && r.set.Clients > 0:
		n = 100
	case n == 0:
		n = 1000
	}
	clients, rows := n, float64(n)
	if r.set.Clients > 0 {
		clients, rows = r.set.Clients, float64(r.set.Clients)*float64(n)
	}
	// A generated problem has about two dense vectors for each row.
	linear := r.set.Clients == 0 &&
		slices.Contains([]string{"logistic", "least-squares", "robust"}, r.problem)
	return extent{min(clients, 1<<40), d, linear, 2 * 8 * rows * float64(d)}
}

// looks is how often a run is looked at.
func (r *race) looks() int64 {
	if r.problem == networks {
		return 15 // each costs all examples
	}
	return 100
}

// certified builds a problem of the catalogue.
func (r *race) certified() (*subject, error) {
	if r.data != "" {
		debug.SetGCPercent(50) // data are large and long-lived, and runs allocate little
		var err error
		if r.set.Table, err = r.read(); err != nil {
			return nil, err
		}
	}
	p, err := problems.Build(r.problem, r.set, keyed.New(r.Seed).With("problem").Rand())
	if err != nil {
		return nil, verify.Usagef("%v", strings.TrimPrefix(err.Error(), "problems: "))
	}
	r.set.Table = nil // the problem has rows of its own
	s := &subject{known: p.Facts(), start: func(keyed.Key) []float64 { return p.X0 }, certified: p}
	if r.data != "" {
		s.facts = append(s.facts, [2]string{"Data", filepath.Base(r.data)})
	}
	s.problem, s.federated, s.norm = p.Objective, p.Federated,
		algos.NewMonitor(p.Objective).GradientNorm(p.X0)
	c := p.Constants(p.X0)
	s.L = c.L.Value
	if r.problem == saddles {
		s.observe, s.columns = leastCurvature(p), []quantity{leastEigenvalue}
	}
	if r.held != nil {
		if s.observe, s.columns, err = onHeldOut(r.problem, r.held); err != nil {
			return nil, err
		}
	}
	smooth := fmt.Sprintf("%s, so that 1/L = %s", bounded(c.L), short(1/s.L))
	r.notes = append(r.notes, [2]string{"Smoothness L", smooth})
	s.facts = append(s.facts, constants(c)...)
	return s, nil
}

// saddles is the name of the family of problems with saddles.
const saddles = "saddle"

// leastCurvature returns a function that computes the least eigenvalue of the Hessian.
func leastCurvature(p *problems.Problem) func(x []float64) []float64 {
	h := p.Certificate.(interface{ MinEigen(x []float64) float64 })
	return func(x []float64) []float64 { return []float64{h.MinEigen(x)} }
}

// theorems are the words of the flag -theorem.
func theorems() (words []string) {
	for g := algos.Stationary; g <= algos.UnderPL; g++ {
		words = append(words, g.String())
	}
	return words
}

func (r *race) with(eta float64) algos.Setting {
	s := r.method
	s.Eta, s.L, s.Eps, s.Delta = eta, r.subject.L, r.eps[len(r.eps)-1], r.curvature
	if rho, ok := r.subject.known.Rho.Value(); ok {
		s.Rho = rho // 0 is the default
	}
	return s
}

// aims completes the facts that prescriptions are made from.
func (r *race) aims(f *algos.Facts) {
	f.Goal = algos.Goal(slices.Index(theorems(), r.theorem))
	goal := r.goal
	if goal == 0 {
		goal = r.eps[0]
	}
	f.Eps = algos.Known(goal)
	if r.curvature > 0 {
		f.Curvature = algos.Known(r.curvature)
	}
	f.Batch, f.Chosen, f.LocalSteps = r.method.Batch, r.method.Chosen, r.method.LocalSteps
}

// finite fills in the defaults of a finite-sum race.
func (r *race) finite() [][2]string {
	p := r.subject.problem
	n := p.Clients()
	if r.gradients == 0 {
		r.gradients = 20 * int64(n)
	}
	b := r.method.Batch
	size, drawn := strconv.Itoa(b), "without replacement"
	if r.method.WithReplacement {
		drawn = "with replacement, but for SLEDGE"
	}
	if b == 0 {
		b = algos.RootBatch(n)
		size = fmt.Sprintf("%d, where a method has no size of its own", b)
	}
	r.aims(&r.subject.known)
	r.subject.known.Steps = int(max(1, r.gradients/int64(3*b)))
	return [][2]string{{"Components n", strconv.Itoa(n)}, {"Dimension d", strconv.Itoa(p.Dim())},
		{"Minibatch b", size},
		{"Noise radius r of tuned methods", short(r.method.Radius)},
		{"Minibatches of tuned methods", drawn},
		{"Budget", fmt.Sprintf("%d stochastic gradients (%.3g n)", r.gradients,
			float64(r.gradients)/float64(n))}}
}

// shared fills in the defaults of a federated race.
func (r *race) shared() [][2]string {
	f := r.subject.problem
	least := f.Size(0)
	for i := range f.Clients() {
		least = min(least, f.Size(i))
	}
	if r.method.LocalSteps == 0 {
		r.method.LocalSteps = 10
	}
	if r.method.Batch == 0 {
		r.method.Batch = max(1, min(r.method.LocalSteps, least/r.method.LocalSteps))
	}
	if r.rounds == 0 {
		r.rounds = 200
	}
	sampled := r.method.Chosen
	if sampled == 0 {
		sampled = algos.RootBatch(f.Clients())
	}
	radius := short(r.method.Radius)
	if r.method.Radius == 0 {
		radius = "0; BVR-L-PSGD 0.001"
	}
	r.aims(&r.subject.known)
	return [][2]string{{"Clients P", strconv.Itoa(f.Clients())},
		{"Data of the smallest client", strconv.Itoa(least)},
		{"Dimension d", strconv.Itoa(f.Dim())},
		{"Clients p of a round", strconv.Itoa(sampled)},
		{"Local steps K", strconv.Itoa(r.method.LocalSteps)},
		{"Local minibatch b", strconv.Itoa(r.method.Batch)},
		{"Noise radius r of tuned methods", radius},
		{"Budget", fmt.Sprintf("%d communication rounds", r.rounds)}}
}

func constants(c problems.Constants) [][2]string {
	show := func(name string, k problems.Constant) [2]string {
		return [2]string{name, fmt.Sprintf("%s (%s)", bounded(k), k.Why)}
	}
	return [][2]string{show("Smoothness L", c.L), show("Hessian heterogeneity ζ", c.Zeta)}
}

func bounded(k problems.Constant) string {
	if k.Exact {
		return "exactly " + short(k.Value)
	}
	return "at most " + short(k.Value)
}
