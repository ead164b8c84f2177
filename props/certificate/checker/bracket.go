package checker

import (
	"errors"
	"fmt"
	"math/big"

	"sledge/props/certificate"
)

// bracket accepts that the smallest constant of the bound lies between two numbers. The mean
// squared error over all runs is a quadratic form in the unknown gradients that does not change if
// clients, or the data of a client, exchange their names. So it acts on three kinds of vectors
// alone: on what all clients share, on which it vanishes, on how clients differ, and on how the
// data of a client differ. On each of the last two it is a form in the steps; the constant suffices
// where the bound minus the form is positive semidefinite, and is needed where the form exceeds it.
func bracket(c *certificate.Certificate) error {
	var proof certificate.BracketProof
	if err := decode(c, &proof); err != nil {
		return err
	}
	switch {
	case c.Refutes || c.Scope != certificate.Sizes:
		return errors.New("a constant is bracketed for sizes")
	case len(proof) == 0:
		return errors.New("no sizes are given")
	case c.Statement != proof.Statement() || c.Covers != proof.Covers():
		return errors.New("the statement and what it covers are not those of the proof")
	}
	var sizes []certificate.ListingSizes
	for _, e := range proof {
		sizes = append(sizes, e.Size)
	}
	if err := distinct(sizes); err != nil {
		return err
	}
	for _, e := range proof {
		alike := e.Size.Sampled == proof[0].Size.Sampled && e.Size.Data == proof[0].Size.Data &&
			e.Size.Sample == proof[0].Size.Sample
		if !alike {
			return errors.New("the sizes are of different kinds")
		}
		if err := ends(e); err != nil {
			return fmt.Errorf("for %+v %w", e.Size, err)
		}
	}
	return nil
}

// ends checks the two ends for one size.
func ends(proof certificate.Ends) error {
	if err := valid(proof.Size); err != nil {
		return err
	}
	least, ok := new(big.Rat).SetString(proof.Least)
	most, also := new(big.Rat).SetString(proof.Most)
	switch {
	case !ok || !also || least.Sign() <= 0:
		return errors.New("the ends of the bracket are no positive rational numbers")
	case proof.Size.Local != 1 || proof.Size.Clients < 2:
		return errors.New("a bracket is about several clients and one local step")
	case (proof.Clients == nil) == (proof.Data == nil):
		return errors.New("an instance is given by the steps of clients or of data")
	}
	f, err := NewForms(proof.Size)
	if err != nil {
		return err
	}
	weights, err := f.weights(proof.Weights)
	if err != nil {
		return err
	}
	for _, p := range []part{
		{"clients", f.Clients, f.ClientCost(), proof.Clients},
		{"data", f.Data, f.DataCost(weights), proof.Data},
	} {
		if err := f.holds(p, least, most); err != nil {
			return err
		}
	}
	return nil
}

// part is one of the two kinds of vectors, with the steps of an instance, which may be none.
type part struct {
	name        string
	error, cost [][]*big.Rat
	at          []int64
}

// holds checks that most is enough for a part, and that its instance needs least.
func (f *Forms) holds(p part, least, most *big.Rat) error {
	if len(p.error) == 0 {
		if p.at != nil {
			return fmt.Errorf("the %s do not differ", p.name)
		}
		return nil
	}
	rest := make([][]*big.Rat, len(p.error))
	for i := range rest {
		for j := range p.error {
			x := new(big.Rat).Mul(most, p.cost[i][j])
			rest[i] = append(rest[i], x.Sub(x, p.error[i][j]))
		}
	}
	switch {
	case !semidefinite(rest):
		return fmt.Errorf("%s is not enough for the %s", most.RatString(), p.name)
	case p.at == nil:
		return nil
	case len(p.at) != len(p.error):
		return fmt.Errorf("the instance has %d steps, with the start", len(p.at))
	}
	cost := f.LargestCost(p.name == "data", p.at)
	if cost.Sign() <= 0 {
		return errors.New("nothing differs in the instance")
	}
	if new(big.Rat).Mul(least, cost).Cmp(FormAt(p.error, p.at)) > 0 {
		return fmt.Errorf("the instance does not need %s", least.RatString())
	}
	return nil
}

// Forms are the mean squared error after T steps as quadratic forms in the steps, for gradients
// that differ along orthonormal vectors: row and column 0 are of the start, s of x^s − x^{s−1}. The
// mean over clients, or over data, of the squared norms is 1 for a step of length 1.
type Forms struct {
	size          certificate.ListingSizes
	Clients, Data [][]*big.Rat // Data is empty for one datum each
}

// sums are those over all runs of products of coefficients at two points: of the same datum, of two
// data of a client, and of two clients.
type sums struct {
	same, within, across [][]int64
	runs, unit, largest  int64
}

