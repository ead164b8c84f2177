#include "textflag.h"

// func control() uint64
TEXT ·control(SB), NOSPLIT, $0-8
	MRS  FPCR, R0
	MOVD R0, ret+0(FP)
	RET

// func setControl(word uint64)
TEXT ·setControl(SB), NOSPLIT, $0-8
	MOVD word+0(FP), R0
	MSR  R0, FPCR
	RET
