package cli

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/price"
	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/report/gate"
	"github.com/assaybench/assay/report/stored"
	"github.com/assaybench/assay/run"
	"github.com/assaybench/assay/store"
)

// runFlags are the flags of assay run.
type runFlags struct {
	models, postures, only []string
	repeats, concurrency   int
	again, unproven        bool
	unsafe, quiet, asJSON  bool
	markdown               bool
	db                     string
	prices, maxCost        string
	yes, noProbe           bool
	noSchema               bool
	private                string
	watch                  []string
	watchFor               time.Duration
	calibrate              bool
	metrics, otlp          string
	agent                  agentFlags
	gates                  []string
	conditions             []gate.Gate // what gates come to
	worker                 *worker     // what agent came to; nil: the loop of this program's own
}

// beside reports whether something beside the run is to be looked at.
func (f *runFlags) beside() bool { return len(f.watch) > 0 || f.calibrate }

func newRun(p *Process) *cobra.Command {
	var f runFlags
	c := &cobra.Command{
		Use: "run BENCH --model M", Short: "Run a bench against models; the same command again resumes it",
		Long: `Runs a bench against one or more models under the bench's protocol, grades every answer by the bench's rules and
prints the results. The same command again resumes an unfinished run and prints a finished one.

Models are provider/model, with @URL for a server of your own (docs/models.md):
  ollama/NAME                            Ollama
  openai/NAME@http://127.0.0.1:8080/v1   any OpenAI-compatible server (OPENAI_API_KEY where it wants a key)
  openai/NAME, anthropic/NAME, gemini/NAME
                                         OpenAI, Anthropic, Google (their usual keys in the environment)
  command/PATH                           a program of yours: prompt on standard input, answer on standard output
  control/reference, control/empty, control/NAME
                                         the bench's own controls
  replay/RUN                             the recorded answers of another run

On a bench of agent tasks --agent says who works on them: builtin, the loop of this program over the model, or command/PATH,
a program of yours, with or without a model that it is to think with (docs/agents.md).
` + exitHelp,
		Args: args(1, 1, "BENCH"),
	}
	c.RunE = func(_ *cobra.Command, a []string) error {
		for _, name := range []string{"repeats", "concurrency"} {
			if n, err := c.Flags().GetInt(name); err == nil && c.Flags().Changed(name) && n < 1 {
				return usage("--%s %d: it must be at least 1", name, n)
			}
		}
		for _, l := range []struct {
			name  string
			names []string
		}{{"only", f.only}, {"posture", f.postures}, {"model", f.models}, {"watch", f.watch}, {"agent-see", f.agent.see}} {
			if slices.Contains(l.names, "") {
				return usage("--%s is empty; leave it off, or name what is meant", l.name)
			}
		}
		for _, name := range []string{"max-cost", "prices", "private", "agent", "metrics", "otlp"} {
			if s, err := c.Flags().GetString(name); err == nil && c.Flags().Changed(name) && s == "" {
				return usage("--%s is empty; leave it off, or say what is meant", name)
			}
		}
		if f.asJSON && f.markdown {
			return usage("--json and --markdown exclude each other")
		}
		if c.Flags().Changed("watch-for") && (f.watchFor <= 0 || !f.beside()) {
			return usage("--watch-for is a length of time such as 30s, and goes with --watch or --calibrate")
		}
		err := p.telemetryFlags(&f)
		if err != nil {
			return err
		}
		if f.conditions, err = gates(f.gates, gate.Metrics...); err != nil {
			return err
		}
		if len(f.gates) > 0 && len(f.only) > 0 {
			return usage("--gate: only a whole run passes a gate; leave --only off")
		}
		return p.run(a[0], f)
	}
	c.Flags().VarP(lists(&f.models), "model", "m", "the models, comma-separated or repeated")
	c.Flags().Var(lists(&f.postures), "posture", "postures instead of the bench's own choice")
	c.Flags().Var(lists(&f.only), "only", "only these items")
	c.Flags().IntVar(&f.repeats, "repeats", 0, "repeats instead of the protocol's")
	c.Flags().IntVar(&f.concurrency, "concurrency", 0, "calls at once (default 4, or 1 when a model's server is on this machine)")
	c.Flags().BoolVar(&f.again, "new", false, "start another run, whatever there is")
	c.Flags().BoolVar(&f.unproven, "unproven", false, "run a bench whose graders are not proven; the results say so")
	c.Flags().BoolVar(&f.unsafe, "unsafe-no-sandbox", false, "run answers without a sandbox (dangerous; marks the run)")
	c.Flags().BoolVarP(&f.quiet, "quiet", "q", false, "no progress, no notes, no results: exit status only")
	c.Flags().BoolVar(&f.asJSON, "json", false, "print the results as JSON")
	c.Flags().BoolVar(&f.markdown, "markdown", false, "print the results as Markdown")
	c.Flags().StringVar(&f.db, "db", "", "the database file (default .assay/assay.db)")
	c.Flags().StringVar(&f.prices, "prices", "", "the price file (default .assay/prices.yaml, where there is one; see docs/costs.md)")
	c.Flags().StringVar(&f.maxCost, "max-cost", "", "stop when so much is spent, in the price file's currency")
	c.Flags().BoolVar(&f.yes, "yes", false, "go on without asking when the run costs money")
	c.Flags().BoolVar(&f.noProbe, "no-probe", false, "leave out the call that shows whether long prompts arrive whole; the run says so")
	c.Flags().StringVar(&f.private, "private", "", "run a private set of a premise bench, too: JSON lines; only counts and letters of it are shown")
	c.Flags().BoolVar(&f.noSchema, "no-schema", false, "leave the form of replies to the prompt alone, for providers that refuse a schema; the run says so")
	c.Flags().Var(lists(&f.watch), "watch", "services to probe before, during and after the run; the model's own speed is measured too")
	c.Flags().DurationVar(&f.watchFor, "watch-for", 0, "how long services are watched before the run, and after it (default 5s)")
	c.Flags().BoolVar(&f.calibrate, "calibrate", false, "measure the model's own speed before, under and after the run")
	c.Flags().StringVar(&f.metrics, "metrics", "", "serve numbers of the run to Prometheus meanwhile, at an `ADDRESS` of this machine such as 127.0.0.1:9464")
	c.Flags().StringVar(&f.otlp, "otlp", "", "send a trace of the run to an OpenTelemetry collector at a `URL` such as http://127.0.0.1:4318")
	c.Flags().StringArrayVar(&f.gates, "gate", nil, gateHelp)
	c.Flags().StringVar(&f.agent.name, "agent", "", "who works on agent tasks: builtin (default), or `command/PATH`, a program of yours")
	c.Flags().BoolVar(&f.agent.unsealed, "agent-unsealed", false, "let the program run as you, with your files and network; never ranked")
	c.Flags().StringArrayVar(&f.agent.env, "agent-env", nil, "hand a variable down to the sealed program: `NAME` or NAME=VALUE, repeatable")
	c.Flags().Var(lists(&f.agent.see), "agent-see", "folders that the sealed program sees beside the system's programs, read-only")
	return c
}

