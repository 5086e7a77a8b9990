// A real llama.cpp behind the HTTP forms that model clients speak, for tests.
//
//   node server.mjs manifest.json
//
// The manifest is {"models": {NAME: FILE.gguf}, "context": TOKENS, "modules": FOLDER}; FOLDER holds node_modules.
// When the port is open one line goes to standard output: {"port": N}. The server ends when its standard
// input does, so it cannot outlive the test that started it.
//
// Requests run one at a time, on one thread, from an empty cache: equal requests do equal work.
// What a request asks for and this server cannot do is refused, never ignored.
import {randomInt, randomUUID} from "node:crypto";
import {readFileSync} from "node:fs";
import http from "node:http";
import path from "node:path";
import {pathToFileURL} from "node:url";

const manifest = JSON.parse(readFileSync(process.argv[2], "utf8"));
const {getLlama} = await importLlama(manifest.modules);
const llama = await getLlama({
    gpu: false, build: "never", skipDownload: true, progressLogs: false, numa: false, maxThreads: 1, logLevel: "error",
    logger: (level, message) => process.stderr.write(`llama.cpp ${level}: ${message.trimEnd()}\n`)
});

const created = Math.floor(Date.now() / 1000);
const maxBody = 64 << 20;
const maxLoaded = 4;

// node looks for packages beside the importing file only, so the installed one is found by its folder.
async function importLlama(folder) {
    const root = path.join(folder, "node_modules", "node-llama-cpp");
    const {main} = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"));
    return import(pathToFileURL(path.join(root, main)).href);
}

// ---- errors

class HttpError extends Error {
    constructor(status, body) {
        super(body.message);
        this.status = status;
        this.body = body;
    }
}
const badRequest = (message, param = null) =>
    new HttpError(400, {message, type: "invalid_request_error", param, code: null});
const noModel = (name) =>
    new HttpError(404, {message: `The model '${name}' does not exist`, type: "invalid_request_error", param: "model", code: "model_not_found"});
const tooLong = (tokens, context) => new HttpError(400, {
    code: 400, type: "exceed_context_size_error",
    message: `request (${tokens} tokens) exceeds the available context size (${context} tokens), try increasing it`,
    n_prompt_tokens: tokens, n_ctx: context
});

// ---- models: at most maxLoaded stay loaded, the longest unused goes first

const loaded = new Map();

async function engine(name, contextSize) {
    if (!Object.hasOwn(manifest.models, name)) throw noModel(name);
    let entry = loaded.get(name);
    loaded.delete(name);
    if (entry === undefined) {
        while (loaded.size >= maxLoaded) {
            const [oldest, {model}] = loaded.entries().next().value;
            loaded.delete(oldest);
            await model.dispose();
        }
        entry = {model: await llama.loadModel({modelPath: manifest.models[name]}), context: null};
    }
    loaded.set(name, entry);
    const size = Math.min(contextSize ?? manifest.context, entry.model.trainContextSize);
    if (entry.context?.size !== size) {
        await entry.context?.context.dispose();
        const context = await entry.model.createContext({contextSize: size, threads: 1, batchSize: Math.min(512, size), failedCreationRemedy: false});
        entry.context = {size, context, sequence: context.getSequence()};
    }
    return {model: entry.model, contextSize: size, sequence: entry.context.sequence};
}

// ---- prompts: the chat template of the model files; text of a message is never read as a control token

const turnOf = {system: "system", developer: "system", user: "user", assistant: "assistant", tool: "tool"};

function promptTokens(model, messages, thinking) {
    const control = (name) => model.tokenize(`<|${name}|>`, true);
    const tokens = [model.tokens.bos];
    for (const {role, content} of messages)
        tokens.push(...control(turnOf[role]), ...model.tokenize(content, false), ...control("turn"));
    tokens.push(...control("assistant"));
    if (thinking === false) tokens.push(...control("direct"));
    return tokens;
}

function readMessages(messages) {
    if (!Array.isArray(messages) || messages.length === 0) throw badRequest("'messages' must be a non-empty array", "messages");
    return messages.map((message, i) => {
        if (!Object.hasOwn(turnOf, message?.role ?? "")) throw badRequest(`messages[${i}]: unknown role ${JSON.stringify(message?.role)}`, "messages");
        return {role: message.role, content: readContent(message.content ?? "", i)};
    });
}

function readContent(content, i) {
    if (typeof content === "string") return content;
    if (Array.isArray(content) && content.every((part) => part?.type === "text" && typeof part.text === "string"))
        return content.map((part) => part.text).join("");
    throw badRequest(`messages[${i}]: content must be text`, "messages");
}

