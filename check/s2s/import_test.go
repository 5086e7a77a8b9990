package s2s

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/assaybench/assay/bench"
	"github.com/assaybench/assay/check"
	"github.com/assaybench/assay/check/strictjson"
	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/sandbox"
	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	sandbox.Main()
	goleak.VerifyTestMain(m)
}

// seed reads the published file, which is not part of this repository.
func seed(t *testing.T) []byte {
	t.Helper()
	found, _ := filepath.Glob(filepath.FromSlash("../../../shared/seeds/000_*.txt"))
	for _, name := range found {
		data, err := os.ReadFile(name)
		if err == nil {
			return data
		}
	}
	t.Skip("the published file is not beside this repository (../shared/seeds)")
	return nil
}

// synthetic are fixtures of the names and counts that the published items expect.
func synthetic() fstest.MapFS {
	file := func(s string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(s)} }
	return fstest.MapFS{
		"passages/p1-dominoes-sets.txt":    file("Twenty-eight pieces.\n"),
		"passages/p2-backgammon-board.txt": file("Fifteen men.\n"),
		"passages/p3-billiards-table.txt":  file("Ten feet.\n"),
		"longctx/ctx8k.txt":                file("A long document.\n"),
		"longctx/ctx24k.txt":               file("A longer document.\n"),
		"sandbox/inventory.csv":            file("sku,name,material,qty\nA,b,brass,1\n"),
		"sandbox/logs.txt":                 file(strings.Repeat("a - b 500 1\n", 10)),
	}
}

// withFixtures are the items of the published set that need a file.
var withFixtures = []string{"c2-ctx-24k", "c2-ctx-8k", "c2-hon-3", "c2-json-1", "c2-json-2", "c2-re-1", "c2-sh-1", "c2-sum-1", "c2-sum-2", "c2-sum-3"}

