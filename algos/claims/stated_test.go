package claims

import (
	"strconv"
	"strings"
	"testing"

	"sledge/props"
	"sledge/props/certificate/checker"
	"sledge/props/ledger"
	"sledge/props/proptest"
)

// stated makes the check of a statement such as "cost of SAGA with b = n: full = 1".
func stated(text string) (props.Check, error) {
	head, statement, _ := strings.Cut(text, ": ")
	head, share, _ := strings.Cut(head, " with probability ")
	of, method, _ := strings.Cut(head, " of ")
	method, with, _ := strings.Cut(method, " with ")
	method, family, _ := strings.Cut(method, " on ")
	rate, _ := strconv.ParseFloat(share, 64)
	check, _, err := Stated()(ledger.Runs{Of: of, Method: method, With: with, Family: family,
		Statement: statement, Rate: rate, Chance: share})
	return check, err
}

// summand is that of the error of SLEDGE.
const summand = "((|Ĩ_s^t|/b)Σ_{i∈I^s}(∇f_i(x^s) − ∇f_i(x^{s−1})) − Σ_{i∈Ĩ_s^t}(∇f_i(x^s) − ∇f_i(x^{s−1})))"

// False twins of what the ledger says are refuted: a cost that is off by one, a parameter that is
// another, a premise that is missing, sides that are exchanged.
func TestStatedTwinsAreRefuted(t *testing.T) {
	twins := map[string]props.Check{}
	for _, text := range []string{
		"cost of SAGA: gradients = n + bT + 1",
		"cost of SAGA: full = 0",
		"cost of SAGA: memory = (n + 2)d",
		"cost of SVRG with m: full = 1 + ⌈t/m⌉",
		"cost of SVRG with m, b = n: gradients = n(1 + ⌊T/m⌋) + 2(T − ⌊T/m⌋)",
		"cost of SARAH with m: held ≤ 3d",
		"cost of SLEDGE-II with Schedule = b(1 + ⌊t/m⌋ − ⌊(t − 1)/m⌋): gradients = n + 2bT",
		"cost of Nested SVRG with Lengths = (2, m + 1), Sizes = (b, 1): full = 1 + ⌊t/(m + 1)⌋",
		"cost of PAGE with p = w: gradients = n + 2bT",
		"cost of literal FLEDGE-I: gradients = pKb + T(2(K − 1)b + 2pKb)",
		"runs of SLEDGE-II with r: are runs of literal SLEDGE-II",
		"runs of SPIDER-SFO with ε = 0.5, Normalized: are scaled with the problem",
		"runs of PAGE with p = 1/2: are runs of SARAH with m = 3 if heads = ⌊(t + 1)/3⌋",
		"runs of Hybrid-SGD with β = 0, b₀ = b: are runs of SGD",
		"runs of SCAFFOLD-II with p = 1, b = N, Warm: have the points of GD every 2K steps if T = 1, ζ = 0",
		"cost of FedAvg: down = Tp + 1",
		"cost of SLEDGE-I: distinct = b + 2bT",
		"cost of SLEDGE-II: distinct = n + 2bT − shared",
		"cost of FLEDGE-II: clients = p",
		"cost of FLEDGE-II: rounds = T",
		"cost of FLEDGE-II: synced ≤ 1",
		"cost of FLEDGE-I: started = P",
		"cost of SCAFFOLD-II with Warm: gradients = TpKb",
		"cost of BVR-L-SGD with s: up = P + PT",
		"runs of STORM with a = 1/2: are runs of SGD",
		"runs of SARAH with b = n − 1: are runs of GD if n ≥ 2",
		"runs of SLEDGE-II: are runs of GD",
		"runs of SLEDGE-II: are runs of SARAH with m = T + 1 if T = 2",
		"runs of SVRG with m = 3: have the points of SARAH with m = 3",
		"runs of SLEDGE-I: have next errors of mean 1 times the last",
		"runs of ZeroSARAH-I with λ = w: have next errors of mean 1 − w/2 times the last",
		"runs of FedAvg with p = P, b = N: have the points of GD",
		"runs of FedVARP: are runs of FedAvg",
		"runs of Neon2 on wells: ‖w‖ = 2",
		"runs of Neon2 on wells: curvature ≤ −δ",
		"runs of Neon2 on saddles with probability 0.95: found = 0",
		"cost of Neon2: gradients = drawn",
		"cost of Neon2: full ≥ 1",
		"cost of deterministic Neon2: full ≤ ⌈C log(d/p)√(L/δ)⌉ + 2",
		"cost of deterministic Neon2: gradients = n full + 1",
		"runs of MimeMVR with K = 1, a = w: have the points of STORM with a = w/2",
		// the error without the oldest steps, with sets of others, without what is left of the start
		"steps of SLEDGE-II: v^t − ∇f(x^t) = (1/n)Σ_{s=2}^t" + summand,
		"steps of SLEDGE-II: v^t − ∇f(x^t) = (1/n)Σ_{s=1}^t" + summand +
			" where Ĩ_s^t = [n] ∖ ∪_{r=s+1}^t I^r",
		"steps of SLEDGE-I: v^t − ∇f(x^t) = (1/n)Σ_{s=1}^t" + summand,
		"steps of SLEDGE: v^t − ∇f(x^t) = (1/n)Σ_{s=1}^t" + summand + " if n ≥ 2",
		"steps of SLEDGE-II: v^t = ∇f(x^t)",
		// a split into parts, the inequality of Cauchy, and inner products with a part too little
		"steps of SLEDGE-II: ‖v^t‖² ≤ 2‖∇f(x^t)‖² + ‖v^t − ∇f(x^t)‖²",
		"steps of SLEDGE-II: ‖v^t − v^0‖² ≤ (t − 1)Σ_{s=1}^t‖v^s − v^{s−1}‖² if n ≥ 2",
		"steps of SLEDGE-II: ⟨v^t,∇f(x^t)⟩ = (1/2)(‖v^t‖² + ‖∇f(x^t)‖² + ‖v^t − ∇f(x^t)‖²)",
		"steps of FLEDGE: ‖v^{t,k−1} − v^{t,0}‖² ≤ ‖∇f(x^{t,k−1})‖²",
		"steps of SLEDGE-I: v^t = ∇f(x^t) if ζ = 0",
		"steps of SLEDGE-II: y_i^t = ∇f_i(x^t) for i ∉ I^t",
		"steps of SLEDGE with r: x^t = x^{t−1} − ηv^{t−1}",
		"steps of SLEDGE: (1/n)Σ_i y_i^t = (1/n)Σ_i y_i^{t−1}",
		// SAGA's target with other sets, other last steps, values, or too many steps
		"steps of SLEDGE-II: Σ_i(∇f_i(x^t) − ∇f_i(x^{T(t,i)})) = " +
			"Σ_{s=1}^tΣ_{i∈Ĩ_s^{t−1}}(∇f_i(x^s) − ∇f_i(x^{s−1}))",
		"steps of SLEDGE-II: Σ_i(∇f_i(x^t) − ∇f_i(x^{T(t,i)})) = " +
			"Σ_{s=1}^nΣ_{i∈Ĩ_s^t}(∇f_i(x^s) − ∇f_i(x^{s−1})) if n = 2, T = 2",
		"steps of SLEDGE-II: Σ_i(∇f_i(x^t) − ∇f_i(x^{T(t,i)})) = " +
			"Σ_{s=1}^tΣ_{i∈Ĩ_s^t}(f_i(x^s) − f_i(x^{s−1})) if d = 1",
		"steps of SAGA: ∇f(x^t) − v^t = (1/n)Σ_i(∇f_i(x^t) − ∇f_i(x^{T(t,i)}))",
		"steps of SARAH with m: ∇f(x^t) − v^t = ∇f(x^{t−1}) − v^{t−1}",
		"steps of SLEDGE-II: |Ĩ_s^t| = n − b",
		"steps of SLEDGE-II: Ĩ_s^t = Ĩ_1^t",
		"steps of FLEDGE: x^{t,k} = x^{t,k−1} − ηv^t + ξ^{t,k}",
		"steps of FLEDGE with b = N: v^{t,k−1} = ∇f(x^{t,k−1})",
		"steps of FLEDGE: E_{|J|=b}(1/(bK))Σ_{j∈J} ∇f_ij(x^t) = ∇f_i(x^t)",
		"steps of SCAFFOLD-II: c^t = c_i^t",
		"messages of FLEDGE: lacking = 0 if x^{t−1} to i_t, x^t to I^t, x^t to server",
		"messages of FLEDGE: sent = (3p + 2)T if x^{t−1} to i_t, x^t to I^t, x^t to server",
		"messages of FLEDGE: clients ≤ p",
		"instances of efficient updates: touched = 17bd + d",
		"instances of efficient updates: touched ≤ 18bd; stored = 2n d",
		"instances of single perturbations: ‖ξ‖ ≤ 0.9r",
		"instances of Hessians: ζ ≤ 1.9L",
		"instances of Hessians: ζ ≤ 0.9(top − bottom)",
		"instances of one-dimensional clients: ζ ≤ 1.8ζ'",
		"instances of one-dimensional clients: ζ ≤ 0.9apart",
		"instances of one-dimensional clients: far ≤ V",
		"instances of one-dimensional clients: far ≤ (n − 2)V",
		"instances of one-dimensional clients: 1.1V ≤ far",
		"instances of clients alike: ζ = by",
		"instances of clients alike: ζ' ≥ h + 1",
		"instances of certified quadratics: ζ ≤ 1.9ζ'",
		"instances of certified quadratics: 1.1σ_c ≤ G_c",
		"instances of certified quadratics: G_c ≤ √(n/2)σ_c",
		"instances of all minibatches: chosen = (b/n)",
		"instances of all minibatches: idle = 1",
		"instances of all minibatches: shared = b/n",
		"instances of all minibatches: sampled = sum",
		"instances of tables: before = 0; after = 0",
		"instances of tables: after = −p/P",
		"steps of SLEDGE with r: z^t = ∇f(x^t)",
		"steps of SLEDGE with r: z^t = (1/n)Σ_i y_i^{t−1}",
		"steps of SLEDGE with r: u^t = 17bd",
		"steps of FLEDGE with r: z^t = (1/P)Σ_i y_i^{t−1}",
		"steps of FLEDGE with r: u^t = 18bd",
		"means of minibatches: chosen = (b + 1)/n; within 0.02",
		"means of minibatches: both = b²/n²; within 0.02",
		"messages of FLEDGE: least ≥ 4p if T ≥ 2",
		"errors of SARAH with m: E‖v−∇f‖² = last + S variance",
		"errors of PAGE with p: E‖v−∇f‖² = (1 − p/2)(last + S variance)",
		"errors of PAGE with p: E‖v−∇f‖² ≤ (1 − p)(last + S ζ² step²/8)",
		"errors of SAGA: E‖v−∇f‖² ≤ S stale/8",
		"errors of SLEDGE-II: E‖v−∇f‖² ≤ (1 − b/n)(last + ζ² step²/(9b))",
	} {
		check, err := stated(text)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		twins[text] = check
	}
	proptest.Refuted(t, twins)
}

