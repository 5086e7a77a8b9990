// Package foreign judges episodes of another engine by that engine's own contracts, as contract/compat matches them: the sealed
// contract or the task file as data, the recorded calls, and the final state of its world. Nothing of a contract is executed, and
// what is not understood is opaque and never guessed. A verdict of this package is no verdict of Assay's rules: it carries its own
// engine name, is no record.Verdict, and stands in no figure.
package foreign

// Engine names the version of these rules in every verdict.
const Engine = "foreign/1"

// Bounds of what is read.
const (
	MaxContract = 32 << 20 // bytes of a contract or a list of tools
	MaxTrace    = 256 << 20
	MaxChecks   = 5000
	MaxRows     = 1_000_000
)

// Contract is what is understood of a contract.
type Contract struct {
	Task           string // its id; "" in a file that holds the sealed part alone
	Investigations []Investigation
	Readbacks      []Readback
	Assertions     []Assertion
	Answers        []Answer // headline fields, then calculations
	WriteTables    []string // where changes may be; nil where the file does not say
	Milestones     []Milestone
	Opaque         []string // parts that are not judged, each with its place
}

// Selector matches one call.
type Selector struct {
	Tool     string
	Match    string // "result_contains", "successful_tool_call" or "" for equal arguments
	Args     any    // exact values; NoArgs where the file has none
	Fragment any
}

// Investigation is a read that is asked before the first write.
type Investigation struct {
	ID    string
	AnyOf []Selector
}

// Readback is a look that is asked after a write.
type Readback struct {
	ID        string
	AfterTool string
	AnyOf     []Selector
	Contains  any
	Has       bool     // Contains is there
	Projected []string // paths of the write's arguments whose values the look must show
}

// Assertion is about rows of the final state.
type Assertion struct {
	ID      string
	Table   string
	Where   map[string]any
	Count   *int
	Values  map[string]any
	Payload payload
	Opaque  string // why it cannot be judged; "" where it can
}

type payload struct {
	contains any
	has      bool
	facts    map[string][]string // by argument
	texts    []string            // all of them in the joined text
	anyText  []string
	paths    []string // the only ones that arguments may have
	closed   bool     // paths are there
	bad      string   // the rules are malformed: they fail closed
}

func (p *payload) asked() bool {
	return p.has || p.facts != nil || p.texts != nil || p.anyText != nil || p.closed || p.bad != ""
}

// Answer is one field of the answer with its expected value.
type Answer struct {
	ID, Field string
	Want      any
	Opaque    string
}

// Milestone is a group of checks with its weight.
type Milestone struct {
	ID       string
	Weight   string // exact decimals
	Atomic   string
	Criteria []string
}
