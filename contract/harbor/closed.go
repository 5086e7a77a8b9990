package harbor

import (
	"bytes"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"strings"
)

// agentSide says whether an agent, or whoever reads what it is given, comes to a file: what stands beside the task, the agent's
// image, and of the world's part what its tools show. The world's own sealed folder is for the world alone.
func agentSide(name string) bool {
	switch {
	case name == "instruction.md" || name == "task.toml" || name == "README.md":
		return true
	case strings.HasPrefix(name, worldPart):
		return !strings.Contains(name, "/sealed/")
	}
	return strings.HasPrefix(name, "environment/")
}

// nothing matches lines that say nothing of a task: a tool's name, which is public, and a call without arguments.
var nothing = regexp.MustCompile(`^(- )?tool: [A-Za-z0-9_.-]+$|"args":\{\}\}$`)

// closed proves that no line of the sealed files stands on the agent's side, the program among it, and that of the sealed files
// the world's part holds those alone that make its world: the task's own rows, which are the state that its tools show, and the
// staged faults.
func (p *Package) closed(fsys fs.FS, sealed string) error {
	var lines scanner
	where := map[string]string{}
	err := fs.WalkDir(fsys, sealed, func(n string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if n == path.Join(sealed, "seed") {
				return fs.SkipDir
			}
			return nil
		}
		data, err := fs.ReadFile(fsys, n)
		if err != nil {
			return err
		}
		for i, line := range bytes.Split(data, []byte("\n")) {
			if line = bytes.TrimSpace(line); nothing.Match(line) {
				continue
			}
			if _, ok := where[string(line)]; !ok {
				where[string(line)] = fmt.Sprintf("%s: line %d", n, i+1)
			}
			lines.add(line)
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, name := range p.Files.Names() {
		if rest, ok := strings.CutPrefix(name, worldPart+"bench/"+sealed+"/"); ok && rest != "faults.yaml" && !strings.HasPrefix(rest, "seed/") {
			return fmt.Errorf("%s is sealed, and no part of the world", name)
		}
		if !agentSide(name) {
			continue
		}
		var found error
		lines.find(p.Files[name].Data, func(_ int, line []byte) bool {
			found = fmt.Errorf("%s, which is sealed, stands in %s", where[string(line)], name)
			return false
		})
		if found != nil {
			return found
		}
	}
	return nil
}
