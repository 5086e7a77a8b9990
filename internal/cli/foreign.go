package cli

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/assaybench/assay/contract/foreign"
	"github.com/assaybench/assay/contract/foreign/snapshot"
	"github.com/assaybench/assay/contract/harbor"
)

// Files of an imported foreign contract.
const (
	foreignFile     = "foreign.yaml"
	foreignContract = "contract.json"
	foreignTools    = "tools.json"
	foreignFormat   = "assay-foreign-contract-1"
)

// foreignRecord is what foreign.yaml says of an import.
type foreignRecord struct {
	Format   string         `yaml:"format"`
	Engine   string         `yaml:"engine"` // whose rules judge; never ours
	Task     string         `yaml:"task,omitempty"`
	Contract string         `yaml:"contract_sha256"`
	Tools    string         `yaml:"tools_sha256"`
	Checks   map[string]int `yaml:"checks"`
	Opaque   []string       `yaml:"opaque,omitempty"`
}

func sha(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// importContract keeps another engine's contract as data, byte for byte, with the list of tools that says which of them write.
func (p *Process) importContract(name, tools, out string) error {
	if tools == "" {
		return usage("assay import contract wants --tools FILE, the list of tools that says which of them write")
	}
	data, err := p.readInput(name, foreign.MaxContract)
	if err != nil {
		return err
	}
	c, err := foreign.Parse(data)
	if err != nil {
		return usage("%s: %v", shown(name), err)
	}
	list, err := p.readInput(tools, foreign.MaxContract)
	if err != nil {
		return err
	}
	if _, err := foreign.ParseTools(list); err != nil {
		return usage("%s: %v", shown(tools), err)
	}
	r := foreignRecord{foreignFormat, foreign.Engine, c.Task, sha(data), sha(list), map[string]int{
		"investigations": len(c.Investigations), "readbacks": len(c.Readbacks), "assertions": len(c.Assertions), "answers": len(c.Answers), "milestones": len(c.Milestones)}, c.Opaque}
	record, err := yaml.Marshal(r)
	if err != nil {
		return fault(err)
	}
	if err := p.writeTree(out, map[string][]byte{foreignFile: record, foreignContract: data, foreignTools: list}); err != nil {
		return err
	}
	p.printf("%s holds a contract of another engine, judged by its rules (%s) and never by ours\n  %d investigations, %d readbacks, %d assertions, %d answers, %d milestones\n  contract %s\n",
		out, foreign.Engine, len(c.Investigations), len(c.Readbacks), len(c.Assertions), len(c.Answers), len(c.Milestones), r.Contract)
	for _, o := range c.Opaque {
		p.printf("opaque: %s\n", plain(o))
	}
	p.printf("judge an episode of it with assay grade %s --foreign FILE (its world's database, or its calls as JSON)\n", out)
	return nil
}

// gradeForeign judges an episode of another engine by an imported contract: of an import of its own, or beside the tests of an
// imported Harbor package.
func (p *Process) gradeForeign(dir, episode, tools string, asJSON bool) error {
	data, list, err := p.foreignInput(dir, tools)
	if err != nil {
		return err
	}
	c, err := foreign.Parse(data)
	if err != nil {
		return usage("%s: the contract: %v", shown(dir), err)
	}
	t, err := foreign.ParseTools(list)
	if err != nil {
		return usage("%s: the list of tools: %v", shown(cmp.Or(tools, dir)), err)
	}
	e, err := p.foreignEpisode(episode)
	if err != nil {
		return err
	}
	v, err := c.Judge(p.Context, sha(data), e, t)
	if err != nil {
		return fault(fmt.Errorf("%s: %w", plain(dir), err))
	}
	if asJSON {
		return p.writeJSON(v)
	}
	for _, k := range v.Checks {
		mark := "fails"
		switch {
		case !k.Judged:
			mark = "open "
		case k.Pass:
			mark = "holds"
		}
		p.printf("%s  %-20s %s: %s\n", mark, k.Kind, plain(k.ID), plain(k.Why))
	}
	score := "no score: "
	switch {
	case v.Score != nil:
		score = "score " + *v.Score + ", strict " + map[bool]string{true: "pass", false: "fail"}[*v.Strict] + ": "
	case v.Judged < v.Planned:
		score = "no score, since not all could be judged: "
	}
	p.printf("%s%d of %d checks hold, %d judged\n  by the rules of another engine (%s), not by ours; it stands in no figure\n", score, v.Passed, v.Planned, v.Judged, v.Engine)
	return nil
}

// foreignInput reads the contract and the list of tools of an import.
func (p *Process) foreignInput(dir, tools string) (contract, list []byte, err error) {
	root, err := os.OpenRoot(p.path(dir))
	if err != nil {
		return nil, nil, usage("%s: %v", shown(dir), reasonOf(err))
	}
	defer root.Close()
	fsys := root.FS()
	if b, rerr := fs.ReadFile(fsys, foreignFile); rerr == nil {
		var r foreignRecord
		if err := yaml.Unmarshal(b, &r); err != nil || r.Format != foreignFormat {
			return nil, nil, usage("%s: it is not of the format %s", shown(dir+"/"+foreignFile), foreignFormat)
		}
		if contract, err = fs.ReadFile(fsys, foreignContract); err == nil {
			list, err = fs.ReadFile(fsys, foreignTools)
		}
		switch {
		case err != nil:
			return nil, nil, usage("%s: %v", shown(dir), reasonOf(err))
		case sha(contract) != r.Contract || sha(list) != r.Tools:
			return nil, nil, usage("%s: its contract or its tools are not as they were imported; import them again", shown(dir))
		}
	} else if contract, list, err = foreignOfPackage(fsys, dir); err != nil {
		return nil, nil, err
	}
	if tools != "" {
		list, err = p.readInput(tools, foreign.MaxContract)
	} else if list == nil {
		err = usage("%s: no file of the package says which tools write; give the list of tools: --tools FILE", shown(dir))
	}
	return contract, list, err
}

// foreignOfPackage finds the contract and the tools in an imported Harbor package.
func foreignOfPackage(fsys fs.FS, dir string) (contract, list []byte, err error) {
	b, err := fs.ReadFile(fsys, harbor.ImportFile)
	if err != nil {
		return nil, nil, usage("%s: no import of a contract or a Harbor package lies there (assay import contract, assay import harbor)", shown(dir))
	}
	var u harbor.Understood
	if err := yaml.Unmarshal(b, &u); err != nil {
		return nil, nil, usage("%s: not of the format %s", shown(dir+"/"+harbor.ImportFile), harbor.Format)
	}
	switch len(u.Foreign) {
	case 0:
		return nil, nil, usage("%s: the package holds no contract that is understood; its verifier is opaque", shown(dir))
	case 1:
	default:
		return nil, nil, usage("%s: the package holds several contracts: %s; import the one that is meant with assay import contract", shown(dir), plain(strings.Join(u.Foreign, ", ")))
	}
	if contract, err = fs.ReadFile(fsys, path.Join(harbor.OriginDir, u.Foreign[0])); err != nil {
		return nil, nil, usage("%s: %v", shown(dir), reasonOf(err))
	}
	if u.ToolList != "" {
		if list, err = fs.ReadFile(fsys, path.Join(harbor.OriginDir, u.ToolList)); err != nil {
			return nil, nil, usage("%s: %v", shown(dir), reasonOf(err))
		}
	}
	return contract, list, nil
}

// foreignEpisode reads a world's database, or calls in JSON.
func (p *Process) foreignEpisode(name string) (*foreign.Episode, error) {
	data, err := p.readInput(name, foreign.MaxTrace)
	if err != nil {
		return nil, err
	}
	if strings.HasPrefix(string(data[:min(len(data), len(snapshot.Magic))]), snapshot.Magic) {
		tables, err := snapshot.Read(p.Context, data)
		if err != nil {
			return nil, usage("%s: %v", shown(name), err)
		}
		e, err := foreign.OfTables(tables)
		if err != nil {
			return nil, usage("%s: %v", shown(name), err)
		}
		return e, nil
	}
	calls, err := foreign.ReadTrace(data)
	if err != nil {
		return nil, usage("%s: %v", shown(name), err)
	}
	return &foreign.Episode{Calls: calls}, nil
}
