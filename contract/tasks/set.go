// Package tasks is a bench of agent tasks, compiled: each task's world, its public part and its sealed contract, held
// against each other, and the grader that judges what happened by them.
package tasks

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/assaybench/assay/bench"
	"github.com/assaybench/assay/contract"
	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/price"
	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/sandbox"
	"github.com/assaybench/assay/world"
)

// Task is one agent task, compiled.
type Task struct {
	bench.Head
	World    *world.World
	Public   *world.Task
	Lints    []contract.Lint // what an author should look at
	staged   *world.Staged
	contract *contract.Contract
	expected *contract.Expected
	digest   string // of the public part
	begins   string // the time of an episode's first call
	controls []bench.Control
}

// Set is a bench of agent tasks, compiled. It is safe for concurrent use.
type Set struct {
	bench  *bench.Bench
	tasks  []*Task // sorted by id
	limits world.Limits
	system string
	digest string

	heads      []bench.Head // of all items, in the bench's order
	unfinished []unfinished // drafts that do not compile
}

var errSealed = errors.New("sealed: a task's compiled form belongs to no public file, route or answer")

// MarshalJSON refuses: a task holds its contract and its controls.
func (Task) MarshalJSON() ([]byte, error) { return nil, errSealed }

// Format prints the id alone, whatever the verb.
func (t Task) Format(f fmt.State, _ rune) { fmt.Fprintf(f, "task %s (sealed)", t.ID) }

// MarshalJSON refuses, as a task does.
func (Set) MarshalJSON() ([]byte, error) { return nil, errSealed }

// Format prints the bench's name alone, whatever the verb.
func (s Set) Format(f fmt.State, _ rune) { fmt.Fprintf(f, "tasks of %s (sealed)", s.bench.Name()) }

