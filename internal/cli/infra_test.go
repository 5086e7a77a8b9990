package cli_test

import (
	"encoding/json"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/model/modeltest"
	"github.com/assaybench/assay/record"
)

// TestNoFaultIsAWrongAnswer runs a bench from the command line against servers that fail one call in twenty, in every way
// there is, those that stop a run included, and gives the same command again until nothing is missing. Every call must be on
// record once, under its item and as its fault says, but for those that a stop cut off, and none of the infrastructure be
// counted as an answer. ASSAY_SLOW=1 makes 10,000 attempts over each wire.
func TestNoFaultIsAWrongAnswer(t *testing.T) {
	t.Parallel()
	const concurrency = 8
	items, repeats := 100, 3
	if os.Getenv("ASSAY_SLOW") == "1" {
		items, repeats = 1250, 8
	}
	for _, w := range modeltest.Wires() {
		if w != modeltest.WireChat && w != modeltest.WireOllama && os.Getenv("ASSAY_SLOW") != "1" {
			continue
		}
		t.Run(w.String(), func(t *testing.T) {
			t.Parallel()
			r := newRig(t)
			r.keys(canary)
			// Long enough for a count of seven tokens, and for one of half of the context, to be fewer than any tokenizer makes of
			// the prompt, which shows that it was cut; of a larger context, half proves nothing of such a prompt, and the call is
			// an answer. Too short for a probe.
			r.write(benchOf{items: items, repeats: repeats, filler: 3300, context: 512})
			draw := modeltest.Draw{Wire: w, Seed: 20261130, Every: 20, Terminal: true}
			plan := draw.Plan()
			var mu sync.Mutex
			// Each call is accounted for under its item: in sums over all items, calls that a stop cut off could make up for others
			// that ended otherwise than their faults say.
			type ending struct {
				item    string
				outcome record.Outcome
			}
			met, made := map[modeltest.Fault]int{}, map[ending]int{} // by calls for items
			n := int64(0)
			m, _ := r.mock(modeltest.MockOptions{Wire: w, Reply: func(q modeltest.MockRequest) modeltest.MockReply {
				reply := right()
				item := asked(q.User)
				if item == "" {
					return reply
				}
				mu.Lock()
				defer mu.Unlock()
				n++
				reply.Fault = plan(n)
				met[reply.Fault]++
				outcome := record.Answered
				if reply.Fault != "" {
					outcome, _ = reply.Fault.Expect()
				}
				made[ending{item, outcome}]++
				return reply
			}})
			begun, sessions, stops := time.Now(), 0, 0
			for left := true; left; sessions++ {
				if sessions > 20+items*repeats/20 {
					t.Fatal("it is never finished")
				}
				got := r.assay("run", "./bench", "--unproven", "--quiet", "--concurrency", strconv.Itoa(concurrency), "--model", m)
				if got.code != 0 && got.code != 3 {
					t.Fatalf("exit %d: %s", got.code, got.err)
				}
				if strings.Contains(got.err+got.out, canary) {
					t.Fatalf("the key was printed: %s", got.err)
				}
				if got.err != "" { // of what is missing alone nothing is said under --quiet
					stops++
				}
				var list struct {
					Runs []struct{ Done, Planned int }
				}
				if err := json.Unmarshal([]byte(r.want(0, "runs", "--json").out), &list); err != nil || len(list.Runs) != 1 {
					t.Fatalf("%v: %+v", err, list)
				}
				left = list.Runs[0].Done < list.Runs[0].Planned
			}
			t.Logf("%s: %d attempts, %d calls, %d sessions, of which %d were stopped, in %v", w, items*repeats, n, sessions, stops, time.Since(begun).Round(time.Millisecond))

			got, ended, kinds := map[ending]int{}, map[record.Outcome]int{}, map[model.FaultKind]int{}
			db, latest := r.latest()
			wrong := 0
			for row, err := range db.Rows(t.Context(), latest, latest.Plan.Grader) {
				if err != nil {
					t.Fatal(err)
				}
				if row.Letter == record.LetterWrong {
					wrong++
					t.Errorf("%s, repeat %d, is counted as wrong: %s", row.Key.Item, row.Key.Repeat, row.Reason)
				}
				tries, err := db.Tries(t.Context(), latest, row.N)
				if err != nil {
					t.Fatal(err)
				}
				for i, try := range tries {
					got[ending{row.Key.Item, try.Outcome}]++
					ended[try.Outcome]++
					kind, _, _ := strings.Cut(try.Reason, " ")
					kinds[model.FaultKind(strings.TrimSuffix(kind, ":"))]++
					if try.Outcome != record.Error && i != len(tries)-1 {
						t.Errorf("%s, repeat %d: tried again after it had ended %s", row.Key.Item, row.Key.Repeat, try.Outcome)
					}
				}
			}
			mu.Lock()
			defer mu.Unlock()
			lost := 0
			for e, count := range made {
				if count < got[e] {
					t.Errorf("%s: %d calls ended %s, and %d tries are on record", e.item, count, e.outcome, got[e])
				}
				lost += count - got[e]
			}
			for e, count := range got {
				if made[e] == 0 {
					t.Errorf("%s: %d tries ended %s, and no call did", e.item, count, e.outcome)
				}
			}
			// A call that another one's stop cuts off is not on record, and is made again: at most one of each worker but the one
			// that stops, and of workers there are at most twice as many as calls at once, since others take the places of those
			// that wait before their next try.
			if most := (2*concurrency - 1) * stops; lost > most {
				t.Errorf("%d calls of %d are not on record, and %d stops cut off %d at most", lost, n, stops, most)
			}
			if wrong != 0 {
				t.Errorf("%d faults of the infrastructure are counted as wrong answers", wrong)
			}
			least := min(len(draw.Kinds()), items*repeats/20-2)
			if len(met)-1 < least || stops == 0 {
				t.Errorf("%d kinds of faults were met, want %d; %d stops", len(met)-1, least, stops)
			}
			res := r.result("latest")
			c := res.Attempts.Counts
			if c.Answered+c.Truncated+c.Refused+c.Undelivered != items*repeats || c.Timeout != 0 {
				t.Errorf("%+v", c)
			}
			t.Logf("%s: %d kinds of faults, ended %v, %d calls cut off, kinds %v", w, len(met)-1, ended, lost, slices.Sorted(maps.Keys(kinds)))
		})
	}
}
