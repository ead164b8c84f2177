package sledge

import (
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// documents returns the pages for people, and their texts.
func documents(t *testing.T) map[string]string {
	t.Helper()
	names, err := filepath.Glob("docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{}
	for _, name := range append(names, "README.md", "CONTRIBUTING.md", "CHANGELOG.md") {
		texts[name] = file(t, name)
	}
	return texts
}

func file(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

var (
	fence   = regexp.MustCompile("(?ms)^```([a-z]*)\n(.*?)^```$")
	link    = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	heading = regexp.MustCompile(`(?m)^#+ +(.*)$`)
	notWord = regexp.MustCompile(`[^\p{L}\p{N}\- ]`)
)

// anchors lists the fragments that name the headings of a page.
func anchors(text string) []string {
	var out []string
	for _, h := range heading.FindAllStringSubmatch(fence.ReplaceAllString(text, ""), -1) {
		out = append(out, strings.ReplaceAll(notWord.ReplaceAllString(strings.ToLower(h[1]), ""),
			" ", "-"))
	}
	return out
}

// deadLinks lists the relative links of a page that lead nowhere.
func deadLinks(t *testing.T, name, text string) []string {
	var dead []string
	for _, m := range link.FindAllStringSubmatch(fence.ReplaceAllString(text, ""), -1) {
		to, err := url.Parse(m[1])
		if err != nil {
			dead = append(dead, m[1])
			continue
		}
		if to.Scheme != "" {
			continue
		}
		target := name
		if to.Path != "" {
			target = filepath.Join(filepath.Dir(name), to.Path)
		}
		if _, err := os.Stat(target); err != nil {
			dead = append(dead, m[1])
		} else if to.Fragment != "" && !slices.Contains(anchors(file(t, target)), to.Fragment) {
			dead = append(dead, m[1])
		}
	}
	return dead
}

// Relative links lead to files, and fragments to headings.
func TestLinksResolve(t *testing.T) {
	for name, text := range documents(t) {
		for _, l := range deadLinks(t, name, text) {
			t.Errorf("%s: nothing is at %s", name, l)
		}
	}
	for text, want := range map[string]int{"[a](README.md)": 0, "[a](nowhere.md)": 1,
		"[a](README.md#nowhere)":  1,
		"[a](https://pkg.go.dev)": 0, "[a](docs)[b](docz)": 1} {
		if got := deadLinks(t, "README.md", text); len(got) != want {
			t.Errorf("%q has the dead links %v", text, got)
		}
	}
	if got := anchors("# Two words, here\n"); !slices.Equal(got, []string{"two-words-here"}) {
		t.Errorf("the heading is at %q", got)
	}
}

// commands returns the calls of go in the fenced blocks of a page, without the comments behind
// them.
func commands(text string) [][]string {
	var out [][]string
	for _, block := range fence.FindAllStringSubmatch(text, -1) {
		if block[1] != "sh" {
			continue
		}
		for line := range strings.Lines(block[2]) {
			line, _, _ = strings.Cut(line, " #")
			for call := range strings.SplitSeq(line, "&&") {
				if words := strings.Fields(strings.ReplaceAll(call, "'", "")); len(words) > 1 &&
					words[0] == "go" {
					out = append(out, words)
				}
			}
		}
	}
	return out
}

// packages returns the packages that a call of go run, test or vet names, and what stands behind
// them.
func packages(call []string) (names, rest []string) {
	k := 2
	for k < len(call) && !strings.HasPrefix(call[k], ".") {
		k++
	}
	end := k
	for end < len(call) && strings.HasPrefix(call[end], ".") {
		end++
	}
	return call[min(k, end):end], call[end:]
}

// The calls of go in fenced blocks name packages that exist; those of the command have verbs and
// flags that it knows, and claims that are there.
func TestCommandsOfThePagesExist(t *testing.T) {
	if testing.Short() {
		t.Skip("the command is built, and called for each line: seconds")
	}
	t.Setenv("SHARD", "1") // of a matrix, for the pages that speak of one
	t.Setenv("SHARDS", "2")
	command := filepath.Join(t.TempDir(), "verify")
	if out, err := exec.Command("go", "build", "-o", command,
		"./cmd/verify").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	type answer struct {
		said string
		ok   bool
	}
	answers := map[string]answer{} // the pages repeat each other
	try := func(args ...string) (string, bool) {
		call := strings.Join(args, "\x00")
		a, known := answers[call]
		if !known {
			out, err := exec.Command(command, args...).CombinedOutput()
			a = answer{string(out), err == nil}
			answers[call] = a
		}
		return a.said, a.ok
	}
	help, ok := try("help")
	if !ok {
		t.Fatal(help)
	}
	_, list, _ := strings.Cut(help, "\nVERBS")
	list, _, _ = strings.Cut(list, "\nFLAGS")
	var verbs []string
	for _, m := range regexp.MustCompile(`(?m)^  (\w+)  `).FindAllStringSubmatch(list, -1) {
		verbs = append(verbs, m[1])
	}
	// wrong says what is wrong with the arguments of a call: with -h nothing is run, but flags are
	// read first.
	wrong := func(args []string) string {
		if out, ok := try(append(slices.Clone(args), "-h")...); !ok {
			return out
		}
		if args[0] == "help" {
			return ""
		}
		if args[0] == "explain" || args[0] == "mutate" {
			args = args[1:]
		} else if slices.Contains(verbs, args[0]) {
			return ""
		}
		end := slices.IndexFunc(args, func(a string) bool { return a[0] == '-' })
		if end < 0 {
			end = len(args)
		}
		if out, ok := try(append([]string{"list", "claims"}, args[:end]...)...); !ok {
			return out
		}
		return ""
	}
	seen := 0
	for name, text := range documents(t) {
		for _, call := range commands(text) {
			if !slices.Contains([]string{"run", "test", "vet"}, call[1]) {
				continue
			}
			said := strings.Join(call, " ")
			names, rest := packages(call)
			if file := call[len(call)-1]; len(names) == 0 && strings.HasSuffix(file, ".go") {
				names = []string{filepath.Dir(file)}
			}
			if len(names) == 0 {
				t.Errorf("%s: %s names no package", name, said)
			}
			for _, p := range names {
				if info, err := os.Stat(strings.TrimSuffix(p, "...")); err != nil || !info.IsDir() {
					t.Errorf("%s: %s: there is no %s", name, said, p)
				}
			}
			if slices.Equal(names, []string{"./cmd/verify"}) && len(rest) > 0 {
				seen++
				if complaint := wrong(rest); complaint != "" {
					t.Errorf("%s: %s: %s", name, said, complaint)
				}
			}
		}
	}
	if seen < 10 || len(verbs) < 10 {
		t.Errorf("%d calls of the verbs %v are shown", seen, verbs)
	}
	for _, bad := range []string{"rase -n 3", "race -nn 3", "explain no-such-claim",
		"descent-lemon", "-tier slow"} {
		if wrong(strings.Fields(bad)) == "" {
			t.Errorf("%q passes for a call of the command", bad)
		}
	}
}

// rooms is a row of the table of rooms.
var rooms = regexp.MustCompile("(?m)^\\| `([a-z]+)` \\| [^|]* \\|([^|]*)\\|$")

// What is trusted of proofs loads nothing that finds them; what finds them loads the rules of the
// checker.
func TestTheCheckerFindsNothing(t *testing.T) {
	deps := func(of string) string {
		out, err := exec.Command("go", "list", "-deps", of).Output()
		if err != nil {
			t.Fatal(err)
		}
		return string(out)
	}
	if strings.Contains(deps("./props/certificate/checker"), "sledge/props/settle") {
		t.Error("the checker loads procedures that find proofs")
	}
	if !strings.Contains(deps("./props/settle"), "sledge/props/certificate/checker\n") {
		t.Error("nothing is said of what the procedures load")
	}
}

// The table of rooms says which imports which, in an order in which no arrow runs up.
func TestArrowsRunDown(t *testing.T) {
	out, err := exec.Command("go", "list", "-f", `{{.ImportPath}}{{range .Imports}} {{.}}{{end}}`,
		"./...").Output()
	if err != nil {
		t.Fatal(err)
	}
	room := func(path string) string {
		if rest, inside := strings.CutPrefix(path, "sledge/"); inside {
			path, _, _ = strings.Cut(rest, "/")
		}
		return path
	}
	imports := map[string][]string{}
	for line := range strings.Lines(string(out)) {
		words := strings.Fields(line)
		from := room(words[0])
		if imports[from] == nil {
			imports[from] = []string{}
		}
		for _, path := range words[1:] {
			if to := room(path); to != from &&
				(path == "sledge" || strings.HasPrefix(path, "sledge/")) {
				imports[from] = append(imports[from], to)
			}
		}
	}
	var above []string
	for _, row := range rooms.FindAllStringSubmatch(file(t, "docs/architecture.md"), -1) {
		name, said := row[1], strings.Fields(strings.ReplaceAll(row[2], "`", ""))
		found, exists := imports[name]
		slices.Sort(found)
		if found = slices.Compact(found); !exists || !slices.Equal(found, said) {
			t.Errorf("%s imports %v, the page says %v", name, found, said)
		}
		for _, to := range said {
			if !slices.Contains(above, to) {
				t.Errorf("%s imports %s, which does not stand above it", name, to)
			}
		}
		above = append(above, name)
	}
	if len(above) != len(imports) {
		t.Errorf("the page has the rooms %v, there are %d", above, len(imports))
	}
}
