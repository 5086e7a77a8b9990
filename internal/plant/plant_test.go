package main

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

const shipped = "../../benches/shopfloor"

// TestShipped renders the bench again and compares every byte with what is shipped.
func TestShipped(t *testing.T) {
	files, err := render(shipped)
	if err != nil {
		t.Fatal(err)
	}
	have, err := present(shipped)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range have {
		if _, ok := files[p]; !ok && !others(p) {
			t.Errorf("%s is shipped and not written; run: go run ./internal/plant write", p)
		}
	}
	for _, p := range slices.Sorted(maps.Keys(files)) {
		b, err := os.ReadFile(filepath.Join(shipped, p))
		if err != nil {
			t.Error(err)
		} else if !bytes.Equal(b, files[p]) {
			t.Errorf("%s differs from what is written; run: go run ./internal/plant write", p)
		}
	}
}
