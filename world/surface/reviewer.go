package surface

import (
	"context"
	"errors"
	"net/http"

	"github.com/assaybench/assay/world"
)

// A reviewer looks at an episode while it goes on, through the same pages as an employee, with a token of their own. What a
// page reads for a reviewer is recorded as the harness's, so that no look of theirs is taken for the agent's work; it moves no
// clock, meets no staged fault and counts towards no limit. A reviewer changes nothing, and has neither MCP nor REST.

// reviewers is what lets a reviewer in; the zero value lets nobody.
type reviewers struct{ token, cookie, secret string }

type reviewerKey struct{}

// Review lets a reviewer in by a token of their own. It is called before anything is served.
func (v *Server) Review(token string) error {
	if len(token) < 32 || token == v.token {
		return errors.New("a reviewer's token has at least 32 characters, and is not the agent's")
	}
	v.reviewers = reviewers{token, "assay_review_" + derived(token, "cookie name")[:8], derived(token, "cookie")}
	return nil
}

// is says whether a token is the reviewer's.
func (r *reviewers) is(token string) bool { return r.token != "" && same(token, r.token) }

// came says whether a request brings the reviewer's cookie.
func (r *reviewers) came(q *http.Request) bool {
	if r.token == "" {
		return false
	}
	c, err := q.Cookie(r.cookie)
	return err == nil && same(c.Value, r.secret)
}

// look passes a reviewer's request on, if it only looks.
func (v *Server) look(w http.ResponseWriter, r *http.Request, next http.Handler) {
	switch {
	case !browsable(r.URL.Path):
		v.refuse(w, r, http.StatusForbidden, "forbidden", "the reviewer's token opens the pages alone; tools are called with the agent's")
	case r.Method != http.MethodGet:
		v.show(w, http.StatusForbidden, messagePage, "Not possible", nil, "A reviewer looks, and changes nothing. Nothing was done.")
	default:
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), reviewerKey{}, true)))
	}
}

// actorOf says in whose name a request's calls are made.
func actorOf(ctx context.Context) world.Actor {
	if ctx.Value(reviewerKey{}) != nil {
		return world.Harness
	}
	return world.Agent
}

// letIn gives a browser the cookie of a token, and takes the other's away: a browser is the agent's or the reviewer's, never
// both.
func (v *Server) letIn(w http.ResponseWriter, reviewer bool) {
	give := func(name, value string, age int) {
		http.SetCookie(w, &http.Cookie{Name: name, Value: value, Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode, MaxAge: age})
	}
	if !reviewer {
		give(v.cookie, v.secret, 0)
		if v.reviewers.token != "" {
			give(v.reviewers.cookie, "", -1)
		}
		return
	}
	give(v.reviewers.cookie, v.reviewers.secret, 0)
	give(v.cookie, "", -1)
}
