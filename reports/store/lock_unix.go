//go:build unix

package store

import (
	"errors"
	"os"
	"syscall"
)

// flock takes the lock of an open directory without waiting; it reports whether another process has
// it. The lock goes with the process that holds it, however that ends.
func flock(dir *os.File) (taken bool) {
	err := syscall.Flock(int(dir.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	return errors.Is(err, syscall.EWOULDBLOCK) // a file system without locks is used without
}

// share takes the lock of an open directory together with others, instead of alone if it has it. It
// waits for those who have it alone.
func share(dir *os.File) {
	for errors.Is(syscall.Flock(int(dir.Fd()), syscall.LOCK_SH), syscall.EINTR) {
	}
}
