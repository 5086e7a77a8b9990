package bench

// Claims are what a bench of some shape shows of itself without a model, beside the verdicts on its controls: that its own
// parts agree with each other.
type Claims struct {
	Counts   []Claim
	Faults   []ClaimFault
	Warnings []string
	// Moot are, by item, the controls about which nothing can be said while a fault above stands: they are judged by what is
	// wrong. The item's generated answers are made of the first control to accept, and are moot with it.
	Moot map[string][]string
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

// MootOf gives the moot controls of an item. It takes a nil receiver, which is that of a bench that claims nothing.
func (c *Claims) MootOf(item string) []string {
	if c == nil {
		return nil
	}
	return c.Moot[item]
}
