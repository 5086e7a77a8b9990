package grade

import (
	"fmt"

	"github.com/assaybench/assay/bench"
	"github.com/assaybench/assay/check"
)

var _ Set = (*check.Set)(nil)

// Compile compiles a bench by its shape.
func Compile(b *bench.Bench) (Set, error) {
	switch b.Shape {
	case bench.ShapePrompt:
		set, err := check.Compile(b)
		if err != nil {
			return nil, err
		}
		return set, nil
	}
	return nil, &bench.Error{File: "bench.yaml", Msg: fmt.Sprintf("benches of the shape %q cannot be graded by this version", b.Shape)}
}
