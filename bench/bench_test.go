package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"
)

// small are sizes at which every workload is prepared in no time, and that both sides understand.
var small = map[string]string{
	"saga": "saga 40 5", "saga-sparse": "saga-sparse", "libsvm": "libsvm",
	"sledge": "sledge 60 7 4", "sledge-scalars": "sledge-scalars 60 7 4",
	"fledge": "fledge 6 2 9 5 3 2", "rows": "rows 30 5 4", "sums": "sums 30 7 3",
	"hypergeometric": "hypergeometric 60 20 10 5", "certified": "certified 60 20 10 5",
	"network": "network 12 9 5 3", "network-step": "network-step 12 9 5 3",
	"network-step-joint": "network-step-joint 12 9 5 3", "tier": "tier 1",
}

func TestQuartiles(t *testing.T) {
	r := result{Ratios: []float64{1, 2, 3, 4, 9}}
	if a, b, c := r.Quartile(1), r.Quartile(2), r.Quartile(3); a != 2 || b != 3 || c != 4 {
		t.Errorf("quartiles of 1, 2, 3, 4, 9: %g, %g, %g", a, b, c)
	}
	if got := quantile([]float64{1, 2}, 0.25); got != 1.25 {
		t.Errorf("a quarter from 1 to 2 is %g", got)
	}
}

func TestMet(t *testing.T) {
	ratios := []float64{2, 2, 2, 2, 2}
	for _, c := range []struct {
		comparison
		want bool
	}{
		{comparison{Least: 1.8}, true}, {comparison{Least: 2.1}, false},
		{comparison{Most: 2.1}, true},
		{comparison{Most: 1.9}, false}, {comparison{}, true},
		{comparison{Within: time.Second}, true},
		{comparison{Within: time.Millisecond}, false},
	} {
		if got := (result{comparison: c.comparison, Ratios: ratios,
			Ours: 0.5}).Met(); got != c.want {
			t.Errorf("%+v at twice: met is %v", c.comparison, got)
		}
	}
}

func TestAnswer(t *testing.T) {
	if got, err := perUnit("0.5 10\n"); err != nil || got != 0.05 {
		t.Errorf("half a second for ten units: %g, %v", got, err)
	}
	for _, bad := range []string{"", "\n", "1", "x 3", "1 0", "0 5", "NaN 5", "1 2 3", "-1 4"} {
		if got, err := perUnit(bad); err == nil {
			t.Errorf("%q is taken for %g", bad, got)
		}
	}
}

