package kairos

import (
	"math"
	"strings"
)

// externalPlace is the definition whose data come from outside.
type externalPlace struct {
	root *premise
	word string
}

// checkExternal refuses external(…) anywhere but as the whole of a definition without parameters, or at the head of its
// pipe; whoever supplies the data is told the name of the premise, so it must have one.
func checkExternal(root *premise, d *Binding) error {
	allowed := d.Value
	if p, ok := d.Value.(*Pipe); ok {
		allowed = p.Head
	}
	var err error
	Walk(d.Value, func(x Expr) {
		if err != nil || !externalCall(x) {
			return
		}
		if x != allowed || root.name == "" {
			err = fail(x.Span(), "external.position", root.word(d.Name))
		} else if len(d.Params) > 0 {
			err = fail(x.Span(), "external.params", root.word(d.Name))
		}
	})
	return err
}

// externalCall compiles external(kind: …, labels: […], source: "…").
func (c *compiler) externalCall(e *Call) code {
	if c.external == nil || c.loc != nil {
		return failing(fail(e.span, "external.position", ""))
	}
	place := *c.external
	ev, sc := c.ev, c.sc
	return func(*frame) (value, error) {
		decl, err := c.declaration(e)
		if err != nil {
			return value{}, err
		}
		_, owner := place.root.find(place.word)
		if owner == nil {
			owner = place.root
		}
		name := owner.name + "." + place.word
		if decl.Source == "" {
			if decl.Source = sc.members.text("source"); decl.Source == "" {
				return value{}, fail(e.span, "external.source-missing", name)
			}
		}
		key := owner.name + "\x00" + place.word + "\x00" + decl.Source
		data := ev.supplied[key]
		if data == nil {
			if ev.opts.Supply == nil {
				return value{}, fail(e.span, "supply.no-resolver", name, decl.Source)
			}
			if data, err = ev.opts.Supply(owner.name, place.word, decl); err != nil {
				if k, ok := err.(*Error); ok {
					own := *k // the supplier may give the same error to several evaluations
					return value{}, placed(&own, e.span)
				}
				return value{}, fail(e.span, "supply.failed", name, decl.Source, prose(err.Error()))
			}
			if data == nil {
				return value{}, fail(e.span, "supply.no-value", name, decl.Source)
			}
			ev.supplied[key] = data
		}
		t, err := c.supply(e.span, name, decl, data)
		return value{kind: kindTable, ref: t}, err
	}
}

// declaration reads the arguments of external(…).
func (c *compiler) declaration(e *Call) (ExternalDecl, error) {
	var decl ExternalDecl
	for _, a := range e.Args {
		switch a.Name {
		case "":
			return decl, fail(a.Span, "external.positional")
		case "kind":
			n, ok := a.Value.(*NameRef)
			if !ok || n.Name != "dates" && n.Name != "instants" {
				return decl, fail(a.Span, "external.kind-value")
			}
			decl.Kind = n.Name
		case "labels":
			l, ok := a.Value.(*ListLit)
			if !ok {
				return decl, fail(a.Span, "external.labels-list")
			}
			for _, el := range l.Elems {
				n, ok := el.From.(*NameRef)
				if !ok || el.To != nil {
					return decl, fail(a.Span, "external.labels-name")
				}
				decl.Labels = append(decl.Labels, n.Name)
			}
			if len(decl.Labels) == 0 {
				return decl, fail(a.Span, "external.labels-empty")
			}
		case "source":
			v, err := c.expr(a.Value)(nil)
			if err != nil {
				return decl, err
			}
			if v.kind != kindString {
				return decl, fail(a.Span, "external.source-string", v.kind)
			}
			decl.Source = v.ref.(string)
		default:
			return decl, fail(a.Span, "external.unknown-arg", a.Name)
		}
	}
	if decl.Kind == "" {
		return decl, fail(e.span, "external.kind-missing")
	}
	return decl, nil
}

