package model

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/assaybench/assay/record"
	"pgregory.net/rapid"
)

func TestSplitThinking(t *testing.T) {
	for _, c := range []struct {
		in, thinking, answer string
		unclosed             bool
	}{
		{"plain", "", "plain", false},
		{" leading space kept\r\n", "", " leading space kept\r\n", false},
		{"", "", "", false},
		{"<think>a</think>\n\nb", "a", "b", false},
		{"\n<think>\na\n</think>b\n", "\na\n", "b\n", false},
		{"<think></think>b", "", "b", false},
		{"<think>cut inside", "cut inside", "", true},
		{"<think>a</thinking>b", "a</thinking>b", "", true},
		{"<think>a</think>b</think>c", "a", "b</think>c", false},
		{"<thinking>a</thinking>b", "a", "b", false},
		{"<thought>a</thought>b", "a", "b", false},
		{"[THINK]a[/THINK]b", "a", "b", false},
		{"<seed:think>a</seed:think>b", "a", "b", false},
		{"b <think>a</think>", "", "b <think>a</think>", false},
		// the template opened the block
		{"long thought\n</think>\n\nb", "long thought\n", "b", false},
		{"</think>\nb", "", "b", false},
		{"thought\n</think>", "thought\n", "", false},
		{"thought\r\n</think>\r\nb", "thought\r\n", "b", false},
		{"the tag </think> closes it", "", "the tag </think> closes it", false},
		{"the tag </think> closes it\n</think>\nb", "the tag </think> closes it\n", "b", false},
		{"x\n</think> y", "", "x\n</think> y", false},
	} {
		thinking, answer, unclosed := SplitThinking(c.in)
		if thinking != c.thinking || answer != c.answer || unclosed != c.unclosed {
			t.Errorf("%q: got %q, %q, %v", c.in, thinking, answer, unclosed)
		}
	}
}

func FuzzSplitThinking(f *testing.F) {
	f.Add("<think>a</think>b")
	f.Add("a\n</think>\nb")
	f.Fuzz(func(t *testing.T, in string) {
		thinking, answer, unclosed := SplitThinking(in)
		if !strings.Contains(in, thinking) || !strings.HasSuffix(in, answer) || (unclosed && answer != "") {
			t.Fatalf("%q -> %q, %q, %v: text was made up or lost", in, thinking, answer, unclosed)
		}
		if thinking == "" && !unclosed && !strings.Contains(in, ">") && !strings.Contains(in, "]") && answer != in {
			t.Fatalf("%q: an answer without tags was changed to %q", in, answer)
		}
	})
}

// TestTranscribe walks the decision table of how an attempt ends.
func TestTranscribe(t *testing.T) {
	n := func(v int64) *int64 { return &v }
	long := Request{Messages: []Message{{Role: "user", Text: strings.Repeat("word ", 2400)}}} // 12,000 bytes: at least 1,000 tokens
	deadline := &Fault{Kind: FaultCancelled, Err: ErrTimeLimit}
	for name, c := range map[string]struct {
		req   Request
		rep   Reply
		err   error
		want  record.Outcome
		state string
	}{
		"stop":                       {rep: Reply{Answer: "a", Finish: FinishStop}, want: record.Answered, state: "not provable"},
		"stop, empty":                {rep: Reply{Finish: FinishStop}, want: record.Answered, state: "not provable"},
		"stop, unclosed":             {rep: Reply{Finish: FinishStop, Thinking: "x", Unclosed: true}, want: record.Truncated, state: "not provable"},
		"tool":                       {rep: Reply{Finish: FinishTool}, want: record.Answered, state: "not provable"},
		"length":                     {rep: Reply{Answer: "a", Finish: FinishLength}, want: record.Truncated, state: "not provable"},
		"length, context full":       {req: Request{MaxOutput: 1536}, rep: Reply{Answer: "a", Finish: FinishLength, Prompt: Prompted{Loaded: 4096}, Usage: record.Usage{Prompt: n(4000), Output: n(95)}}, want: record.Undelivered, state: "undelivered"},
		"length, context not full":   {req: Request{MaxOutput: 1536}, rep: Reply{Answer: "a", Finish: FinishLength, Prompt: Prompted{Loaded: 4096}, Usage: record.Usage{Prompt: n(4000), Output: n(94)}}, want: record.Truncated, state: "not provable"},
		"length, limit at the end":   {req: Request{MaxOutput: 96}, rep: Reply{Answer: "a", Finish: FinishLength, Prompt: Prompted{Loaded: 4096}, Usage: record.Usage{Prompt: n(4000), Output: n(96)}}, want: record.Truncated, state: "not provable"},
		"context, said so":           {rep: Reply{Answer: "a", Finish: FinishContext}, want: record.Undelivered, state: "undelivered"},
		"length in thinking":         {rep: Reply{Thinking: "a", Finish: FinishLength}, want: record.Truncated, state: "not provable"},
		"aborted":                    {rep: Reply{Answer: "a", Finish: FinishAborted}, want: record.Truncated, state: "not provable"},
		"refusal":                    {rep: Reply{Answer: "no", Finish: FinishRefusal}, want: record.Refused, state: "not provable"},
		"filter":                     {rep: Reply{Finish: FinishFilter}, want: record.Refused, state: "not provable"},
		"unknown word":               {rep: Reply{Answer: "a", Finish: "because", FinishRaw: "because"}, want: record.Error, state: "not provable"},
		"delivered":                  {req: long, rep: Reply{Finish: FinishStop, Prompt: Prompted{Refuses: true}, Usage: record.Usage{Prompt: n(2200)}}, want: record.Answered, state: "delivered"},
		"perhaps cut":                {req: long, rep: Reply{Finish: FinishStop, Usage: record.Usage{Prompt: n(2199)}}, want: record.Answered, state: "not provable"},
		"no less than the bound":     {req: long, rep: Reply{Finish: FinishStop, Usage: record.Usage{Prompt: n(1000)}}, want: record.Answered, state: "not provable"},
		"cut prompt":                 {req: long, rep: Reply{Answer: "a", Finish: FinishStop, Usage: record.Usage{Prompt: n(999)}}, want: record.Undelivered, state: "undelivered"},
		"cut prompt, refused":        {req: long, rep: Reply{Finish: FinishRefusal, Usage: record.Usage{Prompt: n(3)}}, want: record.Undelivered, state: "undelivered"},
		"low count, cached":          {req: long, rep: Reply{Finish: FinishStop, Usage: record.Usage{Prompt: n(3), Cached: n(2000)}}, want: record.Answered, state: "not provable"},
		"no count":                   {req: long, rep: Reply{Finish: FinishStop}, want: record.Answered, state: "not provable"},
		"time limit":                 {err: deadline, want: record.Timeout, state: "not provable"},
		"interrupt":                  {err: &Fault{Kind: FaultCancelled, Err: context.Canceled}, want: record.Error, state: "not provable"},
		"another deadline":           {err: &Fault{Kind: FaultCancelled, Err: context.DeadlineExceeded}, want: record.Error, state: "not provable"},
		"context":                    {err: &Fault{Kind: FaultContext, Msg: "too long"}, want: record.Undelivered, state: "undelivered"},
		"busy":                       {err: &Fault{Kind: FaultBusy, Status: 429}, want: record.Error, state: "not provable"},
		"an error that is no fault":  {err: errors.New("x"), want: record.Error, state: "not provable"},
		"a time limit, but not ours": {err: &Fault{Kind: FaultServer, Err: ErrTimeLimit}, want: record.Error, state: "not provable"},
	} {
		got := Transcribe(c.req, c.rep, c.err)
		if got.Outcome != c.want || got.Delivery.State != c.state {
			t.Errorf("%s: %s, %s (%s); want %s, %s", name, got.Outcome, got.Delivery.State, got.Reason, c.want, c.state)
		}
		if (got.Reason == "") != (got.Outcome == record.Answered) {
			t.Errorf("%s: %s with the reason %q", name, got.Outcome, got.Reason)
		}
	}
}

