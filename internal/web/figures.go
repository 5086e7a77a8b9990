package web

import (
	"net/http"
	"time"

	"github.com/assaybench/assay/report"
)

// figuresPage is what the page of a run's figures shows.
type figuresPage struct {
	face
	Result   *report.Result
	Rates    *chart
	Families []*chart
	Course   []*chart
	Repeats  []*chart
	Counting bool
}

// long is how long the page of figures waits for them. It is opened for nothing else.
const long = 20 * time.Second

func (s *Server) figuresPage(w http.ResponseWriter, r *http.Request) error {
	o, err := s.find(r, r.PathValue("run"))
	if err != nil {
		return err
	}
	state := s.change()
	c, fresh := s.count(r.Context(), o.Run, o.Grader, long)
	p := figuresPage{face: o.face(), Counting: !fresh}
	if c != nil {
		if c.err != nil {
			return c.err
		}
		p.Result, p.Rates, p.Families, p.Course = c.result, rates(c.result), families(c.result), c.times.charts()
		for i := range c.times.agree {
			if i == smallMost {
				break
			}
			p.Repeats = append(p.Repeats, c.times.agree[i].chart(i))
		}
	}
	return show(w, http.StatusOK, "figures", layout{Title: "Figures of run " + o.ID, Crumbs: []link{{p.To(""), "Run " + o.ID}, {Text: "Figures"}},
		Live: "/run/" + o.ID + "/state?grader=" + o.Grader, State: stateOf(state, fresh), Body: p})
}
