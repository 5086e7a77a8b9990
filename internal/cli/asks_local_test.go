package cli_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/assaybench/assay/model/modeltest"
	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/report"
)

// What users of other harnesses suffered from with models on their own machine.

// ollamaCall is what a call to Ollama holds beside its messages.
type ollamaCall struct {
	Think     *bool
	Truncate  *bool
	Shift     *bool
	KeepAlive string `json:"keep_alive"`
	Stream    *bool
	Options   map[string]any
}

func readOllamaCall(t testing.TB, body []byte) (c ollamaCall) {
	t.Helper()
	if err := json.Unmarshal(body, &c); err != nil {
		t.Fatal(err)
	}
	return c
}

// TestPromptCutToHalf: Ollama is told never to cut, with the context that the protocol needs, in every call; a count of tokens
// that a whole prompt cannot have is no answer of the model's, whatever was answered.
func TestPromptCutToHalf(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.write(benchOf{items: 4, repeats: 2, context: 4096, output: 64, filler: 30_000, protocol: "  seed: 7\n", postures: "    plain: {thinking: \"off\", max_output: 64, timeout: 30s}\n"})
	s := &script{says: func(item string, _ int) modeltest.MockReply {
		switch item {
		case itemName(0):
			return modeltest.MockReply{Content: "ANSWER: 42", Fault: "half-context"}
		case itemName(1):
			return modeltest.MockReply{Fault: "context-ollama"}
		case itemName(2):
			return modeltest.MockReply{Content: "ANSWER: 42", PromptTokens: 1000}
		}
		return right()
	}}
	m, _ := r.mock(modeltest.MockOptions{Wire: modeltest.WireOllama, Reply: s.reply})
	res, got := r.run(3, m)
	f := res.Figures[0]
	if f.Passed != 1 || f.Judged != 1 || f.Items != 4 || f.Attempts.Undelivered != 6 || f.Attempts.Error != 0 {
		t.Errorf("%+v", f)
	}
	for i, want := range []string{"DD", "DD", "DD", ".."} {
		if l := letters(res, itemName(i)); l != want {
			t.Errorf("%s: %s, want %s", itemName(i), l, want)
		}
	}
	if n := s.of(itemName(1)); n != 2 {
		t.Errorf("a prompt that does not fit was sent %d times, want once for each repeat", n)
	}
	cut := r.item(itemName(0))[0]
	if cut.Delivery.State != "undelivered" || cut.Delivery.Loaded != 4096 || *cut.Usage.Prompt != 4096/2+5 || !strings.Contains(cut.Reason, "the server counted 2053 prompt tokens") {
		t.Errorf("%+v", cut)
	}
	if d := res.Attempts.Settings[0].Delivery; d.Undelivered != 6 || d.Delivered != 2 || d.Refuses != 2 {
		t.Errorf("%+v", d)
	}
	if !strings.Contains(got.err, "6 prompts of 8 did not reach the model whole, which is no result of the model's") {
		t.Errorf("standard error: %s", got.err)
	}
	// Each call, those before the run included, says the same of all that decides how a prompt is taken.
	all := s.requests(true)
	if len(all) < 10 {
		t.Fatalf("%d calls", len(all))
	}
	for _, q := range all {
		c := readOllamaCall(t, q.Body)
		if c.Truncate == nil || *c.Truncate || c.Shift == nil || *c.Shift || c.Think == nil || *c.Think || c.KeepAlive != "30m" {
			t.Errorf("%.300s", q.Body)
		}
		o := c.Options
		if o["num_ctx"] != 4096.0 || o["seed"] != 7.0 || o["repeat_penalty"] != 1.0 || o["temperature"] != 0.0 || o["num_predict"] == nil {
			t.Errorf("options %v", o)
		}
		if asked(q.User) != "" && o["num_predict"] != 64.0 {
			t.Errorf("num_predict %v of an attempt", o["num_predict"])
		}
	}
}

// TestServersThatMayCut: an Ollama that does not know the switches may cut, so that no count of its proves delivery; and since
// it leaves out what came from a cache, a low count does not disprove it.
func TestServersThatMayCut(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.write(benchOf{items: 3, context: 4096, filler: 12_000})
	s := &script{says: func(item string, _ int) modeltest.MockReply {
		reply := right()
		reply.PromptTokens = map[string]int{itemName(0): 2050, itemName(1): 3300, itemName(2): 400}[item]
		return reply
	}}
	m, _ := r.mock(modeltest.MockOptions{Wire: modeltest.WireOllama, Reply: s.reply, Server: modeltest.MockServer{Version: "0.9.6"}})
	r.assay("run", "./bench", "--unproven", "--model", m)
	if d := r.result("latest").Attempts.Settings[0].Delivery; d.Delivered != 0 {
		t.Errorf("%+v", d)
	}
	for i := range 3 {
		if d := r.item(itemName(i))[0].Delivery; d.State == "delivered" || d.Reason == "" || d.Proof != "" {
			t.Errorf("%+v", d)
		}
	}
	half, low := r.item(itemName(0))[0].Delivery, r.item(itemName(2))[0].Delivery
	if !strings.Contains(half.Reason, "about half of its context of 4096") {
		t.Errorf("%+v", half)
	}
	if low.State != "not provable" || !strings.Contains(low.Reason, "leaves out what came from a cache") {
		t.Errorf("%+v", low)
	}
}

