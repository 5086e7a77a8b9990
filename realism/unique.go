package realism

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/assaybench/assay/evidence"
	"github.com/assaybench/assay/realism/wording"
)

// A file is another one's copy when their bytes are equal, or when what is left of both is equal or nearly so once that is
// taken away by which copies are told apart: the task's own names, marks of when and where a file was made, lines at its ends
// that carry nothing else, and columns that hold one value throughout.

// nearly is from what share of common windows or rows on, of 100, two files are one with salt.
const nearly = 90

var volatile = regexp.MustCompile(`(?i)^\W*(?:generated|exported|printed|created|produced|retrieved|downloaded|checksum|digest|sha-?256|page \d+|copy \d+|document (?:id|no|number)|doc(?:ument)?[ .-]*(?:id|no)|export id|file id|watermark|uuid|request id|trace id|confidential|internal use|©|copyright)\b`)

// normal is a file without what copies differ by.
type normal struct {
	task, path string
	class      string // table or text: the two are never compared
	parts      map[string]bool
	title      string
}

func (s *Subject) normalForm(f file, identities []string) normal {
	n := normal{task: s.ID, path: s.where(f.File), class: "text", parts: map[string]bool{}, title: f.Title}
	if f.Doc == nil {
		n.parts[f.SHA256] = true
		return n
	}
	if len(f.Doc.Sheets) > 0 {
		n.class = "table"
		for _, sh := range f.Doc.Sheets {
			for _, row := range varying(sh) {
				n.parts[row] = true
			}
		}
		return n
	}
	var kept []string
	for line := range strings.Lines(f.Doc.Text) {
		if !volatile.MatchString(line) {
			kept = append(kept, line)
		}
	}
	words := wording.Words(wording.Without(strings.Join(kept, ""), identities))
	n.parts = wording.Shingles(words, wording.Window)
	return n
}

// varying gives a sheet's rows without the columns that hold one value in all of them.
func varying(sh evidence.Sheet) []string {
	if len(sh.Rows) < 2 {
		return nil
	}
	wide := 0
	for _, r := range sh.Rows {
		wide = max(wide, len(r))
	}
	at := func(r []string, c int) string {
		if c < len(r) {
			return strings.TrimSpace(r[c])
		}
		return ""
	}
	var keep []int
	for c := range wide {
		same := len(sh.Rows) > 2
		for _, r := range sh.Rows[2:] {
			same = same && at(r, c) == at(sh.Rows[1], c)
		}
		if !same {
			keep = append(keep, c)
		}
	}
	var head []string
	for _, c := range keep {
		head = append(head, strings.ToLower(at(sh.Rows[0], c)))
	}
	out := []string{"\x1e" + strings.Join(head, "\x1f")}
	for _, r := range sh.Rows[1:] {
		var cells []string
		for _, c := range keep {
			cells = append(cells, strings.ToLower(at(r, c)))
		}
		out = append(out, strings.Join(cells, "\x1f"))
	}
	return out
}

// copyOf says whether two files are one with salt.
func copyOf(a, b *normal) bool {
	if a.class != b.class || len(a.parts) == 0 || len(b.parts) == 0 {
		return false
	}
	small, large := a, b
	if len(b.parts) < len(a.parts) {
		small, large = b, a
	}
	if 100*len(small.parts) < nearly*len(large.parts) {
		return false // too different in size to share enough
	}
	both := 0
	for k := range small.parts {
		if large.parts[k] {
			both++
		}
	}
	return 100*both >= nearly*(len(small.parts)+len(large.parts)-both)
}

func uniqueRow(ctx context.Context, r *Release, l Leaf) Row {
	if l.Value == false {
		return allowed(nil)
	}
	bytes := map[string]string{}
	var all []normal
	var ev []Evidence
	for _, s := range r.Tasks {
		ids := []string{s.ID, s.Public.Title, s.Public.User}
		for _, h := range s.Public.Handles {
			ids = append(ids, h.Value)
		}
		for _, f := range s.files() {
			if err := context.Cause(ctx); err != nil {
				return unmeasured("interrupted")
			}
			where := s.where(f.File)
			if first, ok := bytes[f.SHA256]; ok {
				ev = append(ev, Evidence{Task: s.ID, File: where, Note: "the same bytes as " + first})
				continue
			}
			bytes[f.SHA256] = where
			n := s.normalForm(f, ids)
			if i := slices.IndexFunc(all, func(o normal) bool { return copyOf(&o, &n) }); i >= 0 {
				ev = append(ev, Evidence{Task: s.ID, File: where, Note: "all but the same as " + all[i].path + " once names, footers and columns of one value are taken away"})
			}
			all = append(all, n)
		}
	}
	total := len(bytes)
	if total == 0 {
		return judged(false, map[string]any{"files": 0, "copies": 0}, "there is no file")
	}
	return judged(len(ev) == 0, map[string]any{"files": total, "copies": len(ev)}, fmt.Sprintf("%d files of %s are copies", len(ev), counted(total, "different file")), ev...)
}
