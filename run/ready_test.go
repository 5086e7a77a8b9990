package run

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/assaybench/assay/bench"
	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/store"
)

// preparer is a fakeModel that can be made ready.
type preparer struct {
	*fakeModel
	mu      sync.Mutex
	asked   []model.Request
	prepare func(ctx context.Context, req model.Request) (model.Readiness, error)
}

func (p *preparer) Prepare(ctx context.Context, req model.Request) (model.Readiness, error) {
	p.mu.Lock()
	p.asked = append(p.asked, req)
	p.mu.Unlock()
	if p.prepare == nil {
		return model.Readiness{}, nil
	}
	return p.prepare(ctx, req)
}

func (b *bundle) preparer() *preparer {
	p := &preparer{fakeModel: b.model}
	b.spec.Models = []Entrant{{p, "deep"}}
	return p
}

// noted collects what people are told.
func (b *bundle) noted() *[]string {
	var lines []string
	b.eng.Note = func(s string) { lines = append(lines, s) }
	return &lines
}

func TestModelsAreMadeReady(t *testing.T) {
	b := setup(t, 1)
	p := b.preparer()
	lines := b.noted()
	loaded := false
	b.model.who = func(int64) (record.Identity, error) {
		if !loaded {
			return record.Identity{Digest: "a", Context: 2048, Details: map[string]string{"loaded": "no"}}, nil // of somebody else's loading
		}
		return record.Identity{Digest: "a", Context: 8192, Details: map[string]string{"loaded": "yes"}}, nil
	}
	want := model.Readiness{Context: 8192, Load: 5, Settings: []record.Setting{{Name: "seed", Asked: "7", State: record.SettingAsked}, {Name: "temperature", Asked: "0", State: record.SettingNotAccepted, Why: "fixed\nby the server"}},
		Calls: []record.Exchange{{Endpoint: "POST x", RequestBody: []byte("body"), ResponseBody: []byte{}}}}
	busy := 0
	p.prepare = func(ctx context.Context, req model.Request) (model.Readiness, error) {
		if busy++; busy < 5 {
			return model.Readiness{}, fault(model.FaultBusy)
		}
		if d, ok := ctx.Deadline(); !ok || time.Until(d) < prepareTimeout-time.Minute {
			t.Errorf("the time limit is %v", time.Until(d))
		}
		loaded = true
		return want, nil
	}
	s, _ := b.mustRun()
	temperature := 0.0
	short := []model.Message{{Role: "user", Text: readyPrompt}}
	asked := []model.Request{
		{Messages: short, Temperature: &temperature, MaxOutput: 100, Context: 4096, Thinking: "off"},
		{Messages: short, Temperature: &temperature, MaxOutput: 1000, Context: 4096, Thinking: "on"},
	}
	if d := cmp.Diff(asked, p.asked[len(p.asked)-2:]); d != "" || len(p.asked) != 6 {
		t.Errorf("asked %d times\n%s", len(p.asked), d)
	}
	facts := must(b.db.Facts(t.Context(), s.Run, store.FactReady))
	if len(facts) != 2 || facts[0].Model != 0 || facts[0].Posture != 0 || facts[1].Posture != 1 {
		t.Fatalf("%+v", facts)
	}
	var got model.Readiness
	if err := facts[1].Decode(&got); err != nil || cmp.Diff(want, got) != "" {
		t.Errorf("%v\n%s", err, cmp.Diff(want, got))
	}
	ids := must(b.db.Identities(t.Context(), s.Run))
	if len(ids) != 2 || ids[0].Phase != "start" || ids[0].Context != 8192 || ids[0].Details["loaded"] != "yes" {
		t.Errorf("what counts is what is loaded: %+v", ids)
	}
	if len(*lines) != 2 || (*lines)[0] != "warning: model fake/m, posture plain: temperature 0: not accepted (fixed by the server); the results say so" {
		t.Errorf("%q", *lines)
	}
}

// TestResumedUnderSomebodyElsesLoading: before it is made ready, a model may be loaded in another way than it was, or not at
// all. What it is must be the same already.
func TestResumedUnderSomebodyElsesLoading(t *testing.T) {
	b := setup(t, 2)
	p := b.preparer()
	loaded, digest := "", "a"
	b.model.who = func(int64) (record.Identity, error) {
		id := record.Identity{Digest: digest, Context: 2048}
		if loaded != "" {
			id.Context, id.Details = 8192, map[string]string{"options": loaded}
		}
		return id, nil
	}
	ready := func(as string) func(context.Context, model.Request) (model.Readiness, error) {
		return func(context.Context, model.Request) (model.Readiness, error) {
			loaded = as
			return model.Readiness{Calls: []record.Exchange{{Endpoint: "POST /load"}}}, nil
		}
	}
	p.prepare = ready("ours")
	b.interrupted()
	asked := len(p.asked)
	loaded, digest = "", "b"
	if _, err := b.eng.Start(t.Context(), b.spec); err == nil || !strings.Contains(err.Error(), "model digest: a -> b") || len(p.asked) != asked {
		t.Errorf("another model: %v, loaded %d times", err, len(p.asked)-asked)
	}
	loaded, digest, p.prepare = "", "a", ready("another's")
	if _, err := b.eng.Start(t.Context(), b.spec); err == nil || !strings.Contains(err.Error(), "options: ours -> another's") {
		t.Errorf("loaded otherwise: %v", err)
	}
	loaded, p.prepare = "", ready("ours")
	s, sum := b.mustRun()
	if b.whole(s.Run); sum.Errors != 0 {
		t.Errorf("%+v", sum)
	}
	if facts := must(b.db.Facts(t.Context(), s.Run, store.FactInvalid)); len(facts) != 0 {
		t.Error("attempts are invalid")
	}
}

