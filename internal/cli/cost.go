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
	const most = 2 << 20
	var data []byte
	st, err := os.Stat(p.path(name))
	switch {
	case errors.Is(err, fs.ErrNotExist) && flag == "":
		return nil, nil
	case err == nil && !st.Mode().IsRegular():
		return nil, usage("%s: not a plain file; name a price file with --prices", name)
	case err == nil && st.Size() > most:
		return nil, usage("%s: %d bytes are no price file; at most %d are read", name, st.Size(), most)
	case err == nil:
		data, err = os.ReadFile(p.path(name))
	}
	switch {
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

// budget is what is known of money before a run.
type budget struct {
	table    *price.Table    // nil: there is no price file
	limit    price.Amount    // of --max-cost; 0: none
	models   []price.Metered // in the plan's order
	unpriced []string        // models that are called on somebody's account and have no price
	money    bool            // some model has a price above 0
	spent    price.Amount    // by earlier sessions of the run
	left     bool            // there are attempts to make
}

// afford says before the first call what the run may cost, and asks for a go-ahead where it costs something; nil where there
// is nothing to add up.
func (p *Process) afford(e *run.Engine, spec *run.Spec, specs []model.Spec, f runFlags) (*budget, error) {
	b, err := p.budget(spec, specs, f)
	if err != nil {
		return nil, err
	}
	if !b.money && len(b.unpriced) == 0 {
		return nil, nil
	}
	forecast, err := e.Forecast(p.Context, *spec)
	if err != nil {
		return nil, explainRun(err)
	}
	b.charge(forecast)
	if b.left = forecast.Attempts() > 0; b.left {
		if _, err := b.meter(0); err != nil {
			return nil, err
		}
		if err := p.consent(forecast, b, f); err != nil {
			return nil, err
		}
	}
	if !b.money {
		return nil, nil
	}
	return b, nil
}

// meter makes what adds the run's cost up; before is what a run before it under the same limit spent.
func (b *budget) meter(before price.Amount) (*price.Meter, error) {
	spent := b.spent.Plus(before)
	if b.left && b.limit > 0 && spent >= b.limit { // a call more each time it is tried again would go beyond any limit
		return nil, fault(&price.Limit{Spent: spent, Limit: b.limit, Currency: b.table.Currency})
	}
	return price.NewMeter(b.table, b.models, b.limit, spent), nil
}

// budget looks the models' prices up, and refuses a limit at which nothing could stop.
func (p *Process) budget(spec *run.Spec, specs []model.Spec, f runFlags) (*budget, error) {
	b := &budget{models: make([]price.Metered, len(specs))}
	var err error
	if f.maxCost != "" {
		if b.limit, err = price.ParseAmount(f.maxCost); err != nil || b.limit == 0 {
			return nil, usage("--max-cost %s: write an amount above 0 in the price file's currency, such as 2.50", f.maxCost)
		}
	}
	if b.table, err = p.prices(f.prices); err != nil {
		return nil, err
	}
	var lacking []string
	for i, s := range specs {
		m := &b.models[i]
		m.Name = s.Provider + "/" + s.Name
		m.Price, m.Known = b.table.Of(m.Name)
		paid, ok := spec.Models[i].Model.(model.Paid)
		switch {
		case m.Known:
			b.money = b.money || m.Price != price.Price{}
		case ok && paid.Paid():
			b.unpriced = append(b.unpriced, m.Name)
		}
		if !m.Known {
			lacking = append(lacking, m.Name)
		}
	}
	switch {
	case b.limit > 0 && b.table == nil:
		return nil, usage("--max-cost: there is no price file; write %s, or name one with --prices", defaultPrices)
	case b.limit > 0 && (len(b.unpriced) > 0 || len(lacking) == len(specs)):
		names := b.unpriced
		if len(names) == 0 {
			names = lacking
		}
		return nil, usage("--max-cost: %s has no price of %s, at which the run could stop; put it there, or leave --max-cost off", b.table.File, strings.Join(names, ", "))
	case f.prices != "" && len(lacking) == len(specs) && !f.quiet:
		p.notef("warning: %s has no price of %s: its cost is not known", b.table.File, strings.Join(lacking, ", "))
	}
	return b, nil
}

// charge sets what a call costs at the most, and what earlier sessions spent.
func (b *budget) charge(f *run.Forecast) {
	for _, l := range f.Lines {
		m := &b.models[l.Model]
		m.Ceiling = max(m.Ceiling, m.Price.Ceiling(l.LongestBytes, int64(l.MaxOutput)))
	}
	for _, l := range f.Lines {
		m := &b.models[l.Model]
		for _, u := range l.Used {
			cost, counted := m.Price.OfUsage(u)
			if !counted {
				cost = m.Ceiling
			}
			b.spent = b.spent.Plus(cost)
		}
	}
}

// consent tells what the run will cost at the most, and goes on only when the user says so.
func (p *Process) consent(f *run.Forecast, b *budget, flags runFlags) error {
	lines := b.expect(f)
	if len(lines) == 0 {
		return nil
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

// expect says what is left to spend, a line for each model and one for all; nothing where nothing is.
func (b *budget) expect(f *run.Forecast) (lines []string) {
	total := price.Amount(0)
	unpriced := false
	for i, m := range b.models {
		var attempts int
		var bytes, output int64
		for _, l := range f.Lines {
			if l.Model == i {
				attempts, bytes, output = attempts+l.Attempts, bytes+l.PromptBytes, output+int64(l.Attempts)*int64(l.MaxOutput)
			}
		}
		if attempts == 0 || m.Price == (price.Price{}) && (m.Known || !slices.Contains(b.unpriced, m.Name)) {
			continue
		}
		what := fmt.Sprintf("%s: %d attempts, about %d tokens of prompts, at most %d of output", m.Name, attempts, bytes/4, output)
		if m.Known {
			most := m.Price.Cost(bytes/4, 0, output)
			total = total.Plus(most)
			what += fmt.Sprintf(": about %s %s at the most", most, b.table.Currency)
		} else {
			unpriced = true
			what += ": its price is not known"
		}
		lines = append(lines, what)
	}
	if total > 0 {
		line := fmt.Sprintf("in all about %s %s at the most, by the prices of %s in %s", total, b.table.Currency, b.table.AsOf, b.table.File)
		if b.spent > 0 {
			line += fmt.Sprintf("; %s %s are spent already", b.spent, b.table.Currency)
		}
		if b.limit > 0 {
			line += fmt.Sprintf("; the run stops at %s %s", b.limit, b.table.Currency)
		}
		lines = append(lines, line)
	}
	if unpriced {
		lines = append(lines, fmt.Sprintf("prices go into %s; without one there is no --max-cost", defaultPrices))
	}
	return lines
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
