// The options and durations of Ollama's requests, checked as loosely as Ollama does: a name that it does not know is
// only logged, and a fraction is cut off where a whole number is wanted.
import {readSampling} from "./engine.mjs";
import {badRequest, HttpError} from "./http.mjs";

const kinds = {
    integer: ["num_ctx", "num_batch", "num_gpu", "main_gpu", "num_thread", "draft_num_predict", "num_keep", "seed", "num_predict", "top_k", "repeat_last_n"],
    float32: ["top_p", "min_p", "typical_p", "temperature", "repeat_penalty", "presence_penalty", "frequency_penalty"],
    boolean: ["use_mmap"], array: ["stop"]
};
const fits = {
    integer: (v) => typeof v === "number", float32: (v) => typeof v === "number", boolean: (v) => typeof v === "boolean",
    array: (v) => Array.isArray(v) && v.every((one) => typeof one === "string")
};
const defaults = {
    num_ctx: 0, num_keep: 4, num_predict: -1, seed: -1, temperature: 0.8, top_k: 40, top_p: 0.9, min_p: 0, typical_p: 1,
    repeat_last_n: 64, presence_penalty: 0, frequency_penalty: 0, stop: []
};

// readOptions returns the options over their defaults, and what of them is the sampler's as sampling.
export function readOptions(given, repeatPenalty) {
    const options = {...defaults, repeat_penalty: repeatPenalty};
    for (const [name, value] of Object.entries(given)) {
        const kind = Object.keys(kinds).find((kind) => kinds[kind].includes(name));
        if (kind === undefined) {
            process.stderr.write(`invalid option provided: ${name}\n`);
            continue;
        }
        if (value === null) continue;
        if (!fits[kind](value)) throw new HttpError(500, `option ${JSON.stringify(name)} must be of type ${kind}`);
        options[name] = kind === "integer" ? Math.trunc(value) : value;
    }
    if (options.typical_p !== 1 || options.stop.length > 0) throw badRequest("'typical_p' and 'stop' are not supported by this test server");
    if (options.repeat_last_n === 0) options.repeat_penalty = 1;
    const last = options.repeat_last_n > 0 ? options.repeat_last_n : 2 ** 31 - 1;
    return {...options, sampling: readSampling({...options, repeat_last_n: last}, {})};
}

const units = {ns: 1e-6, us: 1e-3, "µs": 1e-3, ms: 1, s: 1e3, m: 6e4, h: 36e5};

// readKeepAlive returns milliseconds: seconds where it is a number, else a duration such as "1h30m"; for ever where it is
// below 0, five minutes where it is not said.
export function readKeepAlive(given) {
    if (given === undefined || given === null) return 5 * units.m;
    let ms = typeof given === "number" ? given * units.s : NaN;
    const form = /^(-?)((?:\d+(?:\.\d+)?(?:ns|us|µs|ms|s|m|h))+|0)$/.exec(given);
    if (typeof given === "string" && form !== null) {
        ms = 0;
        for (const [, count, unit] of form[2].matchAll(/(\d+(?:\.\d+)?)(ns|us|µs|ms|s|m|h)/g)) ms += Number(count) * units[unit];
        if (form[1] === "-") ms = -ms;
    }
    if (Number.isNaN(ms)) throw badRequest(`time: invalid duration ${JSON.stringify(given)}`);
    return ms < 0 ? Infinity : ms;
}
