package providers_test

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/model/modeltest"
	"github.com/assaybench/assay/model/providers"
	"github.com/assaybench/assay/record"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestOpen(t *testing.T) {
	mock, err := modeltest.NewMock(modeltest.MockOptions{Answer: "from the mock"})
	if err != nil {
		t.Fatal(err)
	}
	defer mock.Close()
	env := providers.Env{
		Getenv:        func(string) string { return "" },
		Dial:          modeltest.Dial,
		ControlAnswer: func(name, item string) (string, error) { return name + " of " + item, nil },
		Replay: func(run string) (providers.Recorded, error) {
			if run != "run1" {
				return providers.Recorded{}, errors.New("no run " + run)
			}
			return providers.Recorded{Control: true, Lookup: func(_ context.Context, k record.Key) (record.Transcript, bool, error) {
				return record.Transcript{Outcome: record.Answered, Answer: "recorded " + k.Item}, true, nil
			}}, nil
		},
	}
	req := model.Request{Key: record.Key{Item: "i1", Repeat: 1}, Messages: []model.Message{{Role: "user", Text: "prompt"}}}
	for spec, want := range map[string]string{
		"control/reference": "reference of i1", "control/off-by-one": "off-by-one of i1", "control/empty": "", "replay/run1": "recorded i1",
		"command/cat": "prompt", "openai/x@" + mock.URL: "from the mock",
	} {
		s, err := model.ParseSpec(spec)
		if err != nil {
			t.Fatal(err)
		}
		m, err := providers.Open(s, env)
		if err != nil {
			t.Errorf("%s: %v", spec, err)
			continue
		}
		rep, err := m.Call(t.Context(), req)
		if err != nil || rep.Answer != want || m.Name() != spec {
			t.Errorf("%s: %q, %v", m.Name(), rep.Answer, err)
		}
		if c, ok := m.(model.Closer); ok {
			c.Close()
		}
		ctl, is := m.(model.Control)
		isControl := is && ctl.Control()
		if isControl != (strings.HasPrefix(spec, "control/") || spec == "replay/run1") { // which is of a control

			t.Errorf("%s: control is %v", spec, isControl)
		}
	}
}

func TestOpenErrors(t *testing.T) {
	env := providers.Env{Replay: func(string) (providers.Recorded, error) {
		return providers.Recorded{}, errors.New("no such run; see assay runs")
	}}
	for spec, want := range map[string]string{
		"control/reference": "no bench whose controls", "replay/x": `model "replay/x": no such run`, "openai/x": "OPENAI_API_KEY is not set", "command/./nowhere": "no such file",
	} {
		s, err := model.ParseSpec(spec)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := providers.Open(s, env); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", spec, err)
		}
	}
	for _, s := range []model.Spec{{Raw: "replay/x", Provider: "replay", Name: "x"}, {Raw: "nobody/x", Provider: "nobody", Name: "x"}} {
		if _, err := providers.Open(s, providers.Env{}); err == nil {
			t.Errorf("%s: no error", s)
		}
	}
}

// TestEveryKnownProviderOpens keeps the list that specs are read by and the switch that opens them together.
func TestEveryKnownProviderOpens(t *testing.T) {
	if !reflect.DeepEqual(providers.Known(), model.Providers()) || len(providers.Known()) < 4 {
		t.Errorf("known: %v", providers.Known())
	}
	for _, p := range providers.Known() {
		if _, err := providers.Open(model.Spec{Raw: p + "/x", Provider: p, Name: "x"}, providers.Env{}); err != nil && strings.Contains(err.Error(), "no provider") {
			t.Errorf("%s: %v", p, err)
		}
	}
}
