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
			return prose(bytes)
		}
		return "say right " + item
	}
}

// answersProbes answers probes by answer, which gets the words, and everything else right. It keeps what was asked.
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

// counting answers as echo does, and counts more tokens than the probe's weight, in a context of so many.
func counting(more, context int64) func(req model.Request, words []string) (model.Reply, error) {
	return func(req model.Request, words []string) (model.Reply, error) {
		rep, err := echo(req, words)
		n := model.Weigh(req.Messages) + more
		rep.Usage.Prompt, rep.Prompt.Loaded = &n, context
		return rep, err
	}
}

// keeping is a server that cuts a prompt: a model remembers the words in what is left.
func keeping(cut func(text string) string) func(req model.Request, words []string) (model.Reply, error) {
	return func(req model.Request, _ []string) (model.Reply, error) {
		return echo(req, wordsOf(cut(req.Messages[0].Text)))
	}
}

func TestProbe(t *testing.T) {
	const size = 20_000
	text := probeText([]string{strings.Repeat("ba", 7), strings.Repeat("ba", 7), strings.Repeat("ba", 7)}, prose(size))
	weight := model.Weigh([]model.Message{{Text: text}})
	tests := []struct {
		name   string
		answer func(req model.Request, words []string) (model.Reply, error)
		state  string
		why    string
		note   string
		calls  int
	}{
		{"all words", echo, ProbeShown, "the words at its head, its middle and its tail came back", "", 1},
		{"all words in the thinking alone", func(req model.Request, w []string) (model.Reply, error) {
			rep := says(req, "")
			rep.Thinking, rep.Finish = "first "+w[0]+", then "+w[1]+" and "+w[2], model.FinishLength
			return rep, nil
		}, ProbeShown, "came back", "", 1},
		{"another order", func(req model.Request, w []string) (model.Reply, error) {
			return says(req, w[1]+" "+w[0]+" "+w[2]), nil
		},
			ProbeNotShown, "its words came back in another order", "", 1},
		{"the order of thinking and answer together", func(req model.Request, w []string) (model.Reply, error) {
			rep := says(req, w[0])
			rep.Thinking = w[1] + " " + w[2]
			return rep, nil
		}, ProbeNotShown, "its words came back in another order", "", 1},
		{"the middle is cut out", keeping(func(s string) string { return s[:len(s)/3] + s[len(s)*2/3:] }), ProbeNotShown, "the word at its middle did not come back", "", 1},
		{"the head is cut off", keeping(func(s string) string { return s[100:] }), ProbeNotShown, "the word at its head did not come back", "", 1},
		{"the first half is cut off", keeping(func(s string) string { return s[len(s)*2/3:] }), ProbeNotShown, "the words at its head and its middle did not come back", "", 1},
		{"the second half is cut off", keeping(func(s string) string { return s[:len(s)/3] }), ProbeNotShown, "the words at its middle and its tail did not come back", "", 1},
		{"no word", func(req model.Request, w []string) (model.Reply, error) { return says(req, "I remember nothing."), nil },
			ProbeNotShown, "none of its words came back (answered)", "", 1},
		{"wrong words", func(req model.Request, w []string) (model.Reply, error) {
			return says(req, w[0][1:]+" "+w[1][:13]+" "+w[2][:7]+"-"+w[2][7:]), nil
		}, ProbeNotShown, "none of its words came back (answered)", "", 1},
		{"too long", func(model.Request, []string) (model.Reply, error) { return model.Reply{}, fault(model.FaultContext) }, ProbeUndelivered, "made by the test",
			"did not go through: context: made by the test", 1},
		{"a count just high enough", counting(0, 0), ProbeShown, "came back", "", 1},
		{"a count in a larger context", counting(0, 10*weight), ProbeShown, "came back", "", 1},
		{"a count that is a little low", counting(-1, 0), ProbeNotShown, "its words came back, but the server counted " + fmt.Sprint(weight-1) + " prompt tokens, and such a text usually has " + fmt.Sprint(weight) + " at the least", "", 1},
		{"about half of the context", counting(20, 2*weight), ProbeNotShown, fmt.Sprintf("about half of its context of %d", 2*weight), "", 1},
		{"about half of the context, and too low", counting(-5, 2*weight-20), ProbeUndelivered, "about half of its context", "about half of its context", 1},
		{"no longer half of the context", counting(model.HalfContext+1, 2*weight), ProbeShown, "came back", "", 1},
		{"a count that is much too low", func(req model.Request, w []string) (model.Reply, error) {
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
			messages := (*probes)[0].Messages
			text := messages[0].Text
			if p.State != tt.state || !strings.Contains(p.Why, tt.why) || p.Longest != size || p.Item != itemID(1) || p.Bytes != len(text) || p.Identity.Digest != "a" ||
				p.Weight != model.Weigh(messages) || len(p.Words) != 3 || !slices.Equal(p.Words, wordsOf(text)) || len(p.Transcript.Calls) != tt.calls {
				t.Errorf("%+v", p)
			}
			if req := (*probes)[0]; len(messages) != 1 || len(text) < size || len(text) > size+800 || req.MaxOutput != probeOutput || req.Context != 4096 || req.Thinking != "off" || req.Key != (record.Key{}) || req.Probed != 0 {
				t.Errorf("%d bytes, %+v", len(text), req)
			}
			if req := (*probes)[tt.calls]; req.MaxOutput != 1000 || req.Thinking != "on" {
				t.Errorf("a posture that thinks: %+v", req)
			}
			for _, req := range *attempts {
				want := int64(0)
				if tt.state == ProbeShown {
					want = model.Weigh(messages)
					if req.Key.Posture == "thinking" {
						want = model.Weigh((*probes)[1].Messages)
					}
				}
				if req.Probed != want {
					t.Errorf("%+v: probed %d, want %d", req.Key, req.Probed, want)
				}
				if frozen := must(b.set.Prompt(req.Key.Item)); !slices.EqualFunc(req.Messages, frozen, func(a, b model.Message) bool { return a.Role == b.Role && a.Text == b.Text }) {
					t.Error("a frozen prompt was changed")
				}
			}
			if said := strings.Join(*lines, "\n"); tt.note == "" && strings.Contains(said, "warning") || !strings.Contains(said, tt.note) || strings.Count(said, "\n")+1 > 4 {
				t.Errorf("people are told %q", said)
			}
		})
	}
}

