package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The job files run the claims in parts, which make one report: what they ask a machine to do is
// done here, with a few claims and two parts.
func TestJobFiles(t *testing.T) {
	if testing.Short() {
		t.Skip("runs in many parts")
	}
	command := built(t)
	const few = " descent-lemma first-step-size-choice*"
	read := func(name string) string {
		t.Helper()
		text, err := os.ReadFile(filepath.Join("..", "..", "docs", "jobs", name))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	script := func(pattern, text string) []string {
		t.Helper()
		var out []string
		for _, m := range regexp.MustCompile(pattern).FindAllStringSubmatch(text, -1) {
			out = append(out, m[1])
		}
		if len(out) == 0 {
			t.Fatalf("nothing matches %s", pattern)
		}
		return out
	}
	kubernetes := strings.Join(strings.Fields(script(`(?s)args:\n +- (verify run.*?)\n +resources:`,
		read("kubernetes.yaml"))[0]), " ")
	kubernetes = strings.NewReplacer("-tier standard", "", "auto/16", "auto/2", "/parts/", "parts/",
		" ||", few+" ||").Replace(kubernetes)
	var github []string
	for _, line := range script(`(go run ./cmd/verify [^\n]*)`,
		strings.SplitN(read("github.yml"), "jobs:", 2)[1]) {
		github = append(github, strings.NewReplacer("go run ./cmd/verify", "verify",
			"${{ matrix.part }}", "$SHARD").Replace(line))
	}
	if len(github) != 3 {
		t.Fatalf("the workflow calls the command %d times, want run, merge and diff: %q",
			len(github), github)
	}
	for _, job := range []struct {
		name, part, index, whole string
		from                     int
		env                      []string
	}{
		{"slurm.sh", "bash slurm.sh" + few, "SLURM_ARRAY_TASK_ID",
			"./verify merge -out whole sledge-report/part-*", 1,
			[]string{"SLURM_ARRAY_TASK_COUNT=2", "SLURM_ARRAY_TASK_MIN=1"}},
		{"kubernetes.yaml", kubernetes, "JOB_COMPLETION_INDEX",
			"verify merge -out whole parts/part-*", 0, nil},
		{"github.yml", github[0] + few, "SHARD",
			github[1] + " && verify baseline sledge-report && " + github[2], 1,
			[]string{"SHARDS=2", "GITHUB_STEP_SUMMARY=summary"}},
	} {
		t.Run(job.name, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.Symlink(command, filepath.Join(dir, "verify")); err != nil {
				t.Fatal(err)
			}
			if job.name == "slurm.sh" {
				if err := os.WriteFile(filepath.Join(dir, job.name), []byte(read(job.name)),
					0o777); err != nil {
					t.Fatal(err)
				}
			}
			sh := func(line string, env ...string) string {
				t.Helper()
				run := exec.Command("bash", "-c", line)
				run.Dir = dir
				run.Env = append(append(os.Environ(), "PATH="+dir+":"+os.Getenv("PATH")),
					append(env, job.env...)...)
				out, err := run.CombinedOutput()
				if err != nil {
					t.Fatalf("%s: %v\n%s", line, err, out)
				}
				return string(out)
			}
			for k := range 2 {
				sh(job.part, fmt.Sprintf("%s=%d", job.index, job.from+k))
			}
			if out := sh(job.whole); job.name != "github.yml" &&
				!strings.Contains(out, "Every verdict is as expected") {
				t.Errorf("the merged report says %s", out)
			}
			if job.name == "github.yml" {
				if out := sh("cat summary"); !strings.HasPrefix(out, "**No difference**") {
					t.Errorf("the summary says %s", out)
				}
			}
		})
	}
}
