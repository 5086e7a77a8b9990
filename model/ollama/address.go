package ollama

import (
	"net"
	"strconv"
	"strings"
)

const defaultPort = "11434"

// hostURL reads OLLAMA_HOST as Ollama's own client does: HOST, HOST:PORT, :PORT, each with http:// or https:// before it
// and a path behind it or without. Nothing is 127.0.0.1:11434. A scheme brings its own port (80, 443). A port that is none
// is taken for the usual one. 0.0.0.0 and [::], which a server listens at, mean this machine.
func hostURL(s string) string {
	s = strings.TrimSpace(s)
	scheme, rest, ok := strings.Cut(s, "://")
	port := defaultPort
	switch {
	case !ok && s == cloudHost:
		return "https://" + net.JoinHostPort(cloudHost, "443")
	case !ok:
		scheme, rest = "http", s
	case scheme == "http":
		port = "80"
	case scheme == "https":
		port = "443"
	}
	usual := port
	rest, path, _ := strings.Cut(rest, "/")
	host, given, err := net.SplitHostPort(rest)
	if err == nil {
		port = given
	} else {
		host = strings.Trim(rest, "[]")
		if host == "" {
			host = "127.0.0.1"
		}
	}
	if n, err := strconv.ParseInt(port, 10, 32); err != nil || n < 0 || n > 65535 {
		port = usual
	}
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		if ip != nil && ip.To4() == nil {
			host = "::1"
		} else {
			host = "127.0.0.1"
		}
	}
	return strings.TrimRight(scheme+"://"+net.JoinHostPort(host, port)+"/"+path, "/")
}
