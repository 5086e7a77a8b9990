package realism

import (
	"archive/zip"
	"bytes"
	"fmt"
	"math/big"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/assaybench/assay/contract/derive"
	"github.com/assaybench/assay/contract/prose"
)

// withFiles gives the example with evidence files. Each is listed in the task under its path.
func withFiles(t testing.TB, files map[string]string) fstest.MapFS {
	t.Helper()
	f := tree(t, mooring)
	list := "evidence:\n"
	n := 0
	for p, body := range files {
		n++
		f["tasks/ferry-217/public/evidence/"+p] = &fstest.MapFile{Data: []byte(body), Mode: 0o644}
		list += fmt.Sprintf("  - {id: F-%d, path: %s, title: A file, kind: note, media_type: application/octet-stream}\n", n, p)
	}
	replace(t, f, task, "answer:\n", list+"answer:\n")
	return f
}

func workbook(t testing.TB, cells ...string) string {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	add := func(name, text string) {
		w, err := z.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(`<?xml version="1.0" encoding="UTF-8" standalone="yes"?>` + text)); err != nil {
			t.Fatal(err)
		}
	}
	add("[Content_Types].xml", `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/></Types>`)
	add("_rels/.rels", `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>`)
	add("xl/workbook.xml", `<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="S" sheetId="1" r:id="rId1"/></sheets></workbook>`)
	add("xl/_rels/workbook.xml.rels", `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`)
	rows := ""
	for i, c := range cells {
		rows += fmt.Sprintf(`<row r="%d"><c r="A%d" t="inlineStr"><is><t>%s</t></is></c></row>`, i+1, i+1, c)
	}
	add("xl/worksheets/sheet1.xml", `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>`+rows+`</sheetData></worksheet>`)
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

const mail = "From: Ada <ada@lowwater.example>\r\nTo: Wren <wren@lowwater.example>\r\nDate: Mon, 01 May 2034 09:00:00 +0000\r\nMessage-ID: <1@lowwater.example>\r\nSubject: Ropes\r\nMIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\n\r\nHow are the ropes?\r\nAda\r\n"

func rowOf(t *testing.T, rep *Report, key string) Row {
	t.Helper()
	r, ok := rep.Row(ofAssets + key)
	if !ok {
		t.Fatalf("no row of %s", key)
	}
	return r
}

func TestFiles(t *testing.T) {
	good := map[string]string{"a.csv": "lot,qty\nLT-1,4\nLT-2,3\n", "b.md": "# Ropes\nThey are old.\n", "c.eml": mail, "d.xlsx": workbook(t, "day", "1", "2"), "e.txt": "one line\n",
		"f.json": `[{"author":"Ada","time":"09:00","text":"Well?"},{"author":"Wren","time":"09:01","text":"Soon."}]`}
	rep := audited(t, opened(t, withFiles(t, good), Embedded()), "assetRoom")
	for key, want := range map[string]any{"requiresStructuredData": 2, "requiresSpreadsheet": 1, "requiresDocument": 1, "requiresCommunicationRecord": 2} {
		if r := rowOf(t, rep, key); r.Result != Pass || r.Measured != want {
			t.Errorf("%s: %s %v, want PASS %v", key, r.Result, r.Measured, want)
		}
	}
	if r := rowOf(t, rep, "minimumNativeFormatsPerTask"); r.Measured != 5 || r.Result != Fail {
		t.Errorf("formats: %s %v", r.Result, r.Measured)
	}
	if r := rowOf(t, rep, "minimumAgentVisibleFilesPerTask"); r.Measured.(map[string]any)["files"] != 5 {
		t.Errorf("files: %v; the one of a single line does not count", r.Measured)
	}
	for _, key := range []string{"nativeMagicAndParserValidation", "allAgentVisibleFilesGloballyUnique", "visibleAndVerifierOnlyArtifactsSeparated"} {
		if r := rowOf(t, rep, key); r.Result != Pass {
			t.Errorf("%s: %s %s %v", key, r.Result, r.Reason, r.Evidence)
		}
	}
}

func TestFilesThatAreNotWhatTheySay(t *testing.T) {
	rep := audited(t, opened(t, withFiles(t, map[string]string{"plan.pdf": "just words\nof two lines\n", "a.csv": "lot,qty\nLT-1,4\n", "header.xlsx": workbook(t, "only a header")}), Embedded()), "assetRoom")
	r := rowOf(t, rep, "nativeMagicAndParserValidation")
	if r.Result != Fail || !strings.Contains(fmt.Sprint(r.Evidence), "plan.pdf") {
		t.Errorf("%s %v", r.Result, r.Evidence)
	}
	if r := rowOf(t, rep, "requiresSpreadsheet"); r.Result != Fail {
		t.Errorf("a workbook of a header alone is a spreadsheet: %v", r)
	}
}

