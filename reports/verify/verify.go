// Package verify is the command of a ledger of claims, as a library: it runs the claims, reports
// their verdicts with the evidence, and replays, merges and compares what it found.
//
// [Main] is the whole command over an [App], which names the ledger and the verbs that its owner
// brings beside the general ones: run (the default), list, explain, replay, check, calibrate,
// mutate, record, merge, diff, errata and version. A command of one's own is a main function with
// one line,
//
//	verify.Execute(verify.App{Name: "check", Summary: "…", Claims: claims, Verbs: []verify.Verb{verbs.Race(methods)}})
package verify

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"

	"sledge/props"
	"sledge/props/development"
	"sledge/props/ledger"
	"sledge/props/plain"
	"sledge/reports"
)

// App is a command over a ledger.
type App struct {
	Name    string                        // of the command, as it is typed
	Summary string                        // what the command does, in one sentence
	Claims  func() ([]props.Claim, error) // the ledger; ids must be unique
	// Ledger, if not nil, is what the claims come from: reports cite its text and group refutations
	// by its causes.
	Ledger func() (*ledger.Ledger, error)
	// Accepted, if not nil, is which certificates a proof assistant accepts, by their digests, and
	// which one: what "check -record" writes.
	Accepted func() (map[string]string, error)
	// Theory, if not nil, is the machine-checked development whose theorems entries of the ledger
	// name, and Model what compares count runs of each of its algorithms, drawn from a seed, with
	// runs of the program: a file for Rocq. ModelOn does so for runs on the rows of a file of data.
	Theory  func() (*development.Development, error)
	Model   func(seed uint64, count int) (string, error)
	ModelOn func(path string, seed uint64, count int) (string, error)
	// Costs, if not nil, is what the claims have cost at a tier, as [reports.WriteCosts] writes it:
	// by it a run is divided among shards. An error that is [fs.ErrNotExist] says that this is not
	// known.
	Costs func(props.Tier) ([]byte, error)
	Verbs []Verb // beside the general ones; names must be new
	Lists []List // what the verb list shows beside the claims
	// what stands before a token on the line that replays it; Name + " replay" if empty
	Replay string
}

// Verb is something that a command can be asked to do.
type Verb struct {
	Name     string    // one word
	Summary  string    // half a line, for the list of verbs
	Usage    string    // flags and arguments: "[flags] [ID-PATTERN...]"
	Help     string    // what -h says besides, may be empty
	Examples []Example // at least one
	// Bind declares the flags of the verb and returns what is done once they have their values.
	// Flags may stand before, between and after the arguments of a call.
	Bind func(flags *flag.FlagSet) Action
	// Ends says that the action ends by itself soon after its context does, and has to: it writes
	// what is ready then. Any other is left behind if it has not ended a moment later.
	Ends bool
	// Alone says that the action has nothing to do with the ledger, which is not read for it then.
	Alone bool
}

// Action does what a call asks for. Its error says how the command ends: see [Exitf] and [Usagef];
// any other error is a failure of the program.
type Action func(ctx context.Context, c *Call) error

// Example is a call of a verb, without the name of the command, and what it does.
type Example struct{ Args, What string }

// List is something that the verb list can show.
type List struct {
	Name    string // one word, plural
	Summary string // half a line
	Write   func(w io.Writer, asJSON bool) error
}

// Call is one call of the command.
type Call struct {
	Args []string // without flags
	Out  io.Writer
	Err  io.Writer

	app    *App
	text   *ledger.Ledger // nil if there is none
	claims []props.Claim
	kernel map[string]string // see [App].Accepted
}

// Claims returns the ledger.
func (c *Call) Claims() []props.Claim { return c.claims }

// Ledger returns what the claims come from; nil if there is none.
func (c *Call) Ledger() *ledger.Ledger { return c.text }

// claim returns the claim of the ledger with an id, nil if there is none.
func (c *Call) claim(id string) *props.Claim {
	for i := range c.claims {
		if c.claims[i].ID == id {
			return &c.claims[i]
		}
	}
	return nil
}

