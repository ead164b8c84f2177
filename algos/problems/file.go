package problems

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
)

// Open opens a file of data, whose text is unpacked if it is compressed with gzip. Refused are directories and devices,
// which have no end, and, as they are read, files that were packed to fill a memory: those that unpack to more than 64
// MiB and more than 100 times their size.
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

// A file that unpacks to more than mostUnpacked bytes and to more than mostRatio times its size is not read. Measured
// numbers unpack to 3 to 6 times their size, indicators of categories to 8 to 11 times (a9a: 11), dense rows of which
// one number in a hundred is not 0 to 106 times; equal rows reach 250, and a made-up file 1000. A table takes at most
// ten bytes for each of its text, so that below mostUnpacked no harm is done; above it, [ReadOptions] has a bound.
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
		return 0, fmt.Errorf("the file unpacks to more than %d times its size, which no table of measurements does; "+
			"unpack it if that is meant", mostRatio)
	}
	return n, err
}
