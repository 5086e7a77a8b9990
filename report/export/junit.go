package export

import (
	"context"
	"encoding/xml"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/assaybench/assay/record"
)

// Elements of a JUnit report as continuous integration reads them. A suite is a model at a posture on one basis, so that no figure
// holds exact and proxy together, and a case is an item with all its repeats.
type (
	suites struct {
		XMLName xml.Name `xml:"testsuites"`
		Name    string   `xml:"name,attr"`
		Suites  []suite  `xml:"testsuite"`
	}
	suite struct {
		Name       string     `xml:"name,attr"`
		Tests      int        `xml:"tests,attr"`
		Failures   int        `xml:"failures,attr"`
		Errors     int        `xml:"errors,attr"`
		Skipped    int        `xml:"skipped,attr"`
		Time       string     `xml:"time,attr"`
		Timestamp  string     `xml:"timestamp,attr"`
		Properties []property `xml:"properties>property"`
		Cases      []testCase `xml:"testcase"`

		nanos int64
	}
	property struct {
		Name  string `xml:"name,attr"`
		Value string `xml:"value,attr"`
	}
	testCase struct {
		Class   string   `xml:"classname,attr"`
		Name    string   `xml:"name,attr"`
		Time    string   `xml:"time,attr"`
		Failure *problem `xml:"failure"`
		Error   *problem `xml:"error"`

		letters       string
		nanos         int64
		failed, fault []string
	}
	problem struct {
		Message string `xml:"message,attr"`
		Type    string `xml:"type,attr"`
		Text    string `xml:",chardata"`
	}
)

// JUnit writes the run for continuous integration: an item that did not pass is a failure, and one without a result is an
// error, never a pass and never skipped.
func (r *Run) JUnit(ctx context.Context, w io.Writer) error {
	out := suites{Name: visible(r.bench())}
	type place struct {
		model, posture string
		basis          record.Basis
	}
	at := map[place]int{}
	cases := map[record.Key]*testCase{}
	order := map[place][]*testCase{}
	for a, err := range r.Attempts(ctx) {
		if err != nil {
			return err
		}
		p := place{a.Key.Model, a.Key.Posture, a.Basis}
		if _, ok := at[p]; !ok {
			at[p] = len(out.Suites)
			out.Suites = append(out.Suites, suite{Name: visible(fmt.Sprintf("%s at %s, %s", p.model, p.posture, p.basis)), Timestamp: r.Run.Created.UTC().Format("2006-01-02T15:04:05"),
				Properties: []property{{"run", visible(r.Run.ID)}, {"bench", visible(r.bench())}, {"digest", r.Run.Plan.Digest}, {"grader", r.Grader}, {"basis", string(p.basis)}}})
		}
		k := a.Key
		k.Repeat = 0
		c := cases[k]
		if c == nil {
			c = &testCase{Class: visible(r.Run.Plan.Bench + "." + a.Family), Name: visible(k.Item)}
			cases[k] = c
			order[p] = append(order[p], c)
		}
		c.add(a)
	}
	for p, i := range at {
		s := &out.Suites[i]
		for _, c := range order[p] {
			c.close()
			s.Tests++
			switch {
			case c.Error != nil:
				s.Errors++
			case c.Failure != nil:
				s.Failures++
			}
			s.nanos += c.nanos
			s.Cases = append(s.Cases, *c)
		}
		s.Time = seconds(s.nanos)
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	e := xml.NewEncoder(w)
	e.Indent("", " ")
	if err := e.Encode(out); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

// add takes one repeat.
func (c *testCase) add(a *Attempt) {
	c.letters += a.letter()
	c.nanos += max(0, a.Timing.Total)
	pass, known := a.passed()
	switch {
	case !known && a.Outcome == "":
		c.fault = append(c.fault, fmt.Sprintf("repeat %d: missing", a.Key.Repeat))
	case !known && a.Outcome == record.Answered:
		c.fault = append(c.fault, fmt.Sprintf("repeat %d: not graded", a.Key.Repeat))
	case !known:
		c.fault = append(c.fault, fmt.Sprintf("repeat %d: %s: %s", a.Key.Repeat, a.Outcome, visible(a.Reason)))
	case !pass && a.Outcome != record.Answered:
		c.failed = append(c.failed, fmt.Sprintf("repeat %d: %s: %s", a.Key.Repeat, a.Outcome, visible(a.Reason)))
	case !pass:
		c.failed = append(c.failed, fmt.Sprintf("repeat %d: %s", a.Key.Repeat, a.why()))
	}
}

// why lists the rules that an answer broke.
func (a *Attempt) why() string {
	var out []string
	if a.Verdict.Reason != "" {
		out = append(out, visible(a.Verdict.Reason))
	}
	for _, f := range a.Verdict.Findings {
		if !f.Pass && !f.Skipped {
			out = append(out, visible(f.Rule+": "+f.Why))
		}
	}
	if len(out) == 0 {
		return "not passed, letter " + a.letter()
	}
	return strings.Join(out, "; ")
}

func (c *testCase) close() {
	c.Time = seconds(c.nanos)
	switch {
	case len(c.fault) > 0: // open, whatever the other repeats came to
		c.Error = &problem{"no result: " + c.letters, "open", strings.Join(append(c.fault, c.failed...), "\n")}
	case len(c.failed) > 0:
		c.Failure = &problem{"not passed: " + c.letters, "failed", strings.Join(c.failed, "\n")}
	}
}

func seconds(ns int64) string { return strconv.FormatFloat(float64(ns)/1e9, 'f', 3, 64) }
