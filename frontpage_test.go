package sledge

import (
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"sledge/reports"
)

// A screen is as high as a laptop shows at this width, and the front page has at most so many.
const (
	screenWidth, screenHeight = 1280, 800
	mostScreens               = 12
)

// The front page of the report is read in a few screens; the main theorems have a picture there,
// with its axis, and their pages say what becomes of the whole.
func TestFrontPage(t *testing.T) {
	dir := t.TempDir()
	if err := reports.New(run(t), reports.Run{}).WriteDir(dir, reports.Pages{}); err != nil {
		t.Fatal(err)
	}
	index := file(t, filepath.Join(dir, reports.IndexFile))
	rows := regexp.MustCompile(`(?s)<tr><th scope="row"><a[^>]*>(Theorem [0-9]+)</a>.*?</tr>`).FindAllStringSubmatch(
		index, -1)
	if len(rows) != 6 {
		t.Errorf("%d main theorems, want 6", len(rows))
	}
	for _, row := range rows {
		if !strings.Contains(row[0], `class="small-plot"`) ||
			!regexp.MustCompile(`<text [^>]*>[^<]+ … [^<]+</text>`).MatchString(row[0]) {
			t.Errorf("%s has no picture with an axis", row[1])
		}
	}
	page := file(t, filepath.Join(dir, "results", "theorem-5.html"))
	if !strings.Contains(page, "Theorem 5 is refuted as printed, in part or whole, and stands corrected.") {
		t.Error("the page of Theorem 5 does not say what becomes of it")
	}
	counterexamples(t, dir)
	if got := height(t, dir, index); got > mostScreens*screenHeight {
		t.Errorf("the front page has %d pixels, more than %d screens of %d", got, mostScreens,
			screenHeight)
	}
	if got := height(t, dir, strings.ReplaceAll(index, "<details>", "<details open>")); got <=
		mostScreens*screenHeight {
		t.Errorf("with everything unfolded it has %d pixels: a long page would not be noticed", got)
	}
}

// counterexamples looks whether each refuted statement has one of hand size on its page.
func counterexamples(t *testing.T, dir string) {
	t.Helper()
	pages, err := filepath.Glob(filepath.Join(dir, "results", "*.html"))
	if err != nil {
		t.Fatal(err)
	}
	refuted := regexp.MustCompile(`(?s)<article class="claim refuted" id="([^"]+)">.*?</article>`)
	n := 0
	for _, page := range pages {
		for _, m := range refuted.FindAllStringSubmatch(file(t, page), -1) {
			n++
			if !strings.Contains(m[0], `<dl class="case hand">`) {
				t.Errorf("%s: %s has no counterexample of hand size", filepath.Base(page), m[1])
			}
		}
	}
	if n == 0 {
		t.Error("no page has a refuted statement")
	}
}

// height is how high a page is in a browser.
func height(t *testing.T, dir, page string) int {
	t.Helper()
	chromium, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("no Chromium here")
	}
	path := filepath.Join(dir, "measured.html")
	page = strings.Replace(page, "</body>",
		"<script>document.title = document.documentElement.scrollHeight</script></body>", 1)
	if err := os.WriteFile(path, []byte(page), 0o666); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(chromium, "--headless", "--no-sandbox", "--disable-gpu",
		"--window-size="+strconv.Itoa(screenWidth)+","+strconv.Itoa(screenHeight),
		"--user-data-dir="+t.TempDir(), "--dump-dom",
		(&url.URL{Scheme: "file", Path: path}).String()).Output()
	m := regexp.MustCompile(`<title>([0-9]+)</title>`).FindSubmatch(out)
	if m == nil {
		t.Fatalf("%v: the browser does not say how high the page is", err)
	}
	n, _ := strconv.Atoi(string(m[1]))
	return n
}
