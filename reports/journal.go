package reports

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"sledge/props"
)

// JournalFile is the name of the file in which a run keeps its results until its report is written.
const JournalFile = "unfinished.jsonl"

// Journal keeps the results of a run as they come, so that another one can go on where this one was stopped: a file
// whose first line says which run it is, and each further line one claim with its evidence.
type Journal struct {
	path string
	file *os.File
	err  error // of the first result that could not be kept
}

// header is the first line of a journal.
type header struct {
	Tool Tool `json:"tool"`
	Run  Run  `json:"run"`
}

// entry is any other line: a claim, or a slice of one.
type entry struct {
	*Claim
	Slice *props.Sliced `json:"slice,omitempty"`
}

// OpenJournal starts the journal of a run in a directory that exists, with what is known already in it. One that is
// there is replaced as a whole, so that a process that is killed here has lost nothing.
func OpenJournal(dir string, run Run, claims []Claim, slices []props.Sliced) (*Journal, error) {
	path := filepath.Join(dir, JournalFile)
	err := WriteFile(path, func(w io.Writer) error {
		err := line(w, header{thisTool(), run})
		for i := range claims {
			err = errors.Join(err, line(w, entry{Claim: &claims[i]}))
		}
		for i := range slices {
			err = errors.Join(err, line(w, entry{Slice: &slices[i]}))
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	return &Journal{path: path, file: file}, err
}

// line writes a value in one piece, so that nothing but the last line of a file can be torn.
func line(w io.Writer, v any) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return err
	}
	_, err := w.Write(b.Bytes())
	return err
}

// Add keeps a result or a slice of which news have come.
func (j *Journal) Add(news props.Event) {
	if j.err != nil {
		return
	}
	if news.Sliced != nil {
		j.err = line(j.file, entry{Slice: news.Sliced})
	}
	if news.Result != nil {
		c := newClaim(news.Result)
		j.err = line(j.file, entry{Claim: &c})
	}
}

// Close ends the journal. If the report of the run is written it goes; otherwise it stays, to be gone on from. The
// error says that results could not be kept.
func (j *Journal) Close(reported bool) error {
	err := errors.Join(j.err, j.file.Close())
	if reported {
		err = errors.Join(err, os.Remove(j.path))
	}
	return err
}

// ReadJournal returns the claims and slices that the journal in a directory holds, none if there is no journal. The
// error says that it belongs to another run, or that it is damaged elsewhere than at its end.
func ReadJournal(dir string, run Run) (claims []Claim, slices []props.Sliced, err error) {
	path := filepath.Join(dir, JournalFile)
	data, err := readFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	if err := steering(data); err != nil {
		return nil, nil, fmt.Errorf("%s:%w", path, err)
	}
	if n := bytes.Count(data, []byte("\n")); n > 2*mostClaims {
		return nil, nil, fmt.Errorf("%s: %d lines, of which a journal has %d at most", path, n, 2*mostClaims)
	}
	var first header
	lines := bufio.NewReader(bytes.NewReader(data))
	text, err := lines.ReadBytes('\n')
	if err != nil {
		return nil, nil, nil // killed before anything was kept
	}
	if err := json.Unmarshal(text, &first); err != nil {
		return nil, nil, fmt.Errorf("%s:1: %w", path, err)
	}
	mine, theirs := &Report{Tool: thisTool(), Run: run}, &Report{Tool: first.Tool, Run: first.Run}
	if err := sameRun(theirs, mine); err != nil {
		return nil, nil, fmt.Errorf("%s is of another run: %w", path, err)
	}
	if a, b := first.Run.Shard, run.Shard; a != b {
		return nil, nil, fmt.Errorf("%s is of another run: shard is %s in one and %s in the other", path, a, b)
	}
	if a, b := first.Run.Division, run.Division; a != b {
		return nil, nil, fmt.Errorf("%s is of another run: divided as %q in one and %q in the other", path, a, b)
	}
	if a, b := selection(theirs), selection(mine); a != b {
		return nil, nil, fmt.Errorf("%s is of another run: selected are %s in one and %s in the other", path, a, b)
	}
	for at := 2; ; at++ {
		text, err := lines.ReadBytes('\n')
		if err != nil {
			return claims, slices, nil // without a line end it was torn
		}
		var e struct {
			Claim
			Slice *props.Sliced `json:"slice"`
		}
		if err := json.Unmarshal(text, &e); err != nil {
			return nil, nil, fmt.Errorf("%s:%d: %w", path, at, err)
		}
		if e.Slice != nil {
			slices = append(slices, *e.Slice)
		} else {
			claims = append(claims, e.Claim)
		}
	}
}

// Include adds claims that were checked before, such as those of a journal.
func (r *Report) Include(claims []Claim) {
	r.Claims = append(r.Claims, claims...)
	r.finish()
}
