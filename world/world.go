package world

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/assaybench/assay/bench"
)

// World is a world as its files define it: compiled, checked and ready to make sessions. It is safe for concurrent use.
type World struct {
	ID           string
	Name         string
	Organisation Organisation
	Servers      []Server
	Users        []User
	Tools        []*Tool // sorted by name, the built-in ones left out
	Tables       []*Table
	Records      map[string]string // table to what its rows are, one of RecordKinds; not every table need be named

	start    time.Time     // of the logical clock, in UTC, which stands for no zone
	step     time.Duration // by which each recorded call moves it
	evidence *evidenceTable
	recordAt map[string]*bench.Node
	script   []piece
	rows     []seedFile
	source   string
	digest   string // SHA-256 of what the files say, the seed rows left out, which a seed's own digest is of
	seeds    seedCache
}

// Organisation is where an agent's employer is said to work.
type Organisation struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	Site string `json:"site"`
}

// Server is one system of the organisation; its id is the first part of its tools' names.
type Server struct {
	ID    string `json:"id"`
	Title string `json:"title"`

	node *bench.Node
}

// User is one employee.
type User struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	Role string `json:"role"`
}

// evidenceTable says which table a task's evidence files become rows of, and under which columns.
type evidenceTable struct {
	table   string
	columns map[string]string // property of a file → column
	node    *bench.Node       // of the table's name
	nodes   map[string]*bench.Node
}

var evidenceProps = []string{"id", "path", "title", "kind", "media_type", "text", "sha256", "size"}

// clockLayout is how the logical clock is written: a civil time without a zone.
const clockLayout = "2006-01-02T15:04:05"

// Begins is when the world's clock starts, where a task says no other day. It is in UTC, which stands for no zone.
func (w *World) Begins() time.Time { return w.start }

// Load reads a world's folder and compiles it whole: every schema, every statement, every seed row. source opens the
// messages. Errors are *bench.Error, joined where there are several; nothing is kept of a world that has one.
func Load(fsys fs.FS, dir, source string) (*World, error) {
	w := &World{source: source}
	whole := sha256.New()
	bytesOf := func(name string) ([]byte, error) {
		file := path.Join(dir, name)
		b, err := readSized(fsys, file, 4<<20)
		if err != nil {
			return nil, &bench.Error{File: file, Msg: err.Error()}
		}
		fmt.Fprintf(whole, "%s\x00%x\n", name, sha256.Sum256(b))
		return b, nil
	}
	read := func(name string) (*bench.Node, error) {
		b, err := bytesOf(name)
		if err != nil {
			return nil, err
		}
		return bench.Parse(path.Join(dir, name), b)
	}
	n, err := read("world.yaml")
	if err != nil {
		return nil, err
	}
	if err := w.readManifest(n); err != nil {
		return nil, err
	}
	if n, err = read("tools.yaml"); err != nil {
		return nil, err
	}
	if w.Tools, err = readTools(n, w.Servers); err != nil {
		return nil, err
	}
	slices.SortFunc(w.Tools, func(a, b *Tool) int { return strings.Compare(a.Name, b.Name) })
	file := path.Join(dir, "schema.sql")
	b, err := bytesOf("schema.sql")
	if err != nil {
		return nil, err
	}
	w.digest = hex.EncodeToString(whole.Sum(nil))
	if w.script, err = splitScript(string(b)); err != nil {
		return nil, &bench.Error{File: file, Msg: err.Error()}
	}
	if w.rows, err = readSeeds(fsys, path.Join(dir, "seed")); err != nil {
		return nil, err
	}
	return w, w.compile(file)
}

func readSized(fsys fs.FS, name string, most int64) ([]byte, error) {
	st, err := fs.Stat(fsys, name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, errors.New("the file is missing")
	case err != nil:
		return nil, err
	case !st.Mode().IsRegular():
		return nil, errors.New("this is no file")
	case st.Size() > most:
		return nil, fmt.Errorf("larger than %d bytes", most)
	}
	return fs.ReadFile(fsys, name)
}

