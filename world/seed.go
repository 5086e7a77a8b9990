package world

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/csv"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/assaybench/assay/bench"
)

// seedFile is the rows of one table, from a .csv or .json file.
type seedFile struct {
	file, table string
	rows        []seedRow
}

type seedRow struct {
	line    int
	columns []string
	values  []any // string of CSV; nil, string, json.Number, bool, map or slice of JSON
	csv     bool
}

const maxSeed = 64 << 20

// readSeeds reads every seed file of a folder, which may be missing.
func readSeeds(fsys fs.FS, dir string) ([]seedFile, error) {
	entries, err := fs.ReadDir(fsys, dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, &bench.Error{File: dir, Msg: err.Error()}
	}
	var out []seedFile
	var errs []error
	for _, e := range entries {
		f := seedFile{file: path.Join(dir, e.Name())}
		ext := path.Ext(e.Name())
		f.table = strings.TrimSuffix(e.Name(), ext)
		b, err := readSized(fsys, f.file, maxSeed)
		switch {
		case err != nil:
		case ext == ".csv":
			f.rows, err = readCSV(b)
		case ext == ".json":
			f.rows, err = readJSON(b)
		default:
			err = errors.New("no seed file; seeds are TABLE.csv or TABLE.json")
		}
		if err != nil {
			errs = append(errs, &bench.Error{File: f.file, Msg: err.Error()})
		}
		if slices.ContainsFunc(out, func(o seedFile) bool { return o.table == f.table }) {
			errs = append(errs, &bench.Error{File: f.file, Msg: "the table has two seed files; make them one"})
		}
		out = append(out, f)
	}
	return out, errors.Join(errs...)
}

func readCSV(b []byte) ([]seedRow, error) {
	r := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(b, []byte("\xef\xbb\xbf"))))
	head, err := r.Read()
	if err != nil {
		return nil, fmt.Errorf("the first line names the columns: %w", err)
	}
	var rows []seedRow
	for {
		rec, err := r.Read()
		if err == io.EOF {
			return rows, nil
		} else if err != nil {
			return nil, err
		}
		line, _ := r.FieldPos(0)
		row := seedRow{line: line, columns: head, csv: true}
		for _, v := range rec {
			row.values = append(row.values, v)
		}
		rows = append(rows, row)
	}
}

func readJSON(b []byte) ([]seedRow, error) {
	if !jsontext.Value(b).IsValid() {
		return nil, errors.New("this is no JSON (UTF-8, no name twice)")
	}
	doc, err := decodeJSON(b)
	list, ok := doc.([]any)
	if err != nil || !ok {
		return nil, errors.New("a JSON seed is a list of objects")
	}
	var rows []seedRow
	for i, v := range list {
		m, ok := v.(map[string]any)
		if !ok {
			return nil, fmt.Errorf("element %d is no object", i+1)
		}
		if err := storable(m); err != nil {
			return nil, fmt.Errorf("element %d: %w", i+1, err)
		}
		row := seedRow{}
		for _, k := range sortedKeys(m) {
			row.columns, row.values = append(row.columns, k), append(row.values, m[k])
		}
		rows = append(rows, row)
	}
	return rows, nil
}

func sortedKeys(m map[string]any) []string { return slices.Sorted(maps.Keys(m)) }

