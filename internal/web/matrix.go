package web

import (
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/report"
	"github.com/assaybench/assay/store"
)

// itemsShown and attemptsShown are how many lines a page of each has.
const (
	itemsShown    = 100
	attemptsShown = 100
)

// filter is what a reader chose, as the form shows it again.
type filter struct {
	store.Filter
	Order store.Order
	Page  int // from 1
	query url.Values
}

// readFilter reads a filter from an address. What is not known there is a fault that is told, never left aside.
func readFilter(r *http.Request, o *opened, orders ...store.Order) (filter, error) {
	q := r.URL.Query()
	f := filter{Filter: store.All(), Page: 1, query: q}
	index := func(name string, most int, to *int) error {
		v := q.Get(name)
		if v == "" {
			return nil
		}
		n, err := strconv.Atoi(v)
		if err != nil || n < 0 || n >= most {
			return badly("The " + name + " that the address names is not one of the run's.")
		}
		*to = n
		return nil
	}
	if err := index("model", len(o.Plan.Models), &f.Model); err != nil {
		return f, err
	}
	if err := index("posture", len(o.Plan.Postures), &f.Posture); err != nil {
		return f, err
	}
	f.Family, f.Letter, f.Outcome, f.Search, f.Order = q.Get("family"), record.Letter(q.Get("letter")), record.Outcome(q.Get("outcome")), q.Get("search"), store.Order(q.Get("order"))
	if f.Outcome != "" && !f.Outcome.Valid() {
		return f, badly("The outcome that the address names is none.")
	}
	known := f.Order == ""
	for _, by := range orders {
		known = known || f.Order == by
	}
	if !known {
		return f, badly("The order that the address names is none of this page's.")
	}
	if v := q.Get("page"); v != "" {
		n, err := strconv.Atoi(v)
		if err != nil || n < 1 || n > 1<<30/attemptsShown {
			return f, badly("The page that the address names is not there.")
		}
		f.Page = n
	}
	return f, nil
}

// To is the address of another page with the same filter.
func (f filter) To(path string, page int) string {
	q := url.Values{}
	for k, v := range f.query {
		if len(v) > 0 && v[0] != "" && k != "page" {
			q.Set(k, v[0])
		}
	}
	if page > 1 {
		q.Set("page", strconv.Itoa(page))
	}
	if len(q) == 0 {
		return path
	}
	return path + "?" + q.Encode()
}

// Narrow says whether something is left out.
func (f filter) Narrow() bool { return !f.Any() }

// itemLine is an item's line in the matrix: for each setting a letter for each repeat.
type itemLine struct {
	Item, Family string
	Basis        record.Basis
	Cells        [][]cell // by setting
}

// pager leads from page to page.
type pager struct {
	Path          string
	Filter        filter
	From, To, Of  int // Of is -1 where it was not counted
	Before, After bool
}

// matrixPage is what the page of a run shows.
type matrixPage struct {
	face
	Settings []setting
	Lines    []itemLine
	Letters  []record.Letter
	Filter   filter
	Pager    pager
	Figures  *summary
	Counting bool // figures are still being counted
	Err      string
	BenchTo  string
}

// summary is what the run's figures come to, for the head of its page.
type summary struct {
	Result *report.Result
	Rates  *chart
	Stale  bool
}

// patience is how long a run's page waits for its figures.
const patience = 60 * time.Millisecond

