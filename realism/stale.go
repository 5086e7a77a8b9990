package realism

import (
	"context"
	"fmt"
	"math/big"
	"regexp"
	"slices"
	"strings"

	"github.com/assaybench/assay/contract/exact"
	"github.com/assaybench/assay/world"
)

// Evidence that was right once: two records of one subject that say different things of one attribute, told apart by when or
// in which revision they hold. That such a pair matters is shown by the reference, which reads one of the two, and by the
// replays of stale evidence.

var (
	recordName  = regexp.MustCompile(`\b[A-Z]{1,8}-[A-Z0-9]*\d[A-Z0-9]*(?:-[A-Z0-9]+)*\b`)
	effectivity = regexp.MustCompile(`(?i)\b(?:effective|valid|revision|rev|version|supersede[sd]?|superseded by|replaces|issued?|issue|as of|status|expires?|withdrawn|until|dated?)\b`)
	keyed       = regexp.MustCompile(`^\W{0,3}([A-Za-z][A-Za-z0-9 _/()-]{1,40}?)\s*[:=|]\s*(\S.{0,160})$`)
	timed       = regexp.MustCompile(`^(?:valid|effective|superseded|supersedes|revision|rev|version|issued?|expires?)(?:_|$)|_(?:rev|revision|version)$`)
)

// twin is a pair of records of which one is current.
type twin struct {
	a, b, attribute, left, right, by string
	read                             bool // the reference reads one of the two
}

// twins finds the pairs among a task's files and among the rows of its tables.
func (s *Subject) twins(ctx context.Context) ([]twin, error) {
	return once(&s.facts, "twins", func() ([]twin, error) {
		asked, err := s.askedFor(ctx)
		if err != nil {
			return nil, err
		}
		out := s.fileTwins(asked)
		rows, err := s.seedRows(ctx)
		if err != nil {
			return nil, err
		}
		for _, t := range rows {
			out = append(out, s.rowTwins(t, asked)...)
		}
		return out, nil
	})
}

// askedFor are the values that the reference's reads ask for, the tables that they touch ("table T"), and the keys of the
// records that they show ("shown K").
func (s *Subject) askedFor(ctx context.Context) (map[string]bool, error) {
	p, err := s.Reference(ctx)
	if err != nil {
		return nil, err
	}
	out := map[string]bool{}
	for i := range p.Events {
		e := &p.Events[i]
		if len(e.Effect) > 0 || e.Tool == world.ToolSubmit {
			continue
		}
		if args, err := exact.Decode(e.Args); err == nil {
			exact.Scalars(args, func(v any) {
				if t, ok := v.(string); ok {
					out[t] = true
				}
			})
		}
		for _, t := range s.tables(e.Tool) {
			out["table "+t] = true
		}
		if doc, err := exact.Decode(e.Result); err == nil {
			exact.Scalars(doc, func(v any) {
				if t, ok := v.(string); ok {
					out["shown "+t] = true
				}
			})
		}
	}
	return out, nil
}

const maxTwins = 200

func (s *Subject) fileTwins(asked map[string]bool) []twin {
	type known struct {
		f             file
		ids           map[string]bool
		values, holds map[string]string
	}
	var list []known
	for _, f := range s.files() {
		if f.Doc == nil {
			continue
		}
		k := known{f: f, ids: map[string]bool{}}
		for _, id := range recordName.FindAllString(f.Doc.Text, 2000) {
			k.ids[id] = true
		}
		k.values, k.holds = factsOf(f.Doc)
		list = append(list, k)
	}
	var out []twin
	for i := range list {
		for j := i + 1; j < len(list) && len(out) < maxTwins; j++ {
			a, b := &list[i], &list[j]
			if !anyShared(a.ids, b.ids) {
				continue
			}
			by := differing(a.holds, b.holds)
			attribute := differing(figures(a.values), figures(b.values))
			if by == "" || attribute == "" || !oneForm(a.values, b.values) {
				continue
			}
			out = append(out, twin{s.where(a.f.File), s.where(b.f.File), attribute, a.values[attribute], b.values[attribute], by,
				asked[a.f.ID] || asked[b.f.ID] || asked[a.f.Path] || asked[b.f.Path]})
		}
	}
	return out
}

// pastState are words by which a record says that it holds no more, or not yet.
var pastState = regexp.MustCompile(`(?i)^(?:superseded|withdrawn|expired|ended|void(?:ed)?|obsolete|old|retired|replaced|cancelled|previous|draft|tentative|lapsed|closed|out_?dated|inactive|historic(?:al)?)$`)

