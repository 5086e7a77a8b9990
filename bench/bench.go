// Package bench reads what every bench has, whatever its shape: the files, the manifest (bench.yaml), the protocol, the
// freeze and the digest; items stay raw nodes with file and line, which each shape compiles by itself. The package is a
// pure function of a file tree: no clock, no network, no state.
package bench

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"sort"
	"strings"

	"github.com/assaybench/assay/record"
)

// Shapes of work.
const (
	ShapePrompt  = "prompt"
	ShapePremise = "premise"
	ShapeAgent   = "agent"
)

// Bench is a bench's manifest and the way to its items. Items are read one at a time and not kept, so that a bench of
// 100,000 items costs no more memory than its list of names.
type Bench struct {
	ID            string
	Version       string
	Title         string
	Licence       string
	Attribution   string
	Shape         string
	DerivedFrom   string
	Notice        string // what the bench says on its face
	NotAStandard  string
	Contamination string
	Limits        []string // known weaknesses
	Families      []Family
	Counts        *Counts // what the manifest promises; nil when it promises nothing
	Protocol      Protocol
	Lists         map[string][]string // named lists of texts that rules may use
	Origin        *Node               // where the bench came from, for imports; carried along
	Own           *Node               // what the shape keeps in the manifest, under the shape's name; nil where it keeps nothing
	FS            fs.FS
	Source        string // how the user named it, for messages
	ids           []string

	pinned    bool // Inspect was here
	pins      []pin
	otherPins map[string]pin

	textWithin int64 // see TextWithin
}

// Family is a named group of items with the number of frozen items that it must have (-1: none promised).
type Family struct {
	ID    string
	Title string
	Quota int
}

// Counts is the number of items that a manifest promises.
type Counts struct {
	Frozen, Drafted, Exact, Proxy int
}

// Head is what items of all shapes have in common.
type Head struct {
	ID     string
	Family string
	Basis  record.Basis
	Frozen bool // false: shown, never run, counted or published
	File   string
}

// Item is one item as the bench's files have it; each shape compiles Node by itself.
type Item struct {
	Head
	Node *Node
}

// Control is an answer that a grader must accept (a reference) or refuse (a negative), by which it proves itself.
type Control struct {
	Name   string   `json:"name"`   // unique within the item; "reference", "reference-2" … for accepted ones without a name
	Accept bool     `json:"accept"` //
	Answer string   `json:"answer"` //
	Breaks []string `json:"breaks"` // of a negative: exactly the rules that it breaks, as Finding.Rule names them
	Slow   bool     `json:"slow"`   // takes seconds by design: left out without --slow
	File   string   `json:"-"`
	Line   int      `json:"-"`
}

// Mutant is a control generated from a reference answer. Breaks names the rule that it must break (others may break too),
// or is AnyRule (the answer must be refused) or NoRule (the verdict must be that of the answer it was made from).
type Mutant struct {
	Name   string `json:"name"`
	Answer string `json:"answer"`
	Breaks string `json:"breaks"`
}

// What a Mutant may say in place of a rule's name.
const (
	AnyRule = "*"
	NoRule  = ""
)

// Blocked is an item that cannot run, and why.
type Blocked struct {
	Item string `json:"item"`
	Why  string `json:"why"`
}

// CommonKeys are the item keys that this package reads; a shape must not report them as unknown.
var CommonKeys = []string{"id", "family", "basis", "frozen"}

// ValidID reports whether s can name a bench, a family or a control: lowercase letters, digits and . _ - inside, at most 100
// bytes.
func ValidID(s string) bool { return validID(s, false) }

// ValidItem reports whether s can name an item: as ValidID, with capitals. Ids become file names, so nothing else is let
// in, and no two items may differ by capitals alone.
func ValidItem(s string) bool { return validID(s, true) }

func validID(s string, capitals bool) bool {
	const marks = "._-"
	if s == "" || len(s) > 100 || strings.ContainsAny(s[:1], marks) || strings.ContainsAny(s[len(s)-1:], marks) || strings.Contains(s, "..") {
		return false
	}
	for _, c := range []byte(s) {
		if !(c >= 'a' && c <= 'z' || capitals && c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte(marks, c) >= 0) {
			return false
		}
	}
	return true
}

