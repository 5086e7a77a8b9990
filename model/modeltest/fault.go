package modeltest

import (
	"fmt"
	"maps"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/record"
)

// Fault names one way in which a mock misbehaves, or lets a model end otherwise than well. The same name means the same
// on every wire that has it, in that wire's own form.
type Fault string

// behaviour is what a fault does on the wire, and what an honest harness must make of it.
type behaviour struct {
	status  int
	header  map[string]string
	body    string
	act     func(c *call) // in place of status, header and body
	outcome record.Outcome
	kind    model.FaultKind // for the outcomes of failed calls
	costly  bool            // slow or large: left out of Every("all") and of Draw
	shows   string          // "identity" or "ready": the call itself goes well, see Fault.Shows
}

func failing(kind model.FaultKind, status int, body string, header ...string) behaviour {
	b := behaviour{status: status, body: body, outcome: record.Error, kind: kind}
	for i := 0; i+1 < len(header); i += 2 {
		if b.header == nil {
			b.header = map[string]string{}
		}
		b.header[header[i]] = header[i+1]
	}
	if kind == model.FaultContext {
		b.outcome = record.Undelivered
	}
	return b
}

func acting(kind model.FaultKind, act func(c *call)) behaviour {
	return behaviour{outcome: record.Error, kind: kind, act: act}
}

// ending lets the reply end otherwise, in a whole and good body.
func ending(outcome record.Outcome, change func(*MockReply)) behaviour {
	return behaviour{outcome: outcome, act: func(c *call) {
		change(&c.reply)
		c.answer()
	}}
}

// whole is a reply in a body of its own, which ends in that outcome without a fault. Its answer, "ok" as it is written,
// becomes the mock's, so that a right answer stays one, and its count of prompt tokens, 9, a plausible one.
func whole(outcome record.Outcome, body string) behaviour {
	return behaviour{outcome: outcome, act: func(c *call) {
		c.w.Header()["Content-Type"] = []string{c.kind()}
		count := c.m.form.count
		said := strings.Replace(body, `"ok"`, string(quote(nil, c.reply.Content)), 1)
		write(c.w, 200, []byte(strings.Replace(said, count+"9", count+strconv.Itoa(c.reply.PromptTokens), 1)))
	}}
}

// tables holds the faults of every wire, and what each name means wherever it is.
var tables = sync.OnceValue(func() (t struct {
	of  map[Wire]map[Fault]behaviour
	any map[Fault]behaviour
}) {
	t.of, t.any = map[Wire]map[Fault]behaviour{}, map[Fault]behaviour{}
	for w, f := range forms() {
		t.of[w] = common(f)
		maps.Copy(t.of[w], f.faults())
		maps.Copy(t.any, t.of[w])
	}
	return t
})

// Faults lists every fault of WireChat, in order.
func Faults() []Fault { return FaultsOf(WireChat) }

// FaultsOf lists every fault of a wire, in order.
func FaultsOf(w Wire) []Fault { return slices.Sorted(maps.Keys(tables().of[w])) }

// Expect is what an honest harness makes of a fault, given LongRequest: the outcome, and the kind of fault where the call
// fails ("" where it gives a reply).
func (f Fault) Expect() (record.Outcome, model.FaultKind) {
	b := tables().any[f]
	return b.outcome, b.kind
}

// Shows says where a fault is to be seen: "" is in the call that suffers it; "identity" is in what Identify says after it,
// and "ready" in what Prepare says, while the call itself ends well.
func (f Fault) Shows() string { return tables().any[f].shows }

// Transient reports whether a further try may go well: the call fails, by a fault that may be retried, and quickly.
func (f Fault) Transient() bool {
	b := tables().any[f]
	return b.outcome == record.Error && !b.costly && (&model.Fault{Kind: b.kind}).Retryable()
}

// Terminal reports whether the fault must stop a run.
func (f Fault) Terminal() bool { return (&model.Fault{Kind: tables().any[f].kind}).Terminal() }

// Costly reports whether the fault takes long or sends much.
func (f Fault) Costly() bool { return tables().any[f].costly }

// LongRequest is a request under which every fault shows what Expect says: its prompt of 30,000 bytes is long enough for
// a token count to prove that it was cut, and has few enough tokens to fit into the context that it asks for.
func LongRequest() model.Request {
	zero := 0.0
	return model.Request{Key: record.Key{Model: "m", Posture: "plain", Item: "long", Repeat: 1},
		Messages:    []model.Message{{Role: "user", Text: strings.Repeat("eight by", 3750)}},
		Temperature: &zero, MaxOutput: 1024, Context: 4096}
}

func (f Fault) serve(c *call) {
	b, ok := tables().of[c.m.opts.Wire][f]
	if !ok {
		panic(fmt.Sprintf("the wire %s has no fault %q", c.m.opts.Wire, f))
	}
	if b.act != nil {
		b.act(c)
		return
	}
	for name, value := range b.header {
		c.w.Header().Set(name, value)
	}
	if b.status == 200 && c.asked.stream && c.w.Header()["Content-Type"] == nil {
		c.w.Header()["Content-Type"] = []string{c.m.form.streams}
	}
	write(c.w, b.status, []byte(b.body))
}

// raw writes bytes to the connection in place of a response and closes it, with a reset if asked for.
func raw(w http.ResponseWriter, text string, reset bool) {
	conn, _, err := w.(http.Hijacker).Hijack()
	if err != nil {
		panic(err) // only a response that was begun cannot be hijacked
	}
	_, _ = conn.Write([]byte(text))
	if tcp, ok := conn.(*net.TCPConn); ok && reset {
		// The bytes must arrive before the reset throws them away.
		if text != "" {
			time.Sleep(20 * time.Millisecond)
		}
		_ = tcp.SetLinger(0)
	}
	conn.Close()
}

func plain(kind string, length int, body string) string {
	return fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n%s", kind, length, body)
}

// chunked is a chunked body without its end: all of the JSON is there, and yet it may have been cut.
func chunked(kind, body string) string {
	return fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Type: %s\r\nTransfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n", kind, len(body), body)
}
