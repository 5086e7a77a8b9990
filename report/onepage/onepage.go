// Package onepage writes a run as one HTML file that needs no server, no network and nothing beside it: the figures as a
// table that any browser shows, and every attempt with its findings and its answer in compressed parts that the page's own
// script opens as they are looked at. What models and bench authors wrote is data in it and never markup.
package onepage

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"html/template"
	"io"
	"iter"
	"sync"

	"github.com/klauspost/compress/flate"

	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/report"
)

//go:embed page.html
var pageText string

//go:embed page.css
var styleText string

//go:embed page.js
var scriptText string

// Run is what the page says above the attempts.
type Run struct {
	ID, Bench, Digest, Grader, Created, Program string
	Face                                        []string // what the bench says of itself beside every figure
	Notes                                       []string // what a reader must know beside the figures
	Figures                                     []report.Figure
	Settings                                    []report.Setting
	Letters                                     []report.Meaning
	Planned                                     int // attempts
}

// Attempt is one attempt.
type Attempt struct {
	Key      record.Key
	Family   string
	Basis    record.Basis
	Outcome  record.Outcome // "" where nothing came back
	Letter   record.Letter  // "" without a verdict
	Pass     bool
	Tries    int
	Reason   string // why it could not be read or graded
	Findings []record.Finding
	Answer   string
}

// Bounds of what the page holds: all answers and findings together, and of one of them, in bytes. What is cut says so.
const (
	textBudget = 64 << 20
	mostText   = 64 << 10
	leastText  = 256
	part       = 1000 // attempts whose details lie in one compressed part
)

var (
	page = sync.OnceValue(func() *template.Template {
		return template.Must(template.New("page").Funcs(template.FuncMap{"show": report.Printable, "share": share, "bar": bar}).Parse(pageText))
	})
	style = hashOf(styleText)
	code  = hashOf(scriptText)
)

// hashOf names a text in the page's security policy, which allows these two and nothing else.
func hashOf(s string) string {
	sum := sha256.Sum256([]byte(s))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// Write writes the page. The attempts come in the run's order; the first error of theirs ends it.
func Write(w io.Writer, r Run, attempts iter.Seq2[Attempt, error]) error {
	out := bufio.NewWriterSize(w, 1<<20)
	head := map[string]any{
		"R": r, "Style": template.CSS(styleText), "StyleHash": style, "ScriptHash": code,
		"Policy": "default-src 'none'; style-src " + style + "; script-src " + code + "; base-uri 'none'; form-action 'none'",
	}
	if err := page().ExecuteTemplate(out, "head", head); err != nil {
		return err
	}
	d := details{out: out, each: min(mostText, max(leastText, textBudget/max(1, r.Planned)))}
	ix := newIndex(part, r.Letters)
	for a, err := range attempts {
		if err != nil {
			return err
		}
		ix.add(a)
		if err := d.add(a); err != nil {
			return err
		}
	}
	if err := d.flush(); err != nil {
		return err
	}
	b, err := json.Marshal(ix)
	if err != nil {
		return err
	}
	if err := pack(out, "index", b); err != nil {
		return err
	}
	if err := page().ExecuteTemplate(out, "foot", map[string]any{"Script": template.JS(scriptText)}); err != nil {
		return err
	}
	return out.Flush()
}

// pack writes one compressed part. Its text is base64, in which no markup can stand.
func pack(w io.Writer, id string, data []byte) error {
	var b bytes.Buffer
	z, err := flate.NewWriter(&b, 6)
	if err != nil {
		return err
	}
	if _, err := z.Write(data); err != nil {
		return err
	}
	if err := z.Close(); err != nil {
		return err
	}
	if _, err := io.WriteString(w, `<script type="application/octet-stream" id="`+id+`">`); err != nil {
		return err
	}
	e := base64.NewEncoder(base64.StdEncoding, w)
	if _, err := e.Write(b.Bytes()); err != nil {
		return err
	}
	if err := e.Close(); err != nil {
		return err
	}
	_, err = io.WriteString(w, "</script>\n")
	return err
}
