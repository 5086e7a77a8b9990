// Package grade is what the rest of Assay knows of graders: one interface for a bench compiled for its shape, and the
// registry from a bench's shape to the package that compiles it.
package grade

import (
	"context"
	"iter"

	"github.com/assaybench/assay/bench"
	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/sandbox"
)

// Grader judges: item and transcript in, verdict out. It is a pure function of both (and of what the sandbox runs), and
// safe for concurrent use. The error is a fault of ours, never of the answer; what this machine cannot grade is a verdict
// with state ungradable.
type Grader interface {
	Grade(ctx context.Context, item string, t record.Transcript) (record.Verdict, error)
}

// Set is a bench compiled for its shape: what is asked, by what rules, with what controls.
type Set interface {
	Grader
	Bench() *bench.Bench
	// Digest is the grader's digest: the canonical text of the frozen items' rules and the version of each rule kind.
	Digest() string
	// Index gives what Restore takes in place of compiling, for a proof to keep.
	Index() ([]byte, error)
	// Heads goes through the items in the bench's order, drafts included.
	Heads() iter.Seq[bench.Head]
	// Prompt gives what an item asks.
	Prompt(item string) ([]model.Message, error)
	// Explain gives an item's rules in words, one line each, from the objects that grade.
	Explain(item string) ([]string, error)
	// Controls gives an item's own controls, references first.
	Controls(item string) ([]bench.Control, error)
	// Mutants makes near-misses out of an item's references; each names the rule that it must break, or none.
	Mutants(item string) ([]bench.Mutant, error)
	// Blocked lists the items that cannot run (imports: an unknown checker, a missing fixture).
	Blocked() []bench.Blocked
	// Executes lists the frozen items whose rules run something in the sandbox, and whether any of them needs python3.
	Executes() (items []string, python bool)
	// Use gives the sandbox to the rules that need one; reason says why there is none when box is nil.
	Use(box *sandbox.Box, reason string)
}

// Bounded is the optional ability of a Set to say how many controls of either kind an item must carry, where its shape
// wants other numbers than the common ones.
type Bounded interface {
	Least(item string) (accept, reject int)
}

// Claimer is the optional ability of a Set to hold its own parts against each other without a model. The error is a fault
// of ours or ctx's; what is wrong with the bench is among the claims.
type Claimer interface {
	Claims(ctx context.Context) (*bench.Claims, error)
}

// Drafter is the optional ability of a Set whose drafts may be unfinished: what is wrong with a draft is a warning of a check,
// and keeps nothing else of the bench from being proven.
type Drafter interface {
	// Unfinished gives the faults of the drafts that do not compile. Heads has these drafts, and nothing else knows them.
	Unfinished() []bench.ClaimFault
}
