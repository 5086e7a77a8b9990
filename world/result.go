package world

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/assaybench/assay/record"
)

func named(name string, v any) any { return sql.Named(name, v) }

// normal brings decoded JSON to one form, so that 25, 25.0 and 2.5e1 are one number.
func normal(v any) any {
	switch x := v.(type) {
	case json.Number:
		if n, err := number(string(x)); err == nil {
			return n
		}
		return jsonNumber(x)
	case []any:
		out := make([]any, len(x))
		for i, e := range x {
			out[i] = normal(e)
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(x))
		for k, e := range x {
			out[k] = normal(e)
		}
		return out
	}
	return v
}

// call is one call being answered.
type call struct {
	d      *database
	tool   *Tool
	args   map[string]any // decoded
	params map[string]any

	highest map[string]int64 // of each series of ids, the largest number so far
}

// maxResult bounds what a tool of a world gives, in bytes.
const maxResult = 16 << 20

var errLarge = &CallError{Code: Limit, Message: fmt.Sprintf("the result is larger than %d MiB; narrow the query", maxResult>>20)}

// query runs a SELECT and gives its rows, the first most of them.
func (c *call) query(ctx context.Context, most int, text string, params []string, extra ...any) (cols []string, rows [][]any, err error) {
	st, err := c.d.prepare(ctx, reads, text)
	if err != nil {
		return nil, nil, err
	}
	args := extra
	for _, p := range params {
		args = append(args, named(p, c.params[p]))
	}
	rs, err := st.QueryContext(ctx, args...)
	if err != nil {
		return nil, nil, sqlError(err)
	}
	defer rs.Close()
	if cols, err = rs.Columns(); err != nil {
		return nil, nil, err
	}
	to := make([]any, len(cols))
	size := 0
	for len(rows) < most && rs.Next() {
		values := make([]any, len(cols))
		for i := range values {
			to[i] = &values[i]
		}
		if err := rs.Scan(to...); err != nil {
			return nil, nil, err
		}
		for _, v := range values {
			if t, ok := v.(string); ok {
				size += len(t)
			}
		}
		if size > maxResult {
			return nil, nil, errLarge
		}
		rows = append(rows, values)
	}
	return cols, rows, sqlErrorOrNil(rs.Err())
}

// errMissing says that there is no row to show.
var errMissing = errors.New("no row")

// give answers a call with what the tool's result says.
func (c *call) give(ctx context.Context) (map[string]any, error) {
	r := &c.tool.result
	if r.row == nil {
		return c.list(ctx, r)
	}
	out, err := c.one(ctx, r, c.tool.Output.compiled)
	if err != nil {
		return nil, err
	}
	for i := range r.with {
		n := &r.with[i]
		shape := c.tool.Output.compiled.props[n.key]
		if n.row != nil {
			v, err := c.one(ctx, &n.result, shape)
			if err == errMissing {
				out[n.key] = nil
				continue
			} else if err != nil {
				return nil, err
			}
			out[n.key] = v
			continue
		}
		list, err := c.rows(ctx, &n.result, n.order, shape, maxPage+1, 0)
		if err == nil && len(list) > maxPage {
			err = tooMany(maxPage)
		}
		if err != nil {
			return nil, err
		}
		out[n.key] = list
	}
	return out, nil
}

func (c *call) one(ctx context.Context, r *result, shape *shape) (map[string]any, error) {
	cols, rows, err := c.query(ctx, 2, r.row.text, r.row.params)
	switch {
	case err != nil:
		return nil, err
	case len(rows) == 0:
		return nil, errMissing
	case len(rows) > 1:
		return nil, errors.New("the statement of one row gave several")
	}
	for i, col := range cols {
		c.params["row_"+col] = rows[0][i]
	}
	return object(cols, rows[0], shape)
}

func (c *call) rows(ctx context.Context, r *result, order string, shape *shape, limit, offset int) ([]any, error) {
	cols, rows, err := c.query(ctx, limit, r.sorted(order), r.rows.params, named("assay_limit", int64(limit)), named("assay_offset", int64(offset)))
	if err != nil {
		return nil, err
	}
	items := itemsOf(shape)
	out := make([]any, 0, len(rows))
	for _, row := range rows {
		o, err := object(cols, row, items)
		if err != nil {
			return nil, err
		}
		out = append(out, o)
	}
	return out, nil
}

