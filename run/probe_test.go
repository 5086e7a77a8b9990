package run

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/store"
)

// long gives the bench's second item a prompt of so many bytes.
func (b *bundle) long(bytes int) {
	b.set.prompt = func(item string) string {
		if item == itemID(1) {
			return strings.Repeat("x", bytes)
		}
		return "say right " + item
	}
}

// probed answers probes by answer, which gets the words, and everything else right. It keeps what was asked.
func (b *bundle) answersProbes(answer func(req model.Request, words []string) (model.Reply, error)) (probes, attempts *[]model.Request) {
	var mu sync.Mutex
	probes, attempts = new([]model.Request), new([]model.Request)
	b.model.reply = func(_ context.Context, req model.Request) (model.Reply, error) {
		mu.Lock()
		defer mu.Unlock()
		if req.Key.Item != "" {
			*attempts = append(*attempts, req)
			return right(req), nil
		}
		*probes = append(*probes, req)
		return answer(req, wordsOf(req.Messages[0].Text))
	}
	return probes, attempts
}

func wordsOf(text string) (words []string) {
	for line := range strings.Lines(text) {
		if _, w, ok := strings.Cut(line, "word to remember is: "); ok {
			words = append(words, strings.TrimSpace(w))
		}
	}
	return words
}

func echo(req model.Request, words []string) (model.Reply, error) {
	return says(req, "**"+strings.ToUpper(strings.Join(words, " "))+"**"), nil
}

func TestProbe(t *testing.T) {
	const size = 20_000
	tests := []struct {
		name   string
		answer func(req model.Request, words []string) (model.Reply, error)
		state  string
		why    string
		note   string
		calls  int
	}{
		{"both words", echo, ProbeShown, "both", "", 1},
		{"both words in the thinking alone", func(req model.Request, w []string) (model.Reply, error) {
			rep := says(req, "")
			rep.Thinking, rep.Finish = "first "+w[0]+", then "+w[1], model.FinishLength
			return rep, nil
		}, ProbeShown, "both", "", 1},
		{"the tail alone", func(req model.Request, w []string) (model.Reply, error) { return says(req, w[1]), nil }, ProbeNotShown, "the word at its head did not come back", "", 1},
		{"the head alone", func(req model.Request, w []string) (model.Reply, error) { return says(req, w[0]), nil }, ProbeNotShown, "the word at its tail did not come back", "", 1},
		{"neither", func(req model.Request, w []string) (model.Reply, error) { return says(req, "I remember nothing."), nil }, ProbeNotShown, "neither word came back (answered)", "", 1},
		{"too long", func(model.Request, []string) (model.Reply, error) { return model.Reply{}, fault(model.FaultContext) }, ProbeUndelivered, "made by the test",
			"did not go through: context: made by the test", 1},
		{"both words, and a count that is too low", func(req model.Request, w []string) (model.Reply, error) {
			rep, _ := echo(req, w)
			n := int64(70)
			rep.Usage.Prompt = &n
			return rep, nil
		}, ProbeUndelivered, "70 prompt tokens", "70 prompt tokens", 1},
		{"a server that breaks", func(model.Request, []string) (model.Reply, error) { return model.Reply{}, fault(model.FaultServer) }, ProbeFailed, "made by the test", "made by the test", 3},
		{"a panic", func(model.Request, []string) (model.Reply, error) { panic("oh no") }, ProbeFailed, "panic in its provider: oh no", "panic in its provider", 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := setup(t, 3)
			b.model.id = record.Identity{Digest: "a"}
			b.spec.Models = []Entrant{{b.model, "deep"}}
			b.long(size)
			lines := b.noted()
			probes, attempts := b.answersProbes(tt.answer)
			s, sum := b.mustRun()
			if sum.Done != 12 {
				t.Fatalf("%+v", sum)
			}
			facts := must(b.db.Facts(t.Context(), s.Run, store.FactProbe))
			if len(facts) != 2 || facts[0].Posture != 0 || facts[1].Posture != 1 || facts[1].Model != 0 || len(*probes) != 2*tt.calls {
				t.Fatalf("%d facts, %d probes", len(facts), len(*probes))
			}
			var p Probe
			if err := facts[0].Decode(&p); err != nil {
				t.Fatal(err)
			}
			text := (*probes)[0].Messages[0].Text
			if p.State != tt.state || !strings.Contains(p.Why, tt.why) || p.Longest != size || p.Item != itemID(1) || p.Bytes != len(text) || p.Identity.Digest != "a" ||
				!slices.Equal(p.Words, wordsOf(text)) || len(p.Transcript.Calls) != tt.calls {
				t.Errorf("%+v", p)
			}
			if req := (*probes)[0]; len(text) < size || len(text) > size+200 || req.MaxOutput != probeOutput || req.Context != 4096 || req.Thinking != "off" || req.Key != (record.Key{}) || req.Probed != 0 {
				t.Errorf("%d bytes, %+v", len(text), req)
			}
			if req := (*probes)[tt.calls]; req.MaxOutput != 1000 || req.Thinking != "on" {
				t.Errorf("a posture that thinks: %+v", req)
			}
			for _, req := range *attempts {
				want := 0
				if tt.state == ProbeShown {
					want = len(text)
					if req.Key.Posture == "thinking" {
						want = len((*probes)[1].Messages[0].Text)
					}
				}
				if req.Probed != want {
					t.Errorf("%+v: probed %d, want %d", req.Key, req.Probed, want)
				}
				if strings.Contains(req.Messages[0].Text, "remember") {
					t.Error("a frozen prompt was changed")
				}
			}
			if said := strings.Join(*lines, "\n"); tt.note == "" && strings.Contains(said, "warning") || !strings.Contains(said, tt.note) || strings.Count(said, "\n")+1 > 4 {
				t.Errorf("people are told %q", said)
			}
		})
	}
}

