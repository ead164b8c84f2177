package huge

import (
	"testing"
	"unsafe"
)

func testMake[T int32 | float64 | struct{ a, b int64 } | [3]int64](t *testing.T) {
	var zero T
	size := int(unsafe.Sizeof(zero))
	for _, n := range []int{0, 1, 1000, page/size - 1, page / size, page/size + 1,
		3*page/size + 5} {
		a, b := Make[T](n), Make[T](n) // b from memory that may have been used before
		for k := range a {
			if a[k] != zero || b[k] != zero {
				t.Fatalf("%d of size %d: entry %d is %v and %v", n, size, k, a[k], b[k])
			}
			*(*byte)(unsafe.Pointer(&a[k])) = 1
		}
		if len(a) != n || cap(a) != n {
			t.Errorf("%d of size %d: length %d and capacity %d", n, size, len(a), cap(a))
		}
		if n*size >= page && page%size == 0 && uintptr(unsafe.Pointer(&a[0]))%page != 0 {
			t.Errorf("%d of size %d do not begin with a page", n, size)
		}
	}
}

// Vectors are zero, as long as wanted, and the long ones begin with a page.
func TestMake(t *testing.T) {
	for range 3 { // what has been freed is used again
		testMake[int32](t)
		testMake[float64](t)
		testMake[struct{ a, b int64 }](t)
		testMake[[3]int64](t)
	}
}
