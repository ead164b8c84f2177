//go:build cgo && openblas

package network

// #cgo LDFLAGS: -lopenblas
// #cgo noescape cblas_dgemm
// #cgo nocallback cblas_dgemm
// #include <cblas.h>
import "C"

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// slab is the number of examples that pass through the layers together: so many that the weights,
// which are put in order for each product, are a small part of what is.
const slab = 2048

// Runs are parallel among themselves, and one thread makes a sum in the same order each time.
func init() { C.openblas_set_num_threads(1) }

// gemm sets c to a·b + beta·c, with either factor transposed.
func gemm(tA, tB blas.Transpose, a, b blas64.General, beta float64, c blas64.General) {
	inner := a.Cols
	if tA == blas.Trans {
		inner = a.Rows
	}
	C.cblas_dgemm(C.CblasRowMajor, transposition(tA), transposition(tB), C.blasint(c.Rows),
		C.blasint(c.Cols), C.blasint(inner), 1, pointer(a), C.blasint(a.Stride),
		pointer(b), C.blasint(b.Stride), C.double(beta), pointer(c), C.blasint(c.Stride))
}

func pointer(m blas64.General) *C.double { return (*C.double)(&m.Data[0]) }

func transposition(t blas.Transpose) C.enum_CBLAS_TRANSPOSE {
	if t == blas.Trans {
		return C.CblasTrans
	}
	return C.CblasNoTrans
}
