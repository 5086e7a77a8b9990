package control

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/assaybench/assay/bench"
	"github.com/assaybench/assay/contract"
	"github.com/assaybench/assay/contract/exact"
	"github.com/assaybench/assay/contract/tasks"
	"github.com/assaybench/assay/record"
)

// Execution is one run of the reference.
type Execution struct {
	Steps         int      `json:"steps"`
	StepsDigest   string   `json:"steps_digest"`
	EpisodeDigest string   `json:"episode_digest"` // SHA-256 of the episode's canonical JSON
	Strict        bool     `json:"strict"`
	Gated         int      `json:"gated"`
	Broke         []string `json:"broke"`
	Fault         string   `json:"fault"`
}

// Proof is everything that was tried of a task.
type Proof struct {
	Task      string     `json:"task"`
	Digest    string     `json:"digest"` // of all that decides what is tried and how it ends
	Rules     []string   `json:"rules"`  // the task's criteria
	Oracle    Execution  `json:"oracle"`
	Replay    Execution  `json:"replay"`
	Controls  []Result   `json:"controls"` // the ten
	Beside    []Result   `json:"beside"`
	Omissions []Omission `json:"omissions"`
}

// Digest binds what a task's proof stands on: its public part, its contract and what that derives, the state of its world, its
// reference, and the versions of what judges and of what is tried. others are what the bench's other tasks answer, from which
// the best constants are taken.
func Digest(ctx context.Context, set *tasks.Set, t *tasks.Task) (string, error) {
	seed, err := t.World.Seed(ctx, t.Public, t.Staged())
	if err != nil {
		return "", err
	}
	trace, err := t.Reference()
	if err != nil {
		return "", err
	}
	h := sha256.New()
	fmt.Fprintf(h, "%s %s\n%s %s\n%s\n%s\n%s\n", contract.Version, Version, t.ID, t.PublicDigest(), t.Contract().Digest(), t.Expected().Digest(), seed.SHA256)
	for _, dir := range []string{"world", "worlds"} { // what the tools do stands in their files
		sub, err := fs.Sub(set.Bench().FS, dir)
		if err != nil {
			return "", err
		}
		if _, err := fs.Stat(sub, "."); errors.Is(err, fs.ErrNotExist) {
			continue
		}
		d, err := bench.Digest(sub)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(h, "%s %s\n", dir, d)
	}
	for _, c := range trace {
		fmt.Fprintf(h, "%s %s\n", c.Tool, c.Args)
	}
	for i := range t.Public.Answer {
		if v := (&Subject{set: set, task: t}).mostOften(&t.Public.Answer[i]); v != nil {
			fmt.Fprintf(h, "%s %s\n", t.Public.Answer[i].Name, exact.Text(v))
		}
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// Qualify makes every execution of a task. The error is a fault of ours, or a cancelled context; what is wrong with the task
// is in the proof.
func Qualify(ctx context.Context, set *tasks.Set, t *tasks.Task) (*Proof, error) {
	d, err := Digest(ctx, set, t)
	if err != nil {
		return nil, err
	}
	s, oracle, err := open(ctx, set, t)
	if err != nil {
		return nil, err
	}
	defer s.close()
	p := &Proof{Task: t.ID, Digest: d, Rules: s.rules}
	if p.Oracle, err = s.execution(oracle, nil); err != nil {
		return nil, err
	}
	again, err := s.run(ctx, s.steps)
	if err != nil {
		return nil, err
	}
	if p.Replay, err = s.execution(again, oracle); err != nil {
		return nil, err
	}
	if !p.Oracle.Strict {
		return p, nil // nothing can be told from a reference that is refused
	}
	return p, s.negative(ctx, p, oracle)
}

func (s *Subject) execution(ran, first *Ran) (Execution, error) {
	b, err := record.Canonical(ran.Episode)
	if err != nil {
		return Execution{}, err
	}
	sum := sha256.Sum256(b)
	e := Execution{Steps: len(s.steps), StepsDigest: digest(s.steps), EpisodeDigest: hex.EncodeToString(sum[:]), Strict: ran.Verdict.Strict, Gated: gated(ran), Broke: broke(ran)}
	switch {
	case !e.Strict:
		e.Fault = "the reference is refused for " + fmt.Sprint(e.Broke)
	case first != nil && !sameEpisode(ran.Episode, first.Episode):
		e.Fault = "the same calls made another episode than before: the world is not deterministic"
	}
	return e, nil
}

// negative runs the ten controls and what stands beside them.
func (s *Subject) negative(ctx context.Context, p *Proof, oracle *Ran) error {
	reads, err := s.omitReads(ctx)
	if err != nil {
		return err
	}
	work, err := s.omitWork(ctx)
	if err != nil {
		return err
	}
	p.Omissions = append(reads, work...)
	ten, beside, err := s.plans(ctx, oracle, reads)
	if err != nil {
		return err
	}
	seen := map[string]string{}
	for i, list := range [2][]plan{ten, beside} {
		for _, pl := range list {
			if err := ctx.Err(); err != nil {
				return err
			}
			r, err := s.judge(ctx, pl, i == 0)
			if err != nil {
				return err
			}
			name := r.Name
			if r.Form != "" {
				name += " (" + r.Form + ")"
			}
			other := seen[r.StepsDigest]
			if r.Name == "wrong_field" && strings.HasPrefix(other, "wrong_") {
				continue // where nothing of the answer follows from the decision, another option is another field and no more
			}
			if r.StepsDigest != "" && other != "" && r.Fault == "" {
				r.Kind, r.Fault = Equal, "it makes the same calls as "+other
			}
			seen[r.StepsDigest] = name
			if i == 0 {
				p.Controls = append(p.Controls, r)
			} else {
				p.Beside = append(p.Beside, r)
			}
		}
	}
	return nil
}

// plans makes the ten controls, one each, and those beside them.
func (s *Subject) plans(ctx context.Context, oracle *Ran, reads []Omission) (ten, beside []plan, err error) {
	decided := s.wrongDecision()
	unauthorised, err := s.unauthorised(ctx)
	if err != nil {
		return nil, nil, err
	}
	value, err := s.wrongValue(ctx)
	if err != nil {
		return nil, nil, err
	}
	evidence := s.wrongEvidence()
	ten = []plan{s.noop(oracle), s.shortcut(), s.stateOnly(), s.incompleteRead(reads), s.writeBeforeRead(), s.missingReadback(), unauthorised, value, decided[0], evidence[0]}
	taken := map[string]bool{}
	for _, p := range ten {
		taken[digest(p.steps)] = true
	}
	subject := s.wrongSubject(taken)
	beside = append(beside, decided[1:]...)
	for _, p := range evidence[1:] {
		if digest(p.steps) != digest(subject.steps) { // where the subject is read once, its look-alike is the same decoy
			beside = append(beside, p)
		}
	}
	for _, more := range []func(context.Context) ([]plan, error){s.executed, s.refusedWrite, s.wrongTargets, s.changedValues, s.stuffed, s.wrongFields} {
		list, err := more(ctx)
		if err != nil {
			return nil, nil, err
		}
		beside = append(beside, list...)
	}
	if p, ok := s.messageFirst(); ok {
		beside = append(beside, p)
	}
	for _, p := range beside {
		taken[digest(p.steps)] = true
	}
	beside = append(beside, s.early(), s.staleEvidence(taken), subject, s.nullAnswer(), s.bestConstant())
	beside = append(beside, s.permuted()...)
	beside = append(beside, s.extraReads(), s.failedRead())
	if len(s.messages()) > 0 {
		beside = append(beside, s.reworded(0), s.reworded(1))
	}
	return ten, beside, nil
}

// wrongFields gives each field of the answer wrong alone. A field of texts that the contract does not grade may say anything.
func (s *Subject) wrongFields(ctx context.Context) ([]plan, error) {
	var out []plan
	for i := range s.task.Public.Answer {
		f := &s.task.Public.Answer[i]
		if !s.c.Graded(f.Name) && (f.Type == "text" || f.Type == "none-or-text") {
			continue
		}
		p, err := s.corrupted(ctx, f.Name, 0)
		if err != nil {
			return nil, err
		}
		if !slices.Contains(s.rules, p.breaks[0]) {
			p.breaks = nil // whoever gives it wrong is right all the same
		}
		out = append(out, p)
	}
	return out, nil
}
