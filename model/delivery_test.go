package model

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/assaybench/assay/record"
)

// TestDelivery holds a prompt of 12,000 bytes, of at least 1,000 and usually 2,200 tokens and more, against what servers say.
func TestDelivery(t *testing.T) {
	n := func(v int64) *int64 { return &v }
	long := Request{Messages: []Message{{Role: "user", Text: strings.Repeat("word ", 2400)}}}
	probed, halfProbed := long, long
	probed.Probed, halfProbed.Probed = Weigh(long.Messages), Weigh(long.Messages)-1
	short := Request{Messages: []Message{{Role: "user", Text: "How many?"}}}
	shortProbed := short
	shortProbed.Probed = 12000
	for name, c := range map[string]struct {
		req    Request
		prompt Prompted
		usage  record.Usage
		state  string
		proof  string
		reason string
	}{
		"exact":                          {long, Prompted{Exact: 1500}, record.Usage{Prompt: n(1500)}, Delivered, "exact", ""},
		"exact, more":                    {long, Prompted{Exact: 1500}, record.Usage{Prompt: n(1503)}, Delivered, "exact", ""},
		"exact, a token of the template": {long, Prompted{Exact: 1500}, record.Usage{Prompt: n(1499)}, Delivered, "exact", ""},
		"exact, cut":                     {long, Prompted{Exact: 1500}, record.Usage{Prompt: n(1498)}, Undelivered, "", "counted 1498 prompt tokens, and the prompt of 12000 bytes has 1500"},
		"exact, cut, short":              {short, Prompted{Exact: 30}, record.Usage{Prompt: n(20)}, Undelivered, "", "has 30"},
		"exact, a cached part left out":  {long, Prompted{Exact: 1500, Partial: true}, record.Usage{Prompt: n(3)}, NotProvable, "", "leaves out what came from a cache"},
		"exact, a cached part beside":    {long, Prompted{Exact: 1500}, record.Usage{Prompt: n(3), Cached: n(1497)}, NotProvable, "", "may leave out a cached part"},
		"partial, yet enough":            {long, Prompted{Partial: true, Refuses: true}, record.Usage{Prompt: n(1000)}, Delivered, "refuses", ""},
		"partial, too few":               {long, Prompted{Partial: true}, record.Usage{Prompt: n(999)}, NotProvable, "", "leaves out"},
		"refuses what does not fit":      {long, Prompted{Refuses: true, Loaded: 4096}, record.Usage{Prompt: n(1200)}, Delivered, "refuses", ""},
		"refuses, short":                 {short, Prompted{Refuses: true}, record.Usage{Prompt: n(9)}, Delivered, "refuses", ""},
		"refuses, and cut all the same":  {long, Prompted{Refuses: true}, record.Usage{Prompt: n(999)}, Undelivered, "", "at least 1000"},
		"probe":                          {probed, Prompted{}, record.Usage{Prompt: n(1200)}, Delivered, "probe", ""},
		"probe of a smaller prompt":      {halfProbed, Prompted{}, record.Usage{Prompt: n(1200)}, NotProvable, "", "fewer than most tokenizers"},
		"estimate":                       {long, Prompted{}, record.Usage{Prompt: n(2200)}, NotProvable, "", "whether it cuts is not known"},
		"half of the context":            {long, Prompted{Loaded: 4200}, record.Usage{Prompt: n(2101)}, Undelivered, "", "about half of its context of 4200"},
		"half of the context, by probe":  {probed, Prompted{Loaded: 4200}, record.Usage{Prompt: n(2101)}, Undelivered, "", "about half"},
		"by chance half of the context":  {long, Prompted{Loaded: 4800}, record.Usage{Prompt: n(2401)}, NotProvable, "", "whether it cuts"},
		"half, a cached part left out":   {long, Prompted{Loaded: 4200, Partial: true}, record.Usage{Prompt: n(2101)}, NotProvable, "", "about half"},
		"half of what refuses":           {long, Prompted{Loaded: 4200, Refuses: true}, record.Usage{Prompt: n(2101)}, Delivered, "refuses", ""},
		"more than the context":          {long, Prompted{Loaded: 2048}, record.Usage{Prompt: n(2400)}, NotProvable, "", "more than its context"},
		"nothing said":                   {long, Prompted{Exact: 1500, Refuses: true}, record.Usage{}, NotProvable, "", "reported no prompt tokens"},
		"short":                          {short, Prompted{}, record.Usage{Prompt: n(9)}, NotProvable, "", "too short"},
	} {
		got := delivery(c.req, c.prompt, c.usage)
		if got.State != c.state || got.Proof != c.proof || !strings.Contains(got.Reason, c.reason) || (got.Reason == "") != (c.state == Delivered) {
			t.Errorf("%s: %+v; want %s, proof %q, reason %q", name, got, c.state, c.proof, c.reason)
		}
	}
}

