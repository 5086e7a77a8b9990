package realism

import (
	"context"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/assaybench/assay/bench"
)

// check measures one requirement. measure gets the standard's own leaf and fills Result, Measured, Evidence and Reason; the
// rest of the row is filled for it where it leaves it empty.
type check struct {
	key     string
	scope   string
	how     string
	measure func(ctx context.Context, r *Release, l Leaf) Row
	phase   int // 0: by itself; 1: when those are measured, whose rows stand in r.rows; 2: last, joining any others
}

// checks are all checks, by the files that hold them.
func checks() []check {
	return slices.Concat(headerChecks, requestChecks, workflowChecks, assetChecks, claimChecks, leaderboardChecks, rubricChecks, chainChecks, writeChecks, sandboxChecks, qualificationChecks)
}

// Options say how an audit is made.
type Options struct {
	Keys     []string                          // measure these requirements alone; nil: all
	Progress func(done, total int, key string) // told before each requirement; may be nil
}

// wants says whether a requirement is asked for, by its own key or by one above it.
func (o Options) wants(key string) bool {
	return len(o.Keys) == 0 || slices.ContainsFunc(o.Keys, func(k string) bool { return key == k || strings.HasPrefix(key, k+".") })
}

// Audit holds a release against its standard: a row for each of its leaves in the file's order, and one for each known leaf
// that the file lacks. The error is ours: the context ended, or a check broke.
func Audit(ctx context.Context, r *Release, o Options) (*Report, error) {
	byKey := map[string]check{}
	for _, c := range checks() {
		if _, twice := byKey[c.key]; twice {
			return nil, fmt.Errorf("two checks measure %s", c.key)
		}
		byKey[c.key] = c
	}
	rep := r.report()
	for _, k := range o.Keys {
		if !slices.ContainsFunc(r.Standard.Leaves, func(l Leaf) bool { return Options{Keys: []string{k}}.wants(l.Key) }) {
			return nil, &bench.Error{File: r.Standard.Source, Msg: fmt.Sprintf("the standard has no requirement %q%s", k, bench.Nearest(k, leafOrder()))}
		}
	}
	done, asked := 0, 0
	needed := func(l Leaf) bool {
		return o.wants(l.Key) || slices.ContainsFunc(o.Keys, func(k string) bool { return byKey[k].phase > 0 })
	}
	for _, l := range r.Standard.Leaves {
		if needed(l) {
			asked++
		}
	}
	for phase := range 3 {
		for _, l := range r.Standard.Leaves {
			if byKey[l.Key].phase != phase || !needed(l) {
				continue
			}
			if o.Progress != nil {
				o.Progress(done, asked, l.Key)
			}
			row, err := r.row(ctx, byKey, l)
			if err != nil {
				return nil, err
			}
			r.rows[l.Key] = row
			done++
		}
	}
	if o.Progress != nil {
		o.Progress(done, asked, "")
	}
	for _, l := range r.Standard.Leaves {
		if o.wants(l.Key) {
			rep.add(r.rows[l.Key])
		}
	}
	for _, k := range r.Standard.Missing {
		if !o.wants(k) {
			continue
		}
		row := unmeasured("the standard's file does not have this key, so that there is nothing to measure against")
		row.Key, row.Scope, row.How = k, OfRelease, Static
		rep.add(r.finish(row))
	}
	if err := r.pages(ctx, rep); err != nil {
		return nil, err
	}
	return rep, nil
}

func (r *Release) row(ctx context.Context, byKey map[string]check, l Leaf) (row Row, err error) {
	c, ok := byKey[l.Key]
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the check of %s broke: %v\n%s", l.Key, p, debug.Stack())
		}
	}()
	switch {
	case !l.Known:
		row = unmeasured("the schema that is known here has no such key")
	case !ok:
		row = unmeasured("no check measures this key yet")
	default:
		row = c.measure(ctx, r, l)
	}
	row.Key, row.Threshold = l.Key, l.Value
	if row.Scope == "" {
		row.Scope = c.scope
	}
	if row.How == "" {
		row.How = c.how
	}
	return r.finish(row), context.Cause(ctx)
}

// maxEvidence bounds what one row shows.
const maxEvidence = 200

func (r *Release) finish(row Row) Row {
	if row.Scope == "" {
		row.Scope = OfRelease
	}
	if row.How == "" {
		row.How = Static
	}
	if row.Evidence == nil {
		row.Evidence = []Evidence{}
	}
	if n := len(row.Evidence); n > maxEvidence {
		row.Evidence = append(row.Evidence[:maxEvidence:maxEvidence], Evidence{Note: fmt.Sprintf("and %d places more", n-maxEvidence)})
	}
	for i := range row.Evidence {
		row.Evidence[i].Span = clip(row.Evidence[i].Span, 400)
	}
	if row.Reproduce == "" {
		row.Reproduce = "assay audit " + shellWord(r.Ref) + r.standardFlag() + " --key " + shellWord(row.Key)
	}
	return row
}

func (r *Release) standardFlag() string {
	if r.Standard.Source == "embedded" {
		return ""
	}
	return " --standard " + shellWord(r.Standard.Source)
}

// shellWord quotes what a shell would take apart.
func shellWord(s string) string {
	if s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-/@:+,=") == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
