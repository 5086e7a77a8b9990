package cli

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/assaybench/assay/bench"
	"github.com/assaybench/assay/benches"
	"github.com/assaybench/assay/grade"
	"github.com/assaybench/assay/record"
)

// listed is one bench in `assay list`.
type listed struct {
	Name   string `json:"name"`
	Title  string `json:"title"`
	Shape  string `json:"shape"`
	Items  int    `json:"items"`
	Drafts int    `json:"drafts"`
	Exact  int    `json:"exact"`
	Proxy  int    `json:"proxy"`
	Digest string `json:"digest"`
	Frozen string `json:"frozen_at"` // "" when the bench is not frozen
	Grader string `json:"grader"`
}

func newList(p *Process) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use: "list", Short: "The benches that ship inside: sizes, digest, frozen or not", Long: "Lists the benches that ship inside the program." + exitHelp,
		Args: args(0, 0, "no arguments"),
		RunE: func(*cobra.Command, []string) error {
			var out []listed
			for _, name := range benches.Names() {
				o, err := p.open(name)
				if err != nil {
					return err
				}
				out = append(out, describe(o))
			}
			if asJSON {
				return p.writeJSON(map[string]any{"benches": out})
			}
			for _, l := range out {
				p.printf("%s  %s\n", l.Name, l.Title)
				frozen := "not frozen"
				if l.Frozen != "" {
					frozen = "frozen " + l.Frozen
				}
				p.printf("  %s (%d exact, %d proxy), %s; shape %s; %s\n  digest %s\n", counted(l.Items, "item"), l.Exact, l.Proxy, counted(l.Drafts, "draft"), l.Shape, frozen, l.Digest)
			}
			return nil
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

func describe(o *opened) listed {
	l := listed{Name: o.bench.Name(), Title: o.bench.Title, Shape: o.bench.Shape, Digest: o.state.Digest, Grader: o.set.Digest()}
	if o.state.Freeze != nil {
		l.Frozen = o.state.Freeze.FrozenAt
	}
	for h := range o.set.Heads() {
		switch {
		case !h.Frozen:
			l.Drafts++
		case h.Basis == record.Exact:
			l.Items++
			l.Exact++
		default:
			l.Items++
			l.Proxy++
		}
	}
	return l
}

func newShow(p *Process) *cobra.Command {
	var asJSON, controls bool
	c := &cobra.Command{
		Use: "show BENCH[/ITEM]", Short: "What is asked, by what rules, with what controls",
		Long: "Shows a bench, or one of its items: the prompt, the rules in words and the controls that prove them.\nFor a bench named by a path, the item follows with --item." + exitHelp,
		Args: args(1, 1, "BENCH or BENCH/ITEM"),
	}
	var item string
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	c.Flags().BoolVar(&controls, "controls", true, "show the controls of an item")
	c.Flags().StringVar(&item, "item", "", "the item, where BENCH is a path")
	c.RunE = func(_ *cobra.Command, a []string) error {
		ref := a[0]
		if name, id, ok := strings.Cut(ref, "/"); ok && item == "" {
			if _, _, shipped := benches.Open(strings.Split(name, "@")[0]); shipped {
				ref, item = name, id
			}
		}
		o, err := p.open(ref)
		if err != nil {
			return err
		}
		if item == "" {
			return p.showBench(o, asJSON)
		}
		return p.showItem(o, item, controls, asJSON)
	}
	return c
}

func (p *Process) showBench(o *opened, asJSON bool) error {
	b := o.bench
	var heads []bench.Head
	for h := range o.set.Heads() {
		heads = append(heads, h)
	}
	if asJSON {
		return p.writeJSON(map[string]any{"bench": describe(o), "licence": b.Licence, "attribution": b.Attribution, "derived_from": b.DerivedFrom, "notice": b.Notice,
			"not_a_standard": b.NotAStandard, "contamination": b.Contamination, "limits": b.Limits, "protocol": b.Protocol, "items": heads, "blocked": o.set.Blocked()})
	}
	l := describe(o)
	p.printf("%s  %s\n", l.Name, plain(l.Title))
	p.printf("%s (%d exact, %d proxy), %s; digest %s\n\n", counted(l.Items, "item"), l.Exact, l.Proxy, counted(l.Drafts, "draft"), l.Digest)
	for _, t := range [][2]string{{"Notice", b.Notice}, {"Derived from", b.DerivedFrom}, {"Licence", b.Licence}, {"Attribution", b.Attribution},
		{"Not a standard", b.NotAStandard}, {"Contamination", b.Contamination}, {"Limits", strings.Join(b.Limits, "\n")}} {
		if t[1] != "" {
			block(p.Stdout, t[0], strings.Join(wrapAll(t[1], p.Width-4), "\n"))
		}
	}
	pr := b.Protocol
	p.printf("Protocol\n  repeats %d, an item passes when %s of them pass; context %d tokens", pr.Repeats, pr.PassRule, pr.Context)
	if pr.Temperature != nil {
		p.printf("; temperature %g", *pr.Temperature)
	}
	if pr.TopP != nil {
		p.printf("; top_p %g", *pr.TopP)
	}
	p.printf("\n")
	for _, q := range pr.Postures {
		thinking := "thinking " + string(q.Thinking)
		if q.Thinking == "" {
			thinking = "nothing is asked of thinking"
		}
		p.printf("  posture %s: %s, at most %d tokens out, %s", q.Name, thinking, q.MaxOutput, q.Timeout)
		switch {
		case q.Name == pr.DefaultPosture:
			p.printf("; every model takes it")
		case len(q.Models) > 0:
			p.printf("; taken also by %s", strings.Join(q.Models, ", "))
		}
		p.printf("\n")
	}
	p.printf("\nItems\n")
	for _, h := range heads {
		draft := ""
		if !h.Frozen {
			draft = "  (draft: never run or counted)"
		}
		p.printf("  %-14s %-22s %s%s\n", h.ID, h.Family, h.Basis, draft)
	}
	for _, bl := range o.set.Blocked() {
		p.printf("  %s cannot run: %s\n", bl.Item, plain(bl.Why))
	}
	p.showUnfinished(o.unfinished(""))
	return nil
}

// unfinished gives the faults of the drafts that do not compile, or of one of them.
func (o *opened) unfinished(id string) []bench.ClaimFault {
	d, ok := o.set.(grade.Drafter)
	if !ok {
		return nil
	}
	return slices.DeleteFunc(d.Unfinished(), func(f bench.ClaimFault) bool { return id != "" && f.Item != id })
}

func (p *Process) showUnfinished(faults []bench.ClaimFault) {
	for _, f := range faults {
		p.printf("  %s is not whole yet: %s: %s\n", f.Item, plain(f.Place), plain(f.Msg))
	}
}

func wrapAll(s string, width int) []string {
	var out []string
	for line := range strings.SplitSeq(strings.TrimRight(s, "\n"), "\n") {
		out = append(out, wrap(line, width)...)
	}
	return out
}

func (p *Process) showItem(o *opened, id string, withControls, asJSON bool) error {
	if !o.bench.Has(id) {
		return usage("%s has no item %q%s", o.bench.Name(), id, bench.Nearest(id, o.bench.IDs()))
	}
	var head bench.Head
	for h := range o.set.Heads() {
		if h.ID == id {
			head = h
		}
	}
	if faults := o.unfinished(id); len(faults) > 0 {
		if asJSON {
			return p.writeJSON(map[string]any{"item": head, "unfinished": faults})
		}
		p.printf("%s  %s, %s  (draft: shown, never run or counted)\n\n", id, plain(head.Family), plain(string(head.Basis)))
		p.showUnfinished(faults)
		return nil
	}
	prompt, err := o.set.Prompt(id)
	if err != nil {
		return err
	}
	rules, err := o.set.Explain(id)
	if err != nil {
		return err
	}
	controls, err := o.set.Controls(id)
	if err != nil {
		return err
	}
	if asJSON {
		return p.writeJSON(map[string]any{"item": head, "prompt": prompt, "rules": rules, "controls": controls})
	}
	p.printf("%s  %s, %s", id, head.Family, head.Basis)
	if !head.Frozen {
		p.printf("  (draft: shown, never run or counted)")
	}
	p.printf("\n\n")
	for _, m := range prompt {
		text := m.Text
		if len(text) > 6000 {
			text = text[:2000] + fmt.Sprintf("\n… %d bytes …\n", len(text)-4000) + text[len(text)-2000:]
		}
		block(p.Stdout, "Prompt ("+m.Role+")", strings.ToValidUTF8(text, ""))
	}
	block(p.Stdout, "Rules", strings.Join(rules, "\n"))
	if !withControls {
		return nil
	}
	for _, c := range controls {
		label := "Control " + c.Name + ": must be accepted"
		if !c.Accept {
			label = "Control " + c.Name + ": must be refused, for " + strings.Join(c.Breaks, " and ")
		}
		if c.Slow {
			label += " (slow)"
		}
		block(p.Stdout, label, c.Answer)
	}
	return nil
}

func newRules(p *Process) *cobra.Command {
	var asJSON, kinds bool
	c := &cobra.Command{
		Use: "rules BENCH", Short: "Every frozen item's rules in words, from the objects that grade",
		Long: "Prints every frozen item's rules in words, produced by the grader itself, with the grader's digest.\nWith --kinds, and no bench, every kind of rule that prompt items can use (docs/rules.md)." + exitHelp,
		Args: args(0, 1, "BENCH"),
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	c.Flags().BoolVar(&kinds, "kinds", false, "list the kinds of rules instead")
	c.RunE = func(_ *cobra.Command, a []string) error {
		if kinds {
			return p.showKinds(asJSON)
		}
		if len(a) == 0 {
			return usage("assay rules wants BENCH, or --kinds for every kind of rule of prompt items")
		}
		o, err := p.open(a[0])
		if err != nil {
			return err
		}
		return p.showRules(o, asJSON)
	}
	return c
}

func (p *Process) showRules(o *opened, asJSON bool) error {
	type entry struct {
		Item   string       `json:"item"`
		Family string       `json:"family"`
		Basis  record.Basis `json:"basis"`
		Rules  []string     `json:"rules"`
	}
	var out []entry
	for h := range o.set.Heads() {
		if !h.Frozen {
			continue
		}
		rules, err := o.set.Explain(h.ID)
		if err != nil {
			return err
		}
		out = append(out, entry{h.ID, h.Family, h.Basis, rules})
	}
	if asJSON {
		return p.writeJSON(map[string]any{"bench": o.bench.Name(), "digest": o.state.Digest, "grader": o.set.Digest(), "items": out, "lists": o.bench.Lists})
	}
	p.printf("%s  digest %s\ngrader %s\n", o.bench.Name(), o.state.Digest, o.set.Digest())
	for _, e := range out {
		p.printf("\n%s  (%s, %s)\n", e.Item, e.Family, e.Basis)
		for _, r := range e.Rules {
			for i, line := range wrap(plain(r), p.Width-4) {
				if i == 0 {
					p.printf("  %s\n", line)
				} else {
					p.printf("    %s\n", line)
				}
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(o.bench.Lists)) {
		p.printf("\nlist %q\n", name)
		for _, line := range wrap(plain(strings.Join(o.bench.Lists[name], " | ")), p.Width-4) {
			p.printf("  %s\n", line)
		}
	}
	return nil
}
