package s2s

import (
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/assaybench/assay/bench"
	"github.com/assaybench/assay/check/strictjson"
	"github.com/assaybench/assay/record"
)

// Limits on what a file from outside may hold.
const (
	MaxFile  = 32 << 20 // bytes
	maxItems = 10_000
	maxDepth = 24 // nesting inside an item's expect
	maxKey   = 200
	maxKeys  = 1000 // of one object, so that nothing here takes more than time in proportion to the file
	maxNames = 100  // of models in the protocol's sentence
)

// Schema is the name of the schema.
const Schema = "s2s-bench-v1"

// file is a published file, read.
type file struct {
	exhibit, published, version       string
	licence, attribution              string
	dataset, artifact, sha256, status string
	contamination, notAStandard       string
	limits                            []string
	quotas                            []quota
	frozen, drafted, exact, proxy     *int // as the file counts itself; nil where it does not
	protocol                          protocol
	items                             []item
	warnings                          []string
}

type quota struct {
	family string
	n      int
}

// protocol is the file's protocol; numbers with a point keep their digits.
type protocol struct {
	temperature, topP    string
	repeats, context     int
	predict, timeout     int // tokens, seconds
	predictOn, timeoutOn int // with thinking; 0 where the file names none
	off                  bool
	models               []string // that are run with thinking too
}

type item struct {
	id, category, checker, fixture, prompt, notes string
	basis                                         record.Basis
	frozen                                        bool
	expect                                        *strictjson.Value
	unknown                                       []string // keys that no part of Assay knows
}

