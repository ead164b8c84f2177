package verbs

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/floats"

	"sledge/algos"
	"sledge/algos/problems"
	"sledge/algos/problems/letters"
	"sledge/algos/problems/network"
	"sledge/props/keyed"
	"sledge/reports/verify"
)

// networks is the name of the family of problems that train networks. It is not one of
// [problems.Catalogue], as its constants are not certified.
const networks = "network"

// The defaults of a race of networks: letters of 14 × 14 pixels, 60 of each, in groups that make up
// 100 components, and a fifth of all examples held out for testing.
const (
	networkSide       = 14
	networkPerClass   = 60
	networkComponents = 100
	networkHeldOut    = 5
)

// networkRates returns the step sizes that networks are tried with by default: no smoothness
// constant is known that they could be multiples of.
func networkRates() verify.Numbers { return verify.Numbers{0.03, 0.1, 0.3, 1, 3} }

// What runs on networks observe.
const (
	networkLoss = iota
	networkTestAccuracy
)

// widths is a flag that holds the widths of hidden layers.
type widths []int

func (w *widths) String() string {
	if len(*w) == 0 {
		return "none"
	}
	return strings.Trim(strings.ReplaceAll(fmt.Sprint([]int(*w)), " ", ","), "[]")
}

func (w *widths) Set(list string) error {
	*w = nil
	if list == "none" {
		return nil
	}
	for word := range strings.SplitSeq(list, ",") {
		v, err := strconv.Atoi(strings.TrimSpace(word))
		if err != nil || v < 1 || v > 1e6 {
			return fmt.Errorf(
				"%q is not a number of units from 1 to a million; none stands for no hidden layer",
				word)
		}
		*w = append(*w, v)
	}
	return nil
}

// networkSubject reads or draws examples and poses the training of a network on them.
func (r *race) networkSubject() (*subject, error) {
	key := keyed.New(r.Seed).With("problem")
	t, name, err := r.examples(key)
	if err != nil {
		return nil, verify.Usagef("-data: %v", withoutPackage(err))
	}
	r.print = Fingerprint(t)
	activations := []network.Activation{network.Softplus, network.Tanh, network.SiLU}
	k := slices.IndexFunc(activations,
		func(a network.Activation) bool { return strings.EqualFold(a.String(), r.activation) })
	net, err := network.New(t.Width, r.hidden, len(t.Classes), activations[k])
	if err != nil {
		return nil, verify.Usagef("%v", withoutPackage(err))
	}
	entrants, err := r.choose("")
	if err != nil {
		return nil, err
	}
	most := cmp.Or(r.set.Clients, r.set.N, networkComponents)
	if err := r.fits(entrants, extent{clients: most, dim: net.Dim(), data: 16 * float64(net.Dim())},
		available()); err != nil {
		return nil, err
	}
	if err := net.Fits(t); err != nil {
		return nil, verify.Usagef("-data: %v", withoutPackage(err))
	}
	order := key.With("split").Rand().Perm(t.Rows())
	if r.atMost > 0 && r.atMost < len(order) {
		order = order[:r.atMost]
	}
	test, train := order[:len(order)/networkHeldOut], order[len(order)/networkHeldOut:]
	if len(test) == 0 {
		return nil, verify.Usagef("%d examples are too few to hold a fifth of them out for testing",
			len(order))
	}
	parts, what := r.set.Clients, "-clients"
	if parts == 0 {
		if parts, what = r.set.N, "-n"; parts == 0 {
			parts = min(networkComponents, len(train))
		}
	}
	classes := make([]float64, len(train))
	for i, row := range train {
		classes[i] = t.Target[row]
	}
	groups, err := problems.SplitByTarget(classes, parts, r.set.Skew, key.With("groups").Rand())
	if err != nil {
		return nil, verify.Usagef("%s, -skew: %s", what, withoutPackage(err))
	}
	for _, g := range groups {
		for i := range g {
			g[i] = train[g[i]]
		}
	}
	s := &subject{start: func(k keyed.Key) []float64 { return net.Initial(k.Rand()) },
		observe: func(x []float64) []float64 {
			loss, share := net.Evaluate(x, t, test)
			return []float64{networkLoss: loss, networkTestAccuracy: share}
		}, columns: []quantity{networkAccuracy}}
	opt := network.Options{L2: r.l2}
	x0 := s.start(key.With("start"))
	if r.set.Clients == 0 {
		p, err := network.NewFiniteSum(net, t, groups, opt)
		if err != nil {
			return nil, verify.Usagef("%v", withoutPackage(err))
		}
		s.problem, s.known = algos.Sum(p), algos.Facts{N: parts, Dim: p.Dim()}
	} else {
		p, err := network.NewFederated(net, t, groups, opt)
		if err != nil {
			return nil, verify.Usagef("%v", withoutPackage(err))
		}
		s.problem, s.federated, s.known = p, true, algos.Facts{Clients: parts, Dim: p.Dim()}
	}
	s.norm = algos.NewMonitor(s.problem).GradientNorm(x0)
	layers := strings.Trim(strings.ReplaceAll(fmt.Sprint(net.Widths()), " ", "-"), "[]")
	s.facts = [][2]string{{"Data", name},
		{"Examples", fmt.Sprintf("%d for training, %d for testing, out of %d, of %d classes",
			len(train), len(test), t.Rows(), len(t.Classes))},
		{"Network", fmt.Sprintf("%s units, %v, cross-entropy + (%v/2)‖x‖²", layers,
			activations[k], r.l2)},
		{"Smoothness L",
			"not certified for networks: step sizes are absolute, and nothing is prescribed"}}
	if r.set.Clients == 0 {
		s.facts = append(s.facts, [2]string{"Component",
			fmt.Sprintf("the mean over %d or so examples",
				len(train)/parts)})
	}
	return s, nil
}

// examples returns the examples of a race of networks, and what to call them.
func (r *race) examples(key keyed.Key) (*problems.Table, string, error) {
	if r.data == "" {
		t, err := letters.Draw(letters.Drawing{Side: networkSide, PerClass: networkPerClass},
			key.With("letters"))
		return t, fmt.Sprintf("%d × %d images of capital letters, drawn from type faces",
			networkSide, networkSide), err
	}
	return readExamples(r.data, letters.Selection{},
		problems.ReadOptions{Width: r.width, LabelColumn: r.labelColumn,
			Header: r.header}, func(t *problems.Table) error {
			if top := floats.Norm(t.Value, math.Inf(1)); top > 0 {
				floats.Scale(1/top, t.Value)
			}
			return nil
		})
}