// Load reads a bench's manifest and lists its items, whose files are items/ID.yaml (of agent tasks
// tasks/ID/public/task.yaml). source is how the user named the
// bench and opens every message. Errors are *Error, joined where there are several.
func Load(fsys fs.FS, source string) (*Bench, error) { return load(fsys, source, false) }

// LoadEmpty is Load for a bench that may have no items yet.
func LoadEmpty(fsys fs.FS, source string) (*Bench, error) { return load(fsys, source, true) }

func load(fsys fs.FS, source string, empty bool) (*Bench, error) {
	data, err := readFile(fsys, "bench.yaml")
	if err != nil {
		return nil, &Error{Msg: fmt.Sprintf("%s is not a bench: bench.yaml %v; a bench is a folder or .zip with a bench.yaml (see docs/bench-format.md)", source, reason(err))}
	}
	n, err := Parse("bench.yaml", data)
	if err != nil {
		return nil, err
	}
	b := &Bench{FS: fsys, Source: source}
	if err := b.readManifest(n); err != nil {
		return nil, err
	}
	return b, b.list(empty)
}

func (b *Bench) readManifest(n *Node) error {
	f := NewFields(n)
	b.ID, b.Version, b.Title, b.Shape = f.NeedText("id"), f.NeedText("version"), f.NeedText("title"), f.NeedText("shape")
	b.Licence, b.Attribution = f.NeedText("licence"), f.NeedText("attribution")
	b.DerivedFrom, b.Notice = f.Text("derived_from"), f.Text("notice")
	b.NotAStandard, b.Contamination, b.Limits = f.Text("not_a_standard"), f.Text("contamination"), f.Texts("limits")
	if b.ID != "" && !ValidID(b.ID) {
		f.Fault(n.Get("id").Errorf("the id %q is not made of lowercase letters, digits and . _ - inside", b.ID))
	}
	if strings.ContainsAny(b.Version, "@/ \t\n") {
		f.Fault(n.Get("version").Errorf("a version has no @, / or white space"))
	}
	switch b.Shape {
	case ShapePrompt, ShapePremise, ShapeAgent, "":
	default:
		f.Fault(n.Get("shape").Errorf("the shape %q is not known; known: prompt, premise, agent", b.Shape))
	}
	b.Families = readFamilies(f)
	if c := f.Node("counts"); c != nil {
		cf := NewFields(c)
		for _, k := range []string{"frozen", "drafted", "exact", "proxy"} {
			cf.Need(k)
		}
		b.Counts = &Counts{Frozen: cf.Int("frozen"), Drafted: cf.Int("drafted"), Exact: cf.Int("exact"), Proxy: cf.Int("proxy")}
		f.Fault(cf.Done())
	}
	if p := f.Need("protocol"); p != nil {
		var err error
		b.Protocol, err = readProtocol(p)
		f.Fault(err)
	}
	b.Lists = map[string][]string{}
	if l := f.Node("lists"); l != nil {
		if l.Kind != Map {
			f.Fault(l.Errorf("lists is a mapping of names to lists of texts"))
		}
		for i, k := range l.Keys {
			texts, err := l.Values[i].AsTexts()
			f.Fault(err)
			if slices.Contains(texts, "") {
				f.Fault(l.Values[i].Errorf("the list %q holds an empty text", k.Text))
			}
			b.Lists[k.Text] = texts
		}
	}
	b.Origin = f.Node("origin")
	if b.Shape != "" && b.Shape != ShapePrompt {
		b.Own = f.Node(b.Shape)
	}
	return f.Done()
}

