// Package development reads a machine-checked theory: files in the language of Rocq, in the order
// in which they are compiled, and a record of what the kernel said when they last were. A statement
// of a ledger may name a theorem of it; then that theorem settles the statement, and a report
// prints what was proved in the words of the kernel.
//
// The record carries the digest of the files. Where Rocq is not installed, a theorem counts as
// accepted as long as no file has changed since; [Development.Compile] asks the kernel again, from
// scratch. The package knows no theory.
package development

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"sync"

	"sledge/props"
	"sledge/props/certificate"
)

// Development is a theory with the record of its last compilation.
type Development struct {
	Logical string // the name under which files require each other, such as "Sledge"
	Files   []File // in the order of compilation
	Record  Record
	// Missing is what the development says that it does not prove: the items of the list under
	// "## What is not here" in its README.md, if it has one.
	Missing []string
}

// File is one file of a development.
type File struct{ Name, Text string }

// Preface returns the remark at the head of a file, without its marks; nothing if there is none.
func (f *File) Preface() string {
	text, found := strings.CutPrefix(f.Text, "(*")
	if !found {
		return ""
	}
	text, _, _ = strings.Cut(text, "*)")
	return strings.TrimSpace(text)
}

// Before returns the remark that ends on the line before a line, which is counted from 1, without
// its marks; nothing if there is none, or if it is the head of a section.
func (f *File) Before(line int) string {
	lines := strings.Split(f.Text, "\n")
	if line < 2 || line > len(lines) {
		return ""
	}
	text, found := strings.CutSuffix(strings.TrimSpace(strings.Join(lines[:line-1], "\n")), "*)")
	from := strings.LastIndex(text, "(*")
	if text = text[max(from, 0):]; !found || from < 0 || strings.Contains(text, "*)") ||
		strings.Contains(text, "----") {
		return ""
	}
	return strings.TrimSpace(text[len("(*"):])
}

// Record is what the kernel said of a development, file record.json.
type Record struct {
	By      string `json:"by"`      // the proof assistant with its version, such as "Coq 8.16.1"
	Sources string `json:"sources"` // see [Development.Digest]
	// Results are all results by name; those that begin with Theorem in the sources have their
	// statements.
	Results map[string]Result `json:"results"`
}

// Result is a result of a development as the kernel knows it.
type Result struct {
	File string `json:"file"`
	Line int    `json:"line"` // on which it begins
	// Statement is what the kernel prints of it, closed: with all that the sections around it
	// assume. Theorems have one.
	Statement string `json:"statement,omitempty"`
	// Axioms are what a theorem rests on beyond the rules of the kernel, by their full names,
	// sorted.
	Axioms []string `json:"axioms,omitempty"`
	// Uses are the results and definitions that its statement and its proof name, sorted.
	Uses []string `json:"uses,omitempty"`
	// Definition says that it defines something and proves nothing.
	Definition bool `json:"definition,omitempty"`
}

// Classical are the axioms of the classical reals of Rocq's library, on which every theorem may
// rest, and no others.
var Classical = []string{
	"Classical_Prop.classic",
	"ClassicalDedekindReals.sig_forall_dec",
	"ClassicalDedekindReals.sig_not_dec",
	"FunctionalExtensionality.functional_extensionality_dep",
}

const (
	projectFile = "_CoqProject"
	recordFile  = "record.json"
	aboutFile   = "README.md"
)

// Read reads a development: _CoqProject, which names the files in the order of their compilation,
// the files, and record.json, which may be absent.
func Read(files fs.FS) (*Development, error) {
	project, err := fs.ReadFile(files, projectFile)
	if err != nil {
		return nil, fmt.Errorf("development: %w", err)
	}
	d := &Development{}
	words := strings.Fields(string(project))
	for i, word := range words {
		switch {
		case word == "-R" || word == "-Q":
			if i+2 >= len(words) {
				return nil, fmt.Errorf("development: %s: %s needs a folder and a name",
					projectFile, word)
			}
			d.Logical = words[i+2]
		case strings.HasSuffix(word, ".v"):
			text, err := fs.ReadFile(files, word)
			if err != nil {
				return nil, fmt.Errorf("development: %w", err)
			}
			if bad := forbidden.FindString(remark.ReplaceAllString(string(text), " ")); bad != "" {
				return nil, fmt.Errorf("development: %s assumes what it should prove: %q", word,
					strings.TrimSpace(bad))
			}
			d.Files = append(d.Files, File{word, string(text)})
		}
	}
	if d.Logical == "" || len(d.Files) == 0 {
		return nil, fmt.Errorf("development: %s names no files, or no -R with a name", projectFile)
	}
	about, err := fs.ReadFile(files, aboutFile)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("development: %w", err)
	}
	d.Missing = missing(string(about))
	text, err := fs.ReadFile(files, recordFile)
	if errors.Is(err, fs.ErrNotExist) {
		return d, nil
	}
	if err == nil {
		err = json.Unmarshal(text, &d.Record)
	}
	if err != nil {
		return nil, fmt.Errorf("development: %s: %w", recordFile, err)
	}
	return d, nil
}

