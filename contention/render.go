package contention

import (
	"fmt"
	"strings"
	"time"
)

// flagsShown is how many flags are written out; the document has all.
const flagsShown = 20

// Lines writes the document as plain lines for a terminal: the summary first, then the figures it stands on, then the
// flags. They hold no control characters, whatever the document holds.
func (d *Document) Lines() []string {
	out := d.Summary()
	for i := range d.Services {
		s := &d.Services[i]
		out = append(out, "service "+printable(s.URL))
		inPhases(&s.Phased, func(p Phase, v *Probes) { out = append(out, fmt.Sprintf("  %-7s %s", p, d.probesWords(v))) })
	}
	out = append(out, d.hostHead())
	inPhases(&d.Host.Phased, func(p Phase, v *HostPhase) { out = append(out, fmt.Sprintf("  %-7s %s", p, hostWords(v))) })
	if d.Accelerators.Note != "" {
		out = append(out, "accelerators: "+printable(d.Accelerators.Note))
	}
	for i := range d.Accelerators.List {
		a := &d.Accelerators.List[i]
		out = append(out, cardHead(a))
		inPhases(&a.Phased, func(p Phase, v *AcceleratorPhase) { out = append(out, fmt.Sprintf("  %-7s %s", p, cardWords(v))) })
	}
	return append(out, d.flagLines()...)
}

func inPhases[T any](v *Phased[T], do func(Phase, *T)) {
	for _, p := range []Phase{Before, During, After} {
		if in := v.In(p); in != nil {
			do(p, in)
		}
	}
}

func (d *Document) probesWords(p *Probes) string {
	text := fmt.Sprintf("%s, %d failed", count(p.N, "probe"), p.Failed)
	if len(p.Failures) > 0 {
		text += " (" + failureKinds(p) + ")"
	}
	if p.Latency != nil {
		text += fmt.Sprintf(", median %s, 95th percentile %s, worst %s (of %d)",
			d.latency(p, (*Latency).median), d.latency(p, (*Latency).p95), d.latency(p, (*Latency).worst), p.Latency.N)
	}
	if p.Cut > 0 {
		text += fmt.Sprintf(", %s longer than is read", count(p.Cut, "answer"))
	}
	if p.Missed > 0 {
		text += fmt.Sprintf(", %s not made", count(p.Missed, "probe"))
	}
	return text
}

func (d *Document) hostHead() string {
	h := &d.Host
	if !h.Known {
		return "host of the harness: " + orNotKnown(h.Note)
	}
	var parts []string
	if h.CPUs > 0 {
		parts = append(parts, count(h.CPUs, "CPU"))
	}
	if h.Memory > 0 {
		parts = append(parts, size(h.Memory)+" memory")
	}
	if h.Note != "" {
		parts = append(parts, printable(h.Note))
	}
	return "host of the harness: " + orNotKnown(strings.Join(parts, ", "))
}

func orNotKnown(s string) string {
	if s = printable(s); s == "" {
		return "not known"
	}
	return s
}

// spreadWords writes "2.40 (0.80 to 7.20)".
func spreadWords(s *Spread, write func(int64) string) string {
	return write(s.Median) + " (" + write(s.Min) + " to " + write(s.Max) + ")"
}

func centi(v int64) string { return fixed(v, 100, 2) }

func hostWords(p *HostPhase) string {
	var parts []string
	if p.Load != nil {
		parts = append(parts, "load "+spreadWords(p.Load, centi))
	}
	if p.Busy != nil {
		parts = append(parts, "CPUs busy "+spreadWords(p.Busy, percent))
	}
	if p.Available != nil {
		parts = append(parts, "memory available "+spreadWords(p.Available, percent))
	}
	return orNotKnown(strings.Join(parts, ", "))
}

func cardHead(a *Accelerator) string {
	text := fmt.Sprintf("accelerator %d: %s", a.Index, orNotKnown(a.Name))
	if a.Total > 0 {
		text += fmt.Sprintf(", %d MiB", a.Total)
	}
	return text
}

func cardWords(p *AcceleratorPhase) string {
	var parts []string
	if p.Busy != nil {
		parts = append(parts, "busy "+spreadWords(p.Busy, func(v int64) string { return fmt.Sprintf("%d %%", v) }))
	}
	if p.Used != nil {
		parts = append(parts, "memory used "+spreadWords(p.Used, func(v int64) string { return fmt.Sprintf("%d MiB", v) }))
	}
	return orNotKnown(strings.Join(parts, ", "))
}

func (d *Document) flagLines() []string {
	f := d.Flagged
	if f == nil || f.TimedOut == 0 {
		return nil
	}
	head := fmt.Sprintf("%s timed out; %d of them while something was beyond its threshold", count(f.TimedOut, "attempt"), len(f.Flags))
	if f.Unseen > 0 {
		head += fmt.Sprintf("; about %d nothing can be said, since nothing was sampled meanwhile", f.Unseen)
	}
	out := []string{head}
	for i := range f.Flags {
		if i == flagsShown {
			out = append(out, fmt.Sprintf("  and %d more", len(f.Flags)-i))
			break
		}
		flag := &f.Flags[i]
		out = append(out, fmt.Sprintf("  %s, %s to %s UTC", flag.name(), flag.From.UTC().Format(time.DateTime), flag.To.UTC().Format(time.TimeOnly)))
		for _, r := range flag.Reasons {
			out = append(out, "    "+r.String())
		}
	}
	return out
}