// engine makes the engine over an open store.
func (p *Process) engine(db store.Store) *run.Engine {
	return &run.Engine{Store: db, Now: p.Now, Retry: p.Pace.Retry, CheckEvery: p.Pace.CheckEvery, Rand: func() uint64 {
		var b [8]byte
		rand.Read(b[:])
		return binary.LittleEndian.Uint64(b[:])
	}}
}

func (p *Process) run(ref string, f runFlags) error {
	if len(f.models) == 0 && (f.agent.name == "" || f.agent.name == builtinAgent) {
		return usage("no model is named; name one with --model, such as --model control/reference (assay run --help lists the forms)")
	}
	o, err := p.openToRun(ref)
	if err != nil {
		return err
	}
	specs, err := parseModels(f.models)
	if err != nil {
		return err
	}
	if f.worker, err = p.worker(o, ref, specs, f); err != nil {
		return err
	}
	if err := p.canRun(o, f.only); err != nil {
		return err
	}
	var private *opened
	if f.private != "" {
		if private, err = p.openPrivate(o, f.private); err != nil {
			return err
		}
		if err := p.cleanPrivate(private); err != nil {
			return err
		}
	}
	box, machine, lack, err := p.box(o, f.unsafe)
	if err != nil {
		return err
	}
	if box != nil {
		defer box.Close()
	}
	proven, err := p.standing(o, box, machine, f)
	if err != nil {
		return err
	}
	db, err := store.Open(p.Context, p.dbPath(f.db), store.Options{Create: true})
	if err != nil {
		return storeError(err)
	}
	var opened []*part
	defer func() { // at once: the database has its log to work off, and the models have connections by the hundred
		var closing sync.WaitGroup
		for _, x := range opened {
			closing.Go(x.close)
		}
		db.Close()
		closing.Wait()
	}()
	main, err := p.part(o, specs, db, f, run.Spec{Source: ref, Only: f.only, Proof: proven, Sandbox: machine.Tier, Python: machine.Python})
	if err != nil {
		return err
	}
	main.lack = lack
	if opened = append(opened, main); private == nil {
		if err := p.agree(opened, f); err != nil {
			return err
		}
		return p.carryOut(main, nil, f)
	}
	other, err := p.part(private, specs, db, f, run.Spec{Source: ref, Proof: "proven", Flags: []string{store.FlagPrivate}})
	if err != nil {
		return err
	}
	opened = append(opened, other)
	if err := p.agree(opened, f); err != nil {
		return err
	}
	return p.carryOut(main, other, f)
}

