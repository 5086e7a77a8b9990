package evidence

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/ledongthuc/pdf"
)

const (
	maxPages  = 2000
	maxStream = 8 << 20 // bytes of one page's content, unpacked
	maxNodes  = 20_000  // of the page tree and of the catalog's surroundings
)

// budget is a file whose reader gives up after it was read through many times: what points to itself ends.
type budget struct {
	r    *bytes.Reader
	left int64
}

func (b *budget) ReadAt(p []byte, off int64) (int, error) {
	if b.left -= int64(len(p)); b.left < 0 {
		return 0, errors.New("it leads in circles")
	}
	return b.r.ReadAt(p, off)
}

// pdf reads the text of all pages: the file's end must lead to a catalog with at least one page, every content stream must
// unpack, and nothing may run when it is opened.
func (d *Document) pdf(b []byte) (err error) {
	defer guard(&err)
	if len(b) < 100 || !bytes.HasPrefix(b, []byte("%PDF-1.")) {
		return errors.New("it does not begin with %PDF-1")
	}
	r, err := pdf.NewReader(&budget{bytes.NewReader(b), int64(len(b))*200 + 256<<20}, int64(len(b)))
	if err != nil {
		return errors.New("its table of objects cannot be found from its end: cut, or no PDF")
	}
	root := r.Trailer().Key("Root")
	if root.Kind() != pdf.Dict || root.Key("Type").Name() != "Catalog" {
		return errors.New("it has no catalog")
	}
	if !r.Trailer().Key("Encrypt").IsNull() {
		return errors.New("it is encrypted")
	}
	for _, v := range []pdf.Value{root.Key("OpenAction"), root.Key("AA"), root.Key("Names").Key("JavaScript")} {
		if v.Kind() == pdf.Dict && (v.Key("S").Name() != "GoTo" || !v.Key("JS").IsNull()) {
			return errors.New("it runs something when it is opened")
		}
	}
	pages, err := pagesOf(root.Key("Pages"))
	if err != nil {
		return err
	}
	var text strings.Builder
	for i, p := range pages {
		if runs(p) {
			return fmt.Errorf("page %d runs something", i+1)
		}
		if err := streams(p.Key("Contents"), 0); err != nil {
			return fmt.Errorf("page %d: %w", i+1, err)
		}
		s, err := pdf.Page{V: p}.GetPlainText(nil)
		if err != nil {
			return fmt.Errorf("the text of page %d cannot be read", i+1)
		}
		if text.Len()+len(s) > maxText {
			return fmt.Errorf("more than %d bytes of text", maxText)
		}
		text.WriteString(strings.Trim(strings.ToValidUTF8(s, "\uFFFD"), "\n"))
		text.WriteByte('\n')
	}
	if strings.TrimSpace(text.String()) == "" {
		return errors.New("its pages hold no text")
	}
	d.Text, d.Pages = text.String(), len(pages)
	return nil
}

// pagesOf walks the page tree, which may be hostile: deep, wide, or without an end.
func pagesOf(top pdf.Value) ([]pdf.Value, error) {
	var pages []pdf.Value
	nodes := 0
	var walk func(v pdf.Value, depth int) error
	walk = func(v pdf.Value, depth int) error {
		if nodes++; nodes > maxNodes || depth > maxDepth || len(pages) > maxPages {
			return errors.New("its page tree has no end")
		}
		switch v.Key("Type").Name() {
		case "Pages":
			kids := v.Key("Kids")
			for i := range kids.Len() {
				if err := walk(kids.Index(i), depth+1); err != nil {
					return err
				}
			}
			return nil
		case "Page":
			pages = append(pages, v)
			return nil
		}
		return errors.New("its page tree holds something else")
	}
	if err := walk(top, 0); err != nil {
		return nil, err
	}
	if len(pages) == 0 {
		return nil, errors.New("it has no pages")
	}
	return pages, nil
}

// runs tells whether a page or a note on it would start something.
func runs(page pdf.Value) bool {
	if page.Key("AA").Kind() == pdf.Dict {
		return true
	}
	notes := page.Key("Annots")
	for i := range min(notes.Len(), maxNodes) {
		switch notes.Index(i).Key("A").Key("S").Name() {
		case "JavaScript", "Launch", "SubmitForm", "ImportData":
			return true
		}
	}
	return false
}

// streams unpacks the content of a page within bounds, before anything interprets it.
func streams(v pdf.Value, depth int) error {
	switch v.Kind() {
	case pdf.Null:
		return nil
	case pdf.Array:
		if depth > 2 || v.Len() > maxNodes {
			return errors.New("its content is nested")
		}
		for i := range v.Len() {
			if err := streams(v.Index(i), depth+1); err != nil {
				return err
			}
		}
		return nil
	case pdf.Stream:
		r := v.Reader()
		defer r.Close()
		n, err := io.Copy(io.Discard, io.LimitReader(r, maxStream+1))
		if err != nil {
			return errors.New("its content does not unpack")
		}
		if n > maxStream {
			return fmt.Errorf("its content unpacks to more than %d bytes", maxStream)
		}
		return nil
	}
	return errors.New("its content is no stream")
}
