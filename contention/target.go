package contention

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"
)

// labelMax is how many bytes of a URL are shown.
const labelMax = 512

// target is one watched URL. The label is what is shown and kept: the URL without its query, which can hold a key.
type target struct {
	url   *url.URL
	label string
}

// Check tells whether URLs can be watched, for a command line that wants to know before it begins. The error says which
// one is refused, and never repeats a query or credentials.
func Check(urls []string) error {
	_, err := parseTargets(urls)
	return err
}

func parseTargets(urls []string) ([]*target, error) {
	if len(urls) > urlsMax {
		return nil, fmt.Errorf("watch: %d URLs are given, and at most %d can be watched", len(urls), urlsMax)
	}
	var out []*target
	whole := map[string]int{}  // URLs as they are requested
	labels := map[string]int{} // how often a label was given
	for i, raw := range urls {
		u, err := parseTarget(raw)
		if err != nil {
			return nil, fmt.Errorf("watch: URL %d of %d %w", i+1, len(urls), err)
		}
		label := labelOf(u)
		if first, ok := whole[u.String()]; ok {
			return nil, fmt.Errorf("watch: URL %d of %d is the same as URL %d (%s): name it once", i+1, len(urls), first, label)
		}
		whole[u.String()] = i + 1
		if labels[label]++; labels[label] > 1 {
			label += " (" + strconv.Itoa(labels[label]) + ")" // they differ in their queries, which are not shown
		}
		out = append(out, &target{u, label})
	}
	return out, nil
}

// parseTarget reads one URL. Errors of net/url quote the URL and are therefore not passed on.
func parseTarget(raw string) (*url.URL, error) {
	if len(raw) > urlBytesMax {
		return nil, fmt.Errorf("has %d bytes: at most %d are taken", len(raw), urlBytesMax)
	}
	u, err := url.Parse(strings.TrimSpace(raw))
	if err != nil {
		return nil, fmt.Errorf("cannot be read as a URL: write it like http://127.0.0.1:8080/health")
	}
	// Credentials first, so that none of the errors below can show a URL that has some.
	if u.User != nil || strings.Contains(u.Opaque, "@") {
		return nil, fmt.Errorf("holds credentials (user:password@): watch an address that needs none")
	}
	if s := strings.ToLower(u.Scheme); s != "http" && s != "https" {
		return nil, fmt.Errorf("does not begin with http:// or https://: write it like http://127.0.0.1:8080/health")
	}
	if u.Opaque != "" || u.Hostname() == "" {
		return nil, fmt.Errorf("names no host: write it like http://127.0.0.1:8080/health")
	}
	if p := u.Port(); p != "" {
		if n, err := strconv.ParseUint(p, 10, 16); err != nil || n == 0 {
			return nil, fmt.Errorf("has a port that is not 1 to 65535")
		}
	}
	u.Scheme = strings.ToLower(u.Scheme)
	u.Host = strings.ToLower(u.Host)
	u.Fragment, u.RawFragment = "", "" // never sent
	if u.Path == "" {
		u.Path = "/"
	}
	return u, nil
}

func labelOf(u *url.URL) string {
	return clip(printable(u.Scheme+"://"+u.Host+u.EscapedPath()), labelMax)
}