// Every row of the table can be made by our side, and answers in the form that the other end reads.
func TestWorkloads(t *testing.T) {
	folder := t.TempDir()
	t.Setenv("BENCH_FILES", folder)
	if err := writeRows(folder); err != nil {
		t.Fatal(err)
	}
	// a command that finds something unexpected after a while
	const command = "#!/bin/sh\ni=0; while [ $i -lt 20000 ]; do i=$((i+1)); done; exit 1\n"
	if err := os.WriteFile(binary(folder, 1), []byte(command), 0o777); err != nil {
		t.Fatal(err)
	}
	for name := range workloads {
		var out bytes.Buffer
		if err := serve(strings.Fields(small[name]), strings.NewReader("0.001\n0.001\n"),
			&out); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		lines := strings.SplitAfter(out.String(), "\n")
		if len(lines) != 4 || lines[0] != "ready\n" {
			t.Errorf("%s answers %q", name, out.String())
			continue
		}
		for _, line := range lines[1:3] {
			if _, err := perUnit(line); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	for _, c := range append(slices.Clone(comparisons), quickTier) {
		if _, ok := workloads[strings.Fields(c.Ours.what)[0]]; !ok {
			t.Errorf("%s: there is no workload %q", c.Title, c.Ours.what)
		}
	}
	for _, bad := range []string{"", "saga x", "saga 0", "nonsense 1", "tier 2"} {
		if err := serve(strings.Fields(bad), strings.NewReader(""), new(bytes.Buffer)); err == nil {
			t.Errorf("the workload %q is taken", bad)
		}
	}
}

// The peers answer too, where they can be had.
func TestPeers(t *testing.T) {
	if testing.Short() {
		t.Skip("Python loads what is timed: seconds")
	}
	folder := t.TempDir()
	if err := writeRows(folder); err != nil {
		t.Fatal(err)
	}
	b := bench{files: folder, turns: 5, least: time.Millisecond}
	for _, b.python = range []string{"/usr/bin/python3", "python3"} {
		var err error
		if b.versions, err = b.peerVersions(context.Background()); err == nil {
			break
		}
	}
	if b.versions == "" {
		t.Skip("numpy, scipy and scikit-learn are not installed here")
	}
	tried := map[string]bool{}
	for _, c := range comparisons {
		name := strings.Fields(c.Peer.what)[0]
		if !c.Peer.python || tried[name] {
			continue
		}
		tried[name] = true
		s, err := b.start(context.Background(), work{small[name], true})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if took, err := s.turn(time.Millisecond); err != nil || !(took > 0) {
			t.Errorf("%s took %g s: %v", name, took, err)
		}
		s.stop()
	}
	out, err := exec.Command(b.python, "-c",
		"import sys; sys.path.insert(0, '"+folder+"'); "+agree).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
}

// agree holds the two tables of SLEDGE in numpy against each other: the same draws lead to the same
// point.
const agree = `
import numpy as np, peers
def point(scalars):
    peers.rng = np.random.default_rng(5)
    step = peers.sledge(60, 7, 4, scalars)
    return [step() for _ in range(200)][-1]
a, b = point(False), point(True)
assert np.abs(a).max() > 1e-3 and np.abs(a - b).max() < 1e-9 * np.abs(a).max(), (a, b)
`

func TestPage(t *testing.T) {
	b := bench{versions: "numpy 9", turns: 7, least: time.Second}
	text, err := render(b, []result{
		{comparison: comparison{Title: "first", Against: "peer", Least: 2}, Ours: 1.5e-6,
			Theirs: 0.25, Ratios: []float64{1, 1, 1}},
		{comparison: comparison{Title: "second", Against: "us", Most: 2}, Ours: 1, Theirs: 2e-9,
			Ratios: []float64{1, 1.5, 2}},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"numpy 9", "7 turns of at least 1s",
		"| first | peer | 1.5 µs | 250 ms | 1× | 1.00–1.00 | ≥ 2× | missed |",
		"| second | us | 1 s | 2 ns | 1.5 times | 1.25–1.75 | ≤ 2 times | met |"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("no %q in the page:\n%s", want, text)
		}
	}
}

func TestFlags(t *testing.T) {
	for args, want := range map[string]string{
		"-turns 2": "at least 5", "-turn 0s": "must be positive", "sledge": "-only",
		"-child": "no workload", "-release nowhere -only quick": "-release: ",
	} {
		err := run(context.Background(), strings.Fields(args), new(bytes.Buffer))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", args, err, want)
		}
	}
}

// The time of a row of the command is that of the command, not of the process that waits for it.
func TestTheTimeOfACommandCounts(t *testing.T) {
	if testing.Short() {
		t.Skip("loops of the shell are timed: seconds")
	}
	folder := t.TempDir()
	t.Setenv("BENCH_FILES", folder)
	for k, loops := range []int{20000, 2000000} {
		text := fmt.Sprintf("#!/bin/sh\ni=0; while [ $i -lt %d ]; do i=$((i+1)); done\n", loops)
		if err := os.WriteFile(binary(folder, k+1), []byte(text), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	var took [2]float64
	for k := range took {
		turn, err := tier([]int{k + 1})
		if err != nil {
			t.Fatal(err)
		}
		start := processTime()
		turn()
		took[k] = processTime() - start
	}
	if took[1] < 3*took[0] {
		t.Errorf("a hundred times as many loops take %v s, not %v", took[1], took[0])
	}
}
