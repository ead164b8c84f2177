package main

import (
	"cmp"
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
	"strings"
)

// mistake is one that can be planted.
type mistake struct {
	class, file, function string
	line                  int
	what                  string
	kind                  string // of what weakens a check
	// of the literal form of a method, with which others are compared
	literal bool
	claim   string   // in whose binding or entry it stands; empty if in none
	about   []string // the claims that are made from a domain in which it stands
	edits   []edit   // NUMBER in their texts stands for the number of the mistake
}

// key names the mistake without its line.
func (m *mistake) key() string { return m.file + " " + m.function + ": " + m.what }

// edit replaces source text; edits at one place are written in the order of rank.
type edit struct {
	at, end, rank int
	text          string
}

// The classes of mistakes.
var classes = []string{"method", "oracle", "problem", "formula", "weakened", "language", "engine",
	"certificate", "report"}

// classOf says what a file is about; what weakens a check is of the class check wherever it stands.
func classOf(file string) string {
	dir, base := filepath.Split(file)
	switch {
	case dir == "algos/" && slices.Contains(
		[]string{"oracle.go", "problem.go", "linear.go", "randomness.go", "tape.go",
			"vec.go"}, base):
		return "oracle"
	case dir == "algos/" && !slices.Contains(
		[]string{"race.go", "monitor.go", "footprint.go", "catalogue.go",
			"precise.go", "check.go", "lagged.go", "facts.go", "table.go"}, base):
		return "method"
	case strings.HasPrefix(dir, "algos/problems/"):
		return "problem"
	case strings.HasPrefix(dir, "bounds/"), dir == "concentration/", dir == "lowerbound/",
		dir == "algos/claims/":
		return "formula"
	case dir == "algos/conjecture/", dir == "props/formula/", dir == "props/ledger/":
		return "language"
	case dir == "props/":
		return "engine"
	case strings.HasPrefix(dir, "props/certificate/"), strings.HasPrefix(dir, "props/settle/"),
		dir == "props/enclosure/", dir == "props/development/", dir == "theory/":
		return "certificate"
	case dir == "reports/", dir == "reports/manuscript/":
		return "report"
	}
	return ""
}

// planter walks one file.
type planter struct {
	fset     *token.FileSet
	info     *types.Info
	src      []byte
	file     string
	class    string
	function string
	literal  bool
	claim    string
	all      *[]*mistake
	around   map[[2]int]int // how many mistakes surround a node
}

// source is a file with what can be planted in it.
type source struct {
	path string // from the root of the module
	src  []byte
	pkg  int // offset behind the name of its package
}

