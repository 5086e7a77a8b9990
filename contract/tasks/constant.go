package tasks

import (
	"context"
	"fmt"
	"math/big"
	"strings"

	"github.com/assaybench/assay/bench"
	"github.com/assaybench/assay/contract/exact"
	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/world"
)

// maxGuess is the share of the answer, of 100, that somebody who reads nothing may earn.
const maxGuess = 25

// maxVariants bounds how many answers of constants are tried; every value of an enum stands in one of them up to that.
const maxVariants = 16

// constants makes episodes that read nothing and hand in constants: nothing and nought in the first, then ones and the further
// values of each enum. None of them may be accepted.
func (t *Task) constants() ([]bench.Mutant, error) {
	n := 2
	for i := range t.Public.Answer {
		n = max(n, min(len(values(&t.Public.Answer[i])), maxVariants))
	}
	var out []bench.Mutant
	for k := range n {
		answer := map[string]any{}
		for i := range t.Public.Answer {
			f := &t.Public.Answer[i]
			answer[f.Name] = constant(f, k, t.Public.AsOf)
		}
		args, err := record.Canonical(answer)
		if err != nil {
			return nil, err
		}
		text, err := traceText([]world.TraceCall{{Tool: world.ToolSubmit, Args: args}}, func(int) bool { return true })
		if err != nil {
			return nil, err
		}
		out = append(out, bench.Mutant{Name: fmt.Sprintf("constants-%d", k+1), Answer: text, Breaks: bench.AnyRule})
	}
	return out, nil
}

// values gives the values that a field lists, of a set those of its elements.
func values(f *world.Field) []string {
	if f.Of != nil {
		return f.Of.Values
	}
	return f.Values
}

// constant is what somebody says of a field who knows nothing: the k-th guess.
func constant(f *world.Field, k int, today string) any {
	switch f.Type {
	case world.Integer, world.Decimal:
		return k
	case world.Boolean:
		return k%2 == 1
	case world.Date:
		return today
	case world.Enum:
		return f.Values[k%len(f.Values)]
	case world.Set:
		if list := values(f); k > 0 && len(list) > 0 {
			return list[k-1 : k]
		}
		return []any{}
	}
	return "none"
}

// guessed says what an answer of constants earns where it earns too much, "" where it does not.
func (t *Task) guessed(ctx context.Context) (string, error) {
	list, err := t.constants()
	if err != nil {
		return "", err
	}
	worst, which, fields := new(big.Rat), "", []string(nil)
	for _, m := range list {
		v, err := t.replayed(ctx, record.Transcript{Outcome: record.Answered, Answer: m.Answer})
		if err != nil {
			return "", err
		}
		earned, all, right := new(big.Rat), new(big.Rat), []string(nil)
		for _, f := range v.Findings {
			name, ok := strings.CutPrefix(f.Rule, "answer.")
			if !ok && f.Rule != "decision" {
				continue
			}
			w, _ := exact.Rat(f.Weight)
			all.Add(all, w)
			if f.Pass {
				earned.Add(earned, w)
				right = append(right, name)
			}
		}
		if all.Sign() == 0 {
			return "", nil // the work is something else than an answer
		}
		if earned.Quo(earned, all).Cmp(worst) > 0 {
			worst, which, fields = earned, m.Name, right
		}
	}
	if worst.Cmp(big.NewRat(maxGuess, 100)) <= 0 {
		return "", nil
	}
	share, _ := worst.Mul(worst, big.NewRat(100, 1)).Float64()
	return fmt.Sprintf("an answer of constants that reads nothing (%s) earns %.0f %% of the answer by %s, and %d %% is the most; ask for what can only be found out, or give these fields less weight",
		which, share, strings.Join(fields, ", "), maxGuess), nil
}
