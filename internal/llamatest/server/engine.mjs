// The engine: llama.cpp by way of node-llama-cpp, the models on disk and in memory, and generation.
import {createHash, randomInt} from "node:crypto";
import {readFileSync, statSync} from "node:fs";
import {join} from "node:path";
import {pathToFileURL} from "node:url";
import {integer, number} from "./http.mjs";

const maxLoaded = 4; // models at once; the longest unused goes first

// node looks for packages beside the importing file only, so the installed ones are found by their folder.
async function importFrom(folder, name) {
    const root = join(folder, "node_modules", name);
    const {main, module} = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    return import(pathToFileURL(join(root, module ?? main)).href);
}

export class Engine {
    static async start(manifestFile) {
        const manifest = JSON.parse(readFileSync(manifestFile, "utf8"));
        const nodeLlama = await importFrom(manifest.modules, "node-llama-cpp");
        const {Template} = await importFrom(manifest.modules, join("@huggingface", "jinja"));
        const llama = await nodeLlama.getLlama({
            gpu: false, build: "never", skipDownload: true, progressLogs: false, numa: false, maxThreads: 1, logLevel: "error",
            logger: (level, message) => process.stderr.write(`llama.cpp ${level}: ${message.trimEnd()}\n`)
        });
        return new Engine(manifestFile, manifest, llama, nodeLlama, Template);
    }

    constructor(manifestFile, manifest, llama, nodeLlama, Template) {
        this.manifestFile = manifestFile;
        this.context = manifest.context; // of a model whose request names none
        this.build = llama.llamaCppRelease.release;
        this.llama = llama;
        this.nodeLlama = nodeLlama;
        this.Template = Template;
        this.files = new Map(); // by name: what is known of the file as it is now
        this.loaded = new Map(); // by name, the longest unused first
    }

    // paths are the files of the models by name; the manifest may be replaced by one with more.
    get paths() {
        const {ino, mtimeMs} = statSync(this.manifestFile);
        if (this.manifestStamp !== `${ino} ${mtimeMs}`) {
            this.manifestStamp = `${ino} ${mtimeMs}`;
            this.models = JSON.parse(readFileSync(this.manifestFile, "utf8")).models;
        }
        return this.models;
    }

    names() { return Object.keys(this.paths).sort(); }
    has(name) { return Object.hasOwn(this.paths, name); }

    // file returns what a model's file says, without loading it; a file that was replaced is read again.
    async file(name) {
        const path = this.paths[name];
        const {ino, size, mtime, mtimeMs} = statSync(path);
        const stamp = `${ino} ${size} ${mtimeMs}`;
        const known = this.files.get(name);
        if (known?.stamp === stamp) return known;
        const info = await this.nodeLlama.readGgufFileInfo(path, {sourceType: "filesystem", logWarnings: false});
        const {general, tokenizer} = info.metadata;
        const own = info.metadata[general.architecture];
        let parameters = 0, bytes = 0;
        for (const {dimensions, ggmlType} of info.tensorInfo) {
            const count = dimensions.reduce((product, n) => product * Number(n), 1);
            parameters += count;
            bytes += count * {F32: 4, F16: 2}[this.nodeLlama.GgmlType[ggmlType]];
        }
        const file = {
            stamp, path, size, modified: mtime, metadata: info.metadata, parameters, bytes,
            digest: createHash("sha256").update(readFileSync(path)).digest("hex"),
            architecture: general.architecture, trained: own.context_length, width: own.embedding_length,
            quantization: this.nodeLlama.GgufFileType[general.file_type].replace("MOSTLY_", "").replace("ALL_", ""),
            vocabulary: tokenizer.ggml.tokens.length, template: tokenizer.chat_template
        };
        this.files.set(name, file);
        return file;
    }

    // use returns a model ready to run with a context of so many tokens, or its trained one if that is less. A model that
    // is loaded with another is loaded anew.
    async use(name, contextSize = this.context) {
        const file = await this.file(name);
        const size = Math.min(contextSize, file.trained);
        let entry = this.loaded.get(name);
        if (entry !== undefined && (entry.file !== file || entry.contextSize !== size)) {
            await this.unload(name);
            entry = undefined;
        }
        this.loaded.delete(name);
        while (this.loaded.size >= maxLoaded) await this.unload(this.loaded.keys().next().value);
        if (entry === undefined) {
            const model = await this.llama.loadModel({modelPath: file.path});
            const context = await model.createContext({contextSize: size, threads: 1, batchSize: Math.min(512, size), failedCreationRemedy: false});
            entry = {name, file, model, context, sequence: context.getSequence(), contextSize: size, template: new this.Template(file.template)};
        }
        this.loaded.set(name, entry);
        return entry;
    }

