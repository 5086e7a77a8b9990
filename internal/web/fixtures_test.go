package web_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/assaybench/assay/bench"
	"github.com/assaybench/assay/contract/tasks"
	"github.com/assaybench/assay/grade"
	"github.com/assaybench/assay/internal/web"
	"github.com/assaybench/assay/internal/web/viewtest"
	"github.com/assaybench/assay/qualify"
	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/store"
	"github.com/assaybench/assay/world"
)

// made is an attempt to be recorded.
type made struct {
	item, family string
	t            record.Transcript
	v            *record.Verdict
}

// keep records a run of one model and one repeat.
func (s *served) keep(id string, p store.Plan, list []made) {
	s.Helper()
	p.Items, p.Attempts, p.Repeats = len(list), len(list), 1
	p.Models = p.Models[:1]
	r := &store.Run{ID: id, Created: time.Date(2026, 5, 4, 3, 2, 1, 0, time.UTC), Request: id, Plan: p}
	var planned []store.Attempt
	var b store.Batch
	for n, m := range list {
		planned = append(planned, store.Attempt{Repeat: 1, Item: m.item, Family: m.family, Basis: record.Exact})
		try, err := store.NewTry(n, 1, m.t)
		if err != nil {
			s.Fatal(err)
		}
		b.Tries = append(b.Tries, try)
		if m.v != nil {
			m.v.Grader = p.Grader
			v, err := store.NewVerdict(n, *m.v, p.Digest, 1)
			if err != nil {
				s.Fatal(err)
			}
			b.Verdicts = append(b.Verdicts, v)
		}
	}
	if err := errors.Join(s.db.CreateRun(s.Context(), r, slices.Values(planned)), s.db.Record(s.Context(), r, b)); err != nil {
		s.Fatal(err)
	}
}

// planOf is the plan of a run of a bench.
func planOf(b *web.Bench, source string) store.Plan {
	p := viewtest.Plan(0)
	m := b.Set.Bench()
	p.Bench, p.Version, p.Source, p.Digest, p.Grader, p.Shape = m.ID, m.Version, source, b.Digest, b.Set.Digest(), m.Shape
	p.Families = nil
	for _, f := range m.Families {
		p.Families = append(p.Families, store.PlanFamily{ID: f.ID, Title: f.Title})
	}
	return p
}

// premiseRun records one right and one wrong answer to problems of a shipped bench.
func premiseRun(s *served, id string) {
	s.Helper()
	b, err := shipped(s.Context(), "premise-en")
	if err != nil {
		s.Fatal(err)
	}
	var list []made
	for h := range b.Set.Heads() {
		controls, err := b.Set.Controls(h.ID)
		if err != nil {
			s.Fatal(err)
		}
		for _, c := range controls {
			if c.Accept == (len(list) == 0) {
				t := record.Transcript{Outcome: record.Answered, Answer: c.Answer, Timing: record.Timing{Started: viewtest.Start, Total: 5e9, Output: 4e9}}
				v, err := b.Set.Grade(s.Context(), h.ID, t)
				if err != nil {
					s.Fatal(err)
				}
				if !c.Accept && v.Letter == record.LetterInvalid { // it has no points
					continue
				}
				list = append(list, made{h.ID, h.Family, t, &v})
				break
			}
		}
		if len(list) == 2 {
			break
		}
	}
	s.keep(id, planOf(b, "premise-en"), list)
}

// episodeRun records the reference's episode of the example's task, and is the bench of it.
func episodeRun(s *served, id string) {
	s.Helper()
	b, err := example(s.Context(), exampleBench)
	if err != nil {
		s.Fatal(err)
	}
	set := b.Set.(*tasks.Set)
	task, err := set.Task("ferry-217")
	if err != nil {
		s.Fatal(err)
	}
	trace, err := task.Reference()
	if err != nil {
		s.Fatal(err)
	}
	session, err := task.Session(s.Context(), "test")
	if err != nil {
		s.Fatal(err)
	}
	defer session.Close()
	if err := world.Replay(s.Context(), session, trace); err != nil {
		s.Fatal(err)
	}
	ep, err := world.Bundle(s.Context(), session, "answer")
	if err != nil {
		s.Fatal(err)
	}
	t := record.Transcript{Outcome: record.Answered, Episode: ep, Timing: record.Timing{Started: viewtest.Start, Total: 5e9, Output: 4e9}}
	v, err := set.Grade(s.Context(), "ferry-217", t)
	if err != nil {
		s.Fatal(err)
	}
	s.keep(id, planOf(b, exampleBench), []made{{"ferry-217", task.Family, t, &v}})
}

