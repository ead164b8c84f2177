package store

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
)

// File is a file to be written.
type File struct {
	Name  string // with its directory, below the common one
	Write func(io.Writer) error
}

// Names of files that are there for a moment: a writer has one file of the first kind, locked as
// long as it lives, and files of the second that bear its number.
const (
	alivePrefix = ".sledge-"
	tempSuffix  = ".tmp"
	hexDigits   = "[0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f]"
)

// Write writes a file as a whole or not at all: into a temporary neighbour that is synced and then
// renamed. A link is followed, and something that is no regular file, such as a pipe or a terminal,
// is written to directly.
func Write(path string, write func(io.Writer) error) error {
	return (&system{}).write(path, write)
}

// Replace writes files below a directory that exists: all of them beside those that they replace,
// and then it puts them in their places, one after the other.
func Replace(dir string, files []File) error { return (&system{}).replace(dir, files) }

func (s *system) write(path string, write func(io.Writer) error) error {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	return s.replace(filepath.Dir(path), []File{{filepath.Base(path), write}})
}

func (s *system) replace(dir string, files []File) (err error) {
	type staged struct{ temp, path string }
	var ready []staged
	var me *alive
	defer func() {
		for _, f := range ready {
			err = errors.Join(err, s.remove(f.temp)) // only if one could not be written
		}
		if me != nil {
			err = errors.Join(err, me.end())
		}
	}()
	for _, f := range files {
		path := filepath.Join(dir, f.Name)
		if target, err := filepath.EvalSymlinks(path); err == nil {
			path = target
		}
		if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
			out, err := s.open(path, os.O_WRONLY, 0)
			if err != nil {
				return err
			}
			if err := errors.Join(f.Write(out), out.Close()); err != nil {
				return err
			}
			continue
		}
		if me == nil {
			if me, err = s.begin(dir); err != nil {
				return err
			}
		}
		if err := s.sweep(escaped(path)+"."+hexDigits+tempSuffix, dir); err != nil {
			return err
		}
		temp := path + "." + me.number + tempSuffix
		out, err := s.open(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if err != nil {
			return err
		}
		ready = append(ready, staged{temp, path})
		if err := errors.Join(f.Write(out), out.Sync(), out.Close()); err != nil {
			return err
		}
	}
	for len(ready) > 0 {
		if err := s.rename(ready[0].temp, ready[0].path); err != nil {
			return err
		}
		ready = ready[1:]
	}
	return nil
}

// alive is the mark of a process that writes into a directory.
type alive struct {
	*system
	number string
	file   *os.File
}

