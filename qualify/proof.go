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
	"strings"
	"time"

	"github.com/assaybench/assay/record"
)

// Proof says that a grader, by its digest, judged every control of a bench, by its digest, rightly: on a machine with this
// sandbox tier and this python, where the bench executes anything.
type Proof struct {
	Bench     string `json:"bench"`
	Digest    string `json:"digest"`
	Grader    string `json:"grader"`
	Tier      string `json:"tier"`   // "" where nothing is executed
	Python    string `json:"python"` // "" where no rule needs python
	Controls  int    `json:"controls"`
	Generated int    `json:"generated"`
	Slow      bool   `json:"slow"` // slow controls were run too
	At        string `json:"at"`   // RFC 3339, UTC
	// Engine is that of the qualification of agent tasks (Engine), "" where the proof holds none.
	Engine string `json:"engine,omitzero"`
	// Index is what the compiled bench leaves behind (grade.Restore takes it); empty where only some items were judged.
	Index []byte `json:"index"`
	// Sum is the SHA-256 of the proof without it, so that a damaged one is noticed.
	Sum string `json:"sum"`
	// Only lists the items that were judged where it was not the whole bench.
	Only []string `json:"only"`
}

// Machine is what decides whether a proof made elsewhere holds here.
type Machine struct {
	Tier   string
	Python string
}

// Prove makes a proof from a clean report: of a whole bench, or of the items that execute answers, which then stands beside a
// proof of the whole made elsewhere.
func (r *Report) Prove(m Machine, slow bool, at time.Time) (Proof, error) {
	if r.Digest == "" {
		return Proof{}, fmt.Errorf("%s: a proof needs the bench's digest", r.Bench)
	}
	if !r.Clean() {
		return Proof{}, fmt.Errorf("%s is not proven: faults %d, controls not graded %d", r.Bench, len(r.Faults), r.NotGraded)
	}
	return Proof{Bench: r.Bench, Digest: r.Digest, Grader: r.Grader, Tier: m.Tier, Python: m.Python,
		Controls: r.Controls, Generated: r.Generated, Slow: slow, At: at.UTC().Format(time.RFC3339), Index: r.index, Only: r.only}, nil
}

// Qualify makes the proof one of a bench of agent tasks, by the report on its executions: clean, and of the same digests.
func (p *Proof) Qualify(a *AgentReport) error {
	if !a.Clean() || a.Digest != p.Digest || a.Grader != p.Grader {
		return fmt.Errorf("%s is not qualified: faults %d, executions %d of %d", p.Bench, a.Summary.Faults, a.Summary.Executions, Executions*a.Summary.Tasks)
	}
	p.Engine = a.Engine
	return nil
}

// Standing is how far a bench is proven on this machine.
type Standing int

const (
	Unproven  Standing = iota
	Elsewhere          // the rules are proven; what is executed was proven with another sandbox or python
	Proven
)

// Stand holds a bench and a grader against proofs. executes says whether the bench runs anything; engine is the one by which a
// bench of agent tasks must be qualified, "" for benches of other shapes.
func Stand(digest, grader, engine string, m Machine, executes bool, proofs []Proof) Standing {
	whole, here := false, false
	for _, p := range proofs {
		if p.Digest != digest || p.Grader != grader || p.Engine != engine {
			continue
		}
		whole = whole || len(p.Only) == 0
		here = here || p.Tier == m.Tier && p.Python == m.Python
	}
	switch {
	case !whole:
		return Unproven
	case !executes || here:
		return Proven
	}
	return Elsewhere
}

// Dir keeps proofs outside every bench, one folder for each bench digest.
type Dir string

// Save writes a proof; the same proof is overwritten.
func (d Dir) Save(p Proof) (string, error) {
	p.Sum = p.sum()
	b, err := record.Canonical(p)
	if err != nil {
		return "", err
	}
	name := strings.Map(func(r rune) rune {
		if r == '.' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' {
			return r
		}
		return '-'
	}, fmt.Sprintf("%.16s-%s-%s%s.json", p.Grader, p.Tier, p.Python, map[bool]string{true: "-part"}[len(p.Only) > 0]))
	if p.Engine != "" { // a later check, which qualifies nothing, must not take its place
		name = strings.TrimSuffix(name, ".json") + "-qualified.json"
	}
	path := filepath.Join(string(d), p.Digest, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return "", err
	}
	// Two checks at once must not write into each other's file.
	tmp, err := os.CreateTemp(filepath.Dir(path), "proof-*.new")
	if err != nil {
		return "", err
	}
	_, err = tmp.Write(append(b, '\n'))
	err = errors.Join(err, tmp.Chmod(0o644), tmp.Close())
	if err == nil {
		err = os.Rename(tmp.Name(), path)
	}
	if err != nil {
		return "", errors.Join(err, os.Remove(tmp.Name()))
	}
	return path, nil
}

// sum is what Sum must be.
func (p Proof) sum() string {
	p.Sum = ""
	b, err := record.Canonical(p)
	if err != nil {
		return ""
	}
	h := sha256.Sum256(b)
	return hex.EncodeToString(h[:])
}

// Load reads the proofs of a bench digest; there may be none. What cannot be read is left out and named in problems.
func (d Dir) Load(digest string) (proofs []Proof, problems []string, err error) {
	proofs, problems, err = LoadProofs(os.DirFS(string(d)), digest)
	for i := range problems {
		problems[i] = filepath.Join(string(d), problems[i])
	}
	return proofs, problems, err
}

// LoadProofs reads the proofs below DIGEST/ in a tree, such as the ones that ship inside the binary.
func LoadProofs(fsys fs.FS, digest string) (proofs []Proof, problems []string, err error) {
	entries, err := fs.ReadDir(fsys, digest)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	for _, e := range entries {
		name := digest + "/" + e.Name()
		if !strings.HasSuffix(name, ".json") {
			continue
		}
		var p Proof
		if !e.Type().IsRegular() {
			problems = append(problems, name+": not a plain file; remove it")
		} else if b, err := fs.ReadFile(fsys, name); err != nil {
			problems = append(problems, name+": "+err.Error())
		} else if err := json.Unmarshal(b, &p); err != nil || p.Sum != p.sum() || p.Digest != digest {
			problems = append(problems, name+": this proof is damaged and does not count; remove it and run assay check")
		} else {
			proofs = append(proofs, p)
		}
	}
	return proofs, problems, nil
}
