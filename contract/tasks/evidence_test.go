package tasks

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/xuri/excelize/v2"

	"github.com/assaybench/assay/world"
)

const evidenceDir = "tasks/" + ferry + "/public/evidence/"

// pdf writes a file of one page for each 48 lines.
func pdf(lines []string) []byte {
	var b bytes.Buffer
	var at []int
	obj := func(s string) {
		at = append(at, b.Len())
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", len(at), s)
	}
	pages := (len(lines) + 47) / 48
	kids := ""
	for i := range pages {
		kids += fmt.Sprintf("%d 0 R ", 4+2*i)
	}
	b.WriteString("%PDF-1.4\n")
	obj("<< /Type /Catalog /Pages 2 0 R >>")
	obj(fmt.Sprintf("<< /Type /Pages /Kids [%s] /Count %d >>", kids, pages))
	obj("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>")
	for i := range pages {
		c := "BT /F1 9 Tf 12 TL 40 800 Td\n"
		for _, line := range lines[48*i : min(48*i+48, len(lines))] {
			c += "(" + line + ") Tj T*\n"
		}
		c += "ET"
		obj(fmt.Sprintf("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 842 842] /Resources << /Font << /F1 3 0 R >> >> /Contents %d 0 R >>", 5+2*i))
		obj(fmt.Sprintf("<< /Length %d >>\nstream\n%s\nendstream", len(c), c))
	}
	start := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(at)+1)
	for _, o := range at {
		fmt.Fprintf(&b, "%010d 00000 n \n", o)
	}
	fmt.Fprintf(&b, "trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n", len(at)+1, start)
	return b.Bytes()
}

const clause = "A rope that was held under load for longer than the holding time, or that lay in the sun, is not used again, whatever its own papers say of it."

// specification gives 60 lines, one of them longer than any page used to keep, and the figure far down.
func specification() []string {
	var out []string
	for i := range 60 {
		out = append(out, fmt.Sprintf("%d. Clause number %d of the specification.", i+1, i+1))
	}
	out[30], out[57] = clause, "Ropes per drum: 4"
	return out
}

// byEvidence gives the example with its specification as an evidence file, which the contract reads by assay.evidence.
func byEvidence(t testing.TB, name string, data []byte, within, words string) fstest.MapFS {
	m := files(t)
	m[evidenceDir+name] = &fstest.MapFile{Data: data}
	edit(t, m, taskFile, "answer:\n", "evidence:\n  - {path: "+name+", title: Specification of the drums}\nanswer:\n")
	edit(t, m, keyFile, "{tool: files.read, args: {file_id: SPEC-4}, at: /values/ropes_per_drum,", "{tool: assay.evidence, args: {path: "+name+"}, at: /text, within: "+within+",")
	edit(t, m, keyFile, "{tool: files.read, result: {/file_id: SPEC-4, /values/ropes_per_drum: 4}}", "{tool: assay.evidence, args: {path: "+name+"}, result: {/text: {contains: ["+words+"]}}}")
	for _, file := range []string{refFile, sealedDir + "controls/counts-held-lots.jsonl"} {
		edit(t, m, file, `{"tool":"files.read","args":{"file_id":"SPEC-4"}}`, `{"tool":"assay.evidence","args":{"path":"`+name+`"}}`)
	}
	return m
}

// TestEvidenceIsReadWhole: what a PDF shows is what the agent reads and what the key is derived from, the last line and the longest
// as well; a file that lost them gives no key.
func TestEvidenceIsReadWhole(t *testing.T) {
	lines := specification()
	if len(clause) < 140 {
		t.Fatalf("the clause has %d characters", len(clause))
	}
	m := byEvidence(t, "spec.pdf", pdf(lines), "{after: Ropes per drum}", "Ropes per drum")
	s, task := compiled(t, m)
	if got := faults(t, s); len(got) > 0 {
		t.Errorf("faults: %q", got)
	}
	if v := grade(t, s, reference(m)...); !v.Pass {
		t.Errorf("the reference fails %v", broken(v))
	}
	unread := with(t, reference(m), `{"tool":"assay.evidence","args":{"path":"spec.pdf"}}`, `{"tool":"files.read","args":{"file_id":"SPEC-4"}}`)
	if v := grade(t, s, unread...); len(broken(v)) != 1 || broken(v)[0] != "investigation.spec" {
		t.Errorf("without the file it fails %v", broken(v))
	}
	text := shownFile(t, task, "spec.pdf")["text"].(string)
	var got []string
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			got = append(got, line)
		}
	}
	if strings.Join(got, "\n") != strings.Join(lines, "\n") {
		t.Errorf("the file shows\n%s", text)
	}
	m[evidenceDir+"spec.pdf"] = &fstest.MapFile{Data: pdf(lines[:48])}
	if _, err := compile(m); err == nil || !strings.Contains(err.Error(), `the words "Ropes per drum" stand 0 times in the text`) || !strings.HasPrefix(err.Error(), keyFile+":") {
		t.Errorf("a file that lost its end gives %v", err)
	}
}

