package bounds

import (
	"math"
	"sync"

	"gonum.org/v1/gonum/floats"

	"sledge/algos"
	"sledge/algos/problems"
	"sledge/concentration"
	"sledge/props"
	"sledge/props/keyed"
)

// tuning is what a run is made with: of SLEDGE if K is 0, and else of FLEDGE.
type tuning struct {
	eta, r   float64
	option   algos.Option
	p, K, b  int             // clients in a round, local steps, minibatch
	schedule func(k int) int // minibatch sizes instead of b, if not nil
}

// method returns the method. Minibatches of FLEDGE beyond the data of a client are all its data.
func (c *tuning) method() algos.Method { return c.methodIn(new(room)) }

func (c *tuning) methodIn(room *room) algos.Method {
	if c.K == 0 {
		m := &room.sledge
		m.Eta, m.Batch, m.Radius, m.Option, m.Schedule = c.eta, c.b, c.r, c.option, c.schedule
		return m
	}
	m := &room.fledge
	m.Eta, m.Chosen, m.Batch, m.LocalSteps, m.Radius = c.eta, c.p, c.b, c.K, c.r
	m.Option, m.Cap, m.Schedule = c.option, true, c.schedule
	return m
}

// posed is a problem as it is asked, and what is known of it.
type posed struct {
	algos.Problem
	problems.Certificate
}

// instance is a problem and a run on it. The components of a finite sum, on which SLEDGE runs, are
// clients with one datum each.
type instance struct {
	problems.Constants
	tuning
	problem posed
	x0      []float64
	P, d, T int // components or clients; dimension; steps, or rounds
	data    int // of the client of FLEDGE that holds most
	// make sets the problem, its constants and what depends on them; nil where that is done
	make func()
}

// draft leaves to the first run what sizes do not tell: most instances that a search draws lie
// outside the regime of a claim, and are never run.
func (in *instance) draft(make func()) *instance {
	in.make = sync.OnceFunc(make)
	return in
}

// made completes a draft.
func (in *instance) made() *instance {
	if in.make != nil {
		in.make()
	}
	return in
}

// set gives the instance its problem and its starting point.
func (in *instance) set(p posed, x0 []float64) {
	in.problem, in.x0 = p, x0
	in.P, in.d, in.Constants = p.Clients(), p.Dim(), p.Constants(x0)
}

// ofSum and ofClients are what methods see of a problem.
func ofSum(f problems.Certified) posed              { return posed{algos.Sum(f), f} }
func ofClients(p problems.CertifiedFederated) posed { return posed{p, p} }

// squared returns ‖v‖² of a vector of gradient size on the run, or 0 where that is nothing but
// rounding: below (1e-12)² of the largest gradient.
func (p *path) squared(v []float64) float64 { return squared(v, p.size) }

// slack is the scale of a comparison of squared vectors on the run, given the smaller square:
// [props.RoundingBand] of it is what an error of 1e-13 of the largest gradient in the vector makes
// of its square.
func (p *path) slack(square float64) float64 {
	return 2e-13 / props.RoundingBand * p.size * math.Sqrt(square)
}

// level is what a bound knows besides the run: ν, C_1 as the proof takes it, and the window of the
// lemmas.
type level struct {
	nu, c1 float64
	window int
}

// runEffort is the effort of tail claims about whole runs, which cost much: many instances are
// worth more than many runs of each.
const runEffort = 0.25

// leastTailSteps is the least number of steps of SLEDGE in the regime of tail claims about the
// auxiliary lemmas.
const leastTailSteps = 11

// content is the part of the regime that concerns the problem and what is sampled of it: components
// or clients, and the data of each client, in more dimensions than one. Errors of the estimator
// come from the data alone where clients agree.
func (in *instance) content() props.Regime {
	if in.K == 0 {
		return reporting(erring, in.sampling(in.P, in.d, in.Zeta.Value))
	}
	return reporting(erring, props.Where(props.Min("P", in.P, 2), props.Less("p", in.p, "P", in.P),
		props.Min("d", in.d, 2), props.Less("Kb", in.K*in.b, "data of a client", in.data)))
}

// literalC1 is the C_1 of tail claims for a run on the instance; see [tailC1].
func (in *instance) literalC1(nu float64) float64 {
	return tailC1(in.P, concentration.Sizes{P: in.P, D: in.d, T: in.T, K: in.K, Nu: nu})
}

