// Command speedkit measures the engine against other ways of doing the same work, on one machine in one run. It is for
// people who work on Assay:
//
//	speedkit gen -n 1000 -o DIR            a bench of N exact items (DIR/bench), a promptfoo configuration (DIR/promptfoo.yaml)
//	                                       and the request bodies (DIR/requests.jsonl)
//	speedkit client -url URL -requests F -o OUT -c 8
//	                                       the least possible client: sends each body, appends each reply to a file
//	speedkit runs -n 100000 -o FILE        a database with a run of so many attempts that nobody made, for the viewer
//	speedkit measure -n 1000 -runs 5 ...   all of them in turn against one mock, medians and ratios
//
// The mock is internal/mockserver.
package main

import (
	"fmt"
	"os"
)

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: speedkit gen|runs|client|measure [flags]; see the package's comment")
		os.Exit(2)
	}
	var err error
	switch os.Args[1] {
	case "gen":
		err = gen(os.Args[2:])
	case "runs":
		err = runs(os.Args[2:])
	case "client":
		err = client(os.Args[2:])
	case "measure":
		err = measure(os.Args[2:])
	default:
		err = fmt.Errorf("unknown subcommand %q", os.Args[1])
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "speedkit:", err)
		os.Exit(1)
	}
}
