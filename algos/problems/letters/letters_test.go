package letters

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"sledge/algos/internal/datafile"
	"sledge/algos/problems"
	"sledge/props/keyed"
)

// table is a table of one feature with perClass examples of each class.
func table(classes, perClass int) *problems.Table {
	t := &problems.Table{Width: 1, Start: []int{0}}
	for c := range classes {
		t.Classes = append(t.Classes, string(rune('A'+c)))
		for range perClass {
			t.Value, t.Target, t.Start = append(t.Value, 0), append(t.Target, float64(c)),
				append(t.Start, len(t.Start))
		}
	}
	return t
}

// disjoint checks that no row occurs twice and returns how many there are.
func disjoint(t *testing.T, sets [][]int) int {
	t.Helper()
	seen := map[int]bool{}
	for _, s := range sets {
		for _, row := range s {
			if seen[row] {
				t.Fatalf("row %d occurs twice", row)
			}
			seen[row] = true
		}
	}
	return len(seen)
}

// The groups are those of the paper: 130 of 100 images of one class each.
func TestGroups(t *testing.T) {
	data := table(26, 600)
	groups, err := Groups(data, All(data), 5, 100, keyed.New(1).Rand())
	if err != nil {
		t.Fatal(err)
	}
	if len(groups) != 130 || disjoint(t, groups) != 13000 {
		t.Fatalf("%d groups of %d images", len(groups), disjoint(t, groups))
	}
	for i, g := range groups {
		for _, row := range g {
			if len(g) != 100 || data.Target[row] != float64(i/5) {
				t.Fatalf("group %d of %d images has one of class %v", i, len(g), data.Target[row])
			}
		}
	}
	if _, err := Groups(data, All(data), 7, 100, keyed.New(1).Rand()); err == nil ||
		!strings.Contains(err.Error(), "class A has 600 examples") {
		t.Errorf("error %v", err)
	}
}

// The clients are those of the paper: every one holds the share q of its class, all hold equally
// many images, no image is left over or dealt twice.
func TestSpread(t *testing.T) {
	for _, row := range []struct {
		classes, each int
		exact         bool // the shares divide
	}{{26, 5000, true}, {26, 1000, false}, {26, 640, false}, {10, 333, false}, {2, 9, false}} {
		data := table(row.classes, row.each)
		for _, q := range []float64{0, 0.04, 0.1, 0.3, 0.5, 0.7, 0.9, 1} {
			clients, err := Spread(data, All(data), q, keyed.New(2).Rand())
			if err != nil {
				t.Fatal(err)
			}
			if len(clients) != 4*row.classes || disjoint(t, clients) != row.classes*row.each {
				t.Fatalf("q = %v: %d clients hold %d images", q, len(clients), disjoint(t, clients))
			}
			target := float64(row.each) / 4
			for i, c := range clients {
				counts := make([]int, row.classes)
				for _, k := range c {
					counts[int(data.Target[k])]++
				}
				own := float64(counts[i/4])
				slack := 1.0
				if row.exact {
					slack = 1e-9 // of the rounding in q·each
				}
				if math.Abs(float64(len(c))-target) > 2*slack || math.Abs(own-q*target) > slack {
					t.Fatalf("%d classes of %d, q = %v: client %d holds %d images, %v of its class",
						row.classes, row.each, q, i, len(c), own)
				}
				rest := (1 - q) * float64(row.each) / float64(len(clients)-4)
				for k, n := range counts {
					if k != i/4 && math.Abs(float64(n)-rest) > slack {
						t.Fatalf(
							"%d classes of %d, q = %v: client %d holds %d images of class %d, want about %v",
							row.classes, row.each, q, i, n, k, rest)
					}
				}
			}
		}
	}
}

func TestSplit(t *testing.T) {
	data := table(3, 10)
	parts, err := Split(data, keyed.New(1).Rand(), 5, 2, 3)
	if err != nil {
		t.Fatal(err)
	}
	if disjoint(t, parts) != 30 {
		t.Error("rows are missing")
	}
	for k, want := range []int{5, 2, 3} {
		counts := [3]int{}
		for _, row := range parts[k] {
			counts[int(data.Target[row])]++
		}
		if counts != [3]int{want, want, want} {
			t.Errorf("part %d: %v of each class", k, counts)
		}
	}
}

