package checker_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"sledge/props/certificate"
	"sledge/props/certificate/checker"
)

// falsehoods are statements that are false or have an empty domain, as "symbols | domain | statement",
// with what a reader of formulas or of numbers may get wrong.
var falsehoods = strings.Split(strings.TrimSpace(`
x:real | | x² ≥ x
x:real | x ≥ 0 | √x ≤ x
x:real | x > 0 | 1/x ≤ 1
x:real y:real | x ≤ y | x² ≤ y²
x:real | x ≥ −1 | x³ ≥ 0
x:real | x ≥ 1 | x^{−1} ≥ 1
x:real | x ≥ 1 | x⁻² ≥ 1
x:real | x ≥ 1 | x^{1/2} ≥ x
x:real | x ≥ 2 | x^{−2} ≥ x^{2}
x:real y:real | x > 0; y > 0 | min{x, y} ≥ √(x y)
x:real y:real | x > 0; y > 0 | max{x, y} ≤ √(x y)
x:real y:real | x > 0; y > 0 | max{x, y} ≤ min{x, y}
x:real | x ≥ 1; x ≤ 0 | x ≥ 5
x:real | x > 0; x < 0 | x = 7
x:real | x² = −1 | x ≥ 5
x:real | x = x + 1 | x ≥ 5
x:real | x ≥ 1; √(−x) ≥ 0 | x ≥ 5
x:real | x ≥ 0; 1/x = 0 | x ≥ 5
n:count | n < 1 | n ≥ 100
n:count | n ≥ 3/2; n ≤ 19/10 | n = 7
n:count m:count | n m = 7; n ≥ 2; m ≥ 2 | n ≤ 1
n:count | n ≥ 10^{400}; n ≤ 10^{300} | n ≤ 1
x:real y:real | x ≥ 0; y = √(−1 − x) | y ≥ 5
x:real | x ≥ 0; x = 1/0 | x ≤ 0
log:real | log ≥ 1 | log ≤ 0
min:real | min ≥ 1 | min ≤ 0
exp:real | exp ≥ 1 | exp ≤ 0
O:real | O ≥ 1 | O ≤ 0
e:real | e ≥ 1 | e ≤ 0
i:real n:count | i ≥ 5 | Σ_{i=1}^{n} i = n i
1:real | 1 ≥ 0 | 1 ≤ 0
0:real | 0 ≥ 1 | 0 ≥ 5
x²:real | x² ≥ 1 | x² ≤ 0
x+1:real | x+1 ≥ 1 | x+1 ≤ 0
∞:real | ∞ ≥ 1 | ∞ ≤ 0
μ:real µ:real | μ ≥ 1 | µ ≥ 1
ε:real ϵ:real | ε ≥ 1 | ϵ ≥ 1
x:real х:real | x ≥ 1 | х ≥ 1
å:real å:real | å ≥ 1 | å ≥ 1
K:real K:real | K ≥ 1 | K ≥ 1
x_1:real x₁:real | x_1 ≥ 1 | x₁ ≥ 1
x:real x:real | x ≥ 1 | x ≤ 0
x:real x:count | x ≥ 0 | x ≥ 1
x:real | x ≥ 1 | x ≤ １
x:real | x ≥ 1 | x²³ ≤ 1
x:real | | −1² = 1
x:real | | 2^{3^{2}} = 64
x:real | | 1 − 1 − 1 = 1
x:real | | 8/4/2 = 4
x:real | | 0.1 + 0.2 = 0.30000000000000004
x:real | | 1/3 = 0.3333333333333333
x:real | | √2·√2 < 2
x:real | | √2·√2 > 2
x:real | | log(exp(1)) < 1
x:real | | exp(log(3)) > 3
x:real | | 10^{−400} = 0
x:real | | 10^{−400} ≤ 0
x:real | | 10^{400} = 10^{401}
x:real | | exp(1000) = exp(1001)
x:real | | exp(−1000) ≤ 0
x:real | | 1 + 10^{−30} = 1
x:real | | 1 + 10^{−900} ≤ 1
x:real | | √(10^{20} + 1) = 10^{10}
x:real | | 9007199254740993 = 9007199254740992
x:real | | 1e308·10 = 1e308
x:real | | (−8)^{1/3} = 2
x:real | | 0^{0} = 0
x:real | | 0^{−1} ≥ 0
x:real | | 0/0 = 0
x:real | | (−1)^{1/2} ≥ 0
x:real | x ≥ 0 | x/x = 1
x:real | | x^{0} = 0
x:real | | √(x²) = x
x:real | | (x²)^{1/2} = x
x:real | | (x³)^{1/3} = −x
x:real | x ≤ 0 | √(x²) ≤ x
x:real y:real | | √(x² y²) = x y
x:real | x > 0 | √(x² + 1) = x
x:real | x > 0 | ⌈x⌉ = x
x:real | x > 0 | ⌊x⌋ ≥ x
x:real | x > 0 | ⌈x⌉ ≤ x
x:real y:real | x > 0; y > 0 | ⌊x⌋ + ⌊y⌋ = ⌊x + y⌋
n:count m:count | m ≤ n | ⌈n/m⌉ m = n
n:count | | Σ_{i=1}^{n} i = n²
n:count | | Σ_{i=1}^{n} 1 = n + 1
n:count | | Σ_{i=2}^{n} 1 ≥ 1
n:count | | Σ_{i=n}^{1} 1 = 1
n:count | | Σ_{n=1}^{n} n = n
x:real | x ≥ 1 | Σ_{x=1}^{2} x ≤ 2
q:real n:count | q ≥ 0; q < 1 | Σ_{i=1}^{n} q^{i} ≥ 1
q:real n:count | q ≥ 0; q < 1 | Σ_{i=0}^{n} q^{i} ≤ 1
q:real n:count | q > −1; q < 1 | Σ_{i=0}^{n} q^{i} ≤ 1/(1 − q) − q
x:real y:real | x = y; y ≥ 1 | x ≤ 1
x:real y:real z:real | x = y; y = z + 1; z ≥ 0 | x ≤ 1
x:real y:real | x = y²; y ≤ 2 | x ≤ 4
x:real y:real | x = 1/y; y > 0 | x ≤ y
x:real | x ≥ 1; x ≥ −1 | x ≤ 1
x:real | 1 ≤ x ≤ 3 | 1 ≤ x ≤ 2
x:real | x ∈ [1, 3] | x ∈ [1, 2]
x:real | x ∈ [3, 1] | x ≥ 5
x:real | x > 0 | log(1 + x) ≥ x
x:real | x > 0 | exp(x) ≤ 1 + x
x:real | x > 0 | log x ≥ 0
C:logarithmic n:count | | C ≤ n
`), "\n")

