package reports

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"sledge/props"
	"sledge/props/ledger"
	"sledge/props/plain"
)

// reportSchema names the format of report.json. It changes when a field changes meaning; readers
// ignore fields they do not know.
const reportSchema = "sledge/report/v2"

// earlier is the format before, in which the tightness of a statement up to a constant was the
// ratio of its sides. It is still read.
const earlier = "sledge/report/v1"

// Report is what report.json holds.
type Report struct {
	Schema string  `json:"schema"`
	Tool   Tool    `json:"tool"`
	Run    Run     `json:"run"`
	Claims []Claim `json:"claims"` // in the order of the text, see [New]
	// Slices are runs of claims that are divided among shards; a merge makes claims of them.
	Slices  []props.Sliced `json:"slices,omitempty"`
	Summary Summary        `json:"summary"`
	// Text is what the claims are about, and Causes what several refuted ones have in common,
	// gravest first. Neither changes the digest.
	Text   ledger.Text    `json:"text,omitzero"`
	Causes []ledger.Cause `json:"causes,omitempty"`
	// Machine is which certificates a proof assistant accepts, by their digests, and which one; see
	// [Report.Accept].
	Machine map[string]string `json:"machine_checked,omitempty"`
	source  string            // file that it was read from
	claimed string            // digest of the claims in that file, as their text says
	summed  []byte            // summary in that file
}

// Tool says what produced the numbers: everything that may change the last bits of a floating-point
// result.
type Tool struct {
	Name    string `json:"name"`
	Version string `json:"version"`
	Go      string `json:"go"`
	OS      string `json:"os"`
	Arch    string `json:"arch"`
	GOAMD64 string `json:"goamd64,omitempty"`
	Tags    string `json:"tags,omitempty"`
}

// Run says how the claims were run.
type Run struct {
	Seed uint64 `json:"seed"`
	// of the runs whose evidence is pooled, if there are several
	Seeds []uint64 `json:"seeds,omitempty"`
	Tier  string   `json:"tier"`
	Shard string   `json:"shard"` // "k/K", or several of them joined by "+" after a merge
	// Division names the plan by which a run is divided among shards; empty if it is not
	Division string `json:"division,omitempty"`
	// Selection are the patterns by which the claims were chosen before they were divided among
	// shards; empty if all were.
	Selection []string `json:"selection,omitempty"`
	Alpha     Num      `json:"alpha"`
	// significance tests among which Alpha is divided, see [props.Config]
	Tests   int       `json:"tests,omitempty"`
	Started time.Time `json:"started"`
	Seconds float64   `json:"seconds"`
	// Replayer is what stands before a token on the line that replays it; empty where
	// [props.Replay] is called otherwise
	Replayer string `json:"replayer,omitempty"`
	// of everything in the claims but the times; set by New and Merge
	Digest  string `json:"digest"`
	Planned int    `json:"planned,omitempty"` // number of claims that the run set out to check
	Partial string `json:"partial,omitempty"` // why claims are missing, if any are
}

// Claim is a claim with its verdict and its evidence. It keeps nothing of the check but words.
type Claim struct {
	props.Claim // its Part is "other" where it had none
	// id of the printed claim that a corrected form repairs
	Corrects string `json:"corrects,omitempty"`
	Title    string `json:"title"`
	Checked  string `json:"checked,omitempty"` // how, in words

	Verdict props.Verdict `json:"verdict"`
	// ProofOf is, of a claim that is proved, what the proof is of: its object, or a step if it is
	// the statement, and what the statement rests on is not proved itself
	ProofOf props.Object `json:"proof_of,omitempty"`
	Loose   bool         `json:"loose,omitempty"` // see [props.Result.Loose]
	// Unexpected says what differs from the expectations of the claim; empty if nothing does.
	Unexpected []string `json:"unexpected,omitempty"`
	Error      string   `json:"error,omitempty"` // why the verdict is "error"
	Seconds    float64  `json:"seconds"`
	// seconds of work of each part of the check, of all workers together
	Cost []float64 `json:"cost,omitempty"`
	// Excluded is the largest share of violating instances for which the evidence of a claim that
	// stands leaves room; 0 if there is none, or none is known.
	Excluded Num        `json:"excluded,omitempty"`
	Evidence []Evidence `json:"evidence"`
}

// AsExpected reports whether the verdict is the expected one, and every comparison inside a refuted
// claim came out as expected.
func (c *Claim) AsExpected() bool { return c.Verdict == c.Expect && len(c.Unexpected) == 0 }

// Num is a number for the files of this package.
type Num = props.Num

// Summary counts the verdicts.
type Summary struct {
	ByVerdict  map[props.Verdict]int `json:"by_verdict"`
	Loose      map[props.Verdict]int `json:"loose,omitempty"` // how many of them are loose
	Unexpected []string              `json:"unexpected"`
	// Settled is about all claims, SettledPrinted about the printed statements alone
	Settled        Settled `json:"settled"`
	SettledPrinted Settled `json:"settled_printed"`
}

