package perturb

import (
	"context"
	"fmt"
	"slices"

	"github.com/assaybench/assay/contract/exact"
	"github.com/assaybench/assay/world"
)

const (
	maxRows   = 400    // rows of one read that are tried
	maxTrials = 20_000 // changes of one read that are tried
)

// Materials tries, read by read, whether some change of what it gives moves something that is graded. A read that is refused
// on the seed, and one of nothing but the engine's own tables, is padding.
func (l *Lab) Materials(ctx context.Context, reads []Read) ([]Found, error) {
	out := make([]Found, len(reads))
	for i, r := range reads {
		out[i] = Found{Read: r}
		if t := l.s.World().Tool(r.Tool); t != nil {
			out[i].Tables = t.Touches
		}
	}
	for i := range reads {
		if out[i].Material() {
			continue // a change that was tried for another read decided it
		}
		candidates, err := l.candidates(ctx, &out[i])
		if err != nil {
			return nil, err
		}
		if err := l.decide(ctx, i, reads, out, candidates); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// decide tries the changes of one read's rows, plain steps of all rows before thresholds of any.
func (l *Lab) decide(ctx context.Context, i int, reads []Read, out []Found, candidates []candidate) error {
	trials := 0
	try := func(edits []*Edit) error {
		for _, e := range edits {
			if out[i].Material() {
				return nil
			}
			if trials++; trials > maxTrials {
				out[i].Capped = true
				return nil
			}
			if err := ctx.Err(); err != nil {
				return err
			}
			open := []int{i} // the reads that are not decided
			for k := i + 1; k < len(reads); k++ {
				if !out[k].Material() {
					open = append(open, k)
				}
			}
			of := make([]Read, len(open))
			for n, k := range open {
				of[n] = reads[k]
			}
			moved, shows, ok, err := l.Try(ctx, e, of)
			if err != nil {
				return fmt.Errorf("the trial %s: %w", e.Says, err)
			}
			for _, n := range shows {
				k := open[n]
				switch {
				case !ok:
				case len(moved) == 0 && k == i:
					out[k].Tried++
				case len(moved) > 0 && !out[k].Material():
					out[k].Edit, out[k].Moved = e, moved
				}
			}
		}
		return nil
	}
	var later [][]*Edit
	for _, c := range candidates {
		near, far := l.Edits(c.table, c.row)
		later = append(later, far)
		if err := try(near); err != nil {
			return err
		}
	}
	for _, far := range later {
		if err := try(far); err != nil {
			return err
		}
	}
	return nil
}

// Moves looks for a change of what one read gives that moves a name that is wanted, plain steps first. nil: there is none.
func (l *Lab) Moves(ctx context.Context, r Read, want func(name string) bool) (*Edit, []string, error) {
	f := &Found{Read: r}
	if t := l.s.World().Tool(r.Tool); t != nil {
		f.Tables = t.Touches
	}
	candidates, err := l.candidates(ctx, f)
	if err != nil {
		return nil, nil, err
	}
	trials := 0
	try := func(edits []*Edit) (*Edit, []string, error) {
		for _, e := range edits {
			if trials++; trials > maxTrials {
				return nil, nil, nil
			}
			if err := ctx.Err(); err != nil {
				return nil, nil, err
			}
			moved, shows, ok, err := l.Try(ctx, e, []Read{r})
			if err != nil {
				return nil, nil, fmt.Errorf("the trial %s: %w", e.Says, err)
			}
			if ok && len(shows) > 0 && slices.ContainsFunc(moved, want) {
				return e, moved, nil
			}
		}
		return nil, nil, nil
	}
	var later []*Edit
	for _, c := range candidates {
		near, far := l.Edits(c.table, c.row)
		later = append(later, far...)
		if e, moved, err := try(near); e != nil || err != nil {
			return e, moved, err
		}
	}
	return try(later)
}

type candidate struct {
	table string
	row   world.Row
}

// candidates gives the rows that a read may have shown: those of the tables that it touches whose key stands in its result
// or its arguments; where no key is shown, all.
func (l *Lab) candidates(ctx context.Context, f *Found) ([]candidate, error) {
	a := l.reader(ctx, "").read(f.Read)
	if a.err != nil {
		return nil, nil
	}
	seen := map[string]bool{}
	for _, raw := range [][]byte{a.result, f.Read.Args} {
		doc, err := exact.Decode(raw)
		if err != nil {
			return nil, err
		}
		exact.Scalars(doc, func(v any) { seen[plain(v)] = true })
	}
	var out []candidate
	for _, table := range f.Tables {
		t := l.table(table)
		var shown, all []candidate
		for _, row := range l.rows[table].Rows {
			all = append(all, candidate{table, row})
			if !slices.ContainsFunc(t.Key, func(k string) bool { return !seen[plain(row[k])] }) {
				shown = append(shown, candidate{table, row})
			}
		}
		if len(shown) == 0 {
			shown = all
		}
		out = append(out, shown[:min(len(shown), maxRows)]...)
	}
	return out, nil
}

// plain writes a scalar so that a column's value and that of a result are one text.
func plain(v any) string {
	if s, ok := v.(string); ok {
		return s
	}
	return exact.Text(exact.Column(v))
}
