package sandbox

import (
	"context"
	"testing"
)

func agents(t *testing.T) *Box {
	t.Helper()
	b, err := OpenAgents(context.Background(), Options{Dir: t.TempDir()})
	if err != nil {
		t.Skipf("no sandbox for agents on this machine: %v", err)
	}
	t.Cleanup(func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	})
	return b
}

func TestAgentsOpen(t *testing.T) { agents(t) }
