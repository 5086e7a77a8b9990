package web_test

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"go.uber.org/goleak"

	"github.com/assaybench/assay/bench"
	"github.com/assaybench/assay/benches"
	"github.com/assaybench/assay/grade"
	"github.com/assaybench/assay/internal/web"
	"github.com/assaybench/assay/store"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// served is a viewer over a database of its own.
type served struct {
	testing.TB
	db     *store.DB // that writes
	file   string
	base   string
	client *http.Client
}

// database opens a new database.
func database(t testing.TB) (*store.DB, string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "runs.db")
	db, err := store.Open(t.Context(), file, store.Options{Create: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return db, file
}

// serve starts a viewer; change may change its options.
func serve(t testing.TB, change func(*web.Options)) *served {
	t.Helper()
	db, file := database(t)
	return serveOver(t, db, file, change)
}

func serveOver(t testing.TB, db *store.DB, file string, change func(*web.Options)) *served {
	t.Helper()
	read, err := store.Open(t.Context(), file, store.Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	o := web.Options{Store: read, Benches: benches.Names(), Open: shipped, Now: time.Now}
	if change != nil {
		change(&o)
	}
	s, err := web.New(o)
	if err != nil {
		t.Fatal(err)
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- s.Serve(ctx, ln) }()
	tr := &http.Transport{}
	t.Cleanup(func() {
		tr.CloseIdleConnections()
		cancel()
		defer s.Close()
		if err := errors.Join(<-done, read.Close()); err != nil {
			t.Error(err)
		}
	})
	return &served{t, db, file, "http://" + ln.Addr().String(), &http.Client{Transport: tr, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}}
}

// shipped opens the benches inside the program.
func shipped(_ context.Context, name string) (*web.Bench, error) {
	fsys, _, ok := benches.Open(name)
	if !ok {
		return nil, errors.New("no bench is named so")
	}
	b, err := bench.Load(fsys, name)
	if err != nil {
		return nil, err
	}
	st, err := b.Inspect()
	if err != nil {
		return nil, err
	}
	set, err := grade.Compile(b)
	if err != nil {
		return nil, err
	}
	return &web.Bench{Set: set, Digest: st.Digest, Frozen: st.Freeze.FrozenAt}, nil
}

type reply struct {
	status int
	header http.Header
	body   string
}

// get asks for a page; headers are pairs, of which Host is the host.
func (s *served) get(path string, headers ...string) reply {
	s.Helper()
	return s.do(http.MethodGet, path, headers...)
}

func (s *served) do(method, path string, headers ...string) reply {
	s.Helper()
	r, err := http.NewRequest(method, s.base+path, nil)
	if err != nil {
		s.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		if headers[i] == "Host" {
			r.Host = headers[i+1]
		} else {
			r.Header.Set(headers[i], headers[i+1])
		}
	}
	resp, err := s.client.Do(r)
	if err != nil {
		s.Fatal(err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		s.Fatal(err)
	}
	return reply{resp.StatusCode, resp.Header, string(b)}
}

// want asks for a page that must be there and hold some texts.
func (s *served) want(path string, texts ...string) string {
	s.Helper()
	got := s.get(path)
	if got.status != http.StatusOK {
		s.Fatalf("%s: status %d: %.600s", path, got.status, got.body)
	}
	for _, text := range texts {
		if !strings.Contains(got.body, text) {
			s.Errorf("%s does not say %q", path, text)
		}
	}
	return got.body
}

// fsOf reads a folder whole.
func fsOf(dir string) fstest.MapFS {
	m := fstest.MapFS{}
	root := os.DirFS(dir)
	err := fs.WalkDir(root, ".", func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := fs.ReadFile(root, p)
		m[p] = &fstest.MapFile{Data: b}
		return err
	})
	if err != nil {
		panic(err)
	}
	return m
}
