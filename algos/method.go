package algos

// Method is an optimisation method: parameters in exported fields, state behind Start. A federated
// method communicates: one Step is one round, which it counts with the oracle. Slices returned by
// Point and Estimator are views that the next Step overwrites; callers copy what they keep.
type Method interface {
	// Step advances by one iteration (a communication round for federated methods). It does not
	// allocate.
	Step()
	// Point returns the current iterate x^t, length d.
	Point() []float64
	// Estimator returns the current estimate v^t of ∇f(x^t), length d: what the next step will move
	// along.
	Estimator() []float64
	// Name is the short display name, such as "SLEDGE-II".
	Name() string
	// Start checks the parameters against the problem, allocates all state and performs the
	// initialisation at x0 (which it copies). It may be called again to run afresh. An error, best
	// a [ParameterError], names the offending parameter, the step size or x0 (see [CheckStart])
	// among them; no gradient has been asked for then.
	Start(o *Oracle, x0 []float64, r Randomness) error
}

// Finisher is the optional ability of a method to declare that it has found what it looks for; a
// run ends then.
type Finisher interface{ Finished() bool }
