// What both wires share of HTTP: bodies, errors, and the checks of request fields.

const maxBody = 64 << 20;

// HttpError is a failure with a status; details are further fields of its body, where the wire has them.
export class HttpError extends Error {
    constructor(status, message, type, details = {}) {
        super(message);
        this.status = status;
        this.type = type;
        this.details = details;
    }
}

export const badRequest = (message, param = null) => new HttpError(400, message, "invalid_request_error", {param});

export async function readBody(req) {
    const parts = [];
    let size = 0;
    for await (const part of req) {
        size += part.length;
        if (size > maxBody) throw new HttpError(413, `the request body exceeds ${maxBody} bytes`, "invalid_request_error");
        parts.push(part);
    }
    return Buffer.concat(parts);
}

// parseObject reads a request's body, which must be one JSON object.
export function parseObject(body) {
    let query;
    try {
        query = JSON.parse(new TextDecoder("utf-8", {fatal: true}).decode(body));
    } catch (error) {
        throw badRequest(`the request body is not valid JSON: ${error.message}`);
    }
    if (!isObject(query)) throw badRequest("the request body must be a JSON object");
    return query;
}

export const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);

export function number(value, name, low, high, otherwise) {
    if (value === undefined || value === null) return otherwise;
    if (typeof value !== "number" || !(value >= low && value <= high)) throw badRequest(`'${name}' must be a number from ${low} to ${high}`, name);
    return value;
}

export function integer(value, name, low, high, otherwise) {
    if (value === undefined || value === null) return otherwise;
    if (!Number.isInteger(number(value, name, low, high))) throw badRequest(`'${name}' must be a whole number`, name);
    return value;
}

export function flag(value, name, otherwise) {
    if (value === undefined || value === null) return otherwise;
    if (typeof value !== "boolean") throw badRequest(`'${name}' must be true or false`, name);
    return value;
}

export function sendJSON(res, status, body) {
    res.writeHead(status, {"content-type": "application/json; charset=utf-8"});
    res.end(JSON.stringify(body));
}

// randomID returns so many random characters of an alphabet.
export function randomID(length, alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz") {
    return Array.from({length}, () => alphabet[Math.floor(Math.random() * alphabet.length)]).join("");
}
