//go:build ignore

// Measure prints the sizes, widths and names of the source that the house style has aims for:
//
//	go run tools/measure.go [-v]
//
// from the root of the repository. With -v it also lists what misses an aim.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"log"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"sledge"
	"sledge/props"
)

// Widths are in columns, a tab counted as four.
const (
	usual, most = 100, 120
	longest     = 60 // lines of a function
)

// listed is what go list says of a package.
type listed struct {
	ImportPath, Dir, Export            string
	GoFiles, TestGoFiles, XTestGoFiles []string
	Module                             *struct{ Main bool }
}

var (
	verbose = flag.Bool("v", false, "list what misses an aim")
	set     = token.NewFileSet()
	parsed  = map[string]*ast.File{}
)

func main() {
	log.SetFlags(0)
	flag.Parse()
	all, own := packages()
	lines, bytes, literals, tests := 0, 0, 0, 0
	wide, tooWide, long := 0, 0, 0
	kinds := map[string]int{} // bytes of literals
	count := map[string]int{} // lines of each file, under the path that Claim.At uses
	for _, p := range own {
		for _, name := range p.GoFiles {
			text, file := read(p, name)
			n := strings.Count(text, "\n")
			lines, bytes = lines+n, bytes+len(text)
			count[p.ImportPath+"/"+name] = n
			paths := map[*ast.BasicLit]bool{}
			for _, im := range file.Imports {
				paths[im.Path] = true
			}
			ast.Inspect(file, func(n ast.Node) bool {
				if l, ok := n.(*ast.BasicLit); ok && l.Kind == token.STRING {
					literals += len(l.Value)
					kinds[kind(l, paths)] += len(l.Value)
				}
				return true
			})
			for _, fn := range longFunctions(file) {
				long++
				detail("  %s/%s: %s", p.ImportPath, name, fn)
			}
		}
		for _, name := range slices.Concat(p.TestGoFiles, p.XTestGoFiles) {
			text, _ := read(p, name)
			tests += strings.Count(text, "\n")
		}
		for _, name := range slices.Concat(p.GoFiles, p.TestGoFiles, p.XTestGoFiles) {
			text, _ := read(p, name)
			for k, line := range strings.Split(text, "\n") {
				switch n := columns(line); {
				case n > most:
					tooWide++
					detail("  %s/%s:%d has %d columns", p.ImportPath, name, k+1, n)
					fallthrough
				case n > usual:
					wide++
				}
			}
		}
	}
	fmt.Printf("%8d source lines without tests (aim 40 000 to 42 000), %d of tests\n", lines, tests)
	fmt.Printf("%8.2f %% of all lines have more than %d columns (aim 2), %d more than %d (aim 0)\n",
		percent(wide, lines+tests), usual, tooWide, most)
	fmt.Printf("%8d functions have more than %d lines (aim 0)\n", long, longest)
	fmt.Printf("%8.1f %% of source bytes are string literals (aim 6):", percent(literals, bytes))
	for _, k := range []string{"paths of imports", "formulas", "names", "prose"} {
		fmt.Printf(" %.1f %s", percent(kinds[k], bytes), k)
	}
	fmt.Println()
	claims := props.Must(sledge.Claims())
	binding := 0
	for at := range files(claims) {
		binding += count[at]
	}
	fmt.Printf(
		"%8.1f lines of the files that bind claims for each of %d; %.1f of all source (aim 15 if parametric)\n",
		float64(binding)/float64(len(claims)), len(claims), float64(lines)/float64(len(claims)))
	rows, found := 0, 0
	for _, c := range claims {
		if c.Form != props.Printed {
			continue
		}
		rows++
		if named(c) {
			found++
		} else {
			detail("  %s %s at %s", c.ID, c.Label, c.At)
		}
	}
	fmt.Printf("%8d of %d printed rows are found by the name of a file (aim all)\n", found, rows)
	names := declared(own)
	twice := 0
	for name, in := range names {
		below := slices.DeleteFunc(slices.Clone(in), func(p string) bool {
			return !strings.HasPrefix(p, "sledge/bounds")
		})
		if len(below) > 1 && name != "Claims" {
			twice++
			detail("  %s in %v", name, below)
		}
	}
	fmt.Printf("%8d names are declared in two packages of bounds (aim 0)\n", twice)
	pairs := 0
	for name := range names {
		for _, prefix := range []string{"Federated", "federated", "FLEDGE", "fledge"} {
			rest, ok := strings.CutPrefix(name, prefix)
			if ok && rest != "" && !unicode.IsLower(rune(rest[0])) && known(names, rest) {
				pairs++
				detail("  %s and %s", rest, name)
			}
		}
	}
	fmt.Printf("%8d pairs of X and FederatedX or FLEDGEX (aim 0)\n", pairs)
	unused, idle := unused(all, own)
	for _, u := range unused {
		mark := ""
		if idle[u] {
			mark = ", and no exported declaration names it"
		}
		detail("  %s%s", u, mark)
	}
	fmt.Printf(
		"%8d exported declarations that no other package, test or command uses; nothing exported names %d\n",
		len(unused), len(idle))
}

