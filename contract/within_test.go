package contract

import (
	"math/big"
	"strings"
	"testing"

	"github.com/assaybench/assay/bench"
	"github.com/assaybench/assay/contract/derive"
	"github.com/assaybench/assay/contract/exact"
)

// taken reads `within` and the type from YAML, and takes the value out of a text.
func taken(t *testing.T, spec, typ, text string) (string, error) {
	t.Helper()
	n, err := bench.Parse("contract.yaml", []byte("within: "+spec+"\ntype: "+typ))
	if err != nil {
		t.Fatal(err)
	}
	p := &parser{c: &Contract{}}
	in := &Input{Type: derive.Type{Kind: map[string]derive.Kind{"integer": derive.Number, "decimal": derive.Number, "date": derive.Date, "text": derive.Text, "boolean": derive.Bool, "rows": derive.Rows}[typ], Integer: typ == "integer"}}
	if typ == "rows" {
		in.Type.Fields = map[string]derive.Type{"qty": {Kind: derive.Number, Integer: true}, "day": {Kind: derive.Date}, "lot": {Kind: derive.Text}}
	}
	w := p.within(n.Get("within"), in)
	if len(p.errs) > 0 {
		return "", p.errs[0]
	}
	raw, err := w.take(text, in.Type)
	if err != nil {
		return "", err
	}
	v, err := derive.Read(raw, in.Type)
	if err != nil {
		return "", err
	}
	if typ == "rows" {
		return exact.Text(raw), nil
	}
	return v.String(), nil
}

func TestWithin(t *testing.T) {
	page := "Seal kit per pump: 4\nThe holding time of new\n castings is 12 hours, EUR 1,200.50 at most.\nValid from 16 April 2031; lot SK-7/2. Rework allowed: yes\nDTSTART:20310418\nvoid after 2031-05-02T08:00:00."
	book := "[sheet Plan]\nlot,qty,day\nA,4,2031-04-16\n\n[sheet  Other  one]\nlot,qty,day\nB,\"1,000\",\nC,x,\n"
	for _, c := range []struct{ spec, typ, text, want, fault string }{
		{"{after: Seal kit per pump}", "integer", page, "4", ""},
		{"{after: \"holding time of new castings is\"}", "integer", page, "12", ""},
		{"{after: \"hours,\"}", "decimal", page, "1200.5", ""},
		{"{after: Valid from}", "date", page, "2031-04-16", ""},
		{"{after: \"DTSTART\"}", "date", page, "2031-04-18", ""},
		{"{after: void after}", "date", page, "2031-05-02", ""},
		{"{after: lot}", "text", page, "SK-7/2", ""},
		{"{after: Rework allowed}", "boolean", page, "true", ""},
		{"{after: Seal kit}", "integer", page, "", "no number"},
		{"{after: Seal}", "integer", page + " Seal 3", "", "stand 2 times"},
		{"{after: eal kit per pump}", "integer", page, "", "stand 0 times"},
		{"{after: Valid from}", "integer", "Valid from 4", "4", ""},
		{"{after: Valid from}", "integer", "Valid from 4.5", "", "whole number"},
		{"{after: Valid from}", "decimal", "Valid from 12,50", "", "no number"},
		{"{after: from}", "date", "from 03/04/2031", "", "no date"},
		{"{after: from}", "date", "from May 2nd, 2031", "", "no date"},
		{"{after: from}", "date", "from 31 February 2031", "", "no date"},
		{"{after: end}", "text", "the end", "", "nothing follows"},
		{"{json: /a/1}", "integer", `{"a":[1,2]}`, "2", ""},
		{"{json: /a}", "integer", `{"a":1,"a":2}`, "", "JSON"},
		{"{json: /b}", "integer", `{"a":1}`, "", "nothing at /b"},
		{"{yaml: /limits/sofia}", "decimal", "limits:\n  sofia: 900.50\n", "900.5", ""},
		{"{yaml: /from}", "date", "from: 2031-04-16\n", "2031-04-16", ""},
		{"{yaml: /a}", "integer", "a: &x 1\nb: *x\n", "", "aliases"},
		{"{csv: true}", "rows", "lot,qty,day\nA,4,16 April 2031\nB,,\n", `[{"day":"2031-04-16","lot":"A","qty":4},{"day":null,"lot":"B","qty":null}]`, ""},
		{"{csv: true}", "rows", "lot,qty,qty,day\nA,4,4,\n", "", "2 times"},
		{"{csv: true}", "rows", "lot,qty,day\nA,4\n", "", "no table"},
		{"{sheet: Plan}", "rows", book, `[{"day":"2031-04-16","lot":"A","qty":4}]`, ""},
		{"{sheet: Other one}", "rows", book, "", "no number"},
		{"{sheet: None}", "rows", book, "", "0 sheets"},
		{"{sheet: Plan}", "integer", book, "", "rows"},
		{"{after: a, csv: true}", "rows", book, "", "one of"},
		{"{}", "rows", book, "", "one of"},
		{"{json: /a/*}", "integer", "{}", "", "many"},
	} {
		got, err := taken(t, c.spec, c.typ, c.text)
		switch {
		case c.fault == "" && (err != nil || got != c.want):
			t.Errorf("%s as %s: got %q, %v; want %q", c.spec, c.typ, got, err, c.want)
		case c.fault != "" && (err == nil || !strings.Contains(err.Error(), c.fault)):
			t.Errorf("%s as %s: got %q, %v; want an error with %q", c.spec, c.typ, got, err, c.fault)
		}
	}
}

func TestUngrouped(t *testing.T) {
	for in, want := range map[string]string{"1,200": "1200", "1,200.50": "1200.50", "12": "12", "-1,000,000.5": "-1000000.5"} {
		r, ok := exact.Rat(ungrouped(in))
		w, _ := new(big.Rat).SetString(want)
		if !ok || r.Cmp(w) != 0 {
			t.Errorf("%s is read as %v", in, r)
		}
	}
	for _, in := range []string{"12,50", "1,2,3", ",200", "1200,300", "1,200,", "1.2,3"} {
		if r, ok := exact.Rat(ungrouped(in)); ok {
			t.Errorf("%s is read as %v", in, r)
		}
	}
}

func FuzzWithinAfter(f *testing.F) {
	f.Add("from", "valid from 16 April 2031.")
	f.Add("a", "a a")
	f.Add("é", "e\u0301 1,200")
	f.Fuzz(func(t *testing.T, words, text string) {
		w := &Within{After: squeeze(words)}
		if w.After == "" {
			return
		}
		for _, k := range []derive.Kind{derive.Number, derive.Date, derive.Text, derive.Bool} {
			if v, err := w.take(text, derive.Type{Kind: k}); err == nil {
				if _, err := derive.Read(v, derive.Type{Kind: k}); err != nil {
					t.Errorf("%q in %q gives %v, which is not read: %v", words, text, v, err)
				}
			}
		}
	})
}
