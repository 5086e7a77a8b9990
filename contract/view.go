package contract

import (
	"github.com/go-json-experiment/json/jsontext"
)

// World is what a contract must know of a world: its tools with their schemas, and its tables.
type World interface {
	Tools() []Tool
	Tables() map[string]Table
}

// Tool is one tool as its callers see it.
type Tool struct {
	Name        string
	Description string         // all prose that callers see beside the schemas
	Write       bool           // access: write
	Own         []string       // arguments that a caller makes up: the key of a repeated call
	Input       jsontext.Value // JSON Schema of the arguments
	Output      jsontext.Value // JSON Schema of the result; empty where none is declared
}

// Table is one table of the world.
type Table struct {
	Columns []string
	Key     []string // the columns of the primary key
}

// Reads runs read tools on the seed, after the task's own seeding. args and result are JSON; a read that the world refuses
// gives an error.
type Reads interface {
	Read(tool string, args jsontext.Value) (jsontext.Value, error)
}

// Documents are Reads that hold what they gave as package exact does: for deriving many times from nearly the same world.
type Documents interface {
	Reads
	Document(tool string, args jsontext.Value) (any, error) // not to be changed
}

// ReadsFunc is a function as Reads.
type ReadsFunc func(tool string, args jsontext.Value) (jsontext.Value, error)

// Read calls f.
func (f ReadsFunc) Read(tool string, args jsontext.Value) (jsontext.Value, error) {
	return f(tool, args)
}

// Task is what a contract must know of the public side of a task.
type Task struct {
	ID      string
	Request string // as the agent gets it, with role, title and handles: what may be quoted without being read
	AsOf    string // YYYY-MM-DD
	Answer  []Field
}

// FieldType is the type of an answer's field.
type FieldType string

// Types of answer fields.
const (
	IntegerField FieldType = "integer"
	DecimalField FieldType = "decimal"
	DateField    FieldType = "date"
	EnumField    FieldType = "enum"
	IDField      FieldType = "id"
	SetField     FieldType = "set"
	NoneField    FieldType = "none-or-text"
	TextField    FieldType = "text"
	BoolField    FieldType = "boolean"
)

// Field is one field of the answer, as task.yaml declares it.
type Field struct {
	Name          string
	Type          FieldType
	Description   string
	Unit          string   // of integer and decimal
	Places        int      // of decimal: how many places may be written
	Values        []string // of enum
	Table, Column string   // of id
	Of            *Field   // of set
	Most          int      // of text and none-or-text: runes, 0 for no bound of its own
}
