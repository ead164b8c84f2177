package experiments

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"sledge/algos"
	"sledge/algos/problems/network"
)

// Figure is one of the paper's figures.
type Figure struct {
	Name    string // "fig1" to "fig6"
	Title   string
	Lines   string // of the text
	Label   string
	Seeds   int      // independent runs in the paper
	Methods []string // by their names in the figure
	// few words for what the paper reports about it, by the id of the claim
	findings map[string][]string
	along    func(Scale) (name string, values []float64) // of its races; nil if there is one
	make     func(*Setup) ([]Race, error)
}

// name is that of the figure in the ledger.
func (f *Figure) name() string { return "figure " + strings.TrimPrefix(f.Name, "fig") }

// races are the names of the races, one empty name where there is one alone.
func (f *Figure) races(s Scale) []string {
	if f.along == nil {
		return []string{""}
	}
	name, values := f.along(s)
	var names []string
	for _, v := range values {
		names = append(names, fmt.Sprintf("%s = %g", name, v))
	}
	return names
}

// Race is one race of a figure: methods side by side on one problem.
type Race struct {
	Name     string // what sets it apart from the others of the figure; empty if it is alone
	X        float64
	Facts    [][2]string // settings, name and value
	Entrants []algos.Entrant
	Rates    []float64 // learning rates to choose from
	Limits   algos.Limits
}

// entrant returns the method with the name.
func (h *Race) entrant(name string) algos.Entrant {
	k := slices.IndexFunc(h.Entrants, func(e algos.Entrant) bool { return e.Name == name })
	if k < 0 {
		panic(fmt.Sprintf("experiments: no entrant %q", name))
	}
	return h.Entrants[k]
}

// Races sets up the races of the figure.
func (f *Figure) Races(s *Setup) ([]Race, error) { return f.make(s) }

// Figures returns the six figures in the order of the paper.
func Figures() []Figure {
	return []Figure{
		{Name: "fig1", Title: "SLEDGE and its competitors on a finite sum",
			Lines: "601-615, 648-674", Label: "fig:SLEDGE_train_acc", Seeds: 10,
			Methods: []string{"SLEDGE", noisy("SLEDGE", paperNoise), "SARAH",
				noisy("SSRGD", paperNoise), "ZeroSARAH"},
			findings: map[string][]string{
				"experiment-fig1-gradient-evaluations": {"Fewer gradients than SARAH"},
				"experiment-fig1-noise-effect": {"Almost monotone with noise",
					"Fastest and most stable with noise"},
				"experiment-fig1-parameters": {"The settings of figure 1"}},
			make: fig1},
		{Name: "fig2", Title: "FLEDGE and its competitors", Lines: "617-632, 676-695",
			Label: "fig:SLEDGE_test_acc", Seeds: 5,
			Methods: []string{"FLEDGE", "FedAvg", "SCAFFOLD", "MimeMVR", "BVR-L-SGD"},
			findings: map[string][]string{
				"experiment-fig2-communication": {"Fewer rounds"},
				"experiment-fig2-gradient-norm": {"Small gradient norm", "Linear convergence"},
				"experiment-fig2-bvr-parity":    {"On a par with BVR-L-SGD"},
				"experiment-fig2-partition":     {"The partition among clients"}},
			make: fig2},
		{Name: "fig3", Title: "SLEDGE and SARAH at equal learning rates", Lines: "697-716",
			Label: "fig:AppendixWithSARAH", Seeds: 5, Methods: []string{"SLEDGE", "SARAH"},
			findings: map[string][]string{"experiment-fig3-learning-rates": {
				"Faster than SARAH at every rate, and as stable"}},
			along: func(Scale) (string, []float64) { return "η", fig3Rates }, make: fig3},
		{Name: "fig4", Title: "Discrepancy between estimator and gradient", Lines: "803-824",
			Label: "fig:SLEDGE_discrepancy", Seeds: 5, Methods: []string{"SLEDGE", "SARAH", "SAGA"},
			findings: map[string][]string{"experiment-fig4-estimator-discrepancy": {
				"Estimator better than SAGA's and close to SARAH's"}},
			make: fig4},
		{Name: "fig5", Title: "Perturbed local steps", Lines: "828-853",
			Label: "fig:FLEDGE_escaping_saddle_points", Seeds: 5,
			Methods: []string{"FLEDGE", noisy("FLEDGE", paperLocalNoise),
				noisy("BVR-L-PSGD", paperLocalNoise), "BVR-L-SGD", "FedAvg", "SCAFFOLD", "MimeMVR"},
			findings: map[string][]string{
				"experiment-fig5-perturbation": {"Highest accuracy with noise"}},
			make: fig5},
		{Name: "fig6", Title: "Performance under changing heterogeneity", Lines: "855-872",
			Label: "fig:FLEDGE_compare_heterogeneity", Seeds: 5,
			Methods: []string{"FLEDGE", "FedAvg"},
			findings: map[string][]string{
				"experiment-fig6-heterogeneity": {"Little loss under heterogeneity"}},
			along: func(s Scale) (string, []float64) { return "q", s.shares() }, make: fig6},
	}
}

