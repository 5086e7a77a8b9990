// Package command runs a program of the user's in place of a model: one process a call, the prompt on its standard
// input, the answer on its standard output, byte for byte. The program learns what is asked from its environment:
// ASSAY_ITEM, ASSAY_REPEAT, ASSAY_POSTURE, and where the protocol sets them ASSAY_MAX_OUTPUT, ASSAY_CONTEXT,
// ASSAY_THINKING, ASSAY_TEMPERATURE, ASSAY_TOP_P and ASSAY_SEED.
// It is the user's own program and runs as the user,
// without a sandbox; it is killed with its whole process group at the protocol's limit.
//
// As an agent (NewAgent) it also learns where its world is, and runs in a sandbox with a network of its own where the machine
// has one.
package command

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/record"
)

const (
	maxOutput = 64 << 20 // bytes of standard output
	maxStderr = 64 << 10 // bytes of standard error that are kept: the last ones
	// lingering is how long after the program's own end its output is still waited for, since a pipeline's last part may
	// be a moment behind. Whatever then still holds the output is killed, and waited for as long once more.
	lingering = time.Second
)

type command struct {
	name, path string
	env        []string
	mask       *strings.Replacer
	agent      *Agent // nil: a program in a model's place
	version    func(context.Context) string
}

var (
	_ model.Model      = (*command)(nil)
	_ model.Identifier = (*command)(nil)
	_ model.Local      = (*command)(nil)
	_ model.Program    = (*command)(nil)
)

