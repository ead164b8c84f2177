package letters

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"

	"sledge/algos/problems"
)

// File is something to read from, with the name that errors call it by.
type File struct {
	Name string
	io.Reader
}

// Selection says which images of a pair of IDX files are wanted. The zero value takes the capitals
// A to Z of a file with labels beyond 35, which is taken for EMNIST By_Class (digits 0-9, capitals
// 10-35, small letters 36-61), and all images of any other file.
type Selection struct {
	// labels First … First+Classes−1 become classes 0, 1, …; Classes 0 leaves the choice to the
	// file
	First, Classes int
	PerClass       int // keep the first so many images of each class; 0 keeps all
}

// Magic numbers of IDX files of unsigned bytes with three dimensions and one (Y. LeCun, C. Cortes,
// C. Burges, The MNIST database).
const (
	imageMagic = 0x00000803
	labelMagic = 0x00000801
)

// maxPixels bounds the size of an image, so that a damaged header does not become an image that
// fills the memory.
const maxPixels = 1 << 20

// idx reads one IDX file and knows where it is.
type idx struct {
	name string
	in   io.Reader
	at   int64 // offset in the (uncompressed) file
}

func (f *idx) fail(format string, args ...any) error {
	return fmt.Errorf("%s: byte %d: %s", f.name, f.at, fmt.Sprintf(format, args...))
}

// open starts an IDX file, compressed with gzip or not, and returns its dimensions.
func open(file File, magic uint32, dims int) (*idx, []int, error) {
	f := &idx{name: file.Name}
	buffered := bufio.NewReader(file)
	f.in = buffered
	if head, _ := buffered.Peek(2); bytes.Equal(head, []byte{0x1f, 0x8b}) {
		z, err := gzip.NewReader(buffered)
		if err != nil {
			return nil, nil, fmt.Errorf("%s: damaged gzip header: %v", f.name, err)
		}
		f.in = bufio.NewReader(z)
	}
	head := make([]byte, 4*(1+dims))
	if err := f.fill(head, "the header"); err != nil {
		return nil, nil, err
	}
	f.at = 0
	if got := binary.BigEndian.Uint32(head); got != magic {
		return nil, nil, f.fail(
			"magic number %d, want %d (an IDX file of bytes with %d dimensions)", got, magic, dims)
	}
	var sizes []int
	for k := range dims {
		f.at = int64(4 * (k + 1))
		n := binary.BigEndian.Uint32(head[f.at:])
		if n == 0 || n > math.MaxInt32 {
			return nil, nil, f.fail("dimension %d is %d", k, n)
		}
		sizes = append(sizes, int(n))
	}
	f.at = int64(len(head))
	return f, sizes, nil
}

// fill reads exactly len(buf) bytes of what it names.
func (f *idx) fill(buf []byte, what string) error {
	n, err := io.ReadFull(f.in, buf)
	f.at += int64(n)
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return f.fail("the file ends within %s", what)
	case err != nil:
		return f.fail("%v", err)
	}
	return nil
}

// end checks that nothing follows.
func (f *idx) end() error {
	var b [1]byte
	if n, err := io.ReadFull(f.in, b[:]); n > 0 {
		return f.fail("more bytes than the header announces")
	} else if !errors.Is(err, io.EOF) {
		return f.fail("%v", err) // such as a wrong checksum
	}
	return nil
}

// ReadIDX reads the images of one IDX file with the labels of another one, either of them
// compressed with gzip or not. Pixels are divided by 255. Only what is selected is kept in memory.
// Errors name the file and the offset of the byte (before compression) at which something is wrong.
func ReadIDX(images, labels File, sel Selection) (*problems.Table, error) {
	if sel.First < 0 || sel.Classes < 0 || sel.First+sel.Classes > 256 || sel.PerClass < 0 {
		return nil, fmt.Errorf("letters: labels %d to %d, %d of each: want labels from 0 to 255",
			sel.First, sel.First+sel.Classes-1, sel.PerClass)
	}
	lf, dims, err := open(labels, labelMagic, 1)
	if err != nil {
		return nil, err
	}
	f, sizes, err := open(images, imageMagic, 3)
	if err != nil {
		return nil, err
	}
	count, width := sizes[0], sizes[1]*sizes[2]
	switch {
	case sizes[1] > maxPixels || width > maxPixels:
		f.at = 8
		return nil, f.fail("images of %d × %d pixels, want at most %d", sizes[1], sizes[2],
			maxPixels)
	case dims[0] != count:
		lf.at = 4
		return nil, lf.fail("%d labels for the %d images of %s", dims[0], count, images.Name)
	}
	var all []byte
	for len(all) < count { // piece by piece: the header may promise more than there is
		piece := make([]byte, min(1<<20, count-len(all)))
		if err := lf.fill(piece, "the labels"); err != nil {
			return nil, err
		}
		all = append(all, piece...)
	}
	if err := lf.end(); err != nil {
		return nil, err
	}
	t := &problems.Table{Width: width, Start: []int{0}}
	class := sel.classes(all, t)
	kept := make([]int, len(t.Classes))
	pixels := make([]byte, width)
	for k, label := range all {
		if err := f.fill(pixels, fmt.Sprintf("image %d", k)); err != nil {
			return nil, err
		}
		c := class[label]
		if c < 0 || sel.PerClass > 0 && kept[c] == sel.PerClass {
			continue
		}
		kept[c]++
		for _, p := range pixels {
			t.Value = append(t.Value, float64(p)/255)
		}
		t.Start, t.Target = append(t.Start, len(t.Value)), append(t.Target, float64(c))
	}
	if err := f.end(); err != nil {
		return nil, err
	}
	for c, n := range kept {
		if n == 0 {
			return nil, fmt.Errorf("%s: no label of class %s", labels.Name, t.Classes[c])
		}
	}
	return t, nil
}

// classes names the classes in the table and returns the class of each label, -1 for those that are
// not wanted.
func (s Selection) classes(labels []byte, t *problems.Table) [256]int {
	var class [256]int
	present, top := [256]bool{}, 0
	for _, l := range labels {
		present[l], top = true, max(top, int(l))
	}
	const capitals, smallLetters = 10, 36
	byClass := top >= smallLetters
	if s.Classes == 0 && byClass {
		s.First, s.Classes = capitals, smallLetters-capitals
	}
	for l := range class {
		class[l] = -1
		if wanted := l >= s.First && l < s.First+s.Classes; wanted || s.Classes == 0 && present[l] {
			class[l] = len(t.Classes)
			name := strconv.Itoa(l)
			if byClass && l >= capitals && l < smallLetters {
				name = string(rune('A' + l - capitals))
			}
			t.Classes = append(t.Classes, name)
		}
	}
	return class
}
