package report

import (
	"fmt"
	"strings"
	"time"

	"github.com/assaybench/assay/contention"
)

// Watched is what one session of a run did to services beside it, and they to it. Exactly one of Document and Unread is set.
type Watched struct {
	Taken    time.Time            `json:"taken"`
	Model    string               `json:"model"` // whose speed was measured; "" for none
	Document *contention.Document `json:"document"`
	Unread   string               `json:"unread,omitzero"` // why the document cannot be shown, one line
}

const contentionTitle = "Contention: the run and what was beside it"

// quiet reports whether nothing was watched and nothing flagged: then two sentences are enough.
func quiet(d *contention.Document) bool {
	return len(d.Services) == 0 && (d.Flagged == nil || d.Flagged.TimedOut == 0)
}

// watchedLines are the contention documents in words, under a line for each session where there are several.
func (r *Result) watchedLines() []string {
	var out []string
	for i := range r.Contention {
		w := &r.Contention[i]
		if len(r.Contention) > 1 {
			out = append(out, w.head(i))
		}
		switch {
		case w.Document == nil:
			out = append(out, "not shown: "+Printable(w.Unread))
		case quiet(w.Document):
			out = append(out, w.Document.Summary()...)
		default:
			out = append(out, w.Document.Lines()...)
		}
	}
	return out
}

func (w *Watched) head(i int) string {
	s := fmt.Sprintf("session %d", i+1)
	if w.Model != "" {
		s += ", " + Printable(w.Model)
	}
	if d := w.Document; d != nil {
		s += fmt.Sprintf(", %s to %s UTC", d.Started.UTC().Format(time.DateTime), d.Ended.UTC().Format(time.DateTime))
	}
	return s + ":"
}

// watchedMarkdown is the same as Markdown. The documents escape what is theirs.
func (r *Result) watchedMarkdown(b *strings.Builder) {
	if len(r.Contention) == 0 {
		return
	}
	fmt.Fprintf(b, "\n## %s\n", md(contentionTitle))
	for i := range r.Contention {
		w := &r.Contention[i]
		if len(r.Contention) > 1 {
			fmt.Fprintf(b, "\n### Session %d\n", i+1)
		}
		b.WriteByte('\n')
		switch {
		case w.Document == nil:
			fmt.Fprintf(b, "- not shown: %s\n", md(w.Unread))
		case quiet(w.Document):
			for _, s := range w.Document.Summary() {
				fmt.Fprintf(b, "- %s\n", md(s))
			}
		default:
			for _, l := range w.Document.Markdown(4) {
				b.WriteString(l + "\n")
			}
		}
	}
}
