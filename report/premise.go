package report

import (
	"slices"
	"strings"

	"github.com/assaybench/assay/record"
)

// PremiseRun is what the results of authoring problems need of their run beside what those of any run need.
type PremiseRun struct {
	Plain      []string             // the items that leave nothing open
	Thinking   map[string]string    // by posture: what the protocol asks of a model's thinking
	Repairs    int                  // that each attempt may use
	Private    bool                 // of a private set: nothing but counts and letters is shown
	PrivateOf  map[[2]string]Linked // by model and posture: what the private set's run came to
	Regression map[[2]string]Linked // the same of the regression set's
}

// Linked is the score of a model at a posture in another run.
type Linked struct {
	Run    string       `json:"run"`
	Bench  string       `json:"bench"`
	Passed int          `json:"passed"`
	Items  int          `json:"items"`
	Judged int          `json:"judged"`
	Failed []FailedItem `json:"failed"` // empty for a regression set
}

// FailedItem is an item that did not pass, with a letter for each repeat.
type FailedItem struct {
	Item    string          `json:"item"`
	Letters []record.Letter `json:"letters"`
}

// Premise is the results of authoring problems. Its JSON names are part of the command line's contract.
type Premise struct {
	Settings []PremiseFigure `json:"settings"` // by model and posture as planned
	// Readings says how often each accepted reading was chosen, by item; empty for a private set, and for more than
	// ItemsShown items.
	Readings []ReadingShare `json:"readings"`
}

// PremiseFigure is what a model at a posture came to. Counts are of attempts with the number that they are out of; an item
// that was repeated passes, at the first try or later, only if all its repeats do.
type PremiseFigure struct {
	Model       string `json:"model"`
	Posture     string `json:"posture"`
	Effort      string `json:"effort"`       // what the protocol asks of thinking; "" for nothing
	EffortState string `json:"effort_state"` // "" as asked, or what became of it: "not accepted", "not honoured"
	Control     bool   `json:"control"`
	Score
	SingleRun         bool         `json:"single_run"`
	Complete          bool         `json:"complete"`
	Silent            Part         `json:"silent"`              // of attempts at problems that leave something open
	DeclaredWrong     Part         `json:"declared_wrong"`      // of all attempts
	UndeclaredWrong   Part         `json:"undeclared_wrong"`    // of attempts at problems that leave something open
	NotValidated      Part         `json:"not_validated"`       // of all attempts
	DeclaredOnControl Part         `json:"declared_on_control"` // of attempts at problems that leave nothing open
	OverDeclared      Part         `json:"over_declared"`       // of attempts at problems that leave something open: those with a kind too many
	FirstTry          Part         `json:"first_try"`           // of items: passed without a repair
	AfterOne          Part         `json:"after_one"`           // … with one repair at the most
	AfterTwo          Part         `json:"after_two"`           // … with two
	Repairs           Part         `json:"repairs"`             // used, of those that could be
	Repaired          int          `json:"repaired"`            // attempts that used one or more
	Failed            []FailedItem `json:"failed"`              // by the letters S W X i first, then those by others
	Private           *Linked      `json:"private"`             // null: there is none
	Regression        *Linked      `json:"regression"`          // null: there is none
	Prompt            Tokens       `json:"prompt_tokens"`       // of all replies of an attempt
	Output            Tokens       `json:"output_tokens"`
}

// Part is a count with what it is out of.
type Part struct {
	N  int `json:"n"`
	Of int `json:"of"`
}

// ReadingShare is how often a model at a posture chose each reading of an item.
type ReadingShare struct {
	Item         string         `json:"item"`
	Model        string         `json:"model"`
	Posture      string         `json:"posture"`
	Attempts     int            `json:"attempts"` // that were judged
	Chosen       []ReadingCount `json:"chosen"`   // by key
	None         int            `json:"none"`     // the points of no accepted reading
	NotValidated int            `json:"not_validated"`
}

// ReadingCount is a reading and the attempts that chose it.
type ReadingCount struct {
	Reading  string `json:"reading"`
	Attempts int    `json:"attempts"`
}

// premise makes the results of authoring problems out of what was kept.
func (b *builder) premise(r *Result) {
	in := b.run.Premise
	if in == nil {
		return
	}
	r.Premise = &Premise{Settings: []PremiseFigure{}, Readings: []ReadingShare{}}
	plain := make([]bool, b.items.len())
	for i := range plain {
		plain[i] = slices.Contains(in.Plain, b.items.id(i))
	}
	for s := range b.settings {
		r.Premise.Settings = append(r.Premise.Settings, b.premiseFigure(r, s, plain))
		if !in.Private && b.items.len() <= ItemsShown {
			for i := range b.items.len() {
				r.Premise.Readings = append(r.Premise.Readings, b.readingShare(s, i))
			}
		}
	}
}

