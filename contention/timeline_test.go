package contention

import (
	"reflect"
	"testing"
	"time"

	"pgregory.net/rapid"
)

var epoch = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func TestTimelineKeepsSumsAndWorst(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		gaps := rapid.SliceOfN(rapid.Int64Range(0, 30_000), 1, 60).Draw(t, "gaps in ms")
		times := rapid.IntRange(1, 40).Draw(t, "times")
		add := func(line *timeline) (sum, worst, n, low int64, last time.Time) {
			at, low := epoch, int64(1<<40)
			for i := range times {
				for _, g := range gaps {
					at = at.Add(time.Duration(g) * time.Millisecond)
					v := g*7%1000 + int64(i)
					s := line.at(at)
					joinTo(&s.Load, one(v), greatest)
					joinTo(&s.Available, one(v), least)
					s.card(g%3).join(*one(v % 100), greatest)
					s.service(g % 2).add(probed{elapsed: time.Duration(v)})
					sum, worst, n, low = sum+v, max(worst, v), n+1, min(low, v)
				}
			}
			return sum, worst, n, low, at
		}
		line, again := &timeline{start: epoch, step: time.Second}, &timeline{start: epoch, step: time.Second}
		sum, worst, n, low, last := add(line)
		add(again)
		if !reflect.DeepEqual(line, again) {
			t.Fatal("the same samples give another timeline")
		}
		if len(line.list) > stretchesMax || last.Sub(epoch) >= line.step*stretchesMax {
			t.Fatalf("%d stretches of %v", len(line.list), line.step)
		}
		if line.step > time.Second && last.Sub(epoch) < line.step/2*stretchesMax {
			t.Fatalf("stretches of %v are longer than needed for %v", line.step, last.Sub(epoch))
		}
		var all Stretch
		prev := int64(-1)
		for _, s := range line.list {
			if s.At <= prev || s.At%int64(line.step) != 0 {
				t.Fatalf("a stretch at %d after %d", s.At, prev)
			}
			prev = s.At
			all.join(&s)
		}
		if want := (Range{n, sum, worst}); *all.Load != want {
			t.Fatalf("the load is %+v, want %+v", *all.Load, want)
		}
		if all.Available.Worst != low {
			t.Fatalf("the least is %d, want %d", all.Available.Worst, low)
		}
		cards, probes := int64(0), int64(0)
		for _, c := range all.Accelerators {
			cards += c.Busy.N
		}
		for _, v := range all.Services {
			probes += v.N
		}
		if cards != n || probes != n {
			t.Fatalf("%d samples of accelerators and %d probes of %d", cards, probes, n)
		}
	})
}

func TestTimelineTakesOddTimes(t *testing.T) {
	line := &timeline{start: epoch, step: time.Second}
	for _, d := range []time.Duration{0, -time.Hour, 3 * time.Second, time.Second, 24 * 365 * time.Hour, 1500 * time.Millisecond, 1<<63 - 1} {
		joinTo(&line.at(epoch.Add(d)).Load, one(1), greatest)
	}
	total := int64(0)
	for i, s := range line.list {
		if total += s.Load.N; i > 0 && s.At <= line.list[i-1].At {
			t.Errorf("stretch %d is out of order", i)
		}
	}
	if total != 7 || len(line.list) > stretchesMax {
		t.Errorf("%d samples in %d stretches of %v", total, len(line.list), line.step)
	}
}

func TestTimelineOfALongRun(t *testing.T) {
	line := &timeline{start: epoch, step: time.Second}
	for i := range 10 * 3600 {
		joinTo(&line.at(epoch.Add(time.Duration(i)*time.Second)).Load, one(5), greatest)
	}
	if line.step != 128*time.Second || len(line.list) != 282 {
		t.Errorf("ten hours are %d stretches of %v", len(line.list), line.step)
	}
}
