//go:build !purego

#include "textflag.h"

// func lines(p unsafe.Pointer, size uintptr)
TEXT ·lines(SB), NOSPLIT, $0-16
	MOVD p+0(FP), R0
	MOVD size+8(FP), R1
	ADD  R0, R1   // the end
	AND  $~63, R0 // the line in which it begins
	JMP  more
line:
	PRFM (R0), PLDL1KEEP
	ADD  $64, R0
more:
	CMP R1, R0
	BLO line
	RET
