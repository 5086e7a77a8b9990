package doctor

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/assaybench/assay/model/modeltest"
)

// fakeOllama answers as an Ollama with many models, of which the second is loaded and the third runs elsewhere.
func fakeOllama(models int) http.HandlerFunc {
	digest := func(i int) string { return fmt.Sprintf("%064x", 0xabc000+i) }
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		switch r.Method + " " + r.URL.Path {
		case "GET /api/version":
			fmt.Fprint(w, `{"version":"0.31.7"}`)
		case "GET /api/tags":
			fmt.Fprint(w, `{"models":[`)
			for i := range models {
				if i > 0 {
					fmt.Fprint(w, ",")
				}
				remote := ""
				if i == 2 {
					remote = `,"remote_host":"https://ollama.com:443","remote_model":"big"`
				}
				fmt.Fprintf(w, `{"name":"model-%d:latest","model":"model-%d:latest","digest":"%s","size":%d%s}`, i, i, digest(i), 1_500_000_000+i, remote)
			}
			fmt.Fprint(w, `]}`)
		case "POST /api/show":
			fmt.Fprint(w, `{"details":{"family":"fake"},"model_info":{"general.architecture":"fake","fake.context_length":131072},"capabilities":["completion"]}`)
		case "GET /api/ps":
			fmt.Fprintf(w, `{"models":[{"name":"model-1:latest","model":"model-1:latest","digest":"%s","size":10,"size_vram":10,"context_length":8192}]}`, digest(1))
		default:
			http.NotFound(w, r)
		}
	}
}

func TestOllama(t *testing.T) {
	b := setup(t)
	address := b.serve(t, fakeOllama(40))
	b.env["OLLAMA_HOST"] = strings.TrimPrefix(address, "http://")
	r := b.look(t)
	s := at(t, r, "ollama", address)
	is(t, s.Finding, OK, "Ollama 0.31.7, 40 models", "")
	if s.AddressFrom != "OLLAMA_HOST" || s.Software != "Ollama" || s.Version != "0.31.7" || s.Total != 40 || len(s.Models) != 40 {
		t.Errorf("server %+v", s)
	}
	want := []Model{
		{Name: "model-0:latest", Digest: fmt.Sprintf("%064x", 0xabc000), Context: 131072, Bytes: 1_500_000_000},
		{Name: "model-1:latest", Digest: fmt.Sprintf("%064x", 0xabc001), Context: 131072, Loaded: 8192, Bytes: 1_500_000_001},
		{Name: "model-2:latest", Digest: fmt.Sprintf("%064x", 0xabc002), Context: 131072, Bytes: 1_500_000_002, Remote: "https://ollama.com:443 big"},
	}
	for i, w := range want {
		if s.Models[i] != w {
			t.Errorf("model %d is %+v, want %+v", i, s.Models[i], w)
		}
	}
	if m := s.Models[looked]; m.Context != 0 || m.Bytes == 0 {
		t.Errorf("a model that is not looked at is %+v", m)
	}
	for _, p := range r.Providers {
		if p.Name == "ollama" {
			is(t, p.Finding, OK, address+" (OLLAMA_HOST)", "")
		}
	}
}

func TestOllamaMissing(t *testing.T) {
	b := setup(t)
	r := b.look(t)
	is(t, at(t, r, "ollama", "http://127.0.0.1:1").Finding, Missing, "nothing listens there", "start it: ollama serve")
	for _, p := range r.Providers {
		if p.Name == "ollama" {
			is(t, p.Finding, Missing, "http://127.0.0.1:1 (OLLAMA_HOST): nothing listens there", "ollama serve")
		}
	}
	b = setup(t)
	address := b.serve(t, fakeOllama(0))
	b.env["OLLAMA_HOST"] = address
	is(t, at(t, b.look(t), "ollama", address).Finding, Missing, "Ollama 0.31.7, holds no model", "ollama pull NAME")
}

