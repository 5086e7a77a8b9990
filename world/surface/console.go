package surface

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/assaybench/assay/world"
)

// policy lets pages show text and the console's own style, and nothing run, load or frame.
const policy = "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

//go:embed pages
var pages embed.FS

var (
	briefPage   = parsePage("brief")
	listPage    = parsePage("list")
	toolPage    = parsePage("tool")
	messagePage = parsePage("message")
	styleSheet  = mustRead("pages/style.css")
)

func parsePage(name string) *template.Template {
	return template.Must(template.ParseFS(pages, "pages/layout.html", "pages/"+name+".html"))
}

func mustRead(name string) []byte {
	b, err := pages.ReadFile(name)
	if err != nil {
		panic(err)
	}
	return b
}

// link is a place to go, with what may be found there.
type link struct{ To, Text, Note string }

// group is some links under a heading.
type group struct {
	Heading, To string
	Links       []link
}

// page is what every page has.
type page struct {
	Title, Organisation string
	Form                string // stands in every form
	Crumbs              []link
	Body                any
}

func (v *Server) show(w http.ResponseWriter, status int, t *template.Template, title string, crumbs []link, body any) {
	var b bytes.Buffer
	err := t.ExecuteTemplate(&b, "layout", page{title, v.session.World().Organisation.Name, v.csrf, crumbs, body})
	if err != nil {
		http.Error(w, "the page cannot be made: "+err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	w.Write(b.Bytes())
}

func (v *Server) lost(w http.ResponseWriter) {
	v.show(w, http.StatusNotFound, messagePage, "Not found", nil, "There is no page at this address.")
}

// console answers the web pages. Going about in them is no call; only what shows records or changes them is, and goes
// through the session as any other call.
func (v *Server) console(w http.ResponseWriter, r *http.Request) {
	path := strings.Trim(r.URL.Path, "/")
	seg := strings.Split(path, "/")
	if r.Method != http.MethodGet && !(r.Method == http.MethodPost && seg[0] == "app" && len(seg) > 1) {
		w.Header().Set("Allow", http.MethodGet)
		v.show(w, http.StatusMethodNotAllowed, messagePage, "Not possible", nil, "This page is only read.")
		return
	}
	switch {
	case path == "" || path == "app" || path == "app/task":
		v.brief(w)
	case path == "style.css":
		w.Header().Set("Content-Type", "text/css; charset=utf-8")
		w.Write(styleSheet)
	case path == "app/submit" && v.tools[world.ToolSubmit] != nil:
		v.toolPage(w, r, v.tools[world.ToolSubmit], nil)
	case seg[0] == "app" && len(seg) <= 4:
		v.app(w, r, seg[1:])
	default:
		v.lost(w)
	}
}

// app answers /app/SERVER, /app/SERVER/RESOURCE, /app/SERVER/RESOURCE/OPERATION and /app/SERVER/OPERATION.
func (v *Server) app(w http.ResponseWriter, r *http.Request, seg []string) {
	i := slices.IndexFunc(v.systems, func(s system) bool { return s.ID == seg[0] })
	if i < 0 {
		v.lost(w)
		return
	}
	s := v.systems[i]
	crumbs := []link{{To: "/", Text: "The request"}}
	if len(seg) == 1 {
		v.onlyGet(w, r, func() {
			v.show(w, http.StatusOK, listPage, s.Title, append(crumbs, link{Text: s.Title}), under(s.Title, v.operations(s, "")))
		})
		return
	}
	crumbs = append(crumbs, link{To: "/app/" + s.ID, Text: s.Title})
	t := v.routes[strings.Join(seg, "/")]
	if len(seg) == 2 && t == nil {
		if groups := v.operations(s, seg[1]); len(groups) > 0 {
			if t = v.collection(s.ID, seg[1]); t == nil {
				v.onlyGet(w, r, func() {
					v.show(w, http.StatusOK, listPage, words(seg[1]), append(crumbs, link{Text: words(seg[1])}), under(words(seg[1]), groups))
				})
				return
			}
		}
	}
	if t == nil {
		// A record's address as REST has it: SERVER/RESOURCE/ID.
		if get := v.routes[seg[0]+"/"+seg[1]+"/get"]; len(seg) == 3 && get != nil && get.readOnly() && len(get.required) == 1 {
			v.onlyGet(w, r, func() {
				http.Redirect(w, r, get.page()+"?"+url.Values{get.required[0]: {seg[2]}}.Encode(), http.StatusSeeOther)
			})
			return
		}
		v.lost(w)
		return
	}
	if t.resource != "" {
		crumbs = append(crumbs, link{To: "/app/" + s.ID + "/" + t.resource, Text: words(t.resource)})
	}
	v.toolPage(w, r, t, append(crumbs, link{Text: t.Title}))
}

func (v *Server) onlyGet(w http.ResponseWriter, r *http.Request, do func()) {
	if r.Method != http.MethodGet {
		w.Header().Set("Allow", http.MethodGet)
		v.show(w, http.StatusMethodNotAllowed, messagePage, "Not possible", nil, "This page is only read.")
		return
	}
	do()
}

// operations lists what a system can do, by resource; of one resource where it is named.
func (v *Server) operations(s system, resource string) []group {
	var out []group
	for _, t := range s.Tools {
		if resource != "" && t.resource != resource {
			continue
		}
		i := slices.IndexFunc(out, func(g group) bool { return g.Heading == words(t.resource) })
		if i < 0 {
			g := group{Heading: words(t.resource)}
			if t.resource != "" && v.collection(s.ID, t.resource) != nil {
				g.To = "/app/" + s.ID + "/" + t.resource
			}
			out = append(out, g)
			i = len(out) - 1
		}
		out[i].Links = append(out[i].Links, link{t.page(), t.Title, t.hint()})
	}
	return out
}

// under leaves out the headings that say what the page's own says already.
func under(title string, groups []group) []group {
	for i := range groups {
		if strings.EqualFold(groups[i].Heading, title) {
			groups[i].Heading = ""
		}
	}
	return groups
}

// page is the address of a tool's page.
func (t *tool) page() string {
	if t.Name == world.ToolSubmit {
		return "/app/submit"
	}
	return "/app/" + strings.ReplaceAll(t.Name, ".", "/")
}

// words makes a name of a column or resource readable.
func words(name string) string {
	s := strings.ReplaceAll(name, "_", " ")
	if s == "" {
		return ""
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// brief shows the task: what an employee was handed, which is no reading of records.
func (v *Server) brief(w http.ResponseWriter) {
	t, wd := v.session.Task(), v.session.World()
	who := t.Role
	for _, u := range wd.Users {
		if u.ID == t.User {
			who = fmt.Sprintf("%s, %s (%s)", u.Name, t.Role, u.ID)
		}
	}
	var systems []system
	for _, s := range v.systems {
		if s.ID != world.BuiltinServer {
			systems = append(systems, s)
		}
	}
	v.show(w, http.StatusOK, briefPage, t.Title, nil, map[string]any{"Who": who, "AsOf": t.AsOf, "Handles": t.Handles, "Request": t.Request,
		"Systems": systems, "Users": wd.Users, "Evidence": v.evidenceLinks()})
}

func (v *Server) evidenceLinks() []link {
	var out []link
	for _, f := range v.session.Task().Evidence {
		out = append(out, link{"/evidence/" + escapePath(f.Path), f.Title, f.Path})
	}
	return out
}

func (v *Server) evidenceList(w http.ResponseWriter) {
	v.show(w, http.StatusOK, listPage, "Files", []link{{To: "/", Text: "The request"}, {Text: "Files"}}, []group{{Links: v.evidenceLinks()}})
}