// What a text divides by a number is decided exactly over formal gradients, and by runs alone where
// that has denominators that no run has.
func TestStepsWithFractions(t *testing.T) {
	for text, want := range map[string]props.Verdict{
		"(3/10)‖v^t‖² ≤ ‖v^t‖²":                              props.Proved,
		"(3/10)‖v^t‖² = (1/10)‖v^t‖² + (1/5)‖v^t‖²":          props.Proved,
		"(3/10)‖v^t‖² ≤ (29/100)‖v^t‖²":                      props.Refuted,
		"‖(3/10)v^t‖² = (3/10)²‖v^t‖²":                       props.Proved,
		"‖(3/10)v^t‖² ≤ (2/25)‖v^t‖²":                        props.Refuted,
		"(3/5)⟨v^t,v^0⟩ ≤ (9/10)‖v^t‖² + (1/10)‖v^0‖²":       props.Proved,
		"(3/10)v^t = (1/10)v^t + (1/5)v^t":                   props.Proved,
		"(3/10)v^t = (1/10)v^t":                              props.Refuted,
		"q^t = (1/7)v^t where q^t = v^t/7":                   props.Proved,
		"(1/3)|I^t| = (1/2)|I^t| − (1/6)|I^t|":               props.Proved,
		"(1/2)|I^t| − (1/6)|I^t| − (1/3)|I^t| = b − b":       props.Proved,
		"(1/3)|I^t| = (1/2)|I^t| − (1/7)|I^t|":               props.Refuted,
		"|I^t|/(n + 4) = b/(n + 4)":                          props.Proved,
		"(1/1009)‖v^t‖² ≤ (1/1008)‖v^t‖²":                    props.Consistent,
		"(1/1009)v^t = (1/1008)v^t":                          props.Refuted,
		"v^t + (1/1000000000000)(1/1000000000)v^t = v^t":     props.Consistent,
		"(100000000)²v^t + (1/100)v^t = (100000000)²v^t":     props.Consistent,
		"(10)^{18}v^t + v^t = (10)^{18}v^t":                  props.Consistent,
		"(n + n)^{40}v^t + v^t = (n + n)^{40}v^t":            props.Consistent,
		"Σ_{s=1}^{⌊t/2⌋}(x^s − x^{s−1}) = x^{⌊t/2⌋} − x^{0}": props.Proved,
	} {
		r := verdictOf(t, "steps of SLEDGE-II: "+text)
		if r.Verdict != want || r.Err != "" {
			t.Errorf("%s is %v %s, want %v", text, r.Verdict, r.Err, want)
		}
	}
}

