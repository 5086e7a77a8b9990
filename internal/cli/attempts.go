package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/report/stored"
	"github.com/assaybench/assay/store"
)

// attempt is one attempt at an item as a reader looks at it.
type attempt struct {
	record.Key
	Letter   record.Letter     `json:"letter"`
	Outcome  record.Outcome    `json:"outcome"`
	Reason   string            `json:"reason"`
	Answer   string            `json:"answer"`
	Thinking string            `json:"thinking"`
	Finish   string            `json:"finish"`
	Server   string            `json:"answered_as"` // the model that the server says answered
	Delivery record.Delivery   `json:"delivery"`
	Settings []record.Setting  `json:"settings"` // what was not plainly sent as the posture asks
	Tools    []record.ToolCall `json:"tools"`
	Turns    []record.Turn     `json:"turns"` // the replies before the last one, each with what the model was told of it
	Usage    record.Usage      `json:"usage"`
	Timing   record.Timing     `json:"timing"`
	Earlier  []earlier         `json:"earlier_tries"`     // before the one that stands
	Episode  *record.Episode   `json:"episode,omitempty"` // of agent tasks
	Verdict  *json.RawMessage  `json:"verdict"`

	control bool // nothing was sent to anybody
}

// earlier is a try that another one followed.
type earlier struct {
	Try     int            `json:"try"`
	Outcome record.Outcome `json:"outcome"`
	Reason  string         `json:"reason"`
	Timing  record.Timing  `json:"timing"`
}

// printAttempts shows what was answered to one item and what each rule saw in it.
func (p *Process) printAttempts(r *store.Run, db store.Store, item, grader string, asJSON bool) error {
	ctx := context.WithoutCancel(p.Context)
	grader, err := p.chooseSet(ctx, db, r, grader)
	if err != nil {
		return err
	}
	out := []attempt{}
	var private []letterOf
	for row, err := range db.Rows(ctx, r, grader) {
		if err != nil {
			return storeError(err)
		}
		if row.Key.Item != item {
			continue
		}
		if stored.IsPrivate(r) {
			private = append(private, letterOf{row.Key, row.Letter})
			continue
		}
		a, err := p.readAttempt(ctx, db, r, grader, row)
		if err != nil {
			return storeError(err)
		}
		out = append(out, a)
	}
	if len(private) > 0 {
		return p.printLetters(r, private, item, asJSON)
	}
	if len(out) == 0 {
		return usage("run %s has no attempt at an item %q", r.ID, item)
	}
	if asJSON {
		return p.writeJSON(map[string]any{"run": r.ID, "item": item, "attempts": out})
	}
	for _, a := range out {
		if err := p.showAttempt(a); err != nil {
			return err
		}
	}
	return nil
}

func (p *Process) readAttempt(ctx context.Context, db store.Store, r *store.Run, grader string, row store.Row) (attempt, error) {
	a := attempt{Key: row.Key, Letter: row.Letter, Outcome: row.Outcome, Reason: row.Reason, Settings: []record.Setting{}, Tools: []record.ToolCall{}, Turns: []record.Turn{}, Earlier: []earlier{}}
	if i := slices.IndexFunc(r.Plan.Models, func(m store.PlanModel) bool { return m.Name == row.Key.Model }); i >= 0 {
		a.control = r.Plan.Models[i].Control
	}
	if row.Try == 0 {
		a.Letter = record.LetterMissing
		return a, nil
	}
	if row.Try > 1 {
		tries, err := db.Tries(ctx, r, row.N)
		if err != nil {
			return a, err
		}
		for _, t := range tries {
			if t.Try < row.Try {
				a.Earlier = append(a.Earlier, earlier{t.Try, t.Outcome, t.Reason, t.Timing})
			}
		}
	}
	t, err := db.Transcript(ctx, r, row.N, row.Try)
	if err != nil {
		return a, err
	}
	a.Answer, a.Thinking, a.Finish, a.Server, a.Delivery, a.Usage, a.Timing = t.Answer, t.Thinking, t.Finish, t.Model, t.Delivery, t.Usage, t.Timing
	a.Settings, a.Tools = append(a.Settings, t.Settings...), append(a.Tools, t.Tools...)
	a.Turns = append(a.Turns, t.Turns...)
	a.Episode = t.Episode
	v, err := db.VerdictJSON(ctx, r, row.N, grader)
	if store.KindOf(err) == store.NotFound {
		return a, nil
	}
	raw := json.RawMessage(v)
	a.Verdict = &raw
	return a, err
}

