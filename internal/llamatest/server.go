package llamatest

import (
	"bufio"
	"bytes"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"
)

const (
	// RequireEnv, set to 1, turns "skipped: not installed" into a failure.
	RequireEnv = "ASSAY_REQUIRE_LLAMA"
	// DirEnv names the folder that holds node_modules. Without it that is
	// internal/llamatest/server of the module that the test runs in.
	DirEnv = "ASSAY_LLAMA_DIR"
)

const (
	readyTimeout = 60 * time.Second
	stopTimeout  = 10 * time.Second
	stderrKept   = 64 << 10
)

//go:embed server/*.mjs
var shim embed.FS

//go:embed server/package.json
var shimPackage []byte

// A Model is a scripted model: its reply, and options as for [WriteGGUF].
type Model struct {
	Reply   string
	Options []Option
}

// A ServerOption changes how the server runs.
type ServerOption func(*manifest)

// ContextSize sets the context of every model, in tokens; 32768 without it.
// A model's trained context bounds it.
func ContextSize(tokens int) ServerOption { return func(m *manifest) { m.Context = tokens } }

// OllamaVersion sets the version that the Ollama side says it is, "0.32.15"
// without it. It behaves like that version in a few things that changed: before
// 0.32.10 repetition was penalised unless told otherwise; 0.30.0 left out of the
// prompt's count what its cache held, the beginning shared with the last prompt;
// before 0.30.0 a prompt that is too long was refused without figures; before
// 0.12.5 the fields truncate and shift were unknown.
func OllamaVersion(v string) ServerOption { return func(m *manifest) { m.Ollama = v } }

// manifest is what the shim reads.
type manifest struct {
	Models  map[string]string `json:"models"`
	Context int               `json:"context"`
	Modules string            `json:"modules"`
	Ollama  string            `json:"ollama"`
}

// A Server is a running model server. It answers at two addresses, since no
// server speaks both protocols: as llama.cpp's own server, and as Ollama.
type Server struct {
	// URL is the base of llama.cpp's OpenAI-compatible interface:
	// http://127.0.0.1:PORT/v1.
	URL string

	root, ollama string

	mu       sync.Mutex // guards manifest and its file
	manifest manifest
	dir      string // of all its files

	cmd    *exec.Cmd
	stdin  io.Closer
	stderr *tailBuffer
	exited chan struct{}
	stop   sync.Once
}

// BaseURL is the base of llama.cpp's own interface (/props, /tokenize, …): URL
// without /v1.
func (s *Server) BaseURL() string { return s.root }

// OllamaURL is the base of Ollama's native interface, http://127.0.0.1:PORT,
// below which /api/chat is.
func (s *Server) OllamaURL() string { return s.ollama }

// File is the path of a model's file, "" for a name that the server does not
// have.
func (s *Server) File(model string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.manifest.Models[model]
}

// Set puts a model behind a name: a further one, or another in place of the one
// that was there, as a pull of a moved tag does; the next request meets it, under
// another digest. A server takes a second or two to start and a model some
// milliseconds, so a suite does well to start one server and set its models.
func (s *Server) Set(t testing.TB, name string, m Model) {
	t.Helper()
	if err := s.set(name, m); err != nil {
		t.Fatalf("llamatest: model %q: %v", name, err)
	}
}

func (s *Server) set(name string, m Model) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	file, known := s.manifest.Models[name]
	if !known {
		file = filepath.Join(s.dir, fmt.Sprintf("model-%d.gguf", len(s.manifest.Models)))
	}
	// The server has the old file mapped: it keeps it, the name gets the new one.
	if err := errors.Join(writeModel(file+".new", m), os.Rename(file+".new", file)); err != nil {
		return err
	}
	s.manifest.Models[name] = file
	return s.writeManifest()
}

// writeManifest writes what the shim reads, in one step.
func (s *Server) writeManifest() error {
	text, err := json.Marshal(s.manifest)
	if err != nil {
		return err
	}
	return errors.Join(os.WriteFile(s.config()+".new", text, 0o600), os.Rename(s.config()+".new", s.config()))
}

func (s *Server) config() string { return filepath.Join(s.dir, "manifest.json") }

// Start runs a server with one scripted model for each name and the reply that
// it gives, and stops it when the test ends. It skips the test when the server
// is not installed, unless RequireEnv says to fail.
func Start(t testing.TB, models map[string]string, opts ...ServerOption) *Server {
	t.Helper()
	scripted := make(map[string]Model, len(models))
	for name, reply := range models {
		scripted[name] = Model{Reply: reply}
	}
	return StartModels(t, scripted, opts...)
}

// StartModels is Start for models with options.
func StartModels(t testing.TB, models map[string]Model, opts ...ServerOption) *Server {
	t.Helper()
	node, modules, err := installed()
	if err != nil {
		if os.Getenv(RequireEnv) == "1" {
			t.Fatalf("llamatest: %v (%s=1 forbids skipping)", err, RequireEnv)
		}
		t.Skipf("llamatest: %v", err)
	}
	m := manifest{Models: map[string]string{}, Context: 32768, Modules: modules, Ollama: "0.32.15"}
	for _, opt := range opts {
		opt(&m)
	}
	s := &Server{manifest: m, dir: t.TempDir(), stderr: &tailBuffer{}, exited: make(chan struct{})}
	for _, name := range slices.Sorted(maps.Keys(models)) {
		s.Set(t, name, models[name])
	}
	if err := s.run(node); err != nil {
		t.Fatalf("llamatest: %v", err)
	}
	t.Cleanup(func() {
		s.Stop()
		if t.Failed() {
			t.Logf("llamatest: the server's standard error:\n%s", s.stderr)
		}
	})
	return s
}

