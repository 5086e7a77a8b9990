package realism

import (
	"context"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"

	"github.com/assaybench/assay/contract/exact"
	"github.com/assaybench/assay/evidence"
)

const ofAssets = "assetRoom."

var assetChecks = []check{
	{key: ofAssets + "minimumAgentVisibleFilesPerTask", scope: OfTask, how: Static, measure: filesRow},
	{key: ofAssets + "minimumNativeFormatsPerTask", scope: OfTask, how: Static, measure: formatsRow},
	{key: ofAssets + "requiresStructuredData", scope: OfTask, how: Static, measure: someFileRow("structured data: a valid JSON or CSV file with records", structured)},
	{key: ofAssets + "requiresSpreadsheet", scope: OfTask, how: Static, measure: someFileRow("spreadsheet: a valid workbook with rows below its header", spreadsheet)},
	{key: ofAssets + "requiresDocument", scope: OfTask, how: Static, measure: someFileRow("document: a valid Markdown, PDF or DOCX file with text", document)},
	{key: ofAssets + "requiresCommunicationRecord", scope: OfTask, how: Static, measure: someFileRow("record of communication: a valid mail, or an export of a chat", communication)},
	{key: ofAssets + "requiresCurrentAndStaleOrConflictingEvidence", scope: OfTask, how: Static, measure: staleRow},
	{key: ofAssets + "requiresCrossFileIdentityAndRevisionCorrelation", scope: OfTask, how: Static, measure: correlationRow},
	{key: ofAssets + "allAgentVisibleFilesGloballyUnique", scope: OfRelease, how: Static, measure: uniqueRow},
	{key: ofAssets + "nativeMagicAndParserValidation", scope: OfTask, how: Static, measure: nativeRow},
	{key: ofAssets + "visibleAndVerifierOnlyArtifactsSeparated", scope: OfTask, how: Static, measure: separatedRow},
	{key: ofAssets + "precomputedOutcomeAgentVisible", scope: OfTask, how: Static, measure: precomputedRow},
	{key: ofAssets + "referenceTrajectoryAgentVisible", scope: OfTask, how: Static, measure: trajectoryRow},
	{key: ofAssets + "verifierContractAgentVisible", scope: OfTask, how: Static, measure: contractVisibleRow},
}

// lines counts lines that say something.
func lines(s string) int {
	n := 0
	for line := range strings.Lines(s) {
		if strings.TrimSpace(line) != "" {
			n++
		}
	}
	return n
}

// filesRow counts files that hold something. Files of nothing or of a single line are told apart and do not count.
func filesRow(_ context.Context, r *Release, l Leaf) Row {
	bound, ok := r.Standard.Rat(l.Key)
	if !ok {
		return unmeasured("the threshold is no number")
	}
	return byTask(r, func(s *Subject) Row {
		n := 0
		kinds := map[string]int{}
		var ev []Evidence
		for _, f := range s.files() {
			kinds[f.Kind]++
			holds := 0
			switch {
			case f.Doc != nil && f.Doc.Format == evidence.JSON:
				holds = scalars(f.Doc.Text)
			case f.Doc != nil:
				holds = lines(f.Doc.Text)
			}
			if holds < 2 {
				ev = append(ev, Evidence{File: s.where(f.File), Note: "holds nothing that can be read, or one line, and does not count"})
				continue
			}
			n++
		}
		measured := map[string]any{"files": n, "kinds": len(kinds)}
		row := judged(big.NewRat(int64(n), 1).Cmp(bound) >= 0, measured, counted(n, "file")+" that hold something", ev...)
		for _, k := range slices.Sorted(maps.Keys(kinds)) {
			row.Evidence = append(row.Evidence, Evidence{Note: fmt.Sprintf("%s: %d", k, kinds[k])})
		}
		return row
	})
}

func formatsRow(_ context.Context, r *Release, l Leaf) Row {
	bound, ok := r.Standard.Rat(l.Key)
	if !ok {
		return unmeasured("the threshold is no number")
	}
	return byTask(r, func(s *Subject) Row {
		have := map[string]int{}
		for _, f := range s.files() {
			if f.Doc != nil {
				have[parserClass(f.Doc.Format)]++
			}
		}
		names := slices.Sorted(maps.Keys(have))
		var ev []Evidence
		for _, n := range names {
			ev = append(ev, Evidence{Note: fmt.Sprintf("%s: %d", n, have[n])})
		}
		return judged(big.NewRat(int64(len(names)), 1).Cmp(bound) >= 0, len(names), "formats by their parsers: "+strings.Join(names, ", "), ev...)
	})
}

