package props

import (
	"math"
	"testing"

	"sledge/props/keyed"
)

// A perturbed source moves the numbers of choices by last bits, equal ones equally, within their ranges, and remembers them as they were.
func TestPerturbedSource(t *testing.T) {
	given := []float64{0.3, 0.3, 0.6, -0.3, 1, 5, 0, 0.1}
	draw := func(s *Source) []float64 {
		out := []float64{s.Real("a", 0, 2), s.LogReal("b", 0.01, 3), s.Real("2a", 0, 2), s.Real("-a", -1, 1), s.Real("top", 0, 1)}
		return append(out, float64(s.Int("n", 1, 9)), s.Real("zero", -1, 1), s.Real("other", 0, 1))
	}
	plain := NewSource(replayed(given, middle))
	want := draw(plain)
	moved, apart, least, most := 0, 0, false, false
	for j := range 50 {
		s := perturbedSource(replayed(given, middle), keyed.New(uint64(j)).Perturbed(j+1))
		got := draw(s)
		for i := range got {
			if s.Drawn[i].Value != given[i] {
				t.Fatalf("%d: the source remembers %v for %v", j, s.Drawn[i].Value, given[i])
			}
			if math.Abs(got[i]-want[i]) > trembles*0x1p-52*math.Abs(want[i]) {
				t.Fatalf("%d: %v became %v", j, want[i], got[i])
			}
		}
		if got[1] != got[0] || got[2] != 2*got[0] || got[3] != -got[0] || got[5] != 5 || got[6] != 0 || got[4] > 1 {
			t.Fatalf("%d: %v became %v", j, want, got)
		}
		least, most = least || got[0] < want[0], most || got[0] > want[0]
		if got[0] != want[0] {
			moved++
		}
		if got[7]*3 != got[0] {
			apart++
		}
	}
	if moved < 30 || apart < 30 || !least || !most {
		t.Errorf("the first number moved %d times out of 50 (down %v, up %v), apart from the last one %d times", moved, least, most, apart)
	}
	a, b := perturbedSource(middle, keyed.Key{}).Key("run"), NewSource(middle).Key("run")
	if a != b || a.Trembles() {
		t.Error("a source that is not perturbed gives keys that are")
	}
	if c := perturbedSource(middle, keyed.New(1).Perturbed(1)).Key("run"); !c.Trembles() || c.Seed() != a.Seed() {
		t.Error("the key of a perturbed source is not the same key, perturbed")
	}
}
