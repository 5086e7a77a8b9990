package realism

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/assaybench/assay/contract/exact"
	"github.com/assaybench/assay/world"
)

const ofWrite = "writeContract."

var writeChecks = []check{
	{key: ofWorkflow + "exactCallOrderGraded", scope: OfTask, how: Replay, measure: orderRow},
	{key: ofWorkflow + "causalConstraintsGraded", scope: OfTask, how: Replay, measure: causesRow},
	{key: ofWrite + "taskScopedExecutionAuthorityRequired", scope: OfTask, how: Replay, measure: writeAuthorityRow},
	{key: ofWrite + "completionDestinationMustBeDiscoverable", scope: OfTask, how: Trace, measure: destinationRow},
	{key: ofWrite + "providerInputSchemaRequired", scope: OfTask, how: Replay, measure: schemasRow},
	{key: ofWrite + "freeTextWritesMustUseSemanticGradingOrAgentVisibleTemplate", scope: OfTask, how: Replay, measure: freeTextRow},
	{key: ofWrite + "hiddenReferenceTextAllowed", scope: OfTask, how: Replay, measure: hiddenTextRow},
	{key: ofWrite + "hiddenSerializationAllowed", scope: OfTask, how: Replay, measure: hiddenFormRow},
	{key: ofWrite + "postWriteReadbackRequired", scope: OfTask, how: Replay, measure: readbackRow},
	{key: ofWrite + "writeScopeContainmentRequired", scope: OfTask, how: Replay, measure: containmentRow},
	{key: ofWrite + "wrongExistingTargetMustFail", scope: OfTask, how: Replay, measure: wrongTargetRow},
	{key: ofWrite + "keywordStuffingMustFailWhenFreeTextIsGraded", scope: OfTask, how: Replay, measure: stuffingRow},
}

// controlled makes a row of what negative controls showed of each task, after a test of its contract.
func controlled(ctx context.Context, r *Release, l Leaf, names []string, test func(s *Subject) (bool, string)) Row {
	if l.Value != true {
		return unmeasured("the threshold is not true")
	}
	return byTask(r, func(s *Subject) Row {
		if test != nil {
			if ok, why := test(s); !ok {
				return judged(false, nil, why, Evidence{File: sealedFile(s)})
			}
		}
		res, note, err := s.refused(ctx, names...)
		if err != nil {
			return unmeasured(oneLine(err.Error()))
		}
		return Row{Result: res, Measured: strings.Join(names, " "), Reason: note}
	})
}

// accepted says whether every execution of the names, which are other right ways, was accepted, and how many there were.
func (s *Subject) accepted(ctx context.Context, names ...string) (n int, why string, err error) {
	p, err := s.proof(ctx)
	if err != nil || p == nil {
		return 0, "the other right ways were not played: assay qualify", err
	}
	if !p.Oracle.Strict {
		return 0, "", errors.New(refusedReference)
	}
	for _, name := range names {
		k := 0
		for _, c := range p.Beside {
			if c.Name != name {
				continue
			}
			k++
			if !c.Accept || !c.Strict || c.Fault != "" {
				return n, name + " is refused: " + c.Fault + " " + strings.Join(c.Broke, ", "), nil
			}
		}
		if k == 0 {
			return n, name + " was not played", nil
		}
		n += k
	}
	return n, "", nil
}

// orderRow plays the reference's reads in other orders, with more of them, and with one that fails.
func orderRow(ctx context.Context, r *Release, l Leaf) Row {
	if l.Value == true {
		return allowed(nil)
	}
	return byTask(r, func(s *Subject) Row {
		n, why, err := s.accepted(ctx, "other_order", "extra_reads", "failed_read")
		switch {
		case err != nil:
			return unmeasured(oneLine(err.Error()))
		case why != "" && s.Release.Proofs == nil:
			return unmeasured(why)
		case why != "":
			return judged(false, n, why)
		}
		return judged(true, n, fmt.Sprintf("%d other orders and further reads are accepted", n))
	})
}

// causes are the negative controls that break each of the four rules of cause, in the order in which the schema lists them.
var causes = [][]string{{"incomplete_read"}, {"write_before_read"}, {"message_before_change"}, {"missing_readback", "early_readback"}}

func causesRow(ctx context.Context, r *Release, l Leaf) Row {
	rules, ok := listOf(l.Value)
	if !ok || len(rules) != len(causes) {
		return unmeasured("the threshold is not the list of four rules that is known here")
	}
	for i, text := range rules {
		if !KnownWording(fmt.Sprintf("%s#%d", l.Key, i), text) {
			return unmeasured("this standard words a rule otherwise than the schema that is known here: " + clip(text, 80))
		}
	}
	return byTask(r, func(s *Subject) Row {
		row := Row{Result: Pass, Measured: len(causes)}
		for i, names := range causes {
			res, note, err := s.refused(ctx, names...)
			if err != nil {
				return unmeasured(oneLine(err.Error()))
			}
			row.Result = Worse(row.Result, res)
			if res != Pass {
				row.Reason = rules[i] + ": " + note
			}
			row.Evidence = append(row.Evidence, Evidence{Cell: rules[i], Note: note})
		}
		return row
	})
}

func writeAuthorityRow(ctx context.Context, r *Release, l Leaf) Row {
	told := requestAuthorityRow(ctx, r, l)
	row := controlled(ctx, r, l, []string{"unauthorized_write"}, nil)
	row.Result = Worse(row.Result, told.Result)
	if told.Result != Pass {
		row.Reason, row.Evidence = told.Reason, told.Evidence
	}
	return row
}

