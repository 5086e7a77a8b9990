package llamatest

import (
	"bufio"
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
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

//go:embed server/server.mjs
var shim []byte

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

// manifest is what the shim reads.
type manifest struct {
	Models  map[string]string `json:"models"`
	Context int               `json:"context"`
	Modules string            `json:"modules"`
}

// A Server is a running model server.
type Server struct {
	// URL is the base of its OpenAI-compatible interface: http://127.0.0.1:PORT/v1.
	// Ollama's /api/chat is beside it, under Root.
	URL string
	// Root is URL without /v1.
	Root string

	cmd    *exec.Cmd
	stdin  io.Closer
	stderr *tailBuffer
	exited chan struct{}
	stop   sync.Once
}

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
	m := manifest{Models: map[string]string{}, Context: 32768, Modules: modules}
	for _, opt := range opts {
		opt(&m)
	}
	dir := t.TempDir()
	for i, name := range slices.Sorted(maps.Keys(models)) {
		m.Models[name] = filepath.Join(dir, fmt.Sprintf("model-%d.gguf", i))
		if err := writeModel(m.Models[name], models[name]); err != nil {
			t.Fatalf("llamatest: model %q: %v", name, err)
		}
	}
	s, err := run(node, dir, m)
	if err != nil {
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
func run(node, dir string, m manifest) (*Server, error) {
	text, err := json.Marshal(m)
	if err != nil {
		return nil, err
	}
	script, config := filepath.Join(dir, "server.mjs"), filepath.Join(dir, "manifest.json")
	if err := errors.Join(os.WriteFile(script, shim, 0o600), os.WriteFile(config, text, 0o600)); err != nil {
		return nil, err
	}
	s := &Server{cmd: exec.Command(node, script, config), stderr: &tailBuffer{}, exited: make(chan struct{})}
	s.cmd.Dir = dir
	s.cmd.Stderr = s.stderr
	s.cmd.WaitDelay = stopTimeout
	ownGroup(s.cmd)
	// The shim ends with its standard input: also when the test binary is
	// killed and runs no cleanup.
	stdin, err := s.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	s.stdin = stdin
	stdout, err := s.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	ready := make(chan int, 1)
	go func() {
		defer close(s.exited)
		lines := bufio.NewReader(stdout)
		line, _ := lines.ReadBytes('\n')
		var hello struct{ Port int }
		if json.Unmarshal(line, &hello) == nil && hello.Port > 0 {
			ready <- hello.Port
		}
		close(ready)
		_, _ = io.Copy(io.Discard, lines) // Wait must not close the pipe before its end
		_ = s.cmd.Wait()                  // killed, as a rule: the status says nothing
	}()
	select {
	case port, ok := <-ready:
		if !ok {
			s.Stop()
			return nil, fmt.Errorf("the server ended before it listened:\n%s", s.stderr)
		}
		s.Root = fmt.Sprintf("http://127.0.0.1:%d", port)
		s.URL = s.Root + "/v1"
		return s, nil
	case <-time.After(readyTimeout):
		s.Stop()
		return nil, fmt.Errorf("the server did not listen within %v:\n%s", readyTimeout, s.stderr)
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
