package realism

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/assaybench/assay/contract"
)

// controlledExecution wants the primary change with exact values, a look at it afterwards, and every row of the difference named.
func controlledExecution(ctx context.Context, s *Subject) (Hop, error) {
	c := s.Contract()
	for _, ch := range c.Changes {
		if ch.Role != contract.Primary {
			continue
		}
		pins := len(ch.Args)
		for _, r := range ch.Rows {
			pins += len(r.Pins)
		}
		looked := slices.ContainsFunc(c.Readbacks, func(r *contract.Readback) bool { return r.After == ch.ID })
		switch {
		case pins < 2:
			return lacking("the change " + ch.ID + " is held to no exact values")
		case !looked:
			return lacking("nothing looks at the change " + ch.ID + " afterwards")
		case len(c.Containment) == 0:
			return lacking("nothing says which rows may change")
		}
		h := Hop{Pattern: Pass, Path: arrows("change."+ch.ID+fmt.Sprintf(" (%d exact values)", pins), "readback", fmt.Sprintf("%d rows may change", len(c.Containment)))}
		var err error
		h.Confirmed, h.Note, err = s.refused(ctx, "wrong_target", "missing_readback", "unauthorized_write", "wrong_value")
		return h, err
	}
	return lacking("there is no primary change")
}

// communicationHop wants a text to a colleague with what is done, what comes of it, and what stands in the way.
func communicationHop(ctx context.Context, s *Subject) (Hop, error) {
	c := s.Contract()
	note := "no message to anybody is asked for"
	for _, m := range c.Messages {
		i := slices.IndexFunc(c.Changes, func(ch *contract.Change) bool { return ch.ID == m.Change })
		if i < 0 || c.Changes[i].Role != contract.Communication {
			continue
		}
		outcome, record, constraint := "", "", ""
		for _, f := range m.Facts {
			ref := f.Term.Ref
			head, part, _ := strings.Cut(ref, ".")
			switch {
			case head == "chosen" && part == "outcome" || s.chosenOption() != nil && s.alias(ref) == s.alias(s.chosenOption().Outcome) && ref != "":
				outcome = ref
			case head == "chosen" || slices.ContainsFunc(c.Changes, func(ch *contract.Change) bool { return ch.ID == head }):
				record = ref
			case c.Program.Has(ref) && !c.Program.IsInput(ref):
				constraint = ref
			case c.Program.Has(ref) && record == "":
				record = ref
			}
		}
		if outcome == "" || record == "" || constraint == "" {
			note = fmt.Sprintf("the message %s does not have to tell what is done, what comes of it and what stands in the way (it has: %s)", m.ID, orNone(slices.DeleteFunc([]string{record, outcome, constraint}, func(x string) bool { return x == "" })))
			continue
		}
		draft := false
		if t := s.World.Tool(c.Changes[i].Tool); t != nil {
			for _, table := range t.Touches {
				draft = draft || slices.Contains([]string{"message", "note"}, s.World.Records[table])
			}
		}
		if !draft {
			note = "the message " + m.ID + " is written into no table of messages or notes"
			continue
		}
		h := Hop{Pattern: Pass, Path: arrows(record+", "+outcome+", "+constraint, "message."+m.ID)}
		var err error
		h.Confirmed, h.Note, err = s.refused(ctx, "keyword_stuffing")
		return h, err
	}
	return lacking(note)
}

// exactAnswer wants a dozen graded fields, half of them on the way to others, each of which is graded by itself.
func exactAnswer(ctx context.Context, s *Subject) (Hop, error) {
	fields := s.fields()
	between := 0
	for _, f := range fields {
		if s.feeds(f.ref) {
			between++
		}
	}
	h := Hop{Path: fmt.Sprintf("%d graded fields, %d of them feed another value", len(fields), between)}
	bound, ok := s.Release.Standard.whole("reasoningChain.minimumGradedAnswerFields")
	switch {
	case !ok:
		h.Pattern, h.Confirmed, h.Note = NotMeasured, NotMeasured, "the standard sets no number of graded fields"
		return h, nil
	case len(fields) < bound:
		h.Note = fmt.Sprintf("at least %d graded fields are wanted", bound)
		return h, nil
	case 2*between < len(fields):
		h.Note = "fewer than half of the graded fields are values on the way"
		return h, nil
	}
	h.Pattern = Pass
	var err error
	h.Confirmed, h.Note, err = s.refused(ctx, "wrong_field")
	return h, err
}

// feeds says whether another value is computed from a value.
func (s *Subject) feeds(name string) bool {
	if name == "" {
		return false
	}
	g := s.Derivations()
	for _, n := range []string{name, s.alias(name)} {
		if i := g.Node(n); i >= 0 && slices.ContainsFunc(g.Edges, func(e [2]int) bool { return e[0] == i && g.Nodes[e[1]].Kind != "option" }) {
			return true
		}
		if s.partOfOption(n) {
			return true // the decision is made from it
		}
	}
	return false
}

func (s *Subject) partOfOption(name string) bool {
	return slices.ContainsFunc(s.Contract().Options, func(o *contract.Option) bool {
		return s.Contract().Decision != nil && (s.alias(o.Outcome) == name || s.alias(o.Cost) == name || s.alias(o.Limit) == name || o.Outcome == name || o.Cost == name)
	})
}
