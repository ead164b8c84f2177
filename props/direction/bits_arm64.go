package direction

// The rounding mode of FPCR.
const mask = 3 << 22

var bits = [4]uint64{Nearest: 0, Up: 1 << 22, Down: 2 << 22, Zero: 3 << 22}