// Compile compiles every world and every task of a bench, and reports every fault. Drafts may be unfinished: see Unfinished.
func Compile(b *bench.Bench) (*Set, error) {
	if b.Shape != bench.ShapeAgent {
		return nil, &bench.Error{Msg: fmt.Sprintf("%s has the shape %q, which is not that of agent tasks", b.Source, b.Shape)}
	}
	s := &Set{bench: b}
	if err := s.readOwn(); err != nil {
		return nil, err
	}
	worlds := map[string]*world.World{}
	var errs []error
	h := sha256.New()
	fmt.Fprintf(h, "agent %s\x00%d %d %d %d\n", contract.Version, s.limits.Turns, s.limits.Calls, s.limits.Tokens, s.limits.Time)
	if s.limits.Cost > 0 { // a bench without this limit keeps the digest that it had before there was one
		fmt.Fprintf(h, "cost %d %s\n", s.limits.Cost, s.limits.Currency)
	}
	for _, id := range b.IDs() {
		t, err := compileTask(b, id, worlds)
		if err != nil {
			if h, is := draft(b, id); is {
				s.heads, s.unfinished = append(s.heads, h), append(s.unfinished, unfinished{h, err})
				continue
			}
			errs = append(errs, err)
			continue
		}
		s.heads, s.tasks = append(s.heads, t.Head), append(s.tasks, t)
		if t.Frozen {
			seed, err := t.World.Seed(context.Background(), t.Public, t.staged)
			if err != nil {
				return nil, err
			}
			fmt.Fprintf(h, "%s\x00%s\x00%s\x00%s\n", t.ID, t.contract.Digest(), t.expected.Digest(), seed.SHA256)
		}
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	s.digest = hex.EncodeToString(h.Sum(nil))
	return s, nil
}

// money is a currency as price files name it.
var money = regexp.MustCompile(`^[!-~]{1,8}$`)

// defaultSystem is what a model is told of its situation where the bench says nothing of its own. It names no procedure.
const defaultSystem = `You work for the organisation as the employee named below, through its systems, which you reach by the tools at hand.
Find out what you need, change only what the request and your authority cover, and hand in the answer with the tool submit_answer of the server assay when the work is done.
Nobody answers questions meanwhile.`

func (s *Set) readOwn() error {
	s.system = defaultSystem
	s.limits = world.Limits{Turns: 100, Calls: 300}
	n := s.bench.Own
	if n == nil {
		return nil
	}
	f := bench.NewFields(n)
	if v := f.Node("system"); v != nil {
		s.system = strings.TrimSpace(f.NeedText("system"))
	}
	if v := f.Node("limits"); v != nil {
		lf := bench.NewFields(v)
		for _, k := range []struct {
			key string
			to  *int
		}{{"turns", &s.limits.Turns}, {"calls", &s.limits.Calls}} {
			if lf.Node(k.key) != nil {
				*k.to = lf.Int(k.key)
			}
		}
		s.limits.Tokens, s.limits.Time = int64(lf.Int("tokens")), lf.Duration("time")
		if c := lf.Node("cost"); c != nil {
			amount, currency, _ := strings.Cut(lf.Text("cost"), " ")
			cost, err := price.ParseAmount(amount)
			if err != nil || cost == 0 || !money.MatchString(currency) {
				lf.Fault(c.Errorf("cost is an amount above 0 and its currency, such as 0.50 USD"))
			}
			s.limits.Cost, s.limits.Currency = cost, currency
		}
		if s.limits.Turns < 1 || s.limits.Calls < 1 || s.limits.Tokens < 0 || s.limits.Time < 0 {
			lf.Fault(v.Errorf("turns and calls are at least 1; tokens and time are positive where they are given"))
		}
		f.Fault(lf.Done())
	}
	return f.Done()
}

func compileTask(b *bench.Bench, id string, worlds map[string]*world.World) (*Task, error) {
	raw, err := b.Item(id)
	if err != nil {
		return nil, err
	}
	t := &Task{Head: raw.Head}
	dir := path.Join("tasks", id)
	if t.World, err = worldOf(b, raw.Node, worlds); err != nil {
		return nil, err
	}
	if t.Public, err = t.World.ReadTask(raw.Node, b.FS, dir+"/public"); err != nil {
		return nil, err
	}
	if t.staged, err = t.World.ReadStaged(b.FS, dir+"/sealed"); err != nil {
		return nil, err
	}
	file := dir + "/sealed/contract.yaml"
	data, err := fs.ReadFile(b.FS, file)
	if err != nil {
		return nil, &bench.Error{File: file, Msg: "the contract cannot be read: " + fsReason(err)}
	}
	n, err := bench.Parse(file, data)
	if err != nil {
		return nil, err
	}
	session, err := t.Session(context.Background(), "derive")
	if err != nil {
		return nil, err
	}
	defer session.Close()
	if t.contract, t.Lints, err = contract.Compile(n, view{t.World, session.Tools()}, t.view()); err != nil {
		return nil, err
	}
	first, err := session.Call(context.Background(), world.Call{Actor: world.Harness, Surface: "derive", Tool: world.ToolContext})
	if err != nil {
		return nil, err
	}
	t.begins = first.At
	reads := readsOf(session)
	if t.expected, err = t.contract.Derive(reads); err != nil {
		return nil, err
	}
	t.Lints = append(t.Lints, t.contract.LintSeed(t.expected, reads)...)
	if t.digest, err = publicDigest(b.FS, dir+"/public"); err != nil {
		return nil, err
	}
	if t.controls, err = readControls(b.FS, dir+"/sealed"); err != nil {
		return nil, err
	}
	return t, t.criteria()
}

func fsReason(err error) string {
	if errors.Is(err, fs.ErrNotExist) {
		return "the file is missing"
	}
	return err.Error()
}

// worldOf gives a task's world: worlds/NAME where the task names one, else world.
func worldOf(b *bench.Bench, n *bench.Node, worlds map[string]*world.World) (*world.World, error) {
	dir := "world"
	if v := n.Get("world"); v != nil {
		name, err := v.AsText()
		if err != nil {
			return nil, err
		}
		if !bench.ValidID(name) {
			return nil, v.Errorf("the world %q is not named by lowercase letters, digits and . _ - inside", name)
		}
		dir = "worlds/" + name
	}
	if w := worlds[dir]; w != nil {
		return w, nil
	}
	w, err := world.Load(b.FS, dir, b.Source)
	if err == nil {
		worlds[dir] = w
	}
	return w, err
}

// publicDigest is the digest of a task's public files, as that of a bench is made.
func publicDigest(fsys fs.FS, dir string) (string, error) {
	sub, err := fs.Sub(fsys, dir)
	if err != nil {
		return "", err
	}
	return bench.Digest(sub)
}

// Task gives a task by id.
func (s *Set) Task(id string) (*Task, error) {
	i, ok := slices.BinarySearchFunc(s.tasks, id, func(t *Task, id string) int { return strings.Compare(t.ID, id) })
	if !ok {
		if err := s.notWhole(id); err != nil {
			return nil, err
		}
		return nil, &bench.Error{Msg: fmt.Sprintf("%s has no item %q%s", s.bench.Name(), id, bench.Nearest(id, s.bench.IDs()))}
	}
	return s.tasks[i], nil
}

// Tasks gives the tasks in the bench's order, drafts that are whole among them.
func (s *Set) Tasks() []*Task { return s.tasks }

// Bench gives the bench itself.
func (s *Set) Bench() *bench.Bench { return s.bench }

// Digest is the grader's digest: each frozen task's contract, what it derives, and the state that its world begins in.
func (s *Set) Digest() string { return s.digest }

// Index gives nothing: a bench of this shape is always compiled.
func (s *Set) Index() ([]byte, error) { return []byte("{}"), nil }

// Heads goes through the items in the bench's order, drafts included.
func (s *Set) Heads() iter.Seq[bench.Head] {
	return func(yield func(bench.Head) bool) {
		for _, h := range s.heads {
			if !yield(h) {
				return
			}
		}
	}
}

// Limits bound an episode.
func (s *Set) Limits() world.Limits { return s.limits }

// Prompt gives what an item asks: the situation, and the request with what an employee would hold.
func (s *Set) Prompt(item string) ([]model.Message, error) {
	t, err := s.Task(item)
	if err != nil {
		return nil, err
	}
	return []model.Message{{Role: "system", Text: s.system}, {Role: "user", Text: Brief(t.World, t.Public)}}, nil
}

// Brief is a task's request as a text: who asks whom, when, what, and the handles.
func Brief(w *world.World, t *world.Task) string {
	var b strings.Builder
	who := t.Role
	for _, u := range w.Users {
		if u.ID == t.User {
			who = fmt.Sprintf("%s, %s (%s)", u.Name, t.Role, u.ID)
		}
	}
	fmt.Fprintf(&b, "%s\nYou are: %s\nToday: %s\n", w.Organisation.Name, who, t.AsOf)
	for _, h := range t.Handles {
		fmt.Fprintf(&b, "%s: %s\n", h.Name, h.Value)
	}
	fmt.Fprintf(&b, "\n%s\n", t.Request)
	return b.String()
}

// Begin makes an attempt's world, in memory. Its name is the attempt's, so that an attempt's chain is its own.
func (s *Set) Begin(ctx context.Context, key record.Key) (*world.Session, error) {
	t, err := s.Task(key.Item)
	if err != nil {
		return nil, err
	}
	return t.Session(ctx, SessionName(key))
}

// SessionName is the name of an attempt's world: an episode of another name is of another attempt.
func SessionName(key record.Key) string {
	b, _ := record.Canonical(key)
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:8])
}

