//go:build !purego

#include "textflag.h"

// func lines(p unsafe.Pointer, size uintptr)
TEXT ·lines(SB), NOSPLIT, $0-16
	MOVQ p+0(FP), AX
	MOVQ size+8(FP), CX
	ADDQ AX, CX   // the end
	ANDQ $-64, AX // the line in which it begins
	JMP  more
line:
	PREFETCHT0 (AX)
	ADDQ $64, AX
more:
	CMPQ AX, CX
	JB   line
	RET
