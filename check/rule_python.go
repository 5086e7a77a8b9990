package check

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/assaybench/assay/bench"
	"github.com/assaybench/assay/sandbox"
)

// regexRule compiles the candidate's one line as a Python regular expression and searches each line of each case's file.
// A real python3 decides, in the sandbox, and no other engine is ever asked: their expressions differ.
type regexRule struct {
	Cases   []regexCase `json:"cases"`
	Timeout string      `json:"timeout"`
	timeout time.Duration
}

type regexCase struct {
	File  string `json:"file"`  // below fixtures/
	Lines []int  `json:"lines"` // numbers of the lines that must match, from 1; no others may
	Total int    `json:"total"` // lines in the file
	data  []byte
}

func (r *regexRule) params() any { return r }

func (r *regexRule) words() string {
	parts := make([]string, len(r.Cases))
	for i, c := range r.Cases {
		parts[i] = fmt.Sprintf("exactly the lines %s of the %d of %s", strings.Trim(fmt.Sprint(c.Lines), "[]"), c.Total, c.File)
	}
	return "the reply is one line; compiled by Python's re and searched in each line, it matches " + strings.Join(parts, " and ") + " (" + r.Timeout + ")"
}

// searchScript prints one JSON object: the version, or what the pattern's own fault is, or the matching lines per file.
const searchScript = `
import json, re, sys
sys.setrecursionlimit(1000)
with open("pattern", encoding="utf-8", newline="") as f:
    pattern = f.read()
try:
    compiled = re.compile(pattern)
    found = []
    for name in sys.argv[1:]:
        with open(name, encoding="utf-8", newline="") as f:
            lines = f.read().split("\n")
        if lines and lines[-1] == "":
            lines.pop()
        found.append([i for i, line in enumerate(lines, 1) if compiled.search(line)])
    out = {"lines": found}
except (re.error, RecursionError, OverflowError, MemoryError, ValueError) as e:
    out = {"fault": type(e).__name__ + ": " + str(e)[:200]}
print(json.dumps(out))
`

func (r *regexRule) judge(ctx context.Context, in *input) result {
	p, bad := oneLine(in.text)
	if bad != nil {
		return *bad
	}
	if in.box == nil {
		return ungradable(in.nobox)
	}
	version, err := in.box.Python(ctx)
	if err != nil {
		return ungradable(err.Error())
	}
	files := map[string][]byte{"pattern": []byte(p.Of(in.text))}
	argv := []string{"python3", "-I", "-S", "-W", "ignore", "-c", searchScript}
	for i, c := range r.Cases {
		name := fmt.Sprintf("case%d", i)
		files[name] = c.data
		argv = append(argv, name)
	}
	run, err := in.execute(ctx, sandbox.Job{Files: files, Argv: argv, Limits: sandbox.Limits{Wall: r.timeout, CPU: r.timeout}})
	if err != nil {
		return ungradable("the sandbox failed: " + err.Error())
	}
	res := r.decide(run)
	res.diag = map[string]any{"python": version}
	if !res.pass && res.state != "ungradable" {
		res.where = &p
	}
	return res
}

// decide takes what python3 printed. A pattern that exceeds its limit is wrong, not an error.
func (r *regexRule) decide(run sandbox.Result) result {
	want := r.words()
	if run.Stopped != "" {
		return fail("the search exceeded its limit ("+run.Stopped+")", want, "stopped")
	}
	var out struct {
		Fault *string `json:"fault"`
		Lines [][]int `json:"lines"`
	}
	if err := json.Unmarshal(run.Stdout, &out); err != nil {
		if run.Exit > 128 || strings.Contains(string(run.Stderr), "MemoryError") {
			return fail("the search exceeded its limit and was ended", want, fmt.Sprintf("exit %d", run.Exit))
		}
		return ungradable(fmt.Sprintf("python3 ended with exit %d and no result: %s", run.Exit, clip(strings.ToValidUTF8(string(run.Stderr), "�"))))
	}
	if out.Fault != nil {
		return fail("the pattern cannot be used: "+clip(*out.Fault), want, "no pattern")
	}
	for i, c := range r.Cases {
		if i >= len(out.Lines) || !slices.Equal(out.Lines[i], c.Lines) {
			var got []int
			if i < len(out.Lines) {
				got = out.Lines[i]
			}
			return fail("other lines match in "+c.File, fmt.Sprint(c.Lines), fmt.Sprint(got))
		}
	}
	return pass(want, "so")
}

func init() {
	register(kind{name: "python_regex", version: 1, executes: true, python: true, mutate: mutateOneLine,
		doc:     "compiles the reply, one line, as a Python regular expression and searches each line: {cases: [{file: F, lines: [N…], total: N}…], timeout: 15s}",
		compile: compileRegex})
}

func compileRegex(c *compiler, n *bench.Node) (rule, error) {
	f := bench.NewFields(n)
	r := &regexRule{}
	r.timeout = readTimeout(f, n)
	r.Timeout = r.timeout.String()
	cases := f.Need("cases")
	if cases != nil && (cases.Kind != bench.List || len(cases.Values) == 0) {
		f.Fault(cases.Errorf("cases is a list of {file, lines, total}"))
	} else if cases != nil {
		for _, v := range cases.Values {
			rc, err := c.regexCase(v)
			f.Fault(err)
			r.Cases = append(r.Cases, rc)
		}
	}
	return r, f.Done()
}

func (c *compiler) regexCase(n *bench.Node) (regexCase, error) {
	f := bench.NewFields(n)
	rc := regexCase{File: f.NeedText("file"), Total: f.Int("total")}
	lines := f.Need("lines")
	if lines != nil && lines.Kind == bench.List {
		for _, l := range lines.Values {
			v, err := l.AsInt()
			f.Fault(err)
			rc.Lines = append(rc.Lines, v)
		}
	} else if lines != nil {
		f.Fault(lines.Errorf("lines is a list of line numbers"))
	}
	if !slices.IsSorted(rc.Lines) || len(rc.Lines) > 0 && (rc.Lines[0] < 1 || rc.Lines[len(rc.Lines)-1] > rc.Total) {
		f.Fault(n.Errorf("lines are sorted numbers from 1 to total"))
	}
	if err := f.Done(); err != nil {
		return rc, err
	}
	data, err := c.bench.Fixture(rc.File)
	if err != nil {
		return rc, &missingFixture{n.Get("file").Errorf("%v", err)}
	}
	rc.data = data
	if got := strings.Count(strings.TrimSuffix(string(data), "\n"), "\n") + 1; got != rc.Total {
		return rc, n.Errorf("%s has %d lines, and the item says %d", rc.File, got, rc.Total)
	}
	return rc, nil
}

// missingFixture marks an error that stops one item and not the bench: "an imported bench with a missing fixture lists
// which items cannot run".
type missingFixture struct{ error }

func (m *missingFixture) Unwrap() error { return m.error }

func isMissingFixture(err error) bool {
	_, ok := errors.AsType[*missingFixture](err)
	return ok
}
