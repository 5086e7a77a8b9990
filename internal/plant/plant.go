package main

import (
	"cmp"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// plant is the world of the bench while it is written: its schema and the rows that every task begins with.
type plant struct {
	columns map[string][]string // by table, in the schema's order
	keys    map[string]int      // how many of the first columns make a row's key
	rows    map[string][]row
	tables  []string // in the schema's order
}

// row is one row, by column; a column that is not there is null.
type row map[string]string

var (
	tableHead  = regexp.MustCompile(`(?ms)^CREATE TABLE (\w+) \(\n(.*?)\n\) STRICT;`)
	columnHead = regexp.MustCompile(`(?:^|, |\n)\s*([a-z_0-9]+) (?:TEXT|INTEGER)`)
	tableKey   = regexp.MustCompile(`PRIMARY KEY \(([^)]*)\)`)
)

// newPlant reads the tables out of schema.sql.
func newPlant(schema string) *plant {
	p := &plant{columns: map[string][]string{}, keys: map[string]int{}, rows: map[string][]row{}}
	for _, m := range tableHead.FindAllStringSubmatch(schema, -1) {
		p.tables = append(p.tables, m[1])
		for _, c := range columnHead.FindAllStringSubmatch(m[2], -1) {
			p.columns[m[1]] = append(p.columns[m[1]], c[1])
		}
		p.keys[m[1]] = 1
		if k := tableKey.FindStringSubmatch(m[2]); k != nil {
			p.keys[m[1]] = strings.Count(k[1], ",") + 1
		}
	}
	return p
}

// add puts rows into a table: columns divided by blanks, and one row a line, its values divided by |. An empty value is null.
func (p *plant) add(table, columns, lines string) {
	p.rows[table] = append(p.rows[table], p.parse(table, columns, lines)...)
}

func (p *plant) parse(table, columns, lines string) []row {
	names := strings.Fields(columns)
	for _, n := range names {
		if !slices.Contains(p.columns[table], n) {
			panic(fmt.Sprintf("plant: the table %q has no column %q", table, n))
		}
	}
	var out []row
	for line := range strings.SplitSeq(strings.TrimSpace(lines), "\n") {
		cells := strings.Split(line, "|")
		if len(cells) != len(names) {
			panic(fmt.Sprintf("plant: %s: %d values for %d columns: %s", table, len(cells), len(names), line))
		}
		r := row{}
		for i, c := range cells {
			if c = strings.TrimSpace(c); c != "" {
				r[names[i]] = c
			}
		}
		out = append(out, r)
	}
	return out
}

// find gives the one row of a table whose key is as given; a key of several columns is divided by blanks.
func (p *plant) find(table, key string) row {
	for _, r := range p.rows[table] {
		if p.key(table, r) == key {
			return r
		}
	}
	panic(fmt.Sprintf("plant: no row %q in %s", key, table))
}

// cell gives a column of a row that must be there.
func (p *plant) cell(table, key, column string) string {
	v, ok := p.find(table, key)[column]
	if !ok {
		panic(fmt.Sprintf("plant: %s %s has no %s", table, key, column))
	}
	return v
}

// where gives the rows of a table in which a column has a value, by their keys.
func (p *plant) where(table, column, value string) []row {
	var out []row
	for _, r := range p.rows[table] {
		if r[column] == value {
			out = append(out, r)
		}
	}
	slices.SortFunc(out, func(a, b row) int { return cmp.Compare(p.key(table, a), p.key(table, b)) })
	return out
}

func (p *plant) key(table string, r row) string {
	var parts []string
	for _, c := range p.columns[table][:p.keys[table]] {
		parts = append(parts, r[c])
	}
	return strings.Join(parts, " ")
}

// seed writes the rows of a table as CSV, sorted by key; two rows with one key are a mistake.
func (p *plant) seed(table string, rows []row) []byte {
	sorted := slices.Clone(rows)
	slices.SortFunc(sorted, func(a, b row) int { return cmp.Compare(p.key(table, a), p.key(table, b)) })
	out := [][]string{p.columns[table]}
	for i, r := range sorted {
		if i > 0 && p.key(table, r) == p.key(table, sorted[i-1]) {
			panic(fmt.Sprintf("plant: two rows %q in %s", p.key(table, r), table))
		}
		var line []string
		for _, c := range p.columns[table] {
			line = append(line, r[c])
		}
		out = append(out, line)
	}
	return csvBytes(out)
}

func readSchema(root string) (string, error) {
	b, err := os.ReadFile(root + "/world/schema.sql")
	return string(b), err
}

var nextID = regexp.MustCompile(`\{next (\w+)\}`)

// next gives the id that the next row of a table gets from its tool: the largest number so far and one.
func (p *plant) next(table string) string {
	for i := range tools {
		f := strings.Fields(tools[i].Ids)
		if len(f) != 5 || f[1] != table {
			continue
		}
		most := 0
		for _, r := range p.rows[table] {
			if n, err := strconv.Atoi(strings.TrimPrefix(r[f[2]], f[3])); err == nil {
				most = max(most, n)
			}
		}
		width, err := strconv.Atoi(f[4])
		must(err)
		return fmt.Sprintf("%s%0*d", f[3], width, most+1)
	}
	panic("plant: no tool makes rows of " + table)
}
