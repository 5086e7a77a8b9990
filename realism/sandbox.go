package realism

import (
	"context"
	"fmt"
	"net"
	"net/http"
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

func mustRow(row Row, err error) Row {
	if err != nil {
		return unmeasured(oneLine(err.Error()))
	}
	return row
}
