package reports

import (
	"cmp"
	_ "embed"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"sledge/props"
	"sledge/props/certificate"
)

// Verdicts lists the verdicts in the order in which a reader should see them: what needs attention
// first.
var Verdicts = []props.Verdict{
	props.Error, props.Refuted, props.Vacuous, props.Inconclusive, props.Consistent,
	props.Supported, props.Proved,
}

// meaningsText says on a line each what the verdicts and the harms mean.
//
//go:embed meanings.txt
var meaningsText string

var meanings = sync.OnceValue(func() map[string]string {
	out := map[string]string{}
	for line := range strings.Lines(meaningsText) {
		word, meaning, _ := strings.Cut(strings.TrimSpace(line), ": ")
		out[word] = meaning
	}
	return out
})

// Meaning explains a verdict in one clause.
func Meaning(v props.Verdict) string { return cmp.Or(meanings()[v.String()], "not run") }

// MeaningOfHarm explains what a harm says of the statements that bear it.
func MeaningOfHarm(h props.Harm) string { return cmp.Or(meanings()[string(h)], "not judged") }

// attention ranks claims: unexpected ones first, then by verdict as in Verdicts.
func attention(c *Claim) int {
	rank := slices.Index(Verdicts, c.Verdict)
	if c.AsExpected() {
		rank += len(Verdicts)
	}
	return rank
}

// ByAttention returns the claims with what needs attention first; claims of equal urgency stay in
// the order of the text.
func (r *Report) ByAttention() []*Claim {
	out := r.those(func(*Claim) bool { return true })
	slices.SortStableFunc(out,
		func(a, b *Claim) int { return cmp.Compare(attention(a), attention(b)) })
	return out
}

// number writes a number to four significant digits.
func number(x float64) string { return props.Number(x, 4) }

// known reports whether a number applies and is finite.
func known(x float64) bool { return Num(x).Known() }

// Lead returns the piece of evidence that stands for the claim: of those that say what the verdict
// says, a certified counterexample before others, and then the one farthest beyond or closest to
// its bound. It is nil if there is no evidence.
func (c *Claim) Lead() *Evidence {
	var best *Evidence
	better := func(a, b *Evidence) bool {
		if x, y := a.Outcome() == c.Verdict, b.Outcome() == c.Verdict; x != y {
			return x
		}
		if c.Verdict == props.Refuted && a.Certified != b.Certified {
			return a.Certified
		}
		return a.excess() > b.excess()
	}
	for i := range c.Evidence {
		if e := &c.Evidence[i]; best == nil || better(e, best) {
			best = e
		}
	}
	return best
}

// Notice says how many mistakes planted in the sources the check notices; empty if none was tried.
func (c *Claim) Notice() string {
	if c.Notices == nil {
		return ""
	}
	return fmt.Sprintf("notices %d of %s", c.Notices.Noticed,
		plural(c.Notices.Tried, "planted mistake"))
}

// Because is the reason for the verdict in words, on one line; Error has all of an error.
func (c *Claim) Because() string {
	switch e := c.Lead(); {
	case c.Error != "":
		line, _, _ := strings.Cut(c.Error, "\n")
		return line
	case e != nil:
		return e.Finding()
	}
	return "No evidence."
}

// Leaning says, of a statement that is not decided, in how many trials each thing that was tried
// held.
func (c *Claim) Leaning() []string {
	var out []string
	for i := range c.Evidence {
		if e := &c.Evidence[i]; c.Verdict == props.Inconclusive &&
			e.Outcome() == props.Inconclusive && e.Trials > 0 {
			out = append(out, fmt.Sprintf("Held in %d of %s: %s.", e.Trials-e.Violations,
				plural(e.Trials, "trial"), e.What))
		}
	}
	return out
}

// room is the largest share of violating instances for which the evidence of a claim that stands
// leaves room, and says whether instances were tested of which none is known.
func (c *Claim) room() (share Num, untold bool) {
	if c.Verdict != props.Supported && c.Verdict != props.Consistent {
		return 0, false
	}
	for i := range c.Evidence {
		switch e := &c.Evidence[i]; {
		case known(e.Excluded):
			share = max(share, Num(e.Excluded))
		case e.Instances > 1 && e.EValues != nil:
			untold = true
		}
	}
	return share, untold
}

