package premise

import "github.com/assaybench/assay/record"

// Meaning says what a letter of this shape means.
type Meaning struct {
	Letter  record.Letter
	Meaning string
}

// Meanings are the letters that replies of this shape have beside those of all shapes, in the order in which tables name them.
var Meanings = []Meaning{
	{record.LetterSilent, "silent: the points of an accepted reading, and what is open undeclared"},
	{record.LetterDeclaredWrong, "declared and wrong: the points are those of no accepted reading"},
	{record.LetterUndeclaredWrong, "undeclared and wrong: neither declared nor an accepted reading"},
	{record.LetterInvalid, "not validated: not of the form, or its program does not evaluate"},
}

// MeaningOf is a letter's meaning; "" for one that is not of this shape.
func MeaningOf(l record.Letter) string {
	for _, m := range Meanings {
		if m.Letter == l {
			return m.Meaning
		}
	}
	return ""
}
