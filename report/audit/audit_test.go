package audit

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/assaybench/assay/realism"
)

// sample is a report with everything that a page shows, and with texts that would like to be more than texts.
func sample() *realism.Report {
	const evil = "<script>alert(1)</script> | `x` [a](http://b) \x1b[31m\u202e"
	yes, no := true, false
	rep := &realism.Report{Pass: 1, Fail: 1, Warn: 1, NotMeasured: 2}
	rep.Bench.Name, rep.Bench.Title, rep.Bench.Digest, rep.Bench.Tasks = "yard@1", evil, strings.Repeat("ab", 32), []string{"one", "two"}
	rep.Standard.Name, rep.Standard.Version, rep.Standard.Effective, rep.Standard.SHA256, rep.Standard.Source = "A standard", "x.benchmark-realism-standard.v5", "2026-08-30", strings.Repeat("cd", 32), "embedded"
	rep.Auditor.Checks, rep.Auditor.Contract, rep.Auditor.Program = "realism/1", "contract/1", "devel"
	rep.Keys = []realism.Row{
		{Key: "name", Scope: "release", Result: realism.Pass, Measured: "x", Threshold: "A standard", How: "static", Reason: "fine", Reproduce: "assay audit yard --key name"},
		{Key: "employeeRequest.minimumWords", Scope: "task", Result: realism.Fail, Measured: map[string]any{"min": 12, "max": 80}, Threshold: realism.Number("45"), How: "static", Reason: "one: " + evil, Reproduce: "assay audit yard --key employeeRequest.minimumWords",
			Evidence: []realism.Evidence{{Task: "one", File: "tasks/one/public/task.yaml", Line: 7, Span: evil, Note: "too short"}, {Pair: "one / two", Note: "alike"}},
			Tasks:    []realism.TaskResult{{Task: "one", Result: realism.Fail, Measured: 12}, {Task: "two", Result: realism.Pass, Measured: 80}}},
		{Key: "workflow.x", Scope: "release", Result: realism.NotMeasured, Threshold: true, How: "replay", Reason: "no check measures this key yet", Reproduce: "assay audit yard --key workflow.x"},
		{Key: "workflow.y", Scope: "release", Result: realism.NotMeasured, Threshold: []string{"a", "b"}, How: "replay", Reason: "no check measures this key yet", Reproduce: "assay audit yard --key workflow.y"},
		{Key: "effectiveDate", Scope: "release", Result: realism.Warn, Threshold: "2026-08-30", How: "static", Reason: "not frozen", Reproduce: "assay audit yard --key effectiveDate"},
	}
	rep.Pairs = []realism.Pair{{A: "one", B: "two", Wording: "9/14", Neutral: "1", Sequence: "3/4", Domain: "1/2", Common: "3/4", Graph: "1/5", Job: "1/7", Clone: true,
		Shared: []realism.Segment{{Text: "both say "}, {Text: "this and that here", Rule: "shared"}}, SharedWith: []realism.Segment{{Text: "this and that here", Rule: "shared"}, {Text: evil}}}}
	rep.Pages = []realism.TaskPage{{Task: "one", Title: "A day", Request: []realism.Segment{{Text: "Please "}, {Text: "check it, then read it", Rule: "R2"}},
		Reads:    []realism.Read{{Seq: 3, Tool: "stores.lots.list", Args: `{"part":"RP-12"}`, Server: "stores", Live: true, Serves: "lots", Material: &yes, Edit: "lots LT-1 qty: 4 → 5"}, {Seq: 4, Tool: "files.read", Args: "{}", Material: &no}, {Seq: 5, Tool: "files.list"}},
		Graph:    realism.Graph{Nodes: []realism.GraphNode{{Name: "lots", Kind: "input", Op: "read"}, {Name: "gap", Kind: "derivation", Op: "sub", Graded: true, Value: "5 rope"}, {Name: "decision", Kind: "decision", Op: "choose"}}, Edges: [][2]int{{0, 1}, {1, 2}}},
		Hops:     []realism.Hop{{Class: "H1", Named: "PASS", Pattern: realism.Pass, Confirmed: realism.Fail, Path: "lots → gap", Note: evil}},
		Controls: []realism.ControlRow{{Name: "noop", Score: "0", Breaks: []string{"change.booking"}, Broke: []string{"change.booking", "answer.gap"}}, {Name: "shortcut", Strict: true, Fault: "accepted"}},
		Leaks:    []realism.Evidence{{File: "world.yaml", Cell: "organisation", Span: "16 May", Note: "gap is 5"}},
		Files:    []realism.FileFact{{Path: "a.pdf", Kind: "report", Format: "pdf", Size: 10, SHA256: strings.Repeat("e", 64)}, {Path: "b.pdf", Kind: "report", Problem: "no pages"}}}}
	return rep
}

