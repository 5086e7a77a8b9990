package publication

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/report"
	"github.com/assaybench/assay/report/onepage"
	"github.com/assaybench/assay/report/stored"
	"github.com/assaybench/assay/store"
)

// figures is the part of result.json that the page shows.
type figures struct {
	Figures  []report.Figure `json:"figures"`
	Notes    []string        `json:"notes"`
	Attempts struct {
		Settings []report.Setting `json:"settings"`
	} `json:"attempts"`
}

// page writes the publication's page out of its other files: the figures as result.json has them, and every attempt with its
// verdict and its answer.
func (p *Publication) page(w io.Writer) error {
	f, err := regular(p.fsys, ResultFile)
	if err != nil {
		return err
	}
	defer f.Close()
	var shown figures
	if err := json.NewDecoder(io.LimitReader(f, maxHead)).Decode(&shown); err != nil {
		return fmt.Errorf("%s cannot be read: %w", ResultFile, err)
	}
	plan := &p.Head.Plan
	r := onepage.Run{ID: p.Head.Run, Bench: plan.Bench + "@" + plan.Version, Digest: plan.Digest, Grader: p.Head.Grader, Created: p.Head.Created, Program: p.Head.Program, Face: plan.Face,
		Figures: shown.Figures, Settings: shown.Attempts.Settings, Letters: report.Meanings(stored.Letters(&store.Run{Plan: *plan})), Planned: p.Head.Attempts}
	for _, n := range shown.Notes { // those of the bench's face stand above
		if !slices.Contains(plan.Face, n) {
			r.Notes = append(r.Notes, n)
		}
	}
	enough := errors.New("no more is wanted")
	return onepage.Write(w, r, func(yield func(onepage.Attempt, error) bool) {
		faults, err := p.Each(func(a *Attempt, t *record.Transcript) error {
			shown, err := shownAttempt(a, t)
			if err != nil {
				return err
			}
			if !yield(shown, nil) {
				return enough
			}
			return nil
		})
		switch {
		case errors.Is(err, enough):
		case err != nil:
			yield(onepage.Attempt{}, err)
		case len(faults) > 0:
			yield(onepage.Attempt{}, errors.New(faults[0].String()))
		}
	})
}

func shownAttempt(a *Attempt, t *record.Transcript) (onepage.Attempt, error) {
	out := onepage.Attempt{Key: a.Key, Family: a.Family, Basis: a.Basis, Outcome: a.Outcome, Letter: a.Letter, Pass: a.Pass, Tries: a.Tries}
	if t != nil {
		out.Answer, out.Reason = t.Answer, t.Reason
	}
	if string(a.Verdict) != "null" {
		var v struct {
			Reason   string           `json:"reason"`
			Findings []record.Finding `json:"findings"`
		}
		if err := json.Unmarshal(a.Verdict, &v); err != nil {
			return out, fmt.Errorf("the verdict of attempt %d cannot be read: %w", a.N, err)
		}
		out.Findings = v.Findings
		if v.Reason != "" {
			out.Reason = v.Reason
		}
	}
	return out, nil
}

// text makes the report out of the results' JSON, so that one follows from the other.
func text(plan *store.Plan, results []byte) ([]byte, error) {
	res, err := report.Read(results, stored.Letters(&store.Run{Plan: *plan}))
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = res.Markdown(&b)
	return b.Bytes(), err
}

// sameText makes the page and the report again and compares them. unmade are those that another version of the program wrote, of
// which nothing is known but that the manifest has them.
func (p *Publication) sameText(program string) (unmade []string, faults []Fault, err error) {
	if p.Head.Program != program {
		return []string{ReportFile, PageFile}, nil, nil
	}
	results, err := small(p.fsys, ResultFile)
	if err != nil {
		return nil, nil, err
	}
	have, err := small(p.fsys, ReportFile)
	if err != nil {
		return nil, nil, err
	}
	switch want, err := text(&p.Head.Plan, results); {
	case err != nil:
		faults = append(faults, Fault{ResultFile, 0, oneLine(err.Error())})
	case !bytes.Equal(have, want):
		faults = append(faults, Fault{ReportFile, 0, "it is not the report that " + ResultFile + " gives"})
	}
	page, err := p.samePage()
	if page != nil {
		faults = append(faults, *page)
	}
	return nil, faults, err
}

// samePage makes the page again and compares it.
func (p *Publication) samePage() (*Fault, error) {
	f, err := regular(p.fsys, PageFile)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	have, want := sha256.New(), sha256.New()
	if _, err := io.Copy(have, f); err != nil {
		return nil, err
	}
	if err := p.page(want); err != nil {
		return &Fault{PageFile, 0, "it cannot be made again: " + oneLine(err.Error())}, nil
	}
	if !bytes.Equal(have.Sum(nil), want.Sum(nil)) {
		return &Fault{PageFile, 0, "it is not the page that the other files give: made again it has the SHA-256 " + hex.EncodeToString(want.Sum(nil))[:12]}, nil
	}
	return nil, nil
}
