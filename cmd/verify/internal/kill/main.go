// Kill makes the matrix of which claim notices which planted mistake.
//
// It finds mistakes that could be planted in the sources of methods, oracles, problems, formulas, checks (weakened ones
// too), engine and reports, draws some of each class by a seed, puts each behind a switch in a copy of the sources
// that only the compiler sees (go build -overlay; the checkout is not touched), compiles the command once, and runs it
// with one switch after the other on claims that come by the place of the mistake.
//
//	go run ./cmd/verify/internal/kill -seed 7 -each 20                           # draw 20 of each class, and tell
//	go run ./cmd/verify/internal/kill -seed 7 -each 20 -write testdata/planted.json  # and add them to the matrix
//	go run ./cmd/verify/internal/kill -again 40 -seed 9 -matrix testdata/planted.json # 40 of the matrix once more
//
// A cell of the matrix is a claim that notices a mistake at each of three seeds: what a claim notices by luck is left
// out. With -again it fails if a claim no longer notices a mistake that it noticed: a cell has turned silent. It
// fails as well if a quarter of the mistakes stand nowhere in the sources any more, so that the matrix does not
// wither as they change.
package main

import (
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"sledge"
	"sledge/props"
	"sledge/reports"
	"sledge/reports/store"
)

//go:embed planted.go.txt
var switches string

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "kill:", err)
		os.Exit(1)
	}
}

// options of a call.
type options struct {
	each, again, claims, workers int
	seed                         uint64
	budget, cheap                float64
	limit                        time.Duration
	matrix, write, class         string
	list, bound                  bool
}

func run(args []string, w io.Writer) error {
	var o options
	f := flag.NewFlagSet("kill", flag.ContinueOnError)
	f.IntVar(&o.each, "each", 10, "mistakes to draw of each class")
	f.IntVar(&o.again, "again", 0, "try so many mistakes of the matrix again, in the place of new ones")
	f.IntVar(&o.claims, "claims", 12, "claims that are asked about a mistake, at most")
	f.Float64Var(&o.budget, "budget", 3, "seconds that these may take, by what they usually cost")
	f.Float64Var(&o.cheap, "cheap", 0, "ask only claims that usually cost at most so many `seconds`; 0 for all")
	f.Uint64Var(&o.seed, "seed", 1, "seed of the draw")
	f.IntVar(&o.workers, "j", 2, "processes at a time")
	f.DurationVar(&o.limit, "timeout", time.Minute, "longest run of a process")
	f.StringVar(&o.matrix, "matrix", "testdata/planted.json", "`file` of the matrix that is tried again")
	f.StringVar(&o.write, "write", "",
		"add what is found to the matrix in `file`; with -again, keep what is noticed at every seed alone")
	f.StringVar(&o.class, "class", "", "draw mistakes of this `class` alone")
	f.BoolVar(&o.list, "list", false, "list the drawn mistakes and stop")
	f.BoolVar(&o.bound, "bound", false, "draw a mistake in the binding of every claim, as far as there is one")
	if err := f.Parse(args); err != nil {
		return err
	}
	root, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}").Output()
	if err != nil {
		return fmt.Errorf("finding the module: %w", err)
	}
	dir := strings.TrimSpace(string(root))
	all, sources, err := survey(dir)
	if err != nil {
		return err
	}
	var known props.Planted
	if o.again > 0 || o.write != "" {
		text, err := os.ReadFile(cmp.Or(o.write, o.matrix))
		if err != nil && (o.again > 0 || !errors.Is(err, os.ErrNotExist)) {
			return err
		}
		if err == nil {
			if known, err = props.ReadPlanted(text); err != nil {
				return err
			}
		}
	}
	if o.class != "" && !slices.Contains(classes, o.class) {
		return fmt.Errorf("there is no class %q; the classes are %s", o.class, strings.Join(classes, ", "))
	}
	r := rand.New(rand.NewPCG(o.seed, 0))
	chosen := draw(all, &o, r, known)
	if len(chosen) == 0 {
		return errors.New("there are no such mistakes")
	}
	if o.list {
		for _, m := range chosen {
			fmt.Fprintf(w, "%-8s %s:%d %s: %s\n", m.class, m.file, m.line, m.function, m.what)
		}
		return nil
	}
	work, err := os.MkdirTemp("", "kill")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	b := &bench{dir: dir, work: work, o: &o}
	if chosen, err = b.build(chosen, sources); err != nil {
		return err
	}
	if o.again > 0 {
		return b.again(w, chosen, known, vanished(all, known))
	}
	return b.fresh(w, chosen, len(all), r, known)
}

