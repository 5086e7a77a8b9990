package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	jsonv2 "github.com/go-json-experiment/json"

	"github.com/assaybench/assay/contract/tasks"
	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/store"
	"github.com/assaybench/assay/world"
)

// gradeEpisode judges an episode from its folder: an exported one from its files alone, a served one from its database.
func (p *Process) gradeEpisode(ref, dir string, asJSON bool) error {
	o, err := p.open(ref)
	if err != nil {
		return err
	}
	set, ok := o.set.(*tasks.Set)
	if !ok {
		return usage("%s is no bench of agent tasks, and has no episodes", o.bench.Name())
	}
	t, err := p.readEpisode(set, dir)
	var v record.Verdict
	var damaged *world.Damaged
	switch {
	case errors.As(err, &damaged):
		v = record.Verdict{Bench: o.bench.Name(), Grader: o.set.Digest(), State: record.Ungradable, Letter: record.LetterUngradable, Reason: err.Error(), Findings: []record.Finding{}}
	case err != nil:
		return err
	default:
		if v, err = set.Grade(p.Context, t.Episode.Task, *t); err != nil {
			return fault(err)
		}
		if v.State != record.Ungradable {
			differs, err := set.Retrace(p.Context, t.Episode)
			if err != nil {
				return fault(err)
			}
			if differs != "" {
				v = ungradable(v, differs)
			}
		}
	}
	switch {
	case asJSON:
		err = p.writeJSON(v)
		if err == nil && v.State == record.Ungradable {
			err = silent(exitFault)
		}
		return err
	case v.State == record.Ungradable: // nothing of what it shows can be trusted
		return fault(fmt.Errorf("%s cannot be judged: %s", shown(dir), v.Reason))
	}
	if err := p.showEpisode(t.Episode); err != nil {
		return err
	}
	p.showVerdict(v, "")
	return nil
}

// ungradable takes back a verdict of an episode that no world recorded.
func ungradable(v record.Verdict, reason string) record.Verdict {
	return record.Verdict{Bench: v.Bench, Item: v.Item, Grader: v.Grader, Frozen: v.Frozen, Basis: v.Basis, State: record.Ungradable,
		Letter: record.LetterUngradable, Reason: reason, Findings: []record.Finding{}, Diagnostics: map[string]any{}}
}

func (p *Process) readEpisode(set *tasks.Set, dir string) (*record.Transcript, error) {
	path := p.path(dir)
	if st, err := os.Stat(path); err != nil || !st.IsDir() {
		return nil, usage("%s is no folder; an episode is one", shown(dir))
	}
	if _, err := os.Stat(filepath.Join(path, world.BundleFile)); err == nil {
		t, err := world.ReadBundle(os.DirFS(path))
		if err != nil {
			return nil, fault(err)
		}
		tk, err := set.Task(t.Episode.Task)
		if err != nil {
			return nil, usage("%s: %v", shown(dir), err)
		}
		if now := tk.World.Definition(tk.Spec(t.Episode.Session)); t.Episode.Rules != now && t.Episode.World == tk.World.ID {
			return nil, fault(fmt.Errorf("%s was worked under another definition of the world %s and the task %s than %s has now (%.12s, not %.12s); judge it by the bench as it was",
				shown(dir), plain(t.Episode.World), plain(t.Episode.Task), set.Bench().Name(), t.Episode.Rules, now))
		}
		return t, nil
	} else if !errors.Is(err, fs.ErrNotExist) {
		return nil, fault(err)
	}
	task, id, err := world.EpisodeOf(path)
	if err != nil {
		return nil, usage("%s: %v", shown(dir), err)
	}
	tk, err := set.Task(task)
	if err != nil {
		return nil, usage("%s: %v", shown(dir), err)
	}
	s, err := tk.World.OpenSession(p.Context, tk.Spec(id), filepath.Dir(path))
	if err != nil {
		return nil, episodeError(err)
	}
	defer s.Close()
	ended := "silent"
	if _, n := world.Answer(s.Events()); n > 0 {
		ended = "answer"
	}
	ep, err := world.Bundle(p.Context, s, ended)
	if err != nil {
		return nil, fault(err)
	}
	return &record.Transcript{Outcome: record.Answered, Episode: ep}, nil
}

