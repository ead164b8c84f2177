package main

import (
	"bufio"
	"bytes"
	"context"
	_ "embed"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

//go:embed peers.py
var peers []byte

// alone is the environment of a side: one thread, numbers formatted alike, and an allocator that
// keeps the memory of numpy's temporaries, without which page faults and not arithmetic would be
// measured.
var alone = []string{"GOMAXPROCS=1", "OMP_NUM_THREADS=1", "OPENBLAS_NUM_THREADS=1", "LC_ALL=C",
	"MALLOC_TRIM_THRESHOLD_=10000000000", "MALLOC_MMAP_THRESHOLD_=1000000000",
	"MALLOC_TOP_PAD_=200000000"}

// bench is how comparisons are made.
type bench struct {
	files    string // folder of the files that both sides read
	python   string
	versions string // of the peers, "" if there are none
	turns    int
	least    time.Duration // CPU time of a turn
	log      io.Writer
}

// result is a comparison with its numbers.
type result struct {
	comparison
	Ours, Theirs float64   // median CPU seconds for a unit of work
	Ratios       []float64 // theirs by ours, one for each pair of turns, ascending
}

// Quartile returns the quartile q (1, 2 or 3) of the ratios.
func (r result) Quartile(q int) float64 { return quantile(r.Ratios, float64(q)/4) }

// Met says whether the median ratio reaches the aim; true without an aim.
func (r result) Met() bool {
	switch m := r.Quartile(2); {
	case r.Least > 0:
		return m >= r.Least
	case r.Most > 0:
		return m <= r.Most
	case r.Within > 0:
		return r.Ours <= r.Within.Seconds()
	}
	return true
}

// String is the row as text.
func (r result) String() string {
	mark := ""
	if r.Aim() != "" && !r.Met() {
		mark = "  (missed)"
	}
	return fmt.Sprintf("%-58s %-28s %8s %6.2f to %.2f  %s%s", r.Title, r.Against, r.Ratio(),
		r.Quartile(1), r.Quartile(3),
		r.Aim(), mark)
}

// quantile interpolates linearly between ascending numbers.
func quantile(sorted []float64, q float64) float64 {
	at := q * float64(len(sorted)-1)
	k := min(int(at), len(sorted)-2)
	return sorted[k] + (at-float64(k))*(sorted[k+1]-sorted[k])
}

// side is a process that does one kind of work when told.
type side struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader
	errors bytes.Buffer
}

// command returns the process of one side, not started.
func (b bench) command(ctx context.Context, w work) (*exec.Cmd, error) {
	var cmd *exec.Cmd
	if w.python {
		script := filepath.Join(b.files, "peers.py")
		if err := os.WriteFile(script, peers, 0o666); err != nil {
			return nil, err
		}
		cmd = exec.CommandContext(ctx, b.python,
			append([]string{script}, strings.Fields(w.what)...)...)
	} else {
		self, err := os.Executable()
		if err != nil {
			return nil, err
		}
		cmd = exec.CommandContext(ctx, self,
			append([]string{"-child"}, strings.Fields(w.what)...)...)
	}
	untuned := slices.DeleteFunc(os.Environ(),
		func(v string) bool { return strings.HasPrefix(v, "OPENBLAS_") })
	cmd.Env = append(append(untuned, alone...), "BENCH_FILES="+b.files)
	return cmd, nil
}

// peerVersions returns the versions of the peers, or why they cannot be had.
func (b bench) peerVersions(ctx context.Context) (string, error) {
	cmd, err := b.command(ctx, work{"versions", true})
	if err != nil {
		return "", err
	}
	out, err := cmd.CombinedOutput()
	text := strings.TrimSpace(string(out))
	if err != nil {
		return "", fmt.Errorf("%s: %w: %s", b.python, err,
			text[strings.LastIndexByte(text, '\n')+1:])
	}
	return text, nil
}

