package ollama

import (
	"reflect"
	"strings"
	"testing"

	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/model/modeltest"
	"github.com/assaybench/assay/record"
)

const noThinking = `{"error":"\"qwen3:8b\" does not support thinking"}`

// TestPrepare looks at what goes over the wire, and in which order.
func TestPrepare(t *testing.T) {
	s := now()
	m := start(t, s, "qwen3:8b")
	req := hello()
	req.Thinking = model.ThinkingOff
	ready, err := m.Prepare(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	const warm = `POST /api/chat {"model":"qwen3:8b","messages":[{"role":"user","content":"hi"}],"stream":false,"think":false,"truncate":false,"shift":false,"keep_alive":"30m",` +
		`"options":{"num_ctx":8192,"num_predict":32,"repeat_penalty":1,"temperature":0,"seed":7}}`
	want := []string{"GET /api/version ", "GET /api/tags ", `POST /api/show {"model":"qwen3:8b"}`, "GET /api/ps ", warm, "GET /api/ps "}
	if !reflect.DeepEqual(s.seen, want) {
		t.Errorf("sent %q", s.seen)
	}
	if len(ready.Calls) != len(want) || ready.Context != 8192 || ready.Load != 3000 || len(ready.Settings) != 0 {
		t.Errorf("got %d exchanges, context %d, load %d, settings %+v", len(ready.Calls), ready.Context, ready.Load, ready.Settings)
	}
	rep, err := m.Call(t.Context(), req)
	if err != nil || !reflect.DeepEqual(rep.Prompt, model.Prompted{Loaded: 8192, Refuses: true}) || len(rep.Settings) != 0 {
		t.Errorf("%+v, %+v, %v", rep.Prompt, rep.Settings, err)
	}
	for _, v := range []any{ready, rep, m} {
		if where := modeltest.FindSecret(testKey, v); where != "" {
			t.Errorf("the key is in %T: %s", v, where)
		}
	}
}

// TestReadiness: what a posture asks, what the server is, and what comes of it.
func TestReadiness(t *testing.T) {
	off, on := model.ThinkingOff, model.ThinkingOn
	has := func(from, to string) string {
		if !strings.Contains(showNow+psNow+tagsNow+finalNow, from) {
			t.Fatalf("%q is in none of the answers", from)
		}
		return to
	}
	for name, c := range map[string]struct {
		change  func(s *server)
		ask     func(r *model.Request)
		context int64
		want    []string        // name asked state: a part of why
		call    []string        // the same of Call after it, where that differs
		prompt  *model.Prompted // of that Call, where it is not the usual one
		sent    string          // in the last request
		without string          // not in the last request
	}{
		"all well":        {ask: func(r *model.Request) { r.Thinking = off }, context: 8192},
		"nothing is said": {context: 8192, want: []string{"thinking unset asked: on for a model that can think"}},
		"nothing is said to one that cannot think": {change: func(s *server) { s.show = strings.Replace(showNow, has(`,"thinking"]`, `,"thinking"]`), `]`, 1) }, context: 8192},
		"on":      {ask: func(r *model.Request) { r.Thinking = on }, context: 8192, sent: `"think":true`},
		"a level": {ask: func(r *model.Request) { r.Thinking = "low" }, context: 8192, sent: `"think":"low"`, want: []string{"thinking low asked: knows no levels"}},
		"on, of one that cannot": {change: func(s *server) {
			s.chat = func(_ int, body []byte) (int, string) {
				if strings.Contains(string(body), `"think"`) {
					return 400, noThinking
				}
				return 200, finalNow
			}
		}, ask: func(r *model.Request) { r.Thinking = on }, context: 8192, want: []string{"thinking on not accepted: does not support thinking"}, without: `"think"`},
		"off, of one that cannot, on an old server": {change: func(s *server) {
			s.chat = func(_ int, body []byte) (int, string) {
				if strings.Contains(string(body), `"think"`) {
					return 400, noThinking
				}
				return 200, finalNow
			}
		}, ask: func(r *model.Request) { r.Thinking = off }, context: 8192, want: []string{"thinking off enforced: no thinking to switch off"}, without: `"think"`},
		"a level that old servers take of one family alone": {change: func(s *server) {
			s.chat = func(_ int, body []byte) (int, string) {
				if strings.Contains(string(body), `"think"`) {
					return 400, `{"error":"think value \"low\" is not supported for this model"}`
				}
				return 200, finalNow
			}
		}, ask: func(r *model.Request) { r.Thinking = "low" }, context: 8192, want: []string{"thinking low not accepted: is not supported for this model"}, without: `"think"`},
		"a level that the server does not know": {change: func(s *server) {
			s.chat = func(_ int, body []byte) (int, string) {
				if strings.Contains(string(body), `"think"`) {
					return 400, `{"error":"invalid think value: \"xhigh\" (must be \"high\", \"medium\", \"low\", \"max\", true, or false)"}`
				}
				return 200, finalNow
			}
		}, ask: func(r *model.Request) { r.Thinking = "xhigh" }, context: 8192, want: []string{"thinking xhigh not accepted: invalid think value"}, without: `"think"`},
		"off, and it thinks": {change: func(s *server) {
			s.chat = always(200, strings.Replace(finalNow, `"content":"ok"`, `"content":"","thinking":"The user says hi"`, 1))
		}, ask: func(r *model.Request) { r.Thinking = off }, context: 8192, want: []string{"thinking off not honoured: The user says hi"}, call: []string{}},
		"off, and thinks in the content": {change: func(s *server) {
			s.chat = always(200, strings.Replace(finalNow, `"content":"ok"`, `"content":"<think>well"`, 1))
		}, ask: func(r *model.Request) { r.Thinking = off }, context: 8192, want: []string{"thinking off not honoured: well"}, call: []string{}},
		"more context than it was trained for": {change: func(s *server) { s.ps = strings.Replace(psNow, "8192", "40960", 1) },
			ask: func(r *model.Request) { r.Thinking, r.Context = off, 65536 }, context: 40960, prompt: &model.Prompted{Loaded: 40960, Refuses: true},
			want: []string{"context 65536 not honoured: with 40960 tokens, for which it was trained"}},
		"less context than asked": {change: func(s *server) { s.ps = strings.Replace(psNow, "8192", "4096", 1) },
			ask: func(r *model.Request) { r.Thinking = off }, context: 4096, prompt: &model.Prompted{Loaded: 4096, Refuses: true},
			want: []string{"context 8192 not honoured: the server loaded the model with 4096 tokens"}},
		"more context than asked": {ask: func(r *model.Request) { r.Thinking, r.Context = off, 2048 }, context: 8192,
			want: []string{"context 2048 asked: more than was asked for"}},
		"a server that does not say what it loaded": {change: func(s *server) { s.ps = "" }, ask: func(r *model.Request) { r.Thinking = off }, prompt: &model.Prompted{Refuses: true},
			want: []string{"context 8192 asked: does not say with how many tokens"}, call: []string{}},
		"the same, with too little trained": {change: func(s *server) { s.ps = "" }, ask: func(r *model.Request) { r.Thinking, r.Context = off, 65536 }, context: 40960, prompt: &model.Prompted{Refuses: true},
			want: []string{"context 65536 not honoured: trained for 40960 tokens"}},
		"no context asked": {ask: func(r *model.Request) { r.Thinking, r.Context = off, 0 }, context: 8192, without: "num_ctx"},
		"more output than fits": {ask: func(r *model.Request) { r.Thinking, r.MaxOutput = off, 8192 }, context: 8192,
			want: []string{"max_output 8192 asked: it holds the prompt too"}},
		"an old server": {change: func(s *server) { s.version = `{"version":"0.11.4"}` }, ask: func(r *model.Request) { r.Thinking = off }, context: 8192,
			prompt: &model.Prompted{Partial: true, Loaded: 8192}},
		"one that leaves the cached part out": {change: func(s *server) { s.version = `{"version":"0.30.0"}` }, ask: func(r *model.Request) { r.Thinking = off }, context: 8192,
			prompt: &model.Prompted{Partial: true, Loaded: 8192, Refuses: true}},
		"one built without a version": {change: func(s *server) { s.version = `{"version":"0.0.0"}` }, ask: func(r *model.Request) { r.Thinking = off }, context: 8192,
			prompt: &model.Prompted{Partial: true, Loaded: 8192}},
		"another runner": {change: func(s *server) { s.show = strings.ReplaceAll(showNow, `"format":"gguf"`, `"format":"safetensors"`) }, context: 8192,
			ask:    func(r *model.Request) { r.Thinking, r.Schema = off, &model.Schema{Name: "s", JSON: []byte(`{}`)} },
			prompt: &model.Prompted{Partial: true, Loaded: 8192}, want: []string{"schema s asked: GGUF"}},
		"a remote model": {change: func(s *server) {
			s.show = strings.Replace(showNow, `{"license"`, `{"remote_host":"https://ollama.com","remote_model":"big","license"`, 1)
		}, ask: func(r *model.Request) { r.Thinking, r.Schema = off, &model.Schema{Name: "s", JSON: []byte(`{}`)} },
			prompt: &model.Prompted{Partial: true}, want: []string{"context 8192 asked: another machine", "schema s asked: another machine"}},
		"a schema": {ask: func(r *model.Request) { r.Thinking, r.Schema = off, &model.Schema{Name: "s", JSON: []byte(`{}`)} }, context: 8192,
			want: []string{"schema s enforced: grammar"}},
		"a schema with thinking off, before 0.31.2": {change: func(s *server) { s.version = `{"version":"0.31.1"}` },
			ask: func(r *model.Request) { r.Thinking, r.Schema = off, &model.Schema{Name: "s", JSON: []byte(`{}`)} }, context: 8192,
			want: []string{"schema s asked: of the parser qwen3-parser when thinking is off"}},
		"the same, without a parser of the server's own": {change: func(s *server) {
			s.version, s.show = `{"version":"0.31.1"}`, strings.Replace(showNow, `PARSER qwen3-parser\n`, "", 1)
		}, ask: func(r *model.Request) { r.Thinking, r.Schema = off, &model.Schema{Name: "s", JSON: []byte(`{}`)} }, context: 8192,
			want: []string{"schema s enforced: grammar"}},
		"a schema and thinking": {change: func(s *server) {
			s.chat = always(200, strings.Replace(finalNow, `"content":"ok"`, `"content":"{}","thinking":"t"`, 1))
		}, ask: func(r *model.Request) { r.Thinking, r.Schema = on, &model.Schema{Name: "s", JSON: []byte(`{}`)} }, context: 8192,
			want: []string{"max_output 1536 asked: two requests", "schema s enforced: once the thinking has ended"}},
		"a schema and no thoughts": {ask: func(r *model.Request) { r.Thinking, r.Schema = on, &model.Schema{Name: "s", JSON: []byte(`{}`)} }, context: 8192,
			want: []string{"schema s asked: only after the model has thought"}},
		"tools": {ask: func(r *model.Request) {
			r.Thinking, r.Tools = off, []model.Tool{{Name: "a", Input: []byte(`{}`)}, {Name: "b", Input: []byte(`{}`)}}
		}, context: 8192,
			want: []string{"tools 2 asked: nothing binds"}},
	} {
		s := now()
		if c.change != nil {
			c.change(s)
		}
		m := start(t, s, "qwen3:8b")
		req := hello()
		if c.ask != nil {
			c.ask(&req)
		}
		ready, err := m.Prepare(t.Context(), req)
		if err != nil || ready.Context != c.context || ready.Load != 3000 {
			t.Errorf("%s: context %d, load %d, %v", name, ready.Context, ready.Load, err)
		}
		says(t, name+": Prepare", ready.Settings, c.want)
		rep, err := m.Call(t.Context(), req)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if c.call == nil {
			c.call = c.want
		}
		says(t, name+": Call", rep.Settings, c.call)
		want := model.Prompted{Loaded: 8192, Refuses: true}
		if c.prompt != nil {
			want = *c.prompt
		}
		if rep.Prompt != want {
			t.Errorf("%s: %+v, want %+v", name, rep.Prompt, want)
		}
		last := s.seen[len(s.seen)-1]
		if !strings.Contains(last, c.sent) || c.without != "" && strings.Contains(last, c.without) {
			t.Errorf("%s: sent %s", name, last)
		}
	}
}

// says wants settings in order, each as "name asked state: a part of why".
func says(t *testing.T, what string, got []record.Setting, want []string) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%s: %d settings, want %d: %+v", what, len(got), len(want), got)
		return
	}
	for i, s := range got {
		head, why, _ := strings.Cut(want[i], ": ")
		if s.Name+" "+s.Asked+" "+s.State != head || !strings.Contains(s.Why, why) || strings.ContainsAny(s.Why, "\n\r") {
			t.Errorf("%s: %+v, want %s", what, s, want[i])
		}
	}
}

