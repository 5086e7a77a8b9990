// Command mockserver is the tests' mock of a model server as a process of its own: for measuring speed, for runs that are
// killed half-way, and for trying a command line by hand against each kind of server without having one. It listens on
// loopback only, prints its base address on one line, and ends on a signal.
//
//	go run ./internal/mockserver -addr 127.0.0.1:0 -delay 100ms -answer TEXT -faults 429:20,cut:50
//	go run ./internal/mockserver -wire ollama -version 0.11.0 -loaded 4096
//
// -wire says which protocol it speaks: chat (OpenAI's chat completions, without -wire), ollama, anthropic, gemini or
// responses. The address that it prints is the one to write behind @ of a model of that provider. What an Ollama says of
// itself and of its models is given by -version, -digest, -capabilities, -template, -parameters, -remote, -loaded and
// -in-cpu; -trained holds for Anthropic and Gemini too, and -props is what llama.cpp's server says on the wire chat. A flag
// that the wire has no use for is refused.
//
// -faults is a plan of what goes wrong, -list the names of the wire's faults with what becomes of each. GET /mock/requests
// tells how many calls have come in.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"github.com/assaybench/assay/model/modeltest"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(serve(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// only lists the wires on which a flag means something; the others mean something on each.
var only = map[string][]modeltest.Wire{
	"version": {modeltest.WireOllama}, "digest": {modeltest.WireOllama}, "capabilities": {modeltest.WireOllama}, "template": {modeltest.WireOllama},
	"parameters": {modeltest.WireOllama}, "remote": {modeltest.WireOllama}, "loaded": {modeltest.WireOllama}, "in-cpu": {modeltest.WireOllama},
	"trained": {modeltest.WireOllama, modeltest.WireAnthropic, modeltest.WireGemini}, "props": {modeltest.WireChat},
}

// serve runs the mock until ctx ends, and gives the exit code.
func serve(ctx context.Context, args []string, out, errs io.Writer) int {
	fail := func(err error) int {
		fmt.Fprintln(errs, "mockserver:", err)
		return 2
	}
	f := flag.NewFlagSet("mockserver", flag.ContinueOnError)
	f.SetOutput(errs)
	var o modeltest.MockOptions
	f.StringVar(&o.Addr, "addr", "127.0.0.1:0", "loopback address and port to listen on")
	f.DurationVar(&o.Delay, "delay", 0, "wait before each answer")
	f.StringVar(&o.Answer, "answer", "ok", "the answer to every prompt")
	echo := f.Bool("echo", false, "answer with the last user message instead")
	plan := f.String("faults", "", "plan of faults KIND:N,…: every N-th call suffers KIND; all takes each transient fault in turn")
	models := f.String("models", "mock-1", "names of the models that the server lists and knows, separated by commas")
	wire := f.String("wire", modeltest.WireChat.String(), "the protocol: "+wires())
	list := f.Bool("list", false, "list the wire's kinds of faults and end")
	f.StringVar(&o.Server.Version, "version", "", "Ollama's version (default 0.32.15)")
	f.StringVar(&o.Server.Digest, "digest", "", "digest of every model, 64 hex digits")
	capabilities := f.String("capabilities", "", "what the models can, separated by commas (default completion,tools,thinking)")
	f.StringVar(&o.Server.Template, "template", "", "the models' chat template")
	f.StringVar(&o.Server.Parameters, "parameters", "", `the models' parameters, "name value" a line`)
	f.StringVar(&o.Server.Remote, "remote", "", "another host that serves the models in truth")
	f.Int64Var(&o.Server.Trained, "trained", 0, "tokens of context that the models were made for (default 131072)")
	f.Int64Var(&o.Server.Loaded, "loaded", 0, "tokens of context that are loaded, whatever was asked for")
	f.BoolVar(&o.Server.InCPU, "in-cpu", false, "only half of a loaded model is in the accelerator's memory")
	f.StringVar(&o.Props, "props", "", "body of GET /props, as llama.cpp's server gives it")
	if err := f.Parse(args); err != nil {
		if err == flag.ErrHelp {
			return 0
		}
		return 2 // it has been told
	}
	if f.NArg() > 0 {
		return fail(fmt.Errorf("unexpected argument %q", f.Arg(0)))
	}
	i := slices.IndexFunc(modeltest.Wires(), func(w modeltest.Wire) bool { return w.String() == *wire })
	if i < 0 {
		return fail(fmt.Errorf("-wire: there is no wire %q; there are %s", *wire, wires()))
	}
	o.Wire = modeltest.Wires()[i]
	var idle []string
	f.Visit(func(x *flag.Flag) {
		if on := only[x.Name]; on != nil && !slices.Contains(on, o.Wire) {
			idle = append(idle, "-"+x.Name)
		}
	})
	if len(idle) > 0 {
		return fail(fmt.Errorf("%s: the wire %s has no use for it", strings.Join(idle, ", "), o.Wire))
	}
	if *list {
		for _, x := range modeltest.FaultsOf(o.Wire) {
			outcome, kind := x.Expect()
			fmt.Fprintf(out, "%-18s %-12s %s\n", x, outcome, kind)
		}
		return 0
	}
	o.Models = strings.Split(*models, ",")
	if *capabilities != "" {
		o.Server.Capabilities = strings.Split(*capabilities, ",")
	}
	if *echo {
		o.Reply = func(r modeltest.MockRequest) modeltest.MockReply { return modeltest.MockReply{Content: r.User} }
	}
	if *plan != "" {
		var err error
		if o.Fault, err = modeltest.EveryOf(o.Wire, *plan); err != nil {
			return fail(err)
		}
	}
	m, err := modeltest.NewMock(o)
	if err != nil {
		return fail(err)
	}
	fmt.Fprintln(out, m.URL)
	<-ctx.Done()
	if err := m.Close(); err != nil {
		return fail(err)
	}
	return 0
}

// wires names the wires.
func wires() string {
	var names []string
	for _, w := range modeltest.Wires() {
		names = append(names, w.String())
	}
	return strings.Join(names, ", ")
}