// New makes the model command/PATH. PATH is a file, relative to the working folder or absolute, or a name that is looked
// for in the environment's PATH. environ is the environment that the program gets beside the ASSAY_ variables; nil means
// this process's own. A program that is not there or cannot be executed is an error of one line.
func New(path string, environ []string) (model.Model, error) {
	name := "command/" + path
	found, err := exec.LookPath(path)
	if err == nil || errors.Is(err, exec.ErrDot) {
		// A name in the working folder by way of PATH is not what the user wrote: they would write ./name.
		if errors.Is(err, exec.ErrDot) {
			return nil, fmt.Errorf("model %q: found only in the working folder: write command/./%s", name, path)
		}
		if found, err = filepath.Abs(found); err == nil {
			err = executable(found)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("model %q: %s: give an executable file, or a program in PATH", name, reason(err))
	}
	if environ == nil {
		environ = os.Environ()
	}
	return &command{name: name, path: found, env: withoutOurs(environ), mask: masker(environ)}, nil
}

// Name is command/PATH as the user wrote it.
func (c *command) Name() string { return c.name }

// Local reports true: the program shares this machine, where several at once disturb each other.
func (c *command) Local() bool { return true }

// Program reports whether it works by itself, on agent tasks.
func (c *command) Program() bool { return c.agent != nil }

// Identify gives the SHA-256 of the program's file, so that a run is not resumed with another program under the same name.
// What the program reads or calls beside its own file is not known.
func (c *command) Identify(ctx context.Context) (record.Identity, error) {
	f, err := os.Open(c.path)
	if err != nil {
		return record.Identity{}, &model.Fault{Kind: model.FaultOurs, Msg: c.name + ": cannot be read: " + reason(err), Err: err}
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return record.Identity{}, &model.Fault{Kind: model.FaultOurs, Msg: c.name + ": cannot be read: " + reason(err), Err: err}
	}
	id := record.Identity{Model: c.name, Digest: hex.EncodeToString(h.Sum(nil))}
	if c.agent != nil {
		id.Details = c.details(ctx)
	}
	return id, nil
}

// Call runs the program once. Exit 0 is an answer; any other end is a fault with the last line of standard error.
func (c *command) Call(ctx context.Context, req model.Request) (model.Reply, error) {
	vars := variables(req)
	if c.agent != nil {
		vars = append(vars, c.agent.modelVars()...)
	}
	x := record.Exchange{Endpoint: c.name, RequestHeader: header(vars), RequestBody: prompt(req.Messages), Started: time.Now()}
	if ctx.Err() != nil {
		return model.Reply{}, model.Cancelled(ctx, x)
	}
	var res result
	if c.Sealed() {
		res = c.runSealed(ctx, vars, req.World, x.RequestBody)
	} else {
		cmd := exec.Command(c.path)
		cmd.Env = slices.Concat(c.env, vars, worldVars(req.World))
		res = execute(ctx, cmd, x.RequestBody)
	}
	x.Elapsed = time.Since(x.Started).Nanoseconds()
	x.ResponseBody, x.Status = res.stdout, res.exit
	last := c.mask.Replace(lastLine(res.stderr))
	fault := func(kind model.FaultKind, msg string) (model.Reply, error) {
		x.Error = msg
		return model.Reply{}, &model.Fault{Kind: kind, Msg: c.name + ": " + msg, Exchange: x}
	}
	switch {
	case res.start != nil:
		return fault(model.FaultOurs, "cannot be started: "+reason(res.start))
	case res.ended:
		return model.Reply{}, model.Cancelled(ctx, x)
	case res.tooBig:
		return fault(model.FaultBroken, fmt.Sprintf("wrote more than %d MB and was killed", maxOutput>>20))
	case res.how != "" && last != "":
		return fault(model.FaultServer, res.how+": "+last)
	case res.how != "":
		return fault(model.FaultServer, res.how+", and nothing on standard error")
	}
	return model.Reply{Answer: string(res.stdout), Finish: model.FinishStop, FinishRaw: "exit 0", Model: c.name, Exchange: x,
		Timing: record.Timing{Started: x.Started, Total: x.Elapsed}}, nil
}

// prompt is the last user message, with the system text before it, if any, and an empty line between.
func prompt(messages []model.Message) []byte {
	var system, user string
	for _, m := range messages {
		switch m.Role {
		case "system":
			if system != "" {
				system += "\n\n"
			}
			system += m.Text
		case "user":
			user = m.Text
		}
	}
	if system != "" {
		return []byte(system + "\n\n" + user)
	}
	return []byte(user)
}

const prefix = "ASSAY_"

func variables(req model.Request) []string {
	vars := []string{prefix + "ITEM=" + env(req.Key.Item), prefix + "REPEAT=" + strconv.Itoa(req.Key.Repeat), prefix + "POSTURE=" + env(req.Key.Posture)}
	add := func(name, value string) { vars = append(vars, prefix+name+"="+value) }
	if req.MaxOutput > 0 {
		add("MAX_OUTPUT", strconv.Itoa(req.MaxOutput))
	}
	if req.Context > 0 {
		add("CONTEXT", strconv.Itoa(req.Context))
	}
	if req.Thinking != model.ThinkingUnset {
		add("THINKING", env(string(req.Thinking)))
	}
	if req.Temperature != nil {
		add("TEMPERATURE", strconv.FormatFloat(*req.Temperature, 'g', -1, 64))
	}
	if req.TopP != nil {
		add("TOP_P", strconv.FormatFloat(*req.TopP, 'g', -1, 64))
	}
	if req.Seed != nil {
		add("SEED", strconv.FormatInt(*req.Seed, 10))
	}
	return vars
}

// env makes a text fit for an environment, which cannot hold NUL.
func env(s string) string { return strings.ReplaceAll(s, "\x00", "") }

// withoutOurs leaves out what a surrounding run may have set, so that a variable is there only when this call sets it.
func withoutOurs(environ []string) []string {
	out := make([]string, 0, len(environ))
	for _, kv := range environ {
		name, _, _ := strings.Cut(kv, "=")
		switch name {
		case prefix + "ITEM", prefix + "REPEAT", prefix + "POSTURE", prefix + "MAX_OUTPUT", prefix + "CONTEXT", prefix + "THINKING",
			prefix + "TEMPERATURE", prefix + "TOP_P",
			prefix + "SEED", prefix + "MCP_URL", prefix + "API_URL", prefix + "CONSOLE_URL", prefix + "TOKEN", prefix + "REQUEST", prefix + "EVIDENCE",
			prefix + "MODEL", prefix + "MODEL_PROVIDER", prefix + "MODEL_NAME", prefix + "MODEL_URL":
		default:
			out = append(out, kv)
		}
	}
	return out
}

// header records the variables that this call set, and no others: the rest of an environment holds secrets.
func header(vars []string) map[string][]string {
	h := make(map[string][]string, len(vars))
	for _, kv := range vars {
		name, value, _ := strings.Cut(kv, "=")
		h[name] = []string{value}
	}
	return h
}

// masker hides the values of variables that look like credentials, in case the program prints one as it fails.
func masker(environ []string) *strings.Replacer {
	var pairs []string
	for _, kv := range environ {
		name, value, _ := strings.Cut(kv, "=")
		name = strings.ToUpper(name)
		for _, mark := range []string{"KEY", "TOKEN", "SECRET", "PASSWORD", "PASSWD", "CREDENTIAL"} {
			if len(value) >= 8 && strings.Contains(name, mark) {
				pairs = append(pairs, value, "[value of "+name+"]")
				break
			}
		}
	}
	return strings.NewReplacer(pairs...)
}

// lastLine is the last line of standard error that is not empty, fit for a message.
func lastLine(stderr []byte) string {
	lines := strings.Split(strings.ReplaceAll(string(stderr), "\r", "\n"), "\n")
	for i := len(lines) - 1; i >= 0; i-- {
		if s := model.OneLine(lines[i], 0); s != "" {
			return s
		}
	}
	return ""
}

// reason is an error without the path that the message already has.
func reason(err error) string {
	if e, ok := errors.AsType[*exec.Error](err); ok {
		err = e.Err
	}
	if e, ok := errors.AsType[*os.PathError](err); ok {
		err = e.Err
	}
	return model.OneLine(err.Error(), 0)
}
