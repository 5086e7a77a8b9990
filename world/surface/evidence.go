package surface

import (
	"errors"
	"fmt"
	"io/fs"
	"mime"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/assaybench/assay/world"
)

// evidence answers /evidence/PATH, which is recorded as reading the file, and /evidence/, the list, which is not.
func (v *Server) evidence(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet {
		w.Header().Set("Allow", http.MethodGet)
		http.Error(w, "evidence files are read with GET", http.StatusMethodNotAllowed)
		return
	}
	p := strings.TrimPrefix(r.URL.Path, "/evidence/")
	if p == "" {
		v.evidenceList(w)
		return
	}
	e, f, err := v.readEvidence(r.Context(), Evidence, p)
	if err != nil {
		http.Error(w, "the world cannot answer; the episode stands as it was", http.StatusInternalServerError)
		return
	}
	if !e.OK() {
		status := statusOf(e)
		if e.Error.Code == world.NotFound {
			status = http.StatusNotFound
		}
		http.Error(w, e.Error.Message, status)
		return
	}
	h := w.Header()
	// A file is data: no browser runs what is in it, whatever it says of itself.
	h.Set("Content-Security-Policy", "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:")
	h.Set("Content-Type", servedType(f.MediaType))
	if d := mime.FormatMediaType("inline", map[string]string{"filename": path.Base(f.Path)}); d != "" {
		h.Set("Content-Disposition", d)
	}
	w.Write(f.data)
}

// servedType keeps pages and scripts from being taken as such: they are shown as the text that they are.
func servedType(media string) string {
	m, _, err := mime.ParseMediaType(media)
	if err != nil {
		return "application/octet-stream"
	}
	switch {
	case slices.Contains([]string{"application/json", "application/pdf", "image/png", "image/jpeg"}, m):
		return m
	case strings.HasPrefix(m, "text/"), m == "application/yaml", m == "application/xml", m == "message/rfc822":
		return "text/plain; charset=utf-8"
	}
	return "application/octet-stream"
}

// WriteEvidence writes a task's evidence files into a folder, for agents that read files. A file that is there already
// must be the same; nothing is written over.
func WriteEvidence(dir string, t *world.Task) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	for _, f := range t.Evidence {
		name := filepath.FromSlash(f.Path)
		if have, err := root.ReadFile(name); err == nil {
			if string(have) != string(f.Data) {
				return fmt.Errorf("%s is there and is another file; name an empty folder", filepath.Join(dir, name))
			}
			continue
		} else if !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if err := root.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return err
		}
		if err := root.WriteFile(name, f.Data, 0o444); err != nil {
			return err
		}
	}
	return nil
}
