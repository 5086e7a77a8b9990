package main

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/xuri/excelize/v2"
)

func mediaType(name string) string {
	return map[string]string{
		".md": "text/markdown", ".txt": "text/plain", ".log": "text/plain", ".csv": "text/csv", ".json": "application/json", ".yaml": "application/yaml",
		".eml": "message/rfc822", ".ics": "text/calendar", ".pdf": "application/pdf",
		".xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
		".docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
	}[path.Ext(name)]
}

// text cleans the text of a file in a Go source: no white space at the ends, one line end after it.
func text(s string) []byte { return []byte(strings.Trim(s, "\n\t ") + "\n") }

func csvBytes(rows [][]string) []byte {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	if err := w.WriteAll(rows); err != nil {
		panic(err)
	}
	return b.Bytes()
}

// grid makes rows of a text: one row a line, cells divided by |.
func grid(s string) [][]string {
	var out [][]string
	for line := range strings.SplitSeq(strings.Trim(s, "\n"), "\n") {
		var cells []string
		for c := range strings.SplitSeq(line, "|") {
			cells = append(cells, strings.TrimSpace(c))
		}
		if len(out) > 0 && len(cells) != len(out[0]) {
			panic("plant: the row has another number of cells than the head: " + line)
		}
		out = append(out, cells)
	}
	return out
}

func csvFile(s string) []byte { return csvBytes(grid(s)) }

// jsonFile indents a JSON text as a program would have saved it.
func jsonFile(s string) []byte {
	var b bytes.Buffer
	if err := json.Indent(&b, []byte(s), "", "  "); err != nil {
		panic(err)
	}
	return append(bytes.TrimSpace(b.Bytes()), '\n')
}

// sheet is a sheet of a workbook: cells divided by |, the first row its head. Numbers are stored as numbers.
type sheet struct{ Name, Cells string }

// xlsxFile writes a workbook; its bytes depend on nothing but the sheets.
func xlsxFile(sheets ...sheet) []byte {
	f := excelize.NewFile()
	defer f.Close()
	bold, err := f.NewStyle(&excelize.Style{Font: &excelize.Font{Bold: true}})
	must(err)
	for i, s := range sheets {
		if i == 0 {
			must(f.SetSheetName("Sheet1", s.Name))
		} else {
			_, err := f.NewSheet(s.Name)
			must(err)
		}
		rows := grid(s.Cells)
		for y, cells := range rows {
			for x, c := range cells {
				at, err := excelize.CoordinatesToCellName(x+1, y+1)
				must(err)
				must(f.SetCellValue(s.Name, at, cellValue(c)))
			}
		}
		last, err := excelize.ColumnNumberToName(len(rows[0]))
		must(err)
		must(f.SetColWidth(s.Name, "A", last, 18))
		must(f.SetCellStyle(s.Name, "A1", last+"1", bold))
	}
	must(f.SetDocProps(&excelize.DocProperties{Creator: "Ostervelt Hydraulics", Created: fixedTime.Format(time.RFC3339), Modified: fixedTime.Format(time.RFC3339)}))
	var b bytes.Buffer
	must(f.Write(&b))
	return repacked(b.Bytes())
}

// cellValue makes a number of what is written as one; what begins with nought and is longer is a name.
func cellValue(s string) any {
	if n, err := strconv.ParseInt(s, 10, 64); err == nil && strconv.FormatInt(n, 10) == s {
		return n
	}
	if x, err := strconv.ParseFloat(s, 64); err == nil && strings.Count(s, ".") == 1 && strings.Trim(s, "0123456789.-") == "" && s == strconv.FormatFloat(x, 'f', len(s)-strings.IndexByte(s, '.')-1, 64) {
		return x
	}
	return s
}

// fixedTime stands wherever a format wants to know when a file was made.
var fixedTime = time.Date(2035, 1, 2, 8, 0, 0, 0, time.UTC)

// repacked writes a zip again with sorted names and one time.
func repacked(b []byte) []byte {
	r, err := zip.NewReader(bytes.NewReader(b), int64(len(b)))
	must(err)
	parts := map[string][]byte{}
	var names []string
	for _, f := range r.File {
		o, err := f.Open()
		must(err)
		data, err := io.ReadAll(o)
		must(err)
		parts[f.Name] = data
		names = append(names, f.Name)
	}
	slices.SortFunc(names, partOrder)
	return zipped(names, parts)
}

// partOrder puts the list of content types first, as readers of these formats like it.
func partOrder(a, b string) int {
	first := func(s string) int {
		if s == "[Content_Types].xml" {
			return 0
		}
		return 1
	}
	if d := first(a) - first(b); d != 0 {
		return d
	}
	return strings.Compare(a, b)
}

func zipped(names []string, parts map[string][]byte) []byte {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, n := range names {
		h := &zip.FileHeader{Name: n, Method: zip.Deflate, Modified: fixedTime}
		o, err := w.CreateHeader(h)
		must(err)
		_, err = o.Write(parts[n])
		must(err)
	}
	must(w.Close())
	return b.Bytes()
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

// event is an entry of a calendar file; a whole day has no times.
type event struct{ UID, Day, From, To, Summary, Description string }

// icsFile writes a calendar (RFC 5545), lines folded at 75 bytes.
func icsFile(name string, events ...event) []byte {
	var b strings.Builder
	line := func(s string) {
		for len(s) > 75 {
			cut := 75
			for cut > 0 && s[cut]&0xC0 == 0x80 {
				cut--
			}
			b.WriteString(s[:cut] + "\r\n")
			s = " " + s[cut:]
		}
		b.WriteString(s + "\r\n")
	}
	esc := strings.NewReplacer(`\`, `\\`, ";", `\;`, ",", `\,`, "\n", `\n`)
	bare := strings.NewReplacer("-", "", ":", "")
	line("BEGIN:VCALENDAR")
	line("VERSION:2.0")
	line("PRODID:-//Ostervelt Hydraulics//Plant calendar//EN")
	line("X-WR-CALNAME:" + esc.Replace(name))
	for _, e := range events {
		line("BEGIN:VEVENT")
		line("UID:" + e.UID + "@ostervelt.example")
		line("DTSTAMP:" + fixedTime.Format("20060102T150405Z"))
		if e.From == "" {
			line("DTSTART;VALUE=DATE:" + bare.Replace(e.Day))
		} else {
			line("DTSTART:" + bare.Replace(e.Day) + "T" + bare.Replace(e.From) + "00")
			line("DTEND:" + bare.Replace(e.Day) + "T" + bare.Replace(e.To) + "00")
		}
		line("SUMMARY:" + esc.Replace(e.Summary))
		if e.Description != "" {
			line("DESCRIPTION:" + esc.Replace(e.Description))
		}
		line("END:VEVENT")
	}
	line("END:VCALENDAR")
	return []byte(b.String())
}

func sha(s string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(s))) }
