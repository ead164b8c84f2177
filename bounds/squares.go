package bounds

import (
	"sledge/props/certificate"
	"sledge/props/settle"
)

// This file holds what is proved of all vectors, in every dimension, as a sum of squares: the
// inequalities of Cauchy, Schwarz and the triangle, for sums of any length by induction over the
// summands.

func sum(list ...certificate.Summand) []certificate.Summand { return list }

// Summands of the proofs below: S is a sum of T vectors, to which d is added, and Q the sum of
// their squared norms.
const (
	shortSum = "‖S‖² ≤ TQ"                  // what is known of them
	longer   = "(T + 1)(Q + ‖d‖²) − ‖S+d‖²" // what is to be shown not to be negative
	halves   = "‖a+b‖² − 2‖a‖² − 2‖b‖²"     // not to be positive
)

func summed(products map[string][2]string) map[string][2]string {
	all := map[string][2]string{"‖S‖²": settle.Norm("S"), "‖d‖²": settle.Norm("d"),
		"‖S+d‖²": settle.Norm("S + d")}
	for name, of := range products {
		all[name] = of
	}
	return all
}

var halved = map[string][2]string{"‖a‖²": settle.Norm("a"), "‖b‖²": settle.Norm("b"),
	"‖a+b‖²": settle.Norm("a + b")}

// addOne shows longer, (T+1)/T times the fact and a square.
func addOne(times string) []certificate.Summand {
	return sum(settle.Fact(times+"(1 + 1/T)", shortSum), settle.Square(times+"/T", "S − Td"))
}

// cauchySchwarz is ‖Σ_{s≤T}d_s‖² ≤ TΣ‖d_s‖², by induction over T.
var cauchySchwarz = settle.Squares{Symbols: "T Q ‖S‖² ‖d‖² ‖S+d‖²", Domain: "T > 0; " + shortSum,
	Statement: "0 ≤ " + longer, Vectors: "S d", Products: summed(nil)}.By(addOne("1"))

// twoParts is ‖a + b‖² ≤ 2‖a‖² + 2‖b‖².
var twoParts = settle.Squares{Symbols: "‖a‖² ‖b‖² ‖a+b‖²", Statement: halves + " ≤ 0",
	Domain: "0 ≤ ‖a‖²", Vectors: "a b", Products: halved}.By(sum(settle.Square("1", "a − b")))

// twoPartsOfSums is the same with ‖Σ_{s≤T}d_s‖² ≤ TΣ‖d_s‖² for one of the parts.
var twoPartsOfSums = settle.Squares{Symbols: "T Q ‖S‖² ‖d‖² ‖S+d‖² ‖a‖² ‖b‖² ‖a+b‖²",
	Domain:    "T > 0; " + shortSum,
	Statement: halves + " ≤ 0 ≤ " + longer, Vectors: "S d a b", Products: summed(halved)}.By(
	sum(settle.Square("1", "a − b")), addOne("1"))

// threeParts is ‖a + b + c‖² ≤ 3(‖a‖² + ‖b‖² + ‖c‖²), with the inequality of Cauchy and Schwarz for
// one of them.
var threeParts = settle.Squares{Symbols: "T Q ‖S‖² ‖d‖² ‖S+d‖² ‖a‖² ‖b‖² ‖c‖² ‖a+b+c‖²",
	Domain: "T > 0; " + shortSum, Statement: "‖a+b+c‖² − 3(‖a‖² + ‖b‖² + ‖c‖²) ≤ 0 ≤ " + longer,
	Vectors: "S d a b c",
	Products: summed(map[string][2]string{"‖a‖²": settle.Norm("a"), "‖b‖²": settle.Norm("b"),
		"‖c‖²":     settle.Norm("c"),
		"‖a+b+c‖²": settle.Norm("a + b + c")})}.By(
	sum(settle.Square("1", "a − b"), settle.Square("1", "b − c"), settle.Square("1", "c − a")),
	addOne("1"))

