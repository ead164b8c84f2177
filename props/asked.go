package props

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"sledge/props/keyed"
)

// Asked is what the check of a claim asks, found without any search: its instances on fixed
// choices, the numbers that it compares there, what it allows, and what it spends. A record of it
// is kept beside a ledger, so that a check that was weakened, or a formula that is wrong and has
// slack, or is wrong inside a claim that is expected to be refuted, is noticed by every run; see
// [WriteRecord].
type Asked struct {
	Parts []AskedPart `json:"parts"`
	// Proofs are the digests of the certificates that prove the parts at the quick tier, in the
	// order of the evidence.
	Proofs []string `json:"proofs,omitempty"`
	// Refuted are counterexamples on record, by the simplest choices that were found.
	Refuted []AskedPoint `json:"refuted,omitempty"`
}

// AskedPart is what one part of a check asks.
type AskedPart struct {
	Kind   string  `json:"kind"`
	Effort float64 `json:"effort,omitempty"`
	// instances on which the part was asked: as many as its cost allows
	Probes int `json:"probes,omitempty"`
	// on how many of them it was run once: those of checks of random quantities
	Runs int `json:"runs,omitempty"`
	Met  int `json:"met,omitempty"` // how many of the instances meet the premise
	// Ranges are what each choice is drawn from, over all probes.
	Ranges map[string][2]float64 `json:"ranges,omitempty"`
	// Settings are numbers of a statement about runs, such as the allowed probability, on the first
	// probes.
	Settings map[string][]Num `json:"settings,omitempty"`
	// Compares has, by the name of a comparison, the worst of it on each of the first probes: the
	// measured number, the claimed one, the size of the terms behind them, and how many comparisons
	// were made.
	Compares map[string][][4]Num `json:"compares,omitempty"`
	// Exact has, for an exact check, how many comparisons it makes of each name.
	Exact map[string]int `json:"exact,omitempty"`
}

// AskedPoint is a counterexample of a part: which, and by how much.
type AskedPoint struct {
	Part     int       `json:"part"`
	What     string    `json:"what"`
	Choices  []float64 `json:"choices"`
	Measured Num       `json:"measured"`
	Claimed  Num       `json:"claimed"`
}

const (
	keptProbes = 3    // of which numbers are kept
	askedBand  = 1e-3 // relative difference that no other processor makes
)

// probesFor is on how many instances a part of the given cost is asked, one for the most expensive.
func probesFor(cost time.Duration) int {
	switch {
	case cost < 200*time.Microsecond:
		return 24
	case cost < 2*time.Millisecond:
		return 6
	case cost < 10*time.Millisecond:
		return 2
	}
	return 1
}

// asking is a part being asked: as the record says, or as its cost allows where there is none.
type asking struct {
	out    AskedPart
	record *AskedPart
	b      bench
}

// Ask returns what the check of a claim asks. With a record it makes as many probes as that one
// did.
func Ask(c *Claim, record *Asked) (*Asked, error) {
	out := &Asked{}
	if c.Check == nil {
		return out, nil
	}
	for i, p := range c.Check.parts() {
		a := asking{}
		if record != nil && i < len(record.Parts) {
			a.record = &record.Parts[i]
		}
		if err := guarded(func() error { return a.ask(p) }); err != nil {
			return nil, err
		}
		out.Parts = append(out.Parts, a.out)
	}
	return out, nil
}

