package modeltest

import (
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/assaybench/assay/model"
)

const (
	geminiUsage = `"usageMetadata":{"promptTokenCount":9,"candidatesTokenCount":1,"totalTokenCount":10},"modelVersion":"mock-1","responseId":"mock"}`
	geminiGood  = `{"candidates":[{"content":{"parts":[{"text":"ok"}],"role":"model"},"finishReason":"STOP","index":0}],` + geminiUsage
)

func geminiForm() *form {
	return &form{
		base: "/v1beta", path: "/v1beta/models/mock-1:generateContent", good: geminiGood, count: `"promptTokenCount":`, streams: "text/event-stream",
		isCall: func(r *http.Request) bool {
			return r.Method == http.MethodPost && strings.HasPrefix(r.URL.Path, "/v1beta/") && strings.HasSuffix(r.URL.Path, ":generateContent")
		},
		read: readGemini, encode: encodeGemini, side: sideGemini, refuse: refuseGemini, faults: geminiFaults,
		key: func(h http.Header) string { return h.Get("X-Goog-Api-Key") },
		words: words{
			rejected:  geminiError(400, "INVALID_ARGUMENT", "Request contains an invalid argument."),
			denied:    geminiError(401, "UNAUTHENTICATED", "Request had invalid authentication credentials."),
			key:       "invalid authentication credentials",
			forbidden: geminiError(403, "PERMISSION_DENIED", "Your project has been denied access. Please contact support."),
			absent:    geminiError(404, "NOT_FOUND", "models/x is not found for API version v1beta, or is not supported for generateContent. Call ListModels to see the list of available models and their supported methods."),
			path:      htmlPage,
			busy:      geminiError(429, "RESOURCE_EXHAUSTED", "Resource has been exhausted (e.g. check quota)."),
			broken:    geminiError(500, "INTERNAL", "An internal error has occurred. Please retry or report in https://developers.generativeai.google/guide/troubleshooting"),
			loading:   geminiError(503, "UNAVAILABLE", "The model is overloaded. Please try again later."),
			inside:    geminiError(500, "INTERNAL", "An internal error has occurred."),
		},
	}
}

// geminiError is an error in Google's form; details are whole JSON objects.
func geminiError(code int, status, message string, details ...string) string {
	s := fmt.Sprintf(`{"error":{"code":%d,"message":%q,"status":%q`, code, message, status)
	if len(details) > 0 {
		s += `,"details":[` + strings.Join(details, ",") + `]`
	}
	return s + "}}"
}

func readGemini(r *http.Request, body []byte) (a asked) {
	var req struct {
		Contents []struct {
			Role  string `json:"role"`
			Parts []struct {
				Text     string                         `json:"text"`
				Call     *struct{ Args jsontext.Value } `json:"functionCall"`
				Response *struct {
					Response map[string]jsontext.Value `json:"response"`
				} `json:"functionResponse"`
			} `json:"parts"`
		} `json:"contents"`
		Tools []struct {
			Functions []struct {
				Name string `json:"name"`
			} `json:"functionDeclarations"`
		} `json:"tools"`
		Config struct {
			Temperature jsontext.Value `json:"temperature"`
			TopP        jsontext.Value `json:"topP"`
			Seed        jsontext.Value `json:"seed"`
			Max         int64          `json:"maxOutputTokens"`
			Schema      jsontext.Value `json:"responseJsonSchema"`
			OldSchema   jsontext.Value `json:"responseSchema"`
			Format      jsontext.Value `json:"responseFormat"`
			Thinking    *struct {
				Budget *int64 `json:"thinkingBudget"`
			} `json:"thinkingConfig"`
		} `json:"generationConfig"`
	}
	name := strings.TrimSuffix(strings.TrimPrefix(r.URL.Path, "/v1beta/"), ":generateContent")
	if err := json.Unmarshal(body, &req, jsontext.AllowDuplicateNames(true)); err != nil {
		return asked{wrong: "Invalid JSON payload received. " + strings.TrimPrefix(err.Error(), "json: ")}
	}
	a = asked{model: strings.TrimPrefix(name, "models/"), output: req.Config.Max, empty: len(req.Contents) == 0}
	open := 0 // calls that the next turn must answer
	for _, c := range req.Contents {
		calls, responses := 0, 0
		var text string
		for _, p := range c.Parts {
			text += p.Text
			if p.Call != nil {
				calls++
			}
			if p.Response != nil {
				responses++
				for _, v := range p.Response.Response {
					a.results = append(a.results, textOf(v))
				}
			}
		}
		if responses != open {
			a.wrong = "Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn."
		}
		open = calls
		if c.Role != "model" && text != "" {
			a.user = text
		}
	}
	for _, t := range req.Tools {
		for _, f := range t.Functions {
			a.tools = append(a.tools, f.Name)
		}
	}
	cfg := req.Config
	a.note(isThere(cfg.Temperature), "temperature")
	a.note(isThere(cfg.TopP), "top_p")
	a.note(isThere(cfg.Seed), "seed")
	a.note(cfg.Max > 0, "max_output")
	a.note(cfg.Thinking != nil && (cfg.Thinking.Budget == nil || *cfg.Thinking.Budget != 0), "thinking")
	a.note(isThere(cfg.Schema) || isThere(cfg.OldSchema) || isThere(cfg.Format), "schema")
	a.note(len(a.tools) > 0, "tools")
	return a
}