// TestOllamaOfTheSuite holds the reading against the mock that stands in for an Ollama everywhere else.
func TestOllamaOfTheSuite(t *testing.T) {
	b := setup(t)
	mock, err := modeltest.NewMock(modeltest.MockOptions{Wire: modeltest.WireOllama, Models: []string{"one", "two:7b"}, Server: modeltest.MockServer{Trained: 4096}})
	if err != nil {
		t.Fatal(err)
	}
	defer mock.Close()
	b.allow(t, mock.URL)
	b.Servers = []Named{{"ollama", mock.URL}}
	s := at(t, b.look(t), "ollama", mock.URL)
	if s.State != OK || s.AddressFrom != "--server" || len(s.Models) != 2 || s.Models[1].Name != "two:7b" || s.Models[0].Context != 4096 || len(s.Models[0].Digest) != 64 {
		t.Errorf("server %+v", s)
	}
}

const llamaProps = `{"build_info":"b7120-4fd1242b","total_slots":4,"model_path":"/m/x.gguf","chat_template":"t","default_generation_settings":{"n_ctx":16384}}`

func TestLlamaCPP(t *testing.T) {
	b := setup(t)
	var mu sync.Mutex
	var asked []string
	address := b.serve(t, func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		asked = append(asked, r.URL.RequestURI())
		mu.Unlock()
		w.Header().Set("Content-Type", "application/json")
		switch r.URL.Path {
		case "/v1/models":
			fmt.Fprint(w, `{"object":"list","data":[{"id":"qwen3-8b","owned_by":"llamacpp","meta":{"n_ctx":32768,"size":5000000000}}]}`)
		case "/props":
			fmt.Fprint(w, llamaProps)
		default:
			http.NotFound(w, r)
		}
	})
	b.Ports = []int{portOf(t, strings.TrimPrefix(address, "http://"))}
	s := at(t, b.look(t), "openai", address+"/v1")
	is(t, s.Finding, OK, "llama.cpp b7120-4fd1242b, 1 model", "")
	if s.AddressFrom != "--ports" || s.Software != "llama.cpp" || s.Version != "b7120-4fd1242b" {
		t.Errorf("server %+v", s)
	}
	if want := (Model{Name: "qwen3-8b", Context: 32768, Loaded: 16384, Bytes: 5_000_000_000}); len(s.Models) != 1 || s.Models[0] != want {
		t.Errorf("models %+v", s.Models)
	}
	for _, uri := range asked { // a server of several models would load the one that is named
		if strings.Contains(uri, "qwen3") {
			t.Errorf("%s names a model", uri)
		}
	}
}

func TestOthersWithTheProtocol(t *testing.T) {
	for name, tt := range map[string]struct {
		answers       map[string]string
		software, say string
	}{
		"vLLM": {map[string]string{"/v1/models": `{"data":[{"id":"m","owned_by":"vllm","max_model_len":40960}]}`, "/version": `{"version":"0.14.2"}`},
			"vLLM", "vLLM 0.14.2, 1 model"},
		"LM Studio": {map[string]string{"/v1/models": `{"data":[{"id":"m"},{"id":"n"}]}`,
			"/api/v0/models": `{"data":[{"id":"m","state":"loaded","max_context_length":9,"loaded_context_length":8}]}`}, "LM Studio", "LM Studio, 2 models"},
		"unknown": {map[string]string{"/v1/models": `{"data":[{"id":"m"}]}`}, "", "software not said, 1 model"},
		"empty":   {map[string]string{"/v1/models": `{"data":[]}`}, "", "holds no model"},
	} {
		t.Run(name, func(t *testing.T) {
			b := setup(t)
			address := b.serve(t, func(w http.ResponseWriter, r *http.Request) {
				body, ok := tt.answers[r.URL.Path]
				if !ok {
					http.NotFound(w, r)
					return
				}
				w.Header().Set("Content-Type", "application/json")
				fmt.Fprint(w, body)
			}) + "/v1"
			b.Servers = []Named{{"openai", address}}
			s := at(t, b.look(t), "openai", address)
			if s.Software != tt.software || !strings.Contains(s.Say, tt.say) || (s.State == OK) != (s.Total > 0) {
				t.Errorf("server %+v", s)
			}
		})
	}
}

