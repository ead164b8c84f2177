package rocq

import (
	_ "embed"
	"encoding/json"
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
func (t *theorem) readVectors() error {
	t.vectors = &vectors{names: map[string]string{}}
	if err := json.Unmarshal(t.c.Proof, &t.vectors.proof); err != nil {
		return err
	}
	wide := *t.c
	wide.Symbols = slices.Clone(t.c.Symbols)
	for _, name := range t.vectors.proof.Vectors {
		wide.Symbols = append(wide.Symbols, certificate.Symbol{Name: name, Kind: certificate.Real})
		t.vectors.names[name] = "v" + ascii(name)[1:]
	}
	var err error
	if t.vectors.reader, err = formula.Reader(&wide); err != nil {
		return err
	}
	for _, s := range t.c.Symbols {
		if s.Means == "" {
			continue
		}
		of := t.vectors.proof.Products[s.Name]
		if certificate.Inner(of) != s.Means {
			return fmt.Errorf("%s is used as another product than the certificate says", s.Name)
		}
		a, err := t.combination(of[0])
		if err != nil {
			return err
		}
		b, err := t.combination(of[1])
		if err != nil {
			return err
		}
		t.names[s.Name] = "(ip " + a + " " + b + ")"
	}
	return nil
}

// combination writes a linear combination of vectors.
func (t *theorem) combination(text string) (string, error) {
	n, err := t.vectors.reader.Tree(text)
	if err != nil {
		return "", err
	}
	return t.linear(n)
}

func (t *theorem) linear(n *formula.Tree) (string, error) {
	isVector := func(n *formula.Tree) bool {
		return slices.ContainsFunc(n.Symbols(),
			func(s string) bool { return t.vectors.names[s] != "" })
	}
	switch {
	case n.Op == "symbol" && t.vectors.names[n.Name] != "":
		return t.vectors.names[n.Name], nil
	case n.Op == "+" || n.Op == "-":
		a, err := t.linear(n.Args[0])
		if err != nil {
			return "", err
		}
		b, err := t.linear(n.Args[1])
		if n.Op == "-" {
			b = "(scale (-1) " + b + ")"
		}
		return "(add " + a + " " + b + ")", err
	case n.Op == "neg":
		a, err := t.linear(n.Args[0])
		return "(scale (-1) " + a + ")", err
	case n.Op == "*" && isVector(n.Args[1]):
		return t.scaled(n.Args[1], n.Args[0], "%s")
	case n.Op == "*":
		return t.scaled(n.Args[0], n.Args[1], "%s")
	case n.Op == "/":
		return t.scaled(n.Args[0], n.Args[1], "(/ %s)")
	}
	return "", fmt.Errorf("%v is no linear combination of vectors", n)
}

func (t *theorem) scaled(vector, number *formula.Tree, form string) (string, error) {
	v, err := t.linear(vector)
	if err != nil {
		return "", err
	}
	c, err := t.expression(number)
	return "(scale " + fmt.Sprintf(form, c) + " " + v + ")", err
}

// quadratic follows a proof by sums of squares: all inner products are multiplied out, and tactic
// field compares.
func quadratic(t *theorem) (string, error) {
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
			return "", fmt.Errorf("a conclusion with %s", s.relation)
		}
		var hs []string
		for _, side := range sides {
			if next == len(t.vectors.proof.By) {
				return "", fmt.Errorf("%v is not shown", s)
			}
			sum, proof := "0", "(Rle_refl 0)"
			for k, u := range t.vectors.proof.By[next] {
				text, holds, err := t.summand(u)
				if err != nil {
					return "", err
				}
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
	return b.String(), nil
}

// summand writes what is not negative, with the tactic that shows it.
func (t *theorem) summand(u certificate.Summand) (text, by string, err error) {
	n, err := t.reader.Tree(u.Times)
	if err != nil {
		return "", "", err
	}
	times, err := t.expression(n)
	if err != nil {
		return "", "", err
	}
	if u.Square != "" {
		v, err := t.combination(u.Square)
		return fmt.Sprintf("%s * ip %s %s", times, v,
			v), "apply Rmult_le_pos; [pos|apply ip_nonneg]", err
	}
	clauses, err := t.reader.Clauses(u.Fact)
	if err != nil || len(clauses) != 1 {
		return "", "", fmt.Errorf("%s is not one relation: %w", u.Fact, err)
	}
	k := 0
	for _, c := range t.assumed {
		for i, rel := range c.Relations {
			if rel == clauses[0].Relations[0] && c.Sides[i].Equal(clauses[0].Sides[0]) &&
				c.Sides[i+1].Equal(clauses[0].Sides[1]) {
				steps, err := t.steps(clauses[0])
				if err != nil {
					return "", "", err
				}
				a, b, h := steps[0].left, steps[0].right, fmt.Sprintf("H%d", k)
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
				return fmt.Sprintf("%s * (%s - %s)", times, b, a), by, nil
			}
			if k++; rel == "∈" {
				k++
			}
		}
	}
	return "", "", fmt.Errorf("%s is not assumed", u.Fact)
}
