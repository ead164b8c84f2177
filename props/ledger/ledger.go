// Package ledger reads what is said about a text: its statements, where they stand, why some fail, and which verdict
// a check of each is expected to reach. Ledgers are plain files, one for each chapter of the text; [Join] brings them
// together with the checks that Go code binds to their ids.
//
// # Files
//
// A file begins with keys about the text, or about the chapter that the file is about:
//
//	part: first-order
//	title: On the convergence of things
//	authors: A. Author, B. Author
//	source: arXiv 1234.56789
//	sha256: of the file whose lines are counted
//
// Lines such as "cause: a-slip – What is wrong, in a sentence" may stand there as well, gravest first: they name what
// several entries have in common.
//
// Then come the entries. Each begins with its id in brackets and what is to be known of its place, parted by
// semicolons, in any order: the form (printed, corrects <id>, sharpens <id>, or own), the number of the result as a
// reader sees it (Theorem 1), the label in the source, the lines of the source, the kind of statement, and its weight
// (main result, proof step, or remark). Below it, indented by two spaces, stand the statement and the keys; what is
// indented further goes on with the line above:
//
//	[step-size]  printed; Theorem 1; theorem:main; lines 12-14; implication; main result
//	  $η ≤ 1/(2L)$ implies $1/(2η) − L/2 ≥ 0$
//	  note: With equality for $L = 0$ only.
//	  uses: assumption:Smoothness, descent-lemma
//	  expect: consistent
//	  sharp: 0.99
//
// The keys are note (several are paragraphs), uses, expect (the name of a verdict; after proved the scope all, sizes
// or instances may stand), holds (a comparison that holds inside a refuted claim, once for each), sharp (a share of
// the bound that is reached, with a part of the name of the comparison after it if it is about one), harm (a
// [props.Harm], with the argument for it after a dash), cause, and reading (the substitutions that were made; absent
// where the text is taken by the letter). Formulas stand between dollar signs. Lines that begin with # are remarks.
package ledger

import (
	"fmt"
	"io/fs"
	"path"
	"slices"

	"sledge/props"
)

// Text is the cited text that a ledger is about.
type Text struct {
	Title   string `json:"title"`
	Authors string `json:"authors,omitempty"`
	Source  string `json:"source,omitempty"` // where it is published
	SHA256  string `json:"sha256,omitempty"` // of the source file whose lines are counted, in hexadecimal
}

// Ledger is a text with its statements, part by part. The claims have no checks yet.
type Ledger struct {
	Text   Text
	Claims []props.Claim
	Causes []Cause // gravest first
}

// Cause is a slip of the text that breaks one statement or several.
type Cause struct {
	Name  string `json:"name"`  // as entries name it
	Title string `json:"title"` // what is wrong, in a sentence
}

// Read reads the files that match a pattern, in the order of their names, as one ledger.
func Read(files fs.FS, pattern string) (*Ledger, error) {
	names, err := fs.Glob(files, pattern)
	if err != nil || len(names) == 0 {
		return nil, fmt.Errorf("ledger: no file matches %s", pattern)
	}
	l := &Ledger{}
	for _, name := range names {
		text, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, fmt.Errorf("ledger: %w", err)
		}
		if err := l.parse(path.Base(name), string(text)); err != nil {
			return nil, err
		}
	}
	return l, l.finish()
}

// Parse reads a ledger from one text; name stands in its errors.
func Parse(name, text string) (*Ledger, error) {
	l := &Ledger{}
	if err := l.parse(name, text); err != nil {
		return nil, err
	}
	return l, l.finish()
}

// finish checks what entries say of each other.
func (l *Ledger) finish() error {
	at := map[string]int{}
	for i := range l.Claims {
		if _, twice := at[l.Claims[i].ID]; twice {
			return fmt.Errorf("ledger: two entries have the id %s", l.Claims[i].ID)
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
			return fmt.Errorf("ledger: %s names the cause %s, which no line explains", c.ID, c.Cause)
		}
		if c.Of == "" {
			continue
		}
		of, known := at[c.Of]
		if !known || l.Claims[of].Form != props.Printed {
			return fmt.Errorf("ledger: %s belongs to %s, which is no printed entry", c.ID, c.Of)
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

// Join returns the claims of the ledger, in its order, each with the check that is bound to it. An entry without a
// check, a check without an entry, and an id that is bound twice are errors.
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
		b, ok := bound[c.ID]
		if !ok || b.Check == nil {
			return nil, fmt.Errorf("ledger: no check is bound to %s", c.ID)
		}
		delete(bound, c.ID)
		c.Check, c.At = b.Check, b.At
	}
	for id, b := range bound {
		return nil, fmt.Errorf("ledger: a check is bound at %s to %s, which has no entry", b.At, id)
	}
	return claims, nil
}
