package cli_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/assaybench/assay/model/modeltest"
	"github.com/assaybench/assay/price"
	"github.com/assaybench/assay/report"
	"github.com/assaybench/assay/run"
)

const priced = `currency: USD
as_of: 2026-11-30
models:
  openai/mock: {input: 3.00, cached: 0.30, output: 15.00}
  ollama/mock: {input: 3.00, output: 15.00}
  openai/free: {input: 0, output: 0}
`

// call is what one call costs that counts 100 tokens of prompt and 50 of output: 0.00105.
const call = price.Amount(1_050_000_000)

// shop is a rig with prices before a server of which every request is counted, whatever it asks for.
type shop struct {
	*rig
	script
	model    string
	mock     *modeltest.Mock
	requests atomic.Int64
}

func newShop(t testing.TB, b benchOf, says func(item string, call int) modeltest.MockReply) *shop {
	t.Helper()
	s := &shop{rig: newRig(t)}
	s.write(b)
	s.script.says = func(item string, n int) modeltest.MockReply {
		reply := right()
		if says != nil {
			reply = says(item, n)
		}
		if reply.PromptTokens == 0 {
			reply.PromptTokens, reply.OutputTokens = 100, 50
		}
		return reply
	}
	_, s.mock = s.rig.mock(modeltest.MockOptions{Reply: s.reply})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		s.requests.Add(1)
		s.mock.ServeHTTP(w, q)
	}))
	t.Cleanup(server.Close)
	s.model = "openai/mock@" + server.URL + "/v1"
	s.prices(priced)
	return s
}

func (s *shop) prices(text string) {
	s.Helper()
	if err := os.MkdirAll(filepath.Join(s.dir, ".assay"), 0o755); err != nil {
		s.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(s.dir, ".assay", "prices.yaml"), []byte(text), 0o644); err != nil {
		s.Fatal(err)
	}
}

// buy runs the bench and wants that many calls for its items.
func (s *shop) buy(code, calls int, args ...string) ran {
	s.Helper()
	before := len(s.script.requests(false))
	got := s.want(code, append([]string{"run", "./bench", "--unproven", "--model", s.model}, args...)...)
	if n := len(s.script.requests(false)) - before; n != calls {
		s.Errorf("assay run %s: %d calls, want %d\n%s", strings.Join(args, " "), n, calls, got.err)
	}
	return got
}

// spent is what all sessions charged together.
func spent(res *report.Result) (sum price.Amount, calls, unknown int) {
	for _, a := range res.Accounts {
		for _, m := range a.Models {
			sum, calls, unknown = sum+m.Spent, calls+m.Calls, unknown+m.Unknown
		}
	}
	return sum, calls, unknown
}

// TestNothingIsSentUnasked: a run that costs money says so and sends nothing before somebody agrees; where nobody can, it does
// not start.
func TestNothingIsSentUnasked(t *testing.T) {
	t.Parallel()
	s := newShop(t, benchOf{items: 3, repeats: 2}, nil)
	got := s.buy(2, 0)
	for _, want := range []string{"openai/mock: 6 attempts, about ", " tokens of prompts, at most 384 of output: about 0.00", "by the prices of 2026-11-30 in .assay/prices.yaml", "--yes goes on, --max-cost AMOUNT bounds it"} {
		if !strings.Contains(got.err, want) {
			t.Errorf("no %q in %s", want, got.err)
		}
	}
	s.buy(2, 0, "--max-cost", "1") // a bound is no consent
	for _, answer := range []string{"n\n", "", "\n", "yeah\n", "no y\n"} {
		s.interactive, s.stdin = true, strings.NewReader(answer)
		if got := s.buy(2, 0); !strings.Contains(got.err, "this run costs money; go on? [y/N] ") || !strings.Contains(got.err, "nothing was sent") {
			t.Errorf("%q: %s", answer, got.err)
		}
	}
	if n := s.requests.Load(); n != 0 {
		t.Errorf("%d requests were sent before anybody agreed", n)
	}
	s.stdin = strings.NewReader("Y\n")
	s.buy(0, 6)
	s.interactive = false
	// What is there already costs nothing.
	before := s.requests.Load()
	s.buy(0, 0)
	if n := s.requests.Load() - before; n != 0 {
		t.Errorf("%d requests for a finished run", n)
	}
	s.buy(2, 0, "--new")
}

