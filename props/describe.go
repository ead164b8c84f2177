package props

import (
	_ "embed"
	"strings"
	"sync"
)

// Describe says in words how a check works, one sentence for each of its kinds.
func Describe(c Check) string {
	if d, ok := c.(interface{ describe() string }); ok {
		return d.describe()
	}
	return ""
}

//go:embed descriptions.txt
var described string

// descriptions are of checks, by their kinds.
var descriptions = sync.OnceValue(func() map[string]string { return Passages(described) })

// Passages reads a text in which each passage, indented, stands below a line with its name; empty
// lines part them. It returns the passages by their names, each as one line.
func Passages(text string) map[string]string {
	out := map[string]string{}
	for block := range strings.SplitSeq(strings.TrimSpace(text), "\n\n") {
		name, passage, _ := strings.Cut(block, "\n")
		out[name] = strings.Join(strings.Fields(passage), " ")
	}
	return out
}

func (d *Deterministic) describe() string { return descriptions()[d.kind] }
func (r *Randomised) describe() string    { return Describe(r.of) }
func (r *sampled[T]) describe() string    { return descriptions()[r.kind] }
func (x *Enumerated) describe() string {
	return "Exact arithmetic on the whole of a finite domain: " + x.domain + "."
}

func (o *order) describe() string {
	s := "The ratio of the two formulas is maximised on growing ranges of the parameters: it must level off."
	if o.both {
		s += " So must its inverse."
	}
	return s
}

func (a all) describe() string {
	var said []string
	for _, c := range a {
		if s := Describe(c); s != "" && !strings.Contains(strings.Join(said, " "), s) {
			said = append(said, s)
		}
	}
	return strings.Join(said, " ")
}