const exampleBench = "../../examples/mooring"

// example opens the shipped benches, and the example by its path.
func example(ctx context.Context, name string) (*web.Bench, error) {
	if name != exampleBench {
		return shipped(ctx, name)
	}
	files := fsOf(exampleBench)
	report, err := os.ReadFile("../../benches/shopfloor/reports/audit.json") // of another bench, which its page must say
	if err != nil {
		return nil, err
	}
	files["reports/audit.json"] = &fstest.MapFile{Data: report}
	return compile(files, name)
}

func compile(fsys fstest.MapFS, name string) (*web.Bench, error) {
	b, err := bench.Load(fsys, name)
	if err != nil {
		return nil, err
	}
	st, err := b.Inspect()
	if err != nil {
		return nil, err
	}
	set, err := grade.Compile(b)
	if err != nil {
		return nil, err
	}
	return &web.Bench{Set: set, Digest: st.Digest}, nil
}

// payloads are texts that would run, load or leave their place if a page took any of them for markup, an address or a script.
var payloads = func() []string {
	list := []string{
		`<script>pwned=1</script>`, `"><script>pwned=1</script>`, `'><script>pwned=1</script>`, `</title><script>pwned=1</script>`, `</textarea><script>pwned=1</script>`,
		`</pre><script>pwned=1</script>`, `</style><script>pwned=1</script>`, `</script><script>pwned=1</script>`, `--><script>pwned=1</script>`, `]]><script>pwned=1</script>`,
		`<img src=x onerror=pwned=1>`, `<img src="x" onerror="pwned=1">`, `<IMG SRC=x OnErRoR=pwned=1>`, `<img/src=x/onerror=pwned=1>`, `<img src=x:x onerror=pwned=1//`,
		`<svg onload=pwned=1>`, `<svg><script>pwned=1</script></svg>`, `<svg><animate onbegin=pwned=1 attributeName=x dur=1s>`, `<svg><a xlink:href="javascript:pwned=1"><text>x</text></a></svg>`, `</desc></svg><script>pwned=1</script>`,
		`<body onload=pwned=1>`, `<iframe src="javascript:pwned=1"></iframe>`, `<iframe srcdoc="<script>parent.pwned=1</script>">`, `<object data="javascript:pwned=1">`, `<embed src="javascript:pwned=1">`,
		`<a href="javascript:pwned=1" autofocus onfocus=pwned=1>x</a>`, `<input autofocus onfocus=pwned=1>`, `<details open ontoggle=pwned=1>`, `<video><source onerror=pwned=1></video>`, `<audio src=x onerror=pwned=1>`,
		`<marquee onstart=pwned=1>`, `<meta http-equiv=refresh content="0;url=javascript:pwned=1">`, `<base href="http://127.0.0.1:1/">`, `<link rel=stylesheet href="http://127.0.0.1:1/x.css">`, `<form action="http://127.0.0.1:1/"><button autofocus>x`,
		`javascript:pwned=1`, `JaVaScRiPt:pwned=1`, "java\tscript:pwned=1", `data:text/html,<script>pwned=1</script>`, `" onmouseover="pwned=1" x="`,
		`' onfocus='pwned=1' autofocus x='`, "` onclick=`pwned=1", `{{printf "%s" "<script>pwned=1</script>"}}`, `${pwned=1}`, `&lt;script&gt;pwned=1&lt;/script&gt;`,
		`&#60;script&#62;pwned=1&#60;/script&#62;`, `\u003cscript\u003epwned=1\u003c/script\u003e`, `%3Cscript%3Epwned=1%3C/script%3E`, "<scr\x00ipt>pwned=1</scr\x00ipt>", `<math><mtext><table><mglyph><style><img src=x onerror=pwned=1>`,
	}
	return list
}()

