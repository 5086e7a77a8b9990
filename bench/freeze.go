package bench

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"slices"
	"sort"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Freeze is FREEZE.json: what was fixed, and when.
type Freeze struct {
	FrozenAt string            `json:"frozen_at"` // RFC 3339, UTC
	Digest   string            `json:"digest"`    // the bench's
	Grader   string            `json:"grader"`    // the grader's digest
	Frozen   int               `json:"frozen"`    // items that are run and counted
	Drafted  int               `json:"drafted"`   // all items in the files
	Files    map[string]string `json:"files"`     // path -> SHA-256
}

// State is what is known of a bench's files.
type State struct {
	Digest string  // the bench's digest as the files stand
	Freeze *Freeze // nil when there is no FREEZE.json; its Files are not kept
}

// Inspect computes the digest and holds every file against FREEZE.json, if there is one. A frozen bench that differs is
// an *Error that names the first file that does.
func Inspect(fsys fs.FS) (State, error) { return inspect(fsys, func(File) {}) }

// Inspect is the package's Inspect on the bench's files, and pins them: from then on an item or a fixture that is read must
// be the file that the digest was taken of, so that a bench that is changed while it runs is noticed.
func (b *Bench) Inspect() (State, error) {
	items, others := make([]pin, len(b.ids)), map[string]pin{}
	largest, fixtures := int64(0), false
	st, err := inspect(b.FS, func(f File) {
		p := pinOf(f.SHA256)
		fixtures = fixtures || strings.HasPrefix(f.Path, "fixtures/") || b.Shape == ShapeAgent // whose tasks draw on their evidence
		if strings.HasPrefix(f.Path, "items/") {
			largest = max(largest, f.Size)
		}
		if id, ok := b.itemOf(f.Path); ok {
			items[sort.SearchStrings(b.ids, id)] = p
			return
		}
		others[f.Path] = p
	})
	if err == nil {
		b.pinned, b.pins, b.otherPins = true, items, others
		if !fixtures {
			b.textWithin = largest * escaped
		}
	}
	return st, err
}

// escaped is how much longer a text can be than it is written in YAML, where two bytes can stand for a character of three.
const escaped = 2

// TextWithin bounds the length in bytes of every text of an item, once the bench was inspected; 0 means that nothing is known,
// since items may draw on fixtures.
func (b *Bench) TextWithin() int64 { return b.textWithin }

// pin is the beginning of a file's SHA-256, enough to notice a change.
type pin [8]byte

func pinOf(hexSum string) (p pin) {
	_, _ = hex.Decode(p[:], []byte(hexSum[:2*len(p)])) // hashFile writes hex
	return p
}

// read reads a file of the bench; one that is pinned must be what it was.
func (b *Bench) read(file string) ([]byte, error) {
	data, err := readFile(b.FS, file)
	if err != nil || !b.pinned {
		return data, err
	}
	want, ok := b.otherPins[file], true
	if id, isItem := b.itemOf(file); isItem {
		want = b.pins[sort.SearchStrings(b.ids, id)]
	} else {
		_, ok = b.otherPins[file]
	}
	sum := sha256.Sum256(data)
	if !ok || want != pin(sum[:len(want)]) {
		return nil, errors.New("was changed after the bench was opened; restore it, or start again with the bench as it is now")
	}
	return data, nil
}

func inspect(fsys fs.FS, each func(File)) (State, error) {
	fz, err := readFreeze(fsys)
	if err != nil {
		return State{}, err
	}
	d := newDigester()
	err = Files(fsys, func(f File) error {
		d.add(f)
		each(f)
		if fz == nil {
			return nil
		}
		want, ok := fz.Files[f.Path]
		if !ok {
			return frozenError(f.Path, "is not in FREEZE.json")
		}
		if want != f.SHA256 {
			return frozenError(f.Path, "differs from FREEZE.json")
		}
		delete(fz.Files, f.Path)
		return nil
	})
	if err != nil {
		return State{}, err
	}
	st := State{Digest: d.sum(), Freeze: fz}
	if fz == nil {
		return st, nil
	}
	if len(fz.Files) > 0 {
		return State{}, frozenError(slices.Min(slices.Collect(maps.Keys(fz.Files))), "is in FREEZE.json and not among the bench's files")
	}
	if fz.Digest != st.Digest {
		return State{}, frozenError(FreezeFile, "has a digest that its own files do not give")
	}
	fz.Files = nil
	return st, nil
}

func frozenError(file, what string) error {
	return &Error{File: file, Msg: what + "; a frozen bench must not change: restore the file, or raise the version in bench.yaml and run assay freeze --again"}
}

func readFreeze(fsys fs.FS) (*Freeze, error) {
	data, err := readFile(fsys, FreezeFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, &Error{File: FreezeFile, Msg: reason(err)}
	}
	var fz Freeze
	dec := jsontext.NewDecoder(bytes.NewReader(data))
	if err := json.UnmarshalDecode(dec, &fz, json.RejectUnknownMembers(true)); err != nil {
		return nil, &Error{File: FreezeFile, Msg: "not a freeze: " + err.Error()}
	}
	if _, err := dec.ReadToken(); err != io.EOF {
		return nil, &Error{File: FreezeFile, Msg: "not a freeze: there is text after it"}
	}
	return &fz, nil
}

// NewFreeze makes the freeze of a tree as it stands. at comes from the caller: this package has no clock.
func NewFreeze(fsys fs.FS, at time.Time, grader string, frozen, drafted int) ([]byte, error) {
	fz := Freeze{FrozenAt: at.UTC().Format(time.RFC3339), Grader: grader, Frozen: frozen, Drafted: drafted, Files: map[string]string{}}
	d := newDigester()
	err := Files(fsys, func(f File) error {
		d.add(f)
		fz.Files[f.Path] = f.SHA256
		return nil
	})
	if err != nil {
		return nil, err
	}
	fz.Digest = d.sum()
	b, err := json.Marshal(fz, json.Deterministic(true), jsontext.WithIndent("  "))
	if err != nil {
		return nil, fmt.Errorf("freeze: %w", err)
	}
	return append(b, '\n'), nil
}
