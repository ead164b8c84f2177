// Package verifytest tests commands made with package verify by scripts in the format of
// testscript.
package verifytest

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"sledge/reports"
	"sledge/reports/verify"
)

// Main is the TestMain of a package with scripts: in them, each app can be executed under its key.
// Apps are made when they are executed.
func Main(m *testing.M, apps map[string]func() verify.App) {
	commands := map[string]func(){}
	for name, app := range apps {
		commands[name] = func() {
			ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
			defer stop()
			os.Exit(verify.Main(ctx, app(), os.Args[1:], os.Stdout, os.Stderr))
		}
	}
	testscript.Main(m, commands)
}

// Run runs the scripts of a directory. Beside the commands of testscript they know
//
//	status N command args...   the command must exit with status N
//	[!] valid FILE             the file must be a report
//
// and the condition [root]. With the flag -update, where the test binary has it, scripts are
// rewritten. Under -short every other script is run, on the next day the others.
func Run(t *testing.T, dir string) {
	update := false
	if f := flag.Lookup("update"); f != nil {
		update = f.Value.String() == "true"
	}
	scripts, err := filepath.Glob(filepath.Join(dir, "*.txtar"))
	if err != nil || len(scripts) == 0 {
		t.Fatalf("no scripts in %s: %v", dir, err)
	}
	if testing.Short() && len(scripts) > 1 {
		today := time.Now().UTC().YearDay()
		var drawn []string
		for i, script := range scripts {
			if (i+today)%2 == 0 {
				drawn = append(drawn, script)
			}
		}
		scripts = drawn
	}
	testscript.Run(t, testscript.Params{
		Files:               scripts,
		RequireUniqueNames:  true,
		RequireExplicitExec: true,
		UpdateScripts:       update,
		Condition: func(name string) (bool, error) {
			if name != "root" {
				return false, fmt.Errorf("unknown condition %q", name)
			}
			return os.Geteuid() == 0, nil
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"status": status,
			"valid":  valid,
		},
	})
}

func status(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: status N command args...")
	}
	err := ts.Exec(args[1], args[2:]...)
	got := "0"
	if err != nil {
		code, ok := strings.CutPrefix(err.Error(), "exit status ")
		if !ok {
			ts.Fatalf("%v", err)
		}
		got = code
	}
	if got != args[0] {
		ts.Fatalf("exit status %s, want %s", got, args[0])
	}
}

func valid(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 1 {
		ts.Fatalf("usage: [!] valid FILE")
	}
	if _, err := reports.Read(ts.MkAbs(args[0])); (err != nil) != neg {
		ts.Fatalf("reading %s: %v", args[0], err)
	}
}
