package tasks

import (
	"slices"

	"github.com/assaybench/assay/contract"
	"github.com/assaybench/assay/world"
)

// view is a world as contracts see it: the tools that an episode of the task has, and the tables.
type view struct {
	w     *world.World
	tools []*world.Tool
}

// Tools gives the task's tools: those of the servers that it mounts, and of the program's own the brief and the evidence
// files. Handing in the answer is no work in the world, so that no contract names it.
func (v view) Tools() []contract.Tool {
	var out []contract.Tool
	for _, t := range v.tools {
		if t.Name == world.ToolSubmit {
			continue
		}
		ct := contract.Tool{Name: t.Name, Description: t.Title + "\n" + t.Description, Write: t.Access == world.Write, Input: t.Input.JSON, Output: t.Output.JSON}
		if t.Idempotency != "" {
			ct.Own = []string{t.Idempotency}
		}
		out = append(out, ct)
	}
	return out
}

// Tables gives the world's tables.
func (v view) Tables() map[string]contract.Table {
	out := map[string]contract.Table{}
	for _, t := range v.w.Tables {
		ct := contract.Table{Key: slices.Clone(t.Key)}
		for _, c := range t.Columns {
			ct.Columns = append(ct.Columns, c.Name)
		}
		out[t.Name] = ct
	}
	return out
}

// view is the task's public side as contracts see it.
func (t *Task) view() contract.Task {
	out := contract.Task{ID: t.ID, Request: t.Public.Title + "\n" + Brief(t.World, t.Public), AsOf: t.Public.AsOf}
	for i := range t.Public.Answer {
		out.Answer = append(out.Answer, field(&t.Public.Answer[i]))
	}
	return out
}

func field(f *world.Field) contract.Field {
	out := contract.Field{Name: f.Name, Type: contract.FieldType(f.Type), Description: f.Description, Unit: f.Unit, Places: f.Places,
		Values: f.Values, Table: f.Table, Column: f.Column, Most: f.Most}
	if f.Of != nil {
		of := field(f.Of)
		out.Of = &of
	}
	return out
}
