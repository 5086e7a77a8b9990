package check

import (
	"fmt"
	"io/fs"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/assaybench/assay/bench"
)

// made is a bench whose items are written when they are opened, so that a measurement sees only what the code keeps.
type made struct{ n int }

func (m made) Open(name string) (fs.File, error) {
	id, ok := strings.CutPrefix(name, "items/")
	files := fstest.MapFS{"bench.yaml": {Data: []byte(testManifest)}}
	if ok {
		id = strings.TrimSuffix(id, ".yaml")
		files[name] = &fstest.MapFile{Data: []byte(item(id, "- words: {exactly: 3}\n- absent: dog\n- answer: {number: 5}", "controls: {accept: [{answer: 'a b c'}, {answer: 'd e f'}]}\n"))}
	}
	return files.Open(name)
}

func (m made) ReadDir(name string) ([]fs.DirEntry, error) {
	if name != "items" {
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: fs.ErrNotExist}
	}
	out := make([]fs.DirEntry, m.n)
	for i := range out {
		out[i] = madeEntry(fmt.Sprintf("item-%06d.yaml", i))
	}
	return out, nil
}

type madeEntry string

func (e madeEntry) Name() string               { return string(e) }
func (e madeEntry) IsDir() bool                { return false }
func (e madeEntry) Type() fs.FileMode          { return 0 }
func (e madeEntry) Info() (fs.FileInfo, error) { return nil, fs.ErrInvalid }

// TestManyItems measures what a compiled bench keeps: a few bytes for each item beyond those that are cached whole. With
// -full it has 100,000 items.
func TestManyItems(t *testing.T) {
	n := 4_000
	if *full {
		n = 100_000
	}
	start := time.Now()
	kept := func(n int) int64 {
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		b, err := bench.Load(made{n}, "made")
		if err != nil {
			t.Fatal(err)
		}
		set, err := Compile(b)
		if err != nil {
			t.Fatal(err)
		}
		runtime.GC()
		runtime.ReadMemStats(&after)
		heads := 0
		for h := range set.Heads() {
			if !h.Frozen || h.Family != "main" {
				t.Fatalf("the head %+v", h)
			}
			heads++
		}
		last := fmt.Sprintf("item-%06d", n-1)
		if v := set.answer(t, last, "a b c"); heads != n || v.Letter != "U" {
			t.Fatalf("%d heads, and the last item says %+v", heads, v)
		}
		return int64(after.HeapAlloc) - int64(before.HeapAlloc)
	}
	small, large := kept(1_000), kept(n)
	each := (large - small) / int64(n-1_000)
	t.Logf("%d items: %d KiB kept, %d bytes for each beyond 1,000; %v", n, large>>10, each, time.Since(start).Round(time.Millisecond))
	if large-small > 200*int64(n-1_000)+2<<20 { // what the runtime keeps by itself is in it
		t.Errorf("%d bytes are kept for each item", each)
	}
}
