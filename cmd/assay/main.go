// Command assay is a workbench for benchmarks that need no judge.
package main

import (
	"os"

	"github.com/assaybench/assay/internal/cli"
	"github.com/assaybench/assay/sandbox"
)

func main() {
	sandbox.Main()
	os.Exit(cli.Main(cli.System()))
}