func TestCopies(t *testing.T) {
	text := "The slip is wet in spring and the crew works from the quay; ropes are kept in the loft until they are needed, and every drum takes four of them, which Ada counts herself each time.\n"
	table := "lot,qty,state\n"
	for i := range 20 {
		table += fmt.Sprintf("LT-%d,%d,%s\n", i, 3*i%7, []string{"FREE", "HELD"}[i%2])
	}
	salted := "lot,qty,state,scope\n" + strings.ReplaceAll(strings.TrimPrefix(table, "lot,qty,state\n"), "\n", ",ferry\n")
	other := strings.ReplaceAll(table, ",FREE", ",5")
	for name, c := range map[string]struct {
		files map[string]string
		want  int
	}{
		"different":        {map[string]string{"a.md": text, "b.md": "Ada wants the ropes soon.\nShe has asked twice.\n", "a.csv": table, "b.csv": other}, 0},
		"bytes":            {map[string]string{"a.md": text, "b.md": text}, 1},
		"footer":           {map[string]string{"a.md": text, "b.md": text + "\nGenerated 2034-05-01 for ferry-217, document id 4711\n"}, 1},
		"case and spaces":  {map[string]string{"a.txt": text, "b.md": strings.ToUpper(strings.ReplaceAll(text, " ", "  "))}, 1},
		"a scope column":   {map[string]string{"a.csv": table, "b.csv": salted}, 1},
		"a figure in many": {map[string]string{"a.csv": table, "b.csv": strings.Replace(table, "LT-3,2", "LT-3,6", 1)}, 1},
	} {
		r := rowOf(t, audited(t, opened(t, withFiles(t, c.files), Embedded()), "assetRoom"), "allAgentVisibleFilesGloballyUnique")
		if got := r.Measured.(map[string]any)["copies"]; got != c.want || (r.Result == Pass) != (c.want == 0) {
			t.Errorf("%s: %v copies, %s; want %d: %v", name, got, r.Result, c.want, r.Evidence)
		}
	}
}

func TestStaleTwins(t *testing.T) {
	current := "Specification SP-9 of part RP-12\nrevision: C\neffective: 2034-01-01\nropes per drum: 4\n"
	stale := "Specification SP-9 of part RP-12\nrevision: B\neffective: 2031-01-01\nropes per drum: 5\n"
	for name, c := range map[string]struct {
		a, b string
		want int
	}{
		"twins":          {current, stale, 1},
		"no effectivity": {strings.ReplaceAll(strings.ReplaceAll(current, "revision: C\n", ""), "effective: 2034-01-01\n", ""), stale, 0},
		"they agree":     {current, strings.Replace(stale, "drum: 5", "drum: 4", 1), 0},
		"two subjects":   {current, strings.NewReplacer("SP-9", "SP-8", "RP-12", "RP-7").Replace(stale), 0},
		"words alone":    {strings.Replace(current, "ropes per drum: 4", "colour: red", 1), strings.Replace(stale, "ropes per drum: 5", "colour: blue", 1), 0},
	} {
		r := opened(t, withFiles(t, map[string]string{"a.txt": c.a, "b.txt": c.b}), Embedded())
		list := r.Tasks[0].fileTwins(map[string]bool{})
		if len(list) != c.want {
			t.Errorf("%s: %v", name, list)
		}
		if c.want == 1 && (list[0].attribute != "ropes per drum" || list[0].by != "effective" || list[0].read) {
			t.Errorf("%s: %+v", name, list[0])
		}
	}
}

func TestSeparated(t *testing.T) {
	line := string(tree(t, mooring)["tasks/ferry-217/sealed/reference.jsonl"].Data)
	line, _, _ = strings.Cut(line[strings.Index(line, `{"tool":"slips.bookings.create"`):], "\n")
	for name, files := range map[string]map[string]string{
		"path": {"solution/a.md": "One.\nTwo.\n"},
		"line": {"a.md": "One.\n" + line + "\nTwo.\n"},
	} {
		r := rowOf(t, audited(t, opened(t, withFiles(t, files), Embedded()), "assetRoom"), "visibleAndVerifierOnlyArtifactsSeparated")
		if r.Result != Fail || len(r.Evidence) != 1 {
			t.Errorf("%s: %s %v", name, r.Result, r.Evidence)
		}
	}
}

func TestLeaksIn(t *testing.T) {
	day, _ := derive.ParseDay("2034-05-16")
	list := []derived{
		{name: "ready", fact: prose.Fact{Text: "2034-05-16", Day: &day}, plain: true},
		{name: "gap_pins", fact: prose.Fact{Text: "48", Number: big.NewRat(48, 1)}, words: []string{"gap", "pins"}},
		{name: "A.cost", fact: prose.Fact{Text: "1284.5", Number: big.NewRat(2569, 2)}, plain: true},
	}
	for line, want := range map[string]string{
		"She promised the sixteenth.":                              "",
		"We lie there on 16 May 2034, says the note.":              "ready is 2034-05-16",
		"on 2034-05-16":                                            "ready is 2034-05-16",
		"on 2034-05-17 or 2033-05-16":                              "",
		"48 hours of rain":                                         "",
		"the gap of pins comes to 48":                              "gap_pins is 48",
		"48 pins were bought":                                      "",
		"EUR 1,284.50 in all":                                      "A.cost is 1284.5",
		"EUR 1,284.51 in all":                                      "",
		"48 pins, says the note on the gap; on 16 May 2034 for us": "ready is 2034-05-16|gap_pins is 48",
	} {
		var got []string
		for _, e := range leaksIn(text{Where: "f", Text: line}, list) {
			got = append(got, e.Note)
		}
		if s := strings.Join(got, "|"); s != want {
			t.Errorf("%q: %q, want %q", line, s, want)
		}
	}
	if ev := leaksIn(text{Where: "f", Text: "one\n\non 16 May 2034\n"}, list); len(ev) != 1 || ev[0].Line != 3 {
		t.Errorf("%+v", ev)
	}
}
