// The HTTP forms of llama.cpp's own server (tools/server), one slot for each model. Like its router it serves several
// models: requests name one, in the body or as ?model=NAME; where there is but one, they need not.
import {readSampling} from "./engine.mjs";
import {replyGrammar} from "./grammar.mjs";
import {badRequest, flag, HttpError, integer, isObject, parseObject, randomID, sendJSON} from "./http.mjs";
import {ReplyParser} from "./parse.mjs";
import {canCall, canThink, promptTokens, readMessages, readTools, render} from "./prompt.mjs";

const defaults = {
    seed: -1, temperature: 0.8, top_k: 40, top_p: 0.95, min_p: 0.05, repeat_last_n: 64, repeat_penalty: 1, presence_penalty: 0, frequency_penalty: 0
};

// What a request may say only if it changes nothing.
const plain = {
    functions: (v) => v.length === 0, n: (v) => v === 1, logprobs: (v) => v === false, top_logprobs: (v) => v === 0,
    stop: (v) => v.length === 0, logit_bias: (v) => Object.keys(v).length === 0, grammar: (v) => v === "", json_schema: () => false, n_predict: (v) => v === -1
};

export class LlamaCpp {
    constructor(engine) {
        this.engine = engine;
        this.created = Math.floor(Date.now() / 1000);
        const health = {GET: ({res}) => sendJSON(res, 200, {status: "ok"})};
        const models = {GET: (request) => this.models(request)};
        const chat = {POST: (request) => this.chat(request)};
        this.routes = {
            "/health": health, "/v1/health": health, "/models": models, "/v1/models": models,
            "/props": {GET: (request) => this.props(request)},
            "/tokenize": {POST: (request) => this.tokenize(request)},
            "/apply-template": {POST: (request) => this.applyTemplate(request)},
            "/chat/completions": chat, "/v1/chat/completions": chat
        };
    }

    noRoute(method, route) { return new HttpError(404, `no such route: ${method} ${route}`, "not_found_error"); }
    noMethod(method, route) { return new HttpError(405, `${route} does not take ${method}`, "invalid_request_error"); }

    errorBody(error) {
        if (!(error instanceof HttpError)) return {code: 500, message: String(error?.message ?? error), type: "server_error"};
        return {code: error.status, message: error.message, type: error.type, ...error.details};
    }

    sendError(res, error) { sendJSON(res, error.status ?? 500, {error: this.errorBody(error)}); }

    // Too late for a status: the stream says it, and has no [DONE].
    sendLate(res, error) { res.end(event({error: this.errorBody(error)})); }

    // name returns the model that a request means.
    name(given) {
        const names = this.engine.names();
        if ((given === undefined || given === null) && names.length === 1) return names[0];
        if (typeof given !== "string" || given === "") throw badRequest("you must provide a model parameter", "model");
        if (!this.engine.has(given)) throw new HttpError(404, `The model '${given}' does not exist`, "invalid_request_error", {param: "model", code: "model_not_found"});
        return given;
    }

    async models({res}) {
        const data = [];
        for (const id of this.engine.names()) {
            const file = await this.engine.file(id);
            data.push({
                id, object: "model", created: this.created, owned_by: "llamacpp",
                meta: {
                    vocab_type: 1, // SentencePiece; the file's tokenizer.ggml.model is "llama"
                    n_vocab: file.vocabulary, n_ctx: Math.min(this.engine.context, file.trained), n_ctx_train: file.trained,
                    n_embd: file.width, n_params: file.parameters, size: file.bytes, ftype: file.quantization
                }
            });
        }
        sendJSON(res, 200, {object: "list", data});
    }

    async props({res, url}) {
        const name = this.name(url.searchParams.get("model"));
        const {model, contextSize, file} = await this.engine.use(name);
        sendJSON(res, 200, {
            default_generation_settings: {params: {...defaults, n_predict: -1, max_tokens: -1}, n_ctx: contextSize},
            total_slots: 1, model_alias: name, model_ftype: file.quantization, model_path: file.path,
            modalities: {vision: false, audio: false}, chat_template: file.template,
            bos_token: model.tokens.bosString, eos_token: model.tokens.eosString, build_info: this.engine.build, is_sleeping: false
        });
    }

    async tokenize({res, body}) {
        const query = parseObject(body);
        const {model} = await this.engine.use(this.name(query.model));
        const {content = ""} = query;
        if (typeof content !== "string") throw badRequest("'content' must be a string", "content");
        const ids = model.tokenize(content, flag(query.parse_special, "parse_special", true));
        if (flag(query.add_special, "add_special", false) && model.tokens.shouldPrependBosToken) ids.unshift(model.tokens.bos);
        const tokens = flag(query.with_pieces, "with_pieces", false) ? ids.map((id) => ({id, piece: model.detokenize([id], true)})) : ids;
        sendJSON(res, 200, {tokens});
    }

    async applyTemplate({res, body}) {
        const query = parseObject(body);
        const ask = this.read(query);
        sendJSON(res, 200, {prompt: render(await this.engine.use(this.name(query.model)), ask.messages, ask)});
    }

