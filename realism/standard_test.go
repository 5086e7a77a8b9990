package realism

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

func TestEmbeddedStandardIsWhole(t *testing.T) {
	s := Embedded()
	if len(s.Leaves) != 125 || len(s.Missing) != 0 {
		t.Fatalf("%d leaves and %d missing, want 125 and 0", len(s.Leaves), len(s.Missing))
	}
	for _, l := range s.Leaves {
		if !l.Known {
			t.Errorf("%s is not known to its own edition", l.Key)
		}
	}
	for key, want := range map[string]any{
		"employeeRequest.minimumWords":                        Number("45"),
		"employeeRequest.maximumPairwiseFiveShingleJaccard":   Number("0.72"),
		"workflow.structuralCloneGate.comparison":             "strictly-greater-than-both",
		"sandbox.osLevelNoEgressRequired":                     false,
		"reasoningChain.constraintHopClasses":                 []string{"H4", "H5", "H6"},
		"workflow.maximumPairwiseSemanticGraphSimilarity":     Number("0.85"),
		"qualification.publishedTreeRoundTrip":                "exact file and digest equality",
		"leaderboard.modelRowRequiresInspectableTrajectories": true,
	} {
		if l, ok := s.Leaf(key); !ok || !reflect.DeepEqual(l.Value, want) {
			t.Errorf("%s is %v, want %v", key, l.Value, want)
		}
	}
}

// published finds the published standard beside the project; tests that need it are skipped where it is not.
func publishedFile(t testing.TB) []byte {
	t.Helper()
	list, _ := filepath.Glob("../../shared/seeds/003_*.txt")
	if len(list) != 1 {
		t.Skip("the published standard (../shared/seeds/003_*.txt beside the repository) is not here")
	}
	b, err := os.ReadFile(list[0])
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// The edition has the published keys, types and numbers; of its prose nothing is the published text.
func TestEditionHasThePublishedKeysAndNumbers(t *testing.T) {
	got, err := ParseStandard("published", publishedFile(t))
	if err != nil {
		t.Fatal(err)
	}
	own := Embedded()
	if len(got.Leaves) != len(own.Leaves) {
		t.Fatalf("%d leaves, the edition has %d", len(got.Leaves), len(own.Leaves))
	}
	for i, l := range got.Leaves {
		o := own.Leaves[i]
		if l.Key != o.Key || typeName(l.Value) != typeName(o.Value) {
			t.Errorf("%s (%s) stands where the edition has %s (%s)", l.Key, typeName(l.Value), o.Key, typeName(o.Value))
		}
		text, isText := l.Value.(string)
		prose := l.Key == "workflow.causalConstraintsGraded" || isText && strings.Count(text, " ") > 6
		switch equal := reflect.DeepEqual(l.Value, o.Value); {
		case prose && equal:
			t.Errorf("%s is the published sentence", l.Key)
		case !prose && !equal && !strings.HasPrefix(l.Key, "reasoningChain.audit") && l.Key != "schemaVersion" && l.Key != "name":
			t.Errorf("%s is %v, published %v", l.Key, o.Value, l.Value)
		}
		if prose && isText && (!KnownWording(l.Key, text) || !KnownWording(l.Key, o.Value.(string))) {
			t.Errorf("the wording of %s is not known", l.Key)
		}
	}
	rules, _ := got.Leaf("workflow.causalConstraintsGraded")
	for i, text := range rules.Value.([]string) {
		if !KnownWording("workflow.causalConstraintsGraded#"+string(rune('0'+i)), text) {
			t.Errorf("rule %d of causalConstraintsGraded is not known", i)
		}
	}
}

func TestParseStandardRefuses(t *testing.T) {
	const head = `{"schemaVersion":"x.benchmark-realism-standard.v5","requirements":{"employeeRequest":{`
	for name, c := range map[string]struct{ in, want string }{
		"no object":     {`[1]`, "s.json: a standard is a JSON object; give the file whose schemaVersion ends in benchmark-realism-standard.v5"},
		"changed type":  {head + `"minimumWords":"45"}}}`, "s.json: employeeRequest.minimumWords is a text, and must be a number"},
		"list for bool": {head + `"toolNamesAllowed":["no"]}}}`, "s.json: employeeRequest.toolNamesAllowed is a list of texts, and must be true or false"},
		"object":        {head + `"minimumWords":{}}}}`, "s.json: employeeRequest.minimumWords is null, a list of other things, or an empty object, and must be a number"},
		"endless":       {head + `"minimumWords":1e999999999}}}`, "s.json: employeeRequest.minimumWords: the threshold 1e999999999 is no plain decimal of 0 or more"},
		"negative":      {head + `"minimumWords":-1}}}`, "s.json: employeeRequest.minimumWords: the threshold -1 is no plain decimal of 0 or more"},
		"twice":         {head + `"minimumWords":1,"minimumWords":2}}}`, `duplicate`},
		"version":       {`{"schemaVersion":"x.benchmark-realism-standard.v6","requirements":{"a":{"b":1}}}`, "s.json: this is version 6 of the standard's schema, and version 5 is known here"},
		"no version":    {`{"requirements":{"a":{"b":1}}}`, "schemaVersion is missing"},
		"nothing asked": {`{"schemaVersion":"x.benchmark-realism-standard.v5","requirements":{}}`, "a standard without requirements is met by anything"},
		"more behind":   {head + `"minimumWords":1}}} {}`, "s.json: something follows the JSON object"},
		"deep":          {strings.Repeat(`{"a":`, 40) + "1" + strings.Repeat("}", 40), "s.json: nested more than 12 deep"},
		"large":         {strings.Repeat(" ", 1<<20+1), "s.json: larger than 1 MiB, which no standard is"},
	} {
		_, err := ParseStandard("s.json", []byte(c.in))
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want one line with %q", name, err, c.want)
		}
	}
}

func TestUnknownAndMissingKeys(t *testing.T) {
	s, err := ParseStandard("s.json", []byte(`{"schemaVersion":"x.benchmark-realism-standard.v5","extra":null,"requirements":{"employeeRequest":{"minimumWords":50.5,"tone":"kind"},"weather":{}}}`))
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	for _, l := range s.Leaves {
		known[l.Key] = l.Known
	}
	want := map[string]bool{"schemaVersion": true, "extra": false, "employeeRequest.minimumWords": true, "employeeRequest.tone": false, "weather": false}
	if !reflect.DeepEqual(known, want) {
		t.Errorf("known: %v, want %v", known, want)
	}
	if len(s.Missing) != 123 {
		t.Errorf("%d keys are missing, want 123", len(s.Missing))
	}
	if r, ok := s.Rat("employeeRequest.minimumWords"); !ok || r.RatString() != "101/2" {
		t.Errorf("the threshold is %v, want 101/2", r)
	}
}

func FuzzParseStandard(f *testing.F) {
	f.Add(edition)
	f.Add([]byte(`{"schemaVersion":"x.benchmark-realism-standard.v5","requirements":{"a":{"b":[1,"x"],"c":null}}}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		s, err := ParseStandard("s", b)
		if err != nil {
			if strings.Contains(err.Error(), "\n") || len(err.Error()) > 1000 {
				t.Fatalf("an error of more than a line: %q", err)
			}
			return
		}
		again, err := ParseStandard("s", b)
		if err != nil || !reflect.DeepEqual(s, again) {
			t.Fatal("read twice, two standards")
		}
	})
}
