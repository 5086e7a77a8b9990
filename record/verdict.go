package record

// State says whether the rules could be applied.
type State string

const (
	Graded     State = "graded"
	Unread     State = "unread"     // the strict parse could not take the answer: not passed, shown apart from wrong
	Ungradable State = "ungradable" // this machine lacks what grading needs; never the model's failure
)

// Span is a place in an answer, half open. Start and End are byte offsets into the raw answer; RuneStart and RuneEnd the
// same place in Unicode code points.
type Span struct {
	Start     int `json:"start"`
	End       int `json:"end"`
	RuneStart int `json:"rune_start"`
	RuneEnd   int `json:"rune_end"`
}

// Finding is what one rule saw. Rule is the rule's name in the item (its kind, with "#2" and so on where a kind stands
// more than once). Expected and Got are short texts for people; Got quotes at most a few hundred bytes of the answer.
type Finding struct {
	Rule     string `json:"rule"`
	Pass     bool   `json:"pass"`
	Why      string `json:"why"`
	Where    *Span  `json:"where"`
	Expected string `json:"expected"`
	Got      string `json:"got"`
	Skipped  bool   `json:"skipped,omitzero"` // not applied, since another rule had already refused the answer
}

// Verdict is the findings of one attempt and what follows from them. It is a pure function of the item and the
// transcript: the same input gives the same bytes on any machine.
type Verdict struct {
	Bench       string         `json:"bench"`  // id@version
	Item        string         `json:"item"`   //
	Grader      string         `json:"grader"` // the grader's digest
	Frozen      bool           `json:"frozen"` // false: shown, never run or counted
	Pass        bool           `json:"pass"`   //
	State       State          `json:"state"`  //
	Letter      Letter         `json:"letter"` //
	Basis       Basis          `json:"basis"`  //
	Score       *string        `json:"score"`  // an exact decimal where the shape defines a score, else null
	Reason      string         `json:"reason"` // why unread or ungradable; "" for graded
	Findings    []Finding      `json:"findings"`
	Diagnostics map[string]any `json:"diagnostics"` // never binding: tolerant parse, hardened execution, versions
	*Premise                   // of authoring problems only
}

// Premise is what a verdict on an authoring problem has beside that on any item.
type Premise struct {
	Reading      *string  `json:"reading"`       // the accepted reading that the points are those of, or null
	Declared     bool     `json:"declared"`      // everything that the requirement leaves open
	OverDeclared int      `json:"over_declared"` // kinds that were declared and belong to nothing open
	Repairs      int      `json:"repairs"`       // replies before the last one, each of which was not validated
	Tries        []string `json:"tries"`         // the letter after each reply, the last one's among them
}
