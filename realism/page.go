package realism

// Pair is two tasks held against each other.
type Pair struct {
	A          string    `json:"a"`
	B          string    `json:"b"`
	Wording    string    `json:"wording"`  // five-word windows that their requests share, of all: "9/14"
	Neutral    string    `json:"neutral"`  // the same without names, ids and numbers
	Sequence   string    `json:"sequence"` // of the references' calls
	Domain     string    `json:"domain"`   // of those calls that are the task's own
	Common     string    `json:"common"`   // by the longest common subsequence, which no direction changes
	Graph      string    `json:"graph"`    // of what is done, without names
	Job        string    `json:"job"`      // of what is asked and decided, without names
	Clone      bool      `json:"clone"`
	Shared     []Segment `json:"shared"`      // the first request, with what the two share marked
	SharedWith []Segment `json:"shared_with"` // the second one
}

// Segment is a piece of a text; Rule names what marks it, "" for nothing.
type Segment struct {
	Text string `json:"text"`
	Rule string `json:"rule,omitzero"`
}

// TaskPage is what a report shows of one task.
type TaskPage struct {
	Task     string       `json:"task"`
	Title    string       `json:"title"`
	Request  []Segment    `json:"request"`
	Reads    []Read       `json:"reads"`
	Graph    Graph        `json:"graph"`
	Hops     []Hop        `json:"hops"`
	Controls []ControlRow `json:"controls"`
	Leaks    []Evidence   `json:"leaks"`
	Files    []FileFact   `json:"files"`
}

// Read is one read of the reference. Material is nil where nobody measured it.
type Read struct {
	Seq      int    `json:"seq"`
	Tool     string `json:"tool"`
	Args     string `json:"args"`
	Server   string `json:"server"`
	Live     bool   `json:"live"`     // it touches a table that is not that of files
	Serves   string `json:"serves"`   // the investigations that it establishes
	Before   bool   `json:"before"`   // made before the first change
	Material *bool  `json:"material"` // some edit of what it shows moves a graded value
	Edit     string `json:"edit"`     // that edit, and what moved
}

// Graph is a task's derivations. Nodes stand in an order in which each follows what it needs.
type Graph struct {
	Nodes []GraphNode `json:"nodes"`
	Edges [][2]int    `json:"edges"` // from and to, places in Nodes
}

// GraphNode is an input, a derivation, an option's part or the decision.
type GraphNode struct {
	Name   string `json:"name"`
	Kind   string `json:"kind"` // input, derivation, option, decision
	Op     string `json:"op"`
	Graded bool   `json:"graded"`
	Value  string `json:"value"`
}

// Hop is one class of step, by what its graph shows and by what moving the evidence showed.
type Hop struct {
	Class     string `json:"class"`
	Named     string `json:"named"`     // what names alone would say; "" where they say nothing
	Pattern   Result `json:"pattern"`   // the pattern in the graph
	Confirmed Result `json:"confirmed"` // by perturbation or replay
	Path      string `json:"path"`
	Note      string `json:"note"`
}

// ControlRow is one negative control of the proof.
type ControlRow struct {
	Name   string   `json:"name"`
	Strict bool     `json:"strict"` // accepted, which no control may be
	Score  string   `json:"score"`  // gated
	Breaks []string `json:"breaks"` // what it must break
	Broke  []string `json:"broke"`
	Fault  string   `json:"fault"`
}

// FileFact is one evidence file.
type FileFact struct {
	Path    string `json:"path"`
	Kind    string `json:"kind"`
	Format  string `json:"format"` // as its parser read it; "" where none could
	Size    int    `json:"size"`
	SHA256  string `json:"sha256"`
	Problem string `json:"problem"`
}
