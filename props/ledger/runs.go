package ledger

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"sledge/props"
	"sledge/props/formula"
)

// Runs is a statement about the runs of a method, as an entry makes it. Methods, their parameters,
// families of problems and what may be said of runs are a program's; see [Ledger.Run].
type Runs struct {
	ID        string  // of the entry
	Of        string  // what it is about: one of the words of about, below
	Method    string  // by name
	With      string  // its parameters, such as "b = n, λ = 1"; empty where all are as usual
	Family    string  // of problems; empty where none is named
	Drawn     string  // ranges from which its problems and the runs are drawn, "8 ≤ d ≤ 10"
	Statement string  // what holds
	Rate      float64 // the share of the runs in which it is to hold; 0 where none is named
	Chance    string  // of parts, pairs and samples, that probability as it is written, such as "1 − ν/2"
}

// about are the words that a statement about runs begins with.
var about = []string{"runs", "steps", "errors", "messages", "parts", "pairs", "samples", "searches",
	"instances", "means", "cost", "growth", "constants", "members", "tails", "laws", "findings"}

// named are those of them that name what is looked at.
var named = []string{"members", "tails", "laws"}

// byNu are those of them whose probability depends on that of a failure, ν.
var byNu = []string{"parts", "pairs", "samples", "searches"}

// verbs are those that what is said in words begins with.
var verbs = []string{"are", "have", "hold"}

// inRuns is such a statement in its place.
type inRuns struct {
	Runs
	said  int // its number among those that the entry makes formally
	wrong func(error) error
}

// runs reads a statement about runs: of a method, with parameters if they are not the usual ones,
// on a family if it is about one, with ranges if not all of it is drawn from, with a probability if
// it is not for all runs.
func (p *parser) runs(in *Ledger, l line, of, head, text string, start, begin int) error {
	rest, share, partly := strings.Cut(head, " with probability ")
	r := Runs{ID: p.claim.ID, Of: of, Statement: text}
	if k := strings.LastIndex(rest, " on "); k >= 0 {
		family, drawn, _ := strings.Cut(rest[k+len(" on "):], " with ")
		rest, r.Family, r.Drawn = rest[:k], strings.TrimSpace(family), strings.TrimSpace(drawn)
		if r.Family == "" {
			return p.errorAt(l, start, "%q names no family of problems: %s of METHOD on FAMILY",
				head, of)
		}
	}
	method, with, _ := strings.Cut(rest, " with ")
	r.Method, r.With = strings.TrimSpace(method), strings.TrimSpace(with)
	if r.Method == "" || strings.HasPrefix(r.Method, "on ") {
		return p.errorAt(l, start, "%q is no method: %s of METHOD", head, of)
	}
	if text == "" {
		return p.errorAt(l, start, "nothing is said of the %s of %s", of, r.Method)
	}
	if r.Chance = strings.TrimSpace(share); partly && !slices.Contains(byNu, of) {
		var err error
		if r.Rate, err = strconv.ParseFloat(r.Chance, 64); err != nil ||
			!(r.Rate > 0 && r.Rate < 1) {
			return p.errorAt(l, start, "%q is no probability between 0 and 1", share)
		}
	}
	c := p.claim
	c.Formally = append(c.Formally, r.marked())
	q, at := *p, map[string]int{r.Statement: begin}
	for _, given := range []string{r.With, r.Drawn} {
		if given != "" {
			at[given] = strings.Index(l.text[start:], given) + start
		}
	}
	in.formal[c.ID] = append(in.formal[c.ID],
		part{at: p.at(l), runs: &inRuns{r, len(c.Formally) - 1,
			func(err error) error {
				var wrong *formula.Error
				if errors.As(err, &wrong) {
					if place, known := at[wrong.Text]; known {
						return q.formulaError(l, place, err)
					}
				}
				return q.formulaError(l, begin, err)
			}}})
	return nil
}

