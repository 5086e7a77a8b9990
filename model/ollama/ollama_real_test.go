//go:build unix

package ollama

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/assaybench/assay/internal/llamatest"
	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/model/modeltest"
	"github.com/assaybench/assay/record"
)

// realVariable names the program of a true Ollama.
const realVariable = "ASSAY_OLLAMA"

// trueServer is an Ollama of its own, with a home, a store of models and a port that nobody else has.
type trueServer struct {
	bin, dir, host string
	env            []string
	models         int
}

// startTrue starts a true Ollama, or skips the test.
func startTrue(t *testing.T) *trueServer {
	t.Helper()
	bin := os.Getenv(realVariable)
	if bin == "" {
		t.Skipf("%s does not name the program of an Ollama", realVariable)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &trueServer{bin: bin, dir: t.TempDir(), host: l.Addr().String()}
	l.Close()
	s.env = []string{"HOME=" + s.dir, "TMPDIR=" + s.dir, "OLLAMA_MODELS=" + filepath.Join(s.dir, "models"), "OLLAMA_HOST=" + s.host,
		"OLLAMA_NUM_PARALLEL=1", "PATH=/usr/bin:/bin"}
	var log lockedBuffer
	cmd := exec.Command(bin, "serve")
	cmd.Env, cmd.Dir, cmd.Stdout, cmd.Stderr = s.env, s.dir, &log, &log
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // its runners are in it too
	cmd.WaitDelay = 10 * time.Second
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		_ = cmd.Wait() // killed: the status says nothing
		if t.Failed() {
			t.Logf("the server's log:\n%s", log.tail())
		}
	})
	transport := &http.Transport{DialContext: modeltest.Dial}
	defer transport.CloseIdleConnections()
	for began := time.Now(); ; time.Sleep(50 * time.Millisecond) {
		res, err := (&http.Client{Transport: transport}).Get("http://" + s.host + "/api/version")
		if err == nil {
			res.Body.Close()
			return s
		}
		if time.Since(began) > 30*time.Second {
			t.Fatalf("%s serve does not listen: %v", bin, err)
		}
	}
}

// lockedBuffer is what a program has written.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *lockedBuffer) tail() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	s := b.b.String()
	return s[max(0, len(s)-20_000):]
}

// create makes a scripted model and gives its name. One thread, since the runner's threads spin while they wait.
func (s *trueServer) create(t testing.TB, reply string, opts ...llamatest.Option) string {
	t.Helper()
	s.models++
	name := fmt.Sprintf("scripted:%d", s.models)
	gguf, modelfile := filepath.Join(s.dir, "model.gguf"), filepath.Join(s.dir, "Modelfile")
	f, err := os.Create(gguf)
	if err != nil {
		t.Fatal(err)
	}
	text := llamatest.Modelfile(gguf, opts...) + "PARAMETER num_thread 1\n"
	if err := errors.Join(llamatest.WriteGGUF(f, reply, opts...), f.Close(), os.WriteFile(modelfile, []byte(text), 0o600)); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(s.bin, "create", name, "-f", modelfile)
	cmd.Env, cmd.Dir = s.env, s.dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("ollama create: %v: %s", err, out)
	}
	return name
}

func (s *trueServer) open(t testing.TB, name string) *Model {
	t.Helper()
	return at(t, "http://"+s.host, name)
}

func TestTrueOllamaConformance(t *testing.T) {
	s := startTrue(t)
	modeltest.Run(t, modeltest.Subject{
		// It gives thinking back with the line break before its closing tag, which the suite holds against it; TestTrueOllama
		// looks at thinking. A scripted model says the same whatever it is asked, so that it can echo nothing.
		Can:     modeltest.CanWait | modeltest.HasWire | modeltest.CanSchema | modeltest.CanLearn,
		Secrets: []string{testKey},
		Learns:  []string{"thinking"},
		Answers: []string{"", "ok", "ANSWER: 71.50", "two\r\nlines\n", "日本語 – “curly” 🦊", `{"a": "\u0041"}`},
		New: func(t testing.TB, act modeltest.Act) model.Model {
			var opts []llamatest.Option
			if act.Delay > 0 {
				opts = append(opts, llamatest.Endless())
			}
			return s.open(t, s.create(t, act.Answer, opts...))
		},
	})
}