// parserClass names what reads a format: plain text, notes and logs are read as one thing, whatever their files end in.
func parserClass(f evidence.Format) string {
	switch f {
	case evidence.TXT, evidence.MD:
		return "text"
	}
	return string(f)
}

// someFileRow wants one file at least that is of a kind by what is in it.
func someFileRow(what string, is func(*evidence.Document) bool) func(context.Context, *Release, Leaf) Row {
	return func(_ context.Context, r *Release, l Leaf) Row {
		if l.Value == false {
			return allowed(nil)
		}
		return byTask(r, func(s *Subject) Row {
			n := 0
			var ev []Evidence
			for _, f := range s.files() {
				if f.Doc != nil && is(f.Doc) {
					n++
					ev = append(ev, Evidence{File: s.where(f.File)})
				}
			}
			if n == 0 {
				return judged(false, 0, "no "+what)
			}
			return judged(true, n, what, ev[:min(len(ev), 3)]...)
		})
	}
}

func structured(d *evidence.Document) bool {
	switch d.Format {
	case evidence.CSV:
		return filled(d.Sheets)
	case evidence.JSON:
		return scalars(d.Text) >= 2
	}
	return false
}

// scalars counts the values that a JSON text holds.
func scalars(t string) int {
	n := 0
	if v, err := exact.Decode([]byte(t)); err == nil {
		exact.Scalars(v, func(any) { n++ })
	}
	return n
}

// filled says whether a sheet has a row with something in it below its first one.
func filled(sheets []evidence.Sheet) bool {
	for _, sh := range sheets {
		rows := 0
		for _, r := range sh.Rows {
			if strings.TrimSpace(strings.Join(r, "")) != "" {
				rows++
			}
		}
		if rows >= 2 {
			return true
		}
	}
	return false
}

func spreadsheet(d *evidence.Document) bool { return d.Format == evidence.XLSX && filled(d.Sheets) }

func document(d *evidence.Document) bool {
	return (d.Format == evidence.MD || d.Format == evidence.PDF || d.Format == evidence.DOCX) && strings.TrimSpace(d.Text) != ""
}

// communication is a mail, or a list of messages that each have an author, a time and a text.
func communication(d *evidence.Document) bool {
	if d.Format == evidence.EML {
		return true
	}
	if d.Format != evidence.JSON {
		return false
	}
	v, err := exact.Decode([]byte(d.Text))
	if err != nil {
		return false
	}
	list, ok := v.([]any)
	if m, isMap := v.(map[string]any); isMap {
		for _, k := range []string{"messages", "posts", "thread", "conversation"} {
			if l, isList := m[k].([]any); isList {
				list, ok = l, true
			}
		}
	}
	if !ok || len(list) == 0 {
		return false
	}
	for _, e := range list {
		m, _ := e.(map[string]any)
		if !hasKey(m, "author", "from", "sender", "user", "who", "by") || !hasKey(m, "time", "at", "date", "sent", "ts", "timestamp", "when") || !hasKey(m, "text", "body", "message", "content", "says") {
			return false
		}
	}
	return true
}

func hasKey(m map[string]any, names ...string) bool {
	for _, n := range names {
		if s, ok := m[n].(string); ok && strings.TrimSpace(s) != "" {
			return true
		}
	}
	return false
}

func nativeRow(_ context.Context, r *Release, l Leaf) Row {
	if l.Value == false {
		return allowed(nil)
	}
	return byTask(r, func(s *Subject) Row {
		var ev []Evidence
		for _, f := range s.files() {
			if f.Err != nil {
				ev = append(ev, Evidence{File: s.where(f.File), Note: oneLine(f.Err.Error())})
			}
		}
		n := len(s.files())
		if n == 0 {
			return judged(false, map[string]any{"files": 0, "invalid": 0}, "there is no file to validate")
		}
		return judged(len(ev) == 0, map[string]any{"files": n, "invalid": len(ev)}, fmt.Sprintf("of %d files, %d are not what ending, first bytes and parser say together", n, len(ev)), ev...)
	})
}
