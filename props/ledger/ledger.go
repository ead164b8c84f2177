// Package ledger reads what is said about a text: its statements, where they stand, why some fail,
// and which verdict a check of each is expected to reach. Ledgers are plain files, one for each
// chapter of the text; [Join] brings them together with the checks that Go code binds to their ids.
//
// # Files
//
// A file begins with keys about the text, of which one file has the title at least, or about the
// chapter that the file is about:
//
//	part: first-order
//	title: On the convergence of things
//	authors: A. Author, B. Author
//	source: arXiv 1234.56789
//	sha256: of the file whose lines are counted
//
// Lines such as "cause: a-slip – What is wrong, in a sentence" may stand there as well, gravest
// first: they name what several entries have in common. So may displayed formulas of the text, each
// with the lines of its source, its numbers and its label, if it has them, and a digest; an entry
// is shown beside those that stand within its lines:
//
//	display: 12-14 (3) eq:step sha256:0a1b2c3d4e5f – f(y) ≤ f(x)
//
// Lines of a file that the source includes have its name and a colon before them, here and in
// entries: proofs.tex:12-14.
//
// Then come the entries. Each begins with its id in brackets and what is to be known of its place,
// parted by semicolons, in any order: the form (printed, corrects <id>, sharpens <id>, or own), the
// number of the result as a reader sees it (Theorem 1), the label in the source, the lines of the
// source, the kind of statement, and its weight (main result, proof step, or remark). Below it,
// indented by two spaces, stand the statement and the keys; what is indented further goes on with
// the line above:
//
//	[step-size]  printed; Theorem 1; theorem:main; lines 12-14; implication; main result
//	  $η ≤ 1/(2L)$ implies $1/(2η) − L/2 ≥ 0$
//	  note: With equality for $L = 0$ only.
//	  uses: assumption:Smoothness, descent-lemma
//	  expect: consistent
//	  sharp: 0.99
//
// The keys are note (several are paragraphs), uses, expect (the name of a verdict; after proved the
// scope all, sizes or instances may stand), holds (a comparison that holds inside a refuted claim,
// once for each), sharp (a share of the bound that is reached, with a part of the name of the
// comparison after it if it is about one, or the number of a part of the check and a colon, as in
// sharp: 0.7 2:), harm (a [props.Harm], with the argument for it after a
// dash), cause, and reading (the substitutions that were made; absent where the text is taken by
// the letter), and control (of a claim about runs, the mechanism that a run without it must be told
// by, see [props.ParseControl]; where it is known not to be, expect has the word loose after the
// verdict). An entry that is a theorem of a machine-checked development says so with formal, the
// word theorem, and its name, or the names of several with commas between. What a proof is of is
// said by object: statement, step, order of the count, model, sizes or implementation, with what it
// takes for granted after a dash; where a refuted entry has it, it is what its formulas are about.
// Formulas stand between dollar signs. Lines that begin with # are remarks.
//
// # Formal statements
//
// A statement in the notation of package formula is its own check: the entry says it with formal, a
// domain, a colon and the statement, once for each part of the check. Further ranges may follow the
// domain after commas, "units of" before it asks for the units alone, and "formal: program" stands
// where the check comes that a program binds to the entry.
// Above the entries stand the symbols and the domains:
//
//	symbols: steps; n, P count [2, 1e6]; C_1 logarithm; L, ζ f/x²; η x²/f
//	symbols: runs = steps; gap f
//	domain: short = runs; n ∈ [2, 100], η ∈ [1e-6 (1/L), 1/L]; effort 0.5
//
//	[step]  own; remark
//	  The step size leaves half of the coefficient
//	  formal: short, ζ = L: η ≤ 1/(2L); ηζ/2 ≤ 1/4
//	  expect: proved all
//
// Symbols have a unit in powers of values f and lengths x, or are counts or logarithms, and a
// range; "numbers of" in the place of a base takes its units away. A domain names symbols or
// another domain, ranges as [formula.Vocabulary] reads them, and the share of the usual effort that
// is spent on it. What does not parse, whose units do not fit (but for what is expected to be
// refuted), that names what is unknown, or that has no instance, is refused with file, line and
// character. So are parts without symbols that are not defined or beyond floating point, such as
// log(−1) and 1e400, sums of more than a million terms, texts of more than 500 numbers and symbols,
// and names that look like others.
//
// A statement about the runs of a method names it, its parameters where they are not the usual
// ones, the family of problems (or families, as in "quadratic and pl") if it is about quantities of
// runs, and a probability if it is to hold in a share of the runs alone. Ranges behind the family
// say from where problems and runs are drawn that try the statement; premises, which belong to it,
// stand behind its if. It may be about what they cost as well. What may be said, and which methods
// there are, is for a program to say,
// see [Ledger.Run]:
//
//	formal: runs of SARAH on least-squares: E sum_t ‖v‖² ≤ 2Δ/η
//	formal: runs of SLEDGE-II on logistic with probability 0.95: ‖v−∇f‖² ≤ 4ζ²/b · S
//	formal: runs of SLEDGE-II on pl with 8 ≤ d ≤ 10, t ≤ 50: gap ≤ 3Δ if η ≤ 1/(2L)
//	formal: runs of STORM with a = 1: are runs of SGD
//	formal: errors of SAGA: E‖v−∇f‖² ≤ S stale
//	formal: messages of FLEDGE: sent = (3p + 2)T if x^{t−1} to i_t, x^t to I^t
//	formal: steps of SLEDGE: y_i^t = y_i^{t−1} + v^t − v^{t−1} for i ∉ I^t
//	formal: parts of SLEDGE-II on long with probability 1 − ν: ‖v−∇f‖ ≤ (1 + √(log(bT/ν)/2))(ζ/b)√(S_b V)
//	formal: pairs of SLEDGE on close with probability 1 − ν/(4T): ‖second‖ ≤ (2C_1⁴/√b)√X
//	formal: samples of components with probability 1 − ν/(5T²): ‖Σ‖² ≤ C_1M
//	formal: searches of SSRGD on chain with probability 0.9: steps ≤ (5/2)m log(R√(2dηγ)/r)/(ηγ)
//	formal: instances of slabs: share ≤ ν/T
//	formal: members of ladders: gap = Δ; gradients ≥ ⌊LΔ/(9.3ε²)⌋
//	formal: tails of samples: tail ≤ (d + 1)exp(−t²/(2lσ² + 2Rt/3))
//	formal: cost of SAGA: gradients = n + bT; memory = (n + 3)d
//	formal: growth of SGD: gradients = Θ(Δσ_c²/ε⁴); σ_c² = 1 by 3.1623; n = 16, b = 1, σ_c = √x, ε = 0.3
//	formal: findings of figure 4 with probability 0.5: error_{SLEDGE} ≤ error_{SAGA}/2
//	formal: constants of logistic: hold along runs of SLEDGE-II and FLEDGE-II
package ledger

