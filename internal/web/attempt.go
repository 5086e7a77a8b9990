package web

import (
	"bytes"
	"encoding/json"
	"fmt"
	"mime"
	"net/http"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/assaybench/assay/bench"
	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/store"
)

// block is a text on a page under a heading.
type block struct {
	Title  string
	Note   string
	Pieces []piece
	Whole  string // where all of it is; "" where the page has it
	Bytes  int
	ID     string
}

// newBlock makes a block of a text, with a link to all of it where the page has only parts.
func newBlock(id, title, text, whole string, findings []record.Finding) block {
	b := block{ID: id, Title: title, Pieces: pieces(text, findings), Bytes: len(text)}
	for _, p := range b.Pieces {
		if p.Gap != "" {
			b.Whole = whole
		}
	}
	return b
}

// exchange is a request with its response.
type exchange struct {
	Endpoint, Error, Elapsed, Started string
	Status                            int
	Request, Response                 block
	RequestHead, ResponseHead         []header
}

type header struct{ Name, Value string }

// attemptPage is what the page of an attempt shows.
type attemptPage struct {
	face
	Row             store.Row
	Tries           []store.TryRow
	T               *record.Transcript
	Prompt          []block
	Thinking        []block
	Answer          block
	Turns           []turn
	Tools           []record.ToolCall
	Verdict         *record.Verdict
	Times           [][2]string
	Calls           []exchange
	CallsLeft       int
	Before, After   int // attempts beside it in the plan, -1 for none
	Others          []cell
	Points, Episode bool
	BenchWhy        string
	ItemTo          string
}

type turn struct{ Answer, Thinking, Told block }

// turnsShown and callsShown bound what of a long conversation stands on the page.
const (
	turnsShown = 50
	callsShown = 20
)

// largeTranscript is how many bytes of text make a transcript one of which only one is read at a time.
const largeTranscript = 4 << 20

// read finds the attempt that a request names, with its transcript; nil where it was not made yet.
func (s *Server) read(r *http.Request) (o *opened, row store.Row, t *record.Transcript, done func(), err error) {
	done = func() {}
	if o, err = s.find(r, r.PathValue("run")); err != nil {
		return
	}
	n, aerr := strconv.Atoi(r.PathValue("n"))
	if aerr != nil || n < 0 {
		err = lost("An attempt has a number.")
		return
	}
	if row, err = s.Store.At(r.Context(), o.Run, o.Grader, n); err != nil {
		return
	}
	if o.Private {
		err = refused("The run is of a private set, of which nothing is shown but counts and the letters of items.")
		return
	}
	if row.Try == 0 {
		return
	}
	try := row.Try
	if v := r.URL.Query().Get("try"); v != "" {
		if try, aerr = strconv.Atoi(v); aerr != nil || try < 1 || try > row.Try {
			err = lost("The attempt has no such try.")
			return
		}
	}
	select { // a transcript's size is known when it was read
	case s.heavy <- struct{}{}:
	case <-r.Context().Done():
		err = r.Context().Err()
		return
	}
	large := false
	done = sync.OnceFunc(func() {
		if large {
			debug.FreeOSMemory()
		}
		<-s.heavy
	})
	tr, terr := s.Store.Transcript(r.Context(), o.Run, n, try)
	if terr != nil {
		err = terr
		return
	}
	sum := len(tr.Answer) + len(tr.Thinking)
	for i := range tr.Calls {
		sum += len(tr.Calls[i].RequestBody) + len(tr.Calls[i].ResponseBody)
	}
	large = sum > largeTranscript
	return o, row, &tr, done, nil
}

