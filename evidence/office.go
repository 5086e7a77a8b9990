package evidence

import (
	"archive/zip"
	"bytes"
	"encoding/csv"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/xuri/excelize/v2"
)

// opened is an office file whose parts are unpacked and known to be harmless.
type opened struct {
	parts map[string][]byte
	main  string // the part that the package's relations name as the document
}

// open unpacks an Office Open XML file: bounded, every part well-formed, no macros, nothing outside.
func open(b []byte, wantType string) (*opened, error) {
	z, err := zip.NewReader(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		return nil, errors.New("the archive cannot be read")
	}
	if len(z.File) > maxParts {
		return nil, fmt.Errorf("more than %d parts", maxParts)
	}
	o, total := &opened{parts: map[string][]byte{}}, 0
	for _, f := range z.File {
		if strings.HasSuffix(f.Name, "/") {
			continue
		}
		if path.Clean("/"+f.Name) != "/"+f.Name || strings.Contains(f.Name, "\\") || f.Mode()&^0o777 != 0 {
			return nil, fmt.Errorf("the part %.100q is no plain path", f.Name)
		}
		if _, twice := o.parts[strings.ToLower(f.Name)]; twice {
			return nil, fmt.Errorf("the part %.100q stands twice", f.Name)
		}
		if f.UncompressedSize64 > maxUnpacked || f.UncompressedSize64 > 1<<16 && f.UncompressedSize64 > maxRatio*f.CompressedSize64 {
			return nil, fmt.Errorf("the part %.100q unpacks to more than %d times its size", f.Name, maxRatio)
		}
		r, err := f.Open()
		if err != nil {
			return nil, fmt.Errorf("the part %.100q cannot be unpacked", f.Name)
		}
		data, err := io.ReadAll(io.LimitReader(r, int64(maxUnpacked-total)+1))
		r.Close()
		if err != nil {
			return nil, fmt.Errorf("the part %.100q cannot be unpacked", f.Name)
		}
		if total += len(data); total > maxUnpacked {
			return nil, fmt.Errorf("it unpacks to more than %d bytes", maxUnpacked)
		}
		lower := strings.ToLower(f.Name)
		if strings.Contains(lower, "vbaproject") || strings.HasPrefix(path.Base(lower), "activex") {
			return nil, errors.New("it holds macros")
		}
		if strings.HasSuffix(lower, ".xml") || strings.HasSuffix(lower, ".rels") {
			if err := wellFormed(data); err != nil {
				return nil, fmt.Errorf("the part %.100q: %w", f.Name, err)
			}
		}
		o.parts[lower] = data
	}
	return o, o.find(wantType)
}

// find reads the content types and the relations of the package.
func (o *opened) find(wantType string) error {
	types, rels := o.parts["[content_types].xml"], o.parts["_rels/.rels"]
	if types == nil || rels == nil {
		return errors.New("it has no content types or no relations: an archive of another kind")
	}
	for name, data := range o.parts {
		if !strings.HasSuffix(name, ".rels") {
			continue
		}
		var all struct {
			Relationship []struct {
				Type       string `xml:"Type,attr"`
				Target     string `xml:"Target,attr"`
				TargetMode string `xml:"TargetMode,attr"`
			}
		}
		if err := xml.Unmarshal(data, &all); err != nil {
			return fmt.Errorf("the relations %.100q cannot be read", name)
		}
		for _, r := range all.Relationship {
			if strings.EqualFold(r.TargetMode, "External") && !strings.HasSuffix(r.Type, "/hyperlink") {
				return errors.New("it refers to something outside")
			}
			if name == "_rels/.rels" && strings.HasSuffix(r.Type, "/officeDocument") {
				o.main = strings.ToLower(strings.TrimPrefix(path.Clean("/"+r.Target), "/"))
			}
		}
	}
	var ct struct {
		Override []struct {
			PartName    string `xml:"PartName,attr"`
			ContentType string `xml:"ContentType,attr"`
		}
		Default []struct {
			ContentType string `xml:"ContentType,attr"`
		}
	}
	if err := xml.Unmarshal(types, &ct); err != nil {
		return errors.New("its content types cannot be read")
	}
	if o.main == "" || o.parts[o.main] == nil {
		return errors.New("it has no main part")
	}
	for _, v := range ct.Override {
		if strings.EqualFold(strings.TrimPrefix(v.PartName, "/"), o.main) && v.ContentType == wantType {
			return nil
		}
	}
	return errors.New("its main part is of another kind")
}

