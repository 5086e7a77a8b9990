package cli_test

import (
	"bytes"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/assaybench/assay/bench"
	"github.com/assaybench/assay/benches"
	"github.com/assaybench/assay/grade"
	"github.com/assaybench/assay/model/modeltest"
	"github.com/assaybench/assay/record"
)

// canary is a key that must be nowhere but in the header that carries it.
const canary = "sk-canary-5e2c9a71f0b84d36"

// keys sets a key for every provider.
func (r *rig) keys(key string) {
	for _, name := range []string{"OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY", "OLLAMA_API_KEY"} {
		r.env[name] = key
	}
}

// carries reports whether a request's header carries a key.
func carries(h http.Header, key string) bool {
	for _, values := range h {
		if slices.ContainsFunc(values, func(v string) bool { return strings.Contains(v, key) }) {
			return true
		}
	}
	return false
}

// noSecret looks for a key in everything that commands printed and everything that they left behind.
func (r *rig) noSecret(key string, printed ...ran) {
	r.Helper()
	printed = append(printed, r.want(0, "result", "latest"), r.want(0, "result", "latest", "--json"), r.want(0, "result", "latest", "--markdown"), r.want(0, "runs", "--json"),
		r.want(0, "result", "latest", "--item", r.result("latest").Items[0].Item, "--json"))
	for _, p := range printed {
		if strings.Contains(p.out+p.err, key) {
			r.Errorf("the key was printed: %s%s", p.err, p.out)
		}
	}
	err := filepath.WalkDir(r.dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		if bytes.Contains(b, []byte(key)) {
			r.Errorf("the key is in %s", path)
		}
		return err
	})
	if err != nil {
		r.Fatal(err)
	}
	// Bodies are compressed in the file.
	db, latest := r.latest()
	facts, err := db.Facts(r.Context(), latest, "")
	if err != nil {
		r.Fatal(err)
	}
	for i := range facts {
		b, err := facts[i].JSON()
		if err != nil || bytes.Contains(b, []byte(key)) {
			r.Errorf("the key is in a fact of the kind %s (%v)", facts[i].Kind, err)
		}
	}
	tries := 0
	for row, err := range db.Rows(r.Context(), latest, latest.Plan.Grader) {
		if err != nil {
			r.Fatal(err)
		}
		for try := range row.Try {
			tr, err := db.Transcript(r.Context(), latest, row.N, try+1)
			if err != nil {
				r.Fatal(err)
			}
			tries++
			if where := modeltest.FindSecret(key, tr); where != "" {
				r.Errorf("attempt %d, try %d: the key is in %s", row.N, try+1, where)
			}
		}
	}
	if tries == 0 && latest.Plan.Attempts > 0 && len(facts) == 0 {
		r.Error("nothing was on record that could have held the key")
	}
}

// TestChairTrialsOverEveryWire answers the shipped bench with its own reference answers over each protocol: all of it passes,
// each server is asked by the right name and with its key, and the key is nowhere else. Without ASSAY_SLOW=1 three of the
// protocols have a small bench instead.
func TestChairTrialsOverEveryWire(t *testing.T) {
	t.Parallel()
	answers := referenceAnswers(t)
	for _, w := range modeltest.Wires() {
		t.Run(w.String(), func(t *testing.T) {
			t.Parallel()
			r := newRig(t)
			r.keys(canary)
			r.write(benchOf{items: 4, repeats: 2, filler: 5000})
			whole := w == modeltest.WireChat || w == modeltest.WireOllama || os.Getenv("ASSAY_SLOW") == "1"
			unknown, keyless := safeBuffer{}, safeBuffer{}
			m, mock := r.mock(modeltest.MockOptions{Wire: w, Reply: func(q modeltest.MockRequest) modeltest.MockReply {
				if q.Model != "mock" {
					fmt.Fprintf(&unknown, "%q ", q.Model)
				}
				if !carries(q.Header, canary) {
					fmt.Fprintf(&keyless, "%s ", q.Path)
				}
				answer, ok := answers[q.User]
				if !ok { // it is made ready, or probed, or the small bench's
					answer = "ANSWER: 42"
				}
				return modeltest.MockReply{Content: answer, OutputTokens: 1 + len(answer)/4}
			}})
			var printed []ran
			attempts := int64(8)
			if whole {
				attempts = 40
				printed = append(printed, r.want(0, "run", "chair-trials", "--model", m, "--json"))
			} else {
				_, got := r.run(0, m)
				printed = append(printed, got)
			}
			res := r.result("latest")
			want := map[record.Basis]int{record.Exact: 4}
			if whole {
				want = map[record.Basis]int{record.Exact: 13, record.Proxy: 7}
			}
			for _, f := range res.Figures {
				if n := want[f.Basis]; f.Passed != n || f.Items != n || f.Model != m || !f.Complete {
					t.Errorf("%+v", f)
				}
			}
			if len(res.Figures) != len(want) || int64(res.Attempts.Answered) != attempts || res.Attempts.Retried != 0 {
				t.Errorf("%+v", res.Attempts.Counts)
			}
			if s := unknown.String() + keyless.String(); s != "" {
				t.Errorf("asked by another name, or without the key: %s", s)
			}
			if n := mock.Requests(); n < attempts+1 || n > attempts+4 { // a probe, and what makes it ready
				t.Errorf("%d calls for %d attempts", n, attempts)
			}
			server := res.Servers[0]
			answeredAs := "mock"
			if w == modeltest.WireChat { // many of these answer under a name of their own, whatever they are asked for
				answeredAs = "mock-1"
			}
			if server.Asked != "mock" || !slices.Contains(server.Names, answeredAs) || server.Start == nil || server.End == nil || server.Changed {
				t.Errorf("%+v", server)
			}
			if d := res.Attempts.Settings[0].Delivery; d.Undelivered != 0 || int64(d.Delivered+d.NotProvable) != attempts {
				t.Errorf("%+v", d)
			}
			shows := r.want(0, "result", "latest", "--item", res.Items[0].Item)
			if !strings.Contains(shows.out, "prompt ") || !strings.Contains(shows.out, "latency ") && !strings.Contains(shows.out, "generation ") {
				t.Errorf("no word of the delivery in %s", shows.out)
			}
			r.noSecret(canary, append(printed, shows)...)
		})
	}
}

