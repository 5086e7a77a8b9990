package web

import (
	"encoding/json"
	"errors"
	"io/fs"
	"net/http"
	"strings"

	"github.com/assaybench/assay/realism"
	"github.com/assaybench/assay/report/audit"
	"github.com/assaybench/assay/report/leaderboard"
)

// auditPage is the audit that a bench carries.
type auditPage struct {
	R      *realism.Report
	Back   string
	Stale  bool // it is of another digest than the bench has now
	Groups []*auditGroup
	Open   []auditRow
}

type auditGroup struct {
	Name string
	Rows []auditRow
	Good int
}

type auditRow struct {
	realism.Row
	Class, Measured, Threshold string
	Places                     []string
}

// auditFile is where a bench keeps the report on itself, and auditMost bounds it.
const (
	auditFile = "reports/audit.json"
	auditMost = 64 << 20
	places    = 20
)

func (s *Server) audit(w http.ResponseWriter, r *http.Request) error {
	b, name, err := s.named(r)
	if err != nil {
		return err
	}
	m := b.Set.Bench()
	st, err := fs.Stat(m.FS, auditFile)
	if errors.Is(err, fs.ErrNotExist) {
		return lost("The bench carries no audit: assay audit BENCH --write makes one.")
	}
	if err != nil {
		return err
	}
	if !st.Mode().IsRegular() || st.Size() > auditMost {
		return lost("The bench's audit is no plain file of a size that can be shown.")
	}
	data, err := fs.ReadFile(m.FS, auditFile)
	if err != nil {
		return err
	}
	p := auditPage{R: new(realism.Report), Back: benchTo(name)}
	if err := json.Unmarshal(data, p.R); err != nil {
		return lost("The bench's audit cannot be read: " + err.Error())
	}
	p.Stale = p.R.Bench.Digest != b.Digest
	at := map[string]*auditGroup{}
	for _, row := range p.R.Keys {
		line := auditRow{Row: row, Class: auditClass(row.Result), Measured: clipped(audit.Value(row.Measured), 160), Threshold: clipped(audit.Value(row.Threshold), 160)}
		for i, e := range row.Evidence {
			if i == places {
				break
			}
			line.Places = append(line.Places, audit.Place(e))
		}
		group, _, dotted := strings.Cut(row.Key, ".")
		if !dotted {
			group = "the standard itself"
		}
		g := at[group]
		if g == nil {
			g = &auditGroup{Name: group}
			at[group] = g
			p.Groups = append(p.Groups, g)
		}
		g.Rows = append(g.Rows, line)
		if row.Result == realism.Pass {
			g.Good++
		} else {
			p.Open = append(p.Open, line)
		}
	}
	return show(w, http.StatusOK, "audit", layout{Title: "Audit of " + m.Name(), Crumbs: []link{{p.Back, m.Name()}, {Text: "Audit"}}, Body: p})
}

func auditClass(r realism.Result) string {
	switch r {
	case realism.Pass:
		return "pass"
	case realism.Fail:
		return "wrong"
	case realism.Warn:
		return "cut"
	}
	return "ours"
}

func (s *Server) leaderboard(w http.ResponseWriter, r *http.Request) error {
	if s.Board == nil {
		return lost("There is no leaderboard: assay view DIR shows that of a folder of publications.")
	}
	b, err := s.Board(r.Context())
	if err != nil {
		return &webError{http.StatusNotFound, "The leaderboard cannot be made: " + err.Error()}
	}
	return show(w, http.StatusOK, "leaderboard", layout{Title: "Leaderboard of " + b.Release.Name, Crumbs: []link{{Text: "Leaderboard"}}, Body: struct {
		*leaderboard.Board
		Lines []leaderboard.Line
		Tasks []string
	}{b, b.Lines(), b.Release.Tasks()}})
}