// triangle is ‖a + b + c‖ ≤ α + β + γ for vectors of at most these norms.
var triangle = settle.Squares{Symbols: "α β γ ‖a‖² ‖b‖² ‖c‖² ‖a+b+c‖²",
	Domain:    "α > 0; β > 0; γ > 0; ‖a‖² ≤ α²; ‖b‖² ≤ β²; ‖c‖² ≤ γ²",
	Statement: "‖a+b+c‖² ≤ (α + β + γ)²", Vectors: "a b c",
	Products: map[string][2]string{"‖a‖²": settle.Norm("a"), "‖b‖²": settle.Norm("b"),
		"‖c‖²":     settle.Norm("c"),
		"‖a+b+c‖²": settle.Norm("a + b + c")}}.By(
	sum(settle.Fact("1 + β/α + γ/α", "‖a‖² ≤ α²"), settle.Fact("1 + α/β + γ/β", "‖b‖² ≤ β²"),
		settle.Fact("1 + α/γ + β/γ", "‖c‖² ≤ γ²"), settle.Square("1/(αβ)", "βa − αb"),
		settle.Square("1/(βγ)", "γb − βc"), settle.Square("1/(αγ)", "γa − αc")))

// lengthAndSquares is the induction step of ‖S‖ ≤ A and A² ≤ TQ for the sum A of the bounds on the
// norms of T vectors and the sum Q of their squares, with a further vector of at most norm α: (A +
// α)² is at most the squares' sum times T
// + 1 because (A/√T − √Tα)² ≥ 0, the last square as that of a multiple of a unit vector.
var lengthAndSquares = settle.Squares{Symbols: "T Q A α ‖S‖² ‖d‖² ‖S+d‖² ‖u‖²",
	Domain:    "T > 0; A > 0; α > 0; ‖S‖² ≤ A²; ‖d‖² ≤ α²; A² ≤ TQ; ‖u‖² = 1",
	Statement: "‖S+d‖² ≤ (A + α)² ≤ (T + 1)(Q + α²)", Vectors: "S d u",
	Products: summed(map[string][2]string{"‖u‖²": settle.Norm("u")})}.By(
	sum(settle.Fact("1 + α/A", "‖S‖² ≤ A²"), settle.Fact("1 + A/α", "‖d‖² ≤ α²"),
		settle.Square("1/(Aα)", "αS − Ad")),
	sum(settle.Fact("1 + 1/T", "A² ≤ TQ"), settle.Square("1/T", "(A − Tα)u"),
		settle.Fact("(A − Tα)²/T", "‖u‖² = 1")))

// startInParts splits the initial error of Option I: m rows are left, whose gradients add up to G,
// s is the mean of the first minibatch and g the full gradient.
var startInParts = settle.Squares{Symbols: "n m ‖l−r‖² ‖a‖² ‖b‖² ‖a+b‖²", Domain: "n > 0; m ≥ 0",
	Statement: "‖l−r‖² = 0 ≥ " + halves, Vectors: "s g G a b", Products: map[string][2]string{
		"‖l−r‖²": settle.Norm("(ms − G)/n − (m(s − g) + mg − G)/n"), "‖a‖²": settle.Norm("a"),
		"‖b‖²": settle.Norm("b"), "‖a+b‖²": settle.Norm("a + b")}}.By(nil, nil,
	sum(settle.Square("1", "a − b")))

// polarisation is ⟨b − a, b⟩ = ½(‖a − b‖² − ‖a‖² + ‖b‖²).
var polarisation = settle.Squares{Symbols: "⟨b−a,b⟩ ‖a‖² ‖b‖² ‖a−b‖²", Domain: "0 ≤ ‖a‖²",
	Statement: "⟨b−a,b⟩ = (1/2)(‖a−b‖² − ‖a‖² + ‖b‖²)", Vectors: "a b",
	Products: map[string][2]string{
		"⟨b−a,b⟩": {"b − a", "b"}, "‖a‖²": settle.Norm("a"), "‖b‖²": settle.Norm("b"),
		"‖a−b‖²": settle.Norm("a − b")}}.By(
	nil, nil)