// TestEstimates: what tokenizers in use were seen to make of such texts lies above the lower bound by far, and a prompt of
// which half is missing does not pass for a whole one.
func TestEstimates(t *testing.T) {
	for name, c := range map[string]struct {
		text   string
		tokens int64 // of a usual tokenizer, to the nearest
	}{
		"prose":  {strings.Repeat("The keeper of the northern light wrote down the wind, the swell and every sail that passed before noon. ", 40), 40 * 22},
		"code":   {strings.Repeat("for i := range items { total += items[i].Weight * 0.25 }\n", 60), 60 * 19},
		"digits": {strings.Repeat("3141592653 ", 300), 300 * 5},
		"kanji":  {strings.Repeat("毎月末日に請求書を送る。", 200), 200 * 9},
		"spaces": {strings.Repeat(" ", 20000), 160},
		"rule":   {strings.Repeat("=", 20000), 320},
		"greek":  {strings.Repeat("Ο φάρος στέκεται στην άκρη του βράχου. ", 60), 60 * 15},
	} {
		e := estimate([]Message{{Text: c.text}})
		if e.least > c.tokens {
			t.Errorf("%s: the lower bound is %d, and there are %d tokens", name, e.least, c.tokens)
		}
		if e.usual > c.tokens*12/10 {
			t.Errorf("%s: at least %d are called usual, and there are %d tokens", name, e.usual, c.tokens)
		}
		if half := c.tokens / 2; e.bytes >= leastProvedBytes && e.least > 200 && half >= e.usual {
			t.Errorf("%s: half of the prompt, %d tokens, would pass for the whole, %d", name, half, e.usual)
		}
	}
}

// TestEstimateOrder: the lower bound is never above what is usual, and more text never has fewer tokens.
func TestEstimateOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := rapid.String().Draw(t, "a"), rapid.String().Draw(t, "b")
		one, both := estimate([]Message{{Text: a}}), estimate([]Message{{Text: a}, {Text: b}})
		if one.least > one.usual+1 || both.least < one.least || both.usual < one.usual || both.bytes != len(a)+len(b) {
			t.Fatalf("%+v, %+v", one, both)
		}
	})
}

func TestARemoteReplyIsNoAnswer(t *testing.T) {
	got := Transcribe(Request{}, Reply{Answer: "a", Finish: FinishStop, Remote: "ollama.com qwen3-coder:480b"}, nil)
	if got.Outcome != record.Error || !strings.Contains(got.Reason, "another machine (ollama.com qwen3-coder:480b)") {
		t.Errorf("%s, %s", got.Outcome, got.Reason)
	}
}

// TestHonoured: whether the model thought is seen in the reply, whatever was sent.
func TestHonoured(t *testing.T) {
	n := func(v int64) *int64 { return &v }
	own := record.Setting{Name: "thinking", Asked: "off", State: record.SettingNotAccepted, Why: "w"}
	for name, c := range map[string]struct {
		asked Thinking
		rep   Reply
		want  string // the state of the setting, "" for none
	}{
		"unset":                  {ThinkingUnset, Reply{Thinking: "t"}, ""},
		"off and none":           {ThinkingOff, Reply{}, ""},
		"off and text":           {ThinkingOff, Reply{Thinking: "t"}, record.SettingNotHonoured},
		"off and hidden":         {ThinkingOff, Reply{Usage: record.Usage{Thinking: n(40)}}, record.SettingNotHonoured},
		"off and none counted":   {ThinkingOff, Reply{Usage: record.Usage{Thinking: n(0)}}, ""},
		"on and text":            {ThinkingOn, Reply{Thinking: "t"}, ""},
		"on and none":            {ThinkingOn, Reply{}, record.SettingAsked},
		"an effort and none":     {"low", Reply{}, record.SettingAsked},
		"the provider said more": {ThinkingOff, Reply{Thinking: "t", Settings: []record.Setting{own}}, record.SettingNotAccepted},
	} {
		got := honoured(Request{Thinking: c.asked}, c.rep)
		if (len(got) == 0) != (c.want == "") || len(got) > 0 && (got[0].State != c.want || got[0].Name != "thinking" || len(got) != 1) {
			t.Errorf("%s: %+v, want %q", name, got, c.want)
		}
	}
}