// level is that of a run which may miss a statement with probability ν.
func (in *instance) level(nu float64) level {
	c1 := in.literalC1(nu)
	return level{nu, c1, in.lemmaWindow(c1)}
}

// sampled is how many components, or clients, take part in a step.
func (c *tuning) sampled() int {
	if c.K == 0 {
		return c.b
	}
	return c.p
}

// lemmaWindow is T_1, or T_3 = (P/p)·C_1 (line 2240), rounded up to whole rounds.
func (in *instance) lemmaWindow(c1 float64) int { return coverWindow(in.P, in.sampled(), c1) }

// path is a run together with everything that the proofs of lemma:First-VarianceBound and
// lemma:Dist-First-VarianceBound look at. Steps, or rounds, count from 1 to T, index 0 is the
// start. Local steps of FLEDGE are numbered through: x^{t,k} has the number (t−1)K + k, so that
// (t,K) and (t+1,0) are one; x^t of SLEDGE has the number t.
type path struct {
	*instance
	level // of what is said of it
	tape  *algos.Tape
	// where it stands for two coupled runs, all of whose vectors are what they differ by, the other
	// one
	other *algos.Tape
	room  *room
	// bound on the gradients of components, or data, and on L‖x^t‖ on the way: rounding errors of
	// gradients are relative to it
	size float64

	grad  [][]float64 // ∇f, by number
	err   [][]float64 // v − ∇f by number, v being what the point is left with
	moved []float64   // ‖x^t − x^{t−1}‖²
	last  [][]int     // last[t][i] is the last t that drew component or client i, 0 if none did

	// of SLEDGE
	start []float64 // row i: y_i^0 − ∇f_i(x^0)
	// row i of the P×d matrix at[s]: ∇f_i(x^s), until somebody asks for their deviations
	at         [][]float64
	dev, total [][]float64 // see deviations and totals

	// of FLEDGE
	local [][]float64 // local[t][k] = ‖x^{t,k} − x^{t,k−1}‖² for k = 1 … K; local[t][0] = 0
	fresh [][]float64 // see valueNoise

	mean [][]float64 // see means
}

// room is the memory of a run, of its method and of what is computed on it.
type room struct {
	sledge        algos.SLEDGE
	fledge        algos.FLEDGE
	tape, coupled algos.Tape
	rows          algos.Room[float64]
	ints          algos.Room[int]
}

// roomOf returns the room of the worker that makes the run, with nothing in it.
func roomOf(t props.Trial) *room {
	r := props.Room[room](t)
	r.rows.Renew()
	r.ints.Renew()
	return r
}

// zeros returns an n×d matrix of zeros by rows.
func (r *room) zeros(n, d int) [][]float64 {
	all := r.rows.Take(n * d)
	clear(all)
	return split(all, n, d)
}

// follow makes the run.
func (in *instance) follow(key keyed.Key) *path { return in.followWith(algos.Keyed(key)) }

// trial makes the run and reports the share of steps at which the estimator errs.
func (in *instance) trial(t props.Trial) *path {
	p := in.under(t).followIn(roomOf(t), algos.Keyed(t.Key))
	var s stepShare
	for m, e := range p.err {
		s.Step(p.squared(e), normSq(p.grad[m]))
	}
	s.Report(t)
	return p
}

func (in *instance) followWith(r algos.Randomness) *path { return in.followIn(new(room), r) }

func (in *instance) followIn(room *room, r algos.Randomness) *path {
	tape := &room.tape
	if err := tape.Record(in.methodIn(room), algos.NewOracle(in.problem.Problem), in.x0, r,
		in.T); err != nil {
		panic(err) // the ranges of the checks are valid
	}
	p := &path{instance: in, tape: tape, room: room, moved: make([]float64, in.T+1)}
	p.last = in.lastDraws(tape, room.ints.Take((in.T+1)*in.P))
	for t := 1; t <= in.T; t++ {
		p.moved[t] = distSq(tape.X[t], tape.X[t-1])
	}
	if in.K == 0 {
		p.lookAtComponents()
	} else {
		p.lookAtLocalSteps()
	}
	return p
}

// lastDraws returns for every t and i the last step, or round, ≤ t whose I^s contains i, 0 if none
// does: T_4(t,i) of line 2269. They are kept in all, of (T+1)·P numbers.
func (in *instance) lastDraws(tape *algos.Tape, all []int) [][]int {
	of, last := algos.Batches, split(all, in.T+1, in.P)
	if in.K > 0 {
		of = algos.Clients
	}
	clear(last[0])
	for t := 1; t < len(last); t++ {
		copy(last[t], last[t-1])
		for _, set := range tape.Sets(t, of) {
			for _, i := range set {
				last[t][i] = t
			}
		}
	}
	return last
}

