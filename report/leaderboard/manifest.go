package leaderboard

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/world"
)

// ManifestFile lists what an exported run holds.
const ManifestFile = "run.json"

// Manifest is a run as it was exported: every planned attempt, whether it was made or not, with its stored verdict and the
// folder of its trajectory.
type Manifest struct {
	Run      string     `json:"run"`
	Bench    string     `json:"bench"` // id@version
	Digest   string     `json:"digest"`
	Grader   string     `json:"grader"`
	Repeats  int        `json:"repeats"`
	Attempts []Exported `json:"attempts"`
}

// Exported is one planned attempt.
type Exported struct {
	Task    string         `json:"task"`
	Model   string         `json:"model"`
	Posture string         `json:"posture"`
	Repeat  int            `json:"repeat"`
	Outcome record.Outcome `json:"outcome"` // "" where it was not made
	Folder  string         `json:"folder"`  // "" where there is no trajectory
	Verdict jsontext.Value `json:"verdict"` // as stored; null where there is none
}

const (
	maxManifest = 256 << 20
	maxAttempts = 100_000
)

// ReadFolder reads an exported run: a Run for each model and posture, in the order of their first attempts.
func ReadFolder(fsys fs.FS) (*Manifest, []Run, error) {
	b, err := readManifest(fsys)
	if err != nil {
		return nil, nil, err
	}
	var m Manifest
	if err := jsonv2.Unmarshal(b, &m, jsonv2.RejectUnknownMembers(true)); err != nil {
		return nil, nil, fmt.Errorf("%s: %s", ManifestFile, strings.Join(strings.Fields(err.Error()), " "))
	}
	if len(m.Attempts) > maxAttempts {
		return nil, nil, fmt.Errorf("%s: more than %d attempts", ManifestFile, maxAttempts)
	}
	var out []Run
	for i := range m.Attempts {
		e := &m.Attempts[i]
		at := slices.IndexFunc(out, func(r Run) bool { return r.Model == e.Model && r.Posture == e.Posture })
		if at < 0 {
			at = len(out)
			out = append(out, Run{ID: m.Run, Model: e.Model, Posture: e.Posture, Digest: m.Digest, Grader: m.Grader, Repeats: m.Repeats})
		}
		if e.Outcome == "" {
			continue // planned and not made: what is missing is found by its absence
		}
		a, err := e.attempt(fsys, m.Run)
		if err != nil {
			return nil, nil, err
		}
		out[at].Attempts = append(out[at].Attempts, a)
	}
	return &m, out, nil
}

func readManifest(fsys fs.FS) ([]byte, error) {
	f, err := fsys.Open(ManifestFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("there is no %s; an exported run has one: assay export --run RUN episodes -o DIR", ManifestFile)
	} else if err != nil {
		return nil, err
	}
	defer f.Close()
	if st, err := f.Stat(); err != nil || !st.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is no file", ManifestFile)
	}
	b, err := io.ReadAll(io.LimitReader(f, maxManifest+1))
	if err == nil && len(b) > maxManifest {
		err = fmt.Errorf("%s is larger than 256 MiB", ManifestFile)
	}
	return b, err
}

func (e *Exported) attempt(fsys fs.FS, run string) (Attempt, error) {
	a := Attempt{Run: run, Task: e.Task, Repeat: e.Repeat, Outcome: e.Outcome}
	if e.Verdict != nil && e.Verdict.Kind() == '{' {
		v := e.Verdict.Clone()
		if err := v.Canonicalize(jsontext.CanonicalizeRawInts(false), jsontext.AllowInvalidUTF8(true)); err != nil {
			return a, fmt.Errorf("%s: the verdict on %s: %w", ManifestFile, e.Task, err)
		}
		a.Verdict = v
	}
	if e.Folder == "" {
		return a, nil
	}
	if !fs.ValidPath(e.Folder) || path.Base(e.Folder) != e.Folder || strings.Contains(e.Folder, `\`) {
		return a, fmt.Errorf("%s: %q is no folder of this run", ManifestFile, e.Folder)
	}
	sub, err := fs.Sub(fsys, e.Folder)
	if err != nil {
		return a, err
	}
	if _, err := fs.Stat(sub, world.BundleFile); errors.Is(err, fs.ErrNotExist) {
		return a, nil // a trajectory that was taken away makes no row
	}
	if a.Transcript, err = world.ReadBundle(sub); err != nil {
		return a, fmt.Errorf("%s: %w", e.Folder, err)
	}
	return a, nil
}
