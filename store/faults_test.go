package store

import (
	"bufio"
	"context"
	"database/sql"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/assaybench/assay/record"
)

// sqlFile opens a file with plain SQLite, as another program would.
func sqlFile(t *testing.T, path string, statements ...string) *sql.DB {
	t.Helper()
	d, err := sql.Open("sqlite", uri(path))
	if err != nil {
		t.Fatal(err)
	}
	d.SetMaxOpenConns(1)
	t.Cleanup(func() { d.Close() })
	for _, s := range statements {
		if _, err := d.ExecContext(t.Context(), s); err != nil {
			t.Fatal(err)
		}
	}
	return d
}

func TestOpenRefuses(t *testing.T) {
	dir := t.TempDir()
	file := func(name, content string) string {
		p := filepath.Join(dir, name)
		if err := os.WriteFile(p, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
		return p
	}
	foreign := filepath.Join(dir, "foreign.db")
	sqlFile(t, foreign, "CREATE TABLE x (y)").Close()
	other := filepath.Join(dir, "other.db")
	sqlFile(t, other, "PRAGMA application_id = 7", "PRAGMA user_version = 1").Close()
	newer := filepath.Join(dir, "newer.db")
	sqlFile(t, newer, "PRAGMA application_id = 1095979865", "PRAGMA user_version = 99", "CREATE TABLE x (y)").Close()
	tests := []struct {
		name, path string
		o          Options
		kind       Kind
		want       string
	}{
		{"reading where nothing is", filepath.Join(dir, "no.db"), Options{}, NoRuns, "no runs here"},
		{"read-only where nothing is", filepath.Join(dir, "no.db"), Options{ReadOnly: true}, NoRuns, "does not exist"},
		{"no folder", filepath.Join(dir, "sub", "x.db"), Options{Create: true}, NoFolder, "make it"},
		{"no folder above .assay", filepath.Join(dir, "sub", ".assay", "x.db"), Options{Create: true}, NoFolder, "does not exist"},
		{"a folder", dir, Options{Create: true}, Corrupt, "a folder"},
		{"text", file("text.db", strings.Repeat("not a database at all\n", 500)), Options{Create: true}, Corrupt, "not a database"},
		{"text, reading", file("text2.db", strings.Repeat("not a database at all\n", 500)), Options{ReadOnly: true}, Corrupt, "not a database"},
		{"another program's", foreign, Options{Create: true}, Foreign, "another program"},
		{"another program's, by id", other, Options{}, Foreign, "another program"},
		{"another program's, reading", foreign, Options{ReadOnly: true}, Foreign, "another program"},
		{"newer", newer, Options{Create: true}, Newer, "schema 99"},
		{"newer, reading", newer, Options{ReadOnly: true}, Newer, "schema 99"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			db, err := Open(t.Context(), tt.path, tt.o)
			if err == nil {
				db.Close()
			}
			e := wantKind(t, err, tt.kind)
			if !strings.Contains(e.Error(), tt.want) || strings.Contains(e.Error(), "\n") {
				t.Errorf("the message is %q, want one line with %q", e, tt.want)
			}
		})
	}
	if _, err := os.Stat(filepath.Join(dir, "no.db")); !errors.Is(err, fs.ErrNotExist) {
		t.Error("a reading command made the file")
	}
}

func TestOpenMakesOnlyDotAssay(t *testing.T) {
	path := filepath.Join(t.TempDir(), ".assay", "assay.db")
	db, err := Open(t.Context(), path, Options{Create: true})
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil || len(entries) != 1 {
		t.Errorf("after closing there are %v (%v), want the database alone", entries, err)
	}
}

