// Package prefetch asks the processor for memory that is needed soon. Rows of a minibatch stand
// anywhere in a table that no cache holds. A load of what is far away keeps everything behind it
// from retiring, so that loads ahead of their use delay the arithmetic that they are to hide
// behind; a prefetch does not.
package prefetch

import "unsafe"

// Ahead is how many rows before its use one is asked for.
const Ahead = 8

// most is how many bytes are asked for: what is longer is noticed by the processor itself.
const most = 1 << 10

// Slice asks for the beginning of v.
func Slice[T any](v []T) {
	lines(unsafe.Pointer(unsafe.SliceData(v)), min(most, uintptr(len(v))*unsafe.Sizeof(*new(T))))
}