// TestPrepareFaults: a model that cannot serve, in one line that says what to do.
func TestPrepareFaults(t *testing.T) {
	for name, c := range map[string]struct {
		status int
		body   string
		kind   model.FaultKind
		want   string
	}{
		"no tools":   {400, `{"error":"registry.ollama.ai/library/qwen3:8b does not support tools"}`, model.FaultRejected, `"qwen3:8b" cannot call tools: choose one`},
		"no answers": {400, `{"error":"\"qwen3:8b\" does not support chat"}`, model.FaultRejected, `"qwen3:8b" cannot answer: choose one`},
		"no memory":  {500, `{"error":"model requires more system memory (50.0 GiB) than is available (8.0 GiB)"}`, model.FaultServer, "more system memory (50.0 GiB)"},
		"no context": {400, `{"error":"the input length exceeds the context length"}`, model.FaultContext, "exceeds the context length"},
		"no name":    {400, `{"error":"model is required"}`, model.FaultNoModel, "does not know the model"},
		"gone":       {404, `{"error":"model 'qwen3:8b' not found"}`, model.FaultNoModel, `"ollama pull qwen3:8b" would get it`},
		"wrong":      {400, `{"error":"option \"num_ctx\" must be of type integer"}`, model.FaultRejected, "must be of type integer"},
		"broken":     {200, `{`, model.FaultBroken, "not JSON of the known form"},
		// It refuses whatever is said of thinking: one try without, and no more.
		"stubborn": {400, noThinking, model.FaultRejected, "does not support thinking"},
	} {
		s := now()
		s.chat = always(c.status, c.body)
		m := start(t, s, "qwen3:8b")
		req := hello()
		req.Thinking = model.ThinkingOn
		ready, err := m.Prepare(t.Context(), req)
		f := model.AsFault(err)
		if err == nil || f.Kind != c.kind || !strings.Contains(f.Msg, c.want) || strings.Contains(f.Msg, "\n") {
			t.Errorf("%s: %v; want %q", name, err, c.want)
		}
		if want := 1 + strings.Count(name, "stubborn"); s.calls != want || len(ready.Calls) != 4+want {
			t.Errorf("%s: %d calls, %d exchanges", name, s.calls, len(ready.Calls))
		}
	}
}

