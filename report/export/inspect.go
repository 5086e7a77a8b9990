package export

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/report"
	"github.com/assaybench/assay/store"
)

// An evaluation log of Inspect, version 2, has one model. Its readers know every member, so all are written, as null where
// there is nothing to say. Exact and proxy are two scores that no metric puts together; a sample has the one of its basis.

type obj = map[string]any

// Members that Assay has nothing to say of.
const (
	evalNulls   = "eval_set_id task_file task_display_name task_registry_name solver solver_args solver_args_passed tags sandbox model_base_url model_roles revision scorers metrics"
	configNulls = "limit sample_id sample_shuffle epochs_reducer approval fail_on_error continue_on_fail retry_on_error message_limit token_limit time_limit working_limit cost_limit " +
		"max_samples max_dataset_memory max_tasks max_subprocesses max_sandboxes sandbox_cleanup log_samples log_realtime log_images log_model_api log_buffer log_shared score_display"
	generateNulls = "max_retries timeout attempt_timeout max_connections system_message max_tokens top_p temperature stop_seqs best_of frequency_penalty presence_penalty logit_bias seed top_k " +
		"num_choices logprobs top_logprobs parallel_tool_calls internal_tools max_tool_output cache_prompt verbosity effort reasoning_effort reasoning_tokens reasoning_summary reasoning_history " +
		"response_schema extra_headers extra_body modalities cache batch"
	sampleNulls = "choices sandbox files setup timelines uuid invalidation error_retries events_data limit"
)

// with gives an object with names that are null and members that are not.
func with(names string, members obj) obj {
	for n := range strings.FieldsSeq(names) {
		if _, ok := members[n]; !ok {
			members[n] = nil
		}
	}
	return members
}

// inspect writes a log for each model at each posture.
func (r *Run) inspect(ctx context.Context, put func(string, func(io.Writer) error) error) ([]string, error) {
	var names []string
	for i := range r.Result.Attempts.Settings {
		s := &r.Result.Attempts.Settings[i]
		name := fmt.Sprintf("%02d-%s-%s.json", i+1, plainName(s.Model), plainName(s.Posture))
		if err := put(name, func(w io.Writer) error { return r.inspectLog(ctx, w, s) }); err != nil {
			return nil, err
		}
		names = append(names, name)
	}
	return names, nil
}

// plainName keeps of a text what every file system takes as a part of a name, and at most 60 characters of it.
func plainName(s string) string {
	s = strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '.' {
			return r
		}
		return '_'
	}, s)
	return strings.Trim(s[:min(len(s), 60)], ".")
}

