package publication

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/assaybench/assay/bench"
	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/report/signature"
)

// Publication is a publication that was opened and whose files are those of its manifest.
type Publication struct {
	Head     Head
	Manifest Manifest
	fsys     fs.FS
}

// Open reads a publication's head and holds every file against the manifest. Whatever is wrong is a fault with its place; the
// publication is nil where there are any.
func Open(fsys fs.FS) (*Publication, []Fault) {
	p := &Publication{fsys: fsys}
	b, err := small(fsys, ManifestFile)
	if err != nil {
		return nil, []Fault{{Path: ManifestFile, What: err.Error()}}
	}
	if err := strict(b, &p.Manifest); err != nil {
		return nil, []Fault{{Path: ManifestFile, What: err.Error()}}
	}
	if faults := p.files(); len(faults) > 0 {
		return nil, faults
	}
	if b, err = small(fsys, HeadFile); err == nil {
		err = strict(b, &p.Head)
	}
	switch {
	case err != nil:
		return nil, []Fault{{Path: HeadFile, What: err.Error()}}
	case p.Head.Format != Format:
		return nil, []Fault{{Path: HeadFile, What: fmt.Sprintf("the format %.60q is not known here; this program reads %s", p.Head.Format, Format)}}
	case p.Head.Grader != p.Head.Plan.Grader:
		return nil, []Fault{{Path: HeadFile, What: "the verdicts are not of the grader that the run was made with"}}
	}
	return p, nil
}

// strict decodes canonical JSON, and refuses unknown members and bytes that are not as they were written.
func strict(b []byte, into any) error {
	if err := json.Unmarshal(b, into, json.RejectUnknownMembers(true), jsontext.AllowInvalidUTF8(true)); err != nil {
		return errors.New("it cannot be read: " + oneLine(err.Error()))
	}
	again, err := record.Canonical(into)
	if err != nil {
		return err
	}
	if string(again) != strings.TrimSuffix(string(b), "\n") {
		return errors.New("it is not as it was written: no canonical JSON, or members are missing")
	}
	return nil
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

func small(fsys fs.FS, name string) ([]byte, error) {
	f, err := regular(fsys, name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxHead+1))
	if err == nil && len(b) > maxHead {
		err = fmt.Errorf("it has more than %d bytes", maxHead)
	}
	return b, err
}

func regular(fsys fs.FS, name string) (fs.File, error) {
	if st, err := fs.Lstat(fsys, name); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return nil, errors.New("the file is missing")
		}
		return nil, err
	} else if !st.Mode().IsRegular() {
		return nil, errors.New("it is no plain file")
	}
	return fsys.Open(name)
}

// files holds what is there against the manifest: every file, every byte, and nothing more.
func (p *Publication) files() (out []Fault) {
	want := []string{HeadFile, AttemptsFile, TranscriptsFile, ResultFile, ReportFile, PageFile, BenchFile}
	slices.Sort(want)
	var have []string
	for _, e := range p.Manifest.Files {
		have = append(have, e.Path)
	}
	if !slices.Equal(have, want) {
		return []Fault{{Path: ManifestFile, What: fmt.Sprintf("it lists %s; a publication has %s", strings.Join(have, ", "), strings.Join(want, ", "))}}
	}
	if p.Manifest.Format != Format || p.Manifest.Digest != listDigest(p.Manifest.Files) {
		out = append(out, Fault{Path: ManifestFile, What: "its digest is not that of what it lists"})
	}
	for _, e := range p.Manifest.Files {
		sum, n, err := digest(p.fsys, e.Path)
		switch {
		case err != nil:
			out = append(out, Fault{Path: e.Path, What: err.Error()})
		case sum != e.SHA256 || n != e.Bytes:
			out = append(out, Fault{Path: e.Path, What: fmt.Sprintf("it is not as it was published: SHA-256 %.12s and %d bytes, not %.12s and %d", sum, n, e.SHA256, e.Bytes)})
		}
	}
	entries, err := fs.ReadDir(p.fsys, ".")
	if err != nil {
		return append(out, Fault{Path: ".", What: err.Error()})
	}
	for _, e := range entries {
		if !slices.Contains(want, e.Name()) && e.Name() != ManifestFile && !slices.Contains(signature.Files, e.Name()) {
			out = append(out, Fault{Path: e.Name(), What: "it does not belong to the publication"})
		}
	}
	return out
}

