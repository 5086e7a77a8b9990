package store

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/assaybench/assay/record"
)

func TestRowsFollowFromTries(t *testing.T) {
	b := setup(t)
	r := b.run("r1", 8)
	b.record(r, Batch{Tries: []Try{
		b.try(0, 1, record.Answered, "one"),
		b.try(1, 1, record.Error, ""),
		b.try(2, 1, record.Error, ""), b.try(2, 2, record.Answered, "two"),
		b.try(3, 1, record.Truncated, "cut"),
		b.try(4, 1, record.Answered, "four"),
		b.try(5, 1, record.Refused, ""),
		b.try(6, 1, record.Undelivered, ""),
	}})
	b.record(r, Batch{Verdicts: []Verdict{
		b.verdict(0, "g", record.LetterPass, record.Graded),
		b.verdict(2, "g", record.LetterWrong, record.Graded),
		b.verdict(3, "g", record.LetterWrong, record.Graded),
	}})
	var got []string
	for row, err := range b.db.Rows(t.Context(), r, "g") {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, fmt.Sprintf("%d %s %s %s try %d pass %v", row.N, row.Key.Item, row.Outcome, row.Letter, row.Try, row.Pass))
	}
	want := []string{
		"0 i000 answered . try 1 pass true",
		"1 i001 error E try 1 pass false",
		"2 i002 answered F try 2 pass false",
		"3 i003 truncated C try 1 pass false",
		"4 i004 answered ? try 1 pass false",
		"5 i005 refused R try 1 pass false",
		"6 i006 undelivered D try 1 pass false",
		"7 i007  - try 0 pass false",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	tally, err := b.db.Tally(t.Context(), r, "g")
	if err != nil {
		t.Fatal(err)
	}
	figures := map[string][2]int{
		"planned": {tally.Planned(), 8}, "done": {tally.Done(), 6}, "error": {tally.Outcome(record.Error), 1}, "missing": {tally.Outcome(""), 1},
		"answered": {tally.Outcome(record.Answered), 3}, "exact pass": {tally.Letter(record.Exact, "."), 1}, "proxy pass": {tally.Letter(record.Proxy, "."), 0},
		"exact wrong": {tally.Letter(record.Exact, "F"), 1}, "exact ?": {tally.Letter(record.Exact, "?"), 1},
	}
	for name, f := range figures {
		if f[0] != f[1] {
			t.Errorf("%s: got %d, want %d", name, f[0], f[1])
		}
	}
	pending, err := b.db.Pending(t.Context(), r, -1, 10)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]Task{
		{N: 1, Key: record.Key{Model: "p/m", Posture: "plain", Item: "i001", Repeat: 1}, Family: "f", Basis: record.Proxy, Tries: 1},
		{N: 7, Key: record.Key{Model: "p/m", Posture: "plain", Item: "i007", Repeat: 1}, Family: "f", Basis: record.Proxy},
	}, pending); d != "" {
		t.Error(d)
	}
	if p, _ := b.db.Pending(t.Context(), r, 1, 10); len(p) != 1 || p[0].N != 7 {
		t.Errorf("after 1: %v, want attempt 7", p)
	}
	ungraded, err := b.db.Ungraded(t.Context(), r, "g", false, -1, 10)
	if err != nil || len(ungraded) != 1 || ungraded[0].N != 4 {
		t.Errorf("ungraded: %v, %v, want attempt 4", ungraded, err)
	}
	if other, _ := b.db.Ungraded(t.Context(), r, "another", false, -1, 10); len(other) != 4 {
		t.Errorf("ungraded under another grader: %d attempts, want 4", len(other))
	}
	tries, err := b.db.Tries(t.Context(), r, 2)
	if err != nil || len(tries) != 2 || tries[0].Outcome != record.Error || tries[1].Outcome != record.Answered {
		t.Errorf("tries of 2: %v, %v", tries, err)
	}
}

func TestRowsAcrossPages(t *testing.T) {
	b := setup(t)
	const n = 2*pageRows + 1
	r := b.run("r1", n)
	count := 0
	for row, err := range b.db.Rows(t.Context(), r, "g") {
		if err != nil {
			t.Fatal(err)
		}
		if row.N != count {
			t.Fatalf("row %d has the number %d", count, row.N)
		}
		count++
	}
	if count != n {
		t.Errorf("%d rows, want %d", count, n)
	}
}

