package contract

import "github.com/assaybench/assay/contract/exact"

// AnswerKeys gives what each graded field of the answer must be, as a text that is equal where the values are. Fields whose
// value an episode makes itself, such as a new record's id, are left out. It is for holding tasks against each other.
func (c *Contract) AnswerKeys(x *Expected) map[string]string {
	out := map[string]string{}
	s := &scope{x: x, calls: map[string]*call{}}
	for _, r := range c.Answer {
		switch {
		case r.Term != nil:
			if v, ok := s.resolve(*r.Term); ok {
				out[r.Field.Name] = string(r.Field.Type) + " " + exact.Text(v.json)
			}
		case r.None:
			out[r.Field.Name] = string(r.Field.Type) + " none"
		}
	}
	if d := c.Decision; d != nil && d.Answer != "" {
		out[d.Answer] = "option " + x.Chosen
	}
	return out
}
