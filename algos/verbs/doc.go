// Package verbs holds the verbs about methods that the owner of a ledger can bring to a command of
// package verify: [Race] runs methods side by side, [Conformance] puts them through the conformance
// suite, [Figures] makes the experiments of the paper on SLEDGE and FLEDGE, and [Methods] and
// [Problems] list what there is. Methods of one's own enter the verbs beside those of the library.
package verbs

import "embed"

//go:embed help/*.txt
var help embed.FS
