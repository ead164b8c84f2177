package rocq

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"sledge/props/certificate"
	"sledge/props/formula"
)

// spaces is what theorems about inner products stand on, behind [inequalities].
//
//go:embed quadratic.v
var spaces string

// vectors are the unknown vectors of a statement about inner products.
type vectors struct {
	proof  certificate.QuadraticProof
	reader *formula.Vocabulary // of symbols and vectors
	names  map[string]string   // of vectors in Rocq
}

// readVectors reads what a certificate says of vectors, and gives the symbols that are products
// their meaning.
func (t *theorem) readVectors() {
	t.vectors = &vectors{names: map[string]string{},
		proof: decoded[certificate.QuadraticProof](t.c)}
	wide := *t.c
	wide.Symbols = slices.Clone(t.c.Symbols)
	for _, name := range t.vectors.proof.Vectors {
		wide.Symbols = append(wide.Symbols, certificate.Symbol{Name: name, Kind: certificate.Real})
		t.vectors.names[name] = "v" + ascii(name)[1:]
	}
	t.vectors.reader = try(formula.Reader(&wide))
	for _, s := range t.c.Symbols {
		if s.Means == "" {
			continue
		}
		of := t.vectors.proof.Products[s.Name]
		if certificate.Inner(of) != s.Means {
			fail("%s is used as another product than the certificate says", s.Name)
		}
		t.names[s.Name] = "(ip " + t.combination(of[0]) + " " + t.combination(of[1]) + ")"
	}
}

// combination writes a linear combination of vectors.
func (t *theorem) combination(text string) string {
	return t.linear(try(t.vectors.reader.Tree(text)))
}

func (t *theorem) linear(n *formula.Tree) string {
	isVector := func(n *formula.Tree) bool {
		return slices.ContainsFunc(n.Symbols(),
			func(s string) bool { return t.vectors.names[s] != "" })
	}
	scaled := func(vector, number *formula.Tree, form string) string {
		return "(scale " + fmt.Sprintf(form, t.expression(number)) + " " + t.linear(vector) + ")"
	}
	switch {
	case n.Op == "symbol" && t.vectors.names[n.Name] != "":
		return t.vectors.names[n.Name]
	case n.Op == "+" || n.Op == "-":
		b := t.linear(n.Args[1])
		if n.Op == "-" {
			b = "(scale (-1) " + b + ")"
		}
		return "(add " + t.linear(n.Args[0]) + " " + b + ")"
	case n.Op == "neg":
		return "(scale (-1) " + t.linear(n.Args[0]) + ")"
	case n.Op == "*" && isVector(n.Args[1]):
		return scaled(n.Args[1], n.Args[0], "%s")
	case n.Op == "*":
		return scaled(n.Args[0], n.Args[1], "%s")
	case n.Op == "/":
		return scaled(n.Args[0], n.Args[1], "(/ %s)")
	}
	fail("%v is no linear combination of vectors", n)
	return ""
}

// quadratic follows a proof by sums of squares: all inner products are multiplied out, and tactic
// field compares.
func quadratic(t *theorem) string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	names := []string{"E"}
	for _, v := range t.vectors.proof.Vectors {
		names = append(names, t.vectors.names[v])
	}
	var signs string
	for _, s := range t.c.Symbols {
		if s.Means == "" {
			names = append(names, t.names[s.Name])
			signs += " sign " + t.names[s.Name] + "."
		}
	}
	for i := range t.premises {
		names = append(names, fmt.Sprintf("H%d", i))
	}
	line("intros %s.\n%s", strings.Join(names, " "), signs)
	var order []string
	for i, v := range t.vectors.proof.Vectors {
		for _, u := range t.vectors.proof.Vectors[:i] {
			order = append(order, fmt.Sprintf("try rewrite !(ip_sym %s %s)", t.vectors.names[v],
				t.vectors.names[u]))
		}
	}
	order = append(order, "first [field; nz | ring]")
	by := "expand; " + strings.Join(order, "; ")
	next := 0
	var shown []string
	for _, s := range t.conclusion {
		sides := [][2]string{{s.left, s.right}}
		lemma := "%s"
		switch s.relation {
		case "<=":
		case ">=":
			lemma, sides[0] = "(Rle_ge _ _ %s)", [2]string{s.right, s.left}
		case "=":
			lemma, sides = "(Rle_antisym _ _ %s)", append(sides, [2]string{s.right, s.left})
		default:
			fail("a conclusion with %s", s.relation)
		}
		var hs []string
		for _, side := range sides {
			if next == len(t.vectors.proof.By) {
				fail("%v is not shown", s)
			}
			sum, proof := "0", "(Rle_refl 0)"
			for k, u := range t.vectors.proof.By[next] {
				text, holds := t.summand(u)
				h := fmt.Sprintf("U%d_%d", next, k)
				line("assert (%s : 0 <= %s) by (%s).", h, text, holds)
				sum, proof = sum+" + "+text, fmt.Sprintf("(sum_nn _ _ %s %s)", proof, h)
			}
			h := fmt.Sprintf("L%d", next)
			line("assert (%s : %s <= %s) by (apply (conclude _ _ (%s) %s); %s).", h, side[0],
				side[1], sum, proof, by)
			hs = append(hs, h)
			next++
		}
		shown = append(shown, fmt.Sprintf(lemma, strings.Join(hs, " ")))
	}
	line("exact %s.", conjoined(shown))
	return b.String()
}

// summand writes what is not negative, with the tactic that shows it.
func (t *theorem) summand(u certificate.Summand) (text, by string) {
	times := t.expression(try(t.reader.Tree(u.Times)))
	if u.Square != "" {
		v := t.combination(u.Square)
		return fmt.Sprintf("%s * ip %s %s", times, v, v),
			"apply Rmult_le_pos; [pos|apply ip_nonneg]"
	}
	clauses := try(t.reader.Clauses(u.Fact))
	if len(clauses) != 1 {
		fail("%s is not one relation", u.Fact)
	}
	k := 0
	for _, c := range t.assumed {
		for i, rel := range c.Relations {
			if rel == clauses[0].Relations[0] && c.Sides[i].Equal(clauses[0].Sides[0]) &&
				c.Sides[i+1].Equal(clauses[0].Sides[1]) {
				step, h := t.steps(clauses[0])[0], fmt.Sprintf("H%d", k)
				a, b := step.left, step.right
				lemma := map[string]string{"≤": "gap _ _ %s", "<": "gap _ _ (Rlt_le _ _ %s)",
					"≥": "gap _ _ (Rge_le _ _ %s)",
					">": "gap _ _ (Rlt_le _ _ (Rgt_lt _ _ %s))"}[rel]
				if rel == "≥" || rel == ">" {
					a, b = b, a
				}
				by = "apply Rmult_le_pos; [pos|exact (" + fmt.Sprintf(lemma, h) + ")]"
				if rel == "=" {
					by = "apply free; exact " + h
				}
				return fmt.Sprintf("%s * (%s - %s)", times, b, a), by
			}
			if k++; rel == "∈" {
				k++
			}
		}
	}
	fail("%s is not assumed", u.Fact)
	return "", ""
}