// Reach says on how many of the instances a claim stands: "on all but 2 % of the instances";
// nothing if it does not stand, or if it has one instance or none.
func (c *Claim) Reach() string {
	switch share, untold := c.room(); {
	case untold:
		return "on the instances tested"
	case share > 0:
		percent := 100 * float64(share)
		digit := math.Pow(10, math.Floor(math.Log10(percent))-1)
		if percent = math.Ceil(percent/digit-1e-9) * digit; percent >= 100 {
			return "on the instances tested"
		}
		return fmt.Sprintf("on all but %s\u00a0%% of the instances", props.Number(percent, 2))
	}
	return ""
}

// Word is the verdict in words: "supported on all but 2 % of the instances".
func (c *Claim) Word() string {
	if of := c.Proves(); of != "" {
		return c.Verdict.String() + ": " + of
	}
	return list(" ", c.Verdict.String(), c.Reach())
}

// Proves says of what less than the statement a proof is: "the step"; nothing if it is of the
// statement, or not said of one that is for all sizes.
func (c *Claim) Proves() string { return c.proves().Words() }

// InShort is Proves in one short word, for tables.
func (c *Claim) InShort() string {
	return map[props.Object]string{props.ProofStep: "step", props.CountOrder: "order",
		props.OfModel: "model", props.OfSizes: "sizes", props.OfProgram: "code"}[c.proves()]
}

// proves is the object of a proof, empty for the whole statement.
func (c *Claim) proves() props.Object {
	switch {
	case c.ProofOf == "" && c.Verdict == props.Proved && c.Scope() == certificate.Sizes:
		return props.OfSizes
	case c.ProofOf == props.WholeStatement:
		return ""
	}
	return c.ProofOf
}

// Differs says what is not as expected: which verdict was, or which comparisons inside a refuted
// claim came out otherwise.
func (c *Claim) Differs() string {
	if c.Verdict != c.Expect {
		said := []string{"expected to be " + c.Expect.String()}
		if why := c.unsettled(); c.Expect == props.Proved && why != "" {
			said[0] += " and not settled, " + why
		}
		return strings.Join(append(said, c.Unexpected[min(1, len(c.Unexpected)):]...), "; ")
	}
	return strings.Join(c.Unexpected, "; ")
}

// unsettled says why no procedure settles the claim; nothing if none was asked in vain.
func (c *Claim) unsettled() string {
	for i := range c.Evidence {
		if why := c.Evidence[i].Unsettled; why != "" {
			return why
		}
	}
	return ""
}

// Place says where in the text the claim stands.
func (c *Claim) Place() string {
	s := c.Part
	if c.Theorem != "" {
		s += ", " + c.Theorem
	}
	if c.Lines != "" {
		s += ", lines " + c.Lines
	}
	if c.Label != "" && c.Label != "-" {
		s += ", " + c.Label
	}
	return strings.TrimPrefix(s, ", ")
}

// capital writes the first letter of a sentence large, unless it begins with a symbol such as f(x).
func capital(s string) string {
	if len(s) > 1 && s[0] >= 'a' && s[0] <= 'z' && s[1] >= 'a' && s[1] <= 'z' {
		return strings.ToUpper(s[:1]) + s[1:]
	}
	return s
}

// beyond writes a ratio above 1 so that it never rounds to 1.
func beyond(ratio float64) string {
	switch {
	case ratio > 1e12: // a bound that all but vanishes says nothing about how far it is off
		return "a factor of more than " + number(1e12)
	case ratio < 1.1:
		return props.Number(100*(ratio-1), 3) + "\u00a0%"
	}
	return "a factor of " + props.Number(ratio, 3)
}

// relationWords are the words and the signs of relations; all others are equality.
var relationWords = map[props.Relation][2]string{props.LE: {"at most", "≤"},
	props.GE: {"at least", "≥"}, props.Near: {"about", "≈"}}

func words(r props.Relation) string  { return cmp.Or(relationWords[r][0], "exactly") }
func symbol(r props.Relation) string { return cmp.Or(relationWords[r][1], "=") }

