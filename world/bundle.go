package world

import (
	"context"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/assaybench/assay/record"
)

// Bundle takes what is judged out of a session: its events, what they changed, and the digest of the state at the end.
// A session in memory is sealed until somebody lets a program in who could see more than the world shows; of one in a file, which
// anybody may have served to anything, that is not known, and so it is not.
// All of it is of one moment, so that calls which go on meanwhile are in it whole or not at all. The error is ours: the store failed, or the state is not what the events made of it.
func Bundle(ctx context.Context, s *Session, ended string) (*record.Episode, error) {
	m, err := s.moment(ctx)
	if err != nil {
		return nil, err
	}
	ep := &record.Episode{Session: s.ID(), World: s.World().ID, Task: s.Task().ID, Seed: s.SeedDigest(), Ended: ended, Sealed: s.file == "",
		Rules: s.World().Definition(Spec{Task: s.task, Staged: s.staged})}
	if ep.Changes, err = canonicalValue(m.changes); err != nil {
		return nil, err
	}
	if m.same {
		ep.State, err = s.seed.state()
	} else { // the changes are all that the state differs from the seed by
		ep.State, err = s.seed.left.of(ep.Changes, func() (string, error) { return StateDigest(m.state) })
	}
	if err != nil {
		return nil, err
	}
	b := []byte{'['}
	for i, e := range m.events {
		if i > 0 {
			b = append(b, ',')
		}
		line, err := e.Canonical()
		if err != nil {
			return nil, err
		}
		b = append(b, line...)
	}
	ep.Events = append(b, ']')
	return ep, nil
}

func canonicalValue(v any) (jsontext.Value, error) {
	b, err := record.Canonical(v)
	return b, err
}