func TestDamageIsFound(t *testing.T) {
	b := setup(t)
	r := b.run("r1", 2000)
	var tries []Try
	for n := range 2000 {
		tries = append(tries, b.try(n, 1, record.Answered, strings.Repeat("answer ", n%50)))
	}
	b.record(r, Batch{Tries: tries})
	if err := b.db.Check(t.Context()); err != nil {
		t.Fatalf("a sound database: %v", err)
	}
	if err := b.db.Close(); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(b.path)
	if err != nil {
		t.Fatal(err)
	}
	for i := 8192; i < len(data); i++ { // all but the first two pages
		data[i] ^= 0x5a
	}
	bad := filepath.Join(t.TempDir(), "bad.db")
	if err := os.WriteFile(bad, data, 0o644); err != nil {
		t.Fatal(err)
	}
	db, err := Open(t.Context(), bad, Options{})
	if err == nil {
		defer db.Close()
		_, err = db.FindRun(t.Context(), "latest")
		if cerr := db.Check(t.Context()); KindOf(cerr) != Corrupt {
			t.Errorf("Check finds %v", cerr)
		}
	}
	if e := wantKind(t, err, Corrupt); strings.Contains(e.Error(), "\n") || !strings.Contains(e.Error(), "recover") {
		t.Errorf("the message is %q", e)
	}
}

func TestDamagedTranscriptIsFound(t *testing.T) {
	b := setup(t)
	r := b.run("r1", 1)
	b.record(r, Batch{Tries: []Try{b.try(0, 1, record.Answered, strings.Repeat("some text ", 100))}})
	other := sqlFile(t, b.path)
	var body []byte
	if err := other.QueryRowContext(t.Context(), "SELECT body FROM transcripts").Scan(&body); err != nil {
		t.Fatal(err)
	}
	for _, i := range []int{0, len(body) / 2, len(body) - 1} {
		bad := append([]byte{}, body...)
		bad[i] ^= 1
		if _, err := other.ExecContext(t.Context(), "UPDATE transcripts SET body = ?", bad); err != nil {
			t.Fatal(err)
		}
		if _, err := b.db.Transcript(t.Context(), r, 0, 0); KindOf(err) != Corrupt {
			t.Errorf("byte %d flipped: %v", i, err)
		}
	}
}

func TestFullDisk(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.db")
	db, err := Open(t.Context(), path, Options{Create: true, MaxPages: 60})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	b := &bundle{T: t, db: db, path: path}
	r := b.run("r1", 200)
	recorded := 0
	for n := range 200 {
		noise := make([]byte, 4096) // does not compress
		for i := range noise {
			noise[i] = byte(n*31+i*i*7+i*n) ^ byte(i>>3)
		}
		if err = db.Record(t.Context(), r, Batch{Tries: []Try{b.try(n, 1, record.Answered, string(noise))}}); err != nil {
			break
		}
		recorded++
	}
	e := wantKind(t, err, Full)
	if !strings.Contains(e.Error(), "make room") || recorded == 0 {
		t.Errorf("%q after %d records", e, recorded)
	}
	tally, err := db.Tally(t.Context(), r, "g")
	if err != nil || tally.Done() != recorded {
		t.Errorf("%d attempts are there, want the %d that were recorded (%v)", tally.Done(), recorded, err)
	}
}

func TestNoSpaceAndPermissionFromBelow(t *testing.T) {
	db := &DB{path: "x.db"}
	for err, want := range map[error]Kind{syscall.ENOSPC: Full, fs.ErrPermission: ReadOnly, context.Canceled: Cancelled, io.ErrUnexpectedEOF: Failed} {
		if got := KindOf(db.fault("write", &fs.PathError{Op: "write", Path: "x", Err: err})); got != want {
			t.Errorf("%v: kind %q, want %q", err, got, want)
		}
	}
}

