// Package experiments holds the paper's six experiments (section 5, lines 595-632, and the first
// appendix, lines 645-872): capital letters classified by small networks, trained by SLEDGE and
// FLEDGE and by the methods they are compared with. A [Figure] sets up the races behind one of the
// paper's figures at a chosen [Scale], from the paper's down to one that takes seconds; [Stated]
// tests what the paper reports about them on small versions.
//
// What the paper leaves open is settled here as follows. SLEDGE and FLEDGE are initialised by
// Option II; the regulariser of coefficient λ is (λ/2)‖x‖² over all weights and biases and belongs
// to every component; all hidden layers are as wide as that of the two-layer network, with tanh
// between layers and Glorot-uniform weights; SSRGD perturbs at the start of every epoch; SAGA
// refreshes its table on the minibatch it estimates with; BVR-L-SGD restarts from full gradients
// every ⌈√P⌉ rounds.
package experiments

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"slices"
	"strings"

	"sledge/algos"
	"sledge/algos/problems"
	"sledge/algos/problems/letters"
	"sledge/algos/problems/network"
	"sledge/props/keyed"
)

// What the paper sets (lines 603-608, 617-625, 655-673, 679-695, 828-841).
const (
	paperLetters      = 26    // classes
	paperDraws        = 5     // draws of a group of images from every class
	paperGroup        = 100   // images of a group, the component of a finite sum
	paperWidth        = 100   // units of the hidden layer of the two-layer network
	paperL2           = 0.01  // regularisation parameter λ
	paperNoise        = 0.15  // noise radius r of SSRGD and SLEDGE (line 673)
	paperLocalNoise   = 0.015 // noise radius of FLEDGE and BVR-L-PSGD (line 841)
	paperBatch        = 12    // minibatch of the finite sum
	paperPeriod       = 10    // inner-loop length of SARAH and SSRGD
	paperClients      = 104   // P
	paperSampled      = 10    // p
	paperLocalBatch   = 16    // b of the federated methods
	paperLocalSteps   = 10    // K
	paperIterations   = 2000  // steps, or rounds, after which learning rates are compared
	paperMimeMomentum = 0.1   // a of MimeMVR (line 694)
)

// paperRates is the grid of learning rates (lines 672 and 691).
var paperRates = []float64{1, 0.3, 0.1, 0.03, 0.01, 0.003, 0.001}

// Scale says how large the experiments are.
type Scale struct {
	Name    string
	Letters int // classes of drawn images
	// pixels of a side; images from files are shrunk to it where it divides theirs
	Side       int
	Draws      int // components of each class; 0 stands for the paper's number
	Group      int // images of a component
	Client     int // images of a client
	Width      int // units of every hidden layer
	LocalBatch int // b of federated methods
	LocalSteps int // K
	Steps      int // steps of a finite-sum method
	Rounds     int // rounds of a federated method
	Records    int // looks at every run
	Held       int // images of each class for validation, and as many for testing
	// images of each class that training ones are drawn from, if more than are needed
	Pool   int
	Rates  []float64 // learning rates to choose from
	Shares []float64 // heterogeneities q of figure 6; nil for the paper's
	Seeds  int       // independent runs; 0 stands for the paper's number
}

// The scales. Paper is that of the paper, except that it does not say how many images a client
// holds.
var (
	Paper = Scale{Name: "paper", Letters: paperLetters, Side: 28, Group: paperGroup, Client: 250,
		Width: paperWidth, LocalBatch: paperLocalBatch, LocalSteps: paperLocalSteps,
		Steps: paperIterations, Rounds: paperIterations, Records: 100, Held: 100, Rates: paperRates}
	Middle = Scale{Name: "middle", Letters: paperLetters, Side: 14, Group: 40, Client: 80,
		Width: 50, LocalBatch: 8, LocalSteps: paperLocalSteps,
		Steps: 1000, Rounds: 600, Records: 60, Held: 40, Rates: paperRates[:5], Seeds: 3}
	Small = Scale{Name: "small", Letters: paperLetters, Side: 14, Group: 10, Client: 20, Width: 30,
		LocalBatch: 2, LocalSteps: paperLocalSteps,
		Steps: 400, Rounds: 120, Records: 30, Held: 20, Rates: paperRates[1:4], Seeds: 2}
)

