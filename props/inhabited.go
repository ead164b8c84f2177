package props

import (
	"errors"
	"fmt"

	"sledge/props/keyed"
)

// tries is how many instances are drawn before a check is said to have none.
const tries = 2000

// Inhabited returns nil if each part of a check that says by which premise it skips an instance, or
// panics on one, compares something on one of two thousand instances that are drawn evenly, and
// each order positive numbers.
// Randomised parts and enumerations are not looked at.
func Inhabited(c Check) error {
	for i, p := range c.parts() {
		r := keyed.New(0).With("inhabited").At(i).Rand()
		var err error
		for range tries {
			var b bench
			src, rec := b.draw(uniform(r))
			err = guarded(func() error {
				switch p := p.(type) {
				case *Deterministic:
					p.try(src, rec)
				case *order:
					if a, b := p.formulas(src); !(a > 0 && b > 0) {
						return fmt.Errorf("an order is of positive numbers, and its "+
							"sides come to %.4g and %.4g", a, b)
					}
				}
				return nil
			})
			if err == nil && rec.skipped == "" {
				break
			}
			if err == nil {
				err = errors.New(rec.skipped)
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}
