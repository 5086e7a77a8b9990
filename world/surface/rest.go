package surface

import (
	"errors"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/assaybench/assay/world"
)

const apiBase = "/api/v1"

// cliHeader lets the command-line client say that a call is its own; nothing else is taken from it.
const cliHeader = "Assay-Surface"

func surfaceOf(r *http.Request) string {
	if r.Header.Get(cliHeader) == CLI {
		return CLI
	}
	return REST
}

// api answers everything below /api/v1.
func (v *Server) api(w http.ResponseWriter, r *http.Request) {
	rest, ok := strings.CutPrefix(r.URL.EscapedPath(), apiBase)
	if !ok || rest != "" && rest[0] != '/' {
		writeError(w, http.StatusNotFound, "not_found", "the interface is at "+apiBase, false)
		return
	}
	var seg []string
	for part := range strings.SplitSeq(strings.Trim(rest, "/"), "/") {
		s, err := url.PathUnescape(part)
		if err != nil {
			writeError(w, http.StatusBadRequest, "bad_request", "the address is not well escaped", false)
			return
		}
		seg = append(seg, s)
	}
	switch {
	case seg[0] == "":
		v.only(w, r, http.MethodGet, func() { writeJSON(w, http.StatusOK, v.index()) })
	case seg[0] == "openapi.json" && len(seg) == 1:
		v.only(w, r, http.MethodGet, func() { writeRaw(w, http.StatusOK, v.openapi) })
	case seg[0] == "events" && len(seg) == 1:
		v.only(w, r, http.MethodGet, func() { writeJSON(w, http.StatusOK, map[string]any{"events": v.own()}) })
	case seg[0] == "task" && len(seg) == 1:
		v.only(w, r, http.MethodGet, func() { v.answer(w, r, world.ToolContext, nil) })
	case seg[0] == "submit" && len(seg) == 1:
		v.only(w, r, http.MethodPost, func() { v.post(w, r, world.ToolSubmit) })
	case seg[0] == "tools":
		v.apiTools(w, r, seg[1:])
	default:
		v.resource(w, r, seg)
	}
}

// only answers one method; the others are told which.
func (v *Server) only(w http.ResponseWriter, r *http.Request, method string, do func()) {
	if r.Method != method {
		notAllowed(w, r, method)
		return
	}
	do()
}

func notAllowed(w http.ResponseWriter, r *http.Request, allow ...string) {
	w.Header().Set("Allow", strings.Join(allow, ", "))
	writeError(w, http.StatusMethodNotAllowed, "method_not_allowed", "the method "+clip(r.Method, 20)+" is not for this address; allowed: "+strings.Join(allow, ", "), false)
}

func clip(s string, n int) string {
	if len(s) > n {
		return strings.ToValidUTF8(s[:n], "") + "…"
	}
	return s
}

func (v *Server) apiTools(w http.ResponseWriter, r *http.Request, seg []string) {
	switch {
	case len(seg) == 0:
		v.only(w, r, http.MethodGet, func() {
			list := []any{}
			for _, s := range v.systems {
				for _, t := range s.Tools {
					list = append(list, t.short())
				}
			}
			writeJSON(w, http.StatusOK, map[string]any{"tools": list})
		})
	case len(seg) > 1:
		writeError(w, http.StatusNotFound, "not_found", "no such address; the tools are at "+apiBase+"/tools", false)
	case r.Method == http.MethodGet:
		if t := v.tools[seg[0]]; t != nil {
			writeJSON(w, http.StatusOK, t.long())
			return
		}
		writeError(w, http.StatusNotFound, world.UnknownTool, "there is no tool of this name; the tools are at "+apiBase+"/tools", false)
	case r.Method == http.MethodPost:
		v.post(w, r, seg[0])
	default:
		notAllowed(w, r, http.MethodGet, http.MethodPost)
	}
}

// resource answers the addresses that are made of tools' names: /SERVER/RESOURCE lists or searches, /SERVER/RESOURCE/ID gets,
// /SERVER/RESOURCE/OPERATION and /SERVER/OPERATION do what they say, with GET where nothing changes and POST where it may.
func (v *Server) resource(w http.ResponseWriter, r *http.Request, seg []string) {
	if t := v.routes[strings.Join(seg, "/")]; t != nil && len(seg) > 1 {
		v.operate(w, r, t)
		return
	}
	var allow []string
	var get, post *tool
	item := ""
	switch len(seg) {
	case 2:
		get, post = v.collection(seg[0], seg[1]), v.routes[seg[0]+"/"+seg[1]+"/create"]
	case 3:
		if t := v.routes[seg[0]+"/"+seg[1]+"/get"]; t != nil && t.readOnly() && len(t.required) == 1 {
			get, item = t, seg[2]
		}
	}
	if get != nil {
		allow = append(allow, http.MethodGet)
	}
	if post != nil && !post.readOnly() {
		allow = append(allow, http.MethodPost)
	} else {
		post = nil
	}
	switch {
	case allow == nil:
		v.unknown(w, r, seg)
	case r.Method == http.MethodGet && get != nil:
		q := r.URL.Query()
		if item != "" {
			q.Set(get.required[0], item)
		}
		v.answerAs(w, r, get.Name, get.queryArgs(q), item != "")
	case r.Method == http.MethodPost && post != nil:
		v.post(w, r, post.Name)
	default:
		notAllowed(w, r, allow...)
	}
}

