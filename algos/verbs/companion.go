package verbs

import (
	"io/fs"

	"sledge/algos"
	"sledge/algos/claims"
	"sledge/props"
	"sledge/props/ledger"
	"sledge/reports/verify"
)

// Companion is the command of a paper whose ledger, in the files *.ledger, says all of its checks
// itself: in formulas, and in statements about the runs of the methods of the library and of one's
// own. Its verbs race and examine the methods, and try conjectures about them.
func Companion(name, summary string, files fs.FS, own ...algos.Entry) verify.App {
	text := func() (*ledger.Ledger, error) { return ledger.Read(files, "*.ledger") }
	return verify.App{Name: name, Summary: summary, Ledger: text,
		Claims: func() ([]props.Claim, error) {
			l, err := text()
			if err == nil {
				err = l.Run(claims.Stated(own...))
			}
			if err != nil {
				return nil, err
			}
			return l.Join()
		},
		Verbs: []verify.Verb{Race(own...), Conformance(), Conjecture(own...)},
		Lists: []verify.List{Methods(own...), Problems()}}
}
