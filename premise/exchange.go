package premise

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/assaybench/assay/bench"
)

// Format is the name of the published files' format, for import and export.
const Format = "kairos-premise"

// Names of the files of the format. The texts of the prompt have no names of their own there; these are what an export
// gives them.
const (
	fileProblems    = "problems.jsonl"
	fileAnswers     = "answers.jsonl"
	filePrelude     = "prelude.kairos"
	fileReturn      = "what-to-return.md"
	fileDeclaration = "declaration.md"
	fileRules       = "rules.md"
	fileSkill       = "skill.md"
	filePreludePart = "prelude.md" // the prelude's place in the prompt
	fileRepair      = "repair.md"
)

// Published is a published set of problems with the texts of its prompt. Return and Rules may be nil: not given.
type Published struct {
	Problems    []byte // {id, prompt, allDay, from, to, ambiguity, expected, interpretations: [{key, assumption, expected}]}, one a line
	Answers     []byte // {id, bodies: [{key, body}]}, one a line
	Prelude     []byte
	Declaration []byte // how to declare what was filled in
	Skill       []byte // how to write the language
	Return      []byte // what to return
	Rules       []byte
	Forms       []byte // an export's file of the messages' forms; nil: the published protocol's
}

// Imported is the bench that an import makes.
type Imported struct {
	Files map[string][]byte // by path in the bench's folder
	Notes []string          // what is not the published set's own, or was left out; one line each
	Check *SelfCheck
}

// Import makes a bench of a published set: its requirements byte for byte, its readings with their bodies and points, and
// controls made from them. What is wrong with a file is an error that names file, line and problem; a body that does not
// give its points is none, and stands in Check.
func Import(ctx context.Context, p Published) (*Imported, error) {
	out, set, err := build(p)
	if err != nil {
		return nil, err
	}
	out.Check, err = set.SelfCheck(ctx)
	return out, err
}

// build makes the bench of an import and compiles it.
func build(p Published) (*Imported, *Set, error) {
	lines, unknown, err := readLines(fileProblems, p.Problems, false)
	if err != nil {
		return nil, nil, err
	}
	out := &Imported{Files: map[string][]byte{}, Notes: unknown}
	if err := out.addBodies(lines, p.Answers); err != nil {
		return nil, nil, err
	}
	place := map[string]int{}
	for _, l := range lines {
		out.Files["items/"+l.ID+".yaml"] = l.item()
		place[l.ID] = l.at
	}
	f, err := readForms(p.Forms)
	if err != nil {
		return nil, nil, err
	}
	out.addTexts(p, f)
	if err := out.addManifest(lines, p, f); err != nil {
		return nil, nil, err
	}
	fsys, err := treeOf(out.Files)
	if err != nil {
		return nil, nil, err
	}
	b, err := bench.Load(fsys, "the imported set")
	if err != nil {
		return nil, nil, inFile(fileProblems, place, err)
	}
	set, err := Compile(b)
	if err != nil {
		return nil, nil, inFile(fileProblems, place, err)
	}
	return out, set, nil
}

// answersLine is a problem's bodies as they are published.
type answersLine struct {
	ID     string        `json:"id"`
	Bodies []answersBody `json:"bodies"`
}

type answersBody struct {
	Key  string `json:"key"`
	Body string `json:"body"`
}

// addBodies gives every reading its body.
func (im *Imported) addBodies(lines []line, answers []byte) error {
	seen := map[string]bool{}
	place := make(map[string]int, len(lines))
	for n, l := range lines {
		place[l.ID] = n
	}
	for i, text := range bytes.Split(answers, []byte("\n")) {
		if len(bytes.TrimSpace(text)) == 0 {
			continue
		}
		at := func(format string, args ...any) error {
			return &bench.Error{File: fileAnswers, Line: i + 1, Msg: fmt.Sprintf(format, args...)}
		}
		m := memberReader{}
		v, err := parseLine(text)
		if err != nil {
			return at("not {id, bodies: [{key, body}]}: %v", err)
		}
		a, err := m.answers(v)
		if err != nil {
			return at("not {id, bodies: [{key, body}]}: %v", err)
		}
		for _, u := range m.unknown {
			im.Notes = append(im.Notes, fmt.Sprintf("%s:%d: the member %q is left out", fileAnswers, i+1, clip(u, 40)))
		}
		n, known := place[a.ID]
		switch {
		case !known:
			return at("there is no problem %q", clip(a.ID, 40))
		case seen[a.ID]:
			return at("problem %s: its bodies stand on another line, too", a.ID)
		}
		seen[a.ID] = true
		inOrder := len(a.Bodies) == len(lines[n].Readings)
		given := map[string]bool{}
		for k, b := range a.Bodies {
			if given[b.Key] {
				return at("problem %s: the interpretation %q has two bodies", a.ID, clip(b.Key, 40))
			}
			given[b.Key] = true
			r := slices.IndexFunc(lines[n].Readings, func(r lineReading) bool { return r.Key == b.Key })
			if r < 0 {
				return at("problem %s: there is no interpretation %q", a.ID, clip(b.Key, 40))
			}
			inOrder = inOrder && r == k
			lines[n].Readings[r].Body = b.Body
		}
		if !inOrder {
			im.Notes = append(im.Notes, fmt.Sprintf("%s:%d: the bodies of %s are kept in the order of its interpretations", fileAnswers, i+1, a.ID))
		}
	}
	for _, l := range lines {
		for _, r := range l.Readings {
			if strings.TrimSpace(r.Body) == "" {
				return &bench.Error{File: fileAnswers, Msg: fmt.Sprintf("problem %s: the interpretation %q has no body", l.ID, clip(r.Key, 40))}
			}
		}
	}
	return nil
}