// Stop kills the server and everything that it started, and waits for its end.
// A second call does nothing.
func (s *Server) Stop() {
	s.stop.Do(func() {
		killGroup(s.cmd.Process)
		s.stdin.Close()
		<-s.exited
	})
}

// installed returns the node program and the folder that holds node_modules
// with the pinned version, or an error that says what is missing.
func installed() (node, modules string, err error) {
	node, err = exec.LookPath("node")
	if err != nil {
		return "", "", errors.New("node is not installed: install Node.js 20 or newer, then run internal/llamatest/server/install.sh")
	}
	modules = os.Getenv(DirEnv)
	if modules == "" {
		if modules, err = shimFolder(); err != nil {
			return "", "", err
		}
	}
	if modules, err = filepath.Abs(modules); err != nil {
		return "", "", err
	}
	var want struct{ Dependencies map[string]string }
	if err := json.Unmarshal(shimPackage, &want); err != nil {
		return "", "", fmt.Errorf("server/package.json: %w", err)
	}
	const name = "node-llama-cpp"
	have, err := packageVersion(filepath.Join(modules, "node_modules", name, "package.json"))
	switch {
	case errors.Is(err, os.ErrNotExist):
		return "", "", fmt.Errorf("%s is not installed in %s: run internal/llamatest/server/install.sh", name, modules)
	case err != nil:
		return "", "", err
	case have != want.Dependencies[name]:
		return "", "", fmt.Errorf("%s in %s is version %s, not %s: run internal/llamatest/server/install.sh", name, modules, have, want.Dependencies[name])
	}
	return node, modules, nil
}

// shimFolder finds server/ of this package in the module around the working
// folder, where go test runs a package's tests.
func shimFolder() (string, error) {
	start, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for dir := start; ; dir = filepath.Dir(dir) {
		folder := filepath.Join(dir, "internal", "llamatest", "server")
		if _, err := os.Stat(filepath.Join(folder, "server.mjs")); err == nil {
			return folder, nil
		}
		if dir == filepath.Dir(dir) {
			return "", fmt.Errorf("no internal/llamatest/server above %s: set %s to the folder that holds node_modules", start, DirEnv)
		}
	}
}

func packageVersion(file string) (string, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	var p struct{ Version string }
	if err := json.Unmarshal(text, &p); err != nil {
		return "", fmt.Errorf("%s: %w", file, err)
	}
	return p.Version, nil
}

func writeModel(file string, m Model) error {
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	return errors.Join(WriteGGUF(f, m.Reply, m.Options...), f.Close())
}

// run starts the shim and waits until it listens.
func (s *Server) run(node string) error {
	code := filepath.Join(s.dir, "shim")
	files, err := fs.Sub(shim, "server")
	if err != nil {
		return err
	}
	if err := errors.Join(os.CopyFS(code, files), s.writeManifest()); err != nil {
		return err
	}
	s.cmd = exec.Command(node, filepath.Join(code, "server.mjs"), s.config())
	s.cmd.Dir = s.dir
	s.cmd.Stderr = s.stderr
	s.cmd.WaitDelay = stopTimeout
	ownGroup(s.cmd)
	// The shim ends with its standard input: also when the test binary is
	// killed and runs no cleanup.
	stdin, err := s.cmd.StdinPipe()
	if err != nil {
		return err
	}
	s.stdin = stdin
	stdout, err := s.cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := s.cmd.Start(); err != nil {
		return err
	}
	type ports struct{ Port, Ollama int }
	ready := make(chan ports, 1)
	go func() {
		defer close(s.exited)
		lines := bufio.NewReader(stdout)
		line, _ := lines.ReadBytes('\n')
		var hello ports
		if json.Unmarshal(line, &hello) == nil && hello.Port > 0 && hello.Ollama > 0 {
			ready <- hello
		}
		close(ready)
		_, _ = io.Copy(io.Discard, lines) // Wait must not close the pipe before its end
		_ = s.cmd.Wait()                  // killed, as a rule: the status says nothing
	}()
	select {
	case hello, ok := <-ready:
		if !ok {
			s.Stop()
			return fmt.Errorf("the server ended before it listened:\n%s", s.stderr)
		}
		s.root = fmt.Sprintf("http://127.0.0.1:%d", hello.Port)
		s.ollama = fmt.Sprintf("http://127.0.0.1:%d", hello.Ollama)
		s.URL = s.root + "/v1"
		return nil
	case <-time.After(readyTimeout):
		s.Stop()
		return fmt.Errorf("the server did not listen within %v:\n%s", readyTimeout, s.stderr)
	}
}

// tailBuffer keeps the last bytes written to it.
type tailBuffer struct {
	mu   sync.Mutex
	tail []byte
}

func (b *tailBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.tail = append(b.tail, p...)
	if over := len(b.tail) - stderrKept; over > 0 {
		b.tail = append(b.tail[:0], b.tail[over:]...)
	}
	return len(p), nil
}

func (b *tailBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return string(bytes.TrimSpace(b.tail))
}
