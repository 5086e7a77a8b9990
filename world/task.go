package world

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/assaybench/assay/bench"
	"github.com/assaybench/assay/evidence"
	"github.com/assaybench/assay/record"
)

// Task is the public part of an agent task: what the employee asks, where it is worked on, and what form the answer has.
type Task struct {
	ID       string
	Title    string
	Role     string
	User     string // the acting user's id, "" where the world has none
	AsOf     string // YYYY-MM-DD
	Request  string
	Servers  []string // the mounted servers, sorted
	Handles  []Handle
	Answer   []Field
	Schema   *Schema // of the answer
	Evidence []File
	start    time.Time
	dir      string
	digest   string // SHA-256 of what task.yaml says
}

// Handle is something that a real employee would hold when asking: a case number, a name.
type Handle struct{ Name, Value string }

// File is one evidence file.
type File struct {
	ID        string `json:"id"`
	Path      string `json:"path"` // below evidence/, with slashes
	Title     string `json:"title"`
	Kind      string `json:"kind"`
	MediaType string `json:"media_type"`
	Size      int    `json:"size"`
	SHA256    string `json:"sha256"` // of the file's bytes
	Data      []byte `json:"-"`

	text func() (string, bool) // the text, taken from the bytes at most once
}

// Text gives a file's text: of a workbook, a PDF, a document or a mail what a reader sees, of all other texts the bytes as
// they are. Not ok: the file holds no text that can be taken.
func (f *File) Text() (text string, ok bool) {
	if f.text != nil {
		return f.text()
	}
	return f.take()
}

func (f *File) take() (string, bool) {
	if d, err := evidence.Parse(f.Path, f.Data); err == nil {
		return d.Text, true
	}
	m, _, _ := strings.Cut(f.MediaType, ";")
	textual := strings.HasPrefix(m, "text/") || slices.Contains([]string{"application/json", "application/yaml", "application/xml", "message/rfc822"}, m)
	if !textual || !utf8.Valid(f.Data) || bytes.IndexByte(f.Data, 0) >= 0 {
		return "", false
	}
	return string(f.Data), true
}

// TaskKeys are the keys of a task's file beside those that every item has.
var TaskKeys = []string{"world", "title", "role", "user", "as_of", "request", "servers", "handles", "answer", "evidence"}

const (
	maxFile  = 16 << 20
	maxFiles = 500
)

// ReadTask reads a task's public part: n is tasks/ID/public/task.yaml, dir its folder.
func (w *World) ReadTask(n *bench.Node, fsys fs.FS, dir string) (*Task, error) {
	f := bench.NewFields(n)
	for _, k := range bench.CommonKeys {
		f.Node(k)
	}
	f.Node("world")
	t := &Task{ID: f.NeedText("id"), Title: f.NeedText("title"), Role: f.NeedText("role"), User: f.Text("user"), AsOf: f.NeedText("as_of"), Request: strings.TrimSpace(f.NeedText("request")), dir: dir}
	if t.User != "" && !w.HasUser(t.User) {
		f.Fault(n.Get("user").Errorf("the user %q is not among the world's users", t.User))
	}
	if day, err := time.Parse(time.DateOnly, t.AsOf); err == nil {
		t.start = day.Add(w.start.Sub(w.start.Truncate(24 * time.Hour)))
	} else if t.AsOf != "" {
		f.Fault(n.Get("as_of").Errorf("as_of is a date, YYYY-MM-DD"))
	}
	if s := f.Node("servers"); s != nil {
		var err error
		t.Servers, err = s.AsTexts()
		f.Fault(err)
		for _, name := range t.Servers {
			if !slices.ContainsFunc(w.Servers, func(s Server) bool { return s.ID == name }) {
				f.Fault(s.Errorf("the server %q is not among the world's servers", name))
			}
		}
	} else {
		for _, s := range w.Servers {
			t.Servers = append(t.Servers, s.ID)
		}
	}
	slices.Sort(t.Servers)
	t.Servers = slices.Compact(t.Servers)
	if h := f.Node("handles"); h != nil {
		f.Fault(eachKey(h, func(k string, v *bench.Node) error {
			text, err := v.AsText()
			t.Handles = append(t.Handles, Handle{k, text})
			return err
		}))
	}
	if a := f.Need("answer"); a != nil {
		f.Fault(t.readAnswer(a, w))
	}
	f.Fault(t.readEvidence(f.Node("evidence"), fsys))
	said, err := record.Canonical(n.Any())
	if err != nil {
		f.Fault(n.Errorf("%v", err))
	}
	sum := sha256.Sum256(said)
	t.digest = hex.EncodeToString(sum[:])
	return t, f.Done()
}

