package store

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
)

// chain is the state of the checksums of a log: each is over the record and all those before.
type chain [sha256.Size]byte

// sumLength is how many hexadecimal digits of a checksum stand before a record.
const sumLength = 16

const before, after = `{"sum":"`, `"`

// seal makes a line of a value that is an object in JSON.
func (c *chain) seal(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	object := bytes.TrimRight(b.Bytes(), "\n")
	if len(object) < 2 || object[0] != '{' {
		return nil, errors.New("store: a record is no object")
	}
	line := append([]byte(before), c.next(object)...)
	line = append(line, after...)
	if len(object) > 2 {
		line = append(line, ',')
	}
	return append(append(line, object[1:]...), '\n'), nil
}

// next goes on to a record, and returns its checksum.
func (c *chain) next(object []byte) string {
	*c = sha256.Sum256(append(c[:], object...))
	return hex.EncodeToString(c[:])[:sumLength]
}

// open returns the record of a line that seal has made at this place.
func (c *chain) open(line []byte) ([]byte, error) {
	rest, begins := bytes.CutPrefix(line, []byte(before))
	if !begins || len(rest) < sumLength+len(after)+1 ||
		string(rest[sumLength:sumLength+len(after)]) != after {
		return nil, errors.New("the line has no checksum")
	}
	sum, rest := rest[:sumLength], rest[sumLength+len(after):]
	object := append([]byte{'{'}, bytes.TrimSuffix(bytes.TrimPrefix(rest, []byte(",")),
		[]byte("\n"))...)
	if c.next(object) != string(sum) {
		return nil, errors.New(
			"the line, or one before it, was changed, moved or left out: its checksum is another")
	}
	return object, nil
}

// Log is a file to which records are added, each as a line of JSON. A process that is killed loses
// no record that was added before.
type Log struct {
	path string
	out  *stream
	sums chain
	err  error // of the first record that could not be added
}

// NewLog starts a log with records that are known already. A log that is there is replaced as a
// whole.
func NewLog(path string, records ...any) (*Log, error) {
	return (&system{}).newLog(path, records...)
}

func (s *system) newLog(path string, records ...any) (*Log, error) {
	l := &Log{path: path}
	err := s.write(path, func(w io.Writer) error {
		for _, r := range records {
			line, err := l.sums.seal(r)
			if err != nil {
				return err
			}
			if _, err := w.Write(line); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if l.out, err = s.open(path, os.O_WRONLY|os.O_APPEND, 0); err != nil {
		return nil, err
	}
	return l, nil
}

// Add adds a record, an object in JSON. After one that could not be added it adds none.
func (l *Log) Add(record any) error {
	if l.err != nil {
		return l.err
	}
	line, err := l.sums.seal(record)
	if err == nil {
		_, err = l.out.Write(line)
	}
	l.err = err
	return err
}

// Close ends the log and returns why a record could not be added, if so.
func (l *Log) Close() error { return errors.Join(l.err, l.out.Close()) }

// Remove removes the file of the log.
func (l *Log) Remove() error { return l.out.remove(l.path) }

// ReadLog hands out the records of a log, of which there may be so many in a file of so many bytes.
// A last line that a killed process has torn is left out. Its errors, and those of use, are
// returned with the file and the line; an error that is [fs.ErrNotExist] says that there is no log.
func ReadLog(path string, mostBytes int64, mostRecords int, use func(record []byte) error) error {
	data, err := Read(path, mostBytes)
	if err != nil {
		return err
	}
	return parse(path, data, mostRecords, use)
}

func parse(path string, data []byte, mostRecords int, use func(record []byte) error) error {
	if n := bytes.Count(data, []byte("\n")); n > mostRecords {
		return fmt.Errorf("%s: %d lines, of which there are %d at most", path, n, mostRecords)
	}
	var sums chain
	for at := 1; ; at++ {
		end := bytes.IndexByte(data, '\n')
		if end < 0 {
			return nil // without a line end it was torn
		}
		record, err := sums.open(data[:end+1])
		if err == nil {
			err = use(record)
		}
		if err != nil {
			return fmt.Errorf("%s:%d: %w", path, at, err)
		}
		data = data[end+1:]
	}
}
