package algos

// Foresee shows the tests the ability of a randomness to foresee minibatches of one component.
func Foresee(r Randomness, dst []int, n int) bool { return r.(foresighted).foresee(dst, n, Batches) }