// lookAtComponents computes the gradients of all components on the way.
func (p *path) lookAtComponents() {
	n, d, T := p.P, p.d, p.T
	p.grad, p.err, p.at = p.room.zeros(T+1, d), p.room.zeros(T+1, d), p.room.zeros(T+1, n*d)
	gradients := allGradients(p.problem.Problem)
	for t := range T + 1 {
		x := p.tape.X[t]
		gradients(p.at[t], x)
		p.size = larger(p.size, p.L.Value, x)
		for i := range n {
			g := p.at[t][i*d : (i+1)*d]
			p.size = larger(p.size, 1, g)
			floats.AddScaled(p.grad[t], 1/float64(n), g)
		}
		floats.SubTo(p.err[t], p.tape.V[t], p.grad[t])
	}
	p.start = make([]float64, n*d)
	for k, g := range p.at[0] {
		if p.option == algos.OptionI {
			p.start[k] = p.tape.V[0][k%d] - g
		}
	}
}

// lookAtLocalSteps computes the gradients of f on the way.
func (p *path) lookAtLocalSteps() {
	tape, d, K, T := p.tape, p.d, p.K, p.T
	p.local = p.room.zeros(T+1, K+1)
	g, far := make([]float64, d), 0.0
	for i := range p.P {
		for j := range p.problem.Size(i) {
			p.problem.Gradient(g, p.x0, i, j)
			p.size = max(p.size, floats.Norm(g, 2))
		}
	}
	// a round begins where the one before has ended, with a gradient that is known
	p.grad, p.err = p.room.zeros(1+T*K, d), p.room.zeros(T*K, d)
	p.problem.FullGradient(p.grad[0], p.x0)
	for t := range T + 1 {
		far = max(far, p.L.Value*(floats.Distance(tape.X[t], p.x0, 2)+floats.Norm(tape.X[t], 2)))
		for k := 1; t > 0 && k <= K; k++ {
			x, before, m := tape.Local[t][k], tape.Local[t][k-1], p.number(t, k)
			p.problem.FullGradient(p.grad[m], x)
			floats.SubTo(p.err[m-1], tape.LocalV[t][k-1], p.grad[m-1])
			p.local[t][k] = distSq(x, before)
		}
	}
	p.size += far
}

// number is that of x^{t,k}, or of x^t.
func (p *path) number(t, k int) int {
	if p.K == 0 {
		return t
	}
	return (t-1)*p.K + k
}

// allGradients returns a function that sets row i of dst to the gradient of component i of a
// finite sum at x, for all i.
func allGradients(f algos.Problem) func(dst, x []float64) {
	n, d := f.Clients(), f.Dim()
	together, ok := algos.As[algos.BatchGradienter](f)
	if !ok {
		return func(dst, x []float64) {
			for i := range n {
				f.Gradient(dst[i*d:(i+1)*d], x, i, 0)
			}
		}
	}
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return func(dst, x []float64) { together.BatchGradient(dst, x, all) }
}

// values are those of the symbols of what an instance has, and C_1.
func (in *instance) values(c1 float64) values {
	P := float64(in.P)
	return values{"C_1": c1, "n": P, "P": P, "p": float64(in.p), "K": float64(in.K),
		"b": float64(in.b), "L": in.L.Value, "ζ": in.Zeta.Value, "σ": in.Sigma.Value,
		"G": in.G.Value, "σ_c": in.SigmaC.Value, "G_c": in.GC.Value}
}

// walked returns Σ_{s=from}^t ‖x^s − x^{s−1}‖².
func (p *path) walked(from, t int) float64 { return floats.Sum(p.moved[from : t+1]) }

// from is the first step of the window that ends at t.
func (p *path) from(t int) int { return windowStart(t, p.window) }

// unsampled returns |Ĩ_s^t| for s = 1 … t, how many components, or clients, were drawn in none of
// the steps s … t. Index 0 of the result is unused.
func (p *path) unsampled(t int) []int {
	count := make([]int, t+1)
	for _, s := range p.last[t] {
		if s < t {
			count[s+1]++
		}
	}
	for s := 1; s <= t; s++ {
		count[s] += count[s-1]
	}
	return count
}

