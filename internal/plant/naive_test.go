package main

import (
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"github.com/assaybench/assay/contract/tasks"
	"github.com/assaybench/assay/world"
)

// Agents of ordinary skill, who work from what the surfaces show: they read a great deal, fill every field with what looks most
// like it, make a change that the world takes, look at it and tell somebody. None derives anything.

// habit is how such an agent goes about it.
type habit struct {
	name string
	// papers says which papers it believes first; nil: all alike.
	papers func(p paper) bool
	// cheapest takes the option that looks cheapest, else the first.
	cheapest bool
	// message makes its text of what it read and answers.
	message func(n *notes, answer map[string]any) string
	first   bool // the change is made before anything is read
	blind   bool // nothing is read at all, and constants are answered
}

func overview(p paper) bool {
	t := strings.ToLower(p.title + " " + p.kind + " " + p.text)
	n := 0
	for _, w := range []string{"option", "offer", "quote", "comparison", "choice", "cost", "price", "either"} {
		n += strings.Count(t, w)
	}
	return n >= 3
}

func stale(p paper) bool {
	t := strings.ToLower(p.title + " " + p.kind)
	return slices.ContainsFunc([]string{"superseded", "previous", "until", "old", "void", "withdrawn", "draft", "last year", "stale"}, func(w string) bool { return strings.Contains(t, w) })
}

var habits = []habit{
	{name: "copies the paper of options", papers: overview, message: func(n *notes, _ map[string]any) string {
		for _, p := range n.papers {
			if overview(p) {
				return p.text
			}
		}
		return "There is no paper of options."
	}},
	{name: "stuffs the note", message: func(n *notes, answer map[string]any) string {
		var parts []string
		for _, k := range slices.Sorted(maps.Keys(answer)) {
			parts = append(parts, fmt.Sprintf("%s %v", strings.ReplaceAll(k, "_", " "), answer[k]))
		}
		for _, p := range n.papers {
			parts = append(parts, p.title)
			parts = append(parts, aDay.FindAllString(p.text, 3)...)
		}
		return "We have decided. " + strings.Join(parts, ", ") + ". It is booked, confirmed and done."
	}},
	{name: "takes what looks cheapest", cheapest: true, message: told},
	{name: "believes the old papers", papers: stale, message: told},
	{name: "changes first", first: true, message: told},
	{name: "answers constants", blind: true, message: func(*notes, map[string]any) string {
		return "All is in order. Nothing more has to be done, and nobody has to wait for anything."
	}},
}

// told is a text of two honest sentences with what is answered.
func told(_ *notes, answer map[string]any) string {
	var days []string
	for _, k := range slices.Sorted(maps.Keys(answer)) {
		if s, ok := answer[k].(string); ok && aDay.MatchString(s) {
			days = append(days, s)
		}
	}
	return fmt.Sprintf("We take option %v, and it is entered in our system for you now. You can count on %s, because nothing earlier can be had from what we have in the house; please tell the others about it.", answer["option"], strings.Join(slices.Compact(days), " and "))
}

// TestOrdinaryAgentsGetNoStrictPass lets each of them work on every task. What they do is real work by its looks: most of their
// reads succeed, the world takes a change and a text of each, and their answers have the right form.
func TestOrdinaryAgentsGetNoStrictPass(t *testing.T) {
	set, err := compiled()
	if err != nil {
		t.Fatal(err)
	}
	for _, tk := range set.Tasks() {
		t.Run(tk.ID, func(t *testing.T) {
			t.Parallel()
			rehearsal := sit(t, tk)
			n := rehearsal.lookUp()
			if len(n.reads) < 60 || len(n.papers) < 20 {
				t.Fatalf("an agent finds %d things to read and %d papers", len(n.reads), len(n.papers))
			}
			change, looks := rehearsal.change(t, tk, n)
			for _, h := range habits {
				answer := n.answers(rehearsal.asked, h)
				text := rehearsal.text(n, h.message(n, answer))
				t.Run(h.name, func(t *testing.T) { plays(t, set, tk, n, h, answer, text, change, looks) })
				t.Run(h.name+", and all else is right", func(t *testing.T) {
					splices(t, set, tk, "answer.", func(c *does) bool {
						if c.tool == world.ToolSubmit {
							c.args = answer
						}
						return c.tool == world.ToolSubmit
					})
					splices(t, set, tk, "message.", func(c *does) bool {
						at := wordedIn(c.tool, c.args)
						if at != "" {
							c.args[at] = text.args[wordedIn(text.tool, text.args)]
						}
						return at != ""
					})
				})
			}
			t.Run("does all and tells nobody", func(t *testing.T) { leavesOut(t, set, tk, "message.") })
			t.Run("does all and looks at nothing", func(t *testing.T) { leavesOut(t, set, tk, "readback.") })
		})
	}
}

