package reports

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"

	"sledge/props"
)

// Schema names the format of report.json. It changes when a field changes meaning; readers ignore fields they do not know.
const Schema = "sledge/report/v2"

// earlier is the format before, in which the tightness of a statement up to a constant was the ratio of its sides. It is still read.
const earlier = "sledge/report/v1"

// Report is what report.json holds.
type Report struct {
	Schema  string  `json:"schema"`
	Tool    Tool    `json:"tool"`
	Run     Run     `json:"run"`
	Claims  []Claim `json:"claims"` // in the order of the text, see [New]
	Summary Summary `json:"summary"`
	source  string  // file that it was read from
}

// Tool says what produced the numbers: everything that may change the last bits of a floating-point result.
type Tool struct {
	Name    string `json:"name"`
	Version string `json:"version"`
	Go      string `json:"go"`
	OS      string `json:"os"`
	Arch    string `json:"arch"`
	GOAMD64 string `json:"goamd64,omitempty"`
	Tags    string `json:"tags,omitempty"`
}

// Run says how the claims were run.
type Run struct {
	Seed  uint64 `json:"seed"`
	Tier  string `json:"tier"`
	Shard string `json:"shard"` // "k/K", or several of them joined by "+" after a merge
	// Selection are the patterns by which the claims were chosen before they were divided among shards; empty if all were.
	Selection []string  `json:"selection,omitempty"`
	Alpha     Num       `json:"alpha"`
	Tests     int       `json:"tests,omitempty"` // significance tests among which Alpha is divided, see [props.Config]
	Started   time.Time `json:"started"`
	Seconds   float64   `json:"seconds"`
	Replayer  string    `json:"replayer,omitempty"` // what stands before a token on the line that replays it; empty where [props.Replay] is called otherwise
	Digest    string    `json:"digest"`             // of everything in the claims but the times; set by New and Merge
	Planned   int       `json:"planned,omitempty"`  // number of claims that the run set out to check
	Partial   string    `json:"partial,omitempty"`  // why claims are missing, if any are
}

// Claim is a claim with its verdict and its evidence.
type Claim struct {
	ID        string        `json:"id"`
	Part      string        `json:"part"` // "other" for claims without one
	Tier      int           `json:"tier"`
	Kind      string        `json:"kind"`
	Form      props.Form    `json:"form"`
	Corrects  string        `json:"corrects,omitempty"` // id of the printed claim that a corrected form repairs
	Title     string        `json:"title"`
	Statement string        `json:"statement"`
	Lines     string        `json:"lines"`
	Label     string        `json:"label"`
	Checked   string        `json:"checked,omitempty"` // how, in words
	Notes     string        `json:"notes,omitempty"`
	Verdict   props.Verdict `json:"verdict"`
	Expected  props.Verdict `json:"expected"`
	// Unexpected says what differs from the expectations of the claim; empty if nothing does.
	Unexpected []string   `json:"unexpected,omitempty"`
	Holds      []string   `json:"holds,omitempty"` // comparisons that are expected to hold in a claim that is expected to be refuted
	Error      string     `json:"error,omitempty"` // why the verdict is "error"
	Uses       []string   `json:"uses"`
	Seconds    float64    `json:"seconds"`
	Evidence   []Evidence `json:"evidence"`
}

// AsExpected reports whether the verdict is the expected one, and every comparison inside a refuted claim came out as expected.
func (c *Claim) AsExpected() bool { return c.Verdict == c.Expected && len(c.Unexpected) == 0 }

