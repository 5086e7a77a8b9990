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

	// Of agent tasks only.
	Category string `json:"category,omitzero"` // what kind of criterion: investigation, change, answer and so on
	Weight   string `json:"weight,omitzero"`   // what it counts, an exact decimal
	Vacuous  bool   `json:"vacuous,omitzero"`  // it holds of an untouched world, and earns nothing by itself
	Events   []int  `json:"events,omitzero"`   // the numbers of the events that it stands on
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
	*Agent                     // of agent tasks only
}

// Agent is what a verdict on an agent task has beside that on any item. The three numbers are never merged. The scores are
// exact decimals from 0 to 100, null for an episode that is not judged for the record.
type Agent struct {
	Strict       bool    `json:"strict"`        // every criterion holds
	GatedScore   *string `json:"gated_score"`   // the weight that was earned; 0 when a gate fails, at most 49 under a cap
	ProcessScore *string `json:"process_score"` // of what was read, looked at again and done in order; a diagnostic
	Task         string  `json:"task_digest"`
	Contract     string  `json:"contract_digest"`
	Engine       string  `json:"engine_version"`
	Trace        string  `json:"trace_digest"`
	FinalState   string  `json:"final_state_digest"`
	Unsealed     bool    `json:"unsealed,omitzero"` // the episode is not known to be sealed: never ranked
}

// Premise is what a verdict on an authoring problem has beside that on any item.
type Premise struct {
	Reading      *string  `json:"reading"`       // the accepted reading that the points are those of, or null
	Declared     bool     `json:"declared"`      // everything that the requirement leaves open
	OverDeclared int      `json:"over_declared"` // kinds that were declared and belong to nothing open
	Repairs      int      `json:"repairs"`       // replies before the last one, each of which was not validated
	Tries        []string `json:"tries"`         // the letter after each reply, the last one's among them
}
