package props

import "strings"

// Describe says in words how a check works, one sentence for each of its kinds.
func Describe(c Check) string {
	if d, ok := c.(interface{ describe() string }); ok {
		return d.describe()
	}
	return ""
}

var descriptions = map[string]string{
	"identity": "Two ways to compute a quantity are compared on instances that are drawn at random, at corners and " +
		"by a search for the largest " +
		"difference.",
	"inequality": "The two sides are compared on instances that are drawn at random, at corners and by a search for " +
		"the tightest one.",
	"implication": "The premise is drawn over the whole admissible range, corners and extreme values included, and " +
		"the consequence is compared on " +
		"each draw and by a search for the tightest one.",
	"tail": "Many instances are screened by a few runs each, by the rate of violations; independent runs on several " +
		"of them, spread over sizes and patterns, " +
		"are counted against the claimed probability, by e-processes in both directions.",
	"mean": "The mean over independent runs is tested by betting, on several instances: the worst that a search by " +
		"short pilot runs found, and others apart from it.",
	"law": "The sample is compared with the claimed distribution by the Dvoretzky-Kiefer-Wolfowitz band.",
	"slope": "The exponent with which measured/claimed grows between the ends of the grid is compared with the " +
		"margin, by confidence limits at both " +
		"ends and by the trend in between.",
	"hitting": "Independent runs that miss the event within the horizon are counted against the claimed probability, " +
		"on several instances of many that " +
		"were screened; censored runs count as misses.",
}

func (d *Deterministic) describe() string { return descriptions[d.kind] }
func (r *Randomised[T]) describe() string { return descriptions[r.kind] }
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
