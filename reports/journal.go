package reports

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"sledge/props"
	"sledge/reports/store"
)

// JournalFile is the name of the file in which a run keeps its results until its report is written.
const JournalFile = "unfinished.jsonl"

// Journal keeps the results of a run as they come, so that another one can go on where this one was
// stopped: a log ([store.Log]) whose first record says which run it is, and each further one is a
// claim with its evidence.
type Journal struct {
	log *store.Log
	err error // of the first result that could not be kept
}

// header is the first record of a journal.
type header struct {
	Tool Tool `json:"tool"`
	Run  Run  `json:"run"`
}

// entry is any other record: a claim, or a slice of one.
type entry struct {
	*Claim
	Slice *props.Sliced `json:"slice,omitempty"`
}

// OpenJournal starts the journal of a run in a directory that exists, with what is known already in
// it. One that is there is replaced as a whole, so that a process that is killed here has lost
// nothing.
func OpenJournal(dir string, run Run, claims []Claim, slices []props.Sliced) (*Journal, error) {
	records := []any{header{thisTool(), run}}
	for i := range claims {
		records = append(records, entry{Claim: &claims[i]})
	}
	for i := range slices {
		records = append(records, entry{Slice: &slices[i]})
	}
	log, err := store.NewLog(filepath.Join(dir, JournalFile), records...)
	return &Journal{log: log}, err
}

// Add keeps a result or a slice of which news have come.
func (j *Journal) Add(news props.Event) {
	if j.err != nil {
		return
	}
	if news.Sliced != nil {
		j.err = j.log.Add(entry{Slice: news.Sliced})
	}
	if news.Result != nil {
		c := newClaim(news.Result)
		j.err = errors.Join(j.err, j.log.Add(entry{Claim: &c}))
	}
}

// Close ends the journal. If the report of the run is written it goes; otherwise it stays, to be
// gone on from. The error says that results could not be kept.
func (j *Journal) Close(reported bool) error {
	err := j.log.Close()
	if reported {
		err = errors.Join(err, j.log.Remove())
	}
	return err
}

// ReadJournal returns the claims and slices that the journal in a directory holds, none if there is
// no journal. They are of the given claims and slices, those of the run. The error names the file
// and the line: the journal belongs to another run, it is damaged elsewhere than at its end, or it
// holds what the run does not ask for, or holds it twice.
func ReadJournal(dir string, run Run, asked []props.Claim, parts []props.Slice) (claims []Claim,
	slices []props.Sliced, err error) {
	path := filepath.Join(dir, JournalFile)
	wanted := map[string]*Claim{}
	for i := range asked {
		c := newClaim(&props.Result{Claim: asked[i]})
		wanted[c.ID] = &c
	}
	for _, s := range parts {
		wanted[sliceName(s.Claim, s.K, s.Of)] = nil
	}
	first := true
	err = store.ReadLog(path, mostBytes, 2*mostClaims, func(record []byte) error {
		if err := steering(record); err != nil {
			_, what, _ := strings.Cut(err.Error(), ": ") // the line is known
			return errors.New(what)
		}
		if first {
			first = false
			return sameJournal(record, run)
		}
		var e struct {
			Claim
			Slice *props.Sliced `json:"slice"`
		}
		if err := json.Unmarshal(record, &e); err != nil {
			return err
		}
		name := e.ID
		if e.Slice != nil {
			name = sliceName(e.Slice.Claim, e.Slice.K, e.Slice.Of)
		}
		want, known := wanted[name]
		if !known {
			return fmt.Errorf("%q is there twice, or is none of this run", name)
		}
		delete(wanted, name)
		if e.Slice != nil {
			slices = append(slices, *e.Slice)
			return nil
		}
		if field := differs(&e.Claim, want); field != "" {
			return fmt.Errorf("%s: %s is not that of the ledger", name, field)
		}
		claims = append(claims, e.Claim)
		return nil
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	return claims, slices, nil
}

func sliceName(claim string, k, of int) string { return fmt.Sprintf("%s %d/%d", claim, k, of) }

// sameJournal reads the first record of a journal and says why it belongs to another run.
func sameJournal(record []byte, run Run) error {
	var first header
	if err := json.Unmarshal(record, &first); err != nil {
		return err
	}
	mine, theirs := &Report{Tool: thisTool(), Run: run}, &Report{Tool: first.Tool, Run: first.Run}
	if err := sameRun(theirs, mine); err != nil {
		return fmt.Errorf("it is of another run: %w", err)
	}
	for _, f := range []struct{ name, a, b string }{{"shard is", first.Run.Shard, run.Shard},
		{"divided as", first.Run.Division, run.Division},
		{"selected are", selection(theirs), selection(mine)}} {
		if f.a != f.b {
			return fmt.Errorf("it is of another run: %s %s in one and %s in the other", f.name,
				f.a, f.b)
		}
	}
	return nil
}

// Include adds claims that were checked before, such as those of a journal.
func (r *Report) Include(claims []Claim) {
	r.Claims = append(r.Claims, claims...)
	r.finish()
}
