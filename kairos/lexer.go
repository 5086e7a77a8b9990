package kairos

import (
	"fmt"
	"unicode"
	"unicode/utf8"
)

// lexer divides a source into tokens. The offsets are 32 bits wide; sources are much shorter (MaxSource).
type lexer struct {
	src      string
	toks     []token
	comments []Comment
	i        int
	brackets int  // open round and square brackets; inside them a line feed is white space
	broken   bool // the source is not valid UTF-8 throughout
}

// lex gives the tokens of a source, of which the last is tokEOF, and its comments. Consecutive line feeds are one token:
// no rule of the grammar counts them.
func lex(src string) ([]token, []Comment, *Error) {
	l := lexer{src: src, toks: make([]token, 0, len(src)/3+8), broken: !utf8.ValidString(src)}
	for l.i < len(src) {
		if err := l.next(); err != nil {
			return nil, nil, err
		}
	}
	end := l.lineStop()
	l.toks = append(l.toks, token{kind: tokEOF, start: end, end: end})
	return l.toks, l.comments, nil
}

// lineStop is where the line that ends at the current position stops: before its comment, if it has one.
func (l *lexer) lineStop() int32 {
	if n := len(l.comments); n > 0 && l.comments[n-1].Span.End == l.i {
		return int32(l.comments[n-1].Span.Start)
	}
	return int32(l.i)
}

// add ends the token that begins at the current position.
func (l *lexer) add(kind tokenKind, end int) {
	l.toks = append(l.toks, token{kind: kind, start: int32(l.i), end: int32(end)})
	l.i = end
}

// at gives the byte at an offset, or 0 beyond the end.
func (l *lexer) at(i int) byte {
	if i < len(l.src) {
		return l.src[i]
	}
	return 0
}

// next reads one token, comment or stretch of white space.
func (l *lexer) next() *Error {
	switch c := l.src[l.i]; {
	case c == ' ' || c == '\t' || c == '\r':
		l.i++
	case c == '\n':
		if n := len(l.toks); l.brackets == 0 && (n == 0 || l.toks[n-1].kind != tokNewline) {
			l.toks = append(l.toks, token{kind: tokNewline, start: l.lineStop(), end: int32(l.i + 1)})
		}
		l.i++
	case c == '#':
		return l.comment()
	case c == '"':
		return l.quoted()
	case isDigit(c):
		return l.digits()
	case c == 'T' && isDigit(l.at(l.i+1)) && isDigit(l.at(l.i+2)) && l.at(l.i+3) == ':':
		return l.clock()
	case c < utf8.RuneSelf && !isASCIILetter(c):
		return l.mark(c)
	default:
		return l.name()
	}
	return nil
}

func (l *lexer) comment() *Error {
	end := l.lineEnd()
	if err := l.checkText(l.i, end); err != nil {
		return err
	}
	l.comments = append(l.comments, Comment{Span: Span{l.i, end}, Text: l.src[l.i:end]})
	l.i = end
	return nil
}

// lineEnd is the offset of the next line feed, or of the end of the source.
func (l *lexer) lineEnd() int {
	j := l.i
	for j < len(l.src) && l.src[j] != '\n' {
		j++
	}
	return j
}

func (l *lexer) quoted() *Error {
	j := l.i + 1
	for j < len(l.src) && l.src[j] != '"' && l.src[j] != '\n' {
		j++
	}
	if l.at(j) != '"' {
		return fail(Span{l.i, j}, "lex.string-unclosed")
	}
	if err := l.checkText(l.i, j); err != nil {
		return err
	}
	l.add(tokString, j+1)
	return nil
}

// checkText looks for invalid UTF-8 in a comment or a string.
func (l *lexer) checkText(from, to int) *Error {
	if !l.broken {
		return nil
	}
	for i := from; i < to; {
		r, size := utf8.DecodeRuneInString(l.src[i:to])
		if r == utf8.RuneError && size == 1 {
			l.i = i
			return l.unknown()
		}
		i += size
	}
	return nil
}

// name reads a name: letters of the basic plane, and ASCII digits after the first of them.
func (l *lexer) name() *Error {
	j := l.i
	for j < len(l.src) {
		c := l.src[j]
		if c < utf8.RuneSelf {
			if !isASCIILetter(c) && !(isDigit(c) && j > l.i) {
				break
			}
			j++
			continue
		}
		r, size := utf8.DecodeRuneInString(l.src[j:])
		if r > 0xFFFF || !unicode.IsLetter(r) {
			break
		}
		j += size
	}
	if j == l.i {
		return l.unknown()
	}
	const system = "-system"
	if l.src[l.i:j] == "calendar" && j+len(system) <= len(l.src) && l.src[j:j+len(system)] == system {
		j += len(system)
	}
	l.add(tokName, j)
	t := &l.toks[len(l.toks)-1]
	t.word = wordOf(l.src[t.start:t.end])
	return nil
}

// unknown is the error of a character that begins no token.
func (l *lexer) unknown() *Error {
	r, size := utf8.DecodeRuneInString(l.src[l.i:])
	at := Span{l.i, l.i + size}
	if r == utf8.RuneError && size == 1 {
		return fail(at, "lex.unknown-char", fmt.Sprintf(`\x%02x`, l.src[l.i]), "not UTF-8", notUTF8)
	}
	if r == '¥' {
		return fail(at, "lex.yen-sign")
	}
	return fail(at, "lex.unknown-char", string(r), fmt.Sprintf("U+%04X", r), aboutCharacter(r))
}

// mark reads a punctuation mark, the longest that fits.
func (l *lexer) mark(c byte) *Error {
	second := l.at(l.i + 1)
	for _, m := range pairs {
		if m.first == c && m.second == second {
			l.add(m.kind, l.i+2)
			return nil
		}
	}
	kind := singles[c]
	switch kind {
	case tokEOF:
		return l.unknown()
	case tokLParen, tokLBracket:
		l.brackets++
	case tokRParen, tokRBracket:
		l.brackets = max(0, l.brackets-1)
	}
	l.add(kind, l.i+1)
	return nil
}

// pairs are the marks of two characters.
var pairs = [...]struct {
	first, second byte
	kind          tokenKind
}{
	{'|', '>', tokPipe}, {'.', '.', tokRange}, {'=', '>', tokArrow}, {'=', '=', tokEqual}, {'!', '=', tokUnequal},
	{'<', '=', tokAtMost}, {'>', '=', tokAtLeast},
}

// singles gives the kind of the marks of one character, and tokEOF for what is none.
var singles = [utf8.RuneSelf]tokenKind{
	'(': tokLParen, ')': tokRParen, '[': tokLBracket, ']': tokRBracket, '{': tokLBrace, '}': tokRBrace, ',': tokComma,
	':': tokColon, '?': tokQuestion, '@': tokAt, '|': tokUnion, '&': tokIntersect, '\\': tokMinusSet, '=': tokAssign,
	'<': tokLess, '>': tokGreater, '+': tokPlus, '-': tokMinus, '*': tokTimes, '/': tokDivide, '.': tokDot, '_': tokBlank,
	';': tokSemicolon,
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isASCIILetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