// verdictOf tries a statement.
func verdictOf(t *testing.T, text string) *props.Result {
	results, err := props.Run(t.Context(), []props.Claim{{ID: "stated", Statement: text,
		Expect: props.Refuted, Check: props.Must(stated(text))}},
		props.Config{Check: checker.Accept})
	if err != nil {
		t.Fatal(err)
	}
	return &results[0]
}

// A name of something that a run does not have is told, with its indices and the instance, and so
// is an index that is no whole number.
func TestStepsOfWhatIsNotThere(t *testing.T) {
	for _, text := range []string{
		"steps of SLEDGE-II: v^t = (1/b)Σ_{i∈I^{t−1}} ∇f_i(x^t)",
		"steps of SLEDGE-I: ∇f(x^{t−2}) = v^{t−2}",
		"steps of SLEDGE: v^i = v^t",
		"steps of SLEDGE with r: ξ^{t−1} = ξ^t",
		"steps of SLEDGE-II: Ĩ_{s−1}^t = Ĩ_s^t",
		"steps of SARAH with m: v^{t−m} = v^t",
		"steps of FLEDGE: ‖v^{t,K}‖² ≤ ‖v^{t,0}‖²",
		"steps of FLEDGE: x^{t,k} = x^{k,t}",
		"steps of FLEDGE: ∇f(x^{t,t}) = ∇f(x^t)",
		"steps of FLEDGE with r: ξ^{t,k−1} = ξ^{t,k}",
		"steps of FLEDGE: Σ_{j∈J^{t,k−1}} ∇f_ij(x^t) = 0",
		"steps of FLEDGE: Σ_{j∈J_i^t} ∇f_ij(x^t) = ∇f_i(x^t)",
		"steps of FLEDGE: i_{t−1} = i_t",
		"steps of FLEDGE: T(t−2,i) = T(t,i)",
	} {
		if r := verdictOf(t, text); r.Verdict != props.Error || strings.Contains(r.Err, "\n") ||
			!strings.Contains(r.Err, ", which the run does not have") {
			t.Errorf("%s is %v: %s", text, r.Verdict, r.Err)
		}
	}
	for _, text := range []string{"steps of SLEDGE-II: v^{t−η} = v^t",
		"steps of SLEDGE: Σ_{s=η}^t v^s = Σ_{s=1}^t v^s"} {
		if r := verdictOf(t, text); r.Verdict != props.Error || strings.Contains(r.Err, "\n") ||
			!strings.Contains(r.Err, ", and no whole number") {
			t.Errorf("%s is %v: %s", text, r.Verdict, r.Err)
		}
	}
}