// ask asks one part on the middle of its ranges and on even draws.
func (a *asking) ask(p part) error {
	var one func(Chooser) (cost, run time.Duration, err error)
	switch p := p.(type) {
	case *Deterministic:
		a.out.Kind, a.out.Effort = p.kind, p.effort
		one = func(choose Chooser) (time.Duration, time.Duration, error) {
			start := time.Now()
			err := p.evaluate(&a.b, choose)
			cost := time.Since(start)
			if err == nil && a.b.rec.skipped == "" {
				if a.met(); a.out.Met <= keptProbes {
					a.pairs()
				}
			}
			return cost, 0, err
		}
	case *order:
		a.out.Kind = "order"
		one = func(choose Chooser) (time.Duration, time.Duration, error) {
			start := time.Now()
			src, _ := a.b.draw(choose)
			measured, claimed := p.formulas(src)
			cost := time.Since(start)
			a.met()
			a.set("measured formula", measured)
			a.set("claimed formula", claimed)
			return cost, 0, nil
		}
	case *Enumerated:
		a.out.Kind = "exact"
		return nil
	case *sampled[TailTrial]:
		one = trialled(a, p, func(*TailTrial) {},
			func(t *TailTrial, trial Trial) { t.Run(trial, &a.b.rec) })
	case *sampled[HittingTrial]:
		one = trialled(a, p, func(t *HittingTrial) {
			a.set("horizon", float64(t.Horizon))
		}, func(t *HittingTrial, trial Trial) {
			time, hit := t.Run(trial)
			a.set("time of a run", float64(time))
			a.set("hit by it", map[bool]float64{true: 1}[hit])
		})
	case *sampled[MeanTrial]:
		one = trialled(a, p, func(t *MeanTrial) {
			a.set("claimed mean", t.Claimed)
			a.set(toleranceSetting, t.tolerance())
			a.set("least sample", t.Lo)
			a.set("largest sample", t.Hi)
			a.set("relation "+string(t.Relation), 1)
		}, func(t *MeanTrial, trial Trial) { a.set("a sample", t.Run(trial)) })
	case *sampled[LawTrial]:
		one = trialled(a, p, func(t *LawTrial) { a.set(toleranceSetting, t.tolerance()) },
			func(t *LawTrial, trial Trial) {
				x := t.Run(trial)
				a.set("a sample", x)
				a.set("the law there", t.CDF(x))
			})
	case *sampled[SlopeTrial]:
		one = trialled(a, p, func(t *SlopeTrial) {
			a.set(toleranceSetting, t.margin())
			a.set("sides", map[bool]float64{false: 1, true: 2}[t.TwoSided])
			a.set("controls", map[bool]float64{true: 1}[t.Control != nil])
			a.set("points of the sweep", float64(len(t.X)))
			if end := len(t.X) - 1; end >= 0 {
				a.set("first point of the sweep", t.X[0])
				if end > 0 {
					a.set("last point of the sweep", t.X[end])
				}
			}
		}, func(t *SlopeTrial, trial Trial) {
			a.set("the first point of a run", t.Run(trial, t.X[0]))
		})
	default:
		a.out.Kind = "other"
		return nil
	}
	cost, run, err := one(middle)
	if err != nil {
		return err
	}
	if a.out.Probes = probesFor(cost + run); a.record != nil {
		a.out.Probes = max(1, a.record.Probes)
	}
	for i := 1; i < a.out.Probes; i++ {
		if _, _, err := one(uniform(keyed.New(1).With("probe").At(i).Rand())); err != nil {
			return err
		}
	}
	return nil
}

// The settings of which more is weaker.
const (
	allowedSetting   = "allowed probability"
	toleranceSetting = "tolerance"
)

// trialled asks a part about random quantities: its settings on each probe, and one run where that
// is cheap.
func trialled[T any](a *asking, r *sampled[T], settings func(*T),
	run func(*T, Trial)) func(Chooser) (time.Duration,
	time.Duration, error) {
	a.out.Kind, a.out.Effort = r.kind, r.effort
	return func(choose Chooser) (cost, ran time.Duration, err error) {
		start := time.Now()
		src, _ := a.b.draw(choose)
		inst := r.setup(src)
		cost = time.Since(start)
		a.met()
		settings(&inst)
		a.set("least content", r.method.regime(&inst).Least)
		if r.method.allowed != nil {
			a.set(allowedSetting, r.method.allowed(&inst))
		}
		vacuous, malformed := r.method.refuse(&inst)
		if malformed != nil {
			return cost, 0, malformed
		}
		a.set("instances that allow everything", map[bool]float64{true: 1}[vacuous != ""])
		wanted := a.record == nil && cost < 10*time.Millisecond ||
			a.record != nil && a.out.Runs < a.record.Runs
		if a.out.Met > keptProbes || !wanted || vacuous != "" {
			return cost, 0, nil
		}
		a.b.rec.inputs = magnitude(src.Drawn)
		before := a.out
		before.Settings = maps.Clone(before.Settings)
		start = time.Now()
		run(&inst, Trial{Key: keyed.New(1).With("run"), matter: &content{}})
		if ran = time.Since(start); ran > 5*time.Millisecond && a.record == nil {
			// dearer than it is worth; without a record that says so nobody asks for it again
			a.out = before
			return cost + ran, ran, nil
		}
		a.out.Runs++
		if err = a.b.rec.settle(); err == nil && a.b.rec.skipped == "" {
			a.pairs()
		}
		return cost, ran, err
	}
}

