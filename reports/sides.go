package reports

import (
	"cmp"
	"math"
	"slices"

	"sledge/props"
	"sledge/props/certificate"
	language "sledge/props/formula"
)

// sidesWide is how many times a symbol grows from one end of a picture of both sides to its
// middle, and sidesPoints how many points a picture has at most.
const (
	sidesWide   = 8.0
	sidesPoints = 33
	fewest      = 4 // points of a line that is drawn
)

// sides are both sides of a statement along a symbol or a curve.
type sides struct {
	curve       props.Curve
	places      []map[string]quantity // of the points of the curve
	left, right string                // the formulas
}

// add adds a point.
func (d *sides) add(x, left, right float64, at map[string]quantity) {
	c := &d.curve
	c.X, c.Median, c.Claimed = append(c.X, x), append(c.Median, left), append(c.Claimed, right)
	d.places = append(d.places, at)
}

// newSides draws both sides of the relation k, which fails at a point, along one symbol, while what
// else is free stays as it is there: along the symbol for which they cross, else along that for
// which they come apart most. It is nil if no symbol may move.
func (s *scene) newSides(values map[string]quantity, k int) *sides {
	var best *sides
	most := 0.0
	for _, symbol := range s.symbols {
		at := values[symbol.Name]
		if s.defined(symbol.Name) != nil || !(at.approx > 0) {
			continue
		}
		name := cmp.Or(symbol.Means, symbol.Name)
		d := &sides{left: s.conclusion.Sides[k].String(), right: s.conclusion.Sides[k+1].String(),
			curve: props.Curve{Title: "both sides along " + name + ", what else is free as above",
				XLabel: name, YLabel: "side"}}
		for _, x := range s.moved(symbol, at.approx) {
			there := s.anew(values, symbol.Name, x)
			if there == nil || !s.presupposed(there) {
				continue
			}
			left, first := s.approximately(s.conclusion.Sides[k], there)
			right, second := s.approximately(s.conclusion.Sides[k+1], there)
			if first && second {
				d.add(x, left, right, there)
			}
		}
		if n := len(d.places); n < fewest || d.curve.X[n-1] < narrow*d.curve.X[0] {
			continue
		}
		if tells := s.crossing(&d.curve, k); tells > most {
			best, most = d, tells
		}
	}
	return best
}

// moved are the values that a symbol is given around its own.
func (s *scene) moved(symbol certificate.Symbol, at float64) []float64 {
	var out []float64
	for i := range sidesPoints {
		x := at * math.Pow(sidesWide, 2*float64(i)/(sidesPoints-1)-1)
		if symbol.Kind == certificate.Count {
			x = math.Round(x)
		}
		if x > 0 && (len(out) == 0 || x > out[len(out)-1]) {
			out = append(out, x)
		}
	}
	return out
}

// anew is a point at which one symbol has another value, and what the statement defines follows;
// nil if some formula has no value there.
func (s *scene) anew(values map[string]quantity, name string, x float64) map[string]quantity {
	out := s.free(values)
	out[name] = quantity{approx: x}
	return s.complete(out)
}

// free are the values of the symbols that the statement does not define.
func (s *scene) free(values map[string]quantity) map[string]quantity {
	out := map[string]quantity{}
	for name, v := range values {
		if s.defined(name) == nil {
			out[name] = v
		}
	}
	return out
}

// complete adds to the values of free symbols those that the statement defines; nil if some formula
// has no value there.
func (s *scene) complete(values map[string]quantity) map[string]quantity {
	open := slices.DeleteFunc(slices.Clone(s.symbols),
		func(symbol certificate.Symbol) bool { return s.defined(symbol.Name) == nil })
	for len(open) > 0 {
		before := len(open)
		open = slices.DeleteFunc(open, func(symbol certificate.Symbol) bool {
			v, known := s.approximately(s.defined(symbol.Name), values)
			if known {
				values[symbol.Name] = quantity{approx: v}
			}
			return known
		})
		if len(open) == before {
			return nil
		}
	}
	return values
}

// crossing is how much a picture of both sides tells: two if the relation holds in one part and
// fails in another, and up to one by how far the sides come apart.
func (s *scene) crossing(c *props.Curve, k int) float64 {
	kept, broken, apart := false, false, 0.0
	for i := range c.X {
		if holds(c.Median[i], s.conclusion.Relations[k], c.Claimed[i]) {
			kept = true
		} else {
			broken = true
		}
		x, y := math.Abs(c.Median[i]), math.Abs(c.Claimed[i])
		apart = max(apart, math.Abs(x-y)/(x+y))
	}
	if kept && broken {
		return 2 + apart
	}
	return apart
}

// newGrowthSides draws both sides of a statement up to a constant along a curve.
func (s *scene) newGrowthSides(proof *certificate.GrowthProof, steps []rung, upper,
	lower *language.Tree) *sides {
	d := &sides{left: upper.String(), right: lower.String(), curve: props.Curve{
		Title: "both sides along the curve", XLabel: s.parameter(), YLabel: "side"}}
	from, to := steps[0].s, steps[len(steps)-1].s
	for i := range sidesPoints {
		at := from * math.Pow(to/from, float64(i)/(sidesPoints-1))
		there := s.on(proof, at)
		if x, y, ok := s.both(there, upper, lower); ok {
			d.add(at, x, y, there)
		}
	}
	if len(d.places) < fewest {
		return nil
	}
	return d
}

// repaired adds the sides of the corrected form where they are others: of a statement in formulas
// that has one of the sides as it is.
func (d *sides) repaired(corrected *Claim) {
	if corrected == nil || !corrected.Stands() {
		return
	}
	for i := range corrected.Evidence {
		c := corrected.Evidence[i].Certificate
		if c == nil || len(c.Symbols) == 0 {
			continue
		}
		if lines := d.lines(newScene(c)); len(lines) > 0 {
			d.curve.Others = lines
			return
		}
	}
}

// lines are the sides of another statement along the same points, as far as they are others.
func (d *sides) lines(s *scene) []props.Line {
	if s == nil || len(s.conclusion.Sides) != 2 {
		return nil
	}
	left, right := s.conclusion.Sides[0], s.conclusion.Sides[1]
	if right.Op == "order" && len(right.Args) == 1 {
		right = right.Args[0]
	}
	if left.String() != d.left && right.String() != d.right {
		return nil
	}
	var out []props.Line
	for _, side := range []struct {
		name    string
		of      *language.Tree
		printed props.Series
	}{{"left side, repaired", left, d.curve.Median},
		{"right side, repaired", right, d.curve.Claimed}} {
		line := props.Line{Name: side.name}
		known, differs := 0, false
		for i, place := range d.places {
			y, ok := math.NaN(), false
			if at := s.complete(s.free(place)); at != nil && s.presupposed(at) {
				if y, ok = s.approximately(side.of, at); ok {
					known++
					differs = differs || math.Abs(y-side.printed[i]) > 1e-6*math.Abs(y)
				}
			}
			if !ok {
				y = math.NaN()
			}
			line.Y = append(line.Y, y)
		}
		if known >= fewest && differs {
			out = append(out, line)
		}
	}
	return out
}

// drawSides draws both sides of the counterexample to a claim, and those of its corrected form; nil
// if it has no picture.
func drawSides(c *pageClaim) *figure {
	if c.Hand == nil || c.Hand.Sides == nil {
		return nil
	}
	d := *c.Hand.Sides
	d.repaired(c.Corrected)
	f, ok := drawCurve(&d.curve)
	if !ok {
		return nil
	}
	f.Bound, f.Data = "right side", "left side"
	return &f
}