// missing returns the items of the list under the heading "What is not here" of a Markdown text,
// each on a line, without the marks of code.
func missing(text string) (items []string) {
	_, list, found := strings.Cut("\n"+text, "\n## What is not here\n")
	if !found {
		return nil
	}
	list, _, _ = strings.Cut(list, "\n## ")
	for _, item := range strings.Split(list, "\n- ")[1:] {
		item, _, _ = strings.Cut(item, "\n\n")
		items = append(items, strings.ReplaceAll(strings.Join(strings.Fields(item), " "), "`", ""))
	}
	return items
}

// remark is a comment without another inside; forbidden is what assumes in the place of proving.
var (
	remark    = regexp.MustCompile(`(?s)\(\*.*?\*\)`)
	forbidden = regexp.MustCompile(
		`(?m)^\s*(Admitted|Axioms?|Parameters?|Conjecture|admit)\b|\badmit\.`)
)

// Digest is the SHA-256 of the names and the texts of all files, in hexadecimal.
func (d *Development) Digest() string {
	h := sha256.New()
	for _, f := range d.Files {
		fmt.Fprintf(h, "%s %d\n", f.Name, len(f.Text))
		io.WriteString(h, f.Text)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// Current returns an error that says why the record does not speak of these files, and nil if it
// does.
func (d *Development) Current() error {
	switch {
	case d.Record.By == "":
		return errors.New("the theory has no record of a compilation")
	case d.Record.Sources != d.Digest():
		return errors.New("the theory has changed since it was compiled for the record")
	}
	return nil
}

// theorem returns what the record says of a theorem, or why it settles nothing.
func (d *Development) theorem(name string) (Result, error) {
	r, ok := d.Record.Results[name]
	switch {
	case !ok || r.Statement == "":
		return r, fmt.Errorf("the theory has no theorem %q", name)
	case r.Definition:
		return r, fmt.Errorf("%q defines something and proves nothing", name)
	}
	for _, a := range r.Axioms {
		if !slices.Contains(Classical, a) {
			return r, fmt.Errorf(
				"the theorem %s rests on %s, which is no axiom of the classical reals", name, a)
		}
	}
	return r, nil
}

// Certificate is what settles the statement that a theorem is, or several theorems together, whose
// names are separated by commas. An error says that there is no such theorem, or that the record
// does not speak of these files.
func (d *Development) Certificate(names string) (*certificate.Certificate, error) {
	c, err := d.certificate(names)
	if err == nil {
		err = d.Current()
	}
	if err != nil {
		return nil, err
	}
	return c, nil
}

// certificate is [Development.Certificate] if the record speaks of these files.
func (d *Development) certificate(names string) (*certificate.Certificate, error) {
	var statements, axioms []string
	var first Result
	for i, name := range Names(names) {
		r, err := d.theorem(name)
		if err != nil {
			return nil, err
		}
		if i == 0 {
			first = r
		}
		statements = append(statements, name+" : "+r.Statement)
		axioms = append(axioms, r.Axioms...)
	}
	slices.Sort(axioms)
	proof, err := json.Marshal(certificate.TheoremProof{Name: names, File: first.File,
		Line: first.Line, Axioms: slices.Compact(axioms), Sources: d.Record.Sources})
	if err != nil {
		return nil, err
	}
	return &certificate.Certificate{Kind: certificate.Theorem, Scope: certificate.All,
		Statement: strings.Join(statements, "\n\n"), Proof: proof}, nil
}

// Names are the names of theorems in what a claim says of them.
func Names(formal string) []string {
	if formal == "" {
		return nil
	}
	return strings.Split(formal, ", ")
}

// Proofs are the certificates of the theorems that claims say they are, nil for the others. An error
// names a claim whose theorem the development does not have, or does not have any more.
func (d *Development) Proofs(claims []props.Claim) ([]*certificate.Certificate, error) {
	proofs := make([]*certificate.Certificate, len(claims))
	current := sync.OnceValue(d.Current)
	for i := range claims {
		if claims[i].Formal == "" {
			continue
		}
		proof, err := d.certificate(claims[i].Formal)
		if err == nil {
			err = current()
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", claims[i].ID, err)
		}
		proofs[i] = proof
	}
	return proofs, nil
}

// Settle has every claim that says which theorem it is be settled by that theorem: what its check
// compares is a cross-check. Errors are those of [Development.Proofs].
func (d *Development) Settle(claims []props.Claim) error {
	proofs, err := d.Proofs(claims)
	if err != nil {
		return err
	}
	for i, proof := range proofs {
		c := &claims[i]
		if proof == nil {
			continue
		}
		c.Check = props.Settled(c.Check, func(props.Tier) (*certificate.Certificate, string) {
			return proof, "The statement is, in the theory: " + c.Formal + "."
		})
	}
	return nil
}
