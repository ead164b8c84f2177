package main

import (
	"bytes"
	_ "embed"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sort"
	"strings"
)

// variable is the environment variable that chooses the mutant.
const variable = "SLEDGE_MUTANT"

// switches are what the rewritten sources call. Without a mutant each returns its argument, so that
// the bits of all results stay the same. VARIABLE in it stands for variable.
//
//go:embed switches.go.txt
var switches string

// mutant is one small defect.
type mutant struct {
	id             int
	file, function string
	line           int
	what           string
}

func (m mutant) String() string {
	return fmt.Sprintf("%s:%d %s: %s", m.file, m.line, m.function, m.what)
}

// key names the mutant without its line.
func (m mutant) key() string { return m.file + " " + m.function + ": " + m.what }

// edit replaces source text; edits at one place are written in the order of rank.
type edit struct {
	at, end, rank int
	text          string
}

// planter walks one file.
type planter struct {
	fset     *token.FileSet
	info     *types.Info
	src      []byte
	file     string
	function string
	edits    []edit
	mutants  *[]mutant
	recv     types.Type
}

// left out: functions that no trajectory depends on, and the reference versions, which are checkers
// themselves.
func skipped(f *ast.FuncDecl) bool {
	name := f.Name.Name
	if strings.HasPrefix(name, "Prescribed") && name != "PrescribedLevels" {
		return true
	}
	if f.Recv != nil && strings.Contains(types.ExprString(f.Recv.List[0].Type), "Reference") {
		return true
	}
	return slices.Contains([]string{"Name", "Memory", "Reference", "Controls", "LocalPoints",
		"LocalEstimators", "Finished", "String", "Point", "Estimator",
		"recursiveStep", "sampleVariance", "unit"}, name)
}

// plant rewrites the methods of package algos with all mutants behind switches. Mutants are
// numbered from 1.
func plant(dir string) ([]mutant, map[string]string, error) {
	cmd := exec.Command("go", "list", "-export", "-deps", "-f", "{{.ImportPath}}\t{{.Export}}",
		"./algos")
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		return nil, nil, fmt.Errorf("listing the packages that algos imports: %w", err)
	}
	export := map[string]string{}
	for line := range strings.Lines(string(out)) {
		if path, file, ok := strings.Cut(strings.TrimSpace(line), "\t"); ok {
			export[path] = file
		}
	}
	fset := token.NewFileSet()
	names, err := filepath.Glob(filepath.Join(dir, "algos", "*.go"))
	if err != nil {
		return nil, nil, err
	}
	var files []*ast.File
	texts := map[string][]byte{}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		src, err := os.ReadFile(name)
		if err != nil {
			return nil, nil, err
		}
		f, err := parser.ParseFile(fset, name, src, parser.SkipObjectResolution)
		if err != nil {
			return nil, nil, err
		}
		files, texts[name] = append(files, f), src
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{},
		Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Selections: map[*ast.SelectorExpr]*types.Selection{}}
	conf := types.Config{Importer: importer.ForCompiler(fset, "gc",
		func(path string) (io.ReadCloser, error) { return os.Open(export[path]) })}
	if _, err := conf.Check("sledge/algos", fset, files, info); err != nil {
		return nil, nil, fmt.Errorf("type-checking package algos: %w", err)
	}
	var mutants []mutant
	sources := map[string]string{"mutation_switches.go": strings.Replace(switches, "VARIABLE",
		variable, 1)}
	for _, f := range files {
		path := fset.Position(f.Pos()).Filename
		name := filepath.Base(path)
		if _, ok := about[name]; !ok {
			continue
		}
		p := &planter{fset: fset, info: info, src: texts[path], file: name, mutants: &mutants}
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Body != nil && !skipped(fn) {
				p.function, p.recv = fn.Name.Name, nil
				if fn.Recv != nil {
					p.recv = info.TypeOf(fn.Recv.List[0].Type)
				}
				p.block(fn.Body.List)
			}
		}
		sources[name] = p.apply()
	}
	return mutants, sources, nil
}

func (p *planter) apply() string {
	// Where edits meet, what closes comes before what opens, inner before outer when closing and
	// outer before inner when opening.
	sort.SliceStable(p.edits, func(i, j int) bool {
		a, b := p.edits[i], p.edits[j]
		if a.at != b.at {
			return a.at < b.at
		}
		return a.rank < b.rank
	})
	var out bytes.Buffer
	last := 0
	for _, e := range p.edits {
		out.Write(p.src[last:e.at])
		out.WriteString(e.text)
		last = e.end
	}
	out.Write(p.src[last:])
	return out.String()
}

func (p *planter) offset(pos token.Pos) int { return p.fset.Position(pos).Offset }

func (p *planter) text(n ast.Node) string {
	s := strings.Join(strings.Fields(string(p.src[p.offset(n.Pos()):p.offset(n.End())])), " ")
	if r := []rune(s); len(r) > 70 {
		s = string(r[:70]) + "…"
	}
	return s
}