// begin marks a directory as written to.
func (s *system) begin(dir string) (*alive, error) {
	for {
		number := fmt.Sprintf("%08x", rand.Uint32())
		out, err := s.open(filepath.Join(dir, alivePrefix+number),
			os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		f := out.f
		taken := flock(f)
		held, err1 := f.Stat()
		named, err2 := os.Lstat(f.Name())
		if taken || err1 != nil || err2 != nil || !os.SameFile(held, named) {
			// swept before it was locked
			f.Close()
			continue
		}
		return &alive{s, number, f}, nil
	}
}

func (a *alive) end() error { return errors.Join(a.remove(a.file.Name()), a.file.Close()) }

// sweep removes temporary files that match a pattern and whose writer lives no more: it has a mark
// beside them, or in the directory.
func (s *system) sweep(pattern, dir string) error {
	left, err := filepath.Glob(pattern)
	for _, path := range left {
		number := strings.TrimSuffix(path, tempSuffix)
		number = number[len(number)-8:]
		mark := alivePrefix + number
		if !lives(filepath.Join(dir, mark)) && !lives(filepath.Join(filepath.Dir(path), mark)) {
			err = errors.Join(err, s.remove(path))
		}
	}
	return err
}

// lives reports whether somebody has the lock of a mark.
func lives(mark string) bool {
	f, err := os.Open(mark)
	if err != nil {
		return false
	}
	defer f.Close()
	return flock(f)
}

// sweepAll removes what writers that live no more have left in a directory and those right below
// it.
func (s *system) sweepAll(dir string) (err error) {
	for _, below := range []string{"", "*"} {
		err = errors.Join(err,
			s.sweep(filepath.Join(escaped(dir), below, "*."+hexDigits+tempSuffix), dir))
	}
	marks, bad := filepath.Glob(filepath.Join(escaped(dir), alivePrefix+"*"))
	err = errors.Join(err, bad)
	for _, mark := range marks {
		if !lives(mark) {
			err = errors.Join(err, s.remove(mark))
		}
	}
	return err
}

// Lock keeps other processes from taking a directory that exists, until the lock is closed or the
// process ends. What processes have left there that were killed as they wrote is removed.
func Lock(dir string) (io.Closer, error) {
	f, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	if flock(f) {
		return nil, errors.Join(fmt.Errorf("another run is writing into %s", dir), f.Close())
	}
	if err := (&system{}).sweepAll(dir); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// Share is Lock for processes that write files of their own into one directory.
func Share(dir string) (io.Closer, error) {
	f, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	share(f)
	if err := (&system{}).sweepAll(dir); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// escaped is a path as a pattern that matches nothing else.
func escaped(path string) string {
	return strings.NewReplacer("\\", "\\\\", "*", "\\*", "?", "\\?", "[", "\\[").Replace(path)
}

// Glob returns the files of a directory that match a pattern.
func Glob(dir string, pattern ...string) ([]string, error) {
	return filepath.Glob(filepath.Join(append([]string{escaped(dir)}, pattern...)...))
}

// Writable reports why no file can be made in a directory that exists, or nothing be written to it.
func Writable(dir string) error {
	s := &system{}
	a, err := s.begin(dir)
	if err == nil {
		if _, err = a.file.Write(make([]byte, leastRoom)); err != nil {
			err = errors.Join(err, a.end())
		}
	}
	if err != nil {
		why := err
		if path := (*fs.PathError)(nil); errors.As(err, &path) {
			why = path.Err
		}
		return fmt.Errorf("%s cannot be written to: %w", dir, why)
	}
	return a.end()
}

// leastRoom is what must fit on a disk at least for any work to begin.
const leastRoom = 1 << 16

// Makable reports why a directory could not be made and written to. It makes nothing that stays.
func Makable(dir string) error {
	for at := filepath.Clean(dir); ; at = filepath.Dir(at) {
		switch info, err := os.Stat(at); {
		case err == nil && info.IsDir():
			return Writable(at)
		case err == nil:
			return fmt.Errorf("%s is not a directory", at)
		case !errors.Is(err, fs.ErrNotExist) || at == filepath.Dir(at):
			return err
		}
		if _, err := os.Lstat(at); err == nil {
			return fmt.Errorf("%s is a link to nothing", at)
		}
	}
}

// CheckFile reports, before any work, why [Write] could not write to path, as far as can be told
// without writing to it.
func CheckFile(path string) error {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	switch info, err := os.Stat(path); {
	case err == nil && info.IsDir():
		return fmt.Errorf("%s is a directory", path)
	case err == nil && !info.Mode().IsRegular():
		return nil // a device or a pipe
	}
	dir := filepath.Dir(path)
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return fmt.Errorf("there is no directory %s", dir)
	}
	return Writable(dir)
}

// Read reads a file of at most so many bytes. A device is refused, and a pipe, which may never
// begin. Its errors name the file.
func Read(path string, most int64) ([]byte, error) {
	if info, err := os.Stat(path); err == nil && info.Mode()&(os.ModeNamedPipe|os.ModeSocket) != 0 {
		// to open it would wait for somebody who writes
		return nil, fmt.Errorf("%s is a pipe, not a file", path)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, err
	case info.IsDir():
		return nil, fmt.Errorf("%s is a directory", path)
	case info.Mode()&os.ModeDevice != 0:
		return nil, fmt.Errorf("%s is a device, not a file", path)
	}
	var b bytes.Buffer
	if size := info.Size(); size <= most {
		b.Grow(int(size) + bytes.MinRead)
		if _, err = b.ReadFrom(io.LimitReader(f, most+1)); err != nil {
			return nil, err
		}
		if int64(b.Len()) <= most {
			return b.Bytes(), nil
		}
	}
	return nil, fmt.Errorf("%s: more than %s, which no such file has", path, size(most))
}

func size(bytes int64) string {
	if bytes >= 1<<20 {
		return fmt.Sprintf("%d MiB", bytes>>20)
	}
	return fmt.Sprintf("%d bytes", bytes)
}

// Begins reports whether a word stands in the first lines of a regular file.
func Begins(path, word string) bool {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return false
	}
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	head := make([]byte, 256)
	n, _ := io.ReadFull(f, head)
	return bytes.Contains(head[:n], []byte(word))
}
