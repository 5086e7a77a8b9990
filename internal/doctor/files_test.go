package doctor

import (
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assaybench/assay/store"
)

// in makes a file in .assay of the bundle's folder.
func (b *bundle) in(t *testing.T, name, body string) string {
	t.Helper()
	dir := filepath.Join(b.Dir, stateDir)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(body), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func (b *bundle) files(t *testing.T) (Disk, Database, Prices) {
	t.Helper()
	g := &gatherer{Options: b.Options}
	return g.disk(), g.database(t.Context()), g.prices()
}

func TestFilesOfAnEmptyFolder(t *testing.T) {
	b := setup(t)
	disk, database, prices := b.files(t)
	is(t, disk.Finding, OK, "free, where .assay would be made", "")
	if disk.Folder != b.Dir || disk.Free == nil || *disk.Free <= 0 || disk.Writable == nil || !*disk.Writable {
		t.Errorf("disk %+v", disk)
	}
	is(t, database.Finding, Missing, "none here", "assay run makes it")
	is(t, prices.Finding, Missing, "costs are not known", "write currency, as_of and models")
	if left, err := os.ReadDir(b.Dir); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

func TestDisk(t *testing.T) {
	b := setup(t)
	b.in(t, "x", "")
	disk, _, _ := b.files(t)
	is(t, disk.Finding, OK, "where .assay is", "")
	if disk.Folder != filepath.Join(b.Dir, stateDir) {
		t.Errorf("disk %+v", disk)
	}
	b = setup(t)
	if err := os.WriteFile(filepath.Join(b.Dir, stateDir), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	disk, _, _ = b.files(t)
	is(t, disk.Finding, Fault, ".assay is not a folder", "--db")
}

func TestDiskThatCannotBeWritten(t *testing.T) {
	b := setup(t)
	b.Dir = "/proc/self" // not even root makes a folder there
	if os.Geteuid() != 0 {
		b.Dir = t.TempDir()
		if err := os.Chmod(b.Dir, 0o555); err != nil {
			t.Fatal(err)
		}
	} else if _, may := room(b.Dir); may == nil || *may {
		t.Skip("this root may write everywhere")
	}
	g := &gatherer{Options: b.Options}
	d := g.disk()
	is(t, d.Finding, Missing, "cannot be written", "another folder")
	if d.Writable == nil || *d.Writable {
		t.Errorf("disk %+v", d)
	}
}

func TestDatabase(t *testing.T) {
	b := setup(t)
	path := b.in(t, databaseName, "")
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	db, err := store.Open(t.Context(), path, store.Options{Create: true})
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	_, d, _ := b.files(t)
	is(t, d.Finding, OK, "0 runs in .assay/assay.db, schema ", "")
	if d.Schema < 1 || d.File != filepath.Join(stateDir, databaseName) {
		t.Errorf("database %+v", d)
	}
	if left, err := os.ReadDir(filepath.Dir(path)); err != nil || len(left) > 2 { // the store's own lock file may stay
		t.Errorf("left behind: %v, %v", left, err)
	}

	other := filepath.Join(b.Dir, "other.db")
	pragma := func(name string, n int) string {
		raw, err := sql.Open("sqlite", other)
		if err != nil {
			t.Fatal(err)
		}
		defer raw.Close()
		for _, q := range []string{"CREATE TABLE IF NOT EXISTS x (y)", fmt.Sprintf("PRAGMA %s = %d", name, n)} {
			if _, err := raw.ExecContext(t.Context(), q); err != nil {
				t.Fatal(err)
			}
		}
		body, err := os.ReadFile(other)
		if err != nil {
			t.Fatal(err)
		}
		return string(body)
	}
	for name, tt := range map[string]struct {
		body   string
		say    string
		do     string
		schema int64
	}{
		"foreign":  {pragma("user_version", 7), "a database of another program", "name another file", 7},
		"newer":    {strings.Clone(newer(t, path)), "schema 99", "use that version", 99},
		"no SQL":   {strings.Repeat("nothing of the kind ", 100), "not a database", "", 0},
		"cut off":  {"SQLite format 3\x00", "", "", 0},
		"a secret": {"\x1b[2J" + strings.Repeat("x", 5000), "not a database", "", 0},
	} {
		t.Run(name, func(t *testing.T) {
			b := setup(t)
			b.in(t, databaseName, tt.body)
			_, d, _ := b.files(t)
			if d.State != Fault || !strings.Contains(d.Say, tt.say) || d.Do == "" || !strings.Contains(d.Do, tt.do) || strings.Contains(d.Say, b.Dir) || d.Schema != tt.schema {
				t.Errorf("database %+v", d)
			}
		})
	}
}

// newer is a database of this program with a schema of the future.
func newer(t *testing.T, path string) string {
	t.Helper()
	body, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	copy(body[60:], []byte{0, 0, 0, 99})
	return string(body)
}

func TestPrices(t *testing.T) {
	const head = "currency: USD\nas_of: 2026-11-30\nmodels:\n"
	var many strings.Builder
	many.WriteString(head)
	for i := range ListMost + 5 {
		fmt.Fprintf(&many, "  openai/m%04d: {input: 1.00, output: 2.00}\n", i)
	}
	for name, tt := range map[string]struct {
		body   string
		state  State
		say    string
		do     string
		models int
	}{
		"good":     {head + "  openai/b: {input: 1.00, output: 2.00}\n  anthropic/a: {input: 1, cached: 0.1, output: 2}\n", OK, "2 models in USD as of 2026-11-30", "", 2},
		"many":     {many.String(), OK, fmt.Sprintf("%d models in USD", ListMost+5), "", ListMost},
		"ugly":     {head + "  \"openai/\\e[2Jb\": {input: 1.00, output: 2.00}\n", OK, "1 model", "", 1},
		"no price": {"currency: USD\nas_of: x\nmodels: {}\n", Missing, "0 models", "write the models", 0},
		"wrong":    {head + "  openai/b: {input: cheap, output: 2.00}\n", Fault, ".assay/prices.yaml", " ", 0},
		"two":      {head + "  openai/b: {input: cheap, output: dear}\n  c: {}\n", Fault, "the first of 5 faults)", " ", 0},
		"no YAML":  {"\x00\x01", Fault, "prices.yaml", " ", 0},
		"huge":     {strings.Repeat("#", pricesMost+1), Fault, "larger than 1.0 MiB", "correct", 0},
	} {
		t.Run(name, func(t *testing.T) {
			b := setup(t)
			b.in(t, pricesName, tt.body)
			_, _, p := b.files(t)
			is(t, p.Finding, tt.state, tt.say, tt.do)
			if len(p.Models) != tt.models || p.Models == nil {
				t.Errorf("%d models", len(p.Models))
			}
			for _, m := range p.Models {
				if strings.Contains(m, "\x1b") {
					t.Errorf("unfit for a terminal: %q", m)
				}
			}
		})
	}
}

func TestReplayNeedsARun(t *testing.T) {
	g := &gatherer{}
	for runs, want := range map[int]State{0: Missing, 3: OK} {
		r := &Report{Database: Database{Runs: runs}, Providers: []Provider{{Name: "replay", Finding: Finding{State: OK}}}}
		g.conclude(r)
		if r.Providers[0].State != want {
			t.Errorf("%d runs: %+v", runs, r.Providers[0])
		}
	}
}
