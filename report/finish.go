package report

import (
	"errors"
	"fmt"
	"slices"

	"github.com/assaybench/assay/price"
	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/stats"
)

// result makes the figures out of what was kept, in the plan's order.
func (b *builder) result() (*Result, error) {
	r := &Result{
		Run: b.run.ID, Bench: b.run.Bench, Digest: b.run.Digest, Grader: b.run.Grader, repeats: b.run.Repeats,
		Figures: []Figure{}, Families: []FamilyFigure{}, Items: []ItemLetters{}, Unstable: []Unstable{}, Notes: []string{},
		Servers: []Server{}, Contention: append([]Watched{}, b.run.Contention...), Accounts: append([]price.Account{}, b.run.Accounts...),
	}
	for _, basis := range b.items.basis {
		r.items[basis]++
	}
	b.runNotes(r)
	for s := range b.settings {
		if err := b.finish(r, s); err != nil {
			return nil, err
		}
	}
	for i := range b.run.Models {
		m := &b.run.Models[i]
		server := m.Server.copied(m.Name)
		total := costs{price: b.run.priceOf(i)}
		for s := range b.settings {
			if b.settings[s].at == i {
				total.join(&b.settings[s].costs)
			}
		}
		server.Cost = total.close(b.run.priced())
		r.Servers = append(r.Servers, server)
	}
	b.incomplete(r)
	compared := 0
	for i := range b.settings {
		if !b.settings[i].control {
			compared++
		}
	}
	var err error
	if r.Detectable, err = Detect(r.items, b.run.Repeats, compared); err != nil {
		return nil, err
	}
	if b.items.len() <= ItemsShown || b.run.AllItems {
		b.listItems(r)
	}
	r.explainLetters(b.run.Letters)
	b.premise(r)
	return r, nil
}

func (b *builder) runNotes(r *Result) {
	note := func(s string) {
		if s = Printable(s); s != "" && !slices.Contains(r.Notes, s) {
			r.Notes = append(r.Notes, s)
		}
	}
	r.Private = b.run.Premise != nil && b.run.Premise.Private
	if !b.run.Proven {
		note("unproven: this bench's graders had not been checked against their controls; run `assay check` on it")
	}
	for _, n := range b.run.Notes {
		note(n)
	}
	if n := b.items.len(); n > ItemsShown && !b.run.AllItems {
		note(fmt.Sprintf("the letters of %d items are left out (more than %d); figures and families cover them all", n, ItemsShown))
	}
}

// finish closes one model at one posture.
func (b *builder) finish(r *Result, s int) error {
	set := &b.settings[s]
	var figures [2]tally
	families := make([][2]tally, len(b.run.Families))
	for i := range figures {
		figures[i] = tally{passes: make([]int, b.run.Repeats+1), open: map[openKey]int{}}
	}
	var answered [2]tally
	marks := make([]stats.Mark, b.run.Repeats)
	for i := range b.items.len() {
		cell, basis := b.cell(s, i), b.items.basis[i]
		all := true
		for j := range marks {
			c := b.codes[b.attempts[cell+j]]
			marks[j] = c.class.mark()
			all = all && c.answered
		}
		figures[basis].count(marks)
		if all {
			answered[basis].count(marks)
		}
		families[b.items.family[i]][basis].count(marks)
		switch {
		case stats.All(marks...) == stats.Open:
			figures[basis].open[b.whyOpen(cell)]++
		case stats.Disagree(marks...) && len(r.Unstable) < ItemsShown:
			r.Unstable = append(r.Unstable, Unstable{Item: b.items.id(i), Basis: bases[basis], ModelLetters: b.letters(s, i)})
		}
	}
	for basis := range figures {
		set.counts[basis].close(figures[basis].items * b.run.Repeats)
		if figures[basis].items == 0 {
			continue
		}
		f, err := b.figure(s, basis, &figures[basis])
		if err != nil {
			return err
		}
		over, err := answered[basis].score(bases[basis])
		if err != nil {
			return err
		}
		f.Answered = Answered{over.Passed, over.Items, over.Interval}
		r.Figures = append(r.Figures, f)
		b.tolerantNotes(r, f)
	}
	for i, fam := range b.run.Families {
		for basis := range bases {
			if families[i][basis].items == 0 {
				continue
			}
			score, err := families[i][basis].score(bases[basis])
			if err != nil {
				return err
			}
			r.Families = append(r.Families, FamilyFigure{Family: fam.ID, Title: fam.Title, Model: set.model, Posture: set.posture, Score: score})
		}
	}
	if n := set.unsealedEpisodes; n > 0 && !set.unsealed { // of a program that worked unsealed the run's own note tells
		r.Notes = append(r.Notes, fmt.Sprintf("%s, %s: %d of %d episodes are unsealed: who worked there could have read the sealed part, so it is never ranked", Printable(set.model), Printable(set.posture), n, b.items.len()*b.run.Repeats))
	}
	b.warn(r, s, &figures)
	st, err := set.close()
	before := b.run.Models[set.at].Before[set.posture]
	st.program = b.run.Models[set.at].Program
	st.Probe, st.Ready = before.Probe, before.Ready
	st.Wishes, st.Replies, st.SettingsRead = set.wishes.list(before.settings()), set.wishes.replies, set.wishes.read
	st.Cost = set.costs.close(b.run.priced())
	r.Attempts.Settings = append(r.Attempts.Settings, st)
	r.Attempts.add(st.Counts)
	return err
}

