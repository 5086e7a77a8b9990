package world

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/assaybench/assay/bench"
)

// statement is one SQL statement as an author wrote it, with the named parameters that stand in it, in order, each once.
type statement struct {
	text   string
	params []string
	node   *bench.Node // where it stands; nil of the package's own
}

var (
	errSeveral     = errors.New("one statement is wanted here, and a ; divides this into several")
	errEmpty       = errors.New("there is no statement here")
	errPlaceholder = errors.New("parameters are written :name; ?, @name and $name are not taken")
)

// parseStatement finds the parameters of a statement. Only what SQLite itself would read as a parameter counts: not what
// stands in quotes or comments.
func parseStatement(sql string) (statement, error) {
	s := statement{text: strings.Trim(sql, " \t\r\n\f")}
	ended, any := false, false
	err := scanSQL(s.text, func(kind byte, token string) error {
		switch {
		case kind == ';':
			ended = true
		case kind == ' ':
		case ended:
			return errSeveral
		default:
			any = true
		}
		switch {
		case kind == ':':
			if name := token[1:]; !slices.Contains(s.params, name) {
				s.params = append(s.params, name)
			}
		case kind == '?' || kind == '@' || kind == '$':
			return errPlaceholder
		}
		return nil
	})
	if err == nil && !any {
		err = errEmpty
	}
	s.text = strings.TrimRight(s.text, "; \t\r\n\f")
	return s, err
}

// splitScript divides a script into statements, each with the line (from 1) that it begins at. A trigger's body holds
// statements of its own, up to its END.
func splitScript(script string) ([]piece, error) {
	var out []piece
	begin, at, trigger, last := -1, 0, false, ""
	words := 0
	err := scanSQL(script, func(kind byte, token string) error {
		defer func() { at += len(token) }()
		switch kind {
		case ' ':
			return nil
		case ';':
			if begin >= 0 && (!trigger || last == "END") {
				out = append(out, piece{script[begin:at], 1 + strings.Count(script[:begin], "\n")})
				begin, trigger, last, words = -1, false, "", 0
			}
			return nil
		}
		if begin < 0 {
			begin = at
		}
		last = ""
		if kind == 'w' {
			last = strings.ToUpper(token)
			if words++; words <= 3 && last == "TRIGGER" {
				trigger = true
			}
		}
		return nil
	})
	if err == nil && begin >= 0 {
		out = append(out, piece{script[begin:], 1 + strings.Count(script[:begin], "\n")})
	}
	return out, err
}

type piece struct {
	text string
	line int
}

// scanSQL goes through the tokens of a text. kind is ' ' for white space and comments, 'w' for words and numbers, '\” for
// quoted texts and names, and else the character that a token begins with.
func scanSQL(s string, each func(kind byte, token string) error) error {
	for i := 0; i < len(s); {
		n, kind := 1, s[i]
		switch c := s[i]; {
		case c == 0:
			return errors.New("SQL holds no NUL character")
		case c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f':
			kind = ' '
		case strings.HasPrefix(s[i:], "--"):
			kind, n = ' ', through(s[i:], "\n", 2)
			if n < 0 {
				n = len(s) - i
			}
		case strings.HasPrefix(s[i:], "/*"):
			kind, n = ' ', through(s[i:], "*/", 2)
			if n < 0 {
				return errors.New("a comment /* has no end */")
			}
		case c == '\'' || c == '"' || c == '`':
			kind, n = '\'', through(s[i:], string(c), 1)
			if n < 0 {
				return fmt.Errorf("the quote %c is not closed", c)
			}
		case c == '[':
			kind, n = '\'', through(s[i:], "]", 1)
			if n < 0 {
				return errors.New("the name in [ has no ]")
			}
		case c == ':' || c == '@' || c == '$':
			for i+n < len(s) && wordByte(s[i+n]) {
				n++
			}
			if n == 1 {
				kind = c
			}
		case wordByte(c):
			kind = 'w'
			for i+n < len(s) && wordByte(s[i+n]) {
				n++
			}
		}
		if err := each(kind, s[i:i+n]); err != nil {
			return err
		}
		i += n
	}
	return nil
}

func wordByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

// through gives the length of s up to the end of the first mark that begins at from or later, or -1.
func through(s, mark string, from int) int {
	i := strings.Index(s[from:], mark)
	if i < 0 {
		return -1
	}
	return from + i + len(mark)
}
