package wire

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/record"
)

const testKey = "sk-test-0123456789abcdef/+SECRET"

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestScrub(t *testing.T) {
	s := newSecret(testKey)
	var escaped strings.Builder
	for _, c := range testKey {
		fmt.Fprintf(&escaped, `\u%04X`, c)
	}
	for in, want := range map[string]string{
		"a " + testKey + " b": "a [key removed] b",
		`{"k":"` + strings.ReplaceAll(testKey, "/", `\/`) + `"}`: withheld,
		`{"k":"` + escaped.String() + `"}`:                       withheld,
		"nothing":                                                "nothing",
		`\u0041 \" \\`:                                           `\u0041 \" \\`,
	} {
		if got := string(s.reply([]byte(in))); got != want {
			t.Errorf("%s: got %s", in, got)
		}
	}
	x := record.Exchange{Status: 200, ResponseBody: []byte("x " + testKey), ResponseHeader: map[string][]string{"Set-Cookie": {"a"}, "X-Echo": {"Bearer " + testKey}}}
	s.clean(&x)
	if x.ResponseHeader["Set-Cookie"] != nil || x.ResponseHeader["X-Echo"][0] != "Bearer [key removed]" || string(x.ResponseBody) != "x [key removed]" {
		t.Errorf("got %+v", x)
	}
	if printed := fmt.Sprintf("%+v %#v", s, s); strings.Contains(printed, testKey) {
		t.Error("printing the scrubber shows the key")
	}
}

// TestPlaceholdersAreNoSecrets: people set such keys for servers that want none, and answers hold these words.
func TestPlaceholdersAreNoSecrets(t *testing.T) {
	for _, key := range []string{"ollama", "EMPTY", "lm-studio", "not-needed", "sk-no-key-required", "x", "abc1234"} {
		answer := "an answer about " + key + " and more"
		if got := string(newSecret(key).reply([]byte(answer))); got != answer {
			t.Errorf("the key %q changed an answer: %q", key, got)
		}
	}
	if got := newSecret("abc1234").text("no: abc1234"); got != "no: [key removed]" {
		t.Errorf("a short key stays in messages: %q", got)
	}
}

// TestErrorBodies reads the dialects of error bodies, and whatever else a server may say.
func TestErrorBodies(t *testing.T) {
	for body, want := range map[string]ServerError{
		`{"error":{"message":"m","type":"t","code":"c"}}`:        {"m", "c", "t"},
		`{"error":{"message":"m","code":429}}`:                   {"m", "429", ""},
		`{"error":"m"}`:                                          {"m", "", ""},
		`{"object":"error","message":"m","type":"t","code":400}`: {"m", "400", "t"},
		`{"detail":"m"}`:                                         {"m", "", ""},
		`{"detail":[{"msg":"x"}]}`:                               {`[{"msg":"x"}]`, "", ""},
		`{"error":null}`:                                         {},
		`{"error":[1]}`:                                          {},
		`[]`:                                                     {},
		`"text"`:                                                 {},
		``:                                                       {},
		"{\"error\":\"\xff\"}":                                   {"\ufffd", "", ""},
		`{"error":"a","error":"b"}`:                              {"b", "", ""},
	} {
		if got := ReadError([]byte(body)); got != want {
			t.Errorf("%s: %+v, want %+v", body, got, want)
		}
	}
}

func TestReadBounded(t *testing.T) {
	for _, declared := range []int64{-1, 0, 5, 10, 1 << 62} {
		b, tooBig, err := readBounded(strings.NewReader("0123456789"), declared, 10)
		if string(b) != "0123456789" || tooBig || err != nil {
			t.Errorf("declared %d: %q, %v, %v", declared, b, tooBig, err)
		}
		if b, tooBig, _ = readBounded(strings.NewReader("0123456789a"), declared, 10); len(b) != 10 || !tooBig {
			t.Errorf("declared %d: %d bytes, %v", declared, len(b), tooBig)
		}
	}
}
func TestRetryAfterForms(t *testing.T) {
	now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	for v, want := range map[string]time.Duration{
		"": 0, "0": 0, "-5": 0, "1.5": 1500 * time.Millisecond, "NaN": 0, "1e300": MaxRetryAfter, "Inf": MaxRetryAfter, "soon": 0,
		"Mon, 30 Nov 2026 12:00:10 GMT": 10 * time.Second, "Mon, 30 Nov 2026 11:00:00 GMT": 0, "Mon, 30 Nov 2099 11:00:00 GMT": MaxRetryAfter,
	} {
		got := &Response{Exchange: record.Exchange{ResponseHeader: http.Header{"Retry-After": {v}}}}
		if d := retryAfter(got, now); d != want {
			t.Errorf("Retry-After %q: %v, want %v", v, d, want)
		}
	}
}

// TestKeysBehindSeveralEscapes: routers put JSON into JSON, and a key behind two escapes is a key.
func TestKeysBehindSeveralEscapes(t *testing.T) {
	s := newSecret(testKey)
	var once strings.Builder
	for _, c := range testKey {
		fmt.Fprintf(&once, `\\u%04x`, c)
	}
	for _, body := range []string{`{"raw":"{\"message\":\"` + once.String() + `\"}"}`, `"` + strings.ReplaceAll(once.String(), `\\`, `\\\\\\\\`) + `"`} {
		if got := string(s.reply([]byte(body))); got != withheld {
			t.Errorf("%.80s: %.80s", body, got)
		}
	}
}

// TestNoConnectionIsNoTimeout: a server that was never reached cannot have been slow.
func TestNoConnectionIsNoTimeout(t *testing.T) {
	c, err := New(Options{Spec: model.Spec{Raw: "x/m", Name: "m", URL: "http://127.0.0.1:9"}, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	}}, Dialect{Server: "a server"})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	ctx, cancel := context.WithTimeoutCause(t.Context(), 30*time.Millisecond, model.ErrTimeLimit)
	defer cancel()
	if f := c.Fault(ctx, c.Send(ctx, "POST", "x", []byte("{}"))); f == nil || f.Kind != model.FaultUnreachable || !f.Retryable() {
		t.Errorf("%v", f)
	}
	// The user's own interrupt stays one.
	ctx, stop := context.WithCancel(t.Context())
	time.AfterFunc(20*time.Millisecond, stop)
	if f := c.Fault(ctx, c.Send(ctx, "POST", "x", []byte("{}"))); f == nil || f.Kind != model.FaultCancelled {
		t.Errorf("%v", f)
	}
}
