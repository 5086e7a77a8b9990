package cli_test

import (
	"strings"
	"testing"
	"time"

	"github.com/assaybench/assay/internal/llamatest"
	"github.com/assaybench/assay/model/modeltest"
	"github.com/assaybench/assay/record"
)

// TestModelPulledAnew: the model behind a tag changes while a run is made. The run stops and says so, what was answered since
// it was last known to be the old one counts as missing, the new model does not take the run over, and with the old one back
// the same command makes those attempts again.
func TestModelPulledAnew(t *testing.T) {
	t.Parallel()
	const items, turn = 16, 8
	for fault, want := range map[modeltest.Fault]string{"digest-changed": "model digest: ", "version-changed": "server version: ollama 0.32.15 -> ollama 0.99.0"} {
		for name, every := range map[string]time.Duration{"found while it runs": 15 * time.Millisecond, "found at its end": -1} {
			if fault == "version-changed" && every > 0 {
				continue // the same way
			}
			t.Run(string(fault)+" "+name, func(t *testing.T) {
				t.Parallel()
				r := newRig(t)
				r.pace.CheckEvery = every
				r.write(benchOf{items: items})
				s := &script{says: func(item string, call int) modeltest.MockReply {
					reply := right()
					reply.Delay = 10 * time.Millisecond
					if item == itemName(turn) && call == 1 {
						reply.Fault = fault
					}
					return reply
				}}
				m, mock := r.mock(modeltest.MockOptions{Wire: modeltest.WireOllama, Reply: s.reply})
				got := r.want(3, "run", "./bench", "--unproven", "--model", m)
				if got.out != "" || !strings.Contains(got.err, "changed while it was made (then -> now): "+m+": "+want) ||
					!strings.Contains(got.err, "with the model as it was, the same command makes them again, and --new starts another run") {
					t.Errorf("%s%s", got.err, got.out)
				}
				res := r.result("latest")
				if len(res.Servers[0].Invalid) != 1 || !res.Servers[0].Changed || !noted(res, "incomplete: ") || !noted(res, "changed during the run: "+m+": "+want) {
					t.Errorf("%+v, %q", res.Servers[0], res.Notes)
				}
				invalid := res.Servers[0].Invalid[0].Attempts
				a := res.Attempts.Counts
				if invalid < 1 || a.Error != invalid || a.Answered+a.Error+a.Missing != items || every < 0 && invalid != items || every > 0 && (invalid == items || a.Missing == 0) {
					t.Errorf("%d attempts are invalid, %+v", invalid, a)
				}
				for i := range items {
					if l := letters(res, itemName(i)); l != "." && l != "E" && l != "-" || i == turn && l != "E" {
						t.Errorf("%s has the letter %s", itemName(i), l)
					}
				}
				first := s.of(itemName(0))
				// The new model: refused, with nothing asked of it, or a run of its own.
				calls := len(s.requests(true))
				if got := r.want(2, "run", "./bench", "--unproven", "--model", m); !strings.Contains(got.err, "cannot be resumed") || !strings.Contains(got.err, want) || len(s.requests(true)) != calls {
					t.Errorf("%d calls, %s", len(s.requests(true))-calls, got.err)
				}
				// The old one comes back at the same address.
				addr := strings.TrimPrefix(mock.URL, "http://")
				if err := mock.Close(); err != nil {
					t.Fatal(err)
				}
				_, _ = r.mock(modeltest.MockOptions{Wire: modeltest.WireOllama, Reply: s.reply, Addr: addr})
				final, _ := r.run(0, m)
				if final.Run != res.Run || final.Figures[0].Passed != items || final.Attempts.Settings[0].Retries.Invalid != invalid {
					t.Errorf("%+v, %+v", final.Figures[0], final.Attempts.Settings[0].Retries)
				}
				again := s.of(itemName(0)) - first
				if want := 0; every < 0 {
					want = 1
					if again != want {
						t.Errorf("the first attempt was made %d times again, want %d", again, want)
					}
				} else if again != want {
					t.Errorf("the first attempt, which was good, was made again")
				}
				if n := s.of(itemName(turn)); n != 2 {
					t.Errorf("the invalid attempt was made %d times, want twice", n)
				}
			})
		}
	}
}