func (s *Server) attempt(w http.ResponseWriter, r *http.Request) error {
	o, row, t, done, err := s.read(r)
	defer done()
	if err != nil {
		return err
	}
	p := attemptPage{face: o.face(), Row: row, T: t, Before: row.N - 1, After: row.N + 1, ItemTo: benchTo(o.Plan.Source, "item", row.Key.Item)}
	if p.After >= o.Plan.Attempts {
		p.After = -1
	}
	p.others(r, s)
	b, why := s.benchOf(r.Context(), o.Run, benchShort)
	p.BenchWhy = why
	if b != nil {
		prompt, err := b.Set.Prompt(row.Key.Item)
		if err != nil {
			p.BenchWhy = "The bench cannot say what the item asks: " + err.Error()
		}
		for i, m := range prompt {
			p.Prompt = append(p.Prompt, newBlock(fmt.Sprintf("prompt-%d", i), "Prompt ("+m.Role+")", m.Text, p.part("prompt"), nil))
		}
	}
	if t != nil {
		if err := s.fill(r, &p); err != nil {
			return err
		}
	}
	crumbs := []link{{p.To(""), "Run " + o.ID}, {Text: row.Key.Item + ", repeat " + strconv.Itoa(row.Key.Repeat)}}
	return show(w, http.StatusOK, "attempt", layout{Title: row.Key.Item + ": attempt " + strconv.Itoa(row.N), Crumbs: crumbs, Body: p, release: done})
}

func (p *attemptPage) part(name string) string {
	return p.To(fmt.Sprintf("/attempt/%d/%s", p.Row.N, name))
}

// others finds the other attempts at the same item.
func (p *attemptPage) others(r *http.Request, s *Server) {
	items, _, err := s.Store.Items(r.Context(), p.Run, p.Grader, store.Filter{Model: store.NoIndex, Posture: store.NoIndex, Search: p.Row.Key.Item}, store.ByPlan, 0, 20)
	if err != nil {
		return // the page is whole without them
	}
	for _, it := range items {
		if it.Item != p.Row.Key.Item {
			continue
		}
		for _, row := range it.Rows {
			if row.Key.Model == p.Row.Key.Model && row.Key.Posture == p.Row.Key.Posture {
				p.Others = append(p.Others, cell{row.N, row.Letter, row.Key.Repeat})
			}
		}
	}
}

// fill takes what the transcript and the verdict hold.
func (s *Server) fill(r *http.Request, p *attemptPage) error {
	t := p.T
	var err error
	if p.Row.Try > 1 {
		if p.Tries, err = s.Store.Tries(r.Context(), p.Run, p.Row.N); err != nil {
			return err
		}
	}
	body, err := s.Store.VerdictJSON(r.Context(), p.Run, p.Row.N, p.Grader)
	switch {
	case err == nil:
		v, err := store.DecodeVerdict(body)
		if err != nil {
			return err
		}
		p.Verdict = &v
	case store.KindOf(err) != store.NotFound:
		return err
	}
	var findings []record.Finding
	if p.Verdict != nil && r.URL.Query().Get("try") == "" {
		findings = p.Verdict.Findings
	}
	p.Answer = newBlock("answer", "Answer", t.Answer, p.part("answer"), findings)
	if t.Thinking != "" {
		p.Thinking = append(p.Thinking, newBlock("thinking", "Thinking", t.Thinking, p.part("thinking"), nil))
	}
	for i, q := range t.Turns {
		if i == turnsShown {
			break
		}
		id := fmt.Sprintf("turn-%d", i+1)
		p.Turns = append(p.Turns, turn{newBlock(id, fmt.Sprintf("Reply %d of %d", i+1, len(t.Turns)+1), q.Answer, "", nil), newBlock(id+"-thinking", "Thinking", q.Thinking, "", nil), newBlock(id+"-told", "Told after it", q.Told, "", nil)})
	}
	p.Tools = t.Tools
	p.Times = times(t)
	for i := range t.Calls {
		if i == callsShown {
			p.CallsLeft = len(t.Calls) - i
			break
		}
		p.Calls = append(p.Calls, p.exchange(i, &t.Calls[i]))
	}
	p.Episode = t.Episode != nil
	p.Points = t.Outcome == record.Answered && p.Plan.Shape == bench.ShapePremise
	return nil
}

func (p *attemptPage) exchange(i int, e *record.Exchange) exchange {
	x := exchange{Endpoint: e.Endpoint, Error: e.Error, Status: e.Status, Elapsed: seconds(e.Elapsed),
		RequestHead: headers(e.RequestHeader), ResponseHead: headers(e.ResponseHeader)}
	if !e.Started.IsZero() {
		x.Started = e.Started.UTC().Format("15:04:05.000")
	}
	x.Request = newBlock(fmt.Sprintf("request-%d", i+1), "Request", pretty(e.RequestBody), p.part(fmt.Sprintf("request-%d", i+1)), nil)
	x.Response = newBlock(fmt.Sprintf("response-%d", i+1), "Response", pretty(e.ResponseBody), p.part(fmt.Sprintf("response-%d", i+1)), nil)
	return x
}

