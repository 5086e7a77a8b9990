package doctor

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/assaybench/assay/model/modeltest"
	"github.com/assaybench/assay/sandbox"
)

func TestMain(m *testing.M) {
	sandbox.Main()
	goleak.VerifyTestMain(m)
}

// bundle is a look at a machine that does not exist: only the servers of the test are there.
type bundle struct {
	Options
	env     map[string]string
	servers []string // host:port that may be dialled

	mu      sync.Mutex
	strange []string // what else was dialled
}

func setup(t *testing.T) *bundle {
	t.Helper()
	// Nothing listens at port 1, and OLLAMA_HOST keeps the test off a real Ollama of this machine.
	b := &bundle{env: map[string]string{"OLLAMA_HOST": "127.0.0.1:1"}, servers: []string{"127.0.0.1:1"}}
	b.Options = Options{
		Getenv: func(name string) string { return b.env[name] }, Dir: t.TempDir(), Now: time.Now, Assay: "v9.9.9", Ports: []int{}, Patience: 10 * time.Second,
		LookPath: func(string) (string, error) { return "", exec.ErrNotFound },
		Box: func(context.Context) (Box, error) {
			return nil, &sandbox.Unavailable{Reasons: []string{"none in tests"}}
		},
	}
	b.Dial = func(ctx context.Context, network, addr string) (net.Conn, error) {
		if !slices.Contains(b.servers, addr) {
			b.mu.Lock()
			defer b.mu.Unlock()
			b.strange = append(b.strange, addr)
			return nil, fmt.Errorf("%s is none of the test's servers", addr)
		}
		return modeltest.Dial(ctx, network, addr)
	}
	t.Cleanup(func() {
		if len(b.strange) > 0 {
			t.Errorf("these were dialled too: %v", b.strange)
		}
	})
	return b
}

// serve starts a server and gives its address without a path.
func (b *bundle) serve(t *testing.T, h http.HandlerFunc) string {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	b.allow(t, s.URL)
	return s.URL
}

// allow lets a server be dialled, and gives its port.
func (b *bundle) allow(t *testing.T, address string) int {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	b.servers = append(b.servers, u.Host)
	return portOf(t, u.Host)
}

func portOf(t *testing.T, host string) int {
	t.Helper()
	_, port, err := net.SplitHostPort(host)
	if err != nil {
		t.Fatal(err)
	}
	n, err := strconv.Atoi(port)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func (b *bundle) look(t *testing.T) *Report {
	t.Helper()
	r, err := Look(t.Context(), b.Options)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// at finds what was found of a server.
func at(t *testing.T, r *Report, provider, address string) Server {
	t.Helper()
	for _, s := range r.Servers {
		if s.Provider == provider && s.Address == address {
			return s
		}
	}
	t.Fatalf("no %s at %s in %+v", provider, address, r.Servers)
	return Server{}
}

// is compares a finding; say and do need only be parts.
func is(t *testing.T, f Finding, state State, say, do string) {
	t.Helper()
	if f.State != state || !strings.Contains(f.Say, say) || !strings.Contains(f.Do, do) || do == "" && f.Do != "" {
		t.Errorf("found %q: %q, do %q\nwant  %q: %q, do %q", f.State, f.Say, f.Do, state, say, do)
	}
	if strings.ContainsAny(f.Say+f.Do, "\n\r\x1b") {
		t.Errorf("not one plain line: %q, %q", f.Say, f.Do)
	}
}

func TestLookCannot(t *testing.T) {
	b := setup(t)
	file := b.Dir + "/file"
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for dir, want := range map[string]string{"": "cannot be found out", b.Dir + "/none": "no such file", file: "is not a folder"} {
		b.Dir = dir
		if _, err := Look(t.Context(), b.Options); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", dir, err)
		}
	}
}

func TestLookEndsWithItsContext(t *testing.T) {
	b := setup(t)
	b.Servers = []Named{{"openai", silent(t, b) + "/v1"}}
	why := errors.New("somebody pressed a key")
	ctx, cancel := context.WithCancelCause(t.Context())
	time.AfterFunc(50*time.Millisecond, func() { cancel(why) })
	begun := time.Now()
	if _, err := Look(ctx, b.Options); !errors.Is(err, why) {
		t.Errorf("the error is %v", err)
	}
	if took := time.Since(begun); took > 5*time.Second {
		t.Errorf("it took %v", took)
	}
}

// silent is a server that accepts connections and says nothing.
func silent(t *testing.T, b *bundle) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	var conns []net.Conn
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			mu.Lock()
			conns = append(conns, c)
			mu.Unlock()
		}
	}()
	t.Cleanup(func() {
		l.Close()
		<-done
		for _, c := range conns {
			c.Close()
		}
	})
	address := "http://" + l.Addr().String()
	b.allow(t, address)
	return address
}
