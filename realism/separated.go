package realism

import (
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/assaybench/assay/contract/exact"
	"github.com/assaybench/assay/realism/wording"
	"github.com/assaybench/assay/world"
)

// longLine is from how many characters a line of a sealed file is its own, and no common one.
const longLine = 48

var sealedPath = regexp.MustCompile(`(?i)(?:^|/)(?:sealed|solution|oracle|verifier|grader)(?:/|$)|(?:^|/)(?:contract\.ya?ml|reference\.jsonl|faults\.ya?ml|expected\.[a-z]+|answer[s_-]?key[^/]*)$`)

// separatedRow holds the two trees apart: no public path that is a sealed one's, and no sealed file's bytes or long lines in
// a public one.
func separatedRow(_ context.Context, r *Release, l Leaf) Row {
	if l.Value == false {
		return allowed(nil)
	}
	return byTask(r, func(s *Subject) Row {
		sealed, err := s.sealed()
		if err != nil {
			return unmeasured(oneLine(err.Error()))
		}
		own := map[string]string{} // long line to the sealed file that it is of
		whole := map[string]string{}
		for _, p := range slices.Sorted(maps.Keys(sealed)) {
			if strings.Contains(p, "/sealed/seed/") {
				continue // rows that the world shows are no secret of the verifier's
			}
			whole[strings.TrimSpace(sealed[p])] = p
			for line := range strings.Lines(sealed[p]) {
				if line = strings.TrimSpace(line); len(line) >= longLine {
					own[line] = p
				}
			}
		}
		var ev []Evidence
		for _, f := range s.files() {
			if sealedPath.MatchString(f.Path) {
				ev = append(ev, Evidence{File: s.where(f.File), Note: "a path that is the verifier's"})
			}
			body := string(f.Data)
			if f.Doc != nil {
				body = f.Doc.Text
			}
			if p := whole[strings.TrimSpace(body)]; p != "" {
				ev = append(ev, Evidence{File: s.where(f.File), Note: "is " + p})
				continue
			}
			n := 0
			for line := range strings.Lines(body) {
				n++
				if p := own[strings.TrimSpace(line)]; p != "" {
					ev = append(ev, Evidence{File: s.where(f.File), Line: n, Span: strings.TrimSpace(line), Note: "a line of " + p})
				}
			}
		}
		return judged(len(ev) == 0, map[string]any{"public": len(s.files()) + 1, "sealed": len(sealed), "shared": len(ev)},
			fmt.Sprintf("%s of the sealed part in the public one", counted(len(ev), "piece")), ev...)
	})
}

// orderedTools is from how many of the reference's tools, in its order, a text gives the way away.
const orderedTools = 4

// handleShare is which part of the reads a task's handles may give, of 100.
const handleShare = 30

// trajectoryRow looks for the reference's way in what an agent can see: its tools in order, its arguments, or handles that
// already name most of what must be found.
func trajectoryRow(ctx context.Context, r *Release, l Leaf) Row {
	if l.Value == true {
		return allowed(nil)
	}
	return byTask(r, func(s *Subject) Row {
		p, err := s.Reference(ctx)
		if err != nil {
			return unmeasured(oneLine(err.Error()))
		}
		var names []string
		bundles := map[string]bool{}
		asked, held := map[string]bool{}, map[string]bool{}
		for i := range p.Events {
			e := &p.Events[i]
			if server, _, _ := strings.Cut(e.Tool, "."); server == world.BuiltinServer {
				continue
			}
			if len(names) == 0 || names[len(names)-1] != e.Tool {
				names = append(names, e.Tool)
			}
			if len(e.Args) > 16 {
				bundles[string(e.Args)] = true
			}
			if args, err := exact.Decode(e.Args); err == nil && len(e.Effect) == 0 {
				exact.Scalars(args, func(v any) {
					if t, ok := v.(string); ok {
						asked[t] = true
					}
				})
			}
		}
		for _, h := range s.Public.Handles {
			if asked[h.Value] {
				held[h.Value] = true
			}
		}
		var ev []Evidence
		told, err := s.public()
		if err != nil {
			return unmeasured(oneLine(err.Error()))
		}
		for _, t := range told {
			if got := inOrder(t.Text, names); len(got) >= orderedTools {
				ev = append(ev, Evidence{File: t.Where, Line: t.Line, Cell: t.Field, Span: strings.Join(got, ", "), Note: "the reference's tools in its order"})
			}
			n := 0
			for b := range bundles {
				if strings.Contains(t.Text, b) {
					n++
				}
			}
			if n >= 2 {
				ev = append(ev, Evidence{File: t.Where, Line: t.Line, Cell: t.Field, Note: fmt.Sprintf("the arguments of %d of the reference's calls", n)})
			}
		}
		if len(held) >= orderedTools && 100*len(held) >= handleShare*len(asked) {
			ev = append(ev, Evidence{File: s.File, Cell: "handles", Span: strings.Join(slices.Sorted(maps.Keys(held)), ", "), Note: fmt.Sprintf("handles give %d of the %d values that the reference asks for", len(held), len(asked))})
		}
		return judged(len(ev) == 0, map[string]any{"handles": len(held), "asked": len(asked), "places": len(ev)}, counted(len(ev), "place")+" that shows the reference's way", ev...)
	})
}

