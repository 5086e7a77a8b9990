// Command mockserver is the tests' OpenAI-compatible mock as a process of its own: for measuring speed, and for runs that
// are killed half-way. It listens on loopback only, prints its base address on one line, and ends on a signal.
//
//	go run ./internal/mockserver -addr 127.0.0.1:0 -delay 100ms -answer TEXT -faults 429:20,cut:50
//
// GET /mock/requests tells how many calls have come in.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/assaybench/assay/model/modeltest"
)

func main() { os.Exit(serve()) }

func serve() int {
	addr := flag.String("addr", "127.0.0.1:0", "loopback address and port to listen on")
	delay := flag.Duration("delay", 0, "wait before each answer")
	answer := flag.String("answer", "ok", "the answer to every prompt")
	echo := flag.Bool("echo", false, "answer with the last user message instead")
	plan := flag.String("faults", "", "plan of faults KIND:N,…: every N-th call suffers KIND; all takes each transient fault in turn")
	models := flag.String("models", "mock-1", "names that /v1/models lists, separated by commas")
	list := flag.Bool("list", false, "list the kinds of faults and end")
	flag.Parse()
	if *list {
		for _, f := range modeltest.Faults() {
			outcome, kind := f.Expect()
			fmt.Printf("%-18s %-12s %s\n", f, outcome, kind)
		}
		return 0
	}
	o := modeltest.MockOptions{Addr: *addr, Delay: *delay, Answer: *answer, Models: strings.Split(*models, ",")}
	if flag.NArg() > 0 {
		return fail(fmt.Errorf("unexpected argument %q", flag.Arg(0)))
	}
	if *echo {
		o.Reply = func(r modeltest.MockRequest) modeltest.MockReply { return modeltest.MockReply{Content: r.User} }
	}
	if *plan != "" {
		var err error
		if o.Fault, err = modeltest.Every(*plan); err != nil {
			return fail(err)
		}
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	m, err := modeltest.NewMock(o)
	if err != nil {
		return fail(err)
	}
	fmt.Println(m.URL)
	<-ctx.Done()
	if err := m.Close(); err != nil {
		return fail(err)
	}
	return 0
}

func fail(err error) int {
	fmt.Fprintln(os.Stderr, "mockserver:", err)
	return 2
}
