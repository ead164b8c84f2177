package props

import (
	"fmt"
	"path/filepath"
	"runtime"
	"strings"

	"sledge/props/certificate"
)

// Form says how the statement of a claim relates to the printed text.
type Form string

// The forms of a claim. The zero form is [Printed].
const (
	Printed   Form = "printed"   // the statement as it stands in the text
	Corrected Form = "corrected" // the weakest repair of a printed statement that fails
	Sharper   Form = "sharper"   // a true statement stronger than the printed one
	Extension Form = "extension" // a statement of ours about related objects
)

// Harm says what a refuted statement costs the text.
type Harm string

// The harms, gravest first.
const (
	False          Harm = "false"          // a result fails as stated
	Rate           Harm = "rate"           // an exponent is wrong or a term is missing
	Implementation Harm = "implementation" // followed to the letter, a program is wrong
	Logarithm      Harm = "logarithm"      // a result survives with another power of a logarithm
	Constant       Harm = "constant"       // a result survives with another constant
	// a step of a proof fails, its result survives the repair
	Step     Harm = "step"
	Misprint Harm = "misprint" // the meaning is plain and nothing depends on it
)

// Harms lists the harms, gravest first.
var Harms = []Harm{False, Rate, Implementation, Logarithm, Constant, Step, Misprint}

// Object says what of a statement the formal one is, to which a proof or a counterexample belongs.
type Object string

// The objects, from the statement itself to a part of it.
const (
	WholeStatement Object = "statement"          // as it is worded
	ProofStep      Object = "step"               // what follows from what the proof has before
	CountOrder     Object = "order of the count" // that two formulas for a number are of one order
	// in the place of what the wording is about, such as numbers for matrices
	OfModel Object = "model"
	OfSizes Object = "sizes" // the statement, for the sizes that are named
	// what the programs of this library do, for the sizes that are named
	OfProgram Object = "implementation"
)

// Objects lists the objects, from the statement itself to a part of it.
var Objects = []Object{WholeStatement, ProofStep, CountOrder, OfModel, OfSizes, OfProgram}

// Words says what a proof of the object is.
func (o Object) Words() string {
	return map[Object]string{WholeStatement: "the statement", ProofStep: "the step",
		CountOrder: "order of the count", OfModel: "a model", OfSizes: "for some sizes",
		OfProgram: "the implementation, for some sizes"}[o]
}

// Claim is a statement together with the way it is checked and the verdict that is expected of the
// check.
//
// In Statement, Notes and Reason formulas stand between dollar signs, in the notation of the text;
// see [Unmarked].
type Claim struct {
	ID   string `json:"id"`   // unique
	Part string `json:"part"` // chapter of the text, for the coverage table
	Tier int    `json:"tier"` // 1 main result, 2 proof step, 3 remark
	// what sort of statement it is, such as "inequality" or "tail"
	Kind string `json:"kind"`
	Form Form   `json:"form"` // empty stands for Printed
	// id of the printed claim that a corrected or sharper form belongs to
	Of string `json:"of,omitempty"`
	// Theorem is the number of the result as a reader of the text sees it, such as "Theorem 1";
	// empty if it has none
	Theorem   string `json:"theorem,omitempty"`
	Lines     string `json:"lines"`     // lines of the source text
	Label     string `json:"label"`     // label in the source text, if any
	Statement string `json:"statement"` // the statement in words
	// Notes say why a printed form fails and what survives; how a constant was read; limits of the
	// check
	Notes string `json:"notes,omitempty"`
	// Uses are the ids of the claims and assumptions that the proof of this one rests on. A printed
	// claim names printed ones, whatever their verdict; a corrected one names those that hold.
	Uses []string `json:"uses"`
	// Formal is the name of the theorem of a machine-checked development that the statement is, or
	// those of several with commas between; empty if there is none
	Formal string `json:"formal,omitempty"`
	// Formally are the statements in formulas that the ledger makes of it, from which parts of its
	// check are made, with the ranges of their symbols; formulas stand between dollar signs
	Formally []string `json:"formally,omitempty"`
	// Object says what of the statement a proof of its formal statement proves, and Given what it
	// takes for granted; of a refuted claim, what its formulas are about, and in which case or after
	// which display
	Object Object  `json:"object,omitempty"`
	Given  string  `json:"given,omitempty"`
	Expect Verdict `json:"expected"` // the verdict that a run is expected to reach
	// Within is, of a claim that is expected to be proved, the scope in which it is; empty stands
	// for any.
	Within certificate.Scope `json:"expected_scope,omitempty"`
	// Holds lists comparisons that are expected to hold inside a claim whose verdict is Refuted,
	// which is to say: not to be refuted. All others of it are expected to be refuted. A comparison
	// is named by its name, or "2: name" by the number of its part and its name where the parts of
	// a check compare under one name; the instances of a randomised part are one comparison.
	Holds []string `json:"holds,omitempty"`
	// Control is the negative control that its runs are to be told from; nil if there is none
	Control *Control `json:"control,omitempty"`
	// MayBeLoose says that a control which cannot be told from the claim is no surprise
	MayBeLoose bool `json:"may_be_loose,omitempty"`
	// how much of their bounds the comparisons are known to reach
	Sharp []Floor `json:"-"`
	// what the failure of a refuted statement costs the text
	Harm   Harm   `json:"harm,omitempty"`
	Reason string `json:"reason,omitempty"` // why it is this harm
	// id shared by all statements that one slip of the text breaks
	Cause string `json:"cause,omitempty"`
	// Reading is empty if the text is taken by the letter; else the substitutions that were made
	Reading string `json:"reading,omitempty"`
	// Sharpened says that a sharper form of the claim is checked too, so that a loose bound is no
	// weakness of the statement's account.
	Sharpened bool  `json:"-"`
	Check     Check `json:"-"` // how it is tested; none in what a report keeps of the claim
	// Asked, if not nil, is what the check asked when that was last put on record: a run says what
	// is otherwise now.
	Asked *Asked `json:"-"`
	// Notices is how many mistakes planted in the sources the check notices; nil if none was tried.
	Notices *Notices `json:"notices,omitempty"`
	// At is the file and line where the check was bound, such as "sledge/bounds/descent.go:30"
	At string `json:"at,omitempty"`
}

// Floor is a share of a bound that a check reaches: a statement that claimed less would be refuted.
type Floor struct {
	Share float64 // of the bound, between 0 and 1
	// part of the name of the comparison, or "2:" for those of the second part of the check, see
	// [Claim.Holds]; empty for all
	What string
}

// Binding is a check with the id of the claim that it tests.
type Binding struct {
	ID    string
	Check Check
	At    string // file and line of the call of Bind
}

// Bind binds a check to the claim with the id and records where that happens.
func Bind(id string, check Check) Binding {
	b := Binding{ID: id, Check: check}
	if pc, file, line, ok := runtime.Caller(1); ok {
		b.At = fmt.Sprintf("%s/%s:%d", packageOf(runtime.FuncForPC(pc).Name()),
			filepath.Base(file), line)
	}
	return b
}

// packageOf returns the import path in the full name of a function, such as "sledge/bounds" in
// "sledge/bounds.first.func1".
func packageOf(function string) string {
	slash := strings.LastIndex(function, "/") + 1
	name, _, _ := strings.Cut(function[slash:], ".")
	return function[:slash] + name
}

// Unmarked returns a text without the signs that mark its formulas.
func Unmarked(text string) string { return strings.ReplaceAll(text, "$", "") }
