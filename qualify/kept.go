package qualify

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/assaybench/assay/record"
)

// sealedRecord is a stored record with the SHA-256 of its canonical JSON, so that a damaged one is noticed.
type sealedRecord struct {
	Record json.RawMessage `json:"record"`
	Sum    string          `json:"sum"`
}

const maxRecord = 64 << 20

// keep writes a record; two writers at once leave one of the two whole.
func keep(path string, v any) error {
	b, err := record.Canonical(v)
	if err != nil {
		return err
	}
	sum := sha256.Sum256(b)
	if b, err = record.Canonical(map[string]any{"record": json.RawMessage(b), "sum": hex.EncodeToString(sum[:])}); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	tmp, err := os.CreateTemp(filepath.Dir(path), "kept-*.new")
	if err != nil {
		return err
	}
	_, err = tmp.Write(append(b, '\n'))
	err = errors.Join(err, tmp.Chmod(0o644), tmp.Close())
	if err == nil {
		err = os.Rename(tmp.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(tmp.Name()))
	}
	return nil
}

// kept reads a record. The error says that there is none (fs.ErrNotExist) or that it is damaged.
func kept(fsys fs.FS, name string, to any) error {
	st, err := fs.Stat(fsys, name)
	if err != nil {
		return err
	}
	if !st.Mode().IsRegular() || st.Size() > maxRecord {
		return fmt.Errorf("%s: not a plain file of at most %d MiB", name, maxRecord>>20)
	}
	b, err := fs.ReadFile(fsys, name)
	if err != nil {
		return err
	}
	var r sealedRecord
	if err := json.Unmarshal(b, &r); err != nil {
		return fmt.Errorf("%s: this record is damaged; remove it", name)
	}
	canonical, err := record.Canonical(r.Record)
	if err != nil {
		return fmt.Errorf("%s: this record is damaged; remove it", name)
	}
	if sum := sha256.Sum256(canonical); r.Sum != hex.EncodeToString(sum[:]) {
		return fmt.Errorf("%s: this record is damaged; remove it", name)
	}
	return json.Unmarshal(r.Record, to)
}

func taskFile(digest string) string { return "agents/" + digest + ".json" }

// loadTask gives the proof of a task's digest, nil where there is none that is whole.
func (d Dir) loadTask(digest string) *TaskProof {
	var p TaskProof
	if err := kept(os.DirFS(string(d)), taskFile(digest), &p); err != nil || p.Digest != digest {
		return nil
	}
	return &p
}

func (d Dir) saveTask(p *TaskProof) error {
	return keep(filepath.Join(string(d), filepath.FromSlash(taskFile(p.Digest))), p)
}

// agentFile is where a report lies: by the digests of the bench and of its grader, and by the engine. It
// lies in a folder of its own, so that it is not taken for a proof.
func agentFile(digest, grader string) string {
	sum := sha256.Sum256([]byte(Engine))
	return fmt.Sprintf("%s/agents/%.16s-%.8s.json", digest, grader, hex.EncodeToString(sum[:]))
}

// SaveAgents keeps a report beside the proofs of the bench, by its digests and the engine, and gives its path.
func (d Dir) SaveAgents(r *AgentReport) (string, error) {
	path := filepath.Join(string(d), filepath.FromSlash(agentFile(r.Digest, r.Grader)))
	return path, keep(path, r)
}

// LoadAgents gives the report on a bench digest and a grader digest by this engine, nil where there is none.
func (d Dir) LoadAgents(digest, grader string) (*AgentReport, error) {
	return LoadAgents(os.DirFS(string(d)), digest, grader)
}

// LoadAgents reads a report in a tree of proofs, such as the one that ships inside the binary; nil where there is none.
func LoadAgents(fsys fs.FS, digest, grader string) (*AgentReport, error) {
	var r AgentReport
	err := kept(fsys, agentFile(digest, grader), &r)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	case r.Digest != digest || r.Grader != grader || r.Engine != Engine || r.Summary != r.count():
		return nil, fmt.Errorf("%s: this report is of another bench; remove it", agentFile(digest, grader))
	}
	return &r, nil
}
