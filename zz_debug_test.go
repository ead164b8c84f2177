package sledge_test

import (
	"fmt"
	"runtime"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sledge"
	"sledge/props/certificate"
	"sledge/props/certificate/checker"
	"sledge/props/formula"
)

func TestDebugOrders(t *testing.T) {
	var made, checked time.Duration
	n, bytes := map[string]int{}, 0
	formula.Debug = func(text string, settle func() (*certificate.Certificate, string)) {
		_, file, line, _ := runtime.Caller(0)
		for i := 1; i < 20; i++ {
			_, file, line, _ = runtime.Caller(i)
			if !strings.Contains(file, "props/") {
				break
			}
		}
		where := fmt.Sprintf("%s:%d", filepath.Base(file), line)
		t0 := time.Now()
		c, why := settle()
		t1 := time.Now()
		made += t1.Sub(t0)
		if c == nil {
			n["unsettled"]++
			fmt.Println("UNSETTLED", where, why, text)
			return
		}
		err := checker.Check(c)
		d := time.Since(t1)
		checked += d
		bytes += len(c.Proof)
		if err != nil {
			n["refused"]++
			fmt.Println("REFUSED", where, c.Kind, err, "::", c.Domain, "::", c.Statement)
			if c.Refutes { fmt.Println(string(c.Proof)) }
			return
		}
		n[string(c.Kind)]++
		if d > 50*time.Millisecond {
			fmt.Println("SLOW", where, t1.Sub(t0), d, len(c.Proof))
		}
	}
	_ = sledge.Claims()
	fmt.Println(n, made, checked, bytes)
}
