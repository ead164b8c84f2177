package experiments

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"regexp"
	"slices"
	"strings"

	"sledge/algos"
	"sledge/props"
	"sledge/props/formula"
	"sledge/props/ledger"
)

// Finding is something that the paper reports about a figure. Its statement is that of a claim,
// which judges it on repetitions of a small version of the figure; verify figures judges it on the
// runs of the figure itself.
type Finding struct {
	Name    string // a few words
	Claim   string // id
	Reading string // in words, what is taken for it in one run of every method
	// Judge records what is asserted of one run of every method. It is nil for a finding that needs
	// no runs: the claim settles it.
	Judge func(*Runs, *props.Recorder)
}

// Findings returns what the paper reports about the figure, as a ledger states it; s is the scale
// of the runs that are judged. A statement that nothing is said of by the ledger is left out.
func (f *Figure) Findings(l *ledger.Ledger, s Scale) (all []Finding, err error) {
	if l == nil {
		return nil, nil
	}
	said := map[string][]string{}
	for _, r := range l.Statements() {
		if r.Of == "findings" && r.Method == f.name() {
			said[r.ID] = append(said[r.ID], r.Statement)
		}
	}
	for _, c := range l.Claims {
		var readings []string
		for note := range strings.SplitSeq(c.Notes, "\n") {
			if words, read := strings.CutPrefix(note, "Read for one repetition: "); read {
				readings = append(readings, words)
			}
		}
		for i, name := range f.findings[c.ID] {
			found := Finding{Name: name, Claim: c.ID}
			if i < min(len(said[c.ID]), len(readings)) {
				read, err := f.read(said[c.ID][i], s)
				if err != nil {
					return nil, err
				}
				found.Reading, found.Judge = readings[i], read.judge
			}
			all = append(all, found)
		}
	}
	return all, nil
}

// Runs are one run of every method of a figure, on the same seed.
type Runs struct {
	Races []Race
	Of    func(race int, method string) *algos.Trace
	Brief bool // what comes after a comparison that fails may be left out
}

// word is what a finding may name of the runs of a figure.
type word struct {
	shape string // how it is written
	unit  string
	what  string
	of    func(a, b *algos.Trace, q float64) float64
}

// ofRun is a number of one run.
func ofRun(of func(*algos.Trace) float64) func(a, _ *algos.Trace, _ float64) float64 {
	return func(a, _ *algos.Trace, _ float64) float64 { return of(a) }
}

// spent is what run a had spent when its test accuracy was first seen to have come the part q of
// the way from that of the start to the best of both runs: one that learns nothing does not win. A
// level that it never reached counts as ten times what it spent in all.
func spent(of func(algos.Record) float64) func(a, b *algos.Trace, q float64) float64 {
	return func(a, b *algos.Trace, q float64) float64 {
		start := accuracy(a.Records[0])
		level := start + q*(max(best(a), best(b))-start)
		k := slices.IndexFunc(a.Records, func(r algos.Record) bool { return accuracy(r) >= level })
		if k < 0 {
			return 10 * of(last(a))
		}
		return of(a.Records[k])
	}
}

// reached says what it is.
const reached = " that $A$ had spent when its test accuracy was first seen to have come the part " +
	"$q$ of the way from that of the start to the best that $A$ or $B$ reaches; ten times what it " +
	"spends in all where it never has"

// words are what findings may name.
var words = map[string]word{
	"accuracy": {"A", "", "test accuracy of $A$, averaged over the second half of the looks at its run",
		ofRun(settled)},
	"best": {"A", "", "largest test accuracy along the run of $A$", ofRun(best)},
	"start": {"A", "", "test accuracy at the start",
		ofRun(func(a *algos.Trace) float64 { return accuracy(a.Records[0]) })},
	"fall":      {"A", "", "largest fall of the test accuracy of $A$ between two looks", ofRun(fall)},
	"gradients": {"A|B; q", "", "gradients" + reached, spent(gradients)},
	"rounds":    {"A|B; q", "", "rounds" + reached, spent(rounds)},
	"f": {"A|B", "f", "$f$ where $A$ has spent as many gradients as $B$ spends in all, between looks " +
		"on a straight line",
		func(a, b *algos.Trace, _ float64) float64 { return valueAt(a, gradients(last(b))) }},
	"initial": {"A", "f", "$f$ at the start",
		ofRun(func(a *algos.Trace) float64 { return a.Records[0].Value })},
	"rise": {"A", "f", "largest rise of $f$ between two looks at the run of $A$", ofRun(rise)},
	"‖∇f‖": {"A; q", "f/x", "$‖∇f‖$ after the part $q$ of the looks at the run of $A$",
		func(a, _ *algos.Trace, q float64) float64 {
			return a.Records[int(q*float64(len(a.Records)-1))].GradientNorm
		}},
	"decay": {"A; q", "", "by how much $log‖∇f‖$ falls in a round, by least squares over the looks " +
		"at the run of $A$ from the part $q$ to $2q$",
		func(a, _ *algos.Trace, q float64) float64 {
			n := float64(len(a.Records))
			return decay(a.Records[int(n*q):min(int(2*n*q)+1, len(a.Records))])
		}},
	"error": {"A", "f²/x²", "$‖v − ∇f‖²$, averaged over the looks at the run of $A$",
		ofRun(meanError)},
}