import (
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"sledge/props"
)

// Text is the cited text that a ledger is about.
type Text struct {
	Title   string `json:"title"`
	Authors string `json:"authors,omitempty"`
	Source  string `json:"source,omitempty"` // where it is published
	// of the source file whose lines are counted, in hexadecimal
	SHA256 string `json:"sha256,omitempty"`
	// Displays are formulas that the text displays, in its order, in the notation of statements as
	// far as possible
	Displays []Display `json:"displays,omitempty"`
}

// Display is a displayed formula of a text.
type Display struct {
	File    string `json:"file,omitempty"` // that the source includes; none for the source itself
	First   int    `json:"first"`          // lines of that file, both meant
	Last    int    `json:"last"`
	Numbers string `json:"numbers,omitempty"` // as they are printed: "(3)", "(3)-(5)"
	Label   string `json:"label,omitempty"`
	// the first twelve digits of the SHA-256 of its source, with any space as one blank
	Digest  string `json:"digest"`
	Formula string `json:"formula"`
}

// String is what stands in a ledger after "display: ".
func (d *Display) String() string {
	words := []string{strconv.Itoa(d.First)}
	if d.File != "" {
		words[0] = d.File + ":" + words[0]
	}
	if d.Last > d.First {
		words[0] += "-" + strconv.Itoa(d.Last)
	}
	for _, w := range []string{d.Numbers, d.Label} {
		if w != "" {
			words = append(words, strings.ReplaceAll(w, " ", "_"))
		}
	}
	return strings.Join(append(words, "sha256:"+d.Digest, "–", d.Formula), " ")
}

// displayed is what [Display.String] writes.
var displayed = regexp.MustCompile(
	`^(?:([^\s:]+):)?([0-9]{1,9})(?:-([0-9]{1,9}))?(?: (\(\S*))?(?: (\S+))? sha256:([0-9a-f]{12}) – (\S.*)$`)

// ParseDisplay reads what [Display.String] writes; ok is false if it is nothing of the kind.
func ParseDisplay(s string) (d Display, ok bool) {
	m := displayed.FindStringSubmatch(s)
	if m == nil {
		return d, false
	}
	d = Display{File: m[1], Numbers: m[4], Label: m[5], Digest: m[6], Formula: m[7]}
	d.First, _ = strconv.Atoi(m[2])
	if d.Last = d.First; m[3] != "" {
		d.Last, _ = strconv.Atoi(m[3])
	}
	return d, d.First > 0 && d.Last >= d.First
}

// Shown returns the displays that stand within some lines, such as "12-14, 20", or
// "proofs.tex:12-14" for those of a file that the source includes.
func (t *Text) Shown(lines string) []Display {
	var out []Display
	for _, d := range t.Displays {
		for span := range strings.SplitSeq(lines, ", ") {
			file, span, included := strings.Cut(span, ":")
			if !included {
				file, span = "", file
			}
			from, to, is := strings.Cut(span, "-")
			if !is {
				to = from
			}
			first, err := strconv.Atoi(from)
			last, err2 := strconv.Atoi(to)
			// the marks of a display may stand outside
			if err == nil && err2 == nil && file == d.File && first-1 <= d.First &&
				d.Last <= last+1 {
				out = append(out, d)
				break
			}
		}
	}
	return out
}

