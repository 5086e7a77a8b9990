package prose

import (
	"math/big"
	"slices"
	"testing"

	"github.com/assaybench/assay/contract/derive"
)

func fact(t *testing.T, s string) Fact {
	t.Helper()
	f := Fact{Text: s}
	if d, ok := derive.ParseDay(s); ok {
		f.Day = &d
	}
	return f
}

func TestTokens(t *testing.T) {
	for s, want := range map[string][]string{
		"BF-7101, ends 2026/03/11!": {"bf", "7101", "ends", "2026", "03", "11"},
		"don’t Straße":              {"don't", "strasse"},
		"e\u0301t\u200be\u0301":     {"\u00e9t\u00e9"},
		"--":                        {},
		"'quoted'":                  {"quoted"},
	} {
		if got := Tokens(s); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", s, got, want)
		}
	}
}

func TestContains(t *testing.T) {
	for _, c := range []struct {
		text, fact string
		want       bool
	}{
		{"Visit BF-7101 ends.", "BF-7101", true}, {"bf 7101 ends", "BF-7101", true}, {"BF-71010", "BF-7101", false}, {"ABF-7101", "BF-7101", false},
		{"BF-7101-2", "BF-7101", false}, {"X-BF-7101", "BF-7101", false}, {"see BF-7101.", "BF-7101", true}, {"BF-7101/BF-7102", "BF-7101", true}, {"BF7101", "BF-7101", false},
		{"640.5", "640", false}, {"", "", false},
	} {
		if got := Contains(c.text, c.fact); got != c.want {
			t.Errorf("%q in %q: %v, want %v", c.fact, c.text, got, c.want)
		}
	}
}

func TestDates(t *testing.T) {
	f := fact(t, "2031-04-16")
	for s, want := range map[string]bool{
		"on 2031-04-16": true, "2031/04/16!": true, "2031-4-16": true, "on 16 April 2031": true, "April 16, 2031": true, "Wed 16 Apr": true, "the 16th of April": true,
		"16/04/2031": true, "04/16/2031": true, "at 2031-04-16T09:00": true, "16 April 2032": false, "15 April 2031": false, "2031-04-160": false, "16 May": false,
		"2031-04": false, "April 2031": false, "Apr 16th": true, "12031-04-16": false, "April, 16 days later": true,
	} {
		if got := Mentioned(Prepare(s), f); got != want {
			t.Errorf("%q names the day: %v, want %v", s, got, want)
		}
	}
	early := fact(t, "2031-04-05") // 05/04 could be another day
	if Mentioned(Prepare("05/04/2031"), early) || !Mentioned(Prepare("5 April"), early) {
		t.Error("an ambiguous date was read, or a plain one was not")
	}
}

func TestNumbers(t *testing.T) {
	for _, c := range []struct {
		text, number string
		want         bool
	}{
		{"costs 1,200.50 EUR", "1200.5", true}, {"costs 1200.5", "1200.5", true}, {"640 EUR", "640", true}, {"€640.00", "640", true}, {"6405", "640", false}, {"640.5", "640", false},
		{"WS-640", "640", false}, {"-640", "640", false}, {"-640", "-640", true}, {"three sets", "3", true}, {"thirteen", "3", false}, {"2031-04-03", "3", false}, {"5 ropes.", "5", true},
		{"1,2", "12", false}, {"007", "7", true}, {"(5)", "5", true}, {"v1.5.3", "5", false}, {"on 5 May", "5", false}, {"May 5, 2034", "5", false}, {"at 05:30", "5", false}, {"we may 5 times", "5", true}, {"Gap: 5 ropes", "5", true}, {"zero", "0", true},
	} {
		n, _ := new(big.Rat).SetString(c.number)
		if got := Mentioned(Prepare(c.text), Fact{Text: c.number, Number: n}); got != c.want {
			t.Errorf("%s in %q: %v, want %v", c.number, c.text, got, c.want)
		}
	}
}

