package cli

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/assaybench/assay/bench"
	"github.com/assaybench/assay/contract/harbor"
	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/world"
	"github.com/assaybench/assay/world/surface"
)

// newHarbor holds what an exported package's containers run; people have no use for it.
func newHarbor(p *Process) *cobra.Command {
	c := &cobra.Command{Use: "harbor", Short: "What the containers of an exported Harbor package run", Hidden: true}
	var addr, db, handoff string
	serve := &cobra.Command{Use: "serve DIR TASK", Short: "Serve a task's world from its public files", Args: args(2, 2, "DIR and TASK"),
		RunE: func(_ *cobra.Command, a []string) error { return p.harborServe(a[0], a[1], addr, db, handoff) }}
	serve.Flags().StringVar(&addr, "addr", "127.0.0.1:8765", "the address to listen on, of this machine")
	serve.Flags().StringVar(&db, "db", "", "the folder of episodes")
	serve.Flags().StringVar(&handoff, "handoff", "", "the file for what serve prints, for the agent")
	with := func(use string, least, most int, run func(a []string) error) *cobra.Command {
		return &cobra.Command{Use: use, Short: use, Args: args(least, most, use), RunE: func(_ *cobra.Command, a []string) error { return run(a) }}
	}
	c.AddCommand(serve,
		with("call FILE TOOL [JSON]", 2, 3, func(a []string) error { return p.harborCall(a) }),
		with("tools FILE", 1, 1, func(a []string) error { return p.harborTools(a[0]) }),
		with("mcp FILE", 1, 1, func(a []string) error { return p.harborMCP(a[0]) }),
		with("health URL", 1, 1, func(a []string) error { return p.harborHealth(a[0]) }),
		with("reward VERDICT DIR", 2, 2, func(a []string) error { return p.harborReward(a[0], a[1]) }))
	return c
}

func (p *Process) harborServe(dir, id, addr, db, handoff string) (err error) {
	if err := loopback(addr); err != nil {
		return err
	}
	fsys := openFolder(p.path(dir))
	base := "tasks/" + id
	data, err := os.ReadFile(filepath.Join(p.path(dir), filepath.FromSlash(base+"/public/task.yaml")))
	if err != nil {
		return usage("%s: %v", shown(dir), reasonOf(err))
	}
	n, err := bench.Parse(base+"/public/task.yaml", data)
	if err != nil {
		return usage("%v", err)
	}
	from := "world"
	if v := n.Get("world"); v != nil {
		name, err := v.AsText()
		if err != nil {
			return usage("%v", err)
		}
		from = "worlds/" + name
	}
	w, err := world.Load(fsys, from, dir)
	if err != nil {
		return usage("%v", err)
	}
	task, err := w.ReadTask(n, fsys, base+"/public")
	if err != nil {
		return usage("%v", err)
	}
	staged, err := w.ReadStaged(fsys, base+"/sealed")
	if err != nil {
		return usage("%v", err)
	}
	root, spec := p.episodes(db), world.Spec{ID: "episode", Task: task, Staged: staged}
	if err := os.MkdirAll(root, 0o700); err != nil {
		return fault(err)
	}
	if err := os.Chmod(root, 0o700); err != nil { // the agent is another user, who must not read the episode
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
	if err == nil && handoff != "" {
		err = os.WriteFile(p.path(handoff), append(line, '\n'), 0o644)
	}
	if err != nil {
		return fault(errors.Join(err, ln.Close()))
	}
	if handoff == "" {
		p.printf("%s\n", line)
	}
	return v.Serve(p.Context, ln)
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

func (p *Process) harborHealth(at string) error {
	r, err := http.NewRequestWithContext(p.Context, http.MethodGet, at, nil)
	if err != nil {
		return usage("%v", err)
	}
	resp, err := (&http.Client{Timeout: 5 * time.Second}).Do(r)
	if err != nil {
		return failed(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return failed(fmt.Errorf("the world's health is %d", resp.StatusCode))
	}
	return nil
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

// harborReward writes the reward of a verdict that is complete; of any other it fails, and writes none.
func (p *Process) harborReward(file, dir string) error {
	b, err := p.readInput(file, importMost)
	if err != nil {
		return err
	}
	var v record.Verdict
	if err := json.Unmarshal(b, &v); err != nil {
		return fault(fmt.Errorf("%s: no verdict: %w", file, err))
	}
	if v.State != record.Graded || v.Agent == nil || v.GatedScore == nil {
		return fault(fmt.Errorf("%s: the episode was not graded, so there is no reward", file))
	}
	score, err := strconv.ParseFloat(*v.GatedScore, 64)
	if err != nil {
		return fault(err)
	}
	score /= 100 // scores are percentages, rewards go to 1
	r := harbor.Reward{Reward: score, Gated: score}
	if v.Strict {
		r.Strict = 1
	}
	out, err := json.Marshal(r)
	if err == nil {
		err = writeFile(filepath.Join(p.path(dir), "verdict.json"), b)
	}
	if err == nil {
		err = writeFile(filepath.Join(p.path(dir), "reward.json"), append(out, '\n'))
	}
	if err != nil {
		return fault(err)
	}
	return nil
}
