package s2s

import (
	"fmt"
	"strings"
	"testing"

	"github.com/assaybench/assay/bench"
	"github.com/assaybench/assay/check/token"
	"pgregory.net/rapid"
)

// hostile draws texts of the kind that YAML writers get wrong.
func hostile() *rapid.Generator[string] {
	pieces := rapid.SampledFrom([]string{"a", "word", " ", "  ", "\t", "\n", "\n\n", "\r", "\r\n", ": ", ":", " #", "#", "- ", "-", "? ", "|", ">", "|-", "\"", "'", "\\", "\\n", "{", "}",
		"[", "]", ",", "&a", "*a", "!t", "%", "@", "`", "---", "...", "~", "null", "true", "no", "on", "1", "0x1", "1e3", ".5", "2026-01-01", "<<", "=", "\u0085", "\u2028", "\u2029", "\ufeff",
		"\u00a0", "\u200b", "\u00ad", "\x00", "\x1b", "\x7f", "\u0080", "\ufffd", "\ufffe", "\uffff", "\U0010ffff", "é", "漢", "{passage}", "ANSWER: "})
	return rapid.OneOf(rapid.String(), rapid.Map(rapid.SliceOf(pieces), func(p []string) string { return strings.Join(p, "") }))
}

func TestYAMLGivesTextsBack(t *testing.T) {
	check := func(t *rapid.T, s, k string) {
		data := writeYAML("a comment\nof two lines", mapping{{"a", text(s)}, {k + "!", list{text(s), one("b", text(s)), list{text(s)}}}, {"c", block{one("d", mapping{{"e", text(s)}, {"f", plain("1")}})}}, {"last", text(s)}})
		n, err := bench.Parse("x.yaml", data)
		if err != nil {
			t.Fatalf("%q: %v\n%s", s, err, data)
		}
		other := n.Values[1]
		for i, got := range []string{n.Get("a").Text, other.Values[0].Text, other.Values[1].Get("b").Text, other.Values[2].Values[0].Text, n.Get("c").Values[0].Get("d").Get("e").Text, n.Get("last").Text} {
			if got != s {
				t.Fatalf("place %d: %q came back as %q\n%s", i, s, got, data)
			}
		}
		if n.Keys[1].Text != k+"!" {
			t.Fatalf("the key %q came back as %q", k+"!", n.Keys[1].Text)
		}
		if _, is := n.Get("a").Any().(string); !is {
			t.Fatalf("%q came back as a %T", s, n.Get("a").Any())
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		s, k := hostile().Draw(t, "text"), hostile().Draw(t, "key")
		if len(k) > maxKey {
			k = strings.ToValidUTF8(k[:maxKey], "")
		}
		check(t, s, k)
	})
}

func TestPromptsSurviveImport(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		prompt, notes := hostile().Draw(t, "prompt"), hostile().Draw(t, "notes")
		if token.Blank(prompt) || strings.Contains(prompt, passageMark) {
			prompt = "x" + strings.ReplaceAll(prompt, passageMark, "")
		}
		item, err := writeJSON(mapping{{"id", text("x-1")}, {"category", text("f")}, {"proxy", boolean(false)}, {"frozen", boolean(true)}, {"checker", text("none")},
			{"prompt", text(prompt)}, {"notes", text(notes)}, {"expect", one("k", list{text(notes), text(prompt)})}})
		if err != nil {
			t.Fatal(err)
		}
		files, _, err := Import([]byte(small(string(item))), nil)
		if err != nil {
			t.Fatalf("%q: %v", prompt, err)
		}
		n, err := bench.Parse("x", files["items/x-1.yaml"])
		if err != nil {
			t.Fatal(err)
		}
		if n.Get("prompt").Text != prompt || notes != "" && n.Get("notes").Text != notes {
			t.Fatalf("%q, %q came back as %q, %q", prompt, notes, n.Get("prompt").Text, n.Get("notes").Any())
		}
		if k := n.Get("expect").Get("k"); k.Values[0].Text != notes || k.Values[1].Text != prompt {
			t.Fatal("the expect did not come back")
		}
	})
}

func TestYAMLForms(t *testing.T) {
	for _, c := range []struct {
		in   any
		want string
	}{
		{text("two words"), " two words\n"},
		{text("true"), " \"true\"\n"},
		{text("No"), " \"No\"\n"},
		{text("4"), " \"4\"\n"},
		{text("a: b"), " \"a: b\"\n"},
		{text(""), " \"\"\n"},
		{text("a\nb"), " |-\n  a\n  b\n"},
		{text("a\n\nb\n"), " |\n  a\n\n  b\n"},
		{text("a\nANSWER: "), " \"a\\nANSWER: \"\n"},
		{text("a\r\nb"), " \"a\\r\\nb\"\n"},
		{plain("71.50"), " 71.50\n"},
		{list{}, " []\n"},
		{mapping{}, " {}\n"},
		{block{text("a")}, "\n  - a\n"},
		{mapping{{"exactly", count(30)}}, " {exactly: 30}\n"},
	} {
		var b strings.Builder
		writeValue(&b, c.in, 0)
		if b.String() != c.want {
			t.Errorf("%v: got %q, wanted %q", c.in, b.String(), c.want)
		}
	}
	long := list{}
	for i := range 40 {
		long = append(long, text(fmt.Sprintf("entry %c", 'a'+i%26)))
	}
	var b strings.Builder
	writeValue(&b, long, 2)
	if strings.Count(b.String(), "\n    - entry") != 40 {
		t.Errorf("a long list is not one line for each entry:\n%s", b.String())
	}
}
