package surface_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/assaybench/assay/world"
	"github.com/assaybench/assay/world/surface"
)

// ending is a server that a test ends by itself.
type ending struct {
	session *world.Session
	addr    string
	token   string
	stop    context.CancelFunc
	done    chan error
}

func serveToEnd(t *testing.T) *ending {
	t.Helper()
	task, err := open(t, files(t, nil)).Task("ferry-217")
	if err != nil {
		t.Fatal(err)
	}
	s, err := task.Session(t.Context(), "test")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	e := &ending{session: s, token: surface.NewToken(), done: make(chan error, 1)}
	v, err := surface.New(s, e.token)
	if err != nil {
		t.Fatal(err)
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	e.addr, e.stop = ln.Addr().String(), cancel
	go func() { e.done <- v.Serve(ctx, ln) }()
	return e
}

// begin sends the beginning of a request for reading a file, with all but the last of its body.
func (e *ending) begin(t *testing.T) net.Conn {
	t.Helper()
	c, err := net.Dial("tcp", e.addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	body := `{"file_id":"SPEC-4"`
	fmt.Fprintf(c, "POST /api/v1/tools/files.read HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\nContent-Length: %d\r\n\r\n%s", e.addr, e.token, len(body)+1, body)
	time.Sleep(100 * time.Millisecond) // the server reads it
	return c
}

// TestEndWithHangingRequest is a client that begins a request and leaves it. It can neither hold the server nor make its end
// look like a fault.
func TestEndWithHangingRequest(t *testing.T) {
	e := serveToEnd(t)
	e.begin(t)
	begun := time.Now()
	e.stop()
	if err := <-e.done; err != nil {
		t.Errorf("a client made the server's end a fault: %v", err)
	}
	if took := time.Since(begun); took > 8*time.Second {
		t.Errorf("a client held the server for %v", took)
	}
	if n := len(e.session.Events()); n != 0 {
		t.Errorf("half a request is %d events", n)
	}
}

// TestEndWithCall lets a request that is whole in time become a call, with its answer.
func TestEndWithCall(t *testing.T) {
	e := serveToEnd(t)
	c := e.begin(t)
	e.stop()
	time.Sleep(50 * time.Millisecond)
	io.WriteString(c, "}")
	r, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	b, err := io.ReadAll(r.Body)
	if err != nil || r.StatusCode != 200 || !strings.Contains(string(b), `"ropes_per_drum":4`) {
		t.Errorf("%v %d %s", err, r.StatusCode, b)
	}
	if err := <-e.done; err != nil {
		t.Error(err)
	}
	if n := len(e.session.Events()); n != 1 {
		t.Errorf("%d events", n)
	}
}
