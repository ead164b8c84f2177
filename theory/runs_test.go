package theory

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"sledge/algos"
	"sledge/props/keyed"
)

// model are the files on which the comparison of runs rests, in their order.
var model = []string{"vectors", "means", "minibatches", "algorithms", "rationals"}

// compile has the kernel go over a file in a folder, and returns what it prints.
func compile(dir, name string) (string, error) {
	cmd := exec.Command("coqc", "-q", "-w", "none", "-Q", ".", "Sledge", name+".v")
	cmd.Dir = dir
	said, err := cmd.CombinedOutput()
	return string(said), err
}

// scratch is a folder of all tests.
var scratch string

func TestMain(m *testing.M) {
	var err error
	if scratch, err = os.MkdirTemp("", "theory"); err != nil {
		panic(err)
	}
	code := m.Run()
	os.RemoveAll(scratch)
	os.Exit(code)
}

// compiled is a folder with the model, compiled once for all tests.
var compiled = sync.OnceValues(func() (dir string, err error) {
	dir = filepath.Join(scratch, "model")
	if err := os.Mkdir(dir, 0o777); err != nil {
		return dir, err
	}
	for _, name := range model {
		text, err := files.ReadFile(name + ".v")
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, name+".v"), text, 0o666)
		}
		if err != nil {
			return dir, err
		}
		if said, err := compile(dir, name); err != nil {
			return dir, fmt.Errorf("%s: %s", name, said)
		}
	}
	return dir, nil
})

// laid is a folder with the compiled model, and how to write another file into it.
func laid(t *testing.T) (dir string, write func(name, text string)) {
	t.Helper()
	if _, err := exec.LookPath("coqc"); err != nil {
		t.Skip("Rocq is not installed")
	}
	from, err := compiled()
	dir = filepath.Join(t.TempDir(), "model")
	if err == nil {
		err = os.CopyFS(dir, os.DirFS(from))
	}
	if err != nil {
		t.Fatal(err)
	}
	return dir, func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name+".v"), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// The definitions of the theory, evaluated over the rationals, make the runs that the methods of
// this library make.
func TestModelRuns(t *testing.T) {
	if testing.Short() {
		t.Skip("Rocq makes runs: seconds")
	}
	dir, write := laid(t)
	count := 5 // of each of four
	if os.Getenv("SLEDGE_RUNS") != "" {
		count = 50
	}
	seed := rand.Uint64()
	runs, err := Runs(seed, count)
	if err != nil {
		t.Fatal(err)
	}
	write("runs", runs)
	// every other run, from the first on, has nothing to round
	if exact, all := compared(t, dir); all != 4*count || exact < 4*((count+1)/2) {
		t.Errorf("seed %d: %d of %d runs agree to the last bit, %d were asked for", seed, exact, all,
			4*count)
	}
}

// compared has the kernel go over a file of runs, which it must accept, and returns how many there
// are, and how many of them agree to the last bit.
func compared(t *testing.T, dir string) (exact, all int) {
	t.Helper()
	said, err := compile(dir, "runs")
	if err != nil {
		t.Fatalf("the methods do not run the model: %s", said)
	}
	if _, err := fmt.Sscanf(strings.ReplaceAll(strings.TrimSpace(said), "%nat", ""),
		"= (%d, %d)", &exact,
		&all); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	t.Logf("%d of %d runs agree to the last bit, the others but for rounding", exact, all)
	return exact, all
}

