package main

import (
	"errors"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"

	"sledge/props"
)

// trace says which claims come by which mistakes, by their numbers.
type trace struct {
	start map[int]bool            // reached before any claim
	at    map[int]map[string]bool // reached within a claim
	many  map[string]int          // how many a claim comes by
}

func readTrace(path string) (*trace, error) {
	text, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) { // nothing was traced
		return nil, err
	}
	t := &trace{map[int]bool{}, map[int]map[string]bool{}, map[string]int{}}
	for line := range strings.Lines(string(text)) {
		f := strings.Fields(line)
		if f[0] == "after" { // between two claims
			continue
		}
		for _, s := range f[1:] {
			k, _ := strconv.Atoi(s)
			if f[0] == "-" {
				t.start[k] = true
				continue
			}
			if t.at[k] == nil {
				t.at[k] = map[string]bool{}
			}
			if !t.at[k][f[0]] {
				t.at[k][f[0]] = true
				t.many[f[0]]++
			}
		}
	}
	return t, nil
}

// by reports whether a claim comes by mistake number k.
func (t *trace) by(k int, m *mistake, c *props.Claim) bool {
	file, _, _ := strings.Cut(strings.TrimPrefix(c.At, "sledge/"), ":")
	return t.at[k][c.ID] || c.ID == m.claim || slices.Contains(m.about, c.ID) ||
		m.claim == "" && t.start[k] && len(t.at[k]) == 0 && file == m.file
}