// ---- request fields

function number(value, name, low, high, otherwise) {
    if (value === undefined || value === null) return otherwise;
    if (typeof value !== "number" || !(value >= low && value <= high)) throw badRequest(`'${name}' must be a number from ${low} to ${high}`, name);
    return value;
}

function integer(value, name, low, high, otherwise) {
    if (value === undefined || value === null) return otherwise;
    if (!Number.isInteger(number(value, name, low, high))) throw badRequest(`'${name}' must be a whole number`, name);
    return value;
}

// The defaults are llama-server's. A seed of -1, as there, is a random one.
function sampling(query) {
    const seed = integer(query.seed, "seed", -1, 2 ** 32 - 1, -1);
    return {
        temperature: number(query.temperature, "temperature", 0, 100, 0.8),
        topP: number(query.top_p, "top_p", 0, 1, 0.95),
        topK: integer(query.top_k, "top_k", 0, 2 ** 31 - 1, 40),
        minP: number(query.min_p, "min_p", 0, 1, 0.05),
        seed: seed < 0 ? randomInt(2 ** 32 - 1) : seed
    };
}

function refuseUnsupported(query) {
    const plain = {
        tools: (v) => v.length === 0, functions: (v) => v.length === 0, n: (v) => v === 1, logprobs: (v) => v === false,
        top_logprobs: (v) => v === 0, stop: (v) => v.length === 0, logit_bias: (v) => Object.keys(v).length === 0,
        response_format: (v) => v.type === "text", format: (v) => v === "", frequency_penalty: (v) => v === 0,
        presence_penalty: (v) => v === 0, repeat_penalty: (v) => v === 1
    };
    for (const [name, allowed] of Object.entries(plain))
        if (query[name] !== undefined && query[name] !== null && !allowed(query[name]))
            throw badRequest(`'${name}' is not supported by this test server`, name);
}

// ---- generation

// Runs the model and calls onText with each piece of text as soon as its characters are whole.
async function generate({model, sequence, contextSize}, tokens, maxTokens, options, onText, signal) {
    const started = performance.now();
    await sequence.clearHistory();
    let first = null, count = 0, reason = "stop", pending = [];
    const flush = (force) => {
        if (pending.length === 0) return;
        const text = model.detokenize(pending, false);
        // A character cut between two tokens decodes to U+FFFD until its last byte has come.
        if (!force && text.endsWith("\ufffd") && pending.length < 4) return;
        pending = [];
        if (text !== "") onText(text);
    };
    for await (const token of sequence.evaluate(tokens, {...options, yieldEogToken: true})) {
        first ??= performance.now();
        count++;
        if (model.isEogToken(token)) break;
        pending.push(token);
        flush(false);
        if (signal.aborted) { reason = "aborted"; break; }
        if (count >= maxTokens || tokens.length + count >= contextSize) { reason = "length"; break; }
    }
    flush(true);
    const ended = performance.now();
    first ??= ended;
    return {reason, prompt: tokens.length, completion: count, promptMs: first - started, predictedMs: ended - first};
}

// Separates the thinking at the start of an answer, as the model files write it, from the answer.
// A piece of text that may be the beginning of a mark is held back until it is known.
function thinkingSplitter(onThinking, onAnswer) {
    const open = "<think>\n", close = "\n</think>\n\n";
    let state = "start", held = "";
    const emit = (sink, text) => { if (text !== "") sink(text); };
    const step = (ended) => {
        if (state === "start") {
            if (!ended && held.length < open.length && open.startsWith(held)) return;
            state = held.startsWith(open) ? "thinking" : "answer";
            if (state === "thinking") held = held.slice(open.length);
        }
        if (state === "thinking") {
            const at = held.indexOf(close);
            let keep = 0;
            if (at < 0 && !ended)
                for (keep = Math.min(close.length - 1, held.length); keep > 0 && !close.startsWith(held.slice(-keep)); keep--);
            const end = at < 0 ? held.length - keep : at;
            emit(onThinking, held.slice(0, end));
            held = held.slice(at < 0 ? end : at + close.length);
            if (at < 0) return;
            state = "answer";
        }
        emit(onAnswer, held);
        held = "";
    };
    return {push(text) { held += text; step(false); }, end() { step(true); }};
}

// Generates one answer and hands its thinking and its text to the two sinks.
async function answer(loadedModel, tokens, maxTokens, options, thinking, onThinking, onText, signal) {
    if (thinking === false) return generate(loadedModel, tokens, maxTokens, options, onText, signal);
    const splitter = thinkingSplitter(onThinking, onText);
    const result = await generate(loadedModel, tokens, maxTokens, options, (text) => splitter.push(text), signal);
    splitter.end();
    return result;
}