// TestBadServers meets each kind of answer at an address that nobody named, and at one that the user named.
func TestBadServers(t *testing.T) {
	var touched atomic.Int64
	elsewhere := func(b *bundle) string {
		return b.serve(t, func(w http.ResponseWriter, _ *http.Request) {
			touched.Add(1)
			fmt.Fprint(w, `{"data":[]}`)
		})
	}
	tests := map[string]struct {
		answer                 func(b *bundle) http.HandlerFunc
		guessed, named         State
		guessedSays, namedSays string
	}{
		"a page": {func(*bundle) http.HandlerFunc {
			return func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "<html>\x1b[31mhello</html>") }
		}, Missing, Fault, "not as a model server does", "gives no list of models"},
		"another JSON": {func(*bundle) http.HandlerFunc {
			return func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, `{"status":"up"}`) }
		}, Missing, Fault, "not as a model server does", "gives no list of models"},
		"no such path": {func(*bundle) http.HandlerFunc { return http.NotFound }, Missing, Fault, "not as a model server does", "is not there"},
		"a redirect": {func(b *bundle) http.HandlerFunc {
			to := elsewhere(b)
			return func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, to, http.StatusFound) }
		}, Missing, Fault, "redirects", "redirects to http://127.0.0.1"},
		"a key is wanted": {func(*bundle) http.HandlerFunc {
			return func(w http.ResponseWriter, _ *http.Request) {
				http.Error(w, `{"error":"no \u001b[31m key"}`, http.StatusUnauthorized)
			}
		}, Missing, Missing, "wants a key", "wants a key"},
		"loading": {func(*bundle) http.HandlerFunc {
			return func(w http.ResponseWriter, _ *http.Request) {
				http.Error(w, `{"error":{"message":"Loading model"}}`, http.StatusServiceUnavailable)
			}
		}, Fault, Fault, "busy (Loading model)", "busy (Loading model)"},
		"broken inside": {func(*bundle) http.HandlerFunc {
			return func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "oops", 500) }
		}, Missing, Fault, "not as a model server does", "oops"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			b := setup(t)
			guess, named := b.serve(t, tt.answer(b)), b.serve(t, tt.answer(b))
			b.Ports, b.Servers = []int{portOf(t, strings.TrimPrefix(guess, "http://"))}, []Named{{"openai", named + "/v1"}}
			r := b.look(t)
			for _, c := range []struct {
				at    string
				state State
				say   string
			}{{guess, tt.guessed, tt.guessedSays}, {named, tt.named, tt.namedSays}} {
				s := at(t, r, "openai", c.at+"/v1")
				is(t, s.Finding, c.state, c.say, " ")
				if len(s.Models) != 0 {
					t.Errorf("it holds %+v", s.Models)
				}
			}
		})
	}
	if touched.Load() > 0 {
		t.Error("a redirect was followed")
	}
}

// raw is a server that writes something to whoever connects, again and again until it is left alone.
func raw(t *testing.T, b *bundle, head, again string) (address string, wrote *atomic.Int64) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	wrote = &atomic.Int64{}
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			wg.Go(func() {
				defer c.Close()
				c.SetReadDeadline(time.Now().Add(20 * time.Millisecond))
				io.Copy(io.Discard, c)
				c.SetDeadline(time.Now().Add(20 * time.Second))
				_, err := io.WriteString(c, head)
				for err == nil && again != "" {
					var n int
					n, err = io.WriteString(c, again)
					wrote.Add(int64(n))
				}
			})
		}
	})
	t.Cleanup(func() { l.Close(); wg.Wait() })
	address = "http://" + l.Addr().String()
	b.allow(t, address)
	return address, wrote
}

