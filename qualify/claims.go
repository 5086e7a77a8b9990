package qualify

import "github.com/assaybench/assay/bench"

// claims takes what the bench's shape shows of itself. A control that the common check has found fault with already keeps
// its one line, with the shape's words behind it.
func (r *Report) claims(c *bench.Claims) {
	r.Claims, r.Shown = c.Counts, map[string]int{}
	for _, n := range c.Counts {
		r.Shown[n.Name+"_ok"] = n.OK
		if n.Name != "controls" { // the report counts them itself
			r.Shown[n.Name] = n.Of
		}
	}
	told := map[[2]string]int{}
	for i, f := range r.Faults {
		if f.Control != "" {
			told[[2]string{f.Item, f.Control}] = i
		}
	}
	for _, f := range c.Faults {
		if i, ok := told[[2]string{f.Item, f.Control}]; ok && f.Control != "" {
			r.Faults[i].Msg += "; " + f.Msg
			continue
		}
		r.Faults = append(r.Faults, Fault{Item: f.Item, Control: f.Control, Kind: "self-check", Msg: f.Msg, Place: f.Place})
	}
	r.Warnings = append(r.Warnings, c.Warnings...)
}
