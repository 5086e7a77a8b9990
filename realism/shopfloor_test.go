package realism

import (
	"fmt"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/assaybench/assay/contract/exact"
	"github.com/assaybench/assay/world"
)

const shopfloor = "benches/shopfloor"

// plant is an edited copy of the shipped release, with a task of it to break.
type plant struct {
	testing.TB
	fstest.MapFS
	id string
}

func (p *plant) file() string { return "tasks/" + p.id + "/public/task.yaml" }

// asks puts a sentence in front of the request.
func (p *plant) asks(sentence string) {
	replace(p, p.MapFS, p.file(), "request: |-\n", "request: |-\n  "+sentence+"\n")
}

// brings adds an evidence file.
func (p *plant) brings(name, body string) {
	p.MapFS["tasks/"+p.id+"/public/evidence/"+name] = &fstest.MapFile{Data: []byte(body), Mode: 0o644}
	replace(p, p.MapFS, p.file(), "evidence:\n", fmt.Sprintf("evidence:\n  - {path: %s, id: ZZ-%d, title: Something else, kind: note, media_type: text/plain}\n", name, len(p.MapFS)))
}

// of gives the first evidence file of an ending.
func (p *plant) of(ending string) (name, body string) {
	p.Helper()
	var names []string
	for n := range p.MapFS {
		if strings.HasPrefix(n, "tasks/"+p.id+"/public/evidence/") && path.Ext(n) == ending && len(p.MapFS[n].Data) > 150 {
			names = append(names, n)
		}
	}
	if len(names) == 0 {
		p.Fatalf("no %s", ending)
	}
	n := slices.Min(names)
	return strings.TrimPrefix(n, "tasks/"+p.id+"/public/evidence/"), string(p.MapFS[n].Data)
}

// TestShippedReleaseAndItsFaults holds the shipped release against what files and traces show, and then with one fault at a time:
// exactly the requirements that the fault breaks fail.
func TestShippedReleaseAndItsFaults(t *testing.T) {
	if os.Getenv("ASSAY_SLOW") == "" {
		t.Skip("a release is compiled for each of its faults; ASSAY_SLOW=1 does that")
	}
	whole := opened(t, tree(t, shopfloor), Embedded())
	base := audited(t, whole)
	for _, r := range base.Keys {
		if r.Result == Fail {
			t.Errorf("%s: %s %v", r.Key, r.Reason, r.Evidence)
		}
	}
	first := slices.MinFunc(whole.Tasks, func(a, b *Subject) int { return len(a.Public.Request) - len(b.Public.Request) }) // with room for a sentence
	staleRowsMustDisagree(t, first)
	list := first.derived()
	i := slices.IndexFunc(list, func(d derived) bool { return d.plain && d.fact.Day != nil })
	if i < 0 {
		t.Fatal("no day is derived")
	}
	day := exact.Text(list[i].json)
	day = strings.Trim(day, `"`)
	const r, w, a = ofRequest, ofWorkflow, ofAssets
	for name, c := range map[string]struct {
		edit func(p *plant)
		want []string
	}{
		"a recipe":      {func(p *plant) { p.asks("First look up the order, then read the drawing, then list the offers.") }, []string{r + "mustDescribeBusinessOutcomeNotProcedure", r + "proceduralRecipeAllowed"}},
		"a file's name": {func(p *plant) { n, _ := p.of(".csv"); p.asks("It is all in " + path.Base(n) + ".") }, []string{r + "mustDescribeBusinessOutcomeNotProcedure", r + "proceduralRecipeAllowed"}},
		"a tool":        {func(p *plant) { p.asks("Use drive.files.read for it.") }, []string{r + "toolNamesAllowed"}},
		"a harness":     {func(p *plant) { p.asks("Submit the answer as JSON-RPC.") }, []string{r + "harnessSyntaxAllowed"}},
		"a grade":       {func(p *plant) { p.asks("Your answer will be scored.") }, []string{r + "gradingLanguageAllowed"}},
		"length":        {func(p *plant) { p.asks(strings.Repeat("It rains on the yard and nobody minds it much. ", 25)) }, []string{r + "maximumWords"}},
		"a day that is ready": {func(p *plant) {
			p.brings("zz/aside.md", "# Aside\nNobody reads this.\nIt comes to "+day+" for them.\n")
		}, []string{a + "precomputedOutcomeAgentVisible"}},
		"a text renamed": {func(p *plant) { p.brings("zz/aside.pdf", "Not a page.\nNot two.\n") }, []string{a + "nativeMagicAndParserValidation"}},
		"a copy":         {func(p *plant) { _, b := p.of(".md"); p.brings("zz/copy.md", b) }, []string{a + "allAgentVisibleFilesGloballyUnique"}},
		"a salted copy":  {func(p *plant) { _, b := p.of(".md"); p.brings("zz/copy.md", b+"\nExported 2035-03-06, copy 2\n") }, []string{a + "allAgentVisibleFilesGloballyUnique"}},
		"a table with a column": {func(p *plant) {
			_, b := p.of(".csv")
			p.brings("zz/copy.csv", strings.ReplaceAll(strings.TrimRight(b, "\n"), "\n", ",here\n")+",here\n")
		}, []string{a + "allAgentVisibleFilesGloballyUnique"}},
		"a network that is closed": {func(p *plant) { p.brings("zz/about.md", "# About\nEverything here runs air-gapped.\nNobody minds.\n") }, []string{"sandbox.osLevelNoEgressMustNotBeClaimedWithoutEnforcement"}},
		"a product":                {func(p *plant) { p.brings("zz/about.md", "# About\nOur stores mirror the SAP API.\nNobody minds.\n") }, []string{"sandbox.unsupportedOneToOneProviderClaimsAllowed"}},
		"a contract in sight": {func(p *plant) {
			b := string(p.MapFS["tasks/"+p.id+"/sealed/reference.jsonl"].Data)
			p.brings("zz/notes.txt", "One.\nTwo.\n"+b)
		}, []string{a + "precomputedOutcomeAgentVisible", a + "referenceTrajectoryAgentVisible", a + "visibleAndVerifierOnlyArtifactsSeparated"}},
	} {
		t.Run(name, func(t *testing.T) {
			p := &plant{TB: t, MapFS: tree(t, shopfloor), id: first.ID}
			delete(p.MapFS, "FREEZE.json") // what is spoilt is frozen no more
			c.edit(p)
			if got := failing(audited(t, opened(t, p.MapFS, Embedded()))); !slices.Equal(got, slices.Sorted(slices.Values(c.want))) {
				t.Errorf("fails %v\nwant  %v", got, c.want)
			}
		})
	}
}

// staleRowsMustDisagree holds that a record that is out of date is the twin of a current one as long as they say different things.
func staleRowsMustDisagree(t *testing.T, s *Subject) {
	t.Helper()
	asked, err := s.askedFor(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	rows, err := s.seedRows(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(rows, func(tr world.TableRows) bool { return tr.Table == "procedure_rules" })
	rules := rows[i]
	before := len(s.rowTwins(rules, asked))
	alike := world.TableRows{Table: rules.Table}
	for _, r := range rules.Rows {
		r = maps.Clone(r)
		r["value"] = rules.Rows[0]["value"]
		alike.Rows = append(alike.Rows, r)
	}
	if after := len(s.rowTwins(alike, asked)); before == 0 || after != 0 {
		t.Errorf("%s: %d stale rules that disagree, and %d when all of them say the same", s.ID, before, after)
	}
}