// TestLoadedContextTooSmall: a model that is loaded with less than the protocol needs is refused before the first attempt,
// whatever the server said of the request.
func TestLoadedContextTooSmall(t *testing.T) {
	t.Parallel()
	for name, server := range map[string]modeltest.MockServer{"loaded with less": {Loaded: 2048}, "made for less": {Trained: 2048}} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t)
			r.write(benchOf{items: 2, context: 4096})
			s := &script{}
			m, _ := r.mock(modeltest.MockOptions{Wire: modeltest.WireOllama, Reply: s.reply, Server: server})
			got := r.want(2, "run", "./bench", "--unproven", "--model", m)
			if got.out != "" || strings.Count(got.err, "\n") != 1 || !strings.Contains(got.err, "its server holds a context of 2048 tokens, and the protocol needs 4096; load the model with a larger context") {
				t.Errorf("%s%s", got.err, got.out)
			}
			if n := len(s.requests(false)); n != 0 {
				t.Errorf("%d attempts were made", n)
			}
		})
	}
	t.Run("less in the middle", func(t *testing.T) {
		r := newRig(t)
		r.write(benchOf{items: 4, context: 4096})
		s := &script{says: func(item string, _ int) modeltest.MockReply {
			if item == itemName(2) {
				return modeltest.MockReply{Content: "ANSWER: 42", Fault: "context-less"}
			}
			return right()
		}}
		m, _ := r.mock(modeltest.MockOptions{Wire: modeltest.WireOllama, Reply: s.reply})
		got := r.want(3, "run", "./bench", "--unproven", "--model", m)
		if got.out != "" || !strings.Contains(got.err, "context of the loaded model: 4096 -> 2048; 4 attempts are invalid that were made since the last check") {
			t.Errorf("%s%s", got.err, got.out)
		}
		if res := r.result("latest"); res.Figures[0].Judged != 0 || res.Figures[0].Attempts.Error != 4 || len(res.Servers[0].Invalid) != 1 {
			t.Errorf("%+v", res.Figures[0])
		}
	})
}

// TestOllamasOpenAIEndpoint: Ollama's own form of chat completions takes no context. That is said, or refused where the
// protocol wants every setting honoured.
func TestOllamasOpenAIEndpoint(t *testing.T) {
	t.Parallel()
	both := func(r *rig) (model string, s *script) {
		s = &script{}
		_, native := r.mock(modeltest.MockOptions{Wire: modeltest.WireOllama})
		_, chat := r.mock(modeltest.MockOptions{Reply: s.reply})
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
			if strings.HasPrefix(q.URL.Path, "/v1/") {
				chat.ServeHTTP(w, q)
				return
			}
			native.ServeHTTP(w, q)
		}))
		r.Cleanup(server.Close)
		return "openai/mock@" + server.URL + "/v1", s
	}
	t.Run("recorded", func(t *testing.T) {
		r := newRig(t)
		r.write(benchOf{items: 2, context: 4096})
		m, _ := both(r)
		res, got := r.run(0, m)
		const why = "Ollama's OpenAI endpoint takes no num_ctx; use ollama/NAME"
		if !strings.Contains(got.err, why) {
			t.Errorf("standard error: %s", got.err)
		}
		a := r.item(itemName(0))[0]
		if !slices.ContainsFunc(a.Settings, func(s record.Setting) bool {
			return s.Name == "context" && s.Asked == "4096" && s.State == record.SettingNotAccepted && strings.Contains(s.Why, why)
		}) {
			t.Errorf("%+v", a.Settings)
		}
		if a.Delivery.Proof == "refuses" || res.Attempts.Settings[0].Delivery.Refuses != 0 {
			t.Errorf("%+v", a.Delivery)
		}
	})
	t.Run("refused", func(t *testing.T) {
		r := newRig(t)
		r.write(benchOf{items: 2, context: 4096, protocol: "  unhonoured: refuse\n"})
		m, s := both(r)
		got := r.want(2, "run", "./bench", "--unproven", "--model", m)
		if !strings.Contains(got.err, "its protocol wants every setting honoured (unhonoured: refuse)") || len(s.requests(false)) != 0 {
			t.Errorf("%s, %d attempts", got.err, len(s.requests(false)))
		}
	})
}

