package settle

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"

	"sledge/props"
	"sledge/props/certificate"
	"sledge/props/certificate/algebra"
	"sledge/props/certificate/checker"
	"sledge/props/formula"
	"sledge/props/settle/exponents"
)

// Orders is the procedure for statements about orders of what is made of sums, minima, maxima,
// roundings and logarithms of monomials: by facts that the rules of the checker ask for and linear
// programmes find, or else by a curve along which the ratio of the sides grows. It has nothing to
// say about other statements.
func Orders(p *formula.Problem, _ props.Tier) (c *certificate.Certificate, said string) {
	if c = p.Order(certificate.Order); c == nil {
		return nil, ""
	}
	smooth := p.Order(certificate.Growth)
	var w weighing
	var err error
	if w.order, err = checker.ReadOrder(c); err != nil {
		return nil, err.Error()
	}
	if w.curves, err = checker.ReadOrder(smooth); err != nil {
		return nil, err.Error()
	}
	proof, curve, err := w.weigh()
	switch {
	case err != nil:
		return nil, err.Error()
	case curve != nil:
		c = smooth
		said = grows(c, curve)
		c.Proof, err = json.Marshal(curve)
	default:
		c.Scope, said = certificate.All, "at most "+proof.Constant+" times as large, by "+
			"certified weights of the inequality of arithmetic and geometric means"
		c.Proof, err = json.Marshal(proof)
	}
	if err != nil {
		return nil, err.Error()
	}
	return c, said
}

// weighing is the search for facts, and for curves where there are none.
type weighing struct {
	order, curves *checker.Order // read the certificates of an order and of a curve
	facts         exponents.Finder
}

// weigh returns the proof that an order is one, with its constant.
func (w *weighing) weigh() (proof *certificate.OrderProof, curve *certificate.GrowthProof,
	err error) {
	most, open := new(big.Rat), error(nil)
	w.facts.Order = w.order
	w.order.Ask(&w.facts)
	err = w.order.Walk(func(p *checker.Part, d checker.Direction) error {
		w.facts.Rays = nil
		constant, err := w.order.Compare(d)
		switch {
		case err == nil && constant.Cmp(most) > 0:
			most = constant
		case err != nil:
			if curve = w.outgrown(p, d.Inverse); curve != nil {
				return errOutgrown
			}
			if open == nil {
				open = err
			}
		}
		return nil
	})
	switch {
	case curve != nil:
		return nil, curve, nil
	case err == nil:
		err = open
	}
	return w.proof(most), nil, err
}

var errOutgrown = errors.New("the ratio grows")

// outgrown looks for a curve in the part along which the ratio of the sides grows: along the rays,
// or, where the sides have no bounds that could be compared, along those in which one or two
// symbols grow or shrink.
func (w *weighing) outgrown(p *checker.Part, inverse bool) *certificate.GrowthProof {
	base := exponents.Within(p)
	if base == nil {
		base = make([]int64, len(w.order.Names()))
	}
	rays := w.facts.Rays
	if len(rays) == 0 {
		rays = w.simple()
	}
	for _, ray := range rays {
		if curve := w.along(base, ray, inverse); curve != nil {
			return curve
		}
	}
	return nil
}

// simple are the rays in which one or two symbols grow or shrink.
func (w *weighing) simple() (rays []algebra.Monomial) {
	n := len(w.order.Names())
	for i := range n {
		for j := i; j < n; j++ {
			for signs := range 4 {
				if i == j && signs != 0 && signs != 3 || w.order.Drops(i) || w.order.Drops(j) {
					continue
				}
				ray := make(algebra.Monomial, n)
				ray[i], ray[j] = algebra.Whole(int64(1-signs&1*2)),
					algebra.Whole(int64(1-signs>>1*2))
				rays = append(rays, ray)
			}
		}
	}
	return rays
}

// along returns the curve that begins at powers of 2 and follows a ray, nil if the ratio does not
// grow along it.
func (w *weighing) along(base []int64, ray algebra.Monomial,
	inverse bool) *certificate.GrowthProof {
	curve := &certificate.GrowthProof{At: map[string]string{}, Exponents: map[string]int64{},
		Inverse: inverse}
	for i, name := range w.order.Names() {
		switch {
		case w.curves.Free(i):
			at := new(big.Rat).SetFloat64(math.Ldexp(1, int(base[i])))
			curve.At[name] = at.RatString()
			if k := ray[i].Num(); k != 0 {
				curve.Exponents[name] = k
			}
		case i >= w.order.Symbols() && ray[i].Sign() != 0: // a logarithm is no power
			return nil
		}
	}
	gap, err := w.curves.Gap(curve)
	if err != nil {
		return nil
	}
	curve.Gap = gap.RatString()
	return curve
}

// proof writes the facts, first those that bound and then those that contradict, and the constant
// with two digits.
func (w *weighing) proof(constant *big.Rat) *certificate.OrderProof {
	names := w.order.Names()
	p := &certificate.OrderProof{Constant: upwards(constant), Powers: map[string]string{}}
	for i, name := range names {
		if x := w.order.Power(i); x.Sign() > 0 {
			p.Powers[name] = x.String()
		}
	}
	index := map[string]int{}
	refer := func(weights []checker.Weight) map[int]string {
		out := map[int]string{}
		for _, x := range weights {
			powers := map[string]string{}
			for i, e := range x.Of {
				if e.Sign() != 0 {
					powers[names[i]] = e.String()
				}
			}
			key := fmt.Sprint(powers)
			i, known := index[key]
			if !known {
				i = len(p.Monomials)
				index[key] = i
				p.Monomials = append(p.Monomials, powers)
			}
			out[i] = x.By.String()
		}
		return out
	}
	for _, f := range w.order.Facts() {
		p.Facts = append(p.Facts, certificate.Fact{Left: refer(f.Left), Right: refer(f.Right),
			Rows: refer(f.Rows), Free: f.Free})
	}
	return p
}

// upwards writes a number with two digits, rounded up by a little more than the error of that in
// floating point.
func upwards(x *big.Rat) string {
	c, _ := x.Float64()
	if !(c > 0) {
		return "1"
	}
	power := math.Floor(math.Log10(c)) - 1
	v, _ := new(big.Rat).SetString(
		fmt.Sprintf("%.0fe%.0f", math.Ceil(c*(1+1e-9)/math.Pow(10, power)), power))
	return v.RatString()
}

// grows says what a curve shows, for a report.
func grows(c *certificate.Certificate, curve *certificate.GrowthProof) string {
	var parts []string
	for _, s := range c.Symbols {
		switch k := curve.Exponents[s.Name]; k {
		case 0:
		case 1:
			parts = append(parts, s.Name+" like s")
		default:
			parts = append(parts, s.Name+" like "+props.Raised("s", strconv.FormatInt(k, 10)))
		}
	}
	how := "like " + props.Raised("s", curve.Gap)
	if curve.Gap == "0" {
		how = "beyond all bounds"
	}
	return fmt.Sprintf("along a certified curve with %s the ratio grows %s",
		strings.Join(parts, ", "), how)
}
