package realism

import (
	"context"
	"fmt"
	"strings"
	"time"
)

var headerChecks = []check{
	{key: "schemaVersion", scope: OfRelease, how: Static, measure: schemaVersionRow},
	{key: "name", scope: OfRelease, how: Static, measure: nameRow},
	{key: "effectiveDate", scope: OfRelease, how: Static, measure: effectiveRow},
	{key: "scope", scope: OfRelease, how: Static, measure: scopeRow},
	{key: "definition", scope: OfTask, how: Replay, measure: definitionRow, phase: 2},
	{key: "principle", scope: OfTask, how: Replay, measure: principleRow, phase: 2},
}

// schemaVersionRow passes whenever it is reached: a standard of another version was refused when it was read.
func schemaVersionRow(_ context.Context, _ *Release, l Leaf) Row {
	return judged(true, l.Value, "the schema is the one that these checks were made for")
}

func nameRow(_ context.Context, r *Release, l Leaf) Row {
	name, _ := l.Value.(string)
	return judged(strings.TrimSpace(name) != "", r.Standard.SHA256, "the standard is told by the SHA-256 of its file, and its name is for people")
}

// effectiveRow warns of a release that is older than the standard that it is held against.
func effectiveRow(_ context.Context, r *Release, l Leaf) Row {
	text, _ := l.Value.(string)
	from, err := time.Parse(time.DateOnly, text)
	if err != nil {
		return unmeasured("the effective date is no date, YYYY-MM-DD")
	}
	if r.State.Freeze == nil {
		row := judged(true, nil, "the bench is not frozen, so that it has no date yet; assay freeze gives it one")
		row.Result = Warn
		return row
	}
	at, err := time.Parse(time.RFC3339, r.State.Freeze.FrozenAt)
	if err != nil {
		return unmeasured("FREEZE.json has no date of the freeze that can be read")
	}
	day := at.UTC().Format(time.DateOnly)
	row := judged(true, day, "the release was frozen when the standard was in force", Evidence{File: "FREEZE.json", Span: r.State.Freeze.FrozenAt})
	if at.UTC().Before(from) {
		row.Result, row.Reason = Warn, "the release was frozen before the standard came into force"
	}
	return row
}

// scopeRow holds the audited tasks against what the bench promises to release.
func scopeRow(_ context.Context, r *Release, l Leaf) Row {
	text, _ := l.Value.(string)
	if !KnownWording(l.Key, text) {
		return unmeasured("this standard words its scope otherwise than the schema that is known here")
	}
	var ev []Evidence
	for _, id := range r.Drafts {
		ev = append(ev, Evidence{Task: id, Note: "a draft, which is never run, counted or published"})
	}
	if len(r.Tasks) == 0 {
		return judged(false, 0, "no task is released", ev...)
	}
	if c := r.Set.Bench().Counts; c != nil && c.Frozen != len(r.Tasks) {
		return judged(false, len(r.Tasks), fmt.Sprintf("bench.yaml promises %d released tasks, and %d are there to audit", c.Frozen, len(r.Tasks)), append(ev, Evidence{File: "bench.yaml"})...)
	}
	return judged(true, len(r.Tasks), "every released task is audited", ev...)
}

// joined is the worst of other requirements' rows.
func joined(r *Release, keys []string) Row {
	row := Row{Result: Pass, Joins: keys}
	var named []string
	for _, k := range keys {
		one, ok := r.rows[k]
		if !ok {
			one = unmeasured("")
		}
		if one.Result == Fail || one.Result == NotMeasured {
			named = append(named, k+" "+string(one.Result))
			row.Evidence = append(row.Evidence, Evidence{Note: k + ": " + string(one.Result)})
			row.Result = Worse(row.Result, one.Result)
		}
	}
	row.Measured = map[string]any{"joined": len(keys), "open": len(named)}
	row.Reason = fmt.Sprintf("all %d requirements that it joins hold", len(keys))
	if len(named) > 0 {
		row.Reason = fmt.Sprintf("%d of the %d requirements that it joins do not hold: %s", len(named), len(keys), clip(strings.Join(named, ", "), 160))
	}
	return row
}

// section gives the keys below a prefix that the standard has.
func (r *Release) section(prefixes ...string) []string {
	var out []string
	for _, l := range r.Standard.Leaves {
		for _, p := range prefixes {
			if l.Known && strings.HasPrefix(l.Key, p) {
				out = append(out, l.Key)
			}
		}
	}
	return out
}

// definitionRow joins the hops with a proof that each link is graded by itself.
func definitionRow(ctx context.Context, r *Release, l Leaf) Row {
	text, _ := l.Value.(string)
	if !KnownWording(l.Key, text) {
		return unmeasured("this standard defines realism otherwise than the schema that is known here")
	}
	row := joined(r, r.section("reasoningChain."))
	links := byTask(r, func(s *Subject) Row { return s.eachLinkGraded(ctx) })
	row.Tasks, row.Evidence = links.Tasks, append(links.Evidence, row.Evidence...)
	row.Measured = map[string]any{"reasoningChain": row.Measured, "fields": links.Measured}
	if links.Result == Fail || row.Result == Pass {
		row.Reason = links.Reason
	}
	row.Result = Worse(row.Result, links.Result)
	return row
}

// principleRow joins the four verbs of the principle with its last sentence: what they mean is measured by the keys of the
// request, the chain, the writes and the evidence.
func principleRow(_ context.Context, r *Release, l Leaf) Row {
	text, _ := l.Value.(string)
	if !KnownWording(l.Key, text) {
		return unmeasured("this standard words its principle otherwise than the schema that is known here")
	}
	return joined(r, append(r.section("employeeRequest.", "writeContract."),
		"reasoningChain.mandatoryHopClasses", "reasoningChain.minimumAlternatives", "assetRoom.precomputedOutcomeAgentVisible",
		"assetRoom.referenceTrajectoryAgentVisible", "assetRoom.verifierContractAgentVisible"))
}
