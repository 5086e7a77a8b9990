package premise

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/assaybench/assay/bench"
	"github.com/assaybench/assay/kairos"
	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/sandbox"
)

// graderVersion counts the meanings that grading has had; a change of what a reply's letter is makes a new one.
const graderVersion = 1

// spec is what all problems of a bench share.
type spec struct {
	language   string // "ja" or "en"
	tz         string
	prelude    string
	system     string
	user       string
	userAllDay string
	repair     string

	memo *memo
}

// Set is a bench of authoring problems, compiled. It is safe for concurrent use.
type Set struct {
	bench    *bench.Bench
	spec     spec
	problems []*Problem // beside bench.IDs()
	digest   string
	recent   recent
}

// Compile compiles every problem of a bench and reports every fault.
func Compile(b *bench.Bench) (*Set, error) {
	if b.Shape != bench.ShapePremise {
		return nil, &bench.Error{Msg: fmt.Sprintf("%s has the shape %q, which is not that of authoring problems", b.Source, b.Shape)}
	}
	s := &Set{bench: b}
	var errs []error
	if err := s.readSpec(); err != nil {
		errs = append(errs, err)
	}
	h := sha256.New()
	fmt.Fprintf(h, "premise %d, kairos %s, limits %d %d %d\x00%s\x00%s\x00", graderVersion, kairos.LanguageVersion, limits.Steps, limits.Points, limits.Depth, s.spec.tz, s.spec.prelude)
	for _, id := range b.IDs() {
		raw, err := b.Item(id)
		var p *Problem
		if err == nil {
			p, err = compileProblem(raw)
		}
		if err != nil {
			errs = append(errs, err)
			continue
		}
		s.problems = append(s.problems, p)
		if !p.Frozen {
			continue
		}
		line, err := p.canonical()
		if err != nil {
			return nil, err
		}
		h.Write(line)
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	s.digest = hex.EncodeToString(h.Sum(nil))
	return s, nil
}

// canonical is the part of the grader's digest that a problem makes.
func (p *Problem) canonical() ([]byte, error) {
	type reading struct {
		Key      string   `json:"key"`
		Expected []string `json:"expected"`
	}
	rs := []reading{}
	for _, r := range p.Readings {
		rs = append(rs, reading{r.Key, r.Expected})
	}
	b, err := record.Canonical(struct {
		ID         string    `json:"id"`
		From       string    `json:"from"`
		To         string    `json:"to"`
		Undeclared []Element `json:"undeclared"`
		Readings   []reading `json:"readings"`
	}{p.ID, p.From.String(), p.To.String(), p.Undeclared, rs})
	return append(b, '\n'), err
}

// readSpec reads the part of bench.yaml that is this shape's own, and the files that it names.
func (s *Set) readSpec() error {
	n := s.bench.Own
	if n == nil {
		return &bench.Error{File: "bench.yaml", Msg: "the key \"premise\" is missing: {language, tz, prelude, system, user, user_all_day, repair}"}
	}
	f := bench.NewFields(n)
	s.spec = spec{language: f.NeedText("language"), tz: f.NeedText("tz"), user: f.NeedText("user"), userAllDay: f.Text("user_all_day"), memo: &memo{}}
	if l := s.spec.language; l != "ja" && l != "en" && l != "" {
		f.Fault(n.Get("language").Errorf("the language is ja or en"))
	}
	for _, k := range []string{"user", "user_all_day"} {
		if v := n.Get(k); v != nil && !strings.Contains(v.Text, "{prompt}") {
			f.Fault(v.Errorf("%s holds no {prompt}", k))
		}
	}
	if s.spec.userAllDay == "" {
		s.spec.userAllDay = s.spec.user
	}
	read := func(name string) string {
		if name == "" {
			return ""
		}
		data, err := s.bench.Fixture(name)
		f.Fault(err)
		if !utf8.Valid(data) { // it would reach a model as something else
			f.Fault(&bench.Error{File: "fixtures/" + name, Msg: "the file is not UTF-8; save it as UTF-8"})
		}
		return string(data)
	}
	s.spec.prelude = strings.TrimRight(read(f.NeedText("prelude")), "\n")
	var parts []string
	f.Need("system")
	for _, name := range f.Texts("system") {
		parts = append(parts, strings.TrimSpace(read(name)))
	}
	s.spec.system = strings.ReplaceAll(strings.Join(parts, "\n\n"), "{prelude}", s.spec.prelude)
	s.spec.repair = strings.TrimSpace(read(f.NeedText("repair")))
	if s.spec.repair != "" && !strings.Contains(s.spec.repair, "{diagnostic}") {
		f.Fault(n.Get("repair").Errorf("the file holds no {diagnostic}"))
	}
	if err := f.Done(); err != nil {
		return err
	}
	if _, err := kairos.Compile(s.spec.prelude); err != nil {
		fault := &bench.Error{File: s.preludeFile(), Msg: err.Error()}
		if e := (*kairos.Error)(nil); errors.As(err, &e) {
			fault.Line, fault.Column, fault.Msg = e.Line, e.Column, e.Message
			if e.Hint != "" {
				fault.Msg += " (" + e.Hint + ")"
			}
			fault.Msg += " [" + e.Code + "]"
		}
		return fault
	}
	return nil
}

// preludeFile is the prelude's path in the bench.
func (s *Set) preludeFile() string { return "fixtures/" + s.bench.Own.Get("prelude").Text }

// Method names how replies are judged, the same for all benches of this shape.
func (s *Set) Method() string {
	return fmt.Sprintf("premise %d, kairos %s", graderVersion, kairos.LanguageVersion)
}

// Plain reports whether a problem leaves nothing open.
func (s *Set) Plain(id string) bool {
	p, err := s.Problem(id)
	return err == nil && p.plain()
}

// Problem gives a problem by id.
func (s *Set) Problem(id string) (*Problem, error) {
	i, ok := slices.BinarySearchFunc(s.problems, id, func(p *Problem, id string) int { return strings.Compare(p.ID, id) })
	if !ok {
		return nil, &bench.Error{Msg: fmt.Sprintf("%s has no item %q%s", s.bench.Name(), id, bench.Nearest(id, s.bench.IDs()))}
	}
	return s.problems[i], nil
}

// Problems goes through all problems.
func (s *Set) Problems() []*Problem { return s.problems }

// Bench gives the bench itself.
func (s *Set) Bench() *bench.Bench { return s.bench }

// Digest is the grader's digest: ranges, open kinds, readings and their points, the prelude, the evaluator and its limits.
func (s *Set) Digest() string { return s.digest }

// Index gives nothing: a bench of this shape is small and always compiled.
func (s *Set) Index() ([]byte, error) { return []byte("{}"), nil }

// Heads goes through the items in the bench's order, drafts included.
func (s *Set) Heads() iter.Seq[bench.Head] {
	return func(yield func(bench.Head) bool) {
		for _, p := range s.problems {
			if !yield(p.Head) {
				return
			}
		}
	}
}

// Prompt gives what an item asks: the system's part, and the requirement. The range is not among it.
func (s *Set) Prompt(item string) ([]model.Message, error) {
	p, err := s.Problem(item)
	if err != nil {
		return nil, err
	}
	user := s.spec.user
	if p.AllDay {
		user = s.spec.userAllDay
	}
	return []model.Message{{Role: "system", Text: s.spec.system}, {Role: "user", Text: strings.ReplaceAll(user, "{prompt}", p.Prompt)}}, nil
}

// Schema is the JSON Schema of a reply.
func (s *Set) Schema(string) *model.Schema { return replySchema }

// Grade judges a transcript by its last reply. How it stood after each reply is among the diagnostics.
func (s *Set) Grade(ctx context.Context, item string, t record.Transcript) (record.Verdict, error) {
	p, err := s.Problem(item)
	if err != nil {
		return record.Verdict{}, err
	}
	tries := make([]string, 0, len(t.Turns)+1)
	for _, turn := range t.Turns {
		j, err := s.judge(ctx, p, turn.Answer)
		if err != nil {
			return record.Verdict{}, err
		}
		tries = append(tries, string(j.letter))
	}
	j, err := s.judge(ctx, p, t.Answer)
	if err != nil {
		return record.Verdict{}, err
	}
	v := p.verdict(j)
	v.Bench, v.Grader = s.bench.Name(), s.digest
	v.Premise.Repairs = len(t.Turns)
	if t.Outcome != record.Answered {
		v.Diagnostics["would_have_passed"] = v.Pass
		v.Pass, v.Letter, v.Reason = false, record.LetterOf(t.Outcome), t.Reason
	}
	v.Premise.Tries = append(tries, string(v.Letter))
	return v, context.Cause(ctx)
}

// Explain gives what decides an item, in words.
func (s *Set) Explain(item string) ([]string, error) {
	p, err := s.Problem(item)
	if err != nil {
		return nil, err
	}
	out := []string{
		findValid + ": the reply is one JSON object with body, explanation and assumptions, and the body evaluates behind the prelude",
		findDeclared + ": " + p.mustDeclare(),
	}
	for _, r := range p.Readings {
		out = append(out, fmt.Sprintf("%s: the points from %v to %v (exclusive) are those of %s (%s): %s", findMatched, p.From, p.To, r.Key, oneLine(r.Assumption), strings.Join(head(r.Expected, 8), ", ")))
	}
	return out, nil
}

// Controls gives an item's own controls, accepted ones first.
func (s *Set) Controls(item string) ([]bench.Control, error) {
	p, err := s.Problem(item)
	if err != nil {
		return nil, err
	}
	var out []bench.Control
	for _, accept := range []bool{true, false} {
		for _, c := range p.controls {
			if c.Accept == accept {
				out = append(out, c.Control)
			}
		}
	}
	return out, nil
}

// Mutants makes near-misses out of an item's reference.
func (s *Set) Mutants(item string) ([]bench.Mutant, error) {
	p, err := s.Problem(item)
	if err != nil {
		return nil, err
	}
	return p.mutants(), nil
}

// Blocked lists nothing: a problem that cannot run does not compile.
func (s *Set) Blocked() []bench.Blocked { return nil }

// Executes lists nothing: bodies run in the evaluator, which bounds them.
func (s *Set) Executes() (items []string, python bool) { return nil, false }

// Use takes no sandbox.
func (s *Set) Use(*sandbox.Box, string) {}