func TestProbeStopsAtATerminalFault(t *testing.T) {
	b := setup(t, 3)
	b.long(5000)
	b.answersProbes(func(model.Request, []string) (model.Reply, error) { return model.Reply{}, fault(model.FaultDenied) })
	_, err := b.eng.Start(t.Context(), b.spec)
	if me, ok := errors.AsType[*ModelError](err); !ok || me.Model != "fake/m" || err.Error() != "model fake/m: posture plain: denied: made by the test" {
		t.Errorf("%v", err)
	}
	probes, _ := b.answersProbes(echo)
	s, _ := b.mustRun() // the same command goes on, and asks again
	b.whole(s.Run)
	if len(*probes) != 1 {
		t.Errorf("%d probes", len(*probes))
	}
}

func (b *bundle) whole(r *store.Run) {
	b.Helper()
	if t := must(b.db.Tally(b.Context(), r, r.Plan.Grader)); t.Done() != t.Planned() || t.Planned() == 0 {
		b.Errorf("%+v", t)
	}
}

// TestProbeOnceARun: what an earlier session showed of the same model is not asked again; what it did not show is.
func TestProbeOnceARun(t *testing.T) {
	b := setup(t, 3)
	b.long(5000)
	b.model.id = record.Identity{Digest: "a"}
	b.spec.Postures = []string{"plain", "thinking"}
	var prompts atomic.Int64
	long := b.set.prompt
	b.set.prompt = func(item string) string { prompts.Add(1); return long(item) }
	probes, attempts := b.answersProbes(func(req model.Request, w []string) (model.Reply, error) {
		if req.Thinking == "on" {
			return says(req, "no"), nil
		}
		return echo(req, w)
	})
	for i := range 3 {
		before := prompts.Load()
		s, err := b.eng.Start(t.Context(), b.spec)
		if err != nil {
			t.Fatal(err)
		}
		s.Close()
		if n := prompts.Load() - before; i > 0 && n != 0 {
			t.Errorf("session %d: %d prompts were read again to find the longest", i, n)
		}
	}
	if len(*probes) != 4 || (*probes)[0].Thinking != "off" {
		t.Errorf("%d probes, want 4", len(*probes))
	}
	s, _ := b.mustRun()
	b.whole(s.Run)
	for _, req := range *attempts {
		if want := map[model.Thinking]int{"off": len((*probes)[0].Messages[0].Text), "on": 0}[req.Thinking]; req.Probed != want {
			t.Errorf("%+v: probed %d, want %d", req.Key, req.Probed, want)
		}
	}
}