// deviations returns ∇f_i(x^s) − ∇f_i(x^{s−1}) − (∇f(x^s) − ∇f(x^{s−1})) in row i of the P×d matrix
// number s ≥ 1.
func (p *path) deviations() [][]float64 {
	if p.dev == nil {
		p.dev, p.at = p.at, nil
		for s := p.T; s > 0; s-- {
			floats.Sub(p.dev[s], p.dev[s-1])
			for i := range p.P {
				row := p.dev[s][i*p.d : (i+1)*p.d]
				floats.Sub(row, p.grad[s])
				floats.Add(row, p.grad[s-1])
			}
		}
		clear(p.dev[0])
	}
	return p.dev
}

// means returns for s = 1 … T the means of the deviations over I^s; for FLEDGE those of
// ∇f_ij(x^s) − ∇f_ij(x^{s−1}) − (∇f_i(x^s) − ∇f_i(x^{s−1})) over i ∈ I^s and j ∈ J_i^s, the vectors
// of lemma:Dist-First-Auxiliary-D over pKb.
func (p *path) means() [][]float64 {
	if p.mean != nil {
		return p.mean
	}
	p.mean = p.room.zeros(p.T+1, p.d)
	if p.K == 0 {
		for s, dev := range p.deviations()[1:] {
			for _, i := range p.tape.Batch(s + 1) {
				floats.AddScaled(p.mean[s+1], 1/float64(p.b), dev[i*p.d:(i+1)*p.d])
			}
		}
		return p.mean
	}
	for s := 1; s <= p.T; s++ {
		clients, data := p.batches(s)
		for k, i := range clients {
			p.noise(p.mean[s], 1/float64(p.p*p.K*p.b), round(s), i, data[k])
			p.noise(p.mean[s], -1/float64(p.p*p.K*p.b), round(s-1), i, data[k])
		}
	}
	return p.mean
}

// totals returns the sums of the deviations up to s for all s.
func (p *path) totals() [][]float64 {
	if p.total == nil {
		dev := p.deviations()
		p.total = p.room.zeros(len(dev), p.P*p.d)
		for s := 1; s < len(dev); s++ {
			floats.AddTo(p.total[s], p.total[s-1], dev[s])
		}
	}
	return p.total
}

// remainingTerm is (1/n) Σ_{s=from}^t Σ_{i∈Ĩ_s^t} dev_i^s, the vector in (a) of lines 1420-1434.
func (p *path) remainingTerm(from, t int) []float64 {
	v, total := make([]float64, p.d), p.totals()
	for i, s := range p.last[t] {
		s = max(s, from-1)
		floats.AddScaled(v, 1/float64(p.P), total[t][i*p.d:(i+1)*p.d])
		floats.AddScaled(v, -1/float64(p.P), total[s][i*p.d:(i+1)*p.d])
	}
	return v
}

// batchTerm is (1/n) Σ_{s=from}^t weight(s) of the means; with weight |Ĩ_s^t| it is the vector in
// (b).
func (p *path) batchTerm(from, t int, weight func(s int) float64) []float64 {
	v := make([]float64, p.d)
	for s := from; s <= t; s++ {
		floats.AddScaled(v, weight(s)/float64(p.P), p.means()[s])
	}
	return v
}

// counted is the weight |Ĩ_s^t|, and expected its mean (1 − b/n)^{t−s+1}n.
func (p *path) counted(t int) func(s int) float64 {
	count := p.unsampled(t)
	return func(s int) float64 { return float64(count[s]) }
}

func (p *path) expected(t int) func(s int) float64 {
	return func(s int) float64 { return concentration.UnsampledMean(p.P, p.sampled(), t-s+1) }
}

// deviation returns Σ_{s=from}^t (|Ĩ_s^t| − E|Ĩ_s^t|)² times the squared norms of the means.
func (p *path) deviation(from, t int) float64 {
	sum, count, expected := 0.0, p.counted(t), p.expected(t)
	for s := from; s <= t; s++ {
		sum += sq(count(s)-expected(s)) * p.squared(p.means()[s])
	}
	return sum
}

// initialTerm is (1/n) Σ_{i∈Ĩ_1^t} (y_i^0 − ∇f_i(x^0)), the vector in (c).
func (p *path) initialTerm(t int) []float64 {
	v := make([]float64, p.d)
	for i, s := range p.last[t] {
		if s == 0 {
			floats.AddScaled(v, 1/float64(p.P), p.start[i*p.d:(i+1)*p.d])
		}
	}
	return v
}

