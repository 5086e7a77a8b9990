package doctor

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/assaybench/assay/model"
)

const (
	leastSecret = 8
	removed     = "[key removed]"
)

// keys gives the values of all variables that may hold a key, to be taken out of everything that is said. Words that
// people set for servers that want no key ("none", "lm-studio") stay: they are no secrets, and texts hold such words.
func (g *gatherer) keys() []string {
	var out []string
	for _, name := range model.Providers() {
		for _, variable := range wanted[name].keys {
			v := strings.TrimSpace(g.Getenv(variable))
			if len(v) >= 2*leastSecret || len(v) >= leastSecret && strings.ContainsAny(v, "0123456789") {
				out = append(out, v)
			}
		}
	}
	return out
}

// line makes foreign text fit to be said: without keys, one line, at most limit bytes.
func (g *gatherer) line(s string, limit int) string {
	for _, key := range g.secrets {
		s = strings.ReplaceAll(s, key, removed)
	}
	return model.OneLine(s, limit)
}

const sayMost = 400 // bytes of one line

// advice is where an error's line turns from what is wrong to what to do about it.
var advice = regexp.MustCompile(`^(.*?)(?:; |: )((?:set|give|use|write|unset|check|start|open|copy|keep|install|name|make|correct) .*)$`)

// finding is one of an error's line, which says what is wrong and mostly what to do; usual is what to do where it does not.
func (g *gatherer) finding(s State, line, usual string) Finding {
	line = g.line(line, sayMost)
	if m := advice.FindStringSubmatch(line); m != nil {
		return Finding{s, m[1], m[2]}
	}
	return Finding{s, line, usual}
}

// Size writes bytes as people read them, with one place: 1.5 GiB.
func Size(n int64) string {
	const units = "KMGTPE"
	if n < 1024 {
		return fmt.Sprintf("%d B", n)
	}
	v, u := float64(n)/1024, 0
	for v >= 1023.95 && u < len(units)-1 {
		v, u = v/1024, u+1
	}
	return fmt.Sprintf("%.1f %ciB", v, units[u])
}

// counted is a number with its noun.
func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
