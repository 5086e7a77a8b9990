//go:build unix

package contention

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// script writes a program that stands in for nvidia-smi.
func script(t *testing.T, body string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), smiName)
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+body), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestAskSMI(t *testing.T) {
	got, err := askSMI(t.Context(), script(t, `
case "$1 $2" in
"--query-gpu=index,name,utilization.gpu,memory.used,memory.total --format=csv,noheader,nounits") ;;
*) exit 3 ;;
esac
[ -z "$SOME_API_KEY" ] || exit 4
[ -n "$PATH" ] || exit 5
echo "0, Card, 50, 100, 200"
`), func(name string) string {
		return map[string]string{"PATH": os.Getenv("PATH"), "SOME_API_KEY": "hunter2"}[name]
	}, 20*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != 1 || *got[0].Busy != 50 || *got[0].Used != 100 || *got[0].Total != 200 || got[0].Name != "Card" {
		t.Errorf("got %+v", got)
	}
}

func TestAskSMIFaults(t *testing.T) {
	tests := []struct{ name, body, want string }{
		{"broken", "echo 'NVIDIA-SMI has failed \033[31m'; exit 9", "failed (exit status 9)"},
		{"says nothing", "exit 0", "knows of no accelerator"},
		{"another text, and good", "echo hello", "not an accelerator's"},
		{"huge", "while :; do echo '0, Card, 50, 100, 200'; done", "more than 64 KiB"},
		{"hangs", "sleep 60", "did not answer within 300ms"},
		{"hangs in the background with the pipe open", "sleep 60 & sleep 60", "did not answer within 300ms"},
		{"leaves a child with the pipe", "sleep 60 & echo '0, Card, 50, 100, 200'", "did not answer within 300ms"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			limit := 300 * time.Millisecond
			if !strings.Contains(tt.want, "300ms") {
				limit = 20 * time.Second
			}
			begun := time.Now()
			_, err := askSMI(t.Context(), script(t, tt.body), os.Getenv, limit)
			if err == nil || !strings.Contains(err.Error(), tt.want) || strings.ContainsAny(err.Error(), "\n\x1b") {
				t.Errorf("the error is %v, want %q", err, tt.want)
			}
			if took := time.Since(begun); took > 15*time.Second {
				t.Errorf("it took %v", took)
			}
		})
	}
	if _, err := askSMI(t.Context(), filepath.Join(t.TempDir(), "none"), os.Getenv, time.Second); err == nil || !strings.Contains(err.Error(), "could not be started") {
		t.Errorf("a program that is not there: %v", err)
	}
}

func TestAskSMIEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	begun := time.Now()
	if _, err := askSMI(ctx, script(t, "sleep 60"), os.Getenv, 30*time.Second); err == nil {
		t.Error("a program that was ended gave an answer")
	}
	if took := time.Since(begun); took > 20*time.Second {
		t.Errorf("it took %v", took)
	}
}

func TestWatchAccelerators(t *testing.T) {
	o := testOptions()
	counter := filepath.Join(t.TempDir(), "count")
	path := script(t, `echo x >>`+counter+`
n=$(wc -l <`+counter+`)
echo "0, Card, $n, 100, 200"
echo "1, Other, [N/A], 7, 200"
`)
	o.LookPath = func(name string) (string, error) {
		if name != "nvidia-smi" {
			t.Errorf("looked for %q", name)
		}
		return path, nil
	}
	w := start(t, o)
	if err := w.Phase(During); err != nil {
		t.Fatal(err)
	}
	until(t, func() bool { l, ok := w.Now(); return ok && len(l.Accelerators) == 2 && *l.Accelerators[0].Busy >= 3 })
	d := w.Stop()
	if d.Accelerators.Note != "" || len(d.Accelerators.List) != 2 {
		t.Fatalf("accelerators are %+v", d.Accelerators)
	}
	a := d.Accelerators.List[0]
	if a.Name != "Card" || a.Total != 200 || a.Before != nil || a.During == nil || a.During.Busy.Max < 3 || a.During.Busy.N < 2 || a.During.Used.Median != 100 {
		t.Errorf("accelerator 0 is %+v", a)
	}
	if b := d.Accelerators.List[1]; b.During == nil || b.During.Busy != nil || b.During.Used.Median != 7 {
		t.Errorf("accelerator 1 is %+v", b)
	}
	if s := d.Timeline.Stretches[len(d.Timeline.Stretches)-1]; s.Load == nil && s.Accelerators == nil {
		t.Errorf("the timeline's last stretch is empty: %+v", s)
	}
	mustEncode(t, d)
}

func TestWatchGivesUpOnABrokenProgram(t *testing.T) {
	o := testOptions()
	counter := filepath.Join(t.TempDir(), "count")
	path := script(t, "echo x >>"+counter+"; exit 9\n")
	o.LookPath = func(string) (string, error) { return path, nil }
	w := start(t, o)
	until(t, func() bool { w.mu.Lock(); defer w.mu.Unlock(); return w.cards.inRow == smiTries })
	time.Sleep(100 * time.Millisecond) // two further turns, if there were any
	d := w.Stop()
	if b, _ := os.ReadFile(counter); len(b) != 2*smiTries {
		t.Errorf("it was asked %d times", len(b)/2)
	}
	want := "3 of 3 calls to it failed, the last one so: nvidia-smi failed (exit status 9); not asked again after 3 failures in a row"
	if d.Accelerators.Note != want || len(d.Accelerators.List) != 0 {
		t.Errorf("accelerators are %+v", d.Accelerators)
	}
	mustEncode(t, d)
}
