package llamatest

import (
	"fmt"
	"strings"
)

// The marks that a model writes around its thinking and around a tool call,
// those of a large family of open models. The shim has them too.
const (
	thinkOpen  = "<think>\n"
	thinkClose = "\n</think>\n\n"
	callOpen   = "<tool_call>\n"
	callClose  = "\n</tool_call>"
)

// ToolCall is what a model with [Tools] writes to call a tool: the reply of a
// script, or a part of it. Arguments is a JSON object.
func ToolCall(name, arguments string) string {
	return fmt.Sprintf(`%s{"name": %q, "arguments": %s}%s`, callOpen, name, arguments, callClose)
}

// jinja is the chat template that the model's file carries, for servers that
// take it from there. What a model cannot do is not mentioned in it: servers
// infer abilities from a template's words.
func (s *script) jinja() string {
	var b strings.Builder
	b.WriteString(`{{ bos_token }}`)
	if s.tools {
		b.WriteString(`{% if tools %}<|system|>Tools: {{ tools | tojson }}<|turn|>{% endif %}`)
	}
	b.WriteString(`{% for message in messages %}<|{{ message.role }}|>`)
	if s.thinking != nil {
		b.WriteString(`{% if message.reasoning_content %}{{ '<think>\n' + message.reasoning_content + '\n</think>\n\n' }}{% endif %}`)
	}
	b.WriteString(`{{ message.content }}`)
	if s.tools {
		b.WriteString(`{% if message.tool_calls %}{% for call in message.tool_calls %}` +
			`{{ '<tool_call>\n{"name": ' }}{{ call.function.name | tojson }}, "arguments": {{ call.function.arguments | tojson }}{{ '}\n</tool_call>' }}` +
			`{% endfor %}{% endif %}`)
	}
	if s.thinking == nil {
		b.WriteString(`<|turn|>{% endfor %}{% if add_generation_prompt %}<|assistant|>{% endif %}`)
		return b.String()
	}
	// A turn with nothing but thinking is gone on with: servers that hold an
	// answer to a schema take it up there.
	b.WriteString(`{% if loop.last and message.role == 'assistant' %}` + directToken + `{% else %}<|turn|>{% endif %}{% endfor %}`)
	b.WriteString(`{% if add_generation_prompt and messages[-1].role != 'assistant' %}<|assistant|>`)
	if !s.unswitchable {
		b.WriteString(`{% if enable_thinking is defined and not enable_thinking %}` + directToken + `{% endif %}`)
	}
	b.WriteString(`{% endif %}`)
	return b.String()
}

// Modelfile returns what `ollama create` makes a model of from a file that
// [WriteGGUF] wrote with the same options, for the true Ollama: it renders by
// Go templates, and knows no Jinja template but a few famous ones.
func Modelfile(file string, opts ...Option) string {
	s := newScript("", opts)
	var b strings.Builder
	fmt.Fprintf(&b, "FROM %s\nTEMPLATE \"\"\"", file)
	if s.tools {
		b.WriteString(`{{ if .Tools }}<|system|>Tools: {{ .Tools }}<|turn|>{{ end }}`)
	}
	b.WriteString(`{{ range $i, $_ := .Messages }}<|{{ .Role }}|>`)
	if s.thinking != nil {
		b.WriteString(`{{ if .Thinking }}` + thinkOpen + `{{ .Thinking }}` + thinkClose + `{{ end }}`)
	}
	b.WriteString(`{{ .Content }}`)
	if s.tools {
		b.WriteString(`{{ if .ToolCalls }}{{ range .ToolCalls }}` + callOpen + `{"name": "{{ .Function.Name }}", "arguments": {{ .Function.Arguments }}}` + callClose + `{{ end }}{{ end }}`)
	}
	if s.thinking == nil {
		b.WriteString(`<|turn|>{{ end }}<|assistant|>`)
	} else {
		b.WriteString(`{{ if or (ne .Role "assistant") (gt (len (slice $.Messages $i)) 1) }}<|turn|>`)
		b.WriteString(`{{ if eq (len (slice $.Messages $i)) 1 }}<|assistant|>`)
		if !s.unswitchable {
			b.WriteString(`{{ if and $.IsThinkSet (not $.Think) }}` + directToken + `{{ end }}`)
		}
		b.WriteString(`{{ end }}{{ else }}` + directToken + `{{ end }}{{ end }}`)
	}
	b.WriteString("\"\"\"\n")
	return b.String()
}
