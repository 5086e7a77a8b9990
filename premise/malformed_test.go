package premise

import (
	"fmt"
	"strings"
	"testing"
	"unicode"

	"github.com/assaybench/assay/record"
)

// What a model is told about a reply that is not of the form is in the bench's language, all of it.
func TestMalformedInBothLanguages(t *testing.T) {
	s := desk(t)
	for _, c := range []struct{ name, answer, english, japanese string }{
		{"not UTF-8", "\xff", "the reply is not UTF-8", "返答が UTF-8 ではありません"},
		{"too large", strings.Repeat(" ", MaxReply) + "1", "the reply has 4194305 bytes, and at most 4194304 are read", "返答が 4194305 バイトあります。読めるのは 4194304 バイトまでです"},
		{"empty", " \n", "the reply is empty", "返答が空です"},
		{"no JSON", "yes", "the reply is not JSON alone: not JSON at byte 0", "返答が JSON だけになっていません: 0 バイト目が JSON ではありません"},
		{"fenced", "```json\n{}\n```", "the reply is not JSON alone (a code fence stands around the value): leave the fence and all text around it out",
			"返答が JSON だけになっていません（値がコードの囲みに入っています）。囲みと前後の文章を除いてください"},
		{"byte order mark", "\ufeff{}", "the reply is not JSON alone: a byte order mark stands before the value", "返答が JSON だけになっていません: 値の前にバイト順マーク（BOM）があります"},
		{"cut", `{"body":"x`, "the reply is not JSON alone: the text ends inside the value", "返答が JSON だけになっていません: 値の途中で終わっています"},
		{"twice", `{"body":"x","body":"y"}`, "the reply is not JSON alone: a key stands twice at byte 12", "返答が JSON だけになっていません: 12 バイト目で同じキーが 2 度現れます"},
		{"second value", `{} {}`, "the reply is not JSON alone: a second value or text follows at byte 2", "返答が JSON だけになっていません: 2 バイト目から別の値か文章が続いています"},
		{"text behind", "{}。", "the reply is not JSON alone: text follows the value at byte 2", "返答が JSON だけになっていません: 2 バイト目から文章が続いています"},
		{"deep", strings.Repeat("[", 300), "the reply is not JSON alone: nested more than 200 deep", "返答が JSON だけになっていません: 入れ子が 200 段より深くなっています"},
		{"many", "[" + strings.Repeat("1,", 100_000) + "1]", "the reply is not JSON alone: more than 100000 values", "返答が JSON だけになっていません: 値が 100000 個より多くあります"},
		{"a list", "[]", "the reply is a list and must be an object with body, explanation, assumptions", "返答がリストです。body, explanation, assumptions を持つオブジェクトでなければなりません"},
		{"null", "null", "the reply is null and must be an object with body, explanation, assumptions", "返答が null です。body, explanation, assumptions を持つオブジェクトでなければなりません"},
		{"no explanation", `{"body":"x","assumptions":[]}`, `the reply has no "explanation"`, `返答に "explanation" がありません`},
		{"one more", `{"body":"x","explanation":"","assumptions":[],"note":1}`, `the reply has an unknown member "note"; it has body, explanation, assumptions`,
			`返答に知らないキー "note" があります。あるのは body, explanation, assumptions だけです`},
		{"body", `{"body":["x"],"explanation":"","assumptions":[]}`, "body is a list and must be a string", "body がリストです。文字列でなければなりません"},
		{"explanation", `{"body":"","explanation":null,"assumptions":[]}`, "explanation is null and must be a string", "explanation が null です。文字列でなければなりません"},
		{"assumptions", `{"body":"","explanation":"","assumptions":{}}`, "assumptions is an object and must be a list", "assumptions がオブジェクトです。リストでなければなりません"},
		{"an assumption", `{"body":"","explanation":"","assumptions":["tz"]}`, "assumptions[0] is a string and must be an object with topic, statement",
			"assumptions[0] が文字列です。topic, statement を持つオブジェクトでなければなりません"},
		{"no statement", `{"body":"","explanation":"","assumptions":[{"topic":"tz"}]}`, `assumptions[0] has no "statement"`, `assumptions[0] に "statement" がありません`},
		{"topic", `{"body":"","explanation":"","assumptions":[{"topic":"Tz","statement":""}]}`, `assumptions[0].topic is "Tz" and must be one of tz, week, roll`,
			`assumptions[0].topic が "Tz" です。tz, week, roll, holidays, fiscal, anchor, counting, asof, boundary のいずれかでなければなりません`},
		{"statement", `{"body":"","explanation":"","assumptions":[{"topic":"tz","statement":true}]}`, "assumptions[0].statement is a boolean and must be a string",
			"assumptions[0].statement が真偽値です。文字列でなければなりません"},
		{"no points", replyOf("# nothing"), "the body has no expression that gives points [run.no-body]", "本文に時点列を返す式がありません [run.no-body]"},
	} {
		for language, want := range map[string]string{"en": c.english, "ja": c.japanese} {
			s.spec.language, s.spec.repair = language, "{diagnostic}"
			told, again, err := s.Again(t.Context(), "P-01", 0, c.answer)
			if err != nil || !again || !strings.HasPrefix(told, want) || strings.Contains(told, "%!") {
				t.Errorf("%s, %s: %q, want %q (%v)", c.name, language, told, want, err)
			}
			if language == "en" && strings.ContainsFunc(told, func(r rune) bool { return unicode.In(r, unicode.Hiragana, unicode.Katakana, unicode.Han) }) {
				t.Errorf("%s: Japanese in %q", c.name, told)
			}
		}
		if v := grade(t, s, "P-01", c.answer); v.Letter != record.LetterInvalid || !strings.HasPrefix(v.Reason, "not validated: "+c.english) {
			t.Errorf("%s: %s, %s", c.name, v.Letter, v.Reason)
		}
	}
}

