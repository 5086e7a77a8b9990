package publication

import (
	"archive/zip"
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/assaybench/assay/bench"
	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/report/signature"
	"github.com/assaybench/assay/report/stored"
	"github.com/assaybench/assay/store"
)

// Options of a publication.
type Options struct {
	About   jsontext.Value // of hardware and whatever else the publisher says; null for nothing
	Program string         // version of the program
	Secrets []string       // texts that must stand in no file: keys of the providers
	// Sign signs the manifest's bytes; nil: the publication is not signed.
	Sign signature.Signer
	// Progress is told how many attempts are written; may be nil.
	Progress func(done, total int)
}

// Write makes the publication of a run in dir, which must not exist. fsys is the bench that the run was made on: its digest
// must be the run's. Nothing is left behind where it fails.
func Write(ctx context.Context, db store.Store, r *store.Run, fsys fs.FS, dir string, o Options) (m *Manifest, err error) {
	if stored.IsPrivate(r) {
		return nil, ErrPrivate
	}
	digest, err := bench.Digest(fsys)
	if err != nil {
		return nil, err
	}
	if digest != r.Plan.Digest {
		return nil, fmt.Errorf("run %s was made on the bench %s@%s with the digest %.12s, and the bench here has %.12s; publish it with the bench as it was", r.ID, r.Plan.Bench, r.Plan.Version, r.Plan.Digest, digest)
	}
	if _, err := os.Lstat(dir); err == nil {
		return nil, fmt.Errorf("%w: %s", fs.ErrExist, dir)
	}
	tmp, err := os.MkdirTemp(filepath.Dir(dir), ".publish-")
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.RemoveAll(tmp))
		}
	}()
	w := &writer{dir: tmp, secrets: o.Secrets}
	if err := w.all(ctx, db, r, fsys, o); err != nil {
		return nil, err
	}
	var text []byte
	if m, text, err = w.manifest(); err != nil {
		return nil, err
	}
	if o.Sign != nil {
		s, err := o.Sign(text)
		if err != nil {
			return nil, err
		}
		if err := os.WriteFile(filepath.Join(tmp, s.File), s.Data, 0o644); err != nil {
			return nil, err
		}
	}
	if err := os.Chmod(tmp, 0o755); err != nil {
		return nil, err
	}
	return m, os.Rename(tmp, dir)
}

type writer struct {
	dir     string
	secrets []string
	entries []Entry
}

func (w *writer) all(ctx context.Context, db store.Store, r *store.Run, fsys fs.FS, o Options) error {
	n, err := w.attempts(ctx, db, r, o)
	if err != nil {
		return err
	}
	h := Head{Format: Format, Run: r.ID, Created: stamp(r.Created), Plan: r.Plan, Grader: r.Plan.Grader, Attempts: n, Identities: []Identity{}, Facts: []Fact{}, About: o.About, Bench: BenchFile, Program: o.Program}
	h.Plan.Source = "" // a path of the publisher's machine
	ids, err := db.Identities(ctx, r)
	if err != nil {
		return err
	}
	for _, id := range ids {
		said, err := record.Canonical(id.Identity)
		if err != nil {
			return err
		}
		h.Identities = append(h.Identities, Identity{id.Model, id.Phase, stamp(id.Taken), said})
	}
	facts, err := db.Facts(ctx, r, "")
	if err != nil {
		return err
	}
	for _, f := range facts {
		if f.Kind == store.FactLink {
			continue // of runs that are not published here
		}
		body, err := f.JSON()
		if err != nil {
			return err
		}
		h.Facts = append(h.Facts, Fact{f.Kind, stamp(f.Taken), body})
	}
	head, err := record.Canonical(h)
	if err != nil {
		return err
	}
	res, err := stored.Result(ctx, db, r, stored.Options{Full: true})
	if err != nil {
		return err
	}
	var asJSON bytes.Buffer
	if err := res.JSON(&asJSON); err != nil {
		return err
	}
	asText, err := text(&r.Plan, asJSON.Bytes())
	if err != nil {
		return err
	}
	archive, err := w.zipped(fsys)
	if err != nil {
		return err
	}
	for _, f := range []struct {
		name string
		data []byte
	}{{HeadFile, append(head, '\n')}, {ResultFile, asJSON.Bytes()}, {ReportFile, asText}, {BenchFile, archive}} {
		if err := w.file(f.name, f.data); err != nil {
			return err
		}
	}
	return w.page(&h)
}