// falseOrders are statements up to a constant that are false, on positive numbers.
var falseOrders = strings.Split(strings.TrimSpace(`
n:count | | n = O(1)
n:count | | n² = O(n)
n:count | | 1 = O(1/n)
n:count | | n = Ω(n²)
n:count | | n = Θ(n²)
n:count | | n log n = O(n)
n:count | | n = Õ(log n)
n:count | | n = Õ(1)
n:count | | √n = Õ(1)
n:count | | n^{1/1000} = Õ(1)
n:count | | exp(log n) = O(1)
n:count | | exp(√(log n)) = Õ(1)
n:count | | 2^{n} = O(n)
n:count | | n^{n} = O(n)
n:count | | log n = O(1)
n:count | | (log n)² = O(log n)
n:count | | max{1/n, 1} = O(1/n)
n:count m:count | | n + m = O(n)
n:count m:count | | n m = O(n + m)
n:count m:count | | n + m = O(min{n, m})
n:count m:count | | max{n, m} = O(√(n m))
n:count b:count | | ⌈n/b⌉ = O(n/b)
n:count b:count | | ⌊n/b⌋ = Ω(n/b)
n:count b:count | b ≤ n | ⌈n/b⌉ = O(1)
n:count b:count | b ≤ n | n = O(b)
n:count x:real | x > 0 | min{n, x} = O(1)
x:real | x > 0 | 1/x = O(1)
x:real | x > 0 | 1 = O(x)
x:real | x > 0 | x + 1 = O(x)
x:real n:count | x > 0 | √(n + x) = O(√n)
x:real n:count | x > 0 | n/(1 + x) = Ω(n)
x:real n:count | x > 0; x ≤ 1/n | 1/x = O(n)
x:real n:count | x > 0; x ≥ 1/n | x = O(1)
x:real n:count | x > 0; x < 0 | n = O(1)
x:real n:count | x > 0; x ≥ n; x ≤ 1/2 | n² = O(n)
C:logarithmic n:count | | C = O(1)
C:logarithmic n:count | | C² = O(C)
C:logarithmic n:count | | n = O(C)
C:logarithmic n:count | | C n = O(n)
C:logarithmic n:count | C = n | C = Õ(1)
n:count m:count | m = n² | m = O(n)
n:count x:real | x = 1/n | 1/x = O(1)
n:count x:real | x = n − n | n = O(1)
n:count | | n = o(n)
n:count | n ≥ 2 | n ≤ Θ(n²)
n:count | | n ≥ O(n²)
n:count | | 1/n = Ω(1)
n:count | n = 10^{9} | n² ≥ Ω(n^{3})
`), "\n")

