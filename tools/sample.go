//go:build ignore

// Sample keeps a part of a report in docs/sample, for those who have no Go: the front page, the
// pages of main theorems, the corrigendum and its supplement as PDF; and the picture of the
// README. From the root of the repository:
//
//	go run ./cmd/verify -out report && go run tools/sample.go report
//
// It needs pdflatex and a headless chromium. Links to pages that are not kept are taken away, and
// each page says so. The counts of the report are put into the picture as text, which a test
// compares with those of today.
package main

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io/fs"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"sledge/reports"
)

const dir = "docs/sample"

// kept are the pages of a report that are kept.
var kept = []string{"index.html", "results/theorem-2.html", "results/theorem-4.html",
	"results/theorem-5.html", "results/theorem-8.html"}

// most is how many bytes the sample may have.
const most = 3 << 20

func main() {
	log.SetFlags(0)
	if len(os.Args) != 2 {
		log.Fatal("usage: go run tools/sample.go REPORT")
	}
	report := os.Args[1]
	r, err := reports.Read(report)
	check(err)
	check(os.RemoveAll(dir))
	for _, name := range kept {
		text, err := os.ReadFile(filepath.Join(report, name))
		check(err)
		check(os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o777))
		check(os.WriteFile(filepath.Join(dir, name), cut(text, name), 0o666))
	}
	work, err := os.MkdirTemp("", "sample")
	check(err)
	defer os.RemoveAll(work)
	call("", "go", "run", "./cmd/verify", "errata", "-style", "corrigendum", "-out", work, report)
	for _, name := range []string{"errata", "corrigendum"} {
		for range 2 { // the second time with the right numbers of pages
			call(work, "pdflatex", "-interaction=batchmode", name+".tex")
		}
		text, err := os.ReadFile(filepath.Join(work, name+".pdf"))
		check(err)
		check(os.WriteFile(filepath.Join(dir, name+".pdf"), text, 0o666))
	}
	picture(report, []string{r.Overall(), r.SettledWords()})
	size := 0
	check(filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		size += int(info.Size())
		return err
	}))
	if size > most {
		log.Fatalf("%s has %d bytes, of which there are %d at most", dir, size, most)
	}
	fmt.Printf("%s: %.2f MB\n", dir, float64(size)/1e6)
}

var (
	link = regexp.MustCompile(`<a ([^>]*?)href="([^"#]+)(#[^"]*)?"`)
	head = regexp.MustCompile(`</h[12]>`)
)

// cut takes the links to pages away that are not kept.
func cut(page []byte, name string) []byte {
	text := link.ReplaceAllStringFunc(string(page), func(a string) string {
		m := link.FindStringSubmatch(a)
		target := filepath.Join(filepath.Dir(name), m[2])
		if strings.Contains(m[2], ":") || slices.Contains(kept, target) {
			return a
		}
		return "<a " + m[1]
	})
	said := `<p class="small">A sample: the front page and the pages of Theorems 2, 4, 5, 7 and 8 alone, with ` +
		`their links to ` + `each other. The command writes all.</p>`
	at := head.FindStringIndex(text)
	if at == nil {
		log.Fatalf("%s has no heading", name)
	}
	return []byte(text[:at[1]] + said + text[at[1]:])
}

// picture takes the picture of the README, of the first screen of the front page.
func picture(report string, counts []string) {
	page, err := filepath.Abs(filepath.Join(report, "index.html"))
	check(err)
	shot := filepath.Join(filepath.Dir(dir), "report.png")
	path, err := filepath.Abs(shot)
	check(err)
	call("", "chromium", "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
		"--window-size=1100,1180", "--screenshot="+path, "file://"+page)
	text, err := os.ReadFile(shot)
	check(err)
	check(os.WriteFile(shot, noted(text, strings.Join(counts, "\n")), 0o666))
}

// noted puts a note into a PNG, behind its first chunk.
func noted(png []byte, note string) []byte {
	// signature, then length, name, contents and checksum of the header
	const first = 8 + 4 + 4 + 13 + 4
	chunk := append([]byte("iTXtcounts\x00\x00\x00\x00\x00"), note...)
	out := append([]byte{}, png[:first]...)
	out = binary.BigEndian.AppendUint32(out, uint32(len(chunk)-4))
	out = append(out, chunk...)
	out = binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(chunk))
	return append(out, png[first:]...)
}

func call(in, name string, args ...string) {
	c := exec.Command(name, args...)
	c.Dir = in
	if out, err := c.CombinedOutput(); err != nil {
		log.Fatalf("%s: %v: %s", name, err, out)
	}
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
