package gemini

import (
	"reflect"
	"strings"
	"testing"

	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/model/modeltest"
	"github.com/assaybench/assay/model/wire"
	"github.com/assaybench/assay/record"
)

func read(t testing.TB, body string) (model.Reply, *model.Fault) {
	t.Helper()
	m, err := New(Options{Spec: model.Spec{Raw: "gemini/x", Name: "x", URL: "http://127.0.0.1:1"}})
	if err != nil {
		t.Fatal(err)
	}
	return m.readReply(&wire.Response{Exchange: record.Exchange{Status: 200, ResponseBody: []byte(body), ResponseHeader: map[string][]string{"Content-Type": {"application/json; charset=UTF-8"}}}}, 1)
}

func ended(finish, content string) string {
	return `{"candidates":[{"content":` + content + `,"finishReason":"` + finish + `","finishMessage":"why"}]}`
}

func TestReadReply(t *testing.T) {
	for name, c := range map[string]struct {
		body, answer, thinking string
		finish                 model.Finish
		native                 string
	}{
		"plain":           {good(`{"text":"a"}`), "a", "", model.FinishStop, `{"parts":[{"text":"a"}],"role":"model"}`},
		"parts":           {good(`{"text":"a"},{"text":"b"}`), "ab", "", model.FinishStop, `{"parts":[{"text":"a"},{"text":"b"}],"role":"model"}`},
		"thoughts":        {good(`{"text":"t1","thought":true},{"text":"t2","thought":true},{"text":"a","thought":false}`), "a", "t1t2", model.FinishStop, `{"parts":[{"text":"t1","thought":true},{"text":"t2","thought":true},{"text":"a","thought":false}],"role":"model"}`},
		"signature alone": {good(`{"text":"a"},{"text":"","thoughtSignature":"c2ln"},{"thoughtSignature":"c2ln","partMetadata":{}}`), "a", "", model.FinishStop, `{"parts":[{"text":"a"},{"text":"","thoughtSignature":"c2ln"},{"thoughtSignature":"c2ln","partMetadata":{}}],"role":"model"}`},
		"no role":         {ended("STOP", `{"parts":[{"text":"a", "thoughtSignature":"c2ln"}]}`), "a", "", model.FinishStop, `{"role":"model","parts":[{"text":"a", "thoughtSignature":"c2ln"}]}`},
		"no parts":        {ended("STOP", `{}`), "", "", model.FinishStop, ``},
		"null content":    {ended("MAX_TOKENS", `null`), "", "", model.FinishLength, ``},
		"cut in thinking": {ended("MAX_TOKENS", `{"role":"model","parts":[{"text":"and so","thought":true}]}`), "", "and so", model.FinishLength, `{"role":"model","parts":[{"text":"and so","thought":true}]}`},
		"tags":            {good(`{"text":"<think>t</think>\n\na"}`), "a", "t", model.FinishStop, `{"parts":[{"text":"<think>t</think>\n\na"}],"role":"model"}`},
		"escapes":         {good(`{"text":"\u0000\ud83e\udd8a\/\r\n"}`), "\x00🦊/\r\n", "", model.FinishStop, `{"parts":[{"text":"\u0000\ud83e\udd8a\/\r\n"}],"role":"model"}`},
		"broken UTF-8":    {good("{\"text\":\"a\xf0\x9f\"}"), "a\ufffd\ufffd", "", model.FinishStop, "{\"parts\":[{\"text\":\"a\xf0\x9f\"}],\"role\":\"model\"}"},
		"null error":      {strings.Replace(good(`{"text":"a"}`), `{`, `{"error":null,"promptFeedback":{},`, 1), "a", "", model.FinishStop, `{"parts":[{"text":"a"}],"role":"model"}`},
		"odd informal":    {`{"modelVersion":7,"usageMetadata":[],"candidates":[{"content":{"parts":[{"text":"a"}],"role":"model"},"finishReason":"STOP","safetyRatings":7}]}`, "a", "", model.FinishStop, `{"parts":[{"text":"a"}],"role":"model"}`},
		"blocked prompt":  {`{"promptFeedback":{"blockReason":"SAFETY"},"usageMetadata":{"promptTokenCount":4},"modelVersion":"m"}`, "", "", model.FinishFilter, ``},
	} {
		rep, f := read(t, c.body)
		if f != nil || rep.Answer != c.answer || rep.Thinking != c.thinking || rep.Finish != c.finish || string(rep.Native) != c.native {
			t.Errorf("%s: answer %q, thinking %q, finish %s, native %s, fault %v", name, rep.Answer, rep.Thinking, rep.Finish, rep.Native, f)
		}
	}
	if rep, _ := read(t, `{"promptFeedback":{"blockReason":"PROHIBITED_CONTENT"}}`); rep.FinishRaw != "blockReason PROHIBITED_CONTENT" {
		t.Errorf("a blocked prompt ends with %q", rep.FinishRaw)
	}
	if rep, _ := read(t, good(`{"text":"a"}`)); rep.Model != "mock-1-001" {
		t.Errorf("model %q", rep.Model)
	}
	if rep, _ := read(t, good(`{"text":"<think>t"}`)); !rep.Unclosed || rep.Answer != "" {
		t.Errorf("an open block: %+v", rep)
	}
}