func TestTranscribeKeepsARecordedAttempt(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := record.Transcript{
			Outcome: rapid.SampledFrom([]record.Outcome{record.Answered, record.Refused, record.Truncated, record.Timeout, record.Undelivered, record.Error}).Draw(t, "outcome"),
			Answer:  rapid.String().Draw(t, "answer"), Thinking: rapid.String().Draw(t, "thinking"), Reason: rapid.String().Draw(t, "reason"),
		}
		rec := want
		got := Transcribe(Request{}, Reply{Answer: "other", Finish: FinishStop, Recorded: &rec}, nil)
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("got %+v, want %+v", got, want)
		}
	})
}

func TestCancelledWrapsTheCause(t *testing.T) {
	ctx, cancel := context.WithTimeoutCause(t.Context(), time.Nanosecond, ErrTimeLimit)
	defer cancel()
	<-ctx.Done()
	f := Cancelled(ctx, record.Exchange{Endpoint: "x"})
	if !errors.Is(f, ErrTimeLimit) || f.Retryable() || f.Exchange.Endpoint != "x" || f.Exchange.Error == "" || !TimedOut(ctx) {
		t.Errorf("got %+v", f)
	}
}

func TestOneLine(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"  a\n\tb \r\n", "a b"}, {"\x1b[31mred\x00", `\x1b[31mred\x00`}, {"\xff\xfe", `\xff\xfe`}, {"zero\u200bwidth\u202e", `zero\u200bwidth\u202e`},
		{"日本語", "日本語"}, {"", ""}, {"0123456789abcdef", "0123456789…"},
	} {
		if got := OneLine(c.in, 10); c.want == "0123456789…" && got != c.want {
			t.Errorf("%q: got %q", c.in, got)
		}
		if got := OneLine(c.in, 0); c.want != "0123456789…" && got != c.want {
			t.Errorf("%q: got %q, want %q", c.in, got, c.want)
		}
	}
	if got := OneLine(strings.Repeat("\x00", 1<<20), 0); len(got) > 310 {
		t.Errorf("%d bytes in one line", len(got))
	}
}

func TestFaultKinds(t *testing.T) {
	for kind, want := range map[FaultKind][2]bool{ // retryable, terminal
		FaultUnreachable: {true, false}, FaultBroken: {false, false}, FaultBusy: {true, false}, FaultServer: {true, false},
		FaultRejected: {false, false}, FaultDenied: {false, true}, FaultNoModel: {false, true}, FaultContext: {false, false},
		FaultCancelled: {false, false}, FaultOurs: {false, false},
	} {
		f := &Fault{Kind: kind, Msg: "m"}
		if f.Retryable() != want[0] || f.Terminal() != want[1] || AsFault(f) != f {
			t.Errorf("%s: retryable %v, terminal %v", kind, f.Retryable(), f.Terminal())
		}
	}
	if f := AsFault(errors.New("x")); f.Kind != FaultOurs || f.Msg != "x" {
		t.Errorf("got %+v", f)
	}
}