// load reads the ledger and joins it with its checks. A slip in them is one sentence, before any
// work.
func (c *Call) load() (err error) {
	if c.app.Ledger != nil {
		if c.text, err = c.app.Ledger(); err != nil {
			return Usagef("%v", err)
		}
	}
	if c.app.Accepted != nil {
		if c.kernel, err = c.app.Accepted(); err != nil {
			return Usagef("the list of accepted certificates: %v", err)
		}
	}
	if c.app.Claims != nil {
		if c.claims, err = c.app.Claims(); err != nil {
			return Usagef("%v", err)
		}
		for i := range c.claims {
			if err := reports.Printable(&c.claims[i]); err != nil {
				return Usagef("claim %q: %v", c.claims[i].ID, err)
			}
		}
	}
	return nil
}

// Name returns the name of the command, for messages that name another call of it.
func (c *Call) Name() string { return c.app.Name }

// replay is what stands before a token.
func (a *App) replay() string {
	if a.Replay == "" {
		return a.Name + " replay"
	}
	return a.Replay
}

// Execute runs [Main] with the arguments of the process and ends the process. Interrupts cancel the
// context; a second one ends the process at once.
func Execute(app App) {
	var room []byte
	if os.Getenv("GOGC") == "" {
		// instances are many, small and short-lived: a larger heap saves a fifth of the work, and
		// what lives is so little that it takes room which is never touched to make the heap large
		debug.SetGCPercent(400)
		if debug.SetMemoryLimit(-1) == math.MaxInt64 { // of which it would take a part
			room = make([]byte, 64<<20)
		}
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	status := Main(ctx, app, os.Args[1:], os.Stdout, os.Stderr)
	runtime.KeepAlive(room)
	os.Exit(status)
}

// Main is the whole command: it does what the arguments, without the name of the command, ask for,
// and returns the exit status. What was asked for goes to out; complaints, each one sentence, and
// progress go to err.
func Main(ctx context.Context, app App, args []string, out, complaints io.Writer) (code int) {
	kept := &outlet{w: out}
	obeys := os.Getenv("GITHUB_ACTIONS") != ""
	said, err := plain.NewWriter(kept, obeys), plain.NewWriter(complaints, obeys)
	defer func() {
		if p := recover(); p != nil {
			fmt.Fprintf(err, "%s: internal error: %v\n%s", app.Name, p, debug.Stack())
			code = Internal
		}
	}()
	defer func() {
		if said.Flush(); kept.err != nil {
			fmt.Fprintf(err, "%s: the output is incomplete: %v\n", app.Name, kept.err)
			code = Internal
		}
	}()
	var s *status
	switch e := app.call(ctx, args, said, err); {
	case e == nil:
		return OK
	case errors.As(e, &s):
		if s.message != "" {
			fmt.Fprintf(err, "%s: %s\n", app.Name, plain.Message(s.message))
		}
		return s.code
	case kept.err == nil:
		fmt.Fprintf(err, "%s: %s\n", app.Name,
			plain.Message(strings.ReplaceAll(e.Error(), "\n", "; ")))
	}
	return Internal
}

// verbs returns the general verbs and those of the owner.
func (a *App) verbs() []Verb {
	return slices.Concat([]Verb{runVerb(), listVerb(a.Lists), explainVerb(), replayVerb(),
		checkVerb()}, a.Verbs,
		[]Verb{calibrateVerb(), mutateVerb(), recordVerb(), newVerb(), shardsVerb(), mergeVerb(),
			diffVerb(), baselineVerb(), errataVerb(),
			completionVerb(),
			versionVerb()})
}

// named returns the verb with the name, nil if there is none.
func named(verbs []Verb, name string) *Verb {
	if k := slices.IndexFunc(verbs, func(v Verb) bool { return v.Name == name }); k >= 0 {
		return &verbs[k]
	}
	return nil
}

// call finds the verb, reads its flags and does what it is asked.
func (a *App) call(ctx context.Context, args []string, out, errs io.Writer) error {
	if len(args) == 1 && (args[0] == "-version" || args[0] == "--version") {
		args = []string{"version"}
	}
	verbs := a.verbs()
	if len(args) > 0 && args[0] == "help" { // "help merge" is "merge -h"
		if args = append(slices.Clone(args[1:]), "-h"); args[0] != "-h" && named(verbs, args[0]) == nil {
			return Usagef("there is no verb %q to explain; %s help lists them", args[0], a.Name)
		}
	}
	verb, explicit := &verbs[0], false
	if len(args) > 0 {
		if v := named(verbs, args[0]); v != nil {
			verb, explicit, args = v, true, args[1:]
		}
	}
	flags := flag.NewFlagSet(verb.Name, flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.Usage = func() {}
	action := verb.Bind(flags)
	c := &Call{Out: out, Err: errs, app: a}
	for len(args) > 0 {
		if len(args[0]) < 2 || args[0][0] != '-' {
			if !explicit && len(c.Args) == 0 && named(verbs, args[0]) != nil {
				var first string
				flags.Visit(func(f *flag.Flag) { first = f.Name })
				return Usagef("-%s stands before the verb %q; put it after", first, args[0])
			}
			c.Args, args = append(c.Args, args[0]), args[1:]
			continue
		}
		err := flags.Parse(args)
		switch rest := flags.Args(); {
		case errors.Is(err, flag.ErrHelp):
			return a.help(out, verbs, verb, flags, explicit)
		case err != nil:
			return wrongFlag(err, flags)
		case args[len(args)-len(rest)-1] == "--":
			c.Args, args = append(c.Args, rest...), nil
		default:
			args = rest
		}
	}
	var err error
	if !verb.Alone {
		if err = Await(ctx, nothingWritten, c.load); err != nil {
			return err
		}
	}
	if verb.Ends {
		err = action(ctx, c)
	} else {
		err = ended(ctx, nothingWritten, func() error { return action(ctx, c) })
	}
	if ctx.Err() != nil && errors.Is(err, context.Canceled) {
		return Exitf(Interrupted, "interrupted")
	}
	return err
}

// wrongFlag words a complaint of the flag package, with the flag that was meant if one is near.
func wrongFlag(err error, flags *flag.FlagSet) error {
	message := err.Error()
	if name, unknown := strings.CutPrefix(message, "flag provided but not defined: -"); unknown {
		var known []string
		flags.VisitAll(func(f *flag.Flag) { known = append(known, f.Name) })
		if near := Nearest(name, known); near != "" {
			message += "; is it -" + near + "?"
		}
	}
	return Usagef("%s", message)
}

// AtMost complains about arguments beyond the first n.
func (c *Call) AtMost(n int) error {
	if len(c.Args) > n {
		return Usagef("unexpected argument %q", c.Args[n])
	}
	return nil
}

// outlet remembers that something could not be written, so that a full disk behind standard output
// does not pass for success.
type outlet struct {
	w   io.Writer
	err error
}

// direct is the way round what makes text plain, for the cursor and the colours of a terminal and
// for commands of one's own. All else that is written there has passed [plain.Line].
func direct(w io.Writer) io.Writer {
	if p, ok := w.(*plain.Writer); ok {
		return p.Below()
	}
	return w
}

func (o *outlet) Write(b []byte) (int, error) {
	n, err := o.w.Write(b)
	if err != nil && o.err == nil {
		o.err = err
	}
	return n, err
}

// help writes what -h asks for: about the verb, or about the command if no verb was named.
func (a *App) help(w io.Writer, verbs []Verb, verb *Verb, flags *flag.FlagSet,
	explicit bool) error {
	var b bytes.Buffer
	if explicit {
		writeHelp(&b, a.Name, verb, flags, nil)
	} else {
		whole := *verb
		whole.Name, whole.Summary, whole.Usage = "[run]", a.Summary, verb.Usage
		whole.Help = verb.Help + "\n\n" + exitManual
		writeHelp(&b, a.Name, &whole, flags, verbs)
	}
	_, err := w.Write(b.Bytes())
	return err
}
