package kairos

// tokenKind is the kind of a token; every punctuation mark is a kind of its own.
type tokenKind uint8

const (
	tokEOF     tokenKind = iota
	tokNewline           // a run of line feeds outside round and square brackets
	tokName
	tokNumber
	tokDate
	tokTime
	tokWidth
	tokString
	tokPipe      // |>
	tokRange     // ..
	tokEqual     // ==
	tokUnequal   // !=
	tokAtMost    // <=
	tokAtLeast   // >=
	tokArrow     // =>
	tokLParen    // (
	tokRParen    // )
	tokLBracket  // [
	tokRBracket  // ]
	tokLBrace    // {
	tokRBrace    // }
	tokComma     // ,
	tokColon     // :
	tokQuestion  // ?
	tokAt        // @
	tokUnion     // |
	tokIntersect // &
	tokMinusSet  // \
	tokAssign    // =
	tokLess      // <
	tokGreater   // >
	tokPlus      // +
	tokMinus     // -
	tokTimes     // *
	tokDivide    // /
	tokDot       // .
	tokBlank     // _
	tokSemicolon // ;
)

// tokenNames are the marks as written, and names for the other kinds.
var tokenNames = [...]string{"eof", "newline", "name", "number", "date", "time", "width", "string", "|>", "..", "==", "!=", "<=",
	">=", "=>", "(", ")", "[", "]", "{", "}", ",", ":", "?", "@", "|", "&", "\\", "=", "<", ">", "+", "-", "*", "/", ".", "_", ";"}

func (k tokenKind) String() string { return tokenNames[k] }

// wordKind marks the names to which the parser gives a meaning at some places. They are ordinary names elsewhere.
type wordKind uint8

const (
	wordPlain wordKind = iota
	wordPremise
	wordWith
	wordAnd
	wordOr
	wordNot
	wordMod
	wordDiv
	wordIn
	wordGenerator // grid, span, split
	wordCycle     // a generator too
	wordCovering
	wordLabels
	wordAnchor
	wordMember // a key of a premise's member
)

// generates says whether the word makes windows of the name before it.
func (w wordKind) generates() bool { return w == wordGenerator || w == wordCycle }

// wordOf classifies a name.
func wordOf(name string) wordKind {
	switch name {
	case "premise":
		return wordPremise
	case "with":
		return wordWith
	case "and":
		return wordAnd
	case "or":
		return wordOr
	case "not":
		return wordNot
	case "mod":
		return wordMod
	case "div":
		return wordDiv
	case "in":
		return wordIn
	case "grid", "span", "split":
		return wordGenerator
	case "cycle":
		return wordCycle
	case "covering":
		return wordCovering
	case "labels":
		return wordLabels
	case "anchor":
		return wordAnchor
	case "calendar-system", "calendar", "axis", "roll", "granularity", "tz", "wkst", "asof", "source", "epoch":
		return wordMember
	}
	return wordPlain
}

// token is a piece of the source, src[start:end].
type token struct {
	kind       tokenKind
	word       wordKind // of a name
	start, end int32
}

func (t token) span() Span { return Span{int(t.start), int(t.end)} }

// names says whether t followed by next begins `name:`.
func (t token) names(next token) bool { return t.kind == tokName && next.kind == tokColon }
