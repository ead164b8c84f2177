package verify

// Nearest returns the known word that a mistyped one was most likely meant to be, the empty string
// if none is near: at most a third of its characters, and at most two, may have to be inserted,
// removed or changed, or be swapped with their neighbours.
func Nearest(word string, known []string) string {
	best, least := "", min(2, len([]rune(word))/3)+1
	for _, k := range known {
		if d := edits(word, k, least); d < least {
			best, least = k, d
		}
	}
	return best
}

// edits is the number of edits between two words, or some number that is at least most, if there
// are as many.
func edits(a, b string, most int) int {
	s, t := []rune(a), []rune(b)
	if d := len(s) - len(t); d >= most || -d >= most {
		return most
	}
	var before, last []int // the rows above
	row := make([]int, len(t)+1)
	for j := range row {
		row[j] = j
	}
	for i := range s {
		before, last, row = last, row, make([]int, len(t)+1)
		row[0] = i + 1
		for j := range t {
			cost := 1
			if s[i] == t[j] {
				cost = 0
			}
			row[j+1] = min(last[j+1]+1, row[j]+1, last[j]+cost)
			if i > 0 && j > 0 && s[i] == t[j-1] && s[i-1] == t[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
	}
	return row[len(t)]
}