// plus returns a + c·b.
func plus(a []float64, c float64, b []float64) []float64 {
	return floats.AddScaledTo(make([]float64, len(a)), a, c, b)
}

// inner returns Σ_{s=from}^t Σ_{l≤K} ‖x^{s,l} − x^{s,l−1}‖².
func (p *path) inner(from, t int) float64 {
	sum := 0.0
	for s := from; s <= t; s++ {
		sum += floats.Sum(p.local[s])
	}
	return sum
}

// within returns Σ_{l≤k} ‖x^{t,l} − x^{t,l−1}‖².
func (p *path) within(t, k int) float64 { return floats.Sum(p.local[t][:k+1]) }

// clients returns I^t.
func (p *path) clients(t int) []int { return p.tape.Set(t, algos.Clients) }

// worker returns i_t.
func (p *path) worker(t int) int { return p.tape.Set(t, algos.Worker)[0] }

// batches returns the J_i^t of the clients that took part at x^t with their numbers; at t = 0 these
// are all clients (Option II) or those of I^0.
func (p *path) batches(t int) (clients []int, data [][]int) {
	data = p.tape.Sets(t, algos.LocalBatches)
	switch {
	case t > 0:
		return p.clients(t), data[p.K:]
	case p.option == algos.OptionI:
		return p.clients(0), data
	}
	clients = make([]int, p.P)
	for i := range clients {
		clients[i] = i
	}
	return clients, data
}

// clientGradient sets dst to ∇f_i(x). Not every problem has a short way to compute it.
func (in *instance) clientGradient(dst, x []float64, i int) {
	if q, ok := in.problem.Problem.(interface {
		ClientGradient(dst, x []float64, i int)
	}); ok {
		q.ClientGradient(dst, x, i)
		return
	}
	g, size := make([]float64, len(dst)), in.problem.Size(i)
	clear(dst)
	for j := range size {
		in.problem.Gradient(g, x, i, j)
		floats.Add(dst, g)
	}
	for l := range dst {
		dst[l] /= float64(size)
	}
}

// place is a point of a run.
type place func(run *algos.Tape) []float64

// round is x^t, and local x^{t,l}.
func round(t int) place    { return func(run *algos.Tape) []float64 { return run.X[t] } }
func local(t, l int) place { return func(run *algos.Tape) []float64 { return run.Local[t][l] } }

// add adds factor times what of sets a vector to at a place.
func (p *path) add(dst []float64, factor float64, at place, of func(dst, x []float64)) {
	v := make([]float64, p.d)
	of(v, at(p.tape))
	if floats.AddScaled(dst, factor, v); p.other != nil {
		of(v, at(p.other))
		floats.AddScaled(dst, -factor, v)
	}
}

// client adds factor·∇f_i(x) to dst.
func (p *path) client(dst []float64, factor float64, at place, i int) {
	p.add(dst, factor, at, func(g, x []float64) { p.clientGradient(g, x, i) })
}

// noise adds factor·Σ_{j∈J}(∇f_ij(x) − ∇f_i(x)) to dst.
func (p *path) noise(dst []float64, factor float64, at place, i int, J []int) {
	for _, j := range J {
		p.add(dst, factor, at, func(g, x []float64) { p.problem.Gradient(g, x, i, j) })
	}
	p.client(dst, -factor*float64(len(J)), at, i)
}

// valueNoise returns row i of the P×d matrix number t: Σ_{j∈J_i^t}(∇f_ij(x^t) − ∇f_i(x^t)) for the
// clients that took part at x^t, 0 for the others.
func (p *path) valueNoise(t, i int) []float64 {
	if p.fresh == nil {
		p.fresh = p.room.zeros(p.T+1, p.P*p.d)
		for s := range p.T + 1 {
			clients, data := p.batches(s)
			for k, i := range clients {
				p.noise(p.fresh[s][i*p.d:(i+1)*p.d], 1, round(s), i, data[k])
			}
		}
	}
	return p.fresh[t][i*p.d : (i+1)*p.d]
}