// past says by which column a row is marked as one that does not hold on a day; "" where it holds.
func past(row world.Row, columns []string, asOf string) string {
	for _, c := range columns {
		v, ok := row[c].(string)
		switch {
		case !ok || v == "":
		case (c == "status" || c == "state") && pastState.MatchString(v):
			return c
		case strings.HasPrefix(c, "superseded_by") || strings.HasPrefix(c, "replaced_by"):
			return c
		case (strings.HasPrefix(c, "valid_to") || strings.HasPrefix(c, "expires") || strings.HasPrefix(c, "effective_to")) && v < asOf:
			return c
		case (strings.HasPrefix(c, "valid_from") || strings.HasPrefix(c, "effective_from")) && v > asOf:
			return c
		}
	}
	return ""
}

// rowTwins finds rows of one table that are about the same thing and state another figure of it, of which one says that it holds
// and the other that it does not. What they are about is what both name: an id, or a text by which things are called.
func (s *Subject) rowTwins(t world.TableRows, asked map[string]bool) []twin {
	tb := s.table(t.Table)
	if tb == nil || !asked["table "+t.Table] || len(t.Rows) > 2000 {
		return nil
	}
	var columns []string
	for _, c := range tb.Columns {
		columns = append(columns, c.Name)
	}
	var out []twin
	for i := range t.Rows {
		for j := range t.Rows {
			now, then := t.Rows[i], t.Rows[j]
			if i == j || len(out) == 5 || !asked["shown "+rowKey(now, tb.Key)] || !asked["shown "+rowKey(then, tb.Key)] || past(now, columns, s.Public.AsOf) != "" {
				continue
			}
			by := past(then, columns, s.Public.AsOf)
			if by == "" {
				continue
			}
			subject, value := 0, ""
			for _, c := range columns {
				if c == by || timed.MatchString(c) || c == "status" || c == "state" || len(tb.Key) == 1 && slices.Contains(tb.Key, c) {
					continue
				}
				if x, ok := now[c].(string); ok && x != "" && x == then[c] && (strings.ContainsAny(x, "0123456789") || calledBy(x)) {
					subject++
				} else if a, b := amount(now[c]), amount(then[c]); a != nil && b != nil && a.Cmp(b) != 0 {
					value = c
				}
			}
			if subject > 0 && value != "" {
				out = append(out, twin{t.Table + " " + rowKey(now, tb.Key), t.Table + " " + rowKey(then, tb.Key), value, fmt.Sprint(now[value]), fmt.Sprint(then[value]), by, true})
			}
		}
	}
	return out
}

// amount reads a number from a column; nil where it holds none.
func amount(v any) *big.Rat {
	if r, ok := exact.Column(v).(*big.Rat); ok {
		return r
	}
	if t, ok := v.(string); ok {
		if r, ok := exact.Rat(t); ok {
			return r
		}
	}
	return nil
}

func rowKey(r world.Row, key []string) string {
	var parts []string
	for _, k := range key {
		parts = append(parts, fmt.Sprint(r[k]))
	}
	return strings.Join(parts, "/")
}

func staleRow(ctx context.Context, r *Release, l Leaf) Row {
	if l.Value == false {
		return allowed(nil)
	}
	return byTask(r, func(s *Subject) Row {
		twins, err := s.twins(ctx)
		if err != nil {
			return unmeasured(oneLine(err.Error()))
		}
		n := 0
		var ev []Evidence
		for _, t := range twins {
			if !t.read {
				continue
			}
			n++
			if len(ev) < 5 {
				ev = append(ev, Evidence{File: t.a, Cell: t.attribute, Span: clip(t.left, 60), Note: fmt.Sprintf("and %s says %s; told apart by %s", t.b, clip(t.right, 60), t.by)})
			}
		}
		if n == 0 {
			return judged(false, 0, fmt.Sprintf("no two records of one subject, of which the reference reads one, disagree and say when they hold (%d pairs that it never reads)", len(twins)))
		}
		// That one of them matters is shown by whoever believes it and is refused.
		if res, note, err := s.refused(ctx, "stale_evidence"); err != nil {
			return unmeasured(oneLine(err.Error()))
		} else if res == Fail {
			return judged(false, n, "what is out of date moves nothing that is graded: "+note, ev...)
		}
		return judged(true, n, counted(n, "pair")+" of records that disagree and say which is current", ev...)
	})
}
