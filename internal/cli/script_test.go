package cli_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"go.uber.org/goleak"

	"github.com/assaybench/assay/internal/cli"
	"github.com/assaybench/assay/model/modeltest"
	"github.com/assaybench/assay/sandbox"
)

var update = flag.Bool("update", false, "write the scripts' golden files anew")

func TestMain(m *testing.M) {
	sandbox.Main()
	if os.Getenv("ASSAY_AS_COMMAND") == "1" { // tests that send signals run this binary as assay
		os.Exit(asCommand())
	}
	testscript.Main(m, map[string]func(){"assay": func() { os.Exit(asCommand()) }})
}

// leaked is the exit code of a command that left something running inside its process.
const leaked = 97

// asCommand is the program as it is, but that it can reach no other machine, and must leave nothing running behind.
func asCommand() int {
	p := cli.System()
	p.Dial = modeltest.Dial
	if os.Getenv("ASSAY_TEST_QUICK") == "1" {
		p.Pace = quick
	}
	code := cli.Main(p)
	err := goleak.Find(goleak.IgnoreAnyFunction("github.com/assaybench/assay/internal/cli.System.func1"), // it waits for signals
		goleak.IgnoreAnyFunction("os/signal.loop"), goleak.IgnoreAnyFunction("os/signal.signal_recv"))
	if err != nil {
		fmt.Fprintln(os.Stderr, "left running:", err)
		return leaked
	}
	return code
}

// TestScripts runs whole commands, each script in a folder of its own. MOCK is the address of an OpenAI-compatible server
// that answers every prompt with "ANSWER: 42", and OLLAMA, ANTHROPIC, GEMINI and RESPONSES are those of servers with these
// protocols, which do the same; DEAD is an address where nothing listens. DESK is a small bench of the shape premise.
func TestScripts(t *testing.T) {
	mock, err := modeltest.NewMock(modeltest.MockOptions{Answer: "ANSWER: 42", Models: []string{"mock"}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { mock.Close() })
	others := map[string]string{}
	for _, w := range modeltest.Wires() {
		m, err := modeltest.NewMock(modeltest.MockOptions{Wire: w, Reply: func(modeltest.MockRequest) modeltest.MockReply {
			return modeltest.MockReply{Content: "ANSWER: 42", PromptTokens: 1000, OutputTokens: 100}
		}, Models: []string{"mock"}})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { m.Close() })
		others[strings.ToUpper(w.String())] = m.URL
	}
	testscript.Run(t, testscript.Params{
		Dir:           "testdata/script",
		UpdateScripts: *update,
		Setup: func(env *testscript.Env) error {
			env.Setenv("MOCK", mock.URL)
			for name, url := range others {
				env.Setenv(name, url)
			}
			env.Setenv("DEAD", "http://127.0.0.1:1/v1")
			env.Setenv("ASSAY_TEST_QUICK", "1")
			desk, err := filepath.Abs(deskFiles)
			if err != nil {
				return err
			}
			env.Setenv("DESK", desk)
			mooring, err := filepath.Abs("../../examples/mooring")
			if err != nil {
				return err
			}
			env.Setenv("MOORING", mooring)
			env.Setenv("ASSAY_STATE", filepath.Join(env.WorkDir, "state"))
			env.Setenv("HOME", env.WorkDir)
			return nil
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			// exits CODE COMMAND... runs a command and wants its exit code.
			"exits": func(ts *testscript.TestScript, _ bool, args []string) {
				want := args[0]
				err := ts.Exec(args[1], args[2:]...)
				got := "0"
				if err != nil {
					got = fmt.Sprint(exitCode(err))
				}
				if got != want {
					ts.Fatalf("exit %s, want %s: %v", got, want, err)
				}
			},
			// bytes FILE HEX... writes a file of raw bytes; zeros FILE N writes N bytes of text.
			"bytes": func(ts *testscript.TestScript, _ bool, args []string) {
				var b []byte
				for _, h := range args[1:] {
					var v byte
					if _, err := fmt.Sscanf(h, "%02x", &v); err != nil {
						ts.Fatalf("bytes: %v", err)
					}
					b = append(b, v)
				}
				ts.Check(os.WriteFile(ts.MkAbs(args[0]), b, 0o644))
			},
			"large": func(ts *testscript.TestScript, _ bool, args []string) {
				var n int64
				if _, err := fmt.Sscan(args[1], &n); err != nil {
					ts.Fatalf("large: %v", err)
				}
				f, err := os.Create(ts.MkAbs(args[0]))
				ts.Check(err)
				ts.Check(f.Truncate(n))
				ts.Check(f.Close())
			},
		},
	})
}

// exitCode gives the exit code inside an error of Exec.
func exitCode(err error) int {
	if e, ok := err.(interface{ ExitCode() int }); ok {
		return e.ExitCode()
	}
	return -1
}