func TestText(t *testing.T) {
	var b bytes.Buffer
	if err := Text(&b, sample(), 0, false); err != nil {
		t.Fatal(err)
	}
	s := b.String()
	last := -1
	for _, part := range []string{"FAIL          employeeRequest.minimumWords", "NOT_MEASURED  workflow.x", "WARN          effectiveDate", "\nFAIL employeeRequest.minimumWords\n", "tasks/one/public/task.yaml:7 “", "one / two: alike",
		"again: assay audit yard --key employeeRequest.minimumWords", "NOT_MEASURED 2 requirements\n  no check measures this key yet", "yard@1 against x.benchmark-realism-standard.v5: 1 PASS, 1 FAIL, 1 WARN, 2 NOT_MEASURED"} {
		i := strings.Index(s, part)
		if i <= last {
			t.Fatalf("%q stands at %d, after %d:\n%s", part, i, last, s)
		}
		last = i
	}
	if strings.ContainsAny(s, "\x1b\u202e") || strings.Contains(s, "PASS          name") {
		t.Errorf("%q", s)
	}
	b.Reset()
	if err := Text(&b, sample(), 80, true); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(b.String(), "PASS          name") {
		t.Errorf("all was asked for:\n%s", b.String())
	}
	for line := range strings.Lines(b.String()) {
		if strings.HasPrefix(line, " FAIL") && len([]rune(strings.TrimRight(line, " \n"))) > 80 {
			t.Errorf("%d columns: %s", len([]rune(line)), line)
		}
	}
}

func TestMarkdown(t *testing.T) {
	var b bytes.Buffer
	if err := Markdown(&b, sample()); err != nil {
		t.Fatal(err)
	}
	s := b.String()
	for _, want := range []string{"# Audit of yard@1", "| employeeRequest.minimumWords | ✗ | ✓ |", "| employeeRequest.minimumWords | FAIL | 12 to 80 | 45 | static |", "### FAIL: employeeRequest.minimumWords", "| one / two | 9/14 | 1 | 3/4 | 1/2 | 1/5 | 1/7 | true |",
		"**check it, then read it** (R2)", "material: lots LT-1 qty: 4 → 5", "| padding |", "| not measured |", "- gap (derivation, sub) from lots", "| shortcut | true |", "world.yaml organisation “16 May”: gap is 5", "| b.pdf | report |  | 0 | no pages |"} {
		if !strings.Contains(s, want) {
			t.Errorf("no %q in:\n%s", want, s)
		}
	}
	if strings.Contains(s, "<script>") || strings.Contains(s, "[a](http") || strings.Contains(s, "\x1b") {
		t.Errorf("foreign text means something:\n%s", s)
	}
}

var (
	tag       = regexp.MustCompile(`<(/?)([a-z][a-z0-9]*)([^<>]*)>`)
	attribute = regexp.MustCompile(`([a-z-]+)="([^"]*)"`)
)