// New makes a report of results. Of run, the digest is filled in, an empty shard becomes "1/1", and
// an empty tier and level become those of the zero [props.Config]. The claims are put in the order
// of the text: by part, parts with nothing printed in them last, by line, and the printed form
// before its corrected and sharper ones.
func New(results []props.Result, run Run) *Report {
	r := &Report{Schema: reportSchema, Tool: thisTool(), Run: run,
		Claims: make([]Claim, 0, len(results))}
	if r.Run.Shard == "" {
		r.Run.Shard = "1/1"
	}
	if r.Run.Tier == "" {
		r.Run.Tier = props.Quick.String()
	}
	if r.Run.Alpha == 0 {
		r.Run.Alpha = props.DefaultAlpha
	}
	for i := range results {
		r.Claims = append(r.Claims, newClaim(&results[i]))
	}
	r.finish()
	return r
}

// finish sorts the claims and derives the digest and the summary from them.
func (r *Report) finish() {
	sortClaims(r.Claims)
	for i := range r.Claims {
		r.Claims[i].ProofOf = r.proofOf(&r.Claims[i])
	}
	r.Run.Digest = digest(r.Claims)
	r.Summary = r.summarise()
}

func newClaim(res *props.Result) Claim {
	c := &res.Claim
	out := Claim{Claim: *c, Title: title(c.ID), Checked: props.Describe(c.Check),
		Verdict: res.Verdict, Loose: res.Loose(),
		Unexpected: res.Unexpected(), Error: plain.Text(res.Err), Seconds: res.Seconds,
		Cost: res.Cost, Evidence: make([]Evidence, len(res.Evidence))}
	out.Statement = plain.Text(c.Statement)
	out.Form, out.Uses = cmp.Or(c.Form, props.Printed), append([]string{}, c.Uses...)
	out.Check, out.Sharp, out.Sharpened = nil, nil, false
	if out.Part == "" {
		out.Part = "other"
	}
	if out.Form == props.Corrected {
		out.Corrects = c.Of
	}
	for i := range res.Evidence {
		e := res.Evidence[i]
		e.What, e.Where = plain.Line(e.What), plain.Line(e.Where)
		out.Evidence[i].Evidence = e
	}
	out.Excluded, _ = out.room()
	return out
}

func baseID(id string) string { base, _, _ := strings.Cut(id, "/"); return base }

// title is the id as words: "descent-lemma/corrected" becomes "descent lemma (corrected)".
func title(id string) string {
	base, suffix, _ := strings.Cut(strings.ReplaceAll(id, "-", " "), "/")
	if suffix != "" {
		base += " (" + suffix + ")"
	}
	return base
}

// firstLine is the first number in a list of lines such as "112, 383-390" or "proofs.tex:3", and
// the file of which it is one; claims without lines come last.
func firstLine(lines string) (file string, line int) {
	span, _, _ := strings.Cut(lines, ", ")
	file, number, included := strings.Cut(span, ":")
	if !included {
		file, number = "", span
	}
	digits := strings.FieldsFunc(number, func(r rune) bool { return r < '0' || r > '9' })
	if len(digits) > 0 {
		if n, err := strconv.Atoi(digits[0]); err == nil {
			return file, n
		}
	}
	return "", math.MaxInt
}

// mostLines is more lines than a file of a text has.
const mostLines = 1 << 24

