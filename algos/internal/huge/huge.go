// Package huge makes long vectors of which a little is read here and there, on huge pages where the
// system has them: on pages of the usual size a processor spends more time on finding out where a
// row lies than on fetching it.
package huge

import "unsafe"

// page is the size of a huge page in bytes on amd64, and on arm64 with small pages of 4 kB.
const page = 2 << 20

// Make returns a vector of n zeros of a type without pointers. From the size of a huge page on it
// begins where one does, takes whole ones, and the system is asked for them; where it has none,
// nothing is lost but speed.
func Make[T any](n int) []T {
	var zero T
	size := int(unsafe.Sizeof(zero))
	if n < page/max(size, 1) || page%size != 0 {
		return make([]T, n)
	}
	pages := (n*size + page - 1) / page
	room := make([]T, (pages+1)*(page/size))
	first := 0
	if beyond := int(uintptr(unsafe.Pointer(&room[0])) % page); beyond%size == 0 {
		first = (page - beyond) % page / size
	}
	advise(unsafe.Slice((*byte)(unsafe.Pointer(&room[first])), pages*page))
	return room[first : first+n : first+n]
}