// published dates are dates or times in UTC; they become versions, which have no room for anything else.
var publishedForm = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?Z)?$`)

// isVersion reports whether a text can stand behind id@: at most 64 characters, none of them a space, a control character,
// "@" or "/".
func isVersion(s string) bool {
	n := utf8.RuneCountInString(s)
	return n >= 1 && n <= 64 && utf8.ValidString(s) && !strings.ContainsFunc(s, func(r rune) bool {
		return r == '@' || r == '/' || unicode.IsSpace(r) || unicode.In(r, unicode.C, unicode.Z)
	})
}

// readFile reads a published file strictly; all faults found come back together, one line each.
func readFile(data []byte) (*file, error) {
	if len(data) > MaxFile {
		return nil, fmt.Errorf("the file has %d bytes, and at most %d are read", len(data), MaxFile)
	}
	v, err := strictjson.Parse(string(data))
	if err != nil {
		return nil, fmt.Errorf("the file is not one JSON value, strictly read: %w", err)
	}
	var out faults
	o := newObject("the file", "", v, &out)
	if v.Kind != strictjson.Object {
		return nil, out.err()
	}
	if got := o.needText("schema"); got != Schema && got != "" {
		o.fault("schema", v.Get("schema"), "the schema is %q, and %q is read here", clip(got), Schema)
		return nil, out.err() // every other message would be about another format
	}
	f := &file{exhibit: o.needText("exhibit"), published: o.text("published_utc"), version: o.text("version"), licence: o.needText("licence"), attribution: o.needText("attribution"),
		dataset: o.text("dataset"), artifact: o.text("artifact"), sha256: o.text("sha256"), status: o.text("status"),
		contamination: o.text("contamination_caveat"), notAStandard: o.text("not_a_standard"), limits: o.texts("limits", o.get("limits"))}
	f.readNames(o)
	for key, n := range map[string]**int{"frozen_count": &f.frozen, "drafted_count": &f.drafted, "exact_items": &f.exact, "proxy_items": &f.proxy} {
		if c := o.get(key); c != nil {
			i := o.count(key, c, 0, maxItems)
			*n = &i
		}
	}
	f.readQuotas(o)
	if p := o.need("protocol"); p != nil {
		f.readProtocol(newObject("the file", "protocol.", p, &out))
	}
	if items := o.kind("items", o.need("items"), strictjson.Array); items != nil {
		f.readItems(o, items)
	}
	for _, key := range []string{"hardware", "what_this_is", "freeze_note", "source", "checker_rules", "checker_sha256"} {
		o.used[key] = true // said of the file as a whole; they stay in origin/s2s.json
	}
	f.warnUnknown("", o.unknown())
	return f, out.err()
}

// readNames checks the two names that become the bench's id and version.
func (f *file) readNames(o *object) {
	if v := o.v.Get("exhibit"); f.exhibit != "" && !bench.ValidID(f.exhibit+idSuffix) {
		o.fault("exhibit", v, "%q cannot be a bench's id, which is made of lowercase letters, digits and . _ - inside", clip(f.exhibit))
	}
	switch {
	case f.version != "":
		if !isVersion(f.version) {
			o.fault("version", o.v.Get("version"), "%q cannot be a bench's version, which has no @, / or white space", clip(f.version))
		}
	case f.published == "":
		o.fault("published_utc", o.v, "is missing, and there is no version; one of them becomes the bench's version")
	}
	if f.published != "" && !publishedForm.MatchString(f.published) {
		o.fault("published_utc", o.v.Get("published_utc"), "a date such as 2026-08-13, or a time in UTC, is wanted, and this is %q", clip(f.published))
	}
}

func (f *file) readQuotas(o *object) {
	q := o.kind("quota_frozen", o.get("quota_frozen"), strictjson.Object)
	if q == nil {
		return
	}
	if len(q.Names) > maxKeys {
		o.fault("quota_frozen", q, "at most %d families are read", maxKeys)
		return
	}
	qo := newObject("the file", "quota_frozen.", q, o.out)
	for _, name := range q.Names {
		if !bench.ValidID(name) {
			qo.fault(name, q.Get(name), "%q cannot be a family's id, which is made of lowercase letters, digits and . _ - inside", clip(name))
			continue
		}
		f.quotas = append(f.quotas, quota{name, qo.needCount(name, 0, maxItems)})
	}
}

const maxSeconds = 24 * 60 * 60

// modelName is a name with a tag, as model servers write them.
var modelName = regexp.MustCompile(`[A-Za-z0-9][A-Za-z0-9._/-]*:[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?`)

func (f *file) readProtocol(o *object) {
	p := &f.protocol
	p.temperature, p.topP = decimal(o, "temperature"), decimal(o, "top_p")
	p.repeats, p.context = o.needCount("repeats", 1, 1000), o.needCount("num_ctx", 1, 1<<30)
	p.predict, p.timeout = o.needCount("num_predict", 1, 1<<30), o.needCount("timeout_s", 1, maxSeconds)
	if rule := o.needText("pass_rule"); rule != "" && rule != "all" && !strings.HasPrefix(rule, "conjunctive") {
		o.fault("pass_rule", o.v.Get("pass_rule"), "the pass rule %q is not known; known: conjunctive (every repeat must pass)", clip(rule))
	}
	on, timeoutOn := o.get("num_predict_think_true"), o.get("timeout_s_think_true")
	switch {
	case on != nil && timeoutOn != nil:
		p.predictOn, p.timeoutOn = o.count("num_predict_think_true", on, 1, 1<<30), o.count("timeout_s_think_true", timeoutOn, 1, maxSeconds)
	case on != nil || timeoutOn != nil:
		o.fault("num_predict_think_true", o.v, "goes together with timeout_s_think_true, and one of them is missing")
	}
	postures := o.text("postures")
	p.off = strings.Contains(postures, "think:false")
	if _, rest, found := strings.Cut(postures, "think:true"); found {
		for _, m := range modelName.FindAllString(rest, maxNames) {
			if !strings.HasPrefix(m, "think:") && !slices.Contains(p.models, m) {
				p.models = append(p.models, m)
			}
		}
		switch {
		case p.predictOn == 0:
			f.warnings = append(f.warnings, `the protocol speaks of think:true and gives no limits for it (num_predict_think_true, timeout_s_think_true); there is no such posture`)
		case len(p.models) == 0:
			f.warnings = append(f.warnings, `the protocol's postures name no model that is run with think:true; ask for it with --posture thinking`)
		default:
			f.warnings = append(f.warnings, "models for the posture thinking, taken from the protocol's own sentence: "+strings.Join(p.models, ", "))
		}
	}
	o.used["long_context_note"] = true
	f.warnUnknown("protocol.", o.unknown())
}