func (s *Server) run(w http.ResponseWriter, r *http.Request) error {
	o, err := s.find(r, r.PathValue("run"))
	if err != nil {
		return err
	}
	f, err := readFilter(r, o, store.ByName)
	if err != nil {
		return err
	}
	p := matrixPage{face: o.face(), Settings: o.settings(), Letters: letters(o.Plan.Shape), Filter: f, BenchTo: benchTo(o.Plan.Source)}
	state := s.change()
	items, more, err := s.Store.Items(r.Context(), o.Run, o.Grader, f.Filter, f.Order, (f.Page-1)*itemsShown, itemsShown)
	if err != nil {
		return err
	}
	for _, it := range items {
		p.Lines = append(p.Lines, lineOf(it, p.Settings))
	}
	p.Pager = pager{Path: "/run/" + o.ID, Filter: f, From: (f.Page-1)*itemsShown + 1, To: (f.Page-1)*itemsShown + len(items), Of: -1, Before: f.Page > 1, After: more}
	if f.Any() {
		p.Pager.Of = o.Plan.Items
	}
	if len(items) > 0 && !o.Private {
		s.benchOf(r.Context(), o.Run, 0) // the attempts' pages will want it
	}
	c, fresh := s.count(r.Context(), o.Run, o.Grader, patience)
	p.Counting = !fresh
	if c != nil {
		if c.err != nil {
			p.Err = c.err.Error()
		} else {
			p.Figures = &summary{Result: c.result, Rates: rates(c.result), Stale: !fresh}
		}
	}
	return show(w, http.StatusOK, "run", layout{Title: "Run " + o.ID, Crumbs: []link{{Text: "Run " + o.ID}}, Live: "/run/" + o.ID + "/state?grader=" + o.Grader, State: stateOf(state, fresh), Body: p})
}

// lineOf sorts an item's attempts under their settings.
func lineOf(it store.ItemRows, settings []setting) itemLine {
	l := itemLine{Item: it.Item, Family: it.Family, Basis: it.Basis, Cells: make([][]cell, len(settings))}
	for _, row := range it.Rows {
		for i, st := range settings {
			if st.Model == row.Key.Model && st.Posture == row.Key.Posture {
				l.Cells[i] = append(l.Cells[i], cell{row.N, row.Letter, row.Key.Repeat})
				break
			}
		}
	}
	return l
}

// state says in a few bytes whether a run's page would be another one now.
func (s *Server) state(w http.ResponseWriter, r *http.Request) error {
	o, err := s.find(r, r.PathValue("run"))
	if err != nil {
		return err
	}
	now := s.change()
	_, fresh := s.count(r.Context(), o.Run, o.Grader, patience)
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	_, err = w.Write([]byte(stateOf(now, fresh)))
	return err
}

// stateOf joins what the store holds and whether its figures are counted.
func stateOf(change string, fresh bool) string {
	if fresh {
		return change + "counted"
	}
	return change + "counting"
}

// attemptLine is an attempt in the list of attempts.
type attemptLine struct {
	store.Row
	Latency int64
	Output  string
	Rate    string
}

func (s *Server) attempts(w http.ResponseWriter, r *http.Request) error {
	o, err := s.find(r, r.PathValue("run"))
	if err != nil {
		return err
	}
	f, err := readFilter(r, o, store.ByName, store.ByLatency, store.ByTokens, store.ByStart)
	if err != nil {
		return err
	}
	rows, err := s.Store.Page(r.Context(), o.Run, o.Grader, f.Filter, f.Order, (f.Page-1)*attemptsShown, attemptsShown+1)
	if err != nil {
		return err
	}
	more := len(rows) > attemptsShown
	rows = rows[:min(len(rows), attemptsShown)]
	n, err := s.Store.Count(r.Context(), o.Run, o.Grader, f.Filter)
	if err != nil {
		return err
	}
	var lines []attemptLine
	for _, row := range rows {
		l := attemptLine{Row: row, Latency: max(0, row.Timing.Total-row.Timing.Load)}
		if t := row.Usage.Output; t != nil {
			l.Output = thousands(*t)
			if *t > 0 && row.Timing.Output > 0 {
				l.Rate = strconv.FormatFloat(float64(*t)/(float64(row.Timing.Output)/1e9), 'f', 1, 64)
			}
		}
		if o.Private {
			l.Reason = ""
		}
		lines = append(lines, l)
	}
	p := map[string]any{"Face": o.face(), "Lines": lines, "Letters": letters(o.Plan.Shape), "Filter": f, "Settings": o.settings(),
		"Pager": pager{Path: "/run/" + o.ID + "/attempts", Filter: f, From: (f.Page-1)*attemptsShown + 1, To: (f.Page-1)*attemptsShown + len(rows), Of: n, Before: f.Page > 1, After: more}}
	return show(w, http.StatusOK, "attempts", layout{Title: "Attempts of run " + o.ID, Crumbs: []link{{"/run/" + o.ID, "Run " + o.ID}, {Text: "Attempts"}}, Body: p})
}
