package reports

import (
	"encoding/xml"
	"io"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestFormula(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"x^t − x^{t−1} = −ηv^{t-1}", "x<sup>t</sup> − x<sup>t−1</sup> = −ηv<sup>t-1</sup>"},
		{"(15C_1⁸ζ²/b) Σ_{s=max(1,t−T_1+1)}^t",
			"(15C<sub>1</sub>⁸ζ²/b) Σ<sub>s=max(1,t−T<sub>1</sub>+1)</sub><sup>t</sup>"},
		{"12C_1C_cζη", "12C<sub>1</sub>C<sub>c</sub>ζη"},
		{"Ĩ_τ0^t and Ĩ_{s+1}", "Ĩ<sub>τ0</sub><sup>t</sup> and Ĩ<sub>s+1</sub>"},
		{"∇²f_ij(x), λ_min(H), σ_cδ, e_iX",
			"∇²f<sub>ij</sub>(x), λ<sub>min</sub>(H), σ<sub>c</sub>δ, e<sub>i</sub>X"},
		{"s^−0.667, s^0.5.", "s<sup>−0.667</sup>, s<sup>0.5</sup>."},
		{"s^(1/2), n^(−0.667), x^(t)", "s<sup>1/2</sup>, n<sup>−0.667</sup>, x^(t)"},
		{"x_1.5 and x^3/2", "x<sub>1</sub>.5 and x<sup>3</sup>/2"},
		{"f^*, 10^-3, 10^−12, 2^10",
			"f<sup>*</sup>, 10<sup>-3</sup>, 10<sup>−12</sup>, 2<sup>10</sup>"},
		{"test_accuracy, _x, ^ y, a_, b^, c_{d, e^-x",
			"test_accuracy, _x, ^ y, a_, b^, c_{d, e^-x"},
		{"<b> & x_<i>", "&lt;b&gt; &amp; x_&lt;i&gt;"},
		{"x^{<i>}", "x<sup>&lt;i&gt;</sup>"},
		{"a^{b}}", "a<sup>b</sup>}"},
		{"√(2L)/b, ζ√n, √x_i²y, √12, √(a",
			`√<span class="o">2L</span>/b, ζ√<span class="o">n</span>, ` +
				`√<span class="o">x<sub>i</sub>²</span>y, √<span class="o">12</span>, √(a`},
		{"√(L√K), √ n, √", `√<span class="o">L√<span class="o">K</span></span>, √ n, √`},
		{"7.0e-6·L, 1e+08, 2e3, 1e-400",
			"7.0×10<sup>−6</sup>·L, 10<sup>8</sup>, 2×10<sup>3</sup>, 10<sup>−400</sup>"},
	} {
		if got := formula(c.in); string(got) != c.want {
			t.Errorf("%s\ngot  %s\nwant %s", c.in, got, c.want)
		}
	}
}

