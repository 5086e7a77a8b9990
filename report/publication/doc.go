// Package publication makes an immutable bundle of a run that anybody can open and grade again: the bench, the plan, what the
// models and their servers said of themselves, every transcript, every verdict with its grader's digest, and a manifest that
// binds all of it. What is read from a publication is foreign input.
package publication

import (
	"errors"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/store"
)

// Format is the version of a publication's files.
const Format = "assay-publication-2"

// Files of a publication.
const (
	HeadFile        = "publication.json"
	AttemptsFile    = "attempts.jsonl"
	TranscriptsFile = "transcripts.jsonl"
	ResultFile      = "result.json"
	ReportFile      = "report.md"
	PageFile        = "index.html"
	BenchFile       = "bench.zip"
	ManifestFile    = "MANIFEST.json"
)

// Limits of what is read.
const (
	maxHead = 16 << 20
	maxLine = 256 << 20 // one transcript
	maxZip  = 512 << 20
)

// Head is what a publication says of its run.
type Head struct {
	Format     string         `json:"format"`
	Run        string         `json:"run"`     // its id
	Created    string         `json:"created"` // of the run, UTC
	Plan       store.Plan     `json:"plan"`
	Grader     string         `json:"grader"`     // of the verdicts
	Attempts   int            `json:"attempts"`   // that stand in attempts.jsonl
	Identities []Identity     `json:"identities"` // what each model's server said of itself, oldest first
	Facts      []Fact         `json:"facts"`      // what else was recorded beside the attempts
	About      jsontext.Value `json:"about,omitzero"`
	Bench      string         `json:"bench"`   // "bench.zip", or "withheld" of a private set
	Program    string         `json:"program"` // the version that published
}

// Identity is what was said of a model at one time.
type Identity struct {
	Model int            `json:"model"`
	Phase string         `json:"phase"`
	Taken string         `json:"taken"`
	Said  jsontext.Value `json:"said"`
}

// Fact is a fact of the run.
type Fact struct {
	Kind  string         `json:"kind"`
	Taken string         `json:"taken"`
	Body  jsontext.Value `json:"body"`
}

// Attempt is one attempt with its verdict. Transcript is the SHA-256 of its line in transcripts.jsonl, "" where there is none.
type Attempt struct {
	N          int            `json:"n"`
	Key        record.Key     `json:"key"`
	Family     string         `json:"family"`
	Basis      record.Basis   `json:"basis"`
	Tries      int            `json:"tries"`
	Outcome    record.Outcome `json:"outcome"`
	Letter     record.Letter  `json:"letter"`
	Pass       bool           `json:"pass"`
	Transcript string         `json:"transcript"`
	Verdict    jsontext.Value `json:"verdict"` // canonical; null without one
}

// Line is one line of transcripts.jsonl.
type Line struct {
	N           int               `json:"n"`
	Transcript  record.Transcript `json:"transcript"`
	RawAnswer   []byte            `json:"raw_answer,omitempty"` // where the answer is no valid UTF-8
	RawThinking []byte            `json:"raw_thinking,omitempty"`
}

// Manifest lists every other file of a publication. Digest is that of the list: SHA-256 over lines path NUL bytes NUL sha256 LF.
type Manifest struct {
	Format string  `json:"format"`
	Files  []Entry `json:"files"`
	Digest string  `json:"digest"`
}

// Entry is one file.
type Entry struct {
	Path   string `json:"path"`
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
}

// ErrPrivate refuses to publish what a private set consists of.
var ErrPrivate = errors.New("the run is of a private set, of which only counts and letters are ever shown; it is not published")

// Fault is something wrong with a publication, by place.
type Fault struct {
	Path string `json:"path"` // file
	Line int    `json:"line"` // 0 for the whole file
	What string `json:"what"`
}

func (f Fault) String() string {
	if f.Line > 0 {
		return fmt.Sprintf("%s:%d: %s", f.Path, f.Line, f.What)
	}
	return f.Path + ": " + f.What
}