// insert puts the rows of a seed file into its table; replace lets them take the place of rows with the same key.
func (d *database) insert(ctx context.Context, tables []*Table, f seedFile, replace bool) error {
	i := slices.IndexFunc(tables, func(t *Table) bool { return t.Name == f.table })
	if i < 0 {
		return &bench.Error{File: f.file, Msg: fmt.Sprintf("the table %q is not in schema.sql%s", f.table, bench.Nearest(f.table, names(tables)))}
	}
	t := tables[i]
	verb := "INSERT INTO "
	if replace {
		verb = "INSERT OR REPLACE INTO "
	}
	for n, row := range f.rows {
		at := func(format string, args ...any) error {
			where := fmt.Sprintf("row %d: ", n+1)
			return &bench.Error{File: f.file, Line: row.line, Msg: where + fmt.Sprintf(format, args...)}
		}
		var marks, cols []string
		var values []any
		for j, c := range row.columns {
			k := slices.IndexFunc(t.Columns, func(o Column) bool { return o.Name == c })
			if k < 0 || slices.Contains(row.columns[:j], c) {
				return at("the table %s has no column %q, or it stands here twice", t.Name, c)
			}
			v, err := row.value(j, t.Columns[k])
			if err != nil {
				return at("column %s: %v", c, err)
			}
			cols, marks, values = append(cols, quoteName(c)), append(marks, "?"), append(values, v)
		}
		s, err := d.prepare(ctx, engine, verb+quoteName(t.Name)+" ("+strings.Join(cols, ", ")+") VALUES ("+strings.Join(marks, ", ")+")")
		if err != nil {
			return at("%v", sqlError(err))
		}
		one, cancel := context.WithTimeout(ctx, callLimit) // a row's triggers take no longer than a call
		_, err = s.ExecContext(one, values...)
		late := one.Err() != nil && ctx.Err() == nil
		cancel()
		if err != nil && late {
			return at("the store was still at work on this row after %v%s", callLimit, d.triggersOf(t))
		} else if err != nil {
			return at("%v", sqlError(err))
		}
	}
	return nil
}

func names(tables []*Table) []string {
	var out []string
	for _, t := range tables {
		out = append(out, t.Name)
	}
	return out
}

func quoteName(s string) string { return `"` + strings.ReplaceAll(s, `"`, `""`) + `"` }

// value gives a seed's value as the column takes it. An empty field of a CSV is null where the column may be null.
func (r *seedRow) value(i int, c Column) (any, error) {
	v := r.values[i]
	if s, ok := v.(string); ok && strings.IndexByte(s, 0) >= 0 {
		return nil, errors.New("a text holds the character U+0000")
	} else if ok && !utf8.ValidString(s) {
		return nil, errors.New("a text is not UTF-8")
	}
	if !r.csv {
		if s, ok := v.(string); ok && c.Type == "BLOB" {
			return base64.StdEncoding.DecodeString(s)
		}
		switch n, ok := v.(json.Number); {
		case !ok:
			return plain(v)
		case c.Type == "TEXT": // 12.50 stays 12.50
			return string(n), nil
		case c.Type == "REAL":
			return realNumber(string(n))
		default:
			return number(string(n))
		}
	}
	s := v.(string)
	if s == "" && !c.NotNull {
		return nil, nil
	}
	switch c.Type {
	case "INTEGER", "INT":
		n, err := strconv.ParseInt(s, 10, 64)
		if err != nil {
			return nil, fmt.Errorf("%q is no whole number", s)
		}
		return n, nil
	case "REAL":
		f, err := strconv.ParseFloat(s, 64)
		if err != nil || math.IsInf(f, 0) || math.IsNaN(f) {
			return nil, fmt.Errorf("%q is no number", s)
		}
		return f, nil
	case "BLOB":
		return base64.StdEncoding.DecodeString(s)
	}
	return s, nil
}

// seedCache keeps the databases that sessions begin as, by what they are made of.
type seedCache struct {
	mu sync.Mutex
	m  map[seedOf]*Seed
}

// seedOf is what a seed is made of beside the world; neither part changes once it is read.
type seedOf struct {
	task   *Task
	staged *Staged
}

// Seed is the database that a task's sessions begin as. SHA256 is that of its bytes.
type Seed struct {
	SHA256 string
	data   []byte
	base   []TableRows
	schema []catalogued

	once   sync.Once // of the digest of base
	digest string
	failed error

	// left are the digests of states as sessions left them, and follows of those that changes were found to make of the seed.
	// They are kept apart: the one is held against the other.
	left, follows digests
}

