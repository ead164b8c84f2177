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
)

// addOne shows longer, (T+1)/T times the fact and a square.
func addOne(times string) []certificate.Summand {
	return sum(settle.Fact(times+"(1 + 1/T)", shortSum), settle.Square(times+"/T", "S − Td"))
}

// cauchySchwarz is ‖Σ_{s≤T}d_s‖² ≤ TΣ‖d_s‖², by induction over T.
var cauchySchwarz = settle.Squares{Symbols: "T Q ‖S‖² ‖d‖² ‖S+d‖²", Domain: "T > 0; " + shortSum,
	Statement: "0 ≤ " + longer, Vectors: "S d"}.By(addOne("1"))

// triangle is ‖a + b + c‖ ≤ α + β + γ for vectors of at most these norms.
var triangle = settle.Squares{Symbols: "α β γ ‖a‖² ‖b‖² ‖c‖² ‖a+b+c‖²",
	Domain:    "α > 0; β > 0; γ > 0; ‖a‖² ≤ α²; ‖b‖² ≤ β²; ‖c‖² ≤ γ²",
	Statement: "‖a+b+c‖² ≤ (α + β + γ)²", Vectors: "a b c"}.By(
	sum(settle.Fact("1 + β/α + γ/α", "‖a‖² ≤ α²"), settle.Fact("1 + α/β + γ/β", "‖b‖² ≤ β²"),
		settle.Fact("1 + α/γ + β/γ", "‖c‖² ≤ γ²"), settle.Square("1/(αβ)", "βa − αb"),
		settle.Square("1/(βγ)", "γb − βc"), settle.Square("1/(αγ)", "γa − αc")))

// lengthAndSquares is the induction step of ‖S‖ ≤ A and A² ≤ TQ for the sum A of the bounds on the
// norms of T vectors and the sum Q of their squares, with a further vector of at most norm α: (A +
// α)² is at most the squares' sum times T
// + 1 because (A/√T − √Tα)² ≥ 0, the last square as that of a multiple of a unit vector.
var lengthAndSquares = settle.Squares{Symbols: "T Q A α ‖S‖² ‖d‖² ‖S+d‖² ‖u‖²",
	Domain:    "T > 0; A > 0; α > 0; ‖S‖² ≤ A²; ‖d‖² ≤ α²; A² ≤ TQ; ‖u‖² = 1",
	Statement: "‖S+d‖² ≤ (A + α)² ≤ (T + 1)(Q + α²)", Vectors: "S d u"}.By(
	sum(settle.Fact("1 + α/A", "‖S‖² ≤ A²"), settle.Fact("1 + A/α", "‖d‖² ≤ α²"),
		settle.Square("1/(Aα)", "αS − Ad")),
	sum(settle.Fact("1 + 1/T", "A² ≤ TQ"), settle.Square("1/T", "(A − Tα)u"),
		settle.Fact("(A − Tα)²/T", "‖u‖² = 1")))

// What follows is proved of pairs of runs near a saddle, for vectors of every dimension. H is ∇²f
// at the saddle, e its unit eigenvector to −γ, w the difference of the runs, f = dHw + g what
// drives it besides, and B is (1 + ηγ)^{t−τ}. A linear map is given by its values: He = −γe, and h
// = HS.

// kicked is the first difference: from one point, with one estimator, the runs step with noises
// that differ by re.
var kicked = settle.Squares{Symbols: "η r ‖e‖² ‖w−re‖² ⟨w,e⟩", Domain: "η > 0; ‖e‖² = 1",
	Statement: "‖w−re‖² = 0 = ⟨w,e⟩ − r", Vectors: "e x v ξ",
	Products: map[string][2]string{
		"‖w−re‖²": settle.Norm(firstGap + " − re"), "⟨w,e⟩": {firstGap, "e"}}}.By(nil, nil,
	sum(settle.Fact("−r", "‖e‖² = 1")), sum(settle.Fact("r", "‖e‖² = 1")))

// firstGap is the difference of the two points.
const firstGap = "(x − ηv + ξ) − (x − ηv + (ξ − re))"