func load(t *testing.T, files map[string][]byte) *check.Set {
	t.Helper()
	b, err := bench.Load(newTree(files), "test")
	if err != nil {
		t.Fatal(err)
	}
	set, err := check.Compile(b)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

func blocked(r Report) []string {
	var out []string
	for _, b := range r.CannotRun {
		out = append(out, b.Item)
	}
	return out
}

func TestImportPublishedFile(t *testing.T) {
	data := seed(t)
	files, r, err := Import(data, synthetic())
	if err != nil {
		t.Fatal(err)
	}
	if r.Bench != "chair-trials-s2s@2026-08-13" || r.Items != 22 || r.Frozen != 20 || r.Exact != 13 || r.Proxy != 7 || len(r.CannotRun) != 0 {
		t.Errorf("the report is %+v", r)
	}
	if string(files[OriginFile]) != string(data) {
		t.Error("the imported bytes are not kept")
	}
	var lost []string
	for _, w := range r.Warnings {
		if item, _, ok := strings.Cut(strings.TrimPrefix(w, "item "), ": the prompt ends in a bare \"ANSWER:\""); ok {
			lost = append(lost, item)
		}
	}
	if diff := cmp.Diff([]string{"c2-num-1", "c2-num-2", "c2-num-3"}, lost); diff != "" || len(r.Warnings) != 4 {
		t.Errorf("warnings %q", r.Warnings)
	}

	set := load(t, files)
	b := set.Bench()
	if b.Counts == nil || *b.Counts != (bench.Counts{Frozen: 20, Drafted: 22, Exact: 13, Proxy: 7}) {
		t.Errorf("counts %+v", b.Counts)
	}
	quotas := map[string]int{}
	for _, f := range b.Families {
		quotas[f.ID] = f.Quota
	}
	want := map[string]int{"constraint-writing": 4, "faithful-summary": 2, "json-extraction": 2, "arithmetic-date-unit": 3, "tone-rewrite": 1, "shell-regex": 2,
		"longctx-find-the-fact": 2, "false-premise-honesty": 4}
	if diff := cmp.Diff(want, quotas); diff != "" {
		t.Error(diff)
	}
	got := map[string]int{}
	exact, frozen := 0, 0
	for h := range set.Heads() {
		if h.Frozen {
			frozen++
			got[h.Family]++
			if h.Basis == record.Exact {
				exact++
			}
		}
	}
	if diff := cmp.Diff(want, got); diff != "" || frozen != 20 || exact != 13 {
		t.Errorf("%d frozen, %d exact, by family:\n%s", frozen, exact, diff)
	}
	p := b.Protocol
	plain, _ := p.Posture("plain")
	thinking, _ := p.Posture("thinking")
	if *p.Temperature != 0 || *p.TopP != 1 || p.Repeats != 2 || p.PassRule != "all" || p.Context != 32768 || p.DefaultPosture != "plain" || plain.Thinking != "off" ||
		plain.MaxOutput != 1536 || plain.Timeout.Seconds() != 240 || thinking.Thinking != "on" || thinking.MaxOutput != 4096 || thinking.Timeout.Seconds() != 600 ||
		!slices.Equal(thinking.Models, []string{"muse-glimmer:30b-q8_0-dflash", "gemma4:26b"}) {
		t.Errorf("the protocol is %+v", p)
	}
	if b.Origin.Get("file_sha256").Text != digest(data) || b.Origin.Get("sha256").Text != "dd63efa94bdebc878e1dc1c1065913892d8eb7cf16026642ff9fd0bae470d50c" ||
		b.Origin.Get("artifact").Text != "assistant-c2.json" || b.Origin.Get("dataset").Text != "chair-trials-assistant-items" || b.Licence != "CC BY 4.0" || b.NotAStandard == "" || b.Contamination == "" || len(b.Limits) != 2 {
		t.Error("what the file says of itself was not carried over")
	}

	// The prompts, expectations and notes, byte for byte, against an independent reading of the file.
	v, err := strictjson.Parse(string(data))
	if err != nil {
		t.Fatal(err)
	}
	for _, it := range v.Get("items").Values {
		id := it.Get("id").Text
		raw, err := b.Item(id)
		if err != nil {
			t.Fatal(err)
		}
		for _, key := range []string{"prompt", "notes", "checker"} {
			if raw.Node.Get(key).Text != it.Get(key).Text {
				t.Errorf("%s: %s is not verbatim:\n%q\n%q", id, key, raw.Node.Get(key).Text, it.Get(key).Text)
			}
		}
		if diff := cmp.Diff(plainValue(it.Get("expect")), raw.Node.Get("expect").Any()); diff != "" {
			t.Errorf("%s: expect: %s", id, diff)
		}
		if raw.Frozen != (it.Get("frozen").Text == "true") || (raw.Basis == record.Proxy) != (it.Get("proxy").Text == "true") || raw.Family != it.Get("category").Text {
			t.Errorf("%s: head %+v", id, raw.Head)
		}
	}

	_, bare, err := Import(data, nil)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(withFixtures, blocked(bare)); diff != "" {
		t.Errorf("without fixtures: %s", diff)
	}
}

// plainValue gives a JSON value as bench.Node.Any would.
func plainValue(v *strictjson.Value) any {
	switch v.Kind {
	case strictjson.Object:
		out := map[string]any{}
		for i, n := range v.Names {
			out[n] = plainValue(v.Values[i])
		}
		return out
	case strictjson.Array:
		out := []any{}
		for _, e := range v.Values {
			out = append(out, plainValue(e))
		}
		return out
	case strictjson.Number:
		return bench.Number(v.Text)
	case strictjson.Bool:
		return v.Text == "true"
	case strictjson.Null:
		return nil
	}
	return v.Text
}

// ours is the shipped bench in the schema: a file with all twenty-two checkers.
func ours(t *testing.T) (data []byte, dir fs.FS) {
	t.Helper()
	dir = os.DirFS(filepath.FromSlash("../../benches/chair-trials"))
	data, _, err := Export(dir, About{})
	if err != nil {
		t.Fatal(err)
	}
	return data, dir
}

// TestImportedRulesJudge holds the rules that an import makes against the shipped bench's own controls: what that bench
// accepts must pass, and where both have the same rules, what it refuses must not. (Elsewhere the shipped rules are
// stricter: whole numbers, one form of a date, at most forty words.)
func TestImportedRulesJudge(t *testing.T) {
	data, dir := ours(t)
	fixtures, err := fs.Sub(dir, "fixtures")
	if err != nil {
		t.Fatal(err)
	}
	files, _, err := Import(data, fixtures)
	if err != nil {
		t.Fatal(err)
	}
	set := load(t, files)
	b, err := bench.Load(dir, "chair-trials")
	if err != nil {
		t.Fatal(err)
	}
	own, err := check.Compile(b)
	if err != nil {
		t.Fatal(err)
	}
	judged, same := 0, 0
	for _, id := range b.IDs() {
		if strings.HasPrefix(id, "c2-sh") || strings.HasPrefix(id, "c2-re") || strings.HasPrefix(id, "c2-hon") {
			continue // these run something, or read markers that only the shipped bench has
		}
		controls, err := own.Controls(id)
		if err != nil {
			t.Fatal(err)
		}
		a, err := own.Explain(id)
		if err != nil {
			t.Fatal(err)
		}
		z, err := set.Explain(id)
		if err != nil {
			t.Fatal(err)
		}
		if slices.Equal(a, z) {
			same++
		}
		for _, c := range controls {
			v, err := set.Grade(context.Background(), id, record.Transcript{Outcome: record.Answered, Answer: c.Answer})
			if err != nil {
				t.Fatal(err)
			}
			if c.Accept && !v.Pass || !c.Accept && v.Pass && slices.Equal(a, z) {
				t.Errorf("%s, control %s: pass is %v: %+v", id, c.Name, v.Pass, v.Findings)
			}
			judged++
		}
	}
	if judged < 100 || same < 4 {
		t.Errorf("only %d controls were judged, and %d items have the same rules", judged, same)
	}
}

func TestImportedRulesInWords(t *testing.T) {
	data, dir := ours(t)
	fixtures, _ := fs.Sub(dir, "fixtures")
	files, _, err := Import(data, fixtures)
	if err != nil {
		t.Fatal(err)
	}
	set := load(t, files)
	for id, want := range map[string][]string{
		"c2-cw-1":    {"exactly 4 sentences", `begins with "B"`, `none of "dog", upper or lower case`},
		"c2-cw-2":    {"exactly 30 words", `"lantern", "tide" and "ledger" as whole words, each exactly 1 times`, `no character ","`},
		"c2-cw-3":    {"exactly 3 lines", `each line begins with "- "`, `at most 8 words after "- "`, "class digit"},
		"c2-cw-4":    {"exactly 2 sentences", `no character "e" (upper or lower case)`, `contains "night"`},
		"c2-sum-1":   {"at most 60 words", `at least one of "28" or "twenty-eight"; contains at least one of`, `none of "ivory"`},
		"c2-json-2":  {`"home_table_points" = the list ["ace", "deuce", "trey", "four", "five", "six"] in this order (upper or lower case)`, `"dice_per_player" = the integer 2`},
		"c2-num-1":   {"the number 71.5"},
		"c2-num-2":   {"the date 2026-04-12 and the weekday Sunday, in any usual form"},
		"c2-num-3":   {"the number 6.69, give or take 0.005 (bounds included)"},
		"c2-ctx-24k": {`contains "37" and "1893", upper or lower case`},
		"c2-hon-2":   {`"1852"`, `the list "correction_markers" (25 texts)`, `"anachronis"`, `none of "first objection"`},
		"c2-tone-1":  {"60 to 140 words", `"5512", "48.20" and "march 3"`, `at least one of "sorry"`},
		"c2-tone-2":  {"40 to 90 words", `no character "!"`},
	} {
		lines, err := set.Explain(id)
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range want {
			if !strings.Contains(strings.Join(lines, "\n"), w) {
				t.Errorf("%s: %q is not said in %q", id, w, lines)
			}
		}
	}
	if list := set.Bench().Lists["correction_markers"]; len(list) != 25 || list[0] != "there is no" {
		t.Errorf("the list of correction markers is %q", list)
	}
	// "The limit of 40 words is ours": the published rule had the required substrings only.
	for _, id := range []string{"c2-ctx-8k", "c2-ctx-24k"} {
		if lines, _ := set.Explain(id); len(lines) != 1 || strings.Contains(lines[0], "longer ones") {
			t.Errorf("%s has more than the published rule: %q", id, lines)
		}
	}
}

func TestImportHardensTheShellItem(t *testing.T) {
	files, _, err := Import([]byte(small(`{"id":"x-1","category":"f","proxy":false,"frozen":true,"checker":"check_c2_sh_1","fixture":"box/inventory.csv",
		"prompt":"Count the rows of inventory.csv whose third field is brass.","expect":{"stdout":"9","timeout_s":7},"notes":null}`)),
		fstest.MapFS{"box/inventory.csv": {Data: []byte("a,b,brass,1\n")}, "box/other.txt": {Data: []byte("x")}})
	if err != nil {
		t.Fatal(err)
	}
	lines, err := load(t, files).Explain("x-1")
	if err != nil || len(lines) != 1 || !strings.Contains(lines[0], `prints "9" in a copy of box (white space trimmed; 7s each); 2 further folders are run as a diagnostic`) {
		t.Errorf("%q, %v", lines, err)
	}
	for _, h := range hardened {
		n := 0
		for l := range strings.Lines(string(files["fixtures/"+h.folder+"/inventory.csv"])) {
			if f := strings.Split(strings.TrimSuffix(l, "\n"), ","); len(f) != 4 {
				t.Errorf("%s: %q has %d fields", h.folder, l, len(f))
			} else if f[2] == "brass" {
				n++
			}
		}
		if fmt.Sprint(n) != h.stdout || h.stdout == "4" {
			t.Errorf("%s has %d rows of brass, and %s is expected", h.folder, n, h.stdout)
		}
	}
	if string(files["fixtures/box/other.txt"]) != "x" {
		t.Error("the folder was not copied whole")
	}

	other, _, err := Import([]byte(small(`{"id":"x-1","category":"f","proxy":false,"frozen":true,"checker":"check_c2_sh_1","fixture":"box/inventory.csv",
		"prompt":"Count the rows of stock.csv.","expect":{"stdout":"9","timeout_s":7}}`)), nil)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(other["items/x-1.yaml"]), "hardened") {
		t.Error("another question was hardened by folders that do not answer it")
	}
}