func sortClaims(claims []Claim) {
	part := map[string]int{}       // first line of each part
	printed := map[string]bool{}   // parts with statements of the text
	base := map[string]int{}       // first line of each family of forms
	files := map[string]int{"": 0} // in the order of the ledger
	lower := func(m map[string]int, key string, line int) {
		if old, ok := m[key]; !ok || line < old {
			m[key] = line
		}
	}
	for i := range claims {
		file, line := firstLine(claims[i].Lines)
		if _, known := files[file]; !known {
			files[file] = len(files)
		}
		line += min(math.MaxInt-line, files[file]*mostLines)
		lower(part, claims[i].Part, line)
		if claims[i].Form == props.Printed {
			printed[claims[i].Part] = true
		}
		lower(base, baseID(claims[i].ID), line)
	}
	form := map[props.Form]int{props.Printed: 0, props.Corrected: 1, props.Sharper: 2,
		props.Extension: 3}
	rank := func(c *Claim) int {
		if printed[c.Part] {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(claims, func(a, b Claim) int {
		return cmp.Or(
			cmp.Compare(rank(&a), rank(&b)),
			cmp.Compare(part[a.Part], part[b.Part]), cmp.Compare(a.Part, b.Part),
			cmp.Compare(base[baseID(a.ID)], base[baseID(b.ID)]),
			cmp.Compare(baseID(a.ID), baseID(b.ID)), cmp.Compare(form[a.Form], form[b.Form]),
			cmp.Compare(a.ID, b.ID))
	})
}

// digest is the SHA-256 of the claims with their times, and the places of their checks, left out:
// equal digests mean equal numbers.
func digest(claims []Claim) string {
	h := sha256.New()
	enc := json.NewEncoder(h)
	for _, c := range claims {
		c.Seconds, c.Cost, c.At = 0, nil, ""
		if err := enc.Encode(c); err != nil {
			// only maps, channels and the like can fail, and a Claim has none
			panic("reports: " + err.Error())
		}
	}
	return hex.EncodeToString(h.Sum(nil))
}

// digestOf is [digest] of claims as they stand in a file, so that it is that of whatever version
// has written them.
func digestOf(claims []json.RawMessage) (string, error) {
	h := sha256.New()
	var line, plain bytes.Buffer
	for _, text := range claims {
		line.Reset()
		dec := json.NewDecoder(bytes.NewReader(text))
		if t, err := dec.Token(); err != nil || t != json.Delim('{') {
			return "", errors.New("a claim is no object")
		}
		line.WriteByte('{')
		for dec.More() {
			key, err := dec.Token()
			if err != nil {
				return "", err
			}
			var value json.RawMessage
			if err := dec.Decode(&value); err != nil {
				return "", err
			}
			switch key {
			case "cost", "at":
				continue
			case "seconds":
				value = json.RawMessage("0")
			}
			if line.Len() > 1 {
				line.WriteByte(',')
			}
			line.Write(said(key))
			line.WriteByte(':')
			line.Write(value)
		}
		line.WriteByte('}')
		plain.Reset()
		if err := json.Compact(&plain, line.Bytes()); err != nil {
			return "", err
		}
		line.Reset()
		json.HTMLEscape(&line, plain.Bytes())
		line.WriteByte('\n')
		h.Write(line.Bytes())
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

func (r *Report) summarise() Summary {
	claims := r.Claims
	s := Summary{ByVerdict: map[props.Verdict]int{}, Unexpected: []string{}}
	for i := range claims {
		s.ByVerdict[claims[i].Verdict]++
		if claims[i].Loose {
			if s.Loose == nil {
				s.Loose = map[props.Verdict]int{}
			}
			s.Loose[claims[i].Verdict]++
		}
		if !claims[i].AsExpected() {
			s.Unexpected = append(s.Unexpected, claims[i].ID)
		}
	}
	s.Settled = r.settled(func(*Claim) bool { return true })
	s.SettledPrinted = r.settled(func(c *Claim) bool { return c.Form == props.Printed })
	return s
}

// Build says in one line what this program was built from and with.
func Build() string { t := thisTool(); return t.String() }

func (t *Tool) String() string {
	s := fmt.Sprintf("%s, %s, %s/%s", t.Version, t.Go, t.OS, t.Arch)
	if t.GOAMD64 != "" {
		s += " " + t.GOAMD64
	}
	if t.Tags != "" {
		s += ", tags " + t.Tags
	}
	return s
}

var thisTool = sync.OnceValue(func() Tool {
	t := Tool{Name: "sledge", Version: "(devel)", Go: runtime.Version(), OS: runtime.GOOS,
		Arch: runtime.GOARCH}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return t
	}
	if info.Main.Version != "" {
		t.Version = info.Main.Version
	}
	stamped := false
	for _, s := range info.Settings {
		switch s.Key {
		case "GOAMD64":
			t.GOAMD64 = s.Value
		case "-tags":
			t.Tags = s.Value
		case "vcs.revision":
			stamped = true
			if t.Version == "(devel)" {
				t.Version += " " + s.Value[:min(12, len(s.Value))]
			}
		}
	}
	if t.Version == "(devel)" && !stamped {
		t.Version += commit(info.Main.Path)
	}
	return t
})

// commit returns the commit of the tree that the process stands in, for "go run", which builds
// without it. It is empty where Git cannot tell, or the tree is not one of the module. A mark says
// that files have changed since.
func commit(module string) string {
	git := func(args ...string) (string, bool) {
		out, err := exec.Command("git", args...).Output()
		return strings.TrimSpace(string(out)), err == nil
	}
	root, found := git("rev-parse", "--show-toplevel")
	if !found {
		return ""
	}
	text, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil || !strings.HasPrefix(string(text), "module "+module+"\n") {
		return ""
	}
	head, found := git("rev-parse", "--short=12", "HEAD")
	if !found {
		return ""
	}
	if changes, _ := git("status", "--porcelain", "--untracked-files=no"); changes != "" {
		head += "+dirty"
	}
	return " " + head
}