func (c *call) list(ctx context.Context, r *result) (map[string]any, error) {
	order, limit, offset := r.order, maxPage, 0
	if r.sortBy != "" {
		if name, ok := c.args[r.sortBy].(string); ok {
			i := slices.IndexFunc(r.sorts, func(s sorting) bool { return s.name == name })
			order = r.sorts[i].order // the schema's enum let nothing else in
		}
	}
	if r.page != nil {
		limit = r.page.def
		if n, ok := c.params[r.page.size].(int64); ok {
			if n < 1 {
				return nil, &CallError{Code: Invalid, Message: fmt.Sprintf("%s must be at least 1", r.page.size)}
			}
			limit = int(min(n, maxPage))
		}
		if text, ok := c.args[r.page.cursor].(string); ok {
			var err error
			if offset, err = c.openCursor(text); err != nil {
				return nil, err
			}
		}
	}
	list, err := c.rows(ctx, r, order, c.tool.Output.compiled.props[r.as], limit+1, offset)
	if err != nil {
		return nil, err
	}
	out := map[string]any{}
	if len(list) > limit {
		if r.page == nil {
			return nil, tooMany(limit)
		}
		list = list[:limit]
		out["next_cursor"] = c.cursor(offset + limit)
	} else if r.page != nil {
		out["next_cursor"] = nil
	}
	out[r.as] = list
	if r.total {
		_, n, err := c.query(ctx, 1, "SELECT count(*) FROM ("+r.rows.text+"\n)", r.rows.params)
		if err != nil {
			return nil, err
		}
		out["total"] = n[0][0]
	}
	return out, nil
}

func tooMany(most int) error {
	return &CallError{Code: Limit, Message: fmt.Sprintf("more than %d rows; narrow the query", most)}
}

// question is what a cursor is bound to: the tool, every argument but the page's own, and the place, so that none can be
// made or altered by hand.
func (c *call) question(offset int) [8]byte {
	asked := map[string]any{}
	for k, v := range c.args {
		if p := c.tool.result.page; k != p.cursor && k != p.size {
			asked[k] = normal(v)
		}
	}
	b, _ := record.Canonical([]any{c.tool.Name, asked, offset})
	sum := sha256.Sum256(b)
	return [8]byte(sum[:8])
}

func (c *call) cursor(offset int) string {
	q := c.question(offset)
	return base64.RawURLEncoding.EncodeToString(binary.AppendUvarint(q[:], uint64(offset)))
}

func (c *call) openCursor(text string) (int, error) {
	refuse := &CallError{Code: Invalid, Message: "the cursor is not one that this query gave; leave it out to begin at the first page"}
	b, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil || len(b) < 9 {
		return 0, refuse
	}
	n, used := binary.Uvarint(b[8:])
	if used != len(b)-8 || n > 1<<40 || c.cursor(int(n)) != text { // one text for each place
		return 0, refuse
	}
	return int(n), nil
}

// object gives a row as JSON, its columns' types by the schema.
func object(cols []string, values []any, s *shape) (map[string]any, error) {
	out := make(map[string]any, len(cols))
	for i, c := range cols {
		v, err := typed(values[i], s.props[c])
		if err != nil {
			return nil, fmt.Errorf("the column %s: %w", c, err)
		}
		out[c] = v
	}
	return out, nil
}

// typed gives a column's value as its property's type.
func typed(v any, s *shape) (any, error) {
	if v == nil || s == nil || len(s.types) == 0 {
		return v, nil
	}
	is := s.is
	switch x := v.(type) {
	case int64:
		if is("boolean") && !is("integer") && !is("number") && (x == 0 || x == 1) {
			return x == 1, nil
		}
		if is("integer") || is("number") {
			return x, nil
		}
	case float64:
		if is("number") {
			return x, nil
		}
	case string:
		if is("string") {
			return x, nil
		}
		if is("object") || is("array") {
			v, err := decodeJSON([]byte(x))
			if err == nil {
				err = storable(v)
			}
			return v, err
		}
		if is("number") {
			if d := json.Number(x); decimalText(x) {
				return d, nil
			}
		}
	case []byte:
		return nil, errors.New("bytes cannot stand in a result")
	}
	return nil, fmt.Errorf("%v is not of the declared type %s", v, s.wants())
}

// decimalText says whether a text is a decimal as JSON writes numbers, without an exponent.
func decimalText(s string) bool {
	digits := strings.TrimPrefix(s, "-")
	whole, frac, point := strings.Cut(digits, ".")
	return allDigits(whole) && (whole == "0" || whole[0] != '0') && (!point || allDigits(frac)) && len(s) <= 100
}

func allDigits(s string) bool {
	for _, c := range []byte(s) {
		if c < '0' || c > '9' {
			return false
		}
	}
	return s != ""
}
