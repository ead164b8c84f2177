package checker

import (
	"fmt"
	"math/big"
	"slices"

	"sledge/props/certificate"
	"sledge/props/certificate/algebra"
)

// bracket accepts that the smallest constant of the bound lies between two numbers. The mean
// squared error over all runs is a quadratic form in the unknown gradients that does not change if
// clients, or the data of a client, exchange their names. So it acts on three kinds of vectors
// alone: on what all clients share, on which it vanishes, on how clients differ, and on how the
// data of a client differ. On each of the last two it is a form in the steps; the constant suffices
// where the bound minus the form is positive semidefinite, and is needed where the form exceeds it.
func bracket(c *certificate.Certificate) {
	proof := decode[certificate.BracketProof](c)
	switch {
	case c.Refutes || c.Scope != certificate.Sizes:
		refuse("what is about runs of the listing is proved for sizes")
	case len(proof) == 0:
		refuse("no sizes are given")
	case len(proof) > mostSizes:
		refuse("there are more than %d sizes", mostSizes)
	case c.Statement != proof.Statement() || c.Covers != proof.Covers():
		refuse("the statement and what it covers are not those of the proof")
	}
	seen := map[certificate.ListingSizes]bool{}
	for _, e := range proof {
		s, first := e.Size, proof[0].Size
		if s.Sampled != first.Sampled || s.Data != first.Data || s.Sample != first.Sample {
			refuse("the sizes are of different kinds")
		}
		for _, x := range [][2]int{{s.Clients, mostClients}, {s.Chosen, s.Clients},
			{s.Data, mostClients}, {s.Sample, s.Data}, {s.Steps, mostRounds}} {
			if x[0] < 1 || x[0] > x[1] {
				refuse("sizes %+v out of range", s)
			}
		}
		if seen[s] {
			refuse("the sizes %+v are given twice", s)
		}
		seen[s] = true
	}
	for _, e := range proof {
		if err := attempt(func() { ends(e) }); err != nil {
			panic(fmt.Errorf("for %+v %w", e.Size, err))
		}
	}
}

// ends checks the two ends for one size.
func ends(proof certificate.Ends) {
	least, most := rational(proof.Least), rational(proof.Most)
	switch {
	case least.Sign() <= 0:
		refuse("the ends of the bracket are not positive")
	case proof.Size.Clients < 2:
		refuse("a bracket is about several clients")
	case (proof.Clients == nil) == (proof.Data == nil):
		refuse("an instance is given by the steps of clients or of data")
	}
	f := try(NewForms(proof.Size))
	for _, p := range []part{
		{"clients", f.Clients, f.ClientCost(), proof.Clients},
		{"data", f.Data, f.DataCost(f.weights(proof.Weights)), proof.Data},
	} {
		f.holds(p, least, most)
	}
}

// part is one of the two kinds of vectors, with the steps of an instance, which may be none.
type part struct {
	name        string
	error, cost [][]*big.Rat
	at          []int64
}

// holds checks that most is enough for a part, and that its instance needs least.
func (f *Forms) holds(p part, least, most *big.Rat) {
	var rest [][]*big.Rat
	for i, row := range p.error {
		rest = append(rest, nil)
		for j, x := range row {
			y := new(big.Rat).Mul(most, p.cost[i][j])
			rest[i] = append(rest[i], y.Sub(y, x))
		}
	}
	switch {
	case !algebra.Semidefinite(rest):
		refuse("%s is not enough for the %s", most.RatString(), p.name)
	case p.at == nil:
		return
	case len(p.error) == 0:
		refuse("the %s do not differ", p.name)
	case len(p.at) != len(p.error):
		refuse("the instance has %d steps, with the start", len(p.at))
	}
	cost := f.LargestCost(p.name == "data", p.at)
	if cost.Sign() <= 0 {
		refuse("nothing differs in the instance")
	}
	if new(big.Rat).Mul(least, cost).Cmp(FormAt(p.error, p.at)) > 0 {
		refuse("the instance does not need %s", least.RatString())
	}
}

// Forms are the mean squared error after T steps as quadratic forms in the steps, for gradients
// that differ along orthonormal vectors: row and column 0 are of the start, s of x^s − x^{s−1}. The
// mean over clients, or over data, of the squared norms is 1 for a step of length 1.
type Forms struct {
	size          certificate.ListingSizes
	Clients, Data [][]*big.Rat // Data is empty for one datum each
}