func TestCalls(t *testing.T) {
	rep, f := read(t, good(`{"text":"t","thought":true},{"functionCall":{"name":"f","args":{ "a" : 1.50,"n":123456789012345678901234567890}},"thoughtSignature":"c2ln"},{"functionCall":{"id":"c7","name":"g"}}`))
	want := []record.ToolCall{{ID: "nameless-1-1", Name: "f", Arguments: `{ "a" : 1.50,"n":123456789012345678901234567890}`}, {ID: "c7", Name: "g", Arguments: "{}"}}
	if f != nil || rep.Finish != model.FinishTool || !reflect.DeepEqual(rep.Calls, want) || rep.Answer != "" || rep.Thinking != "t" {
		t.Errorf("%+v, %v", rep, f)
	}
	if rep, f = read(t, ended("MAX_TOKENS", `{"parts":[{"functionCall":{"name":"f"}}]}`)); f != nil || rep.Finish != model.FinishLength {
		t.Errorf("cut: %s, %v", rep.Finish, f)
	}
}

// TestFinishWords holds every word of the published list to its outcome.
func TestFinishWords(t *testing.T) {
	for raw, want := range map[string]record.Outcome{
		"STOP": record.Answered, "MAX_TOKENS": record.Truncated, "SAFETY": record.Refused, "RECITATION": record.Refused, "LANGUAGE": record.Refused,
		"BLOCKLIST": record.Refused, "PROHIBITED_CONTENT": record.Refused, "SPII": record.Refused, "ESCALATION": record.Refused,
		"IMAGE_SAFETY": record.Refused, "IMAGE_PROHIBITED_CONTENT": record.Refused, "IMAGE_RECITATION": record.Refused,
		"MALFORMED_FUNCTION_CALL": record.Answered, "UNEXPECTED_TOOL_CALL": record.Answered, "TOO_MANY_TOOL_CALLS": record.Answered, "MALFORMED_RESPONSE": record.Answered,
		"OTHER": record.Error, "IMAGE_OTHER": record.Error, "NO_IMAGE": record.Error, "FINISH_REASON_UNSPECIFIED": record.Error, "SOMETHING_NEW": record.Error, "stop": record.Error,
	} {
		rep, f := read(t, ended(raw, `{"parts":[{"text":"half"}],"role":"model"}`))
		if f != nil {
			t.Errorf("%s: %v", raw, f)
			continue
		}
		if tr := model.Transcribe(user("x"), rep, nil); tr.Outcome != want || tr.Finish != raw {
			t.Errorf("%s: %s (%s), finish %q; want %s", raw, tr.Outcome, tr.Reason, tr.Finish, want)
		}
	}
	if _, f := read(t, ended("MISSING_THOUGHT_SIGNATURE", `{}`)); f == nil || f.Kind != model.FaultRejected || f.Retryable() {
		t.Errorf("a signature that we lost: %v", f)
	}
}