// TestHardenedDecidesNothing runs lines on an imported shell item: a constant answer passes the published rule, as it did
// where it was published, and the diagnostic shows it up.
func TestHardenedDecidesNothing(t *testing.T) {
	box, err := sandbox.Open(t.Context(), sandbox.Options{Dir: t.TempDir()})
	if err != nil {
		t.Skip("no sandbox on this machine: ", err)
	}
	defer box.Close()
	files, _, err := Import([]byte(small(`{"id":"x-1","category":"f","proxy":false,"frozen":true,"checker":"check_c2_sh_1","fixture":"box/inventory.csv",
		"prompt":"Count the rows of inventory.csv whose third field is brass.","expect":{"stdout":"1","timeout_s":7}}`)),
		fstest.MapFS{"box/inventory.csv": {Data: []byte("sku,name,material,qty\na,b,brass,1\nc,brass,tin,2\n")}})
	if err != nil {
		t.Fatal(err)
	}
	set := load(t, files)
	set.Use(box, "")
	for _, c := range []struct {
		line           string
		pass, hardened any
	}{
		{"cut -d, -f3 inventory.csv | grep -cx brass", true, true},
		{`awk -F, 'NR>1 && $3=="brass"' inventory.csv | wc -l`, true, true},
		{"echo 1", true, false},
		{"cut -d, -f3 inventory.csv | grep -c brass", true, false},
		{"grep -c brass inventory.csv", false, nil},
	} {
		v, err := set.Grade(t.Context(), "x-1", record.Transcript{Outcome: record.Answered, Answer: c.line})
		if err != nil {
			t.Fatal(err)
		}
		d, _ := v.Diagnostics["hardened"].(map[string]any)
		if v.Pass != c.pass || d["pass"] != c.hardened {
			t.Errorf("%s: pass %v, hardened %v: %+v", c.line, v.Pass, d, v.Findings)
		}
	}
}

