package props

import "strings"

// Form says how the statement of a claim relates to the printed text.
type Form string

// The forms of a claim.
const (
	Printed   Form = "printed"   // the statement as it stands in the text
	Corrected Form = "corrected" // the weakest repair of a printed statement that fails
	Sharper   Form = "sharper"   // a true statement stronger than the printed one
	Extension Form = "extension" // a statement of ours about related objects
)

// Claim is a statement together with the way it is checked and the verdict that is expected of the check.
type Claim struct {
	ID        string `json:"id"`              // unique; "<id>/corrected" and "<id>/sharper" belong to the printed claim <id>
	Part      string `json:"part"`            // chapter of the text, for the coverage table
	Tier      int    `json:"tier"`            // 1 main result, 2 proof step, 3 remark
	Kind      string `json:"kind"`            // what sort of statement it is, such as "inequality" or "tail"
	Lines     string `json:"lines"`           // lines of the source text
	Label     string `json:"label"`           // label in the source text, if any
	Statement string `json:"statement"`       // the statement in words
	Notes     string `json:"notes,omitempty"` // why a printed form fails and what survives; how a constant was read; limits of the check
	// Uses are the ids of the claims and assumptions that the proof of this one rests on. A printed claim names printed ones, whatever their
	// verdict; a corrected one names those that hold.
	Uses   []string `json:"uses"`
	Expect Verdict  `json:"expected"` // the verdict that a run is expected to reach
	// Holds lists comparisons that are expected to hold inside a claim whose verdict is Refuted, which is to say: not to be refuted. All
	// others of it are expected to be refuted. A comparison is named by its name, or "2: name" by the number of its part and its name where
	// the parts of a check compare under one name; the instances of a randomised part are one comparison.
	Holds []string `json:"holds,omitempty"`
	// Sharpened says that a sharper form of the claim is checked too, so that a loose bound is no weakness of the statement's account.
	Sharpened bool  `json:"-"`
	Check     Check `json:"-"` // how it is tested; none in what a report keeps of the claim
}

// Form derives the form from the id.
func (c *Claim) Form() Form {
	switch base, suffix, _ := cutID(c.ID); {
	case suffix == "corrected":
		return Corrected
	case suffix == "sharper":
		return Sharper
	case suffix != "" || base == "":
		return Extension
	}
	return Printed
}

// MarkSharpened sets Sharpened of the printed and corrected forms among the claims beside which a form "<id>/sharper" stands.
func MarkSharpened(claims []Claim) {
	sharper := map[string]bool{}
	for i := range claims {
		if base, is := strings.CutSuffix(claims[i].ID, "/sharper"); is {
			sharper[base] = true
		}
	}
	for i := range claims {
		base, suffix, _ := cutID(claims[i].ID)
		claims[i].Sharpened = suffix != "sharper" && sharper[base]
	}
}
