package control_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/model/control"
	"github.com/assaybench/assay/model/modeltest"
	"github.com/assaybench/assay/record"
)

func TestConformance(t *testing.T) {
	modeltest.Run(t, modeltest.Subject{Can: modeltest.CanEcho, New: func(_ testing.TB, act modeltest.Act) model.Model {
		return control.New("reference", func(item string) (string, error) {
			if act.Echo {
				return item, nil
			}
			return act.Answer, nil
		})
	}})
}

func TestControl(t *testing.T) {
	missing := errors.New("no control \"off-by-one\"\nin this item")
	m := control.New("off-by-one", func(item string) (string, error) {
		if item == "a" {
			return "42", nil
		}
		return "", missing
	})
	if c, ok := m.(model.Control); !ok || !c.Control() || m.Name() != "control/off-by-one" {
		t.Errorf("%s does not say that it is a control", m.Name())
	}
	rep, err := m.Call(t.Context(), model.Request{Key: record.Key{Item: "a"}})
	if err != nil || rep.Answer != "42" || rep.Usage != (record.Usage{}) || rep.Timing != (record.Timing{}) {
		t.Errorf("%+v, %v", rep, err)
	}
	_, err = m.Call(t.Context(), model.Request{Key: record.Key{Item: "b"}})
	if f := model.AsFault(err); f.Kind != model.FaultOurs || !errors.Is(err, missing) || !strings.Contains(f.Msg, `control/off-by-one, item "b"`) || strings.Contains(f.Msg, "\n") {
		t.Errorf("got %v", err)
	}
	if _, err = control.New("x", nil).Call(t.Context(), model.Request{}); err == nil || model.AsFault(err).Kind != model.FaultOurs {
		t.Errorf("without answers: %v", err)
	}
}

func TestEmpty(t *testing.T) {
	rep, err := control.New(control.Empty, nil).Call(t.Context(), model.Request{Key: record.Key{Item: "any"}})
	if tr := model.Transcribe(model.Request{}, rep, err); err != nil || tr.Outcome != record.Answered || tr.Answer != "" {
		t.Errorf("%s, %q, %v", tr.Outcome, tr.Answer, err)
	}
}

func ExampleNew() {
	m := control.New("reference", func(item string) (string, error) { return "the answer to " + item, nil })
	rep, _ := m.Call(context.Background(), model.Request{Key: record.Key{Item: "c1-add-1"}})
	fmt.Println(m.Name(), "says:", rep.Answer)
	// Output: control/reference says: the answer to c1-add-1
}
