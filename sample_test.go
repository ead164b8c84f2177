package sledge

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"html"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"sledge/reports"
)

// stale says which sentences about the counts of today a text lacks: how many printed statements
// are refuted, by what the claims expect, and how many are settled, by what the README says, which
// another test holds to a run. By which means they are settled is left to the README.
func stale(t *testing.T, text string) (lacks []string) {
	t.Helper()
	settled := regexp.MustCompile(`Settled: [0-9]+ of [0-9]+ printed statements`).FindString(
		file(t, "README.md"))
	if settled == "" {
		t.Fatal("the README does not say what is settled")
	}
	for _, want := range []string{reports.New(expected(t), reports.Run{}).Overall(), settled} {
		if !strings.Contains(html.UnescapeString(text), want) {
			lacks = append(lacks, want)
		}
	}
	return lacks
}

// counts is the note of that name in a PNG.
func counts(png []byte) (string, error) {
	for at := 8; at+8 <= len(png); {
		size := int(binary.BigEndian.Uint32(png[at:]))
		if at+12+size > len(png) {
			break
		}
		if note, is := bytes.CutPrefix(png[at+4:at+8+size],
			[]byte("iTXtcounts\x00\x00\x00\x00\x00")); is {
			return string(note), nil
		}
		at += 12 + size
	}
	return "", fmt.Errorf("the picture has no counts")
}

// The report that is kept, and the picture of the README, are those of today; links of the kept
// pages lead to pages that are kept, and all take less than 3 MB. Where this fails, tools/sample.go
// says how they are made again.
func TestSampleIsOfToday(t *testing.T) {
	picture, err := counts([]byte(file(t, "docs/report.png")))
	if err != nil {
		t.Fatal(err)
	}
	index := file(t, "docs/sample/index.html")
	for name, text := range map[string]string{"docs/report.png": picture,
		"docs/sample/index.html": index} {
		for _, want := range stale(t, text) {
			t.Errorf(
				"%s does not say %q; make it again: go run ./cmd/verify -out report && go run "+
					"tools/sample.go report", name,
				want)
		}
		if len(stale(t, strings.ReplaceAll(text, "refuted", "broken"))) == 0 {
			t.Errorf("%s: another number would not be noticed", name)
		}
	}
	size, links := int64(0), 0
	err = filepath.WalkDir("docs/sample", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		size += info.Size()
		if filepath.Ext(path) != ".html" {
			return nil
		}
		for _, m := range regexp.MustCompile(
			`<a [^>]*href="([^"#:]+)(?:#[^"]*)?"`).FindAllStringSubmatch(file(t, path), -1) {
			links++
			if _, err := os.Stat(filepath.Join(filepath.Dir(path), m[1])); err != nil {
				t.Errorf("%s: nothing is at %s", path, m[1])
			}
		}
		return nil
	})
	if err != nil || size > 3<<20 || links == 0 {
		t.Errorf("%v; the sample has %d bytes and %d links", err, size, links)
	}
}
