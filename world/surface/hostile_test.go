package surface_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assaybench/assay/world"
	"github.com/assaybench/assay/world/surface"
)

// FuzzRequest sends any path, query and form to every surface: none is a fault, and none runs anything but a declared tool.
func FuzzRequest(f *testing.F) {
	task, err := open(f, richer(f)).Task("ferry-217")
	if err != nil {
		f.Fatal(err)
	}
	for _, s := range []string{"limit=1e999&part=RP-12", "part=%ff%00&limit=-0", "part=a&part=b&status=[\"FREE\"]", "cursor=x'; DROP TABLE lots;--&part=1", "limit=" + strings.Repeat("9", 400) + "&part=x",
		"held=[[[[&gap={}&option=A", "part=" + strings.Repeat("[", 5000)} {
		for _, p := range []string{"/api/v1/stores/lots", "/app/stores/lots", "/app/submit", "/evidence/page.html", "/api/v1/maint/orders/%2e%2e"} {
			f.Add(p, s)
		}
	}
	token := surface.NewToken()
	f.Fuzz(func(t *testing.T, path, query string) {
		s, err := task.Session(t.Context(), "fuzz")
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		v, err := surface.New(s, token)
		if err != nil {
			t.Fatal(err)
		}
		defer v.Close()
		before, err := s.State(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, method := range []string{"GET", "POST"} {
			r := httptest.NewRequest(method, "http://127.0.0.1/", strings.NewReader(query))
			r.URL = &url.URL{Path: "/" + strings.TrimLeft(path, "/"), RawQuery: query}
			r.Header.Set("Authorization", "Bearer "+token)
			r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
			w := httptest.NewRecorder()
			v.Handler().ServeHTTP(w, r)
			if w.Code >= 500 && w.Code != http.StatusServiceUnavailable {
				t.Errorf("%s %q ? %q: %d %s", method, path, query, w.Code, w.Body)
			}
		}
		if err := world.VerifyChain(s.Genesis(), s.Events()); err != nil {
			t.Error(err)
		}
		after, err := s.State(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if d := s.World().Diff(before, after); len(d) > 0 && len(world.Net(s.Events())) != len(d) {
			t.Errorf("the world changed otherwise than its events say: %v", d)
		}
	})
}

// TestWriteEvidence writes the files once, takes them as they are again, and writes over nothing.
func TestWriteEvidence(t *testing.T) {
	task, err := open(t, richer(t)).Task("ferry-217")
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "evidence")
	for range 2 {
		if err := surface.WriteEvidence(dir, task.Public); err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range map[string]string{"letters/ada 1.md": "The quay is free. Größe: 3 m.\n", "page.html": hostile, "scan.png": "\x89PNG\x00\xff"} {
		if got, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(got) != want {
			t.Errorf("%s: %q %v", name, got, err)
		}
	}
	other := t.TempDir()
	if err := os.WriteFile(filepath.Join(other, "page.html"), []byte("mine"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := surface.WriteEvidence(other, task.Public); err == nil || !strings.Contains(err.Error(), "is another file; name an empty folder") {
		t.Errorf("%v", err)
	}
	outside, linked := t.TempDir(), t.TempDir()
	if err := os.Symlink(outside, filepath.Join(linked, "letters")); err != nil {
		t.Skip("links cannot be made here")
	}
	if err := surface.WriteEvidence(linked, task.Public); err == nil {
		t.Error("a link led out of the folder")
	}
	if left, _ := os.ReadDir(outside); len(left) > 0 {
		t.Errorf("%v was written outside", left)
	}
}
