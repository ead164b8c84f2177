package rocq

import (
	_ "embed"
	"fmt"
	"math/big"
	"strings"

	"sledge/props/certificate"
)

// curves is a theory of formulas along curves, behind [orders].
//
//go:embed growth.v
var curves string

// mostPower is how high a power of the parameter of a curve may be.
const mostPower = 8

// growth writes the refutation of an order by a curve: whatever the constant is, and the power of
// logarithms, it is exceeded from some point of the curve on.
func growth(c *certificate.Certificate, name string) string {
	o, st := readOrder(c, true)
	proof := decoded[certificate.GrowthProof](c)
	var goals, logs []string
	tilde, sides := false, st.directions
	if st.tilde() {
		for _, s := range c.Symbols {
			if s.Kind == certificate.Logarithmic {
				logs = append(logs, o.names[s.Name])
			}
		}
		tilde = len(logs) > 0
	}
	factor := ""
	for _, d := range sides {
		left, right := o.write(d[0]), o.write(d[1])
		exists := "exists C"
		if tilde {
			exists, factor = "exists C k", " * ("+strings.Join(logs, " * ")+") ^ k"
		}
		goals = append(goals,
			fmt.Sprintf("(%s, 0 < C /\\ forall %s : R,\n    %s ->\n    %s <= C%s * %s)", exists,
				strings.Join(o.variables, " "), strings.Join(o.premises, " ->\n    "), left,
				factor, right))
	}
	if strings.Contains(strings.Join(o.premises, " "), "(IZR (-") {
		fail("a domain with powers whose exponents are negative has no form along curves")
	}
	which := 0
	if len(sides) > 1 && proof.Inverse {
		which = 1
	}
	var at, points, logarithms, starts, exponents []string
	var b strings.Builder
	values := map[string]string{}
	for _, s := range c.Symbols {
		if o.defined[s.Name] != nil {
			continue
		}
		x, ok := new(big.Rat).SetString(proof.At[s.Name])
		if !ok {
			fail("%s has no start", s.Name)
		}
		e := proof.Exponents[s.Name]
		base := rational(x)
		point, lemma := base, "ln_still"
		switch {
		case e > mostPower || e < -mostPower:
			fail("the exponent %d", e)
		case e > 0:
			point, lemma = fmt.Sprintf("(%s * INR m ^ %d)", base, e), fmt.Sprintf("ln_up _ _ %d", e)
		case e < 0:
			point, lemma = fmt.Sprintf("(%s * / INR m ^ %d)", base, -e),
				fmt.Sprintf("ln_down _ _ %d", -e)
		}
		values[s.Name] = point
		points, starts = append(points, point), append(starts, "ln "+base)
		exponents = append(exponents, fmt.Sprintf("(%d#1)%%Q", e))
		if e == 0 {
			logarithms = append(logarithms, "apply ln_still")
		} else {
			logarithms = append(logarithms, fmt.Sprintf("apply (%s); lra", lemma))
		}
	}
	for _, s := range c.Symbols {
		if d := o.defined[s.Name]; d != nil {
			at = append(at, (&orderTheorem{names: values}).write(d))
		} else {
			at = append(at, values[s.Name])
		}
	}
	line := func(format string, args ...any) { fmt.Fprintf(&b, "  "+format+"\n", args...) }
	pattern := make([]string, len(sides))
	for i := range pattern {
		if pattern[i] = "_"; i == which {
			pattern[i] = "[C [HC H]]"
			if tilde {
				pattern[i] = "[C [k [HC H]]]"
			}
		}
	}
	if len(sides) == 1 {
		line("intros %s.", pattern[0])
	} else {
		line("intros [%s].", strings.Join(pattern, " "))
	}
	constant := "C"
	if tilde {
		var of []string
		for _, s := range c.Symbols {
			if s.Kind == certificate.Logarithmic {
				if o.defined[s.Name] != nil {
					fail("a logarithm that is defined")
				}
				if proof.Exponents[s.Name] != 0 {
					fail("a logarithm that grows")
				}
				of = append(of, values[s.Name])
			}
		}
		constant = "(C * (" + strings.Join(of, " * ") + ") ^ k)"
	}
	left, right := o.replaced(sides[which][0]), o.replaced(sides[which][1])
	line(
		"destruct (growth (%s)\n    (%s)\n    (fun i => nth i [%s] 0) (fun i => nth i [%s] "+
			"0%%Q) ltac:(reflexivity) %s "+
			"ltac:(factors)) as [M HM].", o.reified(left), o.reified(right),
		strings.Join(starts, "; "), strings.Join(exponents, "; "), constant)
	line("destruct (far M) as [m [Hm Hs]]. set (s := INR m) in *.")
	line("powers s.")
	in := func(text string) string { return strings.ReplaceAll(text, "INR m", "s") }
	line("specialize (H %s).", in(strings.Join(at, " ")))
	line("do %d premise H.", len(o.premises))
	line("specialize (HM (fun i => nth i [%s] 1) s Hm Hs).", in(strings.Join(points, "; ")))
	line("assert (HP : positive_at (fun i => nth i [%s] 1)).", in(strings.Join(points, "; ")))
	line("{ intro i. do %d (destruct i as [|i]; [cbn [nth]; point|]). destruct i; simpl; lra. }",
		len(points))
	line("specialize (HM HP). clear HP.")
	line("assert (HL : forall i, ln (nth i [%s] 1) = nth i [%s] 0 + Q2R (nth i [%s] 0%%Q) * ln s).",
		in(strings.Join(points, "; ")), strings.Join(starts, "; "), strings.Join(exponents, "; "))
	line("{ intro i.")
	for _, by := range logarithms {
		line("  destruct i as [|i]; [cbn [nth]; %s|].", by)
	}
	line("  destruct i; cbn [nth]; rewrite ln_1, Q2R_zero; ring. }")
	line("specialize (HM HL). cbn [eval nth] in HM. exact (Rlt_not_le _ _ HM H).")
	return "Theorem " + name + " :\n  ~ (" + strings.Join(goals, "\n  /\\ ") + ").\nProof.\n" +
		b.String() + "Qed.\n"
}
