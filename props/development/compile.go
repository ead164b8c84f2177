package development

import (
	"context"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Compile writes the files to a folder, has the kernel go over them from scratch, some at a time,
// and returns what it says. An error names the file and the line that is not accepted, or a theorem
// that rests on an axiom of its own.
func (d *Development) Compile(ctx context.Context, coqc, version, dir string,
	workers int) (*Record, error) {
	for _, f := range d.Files {
		if err := os.WriteFile(filepath.Join(dir, f.Name), []byte(f.Text), 0o666); err != nil {
			return nil, err
		}
	}
	if err := d.inOrder(max(1, workers), func(f *File) error {
		_, err := d.run(ctx, coqc, dir, f.Name)
		return err
	}); err != nil {
		return nil, err
	}
	r := &Record{By: version, Sources: d.Digest(), Results: map[string]Result{}}
	var theorems []string
	for i := range d.Files {
		found, err := d.results(dir, &d.Files[i])
		if err != nil {
			return nil, err
		}
		maps.Copy(r.Results, found)
		for _, m := range theorem.FindAllStringSubmatch(
			remark.ReplaceAllString(d.Files[i].Text, " "), -1) {
			theorems = append(theorems, m[1])
		}
	}
	if err := shorten(r, theorems); err != nil {
		return nil, err
	}
	return r, d.ask(ctx, coqc, dir, r, theorems)
}

var theorem = regexp.MustCompile(`(?m)^\s*Theorem\s+([\w']+)`)

// inOrder calls compile for each file, once all files that it requires are compiled.
func (d *Development) inOrder(workers int, compile func(*File) error) error {
	done := map[string]chan struct{}{}
	for _, f := range d.Files {
		done[module(f.Name)] = make(chan struct{})
	}
	free := make(chan struct{}, workers)
	errs := make([]error, len(d.Files))
	var wg sync.WaitGroup
	failed := make(chan struct{})
	var once sync.Once
	for i := range d.Files {
		f := &d.Files[i]
		earlier := map[string]bool{}
		for _, g := range d.Files[:i] {
			earlier[module(g.Name)] = true
		}
		wg.Go(func() {
			defer close(done[module(f.Name)])
			for _, name := range requires(f.Text) {
				if earlier[name] {
					<-done[name]
				}
			}
			free <- struct{}{}
			defer func() { <-free }()
			select {
			case <-failed:
				return
			default:
			}
			if errs[i] = compile(f); errs[i] != nil {
				once.Do(func() { close(failed) })
			}
		})
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

func module(file string) string { return strings.TrimSuffix(file, ".v") }

var required = regexp.MustCompile(`(?s)Require\s+(?:Import|Export)?\s*([\w\s.]+?)\.(?:\s|$)`)

// requires lists the last parts of the names of the modules that a file requires.
func requires(text string) []string {
	var out []string
	for _, m := range required.FindAllStringSubmatch(remark.ReplaceAllString(text, " "), -1) {
		for name := range strings.FieldsSeq(m[1]) {
			out = append(out, name[strings.LastIndex(name, ".")+1:])
		}
	}
	return out
}

// run has the kernel go over one file and returns what it prints.
func (d *Development) run(ctx context.Context, coqc, dir, file string) (string, error) {
	cmd := exec.CommandContext(ctx, coqc, "-q", "-w", "none", "-Q", ".", d.Logical, file)
	cmd.Dir = dir
	var said, complained strings.Builder
	cmd.Stdout, cmd.Stderr = &said, &complained
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		return "", fmt.Errorf("%s is not accepted: %s", file,
			strings.Join(strings.Fields(complained.String()), " "))
	}
	return said.String(), nil
}

// Run has the kernel go over one more file, on top of a compiled development in its folder, and
// returns what it prints.
func (d *Development) Run(ctx context.Context, coqc, dir, name, text string) (string, error) {
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
		return "", err
	}
	return d.run(ctx, coqc, dir, name)
}

// Same returns nil if the record says what another does, and else which result they differ in.
func (d *Development) Same(other *Record) error {
	if err := d.Current(); err != nil {
		return err
	}
	for name, r := range other.Results {
		if recorded, ok := d.Record.Results[name]; !ok || !reflect.DeepEqual(recorded, r) {
			return fmt.Errorf("the kernel says of %s what the record does not", name)
		}
	}
	for name := range d.Record.Results {
		if _, ok := other.Results[name]; !ok {
			return fmt.Errorf("the record has %s, and the theory has not", name)
		}
	}
	return nil
}

// entry is a line of what coqc notes of a file: something that it defines, or something that it
// names.
var (
	defines = regexp.MustCompile(`^(prf|def|rec|ind|inst|coe|scheme) (\d+):\d+ <> ([\w']+)$`)
	names   = regexp.MustCompile(
		`^R\d+:\d+ (\S+) <> ([\w']+) (?:thm|prf|def|rec|ind|proj|constr|inst|coe|lemma)$`)
)

// results reads from what coqc has noted of a file which results it has, and which others each
// names: all by their full names.
func (d *Development) results(dir string, f *File) (map[string]Result, error) {
	notes, err := os.ReadFile(filepath.Join(dir, module(f.Name)+".glob"))
	if err != nil {
		return nil, err
	}
	out := map[string]Result{}
	uses := map[string]map[string]bool{}
	at, inside := "", module(f.Name)+"."
	for line := range strings.Lines(string(notes)) {
		line = strings.TrimSpace(line)
		if m := defines.FindStringSubmatch(line); m != nil {
			at = inside + m[3]
			offset, _ := strconv.Atoi(m[2])
			out[at] = Result{File: f.Name,
				Line:       1 + strings.Count(f.Text[:min(offset, len(f.Text))], "\n"),
				Definition: m[1] != "prf"}
			uses[at] = map[string]bool{}
		} else if m := names.FindStringSubmatch(line); m != nil && at != "" {
			if from, ours := strings.CutPrefix(m[1], d.Logical+"."); ours && from+"."+m[2] != at {
				uses[at][from+"."+m[2]] = true
			}
		}
	}
	for name, r := range out {
		r.Uses = slices.Sorted(maps.Keys(uses[name]))
		out[name] = r
	}
	return out, nil
}

// shorten takes the names of the files from the names of results wherever one is enough, and drops
// what results name that is no result, such as fields of records.
func shorten(r *Record, theorems []string) error {
	count := map[string]int{}
	last := func(name string) string { return name[strings.LastIndex(name, ".")+1:] }
	for name := range r.Results {
		count[last(name)]++
	}
	for _, name := range theorems {
		if count[name] > 1 {
			return fmt.Errorf("something else has the name of the theorem %s", name)
		}
	}
	short := func(name string) string {
		if count[last(name)] > 1 {
			return name
		}
		return last(name)
	}
	results := map[string]Result{}
	for name, result := range r.Results {
		var uses []string
		for _, u := range result.Uses {
			if _, known := r.Results[u]; known {
				uses = append(uses, short(u))
			}
		}
		slices.Sort(uses)
		result.Uses = uses
		results[short(name)] = result
	}
	r.Results = results
	return nil
}

const mark = "=== "

var axiom = regexp.MustCompile(`(?m)^([\w'.]+)\s*:`)

// ask has the kernel print the statements of the theorems and what they rest on.
func (d *Development) ask(ctx context.Context, coqc, dir string, r *Record,
	theorems []string) error {
	var text strings.Builder
	text.WriteString("From Coq Require Import Reals.\n")
	for _, f := range d.Files {
		fmt.Fprintf(&text, "Require Import %s.%s.\n", d.Logical, module(f.Name))
	}
	text.WriteString("Open Scope R_scope.\nSet Printing Width 96.\nSet Printing Depth 1000.\n")
	for _, name := range theorems {
		for _, what := range []string{"Check @" + name, "Print Assumptions " + name} {
			fmt.Fprintf(&text, "Goal True. idtac \"%s%s\". Abort.\n%s.\n", mark, name, what)
		}
	}
	const file = "asked_of_the_kernel.v"
	said, err := d.Run(ctx, coqc, dir, file, text.String())
	if err != nil {
		return err
	}
	parts := strings.Split(said, mark)
	if len(parts) != 1+2*len(theorems) {
		return fmt.Errorf("the kernel answered %d of %d questions", len(parts)-1, 2*len(theorems))
	}
	for i, name := range theorems {
		result := r.Results[name]
		_, statement, ok := strings.Cut(parts[1+2*i], " : ")
		_, rest, _ := strings.Cut(parts[2+2*i], "\n")
		if !ok {
			return fmt.Errorf("the kernel does not print the statement of %s", name)
		}
		result.Statement = outdent(statement)
		if !strings.Contains(rest, "Closed under the global context") {
			for _, m := range axiom.FindAllStringSubmatch(rest, -1) {
				if m[1] != "Axioms" {
					result.Axioms = append(result.Axioms, m[1])
				}
			}
			slices.Sort(result.Axioms)
			if len(result.Axioms) == 0 {
				return fmt.Errorf("the kernel does not say on what %s rests", name)
			}
		}
		for _, a := range result.Axioms {
			if !slices.Contains(Classical, a) {
				return fmt.Errorf("%s rests on %s, which is no axiom of the classical reals", name,
					a)
			}
		}
		r.Results[name] = result
	}
	return nil
}

// outdent takes the common indentation from the lines of a statement.
func outdent(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	least := -1
	for _, l := range lines[1:] {
		if indent := len(l) - len(strings.TrimLeft(l, " ")); least < 0 || indent < least {
			least = indent
		}
	}
	for i := range lines[1:] {
		lines[i+1] = lines[i+1][max(0, least):]
	}
	return strings.Join(lines, "\n")
}
