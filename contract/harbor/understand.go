package harbor

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/BurntSushi/toml"

	"github.com/assaybench/assay/contract/foreign"
)

// Dialects of packages: how a task is judged.
const (
	Sealed     = "sealed-contract" // a contract lies beside the tests as data
	DataChecks = "data-checks"     // checks.json lists what is looked at
	AnswerOnly = "answer-only"     // an expected answer lies beside the tests as data
	Opaque     = "opaque-verifier" // a program decides, which is not run on import
	MultiStep  = "multi-step"      // [[steps]], each with a verifier of its own
)

// MCPServer is a server that a package's agent is given.
type MCPServer struct {
	Name      string   `json:"name" yaml:"name" toml:"name"`
	Transport string   `json:"transport" yaml:"transport,omitempty" toml:"transport"`
	URL       string   `json:"url,omitempty" yaml:"url,omitempty" toml:"url"`
	Command   string   `json:"command,omitempty" yaml:"command,omitempty" toml:"command"`
	Args      []string `json:"args,omitempty" yaml:"args,omitempty" toml:"args"`
}

// Understood is what was made out of a package's files.
type Understood struct {
	Format      string            `yaml:"format"`
	Name        string            `yaml:"name"`
	Schema      string            `yaml:"schema_version"`
	Version     string            `yaml:"version,omitempty"`
	Description string            `yaml:"description,omitempty"`
	Dialect     string            `yaml:"dialect"`
	Content     string            `yaml:"content_digest"`
	Tree        string            `yaml:"tree_digest"`
	Parent      string            `yaml:"parent_digest,omitempty"`
	Request     string            `yaml:"request"`
	Orientation string            `yaml:"orientation,omitempty"`
	Split       string            `yaml:"split"` // how request and orientation were told apart
	Servers     []MCPServer       `yaml:"mcp_servers,omitempty"`
	Visible     []string          `yaml:"visible_files,omitempty"`
	Sealed      []string          `yaml:"sealed_files,omitempty"`
	Oracle      []OracleCall      `yaml:"oracle_calls,omitempty"`
	Opaque      []string          `yaml:"opaque,omitempty"`
	Foreign     []string          `yaml:"foreign_contracts,omitempty"` // files that contract/foreign understands
	ToolList    string            `yaml:"tool_list,omitempty"`         // the file that says which tools write
	NotKnown    []string          `yaml:"unknown_tables,omitempty"`    // of task.toml, kept verbatim in origin/
	Runnable    string            `yaml:"runnable"`                    // yes, no or not-measured
	Why         []string          `yaml:"why,omitempty"`
	Warnings    []string          `yaml:"warnings,omitempty"`
	Files       map[string]string `yaml:"files"` // path to mode and sha256
}

// Format names the form of harbor.yaml.
const Format = "assay-harbor-import-1"

type taskFile struct {
	Schema string `toml:"schema_version"`
	Task   struct {
		Name        string `toml:"name"`
		Version     string `toml:"version"`
		Description string `toml:"description"`
	} `toml:"task"`
	Environment struct {
		Image   string      `toml:"docker_image"`
		Servers []MCPServer `toml:"mcp_servers"`
	} `toml:"environment"`
	Steps []map[string]any `toml:"steps"`
}

var schemas = []string{"1.0", "1.1", "1.2", "1.3", "1.4"}

// Tables of task.toml that the format knows; others are kept and named.
var tables = []string{"schema_version", "version", "task", "metadata", "agent", "verifier", "solution", "environment", "steps", "multi_step_reward_strategy", "artifacts", "source"}

// ReadTask reads a task.toml.
func readTask(b []byte) (t taskFile, unknown []string, err error) {
	if !utf8.Valid(b) {
		return t, nil, errors.New("task.toml: not UTF-8")
	}
	var all map[string]any
	if _, err := toml.Decode(string(b), &all); err != nil {
		return t, nil, fmt.Errorf("task.toml: %s", oneLine(err))
	}
	if _, err := toml.Decode(string(b), &t); err != nil {
		return t, nil, fmt.Errorf("task.toml: %s", oneLine(err))
	}
	if t.Schema == "" {
		if v, ok := all["version"].(string); ok { // the first form of the format calls it so
			t.Schema = v
		}
	}
	if !slices.Contains(schemas, t.Schema) {
		return t, nil, fmt.Errorf("task.toml: schema_version %q is not known; known: %s", t.Schema, strings.Join(schemas, ", "))
	}
	for _, k := range slices.Sorted(maps.Keys(all)) {
		if !slices.Contains(tables, k) {
			unknown = append(unknown, k)
		}
	}
	return t, unknown, nil
}

