package main

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"mime"
	"mime/quotedprintable"
	"strings"
	"time"
)

// docxFile writes paragraphs as a document; a line that begins with "# " is a heading.
func docxFile(s string) []byte {
	var b strings.Builder
	b.WriteString(xml.Header + `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>`)
	for p := range strings.SplitSeq(strings.Trim(s, "\n"), "\n") {
		if strings.TrimSpace(p) == "" {
			continue
		}
		style, run := "", ""
		if h, ok := strings.CutPrefix(p, "# "); ok {
			p, style, run = h, `<w:pPr><w:spacing w:before="240"/></w:pPr>`, `<w:rPr><w:b/></w:rPr>`
		}
		b.WriteString("<w:p>" + style + "<w:r>" + run + `<w:t xml:space="preserve">` + escaped(p) + "</w:t></w:r></w:p>")
	}
	b.WriteString(`<w:sectPr><w:pgSz w:w="11906" w:h="16838"/></w:sectPr></w:body></w:document>`)
	parts := map[string][]byte{
		"[Content_Types].xml": []byte(xml.Header + `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">` +
			`<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>` +
			`<Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`),
		"_rels/.rels": []byte(xml.Header + `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">` +
			`<Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>`),
		"word/document.xml": []byte(b.String()),
	}
	return zipped([]string{"[Content_Types].xml", "_rels/.rels", "word/document.xml"}, parts)
}

func escaped(s string) string {
	var b bytes.Buffer
	must(xml.EscapeText(&b, []byte(s)))
	return b.String()
}

// letter is a mail as a file.
type letter struct{ From, To, At, ID, Subject, Body string }

// emlFile writes a mail (RFC 5322). At is a civil time of the plant, as in 2035-02-27T09:14, an hour ahead of UTC in winter.
func emlFile(l letter) []byte {
	at, err := time.ParseInLocation("2006-01-02T15:04", l.At, time.FixedZone("", 3600))
	must(err)
	body := strings.ReplaceAll(strings.Trim(l.Body, "\n")+"\n", "\n", "\r\n")
	encoding := "7bit"
	if strings.ContainsFunc(body, func(r rune) bool { return r > 126 }) || longest(body) > 900 {
		encoding = "quoted-printable"
		var b bytes.Buffer
		w := quotedprintable.NewWriter(&b)
		_, err := w.Write([]byte(body))
		must(err)
		must(w.Close())
		body = b.String()
	}
	var b strings.Builder
	for _, h := range [][2]string{
		{"From", address(l.From)}, {"To", address(l.To)}, {"Date", at.Format("Mon, 02 Jan 2006 15:04:05 -0700")}, {"Message-ID", "<" + l.ID + "@mail.ostervelt.example>"},
		{"Subject", mime.QEncoding.Encode("utf-8", l.Subject)}, {"MIME-Version", "1.0"}, {"Content-Type", "text/plain; charset=utf-8"}, {"Content-Transfer-Encoding", encoding},
	} {
		b.WriteString(h[0] + ": " + h[1] + "\r\n")
	}
	b.WriteString("\r\n" + body)
	return []byte(b.String())
}

func longest(s string) int {
	n := 0
	for line := range strings.SplitSeq(s, "\n") {
		n = max(n, len(line))
	}
	return n
}

// address encodes the name of "Name <address>" where it is not ASCII.
func address(s string) string {
	name, at, ok := strings.Cut(s, " <")
	if !ok {
		return s
	}
	if enc := mime.QEncoding.Encode("utf-8", name); enc != name {
		name = enc
	} else if strings.ContainsAny(name, ",.()") {
		name = `"` + name + `"`
	}
	return name + " <" + at
}

// What a page of a PDF holds: points of A4, Courier of 9 points, which is 5.4 points a letter.
const (
	pageLines = 60
	pageWidth = 92
)

// pdfFile writes a text as pages: lines are wrapped at words, and nothing is cut.
func pdfFile(s string) []byte {
	var all []string
	for line := range strings.SplitSeq(strings.Trim(s, "\n"), "\n") {
		all = append(all, wrapped(line)...)
	}
	var pages [][]string
	for len(all) > pageLines {
		pages, all = append(pages, all[:pageLines]), all[pageLines:]
	}
	pages = append(pages, all)

	var objects []string
	kids := make([]string, len(pages))
	for i, lines := range pages {
		kids[i] = fmt.Sprintf("%d 0 R", 4+2*i)
		var c strings.Builder
		c.WriteString("BT /F1 9 Tf 12 TL 50 790 Td\n")
		for _, l := range lines {
			c.WriteString("(" + latin(l) + ") Tj T*\n")
		}
		c.WriteString("ET")
		objects = append(objects,
			fmt.Sprintf("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R >> >> /Contents %d 0 R >>", 5+2*i),
			fmt.Sprintf("<< /Length %d >>\nstream\n%s\nendstream", c.Len(), c.String()))
	}
	objects = append([]string{
		"<< /Type /Catalog /Pages 2 0 R >>",
		fmt.Sprintf("<< /Type /Pages /Kids [%s] /Count %d >>", strings.Join(kids, " "), len(pages)),
		"<< /Type /Font /Subtype /Type1 /BaseFont /Courier /Encoding /WinAnsiEncoding >>",
	}, objects...)
	var b bytes.Buffer
	b.WriteString("%PDF-1.4\n%\xe2\xe3\xcf\xd3\n")
	offsets := make([]int, len(objects))
	for i, o := range objects {
		offsets[i] = b.Len()
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, o)
	}
	start := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(objects)+1)
	for _, o := range offsets {
		fmt.Fprintf(&b, "%010d 00000 n \n", o)
	}
	fmt.Fprintf(&b, "trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n", len(objects)+1, start)
	return b.Bytes()
}

// wrapped divides a line at words; a word that is longer than a line is divided, not cut.
func wrapped(line string) []string {
	r := []rune(strings.TrimRight(line, " "))
	var out []string
	for len(r) > pageWidth {
		cut := pageWidth
		for i := pageWidth; i > pageWidth/2; i-- {
			if r[i] == ' ' {
				cut = i
				break
			}
		}
		out = append(out, string(r[:cut]))
		r = []rune(strings.TrimLeft(string(r[cut:]), " "))
	}
	return append(out, string(r))
}

// latin writes a text for a PDF string of WinAnsiEncoding, which is Latin-1 but for a few places.
func latin(s string) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case r == '(' || r == ')' || r == '\\':
			b.WriteString(`\` + string(r))
		case r >= 32 && r < 127:
			b.WriteRune(r)
		case r == '€':
			b.WriteString(`\200`)
		case r == '–':
			b.WriteString(`\226`)
		case r >= 160 && r < 256:
			fmt.Fprintf(&b, `\%03o`, r)
		default:
			panic(fmt.Sprintf("plant: a PDF of this writer has no letter %q", r))
		}
	}
	return b.String()
}
