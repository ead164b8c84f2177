package ledger

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"sledge/props"
)

// width is that of the lines of a ledger, in characters.
const width = 116

// write writes claims as entries of a ledger. Reading them again gives the same claims, without
// part, check and what [Ledger.Join] adds, if their texts have single spaces only.
func write(claims []props.Claim) string {
	var b strings.Builder
	for i := range claims {
		if i > 0 {
			b.WriteByte('\n')
		}
		entry(&b, &claims[i])
	}
	return b.String()
}

func entry(b *strings.Builder, c *props.Claim) {
	form := map[props.Form]string{props.Corrected: "corrects " + c.Of,
		props.Sharper: "sharpens " + c.Of, props.Extension: "own"}[c.Form]
	if form == "" {
		form = "printed"
	}
	fields := []string{form}
	for _, f := range []string{c.Theorem, c.Label} {
		if f != "" {
			fields = append(fields, f)
		}
	}
	if c.Lines != "" {
		fields = append(fields, "lines "+c.Lines)
	}
	if c.Kind != "" {
		fields = append(fields, c.Kind)
	}
	wrap(b, "", fmt.Sprintf("[%s]  %s; %s", c.ID, strings.Join(fields, "; "), weights[c.Tier]))
	wrap(b, "  ", c.Statement)
	if c.Reading != "" {
		wrap(b, "  ", "reading: "+c.Reading)
	}
	if c.Notes != "" {
		for paragraph := range strings.SplitSeq(c.Notes, "\n") {
			wrap(b, "  ", "note: "+paragraph)
		}
	}
	if len(c.Uses) > 0 {
		wrap(b, "  ", "uses: "+strings.Join(c.Uses, ", "))
	}
	wrap(b, "  ", strings.TrimSpace("expect: "+c.Expect.String()+" "+string(c.Within)))
	for _, h := range c.Holds {
		wrap(b, "  ", "holds: "+h)
	}
	for _, f := range c.Sharp {
		wrap(b, "  ", strings.TrimSpace(fmt.Sprintf("sharp: %v %s", f.Share, f.What)))
	}
	if c.Harm != "" {
		harm := "harm: " + string(c.Harm)
		if c.Reason != "" {
			harm += " – " + c.Reason
		}
		wrap(b, "  ", harm)
	}
	if c.Cause != "" {
		wrap(b, "  ", "cause: "+c.Cause)
	}
}

// wrap writes a logical line with its indentation, broken at spaces; what goes on is indented by
// four.
func wrap(b *strings.Builder, indent, text string) {
	b.WriteString(indent)
	at := len(indent)
	for k, word := range strings.Split(text, " ") {
		n := utf8.RuneCountInString(word)
		switch {
		case k == 0:
		case at+1+n > width:
			b.WriteString("\n    ")
			at = 4
		default:
			b.WriteByte(' ')
			at++
		}
		b.WriteString(word)
		at += n
	}
	b.WriteByte('\n')
}
