package harbor

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
)

var hex64 = regexp.MustCompile(`^(sha256:)?[0-9a-f]{64}$`)

// verifyDeclared holds the digests that a package declares of its own files against the files: of manifest.json and
// sha256sums files, and of what sits in JSON as {"path": …, "sha256": …} in such a manifest.
func verifyDeclared(files Files) error {
	for _, n := range files.Names() {
		base := strings.ToLower(path.Base(n))
		switch {
		case base == "sha256sums" || base == "sha256sums.txt":
			for i, line := range strings.Split(strings.TrimRight(string(files[n].Data), "\n"), "\n") {
				want, name, ok := strings.Cut(strings.TrimSpace(line), " ")
				if !ok || !hex64.MatchString(want) {
					return fmt.Errorf("%s: line %d is no digest and path", n, i+1)
				}
				if err := verifyOne(files, n, strings.TrimLeft(name, " *"), want); err != nil {
					return err
				}
			}
		case slices.Contains([]string{"manifest.json", "digests.json"}, base):
			var v any
			if json.Unmarshal(files[n].Data, &v) != nil {
				continue
			}
			if err := verifyTree(files, n, v); err != nil {
				return err
			}
		}
	}
	return nil
}

func verifyTree(files Files, at string, v any) error {
	switch v := v.(type) {
	case []any:
		for _, x := range v {
			if err := verifyTree(files, at, x); err != nil {
				return err
			}
		}
	case map[string]any:
		p, _ := v["path"].(string)
		if want, ok := v["sha256"].(string); ok && p != "" {
			if err := verifyOne(files, at, p, want); err != nil {
				return err
			}
		}
		for _, k := range slices.Sorted(maps.Keys(v)) {
			if err := verifyTree(files, at, v[k]); err != nil {
				return err
			}
		}
	}
	return nil
}

// verifyOne finds the named file beside the manifest or from the root.
func verifyOne(files Files, at, name, want string) error {
	if err := checkName(strings.TrimPrefix(name, "./")); err != nil {
		return fmt.Errorf("%s: %w", at, err)
	}
	for _, p := range []string{path.Join(path.Dir(at), name), path.Clean(name)} {
		f, ok := files[p]
		if !ok {
			continue
		}
		if got := sum(f.Data); got != strings.TrimPrefix(strings.ToLower(want), "sha256:") {
			return fmt.Errorf("%s: the digest declared for %s is not that of the file", at, p)
		}
		return nil
	}
	return fmt.Errorf("%s: a digest is declared for %q, which the package does not hold", at, name)
}

// Each form has what every secret of it holds, so that programs of tens of megabytes are searched in no time.
var secretForms = []struct {
	what  string
	holds []string
	re    *regexp.Regexp
}{
	{"a private key", []string{"-----BEGIN "}, regexp.MustCompile(`-----BEGIN [A-Z ]*PRIVATE KEY-----`)},
	{"a key of a model provider", []string{"sk-"}, regexp.MustCompile(`\bsk-[A-Za-z0-9_-]{20,}`)},
	{"an access token of a code host", []string{"ghp_", "gho_", "ghu_", "ghr_", "ghs_"}, regexp.MustCompile(`\bgh[pousr]_[A-Za-z0-9]{30,}`)},
	{"a cloud access key", []string{"AKIA"}, regexp.MustCompile(`\bAKIA[0-9A-Z]{16}\b`)},
	{"a token", []string{"xox", "hf_", "AIza"}, regexp.MustCompile(`\bxox[abpr]-[A-Za-z0-9-]{10,}|\bhf_[A-Za-z0-9]{30,}|\bAIza[A-Za-z0-9_-]{35}`)},
	{"a fixed token of a verifier", []string{"erifier", "arbor", "ERIFIER", "ARBOR"}, regexp.MustCompile(`(?i)(verifier|harbor)[a-z_-]*token["']?\s*[:=]\s*["']?[A-Za-z0-9_-]{12,}`)},
}

// Bounds of the search: how many bytes of a file are looked at around what a secret holds, and after how many such places the whole
// rest is, since a file may consist of them.
const (
	secretWindow = 400
	secretPlaces = 1000
)

// secrets names the files that seem to hold one, and never what they hold.
func secrets(files Files) (out []string) {
	for _, n := range files.Names() {
		data := files[n].Data
		for _, s := range secretForms {
			first := -1
			for _, part := range s.holds {
				if at := findSecret(data, part, s.re); at >= 0 && (first < 0 || at < first) {
					first = at
				}
			}
			if first >= 0 {
				out = append(out, fmt.Sprintf("%s:%d: looks like %s; make it void before the package goes anywhere", n, 1+bytes.Count(data[:first], []byte("\n")), s.what))
			}
		}
	}
	return out
}

// findSecret gives the first place of a secret around a part that it holds; -1 where there is none.
func findSecret(data []byte, part string, re *regexp.Regexp) int {
	at := 0
	for tries := 0; ; tries++ {
		i := bytes.Index(data[at:], []byte(part))
		if i < 0 {
			return -1
		}
		at += i
		from, to := max(0, at-2), min(len(data), at+secretWindow)
		if tries == secretPlaces {
			to = len(data)
		}
		if found := re.FindIndex(data[from:to]); found != nil {
			return from + found[0]
		}
		if to == len(data) {
			return -1
		}
		at++
	}
}
