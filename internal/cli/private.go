package cli

import (
	"errors"
	"fmt"

	"github.com/assaybench/assay/bench"
	"github.com/assaybench/assay/premise"
	"github.com/assaybench/assay/qualify"
)

// privateMost bounds a private set's file.
const privateMost = 64 << 20

// openPrivate opens a private set behind a bench's prompt. Of what its problems hold nothing is ever printed.
func (p *Process) openPrivate(of *opened, file string) (*opened, error) {
	data, err := p.readInput(file, privateMost)
	if err != nil {
		return nil, err
	}
	set, err := premise.OpenPrivate(of.bench, file, data)
	if err != nil {
		return nil, privateError(file, err)
	}
	st, err := set.Bench().Inspect()
	if err != nil {
		return nil, inBench(file, err)
	}
	return &opened{set: set, bench: set.Bench(), state: st, private: set}, nil
}

// privateError gives the faults of a private set, which name file and line themselves, and those of the bench behind it.
func privateError(file string, err error) error {
	if e, ok := errors.AsType[*bench.Error](err); ok && e.File == "" {
		return usage("%v", err) // it names the bench
	}
	return inBench(file, err)
}

// checkPrivate evaluates every reading of a private set, and shows counts, and faults by place, problem and number alone.
func (p *Process) checkPrivate(of *opened, file string, asJSON bool) error {
	o, err := p.openPrivate(of, file)
	if err != nil {
		return err
	}
	c, err := o.private.SelfCheck(p.Context)
	if err != nil {
		return fault(err)
	}
	faults := privateFaults(c)
	if asJSON {
		out := struct {
			Bench  string `json:"bench"` // whose prompt it uses
			File   string `json:"file"`
			Digest string `json:"digest"`
			Grader string `json:"grader"`
			*premise.SelfCheck
			Faults   []qualify.Fault `json:"faults"`
			Warnings []string        `json:"warnings"`
		}{of.bench.Name(), file, o.state.Digest, o.set.Digest(), c, faults, append([]string{}, c.Warnings...)}
		if err := p.writeJSON(out); err != nil {
			return err
		}
	} else {
		for _, f := range faults {
			p.printf("%s\n", plain(f.String()))
		}
		for _, w := range c.Warnings {
			p.printf("warning: %s\n", plain(w))
		}
		p.printf("%s, a private set with the prompt of %s\n  %d/%d problems, %d/%d pairs\n  digest %s\n  grader %s\n", plain(file), of.bench.Name(),
			c.ProblemsOK, c.Problems, c.PairsOK, c.Pairs, o.state.Digest, o.set.Digest())
		if len(faults) == 0 {
			p.printf("good\n")
		} else {
			p.printf("not good: %s\n", counted(len(faults), "fault"))
		}
	}
	if len(faults) > 0 {
		return silent(exitFail)
	}
	return nil
}

func privateFaults(c *premise.SelfCheck) []qualify.Fault {
	out := []qualify.Fault{}
	for _, f := range c.Faults {
		out = append(out, qualify.Fault{Item: f.Item, Control: f.Control, Kind: "self-check", Msg: f.Msg, Place: f.Place})
	}
	return out
}

// cleanPrivate refuses a private set whose readings are wrong.
func (p *Process) cleanPrivate(o *opened) error {
	c, err := o.private.SelfCheck(p.Context)
	if err != nil {
		return fault(err)
	}
	if len(c.Faults) == 0 {
		return nil
	}
	msg := ""
	for i, f := range privateFaults(c) {
		if i == 20 {
			msg += fmt.Sprintf("… and %d faults more\n", len(c.Faults)-20)
			break
		}
		msg += f.String() + "\n"
	}
	return usage("%snothing is run by a private set whose readings are wrong", msg)
}
