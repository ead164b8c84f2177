package store

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
)

// Kept are the pieces of a long work that are over, in a log on disk, until all are: a work that
// was stopped goes on from them. Its methods are safe for concurrent use.
type Kept[T any] struct {
	path string
	head keptHead

	mu     sync.Mutex
	log    *Log // nil until a piece is added
	closed bool
	pieces []T
}

type keptHead struct {
	Schema   string `json:"schema"`
	Settings string `json:"settings"`
}

// What a log of pieces may have.
const (
	mostKeptBytes = 256 << 20
	mostKept      = 1e6
)

// Keep returns the pieces that an earlier call with the same path, schema and settings has left;
// none if there are none, or if the log is damaged or one of another work, which the first piece
// that is added replaces. A piece is kept as JSON, and the error of check says that it is none.
func Keep[T any](path, schema, settings string, check func(*T) error) *Kept[T] {
	k := &Kept[T]{path: path, head: keptHead{schema, settings}}
	first := true
	if err := ReadLog(path, mostKeptBytes, mostKept, func(record []byte) error {
		if first {
			first = false
			var head keptHead
			if err := json.Unmarshal(record, &head); err != nil || head != k.head {
				return fmt.Errorf("of another work: %v", err)
			}
			return nil
		}
		var piece T
		if err := json.Unmarshal(record, &piece); err != nil {
			return err
		}
		if err := check(&piece); err != nil {
			return err
		}
		k.pieces = append(k.pieces, piece)
		return nil
	}); err != nil {
		k.pieces = nil
	}
	return k
}

// Path is where the log is.
func (k *Kept[T]) Path() string { return k.path }

// Find returns the first piece that is the one.
func (k *Kept[T]) Find(is func(T) bool) (piece T, found bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if at := slices.IndexFunc(k.pieces, is); at >= 0 {
		return k.pieces[at], true
	}
	return piece, false
}

// Add adds a piece to the log, in a directory that is made if it is not there. After Close it is
// [os.ErrClosed], and nothing is written.
func (k *Kept[T]) Add(piece T) (err error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.closed {
		return os.ErrClosed
	}
	if k.log == nil {
		if err := os.MkdirAll(filepath.Dir(k.path), 0o777); err != nil {
			return err
		}
		known := []any{k.head}
		for _, p := range k.pieces {
			known = append(known, p)
		}
		if k.log, err = NewLog(k.path, known...); err != nil {
			return err
		}
	}
	k.pieces = append(k.pieces, piece)
	return k.log.Add(piece)
}

// Count is the number of pieces.
func (k *Kept[T]) Count() int {
	k.mu.Lock()
	defer k.mu.Unlock()
	return len(k.pieces)
}

// Close ends the log, and removes it if the work is over. Nothing is kept afterwards.
func (k *Kept[T]) Close(over bool) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	open := k.log != nil && !k.closed
	k.closed = true
	if open {
		if err := k.log.Close(); err != nil {
			return err
		}
	}
	if !over {
		return nil
	}
	if err := os.Remove(k.path); err != nil && !os.IsNotExist(err) {
		return err
	}
	return nil
}
