package snapshot

import (
	"context"
	"database/sql"
	"math/big"
	"os"
	"path/filepath"
	"testing"
	"time"
)

func made(t testing.TB, statements ...string) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "world.db")
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range statements {
		if _, err := db.Exec(s); err != nil {
			t.Fatalf("%s: %v", s, err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestRead(t *testing.T) {
	file := made(t,
		`CREATE TABLE "a ""b" (n INTEGER, x REAL, s TEXT, z)`, `INSERT INTO "a ""b" VALUES (7, 0.5, 'ü', NULL)`,
		`CREATE TABLE call_trace (trace_index INTEGER, tool TEXT)`, `INSERT INTO call_trace VALUES (2, 'second'), (1, 'first')`,
		`CREATE VIEW v AS WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c) SELECT i FROM c`)
	ctx, end := context.WithTimeout(t.Context(), 20*time.Second)
	defer end()
	got, err := Read(ctx, file)
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != 2 {
		t.Errorf("%d tables: a view is none", len(got))
	}
	r := got[`a "b`][0]
	if r["n"].(*big.Rat).Cmp(big.NewRat(7, 1)) != 0 || r["x"].(*big.Rat).Cmp(big.NewRat(1, 2)) != 0 || r["s"] != "ü" || r["z"] != nil {
		t.Errorf("%v", r)
	}
	if got["call_trace"][0]["tool"] != "first" {
		t.Errorf("the calls are not in order: %v", got["call_trace"])
	}
}

func TestHostileFiles(t *testing.T) {
	good := made(t, `CREATE TABLE a (n)`, `INSERT INTO a VALUES (1)`)
	for name, b := range map[string][]byte{"nothing": nil, "text": []byte("hello"), "a head alone": []byte(Magic), "cut": good[:len(good)/2]} {
		if got, err := Read(t.Context(), b); err == nil && len(got["a"]) > 0 {
			t.Errorf("%s is read: %v", name, got)
		}
	}
	heavy := made(t, `CREATE TABLE a (n, g GENERATED ALWAYS AS (zeroblob(n)))`, `INSERT INTO a VALUES (40000000)`)
	ctx, end := context.WithTimeout(t.Context(), 10*time.Second)
	defer end()
	if got, err := Read(ctx, heavy); err == nil {
		t.Errorf("a column that is forty megabytes of a function: %v", got)
	}
	end()
	if _, err := Read(ctx, good); err == nil {
		t.Error("it is read after its context's end")
	}
}

func FuzzRead(f *testing.F) {
	f.Add(made(f, `CREATE TABLE a (n)`, `INSERT INTO a VALUES (1)`), 100, byte(0))
	f.Fuzz(func(t *testing.T, b []byte, at int, with byte) {
		if len(b) > 0 {
			b[max(0, at)%len(b)] ^= with
		}
		ctx, end := context.WithTimeout(t.Context(), 5*time.Second)
		defer end()
		if got, err := Read(ctx, b); err == nil && got == nil {
			t.Error("nothing, and no error")
		}
	})
}
