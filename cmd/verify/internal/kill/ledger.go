package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"sledge"
)

// entry is a logical line of a ledger that is planted in: a formal line of an entry, or a domain.
type entry struct {
	file, id string // id of the entry, or "domain" and its name
	line     int
	at       int // first byte in the file
	text     string
}

// slip is a way to make a line of a ledger wrong.
type slip struct {
	class, kind string
	where       *regexp.Regexp // group 1 is replaced
	by          func(string) string
}

func constantly(s string) func(string) string { return func(string) string { return s } }

// slips are what is planted in formal lines; what no longer parses is dropped when the command
// refuses it.
var slips = []slip{
	{"formula", "", regexp.MustCompile(`(?:^|[^_\pL\d.])([1-9]\d*)(?:[^\d.]|$)`),
		func(s string) string { return s + "0" }},
	{"formula", "", regexp.MustCompile(`(?:^|[^_\pL\d.])(15|12|60)(?:[^\d.]|$)`),
		func(s string) string {
			return map[string]string{"15": "5", "12": "4", "60": "20"}[s]
		}},
	{"formula", "", regexp.MustCompile(`([⁴⁵⁶⁷⁸⁹])`), constantly("²")},
	{"formula", "", regexp.MustCompile(`(²)`), constantly("³")},
	{"formula", "", regexp.MustCompile(`(√)`), constantly("2√")},
	{"weakened", narrowPremise, regexp.MustCompile(`≤ 1/(L)`), constantly("(20L)")},
	{"weakened", looser, regexp.MustCompile(`(Θ)\(`), constantly("O")},
	{"weakened", moreAllowed, regexp.MustCompile(`with probability (0\.95|0\.9|0\.99)`),
		constantly("0.5")},
	{"weakened", fewerSizes, regexp.MustCompile(`\b[nKPbTd] = (\d\d+)`), constantly("1")},
	{"weakened", narrowPremise, regexp.MustCompile(`∈ \[[^,\]]+, ([^\]]+)\]`),
		func(s string) string {
			return "(" + s + ")/20"
		}},
	{"weakened", narrowPremise, regexp.MustCompile(`∈ \[[^,\]]+, (\d+)\]`), constantly("3")},
	{"weakened", narrowPremise, regexp.MustCompile(`∈ \[[^,\]]+, 1e(\d+)\]`), constantly("1")},
	{"weakened", lessEffort, regexp.MustCompile(`effort ([\d.]+)`), constantly("0.001")},
}

// surveyLedger lists the mistakes in the formal lines and domains of the ledger.
func surveyLedger(dir string, sources map[string]*source) ([]*mistake, error) {
	var entries []entry
	for _, pattern := range sledge.Files {
		names, err := fs.Glob(os.DirFS(dir), pattern)
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			text, err := os.ReadFile(filepath.Join(dir, name))
			if err != nil {
				return nil, err
			}
			sources[name] = &source{path: name, src: text}
			entries = append(entries, formal(name, string(text))...)
		}
	}
	made := madeFrom(entries)
	var all []*mistake
	for i := range entries {
		e := &entries[i]
		for _, s := range slips {
			for _, m := range s.where.FindAllStringSubmatchIndex(e.text, -1) {
				was := e.text[m[2]:m[3]]
				around := e.text[start(e.text, m[0], 12):end(e.text, m[1], 12)]
				x := &mistake{class: s.class, kind: s.kind, file: e.file, function: e.id,
					line: e.line, what: fmt.Sprintf("%q for %q in %q", s.by(was), was,
						strings.Join(strings.Fields(around), " ")),
					edits: []edit{{e.at + m[2], e.at + m[3], 0, s.by(was)}}}
				if name, ok := strings.CutPrefix(e.id, "domain "); ok {
					if x.about = made[name]; len(x.about) == 0 {
						continue
					}
				} else {
					x.claim = e.id
				}
				all = append(all, x)
			}
		}
	}
	return all, nil
}

// start and end widen a place in a text by some bytes, to the next characters.
func start(s string, at, by int) int {
	at = max(0, at-by)
	for at > 0 && !utf8.RuneStart(s[at]) {
		at--
	}
	return at
}

func end(s string, at, by int) int {
	at = min(len(s), at+by)
	for at < len(s) && !utf8.RuneStart(s[at]) {
		at++
	}
	return at
}

// formal returns what is planted in of a file.
func formal(name, text string) (out []entry) {
	at, id, open := 0, "", false
	number := 0
	for raw := range strings.Lines(text) {
		number++
		bare := strings.TrimLeft(raw, " ")
		indent := len(raw) - len(bare)
		switch {
		case strings.HasPrefix(raw, "["):
			id, _, _ = strings.Cut(raw[1:], "]")
			open = false
		case indent == 0 && strings.HasPrefix(raw, "domain: "):
			_, def, _ := strings.Cut(raw, ": ")
			of, _, _ := strings.Cut(def, " ")
			out, open = append(out, entry{name, "domain " + of, number, at, raw}), true
		case indent == 2 && strings.HasPrefix(bare, "formal: "):
			value := strings.TrimPrefix(bare, "formal: ")
			open = !strings.HasPrefix(value, "theorem ") && !strings.HasPrefix(value, "program")
			if open {
				out = append(out, entry{name, id, number, at, raw})
			}
		case indent > 2 && open, indent == 2 && open && id == "":
			out[len(out)-1].text += raw
		default:
			open = false
		}
		at += len(raw)
	}
	return out
}

// madeFrom returns which claims are made from each domain, or from one that is made from it.
func madeFrom(entries []entry) map[string][]string {
	made, from := map[string][]string{}, map[string]string{}
	for _, e := range entries {
		_, rest, _ := strings.Cut(e.text, ": ")
		words := strings.FieldsFunc(rest,
			func(r rune) bool { return strings.ContainsRune(" ,:;=\n", r) })
		if name, ok := strings.CutPrefix(e.id, "domain "); ok {
			from[name] = words[1]
		} else if !slices.Contains(made[words[0]], e.id) {
			made[words[0]] = append(made[words[0]], e.id)
		}
	}
	for name := range from {
		for of := from[name]; of != ""; of = from[of] {
			made[of] = append(made[of], made[name]...)
		}
	}
	return made
}
