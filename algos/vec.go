package algos

import "gonum.org/v1/gonum/floats"

// short is the length up to which a loop is faster than the call of a vectorised one.
const short = 12

// allot sets vectors to zeros of length d, in one piece of memory.
func allot(d int, vectors ...*[]float64) {
	room := make([]float64, d*len(vectors))
	for k, v := range vectors {
		*v = room[k*d : (k+1)*d : (k+1)*d]
	}
}

// sized returns a slice of n numbers with any values, in the memory of v if that suffices.
func sized(v []float64, n int) []float64 {
	if n > cap(v) {
		return make([]float64, n)
	}
	return v[:n]
}

func add(dst, x []float64) {
	if len(dst) > short || len(x) != len(dst) {
		floats.Add(dst, x)
		return
	}
	for l, v := range x {
		dst[l] += v
	}
}

func axpy(dst []float64, a float64, x []float64) {
	if len(dst) > short || len(x) != len(dst) {
		floats.AddScaled(dst, a, x)
		return
	}
	for l, v := range x {
		dst[l] += a * v
	}
}

// addTo sets dst to x + a·y; dst may be x.
func addTo(dst, x []float64, a float64, y []float64) {
	if len(dst) > short {
		floats.AddScaledTo(dst, x, a, y)
		return
	}
	for l, v := range y {
		dst[l] = x[l] + a*v
	}
}

func scale(a float64, x []float64) {
	if len(x) > short {
		floats.Scale(a, x)
		return
	}
	for l := range x {
		x[l] *= a
	}
}

// sumRows adds the rows of a matrix with len(dst) columns to dst.
func sumRows(dst, rows []float64) {
	for len(rows) > 0 {
		add(dst, rows[:len(dst)])
		rows = rows[len(dst):]
	}
}