// small is a file with the given items and nothing that need not be there.
func small(items string) string {
	return `{"schema":"s2s-bench-v1","exhibit":"small","published_utc":"2026-01-02","licence":"CC0","attribution":"nobody",
		"protocol":{"temperature":0,"repeats":1,"pass_rule":"conjunctive - all","num_ctx":100,"num_predict":10,"timeout_s":5},"items":[` + items + `]}`
}

const okItem = `{"id":"x-1","category":"f","proxy":false,"frozen":true,"checker":"check_c2_num_1","fixture":null,"prompt":"How much?\nANSWER: ","expect":{"value":1.50,"accepted":["1.5","$1.50"]},"notes":"n"}`

func TestImportSmall(t *testing.T) {
	files, r, err := Import([]byte(small(okItem)), nil)
	if err != nil {
		t.Fatal(err)
	}
	if r.Bench != "small-s2s@2026-01-02" || r.Items != 1 || r.Exact != 1 || len(r.Warnings) != 1 {
		t.Errorf("%+v", r)
	}
	b := load(t, files).Bench()
	if p, ok := b.Protocol.Posture("thinking"); ok || b.Protocol.TopP != nil || b.Families[0].Quota != -1 || *b.Counts != (bench.Counts{Frozen: 1, Drafted: 1, Exact: 1}) {
		t.Errorf("made up: %+v, %+v, %+v", p, b.Protocol, b.Families)
	}
	if p := b.Protocol.Postures[0]; p.Thinking != "" {
		t.Errorf("thinking %q was made up", p.Thinking)
	}
}

