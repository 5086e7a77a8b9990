// The HTTP forms of Ollama's native interface, as it answers for models whose prompts it renders itself, which is how it
// runs those of its library: a prompt that is too long is cut without a word, thinking and a schema make two passes, and
// 31 equal pieces of text end a reply without a final record. The rendering is by the template in the model's file.
import {schemaGrammar} from "./grammar.mjs";
import {badRequest, HttpError, isObject, parseObject, randomID, sendJSON} from "./http.mjs";
import {tooLong} from "./llamacpp.mjs";
import {readKeepAlive, readOptions} from "./ollamaoptions.mjs";
import {ReplyParser} from "./parse.mjs";
import {canCall, canThink, promptTokens, readMessages, readTools, render} from "./prompt.mjs";

const longest = Number(2n ** 63n / 10n ** 6n); // duration in ms that Ollama can hold: 292 years
const maxRepeats = 30; // equal pieces of text in a row, white space aside

export class Ollama {
    constructor(engine, version) {
        this.engine = engine;
        this.version = version;
        this.expires = new Map(); // by name: when a loaded model is to go, in ms; in no order
        this.before = new Map(); // by name: the prompt that its cache would hold
        const get = (handler) => ({GET: (request) => this.fresh(handler, request), HEAD: (request) => this.fresh(handler, request)});
        const post = (handler) => ({POST: (request) => this.fresh(handler, request)});
        this.routes = {
            "/": get(({res}) => res.writeHead(200, {"content-type": "text/plain; charset=utf-8"}).end("Ollama is running")),
            "/api/version": get(({res}) => sendJSON(res, 200, {version})),
            "/api/tags": get((request) => this.tags(request)),
            "/api/ps": get((request) => this.ps(request)),
            "/api/show": post((request) => this.show(request)),
            "/api/chat": post((request) => this.chat(request))
        };
    }

    noRoute() { return new HttpError(404, "404 page not found", "text"); }
    noMethod() { return new HttpError(405, "405 method not allowed", "text"); }

    // What llama.cpp refused is handed on whole, as a text.
    errorText(error) {
        const {status, message, type, details} = error;
        return type === "exceed_context_size_error" ? JSON.stringify({error: {code: status, message, type, ...details}}) : String(message ?? error);
    }

    sendError(res, error) {
        if (error.type === "text") res.writeHead(error.status, {"content-type": "text/plain"}).end(error.message);
        else sendJSON(res, error.status ?? 500, {error: this.errorText(error)});
    }

    sendLate(res, error) { res.end(JSON.stringify({error: this.errorText(error)}) + "\n"); }

    // since reports whether this server is of at least that version.
    since(...version) {
        const own = this.version.split(/[.-]/).map(Number);
        for (let i = 0; i < version.length; i++)
            if (own[i] !== version[i]) return own[i] > version[i];
        return true;
    }

    // fresh unloads what is due, then runs the handler.
    async fresh(handler, request) {
        for (const [name, at] of this.expires)
            if (at <= Date.now()) await this.unload(name);
        return handler(request);
    }

    async unload(name) {
        this.expires.delete(name);
        this.before.delete(name);
        await this.engine.unload(name);
    }

    // name returns the key of a model; a name without a tag means :latest.
    name(given) {
        if (typeof given !== "string" || given === "") throw badRequest("model is required");
        const name = [given, `${given}:latest`, given.replace(/:latest$/, "")].find((name) => this.engine.has(name));
        if (name === undefined) throw new HttpError(404, `model '${given}' not found`);
        return name;
    }

    async tags({res}) {
        const models = [];
        for (const name of this.engine.names()) {
            const file = await this.engine.file(name);
            models.push({
                name: tagged(name), model: tagged(name), modified_at: file.modified.toISOString(), size: file.size, digest: file.digest,
                details: {...details(file), context_length: file.trained, embedding_length: file.width}, capabilities: capabilities(file)
            });
        }
        models.sort((a, b) => a.modified_at < b.modified_at ? 1 : a.modified_at > b.modified_at ? -1 : 0);
        sendJSON(res, 200, {models});
    }