func wellFormed(data []byte) error {
	dec, depth := xml.NewDecoder(bytes.NewReader(data)), 0
	for {
		tok, err := dec.RawToken()
		if errors.Is(err, io.EOF) {
			if depth != 0 {
				return errors.New("an element has no end")
			}
			return nil
		}
		if err != nil {
			return errors.New("no well-formed XML")
		}
		switch tok.(type) {
		case xml.StartElement:
			if depth++; depth > maxDepth*4 {
				return errors.New("nested too deep")
			}
		case xml.EndElement:
			depth--
		case xml.Directive:
			return errors.New("it declares a document type")
		}
	}
}

const (
	typeXLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"
	typeDOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
)

// workbook reads the cells of every sheet as they are shown.
func (d *Document) workbook(b []byte) (err error) {
	defer guard(&err)
	if _, err := open(b, typeXLSX); err != nil {
		return err
	}
	f, err := excelize.OpenReader(bytes.NewReader(b), excelize.Options{UnzipSizeLimit: maxUnpacked, UnzipXMLSizeLimit: maxUnpacked})
	if err != nil {
		return errors.New("the workbook cannot be read")
	}
	defer f.Close()
	var text strings.Builder
	cells, filled := 0, 0
	for _, name := range f.GetSheetList() {
		rows, err := f.GetRows(name)
		if err != nil {
			return fmt.Errorf("the sheet %.60q cannot be read", name)
		}
		for _, row := range rows {
			cells += len(row) + 1
			if strings.TrimSpace(strings.Join(row, "")) != "" {
				filled++
			}
		}
		if cells > maxCells {
			return fmt.Errorf("more than %d cells", maxCells)
		}
		d.Sheets = append(d.Sheets, Sheet{Name: name, Rows: rows})
		fmt.Fprintf(&text, "[sheet %s]\n", strings.Join(strings.Fields(name), " "))
		text.WriteString(asCSV(rows))
	}
	if filled < 2 {
		return errors.New("a sheet with a head and at least one row is wanted")
	}
	d.Text = text.String()
	return nil
}

// asCSV writes rows with as many fields in each.
func asCSV(rows [][]string) string {
	width := 0
	for _, r := range rows {
		width = max(width, len(r))
	}
	var out strings.Builder
	w := csv.NewWriter(&out)
	for _, r := range rows {
		if len(r) == 0 {
			continue // an empty line between two tables
		}
		w.Write(append(slices.Clone(r), make([]string, width-len(r))...)) // a strings.Builder takes everything
	}
	w.Flush()
	return out.String()
}

// document reads the paragraphs of a word processor's file; cells of a table are told apart by tabulators.
func (d *Document) document(b []byte) error {
	o, err := open(b, typeDOCX)
	if err != nil {
		return err
	}
	dec := xml.NewDecoder(bytes.NewReader(o.parts[o.main]))
	var text strings.Builder
	inText, filled := false, false
	for {
		tok, err := dec.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return errors.New("no well-formed XML")
		}
		switch t := tok.(type) {
		case xml.StartElement:
			switch t.Name.Local {
			case "t":
				inText = true
			case "tab":
				text.WriteByte('\t')
			case "br", "cr":
				text.WriteByte('\n')
			}
		case xml.EndElement:
			switch t.Name.Local {
			case "t":
				inText = false
			case "p":
				text.WriteByte('\n')
			}
		case xml.CharData:
			if inText {
				text.Write(t)
				filled = filled || len(bytes.TrimSpace(t)) > 0
			}
		}
	}
	if !filled {
		return errors.New("it has no paragraph of text")
	}
	d.Text = text.String()
	return nil
}
