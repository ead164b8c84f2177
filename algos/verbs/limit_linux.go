package verbs

import (
	"math"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// limited is what the limits of the process leave it, of address space and of data.
func limited() float64 {
	// pages: all, resident, shared, text, 0, data and stack
	text, err := os.ReadFile("/proc/self/statm")
	pages := strings.Fields(string(text))
	if err != nil || len(pages) < 6 {
		return math.Inf(1)
	}
	free := math.Inf(1)
	for _, r := range []struct {
		limit int
		used  string
	}{{syscall.RLIMIT_AS, pages[0]}, {syscall.RLIMIT_DATA, pages[5]}} {
		var most syscall.Rlimit
		used, err := strconv.ParseFloat(r.used, 64)
		if err == nil && syscall.Getrlimit(r.limit, &most) == nil && most.Cur < math.MaxInt64 {
			// else there is none
			free = min(free, float64(most.Cur)-used*float64(os.Getpagesize()))
		}
	}
	return free
}