func (b bench) start(ctx context.Context, w work) (*side, error) {
	cmd, err := b.command(ctx, w)
	if err != nil {
		return nil, err
	}
	s := &side{cmd: cmd}
	cmd.Stderr = &s.errors
	if s.in, err = cmd.StdinPipe(); err != nil {
		return nil, err
	}
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	s.out = bufio.NewReader(pipe)
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	line, err := s.out.ReadString('\n')
	if err == nil && line != "ready\n" {
		err = fmt.Errorf("it says %q", line)
	}
	if err != nil {
		s.stop()
		return nil, fmt.Errorf("%s did not get ready: %w: %s", w.what, err, s.errors.String())
	}
	return s, nil
}

// turn lets the side work for at least so much CPU time and returns seconds for a unit of work.
func (s *side) turn(least time.Duration) (float64, error) {
	if _, err := fmt.Fprintln(s.in, least.Seconds()); err != nil {
		return 0, err
	}
	line, err := s.out.ReadString('\n')
	if err != nil {
		return 0, fmt.Errorf("%w: %s", err, s.errors.String())
	}
	return perUnit(line)
}

// perUnit reads the answer of a side, seconds and units, and divides.
func perUnit(line string) (float64, error) {
	seconds, units, ok := strings.Cut(strings.TrimSpace(line), " ")
	a, err1 := strconv.ParseFloat(seconds, 64)
	u, err2 := strconv.ParseFloat(units, 64)
	if !ok || err1 != nil || err2 != nil || !(a > 0) || !(u > 0) {
		return 0, fmt.Errorf("the answer %q is not a time and a number of units", line)
	}
	return a / u, nil
}

func (s *side) stop() {
	s.in.Close()
	s.cmd.Wait()
}

// measure lets both sides take turns.
func (b bench) measure(ctx context.Context, c comparison) (result, error) {
	r := result{comparison: c}
	ours, err := b.start(ctx, c.Ours)
	if err != nil {
		return r, err
	}
	defer ours.stop()
	theirs, err := b.start(ctx, c.Peer)
	if err != nil {
		return r, err
	}
	defer theirs.stop()
	var mine, other []float64
	for range b.turns {
		m, err := ours.turn(b.least)
		if err != nil {
			return r, err
		}
		o, err := theirs.turn(b.least)
		if err != nil {
			return r, err
		}
		mine, other = append(mine, m), append(other, o)
		if c.Most > 0 {
			r.Ratios = append(r.Ratios, m/o)
		} else {
			r.Ratios = append(r.Ratios, o/m)
		}
	}
	slices.Sort(mine)
	slices.Sort(other)
	slices.Sort(r.Ratios)
	r.Ours, r.Theirs = quantile(mine, 0.5), quantile(other, 0.5)
	return r, nil
}

// serve is one side: it prepares the work, says so, and takes a turn for every line.
func serve(args []string, in io.Reader, out io.Writer) error {
	turn, err := prepare(args)
	if err != nil {
		return err
	}
	turn()
	fmt.Fprintln(out, "ready")
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		least, err := strconv.ParseFloat(lines.Text(), 64)
		if err != nil {
			return fmt.Errorf("the turn %q is not a number of seconds", lines.Text())
		}
		units, start, spent := 0, processTime(), 0.0
		for spent == 0 || spent < least {
			units += turn()
			spent = processTime() - start
		}
		fmt.Fprintln(out, spent, units)
	}
	return lines.Err()
}

// processTime returns the CPU seconds of the process so far and of processes that it has waited
// for, system calls and garbage collections included.
func processTime() float64 {
	spent := int64(0)
	for _, who := range [...]int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var u syscall.Rusage
		if err := syscall.Getrusage(who, &u); err != nil {
			panic(err) // only for a wrong argument
		}
		spent += u.Utime.Nano() + u.Stime.Nano()
	}
	return float64(spent) / 1e9
}