// TestTrueOllama looks at what only a true server shows. What it saw is logged.
func TestTrueOllama(t *testing.T) {
	s := startTrue(t)
	ask := func(t *testing.T, m *Model, req model.Request) (model.Reply, record.Transcript) {
		t.Helper()
		ctx, cancel := context.WithTimeoutCause(t.Context(), 2*time.Minute, model.ErrTimeLimit)
		defer cancel()
		rep, err := m.Call(ctx, req)
		tr := model.Transcribe(req, rep, err)
		t.Logf("%s (%s), answer %.80q, thinking %.40q, finish %q, prompt %s output %s, %+v, settings %+v, load %v prompt %v output %v queue %v of %v", tr.Outcome, tr.Reason, rep.Answer, rep.Thinking,
			rep.FinishRaw, count(rep.Usage.Prompt), count(rep.Usage.Output), rep.Prompt, rep.Settings, time.Duration(rep.Timing.Load), time.Duration(rep.Timing.Prompt), time.Duration(rep.Timing.Output),
			time.Duration(rep.Timing.Queue), time.Duration(rep.Timing.Total))
		return rep, tr
	}
	prepare := func(t *testing.T, m *Model, req model.Request) model.Readiness {
		t.Helper()
		ready, err := m.Prepare(t.Context(), req)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("ready: context %d, load %v, settings %+v", ready.Context, time.Duration(ready.Load), ready.Settings)
		return ready
	}
	short := func(change func(*model.Request)) model.Request {
		req := hello()
		req.Thinking, req.Context, req.MaxOutput = model.ThinkingOff, 2048, 64
		if change != nil {
			change(&req)
		}
		return req
	}
	find := func(settings []record.Setting, name, state string) bool {
		for _, got := range settings {
			if got.Name == name && got.State == state {
				return true
			}
		}
		return false
	}

	t.Run("identity and loading", func(t *testing.T) {
		m := s.open(t, s.create(t, "ANSWER: 42"))
		before, err := m.Identify(t.Context())
		if err != nil || len(before.Digest) != 64 || before.Context != 0 || before.Details["architecture"] != "llama" || before.Details["trained_context"] != "32768" {
			t.Errorf("%+v, %v", before, err)
		}
		ready := prepare(t, m, short(nil))
		after, err := m.Identify(t.Context())
		if err != nil || after.Digest != before.Digest || after.Context != 2048 || ready.Context != 2048 || ready.Load <= 0 || after.Details["template_sha256"] == "" {
			t.Errorf("%+v, readiness %+v, %v", after, ready, err)
		}
		t.Logf("identity: %+v", after)
		rep, tr := ask(t, m, short(nil))
		if tr.Outcome != record.Answered || tr.Answer != "ANSWER: 42" || rep.Usage.Prompt == nil || rep.Usage.Output == nil || rep.Prompt.Loaded != 2048 {
			t.Errorf("%+v", tr)
		}
		// The same once more: from the cache, and without a reload.
		again, _ := ask(t, m, short(nil))
		if count(again.Usage.Prompt) != count(rep.Usage.Prompt) {
			t.Logf("the cached part is missing from the second count: %s and %s", count(rep.Usage.Prompt), count(again.Usage.Prompt))
		}
		if again.Timing.Load > ready.Load {
			t.Errorf("a reload between equal requests: %v after %v", time.Duration(again.Timing.Load), time.Duration(ready.Load))
		}
		held, err := m.List(t.Context())
		if err != nil || len(held) == 0 || held[0].Digest == "" || held[0].Bytes == 0 {
			t.Errorf("%+v, %v", held, err)
		}
	})
	t.Run("thinking", func(t *testing.T) {
		m := s.open(t, s.create(t, "ok", llamatest.Thinking("step by step")))
		for posture, want := range map[model.Thinking]string{model.ThinkingOff: "", model.ThinkingOn: "step by step", model.ThinkingUnset: "step by step"} {
			req := short(func(r *model.Request) { r.Thinking = posture })
			ready := prepare(t, m, req)
			if _, tr := ask(t, m, req); tr.Answer != "ok" || strings.TrimSpace(tr.Thinking) != want {
				t.Errorf("thinking %q: %q, thought %q (%s)", posture, tr.Answer, tr.Thinking, tr.Reason)
			}
			if find(ready.Settings, "thinking", record.SettingAsked) != (posture == model.ThinkingUnset) {
				t.Errorf("thinking %q: %+v", posture, ready.Settings)
			}
		}
		// Servers before 0.18 take levels of one family of models alone; later ones take them of every model that thinks.
		req := short(func(r *model.Request) { r.Thinking = "low" })
		if ready := prepare(t, m, req); !find(ready.Settings, "thinking", record.SettingAsked) && !find(ready.Settings, "thinking", record.SettingNotAccepted) {
			t.Errorf("%+v", ready.Settings)
		}
		if _, tr := ask(t, m, req); tr.Answer != "ok" {
			t.Errorf("%+v", tr)
		}
	})
	t.Run("thinking that no switch reaches", func(t *testing.T) {
		m := s.open(t, s.create(t, "ok", llamatest.AlwaysThinking("whatever you say, I think")))
		if ready := prepare(t, m, short(nil)); !find(ready.Settings, "thinking", record.SettingNotHonoured) {
			t.Errorf("%+v", ready.Settings)
		}
		ask(t, m, short(nil))
	})
	t.Run("thinking of a model that has none", func(t *testing.T) {
		m := s.open(t, s.create(t, "ok"))
		req := short(func(r *model.Request) { r.Thinking = model.ThinkingOn })
		if ready := prepare(t, m, req); !find(ready.Settings, "thinking", record.SettingNotAccepted) {
			t.Errorf("%+v", ready.Settings)
		}
		if rep, tr := ask(t, m, req); tr.Answer != "ok" || !find(rep.Settings, "thinking", record.SettingNotAccepted) {
			t.Errorf("%+v", tr)
		}
	})
	t.Run("over the context", func(t *testing.T) {
		m := s.open(t, s.create(t, "ok"))
		req := short(func(r *model.Request) { r.Context = 512 })
		prepare(t, m, req)
		req.Messages = []model.Message{{Role: "user", Text: strings.Repeat("many words of a long prompt ", 400)}}
		if rep, tr := ask(t, m, req); tr.Outcome != record.Undelivered {
			t.Errorf("%s, %s: %s", tr.Outcome, tr.Reason, rep.Exchange.ResponseBody)
		}
	})
	t.Run("a long prompt that fits", func(t *testing.T) {
		m := s.open(t, s.create(t, "ok"))
		prepare(t, m, short(nil))
		req := short(func(r *model.Request) {
			r.Messages = []model.Message{{Role: "user", Text: strings.Repeat("many words of a long prompt ", 100)}}
		})
		if _, tr := ask(t, m, req); tr.Outcome != record.Answered || tr.Delivery.State != "delivered" {
			t.Errorf("%s, %+v", tr.Outcome, tr.Delivery)
		}
	})
	t.Run("more context than trained", func(t *testing.T) {
		m := s.open(t, s.create(t, "ok", llamatest.TrainedContext(1024)))
		if ready := prepare(t, m, short(nil)); ready.Context != 1024 || !find(ready.Settings, "context", record.SettingNotHonoured) {
			t.Errorf("%+v", ready)
		}
	})
	t.Run("output limit", func(t *testing.T) {
		m := s.open(t, s.create(t, "one two three four five six seven ", llamatest.Endless()))
		req := short(func(r *model.Request) { r.MaxOutput = 5 })
		prepare(t, m, req)
		if rep, tr := ask(t, m, req); tr.Outcome != record.Truncated || tr.Finish != "length" || rep.Usage.Output == nil || len(rep.Settings) != 0 {
			t.Errorf("%s, %+v, %+v", tr.Outcome, rep.Usage, rep.Settings)
		}
	})
	t.Run("the context's end", func(t *testing.T) {
		m := s.open(t, s.create(t, "one two three four five six seven ", llamatest.Endless()))
		req := short(func(r *model.Request) { r.Context, r.MaxOutput = 256, 250 })
		prepare(t, m, req)
		req.Messages[0].Text = strings.Repeat("words ", 40)
		if rep, tr := ask(t, m, req); tr.Outcome != record.Undelivered || !find(rep.Settings, "max_output", record.SettingNotHonoured) {
			t.Errorf("%s, usage %s %s, %+v", tr.Outcome, count(rep.Usage.Prompt), count(rep.Usage.Output), rep.Settings)
		}
	})
	t.Run("the guard against repetition", func(t *testing.T) {
		m := s.open(t, s.create(t, "x", llamatest.Endless()))
		rep, tr := ask(t, m, short(func(r *model.Request) { r.MaxOutput = 100 }))
		if rep.Finish != model.FinishAborted || tr.Outcome != record.Truncated {
			t.Errorf("%s: %s", tr.Outcome, rep.Exchange.ResponseBody)
		}
	})
	t.Run("schema", func(t *testing.T) {
		schema := &model.Schema{Name: "verdict", JSON: []byte(`{"type":"object","properties":{"right":{"type":"boolean"}},"required":["right"],"additionalProperties":false}`)}
		for _, thinking := range []model.Thinking{model.ThinkingOff, model.ThinkingOn} {
			m := s.open(t, s.create(t, `{"right":true}`, llamatest.Thinking("is it?")))
			req := short(func(r *model.Request) { r.Schema, r.Thinking = schema, thinking })
			prepare(t, m, req)
			if rep, tr := ask(t, m, req); tr.Answer != `{"right":true}` || !find(rep.Settings, "schema", record.SettingEnforced) || (rep.Usage.Prompt == nil) != (thinking == model.ThinkingOn) {
				t.Errorf("thinking %s: %q, %+v, %s", thinking, tr.Answer, rep.Settings, rep.Exchange.ResponseBody)
			}
		}
		// Of a model that would rather say something else the grammar makes JSON, if it may write for long enough.
		m := s.open(t, s.create(t, "I would rather not."))
		req := short(func(r *model.Request) { r.Schema = schema })
		prepare(t, m, req)
		if rep, tr := ask(t, m, req); tr.Outcome == record.Answered && !strings.Contains(tr.Answer, `"right"`) {
			t.Errorf("%q is not of the schema: %s", tr.Answer, rep.Exchange.ResponseBody)
		}
	})
	t.Run("tool call", func(t *testing.T) {
		m := s.open(t, s.create(t, llamatest.ToolCall("look_up", `{"what": "tea", "deep": [1, 2.50]}`), llamatest.Tools()))
		req := short(func(r *model.Request) {
			r.Tools = []model.Tool{{Name: "look_up", Description: "Looks a thing up.", Input: []byte(`{"type":"object","properties":{"what":{"type":"string"},"deep":{"type":"array","items":{"type":"number"}}}}`)}}
		})
		prepare(t, m, req)
		rep, tr := ask(t, m, req)
		if tr.Outcome != record.Answered || rep.Finish != model.FinishTool || len(rep.Calls) != 1 || rep.Calls[0].Name != "look_up" || rep.Calls[0].ID == "" || !strings.Contains(rep.Calls[0].Arguments, `"tea"`) {
			t.Fatalf("%+v: %s", rep.Calls, rep.Exchange.ResponseBody)
		}
		t.Logf("call: %+v", rep.Calls[0])
		req.Messages = append(req.Messages, rep.Turn(), model.Message{Role: "tool", Text: "green", CallID: rep.Calls[0].ID, Tool: "look_up"})
		if _, tr := ask(t, m, req); tr.Outcome != record.Answered {
			t.Errorf("with the result: %s, %s", tr.Outcome, tr.Reason)
		}
		plain := s.open(t, s.create(t, "ok"))
		if _, err := plain.Prepare(t.Context(), req); err == nil || !strings.Contains(err.Error(), "cannot call tools") {
			t.Errorf("tools of a model without: %v", err)
		}
	})
	t.Run("a model that is not there", func(t *testing.T) {
		m := s.open(t, "scripted:nine")
		_, err := m.Call(t.Context(), short(nil))
		_, err2 := m.Prepare(t.Context(), short(nil))
		for _, err := range []error{err, err2} {
			if f := model.AsFault(err); err == nil || f.Kind != model.FaultNoModel || !strings.Contains(f.Msg, `"ollama pull scripted:nine" would get it`) {
				t.Errorf("got %v", err)
			}
			t.Log(err)
		}
		if _, err := s.open(t, "no such:name!").Call(t.Context(), short(nil)); err == nil || model.AsFault(err).Kind != model.FaultNoModel {
			t.Errorf("an impossible name: %v", err)
		}
	})
}

func count(p *int64) string {
	if p == nil {
		return "?"
	}
	return fmt.Sprint(*p)
}