// loader stands before a mock of Ollama and loads models as its scheduler does: a call with other load-time options, or after
// the model was thrown out, waits for it to be loaded. What waits is said in load_duration.
type loader struct {
	next http.Handler
	wait time.Duration

	mu    sync.Mutex
	key   string
	loads []string // the items of the calls that waited; "" for what is none of the bench's
	out   map[string]bool
}

func (l *loader) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	if q.URL.Path != "/api/chat" {
		l.next.ServeHTTP(w, q)
		return
	}
	body, _ := io.ReadAll(q.Body)
	q.Body = io.NopCloser(bytes.NewReader(body))
	var c struct {
		Model    string
		Shift    any
		Options  map[string]any
		Messages []struct{ Content string }
	}
	_ = json.Unmarshal(body, &c)
	item := asked(c.Messages[0].Content)
	key := fmt.Sprint(c.Model, c.Shift, c.Options["num_ctx"], c.Options["num_batch"], c.Options["num_gpu"], c.Options["num_thread"])
	l.mu.Lock()
	wait := l.key != key || l.out[item]
	if wait {
		l.key = key
		l.loads = append(l.loads, item)
		delete(l.out, item)
	}
	l.mu.Unlock()
	took := 2 * time.Millisecond
	if wait {
		time.Sleep(l.wait)
		took = l.wait
	}
	rec := httptest.NewRecorder()
	l.next.ServeHTTP(rec, q)
	text := strings.Replace(rec.Body.String(), `"load_duration":2000000`, fmt.Sprintf(`"load_duration":%d`, took.Nanoseconds()), 1)
	text = strings.Replace(text, `"total_duration":14000000`, fmt.Sprintf(`"total_duration":%d`, took.Nanoseconds()+12_000_000), 1)
	w.Header().Set("Content-Type", rec.Header().Get("Content-Type"))
	w.WriteHeader(rec.Code)
	_, _ = io.WriteString(w, text)
}

// TestNoReloadBetweenAttempts: the model is loaded once, by the call that makes it ready and has the final options, at every
// posture; the time to load is in no attempt's latency, and an attempt that waits for its model all the same is told of.
func TestNoReloadBetweenAttempts(t *testing.T) {
	t.Parallel()
	start := func(r *rig, wait time.Duration, out map[string]bool) (string, *loader, *script) {
		s := &script{says: func(string, int) modeltest.MockReply {
			reply := right()
			reply.Delay = 15 * time.Millisecond
			return reply
		}}
		_, mock := r.mock(modeltest.MockOptions{Wire: modeltest.WireOllama, Reply: s.reply})
		l := &loader{next: mock, wait: wait, out: out}
		server := httptest.NewServer(l)
		r.Cleanup(server.Close)
		return "ollama/mock@" + server.URL, l, s
	}
	t.Run("once", func(t *testing.T) {
		r := newRig(t)
		r.write(benchOf{items: 3, repeats: 2, context: 8192, filler: 4500, postures: "    plain: {thinking: \"off\", max_output: 32, timeout: 30s}\n    deep: {thinking: \"on\", max_output: 512, timeout: 60s}\n"})
		m, l, s := start(r, 300*time.Millisecond, nil)
		res, _ := r.run(0, m, "--posture", "plain,deep")
		if len(l.loads) != 1 || l.loads[0] != "" {
			t.Errorf("loaded for %q, want once before the run", l.loads)
		}
		if first := s.requests(true)[0]; first.User != "Answer with one word: ready" {
			t.Errorf("the first call asks %q", first.User)
		}
		if n := len(s.requests(true)) - len(s.requests(false)); n != 4 {
			t.Errorf("%d calls before the run, want one to make ready and one probe for each posture", n)
		}
		for _, set := range res.Attempts.Settings {
			if set.Times.Reloads != 0 || set.Latency.Of != 6 || *set.Latency.P95 > 0.25 || *set.Times.Load.Median != 0.002 {
				t.Errorf("%s: %+v, latency %v of %d", set.Posture, set.Times, *set.Latency.P95, set.Latency.Of)
			}
		}
		if ready := res.Attempts.Settings[0].Ready; ready == nil || ready.LoadNS < 300e6 || ready.Context != 8192 {
			t.Errorf("%+v", ready)
		}
		// A second session finds it loaded, and its tries are like those of the first.
		if len(r.item(itemName(0))) != 4 {
			t.Errorf("%+v", r.item(itemName(0)))
		}
	})
	t.Run("thrown out", func(t *testing.T) {
		r := newRig(t)
		r.write(benchOf{items: 4, context: 8192})
		m, l, _ := start(r, 1050*time.Millisecond, map[string]bool{itemName(2): true})
		res, _ := r.run(0, m)
		if fmt.Sprint(l.loads) != fmt.Sprint([]string{"", itemName(2)}) {
			t.Errorf("loaded for %q", l.loads)
		}
		set := res.Attempts.Settings[0]
		if set.Times.Reloads != 1 || *set.Times.Longest < 1.05 || *set.Latency.P95 > 0.5 || set.Latency.Of != 4 {
			t.Errorf("%+v, latency %+v", set.Times, *set.Latency.P95)
		}
		if text := r.want(0, "result", "latest").out; !strings.Contains(strings.Join(strings.Fields(text), " "), "1 attempt waited for the model to be loaded (at most 1.1 s); that time is in no latency") {
			t.Errorf("no word of the reload in\n%s", text)
		}
	})
}

