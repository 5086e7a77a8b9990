package export

import (
	"context"
	"encoding/hex"
	"io"
	"strings"
	"time"

	"github.com/assaybench/assay/report/export/parquet"
)

// Table is a flat table: columns, and rows that come one after another. A cell is a string, an int64, a bool or a time.Time
// as its column says, or nil where nothing is known.
type Table struct {
	Columns []parquet.Column
	Rows    func(ctx context.Context, yield func([]any) error) error
}

func columns(spec string) []parquet.Column {
	var out []parquet.Column
	for f := range strings.FieldsSeq(spec) {
		name, kind, _ := strings.Cut(f, ":")
		c := parquet.Column{Name: name, Optional: strings.HasSuffix(kind, "?")}
		switch strings.TrimSuffix(kind, "?") {
		case "int":
			c.Kind = parquet.Int
		case "bool":
			c.Kind = parquet.Bool
		case "time":
			c.Kind = parquet.Time
		}
		out = append(out, c)
	}
	return out
}

// AttemptTable has one row for each planned attempt.
func (r *Run) AttemptTable() Table {
	return Table{columns(`run bench digest grader model posture item family basis repeat:int outcome:? reason state:? letter pass:bool? score:? failed_rules delivery:?
		tries:int started:time? total_ns:int? load_ns:int? queue_ns:int? prompt_ns:int? output_ns:int?
		prompt_tokens:int? output_tokens:int? thinking_tokens:int? cached_tokens:int? answer_bytes:int? answer_sum:? answer:?`),
		func(ctx context.Context, yield func([]any) error) error {
			p := &r.Run.Plan
			for a, err := range r.Attempts(ctx) {
				if err == nil {
					err = yield(append([]any{r.Run.ID, r.bench(), p.Digest, r.Grader}, a.cells()...))
				}
				if err != nil {
					return err
				}
			}
			return nil
		}}
}

func (a *Attempt) cells() []any {
	known := func(ns int64) any { // 0 is unknown
		if ns == 0 {
			return nil
		}
		return ns
	}
	count := func(n *int64) any {
		if n == nil {
			return nil
		}
		return *n
	}
	text := func(s string) any {
		if s == "" {
			return nil
		}
		return s
	}
	var pass, score, started, bytes, sum, answer any
	if p, ok := a.passed(); ok {
		pass = p
	}
	var failed []string
	if a.Verdict != nil {
		if a.Verdict.Score != nil {
			score = *a.Verdict.Score
		}
		for _, f := range a.Verdict.Findings {
			if !f.Pass && !f.Skipped {
				failed = append(failed, f.Rule)
			}
		}
	}
	if !a.Timing.Started.IsZero() {
		started = a.Timing.Started
	}
	if a.Transcript != nil {
		bytes, sum, answer = a.AnswerBytes, hex.EncodeToString(a.AnswerSum[:]), a.Transcript.Answer
	}
	return []any{a.Key.Model, a.Key.Posture, a.Key.Item, a.Family, string(a.Basis), int64(a.Key.Repeat), text(string(a.Outcome)), a.Reason, text(string(a.State)), a.letter(), pass, score,
		strings.Join(failed, ","), text(a.Delivery), int64(a.Try), started, known(a.Timing.Total), known(a.Timing.Load), known(a.Timing.Queue), known(a.Timing.Prompt), known(a.Timing.Output),
		count(a.Usage.Prompt), count(a.Usage.Output), count(a.Usage.Thinking), count(a.Usage.Cached), bytes, sum, answer}
}

// FindingTable has one row for each finding of each verdict.
func (r *Run) FindingTable() Table {
	return Table{columns(`run model posture item repeat:int basis number:int rule pass:bool skipped:bool why expected got start:int? end:int? category:? weight:?`),
		func(ctx context.Context, yield func([]any) error) error {
			for a, err := range r.Attempts(ctx) {
				if err != nil {
					return err
				}
				if a.Verdict == nil {
					continue
				}
				for i := range a.Verdict.Findings {
					f := &a.Verdict.Findings[i]
					var start, end, category, weight any
					if f.Where != nil {
						start, end = int64(f.Where.Start), int64(f.Where.End)
					}
					if f.Category != "" {
						category = f.Category
					}
					if f.Weight != "" {
						weight = f.Weight
					}
					if err := yield([]any{r.Run.ID, a.Key.Model, a.Key.Posture, a.Key.Item, int64(a.Key.Repeat), string(a.Basis), int64(i + 1), f.Rule, f.Pass, f.Skipped, f.Why, f.Expected, f.Got, start, end, category, weight}); err != nil {
						return err
					}
				}
			}
			return nil
		}}
}

// instant writes a time as every format here does.
func instant(t time.Time) string { return t.UTC().Format(time.RFC3339Nano) }

// Parquet writes the table as a Parquet file.
func (t Table) Parquet(ctx context.Context, w io.Writer) error {
	p, err := parquet.NewWriter(w, t.Columns)
	if err != nil {
		return err
	}
	if err := t.Rows(ctx, p.Row); err != nil {
		return err
	}
	return p.Close()
}