func TestImportCannotRun(t *testing.T) {
	for _, c := range []struct{ old, new, why string }{
		{"check_c2_num_1", "check_c9", `unknown checker "check_c9"`},
		{"check_c2_num_1", "rules:words+present", `unknown checker "rules:words+present"`},
		{`"notes":"n"`, `"system":"Be brief."`, `unknown key "system" in the item, which may change what is asked`},
		{`"value":1.50`, `"value":1.50,"unit":"kg"`, `unknown key "unit" in expect, which check_c2_num_1 may test`},
	} {
		files, r, err := Import([]byte(small(strings.Replace(okItem, c.old, c.new, 1))), nil)
		if err != nil {
			t.Fatal(err)
		}
		if len(r.CannotRun) != 1 || r.CannotRun[0] != (bench.Blocked{Item: "x-1", Why: c.why}) {
			t.Errorf("%s: %+v", c.new, r.CannotRun)
		}
		if strings.Contains(string(files["items/x-1.yaml"]), "rules:\n") {
			t.Errorf("%s: an item that cannot run has rules", c.new)
		}
		set := load(t, files)
		if diff := cmp.Diff([]bench.Blocked{{Item: "x-1", Why: c.why}}, set.Blocked()); diff != "" {
			t.Errorf("%s: %s", c.new, diff)
		}
		v, err := set.Grade(context.Background(), "x-1", record.Transcript{Outcome: record.Answered, Answer: "ANSWER: 1.5"})
		if err != nil || v.Pass || v.State != record.Ungradable {
			t.Errorf("%s: graded: %+v, %v", c.new, v, err)
		}
	}
}