// attack is all of them, as one text; inName is what is left of it where no control character may stand.
var (
	attack = strings.Join(payloads, "\n") + "\xff\xfe\x1b]0;title\x07\x1b[31m\u202e\u200b"
	inName = strings.ToValidUTF8(strings.NewReplacer("\n", " ", "\t", " ", "\x00", "", "\x1b", "", "\x07", "").Replace(attack), "")
)

// hostileBench is a bench whose every text is an attack.
func hostileBench(t testing.TB) fstest.MapFS {
	t.Helper()
	q := func(s string) string {
		b, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	a := q(inName)
	return fstest.MapFS{
		"bench.yaml": {Data: fmt.Appendf(nil, "id: hostile\nversion: \"1\"\ntitle: %[1]s\nshape: prompt\nlicence: %[1]s\nattribution: %[1]s\nderived_from: %[1]s\nnotice: %[1]s\nnot_a_standard: %[1]s\ncontamination: %[1]s\nlimits: [%[1]s]\n"+
			"families: [{id: sums, title: %[1]s, quota: 1}]\nprotocol:\n  temperature: 0\n  repeats: 1\n  pass_rule: all\n  context: 4096\n  default_posture: plain\n  postures:\n    plain: {max_output: 64, timeout: 30s}\n", a)},
		"items/q1.yaml": {Data: fmt.Appendf(nil, "id: q1\nfamily: sums\nbasis: exact\nprompt: %[1]s\nrules:\n  - equals: %[1]s\ncontrols:\n  accept:\n    - answer: %[1]s\n", a)},
	}
}

// hostileRun records a run in which everything that a model, a server or a bench says is an attack.
func hostileRun(s *served, id string, b *web.Bench) {
	s.Helper()
	p := planOf(b, "./hostile")
	p.Models = []store.PlanModel{{Name: "openai/" + inName, Postures: []int{0}}}
	p.Postures, p.Face, p.Flags, p.Proof = []string{inName}, []string{inName}, []string{inName}, inName
	p.Families = []store.PlanFamily{{ID: "sums", Title: inName}, {ID: inName, Title: ""}}
	n := int64(7)
	call := record.Exchange{Endpoint: attack, RequestHeader: map[string][]string{inName: {attack}}, RequestBody: []byte(attack), Status: 200, ResponseHeader: map[string][]string{inName: {attack}}, ResponseBody: []byte(attack), Error: attack, Started: viewtest.Start, Elapsed: 1e9}
	t := record.Transcript{Outcome: record.Answered, Reason: attack, Answer: attack, Thinking: attack, Finish: attack, Model: attack, Usage: record.Usage{Prompt: &n, Output: &n},
		Timing: record.Timing{Started: viewtest.Start, Total: 5e9, Output: 4e9}, Delivery: record.Delivery{State: inName, Reason: attack, Proof: inName},
		Settings: []record.Setting{{Name: attack, Asked: attack, State: attack, Why: attack}}, Tools: []record.ToolCall{{ID: attack, Name: attack, Arguments: attack}},
		Turns: []record.Turn{{Answer: attack, Thinking: attack, Told: attack}}, Calls: []record.Exchange{call}}
	events := []world.Event{{Seq: 1, Actor: world.Actor(inName), Surface: inName, Session: "x", At: inName, Tool: inName, Args: []byte(`{"a":` + quoted(s, inName) + `}`), Status: world.OK, Result: []byte(quoted(s, inName)),
		Effect: []world.Change{{Table: inName, Op: world.Update, Key: world.Row{inName: inName}, Before: world.Row{inName: inName}, After: world.Row{inName: "other " + inName}}}},
		{Seq: 2, Actor: world.Agent, Surface: "mcp", Tool: inName, Args: []byte("{}"), Status: world.Refused, Result: []byte("null"), Error: &world.CallError{Code: inName, Message: inName}}}
	raw, err := json.Marshal(events)
	if err != nil {
		s.Fatal(err)
	}
	t.Episode = &record.Episode{Session: inName, World: inName, Task: inName, Events: raw, Changes: []byte("[]"), Ended: inName, State: "00"}
	text := inName
	v := &record.Verdict{Bench: inName, Item: "q1", Frozen: true, State: record.Graded, Letter: record.LetterWrong, Basis: record.Exact, Reason: attack, Score: &text, Diagnostics: map[string]any{inName: inName},
		Agent:    &record.Agent{GatedScore: &text, ProcessScore: &text},
		Findings: []record.Finding{{Rule: attack, Why: attack, Expected: attack, Got: attack, Category: attack, Weight: attack, Events: []int{1, 2}, Where: &record.Span{Start: 3, End: 40}}, {Rule: inName, Pass: true, Where: &record.Span{Start: 20, End: 90}}}}
	s.keep(id, p, []made{{"q1", "sums", t, v}, {inName, inName, t, v}})
}

func quoted(t testing.TB, s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// hostile serves the hostile bench and run.
func hostile(t testing.TB) *served {
	t.Helper()
	b, err := compile(hostileBench(t), "./hostile")
	if err != nil {
		t.Fatal(err)
	}
	b.Proofs = []qualify.Proof{{At: inName, Tier: inName, Python: inName, Engine: inName, Only: []string{inName}, Grader: "x"}}
	s := serve(t, func(o *web.Options) {
		o.Benches = append(o.Benches, "./hostile")
		o.Open = func(context.Context, string) (*web.Bench, error) { return b, nil }
	})
	hostileRun(s, "hostile1", b)
	hostileRun(s, "hostile2", b)
	return s
}

// hostilePages are the pages that show them.
var hostilePages = []string{"/", "/run/hostile1", "/run/hostile1?search=%3Cscript%3Epwned%3D1%3C%2Fscript%3E&family=%22%3E%3Cimg+src%3Dx+onerror%3Dpwned%3D1%3E", "/run/hostile1/attempts", "/run/hostile1/figures", "/run/hostile1/attempt/0", "/run/hostile1/attempt/1", "/run/hostile1/attempt/0/episode", "/run/hostile1/attempt/0/episode?at=2",
	"/run/hostile1/attempt/0/answer", "/run/hostile1/attempt/0/response-1", "/bench?name=./hostile", "/bench?name=./hostile&search=%3Cscript%3Epwned%3D1%3C%2Fscript%3E", "/bench/item?name=./hostile&id=q1", "/compare?a=hostile1&b=hostile2", "/run/%3Cscript%3Epwned=1%3C%2Fscript%3E", "/%3Cimg%20src=x%20onerror=pwned=1%3E"}

// everyPage records runs of each shape and names a page of every kind.
func everyPage(t testing.TB, s *served) map[string]string {
	t.Helper()
	if _, err := viewtest.Many(t.Context(), s.db, "made1", 240, 900); err != nil {
		t.Fatal(err)
	}
	premiseRun(s, "premise1")
	episodeRun(s, "episode1")
	return map[string]string{"index": "/", "run": "/run/made1", "attempts": "/run/made1/attempts", "figures": "/run/made1/figures", "attempt": "/run/made1/attempt/1", "premise": "/run/premise1/attempt/1", "points": "/run/premise1/attempt/1/points",
		"agent": "/run/episode1/attempt/0", "episode": "/run/episode1/attempt/0/episode?at=12", "bench": "/bench?name=chair-trials", "item": "/bench/item?name=premise-en&id=" + firstItem(t, "premise-en"), "audit": "/bench/audit?name=" + exampleBench,
		"compare": "/compare?a=made1&b=made1&bs=1", "lost": "/nowhere"}
}

func firstItem(t testing.TB, name string) string {
	t.Helper()
	b, err := shipped(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	return b.Set.Bench().IDs()[0]
}
