package rocq

import (
	"encoding/json"
	"fmt"
	"strings"

	"sledge/props/certificate"
	"sledge/props/formula"
)

// point applies the statement to the values and finds the conclusion false there.
func point(t *theorem) (string, error) {
	var proof certificate.PointProof
	if err := json.Unmarshal(t.c.Proof, &proof); err != nil {
		return "", err
	}
	values := map[string]string{}
	var value func(name string) (string, error)
	depth := 0
	value = func(name string) (string, error) {
		if v, known := values[name]; known {
			return v, nil
		}
		if depth++; depth > len(t.c.Symbols) {
			return "", fmt.Errorf("the value of %s depends on itself", name)
		}
		defer func() { depth-- }()
		at, err := t.reader.Tree(proof.Values[name])
		if err != nil {
			return "", err
		}
		if t.kinds[name] == certificate.Count {
			x, constant := constant(at)
			if !constant || !x.IsInt() {
				return "", fmt.Errorf("the count %s is not given as a whole number", name)
			}
			values[name] = x.Num().String()
			return values[name], nil
		}
		values[name], err = write(at, func(n *formula.Tree) (string, bool, error) {
			if n.Op != "symbol" {
				return "", false, nil
			}
			text, err := value(n.Name)
			return text, true, err
		})
		return values[name], err
	}
	arguments := ""
	for _, s := range t.c.Symbols {
		v, err := value(s.Name)
		if err != nil {
			return "", err
		}
		if s.Kind == certificate.Count {
			v += "%Z"
		}
		arguments += " " + v
	}
	var b strings.Builder
	fmt.Fprintf(&b, "intro H.\nspecialize (H%s).\n", arguments)
	for range t.premises {
		b.WriteString(
			"match type of H with ?P -> _ => assert (A : P) by numbers; specialize (H A); clear A end.\n")
	}
	st, err := formula.ParseStatement(t.reader, t.c.Statement)
	if err != nil {
		return "", err
	}
	at := &theorem{kinds: map[string]string{}, names: values}
	conclusion, err := at.steps(st.Conclusion())
	if err != nil {
		return "", err
	}
	var fails []string
	for _, s := range conclusion {
		switch s.relation {
		case "<=":
			fails = append(fails, fmt.Sprintf("assert (F : %s < %s) by numbers; lra",
				s.right, s.left))
		case ">=":
			fails = append(fails, fmt.Sprintf("assert (F : %s < %s) by numbers; lra", s.left,
				s.right))
		case "=":
			fails = append(fails, fmt.Sprintf("assert (F : %s < %s) by numbers; lra", s.left,
				s.right),
				fmt.Sprintf("assert (F : %s < %s) by numbers; lra", s.right, s.left))
		default:
			return "", fmt.Errorf("a conclusion with %s", s.relation)
		}
	}
	fmt.Fprintf(&b, "first [%s].\n", strings.Join(fails, "\n  | "))
	return b.String(), nil
}
