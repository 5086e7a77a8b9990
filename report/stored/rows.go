package stored

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/assaybench/assay/contention"
	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/report"
	"github.com/assaybench/assay/store"
)

// reader goes through a run's rows.
type reader struct {
	ctx         context.Context
	db          store.Store
	run         *store.Run
	grader      string
	transcripts bool // read each attempt's transcript
	premises    bool // of authoring problems: every verdict is read
	private     bool // of a private set

	timeouts []contention.Attempt // filled in by rows
	failed   error                // of items or rows
}

// items gives the planned items. Attempts are in the plan's order: the first ones are one of each item.
func (rd *reader) items(yield func(report.Item) bool) {
	n := 0
	for row, err := range rd.db.Rows(rd.ctx, rd.run, rd.grader) {
		if err != nil {
			rd.failed = err
			return
		}
		if n++; n > rd.run.Plan.Items || !yield(report.Item{ID: row.Key.Item, Family: row.Family, Basis: row.Basis}) {
			return
		}
	}
}

// rows turns stored rows into the report's.
func (rd *reader) rows(yield func(report.Row, error) bool) {
	for row, err := range rd.db.Rows(rd.ctx, rd.run, rd.grader) {
		var out report.Row
		if err == nil {
			out, err = rd.row(&row)
		}
		if err != nil {
			rd.failed = err
			yield(report.Row{}, err)
			return
		}
		if !yield(out, nil) {
			return
		}
	}
}

func (rd *reader) row(row *store.Row) (report.Row, error) {
	t := &row.Timing
	out := report.Row{Key: row.Key, Outcome: row.Outcome, Reason: row.Reason, State: row.State, Pass: row.Pass, Tries: row.Try, Delivery: row.Delivery,
		PromptTokens: row.Usage.Prompt, OutputTokens: row.Usage.Output, ThinkingTokens: row.Usage.Thinking, CachedTokens: row.Usage.Cached,
		LatencyNS: max(0, t.Total-t.Load), LoadNS: t.Load, QueueNS: t.Queue, PromptNS: t.Prompt, GenerationNS: t.Output}
	if row.Outcome == record.Answered {
		out.Letter = row.Letter
		out.AnswerHash = hex.EncodeToString(row.AnswerSum[:])
		if row.State != "" && !row.Pass && !rd.premises {
			if err := rd.verdict(row.N, &out); err != nil {
				return out, err
			}
		}
	}
	if rd.premises && row.State != "" {
		if err := rd.premise(row.N, &out); err != nil {
			return out, err
		}
	}
	if row.Outcome == record.Timeout {
		rd.timeouts = append(rd.timeouts, contention.Attempt{Key: row.Key, Outcome: row.Outcome, Started: t.Started, Ended: t.Started.Add(time.Duration(max(0, t.Total)))})
	}
	if row.Try > 1 {
		if err := rd.earlier(row, &out); err != nil {
			return out, err
		}
	}
	if rd.transcripts && row.Try > 0 {
		tr, err := rd.db.Transcript(rd.ctx, rd.run, row.N, row.Try)
		if err != nil {
			return out, err
		}
		out.Unsealed = tr.Episode != nil && !tr.Episode.Sealed
		out.Detail = &report.Detail{Proof: tr.Delivery.Proof, Reason: tr.Delivery.Reason, Settings: tr.Settings}
	}
	if rd.private {
		hush(&out)
	}
	return out, nil
}

// verdict takes from a verdict what its row does not have.
func (rd *reader) verdict(n int, out *report.Row) error {
	b, err := rd.db.VerdictJSON(rd.ctx, rd.run, n, rd.grader)
	if err != nil {
		return err
	}
	var v struct {
		Reason      string `json:"reason"`
		Diagnostics struct {
			Tolerant struct {
				Pass bool `json:"pass"`
			} `json:"tolerant"`
		} `json:"diagnostics"`
	}
	if err := json.Unmarshal(b, &v); err != nil {
		return fmt.Errorf("attempt %d: its verdict is not JSON: %w", n, err)
	}
	out.Tolerant = v.Diagnostics.Tolerant.Pass
	if out.State == record.Ungradable {
		out.Reason = v.Reason
	}
	return nil
}

// earlier reads the tries before the last one. A try that only declares the one before it to be no result is not a call.
func (rd *reader) earlier(row *store.Row, out *report.Row) error {
	tries, err := rd.db.Tries(rd.ctx, rd.run, row.N)
	if err != nil {
		return err
	}
	out.Tries = 0
	for i := range tries {
		t := &tries[i]
		if i > 0 && tries[i-1].Outcome != record.Error {
			continue // the store lets nothing but such a declaration follow a try that had its outcome
		}
		out.Tries++
		if i == len(tries)-1 {
			break
		}
		a := report.Again{Usage: t.Usage, Kind: faultKind(t.Reason)}
		if t.Outcome != record.Error {
			a.Kind, a.Invalid = "", true
		}
		out.Again = append(out.Again, a)
	}
	return nil
}

// faultKind takes the kind of a fault and its HTTP status from a try's reason, as model.Fault writes it: "busy (HTTP 429)".
// It is "" for an error that was no fault.
func faultKind(reason string) string {
	kind, _, ok := strings.Cut(reason, ": ")
	name, status, _ := strings.Cut(kind, " ")
	if !ok || !slices.Contains(faultKinds, model.FaultKind(name)) || status != "" && !statusForm.MatchString(status) {
		return ""
	}
	return kind
}

var (
	faultKinds = []model.FaultKind{model.FaultUnreachable, model.FaultBroken, model.FaultBusy, model.FaultServer, model.FaultRejected, model.FaultDenied,
		model.FaultNoModel, model.FaultContext, model.FaultCancelled, model.FaultOurs}
	statusForm = regexp.MustCompile(`^\(HTTP [1-9][0-9]{2}\)$`)
)
