package telemetry

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/assaybench/assay/record"
)

// Bounds of what is kept and sent.
const (
	queueMost  = 4096 // spans that wait; further ones are dropped
	batchMost  = 512
	batchEvery = 2 * time.Second
	sendWithin = 10 * time.Second
)

// Traces sends a span for each call to an OpenTelemetry collector, over OTLP's HTTP and JSON. The run is the trace, and its span the
// parent of all others.
type Traces struct {
	url     string
	headers map[string]string
	client  *http.Client
	now     func() time.Time
	run     string
	bench   string
	version string
	begun   time.Time

	queue chan span
	quit  chan struct{}
	ended sync.WaitGroup

	mu      sync.Mutex
	dropped int
	failed  error // the first failure to send
}

// NewTraces begins to send to a collector's address, such as http://127.0.0.1:4318; "/v1/traces" is put behind it. headers are sent
// with each request.
func NewTraces(address string, headers map[string]string, client *http.Client, now func() time.Time, run, bench, version string) *Traces {
	t := &Traces{url: strings.TrimRight(address, "/") + "/v1/traces", headers: headers, client: client, now: now, run: run, bench: bench, version: version, begun: now(),
		queue: make(chan span, queueMost), quit: make(chan struct{})}
	t.ended.Go(t.send)
	return t
}

// ID is the id of the run's trace.
func (t *Traces) ID() string { return id("trace", t.run, 16) }

// id makes an id out of a name, so that the same run always has the same trace.
func id(kind, name string, n int) string {
	sum := sha256.Sum256([]byte("assay " + kind + "\x00" + name))
	return hex.EncodeToString(sum[:n])
}

type span struct {
	TraceID    string      `json:"traceId"`
	SpanID     string      `json:"spanId"`
	ParentID   string      `json:"parentSpanId,omitempty"`
	Name       string      `json:"name"`
	Kind       int         `json:"kind"` // 1 internal, 3 client
	Start      string      `json:"startTimeUnixNano"`
	End        string      `json:"endTimeUnixNano"`
	Attributes []attribute `json:"attributes"`
	Status     status      `json:"status"`
}

type status struct {
	Code    int    `json:"code,omitempty"` // 2: error
	Message string `json:"message,omitempty"`
}

type attribute struct {
	Key   string         `json:"key"`
	Value map[string]any `json:"value"`
}

func text(key, v string) attribute {
	return attribute{key, map[string]any{"stringValue": strings.ToValidUTF8(v, "\ufffd")}}
}

func number(key string, n int64) attribute {
	return attribute{key, map[string]any{"intValue": strconv.FormatInt(n, 10)}}
}

// Observe makes a span of a try. It never waits.
func (t *Traces) Observe(y Try) {
	provider, name, ok := strings.Cut(y.Model, "/")
	if !ok {
		provider, name = "assay", y.Model
	}
	name, _, _ = strings.Cut(name, "@") // without an address
	s := span{TraceID: t.ID(), SpanID: id("span", fmt.Sprintf("%s\x00%s\x00%s\x00%s\x00%d\x00%d", y.Run, y.Model, y.Posture, y.Item, y.Repeat, y.Try), 8), ParentID: id("run", t.run, 8), Name: "chat " + name, Kind: 3,
		Start: nano(y.Started), End: nano(y.Started.Add(y.Took)),
		Attributes: []attribute{text("gen_ai.operation.name", "chat"), text("gen_ai.provider.name", provider), text("gen_ai.request.model", name),
			text("assay.item", y.Item), text("assay.posture", y.Posture), text("assay.basis", string(y.Basis)), number("assay.repeat", int64(y.Repeat)), number("assay.try", int64(y.Try)), text("assay.outcome", string(y.Outcome))}}
	if y.Answered != "" {
		s.Attributes = append(s.Attributes, text("gen_ai.response.model", y.Answered))
	}
	if y.Finish != "" {
		s.Attributes = append(s.Attributes, attribute{"gen_ai.response.finish_reasons", map[string]any{"arrayValue": map[string]any{"values": []any{map[string]any{"stringValue": strings.ToValidUTF8(y.Finish, "\ufffd")}}}}})
	}
	if n := y.Usage.Prompt; n != nil {
		s.Attributes = append(s.Attributes, number("gen_ai.usage.input_tokens", *n))
	}
	if n := y.Usage.Output; n != nil {
		s.Attributes = append(s.Attributes, number("gen_ai.usage.output_tokens", *n))
	}
	switch y.Outcome {
	case record.Error, record.Timeout, record.Undelivered:
		s.Attributes, s.Status = append(s.Attributes, text("error.type", string(y.Outcome))), status{Code: 2}
	}
	select {
	case t.queue <- s:
	default:
		t.drop(1, nil)
	}
}

func nano(at time.Time) string {
	if at.IsZero() {
		return "0"
	}
	return strconv.FormatInt(at.UnixNano(), 10)
}

func (t *Traces) drop(n int, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.dropped += n
	if t.failed == nil {
		t.failed = err
	}
}

// send gathers spans and sends them until the run's end.
func (t *Traces) send() {
	tick := time.NewTicker(batchEvery)
	defer tick.Stop()
	var batch []span
	flush := func() {
		if len(batch) > 0 {
			if err := t.unlessEnding(batch); err != nil {
				t.drop(len(batch), err)
			}
			batch = nil
		}
	}
	for {
		select {
		case s := <-t.queue:
			if batch = append(batch, s); len(batch) >= batchMost {
				flush()
			}
		case <-tick.C:
			flush()
		case <-t.quit:
			for {
				select {
				case s := <-t.queue:
					if batch = append(batch, s); len(batch) >= batchMost {
						flush()
					}
					continue
				default:
				}
				flush()
				return
			}
		}
	}
}

// unlessEnding posts a batch. Once the run is over and the collector has failed before, nobody waits for it again.
func (t *Traces) unlessEnding(batch []span) error {
	select {
	case <-t.quit:
		t.mu.Lock()
		err := t.failed
		t.mu.Unlock()
		if err != nil {
			return err
		}
	default:
	}
	return t.post(batch)
}

func (t *Traces) post(batch []span) error {
	body, err := json.Marshal(map[string]any{"resourceSpans": []any{map[string]any{
		"resource":   map[string]any{"attributes": []attribute{text("service.name", "assay"), text("service.version", t.version)}},
		"scopeSpans": []any{map[string]any{"scope": map[string]any{"name": "assay"}, "spans": batch}},
	}}})
	if err != nil {
		return err
	}
	ctx, end := context.WithTimeout(context.Background(), sendWithin)
	defer end()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, t.url, bytes.NewReader(body))
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", "application/json")
	for k, v := range t.headers {
		r.Header.Set(k, v)
	}
	res, err := t.client.Do(r)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	_, _ = io.Copy(io.Discard, io.LimitReader(res.Body, 1<<16)) // so that the connection can be used again
	if res.StatusCode/100 != 2 {
		return fmt.Errorf("the collector answers %d", res.StatusCode)
	}
	return nil
}

// Close sends the run's own span and what waits, and says how many spans were lost, with the first reason; 0 and nil where none
// was. It is called once.
func (t *Traces) Close() (lost int, err error) {
	select {
	case t.queue <- span{TraceID: t.ID(), SpanID: id("run", t.run, 8), Name: "run " + t.bench, Kind: 1, Start: nano(t.begun), End: nano(t.now()),
		Attributes: []attribute{text("assay.run", t.run), text("assay.bench", t.bench)}}:
	default:
		t.drop(1, nil)
	}
	close(t.quit)
	t.ended.Wait()
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.dropped, t.failed
}