// marked is the statement with its formulas between dollar signs.
func (r *Runs) marked() string {
	method := r.Method
	if r.With != "" {
		method += " with " + marked(r.With)
	}
	stated, premises, given := strings.Cut(r.Statement, " if ")
	verb, _, _ := strings.Cut(stated, " ")
	said := ""
	if slices.Contains(verbs, verb) { // what runs are or have is said in words
		said = r.Of + " of " + method + " " + stated
		if head, with, found := strings.Cut(stated, " with "); found {
			said = r.Of + " of " + method + " " + head + " with " + marked(with)
		}
	} else {
		said = marked(stated)
	}
	if given {
		said += " if " + marked(premises)
	}
	switch {
	case slices.Contains(named, r.Of):
		said += ", " + method
	case !slices.Contains(verbs, verb):
		said += ", " + r.Of + " of " + method
	}
	switch {
	case slices.Contains(named, r.Of) && r.Family != "":
		said += " on " + r.Family
	case r.Family != "" && slices.Contains(byNu, r.Of):
		said += " on " + r.Family + " runs"
	case r.Family != "":
		said += " on " + r.Family + " problems"
	}
	if r.Drawn != "" {
		said += " with " + marked(r.Drawn)
	}
	switch {
	case r.Rate > 0:
		said += ", with probability " + r.Chance
	case r.Chance != "":
		said += ", with probability $" + r.Chance + "$"
	}
	return said
}

// marked puts dollar signs around relations that are parted by commas or semicolons outside of
// brackets, but not around words.
func marked(text string) string {
	var parts []string
	for _, item := range formula.Items(text) {
		part := item.Text
		if strings.ContainsAny(part, "=≤≥<>") && !strings.Contains(part, " by ") {
			part = "$" + apart.Replace(part) + "$"
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, ", ")
}

// apart are words between formulas.
var apart = strings.NewReplacer(" where ", "$ where $", " for ", "$ for $")

// Statements returns the statements about runs, in the order of the ledger.
func (l *Ledger) Statements() []Runs {
	var out []Runs
	for i := range l.Claims {
		for _, part := range l.formal[l.Claims[i].ID] {
			if part.runs != nil {
				out = append(out, part.runs.Runs)
			}
		}
	}
	return out
}

// Run has a program make the checks of all statements about runs; domain says in words from what
// instances one draws. An error is given back with the place of the statement. It is to be called
// before [Ledger.Join].
func (l *Ledger) Run(check func(Runs) (made props.Check, domain string, err error)) error {
	for i := range l.Claims {
		c := &l.Claims[i]
		parts := l.formal[c.ID]
		for k := range parts {
			r := parts[k].runs
			if r == nil || parts[k].check != nil {
				continue
			}
			made, domain, err := check(r.Runs)
			if err != nil {
				return r.wrong(err)
			}
			c.Formally = slices.Clone(c.Formally)
			c.Formally[r.said] += ", " + domain
			parts[k].check = made
		}
	}
	return nil
}

// Scenes makes the checks of what is said of scenes, in statements that begin with a word, and leaves
// all else to another if there is one, other scenes too.
func Scenes(word string, scenes map[string]*formula.Scene,
	other func(Runs) (props.Check, string, error)) func(Runs) (props.Check, string, error) {
	return func(r Runs) (props.Check, string, error) {
		if r.Of != word {
			return other(r)
		}
		name := r.Method
		if r.Family != "" {
			name += " on " + r.Family
		}
		scene, known := scenes[name]
		switch {
		case !known:
			if other != nil {
				check, domain, err := other(r)
				if wrong := (*formula.Error)(nil); err == nil || errors.As(err, &wrong) {
					return check, domain, err
				}
			}
			return nil, "", fmt.Errorf("there are no %s of %q; there are %s of %s", word, name, word,
				strings.Join(slices.Sorted(maps.Keys(scenes)), ", "))
		case r.With+r.Drawn+r.Chance != "":
			return nil, "", fmt.Errorf("%s have no parameters, ranges and probability: %s", word,
				r.With+r.Drawn+r.Chance)
		}
		return scene.Check(r.Statement)
	}
}
