package verify

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"sledge/props"
	"sledge/props/plain"
)

// progress tells people at a terminal how far a run is, in one line that it keeps rewriting.
// Elsewhere it writes a line each half minute, for those who wonder whether a long run is alive.
type progress struct {
	mu      sync.Mutex
	quiet   func() // ends the lines
	done    int
	w       io.Writer
	command string
	live    bool
	total   int
	started time.Time
	last    time.Time
	odd     int
	running []string
}

const lineWidth = 79 // of the live line; every terminal has as much

func newProgress(w io.Writer, command string, total int) *progress {
	now := time.Now()
	p := &progress{w: direct(w), command: command, live: clever(w), total: total, started: now,
		last: now, quiet: func() {}}
	if !p.live {
		p.quiet = heartbeat(p.say)
	}
	return p
}

// heartbeat has something said each half minute, whether there are news or not, until the function
// that it returns is called.
func heartbeat(say func()) (end func()) {
	const every = 30 * time.Second
	var mu sync.Mutex
	over := false
	var beat *time.Timer
	mu.Lock()
	defer mu.Unlock()
	beat = time.AfterFunc(every, func() {
		mu.Lock()
		defer mu.Unlock()
		if !over {
			say()
			beat.Reset(every)
		}
	})
	return func() {
		mu.Lock()
		defer mu.Unlock()
		over = true
		beat.Stop()
	}
}

// say writes how far the run is.
func (p *progress) say() {
	p.mu.Lock()
	defer p.mu.Unlock()
	odd := ""
	if p.odd > 0 {
		odd = fmt.Sprintf(", %d of them not as expected", p.odd)
	}
	fmt.Fprintf(p.w, "%s: %d of %d claims checked in %v%s\n", p.command, p.done, p.total,
		time.Since(p.started).Round(time.Second), odd)
}

// event takes the news of the engine, which come one at a time.
func (p *progress) event(e props.Event) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done = e.Done
	if e.Result == nil && e.Sliced == nil {
		p.running = append(p.running, e.Claim)
	} else {
		if i := slices.Index(p.running, e.Claim); i >= 0 {
			p.running = slices.Delete(p.running, i, i+1)
		}
		if e.Result != nil && !e.Result.AsExpected() {
			p.odd++
		}
	}
	now := time.Now()
	if !p.live || now.Sub(p.last) <= 50*time.Millisecond && e.Done != p.total {
		return
	}
	line := fmt.Sprintf("%d/%d  %v", e.Done, e.Total, now.Sub(p.started).Round(time.Second))
	if p.odd > 0 {
		line += fmt.Sprintf("  %d not as expected", p.odd)
	}
	fmt.Fprintf(p.w, "\r\x1b[K%s",
		cut(line+"  "+plain.Line(strings.Join(p.running, " ")), lineWidth))
	p.last = now
}

// end removes the live line.
func (p *progress) end() {
	p.quiet()
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.live {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
}

// Counter is [Counter] on standard error.
func (c *Call) Counter(name, things string) func(done, total int) {
	return Counter(c.Err, c.Name(), name, things)
}

// Counter returns a function that takes how many things, runs for instance, of what has the name
// are done by a command. It tells people at a terminal in one line that it keeps rewriting;
// elsewhere it writes a line each half minute until all are, whether there are news or not.
func Counter(to io.Writer, command, name, things string) func(done, total int) {
	if name != "" {
		name = plain.Line(name) + ": "
	}
	w := direct(to)
	if !terminal(to) {
		return beats(w, command, name, things)
	}
	return func(done, total int) {
		end := ""
		if done == total {
			end = "\r\x1b[K"
		}
		fmt.Fprintf(w, "\r\x1b[K%s%d of %d %s%s", name, done, total, things, end)
	}
}

// beats is a counter for those who wonder whether a long race is alive.
func beats(w io.Writer, command, name, things string) func(done, total int) {
	started := time.Now()
	var mu sync.Mutex
	ready, all := 0, 0
	end := heartbeat(func() {
		mu.Lock()
		defer mu.Unlock()
		of := "none of the " + things + " is over"
		if all > 0 {
			of = fmt.Sprintf("%d of %d %s", ready, all, things)
		}
		fmt.Fprintf(w, "%s: %s%s in %v\n", command, name, of,
			time.Since(started).Round(time.Second))
	})
	return func(done, total int) {
		mu.Lock()
		ready, all = done, total
		mu.Unlock()
		if done == total {
			end()
		}
	}
}

// cut shortens s to at most width characters.
func cut(s string, width int) string {
	if utf8.RuneCountInString(s) <= width {
		return s
	}
	return string([]rune(s)[:width-1]) + "…"
}