func TestWhoIsProbed(t *testing.T) {
	tests := []struct {
		name  string
		bytes int
		set   func(b *bundle)
		want  string // states of the facts
		calls int
	}{
		{"a long prompt", longPrompt, func(*bundle) {}, ProbeShown, 1},
		{"no long prompt", longPrompt - 1, func(*bundle) {}, ProbeUnneeded, 0},
		{"by request", longPrompt, func(b *bundle) { b.spec.NoProbe = true }, ProbeSkipped, 0},
		{"a long prompt that was not chosen", longPrompt, func(b *bundle) { b.spec.Only = []string{itemID(0)} }, ProbeUnneeded, 0},
		{"a long prompt of another shard", longPrompt, func(b *bundle) { b.spec.Shard = store.Shard{I: 1, Of: 2} }, ProbeUnneeded, 0},
		{"a long prompt of this shard", longPrompt, func(b *bundle) { b.spec.Shard = store.Shard{I: 2, Of: 2} }, ProbeShown, 1},
		{"a draft", longPrompt, func(b *bundle) { b.set.draft = itemID(1) }, ProbeUnneeded, 0},
		{"a program", longPrompt, func(b *bundle) { b.model.name = "command/cat" }, "", 0},
		{"a replay", longPrompt, func(b *bundle) { b.model.name = "replay/x" }, "", 0},
		{"a control", longPrompt, func(b *bundle) { b.spec.Models = []Entrant{{controlled{b.model}, "m"}} }, "", 0},
		{"no server", longPrompt, func(b *bundle) { b.spec.Models = []Entrant{{struct{ model.Model }{b.model}, "m"}} }, "", 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := setup(t, 3)
			b.long(tt.bytes)
			tt.set(b)
			probes, _ := b.answersProbes(echo)
			for range 2 { // the second session has nothing to ask
				s, err := b.eng.Start(t.Context(), b.spec)
				if err != nil {
					t.Fatal(err)
				}
				s.Close()
				facts := must(b.db.Facts(t.Context(), s.Run, store.FactProbe))
				var states []string
				for i := range facts {
					var p Probe
					if err := facts[i].Decode(&p); err != nil {
						t.Fatal(err)
					}
					if !slices.Contains(states, p.State) {
						states = append(states, p.State)
					}
				}
				if got := fmt.Sprint(states); got != fmt.Sprint(strings.Fields(tt.want)) || len(*probes) != tt.calls {
					t.Errorf("%s, %d calls", got, len(*probes))
				}
			}
		})
	}
}

type controlled struct{ *fakeModel }

func (controlled) Control() bool { return true }

// TestProbePrompt: about as long as asked, the same but for its words, which stand once each, and no sentence for a server's
// guard against repetition to stumble over.
func TestProbePrompt(t *testing.T) {
	for _, size := range []int{1, longPrompt, 100_000} {
		p := probePrompt("zzzhead", "zzztail", size)
		if q := strings.NewReplacer("aaahead", "zzzhead", "aaatail", "zzztail").Replace(probePrompt("aaahead", "aaatail", size)); q != p {
			t.Error("it is not the same text")
		}
		if size >= longPrompt && (len(p) < size || len(p) > size+200) {
			t.Errorf("%d bytes, want %d", len(p), size)
		}
		if strings.Count(p, "zzzhead") != 1 || strings.Count(p, "zzztail") != 1 || strings.Index(p, "zzzhead") > 100 || strings.ContainsAny(p, "0123456789") {
			t.Errorf("%.300s", p)
		}
		seen := map[string]bool{}
		for _, s := range strings.SplitAfter(strings.ReplaceAll(p, "\n\n", " "), ". ") {
			if seen[s] {
				t.Errorf("%q stands twice", s)
			}
			seen[s] = true
		}
	}
	words, all := map[string]bool{}, probePrompt("", "", 700_000)
	for i := range uint64(1000) {
		w := probeWord(i * 0x9e3779b97f4a7c15)
		if len(w) != 14 || i < 20 && strings.Contains(all, w) {
			t.Errorf("%q", w)
		}
		words[w] = true
	}
	if len(words) < 999 {
		t.Errorf("%d words of 1000", len(words))
	}
}