// TestOneRunnerForTwoNames: the server lists a runner under the name that it was started for, whatever name is called.
func TestOneRunnerForTwoNames(t *testing.T) {
	const (
		digest = `"digest":"500a1f067a9f782620b40bee6f7b0c89e17ae61f686b92c24933e4ca4b2b8b41"`
		kind   = `"details":{"format":"gguf","family":"qwen3","parameter_size":"8.2B","quantization_level":"Q4_K_M"}`
		other  = `"details":{"format":"gguf","family":"llama","parameter_size":"8.2B","quantization_level":"Q4_K_M"}`
	)
	for name, c := range map[string]struct {
		ps              string
		ready, identity int64 // contexts: Prepare's, after a call; and that of a look at a fresh model
	}{
		"the same manifest":     {`{"name":"qwen3:latest",` + digest + `,"context_length":8192}`, 8192, 8192},
		"the same weights":      {`{"name":"mine:latest","digest":"aa",` + kind + `,"context_length":8192},{"name":"x","digest":"cc",` + other + `,"context_length":1}`, 8192, 0},
		"two that might be it":  {`{"name":"a","digest":"aa",` + kind + `,"context_length":8192},{"name":"b","digest":"bb",` + kind + `,"context_length":4096}`, 0, 0},
		"nothing that might be": {`{"name":"x","digest":"cc",` + other + `,"context_length":1}`, 0, 0},
	} {
		s := now()
		s.ps = `{"models":[` + c.ps + `]}`
		m := start(t, s, "qwen3:8b")
		id, err := m.Identify(t.Context())
		if err != nil || id.Context != c.identity {
			t.Errorf("%s: identity %+v, %v", name, id, err)
		}
		if ready, err := m.Prepare(t.Context(), hello()); err != nil || ready.Context != c.ready {
			t.Errorf("%s: readiness %+v, %v", name, ready, err)
		}
	}
}

