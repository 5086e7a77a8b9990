package run

import (
	"fmt"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/assaybench/assay/model"
)

// prose is English text of so many bytes, always the same, in which no sentence stands twice.
func prose(size int) string {
	when := []string{"In the morning", "Toward noon", "On most days", "After the rain", "Before the bells", "In a dry summer", "Late in the week"}
	who := []string{"the baker from the corner", "a porter with two carts", "the keeper of the bridge", "an old carpenter", "a clerk of the council", "the boy from the mill", "a trader in salt", "the widow by the well", "a tinker", "the miller", "a nun"}
	did := []string{"carried flour up the stairs", "counted the barrels", "mended the gate", "spoke about the price of rope", "waited for the boats", "swept the stones", "painted a board", "wrote a letter", "looked for a lost key", "set out the tables", "fed the grey horse", "measured the new cloth", "lit the lamps"}
	var b strings.Builder
	for i := 0; b.Len() < size; i++ {
		fmt.Fprintf(&b, "%s %s %s.%s", when[i%7], who[i%11], did[i%13], []string{" ", "\n\n"}[i%6/5])
	}
	return b.String()[:size]
}

// hexadecimal is text of so many bytes without white space, of which tokenizers make more tokens than of prose.
func hexadecimal(size int) string {
	var b strings.Builder
	for x := uint64(1); b.Len() < size; x = x*6364136223846793005 + 1442695040888963407 {
		fmt.Fprintf(&b, "%08x", x>>32)
	}
	return b.String()[:size]
}

// TestProbeText holds for all texts: the text is in its probe unchanged, in two pieces around the middle line, and the three
// words stand once each, before it, in its middle and after it.
func TestProbeText(t *testing.T) {
	piece := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{" ", "\n", "\r\n", "\u2003", "a", "日本語", "\U0001f469\u200d\U0001f680", "e\u0301",
		probeBegin, probeEnd, probeFirst, probeSecond, probeThird, strings.Repeat("x", 40), "word to remember is: no\n", "\n\n"}))
	rapid.Check(t, func(t *rapid.T) {
		texts := rapid.SliceOfN(rapid.Map(rapid.SliceOf(piece), func(p []string) string { return strings.Join(p, "") }), 1, 3).Draw(t, "texts")
		s := &Session{spec: Spec{Set: &textsSet{texts: texts}}}
		long := s.planned("x")
		n := rapid.Uint64().Draw(t, "random")
		words := probeWords(func() uint64 { n += 0x9e3779b97f4a7c15; return n }, long.text)
		p := probeText(words, long.text)
		at := 0
		for _, w := range words {
			if i := strings.Index(p, w); i < at || strings.Count(p, w) != 1 || strings.Contains(strings.ToLower(long.text), w) {
				t.Fatalf("%q stands wrongly in %q", w, p)
			} else {
				at = i
			}
		}
		before, after, ok := strings.Cut(p, "\n\n"+probeSecond+words[1]+"\n\n")
		head, a, begun := strings.Cut(before, probeBegin+"\n")
		i := strings.LastIndex(after, "\n"+probeEnd)
		if !ok || !begun || i < 0 {
			t.Fatalf("no frame: %q", p)
		}
		b, tail := after[:i], after[i:]
		if a+b != strings.Join(texts, "\n\n") {
			t.Fatalf("the text was changed: %q and %q", a, b)
		}
		if !strings.HasPrefix(head, probeFirst+words[0]+"\n") || !strings.HasSuffix(tail, "\n"+probeThird+words[2]+"\n\n"+probeTask) {
			t.Fatalf("the frame is %q and %q", head, tail)
		}
		if !utf8.ValidString(p) {
			t.Fatalf("a character was cut: %q", p)
		}
		size := len(a) + len(b)
		off := distance(len(a), size/2)
		r, _ := utf8.DecodeRuneInString(b)
		spaced := b != "" && unicode.IsSpace(r)
		if off > size/4+utf8.UTFMax || !spaced && off >= utf8.UTFMax {
			t.Fatalf("%d of %d bytes before the middle", len(a), size)
		}
		for i, r := range a + b {
			if d := distance(i, size/2); unicode.IsSpace(r) && d <= size/4 && (!spaced || d < off) {
				t.Fatalf("%q and %q: white space at %d is nearer to the middle", a, b, i)
			}
		}
		var messages []model.Message
		for _, text := range texts {
			messages = append(messages, model.Message{Text: text})
		}
		if long.weight != model.Weigh(messages) || long.weight > model.Weigh([]model.Message{{Text: p}}) {
			t.Fatalf("it weighs %d, its probe %d", long.weight, model.Weigh([]model.Message{{Text: p}}))
		}
	})
}

// textsSet is a bench whose every item has the same messages.
type textsSet struct {
	Set
	texts []string
}

func (s *textsSet) Prompt(string) (m []model.Message, err error) {
	for _, text := range s.texts {
		m = append(m, model.Message{Role: "user", Text: text})
	}
	return m, nil
}

func TestMiddle(t *testing.T) {
	for _, tt := range []struct {
		text string
		want int
	}{
		{"", 0}, {"a", 0}, {"ab", 1}, {"aaaa bbbb", 4}, {"aaaaaa bb cc", 6}, {"aa aa bbbb bb", 5}, {"a bbbbbbbbbb", 6}, {"日本", 3}, {"日本語", 3}, {" ", 0},
	} {
		if got := middle(tt.text); got != tt.want {
			t.Errorf("%q is halved at %d, want %d", tt.text, got, tt.want)
		}
	}
}

func TestProbeWords(t *testing.T) {
	n := uint64(0)
	random := func() uint64 { n++; return n / 2 } // every word twice
	first := probeWords(random, "")
	n = 0
	others := probeWords(random, "so "+strings.ToUpper(first[0])+first[1]+" on")
	if len(first) != 3 || len(others) != 3 || others[0] != first[2] || first[0] == first[1] || first[1] == first[2] || others[0] == others[1] || others[1] == others[2] {
		t.Errorf("%q, and beside its first two %q", first, others)
	}
	words := map[string]bool{}
	for i := range uint64(1000) {
		w := probeWord(i * 0x9e3779b97f4a7c15)
		if len(w) != 14 {
			t.Errorf("%q", w)
		}
		words[w] = true
	}
	if len(words) < 999 {
		t.Errorf("%d words of 1000", len(words))
	}
}
