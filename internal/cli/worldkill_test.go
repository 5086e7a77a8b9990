//go:build unix

package cli_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/assaybench/assay/world"
)

// acknowledged is what clients were told of calls that change the world: the id that each subject got.
type acknowledged struct {
	sync.Mutex
	drafts map[string]string
}

// write makes drafts as fast as it can until the server is gone, half of them by REST and half by MCP.
func (a *acknowledged) write(s *served, round, client int) {
	tr := &http.Transport{}
	defer tr.CloseIdleConnections()
	c := &http.Client{Transport: tr, Timeout: 10 * time.Second}
	for i := 0; ; i++ {
		subject := fmt.Sprintf("r%d c%d n%d", round, client, i)
		args := fmt.Sprintf(`{"recipient":"u-ada","subject":%q,"body":"b"}`, subject)
		at, body := s.API+"/tools/notes.drafts.create", args
		if client%2 == 0 {
			at, body = s.MCP, fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"notes.drafts.create","arguments":%s}}`, args)
		}
		r, err := http.NewRequest("POST", at, strings.NewReader(body))
		if err != nil {
			s.Error(err)
			return
		}
		for k, v := range map[string]string{"Authorization": "Bearer " + s.Token, "Content-Type": "application/json", "Accept": "application/json, text/event-stream"} {
			r.Header.Set(k, v)
		}
		resp, err := c.Do(r)
		if err != nil {
			return // the server was killed
		}
		b, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		if err != nil {
			return
		}
		var got struct {
			Draft  string `json:"draft_id"`
			Result struct {
				StructuredContent struct {
					Draft string `json:"draft_id"`
				}
			}
		}
		if err := json.Unmarshal(b, &got); err != nil || resp.StatusCode != 200 || got.Draft+got.Result.StructuredContent.Draft == "" {
			s.Errorf("%d %s", resp.StatusCode, b)
			return
		}
		a.Lock()
		a.drafts[subject] = got.Draft + got.Result.StructuredContent.Draft
		a.Unlock()
	}
}

// TestWorldKilledAmidCalls kills the server with SIGKILL while clients are calling. What any of them was told is in the log and
// in the state, once; the chain is whole.
func TestWorldKilledAmidCalls(t *testing.T) {
	r := newRig(t)
	told := &acknowledged{drafts: map[string]string{}}
	const rounds, clients = 5, 6
	for round := range rounds {
		s := startWorld(t, r.dir, "--episode", "e1")
		var wg sync.WaitGroup
		for client := range clients {
			wg.Go(func() { told.write(s, round, client) })
		}
		time.Sleep(time.Duration(50+rand.IntN(150)) * time.Millisecond)
		s.kill()
		wg.Wait()
	}
	var events []world.Event
	for line := range bytes.Lines([]byte(r.want(0, "world", "events", mooring(t)+"/ferry-217", "--db", "eps", "--episode", "e1").out)) {
		e, err := world.ParseEvent(line)
		if err != nil {
			t.Fatal(err)
		}
		events = append(events, *e)
	}
	if err := world.VerifyChain(events[0].Prev, events); err != nil {
		t.Error(err)
	}
	made := map[string]string{}
	for _, e := range events {
		var args struct{ Subject string }
		var result struct {
			Draft string `json:"draft_id"`
		}
		if json.Unmarshal(e.Args, &args) != nil || json.Unmarshal(e.Result, &result) != nil || len(e.Effect) != 1 {
			t.Fatalf("event %d: %s %s", e.Seq, e.Args, e.Result)
		}
		if made[args.Subject] != "" {
			t.Errorf("%q stands twice in the log", args.Subject)
		}
		made[args.Subject] = result.Draft
	}
	for subject, id := range told.drafts {
		if made[subject] != id {
			t.Errorf("a client was told that %q is %s; the log has %q", subject, id, made[subject])
		}
	}
	// Each kill may have met one call of each client that was made and not told.
	if n := len(told.drafts); n < 50 || len(made)-n > rounds*clients {
		t.Errorf("%d calls were told and %d made", n, len(made))
	}
	t.Logf("%d calls told, %d made, %d kills", len(told.drafts), len(made), rounds)
}
