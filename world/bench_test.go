package world

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
)

// BenchmarkRead is recorded reads of sessions side by side, one for each processor.
func BenchmarkRead(b *testing.B) {
	for _, kind := range []string{"memory", "file"} {
		b.Run(kind, func(b *testing.B) {
			sessions(b, kind, func(s *Session, i int) {
				if e := ask(b, s, "stores.lots.get", `{"lot_id":"WS-91"}`); !e.OK() {
					b.Error(e.Error)
				}
			})
		})
	}
}

// BenchmarkWrite is recorded writes.
func BenchmarkWrite(b *testing.B) {
	for _, kind := range []string{"memory", "file"} {
		b.Run(kind, func(b *testing.B) {
			sessions(b, kind, func(s *Session, i int) {
				if e := ask(b, s, "stores.lots.release", fmt.Sprintf(`{"lot_id":"WS-91","revision":%d}`, i+1)); !e.OK() {
					b.Error(e.Error)
				}
			})
		})
	}
}

func sessions(b *testing.B, kind string, call func(*Session, int)) {
	w, sp := depot(b)
	ctx, root := context.Background(), b.TempDir()
	var n atomic.Int64
	b.ResetTimer()
	b.RunParallel(func(pb *testing.PB) {
		sp := sp
		sp.ID = fmt.Sprintf("s%d", n.Add(1))
		var s *Session
		var err error
		if kind == "file" {
			s, err = w.CreateSession(ctx, sp, root)
		} else {
			s, err = w.NewSession(ctx, sp)
		}
		if err != nil {
			b.Error(err)
			return
		}
		defer s.Close()
		for i := 0; pb.Next(); i++ {
			call(s, i)
		}
	})
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "calls/s")
}

// BenchmarkNewSession makes and ends sessions of the seed of about 1 MB.
func BenchmarkNewSession(b *testing.B) {
	w, sp := depot(b)
	sp.Staged = &Staged{rows: []seedFile{bulk(5000)}}
	ctx := context.Background()
	if seed, err := w.Seed(ctx, sp.Task, sp.Staged); err != nil {
		b.Fatal(err)
	} else {
		b.Logf("%d bytes", len(seed.data))
	}
	for _, kind := range []string{"memory", "file"} {
		b.Run(kind, func(b *testing.B) {
			root := b.TempDir() // of each round its own, which may be as long as another
			for i := range b.N {
				sp.ID = fmt.Sprintf("%s-%d-%d", kind, b.N, i)
				var s *Session
				var err error
				if kind == "file" {
					s, err = w.CreateSession(ctx, sp, root)
				} else {
					s, err = w.NewSession(ctx, sp)
				}
				if err != nil {
					b.Fatal(err)
				}
				s.Close()
			}
		})
	}
}

func bulk(n int) seedFile {
	f := seedFile{file: "bulk", table: "log_lines"}
	for i := range n {
		f.rows = append(f.rows, seedRow{columns: []string{"text"}, values: []any{fmt.Sprintf("line %d of many that fill the table, %0160d", i, i)}})
	}
	return f
}
