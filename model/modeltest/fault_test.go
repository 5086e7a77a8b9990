package modeltest

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/record"
)

const testKey = "sk-bare-0123456789/+SECRET"

// bareRequests are calls of each wire with one user message, "last"; Ollama's is the one without a stream.
var bareRequests = map[Wire]string{
	WireChat:      `{"model":"m","messages":[{"role":"user","content":"first"},{"role":"user","content":"last"}],"temperature":0}`,
	WireOllama:    `{"model":"m","stream":false,"messages":[{"role":"user","content":"last"}],"options":{"num_ctx":4096,"temperature":0}}`,
	WireAnthropic: `{"model":"m","max_tokens":100,"messages":[{"role":"user","content":"last"}],"temperature":0}`,
	WireGemini:    `{"contents":[{"role":"user","parts":[{"text":"last"}]}],"generationConfig":{"temperature":0}}`,
	WireResponses: `{"model":"m","input":[{"role":"user","content":"last"}],"temperature":0}`,
}

// answer is what a bare client got.
type answer struct {
	status int
	header http.Header
	body   []byte
	err    error // of sending or of reading
}

func (a answer) kind() string {
	t, _, _ := strings.Cut(a.header.Get("Content-Type"), ";")
	return t
}

// bare makes one call with an HTTP client that knows nothing of models, and does not follow redirects.
func bare(ctx context.Context, t testing.TB, m *Mock, body string) (a answer) {
	t.Helper()
	path := map[Wire]string{WireChat: "/chat/completions", WireOllama: "/api/chat", WireAnthropic: "/v1/messages", WireGemini: "/models/m:generateContent", WireResponses: "/responses"}[m.opts.Wire]
	req, err := http.NewRequestWithContext(ctx, "POST", m.URL+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+testKey)
	req.Header.Set("X-Api-Key", testKey)
	req.Header.Set("X-Goog-Api-Key", testKey)
	req.Header.Set("Anthropic-Version", "2023-06-01")
	tr := &http.Transport{DialContext: Dial, DisableCompression: true}
	defer tr.CloseIdleConnections()
	res, err := tr.RoundTrip(req)
	if err != nil {
		return answer{err: err}
	}
	defer res.Body.Close()
	a.status, a.header = res.StatusCode, res.Header
	a.body, a.err = io.ReadAll(io.LimitReader(res.Body, 100<<20))
	return a
}

// TestEveryFaultOfEveryWire drives every fault with a bare client and holds what arrives against what the fault says of
// itself: what should be whole is whole, and what should be broken cannot be read.
func TestEveryFaultOfEveryWire(t *testing.T) {
	for _, w := range Wires() {
		for _, f := range FaultsOf(w) {
			t.Run(w.String()+"/"+string(f), func(t *testing.T) {
				m := start(t, MockOptions{Wire: w, Fault: func(int64) Fault { return f }})
				outcome, kind := f.Expect()
				ctx, cancel := context.WithTimeout(t.Context(), map[bool]time.Duration{true: 200 * time.Millisecond, false: 20 * time.Second}[outcome == record.Timeout])
				defer cancel()
				a := bare(ctx, t, m, bareRequests[w])
				readable := a.err == nil && a.status == 200 && a.kind() == "application/json" && a.header.Get("Content-Encoding") == "" && readers[w](a.body) == nil
				if len(a.body) > 64<<20 {
					readable = false
				}
				switch {
				case readable != (kind == ""):
					t.Errorf("readable: %v, but it is to end in %s by %q: %d %v %.300s", readable, outcome, kind, a.status, a.err, a.body)
				case kind == model.FaultUnreachable && (a.err == nil || a.status != 0):
					t.Errorf("a response came: %d, %v", a.status, a.err)
				case kind == model.FaultCancelled && a.err == nil:
					t.Errorf("it came to an end: %d %.300s", a.status, a.body)
				}
				if count := forms()[w].count + "9"; kind == "" && strings.Contains(string(a.body), count) {
					t.Errorf("a count that says that the prompt was cut: %s", a.body)
				}
				declared := kind == model.FaultBusy || kind == model.FaultServer || kind == model.FaultDenied || kind == model.FaultNoModel || kind == model.FaultRejected || kind == model.FaultContext
				if declared && f != "cut-429" {
					if a.err != nil {
						t.Errorf("the body broke off: %v", a.err)
					}
					if a.kind() == "application/json" && len(a.body) > 0 && !jsontext.Value(a.body).IsValid() {
						t.Errorf("an error that is no JSON: %s", a.body)
					}
				}
				gives := strings.Contains(string(a.body)+a.header.Get("Location")+a.header.Get("X-Echo"), testKey)
				if gives != (strings.HasPrefix(string(f), "echo-key") && f != "echo-key-escaped") {
					t.Errorf("the key is given away: %v: %v %s", gives, a.header, a.body)
				}
				if m.Requests() != 1 {
					t.Errorf("%d requests counted", m.Requests())
				}
			})
		}
	}
}

