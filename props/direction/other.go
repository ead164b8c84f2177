//go:build !amd64 && !arm64

package direction

// Available reports whether [Do] changes the mode on this processor.
const Available = false

const mask = 0

var bits [4]uint64

func control() uint64 { return 0 }

func setControl(uint64) {}
