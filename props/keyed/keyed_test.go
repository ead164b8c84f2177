package keyed

import (
	"math"
	"strings"
	"testing"
)

// TestPathsAreDistinct derives many keys along similar paths: no two may agree in any of their
// identifications.
func TestPathsAreDistinct(t *testing.T) {
	seen := map[Key]string{}
	seeds := map[uint64]string{}
	add := func(path string, k Key) {
		t.Helper()
		if other, ok := seen[k]; ok {
			t.Errorf("%s and %s are the same stream", path, other)
		}
		if other, ok := seeds[k.Seed()]; ok {
			t.Errorf("%s and %s have the same seed", path, other)
		}
		seen[k], seeds[k.Seed()] = path, path
	}
	for _, seed := range []uint64{0, 1, 2, 1 << 63} {
		root := New(seed)
		add("root", root)
		for i := range 2000 {
			add("number", root.At(i))
		}
		for _, name := range []string{"", "a", "b", "ab", "ba", "a\x00", "\x00", "\x00\x00",
			"12345678", "123456789", "1234567", "12345678\x00",
			strings.Repeat("x", 16), strings.Repeat("x", 17), "search", "confirm"} {
			add("name "+name, root.With(name))
			add("nested "+name, root.With(name).With(name))
			add("numbered "+name, root.With(name).At(0))
			if name != "" {
				add("number first "+name, root.At(0).With(name))
			}
		}
		add("split", root.With("1234").With("5678"))
		add("split after eight", root.With("12345678").With("9"))
		add("negative", root.At(-1))
	}
	add("zero", Key{})
}

// TestKeysAreValues: deriving a child leaves the parent alone, and equal paths give equal streams.
func TestKeysAreValues(t *testing.T) {
	k := New(3).With("claim")
	before := k
	a, b := k.At(1).Rand(), k.At(1).Rand()
	if child := k.With("other").At(5); child == k || k != before {
		t.Error("deriving a child changed the parent")
	}
	for range 100 {
		if a.Uint64() != b.Uint64() {
			t.Fatal("the same path gave different bits")
		}
	}
}

// TestGolden pins the bits: recorded seeds and replay tokens rest on them.
func TestGolden(t *testing.T) {
	if got := New(0).With("claim").At(7).With(
		"batches").Rand().Uint64(); got != 0xd92cad2d287a1413 {
		t.Errorf("first number %#x, want 0xd92cad2d287a1413", got)
	}
}

// TestNeighboursLookIndependent compares the first numbers of neighbouring streams: their
// correlation and mean must be those of independent uniform numbers, within five standard
// deviations.
func TestNeighboursLookIndependent(t *testing.T) {
	const n = 20000
	for name, stream := range map[string]func(i int) Key{
		"numbers":      New(1).At,
		"seeds":        func(i int) Key { return New(uint64(i)) },
		"nested":       func(i int) Key { return New(1).At(i / 100).At(i % 100) },
		"names":        func(i int) Key { return New(1).With(strings.Repeat("y", i%50)).At(i / 50) },
		"high numbers": func(i int) Key { return New(1).At(i << 40) },
	} {
		var sum, product, bits float64
		previous := stream(0).Rand().Float64()
		for i := 1; i <= n; i++ {
			u := stream(i).Rand().Float64()
			sum += u - 0.5
			product += (u - 0.5) * (previous - 0.5)
			previous = u
			bits += float64(stream(i).Seed()&1) - 0.5
		}
		sd := math.Sqrt(n)
		if math.Abs(sum) > 5*sd/math.Sqrt(12) || math.Abs(product) > 5*sd/12 ||
			math.Abs(bits) > 5*sd/2 {
			t.Errorf("%s: sum %v, products %v, bits %v", name, sum, product, bits)
		}
	}
}

// TestPerturbed: a perturbed key gives the same streams, and moves numbers by as many last places
// as it may, in both directions, differently for each perturbation and in the same way each time.
func TestPerturbed(t *testing.T) {
	k := New(3).With("run")
	if a, b := k.At(1).Rand().Uint64(), k.Perturbed(2).At(1).Rand().Uint64(); a != b ||
		k.Seed() != k.Perturbed(2).Seed() {
		t.Error("a perturbation changes the stream")
	}
	v := make([]float64, 300)
	for i := range v {
		v[i] = 1 + float64(i)
	}
	k.Perturb(v)
	one, two, again := append([]float64(nil), v...), append([]float64(nil), v...),
		append([]float64(nil), v...)
	k.Perturbed(1).Perturb(one)
	k.Perturbed(2).Perturb(two)
	k.Perturbed(1).Perturb(again)
	up, down, differ := 0, 0, 0
	for i, x := range v {
		if x != 1+float64(i) {
			t.Fatal("a plain key perturbs")
		}
		switch one[i] {
		case math.Nextafter(x, math.Inf(1)):
			up++
		case math.Nextafter(x, math.Inf(-1)):
			down++
		case x:
		default:
			t.Fatalf("%v became %v", x, one[i])
		}
		if one[i] != again[i] {
			t.Fatal("the same perturbation moved a number otherwise")
		}
		if one[i] != two[i] {
			differ++
		}
	}
	if up < 60 || down < 60 || differ < 100 {
		t.Errorf("of 300 numbers %d went up, %d down, and %d differ between two perturbations", up,
			down, differ)
	}
	for i, most := range []float64{1, 4, 16, 64, 256, 1024, 4096, 16384, 1, 4} {
		far := 0.0
		for _, x := range v {
			moved := []float64{-x}
			k.At(int(x)).Perturbed(i + 1).Perturb(moved)
			far = max(far,
				math.Abs(float64(int64(math.Float64bits(-x)-math.Float64bits(moved[0])))))
		}
		if far > most || far < most/2 {
			t.Errorf("perturbation %d moves numbers by up to %v last places, want up to %v", i+1,
				far, most)
		}
	}
	zero := []float64{0, math.Inf(1)}
	k.Perturbed(1).Perturb(zero)
	if zero[0] != 0 || !math.IsInf(zero[1], 1) {
		t.Error("zero or infinity moved")
	}
}

// A stirred key moves the real numbers of its generators a little, more each time, and leaves small
// integers alone.
func TestStirred(t *testing.T) {
	if key := New(1); key.Stirred() != key {
		t.Error("a key that is not perturbed is stirred")
	}
	for i := 1; i <= 8; i++ {
		plain, stirred := New(7).Perturbed(i).Rand(), New(7).Perturbed(i).Stirred().Rand()
		untouched, moved, most := New(7).Rand(), 0, 0.0
		for range 1000 {
			x, y, z := plain.NormFloat64(), stirred.NormFloat64(), untouched.NormFloat64()
			if x != z {
				t.Fatal("a perturbed key has another stream")
			}
			if x != y {
				moved++
			}
			most = max(most, math.Abs(x-y))
			if u, v := plain.Float64(), stirred.Float64(); math.Abs(u-v) > 1e-9 {
				t.Fatalf("%v became %v", u, v)
			}
			untouched.Float64()
			for _, n := range []int{2, 3, 7, 64, 100, 256, 1000} {
				if k := untouched.IntN(n); plain.IntN(n) != k || stirred.IntN(n) != k {
					t.Fatalf("an integer below %d has changed", n)
				}
			}
		}
		if limit := 5e-6 * float64(int(1)<<(i-1)); moved < 500 || most > limit {
			t.Errorf("perturbation %d: %d of 1000 numbers moved, by %v at most, want %v", i, moved,
				most, limit)
		}
	}
}
