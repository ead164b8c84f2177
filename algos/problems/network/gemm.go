//go:build !(cgo && openblas)

package network

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// slab is the number of examples that pass through the layers together: so few that what they
// leave behind is still in the cache when it is needed.
const slab = 256

// gemm sets c to a·b + beta·c, with either factor transposed, piece by piece: up to 64 rows and 192
// columns gonum works in the calling goroutine and allocates nothing. Runs are parallel among
// themselves.
func gemm(tA, tB blas.Transpose, a, b blas64.General, beta float64, c blas64.General) {
	const most, columns = 64, 192
	for i := 0; i < c.Rows; i += most {
		rows := min(most, c.Rows-i)
		pa := a
		if tA == blas.NoTrans {
			pa.Rows, pa.Data = rows, a.Data[i*a.Stride:]
		} else {
			pa.Cols, pa.Data = rows, a.Data[i:]
		}
		for j := 0; j < c.Cols; j += columns {
			cols := min(columns, c.Cols-j)
			pb := b
			if tB == blas.NoTrans {
				pb.Cols, pb.Data = cols, b.Data[j:]
			} else {
				pb.Rows, pb.Data = cols, b.Data[j*b.Stride:]
			}
			blas64.Gemm(tA, tB, 1, pa, pb, beta,
				blas64.General{Rows: rows, Cols: cols, Stride: c.Stride,
					Data: c.Data[i*c.Stride+j:]})
		}
	}
}
