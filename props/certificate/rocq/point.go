package rocq

import (
	"fmt"
	"strings"

	"sledge/props/certificate"
	"sledge/props/formula"
)

// point applies the statement to the values and finds the conclusion false there.
func point(t *theorem) string {
	values := t.values(decoded[certificate.PointProof](t.c).Values)
	arguments := ""
	for _, s := range t.c.Symbols {
		arguments += " " + values[s.Name]
		if s.Kind == certificate.Count {
			arguments += "%Z"
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "intro H.\nspecialize (H%s).\n", arguments)
	for range t.premises {
		b.WriteString(
			"match type of H with ?P -> _ => assert (A : P) by numbers; specialize (H A); clear A end.\n")
	}
	at := &theorem{c: &certificate.Certificate{}, kinds: map[string]string{}, names: values}
	var fails []string
	less := func(a, b string) {
		fails = append(fails, fmt.Sprintf("assert (F : %s < %s) by numbers; lra", a, b))
	}
	for _, s := range at.steps(t.last) {
		if s.relation != "<=" && s.relation != ">=" && s.relation != "=" {
			fail("a conclusion with %s", s.relation)
		}
		if s.relation != "<=" {
			less(s.left, s.right)
		}
		if s.relation != ">=" {
			less(s.right, s.left)
		}
	}
	fmt.Fprintf(&b, "first [%s].\n", strings.Join(fails, "\n  | "))
	return b.String()
}

// values writes what the symbols are, each without the others.
func (t *theorem) values(given map[string]string) map[string]string {
	values := map[string]string{}
	depth := 0
	var value func(name string) string
	value = func(name string) string {
		if v, known := values[name]; known {
			return v
		}
		if depth++; depth > len(t.c.Symbols) {
			fail("the value of %s depends on itself", name)
		}
		defer func() { depth-- }()
		at := try(t.reader.Tree(given[name]))
		if t.kinds[name] == certificate.Count {
			x, constant := constant(at)
			if !constant || !x.IsInt() {
				fail("the count %s is not given as a whole number", name)
			}
			values[name] = x.Num().String()
		} else {
			values[name] = written(at, func(n *formula.Tree) (string, bool) {
				if n.Op != "symbol" {
					return "", false
				}
				return value(n.Name), true
			})
		}
		return values[name]
	}
	for _, s := range t.c.Symbols {
		value(s.Name)
	}
	return values
}