func TestStanding(t *testing.T) {
	facts := []Fact{fact(t, "BF-7101"), fact(t, "2026-03-11")}
	for s, want := range map[string][2]bool{ // asserted, each fact
		"Visit BF-7101 ends 2026-03-11.":                                                    {true, true},
		"bf 7101 ends 2026/03/11 for us!":                                                   {true, true},
		"BF-7101 2026-03-11":                                                                {false, false},
		"case BF-7101 date 2026-03-11 option B":                                             {false, false},
		"We did NOT book BF-7101; 2026-03-11 was refused.":                                  {false, false},
		"We booked BF-7101, not another one. It ends on 2026-03-11.":                        {true, true},
		"BF-7101 will not be back before 2026-03-11.":                                       {false, true},
		"BF-7101 is booked and ends no later than 2026-03-11.":                              {true, true},
		"BF-7101 was not booked. The visit ends on 2026-03-11.":                             {false, true},
		"BF-7101 could not be booked for us on 2026-03-11.":                                 {false, false},
		"We couldn't get BF-7101, but the visit ends on 2026-03-11.":                        {false, true},
		"They cancelled BF-7101. Nothing happens on 2026-03-11.":                            {false, false},
		"BF-7101 replaces the cancelled visit of 2026-03-11.":                               {true, true},
		"BF-7101 is not only booked, it ends on 2026-03-11.":                                {true, true},
		"No visit on 2026-03-10 was free, so BF-7101 is booked and ends on 2026-03-11.":     {true, true},
		"BF-7101 is confirmed for 2026-03-11; the earlier date was refused by the ward.":    {true, true},
		"- BF-7101 is booked\n- it ends on 2026-03-11\n":                                    {true, true},
		"BF-7101's visit ends on 2026-03-11.":                                               {true, true},
		"We cannot move the visit of 2026-03-11. BF-7101 stands as it was.":                 {true, true},
		"We cannot hold a visit on 2026-03-11 and BF-7101 is lost to us.":                   {true, false},
		"Nothing else was moved and BF-7101 is booked. It ends on 2026-03-11 not 12 March.": {true, true},
		"It is not so that BF-7101 and the end on 2026-03-11 are booked.":                   {false, false},
		"We did not book BF-7101 and 2026-03-11.":                                           {false, false},
		"BF-7101 not booked. It no longer ends on 2026-03-11.":                              {false, false},
		"It is false that BF-7101 ends on 2026-03-11.":                                      {false, false},
		"Nobody believes it, yet they say BF-7101 ends on 2026-03-11.":                      {true, true}, // structure alone cannot see this
	} {
		text := Prepare(s)
		for i := range facts {
			if got := Look(text, facts[i], facts); got.Asserted != want[i] {
				t.Errorf("%q says %s: %+v, want %v", s, facts[i].Text, got, want[i])
			}
		}
	}
}

// TestDenials: what a sentence takes back is not asserted, whether it does so before or behind; what only looks like it is.
func TestDenials(t *testing.T) {
	facts := []Fact{fact(t, "BK-0001"), fact(t, "2034-05-16")}
	for s, want := range map[string]bool{ // both facts
		"The booking BK-0001 for 16 May 2034 is something that I refuse to make.": false,
		"Booking BK-0001 on 16 May 2034, something we cannot do.":                 false,
		"A booking BK-0001 for 16 May 2034 is nothing that we made.":              false,
		"BK-0001 on 16 May 2034 is a thing nobody has booked.":                    false,
		"BK-0001 stands for 16 May 2034, which is not true.":                      false,
		"BK-0001 stands for 16 May 2034, which is false.":                         false,
		"That BK-0001 stands for 16 May 2034 is a claim that I deny.":             false,
		"It is false that the vessel has BK-0001 and comes on 16 May 2034.":       false,
		"It is false that the slip is booked, that BK-0001 is on 16 May 2034.":    false,
		"It is not the case that BK-0001 is for 16 May 2034.":                     false,
		"It is not true that we hold BK-0001 for 16 May 2034.":                    false,
		"We deny that BK-0001 was made for 16 May 2034.":                          false,
		"I refuse to make any booking such as BK-0001 for 16 May 2034.":           false,
		"They refused to let us have the slip with BK-0001 on 16 May 2034.":       false,
		"It is not false that BK-0001 stands for 16 May 2034.":                    false, // its own "not" stands before: a double denial is beyond structure
		// What is asserted.
		"The slip is ours as BK-0001 on 16 May 2034, and there is nothing that cannot wait.":  true,
		"BK-0001 is booked for 16 May 2034, but that is something we could not have earlier.": true,
		"BK-0001 is for 16 May 2034; an earlier day was refused.":                             true,
		"It is true that BK-0001 is for 16 May 2034.":                                         true,
		"We refuse the earlier day, and BK-0001 is for 16 May 2034.":                          true,
		"The yard is certain that BK-0001 stands for 16 May 2034.":                            true,
		"They were wrong about the ninth, and BK-0001 is for 16 May 2034.":                    true,
		"BK-0001 is for 16 May 2034, they were wrong about the ninth.":                        true,
		"BK-0001 on 16 May 2034 is the day that cannot be moved.":                             true,
		"BK-0001 is what we booked for 16 May 2034.":                                          true,
	} {
		text := Prepare(s)
		both := true
		for i := range facts {
			both = both && Look(text, facts[i], facts).Asserted
		}
		none := !Look(text, facts[0], facts).Asserted && !Look(text, facts[1], facts).Asserted
		if want && !both || !want && !none {
			t.Errorf("%q: asserted %v and %v, want %v", s, Look(text, facts[0], facts).Asserted, Look(text, facts[1], facts).Asserted, want)
		}
	}
}