// page writes the page out of the files that are there; they were searched for secrets already.
func (w *writer) page(h *Head) error {
	l, err := w.lines(PageFile)
	if err != nil {
		return err
	}
	err = (&Publication{Head: *h, fsys: os.DirFS(w.dir)}).page(writing{l})
	return errors.Join(err, l.close(w))
}

// writing counts and digests what is written.
type writing struct{ l *lines }

func (w writing) Write(b []byte) (int, error) {
	w.l.n += int64(len(b))
	return w.l.b.Write(b)
}

func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339Nano) }

// file writes one file, after it was searched for secrets.
func (w *writer) file(name string, data []byte) error {
	if err := w.clean(name, data); err != nil {
		return err
	}
	sum := sha256.Sum256(data)
	w.entries = append(w.entries, Entry{name, int64(len(data)), hex.EncodeToString(sum[:])})
	return os.WriteFile(filepath.Join(w.dir, name), data, 0o644)
}

func (w *writer) clean(name string, data []byte) error {
	for _, s := range w.secrets {
		if s != "" && (bytes.Contains(data, []byte(s)) || bytes.Contains(data, escaped(s))) {
			return fmt.Errorf("%s would hold one of the provider's keys; nothing was published: find where it was recorded, and run again without it there", name)
		}
	}
	return nil
}

// escaped is a text as it stands within JSON.
func escaped(s string) []byte {
	b, err := jsontext.AppendQuote(nil, s)
	if err != nil {
		return []byte(s)
	}
	return b[1 : len(b)-1]
}

// cleanLine searches a transcript's line, and what stands in it in base64 or within another text: bodies of requests and
// responses, and answers that are no valid UTF-8.
func (w *writer) cleanLine(line []byte, t *record.Transcript) error {
	if len(w.secrets) == 0 {
		return nil
	}
	parts := [][]byte{line, []byte(t.Answer), []byte(t.Thinking)}
	for _, c := range t.Calls {
		parts = append(parts, c.RequestBody, c.ResponseBody)
	}
	for _, p := range parts {
		if err := w.clean(TranscriptsFile, p); err != nil {
			return err
		}
	}
	return nil
}

// attempts writes both files of lines, a line at a time.
func (w *writer) attempts(ctx context.Context, db store.Store, r *store.Run, o Options) (n int, err error) {
	a, err := w.lines(AttemptsFile)
	if err != nil {
		return 0, err
	}
	t, err := w.lines(TranscriptsFile)
	if err != nil {
		return 0, errors.Join(err, a.close(w))
	}
	for row, rerr := range db.Rows(ctx, r, r.Plan.Grader) {
		if rerr != nil {
			err = rerr
			break
		}
		if err = w.attempt(ctx, db, r, row, a, t); err != nil {
			break
		}
		if n++; o.Progress != nil {
			o.Progress(n, r.Plan.Attempts)
		}
	}
	return n, errors.Join(err, a.close(w), t.close(w))
}

