package supply_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/assaybench/assay/kairos"
	"github.com/assaybench/assay/kairos/supply"
)

func TestParse(t *testing.T) {
	s, err := supply.Parse([]byte(`{"Eph.h": {"dates": ["2026-01-05"], "covering": "..", "asof": "x", "labels": ["a"]},
		"h": {"instants": [1.5, -3], "covering": "2026..2026", "asof": "y"}, "empty": {"dates": [], "covering": "..", "asof": "z"}}`), "data.json")
	if err != nil {
		t.Fatal(err)
	}
	d, err := s("Eph", "h", kairos.ExternalDecl{})
	if err != nil || !slices.Equal(d.Dates, []string{"2026-01-05"}) || d.Instants != nil || d.Covering != ".." || d.AsOf != "x" || !slices.Equal(d.Labels, []string{"a"}) {
		t.Errorf("Eph.h: %+v, %v", d, err)
	}
	if d, err = s("Other", "h", kairos.ExternalDecl{}); err != nil || !slices.Equal(d.Instants, []float64{1.5, -3}) || d.Dates != nil || d.Labels != nil {
		t.Errorf("Other.h takes the entry h: %+v, %v", d, err)
	}
	if d, err = s("Eph", "empty", kairos.ExternalDecl{}); err != nil || d.Dates == nil || len(d.Dates) != 0 {
		t.Errorf("a list without elements is a list: %+v, %v", d, err)
	}
	_, err = s("Eph", "none", kairos.ExternalDecl{})
	if e, ok := errors.AsType[*kairos.Error](err); !ok || e.Code != "supply.missing-key" {
		t.Errorf("an absent key: %v", err)
	}
}

func TestParseRefuses(t *testing.T) {
	for in, want := range map[string]string{
		`{ oops`: "not JSON", ``: "not JSON", `[]`: "must be an object", `null`: "must be an object", `{"a":{},"a":{}}`: "duplicate",
		`{"h": 3}`:                               `"h"`,
		`{"h": null}`:                            `"h"`,
		`{"h": {"covering": "..", "asof": "a"}}`: `one of "dates" and "instants"`,
		`{"h": {"dates": [], "instants": [], "covering": "..", "asof": "a"}}`:         `one of "dates" and "instants"`,
		`{"h": {"dates": [], "asof": "a"}}`:                                           `"covering"`,
		`{"h": {"dates": [], "covering": "", "asof": "a"}}`:                           `"covering"`,
		`{"h": {"dates": [], "covering": "..", "asof": 3}}`:                           `"asof"`,
		`{"h": {"dates": [1], "covering": "..", "asof": "a"}}`:                        `"dates"`,
		`{"h": {"dates": [null], "covering": "..", "asof": "a"}}`:                     `"dates"`,
		`{"h": {"dates": null, "covering": "..", "asof": "a"}}`:                       `"dates"`,
		`{"h": {"instants": ["a"], "covering": "..", "asof": "a"}}`:                   `"instants"`,
		`{"h": {"instants": [null], "covering": "..", "asof": "a"}}`:                  `"instants"`,
		`{"h": {"dates": [], "covering": "..", "asof": "a", "labels": [1]}}`:          `"labels"`,
		`{"h": {"dates": [], "covering": "..", "asof": "a", "labels": null}}`:         `"labels"`,
		`{"h": {"dates": [], "covering": "..", "asof": "a"}, "i": {"dates": "none"}}`: `"i"`,
	} {
		s, err := supply.Parse([]byte(in), "data.json")
		if s != nil || err == nil || !strings.HasPrefix(err.Error(), "data.json: ") || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want one line with %q", in, err, want)
		}
	}
}

func TestLax(t *testing.T) {
	s, err := supply.Lax([]byte(`{"A.part": {"dates": ["x"]}, "A.fails": {"$throw": {"message": "DB down"}}, "A.none": {"$undefined": true}}`))
	if err != nil {
		t.Fatal(err)
	}
	if d, err := s("A", "part", kairos.ExternalDecl{}); err != nil || d == nil || d.Covering != "" || d.Dates[0] != "x" {
		t.Errorf("a part of an entry: %+v, %v", d, err)
	}
	if d, err := s("A", "fails", kairos.ExternalDecl{}); d != nil || err == nil || err.Error() != "DB down" {
		t.Errorf("a failing supplier: %+v, %v", d, err)
	}
	for _, word := range []string{"none", "absent"} {
		if d, err := s("A", word, kairos.ExternalDecl{}); d != nil || err != nil {
			t.Errorf("%s: %+v, %v", word, d, err)
		}
	}
	if _, err := supply.Lax([]byte(`{"A.h": {"covering": 3}}`)); err == nil {
		t.Error("a covering that is a number")
	}
}