func digest(fsys fs.FS, name string) (string, int64, error) {
	f, err := regular(fsys, name)
	if err != nil {
		return "", 0, err
	}
	defer f.Close()
	h := sha256.New()
	n, err := io.Copy(h, f)
	return hex.EncodeToString(h.Sum(nil)), n, err
}

// Bench opens the bench that the publication brings; its digest is the plan's.
func (p *Publication) Bench() (fs.FS, error) {
	f, err := regular(p.fsys, BenchFile)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxZip+1))
	if err != nil {
		return nil, err
	}
	if len(b) > maxZip {
		return nil, fmt.Errorf("%s has more than %d bytes", BenchFile, maxZip)
	}
	fsys, err := bench.OpenZip(b)
	if err != nil {
		return nil, err
	}
	d, err := bench.Digest(fsys)
	if err != nil {
		return nil, err
	}
	if d != p.Head.Plan.Digest {
		return nil, fmt.Errorf("the bench inside has the digest %.12s, and the run was made on %.12s", d, p.Head.Plan.Digest)
	}
	return fsys, nil
}

// Each goes through the attempts in order, each with its transcript; nil where it has none. What does not fit together is a
// fault, and is not yielded.
func (p *Publication) Each(yield func(a *Attempt, t *record.Transcript) error) (faults []Fault, err error) {
	af, err := regular(p.fsys, AttemptsFile)
	if err != nil {
		return nil, err
	}
	defer af.Close()
	tf, err := regular(p.fsys, TranscriptsFile)
	if err != nil {
		return nil, err
	}
	defer tf.Close()
	as, ts := scanner(af), scanner(tf)
	n, tn := 0, 0
	for ; as.Scan(); n++ {
		fault := func(path string, line int, what string) { faults = append(faults, Fault{path, line, what}) }
		var a Attempt
		if err := strict(as.Bytes(), &a); err != nil {
			fault(AttemptsFile, n+1, err.Error())
			return faults, nil
		}
		if a.N != n {
			fault(AttemptsFile, n+1, fmt.Sprintf("attempt %d stands where %d is wanted", a.N, n))
			return faults, nil
		}
		var t *record.Transcript
		if a.Transcript != "" {
			if !ts.Scan() {
				fault(TranscriptsFile, tn+1, fmt.Sprintf("the transcript of attempt %d is missing", n))
				return faults, ts.Err()
			}
			tn++
			b := ts.Bytes()
			sum := sha256.Sum256(b)
			var l Line
			switch err := strict(b, &l); {
			case hex.EncodeToString(sum[:]) != a.Transcript || err == nil && l.N != n:
				fault(TranscriptsFile, tn, fmt.Sprintf("it is not the transcript that attempt %d names", n))
				return faults, nil
			case err != nil:
				fault(TranscriptsFile, tn, err.Error())
				return faults, nil
			}
			if len(l.RawAnswer) > 0 {
				l.Transcript.Answer = string(l.RawAnswer)
			}
			if len(l.RawThinking) > 0 {
				l.Transcript.Thinking = string(l.RawThinking)
			}
			t = &l.Transcript
		}
		if err := yield(&a, t); err != nil {
			return faults, err
		}
	}
	if ts.Scan() {
		faults = append(faults, Fault{TranscriptsFile, tn + 1, "it belongs to no attempt"})
	}
	if n != p.Head.Attempts {
		faults = append(faults, Fault{AttemptsFile, 0, fmt.Sprintf("it has %d attempts, and the head says %d", n, p.Head.Attempts)})
	}
	return faults, errors.Join(as.Err(), ts.Err())
}

func scanner(r io.Reader) *bufio.Scanner {
	s := bufio.NewScanner(r)
	s.Buffer(make([]byte, 0, 1<<16), maxLine)
	s.Split(func(data []byte, atEOF bool) (int, []byte, error) { // a last line without an end is torn
		if i := bytes.IndexByte(data, '\n'); i >= 0 {
			return i + 1, data[:i], nil
		}
		if atEOF && len(data) > 0 {
			return 0, nil, errors.New("the last line has no end: the file is cut")
		}
		return 0, nil, nil
	})
	return s
}
