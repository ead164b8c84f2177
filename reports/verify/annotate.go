package verify

import (
	"fmt"
	"io"
	"strings"

	"sledge/reports"
)

// annotate writes what is not as expected as commands of GitHub Actions, which show each one beside the line of source
// that binds the claim.
func annotate(w io.Writer, r *reports.Report) error {
	var b strings.Builder
	for i := range r.Claims {
		c := &r.Claims[i]
		if c.AsExpected() {
			continue
		}
		b.WriteString("::error ")
		if file, line, found := strings.Cut(c.At, ":"); found {
			fmt.Fprintf(&b, "file=%s,line=%s,", property.Replace(file), property.Replace(line))
		}
		message := c.Verdict.String() + ", " + c.Differs() + ". " + c.Because()
		fmt.Fprintf(&b, "title=%s::%s\n", property.Replace(c.ID), data.Replace(message))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// What must be escaped in the message of a command, and in its properties.
var (
	data     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	property = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)
