package replay_test

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/model/modeltest"
	"github.com/assaybench/assay/model/replay"
	"github.com/assaybench/assay/record"
)

func TestConformance(t *testing.T) {
	modeltest.Run(t, modeltest.Subject{
		Can: modeltest.CanEcho | modeltest.CanThink | modeltest.CanCut | modeltest.CanRefuse,
		New: func(_ testing.TB, act modeltest.Act) model.Model {
			return replay.New("run1", func(_ context.Context, key record.Key) (record.Transcript, bool, error) {
				// What is recorded is what Transcribe made of the first call.
				rep := model.Reply{Answer: act.Answer, Thinking: act.Thinking, Finish: act.Finish, FinishRaw: "stop", Exchange: record.Exchange{Endpoint: "POST http://x"}}
				if act.Echo {
					rep.Answer = key.Item
				}
				if rep.Finish == "" {
					rep.Finish = model.FinishStop
				}
				return model.Transcribe(model.Request{}, rep, nil), true, nil
			})
		},
	})
}

// TestNothingIsLost: whatever was recorded comes back from Transcribe as it was, for every outcome.
func TestNothingIsLost(t *testing.T) {
	outcomes := []record.Outcome{record.Answered, record.Refused, record.Truncated, record.Timeout, record.Undelivered, record.Error}
	rapid.Check(t, func(t *rapid.T) {
		count := func(name string) *int64 {
			if !rapid.Bool().Draw(t, name+" said") {
				return nil
			}
			n := rapid.Int64().Draw(t, name)
			return &n
		}
		want := record.Transcript{
			Outcome: rapid.SampledFrom(outcomes).Draw(t, "outcome"), Reason: rapid.String().Draw(t, "reason"),
			Answer: string(rapid.SliceOf(rapid.Byte()).Draw(t, "answer")), Thinking: rapid.String().Draw(t, "thinking"),
			Finish: rapid.SampledFrom([]string{"", "stop", "length", "weird"}).Draw(t, "finish"), Model: "m-2026-01-01",
			Usage:    record.Usage{Prompt: count("prompt"), Output: count("output"), Thinking: count("thinking tokens"), Cached: count("cached")},
			Timing:   record.Timing{Started: time.Unix(1764000000, 0).UTC(), Total: rapid.Int64().Draw(t, "total")},
			Delivery: record.Delivery{State: rapid.SampledFrom([]string{"delivered", "undelivered", "not provable"}).Draw(t, "delivery")},
		}
		for range rapid.IntRange(0, 3).Draw(t, "calls") {
			want.Calls = append(want.Calls, record.Exchange{Endpoint: "POST http://x", Status: 200, ResponseBody: []byte("{}")})
		}
		key := record.Key{Item: "i", Repeat: 2, Posture: "plain"}
		m := replay.New("run1", func(_ context.Context, k record.Key) (record.Transcript, bool, error) { return want, k == key, nil })
		// A long prompt and no token count: what is known now must not change what was decided then.
		req := model.Request{Key: key, Messages: []model.Message{{Role: "user", Text: strings.Repeat("x", 5000)}}}
		rep, err := m.Call(t.Context(), req)
		if err != nil {
			t.Fatal(err)
		}
		if got := model.Transcribe(req, rep, err); !reflect.DeepEqual(got, want) {
			t.Fatalf("got %+v\nwant %+v", got, want)
		}
		if rep.Answer != want.Answer || rep.Thinking != want.Thinking || !reflect.DeepEqual(rep.Usage, want.Usage) || rep.FinishRaw != want.Finish {
			t.Fatalf("the reply itself differs: %+v", rep)
		}
	})
}

func TestWhatIsNotThere(t *testing.T) {
	broken := errors.New("the database is locked")
	m := replay.New("run1", func(_ context.Context, k record.Key) (record.Transcript, bool, error) {
		if k.Item == "broken" {
			return record.Transcript{}, false, broken
		}
		return record.Transcript{}, false, nil
	})
	_, err := m.Call(t.Context(), model.Request{Key: record.Key{Item: "b2", Posture: "plain", Repeat: 1}})
	f := model.AsFault(err)
	if f.Kind != model.FaultOurs || f.Retryable() || !strings.Contains(f.Msg, `replay/run1 holds no attempt at item "b2", posture "plain", repeat 1`) {
		t.Errorf("got %v", err)
	}
	_, err = m.Call(t.Context(), model.Request{Key: record.Key{Item: "broken"}})
	if f := model.AsFault(err); f.Kind != model.FaultOurs || !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
}

// TestALookupThatIsInterrupted: the interrupt is what ended the call, not the store.
func TestALookupThatIsInterrupted(t *testing.T) {
	m := replay.New("run1", func(ctx context.Context, _ record.Key) (record.Transcript, bool, error) {
		<-ctx.Done()
		return record.Transcript{}, false, ctx.Err()
	})
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(10*time.Millisecond, cancel)
	if _, err := m.Call(ctx, model.Request{}); model.AsFault(err).Kind != model.FaultCancelled {
		t.Errorf("got %v", err)
	}
}

// TestOfControl: what is replayed of a control's run is a control's, and what is replayed of a model's is not.
func TestOfControl(t *testing.T) {
	none := func(context.Context, record.Key) (record.Transcript, bool, error) {
		return record.Transcript{}, false, nil
	}
	for m, want := range map[model.Model]bool{replay.New("a", none): false, replay.NewOfControl("b", none): true} {
		if c, ok := m.(model.Control); !ok || c.Control() != want {
			t.Errorf("%s: control %v, want %v", m.Name(), c.Control(), want)
		}
	}
}
