package web

import (
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"

	"github.com/assaybench/assay/world/surface"
)

// policy lets the shipped style and script be used, the script ask this server, and nothing else at all.
const policy = "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"

// tokenLeast is how many characters a token has at least.
const tokenLeast = 32

// derived makes a secret of its own from the token, from which the token cannot be told.
func derived(token, use string) string {
	m := hmac.New(sha256.New, []byte(token))
	m.Write([]byte("assay view " + use))
	return hex.EncodeToString(m.Sum(nil))
}

func same(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }

// Loopback says whether an address is of this machine alone; the error is of one that is none.
func Loopback(addr string) (bool, error) {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return false, err
	}
	if strings.EqualFold(host, "localhost") {
		return true, nil
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.IsLoopback(), nil
}

// ownOrigin says whether a request comes from no page at all, from one of this server's, or by a link that somebody followed.
// A page elsewhere cannot read an answer in any case; it must not be able to ask either.
func ownOrigin(r *http.Request) bool {
	for _, o := range r.Header.Values("Origin") {
		u, err := url.Parse(o)
		if err != nil || u.Scheme != "http" || !strings.EqualFold(o, "http://"+r.Host) {
			return false
		}
	}
	switch r.Header.Get("Sec-Fetch-Site") {
	case "cross-site", "same-site":
		return r.Header.Get("Sec-Fetch-Mode") == "navigate" && r.Header.Get("Sec-Fetch-Dest") == "document"
	}
	return true
}

// guard stands before every page: what it sets holds for what it refuses, too.
func (s *Server) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("X-Frame-Options", "DENY")
		h.Set("Cache-Control", "no-store")
		h.Set("Referrer-Policy", "same-origin")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		switch {
		case s.token == "" && !surface.LoopbackHost(r.Host):
			http.Error(w, "the Host header names another machine than this one", http.StatusForbidden)
		case !ownOrigin(r):
			http.Error(w, "the request comes from a page that is not this server's", http.StatusForbidden)
		case r.Method != http.MethodGet && r.Method != http.MethodHead:
			h.Set("Allow", "GET, HEAD")
			http.Error(w, "pages are only read here", http.StatusMethodNotAllowed)
		case s.token != "" && !s.letIn(w, r):
		default:
			next.ServeHTTP(w, r)
		}
	})
}

// letIn asks for the token: in a header, or once in the address, from which it goes into a cookie. It answers what it refuses.
func (s *Server) letIn(w http.ResponseWriter, r *http.Request) bool {
	if scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " "); strings.EqualFold(scheme, "Bearer") && same(strings.TrimSpace(token), s.token) {
		return true
	}
	secret := derived(s.token, "cookie")
	name := "assay_view_" + derived(s.token, "name")[:8] // cookies of one host know no ports
	if q := r.URL.Query(); q.Has("token") && same(q.Get("token"), s.token) {
		http.SetCookie(w, &http.Cookie{Name: name, Value: secret, Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode})
		q.Del("token")
		to := url.URL{Path: "/" + strings.TrimLeft(r.URL.Path, `/\`), RawQuery: q.Encode()} // never another host's address
		http.Redirect(w, r, to.String(), http.StatusSeeOther)
		return false
	}
	if c, err := r.Cookie(name); err == nil && same(c.Value, secret) {
		return true
	}
	w.Header().Set("WWW-Authenticate", `Bearer realm="assay"`)
	http.Error(w, "the token is missing or wrong: open the address that assay view printed, or send Authorization: Bearer TOKEN", http.StatusUnauthorized)
	return false
}
