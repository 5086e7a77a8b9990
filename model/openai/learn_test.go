package openai

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/model/wire"
	"github.com/assaybench/assay/record"
)

// refusal is a 400 in the official server's form.
func refusal(message, param, code string) string {
	quote := func(s string) string {
		if s == "" {
			return "null"
		}
		return `"` + s + `"`
	}
	return `{"error":{"message":"` + message + `","type":"invalid_request_error","param":` + quote(param) + `,"code":` + quote(code) + `}}`
}

// TestReadRefusal reads the words of the servers that are known to refuse settings.
func TestReadRefusal(t *testing.T) {
	all := append([]string{"reasoning", "reasoning.effort", "reasoning.summary", "include", "text.format"}, params...)
	for body, want := range map[string]Refusal{
		refusal("Unsupported value: 'temperature' does not support 0 with this model. Only the default (1) value is supported.", "temperature", "unsupported_value"):                      {Param: "temperature"},
		refusal("Unsupported parameter: 'temperature' is not supported with this model.", "temperature", "unsupported_parameter"):                                                         {Param: "temperature", Whole: true},
		refusal("Unsupported parameter: 'temperature' is not supported with this model.", "temperature", ""):                                                                              {Param: "temperature", Whole: true},
		refusal("Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.", "max_tokens", "unsupported_parameter"):                      {Param: "max_tokens", Whole: true},
		refusal("Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.", "", ""):                                                     {Param: "max_tokens", Whole: true},
		refusal("Unsupported value: 'reasoning_effort' does not support 'none' with this model. Supported values are: 'minimal', 'low', 'medium', and 'high'.", "", ""):                   {Param: "reasoning_effort"},
		refusal("Unsupported value: 'none' is not supported with the 'o9' model. Supported values are: 'low', 'medium', and 'high'.", "reasoning.effort", "unsupported_value"):            {Param: "reasoning.effort"},
		refusal("Unrecognized request argument supplied: reasoning_effort", "", ""):                                                                                                       {Param: "reasoning_effort", Whole: true},
		refusal("Your organization must be verified to generate reasoning summaries.", "reasoning.summary", "unsupported_value"):                                                          {Param: "reasoning.summary"},
		refusal("Encrypted content is not supported with this model.", "include", ""):                                                                                                     {Param: "include", Whole: true},
		refusal("Invalid schema for response_format 'pair': In context=(), 'additionalProperties' is required to be supplied and to be false.", "response_format", ""):                    {Param: "response_format"},
		refusal("Invalid schema for response_format 'pair'.", "text.format.schema", "invalid_json_schema"):                                                                                {Param: "text.format"},
		refusal("Invalid schema for function 'look_up'.", "tools[0].parameters", "invalid_function_parameters"):                                                                           {Param: "tools"},
		`{"detail":[{"loc":["body","seed"],"msg":"extra fields not permitted"}]}`:                                                                                                         {Param: "seed", Whole: true},
		`{"object":"error","message":"chat_template_kwargs is not supported for Mistral tokenizers.","type":"BadRequestError","param":null,"code":400}`:                                   {Param: "chat_template_kwargs"},
		`{"error":{"message":"Provider returned error","code":400,"metadata":{"raw":"{\"error\":{\"message\":\"Unsupported parameter: 'top_p'\",\"code\":\"unsupported_parameter\"}}"}}}`: {Param: "top_p", Whole: true},
		`{"error":{"message":"Provider returned error","code":400,"metadata":{"raw":"top_p is not supported"}}}`:                                                                          {Param: "top_p"},
		// what is no refusal of a setting
		refusal("max_tokens is too large: 100000. This model supports at most 16384 completion tokens.", "max_tokens", "invalid_value"): {},
		refusal("Invalid value for 'content': expected a string, got null.", "messages.[1].content", ""):                                {},
		refusal("Missing required parameter: 'model'.", "model", "missing_required_parameter"):                                          {},
		refusal("The temperature in Rome is 20 degrees.", "", ""):                                                                       {},
		`{"error":"the_temperature_max is not supported"}`:                                                                              {},
		``: {}, `[]`: {}, `<html>`: {}, `{"error":null}`: {},
	} {
		for _, status := range []int{400, 422} {
			got, ok := readRefusal(&model.Fault{Kind: model.FaultRejected, Status: status, Exchange: record.Exchange{ResponseBody: []byte(body)}}, all)
			if ok != (want.Param != "") || ok && (got.Param != want.Param || got.Whole != want.Whole || got.Why == "" || strings.Contains(got.Why, "\n")) {
				t.Errorf("%s: %+v, %v; want %+v", body, got, ok, want)
			}
		}
	}
	body := []byte(refusal("Unsupported parameter: 'temperature'", "temperature", "unsupported_parameter"))
	for _, f := range []*model.Fault{{Kind: model.FaultServer, Status: 500}, {Kind: model.FaultRejected, Status: 413}, {Kind: model.FaultContext, Status: 400}, {Kind: model.FaultDenied, Status: 403}} {
		f.Exchange.ResponseBody = body
		if r, ok := readRefusal(f, all); ok {
			t.Errorf("%s %d: %+v", f.Kind, f.Status, r)
		}
	}
}