func TestLockedByAnotherProgram(t *testing.T) {
	b := setup(t)
	r := b.run("r1", 2)
	b.db.Close()
	db, err := Open(t.Context(), b.path, Options{Busy: 50 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	b.db = db
	other := sqlFile(t, b.path, "BEGIN IMMEDIATE")
	begun := time.Now()
	e := wantKind(t, db.Record(t.Context(), r, Batch{Tries: []Try{b.try(0, 1, record.Answered, "a")}}), Locked)
	if !strings.Contains(e.Error(), "50ms") || time.Since(begun) < 40*time.Millisecond {
		t.Errorf("%q after %v", e, time.Since(begun))
	}
	if _, err := db.Tally(t.Context(), r, "g"); err != nil {
		t.Errorf("a reader is blocked by a writer: %v", err)
	}
	if _, err := other.ExecContext(t.Context(), "ROLLBACK"); err != nil {
		t.Fatal(err)
	}
	b.record(r, Batch{Tries: []Try{b.try(0, 1, record.Answered, "a")}})
}

func TestReadOnly(t *testing.T) {
	b := setup(t)
	r := b.run("r1", 3)
	b.record(r, Batch{Tries: []Try{b.try(0, 1, record.Answered, "a")}})
	// Beside a writer that is at work, and after it has gone.
	for range 2 {
		db, err := Open(t.Context(), b.path, Options{ReadOnly: true})
		if err != nil {
			t.Fatal(err)
		}
		back, err := db.FindRun(t.Context(), "r1")
		if err != nil {
			t.Fatal(err)
		}
		tally, err := db.Tally(t.Context(), back, "g")
		if err != nil || tally.Done() != 1 {
			t.Errorf("read-only: %+v, %v", tally, err)
		}
		wantKind(t, db.Record(t.Context(), back, Batch{Tries: []Try{b.try(1, 1, record.Answered, "a")}}), ReadOnly)
		if err := db.Close(); err != nil {
			t.Error(err)
		}
		b.db.Close()
	}
	entries, _ := os.ReadDir(filepath.Dir(b.path))
	if len(entries) != 1 {
		t.Errorf("a reader left files behind: %v", entries)
	}
}

func TestTwoOpenAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.db")
	errs := make(chan error, 8)
	for range cap(errs) {
		go func() {
			db, err := Open(context.Background(), path, Options{Create: true})
			if err == nil {
				err = db.Close()
			}
			errs <- err
		}()
	}
	for range cap(errs) {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
}

func TestRunLock(t *testing.T) {
	b := setup(t)
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), lockHelper+"="+b.path)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if line, _ := bufio.NewReader(out).ReadString('\n'); line != "locked\n" {
		t.Fatalf("the other process says %q", line)
	}
	_, err = b.db.Lock(t.Context(), "run-x")
	if e := wantKind(t, err, Held); e.PID != cmd.Process.Pid || !strings.Contains(e.Error(), "is working on run x") {
		t.Errorf("pid %d (%q), want %d", e.PID, e, cmd.Process.Pid)
	}
	free, err := b.db.Lock(t.Context(), "run-y")
	if err != nil {
		t.Errorf("another run: %v", err)
	} else if err := free(); err != nil {
		t.Error(err)
	}
	if err := cmd.Process.Kill(); err != nil { // the operating system frees the lock
		t.Fatal(err)
	}
	cmd.Wait()
	unlock, err := b.db.Lock(t.Context(), "run-x")
	if err != nil {
		t.Fatalf("after kill -9: %v", err)
	}
	if _, err := b.db.Lock(t.Context(), "run-x"); KindOf(err) != Held {
		t.Errorf("a second lock in this process: %v", err)
	}
	if err := errors.Join(unlock(), unlock()); err != nil {
		t.Errorf("unlocking twice: %v", err)
	}
	if left, _ := filepath.Glob(strings.TrimSuffix(b.path, filepath.Base(b.path)) + "*.lock"); len(left) != 0 {
		t.Errorf("lock files stay: %v", left)
	}
}

func TestLocksExclude(t *testing.T) {
	b := setup(t)
	inside, done := make(chan int, 1), make(chan error, 8)
	for range cap(done) {
		go func() {
			for range 50 {
				unlock, err := b.db.Lock(context.Background(), "l")
				if KindOf(err) == Held {
					continue
				}
				if err != nil {
					done <- err
					return
				}
				select {
				case inside <- 1:
					<-inside
				default:
					done <- errors.New("two are inside")
					return
				}
				if err := unlock(); err != nil {
					done <- err
					return
				}
			}
			done <- nil
		}()
	}
	for range cap(done) {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}

func TestRecordGoesOnAfterAnInterrupt(t *testing.T) {
	b := setup(t)
	r := b.run("r1", 1)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := b.db.Record(ctx, r, Batch{Tries: []Try{b.try(0, 1, record.Answered, "paid for")}}); err != nil {
		t.Errorf("an answer was thrown away: %v", err)
	}
	if _, err := b.db.Pending(ctx, r, -1, 1); KindOf(err) != Cancelled {
		t.Errorf("reading after an interrupt: %v", err)
	}
}