// survey type-checks the packages of the module in dir and lists all mistakes.
func survey(dir string) ([]*mistake, map[string]*source, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, nil, err
	}
	cmd := exec.Command("go", "list", "-export", "-deps", "-f",
		"{{.ImportPath}}\t{{.Export}}\t{{.Dir}}", "./cmd/verify")
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		return nil, nil, fmt.Errorf("listing packages: %w", err)
	}
	export, dirs := map[string]string{}, []string{}
	for line := range strings.Lines(string(out)) {
		f := strings.Split(strings.TrimSpace(line), "\t")
		export[f[0]] = f[1]
		if rel, err := filepath.Rel(dir, f[2]); err == nil && !strings.HasPrefix(rel, "..") {
			dirs = append(dirs, rel)
		}
	}
	var all []*mistake
	sources := map[string]*source{}
	for _, rel := range dirs {
		fset := token.NewFileSet()
		names, err := filepath.Glob(filepath.Join(dir, rel, "*.go"))
		if err != nil {
			return nil, nil, err
		}
		var files []*ast.File
		var own []*source
		for _, name := range names {
			src, err := os.ReadFile(name)
			if err != nil {
				return nil, nil, err
			}
			f, err := parser.ParseFile(fset, name, src,
				parser.SkipObjectResolution|parser.ParseComments)
			if err != nil {
				return nil, nil, err
			}
			if strings.HasSuffix(name, "_test.go") || strings.HasPrefix(string(src), "//go:build") {
				continue
			}
			path, _ := filepath.Rel(dir, name)
			files = append(files, f)
			own = append(own, &source{path, src, fset.Position(f.Name.End()).Offset})
		}
		info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{},
			Uses:       map[*ast.Ident]types.Object{},
			Selections: map[*ast.SelectorExpr]*types.Selection{}}
		conf := types.Config{Error: func(error) {}, // files for other builds are left out
			Importer: importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser,
				error) {
				return os.Open(export[path])
			})}
		conf.Check("sledge/"+rel, fset, files, info)
		for k, f := range files {
			sources[own[k].path] = own[k]
			class := classOf(own[k].path)
			if class == "" {
				continue
			}
			p := &planter{fset: fset, info: info, src: own[k].src, file: own[k].path, class: class,
				all: &all}
			for _, d := range f.Decls {
				if fn, ok := d.(*ast.FuncDecl); ok && fn.Body != nil &&
					!slices.Contains([]string{"String", "Name", "main",
						"init"}, fn.Name.Name) {
					p.function, p.literal = fn.Name.Name, ofLiteral(fn)
					p.walk(fn.Body)
				}
			}
		}
	}
	entries, err := surveyLedger(dir, sources)
	if err != nil {
		return nil, nil, err
	}
	all = append(all, entries...)
	slices.SortStableFunc(all, func(a, b *mistake) int { return strings.Compare(a.key(), b.key()) })
	last := "" // what has the same key as another is told apart by its place among them
	same := 0
	for _, m := range all {
		if key := m.key(); key == last {
			same++
			m.what += fmt.Sprintf(" (%d)", same+1)
		} else {
			last, same = key, 0
		}
	}
	return all, sources, nil
}

func (p *planter) offset(pos token.Pos) int { return p.fset.Position(pos).Offset }

func (p *planter) text(n ast.Node) string {
	s := strings.Join(strings.Fields(string(p.src[p.offset(n.Pos()):p.offset(n.End())])), " ")
	if r := []rune(s); len(r) > 60 {
		s = string(r[:60]) + "…"
	}
	return s
}

// plant adds a mistake; open and close surround the node.
func (p *planter) plant(class string, n ast.Node, open, close, format string, args ...any) {
	from, to := p.offset(n.Pos()), p.offset(n.End())
	inner := p.rank(from, to)
	p.add(class, n, []edit{{from, from, 1_000_000 - inner, open},
		{to, to, -1_000_000 + inner, close}}, format, args...)
}

// rank orders what surrounds nodes: the longer a node, the further out, and of those around the
// same node the later the further in.
func (p *planter) rank(from, to int) int {
	if p.around == nil {
		p.around = map[[2]int]int{}
	}
	p.around[[2]int{from, to}]++
	return (to-from)*16 - p.around[[2]int{from, to}]
}

func (p *planter) add(class string, n ast.Node, edits []edit, format string, args ...any) {
	*p.all = append(*p.all, &mistake{class: class, file: p.file, function: p.function,
		literal: p.literal, claim: p.claim, edits: edits, line: p.fset.Position(n.Pos()).Line,
		what: fmt.Sprintf(format, args...)})
}

// ofLiteral reports whether a function is a method of a type that is called a reference.
func ofLiteral(fn *ast.FuncDecl) bool {
	if fn.Recv == nil {
		return false
	}
	t := fn.Recv.List[0].Type
	if star, ok := t.(*ast.StarExpr); ok {
		t = star.X
	}
	name, ok := t.(*ast.Ident)
	return ok && strings.HasPrefix(name.Name, "Reference")
}

func (p *planter) basic(e ast.Expr) string {
	if t, ok := p.info.TypeOf(e).(*types.Basic); ok &&
		(t.Kind() == types.Int || t.Kind() == types.Float64) {
		return t.Name()
	}
	return ""
}

func (p *planter) constant(e ast.Expr) bool { return p.info.Types[e].Value != nil }

