package reports

import (
	"encoding/json"
	"html"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// browse opens a page in headless Chromium and returns the document after its scripts, and what the
// console said. The test is left out where there is no Chromium.
func browse(t *testing.T, path string) (dom, console string) {
	t.Helper()
	chromium := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if at, err := exec.LookPath(name); err == nil {
			chromium = at
			break
		}
	}
	if chromium == "" {
		t.Skip("no Chromium here")
	}
	run := exec.Command(chromium, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic",
		"--no-first-run", "--disable-background-networking", "--disable-component-update",
		"--disable-sync", "--disable-dev-shm-usage", "--user-data-dir="+t.TempDir(),
		"--enable-logging=stderr", "--dump-dom", (&url.URL{Scheme: "file", Path: path}).String())
	var out, errs strings.Builder
	run.Stdout, run.Stderr = &out, &errs
	run.WaitDelay = time.Second
	if err := run.Run(); err != nil {
		t.Fatalf("%v\n%s", err, errs.String())
	}
	for line := range strings.Lines(errs.String()) {
		if strings.Contains(line, "CONSOLE") {
			console += line
		}
	}
	return out.String(), console
}

// watch stands before all other scripts of a page that is driven, and drive after them: it does
// what a reader would do and leaves what came of it in the document.
const watch = `<script>var failures = []; window.addEventListener('error', function (e) { failures.push(e.message); });
window.alert = function () { failures.push('alert'); };</script>`

const drive = `<script>(function () {
  var seen = {};
  function all(selector) { return Array.prototype.slice.call(document.querySelectorAll(selector)); }
  function shown() {
    return all('table.claims tbody tr').filter(function (r) { return !r.hidden; })
      .map(function (r) { return r.cells[0].textContent; });
  }
  function put(field, text) { field.value = text; field.dispatchEvent(new Event('input', {bubbles: true})); }
  var find = document.querySelector('.find input');
  var texts = ['Theorem 2', 'theorem:last', '64', 'step', '"><script>', 'nothing of this', 'refuted'];
  if (find) texts.forEach(function (text) {
    put(find, text);
    seen['find ' + text] = all('.find li a').map(function (a) { return a.getAttribute('href') + ' ' + a.textContent; });
  });
  var filter = document.querySelector('.filter');
  if (filter) {
    put(filter.elements.text, 'lemma');
    seen.filtered = shown();
    put(filter.elements.text, '');
    filter.elements.verdict.value = 'refuted';
    filter.dispatchEvent(new Event('input'));
    seen.chosen = shown();
  }
  all('table.sortable').forEach(function (table, i) {
    seen['sorted ' + i] = all('thead button').filter(function (b) { return table.contains(b); }).map(function (b) {
      var k = b.parentElement.cellIndex, orders = [];
      for (var n = 0; n < 2; n++) {
        b.click();
        orders.push(Array.prototype.map.call(table.tBodies[0].rows, function (r) {
          return b.parentElement.classList.contains('n') && r.cells[k].dataset.x || r.cells[k].textContent;
        }));
      }
      return orders;
    });
  });
  seen.failures = failures;
  var pre = document.createElement('pre');
  pre.id = 'seen'; pre.textContent = JSON.stringify(seen);
  document.body.appendChild(pre);
})();</script>`

