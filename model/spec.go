package model

import (
	"fmt"
	"net"
	"net/url"
	"slices"
	"strings"

	"github.com/assaybench/assay/bench"
)

// Spec is a model as a user writes it: provider/model, with @URL for its server where it has one.
type Spec struct {
	Raw      string // as written
	Provider string // one of Providers
	Name     string // what the provider calls the model; for command a path
	URL      string // the server's base address without a slash at its end, "" where none was given
}

// Providers lists the providers that this program has, in order.
func Providers() []string {
	return []string{"anthropic", "command", "control", "gemini", "ollama", "openai", "replay", "responses"}
}

// urlProviders are those that speak to a server.
var urlProviders = []string{"anthropic", "gemini", "ollama", "openai", "responses"}

const specForm = "write provider/model, or provider/model@http://HOST:PORT for a server of your own (with /v1 behind it for openai)"

// bareAddress is what people write when they forget the scheme: it would otherwise be a part of the model's name, and
// the call would go to the provider's official server.
var bareAddress = NewPattern(`@(localhost|[A-Za-z0-9.-]+:[0-9]{1,5}|\[[0-9A-Fa-f:.]+\](:[0-9]{1,5})?)(/.*)?$`)

// ParseSpec reads provider/model[@URL]. Names may hold "/", ":" and "@"; the URL begins at the last @http:// or @https://.
// Errors are one line and never repeat a password written into the URL.
func ParseSpec(s string) (Spec, error) {
	spec := Spec{Raw: s}
	rest := s
	if at := max(strings.LastIndex(s, "@http://"), strings.LastIndex(s, "@https://")); at >= 0 {
		u, err := ParseURL(s[at+1:])
		if err != nil {
			return Spec{}, fmt.Errorf("model %q: %w", s[:at], err)
		}
		rest, spec.URL = s[:at], u
	}
	// Control characters are checked before anything of s is stored or printed: names reach terminals and file names.
	if i := strings.IndexFunc(rest, func(r rune) bool { return r < ' ' || r == 0x7f || r == 0xfffd }); i >= 0 {
		return Spec{}, fmt.Errorf("model %q: a name holds no control characters and is UTF-8; %s", rest, specForm)
	}
	provider, name, ok := strings.Cut(rest, "/")
	switch {
	case !slices.Contains(Providers(), provider):
		return Spec{}, fmt.Errorf("model %q: no provider %q (known: %s)%s%s", mask(rest), mask(provider), strings.Join(Providers(), ", "),
			guess(provider), map[bool]string{false: "; " + specForm}[ok])
	case !ok || strings.TrimSpace(name) == "":
		return Spec{}, fmt.Errorf("model %q: the model's name is missing; %s", rest, specForm)
	case strings.Contains(name, "://"):
		return Spec{}, fmt.Errorf("model %q: an address begins with @http:// or @https://; %s", mask(rest), specForm)
	case spec.URL != "" && !slices.Contains(urlProviders, provider):
		return Spec{}, fmt.Errorf("model %q: %s has no server; leave @URL off", rest, provider)
	case slices.Contains(urlProviders, provider) && spec.URL == "" && bareAddress.MatchString(name):
		at := strings.LastIndex(rest, "@")
		return Spec{}, fmt.Errorf("model %q: an address needs its scheme: %s@http://%s", rest, rest[:at], rest[at+1:])
	}
	spec.Provider, spec.Name = provider, name
	if spec.URL != "" {
		spec.Raw = rest + "@" + spec.URL
	}
	return spec, nil
}

// BenchName is the model as a bench names it: the part after the provider, without the server.
func (s Spec) BenchName() string { return s.Name }

// String is the spec as written.
func (s Spec) String() string { return s.Raw }

// ParseURL checks a server's base address: http or https, a host, nothing that could carry a secret. It gives it back
// without slashes at its end. Errors never repeat the address's user part or query.
func ParseURL(s string) (string, error) {
	u, err := url.Parse(s)
	switch {
	case err != nil:
		return "", fmt.Errorf("the server's address is not a URL; write http://HOST:PORT, with /v1 behind it where the provider is openai")
	case u.User != nil:
		return "", fmt.Errorf("the server's address holds a user or a password, which would be stored with every run; give the key in the environment instead")
	case u.Scheme != "http" && u.Scheme != "https":
		return "", fmt.Errorf("the server's address must begin with http:// or https://")
	case u.Hostname() == "":
		return "", fmt.Errorf("the server's address names no host; write http://HOST:PORT, with /v1 behind it where the provider is openai")
	case u.RawQuery != "" || u.ForceQuery || u.Fragment != "":
		return "", fmt.Errorf("the server's address %s://%s%s must end with its path, without ? or #", u.Scheme, u.Host, u.Path)
	case strings.HasSuffix(strings.TrimRight(u.Path, "/"), "/chat/completions"):
		return "", fmt.Errorf("the server's address %s is that of one call; give its base, without /chat/completions", s)
	}
	return strings.TrimRight(s, "/"), nil
}

// Loopback reports whether a host name (without port) is this machine by its very form; no name is looked up.
func Loopback(host string) bool {
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	if host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}

func guess(provider string) string {
	if hint := bench.Nearest(strings.ToLower(provider), Providers()); strings.Contains(hint, "did you mean") {
		return hint
	}
	return ""
}

// mask hides what stands between "//" and "@" of an address that was not recognised as one.
func mask(s string) string {
	start := strings.Index(s, "://")
	if at := strings.LastIndex(s, "@"); start >= 0 && at > start+3 {
		return s[:start+3] + "…" + s[at:]
	}
	return s
}