// add adds the products of a run.
func (s *sums) add(r *run) {
	P, m, T := r.Clients, r.Data, r.Steps
	s.runs++
	s.unit = r.unit
	e := r.table(T)
	plus(e, -1, 1, r.gradient(T))
	for t := T - 1; t >= 0; t-- { // of gradients at points, into those of steps
		for k := range P * m {
			e[t*P*m+k] += e[(t+1)*P*m+k]
		}
	}
	for _, x := range e {
		s.largest = max(s.largest, x, -x)
	}
	for t := range T + 1 {
		for u := range T + 1 {
			all := [2]int64{}
			for i := range P {
				client := [2]int64{}
				for j := range m {
					x, y := e[(t*P+i)*m+j], e[(u*P+i)*m+j]
					s.same[t][u] += x * y
					client[0], client[1] = client[0]+x, client[1]+y
				}
				s.within[t][u] += client[0] * client[1]
				all[0], all[1] = all[0]+client[0], all[1]+client[1]
			}
			s.across[t][u] += all[0] * all[1]
		}
	}
}

// NewForms runs the listing with all random choices.
func NewForms(size certificate.ListingSizes) (*Forms, error) {
	P, m, T := size.Clients, size.Data, size.Steps
	var all sums
	for _, s := range []*[][]int64{&all.same, &all.within, &all.across} {
		for range T + 1 {
			*s = append(*s, make([]int64, T+1))
		}
	}
	everyTable(size, all.add)
	if sum := float64(P*m) * float64(all.largest); float64(all.runs)*
		max(sum*sum, float64(all.unit)) > 1<<62 {
		return nil, errors.New("the sums over all runs are too large")
	}
	f := &Forms{size: size}
	scale := new(big.Rat).SetFrac64(1, all.runs*all.unit)
	scale.Quo(scale, new(big.Rat).SetInt64(all.unit))
	for s := range T + 1 {
		var clients, data []*big.Rat
		for u := range T + 1 {
			same, within, across := all.same[s][u], all.within[s][u], all.across[s][u]
			if across != 0 {
				return nil, errors.New("what all clients share has an error")
			}
			// Averaged over names, a product of two data of a client is (within − same)/(Pm(m−1)),
			// one of two clients (across − within)/(P(P−1)m²). A deviation of clients is the same
			// for all their data.
			between := new(big.Rat).SetFrac64(within, 1)
			between.Sub(between, new(big.Rat).SetFrac64(across-within, int64(P-1)))
			clients = append(clients, between.Mul(between, scale))
			if m > 1 {
				inside := new(big.Rat).SetInt64(same)
				inside.Sub(inside, new(big.Rat).SetFrac64(within-same, int64(m-1)))
				data = append(data, inside.Mul(inside, scale))
			}
		}
		f.Clients = append(f.Clients, clients)
		if m > 1 {
			f.Data = append(f.Data, data)
		}
	}
	if !size.Sampled { // clients do not differ in their start, whose error is 0
		for s := range T + 1 {
			if f.Clients[0][s].Sign() != 0 {
				return nil, errors.New("the start of Option II has an error")
			}
		}
	}
	return f, nil
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

// weights reads the weights of the points.
func (f *Forms) weights(text []string) ([]*big.Rat, error) {
	if f.size.Data == 1 && text == nil {
		text = make([]string, f.size.Steps+1)
		for i := range text {
			text[i] = "0"
		}
		text[0] = "1"
	}
	if len(text) != f.size.Steps+1 {
		return nil, errors.New("each point has a weight")
	}
	sum, out := new(big.Rat), make([]*big.Rat, len(text))
	for i, s := range text {
		x, ok := new(big.Rat).SetString(s)
		if !ok || x.Sign() < 0 {
			return nil, fmt.Errorf("the weight %q is no rational number ≥ 0", s)
		}
		out[i] = x
		sum.Add(sum, x)
	}
	if sum.Cmp(big.NewRat(1, 1)) != 0 {
		return nil, errors.New("the weights do not sum up to 1")
	}
	return out, nil
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

// semidefinite reports whether a symmetric matrix is positive semidefinite, by elimination: no
// pivot is negative, and where one is 0 its row is. The matrix is overwritten.
func semidefinite(a [][]*big.Rat) bool {
	for k := range a {
		switch a[k][k].Sign() {
		case -1:
			return false
		case 0:
			for j := k + 1; j < len(a); j++ {
				if a[k][j].Sign() != 0 {
					return false
				}
			}
			continue
		}
		for i := k + 1; i < len(a); i++ {
			factor := new(big.Rat).Quo(a[i][k], a[k][k])
			for j := k + 1; j < len(a); j++ {
				a[i][j] = new(big.Rat).Sub(a[i][j], new(big.Rat).Mul(factor, a[k][j]))
			}
		}
	}
	return true
}
