// Package datafile finds the files of real data that some tests read if they are there.
package datafile

import (
	"os"
	"path/filepath"
	"testing"
)

// Open opens a file of real data: in the directory that SLEDGE_DATA names, or in a directory
// shared/data beside this tree or above it. Where there is none it skips the test.
func Open(t testing.TB, name string) *os.File {
	t.Helper()
	dirs := []string{os.Getenv("SLEDGE_DATA")}
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for ; dirs[0] == "" && dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		dirs = append(dirs, filepath.Join(dir, "shared", "data"))
	}
	for _, d := range dirs {
		if d == "" {
			continue
		}
		if f, err := os.Open(filepath.Join(d, name)); err == nil {
			t.Cleanup(func() { f.Close() })
			return f
		}
	}
	t.Skipf("no file %s: set SLEDGE_DATA to the directory that holds it", name)
	return nil
}