// What a method does where it compares gradients with a number is no cost for all functions, however
// small or large the number: runs over unknown gradients are of several lengths.
func TestCostsOfMethodsThatLookAtGradients(t *testing.T) {
	for _, text := range []string{
		"cost of SPIDER-SFO with m, ε = 1e-6, Normalized: gradients = n(1 + ⌊T/m⌋) + 2b(T − ⌊T/m⌋)",
		"cost of SSRGD with m, r = 0.1, Threshold = 1e6: " +
			"gradients = n(1 + ⌊T/m⌋ + ⌈T/m⌉) + 2b(T − ⌊T/m⌋)",
		"cost of Stabilized SVRG with m, r = 0.1, Threshold = 1e9: " +
			"gradients = n(1 + ⌊T/m⌋) + 2b(T − ⌊T/m⌋ + ⌈T/m⌉)",
	} {
		if r := verdictOf(t, text); r.Verdict != props.Refuted ||
			!strings.Contains(r.Evidence[0].Note, "fails, of gradients") {
			t.Errorf("%s is %v %v: %s", text, r.Verdict, r.Err, r.Evidence[0].Note)
		}
	}
}

// Where sizes come in threes with one period after the other, three times three of them have each
// period with each length.
func TestLengthsOfUnknowns(t *testing.T) {
	for period := range len(lengths) {
		met := map[float64]bool{}
		for size := range len(lengths) {
			met[lengthOf(len(lengths)*size+period)] = true
		}
		if len(met) != len(lengths) {
			t.Errorf("period %d meets %d lengths of %d", period, len(met), len(lengths))
		}
	}
}

