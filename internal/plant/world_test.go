package main

import (
	"context"
	"os"
	"testing"

	"github.com/assaybench/assay/world"
)

// TestWorld loads the shipped world and looks for vocabularies that a tool keeps to itself.
func TestWorld(t *testing.T) {
	w, err := world.Load(os.DirFS(shipped), "world", "shopfloor")
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Lint(context.Background()); err != nil {
		t.Error(err)
	}
	if len(w.Servers) != 12 {
		t.Errorf("%d servers, and should be 12", len(w.Servers))
	}
	for _, table := range w.Tables {
		if kinds[table.Name] == "" {
			t.Errorf("the table %s has no kind of record", table.Name)
		}
	}
}