func (w *World) readManifest(n *bench.Node) error {
	f := bench.NewFields(n)
	w.ID, w.Name = f.NeedText("id"), f.NeedText("name")
	if w.ID != "" && !bench.ValidID(w.ID) {
		f.Fault(n.Get("id").Errorf("the id %q is not made of lowercase letters, digits and . _ - inside", w.ID))
	}
	if o := f.Need("organisation"); o != nil {
		of := bench.NewFields(o)
		w.Organisation = Organisation{ID: of.NeedText("id"), Name: of.NeedText("name"), Site: of.Text("site")}
		f.Fault(of.Done())
	}
	if c := f.Need("clock"); c != nil {
		cf := bench.NewFields(c)
		text := cf.NeedText("start")
		var err error
		if w.start, err = time.Parse(clockLayout, text); err != nil && text != "" {
			cf.Fault(c.Get("start").Errorf("the clock's start is written YYYY-MM-DDTHH:MM:SS, without a zone"))
		}
		w.step = time.Minute
		if cf.Node("step") != nil {
			w.step = time.Duration(cf.Int("step")) * time.Second
			if w.step < time.Second || w.step > time.Hour {
				cf.Fault(c.Get("step").Errorf("step is a whole number of seconds from 1 to 3600"))
			}
		}
		f.Fault(cf.Done())
	}
	if s := f.Need("servers"); s != nil {
		f.Fault(eachKey(s, func(k string, v *bench.Node) error {
			title, err := v.AsText()
			if !identifier.MatchString(k) {
				err = errors.Join(err, v.Errorf("the server %q is not named by lowercase letters, digits and _", k))
			}
			w.Servers = append(w.Servers, Server{k, title, v})
			return err
		}))
	}
	if u := f.Need("users"); u != nil {
		if u.Kind != bench.List {
			f.Fault(u.Errorf("users is a list"))
		}
		for _, v := range u.Values {
			uf := bench.NewFields(v)
			user := User{ID: uf.NeedText("id"), Name: uf.NeedText("name"), Role: uf.NeedText("role")}
			if w.HasUser(user.ID) {
				uf.Fault(v.Errorf("the user %q stands twice", user.ID))
			}
			w.Users = append(w.Users, user)
			f.Fault(uf.Done())
		}
	}
	if e := f.Node("evidence"); e != nil {
		f.Fault(w.readEvidenceTable(e))
	}
	w.Records, w.recordAt = map[string]string{}, map[string]*bench.Node{}
	if r := f.Node("records"); r != nil {
		f.Fault(eachKey(r, func(k string, v *bench.Node) error {
			kind, err := v.AsText()
			if err == nil && !slices.Contains(RecordKinds, kind) {
				return v.Errorf("%q is no kind of record%s; known are %s", kind, bench.Nearest(kind, RecordKinds), strings.Join(RecordKinds, ", "))
			}
			w.Records[k], w.recordAt[k] = kind, v
			return err
		}))
	}
	return f.Done()
}

// RecordKinds are what the rows of a table can be. An audit tells a specification from a stock list by them; they belong to
// the world and not to a task, so that no task can claim for itself what its evidence is.
var RecordKinds = []string{
	"approval", "bom", "calendar", "capacity", "confirmation", "contract", "file", "maintenance", "message", "note", "order", "person", "policy",
	"quality", "schedule", "specification", "stock", "subject", "vendor",
}

// EvidenceTable gives the table that evidence files become rows of, and the column of a property (id, path, title, kind,
// media_type, text, sha256, size); both are empty where there is none.
func (w *World) EvidenceTable(property string) (table, column string) {
	if w.evidence == nil {
		return "", ""
	}
	return w.evidence.table, w.evidence.columns[property]
}

func (w *World) readEvidenceTable(n *bench.Node) error {
	f := bench.NewFields(n)
	w.evidence = &evidenceTable{table: f.NeedText("table"), columns: map[string]string{}, node: n, nodes: map[string]*bench.Node{}}
	if t := n.Get("table"); t != nil {
		w.evidence.node = t
	}
	if c := f.Need("columns"); c != nil {
		f.Fault(eachKey(c, func(k string, v *bench.Node) error {
			if !slices.Contains(evidenceProps, k) {
				return v.Errorf("a file has no %q; it has %s", k, strings.Join(evidenceProps, ", "))
			}
			text, err := v.AsText()
			w.evidence.columns[k], w.evidence.nodes[k] = text, v
			return err
		}))
	}
	return f.Done()
}

// HasUser says whether a world has a user.
func (w *World) HasUser(id string) bool {
	return slices.ContainsFunc(w.Users, func(u User) bool { return u.ID == id })
}

// Tool gives a tool of the world's own by name, or nil.
func (w *World) Tool(name string) *Tool {
	i, ok := slices.BinarySearchFunc(w.Tools, name, func(t *Tool, name string) int { return strings.Compare(t.Name, name) })
	if !ok {
		return nil
	}
	return w.Tools[i]
}
