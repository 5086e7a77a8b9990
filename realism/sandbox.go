package realism

import (
	"context"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/assaybench/assay/world"
	"github.com/assaybench/assay/world/surface"
)

const ofSandbox = "sandbox."

var sandboxChecks = []check{
	{key: ofSandbox + "isolatedStartingState", scope: OfTask, how: Replay, measure: isolatedRow},
	{key: ofSandbox + "statefulMcp", scope: OfTask, how: Replay, measure: statefulRow},
	{key: ofSandbox + "closedProviderWorldState", scope: OfTask, how: Replay, measure: closedRow},
	{key: ofSandbox + "liveProviderCallsAllowed", scope: OfTask, how: Replay, measure: liveCallsRow},
	{key: ofSandbox + "osLevelNoEgressRequired", scope: OfRelease, how: Static, measure: egressStatusRow},
	{key: ofSandbox + "verifierHiddenFromAgent", scope: OfTask, how: Replay, phase: 1, measure: hiddenRow("assetRoom.verifierContractAgentVisible", "assetRoom.visibleAndVerifierOnlyArtifactsSeparated")},
	{key: ofSandbox + "referenceSolutionHiddenFromAgent", scope: OfTask, how: Replay, phase: 1, measure: hiddenRow("assetRoom.referenceTrajectoryAgentVisible", "assetRoom.visibleAndVerifierOnlyArtifactsSeparated")},
	{key: ofSandbox + "providerContractDisclosureRequired", scope: OfTask, how: Static, measure: disclosureRow},
	{key: ofSandbox + "writesMustBeTaskScoped", scope: OfTask, how: Replay, measure: scopedRow},
}

// isolatedRow plays the reference in one session beside another, call by call, and looks whether the other saw any of it.
func isolatedRow(ctx context.Context, r *Release, l Leaf) Row {
	if l.Value != true {
		return unmeasured("the threshold is not true")
	}
	return byTask(r, func(s *Subject) Row {
		trace, err := s.Task.Reference()
		if err != nil {
			return unmeasured(oneLine(err.Error()))
		}
		var digests [2]string
		var sessions [2]*world.Session
		for i := range sessions {
			if sessions[i], err = s.Session(ctx, fmt.Sprintf("audit-%d", i)); err != nil {
				return unmeasured(oneLine(err.Error()))
			}
			defer sessions[i].Close()
			if digests[i], err = digestOf(ctx, sessions[i]); err != nil {
				return unmeasured(oneLine(err.Error()))
			}
		}
		if digests[0] != digests[1] || sessions[0].SeedDigest() != sessions[1].SeedDigest() {
			return judged(false, 2, "two sessions of the task begin as two worlds")
		}
		for _, c := range trace {
			if _, err := sessions[0].Call(ctx, world.Call{Actor: world.Agent, Surface: "audit", Tool: c.Tool, Args: c.Args}); err != nil {
				return unmeasured(oneLine(err.Error()))
			}
			if now, err := digestOf(ctx, sessions[1]); err != nil {
				return unmeasured(oneLine(err.Error()))
			} else if now != digests[1] {
				return judged(false, 2, "a call of one session changes the other: "+c.Tool)
			}
		}
		after, err := digestOf(ctx, sessions[0])
		if err != nil {
			return unmeasured(oneLine(err.Error()))
		}
		if after == digests[0] {
			return judged(false, 2, "the reference changed nothing, so that nothing was tried")
		}
		changes, err := sessions[0].Changes(ctx)
		if err != nil {
			return judged(false, 2, oneLine(err.Error()))
		}
		return judged(true, 2, fmt.Sprintf("two sessions of the seed %.12s; %d rows changed in one, none in the other", sessions[0].SeedDigest(), len(changes)))
	})
}

func digestOf(ctx context.Context, s *world.Session) (string, error) {
	st, err := s.State(ctx)
	if err != nil {
		return "", err
	}
	return world.StateDigest(st)
}

// bearer puts the episode's token into requests.
type bearer struct {
	token string
	next  http.RoundTripper
}

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+b.token)
	return b.next.RoundTrip(r)
}

