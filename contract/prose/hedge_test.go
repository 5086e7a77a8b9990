package prose

import (
	"math/big"
	"testing"

	"github.com/assaybench/assay/contract/derive"
)

func TestHedged(t *testing.T) {
	day, ok := derive.ParseDay("2034-05-16")
	if !ok {
		t.Fatal("no day")
	}
	number := Fact{Text: "5", Number: big.NewRat(5, 1)}
	date := Fact{Text: "2034-05-16", Day: &day}
	id := Fact{Text: "BK-0001"}
	for _, c := range []struct {
		fact Fact
		text string
		want bool // it is stated
	}{
		{number, "We are short of 5 ropes until the lorry has come.", true},
		{number, "We are short of 5 or 6 ropes until the lorry has come.", false},
		{number, "We are short of 4, 5, 6 or 7 ropes until the lorry has come.", false},
		{number, "We are short of 4 ropes or 5 ropes until the lorry has come.", false},
		{number, "We are short of either five or possibly six ropes until then.", false},
		{number, "We are short of 5/6 ropes until the lorry has come.", false},
		{number, "We are short of 5 or more ropes until the lorry has come.", true},
		{number, "We are short of 5 ropes, or so I am told by the stores.", true},
		{number, "We are short of 5 ropes and have 7 in the stores.", true},
		{number, "We need 12 ropes, we have 7, so we are short of 5 ropes.", true},
		{number, "We are short of 5 ropes. It is 6 or 7 days until they come.", true},
		{number, "Tell me by 3 or 4 whether 5 ropes can be had at the yard.", true},
		{number, "We could be short of 5 or 6 ropes. In the end we are short of 5 ropes.", true},
		{date, "Your vessel comes onto the slip on 16 May 2034, as you asked.", true},
		{date, "Your vessel comes onto the slip on 16 May or 17 May 2034, as you asked.", false},
		{date, "Your vessel comes onto the slip either on the 9th or on 16 May 2034.", false},
		{date, "Your vessel comes onto the slip on 2034-05-16 or 2034-05-09.", false},
		{date, "Your vessel comes onto the slip on 16 May 2034, and not on 9 or 11 May.", true},
		{date, "It comes onto the slip on 16 May 2034 at 8 or 9 in the morning.", true},
		{id, "The booking is BK-0001 and you will find it in the list.", true},
		{id, "The booking is BK-0001 or BK-0002 and you will find it in the list.", false},
		{id, "The booking is BK-0002/BK-0001 and you will find it in the list.", false},
		{id, "The booking is BK-0001 for lot LT-8 or LT-9 in the list.", true},
	} {
		s := Look(Prepare(c.text), c.fact, []Fact{c.fact})
		if s.Count == 0 || s.Asserted != c.want {
			t.Errorf("%q: %s is stated: %v, want %v (%+v)", c.text, c.fact.Text, s.Asserted, c.want, s)
		}
	}
}