func oneLine(err error) string {
	s := strings.Join(strings.Fields(err.Error()), " ")
	if len(s) > 240 {
		s = strings.ToValidUTF8(s[:240], "") + "…"
	}
	return s
}

// Understand makes out what a package says as data. It fails where the package is no package, or where a digest that it
// declares is not that of its files.
func Understand(files Files) (*Understood, error) {
	b, ok := files["task.toml"]
	if !ok {
		return nil, errors.New("no task.toml; a package is one task's folder")
	}
	t, unknown, err := readTask(b.Data)
	if err != nil {
		return nil, err
	}
	have := sumsOf(files)
	u := &Understood{Format: Format, Name: t.Task.Name, Schema: t.Schema, Version: t.Task.Version, Description: t.Task.Description,
		Content: have.content(), Tree: have.tree(), Servers: t.Environment.Servers, NotKnown: unknown, Files: map[string]string{}}
	for _, n := range files.Names() {
		mode := "0644 "
		if files[n].Exec {
			mode = "0755 "
		}
		u.Files[n] = mode + have.of[n]
		first, _, deep := strings.Cut(n, "/")
		switch {
		case deep && (first == "tests" || first == "solution") || first == "steps" && (strings.Contains(n, "/tests/") || strings.Contains(n, "/solution/")), strings.HasPrefix(n, worldPart) && !agentSide(n):
			u.Sealed = append(u.Sealed, n)
		case n == "instruction.md" || first == "environment" && deep || first == "steps":
			u.Visible = append(u.Visible, n)
		}
	}
	if err := u.readInstruction(files, len(t.Steps) > 0); err != nil {
		return nil, err
	}
	if err := verifyDeclared(files); err != nil {
		return nil, err
	}
	u.dialect(files, len(t.Steps) > 0)
	if err := u.readOracle(files); err != nil {
		return nil, err
	}
	u.judgeRunnable(files, t)
	u.Warnings = append(u.Warnings, secrets(files)...)
	return u, nil
}

func (u *Understood) readInstruction(files Files, steps bool) error {
	f, ok := files["instruction.md"]
	if !ok {
		if steps {
			u.Split = "each step has an instruction of its own"
			return nil
		}
		return errors.New("no instruction.md; nothing is asked")
	}
	if !utf8.Valid(f.Data) {
		return errors.New("instruction.md: not UTF-8")
	}
	u.Request, u.Orientation, u.Split = SplitInstruction(string(f.Data), u.Description)
	if strings.HasPrefix(strings.TrimSpace(string(f.Data)), "-") {
		u.Warnings = append(u.Warnings, "instruction.md begins with a hyphen, which some agents' command lines take for an option")
	}
	return nil
}

// begins matches a line that begins what is said of the surroundings, not of the work.
var begins = regexp.MustCompile(`(?i)^(#{1,4}\s*)?\W*(environment|harness|orientation|how to work|available tools|tools|tooling|surfaces|access|how to connect|connecting)\W*$`)

// SplitInstruction tells what is asked from what is said of the surroundings. how names the rule that decided.
func SplitInstruction(text, description string) (request, orientation, how string) {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	if before, after, ok := strings.Cut(text, harnessBegin); ok {
		after, _, _ = strings.Cut(after, harnessEnd)
		return strings.TrimSpace(before), strings.TrimSpace(after), "marked"
	}
	d := strings.TrimSpace(strings.ReplaceAll(description, "\r\n", "\n"))
	if t := strings.TrimSpace(text); len(d) >= 80 && strings.HasPrefix(t, d) {
		return d, strings.TrimSpace(t[len(d):]), "the description is the request"
	}
	lines, fence := strings.Split(text, "\n"), false
	for i, l := range lines {
		if strings.HasPrefix(strings.TrimSpace(l), "```") {
			fence = !fence
		}
		if !fence && i > 0 && begins.MatchString(strings.TrimSpace(l)) && strings.TrimSpace(strings.Join(lines[:i], "\n")) != "" {
			return strings.TrimSpace(strings.Join(lines[:i], "\n")), strings.TrimSpace(strings.Join(lines[i:], "\n")), "a heading"
		}
	}
	return strings.TrimSpace(text), "", "undivided: the whole text counts as the request"
}