// TestProbeCountsWithoutAReplysContext: where the reply does not say how much is loaded, what the server said of itself stands.
func TestProbeCountsWithoutAReplysContext(t *testing.T) {
	words, n := []string{"one", "two", "three"}, int64(1010)
	p := Probe{Words: words, Weight: 1000, Transcript: record.Transcript{Outcome: record.Answered, Answer: "one two three", Usage: record.Usage{Prompt: &n}}}
	for context, want := range map[int64]string{0: ProbeShown, 2000: ProbeNotShown, 2022: ProbeNotShown, 2024: ProbeShown, 4000: ProbeShown} {
		p.Identity.Context = context
		if state, why := probeState(&p); state != want {
			t.Errorf("a context of %d: %s (%s), want %s", context, state, why, want)
		}
	}
}

// TestProbeIsOfTheHeaviestPrompt: a text of as many bytes that has more tokens is not proved by a probe of prose, and so the
// probe is of the text with the most.
func TestProbeIsOfTheHeaviestPrompt(t *testing.T) {
	const size = 20_000
	dense := hexadecimal(size)
	light := []model.Message{{Text: probeText([]string{"w1", "w2", "w3"}, prose(size+1000))}}
	heavy := []model.Message{{Text: dense}}
	if model.Weigh(heavy) <= model.Weigh(light) {
		t.Fatalf("prose weighs %d and hex %d", model.Weigh(light), model.Weigh(heavy))
	}
	many := int64(size)
	rep := model.Reply{Answer: "a", Finish: model.FinishStop, Usage: record.Usage{Prompt: &many}}
	if d := model.Transcribe(model.Request{Messages: heavy, Probed: model.Weigh(light)}, rep, nil).Delivery; d.State == model.Delivered {
		t.Errorf("a probe of prose proves hex: %+v", d)
	}
	if d := model.Transcribe(model.Request{Messages: []model.Message{{Text: prose(size)}}, Probed: model.Weigh(light)}, rep, nil).Delivery; d.State != model.Delivered || d.Proof != "probe" {
		t.Errorf("a probe of prose does not prove prose: %+v", d)
	}

	b := setup(t, 3)
	b.set.prompt = func(item string) string {
		return map[string]string{itemID(0): prose(size + 1000), itemID(1): dense, itemID(2): prose(50)}[item]
	}
	probes, attempts := b.answersProbes(echo)
	s, _ := b.mustRun()
	b.whole(s.Run)
	var p Probe
	facts := must(b.db.Facts(t.Context(), s.Run, store.FactProbe))
	if err := facts[0].Decode(&p); err != nil || len(facts) != 1 {
		t.Fatal(len(facts), err)
	}
	if p.State != ProbeShown || p.Item != itemID(1) || p.Longest != size || len(*probes) != 1 || !strings.Contains((*probes)[0].Messages[0].Text, dense[:size/2-8]) {
		t.Errorf("%+v, %d probes", p, len(*probes))
	}
	for _, req := range *attempts {
		if req.Probed < model.Weigh(req.Messages) {
			t.Errorf("%s weighs %d, and %d is shown", req.Key.Item, model.Weigh(req.Messages), req.Probed)
		}
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
		if n := prompts.Load() - before; i > 0 && n != 1 {
			t.Errorf("session %d: %d prompts were read, want the longest alone", i, n)
		}
	}
	if len(*probes) != 4 || (*probes)[0].Thinking != "off" {
		t.Errorf("%d probes, want 4", len(*probes))
	}
	s, _ := b.mustRun()
	b.whole(s.Run)
	for _, req := range *attempts {
		if want := map[model.Thinking]int64{"off": model.Weigh((*probes)[0].Messages), "on": 0}[req.Thinking]; req.Probed != want {
			t.Errorf("%+v: probed %d, want %d", req.Key, req.Probed, want)
		}
	}
}

