package harbor

import (
	"bytes"
	"io/fs"
	"reflect"
	"strings"
	"testing"

	"github.com/assaybench/assay/benches"
)

func TestProgramHoldsNoBench(t *testing.T) {
	b := needProgram(t)
	if err := CheckBinary(b); err != nil {
		t.Fatal(err)
	}
	fsys, _, _ := benches.Open("chair-trials")
	n := 0
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(fsys, name)
		if len(data) < leastPattern {
			return err
		}
		n++
		if bytes.Contains(b, data) {
			t.Errorf("the program of a package holds %s", name)
		}
		return err
	})
	if err != nil || n < 10 {
		t.Errorf("%d files were looked for: %v", n, err)
	}
	again, err := Program(b)
	if err != nil || !bytes.Equal(again, b) {
		t.Errorf("the program of a package is no program of a package: %v", err)
	}
}

func TestScanner(t *testing.T) {
	var s scanner
	one, two, short := []byte("the first pattern, which is long"), []byte("the first pattern, which is other"), []byte("short")
	for _, p := range [][]byte{one, two, short, one} {
		s.add(p)
	}
	if s.count != 2 {
		t.Errorf("%d patterns", s.count)
	}
	text := []byte("short" + string(two) + string(one) + strings.Repeat("x", 100) + string(one))
	var at []int
	s.find(text, func(i int, _ []byte) bool { at = append(at, i); return true })
	if want := []int{5, 5 + len(two), 5 + len(two) + len(one) + 100}; !reflect.DeepEqual(at, want) {
		t.Errorf("%v, want %v", at, want)
	}
}
