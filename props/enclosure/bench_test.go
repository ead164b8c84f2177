package enclosure_test

import (
	"math/big"
	"testing"

	"sledge/props/enclosure"
)

var sink enclosure.Interval

func BenchmarkLog(b *testing.B) {
	x := enclosure.Rat(big.NewRat(10, 7))
	for b.Loop() {
		sink = x.Log()
	}
}

func BenchmarkExp(b *testing.B) {
	x := enclosure.Rat(big.NewRat(-1000, 7))
	for b.Loop() {
		sink = x.Exp()
	}
}

func BenchmarkLogFactorial(b *testing.B) {
	for b.Loop() {
		sink = enclosure.LogFactorial(1_000_000)
	}
}