func TestHTML(t *testing.T) {
	var b, again bytes.Buffer
	if err := HTML(&b, sample()); err != nil {
		t.Fatal(err)
	}
	if err := HTML(&again, sample()); err != nil || !bytes.Equal(b.Bytes(), again.Bytes()) {
		t.Errorf("two pages of one report differ (%v)", err)
	}
	s := b.String()
	for _, want := range []string{"<title>Audit of yard@1</title>", `<mark>this and that here</mark>`, `<mark>check it, then read it</mark><sup>R2</sup>`, "prefers-color-scheme: dark", "width=device-width", `<rect class="derivation graded"`, `<path class="edge" d="M162 30C187 30 187 30 212 30"/>`,
		"material: lots LT-1 qty: 4 → 5", "padding", `<span class="fail">accepted</span>`, "gap is 5", "no pages", "employeeRequest", "&lt;script&gt;"} {
		if !strings.Contains(s, want) {
			t.Errorf("no %q in the page", want)
		}
	}
	ids := map[string]bool{}
	var links, open []string
	for _, m := range tag.FindAllStringSubmatch(s[strings.Index(s, "<body>"):], -1) {
		name, attrs := m[2], m[3]
		switch {
		case m[1] == "/" && name == "html" && len(open) == 0:
		case m[1] == "/" && (len(open) == 0 || open[len(open)-1] != name):
			t.Fatalf("</%s> closes %v", name, open)
		case m[1] == "/":
			open = open[:len(open)-1]
		case name != "br" && !strings.HasSuffix(attrs, "/"):
			open = append(open, name)
		}
		if slices.Contains([]string{"script", "img", "link", "iframe", "object", "form", "style"}, name) {
			t.Errorf("the page has a %s", name)
		}
		for _, a := range attribute.FindAllStringSubmatch(attrs, -1) {
			switch {
			case strings.HasPrefix(a[1], "on") || a[1] == "src" || a[1] == "style":
				t.Errorf("an attribute %s", a[1])
			case a[1] == "id" && ids[a[2]]:
				t.Errorf("the id %s stands twice", a[2])
			case a[1] == "id":
				ids[a[2]] = true
			case a[1] == "href":
				links = append(links, a[2])
			}
		}
	}
	if want := []string{"html"}; !slices.Equal(open, nil) && !slices.Equal(open, want) {
		t.Errorf("left open: %v", open)
	}
	for _, l := range links {
		if !strings.HasPrefix(l, "#") || !ids[l[1:]] {
			t.Errorf("the link %s leads nowhere on the page", l)
		}
	}
}

func TestEmptyReport(t *testing.T) {
	rep := &realism.Report{}
	var b bytes.Buffer
	if err := HTML(&b, rep); err != nil || !strings.Contains(b.String(), "Everything passes.") {
		t.Errorf("%v", err)
	}
	if err := Markdown(&b, rep); err != nil {
		t.Error(err)
	}
	if err := Text(&b, rep, 100, false); err != nil {
		t.Error(err)
	}
}

// Whoever opens a report of a release that fails meets the reasons before the matrix of all requirements.
func TestWhatDoesNotPassStandsBeforeTheMatrix(t *testing.T) {
	for name, write := range map[string]func(*bytes.Buffer) error{
		"markdown": func(b *bytes.Buffer) error { return Markdown(b, sample()) },
		"html":     func(b *bytes.Buffer) error { return HTML(b, sample()) },
	} {
		var b bytes.Buffer
		if err := write(&b); err != nil {
			t.Fatal(err)
		}
		s := b.String()
		open, matrix, all := strings.LastIndex(s, "What does not pass"), strings.LastIndex(s, "Tasks and requirements"), strings.LastIndex(s, "All requirements")
		if open < 0 || matrix < open || all < matrix {
			t.Errorf("%s: what does not pass at %d, the matrix at %d, all requirements at %d", name, open, matrix, all)
		}
	}
}