func TestHostileServers(t *testing.T) {
	json := "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
	filler := strings.Repeat(" ", 64<<10)
	for name, tt := range map[string]struct{ head, again, say string }{
		"no HTTP":              {"SSH-2.0-OpenSSH_9.9\r\n", "", "not HTTP as it should be"},
		"a hundred megabytes":  {json + "Content-Length: 104857600\r\n\r\n{\"data\":[", filler, "more than 8 MiB"},
		"a body without end":   {json + "\r\n{\"data\":[", filler, "more than 8 MiB"},
		"a head without end":   {"HTTP/1.1 200 OK\r\n", "X: " + filler + "\r\n", "headers exceeded"},
		"closed at once":       {"", "", "closed before the first byte"},
		"a length that is not": {json + "Content-Length: 100\r\n\r\n{\"data\":[", "", "broke off"},
	} {
		t.Run(name, func(t *testing.T) {
			b := setup(t)
			address, wrote := raw(t, b, tt.head, tt.again)
			b.Servers = []Named{{"openai", address + "/v1"}, {"ollama", address}}
			r := b.look(t)
			for provider, end := range map[string]string{"openai": "/v1", "ollama": ""} {
				if s := at(t, r, provider, address+end); s.State != Fault && s.State != Missing || !strings.Contains(s.Say, tt.say) {
					t.Errorf("%s: %q: %q", provider, s.State, s.Say)
				}
			}
			// Two servers were asked; what lies in the buffers between is written and never read.
			if n := wrote.Load(); n > 2*(answerMost+16<<20) {
				t.Errorf("%d MiB were taken", n>>20)
			}
		})
	}
}

func TestSilentServers(t *testing.T) {
	b := setup(t)
	b.Patience = 200 * time.Millisecond
	guess, named := silent(t, b), silent(t, b)
	slow := b.serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/v1/models" { // it gives its list, and never says what it is
			<-r.Context().Done()
			return
		}
		fmt.Fprint(w, `{"data":[{"id":"m"}]}`)
	})
	drip := b.serve(t, func(w http.ResponseWriter, r *http.Request) {
		for r.Context().Err() == nil {
			fmt.Fprint(w, " ")
			w.(http.Flusher).Flush()
			time.Sleep(10 * time.Millisecond)
		}
	})
	b.env["OLLAMA_HOST"] = named
	b.Ports = []int{portOf(t, strings.TrimPrefix(guess, "http://"))}
	b.Servers = []Named{{"openai", slow + "/v1"}, {"openai", drip + "/v1"}}
	begun := time.Now()
	r := b.look(t)
	// The patience is 0.2 s for a list and less for the rest, and all are asked at once.
	if took := time.Since(begun); took > 5*time.Second {
		t.Errorf("it took %v", took)
	}
	is(t, at(t, r, "openai", guess+"/v1").Finding, Fault, "gives no whole answer within 200ms", "--patience")
	is(t, at(t, r, "ollama", named).Finding, Fault, "gives no whole answer within 200ms", "--patience")
	is(t, at(t, r, "openai", drip+"/v1").Finding, Fault, "gives no whole answer within 200ms", "--patience")
	is(t, at(t, r, "openai", slow+"/v1").Finding, OK, "software not said, 1 model", "")
}

func TestLongAndUglyLists(t *testing.T) {
	b := setup(t)
	var list strings.Builder
	list.WriteString(`{"data":[{"id":"\u001b[2Jevil\u202e\nname ` + strings.Repeat("x", 5000) + `","digest":"\u001b]0;t\u0007"}`)
	for i := range 4999 {
		fmt.Fprintf(&list, `,{"id":"m%d"}`, i)
	}
	list.WriteString("]}")
	address := b.serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header()["Server"] = []string{"odd\u202eserver"}
		if r.URL.Path == "/v1/models" {
			fmt.Fprint(w, list.String())
			return
		}
		http.NotFound(w, r)
	}) + "/v1"
	b.Servers = []Named{{"openai", address}}
	s := at(t, b.look(t), "openai", address)
	if s.Total != 5000 || len(s.Models) != ListMost || s.Models[1].Name != "m0" {
		t.Errorf("%d of %d models, %+v", len(s.Models), s.Total, s.Models[:2])
	}
	for _, text := range []string{s.Models[0].Name, s.Models[0].Digest, s.Software, s.Say} {
		if strings.ContainsAny(text, "\x1b\n\u202e\a") || len(text) > 300 {
			t.Errorf("unfit for a terminal: %q", text)
		}
	}
	if !strings.HasPrefix(s.Models[0].Name, `\x1b[2Jevil\u202e name`) {
		t.Errorf("the name is %q", s.Models[0].Name)
	}
}