// inOrder gives the reference's tools that a text names in the order of the reference, from the first such run that is long
// enough on. A list in the order of the alphabet shows no way, unless the reference has that order itself.
func inOrder(t string, names []string) []string {
	var said []string
	for _, m := range toolWord.FindAllString(t, 20000) {
		if slices.Contains(names, m) && (len(said) == 0 || said[len(said)-1] != m) {
			said = append(said, m)
		}
	}
	if len(said) < orderedTools || slices.IsSorted(said) {
		return nil
	}
	var best []string
	at := 0
	var run []string
	for _, m := range said {
		k := slices.Index(names[at:], m)
		if k < 0 {
			run, at = nil, 0
			if k = slices.Index(names, m); k < 0 {
				continue
			}
		}
		run, at = append(run, m), at+k+1
		if len(run) > len(best) {
			best = slices.Clone(run)
		}
	}
	return best
}

var toolWord = regexp.MustCompile(`[a-z][a-z0-9_]*(?:\.[a-z][a-z0-9_]*){1,2}`)

// sealedWindow is how many words in a row, shared with the contract, are no chance.
const sealedWindow = 8

var sealedTerm = regexp.MustCompile(`\b(?:investigations|derivations|any_of|readbacks|containment|schema_errors|reference\.jsonl|contract\.ya?ml)\b`)

// contractVisibleRow looks for the contract in what an agent can see: its words, its ids, its keys.
func contractVisibleRow(_ context.Context, r *Release, l Leaf) Row {
	if l.Value == true {
		return allowed(nil)
	}
	return byTask(r, func(s *Subject) Row {
		c := s.Contract()
		var says []string
		ids := map[string]bool{}
		for _, v := range c.Investigations {
			says, ids[v.ID] = append(says, v.Says), true
		}
		for _, v := range c.Changes {
			says, ids[v.ID] = append(says, v.Says), true
		}
		for _, v := range c.Readbacks {
			ids[v.ID] = true
		}
		for _, v := range c.Messages {
			ids[v.ID] = true
		}
		for _, name := range c.Program.Names() {
			ids[name] = true
		}
		for _, f := range s.Public.Answer {
			delete(ids, f.Name) // a derivation may be called as the field that it fills
		}
		public := map[string]bool{}
		for _, n := range s.vocabulary().Names {
			public[n] = true
		}
		secret := map[string]bool{}
		for _, t := range says {
			words := wording.Words(t)
			if len(words) >= sealedWindow {
				for k := range wording.Shingles(words, sealedWindow) {
					secret[k] = true
				}
			}
		}
		told, err := s.public()
		if err != nil {
			return unmeasured(oneLine(err.Error()))
		}
		var ev []Evidence
		for _, t := range told {
			for _, m := range sealedTerm.FindAllString(t.Text, 5) {
				ev = append(ev, Evidence{File: t.Where, Line: t.Line, Cell: t.Field, Span: m, Note: "a word of contracts"})
			}
			for k := range wording.Shingles(wording.Words(t.Text), sealedWindow) {
				if secret[k] {
					ev = append(ev, Evidence{File: t.Where, Line: t.Line, Cell: t.Field, Span: k, Note: "words of the contract"})
					break
				}
			}
			for _, m := range compoundID.FindAllString(t.Text, 20000) {
				if ids[m] && !public[m] {
					ev = append(ev, Evidence{File: t.Where, Line: t.Line, Cell: t.Field, Span: m, Note: "an id of the contract"})
					delete(ids, m)
				}
			}
		}
		slices.SortStableFunc(ev, func(a, b Evidence) int { return strings.Compare(a.File+a.Cell+a.Span, b.File+b.Cell+b.Span) })
		return judged(len(ev) == 0, len(ev), counted(len(ev), "piece")+" of the contract in what an agent can see", ev...)
	})
}

// compoundID is a name that no sentence has: with _ inside, or of three parts.
var compoundID = regexp.MustCompile(`\b[a-z][a-z0-9]*(?:_[a-z0-9]+)+\b|\b[a-z][a-z0-9]*(?:-[a-z0-9]+){2,}\b`)