// collection is the tool that a resource's own address stands for.
func (v *Server) collection(server, resource string) *tool {
	for _, op := range []string{"list", "search"} {
		if t := v.routes[server+"/"+resource+"/"+op]; t != nil && t.readOnly() {
			return t
		}
	}
	return nil
}

func (v *Server) operate(w http.ResponseWriter, r *http.Request, t *tool) {
	switch {
	case t.readOnly() && r.Method == http.MethodGet:
		v.answer(w, r, t.Name, t.queryArgs(r.URL.Query()))
	case t.readOnly():
		notAllowed(w, r, http.MethodGet)
	case r.Method == http.MethodPost:
		v.post(w, r, t.Name)
	default:
		notAllowed(w, r, http.MethodPost)
	}
}

// unknown records a call of an address that names no tool as what it is: a call of a tool that does not exist.
func (v *Server) unknown(w http.ResponseWriter, r *http.Request, seg []string) {
	if len(seg) < 2 || len(seg) > 3 || slices.Contains(seg, "") {
		writeError(w, http.StatusNotFound, "not_found", "no such address; the index is at "+apiBase, false)
		return
	}
	v.answer(w, r, strings.Join(seg, "."), nil)
}

// post answers a call whose arguments are the body.
func (v *Server) post(w http.ResponseWriter, r *http.Request, name string) {
	b, err := io.ReadAll(r.Body)
	if err != nil {
		writeError(w, bodyStatus(err), "bad_request", "the body cannot be read, or is longer than 4 MiB", false)
		return
	}
	v.answer(w, r, name, b)
}

func bodyStatus(err error) int {
	var large *http.MaxBytesError
	if errors.As(err, &large) {
		return http.StatusRequestEntityTooLarge
	}
	return http.StatusBadRequest
}

func (v *Server) answer(w http.ResponseWriter, r *http.Request, name string, args []byte) {
	v.answerAs(w, r, name, args, false)
}

// answerAs calls a tool and writes what it gave. Where the address itself names a record, one that is not there is 404.
func (v *Server) answerAs(w http.ResponseWriter, r *http.Request, name string, args []byte, item bool) {
	e, err := v.call(r.Context(), surfaceOf(r), "", name, args)
	if err != nil {
		writeError(w, http.StatusInternalServerError, "store", "the world cannot answer; the episode stands as it was", false)
		return
	}
	if e.OK() {
		writeRaw(w, http.StatusOK, e.Result)
		return
	}
	status := statusOf(e)
	if item && e.Error.Code == world.NotFound {
		status = http.StatusNotFound
	}
	if status == http.StatusServiceUnavailable {
		w.Header().Set("Retry-After", "1")
	}
	writeRaw(w, status, errorJSON(e.Error))
}

// statusOf is how HTTP says that a call did not succeed.
func statusOf(e *world.Event) int {
	switch {
	case e.OK():
		return http.StatusOK
	case e.Status == world.Fault:
		return http.StatusInternalServerError
	case e.Error.Code == world.Transient:
		return http.StatusServiceUnavailable
	case e.Error.Code == world.UnknownTool || e.Error.Code == world.NotMounted:
		return http.StatusNotFound
	case e.Status == world.Rejected:
		return http.StatusBadRequest
	}
	return http.StatusUnprocessableEntity
}

// seen is an event as its agent saw it: without what the store says of it, which may name columns that no tool shows.
type seen struct {
	Seq     int              `json:"seq"`
	Surface string           `json:"surface"`
	At      string           `json:"at"`
	Tool    string           `json:"tool"`
	Args    rawJSON          `json:"args"`
	Status  world.Status     `json:"status"`
	Result  rawJSON          `json:"result"`
	Error   *world.CallError `json:"error"`
}

// own gives the agent's calls. Looking at them is no call.
func (v *Server) own() []seen {
	out := []seen{}
	for _, e := range v.session.Events() {
		if e.Actor == world.Agent {
			out = append(out, seen{e.Seq, e.Surface, e.At, e.Tool, rawJSON(e.Args), e.Status, rawJSON(e.Result), e.Error})
		}
	}
	return out
}

type rawJSON []byte

// MarshalJSON writes the value as it is; none is null.
func (r rawJSON) MarshalJSON() ([]byte, error) {
	if len(r) == 0 {
		return []byte("null"), nil
	}
	return r, nil
}