// Evidence is [props.Evidence] as report.json has it. A number that does not apply is null; so is an infinite one, and Note says so.
type Evidence struct {
	What       string         `json:"what"`
	Outcome    props.Verdict  `json:"outcome"` // what this piece says by itself
	Measured   Num            `json:"measured"`
	Claimed    Num            `json:"claimed"`
	Relation   props.Relation `json:"relation"`
	Sense      props.Sense    `json:"sense,omitempty"`
	Tightness  Num            `json:"tightness"` // how far a bound is violated or reached at the worst point found
	Ratio      Num            `json:"ratio"`     // of the sides of a statement up to a constant, which has no tightness
	Constant   Num            `json:"constant"`
	Trials     int            `json:"trials"`
	Violations int            `json:"violations"`
	Level      Num            `json:"level"`
	Low        Num            `json:"low"`
	High       Num            `json:"high"`
	Power      string         `json:"power"`
	Certified  bool           `json:"certified"`
	Where      string         `json:"where"`
	Replay     string         `json:"replay"`
	Note       string         `json:"note"`
	Part       int            `json:"part"`                // of the check that it comes from, from 0
	Simplest   *Example       `json:"simplest,omitempty"`  // the simplest counterexample, where the numbers are those of the worst
	Instances  int            `json:"instances,omitempty"` // on which a statement about all of them was confirmed or searched
	Excluded   Num            `json:"excluded"`            // a larger share of violating instances would have been met with probability 0.95
	Loose      bool           `json:"loose,omitempty"`     // supported, but a hundredth of the bound would have done
	Regime     string         `json:"regime,omitempty"`    // which conditions for its content the instance meets
	Curves     []Curve        `json:"curves,omitempty"`
	Chain      []Link         `json:"chain,omitempty"`
}

// UnmarshalJSON reads a piece of evidence; numbers that are absent are unknown, not zero.
func (e *Evidence) UnmarshalJSON(b []byte) error {
	type plain Evidence
	no := Num(math.NaN())
	p := plain{Measured: no, Claimed: no, Tightness: no, Ratio: no, Constant: no, Level: no, Low: no, High: no, Excluded: no}
	err := json.Unmarshal(b, &p)
	*e = Evidence(p)
	return err
}

// Example is [props.Example] as report.json has it.
type Example struct {
	Measured Num    `json:"measured"`
	Claimed  Num    `json:"claimed"`
	Where    string `json:"where"`
	Replay   string `json:"replay"`
}

// Curve is [props.Curve] as report.json has it. The slices are empty or as long as X.
type Curve struct {
	Title   string `json:"title"`
	XLabel  string `json:"xlabel"`
	YLabel  string `json:"ylabel"`
	X       []Num  `json:"x"`
	Claimed []Num  `json:"claimed,omitempty"`
	Low     []Num  `json:"low,omitempty"`
	Median  []Num  `json:"median,omitempty"`
	High    []Num  `json:"high,omitempty"`
}

// Link is [props.Link] as report.json has it.
type Link struct {
	Name  string `json:"name"`
	Value Num    `json:"value"`
}

// Summary counts the verdicts.
type Summary struct {
	ByVerdict  map[props.Verdict]int `json:"by_verdict"`
	Unexpected []string              `json:"unexpected"`
}

// Num is a number that JSON can hold: NaN and the infinities are written as null, and null is read as NaN.
type Num float64

// MarshalJSON writes the number in full precision, or null.
func (n Num) MarshalJSON() ([]byte, error) {
	if f := float64(n); !math.IsNaN(f) && !math.IsInf(f, 0) {
		return json.Marshal(f)
	}
	return []byte("null"), nil
}

// UnmarshalJSON reads a number or null.
func (n *Num) UnmarshalJSON(b []byte) error {
	if string(b) == "null" {
		*n = Num(math.NaN())
		return nil
	}
	return json.Unmarshal(b, (*float64)(n))
}

// Known reports whether the number applies and is finite.
func (n Num) Known() bool { return !math.IsNaN(float64(n)) && !math.IsInf(float64(n), 0) }