func TestExactlyOnceByKey(t *testing.T) {
	b := setup(t)
	r := b.run("r1", 5)
	b.record(r, Batch{Tries: []Try{b.try(0, 1, record.Answered, "a"), b.try(1, 1, record.Error, "")}, Verdicts: []Verdict{b.verdict(0, "g", ".", record.Graded)}})
	tests := []struct {
		name  string
		batch Batch
		want  Kind
	}{
		{"the same final try", Batch{Tries: []Try{b.try(0, 1, record.Answered, "a")}}, Duplicate},
		{"a second final try", Batch{Tries: []Try{b.try(0, 2, record.Truncated, "b")}}, Duplicate},
		{"an error after the final try", Batch{Tries: []Try{b.try(0, 2, record.Error, "")}}, Duplicate},
		{"the same error try", Batch{Tries: []Try{b.try(1, 1, record.Error, "")}}, Duplicate},
		{"two final tries in one batch", Batch{Tries: []Try{b.try(2, 1, record.Answered, "a"), b.try(2, 2, record.Answered, "a")}}, Duplicate},
		{"an attempt that was not planned", Batch{Tries: []Try{b.try(9, 1, record.Answered, "a")}}, Misuse},
		{"an unknown outcome", Batch{Tries: []Try{b.try(2, 1, "odd", "a")}}, Misuse},
		{"a try that was not made by NewTry", Batch{Tries: []Try{{N: 2}}}, Misuse},
		{"a second verdict", Batch{Verdicts: []Verdict{b.verdict(0, "g", "F", record.Graded)}}, Duplicate},
		{"a verdict before the transcript", Batch{Verdicts: []Verdict{b.verdict(2, "g", "F", record.Graded)}}, Misuse},
		{"a verdict of an error", Batch{Verdicts: []Verdict{b.verdict(1, "g", "F", record.Graded)}}, Misuse},
		{"a pass of a truncated answer", Batch{Tries: []Try{b.try(3, 1, record.Truncated, "a")}, Verdicts: []Verdict{b.verdict(3, "g", ".", record.Graded)}}, Misuse},
		{"a verdict without a grader", Batch{Verdicts: []Verdict{b.verdict(0, "", "F", record.Graded)}}, Misuse},
	}
	before := dump(t, b.db)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			// A good try first: nothing of a refused batch may stay.
			tt.batch.Tries = append([]Try{b.try(4, 1, record.Answered, "good")}, tt.batch.Tries...)
			wantKind(t, b.db.Record(t.Context(), r, tt.batch), tt.want)
			if d := cmp.Diff(before, dump(t, b.db)); d != "" {
				t.Errorf("the refused batch changed rows:\n%s", d)
			}
		})
	}
}

// dump counts every table's rows.
func dump(t *testing.T, db *DB) map[string]int {
	t.Helper()
	out := map[string]int{}
	for _, table := range []string{"runs", "attempts", "tries", "transcripts", "sets", "verdicts", "verdict_bodies", "facts"} {
		var n int
		if err := db.r.QueryRowContext(t.Context(), "SELECT count(*) FROM "+table).Scan(&n); err != nil {
			t.Fatal(err)
		}
		out[table] = n
	}
	return out
}

func TestUngradableHealsUnderTheSameGrader(t *testing.T) {
	b := setup(t)
	r := b.run("r1", 1)
	b.record(r, Batch{Tries: []Try{b.try(0, 1, record.Answered, "a")}})
	b.record(r, Batch{Verdicts: []Verdict{b.verdict(0, "g", record.LetterUngradable, record.Ungradable)}})
	if u, _ := b.db.Ungraded(t.Context(), r, "g", false, -1, 9); len(u) != 0 {
		t.Errorf("an ungradable verdict is a verdict: %v", u)
	}
	if u, _ := b.db.Ungraded(t.Context(), r, "g", true, -1, 9); len(u) != 1 {
		t.Errorf("to heal: %v, want one", u)
	}
	b.record(r, Batch{Verdicts: []Verdict{b.verdict(0, "g", record.LetterPass, record.Graded)}})
	b.record(r, Batch{Verdicts: []Verdict{b.verdict(0, "g2", record.LetterWrong, record.Graded)}})
	for grader, want := range map[string]string{"g": ".", "g2": "F"} {
		body, err := b.db.VerdictJSON(t.Context(), r, 0, grader)
		if err != nil {
			t.Fatal(err)
		}
		v, err := DecodeVerdict(body)
		if err != nil || string(v.Letter) != want {
			t.Errorf("%s: letter %q (%v), want %q", grader, v.Letter, err, want)
		}
	}
	if d := dump(t, b.db); d["verdict_bodies"] != 2 || d["verdicts"] != 2 {
		t.Errorf("verdicts %d, bodies %d; want 2 and 2", d["verdicts"], d["verdict_bodies"])
	}
	sets, err := b.db.Sets(t.Context(), r)
	if err != nil || len(sets) != 2 || sets[0].Grader != "g" || sets[1].Grader != "g2" || sets[0].Created.UnixNano() != 7 {
		t.Errorf("sets: %v, %v", sets, err)
	}
	if _, err := b.db.VerdictJSON(t.Context(), r, 0, "g3"); KindOf(err) != NotFound {
		t.Errorf("a set that is not there: %v", err)
	}
}