// referenceAnswers are the reference answers of chair-trials by the prompts that ask for them.
func referenceAnswers(t *testing.T) map[string]string {
	t.Helper()
	fsys, _, ok := benches.Open("chair-trials")
	if !ok {
		t.Fatal("chair-trials does not ship")
	}
	b, err := bench.Load(fsys, "chair-trials")
	if err != nil {
		t.Fatal(err)
	}
	set, err := grade.Compile(b)
	if err != nil {
		t.Fatal(err)
	}
	answers := map[string]string{}
	for h := range set.Heads() {
		if !h.Frozen {
			continue
		}
		prompt, err := set.Prompt(h.ID)
		if err != nil {
			t.Fatal(err)
		}
		controls, err := set.Controls(h.ID)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range controls {
			if c.Accept {
				answers[prompt[len(prompt)-1].Text] = c.Answer
				break
			}
		}
	}
	if len(answers) != 20 {
		t.Fatalf("%d items have a reference answer", len(answers))
	}
	return answers
}

// deadPort is an address at which nothing listens. The system gives this port to nobody, while one that was free a moment ago
// may be another test's by now.
const deadPort = "127.0.0.1:1"

// TestWrongServersInOneLine: a dead port, a wrong key, a misspelt model and a wrong address are one line each, which says what
// to do, for every provider; nothing is printed as a result, and no key in what a server threw back.
func TestWrongServersInOneLine(t *testing.T) {
	t.Parallel()
	ends := map[modeltest.Wire]string{modeltest.WireChat: "/v1", modeltest.WireResponses: "/v1", modeltest.WireGemini: "/v1beta"}
	variable := map[modeltest.Wire]string{modeltest.WireChat: "OPENAI_API_KEY", modeltest.WireResponses: "OPENAI_API_KEY", modeltest.WireGemini: "GEMINI_API_KEY",
		modeltest.WireAnthropic: "ANTHROPIC_API_KEY", modeltest.WireOllama: "OLLAMA_API_KEY"}
	always := func(f modeltest.Fault) func(int64) modeltest.Fault { return func(int64) modeltest.Fault { return f } }
	for _, w := range modeltest.Wires() {
		t.Run(w.String(), func(t *testing.T) {
			t.Parallel()
			r := newRig(t)
			r.keys(canary)
			r.write(benchOf{items: 3})
			_, other := r.mock(modeltest.MockOptions{Wire: map[bool]modeltest.Wire{true: modeltest.WireGemini, false: modeltest.WireAnthropic}[w == modeltest.WireAnthropic]})
			root := strings.TrimSuffix(other.URL, "/v1beta")
			for _, c := range []struct {
				name  string
				model string // as it is given; with fault the mock's own
				fault modeltest.Fault
				code  int
				want  []string
			}{
				{name: "dead port", model: provider(w) + "/mock@http://" + deadPort + ends[w], code: 3, want: []string{"connection refused", "start it or give another @URL"}},
				{name: "wrong key", fault: "echo-key", code: 3, want: []string{"denied (HTTP 401)", "check ", variable[w]}},
				{name: "wrong key, thrown back escaped", fault: "echo-key-escaped", code: 3, want: []string{"denied (HTTP 403)", "check "}},
				{name: "unknown model", fault: "404-model", code: 3, want: []string{"no-model (HTTP 404)", `does not know the model "mock"`}},
				{name: "cannot pay", fault: "402", code: 3, want: []string{"the account cannot pay"}},
				{name: "redirect", fault: "echo-key-redirect", code: 3, want: []string{"the server redirects"}},
				{name: "no such path", fault: "404-path", code: 3, want: []string{"is not there", "is it the address of "}},
				{name: "another kind of server", model: provider(w) + "/mock@" + root + ends[w], code: 3, want: []string{"no-model (HTTP 404)", " is not there; is it the address of "}},
				{name: "an address without a scheme", model: provider(w) + "/mock@localhost:8080", code: 2, want: []string{"an address needs its scheme: " + provider(w) + "/mock@http://localhost:8080"}},
				{name: "a password in the address", model: provider(w) + "/mock@http://u:" + canary + "@127.0.0.1:1", code: 2, want: []string{"holds a user or a password"}},
				{name: "no name", model: provider(w) + "/@" + other.URL, code: 2, want: []string{"the model's name is missing"}},
			} {
				m := c.model
				if c.fault != "" {
					m, _ = r.mock(modeltest.MockOptions{Wire: w, Fault: always(c.fault)})
				}
				got := r.want(c.code, "run", "./bench", "--unproven", "--model", m, "--db", "wrong.db")
				for _, text := range c.want {
					if !strings.Contains(got.err, text) {
						t.Errorf("%s: no %q in %s", c.name, text, got.err)
					}
				}
				// What was planned may stand before it.
				lines := slices.DeleteFunc(strings.Split(strings.TrimSuffix(got.err, "\n"), "\n"), func(l string) bool {
					return strings.HasPrefix(l, "assay: run ") || strings.HasPrefix(l, "assay: resuming run ") || strings.HasSuffix(l, "can be told apart") || l == "assay: warning: the graders are not proven; the results will say so"
				})
				if len(lines) != 1 || got.out != "" && c.fault != "echo-key-redirect" {
					t.Errorf("%s: %d lines: %s%s", c.name, len(lines), got.err, got.out)
				}
				if strings.Contains(got.err+got.out, canary) {
					t.Errorf("%s: the key was printed: %s", c.name, got.err)
				}
			}
		})
	}
}