// Headline says in one sentence how the run went.
func (r *Report) Headline() string {
	n, u := len(r.Claims), len(r.Summary.Unexpected)
	var s string
	switch {
	case n == 0:
		return "No claim was checked."
	case u == 0:
		s = "Every verdict is as expected."
	case u == 1:
		s = "One claim is not as expected."
	default:
		s = fmt.Sprintf("%d claims are not as expected.", u)
	}
	if r.Run.Partial != "" {
		s += " The run is partial."
	}
	return s
}

// Counts is one line with the number of claims for each verdict that occurs, what needs attention
// first.
func (r *Report) Counts() string {
	parts := []string{}
	for _, v := range Verdicts {
		if k := r.Summary.ByVerdict[v]; k > 0 {
			part := fmt.Sprintf("%d %s", k, v)
			if l := r.Summary.Loose[v]; l > 0 {
				part += fmt.Sprintf(" (%d loose)", l)
			}
			parts = append(parts, part)
		}
	}
	return fmt.Sprintf("%s: %s", plural(len(r.Claims), "claim"), strings.Join(parts, ", "))
}

// Overall says how many of the printed statements are refuted and how their corrected forms fared;
// nothing if no printed statement was checked.
func (r *Report) Overall() string {
	printed, refuted, checked, corrected := 0, 0, 0, 0
	for i := range r.Claims {
		c := &r.Claims[i]
		if c.Form != props.Printed {
			continue
		}
		printed++
		if c.Verdict == props.Refuted {
			refuted++
			if f := r.Corrected(c.ID); f != nil {
				checked++
				if f.Stands() {
					corrected++
				}
			}
		}
	}
	switch {
	case printed == 0:
		return ""
	case refuted == 0 && printed == 1:
		return "The printed statement is not refuted."
	case refuted == 0:
		return fmt.Sprintf("None of the %d printed statements is refuted.", printed)
	}
	s := fmt.Sprintf("Of %s, %d %s refuted%s", plural(printed, "printed statement"), refuted,
		either(refuted, "is", "are"), r.harms())
	switch {
	case checked == 0:
		return s + "."
	case corrected == 1 && refuted == 1:
		return s + "; it has a corrected form that stands."
	case corrected == refuted:
		return s + "; each has a corrected form that stands."
	}
	return fmt.Sprintf("%s; %d of them %s a corrected form that stands.", s, corrected,
		either(corrected, "has", "have"))
}

// becomes says what becomes of results, of one and of more.
var becomes = []struct {
	fate      Fate
	one, more string
}{
	{asPrinted, "stands as printed", "stand as printed"},
	{asRead, "holds once a plain slip is read as it was meant",
		"hold once plain slips are read as they were meant"},
	{repaired, "is refuted as printed, in part or whole, and stands corrected",
		"are refuted as printed, in part or whole, and stand corrected"},
	{undecided, "is in part not decided", "are in part not decided"},
	{fallen, "is refuted, and no corrected form of it stands",
		"are refuted, and no corrected form of them stands"},
}

// fate is that of everything inside a numbered result: the worst. It has none without main results.
func (r *Report) fate(s *Section) (worst Fate, known bool) {
	main := s.Main()
	if !s.Numbered || len(main) == 0 {
		return "", false
	}
	at := 0
	for _, c := range main {
		fate, _ := r.Fate(c)
		at = max(at, slices.Index(fates, fate))
	}
	return fates[at], true
}

// Judgement says in one sentence what becomes of the numbered results of the text; nothing if it
// has none.
func (r *Report) Judgement() string {
	count, total := map[Fate]int{}, 0
	for _, s := range r.Sections() {
		if fate, known := r.fate(s); known {
			count[fate]++
			total++
		}
	}
	if total == 0 {
		return ""
	}
	var said []string
	for _, f := range becomes {
		if n := count[f.fate]; n > 0 {
			said = append(said, fmt.Sprintf("%d %s", n, either(n, f.one, f.more)))
		}
	}
	return fmt.Sprintf("Of the %s of the text (theorems, lemmas, algorithms, tables, figures): %s.",
		plural(total, "numbered result"), strings.Join(said, "; "))
}