// entry reads a line of these tables.
func entry(line string) (c *certificate.Certificate) {
	parts := strings.Split(line, "|")
	return &certificate.Certificate{Scope: certificate.All, Symbols: symbols(parts[0]),
		Domain: strings.TrimSpace(parts[1]), Statement: strings.TrimSpace(parts[2])}
}

// No false statement is proved, whatever products of its premises and of symbols are added up for it.
func TestFalsehoods(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	proofs := 60
	if testing.Short() {
		proofs = 8
	}
	tried := 0
	for _, line := range falsehoods {
		c := entry(line)
		c.Kind = certificate.Coefficients
		facts := []string{}
		for _, clause := range strings.Split(c.Domain, ";") {
			fields := strings.SplitN(strings.TrimSpace(clause), " ", 3)
			if len(fields) < 3 {
				continue
			}
			a, sign, b := fields[0], fields[1], fields[2]
			facts = append(facts, map[string]string{"≤": a + " ≤ " + b, "≥": b + " ≤ " + a,
				"<": a + " < " + b, ">": b + " < " + a, "=": a + " ≤ " + b}[sign], b+" ≤ "+a)
		}
		times := []string{"1", "1/2", "2", "0"}
		for _, s := range c.Symbols {
			times = append(times, s.Name, "1/"+s.Name, s.Name+"²", s.Name+"/2")
			facts = append(facts, "1 ≤ "+s.Name, "0 ≤ "+s.Name, "0 < "+s.Name)
		}
		for k := range proofs {
			var by [2][]certificate.Use
			for i := range by {
				for range min(k, r.IntN(4)) {
					u := certificate.Use{Times: times[r.IntN(len(times))]}
					for range r.IntN(3) {
						if len(facts) > 0 {
							u.Facts = append(u.Facts, facts[r.IntN(len(facts))])
						}
					}
					if r.IntN(4) == 0 {
						u.Power = []string{"2", "1/2", "−1", "0", "3"}[r.IntN(5)]
					}
					by[i] = append(by[i], u)
				}
			}
			for _, relations := range []int{1, 2} {
				c.Proof = proof(t, certificate.CoefficientsProof{By: by[:relations]})
				tried++
				if checker.Check(c) == nil {
					t.Fatalf("accepted: %s by %s", line, c.Proof)
				}
			}
		}
	}
	for _, line := range falseOrders {
		c := entry(line)
		c.Kind = certificate.Order
		for k := range proofs {
			p := certificate.OrderProof{Constant: []string{"1", "1000000", "1/2", "1e300"}[r.IntN(4)]}
			one := map[string]string{}
			for _, s := range c.Symbols {
				one[s.Name] = fmt.Sprint(r.IntN(5) - 2)
				p.Monomials = append(p.Monomials, map[string]string{s.Name: fmt.Sprint(r.IntN(5) - 2)})
				if r.IntN(2) == 0 {
					p.Powers = map[string]string{s.Name: fmt.Sprint(r.IntN(4))}
				}
			}
			p.Monomials = append(p.Monomials, one, map[string]string{})
			for range min(k, 3) {
				f := certificate.Fact{Left: map[int]string{r.IntN(len(p.Monomials)): "1"}, Free: r.IntN(3) == 0,
					Right: map[int]string{r.IntN(len(p.Monomials)): "1"}}
				if r.IntN(2) == 0 {
					f.Rows = map[int]string{r.IntN(3): []string{"1", "2", "1/2", "−1"}[r.IntN(4)]}
				}
				p.Facts = append(p.Facts, f)
			}
			c.Proof = proof(t, p)
			tried++
			if checker.Check(c) == nil {
				t.Fatalf("accepted: %s by %s", line, c.Proof)
			}
		}
	}
	t.Log(tried, "proofs")
}

