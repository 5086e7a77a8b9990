package model

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/assaybench/assay/record"
)

// ErrTimeLimit is the cause that whoever calls a model must give its deadline (context.WithTimeoutCause), so that the
// protocol's own limit, which is the model's doing, is told from every other end of a context, which is not.
var ErrTimeLimit = errors.New("the protocol's time limit")

// bytesPerToken bounds a tokenizer from below: no tokenizer in use averages more than twelve bytes of running text per
// token, so a server that counts fewer prompt tokens than bytes/12 did not read the whole prompt. Usual ones take three to
// five bytes, so a count of at least bytes/5 speaks for the whole prompt; between the two nothing is proved. Short prompts
// prove nothing either way.
const (
	bytesPerToken      = 12
	usualBytesPerToken = 5
	leastProvedBytes   = 2000
)

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
		Model: rep.Model, Calls: []record.Exchange{rep.Exchange}, Delivery: delivery(req, rep.Usage),
	}
	t.Outcome, t.Reason = ending(rep)
	if t.Delivery.State == "undelivered" {
		t.Outcome, t.Reason = record.Undelivered, t.Delivery.Reason
	}
	return t
}

func failed(f *Fault) record.Transcript {
	t := record.Transcript{Outcome: record.Error, Reason: f.Error(), Calls: []record.Exchange{f.Exchange},
		Delivery: record.Delivery{State: "not provable", Reason: "no reply"}}
	t.Timing.Started, t.Timing.Total = f.Exchange.Started, f.Exchange.Elapsed
	switch {
	case f.Kind == FaultContext:
		t.Outcome = record.Undelivered
		t.Delivery = record.Delivery{State: "undelivered", Reason: f.Msg}
	case f.Kind == FaultCancelled && errors.Is(f.Err, ErrTimeLimit):
		t.Outcome, t.Reason = record.Timeout, "no final record within the protocol's time"
	}
	return t
}

// ending is the part of the table for whole replies.
func ending(rep Reply) (record.Outcome, string) {
	switch rep.Finish {
	case FinishRefusal:
		return record.Refused, "the reply is a refusal (" + rep.FinishRaw + ")"
	case FinishFilter:
		return record.Refused, "a content filter cut in (" + rep.FinishRaw + ")"
	case FinishLength:
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
	return record.Error, fmt.Sprintf("the server ended the reply with %q, which says neither that it is whole nor why not", rep.FinishRaw)
}

// delivery holds the server's count against the least that the prompt must have cost.
func delivery(req Request, u record.Usage) record.Delivery {
	var n int
	for _, m := range req.Messages {
		n += len(m.Text)
	}
	if n < leastProvedBytes {
		return record.Delivery{State: "not provable", Reason: "the prompt is too short to be held against a token count"}
	}
	least := int64(n / bytesPerToken)
	switch {
	case u.Prompt == nil:
		return record.Delivery{State: "not provable", Reason: "the server reported no prompt tokens", Expected: least}
	case *u.Prompt >= int64(n/usualBytesPerToken):
		return record.Delivery{State: "delivered", Expected: least}
	case *u.Prompt >= least:
		return record.Delivery{State: "not provable", Expected: least,
			Reason: fmt.Sprintf("the server counted %d prompt tokens for %d bytes, fewer than most tokenizers would", *u.Prompt, n)}
	case u.Cached != nil && *u.Prompt+*u.Cached >= least:
		return record.Delivery{State: "not provable", Reason: "the count is low, but may leave out a cached part", Expected: least}
	}
	return record.Delivery{State: "undelivered", Expected: least,
		Reason: fmt.Sprintf("the server counted %d prompt tokens, and the prompt of %d bytes has at least %d", *u.Prompt, n, least)}
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
