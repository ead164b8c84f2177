package verify

import (
	"context"
	"encoding/json"
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

	"sledge/props/certificate"
	"sledge/props/certificate/rocq"
	"sledge/props/parallel"
	"sledge/reports/store"
)

// proving writes certificates as theorems and has Rocq accept them.
type proving struct {
	dir, record string
	rows        string // a file of data
	onRows      string // what compares runs on its rows with the theory's definitions
	workers     int
}

func (p *proving) flags(flags *flag.FlagSet) {
	workersFlag(flags, &p.workers, "")
	flags.StringVar(&p.dir, "rocq", "", "")
	flags.StringVar(&p.record, "record", "", "")
	flags.StringVar(&p.rows, "rows", "", "")
}

// check refuses flags that cannot be followed, before any work.
func (p *proving) check(c *Call) error {
	for _, flag := range []struct{ name, file string }{{"-record", p.record}, {"-rows", p.rows}} {
		if flag.file == "" {
			continue
		}
		if p.dir == "" {
			return Usagef("%s needs -rocq", flag.name)
		}
		if _, err := exec.LookPath("coqc"); err != nil {
			return Usagef("%s needs coqc, which is not installed", flag.name)
		}
	}
	if p.rows != "" {
		if c.app.ModelOn == nil {
			return Usagef("-rows: there is no theory whose definitions could run")
		}
		var err error
		if p.onRows, err = c.app.ModelOn(p.rows, rand.Uint64(), runsOnRows); err != nil {
			return Usagef("-rows: %v", err)
		}
	}
	if p.record != "" {
		if err := replaceable("-record", p.record, isRecord); err != nil {
			return err
		}
	}
	if p.dir != "" {
		if err := os.MkdirAll(p.dir, 0o777); err != nil {
			return Usagef("-rocq: %v", err)
		}
	}
	return nil
}

// mostRecord is how many bytes a record that this program writes has at most.
const mostRecord = 64 << 20

// isRecord reports whether the file at path has digests of certificates with what accepts them.
func isRecord(path string) bool {
	text, err := store.Read(path, mostRecord)
	var accepted map[string]string
	return err == nil && json.Unmarshal(text, &accepted) == nil
}

// perFile is how many theorems stand in a file: enough to make little of the time in which
// libraries are loaded.
const perFile = 20

// volume is a file of theorems.
type volume struct {
	name  string
	text  strings.Builder
	first []int // the line on which each theorem begins
	of    []held
	err   error
}

func (p *proving) prove(ctx context.Context, c *Call, all []held) error {
	var volumes []*volume
	open := map[certificate.Kind]*volume{}
	parts := map[certificate.Kind]int{}
	seen, without := map[string]bool{}, 0
	for _, h := range all {
		digest := h.Digest()
		if seen[digest] {
			continue
		}
		seen[digest] = true
		text, err := rocq.Theorem(h.Certificate, word(h.claim.ID)+"_"+digest[:8])
		if err != nil {
			without++
			continue
		}
		v := open[h.Kind]
		if v == nil || len(v.of) == perFile {
			parts[h.Kind]++
			v = &volume{name: fmt.Sprintf("%s_%d.v", word(string(h.Kind)), parts[h.Kind])}
			v.text.WriteString(rocq.Opening(h.Kind))
			open[h.Kind] = v
			volumes = append(volumes, v)
		}
		v.first = append(v.first, 1+strings.Count(v.text.String(), "\n"))
		v.text.WriteString(text + "\n")
		v.of = append(v.of, h)
	}
	theorems := 0
	for _, v := range volumes {
		theorems += len(v.of)
		if err := store.Write(filepath.Join(p.dir, v.name), func(w io.Writer) error {
			_, err := io.WriteString(w, v.text.String())
			return err
		}); err != nil {
			return err
		}
	}
	fmt.Fprintf(c.Out, "%d theorems for Rocq are in %s; %d certificates have no form there.\n",
		theorems, p.dir, without)
	coqc, err := exec.LookPath("coqc")
	if err != nil {
		fmt.Fprintln(c.Out, "coqc is not installed: they are not compiled.")
		return nil
	}
	p.compile(ctx, coqc, volumes)
	accepted := map[string]string{}
	version := coqVersion(coqc)
	var failed []string
	for _, v := range volumes {
		if v.err != nil {
			failed = append(failed, v.err.Error())
			continue
		}
		for _, h := range v.of {
			accepted[h.Digest()] = version
		}
	}
	if ctx.Err() != nil {
		return Exitf(Interrupted, "interrupted while Rocq was at work")
	}
	fmt.Fprintf(c.Out, "%s accepts %d of them.\n", version, len(accepted))
	if p.record != "" {
		if err := store.Write(p.record,
			func(w io.Writer) error { return WriteJSON(w, accepted) }); err != nil {
			return err
		}
	}
	if len(failed) > 0 {
		return Exitf(Unexpected, "%s", strings.Join(failed, "; "))
	}
	return p.develop(ctx, c, coqc, version)
}

// compile has Rocq check the volumes, several at a time.
func (p *proving) compile(ctx context.Context, coqc string, volumes []*volume) {
	parallel.Each(p.workers, len(volumes), func(i int) { volumes[i].compile(ctx, coqc, p.dir) })
}

var atLine = regexp.MustCompile(`line (\d+), characters`)

// compile has Rocq check a volume. The error names the claim whose theorem is not accepted.
func (v *volume) compile(ctx context.Context, coqc, dir string) {
	cmd := exec.CommandContext(ctx, coqc, "-q", v.name)
	cmd.Dir = dir
	said, err := cmd.CombinedOutput()
	if err == nil {
		return
	}
	v.err = fmt.Errorf("%s is not accepted: %s", filepath.Join(dir, v.name),
		strings.Join(strings.Fields(string(said)), " "))
	if m := atLine.FindSubmatch(said); m != nil {
		line, _ := strconv.Atoi(string(m[1]))
		k, exact := slices.BinarySearch(v.first, line)
		if !exact {
			k--
		}
		if k >= 0 {
			v.err = fmt.Errorf("%s: %w", v.of[k].claim.ID, v.err)
		}
	}
}

// coqVersion is the program with its version, such as "Coq 8.16.1".
func coqVersion(coqc string) string {
	out, err := exec.Command(coqc, "-print-version").Output()
	version, _, _ := strings.Cut(strings.TrimSpace(string(out)), " ")
	if err != nil || version == "" {
		return "Coq"
	}
	return "Coq " + version
}

// word makes a name of an id.
func word(id string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			return r
		}
		return '_'
	}, id)
}