// TestAnswersSurvive: a fault that leaves an answer leaves the mock's own, so that no right answer becomes a wrong one.
func TestAnswersSurvive(t *testing.T) {
	kept := 0
	for _, w := range Wires() {
		for _, f := range FaultsOf(w) {
			if outcome, _ := f.Expect(); outcome != record.Answered {
				continue
			}
			m := start(t, MockOptions{Wire: w, Answer: "ANSWER: 42", Fault: func(int64) Fault { return f }})
			a := bare(t.Context(), t, m, bareRequests[w])
			if strings.Contains(string(a.body), "ANSWER: 42") {
				kept++
			} else if strings.Contains(string(a.body), `"ok"`) {
				t.Errorf("%s %s: another answer: %s", w, f, a.body)
			}
		}
	}
	if kept < 20 {
		t.Errorf("only %d faults leave the answer", kept)
	}
}

// TestStreams drives Ollama's faults as streams.
func TestStreams(t *testing.T) {
	body := strings.Replace(bareRequests[WireOllama], `"stream":false,`, "", 1)
	for _, f := range FaultsOf(WireOllama) {
		outcome, kind := f.Expect()
		if f.Costly() || kind == model.FaultUnreachable {
			continue
		}
		t.Run(string(f), func(t *testing.T) {
			m := start(t, MockOptions{Wire: WireOllama, Fault: func(int64) Fault { return f }})
			a := bare(t.Context(), t, m, body)
			readable := a.err == nil && a.status == 200 && a.kind() == ollamaStream && a.header.Get("Content-Encoding") == "" && readers[WireOllama](a.body) == nil
			if readable != (kind == "") {
				t.Errorf("readable: %v, but it is to end in %s by %q: %d %s %v %.300s", readable, outcome, kind, a.status, a.kind(), a.err, a.body)
			}
			if f == "error-line" && (a.status != 200 || !strings.Contains(string(a.body), "\n{\"error\":")) {
				t.Errorf("the error does not come in mid-stream: %d %s", a.status, a.body)
			}
		})
	}
}

func TestFaultsMeanTheSameEverywhere(t *testing.T) {
	for _, w := range Wires() {
		if n := len(FaultsOf(w)); n < 40 {
			t.Errorf("%s has %d faults", w, n)
		}
		for f, b := range tables().of[w] {
			outcome, kind := f.Expect()
			if b.outcome != outcome || b.kind != kind || b.costly != f.Costly() || b.shows != f.Shows() {
				t.Errorf("%s on %s ends in %s by %q, elsewhere in %s by %q", f, w, b.outcome, b.kind, outcome, kind)
			}
			if !outcome.Valid() {
				t.Errorf("%s: outcome %q", f, outcome)
			}
			if outcome == record.Undelivered && f != "low-tokens" && f != "half-context" && f != "window" && kind != model.FaultContext {
				t.Errorf("%s: undelivered by %q", f, kind)
			}
			if kind != "" && outcome != record.Error && outcome != record.Timeout && outcome != record.Undelivered {
				t.Errorf("%s: a fault that ends in %s", f, outcome)
			}
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("a fault that no wire has was served")
		}
	}()
	m := start(t, MockOptions{})
	Fault("no such").serve(&call{m: m})
}

// TestLongRequest: under it a cut prompt is told from a whole one.
func TestLongRequest(t *testing.T) {
	req := LongRequest()
	whole, half := int64(plausible(31_000, asked{context: int64(req.Context), output: int64(req.MaxOutput)})), int64(req.Context/2+5)
	for n, want := range map[int64]record.Outcome{whole: record.Answered, half: record.Undelivered, 7: record.Undelivered} {
		tr := model.Transcribe(req, model.Reply{Finish: model.FinishStop, Answer: "ok", Usage: record.Usage{Prompt: &n}}, nil)
		if tr.Outcome != want {
			t.Errorf("%d tokens: %s (%s), want %s", n, tr.Outcome, tr.Reason, want)
		}
	}
	if whole+int64(req.MaxOutput) > int64(req.Context) {
		t.Errorf("%d tokens do not fit", whole)
	}
}
