package world

import (
	"context"
	"errors"
	"testing"
)

func TestTrialIsTakenBack(t *testing.T) {
	w, sp := depot(t)
	s := open(t, w, sp)
	ctx := context.Background()
	read := func() string { return string(ask(t, s, "stores.lots.list", `{"part":"WS-M4"}`).Result) }
	before := read()
	base, err := s.State(ctx)
	if err != nil {
		t.Fatal(err)
	}
	digest, _ := StateDigest(base)
	events := len(s.Events())
	var lot Row
	for _, tr := range s.Base() {
		if tr.Table == "lots" {
			for _, r := range tr.Rows {
				if r["part"] == "WS-M4" {
					lot = r
				}
			}
		}
	}
	id := lot["lot_id"]
	for _, e := range []Edit{{Table: "lots", Key: Row{"lot_id": id}, Column: "qty", Value: int64(77)}, {Table: "lots", Key: Row{"lot_id": id}}} {
		during := ""
		if err := s.Trial(ctx, []Edit{e}, func() error { during = read(); return nil }); err != nil {
			t.Fatal(err)
		}
		if during == before {
			t.Errorf("the edit %v shows in no read", e)
		}
		if after := read(); after != before {
			t.Errorf("the edit %v was not taken back", e)
		}
	}
	stop := errors.New("stop")
	if err := s.Trial(ctx, nil, func() error { return stop }); !errors.Is(err, stop) {
		t.Errorf("the error of run is lost: %v", err)
	}
	for _, e := range []Edit{
		{Table: "lots", Key: Row{"lot_id": id}, Column: "status", Value: "LOST"}, {Table: "lots", Key: Row{"lot_id": "none"}}, {Table: "lotz"},
		{Table: "lots", Key: Row{"lot_id": id}, Column: "nothing", Value: "x"}, {Table: "lots", Key: Row{"lot_id": id}, Column: "qty", Value: "many"},
	} {
		if err := s.Trial(ctx, []Edit{e}, func() error { t.Errorf("%v was made", e); return nil }); !errors.Is(err, ErrEdit) {
			t.Errorf("%v: %v", e, err)
		}
	}
	after, err := s.State(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if d, _ := StateDigest(after); d != digest {
		t.Error("the state after trials is another")
	}
	if n := len(s.Events()) - events; n != 2 {
		t.Errorf("%d events were left, want those of the two reads outside trials", n)
	}
	if e := ask(t, s, "stores.lots.release", `{"lot_id":"WS-88","revision":1}`); !e.OK() {
		t.Errorf("a write after trials: %v", e.Error)
	}
}
