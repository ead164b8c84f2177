package formula

import "strings"

// Item is an item of a list, and where in its text it begins, in bytes.
type Item struct {
	Text string
	At   int
}

// Items takes a list apart at the commas and semicolons outside of brackets. The items bear no
// spaces around them, and empty ones are left out.
func Items(text string) (items []Item) {
	depth, start := 0, 0
	put := func(end int) {
		part := text[start:end]
		if item := strings.TrimSpace(part); item != "" {
			items = append(items, Item{item, start + strings.Index(part, item)})
		}
	}
	for i, sign := range text {
		switch sign {
		case '(', '[', '{', '⟨':
			depth++
		case ')', ']', '}', '⟩':
			depth--
		case ',', ';':
			if depth == 0 {
				put(i)
				start = i + 1
			}
		}
	}
	put(len(text))
	return items
}
