package openai

import (
	"testing"

	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/model/modeltest"
)

const testKey = "sk-test-0123456789abcdef/+SECRET"

// open makes a model over a mock, with a key, that can reach loopback only.
func open(t testing.TB, o modeltest.MockOptions) (*Model, *modeltest.Mock) {
	t.Helper()
	mock, err := modeltest.NewMock(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := mock.Close(); err != nil {
			t.Error(err)
		}
	})
	return at(t, mock.URL), mock
}

// at makes a model at an address, which is a loopback address or refused.
func at(t testing.TB, url string) *Model {
	t.Helper()
	spec, err := model.ParseSpec("openai/mock-1@" + url)
	if err != nil {
		t.Fatal(err)
	}
	m, err := New(Options{Spec: spec, Getenv: env("OPENAI_API_KEY", testKey), Dial: modeltest.Dial})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.Close() })
	return m
}

func env(pairs ...string) func(string) string {
	return func(name string) string {
		for i := 0; i+1 < len(pairs); i += 2 {
			if pairs[i] == name {
				return pairs[i+1]
			}
		}
		return ""
	}
}

func TestConformance(t *testing.T) {
	for name, field := range map[string]string{"reasoning_content": "", "reasoning": "reasoning"} {
		t.Run(name, func(t *testing.T) {
			modeltest.Run(t, modeltest.Subject{
				Can: modeltest.CanEcho | modeltest.CanThink | modeltest.CanCut | modeltest.CanRefuse | modeltest.CanWait | modeltest.HasWire |
					modeltest.CanTools | modeltest.CanSchema | modeltest.CanRawCalls,
				Secrets: []string{testKey},
				New: func(t testing.TB, act modeltest.Act) model.Model {
					m, _ := open(t, modeltest.MockOptions{Reply: func(req modeltest.MockRequest) modeltest.MockReply {
						if req.Header.Get("Authorization") != "Bearer "+testKey {
							t.Errorf("the key was not sent")
						}
						r := act.Reply(req)
						r.ThinkingField = field
						return r
					}})
					return m
				},
			})
		})
	}
}

// TestConformanceRemote is the suite over a server on another machine, which is asked what its model takes.
func TestConformanceRemote(t *testing.T) {
	modeltest.Run(t, modeltest.Subject{
		Can:    modeltest.CanEcho | modeltest.HasWire | modeltest.CanTools | modeltest.CanSchema | modeltest.CanRawCalls | modeltest.CanLearn,
		Learns: []string{"temperature", "top_p"},
		New: func(t testing.TB, act modeltest.Act) model.Model {
			_, mock := open(t, modeltest.MockOptions{Reply: act.Reply})
			return remote(t, mock.URL, true)
		},
	})
}
