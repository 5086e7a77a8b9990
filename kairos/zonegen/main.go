// Command zonegen makes the table of time zones that package kairos carries, from the time zone database that comes with
// Go:
//
//	go run ./kairos/zonegen -o kairos/zones.bin
//
// The table has the names and offsets that a schedule program can see: offsets in whole minutes, changes since 1969, and
// the rule by which they go on. Its layout is described where it is read, in zonedata.go and zonerule.go.
package main

import (
	"archive/zip"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

func main() {
	out := flag.String("o", "zones.bin", "file to write")
	flag.Parse()
	if err := run(*out); err != nil {
		fmt.Fprintln(os.Stderr, "zonegen:", err)
		os.Exit(1)
	}
}

func run(out string) error {
	dir, err := timeDir()
	if err != nil {
		return err
	}
	version, err := databaseVersion(dir)
	if err != nil {
		return err
	}
	if version != databaseWanted {
		return fmt.Errorf("%s holds database %s; the corrections in names.go are for %s", dir, version, databaseWanted)
	}
	table, err := build(filepath.Join(dir, "zoneinfo.zip"))
	if err != nil {
		return err
	}
	return os.WriteFile(out, table, 0o644)
}

// timeDir gives the directory of the toolchain that holds the time zone database.
func timeDir() (string, error) {
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return "", fmt.Errorf("go env GOROOT: %w", err)
	}
	return filepath.Join(strings.TrimSpace(string(root)), "lib", "time"), nil
}

var versionLine = regexp.MustCompile(`(?m)^DATA=(\w+)$`)

// databaseVersion reads the version of the database, such as 2025c, from the script that made it.
func databaseVersion(dir string) (string, error) {
	script, err := os.ReadFile(filepath.Join(dir, "update.bash"))
	if err != nil {
		return "", err
	}
	m := versionLine.FindSubmatch(script)
	if m == nil {
		return "", fmt.Errorf("%s/update.bash names no version", dir)
	}
	return string(m[1]), nil
}

// build makes the table from a zip file of compiled zones.
func build(path string) ([]byte, error) {
	files, err := readZip(path)
	if err != nil {
		return nil, err
	}
	zones := map[string]*history{}
	for name, data := range files {
		if left[name] {
			continue
		}
		if zones[name], err = compiled(data); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	if err := amend(zones); err != nil {
		return nil, err
	}
	return encode(zones)
}

func readZip(path string) (map[string][]byte, error) {
	r, err := zip.OpenReader(path)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	files := map[string][]byte{}
	for _, f := range r.File {
		if strings.HasSuffix(f.Name, "/") {
			continue
		}
		c, err := f.Open()
		if err != nil {
			return nil, err
		}
		data, err := io.ReadAll(c)
		c.Close()
		if err != nil {
			return nil, err
		}
		files[f.Name] = data
	}
	return files, nil
}
