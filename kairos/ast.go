package kairos

// Span is a half-open range of bytes in the source text.
type Span struct{ Start, End int }

// Expr is any expression of the language. Its dynamic type is one of the node types of this file.
type Expr interface{ Span() Span }

// node gives every expression its place in the source.
type node struct{ span Span }

func (n node) Span() Span { return n.span }

// NumberLit is a number such as 31 or 0.5.
type NumberLit struct {
	node
	Value float64
	Text  string // as written
}

// StringLit is a text between double quotes; the language has no escapes.
type StringLit struct {
	node
	Value string
}

// DateLit is a date such as 2026-01-05, with or without a time of day. 2026-01-05 and 2026-01-05T00:00 are different
// literals: only the first is a whole day.
type DateLit struct {
	node
	Year, Month, Day int
	HasTime          bool
	Time             int64 // milliseconds since midnight; may reach 24 h when a fraction rounds up
}

// TimeLit is a time of day without a date, such as T09:30.
type TimeLit struct {
	node
	Time int64 // milliseconds since midnight; may reach 24 h when a fraction rounds up
}

// WidthLit is a length such as 7d (civil days) or 1h30m (elapsed time).
type WidthLit struct {
	node
	Civil  bool
	Amount float64 // days when Civil, else milliseconds
	Text   string  // as written
}

// NameRef is a bare name.
type NameRef struct {
	node
	Name string
}

// QualifiedRef is PREMISE.word.
type QualifiedRef struct {
	node
	Premise, Name string
}

// Wildcard is `_` where a value is expected.
type Wildcard struct{ node }

// ListLit is [a, b..c], with the postfixes that make a table of it.
type ListLit struct {
	node
	Elems       []ListElem
	HasCovering bool
	Covering    []CoverRange
	HasLabels   bool
	Labels      []ListElem
}

// ListElem is one element of a list: an expression, or a range of days when To is not nil.
type ListElem struct{ From, To Expr }

// CoverRange is one range of a `covering:`; a nil end is open.
type CoverRange struct {
	Span     Span
	From, To Expr
}

// Lambda is params => body.
type Lambda struct {
	node
	Params []Param
	Body   Expr
}

// Param is a parameter of a lambda or of a definition. Label is set for `on: p`, which takes the argument named `on:`.
// A parameter written `_` has the name "_" and cannot be read.
type Param struct{ Label, Name string }

// Arg is an argument of a call, of a stage or of a generator. Name is empty for one without a name.
type Arg struct {
	Span  Span
	Name  string
	Value Expr
}

// CycleLabels is `cycle LIST anchor: POINT`, allowed only as the value of an argument named `labels`.
type CycleLabels struct {
	node
	List   Expr // ListLit or NameRef
	Anchor Expr
}

// Call is FN(args).
type Call struct {
	node
	Fn   Expr
	Args []Arg
}

// Index is X[I].
type Index struct {
	node
	X, I Expr
}

// Unary is `-x`, `+x` or `not x`.
type Unary struct {
	node
	Op string
	X  Expr
}

// Binary is an operator on values: + - * / mod div == != < <= > >= in and or.
type Binary struct {
	node
	Op   string
	L, R Expr
}

// Cond is C ? Then : Else.
type Cond struct {
	node
	C, Then, Else Expr
}

// Generate is a bare name followed by a generator word: day span f phase: 3.
type Generate struct {
	node
	Operand *NameRef
	Word    string // grid, span, split or cycle
	Arg     Expr
	Named   []Arg
}

// Pipe is HEAD |> stage |> stage.
type Pipe struct {
	node
	Head   Expr
	Stages []Stage
}

// Stage is one step of a pipe. Premise, the part before a point, says which premise defines it.
type Stage struct {
	Span    Span
	Premise string
	Name    string
	HasArgs bool // written with parentheses
	Args    []Arg
}

// Combine is L op R on streams, where op is | (union), & (intersection) or \ (difference).
type Combine struct {
	node
	Op   byte
	L, R Expr
}

// Stmt is a statement of a program: *PremiseDef, *Preamble, *Binding or *Body.
type Stmt interface{ stmt() }

// Member is KEY: value of a premise, where value is a single token.
type Member struct {
	Span  Span
	Key   string
	Value Expr
}

// Binding is NAME = expr, NAME(params) = expr, with an optional claim of coverage.
type Binding struct {
	Span     Span
	NameSpan Span
	Name     string
	Params   []Param
	Value    Expr
	HasClaim bool
	Claim    []CoverRange
}

// PremiseDef is `premise N { … }`, or `premise N = Base with { … } |> stage`.
type PremiseDef struct {
	Span     Span
	Name     string
	Base     string // empty without a base
	BaseSpan Span
	Members  []Member
	Defs     []*Binding
	Stages   []Stage
}

// Preamble is `@N`, `@N key: value …`, `@N { … }` or the anonymous `premise { … }`. Name is empty for the last.
type Preamble struct {
	Span    Span
	Name    string
	Members []Member
	Defs    []*Binding // of an anonymous preamble: it is a premise without a name
	Scoped  bool       // it has a block of its own
	Block   []Stmt
}

// Body is an expression that stands as a statement; its points are a result of the program.
type Body struct {
	Span Span
	X    Expr
}

func (*PremiseDef) stmt() {}
func (*Preamble) stmt()   {}
func (*Binding) stmt()    {}
func (*Body) stmt()       {}

// File is a parsed program.
type File struct {
	Source string
	Stmts  []Stmt
	// Comments are the comments of the source in order, for printing the program again.
	Comments []Comment
}

// Comment is a # comment, without its line feed.
type Comment struct {
	Span Span
	Text string // with the #
}
