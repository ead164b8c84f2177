package huge

import "syscall"

// advise asks for huge pages for memory that holds zeros, and gives up the pages that it has, which
// may be small ones left by what was there before. It is advice: a system that has none says so,
// and goes on as before.
func advise(memory []byte) {
	if syscall.Madvise(memory, syscall.MADV_HUGEPAGE) == nil {
		_ = syscall.Madvise(memory, syscall.MADV_DONTNEED)
	}
}
