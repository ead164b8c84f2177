package formula

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"sledge/props"
)

// Kind says which values a symbol takes.
type Kind uint8

// The kinds.
const (
	Real        Kind = iota // a real number
	Count                   // a whole number
	Logarithmic             // a real number ≥ 1 that grows like a logarithm: what Õ drops
)

// Symbol is a quantity that formulas speak of.
type Symbol struct {
	// Name as the paper writes it: a letter or a word, primes, and after an underscore one letter,
	// digits, or several characters in braces, such as ε, C_1, ζ', σ_{max}. Any other text without
	// an underscore, such as ‖v−∇f‖, is a name if no formula needs it otherwise.
	Name string
	Unit props.Unit
	Kind Kind
	// Lo ≤ Hi is the range from which the symbol is drawn where nothing else is said, by default
	// 10⁻³ to 10³ for real numbers and 1 to 10³ for the other kinds. Values are spread evenly in
	// the logarithm, or evenly if Lo is not positive.
	Lo, Hi float64
}

// Vocabulary is the symbols that formulas may use. It is not changed once made, and may be shared.
type Vocabulary struct {
	symbols []Symbol
	index   map[string]int
	// what names begin with, before primes and index, as they may be spelled; longest first
	bases []string
	ascii map[string]string
	// procedures settle statements, see [Vocabulary.Settling]
	procedures []Procedure
	operators  []string // see [Vocabulary.Operating]
}

// NewVocabulary is [MakeVocabulary] for the symbols of programs. It panics where that returns an
// error.
func NewVocabulary(symbols ...Symbol) *Vocabulary { return props.Must(MakeVocabulary(symbols...)) }

// Words is a vocabulary of numbers without units.
func Words(names ...string) *Vocabulary {
	var symbols []Symbol
	for _, name := range names {
		symbols = append(symbols, Symbol{Name: name})
	}
	return NewVocabulary(symbols...)
}

// MakeVocabulary returns a vocabulary. That a name is empty or is given twice, or that a range is
// empty, is an error.
func MakeVocabulary(symbols ...Symbol) (*Vocabulary, error) {
	v := &Vocabulary{symbols: slices.Clone(symbols), index: map[string]int{},
		ascii: map[string]string{}}
	for i := range v.symbols {
		s := &v.symbols[i]
		if s.Lo == 0 && s.Hi == 0 {
			if s.Lo, s.Hi = 1e-3, 1e3; s.Kind != Real {
				s.Lo = 1
			}
		}
		_, twice := v.index[s.Name]
		base, _, _ := strings.Cut(s.Name, "_")
		base = strings.TrimRight(base, "'")
		if base == "" || twice || !(s.Lo <= s.Hi) || math.IsInf(s.Hi-s.Lo, 0) {
			return nil,
				fmt.Errorf("formula: symbol %q with the range [%v, %v] is empty or a repetition",
					s.Name, s.Lo, s.Hi)
		}
		v.index[s.Name] = i
		v.spell(base, base)
		for word, letter := range greek {
			if letter == base {
				v.spell(word, base)
			}
		}
	}
	slices.SortFunc(v.bases, func(a, b string) int {
		if len(a) != len(b) {
			return len(b) - len(a)
		}
		return strings.Compare(a, b)
	})
	return v, nil
}

// Operating returns a vocabulary of the same symbols whose formulas may have operators of the given
// names before a factor, such as E in E‖v‖². What they mean is for the reader of the [Tree] to say:
// there are no programs with them.
func (v *Vocabulary) Operating(names ...string) *Vocabulary {
	c := *v
	c.operators = names
	return &c
}

func (v *Vocabulary) spell(word, base string) {
	if _, known := v.ascii[word]; !known {
		v.ascii[word] = base
		v.bases = append(v.bases, word)
	}
}

// With returns a vocabulary with further symbols. One of the same name takes the place of the
// symbol that v has.
func (v *Vocabulary) With(symbols ...Symbol) *Vocabulary {
	kept := slices.DeleteFunc(slices.Clone(v.symbols), func(s Symbol) bool {
		return slices.ContainsFunc(symbols, func(t Symbol) bool { return t.Name == s.Name })
	})
	return NewVocabulary(append(kept, symbols...)...).Settling(v.procedures...)
}

// Numbers returns a vocabulary of the same symbols without units, for formulas from which a choice
// of units has removed what is 1 in it.
func (v *Vocabulary) Numbers() *Vocabulary {
	symbols := slices.Clone(v.symbols)
	for i := range symbols {
		symbols[i].Unit = props.Unit{}
	}
	return NewVocabulary(symbols...).Settling(v.procedures...)
}

// Names returns the names of the symbols, in the order in which they were given.
func (v *Vocabulary) Names() []string {
	var names []string
	for _, s := range v.symbols {
		names = append(names, s.Name)
	}
	return names
}

// Symbol returns the symbol of the given name.
func (v *Vocabulary) Symbol(name string) (s Symbol, known bool) {
	i, known := v.index[name]
	if known {
		s = v.symbols[i]
	}
	return s, known
}

// greek lists the spellings of Greek letters without Greek letters, and of the other form of
// epsilon.
var greek = map[string]string{"alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "Delta": "Δ",
	"eps": "ε", "epsilon": "ε", "ϵ": "ε",
	"zeta": "ζ", "eta": "η", "theta": "θ", "kappa": "κ", "lambda": "λ", "mu": "μ", "nu": "ν",
	"xi": "ξ", "rho": "ρ", "sigma": "σ", "tau": "τ", "phi": "φ", "omega": "ω"}

// name reads the name of a symbol at the start of s. The name is canonical; n is how many bytes it
// takes, 0 if no base of the vocabulary is there.
func (v *Vocabulary) name(s string) (name string, n int) {
	for _, word := range v.bases {
		if !strings.HasPrefix(s, word) {
			continue
		}
		name, n = v.ascii[word], len(word)
		tail, more := decoration(s[n:])
		return name + tail, n + more
	}
	return "", 0
}

// decoration reads the primes and the index of a name.
func decoration(s string) (canonical string, n int) {
	for {
		r, size := utf8.DecodeRuneInString(s[n:])
		if r != '\'' && r != '′' {
			break
		}
		canonical += "'"
		n += size
	}
	index, more := "", 0
	switch rest := s[n:]; {
	case strings.HasPrefix(rest, "_{"):
		if end := strings.IndexByte(rest, '}'); end > 2 {
			index, more = rest[2:end], end+1
		}
	case strings.HasPrefix(rest, "_"):
		digits := len(rest) - 1 - len(strings.TrimLeft(rest[1:], "0123456789"))
		if r, size := utf8.DecodeRuneInString(rest[1:]); digits == 0 && unicode.IsLetter(r) {
			digits = size
		}
		if digits > 0 {
			index, more = rest[1:1+digits], 1+digits
		}
	default:
		for {
			r, size := utf8.DecodeRuneInString(rest[more:])
			if r < '₀' || r > '₉' {
				break
			}
			index += string('0' + r - '₀')
			more += size
		}
	}
	switch {
	case index == "":
		return canonical, n
	case utf8.RuneCountInString(index) == 1 || strings.Trim(index, "0123456789") == "":
		return canonical + "_" + index, n + more
	}
	return canonical + "_{" + index + "}", n + more
}
