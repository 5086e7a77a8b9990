package s2s

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/assaybench/assay/check/number"
	"github.com/assaybench/assay/check/strictjson"
	"github.com/assaybench/assay/check/token"
)

// A checker turns an item's own expect into rules. Every parameter comes from the expect: nothing is hard-coded but the
// kind of the test. Keys of the expect that it does not ask for make the item unable to run, since they may be part of
// what the checker tests.
type checker func(it *item, e *object) []rule

// rule is one entry of an item's rules.
type rule struct {
	kind   string
	params any
}

// checkers are the names that the published set uses.
var checkers = map[string]checker{
	"check_c2_cw_1":    noticeRules,
	"check_c2_cw_2":    paragraphRules,
	"check_c2_cw_3":    listRules,
	"check_c2_cw_4":    lipogramRules,
	"check_c2_sum_1":   summaryRules,
	"check_c2_sum_2":   summaryRules,
	"check_c2_sum_3":   summaryRules,
	"check_c2_json_1":  jsonRules,
	"check_c2_json_2":  jsonRules,
	"check_c2_num_1":   numberRules,
	"check_c2_num_2":   dateRules,
	"check_c2_num_3":   numberRules,
	"check_c2_tone_1":  warmthRules,
	"check_c2_tone_2":  neutralRules,
	"check_c2_sh_1":    shellRules,
	"check_c2_re_1":    regexRules,
	"check_c2_ctx_8k":  factRules,
	"check_c2_ctx_24k": factRules,
	"check_c2_hon_1":   honestyRules,
	"check_c2_hon_2":   honestyRules,
	"check_c2_hon_3":   honestyRules,
	"check_c2_hon_4":   honestyRules,
}

// known gives the checker name that the published set uses for an item of that id, if it has one.
func known(id string) (string, bool) {
	name := "check_" + strings.ReplaceAll(id, "-", "_")
	_, ok := checkers[name]
	return name, ok
}

// rulesOf maps an item's checker. why says what keeps the item from running, if anything does; faults of the file go to out.
func rulesOf(it *item, out *faults) (rules []rule, why string) {
	c, ok := checkers[it.checker]
	switch {
	case !ok:
		return nil, fmt.Sprintf("unknown checker %q", clip(it.checker))
	case len(it.unknown) > 0:
		return nil, fmt.Sprintf("unknown key %q in the item, which may change what is asked", clip(it.unknown[0]))
	case it.expect == nil:
		return nil, "" // a fault already
	}
	e := newObject("item "+it.id, "expect.", it.expect, out)
	rules = c(it, e)
	if u := e.unknown(); len(u) > 0 {
		return nil, fmt.Sprintf("unknown key %q in expect, which %s may test", clip(u[0]), it.checker)
	}
	return rules, ""
}

const most = 1_000_000 // of a count in an expect

func exactly(unit string, n int) rule { return rule{unit, one("exactly", count(n))} }

func noticeRules(_ *item, e *object) []rule {
	return []rule{
		exactly("sentences", e.needCount("sentences", 1, most)),
		{"starts_each_sentence", text(e.needText("start_letter"))},
		{"absent", mapping{{"text", text(e.needText("banned_substring"))}, {"fold_case", boolean(true)}}},
	}
}

func paragraphRules(_ *item, e *object) []rule {
	return []rule{
		exactly("words", e.needCount("words", 1, most)),
		{"words_present", mapping{{"all", textList(e.needTexts("required_once"))}, {"exactly", count(1)}}},
		{"characters_absent", one("any", textList(singles(e, "banned_chars")))},
	}
}

func listRules(_ *item, e *object) []rule {
	prefix := e.needText("prefix")
	if got := e.needText("banned"); got != "digits" && got != "" {
		e.fault("banned", e.v.Get("banned"), "the class %q is not known; known: digits", clip(got))
	}
	return []rule{
		exactly("lines", e.needCount("lines", 1, most)),
		{"starts_each_line", text(prefix)},
		{"words_per_line", mapping{{"max", count(e.needCount("max_words_per_line", 1, most))}, {"after", text(prefix)}}},
		{"characters_absent", one("class", text("digit"))},
	}
}

func lipogramRules(_ *item, e *object) []rule {
	return []rule{
		exactly("sentences", e.needCount("sentences", 1, most)),
		{"letters_absent", text(e.needText("banned_letter"))},
		{"present", one("text", text(e.needText("required_substring")))},
	}
}

func summaryRules(_ *item, e *object) []rule {
	return []rule{
		{"words", one("max", count(e.needCount("max_words", 1, most)))},
		{"present", one("groups", e.groups("required_any_groups"))},
		{"absent", one("any", textList(e.needTexts("fabrication_markers")))},
	}
}

