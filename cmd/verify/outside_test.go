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

// A module of its own that names a clone of this repository makes a command with its own ledger, whose method enters
// the verbs about methods; see testdata/outside.
func TestCommandOutsideTheRepository(t *testing.T) {
	command := build(t, "testdata/outside")
	for _, c := range []struct {
		args string
		exit int
		want []string // patterns of lines
	}{
		{"-out report", 0, []string{`^Every verdict is as expected. 3 claims: 1 refuted, 1 consistent, 1 supported.$`}},
		{"replay report", 0, []string{`bit for bit$`}},
		{"explain snapshot-lasts", 0, []string{`^uses +snapshot-survives$`}},
		{"list methods", 0, []string{`^L-SVRG +finite sum .* L$`, `^SLEDGE-II +finite sum`}},
		{"race -n 60 -d 3 -gradients 1200 -seeds 1 -eta 0.1,0.5", 0, []string{`^ +L-SVRG +0\.`, `^ +SLEDGE-II +0\.`}},
		{"race -n 60 -d 3 -gradients 1200 -seeds 1 -eta 0.1,0.5 -methods GD,l-svrg*", 0,
			[]string{`^ +L-SVRG\* .*Kovalev et al\. 2020`}},
		{"race -methods L-SVGR", 2, []string{`^outside: -methods: there is no method "L-SVGR"; is it L-SVRG\?$`}},
		{"conformance L-SVRG", 0, []string{`^L-SVRG +0 `}},
		{"conformance -faults l-svrg", 1,
			[]string{`^L-SVRG +[1-9]`, `^survives: L-SVRG with coins that fall low$`}}, // it is unbiased anyhow
		{"figures", 4, []string{`^outside: nothing matches "figures"`}},
		{"-h", 0, []string{`^  Checks the claims about L-SVRG\.$`, `^  outside race `}},
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

// build compiles the files of a directory as a module that has nothing but this repository and what that requires,
// without a network.
func build(t *testing.T, source string) (command string) {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module outside\n\n" + requirements(t, root) + "\nrequire sledge v0.0.0\n\nreplace sledge => " + root +
			"\n",
		"go.sum": read(t, filepath.Join(root, "go.sum")),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.CopyFS(dir, os.DirFS(source)); err != nil {
		t.Fatal(err)
	}
	command = filepath.Join(dir, "outside")
	compile := exec.Command("go", "build", "-o", command, ".")
	compile.Dir = dir
	compile.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off", "GOWORK=off")
	if out, err := compile.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return command
}

// requirements are the lines of the repository's go.mod after its name.
func requirements(t *testing.T, root string) string {
	_, rest, found := strings.Cut(read(t, filepath.Join(root, "go.mod")), "\n")
	if !found {
		t.Fatal("go.mod has one line")
	}
	return rest
}

func read(t *testing.T, path string) string {
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
