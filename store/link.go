package store

import "context"

// FlagPrivate marks the run of a private set. Of what it asked and what was answered only counts and the letters of items
// are ever shown.
const FlagPrivate = "private"

// FlagSealed marks a run on a bench of agent tasks whose program was sealed off. A program of a run without it could have seen
// the sealed part, and is never ranked.
const FlagSealed = "agent-sealed"

// Link joins the run of a bench with that of a private set behind the same prompt. Both runs keep it.
type Link struct {
	Main    string `json:"main"`    // the runs' ids
	Private string `json:"private"` //
	File    string `json:"file"`    // the private set's, as the user named it
}

// Links lists the links of a run, oldest first.
func Links(ctx context.Context, s Store, r *Run) ([]Link, error) {
	facts, err := s.Facts(ctx, r, FactLink)
	if err != nil {
		return nil, err
	}
	var out []Link
	for i := range facts {
		var l Link
		if err := facts[i].Decode(&l); err != nil {
			return nil, err
		}
		out = append(out, l)
	}
	return out, nil
}
