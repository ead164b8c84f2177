package theory

import (
	"fmt"

	"sledge/algos"
	"sledge/algos/problems"
	"sledge/props/keyed"
)

// mostRows is how many rows of a table a run is on at most.
const mostRows = 12

// RunsOnRows writes a file for Rocq that compares runs on data, as [Runs] does for functions that
// it draws: count runs of each of SLEDGE and FLEDGE with Options I and II, on least squares over
// rows of the table that are drawn from the seed, with all of its columns. The numbers of the table
// are taken for the fractions that they are. A table of fewer than 2 rows is an error.
func RunsOnRows(t *problems.Table, seed uint64, count int) (string, error) {
	if t.Rows() < 2 {
		return "", fmt.Errorf("runs on rows of a table need 2 of them, and this one has %d",
			t.Rows())
	}
	w := &writer{}
	for k := range count {
		for _, option := range []algos.Option{algos.OptionI, algos.OptionII} {
			key := keyed.New(seed).With("runs on rows").At(k).At(int(option))
			if err := w.sledgeOnRows(t, key.With("SLEDGE"), option); err != nil {
				return "", err
			}
			if err := w.fledgeOnRows(t, key.With("FLEDGE"), option); err != nil {
				return "", err
			}
		}
	}
	return w.file(), nil
}

// RunsOnFile is [RunsOnRows] on the rows of a LIBSVM or CSV file, see [problems.ReadFile].
func RunsOnFile(path string, seed uint64, count int) (string, error) {
	t, _, err := problems.ReadFile(path, problems.FileOptions{})
	if err != nil {
		return "", err
	}
	text, err := RunsOnRows(t, seed, count)
	if err != nil {
		return "", fmt.Errorf("%s: %w", path, err)
	}
	return text, nil
}

// rows is least squares on some rows of a table, of which each client holds so many.
func (w *writer) rows(t *problems.Table, key keyed.Key, held []int) (instance, error) {
	count := 0
	clients := make([][]int, len(held))
	for i, size := range held {
		for range size {
			clients[i] = append(clients[i], count)
			count++
		}
	}
	drawn := t.Select(key.With("rows").Rand().Perm(t.Rows())[:count])
	p, err := problems.NewLeastSquares(drawn, clients, 0)
	if err != nil {
		return instance{}, err
	}
	name := fmt.Sprintf("gradient_%d", w.named)
	var lists []string
	for _, own := range clients {
		var data []string
		for _, k := range own {
			row := make([]float64, t.Width)
			columns, values := drawn.Row(k)
			for e, v := range values {
				if columns != nil {
					row[columns[e]] = v
				} else {
					row[e] = v
				}
			}
			data = append(data, fmt.Sprintf("(%s, %s)", vector(row), number(drawn.Target[k])))
		}
		lists = append(lists, list(data))
	}
	fmt.Fprintf(&w.text, "Definition rows_%d := %s.\n", w.named, list(lists))
	fmt.Fprintf(&w.text, "Definition %s (i j : nat) (x : list Q) := "+
		"square (nth j (nth i rows_%d []) ([], 0)) x.\n", name, w.named)
	w.named++
	return instance{p, name, chooser{key}.point(t.Width)}, nil
}

func (w *writer) sledgeOnRows(t *problems.Table, key keyed.Key, option algos.Option) error {
	c := chooser{key}
	n := c.within("n", 2, min(mostRows, t.Rows()))
	held := make([]int, n)
	for i := range held {
		held[i] = 1
	}
	on, err := w.rows(t, key, held)
	if err != nil {
		return err
	}
	m := &algos.SLEDGE{Eta: 1 / float64(int(16)<<c.within("eta", 0, 2)),
		Batch: c.within("b", 1, n-1), Radius: c.radius(c.within("noisy", 0, 2) > 0), Option: option}
	return w.sledgeRun(key, m, on, c.within("T", 1, 3))
}

func (w *writer) fledgeOnRows(t *problems.Table, key keyed.Key, option algos.Option) error {
	c := chooser{key}
	P := c.within("P", 2, min(mostRows/3, t.Rows()))
	each := min(mostRows, t.Rows()) / P
	K := c.within("K", 1, min(2, each))
	held := make([]int, P)
	for i := range held {
		held[i] = c.within(fmt.Sprint("data ", i), K, each)
	}
	on, err := w.rows(t, key, held)
	if err != nil {
		return err
	}
	m := &algos.FLEDGE{Eta: 1 / float64(int(16)<<c.within("eta", 0, 2)),
		Chosen: c.within("p", 1, P-1), Batch: c.within("b", 1, each/K), LocalSteps: K,
		Radius: c.radius(c.within("noisy", 0, 2) > 0), Option: option}
	for i := range held { // a client has the data of a round
		m.Batch = min(m.Batch, held[i]/K)
	}
	return w.fledgeRun(key, m, on, c.within("T", 1, 2))
}
