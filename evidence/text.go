package evidence

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/emersion/go-ical"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/assaybench/assay/bench"
)

// text reads the formats that are plain text.
func (d *Document) text(b []byte) error {
	if d.Format == EML {
		return d.mail(b)
	}
	b = bytes.TrimPrefix(b, []byte("\xef\xbb\xbf"))
	switch {
	case !utf8.Valid(b):
		return errors.New("it is not UTF-8")
	case bytes.IndexByte(b, 0) >= 0:
		return errors.New("it holds a NUL byte")
	case len(bytes.TrimSpace(b)) == 0:
		return errors.New("it is empty")
	}
	d.Text = string(b)
	switch d.Format {
	case CSV:
		return d.table(b)
	case JSON:
		return wholeJSON(b)
	case YAML:
		n, err := bench.Parse("it", b)
		if e, ok := errors.AsType[*bench.Error](err); ok {
			return fmt.Errorf("line %d: %s", e.Line, e.Msg)
		}
		if err == nil && n.Kind == bench.Scalar {
			return errors.New("it is one text and no mapping or list")
		}
		return err
	case ICS:
		return calendar(b)
	}
	return nil
}

// table reads CSV: one head with unlike names, and rows of as many fields.
func (d *Document) table(b []byte) error {
	r := csv.NewReader(bytes.NewReader(b))
	rows, cells := [][]string{}, 0
	for {
		row, err := r.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if e, ok := errors.AsType[*csv.ParseError](err); ok {
			return fmt.Errorf("line %d: %s", e.Line, e.Err)
		}
		if err != nil {
			return err
		}
		if cells += len(row); cells > maxCells {
			return fmt.Errorf("more than %d cells", maxCells)
		}
		rows = append(rows, row)
	}
	if len(rows) < 2 {
		return errors.New("a head and at least one row are wanted")
	}
	seen := map[string]bool{}
	for _, name := range rows[0] {
		if strings.TrimSpace(name) == "" || seen[name] {
			return fmt.Errorf("the head has the name %.60q twice, or an empty one", name)
		}
		seen[name] = true
	}
	d.Sheets = []Sheet{{Rows: rows}}
	return nil
}

func wholeJSON(b []byte) error {
	dec := jsontext.NewDecoder(bytes.NewReader(b)) // duplicate names and invalid UTF-8 are errors
	for n := 0; ; n++ {
		tok, err := dec.ReadToken()
		if errors.Is(err, io.EOF) && n > 0 {
			return nil
		}
		if err != nil {
			return fmt.Errorf("JSON: %w", err)
		}
		if dec.StackDepth() > maxDepth {
			return fmt.Errorf("JSON nested more than %d deep", maxDepth)
		}
		if dec.StackDepth() == 0 && n > 0 && tok.Kind() != '}' && tok.Kind() != ']' {
			return errors.New("a second JSON value follows the first")
		}
		if dec.StackDepth() == 0 {
			if _, err := dec.ReadToken(); !errors.Is(err, io.EOF) {
				return errors.New("something follows the JSON value")
			}
			return nil
		}
	}
}

// calendar reads an iCalendar file: at least one event with a beginning.
func calendar(b []byte) (err error) {
	defer guard(&err)
	dec := ical.NewDecoder(bytes.NewReader(b))
	cal, err := dec.Decode()
	if err != nil {
		return fmt.Errorf("iCalendar: %w", err)
	}
	if _, err := dec.Decode(); !errors.Is(err, io.EOF) {
		return errors.New("more than one calendar, or something behind it")
	}
	if cal.Props.Get(ical.PropVersion) == nil || cal.Props.Get(ical.PropProductID) == nil {
		return errors.New("the calendar lacks VERSION or PRODID")
	}
	events := cal.Events()
	if len(events) == 0 {
		return errors.New("the calendar has no event")
	}
	for _, e := range events {
		if e.Props.Get(ical.PropUID) == nil || e.Props.Get(ical.PropDateTimeStamp) == nil || e.Props.Get(ical.PropDateTimeStart) == nil {
			return errors.New("an event lacks UID, DTSTAMP or DTSTART")
		}
	}
	return nil
}