// harms counts the refuted printed statements by harm, in brackets; empty if none is judged.
func (r *Report) harms() string {
	count := map[props.Harm]int{}
	for i := range r.Claims {
		if c := &r.Claims[i]; c.Form == props.Printed && c.Verdict == props.Refuted {
			count[c.Harm]++
		}
	}
	var out []string
	for _, h := range props.Harms {
		if n := count[h]; n > 0 {
			out = append(out, fmt.Sprintf("%d %s", n, h))
		}
	}
	if len(out) == 0 {
		return ""
	}
	return " (" + strings.Join(out, ", ") + ")"
}

// either is the word for one thing, or that for none or several.
func either(n int, one, more string) string {
	if n == 1 {
		return one
	}
	return more
}

// ReplayLine is the line that evaluates a piece of evidence again, or its token alone if
// [Run.Replayer] names no command.
func (r *Report) ReplayLine(token string) string {
	return strings.TrimPrefix(r.Run.Replayer+" "+token, " ")
}

// enough writes the smallest sufficient constant. Beyond a million the bound all but vanishes
// somewhere, and the number says no more than that.
func enough(c float64) string {
	if c > 1e6 {
		return "none below " + number(1e6)
	}
	return number(c)
}

func plural(n int, noun string) string {
	return strconv.Itoa(n) + " " + either(n, noun, noun+"s")
}

// duration writes seconds as people read them.
func duration(seconds float64) string {
	switch {
	case seconds < 0.1:
		return fmt.Sprintf("%.0f ms", seconds*1e3)
	case seconds < 60:
		return fmt.Sprintf("%.1f s", seconds)
	}
	return time.Duration(seconds * float64(time.Second)).Round(time.Second).String()
}

// Deeper says what a run at a deeper tier could newly decide; nothing at the deepest. Searches and
// tests that stand may still find a counterexample; of what is inconclusive, more runs decide
// nothing that rests on stand-ins.
func (r *Report) Deeper() string {
	tier, open, standIns := props.Deep, 0, 0
	for t := props.Quick; t < props.Deep; t++ {
		if r.Run.Tier == t.String() {
			tier = t
		}
	}
	if tier == props.Deep {
		return ""
	}
	for i := range r.Claims {
		switch c := &r.Claims[i]; {
		case c.Verdict != props.Inconclusive:
		case slices.ContainsFunc(c.Evidence, func(e Evidence) bool {
			return e.Outcome() == props.Inconclusive && e.EValues == nil && e.Sense == props.Runs &&
				e.Allowed > 0
		}):
			standIns++
		default:
			open++
		}
	}
	stands := r.Summary.ByVerdict[props.Consistent] + r.Summary.ByVerdict[props.Supported]
	s := fmt.Sprintf(
		"The %s tier could refute %s that %s here, by larger searches and more runs, and decide %d of %s",
		tier+1, plural(stands, "claim"), either(stands, "stands", "stand"), open,
		plural(open+standIns, "inconclusive one"))
	if standIns > 0 {
		s += "; the others rest on stand-ins, which decide nothing at any tier"
	}
	return s
}

// Settings is one line that says what it takes to repeat the run.
func (r *Report) Settings() string {
	s := fmt.Sprintf("%s tier, seed %d", r.Run.Tier, r.Run.Seed)
	if len(r.Run.Seeds) > 0 {
		s = fmt.Sprintf("%s tier, pooled over the seeds %s, error level %s in all", r.Run.Tier,
			r.Run.seeds(), r.Run.Alpha)
	}
	if r.Run.Shard != "1/1" {
		s += ", shard " + r.Run.Shard
	}
	return fmt.Sprintf("%s, %s, started %s", s, duration(r.Run.Seconds),
		r.Run.Started.UTC().Format("2006-01-02 15:04 UTC"))
}

// Cause says which slip of the text is behind a refuted claim, and what else it breaks; empty if
// none is named.
func (r *Report) Cause(c *Claim) string {
	for _, cause := range r.Causes {
		if cause.Name != c.Cause {
			continue
		}
		var also []string
		for i := range r.Claims {
			if other := &r.Claims[i]; other.Cause == c.Cause && other.ID != c.ID {
				also = append(also, other.ID)
			}
		}
		if len(also) == 0 {
			return cause.Title
		}
		return cause.Title + "; it breaks " + strings.Join(also, ", ") + " as well"
	}
	return c.Cause
}
