package kairos

import (
	"bufio"
	"context"
	"encoding/json"
	"os"
	"reflect"
	"slices"
	"testing"
	"time"
)

var fuzzLimits = Limits{Steps: 300_000, Points: 200_000, Depth: 100}

// FuzzEval evaluates any text: it must end soon, with a result in order and within the range, or with a diagnostic that
// has a code and a place within the text.
func FuzzEval(f *testing.F) {
	for seed := range uint64(40) {
		f.Add(seededPrograms(seed).program())
	}
	for _, h := range hostile {
		if len(h.src) < 4000 {
			f.Add(h.src)
		}
	}
	for _, src := range []string{
		"bizDay |> within(month) |> last |> at(T09:30)", "everyDay |> filter(d => isOpen(d))", "x = bizDay covering: 2026..2026\nx",
		"everyInstant |> strideBy(90m, from: 2026-01-01T00:20)", "c = sp cycle [A, B] anchor: 2026-01-01\nsp = day span (n => n + 1) phase: 3\neveryDay |> filter(d => c(d) == A)",
		"h = year split (_ => [6, 6]) by: month label: (p => monthNo(p))\nh(7) |> rebase(to: \"UTC\")", "f(a, on: b) = s => s |> shift(a, unit: b)\neveryDay |> f(2, on: bizDay)",
		"m = [2026-01-05, 2026-01-09] covering: 2026..2026\ns = day |> segmentBy(m, edges: drop, empties: keep, labels: cycle [P, Q] anchor: 2026-01-06)\ns(P)",
		"premise X = Fiscal with { y = external(kind: dates, labels: [A]) } |> rephase(2, on: year, unit: month)\n@X { X.year |> first }",
	} {
		f.Add(biz + src)
	}
	for _, src := range corpusSources() {
		f.Add(src)
	}
	supply := func(string, string, ExternalDecl) (*ExternalData, error) {
		return &ExternalData{Dates: []string{"2026-01-05"}, Covering: "2026..2026", AsOf: "now"}, nil
	}
	f.Fuzz(func(t *testing.T, src string) {
		if len(src) > 20_000 {
			return
		}
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
		defer cancel()
		began := time.Now()
		p, err := Compile(src)
		if err != nil {
			checkDiagnostic(t, err, src)
			return
		}
		rng := rangeOf("2026-01-01 2026-03-01")
		var results [3]*Result
		var errs [3]error
		for i := range results {
			r, err := p.Eval(ctx, rng, Options{Supply: supply, Local: i == 2, Limits: fuzzLimits})
			results[i], errs[i] = r, err
			if err != nil {
				checkDiagnostic(t, err, src)
				continue
			}
			checkResult(t, r)
		}
		if ctx.Err() != nil {
			t.Errorf("within the limits it took %v", time.Since(began))
		}
		if !reflect.DeepEqual(results[0], results[1]) || !reflect.DeepEqual(errs[0], errs[1]) {
			t.Errorf("evaluated again it gives %+v, %v after %+v, %v", results[1], errs[1], results[0], errs[0])
		}
		// A local evaluation gives what the whole one does, unless the two together pass the limit.
		if results[0] != nil && (errs[2] == nil || !limited(errs[2])) {
			if results[2] != nil {
				results[2].Local = false
			}
			if !reflect.DeepEqual(results[0], results[2]) {
				t.Errorf("whole %+v\nlocal %+v, %v", results[0], results[2], errs[2])
			}
		}
		if took := time.Since(began); took > 4*time.Second {
			t.Errorf("it took %v", took)
		}
	})
}