// execute carries the session out, with an eye on what is beside it where that was asked for.
func (p *Process) execute(s *run.Session, f runFlags) (run.Summary, error) {
	done, err := p.telemetry(s, f)
	if err != nil {
		return run.Summary{}, err
	}
	defer done()
	if !f.beside() {
		return s.Execute(p.Context)
	}
	sum, _, err := s.ExecuteBeside(p.Context, p.besides(f))
	return sum, err
}

// besides says what is looked at beside the run, and how.
func (p *Process) besides(f runFlags) run.Beside {
	b := p.Pace.Beside
	b.URLs, b.Dial = f.watch, p.Dial
	if f.watchFor > 0 {
		b.Around = f.watchFor
	}
	return b
}

// left gives exit code 3 when attempts are missing, ended in an error, or could not be graded, and says so where db is there to
// tell why.
func (p *Process) left(r *store.Run, t store.Tally, db store.Store) error {
	say := db != nil
	missing, ungraded, undelivered := 0, 0, 0
	for _, l := range t {
		switch {
		case l.Outcome == "" || l.Outcome == "error":
			missing += l.Attempts
		case l.Outcome == "undelivered":
			undelivered += l.Attempts
		case l.Outcome == "answered" && (l.Letter == "?" || l.Letter == ""):
			ungraded += l.Attempts
		}
	}
	if missing == 0 && ungraded == 0 && undelivered == 0 {
		return nil
	}
	if say && missing > 0 {
		first := ""
		if !stored.IsPrivate(r) {
			first = p.firstError(r, db)
		}
		how := "the same command tries %s again"
		if run.SchemaRefused(first) {
			how = "the same command would ask for %s in the same way"
		}
		are, them := "are", "them"
		if missing == 1 {
			are, them = "is", "it"
		}
		p.notef("%s of %d %s missing or ended in an error%s; "+how, counted(missing, "attempt"), t.Planned(), are, first, them)
	}
	if say && undelivered > 0 {
		p.notef("%s of %d did not reach the model whole, which is no result of the model's; give its server a larger context and use --new", counted(undelivered, "prompt"), t.Planned())
	}
	if say && ungraded > 0 {
		p.notef("%s could not be graded on this machine; once it has what is missing: assay grade --run %s", counted(ungraded, "answer"), r.ID)
	}
	return silent(exitFault)
}

// firstError is the reason of the first attempt that ended in an error; "" where none did.
func (p *Process) firstError(r *store.Run, db store.Store) string {
	for row, err := range db.Rows(context.WithoutCancel(p.Context), r, r.Plan.Grader) {
		if err != nil {
			return ""
		}
		if row.Outcome == record.Error {
			return " (the first: " + model.OneLine(row.Reason, 0) + ")"
		}
	}
	return ""
}

// explainRun gives the engine's errors their exit codes.
func explainRun(err error) error {
	if _, ok := errors.AsType[*run.UsageError](err); ok {
		return usage("%v", err)
	}
	if _, ok := errors.AsType[*run.DifferentError](err); ok {
		return usage("%v", err)
	}
	if _, ok := errors.AsType[*run.BenchError](err); ok {
		return usage("%v", err)
	}
	if limit, ok := errors.AsType[*price.Limit](err); ok {
		return fault(limit) // it says itself how to go on, which is not by the same command
	}
	return fault(err)
}
