package cli

import (
	"bufio"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/assaybench/assay/report/export"
	"github.com/assaybench/assay/report/stored"
	"github.com/assaybench/assay/store"
)

// runFormats are the formats that a run is written in: each into one file, or into a new folder.
var runFormats = []string{"episodes", "json", "jsonl", "csv", "csv-findings", "parquet", "junit", "inspect", "harbor-result"}

// folderFormats write several files.
var folderFormats = []string{"episodes", "parquet", "inspect"}

// exportRun writes what a run recorded.
func (p *Process) exportRun(ref, dbPath, grader, format, out string) error {
	folder := slices.Contains(folderFormats, format)
	switch {
	case !slices.Contains(runFormats, format):
		return usage("the format %q is not known for a run; known: %s", format, strings.Join(runFormats, ", "))
	case format == "episodes" && grader != "":
		return usage("episodes hold no verdicts; leave --grader off")
	case out == "" && folder:
		return usage("assay export --run RUN %s wants the folder to write: -o DIR", format)
	case out == "":
		return usage("assay export --run RUN %s wants the file to write: -o FILE (- for standard output)", format)
	case out == "-" && folder:
		return usage("%s is a folder; name it with -o DIR", format)
	}
	db, err := p.reading(dbPath)
	if err != nil {
		return err
	}
	defer db.Close()
	r, err := p.findRun(db, ref)
	if err != nil {
		return storeError(err)
	}
	if stored.IsPrivate(r) {
		return usage("run %s is of a private set, of which nothing is written out", r.ID)
	}
	var x *export.Run
	if format != "episodes" {
		if x, err = p.toExport(db, r, grader); err != nil {
			return err
		}
	}
	if format == "inspect" {
		if x.Prompt = p.promptsOf(r); x.Prompt == nil {
			p.notef("warning: the bench of run %s is not at hand as it was; the logs name its items and have no prompts", r.ID)
		}
	}
	if !folder {
		if err := p.exportFile(x, format, out); err != nil {
			return exportError(err)
		}
		if out != "-" {
			p.printf("%s: %s of run %s\n", shown(out), counted(r.Plan.Attempts, "attempt"), r.ID)
		}
		return nil
	}
	dir := p.path(out)
	if err := os.Mkdir(dir, 0o755); errors.Is(err, fs.ErrExist) {
		return usage("%s exists; name a new folder", shown(out))
	} else if err != nil {
		return fault(err)
	}
	if format == "episodes" {
		return p.exportEpisodes(db, r, dir, out)
	}
	names, err := x.Folder(p.Context, format, func(name string, write func(io.Writer) error) error {
		return writeStream(filepath.Join(dir, name), write)
	})
	if err != nil {
		return exportError(err)
	}
	p.printf("%s: %s of run %s in %s\n", shown(out), counted(r.Plan.Attempts, "attempt"), r.ID, strings.Join(names, ", "))
	return nil
}

func (p *Process) toExport(db store.Store, r *store.Run, grader string) (*export.Run, error) {
	res, err := p.wholeResult(db, r, grader)
	if err != nil {
		return nil, err
	}
	return &export.Run{DB: db, Run: r, Grader: res.Grader, Result: res}, nil
}

// promptsOf gives the prompts of a run's bench; nil where the bench is not at hand, or is another by now.
func (p *Process) promptsOf(r *store.Run) func(string) (string, error) {
	o, err := p.open(r.Plan.Source)
	if err != nil || o.state.Digest != r.Plan.Digest {
		return nil
	}
	return func(item string) (string, error) {
		messages, err := o.set.Prompt(item)
		var parts []string
		for _, m := range messages {
			parts = append(parts, m.Text)
		}
		return strings.Join(parts, "\n\n"), err
	}
}

func (p *Process) exportFile(x *export.Run, format, out string) error {
	write := map[string]func(context.Context, io.Writer) error{"json": x.JSON, "jsonl": x.JSONL, "csv": x.AttemptTable().CSV, "csv-findings": x.FindingTable().CSV, "junit": x.JUnit, "harbor-result": x.Harbor}[format]
	if out == "-" {
		b := bufio.NewWriter(p.Stdout)
		if err := write(p.Context, b); err != nil {
			return err
		}
		return b.Flush()
	}
	return writeStream(p.path(out), func(w io.Writer) error { return write(p.Context, w) })
}

// exportError tells a fault of the store from one of writing.
func exportError(err error) error {
	if store.KindOf(err) != "" {
		return storeError(err)
	}
	return fault(err)
}

// writeStream writes a file as it comes, and puts it in its place once it is whole.
func writeStream(path string, write func(io.Writer) error) error {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // it is gone once it was put in its place
	b := bufio.NewWriterSize(f, 1<<16)
	err = errors.Join(write(b), b.Flush(), f.Chmod(0o644), f.Close())
	if err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}
