package s2s

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/assaybench/assay/record"
)

// manifest writes bench.yaml.
func (f *file) manifest(data []byte) []byte {
	m := mapping{
		{"id", text(f.exhibit + idSuffix)},
		{"version", text(cmp.Or(f.version, f.published))},
		{"title", text(fmt.Sprintf("%s, as published %s", cmp.Or(f.dataset, f.exhibit), cmp.Or(f.published, "without a date")))},
		{"shape", text("prompt")},
		{"licence", text(f.licence)},
		{"attribution", text(f.attribution)},
		{"derived_from", text(fmt.Sprintf("a file of the schema %s: exhibit %s, SHA-256 of the file %s", Schema, f.exhibit, digest(data)))},
		{"notice", text("imported: ids, prompts and expectations are the publisher's, letter for letter; the rules are this importer's reading of the checkers that " +
			"the file names; figures can be compared with published ones only where the fixtures are the published ones too")},
	}
	m = m.with("not_a_standard", text(f.notAStandard)).with("contamination", text(f.contamination)).with("limits", textList(f.limits))
	m = append(m, entry{"families", f.families()}, entry{"counts", f.counts()}, entry{"protocol", f.protocol.yaml()})
	m = append(m, entry{"lists", one(correctionList, textList(correctionMarkers))}, entry{"origin", f.origin(data)})
	return writeYAML("Imported from a published file, which stands untouched in "+OriginFile+".\nassay export gives that file back for as long as nothing here and in items/ is changed.", m)
}

// families are the quota's, in its order, and then those that only items name.
func (f *file) families() list {
	var out list
	seen := map[string]bool{}
	for _, q := range f.quotas {
		seen[q.family] = true
		out = append(out, mapping{{"id", text(q.family)}, {"quota", count(q.n)}})
	}
	for _, it := range f.items {
		if !seen[it.category] {
			seen[it.category] = true
			out = append(out, one("id", text(it.category)))
		}
	}
	return out
}

// counts are the file's own, where it has them: what it promises is what a check holds against the items.
func (f *file) counts() mapping {
	frozen, exact := 0, 0
	for _, it := range f.items {
		if it.frozen {
			frozen++
			if it.basis == record.Exact {
				exact++
			}
		}
	}
	or := func(says *int, has int) plain {
		if says != nil {
			has = *says
		}
		return count(has)
	}
	return mapping{{"frozen", or(f.frozen, frozen)}, {"drafted", or(f.drafted, len(f.items))}, {"exact", or(f.exact, exact)}, {"proxy", or(f.proxy, frozen-exact)}}
}

func (p *protocol) yaml() mapping {
	m := mapping{}
	for _, v := range []struct{ key, value string }{{"temperature", p.temperature}, {"top_p", p.topP}} {
		if v.value != "" {
			m = append(m, entry{v.key, plain(v.value)})
		}
	}
	m = append(m, entry{"repeats", count(p.repeats)}, entry{"pass_rule", text("all")}, entry{"context", count(p.context)}, entry{"default_posture", text(plainPosture)})
	limits := func(tokens, seconds int) mapping {
		return mapping{{"max_output", count(tokens)}, {"timeout", text(fmt.Sprintf("%ds", seconds))}}
	}
	first := limits(p.predict, p.timeout)
	if p.off {
		first = append(one("thinking", text("off")), first...)
	}
	postures := one(plainPosture, first)
	if p.predictOn > 0 {
		second := append(one("thinking", text("on")), limits(p.predictOn, p.timeoutOn)...)
		postures = append(postures, entry{thinkingPosture, second.with("models", textList(slices.Clone(p.models)))})
	}
	return append(m, entry{"postures", postures})
}

const (
	plainPosture    = "plain"
	thinkingPosture = "thinking"
)

// origin records where the bench came from; Export finds the imported bytes by it.
func (f *file) origin(data []byte) mapping {
	m := mapping{{"schema", text(Schema)}, {"importer", count(importer)}, {"file", text(OriginFile)}, {"file_sha256", text(digest(data))}, {"exhibit", text(f.exhibit)}}
	return m.with("dataset", text(f.dataset)).with("artifact", text(f.artifact)).with("sha256", text(f.sha256)).
		with("published_utc", text(f.published)).with("status", text(f.status))
}