// showAttempt prints one attempt for people; what the model wrote is shown as text and nothing else.
func (p *Process) showAttempt(a attempt) error {
	if a.Outcome == "" {
		p.printf("%s, posture %s, repeat %d: letter %s, not made yet\n\n", plain(a.Model), plain(a.Posture), a.Repeat, a.Letter)
		return nil
	}
	head := fmt.Sprintf("%s, posture %s, repeat %d: letter %s, %s", plain(a.Model), plain(a.Posture), a.Repeat, a.Letter, a.Outcome)
	if a.Reason != "" {
		head += fmt.Sprintf(" (%s)", plain(a.Reason))
	}
	p.printf("%s\n", head) // whole, however long: it is what people look for
	if !a.control {
		p.para("  ", deliveryWords(&a))
	}
	if _, asked, _ := strings.Cut(a.Model, "/"); a.Server != "" && !strings.HasPrefix(asked, a.Server) && a.Server != a.Model {
		p.para("  ", "answered as "+plain(a.Server))
	}
	for _, s := range a.Settings {
		p.para("  ", fmt.Sprintf("%s %s: %s (%s)", plain(s.Name), plain(s.Asked), plain(s.State), plain(s.Why)))
	}
	for _, t := range a.Earlier {
		p.para("  ", fmt.Sprintf("try %d: %s (%s)", t.Try, t.Outcome, plain(t.Reason)))
	}
	p.para("  ", spentWords(&a))
	p.printf("\n")
	if a.Episode != nil { // the replies before the last one are its calls; --json has their texts
		if err := p.showEpisode(a.Episode); err != nil {
			return err
		}
	} else {
		p.showTurns(a.Turns)
	}
	if a.Thinking != "" {
		p.printf("Thinking: %d bytes (--json has them)\n\n", len(a.Thinking))
	}
	block(p.Stdout, fmt.Sprintf("Answer, %d bytes", len(a.Answer)), a.Answer)
	if len(a.Tools) > 0 && a.Episode == nil { // an episode shows all of them, not those of the last reply alone
		p.printf("Calls of tools: %d (--json has them)\n\n", len(a.Tools))
	}
	if a.Verdict == nil {
		return nil
	}
	var v record.Verdict
	if err := json.Unmarshal(*a.Verdict, &v); err != nil {
		return fault(fmt.Errorf("the verdict of %s, repeat %d, cannot be read: %w", a.Item, a.Repeat, err))
	}
	p.showVerdict(v, a.Answer)
	p.printf("\n")
	return nil
}

// turnMost is how many bytes of an earlier reply, and of what was told of it, are shown.
const turnMost = 2000

// showTurns prints the replies before the last one, each with what the model was told of it.
func (p *Process) showTurns(turns []record.Turn) {
	for i, t := range turns {
		said := func(what, text string) {
			label := fmt.Sprintf("%s, %d bytes", what, len(text))
			if short := clip(text, turnMost); short != text {
				text, label = short, label+" (its beginning; --json has all of it)"
			}
			block(p.Stdout, label, text)
		}
		said(fmt.Sprintf("Reply %d of %d", i+1, len(turns)+1), t.Answer)
		if strings.TrimSpace(t.Answer) == "" {
			p.printf("Reply %d of %d: no text\n\n", i+1, len(turns)+1)
		}
		if len(t.Tools) > 0 {
			p.printf("Calls of tools: %d (--json has them)\n\n", len(t.Tools))
		}
		said("Told after it", t.Told)
	}
}

// para writes a sentence with its mark, wrapped to the terminal; nothing for an empty one.
func (p *Process) para(mark, s string) {
	if s == "" {
		return
	}
	width := p.Width
	if width == 0 {
		width = 80
	}
	for i, l := range wrap(s, width-len(mark)-2) {
		if i == 1 {
			mark += "  "
		}
		p.printf("%s%s\n", mark, l)
	}
}

// deliveryWords says what became of an attempt's prompt, and by what it is known.
func deliveryWords(a *attempt) string {
	d := &a.Delivery
	s := "prompt " + plain(d.State)
	switch {
	case d.Proof != "" && d.Reason != "":
		s += fmt.Sprintf(" (%s: %s)", plain(d.Proof), plain(d.Reason))
	case d.Proof != "" || d.Reason != "":
		s += fmt.Sprintf(" (%s)", plain(d.Proof+d.Reason))
	}
	if n := a.Usage.Prompt; n != nil {
		s += fmt.Sprintf("; %d tokens counted", *n)
		if d.Expected > 0 {
			s += fmt.Sprintf(", at least %d expected", d.Expected)
		}
		if d.Loaded > 0 {
			s += fmt.Sprintf(", %d loaded", d.Loaded)
		}
	}
	return s
}

// spentWords says what an attempt took; "" where its server said nothing and no time was needed.
func spentWords(a *attempt) string {
	var parts []string
	add := func(name string, ns int64) {
		if ns > 0 {
			parts = append(parts, fmt.Sprintf("%s %.3f s", name, float64(ns)/1e9))
		}
	}
	t := &a.Timing
	add("latency", max(0, t.Total-t.Load))
	add("load", t.Load)
	add("queue", t.Queue)
	add("prompt", t.Prompt)
	add("generation", t.Output)
	if n := a.Usage.Output; n != nil {
		parts = append(parts, fmt.Sprintf("%d tokens of output", *n))
	}
	if n := a.Usage.Thinking; n != nil && *n > 0 {
		parts = append(parts, fmt.Sprintf("%d of thinking", *n))
	}
	if n := a.Usage.Cached; n != nil && *n > 0 {
		parts = append(parts, fmt.Sprintf("%d of the prompt's from a cache", *n))
	}
	return strings.Join(parts, ", ")
}