// Seed gives the database that a task's sessions begin as; a nil task gives the world's own.
func (w *World) Seed(ctx context.Context, t *Task, st *Staged) (*Seed, error) {
	w.seeds.mu.Lock()
	defer w.seeds.mu.Unlock()
	key := seedOf{t, st}
	if s := w.seeds.m[key]; s != nil {
		return s, nil
	}
	d, err := w.plant(ctx, t, st)
	if err != nil {
		return nil, err
	}
	defer d.close()
	s := &Seed{}
	if s.data, err = d.serialize(); err != nil {
		return nil, err
	}
	sum := sha256.Sum256(s.data)
	s.SHA256 = hex.EncodeToString(sum[:])
	if s.base, err = d.dump(ctx, w.Tables); err != nil {
		return nil, err
	}
	if s.schema, err = d.catalogue(ctx); err != nil {
		return nil, err
	}
	if w.seeds.m == nil || len(w.seeds.m) > 200 {
		w.seeds.m = map[seedOf]*Seed{}
	}
	w.seeds.m[key] = s
	return s, nil
}

// plantLimit ends the making of a seed that runs away.
const plantLimit = 2 * time.Minute

// plant makes a database of the schema, the world's seed rows, a task's, and the evidence files.
func (w *World) plant(ctx context.Context, t *Task, st *Staged) (*database, error) {
	ctx, cancel := context.WithTimeout(ctx, plantLimit) // triggers of the schema run here
	defer cancel()
	d, err := w.bare(ctx)
	if err != nil {
		return nil, err
	}
	err = func() error {
		for _, f := range w.rows {
			if err := d.insert(ctx, w.Tables, f, false); err != nil {
				return err
			}
		}
		if st != nil {
			for _, f := range st.rows {
				if err := d.insert(ctx, w.Tables, f, true); err != nil {
					return err
				}
			}
		}
		if t != nil {
			if err := w.plantEvidence(ctx, d, t); err != nil {
				return err
			}
		}
		return d.checkForeignKeys(ctx, w, st)
	}()
	if err != nil {
		d.close()
		return nil, err
	}
	return d, nil
}

func (d *database) checkForeignKeys(ctx context.Context, w *World, st *Staged) error {
	d.policy = engine
	rows, err := d.conn.QueryContext(ctx, "PRAGMA foreign_key_check")
	if err != nil {
		return sqlError(err)
	}
	defer rows.Close()
	if !rows.Next() {
		return sqlErrorOrNil(rows.Err())
	}
	var table, parent string
	var rowid, fk any
	if err := rows.Scan(&table, &rowid, &parent, &fk); err != nil {
		return err
	}
	file := "seed rows of " + table
	sets := [][]seedFile{w.rows}
	if st != nil {
		sets = append(sets, st.rows)
	}
	for _, set := range sets {
		for _, f := range set {
			if f.table == table {
				file = f.file
			}
		}
	}
	return &bench.Error{File: file, Msg: fmt.Sprintf("a row of %s refers to a row of %s that does not exist (row id %v)", table, parent, rowid)}
}

func (w *World) plantEvidence(ctx context.Context, d *database, t *Task) error {
	e := w.evidence
	if e == nil {
		return nil
	}
	f := seedFile{table: e.table, file: t.dir + "/evidence"}
	for _, file := range t.Evidence {
		props := map[string]any{"id": file.ID, "path": file.Path, "title": file.Title, "kind": file.Kind, "media_type": file.MediaType,
			"sha256": file.SHA256, "size": json.Number(strconv.Itoa(file.Size))}
		props["text"] = nil
		if s, ok := file.Text(); ok {
			props["text"] = s
		}
		row := seedRow{}
		for _, p := range evidenceProps {
			if c := e.columns[p]; c != "" {
				row.columns, row.values = append(row.columns, c), append(row.values, props[p])
			}
		}
		f.rows = append(f.rows, row)
	}
	return d.insert(ctx, w.Tables, f, true)
}
