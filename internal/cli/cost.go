package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/price"
	"github.com/assaybench/assay/run"
)

// defaultPrices is the price file of a working folder.
var defaultPrices = filepath.Join(".assay", "prices.yaml")

// prices reads the price file that was named, or the working folder's own; nil when there is none.
func (p *Process) prices(flag string) (*price.Table, error) {
	name := flag
	if name == "" {
		name = defaultPrices
	}
	data, err := os.ReadFile(p.path(name))
	switch {
	case errors.Is(err, fs.ErrNotExist) && flag == "":
		return nil, nil
	case err != nil:
		return nil, usage("%s: %v; name a price file with --prices", name, reasonOf(err))
	}
	t, err := price.Read(name, data)
	if err != nil {
		return nil, usage("%v", err)
	}
	return t, nil
}

// reasonOf is what the system says of a file without naming it again.
func reasonOf(err error) error {
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		return pe.Err
	}
	return err
}

// afford says before the first call what the run may cost, asks for a go-ahead where it costs something, and gives what adds
// its cost up; nil where there is nothing to add up.
func (p *Process) afford(e *run.Engine, spec *run.Spec, specs []model.Spec, f runFlags) (*price.Meter, error) {
	limit := price.Amount(0)
	if f.maxCost != "" {
		var err error
		if limit, err = price.ParseAmount(f.maxCost); err != nil || limit == 0 {
			return nil, usage("--max-cost %s: write an amount above 0 in the price file's currency, such as 2.50", f.maxCost)
		}
	}
	table, err := p.prices(f.prices)
	if err != nil {
		return nil, err
	}
	models := make([]price.Metered, len(specs))
	var unpriced []string
	money := false
	for i, s := range specs {
		m := &models[i]
		m.Name = s.Provider + "/" + s.Name
		m.Price, m.Known = table.Of(m.Name)
		paid, ok := spec.Models[i].Model.(model.Paid)
		switch {
		case m.Known:
			money = money || m.Price != price.Price{}
		case ok && paid.Paid():
			unpriced = append(unpriced, m.Name)
		}
	}
	if len(unpriced) > 0 && limit > 0 {
		return nil, usage("--max-cost: there is no price of %s; put it into %s, or name a price file with --prices", strings.Join(unpriced, ", "), defaultPrices)
	}
	if limit > 0 && table == nil {
		return nil, usage("--max-cost: there is no price file; write %s, or name one with --prices", defaultPrices)
	}
	if !money && len(unpriced) == 0 {
		return nil, nil
	}
	forecast, err := e.Forecast(p.Context, *spec)
	if err != nil {
		return nil, explainRun(err)
	}
	spent := price.Amount(0)
	for _, l := range forecast.Lines {
		m := &models[l.Model]
		// Where a server counts nothing, a call is charged as if every two bytes of the longest prompt were a token.
		m.Ceiling = max(m.Ceiling, m.Price.Cost(l.LongestBytes/2, 0, int64(l.MaxOutput)))
		for _, u := range l.Used {
			cost, counted := m.Price.OfUsage(u)
			if !counted {
				cost = m.Ceiling
			}
			spent += cost
		}
	}
	if forecast.Attempts() > 0 {
		if err := p.consent(forecast, models, table, limit, spent, f); err != nil {
			return nil, err
		}
	}
	if !money {
		return nil, nil
	}
	meter := price.NewMeter(table, models, limit, spent)
	spec.Allow = meter.Add
	return meter, nil
}

// consent tells what the run will cost at the most, and goes on only when the user says so.
func (p *Process) consent(f *run.Forecast, models []price.Metered, table *price.Table, limit, spent price.Amount, flags runFlags) error {
	var lines []string
	total := price.Amount(0)
	unpriced := false
	for i, m := range models {
		var attempts int
		var bytes, output int64
		for _, l := range f.Lines {
			if l.Model == i {
				attempts, bytes, output = attempts+l.Attempts, bytes+l.PromptBytes, output+int64(l.Attempts)*int64(l.MaxOutput)
			}
		}
		if attempts == 0 || m.Known && m.Price == (price.Price{}) {
			continue
		}
		what := fmt.Sprintf("%s: %d attempts, about %d tokens of prompts, at most %d of output", m.Name, attempts, bytes/4, output)
		if m.Known {
			most := m.Price.Cost(bytes/4, 0, output)
			total += most
			what += fmt.Sprintf(": about %s %s at the most", most, table.Currency)
		} else {
			unpriced = true
			what += ": its price is not known"
		}
		lines = append(lines, what)
	}
	if len(lines) == 0 {
		return nil
	}
	if table != nil && total > 0 {
		line := fmt.Sprintf("in all about %s %s at the most, by the prices of %s in %s", total, table.Currency, table.AsOf, table.File)
		if spent > 0 {
			line += fmt.Sprintf("; %s %s are spent already", spent, table.Currency)
		}
		if limit > 0 {
			line += fmt.Sprintf("; the run stops at %s %s", limit, table.Currency)
		}
		lines = append(lines, line)
	}
	if unpriced {
		lines = append(lines, fmt.Sprintf("prices go into %s; without one there is no --max-cost", defaultPrices))
	}
	if flags.yes {
		if !flags.quiet {
			p.notef("%s", strings.Join(lines, "\n"))
		}
		return nil
	}
	if !p.Interactive {
		return usage("%s\nthis run costs money: --yes goes on, --max-cost AMOUNT bounds it", strings.Join(lines, "\n"))
	}
	p.notef("%s", strings.Join(lines, "\n"))
	fmt.Fprint(p.Stderr, "assay: this run costs money; go on? [y/N] ")
	answer, err := p.readLine()
	if err != nil {
		return err
	}
	if !slices.Contains([]string{"y", "yes"}, strings.ToLower(strings.TrimSpace(answer))) {
		return usage("nothing was sent")
	}
	return nil
}

// readLine reads one line from standard input, or ends with the command.
func (p *Process) readLine() (string, error) {
	type got struct {
		line string
		err  error
	}
	c := make(chan got, 1)
	go func() {
		var line []byte
		var b [1]byte
		for len(line) < 1000 {
			n, err := p.Stdin.Read(b[:])
			if n == 1 && b[0] == '\n' || err != nil {
				c <- got{string(line), nil}
				return
			}
			line = append(line, b[:n]...)
		}
		c <- got{string(line), nil}
	}()
	select {
	case g := <-c:
		return g.line, g.err
	case <-p.Context.Done():
		return "", fault(errInterrupted)
	}
}
