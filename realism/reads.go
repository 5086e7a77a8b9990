package realism

import (
	"context"
	"slices"
	"strings"

	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/world"
)

// Evidence reads of the reference: the calls by which a required investigation is established. A call that is made twice with
// the same arguments is one read, and two tools that give the same bytes give one.

// reads gives every evidence read of the reference, in order. Material is set where somebody measured it.
func (s *Subject) reads(ctx context.Context) ([]Read, error) {
	return once(&s.facts, "reads", func() ([]Read, error) {
		p, err := s.Reference(ctx)
		if err != nil {
			return nil, err
		}
		serves := served(p.Verdict.Findings)
		first := firstChange(p.Events)
		var moved map[int]Material
		if s.Release.Perturb != nil {
			if moved, err = s.Release.Perturb(ctx, s); err != nil {
				return nil, err
			}
		}
		seen := map[string]int{}
		var out []Read
		for i := range p.Events {
			e := &p.Events[i]
			if e.Actor != world.Agent || !e.OK() && e.Status != world.Refused || len(e.Effect) > 0 || len(serves[e.Seq]) == 0 {
				continue
			}
			serving := serves[e.Seq]
			same, again := seen[e.Tool+" "+string(e.Args)]
			if !again {
				same, again = seen["= "+string(e.Result)]
			}
			if again {
				out[same].Serves = strings.Join(append([]string{out[same].Serves}, serving...), ", ")
				continue
			}
			server, _, _ := strings.Cut(e.Tool, ".")
			r := Read{Seq: e.Seq, Tool: e.Tool, Args: clip(string(e.Args), 200), Server: server, Serves: strings.Join(serving, ", "), Before: first == 0 || e.Seq < first}
			r.Live = len(s.liveTables(e.Tool)) > 0
			if moved != nil {
				m := moved[e.Seq]
				r.Material, r.Edit = &m.Moves, m.Edit
			}
			seen[e.Tool+" "+string(e.Args)] = len(out)
			if e.OK() {
				seen["= "+string(e.Result)] = len(out)
			}
			out = append(out, r)
		}
		return out, nil
	})
}

// served says which investigations stand on each event.
func served(findings []record.Finding) map[int][]string {
	out := map[int][]string{}
	for _, f := range findings {
		id, ok := strings.CutPrefix(f.Rule, "investigation.")
		if !ok || !f.Pass {
			continue
		}
		for _, seq := range f.Events {
			out[seq] = append(out[seq], id)
		}
	}
	return out
}

// firstChange is the number of the first event that changed the world; 0 where none did.
func firstChange(events []world.Event) int {
	for i := range events {
		if e := &events[i]; e.OK() && len(e.Effect) > 0 {
			return e.Seq
		}
	}
	return 0
}

// tables are the tables that a tool's statements name; of the engine's own tools none.
func (s *Subject) tables(tool string) []string {
	t := s.World.Tool(tool)
	if t == nil {
		return nil
	}
	return t.Touches
}

// liveTables are those of a tool's tables that hold more than files.
func (s *Subject) liveTables(tool string) []string {
	return slices.DeleteFunc(slices.Clone(s.tables(tool)), s.holdsFiles)
}

// holdsFiles says whether a table's rows are files: the evidence that a task brings, or what its world says to be files.
func (s *Subject) holdsFiles(table string) bool {
	files, _ := s.World.EvidenceTable("path")
	return table == files || s.World.Records[table] == "file"
}

// counts of reads: all of them, and those that are known to matter.
type readCount struct {
	total, material int
	measured        bool // somebody measured what matters
}

func countReads(reads []Read, of func(*Read) bool) readCount {
	n := readCount{measured: true}
	for i := range reads {
		r := &reads[i]
		if !of(r) {
			continue
		}
		n.total++
		switch {
		case r.Material == nil:
			n.measured = false
		case *r.Material:
			n.material++
		}
	}
	return n
}