// unrolled is the induction step of w^t = Bre − ηS with S = Σ_{s<t}(I − ηH)^{t−1−s}f^s: the
// difference w − η(Hw + f) has the same form with (1 + ηγ)B and (I − ηH)S + f, and differs from w
// by what the decomposition says.
var unrolled = settle.Squares{Symbols: "η γ B r ‖l−r‖² ‖k−m‖²", Domain: "η > 0",
	Statement: "‖l−r‖² = 0 = ‖k−m‖²",
	Vectors:   "e S h f", Products: map[string][2]string{
		"‖l−r‖²": settle.Norm("(Bre − ηS) + " + increment + " − ((1 + ηγ)Bre − η((S − ηh) + f))"),
		"‖k−m‖²": settle.Norm(increment + " − (ηγBre + η²h − ηf)")}}.By(nil, nil, nil, nil)

// increment is −η(Hw + f) for w = Bre − ηS.
const increment = "(−η)((−γ)Bre − ηh + f)"

// driftOfHessian bounds D = ‖dHw‖ ≤ ‖dH‖‖w‖ for ‖dH‖ ≤ ρX within the distance X ≤ R = δ/(C_bρ) and
// W = ‖w‖ ≤ 2Br.
var driftOfHessian = settle.Squares{Symbols: "D A W X B r ρ δ C_b",
	Domain:    "W ≥ 0; ρ > 0; δ > 0; C_b > 0; D ≤ A W; A ≤ ρX; X ≤ δ/(C_bρ); W ≤ 2Br",
	Statement: "D ≤ (2δ/C_b)Br"}.By(sum(settle.Fact("1", "D ≤ A W"), settle.Fact("W", "A ≤ ρX"),
	settle.Fact("ρW", "X ≤ δ/(C_bρ)"), settle.Fact("δ/C_b", "W ≤ 2Br")))

// amongMean bounds what a datum among m = k + 1 adds: a is its Hessian times a difference, S those
// of the k others, each of at most the norm α, so that a − (a + S)/m = (ka − S)/m; b and c are the
// drifts.
var amongMean = settle.Squares{Symbols: "k m α β γ ‖a‖² ‖S‖² ‖b‖² ‖c‖² ‖p+b+c‖²",
	Domain: "k > 0; m > 0; m = k + 1; α > 0; β > 0; γ > 0; ‖a‖² ≤ α²; ‖S‖² ≤ k²α²; ‖b‖² ≤ β²; " +
		"‖c‖² ≤ γ²",
	Statement: "‖p+b+c‖² ≤ (2kα/m + β + γ)²", Vectors: "a S b c",
	Products: map[string][2]string{"‖p+b+c‖²": settle.Norm("(ka − S)/m + b + c")}}.By(
	sum(settle.Fact("(2k²/m²)"+apart, "‖a‖² ≤ α²"), settle.Fact("(2/m²)"+apart, "‖S‖² ≤ k²α²"),
		settle.Square("(1/m²)"+apart, "ka + S"),
		settle.Fact("1 + 2kα/(mβ) + γ/β", "‖b‖² ≤ β²"),
		settle.Fact("1 + 2kα/(mγ) + β/γ", "‖c‖² ≤ γ²"), settle.Square("m/(2kαβ)",
			"β(ka − S)/m − (2kα/m)b"), settle.Square("1/(βγ)", "γb − βc"),
		settle.Square("m/(2kαγ)", "γ(ka − S)/m − (2kα/m)c")))

// apart is 1 + (β + γ)/(2kα/m).
const apart = "(1 + βm/(2kα) + γm/(2kα))"

// lowered is what a saddle still has below it: along ±(2δ/ρ)e, in the direction in which the
// gradient G does not point up, with the curvature Q and a Hessian that is ρ-Lipschitz, f falls
// from F to F', which is at least its infimum M.
var lowered = settle.Squares{Symbols: "F F' M G Q δ ρ",
	Domain:    "δ > 0; ρ > 0; F' ≤ F + G + Q/2 + ρ(2δ/ρ)^3/6; G ≤ 0; Q ≤ −δ(2δ/ρ)²; M ≤ F'",
	Statement: "F − M ≥ 2δ³/(3ρ²)"}.By(sum(settle.Fact("1", "F' ≤ F + G + Q/2 + ρ(2δ/ρ)^3/6"),
	settle.Fact("1", "G ≤ 0"), settle.Fact("1/2", "Q ≤ −δ(2δ/ρ)²"), settle.Fact("1", "M ≤ F'")))
