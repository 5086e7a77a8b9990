package kairos

import (
	"slices"
	"strings"
	"testing"
)

func TestNearest(t *testing.T) {
	words := []string{"monthStart", "monthEnd", "month", "Mon", "Tue", "w", "bizDay", "bizDay", "yearStart"}
	for _, c := range []struct {
		name string
		want []string
	}{
		{"monthStrat", []string{"monthStart"}},
		{"bizday", []string{"bizDay"}},
		{"Monday", []string{"Mon"}},
		{"months", []string{"month"}},
		{"Tua", []string{"Tue"}},
		{"W", []string{"w"}},
		{"x", nil},
		{"w", nil}, // nothing is near to itself
		{"holiday", nil},
		{strings.Repeat("m", 41), nil},
	} {
		if got := nearest(c.name, words); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
	if got := nearest("aaa", []string{"aab", "aac", "aad", "aae"}); !slices.Equal(got, []string{"aab", "aac", "aad"}) {
		t.Errorf("more than three: %q", got)
	}
}

func TestNearZones(t *testing.T) {
	for name, want := range map[string][]string{
		"Asia/Tokio": {"Asia/Tokyo"}, "tokyo": {"Asia/Tokyo"}, "US/New York": {"America/New_York"}, "Nowhere/Atall": nil,
	} {
		if got := nearZones(name); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}