func (b *builder) premiseFigure(r *Result, s int, plain []bool) PremiseFigure {
	set := &b.settings[s]
	in := b.run.Premise
	p := PremiseFigure{Model: set.model, Posture: set.posture, Effort: in.Thinking[set.posture], Control: set.control, Prompt: set.prompt, Output: set.output,
		SingleRun: b.run.Repeats == 1, Failed: []FailedItem{}}
	for i := range r.Figures {
		if f := &r.Figures[i]; f.Model == set.model && f.Posture == set.posture { // the shape has one basis; items of another are counted below all the same
			p.Score, p.Complete = f.Score, f.Complete
			break
		}
	}
	p.EffortState = effortState(r, set.model, set.posture)
	p.FirstTry.Of, p.AfterOne.Of, p.AfterTwo.Of = b.items.len(), b.items.len(), b.items.len()
	var others []FailedItem
	for i := range b.items.len() {
		cell := b.cell(s, i)
		within := 0 // the most repairs that a repeat needed to pass; below 0: one did not
		for j := range b.run.Repeats {
			code := b.codes[b.attempts[cell+j]]
			v := b.premises[cell+j]
			p.count(code, v, plain[i], in.Repairs)
			switch {
			case code.letter != record.LetterPass:
				within = -1
			case within >= 0 && v != nil:
				within = max(within, v.Repairs)
			}
		}
		for k, part := range []*Part{&p.FirstTry, &p.AfterOne, &p.AfterTwo} {
			if within >= 0 && within <= k {
				part.N++
			}
		}
		if within < 0 {
			f := FailedItem{b.items.id(i), b.letters(s, i).Letters}
			if f.own() {
				p.Failed = append(p.Failed, f)
			} else {
				others = append(others, f)
			}
		}
	}
	p.Failed = append(p.Failed, others...)
	key := [2]string{set.model, set.posture}
	if l, ok := in.PrivateOf[key]; ok {
		p.Private = &l
	}
	if l, ok := in.Regression[key]; ok {
		p.Regression = &l
	}
	return p
}

// count takes one attempt. What a reply that did not end by itself declares is no figure of the model's.
func (p *PremiseFigure) count(c code, v *record.Premise, plain bool, repairs int) {
	p.DeclaredWrong.Of++
	p.NotValidated.Of++
	p.Repairs.Of += repairs
	if plain {
		p.DeclaredOnControl.Of++
	} else {
		p.Silent.Of++
		p.UndeclaredWrong.Of++
		p.OverDeclared.Of++
	}
	switch c.letter {
	case record.LetterSilent:
		p.Silent.N++
	case record.LetterDeclaredWrong:
		p.DeclaredWrong.N++
	case record.LetterUndeclaredWrong:
		p.UndeclaredWrong.N++
	case record.LetterInvalid:
		p.NotValidated.N++
	}
	if v == nil {
		return
	}
	p.Repairs.N += v.Repairs
	if v.Repairs > 0 {
		p.Repaired++
	}
	switch {
	case v.OverDeclared == 0 || !c.answered:
	case plain:
		p.DeclaredOnControl.N++
	default:
		p.OverDeclared.N++
	}
}

// own reports whether one of the shape's own letters says why the item failed.
func (f *FailedItem) own() bool {
	return slices.ContainsFunc(f.Letters, func(l record.Letter) bool {
		return l == record.LetterSilent || l == record.LetterDeclaredWrong || l == record.LetterUndeclaredWrong || l == record.LetterInvalid
	})
}

// effortState says what became of the thinking that was asked for, where no attempt had it as it was asked.
func effortState(r *Result, model, posture string) string {
	for i := range r.Attempts.Settings {
		s := &r.Attempts.Settings[i]
		if s.Model != model || s.Posture != posture {
			continue
		}
		for _, w := range s.Wishes {
			taken := w.State != record.SettingNotAccepted && w.State != record.SettingNotHonoured
			if w.Name == "thinking" && !taken && (w.Before || w.Attempts == w.Of) {
				return w.State
			}
		}
	}
	return ""
}

func (b *builder) readingShare(s, item int) ReadingShare {
	out := ReadingShare{Item: b.items.id(item), Model: b.settings[s].model, Posture: b.settings[s].posture, Chosen: []ReadingCount{}}
	cell := b.cell(s, item)
	for j := range b.run.Repeats {
		v := b.premises[cell+j]
		if v == nil || !b.codes[b.attempts[cell+j]].answered {
			continue
		}
		out.Attempts++
		switch {
		case v.Reading != nil:
			i := slices.IndexFunc(out.Chosen, func(c ReadingCount) bool { return c.Reading == *v.Reading })
			if i < 0 {
				i = len(out.Chosen)
				out.Chosen = append(out.Chosen, ReadingCount{Reading: *v.Reading})
			}
			out.Chosen[i].Attempts++
		case b.codes[b.attempts[cell+j]].letter == record.LetterInvalid:
			out.NotValidated++
		default:
			out.None++
		}
	}
	slices.SortFunc(out.Chosen, func(a, b ReadingCount) int { return strings.Compare(a.Reading, b.Reading) })
	return out
}
