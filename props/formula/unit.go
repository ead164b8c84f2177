package formula

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"sledge/props"
)

// Mismatch says that two terms that are added or compared have different units, or that a term has
// a unit where only a number makes sense.
type Mismatch struct {
	A, B         string // the terms; B is empty if A alone is wrong
	UnitA, UnitB props.Unit
	Why          string // why A alone is wrong
	// where the second term stands, or the only one, in characters of the text from 1
	At int
}

func (m *Mismatch) Error() string {
	if m.B == "" {
		return fmt.Sprintf("%s has the unit %s, but %s", m.A, unitName(m.UnitA), m.Why)
	}
	return fmt.Sprintf("%s has the unit %s, but %s has %s", m.A, unitName(m.UnitA), m.B,
		unitName(m.UnitB))
}

// unitName writes a unit in powers of a value of f and a length: f/x² is that of a smoothness
// constant.
func unitName(u props.Unit) string {
	power := func(base string, p float64) string {
		if p == 1 {
			return base
		}
		text := strconv.FormatFloat(p, 'g', 4, 64)
		if s, ok := superscript(text); ok {
			return base + s
		}
		return base + "^{" + text + "}"
	}
	above, below := "", ""
	for _, f := range []struct {
		base string
		p    float64
	}{{"f", u.F}, {"x", u.X}} {
		switch {
		case f.p > 0:
			above += power(f.base, f.p)
		case f.p < 0:
			below += power(f.base, -f.p)
		}
	}
	switch {
	case above == "" && below == "":
		return "1"
	case above == "":
		above = "1"
	}
	if below != "" {
		return above + "/" + below
	}
	return above
}

// ParseUnit reads a unit in powers of f and x with at most one stroke, such as f/x², 1/x or f²/x².
func ParseUnit(text string) (props.Unit, error) {
	var u props.Unit
	above, below, _ := strings.Cut(text, "/")
	for i, side := range [...]string{above, below} {
		sign := float64(1 - 2*i)
		for side = strings.TrimPrefix(side, "1"); side != ""; {
			base, size := utf8.DecodeRuneInString(side)
			exponent, n := utf8.DecodeRuneInString(side[size:])
			p := float64(slices.Index([]rune(raised), exponent))
			if p < 0 {
				p, n = 1, 0
			}
			switch base {
			case 'f':
				u.F += sign * p
			case 'x':
				u.X += sign * p
			default:
				return u, fmt.Errorf("%q is no unit in powers of f and x, such as f/x²", text)
			}
			side = side[size+n:]
		}
	}
	return u, nil
}

func sameUnit(a, b props.Unit) bool {
	return math.Abs(a.F-b.F) < 1e-9 && math.Abs(a.X-b.X) < 1e-9
}

// unit derives the unit of n. The number 0 alone has any unit, which the second result says.
func (v *Vocabulary) unit(n *node) (u props.Unit, any bool, err error) {
	switch n.op {
	case number:
		return u, n.value.Sign() == 0, nil
	case symbol: // an index of a sum is in no vocabulary, and a number
		s, _ := v.Symbol(n.name)
		return s.Unit, false, nil
	case span: // numbers alone are in whatever unit they bound
		any = true
		for _, end := range n.args {
			if _, constant := end.constant(); constant || err != nil {
				continue
			}
			u, any, err = v.agree(n.args[0], u, any, end)
		}
		return u, any, err
	case add, subtract, smallest, largest:
		u, any, err = v.unit(n.args[0])
		for i := 1; i < len(n.args) && err == nil; i++ {
			u, any, err = v.agree(n.args[i-1], u, any, n.args[i])
		}
		return u, any, err
	case negate, absolute, order, along:
		return v.unit(n.args[0])
	case multiply, divide:
		a, _, err := v.unit(n.args[0])
		if err != nil {
			return u, false, err
		}
		b, _, err := v.unit(n.args[1])
		if n.op == divide {
			b = b.Power(-1)
		}
		return a.Times(b), false, err
	case root:
		u, any, err = v.unit(n.args[0])
		return u.Power(0.5), any, err
	case power:
		if err := v.pure(n.args[1], "exponents are numbers"); err != nil {
			return u, false, err
		}
		u, _, err := v.unit(n.args[0])
		if err != nil || sameUnit(u, props.Unit{}) {
			return u, false, err
		}
		e, constant := n.args[1].constant()
		if !constant {
			return u, false, &Mismatch{A: n.args[0].text(), UnitA: u, At: n.at,
				Why: "its exponent is not constant"}
		}
		f, _ := e.Float64()
		return u.Power(f), false, nil
	case sum:
		for _, end := range n.args[:2] {
			if err := v.pure(end, "the ends of sums are numbers"); err != nil {
				return u, false, err
			}
		}
		return v.unit(n.args[2])
	}
	return u, false, v.pure(n.args[0], "logarithms, exponentials and roundings are of numbers")
}

// agree compares the unit of b with that of a, which is known.
func (v *Vocabulary) agree(a *node, u props.Unit, any bool, b *node) (props.Unit, bool, error) {
	w, also, err := v.unit(b)
	switch {
	case err != nil:
		return u, any, err
	case any:
		return w, also, nil
	case !also && !sameUnit(u, w):
		// name the term next to b, whose unit is that of the sum
		for (a.op == add || a.op == subtract) && len(a.args) == 2 {
			a = a.args[1]
		}
		return u, any, &Mismatch{A: a.text(), B: b.text(), UnitA: u, UnitB: w, At: b.at}
	}
	return u, false, nil
}

func (v *Vocabulary) pure(n *node, why string) error {
	u, any, err := v.unit(n)
	if err == nil && !any && !sameUnit(u, props.Unit{}) {
		err = &Mismatch{A: n.text(), UnitA: u, Why: why, At: n.at}
	}
	return err
}

// check derives the units of all sides of a clause.
func (v *Vocabulary) check(c clause) error {
	u, any, err := v.unit(c.sides[0])
	for i := 1; i < len(c.sides) && err == nil; i++ {
		u, any, err = v.agree(c.sides[i-1], u, any, c.sides[i])
	}
	return err
}
