package realism

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/assaybench/assay/contract"
)

// exactTexts finds arguments of changes that are held against a text of several words that the agent cannot see.
func (s *Subject) exactTexts(words int, form func(text string) bool) []Evidence {
	var ev []Evidence
	shown := func(words string) bool {
		return slices.ContainsFunc(s.visible(), func(t text) bool { return strings.Contains(t.Text, words) })
	}
	for _, ch := range s.Contract().Changes {
		s.Contract().ChangeTexts(ch, s.Expected(), func(at, text string) {
			if (len(strings.Fields(text)) >= words || form != nil && form(text)) && !shown(text) {
				ev = append(ev, Evidence{File: sealedFile(s), Cell: "change." + ch.ID + " " + at, Span: text, Note: "held against word for word, and shown to nobody"})
			}
		})
	}
	return ev
}

func freeTextRow(ctx context.Context, r *Release, l Leaf) Row {
	if l.Value != true {
		return unmeasured("the threshold is not true")
	}
	return byTask(r, func(s *Subject) Row {
		ev := s.exactTexts(4, nil)
		if len(ev) > 0 {
			return judged(false, len(ev), counted(len(ev), "free text")+" compared word for word", ev...)
		}
		if len(s.Contract().Messages) == 0 {
			return judged(true, 0, "no free text is graded")
		}
		n, why, err := s.accepted(ctx, "other_words")
		switch {
		case err != nil:
			return unmeasured(oneLine(err.Error()))
		case why != "" && s.Release.Proofs == nil:
			return unmeasured(why)
		case why != "":
			return judged(false, n, why)
		}
		return judged(true, len(s.Contract().Messages), fmt.Sprintf("texts are held against facts and form; %d other wordings are accepted", n))
	})
}

func hiddenTextRow(ctx context.Context, r *Release, l Leaf) Row {
	if l.Value == true {
		return allowed(nil)
	}
	return byTask(r, func(s *Subject) Row {
		ev := s.exactTexts(4, nil)
		for _, f := range s.fields() {
			if f.rule != nil && f.rule.Term != nil && f.rule.Term.Ref == "" {
				if text, ok := f.rule.Term.Literal.(string); ok && len(strings.Fields(text)) > 3 {
					ev = append(ev, Evidence{File: sealedFile(s), Cell: "answer." + f.name, Span: text, Note: "a sentence that nobody is shown"})
				}
			}
		}
		n, why, err := s.accepted(ctx, "other_words")
		switch {
		case err != nil:
			return unmeasured(oneLine(err.Error()))
		case len(ev) > 0:
			return judged(false, len(ev), counted(len(ev), "hidden text")+" must be hit", ev...)
		case why != "" && s.Release.Proofs == nil:
			return unmeasured(why)
		case why != "" && len(s.Contract().Messages) > 0:
			return judged(false, n, why)
		}
		return judged(true, 0, "no text has to be hit that the agent is not shown")
	})
}

func hiddenFormRow(_ context.Context, r *Release, l Leaf) Row {
	if l.Value == true {
		return allowed(nil)
	}
	return byTask(r, func(s *Subject) Row {
		ev := s.exactTexts(1000, serialised)
		return judged(len(ev) == 0, len(ev), counted(len(ev), "hidden form")+" of several values in one text", ev...)
	})
}

// serialised says whether a text packs several values into a form of its own.
func serialised(s string) bool {
	t := strings.TrimSpace(s)
	return strings.HasPrefix(t, "{") || strings.HasPrefix(t, "[") || strings.Contains(t, "|") || strings.Contains(t, ";") || strings.Count(t, "/") >= 2 || strings.Contains(t, "=")
}

func readbackRow(ctx context.Context, r *Release, l Leaf) Row {
	return controlled(ctx, r, l, []string{"missing_readback", "early_readback"}, func(s *Subject) (bool, string) {
		for _, ch := range s.Contract().Changes {
			if ch.Role == contract.Primary && !slices.ContainsFunc(s.Contract().Readbacks, func(rb *contract.Readback) bool { return rb.After == ch.ID }) {
				return false, "nothing looks at the change " + ch.ID + " afterwards"
			}
		}
		return len(s.Contract().Readbacks) > 0, "no readback is asked for"
	})
}

func containmentRow(ctx context.Context, r *Release, l Leaf) Row {
	return controlled(ctx, r, l, []string{"unauthorized_write"}, pinnedRows)
}

// pinnedRows wants every row that may change to be named by its key or its values.
func pinnedRows(s *Subject) (bool, string) {
	if len(s.Contract().Containment) == 0 {
		return false, "nothing says which rows may change"
	}
	for _, a := range s.Contract().Containment {
		if len(a.Key)+len(a.Values) == 0 {
			return false, "any row of " + a.Table + " may change"
		}
	}
	return true, ""
}

func wrongTargetRow(ctx context.Context, r *Release, l Leaf) Row {
	return controlled(ctx, r, l, []string{"wrong_target"}, nil)
}

func stuffingRow(ctx context.Context, r *Release, l Leaf) Row {
	return controlled(ctx, r, l, []string{"keyword_stuffing"}, func(s *Subject) (bool, string) {
		return len(s.Contract().Messages) > 0, "no free text is graded, so that nobody is told anything"
	})
}