// draw chooses the mistakes to plant.
func draw(all []*mistake, o *options, r *rand.Rand, known props.Planted) []*mistake {
	left := slices.Clone(all)
	r.Shuffle(len(left), func(i, j int) { left[i], left[j] = left[j], left[i] })
	noticed := map[string]bool{}
	for _, m := range known.Mistakes {
		noticed[m.Mistake] = len(m.Noticed) > 0
	}
	count, bound := map[string]int{}, map[string]bool{}
	var out []*mistake
	for _, m := range left {
		switch was, kept := noticed[m.key()]; {
		case o.class != "" && m.class != o.class:
			continue
		case o.again > 0:
			if !was || len(out) == o.again {
				continue
			}
		case kept:
			continue
		case o.bound:
			if m.claim == "" || bound[m.claim] {
				continue
			}
			bound[m.claim] = true
		case count[m.class] == o.each:
			continue
		}
		count[m.class]++
		out = append(out, m)
	}
	return out
}

// bench runs the instrumented command.
type bench struct {
	dir, work, binary string
	o                 *options
}

// build compiles the command with the mistakes behind switches. A mistake that does not compile is left out.
func (b *bench) build(chosen []*mistake, sources map[string]*source) ([]*mistake, error) {
	b.binary = filepath.Join(b.work, "verify")
	complaint := regexp.MustCompile(`(?m)^([^:\s]*\.go):(\d+):`)
	for range 6 {
		replace := map[string]string{}
		put := func(path, text string) error {
			file := filepath.Join(b.work, strings.ReplaceAll(path, "/", "_"))
			replace[filepath.Join(b.dir, path)] = file
			return os.WriteFile(file, []byte(text), 0o666)
		}
		for path, text := range rewrite(chosen, sources) {
			if err := put(path, text); err != nil {
				return nil, err
			}
		}
		if err := put("planted/planted.go", switches); err != nil {
			return nil, err
		}
		overlay, err := json.Marshal(map[string]any{"Replace": replace})
		if err != nil {
			return nil, err
		}
		file := filepath.Join(b.work, "overlay.json")
		if err := os.WriteFile(file, overlay, 0o666); err != nil {
			return nil, err
		}
		cmd := exec.Command("go", "build", "-overlay", file, "-o", b.binary, "-gcflags=-e", "./cmd/verify")
		cmd.Dir = b.dir
		out, err := cmd.CombinedOutput()
		if err == nil {
			return chosen, nil
		}
		before := len(chosen)
		for _, at := range complaint.FindAllStringSubmatch(string(out), -1) {
			line, _ := strconv.Atoi(at[2])
			chosen = slices.DeleteFunc(chosen, func(m *mistake) bool {
				return filepath.Base(at[1]) == strings.ReplaceAll(m.file, "/", "_") && line >= m.line &&
					line <= m.line+3
			})
		}
		if len(chosen) == before {
			return nil, fmt.Errorf("compiling the mistakes: %w\n%s", err, out)
		}
	}
	return nil, errors.New("the mistakes do not compile")
}

// seeds at which a claim must notice a mistake to be written down.
const seeds = 3

// always returns which of the claims notice a mistake at every seed.
func (b *bench) always(k int, ids []string) []string {
	for seed := 0; seed < seeds && len(ids) > 0; seed++ {
		ids, _ = b.check(k, seed, ids)
	}
	return ids
}

// check runs claims with a mistake, 0 for none. It returns which of them notice it: all that are asked, if the command
// fails as a whole.
func (b *bench) check(k, seed int, ids []string, env ...string) ([]string, error) {
	out := filepath.Join(b.work, fmt.Sprint("run-", k))
	defer os.RemoveAll(out)
	ctx, cancel := context.WithTimeout(context.Background(), b.o.limit)
	if k == 0 {
		ctx, cancel = context.WithCancel(context.Background())
	}
	defer cancel()
	cmd := exec.CommandContext(ctx, b.binary, append(slices.Clone(ids), "-seed", fmt.Sprint(seed), "-j", "1",
		"-out", out)...)
	cmd.Env = append(append(os.Environ(), fmt.Sprint("SLEDGE_PLANTED=", k), "GOMEMLIMIT=2GiB"), env...)
	said, err := cmd.CombinedOutput()
	report, wrong := reports.Read(out)
	if wrong != nil {
		if k == 0 {
			return nil, fmt.Errorf("without a mistake: %v\n%s", err, said)
		}
		return ids, nil
	}
	return report.Summary.Unexpected, nil
}

