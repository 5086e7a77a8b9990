// Package evidence reads the files of an agent task's evidence: workbooks, documents, mails, tables and texts. A file is
// what its name says only when its first bytes and a parser agree. All of it is foreign input: every parser is bounded in
// bytes, in depth and in what it unpacks, and none runs, fetches or follows anything.
package evidence

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
)

// Limits of one file.
const (
	MaxFile     = 16 << 20 // bytes
	maxUnpacked = 64 << 20 // bytes of all parts of an office file
	maxRatio    = 100      // unpacked bytes for each packed one, of any part
	maxParts    = 2000
	maxCells    = 500_000
	maxDepth    = 64 // of JSON, YAML and XML
	maxText     = 8 << 20
)

// Format is what a file is. Plain texts of the endings .txt and .log are one format.
type Format string

// The formats, by parser.
const (
	XLSX Format = "xlsx"
	PDF  Format = "pdf"
	DOCX Format = "docx"
	EML  Format = "eml"
	CSV  Format = "csv"
	JSON Format = "json"
	YAML Format = "yaml"
	MD   Format = "md"
	ICS  Format = "ics"
	TXT  Format = "txt"
)

var endings = map[string]Format{
	".xlsx": XLSX, ".pdf": PDF, ".docx": DOCX, ".eml": EML, ".csv": CSV, ".json": JSON, ".yaml": YAML, ".yml": YAML, ".md": MD,
	".ics": ICS, ".txt": TXT, ".log": TXT,
}

// Formats lists every format, in order of name.
func Formats() []Format {
	all := []Format{CSV, DOCX, EML, ICS, JSON, MD, PDF, TXT, XLSX, YAML}
	return slices.Clone(all)
}

// Document is a file that was parsed.
type Document struct {
	Format Format
	// Text is what a reader sees: the text of a page or a mail, the paragraphs of a document, and of a workbook a line
	// `[sheet NAME]` for each sheet with its cells as CSV below.
	Text   string
	Sheets []Sheet // of a workbook; a CSV file is one sheet without a name
	Header []Field // of a mail: From, To, Cc, Date, Subject, Message-ID, decoded
	Pages  int     // of a PDF
}

// Sheet is one sheet of a workbook: its rows of cells as they are shown.
type Sheet struct {
	Name string
	Rows [][]string
}

// Field is one header of a mail.
type Field struct{ Name, Value string }

// ErrEnding is a file whose ending names no format that is read here.
var ErrEnding = errors.New("the ending names no format that is read here")

// FormatOf gives the format that a name's ending promises.
func FormatOf(name string) (Format, error) {
	if f, ok := endings[strings.ToLower(path.Ext(name))]; ok {
		return f, nil
	}
	return "", fmt.Errorf("%w: %.100q; known are .csv .docx .eml .ics .json .log .md .pdf .txt .xlsx .yaml", ErrEnding, path.Base(name))
}

// Parse reads a file whole and checks that its ending, its first bytes and its parser agree. The error is one line and
// says what is wrong with the file, never how the parser is built.
func Parse(name string, b []byte) (*Document, error) {
	f, err := FormatOf(name)
	if err != nil {
		return nil, err
	}
	if len(b) > MaxFile {
		return nil, fmt.Errorf("the file has %d bytes; at most %d are read", len(b), MaxFile)
	}
	if is := magic(b); is != "" && is != kindOf[f] {
		return nil, fmt.Errorf("the ending says %s, and the first bytes are those of %s", f, is)
	}
	d := &Document{Format: f}
	switch f {
	case XLSX:
		err = d.workbook(b)
	case DOCX:
		err = d.document(b)
	case PDF:
		err = d.pdf(b)
	default:
		err = d.text(b)
	}
	if err == nil && len(d.Text) > maxText {
		err = fmt.Errorf("more than %d bytes of text", maxText)
	}
	if err != nil {
		return nil, fmt.Errorf("not to be read as %s: %w", f, err)
	}
	return d, nil
}

// kindOf maps formats that are recognised by their first bytes to the name that magic gives these.
var kindOf = map[Format]string{XLSX: "a ZIP archive", DOCX: "a ZIP archive", PDF: "a PDF"}

// magic names what the first bytes say, where they say something that no text begins with.
func magic(b []byte) string {
	for _, m := range []struct{ head, name string }{
		{"PK\x03\x04", "a ZIP archive"}, {"PK\x05\x06", "a ZIP archive"}, {"%PDF-", "a PDF"}, {"\x89PNG", "a PNG"}, {"\xff\xd8\xff", "a JPEG"},
		{"GIF8", "a GIF"}, {"\x1f\x8b", "a gzip archive"}, {"\xd0\xcf\x11\xe0", "an old office file"}, {"\x7fELF", "a program"}, {"MZ", "a program"},
		{"SQLite format 3\x00", "a database"}, {"7z\xbc\xaf", "a 7z archive"}, {"Rar!", "a RAR archive"},
	} {
		if strings.HasPrefix(string(b[:min(len(b), 16)]), m.head) {
			if m.name == "a program" && m.head == "MZ" && !strings.Contains(string(b[:min(len(b), 512)]), "\x00") {
				continue // a text may begin with these letters
			}
			return m.name
		}
	}
	return ""
}

// guard turns a panic of a parser on foreign bytes into an error.
func guard(err *error) {
	if x := recover(); x != nil {
		*err = errors.New("it is malformed")
	}
}
