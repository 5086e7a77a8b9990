package cli

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/assaybench/assay/bench"
	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/world"
	"github.com/assaybench/assay/world/surface"
)

// newHarbor holds what an exported package's containers run; people have no use for it.
func newHarbor(p *Process) *cobra.Command {
	c := &cobra.Command{Use: "harbor", Short: "What the containers of an exported Harbor package run", Hidden: true}
	var addr, private, handoff string
	serve := &cobra.Command{Use: "serve DIR TASK", Short: "Serve a task's world from its public files", Args: args(2, 2, "DIR and TASK"),
		RunE: func(_ *cobra.Command, a []string) error { return p.harborServe(a[0], a[1], addr, private, handoff) }}
	serve.Flags().StringVar(&addr, "addr", "127.0.0.1:8765", "the address to listen on, of this machine")
	serve.Flags().StringVar(&private, "private", "", "the folder of the private channel, for the verifier alone")
	serve.Flags().StringVar(&handoff, "handoff", "", "the file for what serve prints, for the agent")
	with := func(use string, least, most int, run func(a []string) error) *cobra.Command {
		return &cobra.Command{Use: use, Short: use, Args: args(least, most, use), RunE: func(_ *cobra.Command, a []string) error { return run(a) }}
	}
	c.AddCommand(serve,
		with("call FILE TOOL [JSON]", 2, 3, func(a []string) error { return p.harborCall(a) }),
		with("tools FILE", 1, 1, func(a []string) error { return p.harborTools(a[0]) }),
		with("mcp FILE", 1, 1, func(a []string) error { return p.harborMCP(a[0]) }),
		with("solve FILE TRACE", 2, 2, func(a []string) error { return p.harborSolve(a[0], a[1]) }),
		with("health PRIVATE", 1, 1, func(a []string) error { return p.harborHealth(a[0]) }),
		with("judge BENCH PRIVATE DIR", 3, 3, func(a []string) error { return p.harborJudge(a[0], a[1], a[2]) }))
	return c
}