func (b *builder) figure(s, basis int, t *tally) (Figure, error) {
	set := &b.settings[s]
	score, err1 := t.score(bases[basis])
	passK, passAny, err2 := t.passK(b.run.Repeats)
	f := Figure{
		Model: set.model, Posture: set.posture, Score: score, Repeats: b.run.Repeats, SingleRun: b.run.Repeats == 1,
		Complete: t.judged == t.items, Control: set.control, Unsealed: set.unsealed || set.unsealedEpisodes > 0, Open: t.opens(), Unstable: t.unstable, PassK: passK, PassAny: passAny,
		TolerantUnread: set.unreadPass[basis], TolerantWrong: set.wrongPass[basis], Attempts: set.counts[basis],
	}
	f.Identical.Same, f.Identical.Of = stats.IdenticalRate(b.groups(s, uint8(basis)))
	return f, errors.Join(err1, err2)
}

func (b *builder) tolerantNotes(r *Result, f Figure) {
	where := fmt.Sprintf("%s, %s, %s", Printable(f.Model), Printable(f.Posture), f.Basis)
	if f.TolerantUnread > 0 {
		r.Notes = append(r.Notes, fmt.Sprintf("%s: unread by the strict parse, readable by the tolerant one: %d", where, f.TolerantUnread))
	}
	if f.TolerantWrong > 0 {
		r.Notes = append(r.Notes, fmt.Sprintf("%s: wrong by the strict parse, passing by the tolerant one: %d", where, f.TolerantWrong))
	}
}

func (b *Before) settings() []record.Setting {
	if b.Ready == nil {
		return nil
	}
	return b.Ready.Settings
}

func (set *setting) close() (Setting, error) {
	st := Setting{Model: set.model, Posture: set.posture, Control: set.control, Unsealed: set.unsealedEpisodes, Prompt: set.prompt, Output: set.output, Thinking: set.thinking, Cached: set.cached}
	for i := range set.counts {
		st.add(set.counts[i])
	}
	var err error
	if st.Times, st.Generation, err = set.clocks.close(); err != nil {
		return st, err
	}
	st.Delivery, st.Retries = set.deliveries.close(st.Planned), set.retries.close()
	st.Impossible = set.impossible
	if st.Latency.Of = len(set.latency); st.Latency.Of > 0 {
		seconds := make([]float64, len(set.latency))
		for i, ns := range set.latency {
			seconds[i] = float64(ns) / 1e9
		}
		median, err1 := stats.Median(seconds)
		p95, err2 := stats.Quantile(seconds, 0.95)
		if err := errors.Join(err1, err2); err != nil {
			return st, err
		}
		st.Latency.Median, st.Latency.P95 = new(round4(median)), new(round4(p95))
	}
	if set.pacedMicros > 0 {
		st.TokensPerSecond = new(round4(float64(set.pacedTokens) / (float64(set.pacedMicros) / 1e6)))
	}
	return st, nil
}

func (b *builder) letters(s, item int) ModelLetters {
	cell := b.cell(s, item)
	m := ModelLetters{Model: b.settings[s].model, Posture: b.settings[s].posture, Letters: make([]record.Letter, b.run.Repeats)}
	marks := make([]stats.Mark, b.run.Repeats)
	for j := range marks {
		c := b.codes[b.attempts[cell+j]]
		m.Letters[j], marks[j] = c.letter, c.class.mark()
		if c.tolerant {
			m.Tolerant++
		}
	}
	if result := stats.All(marks...); result != stats.Open {
		m.Passed, m.Unstable = new(result == stats.Passed), stats.Disagree(marks...)
	}
	return m
}

func (b *builder) listItems(r *Result) {
	for i := range b.items.len() {
		it := ItemLetters{Item: b.items.id(i), Family: b.run.Families[b.items.family[i]].ID, Basis: bases[b.items.basis[i]]}
		for s := range b.settings {
			it.Settings = append(it.Settings, b.letters(s, i))
		}
		r.Items = append(r.Items, it)
	}
}

// explainLetters explains the letters that the result shows, in record's order and then the shape's, whose meanings are of.
func (r *Result) explainLetters(of []Meaning) {
	shown := map[record.Letter]bool{}
	for _, it := range r.Items {
		for _, s := range it.Settings {
			for _, l := range s.Letters {
				shown[l] = true
			}
		}
	}
	for _, u := range r.Unstable {
		for _, l := range u.Letters {
			shown[l] = true
		}
	}
	own := map[record.Letter]bool{}
	for _, m := range of {
		own[m.Letter] = true
	}
	for _, m := range append(slices.DeleteFunc(slices.Clone(coreLetters), func(m Meaning) bool { return own[m.Letter] }), of...) {
		if shown[m.Letter] {
			r.Letters = append(r.Letters, Meaning{m.Letter, Printable(m.Meaning)})
			delete(shown, m.Letter)
		}
	}
	rest := []record.Letter{}
	for l := range shown {
		rest = append(rest, l)
	}
	slices.Sort(rest)
	for _, l := range rest {
		r.Letters = append(r.Letters, Meaning{l, "not explained by the bench"})
	}
}
