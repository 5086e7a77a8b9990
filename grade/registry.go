package grade

import (
	"fmt"

	"github.com/assaybench/assay/bench"
	"github.com/assaybench/assay/check"
	"github.com/assaybench/assay/contract/tasks"
	"github.com/assaybench/assay/premise"
)

var (
	_ Set = (*check.Set)(nil)
	_ Set = (*premise.Set)(nil)
	_ Set = (*tasks.Set)(nil)

	_ Bounded = (*premise.Set)(nil)
	_ Bounded = (*tasks.Set)(nil)
	_ Claimer = (*premise.Set)(nil)
	_ Claimer = (*tasks.Set)(nil)
	_ Drafter = (*tasks.Set)(nil)
)

// Compile compiles a bench by its shape, and looks at everything that its files hold.
func Compile(b *bench.Bench) (Set, error) { return compile(b, check.Compile) }

// CompileToRun is Compile without a look at what only proving needs.
func CompileToRun(b *bench.Bench) (Set, error) { return compile(b, check.CompileToRun) }

func compile(b *bench.Bench, prompt func(*bench.Bench) (*check.Set, error)) (Set, error) {
	switch b.Shape {
	case bench.ShapePrompt:
		set, err := prompt(b)
		if err != nil {
			return nil, err
		}
		return set, nil
	case bench.ShapePremise:
		set, err := premise.Compile(b)
		if err != nil {
			return nil, err
		}
		return set, nil
	case bench.ShapeAgent:
		set, err := tasks.Compile(b)
		if err != nil {
			return nil, err
		}
		return set, nil
	}
	return nil, &bench.Error{File: "bench.yaml", Msg: fmt.Sprintf("benches of the shape %q cannot be graded by this version", b.Shape)}
}

// Restore makes a compiled bench from the index that a proof kept, whose bench digest and grader's digest are known to be
// this bench's. It gives false when that cannot be; compile the bench then.
func Restore(b *bench.Bench, grader string, index []byte) (Set, bool) {
	if b.Shape != bench.ShapePrompt {
		return nil, false
	}
	set, ok := check.Restore(b, grader, index)
	if !ok {
		return nil, false
	}
	return set, true
}