    async ps({res}) {
        const models = [];
        for (const [name, at] of [...this.expires].sort(([, a], [, b]) => b - a)) {
            const entry = this.engine.loaded.get(name);
            if (entry === undefined) continue; // gone to make room for another
            const {ram, vram} = entry.context.memoryUsage;
            models.push({
                name: tagged(name), model: tagged(name), size: entry.file.bytes + ram + vram, digest: entry.file.digest, details: details(entry.file),
                expires_at: new Date(Math.min(at, Date.now() + longest)).toISOString(), size_vram: vram, context_length: entry.contextSize
            });
        }
        sendJSON(res, 200, {models});
    }

    async show({res, body}) {
        const query = parseObject(body);
        const name = this.name(query.model ?? query.name);
        const file = await this.engine.file(name);
        const info = {};
        flatten(file.metadata, "", info, query.verbose === true);
        delete info["general.name"];
        delete info["tokenizer.chat_template"];
        sendJSON(res, 200, {
            modelfile: `# Modelfile generated by "ollama show"\n# To build a new Modelfile based on this, replace FROM with:\n# FROM ${tagged(name)}\n\nFROM ${file.path}\nTEMPLATE """${file.template}"""\n`,
            template: file.template, details: details(file), model_info: {...info, "general.parameter_count": file.parameters},
            capabilities: capabilities(file), modified_at: file.modified.toISOString()
        });
    }

    async chat({body, res, arrived, signal}) {
        const query = parseObject(body);
        const name = this.name(query.model);
        const file = await this.engine.file(name);
        const think = readThink(query, file.template);
        const tools = readTools(query.tools);
        if (tools !== null && !canCall(file.template)) throw badRequest(`registry.ollama.ai/library/${tagged(name)} does not support tools`);
        const keepAlive = readKeepAlive(query.keep_alive);
        const options = readOptions(query.options ?? {}, this.since(0, 32, 10) ? 1 : 1.1);
        const schema = readFormat(query.format);
        const answer = (message, more) => JSON.stringify({model: query.model, created_at: new Date().toISOString(), message: {role: "assistant", content: "", ...message}, done: false, ...more});
        const finished = (reason) => res.writeHead(200, {"content-type": "application/json; charset=utf-8"}).end(answer({}, {done: true, done_reason: reason}));
        const empty = !Array.isArray(query.messages) || query.messages.length === 0;
        if (empty && keepAlive === 0) {
            await this.unload(name);
            return finished("unload");
        }
        const loading = performance.now();
        const entry = await this.engine.use(name, options.num_ctx > 0 ? Math.max(4, options.num_ctx) : undefined);
        const loaded = performance.now() - loading;
        this.expires.set(name, Infinity); // while it runs
        try {
            if (empty) return finished("load");
            await this.run({query, res, arrived, signal, name, entry, loaded, think, tools, options, schema, answer});
        } finally {
            this.expires.set(name, Date.now() + keepAlive);
            if (keepAlive === 0) await this.unload(name);
        }
    }

