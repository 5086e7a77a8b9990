package premise

import (
	"context"
	"strings"
)

// Repairs is how often a model may mend a reply that is not validated.
const Repairs = 2

// Again says what a model is told after a reply that is not validated, while it may still mend it.
func (s *Set) Again(ctx context.Context, item string, earlier int, answer string) (told string, again bool, err error) {
	p, err := s.Problem(item)
	if err != nil || earlier >= Repairs {
		return "", false, err
	}
	j, err := s.judge(ctx, p, answer)
	if err != nil || j.invalid == nil {
		return "", false, err
	}
	diagnostic := oneLine(j.invalid.in(s.spec.language))
	return strings.ReplaceAll(s.spec.repair, "{diagnostic}", clip(diagnostic, diagnosticMost)), true, nil
}

// diagnosticMost is how many characters of a diagnostic a model is told.
const diagnosticMost = 2000

// Replies is how many replies an attempt can take, and told how many bytes Again tells of one at the most.
func (s *Set) Replies() (most, told int) {
	const widest = 4 // bytes of a character; one more says that the rest was cut
	return 1 + Repairs, len(s.spec.repair) + strings.Count(s.spec.repair, "{diagnostic}")*(diagnosticMost+1)*widest
}