// TestOnlyWhatIsAtWorkIsAsked: a model that has done its part, and its server with it, may be gone when the rest is resumed.
func TestOnlyWhatIsAtWorkIsAsked(t *testing.T) {
	b := setup(t, 2)
	p := b.preparer()
	other := &fakeModel{name: "fake/n"}
	b.spec.Models = append(b.spec.Models, Entrant{other, "n"})
	b.spec.Postures = []string{"plain", "thinking"}
	b.model.reply = func(_ context.Context, req model.Request) (model.Reply, error) {
		if req.Key.Posture == "plain" {
			return right(req), nil
		}
		return model.Reply{}, fault(model.FaultRejected)
	}
	s, sum := b.mustRun()
	if sum.Done != 12 || sum.Errors != 4 {
		t.Fatalf("%+v", sum)
	}
	other.idErr = fault(model.FaultUnreachable)
	p.asked, b.model.reply = nil, nil
	_, sum = b.mustRun()
	b.complete(s.Run, 16)
	if len(p.asked) != 1 || p.asked[0].Thinking != "on" {
		t.Errorf("made ready: %+v, want the posture that was left", p.asked)
	}
	if facts := must(b.db.Facts(t.Context(), s.Run, store.FactReady)); len(facts) != 3 {
		t.Errorf("%d facts", len(facts))
	}
}

func TestModelsThatCannotBeMadeReady(t *testing.T) {
	tests := []struct {
		name    string
		prepare func(ctx context.Context, req model.Request) (model.Readiness, error)
		refuse  bool
		want    string
		calls   int
		usage   bool
	}{
		{"no such model", func(context.Context, model.Request) (model.Readiness, error) {
			return model.Readiness{}, &model.Fault{Kind: model.FaultNoModel, Status: 404, Msg: "pull it first"}
		}, false, "model fake/m: posture plain: no-model (HTTP 404): pull it first", 1, false},
		{"a server that breaks", func(context.Context, model.Request) (model.Readiness, error) {
			return model.Readiness{}, fault(model.FaultServer)
		}, false, "model fake/m: posture plain: server: made by the test", 3, false},
		{"a panic", func(context.Context, model.Request) (model.Readiness, error) { panic("oh\nno") }, false, "model fake/m: posture plain: panic while it was made ready: oh no", 1, false},
		{"too little context", func(context.Context, model.Request) (model.Readiness, error) {
			return model.Readiness{Context: 4095}, nil
		}, false, "model fake/m: its server holds a context of 4095 tokens, and the protocol needs 4096; load the model with a larger context", 1, true},
		{"a setting that is not taken", func(_ context.Context, req model.Request) (model.Readiness, error) {
			return model.Readiness{Settings: []record.Setting{{Name: "thinking", Asked: string(req.Thinking), State: record.SettingNotHonoured, Why: "it always thinks"}}}, nil
		}, true, "fake@1: its protocol wants every setting honoured (unhonoured: refuse), and that cannot be\n  model fake/m, posture plain: thinking off: not honoured (it always thinks)\n  model fake/m, posture thinking: thinking on: not honoured (it always thinks)", 2, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := setup(t, 2)
			p := b.preparer()
			p.prepare = tt.prepare
			if tt.refuse {
				b.set.b.Protocol.Unhonoured = bench.UnhonouredRefuse
			}
			_, err := b.eng.Start(t.Context(), b.spec)
			if err == nil || err.Error() != tt.want || len(p.asked) != tt.calls || b.model.calls.Load() != 0 {
				t.Errorf("%v\nwant %s\nasked %d times, want %d", err, tt.want, len(p.asked), tt.calls)
			}
			if _, ok := errors.AsType[*UsageError](err); ok != tt.usage {
				t.Errorf("it is a %T", err)
			}
			for range b.db.Runs(t.Context()) {
				t.Error("a run was recorded")
			}
			if tt.refuse { // the default protocol goes on, and keeps it
				b.set.b.Protocol.Unhonoured = ""
				s, _ := b.mustRun()
				facts := must(b.db.Facts(t.Context(), s.Run, store.FactReady))
				var r model.Readiness
				if len(facts) != 2 || facts[0].Decode(&r) != nil || r.Settings[0].State != record.SettingNotHonoured {
					t.Errorf("%+v", facts)
				}
			}
		})
	}
}

// TestGiantReadiness: bodies that are too large to keep are left out, and that is said.
func TestGiantReadiness(t *testing.T) {
	if testing.Short() {
		t.Skip("packs large bodies")
	}
	f, err := readyFact(duty{0, 0}, time.Now(), model.Readiness{Context: 7, Calls: []record.Exchange{{Endpoint: "POST x", ResponseBody: make([]byte, store.MaxFact)}}})
	if err != nil {
		t.Fatal(err)
	}
	var r model.Readiness
	if err := f.Decode(&r); err != nil || r.Context != 7 || len(r.Calls) != 1 || !strings.Contains(r.Calls[0].Error, "too large to be kept") {
		t.Errorf("%+v, %v", r, err)
	}
}
