package parquet_test

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"time"

	reader "github.com/parquet-go/parquet-go"
	"pgregory.net/rapid"

	"github.com/assaybench/assay/report/export/parquet"
)

var columns = []parquet.Column{{Name: "t"}, {Name: "to", Optional: true}, {Name: "i", Kind: parquet.Int}, {Name: "io", Kind: parquet.Int, Optional: true},
	{Name: "b", Kind: parquet.Bool}, {Name: "bo", Kind: parquet.Bool, Optional: true}, {Name: "w", Kind: parquet.Time, Optional: true}}

// row is the same row as another implementation reads it.
type row struct {
	T  string     `parquet:"t"`
	To *string    `parquet:"to,optional"`
	I  int64      `parquet:"i"`
	Io *int64     `parquet:"io,optional"`
	B  bool       `parquet:"b"`
	Bo *bool      `parquet:"bo,optional"`
	W  *time.Time `parquet:"w,optional,timestamp(microsecond)"`
}

func write(t interface{ Fatal(...any) }, rows [][]any) []byte {
	var b bytes.Buffer
	w, err := parquet.NewWriter(&b, columns)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rows {
		if err := w.Row(r); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// readBack reads a file with another implementation of the format.
func readBack(t interface{ Fatal(...any) }, data []byte) []row {
	f, err := reader.OpenFile(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	r := reader.NewGenericReader[row](f)
	defer r.Close()
	out := make([]row, f.NumRows())
	n, err := r.Read(out)
	if err != nil && err != io.EOF || int64(n) != f.NumRows() {
		t.Fatal(n, err)
	}
	return out
}

func same[T comparable](a any, b *T) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	return a.(T) == *b
}

func TestReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		maybe := func(v any) any {
			if rapid.Bool().Draw(t, "null") {
				return nil
			}
			return v
		}
		text := rapid.OneOf(rapid.String(), rapid.StringN(0, 3, 9), rapid.Just("a\xffb"), rapid.Just(strings.Repeat("長い", 5000)))
		var rows [][]any
		for range rapid.IntRange(0, 60).Draw(t, "rows") {
			when := time.UnixMicro(rapid.Int64Range(-1<<50, 1<<50).Draw(t, "when")).UTC()
			rows = append(rows, []any{text.Draw(t, "t"), maybe(text.Draw(t, "to")), rapid.Int64().Draw(t, "i"), maybe(rapid.Int64().Draw(t, "io")), rapid.Bool().Draw(t, "b"), maybe(rapid.Bool().Draw(t, "bo")), maybe(when)})
		}
		data := write(t, rows)
		got := readBack(t, data)
		if len(got) != len(rows) {
			t.Fatalf("%d rows of %d", len(got), len(rows))
		}
		for i, want := range rows {
			g := got[i]
			to := want[1]
			if s, ok := to.(string); ok {
				to = strings.ToValidUTF8(s, "\ufffd")
			}
			when := g.W == nil && want[6] == nil || g.W != nil && want[6] != nil && g.W.Equal(want[6].(time.Time))
			if g.T != strings.ToValidUTF8(want[0].(string), "\ufffd") || !same(to, g.To) || g.I != want[2] || !same(want[3], g.Io) || g.B != want[4] || !same(want[5], g.Bo) || !when {
				t.Fatalf("row %d: %+v, want %v", i, g, want)
			}
		}
		if !bytes.Equal(data, write(t, rows)) {
			t.Fatal("the same rows give other bytes")
		}
	})
}

// A table of more than one group of rows.
func TestManyRows(t *testing.T) {
	const n = 120_001
	rows := make([][]any, n)
	for i := range rows {
		rows[i] = []any{"x", nil, int64(i), nil, i%3 == 0, i%2 == 0, nil}
	}
	data := write(t, rows)
	got := readBack(t, data)
	for i, g := range got {
		if g.I != int64(i) || g.B != (i%3 == 0) || g.Bo == nil || *g.Bo != (i%2 == 0) || g.To != nil {
			t.Fatalf("row %d: %+v", i, g)
		}
	}
	f, err := reader.OpenFile(bytes.NewReader(data), int64(len(data)))
	if err != nil || len(f.RowGroups()) != 3 || len(got) != n {
		t.Errorf("%v, %d groups, %d rows", err, len(f.RowGroups()), len(got))
	}
}

func TestRefused(t *testing.T) {
	for _, bad := range [][]parquet.Column{nil, {{Name: ""}}, {{Name: "a"}, {Name: "a"}}, {{Name: "a", Kind: 9}}} {
		if _, err := parquet.NewWriter(io.Discard, bad); err == nil {
			t.Errorf("%v is taken", bad)
		}
	}
	for _, bad := range [][]any{{}, {nil, nil, int64(1), nil, true, nil, nil}, {"t", int64(1), int64(1), nil, true, nil, nil}, {"t", nil, 1, nil, true, nil, nil}, {"t", nil, int64(1), nil, "true", nil, nil}, {"t", nil, int64(1), true, true, nil, nil}, {"t", nil, int64(1), time.Now(), true, nil, nil}} {
		w, err := parquet.NewWriter(io.Discard, columns)
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Row(bad); err == nil || w.Close() == nil {
			t.Errorf("%v is taken", bad)
		}
	}
}
