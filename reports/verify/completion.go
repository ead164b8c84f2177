package verify

import (
	"context"
	"flag"
	"fmt"
	"strings"
)

// shells are those that completionVerb writes scripts for. Each asks the command itself by
// "completion words" what may stand at the place of the cursor, so the scripts need not be renewed
// with the command.
var shells = map[string]string{
	"bash": `_%[1]s() {
  local words=$(%[1]s completion words "${COMP_WORDS[@]:1:COMP_CWORD-1}" 2>/dev/null)
  COMPREPLY=($(compgen -W "$words" -- "${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _%[1]s %[1]s
`,
	"zsh": `#compdef %[1]s
_%[1]s() { compadd -- $(%[1]s completion words "${(@)words[2,CURRENT-1]}" 2>/dev/null) || _files }
compdef _%[1]s %[1]s
`,
	"fish": `complete -c %[1]s -a '(%[1]s completion words (commandline -opc)[2..-1] 2>/dev/null)'
`,
}

func completionVerb() Verb {
	return Verb{
		Bind: func(*flag.FlagSet) Action {
			return func(_ context.Context, c *Call) error {
				if len(c.Args) > 0 && c.Args[0] == "words" {
					return c.words(c.Args[1:])
				}
				if len(c.Args) != 1 || shells[c.Args[0]] == "" {
					return Usagef("completion needs the name of a shell: bash, zsh or fish")
				}
				_, err := fmt.Fprintf(c.Out, shells[c.Args[0]], c.app.Name)
				return err
			}
		},
	}.Described(help, "completion")
}

// words writes what may follow the given words of a call, each in a line: flags of the verb, and
// verbs, ids or lists.
func (c *Call) words(before []string) error {
	verbs := c.app.verbs()
	verb := &verbs[0]
	var out []string
	switch {
	case len(before) == 0:
		for _, v := range verbs {
			out = append(out, v.Name)
		}
	case named(verbs, before[0]) != nil:
		verb = named(verbs, before[0])
	}
	flags := flag.NewFlagSet(verb.Name, flag.ContinueOnError)
	verb.Bind(flags)
	flags.VisitAll(func(f *flag.Flag) { out = append(out, "-"+f.Name) })
	switch {
	case verb.Name == "completion":
		out = append(out, "bash", "zsh", "fish")
	case verb.Name == "list" && len(before) == 1:
		out = append(out, "claims", "parts")
		for _, l := range c.app.Lists {
			out = append(out, l.Name)
		}
	case strings.Contains(verb.Usage, "ID"):
		for _, claim := range c.Claims() {
			out = append(out, claim.ID)
		}
	}
	_, err := fmt.Fprintln(c.Out, strings.Join(out, "\n"))
	return err
}