// dialect makes out how the task is judged, by the data that lies beside its tests.
func (u *Understood) dialect(files Files, steps bool) {
	var contracts, checks, answers, programs []string
	for _, n := range u.Sealed {
		base := strings.ToLower(path.Base(n))
		inTests := strings.HasPrefix(n, "tests/") || strings.Contains(n, "/tests/")
		if !inTests {
			continue
		}
		switch {
		case strings.Contains(base, "contract") && (strings.HasSuffix(base, ".json") || strings.HasSuffix(base, ".yaml")):
			contracts = append(contracts, n)
		case base == "checks.json":
			checks = append(checks, n)
		case slices.Contains([]string{"expected.json", "answer.json", "expected_answer.json", "answers.json", "expected.txt", "answer.txt"}, base):
			answers = append(answers, n)
		case files[n].Exec || bytes.HasPrefix(files[n].Data, []byte("#!")) || slices.Contains([]string{".sh", ".py", ".js", ".ts", ".rb"}, path.Ext(base)):
			programs = append(programs, n)
		}
	}
	switch {
	case steps:
		u.Dialect = MultiStep
		u.Opaque = append(u.Opaque, programs...)
	case len(contracts) > 0:
		u.Dialect = Sealed
	case len(checks) > 0:
		u.Dialect = DataChecks
	case len(answers) > 0:
		u.Dialect = AnswerOnly
	default:
		u.Dialect = Opaque
	}
	if u.Dialect != MultiStep {
		u.Opaque = append(u.Opaque, programs...) // even beside data it is the program that decides
	}
	u.foreign(files)
	for _, n := range slices.Concat(contracts, checks, answers) {
		if path.Ext(n) == ".json" && !json.Valid(files[n].Data) {
			u.Warnings = append(u.Warnings, n+" is not JSON")
		}
	}
}

// foreign finds another engine's contracts among the sealed files, and the list of tools that they are judged with.
func (u *Understood) foreign(files Files) {
	for _, n := range u.Sealed {
		if path.Ext(n) != ".json" || len(files[n].Data) > foreign.MaxContract {
			continue
		}
		if _, err := foreign.Parse(files[n].Data); err == nil {
			u.Foreign = append(u.Foreign, n)
		}
	}
	for _, n := range files.Names() {
		if path.Base(n) != "tools.json" || u.ToolList != "" || len(u.Foreign) == 0 {
			continue
		}
		if _, err := foreign.ParseTools(files[n].Data); err == nil {
			u.ToolList = n
		}
	}
}

func (u *Understood) judgeRunnable(files Files, t taskFile) {
	u.Runnable = "not-measured"
	docker, compose := false, false
	for _, n := range u.Visible {
		switch path.Base(n) {
		case "Dockerfile":
			docker = true
		case "docker-compose.yaml", "docker-compose.yml":
			compose = true
			if bytes.Contains(files[n].Data, []byte("pull_policy: never")) {
				u.Why = append(u.Why, n+": an image is never pulled, so it must be on the machine already")
			}
		}
	}
	no := func(why string) { u.Runnable, u.Why = "no", append(u.Why, why) }
	if !docker && !compose && t.Environment.Image == "" {
		no("no Dockerfile, docker-compose.yaml or docker_image says where the task runs")
	}
	if t.Environment.Image != "" && !strings.Contains(t.Environment.Image, "@sha256:") {
		u.Why = append(u.Why, "docker_image "+t.Environment.Image+" is not pinned by digest")
	}
	if len(t.Steps) == 0 {
		if _, ok := files["tests/test.sh"]; !ok {
			no("tests/test.sh is missing, so nothing is judged")
		}
	}
	u.Why = append(u.Why, "images were neither built nor fetched, and no script of the package was run")
}
