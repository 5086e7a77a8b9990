package ollama

import (
	"cmp"
	"slices"
	"strings"
)

// fullName is a model's name with everything in it that may be left out: registry.ollama.ai/library/NAME:latest. Ollama
// holds names equal whatever their case.
func fullName(name string) string {
	tag := "latest"
	if i := strings.LastIndexByte(name, ':'); i > strings.LastIndexByte(name, '/') {
		name, tag = name[:i], name[i+1:]
	}
	switch strings.Count(name, "/") {
	case 0:
		name = "registry.ollama.ai/library/" + name
	case 1:
		name = "registry.ollama.ai/" + name
	}
	return strings.ToLower(name + ":" + tag)
}

// sameModel reports whether a server's name for a model it holds is the one that was asked for. Newer servers take
// NAME:local for NAME where it could also be one of theirs elsewhere.
func sameModel(asked, held string) bool {
	full := fullName(held)
	if full == fullName(asked) {
		return true
	}
	bare, ok := strings.CutSuffix(strings.ToLower(asked), ":local")
	return ok && full == fullName(bare)
}

// cloudName reports whether a name says by its tag that another machine answers: servers since 0.18 hand such calls on,
// and nothing in the reply tells.
func cloudName(name string) bool {
	i := strings.LastIndexByte(name, ':')
	if i < 0 || strings.Contains(name[i:], "/") {
		return false
	}
	tag := strings.ToLower(strings.TrimSpace(name[i+1:]))
	return tag == "cloud" || strings.HasSuffix(tag, "-cloud")
}

// near gives at most limit of the names held, those likest to the one asked for first: other tags of the same model, then
// by the length of the common beginning.
func near(asked string, held []string, limit int) []string {
	rank := func(name string) int {
		a, b := strings.ToLower(asked), strings.ToLower(name)
		base, _, _ := strings.Cut(a, ":")
		if b == base || strings.HasPrefix(b, base+":") {
			return len(a) + len(b)
		}
		n := 0
		for n < len(a) && n < len(b) && a[n] == b[n] {
			n++
		}
		return n
	}
	names := slices.Clone(held)
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(rank(b)-rank(a), strings.Compare(a, b)) })
	return names[:min(limit, len(names))]
}
