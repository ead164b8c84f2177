package algos

// Base is what a method of one's own for finite sums may embed: parameters, where the method is and
// what it moves along, and the moves and estimates that such methods are made of. Nothing allocates
// but Begin. The method adds Name, Start and Step, and Memory if it keeps more than point and
// estimator; its Start begins with Begin, and leaves an estimate behind, as every Step does.
type Base struct {
	Tuning
	state
}

// Begin checks the parameters and x0, fills in the default minibatch, and makes room. An error is
// for Start to return.
func (b *Base) Begin(name string, o *Oracle, x0 []float64, r Randomness) error {
	c := checker{method: name}
	c.tuning(o, &b.Tuning)
	return b.begin(&c, o, x0, r, b.Batch, b.WithReplacement)
}

// Components returns n.
func (b *Base) Components() int { return b.n }

// Moves returns how often Move was called since Begin.
func (b *Base) Moves() int { return b.t }

// Memory returns 2d, the numbers of point and estimator.
func (b *Base) Memory() int { return 2 * b.d }

// Move goes from x to x − ηv + ξ, v the estimator and ξ uniform in B(0, Radius).
func (b *Base) Move() { b.move(b.Eta, b.Radius) }

// Full sets dst, such as the estimator, to ∇f at the point, for n gradients.
func (b *Base) Full(dst []float64) { b.o.Full(dst, b.x, b.work) }

// Minibatch sets the estimator to the mean gradient of a fresh minibatch at the point.
func (b *Base) Minibatch() { b.sampled(b.s) }

// Recur adds to the estimator the mean difference of the gradients of a fresh minibatch between the
// point and the one before the last Move.
func (b *Base) Recur() { b.recur() }

// Control sets the estimator to full, the gradient at a snapshot, plus the mean difference of the
// gradients of a fresh minibatch between the point and the snapshot.
func (b *Base) Control(full, snapshot []float64) { b.control(full, snapshot) }

// Coin falls true with probability p.
func (b *Base) Coin(p float64) bool { return b.r.Uniform(Coins) < p }
