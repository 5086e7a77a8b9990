package realism

import (
	"context"
	"slices"
	"strings"

	"github.com/assaybench/assay/contract/derive"
	"github.com/assaybench/assay/realism/wording"
	"github.com/assaybench/assay/world"
)

// what the employee asks for, without orientation, is Public.Request; requestTexts are all texts of that role, where a recipe
// could hide.
func (s *Subject) requestTexts() []text {
	out := []text{{Where: s.File, Field: "request", Text: s.Public.Request, Said: true}, {Where: s.File, Field: "title", Text: s.Public.Title, Said: true}}
	for _, f := range s.Public.Answer {
		out = append(out, text{Where: s.File, Line: f.Line, Field: "answer." + f.Name, Text: f.Description, Said: true})
	}
	return out
}

// text is a text that an agent can see, and where.
type text struct {
	Where string // file, or tool
	Line  int
	Field string
	Text  string
	Said  bool // it is said of the task, of a tool or of the bench, and is no record
	Table bool // rows
}

// vocabulary is what the task's world calls its parts.
func (s *Subject) vocabulary() wording.Vocabulary {
	v := wording.Vocabulary{}
	for _, t := range s.World.Mounted(s.Public) {
		v.Tools = append(v.Tools, t.Name)
		v.Names = append(v.Names, t.Input.Properties()...)
		v.Names = append(v.Names, t.Output.Properties()...)
	}
	v.Tools = append(v.Tools, world.ToolContext, world.ToolEvidence, world.ToolSubmit)
	for _, t := range s.World.Tables {
		v.Names = append(v.Names, t.Name)
		for _, c := range t.Columns {
			v.Names = append(v.Names, c.Name)
		}
	}
	for _, f := range s.Public.Answer {
		v.Names = append(v.Names, f.Name)
	}
	for _, o := range s.Contract().Options {
		v.Names = append(v.Names, o.ID)
	}
	v.Servers = s.Public.Servers
	return v
}

// asked is what the rules of a request must know of its task.
func (s *Subject) asked(ctx context.Context) (wording.Case, error) {
	c := wording.Case{Fields: s.vocabulary().Names}
	for _, h := range s.Public.Handles {
		c.Handles = append(c.Handles, h.Value)
	}
	p, err := s.Reference(ctx)
	if err != nil {
		return c, err
	}
	seen := map[string]bool{}
	for i := range p.Events {
		e := &p.Events[i]
		parts := strings.Split(e.Tool, ".")
		if parts[0] == world.BuiltinServer || !e.OK() || len(e.Effect) > 0 {
			continue
		}
		name := parts[0]
		if len(parts) == 3 {
			name = parts[1]
		}
		if !seen[name] {
			seen[name] = true
			c.Resources = append(c.Resources, wording.Resource{Name: name, Words: []string{strings.ReplaceAll(name, "_", " ")}})
		}
	}
	c.Methods = s.methods()
	return c, nil
}

// methods says of each graded derivation what its conditions sort out and what it computes with.
func (s *Subject) methods() []wording.Method {
	con := s.Contract()
	var out []wording.Method
	for _, d := range con.Derivations {
		if d.Answer == "" {
			continue
		}
		m := wording.Method{Name: d.Name}
		for _, name := range con.Program.Reach(d.Name) {
			e := con.Program.Expr(name)
			if e == nil {
				continue
			}
			e.Walk(func(e *derive.Expr) {
				if e.Query == nil {
					return
				}
				for _, w := range e.Query.Where {
					for _, to := range w.To {
						if t, ok := to.Const.JSON().(string); ok && to.Op == "const" {
							m.Excludes = append(m.Excludes, t)
						}
					}
				}
			})
		}
		for _, need := range con.Program.Needs(d.Name) {
			m.Operands = append(m.Operands, strings.Fields(strings.ReplaceAll(need, "_", " ")))
		}
		out = append(out, m)
	}
	return out
}

// identities are the names that only this task has: of itself, its organisation, its people, and what the seed's columns of
// names hold.
func (s *Subject) identities(ctx context.Context) ([]string, error) {
	return once(&s.facts, "identities", func() ([]string, error) {
		w := s.World
		out := []string{s.ID, s.Public.Title, s.Public.Role, s.Public.User, w.Name, w.Organisation.ID, w.Organisation.Name, w.Organisation.Site}
		for _, u := range w.Users {
			out = append(out, u.ID, u.Name)
			out = append(out, strings.Fields(u.Name)...)
		}
		for _, h := range s.Public.Handles {
			out = append(out, h.Value)
		}
		rows, err := s.seedRows(ctx)
		if err != nil {
			return nil, err
		}
		for _, t := range rows {
			for _, r := range t.Rows {
				for col, v := range r {
					if text, ok := v.(string); ok && naming(col) && len(text) < 80 {
						out = append(out, text)
					}
				}
			}
		}
		slices.Sort(out)
		return slices.Compact(out), nil
	})
}

// naming says whether a column holds names of things and people.
func naming(col string) bool {
	for _, part := range strings.Split(col, "_") {
		switch part {
		case "name", "title", "customer", "vendor", "supplier", "person", "owner", "site", "city", "product", "label", "vessel", "site_name", "contact", "author", "recipient", "sender":
			return true
		}
	}
	return false
}

// seedRows are the rows that the task's world begins with.
func (s *Subject) seedRows(ctx context.Context) ([]world.TableRows, error) {
	return once(&s.facts, "seed", func() ([]world.TableRows, error) {
		session, err := s.Session(ctx, "audit")
		if err != nil {
			return nil, err
		}
		defer session.Close()
		return session.State(ctx)
	})
}