// driven opens a copy of a page in which a reader's hand is at work.
func driven(t *testing.T, path string) map[string]json.RawMessage {
	t.Helper()
	page, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Replace(string(page), "<head>", "<head>"+watch, 1)
	text = strings.Replace(text, "</body>", drive+"</body>", 1)
	copied := strings.TrimSuffix(path, ".html") + "-driven.html"
	if err := os.WriteFile(copied, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	dom, console := browse(t, copied)
	m := regexp.MustCompile(`<pre id="seen">(.*)</pre>`).FindStringSubmatch(dom)
	if m == nil {
		t.Fatalf("%s: nothing was seen; the console said %s", filepath.Base(path), console)
	}
	var seen map[string]json.RawMessage
	if err := json.Unmarshal([]byte(html.UnescapeString(m[1])), &seen); err != nil {
		t.Fatal(err)
	}
	if f := string(seen["failures"]); f != "[]" || console != "" {
		t.Errorf("%s: failures %s, console %s", filepath.Base(path), f, console)
	}
	return seen
}

func strs(t *testing.T, raw json.RawMessage) []string {
	t.Helper()
	var out []string
	if err := json.Unmarshal(raw, &out); err != nil {
		t.Fatalf("%s: %v", raw, err)
	}
	return out
}

// A browser opens the pages without a complaint; search finds by number, label, line, id and
// verdict, whatever claims are called; tables sort by number and by name.
func TestPagesInABrowser(t *testing.T) {
	if testing.Short() {
		t.Skip("browsers start slowly")
	}
	dir := t.TempDir()
	r := aText()
	for i, tight := range []float64{0.5, 2e-7, 0.04} {
		c := r.Claim([]string{"main", "lemma", "step/corrected"}[i])
		c.Evidence = append(c.Evidence, judged(fixture().Claims[0].Evidence[0].Evidence, c.Verdict))
		c.Evidence[0].Tightness, c.Evidence[0].Sense = tight, ""
	}
	if err := r.WriteDir(dir, Pages{Single: true}); err != nil {
		t.Fatal(err)
	}
	broken := filepath.Join(dir, "broken.html") // a control
	if err := os.WriteFile(broken, []byte("<script>nothing.at.all()</script>"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, console := browse(t, broken); !strings.Contains(console, "nothing is not defined") {
		t.Errorf("the console keeps quiet about an error: %q", console)
	}
	dom, console := browse(t, filepath.Join(dir, sectionDir, "lemma-1.html"))
	if console != "" || !strings.Contains(dom, "<h2>Lemma 1</h2>") {
		t.Errorf("the page of the lemma: %s", console)
	}
	want := map[string][]string{
		"find Theorem 2": {"results/theorem-2.html#top Theorem 2",
			"results/theorem-2.html#main main"},
		"find theorem:last": {"results/theorem-3.html#last last",
			"results/theorem-3.html#ours ours"},
		"find 64": {"results/lemma-1.html#lemma lemma", "results/lemma-1.html#step step",
			"results/lemma-1.html#step%2Fcorrected step/corrected"},
		"find step": {"results/lemma-1.html#step step",
			"results/lemma-1.html#step%2Fcorrected step/corrected"},
		`find "><script>`: {"results/part-p.html#%22%3E%3Cscript%3Ealert(1)%3C%2Fscript%3E " +
			`"><script>alert(1)</script>`},
		"find nothing of this": {},
		"find refuted": {"results/theorem-3.html#last last",
			"results/lemma-1.html#step step"},
	}
	seen := driven(t, filepath.Join(dir, IndexFile))
	for text, found := range want {
		got := strs(t, seen[text])
		slices.Sort(got)
		slices.Sort(found)
		if !slices.Equal(got, found) {
			t.Errorf("%s: %q, want %q", text, got, found)
		}
	}
	var sorted [][2][]string
	if err := json.Unmarshal(seen["sorted 0"], &sorted); err != nil || len(sorted) != 5 {
		t.Fatalf("%s, %v", seen["sorted 0"], err)
	}
	if got := sorted[0]; !slices.Equal(got[0], []string{"lemma", "main", "step/corrected"}) ||
		!slices.Equal(got[1], []string{"step/corrected", "main", "lemma"}) {
		t.Errorf("by name: %q", got)
	}
	if got := sorted[3]; !slices.Equal(got[0], []string{"2e-07", "0.04", "0.5"}) ||
		!slices.Equal(got[1], []string{"0.5", "0.04", "2e-07"}) {
		t.Errorf("by tightness: %q", got)
	}
	seen = driven(t, filepath.Join(dir, allFile))
	if got := strs(t, seen["filtered"]); !slices.Equal(got,
		[]string{"lemma", "step", "step/corrected"}) {
		t.Errorf("filtered: %q", got)
	}
	if got := strs(t, seen["chosen"]); !slices.Equal(got, []string{"step", "last"}) {
		t.Errorf("chosen: %q", got)
	}
	seen = driven(t, filepath.Join(dir, htmlFile))
	if got := strs(t, seen["find Theorem 2"]); !slices.Equal(got,
		[]string{"#theorem-2 Theorem 2", "#main main"}) {
		t.Errorf("in one page: %q", got)
	}
	hostile := aText()
	for i := range hostile.Claims {
		c := &hostile.Claims[i]
		c.Statement = "</script><script>alert(2)</script> $x_{</math><img src=x " +
			"onerror=alert(3)>}$ \u2028 ' \" ` ${1} {{.}}"
		c.Label, c.Lines, c.Notes, c.Reading, c.Reason = c.Statement, c.Statement, c.Statement,
			c.Statement, c.Statement
		if c.Theorem == "" {
			c.ID, c.Part = c.ID+c.Statement, c.Statement
		}
	}
	hostile.Text.Title, hostile.Causes[0].Title = "</title><script>alert(4)</script>",
		"</h4><script>alert(5)</script>"
	if err := hostile.WriteDir(filepath.Join(dir, "hostile"), Pages{}); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{IndexFile, allFile, filepath.Join(sectionDir, "lemma-1.html")} {
		driven(t, filepath.Join(dir, "hostile", file))
	}
}
