package sandbox

import (
	"flag"
	"os"
	"runtime"
	"strconv"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	Main()
	if holdForTest() {
		os.Exit(1)
	}
	flag.Parse()
	// Attacks spend their time waiting for a limit to end them.
	if f := flag.Lookup("test.parallel"); f.Value.String() == strconv.Itoa(runtime.GOMAXPROCS(0)) {
		if err := f.Value.Set("6"); err != nil {
			panic(err)
		}
	}
	goleak.VerifyTestMain(m)
}