// TestRepeatsThatDiffer: how many items were answered in the same words every time is said beside the figure, one repeat that
// fails lets its item fail, the seed is sent and on record, and nothing is said to be deterministic.
func TestRepeatsThatDiffer(t *testing.T) {
	t.Parallel()
	for _, w := range []modeltest.Wire{modeltest.WireOllama, modeltest.WireChat} {
		t.Run(w.String(), func(t *testing.T) {
			r := newRig(t)
			r.write(benchOf{items: 5, repeats: 3, protocol: "  seed: 11\n"})
			s := &script{says: func(item string, call int) modeltest.MockReply {
				switch {
				case item == itemName(0): // right each time, in other words
					return modeltest.MockReply{Content: strings.Repeat("Well. ", call) + "\nANSWER: 42"}
				case item == itemName(1) && call == 2:
					return modeltest.MockReply{Content: "ANSWER: 41"}
				}
				return right()
			}}
			m, mock := r.mock(modeltest.MockOptions{Wire: w, Reply: s.reply})
			res, _ := r.run(0, m)
			f := res.Figures[0]
			if f.Passed != 4 || f.Identical != (report.Share{Same: 3, Of: 5}) || f.Unstable != 1 || len(res.Unstable) != 1 || res.Unstable[0].Item != itemName(1) {
				t.Errorf("%+v, %+v", f, res.Unstable)
			}
			for _, q := range s.requests(false) {
				if !q.Asks("seed") || !strings.Contains(string(q.Body), `"seed":11`) {
					t.Errorf("no seed in %s", q.Body)
				}
			}
			// Each repeat is a call of its own: nothing comes from a cache of ours.
			if n := len(s.requests(false)); n != 15 {
				t.Errorf("%d calls for 15 attempts", n)
			}
			db, latest := r.latest()
			if !strings.Contains(string(latest.Plan.Protocol), `"seed":11`) {
				t.Errorf("no seed in the protocol on record: %s", latest.Plan.Protocol)
			}
			tr, err := db.Transcript(t.Context(), latest, 0, 1)
			if err != nil || !strings.Contains(string(tr.Calls[0].RequestBody), `"seed":11`) {
				t.Errorf("no seed in the request on record: %v", err)
			}
			text := r.want(0, "result", "latest").out
			if !strings.Contains(text, "3 of 5 items") || !strings.Contains(text, "identical answers, exact") || strings.Contains(strings.ToLower(text), "determinis") {
				t.Errorf("the identical answers are missing in\n%s", text)
			}
			// The answers of a run, again: another mode with a name of its own, which asks nobody.
			before := mock.Requests()
			again, _ := r.run(0, "replay/latest")
			if mock.Requests() != before || again.Figures[0].Model != "replay/"+res.Run || again.Figures[0].Passed != 4 || again.Run == res.Run {
				t.Errorf("%+v", again.Figures[0])
			}
		})
	}
	// A server that takes no seed is not said to have got one.
	t.Run("no seed", func(t *testing.T) {
		r := newRig(t)
		r.env["ANTHROPIC_API_KEY"] = "none"
		r.write(benchOf{items: 1, protocol: "  seed: 11\n"})
		s := &script{}
		m, _ := r.mock(modeltest.MockOptions{Wire: modeltest.WireAnthropic, Reply: s.reply})
		r.run(0, m)
		a := r.item(itemName(0))[0]
		if !slices.ContainsFunc(a.Settings, func(s record.Setting) bool {
			return s.Name == "seed" && s.Asked == "11" && s.State == record.SettingNotAccepted
		}) {
			t.Errorf("%+v", a.Settings)
		}
		for _, q := range s.requests(true) {
			if strings.Contains(string(q.Body), "seed") {
				t.Errorf("%s", q.Body)
			}
		}
	})
}
