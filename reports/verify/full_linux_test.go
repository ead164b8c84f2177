package verify

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"sledge/reports"
)

// On a full disk a run says so, and the report that was there stays as it was.
func TestFullDisk(t *testing.T) {
	disk := t.TempDir()
	if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, "size=2m"); err != nil {
		t.Skipf("no disk to be had: %v", err)
	}
	defer func() {
		if err := syscall.Unmount(disk, 0); err != nil {
			t.Error(err)
		}
	}()
	dir := filepath.Join(disk, "out")
	call := func(args ...string) (string, error) {
		out, err := exec.Command("verify", append(args, "-out", dir)...).CombinedOutput()
		return string(out), err
	}
	if out, err := call(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	before, err := reports.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	want := listing(t, dir)
	filler, err := os.Create(filepath.Join(disk, "filler"))
	if err != nil {
		t.Fatal(err)
	}
	for block := make([]byte, 4096); err == nil; {
		_, err = filler.Write(block)
	}
	if err := filler.Truncate(0); err != nil {
		t.Fatal(err)
	}
	var room syscall.Statfs_t
	if err := syscall.Statfs(disk, &room); err != nil {
		t.Fatal(err)
	}
	free := int64(room.Bavail) * room.Bsize
	for _, left := range []int64{0, 40 << 10, 100 << 10} {
		// not even the journal, the journal, some of the pages
		if err := filler.Truncate(0); err != nil {
			t.Fatal(err)
		}
		if _, err := filler.WriteAt(make([]byte, free-left), 0); err != nil {
			t.Fatal(err)
		}
		out, err := call("-seed", "1")
		if err == nil || !strings.Contains(out, "no space left on device") ||
			strings.Count(out, "\n") != 1 {
			t.Errorf("%d bytes left: %v: %s", left, err, out)
		}
		if refused := strings.HasPrefix(out, "verify: -out: "); refused != (left < 1<<16) {
			t.Errorf("%d bytes left: %s", left, out)
		}
		after, err := reports.Read(dir)
		if err != nil || after.Run.Digest != before.Run.Digest {
			t.Errorf("%d bytes left: another report, %v", left, err)
		}
		if got := strings.Replace(listing(t, dir), " /"+reports.JournalFile, "", 1); got != want {
			t.Errorf("%d bytes left: the files are %s, not %s", left, got, want)
		}
	}
	if err := filler.Close(); err != nil {
		t.Error(err)
	}
}