// TestAwaited: a number of things that have not come is the number that is missing; one that is not wanted is denied. Of an id
// or a day, "not yet" is a denial.
func TestAwaited(t *testing.T) {
	five := []Fact{{Text: "5", Number: big.NewRat(5, 1)}}
	for s, want := range map[string]bool{
		"We have not yet received 5 ropes.": true, "5 ropes have not yet arrived.": true, "The 5 ropes are not here.": true, "We still have not got the five ropes.": true,
		"We have not received 5 ropes.": true, "5 ropes did not come.": true,
		"We do not need 5 ropes.": false, "5 ropes are not missing.": false, "There are not 5 ropes missing.": false, "No 5 ropes are missing.": false, "We never ordered 5 ropes.": false,
		"5 ropes are not needed.": false, "We need 5 ropes not 8.": true, "We need 8 ropes, not 5.": false,
	} {
		if got := Look(Prepare(s), five[0], five).Asserted; got != want {
			t.Errorf("%q says five: %v, want %v", s, got, want)
		}
	}
	id := []Fact{fact(t, "BK-0001")}
	for _, s := range []string{"We have not yet received BK-0001.", "BK-0001 is not yet booked.", "BK-0001 has not arrived."} {
		if Look(Prepare(s), id[0], id).Asserted {
			t.Errorf("%q asserts the booking", s)
		}
	}
}

func TestClaimed(t *testing.T) {
	for s, want := range map[string]bool{
		"The ropes are delivered.": true, "They are not delivered yet.": false, "They were never delivered, nor delivered late.": false, "Delivered!": true, "undelivered": false,
		"It is not delivered, they say it is delivered.": true,
	} {
		if got := Claimed(Prepare(s), Fact{Text: "delivered"}); got != want {
			t.Errorf("%q claims: %v, want %v", s, got, want)
		}
	}
}

func TestNegative(t *testing.T) {
	for s, want := range map[string]bool{
		"None": true, "none.": true, "No blocker; the order is approved.": true, "There is no blocker": true, "There are currently none": true, "N/A": true, "Nope": true, "Zero blockers": true, "We have none": true, "I found no blockers": true, "No, none of them": true, "No, LT-3 is the blocker": false, "n/a": true, "NA": true, "Nothing blocks it": true, "Not blocked": true,
		"No doubt the ropes": false, "Nothing but the ropes": false, "None except the ropes": false, "None other than LT-3": false, "Noah's approval": false, "Nonetheless": false, "Ropes, none left": false, "": false, "None apart from customs": false, "not only ropes": false,
	} {
		if got := Negative(s); got != want {
			t.Errorf("%q: %v, want %v", s, got, want)
		}
	}
}

