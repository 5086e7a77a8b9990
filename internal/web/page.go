package web

import (
	"bytes"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/report"
	"github.com/assaybench/assay/store"
)

//go:embed pages static
var files embed.FS

func mustRead(name string) []byte {
	b, err := files.ReadFile(name)
	if err != nil {
		panic(err)
	}
	return b
}

// pages are parsed at the first one that is shown: no other command starts later for them.
var pages = sync.OnceValue(func() map[string]*template.Template {
	out := map[string]*template.Template{}
	base := template.Must(template.New("").Funcs(functions).ParseFS(files, "pages/layout.html", "pages/parts.html"))
	for _, name := range []string{"index", "run", "figures", "attempts", "attempt", "bench", "item", "audit", "compare", "leaderboard", "points", "episode", "message"} {
		out[name] = template.Must(template.Must(base.Clone()).ParseFS(files, "pages/"+name+".html"))
	}
	return out
})

var functions = template.FuncMap{
	"show":    report.Printable,
	"visible": visible,
	"count":   count,
	"short":   func(digest string) string { return digest[:min(12, len(digest))] },
	"class":   letterClass,
	"means":   meaning,
	"seconds": seconds,
	"percent": percent,
	"bytes64": func(n int) string { return size(int64(n)) },
	"thousands": func(n any) (string, error) {
		switch n := n.(type) {
		case int:
			return thousands(int64(n)), nil
		case int64:
			return thousands(n), nil
		}
		return "", fmt.Errorf("%T is no number", n)
	},
	"benchTo":   func(name string) string { return benchTo(name) },
	"attemptTo": func(p interface{ To(string) string }, n int) string { return p.To("/attempt/" + strconv.Itoa(n)) },
	"filters": func(f face, chosen filter, letters []record.Letter) any {
		return struct {
			face
			Filter  filter
			Letters []record.Letter
		}{f, chosen, letters}
	},
	"kinds":   func() []string { return kinds },
	"eventTo": func(p episodePage, n int) string { return p.eventTo(n) },
	"sideOf": func(name, key string, s side) any {
		return struct {
			Name, Key string
			Side      side
		}{name, key, s}
	},
	"rowsOf": func(label string, rows []auditRow) any {
		return struct {
			Label string
			Rows  []auditRow
		}{label, rows}
	},
	"diagnostics": func(m map[string]any) (string, error) {
		b, err := json.MarshalIndent(m, "", "  ")
		return visible(string(b[:min(len(b), diagnosticsMost)])), err
	},
	"join": func(list []string) string { return report.Printable(strings.Join(list, ", ")) },
	"plus": func(a, b int) int { return a + b },
}

// diagnosticsMost is how much of a verdict's diagnostics stands on a page.
const diagnosticsMost = 64 << 10

// link is a place to go.
type link struct{ To, Text string }

// layout is what every page has.
type layout struct {
	Title  string
	Crumbs []link
	Live   string // the address that the script asks whether the page has changed; "" for a page that does not
	State  string // what that address said when the page was made
	Body   any

	release func() // what the page was made of is no longer needed; may be nil
}

// webError is an error that a reader is told.
type webError struct {
	status int
	say    string
}

func (e *webError) Error() string { return e.say }

func lost(say string) error    { return &webError{http.StatusNotFound, say} }
func badly(say string) error   { return &webError{http.StatusBadRequest, say} }
func refused(say string) error { return &webError{http.StatusForbidden, say} }

// page makes a handler of one that may fail, and tells the failure as a page.
func (s *Server) page(h func(http.ResponseWriter, *http.Request) error) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		err := h(w, r)
		if err == nil {
			return
		}
		status, say := http.StatusInternalServerError, "This page cannot be made: "+err.Error()
		if e, ok := errors.AsType[*webError](err); ok {
			status, say = e.status, e.say
		}
		switch store.KindOf(err) {
		case store.NotFound, store.Ambiguous:
			status, say = http.StatusNotFound, err.Error()
		}
		if serr := show(w, status, "message", layout{Title: http.StatusText(status), Body: say}); serr != nil {
			http.Error(w, serr.Error(), http.StatusInternalServerError)
		}
	}
}

// show writes a page, or nothing of it where it cannot be made whole.
func show(w http.ResponseWriter, status int, name string, l layout) error {
	var b bytes.Buffer
	if err := pages()[name].ExecuteTemplate(&b, "layout", l); err != nil {
		return err
	}
	if l.release != nil {
		l.release() // a reader that takes its page slowly holds nobody up
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write(b.Bytes()) // a reader that has gone is no fault
	return nil
}