func TestPlace(t *testing.T) {
	const in, want = "zeta / L = 1, nu = 0.1, sigma_c / eps = 2, beta2 = 1, number = 3",
		"ζ / L = 1, ν = 0.1, " +
			"σ<sub>c</sub> / ε = 2, beta2 = 1, number = 3"
	if got := place(in); string(got) != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestMathematics(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"of a set: nothing to set, Option I, a SPIDER-SFO+ entry",
			"of a set: nothing to set, Option I, a SPIDER-SFO+ entry"},
		{"an $ε$-stationary point,", "an <math><mi>ε</mi></math>-stationary point,"},
		{"$x_i^{t−1}$",
			"<math><msubsup><mi>x</mi><mi>i</mi><mrow><mi>t</mi><mo>−</mo><mn>1</mn></mrow></msubsup></math>"},
		{"$‖v‖² ≤ ζ'$",
			`<math><mo stretchy="false">‖</mo><mi>v</mi><msup><mo stretchy="false">‖</mo><mn>2</mn></msup><mo>≤</mo>` +
				`<msup><mi>ζ</mi><mo>′</mo></msup></math>`},
		{"$PKG_c²/n$",
			`<math><mi>P</mi><mi>K</mi><msubsup><mi>G</mi><mi>c</mi><mn>2</mn></msubsup><mo ` +
				`lspace="0" rspace="0">/</mo><mi>n</mi></math>`},
		{"$a given b$", "<math><mi>a</mi><mtext>\u00a0given\u00a0</mtext><mi>b</mi></math>"},
		{"$T ≥ 5$ steps", "<math><mi>T</mi><mo>≥</mo><mn>5</mn></math> steps"},
		{"$b$,", "<math><mi>b</mi></math>,"},
		{"$√(2L)$ and $√n/b$",
			`<math><mrow><mo class="r" form="prefix">√</mo><mrow ` +
				`class="o"><mrow><mn>2</mn><mi>L</mi></mrow></mrow></mrow></math> and ` +
				`<math><mrow><mo class="r" form="prefix">√</mo><mrow class="o"><mi>n</mi></mrow></mrow>` +
				`<mo lspace="0" rspace="0">/</mo><mi>b</mi></math>`},
		{"$Θ̃(1)$",
			`<math><mi class="i">Θ̃</mi><mo stretchy="false">(</mo><mn>1</mn><mo stretchy="false">)</mo></math>`},
		{"$max{1, t} <b>$ & $C_1^{10}$",
			`<math><mi>max</mi><mo stretchy="false">{</mo><mn>1</mn><mo>,</mo><mi>t</mi><mo stretchy="false">}</mo>` +
				`<mo>&lt;</mo><mi>b</mi><mo>&gt;</mo></math> &amp; ` +
				`<math><msubsup><mi>C</mi><mn>1</mn><mn>10</mn></msubsup></math>`},
		{"test_accuracy $λ_min(H)$",
			"test_accuracy <math><msub><mi>λ</mi><mi>min</mi></msub><mo stretchy=\"false\">(</mo><mi>H</mi><mo " +
				"stretchy=\"false\">)</mo></math>"},
		{"$s^(−2/3)$",
			`<math><msup><mi>s</mi><mrow><mo>−</mo><mn>2</mn><mo lspace="0" ` +
				`rspace="0">/</mo><mn>3</mn></mrow></msup></math>`},
		{"$10⁻³$ $f*$ $f(x*)$",
			`<math><msup><mn>10</mn><mrow><mo>−</mo><mn>3</mn></mrow></msup></math> ` +
				`<math><msup><mi>f</mi><mo>*</mo></msup></math> ` +
				`<math><mi>f</mi><mo ` +
				`stretchy="false">(</mo><msup><mi>x</mi><mo>*</mo></msup><mo stretchy="false">)</mo></math>`},
		{"$^$ $_$ $x_$ $√$ $^a$ $²$",
			`<math><mo>^</mo></math> <math><mo>_</mo></math> <math><mi>x</mi><mo>_</mo></math> ` +
				`<math><mo class="r" form="prefix">√</mo></math> ` +
				"<math><msup><mrow></mrow><mi>a</mi></msup></math> <math><msup><mrow></mrow><mn>2</mn></msup></math>"},
	} {
		if got := mathematics(c.in); string(got) != c.want {
			t.Errorf("%s\ngot  %s\nwant %s", c.in, got, c.want)
		}
	}
}

