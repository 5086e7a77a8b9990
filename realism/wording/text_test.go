package wording

import (
	"encoding/json"
	"math/big"
	"os"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// vectors reads the published figures; tests that need them are skipped where they are not.
func vectors(t testing.TB, into any) {
	t.Helper()
	b, err := os.ReadFile("../../../shared/realism/audit-vectors.json")
	if err != nil {
		t.Skip("the published figures (../shared/realism/audit-vectors.json beside the repository) are not here")
	}
	if err := json.Unmarshal(b, into); err != nil {
		t.Fatal(err)
	}
}

func TestPublishedWordCounts(t *testing.T) {
	var v struct {
		WordCount []struct {
			Text                string
			Whitespace, Lexical int
		}
	}
	vectors(t, &v)
	if len(v.WordCount) == 0 {
		t.Fatal("no figures")
	}
	for _, c := range v.WordCount {
		if got := Whitespace(c.Text); got != c.Whitespace {
			t.Errorf("%q: %d fields, want %d", c.Text, got, c.Whitespace)
		}
		if got := Lexical(c.Text); got != c.Lexical {
			t.Errorf("%q: %d words, want %d", c.Text, got, c.Lexical)
		}
	}
}

func TestPublishedShingles(t *testing.T) {
	var v struct {
		FiveShingle []struct {
			A, B     string
			Num, Den int64
			Over     bool `json:"over_0_72"`
		}
	}
	vectors(t, &v)
	if len(v.FiveShingle) == 0 {
		t.Fatal("no figures")
	}
	for _, c := range v.FiveShingle {
		got := Alike(c.A, c.B)
		if got.Cmp(big.NewRat(c.Num, c.Den)) != 0 {
			t.Errorf("%.40q and %.40q: %s, want %d/%d", c.A, c.B, got.RatString(), c.Num, c.Den)
		}
		if over := got.Cmp(big.NewRat(72, 100)) > 0; over != c.Over {
			t.Errorf("%.40q and %.40q: over 0.72 is %v, want %v", c.A, c.B, over, c.Over)
		}
	}
}

func TestLexicalOfOtherScripts(t *testing.T) {
	for text, want := range map[string]int{
		"生産計画を確認する":       5, // nine characters
		"slip 2 は空いていますか": 6, // two words and eight characters
		"l’atelier d’Ada": 2,
		"a-b--c":          2,
		"ราคา":            2,
	} {
		if got := Lexical(text); got != want {
			t.Errorf("%q: %d words, want %d", text, got, want)
		}
	}
}

func TestNeutral(t *testing.T) {
	got := Neutral("Ada Brook wants MO-31 and BF7101 for €1,200.50 by 16 May 2034 at 09:30, not Friday; 12 ropes (d41d8cd98f00b204e9800998ecf8427e) of Lowwater Ferries' yard. Adamant facade 2034-05-16",
		[]string{"Ada Brook", "Ada", "Lowwater Ferries"})
	want := strings.Fields("wants ID and ID for MONEY by DATE at TIME not DATE NUMBER ropes ID of yard adamant facade DATE")
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
	if r := AlikeNeutral("Book slip 2 for vessel 217 by Friday", []string{"vessel 217"}, "Book slip 9 for vessel 31 by Monday", []string{"vessel 31"}); r.Cmp(big.NewRat(1, 1)) != 0 {
		t.Errorf("two requests that differ by names alone are alike by %s", r.RatString())
	}
}

func TestShared(t *testing.T) {
	a := "We need the ropes for the vessel, and soon."
	var got []string
	for _, s := range Shared(a, "Perhaps WE need the ropes for another ship") {
		got = append(got, a[s[0]:s[1]])
	}
	if !reflect.DeepEqual(got, []string{"We need the ropes for"}) {
		t.Errorf("shared: %q", got)
	}
}

func TestAlikeIsSymmetricAndBounded(t *testing.T) {
	text := rapid.StringMatching(`([a-d]{1,3}[ ,.]){0,12}`)
	rapid.Check(t, func(t *rapid.T) {
		a, b := text.Draw(t, "a"), text.Draw(t, "b")
		x, y := Alike(a, b), Alike(b, a)
		if x.Cmp(y) != 0 || x.Sign() < 0 || x.Cmp(big.NewRat(1, 1)) > 0 {
			t.Fatalf("%s and %s", x, y)
		}
		if Alike(a, a).Cmp(big.NewRat(1, 1)) != 0 {
			t.Fatal("a text is not like itself")
		}
		if Alike(a, strings.ToUpper(a)+"!").Cmp(big.NewRat(1, 1)) != 0 {
			t.Fatal("case and marks make a difference")
		}
	})
}

func FuzzText(f *testing.F) {
	f.Add("Don't re-plan slip 2 — ½ of MO-31 by 16 May", "x")
	f.Add("\xff\u0301\u30fc生", "生")
	f.Fuzz(func(t *testing.T, a, b string) {
		if len(a) > 2000 || len(b) > 2000 {
			return
		}
		for _, tok := range Tokens(a) {
			if tok.Start < 0 || tok.End > len(a) || tok.Start >= tok.End || tok.Text == "" {
				t.Fatalf("token %v of %q", tok, a)
			}
		}
		last := 0
		for _, s := range Shared(a, b) {
			if s[0] < last || s[1] <= s[0] || s[1] > len(a) {
				t.Fatalf("span %v", s)
			}
			last = s[1]
		}
		if x, y := AlikeNeutral(a, []string{b}, b, nil), AlikeNeutral(b, nil, a, []string{b}); x.Cmp(y) != 0 || x.Sign() < 0 || x.Cmp(big.NewRat(1, 1)) > 0 {
			t.Fatalf("%s and %s", x, y)
		}
		if Lexical(a) < 0 || Normal(Normal(a)) != Normal(a) {
			t.Fatalf("the normal form of %q is not stable", a)
		}
	})
}
