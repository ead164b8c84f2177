package verify

import (
	"fmt"
	"io"
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
	stop    chan struct{}
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
		last: now, stop: make(chan struct{})}
	if !p.live {
		go p.beat(30 * time.Second)
	}
	return p
}

// beat writes how far the run is, again and again, whether there are news or not.
func (p *progress) beat(every time.Duration) {
	t := time.NewTicker(every)
	defer t.Stop()
	for {
		select {
		case <-p.stop:
			return
		case <-t.C:
			p.say()
		}
	}
}

// say writes how far the run is, unless it has ended.
func (p *progress) say() {
	p.mu.Lock()
	defer p.mu.Unlock()
	select {
	case <-p.stop:
		return
	default:
	}
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
		for i, id := range p.running {
			if id == e.Claim {
				p.running = append(p.running[:i], p.running[i+1:]...)
				break
			}
		}
		if e.Result != nil && !e.Result.AsExpected() {
			p.odd++
		}
	}
	now := time.Now()
	elapsed := now.Sub(p.started).Round(time.Second)
	switch since := now.Sub(p.last); {
	case p.live && (since > 50*time.Millisecond || e.Done == p.total):
		line := fmt.Sprintf("%d/%d  %v", e.Done, e.Total, elapsed)
		if p.odd > 0 {
			line += fmt.Sprintf("  %d not as expected", p.odd)
		}
		fmt.Fprintf(p.w, "\r\x1b[K%s",
			cut(line+"  "+plain.Line(strings.Join(p.running, " ")), lineWidth))
	default:
		return
	}
	p.last = now
}

// end removes the live line.
func (p *progress) end() {
	p.mu.Lock()
	defer p.mu.Unlock()
	close(p.stop)
	if p.live {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
}

// Counter returns a function that takes how many things, runs for instance, of what has the name
// are done. It tells people at a terminal in one line that it keeps rewriting; elsewhere it writes
// a line each half minute until all are, whether there are news or not.
func (c *Call) Counter(name, things string) func(done, total int) {
	if name != "" {
		name = plain.Line(name) + ": "
	}
	w := direct(c.Err)
	if !terminal(c.Err) {
		return c.beats(w, name, things, 30*time.Second)
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
func (c *Call) beats(w io.Writer, name, things string, every time.Duration) func(done, total int) {
	started := time.Now()
	var mu sync.Mutex
	ready, all := 0, 0
	over := false
	var beat *time.Timer
	mu.Lock()
	defer mu.Unlock()
	beat = time.AfterFunc(every, func() {
		mu.Lock()
		defer mu.Unlock()
		if over {
			return
		}
		of := "none of the " + things + " is over"
		if all > 0 {
			of = fmt.Sprintf("%d of %d %s", ready, all, things)
		}
		fmt.Fprintf(w, "%s: %s%s in %v\n", c.Name(), name, of,
			time.Since(started).Round(time.Second))
		beat.Reset(every)
	})
	return func(done, total int) {
		mu.Lock()
		defer mu.Unlock()
		if ready, all = done, total; done == total {
			over = true
			beat.Stop()
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