func readFamilies(f *Fields) []Family {
	n := f.Need("families")
	if n == nil {
		return nil
	}
	if n.Kind != List || len(n.Values) == 0 {
		f.Fault(n.Errorf("families is a list of {id, title, quota}"))
		return nil
	}
	if len(n.Values) > maxFamilies {
		f.Fault(n.Errorf("more than %d families", maxFamilies))
		return nil
	}
	var out []Family
	seen := map[string]bool{}
	for _, v := range n.Values {
		ff := NewFields(v)
		fam := Family{ID: ff.NeedText("id"), Title: ff.Text("title"), Quota: -1}
		if q := ff.Node("quota"); q != nil {
			if fam.Quota = ff.Int("quota"); fam.Quota < 0 {
				ff.Fault(q.Errorf("a quota cannot be negative"))
			}
		}
		if fam.ID != "" && (!ValidID(fam.ID) || seen[fam.ID]) {
			ff.Fault(v.Errorf("the family id %q is malformed or stands twice", fam.ID))
		}
		seen[fam.ID] = true
		f.Fault(ff.Done())
		out = append(out, fam)
	}
	return out
}

const maxFamilies = 1000

// list collects the item ids from the file names, which are unique by nature.
func (b *Bench) list(empty bool) error {
	dir, suffix, what := "items", ".yaml", "one ID.yaml for each item"
	if b.Shape == ShapeAgent {
		dir, suffix, what = "tasks", "/", "one folder ID/ for each task"
	}
	entries, err := list(b.FS, dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return &Error{File: dir, Msg: reason(err)}
	}
	switch {
	case len(entries) > 0 || empty:
	case err == nil && b.Shape == ShapeAgent:
		return &Error{Msg: fmt.Sprintf("%s: the folder tasks/ is empty; assay new task %s/ID begins a task", b.Source, b.Source)}
	case err == nil:
		return &Error{Msg: fmt.Sprintf("%s: the folder %s/ is empty; it holds %s", b.Source, dir, what)}
	default:
		return &Error{Msg: b.Source + ": there is no " + dir + "/ folder with " + what}
	}
	// All ids lie in one piece of memory: each by itself would take several times as much, and more again with the names of
	// the files around it.
	var all strings.Builder
	ends := make([]int, 0, len(entries))
	var capitals []string // ids that have capitals, without them
	for _, e := range entries {
		id, ok := strings.CutSuffix(e.key, suffix)
		if !ok || !ValidItem(id) {
			msg := "not an item file; items are items/ID.yaml, ID of letters, digits and . _ -"
			if b.Shape == ShapeAgent {
				msg = "not a task's folder; tasks are tasks/ID/public and tasks/ID/sealed, ID of letters, digits and . _ -"
			}
			return &Error{File: dir + "/" + strings.TrimSuffix(e.key, "/"), Msg: msg}
		}
		all.WriteString(id)
		ends = append(ends, all.Len())
		if low := strings.ToLower(id); low != id {
			capitals = append(capitals, low)
		}
	}
	b.ids = make([]string, len(ends))
	ids, from := strings.Clone(all.String()), 0
	for i, end := range ends {
		b.ids[i], from = ids[from:end], end
	}
	sort.Strings(b.ids)
	sort.Strings(capitals)
	for i, low := range capitals {
		if b.Has(low) || i > 0 && capitals[i-1] == low {
			return &Error{File: dir, Msg: fmt.Sprintf("two items are named %q but for capitals, and many file systems cannot tell them apart", low)}
		}
	}
	return nil
}

// Face is what the bench says of itself beside every figure: its notice, what it is not, what may have leaked, its limits.
func (b *Bench) Face() []string {
	var out []string
	for _, t := range append([]string{b.Notice, b.NotAStandard, b.Contamination}, b.Limits...) {
		if t = strings.Join(strings.Fields(t), " "); t != "" {
			out = append(out, t)
		}
	}
	return out
}

// Name is id@version.
func (b *Bench) Name() string { return b.ID + "@" + b.Version }

// IDs lists the items, drafts included, sorted. The caller must not change it.
func (b *Bench) IDs() []string { return b.ids }

// Has reports whether the bench has an item of that id.
func (b *Bench) Has(id string) bool {
	i := sort.SearchStrings(b.ids, id)
	return i < len(b.ids) && b.ids[i] == id
}

// Item reads one item, whole.
func (b *Bench) Item(id string) (*Item, error) { return b.item(id, Parse) }

