package telemetry

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// seconds are the upper bounds of the histogram of calls.
var seconds = []float64{0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600}

// Metrics counts tries and verdicts, and serves the counts in Prometheus' text form. It is safe for concurrent use.
type Metrics struct {
	mu        sync.Mutex
	planned   int
	info      [2]string // run, bench
	tries     map[[2]string]int64
	attempts  map[[2]string]int64
	verdicts  map[[3]string]int64
	tokens    map[[2]string]int64
	durations map[string]*histogram
}

type histogram struct {
	buckets []int64 // not cumulative; the last one is all above the bounds
	sum     float64
	n       int64
}

// NewMetrics begins to count a run of so many planned attempts.
func NewMetrics(run, bench string, planned int) *Metrics {
	return &Metrics{planned: planned, info: [2]string{run, bench}, tries: map[[2]string]int64{}, attempts: map[[2]string]int64{}, verdicts: map[[3]string]int64{}, tokens: map[[2]string]int64{}, durations: map[string]*histogram{}}
}

// Observe counts a try.
func (m *Metrics) Observe(t Try) {
	m.mu.Lock()
	defer m.mu.Unlock()
	k := [2]string{t.Model, string(t.Outcome)}
	m.tries[k]++
	if t.Final {
		m.attempts[k]++
	}
	for kind, n := range map[string]*int64{"input": t.Usage.Prompt, "output": t.Usage.Output, "thinking": t.Usage.Thinking, "cached": t.Usage.Cached} {
		if n != nil && *n > 0 {
			m.tokens[[2]string{t.Model, kind}] += *n
		}
	}
	if t.Took <= 0 {
		return
	}
	h := m.durations[t.Model]
	if h == nil {
		h = &histogram{buckets: make([]int64, len(seconds)+1)}
		m.durations[t.Model] = h
	}
	s := t.Took.Seconds()
	i, _ := slices.BinarySearch(seconds, s)
	h.buckets[i]++
	h.sum, h.n = h.sum+s, h.n+1
}

// Graded counts a verdict.
func (m *Metrics) Graded(v Verdict) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.verdicts[[3]string{v.Model, string(v.Basis), string(v.Letter)}]++
}

// Write writes the counts as they are now, in a fixed order.
func (m *Metrics) Write(w io.Writer) error {
	var b bytes.Buffer
	m.mu.Lock()
	head(&b, "assay_run_info", "gauge", "The run that is counted; always 1.")
	sample(&b, "assay_run_info", []string{"run", m.info[0], "bench", m.info[1]}, "1")
	head(&b, "assay_attempts_planned", "gauge", "Attempts that the run plans.")
	sample(&b, "assay_attempts_planned", nil, strconv.Itoa(m.planned))
	counts2(&b, "assay_attempts_total", "Attempts with an outcome in this session.", "outcome", m.attempts)
	counts2(&b, "assay_calls_total", "Calls recorded in this session, those that were tried again included.", "outcome", m.tries)
	counts2(&b, "assay_tokens_total", "Tokens as the servers reported them.", "kind", m.tokens)
	head(&b, "assay_verdicts_total", "counter", "Verdicts of the rules by letter; exact and proxy are never added up.")
	for _, k := range slices.SortedFunc(maps.Keys(m.verdicts), func(a, b [3]string) int { return slices.Compare(a[:], b[:]) }) {
		sample(&b, "assay_verdicts_total", []string{"model", k[0], "basis", k[1], "letter", k[2]}, strconv.FormatInt(m.verdicts[k], 10))
	}
	head(&b, "assay_call_duration_seconds", "histogram", "Time of a call, without load time.")
	for _, model := range slices.Sorted(maps.Keys(m.durations)) {
		h, sum := m.durations[model], int64(0)
		for i, n := range h.buckets {
			sum += n
			le := "+Inf"
			if i < len(seconds) {
				le = strconv.FormatFloat(seconds[i], 'g', -1, 64)
			}
			sample(&b, "assay_call_duration_seconds_bucket", []string{"model", model, "le", le}, strconv.FormatInt(sum, 10))
		}
		sample(&b, "assay_call_duration_seconds_sum", []string{"model", model}, strconv.FormatFloat(h.sum, 'g', -1, 64))
		sample(&b, "assay_call_duration_seconds_count", []string{"model", model}, strconv.FormatInt(h.n, 10))
	}
	m.mu.Unlock()
	_, err := w.Write(b.Bytes())
	return err
}

func counts2(b *bytes.Buffer, name, help, label string, counts map[[2]string]int64) {
	head(b, name, "counter", help)
	for _, k := range slices.SortedFunc(maps.Keys(counts), func(a, b [2]string) int { return cmp.Or(strings.Compare(a[0], b[0]), strings.Compare(a[1], b[1])) }) {
		sample(b, name, []string{"model", k[0], label, k[1]}, strconv.FormatInt(counts[k], 10))
	}
}

func head(b *bytes.Buffer, name, kind, help string) {
	fmt.Fprintf(b, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, kind)
}

var escaped = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)

func sample(b *bytes.Buffer, name string, labels []string, value string) {
	b.WriteString(name)
	for i := 0; i+1 < len(labels); i += 2 {
		open := ","
		if i == 0 {
			open = "{"
		}
		fmt.Fprintf(b, `%s%s="%s"`, open, labels[i], escaped.Replace(strings.ToValidUTF8(labels[i+1], "\ufffd")))
	}
	if len(labels) > 0 {
		b.WriteByte('}')
	}
	b.WriteString(" " + value + "\n")
}

// ServeHTTP answers GET /metrics, and nothing else.
func (m *Metrics) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch {
	case r.URL.Path != "/metrics":
		http.NotFound(w, r)
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "only GET", http.StatusMethodNotAllowed)
	default:
		w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
		w.Header().Set("X-Content-Type-Options", "nosniff")
		if r.Method == http.MethodGet {
			_ = m.Write(w) // whoever went away is not told
		}
	}
}
