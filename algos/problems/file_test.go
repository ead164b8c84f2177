package problems

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
)

// packed makes a compressed file of text of about so many MiB and returns its name and how many
// times larger the text is than the file.
func packed(t *testing.T, mib int, line func() string) (path string, ratio int64) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "data") // compressed files are known by what is in them
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder // longer than what a compressor looks back
	for text.Len() < 1<<20 {
		text.WriteString(line())
	}
	var block bytes.Buffer
	z := gzip.NewWriter(&block)
	if _, err := io.WriteString(z, text.String()); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	for range mib { // compressed files stand one after the other in one
		if _, err := file.Write(block.Bytes()); err != nil {
			t.Fatal(err)
		}
	}
	size, err := file.Seek(0, io.SeekEnd)
	if err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	return path, int64(mib) * int64(text.Len()) / size
}

// Compressed examples are read to their end as long as they could be measured ones. Rows that were
// made to fill a memory are refused, though each is valid, before they have filled it.
func TestOpenCompressed(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	indicators := func() string { // 14 of 123, as in a9a
		var b strings.Builder
		b.WriteString("-1")
		for k := range 14 {
			fmt.Fprintf(&b, " %d:1", 8*k+1+int(8*r.Float64()*r.Float64()))
		}
		return b.String() + "\n"
	}
	sparse := func() string { // dense rows of 500 numbers of which 10 are not 0
		row := []byte(strings.Repeat("0,", 500) + "1\n")
		for range 10 {
			row[2*r.IntN(500)] = '1'
		}
		return string(row)
	}
	equal := "1"
	for k := 1; k < 60; k++ {
		equal += fmt.Sprintf(" %d:1", k)
	}
	same := func() string { return equal + "\n" }
	for _, c := range []struct {
		name        string
		mib         int
		line        func() string
		least, most int64 // ratio
		refused     bool
	}{
		{"indicators", 80, indicators, 5, 30, false},
		{"mostly zeros", 80, sparse, 40, 100, false},
		{"equal rows", 50, same, 180, 1100, false}, // harmless
		{"equal rows", 80, same, 180, 1100, true},
	} {
		if testing.Short() && c.name != "equal rows" {
			continue
		}
		path, ratio := packed(t, c.mib, c.line)
		if ratio < c.least || ratio > c.most {
			t.Fatalf("%s: packed %d-fold, want from %d to %d", c.name, ratio, c.least, c.most)
		}
		in, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		n, err := io.Copy(io.Discard, in)
		switch {
		case !c.refused && (err != nil || n < int64(c.mib)<<20):
			t.Errorf("%s: read %d bytes of %d MiB, error %v", c.name, n, c.mib, err)
		case c.refused && (err == nil ||
			!strings.Contains(err.Error(), "more than 100 times its size") ||
			n > mostUnpacked+1<<20):
			t.Errorf("%s: read %d bytes of %d MiB, error %v", c.name, n, c.mib, err)
		}
		if err := in.Close(); err != nil {
			t.Error(err)
		}
	}
}

// What is no file of data is refused in the name of the file.
func TestOpenRefuses(t *testing.T) {
	dir := t.TempDir()
	for path, want := range map[string]string{dir: "is a directory", "/dev/null": "is a device",
		filepath.Join(dir, "none"): "no such file", filepath.Join(dir, "torn"): "unexpected EOF"} {
		if err := os.WriteFile(filepath.Join(dir, "torn"), []byte{0x1f, 0x8b, 8},
			0o666); err != nil {
			t.Fatal(err)
		}
		in, err := Open(path)
		if err == nil {
			in.Close()
			t.Errorf("%s is opened", path)
		} else if !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// Examples that take more memory than there is for them are refused at the line that is too much,
// whatever their file.
func TestReadMost(t *testing.T) {
	libsvm := strings.Repeat("1 1:0.5 3:2\n", 1000)
	csv := strings.Repeat("1,0.5,0,2\n", 1000)
	for _, c := range []struct {
		name string
		read func(io.Reader, string, ReadOptions) (*Table, error)
		text string
		opt  ReadOptions
	}{{"libsvm", ReadLIBSVM, libsvm, ReadOptions{}}, {"csv", ReadCSV, csv, ReadOptions{}},
		{"classes", ReadCSV, csv, ReadOptions{Labels: Classes}}} {
		c.opt.Most = 20000
		_, err := c.read(strings.NewReader(c.text), c.name, c.opt)
		if err == nil || !strings.Contains(err.Error(), "the examples up to here take 2") {
			t.Errorf("%s: %v", c.name, err)
		}
		c.opt.Most = 2e6
		if _, err := c.read(strings.NewReader(c.text), c.name, c.opt); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// A file that cannot be read to its end is refused for that, and not for the line in which it
// breaks off.
func TestReadTorn(t *testing.T) {
	damaged := errors.New("damaged")
	for name, read := range map[string]func(io.Reader, string, ReadOptions) (*Table,
		error){"libsvm": ReadLIBSVM,
		"csv": ReadCSV} {
		text := map[string]string{"libsvm": "1 1:0.5 3:2\n1 1:0.5 3", "csv": "1,0.5,2\n1,0."}[name]
		_, err := read(io.MultiReader(strings.NewReader(text), iotest.ErrReader(damaged)), name,
			ReadOptions{})
		if err == nil || !strings.HasPrefix(err.Error(), name+":") ||
			!strings.HasSuffix(err.Error(), "damaged") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Rows whose largest index is out of all proportion to their numbers are refused where memory has a
// bound, unless the width is given.
func TestDamagedIndex(t *testing.T) {
	const rows = "1 67108864:1\n-1 1:1 67108863:2\n"
	if _, err := ReadLIBSVM(strings.NewReader(rows), "rows",
		ReadOptions{Most: 1 << 40}); err == nil ||
		err.Error() !=
			"rows: the largest index is 67108864, and the rows hold 3 numbers in all: the width must "+
				"be given if "+
				"that is meant" {
		t.Error(err)
	}
	for _, o := range []ReadOptions{{}, {Most: 1 << 40, Width: 1 << 26}} {
		if table, err := ReadLIBSVM(strings.NewReader(rows), "rows", o); err != nil ||
			table.Width != 1<<26 {
			t.Errorf("%+v: %v", o, err)
		}
	}
	wide := "1 1048576:1\n" // a row of one number is no reason to doubt an index of text data
	if _, err := ReadLIBSVM(strings.NewReader(wide), "rows",
		ReadOptions{Most: 1 << 40}); err != nil {
		t.Error(err)
	}
}
