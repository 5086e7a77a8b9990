package web

import (
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/assaybench/assay/bench"
	"github.com/assaybench/assay/grade"
	"github.com/assaybench/assay/record"
)

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// benchTo is the address of a bench's page, or of an item's with "item" and its id behind.
func benchTo(name string, rest ...string) string {
	q := url.Values{"name": {name}}
	path := "/bench"
	if len(rest) == 2 && rest[0] == "item" {
		path += "/item"
		q.Set("id", rest[1])
	} else if len(rest) == 1 {
		path += "/" + rest[0]
	}
	return path + "?" + q.Encode()
}

// benchItem is an item in the list of a bench.
type benchItem struct {
	bench.Head
	To string
}

// benchPage is what the page of a bench shows.
type benchPage struct {
	*Bench
	B            *bench.Bench
	Name, Grader string
	Texts        [][2]string // notice and the like
	Items        []benchItem
	Frozen       int
	Drafts       int
	Exact, Proxy int
	Of, Page     int
	Before       string
	After        string
	Search       string
	Blocked      []bench.Blocked
	Lists        []string
	AuditTo      string
	Repeats      string
	Sampling     string
}

func (s *Server) named(r *http.Request) (*Bench, string, error) {
	name := r.URL.Query().Get("name")
	if name == "" {
		return nil, "", badly("The address names no bench.")
	}
	if !slices.Contains(s.Benches, name) && !s.isSource(r, name) {
		return nil, "", lost("That bench is neither shipped, nor named on the command line, nor one that a run here was made with.")
	}
	b, err := s.openBench(r.Context(), name, benchLong)
	return b, name, err
}

// isSource says whether a run was made with the bench of a name. A page of elsewhere may link to here, and must not choose
// what files are opened.
func (s *Server) isSource(r *http.Request, name string) bool {
	if s.Store == nil {
		return false
	}
	for run, err := range s.Store.Runs(r.Context()) {
		if err != nil {
			return false
		}
		if run.Plan.Source == name {
			return true
		}
	}
	return false
}

func (s *Server) bench(w http.ResponseWriter, r *http.Request) error {
	b, name, err := s.named(r)
	if err != nil {
		return err
	}
	m := b.Set.Bench()
	p := benchPage{Bench: b, B: m, Name: name, Grader: b.Set.Digest(), Page: 1, Search: r.URL.Query().Get("search"), Blocked: b.Set.Blocked(), Lists: sortedKeys(m.Lists)}
	for _, t := range [][2]string{{"Notice", m.Notice}, {"Derived from", m.DerivedFrom}, {"Licence", m.Licence}, {"Attribution", m.Attribution}, {"Not a standard", m.NotAStandard}, {"Contamination", m.Contamination}, {"Limits", strings.Join(m.Limits, "\n")}} {
		if t[1] != "" {
			p.Texts = append(p.Texts, t)
		}
	}
	if v := r.URL.Query().Get("page"); v != "" {
		if p.Page, err = strconv.Atoi(v); err != nil || p.Page < 1 {
			return badly("The page that the address names is not there.")
		}
	}
	for h := range b.Set.Heads() {
		switch {
		case !h.Frozen:
			p.Drafts++
		case h.Basis == record.Exact:
			p.Frozen++
			p.Exact++
		default:
			p.Frozen++
			p.Proxy++
		}
		if p.Search != "" && !strings.Contains(strings.ToLower(h.ID+" "+h.Family), strings.ToLower(p.Search)) {
			continue
		}
		if p.Of++; p.Of > (p.Page-1)*itemsShown && p.Of <= p.Page*itemsShown {
			p.Items = append(p.Items, benchItem{h, benchTo(name, "item", h.ID)})
		}
	}
	at := func(page int) string {
		return benchTo(name) + "&" + url.Values{"search": {p.Search}, "page": {strconv.Itoa(page)}}.Encode()
	}
	if p.Page > 1 {
		p.Before = at(p.Page - 1)
	}
	if p.Of > p.Page*itemsShown {
		p.After = at(p.Page + 1)
	}
	if t := m.Protocol.Temperature; t != nil {
		p.Sampling = fmt.Sprintf("temperature %g", *t)
	}
	if t := m.Protocol.TopP; t != nil {
		p.Sampling += fmt.Sprintf(" top_p %g", *t)
	}
	if m.Shape == bench.ShapeAgent {
		p.AuditTo = benchTo(name, "audit")
	}
	return show(w, http.StatusOK, "bench", layout{Title: m.Title, Crumbs: []link{{Text: m.Name()}}, Body: p})
}

// itemPage is what the page of an item shows.
type itemPage struct {
	bench.Head
	Name, Back string
	Prompt     []block
	Rules      []string
	Controls   []controlBlock
	Unfinished []bench.ClaimFault
}

type controlBlock struct {
	bench.Control
	Block block
}

func (s *Server) item(w http.ResponseWriter, r *http.Request) error {
	b, name, err := s.named(r)
	if err != nil {
		return err
	}
	id := r.URL.Query().Get("id")
	if !b.Set.Bench().Has(id) {
		return lost("The bench has no item of that name.")
	}
	p := itemPage{Name: b.Set.Bench().Name(), Back: benchTo(name)}
	for h := range b.Set.Heads() {
		if h.ID == id {
			p.Head = h
		}
	}
	if d, ok := b.Set.(grade.Drafter); ok {
		p.Unfinished = slices.DeleteFunc(slices.Clone(d.Unfinished()), func(f bench.ClaimFault) bool { return f.Item != id })
	}
	if len(p.Unfinished) == 0 {
		prompt, perr := b.Set.Prompt(id)
		rules, rerr := b.Set.Explain(id)
		controls, cerr := b.Set.Controls(id)
		if err := errors.Join(perr, rerr, cerr); err != nil {
			return err
		}
		p.Rules = rules
		for i, m := range prompt {
			p.Prompt = append(p.Prompt, newBlock(fmt.Sprintf("prompt-%d", i), "Prompt ("+m.Role+")", m.Text, "", nil))
		}
		for i, c := range controls {
			p.Controls = append(p.Controls, controlBlock{c, newBlock(fmt.Sprintf("control-%d", i), c.Name, c.Answer, "", nil)})
		}
	}
	return show(w, http.StatusOK, "item", layout{Title: "Item " + id, Crumbs: []link{{p.Back, p.Name}, {Text: id}}, Body: p})
}
