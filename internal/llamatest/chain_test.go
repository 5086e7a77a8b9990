package llamatest

import (
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// decoded returns the bytes that llama.cpp makes of the tokens.
func decoded(t interface{ Fatalf(string, ...any) }, chain []token) string {
	var b strings.Builder
	for _, tok := range chain {
		switch tok.kind {
		case tokenNormal:
			b.WriteString(strings.ReplaceAll(tok.text, spaceMark, " "))
		case tokenUserDefined:
			b.WriteString(tok.text)
		case tokenByte:
			c, err := strconv.ParseUint(tok.text[3:5], 16, 8)
			if err != nil {
				t.Fatalf("byte token %q: %v", tok.text, err)
			}
			b.WriteByte(byte(c))
		default:
			t.Fatalf("token %q of type %d in a chain", tok.text, tok.kind)
		}
	}
	return b.String()
}

// checkChain checks what every chain must be: the text, in tokens that llama.cpp
// keeps apart and takes for text.
func checkChain(t interface{ Fatalf(string, ...any) }, seen map[string]bool, text string, chain []token) {
	if got := decoded(t, chain); got != text {
		t.Fatalf("chain decodes to %q, want %q", got, text)
	}
	for _, tok := range chain {
		switch {
		case tok.text == "" || strings.Contains(tok.text, "\x00"):
			t.Fatalf("token %q would be cut short", tok.text)
		case seen[tok.text]:
			t.Fatalf("token %q twice", tok.text)
		case tok.kind != tokenByte && readsAsMarker(tok.text):
			t.Fatalf("token %q reads as a marker", tok.text)
		}
		seen[tok.text] = true
	}
}

func TestChainPieces(t *testing.T) {
	tests := []struct {
		name, text string
		want       []token
	}{
		{"empty", "", nil},
		{"words", "four and six", []token{{"four", 1}, {"▁and", 1}, {"▁six", 1}}},
		{"a repeat is lengthened", "no no no no", []token{{"no", 1}, {"▁no", 1}, {"▁no▁", 1}, {"<0x6E>1", 6}, {"o", 1}}},
		{"space mark", "a ▁b", []token{{"a", 1}, {" ▁b", 4}}},
		{"zero byte", "a\x00b", []token{{"a", 1}, {"<0x00>1", 6}, {"b", 1}}},
		{"invalid UTF-8", "\xe9\xe9", []token{{"<0xE9>1", 6}, {"<0xE9>2", 6}}},
		{"end of turn", "<|im_end|>", []token{{"<0x3C>1", 6}, {"|im_end|>", 1}}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := newChainBuilder().split(test.text)
			checkChain(t, map[string]bool{}, test.text, got)
			if len(got) != len(test.want) {
				t.Fatalf("got %v, want %v", got, test.want)
			}
			for i, tok := range got {
				if tok != test.want[i] {
					t.Errorf("token %d: got %v, want %v", i, tok, test.want[i])
				}
			}
		})
	}
}

func TestChainLengths(t *testing.T) {
	prose := strings.Repeat("The tide had turned before noon; nobody marked it. ", 400)
	tests := []struct {
		name, text string
		most       int // tokens: twice the square root of 2n for one letter
	}{
		{"one letter 4,000 times", strings.Repeat("a", 4000), 200},
		{"line feeds", strings.Repeat("\n", 4000), 200},
		{"opened and never closed", "<" + strings.Repeat(">", 4000), 200},
		{"brackets", strings.Repeat("<>", 2000), 200},
		{"20 kB of prose that repeats itself", prose, 1200},
		{"1 MB", strings.Repeat(prose, 50), 1200},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			chain := newChainBuilder().split(test.text)
			checkChain(t, map[string]bool{}, test.text, chain)
			if len(chain) > test.most {
				t.Errorf("%d tokens, want at most %d", len(chain), test.most)
			}
		})
	}
}

func TestReadsAsMarker(t *testing.T) {
	for text, want := range map[string]bool{
		"<|im_end|>": true, "_<EOT>": true, "▁<PRE>": true, "[EOS]": true, "[e~[": true, "</s>": true, "<0x41>": true,
		" <SUF>": true, "<turn|>": true, "<｜end▁of▁sentence｜>": true,
		"<": false, "[": false, "": false, "a<b>": false, "<b> ": false, "x > y": false,
	} {
		if got := readsAsMarker(text); got != want {
			t.Errorf("readsAsMarker(%q) = %v, want %v", text, got, want)
		}
	}
}

// anyText draws texts that strain the builder: repeats, marks, other scripts.
func anyText() *rapid.Generator[string] {
	part := rapid.OneOf(
		rapid.SampledFrom([]string{
			"ANSWER: 71.50", "\n", "\n\n", "  ", " the", "the", "a", "aa", ".", "```json\n", "{\"a\": 1}", "<think>", "</think>", "<|eot|>",
			"<|im_end|>", "[EOS]", "[", "]", "<", ">", "▁", "_", "\r\n", "\t", "\x00", "é", "日本語", "👩‍👩‍👧", "\u00a0", "\u200b", "\ufffd", "\ufeff", "<0x41>", "<0x41>1",
		}),
		rapid.StringN(0, 12, 40),
	)
	return rapid.Custom(func(t *rapid.T) string {
		parts := rapid.SliceOfN(part, 0, 12).Draw(t, "parts")
		return strings.Repeat(strings.Join(parts, ""), rapid.IntRange(1, 6).Draw(t, "times"))
	})
}

func TestChainAnyText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b, seen := newChainBuilder(), map[string]bool{}
		for range 2 { // the second time everything was used before
			text := anyText().Draw(t, "text")
			checkChain(t, seen, text, b.split(text))
		}
	})
}

func FuzzChain(f *testing.F) {
	for _, text := range []string{"", "ANSWER: 4", "aaaaaaaa", "<|eot_id|><|eot_id|>", "▁▁ ▁", "\x00\xff", "é日本", "[[]]"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 1<<12 {
			t.Skip("longer than a reply that is worth the time")
		}
		b, seen := newChainBuilder(), map[string]bool{}
		checkChain(t, seen, text, b.split(text))
		checkChain(t, seen, text, b.split(text))
	})
}
