package store

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// Pieces are found by a later call with the same settings, and by no other; a log that is damaged
// is replaced by the first piece that is added.
func TestKept(t *testing.T) {
	type piece struct{ N int }
	path := filepath.Join(t.TempDir(), "deep", "log.jsonl")
	keep := func(settings string) *Kept[piece] {
		return Keep(path, "test/v1", settings, func(p *piece) error {
			if p.N < 0 {
				return errors.New("below zero")
			}
			return nil
		})
	}
	k := keep("a")
	if _, err := os.Stat(path); k.Count() != 0 || err == nil {
		t.Errorf("%d pieces, and a log, before one is added", k.Count())
	}
	for n := range 3 {
		if err := k.Add(piece{n}); err != nil {
			t.Fatal(err)
		}
	}
	if err := k.Close(false); err != nil {
		t.Fatal(err)
	}
	if err := k.Add(piece{9}); err == nil {
		t.Error("a piece is kept in a log that is closed")
	}
	never := keep("b")
	if err := never.Close(false); err != nil {
		t.Fatal(err)
	}
	if err := never.Add(piece{9}); err == nil {
		t.Error("a piece is kept in a log that was closed before it was begun")
	}
	again := keep("a")
	if p, found := again.Find(func(p piece) bool { return p.N == 2 }); !found || p.N != 2 ||
		again.Count() != 3 {
		t.Errorf("%v, %v, %d pieces", p, found, again.Count())
	}
	if _, found := again.Find(func(p piece) bool { return p.N == 9 }); found {
		t.Error("a piece is found that was not kept")
	}
	if n := keep("b").Count(); n != 0 {
		t.Errorf("%d pieces of another work", n)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, append(whole[:len(whole)-9], '\n'), 0o666); err != nil {
		t.Fatal(err)
	}
	damaged := keep("a")
	if damaged.Count() != 0 {
		t.Errorf("%d pieces of a damaged log", damaged.Count())
	}
	for n := range 2 {
		if err := damaged.Add(piece{5 - 9*n}); err != nil { // the second is none
			t.Fatal(err)
		}
	}
	damaged.Close(false)
	if n := keep("a").Count(); n != 0 {
		t.Errorf("%d pieces of a log with one that is none", n)
	}
	if err := keep("a").Close(true); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); !os.IsNotExist(err) {
		t.Errorf("the log of a work that is over is still there: %v", err)
	}
	if err := keep("a").Close(true); err != nil {
		t.Errorf("there is nothing to remove: %v", err)
	}
}
