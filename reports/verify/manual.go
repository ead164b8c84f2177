package verify

import (
	"embed"
	"flag"
	"io/fs"
	"strings"

	"sledge/props"
)

//go:embed help/*.txt
var help embed.FS

// Described returns the verb with what the file help/NAME.txt says of it: a line with its name and
// usage, one with its summary, what -h says besides, under the line FLAGS what flags mean, each
// name with its text indented below it, and under the line EXAMPLES calls ("." is the one without
// arguments), each with what it does below it. The line "(patterns)" stands for what an ID-PATTERN
// is. It panics if there is no such file, and when the flags are declared if the file and Bind do
// not explain each of them once.
func (v Verb) Described(files fs.FS, name string) Verb {
	said, calls, _ := strings.Cut(manualText(files, name), "\nEXAMPLES\n")
	said, flags, _ := strings.Cut(said, "\nFLAGS\n")
	head, about, _ := strings.Cut(said, "\n\n")
	usage, summary, _ := strings.Cut(strings.TrimSpace(head), "\n")
	v.Name, v.Usage, _ = strings.Cut(usage, " ")
	v.Summary, v.Help = summary,
		strings.TrimSpace(strings.ReplaceAll(about, "(patterns)", patterns()))
	lines := strings.Split(strings.TrimSpace(calls), "\n")
	for k := 0; k+1 < len(lines); k += 2 {
		v.Examples = append(v.Examples,
			Example{strings.TrimPrefix(lines[k], "."), strings.TrimSpace(lines[k+1])})
	}
	bind := v.Bind
	v.Bind = func(set *flag.FlagSet) Action {
		do := bind(set)
		explainFlags(set, flags)
		return do
	}
	return v
}

// explainFlags gives flags their texts, and panics if one has none in the end.
func explainFlags(set *flag.FlagSet, texts string) {
	flagTexts(set, texts)
	set.VisitAll(func(f *flag.Flag) {
		if f.Usage == "" {
			panic("verify: nothing explains -" + f.Name)
		}
	})
}

// Explain gives flags that several verbs have their texts, which stand in help/NAME.txt of files as
// those of a verb do, see [Verb.Described]. It panics if one is no flag, or is explained twice.
func Explain(set *flag.FlagSet, files fs.FS, name string) {
	flagTexts(set, manualText(files, name))
}

func flagTexts(set *flag.FlagSet, texts string) {
	var at *flag.Flag
	for line := range strings.Lines(texts) {
		if name, found := strings.CutPrefix(line, "-"); found {
			if at = set.Lookup(strings.TrimSpace(name)); at == nil || at.Usage != "" {
				panic("verify: " + strings.TrimSpace(line) + " is no flag, or is explained twice")
			}
		} else if text := strings.TrimSpace(line); text != "" {
			at.Usage = strings.TrimPrefix(at.Usage+" "+text, " ")
		}
	}
}

// patterns says what an ID-PATTERN is.
func patterns() string { return strings.TrimSpace(manualText(help, "patterns")) }

func manualText(files fs.FS, name string) string {
	return string(props.Must(fs.ReadFile(files, "help/"+name+".txt")))
}