func (t *Task) readEvidence(n *bench.Node, fsys fs.FS) error {
	root := path.Join(t.dir, "evidence")
	var errs []error
	have := map[string]int{}
	err := fs.WalkDir(fsys, root, func(p string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) && p == root {
			return nil
		}
		if err != nil || d.IsDir() {
			return err
		}
		if len(have) >= maxFiles {
			return fmt.Errorf("more than %d evidence files", maxFiles)
		}
		b, err := readSized(fsys, p, maxFile)
		if err != nil {
			errs = append(errs, &bench.Error{File: p, Msg: err.Error()})
			return nil
		}
		rel := strings.TrimPrefix(p, root+"/")
		if strings.ContainsFunc(rel, func(r rune) bool { return r < 0x20 || r == '\\' || r == 0x7f }) {
			errs = append(errs, &bench.Error{File: p, Msg: "the name holds a control character or a backslash"})
		}
		sum := sha256.Sum256(b)
		have[rel] = len(t.Evidence)
		t.Evidence = append(t.Evidence, File{ID: rel, Path: rel, Title: rel, MediaType: mediaType(rel), Size: len(b), SHA256: hex.EncodeToString(sum[:]), Data: b})
		return nil
	})
	errs = append(errs, err)
	if n == nil {
		return errors.Join(errs...)
	}
	if n.Kind != bench.List {
		return errors.Join(append(errs, n.Errorf("evidence is a list of files"))...)
	}
	named := map[string]bool{}
	for _, v := range n.Values {
		f := bench.NewFields(v)
		p := f.NeedText("path")
		i, ok := have[p]
		switch {
		case !ok && p != "":
			f.Fault(v.Errorf("the evidence file %q is not in %s", p, root))
		case named[p]:
			f.Fault(v.Errorf("the evidence file %q is listed twice", p))
		}
		named[p] = true
		id, title, kind, media := f.Text("id"), f.Text("title"), f.Text("kind"), f.Text("media_type")
		if ok {
			e := &t.Evidence[i]
			set(&e.ID, id)
			set(&e.Title, title)
			set(&e.Kind, kind)
			set(&e.MediaType, media)
		}
		errs = append(errs, f.Done())
	}
	ids := map[string]bool{}
	for i := range t.Evidence {
		t.Evidence[i].text = sync.OnceValues(t.Evidence[i].take)
	}
	for _, e := range t.Evidence {
		if ids[e.ID] {
			errs = append(errs, n.Errorf("two evidence files have the id %q", e.ID))
		}
		ids[e.ID] = true
		if !named[e.Path] {
			errs = append(errs, n.Errorf("the file %s/%s is not listed in evidence; list it or take it away", root, e.Path))
		}
	}
	return errors.Join(errs...)
}

func set(to *string, v string) {
	if v != "" {
		*to = v
	}
}

// mediaType goes by a name's ending; a file's own bytes are the audit's to look at.
func mediaType(name string) string {
	types := map[string]string{
		".md": "text/markdown", ".txt": "text/plain", ".log": "text/plain", ".csv": "text/csv", ".json": "application/json", ".yaml": "application/yaml",
		".yml": "application/yaml", ".eml": "message/rfc822", ".ics": "text/calendar", ".html": "text/html", ".xml": "application/xml", ".pdf": "application/pdf",
		".xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", ".docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
		".png": "image/png", ".jpg": "image/jpeg",
	}
	if t := types[strings.ToLower(path.Ext(name))]; t != "" {
		return t
	}
	return "application/octet-stream"
}

