package store

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/assaybench/assay/record"
)

// schema1File makes a database as the first version of the program did, with a run of six attempts: passed, wrong after an
// error, cut off with its findings, an error, ungradable, and not made.
func schema1File(t *testing.T) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "old.db")
	d := sqlFile(t, path, schema1, fmt.Sprintf("PRAGMA application_id = %d", applicationID), "PRAGMA user_version = 1",
		`INSERT INTO runs VALUES (7, 'old1', 1800000000000000000, 'req', '{"attempts":6,"bench":"b","digest":"d","grader":"g","items":6,"models":[{"control":false,"name":"p/m","postures":[0]}],"postures":["plain"],"protocol":{},"repeats":1,"version":"1"}')`,
		`INSERT INTO identities (run, model, phase, taken, identity) VALUES (7, 0, 'start', 5, '{"digest":"sha"}'), (7, 0, 'end', 6, '{"digest":"sha"}')`,
		`INSERT INTO sets VALUES (3, 7, 'g', 'd', 9)`)
	exec := func(query string, args ...any) {
		t.Helper()
		if _, err := d.ExecContext(t.Context(), query, args...); err != nil {
			t.Fatal(err)
		}
	}
	for n := range 6 {
		exec("INSERT INTO attempts VALUES (7, ?, 0, 0, 1, ?, 'f', 'exact')", n, fmt.Sprintf("i%03d", n))
	}
	b := &bundle{T: t}
	id := 10
	for _, x := range []struct {
		n, try  int
		outcome record.Outcome
		answer  string
	}{{0, 1, record.Answered, "a0"}, {1, 1, record.Error, ""}, {1, 2, record.Answered, "a1"}, {2, 1, record.Truncated, "a2"}, {3, 1, record.Error, ""}, {4, 1, record.Answered, "a4"}} {
		try := b.try(x.n, x.try, x.outcome, x.answer)
		id++
		exec("INSERT INTO transcripts VALUES (?, ?)", id, try.body)
		exec("INSERT INTO tries VALUES (7, ?, ?, ?, 'why', NULL, 2, NULL, NULL, 100, 42, 0, 0, 0, 0, 'delivered', ?, 0, ?, ?)",
			x.n, x.try, string(x.outcome), len(x.answer), try.AnswerSum[:], id)
	}
	for i, x := range []struct {
		n             int
		letter, state string
	}{{0, ".", "graded"}, {1, "F", "graded"}, {2, "F", "graded"}, {4, "?", "ungradable"}} {
		exec("INSERT INTO verdict_bodies VALUES (?, ?)", 20+i, fmt.Sprintf(`{"letter":%q,"grader":"g"}`, x.letter))
		exec("INSERT INTO verdicts VALUES (3, ?, ?, ?, ?, ?)", x.n, x.letter == ".", x.state, x.letter, 20+i)
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestNewFileHasTheSchemaOfAMigratedOne compares what SQLite keeps of each table and index, but for comments, white space and
// the quotes around a name that a table was given later.
func TestNewFileHasTheSchemaOfAMigratedOne(t *testing.T) {
	schema := func(path string, open Options) map[string]string {
		db, err := Open(t.Context(), path, open)
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		rows, err := db.r.QueryContext(t.Context(), "SELECT type || ' ' || name || ' of ' || tbl_name, coalesce(sql, '') FROM sqlite_schema")
		if err != nil {
			t.Fatal(err)
		}
		defer rows.Close()
		out := map[string]string{}
		for rows.Next() {
			var name, text string
			if err := rows.Scan(&name, &text); err != nil {
				t.Fatal(err)
			}
			text = regexp.MustCompile("--.*").ReplaceAllString(text, "")
			out[name] = strings.Join(strings.Fields(strings.ReplaceAll(text, `"`, "")), " ")
		}
		if err := rows.Err(); err != nil {
			t.Fatal(err)
		}
		return out
	}
	old, now := schema(schema1File(t), Options{}), schema(filepath.Join(t.TempDir(), "new.db"), Options{Create: true})
	if len(old) < 15 {
		t.Errorf("only %d tables and indexes were read", len(old))
	}
	if d := cmp.Diff(old, now); d != "" {
		t.Error(d)
	}
}

func TestSchema1IsBroughtUpToDate(t *testing.T) {
	path := schema1File(t)
	if _, err := Open(t.Context(), path, Options{ReadOnly: true}); KindOf(err) != ReadOnly || !strings.Contains(err.Error(), "schema 1") {
		t.Errorf("a reader that cannot bring it up to date: %v", err)
	}
	for range 2 { // the second time there is nothing to do
		db, err := Open(t.Context(), path, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if err := db.Check(t.Context()); err != nil {
			t.Error(err)
		}
		r, err := db.FindRun(t.Context(), "old1")
		if err != nil {
			t.Fatal(err)
		}
		b := &bundle{T: t, db: db}
		want := []string{"0 answered . try 1", "1 answered F try 2", "2 truncated C try 1", "3 error E try 1", "4 answered ? try 1", "5  - try 0"}
		if d := cmp.Diff(want, b.letters(r, "g")); d != "" {
			t.Error(d)
		}
		if tr, err := db.Transcript(t.Context(), r, 1, 0); err != nil || tr.Answer != "a1" {
			t.Errorf("transcript: %q, %v", tr.Answer, err)
		}
		if body, err := db.VerdictJSON(t.Context(), r, 1, "g"); err != nil || string(body) != `{"letter":"F","grader":"g"}` {
			t.Errorf("verdict: %s, %v", body, err)
		}
		ids, err := db.Identities(t.Context(), r)
		if err != nil || len(ids) != 2 || ids[0].Phase != "start" || ids[1].Phase != "end" || ids[1].Mark != 16 || ids[0].Digest != "sha" {
			t.Errorf("identities: %+v, %v; what was recorded counts as checked", ids, err)
		}
		if facts, err := db.Facts(t.Context(), r, ""); err != nil || len(facts) != 0 {
			t.Errorf("facts: %v, %v", facts, err)
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
	}
	// It can be worked on.
	db, err := Open(t.Context(), path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	b := &bundle{T: t, db: db}
	r, err := db.FindRun(t.Context(), "old1")
	if err != nil {
		t.Fatal(err)
	}
	b.record(r, Batch{Tries: []Try{b.try(3, 2, record.Answered, "a3"), b.try(5, 1, record.Answered, "a5")},
		Verdicts: []Verdict{b.verdict(3, "g", ".", record.Graded), b.verdict(4, "g", ".", record.Graded)}})
	wantKind(t, db.Record(t.Context(), r, Batch{Tries: []Try{b.try(0, 2, record.Answered, "again")}}), Duplicate)
	if d := cmp.Diff([]string{"0 answered . try 1", "1 answered F try 2", "2 truncated C try 1", "3 answered . try 2", "4 answered . try 1", "5 answered ? try 1"}, b.letters(r, "g")); d != "" {
		t.Error(d)
	}
}

// letters lists a run's attempts, one a line.
func (b *bundle) letters(r *Run, grader string) []string {
	b.Helper()
	var out []string
	for row, err := range b.db.Rows(b.Context(), r, grader) {
		if err != nil {
			b.Fatal(err)
		}
		out = append(out, fmt.Sprintf("%d %s %s try %d", row.N, row.Outcome, row.Letter, row.Try))
	}
	return out
}

func TestFacts(t *testing.T) {
	b := setup(t)
	r, other := b.run("r1", 1), b.run("r2", 1)
	at := time.Unix(1_800_000_000, 5).UTC()
	fact := func(kind string, model, posture int, body any) Fact {
		t.Helper()
		f, err := NewFact(kind, model, posture, at, body)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	type body struct {
		Text string `json:"text"`
		Raw  []byte `json:"raw"`
	}
	want := body{strings.Repeat("long ", 10_000), []byte{0xff, 0}}
	two := []Fact{fact(FactReady, 0, 0, want), fact(FactProbe, 0, NoIndex, "x")}
	if err := b.db.AddFacts(t.Context(), r, two...); err != nil || two[0].Seq != 1 || two[1].Seq != 2 {
		t.Fatalf("%d %d %v", two[0].Seq, two[1].Seq, err)
	}
	if err := b.db.AddFacts(t.Context(), other, fact(FactCost, NoIndex, NoIndex, 1)); err != nil {
		t.Fatal(err)
	}
	facts, err := b.db.Facts(t.Context(), r, "")
	if err != nil || len(facts) != 2 {
		t.Fatal(facts, err)
	}
	var got body
	if err := facts[0].Decode(&got); err != nil || !cmp.Equal(got, want) {
		t.Errorf("%v", err)
	}
	if f := facts[1]; f.Seq != 2 || f.Kind != FactProbe || f.Model != 0 || f.Posture != NoIndex || !f.Taken.Equal(at) {
		t.Errorf("%+v", f)
	}
	if some, err := b.db.Facts(t.Context(), r, FactProbe); err != nil || len(some) != 1 || some[0].Seq != 2 {
		t.Errorf("%v %v", some, err)
	}
	if size := len(two[0].body); size > 2000 {
		t.Errorf("%d bytes for repeated text", size)
	}
	// Nothing of a refused batch stays.
	for name, bad := range map[string]Fact{"a model that is not there": fact(FactReady, 1, 0, 1), "a posture": fact(FactReady, 0, 1, 1), "not made by NewFact": {Kind: "x"}, "no kind": fact("", 0, 0, 1)} {
		if err := b.db.AddFacts(t.Context(), r, fact(FactCost, 0, 0, 1), bad); KindOf(err) != Misuse {
			t.Errorf("%s: %v", name, err)
		}
	}
	if facts, _ := b.db.Facts(t.Context(), r, ""); len(facts) != 2 {
		t.Errorf("%d facts stay", len(facts))
	}
	if _, err := NewFact("x", 0, 0, at, strings.Repeat("x", MaxFact)); KindOf(err) != TooLarge {
		t.Errorf("a giant: %v", err)
	}
	if _, err := NewFact("x", 0, 0, at, func() {}); KindOf(err) != Misuse {
		t.Errorf("no JSON: %v", err)
	}
	damaged := facts[0]
	damaged.body = append([]byte{}, damaged.body...)
	damaged.body[len(damaged.body)/2] ^= 1
	if err := damaged.Decode(&got); KindOf(err) != Corrupt {
		t.Errorf("a damaged fact: %v", err)
	}
	if err := facts[1].Decode(&got); KindOf(err) != Corrupt {
		t.Errorf("a fact of another form: %v", err)
	}
}
