package verify

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"maps"

	"sledge/props"
	"sledge/reports/store"
)

func recordVerb() Verb {
	return Verb{
		Bind: func(flags *flag.FlagSet) Action {
			var budget Budget
			budget.Flags(flags)
			path := ""
			flags.Var(place{&path}, "write", "")
			return func(ctx context.Context, c *Call) error {
				if path == "" {
					return Usagef("record needs the file that keeps what claims ask: -write file")
				}
				if budget.Tier() != props.Quick {
					return Usagef("the record is of the quick tier, not of the %s tier",
						budget.Tier())
				}
				claims, err := c.Choose(c.Args)
				if err != nil {
					return err
				}
				return record(ctx, c, claims, &budget, path)
			}
		},
	}.Described(help, "record")
}

// record runs the claims and puts on record what they ask. What is on record of others stays,
// unless the ledger has lost them.
func record(ctx context.Context, c *Call, claims []props.Claim, budget *Budget, path string) error {
	kept := map[string]*props.Asked{}
	switch text, err := store.Read(path, mostRecord); {
	case err == nil:
		if kept, err = props.ReadRecord(text); err != nil {
			return Usagef("-write: %s: %v", path, err)
		}
	case !errors.Is(err, fs.ErrNotExist):
		return Usagef("-write: %v", err)
	}
	if err := store.CheckFile(path); err != nil {
		return Usagef("-write: %v", err)
	}
	for i := range claims {
		claims[i].Asked = nil
	}
	results, err := c.Check(ctx, claims, budget.Config(c.Claims()))
	switch {
	case ctx.Err() != nil:
		return Exitf(Interrupted, "interrupted; the record is as it was")
	case err != nil:
		return err
	}
	known := map[string]bool{}
	for _, claim := range c.Claims() {
		known[claim.ID] = true
	}
	maps.DeleteFunc(kept, func(id string, _ *props.Asked) bool { return !known[id] })
	left, points := 0, 0
	for i := range results {
		r := &results[i]
		if !r.AsExpected() {
			left++
			fmt.Fprintf(c.Err, "%s: %s: not put on record: %s\n", c.Name(), r.Claim.ID,
				r.Unexpected()[0])
			continue
		}
		asked, err := props.Record(r)
		if err != nil {
			return fmt.Errorf("%s: %w", r.Claim.ID, err)
		}
		kept[r.Claim.ID] = asked
		points += len(asked.Refuted)
	}
	if err := store.Write(path,
		func(w io.Writer) error { return props.WriteRecord(w, kept) }); err != nil {
		return err
	}
	fmt.Fprintf(c.Out, "%s on record, %s of them written anew, with %s.\n",
		Plural(len(kept), "claim"), fmt.Sprint(len(results)-left), Plural(points, "counterexample"))
	if left > 0 {
		return Exitf(Unexpected, "%s not as expected: not put on record", Plural(left, "claim"))
	}
	return nil
}
