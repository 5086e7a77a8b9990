package model

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/assaybench/assay/record"
)

// ErrTimeLimit is the cause that whoever calls a model must give its deadline (context.WithTimeoutCause), so that the
// protocol's own limit, which is the model's doing, is told from every other end of a context, which is not.
var ErrTimeLimit = errors.New("the protocol's time limit")

// Transcribe decides how an attempt ended from what one call gave, by the decision table of the model servers' facts:
// the outcome, its reason in one line, and whether delivery is proved. It is a pure function.
func Transcribe(req Request, rep Reply, err error) record.Transcript {
	if err != nil {
		return failed(AsFault(err))
	}
	if rep.Recorded != nil {
		return *rep.Recorded
	}
	t := record.Transcript{
		Answer: rep.Answer, Thinking: rep.Thinking, Finish: rep.FinishRaw, Usage: rep.Usage, Timing: rep.Timing,
		Model: rep.Model, Tools: rep.Calls, Calls: []record.Exchange{rep.Exchange}, Delivery: delivery(req, rep.Prompt, rep.Usage),
	}
	t.Settings = honoured(req, rep)
	t.Outcome, t.Reason = ending(rep)
	if filled(req, rep) {
		t.Delivery = record.Delivery{State: Undelivered, Expected: t.Delivery.Expected, Loaded: rep.Prompt.Loaded,
			Reason: "the context was full before the output had its limit: load the model with a larger one"}
	}
	if t.Delivery.State == Undelivered {
		t.Outcome, t.Reason = record.Undelivered, t.Delivery.Reason
	}
	if rep.Remote != "" {
		t.Outcome, t.Reason = record.Error, "the reply was made on another machine ("+OneLine(rep.Remote, 120)+"), not by the model that was asked"
	}
	return t
}

func failed(f *Fault) record.Transcript {
	t := record.Transcript{Outcome: record.Error, Reason: f.Error(), Calls: []record.Exchange{f.Exchange},
		Delivery: record.Delivery{State: NotProvable, Reason: "no reply"}}
	t.Timing.Started, t.Timing.Total = f.Exchange.Started, f.Exchange.Elapsed
	switch {
	case f.Kind == FaultContext:
		t.Outcome = record.Undelivered
		t.Delivery = record.Delivery{State: Undelivered, Reason: f.Msg}
	case f.Kind == FaultCancelled && errors.Is(f.Err, ErrTimeLimit):
		t.Outcome, t.Reason = record.Timeout, "no final record within the protocol's time"
	}
	return t
}

// honoured adds to what the provider says of the settings whether the reply shows that the posture's wish was kept.
func honoured(req Request, rep Reply) []record.Setting {
	thought := rep.Thinking != "" || rep.Usage.Thinking != nil && *rep.Usage.Thinking > 0
	asked := req.Thinking
	if asked == ThinkingUnset || thought == (asked != ThinkingOff) {
		return rep.Settings
	}
	for _, s := range rep.Settings {
		if s.Name == "thinking" && s.State != record.SettingEnforced {
			return rep.Settings // the provider has said more than can be seen here
		}
	}
	s := record.Setting{Name: "thinking", Asked: string(asked), State: record.SettingNotHonoured, Why: "the reply holds thinking"}
	if asked != ThinkingOff {
		s.State, s.Why = record.SettingAsked, "the reply shows no thinking"
	}
	return append(slices.Clone(rep.Settings), s)
}

// ending is the part of the table for whole replies.
func ending(rep Reply) (record.Outcome, string) {
	switch rep.Finish {
	case FinishRefusal:
		return record.Refused, "the reply is a refusal (" + OneLine(rep.FinishRaw, 80) + ")"
	case FinishFilter:
		return record.Refused, "a content filter cut in (" + OneLine(rep.FinishRaw, 80) + ")"
	case FinishLength, FinishContext:
		if rep.Answer == "" && rep.Thinking != "" {
			return record.Truncated, "the output limit was reached while thinking"
		}
		return record.Truncated, "the output limit was reached"
	case FinishAborted:
		return record.Truncated, "the server ended the reply without a final record"
	case FinishStop, FinishTool:
		if rep.Unclosed {
			return record.Truncated, "the think block was never closed"
		}
		return record.Answered, ""
	}
	return record.Error, fmt.Sprintf("the server ended the reply with %q, which says neither that it is whole nor why not", OneLine(rep.FinishRaw, 80))
}

// TimedOut reports whether ctx ended by the protocol's own limit.
func TimedOut(ctx context.Context) bool { return errors.Is(context.Cause(ctx), ErrTimeLimit) }

// thinkTags are the pairs that open models put around their thinking when the server leaves it in the content.
var thinkTags = [][2]string{
	{"<think>", "</think>"}, {"<thinking>", "</thinking>"}, {"<thought>", "</thought>"}, {"<reasoning>", "</reasoning>"},
	{"<seed:think>", "</seed:think>"}, {"[THINK]", "[/THINK]"},
}

// SplitThinking takes a think block off the head of a content in which the server left it, for the tags that open models
// use. unclosed is true when a block was opened and never closed: then all of it is thinking. Some chat templates open
// the block in the prompt, so that the content holds only its end: a closing tag alone on its line ends a block that
// began with the content.
func SplitThinking(content string) (thinking, answer string, unclosed bool) {
	s := strings.TrimLeft(content, " \t\r\n")
	for _, tag := range thinkTags {
		body, ok := strings.CutPrefix(s, tag[0])
		if !ok {
			continue
		}
		thinking, answer, closed := strings.Cut(body, tag[1])
		return thinking, strings.TrimLeft(answer, "\r\n"), !closed
	}
	for from := 0; ; {
		i := strings.Index(content[from:], "</think>")
		if i < 0 {
			return "", content, false
		}
		start, end := from+i, from+i+len("</think>")
		before, after := strings.TrimRight(content[:start], " \t"), strings.TrimLeft(content[end:], " \t\r")
		if (before == "" || strings.HasSuffix(before, "\n")) && (after == "" || after[0] == '\n') {
			return content[:start], strings.TrimLeft(after, "\r\n"), false
		}
		from = end
	}
}