// New makes a report of results. Of run, the digest is filled in, an empty shard becomes "1/1", and an empty tier and level become those of the zero
// [props.Config]. The claims are put in the order of the text: by part, parts with nothing printed in them last, by line, and the printed form
// before its corrected and sharper ones.
func New(results []props.Result, run Run) *Report {
	r := &Report{Schema: Schema, Tool: thisTool(), Run: run, Claims: make([]Claim, 0, len(results))}
	if r.Run.Shard == "" {
		r.Run.Shard = "1/1"
	}
	if r.Run.Tier == "" {
		r.Run.Tier = props.Quick.String()
	}
	if r.Run.Alpha == 0 {
		r.Run.Alpha = props.DefaultAlpha
	}
	for i := range results {
		r.Claims = append(r.Claims, newClaim(&results[i]))
	}
	r.finish()
	return r
}

// finish sorts the claims and derives the digest and the summary from them.
func (r *Report) finish() {
	sortClaims(r.Claims)
	r.Run.Digest = digest(r.Claims)
	r.Summary = summarise(r.Claims)
}

func newClaim(res *props.Result) Claim {
	c := &res.Claim
	out := Claim{
		ID: c.ID, Part: c.Part, Tier: c.Tier, Kind: c.Kind, Form: cmp.Or(c.Form, props.Printed), Title: title(c.ID), Statement: c.Statement,
		Lines: c.Lines, Label: c.Label, Checked: props.Describe(c.Check), Notes: c.Notes, Verdict: res.Verdict, Expected: c.Expect,
		Unexpected: res.Unexpected(), Holds: c.Holds, Error: res.Err, Uses: append([]string{}, c.Uses...), Seconds: res.Seconds, Evidence: make([]Evidence, 0, len(res.Evidence)),
	}
	if out.Part == "" {
		out.Part = "other"
	}
	if out.Form == props.Corrected {
		out.Corrects = c.Of
	}
	for i := range res.Evidence {
		out.Evidence = append(out.Evidence, newEvidence(&res.Evidence[i]))
	}
	return out
}

func newEvidence(e *props.Evidence) Evidence {
	out := Evidence{
		What: e.What, Outcome: e.Outcome(), Relation: e.Relation, Sense: e.Sense, Trials: e.Trials, Violations: e.Violations, Power: e.Power,
		Certified: e.Certified, Where: e.Where, Replay: e.Replay, Note: e.Note, Part: e.Part, Instances: e.Instances, Loose: e.Loose, Regime: e.Regime,
	}
	if s := e.Simplest; s != nil {
		out.Simplest = &Example{Num(s.Measured), Num(s.Claimed), s.Where, s.Replay}
	}
	for _, f := range []struct {
		name string
		from float64
		to   *Num
	}{
		{"measured", e.Measured, &out.Measured}, {"claimed", e.Claimed, &out.Claimed}, {"tightness", e.Tightness, &out.Tightness},
		{"ratio", e.Ratio, &out.Ratio}, {"excluded", e.Excluded, &out.Excluded},
		{"constant", e.Constant, &out.Constant}, {"level", e.Level, &out.Level}, {"low", e.Low, &out.Low}, {"high", e.High, &out.High},
	} {
		*f.to = Num(f.from)
		if math.IsInf(f.from, 0) {
			*f.to = Num(math.NaN())
			said := fmt.Sprintf("%s is %v", f.name, f.from)
			if f.name == "low" || f.name == "high" {
				said = "one-sided confidence limit"
			}
			out.Note = strings.TrimPrefix(out.Note+"; "+said, "; ")
		}
	}
	for _, c := range e.Curves {
		out.Curves = append(out.Curves, Curve{
			c.Title, c.XLabel, c.YLabel, nums(c.X), nums(c.Claimed), nums(c.Low), nums(c.Median), nums(c.High)})
	}
	for _, l := range e.Chain {
		out.Chain = append(out.Chain, Link{l.Name, Num(l.Value)})
	}
	return out
}

func nums(xs []float64) []Num {
	if len(xs) == 0 {
		return nil
	}
	out := make([]Num, len(xs))
	for i, x := range xs {
		out[i] = Num(x)
	}
	return out
}

