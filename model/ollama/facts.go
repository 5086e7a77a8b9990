package ollama

import (
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/model/wire"
)

// facts is what a server says of itself and of the model. Nothing in it changes between two looks unless the server or
// the model did.
type facts struct {
	said    string // the server's version as it says it, "" where it says none
	version version
	remote  string // not "": another machine answers behind the model's name
	listed  bool
	digest  string
	show    show
	running *running // nil where the model is not loaded, or the server does not tell
}

// held is a model in the answer of /api/tags.
type held struct {
	Name        wire.Word  `json:"name"`
	Model       wire.Word  `json:"model"`
	Digest      wire.Word  `json:"digest"`
	Size        wire.Count `json:"size"`
	RemoteHost  wire.Word  `json:"remote_host"`
	RemoteModel wire.Word  `json:"remote_model"`
	Details     wire.Loose[struct {
		Context wire.Count `json:"context_length"`
	}] `json:"details"`
}

// name is the one that the server shows; old servers have no other.
func (h held) name() string {
	if h.Name != "" {
		return string(h.Name)
	}
	return string(h.Model)
}

// show is what is read of the answer of /api/show.
type show struct {
	Template   wire.Word      `json:"template"`
	Parameters wire.Word      `json:"parameters"`
	System     wire.Word      `json:"system"`
	Messages   jsontext.Value `json:"messages"`
	Renderer   wire.Word      `json:"renderer"`
	Parser     wire.Word      `json:"parser"`
	Modelfile  wire.Word      `json:"modelfile"`
	Details    wire.Loose[struct {
		Parent       wire.Word `json:"parent_model"`
		Format       wire.Word `json:"format"`
		Family       wire.Word `json:"family"`
		Parameters   wire.Word `json:"parameter_size"`
		Quantization wire.Word `json:"quantization_level"`
	}] `json:"details"`
	RemoteHost   wire.Word                             `json:"remote_host"`
	RemoteModel  wire.Word                             `json:"remote_model"`
	Capabilities words                                 `json:"capabilities"`
	Info         wire.Loose[map[string]jsontext.Value] `json:"model_info"`
	Projector    wire.Loose[map[string]jsontext.Value] `json:"projector_info"`
}

// words is a list of texts; anything else is none.
type words []string

// UnmarshalJSONFrom implements json.UnmarshalerFrom.
func (w *words) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	v, err := d.ReadValue()
	if err != nil {
		return err
	}
	var got []string
	if json.Unmarshal(v, &got, jsontext.AllowInvalidUTF8(true)) != nil {
		got = nil
	}
	slices.Sort(got)
	*w = got
	return nil
}

// running is a loaded model in the answer of /api/ps.
type running struct {
	Name    wire.Word  `json:"name"`
	Model   wire.Word  `json:"model"`
	Digest  wire.Word  `json:"digest"`
	Context wire.Count `json:"context_length"` // of one request; servers before 0.10 do not say it
	Size    wire.Count `json:"size"`
	VRAM    wire.Count `json:"size_vram"`
	Details wire.Loose[struct {
		Format       wire.Word `json:"format"`
		Family       wire.Word `json:"family"`
		Parameters   wire.Word `json:"parameter_size"`
		Quantization wire.Word `json:"quantization_level"`
	}] `json:"details"`
}

// find picks the model out of those that are loaded. Models of the same weights share one runner, which is listed under
// the name that came first: so by name, then by digest, and where the model is surely among them (surely), the only one
// that is alike in kind. nil where that leaves doubt.
func (f *facts) find(name string, loaded []running, surely bool) *running {
	for i, r := range loaded {
		if sameModel(name, string(r.Name)) || sameModel(name, string(r.Model)) {
			return &loaded[i]
		}
	}
	var alike []int
	for i, r := range loaded {
		if f.digest != "" && model.OneLine(string(r.Digest), 120) == f.digest {
			return &loaded[i]
		}
		d, own := r.Details.V, f.show.Details.V
		if surely && own.Family != "" && d.Format == own.Format && d.Family == own.Family && d.Parameters == own.Parameters && d.Quantization == own.Quantization {
			alike = append(alike, i)
		}
	}
	if len(alike) == 1 {
		return &loaded[alike[0]]
	}
	return nil
}

// can reports whether the server says that the model has a capability ("thinking", "tools").
func (s *show) can(capability string) bool { return slices.Contains(s.Capabilities, capability) }

// info is one of the model file's own values, as text; "" where it has none.
func (s *show) info(key string) string {
	v := s.Info.V[key]
	var text string
	switch v.Kind() {
	case '"':
		if json.Unmarshal(v, &text, jsontext.AllowInvalidUTF8(true)) == nil {
			return text
		}
	case '0', 't', 'f':
		return string(v)
	}
	return ""
}

func (s *show) architecture() string { return s.info("general.architecture") }

// trained is the context that the model was trained for, in tokens; the server gives no more, whatever is asked, and does
// not say so. 0: unknown.
func (s *show) trained() int64 {
	var n wire.Count
	v := s.Info.V[s.architecture()+".context_length"]
	if !wire.IsSet(v) || json.Unmarshal(v, &n) != nil {
		return 0
	}
	return int64(n)
}

var (
	rendererLine = model.NewPattern(`(?m)^RENDERER (\S+)\r?$`)
	parserLine   = model.NewPattern(`(?m)^PARSER (\S+)\r?$`)
)

// builtin names the code of the server's own that renders or reads for the model: by its field, which no version fills yet,
// or by the line of the Modelfile.
func (s *show) builtin(field wire.Word, line *model.Pattern) string {
	if field != "" {
		return string(field)
	}
	if found := line.FindStringSubmatch(string(s.Modelfile)); found != nil {
		return found[1]
	}
	return ""
}

func (s *show) parser() string {
	if p := s.builtin(s.Parser, parserLine); p != "" {
		return p
	}
	if f := s.Details.V.Family; f == "gptoss" || f == "gpt-oss" {
		return "harmony" // which the server takes for this family without being told
	}
	return ""
}
