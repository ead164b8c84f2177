// Package theory is the convergence theory of SLEDGE and FLEDGE for the kernel of Rocq, and what
// ties it to this library. The files of the development define each algorithm once, over any
// module: over the reals the theorems speak of that definition, over the rationals it is computed
// and compared with runs of the methods in package algos. README.md says how to read it.
package theory

import (
	"embed"
	"sync"

	"sledge/props/development"
)

//go:embed *.v _CoqProject record.json README.md
var files embed.FS

var read = sync.OnceValues(func() (*development.Development, error) {
	return development.Read(files)
})

// Read returns the development with the record of what the kernel said of it, read once: nobody may
// change it.
func Read() (*development.Development, error) { return read() }
