package keyed

// Words shows the tests the two words of a key, which seed its generator.
func Words(k Key) (hi, lo uint64) { return k.hi, k.lo }
