package premise

import (
	"encoding/json"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/assaybench/assay/record"
)

// replies are all control answers of the tests' bench, by item.
func replies(t testing.TB, s *Set) (items, answers []string, letters []record.Letter) {
	for _, p := range s.Problems() {
		for _, c := range p.controls {
			items, answers, letters = append(items, p.ID), append(answers, c.Answer), append(letters, c.letter)
		}
	}
	if len(items) < 30 {
		t.Fatalf("%d controls", len(items))
	}
	return items, answers, letters
}

// unlike gives an answer of the same meaning that no other number gives: its body ends in a comment of its own, so that each has
// to be evaluated. An answer whose JSON cannot be read is followed by blanks instead.
func unlike(answer string, n int) string {
	var reply map[string]any
	if json.Unmarshal([]byte(answer), &reply) == nil {
		if body, ok := reply["body"].(string); ok {
			reply["body"] = body + "\n# " + strconv.Itoa(n)
			if b, err := json.Marshal(reply); err == nil {
				return string(b)
			}
		}
	}
	return answer + strings.NewReplacer("0", " ", "1", "\n").Replace(strconv.FormatInt(int64(n), 2))
}

func BenchmarkGrade(b *testing.B) {
	s := desk(b)
	items, answers, letters := replies(b, s)
	n := atomic.Int64{}
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			k := int(n.Add(1))
			i := k % len(items)
			v, err := s.Grade(b.Context(), items[i], record.Transcript{Outcome: record.Answered, Answer: unlike(answers[i], k)})
			if err != nil || v.Letter != letters[i] {
				b.Errorf("%s: %s, want %s (%v)", items[i], v.Letter, letters[i], err)
			}
		}
	})
}

// 10,000 replies are graded within half a minute on two processors. ASSAY_SLOW=1 grades them all, and otherwise a part.
func TestGradeMany(t *testing.T) {
	n := 500
	if os.Getenv("ASSAY_SLOW") == "1" {
		n = 10_000
	}
	s := desk(t)
	items, answers, letters := replies(t, s)
	begun := time.Now()
	var wg sync.WaitGroup
	var next atomic.Int64
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				k := i % len(items)
				v, err := s.Grade(t.Context(), items[k], record.Transcript{Outcome: record.Answered, Answer: unlike(answers[k], i)})
				if err != nil || v.Letter != letters[k] {
					t.Errorf("%s: %s, want %s (%v)", items[k], v.Letter, letters[k], err)
				}
			}
		})
	}
	wg.Wait()
	if took := time.Since(begun); took > 30*time.Second {
		t.Errorf("%d replies took %v", n, took)
	}
}
