package direction

// The rounding control of MXCSR.
const mask = 3 << 13

var bits = [4]uint64{Nearest: 0, Down: 1 << 13, Up: 2 << 13, Zero: 3 << 13}
