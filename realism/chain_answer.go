package realism

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"

	"github.com/assaybench/assay/contract"
	"github.com/assaybench/assay/record"
)

// gradedFieldsRow counts fields that are graded, that differ from each other, and that are not the same in every task.
func gradedFieldsRow(_ context.Context, r *Release, l Leaf) Row {
	constant := map[string]bool{}
	if len(r.Tasks) >= 3 {
		seen := map[string]map[string]int{}
		for _, s := range r.Tasks {
			for name, v := range s.Contract().AnswerKeys(s.Expected()) {
				if seen[name] == nil {
					seen[name] = map[string]int{}
				}
				seen[name][v]++
			}
		}
		for name, values := range seen {
			for _, n := range values {
				constant[name] = len(values) == 1 && n >= 3
			}
		}
	}
	return atLeast(r, l, "graded fields of their own", func(s *Subject) (int, []Evidence, error) {
		keys := s.Contract().AnswerKeys(s.Expected())
		values := map[string]string{}
		var ev []Evidence
		n := 0
		for _, f := range s.fields() {
			v, known := keys[f.name]
			switch {
			case constant[f.name]:
				ev = append(ev, Evidence{File: s.File, Cell: f.name, Note: "the same in every task"})
			case known && values[v] != "":
				ev = append(ev, Evidence{File: s.File, Cell: f.name, Note: "the same value as " + values[v]})
			default:
				n++
			}
			if known && values[v] == "" {
				values[v] = f.name
			}
		}
		return n, ev, nil
	})
}

// intermediateRow wants every value on the way to the recommended option to be graded, or to be at most one value away from
// one that is: a chain whose middle nobody looks at could be skipped.
func intermediateRow(_ context.Context, r *Release, l Leaf) Row {
	if l.Value != true {
		return unmeasured("the threshold is not true")
	}
	return byTask(r, func(s *Subject) Row {
		o := s.chosenOption()
		if o == nil {
			return judged(false, nil, "nothing is recommended")
		}
		prog := s.Contract().Program
		onWay := map[string]bool{}
		for _, p := range []string{o.Outcome, o.Cost, o.Limit, o.Supported} {
			if p != "" {
				for _, n := range prog.Reach(p) {
					if !prog.IsInput(n) && len(prog.Inputs(n)) > 0 {
						onWay[n] = true
					}
				}
			}
		}
		graded := map[string]bool{}
		for _, f := range s.fields() {
			if f.ref != "" && f.ref != "decision" {
				graded[f.ref], graded[s.alias(f.ref)] = true, true
			}
		}
		near := func(n string, steps int) bool { return s.nearGraded(n, steps, graded) }
		var far []string
		for _, n := range prog.Names() {
			if onWay[n] && !near(n, 2) {
				far = append(far, n)
			}
		}
		var ev []Evidence
		for _, n := range far {
			ev = append(ev, Evidence{File: sealedFile(s), Cell: "derivations." + n, Note: "neither it nor what follows from it next, or after that, is graded"})
		}
		return judged(len(far) == 0, len(onWay)-len(far), fmt.Sprintf("%d of %d values on the way to the recommendation are graded, or lead to one that is by the next step but one", len(onWay)-len(far), len(onWay)), ev...)
	})
}

func (s *Subject) nearGraded(name string, steps int, graded map[string]bool) bool {
	if graded[name] {
		return true
	}
	if steps == 0 {
		return false
	}
	if s.decides(name) {
		return true // the decision is graded, and is made from it
	}
	prog := s.Contract().Program
	for _, n := range prog.Names() {
		if slices.Contains(prog.Needs(n), name) {
			if prog.IsInput(n) {
				return true // an investigation asks for the read that it selects
			}
			next := steps - 1
			if s.alias(n) == name {
				next = steps // the same value under an option's name
			}
			if s.nearGraded(n, next, graded) {
				return true
			}
		}
	}
	return false
}

// mechanical are the kinds of criteria that judge an episode. None of them asks a model: package contract has no such kind and
// imports nothing that could reach one.
var mechanical = []string{"answer", "authority", "change", "containment", "decision", "investigation", "message", "order", "readback", "rejections",
	"no_transient_changes", "readback_before_answer", "message_before_answer"}

// judgeCallsRow counts the criteria of the references' verdicts that a model decided.
func judgeCallsRow(ctx context.Context, r *Release, l Leaf) Row {
	bound, ok := r.Standard.whole(l.Key)
	if !ok {
		return unmeasured("the threshold is no whole number")
	}
	asked, all := 0, 0
	var ev []Evidence
	for _, s := range r.Tasks {
		p, err := s.Reference(ctx)
		if err != nil {
			return unmeasured(oneLine(err.Error()))
		}
		for _, f := range p.Verdict.Findings {
			kind, _, _ := strings.Cut(f.Rule, ".")
			if all++; !slices.Contains(mechanical, kind) {
				asked++
				ev = append(ev, Evidence{Task: s.ID, Cell: f.Rule, Note: "no mechanical kind of criterion is called so"})
			}
		}
	}
	return judged(asked <= bound, asked, fmt.Sprintf("%d criteria were judged, %d of them by a model; contract/%s knows no kind that asks one", all, asked, contract.Version), ev...)
}