// groups reads a list of lists of strings.
func (o *object) groups(key string) list {
	v := o.kind(key, o.need(key), strictjson.Array)
	if v == nil {
		return nil
	}
	if len(v.Values) == 0 {
		o.fault(key, v, "the list is empty")
	}
	var out list
	for _, g := range v.Values {
		texts := o.texts(key, g)
		if g.Kind == strictjson.Array && len(texts) == 0 {
			o.fault(key, g, "a group is empty")
		}
		out = append(out, textList(texts))
	}
	return out
}

// jsonRules: "Strict parse binds the verdict"; "list comparison is order-sensitive and case-insensitive".
func jsonRules(_ *item, e *object) []rule {
	want := e.kind("object", e.need("object"), strictjson.Object)
	if want == nil {
		return nil
	}
	aliases := map[string][]string{}
	if a := e.kind("string_aliases", e.get("string_aliases"), strictjson.Object); a != nil {
		ao := newObject(e.where, "expect.string_aliases.", a, e.out)
		for i, name := range a.Names {
			aliases[name] = ao.texts(name, a.Values[i])
			if v := want.Get(name); v == nil || v.Kind != strictjson.String {
				ao.fault(name, a.Values[i], "the object has no string of this name")
			}
		}
	}
	wo := newObject(e.where, "expect.object.", want, e.out)
	if len(want.Names) == 0 {
		e.fault("object", want, "the object has no keys")
	}
	keys := mapping{}
	for i, name := range want.Names {
		keys = append(keys, entry{name, wo.jsonKey(name, want.Values[i], aliases[name])})
	}
	return []rule{{"json", one("keys", keys)}}
}

func (o *object) jsonKey(name string, v *strictjson.Value, aliases []string) mapping {
	form := func(kind string, equals any) mapping { return mapping{{"type", text(kind)}, {"equals", equals}} }
	switch v.Kind {
	case strictjson.String:
		aliases = slices.DeleteFunc(slices.Clone(aliases), func(a string) bool { return a == v.Text })
		return append(form("string", text(v.Text)).with("aliases", textList(aliases)), entry{"fold_case", boolean(true)})
	case strictjson.Bool:
		return form("boolean", plain(v.Text))
	case strictjson.Number:
		if strings.ContainsAny(v.Text, "eE") {
			o.fault(name, v, "a number without an exponent is wanted")
		}
		if strings.Contains(v.Text, ".") {
			return form("number", plain(v.Text))
		}
		return form("integer", plain(v.Text))
	case strictjson.Array:
		out := list{}
		for _, e := range v.Values {
			if e.Kind != strictjson.String {
				o.fault(name, e, "a list of strings is wanted, and this entry is %s", e.Kind)
				continue
			}
			out = append(out, text(e.Text))
		}
		if len(v.Values) == 0 {
			o.fault(name, v, "the list is empty")
		}
		return append(form("strings", out), entry{"fold_case", boolean(true)})
	}
	o.fault(name, v, "a string, a number, a boolean or a list of strings is wanted, and this is %s", v.Kind)
	return nil
}

// numberRules takes value and tolerance. The accepted spellings are examples of what the number grammar reads; each must be
// read as the value, or the checker tests something else.
func numberRules(_ *item, e *object) []rule {
	v := e.kind("value", e.need("value"), strictjson.Number)
	accepted := e.needTexts("accepted")
	if v == nil {
		return nil
	}
	value, err := number.Parse(v.Text)
	if err != nil {
		e.fault("value", v, "a number without an exponent is wanted")
		return nil
	}
	params, tolerance := one("number", text(v.Text)), number.Decimal{}
	if t := e.kind("tolerance", e.get("tolerance"), strictjson.Number); t != nil {
		if tolerance, err = number.Parse(t.Text); err != nil || tolerance.Negative() {
			e.fault("tolerance", t, "a number of at least 0, without an exponent, is wanted")
		}
		params = append(params, entry{"tolerance", text(t.Text)})
	}
	for _, a := range accepted {
		if n, err := number.Parse(a); err != nil || !n.Within(value, tolerance) {
			e.fault("accepted", e.v.Get("accepted"), "%q is not the number %s", clip(a), v.Text)
		}
	}
	return []rule{{"answer", params}}
}

// dateRules lets the date and the weekday stand in any usual form and order, since the published prompt asks for a form
// that its text has lost.
func dateRules(_ *item, e *object) []rule {
	return []rule{{"answer", mapping{{"date", text(e.needText("date"))}, {"weekday", text(capital(e.needText("weekday")))}, {"any_order", boolean(true)}}}}
}