func plays(t *testing.T, set *tasks.Set, tk *tasks.Task, n *notes, h habit, answer map[string]any, text, change does, looks []does) {
	d := sit(t, tk)
	work := slices.Clone(n.reads)
	switch {
	case h.blind:
		work = []does{{tool: world.ToolContext}, change}
	case h.first:
		work = append([]does{change}, work...)
	default:
		work = append(work, change)
	}
	if !h.blind {
		work = append(work, looks...)
	}
	work = append(work, text)
	changed, wrote, read := false, false, 0
	for _, c := range work {
		_, ok := d.call(c)
		switch {
		case c.tool == change.tool && ok:
			changed = true
		case c.tool == text.tool && ok:
			wrote = true
		case ok:
			read++
		}
	}
	handed := d.hand(answer)
	v := d.ended(t, set, tk.ID)
	if v.Strict {
		t.Errorf("it is accepted")
	}
	if !changed || !wrote || !handed || !h.blind && read < 60 {
		t.Errorf("it does not get as far as an agent would: %d reads, change %v, text %v, answer %v", read, changed, wrote, handed)
	}
	failed := 0
	for _, f := range v.Findings {
		if !f.Pass {
			failed++
		}
	}
	score := gatedScore(t, v.Agent.GatedScore)
	t.Logf("%s: %d of %d criteria fail, gated score %s", h.name, failed, len(v.Findings), score.FloatString(2))
	if score.Cmp(big.NewRat(49, 1)) > 0 {
		t.Errorf("its gated score is %s", score.FloatString(2))
	}
}

func gatedScore(t *testing.T, s *string) *big.Rat {
	t.Helper()
	if s == nil {
		t.Fatal("no gated score")
	}
	r, ok := new(big.Rat).SetString(*s)
	if !ok {
		t.Fatalf("gated score %q", *s)
	}
	return r
}

// leavesOut plays the reference, which is right throughout, without its texts or without what it looks at after its change.
func leavesOut(t *testing.T, set *tasks.Set, tk *tasks.Task, what string) {
	d := sit(t, tk)
	access := map[string]string{}
	for _, tool := range d.tools {
		access[tool.Name] = tool.Access
	}
	changed := false
	instead(t, set, tk, d, what, func(c *does) (bool, bool) {
		write, builtin := access[c.tool] == "write", strings.HasPrefix(c.tool, "assay.")
		gone := wordedIn(c.tool, c.args) != ""
		if what == "readback." {
			gone = changed && !write && !builtin
		}
		changed = changed || write && !builtin
		return gone, !gone
	})
}

// splices plays the reference with something else in the place of one of its calls.
func splices(t *testing.T, set *tasks.Set, tk *tasks.Task, what string, other func(c *does) bool) {
	instead(t, set, tk, sit(t, tk), what, func(c *does) (bool, bool) { return other(c), true })
}

// instead plays the reference with calls left out or changed, and wants it refused by criteria of a kind, with half of the
// score at most.
func instead(t *testing.T, set *tasks.Set, tk *tasks.Task, d *desk, what string, edit func(c *does) (edited, keep bool)) {
	t.Helper()
	trace, err := tk.Reference()
	if err != nil {
		t.Fatal(err)
	}
	edits := 0
	for _, one := range trace {
		c := does{tool: one.Tool}
		if err := json.Unmarshal(one.Args, &c.args); err != nil {
			t.Fatal(err)
		}
		edited, keep := edit(&c)
		if edited {
			edits++
		}
		if !keep {
			continue
		}
		if _, ok := d.call(c); !ok {
			t.Fatalf("%s is refused", c.tool)
		}
	}
	v := d.ended(t, set, tk.ID)
	broken := 0
	for _, f := range v.Findings {
		if !f.Pass && strings.HasPrefix(f.Rule, what) {
			broken++
		}
	}
	if v.Strict || edits == 0 || broken == 0 {
		t.Errorf("%d calls are others: strict %v, %d criteria %s fail", edits, v.Strict, broken, what)
	}
	score := gatedScore(t, v.Agent.GatedScore)
	t.Logf("%d calls are others, %d criteria %s fail, gated score %s", edits, broken, what, score.FloatString(2))
	if what != "message." && score.Cmp(big.NewRat(49, 1)) > 0 {
		t.Errorf("its gated score is %s", score.FloatString(2))
	}
}
