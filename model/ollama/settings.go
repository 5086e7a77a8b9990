package ollama

import (
	"fmt"
	"strconv"

	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/record"
)

// local reports whether the model is one that a llama.cpp runner of this server runs, whose ways are known; remote is
// what the reply itself says.
func (k *knowledge) local(remote string) bool {
	return k.isKnown && !k.official && remote == "" && k.remote == "" && k.show.Details.V.Format == "gguf"
}

// refuses reports whether the server is known to refuse a prompt that does not fit, sent as it is here. Servers that do not
// know truncate and shift cut it; what remote models and other runners do is not known.
func (k *knowledge) refuses(remote string) bool { return k.local(remote) && k.version.has(sinceNoCut) }

// countsWhole reports whether the server is known to count the cached part of a prompt.
func (k *knowledge) countsWhole(remote string) bool {
	return k.local(remote) && k.version.has(sinceWholeCount)
}

// settings says what became of what was asked, for all that was not plainly sent. two is whether the server made two
// requests of this one.
func settings(req model.Request, rep *model.Reply, k knowledge, two bool) []record.Setting {
	var out []record.Setting
	add := func(name, asked, state, format string, args ...any) {
		out = append(out, record.Setting{Name: name, Asked: asked, State: state, Why: fmt.Sprintf(format, args...)})
	}
	if req.Context > 0 {
		asked := strconv.Itoa(req.Context)
		trained := k.show.trained()
		switch {
		case rep.Remote != "" || k.official:
			add("context", asked, record.SettingAsked, "another machine answers, whose context is its own")
		case k.loaded > 0 && k.loaded < int64(req.Context):
			add("context", asked, record.SettingNotHonoured, "the server loaded the model with %d tokens%s", k.loaded, trainedFor(trained, k.loaded))
		case k.loaded > int64(req.Context):
			add("context", asked, record.SettingAsked, "the server loaded the model with %d tokens, more than was asked for", k.loaded)
		case trained > 0 && trained < int64(req.Context):
			add("context", asked, record.SettingNotHonoured, "the model was trained for %d tokens, and the server silently gives no more", trained)
		}
	}
	if req.MaxOutput > 0 {
		asked := strconv.Itoa(req.MaxOutput)
		switch full := contextFull(req, rep, k); {
		case two:
			add("max_output", asked, record.SettingAsked, "the server made two requests of this one, for the thinking and for the answer, and bounded each by it")
		case full > 0:
			add("max_output", asked, record.SettingNotHonoured, "the context of %d tokens was full after %d tokens of output", full, *rep.Usage.Output)
		case req.Context > 0 && req.MaxOutput >= req.Context:
			add("max_output", asked, record.SettingAsked, "a context of %d tokens ends the reply before, since it holds the prompt too", req.Context)
		}
	}
	out = append(out, thinkingSetting(req, k)...)
	if req.Schema != nil {
		state, why := schemaState(req, rep, k, two)
		add("schema", req.Schema.Name, state, "%s", why)
	}
	if len(req.Tools) > 0 {
		add("tools", strconv.Itoa(len(req.Tools)), record.SettingAsked,
			"the model is told of each tool's arguments their names, types, descriptions and enums, and nothing else of their schema; nothing binds its calls to it")
	}
	return out
}

func trainedFor(trained, loaded int64) string {
	if trained == loaded {
		return ", for which it was trained"
	}
	return ""
}

// contextFull gives the context, in tokens, that ended a reply before the output limit did; 0 where it was not so. The
// server has one word for both ends, so the counts decide; where the prompt's may be short, nothing is claimed.
func contextFull(req model.Request, rep *model.Reply, k knowledge) int64 {
	held := k.loaded
	if held == 0 {
		held = int64(req.Context)
	}
	u := rep.Usage
	if rep.Finish != model.FinishLength || held == 0 || u.Prompt == nil || u.Output == nil || *u.Output >= int64(req.MaxOutput) {
		return 0
	}
	const near = 8 // runners stop a few tokens before the very end
	if *u.Prompt+*u.Output+near < held {
		return 0
	}
	return held
}

// thinkingSetting says what became of the wish about thinking. That a reply shows thinking although it was off is seen for
// all providers alike, where outcomes are decided.
func thinkingSetting(req model.Request, k knowledge) []record.Setting {
	one := func(asked, state, why string) []record.Setting {
		return []record.Setting{{Name: "thinking", Asked: asked, State: state, Why: why}}
	}
	incapable := k.isKnown && len(k.show.Capabilities) > 0 && !k.show.can("thinking")
	switch t := req.Thinking; {
	case t == model.ThinkingUnset && incapable:
		return nil
	case t == model.ThinkingUnset:
		return one("unset", record.SettingAsked, "nothing was sent of it, which the server takes as on for a model that can think")
	case k.left != "" && t == model.ThinkingOff:
		return one("off", record.SettingEnforced, "the model has no thinking to switch off, and the server refuses to be told ("+k.left+")")
	case k.left != "":
		return one(string(t), record.SettingNotAccepted, k.left)
	case t != model.ThinkingOff && t != model.ThinkingOn:
		return one(string(t), record.SettingAsked, "a model that knows no levels takes it as on, and the server does not tell")
	}
	return nil
}

// schemaState says whether the server bound the answer to the schema. Its grammar binds only what grammars can say; the
// answer is checked by whoever grades it.
func schemaState(req model.Request, rep *model.Reply, k knowledge, two bool) (state, why string) {
	capable := k.show.can("thinking")
	switch {
	case !k.isKnown:
		return record.SettingAsked, "nothing is known of the server yet"
	case rep.Remote != "" || k.official:
		return record.SettingAsked, "another machine answers, and such models are not bound by it"
	case k.show.Details.V.Format != "gguf":
		return record.SettingAsked, "only the runner of GGUF models is known to bind the answer"
	case len(k.show.Capabilities) == 0:
		return record.SettingAsked, "the server does not say whether the model can think, on which it hangs"
	case len(req.Tools) > 0:
		return record.SettingAsked, "there are tools beside it, and a call of one does not follow it"
	case !capable:
		return record.SettingEnforced, "sampling follows a grammar made of it"
	case req.Thinking == model.ThinkingOff && k.show.parser() != "" && !k.version.has(sinceFormatOff):
		return record.SettingAsked, "servers before 0.31.2 drop it for models of the parser " + model.OneLine(k.show.parser(), 40) + " when thinking is off"
	case req.Thinking == model.ThinkingOff:
		return record.SettingEnforced, "sampling follows a grammar made of it"
	case two && k.version.has(sinceTwoPasses):
		return record.SettingEnforced, "sampling follows a grammar made of it, once the thinking has ended"
	case two:
		return record.SettingAsked, "only servers from 0.12.4 on are known to bind the answer after thinking"
	}
	return record.SettingAsked, "the server binds an answer only after the model has thought, and no answer came after thinking"
}
