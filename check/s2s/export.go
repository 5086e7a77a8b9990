package s2s

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"

	"github.com/assaybench/assay/bench"
)

// Export writes a bench of prompt items in the schema. A bench that Import made gives the imported bytes back exactly, and
// lossy is empty; it is refused when bench.yaml or an item was changed since, since the bytes would no longer be what the
// bench is. Any other bench is written as far as the schema goes, deterministically, and lossy says in one line each what
// was left out. What is written can be imported again; items whose checker no importer knows cannot run there.
func Export(fsys fs.FS, a About) (data []byte, lossy []string, err error) {
	b, err := bench.Load(fsys, "the bench")
	if err != nil {
		return nil, nil, err
	}
	if b.Shape != bench.ShapePrompt {
		return nil, nil, fmt.Errorf("%s has the shape %q, and the schema %s holds prompt items only", b.Name(), b.Shape, Schema)
	}
	if s := b.Origin.Get("schema"); s != nil && s.Text == Schema {
		data, err = exportImported(b)
		return data, nil, err
	}
	return exportOwn(b, a)
}

// About is what an exhibit says beside its bench; "" of what is not said.
type About struct {
	Published string // the day or the time of publication; else that of the freeze
	Status    string
	Hardware  string // on which its figures were made
	Grader    string // the digest of the rules as they were compiled
	Planted   string // which facts were put into fixtures that are otherwise prose
}

// remedy ends every refusal of a changed import.
const remedy = "an imported bench is exported as it was imported: import %s again, or take origin out of bench.yaml to export the bench as your own"

func changed(what string) error { return fmt.Errorf("%s; "+remedy, what, OriginFile) }

func exportImported(b *bench.Bench) ([]byte, error) {
	data, err := readOrigin(b.FS)
	if err != nil {
		return nil, err
	}
	if d := b.Origin.Get("file_sha256"); d == nil || d.Text != digest(data) {
		return nil, changed(OriginFile + " does not have the SHA-256 that bench.yaml records")
	}
	if v := b.Origin.Get("importer"); v == nil || v.Text != fmt.Sprint(importer) {
		return nil, changed("the bench was imported by another version of the importer, so whether it was changed cannot be told")
	}
	f, err := readFile(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", OriginFile, err)
	}
	want, err := f.bench(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", OriginFile, err)
	}
	for _, id := range b.IDs() {
		if _, ok := want["items/"+id+".yaml"]; !ok {
			return nil, changed("items/" + id + ".yaml was added since the import")
		}
	}
	for _, name := range names(want) {
		got, err := fs.ReadFile(b.FS, name)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil, changed(name + " was taken away since the import")
		case err != nil:
			return nil, fmt.Errorf("%s cannot be read: %w", name, err)
		case digest(got) != digest(want[name]):
			return nil, changed(name + " was changed since the import")
		}
	}
	return data, nil
}

func readOrigin(fsys fs.FS) ([]byte, error) {
	f, err := fsys.Open(OriginFile)
	if err != nil {
		return nil, changed(OriginFile + " is missing")
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, MaxFile+1))
	if err != nil {
		return nil, fmt.Errorf("%s cannot be read: %w", OriginFile, err)
	}
	return bytes.Clone(data), nil
}

// losses collects what an export leaves out.
type losses struct {
	rules, ruled, controls, controlled int
	fixtures                           map[string]bool
	lines                              []string
}

func (l *losses) add(format string, args ...any) {
	l.lines = append(l.lines, fmt.Sprintf(format, args...))
}

// all gives the lines, the general ones first.
func (l *losses) all() []string {
	var out []string
	if l.rules > 0 {
		out = append(out, fmt.Sprintf("rules: the %d rules of %d items have no place in the schema; a reader makes its own of the checker's name and the expect", l.rules, l.ruled))
	}
	if l.controls > 0 {
		out = append(out, fmt.Sprintf("controls: the %d controls of %d items have no place in the schema", l.controls, l.controlled))
	}
	if n := len(l.fixtures); n > 0 {
		out = append(out, fmt.Sprintf("fixtures: %d files are named and not part of the file; hand over the folder fixtures/ beside it", n))
	}
	return append(out, l.lines...)
}

func exportOwn(b *bench.Bench, a About) ([]byte, []string, error) {
	state, err := bench.Inspect(b.FS)
	if err != nil {
		return nil, nil, err
	}
	l := &losses{fixtures: map[string]bool{}}
	items := list{}
	var frozen, exact int
	for _, id := range b.IDs() {
		raw, err := b.Item(id)
		if err != nil {
			return nil, nil, err
		}
		it, err := l.item(raw)
		if err != nil {
			return nil, nil, err
		}
		items = append(items, it)
		if raw.Frozen {
			frozen++
			if raw.Basis == "exact" {
				exact++
			}
		}
	}
	published := any(plain("null"))
	if state.Freeze != nil {
		published = text(state.Freeze.FrozenAt)
	} else {
		l.add("published_utc: the bench is not frozen, so there is no date; its version stands in the key version")
	}
	if a.Published != "" {
		published = text(a.Published)
	}
	status := a.Status
	if status == "" {
		status = "exported from the bench " + b.Name() + " by Assay"
	}
	freeze := ""
	if f := state.Freeze; f != nil {
		freeze = fmt.Sprintf("%d of %d drafted items were frozen at %s; the others are here with frozen: false, and are never run or counted. Any change of an item, a rule or a fixture gives another bench_sha256.", frozen, len(items), f.FrozenAt)
	}
	m := mapping{{"schema", text(Schema)}, {"exhibit", text(b.ID)}, {"version", text(b.Version)}, {"published_utc", published},
		{"status", text(status)}, {"hardware", orNull(a.Hardware)}, {"licence", text(b.Licence)}, {"attribution", text(b.Attribution)}, {"dataset", text(b.Title)},
		{"what_this_is", orNull(b.Notice)}, {"artifact", text(b.Name())}, {"sha256", text(state.Digest)}, {"freeze_note", orNull(freeze)},
		{"frozen_count", count(frozen)}, {"drafted_count", count(len(items))}, {"exact_items", count(exact)}, {"proxy_items", count(frozen - exact)},
		{"quota_frozen", l.quotas(b)}, {"protocol", l.protocol(&b.Protocol)},
		{"source", mapping{{"title", text(b.Name())}, {"bench_sha256", text(state.Digest)}, {"note", orNull(b.DerivedFrom)}, {"planted_facts", orNull(a.Planted)}}},
		{"checker_rules", text("the rules of each item are in the bench itself, " + b.Name() + ": assay show " + b.ID)}, {"checker_sha256", orNull(a.Grader)},
		{"limits", textList(b.Limits)}, {"items", items}, {"contamination_caveat", orNull(b.Contamination)}, {"not_a_standard", orNull(b.NotAStandard)}}
	if len(b.Lists) > 0 {
		l.add("lists: %s; they are part of rules", strings.Join(slices.Sorted(keysOf(b.Lists)), ", "))
	}
	data, err := writeJSON(m)
	if err != nil {
		return nil, nil, fmt.Errorf("%s cannot be written as JSON: %w", b.Name(), err)
	}
	if len(data) > MaxFile {
		return nil, nil, fmt.Errorf("%s makes a file of %d bytes, and at most %d are read again", b.Name(), len(data), MaxFile)
	}
	return data, l.all(), nil
}

func orNull(s string) any {
	if s == "" {
		return plain("null")
	}
	return text(s)
}
