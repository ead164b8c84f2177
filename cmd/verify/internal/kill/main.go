// Kill makes the matrix of which claim notices which planted mistake.
//
// It finds mistakes that could be planted in the sources of methods, oracles, problems, formulas,
// checks (weakened ones too), the language of statements, engine, certificates and reports, and in
// the formal lines and domains of the ledger; draws some of each class by a seed, puts each behind
// a switch in a copy of the sources that only the compiler sees (go build -overlay; the checkout is
// not touched), compiles the command once, and runs it with one switch after the other on claims
// that come by the place of the mistake. What no claim notices is left to the tests of the package.
//
//	go run ./cmd/verify/internal/kill -seed 7 -each 20   # draw 20 of each class, and tell
//	… -seed 7 -each 20 -write testdata/planted.json      # and add them to the matrix
//	… -idle 3 -each 0 -write testdata/planted.json       # for claims that notice nothing yet
//	… -silent 40 -seed 9 -write testdata/planted.json    # 40 that nothing has noticed, asked of more
//	… -again 40 -seed 9 -matrix testdata/planted.json    # 40 of the matrix once more
//	… -table                                             # the matrix by class
//	… -suite -each 40 -files saga.go                     # the conformance suite alone
//
// A cell of the matrix is a claim that notices a mistake at each of three seeds: what a claim
// notices by luck is left out. With -again it fails if a claim no longer notices a mistake that it
// noticed: a cell has turned silent. It fails as well if a quarter of the mistakes stand nowhere in
// the sources any more, so that the matrix does not wither as they change.
package main

import (
	"cmp"
	_ "embed"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"sledge"
	"sledge/props"
	"sledge/props/parallel"
	"sledge/reports"
	"sledge/reports/store"
	"sledge/reports/verify"
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
	each, again, claims, workers, idle int
	silent                             int
	seed                               uint64
	budget, cheap                      float64
	limit                              time.Duration
	matrix, write, class               string
	list, table, suite                 bool
	files                              string
	least                              float64
}

func run(args []string, w io.Writer) error {
	var o options
	f := flag.NewFlagSet("kill", flag.ContinueOnError)
	f.IntVar(&o.each, "each", 10, "mistakes to draw of each class")
	f.IntVar(&o.again, "again", 0,
		"try so many mistakes of the matrix again, in the place of new ones")
	f.IntVar(&o.silent, "silent", 0,
		"ask about so many mistakes of the matrix that neither claims nor tests notice, in the place of new ones")
	f.IntVar(&o.claims, "claims", 12, "claims that are asked about a mistake, at most")
	f.Float64Var(&o.budget, "budget", 3, "seconds that these may take, by what they usually cost")
	f.Float64Var(&o.cheap, "cheap", 0,
		"ask only claims that usually cost at most so many `seconds`; 0 for all")
	f.Uint64Var(&o.seed, "seed", 1, "seed of the draw")
	f.IntVar(&o.workers, "j", 2, "processes at a time")
	f.DurationVar(&o.limit, "timeout", time.Minute, "longest run of a process")
	f.StringVar(&o.matrix, "matrix", "testdata/planted.json",
		"`file` of the matrix that is tried again")
	f.StringVar(&o.write, "write", "",
		"add what is found to the matrix in `file`; with -again, keep what is noticed at every seed alone")
	f.StringVar(&o.class, "class", "", "draw mistakes of these comma-separated `classes` alone")
	f.BoolVar(&o.list, "list", false, "list the drawn mistakes and stop")
	f.IntVar(&o.idle, "idle", 0,
		"draw so many mistakes, at most, in the entry or the binding of each claim that notices "+
			"nothing of the matrix, besides -each of every class")
	f.BoolVar(&o.suite, "suite", false,
		"ask the conformance suite alone, about -each mistakes in methods")
	f.StringVar(&o.files, "files", "",
		"draw mistakes of these comma-separated `files` alone, without their directories")
	f.Float64Var(&o.least, "least", 0,
		"with -suite, fail if a smaller share is noticed, beyond the luck of the draw")
	f.BoolVar(&o.table, "table", false, "print the matrix by class and stop")
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
	if o.again > 0 || o.silent > 0 || o.idle > 0 || o.table || o.write != "" {
		text, err := os.ReadFile(cmp.Or(o.write, o.matrix))
		if err != nil && (o.write == "" || !errors.Is(err, os.ErrNotExist)) {
			return err
		}
		if err == nil {
			if known, err = props.ReadPlanted(text); err != nil {
				return err
			}
		}
	}
	if o.table {
		table(w, all, known)
		return nil
	}
	gone := vanished(all, known)
	if files := strings.Split(o.files, ","); o.files != "" {
		all = slices.DeleteFunc(all, func(m *mistake) bool {
			return !slices.Contains(files, filepath.Base(m.file))
		})
	}
	for class := range strings.SplitSeq(o.class, ",") {
		if o.class != "" && !slices.Contains(classes, class) {
			return fmt.Errorf("there is no class %q; the classes are %s", class,
				strings.Join(classes, ", "))
		}
	}
	if o.suite {
		all = ofSuite(all)
	}
	r := rand.New(rand.NewPCG(o.seed, 0))
	idle, _ := known.Lacking(props.Must(sledge.Claims()))
	chosen := draw(all, &o, r, known, idle)
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
	b := &bench{dir: dir, work: work, o: &o,
		count: verify.Counter(os.Stderr, "kill", "", "mistakes")} // from the compiler on
	if chosen, err = b.build(chosen, sources); err != nil {
		return err
	}
	if o.suite {
		return b.suite(w, chosen, len(all))
	}
	if o.again > 0 {
		return b.again(w, chosen, known, gone)
	}
	return b.fresh(w, chosen, len(all), r, known)
}

