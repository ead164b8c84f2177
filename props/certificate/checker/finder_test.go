package checker_test

import (
	"fmt"
	"strings"
	"testing"

	"sledge/props/certificate"
	"sledge/props/certificate/algebra"
	"sledge/props/certificate/checker"
	"sledge/props/formula"
	"sledge/props/settle"
	"sledge/props/settle/exponents"
)

// saying is a finder that says the same whatever it is asked.
type saying struct{ fact, contradiction *checker.Fact }

func (s saying) Weights(*checker.Part, []algebra.Monomial, []algebra.Monomial, bool,
	bool) *checker.Fact {
	return s.fact
}
func (s saying) Contradiction(*checker.Part) *checker.Fact { return s.contradiction }

// TestFindersAreNotBelieved has finders say what is wrong, or right and beside the point, and one
// what is right.
func TestFindersAreNotBelieved(t *testing.T) {
	power := func(x int64) algebra.Monomial { return algebra.Monomial{algebra.Whole(x)} }
	of := func(weights ...int64) (list []checker.Weight) { // pairs of an exponent of x and a weight
		for i := 0; i < len(weights); i += 2 {
			list = append(list, checker.Weight{Of: power(weights[i]),
				By: algebra.Whole(weights[i+1])})
		}
		return list
	}
	shows := func(statement string, finder func(*checker.Order) checker.Finder) error {
		o, err := checker.ReadOrder(&certificate.Certificate{Kind: certificate.Order,
			Domain: "x > 0; x ≥ 1", Symbols: []certificate.Symbol{
				{Name: "x", Kind: certificate.Real}}, Statement: statement})
		if err != nil {
			t.Fatal(err)
		}
		if finder != nil {
			o.Ask(finder(o))
		}
		compared := 0
		err = o.Walk(func(_ *checker.Part, d checker.Direction) error {
			compared++
			_, err := o.Compare(d)
			return err
		})
		if err == nil && compared == 0 {
			err = fmt.Errorf("the domain is said to be empty")
		}
		return err
	}
	for what, s := range map[string]saying{
		"powers that do not agree": {fact: &checker.Fact{Left: of(1, 1), Right: of(0, 1)}},
		"a weight that is negative": {
			fact: &checker.Fact{Left: of(1, 1), Right: of(0, 1), Rows: of(-1, -1)}},
		"weights that add up to 2": {fact: &checker.Fact{Left: of(1, 2), Right: of(2, 1)}},
		"no weights":               {fact: &checker.Fact{}},
		"a fact about others":      {fact: &checker.Fact{Left: of(2, 1), Right: of(2, 1)}},
		"a row that is none": {
			fact: &checker.Fact{Left: of(1, 1), Right: of(0, 1), Rows: of(1, 1)}},
		"a free fact": {
			fact: &checker.Fact{Left: of(1, 1), Right: of(1, 1), Free: true}},
		"a contradiction that is none": {contradiction: &checker.Fact{Left: of(0, 1), Free: true}},
		"a contradiction of no bounds": {
			contradiction: &checker.Fact{Left: of(0, 1), Rows: of(-1, 1, 1, 1),
				Free: true}},
		"a contradiction of unlike ones": {
			contradiction: &checker.Fact{Left: of(0, 1), Rows: of(-1, 1), Free: true}},
	} {
		if err := shows("x = O(1)", func(*checker.Order) checker.Finder { return s }); err == nil {
			t.Errorf("x = O(1) is believed by %s", what)
		}
	}
	if shows("1 = O(x)", nil) == nil {
		t.Error("a comparison needs no fact")
	}
	right := saying{fact: &checker.Fact{Left: of(0, 1), Right: of(1, 1), Rows: of(-1, 1)}}
	for _, finder := range []func(*checker.Order) checker.Finder{
		func(*checker.Order) checker.Finder { return right },
		func(o *checker.Order) checker.Finder { return &exponents.Finder{Order: o} },
	} {
		if err := shows("1 = O(x)", finder); err != nil {
			t.Errorf("1 = O(x) is not shown: %v", err)
		}
	}
}

// TestCombinationsAreLimited refuses a sum of minima that would take minutes.
func TestCombinationsAreLimited(t *testing.T) {
	var words []formula.Symbol
	var names, minima []string
	for i := range 13 {
		x, y := fmt.Sprintf("x_%d", i), fmt.Sprintf("y_%d", i)
		words, names = append(words, formula.Symbol{Name: x}, formula.Symbol{Name: y}),
			append(names, x, y)
		minima = append(minima, "("+x+" ∧ "+y+")")
	}
	d := formula.NewVocabulary(words...).Settling(settle.Orders).MustDomain(
		strings.Join(names, ", "))
	c, said, err := d.Settle("x_0 ∧ y_0 = O(" + strings.Join(minima, " + ") + ")")
	if c != nil || err != nil || !strings.Contains(said, "too many combinations") {
		t.Errorf("%q, %v", said, err)
	}
}
