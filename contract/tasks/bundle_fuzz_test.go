package tasks

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/world"
)

// FuzzBundle takes the bytes of an exported episode from the reader to the judge: nothing panics, and what passes holds the events,
// changes and state of the episode that was recorded.
func FuzzBundle(f *testing.F) {
	ctx := context.Background()
	m := files(f)
	s, task := compiled(f, m)
	whole := &record.Transcript{Outcome: record.Answered, Episode: episode(f, task, "x", reference(m))}
	dir := filepath.Join(f.TempDir(), "bundle")
	if err := world.WriteBundle(dir, whole); err != nil {
		f.Fatal(err)
	}
	var parts [3][]byte
	for i, name := range []string{world.BundleFile, world.EventsFile, world.ChangesFile} {
		b, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			f.Fatal(err)
		}
		parts[i] = b
	}
	judged := func(t testing.TB, head, events, changes []byte) (*record.Transcript, *record.Verdict) {
		tr, err := world.ReadBundle(fstest.MapFS{world.BundleFile: {Data: head}, world.EventsFile: {Data: events}, world.ChangesFile: {Data: changes}})
		if err != nil {
			return nil, nil
		}
		v, err := s.Grade(ctx, ferry, *tr)
		if err != nil {
			t.Fatal(err)
		}
		return tr, &v
	}
	canonical := func(t testing.TB, v jsontext.Value) []byte {
		v = v.Clone()
		if err := v.Canonicalize(jsontext.CanonicalizeRawInts(false)); err != nil {
			t.Fatal(err)
		}
		return v
	}
	kept, v := judged(f, parts[0], parts[1], parts[2])
	if v == nil || v.State != record.Graded || !v.Pass {
		f.Fatalf("the whole bundle does not pass: %+v", v)
	}
	f.Add(parts[0], parts[1], parts[2])
	f.Add(parts[0], parts[1][:len(parts[1])/2], parts[2])
	f.Add(parts[0], parts[1], []byte("[]\n"))
	f.Add([]byte("{}"), []byte("null\n"), []byte{})
	f.Fuzz(func(t *testing.T, head, events, changes []byte) {
		tr, v := judged(t, head, events, changes)
		if v == nil || !v.Pass {
			return
		}
		if !bytes.Equal(canonical(t, tr.Episode.Events), canonical(t, kept.Episode.Events)) || !bytes.Equal(canonical(t, tr.Episode.Changes), canonical(t, kept.Episode.Changes)) ||
			tr.Episode.State != kept.Episode.State || tr.Outcome != record.Answered {
			t.Errorf("damaged bytes pass: %q", head)
		}
	})
}
