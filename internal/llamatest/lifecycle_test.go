package llamatest

import (
	"bufio"
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

func TestHangUp(t *testing.T) {
	s := StartModels(t, map[string]Model{
		"endless": {Reply: "and so on, ", Options: []Option{Endless()}},
		"right":   {Reply: "ANSWER: 4"},
	})
	// Filling 32k tokens takes this server some 20 s. The queue must move on when
	// nobody listens any more, or a run with time limits would starve.
	for _, stream := range []bool{true, false} {
		ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
		defer cancel()
		body := fmt.Sprintf(`{"model": "endless", "stream": %v, "messages": [{"role": "user", "content": "go"}]}`, stream)
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, s.URL+"/chat/completions", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		resp, err := client.Do(req)
		if (err == nil) != stream {
			t.Fatalf("stream %v: error %v", stream, err)
		}
		if stream {
			if line, err := bufio.NewReader(resp.Body).ReadString('\n'); err != nil || !strings.HasPrefix(line, "data: ") {
				t.Errorf("first line %q, %v", line, err)
			}
			resp.Body.Close()
		}
		start := time.Now()
		if c := chat(t, s, 200, "right", "And now?", nil); c.Choices[0].Message.Content != "ANSWER: 4" {
			t.Errorf("after a hang-up: %q", c.Choices[0].Message.Content)
		}
		if waited := time.Since(start); waited > 5*time.Second {
			t.Errorf("stream %v: the next request waited %v", stream, waited)
		}
	}
}

func TestStop(t *testing.T) {
	s := Start(t, map[string]string{"right": "ANSWER: 4"})
	s.Stop()
	s.Stop()
	if resp, err := client.Get(s.BaseURL() + "/health"); err == nil {
		resp.Body.Close()
		t.Errorf("still answers after Stop: status %d", resp.StatusCode)
	}
}

// When a test binary dies, no cleanup runs; its end of the pipe closes.
func TestServerEndsWithItsInput(t *testing.T) {
	s := Start(t, map[string]string{"right": "ANSWER: 4"})
	if err := s.stdin.Close(); err != nil {
		t.Fatal(err)
	}
	select {
	case <-s.exited:
	case <-time.After(stopTimeout):
		t.Error("the server outlives its standard input")
	}
}

// recorder is a test that notes how it was ended.
type recorder struct {
	testing.TB
	skipped, failed string
}

func (r *recorder) Helper() {}
func (r *recorder) Skipf(format string, args ...any) {
	r.skipped = fmt.Sprintf(format, args...)
	runtime.Goexit()
}

func (r *recorder) Fatalf(format string, args ...any) {
	r.failed = fmt.Sprintf(format, args...)
	runtime.Goexit()
}

func startIn(t *testing.T, dir, require string) *recorder {
	t.Setenv(DirEnv, dir)
	t.Setenv(RequireEnv, require)
	r := &recorder{TB: t}
	done := make(chan struct{})
	go func() {
		defer close(done)
		Start(r, map[string]string{"right": "ANSWER: 4"})
	}()
	<-done
	return r
}

func TestNotInstalled(t *testing.T) {
	fake := func(version, code string) string {
		dir := t.TempDir()
		pkg := filepath.Join(dir, "node_modules", "node-llama-cpp")
		if err := os.MkdirAll(pkg, 0o700); err != nil {
			t.Fatal(err)
		}
		for name, text := range map[string]string{"package.json": fmt.Sprintf(`{"version": %q, "main": "index.mjs"}`, version), "index.mjs": code} {
			if err := os.WriteFile(filepath.Join(pkg, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		return dir
	}
	node := "node is not installed"
	if _, _, err := installed(); err == nil || !strings.Contains(err.Error(), node) {
		node = ""
	}
	tests := []struct{ name, dir, want string }{
		{"nothing there", t.TempDir(), "node-llama-cpp is not installed in "},
		{"another version", fake("3.0.0", ""), "is version 3.0.0, not 3.21.1: run internal/llamatest/server/install.sh"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			want := test.want
			if node != "" {
				want = node
			}
			if r := startIn(t, test.dir, ""); !strings.Contains(r.skipped, want) || r.failed != "" {
				t.Errorf("skipped %q, failed %q; want a skip with %q", r.skipped, r.failed, want)
			}
			if r := startIn(t, test.dir, "1"); !strings.Contains(r.failed, want) || !strings.Contains(r.failed, "ASSAY_REQUIRE_LLAMA=1 forbids skipping") || r.skipped != "" {
				t.Errorf("skipped %q, failed %q; want a failure with %q", r.skipped, r.failed, want)
			}
		})
	}
	t.Run("broken", func(t *testing.T) {
		if node != "" {
			t.Skip(node)
		}
		r := startIn(t, fake("3.21.1", `throw new Error("the binary is missing")`), "")
		if !strings.Contains(r.failed, "the server ended before it listened") || !strings.Contains(r.failed, "the binary is missing") {
			t.Errorf("failed %q; want what the server said", r.failed)
		}
	})
}
