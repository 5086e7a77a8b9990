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
	forecast *run.Forecast
}

// afford finds out before the first call what the run may cost; nil where there is nothing to add up.
func (p *Process) afford(e *run.Engine, spec *run.Spec, specs []model.Spec, f runFlags, warn bool) (*budget, error) {
	b, err := p.budget(spec, specs, f, warn)
	if err != nil {
		return nil, err
	}
	if !b.money && len(b.unpriced) == 0 {
		return nil, nil
	}
	if b.forecast, err = e.Forecast(p.Context, *spec); err != nil {
		return nil, explainRun(err)
	}
	b.charge(b.forecast)
	b.left = b.forecast.Attempts() > 0
	return b, nil
}

// agree asks for a go-ahead where the runs of a command cost something, once for all of them: they share one limit.
func (p *Process) agree(parts []*part, f runFlags) error {
	var list []*budget
	spent, left := price.Amount(0), false
	for _, x := range parts {
		if x.budget != nil {
			list = append(list, x.budget)
			spent, left = spent.Plus(x.budget.spent), left || x.budget.left
		}
	}
	if !left {
		return nil
	}
	if b := list[0]; b.money && b.limit > 0 && spent >= b.limit { // a call more each time it is tried again would go beyond any limit
		return fault(&price.Limit{Spent: spent, Limit: b.limit, Currency: b.table.Currency})
	}
	return p.consent(expect(list, spent), f)
}

// meter makes what adds the run's cost up, nil where nothing costs; before is what the other run under the same limit spent.
func (b *budget) meter(before price.Amount) (*price.Meter, error) {
	if b == nil || !b.money {
		return nil, nil
	}
	spent := b.spent.Plus(before)
	if b.left && b.limit > 0 && spent >= b.limit {
		return nil, fault(&price.Limit{Spent: spent, Limit: b.limit, Currency: b.table.Currency})
	}
	return price.NewMeter(b.table, b.models, b.limit, spent), nil
}

// budget looks the models' prices up, and refuses a limit at which nothing could stop.
func (p *Process) budget(spec *run.Spec, specs []model.Spec, f runFlags, warn bool) (*budget, error) {
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
	case f.prices != "" && len(lacking) == len(specs) && warn && !f.quiet:
		p.notef("warning: %s has no price of %s: its cost is not known", b.table.File, strings.Join(lacking, ", "))
	}
	return b, nil
}

// charge sets what a call costs at the most, and what earlier sessions spent.
func (b *budget) charge(f *run.Forecast) {
	for _, l := range f.Lines {
		m := &b.models[l.Model]
		bytes, tokens := l.Later()
		most := price.Amount(0)
		for range l.Replies {
			most = most.Plus(m.Price.Ceiling(l.LongestBytes, int64(l.MaxOutput)))
		}
		m.Ceiling = max(m.Ceiling, most.Plus(m.Price.Cost(bytes+tokens, 0, 0)))
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

// consent tells what is left to spend, and goes on only when the user says so.
func (p *Process) consent(lines []string, flags runFlags) error {
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

// expect says what is left to spend by all runs of a command, a line for each model and one for all; nothing where nothing
// is. All are runs of the same models; spent is what they spent already.
func expect(list []*budget, spent price.Amount) (lines []string) {
	total := price.Amount(0)
	unpriced := false
	first := list[0]
	for i, m := range first.models {
		var attempts, own, replies int
		var prompts, output int64 // tokens
		for k, b := range list {
			for _, l := range b.forecast.Lines {
				if l.Model != i {
					continue
				}
				bytes, tokens := l.Later()
				attempts, replies = attempts+l.Attempts, max(replies, l.Replies)
				prompts += l.PromptBytes*int64(l.Replies)/4 + int64(l.Attempts)*(bytes/4+tokens)
				output += int64(l.Attempts) * int64(l.Replies) * int64(l.MaxOutput)
				if k == 0 {
					own += l.Attempts
				}
			}
		}
		if attempts == 0 || m.Price == (price.Price{}) && (m.Known || !slices.Contains(first.unpriced, m.Name)) {
			continue
		}
		what := fmt.Sprintf("%s: %s", m.Name, counted(attempts, "attempt"))
		if len(list) > 1 {
			what += fmt.Sprintf(", %d of them at the private set", attempts-own)
		}
		if replies > 1 {
			what += fmt.Sprintf(", each of %d replies at the most", replies)
		}
		what += fmt.Sprintf(", about %d tokens of prompts, at most %d of output", prompts, output)
		if m.Known {
			most := m.Price.Cost(prompts, 0, output)
			total = total.Plus(most)
			what += fmt.Sprintf(": about %s %s at the most", most, first.table.Currency)
		} else {
			unpriced = true
			what += ": its price is not known"
		}
		lines = append(lines, what)
	}
	if total > 0 {
		line := fmt.Sprintf("in all about %s %s at the most, by the prices of %s in %s", total, first.table.Currency, first.table.AsOf, first.table.File)
		if spent > 0 {
			line += fmt.Sprintf("; %s %s are spent already", spent, first.table.Currency)
		}
		switch {
		case first.limit > 0 && len(list) > 1:
			line += fmt.Sprintf("; the two runs stop at %s %s together", first.limit, first.table.Currency)
		case first.limit > 0:
			line += fmt.Sprintf("; the run stops at %s %s", first.limit, first.table.Currency)
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
