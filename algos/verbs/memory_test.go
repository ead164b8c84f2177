package verbs

import (
	"math"
	"os"
	"path/filepath"
	"testing"
)

// What control groups leave is the least of a group and those above it, in both versions; the word
// max is no limit.
func TestControlGroups(t *testing.T) {
	root := t.TempDir()
	put := func(path, text string) {
		t.Helper()
		path = filepath.Join(root, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text+"\n"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want := func(groups string, bytes float64) {
		t.Helper()
		if got := grouped(root, groups); got != bytes {
			t.Errorf("%q leaves %v bytes, want %v", groups, got, bytes)
		}
	}
	want("", math.Inf(1))
	put("slice/job/memory.max", "max")
	put("slice/job/memory.current", "500")
	want("0::/slice/job\n", math.Inf(1))
	put("slice/memory.max", "9000")
	put("slice/memory.current", "4000")
	want("0::/slice/job\n", 5000)
	want("0::/other\n", math.Inf(1))
	put("slice/job/memory.max", "2000")
	want("0::/slice/job\n", 1500)
	put("memory/batch/memory.limit_in_bytes", "700")
	put("memory/batch/memory.usage_in_bytes", "300")
	want("4:cpu,cpuacct:/batch\n5:memory:/batch/step\n", 400)
	put("memory.max", "100") // of a container, which does not see where it lies
	want("0::/elsewhere\n", 100)
}