// plan is what the finite-sum methods of a figure share.
type plan struct {
	n, b, m int
}

// newPlan takes b = ⌈√n⌉ and m = ⌊n/b⌋, which are the paper's 12 and 10 for n = 130.
func newPlan(n int) plan {
	b := algos.RootBatch(n)
	return plan{n, b, n / b}
}

func (p plan) facts(s *Setup, net *network.Network) [][2]string {
	return [][2]string{{"Components n",
		fmt.Sprintf("%d, each the mean over %d examples of one class", p.n, s.Group)},
		{"Minibatch b", fmt.Sprint(p.b)},
		{"Inner loop m of SARAH and SSRGD", fmt.Sprint(p.m)},
		{"Network", fmt.Sprintf("%v, tanh; %d weights", net.Widths(), net.Dim())},
		{"Steps", fmt.Sprint(s.Steps)}}
}

// entry is a method under the name it has in a figure.
type entry struct {
	name string
	make func(eta float64) algos.Method
}

func (p plan) sledge(r float64) entry {
	name := "SLEDGE"
	if r > 0 {
		name = noisy(name, r)
	}
	return entry{name: name, make: func(eta float64) algos.Method {
		return &algos.SLEDGE{Eta: eta, Batch: p.b, Radius: r}
	}}
}

func (p plan) sarah() entry {
	return entry{name: "SARAH",
		make: func(eta float64) algos.Method {
			return &algos.SARAH{Tuning: algos.Tuning{Eta: eta, Batch: p.b}, Period: p.m}
		}}
}

func (p plan) ssrgd(r float64) entry {
	return entry{name: noisy("SSRGD", r),
		make: func(eta float64) algos.Method {
			return &algos.SSRGD{Tuning: algos.Tuning{Eta: eta, Batch: p.b, Radius: r}, Period: p.m}
		}}
}

func (p plan) zeroSARAH() entry {
	return entry{name: "ZeroSARAH", make: func(eta float64) algos.Method {
		return &algos.ZeroSARAH{Tuning: algos.Tuning{Eta: eta, Batch: p.b},
			Lambda: float64(p.b) / float64(p.n)}
	}}
}

func (p plan) saga() entry {
	return entry{name: "SAGA", make: func(eta float64) algos.Method {
		return &algos.SAGA{Tuning: algos.Tuning{Eta: eta, Batch: p.b}}
	}}
}

// finiteRace sets up a race on the paper's finite sum.
func finiteRace(s *Setup, hiddenLayers int, entries func(plan) []entry) (Race, error) {
	net, err := s.network(hiddenLayers)
	if err != nil {
		return Race{}, err
	}
	sum, err := s.finite(net)
	if err != nil {
		return Race{}, err
	}
	p := newPlan(sum.Components())
	h := Race{Facts: p.facts(s, net), Rates: s.Rates,
		Limits: algos.Limits{Steps: s.Steps, Every: max(1, s.Steps/s.Records),
			Observe: s.observe(net, false)}}
	for _, e := range entries(p) {
		entrant := algos.EnterFrom(algos.Sum(sum), start(net), e.make)
		entrant.Name = e.name
		h.Entrants = append(h.Entrants, entrant)
	}
	return h, nil
}

func fig1(s *Setup) ([]Race, error) {
	h, err := finiteRace(s, 3, func(p plan) []entry {
		return []entry{p.sledge(0), p.sledge(paperNoise), p.sarah(), p.ssrgd(paperNoise),
			p.zeroSARAH()}
	})
	return []Race{h}, err
}

// fig3Rates are the learning rates of the figure's five rows (line 712).
var fig3Rates = []float64{0.1, 0.03, 0.01, 0.003, 0.001}

func fig3(s *Setup) ([]Race, error) {
	var races []Race
	for _, eta := range fig3Rates {
		h, err := finiteRace(s, 1, func(p plan) []entry { return []entry{p.sledge(0), p.sarah()} })
		if err != nil {
			return nil, err
		}
		h.Name, h.X, h.Rates = fmt.Sprintf("η = %g", eta), eta, []float64{eta}
		races = append(races, h)
	}
	return races, nil
}

// fig4Rate is the learning rate of all methods of the figure (line 808).
const fig4Rate = 0.01

// fig4 looks at every step, so that it makes a quarter of the steps.
func fig4(s *Setup) ([]Race, error) {
	h, err := finiteRace(s, 1,
		func(p plan) []entry { return []entry{p.sledge(0), p.sarah(), p.saga()} })
	h.Rates = []float64{fig4Rate}
	h.Limits.Steps, h.Limits.Every, h.Limits.Observe = max(1, s.Steps/4), 1, nil
	if len(h.Facts) > 0 {
		h.Facts[len(h.Facts)-1][1] = fmt.Sprintf("%d, with a look at each", h.Limits.Steps)
	}
	return []Race{h}, err
}

// quota is what the federated methods of a figure share.
type quota struct {
	P, p, b, K int
}

// newQuota takes p = √P to the nearest integer, which is the paper's 10 for P = 104.
func newQuota(s *Setup, clients int) quota {
	return quota{clients, int(math.Round(math.Sqrt(float64(clients)))), s.LocalBatch, s.LocalSteps}
}

