package harbor

import (
	"fmt"
	"strings"
)

// Files of a package that its parts are made of.
const (
	programFile   = "environment/assay"
	agentImage    = "environment/Dockerfile"
	worldImage    = "environment/Dockerfile.world"
	worldPart     = "environment/world/" // what the world's container alone holds
	verifierBench = "tests/bench/"
	solveFile     = "solution/solve.sh"
	testFile      = "tests/test.sh"
	referenceFile = "solution/reference.jsonl"
)

// Where containers have what they share, and the variables by which processes without containers find it. The scripts use
// the shell's own words alone, since the program may be all that there is.
const (
	handoffDir  = "/handoff"
	handoffName = "world.json"
	privateDir  = "/private"
	worldAddr   = "127.0.0.1:8765"

	programVar = "ASSAY_PROGRAM"
	handoffVar = "ASSAY_HANDOFF"
	privateVar = "ASSAY_PRIVATE"
	testsVar   = "ASSAY_TESTS"
	logsVar    = "VERIFIER_LOG_DIR"
)

// The agent's container shares the world's loopback, and nothing else of it. The folder of the private channel belongs to
// root, and the agent is another user: what the verifier asks goes through a socket in it, so that no port exists which an
// agent could reach.
func compose(egress bool) string {
	return fmt.Sprintf(`services:
  main:
    build: {context: ., dockerfile: Dockerfile}
    network_mode: "service:world"
    security_opt: ["no-new-privileges:true"]
    depends_on:
      world: {condition: service_healthy}
    volumes:
      - handoff:/handoff:ro
      - private:/private:ro
    command: ["sh", "-c", "sleep infinity"]
  world:
    build: {context: ., dockerfile: Dockerfile.world}
    networks: [inside]
    volumes:
      - handoff:/handoff
      - private:/private
    healthcheck:
      test: ["CMD", "/assay", "harbor", "health", "/private"]
      interval: 2s
      retries: 30
networks:
  inside: {internal: %t}
volumes:
  private: {}
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

// What an image is built from: the world's part is not even sent to the builder of the agent's image.
const (
	agentContext = "*\n!assay\n!tool\n"
	worldContext = "*\n!assay\n!world\n"
)

func worldImageOf(task string) string {
	return fmt.Sprintf(`FROM scratch
COPY --chmod=0755 assay /assay
COPY world/bench /bench
ENTRYPOINT ["/assay", "harbor", "serve", "/bench", %q, "--addr", "`+worldAddr+`", "--private", "/private", "--handoff", "/handoff/world.json"]
`, task)
}

const toolScript = `#!/bin/sh
# Calls one tool of the world: tool NAME [JSON]
exec "${ASSAY_PROGRAM:-/usr/local/bin/assay}" harbor call "${ASSAY_HANDOFF:-/handoff/world.json}" "$@"
`

// The program takes away what an earlier grading left before it begins; where the program is missing, the shell has done so.
const testScript = `#!/bin/sh
logs="${VERIFIER_LOG_DIR:-/logs/verifier}"
rm -f "$logs/reward.txt" "$logs/reward.json" 2>/dev/null
exec "${ASSAY_PROGRAM:-/usr/local/bin/assay}" harbor judge "${ASSAY_TESTS:-/tests}/bench" "${ASSAY_PRIVATE:-/private}" "$logs"
`

// The calls and the answer stand in reference.jsonl. A call that the world refuses is part of them.
const solveScript = `#!/bin/sh
case "$0" in
*/*) here="${0%/*}" ;;
*) here=. ;;
esac
exec "${ASSAY_PROGRAM:-/usr/local/bin/assay}" harbor solve "${ASSAY_HANDOFF:-/handoff/world.json}" "$here/reference.jsonl"
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
