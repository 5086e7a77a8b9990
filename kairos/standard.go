package kairos

import (
	"embed"
	"sync"
)

//go:embed standard/*.kairos
var standardFiles embed.FS

// StandardPremises gives the source of the standard premises by file name, in the order in which they are registered.
func StandardPremises() (names []string, sources map[string]string) {
	names = []string{"gregorian.kairos", "fiscal.kairos", "isoweek.kairos"}
	sources = map[string]string{}
	for _, n := range names {
		b, err := standardFiles.ReadFile("standard/" + n)
		if err != nil {
			panic(err) // the files are part of the program
		}
		sources[n] = string(b)
	}
	return names, sources
}

// standard holds the standard premises, read once; it is never changed.
var standard = sync.OnceValue(func() *standardSet {
	ev := &evaluation{premises: map[string]*premise{}, labels: map[string]bool{}}
	for _, l := range []string{"Following", "Preceding", "Modified", "latest", "clip", "drop", "error", "keep"} {
		ev.labels[l] = true
	}
	names, sources := StandardPremises()
	for _, n := range names {
		f, err := parseSource(sources[n])
		if err != nil {
			panic(finished(err, sources[n]))
		}
		for _, st := range f.Stmts {
			d := st.(*PremiseDef)
			unplace(d)
			if err := ev.register(d); err != nil {
				panic(err)
			}
		}
	}
	return &standardSet{ev.premises, ev.labels}
})

type standardSet struct {
	premises map[string]*premise
	labels   map[string]bool
}

// outside is the place of everything that is not in the program's text. An error there is reported where the program's
// text led to it.
var outside = Span{-1, -1}

// unplace marks all of a premise as outside of the program's text.
func unplace(d *PremiseDef) {
	for _, b := range d.Defs {
		b.Span, b.NameSpan = outside, outside
		Walk(b.Value, func(e Expr) {
			e.(interface{ place(Span) }).place(outside)
			args := func(as []Arg) {
				for i := range as {
					as[i].Span = outside
				}
			}
			switch e := e.(type) {
			case *Call:
				args(e.Args)
			case *Generate:
				args(e.Named)
			case *Pipe:
				for i := range e.Stages {
					e.Stages[i].Span = outside
					args(e.Stages[i].Args)
				}
			}
		})
	}
}

func (n *node) place(s Span) { n.span = s }

// placed gives an error that has no place in the program's text the place that led to it.
func placed(err error, at Span) error {
	if err == nil {
		return nil
	}
	switch e := err.(type) {
	case *Error:
		if e.Span == (Span{}) || e.Span.Start < 0 {
			e.Span = at
		}
	case *signal:
		if e.at.Start < 0 {
			e.at = at
		}
	}
	return err
}