// Brief reads one item without its controls where they stand last in the file, which is most of the work of reading it:
// controls serve to prove graders, and nobody else needs them.
func (b *Bench) Brief(id string) (*Item, error) {
	return b.item(id, func(file string, data []byte) (*Node, error) {
		if short, ok := beforeControls(data); ok {
			// A "controls:" inside a quoted text or a flow mapping leaves it open, and what is cut there cannot be parsed.
			if n, err := Parse(file, short); err == nil && n.Kind == Map {
				return n, nil
			}
		}
		return Parse(file, data)
	})
}

// beforeControls gives what stands before a last top-level key "controls" whose value is a block below it.
func beforeControls(data []byte) ([]byte, bool) {
	i := bytes.LastIndex(data, []byte("\ncontrols:\n"))
	if i < 0 {
		return nil, false
	}
	for line := range bytes.Lines(data[i+len("\ncontrols:\n"):]) {
		if c := line[0]; c != ' ' && c != '\n' && c != '\r' && c != '#' {
			return nil, false // another key, or something else at the margin
		}
	}
	return data[:i+1], true
}

func (b *Bench) item(id string, parse func(string, []byte) (*Node, error)) (*Item, error) {
	if !b.Has(id) {
		return nil, &Error{Msg: fmt.Sprintf("%s has no item %q%s", b.Name(), id, Nearest(id, b.ids))}
	}
	file := b.itemFile(id)
	data, err := b.read(file)
	if err != nil {
		return nil, &Error{File: file, Msg: reason(err)}
	}
	n, err := parse(file, data)
	if err != nil {
		return nil, err
	}
	f := NewFields(n)
	it := &Item{Node: n, Head: Head{ID: f.NeedText("id"), Family: f.NeedText("family"), Basis: record.Basis(f.NeedText("basis")), Frozen: f.Bool("frozen", true), File: file}}
	if it.ID != id && it.ID != "" {
		where := "file"
		if b.Shape == ShapeAgent {
			where = "folder"
		}
		f.Fault(n.Get("id").Errorf("the id is %q and the %s's name says %q; make them one", it.ID, where, id))
	}
	if !it.Basis.Valid() && it.Basis != "" {
		f.Fault(n.Get("basis").Errorf("the basis %q is not known; known: exact, proxy", it.Basis))
	}
	if _, ok := b.Family(it.Family); !ok && it.Family != "" {
		f.Fault(n.Get("family").Errorf("the family %q is not among the bench's families", it.Family))
	}
	for _, k := range n.Keys {
		f.Node(k.Text) // the shape reports keys that it does not know
	}
	return it, f.Done()
}

// itemFile is the path of an item's file.
func (b *Bench) itemFile(id string) string {
	if b.Shape == ShapeAgent {
		return "tasks/" + id + "/public/task.yaml"
	}
	return "items/" + id + ".yaml"
}

// itemOf gives the item whose file a path is.
func (b *Bench) itemOf(file string) (id string, ok bool) {
	if b.Shape == ShapeAgent {
		rest, in := strings.CutPrefix(file, "tasks/")
		id, ok = strings.CutSuffix(rest, "/public/task.yaml")
		return id, in && ok && b.Has(id)
	}
	rest, in := strings.CutPrefix(file, "items/")
	id, ok = strings.CutSuffix(rest, ".yaml")
	return id, in && ok && b.Has(id)
}

// Family gives a family by id.
func (b *Bench) Family(id string) (Family, bool) {
	for _, f := range b.Families {
		if f.ID == id {
			return f, true
		}
	}
	return Family{}, false
}

// Fixture reads a file below fixtures/. name is as an item writes it.
func (b *Bench) Fixture(name string) ([]byte, error) {
	if !fs.ValidPath(name) || name == "." {
		return nil, &Error{Msg: fmt.Sprintf("the fixture %q is not a path below fixtures/", name)}
	}
	data, err := b.read(path.Join("fixtures", name))
	if err != nil {
		return nil, &Error{File: "fixtures/" + name, Msg: reason(err)}
	}
	return data, nil
}
