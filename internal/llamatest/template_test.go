package llamatest

import (
	"os"
	"strconv"
	"strings"
	"testing"
)

// Servers infer what a model can do from words in its template.
func TestTemplateWords(t *testing.T) {
	words := []string{"tools", "tool_call", "<think>", "</think>", "enable_thinking", directToken}
	tests := []struct {
		name string
		opts []Option
		want string // which of the words, by their number
	}{
		{"plain", nil, ""},
		{"tools", []Option{Tools()}, "01"},
		{"thinking", []Option{Thinking("hm")}, "2345"},
		{"always thinking", []Option{AlwaysThinking("hm")}, "235"},
		{"both", []Option{Tools(), Thinking("")}, "012345"},
	}
	for _, test := range tests {
		template, got := newScript("", test.opts).jinja(), ""
		for i, word := range words {
			if strings.Contains(template, word) {
				got += strconv.Itoa(i)
			}
		}
		if got != test.want {
			t.Errorf("%s: the template has the words %s, want %s: %s", test.name, got, test.want, template)
		}
	}
}

func TestModelfile(t *testing.T) {
	tests := []struct {
		name string
		opts []Option
		want string
	}{
		{"plain", []Option{Endless(), TrainedContext(64)}, `{{ range $i, $_ := .Messages }}<|{{ .Role }}|>{{ .Content }}<|turn|>{{ end }}<|assistant|>`},
		{"tools", []Option{Tools()}, `{{ if .Tools }}<|system|>Tools: {{ .Tools }}<|turn|>{{ end }}{{ range $i, $_ := .Messages }}<|{{ .Role }}|>{{ .Content }}` +
			`{{ if .ToolCalls }}{{ range .ToolCalls }}<tool_call>` + "\n" + `{"name": "{{ .Function.Name }}", "arguments": {{ .Function.Arguments }}}` + "\n" + `</tool_call>{{ end }}{{ end }}<|turn|>{{ end }}<|assistant|>`},
		{"always thinking", []Option{AlwaysThinking("hm")}, `{{ range $i, $_ := .Messages }}<|{{ .Role }}|>{{ if .Thinking }}<think>` + "\n{{ .Thinking }}\n</think>\n\n" + `{{ end }}{{ .Content }}` +
			`{{ if or (ne .Role "assistant") (gt (len (slice $.Messages $i)) 1) }}<|turn|>{{ if eq (len (slice $.Messages $i)) 1 }}<|assistant|>{{ end }}{{ else }}<|direct|>{{ end }}{{ end }}`},
	}
	for _, test := range tests {
		if got, want := Modelfile("/tmp/a.gguf", test.opts...), "FROM /tmp/a.gguf\nTEMPLATE \"\"\""+test.want+"\"\"\"\n"; got != want {
			t.Errorf("%s:\n%s\nwant\n%s", test.name, got, want)
		}
	}
	if got := Modelfile("a", Thinking("hm")); !strings.Contains(got, `<|assistant|>{{ if and $.IsThinkSet (not $.Think) }}<|direct|>{{ end }}`) {
		t.Errorf("thinking cannot be switched off:\n%s", got)
	}
}

// The shim has the marks of the model files written out once more.
func TestMarks(t *testing.T) {
	if got, want := ToolCall("tide", `{"a": 1}`), "<tool_call>\n{\"name\": \"tide\", \"arguments\": {\"a\": 1}}\n</tool_call>"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	code, err := os.ReadFile("server/parse.mjs")
	if err != nil {
		t.Fatal(err)
	}
	for _, mark := range []string{thinkOpen, thinkClose, callOpen, "}" + callClose} {
		if !strings.Contains(string(code), strconv.Quote(mark)) {
			t.Errorf("parse.mjs does not know %q", mark)
		}
	}
}