    async unload(name) {
        const entry = this.loaded.get(name);
        this.loaded.delete(name);
        await entry?.model.dispose();
    }

    // grammar compiles a GBNF text; null for none.
    async grammar(text) {
        return text === null ? null : this.llama.createGrammar({grammar: text});
    }

    // generate runs the model and calls onText with each piece of text as soon as its characters are whole; onText
    // returning false ends it. The result has the reason "stop", "length" or "aborted", the counts and the times. Without
    // shift the context's end is a limit; with it, the oldest half behind keep tokens is dropped, and the model goes on.
    async generate({model, sequence, contextSize}, tokens, {limit, sampling, grammar = null, shift = false, keep = 0}, onText, signal) {
        const started = performance.now();
        await sequence.clearHistory();
        const options = {...sampler(sampling), yieldEogToken: true};
        const {repeat} = sampling, recent = tokens.slice(-repeat.last);
        if (repeat.penalty !== 1 || repeat.frequency !== 0 || repeat.presence !== 0)
            options.repeatPenalty = {
                punishTokens: () => recent.slice(-repeat.last), maxPunishTokens: repeat.last,
                penalty: repeat.penalty, frequencyPenalty: repeat.frequency, presencePenalty: repeat.presence
            };
        if (grammar !== null) options.grammarEvaluationState = new this.nodeLlama.LlamaGrammarEvaluationState({model, grammar});
        if (shift) {
            const half = () => Math.max(1, Math.floor((contextSize - keep) / 2));
            options.contextShift = {size: half, strategy: ({size}) => [{start: keep, end: keep + size}]};
        }
        let first = null, count = 0, reason = "stop", pending = [];
        const flush = (force) => {
            if (pending.length === 0) return true;
            const text = model.detokenize(pending, false);
            // A character cut between two tokens decodes to U+FFFD until its last byte has come.
            if (!force && text.endsWith("\ufffd") && pending.length < 4) return true;
            pending = [];
            return text === "" || onText(text) !== false;
        };
        for await (const token of sequence.evaluate(tokens, options)) {
            first ??= performance.now();
            count++;
            if (model.isEogToken(token)) break;
            pending.push(token);
            recent.push(token);
            const goOn = flush(false);
            if (signal.aborted || !goOn) { reason = "aborted"; break; }
            if (count >= limit || (!shift && tokens.length + count >= contextSize)) { reason = "length"; break; }
        }
        if (reason !== "aborted") flush(true);
        const ended = performance.now();
        first ??= ended;
        return {reason, prompt: tokens.length, completion: count, promptMs: first - started, predictedMs: ended - first};
    }
}

// readSampling reads the settings that both wires know by the same names, over a wire's defaults. A seed below 0 is a
// random one.
export function readSampling(query, defaults) {
    const get = (name) => query[name] ?? defaults[name];
    const seed = integer(get("seed"), "seed", -(2 ** 31), 2 ** 32 - 1);
    return {
        temperature: number(get("temperature"), "temperature", 0, 100),
        topP: number(get("top_p"), "top_p", 0, 1),
        topK: integer(get("top_k"), "top_k", 0, 2 ** 31 - 1),
        minP: number(get("min_p"), "min_p", 0, 1),
        seed: seed < 0 || seed === 2 ** 32 - 1 ? randomInt(2 ** 32 - 1) : seed,
        repeat: {
            penalty: number(get("repeat_penalty"), "repeat_penalty", 0, 100),
            last: integer(get("repeat_last_n"), "repeat_last_n", 1, 2 ** 31 - 1),
            frequency: number(get("frequency_penalty"), "frequency_penalty", -2, 2),
            presence: number(get("presence_penalty"), "presence_penalty", -2, 2)
        }
    };
}

const sampler = ({temperature, topP, topK, minP, seed}) => ({temperature, topP, topK, minP, seed});