// draw chooses the mistakes to plant.
func draw(all []*mistake, o *options, r *rand.Rand, known props.Planted, idle []string) []*mistake {
	left := slices.Clone(all)
	r.Shuffle(len(left), func(i, j int) { left[i], left[j] = left[j], left[i] })
	noticed, tested := map[string]bool{}, map[string]bool{}
	for _, m := range known.Mistakes {
		noticed[m.Mistake], tested[m.Mistake] = len(m.Noticed) > 0, len(m.Tests) > 0
	}
	count, own := map[string]int{}, map[string]int{}
	var out []*mistake
	for _, m := range left {
		switch was, kept := noticed[m.key()]; {
		case o.class != "" && !slices.Contains(strings.Split(o.class, ","), m.class):
			continue
		case o.again > 0:
			if !was || len(out) == o.again {
				continue
			}
		case o.silent > 0:
			if !kept || was || tested[m.key()] || len(out) == o.silent {
				continue
			}
		case kept:
			continue
		case o.idle > 0 && m.claim != "":
			if own[m.claim] == o.idle || !slices.Contains(idle, m.claim) {
				continue
			}
			own[m.claim]++
			out = append(out, m)
			continue
		case count[m.class] == o.each:
			continue
		}
		count[m.class]++
		out = append(out, m)
	}
	return out
}

// fresh tries mistakes that are not in the matrix, or that nothing in it notices.
func (b *bench) fresh(w io.Writer, chosen []*mistake, of int, r *rand.Rand,
	known props.Planted) error {
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
	noticed, refused := make([][]string, len(chosen)), make([]bool, len(chosen))
	b.each(len(chosen), func(i int) {
		if len(ways[i]) > 0 {
			var err error
			noticed[i], err = b.always(i+1, ways[i])
			refused[i] = err != nil
		}
	})
	var silent []int
	for i := range chosen {
		if len(noticed[i]) == 0 && !refused[i] {
			silent = append(silent, i)
		}
	}
	tests, err := b.tested(chosen, silent)
	if err != nil {
		return err
	}
	var added props.Planted
	for i, m := range chosen {
		if refused[i] { // no ledger: it does not compile, so to speak
			continue
		}
		if len(noticed[i])+len(tests[i]) == 0 {
			fmt.Fprintf(w, "silent:    %-8s %s:%d %s: %s (%s)\n", m.class, m.file, m.line,
				m.function, m.what, strings.Join(ways[i], " "))
		}
		for j := range known.Mistakes {
			if old := &known.Mistakes[j]; old.Mistake == m.key() { // asked before, of others
				ways[i] = append(ways[i], old.Tried...)
				known.Mistakes = slices.Delete(known.Mistakes, j, j+1)
				break
			}
		}
		slices.Sort(ways[i])
		ways[i] = slices.Compact(ways[i])
		slices.Sort(noticed[i])
		slices.Sort(tests[i])
		added.Mistakes = append(added.Mistakes,
			props.Mistake{Mistake: m.key(), Class: m.class, Tried: ways[i],
				Noticed: noticed[i], Tests: tests[i]})
	}
	table(w, chosen, added)
	known.Mistakes = append(known.Mistakes, added.Mistakes...)
	fmt.Fprintf(w, "of %d that could be planted\n", of)
	if len(amiss) > 0 {
		fmt.Fprintf(w, "not as expected without a mistake, and not asked: %s\n",
			strings.Join(amiss, " "))
	}
	return b.keep(w, known)
}

// keep tells how many claims notice nothing, and writes the matrix if it is to be written.
func (b *bench) keep(w io.Writer, known props.Planted) error {
	idle, never := known.Lacking(props.Must(sledge.Claims()))
	fmt.Fprintf(w, "%d claims notice nothing of what was planted; %d of them were never asked\n",
		len(idle), len(never))
	if b.o.write == "" {
		return nil
	}
	known.Mistakes = slices.DeleteFunc(known.Mistakes, // those of which nobody was asked
		func(m props.Mistake) bool { return len(m.Tried) == 0 })
	return save(b.o.write, known)
}