func TestImportRefuses(t *testing.T) {
	ok := small(okItem)
	cut := func(old, new string) string {
		if !strings.Contains(ok, old) {
			panic("the sample has no " + old)
		}
		return strings.Replace(ok, old, new, 1)
	}
	expect := func(checker, e string) string {
		return small(`{"id":"x-1","category":"f","proxy":false,"frozen":true,"checker":"` + checker + `","prompt":"Do.","expect":` + e + `}`)
	}
	for _, c := range []struct{ name, data, want string }{
		{"empty", "", "the text ends inside the value"},
		{"text behind", ok + "x", "text follows the value"},
		{"duplicate key", cut(`"exhibit":"small"`, `"exhibit":"small","exhibit":"b"`), "a key stands twice at byte"},
		{"duplicate key in an item", cut(`"proxy":false`, `"proxy":false,"proxy":true`), "a key stands twice at byte"},
		{"not UTF-8", cut(`"small"`, "\"sm\xffall\""), "not JSON at byte"},
		{"a list", "[]", "the file (byte 0): an object is wanted, and this is a list"},
		{"schema", cut("s2s-bench-v1", "s2s-bench-v2"), `the file, key "schema" (byte 10): the schema is "s2s-bench-v2", and "s2s-bench-v1" is read here`},
		{"no schema", cut(`"schema":"s2s-bench-v1",`, ""), `the file, key "schema" (byte 0): is missing`},
		{"schema's type", cut(`"s2s-bench-v1"`, `1`), `a string is wanted, and this is a number`},
		{"exhibit", cut(`"small"`, `"Small set"`), `"Small set" cannot be a bench's id`},
		{"date", cut(`"2026-01-02"`, `"yesterday"`), `key "published_utc" (byte`},
		{"no date", cut(`"published_utc":"2026-01-02",`, ""), "one of them becomes the bench's version"},
		{"version", cut(`"licence"`, `"version":"a b","licence"`), `"a b" cannot be a bench's version`},
		{"licence", cut(`"CC0"`, `" "`), `key "licence" (byte`},
		{"limits", cut(`"licence"`, `"limits":["a",3],"licence"`), `a list of strings is wanted, and this entry is a number`},
		{"count", cut(`"licence"`, `"frozen_count":1.5,"licence"`), `a whole number from 0 to 10000 is wanted, and this is 1.5`},
		{"quota", cut(`"licence"`, `"quota_frozen":{"f":"1"},"licence"`), `the file, key "quota_frozen.f" (byte`},
		{"quota's name", cut(`"licence"`, `"quota_frozen":{"../f":1},"licence"`), `cannot be a family's id`},
		{"pass rule", cut("conjunctive - all", "majority"), `the pass rule "majority" is not known`},
		{"repeats", cut(`"repeats":1`, `"repeats":0`), `key "protocol.repeats" (byte`},
		{"temperature", cut(`"temperature":0`, `"temperature":1e9`), `a short number without an exponent is wanted`},
		{"half a posture", cut(`"timeout_s":5`, `"timeout_s":5,"timeout_s_think_true":5`), `goes together with timeout_s_think_true`},
		{"protocol", cut(`"num_ctx":100,`, ""), `the file, key "protocol.num_ctx" (byte`},
		{"no items", small(""), "the list has 0 items"},
		{"an item's type", small("3"), "item number 1 (byte"},
		{"no id", cut(`"id":"x-1",`, ""), `item number 1, key "id" (byte`},
		{"id's type", cut(`"id":"x-1"`, `"id":7`), `item number 1, key "id" (byte`},
		{"id's form", cut(`"id":"x-1"`, `"id":"../x"`), `"../x" cannot be an item's id`},
		{"id twice", small(okItem + "," + okItem), "item x-1 (byte"},
		{"category", cut(`"category":"f"`, `"category":"F g"`), `"F g" cannot be a family's id`},
		{"frozen", cut(`"frozen":true`, `"frozen":"true"`), `item x-1, key "frozen" (byte`},
		{"proxy is null", cut(`"proxy":false`, `"proxy":null`), `item x-1, key "proxy" (byte 276): is null, and a value is wanted`},
		{"prompt", cut(`"How much?\nANSWER: "`, `"\n"`), `item x-1, key "prompt" (byte`},
		{"passage without fixture", cut(`How much?`, `How much? {passage}`), `the prompt holds {passage}, and the item has no fixture`},
		{"fixture without passage", cut(`"fixture":null`, `"fixture":"a.txt"`), ``}, // the fixture is missing, so the item cannot run
		{"fixture", cut(`"fixture":null`, `"fixture":"../a"`), `"../a" is not a path below a folder of fixtures`},
		{"expect", cut(`{"value":1.50,"accepted":["1.5","$1.50"]}`, `[]`), `item x-1, key "expect" (byte`},
		{"expect's key", cut(`"value":1.50,`, ``), `item x-1, key "expect.value" (byte`},
		{"expect's type", cut(`"value":1.50`, `"value":"1.50"`), `a number is wanted, and this is a string`},
		{"accepted", cut(`"$1.50"`, `"$1.60"`), `"$1.60" is not the number 1.50`},
		{"depth", cut(`"value":1.50`, `"value":1.50,"x":`+strings.Repeat("[", 40)+strings.Repeat("]", 40)), "nested more than 24 deep"},
		{"many keys", expect("check_c2_num_1", "{"+manyKeys(2000)+"}"), "an object has more than 1000 keys"},
		{"many families", cut(`"licence"`, `"quota_frozen":{`+manyKeys(2000)+`},"licence"`), "at most 1000 families are read"},
		{"JSON depth", strings.Repeat("[", 5000), "nested more than 200 deep"},
		{"long key", cut(`"value":1.50`, `"value":1.50,"`+strings.Repeat("k", 300)+`":1`), "a key is empty or has more than 200 bytes"},
		{"cw-1", expect("check_c2_cw_1", `{"sentences":0,"start_letter":"B","banned_substring":"dog"}`), `item x-1, key "expect.sentences" (byte`},
		{"cw-1's letter", expect("check_c2_cw_1", `{"sentences":4,"banned_substring":"dog"}`), `item x-1, key "expect.start_letter" (byte`},
		{"cw-2", expect("check_c2_cw_2", `{"words":30,"required_once":[],"banned_chars":[","]}`), `the list is empty`},
		{"cw-2's characters", expect("check_c2_cw_2", `{"words":30,"required_once":["a"],"banned_chars":[",;"]}`), `",;" is not one character`},
		{"cw-3", expect("check_c2_cw_3", `{"lines":3,"prefix":"- ","max_words_per_line":8,"banned":"vowels"}`), `the class "vowels" is not known`},
		{"cw-4", expect("check_c2_cw_4", `{"sentences":2,"banned_letter":"ee","required_substring":"n"}`), `the file makes no bench that can be loaded: items/x-1.yaml:`},
		{"sum", expect("check_c2_sum_1", `{"max_words":6,"required_any_groups":[[]],"fabrication_markers":["a"]}`), "a group is empty"},
		{"json", expect("check_c2_json_1", `{"object":{"a":null}}`), `item x-1, key "expect.object.a" (byte`},
		{"json alias", expect("check_c2_json_1", `{"object":{"a":"b"},"string_aliases":{"c":["d"]}}`), "the object has no string of this name"},
		{"json empty", expect("check_c2_json_1", `{"object":{}}`), "the object has no keys"},
		{"date's weekday", expect("check_c2_num_2", `{"date":"2026-04-12","weekday":"monday"}`), "2026-04-12 is a Sunday"},
		{"tolerance", expect("check_c2_num_3", `{"accepted":["1"],"value":1,"tolerance":-1}`), "a number of at least 0"},
		{"tone", expect("check_c2_tone_1", `{"min_words":1,"max_words":2,"must_keep":["a"],"banned_phrases":["b"],"invention_markers":["c"]}`), `item x-1, key "expect.warmth_markers" (byte`},
		{"tone-2", expect("check_c2_tone_2", `{"min_words":1,"max_words":2,"must_keep":["a"],"banned_phrases":["b"],"invention_markers":["c"]}`), `item x-1, key "expect.banned_chars" (byte`},
		{"shell without folder", expect("check_c2_sh_1", `{"stdout":"4","timeout_s":1}`), "runs the reply in the fixture's folder"},
		{"regex without fixture", expect("check_c2_re_1", `{"matching_line_numbers":[1],"total_lines":1,"timeout_s":1}`), "searches the fixture's lines"},
		{"honesty", expect("check_c2_hon_1", `{"false_premise":"x","fabrication_markers":[]}`), "the list is empty"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, _, err := Import([]byte(c.data), nil)
			if c.want == "" {
				if err != nil {
					t.Errorf("refused: %v", err)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, wanted %q", err, c.want)
			}
		})
	}
	if _, _, err := Import(make([]byte, MaxFile+1), nil); err == nil || !strings.Contains(err.Error(), "at most") {
		t.Errorf("a huge file: %v", err)
	}
	regex := small(`{"id":"x-1","category":"f","proxy":false,"frozen":true,"checker":"check_c2_re_1","fixture":"l.txt","prompt":"Do.","expect":{"matching_line_numbers":[2,1],"total_lines":2,"timeout_s":1}}`)
	if _, _, err := Import([]byte(regex), nil); err == nil || !strings.Contains(err.Error(), "line numbers in rising order") {
		t.Errorf("lines out of order: %v", err)
	}
	many := small(strings.Repeat(`{"id":3},`, 200) + "3")
	if _, _, err := Import([]byte(many), nil); err == nil || strings.Count(err.Error(), "\n") != maxFaults || !strings.HasSuffix(err.Error(), "more faults follow") {
		t.Errorf("faults are not bounded: %v", err)
	}
}

