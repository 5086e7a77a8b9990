package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/assaybench/assay/bench"
	"github.com/assaybench/assay/world"
)

type worldFlags struct{ url, token string }

func (f *worldFlags) add(p *Process, c *cobra.Command) {
	c.Flags().StringVar(&f.url, "url", "", "the api address that assay world serve printed (default $ASSAY_URL)")
	c.Flags().StringVar(&f.token, "token", "", "the token that it printed (default $ASSAY_TOKEN)")
}

// worldClient speaks to a served world.
type worldClient struct {
	p           *Process
	base, token string
}

func (p *Process) worldClient(f worldFlags) (*worldClient, error) {
	if f.url == "" {
		f.url = p.Getenv("ASSAY_URL")
	}
	if f.token == "" {
		f.token = p.Getenv("ASSAY_TOKEN")
	}
	if f.url == "" || f.token == "" {
		return nil, usage("--url and --token are wanted, or $ASSAY_URL and $ASSAY_TOKEN: what assay world serve printed as api and token")
	}
	u, err := url.Parse(f.url)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil, usage("--url %q is no address such as http://127.0.0.1:4711/api/v1", f.url)
	}
	base := strings.TrimRight(f.url, "/")
	switch path := strings.TrimRight(u.Path, "/"); {
	case path == "/mcp" || strings.HasPrefix(path, "/mcp/"):
		return nil, usage("--url %q is the address for MCP; this wants what assay world serve printed as api: %s://%s/api/v1", f.url, u.Scheme, u.Host)
	case path != "" && path != "/api/v1":
		return nil, usage("--url %q is not what assay world serve printed as api, which ends in /api/v1", f.url)
	}
	if u.Path == "" || u.Path == "/" {
		base += "/api/v1"
	}
	return &worldClient{p, base, f.token}, nil
}