// ---- the OpenAI form

async function chatCompletions(query, res, signal) {
    const messages = readMessages(query.messages);
    refuseUnsupported(query);
    const options = sampling(query);
    const limit = integer(query.max_completion_tokens ?? query.max_tokens, "max_tokens", 1, 2 ** 31 - 1, Infinity);
    const thinking = query.chat_template_kwargs?.enable_thinking ?? (query.reasoning_effort === "none" ? false : undefined);
    const loadedModel = await engine(query.model);
    const tokens = promptTokens(loadedModel.model, messages, thinking);
    if (tokens.length >= loadedModel.contextSize) throw tooLong(tokens.length, loadedModel.contextSize);

    const head = {
        id: "chatcmpl-" + randomUUID(),
        created: Math.floor(Date.now() / 1000), model: query.model, system_fingerprint: fingerprint
    };
    const parts = {reasoning_content: "", content: ""};
    const chunk = (choices, more) => sendEvent(res, {...head, object: "chat.completion.chunk", choices, ...more});
    const sink = (field) => (text) => {
        parts[field] += text;
        if (query.stream) chunk([{index: 0, delta: {[field]: text}, finish_reason: null}]);
    };
    if (query.stream) {
        res.writeHead(200, {"content-type": "text/event-stream", "cache-control": "no-cache"});
        chunk([{index: 0, delta: {role: "assistant", content: null}, finish_reason: null}]);
    }
    const result = await answer(loadedModel, tokens, limit, options, thinking, sink("reasoning_content"), sink("content"), signal);
    if (result.reason === "aborted") return;

    const usage = {prompt_tokens: result.prompt, completion_tokens: result.completion, total_tokens: result.prompt + result.completion};
    const timings = {
        cache_n: 0, prompt_n: result.prompt, prompt_ms: result.promptMs, predicted_n: result.completion, predicted_ms: result.predictedMs
    };
    if (query.stream) {
        chunk([{index: 0, delta: {}, finish_reason: result.reason}], {timings});
        if (query.stream_options?.include_usage) chunk([], {usage});
        res.end("data: [DONE]\n\n");
        return;
    }
    const message = {role: "assistant", content: parts.content};
    if (parts.reasoning_content !== "") message.reasoning_content = parts.reasoning_content;
    sendJSON(res, 200, {...head, object: "chat.completion", choices: [{index: 0, message, finish_reason: result.reason, logprobs: null}], usage, timings});
}

function sendEvent(res, body) {
    res.write(`data: ${JSON.stringify(body)}\n\n`);
}

// ---- Ollama's native form, with its silent cutting of long prompts

async function ollamaChat(query, res, signal) {
    const messages = readMessages(query.messages);
    const given = query.options ?? {};
    refuseUnsupported({...query, ...given});
    const options = sampling({top_p: 0.9, min_p: 0, ...given});
    const contextSize = integer(given.num_ctx, "num_ctx", 4, 2 ** 31 - 1, undefined);
    const predict = integer(given.num_predict, "num_predict", -2, 2 ** 31 - 1, -1);
    const thinking = query.think === false ? false : undefined;
    const loading = performance.now();
    const loadedModel = await engine(query.model, contextSize);
    const loadMs = performance.now() - loading;
    const tokens = fitPrompt(loadedModel, messages, thinking, integer(given.num_keep, "num_keep", 0, 2 ** 31 - 1, 4), query.truncate !== false);

    const stream = query.stream !== false;
    const line = (message, more) => JSON.stringify({model: query.model, created_at: new Date().toISOString(), message: {role: "assistant", content: "", ...message}, done: false, ...more}) + "\n";
    const parts = {thinking: "", content: ""};
    const sink = (field) => (text) => {
        parts[field] += text;
        if (stream) res.write(line({[field]: text}));
    };
    if (stream) res.writeHead(200, {"content-type": "application/x-ndjson"});
    const limit = predict > 0 ? predict : Infinity;
    const result = await answer(loadedModel, tokens, limit, options, thinking, sink("thinking"), sink("content"), signal);
    if (result.reason === "aborted") return;
    const ns = (ms) => Math.round(ms * 1e6);
    const last = {
        done: true, done_reason: result.reason, total_duration: ns(loadMs + result.promptMs + result.predictedMs), load_duration: ns(loadMs),
        prompt_eval_count: result.prompt, prompt_eval_duration: ns(result.promptMs), eval_count: result.completion, eval_duration: ns(result.predictedMs)
    };
    if (!stream) res.writeHead(200, {"content-type": "application/json; charset=utf-8"});
    const message = {content: parts.content};
    if (parts.thinking !== "") message.thinking = parts.thinking;
    res.end(line(stream ? {} : message, last));
}