// TestUnknownPricesAreAsked: a server elsewhere that is called with a key costs money, whatever it is; nothing is said of what
// costs nothing.
func TestUnknownPricesAreAsked(t *testing.T) {
	t.Parallel()
	s := newShop(t, benchOf{items: 2}, nil)
	s.env["OPENAI_API_KEY"] = canary
	got := s.want(2, "run", "./bench", "--unproven", "--model", "openai/other@https://models.example/v1,control/empty")
	if !strings.Contains(got.err, "openai/other: 2 attempts") || !strings.Contains(got.err, "its price is not known") || strings.Contains(got.err, "control/") || strings.Contains(got.err, "USD") {
		t.Errorf("%s", got.err)
	}
	got = s.want(2, "run", "./bench", "--unproven", "--model", "openai/other@https://models.example/v1", "--max-cost", "1", "--yes")
	if !strings.Contains(got.err, "has no price of openai/other, at which the run could stop") {
		t.Errorf("%s", got.err)
	}
	// A server of this machine and a model whose price is 0 cost nothing.
	_, free := s.rig.mock(modeltest.MockOptions{Reply: s.reply, Models: []string{"free"}})
	s.want(0, "run", "./bench", "--unproven", "--model", "openai/free@"+free.URL)
	res := s.result("latest")
	if res.Servers[0].Cost != nil || len(res.Accounts) != 0 {
		t.Errorf("%+v", res.Servers[0])
	}
}

// TestMaxCost: the run stops once so much is spent, in all sessions together; the same command sends nothing more, a larger
// amount goes on, and no call is counted twice.
func TestMaxCost(t *testing.T) {
	t.Parallel()
	s := newShop(t, benchOf{items: 8}, nil)
	got := s.buy(3, 3, "--yes", "--max-cost", "0.003")
	if !strings.Contains(got.err, "assay: --max-cost 0.003 USD is reached: 0.00315 USD are spent; what was answered is kept, and a larger --max-cost goes on\n") || got.out != "" {
		t.Errorf("%s%s", got.err, got.out)
	}
	if res := s.result("latest"); res.Attempts.Answered != 3 || res.Attempts.Missing != 5 || res.Servers[0].Cost.Exact != 3*call {
		t.Errorf("%+v, %+v", res.Attempts.Counts, res.Servers[0].Cost)
	}
	for _, limit := range []string{"0.003", "0.002", "0.00315"} {
		before := s.requests.Load()
		if got := s.buy(3, 0, "--yes", "--max-cost", limit); !strings.Contains(got.err, "is reached: 0.00315 USD are spent") || s.requests.Load() != before {
			t.Errorf("%d requests, %s", s.requests.Load()-before, got.err)
		}
	}
	if got := s.buy(3, 2, "--yes", "--max-cost", "0.005"); !strings.Contains(got.err, "0.00315 USD are spent already; the run stops at 0.005 USD") || !strings.Contains(got.err, "0.00525 USD are spent") {
		t.Errorf("%s", got.err)
	}
	s.buy(0, 3, "--yes", "--max-cost", "0.01")
	res := s.result("latest")
	if sum, calls, unknown := spent(res); sum != 8*call || calls != 8 || unknown != 0 || len(res.Accounts) != 3 {
		t.Errorf("%s in %d calls, %+v", sum, calls, res.Accounts)
	}
	cost := res.Servers[0].Cost
	if cost == nil || cost.Amount != "0.0084" || cost.Exact != 8*call || cost.Calls != 8 || cost.Uncounted != 0 || *res.Attempts.Settings[0].Cost != *cost {
		t.Errorf("%+v", cost)
	}
	if text := s.want(0, "result", "latest").out; !strings.Contains(text, "0.0084 USD") || !strings.Contains(text, "Costs by the prices of 2026-11-30 in .assay/prices.yaml") {
		t.Errorf("no cost in\n%s", text)
	}
}

