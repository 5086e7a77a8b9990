package evidence

import (
	"archive/zip"
	"bytes"
	"compress/zlib"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"
)

func workbook(t testing.TB, rows ...[]any) []byte {
	t.Helper()
	f := excelize.NewFile()
	defer f.Close()
	f.SetSheetName("Sheet1", "Capacity  wk 15")
	for i, r := range rows {
		if err := f.SetSheetRow("Capacity  wk 15", fmt.Sprintf("A%d", i+1), &r); err != nil {
			t.Fatal(err)
		}
	}
	var b bytes.Buffer
	if err := f.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

type member struct{ name, data string }

func archive(t testing.TB, members ...member) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, m := range members {
		w, err := z.Create(m.name)
		if err != nil {
			t.Fatal(err)
		}
		w.Write([]byte(m.data))
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func word(t testing.TB, body string) []byte {
	return archive(t,
		member{"[Content_Types].xml", `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/word/document.xml" ContentType="` + typeDOCX + `"/></Types>`},
		member{"_rels/.rels", `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>`},
		member{"word/document.xml", `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>` + body + `</w:body></w:document>`})
}

// page writes a PDF of one page for each text, with its content packed when asked; extra stands in the catalog.
func page(packed bool, extra string, texts ...string) []byte {
	var b bytes.Buffer
	var at []int
	obj := func(s string) {
		at = append(at, b.Len())
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", len(at), s)
	}
	b.WriteString("%PDF-1.4\n")
	kids := ""
	for i := range texts {
		kids += fmt.Sprintf("%d 0 R ", 4+2*i)
	}
	obj("<< /Type /Catalog /Pages 2 0 R " + extra + " >>")
	obj(fmt.Sprintf("<< /Type /Pages /Kids [%s] /Count %d >>", kids, len(texts)))
	obj("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>")
	for i, s := range texts {
		obj(fmt.Sprintf("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R >> >> /Contents %d 0 R >>", 5+2*i))
		c, filter := "BT /F1 11 Tf 14 TL 56 780 Td\n", ""
		for _, line := range strings.Split(s, "\n") {
			c += "(" + strings.NewReplacer("(", `\(`, ")", `\)`, `\`, `\\`).Replace(line) + ") Tj T*\n"
		}
		c += "ET"
		if packed {
			var z bytes.Buffer
			w := zlib.NewWriter(&z)
			w.Write([]byte(c))
			w.Close()
			c, filter = z.String(), "/Filter /FlateDecode "
		}
		obj(fmt.Sprintf("<< %s/Length %d >>\nstream\n%s\nendstream", filter, len(c), c))
	}
	start := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(at)+1)
	for _, o := range at {
		fmt.Fprintf(&b, "%010d 00000 n \n", o)
	}
	fmt.Fprintf(&b, "trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n", len(at)+1, start)
	return b.Bytes()
}

const letter = "From: Ines Vale <ines@example.org>\r\nTo: \"Kai, O.\" <kai@example.org>, lab@example.org\r\nDate: Mon, 07 Apr 2031 09:12:00 +0200\r\n" +
	"Message-ID: <77a@example.org>\r\nSubject: =?iso-8859-1?Q?Pr=FCfung?= of lot 4\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n" +
	"--x\r\nContent-Type: text/plain; charset=iso-8859-1\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\nGepr=FCft, 12 pieces.\r\n" +
	"--x\r\nContent-Type: text/csv\r\nContent-Disposition: attachment; filename=\"lot.csv\"\r\n\r\na,b\r\n1,2\r\n--x--\r\n"

const month = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//plant//EN\r\nBEGIN:VEVENT\r\nUID:1@p\r\nDTSTAMP:20310401T080000Z\r\nDTSTART;VALUE=DATE:20310418\r\nSUMMARY:Good Friday\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"

func TestFormatsAreRead(t *testing.T) {
	for _, c := range []struct {
		name string
		data []byte
		text string
	}{
		{"a.xlsx", workbook(t, []any{"line", "hours"}, []any{"L1", 7.5}, []any{"L2, west"}), "[sheet Capacity wk 15]\nline,hours\nL1,7.5\n\"L2, west\",\n"},
		{"a.docx", word(t, `<w:p><w:r><w:t>Torque </w:t></w:r><w:r><w:tab/><w:t>40 Nm &amp; more</w:t></w:r></w:p><w:p/>`), "Torque \t40 Nm & more\n\n"},
		{"a.eml", []byte(letter), "From: Ines Vale <ines@example.org>\nTo: \"Kai, O.\" <kai@example.org>, lab@example.org\nDate: Mon, 07 Apr 2031 09:12:00 +0200\nSubject: Prüfung of lot 4\n\nGeprüft, 12 pieces.\n[attachment lot.csv, 8 bytes]\n"},
		{"a.csv", []byte("\xef\xbb\xbfpart,qty\nP-1,4\n"), "part,qty\nP-1,4\n"},
		{"a.json", []byte(`{"a":[1,{"b":null}]}`), `{"a":[1,{"b":null}]}`},
		{"a.yaml", []byte("limits:\n  sofia: 900\n"), "limits:\n  sofia: 900\n"},
		{"a.md", []byte("# Title\n"), "# Title\n"},
		{"a.log", []byte("08:00 start\n"), "08:00 start\n"},
		{"a.ics", []byte(month), month},
	} {
		d, err := Parse(c.name, c.data)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if d.Text != c.text {
			t.Errorf("%s: the text is %q, want %q", c.name, d.Text, c.text)
		}
		if want, _ := FormatOf(c.name); d.Format != want {
			t.Errorf("%s: the format is %s", c.name, d.Format)
		}
	}
}

func TestPDFTextIsWhole(t *testing.T) {
	long := strings.Repeat("The pump is held for 12 hours. ", 30)
	first, second := "Specification 7 (rev. C)\nSeal kit: 4 per pump\n"+long, "Page two\n\nend"
	for _, packed := range []bool{false, true} {
		b := page(packed, "", first, second)
		d, err := Parse("spec.PDF", b)
		if err != nil {
			t.Fatal(err)
		}
		if d.Pages != 2 {
			t.Errorf("%d pages", d.Pages)
		}
		if got, want := strings.Join(strings.Fields(d.Text), " "), strings.Join(strings.Fields(first+"\n"+second), " "); got != want {
			t.Errorf("the text is\n%q\nwant\n%q", got, want)
		}
		if !strings.Contains(d.Text, "rev. C)\nSeal kit: 4 per pump\n") {
			t.Errorf("the lines run together: %q", d.Text)
		}
		tool, err := exec.LookPath("pdftotext")
		if err != nil {
			t.Log("pdftotext is not installed: the second reader was left out")
			continue
		}
		file := filepath.Join(t.TempDir(), "a.pdf")
		if err := os.WriteFile(file, b, 0o600); err != nil {
			t.Fatal(err)
		}
		out, err := exec.Command(tool, "-raw", file, "-").Output()
		if err != nil {
			t.Fatal(err)
		}
		if got, want := strings.Join(strings.Fields(string(out)), ""), strings.Join(strings.Fields(d.Text), ""); got != want {
			t.Errorf("pdftotext reads\n%q\nand we\n%q", got, want)
		}
	}
}

func TestWhatIsNoSuchFile(t *testing.T) {
	good := page(false, "", "text")
	book := workbook(t, []any{"a", "b"}, []any{1, 2})
	yamlBomb := "a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: [*b,*b,*b,*b,*b,*b,*b,*b,*b]\n"
	for _, c := range []struct{ name, say string }{
		{"a.pdf|just a text of more than a hundred bytes " + strings.Repeat("x", 100), "does not begin"},
		{"a.pdf|" + string(good[:len(good)-60]), "cut, or no PDF"},
		{"a.pdf|" + string(book), "first bytes"},
		{"a.pdf|" + string(page(false, "")), "no pages"},
		{"a.pdf|" + string(page(false, "", "")), "no text"},
		{"a.pdf|" + string(page(false, "/OpenAction << /S /JavaScript /JS (app.alert(1)) >>", "text")), "runs something"},
		{"a.pdf|" + strings.Replace(string(good), "/Kids [4 0 R ]", "/Kids [2 0 R ]", 1), "no end"},
		{"a.pdf|" + strings.Replace(string(good), "/Root 1 0 R", "/Root 3 0 R", 1), "no catalog"},
		{"a.pdf|" + string(page(true, "", strings.Repeat("a", maxStream+1))), "unpacks to more"},
		{"a.xlsx|a text", "archive"},
		{"a.xlsx|" + string(word(t, "<w:p/>")), "another kind"},
		{"a.xlsx|" + string(workbook(t, []any{"head", "only"})), "at least one row"},
		{"a.xlsx|" + string(archive(t, member{"x.xml", "<a/>"})), "no content types"},
		{"a.xlsx|" + string(book[:len(book)/2]), "archive"},
		{"a.docx|" + string(word(t, "<w:p><w:r><w:t> </w:t></w:r></w:p>")), "no paragraph"},
		{"a.docx|" + string(word(t, "<w:p>")), "no end"},
		{"a.docx|" + string(archive(t, member{"../x", "y"})), "no plain path"},
		{"a.docx|" + string(archive(t, member{"x.xml", strings.Repeat(" ", 1<<20)})), "unpacks to more"},
		{"a.docx|" + string(archive(t, member{"x.xml", `<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>`})), "document type"},
		{"a.eml|" + strings.Replace(letter, "Mon, 07 Apr 2031 09:12:00 +0200", "2031-04-07T09:12:00Z", 1), "RFC 5322"},
		{"a.eml|" + strings.Replace(letter, "Message-ID: <77a@example.org>\r\n", "", 1), "no Message-ID"},
		{"a.eml|" + strings.Replace(letter, "--x--\r\n", "", 1), "cannot be decoded"},
		{"a.eml|" + strings.Split(letter, "\r\n\r\n")[0] + "\r\n\r\n", "has none"},
		{"a.csv|a,b\n1\n", "line 2"},
		{"a.csv|a,a\n1,2\n", "twice"},
		{"a.csv|a,b\n", "one row"},
		{"a.json|{\"a\":1,\"a\":2}", "JSON"},
		{"a.json|{} {}", "follows"},
		{"a.json|" + strings.Repeat("[", 100), "JSON"},
		{"a.yaml|" + yamlBomb, "aliases"},
		{"a.yaml|a: 1\na: 2\n", "line 2"},
		{"a.yaml|just a sentence", "one text"},
		{"a.md|\xff\xfe", "UTF-8"},
		{"a.txt|a\x00b", "NUL"},
		{"a.log|  \n", "empty"},
		{"a.txt|\x89PNG\r\n\x1a\n", "PNG"},
		{"a.ics|BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n", "VERSION"},
		{"a.ics|" + strings.Replace(month, "UID:1@p\r\n", "", 1), "UID"},
		{"a.exe|MZ", "no format"},
	} {
		name, data, _ := strings.Cut(c.name, "|")
		d, err := Parse(name, []byte(data))
		if err == nil {
			t.Errorf("%s %.60q was taken: %q", name, data, d.Text[:min(len(d.Text), 80)])
			continue
		}
		if !strings.Contains(err.Error(), c.say) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s %.60q: the error is %q, want one line with %q", name, data, err, c.say)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add("a.xlsx", workbook(f, []any{"a"}, []any{1}))
	f.Add("a.docx", word(f, "<w:p><w:r><w:t>x</w:t></w:r></w:p>"))
	f.Add("a.pdf", page(true, "", "text"))
	f.Add("a.eml", []byte(letter))
	f.Add("a.ics", []byte(month))
	f.Add("a.csv", []byte("a,b\n1,2\n"))
	f.Add("a.json", []byte(`{"a":1}`))
	f.Add("a.yaml", []byte("a: 1\n"))
	f.Fuzz(func(t *testing.T, name string, b []byte) {
		d, err := Parse(name, b)
		if err != nil {
			if strings.ContainsAny(err.Error(), "\n\x00\x1b") {
				t.Errorf("the error is not one clean line: %q", err)
			}
			return
		}
		if strings.TrimSpace(d.Text) == "" {
			t.Errorf("%q was taken without a text", name)
		}
		if again, err := Parse(name, b); err != nil || again.Text != d.Text {
			t.Errorf("a second time it reads otherwise: %v", err)
		}
	})
}
