package contract

import (
	"math/big"

	"github.com/assaybench/assay/bench"
	"github.com/assaybench/assay/contract/derive"
	"github.com/assaybench/assay/contract/pointer"
)

// Contract is a compiled contract.
type Contract struct {
	sealed
	Inputs         []*Input
	Derivations    []*Derivation
	Options        []*Option
	Decision       *Decision // nil when the task decides nothing
	Investigations []*Investigation
	Changes        []*Change
	Readbacks      []*Readback
	Messages       []*Message
	Containment    []*Allowance
	NoTransient    bool // a change that is taken back fails
	ReadbackFirst  bool // a readback must stand before the answer
	MessageFirst   bool // a message must stand before the answer
	Answer         []*AnswerRule
	SchemaErrors   int // so many malformed writes are forgiven
	Gates          []string
	Program        *derive.Program

	task    Task
	tools   map[string]*tool
	tables  map[string]Table
	weights map[string]*big.Rat
	digest  string
	node    *bench.Node
}

// Input is a fact that an agent can only get by reading.
type Input struct {
	sealed
	Name string
	Tool string
	Args []Arg
	At   pointer.Pointer
	In   *Within // where the value stands in a text, for a read that gives a file
	Type derive.Type
	node *bench.Node
}

// Arg is one argument with what it must be: a literal, a value by name, or a predicate.
type Arg struct {
	sealed
	At   pointer.Pointer
	Want *Predicate
}

// Derivation is a value that follows from others.
type Derivation struct {
	sealed
	Name   string
	Answer string // the answer's field that it fills, or ""
	node   *bench.Node
}

// Option is one way out. Outcome, Cost, Limit, Supported and Measures are names of derivations.
type Option struct {
	sealed
	ID        string
	Says      string
	Outcome   string
	Cost      string
	Limit     string
	Supported string
	Measures  map[string]string
	node      *bench.Node
}

// Decision says which option is right: the first by Order among those that may be taken.
type Decision struct {
	sealed
	Answer string   // the answer's field that names the option
	Order  []string // outcome, cost or a measure; "-cost" for the greatest first
	Among  string   // approved, supported or all
	node   *bench.Node
}

// Selector recognises a call and what came back.
type Selector struct {
	sealed
	Tool    string
	Args    []Arg
	Result  []Arg  // pointers into the result; those that share a `*` speak of one element
	Refused string // the code of a refusal that is the evidence (not_found); then Result is empty
	node    *bench.Node
}

// Investigation is something that must have been established.
type Investigation struct {
	sealed
	ID       string
	Says     string
	AnyOf    []*Selector
	Feeds    []string
	Before   string // change or answer
	Category string
	node     *bench.Node
}

// Role of a change.
const (
	Primary       = "primary"
	Supporting    = "supporting"
	Communication = "communication"
)

// Change is a write that must have happened and must stand at the end.
type Change struct {
	sealed
	ID       string
	Role     string
	Says     string
	Tool     string
	Args     []Arg
	OnlyArgs bool // no other argument may be given
	Rows     []*RowSpec
	node     *bench.Node
}

// RowSpec is one row that a change leaves. All pins bind one row.
type RowSpec struct {
	sealed
	Table string
	Op    string
	Pins  []Pin
	node  *bench.Node
}

// Pin is one column with what it must hold.
type Pin struct {
	sealed
	Column string
	Want   *Predicate
}

// Readback is a look at what a change did, after it.
type Readback struct {
	sealed
	ID    string
	After string
	AnyOf []*Look
	node  *bench.Node
}

// Look is one way to look: a read whose identity is that of the change.
type Look struct {
	sealed
	Selector *Selector
	Identity []Identity
}

// Identity says which part of the read must equal which part of the write.
type Identity struct {
	sealed
	Read  Place
	Write Place
	node  *bench.Node
}

// Place is a part of an event: of its args, its result, or its effect on a table.
type Place struct {
	Part  string // args, result or effect
	Table string // of effect
	At    pointer.Pointer
}

// Message is a text that the agent writes: what a colleague is told or, of a primary change, the work itself.
type Message struct {
	sealed
	ID     string
	Change string
	To     *Arg // nil when the change's own arguments say whom
	Body   string
	Column *ColumnRef // where the final text stands, when the argument is not the last word
	Facts  []Fact
	Forbid []Fact
	Form   Form
	node   *bench.Node
}

// ColumnRef is a column of a table.
type ColumnRef struct{ Table, Column string }

// Fact is something that a text says, or must not say.
type Fact struct {
	sealed
	Term    Term
	Form    string // text, date or number
	Mention bool   // of forbid: even a mention that denies it
	node    *bench.Node
}

// Form is the least that a text must be. The tool's description tells the agent.
type Form struct{ Sentences, Words int }

// Allowance is a change that may stand in the final difference.
type Allowance struct {
	sealed
	Table   string
	Op      string
	Key     []Pin
	Values  []Pin
	Columns []string // of update: the columns that may differ; nil: any
	Most    int      // 0: any number
	node    *bench.Node
}

// AnswerRule says what one field of the answer must be.
type AnswerRule struct {
	sealed
	Field  *Field
	Term   *Term      // the value
	Want   *Predicate // of text
	None   bool       // a leading negative
	Forbid []Fact
	Facts  []Fact
	Fold   bool // letter case says nothing
	Free   bool // must be there; not graded
	node   *bench.Node
}

// Term is a literal, or a value by name.
type Term struct {
	sealed
	Literal any    // as package exact holds it
	Ref     string // "" for a literal
	node    *bench.Node
}