// The definitions make the runs that the methods make on least squares over rows of a file: one
// that is written here, with fractions of which floating point has only some, and a1a where it is
// to be had.
func TestModelRunsOnRows(t *testing.T) {
	if testing.Short() {
		t.Skip("Rocq makes runs: tens of seconds")
	}
	small := filepath.Join(t.TempDir(), "small")
	if err := os.WriteFile(small, []byte("+1 1:0.5 4:-1.25\n-1 2:0.1 3:3\n-1 1:1 2:1\n+1 4:0.3\n"+
		"+1 1:-2 3:0.7 4:1\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	folder := os.Getenv("SLEDGE_DATA")
	for at := ".."; folder == "" && len(at) < 20; at += "/.." { // beside the tree or above it
		if dir := filepath.Join(at, "shared", "data"); exists(dir) {
			folder = dir
		}
	}
	for name, path := range map[string]string{"small": small, "a1a": filepath.Join(folder, "a1a")} {
		t.Run(name, func(t *testing.T) {
			if !exists(path) {
				t.Skip("there is no such file: set SLEDGE_DATA to the directory that holds it")
			}
			dir, write := laid(t)
			runs, err := RunsOnFile(path, rand.Uint64(), 1)
			if err != nil {
				t.Fatal(err)
			}
			write("runs", runs)
			if _, all := compared(t, dir); all != 4 {
				t.Errorf("%d runs were compared, 4 were asked for", all)
			}
			// a label that is one more is another problem
			wrong := label.ReplaceAllString(runs, "], (7 # 1))")
			if wrong == runs {
				t.Fatal("no label was found")
			}
			write("runs", wrong)
			if said, err := compile(dir, "runs"); err == nil || !strings.Contains(said, "true") {
				t.Errorf("accepted with other labels, or refused for another reason: %s", said)
			}
		})
	}
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// label is that of a row.
var label = regexp.MustCompile(`\], \(-?1 # 1\)\)`)

// What is no table of two rows has no runs.
func TestRunsOnFileRefuses(t *testing.T) {
	one := filepath.Join(t.TempDir(), "one")
	if err := os.WriteFile(one, []byte("+1 1:1\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{one: "2 of them", one + "absent": "no such file"} {
		if _, err := RunsOnFile(path, 1, 1); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", path, err, want)
		}
	}
}

// A run of which one number is one more is refused.
func TestChangedRunIsRefused(t *testing.T) {
	if testing.Short() {
		t.Skip("Rocq compiles the model and a run: seconds")
	}
	dir, write := laid(t)
	runs, err := Runs(rand.Uint64(), 1)
	if err != nil {
		t.Fatal(err)
	}
	numbers := regexp.MustCompile(`\((-?\d+) # (\d+)\)`).FindAllStringSubmatchIndex(runs, -1)
	at := numbers[len(numbers)-1-rand.IntN(3)] // the last are what a program reached
	num, _ := new(big.Int).SetString(runs[at[2]:at[3]], 10)
	den, _ := new(big.Int).SetString(runs[at[4]:at[5]], 10)
	// one more, which no rounding hides
	write("runs", runs[:at[2]]+num.Add(num, den).String()+runs[at[3]:])
	if said, err := compile(dir, "runs"); err == nil || !strings.Contains(said, "true") {
		t.Errorf("accepted, or refused for another reason: %s", said)
	}
}

// drawn is how many slips a test tries, of the many that there are: all of them where SLEDGE_SLIPS
// is set.
func drawn(all int) int {
	if os.Getenv("SLEDGE_SLIPS") != "" {
		return all
	}
	return min(all, 1)
}

// A law with one slip has other means than the program under all of its choices, and is refused.
func TestSlipsInTheLawAreNoticed(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles the law again for every slip")
	}
	dir, write := laid(t)
	w := &writer{}
	if err := w.sledge(keyed.New(rand.Uint64()), algos.OptionII, true); err != nil {
		// the file lists runs as well
		t.Fatal(err)
	}
	for k := range 12 {
		for _, option := range []algos.Option{algos.OptionI, algos.OptionII} {
			if err := w.means(keyed.New(rand.Uint64()).At(k), option); err != nil {
				t.Fatal(err)
			}
		}
	}
	write("law", w.file())
	if said, err := compile(dir, "law"); err != nil {
		t.Fatalf("without a slip: %s", said)
	}
	text, err := files.ReadFile("rationals.v")
	if err != nil {
		t.Fatal(err)
	}
	lawSlips := [][2]string{
		{"q_average full (subsets n b)", "q_average full (tl (subsets n b))"},
		{"q_bind (q_index P)", "q_bind (q_index 1)"},
		{"q_history (q_uniform (data i) b) K", "q_history (q_uniform 1 1) K"},
		{"q_bind (q_uniform P p) (fun I =>", "q_bind (q_sure full) (fun I =>"},
		{"q_bind (q_fresh P data (K * b)) (fun J =>\n  q_sure",
			"q_bind (q_sure (fun _ => members [0%nat])) (fun J =>\n  q_sure"},
		{"q_bind m (fun o => q_sure (o :: past))", "q_sure (past)"},
		{"Z.of_nat (length l)", "Z.of_nat (S (length l))"},
	}
	for _, k := range rand.Perm(len(lawSlips))[:drawn(len(lawSlips))] {
		slip := lawSlips[k]
		wrong := strings.Replace(string(text), slip[0], slip[1], 1)
		if wrong == string(text) {
			t.Errorf("there is no %q", slip[0])
			continue
		}
		write("rationals", wrong)
		if said, err := compile(dir, "rationals"); err != nil {
			t.Errorf("%s: %s", slip[1], said)
		} else if said, err := compile(dir, "law"); err == nil ||
			!strings.Contains(said, "true") {
			t.Errorf("%s: accepted, or refused for another reason: %s", slip[1], said)
		}
	}
}

// A model with one slip makes other runs than the methods, and is refused.
func TestSlipsInTheModelAreNoticed(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles the model again for every slip")
	}
	dir, write := laid(t)
	runs, err := Runs(rand.Uint64(), 6)
	if err != nil {
		t.Fatal(err)
	}
	write("runs", runs)
	text, err := files.ReadFile("algorithms.v")
	if err != nil {
		t.Fatal(err)
	}
	names, slipped := mutants(string(text))
	most, tried := drawn(len(names)), 0
	for _, k := range rand.Perm(len(names)) {
		if tried == most {
			break
		}
		write("algorithms", slipped[k])
		if _, err := compile(dir, "algorithms"); err != nil {
			continue // it does not even have a type
		}
		if _, err := compile(dir, "rationals"); err != nil {
			continue
		}
		tried++
		if said, err := compile(dir, "runs"); err == nil {
			t.Errorf("%s: nothing notices", names[k])
		} else if !strings.Contains(said, "true") {
			t.Errorf("%s: refused for another reason: %s", names[k], said)
		}
	}
	t.Logf("%d of %d slips were tried", tried, len(names))
	if tried < most {
		t.Errorf("only %d slips have a type", tried)
	}
}

// slips are single changes of a definition: what stands first becomes what stands second.
var slips = [][2]string{{"sub (", "add ("}, {"add (", "sub ("}, {"over b", "over n"},
	{"over n", "over b"},
	{"over p", "over P"}, {"over P", "over p"}, {"(K * b)", "b"},
	{"if I i then", "if negb (I i) then"},
	{"grad i x'", "grad i (fst s)"}, {"grad j x')", "grad j (point s))"},
	{"vsum_in n I", "vsum_in b I"},
	{"add v (snd s)", "v"}, {"noise past", "noise (tl past)"},
	{"fun _ => mean", "fun i => grad i x0"}}

// lawful is where the laws of the choices begin, of which runs with given choices say nothing, and
// last is the last definition that a run needs: proofs follow.
const (
	lawful = "\n(* A minibatch of k of its data"
	last   = "\nDefinition members"
)

// mutants are the definitions with one slip each, wherever one fits outside comments, without the
// proofs.
func mutants(text string) (names, out []string) {
	after := strings.Index(text, last) + 1
	text = text[:after+strings.Index(text[after:], "\n")+1]
	bare := regexp.MustCompile(`(?s)\(\*.*?\*\)`).ReplaceAllStringFunc(text, func(c string) string {
		return strings.Repeat(" ", len(c))
	})
	for _, slip := range slips {
		for at := 0; ; at++ {
			k := strings.Index(bare[at:], slip[0])
			if k < 0 || at+k > strings.Index(text, lawful) {
				break
			}
			at += k
			line := 1 + strings.Count(text[:at], "\n")
			names = append(names, fmt.Sprintf("line %d: %s becomes %s", line, slip[0], slip[1]))
			out = append(out, text[:at]+slip[1]+text[at+len(slip[0]):])
		}
	}
	return names, out
}
