package problems

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Open opens a file of data, whose text is unpacked if it is compressed with gzip. Refused are
// directories and devices, which have no end, and, as they are read, files that were packed to fill
// a memory: those that unpack to more than 64 MiB and more than 100 times their size.
func Open(path string) (io.ReadCloser, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	in, err := contents(file)
	if err != nil {
		file.Close()
		return nil, err
	}
	return struct {
		io.Reader
		io.Closer
	}{in, file}, nil
}

// FileOptions says how to read a file of examples.
type FileOptions struct {
	ReadOptions
	// csv or libsvm; by default what the name says: CSV where it ends in .csv, .tsv or .data,
	// with .gz or not
	Format string
	Label  string // name of the column of the label, of a CSV file
	Fixed  bool   // LabelColumn and Header are what is meant; else they are found, see [GuessCSV]
}

// Note is something that was done to a file as it was read, in a word and a sentence.
type Note struct{ What, Said string }

// ReadFile reads the examples of a LIBSVM or CSV file, packed with gzip or not. Of a CSV file it
// finds the separator and the label, makes columns of 0 and 1 of columns of words, and says so.
func ReadFile(path string, opt FileOptions) (t *Table, notes []Note, err error) {
	file, err := Open(path)
	if err != nil {
		return nil, nil, err
	}
	defer file.Close()
	format := opt.Format
	if format == "" {
		format = "libsvm"
		ending := strings.ToLower(filepath.Ext(strings.TrimSuffix(path, ".gz")))
		if slices.Contains([]string{".csv", ".data", ".tsv"}, ending) {
			format = "csv"
		}
	}
	switch {
	case format == "libsvm" && (opt.Label != "" || len(opt.Drop) > 0 || opt.SkipMissing):
		return nil, nil,
			fmt.Errorf("%s: only the columns of a CSV file have names, and may lack values", path)
	case format == "libsvm":
		t, err = ReadLIBSVM(file, path, opt.ReadOptions)
		return t, nil, err
	case format != "csv":
		return nil, nil, fmt.Errorf("%s: there is no format %q; there are csv and libsvm",
			path, format)
	case opt.Fixed && opt.Label != "":
		return nil, nil, fmt.Errorf("%s: a name and a number say which column is the label", path)
	}
	note := func(what, said string) { notes = append(notes, Note{what, said}) }
	const seen = 1 << 16 // bytes by which the label is found
	in := bufio.NewReaderSize(file, seen)
	if mark, _ := in.Peek(3); string(mark) == "\ufeff" {
		in.Discard(3) // a mark of byte order that some programs write
	}
	head, _ := in.Peek(seen) // what is wrong with the file is told when it is read
	if first, _, _ := bytes.Cut(head, []byte("\n")); opt.Comma == 0 &&
		!bytes.ContainsRune(first, ',') {
		for _, c := range ";\t" {
			if bytes.ContainsRune(first, c) {
				opt.Comma = c
				note("Separator", map[rune]string{';': "a semicolon", '\t': "a tab"}[c])
				break
			}
		}
	}
	opt.Words = true
	if !opt.Fixed && len(head) < seen { // before it is asked which column is the label
		if line, what := defect(head, opt.Comma); what != "" {
			return nil, nil, fmt.Errorf("%s:%d: %s", path, line, what)
		}
	}
	if !opt.Fixed {
		var label string
		if opt.ReadOptions, label, err = GuessCSV(head, opt.Label, opt.ReadOptions); err != nil {
			return nil, nil, fmt.Errorf("%s: %w", path, err)
		}
		if label != "" {
			note("Label", label)
		}
	}
	t, err = readCSV(in, path, opt.ReadOptions, note)
	return t, notes, err
}

// contents returns what a file holds.
func contents(file *os.File) (io.Reader, error) {
	info, err := file.Stat()
	switch {
	case err != nil:
		return nil, err
	case info.IsDir():
		return nil, fmt.Errorf("%s is a directory, want a file", file.Name())
	case info.Mode()&os.ModeDevice != 0:
		return nil, fmt.Errorf("%s is a device, want a file", file.Name())
	}
	in, err := unpacked(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %v", file.Name(), err)
	}
	return in, nil
}

// unpacked returns what is packed in a stream, or the stream if nothing is.
func unpacked(in io.Reader) (io.Reader, error) {
	packed := &counted{in: in}
	buffered := bufio.NewReaderSize(packed, 1<<16)
	if head, _ := buffered.Peek(2); !bytes.Equal(head, []byte{0x1f, 0x8b}) {
		return buffered, nil
	}
	z, err := gzip.NewReader(buffered)
	if err != nil {
		return nil, err
	}
	return &inflated{counted{in: z}, packed}, nil
}

// counted counts the bytes that are read.
type counted struct {
	in    io.Reader
	bytes int64
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.in.Read(p)
	c.bytes += int64(n)
	return n, err
}

// A file that unpacks to more than mostUnpacked bytes and to more than mostRatio times its size is
// not read. Measured numbers unpack to 3 to 6 times their size, indicators of categories to 8 to 11
// times (a9a: 11), dense rows of which one number in a hundred is not 0 to 106 times; equal rows
// reach 250, and a made-up file 1000. A table takes at most ten bytes for each of its text, so that
// below mostUnpacked no harm is done; above it, [ReadOptions] has a bound.
const (
	mostUnpacked = 1 << 26
	mostRatio    = 100
)

// inflated is what a packed file holds.
type inflated struct {
	counted
	packed *counted
}

func (f *inflated) Read(p []byte) (int, error) {
	n, err := f.counted.Read(p)
	if f.bytes > mostUnpacked && f.bytes > mostRatio*f.packed.bytes {
		return 0,
			fmt.Errorf(
				"the file unpacks to more than %d times its size, which no table of measurements does; "+
					"unpack it if that is meant", mostRatio)
	}
	return n, err
}