func TestRefusals(t *testing.T) {
	data := table(3, 10)
	r := keyed.New(1).Rand()
	for want, try := range map[string]func() error{
		"class A has 10 examples, 11 are needed": func() error { _, err := Split(data, r, 6, 5); return err },
		"want at least one of one": func() error {
			_, err := Groups(data, All(data), 0, 1, r)
			return err
		},
		"share 1.5": func() error {
			_, err := Spread(data, All(data), 1.5, r)
			return err
		},
		"share NaN": func() error {
			_, err := Spread(data, All(data), math.NaN(), r)
			return err
		},
		"class B 9, want equally many": func() error {
			_, err := Spread(data, slices.Delete(All(data), 12, 13), 0.5, r)
			return err
		},
		"1 classes cannot be spread": func() error {
			one := table(1, 4)
			_, err := Spread(one, All(one), 0.5, r)
			return err
		},
		"must be between 1 and 26": func() error {
			_, err := Draw(Drawing{Classes: 27}, keyed.New(1))
			return err
		},
		"must be at most 4": func() error {
			_, err := Draw(Drawing{Distortion: math.NaN()}, keyed.New(1))
			return err
		},
		"cannot be shrunk by 2": func() error { _, err := Shrink(data, 2); return err },
		"a feature is -1": func() error {
			return Rescale(&problems.Table{Value: []float64{2, -1}})
		},
	} {
		if err := try(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want an error about %q, got %v", want, err)
		}
	}
}

// Images are functions of the key, the class and their number, and letters without distortion look
// alike only within their face.
func TestDraw(t *testing.T) {
	small, err := Draw(Drawing{Side: 14, Classes: 5, PerClass: 6}, keyed.New(3))
	if err != nil {
		t.Fatal(err)
	}
	large, err := Draw(Drawing{Side: 14, PerClass: 9}, keyed.New(3))
	if err != nil {
		t.Fatal(err)
	}
	if large.Rows() != 26*9 || large.Width != 196 || len(large.Classes) != 26 ||
		large.Classes[25] != "Z" {
		t.Fatalf("%d rows of width %d, classes %v", large.Rows(), large.Width, large.Classes)
	}
	for c := range 5 {
		for k := range 6 {
			_, a := small.Row(c*6 + k)
			_, b := large.Row(c*9 + k)
			if !slices.Equal(a, b) {
				t.Fatalf("image %d of class %d depends on how many are drawn", k, c)
			}
		}
	}
	for k := range large.Rows() {
		_, v := large.Row(k)
		ink := 0.0
		for _, p := range v {
			if !(p >= 0 && p <= 1) {
				t.Fatalf("a pixel is %v", p)
			}
			ink += p
		}
		if ink < 4 || ink > 120 {
			t.Errorf("image %d has ink on %v of its 196 pixels", k, ink)
		}
	}
	plain, err := Draw(Drawing{Side: 28, Classes: 2, PerClass: 200, Distortion: -1}, keyed.New(4))
	if err != nil {
		t.Fatal(err)
	}
	shapes := map[string]bool{}
	for k := range plain.Rows() {
		_, v := plain.Row(k)
		var b strings.Builder
		for _, p := range v {
			b.WriteByte("01"[min(1, int(math.Ceil(p)))])
		}
		shapes[b.String()] = true
	}
	if len(shapes) < 2*12 { // two letters in twelve faces, and in many widths of stroke
		t.Errorf("%d different shapes", len(shapes))
	}
}

func TestShrinkAndRescale(t *testing.T) {
	data := &problems.Table{Width: 16, Start: []int{0, 16}, Target: []float64{0}, Value: []float64{
		1, 3, 0, 0,
		5, 7, 0, 8,
		0, 0, 2, 2,
		0, 0, 2, 2}}
	small, err := Shrink(data, 2)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(small.Value, []float64{4, 2, 0, 2}) || small.Width != 4 {
		t.Errorf("shrunk to %v", small.Value)
	}
	if err := Rescale(small); err != nil || !slices.Equal(small.Value, []float64{1, 0.5, 0, 0.5}) {
		t.Errorf("rescaled to %v, %v", small.Value, err)
	}
}

// pair builds IDX files of 2×3 images whose pixels are the number of the image.
func pair(labels ...byte) (images, marks []byte) {
	head := func(magic uint32, sizes ...int) []byte {
		b := binary.BigEndian.AppendUint32(nil, magic)
		for _, n := range sizes {
			b = binary.BigEndian.AppendUint32(b, uint32(n))
		}
		return b
	}
	images = head(imageMagic, len(labels), 2, 3)
	for k := range labels {
		images = append(images, bytes.Repeat([]byte{byte(k)}, 6)...)
	}
	return images, append(head(labelMagic, len(labels)), labels...)
}

