package verify

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"math"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"sledge/props"
	"sledge/props/certificate/checker"
	"sledge/reports"
	"sledge/reports/store"
)

// Choice declares a flag whose value is one of a few words; *value is the default.
func Choice(flags *flag.FlagSet, value *string, name string, words []string, usage string) {
	flags.Var(choice{value, words}, name, usage)
}

type choice struct {
	value *string
	words []string
}

func (c choice) String() string {
	if c.value == nil {
		return ""
	}
	return *c.value
}

func (c choice) Set(s string) error {
	if !slices.Contains(c.words, s) {
		return fmt.Errorf("want %s", alternatives(c.words))
	}
	*c.value = s
	return nil
}

func alternatives(words []string) string {
	n := len(words) - 1
	if n < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:n], ", ") + " or " + words[n]
}

// Numbers is a flag that holds a list of positive, finite numbers.
type Numbers []float64

func (n *Numbers) String() string {
	var words []string
	for _, v := range *n {
		words = append(words, strconv.FormatFloat(v, 'g', -1, 64))
	}
	return strings.Join(words, ",")
}

// Set reads numbers with commas between them.
func (n *Numbers) Set(list string) error {
	*n = nil
	for word := range strings.SplitSeq(list, ",") {
		v, err := strconv.ParseFloat(strings.TrimSpace(word), 64)
		if err != nil || !(v > 0) || math.IsInf(v, 0) {
			return fmt.Errorf("%q is not a positive number", word)
		}
		*n = append(*n, v)
	}
	return nil
}

// factor declares a flag for a number above least and at most most, of a verb that is
// [Verb.Described].
func factor(flags *flag.FlagSet, value *float64, name string, least, most float64) {
	flags.Func(name, "", func(s string) error {
		v, err := strconv.ParseFloat(s, 64)
		if err != nil || !(v > least && v <= most) {
			return fmt.Errorf("want a number above %v", least)
		}
		*value = v
		return nil
	})
}

// Count declares a flag for a whole number that is not negative, of a verb that is
// [Verb.Described]; *value is the default.
func Count(flags *flag.FlagSet, value *int, name string) {
	whole(flags, value, name, "", 0, math.MaxInt)
}

// whole declares a flag for a whole number from least to most.
func whole(flags *flag.FlagSet, value *int, name, usage string, least, most int) {
	flags.Func(name, usage, func(s string) (err error) {
		upto := "on"
		if most < math.MaxInt {
			upto = fmt.Sprintf("to %d", most)
		}
		if *value, err = strconv.Atoi(s); err != nil || *value < least || *value > most {
			return fmt.Errorf("want a whole number from %d %s", least, upto)
		}
		return nil
	})
}

// place is a flag whose value is the name of a file. A name that looks like a flag is more likely a
// value that was forgotten.
type place struct{ name *string }

func (p place) String() string {
	if p.name == nil {
		return ""
	}
	return *p.name
}

func (p place) Set(s string) error {
	if len(s) > 1 && s[0] == '-' {
		return fmt.Errorf("that is a flag; write ./%s if it is a name", s)
	}
	*p.name = s
	return nil
}

// CheckPages complains, before any work, about a value of the flag -out that cannot be a directory
// of pages, one that cannot be written to, and one in which files of others have the names of the
// comparisons that are to be written.
func CheckPages(dir string, comparisons ...string) error {
	if dir == "" {
		return Usagef("-out needs a directory")
	}
	switch info, err := os.Stat(dir); {
	case err == nil && !info.IsDir():
		return Usagef("-out: %s is not a directory", dir)
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return Usagef("-out: %v", err) // no name of a directory, or one that cannot be looked at
	}
	if err := store.Makable(dir); err != nil {
		return Usagef("-out: %v", err)
	}
	for _, name := range comparisons {
		if path := reports.Foreign(dir, name); path != "" {
			return Usagef("-out: %s exists and is nothing that this verb writes there; "+
				"name another directory", path)
		}
	}
	return nil
}

// Random declares the flags -seed and -j.
type Random struct {
	Seed    uint64 // root of all randomness
	Workers int    // at least 1
}

// Flags declares the flags; what is done at once is named by what.
func (r *Random) Flags(flags *flag.FlagSet, what string) {
	flags.Func("seed", "root of all randomness, 0 unless given: `N` from 0 to 2^64-1",
		func(s string) (err error) {
			if r.Seed, err = strconv.ParseUint(s, 10, 64); err != nil {
				return errors.New("want a whole number from 0 to 2^64-1")
			}
			return nil
		})
	workersFlag(flags, &r.Workers, what)
}

// workersFlag declares the flag -j; what is done at once is named by what, nothing for a verb whose
// file explains the flag.
func workersFlag(flags *flag.FlagSet, workers *int, what string) {
	*workers = runtime.GOMAXPROCS(0)
	usage := ""
	if what != "" {
		usage = "`N` " + what +
			" at once, as many as there are processors unless given; results do not depend on it"
	}
	whole(flags, workers, "j", usage, 1, math.MaxInt)
}

// Budget is what a run of claims may spend, and the root of its randomness.
type Budget struct {
	Random
	tier string
}

// Flags declares the flags -tier, -seed and -j.
func (b *Budget) Flags(flags *flag.FlagSet) {
	b.tier = props.Quick.String()
	Choice(flags, &b.tier, "tier", tierNames(), "`budget` of the run: "+alternatives(tierNames()))
	b.Random.Flags(flags, "claims and trials")
}

// Tier returns the tier.
func (b *Budget) Tier() props.Tier { return props.Must(tierOf(b.tier)) }

// Config is that of a run of some of the claims. Its error level is divided among the tests of all
// of them.
func (b *Budget) Config(all []props.Claim) props.Config {
	cfg := props.Config{Seed: b.Seed, Workers: b.Workers, Alpha: props.DefaultAlpha, Tier: b.Tier(),
		Check: checker.Accept}
	cfg.Tests = props.Tests(all, cfg.Tier)
	return cfg
}

func tiers() []props.Tier { return []props.Tier{props.Quick, props.Standard, props.Deep} }

// tierOf returns the tier with a name, the quick one with an error if there is none.
func tierOf(name string) (props.Tier, error) {
	k := slices.Index(tierNames(), name)
	if k < 0 {
		return props.Quick, fmt.Errorf("there is no tier %q", name)
	}
	return tiers()[k], nil
}

func tierNames() []string {
	var words []string
	for _, t := range tiers() {
		words = append(words, t.String())
	}
	return words
}
