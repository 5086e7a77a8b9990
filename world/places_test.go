package world

import (
	"errors"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/assaybench/assay/bench"
)

// TestPlaces: what is wrong is one line each, with the file and the line where it stands.
func TestPlaces(t *testing.T) {
	const schema = "world/schema.sql"
	for name, c := range map[string]struct {
		edits []string // file, old, new
		want  []string
	}{
		"two properties of a schema": {
			[]string{"world/tools.yaml", "part: {type: string,", "part:\n          type: string\n          pattern: '('\n          x-no: 1\n        part2: {type: string,"},
			[]string{`world/tools.yaml:13:11: "x-no" has no place in the input`}},
		"two faults of a schema": {
			[]string{"world/tools.yaml", "part: {type: string,", "part:\n          type: string\n          pattern: '('\n        other:\n          type: string\n          format: hour\n        part2: {type: string,"},
			[]string{"world/tools.yaml:15:19: the input is no JSON Schema: schema.properties.other.format: known are", "world/tools.yaml:12:20: the input is no JSON Schema: schema.properties.part.pattern: error parsing regexp"}},
		"columns of evidence": {
			[]string{"world/world.yaml", "title: title", "title: titel", "world/world.yaml", "path: path", "path: place"},
			[]string{`evidence.columns: the table files has no column "place"`, `evidence.columns: the table files has no column "titel"; did you mean "title"?`}},
		"not STRICT, and without a key": {
			[]string{schema, "CREATE TABLE notes", "CREATE TABLE loose (a TEXT PRIMARY KEY);\nCREATE TABLE keyless (a TEXT) STRICT;\nCREATE TABLE notes"},
			[]string{schema + ":11: the table loose is not STRICT", schema + ":12: the table keyless has no PRIMARY KEY"}},
		"a wrong table's name": {
			[]string{"world/tools.yaml", "table: notes", "table: nots"},
			[]string{"world/tools.yaml:168:20: the id note_id of notes.drafts.create: there is no column note_id in a table nots"}},
	} {
		t.Run(name, func(t *testing.T) {
			m := tree(t)
			for i := 0; i < len(c.edits); i += 3 {
				old := string(m[c.edits[i]].Data)
				if !strings.Contains(old, c.edits[i+1]) {
					t.Fatalf("%s has no %q", c.edits[i], c.edits[i+1])
				}
				m[c.edits[i]] = &fstest.MapFile{Data: []byte(strings.Replace(old, c.edits[i+1], c.edits[i+2], 1))}
			}
			_, err := Load(m, "world", "depot")
			got := bench.Fold(err)
			if len(got) != len(c.want) {
				t.Fatalf("%d lines, want %d:\n%v", len(got), len(c.want), err)
			}
			for i, e := range got {
				var be *bench.Error
				if !errors.As(e, &be) || be.File == "" || be.Line == 0 || strings.Contains(e.Error(), "\n") || !strings.Contains(e.Error(), c.want[i]) {
					t.Errorf("got  %v\nwant %s", e, c.want[i])
				}
			}
		})
	}
}