func refuseGemini(c *call) (int, string) {
	switch a := c.asked; {
	case a.wrong != "":
		return 400, geminiError(400, "INVALID_ARGUMENT", a.wrong)
	case a.empty:
		return 400, geminiError(400, "INVALID_ARGUMENT", "* GenerateContentRequest.contents: contents is not specified")
	case !c.m.knows(a.model):
		return 404, geminiAbsent(a.model)
	}
	return 0, ""
}

func geminiAbsent(name string) string {
	return geminiError(404, "NOT_FOUND", "models/"+name+" is not found for API version v1beta, or is not supported for generateContent. Call ListModels to see the list of available models and their supported methods.")
}

var geminiFinish = map[model.Finish]string{model.FinishStop: "STOP", model.FinishLength: "MAX_TOKENS", model.FinishTool: "STOP",
	model.FinishFilter: "SAFETY", model.FinishRefusal: "PROHIBITED_CONTENT"}

func encodeGemini(r MockReply, a asked) []byte {
	if r.Refusal != "" && r.Finish == "" {
		r.Finish = string(model.FinishRefusal) // the text itself is not given out
	}
	b := []byte(`{"candidates":[{"content":{`)
	start := len(b)
	part := func() {
		if len(b) > start {
			b = append(b, ',')
		} else {
			b = append(b, `"parts":[`...)
		}
	}
	if r.Thinking != "" {
		part()
		b = append(quote(append(b, `{"text":`...), r.Thinking), `,"thought":true}`...)
	}
	signed := r.Thinking == ""
	sign := func() {
		if !signed { // the first part after the thinking bears the signature
			b = append(b, `,"thoughtSignature":"`+Signature+`"`...)
		}
		signed = true
	}
	if r.Content != "" {
		part()
		b = quote(append(b, `{"text":`...), r.Content)
		sign()
		b = append(b, '}')
	}
	for _, c := range r.Calls {
		part()
		b = quote(append(b, `{"functionCall":{"name":`...), c.Name)
		b = append(append(b, `,"args":`...), argumentsOf(c)...)
		if c.ID != "" {
			b = quote(append(b, `,"id":`...), c.ID)
		}
		b = append(b, '}')
		sign()
		b = append(b, '}')
	}
	if len(b) > start {
		b = append(b, `],`...)
	}
	b = quote(append(b, `"role":"model"},"finishReason":`...), r.word(geminiFinish))
	b = fmt.Appendf(b, `,"index":0}],"usageMetadata":{"promptTokenCount":%d`, r.PromptTokens)
	for _, n := range []struct {
		name  string
		count int
	}{{"candidatesTokenCount", r.OutputTokens}, {"thoughtsTokenCount", r.ThinkingTokens}, {"cachedContentTokenCount", r.CachedTokens}} {
		if n.count > 0 {
			b = fmt.Appendf(b, `,"%s":%d`, n.name, n.count)
		}
	}
	b = fmt.Appendf(b, `,"totalTokenCount":%d},"modelVersion":`, r.PromptTokens+r.OutputTokens+r.ThinkingTokens)
	return append(quote(b, or(a.model, "mock-1")), `,"responseId":"mock"}`...)
}

// sideGemini answers the list of models, one of them, and the count of a prompt's tokens.
func sideGemini(m *Mock, w http.ResponseWriter, r *http.Request) bool {
	name, one := strings.CutPrefix(r.URL.Path, "/v1beta/models/")
	switch {
	case r.URL.Path == "/v1beta/models" && r.Method == http.MethodGet:
		b := []byte(`{"models":[`)
		for i, n := range m.plainNames() {
			if i > 0 {
				b = append(b, ',')
			}
			b = m.gemini(b, n)
		}
		write(w, 200, append(b, "]}"...))
	case one && r.Method == http.MethodGet:
		if !m.knows(name) {
			write(w, 404, []byte(geminiAbsent(name)))
			return true
		}
		write(w, 200, m.gemini(nil, name))
	case one && r.Method == http.MethodPost && strings.HasSuffix(name, ":countTokens"):
		n, err := io.Copy(io.Discard, r.Body)
		if err != nil {
			return true
		}
		write(w, 200, fmt.Appendf(nil, `{"totalTokens":%d,"promptTokensDetails":[{"modality":"TEXT","tokenCount":%d}]}`, 1+n/4, 1+n/4))
	default:
		return false
	}
	return true
}

func (m *Mock) gemini(b []byte, name string) []byte {
	b = quote(append(b, `{"name":`...), "models/"+name)
	return fmt.Appendf(b, `,"version":"001","displayName":"Mock","inputTokenLimit":%d,"outputTokenLimit":65536,"supportedGenerationMethods":["generateContent","countTokens"],"temperature":1,"topP":0.95,"topK":64,"maxTemperature":2,"thinking":true}`,
		or(m.opts.Server.Trained, defaultTrained))
}
