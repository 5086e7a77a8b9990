package cli

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/cobra"

	"github.com/assaybench/assay/kairos"
	"github.com/assaybench/assay/kairos/supply"
)

// batchLine bounds a line of input; a program has at most kairos.MaxSource bytes, the rest is room for data.
const batchLine = 64 << 20

// batchJobs bounds how many programs are evaluated at once: each may hold as many points as the limits allow.
const batchJobs = 1024

func newKairosBatch(p *Process) *cobra.Command {
	b := &batch{p: p}
	var jobs int
	c := &cobra.Command{
		Use: "batch", Short: "Evaluate many programs: JSON lines in, JSON lines out",
		Long: `Reads a JSON object a line from standard input and writes one a line to standard output, in the same order:

  {"id": …, "source": "…", "from": "2026-01-01", "to": "2027-01-01",
   "tz": "Asia/Tokyo", "supply": {…}}

  {"id": …, "results": [{"points": ["2026-01-23", …], "ms": [1769094000000, …],
   "annotations": [{"from", "to", "fromMs", "toMs", "source", "covering",
   "asof", "reason": "out-of-coverage"}]}], "warnings": ["…"], "coverage":
   [{"source", "covering", "asof", "concluded", "runwayDays"}], "local": true}
  {"id": …, "error": {"code": "select.no-window", "message": "…", "line": 3,
   "column": 15}}

"id" is any JSON value and comes back as it is; null stands for one that is absent. "tz" and "supply" may be absent; other
members are passed over, and so are empty lines. "local" stands where, with --local, only
the neighbourhood of the range was evaluated. "runwayDays" is null where a coverage never ends. "supply" is as in the file
of list's --supply, but what an entry lacks is told by the program's evaluation; for tests of implementations,
{"$throw": {"message": "m"}} in place of an entry is a supplier that fails with m, and {"$undefined": true} one that has nothing.

An error of a program is a result. A line that is no such object gives the error "batch.line" with the number of the line, the
others are evaluated, and the exit status is 1. A line has at most 64 MiB, a program 1 MiB ("limit.source").

Exit status:
  0  every line was evaluated, to points or to an error of its program
  1  a line could not be read
  2  the command line is wrong
  3  a fault of the environment or of ours, or an interrupt; what was written is good`,
		Args: args(0, 0, "no arguments; programs come by standard input"),
	}
	c.Flags().StringVar(&b.lang, "lang", "en", "the `LANGUAGE` of messages, en or ja")
	c.Flags().BoolVar(&b.local, "local", false, "evaluate only the neighbourhood of each range, for programs that fail far outside of it")
	c.Flags().IntVar(&jobs, "jobs", runtime.GOMAXPROCS(0), "how many programs to evaluate at once, at most 1024")
	c.RunE = func(*cobra.Command, []string) error {
		if err := checkLang(b.lang); err != nil {
			return err
		}
		if jobs < 1 || jobs > batchJobs {
			return usage("--jobs %d: it must be from 1 to %d", jobs, batchJobs)
		}
		return b.run(p.Context, jobs)
	}
	return c
}

// batch is one run of the command batch.
type batch struct {
	p     *Process
	lang  string
	local bool
	bad   bool                   // a line could not be read
	broke atomic.Pointer[string] // a panic, told with its place
}

// run evaluates all lines. Reading may wait for a person who never writes, so nothing waits for the reader.
func (b *batch) run(parent context.Context, jobs int) error {
	ctx, cancel := context.WithCancelCause(parent)
	defer cancel(nil)
	q := newQueue(jobs)
	stop := context.AfterFunc(ctx, q.close)
	defer stop()
	var readErr error
	go func() {
		readErr = readLines(b.p.Stdin, batchLine, q.add)
		q.end()
	}()
	var workers sync.WaitGroup
	for range jobs {
		workers.Go(func() {
			for t := q.take(); t != nil; t = q.take() {
				out, bad := b.answer(ctx, t)
				q.done(t, out, bad)
			}
		})
	}
	err := b.write(ctx, q)
	cancel(err)
	workers.Wait()
	switch {
	case parent.Err() != nil:
		return fault(errInterrupted)
	case err != nil:
		return fault(err)
	case readErr != nil:
		return fault(fmt.Errorf("standard input: %w", readErr))
	case b.broke.Load() != nil:
		return fault(errors.New(*b.broke.Load()))
	case b.bad:
		return silent(exitFail)
	}
	return nil
}

// write writes results in the order of the lines, each as soon as it is there.
func (b *batch) write(ctx context.Context, q *queue) error {
	w := bufio.NewWriterSize(b.p.Stdout, 1<<16)
	for {
		t, waiting := q.next()
		if ctx.Err() != nil || t == nil {
			return w.Flush()
		}
		b.bad = b.bad || t.bad
		if _, err := w.Write(t.out); err != nil {
			return err
		}
		q.written(t)
		if !waiting {
			if err := w.Flush(); err != nil {
				return err
			}
		}
	}
}

// batchInput is a line as it comes; a member that is absent is nil.
type batchInput struct {
	ID     jsontext.Value `json:"id"`
	Source *string        `json:"source"`
	From   *string        `json:"from"`
	To     *string        `json:"to"`
	TZ     string         `json:"tz"`
	Supply jsontext.Value `json:"supply"`
}

type batchOutput struct {
	ID       jsontext.Value  `json:"id"`
	Results  *[]batchResult  `json:"results,omitzero"`
	Warnings *[]string       `json:"warnings,omitzero"`
	Coverage *[]jsonCoverage `json:"coverage,omitzero"`
	Local    bool            `json:"local,omitzero"` // only the neighbourhood of the range was evaluated
	Error    *batchError     `json:"error,omitzero"`
}