    async run({query, res, arrived, signal, name, entry, loaded, think, tools, options, schema, answer}) {
        const asked = {tools, kwargs: think === undefined ? {} : {enable_thinking: think !== false, ...(typeof think === "string" ? {reasoning_effort: think} : {})}};
        const switches = this.since(0, 12, 5); // before, truncate and shift were no fields of a request
        const shift = !switches || query.shift !== false, truncate = !switches || query.truncate !== false;
        let messages = readMessages(query.messages.map(openAIMessage));
        if (query._debug_render_only === true)
            return sendJSON(res, 200, {model: query.model, created_at: new Date().toISOString(), message: {role: "", content: ""}, done: false, _debug_info: {rendered_template: render(entry, messages, asked)}});

        const stream = query.stream !== false;
        const parts = {content: "", thinking: ""}, calls = [];
        const line = (message, more) => {
            if (!res.headersSent) res.writeHead(200, {"content-type": "application/x-ndjson"});
            res.write(answer(message, more) + "\n");
        };
        const add = (field, text) => {
            parts[field] += text;
            if (stream) line({[field]: text});
        };
        // A schema holds from where the answer begins: the first pass is broken off there, a second goes on behind the thinking.
        let free = schema !== null && think !== undefined && think !== false, broken = false;
        const call = {name: "", text: ""};
        const parser = new ReplyParser({thinking: think !== undefined && think !== false, tools: tools && new Set(tools.map((tool) => tool.function.name))}, {
            thinking: (text) => add("thinking", text),
            content(text) {
                if (free && parts.thinking !== "") broken = true;
                else add("content", text);
            },
            call(called) { Object.assign(call, {name: called, text: ""}); },
            args(text) { call.text += text; },
            whole() {
                calls.push({id: "call_" + randomID(8, "abcdefghijklmnopqrstuvwxyz0123456789"), function: {index: calls.length, name: call.name, arguments: JSON.parse(call.text)}});
                if (stream) line({tool_calls: calls.slice(-1)});
            }
        });
        let last = "", repeats = 0;
        const onText = (text) => {
            repeats = text.trim() === last ? repeats + 1 : 0;
            last = text.trim();
            if (repeats > maxRepeats) return false;
            parser.push(text);
            return !broken;
        };
        const pass = async (grammar) => {
            const tokens = this.fit(entry, messages, asked, {keep: options.num_keep, shift, truncate});
            const most = 10 * entry.contextSize;
            const limit = options.num_predict < 0 || options.num_predict > most ? most : Math.max(1, options.num_predict);
            const result = await this.engine.generate(entry, tokens, {limit, sampling: options.sampling, grammar, shift, keep: keptTokens(entry, options.num_keep)}, onText, signal);
            return {...result, counted: this.counted(name, tokens)};
        };
        let result = await pass(schema === null || free ? null : await this.engine.grammar(schemaGrammar(schema)));
        if (broken) {
            free = broken = false;
            messages = [...messages, {role: "assistant", content: "", reasoning_content: parts.thinking}];
            parser.held = "";
            result = await pass(await this.engine.grammar(schemaGrammar(schema)));
        }
        if (signal.aborted) return;
        const cut = result.reason === "aborted"; // by too many repeats
        if (!cut) {
            const rest = parser.end();
            if (rest !== "") add("content", rest);
        }
        const ns = (ms) => Math.round(ms * 1e6);
        const final = cut ? {} : {
            done: true, done_reason: result.reason, total_duration: ns(performance.now() - arrived), load_duration: ns(loaded),
            prompt_eval_count: result.counted, prompt_eval_duration: ns(result.promptMs), eval_count: result.completion, eval_duration: ns(result.predictedMs)
        };
        if (stream) {
            if (!cut) line({}, final);
            return res.end();
        }
        const message = {content: parts.content};
        if (parts.thinking !== "") message.thinking = parts.thinking;
        if (calls.length > 0) message.tool_calls = calls;
        res.writeHead(200, {"content-type": "application/json; charset=utf-8"}).end(answer(message, final));
    }

    // counted is what prompt_eval_count says: 0.30.0 left out what its cache held, all but one token at most.
    counted(name, tokens) {
        const known = this.before.get(name) ?? [];
        this.before.set(name, tokens);
        if (!this.since(0, 30, 0) || this.since(0, 30, 1)) return tokens.length;
        let same = 0;
        while (same < tokens.length - 1 && tokens[same] === known[same]) same++;
        return tokens.length - same;
    }

