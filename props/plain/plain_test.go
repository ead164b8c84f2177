package plain

import (
	"bytes"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// hostile draws text of pieces that mean something to a terminal, a log or a page, and of anything
// else.
func hostile() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		piece := rapid.OneOf(rapid.SampledFrom(
			[]string{"\n", "\r\n", " ", "\t", ":", "::", "::warning::x",
				"##[", "#", "[error]",
				"\x1b[2J", "\u009b2J", "\u2028", "\u202e", "\u200b", "\x00", "\xff", "\xe2", "\x80",
				"é", "|", "`", "</b>", "@team", "https://x", "\U000e0041"}), rapid.String())
		return strings.Join(rapid.SliceOfN(piece, 0, 8).Draw(t, "pieces"), "")
	})
}

// Whatever is written, in whatever pieces, what comes out steers nothing and commands nobody; what
// needs no change has none.
func TestWriter(t *testing.T) {
	command := regexp.MustCompile(`(?m)^[\s\x{85}\x{a0}]*::|##\[`)
	changed, same := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		text := hostile().Draw(t, "text")
		obeys := rapid.Bool().Draw(t, "obeys")
		var out bytes.Buffer
		w := NewWriter(&out, obeys)
		for rest := text; rest != ""; {
			n := rapid.IntRange(1, len(rest)).Draw(t, "n")
			if k, err := w.Write([]byte(rest[:n])); k != n || err != nil {
				t.Fatal(k, err)
			}
			rest = rest[n:]
		}
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
		got := out.String()
		if !utf8.ValidString(got) || strings.ContainsFunc(got,
			func(r rune) bool { return r != '\n' && r != '\t' && Steers(r) }) {
			t.Fatalf("%q is written as %q", text, got)
		}
		if obeys && command.MatchString(got) {
			t.Fatalf("%q is written as %q, a command", text, got)
		}
		clean := utf8.ValidString(text) &&
			!strings.ContainsFunc(text, func(r rune) bool { return r != '\n' && r != '\t' && Steers(r) }) &&
			!(obeys && command.MatchString(text))
		if clean != (got == text) {
			t.Fatalf("%q is written as %q", text, got)
		}
		if clean {
			same++
		} else {
			changed++
		}
	})
	if changed < 3 || same < 3 {
		t.Errorf("%d texts are changed, %d are not", changed, same)
	}
}

// A message stays readable whatever number somebody has put into a file.
func TestMessage(t *testing.T) {
	for text, want := range map[string]string{
		"a word of 12 letters": "a word of 12 letters",
		"it is " + strings.Repeat("9", 3e6) + ", not k/K": "it is " + strings.Repeat("9", 60) +
			"…[3000001 bytes]…" + strings.Repeat("9", 19) + ", not k/K",
		strings.Repeat("two words ", 200): strings.Repeat("two words ", 200),
	} {
		if got := Message(text); got != want {
			t.Errorf("%.100s… instead of %.100s…", got, want)
		}
	}
}

// A part of a line stays one, in plain text, in Markdown and in a command.
func TestLine(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := hostile().Draw(t, "text")
		for name, got := range map[string]string{"Line": Line(text), "Markdown": Markdown(text),
			"Code": Code(text),
			"Command": strings.TrimSuffix(
				Command("error", [][2]string{{"title", text}, {"file", text}}, text), "\n")} {
			if strings.ContainsFunc(got, Steers) || !utf8.ValidString(got) {
				t.Fatalf("%s(%q) = %q", name, text, got)
			}
			switch name {
			case "Markdown":
				if strings.ContainsAny(got, "<@") || strings.Contains(got, "://") {
					t.Fatalf("%s(%q) = %q", name, text, got)
				}
			case "Code":
				if strings.ContainsAny(got, "<`") {
					t.Fatalf("%s(%q) = %q", name, text, got)
				}
			}
		}
		properties, _, _ := strings.Cut(
			strings.TrimPrefix(Command("error", [][2]string{{"title", text}}, ""),
				"::error title="),
			"::")
		if strings.ContainsAny(properties, ",") || properties != property.Replace(Line(text)) {
			t.Fatalf("the property %q is written as %q", text, properties)
		}
	})
	if got := Line("a\nb\u202e\x1b\xff"); got != `a\u000ab\u202e\u001b\xff` {
		t.Errorf("%s", got)
	}
	if got := Line("∇f(x) ≤ ε² \u202f"); got != "∇f(x) ≤ ε² \u202f" {
		t.Errorf("%q", got)
	}
}
