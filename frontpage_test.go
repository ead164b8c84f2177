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
	r, whole := report(t)
	if err := r.WriteDir(dir, reports.Pages{}); err != nil {
		t.Fatal(err)
	}
	index := file(t, filepath.Join(dir, reports.IndexFile))
	if rows, drawn := pictures(index); rows != 6 || drawn < 4 || whole && drawn < 6 {
		t.Errorf("%d main theorems, %d with a picture with an axis, want 6", rows, drawn)
	}
	page := file(t, filepath.Join(dir, "results", "theorem-5.html"))
	if !strings.Contains(page, "Theorem 5 is refuted as printed, in part or whole, and stands corrected.") {
		t.Error("the page of Theorem 5 does not say what becomes of it")
	}
	ran := map[string]bool{}
	for i := range r.Claims {
		ran[r.Claims[i].ID] = len(r.Claims[i].Evidence) > 0
	}
	if n := counterexamples(t, dir, ran); n < 20 || whole && n < 136 {
		t.Errorf("only %d refuted statements have pages", n)
	}
	if !whole { // what has no evidence is not as expected, and leads the page
		return
	}
	if got := height(t, dir, index); got > mostScreens*screenHeight {
		t.Errorf("the front page has %d pixels, more than %d screens of %d", got, mostScreens,
			screenHeight)
	}
	if got := height(t, dir, strings.ReplaceAll(index, "<details>", "<details open>")); got <=
		mostScreens*screenHeight {
		t.Errorf("with everything unfolded it has %d pixels: a long page would not be noticed", got)
	}
}

// pictures counts the rows of main theorems on the front page, and those with a picture that has an
// axis.
func pictures(index string) (rows, drawn int) {
	axis := regexp.MustCompile(`<text [^>]*>[^<]+ … [^<]+</text>`)
	for _, row := range regexp.MustCompile(
		`(?s)<tr><th scope="row"><a[^>]*>(Theorem [0-9]+)</a>.*?</tr>`).FindAllString(index, -1) {
		rows++
		if strings.Contains(row, `class="small-plot"`) && axis.MatchString(row) {
			drawn++
		}
	}
	return rows, drawn
}

// counterexamples looks whether each refuted statement that was run has one of hand size on its page,
// and counts them.
func counterexamples(t *testing.T, dir string, ran map[string]bool) (n int) {
	t.Helper()
	pages, err := filepath.Glob(filepath.Join(dir, "results", "*.html"))
	if err != nil {
		t.Fatal(err)
	}
	refuted := regexp.MustCompile(`(?s)<article class="claim refuted" id="([^"]+)">.*?</article>`)
	for _, page := range pages {
		for _, m := range refuted.FindAllStringSubmatch(file(t, page), -1) {
			if !ran[m[1]] {
				continue
			}
			n++
			if !strings.Contains(m[0], `<dl class="case hand">`) {
				t.Errorf("%s: %s has no counterexample of hand size", filepath.Base(page), m[1])
			}
		}
	}
	return n
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
