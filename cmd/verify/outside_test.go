package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// A module of its own that names a clone of this repository makes a command with its own ledger,
// whose method enters the verbs about methods; see examples/lsvrg.
func TestCommandOutsideTheRepository(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a command of another module: seconds")
	}
	command := build(t, "../../examples/lsvrg")
	for _, c := range []struct {
		args string
		exit int
		want []string // patterns of lines
	}{
		{"-out report", 0,
			[]string{`^Every verdict is as expected. 6 claims: 1 refuted, 5 consistent.$`}},
		{"replay report", 0, []string{`bit for bit$`}},
		{"explain contraction", 0, []string{`^uses +descent, variance, recursion, step-size$`}},
		{"errata report", 0, []string{`^report/errata.tex$`}},
		{"conjecture E‖v−∇f‖²≤c·L²·moved -method l-svrg", 0, []string{`^in the mean: not decided`}},
		{"list methods", 0, []string{`^L-SVRG +finite sum .* L$`, `^SLEDGE-II +finite sum`}},
		{"race -n 60 -d 3 -gradients 1200 -seeds 1 -eta 0.1,0.5", 0,
			[]string{`^ +L-SVRG +0\.`, `^ +SLEDGE-II +0\.`}},
		{"race -n 60 -d 3 -gradients 1200 -seeds 1 -eta 0.1,0.5 -methods GD,l-svrg*", 0,
			[]string{`^ +L-SVRG\* .*Kovalev et al\. 2020`}},
		{"race -methods L-SVGR", 2, []string{
			`^lsvrg: -methods: there is no method "L-SVGR"; is it L-SVRG\?$`}},
		{"conformance L-SVRG", 0, []string{`^L-SVRG +0 `}},
		{"conformance -faults l-svrg", 1,
			// it is unbiased anyhow
			[]string{`^L-SVRG +[1-9]`, `^survives: L-SVRG with coins that fall low$`}},
		{"figures", 4, []string{`^lsvrg: nothing matches "figures"`}},
		{"-h", 0, []string{`^  Checks the claims about L-SVRG\.$`, `^  lsvrg race `}},
	} {
		t.Run(c.args, func(t *testing.T) {
			run := exec.Command(command, strings.Fields(c.args)...)
			run.Dir = filepath.Dir(command)
			out, err := run.CombinedOutput()
			code := 0
			if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
				code = exit.ExitCode()
			} else if err != nil {
				t.Fatal(err)
			}
			if code != c.exit {
				t.Errorf("exit status %d, want %d\n%s", code, c.exit, out)
			}
			for _, p := range c.want {
				if !regexp.MustCompile("(?m)" + p).Match(out) {
					t.Errorf("no line matches %s\n%s", p, out)
				}
			}
		})
	}
}

// build compiles a copy of a module that needs nothing but this repository and what that requires,
// without a network.
func build(t *testing.T, source string) (command string) {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(source)); err != nil {
		t.Fatal(err)
	}
	module := strings.Replace(read(t, filepath.Join(dir, "go.mod")), "=> ../..", "=> "+root, 1)
	for name, text := range map[string]string{"go.mod": module,
		"go.sum": read(t, filepath.Join(root, "go.sum"))} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	command = filepath.Join(dir, "lsvrg")
	compile := exec.Command("go", "build", "-o", command, ".")
	compile.Dir = dir
	compile.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off", "GOWORK=off")
	if out, err := compile.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return command
}

func read(t *testing.T, path string) string {
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
