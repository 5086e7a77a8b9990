//go:build unix

package cli_test

import (
	"bytes"
	"encoding/json"
	"syscall"
	"testing"
	"time"

	"github.com/assaybench/assay/model/modeltest"
	"github.com/assaybench/assay/report"
)

// A run that is killed amid repairs and resumed has the letters, the repairs and the transcripts of one that was not.
func TestPremiseKilled(t *testing.T) {
	r := newRig(t)
	all := premiseScripts()
	r.desk(len(all))
	d := dialoguesOf(all)
	name, mock := r.mock(modeltest.MockOptions{Reply: d.reply, Delay: 20 * time.Millisecond})
	args := []string{"run", "./desk", "--unproven", "--json", "--model", name, "--concurrency", "2"}
	killed := 0
	for _, calls := range []int64{5, 12, 20} {
		cmd := command(t, r.dir, args...)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		from := mock.Requests()
		for end := time.Now().Add(20 * time.Second); mock.Requests() < from+calls && time.Now().Before(end); {
			time.Sleep(time.Millisecond)
		}
		_ = cmd.Process.Signal(syscall.SIGKILL) // it may have ended
		if err := cmd.Wait(); err != nil {
			killed++
		}
	}
	if killed < 2 {
		t.Errorf("%d kills: the test no longer tests what it should", killed)
	}
	cmd := command(t, r.dir, args...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v\n%s", err, &errs)
	}
	res := new(report.Result)
	if err := json.Unmarshal(out.Bytes(), res); err != nil {
		t.Fatal(err)
	}
	r.checkScripts(res, all)
	if res.Attempts.Missing != 0 || res.Attempts.Error != 0 {
		t.Errorf("%+v", res.Attempts.Counts)
	}
}
