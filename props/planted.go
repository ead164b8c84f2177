package props

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Planted is a matrix of mistakes that were planted in the sources, and of the claims that notice
// them.
type Planted struct{ Mistakes []Mistake }

// Mistake is a row of the matrix.
type Mistake struct {
	Mistake string   `json:"mistake"` // file, function and what is wrong there
	Class   string   `json:"class"`   // of what is wrong, such as "method" or "check"
	Tried   []string `json:"tried"`   // the claims that were asked
	Noticed []string `json:"noticed"` // those that came out otherwise
	// Tests are packages whose tests fail with a mistake that no claim notices.
	Tests []string `json:"tests,omitempty"`
}

// Notices is how many planted mistakes a claim notices, of those that it was asked about.
type Notices struct {
	Noticed int `json:"noticed"`
	Tried   int `json:"tried"`
}

// plantedSchema names the format of a matrix.
const plantedSchema = "sledge/planted/v1"

// WritePlanted writes a matrix, one line for each mistake, sorted.
func WritePlanted(w io.Writer, p Planted) error {
	var rows []string
	for _, m := range slices.SortedFunc(slices.Values(p.Mistakes),
		func(a, b Mistake) int { return strings.Compare(a.Mistake, b.Mistake) }) {
		line, err := json.Marshal(m)
		if err != nil {
			return err
		}
		rows = append(rows, "\n"+string(line))
	}
	return writeRows(w, plantedSchema, "mistakes", "[]", rows)
}

// ReadPlanted reads what WritePlanted wrote.
func ReadPlanted(text []byte) (p Planted, err error) {
	var f struct {
		Schema   string
		Mistakes []Mistake
	}
	err = readRows(text, "the matrix of planted mistakes", &f, &f.Schema, plantedSchema)
	if err != nil {
		return p, err
	}
	for _, m := range f.Mistakes {
		for _, id := range m.Noticed {
			if !slices.Contains(m.Tried, id) {
				return p, fmt.Errorf("props: the matrix of planted mistakes: %s notices %q and was "+
					"not asked about it", id, m.Mistake)
			}
		}
	}
	return Planted{f.Mistakes}, nil
}

// count says how many mistakes each claim was asked about, and how many of them it notices.
func (p Planted) count() map[string]*Notices {
	out := map[string]*Notices{}
	at := func(id string) *Notices {
		if out[id] == nil {
			out[id] = &Notices{}
		}
		return out[id]
	}
	for i := range p.Mistakes {
		for _, id := range p.Mistakes[i].Tried {
			at(id).Tried++
		}
		for _, id := range p.Mistakes[i].Noticed {
			at(id).Noticed++
		}
	}
	return out
}

// Tell gives each claim what the matrix says of it.
func (p Planted) Tell(claims []Claim) {
	count := p.count()
	for i := range claims {
		claims[i].Notices = count[claims[i].ID]
	}
}

// Lacking returns the claims that notice nothing of what was planted, and those of them that were
// never asked.
func (p Planted) Lacking(claims []Claim) (idle, never []string) {
	count := p.count()
	for i := range claims {
		n := count[claims[i].ID]
		if n == nil {
			never = append(never, claims[i].ID)
		}
		if n == nil || n.Noticed == 0 {
			idle = append(idle, claims[i].ID)
		}
	}
	return idle, never
}