// TestContextEnds: the server has one word for both ends of a reply; the counts tell which it was.
func TestContextEnds(t *testing.T) {
	for fields, full := range map[string]bool{
		`"prompt_eval_count":7000,"eval_count":1192`: true, `"prompt_eval_count":6700,"eval_count":1490`: true,
		`"prompt_eval_count":6656,"eval_count":1536`: false, `"prompt_eval_count":17,"eval_count":1536`: false, `"eval_count":1000`: false, `"prompt_eval_count":8192`: false,
	} {
		body := strings.Replace(end(`"content":"a"`, "length"), `"model":"m"`, fields, 1)
		req := hello()
		req.Thinking = model.ThinkingOff
		rep, f := read(t, body, req, knowledge{})
		if f != nil {
			t.Fatal(f)
		}
		if got := len(rep.Settings) == 1 && rep.Settings[0].Name == "max_output" && rep.Settings[0].State == record.SettingNotHonoured; got != full {
			t.Errorf("%s: %+v", fields, rep.Settings)
		}
	}
}

// TestIdentifyAfterPrepare: the context is the loaded one, and what it will be again once the model was unloaded.
func TestIdentifyAfterPrepare(t *testing.T) {
	s := now()
	m := start(t, s, "qwen3:8b")
	if _, err := m.Prepare(t.Context(), hello()); err != nil {
		t.Fatal(err)
	}
	s.ps = `{"models":[]}`
	id, err := m.Identify(t.Context())
	if err != nil || id.Context != 8192 || id.Details["vram_percent"] != "" {
		t.Errorf("%+v, %v", id, err)
	}
}

func TestPortThatIsNoServer(t *testing.T) {
	m := at(t, "http://127.0.0.1:1", "x")
	want := "no server answers at http://127.0.0.1:1 (connection refused): start it or give another @URL"
	_, err := m.Call(t.Context(), hello())
	_, err2 := m.Identify(t.Context())
	_, err3 := m.Prepare(t.Context(), hello())
	_, err4 := m.List(t.Context())
	for _, err := range []error{err, err2, err3, err4} {
		if f := model.AsFault(err); err == nil || f.Kind != model.FaultUnreachable || f.Msg != want {
			t.Errorf("got %v", err)
		}
	}
}
