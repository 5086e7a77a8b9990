package openai

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/model/wire"
	"github.com/assaybench/assay/record"
)

// The software that is told apart.
const (
	LlamaCPP = "llama.cpp"
	VLLM     = "vLLM"
	LMStudio = "LM Studio"
	Ollama   = "Ollama"
	Official = "OpenAI"
)

// Server is what is known of the software that answers, and with it of what a reply can prove. The zero value is a
// server of which nothing is known, and for which nothing is claimed.
type Server struct {
	Software string // one of the constants, "" where it did not say
	Version  string // "" where it did not say
	Loaded   int64  // tokens that one request can hold, prompt and output together; 0 where unknown
	Refuses  bool   // it refuses a prompt that does not fit, and never cuts it
	Partial  bool   // its count of prompt tokens may leave out what came from a cache
	Enforces bool   // it constrains the output to a schema
	slots    int    // calls that it works on at once; 0: not known
	counts   bool   // it can count a prompt before the call
	thoughts string // the field in which it takes an earlier turn's thinking back, "" for none
}

// Server is what is known by now: of the official server always, of others after Identify or Prepare.
func (m *Model) Server() Server {
	if m.Official {
		// Chat completions have no way to cut a prompt: what does not fit is a 400. A strict schema is enforced.
		return Server{Software: Official, Refuses: true, Enforces: true}
	}
	if s := m.server.Load(); s != nil {
		return *s
	}
	return Server{}
}

// Slots is how many calls llama.cpp's server works on at once, once it was looked at; 0 for others.
func (m *Model) Slots() int { return m.Server().slots }

// probePatience bounds the requests that only one kind of server answers, all together: a server that does not know
// their paths must not hold up a run.
const probePatience = 5 * time.Second

// probe finds out which software answers, and adds what it says of itself to an identity. owners are the words by which
// the list of models names its software. Every exchange is given to seen.
func (m *Model) probe(ctx context.Context, id *record.Identity, owners map[string]bool, seen func(*wire.Response)) Server {
	ctx, cancel := context.WithTimeout(ctx, probePatience)
	defer cancel()
	// Such paths stand beside /v1, not below it.
	root := strings.TrimSuffix(m.Base, "/v1")
	get := func(path string, v any) bool {
		got := m.SendTo(ctx, http.MethodGet, root+path, nil)
		seen(got)
		return got.Err == nil && !got.TooBig && got.Status == http.StatusOK && wire.IsJSON(got.Header("Content-Type")) &&
			json.Unmarshal(got.ResponseBody, v, jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true)) == nil
	}
	vllm := func() (Server, bool) { return probeVLLM(get, id, owners["vllm"]) }
	order := []func() (Server, bool){
		func() (Server, bool) { return probeLlamaCPP(get, id, m.Spec.Name) },
		func() (Server, bool) { return probeOllama(get, id) },
		func() (Server, bool) { return probeLMStudio(get, id, m.Spec.Name) },
	}
	if owners["vllm"] { // vLLM says so, and its /version is no more than that
		order = []func() (Server, bool){vllm}
	}
	for _, look := range order {
		if s, ok := look(); ok || ctx.Err() != nil {
			return s
		}
	}
	return Server{}
}

// refusingBuild is the llama.cpp build from which on a prompt over the context is an error whatever the server was
// started with. Earlier ones cut it silently under --context-shift, which was the default for long and which /props does
// not tell. Builds were numbered long before there were versions, so that every version is a later one.
const refusingBuild = 6940

var semantic = model.NewPattern(`^v?[0-9]+\.[0-9]+\.[0-9]+`)

func probeLlamaCPP(get func(string, any) bool, id *record.Identity, name string) (Server, bool) {
	var props struct {
		Build    wire.Word  `json:"build_info"`
		Slots    wire.Count `json:"total_slots"`
		Path     wire.Word  `json:"model_path"`
		Template wire.Word  `json:"chat_template"`
		Settings wire.Loose[struct {
			Context wire.Count `json:"n_ctx"`
		}] `json:"default_generation_settings"`
		Shift jsontext.Value `json:"context_shift"` // of forks; the original does not tell
	}
	// The name is for a server of several models; one of a single model does not look at it.
	if !get("/props?model="+url.QueryEscape(name), &props) || props.Build == "" {
		return Server{}, false
	}
	s := Server{Software: LlamaCPP, Version: model.OneLine(string(props.Build), 80), Loaded: int64(props.Settings.V.Context), Enforces: true, counts: true, thoughts: "reasoning_content"}
	s.Refuses = string(props.Shift) != "true" && (buildOf(s.Version) >= refusingBuild || semantic.MatchString(s.Version))
	id.Server = s.Software + " " + s.Version
	wire.Note(id, "model_path", string(props.Path))
	if s.Loaded > 0 {
		wire.Note(id, "n_ctx", fmt.Sprint(s.Loaded))
		id.Context = s.Loaded
	}
	if props.Slots > 0 {
		s.slots = int(min(int64(props.Slots), 1<<16))
		wire.Note(id, "total_slots", fmt.Sprint(int64(props.Slots)))
	}
	if props.Template != "" {
		sum := sha256.Sum256([]byte(props.Template))
		wire.Note(id, "chat_template_sha256", hex.EncodeToString(sum[:]))
	}
	return s, true
}

