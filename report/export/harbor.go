package export

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/assaybench/assay/bench"
	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/report"
	"github.com/assaybench/assay/store"
)

// uuid makes an identifier in that form out of texts, the same each time (version 8 of RFC 9562).
func uuid(of ...string) string {
	h := sha256.Sum256([]byte(strings.Join(of, "\x00")))
	h[6], h[8] = h[6]&0x0f|0x80, h[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", h[0:4], h[4:6], h[6:8], h[8:10], h[10:16])
}

// evalStats are the statistics of an agent with a model on a dataset. Each basis is a dataset of its own, so that no figure
// holds exact and proxy together.
type evalStats struct {
	Trials     int                            `json:"n_trials"` // with a reward
	Errors     int                            `json:"n_errors"`
	Metrics    []obj                          `json:"metrics"`
	PassAt     map[string]float64             `json:"pass_at_k"`
	Rewards    map[string]map[string][]string `json:"reward_stats"`
	Exceptions map[string][]string            `json:"exception_stats"`
}

// trial is what one row comes to.
type trial struct {
	name, source, key string
	rewarded          bool
	reward            string // "0" or "1"
	exception         string // its type; "" for none
}

func (r *Run) trial(a *Attempt) trial {
	provider, name, _ := strings.Cut(a.Key.Model, "/")
	source := r.bench() + " " + string(a.Basis)
	t := trial{name: fmt.Sprintf("%s__%s__%s__%d", a.Key.Item, plainName(a.Key.Model), plainName(a.Key.Posture), a.Key.Repeat), source: source,
		key: strings.Join([]string{agentName(provider) + " " + a.Key.Posture, strings.ReplaceAll(name, "/", "-"), strings.ReplaceAll(source, "/", "-")}, "__")}
	pass, known := a.passed()
	switch {
	case known:
		t.rewarded, t.reward = true, "0"
		if pass {
			t.reward = "1"
		}
		if a.Outcome == record.Timeout {
			t.exception = "AgentTimeoutError"
		}
	case a.Outcome == record.Undelivered:
		t.exception = "PromptUndeliveredError"
	case a.Outcome == record.Answered:
		t.exception = "VerifierUnavailableError"
	default:
		t.exception = "EnvironmentError"
	}
	return t
}

// agentName is who worked: a program of its own, or the loop of this one over a model.
func agentName(provider string) string {
	if provider == "command" {
		return "command"
	}
	return "assay"
}

// Harbor writes the run as the result of a job: a trial for each attempt that was made. What was not made is pending, and what has
// no result is an error without a reward.
func (r *Run) Harbor(ctx context.Context, w io.Writer) error {
	evals := map[string]*evalStats{}
	made, errored, retries := 0, 0, 0
	var last time.Time
	for row, err := range r.DB.Rows(ctx, r.Run, r.Grader) {
		if err != nil {
			return err
		}
		if row.Try == 0 {
			continue
		}
		made, retries = made+1, retries+row.Try-1
		if end := row.Timing.Started.Add(time.Duration(max(0, row.Timing.Total))); !row.Timing.Started.IsZero() && end.After(last) {
			last = end
		}
		t := r.trial(&Attempt{Row: row})
		e := evals[t.key]
		if e == nil {
			e = &evalStats{Metrics: []obj{}, PassAt: map[string]float64{}, Rewards: map[string]map[string][]string{}, Exceptions: map[string][]string{}}
			evals[t.key] = e
			for _, f := range r.Result.Figures {
				if f.Model == row.Key.Model && f.Posture == row.Key.Posture && f.Basis == row.Basis && f.Complete {
					for k, p := range f.PassAny {
						e.PassAt[strconv.Itoa(k+1)] = p
					}
				}
			}
		}
		if t.rewarded {
			e.Trials++
			if e.Rewards["reward"] == nil {
				e.Rewards["reward"] = map[string][]string{}
			}
			e.Rewards["reward"][t.reward] = append(e.Rewards["reward"][t.reward], t.name)
		}
		if t.exception != "" {
			e.Errors++
			errored++
			e.Exceptions[t.exception] = append(e.Exceptions[t.exception], t.name)
		}
	}
	var finished any
	if made == r.Run.Plan.Attempts && !last.IsZero() {
		finished = instant(last)
	}
	sum := func(of func(*report.Setting) report.Tokens) any {
		total, reported := int64(0), 0
		for i := range r.Result.Attempts.Settings {
			t := of(&r.Result.Attempts.Settings[i])
			total, reported = total+t.Sum, reported+t.Reported
		}
		if reported == 0 {
			return nil
		}
		return total
	}
	b, err := marshal(obj{"id": uuid("job", r.Run.ID), "started_at": instant(r.Run.Created), "updated_at": finished, "finished_at": finished, "n_total_trials": r.Run.Plan.Attempts,
		"stats": obj{"n_completed_trials": made, "n_errored_trials": errored, "n_running_trials": 0, "n_pending_trials": r.Run.Plan.Attempts - made, "n_cancelled_trials": 0, "n_retries": retries, "evals": evals,
			"n_input_tokens": sum(func(s *report.Setting) report.Tokens { return s.Prompt }), "n_cache_tokens": sum(func(s *report.Setting) report.Tokens { return s.Cached }),
			"n_output_tokens": sum(func(s *report.Setting) report.Tokens { return s.Output }), "cost_usd": nil}})
	if err != nil {
		return err
	}
	if _, err := w.Write(append(bytes.TrimSuffix(b, []byte("}")), `,"trial_results":[`...)); err != nil {
		return err
	}
	first := true
	for a, err := range r.chosen(ctx, func(row *store.Row) bool { return row.Try > 0 }) {
		if err != nil {
			return err
		}
		if b, err = marshal(r.trialResult(a)); err != nil {
			return fmt.Errorf("attempt %d: %w", a.N, err)
		}
		if !first {
			b = append([]byte(",\n"), b...)
		}
		first = false
		if _, err := w.Write(b); err != nil {
			return err
		}
	}
	_, err = io.WriteString(w, "]}\n")
	return err
}

func (r *Run) trialResult(a *Attempt) obj {
	t := r.trial(a)
	provider, name, _ := strings.Cut(a.Key.Model, "/")
	checksum := r.Run.Plan.Digest
	if a.Verdict != nil && a.Verdict.Agent != nil && a.Verdict.Agent.Task != "" {
		checksum = a.Verdict.Agent.Task
	}
	var began, ended, exception, verified any
	if s := a.Timing.Started; !s.IsZero() {
		began, ended = instant(s), instant(s.Add(time.Duration(max(0, a.Timing.Total))))
	}
	if t.exception != "" {
		at := ended
		if at == nil {
			at = instant(r.Run.Created)
		}
		exception = obj{"exception_type": t.exception, "exception_message": a.Reason, "exception_traceback": "", "occurred_at": at}
	}
	if t.rewarded {
		rewards := obj{"reward": jsontext.Value(t.reward)}
		if v := a.Verdict; v != nil && v.Agent != nil && r.Run.Plan.Shape == bench.ShapeAgent {
			for n, s := range map[string]*string{"gated_score": v.GatedScore, "process_score": v.ProcessScore} {
				if s != nil && jsontext.Value(*s).IsValid() {
					rewards[n] = jsontext.Value(*s)
				}
			}
		}
		verified = obj{"rewards": rewards}
	}
	return obj{"id": uuid("trial", r.Run.ID, strconv.Itoa(a.N)), "task_name": a.Key.Item, "trial_name": t.name, "trial_uri": "assay:" + r.Run.ID + "/" + strconv.Itoa(a.N), "task_id": obj{"path": a.Key.Item}, "source": t.source,
		"task_checksum": checksum, "config": obj{"task": obj{"path": a.Key.Item}, "trial_name": t.name, "agent": obj{"name": agentName(provider), "model_name": a.Key.Model}},
		"agent_info":      obj{"name": agentName(provider), "version": r.Run.Plan.Assay, "model_info": obj{"name": name, "provider": provider}},
		"agent_result":    obj{"n_input_tokens": a.Usage.Prompt, "n_cache_tokens": a.Usage.Cached, "n_output_tokens": a.Usage.Output, "cost_usd": nil, "rollout_details": nil, "metadata": obj{"posture": a.Key.Posture, "repeat": a.Key.Repeat, "outcome": a.Outcome, "letter": a.letter(), "basis": a.Basis}},
		"verifier_result": verified, "exception_info": exception, "started_at": began, "finished_at": ended, "environment_setup": nil, "agent_setup": nil,
		"agent_execution": obj{"started_at": began, "finished_at": ended}, "verifier": nil}
}
