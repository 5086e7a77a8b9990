//go:build unix

package store

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
)

// TestReadOnlyFolder reads and writes as a user who may not write. Root may write everywhere, so the test then becomes
// nobody.
func TestReadOnlyFolder(t *testing.T) {
	dir, err := os.MkdirTemp("", "assay-store-") // t.TempDir lies below folders that nobody cannot enter
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		os.Chmod(dir, 0o755)
		os.RemoveAll(dir)
	})
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	helper := filepath.Join(dir, "helper")
	copyFile(t, os.Args[0], helper)
	path := filepath.Join(dir, "a.db")
	db, err := Open(t.Context(), path, Options{Create: true})
	if err != nil {
		t.Fatal(err)
	}
	b := &bundle{T: t, db: db, path: path}
	b.run("r1", 2)
	ask := func(path string) string {
		t.Helper()
		dir := filepath.Dir(path)
		if err := os.Chmod(dir, 0o555); err != nil {
			t.Fatal(err)
		}
		defer os.Chmod(dir, 0o755)
		cmd := exec.Command(helper)
		cmd.Env = []string{readHelper + "=" + path}
		if os.Getuid() == 0 {
			cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
		}
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		return string(out)
	}
	// A copy with its log but without the memory that goes with it: what the log holds cannot be read in place.
	logged := filepath.Join(dir, "logged")
	if err := os.Mkdir(logged, 0o755); err != nil {
		t.Fatal(err)
	}
	copyFile(t, path, filepath.Join(logged, "a.db"))
	copyFile(t, path+"-wal", filepath.Join(logged, "a.db-wal"))
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, 0o444); err != nil {
		t.Fatal(err)
	}
	if got, want := ask(filepath.Join(logged, "a.db")), "read: read-only\nwrite: read-only\n"; got != want {
		t.Errorf("with a pending log: %q, want %q", got, want)
	}
	if got, want := ask(path), "read: r1\nwrite: read-only\n"; got != want {
		t.Errorf("a closed database: %q, want %q", got, want)
	}
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	src, err := os.Open(from)
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	dst, err := os.OpenFile(to, os.O_CREATE|os.O_WRONLY, 0o755)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(dst, src); err != nil {
		t.Fatal(err)
	}
	if err := dst.Close(); err != nil {
		t.Fatal(err)
	}
}
