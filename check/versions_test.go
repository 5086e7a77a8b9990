package check

import (
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write golden files anew")

const kindsGolden = "testdata/kinds.golden"

// probes are answers that every form of every kind judges. Add to them freely, at the end: that changes every hash, which
// "go test ./check -run Versions -update -accept" then writes anew.
var probes = []string{
	"Boats bob. Bells ring.", "Boats bob. Bells ring! Birds bark? Bears.", "boats bob.", "“Boats!” (Bells.)", "B... B?! B.", "B. B. B. ok", "B. . . B.", "It is 48.20 today. Fine.", "e.g. this.",
	"- a\n- b\n- c", "- a b\r\n- c d\r\n", "a\rb", "a\u2028b", "\n\na\nb\n\nc", "a\n\u200b\nb", " - a", "> abc\n> abcde", "*a*", "**Boats.**", "* B",
	"one two three four", "one\u00a0two three\u3000four", "one\u200btwo three", "Hello world", "hello wörld", "e\u0301 é E", "今日は。はい！", "値は３．５。", "A. A", "word",
	"dog", "DOG", "hotdog", "hot dog", "d\u200bog", "dogs", "Dog cat 28", "cat twenty\u2011eight", "dog tide", "Tide, dog; tide.", "tide dog", "tides dog", "the tide’s dog", "dog_1", "tea", "There is no tea", "does\nnot  mention",
	"212", "1,212", "2125", "212.5", ".212", "212lb", "March 3", "march 30", "March 3rd", "no digits", "٣", "²", "1", "22", "x", "xyz", "Zoë", "\u212a", "ſ", "ẞ", "İ", "ok!", "a, b", "a; b", "UPPER", "lower",
	"yes", " Yes \n", "no.", "y\u200bes", "a\nb", "a\r\nb\r\n", "a b", "```\nyes\n```", "~~~", "`x`", "yes<|eot|>",
	"Boats\nare", "x\nBoats", "it is four", "it is five", "is four, is five", "is\u00a0four",
	"ANSWER: 71.50", "ANSWER: $71.5", "ANSWER: 71.51", "ANSWER: 3\nANSWER: 71.50", "ANSWER: 71.50\nANSWER: 3", "answer: 71.50", "**ANSWER: 71.50**", "ANSWER: 71.50 USD", "ANSWER: 71.50\nbye", "ANS\u200bWER: 71.50",
	"ANSWER:", "ANSWER: 29%", "ANSWER: nan", "ANSWER: 7.15e1", "ANSWER: −71.50", "ANSWER: 6.685", "ANSWER: 6.695", "ANSWER: 6.6951", "ANSWER: 6.69 m", "ANSWER: 2026-01-31 Saturday", "ANSWER: Saturday, 31 January 2026",
	"ANSWER: 2026-02-01 Sunday", "ANSWER: 2026-01-31 Sunday", "ANSWER: 2026-01-31", "ANSWER: B", "ANSWER: b", "ANSWER: C", "ANSWER: B or C", "ANSWER: Paris", "ANSWER: The City of paris", "ANSWER: Rome",
	`{"set": "double six", "pieces": 28}`, `{"set": "Double-Six", "pieces": 28}`, `{"set": "double six", "pieces": 28.0}`, `{"set": "double six", "pieces": "28"}`, `{"set": "double six"}`, `{"set": "double six", "pieces": 28, "x": 1}`,
	`{"set": "double six", "pieces": 28, "pieces": 28}`, "```json\n{\"set\": \"double six\", \"pieces\": 28}\n```", `{"set": "double six", "pieces": 28} ok`, `{"set": " double six ", "pieces": 28}`, `[1]`, `28`,
	`{"p": 1.5, "ok": true, "l": ["Ace", "deuce"]}`, `{"p": 1.50, "ok": true, "l": ["deuce", "ace"]}`, `{"p": 15e-1, "ok": true, "l": ["ace", "deuce"]}`, `{"p": 1.5, "ok": "true", "l": ["ace", "deuce"]}`, `{"p": 1.5, "ok": true, "l": ["ace"]}`,
	"grep -c error a.txt", "echo 1", "echo 2", "sleep 60", "nonsense", "break", "grep -c error a.txt\n# done", "Boats bob.", "He did. I stood.", "He did.\n\nI stood.", "Dog and Dog", "Dog", "the Tide", "Tide", "Tide 212", "212 teas", "coffee.", "a\nb\nc\nd", "a\n\nb\n\nc\nd\ne", `\d`, `\d\d`, "(", "(a+)+$", "beta", "zzz", "\xff", "\u3164", "",
}

// decisions gives what a kind says of every probe by every form, as letters.
func decisions(t *testing.T, kind string) string {
	all := slices.Clone(probes)
	for _, c := range verdicts {
		if name, _, _ := strings.Cut(c.rule, ":"); name == kind {
			all = append(all, slices.Sorted(maps.Keys(c.answers))...)
		}
	}
	var b strings.Builder
	for _, form := range forms[kind] {
		set := one(t, "- "+kind+": "+form)
		fmt.Fprintf(&b, "%s\n", form)
		for _, p := range all {
			b.WriteString(string(set.answer(t, "x", p).Letter))
		}
		b.WriteByte('\n')
	}
	return b.String()
}

var accept = flag.Bool("accept", false, "with -update: write hashes anew even where the version stayed (new probes, unreleased kinds)")

// TestVersions: "an integer version of each rule kind, raised by hand whenever what the kind decides changes (a golden test
// guards it)". The golden file holds "kind version hash" for each.
func TestVersions(t *testing.T) {
	data, err := os.ReadFile(kindsGolden)
	if err != nil && !*update {
		t.Fatal(err)
	}
	known := map[string]string{}
	for line := range strings.Lines(string(data)) {
		var kind, version, hash string
		if _, err := fmt.Sscan(line, &kind, &version, &hash); err != nil {
			t.Fatalf("%s: %q: %v", kindsGolden, line, err)
		}
		known[kind] = version + " " + hash
	}
	var out strings.Builder
	for _, k := range Kinds() {
		sum := sha256.Sum256([]byte(decisions(t, k.Name)))
		now := fmt.Sprintf("%d %s", k.Version, hex.EncodeToString(sum[:8]))
		was := known[k.Name]
		delete(known, k.Name)
		version, _, _ := strings.Cut(was, " ")
		switch {
		case now == was, *update && (*accept || version != fmt.Sprint(k.Version)):
		case version == fmt.Sprint(k.Version):
			t.Errorf("what %s decides has changed: raise the version of %s (check.kind.version), then go test ./check -run Versions -update", k.Name, k.Name)
		case was == "":
			t.Errorf("%s is a new kind: go test ./check -run Versions -update", k.Name)
		default:
			t.Errorf("the version of %s is %d and the golden file has %s: go test ./check -run Versions -update", k.Name, k.Version, version)
		}
		fmt.Fprintf(&out, "%s %s\n", k.Name, now)
	}
	for kind := range known {
		if !*update {
			t.Errorf("the kind %s is gone: benches that use it no longer load; go test ./check -run Versions -update", kind)
		}
	}
	if *update && !t.Failed() {
		if err := os.WriteFile(kindsGolden, []byte(out.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// TestProbesTell makes sure that the probes tell a kind's forms apart: each passes and refuses some.
func TestProbesTell(t *testing.T) {
	for kind := range forms {
		lines := strings.Split(decisions(t, kind), "\n")
		for i := 0; i+1 < len(lines); i += 2 {
			if n := strings.Count(lines[i+1], "."); n == 0 || strings.Count(lines[i+1], "F")+strings.Count(lines[i+1], "U") < 6 {
				t.Errorf("%s: %s passes %d of %d probes: the golden file guards too little", kind, lines[i], n, len(lines[i+1]))
			}
		}
	}
}
