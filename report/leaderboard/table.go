package leaderboard

import (
	"cmp"
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"

	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/report"
)

// Board is the table of one release.
type Board struct {
	Release *Release
	rows    []*Row
	refused []Refusal
}

// Table ranks rows: by the tasks that passed in every repeat, then by name. Equal counts are one rank; the gated score ranks
// nothing.
func (r *Release) Table(rows []*Row, refused []Refusal) *Board {
	b := &Board{Release: r, refused: slices.Clone(refused)}
	seen := map[[3]string]bool{}
	for _, x := range rows { // published twice, a run is still one
		k := [3]string{x.Run(), x.Model(), x.Posture()}
		if seen[k] {
			b.refused = append(b.refused, Refusal{x.Model(), x.Posture(), x.Run(), x.Publication(), []string{"the run stands on the board already"}})
			continue
		}
		seen[k] = true
		b.rows = append(b.rows, x)
	}
	slices.SortStableFunc(b.rows, func(x, y *Row) int {
		px, _, _ := x.Strict()
		py, _, _ := y.Strict()
		return cmp.Or(py-px, strings.Compare(x.Model(), y.Model()), strings.Compare(x.Posture(), y.Posture()), strings.Compare(x.Run(), y.Run()))
	})
	slices.SortStableFunc(b.refused, func(x, y Refusal) int {
		return cmp.Or(strings.Compare(x.Model, y.Model), strings.Compare(x.Posture, y.Posture), strings.Compare(x.Run, y.Run))
	})
	return b
}

// Line is one line of a board as it is written.
type Line struct {
	Rank        string         `json:"rank"`
	Model       string         `json:"model"`
	Posture     string         `json:"posture"`
	Strict      string         `json:"strict"`   // "5/8", or "-"
	Interval    string         `json:"interval"` // 95 %, in percent
	Repeats     int            `json:"repeats"`
	Gated       string         `json:"gated_mean"`
	Tasks       map[string]int `json:"tasks"` // repeats that passed, by task; empty where there is no row
	Run         string         `json:"run"`
	Publication string         `json:"publication"`
	Why         []string       `json:"why"` // why there is no row
}

// Lines gives the ranked rows and then, without a rank and without a figure, what has no row.
func (b *Board) Lines() []Line {
	out := []Line{}
	rank, last := 0, -1
	for i, r := range b.rows {
		passed, of, ci := r.Strict()
		if passed != last {
			rank, last = i+1, passed
		}
		tasks := map[string]int{}
		for _, id := range b.Release.tasks {
			tasks[id] = r.Task(id)
		}
		out = append(out, Line{Rank: fmt.Sprint(rank), Model: r.Model(), Posture: r.Posture(), Strict: fmt.Sprintf("%d/%d", passed, of),
			Interval: fmt.Sprintf("%.0f to %.0f %%", 100*ci.Lo, 100*ci.Hi), Repeats: r.Repeats(), Gated: r.Gated(), Tasks: tasks, Run: r.Run(), Publication: r.Publication(), Why: []string{}})
	}
	for _, r := range b.refused {
		out = append(out, Line{Rank: r.Shown(), Model: r.Model, Posture: r.Posture, Strict: r.Shown(), Interval: r.Shown(), Gated: r.Shown(), Tasks: map[string]int{}, Run: r.Run, Publication: r.Publication, Why: r.Why})
	}
	return out
}

// JSON writes the board in canonical JSON.
func (b *Board) JSON(w io.Writer) error {
	raw, err := record.Canonical(map[string]any{"release": b.Release.Name, "digest": b.Release.Digest, "grader": b.Release.set.Digest(), "tasks": b.Release.tasks, "lines": b.Lines()})
	if err == nil {
		_, err = w.Write(append(raw, '\n'))
	}
	return err
}

// Markdown writes the board as a table.
func (b *Board) Markdown(w io.Writer) error {
	var out strings.Builder
	fmt.Fprintf(&out, "# %s\n\nDigest `%s`. A row is a complete run of every task of exactly this release, judged again from its trajectories. Strict: tasks that passed in every repeat; 95 %% interval (Wilson).\n\n", cell(b.Release.Name), b.Release.Digest)
	out.WriteString("| rank | model | posture | strict | 95 % | repeats | gated mean |")
	for _, id := range b.Release.tasks {
		out.WriteString(" " + cell(id) + " |")
	}
	out.WriteString("\n|" + strings.Repeat("---|", 7+len(b.Release.tasks)) + "\n")
	for _, l := range b.Lines() {
		fmt.Fprintf(&out, "| %s | %s | %s | %s | %s | %s | %s |", l.Rank, cell(l.Model), cell(l.Posture), l.Strict, l.Interval, orDash(l.Repeats), l.Gated)
		for _, id := range b.Release.tasks {
			out.WriteString(" " + l.Task(id) + " |")
		}
		out.WriteString("\n")
	}
	for _, l := range b.Lines() {
		if len(l.Why) > 0 {
			fmt.Fprintf(&out, "\n- %s (%s, run %s) has no row: %s\n", cell(l.Model), cell(l.Posture), cell(l.Run), cell(strings.Join(first(l.Why, 3), "; ")))
		}
	}
	_, err := io.WriteString(w, out.String())
	return err
}

func first(list []string, n int) []string {
	if len(list) > n {
		return append(slices.Clone(list[:n]), fmt.Sprintf("and %d more", len(list)-n))
	}
	return list
}

func orDash(n int) string {
	if n == 0 {
		return "-"
	}
	return fmt.Sprint(n)
}

// Task is a task's cell: repeats that passed, or a dash where there is no row.
func (l Line) Task(id string) string {
	n, ok := l.Tasks[id]
	if !ok {
		return "-"
	}
	return fmt.Sprintf("%d/%d", n, l.Repeats)
}

// cell keeps a foreign text within its cell: names of models are whatever a server said.
func cell(s string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune("|<>`[]", r) {
			return ' '
		}
		return r
	}, report.Printable(s))
}

//go:embed board.html
var page string

var pageTemplate = template.Must(template.New("board").Parse(page))

// HTML writes the board as one page without scripts.
func (b *Board) HTML(w io.Writer) error {
	lines := b.Lines()
	for i := range lines { // marks of direction and the like would turn what stands beside them
		l := &lines[i]
		l.Why = slices.Clone(l.Why) // it is the refusal's own
		l.Model, l.Posture, l.Run = report.Printable(l.Model), report.Printable(l.Posture), report.Printable(l.Run)
		for k, w := range l.Why {
			l.Why[k] = report.Printable(w)
		}
	}
	return pageTemplate.Execute(w, map[string]any{"Name": report.Printable(b.Release.Name), "Digest": b.Release.Digest, "Tasks": b.Release.tasks, "Lines": lines})
}
