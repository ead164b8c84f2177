package direction

import (
	"math"
	"runtime"
	"sync"
	"testing"
)

// third is not known to the compiler, which would divide by itself.
var one, three = 1.0, 3.0

func third(m Mode) (q float64) {
	Do(m, func() { q = one / three })
	return q
}

// Quotients, sums and roots go where they are told to, and to nearest again afterwards, even after
// a panic.
func TestDo(t *testing.T) {
	if !Available {
		t.Skip("this processor is not known")
	}
	down, up := third(Down), third(Up)
	if up != math.Nextafter(down, 1) || third(Zero) != down || third(Nearest) != one/three {
		t.Errorf("1/3 is %b down and %b up, %b to zero", down, up, third(Zero))
	}
	var a, b, r float64
	Do(Down, func() { a, r = -one/three, math.Sqrt(three-1) })
	Do(Zero, func() { b = -one / three })
	if a != -up || b != -down || r*r >= 2 {
		t.Errorf("−1/3 is %b down and %b to zero; the root of 2 is %b down", a, b, r)
	}
	func() {
		defer func() { _ = recover() }()
		Do(Up, func() { panic("on the way") })
	}()
	if q := one / three; q != down && q != third(Nearest) || one+0x1p-53 != 1 {
		t.Error("a panic leaves the mode changed")
	}
	for i, want := range []Mode{Down, Up, Zero, Nearest, Down} {
		if Turn(i) != want {
			t.Errorf("turn %d is %v", i, Turn(i))
		}
	}
}

// Calls inside one another keep their modes, and goroutines on other threads theirs, whatever the
// scheduler does.
func TestDoIsLocal(t *testing.T) {
	if !Available {
		t.Skip("this processor is not known")
	}
	want := map[Mode]float64{}
	for i := range 4 {
		want[Turn(i)] = third(Turn(i))
	}
	var wg sync.WaitGroup
	for i := range 16 {
		wg.Go(func() {
			m, n := Turn(i), Turn(i+1)
			for range 300 {
				Do(m, func() {
					runtime.Gosched()
					if q := third(n); q != want[n] {
						t.Errorf("%v inside %v: %b", n, m, q)
					}
					_ = make([]float64, 1000)
					if q := one / three; q != want[m] {
						t.Errorf("%v: %b", m, q)
					}
				})
				if q := one / three; q != want[Nearest] {
					t.Errorf("after %v: %b", m, q)
				}
			}
		})
	}
	wg.Wait()
}