// destinationRow wants whatever a graded write names to have stood in the request, in a schema, or in a result before it.
func destinationRow(ctx context.Context, r *Release, l Leaf) Row {
	if l.Value != true {
		return unmeasured("the threshold is not true")
	}
	return byTask(r, func(s *Subject) Row {
		p, err := s.Reference(ctx)
		if err != nil {
			return unmeasured(oneLine(err.Error()))
		}
		known := s.Public.Request
		for _, h := range s.Public.Handles {
			known += "\n" + h.Value
		}
		var ev []Evidence
		n := 0
		for i := range p.Events {
			e := &p.Events[i]
			if e.Tool == world.ToolSubmit || !e.OK() || len(e.Effect) == 0 {
				continue
			}
			t := s.World.Tool(e.Tool)
			if t == nil {
				continue
			}
			args, err := exact.Decode(e.Args)
			if err != nil {
				return unmeasured(oneLine(err.Error()))
			}
			fields, _ := args.(map[string]any)
			for name, v := range fields {
				text, ok := v.(string)
				if !ok || name == t.Idempotency || len(strings.Fields(text)) > 3 || inEnum(t, name, text) {
					continue // a text of one's own words, a key of a repeated call, a word of the schema
				}
				n++
				if !seenBefore(p.Events[:i], known, text) && !s.computed(text) {
					ev = append(ev, Evidence{Cell: e.Tool + " " + name, Span: text, Note: "it stands in nothing that was read before"})
				}
			}
		}
		slices.SortFunc(ev, func(a, b Evidence) int { return strings.Compare(a.Cell, b.Cell) })
		return judged(len(ev) == 0, n-len(ev), fmt.Sprintf("%d of %d texts that writes name stood in what was read before", n-len(ev), n), ev...)
	})
}

func inEnum(t *world.Tool, name, text string) bool {
	doc, err := exact.Decode(t.Input.JSON)
	if err != nil {
		return false
	}
	props, _ := doc.(map[string]any)["properties"].(map[string]any)
	prop, _ := props[name].(map[string]any)
	enum, _ := prop["enum"].([]any)
	return slices.Contains(enum, any(text))
}

func seenBefore(events []world.Event, known, text string) bool {
	if strings.Contains(known, text) {
		return true
	}
	for i := range events {
		if e := &events[i]; e.OK() && strings.Contains(string(e.Result), text) {
			return true
		}
	}
	return false
}

// computed says whether a text is a value that the contract derives: a day or a figure that the work itself gives.
func (s *Subject) computed(text string) bool {
	for name, v := range s.Expected().Values {
		if !s.Contract().Program.IsInput(name) && v.String() == text {
			return true
		}
	}
	return false
}

// schemasRow wants closed schemas without a twin among what is required, and what they refuse to be refused when it is called.
func schemasRow(ctx context.Context, r *Release, l Leaf) Row {
	if l.Value != true {
		return unmeasured("the threshold is not true")
	}
	return byTask(r, func(s *Subject) Row {
		session, err := s.Session(ctx, "audit-schemas")
		if err != nil {
			return unmeasured(oneLine(err.Error()))
		}
		defer session.Close()
		var ev []Evidence
		n := 0
		for _, t := range s.World.Mounted(s.Public) {
			n++
			if why := openSchema(t.Input.JSON); why != "" {
				ev = append(ev, Evidence{File: t.File, Line: t.Line, Cell: t.Name, Note: why})
			}
			for _, args := range []string{`{"assay_no_such_property":1}`, `[]`, `"text"`, `{"assay_no_such_property":null`} {
				e, err := session.Call(ctx, world.Call{Actor: world.Harness, Surface: "audit", Tool: t.Name, Args: []byte(args)})
				if err != nil {
					return unmeasured(oneLine(err.Error()))
				}
				if e.Status != world.Rejected {
					ev = append(ev, Evidence{File: t.File, Line: t.Line, Cell: t.Name, Span: args, Note: "its schema should refuse it, and the world answered: " + string(e.Status)})
				}
			}
		}
		return judged(len(ev) == 0 && n > 0, n, fmt.Sprintf("%d tools with closed schemas, each called with what they refuse", n), ev...)
	})
}

// openSchema says what is open in a schema of input; "" where nothing is.
func openSchema(raw []byte) string {
	var doc any
	if err := json.Unmarshal(raw, &doc, jsontext.AllowDuplicateNames(false)); err != nil {
		return "its input schema cannot be read"
	}
	return openObject(doc, "")
}

func openObject(v any, at string) string {
	m, ok := v.(map[string]any)
	if !ok {
		return ""
	}
	props, isObject := m["properties"].(map[string]any)
	if m["type"] == "object" || isObject || at == "" {
		if m["additionalProperties"] != false {
			return "its input is open at " + orRoot(at)
		}
		req, _ := m["required"].([]any)
		seen := map[any]bool{}
		for _, name := range req {
			if text, ok := name.(string); ok && seen[text] {
				return "required holds " + text + " twice at " + orRoot(at)
			} else if ok {
				seen[text] = true
				if _, has := props[text]; !has {
					return "required names " + text + ", which is not among the properties"
				}
			}
		}
	}
	for name, p := range props {
		pm, _ := p.(map[string]any)
		if pm == nil || pm["type"] == nil && pm["enum"] == nil && pm["const"] == nil {
			return "the property " + at + "/" + name + " has no type"
		}
		if why := openObject(p, at+"/"+name); why != "" {
			return why
		}
	}
	if items, ok := m["items"]; ok {
		return openObject(items, at+"/items")
	}
	return ""
}

func orRoot(at string) string {
	if at == "" {
		return "its root"
	}
	return at
}