// harborServe serves a task's world from the files of its world's part. The agent comes to the address; the verifier to the private
// folder, and what it asks for ends the agent's part.
func (p *Process) harborServe(dir, id, addr, private, handoff string) (err error) {
	if err := loopback(addr); err != nil {
		return err
	}
	if private == "" || handoff == "" {
		return usage("assay harbor serve wants --private DIR and --handoff FILE")
	}
	w, spec, err := p.packagedTask(dir, id)
	if err != nil {
		return err
	}
	private = p.path(private)
	secret, err := privateFolder(private)
	if err != nil {
		return fault(err)
	}
	root := filepath.Join(private, privateEpisodes)
	if err := os.MkdirAll(root, 0o700); err != nil {
		return fault(err)
	}
	var s *world.Session
	if _, serr := os.Stat(filepath.Join(root, spec.ID)); serr == nil {
		s, err = w.OpenSession(p.Context, spec, root)
	} else {
		s, err = w.CreateSession(p.Context, spec, root)
	}
	if err != nil {
		return fault(err)
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	token, err := episodeToken(filepath.Join(root, spec.ID))
	if err != nil {
		return fault(err)
	}
	v, err := surface.New(s, token)
	if err != nil {
		return fault(err)
	}
	ln, err := new(net.ListenConfig).Listen(p.Context, "tcp", addr)
	if err != nil {
		return usage("--addr: %v", err)
	}
	line, err := json.Marshal(v.Addresses("http://" + ln.Addr().String()))
	if err != nil {
		return fault(errors.Join(err, ln.Close()))
	}
	inside, err := listenPrivate(p.Context, private)
	if err != nil {
		return fault(errors.Join(err, ln.Close()))
	}
	return p.serveBoth(s, v, ln, inside, secret, func() error { return writeFile(p.path(handoff), append(line, '\n')) })
}

// serveBoth serves the agent until the verifier ends its part, and the verifier until the process is told to end. ready is called
// once both can be reached.
func (p *Process) serveBoth(s *world.Session, v *surface.Server, ln, inside net.Listener, secret string, ready func() error) error {
	ctx, stop := context.WithCancel(p.Context)
	defer stop()
	served := make(chan struct{})
	var failure error // of the agent's part; read after served
	take := func() (*record.Transcript, error) {
		stop() // calls that are under way finish, and no other begins
		<-served
		if failure != nil {
			return nil, failure
		}
		ended := "silent"
		if _, n := world.Answer(s.Events()); n > 0 {
			ended = "answer"
		}
		ep, err := world.Bundle(context.WithoutCancel(p.Context), s, ended)
		return &record.Transcript{Outcome: record.Answered, Episode: ep}, err
	}
	h := &http.Server{Handler: &privateServer{token: secret, take: take}, ReadHeaderTimeout: 10 * time.Second}
	private := make(chan error, 1)
	go func() { private <- h.Serve(inside) }()
	go func() {
		defer close(served)
		failure = v.Serve(ctx, ln)
	}()
	err := ready()
	if err == nil {
		select {
		case <-p.Context.Done():
		case err = <-private:
		case <-served:
			if err = failure; err == nil { // the verifier ended it, and is still to be answered
				<-p.Context.Done()
			}
		}
	}
	stop()
	<-served
	return fault(errors.Join(err, h.Close()))
}

// packagedTask reads a task's public part and what is staged, without its contract, which a world does not have.
func (p *Process) packagedTask(dir, id string) (*world.World, world.Spec, error) {
	none := world.Spec{}
	if !bench.ValidID(id) {
		return nil, none, usage("%q is no task's id", id)
	}
	fsys := openFolder(p.path(dir))
	base := "tasks/" + id
	data, err := os.ReadFile(filepath.Join(p.path(dir), filepath.FromSlash(base+"/public/task.yaml")))
	if err != nil {
		return nil, none, usage("%s: %v", shown(dir), reasonOf(err))
	}
	n, err := bench.Parse(base+"/public/task.yaml", data)
	if err != nil {
		return nil, none, usage("%v", err)
	}
	from := "world"
	if v := n.Get("world"); v != nil {
		name, err := v.AsText()
		if err != nil {
			return nil, none, usage("%v", err)
		}
		from = "worlds/" + name
	}
	w, err := world.Load(fsys, from, dir)
	if err != nil {
		return nil, none, usage("%v", err)
	}
	task, err := w.ReadTask(n, fsys, base+"/public")
	if err != nil {
		return nil, none, usage("%v", err)
	}
	staged, err := w.ReadStaged(fsys, base+"/sealed")
	if err != nil {
		return nil, none, usage("%v", err)
	}
	return w, world.Spec{ID: "episode", Task: task, Staged: staged}, nil
}

func (p *Process) handoff(name string) (*surface.Addresses, *worldClient, error) {
	b, err := p.readInput(name, 1<<20)
	if err != nil {
		return nil, nil, err
	}
	var a surface.Addresses
	if err := json.Unmarshal(b, &a); err != nil {
		return nil, nil, usage("%s: not what a served world wrote: %v", shown(name), err)
	}
	c, err := p.worldClient(worldFlags{a.API, a.Token})
	return &a, c, err
}

func (p *Process) harborCall(a []string) error {
	_, c, err := p.handoff(a[0])
	if err != nil {
		return err
	}
	body := []byte("{}")
	if len(a) == 3 {
		body = []byte(a[2])
	}
	return p.callTool(c, a[1], body)
}

func (p *Process) harborTools(name string) error {
	_, c, err := p.handoff(name)
	if err != nil {
		return err
	}
	var got json.RawMessage
	if err := c.get("/tools", &got); err != nil {
		return err
	}
	return p.writeJSON(got)
}

// harborMCP carries MCP from standard input to the served world with the episode's token, which no declaration can hold.
func (p *Process) harborMCP(name string) error {
	a, _, err := p.handoff(name)
	if err != nil {
		return err
	}
	in := bufio.NewScanner(p.Stdin)
	in.Buffer(nil, 8<<20)
	session, client := "", &http.Client{Timeout: 5 * time.Minute}
	for in.Scan() {
		if len(bytes.TrimSpace(in.Bytes())) == 0 {
			continue
		}
		r, err := http.NewRequestWithContext(p.Context, http.MethodPost, a.MCP, bytes.NewReader(in.Bytes()))
		if err != nil {
			return fault(err)
		}
		r.Header.Set("Authorization", "Bearer "+a.Token)
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "application/json, text/event-stream")
		if session != "" {
			r.Header.Set("Mcp-Session-Id", session)
		}
		resp, err := client.Do(r)
		if err != nil {
			return fault(err)
		}
		if s := resp.Header.Get("Mcp-Session-Id"); s != "" {
			session = s
		}
		b, err := io.ReadAll(io.LimitReader(resp.Body, 64<<20))
		resp.Body.Close()
		if err != nil {
			return fault(err)
		}
		if resp.StatusCode == http.StatusAccepted {
			continue
		}
		if resp.StatusCode != http.StatusOK && !json.Valid(b) {
			return fault(fmt.Errorf("the world answers with status %d", resp.StatusCode))
		}
		if json.Valid(b) {
			p.printf("%s\n", bytes.TrimSpace(b))
			continue
		}
		for line := range bytes.Lines(b) { // an event stream
			if data, ok := bytes.CutPrefix(line, []byte("data:")); ok {
				p.printf("%s\n", bytes.TrimSpace(data))
			}
		}
	}
	if err := in.Err(); err != nil {
		return fault(err)
	}
	return nil
}