// decimal reads a number that may be missing, without an exponent, and keeps its digits.
func decimal(o *object, key string) string {
	v := o.kind(key, o.get(key), strictjson.Number)
	if v == nil {
		return ""
	}
	if strings.ContainsAny(v.Text, "eE") || len(v.Text) > 20 {
		o.fault(key, v, "a short number without an exponent is wanted, and this is %s", clip(v.Text))
		return ""
	}
	return v.Text
}

func (f *file) readItems(o *object, items *strictjson.Value) {
	if n := len(items.Values); n == 0 || n > maxItems {
		o.fault("items", items, "the list has %d items, and 1 to %d are read", n, maxItems)
		return
	}
	seen := map[string]bool{}
	for i, v := range items.Values {
		where := fmt.Sprintf("item number %d", i+1)
		if id := v.Get("id"); id != nil && id.Kind == strictjson.String && bench.ValidID(id.Text) {
			where = "item " + id.Text
		}
		it := readItem(newObject(where, "", v, o.out))
		if it.id != "" && seen[it.id] {
			o.out.add("%s (byte %d): the id stands twice", where, v.Start)
		}
		seen[it.id] = true
		f.items = append(f.items, it)
	}
}

func readItem(o *object) item {
	if o.v.Kind != strictjson.Object {
		return item{}
	}
	it := item{id: o.needText("id"), category: o.needText("category"), checker: o.needText("checker"), prompt: o.needText("prompt"),
		notes: o.text("notes"), fixture: o.text("fixture"), frozen: o.needBool("frozen"), basis: record.Exact}
	if o.needBool("proxy") {
		it.basis = record.Proxy
	}
	if v := o.v.Get("id"); it.id != "" && !bench.ValidID(it.id) {
		o.fault("id", v, "%q cannot be an item's id, which is made of lowercase letters, digits and . _ - inside", clip(it.id))
	}
	if v := o.v.Get("category"); it.category != "" && !bench.ValidID(it.category) {
		o.fault("category", v, "%q cannot be a family's id, which is made of lowercase letters, digits and . _ - inside", clip(it.category))
	}
	if it.fixture != "" && (!fs.ValidPath(it.fixture) || it.fixture == "." || strings.ContainsAny(it.fixture, "\\\x00\n")) {
		o.fault("fixture", o.v.Get("fixture"), "%q is not a path below a folder of fixtures", clip(it.fixture))
	}
	if strings.Contains(it.prompt, passageMark) && it.fixture == "" {
		o.fault("prompt", o.v.Get("prompt"), "the prompt holds %s, and the item has no fixture to put there", passageMark)
	}
	if it.expect = o.kind("expect", o.need("expect"), strictjson.Object); it.expect != nil {
		checkShape(o, it.expect, 0)
	}
	it.unknown = o.unknown()
	return it
}

const passageMark = "{passage}"

// checkShape bounds what is carried over into the item's YAML.
func checkShape(o *object, v *strictjson.Value, depth int) {
	if depth > maxDepth {
		o.fault("expect", v, "nested more than %d deep", maxDepth)
		return
	}
	if len(v.Names) > maxKeys {
		o.fault("expect", v, "an object has more than %d keys", maxKeys)
		return
	}
	for _, n := range v.Names {
		if len(n) > maxKey || n == "" {
			o.fault("expect", v, "a key is empty or has more than %d bytes", maxKey)
			return
		}
	}
	for _, e := range v.Values {
		checkShape(o, e, depth+1)
	}
}

func (f *file) warnUnknown(path string, keys []string) {
	const most = 10
	for i, k := range keys {
		if i == most {
			f.warnings = append(f.warnings, fmt.Sprintf("%d more unknown keys", len(keys)-most))
			return
		}
		f.warnings = append(f.warnings, fmt.Sprintf("the key %q is not known here; it stays in %s and is read by nothing", clip(path+k), OriginFile))
	}
}
