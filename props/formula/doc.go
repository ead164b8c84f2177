// Package formula is the notation of the paper as a language: a formula is written once, as text,
// and from it come its values in floating point, exact values and certified intervals, its unit,
// the monomials that it consists of, how it is set for a reader, and checks of statements.
//
//	η = min{1/(2L), b/(C_1^{9/2} ζ √(60n))}; L/2 + 15 C_1⁹ η ζ² n/b² ≤ 1/(2η)
//
// The package knows no theory: the symbols are those of a [Vocabulary], which says what unit each
// has, whether it counts, and its usual range. A [Formula] is an expression, which [Formula.Of]
// turns into a [Program], a function for library code that does not allocate. A [Domain] says from
// where symbols are drawn; it makes checks out of statements ([Domain.Implies], [Domain.Order]).
//
// # Grammar
//
//		statement  = clause { ( "," | ";" | "implies" | "⇒" ) clause }        the last clause is the conclusion
//		           | clause "if" clause { ( "," | ";" ) clause }              the first one is
//		clause     = side { relation side } | side "∈" "[" expression "," expression "]"
//		relation   = "≤" | "≥" | "<" | ">" | "="
//		side       = expression | ( "O" | "Õ" | "Ω" | "Ω̃" | "Θ" | "Θ̃" ) "(" expression ")"
//		expression = sum | product "∧" product … | product "∨" product …
//		sum        = [ "−" ] product { ( "+" | "−" ) product }
//		product    = factor { [ "·" | "/" ] factor }
//		factor     = primary [ exponent ]
//		exponent   = superscript digits | "^" ( [ "−" ] number | primary | "{" expression "}" )
//		primary    = number | symbol | "(" expression ")" | "[" expression "]" | "|" expression "|"
//		           | "⌈" expression "⌉" | "⌊" expression "⌋"
//		           | "√" primary | function [ exponent ] primary
//		           | ( "min" | "max" ) "{" expression "," expression … "}"
//		           | "Σ_{" letter "=" expression "}" exponent product
//		           | operator factor                                     of the vocabulary, see [Vocabulary.Operating]
//		function   = "log" | "exp" | "sqrt" | "ceil" | "floor" | "abs"
//
//	  - Factors side by side are multiplied: 15 C_1⁹ η ζ² n/b² is (15 C_1⁹ η ζ² n)/b², since products and quotients
//	    are taken from left to right. After a divisor a sign must follow: a/b c is an error, because one writes it
//	    for a/(b c) and for (a/b) c. A number is only the first of such factors.
//	  - ∧ is the minimum and ∨ the maximum, as in the paper. Sums beside them stand in parentheses, and so does a ∧
//	    within ∨.
//	  - √ and functions without parentheses take one factor: √n b is (√n) b. An exponent after √n, or after log n, is
//	    an error; log² n and log(n)² are (log n)². Logarithms are natural.
//	  - A symbol is a letter or a word of the vocabulary, with primes, and with an index after an underscore: one
//	    letter, digits, or what stands in braces. So 2Tr² is 2·T·r², and C_1n is C_1·n. The longest symbol that fits
//	    is taken. Greek letters may be spelled: eps, sigma_c; subscript digits may be used: C₁.
//	  - Numbers are decimal, and exact: 0.1 is 1/10 and 1e-9 is 10⁻⁹.
//	  - Instead of signs one may write - * <= >= in sqrt(x) ceil(x) floor(x) abs(x) sum_{i=1}^n /\ \/ O~ Omega Omega~
//	    Theta Theta~.
//
// A part without symbols has a value that floating point comes near: log(−1), 0^{-1},
// 1e400 and a sum of 10⁹ terms are errors, and so is a text of more than 500 numbers and symbols.
//
// Errors are one sentence and say at which character: formula "1/(2L", character 6: ) is missing.
//
// Terms that are added or compared have one unit, in powers of values of the function f and of
// lengths x; exponents, logarithms and what is rounded have none. In the sum σ_c² + G_c/b the error
// names both terms: σ_c² has the unit f²/x², but G_c/b has f/x.
//
// # Arithmetics
//
// Programs are instructions on registers, carried out by [Program.At] in floating point, with the
// rounding of the same expression in Go; by [Program.Exact] with roots of rational numbers
// ([Radical]), whose products, quotients, powers and comparisons are exact; and by
// [Program.Enclose] with intervals.
//
// A violation of a statement in formulas is certified: it is decided exactly where that is possible
// and else by intervals with up to 1536 bits. What these do not tell apart, such as two irrational
// sums that are equal, is left to floating point, in which a tie holds.
package formula