// TestMaxCostAtTheLastCall: a run that reaches its limit with its last call is whole.
func TestMaxCostAtTheLastCall(t *testing.T) {
	t.Parallel()
	s := newShop(t, benchOf{items: 4}, nil)
	got := s.buy(0, 4, "--yes", "--max-cost", "0.0042", "--json")
	if res := s.result("latest"); res.Figures[0].Passed != 4 || res.Attempts.Ungradable != 0 {
		t.Errorf("%+v\n%s", res.Figures[0], got.err)
	}
	s.buy(0, 0, "--max-cost", "0.0042")
}

// TestEveryCallCounts: calls that were made again, replies that came to nothing and probes were paid for too.
func TestEveryCallCounts(t *testing.T) {
	t.Parallel()
	s := newShop(t, benchOf{items: 4}, func(item string, _ int) modeltest.MockReply {
		if item == itemName(0) { // an error, but the server counted its tokens
			return modeltest.MockReply{Content: "ANSWER: 42", Finish: "because"}
		}
		return right()
	})
	s.buy(3, 4, "--yes")
	if got := s.buy(3, 1, "--yes", "--max-cost", "0.0043"); !strings.Contains(got.err, "0.0042 USD are spent already") || !strings.Contains(got.err, "is reached: 0.00525 USD are spent") {
		t.Errorf("%s", got.err)
	}
	s.buy(3, 0, "--yes", "--max-cost", "0.0052")
	if got := s.buy(3, 1, "--yes", "--max-cost", "1"); !strings.Contains(got.err, "0.00525 USD are spent already") {
		t.Errorf("%s", got.err)
	}
	res := s.result("latest")
	if sum, calls, _ := spent(res); sum != 6*call || calls != 6 || res.Servers[0].Cost.Exact != 6*call {
		t.Errorf("%s in %d calls, %+v", sum, calls, res.Servers[0].Cost)
	}

	// The probe alone goes beyond the limit: no attempt is made, and no second probe.
	p := newShop(t, benchOf{items: 2, filler: 5000}, nil)
	if got := p.buy(3, 0, "--yes", "--max-cost", "0.000001"); !strings.Contains(got.err, "--max-cost 0.000001 USD is reached") {
		t.Errorf("%s", got.err)
	}
	before := p.requests.Load()
	p.buy(3, 0, "--yes", "--max-cost", "0.000001")
	if n := p.requests.Load() - before; n != 0 {
		t.Errorf("%d requests beyond the limit", n)
	}
}

// TestUncountedCallsCostTheMost: a reply without a count is charged what such a call can cost at the most, and the results say
// so.
func TestUncountedCallsCostTheMost(t *testing.T) {
	t.Parallel()
	s := newShop(t, benchOf{items: 6, output: 64}, func(item string, _ int) modeltest.MockReply {
		if item == itemName(0) || item == itemName(1) {
			return modeltest.MockReply{Content: "ANSWER: 42", Fault: "usage-none"}
		}
		return right()
	})
	got := s.buy(0, 6, "--yes")
	res := s.result("latest")
	table, err := price.Read("p", []byte(priced))
	if err != nil {
		t.Fatal(err)
	}
	p, _ := table.Of("openai/mock")
	prompt := int64(len("This is question q000. End with ANSWER: N\n"))
	most := p.Ceiling(prompt, 64)
	sum, calls, unknown := spent(res)
	if sum != 4*call+2*most || calls != 6 || unknown != 2 {
		t.Errorf("%s in %d calls, %d not counted; the most is %s\n%s", sum, calls, unknown, most, got.err)
	}
	if cost := res.Servers[0].Cost; cost.Exact != 4*call || cost.Uncounted != 2 {
		t.Errorf("%+v", cost)
	}
	text := strings.Join(strings.Fields(s.want(0, "result", "latest").out), " ")
	if !strings.Contains(text, "with 2 calls whose tokens were not counted at the most that they can have cost") || !strings.Contains(text, "(+ 2 calls not counted)") {
		t.Errorf("not said in\n%s", text)
	}
	// They count towards the limit like others, in this session and in the next.
	s.buy(3, 1, "--yes", "--new", "--max-cost", most.String())
	s.buy(3, 0, "--yes", "--max-cost", most.String())
}

