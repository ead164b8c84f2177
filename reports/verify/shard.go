package verify

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
)

// engines are what tells a process which part of a job it is.
var engines = []struct {
	name string
	// variables of the environment; total is empty if none says how many parts there are
	index, total string
	first        string // variable with the index of the first part; else it is from
	from         int
}{
	{name: "a Slurm array", index: "SLURM_ARRAY_TASK_ID", total: "SLURM_ARRAY_TASK_COUNT",
		first: "SLURM_ARRAY_TASK_MIN"},
	{name: "a matrix of SHARD and SHARDS", index: "SHARD", total: "SHARDS", from: 1},
	{name: "an indexed job of Kubernetes", index: "JOB_COMPLETION_INDEX"},
	{name: "an array job of AWS Batch", index: "AWS_BATCH_JOB_ARRAY_INDEX",
		total: "AWS_BATCH_JOB_ARRAY_SIZE"},
	{name: "parallel jobs of GitLab", index: "CI_NODE_INDEX", total: "CI_NODE_TOTAL", from: 1},
	{name: "parallel containers of CircleCI", index: "CIRCLE_NODE_INDEX",
		total: "CIRCLE_NODE_TOTAL"},
	{name: "parallel jobs of Buildkite", index: "BUILDKITE_PARALLEL_JOB",
		total: "BUILDKITE_PARALLEL_JOB_COUNT"},
}

// auto asks the environment which part this process is; parts is their number, if it is given.
func (s *Shard) auto(parts string, given bool) error {
	for _, e := range engines {
		text, set := os.LookupEnv(e.index)
		if !set {
			continue
		}
		k, err := strconv.Atoi(text)
		if err != nil {
			return fmt.Errorf("%s is %q, not a number", e.index, text)
		}
		from := e.from
		if v := os.Getenv(e.first); e.first != "" && v != "" {
			if from, err = strconv.Atoi(v); err != nil {
				return fmt.Errorf("%s is %q, not a number", e.first, v)
			}
		}
		count := parts
		if !given {
			if e.total == "" {
				return fmt.Errorf("%s does not say how many parts there are: want auto/K", e.name)
			}
			count = os.Getenv(e.total)
		}
		K, err := strconv.Atoi(count)
		if err != nil || K < 1 || K > mostShards {
			return fmt.Errorf("%s has %q parts, which is not a number from 1 to %d", e.name, count,
				mostShards)
		}
		if k -= from - 1; k < 1 || k > K {
			return fmt.Errorf(
				"%s is %s, which is none of %d parts from %d on; an array has steps of 1",
				e.index, text, K, from)
		}
		*s = Shard{k, K}
		return nil
	}
	var names []string
	for _, e := range engines {
		names = append(names, e.index)
	}
	return errors.New("no part is named in the environment; looked for " +
		strings.Join(names, ", "))
}