// Session makes a session of the task, in memory.
func (t *Task) Session(ctx context.Context, name string) (*world.Session, error) {
	return t.World.NewSession(ctx, t.Spec(name))
}

// Spec is what a session of the task is made of.
func (t *Task) Spec(name string) world.Spec {
	return world.Spec{ID: name, Task: t.Public, Staged: t.staged}
}

// Explain gives what decides a task, in words.
func (s *Set) Explain(item string) ([]string, error) {
	t, err := s.Task(item)
	if err != nil {
		return nil, err
	}
	return contract.Explain(t.contract, t.expected), nil
}

// Blocked lists nothing: a task that cannot run does not compile.
func (s *Set) Blocked() []bench.Blocked { return nil }

// Executes lists nothing: traces run in worlds, which run nothing.
func (s *Set) Executes() (items []string, python bool) { return nil, false }

// Use takes no sandbox.
func (s *Set) Use(*sandbox.Box, string) {}

// Method names how episodes are judged, the same for all benches of this shape.
func (s *Set) Method() string { return "contract " + contract.Version }

// Plain reports nothing: no task is a control problem.
func (s *Set) Plain(string) bool { return false }

// readsOf makes the contract's reads on a world of its own, as the harness: staged faults do not meet it.
func readsOf(s *world.Session) contract.Reads {
	return contract.ReadsFunc(func(tool string, args jsontext.Value) (jsontext.Value, error) {
		e, err := s.Call(context.Background(), world.Call{Actor: world.Harness, Surface: "derive", Tool: tool, Args: args})
		switch {
		case err != nil:
			return nil, err
		case e.Error != nil:
			return nil, errors.New(e.Error.Message)
		case len(e.Effect) > 0:
			return nil, fmt.Errorf("%s changes the world, and is no read", tool)
		}
		return e.Result, nil
	})
}
