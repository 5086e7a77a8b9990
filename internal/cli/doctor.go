package cli

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/jedib0t/go-pretty/v6/text"
	"github.com/spf13/cobra"

	"github.com/assaybench/assay/internal/doctor"
)

// namedMost bounds how many servers and ports are asked at once.
const namedMost = 16

func newDoctor(p *Process) *cobra.Command {
	var asJSON, online bool
	var servers, ports []string
	var patience time.Duration
	c := &cobra.Command{
		Use: "doctor", Short: "What works on this machine: keys, servers, sandbox, hardware, disk",
		Long: `Looks at what works on this machine and says what to do where something is missing: the providers and whether their
keys are set (a key is never shown), the model servers that answer and the models they hold, the sandbox and its python3,
accelerators, the disk, and the files in .assay. Nothing is changed, no model is loaded and none is called.

Servers on this machine are always asked, others with --online. A key is sent to the servers that you name and, with
--online, to its own provider.

Exit status:
  0  it could look (what is missing is no error)
  2  the command line is wrong
  3  it could not look`,
		Args: args(0, 0, "no arguments"),
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	c.Flags().BoolVar(&online, "online", false, "ask servers that are not on this machine too")
	c.Flags().StringArrayVar(&servers, "server", nil, "ask this server too, as provider@URL (repeatable)")
	c.Flags().Var(lists(&ports), "ports", "ports of this machine at which to look for servers with OpenAI's protocol, or none (default "+usualPorts()+")")
	c.Flags().DurationVar(&patience, "patience", time.Second, "how long a server on this machine may take for an answer (others get 5s at the least)")
	c.RunE = func(*cobra.Command, []string) error {
		o := doctor.Options{Getenv: p.Getenv, Dir: p.Dir, Now: p.Now, Assay: version(), Online: online, Patience: patience, Dial: p.Dial}
		if patience < 10*time.Millisecond || patience > time.Minute {
			return usage("--patience %v: it is from 10ms to 1m", patience)
		}
		if len(servers) > namedMost || len(ports) > namedMost {
			return usage("at most %d servers and %d ports are asked at once", namedMost, namedMost)
		}
		for _, s := range servers {
			n, err := doctor.ParseNamed(s)
			if err != nil {
				return usage("--server: %v", err)
			}
			o.Servers = append(o.Servers, n)
		}
		if c.Flags().Changed("ports") {
			o.Ports = []int{}
		}
		for _, s := range ports {
			n, err := strconv.ParseUint(s, 10, 16)
			switch {
			case s == "none" && len(ports) == 1:
			case err != nil || n == 0:
				return usage("--ports: %q is no port; write numbers from 1 to 65535, or none", s)
			default:
				o.Ports = append(o.Ports, int(n))
			}
		}
		r, err := doctor.Look(p.Context, o)
		if err != nil {
			return fault(err)
		}
		if asJSON {
			return p.writeJSON(r)
		}
		p.printDoctor(r)
		return nil
	}
	return c
}

func usualPorts() string {
	var out []string
	for _, n := range doctor.UsualPorts() {
		out = append(out, strconv.Itoa(n))
	}
	return strings.Join(out, ",")
}

// Columns of the report. The first two are as wide as what stands in them at most.
const (
	stateColumns = len("not asked")
	whatColumns  = len("accelerator")
	sayAt        = 2 + stateColumns + 2 + whatColumns + 2
	shownMost    = 12 // models of a server, and those with a price, that are shown
)

func (p *Process) printDoctor(r *doctor.Report) {
	section := func(title string) { p.printf("\n%s\n", title) }
	p.printf("%-*s\n", sayAt, "What works on this machine")
	p.found("assay", r.Program.Finding)
	section("Hardware")
	p.found("CPUs", r.CPUs.Finding)
	p.found("memory", r.Memory.Finding)
	p.found("accelerator", r.Accelerator.Finding)
	p.found("disk", r.Disk.Finding)
	section("Judging answers that run something")
	p.found("sandbox", r.Sandbox.Finding)
	p.found("python3", r.Python.Finding)
	section("Files here")
	p.found("database", r.Database.Finding)
	p.found("prices", r.Prices.Finding)
	if n := len(r.Prices.Models); n > 0 {
		p.detail("", strings.Join(r.Prices.Models[:min(n, shownMost)], ", ")+more(n-shownMost))
	}
	section("Providers (assay run --model PROVIDER/NAME)")
	for _, pr := range r.Providers {
		p.found(pr.Name, pr.Finding)
	}
	section("Servers")
	for _, s := range r.Servers {
		f := s.Finding
		f.Say = fmt.Sprintf("%s (%s): %s", s.Address, s.AddressFrom, f.Say)
		p.found(s.Provider, f)
		p.models(s)
	}
}

// found prints one finding: its state, what it is of, what was found, and below that what to do.
func (p *Process) found(what string, f doctor.Finding) {
	head := fmt.Sprintf("  %-*s  %-*s  ", stateColumns, f.State, whatColumns, what)
	for i, line := range p.wrapped(plain(f.Say), sayAt) {
		if i > 0 {
			head = strings.Repeat(" ", sayAt)
		}
		p.printf("%s%s\n", head, line)
	}
	if f.Do != "" {
		p.detail("do: ", f.Do)
	}
}

// detail prints a line below a finding.
func (p *Process) detail(label, s string) {
	for i, line := range p.wrapped(plain(s), sayAt+len(label)) {
		if i > 0 {
			label = strings.Repeat(" ", len(label))
		}
		p.printf("%*s%s%s\n", sayAt, "", label, line)
	}
}

// wrapped breaks a line for the terminal; where there is none it stays whole, so that what reads it finds all in one line.
func (p *Process) wrapped(s string, indent int) []string {
	if p.Width == 0 || p.Width-indent < 20 {
		return []string{s}
	}
	return wrap(s, p.Width-indent)
}

// models prints what a server holds as a table, the columns that nothing stands in left out.
func (p *Process) models(s doctor.Server) {
	rows := [][]string{{"model", "digest", "context", "loaded", "size"}}
	for _, m := range s.Models[:min(len(s.Models), shownMost)] {
		digest := strings.TrimPrefix(m.Digest, "sha256:")
		if len(digest) > 12 {
			digest = digest[:12]
		}
		rows = append(rows, []string{plain(m.Name), plain(digest), number(m.Context), number(m.Loaded), size(m.Bytes)})
	}
	if len(rows) == 1 {
		return
	}
	const indent = 15 // below the finding's second column
	widths := make([]int, len(rows[0]))
	rest := 0 // columns of all but the name
	for i := range widths {
		for _, r := range rows[1:] {
			if r[i] != "" {
				widths[i] = max(widths[i], text.StringWidthWithoutEscSequences(r[i]), len(rows[0][i]))
			}
		}
		if i > 0 && widths[i] > 0 {
			rest += 2 + widths[i]
		}
	}
	if p.Width > 0 { // a name that is too long has a line of its own
		widths[0] = min(widths[0], max(20, p.Width-indent-rest))
	}
	for n, r := range rows {
		line := padded(r[0], widths[0])
		if rest > 0 && text.StringWidthWithoutEscSequences(r[0]) > widths[0] {
			p.printf("%*s%s\n", indent, "", r[0])
			line = strings.Repeat(" ", widths[0])
		}
		for i, cell := range r[1:] {
			switch i++; {
			case widths[i] == 0:
			case i == 1:
				line += "  " + padded(cell, widths[i])
			default: // figures
				line += fmt.Sprintf("  %*s", widths[i], cell)
			}
		}
		p.printf("%*s%s\n", indent, "", strings.TrimRight(line, " "))
		if n > 0 && s.Models[n-1].Remote != "" {
			p.printf("%*s  runs elsewhere: %s\n", indent, "", plain(s.Models[n-1].Remote))
		}
	}
	if n := s.Total - shownMost; n > 0 {
		p.printf("%*s%s\n", indent, "", strings.TrimPrefix(more(n), " "))
	}
}

func padded(s string, width int) string {
	return s + strings.Repeat(" ", max(0, width-text.StringWidthWithoutEscSequences(s)))
}

// number is a figure that is known, or "".
func number(n int64) string {
	if n <= 0 {
		return ""
	}
	return strconv.FormatInt(n, 10)
}

func size(n int64) string {
	if n <= 0 {
		return ""
	}
	return doctor.Size(n)
}

func more(n int) string {
	if n <= 0 {
		return ""
	}
	return fmt.Sprintf(" … and %d more (--json lists them)", n)
}
