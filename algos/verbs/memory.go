package verbs

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"

	"sledge/algos"
	"sledge/reports/verify"
)

// available returns how many bytes a process may still take: the least of what the machine has
// free, its control groups and their parents leave it, and its own limits of address space, of data
// (ulimit) and of the Go runtime (GOMEMLIMIT) do. It is infinite where none is known.
func available() float64 {
	free := math.Inf(1)
	if text, err := os.ReadFile("/proc/meminfo"); err == nil {
		for line := range bytes.Lines(text) {
			if words := strings.Fields(string(line)); len(words) >= 2 &&
				words[0] == "MemAvailable:" {
				if kib, err := strconv.ParseFloat(words[1], 64); err == nil {
					free = kib * 1024
				}
			}
		}
	}
	groups, _ := os.ReadFile("/proc/self/cgroup")
	free = min(free, grouped("/sys/fs/cgroup", string(groups)), limited())
	if os.Getenv("GOMEMLIMIT") != "" {
		var used runtime.MemStats
		runtime.ReadMemStats(&used)
		free = min(free, float64(debug.SetMemoryLimit(-1))-float64(used.Sys-used.HeapReleased))
	}
	return max(0, free)
}

// grouped is what control groups leave to a process: those of /proc/self/cgroup, in either version,
// and their parents.
func grouped(root, groups string) float64 {
	free := math.Inf(1)
	for line := range strings.Lines(groups + "\n0::/\n0:memory:/\n") {
		// the root may be that of a container
		parts := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(parts) < 3 || parts[1] != "" &&
			!slices.Contains(strings.Split(parts[1], ","), "memory") {
			continue
		}
		at, most, used := root, "memory.max", "memory.current"
		if parts[1] != "" {
			at, most, used = filepath.Join(root, "memory"), "memory.limit_in_bytes",
				"memory.usage_in_bytes"
		}
		for group := filepath.Clean("/" + parts[2]); ; group = filepath.Dir(group) {
			if limit := bytesIn(filepath.Join(at, group, most)); limit >= 0 {
				// the word max stands for no limit
				free = min(free, limit-max(0, bytesIn(filepath.Join(at, group, used))))
			}
			if group == "/" {
				break
			}
		}
	}
	return free
}

// bytesIn reads a number from a file, −1 if there is none.
func bytesIn(path string) float64 {
	text, err := os.ReadFile(path)
	if err != nil {
		return -1
	}
	v, err := strconv.ParseFloat(strings.TrimSpace(string(text)), 64)
	if err != nil {
		return -1
	}
	return v
}

// What memory is asked for beside numbers of 8 bytes: each record of a run takes about recordBytes,
// and of what is free a share of usable is taken. Runs at once keep no more than atOnce bytes,
// unless one alone does: with so much, they wait for memory and not for processors.
const (
	recordBytes = 120
	usable      = 0.8
	atOnce      = 1 << 29
)

// extent is how large the problem of a race is.
type extent struct {
	clients, dim int // clients are the components of a finite sum
	linear       bool
	data         float64 // bytes that the problem itself still takes
}

// fits makes a race on a problem of the given extent fit into the memory that is free: by fewer
// runs at once, or it says what would fit.
func (r *race) fits(chosen []chosen, e extent, free float64) error {
	most, name := 0.0, ""
	for _, c := range chosen {
		kept := 8 * algos.Footprint(func() algos.Method { return c.New(r.sized(e)) }, e.clients,
			e.dim, e.linear)
		if kept > most || name == "" {
			most, name = kept, c.Name
		}
	}
	budget := usable * free
	fixed := e.data + float64(len(chosen))*float64(r.seeds)*float64(r.looks())*recordBytes
	switch room := budget - fixed; {
	case e.data > budget:
		return verify.Usagef(
			"the problem takes %s, and %s are free: want fewer components, clients or dimensions",
			size(e.data), size(free))
	case room < 0:
		return verify.Usagef(
			"-seeds: the records of %d runs of each method take %s, and %s are free", r.seeds,
			size(fixed), size(free))
	case most > room:
		return verify.Usagef(
			"%s keeps %s for %d components in dimension %d, and %s of %s are left for it: "+
				"leave it out, or want fewer components or dimensions", name, size(most), e.clients,
			e.dim, size(room), size(free))
	case most > 0:
		r.Workers = max(1, int(min(float64(r.Workers), min(room, atOnce)/most)))
	}
	if e.data+most*float64(r.Workers) > 1<<28 {
		// What is kept is large and long-lived: the heap must not grow to five times of it,
		// and since it is numbers without pointers, looking through it costs little.
		debug.SetGCPercent(10)
		var used runtime.MemStats
		runtime.ReadMemStats(&used)
		if limit := int64(min(float64(used.Sys)+budget,
			math.MaxInt64/2)); limit < debug.SetMemoryLimit(-1) {
			debug.SetMemoryLimit(limit)
		}
	}
	return nil
}

// mostTable returns how many bytes the table of a file may take: the problem that is made of it
// takes as much again.
func mostTable() int64 { return int64(min(usable*available()/2, math.MaxInt64/2)) }

// sized is the setting with which methods are made to see what they keep: what depends on data is
// left to them.
func (r *race) sized(e extent) algos.Setting {
	s := r.method
	s.Eta, s.L, s.Chosen = 1, 1, min(s.Chosen, 8)
	if e.linear { // whose tables depend on the minibatches
		s.Batch = min(s.Batch, max(1, e.clients/2), 1<<16)
	} else {
		s.Batch = min(s.Batch, 8)
	}
	return s
}

// size writes a number of bytes for people.
func size(b float64) string {
	for _, unit := range []string{"bytes", "kB", "MB", "GB", "TB"} {
		if b < 999.5 {
			return strconv.FormatFloat(b, 'g', 3, 64) + " " + unit
		}
		b /= 1000
	}
	return strconv.FormatFloat(b*1000, 'g', 3, 64) + " TB"
}