// ask makes one request. What it gives may be an error of the world: the status tells.
func (c *worldClient) ask(method, path string, body []byte) (status int, answer []byte, err error) {
	r, err := http.NewRequestWithContext(c.p.Context, method, c.base+path, bytes.NewReader(body))
	if err != nil {
		return 0, nil, usage("%v", err)
	}
	r.Header.Set("Authorization", "Bearer "+c.token)
	r.Header.Set("Assay-Surface", "cli")
	if method == http.MethodPost {
		r.Header.Set("Content-Type", "application/json")
	}
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.Proxy = nil // the world is on this machine
	if c.p.Dial != nil {
		t.DialContext = c.p.Dial
	}
	defer t.CloseIdleConnections()
	resp, err := (&http.Client{Transport: t, Timeout: time.Minute}).Do(r)
	if err != nil {
		return 0, nil, fault(fmt.Errorf("the world at %s does not answer: %w", c.base, errors.Unwrap(err)))
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(io.LimitReader(resp.Body, 64<<20))
	if err != nil {
		return 0, nil, fault(err)
	}
	return resp.StatusCode, b, nil
}

// get asks for something that no call of a tool is.
func (c *worldClient) get(path string, to any) error {
	status, b, err := c.ask(http.MethodGet, path, nil)
	if err != nil {
		return err
	}
	if status != http.StatusOK {
		return c.wrong(status, b)
	}
	if err := json.Unmarshal(b, to); err != nil {
		return fault(fmt.Errorf("%s answers with something that is no world's: %w", c.base, err))
	}
	return nil
}

// callTool calls a tool and prints its result as it came.
func (p *Process) callTool(c *worldClient, tool string, args []byte) error {
	status, b, err := c.ask(http.MethodPost, "/tools/"+url.PathEscape(tool), args)
	if err != nil {
		return err
	}
	if status != http.StatusOK {
		return c.wrong(status, b)
	}
	_, err = p.Stdout.Write(b)
	return err
}

// wrong is an answer that says no: 2 for what was asked wrongly, 3 for what failed, 1 for what the world refused.
func (c *worldClient) wrong(status int, b []byte) error {
	var e struct{ Error *world.CallError }
	say := fmt.Sprintf("%s answers with status %d, and is no world", c.base, status)
	if json.Unmarshal(b, &e) == nil && e.Error != nil {
		say = e.Error.Code + ": " + e.Error.Message
		if e.Error.Retryable {
			say += " (the same call may succeed later)"
		}
	}
	if status == http.StatusUnauthorized {
		say = "the world takes no call with this token; --token, or $ASSAY_TOKEN, is what assay world serve printed as token"
	}
	switch {
	case status == http.StatusBadRequest || status == http.StatusUnauthorized || status == http.StatusForbidden || status == http.StatusRequestEntityTooLarge,
		e.Error != nil && (e.Error.Code == world.UnknownTool || e.Error.Code == world.NotMounted):
		return usage("%s", say)
	case e.Error != nil && (status == http.StatusUnprocessableEntity || status == http.StatusNotFound || status == http.StatusServiceUnavailable):
		return failed(errors.New(say))
	}
	return fault(errors.New(say))
}

func newWorldList(p *Process) *cobra.Command {
	var f worldFlags
	c := &cobra.Command{
		Use: "list [BENCH/TASK]", Short: "List a world's tools, one a line: the name, a tab, what it does",
		Long: "Lists the tools of a served world, or those of a task's world straight from its bench." + exitHelp,
		Args: args(0, 1, "at most BENCH/TASK"),
		RunE: func(_ *cobra.Command, a []string) error {
			show := func(name, hint string) { p.printf("%s\t%s\n", plain(name), plain(hint)) }
			if len(a) == 1 {
				return p.localTools(a[0], func(t *world.Tool) { show(t.Name, strings.Join(strings.Fields(t.Description), " ")) })
			}
			c, err := p.worldClient(f)
			if err != nil {
				return err
			}
			var got struct{ Tools []struct{ Name, Hint string } }
			if err := c.get("/tools", &got); err != nil {
				return err
			}
			for _, t := range got.Tools {
				show(t.Name, t.Hint)
			}
			return nil
		},
	}
	f.add(p, c)
	return c
}

// localTools goes through the tools that a task's session would have.
func (p *Process) localTools(ref string, each func(*world.Tool)) error {
	_, t, err := p.taskOf(ref)
	if err != nil {
		return err
	}
	s, err := t.Session(p.Context, "list")
	if err != nil {
		return fault(err)
	}
	defer s.Close()
	for _, x := range s.Tools() {
		each(x)
	}
	return nil
}

func newWorldSchema(p *Process) *cobra.Command {
	var f worldFlags
	c := &cobra.Command{
		Use: "schema [BENCH/TASK] TOOL", Short: "Show what a tool takes and gives",
		Long: "Shows a tool's input and output schema as JSON, of a served world or straight from a bench." + exitHelp,
		Args: args(1, 2, "TOOL, or BENCH/TASK and TOOL"),
		RunE: func(_ *cobra.Command, a []string) error {
			name := a[len(a)-1]
			if len(a) == 2 {
				var found *world.Tool
				var names []string
				if err := p.localTools(a[0], func(t *world.Tool) {
					if names = append(names, t.Name); t.Name == name {
						found = t
					}
				}); err != nil {
					return err
				}
				if found == nil {
					return usage("%s has no tool %q%s; assay world list %s names them", a[0], name, bench.Nearest(name, names), a[0])
				}
				return p.writeJSON(map[string]any{"name": found.Name, "title": found.Title, "access": found.Access, "description": found.Description,
					"server": found.Server, "input": json.RawMessage(found.Input.JSON), "output": json.RawMessage(found.Output.JSON)})
			}
			c, err := p.worldClient(f)
			if err != nil {
				return err
			}
			var got json.RawMessage
			if err := c.get("/tools/"+url.PathEscape(name), &got); err != nil {
				return c.nearest(name, err)
			}
			return p.writeJSON(got)
		},
	}
	f.add(p, c)
	return c
}

// nearest adds to the answer for an unknown tool which known one may be meant.
func (c *worldClient) nearest(name string, err error) error {
	var got struct{ Tools []struct{ Name string } }
	if codeOf(err) != exitUsage || c.get("/tools", &got) != nil {
		return err
	}
	var names []string
	for _, t := range got.Tools {
		names = append(names, t.Name)
	}
	if near := bench.Nearest(name, names); near != "" && !strings.Contains(err.Error(), "did you mean") {
		return usage("%v%s", err, near)
	}
	return err
}

func newWorldCall(p *Process) *cobra.Command {
	var f worldFlags
	c := &cobra.Command{
		Use: "call TOOL [JSON]", Short: "Call a tool of a served world, with its arguments as JSON",
		Long: `Calls a tool as the agent, which is recorded, and prints the result as JSON. Without arguments {} is sent; - reads
them from standard input.

Exit status: 0 the call succeeded, 1 the world refused it, 2 the tool or its arguments are wrong, 3 a fault`,
		Args: args(1, 2, "TOOL and its arguments as JSON"),
		RunE: func(_ *cobra.Command, a []string) error {
			c, err := p.worldClient(f)
			if err != nil {
				return err
			}
			body := []byte("{}")
			if len(a) == 2 && a[1] == "-" {
				if body, err = io.ReadAll(io.LimitReader(p.Stdin, 4<<20)); err != nil {
					return fault(err)
				}
			} else if len(a) == 2 {
				body = []byte(a[1])
			}
			return p.callTool(c, a[0], body)
		},
	}
	f.add(p, c)
	return c
}