func (w *writer) attempt(ctx context.Context, db store.Store, r *store.Run, row store.Row, a, t *lines) error {
	out := Attempt{N: row.N, Key: row.Key, Family: row.Family, Basis: row.Basis, Tries: row.Try, Outcome: row.Outcome, Letter: row.Letter, Pass: row.Pass, Verdict: jsontext.Value("null")}
	if row.Try > 0 {
		tr, err := db.Transcript(ctx, r, row.N, 0)
		if err != nil {
			return err
		}
		l := Line{N: row.N, Transcript: tr}
		if !utf8.ValidString(tr.Answer) {
			l.RawAnswer, l.Transcript.Answer = []byte(tr.Answer), ""
		}
		if !utf8.ValidString(tr.Thinking) {
			l.RawThinking, l.Transcript.Thinking = []byte(tr.Thinking), ""
		}
		b, err := record.Canonical(l)
		if err != nil {
			return err
		}
		if err := w.cleanLine(b, &tr); err != nil {
			return err
		}
		sum := sha256.Sum256(b)
		out.Transcript = hex.EncodeToString(sum[:])
		if err := t.write(b); err != nil {
			return err
		}
	}
	if row.State != "" {
		body, err := db.VerdictJSON(ctx, r, row.N, r.Plan.Grader)
		if err != nil {
			return err
		}
		v := jsontext.Value(slices.Clone(body))
		if err := v.Canonicalize(jsontext.CanonicalizeRawInts(false), jsontext.AllowInvalidUTF8(true)); err != nil {
			return err
		}
		out.Verdict = v
	}
	b, err := record.Canonical(out)
	if err == nil {
		err = w.clean(AttemptsFile, b)
	}
	if err != nil {
		return err
	}
	return a.write(b)
}

// lines is a file of lines that is digested while it is written.
type lines struct {
	name string
	f    *os.File
	b    *bufio.Writer
	sum  interface {
		io.Writer
		Sum([]byte) []byte
	}
	n int64
}

func (w *writer) lines(name string) (*lines, error) {
	f, err := os.OpenFile(filepath.Join(w.dir, name), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if err != nil {
		return nil, err
	}
	l := &lines{name: name, f: f, sum: sha256.New()}
	l.b = bufio.NewWriterSize(io.MultiWriter(f, l.sum), 1<<20)
	return l, nil
}

func (l *lines) write(b []byte) error {
	l.n += int64(len(b)) + 1
	if _, err := l.b.Write(b); err != nil {
		return err
	}
	return l.b.WriteByte('\n')
}

func (l *lines) close(w *writer) error {
	err := errors.Join(l.b.Flush(), l.f.Close())
	w.entries = append(w.entries, Entry{l.name, l.n, hex.EncodeToString(l.sum.Sum(nil))})
	return err
}

func (w *writer) manifest() (*Manifest, []byte, error) {
	slices.SortFunc(w.entries, func(a, b Entry) int { return strings.Compare(a.Path, b.Path) })
	m := &Manifest{Format: Format, Files: w.entries, Digest: listDigest(w.entries)}
	b, err := record.Canonical(m)
	if err != nil {
		return nil, nil, err
	}
	b = append(b, '\n')
	return m, b, os.WriteFile(filepath.Join(w.dir, ManifestFile), b, 0o644)
}

func listDigest(entries []Entry) string {
	h := sha256.New()
	for _, e := range entries {
		fmt.Fprintf(h, "%s\x00%d\x00%s\n", e.Path, e.Bytes, e.SHA256)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// zipped packs a bench as it is, the same bytes each time. Reports are left out, as they are from its digest.
func (w *writer) zipped(fsys fs.FS) ([]byte, error) {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	add := func(name string) error {
		data, err := fs.ReadFile(fsys, name)
		if err == nil {
			err = w.clean("the bench's "+name, data)
		}
		if err != nil {
			return err
		}
		h := &zip.FileHeader{Name: name, Method: zip.Deflate}
		h.SetMode(0o644)
		f, err := z.CreateHeader(h)
		if err != nil {
			return err
		}
		_, err = f.Write(data)
		return err
	}
	var names []string
	if err := bench.Files(fsys, func(f bench.File) error { names = append(names, f.Path); return nil }); err != nil {
		return nil, err
	}
	if _, err := fs.Stat(fsys, bench.FreezeFile); err == nil {
		names = append(names, bench.FreezeFile)
	}
	slices.Sort(names)
	for _, n := range names {
		if err := add(n); err != nil {
			return nil, err
		}
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
