package cli

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/store"
)

// attempt is one attempt at an item as a reader looks at it.
type attempt struct {
	record.Key
	Letter   record.Letter    `json:"letter"`
	Outcome  record.Outcome   `json:"outcome"`
	Reason   string           `json:"reason"`
	Answer   string           `json:"answer"`
	Thinking string           `json:"thinking"`
	Finish   string           `json:"finish"`
	Delivery record.Delivery  `json:"delivery"`
	Usage    record.Usage     `json:"usage"`
	Verdict  *json.RawMessage `json:"verdict"`
}

// printAttempts shows what was answered to one item and what each rule saw in it.
func (p *Process) printAttempts(r *store.Run, db store.Store, item, grader string, asJSON bool) error {
	ctx := context.WithoutCancel(p.Context)
	grader, err := p.chooseSet(ctx, db, r, grader)
	if err != nil {
		return err
	}
	out := []attempt{}
	for row, err := range db.Rows(ctx, r, grader) {
		if err != nil {
			return storeError(err)
		}
		if row.Key.Item != item {
			continue
		}
		a, err := p.readAttempt(ctx, db, r, grader, row)
		if err != nil {
			return storeError(err)
		}
		out = append(out, a)
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
	a := attempt{Key: row.Key, Letter: row.Letter, Outcome: row.Outcome, Reason: row.Reason}
	if row.Try == 0 {
		a.Letter = record.LetterMissing
		return a, nil
	}
	t, err := db.Transcript(ctx, r, row.N, 0)
	if err != nil {
		return a, err
	}
	a.Answer, a.Thinking, a.Finish, a.Delivery, a.Usage = t.Answer, t.Thinking, t.Finish, t.Delivery, t.Usage
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
	p.printf("%s, posture %s, repeat %d: letter %s, %s", plain(a.Model), plain(a.Posture), a.Repeat, a.Letter, a.Outcome)
	if a.Reason != "" {
		p.printf(" (%s)", plain(a.Reason))
	}
	p.printf("; prompt %s\n\n", a.Delivery.State)
	if a.Thinking != "" {
		p.printf("Thinking: %d bytes (--json has them)\n\n", len(a.Thinking))
	}
	block(p.Stdout, fmt.Sprintf("Answer, %d bytes", len(a.Answer)), a.Answer)
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
