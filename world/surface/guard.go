package surface

import (
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
)

// derived makes a secret of its own from the token.
func derived(token, use string) string {
	m := hmac.New(sha256.New, []byte(token))
	m.Write([]byte(use))
	return hex.EncodeToString(m.Sum(nil))
}

func same(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }

// LoopbackHost says whether a Host header names this machine, so that a name which was bound anew to 127.0.0.1 is not taken. Only
// the forms that a client makes of an address are taken: a name or an address, and a port of digits.
func LoopbackHost(host string) bool {
	name := host
	if h, port, err := net.SplitHostPort(host); err == nil {
		if n, err := strconv.ParseUint(port, 10, 16); err != nil || n == 0 || port[0] == '+' {
			return false
		}
		name = h
	}
	if strings.EqualFold(strings.TrimSuffix(name, "."), "localhost") {
		return true
	}
	ip, err := netip.ParseAddr(strings.TrimSuffix(strings.TrimPrefix(name, "["), "]"))
	return err == nil && ip.IsLoopback() && ip.Zone() == ""
}

// ownOrigin says whether a request comes from no page at all or from one of this server's.
func ownOrigin(r *http.Request) bool {
	for _, o := range r.Header.Values("Origin") {
		u, err := url.Parse(o)
		// An origin is a scheme and a host; the header of a browser has nothing behind them.
		if err != nil || u.Scheme != "http" || !strings.EqualFold(u.Host, r.Host) || !strings.EqualFold(o, "http://"+r.Host) {
			return false
		}
	}
	site := r.Header.Get("Sec-Fetch-Site")
	// A link elsewhere may lead to the first page. A deeper one could make a call, with the cookie of a page of another port.
	return site != "cross-site" && site != "same-site" || r.Method == http.MethodGet && r.URL.Path == "/" && r.Header.Get("Sec-Fetch-Mode") == "navigate"
}

// guard stands before all surfaces: host, origin, size, token. What it refuses never reaches the session.
func (v *Server) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Cache-Control", "no-store")
		h.Set("Referrer-Policy", "same-origin")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Content-Security-Policy", policy)
		switch {
		case !LoopbackHost(r.Host):
			v.refuse(w, r, http.StatusForbidden, "forbidden", "the Host header names another machine than this one")
			return
		case !ownOrigin(r):
			v.refuse(w, r, http.StatusForbidden, "forbidden", "the request comes from a page that is not this server's")
			return
		}
		if r.Body != nil {
			r.Body = http.MaxBytesReader(w, r.Body, maxBody)
		}
		if r.URL.Path == "/health" {
			next.ServeHTTP(w, r)
			return
		}
		if auth := r.Header.Get("Authorization"); auth != "" {
			scheme, token, _ := strings.Cut(auth, " ")
			if strings.EqualFold(scheme, "Bearer") && v.reviewers.is(strings.TrimSpace(token)) {
				v.look(w, r, next)
				return
			}
			if !strings.EqualFold(scheme, "Bearer") || !same(strings.TrimSpace(token), v.token) {
				v.unauthorised(w, r)
				return
			}
			next.ServeHTTP(w, r)
			return
		}
		if !browsable(r.URL.Path) {
			v.unauthorised(w, r)
			return
		}
		v.browser(w, r, next)
	})
}

// browsable are the paths that a browser opens; the others take the token in a header alone.
func browsable(path string) bool {
	return path != "/mcp" && !strings.HasPrefix(path, "/mcp/") && path != "/api" && !strings.HasPrefix(path, "/api/")
}

// entrance leads on to the first page. A redirect would count as a step of the page with the link, which a strict cookie does
// not go along with; a step from here is our own.
const entrance = `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="refresh" content="0; url=/"><title>The request</title></head>
<body><p><a href="/">To the request</a></p></body></html>
`

// browser lets the console's cookie in. The token comes once, in the address, and is taken out of it at once.
func (v *Server) browser(w http.ResponseWriter, r *http.Request, next http.Handler) {
	q := r.URL.Query()
	if q.Has("token") && r.Method == http.MethodGet {
		reviewer := v.reviewers.is(q.Get("token"))
		if !reviewer && !same(q.Get("token"), v.token) {
			v.unauthorised(w, r)
			return
		}
		v.letIn(w, reviewer)
		if r.Header.Get("Sec-Fetch-Site") == "cross-site" { // which only "/" takes
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			io.WriteString(w, entrance)
			return
		}
		q.Del("token")
		to := url.URL{Path: "/" + strings.TrimLeft(r.URL.Path, `/\`), RawQuery: q.Encode()} // never another host's address
		http.Redirect(w, r, to.String(), http.StatusSeeOther)
		return
	}
	if v.reviewers.came(r) {
		v.look(w, r, next)
		return
	}
	c, err := r.Cookie(v.cookie)
	if err != nil || !same(c.Value, v.secret) {
		v.unauthorised(w, r)
		return
	}
	if r.Method == http.MethodPost {
		// A page of another port of this machine is of the same site, and its forms bring the cookie; they lack this value.
		if err := r.ParseForm(); err != nil {
			v.refuse(w, r, bodyStatus(err), "bad_request", "the form cannot be read")
			return
		}
		if !same(r.PostForm.Get(csrfField), v.csrf) {
			v.refuse(w, r, http.StatusForbidden, "forbidden", "the form is not one of this server's; open the page again")
			return
		}
	}
	next.ServeHTTP(w, r)
}

// csrfField holds in every form what only this server's pages know.
const csrfField = "assay:form"

func (v *Server) unauthorised(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("WWW-Authenticate", `Bearer realm="assay"`)
	v.refuse(w, r, http.StatusUnauthorized, "unauthorised", "the episode's token is missing or wrong: Authorization: Bearer TOKEN; in a browser open /?token=TOKEN once")
}

func (v *Server) refuse(w http.ResponseWriter, r *http.Request, status int, code, say string) {
	if browsable(r.URL.Path) {
		if !strings.Contains(r.Header.Get("Accept"), "text/html") {
			http.Error(w, say, status)
			return
		}
		// A page for people. It says nothing of the world, which its reader was not let into.
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.WriteHeader(status)
		fmt.Fprintf(w, refusal, html.EscapeString(strings.ToUpper(say[:1])+say[1:]))
		return
	}
	writeError(w, status, code, say, false)
}

const refusal = `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Not let in</title></head>
<body><main><h1>Not let in</h1>
<p>%s.</p>
<p>The token is in the line that <code>assay world serve</code> printed.</p></main></body></html>
`

func writeError(w http.ResponseWriter, status int, code, say string, retryable bool) {
	writeJSON(w, status, map[string]any{"error": map[string]any{"code": code, "message": say, "retryable": retryable}})
}

func writeJSON(w http.ResponseWriter, status int, v any) {
	b, err := json.Marshal(v)
	if err != nil {
		http.Error(w, "the answer cannot be written as JSON", http.StatusInternalServerError)
		return
	}
	writeRaw(w, status, b)
}

func writeRaw(w http.ResponseWriter, status int, b []byte) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	w.Write(append(b[:len(b):len(b)], '\n'))
}
