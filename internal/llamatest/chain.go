package llamatest

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// tokenType is llama.cpp's token type as stored in tokenizer.ggml.token_type.
type tokenType int32

const (
	tokenNormal      tokenType = 1
	tokenUnknown     tokenType = 2
	tokenControl     tokenType = 3
	tokenUserDefined tokenType = 4
	tokenByte        tokenType = 6
)

// token is one vocabulary entry.
type token struct {
	text string
	kind tokenType
}

const (
	// spaceMark stands for a space in the text of a normal token of a
	// SentencePiece vocabulary, and decodes back to a space.
	spaceMark = "\u2581"
	// preferredPieces bounds the tokens of one long reply: the matrices grow
	// with their square, so a longer text gets longer pieces, not more of them.
	preferredPieces = 1024
	// wordBytes is how far past its least length a piece may look for the end of
	// a word before it is cut in the middle of one.
	wordBytes = 11
)

// chainBuilder cuts texts into tokens that are all different.
//
// The next token depends on the present one alone, so no token may stand twice
// in a chain, while llama.cpp refuses a vocabulary in which two tokens have the
// same text. A piece of text that was used already is therefore lengthened until
// it is new. Where that cannot be done (the tail of a repeating text), byte
// tokens take over: llama.cpp reads only the two hexadecimal digits of "<0x41>",
// so "<0x41>1", "<0x41>2", … are as many different tokens for one byte.
type chainBuilder struct {
	used   map[string]bool
	serial int
}

func newChainBuilder() *chainBuilder { return &chainBuilder{used: map[string]bool{}} }

// split returns tokens whose decoded bytes are exactly text, none of which this
// builder gave before.
func (b *chainBuilder) split(text string) []token {
	least := max(1, len(text)/preferredPieces)
	var chain []token
	for len(text) > 0 {
		if tok, n := b.piece(text, least); n > 0 {
			chain = append(chain, tok)
			text = text[n:]
			continue
		}
		_, n := utf8.DecodeRuneInString(text)
		for i := range n {
			chain = append(chain, b.byteToken(text[i]))
		}
		text = text[n:]
	}
	return chain
}

// piece takes the shortest acceptable piece off the front of text: at least
// least bytes, ending where a word ends if one ends soon, and not used before.
// It returns 0 when there is none.
func (b *chainBuilder) piece(text string, least int) (token, int) {
	open := false // whether the first good place to cut has been reached
	end := 0
	for n := textRune(text); n > 0; {
		end += n
		n = textRune(text[end:])
		last := n == 0
		if end < least && !last {
			continue
		}
		open = open || last || text[end] == ' ' || text[end] == '\n' || end >= least+wordBytes
		if !open || readsAsMarker(text[:end]) {
			continue
		}
		if tok := pieceToken(text[:end]); !b.used[tok.text] {
			b.used[tok.text] = true
			return tok, end
		}
	}
	return token{}, 0
}

// byteToken returns a new token that decodes to the byte c.
func (b *chainBuilder) byteToken(c byte) token {
	for {
		b.serial++
		text := fmt.Sprintf("<0x%02X>%d", c, b.serial)
		if !b.used[text] {
			b.used[text] = true
			return token{text, tokenByte}
		}
	}
}

// textRune returns the length of the first character of text, or 0 when there
// is none that may stand in a token's text: a zero byte would end it early, since
// llama.cpp reads it as a C string, and invalid UTF-8 has no place in it.
func textRune(text string) int {
	r, n := utf8.DecodeRuneInString(text)
	if r == 0 || r == utf8.RuneError && n <= 1 {
		return 0
	}
	return n
}

// pieceToken returns the vocabulary entry that decodes to text. In a normal
// token the space mark becomes a space, so a text that holds the mark itself
// must be a user-defined token, which is decoded as it stands.
func pieceToken(text string) token {
	if strings.Contains(text, spaceMark) {
		return token{text, tokenUserDefined}
	}
	return token{strings.ReplaceAll(text, " ", spaceMark), tokenNormal}
}

// readsAsMarker reports whether llama.cpp might take a token with this text for
// a marker of its own: it finds end-of-turn and fill-in-the-middle tokens by
// their text ("<|im_end|>", "_<EOT>", "▁<PRE>", "[EOS]", "[e~[") whatever their
// type says. The set grows with each version, so the shape is avoided.
func readsAsMarker(text string) bool {
	core := strings.TrimLeft(text, " _"+spaceMark)
	if len(core) < 2 {
		return false
	}
	return strings.ContainsRune("<[", rune(core[0])) && strings.ContainsRune(">][", rune(core[len(core)-1]))
}