// FieldType is the type of a field of an answer.
type FieldType string

// Types of fields.
const (
	Integer    FieldType = "integer"
	Decimal    FieldType = "decimal"
	Date       FieldType = "date"
	Enum       FieldType = "enum"
	IDOf       FieldType = "id"
	Set        FieldType = "set"
	Boolean    FieldType = "boolean"
	Text       FieldType = "text"
	NoneOrText FieldType = "none-or-text"
)

var fieldTypes = []FieldType{Integer, Decimal, Date, Enum, IDOf, Set, Boolean, Text, NoneOrText}

// Field is one field of an answer.
type Field struct {
	Name        string
	Type        FieldType
	Description string
	Unit        string
	Places      int      // of a decimal
	Values      []string // of an enum
	Table       string   // of an id
	Column      string
	Of          *Field // of a set
	Most        int    // bytes of a text
	Line        int
}

var fieldName = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)

func (t *Task) readAnswer(n *bench.Node, w *World) error {
	err := eachKey(n, func(k string, v *bench.Node) error {
		if !fieldName.MatchString(k) {
			return v.Errorf("the answer's field %q is not named by lowercase letters, digits and _", k)
		}
		field, err := readField(k, v, w)
		t.Answer = append(t.Answer, field)
		return err
	})
	if err != nil {
		return err
	}
	if len(t.Answer) == 0 {
		return n.Errorf("an answer has at least one field")
	}
	t.Schema, err = answerSchema(t.Answer)
	return err
}

func readField(name string, n *bench.Node, w *World) (Field, error) {
	f := bench.NewFields(n)
	d := Field{Name: name, Type: FieldType(f.NeedText("type")), Description: f.Text("description"), Unit: f.Text("unit"), Line: n.Line}
	wants := func(key string, types ...FieldType) *bench.Node {
		v := f.Node(key)
		if v != nil && !slices.Contains(types, d.Type) {
			f.Fault(v.Errorf("%s is not for a field of type %s", key, d.Type))
			return nil
		}
		return v
	}
	if !slices.Contains(fieldTypes, d.Type) && d.Type != "" {
		f.Fault(n.Get("type").Errorf("the type %q is not known; known: %s", d.Type, joinTypes()))
	}
	if v := wants("places", Decimal); v != nil {
		d.Places = f.Int("places")
		if d.Places < 0 || d.Places > 9 {
			f.Fault(v.Errorf("places is from 0 to 9"))
		}
	} else if d.Type == Decimal {
		d.Places = 2
	}
	if v := wants("values", Enum); v != nil {
		d.Values = f.Texts("values")
	} else if d.Type == Enum {
		f.Fault(n.Errorf("an enum lists its values"))
	}
	if v := wants("most", Text, NoneOrText); v != nil {
		d.Most = f.Int("most")
	} else if d.Type == Text || d.Type == NoneOrText {
		d.Most = 4000
	}
	if table := wants("table", IDOf); table != nil {
		d.Table, d.Column = f.Text("table"), f.NeedText("column")
		if tb := w.table(d.Table); tb == nil {
			f.Fault(table.Errorf("the world has no table %q%s", d.Table, bench.Nearest(d.Table, names(w.Tables))))
		} else if !tb.Has(d.Column) && d.Column != "" {
			f.Fault(table.Errorf("the table %s has no column %q", d.Table, d.Column))
		}
	} else if d.Type == IDOf {
		f.Fault(n.Errorf("an id names its table and column"))
	}
	if of := wants("of", Set); of != nil {
		sub, err := readField(name, of, w)
		if err == nil && (sub.Type == Set || sub.Type == NoneOrText || sub.Type == Text) {
			err = of.Errorf("a set is of integers, decimals, dates, enums or ids")
		}
		d.Of = &sub
		f.Fault(err)
	} else if d.Type == Set {
		f.Fault(n.Errorf("a set says in of what it is made of"))
	}
	return d, f.Done()
}

func joinTypes() string {
	var s []string
	for _, t := range fieldTypes {
		s = append(s, string(t))
	}
	return strings.Join(s, ", ")
}
