package experiments

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"sledge/algos"
	"sledge/props"
	"sledge/props/keyed"
)

// The findings are about averages of a few long runs on one data set. Here each is a statement
// about one repetition of a small version of the experiment, all of it drawn anew (images from a
// fixed population, partition, start, minibatches, noise), and the claim is that it holds in more
// than half of the repetitions. A finding may hold on the small version and not at the paper's
// scale, and the other way round.
//
// repetitions is the effort of the claims: 12 repetitions at the quick tier if it takes so many to
// say whether the small version agrees; five that agree do. On 200 repetitions of their own the
// findings held in 200 (fewer gradients, small norm, figures 3 and 4), 197 (almost monotone), 196
// (parity), 195 (fewer rounds), 184 (figure 6), 11 (linear convergence; noise fastest) and 2
// (figure 5) of them.
const repetitions = 0.03

// The small versions, one for the finite sums and one for the federated problems. The numbers that
// the paper's theory speaks of stay: n = 130, b = 12 and m = 10; four clients to a letter, p = √P,
// b at least K, and round batches Kb that take in (nearly) all of a client's data; the layers, λ,
// q, the noise, and the part of the grid of learning rates where the best ones lie. What only costs
// time shrinks until some twenty repetitions take about two seconds: pixels to a sixteenth, hidden
// units and steps to about a tenth, the images of a component to a fiftieth, the letters to five or
// six.
//
// Pilot runs settled this by what is learnt at all and what is stable: with 26 letters next to
// nothing is learnt in so few steps, and with b < K FLEDGE is unstable at the rates that are tuned.
// Verdicts depend on such choices; the notes of the claims say where another version gave another
// one.
var (
	finiteScale = Scale{Letters: 5, Draws: 26, Side: 7, Group: 2, Pool: 150, Width: 10, Steps: 150,
		Records: 15, Held: 30, Rates: paperRates[1:4]}

	clientScale = Scale{Letters: 6, Side: 7, Client: 18, Pool: 150, Width: 10, LocalBatch: 5,
		LocalSteps: 4, Rounds: 60, Records: 10, Held: 30, Rates: paperRates[1:4],
		Shares: []float64{0.04, 1}}
)

// lab repeats a figure at a small scale. A run is made when it is asked for: a finding pays only
// for the methods and races that it is about.
type lab struct {
	scale    Scale
	of       string // name of the figure
	steps    int    // where the figure has others as well
	findings []*finding

	once  sync.Once
	data  *Data
	mu    sync.Mutex
	rates map[[2]string]float64 // chosen so far, by race and method

	larger [3]*lab // of the tiers
}

// figure is the figure that is repeated.
func (l *lab) figure() *Figure {
	all := Figures()
	return &all[slices.IndexFunc(all, func(f Figure) bool { return f.Name == l.of })]
}

// name is what the ledger calls it.
func (l *lab) name() string {
	if l.steps == 0 {
		return l.figure().name()
	}
	return fmt.Sprintf("%s with T = %d", l.figure().name(), l.steps)
}

// growth is by how much networks are wider and runs longer at each tier than in the small version.
var growth = [3]int{1, 2, 4}

// grown is the lab of a tier, the same for all findings: what it draws and tunes is drawn and tuned
// once.
func (l *lab) grown(tier props.Tier) *lab {
	if growth[tier] == 1 {
		return l
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.larger[tier] == nil {
		larger := &lab{scale: l.scale, of: l.of}
		for _, size := range []*int{&larger.scale.Width, &larger.scale.Steps,
			&larger.scale.Rounds} {
			*size *= growth[tier]
		}
		l.larger[tier] = larger
	}
	return l.larger[tier]
}

// repeat sets up one repetition, whose runs are looked at for accuracies alone if they are blind.
func (l *lab) repeat(key keyed.Key, blind bool) *Runs {
	races := l.races(key, false)
	made := map[[2]string]*algos.Trace{}
	return &Runs{Races: races, Brief: true, Of: func(race int, method string) *algos.Trace {
		h := &races[race]
		id := [2]string{h.Name, method}
		if made[id] == nil {
			lim := h.Limits
			lim.Blind = blind
			made[id] = trace(h.entrant(method), l.rate(races, race, method), key, lim)
		}
		return made[id]
	}}
}

// races draws the experiment from a population that is the same for all repetitions. Only tuning
// looks at examples for validation.
func (l *lab) races(key keyed.Key, tuning bool) []Race {
	l.once.Do(func() {
		var err error
		if l.data, err = Drawn(l.scale, apart.With("population")); err != nil {
			panic(err)
		}
		l.rates = map[[2]string]float64{}
	})
	races, err := l.figure().Races(&Setup{Data: l.data, Scale: l.scale, Key: key,
		TestOnly: !tuning})
	if err != nil {
		panic(err)
	}
	return races
}

// apart is the key of the population and of tuning, which no repetition uses.
var apart = keyed.New(0).With("experiments")

// tunings is the number of draws of the experiment by which a learning rate is judged: one is not
// enough to tell that a rate is unstable.
const tunings = 3

// rate returns the learning rate of a method: that on record, or else it is tuned, once.
func (l *lab) rate(races []Race, race int, method string) float64 {
	h := &races[race]
	if len(h.Rates) == 1 {
		return h.Rates[0]
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	id := [2]string{h.Name, method}
	eta, ok := l.rates[id]
	if !ok {
		if eta, ok = ratesOnRecord()[l.choice(h.Name, method)]; !ok {
			eta = l.tune(h.Rates, race, method)
		}
		l.rates[id] = eta
	}
	return eta
}

// tune finds the one of the learning rates with which a method has the best mean score.
func (l *lab) tune(rates []float64, race int, method string) float64 {
	key := apart.With("tuning")
	scores := make([]float64, len(rates))
	for k := range tunings {
		h := &l.races(key.At(k), true)[race]
		lim := h.Limits
		lim.Every, lim.Blind = lim.Steps, true
		for j, eta := range rates {
			scores[j] += new(Setup).Score(trace(h.entrant(method), eta, key.At(k), lim))
		}
	}
	return rates[slices.Index(scores, slices.Min(scores))]
}

// trace makes one run.
func trace(e algos.Entrant, eta float64, key keyed.Key, lim algos.Limits) *algos.Trace {
	results, err := algos.Race(context.Background(), []algos.Entrant{e},
		algos.RaceOptions{Etas: []float64{eta}, Limits: lim, Seeds: 1, Seed: key.Seed(),
			Workers: 1})
	if err != nil {
		panic(err)
	}
	return results[0].Traces[0]
}
