package harbor

import (
	"fmt"
	"strings"

	"github.com/assaybench/assay/world"
)

// The agent's container shares the world's loopback, and nothing else of it: the episode's folder belongs to root, and the
// agent is another user. So no port of a verifier exists that an agent could reach.
func compose(egress bool) string {
	return fmt.Sprintf(`services:
  main:
    build: {context: ., dockerfile: Dockerfile}
    network_mode: "service:world"
    depends_on:
      world: {condition: service_healthy}
    volumes:
      - handoff:/handoff:ro
      - episode:/episode:ro
    command: ["sh", "-c", "sleep infinity"]
  world:
    build: {context: ., dockerfile: Dockerfile.world}
    networks: [inside]
    volumes:
      - handoff:/handoff
      - episode:/episode
    healthcheck:
      test: ["CMD", "/assay", "harbor", "health", "http://127.0.0.1:8765/health"]
      interval: 2s
      retries: 30
networks:
  inside: {internal: %t}
volumes:
  episode: {}
  handoff: {}
`, !egress)
}

func mainImage(base string) string {
	user := "RUN echo 'agent:x:10001:10001::/workspace:/bin/sh' >> /etc/passwd && echo 'agent:x:10001:' >> /etc/group\n"
	if base == "" {
		base, user = "scratch", ""
	}
	return "FROM --platform=linux/amd64 " + base + "\n" + user + `COPY --chmod=0755 assay /usr/local/bin/assay
COPY --chmod=0755 tool /usr/local/bin/tool
WORKDIR /workspace
`
}

const worldImage = `FROM scratch
COPY --chmod=0755 assay /assay
COPY bench /bench
ENTRYPOINT ["/assay", "harbor", "serve", "/bench", %q, "--addr", "127.0.0.1:8765", "--db", "/episode", "--handoff", "/handoff/world.json"]
`

const toolScript = `#!/bin/sh
# Calls one tool of the world: tool NAME [JSON]
exec /usr/local/bin/assay harbor call /handoff/world.json "$@"
`

// A reward exists only after a whole grading: what an earlier one left is taken away first.
const testScript = `#!/bin/sh
logs="${VERIFIER_LOG_DIR:-/logs/verifier}"
mkdir -p "$logs" || exit 3
rm -f "$logs/reward.txt" "$logs/reward.json" "$logs/error.json" "$logs/verdict.json"
copy="$(mktemp -d)" || exit 3
if cp -R /episode/episode "$copy/episode" && /usr/local/bin/assay grade /tests/bench --episode "$copy/episode" --json > "$copy/verdict.json"; then
	/usr/local/bin/assay harbor reward "$copy/verdict.json" "$logs" && exit 0
fi
rm -f "$logs/reward.json"
printf '{"error":"the episode could not be graded"}\n' > "$logs/error.json"
exit 3
`

func instruction(brief string) string {
	for strings.HasPrefix(brief, "-") { // some agents' command lines take it for an option
		brief = "Request: " + brief
	}
	return brief + "\n\n" + harnessBegin + `
The organisation's systems are reached by the MCP server "world", or on a command line by: tool NAME JSON
The tools are listed by: assay harbor tools /handoff/world.json
Evidence files are read with the tool assay.evidence. Hand in the answer with assay.submit_answer when the work is done.
` + harnessEnd + "\n"
}

func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// solveScript replays the reference through the surface that an agent has. A call that the world refuses is part of it.
func solveScript(reference []byte) ([]byte, error) {
	calls, err := world.ReadTrace(reference)
	if err != nil {
		return nil, err
	}
	var b strings.Builder
	b.WriteString("#!/bin/sh\ncall() {\n\ttool \"$@\"\n\trc=$?\n\tif [ \"$rc\" -gt 1 ]; then exit \"$rc\"; fi\n}\n")
	for _, c := range calls {
		fmt.Fprintf(&b, "call %s %s\n", quote(c.Tool), quote(string(c.Args)))
	}
	return []byte(b.String()), nil
}

func (p *Package) readme(title string, o Options) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n%s\n\nPlatform: linux/amd64. ", p.Name, strings.Join(strings.Fields(title), " "))
	if o.Egress {
		b.WriteString("The agent's network reaches the outside.\n")
	} else {
		b.WriteString("The agent's network is internal.\n")
	}
	if len(p.Missing) > 0 {
		b.WriteString("\nThis package is INCOMPLETE and cannot be run. Missing:\n\n")
		for _, m := range p.Missing {
			fmt.Fprintf(&b, "* %s\n", m)
		}
	}
	return b.String()
}

// Reward is what a complete grading gives: the declared reward is the gated score.
type Reward struct {
	Reward float64 `json:"reward"`
	Strict int     `json:"strict"`
	Gated  float64 `json:"gated_score"`
}
