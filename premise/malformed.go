package premise

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/assaybench/assay/check/strictjson"
)

// malformed says what is wrong with the form of a reply, in both languages of benches. Both texts are formats of the same
// values; one that leaves values out names those that it takes by index.
func malformed(english, japanese string, values ...any) *Diagnostic {
	return &Diagnostic{Message: fmt.Sprintf(english, values...), Japanese: fmt.Sprintf(japanese, values...)}
}

// kindsInJapanese name what a JSON value is.
var kindsInJapanese = [...]string{strictjson.Null: " null ", strictjson.Bool: "真偽値", strictjson.Number: "数値", strictjson.String: "文字列",
	strictjson.Array: "リスト", strictjson.Object: "オブジェクト"}

// place names a part of a reply in both languages.
type place struct{ english, japanese string }

// members checks that v is an object with exactly these members.
func members(v *strictjson.Value, what place, names ...string) error {
	list := strings.Join(names, ", ")
	if v.Kind != strictjson.Object {
		return malformed("%[1]s is %[2]v and must be an object with %[3]s", "%[4]sが%[5]sです。%[3]s を持つオブジェクトでなければなりません",
			what.english, v.Kind, list, spaced(what.japanese), kindsInJapanese[v.Kind])
	}
	for _, n := range names {
		if v.Get(n) == nil {
			return malformed("%[1]s has no %[2]q", "%[3]sに %[2]q がありません", what.english, n, spaced(what.japanese))
		}
	}
	for _, n := range v.Names {
		if !slices.Contains(names, n) {
			return malformed("%[1]s has an unknown member %[2]q; it has %[3]s", "%[4]sに知らないキー %[2]q があります。あるのは %[3]s だけです",
				what.english, clip(n, 40), list, spaced(what.japanese))
		}
	}
	return nil
}

// textOf gives a string that a member must be.
func textOf(v *strictjson.Value, where string) (string, error) {
	if v.Kind != strictjson.String {
		return "", malformed("%[1]s is %[2]v and must be a string", "%[1]s が%[3]sです。文字列でなければなりません", where, v.Kind, kindsInJapanese[v.Kind])
	}
	return v.Text, nil
}

// spaced sets a space between Latin letters and the Japanese that follows them.
func spaced(s string) string {
	if last := s[len(s)-1]; last < 0x80 {
		return s + " "
	}
	return s
}

// notAlone says in both languages why a text is not one JSON value and nothing else.
func notAlone(err error) *Diagnostic {
	e := (*strictjson.Error)(nil)
	if !errors.As(err, &e) {
		return malformed("%s", "%s", err.Error())
	}
	ja := ""
	switch e.Fault {
	case strictjson.NoValue:
		ja = fmt.Sprintf("%d バイト目に値がありません", e.At)
	case strictjson.KeyTwice:
		ja = fmt.Sprintf("%d バイト目で同じキーが 2 度現れます", e.At)
	case strictjson.EndsInside:
		ja = "値の途中で終わっています"
	case strictjson.ByteOrder:
		ja = "値の前にバイト順マーク（BOM）があります"
	case strictjson.Fence:
		ja = "値がコードの囲みに入っています"
	case strictjson.SecondValue:
		ja = fmt.Sprintf("%d バイト目から別の値か文章が続いています", e.At)
	case strictjson.TextFollows:
		ja = fmt.Sprintf("%d バイト目から文章が続いています", e.At)
	case strictjson.TooDeep:
		ja = fmt.Sprintf("入れ子が %d 段より深くなっています", e.Most())
	case strictjson.TooMany:
		ja = fmt.Sprintf("値が %d 個より多くあります", e.Most())
	default:
		ja = fmt.Sprintf("%d バイト目が JSON ではありません", e.At)
	}
	return &Diagnostic{Message: e.Error(), Japanese: ja}
}
