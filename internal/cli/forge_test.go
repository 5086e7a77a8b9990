package cli_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/report/publication"
)

// forge replaces a text in a file of a publication, and makes the manifest fit.
func forge(t *testing.T, dir, name, from, to string) {
	t.Helper()
	file := filepath.Join(dir, name)
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	changed := strings.Replace(string(b), from, to, 1)
	if changed == string(b) {
		t.Fatalf("%s holds no %s: %.300s", name, from, b)
	}
	if err := os.WriteFile(file, []byte(changed), 0o644); err != nil {
		t.Fatal(err)
	}
	var m publication.Manifest
	mb, err := os.ReadFile(filepath.Join(dir, publication.ManifestFile))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(mb, &m); err != nil {
		t.Fatal(err)
	}
	h := sha256.New()
	for i := range m.Files {
		e := &m.Files[i]
		if e.Path == name {
			sum := sha256.Sum256([]byte(changed))
			e.SHA256, e.Bytes = hex.EncodeToString(sum[:]), int64(len(changed))
		}
		fmt.Fprintf(h, "%s\x00%d\x00%s\n", e.Path, e.Bytes, e.SHA256)
	}
	m.Digest = hex.EncodeToString(h.Sum(nil))
	out, err := record.Canonical(&m)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, publication.ManifestFile), append(out, '\n'), 0o644); err != nil {
		t.Fatal(err)
	}
}