// shownFile gives what assay.evidence gives of a file.
func shownFile(t testing.TB, task *Task, path string) map[string]any {
	t.Helper()
	ctx := context.Background()
	s, err := task.Session(ctx, "x")
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	e, err := s.Call(ctx, world.Call{Actor: world.Agent, Surface: "loop", Tool: world.ToolEvidence, Args: []byte(`{"path":"` + path + `"}`)})
	if err != nil || !e.OK() {
		t.Fatalf("%v, %+v", err, e)
	}
	var out map[string]any
	if err := json.Unmarshal(e.Result, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// TestDigestOfTheFile: the digest and the size that an agent is told are those of the bytes that it gets, and not of the text that
// was taken out of them.
func TestDigestOfTheFile(t *testing.T) {
	book := excelize.NewFile()
	defer book.Close()
	for i, row := range [][]any{{"drum", "ropes"}, {"D-1", 4}} {
		if err := book.SetSheetRow("Sheet1", fmt.Sprintf("A%d", i+1), &row); err != nil {
			t.Fatal(err)
		}
	}
	var b bytes.Buffer
	if err := book.Write(&b); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, within, words string
		data                []byte
	}{
		{"spec.pdf", "{after: Ropes per drum}", "Ropes per drum", pdf(specification())},
		{"spec.xlsx", "{after: 'D-1,'}", "D-1", b.Bytes()},
		{"spec.md", "{after: Ropes per drum}", "Ropes per drum", []byte("Ropes per drum: 4\n")},
	} {
		m := byEvidence(t, c.name, c.data, c.within, c.words)
		s, task := compiled(t, m)
		if v := grade(t, s, reference(m)...); !v.Pass {
			t.Errorf("%s: the reference fails %v", c.name, broken(v))
		}
		sum := sha256.Sum256(c.data)
		want := hex.EncodeToString(sum[:])
		got := shownFile(t, task, c.name)
		text := got["text"].(string)
		ofText := sha256.Sum256([]byte(text))
		if got["sha256"] != want || got["size"] != float64(len(c.data)) {
			t.Errorf("%s: the digest is %v of %v bytes", c.name, got["sha256"], got["size"])
		}
		if plain := c.name == "spec.md"; plain != (hex.EncodeToString(ofText[:]) == want) || plain != (got["base64"] == nil) {
			t.Errorf("%s: text and bytes are confused", c.name)
		} else if !plain {
			raw, err := base64.StdEncoding.DecodeString(got["base64"].(string))
			if err != nil || !bytes.Equal(raw, c.data) {
				t.Errorf("%s: other bytes are handed out: %v", c.name, err)
			}
		}
		if f := task.Public.Evidence[0]; f.SHA256 != want || f.Size != len(c.data) {
			t.Errorf("%s is listed with the digest %s of %d bytes", c.name, f.SHA256, f.Size)
		}
	}
}

// TestHiddenVocabulary: a value that the world takes and no schema, description or record shows is one that a reference cannot
// know; with the values declared it is known.
func TestHiddenVocabulary(t *testing.T) {
	m := files(t)
	edit(t, m, "world/tools.yaml", "        vessel: {type: string}\n        request_key", "        vessel: {type: string}\n        berth: {type: string}\n        request_key")
	edit(t, m, keyFile, `vessel: "217"}`+"\n    rows", `vessel: "217", berth: alongside}`+"\n    rows")
	for _, file := range []string{refFile, sealedDir + "controls/counts-held-lots.jsonl"} {
		edit(t, m, file, `"vessel":"217"}`, `"vessel":"217","berth":"alongside"}`)
	}
	s, _ := compiled(t, m)
	got := strings.Join(faults(t, s), "\n")
	for _, want := range []string{
		`the change booking must give "alongside", which stands neither in the request nor in any read`,
		refFile + ":10: " + ferry + ": slips.bookings.create gives alongside as berth",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("not told: %s\n%s", want, got)
		}
	}
	edit(t, m, "world/tools.yaml", "berth: {type: string}", "berth: {type: string, enum: [alongside, afloat]}")
	s, _ = compiled(t, m)
	if got := faults(t, s); len(got) > 0 {
		t.Errorf("declared, it is still at fault: %q", got)
	}
}