func (r *Run) inspectLog(ctx context.Context, w io.Writer, s *report.Setting) error {
	p := &r.Run.Plan
	open := s.Missing + s.Error + s.Undelivered + s.Ungradable
	status, fault := "success", any(nil)
	if open > 0 {
		status, fault = "error", failure(fmt.Sprintf("%d of %d attempts have no result", open, s.Planned))
	}
	var scores []any
	for _, f := range r.Result.Figures {
		if f.Model == s.Model && f.Posture == s.Posture {
			scores = append(scores, inspectScore(&f))
		}
	}
	head := obj{
		"version": 2, "status": status, "error": fault, "invalidated": false, "tags": []any{}, "metadata": obj{}, "log_updates": nil,
		"eval": with(evalNulls, obj{
			"eval_id": r.Run.ID + "-" + plainName(s.Model) + "-" + plainName(s.Posture), "run_id": r.Run.ID, "created": instant(r.Run.Created), "task": p.Bench, "task_id": p.Digest, "task_version": p.Version,
			"task_attribs": obj{}, "task_args": obj{}, "task_args_passed": obj{}, "model": s.Model, "model_args": obj{}, "model_generate_config": with(generateNulls, obj{}),
			"dataset": obj{"name": r.bench(), "location": nil, "samples": p.Items, "sample_ids": nil, "shuffled": false},
			"config":  with(configNulls, obj{"epochs": p.Repeats}), "packages": obj{"assay": p.Assay},
			"metadata": obj{"posture": s.Posture, "bench_digest": p.Digest, "grader": r.Grader, "protocol": p.Protocol, "notes": r.Result.Notes,
				"rule": "an item passes only if it passes in every epoch; scores of the bases exact and proxy are never put together"},
		}),
		"plan":    obj{"name": "plan", "steps": []any{}, "finish": nil, "config": with(generateNulls, obj{})},
		"results": obj{"total_samples": s.Planned, "completed_samples": s.Planned - s.Missing, "early_stopping": nil, "scores": scores, "metadata": nil},
		"stats": obj{"started_at": instant(r.Run.Created), "completed_at": "", "role_usage": obj{},
			"model_usage": obj{s.Model: usage(&s.Prompt.Sum, &s.Output.Sum, &s.Thinking.Sum, &s.Cached.Sum)}},
	}
	b, err := marshal(head)
	if err != nil {
		return err
	}
	if _, err := w.Write(append(bytes.TrimSuffix(b, []byte("}")), `,"samples":[`...)); err != nil {
		return err
	}
	first := true
	for a, err := range r.chosen(ctx, func(row *store.Row) bool {
		return row.Key.Model == s.Model && row.Key.Posture == s.Posture && row.Try > 0
	}) {
		if err != nil {
			return err
		}
		sample, err := r.sample(a)
		if err != nil {
			return err
		}
		if b, err = marshal(sample); err != nil {
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

func failure(message string) obj {
	return obj{"message": message, "traceback": "", "traceback_ansi": ""}
}

// inspectScore gives a figure's shares; its counts are in metadata.
func inspectScore(f *report.Figure) obj {
	metric := func(name string, passed, of, judged int, interval [2]float64) obj {
		value := 0.0
		if of > 0 {
			value = float64(passed) / float64(of)
		}
		return obj{"name": name, "value": value, "params": obj{}, "metadata": obj{"passed": passed, "of": of, "judged": judged, "interval_of_judged": interval}}
	}
	basis := string(f.Basis)
	return obj{"name": basis, "scorer": basis, "reducer": nil, "params": obj{}, "metadata": nil,
		"scored_samples": f.Attempts.Planned - f.Attempts.Missing - f.Attempts.Error - f.Attempts.Undelivered - f.Attempts.Ungradable, "unscored_samples": f.Attempts.Error + f.Attempts.Undelivered + f.Attempts.Ungradable,
		"metrics": obj{"items_passed": metric("items_passed", f.Passed, f.Items, f.Judged, f.Interval), "answered_items_passed": metric("answered_items_passed", f.Answered.Passed, f.Answered.Items, f.Answered.Items, f.Answered.Interval)}}
}

// usage is in tokens; what a server did not report counts as none, as that form has no place to say so.
func usage(prompt, output, thinking, cached *int64) obj {
	in, out := int64(0), int64(0)
	if prompt != nil {
		in = *prompt
	}
	if output != nil {
		out = *output
	}
	return obj{"input_tokens": in, "output_tokens": out, "total_tokens": in + out, "input_tokens_cache_write": nil, "input_tokens_cache_read": cached, "reasoning_tokens": thinking, "total_cost": nil}
}

var stops = map[record.Outcome]string{record.Answered: "stop", record.Truncated: "max_tokens", record.Refused: "content_filter"}

// sample is one attempt. Missing ones have none.
func (r *Run) sample(a *Attempt) (obj, error) {
	t := a.Transcript
	asked := fmt.Sprintf("The item %s of %s, whose prompt is in the bench with the digest %s.", a.Key.Item, r.bench(), r.Run.Plan.Digest)
	if r.Prompt != nil {
		var err error
		if asked, err = r.Prompt(a.Key.Item); err != nil {
			return nil, err
		}
	}
	var content any = t.Answer
	if t.Thinking != "" {
		content = []any{
			obj{"type": "reasoning", "reasoning": t.Thinking, "summary": nil, "signature": nil, "redacted": false, "internal": nil},
			obj{"type": "text", "text": t.Answer, "refusal": nil, "internal": nil, "citations": nil},
		}
	}
	user := func(text string) obj {
		return obj{"id": nil, "content": text, "source": "input", "metadata": nil, "role": "user", "tool_call_id": nil}
	}
	assistant := func(content any) obj {
		return obj{"id": nil, "content": content, "source": "generate", "metadata": nil, "role": "assistant", "tool_calls": nil, "model": t.Model}
	}
	messages := []any{user(asked)}
	for _, turn := range t.Turns { // what was called and what it gave are an episode's, and left to publications
		if messages = append(messages, assistant(turn.Answer)); turn.Told != "" {
			messages = append(messages, user(turn.Told))
		}
	}
	answer := assistant(content)
	messages = append(messages, answer)
	stop, ok := stops[a.Outcome]
	if !ok {
		stop = "unknown"
	}
	spent := usage(a.Usage.Prompt, a.Usage.Output, a.Usage.Thinking, a.Usage.Cached)
	took := float64(a.Timing.Total) / 1e9
	out := with(sampleNulls, obj{
		"id": a.Key.Item, "epoch": a.Key.Repeat, "input": asked, "target": "", "store": obj{}, "events": []any{}, "attachments": obj{}, "role_usage": obj{}, "error": nil, "scores": nil,
		"messages": messages,
		"output": obj{"model": t.Model, "choices": []any{obj{"message": answer, "stop_reason": stop, "logprobs": nil}}, "completion": t.Answer, "usage": spent, "time": took,
			"metadata": nil, "error": nil},
		"metadata":    obj{"family": a.Family, "basis": a.Basis, "outcome": a.Outcome, "reason": a.Reason, "letter": a.letter(), "delivery": t.Delivery.State},
		"model_usage": obj{a.Key.Model: spent}, "started_at": nil, "completed_at": nil, "total_time": took, "working_time": took,
	})
	if began := a.Timing.Started; !began.IsZero() {
		out["started_at"], out["completed_at"] = instant(began), instant(began.Add(time.Duration(max(0, a.Timing.Total))))
	}
	pass, known := a.passed()
	if !known {
		out["error"] = failure(fmt.Sprintf("%s: %s", a.Outcome, a.Reason))
		return out, nil
	}
	score := obj{"value": "I", "answer": t.Answer, "explanation": fmt.Sprintf("%s: %s", a.Outcome, a.Reason), "metadata": nil, "history": []any{}}
	if pass {
		score["value"], score["explanation"] = "C", "every rule holds"
	} else if a.Verdict != nil {
		score["explanation"] = a.why()
	}
	if a.Raw != nil {
		score["metadata"] = obj{"verdict": jsontext.Value(a.Raw)}
	}
	out["scores"] = obj{string(a.Basis): score}
	return out, nil
}