// TestOlderProbesAreNotReused: a probe of two words saw no cut in the middle, and chose its prompt by bytes.
func TestOlderProbesAreNotReused(t *testing.T) {
	b := setup(t, 3)
	b.long(5000)
	b.model.id = record.Identity{Digest: "a"}
	b.spec.NoProbe = true
	s, err := b.eng.Start(t.Context(), b.spec)
	if err != nil {
		t.Fatal(err)
	}
	old := map[string]any{"state": ProbeShown, "why": "both", "longest": 5000, "item": itemID(2), "bytes": 5000, "words": []string{"bababa", "dadada"}, "identity": b.model.id}
	if err := b.db.AddFacts(t.Context(), s.Run, must(store.NewFact(store.FactProbe, 0, 0, b.eng.Now(), old))); err != nil {
		t.Fatal(err)
	}
	s.Close()
	b.spec.NoProbe = false
	probes, attempts := b.answersProbes(echo)
	s, _ = b.mustRun()
	b.whole(s.Run)
	if len(*probes) != 1 || s.shown[0]["plain"] != model.Weigh((*probes)[0].Messages) || !strings.Contains((*probes)[0].Messages[0].Text, prose(2000)) {
		t.Fatalf("%d probes, %v shown", len(*probes), s.shown)
	}
	for _, req := range *attempts {
		if req.Probed != s.shown[0]["plain"] {
			t.Errorf("%+v: probed %d", req.Key, req.Probed)
		}
	}
}

// TestProbeOfAnotherModelIsNotReused: the model behind the name is another one.
func TestProbeOfAnotherModelIsNotReused(t *testing.T) {
	b := setup(t, 3)
	b.long(5000)
	b.model.id = record.Identity{Digest: "a"}
	probes, _ := b.answersProbes(echo)
	s, err := b.eng.Start(t.Context(), b.spec)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	first := s.shown[0]["plain"]
	s.shown, s.start[0].Digest = nil, "b"
	if err := s.probe(t.Context()); err != nil || len(*probes) != 2 || s.shown[0]["plain"] == 0 {
		t.Errorf("%v, %d probes, %v shown", err, len(*probes), s.shown)
	}
	s.shown, s.start[0].Digest = nil, "b"
	if err := s.probe(t.Context()); err != nil || len(*probes) != 2 || s.shown[0]["plain"] == 0 || first == 0 {
		t.Errorf("%v, %d probes, %v shown", err, len(*probes), s.shown)
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
