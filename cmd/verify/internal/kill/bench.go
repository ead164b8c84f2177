package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"sledge/props/parallel"
	"sledge/reports"
)

// bench runs the instrumented command.
type bench struct {
	dir, work, binary, overlay string
	o                          *options
	count                      func(done, total int)
}

// build compiles the command with the mistakes behind switches. A mistake that does not compile is
// left out.
func (b *bench) build(chosen []*mistake, sources map[string]*source) ([]*mistake, error) {
	b.binary = filepath.Join(b.work, "verify")
	complaint := regexp.MustCompile(`(?m)^([^:\s]*\.go):(\d+):`)
	for range 6 {
		if err := b.overlaid(chosen, sources); err != nil {
			return nil, err
		}
		cmd := exec.Command("go", "build", "-overlay", b.overlay, "-o", b.binary, "-gcflags=-e",
			"./cmd/verify")
		cmd.Dir = b.dir
		out, err := cmd.CombinedOutput()
		if err == nil {
			return chosen, nil
		}
		before := len(chosen)
		for _, at := range complaint.FindAllStringSubmatch(string(out), -1) {
			line, _ := strconv.Atoi(at[2])
			chosen = slices.DeleteFunc(chosen, func(m *mistake) bool {
				return filepath.Base(at[1]) == strings.ReplaceAll(m.file, "/", "_") &&
					line >= m.line &&
					line <= m.line+3
			})
		}
		if len(chosen) == before {
			return nil, fmt.Errorf("compiling the mistakes: %w\n%s", err, out)
		}
	}
	return nil, errors.New("the mistakes do not compile")
}

// overlaid writes the sources with the mistakes, and which file stands in the place of which.
func (b *bench) overlaid(chosen []*mistake, sources map[string]*source) error {
	replace := map[string]string{}
	put := func(path, text string) error {
		file := filepath.Join(b.work, strings.ReplaceAll(path, "/", "_"))
		replace[filepath.Join(b.dir, path)] = file
		return os.WriteFile(file, []byte(text), 0o666)
	}
	texts := rewrite(chosen, sources)
	texts["planted/planted.go"] = switches + slipped(chosen)
	for path, text := range texts {
		if err := put(path, text); err != nil {
			return err
		}
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return err
	}
	b.overlay = filepath.Join(b.work, "overlay.json")
	return os.WriteFile(b.overlay, overlay, 0o666)
}

// seeds at which a claim must notice a mistake to be written down.
const seeds = 3

// always returns which of the claims notice a mistake at every seed; an error if it is refused.
func (b *bench) always(k int, ids []string) ([]string, error) {
	for seed := 0; seed < seeds && len(ids) > 0; seed++ {
		found, err := b.check(k, seed, ids)
		switch {
		case errors.Is(err, errFailed): // all of them
		case err != nil:
			return nil, err
		default:
			ids = found
		}
	}
	return ids, nil
}

var (
	errRefused = errors.New("with the mistake the ledger is none")
	errFailed  = errors.New("with the mistake the command fails as a whole")
)

// run starts a program in a directory with a mistake, and ends it when it takes too long; 0 is none,
// and takes what it takes.
func (b *bench) run(program, dir string, k int, env []string, args ...string) ([]byte, error) {
	ctx, cancel := context.WithCancel(context.Background())
	if k > 0 {
		ctx, cancel = context.WithTimeout(ctx, b.o.limit)
	}
	defer cancel()
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir = dir
	cmd.Env = append(append(os.Environ(), fmt.Sprint("SLEDGE_PLANTED=", k), "GOMEMLIMIT=2GiB"),
		env...)
	return cmd.CombinedOutput()
}

// check runs claims with a mistake, 0 for none. It returns which of them are not as expected: of
// those that are named, since a command that is given one claim runs its other forms too.
func (b *bench) check(k, seed int, ids []string, env ...string) ([]string, error) {
	out, err := os.MkdirTemp(b.work, "run")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(out)
	said, err := b.run(b.binary, "", k, env,
		append(slices.Clone(ids), "-seed", fmt.Sprint(seed), "-j", "1", "-out", out)...)
	report, wrong := reports.Read(out)
	switch {
	case wrong == nil:
		return slices.DeleteFunc(report.Summary.Unexpected, func(id string) bool {
			return len(ids) > 0 && !slices.Contains(ids, id)
		}), nil
	case k == 0:
		return nil, fmt.Errorf("without a mistake: %v\n%s", err, said)
	case strings.Contains(string(said), ".ledger:"):
		return nil, fmt.Errorf("%w: %s", errRefused, said)
	}
	return nil, fmt.Errorf("%w: %s", errFailed, said)
}

// tests are those of a package, compiled with the mistakes behind switches: they report whether
// they pass with one of them. Without one they must. What hangs does not pass.
func (b *bench) tests(pkg string, usual ...string) (func(k int, args ...string) bool, error) {
	binary := filepath.Join(b.work, strings.ReplaceAll(pkg, "/", "_")+".test")
	cmd := exec.Command("go", "test", "-c", "-vet=off", "-overlay", b.overlay, "-o", binary,
		"./"+pkg)
	cmd.Dir = b.dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("compiling the tests of %s: %w\n%s", pkg, err, out)
	}
	pass := func(k int, args ...string) ([]byte, error) {
		return b.run(binary, filepath.Join(b.dir, pkg), k, []string{"GOMAXPROCS=1"},
			slices.Concat([]string{"-test.failfast"}, usual, args)...)
	}
	if out, err := pass(0); err != nil {
		return nil, fmt.Errorf("the tests of %s fail without a mistake: %w\n%s", pkg, err, out)
	}
	return func(k int, args ...string) bool {
		_, err := pass(k, args...)
		return err == nil
	}, nil
}

// tested returns the packages whose tests fail with each of some mistakes: those of the package in
// which it stands, and of the conformance suite for methods and oracles.
func (b *bench) tested(chosen []*mistake, silent []int) (map[int][]string, error) {
	by := map[string][]int{}
	for _, i := range silent {
		dir := filepath.Dir(chosen[i].file)
		if strings.HasSuffix(chosen[i].file, ".ledger") {
			continue
		}
		by[dir] = append(by[dir], i)
		if dir == "algos" {
			by["algos/algotest"] = append(by["algos/algotest"], i)
		}
	}
	out := map[int][]string{}
	var mu sync.Mutex
	for pkg, list := range by {
		if found, _ := filepath.Glob(filepath.Join(b.dir, pkg, "*_test.go")); len(found) == 0 {
			continue
		}
		pass, err := b.tests(pkg, "-test.short")
		if err != nil {
			return nil, err
		}
		parallel.Each(b.o.workers, len(list), func(j int) {
			if !pass(list[j] + 1) {
				mu.Lock()
				defer mu.Unlock()
				out[list[j]] = append(out[list[j]], pkg)
			}
		})
	}
	return out, nil
}
