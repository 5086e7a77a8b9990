package control

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/assaybench/assay/contract"
	"github.com/assaybench/assay/contract/exact"
	"github.com/assaybench/assay/contract/prose"
)

// Sentences that hold a fact, by the kind of fact; %s is the fact. None of them claims more than that it is so.
var (
	daySentences    = []string{"The day that counts for us is %s.", "Everything here points to %s as the day."}
	numberSentences = []string{"The figure that came out of it is %s.", "We arrived at %s after adding it all up."}
	textSentences   = []string{"You will find it in our books under %s.", "It stands in the system as %s."}
	openers         = []string{"I have looked through what we hold and settled the matter.", "Here is where things are after this morning's work."}
	fillers         = []string{"Please tell me if anything in this looks odd to you.", "I am at my desk for the rest of the day if you want to go through it.", "All of this was checked against the records that we keep here.", "I will write again as soon as there is more to tell."}
	otherTexts      = []string{"A few words about the matter that we spoke of", "In short, what was settled about this matter today"}
)

// rendered words facts anew: every fact in a sentence of its own, of as many words and sentences as the form asks. variant
// takes other sentences.
func rendered(facts, forbid []prose.Fact, form contract.Form, contains []string, words, variant int) string {
	pick := func(list []string, n int) string { return list[(n+variant)%len(list)] }
	var parts []string
	add := func(sentence string) {
		t := prose.Prepare(sentence)
		if !slices.ContainsFunc(forbid, func(f prose.Fact) bool { return prose.Mentioned(t, f) }) {
			parts = append(parts, sentence)
		}
	}
	add(pick(openers, 0))
	for i, f := range facts {
		switch {
		case f.Day != nil:
			y, m, d := f.Day.Date()
			parts = append(parts, fmt.Sprintf(pick(daySentences, i), fmt.Sprintf("%d %s %d", d, monthNames[m-1], y)))
		case f.Number != nil:
			parts = append(parts, fmt.Sprintf(pick(numberSentences, i), exact.Decimal(f.Number)))
		default:
			parts = append(parts, fmt.Sprintf(pick(textSentences, i), f.Text))
		}
	}
	for _, text := range contains {
		if !prose.Contains(strings.Join(parts, " "), text) {
			parts = append(parts, fmt.Sprintf(pick(textSentences, 0), text))
		}
	}
	for i := 0; i < len(fillers); i++ {
		t := prose.Prepare(strings.Join(parts, " "))
		if t.Words() >= max(form.Words, words) && t.Sentences() >= form.Sentences {
			break
		}
		add(pick(fillers, i))
	}
	for i := range 40 { // a form that asks for more than the fillers hold
		t := prose.Prepare(strings.Join(parts, " "))
		if t.Words() >= max(form.Words, words) && t.Sentences() >= form.Sentences {
			break
		}
		add("Point " + strconv.Itoa(100+i) + " of my list is done, and there is nothing left open about it.")
	}
	return strings.Join(parts, " ")
}

var monthNames = [...]string{"January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"}

// messages gives the contract's messages that the reference wrote, with the indexes of their calls.
func (s *Subject) messages() []told {
	var out []told
	for _, m := range s.c.Messages {
		if at := s.roles.Changes[m.Change] - 1; at >= 0 {
			for _, ch := range s.c.Changes {
				if ch.ID == m.Change {
					out = append(out, told{m, ch, at})
				}
			}
		}
	}
	return out
}

type told struct {
	m      *contract.Message
	change *contract.Change
	at     int
}

// text words a message anew, by other expected values where they are given.
func (s *Subject) text(t told, x *contract.Expected, variant int) string {
	facts, forbid := s.c.FactsUnder(t.m, x, s.roles)
	contains, words := t.change.Wants(t.m.Body)
	return rendered(facts, forbid, t.m.Form, contains, words, variant)
}

// retell words every message in steps by other expected values.
func (s *Subject) retell(steps []Step, x *contract.Expected) {
	for _, t := range s.messages() {
		if k := slices.IndexFunc(steps, func(st Step) bool { return st.ref == t.at+1 }); k >= 0 {
			steps[k] = steps[k].with(t.m.Body, s.text(t, x, 0))
		}
	}
}

// reworded gives every text that the agent words by itself in other sentences that say the same.
func (s *Subject) reworded(variant int) plan {
	p := plan{name: "other_words", form: fmt.Sprintf("wording %d", variant+1), accept: true, steps: slices.Clone(s.steps)}
	bodies := map[int]string{}
	for _, t := range s.messages() {
		p.steps[t.at] = p.steps[t.at].with(t.m.Body, s.text(t, s.x, variant))
		bodies[t.at] += " " + t.m.Body
	}
	for i, st := range s.steps {
		if !s.isWrite(i) {
			continue
		}
		for _, arg := range sortedKeys(st.Args) {
			text, ok := st.Args[arg].(string)
			if !ok || slices.Contains(strings.Fields(bodies[i]), arg) || !s.free(st.Tool, arg, text) {
				continue
			}
			if ch := s.madeBy(i); ch != nil && s.pinned(ch, arg) {
				continue
			}
			contains, words := []string(nil), 0
			if ch := s.madeBy(i); ch != nil {
				contains, words = ch.Wants(arg)
			}
			other := strings.Join(append([]string{otherTexts[variant%len(otherTexts)]}, contains...), " ")
			if words > 0 || len(strings.Fields(text)) > 12 {
				other = rendered(nil, nil, contract.Form{}, contains, max(words, 12), variant)
			}
			if other = s.within(st.Tool, arg, other); other != "" {
				p.steps[i] = p.steps[i].with(arg, other)
			}
		}
	}
	return p
}

// pinned says whether a change asks one value of an argument.
func (s *Subject) pinned(ch *contract.Change, arg string) bool {
	return slices.ContainsFunc(s.c.ArgsUnder(ch, s.x, s.roles), func(g contract.Given) bool {
		return len(g.At) == 1 && g.At[0].Name == arg
	})
}

// free says whether an argument is worded by the agent: a text of several words that neither a list nor a form holds down.
func (s *Subject) free(tool, arg, text string) bool {
	prop := s.property(tool, arg)
	for _, k := range []string{"enum", "const", "pattern", "format"} {
		if prop[k] != nil {
			return false
		}
	}
	return strings.Contains(strings.TrimSpace(text), " ") && !s.own(tool, arg)
}

// property gives the schema of an argument.
func (s *Subject) property(tool, arg string) map[string]any {
	t := s.task.World.Tool(tool)
	if t == nil {
		return nil
	}
	schema, err := exact.Decode(t.Input.JSON)
	if err != nil {
		return nil
	}
	m, _ := schema.(map[string]any)
	props, _ := m["properties"].(map[string]any)
	prop, _ := props[arg].(map[string]any)
	return prop
}

// within gives a text that fits an argument's bounds, "" where none does.
func (s *Subject) within(tool, arg, text string) string {
	prop := s.property(tool, arg)
	if most := whole(prop["maxLength"]); most > 0 && len(text) > most {
		if text = strings.TrimSpace(text[:most]); strings.Contains(text, " ") {
			text = text[:strings.LastIndex(text, " ")]
		}
	}
	for len(text) < whole(prop["minLength"]) {
		text += " and so on"
	}
	return text
}

func whole(v any) int {
	r, ok := exact.Rat(exact.Text(v))
	if !ok || !r.IsInt() || !r.Num().IsInt64() {
		return 0
	}
	return int(r.Num().Int64())
}