type batchResult struct {
	Points      texts       `json:"points"`
	Ms          []int64     `json:"ms"`
	Annotations []batchNote `json:"annotations"`
}

type batchNote struct {
	From     string `json:"from"`
	To       string `json:"to"`
	FromMs   int64  `json:"fromMs"`
	ToMs     int64  `json:"toMs"`
	Source   string `json:"source"`
	Covering string `json:"covering"`
	AsOf     string `json:"asof,omitzero"`
	Reason   string `json:"reason"`
}

type batchError struct {
	Code    string `json:"code"`
	Message string `json:"message"`
	Line    int    `json:"line"`
	Column  int    `json:"column"`
}

// answer evaluates one line and gives its line of output.
func (b *batch) answer(ctx context.Context, t *task) (out []byte, bad bool) {
	in, opts, err := b.input(t)
	o := batchOutput{ID: in.ID}
	if len(o.ID) == 0 {
		o.ID = jsontext.Value("null")
	}
	if err != nil {
		o.Error, bad = &batchError{Code: "batch.line", Message: err.Error(), Line: t.line}, true
	} else if r, err := b.evaluate(ctx, in, opts); err != nil {
		o.Error = b.failure(err)
	} else {
		b.fill(&o, r)
	}
	var buf bytes.Buffer
	if err := writeSafeJSON(&buf, o, false); err != nil {
		buf.Reset()
		writeSafeJSON(&buf, batchOutput{ID: jsontext.Value("null"), Error: &batchError{Code: "batch.line", Message: err.Error(), Line: t.line}}, false)
		bad = true
	}
	return buf.Bytes(), bad
}

// input reads a line. When something else of it is wrong, its id is given if it can be read.
func (b *batch) input(t *task) (in batchInput, opts kairos.Options, err error) {
	opts.Local = b.local
	if t.long {
		return in, opts, fmt.Errorf("the line is longer than %d bytes", batchLine)
	}
	if err := json.Unmarshal(t.data, &in); err != nil {
		var alone struct {
			ID jsontext.Value `json:"id"`
		}
		if json.Unmarshal(t.data, &alone) != nil {
			alone.ID = nil
		}
		return batchInput{ID: alone.ID}, opts, readable(err)
	}
	for i, v := range []*string{in.Source, in.From, in.To} {
		if v == nil {
			return in, opts, fmt.Errorf("the member %q is absent; a line is {id, source, from, to, tz?, supply?}", [...]string{"source", "from", "to"}[i])
		}
	}
	opts.TZ = in.TZ
	if len(in.Supply) > 0 && in.Supply.Kind() != 'n' {
		if opts.Supply, err = supply.Lax(in.Supply); err != nil {
			return in, opts, fmt.Errorf("supply: %w", err)
		}
	}
	return in, opts, nil
}

// readable tells in what a line is not what it should be, without the words of the reader's own code.
func readable(err error) error {
	if s, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		return fmt.Errorf("not JSON: %w, at byte %d of the line", s.Err, s.ByteOffset)
	}
	if s, ok := errors.AsType[*json.SemanticError](err); ok {
		what := "the line"
		if s.JSONPointer != "" {
			what = fmt.Sprintf("the member %q", string(s.JSONPointer))
		}
		return fmt.Errorf("%s is not what it should be; a line is {id, source, from, to, tz?, supply?}", what)
	}
	return err
}

// evaluate evaluates a program. A panic is a fault of ours, which ends this program's evaluation and not the batch.
func (b *batch) evaluate(ctx context.Context, in batchInput, o kairos.Options) (r *kairos.Result, err error) {
	defer func() {
		if v := recover(); v != nil {
			s := fmt.Sprintf("a fault of the program itself: %v; please report it with the lines below\n%s", v, debug.Stack())
			b.broke.CompareAndSwap(nil, &s)
			r, err = nil, fmt.Errorf("a fault of the evaluation itself: %v", v)
		}
	}()
	from, err := kairos.ReadDate(*in.From)
	if err != nil {
		return nil, err
	}
	to, err := kairos.ReadDate(*in.To)
	if err != nil {
		return nil, err
	}
	prog, err := kairos.Compile(*in.Source)
	if err != nil {
		return nil, err
	}
	return prog.Eval(ctx, kairos.Range{From: from, To: to}, o)
}

func (b *batch) failure(err error) *batchError {
	e, ok := errors.AsType[*kairos.Error](err)
	if !ok {
		return &batchError{Code: "internal", Message: err.Error()}
	}
	return &batchError{e.Code, message(e, b.lang), e.Line, e.Column}
}

func (b *batch) fill(o *batchOutput, r *kairos.Result) {
	results := make([]batchResult, len(r.Listings))
	for i, l := range r.Listings {
		results[i] = batchResult{Points: texts{r, l.Points}, Ms: l.Points, Annotations: []batchNote{}}
		for _, a := range l.Annotations {
			results[i].Annotations = append(results[i].Annotations,
				batchNote{a.FromText, a.ToText, a.From, a.To, a.Source, a.Covering, a.AsOf, "out-of-coverage"})
		}
	}
	warnings, coverage := jsonWarnings(r.Warnings, b.lang), jsonCovered(r.Coverage)
	o.Results, o.Warnings, o.Coverage, o.Local = &results, &warnings, &coverage, r.Local
}