// recorder reports whether a call records a comparison: a method of a recorder is called somewhere
// along its chain, or a recorder is handed to a function.
func (p *planter) records(call *ast.CallExpr) bool {
	is := func(e ast.Expr) bool {
		t := p.info.TypeOf(e)
		return t != nil && strings.HasSuffix(t.String(), "props.Recorder")
	}
	for e := ast.Expr(call); ; {
		c, ok := e.(*ast.CallExpr)
		if !ok {
			return false
		}
		if slices.ContainsFunc(c.Args, is) {
			return true
		}
		sel, ok := c.Fun.(*ast.SelectorExpr)
		if !ok {
			return false
		}
		if is(sel.X) {
			return !slices.Contains([]string{"Skip", "Plot", "Point", "Link"}, sel.Sel.Name)
		}
		e = sel.X
	}
}

func (p *planter) walk(n ast.Node) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GenDecl:
			return n.Tok != token.CONST
		case *ast.BlockStmt:
			p.statements(n.List)
		case *ast.CaseClause:
			p.statements(n.Body)
		case *ast.CallExpr:
			p.call(n)
			if id, ok := p.binds(n); ok { // the mistakes in it are about the claim
				before := p.claim
				p.claim = id
				for _, a := range n.Args[1:] {
					p.walk(a)
				}
				p.claim = before
				return false
			}
		case *ast.KeyValueExpr:
			p.setting(n)
		case *ast.SelectorExpr:
			p.allowance(n)
		case *ast.AssignStmt:
			if n.Tok == token.ADD_ASSIGN || n.Tok == token.SUB_ASSIGN {
				if t := p.basic(n.Lhs[0]); t != "" && !p.constant(n.Rhs[0]) {
					p.plant(p.class, n.Rhs[0], "planted.Other["+t+"](NUMBER, 1, -1)*(", ")",
						"the other sign in %q", p.text(n))
				}
			}
		case *ast.IfStmt:
			if t, ok := p.info.TypeOf(n.Cond).(*types.Basic); ok && t.Kind() == types.Bool &&
				!p.constant(n.Cond) &&
				!strings.Contains(p.text(n.Cond), "err ") {
				p.plant(p.class, n.Cond, "planted.Not(NUMBER, ", ")", "the opposite of %q",
					p.text(n.Cond))
			}
		case *ast.BinaryExpr:
			p.binary(n)
		}
		return true
	})
}

// statements plants what leaves out one of a list.
func (p *planter) statements(list []ast.Stmt) {
	for _, n := range list {
		switch n := n.(type) {
		case *ast.IncDecStmt:
			if t := p.basic(n.X); t != "" && n.Tok == token.INC {
				p.plant(p.class, n, "if planted.Keep(NUMBER) { ", " }", "without %q", p.text(n))
			}
		case *ast.ExprStmt:
			call, ok := n.X.(*ast.CallExpr)
			if !ok || p.text(call.Fun) == "panic" {
				continue
			}
			switch {
			case p.records(call):
				p.weaken(notCompared, n, "if planted.Keep(NUMBER) { ", " }", "not compared: %q",
					p.text(n))
			case p.class != "report" && p.class != "engine":
				p.plant(p.class, n, "if planted.Keep(NUMBER) { ", " }", "without %q", p.text(n))
			}
		}
	}
}

// binds returns the id in a call of props.Bind.
func (p *planter) binds(call *ast.CallExpr) (string, bool) {
	if p.text(call.Fun) != "props.Bind" || len(call.Args) != 2 {
		return "", false
	}
	id := p.info.Types[call.Args[0]].Value
	if id == nil {
		return "", false
	}
	return strings.Trim(id.ExactString(), `"`), true
}

