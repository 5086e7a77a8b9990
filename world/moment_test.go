package world

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"
	"time"
)

// TestBundleAmidCalls takes bundles while somebody is still calling, as a program may that an agent left behind. Each is of one
// moment, and none is a fault.
func TestBundleAmidCalls(t *testing.T) {
	s := memory(t)
	ctx := context.Background()
	stop, done := make(chan struct{}), make(chan int)
	go func() {
		n := 0
		for ; ; n++ {
			select {
			case <-stop:
				done <- n
				return
			default:
			}
			e, err := s.Call(ctx, Call{Actor: Agent, Surface: "rest", Tool: "notes.drafts.create", Args: fmt.Appendf(nil, `{"recipient":"u-marta","body":"Note %d."}`, n)})
			if err != nil || !e.OK() {
				t.Errorf("%v %+v", err, e)
			}
			time.Sleep(200 * time.Microsecond) // the bundles need not be large
		}
	}()
	last := -1
	for until := time.Now().Add(20 * time.Second); last < 60 && time.Now().Before(until); {
		ep, err := Bundle(ctx, s, "answer")
		if err != nil {
			t.Error(err)
			break
		}
		var events, changes []json.RawMessage
		if json.Unmarshal(ep.Events, &events) != nil || json.Unmarshal(ep.Changes, &changes) != nil || len(events) != len(changes) || len(events) < last {
			t.Errorf("%d events with %d changes after %d", len(events), len(changes), last)
			break
		}
		last = len(events)
	}
	close(stop)
	if n := <-done; n < 60 || last < 60 {
		t.Errorf("only %d calls were made, and %d seen", n, last)
	}
}
