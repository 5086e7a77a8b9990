package contract

import "github.com/assaybench/assay/bench"

// tool is a tool with its schemas, read.
type tool struct {
	Tool
	input, output any
	text          string // all prose that callers see of it: its own, and that of its schemas
}

// Compile reads a contract and checks it against the world and the task. The error joins every fault that makes the
// contract unusable, each an *bench.Error; the lints are what an author should look at besides, in the order of the file.
func Compile(n *bench.Node, w World, task Task) (*Contract, []Lint, error) {
	c, err := Parse(n, task)
	if err != nil {
		return nil, nil, err
	}
	lints, err := c.against(w)
	if err != nil {
		return nil, nil, err
	}
	return c, lints, nil
}