// met counts an instance, whose choices are those of the bench, and widens the ranges to them.
func (a *asking) met() {
	a.out.Met++
	if a.out.Ranges == nil {
		a.out.Ranges = map[string][2]float64{}
	}
	for _, c := range a.b.src.Drawn {
		if c.Seed {
			continue
		}
		lo, hi := c.clamp(c.Lo), c.clamp(c.Hi)
		if r, ok := a.out.Ranges[c.Name]; ok {
			lo, hi = min(lo, r[0]), max(hi, r[1])
		}
		a.out.Ranges[c.Name] = [2]float64{lo, hi}
	}
}

func (a *asking) pairs() {
	if a.out.Compares == nil {
		a.out.Compares = map[string][][4]Num{}
	}
	for _, s := range a.b.rec.live {
		w := &s.worst
		a.out.Compares[w.What] = append(a.out.Compares[w.What],
			[4]Num{short(w.Measured), short(w.Claimed),
				short(max(w.scale, w.seen)), Num(s.count)})
	}
}

func (a *asking) set(name string, x float64) {
	if a.out.Settings == nil {
		a.out.Settings = map[string][]Num{}
	}
	if a.out.Met <= keptProbes && len(a.out.Settings[name]) < keptProbes {
		a.out.Settings[name] = append(slices.Clone(a.out.Settings[name]), short(x))
	}
}

// short rounds to six digits, which is what is kept.
func short(x float64) Num {
	if x == 0 || math.IsNaN(x) || math.IsInf(x, 0) {
		return Num(x)
	}
	var y float64
	fmt.Sscan(fmt.Sprintf("%.6g", x), &y)
	return Num(y)
}

// alike reports whether two numbers are the same but for what another processor may make of them,
// among terms of a size.
func alike(a, b, size Num) bool {
	if !a.Known() || !b.Known() {
		return a.Known() == b.Known()
	}
	d := math.Abs(float64(a - b))
	return d <= askedBand*max(math.Abs(float64(a)), math.Abs(float64(b))) ||
		d <= askedBand*RoundingBand || size.Known() && d <= 1e-6*math.Abs(float64(size))
}

// asksOtherwise says in a sentence each in what a check asks less than is on record, or otherwise.
func (c *Claim) asksOtherwise(r *Result, cfg *Config) []string {
	if c.Asked == nil || c.Check == nil || r.Err != "" {
		return nil
	}
	now, err := Ask(c, c.Asked)
	if err != nil {
		return []string{fmt.Sprintf("what it asks cannot be compared with the record: %v", err)}
	}
	now.enumerated(r)
	if cfg.Tier == Quick && cfg.Check != nil {
		now.Proofs = proofs(r)
	} else {
		now.Proofs = c.Asked.Proofs
	}
	out := c.Asked.differs(now)
	for i := range c.Asked.Refuted {
		if s := c.Asked.Refuted[i].differs(c); s != "" {
			out = append(out, s)
		}
	}
	return out
}

// enumerated adds what exact checks have compared, all of which a run does.
func (a *Asked) enumerated(r *Result) {
	for i := range r.Evidence {
		e := &r.Evidence[i]
		if e.Part >= len(a.Parts) || a.Parts[e.Part].Kind != "exact" {
			continue
		}
		p := &a.Parts[e.Part]
		if p.Exact == nil {
			p.Exact = map[string]int{}
		}
		p.Exact[e.What] = e.Trials
	}
}

// proofs are the digests of the certificates by which a result is proved.
func proofs(r *Result) (digests []string) {
	for i := range r.Evidence {
		if c := r.Evidence[i].Certificate; c != nil && !c.Refutes {
			digests = append(digests, c.Digest()[:12])
		}
	}
	return digests
}