// What is not understood is refused, at the character where it stands.
func TestStatedErrors(t *testing.T) {
	for text, want := range map[string]string{
		"cost of SAGAA: full = 1":                         `there is no method "SAGAA"; they are SLEDGE-I`,
		"cost of literal SAGA: full = 1":                  `there is no method "literal SAGA"`,
		"cost of SAGA with b = n, λ = 1: full = 1":        "character 8: SAGA has no parameter λ; it has",
		"means of rounds: chosen = b/n; within 0.02":      "there are means of minibatches, and of nothing",
		"means of minibatches: chosen = b/n":              `behind means stands how near they are`,
		"means of minibatches: chosen = b/n; within 2":    `behind means stands how near they are`,
		"means of minibatches: chosen = b/m; within 0.02": "m is no known symbol",

		"means of minibatches: touched = b/n; within 0.02": "touched is no share of minibatches; known are n, b, both",

		"means of minibatches: n chosen = b; within 0.02":             "what is said of a mean has it alone on",
		"cost of SAGA with b: full":                                   "character 1: a relation is wanted",
		"cost of SAGA with b = : full = 1":                            "character 4: the formula ends too early",
		"cost of SAGA with TwoDraws = 1: full = 1":                    "TwoDraws is a flag",
		"cost of SAGA with η: full = 1":                               "η is a flag, or has a value",
		"cost of SAGA: full = 1; clients = 2":                         "character 11",
		"cost of SAGA: gradients = n + bt":                            "t stands beside full",
		"cost of SAGA: full = O(1)":                                   "what is measured is compared by",
		"cost of SAGA: full < 2":                                      "what is measured is compared by",
		"runs of SAGA: are turned with the problem":                   "shifted, rotated, scaled or",
		"runs of FedAvg: are relabelled with the problem":             "of a finite sum or FLEDGE, relabelled",
		"runs of SAGA: are those of GD":                               "runs are runs of METHOD",
		"runs of SAGA: are runs of FedAvg":                            "a method for finite sums",
		"runs of SAGA: are runs of GD if ζ ≤ 1":                       "only ζ = 0",
		"runs of SAGA: are runs of GD if n ≤":                         "character 22",
		"runs of SAGA: are runs of STORM with a = q":                  "character 28: q is",
		"runs of SAGA: have next errors of mean n n q times the last": "q",
		"runs of XYZ: are runs of its naive form":                     "no naive form of a method",
		"constants of flat: hold along runs of SGD and FedAvg":        `there is no family "flat"`,
		"constants of pl: hold":                                       "constants of FAMILY: hold along",
		"constants of pl: hold along runs of SGD and X":               `there is no method "X"`,
		"growth of SGD: gradients = Θ(n)": "of the growth of a " +
			"method nothing is known here",
		"runs of SAGA: gap ≤ Δ":                         "on a family of problems",
		"runs of SAGA: are runs of SAGA":                "SAGA is compared with itself",
		"cost of SAGA: full = 1e400":                    "character 8: 1e400 is larger than any",
		"cost of SAGA: gradients = n + log(-1)T":        "character 17: log(−1) is not defined",
		"cost of SAGA with b = 1/(2 − 2): full = 1":     "character 7: it is divided by 0",
		"messages of SLEDGE-I: sent = 1":                "messages are those of FLEDGE",
		"messages of FLEDGE: sent = 1 if y to I^t":      "character 13: messages are server has got",
		"messages of FLEDGE: received = 1":              "character 1: received",
		"errors of GD: full = 1":                        "full",
		"errors of GD: step = before":                   "one relation is stated: E‖v−∇f‖² = or ≤",
		"errors of GD: E‖v−∇f‖² ≥ last":                 "one relation is stated",
		"errors of FedAvg: E‖v−∇f‖² ≤ last":             "of errors of a method for finite sums",
		"errors of SAGA: E‖v−∇f‖² ≤ ζ² step/b":          "E‖v−∇f‖² has the unit f²/x²",
		"errors of SAGA: E‖v−∇f‖² ≤ S(ζ² step + stale)": "ζ²step has the unit f²/x³, but stale",

		"instances of updates: touched = 1": `there are no instances of "updates"; there are instances`,

		"instances of efficient updates: read = 1":              "read",
		"instances of Hessians: ζ' ≤ 2L":                        "ζ' is not known here; known are L, bottom, top, ζ",
		"instances of one-dimensional clients: far ≤ √(n − 1)V": "compared by sums, products and quotients",
		"steps of SAGA: z^t = v^t":                              "character 1: z^t is nothing that is known",
		"steps of SAGAA: v^t = 0":                               `there is no method "SAGAA"`,
		"steps of SAGA: y_i^t = 0":                              "character 1: y_i^t is nothing that is known",
		"steps of GD: x^{t,k} = 0":                              "character 1: x^{t,k} is nothing that is known",
		"steps of GD: x^{t/2} = 0":                              "character 4: the index t/2 is",
		"steps of GD: x^t = f_i(x^t)":                           "a number does not equal a vector",
		"steps of GD: x^t + η = 0":                              "a vector and a number have no sum",
		"steps of GD: x^t = 0 if ζ ≤ 1":                         "only ζ = 0",
		"runs of Neon2 on wells: found = 1":                     "found is not known here; known are",
		"runs of Neon2 on hills: found = 1":                     `there are no runs of "Neon2 on hills"`,
		"runs of Neon2 on saddles with probability 0.95: δ ≥ 0": "known is found",
		"steps of Neon2: x^t = 0":                               `there are no steps of "Neon2"`,
	} {
		_, err := stated(text)
		if err == nil {
			t.Errorf("%s is taken", text)
			continue
		}
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// Whatever is typed, it is made a check of or refused.
func FuzzStated(f *testing.F) {
	f.Add("cost of SAGA with b = (n, 2), Warm: full = 1; memory = (n + 3)d")
	f.Add("runs of STORM with a = w: are runs of SGD with b = n if T = 1, ζ = 0")
	f.Add("runs of SAGA: have next errors of mean 1 − b/n times the last")
	f.Add("cost of FedAvg with K = ⌊P/p⌋: clients = p")
	f.Add("messages of FLEDGE: sent = (3p + 2)T if x^{t−1} to i_t, x^t to I^t, p ≤ P − 2")
	f.Add("errors of PAGE with p: E‖v−∇f‖² ≤ (1 − p)(last + S ζ² step²/2)")
	f.Add("runs of Neon2 on saddles with probability 0.95: found = 1")
	f.Add("cost of deterministic Neon2: full ≤ ⌈C log(100d/p)√(L/δ)⌉ + 2")
	f.Add("steps of FLEDGE with b = N: v^{t,k} = Σ_{j∈J} ∇f_j(x^{t,k}) where J = [n] if T ≥ n, d = 1")
	f.Fuzz(func(t *testing.T, text string) {
		if check, err := stated(text); (check == nil) == (err == nil) {
			t.Errorf("%v, %v", check, err)
		}
	})
}
