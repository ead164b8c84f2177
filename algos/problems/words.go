package problems

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// mostWords is how many different words a column of words may hold: each becomes a column.
const mostWords = 100

// absent reports whether a field says that there is no value.
func absent(field string) bool {
	return slices.Contains([]string{"", "na", "n/a", "nan", "null", "none", "?"},
		strings.ToLower(field))
}

// decimalComma is a number as some programs write it.
var decimalComma = regexp.MustCompile(`^[-+]?[0-9.]*,[0-9]+$`)

// worded are the columns of words of a file: for each column that is kept the numbers of its words
// in the order in which they came, nil for a column of numbers.
type worded struct {
	columns []map[string]int
	names   []string // of the columns, for complaints and for those that are made
	named   bool     // names are those of the file
}

// take turns a field into a number, which is that of its word in a column of words.
func (w *worded) take(k int, field string, first, words bool) (float64, error) {
	if c := w.columns[k]; c != nil {
		if _, known := c[field]; !known && len(c) == mostWords {
			return 0, fmt.Errorf(
				"the column %s holds more than %d different words: leave it out (-drop %s of the "+
					"command)",
				w.names[k], mostWords, w.names[k])
		} else if !known {
			c[strings.Clone(field)] = len(c)
		}
		return float64(c[field]), nil
	}
	v, err := number(field)
	switch {
	case err == nil:
		return v, nil
	case absent(field) && words:
		return 0, fmt.Errorf(
			"the column %s has no value: leave such rows out (-missing skip of the command) or "+
				"the column "+
				"(-drop %s)", w.names[k], w.names[k])
	case decimalComma.MatchString(field):
		return 0, fmt.Errorf("field %d is %q: want a point in the place of the comma", k+1,
			clip(field))
	case words && first:
		w.columns[k] = map[string]int{}
		return w.take(k, field, false, words)
	case words:
		return 0, fmt.Errorf(
			"the column %s holds numbers before, and here %q: leave it out (-drop %s of the "+
				"command) if that is meant",
			w.names[k], clip(field), w.names[k])
	}
	return 0, fmt.Errorf("field %d is %q, not a finite number", k+1, clip(field))
}

// spread makes a column of 0 and 1 of each word, in alphabetical order, and says so.
func (w *worded) spread(t *Table, kept []int, most int64) (said string, err error) {
	var in []int // where each column that is made comes from
	var words [][]string
	var told []string
	for k, from := range kept {
		c := w.columns[from]
		if c == nil {
			in, words = append(in, k), append(words, nil)
			continue
		}
		sorted := slices.Sorted(maps.Keys(c))
		words = append(words, sorted)
		in = append(in, slices.Repeat([]int{k}, len(sorted))...)
		told = append(told, fmt.Sprintf("%s (%s)", w.names[from], clip(strings.Join(sorted, ", "))))
	}
	if len(told) == 0 {
		return "", nil
	}
	if need := int64(16 * t.Rows() * len(in)); most > 0 && need > most {
		return "", fmt.Errorf(
			"with a column for each word the table takes %.3g GB of memory, of which there are "+
				"no more",
			float64(need)/1e9)
	}
	values := make([]float64, 0, t.Rows()*len(in))
	for row := range slices.Chunk(t.Value, t.Width) {
		for k, v := range row {
			if words[k] == nil {
				values = append(values, v)
				continue
			}
			c := w.columns[kept[k]]
			for _, word := range words[k] {
				one := 0.0
				if c[word] == int(v) {
					one = 1
				}
				values = append(values, one)
			}
		}
	}
	var names []string
	for k, from := range kept {
		if words[k] == nil {
			names = append(names, w.names[from])
		}
		for _, word := range words[k] {
			names = append(names, w.names[from]+"="+word)
		}
	}
	t.Value, t.Width = values, len(in)
	for k := range t.Start {
		t.Start[k] = k * t.Width
	}
	if t.Names = nil; w.named {
		t.Names = names
	}
	return strings.Join(told, "; "), nil
}
