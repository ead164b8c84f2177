// Package direction makes the processor round otherwise than to the nearest number. Every
// floating-point operation of the called function is affected, whoever wrote it, constants and
// whole numbers included: what a computation owes to rounding changes with the direction, and what
// it does not owe to it stays (Kahan, How futile are mindless assessments of roundoff in
// floating-point computation, 2006, section 5).
package direction

import "runtime"

// Mode is where a result goes that lies between two numbers.
type Mode uint8

const (
	Nearest Mode = iota
	Down
	Up
	Zero
)

func (m Mode) String() string { return [...]string{"to nearest", "down", "up", "to zero"}[m] }

// Turn returns Down, Up, Zero and Nearest for 0, 1, 2 and 3, and so on.
func Turn(i int) Mode { return Mode(i+1) % 4 }

// Do calls f with the given mode, in the calling goroutine alone: what f does in other goroutines
// is rounded to nearest, and so is everything on processors for which this package knows no other
// way; see [Available]. The mode is as it was when Do returns or panics.
func Do(m Mode, f func()) {
	if !Available {
		f()
		return
	}
	runtime.LockOSThread() // the mode belongs to the thread; the scheduler keeps others off it
	defer runtime.UnlockOSThread()
	was := control()
	defer setControl(was)
	setControl(was&^mask | bits[m])
	f()
}