// TestPricesThatChange: each session is reckoned by the prices of its time, and the results by the last ones, and say so.
func TestPricesThatChange(t *testing.T) {
	t.Parallel()
	s := newShop(t, benchOf{items: 4}, nil)
	s.buy(3, 2, "--yes", "--max-cost", "0.002")
	s.prices(strings.Replace(strings.Replace(priced, "input: 3.00", "input: 6.00", 1), "15.00", "30.00", 1))
	if got := s.buy(0, 2, "--yes"); !strings.Contains(got.err, "0.0042 USD are spent already") {
		t.Errorf("%s", got.err)
	}
	res := s.result("latest")
	if res.Accounts[0].Models[0].Spent != 2*call || res.Accounts[1].Models[0].Spent != 4*call || res.Servers[0].Cost.Exact != 8*call {
		t.Errorf("%+v, %+v", res.Accounts, res.Servers[0].Cost)
	}
	if text := strings.Join(strings.Fields(s.want(0, "result", "latest").out), " "); !strings.Contains(text, "Earlier sessions had other prices. The run itself charged 0.0063 USD") {
		t.Errorf("not said in\n%s", text)
	}
}

// TestRefusedBeforeItIsPaid: a run that cannot be taken up is refused without anybody being asked for money.
func TestRefusedBeforeItIsPaid(t *testing.T) {
	t.Parallel()
	s := newShop(t, benchOf{items: 4}, nil)
	s.buy(3, 1, "--yes", "--max-cost", "0.001")
	s.write(benchOf{items: 4, output: 63})
	if got := s.buy(2, 0); strings.Contains(got.err, "costs money") || !strings.Contains(got.err, "cannot be resumed") {
		t.Errorf("%s", got.err)
	}
}

// TestMaxCostFinishesWhatIsUnderWay: calls that are under way when the limit is reached have been paid for: they are waited
// for and kept, and none is begun any more.
func TestMaxCostFinishesWhatIsUnderWay(t *testing.T) {
	t.Parallel()
	var first atomic.Bool
	s := newShop(t, benchOf{items: 40}, func(string, int) modeltest.MockReply {
		reply := right()
		if first.Swap(true) {
			reply.Delay = 300 * 1e6 // until long after the first one has reached the limit
		}
		return reply
	})
	got := s.want(3, "run", "./bench", "--unproven", "--model", s.model, "--concurrency", "4", "--yes", "--max-cost", "0.001")
	if !strings.Contains(got.err, "is reached") {
		t.Errorf("%s", got.err)
	}
	sent := len(s.script.requests(false))
	res := s.result("latest")
	if sent < 2 || sent > 5 || res.Attempts.Answered != sent {
		t.Errorf("%d calls were made, and %d answers are on record", sent, res.Attempts.Answered)
	}
	if sum, calls, _ := spent(res); calls != sent || sum != price.Amount(sent)*call {
		t.Errorf("%s in %d calls, and %d were made", sum, calls, sent)
	}
}

// TestMaxCostBeginsNoCall: attempts that wait when the limit is reached, for their next try or for a busy server to take more
// calls, are left for another session.
func TestMaxCostBeginsNoCall(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var reached time.Time
	late := 0
	s := newShop(t, benchOf{items: 12}, func(item string, _ int) modeltest.MockReply {
		mu.Lock()
		defer mu.Unlock()
		reply := right()
		if item == itemName(0) {
			reply.Delay = 200 * time.Millisecond
			reached = time.Now().Add(reply.Delay)
			return reply
		}
		if !reached.IsZero() && time.Since(reached) > 100*time.Millisecond {
			late++
			return reply
		}
		reply.Fault = "429-bare"
		return reply
	})
	s.pace.Retry = run.Retry{Base: time.Second, Max: time.Second}
	begun := time.Now()
	s.want(3, "run", "./bench", "--unproven", "--model", s.model, "--concurrency", "4", "--yes", "--max-cost", "0.001")
	if took := time.Since(begun); late > 0 {
		t.Errorf("%d calls were begun after the limit was reached, in %v", late, took)
	}
	if res := s.result("latest"); res.Attempts.Answered != 1 {
		t.Errorf("%+v", res.Attempts.Counts)
	}
}