func (q quota) facts(s *Setup, net *network.Network, p *network.Federated) [][2]string {
	least, most := p.Size(0), p.Size(0)
	for i := range p.Clients() {
		least, most = min(least, p.Size(i)), max(most, p.Size(i))
	}
	return [][2]string{{"Clients P", fmt.Sprintf("%d, with %d to %d examples", q.P, least, most)},
		{"Clients p of a round", fmt.Sprintf("%d (BVR-L-SGD and BVR-L-PSGD: all)", q.p)},
		{"Local steps K", fmt.Sprint(q.K)}, {"Local minibatch b", fmt.Sprint(q.b)},
		{"Network", fmt.Sprintf("%v, tanh; %d weights", net.Widths(), net.Dim())},
		{"Rounds", fmt.Sprint(s.Rounds)}}
}

func (q quota) fledge(r float64) entry {
	name := "FLEDGE"
	if r > 0 {
		name = noisy(name, r)
	}
	return entry{name: name, make: func(eta float64) algos.Method {
		return &algos.FLEDGE{Eta: eta, Chosen: q.p, Batch: q.b, LocalSteps: q.K, Radius: r,
			Cap: true}
	}}
}

func (q quota) bvr(r float64) entry {
	name := "BVR-L-SGD"
	if r > 0 {
		name = noisy("BVR-L-PSGD", r)
	}
	return entry{name: name, make: func(eta float64) algos.Method {
		return &algos.BVRLSGD{Eta: eta, Batch: q.b, LocalSteps: q.K, Radius: r, Cap: true}
	}}
}

func (q quota) fedAvg() entry {
	return entry{name: "FedAvg", make: func(eta float64) algos.Method {
		return &algos.FedAvg{LocalTuning: algos.LocalTuning{Eta: eta, Chosen: q.p, Batch: q.b,
			LocalSteps: q.K, Cap: true}}
	}}
}

// scaffold has the global learning rate 1 (line 693), the method's default.
func (q quota) scaffold() entry {
	return entry{name: "SCAFFOLD", make: func(eta float64) algos.Method {
		return &algos.SCAFFOLD{LocalTuning: algos.LocalTuning{Eta: eta, Chosen: q.p, Batch: q.b,
			LocalSteps: q.K, Cap: true}}
	}}
}

func (q quota) mimeMVR() entry {
	return entry{name: "MimeMVR", make: func(eta float64) algos.Method {
		return &algos.MimeMVR{Eta: eta, A: paperMimeMomentum, Chosen: q.p, Batch: q.b,
			LocalSteps: q.K, Cap: true}
	}}
}

// clientRace sets up a race on the paper's federated problem with heterogeneity q.
func clientRace(s *Setup, q float64, hiddenLayers int, train bool,
	entries func(quota) []entry) (Race, error) {
	net, err := s.network(hiddenLayers)
	if err != nil {
		return Race{}, err
	}
	p, err := s.federated(net, q)
	if err != nil {
		return Race{}, err
	}
	share := newQuota(s, p.Clients())
	h := Race{X: q, Facts: append([][2]string{{"Share q of a client's class", fmt.Sprint(q)}},
		share.facts(s, net, p)...), Rates: s.Rates,
		Limits: algos.Limits{Steps: s.Rounds, Every: max(1, s.Rounds/s.Records),
			Observe: s.observe(net, train)}}
	for _, e := range entries(share) {
		entrant := algos.EnterFrom(p, start(net), e.make)
		entrant.Name = e.name
		h.Entrants = append(h.Entrants, entrant)
	}
	return h, nil
}

func fig2(s *Setup) ([]Race, error) {
	h, err := clientRace(s, 0.9, 1, false, func(q quota) []entry {
		return []entry{q.fledge(0), q.fedAvg(), q.scaffold(), q.mimeMVR(), q.bvr(0)}
	})
	return []Race{h}, err
}

func fig5(s *Setup) ([]Race, error) {
	h, err := clientRace(s, 0.7, 2, false, func(q quota) []entry {
		return []entry{q.fledge(0), q.fledge(paperLocalNoise), q.bvr(paperLocalNoise), q.bvr(0),
			q.fedAvg(), q.scaffold(), q.mimeMVR()}
	})
	return []Race{h}, err
}

// fig6Shares are the heterogeneity parameters of the figure (line 858).
var fig6Shares = []float64{0.04, 0.1, 0.3, 0.5, 0.7, 0.9, 1}

// shares are the heterogeneities of the figure at the scale.
func (s Scale) shares() []float64 {
	if s.Shares == nil {
		return fig6Shares
	}
	return s.Shares
}

func fig6(s *Setup) ([]Race, error) {
	var races []Race
	for _, q := range s.shares() {
		h, err := clientRace(s, q, 1, true,
			func(q quota) []entry { return []entry{q.fledge(0), q.fedAvg()} })
		if err != nil {
			return nil, err
		}
		h.Name = fmt.Sprintf("q = %g", q)
		races = append(races, h)
	}
	return races, nil
}
