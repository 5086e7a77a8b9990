package surface_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"time"
)

// talk is a client of stdio that writes lines by hand.
type talk struct {
	testing.TB
	in   *io.PipeWriter
	out  *bufio.Scanner
	done chan error
}

func (s *served) talk(revision string) *talk {
	s.Helper()
	toServer, in := io.Pipe()
	out, fromServer := io.Pipe()
	k := &talk{s, in, bufio.NewScanner(out), make(chan error, 1)}
	k.out.Buffer(nil, 8<<20)
	go func() {
		err := s.server.Stdio(context.Background(), toServer, fromServer)
		fromServer.Close()
		k.done <- err
	}()
	k.say(fmt.Sprintf(`{"jsonrpc":"2.0","id":"i","method":"initialize","params":{"protocolVersion":%q,"capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`, revision))
	if got := k.hear(); !strings.Contains(got, `"protocolVersion":"`+revision+`"`) {
		s.Fatalf("the server speaks another revision than %s: %s", revision, got)
	}
	k.say(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return k
}

func (k *talk) say(line string) {
	k.Helper()
	if _, err := io.WriteString(k.in, line+"\n"); err != nil {
		k.Fatalf("the server is gone: %v", err)
	}
}

func (k *talk) hear() string {
	k.Helper()
	if !k.out.Scan() {
		k.Fatalf("the server said nothing more: %v, %v", k.out.Err(), <-k.done)
	}
	return k.out.Text()
}

func (k *talk) end() {
	k.Helper()
	k.in.Close()
	if err := <-k.done; err != nil {
		k.Errorf("the end: %v", err)
	}
}

// TestStdioBadLines sends what is no message. Each is answered as JSON-RPC has it, and the server goes on.
func TestStdioBadLines(t *testing.T) {
	s := serve(t, files(t, nil))
	k := s.talk("2025-11-25")
	for _, c := range []struct {
		line string
		code int
		id   string
	}{
		{"garbage", -32700, "null"},
		{`{"jsonrpc":"2.0","id":1,"method":"ping"} trailing`, -32700, "null"},
		{`{"jsonrpc":"2.0","id":1,`, -32700, "null"},
		{"\xff\xfe{", -32700, "null"},
		{`{"a":1}`, -32600, "null"},
		{`{"jsonrpc":"1.0","id":2,"method":"ping"}`, -32600, "2"},
		{`{"id":"x","method":"ping"}`, -32600, `"x"`},
		{`{"jsonrpc":"2.0","id":{},"method":"ping"}`, -32600, "null"},
		{`{"jsonrpc":"2.0","id":3,"method":5}`, -32600, "3"},
		{`{"jsonrpc":"2.0"}`, -32600, "null"},
		{"null", -32600, "null"},
		{`"x"`, -32600, "null"},
		{"[]", -32600, "null"},
		{`[{"jsonrpc":"2.0","id":9,"method":"ping"}]`, -32600, "null"},
		{`{"jsonrpc":"2.0","id":4,"method":"ping","params":` + strings.Repeat("[", 2000) + strings.Repeat("]", 2000) + `}`, -32600, "4"},
		{`{"jsonrpc":"2.0","id":5,"method":"ping","params":{"x":"` + strings.Repeat("a", 5<<20) + `"}}`, -32600, "null"},
	} {
		k.say(c.line)
		var got struct {
			JSONRPC string
			ID      json.RawMessage
			Error   struct {
				Code    int
				Message string
			}
		}
		if err := json.Unmarshal([]byte(k.hear()), &got); err != nil || got.JSONRPC != "2.0" || got.Error.Code != c.code || string(got.ID) != c.id || got.Error.Message == "" {
			t.Errorf("%.80s: %v %+v, id %s", c.line, err, got, got.ID)
		}
	}
	for _, silent := range []string{"", " \t", "\r", `{"jsonrpc":"2.0","id":77,"result":{}}`} {
		k.say(silent)
	}
	k.say(`{"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"name":"files.read","arguments":{"file_id":"SPEC-4"}}}` + "\r")
	if got := k.hear(); !strings.Contains(got, `"id":6`) || !strings.Contains(got, `"ropes_per_drum":4`) {
		t.Error(got)
	}
	k.end()
	s.wantCalls("mcp:files.read")
}

// TestStdioBatches holds for clients of the revisions that have them.
func TestStdioBatches(t *testing.T) {
	s := serve(t, files(t, nil))
	k := s.talk("2025-03-26")
	call := func(id int) string {
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"files.read","arguments":{"file_id":"SPEC-4"}}}`, id)
	}
	k.say("[" + call(1) + "," + call(2) + "]")
	var got []struct{ ID int }
	if line := k.hear(); json.Unmarshal([]byte(line), &got) != nil || len(got) != 2 || got[0].ID+got[1].ID != 3 {
		t.Errorf("%s", line)
	}
	for _, bad := range []string{"[]", "[" + call(3) + "," + call(3) + "]", "[" + call(4) + ",7]"} {
		k.say(bad)
		if got := k.hear(); !strings.Contains(got, "-32600") {
			t.Errorf("%s: %s", bad, got)
		}
	}
	k.end()
	s.wantCalls("mcp:files.read", "mcp:files.read")
}

// TestStdioEndOfInput: calls that were read before the input ended are made and answered, however fast it ends.
func TestStdioEndOfInput(t *testing.T) {
	for _, revision := range []string{"2025-11-25", "2025-03-26"} {
		s := serve(t, files(t, nil))
		lines := []string{
			fmt.Sprintf(`{"jsonrpc":"2.0","id":"i","method":"initialize","params":{"protocolVersion":%q,"capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`, revision),
			`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
		}
		var want []string
		for id := range 20 {
			lines = append(lines, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"files.read","arguments":{"file_id":"SPEC-4"}}}`, id))
			want = append(want, "mcp:files.read")
		}
		// A call that its client takes back need not be answered, and holds up nothing.
		lines = append(lines, `{"jsonrpc":"2.0","id":99,"method":"tools/list"}`, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":99}}`)
		var out lockedBuffer
		done := make(chan error, 1)
		go func() {
			done <- s.server.Stdio(context.Background(), io.NopCloser(strings.NewReader(strings.Join(lines, "\n"))), &out)
		}()
		select {
		case err := <-done:
			if err != nil {
				t.Errorf("the end: %v", err)
			}
		case <-time.After(20 * time.Second):
			t.Fatal("it does not end")
		}
		got := out.String()
		for id := range 20 {
			if !strings.Contains(got, fmt.Sprintf(`"id":%d,`, id)) {
				t.Errorf("%s: call %d was not answered", revision, id)
			}
		}
		if n := strings.Count(got, `"ropes_per_drum":4`); n < 20 {
			t.Errorf("%s: %d answers:\n%s", revision, n, got)
		}
		s.wantCalls(want...)
	}
}

// lockedBuffer is written to by a server while a test may read it.
type lockedBuffer struct {
	mu sync.Mutex
	b  strings.Builder
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) Close() error { return nil }

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}
