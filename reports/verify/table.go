package verify

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"unicode/utf8"

	"sledge/props"
	"sledge/props/plain"
	"sledge/reports"
)

// maxRows is the number of claims up to which the table shows all of them.
const maxRows = 40

// terminal reports whether w is one.
func terminal(w io.Writer) bool {
	if o, ok := direct(w).(*outlet); ok {
		w = o.w
	}
	f, ok := direct(w).(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// clever reports whether w is a terminal that can move its cursor and show colours.
func clever(w io.Writer) bool { return terminal(w) && os.Getenv("TERM") != "dumb" }

// coloured reports whether colours are welcome on w.
func coloured(w io.Writer) bool { return clever(w) && os.Getenv("NO_COLOR") == "" }

// paint colours a word for a verdict. The word says it all without the colour.
func paint(v props.Verdict, s string, on bool) string {
	code := ""
	switch v {
	case props.Refuted, props.Error:
		code = "31;1"
	case props.Vacuous, props.Inconclusive:
		code = "33"
	case props.Proved, props.Supported:
		code = "32"
	}
	if !on || code == "" {
		return s
	}
	return "\x1b[" + code + "m" + s + "\x1b[0m"
}

func pad(s string, width int) string {
	return s + strings.Repeat(" ", max(0, width-utf8.RuneCountInString(s)))
}

// writeTable writes what a person needs to know at once: what is not as expected, what was refuted
// or left undecided, and the counts.
func writeTable(w io.Writer, r *reports.Report, all bool, page string) error {
	var b strings.Builder
	colour := coloured(w)
	rows := r.ByAttention()
	width := 0
	for _, c := range rows {
		width = max(width, utf8.RuneCountInString(c.ID))
	}
	row := func(c *reports.Claim, tail string) {
		line := fmt.Sprintf("  %s  %s  %s", paint(c.Verdict, pad(c.Verdict.String(), 12), colour),
			pad(plain.Line(c.ID), width), plain.Line(tail))
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	i := 0
	for ; i < len(rows) && !rows[i].AsExpected(); i++ {
		c := rows[i]
		if i == 0 {
			b.WriteString("NOT AS EXPECTED\n")
		}
		row(c, c.Differs())
		fmt.Fprintf(&b, "%s%s\n", strings.Repeat(" ", 16), plain.Line(c.Because()))
		if e := c.Lead(); e != nil && e.Replay != "" {
			fmt.Fprintf(&b, "%s%s\n", strings.Repeat(" ", 16), plain.Line(r.ReplayLine(e.Replay)))
		}
	}
	if i < len(rows) {
		b.WriteString("AS EXPECTED\n")
	}
	for ; i < len(rows); i++ {
		c := rows[i]
		if c.Stands() && !all && len(rows) > maxRows {
			break
		}
		tail := ""
		if e := c.Lead(); e != nil {
			tail = e.Extent()
		}
		for _, before := range []string{c.Proves(), c.Reach(), r.WhyLoose(c)} {
			if before != "" {
				tail = strings.TrimSuffix(before+", "+tail, ", ")
			}
		}
		if f := r.Corrected(c.ID); c.Verdict == props.Refuted && f != nil {
			tail = strings.TrimPrefix(tail+", corrected form "+f.Word(), ", ")
		}
		if all && c.Notices != nil {
			tail = strings.TrimPrefix(tail+", "+c.Notice(), ", ")
		}
		row(c, tail)
	}
	if rest := len(rows) - i; rest > 0 {
		fmt.Fprintf(&b, "  and %d more that are consistent, supported or proved (-v shows them)\n",
			rest)
	}
	fmt.Fprintf(&b, "%s %s.\n", r.Headline(), r.Counts())
	for _, s := range []string{r.Overall(), r.LooseWords(), r.SettledWords()} {
		if s != "" {
			b.WriteString(plain.Line(s) + "\n")
		}
	}
	if r.Run.Partial != "" {
		fmt.Fprintf(&b, "Partial: %s.\n", plain.Line(r.Run.Partial))
	}
	fmt.Fprintf(&b, "%s (%s)\n", plain.Line(page), plain.Line(r.Settings()))
	if colour {
		w = direct(w)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// WriteJSON writes a value as indented JSON.
func WriteJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", " ")
	return enc.Encode(v)
}

// Plural writes a number of things: "1 claim", "2 claims".
func Plural(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
}