// truths hold at every point of their domains.
var truths = strings.Split(strings.TrimSpace(`
x:real | | x² ≥ 0
x:real | x ≥ 0 | √x ≥ 0
x:real | x > 0 | x/x = 1
x:real | x > 0 | exp(log x) = x
x:real | x ≥ 0 | ⌈x⌉ ≥ x
x:real | x ≥ 0 | ⌈x⌉ < x + 1
x:real | x > 0 | x + 1 > x
x:real | x > 0 | log(1 + x) < x
n:count | | n ≥ 1
n:count | | n² ≥ n
n:count | n < 2 | n = 1
n:count m:count | m = √n | m² = n
n:count m:count | m ≤ n; n ≤ m | m = n
n:count | | ⌊n⌋ = n
n:count | | Σ_{i=1}^{n} i = n(n + 1)/2
n:count | | Σ_{i=1}^{n} 1 = n
x:real | x ≥ 0; x ≤ 0 | x = 0
x:real | x ≥ 1; x ≤ 0 | x = 7
C:logarithmic n:count | | C ≥ 1
x:real y:real | x = y | y = x
x:real | 0 < x ≤ 1 | x ∈ [0, 1]
x:real | x ≥ 0 | √x √x = x
x:real | | 0.1 + 0.2 = 0.3
x:real | | 10^{−400} > 0
x:real | | 1 + 10^{−900} > 1
x:real | | √2·√2 = 2
x:real | | 2^{3^{2}} = 512
`), "\n")

// What is true is refuted at no point, in whatever words its values are.
func TestTruths(t *testing.T) {
	values := []string{"0", "1", "−1", "1/2", "2", "√2·√2", "10^{400}", "10^{−400}", "⌈√2⌉", "log 2",
		"1e-400", "1e400", "∞", "0/0", "1/0", "√(−1)", "exp(1000000)", "(1/3)·3", "2^{1/2}", "x", "n", "y",
		"m", "1 − 10^{−300}", "1 + 10^{−300}", "exp(exp(100))", "9007199254740993", "Σ_{i=1}^{0} i",
		"min{1, 2}", "−0", "10^{10^{10}}", "√(10^{−600})", "⌊1 − 10^{−300}⌋", "(−1)^{1/3}", "0^{0}", "", "1 2"}
	tried := 0
	for _, line := range truths {
		c := entry(line)
		c.Kind, c.Scope, c.Refutes = certificate.Point, "", true
		for i, v := range values {
			p := certificate.PointProof{Values: map[string]string{}}
			for k, s := range c.Symbols {
				p.Values[s.Name] = values[(i*(1+4*k)+k)%len(values)]
			}
			if len(c.Symbols) == 1 {
				p.Values[c.Symbols[0].Name] = v
			}
			c.Proof = proof(t, p)
			tried++
			if checker.Check(c) == nil {
				t.Errorf("refuted: %s by %s", line, c.Proof)
			}
		}
	}
	t.Log(tried, "points")
}

