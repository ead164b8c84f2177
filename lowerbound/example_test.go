package lowerbound_test

import (
	"fmt"

	"sledge/algos"
	"sledge/lowerbound"
)

// Is a method covered by the lower bounds? SLEDGE is without noise, and is not with noise.
func ExampleCheckSpan() {
	class := lowerbound.Class{N: 4, L: 1, Gap: 1e5, Eps: 2}
	p, x0 := class.CommonChain()
	fmt.Println(class.Common(), "gradients are needed on", p)
	for _, r := range []float64{0, 0.01} {
		err := lowerbound.CheckSpan(&algos.SLEDGE{Eta: 50, Batch: 2, Radius: r}, p, x0,
			algos.Seeded(1), 20)
		fmt.Printf("r = %v: covered: %v\n", r, err == nil)
	}
	// Output:
	// 13 gradients are needed on one chain common to 4 components, length 13
	// r = 0: covered: true
	// r = 0.01: covered: false
}