// statefulRow makes the reference's calls over the tool protocol, in two connections with a new one in the middle, and looks
// that what was written is what is read.
func statefulRow(ctx context.Context, r *Release, l Leaf) Row {
	if l.Value != true {
		return unmeasured("the threshold is not true")
	}
	return byTask(r, func(s *Subject) Row {
		ctx, stop := context.WithTimeout(ctx, time.Minute)
		defer stop()
		n, err := s.overProtocol(ctx)
		if err != nil {
			return judged(false, n, oneLine(err.Error()))
		}
		return judged(true, n, fmt.Sprintf("%d calls over the tool protocol in two connections give the reference's results and its state", n))
	})
}

func (s *Subject) overProtocol(ctx context.Context) (n int, err error) {
	want, err := s.Reference(ctx)
	if err != nil {
		return 0, err
	}
	session, err := s.Session(ctx, "replay")
	if err != nil {
		return 0, err
	}
	defer session.Close()
	token := surface.NewToken()
	v, err := surface.New(session, token)
	if err != nil {
		return 0, err
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	serve, end := context.WithCancel(ctx)
	done := make(chan error, 1)
	go func() { done <- v.Serve(serve, ln) }()
	defer func() {
		end()
		<-done
	}()
	tr := &http.Transport{}
	defer tr.CloseIdleConnections()
	var client *mcp.ClientSession
	for i := range want.Events {
		e := &want.Events[i]
		if client == nil || i == len(want.Events)/2 {
			if client != nil {
				client.Close()
			}
			c := mcp.NewClient(&mcp.Implementation{Name: "assay-audit", Version: "1"}, nil)
			if client, err = c.Connect(ctx, &mcp.StreamableClientTransport{Endpoint: v.Addresses("http://" + ln.Addr().String()).MCP, HTTPClient: &http.Client{Transport: bearer{token, tr}}}, nil); err != nil {
				return n, err
			}
		}
		res, err := client.CallTool(ctx, &mcp.CallToolParams{Name: e.Tool, Arguments: e.Args})
		if err != nil {
			client.Close()
			return n, fmt.Errorf("%s: %w", e.Tool, err)
		}
		if res.IsError == e.OK() {
			client.Close()
			return n, fmt.Errorf("call %d of %s ends otherwise over the protocol", e.Seq, e.Tool)
		}
		n++
	}
	if client != nil {
		client.Close()
	}
	got := session.Events()
	for i := range got {
		if i < len(want.Events) && string(got[i].Result) != string(want.Events[i].Result) {
			return n, fmt.Errorf("call %d of %s gives another result over the protocol", i+1, got[i].Tool)
		}
	}
	changes, err := session.Changes(ctx)
	if err != nil {
		return n, err
	}
	if len(changes) != len(want.Final) || len(got) != len(want.Events) {
		return n, fmt.Errorf("over the protocol %d rows changed in %d calls, and %d in %d without it", len(changes), len(got), len(want.Final), len(want.Events))
	}
	return n, nil
}

// closedRow wants every tool to read and write the episode's own store alone. A tool is statements over the world's tables,
// compiled under a guard that knows no files, no clock and no network; the reference, played again, is the same to the byte.
func closedRow(ctx context.Context, r *Release, l Leaf) Row {
	if l.Value != true {
		return unmeasured("the threshold is not true")
	}
	return byTask(r, func(s *Subject) Row {
		var ev []Evidence
		tools := s.World.Mounted(s.Public)
		for _, t := range tools {
			for _, table := range t.Touches {
				if s.table(table) == nil {
					ev = append(ev, Evidence{File: t.File, Line: t.Line, Cell: t.Name, Note: "it reads " + table + ", which is no table of the world"})
				}
			}
		}
		if len(ev) > 0 {
			return judged(false, len(tools), "tools read beyond the world", ev...)
		}
		return s.playedAlone(ctx, len(tools))
	})
}

func liveCallsRow(ctx context.Context, r *Release, l Leaf) Row {
	if l.Value == true {
		return allowed(nil)
	}
	return byTask(r, func(s *Subject) Row { return s.playedAlone(ctx, 0) })
}

// playedAlone plays the reference again; where the program can, in a process that has no network.
func (s *Subject) playedAlone(ctx context.Context, measured int) Row {
	row := deterministicOne(ctx, s)
	if row.Result != Pass {
		return row
	}
	return judged(true, measured, "tools are statements over the episode's own store, and know no other; "+row.Reason)
}

// egressStatusRow tells what is so: no network is asked to be cut off, and whether it is depends on how an agent is run.
func egressStatusRow(_ context.Context, r *Release, l Leaf) Row {
	if l.Value != false {
		return unmeasured("the standard asks for a cut network, which the run of an agent decides and not the release")
	}
	return judged(true, "not required", "the standard does not ask for it; a program that works a task is cut off where the machine can, and the run's record says whether it was")
}

// hiddenRow joins what the scans of visible bytes found with what the exported package keeps from its agent's user.
func hiddenRow(keys ...string) func(context.Context, *Release, Leaf) Row {
	return func(ctx context.Context, r *Release, l Leaf) Row {
		if l.Value != true {
			return unmeasured("the threshold is not true")
		}
		row := joined(r, keys)
		walked := byTask(r, func(s *Subject) Row { return s.walked(ctx) })
		row.Tasks, row.Evidence = walked.Tasks, append(row.Evidence, walked.Evidence...)
		row.Result = Worse(row.Result, walked.Result)
		if row.Reason == "" || walked.Result == Fail {
			row.Reason = walked.Reason
		}
		row.Measured = walked.Measured
		if r.Packages == nil {
			return row
		}
		packed := byTask(r, func(s *Subject) Row {
			p, err := s.packageProof(ctx)
			if err != nil {
				return unmeasured(oneLine(err.Error()))
			}
			return judged(p.Private, p.Files, "the package's agent came to its private part")
		})
		if packed.Result != Pass {
			row.Result, row.Reason = Worse(row.Result, packed.Result), packed.Reason
			row.Evidence = append(row.Evidence, packed.Evidence...)
		}
		return row
	}
}

// walked asks every surface of an episode for everything that it lists, and for addresses that it should not have, and looks
// for sealed lines in what comes back.
func (s *Subject) walked(ctx context.Context) Row {
	return mustRow(once(&s.facts, "walked", func() (Row, error) {
		session, err := s.Session(ctx, "audit-walk")
		if err != nil {
			return Row{}, err
		}
		defer session.Close()
		token := surface.NewToken()
		v, err := surface.New(session, token)
		if err != nil {
			return Row{}, err
		}
		defer v.Close()
		sealed := s.sealedLines()
		paths := []string{"/", "/api/v1", "/api/v1/openapi.json", "/api/v1/task", "/api/v1/events", "/api/v1/tools", "/evidence/", "/health", "/app/",
			"/sealed/contract.yaml", "/api/v1/contract", "/evidence/../sealed/contract.yaml", "/tasks/" + s.ID + "/sealed/contract.yaml", "/api/v1/tools/no.such.tool"}
		for _, t := range s.World.Mounted(s.Public) {
			paths = append(paths, "/api/v1/tools/"+t.Name)
		}
		for i := range s.Public.Evidence {
			paths = append(paths, "/evidence/"+s.Public.Evidence[i].Path)
		}
		asked := 0
		for _, p := range paths {
			body, err := ask(ctx, v, token, p)
			if err != nil {
				return Row{}, err
			}
			asked++
			for _, line := range sealed {
				if strings.Contains(body, line) {
					return judged(false, asked, "sealed bytes come over a surface", Evidence{File: sealedFile(s), Cell: p, Span: line}), nil
				}
			}
		}
		return judged(true, asked, fmt.Sprintf("%d addresses asked, %d sealed lines in none of them", asked, len(sealed))), nil
	}))
}

func mustRow(row Row, err error) Row {
	if err != nil {
		return unmeasured(oneLine(err.Error()))
	}
	return row
}

// sealedLines are lines of the contract that are long enough to be nobody else's.
func (s *Subject) sealedLines() []string {
	b, err := fs.ReadFile(s.Release.Set.Bench().FS, sealedFile(s))
	if err != nil {
		return nil
	}
	var out []string
	for line := range strings.Lines(string(b)) {
		if line = strings.TrimSpace(line); len(line) >= 40 && !slices.ContainsFunc(s.visible(), func(t text) bool { return strings.Contains(t.Text, line) }) {
			out = append(out, line)
		}
	}
	return out
}

// disclosed are the groups of words of which a description of the stand-ins has one each: that they are stand-ins, what reading
// and writing do, and what they refuse.
var disclosed = []struct {
	of    string
	words []string
}{
	{"that the systems are stand-ins", []string{"stand-in", "stands in", "simulat", "mock", "not the real", "imitat", "model of", "no real", "copies of"}},
	{"what reading does", []string{"read", "list", "search"}},
	{"what writing does", []string{"write", "change", "creat", "draft"}},
	{"limits", []string{"limit", "at most", "page", "maximum"}},
	{"faults", []string{"fault", "error", "refus", "again", "retry", "conflict"}},
}

func disclosureRow(ctx context.Context, r *Release, l Leaf) Row {
	if l.Value != true {
		return unmeasured("the threshold is not true")
	}
	return byTask(r, func(s *Subject) Row {
		list := slices.Clone(s.visible())
		table, column := s.World.EvidenceTable("text")
		if rows, err := s.seedRows(ctx); err == nil {
			for _, tr := range rows {
				for _, row := range tr.Rows {
					if t, ok := row[column].(string); ok && tr.Table == table {
						list = append(list, text{Where: "world/seed/" + table, Text: t})
					}
				}
			}
		}
		best, lack := "", []string{"a document"}
		for _, t := range list {
			low := strings.ToLower(t.Text)
			var without []string
			for _, d := range disclosed {
				if !slices.ContainsFunc(d.words, func(w string) bool { return strings.Contains(low, w) }) {
					without = append(without, d.of)
				}
			}
			if len(t.Text) > 200 && (best == "" || len(without) < len(lack)) && (len(without) == 0 || !slices.Contains(without, disclosed[0].of)) {
				best, lack = t.Where, without
			}
		}
		return judged(best != "" && len(lack) == 0, best, "the document that says what the systems are lacks "+orNone(lack), Evidence{File: best})
	})
}

// scopedRow wants each row that the reference changed to be named by the contract, and each that may change to be pinned.
func scopedRow(ctx context.Context, r *Release, l Leaf) Row {
	if l.Value != true {
		return unmeasured("the threshold is not true")
	}
	return byTask(r, func(s *Subject) Row {
		if ok, why := pinnedRows(s); !ok {
			return judged(false, nil, why, Evidence{File: sealedFile(s), Cell: "containment"})
		}
		p, err := s.Reference(ctx)
		if err != nil {
			return unmeasured(oneLine(err.Error()))
		}
		for _, f := range p.Verdict.Findings {
			if f.Rule == "containment" && !f.Pass {
				return judged(false, len(p.Final), f.Why)
			}
		}
		res, note, err := s.refused(ctx, "unauthorized_write")
		if err != nil {
			return unmeasured(oneLine(err.Error()))
		}
		return Row{Result: res, Measured: len(p.Final), Reason: fmt.Sprintf("%d rows changed, each pinned by the contract; %s", len(p.Final), note)}
	})
}

// ask gets an address of a surface, as its client would.
func ask(ctx context.Context, v *surface.Server, token, path string) (string, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://127.0.0.1"+path, nil)
	if err != nil {
		return "", err
	}
	req.Header.Set("Authorization", "Bearer "+token)
	w := &kept{head: http.Header{}}
	v.Handler().ServeHTTP(w, req)
	return w.body.String(), nil
}

// kept is an answer in memory.
type kept struct {
	head http.Header
	body strings.Builder
}

func (k *kept) Header() http.Header         { return k.head }
func (k *kept) Write(b []byte) (int, error) { return k.body.Write(b) }
func (k *kept) WriteHeader(int)             {}
