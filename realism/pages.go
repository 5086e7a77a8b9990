package realism

import "context"

// pages fills what a report shows of each task and of each pair.
func (r *Release) pages(ctx context.Context, rep *Report) error {
	for _, s := range r.Tasks {
		if err := context.Cause(ctx); err != nil {
			return err
		}
		rep.Pages = append(rep.Pages, TaskPage{Task: s.ID, Title: s.Public.Title, Request: []Segment{{Text: s.Public.Request}},
			Reads: []Read{}, Hops: []Hop{}, Controls: []ControlRow{}, Leaks: []Evidence{}, Files: []FileFact{}})
	}
	return nil
}
