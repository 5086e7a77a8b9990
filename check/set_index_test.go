package check

import (
	"slices"
	"testing"

	"github.com/assaybench/assay/bench"
	"github.com/assaybench/assay/benches"
)

// TestRestore: a bench restored from its index is the compiled one, and an index that does not fit is refused.
func TestRestore(t *testing.T) {
	fsys, _, ok := benches.Open("chair-trials")
	if !ok {
		t.Fatal("no chair-trials")
	}
	b, err := bench.Load(fsys, "chair-trials")
	if err != nil {
		t.Fatal(err)
	}
	whole, err := Compile(b)
	if err != nil {
		t.Fatal(err)
	}
	index, err := whole.Index()
	if err != nil {
		t.Fatal(err)
	}
	got, ok := Restore(b, whole.Digest(), index)
	if !ok {
		t.Fatalf("the index %s cannot be restored", index)
	}
	if !slices.Equal(slices.Collect(got.Heads()), slices.Collect(whole.Heads())) || got.Digest() != whole.Digest() {
		t.Error("the restored bench has other items")
	}
	gi, gp := got.Executes()
	wi, wp := whole.Executes()
	if !slices.Equal(gi, wi) || gp != wp || len(wi) != 2 || !wp {
		t.Errorf("executes %v %v, want %v %v", gi, gp, wi, wp)
	}
	for _, id := range b.IDs() {
		a, err1 := got.Explain(id)
		w, err2 := whole.Explain(id)
		if err1 != nil || err2 != nil || !slices.Equal(a, w) {
			t.Errorf("%s: other rules: %v %v", id, err1, err2)
		}
	}
	for name, bad := range map[string]string{
		"another version": `{"kinds":{"words":999},"items":""}`,
		"unknown kind":    `{"kinds":{"wrods":1},"items":""}`,
		"too few items":   `{"kinds":{"words":1},"items":"AAAA"}`,
		"no kinds":        `{"items":""}`,
		"not JSON":        `x`,
		"empty":           ``,
	} {
		if _, ok := Restore(b, "x", []byte(bad)); ok {
			t.Errorf("%s: restored", name)
		}
	}
}