// TestNoKeyWhereOneIsNeeded: an official server is never called without its key, and the key never over an open network.
func TestNoKeyWhereOneIsNeeded(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.write(benchOf{items: 1})
	for m, want := range map[string]string{
		"openai/gpt":      "OPENAI_API_KEY is not set: set it",
		"responses/gpt":   "OPENAI_API_KEY is not set: set it",
		"anthropic/opus":  "ANTHROPIC_API_KEY is not set: set it",
		"gemini/pro":      "GEMINI_API_KEY or GOOGLE_API_KEY is not set: set it",
		"ollama/x@ftp://": "",
	} {
		if want == "" {
			continue
		}
		if got := r.want(2, "run", "./bench", "--unproven", "--model", m); !strings.Contains(got.err, want) || strings.Count(got.err, "\n") != 1 {
			t.Errorf("%s: %s", m, got.err)
		}
	}
	r.keys(canary)
	for _, m := range []string{"openai/x@http://models.example/v1", "ollama/x@http://models.example", "anthropic/x@http://models.example", "gemini/x@http://models.example/v1beta"} {
		got := r.want(2, "run", "./bench", "--unproven", "--model", m)
		if !strings.Contains(got.err, "would go over the network unencrypted to models.example") || strings.Contains(got.err, canary) {
			t.Errorf("%s: %s", m, got.err)
		}
	}
}

// TestKeysThrownBack: servers that put the key into replies and errors in the middle of a run do not get it into the record.
func TestKeysThrownBack(t *testing.T) {
	t.Parallel()
	for _, w := range modeltest.Wires() {
		t.Run(w.String(), func(t *testing.T) {
			t.Parallel()
			r := newRig(t)
			r.keys(canary)
			r.write(benchOf{items: 4})
			s := &script{says: func(item string, call int) modeltest.MockReply {
				switch {
				case item == itemName(0): // a reply that holds it is a reply; the key in it is not kept
					return modeltest.MockReply{Content: "My key is " + canary + ".\nANSWER: 42", Thinking: canary}
				case item == itemName(1) && call == 1:
					return modeltest.MockReply{Fault: "echo-key-redirect"}
				case item == itemName(2) && call == 1:
					return modeltest.MockReply{Fault: "echo-key"}
				}
				return right()
			}}
			m, _ := r.mock(modeltest.MockOptions{Wire: w, Reply: s.reply})
			stopped := r.want(3, "run", "./bench", "--unproven", "--json", "--model", m)
			if !strings.Contains(stopped.err, "denied (HTTP 401)") {
				t.Errorf("%s", stopped.err)
			}
			_, got := r.run(0, m)
			r.noSecret(canary, stopped, got)
		})
	}
}
