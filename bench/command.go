package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
)

// quickTier is the row of the command: the main job of this tree and of another binary, on one
// thread.
var quickTier = comparison{"quick tier of the command, on one thread", "the binary of -release",
	library("tier 1"), library("tier 2"), 0, 1.05, 0}

// binary is the place of one of the two commands.
func binary(files string, k int) string { return filepath.Join(files, "command-"+strconv.Itoa(k)) }

// commands builds the command of this tree and lays the other one beside it.
func (b bench) commands(ctx context.Context, release string) error {
	path, err := filepath.Abs(release)
	if err == nil {
		path, err = exec.LookPath(path)
	}
	if err != nil {
		return fmt.Errorf("-release: %w", err)
	}
	if err := os.Symlink(path, binary(b.files, 2)); err != nil {
		return err
	}
	build := exec.CommandContext(ctx, "go", "build", "-o", binary(b.files, 1), "sledge/cmd/verify")
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("the command of this tree: %w: %s", err, out)
	}
	return nil
}

// tier runs a command as it is run when it is given nothing; a verdict that is not as expected
// takes as long as others.
func tier(a []int) (func() int, error) {
	files := os.Getenv("BENCH_FILES")
	command, report := binary(files, a[0]), filepath.Join(files, "report-"+strconv.Itoa(a[0]))
	if _, err := exec.LookPath(command); err != nil {
		return nil, err
	}
	return func() int {
		out, err := exec.Command(command, "-out", report).CombinedOutput()
		if exit := (*exec.ExitError)(nil); err != nil &&
			!(errors.As(err, &exit) && exit.ExitCode() == 1) {
			panic(fmt.Sprintf("%s: %v: %s", command, err, out))
		}
		return 1
	}, nil
}
