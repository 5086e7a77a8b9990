// Package supply reads data for `external` declarations from JSON: an object whose keys are PREMISE.word, or word for the
// word of any premise, and whose values are {"dates" or "instants", "covering", "asof", "labels"}.
package supply

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/assaybench/assay/kairos"
)

// Parse reads a file of data. Every entry must have the shape of one, whether a program asks for it or not; what the data
// say is checked against a program's declaration when it asks. An absent key is the error supply.missing-key. Origin names
// the file in errors.
func Parse(data []byte, origin string) (kairos.Supplier, error) {
	var raw map[string]jsontext.Value
	if err := object(data, &raw); err != nil {
		return nil, fmt.Errorf("%s: %w; it must be an object of PREMISE.word: {dates or instants, covering, asof}", origin, err)
	}
	entries := map[string]*kairos.ExternalData{}
	for _, key := range slices.Sorted(maps.Keys(raw)) {
		e, err := entry(raw[key])
		if err != nil {
			return nil, fmt.Errorf("%s: %q: %w", origin, key, err)
		}
		entries[key] = e
	}
	return func(premise, word string, _ kairos.ExternalDecl) (*kairos.ExternalData, error) {
		if e, ok := find(entries, premise, word); ok {
			return e, nil
		}
		return nil, kairos.MissingKey(origin, premise, word)
	}, nil
}

func find[T any](entries map[string]T, premise, word string) (T, bool) {
	e, ok := entries[premise+"."+word]
	if !ok {
		e, ok = entries[word]
	}
	return e, ok
}

func object(data []byte, into *map[string]jsontext.Value) error {
	if err := json.Unmarshal(data, into); err != nil {
		return brief(err)
	}
	if *into == nil {
		return errors.New("null is no object")
	}
	return nil
}

// brief leaves the reader's own name out of its errors.
func brief(err error) error {
	if s, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		return fmt.Errorf("not JSON: %w, at byte %d", s.Err, s.ByteOffset)
	}
	if s, ok := errors.AsType[*json.SemanticError](err); ok {
		return fmt.Errorf("a %s stands at byte %d where something else should", s.JSONKind, s.ByteOffset)
	}
	return err
}

// entry reads one entry and wants all of its parts.
func entry(data jsontext.Value) (*kairos.ExternalData, error) {
	var raw map[string]jsontext.Value
	if err := object(data, &raw); err != nil {
		return nil, fmt.Errorf("%w; it must be an object {dates or instants, covering, asof}", err)
	}
	dates, hasDates := raw["dates"]
	instants, hasInstants := raw["instants"]
	if hasDates == hasInstants {
		return nil, errors.New(`it must have one of "dates" and "instants"`)
	}
	e := &kairos.ExternalData{}
	if json.Unmarshal(raw["covering"], &e.Covering) != nil || e.Covering == "" {
		return nil, errors.New(`"covering" must be a text such as "2026..2026"`)
	}
	if json.Unmarshal(raw["asof"], &e.AsOf) != nil || e.AsOf == "" {
		return nil, errors.New(`"asof" must be a text that says how old the data are, such as "2026-01-15"`)
	}
	if hasDates {
		if json.Unmarshal(dates, &e.Dates) != nil || e.Dates == nil || hasNull(dates) {
			return nil, errors.New(`"dates" must be a list of texts "YYYY-MM-DD"`)
		}
	} else if json.Unmarshal(instants, &e.Instants) != nil || e.Instants == nil || hasNull(instants) {
		return nil, errors.New(`"instants" must be a list of numbers, milliseconds since 1970-01-01T00:00Z`)
	}
	if labels, ok := raw["labels"]; ok && (json.Unmarshal(labels, &e.Labels) != nil || e.Labels == nil || hasNull(labels)) {
		return nil, errors.New(`"labels" must be a list of texts`)
	}
	return e, nil
}

// hasNull says whether a list has an element null, which reading it into a Go slice would take for a zero.
func hasNull(list jsontext.Value) bool {
	for d := jsontext.NewDecoder(bytes.NewReader(list)); ; {
		switch t, err := d.ReadToken(); {
		case err == io.EOF:
			return false
		case err != nil || t.Kind() == 'n':
			return true
		}
	}
}

// lax is an entry as conformance suites write them: parts may be absent, so that the evaluation's own checks are reached.
type lax struct {
	Dates     []string  `json:"dates"`
	Instants  []float64 `json:"instants"`
	Covering  string    `json:"covering"`
	AsOf      string    `json:"asof"`
	Labels    []string  `json:"labels"`
	Throw     *thrown   `json:"$throw"`
	Undefined bool      `json:"$undefined"`
}

type thrown struct {
	Message string `json:"message"`
}

// Lax reads the same object with less asked of it: an entry may lack parts, {"$throw": {"message": "m"}} stands for a
// supplier that fails with m, and {"$undefined": true}, like an absent key, for one that has nothing.
func Lax(data []byte) (kairos.Supplier, error) {
	var entries map[string]lax
	if err := json.Unmarshal(data, &entries); err != nil {
		return nil, brief(err)
	}
	return func(premise, word string, _ kairos.ExternalDecl) (*kairos.ExternalData, error) {
		e, ok := find(entries, premise, word)
		switch {
		case !ok || e.Undefined:
			return nil, nil
		case e.Throw != nil:
			return nil, errors.New(e.Throw.Message)
		}
		return &kairos.ExternalData{Dates: e.Dates, Instants: e.Instants, Covering: e.Covering, AsOf: e.AsOf, Labels: e.Labels}, nil
	}, nil
}
