package record

import "github.com/go-json-experiment/json/jsontext"

// Episode is what the world recorded of an attempt at an agent task: all that a contract's judge needs, so that it can be
// judged again from here alone.
type Episode struct {
	Session string         `json:"session"`
	World   string         `json:"world"`           // its id
	Task    string         `json:"task"`            //
	Seed    string         `json:"seed"`            // SHA-256 of the database that it began as
	Rules   string         `json:"rules,omitempty"` // digest of the world's and the task's definition that it was worked under
	Events  jsontext.Value `json:"events"`          // a JSON array, each element as package world writes events
	Changes jsontext.Value `json:"changes"`         // the difference between the baseline and the end, row by row
	State   string         `json:"state"`           // SHA-256 of the state at the end
	Ended   string         `json:"ended"`           // answer, silent, or the limit that was reached
	Sealed  bool           `json:"sealed"`          // false: the agent could have seen the sealed part; never ranked
	Agent   string         `json:"agent,omitempty"` // a program from outside; "" for the loop over a model
}