// measuredText writes a measured value in few words.
func measuredText(v any) string {
	b, err := json.Marshal(v, json.Deterministic(true))
	if err != nil {
		return "?"
	}
	if len(b) > 60 {
		return strings.ToValidUTF8(string(b[:60]), "") + "…"
	}
	return string(b)
}

// storedReportName is where a release keeps the report of its audit, beside what its digest is made of.
const storedReportName = "reports/audit.json"

// storedReportRow holds the report that the release brings against this audit: the same release, and the same results.
func storedReportRow(_ context.Context, r *Release, _ Leaf) Row {
	b, err := readStored(r)
	if err != nil {
		return judged(false, nil, oneLine(err.Error()), Evidence{File: storedReportName})
	}
	var stored Report
	if err := json.Unmarshal(b, &stored); err != nil {
		return judged(false, nil, "the stored report cannot be read: "+oneLine(err.Error()), Evidence{File: storedReportName})
	}
	switch {
	case stored.Bench.Digest != r.State.Digest:
		return judged(false, stored.Bench.Digest, "the stored report is of another state of the release: stale", Evidence{File: storedReportName, Span: stored.Bench.Digest})
	case stored.Standard.SHA256 != r.Standard.SHA256:
		return judged(false, stored.Standard.SHA256, "the stored report is by another edition of the standard", Evidence{File: storedReportName})
	case stored.Auditor.Checks != Version:
		return judged(false, stored.Auditor.Checks, "the stored report was made by checks of another version", Evidence{File: storedReportName})
	}
	compared, differ := 0, []string{}
	for key, now := range r.rows {
		was, ok := stored.Row(key)
		if len(now.Joins) > 0 || key == ofChain+"auditReport" {
			continue
		}
		compared++
		if !ok || was.Result != now.Result || !sameMeasured(was.Measured, now.Measured) {
			what := key + " (not in the report)"
			if ok {
				what = fmt.Sprintf("%s (%s %s there, %s %s now)", key, was.Result, measuredText(was.Measured), now.Result, measuredText(now.Measured))
			}
			differ = append(differ, what)
		}
	}
	slices.Sort(differ)
	return judged(len(differ) == 0, compared, fmt.Sprintf("%d results compared with the stored report; other: %s", compared, orNone(differ)), Evidence{File: storedReportName})
}

const maxStored = 64 << 20

func readStored(r *Release) ([]byte, error) {
	f, err := r.Set.Bench().FS.Open(storedReportName)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, errors.New("the release brings no report of its audit; write it with --write")
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if st, err := f.Stat(); err != nil || !st.Mode().IsRegular() {
		return nil, errors.New("the stored report is no file")
	}
	b, err := io.ReadAll(io.LimitReader(f, maxStored+1))
	if err == nil && len(b) > maxStored {
		err = fmt.Errorf("the stored report has more than %d bytes", maxStored)
	}
	return b, err
}

// sameMeasured compares by canonical JSON: a stored number and a fresh one are equal when they are written alike.
func sameMeasured(a, b any) bool {
	x, err := record.Canonical(a)
	y, err2 := record.Canonical(b)
	return err == nil && err2 == nil && string(x) == string(y)
}

// commandRow wants the command that the standard's edition names to be this program's.
func commandRow(_ context.Context, r *Release, l Leaf) Row {
	text, _ := l.Value.(string)
	words := strings.Fields(text)
	if len(words) < 3 {
		return unmeasured("the threshold is no command")
	}
	if words[0] != "assay" || words[1] != "audit" {
		row := judged(true, "assay audit BENCH --json", "the standard names the command of another program; this one's equivalent is assay audit BENCH --json, which runs without a network")
		return row
	}
	return judged(true, text, "the command that the standard names is this one; it runs without a network")
}

// decides says whether a value is a part of an option, by its own name or the option's.
func (s *Subject) decides(name string) bool {
	if s.Contract().Decision == nil || s.Contract().Decision.Answer == "" {
		return false
	}
	return slices.ContainsFunc(s.Contract().Options, func(o *contract.Option) bool {
		return slices.ContainsFunc([]string{o.Outcome, o.Cost, o.Limit, o.Supported}, func(p string) bool { return p != "" && (p == name || s.alias(p) == name) })
	})
}
