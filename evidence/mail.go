package evidence

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net/mail"
	"net/textproto"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/htmlindex"
)

const maxMailParts = 100

// mail reads a mail: the headers that RFC 5322 asks for, and every part of its body. The text is the headers a reader
// sees, an empty line, and the plain texts; attachments are named in a line of their own.
func (d *Document) mail(b []byte) error {
	m, err := mail.ReadMessage(bytes.NewReader(b))
	if err != nil {
		return fmt.Errorf("its headers cannot be read: %w", err)
	}
	words := &mime.WordDecoder{CharsetReader: decoded}
	var text strings.Builder
	for _, name := range []string{"From", "To", "Cc", "Date", "Subject", "Message-ID"} {
		raw := m.Header.Get(name)
		if raw == "" {
			if name == "Cc" {
				continue
			}
			return fmt.Errorf("it has no %s", name)
		}
		v, err := words.DecodeHeader(raw)
		if err != nil {
			return fmt.Errorf("its %s cannot be decoded", name)
		}
		switch name {
		case "From", "To", "Cc":
			parser := mail.AddressParser{WordDecoder: words}
			if _, err := parser.ParseList(raw); err != nil {
				return fmt.Errorf("its %s is no list of addresses", name)
			}
		case "Date":
			if _, err := mail.ParseDate(raw); err != nil {
				return errors.New("its Date is not of the form of RFC 5322")
			}
		case "Message-ID":
			if v = strings.TrimSpace(v); len(v) < 5 || v[0] != '<' || v[len(v)-1] != '>' || !strings.Contains(v, "@") {
				return errors.New("its Message-ID is not <LEFT@RIGHT>")
			}
		}
		d.Header = append(d.Header, Field{name, v})
		if name != "Message-ID" {
			fmt.Fprintf(&text, "%s: %s\n", name, v)
		}
	}
	text.WriteString("\n")
	body := text.Len()
	left := maxMailParts
	if err := part(&text, textproto.MIMEHeader(m.Header), m.Body, &left, 0); err != nil {
		return err
	}
	if strings.TrimSpace(text.String()[body:]) == "" {
		return errors.New("it has no body")
	}
	d.Text = text.String()
	return nil
}

func part(out *strings.Builder, h textproto.MIMEHeader, r io.Reader, left *int, depth int) error {
	if *left--; *left < 0 || depth > 10 {
		return fmt.Errorf("it has more than %d parts, or they are nested too deep", maxMailParts)
	}
	kind, params := "text/plain", map[string]string{}
	if t := h.Get("Content-Type"); t != "" {
		var err error
		if kind, params, err = mime.ParseMediaType(t); err != nil {
			return errors.New("a Content-Type cannot be read")
		}
	}
	if strings.HasPrefix(kind, "multipart/") {
		mr, n := multipart.NewReader(r, params["boundary"]), 0
		for ; ; n++ {
			p, err := mr.NextRawPart()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				return errors.New("a part is cut or has no end")
			}
			if err := part(out, p.Header, p, left, depth+1); err != nil {
				return err
			}
		}
		if n == 0 {
			return errors.New("a body of several parts has none")
		}
		return nil
	}
	switch strings.ToLower(h.Get("Content-Transfer-Encoding")) {
	case "", "7bit", "8bit", "binary":
	case "base64":
		r = base64.NewDecoder(base64.StdEncoding, r)
	case "quoted-printable":
		r = quotedprintable.NewReader(r)
	default:
		return errors.New("a part has an unknown Content-Transfer-Encoding")
	}
	body, err := io.ReadAll(io.LimitReader(r, MaxFile+1))
	if err != nil || len(body) > MaxFile {
		return errors.New("a part cannot be decoded")
	}
	disposition, dp, _ := mime.ParseMediaType(h.Get("Content-Disposition"))
	if disposition == "attachment" || !strings.HasPrefix(kind, "text/") {
		if len(body) == 0 {
			return fmt.Errorf("the attachment %.100q is empty", dp["filename"])
		}
		fmt.Fprintf(out, "[attachment %s, %d bytes]\n", strings.Join(strings.Fields(dp["filename"]), " "), len(body))
		return nil
	}
	if kind != "text/plain" {
		return nil // another form of the plain text beside it
	}
	set := params["charset"]
	if set == "" {
		set = "utf-8"
	}
	cs, err := decoded(set, bytes.NewReader(body))
	if err != nil {
		return err
	}
	plain, err := io.ReadAll(cs)
	if err != nil || !utf8.Valid(plain) || bytes.IndexByte(plain, 0) >= 0 {
		return errors.New("a part is not the text that its charset says")
	}
	s := strings.ReplaceAll(string(plain), "\r\n", "\n")
	out.WriteString(s)
	if !strings.HasSuffix(s, "\n") {
		out.WriteString("\n")
	}
	return nil
}

// decoded reads a charset as UTF-8.
func decoded(charset string, r io.Reader) (io.Reader, error) {
	switch strings.ToLower(charset) {
	case "utf-8", "us-ascii":
		return r, nil
	}
	e, err := htmlindex.Get(charset)
	if err != nil {
		return nil, fmt.Errorf("the charset %.40q is not known", charset)
	}
	return e.NewDecoder().Reader(r), nil
}