    // fit returns the tokens of a prompt that fits. Unless truncate is off, the oldest messages are dropped, but no system
    // message and not the last one, and if that is not enough, the first tokens and the tail are kept, about half of the
    // context. That belongs to shifting; without it such a prompt is refused.
    fit(entry, messages, asked, {keep, shift, truncate}) {
        const {contextSize} = entry;
        const tokensOf = (some) => promptTokens(entry, render(entry, some, asked));
        const rest = (from) => [...messages.slice(0, from).filter(({role}) => role === "system"), ...messages.slice(from)];
        let tokens = tokensOf(messages);
        const begin = entry.model.tokens.shouldPrependBosToken ? 1 : 0; // not counted in this comparison
        for (let from = 1; truncate && tokens.length - begin > contextSize && from < messages.length; from++) tokens = tokensOf(rest(from));
        if (tokens.length < contextSize) return tokens;
        if (!truncate) throw this.since(0, 30, 0) ? tooLong(tokens.length, contextSize) : badRequest("the input length exceeds the context length");
        if (!shift) throw badRequest("the prompt is longer than the context length currently available to the model; shorten the prompt, adjust the context length in settings, or use a model with a longer context length");
        const kept = Math.min(keptTokens(entry, keep), contextSize - 1);
        const length = contextSize - Math.max(Math.floor((contextSize - kept) / 2), 1);
        return [...tokens.slice(0, kept), ...tokens.slice(tokens.length - (length - kept))];
    }
}

const keptTokens = ({model, contextSize}, keep) => Math.min((keep < 0 ? contextSize : keep) + (model.tokens.shouldPrependBosToken ? 1 : 0), contextSize - 2);

const tagged = (name) => name.split("/").at(-1).includes(":") ? name : `${name}:latest`;

const capabilities = ({template}) => ["completion", ...(canCall(template) ? ["tools"] : []), ...(canThink(template) ? ["thinking"] : [])];

const details = ({architecture, parameters, quantization}) => ({
    parent_model: "", format: "gguf", family: architecture, families: [architecture], parameter_size: human(parameters), quantization_level: quantization
});

function human(n) {
    for (const [unit, size, places] of [["B", 1e9, 1], ["M", 1e6, 2], ["K", 1e3, 0]])
        if (n >= size) return (n / size).toFixed(Number.isInteger(n / size) ? 0 : places) + unit;
    return String(n);
}

// flatten writes nested metadata under dotted names; long lists only when asked for.
function flatten(value, prefix, out, lists) {
    for (const [key, inner] of Object.entries(value)) {
        const name = prefix + key;
        if (isObject(inner)) flatten(inner, `${name}.`, out, lists);
        else if (Array.isArray(inner) && !lists) out[name] = null;
        else out[name] = Number.isInteger(inner) || typeof inner !== "number" ? inner : Number(inner.toPrecision(7)); // a 32-bit float
    }
}

// readThink returns true, false or a level, or undefined for a model that cannot think; without a word it thinks.
function readThink({model, think}, template) {
    if (think !== undefined && think !== null && typeof think !== "boolean" && !["low", "medium", "high", "max"].includes(think))
        throw badRequest(typeof think === "string" ? `invalid think value: ${JSON.stringify(think)} (must be "high", "medium", "low", "max", true, or false)` : `think must be a boolean or string ("high", "medium", "low", "max", true, or false)`);
    if (canThink(template)) return think ?? true;
    if (think) throw badRequest(`${JSON.stringify(model)} does not support thinking`);
    return undefined;
}

function readFormat(format) {
    if (format === undefined || format === null || format === "") return null;
    if (format === "json") return {};
    if (!isObject(format)) throw new HttpError(500, `invalid format: ${JSON.stringify(JSON.stringify(format))}; expected "json" or a valid JSON Schema object`);
    return format;
}

// openAIMessage turns a message of this wire into one of the other's form: calls have no type here, thinking another name.
function openAIMessage(message) {
    const {thinking, tool_name: name, tool_calls: calls, ...rest} = message ?? {};
    return {...rest, reasoning_content: thinking, name, tool_calls: calls?.map((call) => ({id: call?.id, type: "function", function: call?.function}))};
}