// Texts of this program's own, where the published set's are not given.
const (
	ownReturn = `上の前文は固定である。依頼ごとに、前文の後に続けて書く Kairos の本体を 1 つだけ返す。質問はせず、依頼文だけから案を作る。

返答は次の形の JSON オブジェクト 1 個とし、その前後に文章や囲みを付けない。

{"body": "本体", "explanation": "本体の短い説明", "assumptions": [{"topic": "種類", "statement": "補った内容の 1 文"}]}
`
	ownReturnEnglish = `The prelude above is fixed. For each requirement return one Kairos body, which is read behind the prelude. Ask nothing back; go by the
requirement alone.

The reply is one JSON object of this form, with no text and no fence around it.

{"body": "the body", "explanation": "a short explanation", "assumptions": [{"topic": "kind", "statement": "one sentence on what was filled in"}]}
`
	ownRepair = `この返答は受け取れなかった。理由:

{diagnostic}

理由に当たる所を直し、JSON オブジェクト全体をもう一度返す。
`
)

// addTexts adds the files of the prompt.
func (im *Imported) addTexts(p Published, f forms) {
	add := func(name string, text []byte) {
		im.Files["fixtures/"+name] = bytes.Clone(text)
		if name != filePreludePart && name != filePrelude && bytes.Contains(text, []byte("{prelude}")) {
			im.Notes = append(im.Notes, name+`: it holds "{prelude}", in whose place the prelude will stand`)
		}
	}
	add(filePrelude, p.Prelude)
	add(filePreludePart, []byte("{prelude}\n"))
	add(fileDeclaration, p.Declaration)
	add(fileSkill, p.Skill)
	add(fileRepair, []byte(f.Repair))
	if p.Forms == nil {
		im.Notes = append(im.Notes, "the words by which a model is asked to mend its reply are this program's own ("+fileRepair+")")
	}
	if p.Return == nil {
		p.Return = []byte(map[bool]string{true: ownReturnEnglish, false: ownReturn}[f.Language == "en"])
		im.Notes = append(im.Notes, "what to return: not given, and this program's own words stand in its place ("+fileReturn+")")
	}
	add(fileReturn, p.Return)
	if p.Rules == nil {
		im.Notes = append(im.Notes, "rules: not given, and left out of the prompt")
		return
	}
	add(fileRules, p.Rules)
}

// origin is what an imported bench keeps so that an export gives back what was imported.
type origin struct {
	Format string   `json:"format"`
	Order  []string `json:"order"` // of the problems in their file
	Own    []string `json:"own"`   // fixtures that are not the published set's
}

func (im *Imported) addManifest(lines []line, p Published, f forms) error {
	plain := 0
	o := origin{Format: Format, Own: []string{filePreludePart, fileRepair}}
	for _, l := range lines {
		if len(l.Ambiguity) == 0 {
			plain++
		}
		o.Order = append(o.Order, l.ID)
	}
	system := []string{filePreludePart, fileReturn, fileDeclaration, fileRules, fileSkill}
	if p.Rules == nil {
		system = slices.DeleteFunc(system, func(s string) bool { return s == fileRules })
	}
	if p.Return == nil {
		o.Own = append(o.Own, fileReturn)
	}
	type family struct {
		ID    string `json:"id"`
		Title string `json:"title"`
		Quota int    `json:"quota"`
	}
	out, err := json.MarshalIndent(struct {
		ID          string         `json:"id"`
		Version     string         `json:"version"`
		Title       string         `json:"title"`
		Shape       string         `json:"shape"`
		Licence     string         `json:"licence"`
		Attribution string         `json:"attribution"`
		Notice      string         `json:"notice"`
		Limits      []string       `json:"limits"`
		Families    []family       `json:"families"`
		Counts      map[string]int `json:"counts"`
		Protocol    any            `json:"protocol"`
		Premise     any            `json:"premise"`
		Origin      origin         `json:"origin"`
	}{
		"kairos-premise", "1", "Unstated premises, imported", bench.ShapePremise, "that of the imported files", "whoever published the imported files",
		"imported: problems, readings, bodies and the texts of the prompt are those of the imported files but for what the limits name",
		append([]string{"The protocol and the controls are this program's own."}, im.Notes...),
		[]family{{"unstated", "One premise or more is left open", len(lines) - plain}, {"plain", "Nothing is left open", plain}},
		map[string]int{"frozen": len(lines), "drafted": len(lines), "exact": len(lines), "proxy": 0},
		map[string]any{"repeats": 1, "pass_rule": "all", "context": 32768, "default_posture": "effort-high",
			"postures": map[string]any{"effort-high": map[string]any{"thinking": "high", "max_output": 16384, "timeout": "600s"}}},
		map[string]any{"language": f.Language, "tz": f.TZ, "prelude": filePrelude, "system": system, "user": f.User, "user_all_day": f.UserAllDay, "repair": fileRepair},
		o,
	}, "", "  ")
	im.Files["bench.yaml"] = append(out, '\n')
	return err
}

// The message of the published protocol.
const (
	userTemplate       = "要件: {prompt}"
	userAllDayTemplate = "要件: {prompt}（終日でよい）"
)
