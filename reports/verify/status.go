package verify

import "fmt"

// The exit status of the command.
const (
	OK          = 0   // every verdict is as expected, or: no difference
	Unexpected  = 1   // some verdict, number or rate is not as it should be
	Usage       = 2   // a flag, an argument or an input is wrong; nothing was run
	Undecided   = 3   // a verdict that -fail-on names
	Nothing     = 4   // nothing matched
	Internal    = 70  // the program failed
	Interrupted = 130 // interrupted: what was ready has been written
)

const exitManual = `Exit status: 0 every verdict as expected; 1 some verdict differs; 2 usage or input error;
3 inconclusive or vacuous when -fail-on asks; 4 nothing matched; 70 internal error;
130 interrupted, with what was ready written.`

// status is an error that carries the exit status. With no message, what there was to say has been
// said.
type status struct {
	code    int
	message string
}

func (s *status) Error() string { return s.message }

// Exitf is an error with which the command ends with the given status, and the message on standard
// error, if there is one.
func Exitf(code int, format string, args ...any) error {
	return &status{code, fmt.Sprintf(format, args...)}
}

// Usagef is an error in what the user gave, found before any work: one sentence that names the
// culprit.
func Usagef(format string, args ...any) error { return Exitf(Usage, format, args...) }