// NewForms runs the listing with all random choices.
func NewForms(size certificate.ListingSizes) (f *Forms, err error) {
	defer caught(&err)
	P, m, T := size.Clients, size.Data, size.Steps
	f = &Forms{size: size}
	f.Clients = f.zero()
	if m > 1 {
		f.Data = f.zero()
	}
	// sums over all runs of products of coefficients at two points: of the same datum, of two data
	// of a client, and of two clients
	n := T + 1
	same, within, across := make([]int64, n*n), make([]int64, n*n), make([]int64, n*n)
	var runs, unit, largest int64
	everyRun(size, func(r *run) {
		runs, unit = runs+1, r.unit
		e := r.error()
		for k := T*P*m - 1; k >= 0; k-- { // of gradients at points, into those of steps
			e[k] += e[k+P*m]
		}
		largest = max(largest, slices.Max(e), -slices.Min(e))
		clients, all := make([]int64, n*P), make([]int64, n)
		for k, x := range e {
			clients[k/m] += x
			all[k/(P*m)] += x
		}
		for at := range same {
			t, u := at/n, at%n
			across[at] += all[t] * all[u]
			within[at] += product(clients[t*P:(t+1)*P], clients[u*P:])
			same[at] += product(e[t*P*m:(t+1)*P*m], e[u*P*m:])
		}
	})
	if sum := float64(P*m) * float64(largest); float64(runs)*max(sum*sum, float64(unit)) > 1<<62 {
		refuse("the sums over all runs are too large")
	}
	scale := new(big.Rat).SetFrac64(1, runs*unit)
	scale.Quo(scale, big.NewRat(unit, 1))
	for at := range same {
		s, u := at/n, at%n
		if across[at] != 0 {
			refuse("what all clients share has an error")
		}
		// Averaged over names, a product of two data of a client is (within − same)/(Pm(m−1)), one
		// of two clients (across − within)/(P(P−1)m²). A deviation of clients is the same for all
		// their data.
		between := new(big.Rat).Mul(big.NewRat(within[at], 1), big.NewRat(int64(P), int64(P-1)))
		f.Clients[s][u].Mul(scale, between)
		if m > 1 {
			inside := big.NewRat(within[at]-same[at], int64(m-1))
			f.Data[s][u].Mul(scale, inside.Sub(big.NewRat(same[at], 1), inside))
		}
		if s == 0 && !size.Sampled && f.Clients[0][u].Sign() != 0 {
			refuse("the start of Option II has an error") // in which clients do not differ
		}
	}
	return f, nil
}

// product is the sum of the products of the first numbers with the second.
func product(a, b []int64) (sum int64) {
	for i, x := range a {
		sum += x * b[i]
	}
	return sum
}

func (f *Forms) zero() [][]*big.Rat {
	out := make([][]*big.Rat, f.size.Steps+1)
	for i := range out {
		for range out {
			out[i] = append(out[i], new(big.Rat))
		}
	}
	return out
}

// ClientCost is the bound for c = 1 where clients differ: vectors at equal distances ζ‖x^s −
// x^{s−1}‖ are ((P−1)/(2P)) of its square from their mean in the mean of squares.
func (f *Forms) ClientCost() [][]*big.Rat {
	P, p := int64(f.size.Clients), int64(f.size.Chosen)
	out := f.zero()
	out[0][0].SetFrac64(1, p)
	for s := 1; s < len(out); s++ {
		out[s][s].SetFrac64(2*P, (P-1)*p)
	}
	return out
}

// DataCost is the bound for c = 1 where data differ, σ² being at least the mean with the given
// weights over the points.
func (f *Forms) DataCost(weights []*big.Rat) [][]*big.Rat {
	P, p, S := int64(f.size.Clients), int64(f.size.Chosen), int64(f.size.Sample)
	out := f.zero()
	for s := range out {
		for u := range out {
			for t := max(s, u); t < len(out); t++ {
				out[s][u].Add(out[s][u], new(big.Rat).Mul(weights[t], big.NewRat(1, P*S)))
			}
		}
		if s > 0 {
			out[s][s].Add(out[s][s], big.NewRat(1, p*S))
		}
	}
	return out
}

// LargestCost is the bound for c = 1 on an instance, with the largest σ² along its path.
func (f *Forms) LargestCost(data bool, at []int64) *big.Rat {
	if !data {
		return FormAt(f.ClientCost(), at)
	}
	most := new(big.Rat)
	for t := range at {
		weights := make([]*big.Rat, len(at))
		for k := range weights {
			weights[k] = new(big.Rat)
		}
		weights[t].SetInt64(1)
		if x := FormAt(f.DataCost(weights), at); x.Cmp(most) > 0 {
			most = x
		}
	}
	return most
}

// weights reads the weights of the points, of which there are none for one datum.
func (f *Forms) weights(text []string) (out []*big.Rat) {
	if f.size.Data == 1 && text == nil {
		return slices.Repeat([]*big.Rat{new(big.Rat)}, f.size.Steps+1)
	}
	if len(text) != f.size.Steps+1 {
		refuse("each point has a weight")
	}
	sum := new(big.Rat)
	for _, s := range text {
		x := rational(s)
		if x.Sign() < 0 {
			refuse("the weight %q is negative", s)
		}
		out = append(out, x)
		sum.Add(sum, x)
	}
	if sum.Cmp(big.NewRat(1, 1)) != 0 {
		refuse("the weights do not sum up to 1")
	}
	return out
}

// FormAt is a quadratic form at a point.
func FormAt(q [][]*big.Rat, at []int64) *big.Rat {
	sum := new(big.Rat)
	for i, x := range at {
		for j, y := range at {
			xy := new(big.Int).Mul(big.NewInt(x), big.NewInt(y))
			sum.Add(sum, new(big.Rat).Mul(q[i][j], new(big.Rat).SetInt(xy)))
		}
	}
	return sum
}