// Ollama first drops the oldest messages, but no system message and not the last one; if that is not enough it
// keeps the first tokens and the tail, about half of the context. truncate:false refuses instead.
function fitPrompt({model, contextSize}, messages, thinking, keep, truncate) {
    let tokens = promptTokens(model, messages, thinking);
    if (!truncate) {
        if (tokens.length >= contextSize) throw tooLong(tokens.length, contextSize);
        return tokens;
    }
    const left = [...messages];
    while (tokens.length > contextSize) {
        const oldest = left.findIndex(({role}, i) => role !== "system" && i < left.length - 1);
        if (oldest < 0) break;
        left.splice(oldest, 1);
        tokens = promptTokens(model, left, thinking);
    }
    if (tokens.length <= contextSize - 1) return tokens;
    const kept = Math.min(keep + 1, contextSize - 2);
    const length = contextSize - Math.floor((contextSize - kept) / 2);
    return [...tokens.slice(0, kept), ...tokens.slice(tokens.length - (length - kept))];
}

// ---- HTTP

const fingerprint = `llama.cpp-${llama.llamaCppRelease.release}`;
const posts = {"/v1/chat/completions": chatCompletions, "/api/chat": ollamaChat};

let tail = Promise.resolve();
function queued(work) {
    const run = tail.then(work);
    tail = run.catch(() => {});
    return run;
}

async function handle(req, res) {
    const route = new URL(req.url, "http://localhost").pathname;
    if (req.method === "GET" && route === "/health") return sendJSON(res, 200, {status: "ok"});
    if (req.method === "GET" && route === "/v1/models")
        return sendJSON(res, 200, {object: "list", data: Object.keys(manifest.models).map((id) => ({id, object: "model", created, owned_by: "llamacpp"}))});
    if (!Object.hasOwn(posts, route))
        throw new HttpError(404, {message: `no such route: ${req.method} ${route}`, type: "not_found_error", param: null, code: 404});
    if (req.method !== "POST") throw new HttpError(405, {message: `${route} wants POST`, type: "invalid_request_error", param: null, code: 405});
    const query = parseQuery(await readBody(req));
    const gone = new AbortController();
    res.on("close", () => gone.abort());
    if (res.destroyed) return;
    await queued(() => gone.signal.aborted ? undefined : posts[route](query, res, gone.signal));
}

async function readBody(req) {
    const parts = [];
    let size = 0;
    for await (const part of req) {
        size += part.length;
        if (size > maxBody) throw new HttpError(413, {message: `the request body exceeds ${maxBody} bytes`, type: "invalid_request_error", param: null, code: 413});
        parts.push(part);
    }
    return Buffer.concat(parts);
}

function parseQuery(body) {
    let query;
    try {
        query = JSON.parse(new TextDecoder("utf-8", {fatal: true}).decode(body));
    } catch (error) {
        throw badRequest(`the request body is not valid JSON: ${error.message}`);
    }
    if (query === null || typeof query !== "object" || Array.isArray(query)) throw badRequest("the request body must be a JSON object");
    if (typeof query.model !== "string" || query.model === "") throw badRequest("you must provide a model parameter", "model");
    return query;
}

function sendJSON(res, status, body) {
    res.writeHead(status, {"content-type": "application/json; charset=utf-8"});
    res.end(JSON.stringify(body));
}

function sendError(req, res, error) {
    if (!(error instanceof HttpError)) process.stderr.write(`${req.method} ${req.url}: ${error?.stack ?? error}\n`);
    const body = error instanceof HttpError ? error.body : {code: 500, message: String(error?.message ?? error), type: "server_error", param: null};
    if (res.headersSent) {
        // Too late for a status: the stream says it, and has no [DONE].
        if (req.url.startsWith("/v1/")) sendEvent(res, {error: body});
        else res.write(JSON.stringify({error: body.message}) + "\n");
        return res.end();
    }
    sendJSON(res, error instanceof HttpError ? error.status : 500, req.url.startsWith("/api/") ? {error: body.message} : {error: body});
}

const server = http.createServer((req, res) => {
    handle(req, res).catch((error) => sendError(req, res, error));
});
server.keepAliveTimeout = 0; // a client must not meet a connection that was closed while it was idle
server.listen(0, "127.0.0.1", () => process.stdout.write(JSON.stringify({port: server.address().port}) + "\n"));
process.stdin.on("end", () => process.exit(0)).resume();