// table prints, by class and by the kind of what weakens a check, how many mistakes were planted,
// and who noticed them: claims at every seed, or else the tests of the package; and how many of the
// silent ones no claim comes by.
func table(w io.Writer, all []*mistake, known props.Planted) {
	kind := map[string]string{}
	for _, m := range all {
		kind[m.key()] = m.kind
	}
	tally := map[string]*[5]int{}
	add := func(name string, m *props.Mistake) {
		if tally[name] == nil {
			tally[name] = &[5]int{}
		}
		t := tally[name]
		t[0]++
		switch {
		case len(m.Noticed) > 0:
			t[1]++
		case len(m.Tests) > 0:
			t[2]++
		default:
			t[3]++
			if len(m.Tried) == 0 {
				t[4]++
			}
		}
	}
	kinds := []string{fewerSizes, moreAllowed, wider, notCompared, narrowPremise, lessEffort,
		looser, coarser}
	for i := range known.Mistakes {
		m := &known.Mistakes[i]
		add(m.Class, m)
		if k := kind[m.Mistake]; k != "" {
			add("  "+k, m)
		}
	}
	fmt.Fprintf(w, "%-44s  planted  verify  tests  silent  reached by no claim\n", "class")
	print := func(name string) {
		if t := tally[name]; t != nil {
			fmt.Fprintf(w, "%-44s  %7d  %6d  %5d  %6d  %19d\n", name, t[0], t[1], t[2], t[3], t[4])
		}
	}
	for _, class := range classes {
		print(class)
		if class == "weakened" {
			for _, k := range kinds {
				print("  " + k)
			}
		}
	}
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

// candidates says which claims are asked about each mistake: those in whose binding it stands, and
// of those that come by it the ones that come by the fewest others, and cheap ones by the draw.
func (b *bench) candidates(trace string, chosen []*mistake, claims []props.Claim,
	cost map[string]float64, amiss []string, r *rand.Rand) ([][]string, error) {
	reached, err := readTrace(trace)
	if err != nil {
		return nil, err
	}
	out := make([][]string, len(chosen))
	for i, m := range chosen {
		var ids []string
		for _, c := range claims {
			if reached.by(i+1, m, &c) && !slices.Contains(amiss, c.ID) {
				ids = append(ids, c.ID)
			}
		}
		r.Shuffle(len(ids), func(i, j int) { ids[i], ids[j] = ids[j], ids[i] })
		rank := map[string]int{}
		for k, id := range ids {
			rank[id] = reached.many[id]
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
			if s := max(cost[id], 0.01); len(out[i]) < b.o.claims &&
				(spent+s <= b.o.budget || len(out[i]) == 0) {
				out[i] = append(out[i], id)
				spent += s
			}
		}
	}
	return out, nil
}

// each tries mistakes, as many at a time as there are processes, and tells how far it is.
func (b *bench) each(n int, try func(i int)) {
	var tried atomic.Int64
	parallel.Each(b.o.workers, n, func(i int) {
		try(i)
		b.count(int(tried.Add(1)), n)
	})
}

// again tries mistakes of the matrix with the claims that noticed them.
func (b *bench) again(w io.Writer, chosen []*mistake, known props.Planted, gone []string) error {
	by := map[string]*props.Mistake{}
	for i := range known.Mistakes {
		by[known.Mistakes[i].Mistake] = &known.Mistakes[i]
	}
	noticed := make([][]string, len(chosen))
	b.each(len(chosen), func(i int) {
		ids, err := by[chosen[i].key()].Noticed, error(nil)
		if b.o.write != "" {
			noticed[i], err = b.always(i+1, ids)
		} else {
			noticed[i], err = b.check(i+1, 0, ids)
		}
		// what makes the command fail, or the ledger none, nobody can miss
		if errors.Is(err, errFailed) || errors.Is(err, errRefused) {
			noticed[i] = ids
		}
	})
	silent := 0
	for i, m := range chosen {
		for _, id := range by[m.key()].Noticed {
			if !slices.Contains(noticed[i], id) {
				silent++
				fmt.Fprintf(w, "%s no longer notices %s:%d %s: %s\n", id, m.file, m.line,
					m.function, m.what)
			}
		}
	}
	fmt.Fprintf(w,
		"%d mistakes of the matrix planted again; %d of their cells have turned silent\n",
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
	fmt.Fprintf(w, "%d of %d mistakes of the matrix stand nowhere in the sources any more\n",
		len(gone), len(known.Mistakes))
	for _, key := range gone {
		fmt.Fprintln(w, " ", key)
	}
	switch {
	case silent > 0:
		return errors.New("checks notice less than they did")
	case 4*len(gone) > len(known.Mistakes):
		return errors.New(
			"the matrix is about other sources: draw new mistakes with -each and -write")
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