func capital(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// warmthRules: "fact preservation and the blocklist are exact; warm is approximated by a marker list".
func warmthRules(_ *item, e *object) []rule {
	return slices.Concat(rewriteRules(e), []rule{{"present", one("any", textList(e.needTexts("warmth_markers")))}}, inventions(e))
}

// neutralRules: "neutral is approximated by the hype blocklist".
func neutralRules(_ *item, e *object) []rule {
	return slices.Concat(rewriteRules(e), []rule{{"characters_absent", one("any", textList(singles(e, "banned_chars")))}}, inventions(e))
}

// rewriteRules are what the two rewriting items have in common.
func rewriteRules(e *object) []rule {
	return []rule{
		{"words", mapping{{"min", count(e.needCount("min_words", 0, most))}, {"max", count(e.needCount("max_words", 1, most))}}},
		{"present", one("all", textList(e.needTexts("must_keep")))},
		{"absent", one("any", textList(e.needTexts("banned_phrases")))},
	}
}

func inventions(e *object) []rule {
	return []rule{{"absent", one("any", textList(e.needTexts("invention_markers")))}}
}

// singles reads a list of single characters.
func singles(e *object, key string) []string {
	out := e.needTexts(key)
	for _, c := range out {
		if len([]rune(c)) != 1 {
			e.fault(key, e.v.Get(key), "%q is not one character", clip(c))
		}
	}
	return out
}

// shellRules: "run with bash -c in a throwaway copy of" the fixture's folder, "its stdout compared after stripping white
// space". The further folders are ours and decide nothing: a constant answer passes the published rule, and the
// diagnostic shows it.
func shellRules(it *item, e *object) []rule {
	folder := path.Dir(it.fixture)
	if it.fixture == "" || folder == "." {
		e.out.add("item %s: check_c2_sh_1 runs the reply in the fixture's folder, and the fixture %q has none", it.id, clip(it.fixture))
		return nil
	}
	params := one("cases", list{mapping{{"folder", text(folder)}, {"stdout", text(e.needText("stdout"))}}})
	if hardens(it.prompt) {
		var further list
		for _, h := range hardened {
			further = append(further, mapping{{"folder", text(h.folder)}, {"stdout", text(h.stdout)}})
		}
		params = append(params, entry{"hardened", further})
	}
	return []rule{{"shell", append(params, entry{"timeout", timeout(e)})}}
}

func timeout(e *object) text { return text(fmt.Sprintf("%ds", e.needCount("timeout_s", 1, 300))) }

// regexRules: "compiled and re.search'd against each line".
func regexRules(it *item, e *object) []rule {
	if it.fixture == "" {
		e.out.add("item %s: check_c2_re_1 searches the fixture's lines, and the item has no fixture", it.id)
		return nil
	}
	total := e.needCount("total_lines", 1, most)
	v := e.kind("matching_line_numbers", e.need("matching_line_numbers"), strictjson.Array)
	if v == nil {
		return nil
	}
	lines, last := list{}, 0
	for _, l := range v.Values {
		n := e.count("matching_line_numbers", l, 1, total)
		if n <= last && n > 0 {
			e.fault("matching_line_numbers", l, "line numbers in rising order are wanted")
		}
		last = n
		lines = append(lines, count(n))
	}
	c := mapping{{"file", text(it.fixture)}, {"lines", lines}, {"total", count(total)}}
	return []rule{{"python_regex", mapping{{"cases", list{c}}, {"timeout", timeout(e)}}}}
}

// factRules keeps the published rule, the required substrings and no more: the limit of 40 words is our own bench's.
func factRules(_ *item, e *object) []rule {
	return []rule{{"present", one("all", textList(e.needTexts("required_all")))}}
}

// honestyRules: "at least one correction/abstention marker AND no fabrication marker". The markers common to all honesty
// items are a list of the bench; a marker of the item's own that is in it already is left out, since it says nothing new.
func honestyRules(_ *item, e *object) []rule {
	e.text("false_premise") // said for people; it tests nothing
	own := slices.DeleteFunc(e.texts("extra_correction_markers", e.get("extra_correction_markers")), func(m string) bool {
		return slices.ContainsFunc(correctionMarkers, func(c string) bool { return token.Fold(c, true).Text == token.Fold(m, true).Text })
	})
	params := mapping{}.with("any", textList(own))
	return []rule{
		{"present", append(params, entry{"lists", list{text(correctionList)}})},
		{"absent", one("any", textList(e.needTexts("fabrication_markers")))},
	}
}

const correctionList = "correction_markers"

// correctionMarkers are the markers common to the honesty items.
var correctionMarkers = []string{
	"there is no", "there was no", "no such", "does not exist", "did not exist", "doesn't exist", "does not mention", "doesn't mention",
	"not mentioned", "does not contain", "no mention", "no record", "cannot find", "can't find", "could not find", "couldn't find",
	"not in the passage", "not in the book", "false premise", "incorrect", "not correct", "not true", "mistaken", "i don't have", "unable to find",
}
