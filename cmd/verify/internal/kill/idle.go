package main

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"sync"

	"sledge/props"
)

// attempt is a mistake that is tried on one claim.
type attempt struct {
	k     int // number of the mistake
	claim string
}

// idle tries mistakes on claims that notice nothing of the matrix: those of their own entries and
// bindings, and on claims without any those that fewest of them come by. Mistakes that no other
// claim of a batch comes by are tried in one process.
func (b *bench) idle(w io.Writer, chosen []*mistake, idle []string, r *rand.Rand,
	known props.Planted) error {
	claims, _, err := b.asked()
	if err != nil {
		return err
	}
	claims = slices.DeleteFunc(claims,
		func(c props.Claim) bool { return !slices.Contains(idle, c.ID) })
	own := map[string]bool{}
	for _, m := range chosen {
		own[m.claim] = true
	}
	var ids []string // that are traced
	for i := range claims {
		if id := claims[i].ID; !own[id] && b.o.each > 0 {
			ids = append(ids, id)
		}
	}
	path := filepath.Join(b.work, "reached")
	var amiss []string
	if len(ids) > 0 { // none would be all
		amiss, err = b.check(nil, 0, ids, "SLEDGE_REACHED="+path)
	}
	if err != nil {
		return err
	}
	reached, err := readTrace(path)
	if err != nil {
		return err
	}
	todo := map[string][]attempt{}
	comes := map[string]map[int]bool{}
	for i := range claims {
		c := &claims[i]
		if slices.Contains(amiss, c.ID) {
			continue
		}
		comes[c.ID] = map[int]bool{}
		for k, m := range chosen {
			if reached.by(k+1, m, c) {
				comes[c.ID][k+1] = true
				todo[c.ID] = append(todo[c.ID], attempt{k + 1, c.ID})
			}
		}
		r.Shuffle(len(todo[c.ID]), func(i, j int) {
			todo[c.ID][i], todo[c.ID][j] = todo[c.ID][j], todo[c.ID][i]
		})
		slices.SortStableFunc(todo[c.ID], func(x, y attempt) int {
			return width(reached, chosen, x) - width(reached, chosen, y)
		})
	}
	rows := map[int]int{} // of the matrix, by the number of the mistake
	for range b.o.idle {
		var next []attempt
		for i := range claims {
			if left := todo[claims[i].ID]; len(left) > 0 {
				next, todo[claims[i].ID] = append(next, left[0]), left[1:]
			}
		}
		parts := apart(next, comes, own)
		var mu sync.Mutex
		b.each(len(parts), func(i int) {
			found := b.batch(parts[i])
			mu.Lock()
			defer mu.Unlock()
			for _, a := range parts[i] {
				noticed, planted := found[a]
				if !planted {
					continue
				}
				at, ok := rows[a.k]
				if !ok {
					at, rows[a.k] = len(known.Mistakes), len(known.Mistakes)
					known.Mistakes = append(known.Mistakes,
						props.Mistake{Mistake: chosen[a.k-1].key(),
							Class: chosen[a.k-1].class, Noticed: []string{}})
				}
				m := &known.Mistakes[at]
				if m.Tried = append(m.Tried, a.claim); noticed {
					m.Noticed, todo[a.claim] = append(m.Noticed, a.claim), nil
				}
				slices.Sort(m.Tried)
				slices.Sort(m.Noticed)
			}
			if b.o.write != "" { // a long draw that is stopped keeps what it has found
				err = errors.Join(err, save(b.o.write, known))
			}
		})
	}
	if err != nil {
		return err
	}
	for _, id := range amiss {
		fmt.Fprintf(w, "%s is not as expected without a mistake, and was not asked\n", id)
	}
	return b.keep(w, known)
}

// width is how many claims come by a mistake, nothing for one in the entry or the binding of the
// claim.
func width(t *trace, chosen []*mistake, a attempt) int {
	if chosen[a.k-1].claim == a.claim {
		return 0
	}
	return max(1, len(t.at[a.k]))
}

// apart divides attempts into batches in which no claim comes by the mistake that is tried on
// another. Of claims with mistakes of their own it is not known what else they come by.
func apart(list []attempt, comes map[string]map[int]bool,
	own map[string]bool) (batches [][]attempt) {
	for _, a := range list {
		i := slices.IndexFunc(batches, func(batch []attempt) bool {
			return len(batch) < 40 && !slices.ContainsFunc(batch, func(other attempt) bool {
				return own[other.claim] != own[a.claim] || other.k == a.k ||
					comes[a.claim][other.k] || comes[other.claim][a.k]
			})
		})
		if i < 0 {
			i, batches = len(batches), append(batches, nil)
		}
		batches[i] = append(batches[i], a)
	}
	return batches
}

// batch says which attempts are noticed at every seed. Refused mistakes are left out.
func (b *bench) batch(list []attempt) map[attempt]bool {
	halves := func() map[attempt]bool {
		out := map[attempt]bool{}
		for _, half := range [][]attempt{list[:len(list)/2], list[len(list)/2:]} {
			for a, noticed := range b.batch(half) {
				out[a] = noticed
			}
		}
		return out
	}
	out := map[attempt]bool{}
	var on []int
	var ids []string
	for _, a := range list {
		out[a] = true
		on, ids = append(on, a.k), append(ids, a.claim)
	}
	for seed := range seeds {
		noticed, err := b.check(on, seed, ids)
		switch {
		case errors.Is(err, errRefused) && len(list) == 1:
			return nil
		case err != nil && len(list) > 1: // which it is remains to be seen
			return halves()
		case err != nil:
			continue
		}
		for _, a := range list {
			out[a] = out[a] && slices.Contains(noticed, a.claim)
		}
	}
	return out
}
