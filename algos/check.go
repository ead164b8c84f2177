package algos

import (
	"fmt"
	"math"
)

// ParameterError says which parameter of a method does not fit, and why. Start returns it before
// any gradient is asked for.
type ParameterError struct {
	Method, Parameter string
	Reason            string
}

func (e *ParameterError) Error() string {
	return fmt.Sprintf("%s: %s %s", e.Method, e.Parameter, e.Reason)
}

// CheckStart complains about a starting point that does not have the given dimension or is not
// finite. Every method's Start asks for it, next to what it asks of its own parameters.
func CheckStart(method string, x0 []float64, dim int) error {
	c := checker{method: method}
	c.start(x0, dim)
	return c.err
}

// checker collects the first complaint about a method's parameters.
type checker struct {
	method string
	err    error
}

func (c *checker) complain(parameter, format string, args ...any) {
	if c.err == nil {
		c.err = &ParameterError{c.method, parameter, fmt.Sprintf(format, args...)}
	}
}

func (c *checker) positive(parameter string, v float64) {
	if !(v > 0) || math.IsInf(v, 0) {
		c.complain(parameter, "must be positive and finite, got %v", v)
	}
}

func (c *checker) nonnegative(parameter string, v float64) {
	if !(v >= 0) || math.IsInf(v, 0) {
		c.complain(parameter, "must be nonnegative and finite, got %v", v)
	}
}

func (c *checker) between(parameter string, v, lo, hi int, what string) {
	if v < lo || v > hi {
		c.complain(parameter, "must be between %d and %d%s, got %d", lo, hi, what, v)
	}
}

func (c *checker) start(x0 []float64, d int) {
	if len(x0) != d {
		c.complain("x0", "has length %d, the problem has dimension %d", len(x0), d)
	}
	for i, v := range x0 {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			c.complain("x0", "has the entry %v at index %d", v, i)
		}
	}
}

// RootBatch returns ⌈√n⌉, the batch size that balances SLEDGE's two terms and the default of the
// methods here.
func RootBatch(n int) int {
	b := int(math.Sqrt(float64(n)))
	for b*b < n {
		b++
	}
	return b
}

func clone(x []float64) []float64 { return append([]float64(nil), x...) }
