package bench

// Claims are what a bench of some shape shows of itself without a model, beside the verdicts on its controls: that its own
// parts agree with each other.
type Claims struct {
	Counts   []Claim
	Faults   []ClaimFault
	Warnings []string
}

// Claim is one thing of which there are many: "21/21 problems".
type Claim struct {
	Name string // as JSON names it: {"problems": 21, "problems_ok": 21}
	Says string // as people read it behind the two numbers
	OK   int
	Of   int
}

// ClaimFault is one claim that does not hold. Control is "" where it is not of a control.
type ClaimFault struct{ Item, Control, Msg, Place string }
