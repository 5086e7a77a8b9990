package premise

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/assaybench/assay/bench"
)

// Export writes a bench of authoring problems as the published files, keyed by name; lossy lists what has no place in them.
// A bench that Import made gives back the JSON values and the texts that it was made of.
func Export(b *bench.Bench) (files map[string][]byte, lossy []string, err error) {
	set, err := Compile(b)
	if err != nil {
		return nil, nil, err
	}
	o, err := readOrigin(b)
	if err != nil {
		return nil, nil, err
	}
	files = map[string][]byte{}
	var problems, answers bytes.Buffer
	glosses, controls := 0, 0
	for _, id := range exportOrder(set, o) {
		p, err := set.Problem(id)
		if err != nil {
			return nil, nil, err
		}
		if !p.Frozen {
			lossy = append(lossy, "the draft "+id)
			continue
		}
		if p.Gloss != "" {
			glosses++
		}
		controls += len(p.controls)
		l := line{ID: p.ID, Prompt: p.Prompt, AllDay: p.AllDay, From: p.From.String(), To: p.To.String(), Ambiguity: []string{}, Expected: p.Readings[0].Expected}
		a := answersLine{ID: p.ID}
		for _, e := range p.Undeclared {
			l.Ambiguity = append(l.Ambiguity, e.String())
		}
		for _, r := range p.Readings {
			l.Readings = append(l.Readings, lineReading{Key: r.Key, Assumption: r.Assumption, Expected: r.Expected})
			a.Bodies = append(a.Bodies, answersBody{r.Key, r.Body})
		}
		if err := writeLine(&problems, l); err != nil {
			return nil, nil, err
		}
		if err := writeLine(&answers, a); err != nil {
			return nil, nil, err
		}
	}
	files[fileProblems], files[fileAnswers] = problems.Bytes(), answers.Bytes()
	if glosses > 0 {
		lossy = append(lossy, fmt.Sprintf("the glosses of %s", many(glosses, "problem")))
	}
	if controls > 0 && o.Format == "" {
		lossy = append(lossy, fmt.Sprintf("%s (an import makes others)", many(controls, "control")))
	}
	more, err := set.exportTexts(files, o)
	return files, append(lossy, more...), err
}

// exportTexts adds the texts of the prompt.
func (s *Set) exportTexts(files map[string][]byte, o origin) (lossy []string, err error) {
	own := s.bench.Own
	names, err := own.Get("system").AsTexts()
	if err != nil {
		return nil, err
	}
	for _, name := range append([]string{own.Get("prelude").Text}, names...) {
		if slices.Contains(o.Own, name) {
			continue
		}
		data, err := s.bench.Fixture(name)
		if err != nil {
			return nil, err
		}
		as := path.Base(name)
		if name == own.Get("prelude").Text {
			as = filePrelude
		}
		if _, ok := files[as]; ok {
			return nil, &bench.Error{File: "fixtures/" + name, Msg: "two files would be written as " + as}
		}
		files[as] = data
	}
	f, kept, err := s.forms()
	if err != nil {
		return nil, err
	}
	if o.Format == "" {
		what := "families, protocol, and what bench.yaml says of the bench"
		if !kept {
			what = "the words by which a reply is to be mended, " + what
		}
		lossy = append(lossy, what)
	}
	if !kept {
		return lossy, nil
	}
	if _, ok := files[fileForms]; ok {
		return nil, &bench.Error{File: "fixtures", Msg: "two files would be written as " + fileForms}
	}
	files[fileForms], err = f.file()
	return lossy, err
}

// readOrigin reads what Import left behind; the zero value where the bench is not an imported one.
func readOrigin(b *bench.Bench) (origin, error) {
	n := b.Origin
	if n == nil || n.Get("format") == nil || n.Get("format").Text != Format {
		return origin{}, nil
	}
	o := origin{Format: Format}
	for _, part := range []struct {
		key string
		to  *[]string
	}{{"order", &o.Order}, {"own", &o.Own}} {
		v := n.Get(part.key)
		if v == nil {
			continue
		}
		texts, err := v.AsTexts()
		if err != nil {
			return origin{}, err
		}
		*part.to = texts
	}
	return o, nil
}

// exportOrder is that of the imported file, and for what it does not name that of the bench.
func exportOrder(s *Set, o origin) []string {
	var out []string
	ids := s.bench.IDs()
	for _, id := range append(slices.Clone(o.Order), ids...) {
		if slices.Contains(ids, id) && !slices.Contains(out, id) {
			out = append(out, id)
		}
	}
	return out
}

func writeLine(to *bytes.Buffer, v any) error {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return err
	}
	to.WriteString(b.String())
	return nil
}
