package world

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/assaybench/assay/record"
)

// Files of an exported episode, which can be judged from here alone.
const (
	BundleFile  = "bundle.json"   // whose episode it is, how it ended, the digests
	EventsFile  = "events.jsonl"  // one event a line, in canonical JSON
	ChangesFile = "changes.jsonl" // the difference between beginning and end, one row a line
)

// bundle is what bundle.json holds.
type bundle struct {
	Outcome record.Outcome `json:"outcome"`
	Reason  string         `json:"reason"`
	Session string         `json:"session"`
	World   string         `json:"world"`
	Task    string         `json:"task"`
	Seed    string         `json:"seed"`
	Rules   string         `json:"rules,omitempty"`
	State   string         `json:"state"`
	Ended   string         `json:"ended"`
	Sealed  bool           `json:"sealed"`
	Agent   string         `json:"agent,omitempty"`
	Events  int            `json:"events"` // how many there are
	Last    string         `json:"last"`   // the hash of the last one, or of the beginning where there is none
	Digest  string         `json:"digest"` // of all the above, and of the changes
}

// sum is the SHA-256 over a bundle's head and its changes. The last event's hash is part of it, which every event before went
// into: so nothing of an episode, how it ended and whether it was sealed included, can be changed by itself.
func (b bundle) sum(changes []byte) (string, error) {
	b.Digest = ""
	head, err := record.Canonical(b)
	if err != nil {
		return "", err
	}
	h := sha256.New()
	fmt.Fprintf(h, "assay bundle\x00%s\x00%x", head, sha256.Sum256(changes))
	return hex.EncodeToString(h.Sum(nil)), nil
}

// Damaged is an exported episode that is not as it was written: something was cut off, added or altered, or it is of a version
// that could not tell. It cannot be judged, and says nothing of the agent.
type Damaged struct{ Msg string }

func (d *Damaged) Error() string { return d.Msg }

func damaged(format string, args ...any) error { return &Damaged{fmt.Sprintf(format, args...)} }

