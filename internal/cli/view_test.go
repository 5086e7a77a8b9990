package cli_test

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/assaybench/assay/internal/cli"
	"github.com/assaybench/assay/model/modeltest"
)

// viewing starts assay view and gives the address that it prints, and what ends it.
func (r *rig) viewing(args ...string) (at string, end func() ran) {
	r.Helper()
	ctx, cancel := context.WithCancel(r.ctx)
	var out, errs safeBuffer
	done := make(chan int, 1)
	go func() {
		done <- cli.Main(&cli.Process{Args: append([]string{"view"}, args...), Getenv: func(name string) string { return r.env[name] }, Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs,
			Now: time.Now, Dir: r.dir, Context: ctx, Dial: modeltest.Dial})
	}()
	end = func() ran {
		cancel()
		return ran{<-done, out.String(), errs.String()}
	}
	for range 200 {
		if line, _, ok := strings.Cut(out.String(), "\n"); ok {
			return line, end
		}
		select {
		case code := <-done:
			r.Fatalf("assay view %v ended with %d: %s", args, code, errs.String())
		case <-time.After(50 * time.Millisecond):
		}
	}
	cancel()
	r.Fatal("assay view printed no address")
	return "", nil
}

func (r *rig) page(at string) (int, string) {
	r.Helper()
	c := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	resp, err := c.Get(at)
	if err != nil {
		r.Fatal(err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		r.Fatal(err)
	}
	return resp.StatusCode, string(b)
}

// TestView looks at a run, a bench and a publication by the command.
func TestView(t *testing.T) {
	r := newRig(t)
	r.want(0, "run", "chair-trials", "--model", "control/reference", "--only", "c2-num-1", "--quiet")
	at, end := r.viewing("latest")
	if status, body := r.page(at); status != 200 || !strings.Contains(body, "control/reference") || !strings.Contains(at, "/run/") {
		t.Errorf("%s: status %d: %.300s", at, status, body)
	}
	if got := end(); got.code != 0 || got.err != "" || got.out != at+"\n" {
		t.Errorf("at its end: exit %d, %q, %q", got.code, got.out, got.err)
	}
	at, end = r.viewing("chair-trials")
	if status, body := r.page(at); status != 200 || !strings.Contains(body, "Controls and their state") {
		t.Errorf("%s: status %d: %.300s", at, status, body)
	}
	end()
	at, end = r.viewing("--listen", "0.0.0.0:0")
	base, query, ok := strings.Cut(at, "?")
	base = strings.Replace(base, "[::]", "127.0.0.1", 1)
	if status, _ := r.page(base); !ok || status != 401 {
		t.Errorf("without its token: status %d of %s", status, at)
	}
	if !strings.HasPrefix(query, "token=") || len(query) < 40 {
		t.Errorf("the address is %s", at)
	}
	end()
	for _, c := range []struct {
		args []string
		code int
		says string
	}{
		{[]string{"view", "--listen", "nowhere"}, 2, "HOST:PORT"},
		{[]string{"view", "nobody"}, 2, `no run "nobody"`},
		{[]string{"view", "./nowhere"}, 2, "nowhere"},
		{[]string{"view", "."}, 2, "neither a bench nor a publication"},
	} {
		if got := r.want(c.code, c.args...); !strings.Contains(got.err, c.says) {
			t.Errorf("%v says %q", c.args, got.err)
		}
	}
}