// fresh tries mistakes that are not in the matrix.
func (b *bench) fresh(w io.Writer, chosen []*mistake, of int, r *rand.Rand, known props.Planted) error {
	claims, cost, err := b.asked()
	if err != nil {
		return err
	}
	ids := make([]string, len(claims))
	for i := range claims {
		ids[i] = claims[i].ID
	}
	trace := filepath.Join(b.work, "reached")
	amiss, err := b.check(0, 0, ids, "SLEDGE_REACHED="+trace)
	if err != nil {
		return err
	}
	ways, err := b.candidates(trace, chosen, claims, cost, amiss, r)
	if err != nil {
		return err
	}
	noticed := make([][]string, len(chosen))
	b.each(len(chosen), func(i int) {
		if len(ways[i]) > 0 {
			noticed[i] = b.always(i+1, ways[i])
		}
	})
	tally := map[string][3]int{}
	for i, m := range chosen {
		t := tally[m.class]
		t[0]++
		switch {
		case len(ways[i]) == 0:
			t[2]++
		case len(noticed[i]) > 0:
			t[1]++
		default:
			fmt.Fprintf(w, "silent:    %-8s %s:%d %s: %s (%s)\n", m.class, m.file, m.line, m.function, m.what,
				strings.Join(ways[i], " "))
		}
		tally[m.class] = t
		if len(ways[i]) == 0 {
			continue
		}
		slices.Sort(ways[i])
		slices.Sort(noticed[i])
		known.Mistakes = append(known.Mistakes, props.Mistake{Mistake: m.key(), Class: m.class, Tried: ways[i],
			Noticed: noticed[i]})
	}
	fmt.Fprintln(w, "class     planted  noticed  reached by no claim")
	for _, class := range classes {
		if t := tally[class]; t[0] > 0 {
			fmt.Fprintf(w, "%-8s  %7d  %7d  %7d\n", class, t[0], t[1], t[2])
		}
	}
	fmt.Fprintf(w, "of %d that could be planted\n", of)
	if len(amiss) > 0 {
		fmt.Fprintf(w, "not as expected without a mistake, and not asked: %s\n", strings.Join(amiss, " "))
	}
	idle, never := known.Idle(props.Must(sledge.Claims()))
	fmt.Fprintf(w, "%d claims notice nothing of what was planted; %d were never asked\n", len(idle), len(never))
	if b.o.write == "" {
		return nil
	}
	return save(b.o.write, known)
}

func save(path string, known props.Planted) error {
	return store.Write(path, func(w io.Writer) error { return props.WritePlanted(w, known) })
}

// asked returns the claims that are asked, and what each usually costs, in seconds.
func (b *bench) asked() ([]props.Claim, map[string]float64, error) {
	costs, err := sledge.Costs(props.Quick)
	if err != nil {
		return nil, nil, err
	}
	read, err := reports.ReadCosts(strings.NewReader(string(costs)))
	if err != nil {
		return nil, nil, err
	}
	cost := map[string]float64{}
	for i := range read {
		cost[read[i].Claim] = read[i].Total()
	}
	claims := slices.DeleteFunc(props.Must(sledge.Claims()), func(c props.Claim) bool {
		return b.o.cheap > 0 && cost[c.ID] > b.o.cheap
	})
	return claims, cost, nil
}