// showEpisode prints what happened, one line an event: reads and changes told apart, refusals with their reason.
func (p *Process) showEpisode(ep *record.Episode) error {
	var events []world.Event
	if err := jsonv2.Unmarshal(ep.Events, &events); err != nil {
		return fault(fmt.Errorf("the episode's events cannot be read: %w", err))
	}
	p.printf("Episode %s of %s/%s, %s, ended by: %s%s\n", plain(ep.Session), plain(ep.World), plain(ep.Task), counted(len(events), "event"), plain(ep.Ended), unsealed(ep))
	for i := range events {
		e := &events[i]
		mark := " "
		switch {
		case e.Error != nil:
			mark = "!"
		case len(e.Effect) > 0:
			mark = "*"
		case e.Replayed:
			mark = "="
		}
		p.printf("%4d %s %-8s %s %s\n", e.Seq, mark, plain(e.Surface), plain(e.Tool), plain(clip(string(e.Args), 160)))
		if e.Actor != world.Agent {
			p.printf("       by the %s, and none of the agent's calls\n", plain(string(e.Actor)))
		}
		if e.Replayed {
			p.printf("       the key was used before: it gave the first result again, and changed nothing\n")
		}
		if e.Error != nil {
			p.printf("       %s, %s: %s\n", e.Status, plain(e.Error.Code), plain(clip(e.Error.Message, 300)))
		}
		for j := range e.Effect {
			c := &e.Effect[j]
			p.printf("       %s %s %s: %s\n", c.Op, plain(c.Table), plain(rowText(c.Key)), plain(clip(changeText(c), 300)))
		}
	}
	p.printf("  (* changed the world, ! was refused, = gave again what the same key had given)\n\n")
	return nil
}

// unsealed says of an episode what keeps it from being ranked, or nothing.
func unsealed(ep *record.Episode) string {
	switch {
	case ep.Sealed:
		return ""
	case ep.Agent != "":
		return "; unsealed: the agent could have seen the sealed part, so it is never ranked"
	}
	return "; unsealed: the world was served, and nothing says what else whoever worked in it could see, so it is never ranked"
}

func rowText(r world.Row) string {
	b, err := record.Canonical(r)
	if err != nil {
		return "?"
	}
	return string(b)
}

// changeText says what a change changed: the new row, the lost one, or each column with both values.
func changeText(c *world.Change) string {
	switch c.Op {
	case world.Insert:
		return rowText(c.After)
	case world.Delete:
		return rowText(c.Before)
	}
	var parts []string
	for _, name := range c.Columns() {
		parts = append(parts, fmt.Sprintf("%s %s → %s", name, valueText(c.Before[name]), valueText(c.After[name])))
	}
	return strings.Join(parts, ", ")
}

func valueText(v any) string {
	b, err := record.Canonical(v)
	if err != nil {
		return "?"
	}
	return string(b)
}

// exportEpisodes writes a folder for each attempt at an agent task.
func (p *Process) exportEpisodes(db store.Store, r *store.Run, dir, out string) error {
	written, without := 0, 0
	for row, err := range db.Rows(p.Context, r, r.Plan.Grader) {
		if err != nil {
			return storeError(err)
		}
		if row.Try == 0 {
			without++
			continue
		}
		t, err := db.Transcript(p.Context, r, row.N, row.Try)
		if err != nil {
			return storeError(err)
		}
		if t.Episode == nil {
			without++
			continue
		}
		name := fmt.Sprintf("%04d-%s-%s", row.N, fileName(row.Key.Item), fileName(row.Key.Model))
		if err := world.WriteBundle(filepath.Join(dir, name), &t); err != nil {
			return fault(fmt.Errorf("%s: %w", name, err))
		}
		written++
	}
	p.printf("%s: %s of run %s", shown(out), counted(written, "episode"), r.ID)
	switch {
	case without == 1:
		p.printf("; 1 attempt has none")
	case without > 1:
		p.printf("; %d attempts have none", without)
	}
	p.printf("\n")
	if written == 0 {
		return failed(fmt.Errorf("run %s has no episode: it is of no bench of agent tasks, or nothing was made yet", r.ID))
	}
	return nil
}

// fileName keeps of a text what every file system takes as a name.
func fileName(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '.' || r == '-' {
			return r
		}
		return '_'
	}, s)
}

// showScores prints the three numbers of an agent task side by side; they are never one.
func (p *Process) showScores(v record.Verdict) {
	a := v.Agent
	if a == nil || v.State != record.Graded {
		return
	}
	if a.GatedScore == nil {
		p.printf("  not judged for the record; what follows is a diagnostic\n")
		return
	}
	process := "no process score, for the contract has no criterion of process"
	if a.ProcessScore != nil {
		process = "process score " + *a.ProcessScore + " of 100 (a diagnostic)"
	}
	strict := map[bool]string{true: "1", false: "0"}[a.Strict]
	p.printf("  strict %s of 1; gated score %s of 100; %s\n", strict, *a.GatedScore, process)
	if a.Unsealed {
		p.printf("  unsealed: never ranked\n")
	}
}