func TestUsage(t *testing.T) {
	for usage, want := range map[string][4]int64{ // prompt, output, thinking, cached; 0 for not said
		`null`: {}, `{}`: {}, `7`: {}, `{"promptTokenCount":-3}`: {}, `{"promptTokenCount":"9"}`: {}, `{"promptTokenCount":1e3}`: {},
		`{"promptTokenCount":9,"candidatesTokenCount":4}`:                                                                 {9, 4, 0, 0},
		`{"promptTokenCount":9,"candidatesTokenCount":4,"thoughtsTokenCount":30,"cachedContentTokenCount":8}`:             {9, 34, 30, 8},
		`{"promptTokenCount":9,"thoughtsTokenCount":30,"totalTokenCount":39}`:                                             {9, 30, 30, 0},
		`{"promptTokenCount":9,"candidatesTokenCount":9223372036854775807,"thoughtsTokenCount":9223372036854775807}`:      {9, 0, 9223372036854775807, 0},
		`{"promptTokenCount":99999999999999999999}`:                                                                       {},
		`{"promptTokenCount":9,"candidatesTokenCount":2,"promptTokensDetails":[{"modality":"TEXT"}],"serviceTier":"std"}`: {9, 2, 0, 0},
	} {
		rep, f := read(t, `{"candidates":[{"finishReason":"STOP","content":{}}],"usageMetadata":`+usage+`}`)
		if f != nil {
			t.Errorf("%s: %v", usage, f)
			continue
		}
		for i, p := range []*int64{rep.Usage.Prompt, rep.Usage.Output, rep.Usage.Thinking, rep.Usage.Cached} {
			if (p == nil) != (want[i] == 0) || (p != nil && *p != want[i]) {
				t.Errorf("%s: count %d is %v", usage, i, p)
			}
		}
	}
}

func TestIgnoredKeywords(t *testing.T) {
	for schema, want := range map[string]string{
		`{"type":"object","properties":{"pattern":{"type":["string","null"],"description":"d","default":"x"}},"required":["pattern"],"additionalProperties":false}`: "",
		`{"$defs":{"a":{"type":"string","pattern":"x"}},"anyOf":[{"$ref":"#/$defs/a"},{"const":1}],"prefixItems":[{"minLength":2}],"items":{"not":{}}}`:             "const, minLength, not, pattern",
		`{"oneOf":[{"type":"string","pattern":"x"}]}`: "oneOf",
		`{"enum":["a",1]}`:                            "",
		`{"enum":["a",null]}`:                         "enum of other than texts and numbers",
		`{"enum":7}`:                                  "enum of other than texts and numbers",
		`{"additionalProperties":{"multipleOf":2},"properties":[1]}`: "multipleOf",
		`true`: "",
		strings.Repeat(`{"items":`, 80) + `{}` + strings.Repeat(`}`, 80): "what is nested more than 64 deep",
	} {
		if got := strings.Join(ignored([]byte(schema)), ", "); got != want {
			t.Errorf("%.80s: %q, want %q", schema, got, want)
		}
	}
}

func FuzzReadReply(f *testing.F) {
	m, err := New(Options{Spec: model.Spec{Raw: "gemini/x", Name: "x", URL: "http://127.0.0.1:1"}, Dial: modeltest.Dial})
	if err != nil {
		f.Fatal(err)
	}
	for _, s := range []string{good(`{"text":"a"}`), good(`{"functionCall":{"name":"f","args":{}},"thoughtSignature":"x"}`), `{"promptFeedback":{"blockReason":"OTHER"}}`,
		ended("SAFETY", "null"), `{"candidates":[null]}`, good(`{"inlineData":{}}`)} {
		f.Add(s, 200)
	}
	for _, r := range []reply{refusedBy(429, "RESOURCE_EXHAUSTED", "x", `{"@type":"t","retryDelay":"30s"}`), refusedBy(400, "INVALID_ARGUMENT", "API key", `{"reason":"API_KEY_INVALID"}`)} {
		f.Add(r.body, r.status)
		f.Add("["+r.body+"]", r.status)
	}
	f.Add(" ", 500)
	f.Fuzz(func(t *testing.T, body string, status int) {
		got := &wire.Response{Exchange: record.Exchange{Status: status, ResponseBody: []byte(body)}}
		fault := m.fault(t.Context(), got)
		var rep model.Reply
		if fault == nil {
			rep, fault = m.readReply(got, 1)
		}
		if fault != nil {
			if strings.ContainsAny(fault.Msg, "\n\r\x1b") || fault.Msg == "" || fault.RetryAfter < 0 || string(fault.Exchange.ResponseBody) != body {
				t.Fatalf("not one line, or not as it came: %+v", fault)
			}
			return
		}
		if rep.FinishRaw == "" || rep.Usage.Output != nil && *rep.Usage.Output < 0 {
			t.Fatalf("%q became the reply %+v", body, rep)
		}
		if rep.Native != nil {
			next := user("x")
			next.Messages = append(next.Messages, rep.Turn(), model.Message{Role: "user", Text: "y"})
			if _, err := appendRequest(nil, next, m.plan(next)); err != nil && isNative(rep.Native) {
				t.Fatalf("the turn %s cannot be handed back: %v", rep.Native, err)
			}
		}
	})
}