func manyKeys(n int) string {
	keys := make([]string, n)
	for i := range keys {
		keys[i] = fmt.Sprintf(`"k%d":1`, i)
	}
	return strings.Join(keys, ",")
}

func TestImportWarns(t *testing.T) {
	data := strings.Replace(small(okItem), `"licence"`, `"frozen_count":2,"proxy_items":1,"quota_frozen":{"f":3},"colour":"red","licence"`, 1)
	data = strings.Replace(data, `"timeout_s":5`, `"timeout_s":5,"seed":4,"postures":"think:true for a:1"`, 1)
	_, r, err := Import([]byte(data), nil)
	if err != nil {
		t.Fatal(err)
	}
	all := strings.Join(r.Warnings, "\n")
	for _, w := range []string{"frozen_count says 2, and the items are 1", "proxy_items says 1, and the items are 0", "quota_frozen says 3 for f, and the frozen items are 1",
		`the key "colour" is not known here`, `the key "protocol.seed" is not known here`, "gives no limits for it"} {
		if !strings.Contains(all, w) {
			t.Errorf("%q is not among %q", w, r.Warnings)
		}
	}
}

func TestImportFixtures(t *testing.T) {
	data := []byte(small(okItem))
	for _, c := range []struct {
		name string
		fsys fs.FS
		want string
	}{
		{"link", fstest.MapFS{"a": {Data: []byte("x"), Mode: fs.ModeSymlink}}, "the fixture a is not a plain file"},
		{"our folder", fstest.MapFS{"hardened-1/x": {}}, "has a name that the import uses"},
		{"our folder as a file", fstest.MapFS{"hardened-2": {}}, "has a name that the import uses"},
		{"backslash", fstest.MapFS{`a\b`: {}}, "a backslash, a line break or a NUL"},
		{"unreadable", broken{}, "the fixtures cannot be read"},
	} {
		if _, _, err := Import(data, c.fsys); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	regex := []byte(small(`{"id":"x-1","category":"f","proxy":false,"frozen":true,"checker":"check_c2_re_1","fixture":"l.txt","prompt":"Do.","expect":{"matching_line_numbers":[2],"total_lines":2,"timeout_s":1}}`))
	if _, _, err := Import(regex, fstest.MapFS{"l.txt": {Data: []byte("one line\n")}}); err == nil || !strings.Contains(err.Error(), "l.txt has 1 lines, and the item says 2") {
		t.Errorf("a log of another length: %v", err)
	}
	if _, r, err := Import(regex, fstest.MapFS{"l.txt": {Data: []byte("a\nb\n")}}); err != nil || len(r.CannotRun) != 0 {
		t.Errorf("a log of the right length: %v, %+v", err, r.CannotRun)
	}
}

type broken struct{}

func (broken) Open(string) (fs.File, error) { return nil, errors.New("the disk is gone") }

func FuzzImport(f *testing.F) {
	f.Add([]byte(small(okItem)))
	f.Add([]byte(small(strings.Replace(okItem, "num_1", "num_9", 1))))
	f.Add([]byte(`{"schema":"s2s-bench-v1"}`))
	f.Fuzz(importHolds)
}

// FuzzImportItem puts any prompt and any expect before any checker, which random bytes seldom reach.
func FuzzImportItem(f *testing.F) {
	for checker, expect := range map[string]string{
		"check_c2_cw_1":   `{"sentences":4,"start_letter":"B","banned_substring":"dog"}`,
		"check_c2_cw_2":   `{"words":30,"required_once":["lantern"],"banned_chars":[","]}`,
		"check_c2_cw_3":   `{"lines":3,"prefix":"- ","max_words_per_line":8,"banned":"digits"}`,
		"check_c2_cw_4":   `{"sentences":2,"banned_letter":"e","required_substring":"night"}`,
		"check_c2_sum_1":  `{"max_words":6,"required_any_groups":[["28","x"],["y"]],"fabrication_markers":["a"]}`,
		"check_c2_json_1": `{"object":{"a":"b","c":["d"],"e":1,"f":true,"g":1.5},"string_aliases":{"a":["x"]}}`,
		"check_c2_num_2":  `{"date":"2026-04-12","weekday":"sunday"}`,
		"check_c2_num_3":  `{"accepted":["6.69"],"value":6.69,"tolerance":0.005}`,
		"check_c2_hon_2":  `{"false_premise":"x","extra_correction_markers":["1852","incorrect"],"fabrication_markers":["first"]}`,
		"check_c2_re_1":   `{"matching_line_numbers":[1,2],"total_lines":3,"timeout_s":1}`,
		"check_c2_sh_1":   `{"stdout":"4","timeout_s":15}`,
		"check_c2_tone_1": `{"min_words":1,"max_words":2,"must_keep":["a"],"banned_phrases":["b"],"warmth_markers":["d"],"invention_markers":["c"]}`,
		"check_c2_tone_2": `{"min_words":1,"max_words":2,"must_keep":["a"],"banned_phrases":["b"],"banned_chars":["!"],"invention_markers":["c"]}`,
		"check_c2_ctx_8k": `{"required_all":["212"]}`,
	} {
		f.Add(checker, "Do: \r\n\tx\nANSWER: ", expect, "dir/l.txt")
	}
	f.Fuzz(func(t *testing.T, checker, prompt, expect, fixture string) {
		item, err := writeJSON(mapping{{"id", text("x-1")}, {"category", text("f")}, {"proxy", boolean(false)}, {"frozen", boolean(true)}, {"checker", text(checker)},
			{"prompt", text(prompt)}, {"fixture", text(fixture)}, {"expect", plain(expect)}})
		if err != nil {
			return // the expect is not JSON
		}
		importHolds(t, []byte(small(string(item))))
	})
}

// importHolds: an import fails in words, or makes a bench that loads and gives the file back.
func importHolds(t *testing.T, data []byte) {
	files, r, err := Import(data, nil)
	if err != nil {
		if files != nil || strings.TrimSpace(err.Error()) == "" {
			t.Fatalf("an error with files, or without words: %q", err)
		}
		return
	}
	if len(files) < 3 || r.Items < 1 || string(files[OriginFile]) != string(data) {
		t.Fatalf("%d files, report %+v", len(files), r)
	}
	back, lossy, err := Export(newTree(files), About{})
	if err != nil || len(lossy) != 0 || string(back) != string(data) {
		t.Fatalf("not given back: %v", err)
	}
}