// TestRemoteModelBehindALocalName: a model that another machine serves is never measured under a local one's name.
func TestRemoteModelBehindALocalName(t *testing.T) {
	t.Parallel()
	t.Run("known before", func(t *testing.T) {
		r := newRig(t)
		r.write(benchOf{items: 3})
		s := &script{}
		m, _ := r.mock(modeltest.MockOptions{Wire: modeltest.WireOllama, Reply: s.reply, Server: modeltest.MockServer{Remote: "https://elsewhere.example"}})
		got := r.want(3, "run", "./bench", "--unproven", "--model", m)
		if got.out != "" || !strings.Contains(got.err, "elsewhere.example") {
			t.Errorf("%s%s", got.err, got.out)
		}
		if n := len(s.requests(false)); n > 1 {
			t.Errorf("%d attempts were made", n)
		}
		if res := r.want(0, "runs"); strings.Contains(res.out, "3 of 3") {
			t.Errorf("%s", res.out)
		}
	})
	t.Run("in the middle", func(t *testing.T) {
		r := newRig(t)
		r.write(benchOf{items: 5})
		s := &script{says: func(item string, _ int) modeltest.MockReply {
			reply := right()
			if item == itemName(2) {
				reply.Fault = "remote"
			}
			return reply
		}}
		m, _ := r.mock(modeltest.MockOptions{Wire: modeltest.WireOllama, Reply: s.reply})
		got := r.want(3, "run", "./bench", "--unproven", "--model", m)
		if got.out != "" || !strings.Contains(got.err, "its server handed the call on to another machine (https://ollama.com:443") {
			t.Errorf("%s%s", got.err, got.out)
		}
		res := r.result("latest")
		if res.Attempts.Answered != 2 || res.Attempts.Error != 1 || res.Attempts.Missing != 2 || letters(res, itemName(2)) != "E" {
			t.Errorf("%+v", res.Attempts.Counts)
		}
	})
}

// TestRealOllama runs over Ollama's own interface before a real llama.cpp: its counts, its refusal of what does not fit, and
// a tag that another model takes over.
func TestRealOllama(t *testing.T) {
	server := llamatest.StartModels(t, map[string]llamatest.Model{"right": {Reply: "ANSWER: 42"}}, llamatest.ContextSize(4096))
	r := newRig(t)
	r.write(benchOf{items: 3, repeats: 2, context: 4096, filler: 2500, protocol: "  seed: 7\n"})
	m := "ollama/right@" + server.OllamaURL()
	res, got := r.run(0, m)
	f, set, who := res.Figures[0], res.Attempts.Settings[0], res.Servers[0]
	if f.Passed != 3 || f.Identical.Same != 3 || set.Delivery.Delivered != 6 || set.Ready == nil || set.Ready.Context != 4096 || len(who.Start.Digest) != 64 || who.Changed {
		t.Errorf("%+v\n%+v\n%+v\n%s", f, set, who, got.err)
	}
	for _, a := range r.item(itemName(0)) {
		if a.Delivery.State != "delivered" || *a.Usage.Prompt < 300 || a.Delivery.Loaded != 4096 || a.Timing.Output == 0 {
			t.Errorf("%+v", a)
		}
	}
	// A prompt that does not fit is refused by the engine, and is nobody's answer.
	r.write(benchOf{items: 1, context: 4096, filler: 60_000})
	res, _ = r.run(3, m, "--new", "--no-probe")
	if res.Attempts.Undelivered != 1 || letters(res, itemName(0)) != "D" {
		t.Errorf("%+v", res.Attempts.Counts)
	}
	// A context that the model is not loaded with.
	r.write(benchOf{items: 1, context: 65_536})
	if got := r.want(2, "run", "./bench", "--unproven", "--model", m, "--new"); !strings.Contains(got.err, "and the protocol needs 65536") {
		t.Errorf("%s", got.err)
	}
	// The tag is pulled again, and is another model under the same name.
	r.write(benchOf{items: 2, context: 4096})
	r.run(0, m, "--new")
	server.Set(t, "right", llamatest.Model{Reply: "ANSWER: 41"})
	r.run(0, m) // finished: nobody is asked
	if res, _ := r.run(0, m, "--new"); res.Figures[0].Passed != 0 || res.Servers[0].Start.Digest == who.Start.Digest || letters(res, itemName(0)) != string(record.LetterWrong) {
		t.Errorf("%+v", res.Figures[0])
	}
	if got := r.want(3, "run", "./bench", "--unproven", "--model", "ollama/wrogn@"+server.OllamaURL()); !strings.Contains(got.err, `"ollama pull wrogn" would get it, if there is such a model; it holds right`) {
		t.Errorf("%s", got.err)
	}
}
