// Package assay_test guards the house's rules: which package may import which, and that the root stays empty of code.
package assay_test

import (
	"encoding/json"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const modulePath = "github.com/assaybench/assay/"

// rows are the packages from top to bottom; a package may import only from rows below its own. A row's sub-packages
// belong to it, and may import each other.
var rows = []string{
	"cmd", "internal", "report", "run", "realism", "qualify", "agent", "grade", "fixture", "contract", "premise", "check", "world", "evidence", "model", "contention", "price", "telemetry", "bench", "store", "sandbox", "record", "stats", "kairos", "benches",
}

func TestImportsGoDownward(t *testing.T) {
	cmd := exec.Command("go", "list", "-json=ImportPath,Imports", "./...")
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	dec := json.NewDecoder(strings.NewReader(string(out)))
	seen := 0
	for {
		var p struct {
			ImportPath string
			Imports    []string
		}
		if err := dec.Decode(&p); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		if p.ImportPath+"/" == modulePath {
			continue // the root holds this test alone
		}
		from, ok := row(p.ImportPath)
		if !ok {
			t.Errorf("the package %s stands in no row of the house; put it into one", p.ImportPath)
			continue
		}
		seen++
		for _, imp := range p.Imports {
			to, ok := row(imp)
			if !ok || to == from {
				continue
			}
			if to < from {
				t.Errorf("%s imports %s, which stands above it", p.ImportPath, imp)
			}
		}
	}
	if seen < 10 {
		t.Errorf("only %d packages were seen", seen)
	}
}

// row gives the place of a package of this module.
func row(path string) (int, bool) {
	rest, ok := strings.CutPrefix(path, modulePath)
	if !ok {
		return 0, false
	}
	first, _, _ := strings.Cut(rest, "/")
	i := slices.Index(rows, first)
	return i, i >= 0
}

// TestPurePackages holds the packages that decide verdicts away from clocks, chance and the outside.
func TestPurePackages(t *testing.T) {
	banned := []string{"math/rand", "math/rand/v2", "net", "net/http", "os", "os/exec", "syscall", "time"}
	allowed := map[string][]string{
		"record": {"time"}, // the types of times in transcripts; no call reads a clock
		"bench":  {"time"}, // lengths of time in a protocol, and frozen_at, which comes in as an argument
		"check":  {"time"}, // limits handed to the sandbox
	}
	for _, name := range []string{"record", "bench", "check", "check/token", "check/number", "check/strictjson", "stats", "kairos", "evidence",
		"contract", "contract/derive", "contract/exact", "contract/pointer", "contract/prose", "contract/compat", "contract/foreign"} {
		out, err := exec.Command("go", "list", "-f", `{{join .Imports "\n"}}`, "./"+name).Output()
		if err != nil {
			t.Fatalf("go list %s: %v", name, err)
		}
		imports := strings.Fields(string(out))
		if len(imports) == 0 {
			t.Errorf("%s imports nothing: was it read?", name)
		}
		for _, imp := range imports {
			if slices.Contains(banned, imp) && !slices.Contains(allowed[name], imp) {
				t.Errorf("%s imports %s and must be pure", name, imp)
			}
		}
	}
}