// kind says what a literal holds: "names" are those of a word, ids and tags among them; "formulas"
// have a sign of the notation and no three words in a row; the rest is prose, messages included.
func kind(l *ast.BasicLit, paths map[*ast.BasicLit]bool) string {
	switch {
	case paths[l]:
		return "paths of imports"
	case !strings.ContainsAny(l.Value, " \n"):
		return "names"
	case strings.ContainsAny(l.Value, "≤≥≠∈√²³⁴‖ΣηζεδμρσΔνπ∨∧^=") && !words.MatchString(l.Value):
		return "formulas"
	}
	return "prose"
}

var words = regexp.MustCompile(`[a-zA-Z]{2,} [a-zA-Z]{2,} [a-zA-Z]{2,}`)

func detail(format string, args ...any) {
	if *verbose {
		fmt.Printf(format+"\n", args...)
	}
}

func percent(part, whole int) float64 { return 100 * float64(part) / float64(whole) }

// packages lists all packages that the build needs, and those of this module.
func packages() (all map[string]listed, own []listed) {
	out, err := exec.Command("go", "list", "-export", "-deps", "-test",
		"-json=ImportPath,Dir,Export,GoFiles,TestGoFiles,XTestGoFiles,Module", "./...").Output()
	if err != nil {
		log.Fatal(err)
	}
	all = map[string]listed{}
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p listed
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return all, own
		} else if err != nil {
			log.Fatal(err)
		}
		all[p.ImportPath] = p
		// for tests
		made := strings.Contains(p.ImportPath, " ") || strings.HasSuffix(p.ImportPath, ".test")
		if p.Module != nil && p.Module.Main && !made {
			own = append(own, p)
		}
	}
}

func read(p listed, name string) (string, *ast.File) {
	at := filepath.Join(p.Dir, name)
	text, err := os.ReadFile(at)
	if err != nil {
		log.Fatal(err)
	}
	if parsed[at] == nil {
		if parsed[at], err = parser.ParseFile(set, at, text, 0); err != nil {
			log.Fatal(err)
		}
	}
	return string(text), parsed[at]
}

// columns is how wide a line is.
func columns(line string) int {
	return utf8.RuneCountInString(line) + 3*strings.Count(line, "\t")
}

// longFunctions names the functions of a file that are longer than they should be.
func longFunctions(file *ast.File) (names []string) {
	for _, d := range file.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok {
			n := set.Position(fn.End()).Line - set.Position(fn.Pos()).Line + 1
			if n > longest {
				names = append(names, fmt.Sprintf("%s has %d lines", fn.Name.Name, n))
			}
		}
	}
	return names
}

// files is the set of the files in which claims are bound.
func files(claims []props.Claim) map[string]bool {
	out := map[string]bool{}
	for _, c := range claims {
		out[bound(c)] = true
	}
	return out
}

func bound(c props.Claim) string {
	at, _, _ := strings.Cut(c.At, ":")
	return at
}

// named tells whether the name of the file that binds a claim shares a word of three letters or
// more with its id or label.
func named(c props.Claim) bool {
	words := func(s string) []string {
		return strings.FieldsFunc(strings.ToLower(s),
			func(r rune) bool { return !unicode.IsLetter(r) })
	}
	stem := strings.TrimSuffix(path.Base(bound(c)), ".go")
	for _, w := range words(c.ID + " " + c.Label) {
		for _, f := range words(stem) {
			if len(w) >= 3 && len(f) >= 3 && (strings.Contains(f, w) || strings.Contains(w, f)) {
				return true
			}
		}
	}
	return false
}

