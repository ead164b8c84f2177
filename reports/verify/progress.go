package verify

import (
	"fmt"
	"io"
	"strings"
	"time"
	"unicode/utf8"

	"sledge/props"
)

// progress tells people at a terminal how far a run is, in one line that it keeps rewriting. Elsewhere it writes a line
// a minute, for those who wonder whether a long run is alive.
type progress struct {
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
	return &progress{w: w, command: command, live: clever(w), total: total, started: now, last: now}
}

// event takes the news of the engine, which come one at a time.
func (p *progress) event(e props.Event) {
	if e.Result == nil {
		p.running = append(p.running, e.Claim)
	} else {
		for i, id := range p.running {
			if id == e.Claim {
				p.running = append(p.running[:i], p.running[i+1:]...)
				break
			}
		}
		if !e.Result.AsExpected() {
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
		fmt.Fprintf(p.w, "\r\x1b[K%s", cut(line+"  "+strings.Join(p.running, " "), lineWidth))
	case !p.live && since > time.Minute:
		fmt.Fprintf(p.w, "%s: %d of %d claims checked in %v\n", p.command, e.Done, e.Total, elapsed)
	default:
		return
	}
	p.last = now
}

// end removes the live line.
func (p *progress) end() {
	if p.live {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
}

// Counter returns a function that tells people at a terminal how many runs of what has the name are done, in one line
// that it keeps rewriting.
func (c *Call) Counter(name string) func(done, total int) {
	if !terminal(c.Err) {
		return func(int, int) {}
	}
	if name != "" {
		name += ": "
	}
	return func(done, total int) {
		end := ""
		if done == total {
			end = "\r\x1b[K"
		}
		fmt.Fprintf(c.Err, "\r\x1b[K%s%d of %d runs%s", name, done, total, end)
	}
}

// cut shortens s to at most width characters.
func cut(s string, width int) string {
	if utf8.RuneCountInString(s) <= width {
		return s
	}
	return string([]rune(s)[:width-1]) + "…"
}
