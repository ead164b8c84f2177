package verbs

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"sledge/algos/problems"
	"sledge/algos/problems/letters"
)

// readExamples reads examples with classes as targets: a pair of IDX files, images and labels, with a comma between
// their names, or one CSV file, whose features rescale is to bring into a range fit for networks. It returns the names
// without their directories beside the examples.
func readExamples(names string, sel letters.Selection, opt problems.ReadOptions,
	rescale func(*problems.Table) error) (*problems.Table, string, error) {
	paths := strings.Split(names, ",")
	if len(paths) > 2 {
		return nil, "", fmt.Errorf("%d files, want IDX images and labels, or one CSV file", len(paths))
	}
	var files []letters.File
	var short []string
	for _, path := range paths {
		if path == "" {
			return nil, "", fmt.Errorf("%q names no file on one side of the comma, want IDX images and labels", names)
		}
		file, err := open(path)
		if err != nil {
			return nil, "", err
		}
		defer file.Close()
		files, short = append(files, letters.File{Name: path, Reader: file}), append(short, filepath.Base(path))
	}
	var t *problems.Table
	var err error
	if len(files) == 2 {
		t, err = letters.ReadIDX(files[0], files[1], sel)
	} else {
		var in io.Reader
		if in, err = unzipped(files[0].Reader, paths[0]); err == nil {
			peek := bufio.NewReader(in)
			if magic, _ := peek.Peek(3); bytes.Equal(magic, []byte{0, 0, 8}) {
				return nil, "", fmt.Errorf("%s is one IDX file, want images and labels with a comma between them", paths[0])
			}
			in = peek
			opt.Labels = problems.Classes
			t, err = problems.ReadCSV(in, paths[0], opt)
		}
		if err == nil {
			err = rescale(t)
		}
	}
	return t, strings.Join(short, ", "), err
}

// open opens a file of data. What has no end, or no bytes, is refused.
func open(path string) (*os.File, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	switch {
	case err != nil:
	case info.IsDir():
		err = fmt.Errorf("%s is a directory, want a file", path)
	case info.Mode()&os.ModeDevice != 0:
		err = fmt.Errorf("%s is a device, want a file", path)
	}
	if err != nil {
		file.Close()
		return nil, err
	}
	return file, nil
}

// unzipped reads what a file holds, uncompressed if its name says that it is compressed.
func unzipped(in io.Reader, name string) (io.Reader, error) {
	if !strings.HasSuffix(name, ".gz") {
		return in, nil
	}
	packed := &counted{in: in}
	z, err := gzip.NewReader(bufio.NewReader(packed))
	if err != nil {
		return nil, fmt.Errorf("%s: %v", name, err)
	}
	return &inflated{z, packed, 0}, nil
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

// A file that is larger than mostUnpacked and more than mostRatio times as large as what it is unpacked from is made to
// fill a memory, not to be read: tables of numbers become 3 to 30 times as large, and some of many zeros 200 times.
const (
	mostUnpacked = 1 << 28
	mostRatio    = 400
)

// inflated is what a packed file holds.
type inflated struct {
	in     io.Reader
	packed *counted
	bytes  int64
}

func (f *inflated) Read(p []byte) (int, error) {
	n, err := f.in.Read(p)
	if f.bytes += int64(n); f.bytes > mostUnpacked && f.bytes > mostRatio*f.packed.bytes {
		return 0, fmt.Errorf("the file unpacks to more than %d times its size; unpack it if that is meant", mostRatio)
	}
	return n, err
}

// withoutPackage is the message of an error of one of our packages without the package's name.
func withoutPackage(err error) string {
	message := err.Error()
	for _, p := range []string{"experiments: ", "letters: ", "problems: ", "network: "} {
		message = strings.TrimPrefix(message, p)
	}
	return message
}
