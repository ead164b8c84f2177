package reports

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"sledge/props"
)

type junitSuites struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Name     string       `xml:"name,attr"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Errors   int          `xml:"errors,attr"`
	Time     string       `xml:"time,attr"`
	Suites   []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Errors   int         `xml:"errors,attr"`
	Time     string      `xml:"time,attr"`
	Started  string      `xml:"timestamp,attr"`
	Cases    []junitCase `xml:"testcase"`
	seconds  float64
}

type junitCase struct {
	Class      string          `xml:"classname,attr"`
	Name       string          `xml:"name,attr"`
	Time       string          `xml:"time,attr"`
	Properties []junitProperty `xml:"properties>property"`
	Failure    *junitProblem   `xml:"failure"`
	Error      *junitProblem   `xml:"error"`
}

type junitProperty struct {
	Name  string `xml:"name,attr"`
	Value string `xml:"value,attr"`
}

type junitProblem struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr"`
	Body    string `xml:",chardata"`
}

// WriteJUnit writes the report as JUnit XML: a suite for each part of the text, a case for each
// claim. A claim fails if its verdict is not the expected one and is an error if its check broke,
// so a known erratum passes. Bytes that XML cannot hold become U+FFFD.
func (r *Report) WriteJUnit(w io.Writer) error {
	all := junitSuites{Name: "sledge", Time: fmt.Sprintf("%.3f", r.Run.Seconds)}
	for i := range r.Claims {
		c := &r.Claims[i]
		if n := len(all.Suites); n == 0 || all.Suites[n-1].Name != c.Part {
			all.Suites = append(all.Suites, junitSuite{Name: c.Part,
				Started: r.Run.Started.UTC().Format("2006-01-02T15:04:05")})
		}
		s := &all.Suites[len(all.Suites)-1]
		k := junitCase{Class: c.Part, Name: c.ID, Time: fmt.Sprintf("%.3f", c.Seconds),
			Properties: []junitProperty{
				{"verdict", c.Verdict.String()}, {"expected", c.Expect.String()},
				{"lines", c.Lines}}}
		if e := c.Lead(); e != nil && known(e.reach()) {
			k.Properties = append(k.Properties,
				junitProperty{strings.ReplaceAll(e.Named(), " ", "_"),
					fmt.Sprint(e.reach())})
		}
		switch p := (&junitProblem{Message: c.summary(), Type: c.Verdict.String(),
			Body: r.replays(c)}); {
		case c.Verdict == props.Error:
			k.Error = p
			s.Errors++
		case !c.AsExpected():
			k.Failure = p
			s.Failures++
		}
		s.Tests++
		s.seconds += c.Seconds
		s.Time = fmt.Sprintf("%.3f", s.seconds)
		s.Cases = append(s.Cases, k)
	}
	for _, s := range all.Suites {
		all.Tests, all.Failures, all.Errors = all.Tests+s.Tests, all.Failures+s.Failures,
			all.Errors+s.Errors
	}
	out, err := xml.MarshalIndent(all, "", " ")
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "%s%s\n", xml.Header, out)
	return err
}

// summary is one line on an unexpected verdict.
func (c *Claim) summary() string {
	return strings.Join(strings.Fields(
		fmt.Sprintf("%s, %s: %s", c.Verdict, c.Differs(), c.Because())), " ")
}

// replays is the statement, the error if there is one, and the commands that reproduce the
// evidence.
func (r *Report) replays(c *Claim) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n(%s)\n", props.Unmarked(c.Statement), c.Place())
	if c.Error != "" {
		b.WriteString(c.Error + "\n")
	}
	for _, e := range c.Evidence {
		if e.Replay != "" {
			fmt.Fprintf(&b, "%s\n    %s\n", e.Finding(), r.ReplayLine(e.Replay))
		}
	}
	return b.String()
}