// Data are examples, and which of them are for what.
type Data struct {
	Name                    string
	Table                   *problems.Table
	Train, Validation, Test []int // rows, equally many of every class in each
}

// Drawn returns images drawn at the scale.
func Drawn(s Scale, key keyed.Key) (*Data, error) {
	t, err := letters.Draw(letters.Drawing{Side: s.Side, Classes: s.Letters,
		PerClass: s.perClass() + 2*s.Held},
		key.With("images"))
	if err != nil {
		return nil, err
	}
	return divide(fmt.Sprintf("%d × %d images of %d letters, drawn from type faces", s.Side, s.Side,
		s.Letters), t,
		s.perClass(), s.Held, key)
}

func (s Scale) draws() int {
	if s.Draws > 0 {
		return s.Draws
	}
	return paperDraws
}

// Need returns the number of examples of each class that the scale asks for.
func (s Scale) Need() int { return s.perClass() + 2*s.Held }

// perClass is the number of training images of a class: enough for paperDraws groups, and for as
// many clients as own it.
func (s Scale) perClass() int { return max(s.draws()*s.Group, letters.Owners*s.Client, s.Pool) }

// Read returns the examples of a table at the scale: images are shrunk if they are larger. Where a
// class has too few examples, clients hold fewer, and a fifth of the class is held out. An error
// says what is missing.
func Read(name string, t *problems.Table, s Scale, key keyed.Key) (*Data, error) {
	for side := 2; side*side <= t.Width; side++ {
		if side*side == t.Width && side > s.Side && side%s.Side == 0 {
			var err error
			if t, err = letters.Shrink(t, side/s.Side); err != nil {
				return nil, err
			}
			name += fmt.Sprintf(", shrunk to %d × %d", s.Side, s.Side)
			break
		}
	}
	counts := make([]int, len(t.Classes))
	for _, c := range t.Target {
		counts[int(c)]++
	}
	least := slices.Min(counts)
	held := min(s.Held, least/10)
	perClass := min(s.perClass(), least-2*held)
	if need := max(s.draws()*s.Group, 2*letters.Owners); perClass < need || held < 1 {
		return nil, fmt.Errorf(
			"experiments: class %s has %d examples, too few for %d of training beside a fifth "+
				"held out",
			t.Classes[slices.Index(counts, least)], least, need)
	}
	return divide(name, t, perClass, held, key)
}