func (a *Asked) differs(now *Asked) (out []string) {
	if len(a.Parts) != len(now.Parts) {
		return []string{fmt.Sprintf("its check has %s, on record are %d",
			plural(len(now.Parts), "part"), len(a.Parts))}
	}
	for i := range a.Parts {
		for _, s := range a.Parts[i].differs(&now.Parts[i]) {
			if len(a.Parts) > 1 {
				s = fmt.Sprintf("part %d: %s", i+1, s)
			}
			out = append(out, s)
		}
	}
	if !slices.Equal(a.Proofs, now.Proofs) {
		out = append(out, fmt.Sprintf(
			"it is proved by other certificates than those on record (%v, on record %v)",
			now.Proofs, a.Proofs))
	}
	return out
}

// differs leads with the cause: where the instances are others, so is all that is computed on them.
func (p *AskedPart) differs(now *AskedPart) (out []string) {
	say := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	if p.Kind != now.Kind {
		say("it is a check of the kind %q, on record is %q", now.Kind, p.Kind)
		return out
	}
	for _, name := range slices.Sorted(maps.Keys(p.Exact)) {
		if n := now.Exact[name]; n != p.Exact[name] {
			say("%q is compared %d times, on record are %d", name, n, p.Exact[name])
		}
	}
	if p.Effort != now.Effort {
		say("it spends %v of the effort of a check, on record are %v", now.Effort, p.Effort)
	}
	for _, name := range slices.Sorted(maps.Keys(p.Ranges)) {
		was := p.Ranges[name]
		is, ok := now.Ranges[name]
		switch {
		case !ok:
			say("%q is no longer drawn", name)
		case !alike(Num(is[0]), Num(was[0]), 0) || !alike(Num(is[1]), Num(was[1]), 0):
			say("%s is drawn from [%s, %s], on record is [%s, %s]", name, Number(is[0], 4),
				Number(is[1], 4), Number(was[0], 4), Number(was[1], 4))
		}
	}
	if p.Met != now.Met {
		say("%d of %s meet the premise, on record are %d", now.Met,
			plural(p.Probes, "probe"), p.Met)
	}
	for _, name := range slices.Sorted(maps.Keys(p.Settings)) {
		was, is := p.Settings[name], now.Settings[name]
		for k := range was {
			if k >= len(is) {
				say("the %s is no longer stated", name)
				break
			}
			if !alike(was[k], is[k], 0) {
				say("the %s is %s on probe %d, on record is %s", name, is[k], k+1, was[k])
				break
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(p.Compares)) {
		was, is := p.Compares[name], now.Compares[name]
		if len(is) < len(was) {
			say("%q is compared on %s, on record are %d", name, plural(len(is), "probe"), len(was))
			continue
		}
		for k := range was {
			w, n := was[k], is[k]
			if w[3] != n[3] {
				say("%q is compared %s times on probe %d, on record are %s", name, n[3], k+1, w[3])
				break
			}
			size := Num(max(math.Abs(float64(w[0])), math.Abs(float64(w[1])),
				math.Abs(float64(w[2]))))
			if !alike(w[0], n[0], size) || !alike(w[1], n[1], size) {
				say("%q compares %s with %s on probe %d, on record are %s and %s", name, n[0], n[1],
					k+1, w[0], w[1])
				break
			}
			if !alike(w[2], n[2], 0) && !(math.Abs(float64(n[2]-w[2])) <= 1e-6*float64(size)) {
				say("%q is compared on the scale %s on probe %d, on record is %s", name, n[2],
					k+1, w[2])
				break
			}
		}
	}
	return out
}

// differs evaluates the counterexample again.
func (p *AskedPoint) differs(c *Claim) string {
	parts := c.Check.parts()
	if p.Part >= len(parts) {
		return ""
	}
	measured, claimed := nan, nan
	err := guarded(func() error {
		switch part := parts[p.Part].(type) {
		case *Deterministic:
			f, err := part.examine(p.What, p.Choices)
			measured, claimed = f.pair.Measured, f.pair.Claimed
			if err == nil && !f.at.broken {
				err = fmt.Errorf("it is no counterexample now")
			}
			return err
		case *order:
			measured, claimed = part.formulas(NewSource(replayed(p.Choices, middle)))
		}
		return nil
	})
	switch size := Num(max(math.Abs(float64(p.Measured)), math.Abs(float64(p.Claimed)))); {
	case err != nil:
		return fmt.Sprintf("%q: the counterexample on record, %s against %s: %v", p.What,
			p.Measured, p.Claimed, err)
	case !alike(Num(measured), p.Measured, size/1e3) || !alike(Num(claimed), p.Claimed, size/1e3):
		return fmt.Sprintf(
			"%q: the counterexample on record has %s against %s, now it has %s against %s",
			p.What, p.Measured,
			p.Claimed, Num(measured), Num(claimed))
	}
	return ""
}

// Record returns what is to be kept of a result: what its check asks, by which certificates it is
// proved, and at which counterexamples it is refuted.
func Record(r *Result) (*Asked, error) {
	out, err := Ask(&r.Claim, nil)
	if err != nil {
		return nil, err
	}
	// once more with the number of probes and runs that is on record now
	if out, err = Ask(&r.Claim, out); err != nil {
		return nil, err
	}
	out.enumerated(r)
	out.Proofs = proofs(r)
	parts := r.Claim.Check.parts()
	for i := range r.Evidence {
		e := &r.Evidence[i]
		if e.outcome != Refuted || len(out.Refuted) == mostPoints {
			continue
		}
		replay, m, c := e.Replay, Num(e.Measured), Num(e.Claimed)
		if e.Simplest != nil {
			replay, m, c = e.Simplest.Replay, e.Simplest.Measured, e.Simplest.Claimed
		}
		if _, ok := parts[e.Part].(*Deterministic); !ok {
			continue
		}
		if t, err := parseToken(replay); err == nil && t.domain == domainInstance {
			p := AskedPoint{e.Part, e.What, t.choices, m, c}
			if p.differs(&r.Claim) == "" {
				out.Refuted = append(out.Refuted, p)
			}
		}
	}
	return out, nil
}

// mostPoints is how many counterexamples of a claim are kept.
const mostPoints = 8

// recordSchema names the format of a record.
const recordSchema = "sledge/asked/v1"

// WriteRecord writes what claims ask, one line for each claim, sorted by id.
func WriteRecord(w io.Writer, asked map[string]*Asked) error {
	var rows []string
	for _, id := range slices.Sorted(maps.Keys(asked)) {
		name, err := json.Marshal(id)
		if err != nil {
			return err
		}
		line, err := json.Marshal(asked[id])
		if err != nil {
			return err
		}
		rows = append(rows, fmt.Sprintf("\n%s: %s", name, line))
	}
	return writeRows(w, recordSchema, "claims", "{}", rows)
}

// writeRows writes a file whose rows stand between brackets, each on a line of its own.
func writeRows(w io.Writer, schema, name, brackets string, rows []string) error {
	_, err := fmt.Fprintf(w, "{\"schema\": %q, %q: %c%s\n%c}\n", schema, name, brackets[0],
		strings.Join(rows, ","), brackets[1])
	return err
}

// readRows reads such a file, and refuses it if its schema, once read, is another one.
func readRows(text []byte, what string, into any, is *string, schema string) error {
	if err := json.Unmarshal(text, into); err != nil {
		return fmt.Errorf("props: %s: %w", what, err)
	}
	if *is != schema {
		return fmt.Errorf("props: %s has the schema %q, this program reads %q", what, *is, schema)
	}
	return nil
}

// ReadRecord reads what WriteRecord wrote.
func ReadRecord(text []byte) (map[string]*Asked, error) {
	var f struct {
		Schema string
		Claims map[string]*Asked
	}
	err := readRows(text, "the record of what claims ask", &f, &f.Schema, recordSchema)
	if err != nil {
		return nil, err
	}
	return f.Claims, nil
}

// Recorded gives each claim what is on record about its check, so that every run compares the two.
// Claims without a record are left alone.
func Recorded(claims []Claim, record map[string]*Asked) {
	for i := range claims {
		claims[i].Asked = record[claims[i].ID]
	}
}
