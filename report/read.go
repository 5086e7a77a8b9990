package report

import (
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Read takes what JSON wrote. own are the letters of the bench's shape. What JSON leaves out follows from the figures, so that
// the text of the results can be made from their JSON alone.
func Read(b []byte, own []Meaning) (*Result, error) {
	var r Result
	if err := json.Unmarshal(b, &r, json.RejectUnknownMembers(true), jsontext.AllowInvalidUTF8(true)); err != nil {
		return nil, fmt.Errorf("these are no results: %w", err)
	}
	for _, f := range r.Figures {
		r.repeats = max(r.repeats, f.Repeats)
		for i, basis := range bases {
			if basis == f.Basis {
				r.items[i] = max(r.items[i], f.Items)
			}
		}
	}
	r.explainLetters(own)
	return &r, nil
}