// quantity is a word with its index.
type quantity struct {
	word
	methods [2]string // of a word of one run the second is empty
	race    string    // by name; empty for each
	q       float64
}

// indexed is a name with an index.
var indexed = regexp.MustCompile(`([\pL‖∇]+)_(?:\{([^}]*)\}|(\pL))`)

// quantity reads a name with an index in races of the names.
func (f *Figure) quantity(name string, races []string) (q quantity, err error) {
	parts := indexed.FindStringSubmatch(name)
	w, known := words[parts[1]]
	if !known {
		var all []string
		for base, w := range words {
			all = append(all, fmt.Sprintf("%s_{%s}", base, w.shape))
		}
		slices.Sort(all)
		return q, fmt.Errorf("%s is nothing that is known of runs; known are %s", parts[1],
			strings.Join(all, ", "))
	}
	methods, detail, detailed := strings.Cut(parts[2]+parts[3], ";")
	q.word, detail = w, strings.TrimSpace(detail)
	both := strings.Split(methods, "|")
	number, ok := new(big.Rat).SetString(detail)
	if numbered := strings.HasSuffix(w.shape, "q"); len(both) != len(strings.Split(w.shape, "|")) ||
		numbered && !ok {
		return q, fmt.Errorf("%s is written as %s_{%s}, with a number for q", name, parts[1], w.shape)
	} else if numbered {
		q.q, _ = number.Float64()
		if !(q.q >= 0 && q.q <= 1) {
			return q, fmt.Errorf("%s is a part, from 0 to 1", detail)
		}
	} else if q.race = detail; detailed && !slices.Contains(races, detail) {
		return q, fmt.Errorf("%s has no race %q; it has %s", f.name(), detail,
			strings.Join(races, ", "))
	}
	for i, m := range both {
		if q.methods[i] = m; !slices.Contains(f.Methods, m) {
			return q, fmt.Errorf("%s has no method %q; it has %s", f.name(), m,
				strings.Join(f.Methods, "; "))
		}
	}
	return q, nil
}

// finding is what a statement says of the runs of a figure.
type finding struct {
	quantities map[string]quantity
	names      []string // of the quantities, as they are met
	relations  formula.Relations
	said       string // what the quantities are
	each       bool   // it is about each race
}

// blind reports whether it is about accuracies alone, and what they cost.
func (f *finding) blind() bool {
	return !slices.ContainsFunc(f.names, func(name string) bool {
		return f.quantities[name].unit != "" || strings.HasPrefix(name, "decay")
	})
}

// member is where a method stands for M.
var member = regexp.MustCompile(`(^|\|)M\b`)

// read reads what is found in runs of the figure at a scale.
func (f *Figure) read(text string, s Scale) (all *finding, err error) {
	members := []string{"M"}
	stated, list, some := strings.Cut(text, " for M ∈ {")
	if some {
		inner, closed := strings.CutSuffix(list, "}")
		if members = strings.Split(inner, ";"); !closed {
			return nil, errors.New("a list of methods is wanted: for M ∈ {A; B}")
		}
	}
	all = &finding{quantities: map[string]quantity{}}
	var symbols []formula.Symbol
	for i := range members {
		by := "${1}" + strings.TrimSpace(members[i])
		members[i] = indexed.ReplaceAllStringFunc(stated, func(name string) string {
			parts := indexed.FindStringSubmatch(name)
			index := member.ReplaceAllString(parts[2]+parts[3], by)
			name = fmt.Sprintf("%s_{%s}", parts[1], index)
			if _, twice := all.quantities[name]; twice || err != nil {
				return name
			}
			var q quantity
			if q, err = f.quantity(name, f.races(s)); err != nil {
				return name
			}
			all.quantities[name], all.names = q, append(all.names, name)
			all.each = all.each || q.race == ""
			symbols = append(symbols, formula.Symbol{Name: name,
				Unit: props.Must(formula.ParseUnit(q.unit))})
			if what := fmt.Sprintf("; $%s_{%s}$: %s", parts[1], q.shape, q.what); !strings.Contains(
				all.said, what) {
				all.said += what
			}
			return name
		})
	}
	if err != nil {
		return nil, err
	}
	v := formula.NewVocabulary(symbols...)
	for _, text := range members {
		relations, err := v.Measured(text, []string{"≤", "≥"}, func(string) string { return "" })
		if err != nil {
			return nil, err
		}
		all.relations = append(all.relations, relations...)
	}
	if len(all.names) == 0 {
		return nil, errors.New("nothing of a run stands in it")
	}
	return all, nil
}

