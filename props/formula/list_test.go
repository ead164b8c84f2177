package formula

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Separators inside of brackets part nothing, empty items are none, and each item says where it
// begins.
func TestItems(t *testing.T) {
	text := " η = min{1/L, 2},b=f(a; c)  ;; x_{1,2} "
	want := []Item{{"η = min{1/L, 2}", 1}, {"b=f(a; c)", 18}, {"x_{1,2}", 32}}
	got := Items(text)
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	for _, item := range got {
		if text[item.At:item.At+len(item.Text)] != item.Text {
			t.Errorf("%q does not begin at %d", item.Text, item.At)
		}
	}
	if Items(" , ;") != nil {
		t.Error("nothing has items")
	}
}