// clientTerm is the vector (a) of lines 2453-2457, what the estimator would be off if every client
// used all its data: for each round the mean over I^s of the changes of ∇f_i for those of the
// clients that were not drawn since. Option I starts with what the gradients at x^0 are themselves.
func (p *path) clientTerm(from, t int) []float64 {
	v, count, last := make([]float64, p.d), p.unsampled(t), p.last[t]
	if p.option == algos.OptionI && from == 1 {
		from = 0
	}
	for s := from; s <= t; s++ {
		change := func(factor float64, i int) {
			if p.client(v, factor, round(s), i); s > 0 {
				p.client(v, -factor, round(s-1), i)
			}
		}
		for _, i := range p.clients(s) {
			change(float64(count[max(s, 1)])/float64(p.p*p.P), i)
		}
		for i, l := range last {
			if l < max(s, 1) {
				change(-1/float64(p.P), i)
			}
		}
	}
	return v
}

// freshTerm is (1/(PKb)) Σ_{i: least ≤ T_4(t,i) ≤ most} Σ_{j∈J_i^{T_4}}(∇f_ij − ∇f_i)(x^{T_4}), the
// vector (c). With Option I and least = 0 the printed sum asks for the J_i^0 of clients that drew
// none; they are left out.
func (p *path) freshTerm(least, most, t int) []float64 {
	v := make([]float64, p.d)
	for i, s := range p.last[t] {
		if least <= s && s <= most {
			floats.AddScaled(v, 1/float64(p.P*p.K*p.b), p.valueNoise(s, i))
		}
	}
	return v
}

// startTerm is (1/P) Σ_{i∈Ĩ_1^t}(y_i^0 − ỹ_i^0), the vector (d).
func (p *path) startTerm(t int) []float64 {
	if p.option == algos.OptionII {
		return p.freshTerm(0, 0, t)
	}
	v := make([]float64, p.d)
	for _, i := range p.clients(0) {
		floats.AddScaled(v, float64(p.unsampled(t)[1])/float64(p.P*p.p*p.K*p.b), p.valueNoise(0, i))
	}
	return v
}

// localNoise is (1/b)Σ_{l=first}^kΣ_{j∈J^{t,l}}(∇f_{i_t,j}(x^{t,l}) − ∇f_{i_t,j}(x^{t,l−1}) −
// (∇f_{i_t}(x^{t,l}) − ∇f_{i_t}(x^{t,l−1}))).
func (p *path) localNoise(t, first, k int) []float64 {
	v := make([]float64, p.d)
	for l := first; l <= k; l++ {
		J := p.tape.Sets(t, algos.LocalBatches)[l-1]
		p.noise(v, 1/float64(len(J)), local(t, l), p.worker(t), J)
		p.noise(v, -1/float64(len(J)), local(t, l-1), p.worker(t), J)
	}
	return v
}

// localError is z^{t,k} − (∇f(x^{t,k}) − ∇f(x^{t,0})).
func (p *path) localError(t, k int) []float64 {
	now, before := p.grad[p.number(t, k)], p.grad[p.number(t, 0)]
	return plus(plus(p.tape.LocalV[t][k], -1, p.tape.V[t-1]), -1, plus(now, -1, before))
}

// lengths are ‖x^s − x^{s−1}‖.
func (p *path) lengths() []float64 {
	length := make([]float64, len(p.moved))
	for s, square := range p.moved {
		length[s] = math.Sqrt(square)
	}
	return length
}

// split returns the rows of an n×d matrix that lie one after the other.
func split[T any](all []T, n, d int) [][]T {
	out := make([][]T, n)
	for i := range out {
		out[i] = all[i*d : (i+1)*d : (i+1)*d]
	}
	return out
}

// normSq returns ‖v‖².
func normSq(v []float64) float64 { return floats.Dot(v, v) }

// larger returns the larger of size and c·‖v‖, which it computes only where it may be the larger
// one.
func larger(size, c float64, v []float64) float64 {
	if c*c*normSq(v) < 0.999*size*size {
		return size
	}
	return max(size, c*floats.Norm(v, 2))
}

// distSq returns ‖a − b‖².
func distSq(a, b []float64) float64 {
	s := 0.0
	for k, v := range a {
		s += (v - b[k]) * (v - b[k])
	}
	return s
}

// squared returns ‖v‖² of a vector computed from gradients of norm up to size, or 0 where that is
// nothing but rounding: below (1e-12)² of the size.
func squared(v []float64, size float64) float64 {
	s := normSq(v)
	if s < roundingOf(size)*props.RoundingBand {
		return 0
	}
	return s
}

// roundingOf is the scale of squares of such vectors: [props.RoundingBand] of it is the square of
// 1e-12 of the size.
func roundingOf(size float64) float64 { return size * size * 1e-24 / props.RoundingBand }

// sq returns x².
func sq(x float64) float64 { return x * x }
