package verify

import (
	"io"
	"os"
	"strings"

	"sledge/props/plain"
	"sledge/reports"
)

// present is the file below the working directory that the name of a source file means, which may
// begin with the path of its module or package: the longest end of it that is there, "" if none is.
func present(name string) string {
	for name != "" {
		if info, err := os.Stat(name); err == nil && info.Mode().IsRegular() {
			return name
		}
		_, name, _ = strings.Cut(name, "/")
	}
	return ""
}

// annotate writes what is not as expected as commands of GitHub Actions, which show each one beside
// the line of source that binds the claim.
func annotate(w io.Writer, r *reports.Report) error {
	var b strings.Builder
	for i := range r.Claims {
		c := &r.Claims[i]
		if c.AsExpected() {
			continue
		}
		var properties [][2]string
		if file, line, found := strings.Cut(c.At, ":"); found {
			if file = present(file); file != "" {
				properties = append(properties, [2]string{"file", file}, [2]string{"line", line})
			}
		}
		b.WriteString(plain.Command("error", append(properties, [2]string{"title", c.ID}),
			c.Verdict.String()+", "+c.Differs()+". "+c.Because()))
	}
	_, err := io.WriteString(direct(w), b.String())
	return err
}