// buildOf reads the number of a build, as in b7120-4fd1242b; 0 where there is none.
func buildOf(version string) int {
	digits, _, _ := strings.Cut(strings.TrimPrefix(version, "b"), "-")
	n, err := strconv.Atoi(digits)
	if err != nil || n < 0 {
		return 0
	}
	return n
}

func probeVLLM(get func(string, any) bool, id *record.Identity, known bool) (Server, bool) {
	if !known {
		return Server{}, false
	}
	s := Server{Software: VLLM, Loaded: id.Context, Refuses: true, Enforces: true, thoughts: "reasoning"}
	var v struct {
		Version wire.Word `json:"version"`
	}
	if get("/version", &v) && v.Version != "" {
		s.Version = model.OneLine(string(v.Version), 80)
		id.Server = s.Software + " " + s.Version
	}
	return s, true
}

// wholeCounts is the Ollama version from which on a prompt's count includes what came from the cache.
var wholeCounts = [3]int{0, 30, 1}

func probeOllama(get func(string, any) bool, id *record.Identity) (Server, bool) {
	var v struct {
		Version wire.Word `json:"version"`
	}
	if !get("/api/version", &v) || v.Version == "" {
		return Server{}, false
	}
	s := ollama(model.OneLine(string(v.Version), 80))
	id.Server = s.Software + " " + s.Version
	wire.Note(id, "context", "the server's default, which this endpoint cannot set")
	return s, true
}

// ollama is what is known of Ollama behind its OpenAI endpoint: it cuts what does not fit, and says nothing.
func ollama(version string) Server {
	return Server{Software: Ollama, Version: version, Partial: before(version, wholeCounts), thoughts: "reasoning"}
}

// before reports whether a version is an earlier one, or cannot be read.
func before(version string, least [3]int) bool {
	version, _, _ = strings.Cut(strings.TrimPrefix(version, "v"), "-")
	parts := strings.Split(version, ".")
	for i, want := range least {
		if i >= len(parts) {
			return true
		}
		n, err := strconv.Atoi(parts[i])
		if err != nil || n < want {
			return true
		}
		if n > want {
			return false
		}
	}
	return false
}

// probeLMStudio knows LM Studio by the form of its own lists, since it answers paths that it does not know with a 200.
// Neither list tells a version, and nothing tells whether its context overflow cuts.
func probeLMStudio(get func(string, any) bool, id *record.Identity, name string) (Server, bool) {
	s := Server{Software: LMStudio, Enforces: true}
	var v0 struct {
		Data []struct {
			ID     wire.Word  `json:"id"`
			Arch   wire.Word  `json:"arch"`
			Form   wire.Word  `json:"compatibility_type"`
			Quant  wire.Word  `json:"quantization"`
			State  wire.Word  `json:"state"`
			Most   wire.Count `json:"max_context_length"`
			Loaded wire.Count `json:"loaded_context_length"`
		} `json:"data"`
	}
	if get("/api/v0/models", &v0) && len(v0.Data) > 0 && v0.Data[0].State != "" && v0.Data[0].Most > 0 {
		id.Server = s.Software
		for _, l := range v0.Data {
			if string(l.ID) != name {
				continue
			}
			if l.State == "loaded" {
				s.Loaded = int64(l.Loaded)
			}
			note(id, s.Loaded, int64(l.Most), string(l.Arch), string(l.Form), string(l.Quant))
			break
		}
		return s, true
	}
	var v1 struct {
		Models []struct {
			Key       wire.Word  `json:"key"`
			Arch      wire.Word  `json:"architecture"`
			Form      wire.Word  `json:"format"`
			Most      wire.Count `json:"max_context_length"`
			Instances *[]struct {
				ID     wire.Word `json:"id"`
				Config wire.Loose[struct {
					Context wire.Count `json:"context_length"`
				}] `json:"config"`
			} `json:"loaded_instances"`
			Quant wire.Loose[struct {
				Name wire.Word `json:"name"`
			}] `json:"quantization"`
		} `json:"models"`
	}
	if !get("/api/v1/models", &v1) || len(v1.Models) == 0 || v1.Models[0].Key == "" || v1.Models[0].Instances == nil {
		return Server{}, false
	}
	id.Server = s.Software
	for _, l := range v1.Models {
		mine := string(l.Key) == name
		if l.Instances == nil {
			continue
		}
		for _, i := range *l.Instances {
			// A key stands for its one instance; a further instance has a name of its own.
			if string(i.ID) == name || mine && len(*l.Instances) == 1 {
				mine, s.Loaded = true, int64(i.Config.V.Context)
			}
		}
		if mine {
			note(id, s.Loaded, int64(l.Most), string(l.Arch), string(l.Form), string(l.Quant.V.Name))
			break
		}
	}
	return s, true
}

// note adds what LM Studio says of a model. Whether it is loaded by now is no part of an identity but for its context.
func note(id *record.Identity, loaded, most int64, arch, form, quant string) {
	id.Context = loaded
	if most > 0 {
		wire.Note(id, "max_context_length", fmt.Sprint(most))
	}
	wire.Note(id, "arch", arch)
	wire.Note(id, "format", form)
	wire.Note(id, "quantization", quant)
}