func TestFindRun(t *testing.T) {
	b := setup(t)
	if _, err := b.db.FindRun(t.Context(), "latest"); KindOf(err) != NotFound {
		t.Errorf("latest of none: %v", err)
	}
	b.run("aa11", 1)
	b.run("aa22", 1)
	b.run("ab", 1)
	b.run("abc", 1)
	tests := []struct {
		ref, id string
		kind    Kind
	}{
		{"aa11", "aa11", ""}, {"aa2", "aa22", ""}, {"latest", "abc", ""}, {"ab", "ab", ""}, {"abc", "abc", ""},
		{"aa", "", Ambiguous}, {"x", "", NotFound}, {"", "", NotFound}, {"aa11x", "", NotFound}, {"%", "", NotFound}, {"a_11", "", NotFound},
	}
	for _, tt := range tests {
		r, err := b.db.FindRun(t.Context(), tt.ref)
		if KindOf(err) != tt.kind {
			t.Errorf("%q: %v, want the kind %q", tt.ref, err, tt.kind)
		} else if err == nil && r.ID != tt.id {
			t.Errorf("%q finds %q, want %q", tt.ref, r.ID, tt.id)
		}
	}
	wantKind(t, b.db.CreateRun(t.Context(), &Run{ID: "ab", Created: time.Unix(1, 0), Plan: Plan{Protocol: []byte("{}")}}, attempts(0)), Duplicate)
	r, err := b.db.FindByRequest(t.Context(), "req")
	if err != nil || r.ID != "abc" {
		t.Errorf("newest by request: %v, %v", r, err)
	}
	var ids []string
	for r, err := range b.db.Runs(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, r.ID)
	}
	if got := strings.Join(ids, " "); got != "abc ab aa22 aa11" {
		t.Errorf("runs: %s", got)
	}
}

func TestCreateRunIsWhole(t *testing.T) {
	b := setup(t)
	r := &Run{ID: "r", Created: time.Unix(1, 0), Plan: Plan{Protocol: []byte("{}"), Postures: []string{"plain"}, Models: []PlanModel{{Name: "m"}}, Attempts: 3}}
	wantKind(t, b.db.CreateRun(t.Context(), r, attempts(2)), Misuse)
	r.Plan.Models = nil
	wantKind(t, b.db.CreateRun(t.Context(), r, attempts(3)), Misuse)
	if d := dump(t, b.db); d["runs"] != 0 || d["attempts"] != 0 {
		t.Errorf("a refused plan left rows: %v", d)
	}
}

func TestPlanAndIdentitiesRoundTrip(t *testing.T) {
	b := setup(t)
	r := b.run("r1", 2)
	r.Plan.MaxTime = 90e9
	r2 := &Run{ID: "r2", Created: r.Created.Add(time.Second), Request: "q", Plan: r.Plan}
	r2.Plan.Families, r2.Plan.Face, r2.Plan.Only, r2.Plan.Flags, r2.Plan.PosturesChosen = []PlanFamily{{ID: "f", Title: "F"}}, []string{"a notice"}, []string{"x"}, []string{"unsafe-no-sandbox"}, []string{"plain"}
	if err := b.db.CreateRun(t.Context(), r2, attempts(2)); err != nil {
		t.Fatal(err)
	}
	back, err := b.db.FindRun(t.Context(), "r2")
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(r2, back, cmp.AllowUnexported(Run{})); d != "" {
		t.Error(d)
	}
	id := Identity{Model: 0, Phase: "start", Taken: time.Unix(5, 0).UTC(), Identity: record.Identity{Model: "m", Digest: "sha", Server: "s 1", Details: map[string]string{"ctx": "1"}}}
	if err := b.db.SetIdentity(t.Context(), back, id); err != nil {
		t.Fatal(err)
	}
	ids, err := b.db.Identities(t.Context(), back)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]Identity{id}, ids); d != "" {
		t.Error(d)
	}
}

func TestTranscriptKeepsEveryByte(t *testing.T) {
	b := setup(t)
	r := b.run("r1", 6)
	big := strings.Repeat("long text \u00e9 ", 20_000)
	for n, answer := range []string{"plain", "caf\xe9 \xff\xfe", "", "nul\x00 and \u2028", big, "\ufeffbom"} {
		want := record.Transcript{Outcome: record.Answered, Answer: answer, Thinking: answer + "\xc3", Reason: "r", Finish: "stop", Delivery: record.Delivery{State: "delivered"},
			Calls: []record.Exchange{{Endpoint: "POST x", RequestBody: []byte("\x00\x01"), ResponseBody: []byte(answer), Status: 200,
				ResponseHeader: map[string][]string{"X": {"y"}}, Started: time.Unix(3, 4).UTC(), Elapsed: 9}}}
		if len(answer) == 0 {
			want.Calls[0].ResponseBody = []byte{}
		}
		try, err := NewTry(n, 1, want)
		if err != nil {
			t.Fatal(err)
		}
		b.record(r, Batch{Tries: []Try{try}})
		for _, k := range []int{0, 1} {
			got, err := b.db.Transcript(t.Context(), r, n, k)
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(want, got) {
				t.Errorf("attempt %d: got %.1000v, want %.1000v", n, got, want)
			}
		}
	}
	if _, err := b.db.Transcript(t.Context(), r, 0, 2); KindOf(err) != NotFound {
		t.Errorf("a try that is not there: %v", err)
	}
}