// WriteBundle writes an episode into a new folder. The same episode is always the same bytes.
func WriteBundle(dir string, t *record.Transcript) error {
	ep := t.Episode
	if ep == nil {
		return errors.New("the attempt has no episode")
	}
	events, err := jsonLines(ep.Events)
	if err != nil {
		return fmt.Errorf("the events: %w", err)
	}
	n, last, err := endOf(ep)
	if err != nil {
		return fmt.Errorf("the events: %w", err)
	}
	changes, err := jsonLines(ep.Changes)
	if err != nil {
		return fmt.Errorf("the changes: %w", err)
	}
	h := bundle{t.Outcome, t.Reason, ep.Session, ep.World, ep.Task, ep.Seed, ep.Rules, ep.State, ep.Ended, ep.Sealed, ep.Agent, n, last, ""}
	if h.Digest, err = h.sum(changes); err != nil {
		return err
	}
	head, err := record.Canonical(h)
	if err != nil {
		return err
	}
	if err := os.Mkdir(dir, 0o755); err != nil {
		return err
	}
	// The head last: a folder without it is no bundle.
	for _, f := range []struct {
		name string
		data []byte
	}{{EventsFile, events}, {ChangesFile, changes}, {BundleFile, append(head, '\n')}} {
		if err := os.WriteFile(filepath.Join(dir, f.name), f.data, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// endOf counts an episode's events and gives the hash of the last one, by which a reader sees that none was taken off the end:
// what is left would be a whole chain.
func endOf(ep *record.Episode) (n int, last string, err error) {
	var hashes []struct {
		Hash string `json:"hash"`
	}
	if err := jsonv2.Unmarshal(ep.Events, &hashes); err != nil {
		return 0, "", err
	}
	if n = len(hashes); n == 0 {
		return 0, Genesis(ep.Session, ep.Seed), nil
	}
	return n, hashes[n-1].Hash, nil
}

// chained checks that an episode's events are whole and unaltered.
func chained(ep *record.Episode) error {
	var events []Event
	if err := jsonv2.Unmarshal(ep.Events, &events); err != nil {
		return errors.New("they are no events of an episode: " + notJSON(err))
	}
	return VerifyChain(Genesis(ep.Session, ep.Seed), events)
}

// numbered gives a number with its noun: 1 event, 2 events.
func numbered(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
}

func jsonLines(list jsontext.Value) ([]byte, error) {
	var parts []jsontext.Value
	if err := jsonv2.Unmarshal(list, &parts); err != nil {
		return nil, err
	}
	var b bytes.Buffer
	for _, p := range parts {
		if err := p.Canonicalize(jsontext.CanonicalizeRawInts(false)); err != nil {
			return nil, err
		}
		b.Write(p)
		b.WriteByte('\n')
	}
	return b.Bytes(), nil
}

const maxBundle = 1 << 30

// ReadBundle reads an exported episode, as the transcript that is judged. The error is a *Damaged where the files are not what
// was written.
func ReadBundle(fsys fs.FS) (*record.Transcript, error) {
	read := func(name string) ([]byte, error) {
		f, err := fsys.Open(name)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, damaged("there is no %s; an exported episode has %s, %s and %s", name, BundleFile, EventsFile, ChangesFile)
		} else if err != nil {
			return nil, err
		}
		defer f.Close()
		if st, err := f.Stat(); err != nil || !st.Mode().IsRegular() {
			return nil, damaged("%s is no file", name)
		}
		b, err := io.ReadAll(io.LimitReader(f, maxBundle+1))
		if err == nil && len(b) > maxBundle {
			err = damaged("%s is larger than 1 GiB", name)
		}
		return b, err
	}
	head, err := read(BundleFile)
	if err != nil {
		return nil, err
	}
	var h bundle
	if err := jsonv2.Unmarshal(head, &h, jsonv2.RejectUnknownMembers(true)); err != nil {
		return nil, damaged("%s is not what this program writes: %s", BundleFile, notJSON(err))
	}
	if !h.Outcome.Valid() {
		return nil, damaged("%s: the outcome %q is not known", BundleFile, oneLine(string(h.Outcome), 40))
	}
	t := &record.Transcript{Outcome: h.Outcome, Reason: h.Reason}
	t.Episode = &record.Episode{Session: h.Session, World: h.World, Task: h.Task, Seed: h.Seed, Rules: h.Rules, State: h.State, Ended: h.Ended, Sealed: h.Sealed, Agent: h.Agent}
	var changes []byte
	for _, f := range []struct {
		name string
		to   *jsontext.Value
	}{{EventsFile, &t.Episode.Events}, {ChangesFile, &t.Episode.Changes}} {
		if changes, err = read(f.name); err != nil {
			return nil, err
		}
		if *f.to, err = jsonList(changes); err != nil {
			return nil, damaged("%s: %v", f.name, err)
		}
	}
	n, last, err := endOf(t.Episode)
	if err != nil {
		return nil, damaged("%s: %s", EventsFile, notJSON(err))
	}
	sum, err := h.sum(changes)
	switch {
	case err != nil:
		return nil, err
	case h.Last == "" || h.Digest == "":
		return nil, damaged("%s does not say how the episode ends (events, last, digest), so that nobody could tell whether something was cut off; export the episode again: assay export --run RUN episodes -o DIR", BundleFile)
	case n != h.Events:
		return nil, damaged("%s has %s, and %s says %d: the file was cut or added to", EventsFile, numbered(n, "event"), BundleFile, h.Events)
	case last != h.Last:
		return nil, damaged("%s: event %d, the last one, is another than %s says (%.12s, not %.12s): the file was altered", EventsFile, n, BundleFile, last, h.Last)
	case sum != h.Digest:
		return nil, damaged("%s and %s are not what was written (digest %.12s, not %.12s): how it ended, whether it was sealed, or what it changed was altered", BundleFile, ChangesFile, sum, h.Digest)
	}
	if err := chained(t.Episode); err != nil {
		return nil, damaged("%s: %v", EventsFile, err)
	}
	return t, nil
}

// jsonList makes a list of lines that are each a JSON value.
func jsonList(b []byte) (jsontext.Value, error) {
	out := []byte{'['}
	for n := 1; len(b) > 0; n++ {
		line, rest, ended := bytes.Cut(b, []byte("\n"))
		if !ended {
			return nil, fmt.Errorf("line %d: the last line has no end; the file is torn", n)
		}
		if !jsontext.Value(line).IsValid() {
			return nil, fmt.Errorf("line %d is no JSON", n)
		}
		if n > 1 {
			out = append(out, ',')
		}
		out, b = append(out, line...), rest
	}
	return append(out, ']'), nil
}