// Ledger is a text with its statements, part by part. The claims have no checks yet.
type Ledger struct {
	Text   Text
	Claims []props.Claim
	Causes []Cause // gravest first

	at     []string          // where the claims stand, as errors say it
	places map[string]place  // symbols and domains that formal statements name
	formal map[string][]part // what entries say in formulas, by their ids
}

func empty() *Ledger { return &Ledger{places: map[string]place{}, formal: map[string][]part{}} }

// Cause is a slip of the text that breaks one statement or several.
type Cause struct {
	Name  string `json:"name"`  // as entries name it
	Title string `json:"title"` // what is wrong, in a sentence
}

// Read reads the files that match the patterns, pattern by pattern in the order of their names, as
// one ledger.
func Read(files fs.FS, patterns ...string) (*Ledger, error) {
	var names []string
	for _, pattern := range patterns {
		found, err := fs.Glob(files, pattern)
		if err != nil || len(found) == 0 {
			return nil, fmt.Errorf("ledger: no file matches %s", pattern)
		}
		names = append(names, found...)
	}
	l := empty()
	for _, name := range names {
		text, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, fmt.Errorf("ledger: %w", err)
		}
		if err := l.parse(name, string(text)); err != nil {
			return nil, err
		}
	}
	if len(l.Claims) > 0 && l.Text.Title == "" {
		return nil, fmt.Errorf("ledger: %s: an entry stands here, and nowhere the title of the text: "+
			"title: …", l.at[0])
	}
	return l, l.finish()
}

// Parse reads a ledger, or a part of one, from one text, which need not have the title that [Read]
// asks for; name stands in its errors.
func Parse(name, text string) (*Ledger, error) {
	l := empty()
	if err := l.parse(name, text); err != nil {
		return nil, err
	}
	return l, l.finish()
}

// finish checks what entries say of each other.
func (l *Ledger) finish() error {
	at := map[string]int{}
	for i := range l.Claims {
		if first, twice := at[l.Claims[i].ID]; twice {
			return fmt.Errorf("ledger: %s: two entries have the id %s; the first stands at %s",
				l.at[i], l.Claims[i].ID, l.at[first])
		}
		at[l.Claims[i].ID] = i
	}
	named := map[string]bool{}
	for _, c := range l.Causes {
		named[c.Name] = true
	}
	for i := range l.Claims {
		c := &l.Claims[i]
		if c.Cause != "" && !named[c.Cause] {
			return fmt.Errorf("ledger: %s: %s names the cause %s, which no line explains",
				l.at[i], c.ID, c.Cause)
		}
		for _, id := range c.Uses {
			if _, known := at[id]; id == c.ID || !known && !strings.Contains(id, ":") {
				return fmt.Errorf("ledger: %s: %s uses %q, which is no other entry and no label, such "+
					"as assumption:Smooth", l.at[i], c.ID, id)
			}
		}
		if c.Of == "" {
			continue
		}
		of, known := at[c.Of]
		if !known || l.Claims[of].Form != props.Printed {
			return fmt.Errorf("ledger: %s: %s belongs to %s, which is no printed entry", l.at[i],
				c.ID, c.Of)
		}
		if c.Form == props.Sharper {
			for k := range l.Claims {
				other := &l.Claims[k]
				if other.Form != props.Sharper && (other.ID == c.Of || other.Of == c.Of) {
					other.Sharpened = true
				}
			}
		}
	}
	return nil
}

// Join returns the claims of the ledger, in its order, each with the check that its formal
// statements are and the one that is bound to it. An entry without a check, a check without an
// entry, and an id that is bound twice are errors.
func (l *Ledger) Join(bindings ...[]props.Binding) ([]props.Claim, error) {
	bound := map[string]props.Binding{}
	for _, b := range slices.Concat(bindings...) {
		if first, twice := bound[b.ID]; twice {
			return nil, fmt.Errorf("ledger: %s is bound at %s and at %s", b.ID, first.At, b.At)
		}
		bound[b.ID] = b
	}
	claims := slices.Clone(l.Claims)
	for i := range claims {
		c := &claims[i]
		b := bound[c.ID]
		delete(bound, c.ID)
		var err error
		if c.Check, err = l.join(i, b.Check); err != nil {
			return nil, err
		}
		if c.At = b.At; b.Check == nil {
			c.At = l.formal[c.ID][0].at
		}
	}
	for id, b := range bound {
		return nil, fmt.Errorf("ledger: a check is bound at %s to %s, which has no entry", b.At, id)
	}
	return claims, nil
}