func checkDiagnostic(t *testing.T, err error, src string) {
	e, ok := err.(*Error)
	switch {
	case !ok:
		t.Fatalf("not a diagnostic: %v", err)
	case e.Code == "" || e.Message == "":
		t.Errorf("a diagnostic without code or message: %+v", e)
	case !knownCode(e.Code):
		t.Errorf("the code %s is not in the catalogue", e.Code)
	case e.Span.Start < 0 || e.Span.Start > e.Span.End || e.Span.End > len(src):
		t.Errorf("%s is at %v of %d bytes", e.Code, e.Span, len(src))
	case (e.Line == 0) != (e.Span == Span{}) || e.Line < 0 || e.Column < 0:
		t.Errorf("%s is at %v, line %d column %d", e.Code, e.Span, e.Line, e.Column)
	}
}

func knownCode(code string) bool {
	_, ok := entryOf(code)
	return ok
}

func checkResult(t *testing.T, r *Result) {
	from, to := r.zone.dayStart(2026, 1, 1), r.zone.dayStart(2026, 3, 1)
	for _, l := range r.Listings {
		if !slices.IsSorted(l.Points) {
			t.Errorf("points out of order: %v", l.Points)
		}
		if n := len(l.Points); n > 0 && (l.Points[0] < from || l.Points[n-1] >= to) {
			t.Errorf("points outside of the range: %v", l.Points)
		}
		for i, text := range r.Texts(l.Points) {
			if text != r.Text(l.Points[i]) {
				t.Errorf("%d is printed as %q and as %q", l.Points[i], text, r.Text(l.Points[i]))
			}
		}
		for _, a := range l.Annotations {
			if a.From < from || a.To > to || a.From >= a.To || a.Source == "" || a.Covering == "" {
				t.Errorf("annotation %+v", a)
			}
		}
	}
	for _, c := range r.Coverage {
		if c.Source == "" || c.Covering == "" || c.Endless && c.Runway != 0 {
			t.Errorf("coverage %+v", c)
		}
	}
	for _, w := range r.Warnings {
		if w.Code == "" || w.Message == "" || w.Japanese == "" {
			t.Errorf("warning %+v", w)
		}
	}
}

// corpusSources gives the programs of the conformance corpus, or none where it is absent.
func corpusSources() []string {
	file, err := os.Open(vectorFolder + "vectors.jsonl")
	if err != nil {
		return nil
	}
	defer file.Close()
	var out []string
	s := bufio.NewScanner(file)
	s.Buffer(nil, 1<<22)
	for s.Scan() {
		var v struct{ Source string }
		if json.Unmarshal(s.Bytes(), &v) == nil && len(v.Source) < 1500 {
			out = append(out, v.Source)
		}
	}
	return out
}

// FuzzPrograms evaluates programs that read well typed, in one range and in two that meet, and near the range only: the
// points must be the same.
func FuzzPrograms(f *testing.F) {
	for seed := range uint64(20) {
		f.Add(seed, uint8(seed*13))
	}
	f.Fuzz(func(t *testing.T, seed uint64, cut uint8) {
		g := seededPrograms(seed)
		g.steady, g.thin = seed%4 == 0, seed%2 == 1
		src := g.program()
		middle := time.Date(2026, 1, 1+int(cut), 0, 0, 0, 0, time.UTC).Format("2006-01-02")
		points := func(rng string, local bool) []int64 {
			r, err := evalSource(src, rng, Options{TZ: g.tz, Local: local})
			if err != nil {
				checkDiagnostic(t, err, src)
				t.Skip("the program breaks a rule")
			}
			return r.Listings[0].Points
		}
		whole := points("2026-01-01 2026-10-01", false)
		// What is moved back by more days than are computed after the range is not there.
		if parts := append(points("2026-01-01 "+middle, false), points(middle+" 2026-10-01", false)...); !g.thin && !slices.Equal(whole, parts) {
			t.Errorf("in one %v, cut at %s %v\n%s", whole, middle, parts, src)
		}
		for _, days := range neighbourhoods {
			if diff, _, _ := differsLocally(src, rangeOf("2026-01-01 2026-10-01"), Options{TZ: g.tz}, days); diff != "" {
				t.Errorf("%d days before the range: %s\n%s", days, diff, src)
			}
		}
	})
}
