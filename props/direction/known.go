//go:build amd64 || arm64

package direction

// Available reports whether [Do] changes the mode on this processor.
const Available = true

// control returns the control register of floating-point arithmetic.
func control() uint64

func setControl(word uint64)
