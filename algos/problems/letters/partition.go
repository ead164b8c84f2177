package letters

import (
	"fmt"
	"math"
	"math/rand/v2"

	"sledge/algos/problems"
)

// Groups draws, for every class, draws groups of size rows of that class (lines 655-657: 26 classes
// × 5 draws of 100 images = 130 components). No row is drawn twice. Group c·draws+k is the k-th of
// class c.
func Groups(t *problems.Table, rows []int, draws, size int, r *rand.Rand) ([][]int, error) {
	if draws < 1 || size < 1 {
		return nil, fmt.Errorf("letters: %d draws of %d examples, want at least one of one",
			draws, size)
	}
	var groups [][]int
	for c, list := range byClass(t, rows, r) {
		if len(list) < draws*size {
			return nil, fmt.Errorf("letters: class %s has %d examples, %d draws of %d need %d",
				t.Classes[c], len(list), draws, size, draws*size)
		}
		for k := range draws {
			groups = append(groups, list[k*size:(k+1)*size:(k+1)*size])
		}
	}
	return groups, nil
}

// Owners is the number of clients that share the larger part of a class (line 681).
const Owners = 4

// Spread deals the rows, of which there are equally many of each class, to [Owners] clients for
// each class: a share q of the class in equal parts to its owners, the rest evenly to all other
// clients (lines 679-683; 104 clients for 26 letters). Clients c·Owners … (c+1)·Owners−1 own class
// c. Shares that do not divide are rounded so that all clients hold nearly equally many rows,
// within two of a quarter of a class.
func Spread(t *problems.Table, rows []int, q float64, r *rand.Rand) ([][]int, error) {
	classes := len(t.Classes)
	switch {
	case !(q >= 0 && q <= 1):
		return nil,
			fmt.Errorf("letters: share %v of a class for its owners, want a number from 0 to 1", q)
	case classes < 2:
		return nil, fmt.Errorf("letters: %d classes cannot be spread, want at least 2", classes)
	}
	lists := byClass(t, rows, r)
	each := len(lists[0])
	clients := make([][]int, classes*Owners)
	total := func(i int) int { return len(clients[i]) }
	for c, list := range lists {
		if len(list) != each || each == 0 {
			return nil,
				fmt.Errorf("letters: class %s has %d examples and class %s %d, want equally many",
					t.Classes[0], each, t.Classes[c], len(list))
		}
		own := int(math.Round(q * float64(each)))
		for k, row := range list[:own] {
			clients[c*Owners+k%Owners] = append(clients[c*Owners+k%Owners], row)
		}
	}
	// What is left of every class goes round among the others: first equal shares, then the
	// remainders to the clients with the fewest.
	others := len(clients) - Owners
	left := make([][]int, classes)
	for c, list := range lists {
		list = list[int(math.Round(q*float64(each))):]
		share := len(list) / others
		for i := range clients {
			if i/Owners != c {
				clients[i] = append(clients[i], list[:share]...)
				list = list[share:]
			}
		}
		left[c] = list
	}
	// class after the last one of which the client has taken a remainder
	taken := make([]int, len(clients))
	for c, list := range left {
		for _, row := range list {
			best := -1
			for i := range clients {
				if i/Owners != c && taken[i] != c+1 && (best < 0 || total(i) < total(best)) {
					best = i
				}
			}
			clients[best], taken[best] = append(clients[best], row), c+1
		}
	}
	return clients, nil
}
