package run

import (
	"errors"
	"strings"
	"testing"

	"github.com/assaybench/assay/record"
)

// TestContextTooSmall: a server whose context is below the protocol's is refused before the first call.
func TestContextTooSmall(t *testing.T) {
	b := setup(t, 2)
	need := int64(b.set.Bench().Protocol.Context)
	if need < 2 {
		t.Fatal("the fake protocol names no context")
	}
	b.model.id = record.Identity{Context: need - 1}
	_, err := b.eng.Start(t.Context(), b.spec)
	if _, ok := errors.AsType[*UsageError](err); !ok || !strings.Contains(err.Error(), "fake/m: its server holds a context of") {
		t.Fatalf("%v", err)
	}
	if b.model.calls.Load() != 0 {
		t.Error("the model was called")
	}
	b.model.id.Context = need
	s, sum := b.mustRun()
	if sum.Done != sum.Planned {
		t.Errorf("%+v", sum)
	}
	drift, err := Drift(t.Context(), b.db, s.Run)
	if err != nil || len(drift) != 0 {
		t.Errorf("%v %v", drift, err)
	}
}
