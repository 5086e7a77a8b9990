package realism

import (
	"bytes"
	"context"
	"io/fs"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/assaybench/assay/bench"
	"github.com/assaybench/assay/contract/tasks"
)

// tree is a copy of a bench's files in memory, for edits.
func tree(t testing.TB, dir string) fstest.MapFS {
	t.Helper()
	out := fstest.MapFS{}
	root := os.DirFS("../" + dir)
	err := fs.WalkDir(root, ".", func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := fs.ReadFile(root, p)
		out[p] = &fstest.MapFile{Data: b, Mode: 0o644}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// replace edits a file; the old text must stand there.
func replace(t testing.TB, files fstest.MapFS, name, old, with string) {
	t.Helper()
	b := files[name].Data
	if !bytes.Contains(b, []byte(old)) {
		t.Fatalf("%s does not hold %q", name, old)
	}
	files[name] = &fstest.MapFile{Data: bytes.Replace(b, []byte(old), []byte(with), 1), Mode: 0o644}
}

// opened compiles a bench for an audit. What replaying would add is not part of these tests.
func opened(t testing.TB, fsys fs.FS, std *Standard) *Release {
	t.Helper()
	b, err := bench.Load(fsys, "./bench")
	if err != nil {
		t.Fatal(err)
	}
	set, err := tasks.Compile(b)
	if err != nil {
		t.Fatal(err)
	}
	st, err := b.Inspect()
	if err != nil {
		t.Fatal(err)
	}
	r := Open(set, std, "./bench", st, "test")
	r.Perturb, r.Hops = nil, nil
	return r
}

// static are the keys whose checks stand in this half of the package.
func static() []string {
	var out []string
	for _, c := range slices.Concat(headerChecks[:4], requestChecks, workflowChecks, assetChecks, claimChecks) {
		out = append(out, c.key)
	}
	return out
}

func audited(t testing.TB, r *Release, keys ...string) *Report {
	t.Helper()
	if len(keys) == 0 {
		keys = static()
	}
	rep, err := Audit(context.Background(), r, Options{Keys: keys})
	if err != nil {
		t.Fatal(err)
	}
	return rep
}

func failing(rep *Report) []string {
	var out []string
	for _, r := range rep.Keys {
		if r.Result == Fail {
			out = append(out, r.Key)
		}
	}
	slices.Sort(out)
	return out
}

const (
	mooring = "examples/mooring"
	task    = "tasks/ferry-217/public/task.yaml"
)

// TestFaults seeds one fault at a time into the example and wants exactly the keys that it breaks to fail beside those that
// the small example fails anyway.
func TestFaults(t *testing.T) {
	base := failing(audited(t, opened(t, tree(t, mooring), Embedded())))
	for name, c := range map[string]struct {
		edit func(t testing.TB, f fstest.MapFS)
		want []string
	}{
		"nothing": {func(testing.TB, fstest.MapFS) {}, nil},
		"short": {func(t testing.TB, f fstest.MapFS) {
			cutRequest(t, f, "Ada needs to know by when vessel 217 has its ropes. Book slip 2 for it.")
		}, []string{"employeeRequest.minimumWords"}},
		"long": {func(t testing.TB, f fstest.MapFS) {
			replace(t, f, task, "is not ours to order.", "is not ours to order. "+strings.Repeat("The yard was wet and dark that day. ", 20))
		}, []string{"employeeRequest.maximumWords"}},
		"recipe": {func(t testing.TB, f fstest.MapFS) {
			replace(t, f, task, "Book slip 2", "Check the order, then read the drawing, then compare the offers. Book slip 2")
		}, []string{"employeeRequest.mustDescribeBusinessOutcomeNotProcedure", "employeeRequest.proceduralRecipeAllowed"}},
		"recipe in a description": {func(t testing.TB, f fstest.MapFS) {
			replace(t, f, task, "description: The booking}", "description: 'First open the order, then look up the lots.'}")
		}, []string{"employeeRequest.proceduralRecipeAllowed"}},
		"tool": {func(t testing.TB, f fstest.MapFS) {
			replace(t, f, task, "Book slip 2", "You see it in stores.lots.list. Book slip 2")
		}, []string{"employeeRequest.toolNamesAllowed"}},
		"harness": {func(t testing.TB, f fstest.MapFS) {
			replace(t, f, task, "Book slip 2", "It is all behind MCP. Book slip 2")
		}, []string{"employeeRequest.harnessSyntaxAllowed"}},
		"grading": {func(t testing.TB, f fstest.MapFS) {
			replace(t, f, task, "Book slip 2", "You will be graded on it. Book slip 2")
		}, []string{"employeeRequest.gradingLanguageAllowed"}},
		"no limit": {func(t testing.TB, f fstest.MapFS) {
			contractText(t, f, ", limit: limit}\n  - {id: B", "}\n  - {id: B")
		}, []string{"employeeRequest.taskScopedExecutionAuthorityRequired"}},
		"leak in a description": {func(t testing.TB, f fstest.MapFS) {
			replace(t, f, task, "description: Ropes that the order needs}", "description: 'Ropes that the order needs; the required 12'}")
		}, []string{"assetRoom.precomputedOutcomeAgentVisible"}},
		"a figure that is not of the value": {func(t testing.TB, f fstest.MapFS) {
			replace(t, f, task, "description: Ropes that the order needs}", "description: 'Ropes that the order needs, at most 12 weeks old'}")
		}, nil},
		"network": {func(t testing.TB, f fstest.MapFS) {
			replace(t, f, "bench.yaml", "notice: An example", "notice: It runs without network access. An example")
		}, []string{"sandbox.osLevelNoEgressMustNotBeClaimedWithoutEnforcement"}},
		"a network that is denied": {func(t testing.TB, f fstest.MapFS) {
			replace(t, f, "bench.yaml", "notice: An example", "notice: It is not air-gapped. An example")
		}, nil},
		"parity": {func(t testing.TB, f fstest.MapFS) {
			replace(t, f, "world/tools.yaml", "description: Lots of a part.", "description: Lots of a part. A drop-in for the SAP API.")
		}, []string{"sandbox.unsupportedOneToOneProviderClaimsAllowed"}},
		"contract in sight": {func(t testing.TB, f fstest.MapFS) {
			replace(t, f, "world/tools.yaml", "description: Lots of a part.", "description: Lots of a part. Investigations are established by it, see contract.yaml.")
		}, []string{"assetRoom.verifierContractAgentVisible"}},
		"a way in sight": {func(t testing.TB, f fstest.MapFS) {
			replace(t, f, "world/tools.yaml", "description: Lots of a part.",
				"description: Lots of a part. Before it maint.orders.get and files.read, after it vendors.offers.list, approvals.limits.get, slips.slots.list.")
		}, []string{"assetRoom.referenceTrajectoryAgentVisible"}},
	} {
		t.Run(name, func(t *testing.T) {
			files := tree(t, mooring)
			c.edit(t, files)
			got := failing(audited(t, opened(t, files, Embedded())))
			want := slices.Sorted(slices.Values(append(slices.Clone(base), c.want...)))
			if !slices.Equal(got, want) {
				t.Errorf("fails %v\nwant  %v", got, want)
			}
		})
	}
}

// cutRequest puts another request in.
func cutRequest(t testing.TB, f fstest.MapFS, with string) {
	t.Helper()
	s := string(f[task].Data)
	a, b := strings.Index(s, "request: |"), strings.Index(s, "handles:")
	f[task] = &fstest.MapFile{Data: []byte(s[:a] + "request: |\n  " + with + "\n" + s[b:]), Mode: 0o644}
}

func contractText(t testing.TB, f fstest.MapFS, old, with string) {
	t.Helper()
	replace(t, f, "tasks/ferry-217/sealed/contract.yaml", old, with)
}

// clone copies the one task under another id, with other names.
func clone(t testing.TB, f fstest.MapFS, id string, edit func(string) string) {
	t.Helper()
	for p, file := range f {
		if rest, ok := strings.CutPrefix(p, "tasks/ferry-217/"); ok {
			f["tasks/"+id+"/"+rest] = &fstest.MapFile{Data: []byte(edit(strings.ReplaceAll(string(file.Data), "id: ferry-217", "id: "+id))), Mode: 0o644}
		}
	}
	replace(t, f, "bench.yaml", "quota: 1", "quota: 2")
	replace(t, f, "bench.yaml", "frozen: 1, drafted: 1, exact: 1", "frozen: 2, drafted: 2, exact: 2")
}

func TestClones(t *testing.T) {
	base := failing(audited(t, opened(t, tree(t, mooring), Embedded())))
	clones := []string{"workflow.derivedVariantsCountAsDistinctEmployeeJobs", "workflow.distinctReferenceToolSequences", "workflow.distinctSemanticActionGraphs",
		"workflow.maximumPairwiseRawSequenceSimilarity", "workflow.maximumPairwiseSemanticGraphSimilarity", "workflow.semanticIdentityInputsMayEstablishUniqueness",
		"workflow.structuralCloneGate.identifierNeutralSemanticSimilarityThreshold", "workflow.structuralCloneGate.pairsAllowed", "workflow.structuralCloneGate.rationale",
		"workflow.structuralCloneGate.rawSequenceSimilarityThreshold"}
	for name, c := range map[string]struct {
		edit func(string) string
		want []string
	}{
		"word for word": {func(s string) string { return s }, append([]string{"employeeRequest.exactDuplicatesAllowed", "employeeRequest.maximumPairwiseFiveShingleJaccard"}, clones...)},
		"another story": {func(s string) string {
			a, b := strings.Index(s, "request: |"), strings.Index(s, "handles:")
			if a < 0 {
				return s
			}
			return s[:a] + "request: |\n  " + strings.Repeat("Somebody at the quay would like to hear from us whether anything comes of the ropes this spring at all, and when. ", 3) + "\n" + s[b:]
		}, clones},
	} {
		t.Run(name, func(t *testing.T) {
			files := tree(t, mooring)
			clone(t, files, "ferry-218", c.edit)
			rep := audited(t, opened(t, files, Embedded()))
			want := slices.Sorted(slices.Values(append(slices.Clone(base), c.want...)))
			if got := failing(rep); !slices.Equal(got, want) {
				t.Errorf("fails %v\nwant  %v", got, want)
			}
			if len(rep.Pairs) != 1 || rep.Pairs[0].Sequence != "1" || !rep.Pairs[0].Clone {
				t.Errorf("pairs: %+v", rep.Pairs)
			}
		})
	}
}

// The thresholds are the file's: another file, another verdict on the same bench.
func TestThresholdsComeFromTheFile(t *testing.T) {
	std := func(json string) *Standard {
		s, err := ParseStandard("s.json", []byte(`{"schemaVersion":"x.benchmark-realism-standard.v5","requirements":{`+json+`}}`))
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	for json, want := range map[string]Result{
		`"employeeRequest":{"minimumWords":102}`:                                                           Pass,
		`"employeeRequest":{"minimumWords":102.5}`:                                                         Fail,
		`"employeeRequest":{"maximumWords":101}`:                                                           Fail,
		`"employeeRequest":{"toolNamesAllowed":true}`:                                                      Pass,
		`"workflow":{"minimumStateChangingCallsPerTask":1}`:                                                Pass,
		`"workflow":{"minimumStateChangingCallsPerTask":2}`:                                                Fail,
		`"workflow":{"structuralCloneGate":{"comparison":"greater-or-equal"}}`:                             NotMeasured,
		`"workflow":{"structuralCloneGate":{"pairsAllowed":0}}`:                                            NotMeasured,
		`"workflow":{"structuralCloneGate":{"rationale":"because"}}`:                                       NotMeasured,
		`"assetRoom":{"minimumAgentVisibleFilesPerTask":0}`:                                                Pass,
		`"assetRoom":{"smell":"good"}`:                                                                     NotMeasured,
		`"employeeRequest":{"mustDescribeBusinessOutcomeNotProcedure":false,"toolNamesAllowed":false}`:     Pass,
		`"workflow":{"distinctReferenceToolSequences":true},"assetRoom":{"requiresStructuredData":false}`:  Pass,
		`"assetRoom":{"requiresStructuredData":true},"workflow":{"minimumIndependentEvidenceSources":100}`: Fail,
	} {
		s := std(json)
		var keys []string
		for _, l := range s.Leaves[1:] {
			keys = append(keys, l.Key)
		}
		if got := audited(t, opened(t, tree(t, mooring), s), keys...).Verdict(); got != want {
			t.Errorf("%s: %s, want %s", json, got, want)
		}
	}
}

func TestReportIsWholeAndTheSame(t *testing.T) {
	make := func() (*Report, []byte) {
		rep, err := Audit(context.Background(), opened(t, tree(t, mooring), Embedded()), Options{})
		if err != nil {
			t.Fatal(err)
		}
		b, err := rep.Canonical()
		if err != nil {
			t.Fatal(err)
		}
		return rep, b
	}
	rep, one := make()
	_, two := make()
	if !bytes.Equal(one, two) {
		t.Error("two audits of one release differ")
	}
	if len(rep.Keys) != 125 || rep.Pass+rep.Fail+rep.Warn+rep.NotMeasured != 125 {
		t.Errorf("%d rows; %d+%d+%d+%d", len(rep.Keys), rep.Pass, rep.Fail, rep.Warn, rep.NotMeasured)
	}
	for _, r := range rep.Keys {
		if r.Reason == "" || r.How == "" || r.Scope == "" || r.Evidence == nil || !strings.HasPrefix(r.Reproduce, "assay audit ./bench --key ") || r.Threshold == nil {
			t.Errorf("%s is not whole: %+v", r.Key, r)
		}
	}
	if row, _ := rep.Row("employeeRequest.minimumWords"); row.Measured != 102 || row.Result != Pass || len(row.Tasks) != 1 || row.Tasks[0].Task != "ferry-217" {
		t.Errorf("%+v", row)
	}
}

// Each field of the answer is graded by itself: of the example all eight, and of one whose field says what another says none.
func TestEachLinkIsGraded(t *testing.T) {
	whole := opened(t, tree(t, mooring), Embedded()).Tasks[0].eachLinkGraded(t.Context())
	if whole.Result != Pass || whole.Measured != 8 {
		t.Errorf("%+v", whole)
	}
	files := tree(t, mooring)
	contractText(t, files, "  cost: {value: chosen.cost}\n", "  cost: {any: true}\n")
	if row := opened(t, files, Embedded()).Tasks[0].eachLinkGraded(t.Context()); row.Result != Pass || row.Measured != 7 {
		t.Errorf("an ungraded field: %+v", row)
	}
}

func TestAuditOfUnknownKey(t *testing.T) {
	_, err := Audit(context.Background(), opened(t, tree(t, mooring), Embedded()), Options{Keys: []string{"employeeRequest.minimumWord"}})
	if err == nil || !strings.Contains(err.Error(), `did you mean "employeeRequest.minimumWords"?`) {
		t.Errorf("%v", err)
	}
}