// declared says in which packages a name is declared.
func declared(own []listed) map[string][]string {
	names := map[string][]string{}
	add := func(p listed, id *ast.Ident) {
		if id.Name != "_" && !slices.Contains(names[id.Name], p.ImportPath) {
			names[id.Name] = append(names[id.Name], p.ImportPath)
		}
	}
	for _, p := range own {
		for _, name := range p.GoFiles {
			_, file := read(p, name)
			for _, d := range file.Decls {
				switch d := d.(type) {
				case *ast.FuncDecl:
					if d.Recv == nil {
						add(p, d.Name)
					}
				case *ast.GenDecl:
					for _, s := range d.Specs {
						switch s := s.(type) {
						case *ast.TypeSpec:
							add(p, s.Name)
						case *ast.ValueSpec:
							for _, id := range s.Names {
								add(p, id)
							}
						}
					}
				}
			}
		}
	}
	return names
}

// known tells whether a name is declared, exported or not.
func known(names map[string][]string, name string) bool {
	r, size := utf8.DecodeRuneInString(name)
	return names[name] != nil || names[string(unicode.ToLower(r))+name[size:]] != nil
}

// unused lists the exported declarations of packages that nothing outside their package uses. Types
// that others are made of, and constants of an exported type, are not idle: who holds a value of
// them reads what they are.
func unused(all map[string]listed, own []listed) (names []string, idle map[string]bool) {
	used, named := map[string]bool{}, map[string]bool{}
	im := importer.ForCompiler(set, "gc",
		func(p string) (io.ReadCloser, error) { return os.Open(all[p].Export) })
	check := func(p listed, path string, names []string) *types.Package {
		var files []*ast.File
		for _, name := range names {
			_, f := read(p, name)
			files = append(files, f)
		}
		info := &types.Info{Uses: map[*ast.Ident]types.Object{}}
		// tests use what only tests of their package declare
		conf := types.Config{Importer: im, Error: func(error) {}}
		pkg, _ := conf.Check(path, set, files, info)
		for _, o := range info.Uses {
			if o.Pkg() != nil && o.Pkg().Path() != path && o.Parent() == o.Pkg().Scope() {
				used[o.Pkg().Path()+"."+o.Name()] = true
			}
		}
		return pkg
	}
	var exported []string
	for _, p := range own {
		if len(p.GoFiles) > 0 {
			pkg := check(p, p.ImportPath, p.GoFiles)
			for _, name := range pkg.Scope().Names() {
				if o := pkg.Scope().Lookup(name); token.IsExported(name) && pkg.Name() != "main" {
					exported = append(exported, p.ImportPath+"."+name)
					speaks(o, named)
				}
			}
		}
		check(p, p.ImportPath, slices.Concat(p.GoFiles, p.TestGoFiles))
		if len(p.XTestGoFiles) > 0 {
			check(p, p.ImportPath+"_test", p.XTestGoFiles)
		}
	}
	names = slices.DeleteFunc(exported, func(name string) bool { return used[name] })
	idle = map[string]bool{}
	for _, name := range names {
		if !named[name] {
			idle[name] = true
		}
	}
	return names, idle
}

// speaks notes the types in what an exported object shows: its type, and the exported fields and
// methods of that. A constant of a type of the package is itself noted.
func speaks(o types.Object, named map[string]bool) {
	qualify := func(p *types.Package) string { return p.Path() }
	note := func(t types.Type) {
		for _, word := range typeNames.FindAllString(types.TypeString(t, qualify), -1) {
			named[word] = true
		}
	}
	_, isType := o.(*types.TypeName)
	if !isType {
		note(o.Type())
	}
	if t, ok := o.Type().(*types.Named); ok && !isType {
		if _, constant := o.(*types.Const); constant && t.Obj().Exported() {
			named[o.Pkg().Path()+"."+o.Name()] = true
		}
		return
	}
	if s, ok := o.Type().Underlying().(*types.Struct); ok {
		for f := range s.Fields() {
			if f.Exported() {
				note(f.Type())
			}
		}
	}
	if isType {
		methods := types.NewMethodSet(types.NewPointer(o.Type()))
		if types.IsInterface(o.Type()) {
			methods = types.NewMethodSet(o.Type())
		}
		for m := range methods.Methods() {
			if m.Obj().Exported() {
				note(m.Obj().Type())
			}
		}
	}
}

var typeNames = regexp.MustCompile(`sledge[\w/]*\.\w+`)