// Digest identifies the examples and what they are for.
func (d *Data) Digest() string {
	h := sha256.New()
	for _, part := range []any{d.Table.Value, d.Table.Target, index(d.Train), index(d.Validation),
		index(d.Test)} {
		binary.Write(h, binary.LittleEndian, part) // a hash takes everything
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// index gives rows a fixed width, and their number.
func index(rows []int) []int64 {
	out := []int64{int64(len(rows))}
	for _, r := range rows {
		out = append(out, int64(r))
	}
	return out
}

func divide(name string, t *problems.Table, train, held int, key keyed.Key) (*Data, error) {
	parts, err := letters.Split(t, key.With("split").Rand(), train, held, held)
	if err != nil {
		return nil, err
	}
	return &Data{name, t, parts[0], parts[1], parts[2]}, nil
}

// Setup is what a figure is made from.
type Setup struct {
	*Data
	Scale
	Key keyed.Key // of partitions and starting points
	// choose learning rates by test accuracy, as the paper does, instead of validation accuracy
	ByTest bool
	// TestOnly leaves out what runs observe of other examples than those for testing.
	TestOnly bool
}

// Reduced lists in words where the setup stays behind the paper's; it is empty for one at the
// paper's scale.
func (s *Setup) Reduced() string {
	var words []string
	note := func(paper, here int, what string) {
		if here < paper {
			words = append(words, fmt.Sprintf("%d %s (%d)", here, what, paper))
		}
	}
	note(Paper.Letters, len(s.Table.Classes), "classes")
	if s.Table.Width == s.Side*s.Side { // images
		note(Paper.Side, s.Side, "pixels a side")
	}
	note(Paper.Group, s.Group, "images of a component")
	note(Paper.Width, s.Width, "units of a hidden layer")
	note(Paper.LocalBatch, s.LocalBatch, "images of a local minibatch")
	note(Paper.Steps, s.Steps, "steps")
	note(Paper.Rounds, s.Rounds, "rounds")
	note(len(Paper.Rates), len(s.Rates), "learning rates to choose from")
	if s.Seeds > 0 {
		words = append(words, fmt.Sprintf("%d runs of each method (5 or 10)", s.Seeds))
	}
	return strings.Join(words, ", ")
}

// The numbers that runs observe; see [algos.Record].
const (
	TestLoss = iota
	TestAccuracy
	validationAccuracy
	TrainAccuracy // NaN unless asked for
)

func (s *Setup) network(hiddenLayers int) (*network.Network, error) {
	return network.New(s.Table.Width, slices.Repeat([]int{s.Width}, hiddenLayers),
		len(s.Table.Classes), network.Tanh)
}

// observe returns a function that rates weights of the network on held-out data.
func (s *Setup) observe(net *network.Network, train bool) func(x []float64) []float64 {
	return func(x []float64) []float64 {
		seen := []float64{math.NaN(), math.NaN(), math.NaN(), math.NaN()}
		seen[TestLoss], seen[TestAccuracy] = net.Evaluate(x, s.Table, s.Test)
		if s.TestOnly {
			return seen
		}
		_, seen[validationAccuracy] = net.Evaluate(x, s.Table, s.Validation)
		if train {
			_, seen[TrainAccuracy] = net.Evaluate(x, s.Table, s.Train)
		}
		return seen
	}
}

// Score rates a run by the accuracy at its end, lower is better; between equal accuracies the
// smaller test loss decides.
func (s *Setup) Score(tr *algos.Trace) float64 {
	last := tr.Records[len(tr.Records)-1]
	what := validationAccuracy
	if s.ByTest {
		what = TestAccuracy
	}
	score := 1 - last.Observed[what] + 1e-9*math.Atan(last.Observed[TestLoss])
	if tr.Stopped == "diverged" || math.IsNaN(score) {
		return math.Inf(1)
	}
	return score
}

// finite returns the finite sum of the paper: paperDraws groups of images of each class.
func (s *Setup) finite(net *network.Network) (*network.FiniteSum, error) {
	groups, err := letters.Groups(s.Table, s.Train, s.draws(), s.Group, s.Key.With("groups").Rand())
	if err != nil {
		return nil, err
	}
	return network.NewFiniteSum(net, s.Table, groups, network.Options{L2: paperL2})
}

// federated returns the federated problem of the paper with heterogeneity q.
func (s *Setup) federated(net *network.Network, q float64) (*network.Federated, error) {
	r := s.Key.With("clients").Rand()
	each := min(letters.Owners*s.Client, len(s.Train)/len(s.Table.Classes))
	chosen, err := letters.Groups(s.Table, s.Train, 1, each, r)
	if err != nil {
		return nil, err
	}
	clients, err := letters.Spread(s.Table, slices.Concat(chosen...), q, r)
	if err != nil {
		return nil, err
	}
	return network.NewFederated(net, s.Table, clients, network.Options{L2: paperL2})
}

func start(net *network.Network) func(keyed.Key) []float64 {
	return func(k keyed.Key) []float64 { return net.Initial(k.Rand()) }
}