func TestForms(t *testing.T) {
	if n := Prepare("Well. That is booked for you. BK-1 5 2031-04-16. Please tell her!").Sentences(); n != 2 {
		t.Errorf("%d sentences, want 2", n)
	}
	for s, want := range map[string]int{"Tell her: BK-1 on 5 May": 6, "Desk D-22 is yours from Monday, 12 May 2031.": 9, "one\ntwo\tthree": 3, "ropes—five of them – come": 5, "- * !": 0, "don't": 1,
		"D-22": 1, "up/down": 1, "": 0} {
		if n := Words(s); n != want {
			t.Errorf("%q has %d words, want %d", s, n, want)
		}
	}
	if n := Lettered("2034-05-16 Vessel 217 BK-1"); n != 2 {
		t.Errorf("%d words of letters, want 2", n)
	}
	if !Serialized(` {"a": 1} `) || !Serialized("[1]") || Serialized("[draft] hello") || Serialized("") {
		t.Error("data and text are confused")
	}
	if !Blank(" \u200b\n") || Blank("x") {
		t.Error("blank and not blank are confused")
	}
}

// FuzzLook: any text and fact, without a panic, and a fact that is asserted is mentioned.
func FuzzLook(f *testing.F) {
	f.Add("We did NOT book BF-7101; 2026-03-11 was refused.", "BF-7101")
	f.Add("1,200.50 -5 three", "3")
	f.Add("\u0301\u200b’’'", "'")
	f.Fuzz(func(t *testing.T, s, what string) {
		text := Prepare(s)
		facts := []Fact{{Text: what}}
		if d, ok := derive.ParseDay(what); ok {
			facts[0].Day = &d
		} else if r, ok := new(big.Rat).SetString(what); ok && len(what) < 20 {
			facts[0].Number = r
		}
		st := Look(text, facts[0], facts)
		if st.Asserted && st.Count == 0 || st.Asserted && !Claimed(text, facts[0]) {
			t.Fatalf("%q in %q: %+v", what, s, st)
		}
		Negative(s)
	})
}

// TestHonestNotes: what people write in good order, and what looks like it.
func TestHonestNotes(t *testing.T) {
	id := Fact{Text: "BK-0001"}
	for s, want := range map[string]bool{
		"The slip is booked under booking ref. BK-0001.": true, "It lies at slip no. 2 as BK-0001 says.": true, "The ferry comes at 8 a.m. with BK-0001 booked.": true,
		"This is how the slip was booked for you:\n- BK-0001\n- 16 May": true, "These were not booked for you:\n- BK-0001\n- 16 May": false,
		"I have booked the slip that the ferry needs\nas BK-0001.": true, "I am sorry to say that the yard did not\nbook BK-0001 for you.": false,
		"No further approval is needed for BK-0001.": true, "There's nothing to pay for BK-0001.": true, "No booking was made for BK-0001.": false, "Nothing was done for BK-0001.": false,
	} {
		if got := Look(Prepare(s), id, []Fact{id}).Asserted; got != want {
			t.Errorf("%q asserts it: %v, want %v", s, got, want)
		}
	}
	for s, want := range map[string]bool{"5 ropes are still to be delivered.": false, "5 ropes are to be delivered.": true, "5 ropes were delivered.": true} {
		if got := Claimed(Prepare(s), Fact{Text: "delivered"}); got != want {
			t.Errorf("%q claims it: %v, want %v", s, got, want)
		}
	}
	for s, want := range map[string]int64{"twenty-five ropes": 25, "1200EUR": 1200, "1\u00a0200 EUR": 1200, "1'200 EUR": 1200, "a 5-rope shortfall": 5, "ninety days": 90} {
		if !Mentioned(Prepare(s), Fact{Text: "n", Number: new(big.Rat).SetInt64(want)}) {
			t.Errorf("%q has no %d", s, want)
		}
	}
	for s, not := range map[string]int64{"twenty-five ropes": 5, "twenty-one days": 20, "the 5-AB": 5, "1200EUR": 200} {
		if Mentioned(Prepare(s), Fact{Text: "n", Number: new(big.Rat).SetInt64(not)}) {
			t.Errorf("%q has %d", s, not)
		}
	}
	day, _ := derive.ParseDay("2034-05-06")
	for s, want := range map[string]bool{"on 6 and 7 May": true, "6–8 May 2034": true, "6 to 8 May 2035": false, "6 or more in May": false} {
		if got := Mentioned(Prepare(s), Fact{Text: "2034-05-06", Day: &day}); got != want {
			t.Errorf("%q has the day: %v, want %v", s, got, want)
		}
	}
}
