package world

import (
	"os"
	"reflect"
	"testing"
)

func TestTouches(t *testing.T) {
	w, err := Load(os.DirFS("../examples/mooring"), "world", "mooring")
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string][]string{
		"files.read":            {"files"},
		"stores.lots.list":      {"lots"},
		"slips.bookings.create": {"bookings", "slots"},
		"notes.drafts.create":   {"drafts"},
		"approvals.limits.get":  {"limits"},
	} {
		if got := w.Touches(w.Tool(name)); !reflect.DeepEqual(got, want) {
			t.Errorf("%s touches %v, want %v", name, got, want)
		}
	}
	for sql, want := range map[string][]string{
		"SELECT o.lots AS offers FROM orders o, slots AS s JOIN \"limits\" l ON l.user_id = o.lots":    {"limits", "orders", "slots"},
		"SELECT lots FROM orders WHERE drums IN (SELECT qty FROM lots) AND files = 1":                  {"lots", "orders"},
		"SELECT (SELECT count(*) FROM slots) AS slots, offers FROM orders":                             {"orders", "slots"},
		"WITH x AS (SELECT day FROM slots) SELECT day, lots FROM x LEFT JOIN files ON files.title = x": {"files", "slots"},
	} {
		s, err := parseStatement(sql)
		if err != nil {
			t.Fatal(err)
		}
		if got := w.Touches(&Tool{result: result{row: &s}}); !reflect.DeepEqual(got, want) {
			t.Errorf("%s touches %v, want %v", sql, got, want)
		}
	}
}