// name names the attempt: "item, repeat 2, model, posture".
func (f *Flag) name() string {
	return fmt.Sprintf("%s, repeat %d, %s, %s", clip(printable(f.Key.Item), 128), f.Key.Repeat, clip(printable(f.Key.Model), 128), clip(printable(f.Key.Posture), 128))
}

// Table is a table of texts for a report to lay out.
type Table struct {
	Title string
	Head  []string
	Rows  [][]string
}

// Tables gives the document's figures as tables: services, speed, host and accelerators, and flags; one without a row is
// left out. Cells are printable, but not escaped for any markup.
func (d *Document) Tables() []Table {
	services := Table{"What the bench did to the services", []string{"service", "phase", "probes", "failed", "median", "95th percentile", "worst"}, nil}
	for i := range d.Services {
		s := &d.Services[i]
		inPhases(&s.Phased, func(p Phase, v *Probes) {
			failed := fmt.Sprint(v.Failed)
			if v.Failed > 0 {
				failed += " (" + failureKinds(v) + ")"
			}
			services.Rows = append(services.Rows, []string{
				printable(s.URL), string(p), fmt.Sprint(v.N), failed,
				d.latency(v, (*Latency).median), d.latency(v, (*Latency).p95), d.latency(v, (*Latency).worst),
			})
		})
	}
	speed := Table{"What the services did to the bench", []string{"phase", "calls", "failed", "median", "least", "greatest"}, nil}
	inPhases(&d.Speed.Phased, func(p Phase, v *SpeedPhase) {
		name := map[Phase]string{Before: "alone", During: "under the run", After: "after it"}[p]
		row := []string{name, fmt.Sprint(v.N), fmt.Sprint(v.Failed), "-", "-", "-"}
		if r := v.Rate; r != nil {
			copy(row[3:], []string{rate(r.Median), rate(r.Min), rate(r.Max)})
		}
		speed.Rows = append(speed.Rows, row)
	})
	host := Table{"The host", []string{"what", "phase", "median (least to greatest)"}, nil}
	inPhases(&d.Host.Phased, func(p Phase, v *HostPhase) {
		host.Rows = append(host.Rows, []string{d.hostHead(), string(p), hostWords(v)})
	})
	for i := range d.Accelerators.List {
		a := &d.Accelerators.List[i]
		inPhases(&a.Phased, func(p Phase, v *AcceleratorPhase) {
			host.Rows = append(host.Rows, []string{cardHead(a), string(p), cardWords(v)})
		})
	}
	flags := Table{"Attempts that timed out under load", []string{"attempt", "from", "to", "what was so meanwhile"}, nil}
	if d.Flagged != nil {
		for i := range d.Flagged.Flags {
			f := &d.Flagged.Flags[i]
			var why []string
			for _, r := range f.Reasons {
				why = append(why, r.String())
			}
			flags.Rows = append(flags.Rows, []string{f.name(), f.From.UTC().Format(time.RFC3339), f.To.UTC().Format(time.RFC3339), strings.Join(why, "; ")})
		}
	}
	var out []Table
	for _, t := range []Table{services, speed, host, flags} {
		if len(t.Rows) > 0 {
			out = append(out, t)
		}
	}
	return out
}

// markup takes the meaning that Markdown gives to characters.
var markup = strings.NewReplacer(
	`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "<", "&lt;", ">", "&gt;", "&", "&amp;", "~", `\~`, "#", `\#`, "|", `\|`,
	"://", "&#58;//", "@", "&#64;", "www.", "www&#46;", // no bare address becomes a link by itself
)

// Markdown gives the table as rows of GitHub-flavoured Markdown, head included. No cell can become markup or a link.
func (t Table) Markdown() []string {
	row := func(cells []string) string {
		var b strings.Builder
		for _, c := range cells {
			b.WriteString("| " + markup.Replace(printable(c)) + " ")
		}
		return b.String() + "|"
	}
	rule := strings.Repeat("| --- ", len(t.Head)) + "|"
	out := []string{row(t.Head), rule}
	for _, r := range t.Rows {
		out = append(out, row(r))
	}
	return out
}

// Markdown writes the document as lines of Markdown: the summary as a list, then each table under its title. The level is
// that of the titles, 1 to 6.
func (d *Document) Markdown(level int) []string {
	var out []string
	for _, s := range d.Summary() {
		out = append(out, "- "+markup.Replace(printable(s)))
	}
	for _, s := range d.flagLines()[:min(1, len(d.flagLines()))] {
		out = append(out, "- "+markup.Replace(printable(s)))
	}
	for _, t := range d.Tables() {
		out = append(out, "", strings.Repeat("#", min(max(level, 1), 6))+" "+t.Title, "")
		out = append(out, t.Markdown()...)
	}
	return out
}
