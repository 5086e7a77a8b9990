package contention

import (
	"fmt"
	"strings"
	"testing"
)

func TestTargets(t *testing.T) {
	tests := []struct{ url, label string }{
		{"http://127.0.0.1:8080/health", "http://127.0.0.1:8080/health"},
		{" HTTPS://Example.test/A?key=hunter2#frag ", "https://example.test/A"},
		{"http://[::1]:9", "http://[::1]:9/"},
		{"http://h/a%0ab%1b[31m", "http://h/a%0ab%1b[31m"},
		{"http://h/\u202etxt", "http://h/%E2%80%AEtxt"},
		{"http://h/" + strings.Repeat("a", 2000), "http://h/" + strings.Repeat("a", 500) + "..."},
	}
	for _, tt := range tests {
		got, err := parseTargets([]string{tt.url})
		if err != nil {
			t.Errorf("%q: %v", tt.url, err)
			continue
		}
		if got[0].label != tt.label {
			t.Errorf("%q is shown as %q, want %q", tt.url, got[0].label, tt.label)
		}
	}
}

func TestTargetsThatDifferInTheQuery(t *testing.T) {
	got, err := parseTargets([]string{"http://h/x?a=1", "http://h/x?a=2", "http://h/x"})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"http://h/x", "http://h/x (2)", "http://h/x (3)"}
	for i := range want {
		if got[i].label != want[i] {
			t.Errorf("label %d is %q, want %q", i, got[i].label, want[i])
		}
	}
	if q := got[1].url.RawQuery; q != "a=2" {
		t.Errorf("the query is not sent: %q", q)
	}
}

func TestTargetsRefused(t *testing.T) {
	many := make([]string, 17)
	for i := range many {
		many[i] = fmt.Sprintf("http://h/%d", i)
	}
	tests := []struct {
		urls []string
		want string
	}{
		{[]string{"http://h/", "http://bob:hunter2@h/"}, "URL 2 of 2 holds credentials"},
		{[]string{"http://hunter2@h/"}, "holds credentials"},
		{[]string{"ftp://bob:hunter2@h/"}, "holds credentials"},
		{[]string{"mailto:bob:hunter2@h"}, "holds credentials"},
		{[]string{"http://h:port/?key=hunter2"}, "cannot be read"},
		{[]string{"http://h/%zz?key=hunter2"}, "cannot be read"},
		{[]string{"ftp://h/?key=hunter2"}, "does not begin with http"},
		{[]string{"127.0.0.1:80/hunter2"}, "cannot be read"},
		{[]string{"localhost"}, "does not begin with http"},
		{[]string{"http:///x?hunter2"}, "names no host"},
		{[]string{"http:h/hunter2"}, "names no host"},
		{[]string{"http://h:0/hunter2"}, "port"},
		{[]string{"http://h:70000/?hunter2"}, "port"},
		{[]string{""}, "does not begin with http"},
		{[]string{"http://h/?" + strings.Repeat("hunter2", 400)}, "at most 2048"},
		{[]string{"http://h?hunter2", "http://H/?hunter2#x"}, "URL 2 of 2 is the same as URL 1 (http://h/)"},
		{many, "at most 16"},
	}
	for _, tt := range tests {
		err := Check(tt.urls)
		if err == nil {
			t.Errorf("%.60q is taken", tt.urls)
			continue
		}
		if s := err.Error(); !strings.Contains(s, tt.want) || strings.Contains(s, "hunter2") || strings.Contains(s, "\n") {
			t.Errorf("%.60q: %q, want %q and no secret", tt.urls, s, tt.want)
		}
	}
	if err := Check(nil); err != nil {
		t.Errorf("no URL at all: %v", err)
	}
}
