package harbor

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

const (
	// ImportFile names the file of an imported package that says what was understood.
	ImportFile = "harbor.yaml"
	// OriginDir holds the package's files, byte for byte.
	OriginDir      = "origin"
	versionedTable = "[metadata.assay]"
)

// Import is a package as it is stored: origin/ and harbor.yaml.
func Import(files Files) (Files, *Understood, error) {
	u, err := Understand(files)
	if err != nil {
		return nil, nil, err
	}
	b, err := yaml.Marshal(u)
	if err != nil {
		return nil, nil, err
	}
	out := Files{ImportFile: {Data: b}}
	for n, f := range files {
		out[OriginDir+"/"+n] = f
	}
	return out, u, nil
}

// Reexport gives an imported package back. An untouched one is given byte for byte; an edited one gets the next version,
// and names the content digest that it came from. dir is the import's folder.
func Reexport(dir fs.FS) (files Files, edited bool, err error) {
	b, err := fs.ReadFile(dir, ImportFile)
	if err != nil {
		return nil, false, fmt.Errorf("%s cannot be read: %w", ImportFile, errors.Unwrap(err))
	}
	var u Understood
	if err := yaml.Unmarshal(b, &u); err != nil {
		return nil, false, fmt.Errorf("%s: %s", ImportFile, oneLine(err))
	}
	if u.Format != Format || !strings.HasPrefix(u.Content, "sha256:") {
		return nil, false, fmt.Errorf("%s: not of the format %s", ImportFile, Format)
	}
	origin, err := fs.Sub(dir, OriginDir)
	if err != nil {
		return nil, false, err
	}
	if files, err = ReadFolder(origin); err != nil {
		return nil, false, fmt.Errorf("%s: %w", OriginDir, err)
	}
	for n, f := range files { // a file system without modes loses them; the import's are the package's
		if mode, digest, ok := strings.Cut(u.Files[n], " "); ok && digest == sum(f.Data) {
			f.Exec = mode == "0755"
			files[n] = f
		}
	}
	if ContentDigest(files) == u.Content {
		return files, false, nil
	}
	t := files["task.toml"]
	now, _, err := readTask(t.Data)
	if err != nil {
		return nil, false, err
	}
	if t.Data, err = newVersion(t.Data, now.Task.Version, u.Version, u.Content); err != nil {
		return nil, false, err
	}
	files["task.toml"] = t
	if _, err := Understand(files); err != nil {
		return nil, false, err
	}
	return files, true, nil
}

var versionLine = regexp.MustCompile(`^(\s*version\s*=\s*)(".*?"|'.*?')(.*)$`)

// newVersion edits two places of a task.toml and keeps every other byte: the version in [task], and a table of ours with the
// parent's digest.
func newVersion(data []byte, have, before, parent string) ([]byte, error) {
	if bytes.Contains(data, []byte(versionedTable)) {
		re := regexp.MustCompile(`(?m)^parent_digest = ".*"$`)
		data = re.ReplaceAll(data, []byte(`parent_digest = "`+parent+`"`))
	} else {
		data = append(bytes.TrimRight(bytes.Clone(data), "\n"), []byte("\n\n"+versionedTable+"\nparent_digest = \""+parent+"\"\n")...)
	}
	if have == before { // its author has not given it one
		next := nextVersion(have)
		lines, table, done := strings.Split(string(data), "\n"), "", false
		for i, l := range lines {
			s := strings.TrimSpace(l)
			if strings.HasPrefix(s, "[") {
				table = s
				if s == "[task]" && have == "" {
					lines[i], done = l+"\nversion = "+strconv.Quote(next), true
					break
				}
			}
			if m := versionLine.FindStringSubmatch(l); m != nil && table == "[task]" {
				lines[i], done = m[1]+strconv.Quote(next)+m[3], true
				break
			}
		}
		if !done {
			return nil, errors.New("task.toml: no [task] table to write the new version into; give the edited task a version")
		}
		data = []byte(strings.Join(lines, "\n"))
	}
	t, _, err := readTask(data)
	if err != nil {
		return nil, err
	}
	if t.Task.Version == before {
		return nil, errors.New("task.toml: the version of the edited task could not be set; give it one")
	}
	return data, nil
}

var lastNumber = regexp.MustCompile(`^(.*?)([0-9]{1,9})$`)

// nextVersion counts a version's last number up.
func nextVersion(v string) string {
	if v == "" {
		return "2"
	}
	if m := lastNumber.FindStringSubmatch(v); m != nil {
		n, _ := strconv.Atoi(m[2])
		return m[1] + strconv.Itoa(n+1)
	}
	return v + ".1"
}
