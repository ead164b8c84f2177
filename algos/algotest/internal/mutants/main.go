// Mutants measures how many small defects put into the methods of package algos the conformance
// suite notices by itself.
//
// It rewrites the source of the methods so that every mutation point is behind a switch, compiles
// the tests of algotest once with it (by go test -overlay; the checkout is not touched), and runs
// the catalogue's conformance tests once for each mutant, on the variants of the methods that the
// mutated file is about. A mutant is killed if the test fails, panics or does not end in time. What
// survives is printed; mutants that change no law of a trajectory are listed with the reason in
// equivalent.txt and are not counted.
//
//	go run ./algos/algotest/internal/mutants               # 40 mutants drawn by a seed
//	go run ./algos/algotest/internal/mutants -sample 0     # all of them, a quarter of an hour
//	go run ./algos/algotest/internal/mutants -files saga.go -sample 0
//
// It fails when the share of killed mutants is below -least.
package main

import (
	"context"
	_ "embed"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"sledge/algos"
)

// about says which methods of the catalogue a file of package algos is about: those whose entry
// stands in it, and those that are made of its parts. An empty list stands for all.
var about = func() map[string]string {
	const searching = "SPIDER-SFO+,SPIDER-SFO+ (finite-sum Neon2)"
	out := map[string]string{"neon2.go": searching, "spider.go": searching,
		"svrg.go": "Stabilized SVRG", "state.go": "", "federatedstate.go": "", "vec.go": ""}
	for _, e := range algos.Catalogue() {
		made := runtime.FuncForPC(reflect.ValueOf(e.New).Pointer())
		at, _ := made.FileLine(made.Entry())
		file := filepath.Base(at)
		if out[file] != "" {
			out[file] += ","
		}
		out[file] += e.Name
	}
	return out
}()

//go:embed equivalent.txt
var equivalentText string

// equivalents reads lines "file function: mutation: reason"; the mutation is the text that the tool
// prints.
func equivalents() map[string]bool {
	out := map[string]bool{}
	for line := range strings.Lines(equivalentText) {
		if key, _, ok := strings.Cut(strings.TrimSpace(line), "\t"); ok {
			out[key] = true
		}
	}
	return out
}

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "mutants:", err)
		os.Exit(1)
	}
}

func run(args []string, w io.Writer) error {
	f := flag.NewFlagSet("mutants", flag.ContinueOnError)
	sample := f.Int("sample", 40, "number of mutants to draw; 0 for all")
	seed := f.Uint64("seed", 1, "seed of the draw")
	files := f.String("files", "", "comma-separated files of package algos; all methods if empty")
	least := f.Float64("least", 0.95, "share of mutants that must be killed")
	workers := f.Int("j", 2, "tests at a time")
	limit := f.Duration("timeout", 30*time.Second, "longest run of a test")
	list := f.Bool("list", false, "list the mutants and stop")
	if err := f.Parse(args); err != nil {
		return err
	}
	root, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}").Output()
	if err != nil {
		return fmt.Errorf("finding the module: %w", err)
	}
	dir := strings.TrimSpace(string(root))
	mutants, sources, err := plant(dir)
	if err != nil {
		return err
	}
	same := equivalents()
	chosen := slices.DeleteFunc(slices.Clone(mutants), func(m mutant) bool {
		return *files != "" && !slices.Contains(strings.Split(*files, ","), m.file) || same[m.key()]
	})
	if *sample > 0 && *sample < len(chosen) {
		r := rand.New(rand.NewPCG(*seed, 0))
		r.Shuffle(len(chosen), func(i, j int) { chosen[i], chosen[j] = chosen[j], chosen[i] })
		chosen = chosen[:*sample]
		slices.SortFunc(chosen, func(a, b mutant) int { return a.id - b.id })
	}
	if *list {
		for _, m := range chosen {
			fmt.Fprintln(w, m)
		}
		return nil
	}
	if len(chosen) == 0 {
		return fmt.Errorf("no mutants in %q", *files)
	}
	work, err := os.MkdirTemp("", "mutants")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	binary, err := build(dir, work, sources)
	if err != nil {
		return err
	}
	t := tester{binary: binary, dir: filepath.Join(dir, "algos", "algotest"), limit: *limit}
	if killed, out := t.kills(0, ""); killed {
		return fmt.Errorf("the suite fails without a mutant:\n%s", out)
	}
	var wait sync.WaitGroup
	next, survived := make(chan mutant), make([]bool, len(mutants)+1)
	for range *workers {
		wait.Go(func() {
			for m := range next {
				killed, _ := t.kills(m.id, about[m.file])
				survived[m.id] = !killed
			}
		})
	}
	for _, m := range chosen {
		next <- m
	}
	close(next)
	wait.Wait()
	left := 0
	for _, m := range chosen {
		if survived[m.id] {
			left++
			fmt.Fprintln(w, "survives:", m)
		}
	}
	share := 1 - float64(left)/float64(len(chosen))
	fmt.Fprintf(w,
		"%d of %d mutants killed (%.1f %%); %d mutants in all, %d of them known to change no law\n",
		len(chosen)-left, len(chosen), 100*share, len(mutants), len(same))
	if share < *least {
		return fmt.Errorf("a share of %.3f killed is below %.3f", share, *least)
	}
	return nil
}

// build compiles the tests of algotest with the rewritten sources.
func build(dir, work string, sources map[string]string) (string, error) {
	replace := map[string]string{}
	for name, text := range sources {
		path := filepath.Join(work, filepath.Base(name))
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			return "", err
		}
		replace[filepath.Join(dir, "algos", name)] = path
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	file, binary := filepath.Join(work, "overlay.json"), filepath.Join(work, "algotest.test")
	if err := os.WriteFile(file, overlay, 0o666); err != nil {
		return "", err
	}
	cmd := exec.Command("go", "test", "-c", "-vet=off", "-overlay", file, "-o", binary,
		"./algos/algotest")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("compiling the mutants: %w\n%s", err, out)
	}
	return binary, nil
}

type tester struct {
	binary, dir string
	limit       time.Duration
}

// kills runs the conformance test with the mutant, 0 for none, on the variants of the methods.
func (t tester) kills(id int, methods string) (bool, []byte) {
	ctx, cancel := context.WithTimeout(context.Background(), t.limit)
	if id == 0 {
		ctx, cancel = context.WithTimeout(context.Background(), 20*t.limit)
	}
	defer cancel()
	cmd := exec.CommandContext(ctx, t.binary, "-test.run=^Test(Catalogue|CurvatureSearch)Conforms$",
		"-test.failfast", "-variants="+methods)
	cmd.Dir = t.dir
	cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%d", variable, id), "GOMAXPROCS=1",
		"GOMEMLIMIT=1GiB")
	out, err := cmd.CombinedOutput()
	return err != nil, out
}
