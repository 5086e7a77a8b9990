package s2s

import (
	"fmt"
	"io"
	"io/fs"
	"strings"
)

// Limits on the fixtures that are copied.
const (
	maxFixture  = 64 << 20 // bytes of one file
	maxFixtures = 512 << 20
	maxCount    = 10_000
)

// copyFixtures copies every file of a tree below fixtures/. Links and devices are refused: a bench holds plain files only.
func copyFixtures(files map[string][]byte, fixtures fs.FS) error {
	total, n := 0, 0
	return fs.WalkDir(fixtures, ".", func(p string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return fmt.Errorf("the fixtures cannot be read: %w", err)
		case d.IsDir():
			return nil
		case !d.Type().IsRegular():
			return fmt.Errorf("the fixture %s is not a plain file (a link or a device)", p)
		}
		if strings.ContainsAny(p, "\x00\n\\") {
			return fmt.Errorf("the fixture %q has a backslash, a line break or a NUL in its name; rename it", p)
		}
		name := "fixtures/" + p
		for _, h := range hardened {
			if p == h.folder || strings.HasPrefix(p, h.folder+"/") {
				return fmt.Errorf("the fixture %s has a name that the import uses for a file of its own; rename it", p)
			}
		}
		data, err := readFixture(fixtures, p)
		if err != nil {
			return err
		}
		if n, total = n+1, total+len(data); n > maxCount || total > maxFixtures {
			return fmt.Errorf("the fixtures are more than %d files or %d bytes; name the folder that holds the fixtures alone", maxCount, maxFixtures)
		}
		files[name] = data
		return nil
	})
}

func readFixture(fixtures fs.FS, p string) ([]byte, error) {
	f, err := fixtures.Open(p)
	if err != nil {
		return nil, fmt.Errorf("the fixture %s cannot be opened: %w", p, err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxFixture+1))
	if err != nil {
		return nil, fmt.Errorf("the fixture %s cannot be read: %w", p, err)
	}
	if len(data) > maxFixture {
		return nil, fmt.Errorf("the fixture %s is larger than %d bytes", p, maxFixture)
	}
	return data, nil
}
