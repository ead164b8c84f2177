package main

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strings"
)

// The kinds of what weakens a check.
const (
	fewerSizes    = "a size cut to 1, in one literal"
	moreAllowed   = "ten times the allowed failures"
	wider         = "ten times the tolerance"
	notCompared   = "a comparison left out"
	narrowPremise = "a range cut to a twentieth"
	lessEffort    = "a thousandth of the effort"
	looser        = "a bound ten times looser"
	coarser       = "a million times the scale"
)

// weaken adds a mistake that asks less of what is checked.
func (p *planter) weaken(kind string, n ast.Node, open, close, format string, args ...any) {
	p.plant("weakened", n, open, close, format, args...)
	(*p.all)[len(*p.all)-1].kind = kind
}

// sourced reports whether a call draws a number from a range.
func (p *planter) sourced(call *ast.CallExpr) (string, bool) {
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || len(call.Args) != 3 || !p.is(sel.X, "props.Source") {
		return "", false
	}
	switch sel.Sel.Name {
	case "Int", "LogInt":
		return "int", true
	case "Real", "LogReal":
		return "float64", true
	}
	return "", false
}

// is reports whether an expression has a type of this name.
func (p *planter) is(e ast.Expr, name string) bool {
	t := p.info.TypeOf(e)
	return t != nil && strings.HasSuffix(t.String(), name)
}

// numeral is a number in a formula that is no subscript and not inside a name.
var numeral = regexp.MustCompile(`(^|[^_\pL\d.])([2-9]|\d\d+)([^\d.]|$)`)

// wrongFormula makes a formula wrong by a number or an exponent.
func wrongFormula(s string) (string, bool) {
	if !strings.ContainsAny(s, "≤≥=√²∧∨·/") || strings.Contains(s, "  ") ||
		strings.Count(s, " ") > 30 {
		return "", false
	}
	if m := numeral.FindStringSubmatchIndex(s); m != nil {
		return s[:m[4]] + "3" + s[m[4]:], true // 15 becomes 315
	}
	for _, r := range [][2]string{{"²", "³"}, {"√", "2√"}} {
		if strings.Contains(s, r[0]) {
			return strings.Replace(s, r[0], r[1], 1), true
		}
	}
	return "", false
}

// audited reports whether what a file says is checked by claims, so that a check in it may be
// weakened.
func (p *planter) audited() bool {
	return p.class == "formula" || p.class == "problem" || p.class == "language"
}

// call plants what is wrong in an argument.
func (p *planter) call(n *ast.CallExpr) {
	if !p.audited() {
		return
	}
	if t, ok := p.sourced(n); ok && p.text(n.Args[1]) != p.text(n.Args[2]) {
		lo := string(p.src[p.offset(n.Args[1].Pos()):p.offset(n.Args[1].End())])
		p.weaken(narrowPremise, n.Args[2], "planted.Cut["+t+"](NUMBER, "+lo+", ", ")",
			"the range of %q cut to a twentieth", p.text(n))
	}
	if sel, ok := n.Fun.(*ast.SelectorExpr); ok {
		p.method(n, sel)
	}
	for _, a := range n.Args {
		lit, ok := a.(*ast.BasicLit)
		if !ok || lit.Kind != token.STRING || strings.HasPrefix(p.text(n.Fun), "rec.") ||
			strings.HasPrefix(lit.Value, "`") {
			continue
		}
		if s := strings.Trim(lit.Value, `"`); !strings.Contains(s, `\`) {
			if wrong, ok := wrongFormula(s); ok && p.formula(n) {
				p.plant("formula", lit, "planted.Other(NUMBER, ", fmt.Sprintf(", %q)", wrong),
					"%q for %q", wrong, s)
			}
		}
	}
}

// method plants what weakens a check in a call of a method.
func (p *planter) method(n *ast.CallExpr, sel *ast.SelectorExpr) {
	switch name := sel.Sel.Name; {
	case name == "Scale" && len(n.Args) == 1 && p.is(sel.X, "props.Pair"):
		p.weaken(coarser, n.Args[0], "planted.Times[float64](NUMBER, ", ", 1e6)",
			"a million times the scale in %q", p.text(n))
	case name == "Effort" && len(n.Args) == 1:
		p.weaken(lessEffort, n.Args[0], "planted.Times[float64](NUMBER, ", ", 1e-3)",
			"a thousandth of the effort %q", p.text(n.Args[0]))
	case (name == "AtMost" || name == "AtLeast") && len(n.Args) == 3 &&
		p.is(sel.X, "props.Recorder"):
		factor := map[string]string{"AtMost": ", 10)", "AtLeast": ", 0.1)"}[name]
		p.weaken(looser, n.Args[2], "planted.Times[float64](NUMBER, ", factor,
			"the bound in %q ten times looser", p.text(n))
	}
}

// formula reports whether a call takes the text of a formula: it belongs to package formula, or its
// receiver does.
func (p *planter) formula(n *ast.CallExpr) bool {
	sel, ok := n.Fun.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	if s := p.info.Selections[sel]; s != nil {
		return strings.Contains(s.Recv().String(), "props/formula")
	}
	obj := p.info.Uses[sel.Sel]
	return obj != nil && obj.Pkg() != nil && strings.HasSuffix(obj.Pkg().Path(), "props/formula")
}

// setting weakens what a trial allows.
func (p *planter) setting(n *ast.KeyValueExpr) {
	id, ok := n.Key.(*ast.Ident)
	if !ok || !p.audited() {
		return
	}
	t := p.info.TypeOf(n.Value)
	if t == nil {
		return
	}
	switch b, _ := t.Underlying().(*types.Basic); {
	case b == nil:
	case id.Name == "Delta" && b.Info()&types.IsFloat != 0:
		p.weaken(moreAllowed, n.Value, "planted.Times[float64](NUMBER, ", ", 10)",
			"ten times the allowed %q", p.text(n))
	case (id.Name == "Tolerance" || id.Name == "Margin") && b.Info()&types.IsFloat != 0:
		p.weaken(wider, n.Value, "planted.Times[float64](NUMBER, ", ", 10)",
			"ten times the tolerance %q", p.text(n))
	case (id.Name == "Claimed") && b.Info()&types.IsFloat != 0:
		p.plant("formula", n.Value, "planted.Times[float64](NUMBER, ", ", 2)", "twice %q",
			p.text(n))
	case slices.Contains([]string{"n", "P", "K", "T", "b", "d", "N", "D"}, id.Name) &&
		b.Info()&types.IsInteger != 0 &&
		p.constant(n.Value):
		p.weaken(fewerSizes, n.Value, "planted.Other[int](NUMBER, ", ", 1)", "the size %q cut to 1",
			p.text(n))
	}
}

// allowance plants, in the engine, what every test of its kind allows.
func (p *planter) allowance(n *ast.SelectorExpr) {
	if p.class == "engine" && n.Sel.Name == "Delta" && p.basic(n) == "float64" {
		p.weaken(moreAllowed, n, "planted.Times[float64](NUMBER, ", ", 10)",
			"ten times %q, for all", p.text(n))
	}
}
