package verify

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"sledge/props/plain"
	"sledge/reports"
)

// forge sets strings in everything that v holds.
func forge(v reflect.Value, set func(string) string) {
	switch v.Kind() {
	case reflect.String:
		if v.CanSet() {
			v.SetString(set(v.String()))
		}
	case reflect.Pointer:
		if !v.IsNil() {
			forge(v.Elem(), set)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() && v.Type().Field(i).Name != "Schema" {
				forge(v.Field(i), set)
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			forge(v.Index(i), set)
		}
	}
}

// Whatever words a report has in its fields, and whatever it is called, no verb that reads it
// prints what steers a terminal, commands GitHub Actions, or is mark-up of a page.
func TestHostileWords(t *testing.T) {
	base := t.TempDir()
	whole := filepath.Join(base, "whole")
	if code := Main(t.Context(), toy(oddities), []string{"-out", whole}, io.Discard,
		io.Discard); code > Unexpected {
		t.Fatal(code)
	}
	wild := []string{"\n::warning::forged", "\n  ::error file=x::forged", "\x1b[2J", "\r",
		"\u009b2J", "\u2028::warning::forged",
		"\u202eforged", "\n# forged", "\n\n<b>forged</b>", "\u200b", "\x00", "\n\n    forged"}
	tame := []string{"::warning::forged", "##[error]forged", "<b>forged</b>", "`x` <i>forged</i>",
		"| forged |", "[forged](x)",
		"@forged", "https://forged.example", "# forged"}
	command := regexp.MustCompile(`(?m)^\s*::|##\[`)
	own := regexp.MustCompile(`(?m)^::error (file=[^,:]*,line=[^,:]*,)?title=[^,:\[]*::`)
	markup := regexp.MustCompile(`(?m)<(b|i)>|^#+ forged|[^\\]\[forged|@forged|://forged`)
	read, refused, named, pagesRead := 0, 0, 0, 0
	for _, actions := range []string{"", "true"} {
		t.Setenv("GITHUB_ACTIONS", actions)
		inspect := func(t *rapid.T, what, got string) {
			if strings.ContainsFunc(got, func(r rune) bool {
				return r != '\n' && r != '\t' && plain.Steers(r)
			}) ||
				!utf8.ValidString(got) {
				t.Fatalf("%s: %q", what, got)
			}
			if found := command.FindString(own.ReplaceAllString(got, "")); actions != "" &&
				found != "" {
				t.Fatalf("%s: a command is printed: %q", what, got)
			}
		}
		rapid.Check(t, func(t *rapid.T) {
			dir, err := os.MkdirTemp(base, "")
			if err != nil {
				t.Fatal(err)
			}
			defer os.RemoveAll(dir)
			r, err := reports.Read(whole)
			if err != nil {
				t.Fatal(err)
			}
			words := tame
			if rapid.Bool().Draw(t, "wild") {
				words = append(append([]string{}, wild...), tame...)
			}
			often := rapid.SampledFrom([]int{1, 3, 30}).Draw(t, "one in")
			forge(reflect.ValueOf(r).Elem(), func(old string) string {
				// tokens are held against claims
				if strings.HasPrefix(old, "v2:") || rapid.IntRange(1, often).Draw(t, "which") > 1 {
					return old
				}
				word := rapid.SampledFrom(words).Draw(t, "word")
				if rapid.Bool().Draw(t, "kept") {
					return old + word
				}
				return word
			})
			r.Include(nil) // the digest is that of the claims
			name := "r" + strings.NewReplacer("/", "", "\x00",
				"").Replace(rapid.SampledFrom(append(wild, "plain", "\xff")).Draw(t, "name"))
			path := filepath.Join(dir, name)
			var text bytes.Buffer
			if err := r.WriteJSON(&text); err != nil {
				return // a word that has no form in JSON
			}
			if err := os.WriteFile(path, text.Bytes(), 0o666); err != nil {
				t.Fatal(err)
			}
			if _, err := reports.Read(path); err != nil {
				refused++
			} else {
				read++
			}
			for _, args := range [][]string{{"check", path}, {"check", "-v", path},
				{"diff", whole, path},
				{"diff", path, whole},
				{"diff", "-markdown", whole, path}, {"diff", "-json", whole, path},
				{"merge", "-partial", "-out", dir + "/m", path},
				{"errata", "-out", dir + "/e", path},
				{"errata", "-style", "corrigendum", "-out", dir + "/c", path},
				{"explain", "-report", path, "*"}, {"baseline", "-out", dir + "/b.json", path},
				{"replay", path},
				{"check", name}, {name}, {"list", name}, {"explain", name},
				{"replay", "v2:" + name}, {name, "-fail-on", name}} {
				var out, errs bytes.Buffer
				code := Main(t.Context(), toy(oddities), args, &out, &errs)
				if code == Internal {
					t.Fatalf("%q: %s", args, &errs)
				}
				inspect(t, strings.Join(args, " "), out.String())
				inspect(t, strings.Join(args, " "), errs.String())
				if strings.Contains(errs.String(), "forged") {
					named++
				}
				if n := strings.Count(errs.String(), "\n"); n > 1 && len(errs.String()) > 0 {
					t.Fatalf("%q complains in %d lines: %q", args, n, &errs)
				}
				if len(args) == 4 && args[1] == "-markdown" && markup.MatchString(out.String()) {
					t.Fatalf("%q: %s", args, &out)
				}
			}
			for _, page := range []string{"e/errata.md", "c/errata.md", "m/report.md"} {
				b, err := os.ReadFile(filepath.Join(dir, page))
				if err != nil {
					continue
				}
				pagesRead++
				if b = regexp.MustCompile(`(?m)^ {4}.*$`).ReplaceAll(b, nil); markup.Match(b) {
					// without lines of code
					t.Fatalf("%s: %q is mark-up in %s", page, markup.Find(b), b)
				}
			}
			pages, _ := filepath.Glob(filepath.Join(dir, "m", "*.html"))
			for _, page := range pages {
				if b, err := os.ReadFile(page); err != nil ||
					regexp.MustCompile(`<(b|i)>forged`).Match(b) {
					t.Fatalf("%s: %v: a foreign tag", page, err)
				}
			}
		})
	}
	t.Logf("%d reports are read, %d refused, %d complaints name a hostile word, %d pages", read,
		refused, named, pagesRead)
	if read < 3 || refused < 3 || named < 10 || pagesRead == 0 {
		t.Error("too few of a kind")
	}
}
