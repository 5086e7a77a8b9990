package contract

import (
	"encoding/csv"
	"errors"
	"fmt"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/assaybench/assay/bench"
	"github.com/assaybench/assay/contract/derive"
	"github.com/assaybench/assay/contract/exact"
	"github.com/assaybench/assay/contract/pointer"
)

// Within says where a value stands in the text of a file that a read gave. One of its fields is set.
type Within struct {
	sealed
	JSON, YAML *pointer.Pointer
	CSV        bool   // rows, by the names of the head
	Sheet      string // the same, of one sheet of a workbook's text
	After      string // the value that follows these words, which stand once
}

func (p *parser) within(n *bench.Node, in *Input) *Within {
	f, w := bench.NewFields(n), &Within{}
	at := func(key string) *pointer.Pointer {
		if f.Node(key) == nil {
			return nil
		}
		ptr, err := pointer.Parse(f.Text(key))
		if err == nil && ptr.Stars() > 0 {
			err = errors.New("one value is taken out of a file; * stands for many")
		}
		if err != nil {
			f.Fault(n.Get(key).Errorf("%s", err))
		}
		return &ptr
	}
	w.JSON, w.YAML = at("json"), at("yaml")
	w.CSV, w.Sheet, w.After = f.Bool("csv", false), squeeze(f.Text("sheet")), squeeze(f.Text("after"))
	if p.fail(f.Done()) {
		return w
	}
	set := 0
	for _, is := range []bool{w.JSON != nil, w.YAML != nil, w.CSV, w.Sheet != "", w.After != ""} {
		if is {
			set++
		}
	}
	rows := in.Type.Kind == derive.Rows
	switch {
	case set != 1:
		p.fail(n.Errorf("within takes one of json: POINTER, yaml: POINTER, csv: true, sheet: NAME, after: WORDS"))
	case (w.CSV || w.Sheet != "") != rows && w.JSON == nil && w.YAML == nil:
		p.fail(n.Errorf("a table gives type: rows, and words give one value"))
	case in.At.Stars() > 0:
		p.fail(n.Errorf("within looks into one text; at: holds a *"))
	}
	return w
}

// String says in words where the value stands, for lists of what a contract asks.
func (w *Within) String() string {
	switch {
	case w == nil:
		return ""
	case w.JSON != nil:
		return ", " + pathText(w.JSON.String()) + " of its JSON"
	case w.YAML != nil:
		return ", " + pathText(w.YAML.String()) + " of its YAML"
	case w.CSV:
		return ", its table"
	case w.Sheet != "":
		return fmt.Sprintf(", its sheet %q", w.Sheet)
	}
	return fmt.Sprintf(", behind %q", w.After)
}

// squeeze makes runs of white space one space: a line of a page may break anywhere.
func squeeze(s string) string { return strings.Join(strings.Fields(norm.NFC.String(s)), " ") }

// take gives the value as derive.Read wants it.
func (w *Within) take(raw any, t derive.Type) (any, error) {
	text, ok := raw.(string)
	if !ok {
		return nil, fmt.Errorf("a text is wanted, and the world gives %s", exact.Text(raw))
	}
	switch {
	case w.JSON != nil:
		doc, err := exact.Decode([]byte(text))
		if err != nil {
			return nil, fmt.Errorf("no JSON: %w", err)
		}
		return got(doc, *w.JSON)
	case w.YAML != nil:
		n, err := bench.Parse("the text", []byte(text))
		if err != nil {
			return nil, err
		}
		return got(exact.FromNode(n), *w.YAML)
	case w.CSV:
		return table(text, t)
	case w.Sheet != "":
		part, err := w.sheet(text)
		if err != nil {
			return nil, err
		}
		return table(part, t)
	}
	return w.after(squeeze(text), t)
}

func got(doc any, at pointer.Pointer) (any, error) {
	v, there := at.Get(doc)
	if !there {
		return nil, fmt.Errorf("the text has nothing at %s", at)
	}
	return v, nil
}

// sheet cuts one sheet out of a workbook's text, which begins each with a line [sheet NAME].
func (w *Within) sheet(text string) (string, error) {
	var part strings.Builder
	in, found := false, 0
	for line := range strings.Lines(text) {
		if name, ok := strings.CutPrefix(strings.TrimRight(line, "\r\n"), "[sheet "); ok && strings.HasSuffix(name, "]") {
			if in = squeeze(strings.TrimSuffix(name, "]")) == w.Sheet; in {
				found++
			}
			continue
		}
		if in {
			part.WriteString(line)
		}
	}
	if found != 1 {
		return "", fmt.Errorf("%d sheets are called %q", found, w.Sheet)
	}
	return part.String(), nil
}

// table reads CSV with a head as rows. An empty cell is null: what is not there is not zero.
func table(text string, t derive.Type) (any, error) {
	r := csv.NewReader(strings.NewReader(text))
	all, err := r.ReadAll()
	if err != nil {
		return nil, fmt.Errorf("no table: %w", err)
	}
	if len(all) == 0 {
		return nil, errors.New("the table is empty")
	}
	head := all[0]
	for name := range t.Fields {
		if n := count(head, name); n != 1 {
			return nil, fmt.Errorf("the head of the table has the column %q %d times", name, n)
		}
	}
	rows := make([]any, 0, len(all)-1)
	for _, line := range all[1:] {
		row := map[string]any{}
		for i, name := range head {
			cell := strings.TrimSpace(line[i])
			if cell == "" {
				row[name] = nil
				continue
			}
			row[name] = cell
			if f, ok := t.Fields[name]; ok {
				v, err := typed(cell, f)
				if err != nil {
					return nil, fmt.Errorf("the column %q: %w", name, err)
				}
				row[name] = v
			}
		}
		rows = append(rows, row)
	}
	return rows, nil
}

func count(list []string, s string) int {
	n := 0
	for _, e := range list {
		if e == s {
			n++
		}
	}
	return n
}

// typed reads a word as a type: files hold texts where tables hold values.
func typed(s string, t derive.Type) (any, error) {
	switch t.Kind {
	case derive.Number:
		r, ok := exact.Rat(ungrouped(s))
		if !ok {
			return nil, fmt.Errorf("%.60q is no number", s)
		}
		return r, nil
	case derive.Bool:
		switch strings.ToLower(s) {
		case "true", "yes":
			return true, nil
		case "false", "no":
			return false, nil
		}
		return nil, fmt.Errorf("%.60q is neither yes nor no", s)
	case derive.Date:
		if d, ok := day(s); ok {
			return d.String(), nil
		}
		return nil, fmt.Errorf("%.60q is no date", s)
	}
	return s, nil
}

// ungrouped takes the commas out of 1,200.50, and leaves every other comma to be an error.
func ungrouped(s string) string {
	whole, rest, _ := strings.Cut(s, ".")
	groups := strings.Split(strings.TrimLeft(whole, "+-"), ",")
	for i, g := range groups {
		if len(groups) > 1 && (i == 0 && (g == "" || len(g) > 3) || i > 0 && len(g) != 3) {
			return s
		}
	}
	return strings.ReplaceAll(whole, ",", "") + s[len(whole):len(s)-len(rest)] + rest
}