// A reply that was looked at when it came in is not evaluated again for its verdict, which is that of any other reader.
func TestJudgedOnce(t *testing.T) {
	s := desk(t)
	for _, answer := range []string{replyOf("everyDay |> frist", "roll"), "no", replyOf("monthEnd", "roll", "tz"), replyOf("everyDay")} {
		if _, _, err := s.Again(t.Context(), "P-01", 0, answer); err != nil {
			t.Fatal(err)
		}
		kept := len(s.recent.order)
		v, fresh := grade(t, s, "P-01", answer), grade(t, desk(t), "P-01", answer)
		if got, want := fmt.Sprintf("%+v %+v", v, *v.Premise), fmt.Sprintf("%+v %+v", fresh, *fresh.Premise); len(s.recent.order) != kept || normal(got) != normal(want) {
			t.Errorf("%s: %s, want %s", answer, got, want)
		}
		k := s.recent.order[kept-1]
		changed := s.recent.kept[k]
		changed.over = 7
		s.recent.kept[k] = changed
		if v := grade(t, s, "P-01", answer); v.OverDeclared != 7 {
			t.Errorf("%s: it was judged again", answer)
		}
		if v := grade(t, s, "P-13", answer); v.OverDeclared == 7 {
			t.Errorf("%s: the judgement is another problem's", answer)
		}
	}
}

// normal takes addresses out of a printed verdict.
func normal(s string) string {
	i := strings.Index(s, "Premise:0x")
	if i < 0 {
		return s
	}
	rest := s[i+len("Premise:0x"):]
	return s[:i] + strings.TrimLeft(rest, "0123456789abcdef")
}

// Only the latest judgements are kept.
func TestRecentIsBounded(t *testing.T) {
	var r recent
	key := func(i int) judged { return judged{problem: fmt.Sprint(i)} }
	for i := range 3 * recentMost {
		r.put(key(i), judgement{over: i})
		r.put(key(i), judgement{over: -1}) // the first stays
	}
	if len(r.kept) != recentMost || len(r.order) != recentMost {
		t.Errorf("%d kept, %d in order", len(r.kept), len(r.order))
	}
	for _, i := range []int{0, 2*recentMost - 1, 2 * recentMost, 3*recentMost - 1} {
		if j, ok := r.get(key(i)); ok != (i >= 2*recentMost) || ok && j.over != i {
			t.Errorf("%d: %v, %+v", i, ok, j)
		}
	}
}
