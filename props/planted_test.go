package props

import (
	"bytes"
	"slices"
	"strings"
	"testing"
)

// A matrix is read as it was written, and says of each claim what it notices.
func TestPlanted(t *testing.T) {
	p := Planted{[]Mistake{
		{"b.go f: twice x", "method", []string{"a", "b"}, []string{"a"}, nil},
		{"a.go f: without y", "check", []string{"a"}, []string{"a"}, nil},
	}}
	var b bytes.Buffer
	if err := WritePlanted(&b, p); err != nil {
		t.Fatal(err)
	}
	back, err := ReadPlanted(b.Bytes())
	if err != nil || len(back.Mistakes) != 2 || back.Mistakes[0].Mistake != "a.go f: without y" {
		t.Fatal(back, err)
	}
	claims := []Claim{{ID: "a"}, {ID: "b"}, {ID: "c"}}
	back.Tell(claims)
	if n := claims[0].Notices; n == nil || *n != (Notices{2, 2}) {
		t.Errorf("a notices %v", n)
	}
	if claims[2].Notices != nil {
		t.Error("c was asked")
	}
	if idle, never := back.Lacking(claims); !slices.Equal(idle, []string{"b", "c"}) ||
		!slices.Equal(never, []string{"c"}) {
		t.Error(idle, never)
	}
	unasked := `{"schema": "sledge/planted/v1", "mistakes": [
{"mistake": "x", "class": "formula", "tried": ["b"], "noticed": ["a"]}]}`
	if _, err := ReadPlanted([]byte(unasked)); err == nil ||
		!strings.Contains(err.Error(), `a notices "x" and was not asked`) {
		t.Errorf("a claim that was not asked: %v", err)
	}
	if _, err := ReadPlanted([]byte(`{"schema": "x"}`)); err == nil ||
		!strings.Contains(err.Error(), `"x"`) {
		t.Error(err)
	}
}