func (p *planter) mutant(n ast.Node, format string, args ...any) int {
	id := len(*p.mutants) + 1
	*p.mutants = append(*p.mutants,
		mutant{id, p.file, p.function, p.fset.Position(n.Pos()).Line, fmt.Sprintf(format, args...)})
	return id
}

// wrap surrounds a node. The longer a node, the further out its wrapping.
func (p *planter) wrap(n ast.Node, open, close string) {
	from, to := p.offset(n.Pos()), p.offset(n.End())
	length := to - from
	p.edits = append(p.edits, edit{from, from, 1_000_000 - length*10, open},
		edit{to, to, -1_000_000 + length*10, close})
}

// swap replaces the text between two positions, an operator.
func (p *planter) swap(pos token.Pos, length int, text string) {
	at := p.offset(pos)
	p.edits = append(p.edits, edit{at, at + length, 0, text})
}

func (p *planter) basic(e ast.Expr) string {
	if t, ok := p.info.TypeOf(e).(*types.Basic); ok &&
		(t.Kind() == types.Int || t.Kind() == types.Float64) {
		return t.Name()
	}
	return ""
}

func (p *planter) constant(e ast.Expr) bool { return p.info.Types[e].Value != nil }

func (p *planter) isBool(e ast.Expr) bool {
	t, ok := p.info.TypeOf(e).Underlying().(*types.Basic)
	return ok && t.Info()&types.IsBoolean != 0
}

// accounting reports whether a call is about counts or complaints.
func (p *planter) accounting(call *ast.CallExpr) bool {
	if sel, ok := call.Fun.(*ast.SelectorExpr); ok {
		switch sel.Sel.Name {
		case "Down", "Up", "Round", "complain", "positive", "nonnegative", "between",
			"unit", "start":
			return sel.Sel.Name != "start" ||
				strings.Contains(p.info.TypeOf(sel.X).String(), "checker")
		}
	}
	return false
}

func (p *planter) allocates(n ast.Node) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		if c, ok := n.(*ast.CallExpr); ok {
			if id, ok := c.Fun.(*ast.Ident); ok &&
				slices.Contains([]string{"make", "newSample", "newLargeSample", "clone", "append"},
					id.Name) {
				found = true
			}
		}
		if _, ok := n.(*ast.CompositeLit); ok {
			found = true
		}
		return true
	})
	return found
}

func (p *planter) block(list []ast.Stmt) {
	for _, s := range list {
		p.stmt(s)
	}
}

// drop makes a mutant without the statement.
func (p *planter) drop(s ast.Stmt) {
	id := p.mutant(s, "without %q", p.text(s))
	p.wrap(s, fmt.Sprintf("if mutKeep(%d) { ", id), " }")
}

func (p *planter) stmt(s ast.Stmt) {
	switch s := s.(type) {
	case *ast.ExprStmt:
		call, ok := s.X.(*ast.CallExpr)
		if !ok || p.accounting(call) {
			return
		}
		p.drop(s)
		p.expr(s.X)
	case *ast.IncDecStmt:
		p.drop(s)
	case *ast.AssignStmt:
		if p.allocates(s) {
			return
		}
		if s.Tok != token.DEFINE {
			p.drop(s)
		}
		if s.Tok == token.ADD_ASSIGN || s.Tok == token.SUB_ASSIGN {
			if t := p.basic(s.Lhs[0]); t != "" {
				id := p.mutant(s, "the other sign in %q", p.text(s))
				p.wrap(s.Rhs[0], fmt.Sprintf("mutSign[%s](%d)*(", t, id), ")")
			}
		}
		for _, e := range s.Rhs {
			p.expr(e)
		}
	case *ast.BlockStmt:
		p.block(s.List)
	case *ast.IfStmt:
		if len(s.Body.List) == 1 {
			if e, ok := s.Body.List[0].(*ast.ExprStmt); ok {
				if call, ok := e.X.(*ast.CallExpr); ok && p.accounting(call) {
					return
				}
			}
		}
		if strings.HasPrefix(p.text(s.Cond), "err ") ||
			strings.HasPrefix(p.text(s.Cond), "c.err ") {
			return
		}
		p.condition(s.Cond)
		p.block(s.Body.List)
		if s.Else != nil {
			p.stmt(s.Else)
		}
	case *ast.SwitchStmt:
		for _, c := range s.Body.List {
			c := c.(*ast.CaseClause)
			if s.Tag == nil {
				for _, e := range c.List {
					p.condition(e)
				}
			}
			p.block(c.Body)
		}
	case *ast.ForStmt:
		if s.Cond != nil {
			p.condition(s.Cond)
		}
		p.block(s.Body.List)
	case *ast.RangeStmt:
		// Loops over all coordinates are left alone: defects of theirs are of the kind that any
		// test finds.
		if t := p.text(s.X); s.Key != nil && p.basic(s.X) == "int" && !strings.Contains(t, ".d") &&
			t != "d" ||
			s.Key == nil && p.basic(s.X) == "int" {
			id := p.mutant(s, "one pass less in the loop over %q", t)
			p.wrap(s.X, "((", fmt.Sprintf(") - mutMore[int](%d))", id))
		} else if sl, ok := p.info.TypeOf(s.X).(*types.Slice); ok && sl.Elem().String() == "int" {
			id := p.mutant(s, "the first of %q left out", t)
			p.wrap(s.X, fmt.Sprintf("mutTail(%d, ", id), ")")
		}
		p.block(s.Body.List)
	case *ast.ReturnStmt:
		if p.function != "begin" {
			for _, e := range s.Results {
				p.expr(e)
			}
		}
	}
}