// candidates says which claims are asked about each mistake: those in whose binding it stands, and of those that come
// by it the ones that come by the fewest others, and cheap ones by the draw.
func (b *bench) candidates(trace string, chosen []*mistake, claims []props.Claim,
	cost map[string]float64, amiss []string, r *rand.Rand) ([][]string, error) {
	text, err := os.ReadFile(trace)
	if err != nil {
		return nil, err
	}
	start, reach := map[int]bool{}, map[string][]int{} // by the number of a mistake
	at := map[int]map[string]bool{}
	for line := range strings.Lines(string(text)) {
		f := strings.Fields(line)
		if f[0] == "after" { // between two claims
			continue
		}
		for _, s := range f[1:] {
			k, _ := strconv.Atoi(s)
			if f[0] == "-" {
				start[k] = true
				continue
			}
			if at[k] == nil {
				at[k] = map[string]bool{}
			}
			if !at[k][f[0]] {
				at[k][f[0]] = true
				reach[f[0]] = append(reach[f[0]], k)
			}
		}
	}
	out := make([][]string, len(chosen))
	for i, m := range chosen {
		var ids []string
		for _, c := range claims {
			file, _, _ := strings.Cut(strings.TrimPrefix(c.At, "sledge/"), ":")
			if at[i+1][c.ID] || c.ID == m.claim || m.claim == "" && start[i+1] && len(at[i+1]) == 0 && file == m.file {
				if !slices.Contains(amiss, c.ID) {
					ids = append(ids, c.ID)
				}
			}
		}
		r.Shuffle(len(ids), func(i, j int) { ids[i], ids[j] = ids[j], ids[i] })
		rank := map[string]int{}
		for k, id := range ids {
			rank[id] = len(reach[id])
			if k < len(ids)/4 {
				rank[id] = 0 // a quarter is left to the draw
			}
			if id == m.claim {
				rank[id] = -1
			}
		}
		slices.SortStableFunc(ids, func(a, b string) int { return rank[a] - rank[b] })
		spent := 0.0
		for _, id := range ids {
			if s := max(cost[id], 0.01); len(out[i]) < b.o.claims && (spent+s <= b.o.budget || len(out[i]) == 0) {
				out[i] = append(out[i], id)
				spent += s
			}
		}
	}
	return out, nil
}

// again tries mistakes of the matrix with the claims that noticed them.
func (b *bench) again(w io.Writer, chosen []*mistake, known props.Planted, gone []string) error {
	by := map[string]*props.Mistake{}
	for i := range known.Mistakes {
		by[known.Mistakes[i].Mistake] = &known.Mistakes[i]
	}
	noticed := make([][]string, len(chosen))
	b.each(len(chosen), func(i int) {
		if ids := by[chosen[i].key()].Noticed; b.o.write != "" {
			noticed[i] = b.always(i+1, ids)
		} else {
			noticed[i], _ = b.check(i+1, 0, ids)
		}
	})
	silent := 0
	for i, m := range chosen {
		for _, id := range by[m.key()].Noticed {
			if !slices.Contains(noticed[i], id) {
				silent++
				fmt.Fprintf(w, "%s no longer notices %s:%d %s: %s\n", id, m.file, m.line, m.function, m.what)
			}
		}
	}
	fmt.Fprintf(w, "%d mistakes of the matrix planted again; %d of their cells have turned silent\n",
		len(chosen), silent)
	if b.o.write != "" {
		for i, m := range chosen {
			slices.Sort(noticed[i])
			by[m.key()].Noticed = noticed[i]
		}
		known.Mistakes = slices.DeleteFunc(known.Mistakes,
			func(m props.Mistake) bool { return slices.Contains(gone, m.Mistake) })
		return save(b.o.write, known)
	}
	fmt.Fprintf(w, "%d of %d mistakes of the matrix stand nowhere in the sources any more\n", len(gone),
		len(known.Mistakes))
	switch {
	case silent > 0:
		return errors.New("checks notice less than they did")
	case 4*len(gone) > len(known.Mistakes):
		return errors.New("the matrix is about other sources: draw new mistakes with -each and -write")
	}
	return nil
}

// vanished returns the mistakes of the matrix that can no longer be planted.
func vanished(all []*mistake, known props.Planted) (gone []string) {
	stands := map[string]bool{}
	for _, m := range all {
		stands[m.key()] = true
	}
	for _, m := range known.Mistakes {
		if !stands[m.Mistake] {
			gone = append(gone, m.Mistake)
		}
	}
	return gone
}

// each calls f for 0, …, n−1 from several goroutines.
func (b *bench) each(n int, f func(i int)) {
	var wait sync.WaitGroup
	next := make(chan int)
	for range b.o.workers {
		wait.Go(func() {
			for i := range next {
				f(i)
			}
		})
	}
	for i := range n {
		next <- i
	}
	close(next)
	wait.Wait()
}
