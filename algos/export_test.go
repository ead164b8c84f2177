package algos

// Foresee shows the tests the ability of a randomness to foresee minibatches of one component.
func Foresee(r Randomness, dst []int, n int) bool { return r.(foresighted).foresee(dst, n, Batches) }

// Table shows the tests a table.
type Table struct{ t *table }

// NewTable makes one with room for so many bases.
func NewTable(n, d, bases int) Table { return Table{emptyTable(n, d, bases)} }

// Store gives components a base of equal entries.
func (t Table) Store(components []int, c float64) {
	base, entries := t.t.fresh()
	for l := range entries {
		entries[l] = c
	}
	for _, i := range components {
		t.t.set(i, 0, base)
	}
	if len(components) == 0 {
		t.t.free = append(t.t.free, base)
	}
}

// AddBases adds the bases of components, times c, to dst.
func (t Table) AddBases(dst []float64, c float64, components []int) { t.t.addBases(dst, c, components) }