// condition negates a condition and looks into it.
func (p *planter) condition(e ast.Expr) {
	if !p.isBool(e) {
		return
	}
	id := p.mutant(e, "the opposite of %q", p.text(e))
	p.wrap(e, fmt.Sprintf("mutNot(%d, ", id), ")")
	p.expr(e)
}

// siblings are the vectors that a vector may be confused with.
var siblings = map[string]string{"x": "prev", "prev": "x", "snap": "x", "mu": "v", "v": "work",
	"last": "x", "before": "x", "y": "x", "now": "before", "shift": "v", "average": "v"}

func (p *planter) expr(e ast.Expr) {
	if p.constant(e) {
		return
	}
	switch e := e.(type) {
	case *ast.ParenExpr:
		p.expr(e.X)
	case *ast.UnaryExpr:
		p.expr(e.X)
	case *ast.StarExpr:
		p.expr(e.X)
	case *ast.FuncLit:
		p.block(e.Body.List)
	case *ast.CallExpr:
		if id, ok := e.Fun.(*ast.Ident); ok && id.Name == "make" {
			return
		}
		for k, a := range e.Args {
			if p.constant(a) {
				if sig, ok := p.info.TypeOf(e.Fun).(*types.Signature); ok &&
					k < sig.Params().Len() &&
					sig.Params().At(k).Type().String() == "float64" && p.text(a) != "0" {
					id := p.mutant(a, "the other sign of %s in %q", p.text(a), p.text(e))
					p.wrap(a, fmt.Sprintf("mutSign[float64](%d)*(", id), ")")
				}
				continue
			}
			if sel, ok := a.(*ast.SelectorExpr); ok {
				if other, ok := siblings[sel.Sel.Name]; ok &&
					p.info.TypeOf(a).String() == "[]float64" {
					obj, _, _ := types.LookupFieldOrMethod(p.info.TypeOf(sel.X), true, nil, other)
					if obj == nil {
						if named := p.info.TypeOf(sel.X); named != nil {
							if ptr, ok := named.(*types.Pointer); ok {
								named = ptr.Elem()
							}
							if n, ok := named.(*types.Named); ok {
								obj, _, _ = types.LookupFieldOrMethod(named, true,
									n.Obj().Pkg(), other)
							}
						}
					}
					if obj != nil && obj.Type().String() == "[]float64" {
						base := p.text(sel.X)
						id := p.mutant(a, "%s.%s for %s in %q", base, other, p.text(a), p.text(e))
						p.wrap(a, fmt.Sprintf("mutOther(%d, ", id),
							fmt.Sprintf(", %s.%s)", base, other))
						continue
					}
				}
			}
			p.expr(a)
		}
	case *ast.BinaryExpr:
		t := p.basic(e)
		switch e.Op {
		case token.ADD, token.SUB:
			if t != "" {
				id := p.mutant(e, "the other sign in %q", p.text(e))
				p.wrap(e.Y, fmt.Sprintf("mutSign[%s](%d)*(", t, id), ")")
			}
		case token.MUL:
			if t == "float64" {
				id := p.mutant(e, "twice %q", p.text(e))
				p.wrap(e, "", fmt.Sprintf("*mutTwice[float64](%d)", id))
			}
		case token.QUO, token.REM:
			if t != "" {
				id := p.mutant(e, "the divisor of %q plus 1", p.text(e))
				p.wrap(e.Y, "((", fmt.Sprintf(")+mutMore[%s](%d))", t, id))
			}
		case token.LSS, token.LEQ, token.GTR, token.GEQ, token.EQL, token.NEQ:
			// Two computed numbers that are equal have probability 0: such a limit changes no law.
			if x, y := p.basic(e.X), p.basic(e.Y); x == "int" || y == "int" ||
				(x != "" || y != "") &&
					(p.constant(e.X) || p.constant(e.Y)) {
				id := p.mutant(e, "the limit of %q", p.text(e))
				p.wrap(e, fmt.Sprintf("mutCompare(%d, %q, ", id, e.Op.String()), ")")
				p.swap(e.OpPos, len(e.Op.String()), ",")
			}
		case token.LAND, token.LOR:
			fn := map[token.Token]string{token.LAND: "mutTrue", token.LOR: "mutFalse"}[e.Op]
			for _, side := range []ast.Expr{e.X, e.Y} {
				id := p.mutant(e, "without %q in %q", p.text(side), p.text(e))
				p.wrap(side, fmt.Sprintf("%s(%d, ", fn, id), ")")
			}
		}
		p.expr(e.X)
		p.expr(e.Y)
	}
}
