package tasks

import (
	"context"
	"strings"
	"testing"
)

// TestWorldThatKeepsItsWordsToItself: a value that a table enforces and a tool's schema keeps silent about fails the bench,
// with the statement's place; so does a write that never writes.
func TestWorldThatKeepsItsWordsToItself(t *testing.T) {
	for _, c := range []struct{ name, file, old, new, want string }{
		{"an enum", "world/schema.sql", "subject TEXT NOT NULL, body", "subject TEXT NOT NULL CHECK (subject IN ('Vessel 217', 'Berth signs')), body", "as subject"},
		{"a write that never writes", "world/tools.yaml", "WHERE slip = :slip AND day = :day AND state = 'OPEN'\n        rows: 1", "WHERE slip = :slip AND day = :day AND state = 'SHUT'\n        rows: 1", "slips.bookings.create"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := files(t)
			edit(t, m, c.file, c.old, c.new)
			s, err := compile(m)
			if err != nil {
				t.Fatal(err)
			}
			claims, err := s.Claims(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range claims.Faults {
				if f.Item == "" && strings.Contains(f.Msg, c.want) && strings.HasPrefix(f.Place, "world/tools.yaml:") {
					return
				}
			}
			t.Errorf("no fault names it: %v", claims.Faults)
		})
	}
}
