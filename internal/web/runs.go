package web

import (
	"net/http"
	"strings"
	"time"

	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/report/stored"
	"github.com/assaybench/assay/store"
)

// runLine is a run in a list.
type runLine struct {
	ID, Created, Bench, Source, Proof string
	Models                            []string
	Done, Planned                     int
	Private                           bool
}

// runsShown is how many runs the first page lists.
const runsShown = 200

// tallyMost is how large a run may be for the list to count how far it came: its own page says it of larger ones.
const tallyMost = 5000

func (s *Server) index(w http.ResponseWriter, r *http.Request) error {
	var lines []runLine
	more := 0
	if s.Store != nil {
		var runs []*store.Run // read to the end first, so that no cursor is open meanwhile
		for run, err := range s.Store.Runs(r.Context()) {
			if err != nil {
				return err
			}
			if len(runs) < runsShown {
				runs = append(runs, run)
			} else {
				more++
			}
		}
		for _, run := range runs {
			l := runLine{ID: run.ID, Created: when(run.Created), Bench: run.Plan.Bench + "@" + run.Plan.Version, Source: run.Plan.Source, Proof: run.Plan.Proof, Planned: run.Plan.Attempts, Done: -1, Private: stored.IsPrivate(run)}
			for _, m := range run.Plan.Models {
				l.Models = append(l.Models, m.Name)
			}
			if l.Planned <= tallyMost {
				t, err := s.Store.Tally(r.Context(), run, run.Plan.Grader)
				if err != nil {
					return err
				}
				l.Done = t.Done()
			}
			lines = append(lines, l)
		}
	}
	return show(w, http.StatusOK, "index", layout{Title: "Runs and benches", Body: map[string]any{"Runs": lines, "More": more, "Why": s.Why, "Benches": s.Benches, "Ranking": s.Board != nil}})
}

func when(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05") }

// opened is a run that a page is of, with the set of verdicts that was chosen.
type opened struct {
	*store.Run
	Grader  string
	Sets    []store.Set
	Private bool
}

// find finds the run that a request names, by its id or latest, and its set of verdicts.
func (s *Server) find(r *http.Request, ref string) (*opened, error) {
	if s.Store == nil {
		return nil, lost("There are no runs here: " + s.Why)
	}
	run, err := s.Store.FindRun(r.Context(), ref)
	if err != nil {
		return nil, err
	}
	o := &opened{Run: run, Grader: run.Plan.Grader, Private: stored.IsPrivate(run)}
	if o.Sets, err = s.Store.Sets(r.Context(), run); err != nil {
		return nil, err
	}
	if g := r.URL.Query().Get("grader"); g != "" {
		for _, set := range o.Sets {
			if strings.HasPrefix(set.Grader, g) {
				o.Grader = set.Grader
				return o, nil
			}
		}
		return nil, lost("The run has no verdicts of that grader.")
	}
	return o, nil
}

// suffix keeps the chosen set of verdicts in a link; "" for the run's own.
func (o *opened) suffix() string {
	if o.Grader == o.Plan.Grader {
		return ""
	}
	return "grader=" + o.Grader[:min(12, len(o.Grader))]
}

// Face is what stands at the head of a run's pages.
type face struct {
	*opened
	Bench, Created, Suffix string
	Models                 []string
}

func (o *opened) face() face {
	f := face{opened: o, Bench: o.Plan.Bench + "@" + o.Plan.Version, Created: when(o.Run.Created), Suffix: o.suffix()}
	for _, m := range o.Plan.Models {
		f.Models = append(f.Models, m.Name)
	}
	return f
}

// To is a link below the run's address that keeps the chosen set of verdicts.
func (f face) To(rest string) string {
	to := "/run/" + f.ID + rest
	if f.Suffix == "" {
		return to
	}
	if strings.Contains(to, "?") {
		return to + "&" + f.Suffix
	}
	return to + "?" + f.Suffix
}

// settings are a run's models at their postures, in the plan's order.
func (o *opened) settings() []setting {
	var out []setting
	for i, m := range o.Plan.Models {
		for _, p := range m.Postures {
			if p >= 0 && p < len(o.Plan.Postures) {
				out = append(out, setting{i, p, m.Name, o.Plan.Postures[p], m.Control})
			}
		}
	}
	return out
}

// setting is a model at a posture.
type setting struct {
	model, posture int
	Model, Posture string
	Control        bool
}

// cell is one attempt as a letter.
type cell struct {
	N      int
	Letter record.Letter
	Repeat int
}
