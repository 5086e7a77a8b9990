package export

import (
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// CSV writes a table as RFC 4180 has it, with a head, in UTF-8. What is not known is an empty cell. A text that a spreadsheet would take
// for a formula has an apostrophe before it, and characters that a terminal acts on or hides become U+FFFD.
func (t Table) CSV(ctx context.Context, w io.Writer) error {
	c := csv.NewWriter(w)
	cells := make([]string, len(t.Columns))
	for i := range t.Columns {
		cells[i] = t.Columns[i].Name
	}
	if err := c.Write(cells); err != nil {
		return err
	}
	err := t.Rows(ctx, func(row []any) error {
		for i, v := range row {
			switch v := v.(type) {
			case nil:
				cells[i] = ""
			case string:
				cells[i] = harmless(v)
			case int64:
				cells[i] = strconv.FormatInt(v, 10)
			case bool:
				cells[i] = strconv.FormatBool(v)
			case time.Time:
				cells[i] = instant(v)
			default:
				return fmt.Errorf("the column %s has a %T", t.Columns[i].Name, v)
			}
		}
		return c.Write(cells)
	})
	c.Flush()
	if err != nil {
		return err
	}
	return c.Error()
}

// harmless makes a text safe for a cell.
func harmless(s string) string {
	s = visible(s)
	if first := strings.TrimLeft(s, " \t\n\u00a0\u3000"); first != "" {
		switch r, _ := utf8.DecodeRuneInString(first); r {
		case '=', '+', '-', '@', '|', '%', '＝', '＋', '－', '＠':
			return "'" + s
		}
	}
	if strings.HasPrefix(s, "\t") || strings.HasPrefix(s, "\n") {
		return "'" + s
	}
	return s
}

// visible keeps line breaks and tabs, and puts U+FFFD where a terminal would act on a character or hide it, and where bytes are
// not UTF-8.
func visible(s string) string {
	s = strings.ReplaceAll(s, "\r\n", "\n")
	return strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' || unicode.IsPrint(r) || unicode.Is(unicode.Zs, r) {
			return r
		}
		return utf8.RuneError
	}, s)
}