// What is no proof of its kind is refused: of sizes that there are not, of nothing, of numbers that are
// none, along curves that leave the domain or on which nothing grows.
func TestNoProofs(t *testing.T) {
	size := certificate.ListingSizes{Clients: 2, Chosen: 1, Data: 1, Sample: 1, Steps: 2}
	with := func(change func(*certificate.ListingSizes)) certificate.ListingSizes {
		s := size
		change(&s)
		return s
	}
	certificates := map[string]*certificate.Certificate{}
	bracket := func(name string, e certificate.Ends) {
		p := certificate.BracketProof{e}
		certificates["bracket "+name] = &certificate.Certificate{Kind: certificate.Bracket,
			Scope: certificate.Sizes, Statement: p.Statement(), Covers: p.Covers(), Proof: proof(t, p)}
	}
	for name, change := range map[string]func(*certificate.ListingSizes){
		"without steps":              func(s *certificate.ListingSizes) { s.Steps = 0 },
		"of negative steps":          func(s *certificate.ListingSizes) { s.Steps = -1 },
		"without clients":            func(s *certificate.ListingSizes) { s.Clients = 0 },
		"of negative clients":        func(s *certificate.ListingSizes) { s.Clients = -2 },
		"that chooses nobody":        func(s *certificate.ListingSizes) { s.Chosen = 0 },
		"that chooses more than all": func(s *certificate.ListingSizes) { s.Chosen = 3 },
		"without data":               func(s *certificate.ListingSizes) { s.Data = 0 },
		"of no sample":               func(s *certificate.ListingSizes) { s.Sample = 0 },
		"of too large a sample":      func(s *certificate.ListingSizes) { s.Sample = 2 },
	} {
		bracket(name, certificate.Ends{Size: with(change), Least: "1/1000", Most: "1000", Clients: []int64{0, 1, 1}})
	}
	bracket("of one client", certificate.Ends{Size: with(func(s *certificate.ListingSizes) { s.Clients = 1 }),
		Least: "1/1000", Most: "1000", Clients: []int64{0, 1, 1}})
	for name, ends := range map[string][2]string{"from above to below": {"2", "1"}, "at 0": {"0", "0"},
		"below 0": {"-2", "-1"}, "far above": {"1000000", "1000001"}, "of no numbers": {"x", "∞"},
		"of a quotient by 0": {"1/0", "2/0"}, "from a huge exponent": {"1e999999", "1e9999999"}} {
		bracket(name, certificate.Ends{Size: size, Least: ends[0], Most: ends[1], Clients: []int64{1, 1, 1}})
	}
	bracket("without an instance", certificate.Ends{Size: size, Least: "1", Most: "2"})
	bracket("of negative steps", certificate.Ends{Size: size, Least: "1", Most: "2", Clients: []int64{-1, -1, -1}})
	bracket("of weights beyond 1", certificate.Ends{Size: size, Least: "1", Most: "2",
		Data: []int64{1, 1, 1}, Weights: []string{"2", "-1", "0"}})
	rows := func(name string, refutes bool, count int, r ...certificate.Row) {
		c := &certificate.Certificate{Kind: certificate.Enumeration, Refutes: refutes,
			Statement: certificate.Compared("all"), Proof: proof(t, certificate.EnumerationProof{
				Comparisons: count, Rows: r, Digest: certificate.Lines(r)})}
		if !refutes {
			c.Scope = certificate.All
		}
		certificates["enumeration "+name] = c
	}
	row := func(measured, relation, claimed string) certificate.Row {
		return certificate.Row{What: "x", Measured: measured, Relation: relation, Claimed: claimed}
	}
	rows("that fails", false, 1, row("2", "<=", "1"))
	rows("that holds and refutes", true, 1, row("1", "<=", "2"))
	rows("near enough", false, 1, row("1", "~", "1"))
	rows("in another relation", false, 1, row("1", "≤", "2"))
	rows("with no relation", false, 1, row("1", "", "1"))
	rows("of no numbers", false, 1, row("NaN", "==", "NaN"))
	rows("of infinities", false, 1, row("1", "<=", "Inf"))
	rows("of a quotient by 0", false, 1, row("1/0", "==", "1/0"))
	rows("of too few", false, 2, row("1", "<=", "2"))
	rows("of too many", false, 1, row("1", "<=", "2"), row("1", "<=", "3"))
	rows("of a negative number of rows", false, -1, row("1", "<=", "2"))
	rows("of none", false, 0)
	rows("that rounds", false, 1, row("9007199254740993", "==", "9007199254740992"))
	growth := func(name, line string, p certificate.GrowthProof) {
		c := entry(line)
		c.Kind, c.Scope, c.Refutes, c.Proof = certificate.Growth, "", true, proof(t, p)
		certificates["growth "+name] = c
	}
	at := func(values string) map[string]string {
		out := map[string]string{}
		for _, v := range strings.Fields(values) {
			name, value, _ := strings.Cut(v, "=")
			out[name] = value
		}
		return out
	}
	along := func(name string, e int64) map[string]int64 { return map[string]int64{name: e} }
	n := "n:count | | n = O(n)"
	growth("of equal sides", n, certificate.GrowthProof{At: at("n=1"), Exponents: along("n", 1), Gap: "1"})
	growth("without a gap", n, certificate.GrowthProof{At: at("n=1"), Exponents: along("n", 1), Gap: "0"})
	growth("of a negative gap", n, certificate.GrowthProof{At: at("n=1"), Exponents: along("n", 1), Gap: "-1"})
	growth("of a point", "n:count | | n² = O(n)", certificate.GrowthProof{At: at("n=1"), Gap: "1"})
	growth("of shrinking counts", "n:count | | 1/n = O(1)",
		certificate.GrowthProof{At: at("n=1"), Exponents: along("n", -1), Gap: "1"})
	growth("of huge exponents", n,
		certificate.GrowthProof{At: at("n=1"), Exponents: along("n", 1<<62), Gap: "1"})
	growth("of exponents that overflow", "n:count | | n = O(n³)",
		certificate.GrowthProof{At: at("n=1"), Exponents: along("n", 1<<62), Gap: "1"})
	growth("out of a range", "n:count x:real | x > 0; x ≤ 1 | x = O(1)",
		certificate.GrowthProof{At: at("n=1 x=1"), Exponents: along("x", 1), Gap: "1"})
	growth("through a premise", "n:count b:count | | b ≤ n; b = O(n)",
		certificate.GrowthProof{At: at("n=1 b=1"), Exponents: along("b", 1), Gap: "1"})
	growth("from a negative number", "n:count x:real | x > 0 | x = O(x)",
		certificate.GrowthProof{At: at("n=1 x=−1"), Exponents: along("x", 1), Gap: "1"})
	growth("of a logarithm", "C:logarithmic | | C = Õ(1)",
		certificate.GrowthProof{At: at("C=1"), Exponents: along("C", 1), Gap: "1"})
	growth("in the other direction", "n:count | | n = O(n²)",
		certificate.GrowthProof{At: at("n=1"), Exponents: along("n", 1), Gap: "1", Inverse: true})
	squares := func(name, domain, statement string, symbol string, products map[string][2]string,
		by ...[]certificate.Summand) {
		c := entry(symbol + " | " + domain + " | " + statement)
		for i := range c.Symbols {
			if of, ok := products[c.Symbols[i].Name]; ok {
				c.Symbols[i].Means = certificate.Inner(of)
			}
		}
		c.Kind = certificate.Quadratic
		c.Proof = proof(t, certificate.QuadraticProof{Vectors: []string{"u", "v"}, Products: products, By: by})
		certificates["quadratic "+name] = c
	}
	norm := map[string][2]string{"a": {"u", "u"}, "b": {"v", "v"}}
	of := func(s ...certificate.Summand) []certificate.Summand { return s }
	squares("of a norm", "", "a ≤ 0", "a:real b:real", norm, of(certificate.Summand{Square: "u", Times: "1"}))
	squares("of a negative multiple", "", "a ≤ 0", "a:real b:real", norm,
		of(certificate.Summand{Square: "u", Times: "−1"}))
	squares("of an unknown multiple", "", "a ≤ 0", "a:real b:real x:real", norm,
		of(certificate.Summand{Square: "u", Times: "x"}))
	squares("of its own conclusion", "", "a ≤ b", "a:real b:real", norm,
		of(certificate.Summand{Fact: "a ≤ b", Times: "1"}))
	squares("of an imaginary factor", "", "a ≤ 0", "a:real b:real", norm,
		of(certificate.Summand{Square: "√(−1)u", Times: "1"}))
	squares("of a foreign vector", "", "a ≤ 0", "a:real b:real", norm,
		of(certificate.Summand{Square: "w", Times: "1"}))
	squares("of a product for a norm", "", "a ≥ 0", "a:real", map[string][2]string{"a": {"u", "v"}},
		of(certificate.Summand{Square: "u", Times: "1"}))
	squares("of nothing", "", "a ≤ b", "a:real b:real", norm)
	for name, c := range map[string]certificate.Certificate{
		"of a part":     {Scope: certificate.Sizes, Covers: "n = 2", Statement: "x"},
		"that refutes":  {Refutes: true, Statement: "x"},
		"of a domain":   {Scope: certificate.All, Domain: "x ≥ 1", Statement: "x"},
		"of no words":   {Scope: certificate.All},
		"of no scope":   {Statement: "x"},
		"of two scopes": {Scope: certificate.All, Covers: "n = 2", Statement: "x"},
	} {
		c.Kind = certificate.Theorem
		c.Proof = proof(t, certificate.TheoremProof{Name: "x", Sources: strings.Repeat("0", 64)})
		certificates["theorem "+name] = &c
	}
	for name, c := range certificates {
		if err := checker.Accept(c); err == nil {
			t.Errorf("accepted: %s: %s: %s by %s", name, c.Domain, c.Statement, c.Proof)
		} else if testing.Verbose() {
			t.Log(name, err)
		}
	}
}