func FuzzReadRefusal(f *testing.F) {
	for _, s := range []string{refusal("Unsupported parameter: 'temperature'", "temperature", "unsupported_parameter"), `{"detail":[{"loc":["body","seed"],"msg":"extra fields not permitted"}]}`,
		`{"error":{"message":"x","metadata":{"raw":"{\"error\":{\"message\":\"top_p unsupported\"}}"}}}`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, body string) {
		r, ok := readRefusal(&model.Fault{Kind: model.FaultRejected, Status: 400, Exchange: record.Exchange{ResponseBody: []byte(body)}}, params)
		if strings.ContainsAny(r.Why, "\n\r\x1b") || len(r.Why) > 250 {
			t.Fatalf("not a line: %q", r.Why)
		}
		if ok {
			for _, p := range params {
				if r.Param == p {
					return
				}
			}
			t.Fatalf("%q is refused, which was not asked about", r.Param)
		}
	})
}

// server is a call in Settle's terms that refuses parameters by a script of bodies, one for each call, and then answers.
func script(bodies ...string) (call func(context.Context, model.Request) (model.Reply, error), n *int) {
	n = new(int)
	return func(context.Context, model.Request) (model.Reply, error) {
		*n++
		if *n > len(bodies) {
			return model.Reply{Answer: "ok", Exchange: record.Exchange{Status: 200}}, nil
		}
		x := record.Exchange{Status: 400, ResponseBody: []byte(bodies[*n-1])}
		return model.Reply{}, &model.Fault{Kind: model.FaultRejected, Status: 400, Msg: "no", Exchange: x}
	}, n
}

func TestSettle(t *testing.T) {
	temperature := refusal("Unsupported parameter: 'temperature'", "temperature", "unsupported_parameter")
	schema := refusal("Invalid schema for response_format", "response_format", "")
	whole := refusal("response_format is not supported with this model", "response_format", "unsupported_parameter")
	other := refusal("messages must alternate", "messages", "")
	for name, c := range map[string]struct {
		bodies  []string
		calls   int
		ok      bool
		refused string
	}{
		"taken at once":         {nil, 1, true, ""},
		"two things":            {[]string{temperature, refusal("Unsupported parameter: 'seed'", "seed", "unsupported_parameter")}, 3, true, "temperature seed"},
		"first less strictly":   {[]string{schema, schema}, 3, true, "response_format.strict response_format"},
		"not even less so":      {[]string{whole}, 2, true, "response_format"},
		"refused all the same":  {[]string{temperature, temperature}, 2, false, "temperature"},
		"for another reason":    {[]string{other}, 1, false, ""},
		"and then another":      {[]string{temperature, other}, 2, false, "temperature"},
		"more than it can have": {[]string{temperature, schema, schema, whole}, 4, false, "temperature response_format.strict response_format"},
	} {
		var l Learned
		call, n := script(c.bodies...)
		rep, calls, err := l.Settle(t.Context(), model.Request{Thinking: "low"}, params, call)
		if (err == nil) != c.ok || *n != c.calls || len(calls) != c.calls || c.ok && rep.Answer != "ok" {
			t.Errorf("%s: %d calls, %d kept, %v", name, *n, len(calls), err)
		}
		for _, p := range append([]string{"response_format.strict", "tools.strict"}, params...) {
			if _, refused := l.Of("low", p); refused != strings.Contains(" "+c.refused+" ", " "+p+" ") || l.Takes("low", p) == refused {
				t.Errorf("%s: %s refused: %v", name, p, refused)
			}
			if !l.Takes(model.ThinkingOff, p) {
				t.Errorf("%s: %s is refused under another posture", name, p)
			}
		}
		if l.Empty() != (c.refused == "") {
			t.Errorf("%s: empty %v", name, l.Empty())
		}
	}
	broken := errors.New("broken")
	var l Learned
	_, calls, err := l.Settle(t.Context(), model.Request{}, params, func(context.Context, model.Request) (model.Reply, error) { return model.Reply{}, broken })
	if !errors.Is(err, broken) || len(calls) != 0 {
		t.Errorf("%v, %d exchanges", err, len(calls))
	}
}

// TestLearnedCostsNothing: nothing was learned of most models.
func TestLearnedCostsNothing(t *testing.T) {
	m := &Model{Client: &wire.Client{Spec: model.Spec{Name: "x"}}}
	zero := 0.0
	req := model.Request{Messages: []model.Message{{Role: "user", Text: "hello"}}, Temperature: &zero, MaxOutput: 5, Context: 4096, Thinking: model.ThinkingOff}
	b := make([]byte, 0, 4096)
	if n := testing.AllocsPerRun(100, func() {
		if _, _, err := m.compose(b, &req); err != nil {
			t.Fatal(err)
		}
		if s := m.settings(&req, m.Server(), false); s != nil {
			t.Fatalf("%+v", s)
		}
		if n := m.exact(t.Context(), b, cut{}); n != 0 {
			t.Fatal(n)
		}
	}); n != 0 {
		t.Errorf("%.0f allocations", n)
	}
}