func zipped(t testing.TB, b []byte) []byte {
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	if _, err := z.Write(b); err != nil || z.Close() != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func read(images, labels []byte, sel Selection) (*problems.Table, error) {
	return ReadIDX(File{"images", bytes.NewReader(images)},
		File{"labels", bytes.NewReader(labels)}, sel)
}

func TestReadIDX(t *testing.T) {
	for _, row := range []struct {
		labels  []byte
		sel     Selection
		classes []string
		want    string // class and number of the images kept
	}{
		{[]byte{7, 2, 7, 9}, Selection{}, []string{"2", "7", "9"}, "1:0 0:1 1:2 2:3 "},
		{[]byte{7, 2, 7, 9, 7}, Selection{PerClass: 1}, []string{"2", "7", "9"}, "1:0 0:1 2:3 "},
		{[]byte{7, 2, 7, 9}, Selection{First: 7, Classes: 1}, []string{"7"}, "0:0 0:2 "},
		{[]byte{10, 40, 11, 5, 12}, Selection{First: 10, Classes: 3}, []string{"A", "B", "C"},
			"0:0 1:2 2:4 "},
	} {
		images, labels := pair(row.labels...)
		for name, files := range map[string][2][]byte{"plain": {images, labels},
			"gzip": {zipped(t, images), zipped(t, labels)}} {
			got, err := read(files[0], files[1], row.sel)
			if err != nil {
				t.Fatalf("%s %v: %v", name, row.labels, err)
			}
			var b strings.Builder
			for k, c := range got.Target {
				_, v := got.Row(k)
				fmt.Fprintf(&b, "%v:%v ", c, math.Round(v[5]*255))
			}
			if b.String() != row.want || !slices.Equal(got.Classes, row.classes) || got.Width != 6 {
				t.Errorf("%s %v: %v %v", name, row.labels, b.String(), got.Classes)
			}
		}
	}
	// EMNIST By_Class is told by its small letters.
	all := make([]byte, 62)
	for k := range all {
		all[k] = byte(k)
	}
	images, labels := pair(all...)
	got, err := read(images, labels, Selection{})
	if err != nil || got.Rows() != 26 ||
		strings.Join(got.Classes, "") != "ABCDEFGHIJKLMNOPQRSTUVWXYZ" ||
		got.Value[0] != 10.0/255 {
		t.Errorf("%v rows, classes %v, %v", got.Rows(), got.Classes, err)
	}
}

func TestMalformedIDX(t *testing.T) {
	images, labels := pair(1, 2, 3)
	edited := func(b []byte, at int, v byte) []byte {
		b = slices.Clone(b)
		b[at] = v
		return b
	}
	for _, row := range []struct {
		images, labels []byte
		want           string
	}{
		{nil, labels, "images: byte 0: the file ends within the header"},
		{images, nil, "labels: byte 0: the file ends within the header"},
		{images[:9], labels, "images: byte 9: the file ends within the header"},
		{labels, images, "labels: byte 0: magic number 2051, want 2049"},
		{images, edited(labels, 3, 3), "labels: byte 0: magic number 2051, want 2049"},
		{edited(images, 2, 13), labels, "images: byte 0: magic number 3331, want 2051"},
		{edited(images, 11, 0), labels, "images: byte 8: dimension 1 is 0"},
		{edited(images, 8, 255), labels, "images: byte 8: dimension 1 is"},
		{edited(images, 9, 255), labels, "images: byte 8: images of 16711682 × 3 pixels"},
		{edited(images, 7, 4), labels, "labels: byte 4: 3 labels for the 4 images of images"},
		{edited(images, 4, 64), edited(labels, 4, 64),
			"labels: byte 11: the file ends within the labels"},
		{images, labels[:10], "labels: byte 10: the file ends within the labels"},
		{images, append(slices.Clone(labels), 0),
			"labels: byte 11: more bytes than the header announces"},
		{images[:30], labels, "images: byte 30: the file ends within image 2"},
		{append(slices.Clone(images), 0), labels,
			"images: byte 34: more bytes than the header announces"},
		{[]byte{0x1f, 0x8b, 9}, labels, "images: damaged gzip header"},
		{images, edited(zipped(t, labels), len(zipped(t, labels))-6, 0xaa),
			"labels: byte 11: gzip: invalid checksum"},
		{images, zipped(t, labels)[:20], "labels: byte"},
	} {
		if _, err := read(row.images, row.labels, Selection{}); err == nil ||
			!strings.HasPrefix(err.Error(), row.want) {
			t.Errorf("want %q, got %v", row.want, err)
		}
	}
	if _, err := read(images, labels, Selection{First: 2, Classes: 3}); err == nil ||
		err.Error() != "labels: no label of class 4" {
		t.Errorf("got %v", err)
	}
	if _, err := read(images, labels, Selection{First: 250, Classes: 30}); err == nil {
		t.Error("labels beyond 255 are accepted")
	}
}

// Whatever the bytes, the reader returns a table that is as large as its files or one sentence that
// names one of them.
func FuzzReadIDX(f *testing.F) {
	images, labels := pair(1, 2, 36, 10)
	f.Add(images, labels)
	f.Add(images[:20], labels)
	f.Add(zipped(f, images), zipped(f, labels))
	f.Fuzz(func(t *testing.T, images, labels []byte) {
		got, err := read(images, labels, Selection{PerClass: 2})
		if err != nil {
			if !strings.HasPrefix(err.Error(), "images: ") &&
				!strings.HasPrefix(err.Error(), "labels: ") ||
				strings.Contains(err.Error(), "\n") {
				t.Errorf("error %q", err)
			}
			return
		}
		if got.Rows() < 1 || got.Start[got.Rows()] != len(got.Value) ||
			len(got.Value) != got.Rows()*got.Width ||
			len(got.Target) != got.Rows() {
			t.Errorf("table of %d rows, width %d, %d values, %d targets", got.Rows(), got.Width,
				len(got.Value), len(got.Target))
		}
		for _, c := range got.Target {
			if int(c) >= len(got.Classes) {
				t.Errorf("class %v of %d", c, len(got.Classes))
			}
		}
	})
}

// The MNIST test images: facts about them that are known from elsewhere.
func TestMNIST(t *testing.T) {
	got, err := ReadIDX(File{"t10k-images", datafile.Open(t, "t10k-images-idx3-ubyte.gz")},
		File{"t10k-labels", datafile.Open(t, "t10k-labels-idx1-ubyte.gz")}, Selection{})
	if err != nil {
		t.Fatal(err)
	}
	counts := make([]int, 10)
	for _, c := range got.Target {
		counts[int(c)]++
	}
	sum, top := 0.0, 0.0
	for _, v := range got.Value {
		sum, top = sum+v, max(top, v)
	}
	if got.Rows() != 10000 || got.Width != 784 ||
		!slices.Equal(counts, []int{980, 1135, 1032, 1010, 982, 892, 958, 1028, 974, 1009}) ||
		top != 1 ||
		!slices.Equal(got.Target[:10], []float64{7, 2, 1, 0, 4, 1, 4, 9, 5, 9}) ||
		math.Abs(255*sum/7840000-33.79) > 0.005 {
		t.Errorf("%d rows of width %d, counts %v, first %v, mean pixel %v, largest %v", got.Rows(),
			got.Width, counts, got.Target[:10], 255*sum/7840000, 255*top)
	}
	// A file that breaks off is told from one that is complete.
	b, err := io.ReadAll(datafile.Open(t, "t10k-images-idx3-ubyte.gz"))
	if err != nil {
		t.Fatal(err)
	}
	_, err = ReadIDX(File{"t10k-images", bytes.NewReader(b[:len(b)/2])},
		File{"t10k-labels", datafile.Open(t, "t10k-labels-idx1-ubyte.gz")}, Selection{})
	if err == nil || !strings.Contains(err.Error(), "the file ends within image") {
		t.Errorf("got %v", err)
	}
}

// The UCI letters are the stand-in for EMNIST's capitals.
func TestLetterRecognition(t *testing.T) {
	got, err := problems.ReadCSV(datafile.Open(t, "letter-recognition.data"),
		"letter-recognition.data", problems.ReadOptions{Labels: problems.Classes})
	if err != nil {
		t.Fatal(err)
	}
	if err := Rescale(got); err != nil {
		t.Fatal(err)
	}
	counts := make([]int, 26)
	for _, c := range got.Target {
		counts[int(c)]++
	}
	if got.Rows() != 20000 || got.Width != 16 ||
		strings.Join(got.Classes, "") != "ABCDEFGHIJKLMNOPQRSTUVWXYZ" ||
		counts['H'-'A'] != 734 || counts['U'-'A'] != 813 ||
		slices.Max(got.Value) != 1 {
		t.Errorf("%d rows of width %d, classes %v, counts %v", got.Rows(), got.Width,
			got.Classes, counts)
	}
}