    // read checks a chat request and returns what it asks for.
    read(query) {
        const messages = readMessages(query.messages);
        for (const [name, allowed] of Object.entries(plain))
            if (query[name] !== undefined && query[name] !== null && !allowed(query[name])) throw badRequest(`'${name}' is not supported by this test server`, name);
        const kwargs = {...query.chat_template_kwargs};
        if (kwargs.enable_thinking === undefined && query.reasoning_effort === "none") kwargs.enable_thinking = false;
        if (typeof (kwargs.enable_thinking ?? true) !== "boolean") throw badRequest(`invalid type for "enable_thinking" (expected boolean, got ${typeof kwargs.enable_thinking})`);
        const format = query.reasoning_format ?? "auto";
        if (!["none", "auto", "deepseek"].includes(format)) throw badRequest(`Unknown reasoning format: ${format}`);
        const choice = query.tool_choice ?? "auto";
        if (!["auto", "none", "required"].includes(choice)) throw badRequest(`Invalid tool_choice: ${typeof choice === "string" ? choice : "not a string"}`, "tool_choice");
        return {messages, kwargs, tools: readTools(query.tools), choice, schema: readFormat(query.response_format), apart: format !== "none"};
    }

    async chat({body, res, signal}) {
        const query = parseObject(body);
        const name = this.name(query.model);
        const ask = this.read(query);
        const sampling = readSampling(query, defaults);
        const limit = query.max_tokens === -1 ? Infinity : integer(query.max_completion_tokens ?? query.max_tokens, "max_tokens", 1, 2 ** 31 - 1, Infinity);
        const stream = flag(query.stream, "stream", false);
        const {template} = await this.engine.file(name);
        if (ask.tools !== null && !canCall(template)) throw badRequest("the chat template of this model has no tools", "tools");
        const thinking = canThink(template);
        const callable = ask.choice === "none" ? null : ask.tools;
        const grammar = await this.engine.grammar(replyGrammar({
            schema: ask.schema, tools: callable, must: ask.choice === "required", parallel: flag(query.parallel_tool_calls, "parallel_tool_calls", false), thinking
        }));
        const entry = await this.engine.use(name);
        const tokens = promptTokens(entry, render(entry, ask.messages, ask));
        if (tokens.length >= entry.contextSize) throw tooLong(tokens.length, entry.contextSize);

        const head = {id: "chatcmpl-" + randomID(32), created: Math.floor(Date.now() / 1000), model: query.model ?? name, system_fingerprint: this.engine.build};
        const message = {role: "assistant", content: ""};
        const chunk = (choices, more) => res.write(event({...head, object: "chat.completion.chunk", choices, ...more}));
        const delta = (part) => { if (stream) chunk([{index: 0, delta: part, finish_reason: null}]); };
        const add = (field) => (text) => {
            message[field] = (message[field] ?? "") + text;
            delta({[field]: text});
        };
        const parser = new ReplyParser({thinking: ask.apart && thinking, tools: callable && new Set(callable.map((tool) => tool.function.name))}, {
            thinking: add("reasoning_content"), content: add("content"),
            call(called) {
                const call = {type: "function", function: {name: called, arguments: ""}, id: randomID(32)};
                (message.tool_calls ??= []).push(call);
                delta({tool_calls: [{index: message.tool_calls.length - 1, ...call, function: {...call.function}}]});
            },
            args(text) {
                message.tool_calls.at(-1).function.arguments += text;
                delta({tool_calls: [{index: message.tool_calls.length - 1, function: {arguments: text}}]});
            }
        });
        if (stream) {
            res.writeHead(200, {"content-type": "text/event-stream", "cache-control": "no-cache"});
            delta({role: "assistant", content: null});
        }
        const result = await this.engine.generate(entry, tokens, {limit, sampling, grammar}, (text) => parser.push(text), signal);
        if (result.reason === "aborted") return;
        parser.end();

        const finish = result.reason === "stop" && message.tool_calls !== undefined ? "tool_calls" : result.reason;
        const usage = {
            completion_tokens: result.completion, prompt_tokens: result.prompt, total_tokens: result.prompt + result.completion,
            prompt_tokens_details: {cached_tokens: 0}
        };
        const timings = timed(result);
        if (!stream) return sendJSON(res, 200, {...head, object: "chat.completion", choices: [{index: 0, message, finish_reason: finish}], usage, timings});
        const counted = query.stream_options?.include_usage === true;
        chunk([{index: 0, delta: {}, finish_reason: finish}], counted ? {} : {timings});
        if (counted) chunk([], {usage, timings});
        res.end("data: [DONE]\n\n");
    }
}

const event = (body) => `data: ${JSON.stringify(body)}\n\n`;

// tooLong is how llama.cpp refuses a prompt that leaves no room for an answer; the context of a slot is never shifted for it.
export const tooLong = (tokens, context) => new HttpError(
    400, `request (${tokens} tokens) exceeds the available context size (${context} tokens), try increasing it`,
    "exceed_context_size_error", {n_prompt_tokens: tokens, n_ctx: context}
);

// readFormat returns the schema that response_format asks for, or null.
function readFormat(format) {
    if (format === undefined || format === null || format.type === "text") return null;
    const schema = format.type === "json_schema" ? format.json_schema?.schema ?? {} : format.schema ?? {};
    if (format.type !== "json_object" && format.type !== "json_schema") throw badRequest(`response_format type must be one of "text" or "json_object", but got: ${format.type}`, "response_format");
    if (!isObject(schema)) throw badRequest("the schema of response_format must be an object", "response_format");
    return schema;
}

function timed({prompt, promptMs, completion, predictedMs}) {
    const each = (ms, n) => n === 0 ? 0 : ms / n, rate = (ms, n) => ms === 0 ? 0 : n / ms * 1000;
    return {
        cache_n: 0, prompt_n: prompt, prompt_ms: promptMs, prompt_per_token_ms: each(promptMs, prompt), prompt_per_second: rate(promptMs, prompt),
        predicted_n: completion, predicted_ms: predictedMs, predicted_per_token_ms: each(predictedMs, completion), predicted_per_second: rate(predictedMs, completion)
    };
}