// supply checks supplied data against their contract and makes a table of them.
func (c *compiler) supply(at Span, name string, decl ExternalDecl, data *ExternalData) (*table, error) {
	ev := c.ev
	if strings.TrimSpace(data.Covering) == "" {
		return nil, fail(at, "contract.covering-missing", name)
	}
	ranges, ok := parseCovering(data.Covering)
	if !ok {
		return nil, fail(at, "contract.covering-unreadable", name, data.Covering)
	}
	for i := range ranges {
		ranges[i].Span = at
	}
	t := &table{src: source{name: name}}
	var err error
	if t.src.cover, t.src.covering, t.concluded, err = c.covering(ranges, nil); err != nil {
		if e, ok := err.(*Error); ok {
			e.Span = at
		}
		return nil, err
	}
	if strings.TrimSpace(data.AsOf) == "" {
		return nil, fail(at, "contract.asof-missing", name)
	}
	t.src.asof = data.AsOf
	if declared := ev.asof(c.sc); declared != "" && declared != "latest" && declared != data.AsOf {
		t.src.asof = data.AsOf + "（宣言 asof " + declared + " と不一致）"
	}
	if decl.Kind == "dates" {
		t.pts, err = c.suppliedDates(at, name, data)
		t.align = ev.dayGrain(c.sc)
	} else {
		t.pts, err = suppliedInstants(at, name, data)
	}
	if err != nil {
		return nil, err
	}
	if err := ev.hold(len(t.pts)); err != nil {
		return nil, placed(err, at)
	}
	for i, p := range t.pts {
		if i > 0 && p <= t.pts[i-1] {
			return nil, fail(at, "contract.order", name, ev.format(p))
		}
	}
	for _, p := range t.pts {
		if !inside(t.src.cover, p) {
			return nil, fail(at, "contract.outside-covering", name, ev.format(p), t.src.covering)
		}
	}
	t.labels, err = suppliedLabels(at, name, decl, data, len(t.pts))
	return t, err
}

func (c *compiler) suppliedDates(at Span, name string, data *ExternalData) ([]int64, error) {
	if data.Dates == nil {
		return nil, fail(at, "contract.dates-missing", name)
	}
	if data.Instants != nil {
		return nil, fail(at, "contract.dates-got-instants", name)
	}
	z, err := c.ev.scopeZone(at, c.sc)
	if err != nil {
		return nil, err
	}
	pts := make([]int64, len(data.Dates))
	for i, s := range data.Dates {
		d, ok := splitDate(s)
		if !ok {
			return nil, fail(at, "contract.date-format", name, s)
		}
		if !validDate(d.Year, d.Month, d.Day) {
			return nil, fail(at, "contract.date-not-real", name, s)
		}
		pts[i] = z.dayStart(d.Year, d.Month, d.Day)
	}
	return pts, nil
}

func suppliedInstants(at Span, name string, data *ExternalData) ([]int64, error) {
	if data.Instants == nil {
		return nil, fail(at, "contract.instants-missing", name)
	}
	if data.Dates != nil {
		return nil, fail(at, "contract.instants-got-dates", name)
	}
	pts := make([]int64, len(data.Instants))
	for i, f := range data.Instants {
		if f != math.Trunc(f) || math.Abs(f) > 1<<53 {
			return nil, fail(at, "contract.instant-not-integer", name, formatNumber(f))
		}
		pts[i] = int64(f)
	}
	return pts, nil
}

func suppliedLabels(at Span, name string, decl ExternalDecl, data *ExternalData, n int) ([]value, error) {
	if decl.Labels == nil {
		if data.Labels != nil {
			return nil, fail(at, "contract.labels-undeclared", name)
		}
		return nil, nil
	}
	if data.Labels == nil {
		return nil, fail(at, "contract.labels-missing", name)
	}
	if len(data.Labels) != n {
		return nil, fail(at, "contract.labels-length", name, len(data.Labels), n)
	}
	known := map[string]bool{}
	for _, l := range decl.Labels {
		known[l] = true
	}
	vals := make([]value, n)
	for i, l := range data.Labels {
		if !known[l] {
			return nil, fail(at, "contract.label-domain", name, l)
		}
		vals[i] = text(l)
	}
	return vals, nil
}

// splitDate reads "YYYY-MM-DD"; it does not check that the day exists.
func splitDate(s string) (Date, bool) {
	if len(s) != 10 || s[4] != '-' || s[7] != '-' {
		return Date{}, false
	}
	digits := func(part string) int {
		n := 0
		for i := 0; i < len(part); i++ {
			if part[i] < '0' || part[i] > '9' {
				return -1
			}
			n = n*10 + int(part[i]-'0')
		}
		return n
	}
	d := Date{digits(s[:4]), digits(s[5:7]), digits(s[8:])}
	return d, d.Year >= 0 && d.Month >= 0 && d.Day >= 0
}