func baseID(id string) string { base, _, _ := strings.Cut(id, "/"); return base }

// title is the id as words: "descent-lemma/corrected" becomes "descent lemma (corrected)".
func title(id string) string {
	base, suffix, _ := strings.Cut(strings.ReplaceAll(id, "-", " "), "/")
	if suffix != "" {
		base += " (" + suffix + ")"
	}
	return base
}

// firstLine is the first number in a list of lines such as "112, 383-390"; claims without lines come last.
func firstLine(lines string) int {
	digits := strings.FieldsFunc(lines, func(r rune) bool { return r < '0' || r > '9' })
	if len(digits) > 0 {
		if n, err := strconv.Atoi(digits[0]); err == nil {
			return n
		}
	}
	return math.MaxInt
}

func sortClaims(claims []Claim) {
	part := map[string]int{}     // first line of each part
	printed := map[string]bool{} // parts with statements of the text
	base := map[string]int{}     // first line of each family of forms
	lower := func(m map[string]int, key string, line int) {
		if old, ok := m[key]; !ok || line < old {
			m[key] = line
		}
	}
	for i := range claims {
		line := firstLine(claims[i].Lines)
		lower(part, claims[i].Part, line)
		if claims[i].Form == props.Printed {
			printed[claims[i].Part] = true
		}
		lower(base, baseID(claims[i].ID), line)
	}
	form := map[props.Form]int{props.Printed: 0, props.Corrected: 1, props.Sharper: 2, props.Extension: 3}
	rank := func(c *Claim) int {
		if printed[c.Part] {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(claims, func(a, b Claim) int {
		return cmp.Or(
			cmp.Compare(rank(&a), rank(&b)),
			cmp.Compare(part[a.Part], part[b.Part]), cmp.Compare(a.Part, b.Part),
			cmp.Compare(base[baseID(a.ID)], base[baseID(b.ID)]), cmp.Compare(baseID(a.ID), baseID(b.ID)),
			cmp.Compare(form[a.Form], form[b.Form]), cmp.Compare(a.ID, b.ID))
	})
}

// digest is the SHA-256 of the claims with their times left out: equal digests mean equal numbers.
func digest(claims []Claim) string {
	h := sha256.New()
	enc := json.NewEncoder(h)
	for _, c := range claims {
		c.Seconds = 0
		if err := enc.Encode(c); err != nil {
			panic("reports: " + err.Error()) // only maps, channels and the like can fail, and a Claim has none
		}
	}
	return hex.EncodeToString(h.Sum(nil))
}

func summarise(claims []Claim) Summary {
	s := Summary{ByVerdict: map[props.Verdict]int{}, Unexpected: []string{}}
	for i := range claims {
		s.ByVerdict[claims[i].Verdict]++
		if !claims[i].AsExpected() {
			s.Unexpected = append(s.Unexpected, claims[i].ID)
		}
	}
	return s
}

// Build says in one line what this program was built from and with.
func Build() string { t := thisTool(); return t.String() }

func (t *Tool) String() string {
	s := fmt.Sprintf("%s, %s, %s/%s", t.Version, t.Go, t.OS, t.Arch)
	if t.GOAMD64 != "" {
		s += " " + t.GOAMD64
	}
	if t.Tags != "" {
		s += ", tags " + t.Tags
	}
	return s
}

func thisTool() Tool {
	t := Tool{Name: "sledge", Version: "(devel)", Go: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return t
	}
	if info.Main.Version != "" {
		t.Version = info.Main.Version
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "GOAMD64":
			t.GOAMD64 = s.Value
		case "-tags":
			t.Tags = s.Value
		case "vcs.revision":
			if t.Version == "(devel)" {
				t.Version += " " + s.Value[:min(12, len(s.Value))]
			}
		}
	}
	return t
}
