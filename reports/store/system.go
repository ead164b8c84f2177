package store

import "os"

// system makes the changes of files, one step after the other. A test stops it before any of them.
type system struct {
	step func(removal bool) error // asked before each; nil if nothing stops them
}

func (s *system) ask(removal bool) error {
	if s.step == nil {
		return nil
	}
	return s.step(removal)
}

func (s *system) open(path string, flag int, mode os.FileMode) (*stream, error) {
	if err := s.ask(false); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, flag, mode)
	if err != nil {
		return nil, err
	}
	return &stream{s, f}, nil
}

func (s *system) rename(from, to string) error {
	if err := s.ask(false); err != nil {
		return err
	}
	return os.Rename(from, to)
}

// remove removes a file; somebody else may have done so.
func (s *system) remove(path string) error {
	if err := s.ask(true); err != nil {
		return err
	}
	if err := os.Remove(path); !os.IsNotExist(err) {
		return err
	}
	return nil
}

// stream is an open file.
type stream struct {
	*system
	f *os.File
}

// Write writes half of it before it can be stopped, so that a stop tears it.
func (s *stream) Write(b []byte) (int, error) {
	if s.step == nil {
		return s.f.Write(b)
	}
	n, err := s.f.Write(b[:len(b)/2])
	if err != nil {
		return n, err
	}
	if err := s.ask(false); err != nil {
		return n, err
	}
	m, err := s.f.Write(b[n:])
	return n + m, err
}

func (s *stream) Sync() error {
	if err := s.ask(false); err != nil {
		return err
	}
	return s.f.Sync()
}

func (s *stream) Close() error { return s.f.Close() }