// judge records what is found in runs.
func (f *finding) judge(r *Runs, rec *props.Recorder) {
	for i, race := range r.Races {
		name := race.Name
		if !f.each {
			name = ""
		}
		for _, c := range f.relations {
			if pair := c.Compare(rec, name, func(name string) (value, size float64) {
				return f.quantities[name].in(r, i), 0
			}, false); r.Brief && !pair.Holds() {
				return
			}
		}
		if !f.each {
			break
		}
	}
	f.plot(r, rec)
}

// in is what the quantity comes to in a race, or in that which it names.
func (q quantity) in(r *Runs, race int) float64 {
	if q.race != "" {
		race = slices.IndexFunc(r.Races, func(h Race) bool { return h.Name == q.race })
	}
	a := r.Of(race, q.methods[0])
	if q.methods[1] == "" {
		return q.of(a, nil, q.q)
	}
	return q.of(a, r.Of(race, q.methods[1]), q.q)
}

// plot plots the errors of the first two estimators of which a statement speaks, look by look.
func (f *finding) plot(r *Runs, rec *props.Recorder) {
	if len(f.names) < 2 || !strings.HasPrefix(f.names[0], "error_") {
		return
	}
	a, b := f.quantities[f.names[0]].methods[0], f.quantities[f.names[1]].methods[0]
	rec.Plot("Squared error of the estimator: "+a+"'s against "+b+"'s", "step", "‖v − ∇f(x)‖²")
	other := r.Of(0, b).Records
	for k, s := range r.Of(0, a).Records {
		if s.Step > 0 && k < len(other) {
			rec.Point(float64(s.Step), s.Error*s.Error, other[k].Error*other[k].Error)
		}
	}
}

// noisy is the name of a method with noise of radius r in a figure.
func noisy(method string, r float64) string { return fmt.Sprintf("%s, r = %g", method, r) }

func last(tr *algos.Trace) algos.Record { return tr.Records[len(tr.Records)-1] }

func gradients(r algos.Record) float64 { return float64(r.Counts.Gradients) }
func rounds(r algos.Record) float64    { return float64(r.Step) }

// accuracy returns the test accuracy of a record; an iterate that is not finite knows nothing.
func accuracy(r algos.Record) float64 {
	if loss := r.Observed[TestLoss]; math.IsNaN(loss) || math.IsInf(loss, 0) {
		return 0
	}
	return r.Observed[TestAccuracy]
}

// best returns the largest test accuracy along a run.
func best(tr *algos.Trace) float64 {
	most := 0.0
	for _, r := range tr.Records {
		most = max(most, accuracy(r))
	}
	return most
}

// settled returns the mean test accuracy over the second half of the looks at a run: a single look
// is too noisy to compare runs by.
func settled(tr *algos.Trace) float64 {
	sum, half := 0.0, tr.Records[len(tr.Records)/2:]
	for _, r := range half {
		sum += accuracy(r)
	}
	return sum / float64(len(half))
}

// fall returns the largest drop of test accuracy between two looks at a run.
func fall(tr *algos.Trace) float64 {
	most := 0.0
	for k := 1; k < len(tr.Records); k++ {
		most = max(most, accuracy(tr.Records[k-1])-accuracy(tr.Records[k]))
	}
	return most
}

// rise returns the largest increase of f between two looks at a run.
func rise(tr *algos.Trace) float64 {
	most := 0.0
	for k := 1; k < len(tr.Records); k++ {
		most = max(most, tr.Records[k].Value-tr.Records[k-1].Value)
	}
	return most
}

// valueAt returns f at the given gradient count, interpolated between looks.
func valueAt(tr *algos.Trace, count float64) float64 {
	for k := 1; k < len(tr.Records); k++ {
		a, b := tr.Records[k-1], tr.Records[k]
		if ga, gb := gradients(a), gradients(b); count <= gb {
			return a.Value + (b.Value-a.Value)*(count-ga)/(gb-ga)
		}
	}
	return last(tr).Value
}

// meanError returns the mean of ‖v − ∇f‖² over the looks at a run.
func meanError(tr *algos.Trace) float64 {
	sum := 0.0
	for _, r := range tr.Records {
		sum += r.Error * r.Error
	}
	return sum / float64(len(tr.Records))
}

// decay returns by how much log ‖∇f‖ falls in a round, by least squares.
func decay(records []algos.Record) float64 {
	var t, logNorm []float64
	for _, r := range records {
		t, logNorm = append(t, rounds(r)), append(logNorm, math.Log(r.GradientNorm))
	}
	slope, _ := props.OLS(t, logNorm)
	return -slope
}
