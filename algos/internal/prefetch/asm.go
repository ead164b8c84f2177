//go:build (amd64 || arm64) && !purego

package prefetch

import "unsafe"

// lines asks for the lines of the cache in which size bytes from p on stand.
//
//go:noescape
func lines(p unsafe.Pointer, size uintptr)