// Displays have stacked fractions, without the brackets that a line needs, and sums with limits;
// what is not a fraction with two sides stays as it is.
func TestDisplayed(t *testing.T) {
	const slash = `<mo lspace="0" rspace="0">/</mo>`
	fraction := func(over, under string) string { return "<mfrac>" + over + under + "</mfrac>" }
	i := func(s string) string { return "<mi>" + s + "</mi>" }
	for in, want := range map[string]string{
		"1/n": fraction("<mn>1</mn>", i("n")),
		"(L/(μK))∧(P/p)": fraction(i("L"), "<mrow>"+i("μ")+i("K")+"</mrow>") + "<mo>∧</mo>" +
			fraction(i("P"), i("p")),
		"f(n/b)": i("f") + "<mo>(</mo>" + fraction(i("n"), i("b")) + "<mo>)</mo>",
		"(n/b)²": "<mo>(</mo>" + fraction(i("n"), i("b")) +
			"<msup><mo>)</mo><mn>2</mn></msup>",
		"(n)a": fenced('(') + i("n") + fenced(')') + i("a"),
		"log Δ/ε": i("log") + `<mspace width=".17em"></mspace>` +
			fraction(`<mi mathvariant="normal">Δ</mi>`, i("ε")),
		"(a + b)/c d": fraction("<mrow>"+i("a")+"<mo>+</mo>"+i("b")+"</mrow>", i("c")) + i("d"),
		"a + ‖x‖/‖y‖": i("a") + "<mo>+</mo>" +
			fraction("<mrow>"+fenced('‖')+i("x")+fenced('‖')+"</mrow>",
				"<mrow>"+fenced('‖')+i("y")+fenced('‖')+"</mrow>"),
		"b/√(Kb)": fraction(i("b"),
			`<mrow><mo class="r" form="prefix">√</mo><mrow class="o"><mrow>`+i("K")+i("b")+
				"</mrow></mrow></mrow>"),
		"Σ_i^n x":     "<munderover><mo>∑</mo>" + i("i") + i("n") + "</munderover>" + i("x"),
		"a^{1/2}":     "<msup>" + i("a") + "<mrow><mn>1</mn>" + slash + "<mn>2</mn></mrow></msup>",
		"/b":          slash + i("b"),
		"a/":          i("a") + slash,
		"a/ b":        i("a") + slash + i("b"),
		"a+/b":        i("a") + "<mo>+</mo>" + slash + i("b"),
		"a/∧":         i("a") + slash + "<mo>∧</mo>",
		"Option II ε": "<mtext>Option\u00a0</mtext><mtext>II\u00a0</mtext>" + i("ε"),
	} {
		want = `<math displaystyle="true">` + want + "</math>"
		if got := (typeset{display: true}).text([]rune("$"+in+"$"), nil); string(got) != want {
			t.Errorf("%s\ngot  %s\nwant %s", in, got, want)
		}
	}
}

// What is marked is in its class, in words and in formulas, and all else is set as without marks.
func TestMarked(t *testing.T) {
	const text = "For $C_1²n/b$ now"
	marks := make([]bool, len([]rune(text)))
	for _, at := range []int{0, 1, 2, 7, 9} {
		marks[at] = true
	}
	got := typeset{class: "w"}.text([]rune(text), marks)
	want := `<span class="w">For</span> <math><msubsup><mi>C</mi><mrow ` +
		`class="w"><mn>1</mn></mrow><mn>2</mn></msubsup>` +
		`<mrow class="w"><mi>n</mi></mrow><mo lspace="0" rspace="0">/</mo><mi>b</mi></math> now`
	if string(got) != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	plain := strings.NewReplacer(`<span class="w">For</span>`, "For",
		`<mrow class="w"><mn>1</mn></mrow>`, "<mn>1</mn>", `<mrow class="w"><mi>n</mi></mrow>`,
		"<mi>n</mi>").Replace(string(got))
	if plain != string(mathematics(text)) {
		t.Errorf("without marks %s", mathematics(text))
	}
}

// Whatever a statement says, the page stays well-formed, and nothing of it but mark-up is added or
// lost.
func FuzzMathematics(f *testing.F) {
	for _, s := range []string{"x_i^{t−1}", "√(", "_{", "^^", "a_b_c", "²²₀", "f**", "ε-x <y>",
		"{ }", "x^{a_{b^c}}",
		"√√√n", "'", "\x00", "$a$ b $"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if len(s) > 200 || !utf8.ValidString(s) {
			t.Skip()
		}
		set := string(mathematics("$"+s+"$") + typeset{display: true}.text([]rune("$"+s+"$"), nil))
		d := xml.NewDecoder(strings.NewReader("<p>" +
			strings.ReplaceAll(set, "<wbr>", "") + "</p>"))
		for {
			_, err := d.Token()
			if err == io.EOF {
				return
			}
			if err != nil && !strings.Contains(err.Error(), "illegal character code") {
				t.Fatalf("%q: %v in %s", s, err, mathematics(s))
			}
			if err != nil {
				return
			}
		}
	})
}
