package rocq

import (
	_ "embed"
	"fmt"
	"math/big"
	"strings"

	"sledge/props/certificate"
	"sledge/props/formula"
)

// curves is a theory of formulas along curves, behind [orders].
//
//go:embed growth.v
var curves string

// mostPower is how high a power of the parameter of a curve may be.
const mostPower = 8

// curve is one in the domain of an order, as it is written.
type curve struct {
	values map[string]string // of symbols that are not defined, at the whole number m
	// of these symbols, in their order: where they are at m, the logarithms of where they begin,
	// their exponents, and what shows the logarithm of where they are
	points, starts, exponents, logarithms []string
}

// growth writes the refutation of an order by a curve: whatever the constant is, and the power of
// logarithms, it is exceeded from some point of the curve on.
func growth(c *certificate.Certificate, name string) string {
	o, st := readOrder(c, true)
	proof := decoded[certificate.GrowthProof](c)
	var logs []string // whose powers are dropped
	if st.tilde() {
		for _, s := range c.Symbols {
			if s.Kind == certificate.Logarithmic {
				logs = append(logs, s.Name)
			}
		}
	}
	exists, pattern := "exists C", "[C [HC H]]"
	if len(logs) > 0 {
		exists, pattern = "exists C k", "[C [k [HC H]]]"
	}
	var goals []string
	for _, d := range st.directions {
		goals = append(goals, fmt.Sprintf(
			"(%s, 0 < C /\\ forall %s : R,\n    %s ->\n    %s <= %s * %s)", exists,
			strings.Join(o.variables, " "), strings.Join(o.premises, " ->\n    "),
			o.write(d[0]), times("C", logs, o.names), o.write(d[1])))
	}
	if strings.Contains(strings.Join(o.premises, " "), "(IZR (-") {
		fail("a domain with powers whose exponents are negative has no form along curves")
	}
	sides := st.directions[0]
	switch {
	case len(goals) > 1 && proof.Inverse:
		sides, pattern = st.directions[1], "[_ "+pattern+"]"
	case len(goals) > 1:
		pattern = "[" + pattern + " _]"
	}
	k := o.curve(c, &proof)
	for _, log := range logs {
		switch {
		case o.defined[log] != nil:
			fail("a logarithm that is defined")
		case proof.Exponents[log] != 0:
			fail("a logarithm that grows")
		}
	}
	constant := times("C", logs, k.values)
	if len(logs) > 0 {
		constant = "(" + constant + ")"
	}
	return "Theorem " + name + " :\n  ~ (" + strings.Join(goals, "\n  /\\ ") + ").\nProof.\n" +
		"  intros " + pattern + ".\n" + o.along(c, k, sides, constant) + "Qed.\n"
}

// times multiplies a constant by a power of the product of logarithms, if there are any.
func times(constant string, logs []string, written map[string]string) string {
	if len(logs) == 0 {
		return constant
	}
	var of []string
	for _, log := range logs {
		of = append(of, written[log])
	}
	return constant + " * (" + strings.Join(of, " * ") + ") ^ k"
}

// curve writes the curve of a proof.
func (o *orderTheorem) curve(c *certificate.Certificate, proof *certificate.GrowthProof) *curve {
	k := &curve{values: map[string]string{}}
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
		point, by := base, "apply ln_still"
		switch {
		case e > mostPower || e < -mostPower:
			fail("the exponent %d", e)
		case e > 0:
			point = fmt.Sprintf("(%s * INR m ^ %d)", base, e)
			by = fmt.Sprintf("apply (ln_up _ _ %d); lra", e)
		case e < 0:
			point = fmt.Sprintf("(%s * / INR m ^ %d)", base, -e)
			by = fmt.Sprintf("apply (ln_down _ _ %d); lra", -e)
		}
		k.values[s.Name] = point
		k.points, k.starts = append(k.points, point), append(k.starts, "ln "+base)
		k.exponents = append(k.exponents, fmt.Sprintf("(%d#1)%%Q", e))
		k.logarithms = append(k.logarithms, by)
	}
	return k
}

// along writes the proof that the second of the sides times the constant is exceeded by the first.
func (o *orderTheorem) along(c *certificate.Certificate, k *curve, sides [2]*formula.Tree,
	constant string) string {
	var at []string
	for _, s := range c.Symbols {
		if d := o.defined[s.Name]; d != nil {
			at = append(at, (&orderTheorem{names: k.values}).write(d))
		} else {
			at = append(at, k.values[s.Name])
		}
	}
	in := func(text []string, by string) string {
		return strings.ReplaceAll(strings.Join(text, by), "INR m", "s")
	}
	points, starts := in(k.points, "; "), strings.Join(k.starts, "; ")
	exponents := strings.Join(k.exponents, "; ")
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, "  "+format+"\n", args...) }
	line("destruct (growth (%s)\n    (%s)\n    (fun i => nth i [%s] 0) (fun i => nth i [%s] 0%%Q)"+
		" ltac:(reflexivity) %s ltac:(factors)) as [M HM].", o.reified(o.replaced(sides[0])),
		o.reified(o.replaced(sides[1])), starts, exponents, constant)
	line("destruct (far M) as [m [Hm Hs]]. set (s := INR m) in *.")
	line("powers s.")
	line("specialize (H %s).", in(at, " "))
	line("do %d premise H.", len(o.premises))
	line("specialize (HM (fun i => nth i [%s] 1) s Hm Hs).", points)
	line("assert (HP : positive_at (fun i => nth i [%s] 1)).", points)
	line("{ intro i. do %d (destruct i as [|i]; [cbn [nth]; point|]). destruct i; simpl; lra. }",
		len(k.points))
	line("specialize (HM HP). clear HP.")
	line("assert (HL : forall i, ln (nth i [%s] 1) = nth i [%s] 0 + Q2R (nth i [%s] 0%%Q) * ln s).",
		points, starts, exponents)
	line("{ intro i.")
	for _, by := range k.logarithms {
		line("  destruct i as [|i]; [cbn [nth]; %s|].", by)
	}
	line("  destruct i; cbn [nth]; rewrite ln_1, Q2R_zero; ring. }")
	line("specialize (HM HL). cbn [eval nth] in HM. exact (Rlt_not_le _ _ HM H).")
	return b.String()
}
