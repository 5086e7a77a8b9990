package realism

import (
	"context"
	"fmt"
	"io/fs"
	"net/http"
	"slices"
	"strings"

	"github.com/assaybench/assay/world/surface"
)

// hiddenRow joins what the scans of visible bytes found with what the exported package keeps from its agent's user.
func hiddenRow(keys ...string) func(context.Context, *Release, Leaf) Row {
	return func(ctx context.Context, r *Release, l Leaf) Row {
		if l.Value != true {
			return unmeasured("the threshold is not true")
		}
		row := joined(r, keys)
		walked := byTask(r, func(s *Subject) Row { return s.walked(ctx) })
		row.Tasks, row.Evidence = walked.Tasks, append(row.Evidence, walked.Evidence...)
		row.Result = Worse(row.Result, walked.Result)
		if row.Reason == "" || walked.Result == Fail {
			row.Reason = walked.Reason
		}
		row.Measured = walked.Measured
		if r.Packages == nil {
			return row
		}
		packed := byTask(r, func(s *Subject) Row {
			p, err := s.packageProof(ctx)
			if err != nil {
				return unmeasured(oneLine(err.Error()))
			}
			return judged(p.Private, p.Files, "the package's agent came to its private part")
		})
		if packed.Result != Pass {
			row.Result, row.Reason = Worse(row.Result, packed.Result), packed.Reason
			row.Evidence = append(row.Evidence, packed.Evidence...)
		}
		return row
	}
}

// walked asks every surface of an episode for everything that it lists, and for addresses that it should not have, and looks
// for sealed lines in what comes back.
func (s *Subject) walked(ctx context.Context) Row {
	return mustRow(once(&s.facts, "walked", func() (Row, error) {
		session, err := s.Session(ctx, "audit-walk")
		if err != nil {
			return Row{}, err
		}
		defer session.Close()
		token := surface.NewToken()
		v, err := surface.New(session, token)
		if err != nil {
			return Row{}, err
		}
		defer v.Close()
		sealed := s.sealedLines()
		paths := []string{"/", "/api/v1", "/api/v1/openapi.json", "/api/v1/task", "/api/v1/events", "/api/v1/tools", "/evidence/", "/health", "/app/",
			"/sealed/contract.yaml", "/api/v1/contract", "/evidence/../sealed/contract.yaml", "/tasks/" + s.ID + "/sealed/contract.yaml", "/api/v1/tools/no.such.tool"}
		for _, t := range s.World.Mounted(s.Public) {
			paths = append(paths, "/api/v1/tools/"+t.Name)
		}
		for i := range s.Public.Evidence {
			paths = append(paths, "/evidence/"+s.Public.Evidence[i].Path)
		}
		asked := 0
		for _, p := range paths {
			body, err := ask(ctx, v, token, p)
			if err != nil {
				return Row{}, err
			}
			asked++
			for _, line := range sealed {
				if strings.Contains(body, line) {
					return judged(false, asked, "sealed bytes come over a surface", Evidence{File: sealedFile(s), Cell: p, Span: line}), nil
				}
			}
		}
		return judged(true, asked, fmt.Sprintf("%d addresses asked, %d sealed lines in none of them", asked, len(sealed))), nil
	}))
}

// sealedLines are lines of the contract that are long enough to be nobody else's.
func (s *Subject) sealedLines() []string {
	b, err := fs.ReadFile(s.Release.Set.Bench().FS, sealedFile(s))
	if err != nil {
		return nil
	}
	var out []string
	for line := range strings.Lines(string(b)) {
		if line = strings.TrimSpace(line); len(line) >= 40 && !slices.ContainsFunc(s.visible(), func(t text) bool { return strings.Contains(t.Text, line) }) {
			out = append(out, line)
		}
	}
	return out
}

// ask gets an address of a surface, as its client would.
func ask(ctx context.Context, v *surface.Server, token, path string) (string, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://127.0.0.1"+path, nil)
	if err != nil {
		return "", err
	}
	req.Header.Set("Authorization", "Bearer "+token)
	w := &kept{head: http.Header{}}
	v.Handler().ServeHTTP(w, req)
	return w.body.String(), nil
}

// kept is an answer in memory.
type kept struct {
	head http.Header
	body strings.Builder
}

func (k *kept) Header() http.Header         { return k.head }
func (k *kept) Write(b []byte) (int, error) { return k.body.Write(b) }
func (k *kept) WriteHeader(int)             {}