func (p *planter) binary(e *ast.BinaryExpr) {
	if p.constant(e) || p.class == "report" {
		return
	}
	t := p.basic(e)
	switch e.Op {
	case token.ADD, token.SUB:
		if t != "" && p.basic(e.Y) == t || t != "" && p.constant(e.Y) {
			p.plant(p.class, e.Y, "planted.Other["+t+"](NUMBER, 1, -1)*(", ")",
				"the other sign in %q",
				p.text(e))
		}
	case token.MUL:
		if t == "float64" {
			p.plant(p.class, e, "(", ")*planted.Other[float64](NUMBER, 1, 2)", "twice %q",
				p.text(e))
		}
	case token.QUO, token.REM:
		if t != "" {
			p.plant(p.class, e.Y, "((", ")+planted.Other["+t+"](NUMBER, 0, 1))",
				"the divisor of %q plus 1", p.text(e))
		}
	case token.LSS, token.LEQ, token.GTR, token.GEQ, token.EQL, token.NEQ:
		if x, y := p.basic(e.X), p.basic(e.Y); x == "int" && (y == "int" || p.constant(e.Y)) {
			op := e.Op.String()
			at := p.offset(e.OpPos)
			from, to := p.offset(e.Pos()), p.offset(e.End())
			inner := p.rank(from, to)
			p.add(p.class, e, []edit{{from, from, 1_000_000 - inner,
				fmt.Sprintf("planted.Compare(NUMBER, %q, ", op)},
				{at, at + len(op), 0, ","}, {to, to, -1_000_000 + inner, ")"}}, "the limit of %q",
				p.text(e))
		}
	}
}

// isLedger reports whether a mistake stands in a ledger, which is read when the command starts.
func (m *mistake) isLedger() bool { return strings.HasSuffix(m.file, ".ledger") }

// spot is a mistake in a text, by its number.
type spot = struct {
	k, at, end int
	text       string
}

// slipped is Go that says how many mistakes there are and lists those in ledgers, by file and from
// the end of each.
func slipped(chosen []*mistake) string {
	slips := map[string][]spot{}
	for k, m := range chosen {
		if m.isLedger() {
			e := m.edits[0]
			slips[m.file] = append(slips[m.file], spot{k + 1, e.at, e.end, e.text})
		}
	}
	for _, list := range slips {
		slices.SortStableFunc(list, func(a, b spot) int { return b.at - a.at })
	}
	return fmt.Sprintf("\nconst planted = %d\n\nvar slips = %#v\n", len(chosen), slips)
}

// rewrite returns the sources with mistakes behind switches, numbered from 1 in their order, by
// path.
func rewrite(chosen []*mistake, sources map[string]*source) map[string]string {
	edits := map[string][]edit{}
	for k, m := range chosen {
		if m.isLedger() {
			continue
		}
		for _, e := range m.edits {
			e.text = strings.ReplaceAll(e.text, "NUMBER", fmt.Sprint(k+1))
			edits[m.file] = append(edits[m.file], e)
		}
	}
	// the engine says which claim it checks
	engine := sources["props/engine.go"]
	const run = "func runClaim(ctx context.Context, c *Claim, cfg *Config, idle chan struct{}) *Result {\n"
	at := strings.Index(string(engine.src), run) + len(run)
	edits[engine.path] = append(edits[engine.path],
		edit{at, at, 0, "\tplanted.Claim(c.ID)\n\tdefer planted.Claim(\"\")\n"})
	// and the ledger is read with the mistakes in it
	claims := sources["claims.go"]
	const read = "ledger.Read(files, "
	at = strings.Index(string(claims.src), read) + len(read)
	edits[claims.path] = append(edits[claims.path],
		edit{at - len("files, "), at, 0, "mistakes.Files(files), "})
	out := map[string]string{}
	for path, list := range edits {
		s := sources[path]
		name := "planted"
		if path == claims.path { // which has a variable of that name
			name = "mistakes"
		}
		list = append(list, edit{s.pkg, s.pkg, 0, "; import " + name + " \"sledge/planted\""})
		slices.SortStableFunc(list,
			func(a, b edit) int { return cmp.Or(a.at-b.at, a.rank-b.rank) })
		var b strings.Builder
		last := 0
		for _, e := range list {
			if e.at > last {
				b.Write(s.src[last:e.at])
			}
			b.WriteString(e.text)
			last = max(last, e.end)
		}
		b.Write(s.src[last:])
		out[path] = b.String()
	}
	return out
}