// prettyMost is how large a body may be to be laid out; larger ones are shown as they were sent.
const prettyMost = 256 << 10

// pretty lays JSON out for reading. The bytes as they were sent are a link away.
func pretty(b []byte) string {
	if len(b) == 0 || len(b) > prettyMost || !utf8.Valid(b) {
		return string(b)
	}
	var out bytes.Buffer
	if err := json.Indent(&out, b, "", "  "); err != nil || out.Len() > 4*len(b)+1024 {
		return string(b)
	}
	return out.String()
}

func headers(h map[string][]string) []header {
	var out []header
	for _, name := range sortedKeys(h) {
		for _, v := range h[name] {
			out = append(out, header{name, v})
		}
	}
	return out
}

// times are what an attempt's time and tokens went into.
func times(t *record.Transcript) [][2]string {
	var out [][2]string
	add := func(name, value string) {
		if value != "" {
			out = append(out, [2]string{name, value})
		}
	}
	tm := &t.Timing
	if !tm.Started.IsZero() {
		add("began", tm.Started.UTC().Format(time.RFC3339))
	}
	add("latency, load time left out", seconds(max(0, tm.Total-tm.Load)))
	add("load", seconds(tm.Load))
	add("queue", seconds(tm.Queue))
	add("reading the prompt", seconds(tm.Prompt))
	add("generation", seconds(tm.Output))
	tokens := func(name string, n *int64) {
		if n != nil {
			add(name, thousands(*n))
		}
	}
	tokens("prompt tokens", t.Usage.Prompt)
	tokens("of these from a cache", t.Usage.Cached)
	tokens("output tokens", t.Usage.Output)
	tokens("thinking tokens", t.Usage.Thinking)
	if n := t.Usage.Output; n != nil && *n > 0 && tm.Output > 0 {
		add("tokens per second of generation", fmt.Sprintf("%.1f", float64(*n)/(float64(tm.Output)/1e9)))
	}
	return out
}

// part answers one text of an attempt whole, as plain text and nothing else; points and episode are pages of their own.
func (s *Server) part(w http.ResponseWriter, r *http.Request) error {
	switch r.PathValue("raw") {
	case "points":
		return s.points(w, r)
	case "episode":
		return s.episode(w, r)
	}
	o, row, t, done, err := s.read(r)
	defer done()
	if err != nil {
		return err
	}
	if t == nil {
		return lost("The attempt was not made yet.")
	}
	var body []byte
	name := r.PathValue("raw")
	call := func(prefix string) *record.Exchange {
		rest, ok := strings.CutPrefix(name, prefix)
		n, err := strconv.Atoi(rest)
		if !ok || err != nil || n < 1 || n > len(t.Calls) {
			return nil
		}
		return &t.Calls[n-1]
	}
	switch {
	case name == "answer":
		body = []byte(t.Answer)
	case name == "thinking":
		body = []byte(t.Thinking)
	case name == "prompt":
		b, why := s.benchOf(r.Context(), o.Run, benchLong)
		if b == nil {
			return lost(why)
		}
		prompt, err := b.Set.Prompt(row.Key.Item)
		if err != nil {
			return err
		}
		for _, m := range prompt {
			body = append(body, m.Text+"\n"...)
		}
	case call("request-") != nil:
		body = call("request-").RequestBody
	case call("response-") != nil:
		body = call("response-").ResponseBody
	default:
		return lost("An attempt has no part of that name.")
	}
	*t = record.Transcript{}
	done()
	h := w.Header()
	h.Set("Content-Type", "text/plain; charset=utf-8")
	h.Set("Content-Disposition", mime.FormatMediaType("inline", map[string]string{"filename": fmt.Sprintf("%s-%d-%s.txt", o.ID, row.N, name)}))
	h.Set("Content-Security-Policy", policy+"; sandbox")
	h.Set("Content-Length", strconv.Itoa(len(body)))
	_, _ = w.Write(body) // a reader that has gone is no fault
	return nil
}
